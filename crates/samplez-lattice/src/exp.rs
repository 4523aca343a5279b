//! Probabilities as intervals, and exact decisions with them.
//!
//! A number of precision q is an integer in units of 2^-q. Each function returns a lower and an upper bound.

use num_bigint::BigUint;
use samplez_core::bits::BitSource;

/// The bits of the comparison that is given up. Reached with a probability below 2^-16000.
const MOST: u32 = 1 << 14;
/// The precision in which machine words serve.
pub(crate) const WORD: u32 = 62;
/// Bits beyond the precision in which the exponential is computed.
const GUARD: u32 = 64;

/// Bounds of a number, lower and upper.
pub(crate) type Bounds = (BigUint, BigUint);

fn one(q: u32) -> BigUint {
    BigUint::from(1_u8) << q
}

/// Bounds of a fraction.
pub(crate) fn fraction(num: &BigUint, den: &BigUint, q: u32) -> Bounds {
    let low = (num << q) / den;
    let high = &low + 1_u8;
    (low, high)
}

/// exp(-r) for these bounds of r.
pub(crate) fn exp_neg((low, high): &Bounds, q: u32) -> Bounds {
    if *low >= BigUint::from(q) << q {
        // e^-q < 2^-q.
        return (BigUint::ZERO, BigUint::from(1_u8));
    }
    let width = high - low;
    if q == WORD {
        let (least, most) = exp_of_word(u128::try_from(low).unwrap_or(0));
        let least = u64::try_from(width).map_or(0, |width| least.saturating_sub(width));
        return (least.into(), most.into());
    }
    let w = q + GUARD;
    // r/2^m < 2^-8.
    let m = (low.bits() as u32 + 8).saturating_sub(q);
    let r = (low << GUARD) >> m;
    let (mut term, mut sum, mut k) = (one(w), one(w), 0_u32);
    while term != BigUint::ZERO {
        k += 1;
        term = ((term * &r) >> w) / k;
        sum += &term;
    }
    // Each term lost at most 2 units, r one, and the terms left out are less than 2.
    let above = &sum + 2 * k + 8_u8;
    let (mut least, mut most) = (one(2 * w) / above, one(2 * w) / sum + 1_u8);
    for _ in 0..m {
        least = (&least * &least) >> w;
        most = ((&most * &most) >> w) + 1_u8;
    }
    let least = least >> GUARD;
    // exp(-(r + d)) >= exp(-r) - d.
    let least = if least > width { least - width } else { BigUint::ZERO };
    (least, (most >> GUARD) + 1_u8)
}

/// exp(-r) with q = 62, r < 2^6.
fn exp_of_word(r: u128) -> (u64, u64) {
    /// ln 2, rounded down.
    const LN_2: u64 = 0x2c5c_85fd_f473_de6a;
    let (twos, t) = ((r / u128::from(LN_2)) as u32, (r % u128::from(LN_2)) as u64);
    // Horner's rule, from t^22/22!. Each of its steps loses less than 2 units, of which the next one keeps at most t < 0.7.
    let one = 1_u64 << WORD;
    let e = (1..=22).rev().fold(one, |p, i| one - ((u128::from(t) * u128::from(p)) >> WORD) as u64 / i);
    if twos >= 64 {
        return (0, 1);
    }
    // t is too large by less than a unit for each of the twos.
    ((e - 8) >> twos, ((e + 8 + u64::from(twos)) >> twos) + 1)
}

/// The product of two numbers up to 1.
pub(crate) fn product(a: &Bounds, b: &Bounds, q: u32) -> Bounds {
    ((&a.0 * &b.0) >> q, ((&a.1 * &b.1) >> q) + 1_u8)
}

/// The quotient of two positive numbers, at most 1.
fn quotient(a: &Bounds, b: &Bounds, q: u32) -> Bounds {
    let least = (&a.0 << q) / &b.1;
    let most = if b.0 == BigUint::ZERO { one(q) } else { ((&a.1 << q) / &b.0 + 1_u8).min(one(q)) };
    (least, most)
}

