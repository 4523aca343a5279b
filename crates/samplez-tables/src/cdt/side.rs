//! One side of a table: the rounded masses of its tails, from outside in.

use super::rounding::Rounding;
use crate::density::{Density, Side};
use crate::fixed::{Interval, add};

/// Steps of the recurrence between two direct exponentials.
const BLOCK: usize = 256;

/// The interval does not decide a bit: more limbs are needed.
pub(super) struct Undecided;

/// What is rounded, and how.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub(super) precision: u32,
    pub(super) rounding: Rounding,
    /// Probabilities of ±k together.
    pub(super) folded: bool,
}

/// The tails of one side.
pub(super) struct Cumulate<'a, const N: usize> {
    density: &'a Density<N>,
    sigma: f64,
    side: Side,
    rule: Rule,
}

impl<'a, const N: usize> Cumulate<'a, N> {
    pub(super) fn new(density: &'a Density<N>, sigma: f64, side: Side, rule: Rule) -> Self {
        Cumulate { density, sigma, side, rule }
    }

    /// The number of distances k >= 1 with 2^B P >= 1.
    pub(super) fn floored_len(&self) -> Result<u64, Undecided> {
        self.first_after(|p| Ok(self.floor(p)? == [0; N]))
    }

    /// The number of distances k >= 1 with 2^B P(from k on) >= 1/2: at least that of the former.
    pub(super) fn nearest_len(&self) -> Result<u64, Undecided> {
        let mut len = 0;
        self.tails(self.negligible()?, |k, tail| {
            if *tail != [0; N] {
                len = k;
            }
            len == 0
        })?;
        Ok(len)
    }

    /// Calls `store(k, T/2^B)` for k = len, …, 1, with T the rounded mass from distance k on.
    pub(super) fn each(&self, len: u64, mut store: impl FnMut(u64, &[u64; N])) -> Result<(), Undecided> {
        let from = if self.rule.rounding == Rounding::Floor { len } else { self.negligible()? };
        self.tails(from, |k, tail| {
            if k <= len {
                store(k, tail);
            }
            true
        })
    }

    /// A distance from which on P is below an ulp or two.
    fn negligible(&self) -> Result<u64, Undecided> {
        self.first_after(|p| Ok(p.lo == [0; N]))
    }

    /// The number of distances k >= 1 before the probability satisfies a condition that, once
    /// true, stays true.
    fn first_after(&self, condition: impl Fn(&Interval<N>) -> Result<bool, Undecided>) -> Result<u64, Undecided> {
        let holds = |k: u64| condition(&self.probability(&self.density.at(self.side, k)));
        let (mut below, mut above) = (0, 1);
        while !holds(above)? {
            (below, above) = (above, above.saturating_mul(2));
            if above == u64::MAX {
                return Ok(below);
            }
        }
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            if holds(middle)? { above = middle } else { below = middle }
        }
        Ok(below)
    }

    /// What one index gets: P, or twice that.
    fn probability(&self, p: &Interval<N>) -> Interval<N> {
        if self.rule.folded { p.add(p) } else { *p }
    }

    /// The leading B bits of the fraction, if the interval agrees on them.
    fn floor(&self, x: &Interval<N>) -> Result<[u64; N], Undecided> {
        let leading = |mut limbs: [u64; N]| {
            for (i, limb) in limbs[..N - 1].iter_mut().rev().enumerate() {
                let bits = (self.rule.precision as usize).saturating_sub(64 * i).min(64);
                *limb = if bits == 0 { 0 } else { *limb & u64::MAX << (64 - bits) };
            }
            limbs
        };
        let (low, high) = (leading(x.lo), leading(x.hi().ok_or(Undecided)?));
        if low == high { Ok(low) } else { Err(Undecided) }
    }

    /// The nearest multiple of 2^-B, but at most 1 - 2^-B.
    fn nearest(&self, x: &Interval<N>) -> Result<[u64; N], Undecided> {
        let ulp = |bit: u32| {
            let mut limbs = [0; N];
            let at = 64 * (N - 1) - bit as usize;
            limbs[at / 64] = 1 << (at % 64);
            limbs
        };
        let rounded = self.floor(&Interval { lo: add(&x.lo, &ulp(self.rule.precision + 1)), width: x.width })?;
        if rounded[N - 1] == 0 {
            return Ok(rounded);
        }
        let one = Interval::<N>::ONE.lo;
        crate::fixed::sub(&one, &ulp(self.rule.precision)).ok_or(Undecided)
    }

    /// Calls `visit(k, T/2^B)` for k = from, …, 1 while it returns true.
    fn tails(&self, from: u64, mut visit: impl FnMut(u64, &[u64; N]) -> bool) -> Result<(), Undecided> {
        let mut block = [Interval::ZERO; BLOCK];
        let mut floored = [0; N];
        // From the first negligible P on, less than 8 ulp, the sum is below σ + 1 times that.
        let mut tail = Interval { lo: [0; N], width: ((8.0 * self.sigma) as u64).saturating_add(16) };
        let mut end = from;
        while end > 0 {
            let start = end.saturating_sub(BLOCK as u64) + 1;
            let len = (end - start + 1) as usize;
            let mut walk = self.density.walk(self.side, start);
            for value in &mut block[..len] {
                *value = self.probability(&walk.value);
                walk.advance();
            }
            for (i, value) in block[..len].iter().enumerate().rev() {
                let rounded = match self.rule.rounding {
                    Rounding::Floor => {
                        floored = add(&floored, &self.floor(value)?);
                        floored
                    }
                    Rounding::Nearest => {
                        tail = tail.add(value);
                        self.nearest(&tail)?
                    }
                };
                if !visit(start + i as u64, &rounded) {
                    return Ok(());
                }
            }
            end = start - 1;
        }
        Ok(())
    }
}
