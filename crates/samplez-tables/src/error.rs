//! Why a table cannot be built.

use alloc::boxed::Box;
use core::fmt;
use samplez_core::table::TableError;
use samplez_core::{DiscreteGaussian, ParamError, Rational};

/// The error if a table cannot be built.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, build_cdt};
/// let wide = DiscreteGaussian::with_sigma("1e12".parse()?)?;
/// let message = build_cdt(&wide, &CdtOptions::default()).unwrap_err().to_string();
/// assert_eq!(message, "sigma = 1000000000000: a table of 128 bits takes 161 TiB, more than the 1.00 GiB allowed; raise max_bytes");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// An argument is out of range, or the method does not allow the distribution.
    Param(ParamError),
    /// The table would take more memory than allowed; some builders report a failed allocation in this way too.
    TooLarge {
        /// The law aimed at, if the message names its width.
        target: Option<DiscreteGaussian>,
        /// The table as the message names it.
        what: &'static str,
        /// The precision in bits, if the message names it.
        precision: Option<u32>,
        /// The size in bytes.
        bytes: u128,
        /// The limit in bytes.
        limit: u64,
    },
    /// The allocator refused the memory.
    OutOfMemory {
        /// The law aimed at.
        target: DiscreteGaussian,
        /// The size of the table in bytes.
        bytes: u128,
    },
    /// A single value is left: σ is too small for the precision or the tail.
    Single {
        /// The law aimed at.
        target: DiscreteGaussian,
        /// The precision of a Knuth–Yao matrix in bits; `None` for heights.
        precision: Option<u32>,
    },
    /// A value of the support is not an `i64`: the centre is too far from 0.
    Support {
        /// The law aimed at.
        target: DiscreteGaussian,
    },
    /// Even with 128 further bits of working precision an entry was too close to an integer to be rounded. For a law
    /// with two equal modes and a tiny σ, both differ from 1/2 by less than that. For any other given law the
    /// probability is about 2^-160.
    Undecided {
        /// The law aimed at.
        target: DiscreteGaussian,
    },
    /// The table's bound does not show R_∞ <= 2, or 1 + 2^-64 for σ above 2^14 or above 1024 rectangles: its law cannot be made exact.
    Coarse {
        /// The law aimed at.
        target: DiscreteGaussian,
        /// The precision in bits.
        precision: u32,
    },
    /// The base table of a convolution cannot be built.
    Base(Box<BuildError>),
    /// The parts do not form a table.
    Table(TableError),
    /// A Ziggurat cannot meet the bound.
    Bound {
        /// log2 of the bound.
        log2_sd: i32,
        /// The allowed values.
        allowed: &'static str,
    },
    /// The last column ⌊tσ⌋ of a Ziggurat is 0, or 2^24 or more.
    Columns {
        /// The law aimed at.
        target: DiscreteGaussian,
        /// t.
        tail: Rational,
    },
    /// No area S, of those that a double holds, gives this number of rectangles with y_1 <= 1 <= y_0 < 2.
    NoPartition {
        /// The law aimed at.
        target: DiscreteGaussian,
        /// The number of rectangles.
        rectangles: u32,
    },
    /// A rectangle has no height to n bits.
    Flat {
        /// The rectangle, from 1 at the top.
        rectangle: u32,
        /// The precision in bits.
        precision: u32,
    },
}

/// The heights of table rejection: plural, unlike the other tables of [`BuildError::TooLarge`].
pub(crate) const HEIGHTS: &str = "the heights";

/// Requires `min <= value <= max`.
pub(crate) fn in_range(argument: &'static str, value: u32, min: u32, max: u32) -> Result<(), ParamError> {
    let error = ParamError::OutOfRange { argument, value: value.into(), min: min.into(), max: max.into() };
    if (min..=max).contains(&value) { Ok(()) } else { Err(error) }
}

