//! The samplers with a centre per call: published vectors, the exact law of the shipped
//! integers, wrong variants of it, and statistics at full width.

use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::{ProposalStore, SamplerZ, StripRounder};
use samplez_core::{Bound, DiscreteGaussian, Exactness, FixedPoint, Rational, Rounder, Timing, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::Verifier;
use samplez_tables::Law;
use std::collections::BTreeMap;

/// Bits of given bytes, each from its lowest bit up.
struct Bytes<'a>(&'a [u8], usize);

impl BitSource for Bytes<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        let bit = |i: usize| u64::from(self.0[i / 8] >> (i % 8) & 1);
        let value = (0..n as usize).map(|i| bit(self.1 + i) << i).sum();
        self.1 += n as usize;
        value
    }
}

/// The distance that a rounder declares.
fn bound_of(rounder: &impl Rounder) -> Bound {
    match rounder.exactness() {
        Exactness::Within(bound) => bound,
        Exactness::Exact => panic!("no rounder here is exact"),
    }
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

#[test]
fn published_vectors() {
    let mut count = 0;
    for line in include_str!("../../../kat/falcon-sampler-z.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let bytes = hex(fields[2]);
        let width = SamplerZ::FALCON_512.width(fields[1].parse().unwrap()).unwrap();
        for center in [
            FixedPoint::new(fields[0].parse().unwrap()).unwrap(),
            FixedPoint::from_f64(fields[0].parse().unwrap()).unwrap(),
        ] {
            let mut bits = Bytes(&bytes, 0);
            assert_eq!(SamplerZ::FALCON_512.round((center, width), &mut bits).to_string(), fields[3], "{line}");
            assert_eq!(bits.1, 8 * bytes.len(), "{line}: every byte is used");
        }
        count += 1;
    }
    assert_eq!(count, 8);
}

/// What one trial gives, given the weights of z0 and the rule of acceptance: the
/// mass of each z, and their sum.
struct Trial {
    base: Vec<f64>,
    fraction: u64,
}

impl Trial {
    fn law(
        &self,
        place: impl Fn(u64, bool) -> (i64, u128),
        accept: impl Fn(u64, u128) -> f64,
    ) -> (BTreeMap<i64, f64>, f64) {
        let mut law = BTreeMap::new();
        for (z0, weight) in self.base.iter().enumerate() {
            for upper in [false, true] {
                let (z, distance) = place(z0 as u64, upper);
                *law.entry(z).or_insert(0.0) += weight / 2.0 * accept(z0 as u64, distance);
            }
        }
        let total = law.values().sum();
        (law, total)
    }

    /// Algorithm 15's candidate, written again.
    fn place(&self, x: u64, upper: bool) -> (i64, u128) {
        let fraction = u128::from(self.fraction);
        let x128 = u128::from(x) << 64;
        if upper { (x as i64 + 1, x128 + (1 << 64) - fraction) } else { (-(x as i64), x128 + fraction) }
    }
}

fn falcon_base() -> Vec<f64> {
    (0..19).map(|z0| SamplerZ::base_weight(z0) as f64 / 2f64.powi(72)).collect()
}

/// The largest |Q/P - 1| over the values of P above 2^floor, in log2.
fn worst(law: &BTreeMap<i64, f64>, total: f64, sigma: &str, center: Rational, floor: f64) -> f64 {
    let target = Law::new(&DiscreteGaussian::new(center, Width::Sigma(sigma.parse().unwrap())).unwrap());
    let range = target.tail_range(floor).unwrap();
    range.map(|z| (law.get(&z).copied().unwrap_or(0.0) / total / target.pmf(z) - 1.0).abs()).fold(0.0, f64::max).log2()
}

/// log2 of R_a - 1, a = 2, 256, 513, and of the mass of P outside of the law's support: from
/// R_a^(a-1) - 1 = Σ P·((1 + ε)^a - 1 - aε), ε = Q/P - 1, whose terms do not cancel.
fn divergences(law: &BTreeMap<i64, f64>, total: f64, sigma: &str, center: Rational) -> ([f64; 3], f64) {
    let target = Law::new(&DiscreteGaussian::new(center, Width::Sigma(sigma.parse().unwrap())).unwrap());
    let (mut sums, mut tail) = ([0.0; 3], 0.0);
    for z in target.tail_range(-150.0).unwrap() {
        let (q, p) = (law.get(&z).copied().unwrap_or(0.0) / total, target.pmf(z));
        let error = q / p - 1.0;
        for (sum, a) in sums.iter_mut().zip([2.0, 256.0, 513.0]) {
            *sum += p * ((a * error.ln_1p()).exp_m1() - a * error);
        }
        tail += if q == 0.0 { p } else { 0.0 };
    }
    let [two, some, many] = sums;
    ([two, some / 255.0, many / 512.0].map(f64::log2), tail.log2())
}

/// The law's divergences are at most the declared ones, and not far below them where doubles can
/// tell: from 2^-85 on.
#[test]
fn divergences_are_as_declared() {
    let mut worst = [f64::NEG_INFINITY; 4];
    let sampler = SamplerZ::new("1.2".parse().unwrap()).unwrap();
    for sigma in ["1.2", "1.2778336969128337", "1.5", "1.8", "1.8205"] {
        let width = sampler.width(sigma.parse().unwrap()).unwrap();
        for text in FRACTIONS {
            let (center, fraction) = fraction(text);
            let trial = Trial { base: falcon_base(), fraction };
            let accept = |z0, distance| SamplerZ::acceptance(width, z0, distance) as f64 / 2f64.powi(64);
            let (law, total) = trial.law(|x, upper| trial.place(x, upper), accept);
            let ([a, b, c], tail) = divergences(&law, total, sigma, center);
            worst = core::array::from_fn(|i| worst[i].max([a, b, c, tail][i]));
        }
    }
    let bound = bound_of(&SamplerZ::FALCON_512);
    let declared = [bound.log2_renyi[0].1, bound.log2_renyi[1].1, bound.log2_renyi[2].1, bound.log2_tail];
    for (found, declared) in worst.into_iter().zip(declared) {
        assert!(found <= declared && declared < found + 4.0, "declared 2^{declared:.1}, found 2^{found:.1}");
    }
}

/// Fractions of centres that are multiples of 2^-64, as texts too.
const FRACTIONS: [&str; 6] = ["0", "1/2", "1/4", "7/8", "1/1048576", "1048575/1048576"];

fn fraction(text: &str) -> (Rational, u64) {
    let rational: Rational = text.parse().unwrap();
    (rational, FixedPoint::new(rational).unwrap().fraction())
}

/// The law of the integers in use is D_{Z,σ,f}, as well as doubles can tell.
#[test]
fn exact_law_of_sampler_z() {
    for sampler in [SamplerZ::FALCON_512, SamplerZ::FALCON_1024] {
        let mut rates = Vec::new();
        for sigma in ["1.2982803343442917", "1.5", "1.7037990414754918", "1.8205"] {
            let width = sampler.width(sigma.parse().unwrap()).unwrap();
            for text in FRACTIONS {
                let (center, fraction) = fraction(text);
                let trial = Trial { base: falcon_base(), fraction };
                let accept = |z0, distance| SamplerZ::acceptance(width, z0, distance) as f64 / 2f64.powi(64);
                let (law, total) = trial.law(|x, upper| trial.place(x, upper), accept);
                let error = worst(&law, total, sigma, center, -20.0);
                assert!(error < -44.0, "sigma = {sigma}, f = {text}: 2^{error:.1}");
                rates.push(total);
            }
        }
        // Isochrony: the rate is σ_min's, whatever σ' and the centre are.
        let (low, high) = rates.iter().fold((1.0_f64, 0.0_f64), |(low, high), rate| (low.min(*rate), high.max(*rate)));
        assert!(high / low - 1.0 < 1e-8 && low > 0.5 && high < 0.75, "{low} to {high}");
    }
}

/// The distance of the joint law of (sample, whether its comparison went beyond the first `width`
/// bits) from independence: Σ |P(z, beyond) - P(z)·P(beyond)|.
fn comparison_tells(sigma: &str, fraction: u64, width: u32) -> f64 {
    let call = SamplerZ::FALCON_512.width(sigma.parse().unwrap()).unwrap();
    let trial = Trial { base: falcon_base(), fraction };
    let threshold = |z0, distance| SamplerZ::acceptance(call, z0, distance);
    let place = |x, upper| trial.place(x, upper);
    let (law, total) = trial.law(place, |z0, distance| threshold(z0, distance) as f64 / 2f64.powi(64));
    // Accepted with the first bits equal: the bits below them decide.
    let rest = |z0, distance| (threshold(z0, distance) & (u64::MAX >> width)) as f64 / 2f64.powi(64);
    let (beyond, all_beyond) = trial.law(place, rest);
    law.iter().map(|(z, p)| (beyond[z] / total - p / total * all_beyond / total).abs()).sum()
}

/// Bytes tell of the sample, chunks of 55 bits do not.
#[test]
fn what_the_last_comparison_tells() {
    for sigma in ["1.2778336969128337", "1.7", "1.8205"] {
        for text in FRACTIONS {
            let (_, fraction) = fraction(text);
            let bytes = comparison_tells(sigma, fraction, 8);
            assert!((3e-4..2f64.powi(-7)).contains(&bytes), "sigma = {sigma}, f = {text}: {bytes}");
            let batch = comparison_tells(sigma, fraction, 55);
            assert!(batch < 2f64.powi(-54), "sigma = {sigma}, f = {text}: {batch}");
        }
    }
}

/// Wrong variants are caught by the same comparison.
#[test]
fn wrong_variants_are_caught() {
    let sigma = "1.7";
    let width = SamplerZ::FALCON_512.width(sigma.parse().unwrap()).unwrap();
    let (center, fraction) = fraction("1/4");
    let trial = Trial { base: falcon_base(), fraction };
    let accept = |z0, distance| SamplerZ::acceptance(width, z0, distance) as f64 / 2f64.powi(64);
    let right = trial.law(|x, upper| trial.place(x, upper), accept);
    assert!(worst(&right.0, right.1, sigma, center, -20.0) < -44.0);
    let caught = |(law, total): (BTreeMap<i64, f64>, f64), what: &str| {
        assert!(worst(&law, total, sigma, center, -20.0) > -30.0, "{what}");
    };
    let unshifted = |x, upper| if upper { (x as i64, trial.place(x, upper).1) } else { trial.place(x, upper) };
    caught(trial.law(unshifted, accept), "z = ±x: zero twice");
    let swapped = |x, upper: bool| (trial.place(x, upper).0, trial.place(x, !upper).1);
    caught(trial.law(swapped, accept), "the distance of the other side");
    caught(trial.law(|x, upper| trial.place(x, upper), |_, distance| accept(0, distance)), "z0² left out");
    let blind = |z0, distance: u128| accept(z0, distance - distance % (1 << 64));
    caught(trial.law(|x, upper| trial.place(x, upper), blind), "the centre's fraction left out");
}

#[test]
fn declarations() {
    assert_eq!((SamplerZ::TIMING, SamplerZ::BATCH_TIMING), (Timing::Variable, Timing::Isochronous));
    assert!(bound_of(&SamplerZ::FALCON_512).log2_sd <= -51.0);
}

fn judge<R: Rounder>(rounder: &R, call: R::Center, law: &DiscreteGaussian) {
    let mut verifier = Verifier::new(law).unwrap();
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([23; 32])));
    let centers = vec![call; 1 << 16];
    let mut out = vec![0; 1 << 16];
    for _ in 0..30 {
        rounder.round_all(&centers, &mut bits, &mut out);
        verifier.push(&out);
    }
    let report = verifier.finish().unwrap();
    assert!(report.consistent, "{law}: {report:?}");
}

