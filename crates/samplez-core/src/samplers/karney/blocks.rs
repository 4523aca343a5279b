//! Blocks of whole integers: every width and every centre.
//!
//! Karney's D4 begins each k at the point kσ + sc, which must be rational. Here k stands for a block of t = ⌈τ⌉ integers, so
//! that no point depends on σ; the exponent alone does. τ is σ, `s` or k as the width states it, with
//! ρ(z) = exp(-ω(z - c)²/τ²) for ω = ½, π or ln 2. Proof: docs/proofs/karney.md.
//!
//! ```text
//! B1  k ← P(k) ~ exp(-ωrk²), r = min(⌊t²/τ²⌋, 8)
//! B2  s ← ±1; j ← {0, …, t-1}; if k = j = 0, s < 0 and c is an integer, B1
//! B3  D ← g_s + kt + j, g_s the distance from c to the first integer above it (s > 0) or not above it
//! B4  accept with probability exp(-ωX), X = (D² - min(g₊, g₋)²)/τ² - rk², else B1
//! B5  return c + sD
//! ```
//!
//! For ω = ½ the coin is exp(-Y) with Y = X/2, otherwise exp(-ωY) with Y = X. λ, below, is 1 or ω.

use super::super::common::below::{J_OF_32, J_OF_64, M_OF_32, below, uniform_bits};
use super::super::common::estimate::estimated_exp_neg;
use super::super::common::exp_square::{FAST, K_EXTRA_BITS, K_MAX, KTable, PREFIXES, coin_h, draw_k};
use super::super::common::ln2::is_below_ln2;
use super::super::common::quarter_pi::{QUARTER_PI_BITS, is_below_quarter_pi};
use super::super::common::runs::{COIN, is_even, long_run_bits, run_from};
use super::super::common::wide::{Fraction, LOWER_BOUND_SLACK, Wide};
use crate::bits::{BitSource, bernoulli};
use crate::params::{DiscreteGaussian, ParamError, Width};
use core::f64::consts::{LN_2, PI};

/// The largest ⌈τ⌉: K_MAX·2^47 = 2^62, and with ⌊c⌋ <= 2^62 no sum exceeds an `i64`.
pub(super) const BLOCK_MAX: u64 = 1 << 47;
/// lg of the Y from which B4 rejects: exp(-λY) is at most 2^(-2^15).
const Y_BITS: u32 = 15;
/// The largest r.
const RATE_MAX: u128 = 8;

/// ω.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Omega {
    Half,
    Ln2,
    Pi,
}

impl Omega {
    /// X/Y.
    const fn scale(self) -> u8 {
        if matches!(self, Omega::Half) { 2 } else { 1 }
    }

    /// λ/parts is at most 1.
    const fn parts(self) -> u32 {
        if matches!(self, Omega::Pi) { 4 } else { 1 }
    }

    /// True with probability e^-ω.
    fn exp_omega<B: BitSource + ?Sized>(self, bits: &mut B) -> bool {
        match self {
            Omega::Half => coin_h(bits),
            Omega::Ln2 => bits.bit(),
            Omega::Pi => (0..4).all(|_| self.run(|_| true, bits)),
        }
    }

    /// True with probability e^-λ.
    fn exp_whole<B: BitSource + ?Sized>(self, bits: &mut B) -> bool {
        if self == Omega::Half { run_from(1, 1, 1, bits) } else { self.exp_omega(bits) }
    }

    /// True with probability e^(-λy).
    fn exp_part<const C: u32, B: BitSource + ?Sized>(self, y: &Fraction, bits: &mut B) -> bool {
        match (self, y) {
            _ if y.is_zero() => true,
            (Omega::Half, Fraction::Small(num, den)) => {
                is_even::<C, B>(y.lower_bound(), LOWER_BOUND_SLACK, bits, || (*num, *den))
            }
            _ => (0..self.parts()).all(|_| self.run(|bits| y.coin(bits), bits)),
        }
    }

