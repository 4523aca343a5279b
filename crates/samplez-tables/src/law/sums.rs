//! Sums over a narrow law, σ < 5, with relative precision.

use crate::density::{Density, Side};
use crate::fixed::{Interval, Scaled, exp_neg};

/// The exponent of a sum whose square root is 0 as a double.
const NEGLIGIBLE: i32 = 2800;

/// Sums over the distances k >= 1 of a side, with the weights w = e^-g over that of the mode.
pub(super) struct Sums<const N: usize> {
    /// Σ k^j w for j = 0, …, 4.
    pub(super) powers: [Scaled<N>; 5],
    /// Σ g w.
    pub(super) gaps: Scaled<N>,
}

/// The sums of a side.
pub(super) fn sums<const N: usize>(density: &Density<N>, side: Side) -> Sums<N> {
    let exponent = density.exponent();
    let first = exponent.gap(side, 0, 1).map(|gap| exp_neg(&gap)).filter(|first| first.shift < NEGLIGIBLE + 80);
    // Elsewhere even the sum with g is below 2^-2800, as each term is below 2^20 times its weight or 2^-2^20.
    let Some(first) = first else {
        return Sums { powers: [Scaled::below(NEGLIGIBLE); 5], gaps: Scaled::below(NEGLIGIBLE) };
    };
    let mut walk = density.relative_walk(side, 1, 0);
    let (mut powers, mut gaps) = ([Interval::ZERO; 5], Interval::ZERO);
    let mut k = 1_u64;
    // From a term at which the ratio is 1/2 or less, those that follow add up to less than 2, and
    // with (k + i)^4 to less than 150k^4; g is at most (k/σ)².
    while walk.value.lo != [0; N] || walk.ratio.lo[N - 2] >> 63 != 0 || walk.ratio.lo[N - 1] != 0 {
        let gap = exponent.gap(side, 0, k.into()).unwrap_or(Interval { lo: [0; N], width: u64::MAX });
        gaps = gaps.add(&walk.value.mul(&gap));
        for (sum, power) in powers.iter_mut().zip(0..) {
            *sum = sum.add(&walk.value.times(k.pow(power)));
        }
        walk.advance();
        k += 1;
    }
    let steepest = (libm::ceil(1.0 / (density.sigma() * density.sigma())) as u64).saturating_add(1);
    let rest = walk.value.width.saturating_mul(150 * k.pow(4));
    let whole = |sum: Interval<N>, rest| first.mul(&sum.add(&Interval { lo: [0; N], width: rest }));
    Sums { powers: powers.map(|sum| whole(sum, rest)), gaps: whole(gaps, rest.saturating_mul(steepest)) }
}

/// E[(X - x0)^j] for j = 1, 2, 3, 4, in absolute value: for odd j X leans from the mode towards c.
pub(super) fn around_mode<const N: usize>(density: &Density<N>) -> [Scaled<N>; 4] {
    let [up, down] = [Side::Up, Side::Down].map(|side| sums(density, side).powers);
    let (more, less) = if density.exponent().four_offsets().0 < 0 { (up, down) } else { (down, up) };
    core::array::from_fn(|i| {
        let (more, less) = (more[i + 1], less[i + 1]);
        let sum = if i % 2 == 0 { more.sub(&less) } else { more.add(&less) };
        sum.mul(density.mode_mass())
    })
}
