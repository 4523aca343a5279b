//! The certificate of a table: upper bounds of its distance from the ideal law.
//!
//! Proof: docs/proofs/cdt.md.

mod renyi;

use crate::density::{Density, Side, Walk};
use crate::fixed::{Interval, down, sub, up};
use crate::law::sigma;
use crate::limbs::{enough, with_limbs};
use crate::progress;
use libm::log2;
pub(crate) use renyi::Renyi;
use samplez_core::Bound;
use samplez_core::table::Table;
use samplez_core::table::{CdtTable, Shape};

/// Steps of the recurrence between two direct exponentials.
const BLOCK: u64 = 256;

/// Returns upper bounds of the distance of the table's law from its target, for any digits.
///
/// Computed from the digits (not from [`CdtTable::bound`]) by interval arithmetic, and rounded
/// up throughout. For a table of B bits the bounds are within 0.02 of the true logarithm
/// wherever that is above -B - 30. A table that gives weight where the law has almost none (less than 2^-(B + 96)) gets
/// infinite Rényi bounds.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, build_cdt, certify};
/// let table = build_cdt(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &CdtOptions::default())?;
/// let bound = certify(&table);
/// assert_eq!(bound, table.bound());
/// assert!(bound.log2_tail < -125.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify<S: AsRef<[u32]>>(table: &CdtTable<S>) -> Bound {
    with_limbs!(enough(table.precision()), bound_of(&Weights::new(table)))
}

fn bound_of<const N: usize>(weights: &Weights) -> Bound {
    let target = weights.table.target();
    bound(weights, &Density::<N>::new(target, sigma(target)), [&[]; 2])
}

/// The integers of a table.
pub(crate) struct Weights<'a> {
    table: CdtTable<&'a [u32]>,
    digits_each: usize,
}

impl<'a> Weights<'a> {
    pub(crate) fn new<S: AsRef<[u32]>>(table: &'a CdtTable<S>) -> Self {
        Weights { table: table.view(), digits_each: table.precision().div_ceil(32) as usize }
    }

    /// T_j/2^B, with T_0 = 2^B and T_(n+1) = 0.
    fn tail<const N: usize>(&self, j: usize) -> [u64; N] {
        let (len, digits) = (self.table.len(), self.table.digits());
        let mut fraction = [0; N];
        match j.checked_sub(1) {
            None => fraction[N - 1] = 1,
            Some(j) if j < len => {
                fraction[N - 2] = u64::from(digits[j]) << 32;
                let others = &digits[len + j * (self.digits_each - 1)..][..self.digits_each - 1];
                for (i, digit) in (1..).zip(others) {
                    fraction[N - 2 - i / 2] |= u64::from(*digit) << (32 * (1 - i % 2));
                }
            }
            Some(_) => {}
        }
        fraction
    }

    /// P(index = j): thresholds fall, which a table's constructor checks.
    pub(crate) fn index<const N: usize>(&self, j: usize) -> [u64; N] {
        sub(&self.tail(j), &self.tail(j + 1)).unwrap_or([0; N])
    }
}

/// A stretch of the table's indices j = 0 …, as values x = first + j or first - j.
struct Branch {
    rising: bool,
    first_index: u64,
}

/// The sums over the values.
pub(crate) struct Tally<const N: usize> {
    /// Σ max(q - p, 0), rounded up: the statistical distance, as Σq = Σp = 1.
    excess: f64,
    /// max q/p - 1, rounded up.
    largest: f64,
    renyi: Renyi,
    /// Σ p over the values with q > 0.
    covered: Interval<N>,
}

impl<const N: usize> Tally<N> {
    pub(crate) fn new() -> Self {
        Tally { excess: 0.0, largest: 0.0, renyi: Renyi::new(), covered: Interval::ZERO }
    }

    /// Takes up a value with table probability q > 0 and ideal p; `twice` if there are two.
    pub(crate) fn add(&mut self, q: &Interval<N>, p: &Interval<N>, twice: bool) {
        let count = if twice { 2.0 } else { 1.0 };
        for _ in 0..1 + u32::from(twice) {
            self.covered = self.covered.add(p);
        }
        let (p_low, p_high) = (down(&p.lo), p.hi());
        let p_up = p_high.map_or(f64::INFINITY, |hi| up(&hi));
        // q/p - 1 lies between -deficit and surplus.
        let q_high = q.hi();
        let above = q_high.map_or(f64::INFINITY, |hi| sub(&hi, &p.lo).map_or(0.0, |difference| up(&difference)));
        let below = p_high.map_or(f64::INFINITY, |hi| sub(&hi, &q.lo).map_or(0.0, |difference| up(&difference)));
        let surplus = if above == 0.0 { 0.0 } else { (above / p_low).next_up() };
        let deficit = if below == 0.0 { 0.0 } else { (below / p_low).next_up().min(1.0) };
        self.excess = (self.excess + count * above).next_up();
        self.largest = self.largest.max(surplus);
        self.renyi.add(count * p_up, surplus, deficit);
    }

