//! Exact parameters: [`Rational`], [`Width`], [`DiscreteGaussian`], [`NoiseLaw`], [`ParamError`].

mod fixed;
mod law;
mod rational;

pub use fixed::FixedPoint;
pub use law::NoiseLaw;
pub use rational::{ParseRationalError, Rational};

use core::fmt;
use core::hash::{Hash, Hasher};

/// The width of a Gaussian, in one of four forms.
///
/// Each holds a positive rational q, which defines σ:
///
/// ```
/// use samplez_core::Width;
/// let he = Width::Sigma("3.2".parse()?);        // σ = 3.2
/// let bliss = Width::KSigma2("254".parse()?);   // σ = 254·sqrt(1/(2 ln 2)) = 215.727…
/// let lp11 = Width::S("8.35".parse()?);         // σ = 8.35/sqrt(2π) = 3.33117…
/// assert_ne!(he, bliss);
/// assert_eq!(lp11.to_string(), "s = 167/20");
/// # Ok::<(), samplez_core::ParseRationalError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// σ = q, as in \[Kar16\].
    Sigma(Rational),
    /// σ² = q, as in \[CKS20\].
    SigmaSq(Rational),
    /// σ = q·sqrt(1/(2 ln 2)), the kσ₂ of BLISS and \[DW18\].
    KSigma2(Rational),
    /// σ = q/sqrt(2π), as in \[Reg05\] and \[LP11\].
    S(Rational),
}

impl Width {
    /// Returns the rational inside.
    pub const fn value(self) -> Rational {
        match self {
            Width::Sigma(q) | Width::SigmaSq(q) | Width::KSigma2(q) | Width::S(q) => q,
        }
    }

    /// Returns the name of the form as an argument: `sigma`, `sigma_squared`, `k_sigma2` or `s`.
    pub const fn name(self) -> &'static str {
        match self {
            Width::Sigma(_) => "sigma",
            Width::SigmaSq(_) => "sigma_squared",
            Width::KSigma2(_) => "k_sigma2",
            Width::S(_) => "s",
        }
    }

    /// Returns σ itself, where σ is rational: always for `Sigma`, for `SigmaSq` if q is a square.
    pub const fn rational_sigma(self) -> Option<Rational> {
        match self {
            Width::Sigma(q) => Some(q),
            Width::SigmaSq(q) => q.sqrt_exact(),
            Width::KSigma2(_) | Width::S(_) => None,
        }
    }

    /// The one form of all that state this σ: `Sigma` wherever σ is rational. Of the others, σ² is rational in `SigmaSq`
    /// only, and the constants of `KSigma2` and `S` have no rational ratio, nor have their squares.
    pub(crate) const fn canonical(self) -> Width {
        match self.rational_sigma() {
            Some(sigma) => Width::Sigma(sigma),
            None => self,
        }
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, factor) = match self {
            Width::Sigma(_) => ("sigma", ""),
            Width::SigmaSq(_) => ("sigma^2", ""),
            Width::KSigma2(_) => ("sigma", " sqrt(1/(2 ln 2))"),
            Width::S(_) => ("s", ""),
        };
        write!(f, "{name} = ")?;
        self.value().fmt(f)?;
        f.write_str(factor)
    }
}

/// The law D_{Z,σ,c}: P(X = x) proportional to exp(-(x-c)²/(2σ²)) for every integer x.
///
/// It holds the parameters only. Two are equal if they are the same law, in any form of their widths.
///
/// A parameter keeps the form in which its user wrote it. A decimal, a fraction or a float converts to a [`Rational`]
/// exactly or not at all. An algorithm that cannot honour a form of width refuses it; nothing is ever rounded to suit
/// an algorithm.
///
/// # Example
///
/// ```
/// use samplez_core::{DiscreteGaussian, Rational, Width};
/// let d = DiscreteGaussian::new("1/3".parse()?, Width::Sigma("3.2".parse()?))?;
/// assert_eq!(d.to_string(), "D_Z(sigma = 16/5, center = 1/3)");
/// assert_eq!(d, DiscreteGaussian::new("1/3".parse()?, Width::SigmaSq("10.24".parse()?))?);
/// assert!(DiscreteGaussian::with_sigma("0".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DiscreteGaussian {
    center: Rational,
    width: Width,
}

impl PartialEq for DiscreteGaussian {
    fn eq(&self, other: &Self) -> bool {
        (self.center, self.width.canonical()) == (other.center, other.width.canonical())
    }
}

impl Eq for DiscreteGaussian {}

impl Hash for DiscreteGaussian {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.center, self.width.canonical()).hash(state);
    }
}

