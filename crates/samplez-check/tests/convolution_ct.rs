//! `ConvolutionCt`: its exact law, one stream for single samples and every backend, and statistics
//! at full width.

mod common;
use common::convolution::{base, convolved, table, weights};
use common::{law, rejecting, verify};
use samplez_check::tape::{Budget, enumerate};
use samplez_core::arch::Backend;
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::sampler::{Int, Sampler};
use samplez_core::samplers::convolution_ct::ConvolutionCt;
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{ConvolutionOptions, build_convolution};

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
    ] {
        let base = base("1.3", precision);
        let thresholds: Vec<u128> = base.digits().iter().map(|d| u128::from(d >> (32 - precision))).collect();
        let scale = legs.iter().map(|(a, b)| a * a + b * b).product::<u64>().isqrt();
        let sampler = ConvolutionCt::from_table(table(&format!("1.3*{scale}"), center, base, legs)).unwrap();
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

/// Single samples, and fills of every backend, cut into pieces.
fn agrees<T: Int + PartialEq + core::fmt::Debug>(sigma: &str, center: &str, precision: u32, count: usize) {
    let options = ConvolutionOptions { precision, bound: precision.min(128), ..ConvolutionOptions::default() };
    let sampler = ConvolutionCt::from_table(build_convolution(&law(sigma, center), &options).unwrap()).unwrap();
    let mut single = reader(3);
    let want: Vec<T> = (0..count).map(|_| T::narrow(sampler.sample(&mut single)).unwrap()).collect();
    let rest = single.bits(64);
    for backend in Backend::available() {
        for pieces in [count, 700, 1] {
            let (mut filled, mut source) = (vec![T::ZERO; count], reader(3));
            filled.chunks_mut(pieces).for_each(|part| sampler.fill_by(backend, &mut source, part).unwrap());
            assert!(filled == want, "{sigma}, {backend}, {pieces} at a time");
            assert_eq!(source.bits(64), rest, "{sigma}, {backend}: the bits used");
        }
    }
}

#[test]
fn all_backends_and_single_samples_are_one_stream() {
    agrees::<i16>("215", "0", 72, 3001);
    agrees::<i32>("1.6e5", "-1000", 72, 700);
    agrees::<i64>("1073741824", "7", 128, 300);
}

#[test]
fn a_sample_that_does_not_fit_is_an_error() {
    let table = build_convolution(&law("215", "0"), &ConvolutionOptions::default()).unwrap();
    let sampler = ConvolutionCt::from_table(table).unwrap();
    let mut wide = vec![0_i16; 1000];
    sampler.fill(&mut reader(5), &mut wide).unwrap();
    let first = wide.iter().position(|x| i8::try_from(*x).is_err()).unwrap();
    let mut narrow = vec![0_i8; 1000];
    let error = sampler.fill(&mut reader(5), &mut narrow).unwrap_err();
    assert_eq!((error.value, error.dtype), (wide[first].into(), "i8"));
}

#[test]
fn statistics() {
    for (sigma, center, precision) in [("215", "0", 72), ("1000", "-3", 72), ("1073741824", "0", 72)] {
        let options = ConvolutionOptions { precision, bound: precision, ..ConvolutionOptions::default() };
        let sampler = ConvolutionCt::from_table(build_convolution(&law(sigma, center), &options).unwrap()).unwrap();
        let mut samples = vec![0_i64; 1_000_000];
        sampler.fill(&mut reader(6), &mut samples).unwrap();
        let report = verify(&law(sigma, center), &samples);
        assert!(report.consistent, "{sigma}: {:?}", rejecting(&report));
    }
}
