//! `Isochronous`: the exact law of the shipped integers, wrong variants of it, one stream on every backend, and
//! statistics at full width. That a fill's trials have the law of single ones is a unit test.

use crate::common::one_word::{Model, Records, Strips, certificate, one_trial, place, weights, within};
use crate::common::{law, rejecting, verify};
use samplez_core::arch::Backend;
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::Isochronous;
use samplez_core::testing::Counted;
use samplez_core::{DiscreteGaussian, Exactness, FixedPoint, Int, Rational, Sampler, Timing, Width};
use samplez_sources::{ChaCha20, Seed};

fn reader(seed: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])))
}

fn sampler(sigma: &str, center: &str) -> Isochronous {
    Isochronous::new(&law(sigma, center)).unwrap()
}

/// Where in a record b is, and how many bits v has.
fn layout(sampler: &Isochronous) -> (u32, u32) {
    let (k, _, low) = sampler.shape();
    let b = if low == 0 { k } else { 0 };
    (b, 63 - b)
}

/// The record of this trial: its word, and what follows.
fn record(sampler: &Isochronous, v: u64, upper: bool, u: u64) -> (u64, u64) {
    let (k, _, low) = sampler.shape();
    let (b, n) = layout(sampler);
    assert!(v >> n == 0 && u >> k == 0);
    let word = v << (b + 1) | u64::from(upper) << b;
    if low == 0 { (word | u, 0) } else { (word, u) }
}

fn trial(sampler: &Isochronous, v: u64, upper: bool, u: u64) -> (i64, u64, u64, u64) {
    let (word, low) = record(sampler, v, upper, u);
    sampler.trial(word, low)
}

fn strips(sampler: &Isochronous) -> Strips {
    let (k, ..) = sampler.shape();
    let (_, n) = layout(sampler);
    let strip = |h: u64| {
        let (z, rest, ..) = trial(sampler, h << (n - 16), false, 0);
        let (same, last, ..) = trial(sampler, ((h + 1) << (n - 16)) - 1, false, 0);
        assert!(same == z && last == rest + (1 << (n - 16)) - 1, "the other bits of v follow");
        (z.unsigned_abs() >> k, rest >> (n - 16))
    };
    (0..1 << 16).map(strip).collect()
}

fn model<'a>(sampler: &'a Isochronous, strips: &[(u64, u64)]) -> Model<'a> {
    let (k, count, _) = sampler.shape();
    let (_, n) = layout(sampler);
    let weights = weights(strips);
    let numerator = move |x: u64, upper: bool| {
        let v = weights[(x >> k) as usize].1 << (n - 16);
        let (z, _, goal, next) = trial(sampler, v, upper, x & ((1 << k) - 1));
        assert_eq!(z, place(x, upper));
        u128::from(goal) << 64 | u128::from(next)
    };
    Model { strips: strips.to_vec(), place, numerator: Box::new(numerator), shape: (k, count, n) }
}

/// The law of the shipped integers is within the declared bound of D_{Z,σ,f}, by certificate; no weight is below what
/// the values of its strip are to have; and the number of trials is as declared.
fn certified(width: Width, centers: &[&str]) {
    let law = |center: &str| DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
    let strips = strips(&Isochronous::new(&law("0")).unwrap());
    for center in centers {
        let target = law(center);
        let sampler = Isochronous::new(&target).unwrap();
        let model = model(&sampler, &strips);
        let masses = one_trial(&model);
        let (k, count, _) = sampler.shape();
        for (x, upper) in (0..count << k).flat_map(|x| [(x, false), (x, true)]) {
            assert_eq!(masses[&place(x, upper)], (model.numerator)(x, upper), "{target}: {x} has more");
        }
        let bound = certificate(&masses, &target);
        assert!(within(&bound, &Isochronous::BOUND), "{target}: {bound:?}");
        let total: f64 = masses.values().map(|mass| *mass as f64).sum();
        let accepted = total / 2f64.powi((layout(&sampler).1 + k + 65) as i32);
        let declared = sampler.profile().expected_trials;
        assert!((declared * accepted - 1.0).abs() < 1e-7, "{target}: {declared}, {}", 1.0 / accepted);
    }
}