    /// Whether a run of the coins λy/parts, λy/(2·parts), λy/(3·parts), … is even.
    fn run<B: BitSource + ?Sized>(self, mut y: impl FnMut(&mut B) -> bool, bits: &mut B) -> bool {
        let mut heads = 0_u64;
        let lambda = |bits: &mut B| match self {
            Omega::Half => true,
            Omega::Ln2 => is_below_ln2::<COIN, B>(bits.bits(COIN), bits),
            Omega::Pi => is_below_quarter_pi(bits),
        };
        while bernoulli(1, u128::from(heads + 1), bits) && lambda(bits) && y(bits) {
            heads += 1;
        }
        heads.is_multiple_of(2)
    }
}

/// The law in integers: ρ(z) = exp(-ωb·M²/(a·den²)) with M = den·|z - c|, and τ² = a/b.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    pub(super) target: DiscreteGaussian,
    /// ⌊c⌋.
    base: i64,
    /// c's denominator.
    den: u64,
    /// den·g_s for s > 0 and s < 0.
    gaps: [u64; 2],
    omega: Omega,
    a: u128,
    b: u128,
    /// t.
    block: u64,
    /// r.
    rate: u64,
}

impl Blocks {
    /// As [`Karney::new`](super::Karney::new).
    pub(super) fn new(law: &DiscreteGaussian) -> Result<Self, ParamError> {
        let (width, center) = (law.width(), law.center());
        let refuse = |argument, value, allowed| ParamError::Unsupported { method: "karney", argument, value, allowed };
        let q = width.value();
        let (a, b) = (u128::from(q.num().unsigned_abs()), u128::from(q.den()));
        let (omega, block, a, b, allowed) = match width {
            Width::SigmaSq(_) => {
                let above = a.div_ceil(b);
                let root = above.isqrt();
                (Omega::Half, root + u128::from(root * root < above), a, b, "sigma <= 2^47")
            }
            Width::Sigma(_) => (Omega::Half, a.div_ceil(b), a * a, b * b, "sigma <= 2^47"),
            Width::KSigma2(_) => (Omega::Ln2, a.div_ceil(b), a * a, b * b, "k_sigma2 <= 2^47"),
            Width::S(_) => (Omega::Pi, a.div_ceil(b), a * a, b * b, "s <= 2^47"),
        };
        if block > BLOCK_MAX.into() {
            return Err(refuse(width.name(), q, allowed));
        }
        if center.floor().unsigned_abs() > 1 << 62 {
            let allowed = "|center| <= 2^62; subtract an integer from it and add that to the samples";
            return Err(refuse("center", center, allowed));
        }
        // The numerator of c's fraction.
        let above = i128::from(center.num()).rem_euclid(i128::from(center.den())) as u64;
        let below_next = if above == 0 { 0 } else { center.den() - above };
        // t < τ + 1 <= 2τ unless t = 1, so that t²b < 4a <= 2^128.
        let rate = (block * block * b / a).min(RATE_MAX) as u64;
        Ok(Blocks {
            target: *law,
            base: center.floor(),
            den: center.den(),
            gaps: [below_next, above],
            omega,
            a,
            b,
            block: block as u64,
            rate,
        })
    }

    /// B1, with a prefix of lg N bits where there is a table.
    fn draw_k<const N: usize, B: BitSource + ?Sized>(&self, bits: &mut B) -> u64 {
        if self.by_table() {
            let prefix = bits.bits(const { N.ilog2() });
            let k = u64::from(KTable::<N>::TABLE[prefix as usize]);
            return if k < FAST as u64 { k } else { draw_k(prefix, const { N.ilog2() }, bits) };
        }
        loop {
            let mut k = 0;
            while k < K_MAX && self.heads(1, bits) {
                k += 1;
            }
            if k < K_MAX && self.heads(k * k.saturating_sub(1), bits) {
                return k;
            }
        }
    }

    fn by_table(&self) -> bool {
        self.omega == Omega::Half && self.rate == 1
    }

    /// True with probability exp(-ωr·times).
    fn heads<B: BitSource + ?Sized>(&self, times: u64, bits: &mut B) -> bool {
        (0..self.rate * times).all(|_| self.omega.exp_omega(bits))
    }

    /// The integer of k, s and j, and den·D. kt + j < 2^62.
    fn point(&self, k: u64, negative: bool, j: u64) -> (i64, u128) {
        let steps = k * self.block + j;
        let distance = u128::from(self.gaps[usize::from(negative)]) + u128::from(self.den) * u128::from(steps);
        let value =
            if negative { self.base - steps as i64 } else { self.base + i64::from(self.gaps[0] > 0) + steps as i64 };
        (value, distance)
    }

