//! One side of a table: the rounded masses of its tails, from outside in.

use super::rounding::Rounding;
use crate::density::{Density, Side};
use crate::fixed::{Interval, add, nearest};
use crate::progress;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::f64::consts::LN_2;
use libm::{log, sqrt};

/// Steps of the recurrence between two direct exponentials.
const BLOCK: usize = 256;

/// Sides up to this long keep their probabilities, which the bound needs again.
const NEAR: usize = 4096;

/// The interval does not decide a bit: more limbs are needed.
pub(super) struct Undecided;

/// The rule of rounding.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub(super) precision: u32,
    pub(super) rounding: Rounding,
    /// Probabilities of ±k together.
    pub(super) folded: bool,
    /// Whether to round down what the interval does not decide: the weight may be one less than it should.
    pub(super) last: bool,
}

/// The tails of one side.
pub(super) struct Cumulate<'a, const N: usize> {
    density: &'a Density<N>,
    sigma: f64,
    side: Side,
    rule: Rule,
    /// The integer and the leading B bits of the fraction.
    leading: [u64; N],
    /// P from distance 1 to the table's end, if that is near.
    near: OnceCell<Vec<Interval<N>>>,
}

impl<'a, const N: usize> Cumulate<'a, N> {
    pub(super) fn new(density: &'a Density<N>, sigma: f64, side: Side, rule: Rule) -> Self {
        let mut leading = [u64::MAX; N];
        for (i, limb) in leading[..N - 1].iter_mut().rev().enumerate() {
            let bits = rule.precision.saturating_sub(64 * i as u32).min(64);
            *limb = u64::MAX.checked_shl(64 - bits).unwrap_or(0);
        }
        Cumulate { density, sigma, side, rule, leading, near: OnceCell::new() }
    }

    /// The number of distances k >= 1 with 2^B P >= 1.
    pub(super) fn floored_len(&self) -> Result<u64, Undecided> {
        let about = self.about();
        // Not in WebAssembly, where each line is downloaded.
        if cfg!(not(target_arch = "wasm32")) && about < NEAR as f64 {
            // Blocks as those of the certificate, which begins at the mode above and next to it below.
            let (mut near, mode) = (Vec::with_capacity(about as usize + 2), usize::from(self.side == Side::Up));
            let mut walk = self.density.walk(self.side, 1);
            while near.len() < NEAR {
                if self.floor(&self.probability(&walk.value))? == [0; N] {
                    return Ok(self.near.get_or_init(|| near).len() as u64);
                }
                near.push(walk.value);
                if (near.len() + mode).is_multiple_of(BLOCK) {
                    walk = self.density.walk(self.side, near.len() as u64 + 1);
                } else {
                    walk.advance();
                }
            }
        }
        self.first_after(about as u64, |p| Ok(self.floor(p)? == [0; N]))
    }

    /// The same in doubles.
    fn about(&self) -> f64 {
        let offset = self.density.exponent().offset(self.side);
        let bits = f64::from(self.rule.precision + u32::from(self.rule.folded));
        let exponent = LN_2 * bits + log(nearest(&self.density.mode_mass().lo));
        sqrt(offset * offset + 2.0 * self.sigma * self.sigma * exponent.max(0.0)) - offset
    }

    /// P from distance 1 to the table's end, if that is near and its length is known; otherwise none.
    pub(super) fn near(&self) -> &[Interval<N>] {
        self.near.get().map_or(&[], Vec::as_slice)
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
        self.tails(self.outermost(len)?, |k, tail| {
            if k <= len {
                store(k, tail);
            }
            true
        })
    }

    /// The distance from which on [`each`](Self::each) adds up.
    pub(super) fn outermost(&self, len: u64) -> Result<u64, Undecided> {
        if self.rule.rounding == Rounding::Floor { Ok(len) } else { self.negligible() }
    }

    /// A distance from which on P is below an ulp or two.
    fn negligible(&self) -> Result<u64, Undecided> {
        self.first_after(0, |p| Ok(p.lo == [0; N]))
    }

