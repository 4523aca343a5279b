//! Runs of coins: what the exact rejection samplers share.
//!
//! The run of γ/n is the number of successes in a row of independent coins γ/n, γ/(n+1),
//! γ/(n+2), …: its length is at least i with probability γ^i/(n(n+1)…(n+i-1)), so that it is even
//! with probability 1 - γ/n + γ²/(n(n+1)) - …, which is e^-γ for n = 1 (von Neumann; \[Kar16\],
//! \[CKS20\]).

use crate::bits::{BitSource, LazyUniform, bernoulli};

/// Bits of a first coin.
pub(crate) const COIN: u32 = 16;

/// A C-bit draw as the leading bits of a lazy uniform, compared with a goal in 2^-64 that is
/// short of the true one by less than `slack`.
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
/// γ = num/den <= 1 is what `exact` returns, with den <= 2^126; 0 <= γ - goal/2^64 < slack/2^64.
/// The first two coins are C-bit draws; where they do not decide, `exact` is asked.
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

/// Expected bits of a run of g/1 beyond its first two coins: the coin g/n is reached with
/// probability g^(n-1)/(n-1)!, and takes 2 bits for 1/n and, if that is true, 2 for g.
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
