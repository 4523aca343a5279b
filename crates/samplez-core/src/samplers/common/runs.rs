//! Runs of coins: the common part of the exact rejection samplers.
//!
//! The run of γ/n is the number of successes in a row of independent coins γ/n, γ/(n+1), γ/(n+2) and so on. Its length
//! is at least i with probability γ^i/(n(n+1)…(n+i-1)). So it is even with probability 1 - γ/n + γ²/(n(n+1)) - …, which
//! is e^-γ for n = 1 (von Neumann; \[Kar16\], \[CKS20\]).

use crate::bits::{BitSource, LazyUniform, bernoulli};

/// Bits of a first coin.
pub(crate) const COIN: u32 = 16;

/// A C-bit draw as the leading bits of a lazy uniform, compared with a goal in 2^-64. The goal is short of the true one
/// by less than `slack`.
#[derive(Clone, Copy)]
struct Coin<const C: u32> {
    draw: u64,
    /// Certainly below the goal.
    below: bool,
    /// Neither certainly below nor certainly not.
    close: bool,
}

impl<const C: u32> Coin<C> {
    #[inline(always)]
    fn new(draw: u64, goal: u64, slack: u64) -> Self {
        let low = draw << (64 - C);
        let below = low | (u64::MAX >> C) < goal;
        Coin { draw, below, close: !below & (low < goal.saturating_add(slack)) }
    }

    /// Whether the uniform is below num/den, the true goal.
    fn settle<B: BitSource + ?Sized>(self, num: u128, den: u128, bits: &mut B) -> bool {
        if self.close { LazyUniform::new(self.draw, C).is_below(num, den, bits) } else { self.below }
    }
}

/// True if the run of γ/1 has even length: with probability e^-γ.
///
/// γ = num/den <= 1 is the result of `exact`, with den <= 2^126; 0 <= γ - goal/2^64 < slack/2^64. The first two coins
/// are C-bit draws. Where they do not decide, `exact` is called.
#[inline(always)]
pub(crate) fn is_even<const C: u32, B: BitSource + ?Sized>(
    goal: u64,
    slack: u64,
    bits: &mut B,
    exact: impl FnOnce() -> (u128, u128),
) -> bool {
    let coins = bits.bits(2 * C);
    let first = Coin::<C>::new(coins & ((1 << C) - 1), goal, slack);
    let second = Coin::<C>::new(coins >> C, goal / 2, slack);
    if first.close | second.close | (first.below & second.below) {
        let (num, den) = exact();
        return long_run(num, den, first, second, bits).is_multiple_of(2);
    }
    // The first coin alone: the run has length 0 or 1.
    !first.below
}

/// The length of the run of γ/1, γ = num/den, of which the first two coins are drawn.
#[cold]
#[inline(never)]
fn long_run<const C: u32, B: BitSource + ?Sized>(
    num: u128,
    den: u128,
    first: Coin<C>,
    second: Coin<C>,
    bits: &mut B,
) -> u64 {
    if !first.settle(num, den, bits) {
        return 0;
    }
    if !second.settle(num, 2 * den, bits) {
        return 1;
    }
    (2..).find(|n| !(bernoulli(1, u128::from(n + 1), bits) && bernoulli(num, den, bits))).unwrap_or(0)
}

/// True if the run of γ/n has even length, γ = num/den <= n.
pub(crate) fn run_from<B: BitSource + ?Sized>(n: u64, num: u64, den: u64, bits: &mut B) -> bool {
    let mut heads = 0;
    while bernoulli(num.into(), u128::from(den) * u128::from(n + heads), bits) {
        heads += 1;
    }
    heads.is_multiple_of(2)
}

/// Returns the expected bits of a run of g/1 beyond its first two coins. The coin g/n is reached with probability
/// g^(n-1)/(n-1)!. It takes 2 bits for 1/n and, if that is true, 2 for g.
pub(crate) fn long_run_bits(goal: f64) -> f64 {
    let (mut bits, mut reached) = (0.0, goal * goal / 2.0);
    let mut n = 3.0;
    while n < 20.0 {
        bits += reached * (2.0 + 2.0 / n);
        reached *= goal / n;
        n += 1.0;
    }
    bits
}

