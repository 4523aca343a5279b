//! The parts of a Ziggurat's table besides its words.

use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::Bound;
use crate::table::{MAX_PRECISION, TableError};

/// The rectangles that a chord serves, i counted from 1.
///
/// The promise behind it holds for every column x in X_(i-1) < x <= X_i. Let h = y_(i-1) - y_i, d = R(x)/2^n - y_i and
/// w = X_i - X_(i-1). Then (X_i - x) h <= w d for 1 < i <= `accept_to`, and (X_i + 1 - x) h >= w d for i >
/// `reject_after`. The former holds where the arc is concave, the latter where it is convex. Because of the whole
/// columns between the two chords, many rectangles have both.
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
/// use samplez_core::{Bound, DiscreteGaussian, Rational};
/// use samplez_core::table::ZigguratParts;
/// let parts = ZigguratParts {
///     target: DiscreteGaussian::with_sigma(Rational::from(10))?,
///     bound: Bound::new(-105.6, [(2, -100.0); 3], -90.0, -126.9),
///     expected_trials: 1.07, precision: 106, omega: 107, rectangles: 64, chord: None, stored: false,
/// };
/// assert_eq!(parts.rectangles, 64);
/// # Ok::<(), samplez_core::ParamError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZigguratParts {
    /// The law aimed at; its centre is an integer.
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
    pub(super) fn check_ranges(&self) -> Result<(), TableError> {
        let range = |argument, value: u32, min: u32, max: u32| {
            let error = ParamError::OutOfRange { argument, value: value.into(), min: min.into(), max: max.into() };
            if (min..=max).contains(&value) { Ok(()) } else { Err(TableError::Param(error)) }
        };
        range("precision", self.precision, 1, MAX_PRECISION)?;
        range("omega", self.omega, self.precision, 512)?;
        range("rectangles", self.rectangles, 2, 1 << 16)?;
        if !self.target.center().is_integer() {
            return Err(TableError::Param(ParamError::Unsupported {
                method: "ziggurat",
                argument: "center",
                value: self.target.center(),
                allowed: "an integer center only",
            }));
        }
        match self.chord {
            Some(chord) if chord.accept_to.max(chord.reject_after) > self.rectangles => Err(TableError::Chord),
            _ => Ok(()),
        }
    }
}
