//! Skellam laws: probabilities, and the table and the remainder of an exact sampler. And the tails of wide centred binomials.
//!
//! P(k) = e^-V·I_|k|(V). The quotients r_k = I_(k+1)/I_k lie between 0 and 1, fall in k, and satisfy r_k = 1/(2(k+1)/V + r_(k+1)).
//! Those of a centred binomial, C(2η, η + k + 1)/C(2η, η + k) = (η - k)/(η + k + 1), do likewise.
//! Proof: docs/proofs/skellam.md.

use crate::fixed::{Interval, Natural, Scaled, less, sub};
use crate::remainder::{LIMBS, uniform};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use samplez_core::bits::BitSource;
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, NoiseLaw, ParamError, Rational, Width};

/// The precision of the table.
const PRECISION: u32 = 128;
/// Multiples of the standard deviation, and of 8 beside it, up to which the probabilities are computed. Each is tried in turn.
const REACHES: [u64; 3] = [20, 28, 42];
/// Up to this multiple all but 2^-1000 of the law lies.
const FARTHEST: u64 = 40;

/// P(k) = P(-k) for k = 0, 1, …
struct Masses<const N: usize> {
    each: Vec<Scaled<N>>,
    /// All beyond the last on one side together.
    beyond: Scaled<N>,
}

impl<const N: usize> Masses<N> {
    /// As far as the precision requires.
    fn new(variance: Rational) -> Self {
        let found = REACHES.iter().find_map(|reach| Self::up_to(variance, *reach));
        found.unwrap_or_else(|| unreachable!("up to 42 standard deviations all but 2^-1000 lies"))
    }

    /// `None` if all beyond the last is above an ulp, or if the quotients are known too little there.
    fn up_to(variance: Rational, reach: u64) -> Option<Self> {
        let deviation = (u64::try_from(variance.num()).ok()? / variance.den() + 1).isqrt();
        Self::of_ratios(&ratios::<N>(variance, reach * (deviation + 8))?, false)
    }

    /// From the quotients P(k + 1)/P(k), which are below 1 and fall. Beyond the last lies nothing, if they are `all`.
    fn of_ratios(ratios: &[Interval<N>], all: bool) -> Option<Self> {
        // P(k)/P(0), and the sum from k = 1 on.
        let (mut weight, mut sum) = (Scaled::from(Interval::ONE), Interval::ZERO);
        let mut each = vec![weight];
        for ratio in ratios {
            weight = weight.mul(ratio).normal();
            sum = sum.add(&weight.fixed());
            each.push(weight);
        }
        // The quotients fall. So all beyond the last weight is at most that over 1 - r, which is at least 2^-(zeros + 1).
        let zeros = Interval::ONE.sub(ratios.last()?).lo[N - 2].leading_zeros();
        let power = weight.shift - zeros.cast_signed() - 3;
        if power < 64 * (N as i32 - 1) && !all {
            return None;
        }
        // At the scale of the last one, which a difference with it keeps.
        let beyond = if all { Scaled { shift: weight.shift, ..Scaled::ZERO } } else { Scaled::below(power) };
        // The sum over all integers is at least 1. So the bound holds for the probabilities too.
        let share = sum.add(&beyond.fixed()).times(2).add(&Interval::ONE).reciprocal();
        each.iter_mut().for_each(|weight| *weight = weight.mul(&share).normal());
        Some(Masses { each, beyond })
    }

    /// P(|X| = k) without a scale.
    fn folded(&self, k: usize) -> Interval<N> {
        self.each[k].fixed().times(if k > 0 { 2 } else { 1 })
    }

    /// The weights ⌊2^128 P(|X| = k)⌋ for k = 1, 2, … up to the last k with P(|X| >= k) >= 2^-128. `None` if the intervals do not decide
    /// them, unless `last`: then the lower ends do.
    fn floors(&self, last: bool) -> Option<Vec<u128>> {
        let leading = |limbs: &[u64; N]| u128::from(limbs[N - 2]) << 64 | u128::from(limbs[N - 3]);
        let mut tail = self.beyond.fixed().times(2);
        let mut count = self.each.len();
        while leading(&tail.hi()?) == 0 {
            count -= 1;
            tail = tail.add(&self.folded(count));
        }
        let floor = |mass: Interval<N>| {
            let (low, high) = (leading(&mass.lo), leading(&mass.hi()?));
            (low == high || last).then_some(low)
        };
        (1..=count).map(|k| floor(self.folded(k))).collect()
    }
}

