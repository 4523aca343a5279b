//! Attempts against the definition in fractions, costs and tails against their sums.

use super::*;
use crate::bits::{BitReader, Fault};
use crate::fixtures::{Stuck, Tape};
use crate::sampler::{Int, RangeError};
use std::vec::Vec;

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn law(sigma: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(q(center), Width::Sigma(q(sigma))).unwrap()
}

fn variance(sigma_sq: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(q(center), Width::SigmaSq(q(sigma_sq))).unwrap()
}

/// σ² = A/B, c = a/d and t = p/q, in small numbers.
struct Plain {
    sampler: Rejection,
    sigma_sq: (i128, i128),
    center: (i128, i128),
    support: Vec<i64>,
}

impl Plain {
    fn new(law: DiscreteGaussian, tail: &str) -> Self {
        let fraction = |q: Rational| (i128::from(q.num()), i128::from(q.den()));
        let (num, den) = fraction(law.width().value());
        let (top, bottom) = if matches!(law.width(), Width::Sigma(_)) { (num * num, den * den) } else { (num, den) };
        let ((a, d), (p, q)) = (fraction(law.center()), fraction(q(tail)));
        // (x - a/d)² <= (p/q)² A/B
        let inside = |x: &i64| (i128::from(*x) * d - a).pow(2) * q * q * bottom <= p * p * top * d * d;
        let from = law.center().floor();
        let support = (from - 15_000..from + 15_000).filter(inside).collect();
        let sampler = Rejection::new(&law, Rational::new(p as i64, q as u64).unwrap()).unwrap();
        Plain { sampler, sigma_sq: (top, bottom), center: (a, d), support }
    }

    /// (x - c)²/σ² = 2γ, as a fraction.
    fn square(&self, x: i64) -> (u128, u128) {
        let ((top, bottom), (a, d)) = (self.sigma_sq, self.center);
        let distance = i128::from(x) * d - a;
        ((distance * distance * bottom) as u128, (d * d * top) as u128)
    }

    fn gamma(&self, x: i64) -> f64 {
        let (num, den) = self.square(x);
        num as f64 / den as f64 / 2.0
    }

    /// The distance from the centre.
    fn delta(&self, x: i64) -> f64 {
        (x as f64 - self.center.0 as f64 / self.center.1 as f64).abs()
    }

    fn attempt(&self, bits: &mut Tape) -> Option<i64> {
        let x = self.support[uniform_below(self.support.len() as u64, bits) as usize];
        let (num, den) = self.square(x);
        // e^-½: an even run of coins 1/2, 1/4, 1/6, …
        for _ in 0..num / den {
            let mut run = 0;
            while bernoulli(1, 2 * (run + 1), bits) {
                run += 1;
            }
            if run % 2 == 1 {
                return None;
            }
        }
        // An even run of coins g/1, g/2, …, g = γ - h/2: each is a coin 1/k and then a coin g.
        let mut even = true;
        for k in 1.. {
            if !bernoulli(1, k, bits) || !bernoulli(num % den, 2 * den, bits) {
                break;
            }
            even = !even;
        }
        even.then_some(x)
    }

    fn sample(&self, bits: &mut Tape) -> i64 {
        loop {
            if let Some(x) = self.attempt(bits) {
                return x;
            }
        }
    }
}

fn some() -> Vec<Plain> {
    [
        (law("3.2", "0"), "6"),
        (law("3.2", "1/3"), "13"),
        (law("5", "-2"), "1"),
        (law("2/3", "-7/5"), "9/2"),
        (law("0.3", "2/3"), "13"),
        (law("1/8", "5"), "64"),
        (law("0.13", "1/2"), "4"),
        (law("40", "22/7"), "5/2"),
        (variance("10.5", "100"), "3"),
        (variance("7/3", "-1/4"), "7/2"),
        (variance("1", "0"), "64"),
        (variance("9", "1000001/2"), "2"),
    ]
    .map(|(law, tail)| Plain::new(law, tail))
    .into()
}

