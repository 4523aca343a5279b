//! `CdtCt`: its exact law is its table's; batches and single samples are one stream on every
//! backend; its statistics at full width.

use crate::common::cdt::{has_law_of, table};
use crate::common::{Random, law, rejecting, verify};
use samplez_core::arch::Backend;
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::{Cdt, CdtCt, CdtCtSmall};
use samplez_core::table::{CdtTable, Shape};
use samplez_core::testing::Counted;
use samplez_core::{Int, Sampler};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtOptions, build_cdt};

fn bits(seed: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])))
}

fn built(sigma: &str, center: &str, precision: u32) -> CdtTable<Vec<u32>> {
    build_cdt(&law(sigma, center), &CdtOptions { precision, ..CdtOptions::default() }).unwrap()
}

/// Every bit string through the real code: the law is the table's.
fn walk(table: &CdtTable<Vec<u32>>) {
    let precision = table.precision();
    let thresholds: Vec<u32> = table.digits().iter().map(|digit| digit >> (32 - precision)).collect();
    let sampler = CdtCt::from_table(table.clone()).unwrap();
    let law = has_law_of(table.shape(), table.first(), precision, &thresholds, |bits| Some(sampler.sample(bits)))
        .unwrap_or_else(|e| panic!("{:?}, B = {precision}, {thresholds:?}: {e}", table.shape()));
    let declared = sampler.profile().expected_bits;
    assert_eq!(law.expected_bits(0.0), declared..=declared);
    assert!(law.values().all(|x| sampler.profile().support.contains(&x)));
}

#[test]
fn single_samples_have_the_tables_law() {
    for precision in 4..=14 {
        for (sigma, center) in [("1", "0"), ("3.2", "-7"), ("1.7", "1/3"), ("0.4", "1/2")] {
            walk(&built(sigma, center, precision));
        }
    }
    let mut random = Random::new(11);
    for precision in 1..=9 {
        let top = 1_u32 << precision;
        for shape in [Shape::Folded, Shape::Full] {
            for len in 1..12 {
                let mut thresholds: Vec<_> = (0..len).map(|_| random.below(top.into()) as u32).collect();
                thresholds.sort_by(|a, b| b.cmp(a));
                walk(&table(shape, 100, precision, &thresholds));
            }
        }
    }
}

/// Inversion as a big integer, with nothing of the library but the digits: the words of a record,
/// and the thresholds as words, least significant first.
fn inverted(table: &CdtTable<Vec<u32>>, bits: &mut impl BitSource) -> i64 {
    let precision = table.precision() as usize;
    let u: Vec<bool> = (0..precision).map(|_| bits.bit()).collect();
    let negative = table.shape() == Shape::Folded && bits.bit();
    let (heads, tails) = table.digits().split_at(table.len());
    let more = precision.div_ceil(32) - 1;
    let above = |j: &usize| {
        let digits: Vec<u32> = core::iter::once(heads[*j]).chain(tails[j * more..][..more].iter().copied()).collect();
        let place = |i: usize| digits[i / 32] >> (31 - i % 32) & 1 != 0;
        // Most significant first.
        u.iter().rev().copied().lt((0..precision).map(place))
    };
    let index = (0..table.len()).filter(above).count() as i64;
    table.first() + if negative { -index } else { index }
}

/// Single samples and batches of every backend against big integers, to this output type.
fn agrees<T: Int + PartialEq + core::fmt::Debug>(table: &CdtTable<Vec<u32>>, count: usize) {
    let sampler = CdtCt::from_table(table.clone()).unwrap();
    let mut reference = bits(3);
    let want: Vec<T> = (0..count).map(|_| T::narrow(inverted(table, &mut reference)).unwrap()).collect();
    let rest = reference.bits(64);
    let mut single = bits(3);
    let samples: Vec<T> = (0..count).map(|_| T::narrow(sampler.sample(&mut single)).unwrap()).collect();
    assert_eq!(samples, want, "{} thresholds, sample", table.len());
    for backend in Backend::available() {
        let (mut filled, mut source) = (vec![T::ZERO; count], bits(3));
        sampler.fill_by(backend, &mut source, &mut filled).unwrap();
        assert_eq!(filled, want, "{} thresholds, {backend}", table.len());
        assert_eq!(source.bits(64), rest, "{backend} uses the bits that samples use");
        let (mut filled, mut source) = (vec![T::ZERO; count], bits(3));
        CdtCtSmall::from(sampler.clone()).fill_by(backend, &mut source, &mut filled).unwrap();
        assert_eq!(filled, want, "{} thresholds, {backend}, small", table.len());
        assert_eq!(source.bits(64), rest, "{backend}, small, uses the bits that samples use");
    }
}

#[test]
fn all_backends_and_single_samples_are_one_stream() {
    for precision in [1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 71, 72, 80, 95, 96, 97, 127, 128, 129, 191, 192, 255, 256]
    {
        agrees::<i8>(&built("1.7", "0", precision), 1025);
        agrees::<i16>(&built("3.2", "1/3", precision), 1537);
    }
    agrees::<i16>(&built("19.5", "0", 72), 2000);
    agrees::<i32>(&built("19.5", "-100000", 80), 1024);
    agrees::<i64>(&built("215", "1000000000000", 72), 600);
    agrees::<i64>(&built("215", "1/3", 72), 600);
    agrees::<i8>(&built("12.9", "0", 72), 600);
}

/// Bits that are given.
#[derive(Clone)]
struct Script(Vec<bool>, usize);

impl BitSource for Script {
    fn bits(&mut self, n: u32) -> u64 {
        let bits = &self.0[self.1..self.1 + n as usize];
        self.1 += n as usize;
        bits.iter().rev().fold(0, |value, bit| value << 1 | u64::from(*bit))
    }
}

