//! Klein's walk from the last coordinate to the first, and the one decision that makes its samples exact.
//!
//! Proof: docs/proofs/lattice.md.

use crate::coordinate::{GRID, UNITS};
use crate::exp::{self, Bounds};
use crate::space::Space;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use samplez_core::bits::BitSource;
use zeroize::Zeroizing;

/// The centre of a form: its λ over a denominator.
pub(crate) struct Target {
    pub(crate) lambda: Vec<BigInt>,
    pub(crate) den: BigInt,
    /// λ_j/(den·d_(j+1)) in units of 2^-digits, rounded down: at most 1/2 and a unit. Without it, every centre is exact.
    fixed: Option<Vec<i64>>,
    /// The probability that a sample within the reach is rejected, in units of 2^-64, rounded up.
    open: u64,
    /// A lower bound of the acceptance probability, in units of 2^-192.
    pub(crate) acceptance: BigUint,
}

/// A walk: coordinates, the proposals' y, and their centres.
pub(crate) struct Walk {
    pub(crate) x: Zeroizing<Vec<i64>>,
    y: Zeroizing<Vec<i64>>,
    centers: Zeroizing<Vec<i128>>,
}

impl Walk {
    fn new(n: usize) -> Walk {
        Walk { x: Zeroizing::new(vec![0; n]), y: Zeroizing::new(vec![0; n]), centers: Zeroizing::new(vec![0; n]) }
    }
}

/// A proposal for each target, as [`Target::propose`] returns it: each coordinate for all of them before the next one.
pub(crate) fn propose_each<B: BitSource + ?Sized>(
    space: &Space,
    targets: &[&Target],
    bits: &mut B,
) -> Option<Vec<(Walk, bool)>> {
    let n = space.dimension();
    let mut walks: Vec<(Walk, bool)> = targets.iter().map(|_| (Walk::new(n), true)).collect();
    let mut sizes = Zeroizing::new(vec![0_u64; targets.len()]);
    let mut centers = Zeroizing::new(vec![0_i128; targets.len()]);
    for j in (0..n).rev() {
        for (((target, (walk, _)), size), center) in
            targets.iter().zip(&walks).zip(sizes.iter()).zip(centers.iter_mut())
        {
            *center = target.center(space, &walk.x, *size, j)?;
        }
        let drawn = space.coordinates[j].draw_each(&centers, space.start, bits)?;
        for ((((walk, is_near), size), center), drawn) in
            walks.iter_mut().zip(sizes.iter_mut()).zip(centers.iter()).zip(&drawn)
        {
            (walk.x[j], walk.y[j], walk.centers[j]) = (drawn.x, drawn.y, *center);
            *is_near &= drawn.is_near;
            *size = size.saturating_add(drawn.x.unsigned_abs());
        }
    }
    Some(walks)
}

impl Target {
    /// The target of this centre, which is within 1/2 of 0 in every direction.
    pub(crate) fn new(space: &Space, lambda: Vec<BigInt>, den: BigInt) -> Target {
        let fixed = lambda
            .iter()
            .zip(&space.reduced.minors[1..])
            .map(|(l, d)| i64::try_from((l << space.digits).div_floor(&(d * &den))).ok());
        let fixed = fixed.collect();
        let (acceptance, open) = space.acceptance(&lambda, &den);
        Target { lambda, den, fixed, open, acceptance }
    }

    /// One sample in the reduced basis. `None` if a coordinate has more than 63 bits.
    pub(crate) fn sample<B: BitSource + ?Sized>(&self, space: &Space, bits: &mut B) -> Option<Zeroizing<Vec<i64>>> {
        loop {
            let (walk, is_near) = self.propose(space, bits)?;
            if self.accepts(space, &walk, is_near, bits) {
                return Some(walk.x);
            }
        }
    }

    /// The decision on a proposal.
    pub(crate) fn accepts<B: BitSource + ?Sized>(
        &self,
        space: &Space,
        walk: &Walk,
        is_near: bool,
        bits: &mut B,
    ) -> bool {
        let lead = bits.bits(64);
        let is_sure = is_near && lead < u64::MAX - self.open;
        is_sure || exp::is_below(lead, space.start, bits, |q| self.probability(space, walk, q))
    }