#[test]
fn attempts_are_those_of_the_definition() {
    for plain in some() {
        for seed in 0..60 {
            let (mut a, mut b) = (Tape::before(&[], seed), Tape::before(&[], seed));
            let expected = plain.attempt(&mut b);
            assert_eq!((plain.sampler.attempt(&mut a), a.read), (expected, b.read), "{}", plain.sampler.target);
        }
        // Long runs of heads: zeros.
        for zeros in 1..60 {
            let mut a = Tape::before(&[(0, zeros)], zeros.into());
            let mut b = a.clone();
            let expected = plain.attempt(&mut b);
            assert_eq!((plain.sampler.attempt(&mut a), a.read), (expected, b.read), "{}", plain.sampler.target);
        }
        // Each proposal whose number is drawn by its bits, and then any.
        let count = plain.support.len() as u64;
        let width = (count - 1).checked_ilog2().map_or(1, |width| width + 1);
        for number in 0..count.min(60) {
            let reversed = (number << (64 - width)).reverse_bits();
            for head in [number, reversed] {
                let mut a = Tape::before(&[(head, width)], number);
                let mut b = a.clone();
                let expected = plain.attempt(&mut b);
                assert_eq!((plain.sampler.attempt(&mut a), a.read), (expected, b.read));
            }
        }
    }
}

#[test]
fn exponents_are_squares() {
    for plain in some() {
        let sampler = &plain.sampler;
        assert_eq!(sampler.profile().support, plain.support[0]..=*plain.support.last().unwrap());
        assert_eq!(sampler.proposals(), plain.support.len() as u64);
        for x in &plain.support {
            let (num, den) = plain.square(*x);
            let (whole, rest) = sampler.doubled_exponent(*x);
            assert_eq!((whole, rest * den), (num / den, num % den * sampler.bottom));
        }
        for x in plain.support[0] - 3..=plain.support[0] + 3 {
            let (delta, gamma) = sampler.place(x.into());
            assert!((delta - plain.delta(x)).abs() <= 1e-12 * delta);
            assert!((gamma - plain.gamma(x)).abs() <= 1e-12 * gamma);
        }
    }
    // At the ends of the budget.
    let wide = Rejection::new(&law("288230376151711744", "0"), q("4")).unwrap();
    assert_eq!(wide.profile().support, -(1 << 60)..=1 << 60);
    assert_eq!((wide.doubled_exponent(-(1 << 60)), wide.doubled_exponent(1 << 60)), ((16, 0), (16, 0)));
    // ((2^60 - 1)/2^58)² = 16 - 2^-55 + 2^-116
    let (whole, rest) = wide.doubled_exponent((1 << 60) - 1);
    assert_eq!((whole, wide.bottom - rest), (15, wide.bottom / (1 << 55) - wide.bottom / (1 << 116)));
}

/// Of all tapes, as many as the exponential says, but for those that end too early.
#[test]
fn the_coin_is_the_exponential() {
    let depth = 12;
    for (num, den) in [(0_u128, 7_u128), (1, 1), (1, 3), (9, 10)] {
        let (mut heads, mut undecided) = (0, 0);
        for tape in 0..1 << depth {
            let mut bits = Tape::before(&[(tape, depth)], 1);
            let head = exp_coin(num, den, &mut bits);
            if bits.read > depth as usize {
                undecided += 1;
            } else {
                heads += u32::from(head);
            }
        }
        let goal = (-(num as f64) / den as f64).exp() * f64::from(1 << depth);
        assert!(f64::from(heads) <= goal + 1e-6 && goal <= f64::from(heads + undecided) + 1e-6, "{num}/{den}");
        assert!(undecided < 300, "{num}/{den}: {undecided}");
    }
}

#[test]
fn samples_are_the_accepted_attempts() {
    for plain in some() {
        let (mut a, mut b) = (Tape::before(&[], 4), Tape::before(&[], 4));
        assert!((0..6).all(|_| plain.sampler.sample(&mut a) == plain.sample(&mut b)) && a.read == b.read);
    }
}

