//! i/k² in fixed point: it decides nearly every acceptance of Algorithms 4 and 5.

use crate::product::{full, high};

/// The largest error of a fixed-point probability below the truth, in 2^-64, for [`Exponent::estimate`] and anything
/// that is at most it.
pub(super) const SLACK: u64 = 64;

/// A divisor k, ready for multiplication.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exponent {
    /// The shift that normalizes k, and ⌊(2^127 - 1)/(k << shift)⌋.
    shift: u32,
    inverse: u64,
}

impl Exponent {
    /// For k >= 1.
    pub(super) const fn new(k: u64) -> Self {
        let shift = k.leading_zeros();
        Exponent { shift, inverse: (((1_u128 << 127) - 1) / (k << shift) as u128) as u64 }
    }

    /// i/k² for i = y² + 2kxy, in units of 2^-64, short by less than 36: y <= k, x <= 3.
    ///
    /// y/k in units of 2^-63 is short by less than 2 + 2^-63. The inverse is short by 1 and a bit, times at most 1, and
    /// rounding down adds 1. So 2xy/k is short by less than 4x·2 <= 24 and a bit. And (y/k)² is short by 8 and a bit,
    /// and its rounding down adds 1.
    #[inline(always)]
    pub(super) fn estimate(self, x: u64, y: u64) -> u128 {
        let t = high(y << self.shift, self.inverse);
        full(t, 4 * x) + (full(t, t) >> 62)
    }
}

/// The verdict on a coin: certainly heads, certainly tails, or neither.
#[derive(Clone, Copy)]
pub(super) struct Verdict {
    pub(super) yes: bool,
    pub(super) no: bool,
}

impl Verdict {
    /// Compares a uniform, of which C places are drawn, with a goal in 2^-64. The goal is short of the true one by less
    /// than [`SLACK`].
    #[inline(always)]
    pub(super) fn below<const C: u32>(places: u64, goal: u64) -> Self {
        let low = places << (64 - C);
        Verdict { yes: low | u64::MAX >> C < goal, no: low >= goal.saturating_add(SLACK) }
    }

    /// Whether a uniform, of which C places are drawn, is below a constant, given the floor of
    /// 2^64 times it. Undecided only if the places are those of the constant.
    #[inline(always)]
    pub(super) const fn below_constant<const C: u32>(places: u64, constant: u64) -> Self {
        let head = constant >> (64 - C);
        Verdict { yes: places < head, no: places > head }
    }

    /// Both.
    #[inline(always)]
    pub(super) const fn and(self, other: Verdict) -> Self {
        Verdict { yes: self.yes & other.yes, no: self.no | other.no }
    }
}

/// Whether the length of the run of these coins is certain, and if it is, whether it is even.
#[inline(always)]
pub(super) fn run([first, second, third]: [Verdict; 3]) -> (bool, bool) {
    let settled = first.no | (first.yes & (second.no | (second.yes & third.no)));
    (settled, !first.yes | second.yes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::uniform_below;
    use crate::fixtures::reader;

    /// Against the quotient by long division.
    #[test]
    fn estimates_are_lower_bounds() {
        let mut bits = reader(8);
        for k in [1, 2, 3, 7, 254, 255, 256, 257, 188_388, (1 << 40) - 1, 1 << 40] {
            for round in 0..2000 {
                let y = match round {
                    0 => 0,
                    1 => k,
                    _ => uniform_below(k, &mut bits) + 1,
                };
                for x in 0..4 {
                    let (wide, square) = (u128::from(y), u128::from(k) * u128::from(k));
                    let i = wide * wide + 2 * u128::from(k) * u128::from(x) * wide;
                    let mut rest = i % square;
                    let exact = (0..64).fold(i / square, |quotient, _| {
                        rest *= 2;
                        let digit = u128::from(rest >= square);
                        rest -= digit * square;
                        quotient << 1 | digit
                    });
                    let estimate = Exponent::new(k).estimate(x, y);
                    assert!(estimate <= exact && exact - estimate < 36, "k = {k}, x = {x}, y = {y}");
                }
            }
        }
    }

    #[test]
    fn only_settled_runs_count() {
        let [yes, no, open] = [(true, false), (false, true), (false, false)].map(|(yes, no)| Verdict { yes, no });
        assert_eq!(run([no, open, open]), (true, true));
        assert_eq!(run([yes, no, open]), (true, false));
        assert_eq!(run([yes, yes, no]), (true, true));
        for coins in [[open, no, no], [yes, open, no], [yes, yes, open], [yes, yes, yes]] {
            assert!(!run(coins).0);
        }
    }

    /// What a verdict says: heads, tails, or nothing.
    fn said(verdict: Verdict) -> (bool, bool) {
        (verdict.yes, verdict.no)
    }

    #[test]
    fn a_verdict_is_certain_or_none() {
        let (heads, tails, open) = ((true, false), (false, true), (false, false));
        // Of eight places: 5·2^56 is where the uniforms with the places 5 begin.
        let edge = 5 << 56;
        for (places, goal, verdict) in [
            (4, edge - 1, open),
            (4, edge, heads),
            (4, edge + 1, heads),
            (5, edge, open),
            (5, edge - SLACK + 1, open),
            (5, edge - SLACK, tails),
            (0, 0, open),
            (1, 0, tails),
            (255, u64::MAX, open),
            (255, u64::MAX - SLACK, open),
            (254, u64::MAX, heads),
        ] {
            assert_eq!(said(Verdict::below::<8>(places, goal)), verdict, "{places}, {goal:x}");
        }
        for (places, verdict) in [(0, heads), (4, heads), (5, open), (6, tails), (255, tails)] {
            assert_eq!(said(Verdict::below_constant::<8>(places, edge | 77)), verdict, "{places}");
        }
        let verdict = |(yes, no)| Verdict { yes, no };
        for (a, b, and) in [
            (heads, heads, heads),
            (heads, open, open),
            (open, heads, open),
            (open, open, open),
            (tails, heads, tails),
            (open, tails, tails),
            (tails, tails, tails),
        ] {
            assert_eq!(said(verdict(a).and(verdict(b))), and);
        }
    }
}
