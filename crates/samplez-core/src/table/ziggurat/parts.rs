//! What a Ziggurat's table is besides its words.

use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::Bound;
use crate::table::MAX_PRECISION;
use core::fmt;

/// The rectangles that a chord serves, i counted from 1.
///
/// The promise behind it, for every column x in X_(i-1) < x <= X_i, with h = y_(i-1) - y_i,
/// d = R(x)/2^n - y_i and w = X_i - X_(i-1): (X_i - x) h <= w d for 1 < i <= `accept_to`, and
/// (X_i + 1 - x) h >= w d for i > `reject_after`. The former holds where the arc is concave, the
/// latter where it is convex; because of the whole columns between the two chords, many
/// rectangles have both.
///
/// ```
/// use samplez_core::table::Chord;
/// let chord = Chord { accept_to: 20, reject_after: 1 };
/// assert!(chord.reject_after < chord.accept_to);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    /// The last rectangle in which what lies below the chord through (X_(i-1), y_(i-1)) and
    /// (X_i, y_i) is accepted.
    pub accept_to: u32,
    /// The last rectangle in which what lies above the chord one column further right is not
    /// rejected.
    pub reject_after: u32,
}

/// A [`ZigguratTable`](super::ZigguratTable) without its words.
///
/// ```
/// use samplez_core::params::{DiscreteGaussian, Rational};
/// use samplez_core::profile::Bound;
/// use samplez_core::table::ZigguratParts;
/// let parts = ZigguratParts {
///     target: DiscreteGaussian::with_sigma(Rational::from(10))?,
///     bound: Bound::new(-105.6, [(2, -100.0); 3], -90.0, -126.9),
///     expected_trials: 1.07, precision: 106, omega: 107, rectangles: 64, chord: None, stored: false,
/// };
/// assert_eq!(parts.rectangles, 64);
/// # Ok::<(), samplez_core::params::ParamError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZigguratParts {
    /// The law aimed at; its center is an integer.
    pub target: DiscreteGaussian,
    /// The certified distance from it.
    pub bound: Bound,
    /// Trials per sample.
    pub expected_trials: f64,
    /// n, the bits of the heights: 1 to 256.
    pub precision: u32,
    /// ω, the bits of the vertical coordinate y': n to 512.
    pub omega: u32,
    /// m, the number of rectangles: 2 to 2^16.
    pub rectangles: u32,
    /// Where the chord decides, if it does (variant O).
    pub chord: Option<Chord>,
    /// Whether the density of every column is stored (variant P) or computed.
    pub stored: bool,
}

impl ZigguratParts {
    pub(super) fn check_ranges(&self) -> Result<(), ZigguratError> {
        let range = |argument, value: u32, min: u32, max: u32| {
            let error = ParamError::OutOfRange { argument, value: value.into(), min: min.into(), max: max.into() };
            if (min..=max).contains(&value) { Ok(()) } else { Err(ZigguratError::Parameter(error)) }
        };
        range("precision", self.precision, 1, MAX_PRECISION)?;
        range("omega", self.omega, self.precision, 512)?;
        range("rectangles", self.rectangles, 2, 1 << 16)?;
        if !self.target.center().is_integer() {
            return Err(ZigguratError::Parameter(ParamError::Unsupported {
                method: "ziggurat",
                argument: "center",
                value: self.target.center(),
                allowed: "an integer center only",
            }));
        }
        match self.chord {
            Some(chord) if chord.accept_to.max(chord.reject_after) > self.rectangles => Err(ZigguratError::Chord),
            _ => Ok(()),
        }
    }
}

/// Why words do not form a [`ZigguratTable`](super::ZigguratTable).
///
/// ```
/// use samplez_core::table::ZigguratError;
/// assert_eq!(ZigguratError::Length { words: 3, expected: 7 }.to_string(), "words: got 3, must be 7");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ZigguratError {
    /// A part is out of its range.
    Parameter(ParamError),
    /// A range of the chord exceeds the rectangles.
    Chord,
    /// The number of words is not that of the layout.
    Length {
        /// The number of words given.
        words: usize,
        /// The number of words that the parts ask for.
        expected: usize,
    },
    /// The right edges do not begin with 0, fall, or exceed 2^24.
    Edges {
        /// The index of the edge.
        index: usize,
    },
    /// A height is not below its predecessor.
    NotDescending {
        /// The index of the predecessor.
        index: usize,
    },
    /// y_0 is within 2^-62 of 2, and y_1 below 2^-63.
    TooHigh,
    /// Bits below the precision are set.
    LooseBits {
        /// The index of the height, from 0; densities follow the rectangles' heights.
        index: usize,
    },
    /// The constant log2(e)/(2σ²) is 0.
    Constant,
    /// A value of the support is not an `i64`.
    Support,
}

impl fmt::Display for ZigguratError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(e) => e.fmt(f),
            Self::Chord => f.write_str("chord: accept_to and reject_after must be at most the number of rectangles"),
            Self::Length { words, expected } => write!(f, "words: got {words}, must be {expected}"),
            Self::Edges { index } => {
                write!(f, "edge {index}: edges must begin with 0, then be positive, not fall, and be at most 2^24")
            }
            Self::NotDescending { index } => write!(f, "height {} is not below height {index}", index + 1),
            Self::TooHigh => f.write_str("the first rectangle is nearly 2 high: 2 - y_0 + y_1 must be above 2^-62"),
            Self::LooseBits { index } => write!(f, "height {index} has bits set below the precision"),
            Self::Constant => f.write_str("the constant log2(e)/(2 sigma^2) is 0"),
            Self::Support => f.write_str("the table's support exceeds the range of i64"),
        }
    }
}

impl core::error::Error for ZigguratError {}