    /// ⌊Y⌋ and the rest of Y, or `None` if Y >= 2^15.
    ///
    /// den·D < 2^126 and b < 2^128, so that all numbers are below 2^380; Y >= 0 by the proof.
    fn exponent(&self, k: u64, distance: u128) -> Option<(u64, Fraction)> {
        let least = u128::from(self.gaps[0].min(self.gaps[1]));
        let (less, more) = (distance - least, distance + least);
        let square = u128::from(self.den) * u128::from(self.den);
        let (steps, scale) = (u128::from(self.rate * k * k), u128::from(self.omega.scale()));
        let small = || {
            // 2^125 with the scale.
            let unit = self.a.checked_mul(square).filter(|unit| *unit <= 1 << 124)?;
            let all = less.checked_mul(more)?.checked_mul(self.b)?;
            Some((all - unit.checked_mul(steps)?, unit * scale))
        };
        if let Some((num, unit)) = small() {
            let whole = if num < unit { 0 } else { num / unit };
            return (whole >> Y_BITS == 0).then(|| (whole as u64, Fraction::Small(num - whole * unit, unit)));
        }
        let unit = Wide::new(self.a).times(square);
        let num = Wide::new(less).times(more).times(self.b).minus(unit.times(steps))?;
        let (whole, rest) = num.divided(unit.times(scale), Y_BITS)?;
        Some((whole, Fraction::Large(rest, unit.times(scale))))
    }

    /// One attempt, with k from a prefix of lg N bits, j from a draw of J and first coins of C. The law does not depend on them.
    #[inline(always)]
    pub(super) fn attempt_with<const N: usize, const J: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Option<i64> {
        let k = self.draw_k::<N, B>(bits);
        let draw = bits.bits(1 + J);
        let negative = draw & 1 != 0;
        let j = below::<J, B>(draw >> 1, self.block, (1 << J) % self.block, bits);
        if negative && k == 0 && j == 0 && self.gaps[0] == 0 {
            return None;
        }
        let (value, distance) = self.point(k, negative, j);
        let (whole, rest) = self.exponent(k, distance)?;
        ((0..whole).all(|_| self.omega.exp_whole(bits)) && self.omega.exp_part::<C, B>(&rest, bits)).then_some(value)
    }

    /// One attempt.
    pub(super) fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        if self.block <= M_OF_32 {
            self.attempt_with::<PREFIXES, J_OF_32, COIN, B>(bits)
        } else {
            self.attempt_with::<PREFIXES, J_OF_64, COIN, B>(bits)
        }
    }

    /// Expected bits of one attempt, and its probability of success.
    pub(super) fn cost(&self) -> (f64, f64) {
        let estimate = Estimate::new(self.omega);
        let weights: [f64; FAST] =
            core::array::from_fn(|k| estimated_exp_neg(estimate.omega * self.rate as f64 * (k * k) as f64));
        let total: f64 = weights.iter().sum();
        let draw = if self.by_table() {
            f64::from(PREFIXES.ilog2()) + K_EXTRA_BITS
        } else {
            estimate.draw_k(self.rate, &weights)
        };
        let j_bits = if self.block <= M_OF_32 { J_OF_32 } else { J_OF_64 };
        let redraw = ((1 << j_bits) % self.block) as f64 / (1_u64 << j_bits) as f64;
        let mut bits = draw + 1.0 + f64::from(j_bits) + redraw * uniform_bits(self.block);
        let mut accepted = 0.0;
        // j, or enough evenly spaced values of it: the sums over D are smooth.
        let strata = self.block.min(4096);
        for (k, weight) in weights.iter().enumerate() {
            for negative in [false, true] {
                for i in 0..strata {
                    let j = (u128::from(2 * i + 1) * u128::from(self.block) / u128::from(2 * strata)) as u64;
                    if negative && k == 0 && j == 0 && self.gaps[0] == 0 {
                        continue;
                    }
                    let (_, distance) = self.point(k as u64, negative, j);
                    let Some((whole, rest)) = self.exponent(k as u64, distance) else { continue };
                    let share = weight / total / 2.0 / strata as f64;
                    let (spent, success) = estimate.exponent(whole, &rest);
                    bits += share * spent;
                    accepted += share * success;
                }
            }
        }
        (bits, accepted)
    }
}