fn filled<T: Int>(plain: &Plain, len: usize) {
    let (mut a, mut b) = (Tape::before(&[], len as u64), Tape::before(&[], len as u64));
    let mut out = std::vec![T::ZERO; len];
    let result = plain.sampler.fill(&mut a, &mut out);
    let mut fits = Ok(());
    for slot in out {
        let value = plain.sample(&mut b);
        if T::narrow(value).is_none() {
            fits = Err(RangeError::of::<T>());
            break;
        }
        assert_eq!(slot.widen(), value);
    }
    assert_eq!((result, a.read), (fits, b.read));
}

#[test]
fn a_fill_is_samples_one_by_one() {
    for center in ["0", "126", "-32768", "4294967297/2"] {
        let plain = Plain::new(law("3", center), "5");
        for len in [0, 1, 2, 15] {
            filled::<i8>(&plain, len);
            filled::<i16>(&plain, len);
            filled::<i32>(&plain, len);
            filled::<i64>(&plain, len);
        }
    }
}

/// Expected bits of an even run: its coin k is reached with probability g^(k-1)/(k-1)!, and costs `each`(k).
fn run(g: f64, each: fn(f64) -> f64) -> f64 {
    let (mut bits, mut reached) = (0.0, 1.0);
    for k in 1..25 {
        bits += reached * each(k.into());
        reached *= g / f64::from(k);
    }
    bits
}

/// Expected bits of the attempt at x, and the probability that it succeeds, by the sums over the coins.
fn cost(plain: &Plain, x: i64, half: f64) -> (f64, f64) {
    let (num, den) = plain.square(x);
    let g = (num % den) as f64 / den as f64 / 2.0;
    let (mut bits, mut alive) = (0.0, 1.0);
    for _ in 0..(num / den).min(200) {
        bits += alive * half;
        alive *= (-0.5_f64).exp();
    }
    // A coin of an open goal takes two bits; 1/k, which takes nothing for k = 1, and then g.
    let last = run(g, |k| if k > 1.0 { 2.0 + 2.0 / k } else { 2.0 });
    (bits + alive * last, alive * (-g).exp())
}

#[test]
fn declared_costs_are_the_sums_over_the_coins() {
    let mut all = some();
    // More proposals than are looked at: the middle one of each of 4096 parts.
    all.push(Plain::new(law("400", "1/3"), "13"));
    all.push(Plain::new(law("4000", "0"), "3/2"));
    all.push(Plain::new(law("2048", "1/2"), "1"));
    for plain in all {
        let count = plain.support.len();
        let looked: Vec<i64> = if count <= 4096 {
            plain.support.clone()
        } else {
            (0..4096).map(|part| plain.support[((part as f64 + 0.5) / 4096.0 * count as f64) as usize]).collect()
        };
        let half = run(0.5, |_| 2.0);
        let costs: Vec<_> = looked.iter().map(|x| cost(&plain, *x, half)).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| costs.iter().map(of).sum::<f64>() / costs.len() as f64;
        let (bits, accepted) = (uniform_bits(count as u64) + mean(|cost| cost.0), mean(|cost| cost.1));
        let profile = plain.sampler.profile();
        let target = *profile.target.gaussian().unwrap();
        assert!((profile.expected_trials * accepted - 1.0).abs() < 1e-10, "{target}: {}", profile.expected_trials);
        assert!((profile.expected_bits * accepted / bits - 1.0).abs() < 1e-10, "{target}: {}", profile.expected_bits);
        assert_eq!((profile.table_bytes, profile.timing, Rejection::TIMING), (0, Timing::Variable, Timing::Variable));
        assert_eq!((target.center().num(), target.width()), (plain.center.0 as i64, plain.sampler.target.width()));
    }
}

#[test]
fn the_logarithm_is_a_bound_from_above() {
    for (x, log2) in [(1.0, 0.0), (1.5, 0.5), (3.0, 1.5), (0.75, -0.5), (1e-3, -10.0 + 0.024), (1024.0, 10.0)] {
        assert!((log2_above(x) - log2 - 0.0861).abs() < 1e-12, "{x}");
    }
    for i in 0..5000 {
        let x = 1.004_f64.powi(i - 2500);
        assert!((0.0..0.0862).contains(&(log2_above(x) - x.log2())), "{x}");
    }
}

