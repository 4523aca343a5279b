//! One coordinate's proposals: an exact discrete Gaussian around a centre on a grid, slightly wider than the coordinate's own.
//!
//! Proof: docs/proofs/lattice.md.

use crate::exp;
use num_bigint::BigUint;
use samplez::{FixedPoint, ParamError, Rational};
use samplez_core::DiscreteGaussian;
use samplez_core::bits::BitSource;
use samplez_core::samplers::{StripRounder, StripWidth};
use samplez_tables::ExactHeights;
use zeroize::Zeroizing;

/// The digits of a centre's fraction.
pub(crate) const GRID: u32 = 32;
/// The units of the constants: 2^-192.
pub(crate) const UNITS: u32 = 192;
/// A batch of fewer calls makes them one by one, and has large scratch buffers.
const FEW: usize = 16;
/// The standard deviations that the quick decision includes.
const REACH: u32 = 12;

/// D_{Z,σ̃,c̃}, and the constants of its correction.
pub(crate) struct Coordinate {
    /// x = 2^shift·y + u with a uniform u, from -2^(shift - 1).
    pub(crate) shift: u32,
    kind: Kind,
    /// 1/σ̃² of y, numerator and denominator.
    pub(crate) inverse: (BigUint, BigUint),
    /// κ: at least D·D̃·e²/(D - D̃), in units of 2^-192.
    pub(crate) slack: BigUint,
    /// The quick decision includes a y with |y - ⌊c̃⌋| up to this.
    pub(crate) reach: i64,
    /// An upper bound of the exponent there, in units of 2^-192.
    pub(crate) exponent: BigUint,
}

enum Kind {
    /// σ̃ >= 1.
    Strips { rounder: Box<StripRounder>, width: StripWidth, law: DiscreteGaussian },
    /// σ < 1.
    Narrow,
}

/// Why a coordinate has no sampler.
#[derive(Debug)]
pub(crate) enum NoCoordinate {
    /// σ < 2^-8.
    Narrow,
    /// σ >= 2^55.
    Wide,
}

impl From<ParamError> for NoCoordinate {
    fn from(_: ParamError) -> Self {
        NoCoordinate::Wide
    }
}

/// A value that is drawn.
pub(crate) struct Drawn {
    pub(crate) x: i64,
    /// The proposal's y.
    pub(crate) y: i64,
    /// Whether the quick decision includes it.
    pub(crate) is_near: bool,
}

impl Coordinate {
    /// The proposals for 1/σ² = num/den.
    pub(crate) fn new(num: &BigUint, den: &BigUint) -> Result<Coordinate, NoCoordinate> {
        let is_narrow = num > den;
        if is_narrow && *num > den << 16 {
            return Err(NoCoordinate::Narrow);
        }
        let (shift, kind, inverse, reach) = if is_narrow {
            // D̃ = D(1 - 2^-32), in units of 2^-64.
            let dn = (((num << 32) - num) << 32) / den;
            (0, Kind::Narrow, (dn, BigUint::from(1_u8) << 64), i64::from(REACH) + 1)
        } else {
            let bits = (den / num).bits() as u32;
            let shift = bits.div_ceil(2).saturating_sub(25);
            if shift > 30 {
                return Err(NoCoordinate::Wide);
            }
            let widening = if shift == 0 { 32 } else { 26 };
            // σ̃² = σ²(1 + 2^-widening)/4^shift, in units of 4^-places, rounded up.
            let places = 60 - bits.div_ceil(2).min(25);
            let square = (((den << widening) + den) << (2 * places)) / (num << (widening + 2 * shift));
            let a = square.sqrt() + 1_u8;
            let size = i64::try_from(&a).map_err(|_| NoCoordinate::Wide)?;
            let sigma = Rational::new(size, 1 << places).ok_or(NoCoordinate::Wide)?;
            let rounder = Box::new(StripRounder::of_sigma(sigma)?);
            let width = rounder.width(sigma)?;
            let law = DiscreteGaussian::with_sigma(sigma)?;
            let reach = ((i128::from(size) * i128::from(REACH)) >> places) as i64 + 1;
            (shift, Kind::Strips { rounder, width, law }, (BigUint::from(1_u8) << (2 * places), &a * &a), reach)
        };
        let (slack, exponent) = constants((num, den), (&inverse.0, &(&inverse.1 << (2 * shift))), shift, reach);
        Ok(Coordinate { shift, kind, inverse, slack, reach, exponent })
    }

