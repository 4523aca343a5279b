//! The options of a Ziggurat's table.

use crate::error::{BuildError, in_range};
use crate::law::sigma;
use core::f64::consts::{FRAC_PI_2, LOG2_E};
use libm::{ceil, exp2, log2, sqrt};
use samplez_core::table::{DEFAULT_PRECISION, MAX_COLUMNS, MAX_PRECISION};
use samplez_core::{DiscreteGaussian, ParamError, Rational};

/// The largest tail.
const MAX_TAIL: u32 = 40;

/// A Ziggurat's rectangles, precision, variant and memory.
///
/// ```
/// use samplez_tables::ZigguratOptions;
/// let options = ZigguratOptions::default();
/// assert_eq!((options.rectangles, options.precision, options.omega), (256, 128, 160));
/// assert_eq!((options.chord, options.stored, options.max_bytes), (true, false, 1 << 30));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZigguratOptions {
    /// m, the number of rectangles: 2 to 2^16.
    pub rectangles: u32,
    /// n, the bits of the heights: 1 to 256.
    pub precision: u32,
    /// ω, the bits of the vertical coordinate: n to 512.
    pub omega: u32,
    /// t, where the support ends, in σ: above 0, at most 40, with 1 <= ⌊tσ⌋ < 2^24.
    pub tail: Rational,
    /// Variant O: decide by the chord where it can.
    pub chord: bool,
    /// Variant P: store the density of every column.
    pub stored: bool,
    /// The most memory that the table may take, in bytes.
    pub max_bytes: u64,
}

impl Default for ZigguratOptions {
    /// 256 rectangles, 128 bits, ω = 160, t = 14, with chord, densities computed, 1 GiB.
    fn default() -> Self {
        ZigguratOptions {
            rectangles: 256,
            precision: DEFAULT_PRECISION,
            omega: 160,
            tail: Rational::from(14),
            chord: true,
            stored: false,
            max_bytes: 1 << 30,
        }
    }
}

