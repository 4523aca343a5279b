//! `ConvolutionCt`: its exact law, its batches as sums of the base's for every backend and type, its bound, sums over base batches
//! that overflow, and statistics at full width.

use crate::common::convolution::{base, convolved, table, weights};
use crate::common::{law, rejecting, verify};
use samplez_check::tape::{Budget, enumerate};
use samplez_core::arch::Backend;
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::{CdtLazyCt, ConvolutionCt};
use samplez_core::table::Table;
use samplez_core::table::{ConvolutionTable, LazyTable};
use samplez_core::testing::LAZY_BATCH;
use samplez_core::{Exactness, Int, Sampler};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{ConvolutionOptions, build_convolution, parts};

type Sums = ConvolutionCt<Vec<u32>, Vec<i8>>;

fn over(table: ConvolutionTable<Vec<u32>>) -> Sums {
    let parts = parts(table.base(), 1 << 20).unwrap();
    ConvolutionCt::from_table(table, parts).unwrap()
}

fn built(sigma: &str, center: &str, precision: u32) -> ConvolutionTable<Vec<u32>> {
    let options = ConvolutionOptions { precision, bound: precision.min(128), ..ConvolutionOptions::constant_time() };
    build_convolution(&law(sigma, center), &options).unwrap()
}

fn reader(seed: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])))
}

/// Every bit string: the law is the convolution of the table's weights, as integers.
#[test]
fn the_exact_law_is_the_convolution_of_the_table() {
    for (precision, legs, center) in [
        (8, &[(3, 4)][..], "0"),
        (9, &[(5, 12)], "-17"),
        (7, &[(15, 8)], "3"),
        (4, &[(3, 4), (5, 12)], "1"),
        (4, &[(4, 3), (21, 20)], "0"),
        (8, &[(1, 2)], "0"),
        (4, &[(1, 1), (2, 5)], "-1"),
    ] {
        let base = base("1.3", precision);
        let thresholds: Vec<u128> = base.digits().iter().map(|d| u128::from(d >> (32 - precision))).collect();
        let sampler = over(table("1.3", center, base, legs));
        let walked = enumerate(Budget::depth(20), |bits| Some(sampler.sample(bits))).unwrap();
        let mut law = weights(&thresholds, precision);
        for (z1, z2) in legs {
            law = convolved(&law, *z1, *z2);
        }
        let total: u128 = law.values().sum();
        let unit = (1_u128 << walked.log2_denominator()) / total;
        let center: i64 = center.parse().unwrap();
        assert_eq!(walked.undecided(), 0.0);
        assert!(law.iter().all(|(x, weight)| walked.numerator(center + x) == weight * unit), "{legs:?}");
        assert!(walked.values().eq(law.keys().map(|x| center + x)));
        assert!(walked.values().all(|x| sampler.profile().support.contains(&x)));
    }
}

/// The factors of the base samples, from the legs.
fn factors(levels: &[(u64, u64)]) -> Vec<i64> {
    levels.iter().fold(vec![1], |factors, (z1, z2)| {
        [z1, z2].into_iter().flat_map(|z| factors.iter().map(move |factor| factor * *z as i64)).collect()
    })
}

/// Fills by every backend, whole and cut into pieces of whole batches: the sums of the base's fills, leg after leg.
fn agrees<T: Int + PartialEq + core::fmt::Debug>(sigma: &str, center: &str, precision: u32) {
    let table = built(sigma, center, precision);
    let factors = factors(table.levels());
    let base =
        CdtLazyCt::from_table(LazyTable::new(table.base().clone(), parts(table.base(), 1 << 20).unwrap()).unwrap());
    let sampler = over(table);
    let center: i64 = center.parse().unwrap();
    for count in [0, 1, 3, 15, 16, 100, 511, 1024, 1025, 3000] {
        let (mut source, mut want) = (reader(3), Vec::new());
        for start in (0..count).step_by(LAZY_BATCH / factors.len()) {
            let len = (count - start).min(LAZY_BATCH / factors.len());
            let mut bases = vec![0_i64; len * factors.len()];
            base.fill_by(Backend::Scalar, &mut source, &mut bases).unwrap();
            let sum = |i: usize| factors.iter().enumerate().map(|(leg, z)| z * bases[leg * len + i]).sum::<i64>();
            want.extend((0..len).map(|i| T::narrow(center + sum(i)).unwrap()));
        }
        let rest = source.bits(64);
        for backend in Backend::available() {
            for piece in [count.max(1), Sums::BATCH] {
                let (mut filled, mut source) = (vec![T::ZERO; count], reader(3));
                filled.chunks_mut(piece).for_each(|part| sampler.fill_by(backend, &mut source, part).unwrap());
                assert!(filled == want, "{sigma}, {backend}, {piece} of {count} at a time");
                assert_eq!(source.bits(64), rest, "{sigma}, {backend}: the bits used");
            }
        }
    }
    let (mut a, mut b) = (reader(9), reader(9));
    for _ in 0..100 {
        let sum: i64 = factors.iter().map(|factor| factor * base.sample(&mut b)).sum();
        assert_eq!(sampler.sample(&mut a), center + sum);
    }
}

