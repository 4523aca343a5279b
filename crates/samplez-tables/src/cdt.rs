//! Building the table of a CDT sampler.

mod rounding;
mod side;

use crate::certify::{Weights, bound, certify};
use crate::density::{Density, Side};
use crate::error::{BuildError, in_range};
use crate::fixed;
use crate::law::{Law, sigma};
use crate::limbs::with_limbs;
use crate::progress;
use alloc::vec::Vec;
use libm::exp2;
pub use rounding::Rounding;
use samplez_core::table::{CdtTable, DEFAULT_PRECISION, MAX_PRECISION, Shape};
use samplez_core::{Bound, DiscreteGaussian};
use side::{Cumulate, Rule, Undecided};

/// The limits of a table's cost, and its rounding.
///
/// ```
/// use samplez_tables::{CdtOptions, Rounding};
/// let options = CdtOptions::default();
/// assert_eq!((options.precision, options.max_bytes, options.rounding), (128, 1 << 30, Rounding::Floor));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CdtOptions {
    /// The precision B in bits, 1 to 256.
    pub precision: u32,
    /// The most memory that the table's digits may take, in bytes.
    pub max_bytes: u64,
    /// How probabilities become integers.
    pub rounding: Rounding,
}

impl Default for CdtOptions {
    /// 128 bits, 1 GiB, rounded down.
    fn default() -> Self {
        CdtOptions { precision: DEFAULT_PRECISION, max_bytes: 1 << 30, rounding: Rounding::Floor }
    }
}

/// Builds the inversion table of the law, with its certified bound.
///
/// The rounding is by [`CdtOptions::rounding`], and exact: each integer is the one that the rule
/// names, decided by interval arithmetic. The bound is [`certify()`]'s; check it. A precision too coarse for the width
/// (2^B near σ) still gives a table, with a statistical distance near 1.
///
/// # Errors
///
/// [`BuildError`]; a table that is too large is refused before anything is allocated.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, build_cdt};
/// let table = build_cdt(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &CdtOptions::default())?;
/// assert_eq!((table.support(), table.bytes()), (-42..=42, 672));
/// assert!(table.bound().log2_sd < -123.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_cdt(law: &DiscreteGaussian, options: &CdtOptions) -> Result<CdtTable<Vec<u32>>, BuildError> {
    let precision = options.precision;
    in_range("precision", precision, 1, MAX_PRECISION)?;
    let limbs = crate::limbs::enough(precision);
    let first = with_limbs!(limbs, attempt(law, options, false));
    let layout = match first {
        // The same number of limbs on every machine, as what is not decided depends on it.
        Err(Stop::Undecided) => attempt::<9>(law, options, true),
        decided => decided,
    };
    let Layout { shape, first, digits, bound } = layout.map_err(|stop| match stop {
        Stop::Undecided => BuildError::Undecided { target: *law },
        Stop::Error(error) => error,
    })?;
    CdtTable::new(*law, bound, shape, first, precision, digits).map_err(|_| BuildError::Support { target: *law })
}

/// Why an attempt ended.
enum Stop {
    /// More limbs are needed.
    Undecided,
    Error(BuildError),
}

impl From<Undecided> for Stop {
    fn from(_: Undecided) -> Self {
        Stop::Undecided
    }
}

/// A table and its bound.
struct Layout {
    shape: Shape,
    first: i64,
    digits: Vec<u32>,
    bound: Bound,
}

