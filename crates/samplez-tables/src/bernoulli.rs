//! Building and certifying the table of the Bernoulli sampler.
//!
//! Proof: docs/proofs/bernoulli.md.

use crate::certify::{Renyi, log2_probability, log2_up};
use crate::error::BuildError;
use crate::fixed::{Constant, Interval, Natural, down, exp_neg, sub, up};
use crate::limbs::{enough, with_limbs};
use alloc::vec;
use alloc::vec::Vec;
use libm::{expm1, scalbn};
use samplez_core::table::{BernoulliTable, DEFAULT_PRECISION, Table, TableError};
use samplez_core::{Bound, DiscreteGaussian};

/// The limits of a table of coins.
///
/// ```
/// use samplez_tables::BernoulliOptions;
/// let options = BernoulliOptions::default();
/// assert_eq!((options.precision, options.max_bytes), (128, 1 << 30));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BernoulliOptions {
    /// The precision B in bits, 1 to 256.
    pub precision: u32,
    /// The most memory that the digits may take, in bytes: at most 1984 at 256 bits.
    pub max_bytes: u64,
}

impl Default for BernoulliOptions {
    /// 128 bits, 1 GiB.
    fn default() -> Self {
        BernoulliOptions { precision: DEFAULT_PRECISION, max_bytes: 1 << 30 }
    }
}

/// Distances that nobody has computed.
const UNKNOWN: Bound = Bound::TRIVIAL;

/// Builds the entries ⌊2^B·2^(-2^i/k²)⌋, with their certified bound.
///
/// # Errors
///
/// [`BuildError`]:
///
/// - `Param` unless the width is `k_sigma2` of an integer k <= 2^28, the centre an integer with |c| <= 2^62, and the
///   precision from 1 to 256;
/// - `TooLarge` for more bytes than allowed.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{DiscreteGaussian, Rational, Width};
/// use samplez_core::{Sampler, samplers::Bernoulli};
/// use samplez_tables::{BernoulliOptions, build_bernoulli};
/// // BLISS-I: σ = 254·sqrt(1/(2 ln 2)) = 215.73.
/// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(254)))?;
/// let table = build_bernoulli(&law, &BernoulliOptions::default())?;
/// assert_eq!((table.digits().len(), table.bytes()), (84, 336)); // 21 entries of 4 digits
/// let profile = Bernoulli::from_table(table).profile();
/// assert!((profile.expected_trials - 1.46972).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_bernoulli(
    law: &DiscreteGaussian,
    options: &BernoulliOptions,
) -> Result<BernoulliTable<Vec<u32>>, BuildError> {
    let precision = options.precision;
    // The constructor alone knows how many digits there are.
    let each = precision.div_ceil(32) as usize;
    let count = match BernoulliTable::new(*law, UNKNOWN, precision, &[][..]) {
        Ok(_) => 0,
        Err(TableError::Length { expected, .. }) => expected / each,
        Err(TableError::Param(error)) => return Err(error.into()),
        Err(_) => return Err(undecided(law)),
    };
    let (bytes, limit) = (4 * (count * each) as u128, options.max_bytes);
    if bytes > limit.into() {
        let (target, what) = (Some(*law), "the table of coins");
        return Err(BuildError::TooLarge { target, what, precision: None, bytes, limit });
    }
    let k = law.width().value().num().unsigned_abs();
    let limbs = enough(precision);
    let entries = with_limbs!(limbs, digits(k, count, precision));
    let entries = entries.or_else(|| with_limbs!(limbs + 2, digits(k, count, precision)));
    let entries = entries.ok_or_else(|| undecided(law))?;
    let table = BernoulliTable::new(*law, UNKNOWN, precision, &entries[..]).map_err(|_| undecided(law))?;
    let bound = certify_bernoulli(&table);
    BernoulliTable::new(*law, bound, precision, entries).map_err(|_| undecided(law))
}

const fn undecided(law: &DiscreteGaussian) -> BuildError {
    BuildError::Undecided { target: *law }
}

