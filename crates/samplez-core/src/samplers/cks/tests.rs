use super::*;
use crate::bits::Counted;
use crate::fixtures::reader;
use std::format;

pub(crate) mod steps;
pub(crate) mod whole;

fn cks(sigma_sq: &str) -> Cks {
    let width = Width::SigmaSq(sigma_sq.parse().unwrap());
    Cks::new(&DiscreteGaussian::new(Rational::ZERO, width).unwrap()).unwrap()
}

#[test]
fn v_has_its_law() {
    let mut bits = Counted::new(reader(1));
    let n = 2_000_000;
    let mut counts = [0_f64; 9];
    for _ in 0..n {
        let prefix = bits.bits(12);
        let settled = u64::from(VTable::<PREFIXES>::TABLE[prefix as usize]);
        let v = if settled < FAST { settled } else { draw_v(prefix, 12, &mut bits) };
        counts[(v as usize).min(8)] += 1.0;
    }
    let extra = bits.count() as f64 / f64::from(n) - 12.0;
    assert!((extra - V_EXTRA_BITS).abs() < 0.015, "{extra} bits beyond the prefix");
    for (v, count) in counts.iter().enumerate() {
        let tail = estimated_exp_neg(v as f64);
        let p = if v == 8 { tail } else { tail - estimated_exp_neg(v as f64 + 1.0) };
        let sd = (p * (1.0 - p) * f64::from(n)).sqrt();
        assert!((count - p * f64::from(n)).abs() < 5.0 * sd, "v = {v}: {count}, {counts:?}");
    }
    let settled = VTable::<PREFIXES>::TABLE.iter().filter(|v| u64::from(**v) < FAST).count();
    assert!(settled > 4000, "{settled} of 4096 prefixes settle V");
}

#[test]
fn declared_costs_are_the_counted_ones() {
    for sigma_sq in ["1/100", "1/2", "1", "2", "10.24", "100", "46225", "25600000000", "288230376151711744"] {
        let cks = cks(sigma_sq);
        let mut bits = Counted::new(reader(2));
        let n = 200_000;
        let mut attempts = 0;
        for _ in 0..n {
            while cks.attempt(&mut bits).is_none() {
                attempts += 1;
            }
            attempts += 1;
        }
        let (profile, n) = (cks.profile(), f64::from(n));
        let (bits, trials) = (bits.count() as f64 / n, f64::from(attempts) / n);
        let declared = (profile.expected_bits, profile.expected_trials);
        assert!((bits / declared.0 - 1.0).abs() < 0.01, "{sigma_sq}: {bits} bits, declared {declared:?}");
        assert!((trials / declared.1 - 1.0).abs() < 0.01, "{sigma_sq}: {trials} trials, declared {declared:?}");
    }
}

/// The fixed-point goal of the first coin against the exact rational, over U at random and
/// at the ends: never above, and short by less than SLACK.
#[test]
fn goals_are_lower_bounds() {
    let mut bits = reader(3);
    for sigma_sq in ["1/9", "1/2", "0.999", "1", "3", "10.24", "46225", "1e9/7", "25600000000", "288230376151711744"] {
        let cks = cks(sigma_sq);
        for round in 0..20_000_u64 {
            let u = match round {
                0 => 0,
                1 => cks.t - 1,
                2 => (cks.a / cks.b / cks.t).min(cks.t - 1),
                _ => uniform_below(cks.t, &mut bits),
            };
            for v in 0..cks.fast {
                let (passes, goal) = cks.goal(u + cks.t * v, v);
                let (num, den) = cks.exact_coin(u, v, passes);
                assert!(num <= den && passes <= 8, "the coin is a probability");
                if num < den {
                    let exact = quotient(num, den, 64) as u64;
                    let short = exact.wrapping_sub(goal);
                    assert!(short < SLACK, "{sigma_sq}: v = {v}, u = {u}: {goal}, exact {exact}");
                }
            }
        }
    }
}

#[test]
fn refuses_what_it_cannot_honour() {
    let new = |width, center: &str| Cks::new(&DiscreteGaussian::new(center.parse().unwrap(), width).unwrap());
    let q = |s: &str| s.parse::<Rational>().unwrap();
    for (width, center) in [
        (Width::S(q("8.35")), "0"),
        (Width::KSigma2(q("254")), "0"),
        (Width::SigmaSq(q("2")), "1/2"),
        (Width::SigmaSq(q("2")), "4611686018427387905"),
        (Width::SigmaSq(q("1e18")), "0"),
        (Width::Sigma(q("1e9")), "0"),
        (Width::Sigma(q("1e12")), "0"),
        (Width::SigmaSq(q("1/18446744073709551615")), "0"),
        (Width::SigmaSq(q("4611686018427387904/4611686018427387903")), "0"),
    ] {
        let error = format!("{}", new(width, center).map(drop).unwrap_err());
        assert!(error.contains("method cks allows"), "{width}, {center}: {error}");
    }
    for (width, center) in [
        (Width::Sigma(q("536870912")), "0"),
        (Width::Sigma(q("3.2")), "-4611686018427387904"),
        (Width::SigmaSq(q("1/9223372036854775807")), "0"),
        (Width::SigmaSq(q("1e8/99999999")), "7"),
    ] {
        let cks = new(width, center).unwrap_or_else(|e| panic!("{e}"));
        let mut bits = reader(4);
        let sigma = (cks.a as f64 / cks.b as f64).sqrt();
        for _ in 0..1000 {
            let y = cks.sample(&mut bits) - cks.center;
            assert!(y.abs() as f64 <= 9.0 * sigma, "{width}: {y}");
        }
    }
}

/// Nearly a point mass: γ is above 2^53, and the costs are still summed in finite time.
#[test]
fn tiny_sigma_has_a_profile() {
    let sampler = cks("1/1000000000000000000");
    let profile = sampler.profile();
    assert!(profile.expected_bits < 200.0 && profile.expected_trials < 4.0, "{profile:?}");
    let mut bits = reader(2);
    assert!((0..100).all(|_| sampler.sample(&mut bits) == 0));
}
