//! The report is the same for any number of threads, however the stream is cut.

use samplez_core::{DiscreteGaussian, Sampler, bits::BitReader, samplers::Karney};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::{Comparer, Verifier, VerifyError};
use std::num::NonZeroUsize;

fn law() -> DiscreteGaussian {
    DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap()
}

/// 700,000 draws, with a run of one value longer than the farthest lag and a part that comes again.
fn samples(seed: u8) -> Vec<i8> {
    let mut samples = vec![0_i8; 700_000];
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])));
    Karney::new(&law()).unwrap().fill(&mut bits, &mut samples).unwrap();
    samples[250_123..401_000].fill(5);
    samples.copy_within(1000..3000, 600_000);
    samples
}

fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

/// The verifier's reports after each of these counts of values.
fn reports(mut verifier: Verifier, samples: &[i8], ends: &[usize]) -> Vec<String> {
    let mut start = 0;
    let mut reports = Vec::new();
    for end in ends {
        samples[start..*end].chunks(70_001).for_each(|chunk| verifier.push(chunk));
        reports.push(format!("{:?}", verifier.finish().unwrap()));
        start = *end;
    }
    reports
}

#[test]
fn threads_change_nothing() {
    let (samples, ends) = (samples(1), [4000, 270_000, 530_000, 700_000]);
    let empty = Verifier::new(&law()).unwrap();
    let one = reports(empty.clone(), &samples, &ends);
    assert!(one[3].contains("longest run") && one[3] != one[2]);
    for n in [2, 3, 20] {
        assert_eq!(reports(empty.clone().with_threads(threads(n)), &samples, &ends), one, "{n}");
    }
}

#[test]
fn threads_may_change_within_a_stream() {
    let samples = samples(2);
    let empty = Verifier::new(&law()).unwrap();
    let mut one = empty.clone();
    one.push(&samples);
    let one = one.finish().unwrap();
    for numbers in [[1, 4, 1, 2], [4, 1, 4, 1]] {
        let mut verifier = empty.clone();
        for (part, n) in samples.chunks(190_000).zip(numbers) {
            verifier = verifier.with_threads(threads(n));
            verifier.push(part);
        }
        assert_eq!(format!("{:?}", verifier.finish().unwrap()), format!("{one:?}"), "{numbers:?}");
    }
}

#[test]
fn merged_streams() {
    let parts = [samples(3), samples(4)];
    let report = |n: usize| {
        let [mut first, second] = parts.each_ref().map(|part| {
            let mut verifier = Verifier::new(&law()).unwrap().with_threads(threads(n));
            verifier.push(part);
            verifier
        });
        first.merge(&second).unwrap();
        format!("{:?}", first.finish().unwrap())
    };
    assert_eq!(report(3), report(1));
}

#[test]
fn shares_change_nothing() {
    let (samples, other) = (samples(7), samples(8));
    for sigma in ["3.2", "100000"] {
        let law = DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
        let empty = Verifier::new(&law).unwrap();
        let one = reports(empty.clone(), &samples, &[99_999]).remove(0);
        for of in [2, 12] {
            let mut shares: Vec<_> = (0..of).map(|i| empty.clone().with_share(i, of)).collect();
            shares.iter_mut().for_each(|share| samples[..99_999].chunks(7001).for_each(|part| share.push(part)));
            let others: Vec<_> = shares[1..].iter().rev().map(Verifier::share).collect();
            assert_eq!(format!("{:?}", shares[0].finish_with(&others).unwrap()), one, "{of}");
            let refused = |shares: &[Vec<u64>], first: &Verifier| {
                assert_eq!(first.finish_with(shares), Err(VerifyError::OtherShare), "{of}");
            };
            // None, a missing one, one twice, a short one, another's values.
            refused(&[], &shares[0]);
            refused(&others[..of - 2], &shares[0]);
            refused(&[&others[..], &others[of - 2..]].concat(), &shares[0]);
            let mut wrong = others.clone();
            wrong[of - 2].remove(7);
            refused(&wrong, &shares[0]);
            let mut longer = shares[0].clone();
            longer.push(&[0_i64]);
            refused(&others, &longer);
        }
    }
    let whole = Comparer::new(&samples[..1000], &other[..1000]);
    let mut shares = [0, 1, 2].map(|i| whole.clone().with_share(i, 3)).into_iter().chain([whole]).collect::<Vec<_>>();
    for share in &mut shares {
        share.push_first(&samples[..99_999]);
        share.push_second(&other[..50_001]);
    }
    let joined = shares[0].finish_with(&[shares[1].share(), shares[2].share()]).unwrap();
    assert_eq!(format!("{joined:?}"), format!("{:?}", shares[3].finish().unwrap()));
    let short = vec![shares[1].share()[1..].to_vec()];
    assert_eq!(shares[0].finish_with(&short), Err(VerifyError::OtherShare));
}

#[test]
fn two_samples() {
    let (first, second) = (samples(5), samples(6));
    let report = |n: usize| {
        let mut comparer = Comparer::new(&first[..1000], &second[..1000]).with_threads(threads(n));
        comparer.push_first(&first);
        comparer.push_second(&second[..400_000]);
        format!("{:?}", comparer.finish().unwrap())
    };
    assert_eq!(report(2), report(1));
}
