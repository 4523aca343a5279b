//! Building and certifying the heights of table rejection.

use crate::certify::Tally;
use crate::density::{Density, Side};
use crate::error::{BuildError, HEIGHTS, in_range};
use crate::fixed::Interval;
use crate::law::sigma;
use crate::limbs::{enough, with_limbs};
use crate::progress;
use alloc::vec;
use alloc::vec::Vec;
use samplez_core::table::{DEFAULT_PRECISION, MAX_PRECISION, RejectionTable, Table};
use samplez_core::{Bound, DiscreteGaussian, ParamError, Rational, Width};

/// Steps of the recurrence between two direct exponentials.
const BLOCK: usize = 256;

/// The limits of a table of heights.
///
/// ```
/// use samplez_tables::RejectionOptions;
/// let options = RejectionOptions::default();
/// assert_eq!((options.precision, options.tail, options.max_bytes), (128, 13, 1 << 30));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RejectionOptions {
    /// The precision B in bits, 1 to 256.
    pub precision: u32,
    /// The tail t, 1 to 64: proposals reach to ⌊tσ⌋, or to where 2^B ρ falls below 1.
    pub tail: u32,
    /// The most memory that the digits may take, in bytes.
    pub max_bytes: u64,
}

impl Default for RejectionOptions {
    /// 128 bits, t = 13, 1 GiB.
    fn default() -> Self {
        RejectionOptions { precision: DEFAULT_PRECISION, tail: 13, max_bytes: 1 << 30 }
    }
}

/// Builds the heights ⌊2^B ρ(s)⌋, s = 1, …, ⌊tσ⌋, while they are at least 1, with their certified bound.
///
/// # Errors
///
/// [`BuildError`].
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{DiscreteGaussian, Sampler, samplers::TableRejection};
/// use samplez_tables::{RejectionOptions, build_rejection};
/// let table = build_rejection(&DiscreteGaussian::with_sigma("3.33".parse()?)?, &RejectionOptions::default())?;
/// assert_eq!((table.support(), table.bytes()), (-43..=43, 688));
/// let sampler = TableRejection::from_table(table)?;
/// assert!((sampler.profile().expected_trials - 10.54).abs() < 0.005);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_rejection(
    law: &DiscreteGaussian,
    options: &RejectionOptions,
) -> Result<RejectionTable<Vec<u32>>, BuildError> {
    in_range("precision", options.precision, 1, MAX_PRECISION)?;
    in_range("tail", options.tail, 1, 64)?;
    let center: Rational = law.center();
    if !center.is_integer() {
        let (argument, value, allowed) = ("center", center, "an integer only");
        return Err(ParamError::Unsupported { method: "rejection-table", argument, value, allowed }.into());
    }
    // σ is within 3 units in the last place, which moves the end of the support by one at most.
    let reach = f64::from(options.tail) * sigma(law);
    let each = options.precision.div_ceil(32);
    let limit = options.max_bytes;
    let bytes = 4 * u128::from(each) * reach as u128;
    if bytes > limit.into() || reach >= 2_147_483_648.0 {
        return Err(BuildError::TooLarge { target: Some(*law), what: HEIGHTS, precision: None, bytes, limit });
    }
    let limbs = enough(options.precision);
    let n = reach as usize;
    // Two passes, the second one over the heights that are not 0.
    progress::announce(2 * n as u64);
    let first = with_limbs!(limbs, heights(law, n, options.precision));
    let digits = first.or_else(|| with_limbs!(limbs + 2, heights(law, n, options.precision)));
    let digits = digits.ok_or(BuildError::Undecided { target: *law })?;
    if digits.is_empty() {
        return Err(BuildError::Single { target: *law, precision: None });
    }
    let unknown = Bound::TRIVIAL;
    let support = |_| BuildError::Support { target: *law };
    let table = RejectionTable::new(*law, unknown, center.floor(), options.precision, &digits[..]).map_err(support)?;
    progress::announce(table.support().end().abs_diff(center.floor()));
    let bound = certify_rejection(&table);
    RejectionTable::new(*law, bound, center.floor(), options.precision, digits).map_err(support)
}

/// The digits of the heights, in storage order; `None` if one cannot be decided.
fn heights<const N: usize>(law: &DiscreteGaussian, n: usize, precision: u32) -> Option<Vec<u32>> {
    let density = Density::<N>::new(law, sigma(law));
    let each = precision.div_ceil(32) as usize;
    let mut rows = Vec::new();
    'all: for start in (1..=n).step_by(BLOCK) {
        progress::add(BLOCK.min(n + 1 - start) as u64);
        let mut walk = density.weights(Side::Up, start as u64);
        for s in start..=n.min(start + BLOCK - 1) {
            let (low, high) = match power_of_two(law, s as u64) {
                Some(exponent) => (half_power::<N>(exponent), half_power(exponent)),
                None => (walk.value.lo, walk.value.hi()?),
            };
            let (low, high) = (leading::<N>(&low, precision), leading::<N>(&high, precision));
            if low != high {
                return None;
            }
            if low.iter().all(|digit| *digit == 0) {
                break 'all;
            }
            rows.push(low);
            walk.advance();
        }
    }
    let mut digits = vec![0; rows.len() * each];
    for (s, row) in rows.iter().enumerate() {
        digits[s] = row[0];
        digits[rows.len() + s * (each - 1)..][..each - 1].copy_from_slice(&row[1..each]);
    }
    Some(digits)
}