/// The code around the trial: the words of the reader, the sums of large numbers.
#[test]
fn rounders_are_consistent() {
    let law = |sigma: &str, center: &str| {
        DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
    };
    for (sigma, center) in [("1.3", "0.1"), ("1.8205", "-1/3"), ("1.5", "123456789.01")] {
        let law = law(sigma, center);
        let width = SamplerZ::FALCON_1024.width(sigma.parse().unwrap()).unwrap();
        judge(&SamplerZ::FALCON_1024, (FixedPoint::new(law.center()).unwrap(), width), &law);
    }
}

/// The batch: groups that are full, short, and over; every centre gets its own law.
#[test]
fn batches_are_consistent() {
    let sampler = SamplerZ::FALCON_512;
    let laws: Vec<_> = [("1.3", "0.1"), ("1.8205", "-1/3"), ("1.5", "1000")]
        .map(|(sigma, center)| {
            DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
        })
        .into();
    let mut verifiers: Vec<_> = laws.iter().map(|law| Verifier::new(law).unwrap()).collect();
    let call =
        |law: &DiscreteGaussian| (FixedPoint::new(law.center()).unwrap(), sampler.width(law.width().value()).unwrap());
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([29; 32])));
    for length in [1, 7, 256, 257, 3000, 60_000, 2_000_000] {
        let centers: Vec<_> = (0..length).map(|i| call(&laws[i % 3])).collect();
        let mut out = vec![0; length];
        sampler.round_batch(&centers, &mut bits, &mut out);
        for (i, verifier) in verifiers.iter_mut().enumerate() {
            verifier.push(&out.iter().copied().skip(i).step_by(3).collect::<Vec<_>>());
        }
    }
    for (law, verifier) in laws.iter().zip(verifiers) {
        let report = verifier.finish().unwrap();
        assert!(report.consistent, "{law}: {report:?}");
    }
}