#[test]
fn exact_law() {
    for sigma in
        ["1", "1.0001", "1.3", "1.99", "2", "3.2", "3.4", "3.4001", "7/3", "17.99", "19.5", "54.5", "215", "217.7"]
    {
        let centers = ["0", "1/3", "1/2", "7/8", "1/1048576", "1048575/1048576"];
        certified(Width::Sigma(sigma.parse().unwrap()), &centers);
    }
}

#[test]
fn exact_law_of_every_form() {
    type Form = fn(Rational) -> Width;
    let forms: [(Form, &[&str]); 3] = [
        // σ = 5.5 is the last.
        (Width::SigmaSq, &["9223372036854775807/9223372036854775806", "2", "11.57", "380.3", "46000", "121/4"]),
        (Width::KSigma2, &["8923908350191153799/7579269905589636629", "2", "10/3", "23", "254"]),
        (Width::S, &["2267323898045546789/904531366294955884", "8.35", "8.523", "48.6", "540"]),
    ];
    for (form, texts) in forms {
        texts.iter().for_each(|text| certified(form(text.parse().unwrap()), &["0", "1/3", "1/2", "1048575/1048576"]));
    }
}

/// Wrong variants are caught by the same certificate; without the 64 bits more the law is farther by R_a alone.
#[test]
fn wrong_variants_are_caught() {
    let (sigma, center) = ("31.4", "1/4");
    let sampler = sampler(sigma, center);
    let strips = strips(&sampler);
    let (k, _, _) = sampler.shape();
    let low = weights(&strips);
    let caught = |wrong: Model<'_>, least: f64, what: &str| {
        let bound = certificate(&one_trial(&wrong), &law(sigma, center));
        assert!(bound.log2_renyi[0].1 > least && !within(&bound, &Isochronous::BOUND), "{what}: {bound:?}");
    };
    let shipped = || model(&sampler, &strips);
    let numerator = shipped().numerator;
    let changed = |change: &dyn Fn(&mut Strips)| {
        let mut model = shipped();
        change(&mut model.strips);
        model
    };
    let shape = shipped().shape;
    fn of<'a>(strips: &[(u64, u64)], shape: (u32, u64, u32), numerator: impl Fn(u64, bool) -> u128 + 'a) -> Model<'a> {
        Model { strips: strips.to_vec(), place, numerator: Box::new(numerator), shape }
    }

    // Step 1. T_2 is the lower end of strip 2.
    let end = low[2].1 as usize;
    caught(changed(&|strips| strips[end].0 = 3), -60.0, "T_2 one more for the strip alone");
    caught(changed(&|strips| strips[end] = (3, low[3].0)), -60.0, "T_2 one more: the weight is too small");
    caught(
        changed(&|strips| strips.iter_mut().for_each(|strip| strip.1 += u64::from(strip.0 == 4))),
        -60.0,
        "a lower end",
    );
    let unshifted = |strips: &mut Strips| {
        let ends = strips.iter_mut().zip(0..).filter(|((z0, _), _)| low[*z0 as usize].0 == 1);
        ends.for_each(|((_, rest), h)| *rest = h);
    };
    caught(changed(&unshifted), -80.0, "the lower ends of the strips of weight 1");
    let neighbours = |strips: &mut Strips| {
        let wrong = strips.iter_mut().zip(0..).filter(|((z0, _), _)| *z0 == 5);
        wrong.for_each(|((_, rest), h)| *rest = h - low[6].1);
    };
    caught(changed(&neighbours), -60.0, "the lower end of the strip beyond");
    // Step 3.
    let mut twice = shipped();
    twice.place = |x, upper| if upper { x as i64 } else { -(x as i64) };
    caught(twice, -60.0, "z = ±x: zero twice");
    // Step 4.
    caught(of(&strips, shape, |x, upper| numerator(x, !upper)), -60.0, "the distance of the other side");
    caught(of(&strips, shape, |x, upper| numerator(x >> k << k, upper)), -60.0, "E without its part in u");
    caught(of(&strips, shape, |x, upper| numerator(x, upper) >> 64 << 64), -90.0, "no bits beyond the first");
    let other = Isochronous::new(&law("31.40000000001", center)).unwrap();
    caught(model(&other, &strips), -90.0, "another sigma");
    // σ is smaller by 2^-42 of it.
    let other = DiscreteGaussian::new(center.parse().unwrap(), Width::S("78.7081278234".parse().unwrap())).unwrap();
    caught(model(&Isochronous::new(&other).unwrap(), &strips), -90.0, "another s");
}