#[test]
fn batches_are_sums_of_the_bases_batches() {
    agrees::<i8>("5", "0", 20);
    agrees::<i8>("6", "-3", 72);
    agrees::<i16>("215", "0", 72);
    agrees::<i16>("215", "9", 256);
    agrees::<i32>("1.6e5", "-1000", 72);
    agrees::<i64>("1073741824", "7", 128);
    agrees::<i64>("1e15", "0", 200);
    assert_eq!(built("1e17", "0", 128).levels().len(), 4);
    agrees::<i64>("1e17", "0", 128);
}

#[test]
fn the_bound_is_the_tables() {
    for (sigma, precision) in [("5", 1), ("215", 20), ("1.6e5", 128), ("1e15", 200)] {
        let table = built(sigma, "0", precision);
        let bound = table.bound();
        assert_eq!(over(table).profile().exactness, Exactness::Within(bound), "{sigma}");
    }
}

/// All bits set: every base sample is open.
#[derive(Default)]
struct Ones {
    outcomes: Vec<u32>,
}

impl BitSource for Ones {
    fn bits(&mut self, n: u32) -> u64 {
        u64::MAX >> (64 - n)
    }
    fn declassify(&mut self, outcome: u32) -> u32 {
        self.outcomes.push(outcome);
        outcome
    }
    fn condemn(&mut self) {
        panic!("the batch is made in any case");
    }
}

#[test]
fn an_overflow_is_declassified_for_each_batch_and_resolved() {
    let table = built("215", "0", 128);
    let base = LazyTable::new(table.base().clone(), parts(table.base(), 1 << 20).unwrap()).unwrap();
    let (factors, sampler) = (factors(table.levels()), over(table));
    let mut bases = [0_i64; LAZY_BATCH];
    CdtLazyCt::from_table(base).fill(&mut Ones::default(), &mut bases).unwrap();
    let sum: i64 = factors.iter().map(|factor| factor * bases[0]).sum();
    assert!(bases.iter().all(|x| *x == bases[0]));
    for backend in Backend::available() {
        let (mut source, mut out) = (Ones::default(), [1_i16; 5000]);
        sampler.fill_by(backend, &mut source, &mut out).unwrap();
        let batches = out.len().div_ceil(LAZY_BATCH / factors.len());
        assert_eq!(source.outcomes, vec![1; batches], "{backend}");
        assert!(out.iter().all(|x| i64::from(*x) == sum), "{backend}");
        // Sums that do not fit end the fill.
        let (mut source, mut out) = (Ones::default(), [1_i8; 5000]);
        let _ = over(built("215", "10000", 128)).fill_by(backend, &mut source, &mut out).unwrap_err();
        assert_eq!(source.outcomes, [1], "{backend}");
    }
}

#[test]
fn a_sample_that_does_not_fit_is_an_error() {
    let sampler = over(built("215", "0", 128));
    let mut wide = vec![0_i16; 1000];
    sampler.fill(&mut reader(5), &mut wide).unwrap();
    let first = wide.iter().position(|x| i8::try_from(*x).is_err()).unwrap();
    let mut narrow = vec![0_i8; 1000];
    let error = sampler.fill(&mut reader(5), &mut narrow).unwrap_err();
    assert_eq!(error.dtype, "i8");
    assert!(narrow[..first].iter().zip(&wide).all(|(x, y)| i16::from(*x) == *y));
}

#[test]
fn wrong_parts_are_refused() {
    let table = built("215", "0", 72);
    let mut wrong = parts(table.base(), 1 << 20).unwrap();
    wrong[3] ^= 1;
    assert_eq!(
        ConvolutionCt::from_table(table, wrong).unwrap_err().to_string(),
        "parts: byte 3 does not fit the table"
    );
}

#[test]
fn statistics() {
    for (sigma, center, precision) in
        [("5", "0", 72), ("215", "0", 128), ("1000", "-3", 72), ("1073741824", "0", 128), ("1e15", "7", 72)]
    {
        let sampler = over(built(sigma, center, precision));
        let mut samples = vec![0_i64; 1_000_000];
        sampler.fill(&mut reader(6), &mut samples).unwrap();
        let report = verify(&law(sigma, center), &samples);
        assert!(report.consistent, "{sigma}: {:?}", rejecting(&report));
    }
}