/// The table, computed with N - 1 limbs of fraction. The last attempt rounds down where these do not decide.
fn attempt<const N: usize>(law: &DiscreteGaussian, options: &CdtOptions, last: bool) -> Result<Layout, Stop> {
    let sigma = sigma(law);
    let density = Density::<N>::new(law, sigma);
    let folded = density.exponent().is_symmetric();
    let rule = Rule { precision: options.precision, rounding: options.rounding, folded, last };
    let up = Cumulate::new(&density, sigma, Side::Up, rule);
    let down = Cumulate::new(&density, sigma, Side::Down, rule);

    // Sizes first: exactly if floored; otherwise from masses in doubles, as far as these tell.
    let digits_each = options.precision.div_ceil(32) as usize;
    let within = |ups: u64, downs: u64| {
        let bytes = 4 * digits_each as u128 * (u128::from(ups) + u128::from(downs)).max(1);
        let limit = options.max_bytes;
        let (target, precision) = (Some(*law), Some(options.precision));
        let refused = BuildError::TooLarge { target, what: "a table", precision, bytes, limit };
        if bytes > u128::from(limit) { Err(Stop::Error(refused)) } else { Ok(bytes) }
    };
    let support = || Stop::Error(BuildError::Support { target: *law });
    let (ups, downs) = match options.rounding {
        Rounding::Floor => (up.floored_len()?, if folded { 0 } else { down.floored_len()? }),
        Rounding::Nearest => {
            let limit = exp2(-f64::from(options.precision + 1 + u32::from(folded)));
            let law = Law::new(law);
            let about =
                |side| law.tail_distance(side, limit, u64::MAX / 2).map_or(u64::MAX / 2, |n| n.saturating_sub(2));
            within(about(Side::Up), if folded { 0 } else { about(Side::Down) })?;
            (up.nearest_len()?, if folded { 0 } else { down.nearest_len()? })
        }
    };
    let bytes = within(ups, downs)?;
    let mode = density.exponent().mode();
    let memory = || Stop::Error(BuildError::OutOfMemory { target: *law, bytes });
    let first = mode.checked_sub_unsigned(downs).ok_or_else(support)?;
    let fits = |count: u64| usize::try_from(count).map_err(|_| memory());
    let (ups, downs) = (fits(ups)?, fits(downs)?);
    let len = (ups + downs).max(1);

    let mut digits = Vec::new();
    digits.try_reserve_exact(len * digits_each).map_err(|_| memory())?;
    digits.resize(len * digits_each, 0);
    let mut store = |j: usize, fraction: &[u64; N]| {
        let digit = |i: usize| (fraction[N - 2 - i / 2] >> (32 * (1 - i % 2))) as u32;
        digits[j] = digit(0);
        for i in 1..digits_each {
            digits[len + j * (digits_each - 1) + i - 1] = digit(i);
        }
    };
    // The rows of both passes, this one and that of the bound.
    let rows = |side: &Cumulate<'_, N>, len: usize| side.outermost(len as u64).map(|from| from + len as u64);
    progress::announce(rows(&up, ups)? + if folded { 0 } else { rows(&down, downs)? } + 1);
    // T_(downs + k) is the mass from the k-th value above the mode on.
    up.each(ups as u64, |k, tail| store(downs + k as usize - 1, tail))?;
    // T_(downs + 1 - k) is what the mass up to the k-th value below the mode leaves of 1.
    down.each(downs as u64, |k, tail| {
        let one = fixed::Interval::<N>::ONE.lo;
        store(downs - k as usize, &fixed::sub(&one, tail).unwrap_or(one));
    })?;
    let shape = if folded { Shape::Folded } else { Shape::Full };
    let view = CdtTable::new(*law, Bound::TRIVIAL, shape, first, options.precision, &digits);
    let view = view.map_err(|_| support())?;
    // The certificate's own working precision is that of the first attempt.
    let bound = if last { certify(&view) } else { bound(&Weights::new(&view), &density, [up.near(), down.near()]) };
    Ok(Layout { shape, first, digits, bound })
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::Width;
    use samplez_core::table::Table;

    /// With hardly more bits than the table has, entries stay undecided; with enough, two
    /// working precisions agree.
    #[test]
    fn an_undecided_rounding_is_noticed() {
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        for rounding in [Rounding::Floor, Rounding::Nearest] {
            let options = CdtOptions { precision: 120, rounding, ..CdtOptions::default() };
            assert!(matches!(attempt::<3>(&law, &options, false), Err(Stop::Undecided)));
            let digits = |attempt: Result<Layout, Stop>| attempt.ok().unwrap().digits;
            assert_eq!(digits(attempt::<5>(&law, &options, false)), digits(attempt::<9>(&law, &options, false)));
        }
    }

    /// About k + 1/2 a narrow law has 1/2 - ε at two values, with ε far below what any interval shows. Rounded down, the lower one has
    /// 2^(B-1) - 1 of 2^B, and the upper one, the mode, the rest.
    #[test]
    fn a_weight_next_to_a_power_of_two_is_rounded_down() {
        for (sigma, center) in [("0.05", "1/2"), ("0.001", "-7/2"), ("1e-9", "1/2")] {
            for precision in [8, 64, 128, 256] {
                let width = Width::Sigma(sigma.parse().unwrap());
                let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
                let table = build_cdt(&law, &CdtOptions { precision, ..CdtOptions::default() }).unwrap();
                assert_eq!((table.len(), table.support().end() - table.support().start()), (1, 1));
                let head = table.digits()[0];
                assert_eq!(head, if precision == 8 { 129 << 24 } else { 1 << 31 });
                let bound = table.bound();
                assert!((bound.log2_sd + f64::from(precision)).abs() < 0.01, "{bound:?}");
                assert!((bound.log2_rinf + f64::from(precision) - 1.0).abs() < 0.01, "{bound:?}");
            }
        }
    }

    /// From masses in doubles, with two thresholds less on each side.
    #[test]
    fn a_nearest_table_is_refused_before_it_is_summed() {
        let refused = |law: &DiscreteGaussian| {
            let options = CdtOptions { max_bytes: 0, rounding: Rounding::Nearest, ..CdtOptions::default() };
            match build_cdt(law, &options) {
                Err(BuildError::TooLarge { bytes, .. }) => bytes,
                other => panic!("{other:?}"),
            }
        };
        for (center, sides) in [("0", 1), ("1/3", 2)] {
            let width = Width::Sigma("215".parse().unwrap());
            let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
            let options = CdtOptions { rounding: Rounding::Nearest, ..CdtOptions::default() };
            let bytes = build_cdt(&law, &options).unwrap().bytes() as u128;
            assert_eq!(refused(&law), bytes - 16 * 2 * sides, "{center}");
        }
        let law = DiscreteGaussian::with_sigma("1e18".parse().unwrap()).unwrap();
        assert_eq!(refused(&law), 16 * ((1 << 63) - 1));
    }
}
