//! `Isochronous`: the exact law of the shipped integers, wrong variants of it, one stream for
//! single samples and fills on every backend, and statistics at full width.

mod common;
use common::{law, rejecting, verify};
use samplez_core::arch::Backend;
use samplez_core::bits::{BitReader, BitSource, Counted};
use samplez_core::params::FixedPoint;
use samplez_core::profile::{Exactness, Timing};
use samplez_core::sampler::{Int, Sampler};
use samplez_core::samplers::isochronous::{BOUND, Isochronous};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::Law;
use std::collections::BTreeMap;

fn reader(seed: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])))
}

fn sampler(sigma: &str, center: &str) -> Isochronous {
    Isochronous::new(&law(sigma, center)).unwrap()
}

/// The mass of each z in one trial, as steps 1 to 4 say, over all (z0, u, b); `place` is step 3
/// and `accept` step 4's probability.
fn one_trial(
    sampler: &Isochronous,
    place: impl Fn(u64, bool) -> i64,
    accept: impl Fn(u64, u64, bool) -> f64,
) -> BTreeMap<i64, f64> {
    let (multiplier, uniform_bits, reject) = sampler.uniform();
    let kept = 1.0 - reject as f64 / 2f64.powi(uniform_bits as i32);
    let mut masses = BTreeMap::new();
    for z0 in 0..20 {
        let weight = Isochronous::base_weight(z0) as f64 / 2f64.powi(72);
        let z0 = z0 as u64;
        for u in 0..multiplier {
            for upper in [false, true] {
                let mass = weight * kept / (2 * multiplier) as f64 * accept(z0, u, upper);
                *masses.entry(place(multiplier * z0 + u, upper)).or_insert(0.0) += mass;
            }
        }
    }
    masses
}

fn place(x: u64, upper: bool) -> i64 {
    if upper { x as i64 + 1 } else { -(x as i64) }
}

fn probability(sampler: &Isochronous) -> impl Fn(u64, u64, bool) -> f64 {
    |z0, u, upper| {
        let (threshold, bits) = sampler.acceptance(z0, u, upper);
        threshold as f64 / 2f64.powi(bits as i32)
    }
}

/// log2 of the statistical distance, and of the largest |Q/P - 1| where P >= 2^-20.
fn distances(masses: &BTreeMap<i64, f64>, sigma: &str, fraction: &str) -> (f64, f64) {
    let target = Law::new(&law(sigma, fraction));
    let total: f64 = masses.values().sum();
    let (mut distance, mut worst) = (0.0, 0.0_f64);
    for z in target.tail_range(-60.0).unwrap() {
        let (p, q) = (target.pmf(z), masses.get(&z).copied().unwrap_or(0.0) / total);
        distance += (p - q).abs() / 2.0;
        worst = worst.max(if p.log2() > -20.0 { (q / p - 1.0).abs() } else { 0.0 });
    }
    (distance.log2(), worst.log2())
}

/// The law is D_{Z,σ,f}, as well as doubles can tell, and the number of trials is as declared.
#[test]
fn exact_law() {
    for sigma in ["1", "1.3", "1.99", "2", "2.01", "3", "3.2", "4.0001", "7/3", "17.99", "18.01", "19.5", "215", "1000"]
    {
        for center in ["0", "1/3", "1/2", "7/8", "1/1048576", "1048575/1048576"] {
            let sampler = sampler(sigma, center);
            let masses = one_trial(&sampler, place, probability(&sampler));
            let (distance, worst) = distances(&masses, sigma, center);
            assert!(distance < BOUND.log2_sd && worst < -44.5, "{sigma}, {center}: 2^{distance:.1}, 2^{worst:.1}");
            let total: f64 = masses.values().sum();
            let declared = sampler.profile().expected_trials;
            assert!((declared * total - 1.0).abs() < 1e-7, "{sigma}: {declared}, {}", 1.0 / total);
        }
    }
}