/// c_i = 2^(-2^i/k²), i < 62, exactly where it is a power of 2.
fn ideal<const N: usize>(i: usize, k: u64) -> Interval<N> {
    let square = u128::from(k) * u128::from(k);
    if (1_u128 << i).is_multiple_of(square) {
        // At most 33.
        let exponent = ((1_u128 << i) / square) as u32;
        let mut lo = [0; N];
        lo[N - 2] = 1 << (64 - exponent);
        return Interval { lo, width: 0 };
    }
    let exponent = Natural::new(1 << i).over::<N>(&[k, k]).map(|e| e.mul(&Constant::LN_2.to()));
    exponent.map_or(Interval { lo: [0; N], width: 1 }, |exponent| exp_neg(&exponent).fixed())
}

/// The digits of the entries, in storage order; `None` if one cannot be decided.
fn digits<const N: usize>(k: u64, count: usize, precision: u32) -> Option<Vec<u32>> {
    let each = precision.div_ceil(32) as usize;
    let mut digits = vec![0; count * each];
    for (i, entry) in digits.chunks_exact_mut(each).enumerate() {
        let value = ideal::<N>(i, k);
        let (low, high) = (value.lo, value.hi()?);
        for (j, digit) in entry.iter_mut().enumerate() {
            let at = |x: &[u64; N]| (x[N - 2 - j / 2] >> (32 * (1 - j % 2))) as u32;
            let kept = if j + 1 == each { u32::MAX << (precision.wrapping_neg() % 32) } else { u32::MAX };
            *digit = at(&low) & kept;
            if *digit != at(&high) & kept {
                return None;
            }
        }
    }
    Some(digits)
}

/// Returns upper bounds of the distance of the sampler's law from its target. They are computed from the digits (not
/// from [`BernoulliTable::bound`]) by interval arithmetic, in closed form. For any k they are within 3 bits of the
/// truth (2 at k = 254) for the tables of [`build_bernoulli`].
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{DiscreteGaussian, Rational, Width};
/// use samplez_tables::{BernoulliOptions, build_bernoulli, certify_bernoulli};
/// let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(254)))?;
/// let table = build_bernoulli(&law, &BernoulliOptions::default())?;
/// let bound = certify_bernoulli(&table);
/// assert_eq!(bound, table.bound());
/// assert!(bound.log2_sd < -124.0 && bound.renyi(256) < Some(-168.0) && bound.log2_tail < -169.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_bernoulli<S: AsRef<[u32]>>(table: &BernoulliTable<S>) -> Bound {
    with_limbs!(enough(table.precision()), bound(table))
}

/// Far above what rounding of a few hundred operations costs.
const SLACK: f64 = 1.0 + 1.0 / (1_u64 << 40) as f64;
/// 2/(σ₂·sqrt(2π)) = 2·sqrt(ln 2/π), rounded up: 2k/Σ 2^(-z²/k²) is at most this.
const KAPPA: f64 = 0.939_437_278_699_652;

