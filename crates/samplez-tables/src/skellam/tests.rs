use super::*;
use crate::fixed::{add, exp_neg};
use crate::law::TargetLaw;
use alloc::format;
use alloc::string::ToString;

/// V, x, P(X = x) and P(X > x), by mpmath with 60 digits.
const VALUES: [(&str, i64, f64, f64); 21] = [
    ("1/65536", 0, 0.999984741385559, 7.629307220498774e-06),
    ("1/65536", 1, 7.6292781170383885e-06, 2.910346038535676e-11),
    ("1/65536", 3, 7.401373894077422e-17, 1.4117021918622102e-22),
    ("1/3", 0, 0.736573605209842, 0.13171319739507897),
    ("1/3", 1, 0.12108821906487026, 0.010624978330208732),
    ("1/3", 2, 0.010044290820620515, 0.000580687509588217),
    ("1/3", 7, 5.096283271130486e-10, 1.0812967052838084e-11),
    ("1/3", 40, 6.574070002818958e-80, 2.68298870358389e-82),
    ("5", 0, 0.18354081260932836, 0.40822959369533585),
    ("5", 1, 0.16397226694454237, 0.24425732675079348),
    ("5", 4, 0.03441901509631154, 0.022275663543637293),
    ("5", 30, 2.6937267526846667e-23, 2.3401376748025178e-24),
    ("30", 0, 0.0731459464822373, 0.46342702675888137),
    ("30", 3, 0.06280279400633723, 0.2603563777115691),
    ("30", 17, 0.0006200675990102348, 0.0007646510697338595),
    ("30", 82, 7.810748063881894e-39, 1.654784838152347e-39),
    ("30", 200, 5.988830628759019e-153, 4.799074153406923e-154),
    ("12345/7", 0, 0.009500453349054323, 0.4952497733254728),
    ("12345/7", 42, 0.005760935106070573, 0.15574539141509433),
    ("12345/7", 500, 2.4458092875605045e-33, 7.511926706216609e-33),
    ("12345/7", 1500, 6.358731197825517e-266, 5.458546839015095e-266),
];

fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

#[test]
fn probabilities_are_those_of_mpmath() {
    for (variance, x, mass, above) in VALUES {
        let law = TargetLaw::finite(&NoiseLaw::Skellam { variance: rational(variance) }).unwrap();
        assert_eq!((law.pmf(x), law.pmf(-x)), (mass, mass), "{variance} at {x}");
        assert_eq!((law.sf(x), law.cdf(-x - 1)), (above, above), "{variance} at {x}");
        assert!((law.cdf(x) + above - 1.0).abs() < 1e-15, "{variance} at {x}");
        assert!((law.logpmf(x) - mass.ln()).abs() < 1e-15 + 1e-10 * mass.ln().abs(), "{variance} at {x}");
        let support = law.support();
        assert_eq!((law.mass(support), law.pmf(i64::MAX), law.pmf(i64::MIN)), (1.0, 0.0, 0.0));
    }
    let law = TargetLaw::finite(&NoiseLaw::Skellam { variance: rational("30") }).unwrap();
    assert_eq!(
        (law.to_string(), law.mean_and_variance(), law.is_cut()),
        ("Skellam(30)".into(), Some((0.0, 30.0)), false)
    );
    let (cut, residues) = (law.within(-3..=3).unwrap(), law.modulo(5).unwrap());
    assert!((cut.pmf(0) - 0.0731459464822373 / (1.0 - 2.0 * 0.2603563777115691)).abs() < 1e-15);
    let wrapped: f64 = (-40..=40).map(|k| law.pmf(5 * k + 2)).sum();
    assert!((residues.pmf(2) - wrapped).abs() < 1e-15 && cut.is_cut());
}

#[test]
fn variances_outside_of_the_range_are_refused() {
    for variance in ["0", "-1", "1/65537", "1048577", "2097153/2"] {
        let error = build_skellam(rational(variance)).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("variance = {:#}: method skellam allows 2^-16 <= variance <= 2^20", rational(variance))
        );
        // A sum can be judged.
        let judged = TargetLaw::finite(&NoiseLaw::Skellam { variance: rational(variance) });
        assert_eq!(judged.is_ok(), rational(variance).to_f64() > 1e6, "{variance}");
    }
    assert!(TargetLaw::finite(&NoiseLaw::Skellam { variance: rational("67108865") }).is_err());
    // Numerators and denominators at their limits.
    for variance in ["1/65536", "9223372036854775807/9223372036854775808", "281474976710657/18446744073709551615"] {
        let (table, remainder) = build_skellam(rational(variance)).unwrap();
        assert!(table.len() >= 6 && remainder.tosses() > 100, "{variance}");
    }
}