/// Steps 1 to 5 from the bits: the strip by the weights, the rest with 128-bit integers, and nothing of the trial but E's
/// exponential.
fn by_the_steps(sampler: &Isochronous, weights: &[(u64, u64)], floor: i64, bits: &mut BitReader<ChaCha20>) -> i64 {
    let (k, _, low) = sampler.shape();
    let n = layout(sampler).1;
    loop {
        let (mut u, mut upper) = (0, false);
        if low == 0 {
            u = if k > 0 { bits.bits(k) } else { 0 };
        }
        upper |= bits.bit();
        let v = bits.bits(n);
        if low > 0 {
            u = bits.bits(k.next_multiple_of(16)) % (1 << k);
        }
        let (z0, lower) =
            (0..).zip(weights).map(|(z0, (_, lower))| (z0, lower << (n - 16))).find(|(_, end)| v >= *end).unwrap();
        let (_, _, goal, next) = trial(sampler, lower, upper, u);
        let rest = v - lower;
        let is_close = rest.abs_diff(goal) <= (goal >> 52) + 1;
        if if is_close { (rest, bits.bits(64)) < (goal, next) } else { rest < goal } {
            return floor + place(z0 << k | u, upper);
        }
    }
}

/// Single samples against the steps, and fills in whole batches on every backend against the portable one.
fn agrees<T: Int + PartialEq + core::fmt::Debug>(sigma: &str, center: &str, count: usize) {
    let sampler = sampler(sigma, center);
    let floor = FixedPoint::new(center.parse().unwrap()).unwrap().floor();
    let weights = weights(&strips(&sampler));
    let (mut steps, mut single) = (reader(3), reader(3));
    for _ in 0..count {
        assert_eq!(sampler.sample(&mut single), by_the_steps(&sampler, &weights, floor, &mut steps), "{sigma}");
    }
    assert_eq!(single.bits(64), steps.bits(64), "{sigma}, {center}: single samples");
    for length in [count, 15, 16, 17, 63, 64, 65, 2047, 2048, 2049] {
        let (mut want, mut portable) = (vec![T::ZERO; length], reader(3));
        sampler.fill_by(Backend::Scalar, &mut portable, &mut want).unwrap();
        let rest = portable.bits(64);
        for backend in Backend::available() {
            for pieces in [length, Isochronous::BATCH] {
                let (mut filled, mut source) = (vec![T::ZERO; length], reader(3));
                filled.chunks_mut(pieces).for_each(|part| sampler.fill_by(backend, &mut source, part).unwrap());
                assert!(filled == want, "{sigma}, {center}, {backend}: {length} in pieces of {pieces}");
                assert_eq!(source.bits(64), rest, "{sigma}, {backend}: the bits used");
            }
        }
    }
}

#[test]
fn all_backends_have_one_stream() {
    agrees::<i8>("1", "0", 2000);
    agrees::<i8>("2", "1/2", 2000);
    agrees::<i16>("3.2", "-7/3", 2000);
    agrees::<i16>("19.5", "0", 3001);
    agrees::<i16>("215", "1/3", 5003);
    agrees::<i8>("5", "0", 1000);
    agrees::<i16>("217.7", "-1/8", 2000);
    agrees::<i64>("1000", "123456789012345.6", 2000);
    agrees::<i32>("1.6e5", "-1000000/7", 2000);
    agrees::<i32>("222823", "1/2", 2000);
    agrees::<i64>("67108863.5", "-4611686018427387904", 2000);
    agrees::<i32>("67108864", "0", 2000);
}