/// r_k for all k below `count`; `None` if the two bounds at `count` do not meet.
fn ratios<const N: usize>(variance: Rational, count: u64) -> Option<Vec<Interval<N>>> {
    let step = Natural::new(2 * u128::from(variance.den())).over::<N>(&[variance.num().unsigned_abs()])?;
    let ratio = |k: u64, next: &Interval<N>| step.times(k + 1).add(next).reciprocal();
    // From r < 1, a bound on either side. They change sides at each step, and approach each other.
    let start = count + count / 2;
    let (mut low, mut high) = (ratio(start, &Interval::ONE), Interval::ONE);
    for k in (count..start).rev() {
        (low, high) = (ratio(k, &high), ratio(k, &low));
    }
    let gap = sub(&high.hi()?, &low.lo)?;
    if gap[0] >= 1 << 40 || gap[1..] != [0; N][1..] {
        return None;
    }
    let mut next = Interval { lo: low.lo, width: gap[0] };
    let mut ratios = vec![Interval::ZERO; count as usize];
    for (slot, k) in ratios.iter_mut().rev().zip((0..count).rev()) {
        next = ratio(k, &next);
        *slot = next;
    }
    Some(ratios)
}

/// P(X >= k) for k = 0, 1, … of a law that is symmetric about 0: for its sums.
#[derive(Clone, Debug)]
pub(crate) struct Tails<const N: usize>(Arc<[Scaled<N>]>);

impl<const N: usize> Tails<N> {
    pub(crate) fn new(variance: Rational) -> Self {
        Self::of(Masses::up_to(variance, FARTHEST))
    }

    /// Of CBD(η).
    pub(crate) fn binomial(eta: u32) -> Self {
        let (eta, deviation) = (u64::from(eta), u64::from(eta / 2).isqrt() + 1);
        let count = eta.min(FARTHEST * (deviation + 8));
        let ratio = |k: u64| Interval::ONE.times(eta - k).div_small(eta + k + 1);
        let mut tails = Self::of(Masses::of_ratios(&(0..count).map(ratio).collect::<Vec<_>>(), count == eta));
        // The outermost are few units of 4^-η, exactly: they may lie halfway between two doubles, which no interval decides.
        let (mut choose, mut sum) = (1_u128, 0_u128);
        let outermost = Arc::make_mut(&mut tails.0).iter_mut().rev().skip(1);
        for (i, tail) in (0..).zip(outermost).take_while(|_| count == eta) {
            sum += choose;
            let Ok(units) = u64::try_from(sum) else { break };
            let mut value = Interval::ZERO;
            value.lo[N - 1] = units;
            *tail = Scaled { value, shift: 2 * eta as i32 };
            choose = choose * (2 * u128::from(eta) - i) / (i + 1);
        }
        tails
    }

    fn of(masses: Option<Masses<N>>) -> Self {
        let Masses { mut each, beyond } = masses.unwrap_or_else(|| unreachable!("enough for every precision"));
        let mut tail = beyond;
        for mass in each.iter_mut().rev() {
            // Without a scale of its own the sum's error would leave its limb.
            tail = tail.add(mass).normal();
            *mass = tail;
        }
        each.push(beyond);
        Tails(each.into())
    }

    /// The largest value with a mass of its own. All beyond have less than 2^-1000 together.
    pub(crate) fn reach(&self) -> i64 {
        self.0.len() as i64 - 2
    }

    /// P(X > x) for x >= 0. The end of `i64` stands for all beyond.
    pub(crate) fn above(&self, x: i64) -> Scaled<N> {
        let index = x.unsigned_abs().saturating_add(1).min(self.0.len() as u64 - 1);
        if x == i64::MAX { Scaled::ZERO } else { self.0[index as usize] }
    }
}

/// The weights of |X| = 1, 2, … in the table, of 2^128, and the largest t with P >= (1 - 2^-t) Q.
fn weights(variance: Rational) -> (Vec<u128>, u32) {
    let found = attempt::<5>(variance, false).or_else(|| attempt::<LIMBS>(variance, true));
    found.unwrap_or_else(|| unreachable!("the last attempt decides"))
}

/// The same with N - 1 limbs of fraction.
fn attempt<const N: usize>(variance: Rational, last: bool) -> Option<(Vec<u128>, u32)> {
    let masses = Masses::<N>::new(variance);
    let floors = masses.floors(last)?;
    // Only at 0 may Q exceed P.
    let zero = fraction::<N>(weight_of_zero(&floors));
    let excess = zero.sub(&masses.folded(0)).hi()?;
    let tosses = (1..PRECISION).rev().find(|t| !less(&zero.shr(*t).lo, &excess)).unwrap_or(1);
    Some((floors, tosses))
}