    /// The bound that follows, everything not taken up having q = 0.
    pub(crate) fn bound(&self) -> Bound {
        let tail = Interval::ONE.sub(&self.covered).hi().map_or(1.0, |hi| up(&hi)).min(1.0);
        let log2_rinf = log2_up(self.largest);
        let log2_renyi = self.renyi.bounds(tail).map(|(order, bound)| (order, log2_up(bound).min(log2_rinf)));
        Bound::new(log2_probability(self.excess), log2_renyi, log2_rinf, log2_probability(tail))
    }
}

/// The bound, from the density of the table's target. `near`: what it is from distance 1 on, above the mode and below, as far as
/// that was computed already.
pub(crate) fn bound<const N: usize>(weights: &Weights, density: &Density<N>, near: [&[Interval<N>]; 2]) -> Bound {
    let table = &weights.table;
    let mut tally = Tally::<N>::new();
    let rising = Branch { rising: true, first_index: 0 };
    let falling = Branch { rising: false, first_index: 1 };
    match table.shape() {
        Shape::Full => walk(weights, density, near, &rising, false, &mut tally),
        Shape::Folded if density.exponent().is_symmetric() && table.first() == density.exponent().mode() => {
            walk(weights, density, near, &rising, true, &mut tally);
        }
        Shape::Folded => {
            walk(weights, density, near, &rising, false, &mut tally);
            walk(weights, density, near, &falling, false, &mut tally);
        }
    }
    tally.bound()
}

/// Hands the values of a branch to the tally; `mirrored` if those of the other branch, with the
/// same probabilities, go with them.
fn walk<const N: usize>(
    weights: &Weights,
    density: &Density<N>,
    near: [&[Interval<N>]; 2],
    branch: &Branch,
    mirrored: bool,
    tally: &mut Tally<N>,
) {
    let table = &weights.table;
    let split = table.shape() == Shape::Folded;
    // The index at the mode, were the branch to go there, and how it moves with the distance.
    let displacement = i128::from(density.exponent().mode()) - i128::from(table.first());
    let at_mode = if branch.rising { displacement } else { -displacement };
    for (side, nearest, near) in [(Side::Up, 0, near[0]), (Side::Down, 1, near[1])] {
        let outwards = (side == Side::Up) == branch.rising;
        let (low, high) = (i128::from(branch.first_index), table.len() as i128);
        // low <= at_mode ± k <= high
        let (from, to) = if outwards { (low - at_mode, high - at_mode) } else { (at_mode - high, at_mode - low) };
        let (Ok(mut from), Ok(to)) = (u64::try_from(from.max(nearest)), u64::try_from(to)) else { continue };
        while from <= to {
            let mut walk = (to > near.len() as u64).then(|| density.walk(side, from));
            for k in from..=to.min(from.saturating_add(BLOCK - 1)) {
                let j = if outwards { at_mode + i128::from(k) } else { at_mode - i128::from(k) } as usize;
                let mut q = weights.index(j);
                if split && j > 0 {
                    q = halved(&q);
                }
                let p = match &walk {
                    Some(walk) => &walk.value,
                    None => k.checked_sub(1).map_or(density.mode_mass(), |k| &near[k as usize]),
                };
                if q != [0; N] {
                    tally.add(&Interval { lo: q, width: 0 }, p, mirrored && j > 0);
                }
                walk.iter_mut().for_each(Walk::advance);
            }
            progress::add((to - from).min(BLOCK - 1) + 1);
            let Some(next) = from.checked_add(BLOCK) else { break };
            from = next;
        }
    }
}

/// x/2, which is exact: there are more bits of fraction than a table has.
fn halved<const N: usize>(x: &[u64; N]) -> [u64; N] {
    Interval { lo: *x, width: 0 }.shr(1).lo
}

/// log2, rounded up; -∞ for 0.
pub(crate) fn log2_up(x: f64) -> f64 {
    if x == 0.0 { f64::NEG_INFINITY } else { log2(x).next_up().next_up() }
}

/// log2 of a probability, rounded up.
pub(crate) fn log2_probability(x: f64) -> f64 {
    log2_up(x).min(0.0)
}
