//! Costs, fills, and what is refused, against sums and against one sample after the other.

use super::super::*;
use super::steps::{Law, Tape, laws, same, width};
use crate::bits::{BitReader, Fault};
use crate::fixtures::reader;
use rand_core::TryRng;
use std::string::ToString;
use std::vec::Vec;

/// Bits of the run of x/1, x/2, …, x <= 1, from this coin on: for the n-th 2, or 2 for 1/n (0 if n = 1), and 2 for x where that is true.
pub(crate) fn bits_of_run(x: f64, from: i32) -> f64 {
    let (mut bits, mut reached) = (0.0, 1.0);
    for n in 1..25 {
        if n >= from {
            bits += reached * (if n == 1 { 0.0 } else { 2.0 } + 2.0 / f64::from(n));
        }
        reached *= x / f64::from(n);
    }
    bits
}

/// Bits of exp(-x) by parts.
fn bits_of_parts(x: f64) -> f64 {
    let whole = x.floor().min(40.0) as i32;
    let ones: f64 = (0..whole).map(|i| f64::from(-i).exp() * 2.0 * 1_f64.exp_m1()).sum();
    let rest = x - f64::from(whole);
    if rest < 1.0 { ones + f64::from(-whole).exp() * bits_of_run(rest, 1) } else { ones }
}

#[test]
pub(crate) fn bits_of_runs_are_sums() {
    for x in [0.0, 0.01, 0.3, 0.5, 0.75, 1.0] {
        assert!((run_bits(x) - 2.0 * x.exp()).abs() < 1e-12, "{x}");
    }
    for x in [0.0, 0.25, 0.999, 1.0, 1.5, 2.0, 3.75, 7.0, 39.5, 40.0, 41.0, 50.5] {
        assert!((coin_exp_bits(x) - bits_of_parts(x)).abs() < 1e-12, "{x}: {}", coin_exp_bits(x));
    }
}

/// The costs of an attempt by the steps, over all V and U, or over the midpoints of 512 equal parts of 0 … t.
#[test]
fn costs_are_sums_over_all_attempts() {
    for (a, b) in [(1_u64, 1_000_000), (1, 100), (1, 2), (2, 3), (1, 1), (4, 1), (20, 1), (46, 1), (4094 * 4094, 1)] {
        let t = (a / b).isqrt() + 1;
        let law = Law::new(a, b, 0);
        let cks = law.cks();
        let strata = t.min(512);
        let j = width(&law);
        let again = ((1_u128 << j) % law.t) as f64 / (j as f64).exp2();
        let lg = (0..).take_while(|n| 2_u64 << n <= t + 1).count() as f64;
        let mut bits = 13.0 + f64::from(j) + 0.176 + again * (lg + 1.0);
        let mut accepted = 0.0;
        for v in 0..26_u64 {
            for i in 0..strata {
                let u = (u128::from(i) * 2 + 1) * law.t / (2 * u128::from(strata));
                let p = (-(v as f64)).exp() * (1.0 - (-1_f64).exp()) / strata as f64;
                let gamma = law.gamma(u, v);
                let sign = if u == 0 && v == 0 { 0.5 } else { 1.0 };
                accepted += p * sign * (-gamma).exp();
                if v < law.fast {
                    let passes = gamma.floor() + 1.0;
                    bits += p * passes * (32.0 + bits_of_run(gamma / passes, 3));
                    continue;
                }
                // Step 1, then the parts of step 4.
                let first = u as f64 / law.t as f64;
                let mut alive = p * (-first).exp();
                bits += p * 2.0 * first.exp();
                let mut done = 0.0;
                for w in 1..=v {
                    if alive < 1e-14 {
                        break;
                    }
                    let part = law.gamma(u, w) - first - done;
                    done += part;
                    bits += alive * bits_of_parts(part);
                    alive *= (-part).exp();
                }
            }
        }
        let cost = cks.cost();
        assert!((cost.bits / bits - 1.0).abs() < 1e-10, "{a}/{b}: {} of {bits} bits", cost.bits);
        assert!((cost.accepted / accepted - 1.0).abs() < 1e-10, "{a}/{b}: {} of {accepted}", cost.accepted);
        if t < 10 {
            let profile = cks.profile();
            assert!((profile.expected_bits * accepted / bits - 1.0).abs() < 1e-10);
            assert!((profile.expected_trials * accepted - 1.0).abs() < 1e-10);
        }
    }
}

#[test]
fn what_a_profile_says() {
    let law = Law::new(256, 25, -3);
    let profile = law.cks().profile();
    assert_eq!((profile.exactness, profile.timing), (Exactness::Exact, Timing::Variable));
    assert_eq!((profile.table_bytes, profile.support), (4096, i64::MIN..=i64::MAX));
    let sigma_sq = Width::SigmaSq(Rational::new(256, 25).unwrap());
    assert_eq!(profile.target, DiscreteGaussian::new(Rational::from(-3), sigma_sq).unwrap());
    // σ may be given instead.
    let by_sigma = DiscreteGaussian::new(Rational::ZERO, Width::Sigma("16/5".parse().unwrap())).unwrap();
    let by_sigma = Cks::new(&by_sigma).unwrap();
    assert_eq!((by_sigma.a, by_sigma.b, by_sigma.t), (256, 25, 4));
}