/// P(k) by its power series: e^-V·Σ (V/2)^(2j+k)/(j!·(j+k)!), a sum of positive terms.
fn series(numerator: u64, denominator: u64, k: u64) -> Interval<LIMBS> {
    let half = |x: &Interval<LIMBS>| x.times(numerator).div_small(2 * denominator);
    let mut term = (1..=k).fold(Interval::ONE, |term, i| half(&term).div_small(i));
    let mut sum = term;
    for j in 1..1000 {
        term = half(&half(&term)).div_small(j).div_small(j + k);
        sum = sum.add(&term);
    }
    sum.mul(&exp_neg(&Interval::ONE.times(numerator).div_small(denominator)).fixed())
}

/// The intervals overlap, and are at most this wide.
fn agree<const N: usize>(a: &Interval<N>, b: &Interval<N>, bits: u32) -> bool {
    let meets = !less(&a.hi().unwrap(), &b.lo) && !less(&b.hi().unwrap(), &a.lo);
    meets && a.width.max(b.width) < 1 << bits
}

#[test]
fn masses_are_the_power_series() {
    for (numerator, denominator) in [(1, 1000), (1, 3), (5, 1), (61, 2)] {
        let variance = Rational::new(numerator as i64, denominator).unwrap();
        let masses = Masses::<LIMBS>::new(variance);
        for k in [0, 1, 2, 5, 20, 60] {
            let mass = masses.each[k].fixed();
            assert!(agree(&mass, &series(numerator, denominator, k as u64), 60), "{variance}, {k}");
            // The mutant: a variance that is off by 2^-10 of itself, or less; where 2^-512 is not all that is left of it.
            let off = series((numerator << 10) + 1, denominator << 10, k as u64);
            assert!(mass.lo[4..] == [0; 5] || !agree(&mass, &off, 63), "{variance}, {k}");
        }
    }
}

/// The width of a sum of all masses, which the probability of an undecided sample comes from.
#[test]
fn widths_are_bounded() {
    for (variance, bits) in [("1/65536", 40), ("1", 40), ("1000", 46), ("100000", 50), ("1048576", 54)] {
        let masses = Masses::<LIMBS>::new(rational(variance));
        let sum = (0..masses.each.len()).fold(Interval::<LIMBS>::ZERO, |sum, k| sum.add(&masses.folded(k)));
        let one = sum.add(&masses.beyond.fixed().times(2));
        assert!(agree(&one, &Interval::ONE, bits), "{variance}: {}", one.width);
        assert!(masses.each.len() < 1 << 16);
    }
}

/// V = 2^26 is the largest variance of a sum. The values are by mpmath with 60 digits.
#[test]
fn tails_of_the_widest_law_are_decided_without_more_limbs() {
    let tails = Tails::<4>::new(Rational::from(1 << 26));
    for (x, above) in [(0, 0.4999756504955356), (1, 0.4999269514869697), (41_001, 2.7921468507351883e-07)] {
        assert_eq!(tails.above(x).rounded(), Some(above), "{x}");
    }
    assert!((0..tails.reach()).step_by(997).all(|x| tails.above(x).rounded().is_some()));
}

/// The numbers below 2^-t that choose at most this distance, to 2^-(t+140), by bisection.
fn border(remainder: &SkellamRemainder, distance: i64) -> [u64; LIMBS] {
    let bit = |n: u32| Interval::<LIMBS>::ONE.shr(n).lo;
    let (masses, floors) = (Masses::new(remainder.variance), weights(remainder.variance).0);
    let mut low = [0; LIMBS];
    for place in remainder.tosses + 1..remainder.tosses + 140 {
        let middle = add(&low, &bit(place));
        if remainder.distance(&masses, &floors, &middle).is_some_and(|found| found <= distance) {
            low = middle;
        }
    }
    low
}