/// A size in bytes with three digits and its unit.
struct Size(u128);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut size, mut unit) = (self.0 as f64, if self.0 == 1 { "byte" } else { "bytes" });
        for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
            if size >= 1024.0 {
                (size, unit) = (size / 1024.0, larger);
            }
        }
        let decimals = if self.0 < 1024 || size >= 100.0 { 0 } else { 1 + usize::from(size < 10.0) };
        write!(f, "{size:.decimals$} {unit}")
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Param(error) => error.fmt(f),
            Self::TooLarge { target, what, precision, bytes, limit } => {
                if let Some(target) = target {
                    write!(f, "{:#}: ", target.width())?;
                }
                f.write_str(what)?;
                if let Some(precision) = precision {
                    write!(f, " of {precision} bits")?;
                }
                let (takes, limit) = (if *what == HEIGHTS { "take" } else { "takes" }, Size((*limit).into()));
                write!(f, " {takes} {}, more than the {limit} allowed; raise max_bytes", Size(*bytes))
            }
            Self::OutOfMemory { target, bytes } => {
                write!(f, "{:#}: no memory for a table of {}", target.width(), Size(*bytes))
            }
            Self::Single { target, precision: Some(precision) } => write!(
                f,
                "{:#}: with {precision} bits a single value has all of the probability, and there is nothing to walk; choose a \
                 larger width or another method",
                target.width()
            ),
            Self::Single { target, precision: None } => {
                write!(
                    f,
                    "{:#}: only one value is left to propose; choose a larger width or another method",
                    target.width()
                )
            }
            Self::Coarse { target, precision } => write!(
                f,
                "{:#}: a table of {precision} bits is too coarse to be made exact. Choose a higher precision, so that R_inf is \
                 at most 2, or 1 + 2^-64 for sigma above 2^14 or above 1024 rectangles",
                target.width()
            ),
            Self::Support { target } => write!(
                f,
                "center = {:#}: the samples exceed 64-bit integers; subtract an integer from the center, and add it to the samples",
                target.center()
            ),
            Self::Undecided { target } => write!(
                f,
                "{target:#}: a probability, times 2^precision, cannot be told from a whole number, and so cannot be \
                 rounded; an exact method needs no table"
            ),
            Self::Base(error) => write!(f, "base table: {error}"),
            Self::Table(error) => error.fmt(f),
            Self::Bound { log2_sd, allowed } => write!(f, "log2_sd = {log2_sd}: expected {allowed}"),
            Self::Columns { target, tail } => {
                write!(
                    f,
                    "tail = {tail:#}: with {:#} the support must end between 1 and 2^24 - 1; choose another tail, width or method",
                    target.width()
                )
            }
            Self::NoPartition { target, rectangles } => write!(
                f,
                "rectangles = {rectangles}: with {:#} no area lets so many rectangles reach a height of 1 and the first one stay below 2; choose another number",
                target.width()
            ),
            Self::Flat { rectangle, precision } => write!(
                f,
                "precision = {precision}: rectangle {rectangle} has no height to that many bits; choose more bits or fewer rectangles"
            ),
        }
    }
}

impl core::error::Error for BuildError {}

impl From<ParamError> for BuildError {
    fn from(error: ParamError) -> Self {
        BuildError::Param(error)
    }
}

impl From<TableError> for BuildError {
    fn from(error: TableError) -> Self {
        BuildError::Table(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        use alloc::string::ToString;
        let cases =
            [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.00 KiB"), (40_000, "39.1 KiB"), (1 << 30, "1.00 GiB")];
        for (bytes, text) in cases {
            assert_eq!(Size(bytes).to_string(), text);
        }
        assert_eq!(Size(u128::from(u64::MAX)).to_string(), "16.0 EiB");
        assert_eq!([Size(10_240), Size(102_400)].map(|size| size.to_string()), ["10.0 KiB", "100 KiB"]);
        assert_eq!(Size(500 << 40).to_string(), "500 TiB");
    }
}