/// A store: calls with three laws in turn, each by its own centre and its own width.
fn judge_store<R, W: Copy>(
    rounder: R,
    laws: [(&str, &str); 3],
    width: impl Fn(Rational) -> W,
    round: impl Fn(&mut ProposalStore<R, BitReader<ChaCha20>>, FixedPoint, W) -> i64,
) {
    let laws = laws.map(|(sigma, center)| {
        DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
    });
    let calls = laws.map(|law| (FixedPoint::new(law.center()).unwrap(), width(law.width().value())));
    let mut verifiers = laws.map(|law| Verifier::new(&law).unwrap());
    let mut store = ProposalStore::new(rounder, BitReader::new(ChaCha20::new(&Seed::from_bytes([31; 32]))));
    for _ in 0..30 {
        let mut out = [const { Vec::new() }; 3];
        for i in 0..3 << 15 {
            let (center, width) = calls[i % 3];
            out[i % 3].push(round(&mut store, center, width));
        }
        verifiers.iter_mut().zip(&out).for_each(|(verifier, out)| verifier.push(out));
    }
    assert_eq!(store.bits().fault(), None);
    for (law, verifier) in laws.iter().zip(verifiers) {
        let report = verifier.finish().unwrap();
        assert!(report.consistent, "{law}: {report:?}");
    }
}