/// Appends a record of this sampler.
fn push_record(records: &mut Records, sampler: &Isochronous, v: u64, upper: bool, u: u64) {
    let (k, _, at) = sampler.shape();
    let (word, low) = record(sampler, v, upper, u);
    records.push(word, 64);
    records.push(low, if at == 0 { 0 } else { k.next_multiple_of(16) });
}

/// A v is rejected from the probability on: where it is close, by 64 bits more, which come between two records.
#[test]
fn the_last_bit_decides() {
    for sigma in ["1.5", "7.3", "19.5", "215", "1000", "3e5"] {
        let sampler = sampler(sigma, "1/3");
        let (k, ..) = sampler.shape();
        let n = layout(&sampler).1;
        let weights = weights(&strips(&sampler));
        let mut compared = 0;
        for (before, after) in [(0, 0), (0, 2), (3, 40), (31, 0), (32, 700), (511, 600), (530, 1)] {
            for (z0, upper) in [(0, true), (1, false), (1, true), (3, false)] {
                let lower = weights[z0 as usize].1 << (n - 16);
                let (_, _, goal, next) = trial(&sampler, lower, upper, 0);
                if next == 0 {
                    continue; // equal is rejected, then
                }
                compared += 1;
                let (mut records, mut want) = (Records(Vec::new(), 0), Vec::new());
                // Strip 0 at its lower end is accepted, whatever u and b are.
                let sure = |records: &mut Records, want: &mut Vec<i64>, i: u64| {
                    let (upper, u) = (i.is_multiple_of(3), i % (1 << k));
                    push_record(records, &sampler, weights[0].1 << (n - 16), upper, u);
                    want.push(place(u, upper));
                };
                (0..before).for_each(|i| sure(&mut records, &mut want, i));
                let margin = (goal >> 52) + 1;
                push_record(&mut records, &sampler, lower + goal - margin - 1, upper, 0);
                push_record(&mut records, &sampler, lower + goal, upper, 0);
                records.push(next, 64);
                push_record(&mut records, &sampler, lower + goal + margin + 1, upper, 0);
                push_record(&mut records, &sampler, lower + goal, upper, 0);
                records.push(next - 1, 64);
                want.extend([place(z0 << k, upper); 2]);
                (before..before + after).for_each(|i| sure(&mut records, &mut want, i));
                let stream = records.0;
                let mut records = Records(stream.clone(), 0);
                let single: Vec<i64> = want.iter().map(|_| sampler.sample(&mut records)).collect();
                assert!(single == want && records.1 == stream.len(), "{sigma}, {z0}, {upper}");
            }
        }
        assert!(compared >= 14, "{sigma}");
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
    assert_eq!(error.dtype, "i8");
    assert!(narrow[..first].iter().zip(&wide).all(|(x, y)| i16::from(*x) == *y));
}

#[test]
fn declarations() {
    assert_eq!(Isochronous::TIMING, Timing::Isochronous);
    for sigma in ["1", "2.5", "19.5", "215", "1234.5"] {
        let sampler = sampler(sigma, "1/3");
        let profile = sampler.profile();
        assert_eq!(profile.exactness, Exactness::Within(Isochronous::BOUND));
        let mut bits = Counted::new(reader(7));
        let mut out = vec![0_i64; 400_000];
        sampler.fill(&mut bits, &mut out).unwrap();
        let measured = bits.count() as f64 / out.len() as f64;
        assert!((measured / profile.expected_bits - 1.0).abs() < 0.03, "{sigma}: {measured}, {profile:?}");
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
        let record = 64;
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
    for width in
        [Width::SigmaSq("1000".parse().unwrap()), Width::KSigma2(254.into()), Width::S("8.35".parse().unwrap())]
    {
        let law = DiscreteGaussian::new("1/3".parse().unwrap(), width).unwrap();
        let mut samples = vec![0_i64; 1_000_000];
        Isochronous::new(&law).unwrap().fill(&mut reader(11), &mut samples).unwrap();
        let report = verify(&law, &samples);
        assert!(report.consistent, "{law}: {:?}", rejecting(&report));
    }
}