    /// A value around this centre, in units of 2^(shift - 32). `None` if it has more than 63 bits.
    pub(crate) fn draw<B: BitSource + ?Sized>(&self, center: i128, start: u32, bits: &mut B) -> Option<Drawn> {
        let fraction = center as u64 & ((1 << GRID) - 1);
        let z = match &self.kind {
            Kind::Strips { rounder, width, law } => {
                // The floor 0 is allowed.
                let fixed = FixedPoint::from_parts(0, fraction << (64 - GRID))?;
                rounder.round_refined((fixed, *width), || Exact::new(fraction, law), bits)
            }
            Kind::Narrow => narrow((&self.inverse.0, &self.inverse.1), fraction, start, bits),
        };
        self.place(center, z, bits)
    }

    /// [`draw`](Self::draw) for each centre, by other integers: all of them together.
    pub(crate) fn draw_each<B: BitSource + ?Sized>(
        &self,
        centers: &[i128],
        start: u32,
        bits: &mut B,
    ) -> Option<Vec<Drawn>> {
        let Kind::Strips { rounder, width, law } = &self.kind else {
            return centers.iter().map(|center| self.draw(*center, start, bits)).collect();
        };
        if centers.len() < FEW {
            return centers.iter().map(|center| self.draw(*center, start, bits)).collect();
        }
        let fraction = |center: i128| center as u64 & ((1 << GRID) - 1);
        let call = |center: i128| Some((FixedPoint::from_parts(0, fraction(center) << (64 - GRID))?, *width));
        let mut calls = centers.iter().map(|center| call(*center)).collect::<Option<Vec<_>>>()?;
        let mut values = Zeroizing::new(vec![0; centers.len()]);
        let refine = |i: usize| Exact::new(fraction(centers[i]), law);
        rounder.round_batch_refined(&calls, refine, bits, &mut values);
        calls.fill(call(0)?);
        zeroize::optimization_barrier(&calls);
        centers.iter().zip(values.iter()).map(|(center, z)| self.place(*center, *z, bits)).collect()
    }

    /// The value at z from a centre's floor.
    fn place<B: BitSource + ?Sized>(&self, center: i128, z: i64, bits: &mut B) -> Option<Drawn> {
        let y = i64::try_from(center >> GRID).ok()?.checked_add(z)?;
        let x = if self.shift == 0 {
            y
        } else {
            let u = bits.bits(self.shift) as i64 - (1 << (self.shift - 1));
            y.checked_mul(1 << self.shift)?.checked_add(u)?
        };
        Some(Drawn { x, y, is_near: z.unsigned_abs() <= self.reach.unsigned_abs() })
    }
}

/// Decisions of a law whose width was checked before. Without a law the source is condemned.
struct Exact(Option<ExactHeights>);

impl Exact {
    /// The decisions around this fraction of a centre, with the width of `law`.
    fn new(fraction: u64, law: &DiscreteGaussian) -> Exact {
        let center = Rational::new(fraction as i64, 1 << GRID);
        let law = center.and_then(|center| DiscreteGaussian::new(center, law.width()).ok());
        Exact(law.map(|law| ExactHeights::new(&law)))
    }
}

impl samplez_core::samplers::Refine for Exact {
    fn accepts<B: BitSource + ?Sized>(&self, trial: &samplez_core::samplers::CloseTrial, bits: &mut B) -> bool {
        match self.0 {
            Some(heights) => heights.accepts(trial, bits),
            None => {
                bits.condemn();
                true
            }
        }
    }
}

/// κ, and the bound of the exponent within the reach. The largest distance of the centres is e. Then
/// D(X̃ + ε)² - D̃X̃² <= (D - D̃)X̃² + 2D|X̃|e + De².
fn constants(own: (&BigUint, &BigUint), wider: (&BigUint, &BigUint), shift: u32, reach: i64) -> (BigUint, BigUint) {
    let (n, d) = own;
    let (m, c) = wider;
    // D = nc/dc, D̃ = md/dc. e in units of 2^-32, of which shift > 0 has 2^(shift - 1) for u.
    let common = d * c;
    let (own, wider) = (n * c, m * d);
    let gap = &own - &wider;
    let e =
        (BigUint::from(1_u8) << shift) + if shift > 0 { BigUint::from(1_u8) << (shift + 31) } else { BigUint::ZERO };
    let square = &e * &e;
    let slack = ((&own * &wider * &square) << (UNITS - 2 * GRID)) / (&gap * &common) + 1_u8;
    let far = BigUint::from(reach.unsigned_abs() + 1) << (shift + GRID);
    let excess = ((&gap * &far * &far + &own * 2_u8 * &far * &e + own * square) << (UNITS - 2 * GRID)) / common + 1_u8;
    let exponent = (excess + &slack) / 2_u8 + 1_u8;
    (slack, exponent)
}

