//! Bernoulli(ln 2), exactly, with nothing stored beyond a few integers.
//!
//! ln 2 = Σ 1/(j·2^j). The first 20 terms are a fraction with the denominator lcm(1, …, 20)·2^20. The rest is itself a
//! mixture of fractions: i >= 1 comes with probability 2^-i, and stands for 1/(20 + i), in units of 2^-20.

use crate::bits::{BitSource, bernoulli};

/// ⌊2^64·ln 2⌋.
pub(crate) const LN2_64: u64 = 0xb172_17f7_d1cf_79ab;

/// Terms of the series in the fraction.
const TERMS: u64 = 20;
/// lcm(1, …, TERMS).
const LCM: u64 = 232_792_560;
/// LCM·2^TERMS times the sum of the first TERMS terms.
const SUM: u64 = {
    let (mut sum, mut j) = (0, 1);
    while j <= TERMS {
        sum += (LCM / j) << (TERMS - j);
        j += 1;
    }
    sum
};

/// Whether a uniform is below ln 2 whose first C <= 16 binary places, most significant first, are
/// `prefix`.
pub(crate) fn is_below_ln2<const C: u32, B: BitSource + ?Sized>(prefix: u64, bits: &mut B) -> bool {
    // 2^C·ln 2 = head + rest/unit + 2^(C-20)·Σ 2^-i/(20 + i), and the last two stay below 1.
    let (head, rest, unit) = const {
        let unit = LCM << (TERMS - C as u64);
        let (head, rest) = (SUM / unit, SUM % unit);
        assert!(LCM <= (unit - rest) * (TERMS + 1));
        (head, rest, unit)
    };
    if prefix != head {
        return prefix < head;
    }
    // The fraction; where it fails, of probability 1 - rest/unit, the rest of the series by its
    // share of that: Σ 2^-i·LCM/((unit - rest)(20 + i)).
    if bernoulli(rest.into(), unit.into(), bits) {
        return true;
    }
    let mut i = 1;
    while bits.bit() {
        i += 1;
    }
    bernoulli(LCM.into(), u128::from(unit - rest) * u128::from(TERMS + i), bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Tape, parting, reader};
    use std::vec::Vec;

    /// P(U < ln 2 | prefix) at the prefix that holds ln 2, by counting.
    fn judge<const C: u32>() {
        let scaled = core::f64::consts::LN_2 * f64::from(1 << C);
        let head = scaled as u64;
        let mut bits = reader(6);
        if head > 0 {
            assert!(is_below_ln2::<C, _>(head - 1, &mut bits) && !is_below_ln2::<C, _>(head + 1, &mut bits));
        }
        let (n, p) = (400_000, scaled - head as f64);
        let hits = (0..n).filter(|_| is_below_ln2::<C, _>(head, &mut bits)).count() as f64;
        let deviation = (p * (1.0 - p) * f64::from(n)).sqrt();
        assert!((hits - p * f64::from(n)).abs() < 5.0 * deviation, "{C} places: {hits} of {n}, expected {p}");
    }

    #[test]
    fn coins_of_every_width_are_fair_to_ln2() {
        judge::<0>();
        judge::<1>();
        judge::<2>();
        judge::<4>();
        judge::<10>();
        judge::<16>();
    }

    /// The coins of the series, each by a uniform that leaves its bound at a late place.
    fn decides<const C: u32>() {
        let sum: u64 = (1..=20).map(|j| (LCM << 20) / (j << j)).sum();
        let unit = LCM << (20 - C);
        let (head, rest) = (sum / unit, u128::from(sum % unit));
        for n in 70..82 {
            let (fraction, is_below) = parting(rest, unit.into(), n);
            let mut tape = Tape::new(fraction.clone());
            if is_below {
                assert_eq!((is_below_ln2::<C, _>(head, &mut tape), tape.read), (true, n + 1), "{C} places");
                continue;
            }
            for i in 1..6 {
                let (last, is_below) = parting(LCM.into(), (u128::from(unit) - rest) * (20 + i), n);
                let ones = (1..=i).map(|j| j < i);
                let bits: Vec<bool> = fraction.iter().copied().chain(ones).chain(last).collect();
                let (len, mut tape) = (bits.len(), Tape::new(bits));
                assert_eq!((is_below_ln2::<C, _>(head, &mut tape), tape.read), (is_below, len), "{C} places, {i}");
            }
        }
    }

    #[test]
    fn the_coins_are_the_series() {
        decides::<0>();
        decides::<1>();
        decides::<2>();
        decides::<10>();
        decides::<16>();
    }

    /// The series past its fraction, 2^-20·Σ 2^-i/(20 + i), against ln 2 itself.
    #[test]
    fn the_series_is_split_right() {
        let tail: f64 = (1..40).map(|i| 0.5_f64.powi(i) / f64::from(20 + i)).sum();
        let sum = SUM as f64 / (LCM << TERMS) as f64;
        assert!((sum + tail / f64::from(1 << 20) - core::f64::consts::LN_2).abs() < 1e-15);
        assert!((1..=TERMS).all(|j| LCM.is_multiple_of(j)));
    }
}