#[test]
fn stores_are_consistent() {
    let falcon = SamplerZ::FALCON_512;
    let laws = [("1.2784", "0.999"), ("1.8205", "-1/3"), ("1.5", "1000")];
    judge_store(falcon, laws, |sigma| falcon.width(sigma).unwrap(), |store, c, w| store.round(c, w));
    for (ends, laws) in [
        (["1.2778336969128337", "1.8205"], laws),
        (["1", "2"], [("1", "1/2"), ("2", "-1/3"), ("1.5", "123456789.01")]),
        (["150", "300"], [("150", "0.999"), ("215", "-1/3"), ("300", "5/7")]),
    ] {
        let [min, max] = ends.map(|sigma| sigma.parse().unwrap());
        let strips = StripRounder::new(min, max).unwrap();
        judge_store(strips, laws, |sigma| strips.width(sigma).unwrap(), |store, c, w| store.round(c, w));
    }
}

/// Neighbouring samples of a store are independent: a proposal that two calls shared would tie them. Two calls with the same centre and width
/// agree as often as two independent samples.
#[test]
fn proposals_are_used_once() {
    let call = (FixedPoint::from_f64(0.25).unwrap(), SamplerZ::FALCON_512.width("1.4".parse().unwrap()).unwrap());
    let mut store =
        ProposalStore::new(SamplerZ::FALCON_512, BitReader::new(ChaCha20::new(&Seed::from_bytes([37; 32]))));
    let out: Vec<i64> = (0..1_000_000).map(|_| store.round(call.0, call.1)).collect();
    let mass = |z: i64| (-(z as f64 - 0.25).powi(2) / (2.0 * 1.4 * 1.4)).exp();
    let total: f64 = (-40..=40).map(mass).sum();
    let agree: f64 = (-40..=40).map(|z| (mass(z) / total).powi(2)).sum();
    for distance in [1, 2, 3, 73, 74, 128] {
        let count = out.iter().zip(&out[distance..]).filter(|(a, b)| a == b).count() as f64;
        let pairs = (out.len() - distance) as f64;
        // Six standard deviations: an error probability below 1e-6 for the six distances.
        let sigma = (pairs * agree * (1.0 - agree)).sqrt();
        assert!((count - pairs * agree).abs() < 6.0 * sigma, "{distance}: {count} of {}", pairs * agree);
    }
}