    /// The number of distances k >= 1 before the probability satisfies a condition that, once
    /// true, stays true. A guess that is right spares the search.
    fn first_after(
        &self,
        guess: u64,
        condition: impl Fn(&Interval<N>) -> Result<bool, Undecided>,
    ) -> Result<u64, Undecided> {
        let holds = |k: u64| condition(&self.probability(&self.density.at(self.side, k)));
        if (1..1 << 62).contains(&guess) && !holds(guess)? && holds(guess + 1)? {
            return Ok(guess);
        }
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

    /// Returns the probability of one index: P, or twice that.
    fn probability(&self, p: &Interval<N>) -> Interval<N> {
        if self.rule.folded { p.add(p) } else { *p }
    }

    /// Returns the leading B bits of the fraction, if the interval agrees on them. In the last attempt the lower end decides.
    fn floor(&self, x: &Interval<N>) -> Result<[u64; N], Undecided> {
        let leading = |limbs: [u64; N]| core::array::from_fn(|i| limbs[i] & self.leading[i]);
        let (low, high) = (leading(x.lo), leading(x.hi().ok_or(Undecided)?));
        if low == high || self.rule.last { Ok(low) } else { Err(Undecided) }
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
        let mut block = Vec::new();
        let mut floored = [0; N];
        // From the first negligible P on, less than 8 ulp, the sum is below σ + 1 times that.
        let mut tail = Interval { lo: [0; N], width: ((8.0 * self.sigma) as u64).saturating_add(16) };
        let mut end = from;
        while end > 0 {
            let start = end.saturating_sub(BLOCK as u64) + 1;
            let len = (end - start + 1) as usize;
            let values = match self.near.get() {
                Some(near) if end <= near.len() as u64 => &near[end as usize - len..][..len],
                _ => {
                    let mut walk = self.density.walk(self.side, start);
                    block.resize(len, Interval::ZERO);
                    for value in &mut block {
                        *value = walk.value;
                        walk.advance();
                    }
                    &block[..]
                }
            };
            for (i, value) in values.iter().enumerate().rev() {
                let value = &self.probability(value);
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
            progress::add(len as u64);
            end = start - 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::sigma;
    use alloc::vec::Vec;
    use samplez_core::{DiscreteGaussian, Width};

    fn law(sigma: &str, center: &str) -> DiscreteGaussian {
        DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
    }

    fn density<const N: usize>(law: &DiscreteGaussian) -> Density<N> {
        Density::new(law, sigma(law))
    }

    fn rule(precision: u32, rounding: Rounding, folded: bool) -> Rule {
        Rule { precision, rounding, folded, last: false }
    }

    /// Fractions of 128 bits are integers here.
    #[test]
    fn roundings_are_those_of_integers() {
        let density = density::<3>(&law("3.2", "0"));
        let split = |x: u128| [x as u64, (x >> 64) as u64, 0];
        let mut state = 1_u128;
        for i in 0..if cfg!(miri) { 36 } else { 4000 } {
            state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1);
            let precision = [1, 7, 32, 63, 64, 65, 96, 126, 127][i % 9];
            let (unit, half) = (1_u128 << (128 - precision), 1_u128 << (127 - precision));
            // Near a multiple of a half, at random, or near 1.
            let near = |x: u128| x.wrapping_add(state >> 125).wrapping_sub(4);
            let lo = match i % 4 {
                0 => near((state >> 1) / half * half),
                1 => state.rotate_right(64),
                2 => near(half),
                _ => u128::MAX - (state >> 124),
            };
            let width = [0, 1, 3, (state >> 70) as u64 >> (state >> 122)][i / 9 % 4];
            let x = Interval { lo: split(lo), width };
            let cumulate = |rounding| Cumulate::new(&density, 3.2, Side::Up, rule(precision, rounding, false));
            if let Some(hi) = lo.checked_add(width.into()) {
                let floor = |x: u128| x / unit * unit;
                let want = (floor(lo) == floor(hi)).then(|| split(floor(lo)));
                assert_eq!(cumulate(Rounding::Floor).floor(&x).ok(), want, "{precision} {x:?}");
                let nearest = |x: u128| x.checked_add(half).map(floor);
                let want = (nearest(lo) == nearest(hi)).then(|| split(nearest(lo).unwrap_or(unit.wrapping_neg())));
                assert_eq!(cumulate(Rounding::Nearest).nearest(&x).ok(), want, "{precision} {x:?}");
            }
        }
    }

    /// Distances up to which an index has a threshold, by their definitions.
    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn lengths_are_those_of_the_definitions() {
        for (center, folded) in [("0", true), ("1/3", false)] {
            let law = law("7/2", center);
            let density = density::<5>(&law);
            for precision in [1, 2, 5, 40, 64, 65] {
                for side in [Side::Up, Side::Down] {
                    let unit = |bits: u32| Interval::<5>::ONE.shr(bits).lo;
                    let twice = u32::from(folded);
                    let reaches = |x: &Interval<5>, bits: u32| crate::fixed::sub(&x.lo, &unit(bits + twice)).is_some();
                    let all: Vec<_> = (1..60).map(|k| density.at(side, k)).collect();
                    let floored = all.iter().filter(|p| reaches(p, precision)).count();
                    let mut tail = Interval::ZERO;
                    let mut nearest = 0;
                    for p in all.iter().rev() {
                        tail = tail.add(p);
                        nearest += u64::from(reaches(&tail, precision + 1));
                    }
                    let cumulate = |rounding| Cumulate::new(&density, 3.5, side, rule(precision, rounding, folded));
                    assert_eq!(cumulate(Rounding::Floor).floored_len().ok(), Some(floored as u64));
                    assert_eq!(cumulate(Rounding::Nearest).nearest_len().ok(), Some(nearest));
                    let from = cumulate(Rounding::Nearest).negligible().ok().unwrap();
                    assert!(density.at(side, from).lo != [0; 5] && density.at(side, from + 1).lo == [0; 5]);
                }
            }
        }
        // No distance has less than 2^-128.
        let density = density::<5>(&law("9e18", "0"));
        let cumulate = Cumulate::new(&density, 9e18, Side::Up, rule(128, Rounding::Floor, true));
        assert_eq!(cumulate.floored_len().ok(), Some(1 << 63));
    }

    /// Where hardly any bits are left for it, what stands beyond the first distance counts.
    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn what_is_decided_is_what_more_bits_say() {
        for (center, folded) in [("0", true), ("1/3", false)] {
            let law = law("100000", center);
            let (few, more) = (density::<3>(&law), density::<5>(&law));
            let few = |precision| Cumulate::new(&few, 1e5, Side::Up, rule(precision, Rounding::Nearest, folded));
            let more = |precision| Cumulate::new(&more, 1e5, Side::Up, rule(precision, Rounding::Nearest, folded));
            let from = few(128).negligible().ok().unwrap();
            let least = from - 300;
            let mut wanted = Vec::new();
            let is_decided = more(150).tails(more(150).negligible().ok().unwrap(), |k, tail| {
                if k <= from {
                    wanted.push((k, Interval { lo: *tail, width: 0 }));
                }
                k > least
            });
            assert!(is_decided.is_ok() && wanted.len() == 301);
            for precision in [90, 113, 114, 115, 116, 117, 118] {
                let mut decided = Vec::new();
                let is_decided = few(precision).tails(from, |k, tail| {
                    decided.push((k, *tail));
                    k > least
                });
                assert!(is_decided.is_ok() || precision > 90);
                for ((k, tail), (other, exact)) in decided.into_iter().zip(&wanted) {
                    let exact = more(precision).nearest(exact).ok().unwrap();
                    assert_eq!((k, tail), (*other, [exact[2], exact[3], exact[4]]), "{precision}");
                }
            }
        }
    }
}
