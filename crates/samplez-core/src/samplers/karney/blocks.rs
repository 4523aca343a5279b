//! Blocks of whole integers: every width and every centre.
//!
//! Karney's D4 begins each k at the point kσ + sc, which must be rational. Here k stands for a block of t >= σ integers, so
//! that no point depends on σ; the exponent alone does. Proof: docs/proofs/karney.md.
//!
//! ```text
//! B1  k ← P(k) ~ exp(-rk²/2), r = min(⌊t²/σ²⌋, 8)
//! B2  s ← ±1; j ← {0, …, t-1}; if k = j = 0, s < 0 and c is an integer, B1
//! B3  D ← g_s + kt + j, g_s the distance from c to the first integer above it (s > 0) or not above it
//! B4  accept with probability exp(-Y), Y = (D² - min(g₊, g₋)²)/2σ² - rk²/2, else B1
//! B5  return c + sD
//! ```
//!
//! For `s` and kσ₂, 1/2σ² is π/s² or (ln 2)/k². There π or ln 2 is μ + δ, with μ a fraction and δ below 2^-12. All steps take μ
//! for it, and B4 accepts with probability exp(-δZ) besides, Z = (D² - min(g₊, g₋)²)/s² or /k².

use super::super::common::below::{J_OF_32, J_OF_64, M_OF_32, below, uniform_bits};
use super::super::common::estimate::estimated_exp_neg;
use super::super::common::exp_square::{FAST, K_EXTRA_BITS, KTable, PREFIXES, coin_h, draw_k};
use super::super::common::remainder::Constant;
use super::super::common::runs::{COIN, is_even, long_run_bits, run_from};
use super::super::common::wide::{Fraction, LOWER_BOUND_SLACK, Wide};
use crate::bits::{BitSource, bernoulli};
use crate::params::{DiscreteGaussian, ParamError, Width};

/// The largest t: K_MAX·2^47 = 2^62, and with ⌊c⌋ <= 2^62 no sum exceeds an `i64`.
pub(super) const BLOCK_MAX: u64 = 1 << 47;
/// lg of the Y from which B4 rejects.
const Y_BITS: u32 = 15;
/// Bits of ⌊Z/64⌋: Z < 2Y + rk² < 2^34, where Y < 2^15 and k < 2^15.
const Z_BITS: u32 = 30;
/// The largest r.
const RATE_MAX: u64 = 8;