/// Answers to come, whatever is asked for, as long as there are some.
struct Answers(Vec<u64>);

impl BitSource for Answers {
    fn bits(&mut self, n: u32) -> u64 {
        let answer = self.0.remove(0);
        assert!(n == 64 || answer >> n == 0, "{n} bits asked for, {answer:x} to come");
        answer
    }
}

/// Draws that are the probability, one less and one more, to the last bit: below is accepted.
#[test]
fn the_last_bit_of_a_comparison_decides() {
    let center = FixedPoint::from_parts(10, 1 << 62).unwrap();
    let sampler = SamplerZ::FALCON_512;
    let width = sampler.width("1.7".parse().unwrap()).unwrap();
    for b in [0, 1] {
        let (high, rest) = (1 << 56, b << 8);
        let (z, threshold) = SamplerZ::trial(width, center.fraction(), [high, rest]);
        for (goal, accepted) in [(threshold - 1, true), (threshold, false), (threshold + 1, false)] {
            let bytes = (0..8).map(|i| goal >> (56 - 8 * i) & 0xff);
            let mut answers: Vec<u64> = [u64::swap_bytes(high), rest].into_iter().chain(bytes).collect();
            if !accepted {
                answers.extend([u64::MAX, 0xff, 0]);
            }
            let mut bits = Answers(answers);
            assert_eq!(sampler.round((center, width), &mut bits), 10 + if accepted { z } else { 0 });
            assert!(bits.0.is_empty());

            // In a batch the leading 55 bits stand in the second word, the others come after the pass.
            let mut answers = vec![high, goal >> 9 << 9 | rest, goal & 0x1ff];
            if !accepted {
                answers.extend([u64::MAX, 0xff]);
            }
            let (mut bits, mut out) = (Answers(answers), [0]);
            sampler.round_batch(&[(center, width)], &mut bits, &mut out);
            assert_eq!(out[0], 10 + if accepted { z } else { 0 });
            assert!(bits.0.is_empty());
        }
    }
}

/// The first integers of a seed: the stream is part of the library.
#[test]
fn streams() {
    let sampler = SamplerZ::FALCON_512;
    let call = (FixedPoint::from_f64(0.5).unwrap(), sampler.width("1.5".parse().unwrap()).unwrap());
    let mut batch = [0; 8];
    sampler.round_batch(&[call; 8], &mut BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32]))), &mut batch);
    assert_eq!(batch, [0, 0, 0, 2, 1, 0, 1, 1]);
    let mut store = ProposalStore::new(sampler, BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32]))));
    let stored: [i64; 16] = core::array::from_fn(|_| store.round(call.0, call.1));
    assert_eq!(stored, [1, 1, 1, 0, 0, -1, 0, 1, 2, 2, 1, 1, 2, -1, 0, 1]);
    let strips = [["1", "2"], ["150", "300"]].map(|sigmas| {
        let [min, max] = sigmas.map(|sigma| sigma.parse().unwrap());
        let strips = StripRounder::new(min, max).unwrap();
        let mut store = ProposalStore::new(strips, BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32]))));
        let width = strips.width(min).unwrap();
        core::array::from_fn(|_| store.round(call.0, width))
    });
    assert_eq!(strips, [[0, 1, 0, 1, 1, 1, 0, 1], [-122, 119, -60, 87, 22, 110, 55, 96]]);
}