/// Σ exp(-D(x - f)²/2) over all integers x: D = num/den, f in units of 2^-32, 0 <= f <= 1.
fn sum(num: &BigUint, den: &BigUint, f: u64, q: u32) -> Bounds {
    let (mut low, mut high) = (BigUint::ZERO, BigUint::from(1_u8));
    let limit = BigUint::from(q) << q;
    let den = den << 65;
    for side in [0, 1] {
        let start = if side == 0 { f } else { (1 << 32) - f };
        for k in 0_u64.. {
            let distance = u128::from(start) + (u128::from(k) << 32);
            let r = fraction(&(num * distance * distance), &den, q);
            if r.0 >= limit {
                // The rest of both sides together is below 2^-q: the terms fall faster than e^-1, from e^-q on.
                break;
            }
            let term = exp_neg(&r, q);
            low += term.0;
            high += term.1;
        }
    }
    (low, high)
}

/// θ(f)/θ(0) = ρ(Z - f)/ρ(Z) for the width with 1/σ² = num/den, f in units of 2^-32.
pub(crate) fn theta((num, den): (&BigUint, &BigUint), f: u64, q: u32) -> Bounds {
    if f == 0 {
        return (one(q), one(q));
    }
    // 1 - θ(f)/θ(0) < 5·exp(-2π²σ²) < 2^(3 - 28σ²).
    if den * 28_u8 >= num * (q + 3) {
        return (one(q) - 1_u8, one(q));
    }
    if q == WORD && num <= &(den << 16) {
        let scaled = u128::try_from((num << PLACES) / den).unwrap_or(u128::MAX);
        return quotient(&sum_of_words(scaled, f), &sum_of_words(scaled, 0), q);
    }
    quotient(&sum(num, den, f, q), &sum(num, den, 0, q), q)
}

/// The digits of D in [`sum_of_words`].
const PLACES: u32 = 56;

/// [`sum`] with q = 62, for D in units of 2^-56, rounded down.
fn sum_of_words(scaled: u128, f: u64) -> Bounds {
    let (mut low, mut high) = (0_u128, 1);
    for start in [f, (1 << 32) - f] {
        for k in 0_u128.. {
            let distance = u128::from(start) + (k << 32);
            let square = distance * distance;
            // r in units of 2^-62: D has one unit more at most.
            let r = scaled.checked_mul(square).map(|product| product >> (PLACES + 65 - WORD));
            let Some(r) = r.filter(|r| *r < u128::from(WORD) << WORD) else { break };
            let (least, most) = exp_of_word(r);
            low += u128::from(least).saturating_sub((square >> (PLACES + 65 - WORD)) + 2);
            high += u128::from(most);
        }
    }
    (low.into(), high.into())
}