/// Whether table and remainder together have P(|X| <= k) to 2^-130, for these k, with P by the power series.
fn is_exact(numerator: u64, table: &CdtTable<Vec<u32>>, remainder: &SkellamRemainder, distances: &[usize]) -> bool {
    let digits = table.digits();
    let threshold = |j: usize| {
        let tail = &digits[table.len() + 3 * j..][..3];
        tail.iter().fold(u128::from(digits[j]), |sum, digit| sum << 32 | u128::from(*digit))
    };
    distances.iter().all(|distance| {
        let above = if *distance < table.len() { threshold(*distance) } else { 0 };
        let table_mass = Interval::<LIMBS>::ONE.sub(&fraction(above));
        let kept = table_mass.sub(&table_mass.shr(remainder.tosses));
        let chosen = Interval { lo: border(remainder, *distance as i64), width: 0 };
        let found = kept.add(&chosen);
        let ideal = (0..=*distance)
            .fold(Interval::ZERO, |sum, k| sum.add(&series(numerator, 1, k as u64).times(if k > 0 { 2 } else { 1 })));
        let gap = sub(&found.lo, &ideal.lo).or_else(|| sub(&ideal.lo, &found.lo)).unwrap();
        less(&gap, &Interval::<LIMBS>::ONE.shr(130).lo)
    })
}

#[test]
fn table_and_remainder_are_the_ideal_law() {
    for (variance, distances) in [(1, &[0, 1, 4, 33, 40][..]), (30, &[0, 3, 11, 82, 90])] {
        let (table, remainder) = build_skellam(Rational::from(variance)).unwrap();
        assert!(is_exact(variance as u64, &table, &remainder, distances), "{variance}");
        // Mutants: one toss more, and the remainder of a law that is off by 2^-20.
        let more = SkellamRemainder { tosses: remainder.tosses + 1, ..remainder.clone() };
        assert!(!is_exact(variance as u64, &table, &more, &distances[..1]));
        let near = Rational::new((variance << 20) + 1, 1 << 20).unwrap();
        assert!(!is_exact(variance as u64, &table, &SkellamRemainder { variance: near, ..remainder }, &distances[..2]));
        let (other, _) = build_skellam(near).unwrap();
        assert_ne!(other.digits(), table.digits());
    }
}

#[test]
fn tables_round_down_and_leave_out_less_than_their_precision() {
    for variance in ["1/65536", "1/3", "10", "1000", "54321/10"] {
        let masses = Masses::<LIMBS>::new(rational(variance));
        let floors = masses.floors(false).unwrap();
        assert_eq!(attempt::<5>(rational(variance), false), attempt::<LIMBS>(rational(variance), true), "{variance}");
        assert_eq!(weights(rational(variance)).0, floors, "{variance}");
        let tail = |from: usize| {
            (from..masses.each.len()).fold(masses.beyond.fixed().times(2), |sum, k| sum.add(&masses.folded(k)))
        };
        let unit = fraction::<LIMBS>(1).lo;
        assert!(less(&tail(floors.len() + 1).hi().unwrap(), &unit) && !less(&tail(floors.len()).hi().unwrap(), &unit));
        for (k, weight) in floors.iter().enumerate() {
            let (mass, low) = (masses.folded(k + 1), fraction::<LIMBS>(*weight).lo);
            assert!(!less(&mass.lo, &low) && less(&mass.hi().unwrap(), &add(&low, &unit)), "{variance}, {k}");
        }
    }
}

/// All tails of centred binomials against sums of whole numbers, and the mutant of a neighbour's.
#[test]
fn tails_of_centered_binomials_are_sums_of_binomials() {
    for eta in [33_u32, 40, 58] {
        let (tails, off) = (Tails::<9>::binomial(eta), Tails::<9>::binomial(eta + 1));
        assert_eq!(tails.reach(), i64::from(eta));
        let (mut choose, mut sum) = (1_u128, 0_u128);
        for x in (0..i64::from(eta)).rev() {
            // C(2η, η + x + 1), from its last on.
            sum += choose;
            let k = u128::from(eta) - 1 - x as u128;
            choose = choose * (2 * u128::from(eta) - k) / (k + 1);
            let exact = Natural::new(sum).over::<9>(&[1 << eta, 1 << eta]).unwrap();
            assert!(
                agree(&tails.above(x).fixed(), &exact, 40) && !agree(&off.above(x).fixed(), &exact, 40),
                "{eta}, {x}"
            );
        }
    }
    for (eta, reach) in [(1000, 1000), (5000, 2360), (1 << 20, 29_320)] {
        let (tails, n) = (Tails::<9>::binomial(eta), f64::from(eta));
        let zero = Scaled::from(Interval::ONE.sub(&tails.above(0).fixed().times(2))).to_f64();
        let stirling = (1.0 - 1.0 / (8.0 * n) + 1.0 / (128.0 * n * n)) / (core::f64::consts::PI * n).sqrt();
        assert!((zero / stirling - 1.0).abs() < 1e-11, "{eta}: {zero}");
        assert_eq!((tails.reach(), tails.above(i64::MAX).to_f64()), (reach, 0.0));
    }
}