/// The rest of 2^128 beside the other weights.
fn weight_of_zero(floors: &[u128]) -> u128 {
    floors.iter().sum::<u128>().wrapping_neg()
}

/// A number of 128 bits as a fraction.
fn fraction<const N: usize>(leading: u128) -> Interval<N> {
    let mut lo = [0; N];
    (lo[N - 2], lo[N - 3]) = ((leading >> 64) as u64, leading as u64);
    Interval { lo, width: 0 }
}

/// Builds the inversion table of a Skellam law at 128 bits, and the remainder that makes it exact.
///
/// The table is folded, and its weights are rounded down: |X| = k >= 1 has ⌊2^128·P(|X| = k)⌋ of 2^128, and 0 the rest. Its support leaves
/// out less than 2^-128. Its target is the Gaussian of the same variance, and its bound is trivial: both describe Gaussians alone.
///
/// # Errors
///
/// [`ParamError::Unsupported`] unless 2^-16 <= `variance` <= 2^20.
///
/// ```
/// use samplez_core::table::Table;
/// let (table, remainder) = samplez_tables::build_skellam("30".parse()?)?;
/// assert_eq!((table.len(), table.support(), remainder.tosses()), (83, -83..=83, 118));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_skellam(variance: Rational) -> Result<(CdtTable<Vec<u32>>, SkellamRemainder), ParamError> {
    NoiseLaw::Skellam { variance }.bound()?;
    let target = DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq(variance))?;
    let (floors, tosses) = weights(variance);
    let mut digits = vec![0; 4 * floors.len()];
    let mut threshold = 0_u128;
    for (k, weight) in floors.iter().enumerate().rev() {
        threshold += weight;
        digits[k] = (threshold >> 96) as u32;
        for (i, digit) in digits[floors.len() + 3 * k..][..3].iter_mut().enumerate() {
            *digit = (threshold >> (64 - 32 * i)) as u32;
        }
    }
    let table = CdtTable::new(target, Bound::TRIVIAL, Shape::Folded, 0, PRECISION, digits);
    let table = table.unwrap_or_else(|_| unreachable!("sums of weights fall"));
    Ok((table, SkellamRemainder { variance, tosses }))
}

/// The remainder R = (P - (1 - 2^-t) Q)·2^t of a Skellam law P and the law Q of its table.
///
/// Take a sample of R with probability 2^-t, and otherwise one of the table. Then its law is P. Proof: docs/proofs/skellam.md.
#[derive(Clone, Debug)]
pub struct SkellamRemainder {
    variance: Rational,
    tosses: u32,
}

impl SkellamRemainder {
    /// Returns t.
    pub const fn tosses(&self) -> u32 {
        self.tosses
    }

    /// Draws one sample of R; `None` if 512 bits of fraction do not decide it, which has a probability below 2^(t-440).
    ///
    /// # Law
    ///
    /// R, given that it is decided, if `bits` is ideal. Time and memory depend on the sample.
    pub fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let uniform = uniform(self.tosses, bits);
        let negative = bits.bit();
        let distance = self.chosen(&uniform)?;
        Some(if negative { -distance } else { distance })
    }

    #[cold]
    fn chosen(&self, uniform: &[u64; LIMBS]) -> Option<i64> {
        self.distance(&Masses::new(self.variance), &weights(self.variance).0, uniform)
    }

    /// The distance that this number below 2^-t chooses: the first up to which the masses of R·2^-t sum to more.
    fn distance(&self, masses: &Masses<LIMBS>, floors: &[u128], uniform: &[u64; LIMBS]) -> Option<i64> {
        let zero = weight_of_zero(floors);
        let above = Interval { lo: *uniform, width: 1 }.hi()?;
        let mut sum = Interval::ZERO;
        for k in 0..masses.each.len() {
            let weight = fraction(if k == 0 { zero } else { floors.get(k - 1).copied().unwrap_or(0) });
            let kept = weight.sub(&weight.shr(self.tosses));
            sum = sum.add(&masses.folded(k).sub(&kept));
            if less(uniform, &sum.hi()?) {
                // Below the lower end for certain, or undecided.
                return if less(&sum.lo, &above) { None } else { Some(k as i64) };
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