/// ⌊2^64/p⌋ for p = 1 … 8 (2^64 - 1 for p = 1: short by 1 like the others).
pub(crate) const INVERSES: [u64; 9] = {
    let mut table = [u64::MAX; 9];
    let mut p = 2;
    while p <= 8 {
        table[p] = ((1_u128 << 64) / p as u128) as u64;
        p += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::fixtures::reader;

    /// Σ (-1)^i γ^i/(n(n+1)…(n+i-1)).
    fn even(n: f64, goal: f64) -> f64 {
        let (mut sum, mut term) = (0.0, 1.0);
        for i in 0..60 {
            sum += term;
            term *= -goal / (n + f64::from(i));
        }
        sum
    }

    /// As often as that, within 6 deviations; and the bits of a trial.
    fn judge(share: f64, mut trial: impl FnMut() -> bool) {
        let n = 20_000_u32;
        let is = (0..n).filter(|_| trial()).count() as f64;
        let deviation = (f64::from(n) * share * (1.0 - share)).sqrt();
        assert!((is - f64::from(n) * share).abs() <= 6.0 * deviation, "{share}: {is}");
    }

    /// With coins of 3 bits, of which many are close, and with those of 16, which decide nearly always.
    #[test]
    fn even_runs_have_the_exponential_law() {
        for (num, den) in [(0_u64, 1), (1, 3), (1, 2), (7, 8), (1, 1)] {
            let goal = u64::try_from((u128::from(num) << 64) / den).unwrap_or(u64::MAX);
            let exact = || (u128::from(num), den);
            let share = (-(num as f64) / den as f64).exp();
            let mut bits = reader(3);
            judge(share, || is_even::<3, _>(goal, 2, &mut bits, exact));
            judge(share, || is_even::<COIN, _>(goal, 2, &mut bits, exact));
        }
    }

    #[test]
    fn runs_from_a_later_coin_have_their_law() {
        let mut bits = reader(4);
        for (n, num, den) in [(1, 1, 1), (1, 1, 3), (2, 2, 1), (2, 1, 2), (5, 7, 2)] {
            judge(even(n as f64, num as f64 / den as f64), || run_from(n, num, den, &mut bits));
        }
    }

    /// 2 bits for each coin of a run, fewer for one that a few places decide.
    #[test]
    fn what_long_runs_cost() {
        for (num, den) in [(9_u64, 10), (2, 3), (1, 3)] {
            let goal = ((u128::from(num) << 64) / den) as u64;
            let mut bits = Counted::new(reader(5));
            let n = 40_000;
            for _ in 0..n {
                is_even::<COIN, _>(goal, 2, &mut bits, || (num.into(), den));
            }
            let beyond = bits.count() as f64 / f64::from(n) - f64::from(2 * COIN);
            let declared = long_run_bits(num as f64 / den as f64);
            assert!((beyond - declared).abs() < 0.06 * declared, "{num}/{den}: {beyond}, {declared}");
        }
    }

    /// Between the goal and its slack the exact coin is asked, and nowhere else.
    #[test]
    fn exact_coins_are_asked_where_two_do_not_decide() {
        struct Given(u64);
        impl BitSource for Given {
            fn bits(&mut self, n: u32) -> u64 {
                core::mem::replace(&mut self.0, u64::MAX) & (u64::MAX >> (64 - n))
            }
        }
        // The goal is 8/16, the first coin the lower 4 bits; 4/16 is the second's.
        for first in 0..16_u64 {
            for second in 0..16_u64 {
                let mut asked = false;
                let even = is_even::<4, _>(1 << 63, 2, &mut Given(second << 4 | first), || {
                    asked = true;
                    (1, 2)
                });
                let both = first < 8 && second < 4;
                assert_eq!(asked, both || first == 8 || second == 4, "{first}, {second}");
                // Of what is asked the bits are ones: no coin more succeeds.
                assert_eq!(even, both || first >= 8, "{first}, {second}");
            }
        }
    }

    #[test]
    fn inverses_are_rounded_down() {
        for p in 2..=8_u128 {
            assert_eq!(u128::from(INVERSES[p as usize]), (1 << 64) / p);
        }
        assert_eq!(INVERSES[..2], [u64::MAX; 2]);
    }

    /// A coin that decides is right for every true goal in [goal, goal + 64).
    #[test]
    fn coins_decide_only_what_is_certain() {
        for base in [0, 1, 2, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x1_0000] {
            for offset in -70..=70 {
                let Ok(goal) = u64::try_from((i128::from(base) << 48) + offset) else { continue };
                for draw in [0, 1, 2, 0x7ffe, 0x7fff, 0x8000, 0xfffd, 0xfffe, 0xffff] {
                    let coin = Coin::<COIN>::new(draw, goal, 64);
                    let (low, high) = (u128::from(draw) << 48, u128::from(draw + 1) << 48);
                    assert_eq!(coin.below, high <= goal.into(), "{draw:x} and {goal:x}");
                    assert_eq!(coin.close, high > goal.into() && low < u128::from(goal) + 64, "{draw:x} and {goal:x}");
                }
            }
        }
    }
}