fn fills<T: Int + PartialEq + core::fmt::Debug>(law: &Law) {
    let cks = law.cks();
    for len in [0, 1, 2, 7, 33, 130] {
        let tape = Tape::new(len as u64);
        let model = |bits: &mut Tape| (0..len).map(|_| T::narrow(law.sample(bits)).unwrap()).collect::<Vec<T>>();
        let fill = |bits: &mut Tape| {
            let mut out = std::vec![T::ZERO; len];
            cks.fill(bits, &mut out).unwrap();
            out
        };
        same(T::NAME, &tape, fill, model);
    }
}

#[test]
fn a_fill_is_one_sample_after_the_other() {
    fills::<i8>(&Law { center: -60, ..laws()[5] });
    fills::<i16>(&laws()[7]);
    fills::<i32>(&laws()[10]);
    fills::<i64>(&laws()[8]);
    fills::<i64>(&laws()[1]);
}

fn fails<T: Int + PartialEq + core::fmt::Debug>(center: i64) {
    // One in some ten is beyond the type's largest or least value.
    let law = Law::new(100, 1, center);
    let mut longest = 0;
    for seed in 0..30 {
        let model = |bits: &mut Tape| {
            let mut out = Vec::new();
            while let Some(x) = T::narrow(law.sample(bits)) {
                out.push(x);
            }
            out
        };
        let fill = |bits: &mut Tape| {
            let mut out = std::vec![T::ZERO; 200];
            let error = law.cks().fill(bits, &mut out).unwrap_err();
            assert_eq!(error, RangeError::of::<T>());
            out
        };
        let (mut one, mut other) = (Tape::new(seed), Tape::new(seed));
        let (found, model) = (fill(&mut one), model(&mut other));
        assert_eq!((&found[..model.len()], one.read), (&model[..], other.read));
        longest = longest.max(model.len());
    }
    assert!(longest > 5, "{longest}");
}

#[test]
fn a_fill_ends_at_the_first_that_does_not_fit() {
    fails::<i8>(127 - 13);
    fails::<i8>(-128 + 13);
    fails::<i16>(32_767 - 13);
    fails::<i32>(-(1 << 31) + 13);
}

#[test]
fn limits_and_what_is_beyond_them() {
    let new =
        |width, center: Rational| Cks::new(&DiscreteGaussian::new(center, width).unwrap()).map_err(|e| e.to_string());
    let two = Width::SigmaSq(Rational::from(2));
    for sign in [1, -1] {
        assert!(new(two, Rational::from(sign << 62)).is_ok());
        let error = new(two, Rational::from(sign * ((1 << 62) + 1))).unwrap_err();
        assert!(error.contains("center") && error.contains("2^62"), "{error}");
    }
    assert!(new(two, Rational::new(1, 3).unwrap()).unwrap_err().contains("an integer center"));
    // 2abt² <= 2^120: the largest a for some b.
    for b in [1_u64, 3, 1 << 20, (1 << 40) + 1, 1 << 60] {
        let fits = |a: u128| {
            let t = (a / u128::from(b)).isqrt() + 1;
            (2 * a * u128::from(b)).checked_mul(t * t).is_some_and(|product| product <= 1 << 120)
        };
        let (mut low, mut high) = (1_u128, 1 << 62);
        while high - low > 1 {
            let middle = low.midpoint(high);
            *(if fits(middle) { &mut low } else { &mut high }) = middle;
        }
        let coprime = |a: &i64| Rational::new(*a, b).unwrap().den() == b;
        let (least, most) = ((high as i64..).find(coprime).unwrap(), (1..=low as i64).rev().find(coprime).unwrap());
        let sigma_sq = |a| Width::SigmaSq(Rational::new(a, b).unwrap());
        assert!(new(sigma_sq(most), Rational::ZERO).is_ok(), "{most}/{b}");
        let error = new(sigma_sq(least), Rational::ZERO).unwrap_err();
        assert!(error.contains("sigma_squared") && error.contains("2^120"), "{least}/{b}: {error}");
    }
    assert!(new(Width::SigmaSq(Rational::new(1, (1 << 63) - 1).unwrap()), Rational::ZERO).is_ok());
    let error = new(Width::SigmaSq(Rational::new(1, 1 << 63).unwrap()), Rational::ZERO).unwrap_err();
    assert!(error.contains("b < 2^63"), "{error}");
    assert!(new(Width::S(Rational::from(5)), Rational::ZERO).unwrap_err().contains("a rational sigma"));
}

/// A generator that gives the same byte for ever.
pub(crate) struct Stuck(pub(crate) u8);

impl TryRng for Stuck {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(u32::from_ne_bytes([self.0; 4]))
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(u64::from_ne_bytes([self.0; 8]))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill(self.0);
        Ok(())
    }
}

#[test]
fn a_stuck_generator_ends_no_fill_and_is_told() {
    for byte in [0, 0xff, 0x55] {
        let mut bits = BitReader::new(Stuck(byte)).latching();
        laws()[6].cks().fill(&mut bits, &mut [0_i64; 1000]).unwrap();
        assert_eq!(bits.fault(), Some(Fault::Constant(byte)));
    }
    assert_eq!(reader(1).fault(), None);
}