impl DiscreteGaussian {
    /// Builds the law with this centre and width.
    ///
    /// # Errors
    ///
    /// [`ParamError::NotPositive`] unless the width is above zero.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, Rational, Width};
    /// assert!(DiscreteGaussian::new(Rational::ZERO, Width::S(Rational::from(8))).is_ok());
    /// ```
    pub const fn new(center: Rational, width: Width) -> Result<Self, ParamError> {
        if width.value().num() <= 0 {
            return Err(ParamError::NotPositive { argument: width.name(), value: width.value() });
        }
        Ok(DiscreteGaussian { center, width })
    }

    /// Builds the law D_{Z,σ,0}.
    ///
    /// # Errors
    ///
    /// [`ParamError::NotPositive`] unless `sigma` is above zero.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// assert!(DiscreteGaussian::with_sigma("-1".parse()?).is_err());
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    pub const fn with_sigma(sigma: Rational) -> Result<Self, ParamError> {
        Self::new(Rational::ZERO, Width::Sigma(sigma))
    }

    /// Returns the centre c.
    pub const fn center(&self) -> Rational {
        self.center
    }

    /// Returns the width.
    pub const fn width(&self) -> Width {
        self.width
    }
}

impl fmt::Display for DiscreteGaussian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("D_Z(")?;
        self.width.fmt(f)?;
        f.write_str(", center = ")?;
        self.center.fmt(f)?;
        f.write_str(")")
    }
}

/// The reason why a sampler or a table refuses its parameters. Each message names the argument, its value and the
/// allowed values.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Rational};
/// let e = DiscreteGaussian::with_sigma(Rational::from(-2)).unwrap_err();
/// assert_eq!(e.to_string(), "sigma = -2: expected a number greater than 0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParamError {
    /// A width that is zero or negative.
    NotPositive {
        /// The argument's name.
        argument: &'static str,
        /// Its value.
        value: Rational,
    },
    /// A form or size of an argument that this method cannot honour.
    Unsupported {
        /// The method's name.
        method: &'static str,
        /// The argument's name.
        argument: &'static str,
        /// Its value.
        value: Rational,
        /// The allowed values, in words.
        allowed: &'static str,
    },
    /// A whole-number option out of its range.
    OutOfRange {
        /// The argument's name.
        argument: &'static str,
        /// Its value.
        value: u64,
        /// The least allowed.
        min: u64,
        /// The largest allowed.
        max: u64,
    },
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPositive { argument, value } => {
                write!(f, "{argument} = {value:#}: expected a number greater than 0")
            }
            Self::Unsupported { method, argument, value, allowed } => {
                write!(f, "{argument} = {value:#}: method {method} allows {allowed}")
            }
            Self::OutOfRange { argument, value, min, max } => {
                write!(f, "{argument} = {value}: expected a number between {min} and {max}")
            }
        }
    }
}

impl core::error::Error for ParamError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::hash_map::DefaultHasher;

    #[test]
    fn equal_laws_are_equal_and_hash_alike() {
        let law = |form: fn(Rational) -> Width, q: &str, center: &str| {
            DiscreteGaussian::new(center.parse().unwrap(), form(q.parse().unwrap())).unwrap()
        };
        let hash = |law: &DiscreteGaussian| {
            let mut hasher = DefaultHasher::new();
            law.hash(&mut hasher);
            hasher.finish()
        };
        let same = [
            (law(Width::Sigma, "3.2", "0"), law(Width::SigmaSq, "10.24", "0")),
            (law(Width::SigmaSq, "4", "1/3"), law(Width::Sigma, "2", "2/6")),
            (law(Width::SigmaSq, "10", "0"), law(Width::SigmaSq, "20/2", "0")),
            (law(Width::S, "8.35", "0"), law(Width::S, "167/20", "0")),
            (law(Width::Sigma, "3037000499", "0"), law(Width::SigmaSq, "9223372030926249001", "0")),
        ];
        for (a, b) in same {
            assert_eq!(a, b);
            assert_eq!(hash(&a), hash(&b));
        }
        let others = [
            (law(Width::Sigma, "3.2", "0"), law(Width::SigmaSq, "10.25", "0")),
            (law(Width::Sigma, "3.2", "0"), law(Width::Sigma, "3.2", "1")),
            (law(Width::Sigma, "2", "0"), law(Width::S, "2", "0")),
            (law(Width::KSigma2, "2", "0"), law(Width::S, "2", "0")),
            (law(Width::SigmaSq, "2", "0"), law(Width::Sigma, "2", "0")),
        ];
        assert!(others.iter().all(|(a, b)| a != b));
    }
}