/// A sample of D_{Z,σ,f} for 1/σ² = D > 0.95, f in units of 2^-32.
///
/// A side, and k with probability 2^-(k + 1), propose an integer. It is k steps from the nearer one, away from f, or k + 1 steps on the
/// other side. It is kept with probability 4/5·2^k·exp(-D·(d² - d_0²)/2), d its distance from f and d_0 the smallest one.
fn narrow<B: BitSource + ?Sized>((num, den): (&BigUint, &BigUint), f: u64, start: u32, bits: &mut B) -> i64 {
    let is_lower = f <= 1 << 31;
    let nearest = if is_lower { f } else { (1 << 32) - f };
    loop {
        let is_far = bits.bit();
        let mut k = 0_u64;
        while !bits.bit() {
            k += 1;
        }
        // d² - d_0² = k(k + 2d_0), or m(m - 2d_0) with m = k + 1.
        let m = k + u64::from(is_far);
        let (long, twice) = (u128::from(m) << 32, u128::from(2 * nearest));
        let gap = BigUint::from(m) * if is_far { long - twice } else { long + twice };
        let lead = bits.bits(64);
        let is_kept = exp::is_below(lead, start, bits, |q| {
            let r = exp::fraction(&(num * &gap), &(den << 33), q);
            let (low, high) = exp::exp_neg(&r, q);
            // 4/5·2^k.
            ((low << (k + 2)) / 5_u8, (high << (k + 2)) / 5_u8 + 1_u8)
        });
        if is_kept {
            let steps = m as i64;
            let below = is_lower != is_far;
            return i64::from(!is_lower) + if below { -steps } else { steps };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    /// κ at the minimum of δ, and the exponent at the ends of the reach, in exact rationals: every kind of coordinate.
    #[test]
    fn the_constants_bound_the_extremes() {
        let mut kinds = [0; 3];
        for (num, den) in [(65_536_u128, 1_u128), (4, 1), (1001, 1000), (1, 1), (2, 7), (1, 1_000_000), (3, 1 << 51)]
            .into_iter()
            .chain([(7, 1 << 56), (1, 3_u128.pow(50)), (5, 1 << 110)])
        {
            let (num, den) = (BigUint::from(num), BigUint::from(den));
            let of = Coordinate::new(&num, &den).unwrap();
            let k = of.shift;
            kinds[if num > den { 0 } else { 1 + usize::from(k > 0) }] += 1;
            // D and D̃ over a common denominator.
            let big = |x: BigUint| BigInt::from(x);
            let wide = &of.inverse.1 << (2 * k);
            let common = big(&den * &wide);
            let (own, wider) = (big(num * wide), big(&of.inverse.0 * den));
            let gap = &own - &wider;
            assert!(gap > BigInt::ZERO);
            // e in units of 2^-32.
            let e = (BigInt::from(1) << k) + if k > 0 { BigInt::from(1) << (k + 31) } else { BigInt::ZERO };
            // X = -D̃e/(D - D̃), X̃ = X - e, over gap·2^32.
            let (x, y) = (-(&wider * &e), -(&wider * &e) - &gap * &e);
            let least = (&own * &x * &x - &wider * &y * &y) << UNITS;
            let unit = (&common * &gap * &gap) << 64;
            let slack = big(of.slack.clone());
            assert!(&least + &slack * &unit >= BigInt::ZERO);
            // κ is no larger than it must be.
            assert!(least + (slack.clone() - 2) * unit < BigInt::ZERO);
            let unit = &common << 64;
            for (z, sign) in [(of.reach + 1, 1), (of.reach + 1, -1), (0, 1), (1, -1)] {
                let y = BigInt::from(z) << (32 + k);
                let x = &y + &e * sign;
                let excess = ((&own * &x * &x - &wider * &y * &y) << UNITS) + &slack * &unit;
                assert!(excess <= big(of.exponent.clone()) * 2 * &unit, "{z}");
            }
        }
        assert!(kinds.iter().all(|count| *count >= 2), "{kinds:?}");
    }
}