/// The tail's bound in the form of its comment, by the logarithm above.
fn tail(plain: &Plain) -> f64 {
    let outside = [plain.support[0] - 1, plain.support.last().unwrap() + 1];
    let exponent = outside.map(|x| plain.gamma(x)).into_iter().fold(f64::INFINITY, f64::min);
    let side = |x: i64| (exponent - plain.gamma(x)).exp() * (1.0 + plain.delta(x) / (2.0 * plain.gamma(x)));
    let mut mass: f64 = outside.map(side).iter().sum();
    let sigma = (plain.sigma_sq.0 as f64 / plain.sigma_sq.1 as f64).sqrt().floor();
    let mut nearest = 0.0;
    if sigma >= 1.0 {
        mass /= 2.5 * sigma;
    } else {
        let floor = plain.center.0.div_euclid(plain.center.1) as i64;
        nearest = plain.gamma(floor).min(plain.gamma(floor + 1));
    }
    let power = mass.log2().floor();
    let log2 = power + mass / power.exp2() - 1.0 + 0.0861;
    (log2 - (exponent - nearest) * core::f64::consts::LOG2_E * (1.0 - 1e-12) + 1e-3).min(0.0)
}

#[test]
fn the_tail_is_that_of_its_formula() {
    let mut all = some();
    for (sigma, center, tail) in [
        ("50", "1/7", "64"),
        ("0.999", "0", "64"),
        ("1/100000", "0", "1"),
        ("0.4", "4/5", "1"),
        ("0.4", "1/5", "1"),
        ("0.9", "2/5", "3"),
        ("300", "-5/3", "1/100"),
        ("20", "0", "2"),
        ("20", "1/2", "1"),
        ("7", "1/3", "4.5"),
    ] {
        all.push(Plain::new(law(sigma, center), tail));
    }
    let mut seen = [0; 3];
    for plain in all {
        let (tail, profile) = (tail(&plain), plain.sampler.profile());
        let Exactness::Within(bound) = profile.exactness else { panic!("not exact") };
        let allowed = 1e-10 + tail.abs() * 1e-13;
        assert!((bound.log2_tail - tail).abs() < allowed, "{}: {} {tail}", profile.target, bound.log2_tail);
        assert_eq!(bound.log2_sd, bound.log2_tail);
        let (kind, renyi) = match tail {
            _ if tail < -10.0 => (0, tail + 0.003),
            _ if tail < -1.0 => (1, tail + 1.0),
            _ => (2, f64::INFINITY),
        };
        seen[kind] += 1;
        assert!(bound.log2_rinf == renyi || (bound.log2_rinf - renyi).abs() < allowed);
        assert_eq!(bound.log2_renyi, [2, 256, 513].map(|order| (order, bound.log2_rinf)));
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// What is outside, summed, is below the bound and not far below, where the bound says anything.
#[test]
fn the_tail_is_bounded() {
    for (sigma, center, tail) in [("1", "0", "3"), ("3.2", "1/3", "5"), ("0.4", "4/5", "3"), ("20", "1/2", "4")] {
        let plain = Plain::new(law(sigma, center), tail);
        let rho = |x: i64| (-plain.gamma(x)).exp();
        let (all, inside): (f64, f64) = ((-400..400).map(rho).sum(), plain.support.iter().map(|x| rho(*x)).sum());
        let outside: f64 = (-400..400).filter(|x| !plain.support.contains(x)).map(rho).sum();
        assert!((outside + inside - all).abs() < 1e-12 * all);
        let log2_tail = plain.sampler.log2_tail();
        assert!((0.0..2.0).contains(&(log2_tail - (outside / all).log2())), "{sigma}: {log2_tail}");
    }
}

#[test]
fn widths_and_tails_that_are_not_rational_or_too_long_are_refused() {
    for width in [Width::S(q("8.35")), Width::KSigma2(q("10"))] {
        let law = DiscreteGaussian::new(Rational::ZERO, width).unwrap();
        let (argument, value) = (width.name(), width.value());
        let allowed = "a rational sigma or `sigma_squared` only";
        let error = ParamError::Unsupported { method: "rejection", argument, value, allowed };
        assert_eq!(Rejection::new(&law, q("13")).unwrap_err(), error);
    }
    for value in [q("0"), q("-3")] {
        let error = ParamError::NotPositive { argument: "tail", value };
        assert_eq!(Rejection::new(&law("3", "0"), value).unwrap_err(), error);
    }
    let refused = |law, tail| match Rejection::new(&law, q(tail)) {
        Ok(_) => None,
        Err(ParamError::Unsupported { method: "rejection", argument, value, allowed }) => {
            let of = [("tail", q(tail)), ("center", law.center())].into_iter().find(|(name, _)| *name == argument);
            assert_eq!(value, of.map_or(law.width().value(), |(_, value)| value));
            Some((argument, allowed))
        }
        Err(error) => panic!("{error}"),
    };
    assert_eq!(refused(law("3", "0"), "64"), None);
    assert_eq!(refused(law("3", "0"), "64.01"), Some(("tail", "a tail above 0 and at most 64")));
    let budget = "sigma^2 = A/B, center a/d and tail p/q with p^2*A*d^2 <= 2^120 and B*q^2 <= 2^120 only";
    let budget = |argument| Some((argument, budget));
    // 2^58·4 = 2^60, alone and with d = 2; 2^-60, 2^-59/2; and then one more.
    for (sigma, center, tail, fits) in [
        ("288230376151711744", "0", "4", true),
        ("288230376151711745", "0", "4", false),
        ("288230376151711744", "0", "5", false),
        ("144115188075855872", "1/2", "4", true),
        ("144115188075855873", "1/2", "4", false),
        ("144115188075855872", "1/3", "4", false),
        ("9223372036854775807", "1/4294967296", "1", false),
        ("9223372036854775807", "0", "64", false),
        ("1/1152921504606846976", "0", "1", true),
        ("1/1152921504606846977", "0", "1", false),
        ("1/576460752303423488", "0", "1/2", true),
        ("1/576460752303423488", "0", "1/3", false),
    ] {
        assert_eq!(refused(law(sigma, center), tail), if fits { None } else { budget("sigma") }, "{sigma}, {tail}");
    }
    assert_eq!(refused(variance("1/9223372036854775807", "0"), "1/4294967296"), budget("sigma_squared"));
    let far = Some(("center", "|center| up to 2^61 only"));
    for (center, error) in [
        ("2305843009213693952", None),
        ("2305843009213693953", far),
        ("-2305843009213693952", None),
        ("-2305843009213693953", far),
    ] {
        assert_eq!(refused(law("2", center), "2"), error, "{center}");
    }
    // Between 0 and 1; the nearest at 4σ, and a little nearer.
    let none = Some(("tail", "a tail with an integer within tail*sigma of the center"));
    let narrow = Some(("sigma", "sigma > 1/4 of center's distance to the nearest integer only"));
    for (sigma, center, tail, error) in [
        ("1/100", "1/2", "13", none),
        ("1/100", "1/2", "50", narrow),
        ("1/8", "1/2", "13", narrow),
        ("0.1251", "1/2", "13", None),
        ("1/16", "1/4", "5", narrow),
        ("0.0626", "3/4", "5", None),
        ("0.0626", "-3/4", "5", None),
    ] {
        assert_eq!(refused(law(sigma, center), tail), error, "{sigma}, {center}");
    }
}

#[test]
fn a_stuck_source_ends_and_is_told() {
    let sampler = Rejection::new(&law("3.2", "1/3"), q("13")).unwrap();
    for byte in [0, 0xff] {
        let mut bits = BitReader::new(Stuck(byte)).latching();
        assert!((0..300).all(|_| (-41..=41).contains(&sampler.sample(&mut bits))));
        assert_eq!(bits.fault(), Some(Fault::Constant(byte)));
    }
    assert!(std::format!("{sampler:?}").starts_with("Rejection { target: "));
}