/// The law in integers: M = den·D, and 1/2σ² = μb/a, or half of b/a where there is no constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    pub(super) target: DiscreteGaussian,
    /// ⌊c⌋.
    base: i64,
    /// c's denominator.
    den: u64,
    /// den·g_s for s > 0 and s < 0.
    gaps: [u64; 2],
    a: u128,
    b: u128,
    constant: Option<Constant>,
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
        let (num, den) = (u128::from(q.num().unsigned_abs()), u128::from(q.den()));
        let constant = match width {
            Width::Sigma(_) | Width::SigmaSq(_) => None,
            Width::KSigma2(_) => Some(Constant::Ln2),
            Width::S(_) => Some(Constant::Pi),
        };
        let (most, allowed) = match constant {
            None => (u128::from(BLOCK_MAX), "sigma <= 2^47"),
            Some(Constant::Ln2) => (u128::from(BLOCK_MAX), "k_sigma2 <= 2^47"),
            Some(Constant::Pi) => (2 * u128::from(BLOCK_MAX), "s <= 2^48"),
        };
        let squared = matches!(width, Width::SigmaSq(_));
        if !squared && num.div_ceil(den) > most {
            return Err(refuse(width.name(), q, allowed));
        }
        if center.floor().unsigned_abs() > 1 << 62 {
            let allowed = "|center| <= 2^62; subtract an integer from it and add that to the samples";
            return Err(refuse("center", center, allowed));
        }
        let block = match constant {
            Some(constant) => {
                let (over, under) = constant.inverse_root();
                (num * over).div_ceil(den * under)
            }
            None if squared => {
                let above = num.div_ceil(den);
                let root = above.isqrt();
                root + u128::from(root * root < above)
            }
            None => num.div_ceil(den),
        };
        // The numerator of c's fraction.
        let above = i128::from(center.num()).rem_euclid(i128::from(center.den())) as u64;
        let below_next = if above == 0 { 0 } else { center.den() - above };
        let mut blocks = Blocks {
            target: *law,
            base: center.floor(),
            den: center.den(),
            gaps: [below_next, above],
            a: if squared { num } else { num * num },
            b: if squared { den } else { den * den },
            constant,
            block: block as u64,
            rate: 1,
        };
        // rσ² <= t².
        let (twice, unit) = blocks.twice();
        let all = Wide::new(blocks.b).times(twice).times(block * block);
        let holds = |r: &u64| all.minus(Wide::new(blocks.a).times(unit).times((*r).into())).is_some();
        blocks.rate = (2..=RATE_MAX).take_while(holds).last().unwrap_or(1);
        Ok(blocks)
    }

    /// 2μ, or 1 where there is no constant: 1/σ² = 2μb/a.
    fn twice(&self) -> (u128, u128) {
        self.constant.map_or((1, 1), Constant::twice)
    }

    /// B1, with a prefix of lg N bits: exp(-k²/2) by table, and the rest of it by coins.
    fn draw_k<const N: usize, B: BitSource + ?Sized>(&self, bits: &mut B) -> u64 {
        loop {
            let prefix = bits.bits(const { N.ilog2() });
            let mut k = u64::from(KTable::<N>::TABLE[prefix as usize]);
            if k >= FAST as u64 {
                k = draw_k(prefix, const { N.ilog2() }, bits);
            }
            if (0..(self.rate - 1) * k * k).all(|_| coin_h(bits)) {
                return k;
            }
        }
    }

    /// The integer of k, s and j, and M. kt + j < 2^62.
    fn point(&self, k: u64, negative: bool, j: u64) -> (i64, u128) {
        let steps = k * self.block + j;
        let distance = u128::from(self.gaps[usize::from(negative)]) + u128::from(self.den) * u128::from(steps);
        let value =
            if negative { self.base - steps as i64 } else { self.base + i64::from(self.gaps[0] > 0) + steps as i64 };
        (value, distance)
    }

    /// M² less its least value, as a product.
    fn factors(&self, distance: u128) -> (u128, u128) {
        let least = u128::from(self.gaps[0].min(self.gaps[1]));
        (distance - least, distance + least)
    }

    /// ⌊Y⌋ and the rest of Y, or `None` if Y >= 2^15.
    ///
    /// M < 2^126, b < 2^128 and 2μ < 2^17/2^10, so that all numbers are below 2^400; Y >= 0 by the proof.
    #[inline(always)]
    fn exponent(&self, k: u64, distance: u128) -> Option<(u64, Fraction)> {
        let (less, more) = self.factors(distance);
        let square = u128::from(self.den) * u128::from(self.den);
        let (twice, scale) = self.twice();
        let steps = u128::from(self.rate * k * k);
        let small = || {
            // 2^125 with the half.
            let unit = self.a.checked_mul(square)?.checked_mul(scale).filter(|unit| *unit <= 1 << 124)?;
            let all = less.checked_mul(more)?.checked_mul(self.b)?.checked_mul(twice)?;
            Some((all - unit.checked_mul(steps)?, 2 * unit))
        };
        if let Some((num, unit)) = small() {
            let whole = if num < unit { 0 } else { num / unit };
            return (whole >> Y_BITS == 0).then(|| (whole as u64, Fraction::Small(num - whole * unit, unit)));
        }
        self.wide_exponent(k, distance)
    }

    /// The same in wide numbers.
    #[cold]
    #[inline(never)]
    fn wide_exponent(&self, k: u64, distance: u128) -> Option<(u64, Fraction)> {
        let (less, more) = self.factors(distance);
        let (twice, scale) = self.twice();
        let unit = Wide::new(self.a).times(u128::from(self.den) * u128::from(self.den)).times(scale);
        let steps = unit.times(u128::from(self.rate * k * k));
        let num = Wide::new(less).times(more).times(self.b).times(twice).minus(steps)?;
        let (whole, rest) = num.divided(unit.times(2), Y_BITS)?;
        Some((whole, Fraction::Large(rest, unit.times(2))))
    }

    /// ⌊Z/64⌋ and the rest of it, where Y < 2^15.
    #[cold]
    #[inline(never)]
    fn remainder(&self, distance: u128) -> (u64, Fraction) {
        let (less, more) = self.factors(distance);
        let unit = Wide::new(self.a).times(u128::from(self.den) * u128::from(self.den)).times(64);
        let divided = Wide::new(less).times(more).times(self.b).divided(unit, Z_BITS);
        let (whole, rest) = divided.expect("Z < 2^33");
        (whole, Fraction::Large(rest, unit))
    }

    /// One attempt: k from a prefix of lg N bits, j from a draw of J bits, first coins of C bits. The law is the same for all.
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
        // e^-1 for each whole, then the rest.
        let accepted = (0..whole).all(|_| run_from(1, 1, 1, bits))
            && match rest {
                _ if rest.is_zero() => true,
                Fraction::Small(num, den) => {
                    is_even::<C, B>(rest.lower_bound(), LOWER_BOUND_SLACK, bits, || (num, den))
                }
                Fraction::Large(..) => large_run(&rest, bits),
            }
            && self
                .constant
                .is_none_or(|constant| self.is_kept(constant, distance, 2 * whole + 2 + self.rate * k * k, bits));
        accepted.then_some(value)
    }

    /// True with probability exp(-δZ), Z < most: a run of the coins 64δ·(Z/64)/n, of which the first is rarely true.
    ///
    /// 2Y + rk² is 2μZ, and thus above Z.
    #[inline(always)]
    fn is_kept<B: BitSource + ?Sized>(&self, constant: Constant, distance: u128, most: u64, bits: &mut B) -> bool {
        if most <= 64 {
            return constant.exp(|bits| self.remainder(distance).1.coin(bits), bits);
        }
        let (whole, rest) = self.remainder(distance);
        (0..whole).all(|_| constant.exp(|_| true, bits)) && constant.exp(|bits| rest.coin(bits), bits)
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
        let weights: [f64; FAST] =
            core::array::from_fn(|k| estimated_exp_neg((self.rate * (k * k) as u64) as f64 / 2.0));
        let total: f64 = weights.iter().sum();
        let j_bits = if self.block <= M_OF_32 { J_OF_32 } else { J_OF_64 };
        let redraw = ((1 << j_bits) % self.block) as f64 / (1_u64 << j_bits) as f64;
        let mut bits = self.k_bits(total) + 1.0 + f64::from(j_bits) + redraw * uniform_bits(self.block);
        let mut accepted = 0.0;
        // j, or enough evenly spaced values of it: the sums over D are smooth.
        let strata = self.block.min(4096);
        for (k, weight) in (0..).zip(weights) {
            for negative in [false, true] {
                for i in 0..strata {
                    let j = (u128::from(2 * i + 1) * u128::from(self.block) / u128::from(2 * strata)) as u64;
                    if negative && k == 0 && j == 0 && self.gaps[0] == 0 {
                        continue;
                    }
                    let (_, distance) = self.point(k, negative, j);
                    let Some((whole, rest)) = self.exponent(k, distance) else { continue };
                    let share = weight / total / 2.0 / strata as f64;
                    let (y, survives) = (rest.estimated(), estimated_exp_neg(whole as f64));
                    let part = match rest {
                        _ if rest.is_zero() => 0.0,
                        Fraction::Small(..) => f64::from(2 * COIN) + long_run_bits(y),
                        Fraction::Large(..) => run_bits(y, |n| later(n) + 2.0 / n),
                    };
                    // Of e^-1 the first coin takes no bits.
                    bits += share * run_bits(1.0, later) * geometric(estimated_exp_neg(1.0), whole);
                    let (kept_bits, kept) = self.kept(distance);
                    let reached = share * survives * estimated_exp_neg(y);
                    bits += share * survives * part + reached * kept_bits;
                    accepted += reached * kept;
                }
            }
        }
        (bits, accepted)
    }

    /// Bits of k: the table's draws until the coins for r keep one, with probability total/G.
    fn k_bits(&self, total: f64) -> f64 {
        let (mut draws, mut coins) = (0.0, 0.0);
        for k in 0..FAST as u64 {
            let weight = estimated_exp_neg((k * k) as f64 / 2.0);
            draws += weight;
            coins += weight * run_bits(0.5, |_| 2.0) * geometric(estimated_exp_neg(0.5), (self.rate - 1) * k * k);
        }
        (draws * (f64::from(PREFIXES.ilog2()) + K_EXTRA_BITS) + coins) / total
    }

    /// Bits and probability of exp(-δZ).
    fn kept(&self, distance: u128) -> (f64, f64) {
        let Some(constant) = self.constant else { return (0.0, 1.0) };
        let (whole, rest) = self.remainder(distance);
        let (first, y) = (constant.estimated(), rest.estimated());
        let one = constant.coin_bits();
        let runs = geometric(estimated_exp_neg(first), whole);
        let bits = runs * one + run_bits(first * y, |n| later(n) + (one + 2.0 * first) / n);
        (bits, estimated_exp_neg(first * (whole as f64 + y)))
    }
}

/// True with probability e^-y: a run of the coins y/1, y/2, …
#[cold]
#[inline(never)]
fn large_run<B: BitSource + ?Sized>(y: &Fraction, bits: &mut B) -> bool {
    let mut heads = 0_u64;
    while bernoulli(1, u128::from(heads + 1), bits) && y.coin(bits) {
        heads += 1;
    }
    heads.is_multiple_of(2)
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