/// Every threshold and the numbers beside it as u: the last bits decide.
#[test]
fn uniforms_at_the_thresholds() {
    for (sigma, center, precision) in [("215", "0", 72), ("19.5", "1/3", 96), ("30", "0", 128), ("3.2", "0", 256)] {
        let table = built(sigma, center, precision);
        let (heads, tails) = table.digits().split_at(table.len());
        let more = precision.div_ceil(32) as usize - 1;
        let mut script = Script(Vec::new(), 0);
        for j in 0..table.len() {
            let digits: Vec<u32> =
                core::iter::once(heads[j]).chain(tails[j * more..][..more].iter().copied()).collect();
            let threshold: Vec<bool> =
                (0..precision as usize).rev().map(|i| digits[i / 32] >> (31 - i % 32) & 1 != 0).collect();
            // T - 1 turns the bits up to the lowest 1, T + 1 those up to the lowest 0.
            for turn in [Some(true), Some(false), None] {
                let end = threshold.iter().position(|bit| Some(*bit) == turn).unwrap_or(threshold.len());
                let turned = threshold.iter().enumerate().map(|(i, bit)| bit ^ (turn.is_some() && i <= end));
                script.0.extend(turned);
                script.0.extend((table.shape() == Shape::Folded).then_some(j % 2 != 0));
            }
        }
        let count = 3 * table.len();
        let (mut reference, mut single) = (script.clone(), script.clone());
        let want: Vec<i64> = (0..count).map(|_| inverted(&table, &mut reference)).collect();
        let sampler = CdtCt::from_table(table).unwrap();
        let samples: Vec<i64> = (0..count).map(|_| sampler.sample(&mut single)).collect();
        assert_eq!(samples, want, "sigma = {sigma}");
        for backend in Backend::available() {
            let mut filled = vec![0_i64; count];
            sampler.fill_by(backend, &mut script.clone(), &mut filled).unwrap();
            assert_eq!(filled, want, "sigma = {sigma}, {backend}");
            let small = CdtCtSmall::from(sampler.clone());
            small.fill_by(backend, &mut script.clone(), &mut filled).unwrap();
            assert_eq!(filled, want, "sigma = {sigma}, {backend}, small");
        }
    }
}

/// Short thresholds make every outcome of a comparison frequent: equal digits, zero thresholds,
/// thresholds that are equal, groups that are not full.
#[test]
fn odd_tables_in_batches() {
    let mut random = Random::new(12);
    for len in [1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 126, 127, 128, 129, 255, 256, 257, 1000] {
        for shape in [Shape::Folded, Shape::Full] {
            for precision in [1, 3, 6, 12, 32] {
                let mut thresholds: Vec<_> = (0..len).map(|_| random.below(1 << precision) as u32).collect();
                thresholds.sort_by(|a, b| b.cmp(a));
                agrees::<i64>(&table(shape, -3, precision, &thresholds), 513);
            }
        }
    }
}

/// Fills of any length, one after another and from any position in a word, are one stream.
#[test]
fn fills_may_be_cut_anywhere() {
    let sampler = CdtCt::from_table(built("3.2", "0", 72)).unwrap();
    let mut all = vec![0_i8; 5000];
    sampler.fill(&mut bits(4), &mut all).unwrap();
    let mut source = Counted::new(bits(4));
    let mut at = 0;
    for len in [1, 511, 512, 3, 1024, 700, 0, 2, 513, 1734] {
        let mut part = vec![0_i16; len];
        sampler.fill(&mut source, &mut part).unwrap();
        assert!(part.iter().zip(&all[at..]).all(|(a, b)| *a == i16::from(*b)), "{len} from {at}");
        at += len;
        assert_eq!(source.count(), 73 * at as u64);
    }
    assert_eq!(at, all.len());
}

#[test]
fn a_sample_that_does_not_fit_is_an_error() {
    let sampler = CdtCt::from_table(built("60", "0", 72)).unwrap();
    let mut wide = vec![0_i16; 10_000];
    sampler.fill(&mut bits(5), &mut wide).unwrap();
    let first = wide.iter().position(|x| i8::try_from(*x).is_err()).unwrap();
    let mut narrow = vec![0_i8; 10_000];
    let error = sampler.fill(&mut bits(5), &mut narrow).unwrap_err();
    assert_eq!(error.dtype, "i8");
    assert!(narrow[..first].iter().zip(&wide).all(|(a, b)| i16::from(*a) == *b));
    assert_eq!(CdtCtSmall::from(sampler).fill(&mut bits(5), &mut narrow), Err(error));
}

/// The same table, another stream: the declarations differ in bits and timing only.
#[test]
fn the_declaration_is_the_tables() {
    let table = built("3.2", "0", 72);
    let (plain, constant) =
        (Cdt::from_table(table.view()).profile(), CdtCt::from_table(table.view()).unwrap().profile());
    assert_eq!(
        (constant.exactness, constant.support, constant.table_bytes),
        (plain.exactness, plain.support, plain.table_bytes)
    );
    assert_eq!((constant.expected_bits, constant.timing), (73.0, samplez_core::Timing::Constant));
}

/// Two million samples against the ideal law, each test at 1e-6.
#[test]
fn statistics() {
    for (sigma, center, precision) in [("3.2", "0", 72), ("19.5", "1/3", 72), ("1.8205", "-2", 80), ("215", "0", 128)] {
        let sampler = CdtCt::from_table(built(sigma, center, precision)).unwrap();
        let mut samples = vec![0_i64; 2_000_000];
        sampler.fill(&mut bits(6), &mut samples).unwrap();
        let report = verify(&law(sigma, center), &samples);
        assert!(report.consistent, "{sigma}: {:?}", rejecting(&report));
    }
}