/// Wrong variants are caught by the same comparison.
#[test]
fn wrong_variants_are_caught() {
    let (sigma, center) = ("31.4", "1/4");
    let sampler = sampler(sigma, center);
    let accept = probability(&sampler);
    let caught = |masses: BTreeMap<i64, f64>, what: &str| {
        let (distance, worst) = distances(&masses, sigma, center);
        assert!(distance > -35.0 && worst > -35.0, "{what}: 2^{distance:.1}, 2^{worst:.1}");
    };
    let unshifted = |x, upper| if upper { x as i64 } else { -(x as i64) };
    caught(one_trial(&sampler, unshifted, &accept), "z = ±x: zero twice");
    caught(one_trial(&sampler, place, |z0, u, upper| accept(z0, u, !upper)), "the distance of the other side");
    caught(one_trial(&sampler, place, |_, u, upper| accept(0, u, upper)), "E without its parts in z0");
    caught(one_trial(&sampler, place, |z0, _, upper| accept(z0, 0, upper)), "E without its part in u");
    let coarse = |z0, u, upper| (accept(z0, u, upper) * 2f64.powi(30)).floor() / 2f64.powi(30);
    caught(one_trial(&sampler, place, coarse), "a comparison of 30 bits");
    let other = Isochronous::new(&law("31.40000001", center)).unwrap();
    caught(one_trial(&sampler, place, probability(&other)), "another sigma");
}

/// Steps 1 to 5 from the bits, with 128-bit integers and nothing of the trial but E's exponential.
fn by_the_steps(sampler: &Isochronous, floor: i64, bits: &mut BitReader<ChaCha20>) -> i64 {
    let (multiplier, uniform_bits, reject) = sampler.uniform();
    let draw_bits = sampler.acceptance(0, 0, false).1;
    loop {
        let v = u128::from(bits.bits(64)) << 8;
        let v = v | u128::from(bits.bits(8));
        let upper = bits.bit();
        let w = if uniform_bits > 0 { u128::from(bits.bits(uniform_bits)) } else { 0 };
        let draw = bits.bits(draw_bits);
        // v falls into the weights of 24, 23, …, 0, one above the other.
        let mut top = 0;
        let z0 = (0..25).rev().find(|z0| {
            top += Isochronous::base_weight(*z0);
            v < top
        });
        let z0 = z0.unwrap() as u64;
        let product = w * u128::from(multiplier);
        let (u, rest) = ((product >> uniform_bits) as u64, product % (1 << uniform_bits));
        if rest >= reject.into() && draw < sampler.acceptance(z0, u, upper).0 {
            return floor + place(multiplier * z0 + u, upper);
        }
    }
}

fn agrees<T: Int + PartialEq + core::fmt::Debug>(sigma: &str, center: &str, count: usize) {
    let sampler = sampler(sigma, center);
    let floor = FixedPoint::new(center.parse().unwrap()).unwrap().floor();
    let mut steps = reader(3);
    let want: Vec<T> = (0..count).map(|_| T::narrow(by_the_steps(&sampler, floor, &mut steps)).unwrap()).collect();
    let rest = steps.bits(64);
    let mut single = reader(3);
    let samples: Vec<T> = (0..count).map(|_| T::narrow(sampler.sample(&mut single)).unwrap()).collect();
    assert!(samples == want && single.bits(64) == rest, "{sigma}, {center}: single samples");
    for backend in Backend::available() {
        for pieces in [count, 700, 256, 3, 1] {
            let (mut filled, mut source) = (vec![T::ZERO; count], reader(3));
            filled.chunks_mut(pieces).for_each(|part| sampler.fill_by(backend, &mut source, part).unwrap());
            assert!(filled == want, "{sigma}, {center}, {backend}, {pieces} at a time");
            assert_eq!(source.bits(64), rest, "{sigma}, {backend}: the bits used");
        }
    }
}

#[test]
fn all_backends_and_single_samples_are_one_stream() {
    agrees::<i8>("1", "0", 2000);
    agrees::<i8>("2", "1/2", 2000);
    agrees::<i16>("3.2", "-7/3", 2000);
    agrees::<i16>("19.5", "0", 3001);
    agrees::<i16>("215", "1/3", 5003);
    agrees::<i8>("5", "0", 1000);
    agrees::<i64>("1000", "123456789012345.6", 2000);
    agrees::<i32>("1.6e5", "-1000000/7", 2000);
    agrees::<i64>("67108863.5", "-4611686018427387904", 2000);
    agrees::<i32>("67108864", "0", 2000);
}

/// A stream of whole records, each at its place.
struct Records(Vec<bool>, usize);

impl BitSource for Records {
    fn bits(&mut self, n: u32) -> u64 {
        let bits = &self.0[self.1..self.1 + n as usize];
        self.1 += n as usize;
        bits.iter().rev().fold(0, |value, bit| value << 1 | u64::from(*bit))
    }
}