/// Whether a uniform number is below a probability, given by its bounds of each precision. The first word of the number is `lead`,
/// the others are of this source.
///
/// A word is drawn where the probability lies strictly between the ends of those drawn, and never for lack of precision.
pub(crate) fn is_below<B: BitSource + ?Sized>(
    lead: u64,
    start: u32,
    bits: &mut B,
    probability: impl Fn(u32) -> Bounds,
) -> bool {
    let (mut number, mut places) = (BigUint::from(lead), 64);
    let mut q = start;
    let (mut low, mut high) = probability(q);
    while q <= MOST {
        let all = q.max(places);
        let (from, to) = (&number << (all - places), (&number + 1_u8) << (all - places));
        let (least, most) = (&low << (all - q), &high << (all - q));
        if to <= least {
            return true;
        }
        if most <= from {
            return false;
        }
        if from < least && most < to {
            number = (number << 64) | BigUint::from(bits.bits(64));
            places += 64;
            continue;
        }
        q *= 2;
        (low, high) = probability(q);
    }
    bits.condemn();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> BigUint {
        text.parse().unwrap()
    }

    fn contains((low, high): &Bounds, q: u32, digits: &str, width: u64) {
        // digits/10^len
        let ten = BigUint::from(10_u8).pow(digits.len() as u32);
        let (from, to) = ((number(digits) << q) / &ten, ((number(digits) + 1_u8) << q) / &ten + 1_u8);
        assert!(*low <= to && *high >= from, "{low} {high} {from} {to}");
        assert!(high - low <= BigUint::from(width), "{low} {high}");
    }

    /// Both sums enclose one number, and the quick one is nearly as narrow.
    #[test]
    fn quick_sums_are_those_of_big_integers() {
        for (num, den) in [(1_u64, 1_u64), (65_536, 1), (12, 1), (1001, 1000), (355, 113), (1, 7)] {
            let (num, den) = (BigUint::from(num), BigUint::from(den));
            for f in [0, 1, 77 << 20, 1 << 31, (1 << 32) - 1] {
                let quick = sum_of_words(u128::try_from((&num << PLACES) / &den).unwrap(), f);
                let slow = sum(&num, &den, f, 128);
                let scaled = |x: &BigUint| x << (128 - WORD);
                assert!(scaled(&quick.0) <= slow.1 && slow.0 <= scaled(&quick.1), "{num}/{den} {f}");
                assert!(&quick.1 - &quick.0 < BigUint::from(1_u8) << 20, "{num}/{den} {f} {quick:?}");
            }
        }
    }

    /// python3 -c "from mpmath import *; mp.dps=60; print(exp(-1), exp(-mpf(1)/3), exp(-20))"
    #[test]
    fn exponentials() {
        for q in [62, 64, 128, 150] {
            let of = |num: u32, den: u32| exp_neg(&fraction(&num.into(), &den.into(), q), q);
            contains(&of(1, 1), q, "36787944117144232159552377016146086744581113103176", 64);
            contains(&of(1, 3), q, "71653131057378925042560409692537966745311205982148", 64);
            contains(&of(20, 1), q, "0000000020611536224385578279659403801558209763757", 64);
            assert!(of(0, 1).1 > one(q));
            assert_eq!(of(1000, 1).0, BigUint::ZERO);
        }
    }

    /// python3: jtheta(3, pi*c, exp(-2*pi*pi*s2))/jtheta(3, 0, …), by another formula than the code's.
    #[test]
    fn thetas() {
        for (num, den, f, digits) in
            [(1_u8, 1_u8, 1_u64 << 31, "99999998"), (4, 1, 1 << 30, "98582018"), (4, 1, 1 << 31, "97164038")]
        {
            for q in [WORD, 128, 192] {
                let got = theta((&num.into(), &den.into()), f, q);
                let shift = BigUint::from(10_u8).pow(8);
                assert!(got.1.clone() - &got.0 < BigUint::from(1_u8) << if q == WORD { 20 } else { 12 });
                assert_eq!(((got.0 * &shift) >> q).to_string(), digits);
            }
        }
    }

    #[test]
    fn wide_sums_are_skipped_soundly() {
        // The direct sum and the bound, where both are possible: σ = 3.
        let (num, den) = (BigUint::from(1_u8), BigUint::from(9_u8));
        let (skipped, direct) = (theta((&num, &den), 1 << 31, 128), {
            quotient(&sum(&num, &den, 1 << 31, 400), &sum(&num, &den, 0, 400), 400)
        });
        assert!(skipped.0 << 272 <= direct.1 && skipped.1 << 272 >= direct.0);
        // At q = 256 the bound is not small enough, and the sum differs from 1 by less than 2^(3 - 28·9).
        let (low, high) = theta((&num, &den), 1 << 31, 320);
        assert!(high < one(320) && low > one(320) - (one(320) >> 249));
    }

    struct Script(Vec<u64>);

    impl BitSource for Script {
        fn bits(&mut self, _: u32) -> u64 {
            self.0.pop().unwrap()
        }
    }

    #[test]
    fn words_are_drawn_for_the_number_only() {
        // p = 2/3 = 0.aaaa…: any precision draws as many words.
        for start in [62, 64, 128, 256, 1024] {
            let p = |q| fraction(&2_u8.into(), &3_u8.into(), q);
            let a = 0xaaaa_aaaa_aaaa_aaaa;
            assert!(is_below(a - 1, start, &mut Script(vec![]), p));
            assert!(!is_below(a + 1, start, &mut Script(vec![]), p));
            assert!(is_below(a, start, &mut Script(vec![5, a]), p));
            assert!(!is_below(a, start, &mut Script(vec![u64::MAX, a, a]), p));
        }
    }
}