/// Expected bits of the coins, for profiles.
struct Estimate {
    kind: Omega,
    omega: f64,
    /// A coin e^-ω.
    one: f64,
}

impl Estimate {
    fn new(kind: Omega) -> Self {
        let mut estimate = Estimate { kind, omega: [0.5, LN_2, PI][kind as usize], one: 1.0 };
        estimate.one = match kind {
            // `coin_h` compares with 1/(2n) at once.
            Omega::Half => run_bits(0.5, |_| 2.0),
            Omega::Ln2 => 1.0,
            Omega::Pi => estimate.parts(1.0, |n| later(n) + QUARTER_PI_BITS / n),
        };
        estimate
    }

    fn lambda(&self) -> f64 {
        self.omega * f64::from(self.kind.scale())
    }

    /// All runs for exp(-λy) whose nth coin costs `each(n)`, up to the first that is odd.
    fn parts(&self, y: f64, each: impl Fn(f64) -> f64) -> f64 {
        let y = self.lambda() * y / f64::from(self.kind.parts());
        run_bits(y, each) * geometric(estimated_exp_neg(y), self.kind.parts().into())
    }

    /// Bits and probability of exp(-λY).
    fn exponent(&self, whole: u64, rest: &Fraction) -> (f64, f64) {
        let (lambda, y) = (self.lambda(), rest.estimated());
        let first = lambda / f64::from(self.kind.parts());
        let part = match (self.kind, rest) {
            _ if rest.is_zero() => 0.0,
            (Omega::Half, Fraction::Small(..)) => f64::from(2 * COIN) + long_run_bits(y),
            (Omega::Half, _) => self.parts(y, |n| later(n) + 2.0 / n),
            (Omega::Ln2, _) => self.parts(y, |n| later(n) + (f64::from(COIN) + 2.0 * first) / n),
            (Omega::Pi, _) => self.parts(y, |n| later(n) + (QUARTER_PI_BITS + 2.0 * first) / n),
        };
        // Of e^-1 the first coin takes no bits.
        let whole_bits = if self.kind == Omega::Half { run_bits(1.0, later) } else { self.one };
        let survives = estimated_exp_neg(lambda * whole as f64);
        let bits = whole_bits * geometric(estimated_exp_neg(lambda), whole) + survives * part;
        (bits, survives * estimated_exp_neg(lambda * y))
    }

    /// Bits of k by coins, D1 and D2 as printed.
    fn draw_k(&self, rate: u64, weights: &[f64]) -> f64 {
        let coins = |n: u64| self.one * geometric(estimated_exp_neg(self.omega), n);
        let all = estimated_exp_neg(self.omega * rate as f64);
        let (mut bits, mut accepted, mut reached) = (0.0, 0.0, 1.0);
        for (k, weight) in (0..).zip(weights) {
            bits += reached * (coins(rate) + (1.0 - all) * coins(rate * k * u64::saturating_sub(k, 1)));
            accepted += (1.0 - all) * weight;
            reached *= all;
        }
        bits / accepted
    }
}

/// Bits of the coin 1/n.
fn later(n: f64) -> f64 {
    if n > 1.0 { 2.0 } else { 0.0 }
}

/// A run of the coins y/1, y/2, … of which the nth costs `each(n)`.
fn run_bits(y: f64, each: impl Fn(f64) -> f64) -> f64 {
    let (mut bits, mut reached, mut n) = (0.0, 1.0, 1.0);
    while n < 20.0 {
        bits += reached * each(n);
        reached *= y / n;
        n += 1.0;
    }
    bits
}

/// 1 + p + p² + … + p^(n-1); terms beyond the 100th are nothing, or n is small.
fn geometric(p: f64, n: u64) -> f64 {
    let (mut sum, mut power) = (0.0, 1.0);
    for _ in 0..n.min(100) {
        sum += power;
        power *= p;
    }
    sum
}

#[cfg(test)]
mod tests;