/// A draw that is the probability is rejected, one less is accepted; v at a threshold counts it not.
#[test]
fn the_last_bit_of_a_record_decides() {
    for sigma in ["1.5", "7.3", "19.5", "1000"] {
        let sampler = sampler(sigma, "1/3");
        let (multiplier, uniform_bits, _) = sampler.uniform();
        // Where no w is rejected: l = 2^n - 1 or so.
        let w = ((1_u64 << uniform_bits) - 1) / multiplier;
        for (z0, upper) in [(0, true), (1, false), (1, true), (2, false)] {
            let (goal, draw_bits) = sampler.acceptance(z0, 0, upper);
            let first: u128 = (z0 as usize + 1..20).map(Isochronous::base_weight).sum();
            let mut stream = Vec::new();
            let mut push = |value: u128, n: u32| stream.extend((0..n).map(|i| value >> i & 1 != 0));
            // The least v of this z0 with both draws, then z0 = u = 0 below the centre, accepted.
            for (v, upper, draw) in [(first, upper, goal), (first, upper, goal - 1), ((1 << 72) - 1, false, 0)] {
                push(v >> 8, 64);
                push(v & 0xff, 8);
                push(u128::from(upper), 1);
                push(w.into(), uniform_bits);
                push(draw.into(), draw_bits);
            }
            let want = [place(multiplier * z0, upper), 0];
            let mut records = Records(stream.clone(), 0);
            assert_eq!([0; 2].map(|_| sampler.sample(&mut records)), want, "{sigma}, {z0}, {upper}");
            for backend in Backend::available() {
                let (mut out, mut records) = ([0_i64; 2], Records(stream.clone(), 0));
                sampler.fill_by(backend, &mut records, &mut out).unwrap();
                assert_eq!((out, records.1), (want, stream.len()), "{sigma}, {z0}, {upper}, {backend}");
            }
        }
    }
}

#[test]
fn a_sample_that_does_not_fit_is_an_error() {
    let sampler = sampler("215", "0");
    let mut wide = vec![0_i16; 1000];
    sampler.fill(&mut reader(5), &mut wide).unwrap();
    let first = wide.iter().position(|x| i8::try_from(*x).is_err()).unwrap();
    let mut narrow = vec![0_i8; 1000];
    let error = sampler.fill(&mut reader(5), &mut narrow).unwrap_err();
    assert_eq!((error.value, error.dtype), (wide[first].into(), "i8"));
    assert!(narrow[..first].iter().zip(&wide).all(|(x, y)| i16::from(*x) == *y));
}

#[test]
fn declarations() {
    assert_eq!(Isochronous::TIMING, Timing::Isochronous);
    for sigma in ["1", "2.5", "19.5", "215", "1234.5"] {
        let sampler = sampler(sigma, "1/3");
        let profile = sampler.profile();
        assert_eq!(profile.exactness, Exactness::Within(BOUND));
        let mut bits = Counted::new(reader(7));
        let mut out = vec![0_i64; 400_000];
        sampler.fill(&mut bits, &mut out).unwrap();
        let measured = bits.count() as f64 / out.len() as f64;
        assert!((measured / profile.expected_bits - 1.0).abs() < 0.01, "{sigma}: {measured}, {profile:?}");
        assert!(out.iter().all(|x| profile.support.contains(x)));
    }
}

/// How many trials there were tells nothing of the sample: of the same law are those from one
/// trial and those from more.
#[test]
fn trials_tell_nothing() {
    for sigma in ["2.01", "215"] {
        let sampler = sampler(sigma, "1/3");
        let (mut first, mut later) = (Vec::new(), Vec::new());
        let mut bits = Counted::new(reader(9));
        let mut before = 0;
        let record = (sampler.profile().expected_bits / sampler.profile().expected_trials).round() as u64;
        for _ in 0..1_000_000 {
            let x = sampler.sample(&mut bits);
            if bits.count() - before == record {
                first.push(x)
            } else {
                later.push(x)
            }
            before = bits.count();
        }
        assert!(first.len() > 300_000 && later.len() > 100_000, "{sigma}: {}, {}", first.len(), later.len());
        for samples in [first, later] {
            let report = verify(&law(sigma, "1/3"), &samples);
            assert!(report.consistent, "{sigma}: {:?}", rejecting(&report));
        }
    }
}

#[test]
fn statistics() {
    for (sigma, center) in [
        ("1", "1/2"),
        ("1.7", "-91.9"),
        ("3.2", "0"),
        ("19.5", "1/7"),
        ("215", "0"),
        ("1000", "1/3"),
        ("1.6e5", "-7/9"),
        ("67108864", "123456789.01"),
    ] {
        let mut samples = vec![0_i64; 2_000_000];
        sampler(sigma, center).fill(&mut reader(11), &mut samples).unwrap();
        let report = verify(&law(sigma, center), &samples);
        assert!(report.consistent, "{sigma}, {center}: {:?}", rejecting(&report));
    }
}