impl ZigguratOptions {
    /// Returns the tail, precision and ω that keep the statistical distance below 2^log2_sd, by
    ///
    /// ```text
    /// SD <= t e^((1-t²)/2) + (⌊tσ⌋ + 1)(2^(1-n) + 2^(1-ω))/(σ sqrt(π/2))
    /// ```
    ///
    /// for t >= 1 (\[BCGHW13\], Theorem 1; proved for the table built here in docs/proofs/ziggurat.md). The tail is the
    /// least whole t with the first term at most half of the bound. Then n is the least that meets the bound, with ω =
    /// n + 32. The table's own bound, computed from its integers, is smaller still.
    ///
    /// # Errors
    ///
    /// If `log2_sd` is not between -240 and -1, or n would have to exceed 256.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::{ZigguratOptions, build_ziggurat};
    /// let law = DiscreteGaussian::with_sigma("10".parse()?)?;
    /// let options = ZigguratOptions::for_bound(&law, -100)?;
    /// assert_eq!((options.tail, options.precision), (13.into(), 105));
    /// assert!(build_ziggurat(&law, &options)?.parts().bound.log2_sd < -100.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_bound(law: &DiscreteGaussian, log2_sd: i32) -> Result<Self, BuildError> {
        let refuse = |allowed| BuildError::Bound { log2_sd, allowed };
        if !(-240..=-1).contains(&log2_sd) {
            return Err(refuse("a number between -240 and -1"));
        }
        let goal = f64::from(log2_sd);
        let tail = (2..=MAX_TAIL).find(|t| tail_bound(f64::from(*t)) <= goal - 1.0).unwrap_or(MAX_TAIL);
        let t = f64::from(tail);
        let left = goal + log2(1.0 - exp2(tail_bound(t) - goal));
        let sigma = sigma(law);
        let columns = log2((t * sigma + 1.0) / (sigma * sqrt(FRAC_PI_2)));
        // A thousandth of a bit for ω = n + 32 and for the doubles here.
        let precision = ceil(columns + 1.0 + 0.001 - left) as u32;
        if precision > MAX_PRECISION {
            return Err(refuse("what 256 bits of precision allow"));
        }
        Ok(ZigguratOptions {
            tail: Rational::from(i64::from(tail)),
            precision,
            omega: precision + 32,
            ..ZigguratOptions::default()
        })
    }

    /// Returns the same with as many rectangles as fit in `bytes`, the rest of the table included.
    ///
    /// More rectangles make fewer trials, and fewer columns that have to be looked at.
    ///
    /// # Errors
    ///
    /// If not even two rectangles fit, or an option is out of its range.
    ///
    /// ```
    /// use samplez_core::table::Table;
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::{ZigguratOptions, build_ziggurat};
    /// let law = DiscreteGaussian::with_sigma("32".parse()?)?;
    /// let options = ZigguratOptions::for_bound(&law, -100)?.within(&law, 2080)?;
    /// assert_eq!(options.rectangles, 102);
    /// assert!(build_ziggurat(&law, &options)?.bytes() <= 2080);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within(self, law: &DiscreteGaussian, bytes: u64) -> Result<Self, BuildError> {
        let least = ZigguratOptions { rectangles: 2, max_bytes: bytes, ..self };
        least.check(law)?;
        let each = u64::from(4 + 4 * self.precision.div_ceil(32));
        let rectangles = 2 + ((bytes - least.bytes(law)?) / each).min((1 << 16) - 2) as u32;
        Ok(ZigguratOptions { rectangles, ..self })
    }

    /// Returns the memory of the table: 4(m + 1) + 4m⌈n/32⌉ bytes, and more for the densities. Stored densities take
    /// 4⌊tσ⌋⌈n/32⌉, the constant that computes them 4⌈(n + 104)/32⌉ + 4.
    ///
    /// # Errors
    ///
    /// If ⌊tσ⌋ is out of its range.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::ZigguratOptions;
    /// let law = DiscreteGaussian::with_sigma("32".parse()?)?;
    /// let options = ZigguratOptions { rectangles: 64, precision: 106, omega: 107, ..ZigguratOptions::default() };
    /// assert_eq!(options.bytes(&law)?, 1316);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bytes(&self, law: &DiscreteGaussian) -> Result<u64, BuildError> {
        let digits = u64::from(self.precision.div_ceil(32));
        let m = u64::from(self.rectangles);
        let constant = u64::from((self.precision + 104).div_ceil(32)) + 1;
        let rest = if self.stored { u64::from(self.last_column(law)?) * digits } else { constant };
        Ok(4 * (m + 1 + m * digits + rest))
    }

    /// ⌊tσ⌋, computed in doubles.
    pub(super) fn last_column(&self, law: &DiscreteGaussian) -> Result<u32, BuildError> {
        // A product that is an integer up to the rounding of doubles is that integer.
        let last = libm::floor(self.tail.to_f64() * sigma(law) * (1.0 + 4.0 * f64::EPSILON));
        if (1.0..f64::from(MAX_COLUMNS)).contains(&last) {
            Ok(last as u32)
        } else {
            Err(BuildError::Columns { target: *law, tail: self.tail })
        }
    }

    pub(super) fn check(&self, law: &DiscreteGaussian) -> Result<(), BuildError> {
        let unsupported = |argument, value, allowed| {
            Err(ParamError::Unsupported { method: "ziggurat", argument, value, allowed }.into())
        };
        in_range("rectangles", self.rectangles, 2, 1 << 16)?;
        in_range("precision", self.precision, 1, MAX_PRECISION)?;
        in_range("omega", self.omega, self.precision, 512)?;
        if self.tail.num() <= 0 || self.tail > Rational::from(i64::from(MAX_TAIL)) {
            return unsupported("tail", self.tail, "a tail above 0 and at most 40");
        }
        if !law.center().is_integer() {
            return unsupported("center", law.center(), "an integer center only");
        }
        let bytes = self.bytes(law)?;
        if bytes > self.max_bytes {
            let (target, what, bytes, limit) = (Some(*law), "the table", bytes.into(), self.max_bytes);
            return Err(BuildError::TooLarge { target, what, precision: None, bytes, limit });
        }
        Ok(())
    }

    pub(super) fn out_of_memory(&self, law: &DiscreteGaussian) -> BuildError {
        BuildError::OutOfMemory { target: *law, bytes: self.bytes(law).unwrap_or(u64::MAX).into() }
    }
}

/// log2 of t e^((1-t²)/2), an upper bound of P(|X| > tσ) for t >= 1, and none below.
fn tail_bound(t: f64) -> f64 {
    log2(t) + 0.5 * (1.0 - t * t) * LOG2_E
}