    /// A proposal, and whether every coordinate is within the reach.
    pub(crate) fn propose<B: BitSource + ?Sized>(&self, space: &Space, bits: &mut B) -> Option<(Walk, bool)> {
        let n = space.dimension();
        let mut walk = Walk::new(n);
        let (mut is_near, mut size) = (true, 0_u64);
        for j in (0..n).rev() {
            let center = self.center(space, &walk.x, size, j)?;
            let drawn = space.coordinates[j].draw(center, space.start, bits)?;
            (walk.x[j], walk.y[j], walk.centers[j]) = (drawn.x, drawn.y, center);
            is_near &= drawn.is_near;
            size = size.saturating_add(drawn.x.unsigned_abs());
        }
        Some((walk, is_near))
    }

    /// The centre of coordinate j on the grid, rounded down. `size` is Σ_{i>j} |x_i|. `None` if it has more than 127 bits.
    fn center(&self, space: &Space, x: &[i64], size: u64, j: usize) -> Option<i128> {
        let filtered = self.fixed.as_ref().zip(space.sum(x, j)).and_then(|(fixed, sum)| {
            let sum = i128::from(fixed[j]).wrapping_sub(sum);
            grid(sum, size.saturating_add(2), space.digits + space.coordinates[j].shift)
        });
        filtered.or_else(|| self.exact_grid(space, x, j))
    }

    /// The exact centre of coordinate j on the grid, rounded down.
    fn exact_grid(&self, space: &Space, x: &[i64], j: usize) -> Option<i128> {
        let num = space.center(&self.lambda, &self.den, x, j) << GRID;
        let den = (&self.den * &space.reduced.minors[j + 1]) << space.coordinates[j].shift;
        i128::try_from(num.div_floor(&den)).ok()
    }

    /// The probability with which this proposal is accepted: exp(-Σ(δ_j + κ_j)/2)·Π θ_j(c̃_j)/θ_j(0).
    fn probability(&self, space: &Space, walk: &Walk, q: u32) -> Bounds {
        let (mut sum, mut lost) = (BigInt::ZERO, 0_u32);
        let mut factor = (BigUint::from(1_u8) << q, BigUint::from(1_u8) << q);
        for (j, coordinate) in space.coordinates.iter().enumerate() {
            let minors = &space.reduced.minors;
            // D(x - c)² = s·(x - c)²·d_(j+1)/d_j.
            let num = &minors[j + 1] * &self.den * walk.x[j] - space.center(&self.lambda, &self.den, &walk.x, j);
            let num = (&num * &num) * BigInt::from(space.scale.0.clone());
            let den = &self.den * &self.den * &minors[j] * &minors[j + 1] * BigInt::from(space.scale.1.clone());
            sum += (num << q) / den;
            // D̃(y - c̃)².
            let distance = (BigInt::from(walk.y[j]) << GRID) - walk.centers[j];
            let (num, den) = (BigInt::from(coordinate.inverse.0.clone()), BigInt::from(coordinate.inverse.1.clone()));
            sum -= ((&distance * &distance * num) << q) / (den << (2 * GRID));
            sum += (BigInt::from(coordinate.slack.clone()) << q) >> UNITS;
            lost += 2;
            let fraction = walk.centers[j] as u64 & ((1 << GRID) - 1);
            let theta = exp::theta((&coordinate.inverse.0, &coordinate.inverse.1), fraction, q);
            factor = exp::product(&factor, &theta, q);
        }
        // The sum of exact numbers is not negative. It is from sum - lost to sum + lost.
        debug_assert!(&sum + lost >= BigInt::ZERO, "δ + κ is below 0");
        let low: BigInt = ((&sum - lost) >> 1_u32).max(BigInt::ZERO);
        let high: BigInt = ((sum + lost) >> 1_u32).max(BigInt::ZERO) + 1_u8;
        let bounds = (low.into_parts().1, high.into_parts().1);
        exp::product(&factor, &exp::exp_neg(&bounds, q), q)
    }
}

/// The centre on the grid by a sum in units of 2^-(digits - shift) whose error is below `size` units. `None` if that leaves it open.
fn grid(sum: i128, size: u64, digits: u32) -> Option<i128> {
    if size >= 1 << 60 {
        return None;
    }
    // |sum| < 2^61·size.
    let (size, shift) = (i128::from(size), digits - GRID);
    let (low, high) = ((sum - size) >> shift, (sum + size) >> shift);
    (low == high).then_some(low)
}

#[cfg(test)]
mod tests;