fn bound<const N: usize>(table: &BernoulliTable<impl AsRef<[u32]>>) -> Bound {
    let k = table.target().width().value().num().unsigned_abs();
    let last = last_x(table, k);
    let entries = table.digits().chunks_exact(table.precision().div_ceil(32) as usize);
    let weight = |x: u64| scalbn(1.0, -((x * x) as i32));
    // Whether bit i is ever set in z = y² + 2kxy.
    let reaches = |x: u64, i: usize| ((k - 1) * (k - 1 + 2 * k * x)) >> i != 0;
    // The mass beyond X, and that of the holes where an entry is 0.
    let mut tail = KAPPA * 1.01 * weight(last + 1);
    // Over the entries: E[Σ relative losses], Σ relative gains, and for each x Σ relative losses.
    let (mut lost, mut gained, mut losses) = (0.0, 0.0, vec![0.0; last as usize + 1]);
    for (i, entry) in entries.enumerate() {
        let (entry, ideal) = (fraction::<N>(entry), ideal::<N>(i, k));
        let low = down(&ideal.lo);
        let loss = ideal.hi().map_or(f64::INFINITY, |hi| sub(&hi, &entry).map_or(0.0, |d| up(&d)));
        let gain = sub(&entry, &ideal.lo).map_or(0.0, |d| up(&d));
        let mass: f64 = KAPPA * (0..=last).filter(|x| reaches(*x, i)).map(weight).sum::<f64>();
        lost += mass * loss;
        gained += gain / low;
        if entry == [0; N] {
            tail += mass * loss;
        }
        for (x, losses) in (0..).zip(&mut losses) {
            *losses += if reaches(x, i) { (loss / low).min(1.0) } else { 0.0 };
        }
    }
    // Q/P = r/E[r], with r at most 1 + surplus, and E[r] at least 1 - lost.
    let lost = (lost + KAPPA * 1.01 * weight(last + 1)) * SLACK;
    let surplus = expm1(gained * SLACK) * SLACK;
    let largest = if lost < 1.0 { (surplus + lost) / (1.0 - lost) * SLACK } else { f64::INFINITY };
    let mut renyi = Renyi::new();
    for (x, losses) in (0..).zip(losses) {
        renyi.add(KAPPA * weight(x), largest, ((losses + surplus) * SLACK).min(1.0));
    }
    let tail = (tail * SLACK).min(1.0);
    let log2_rinf = log2_up(largest);
    let log2_renyi = renyi.bounds(tail).map(|(order, bound)| (order, log2_up(bound).min(log2_rinf)));
    let log2_sd = log2_probability(largest);
    Bound::new(log2_sd, log2_renyi, log2_rinf, log2_probability(tail))
}

/// An entry as a number.
fn fraction<const N: usize>(entry: &[u32]) -> [u64; N] {
    let mut fraction = [0; N];
    for (j, digit) in entry.iter().enumerate() {
        fraction[N - 2 - j / 2] |= u64::from(*digit) << (32 * (1 - j % 2));
    }
    fraction
}

/// Visits Q(c + v) for v = 0, …, k(X + 1) - 1. Takes a product for each v twice.
pub(crate) fn bernoulli_masses<const N: usize>(
    table: &BernoulliTable<impl AsRef<[u32]>>,
    visit: &mut dyn FnMut(&Interval<N>),
) {
    // Zero, whose weight is 1, counts once.
    let mut twice = Interval::<N>::ZERO;
    weights(table, &mut |weight| twice = twice.add(weight).add(weight));
    let total = twice.sub(&Interval::ONE);
    let inverse = total.reciprocal();
    weights(table, &mut |weight| visit(&weight.mul(&inverse)));
}

/// Visits 2^(-x²)·Π C_i/2^B, over the bits i of y² + 2kxy, for v = kx + y from 0 on. It is 1 for v = 0.
fn weights<const N: usize>(table: &BernoulliTable<impl AsRef<[u32]>>, visit: &mut dyn FnMut(&Interval<N>)) {
    let k = table.target().width().value().num().unsigned_abs();
    let entries = table.digits().chunks_exact(table.precision().div_ceil(32) as usize);
    let entries: Vec<_> = entries.map(|entry| Interval { lo: fraction::<N>(entry), width: 0 }).collect();
    for x in 0..=last_x(table, k) {
        for y in 0..k {
            let z = y * (y + 2 * k * x);
            let set = entries.iter().enumerate().filter(|(i, _)| z >> i & 1 != 0);
            let product = set.fold(Interval::ONE, |product, (_, entry)| product.mul(entry));
            visit(&if x > 0 { product.shr((x * x) as u32) } else { product });
        }
    }
}

/// X: the support ends at k(X + 1) - 1 beyond the centre.
fn last_x(table: &BernoulliTable<impl AsRef<[u32]>>, k: u64) -> u64 {
    (table.target().center().num().abs_diff(*table.support().end()) + 1) / k - 1
}