/// The e with ρ(s) = 2^-e, if there is one: for σ = q·sqrt(1/(2 ln 2)) ρ(s) = 2^-(s/q)², and s/q may be
/// whole. No interval around such a height can be rounded. All other heights are irrational.
fn power_of_two(law: &DiscreteGaussian, s: u64) -> Option<u128> {
    let Width::KSigma2(q) = law.width() else { return None };
    let (top, bottom) = (u128::from(s) * u128::from(q.den()), u128::from(q.num().unsigned_abs()));
    // Saturated, it is too large all the same.
    top.is_multiple_of(bottom).then(|| (top / bottom).saturating_pow(2))
}

/// 2^-e for e >= 1, or 0 where there are not so many places.
fn half_power<const N: usize>(e: u128) -> [u64; N] {
    let mut fraction = [0; N];
    if e <= 64 * (N as u128 - 1) {
        let place = 64 * (N - 1) - e as usize;
        fraction[place / 64] = 1 << (place % 64);
    }
    fraction
}

/// The leading bits of a fraction, left-aligned; none of those beyond the precision.
fn leading<const N: usize>(x: &[u64; N], precision: u32) -> [u32; 8] {
    core::array::from_fn(|i| {
        let limb = (N - 1).checked_sub(1 + i / 2).map_or(0, |j| x[j]);
        let digit = (limb >> (32 * (1 - i % 2))) as u32;
        match precision.saturating_sub(32 * i as u32) {
            0 => 0,
            bits @ 1..=31 => digit & u32::MAX << (32 - bits),
            _ => digit,
        }
    })
}

/// Returns upper bounds of the distance from the target of the law of rejection from these heights. They are computed
/// from the digits (not from [`RejectionTable::bound`]) by interval arithmetic. Void, if the table's centre is not the
/// target's.
///
/// With p_s = P_s/2^B the law is Q(c) = 1/Z, Q(c ± s) = p_s/Z, Z = 1 + 2Σ p_s.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{RejectionOptions, build_rejection, certify_rejection};
/// let table = build_rejection(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &RejectionOptions::default())?;
/// let bound = certify_rejection(&table);
/// assert_eq!(bound, table.bound());
/// assert!(bound.log2_sd < -121.0 && bound.renyi(256) < Some(-121.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_rejection<S: AsRef<[u32]>>(table: &RejectionTable<S>) -> Bound {
    with_limbs!(enough(table.precision()), bound(table))
}

fn bound<const N: usize>(table: &RejectionTable<impl AsRef<[u32]>>) -> Bound {
    let density = Density::<N>::new(table.target(), sigma(table.target()));
    let len = Heights(table).count();
    let center = table.support().start() + len as i64;
    if !density.exponent().is_symmetric() || density.exponent().mode() != center {
        return Bound::TRIVIAL;
    }
    let (heights, scale) = (Heights(table), scale(table));
    let mut tally = Tally::<N>::new();
    tally.add(&scale, density.mode_mass(), false);
    for start in (1..=len).step_by(BLOCK) {
        progress::add(BLOCK.min(len + 1 - start) as u64);
        let mut walk = density.walk(Side::Up, start as u64);
        for s in start..=len.min(start + BLOCK - 1) {
            let height = heights.at(s);
            if height != Interval::ZERO {
                tally.add(&height.mul(&scale), &walk.value, true);
            }
            walk.advance();
        }
    }
    tally.bound()
}

/// The heights of a table in units of 1.
struct Heights<'a, S>(&'a RejectionTable<S>);

impl<S: AsRef<[u32]>> Heights<'_, S> {
    fn each(&self) -> usize {
        self.0.precision().div_ceil(32) as usize
    }

    fn count(&self) -> usize {
        self.0.digits().len() / self.each()
    }

    /// p_s for s > 0.
    fn at<const N: usize>(&self, s: usize) -> Interval<N> {
        let (digits, each, mut fraction) = (self.0.digits(), self.each(), [0; N]);
        fraction[N - 2] = u64::from(digits[s - 1]) << 32;
        for (i, digit) in (1..).zip(&digits[self.count() + (s - 1) * (each - 1)..][..each - 1]) {
            fraction[N - 2 - i / 2] |= u64::from(*digit) << (32 * (1 - i % 2));
        }
        Interval { lo: fraction, width: 0 }
    }
}

/// 1/Z.
fn scale<const N: usize>(table: &RejectionTable<impl AsRef<[u32]>>) -> Interval<N> {
    let heights = Heights(table);
    let twice = |height: Interval<N>| height.add(&height);
    (1..=heights.count()).fold(Interval::ONE, |sum, s| sum.add(&twice(heights.at(s)))).reciprocal()
}

/// Visits Q(c + s) for s = 0, …, n.
pub(crate) fn rejection_masses<const N: usize>(
    table: &RejectionTable<impl AsRef<[u32]>>,
    visit: &mut dyn FnMut(&Interval<N>),
) {
    let (heights, scale) = (Heights(table), scale(table));
    visit(&scale);
    (1..=heights.count()).for_each(|s| visit(&heights.at(s).mul(&scale)));
}
