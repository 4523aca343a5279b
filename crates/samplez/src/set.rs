//! Laws and options by name and text: how the bindings of other languages pass them.

use crate::{DiscreteGaussian, Options, ParamError, Rational, UnknownName, Width};
use samplez_core::params::ParseRationalError;
use std::fmt;
use std::time::Duration;

/// A named value that cannot be taken.
///
/// ```
/// use samplez::Options;
/// let e = Options::default().set("precision", "many").unwrap_err();
/// assert_eq!(e.to_string(), "precision = many: must be a whole number below 2^32");
/// let e = Options::default().set("colour", "red").unwrap_err();
/// assert!(e.to_string().starts_with("option = colour: must be one of precision, "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetError {
    /// No such name.
    Name(UnknownName),
    /// The text is not a value of the named argument.
    Value {
        /// The argument's name.
        argument: String,
        /// The text.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The text is not a rational number.
    Rational {
        /// The argument's name.
        argument: String,
        /// The text.
        value: String,
        /// The reason.
        reason: ParseRationalError,
    },
    /// The law does not exist.
    Param(ParamError),
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::Name(e) => e.fmt(f),
            SetError::Value { argument, value, allowed } => write!(f, "{argument} = {value}: must be {allowed}"),
            SetError::Rational { argument, value, reason } => write!(f, "{argument} = {value}: {reason}"),
            SetError::Param(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for SetError {}

/// The forms of a width that [`law_from_text`] takes.
///
/// ```
/// assert!(samplez::FORMS.iter().all(|form| samplez::law_from_text(form, "3.2", "0").is_ok()));
/// ```
pub const FORMS: [&str; 4] = ["sigma", "sigma_squared", "k_sigma2", "s"];

/// "true" or "false".
fn flag(argument: &str, value: &str) -> Result<bool, SetError> {
    value.parse().map_err(|_| wrong(argument, value, "true or false"))
}

fn wrong(argument: &str, value: &str, allowed: &'static str) -> SetError {
    SetError::Value { argument: argument.into(), value: value.into(), allowed }
}

fn rational(argument: &str, value: &str) -> Result<Rational, SetError> {
    value.parse().map_err(|reason| SetError::Rational { argument: argument.into(), value: value.into(), reason })
}

impl Options {
    /// The names that [`set`](Self::set) takes: those of the fields.
    ///
    /// ```
    /// assert!(samplez::Options::NAMES.contains(&"precision"));
    /// ```
    pub const NAMES: [&str; 11] = [
        "precision",
        "max_table_bytes",
        "rectangles",
        "tail",
        "chord",
        "pdf_table",
        "exact",
        "frugal",
        "constant_time",
        "isochronous",
        "max_setup_seconds",
    ];

    /// Sets the field `name` from a text: whole numbers, rationals for `tail`, `true` or `false`.
    ///
    /// # Errors
    ///
    /// [`SetError`] for an unknown name or a text that is no value; nothing is set then. Whether
    /// the value suits the method is told by [`build`](crate::build).
    ///
    /// ```
    /// use samplez::Options;
    /// let mut options = Options::default();
    /// options.set("precision", "72")?;
    /// options.set("chord", "false")?;
    /// assert_eq!(options, Options { precision: 72, chord: false, ..Options::default() });
    /// # Ok::<(), samplez::SetError>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        let small = || value.parse().map_err(|_| wrong(name, value, "a whole number below 2^32"));
        match name {
            "precision" => self.precision = small()?,
            "rectangles" => self.rectangles = Some(small()?),
            "max_table_bytes" => {
                self.max_table_bytes = value.parse().map_err(|_| wrong(name, value, "a whole number below 2^64"))?;
            }
            "tail" => self.tail = rational(name, value)?,
            "chord" => self.chord = flag(name, value)?,
            "pdf_table" => self.pdf_table = flag(name, value)?,
            "exact" => self.exact = flag(name, value)?,
            "frugal" => self.frugal = flag(name, value)?,
            "constant_time" => self.constant_time = flag(name, value)?,
            "isochronous" => self.isochronous = flag(name, value)?,
            "max_setup_seconds" => {
                let seconds = value.parse::<Rational>().ok();
                let seconds = seconds.and_then(|s| Duration::try_from_secs_f64(s.to_f64()).ok());
                self.max_setup = Some(seconds.ok_or(wrong(name, value, "a number of seconds, at least 0"))?);
            }
            _ => return Err(SetError::Name(UnknownName::new("option", name, &Self::NAMES))),
        }
        Ok(())
    }

    /// The options of a text such as `precision=72,chord=false`, the rest as by default.
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set).
    ///
    /// ```
    /// use samplez::Options;
    /// assert_eq!(Options::from_text("")?, Options::default());
    /// assert_eq!(Options::from_text("precision=72, exact=true")?.precision, 72);
    /// assert!(Options::from_text("precision").is_err());
    /// # Ok::<(), samplez::SetError>(())
    /// ```
    pub fn from_text(text: &str) -> Result<Self, SetError> {
        let mut options = Options::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or(wrong("options", part, "name=value"))?;
            options.set(name.trim(), value.trim())?;
        }
        Ok(options)
    }
}

/// The law whose width is stated in the form `sigma`, `sigma_squared`, `k_sigma2` or `s` (see
/// [`Width`]; hyphens do for underscores), all numbers as texts.
///
/// # Errors
///
/// [`SetError`] for an unknown form, a text that is no rational number, or a width that is not
/// positive.
///
/// ```
/// let law = samplez::law_from_text("sigma", "3.2", "-1/3")?;
/// assert_eq!(law.to_string(), "D_Z(sigma = 16/5, center = -1/3)");
/// assert!(samplez::law_from_text("sigma", "abc", "0").unwrap_err().to_string().starts_with("sigma = abc: "));
/// # Ok::<(), samplez::SetError>(())
/// ```
pub fn law_from_text(form: &str, width: &str, center: &str) -> Result<DiscreteGaussian, SetError> {
    let q = rational(form, width);
    let width = match form.replace('-', "_").as_str() {
        "sigma" => Width::Sigma(q?),
        "sigma_squared" => Width::SigmaSq(q?),
        "k_sigma2" => Width::KSigma2(q?),
        "s" => Width::S(q?),
        _ => return Err(SetError::Name(UnknownName::new("form", form, &FORMS))),
    };
    DiscreteGaussian::new(rational("center", center)?, width).map_err(SetError::Param)
}
