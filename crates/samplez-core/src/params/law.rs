//! [`NoiseLaw`], the laws that samplers aim at.

use super::{DiscreteGaussian, ParamError, Rational};
use core::fmt;
use core::ops::RangeInclusive;

/// The law that a sampler aims at: D_{Z,σ,c}, another noise of lattice cryptography from [`finite`](crate::finite), Skellam or discrete
/// Laplace noise.
///
/// Nothing but [`Gaussian`](Self::Gaussian) is a discrete Gaussian. Code that requires one compares: a law equals a [`DiscreteGaussian`]
/// only if it is that Gaussian.
///
/// ```
/// use samplez_core::{DiscreteGaussian, NoiseLaw, Sampler, finite::CenteredBinomial};
/// let law = CenteredBinomial::new(21)?.profile().target;
/// assert_eq!((law, law.to_string()), (NoiseLaw::CenteredBinomial { eta: 21 }, "CBD(21)".into()));
/// assert!(law.gaussian().is_none() && law != DiscreteGaussian::with_sigma("3.24".parse()?)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoiseLaw {
    /// D_{Z,σ,c}.
    Gaussian(DiscreteGaussian),
    /// Uniform on {-1, 0, 1}.
    Ternary,
    /// Centred binomial: the difference of two sums of `eta` fair bits each.
    CenteredBinomial {
        /// η, half the number of bits, from 1 to 2^20.
        eta: u32,
    },
    /// Uniform on -2^b ..= 2^b, except that each end has half the mass of the other values.
    TUniform {
        /// b.
        bound_log2: u32,
    },
    /// Skellam: the difference of two independent Poisson variables of equal mean. P(X = x) = e^-V·I_|x|(V), with the modified Bessel
    /// functions I. The values are all integers.
    Skellam {
        /// V, from 2^-16 to 2^20. Each Poisson variable has the mean V/2.
        variance: Rational,
    },
    /// Discrete Laplace: P(X = x) = (1 - q)/(1 + q)·q^|x|, q = exp(-1/λ). The values are all integers.
    DiscreteLaplace {
        /// λ, from 2^-16 to 2^50.
        scale: Rational,
    },
    /// The discrete Laplace law, given that abs(X) is at most a bound.
    TruncatedLaplace {
        /// λ, from 2^-16 to 2^50.
        scale: Rational,
        /// The largest value, from 1 and λ/2 to 2^53.
        bound: u64,
    },
}

/// The largest η of a centred binomial law, and the least one without exact fractions.
const BINOMIAL_MAX: u64 = 1 << 20;
const WIDE_BINOMIAL: u32 = 33;
/// The variances of Skellam laws: up to 2^20, and from 2^-16.
const SKELLAM_MAX: u128 = 1 << 20;
const SKELLAM_MIN_INVERSE: u128 = 1 << 16;
/// The scales of discrete Laplace laws: up to 2^50, and from 2^-16.
const LAPLACE_MAX: u128 = 1 << 50;
const LAPLACE_MIN_INVERSE: u128 = 1 << 16;
/// The largest bound of a truncated one. At least λ/2, it holds more than a third of the law.
const BOUND_MAX: u64 = 1 << 53;

impl NoiseLaw {
    /// Returns the discrete Gaussian, if the law is one.
    pub const fn gaussian(&self) -> Option<&DiscreteGaussian> {
        match self {
            NoiseLaw::Gaussian(law) => Some(law),
            _ => None,
        }
    }

    /// Returns the largest absolute value of a finite law: `None` for a Gaussian, Skellam and discrete Laplace.
    ///
    /// # Errors
    ///
    /// [`ParamError::OutOfRange`] for an η or b that no sampler of [`finite`](crate::finite) has. [`ParamError::Unsupported`] for a variance
    /// or a scale outside of its range.
    ///
    /// ```
    /// use samplez_core::{NoiseLaw, Rational};
    /// let e = NoiseLaw::Skellam { variance: Rational::ZERO }.bound().unwrap_err();
    /// assert_eq!(e.to_string(), "variance = 0: method skellam allows 2^-16 <= variance <= 2^20");
    /// ```
    pub const fn bound(&self) -> Result<Option<i64>, ParamError> {
        match *self {
            NoiseLaw::Gaussian(_) => Ok(None),
            NoiseLaw::Ternary => Ok(Some(1)),
            NoiseLaw::CenteredBinomial { eta } => match within("eta", eta, 1, BINOMIAL_MAX) {
                Ok(()) => Ok(Some(eta as i64)),
                Err(e) => Err(e),
            },
            NoiseLaw::TUniform { bound_log2 } => match within("bound_log2", bound_log2, 0, 62) {
                Ok(()) => Ok(Some(1 << bound_log2)),
                Err(e) => Err(e),
            },
            NoiseLaw::Skellam { variance } => {
                if !is_between(variance, SKELLAM_MIN_INVERSE, SKELLAM_MAX) {
                    let (argument, allowed) = ("variance", "2^-16 <= variance <= 2^20");
                    return Err(ParamError::Unsupported { method: "skellam", argument, value: variance, allowed });
                }
                Ok(None)
            }
            NoiseLaw::DiscreteLaplace { scale } => {
                if !is_between(scale, LAPLACE_MIN_INVERSE, LAPLACE_MAX) {
                    let (method, argument, allowed) = ("discrete-laplace", "scale", "2^-16 <= scale <= 2^50");
                    return Err(ParamError::Unsupported { method, argument, value: scale, allowed });
                }
                Ok(None)
            }
            NoiseLaw::TruncatedLaplace { scale, bound } => {
                if let Err(e) = (NoiseLaw::DiscreteLaplace { scale }).bound() {
                    return Err(e);
                }
                // At most 2^49.
                let half = (scale.num() as u128).div_ceil(2 * scale.den() as u128) as u64;
                let min = if half > 1 { half } else { 1 };
                if bound < min || bound > BOUND_MAX {
                    return Err(ParamError::OutOfRange { argument: "clip", value: bound, min, max: BOUND_MAX });
                }
                Ok(Some(bound as i64))
            }
        }
    }

    /// Returns P(X in the range) of a finite law as numerator and denominator, exactly. The denominator is 3 or a power of 2, at most
    /// 2^64. `None` for a Gaussian, Skellam, discrete Laplace (also truncated), for η above 32, and for parameters that [`bound`](Self::bound) rejects.
    ///
    /// ```
    /// use samplez_core::NoiseLaw;
    /// let law = NoiseLaw::CenteredBinomial { eta: 2 };
    /// assert_eq!((law.fraction(0..=0), law.fraction(1..=9)), (Some((6, 16)), Some((5, 16))));
    /// assert_eq!(NoiseLaw::TUniform { bound_log2: 1 }.fraction(-2..=-1), Some((3, 8)));
    /// ```
    pub fn fraction(&self, range: RangeInclusive<i64>) -> Option<(u128, u128)> {
        let bound = self.bound().ok()??;
        let (low, high) = ((*range.start()).max(-bound), (*range.end()).min(bound));
        let values = if low > high { 0 } else { u128::from(high.abs_diff(low)) + 1 };
        Some(match *self {
            NoiseLaw::Gaussian(_)
            | NoiseLaw::Skellam { .. }
            | NoiseLaw::DiscreteLaplace { .. }
            | NoiseLaw::TruncatedLaplace { .. } => return None,
            NoiseLaw::Ternary => (values, 3),
            NoiseLaw::CenteredBinomial { eta: WIDE_BINOMIAL.. } => return None,
            NoiseLaw::CenteredBinomial { eta } => {
                // C(2η, k) for k = 0, 1, …, of which k = η + x counts.
                let (mut binomial, mut sum) = (1, 0);
                for k in 0..=2 * eta {
                    let x = i64::from(k) - bound;
                    sum += if (low..=high).contains(&x) { binomial } else { 0 };
                    binomial = binomial * u128::from(2 * eta - k) / u128::from(k + 1);
                }
                (sum, 1 << (2 * eta))
            }
            NoiseLaw::TUniform { bound_log2 } => {
                let ends = u128::from(values > 0 && low == -bound) + u128::from(values > 0 && high == bound);
                (2 * values - ends, 1 << (bound_log2 + 2))
            }
        })
    }

    /// Returns P(X in the range) of a finite law, correctly rounded; `None` as for [`fraction`](Self::fraction).
    ///
    /// ```
    /// use samplez_core::NoiseLaw;
    /// assert_eq!(NoiseLaw::Ternary.mass(1..=1), Some(1.0 / 3.0));
    /// assert_eq!(NoiseLaw::CenteredBinomial { eta: 21 }.mass(i64::MIN..=-1), Some(0.43880716437615774));
    /// ```
    pub fn mass(&self, range: RangeInclusive<i64>) -> Option<f64> {
        // The conversion rounds once. Then a division by a power of 2 is exact, and 1, 2 and 3 have no rounding before theirs.
        self.fraction(range).map(|(count, all)| count as f64 / all as f64)
    }

    /// Returns the variance of a law other than a Gaussian; its mean is 0. `None` for a Gaussian and for parameters that
    /// [`bound`](Self::bound) rejects.
    pub fn variance(&self) -> Option<f64> {
        let bound = self.bound().ok()?.unwrap_or(0);
        Some(match *self {
            NoiseLaw::Gaussian(_) => return None,
            NoiseLaw::Skellam { variance } => variance.to_f64(),
            NoiseLaw::DiscreteLaplace { scale } => laplace_variance(scale, f64::INFINITY),
            NoiseLaw::TruncatedLaplace { scale, bound } => laplace_variance(scale, bound as f64),
            NoiseLaw::Ternary => 2.0 / 3.0,
            NoiseLaw::CenteredBinomial { eta } => f64::from(eta) / 2.0,
            NoiseLaw::TUniform { .. } => (2 * i128::from(bound) * i128::from(bound) + 1) as f64 / 6.0,
        })
    }
}

/// Whether 1/least <= x <= most.
const fn is_between(x: Rational, least: u128, most: u128) -> bool {
    let (num, den) = (x.num().unsigned_abs() as u128, x.den() as u128);
    x.num() > 0 && num <= most * den && num * least >= den
}

/// Σ x²q^abs(x) / Σ q^abs(x) over abs(x) <= b, q = exp(-1/λ): with d = 1 - q and p = q^(b + 1),
/// (2q(1 + q)/d² - 2p((b + 1)² + 2(b + 1)q/d + q(1 + q)/d²)) / (1 + q - 2p).
fn laplace_variance(scale: Rational, bound: f64) -> f64 {
    let inverse = scale.den() as f64 / scale.num() as f64;
    let (grown, n) = (exp_minus_1(inverse), bound + 1.0);
    let (q, d) = (1.0 / (1.0 + grown), 1.0 / (1.0 + 1.0 / grown));
    let (all, p) = (q * (1.0 + q) / (d * d), 1.0 / (1.0 + exp_minus_1(n * inverse)));
    let beyond = if p > 0.0 { p * (n * n + 2.0 * n * q / d + all) } else { 0.0 };
    2.0 * (all - beyond) / (1.0 + q - 2.0 * p)
}

/// e^x - 1 for x > 0, by the power series: all terms are positive. Infinite from about 700 on.
fn exp_minus_1(x: f64) -> f64 {
    if x > 700.0 {
        return f64::INFINITY;
    }
    let (mut term, mut sum, mut k) = (1.0, 0.0, 0.0);
    loop {
        k += 1.0;
        term *= x / k;
        let before = sum;
        sum += term;
        if sum == before {
            return sum;
        }
    }
}

/// Refuses a parameter outside of its range.
const fn within(argument: &'static str, value: u32, min: u64, max: u64) -> Result<(), ParamError> {
    let value = value as u64;
    if value < min || value > max {
        return Err(ParamError::OutOfRange { argument, value, min, max });
    }
    Ok(())
}

impl From<DiscreteGaussian> for NoiseLaw {
    fn from(law: DiscreteGaussian) -> Self {
        NoiseLaw::Gaussian(law)
    }
}

impl From<&DiscreteGaussian> for NoiseLaw {
    fn from(law: &DiscreteGaussian) -> Self {
        NoiseLaw::Gaussian(*law)
    }
}

impl PartialEq<DiscreteGaussian> for NoiseLaw {
    fn eq(&self, other: &DiscreteGaussian) -> bool {
        self.gaussian() == Some(other)
    }
}

/// A name and a number in the form that is asked for.
fn written(f: &mut fmt::Formatter<'_>, name: &str, number: &Rational) -> fmt::Result {
    write!(f, "{name}(")?;
    fmt::Display::fmt(number, f)?;
    f.write_str(")")
}

impl fmt::Display for NoiseLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoiseLaw::Gaussian(law) => law.fmt(f),
            NoiseLaw::Ternary => f.write_str("Ternary"),
            NoiseLaw::CenteredBinomial { eta } => write!(f, "CBD({eta})"),
            NoiseLaw::TUniform { bound_log2 } => write!(f, "TUniform({bound_log2})"),
            NoiseLaw::Skellam { variance } => written(f, "Skellam", variance),
            NoiseLaw::DiscreteLaplace { scale } => written(f, "DiscreteLaplace", scale),
            NoiseLaw::TruncatedLaplace { scale, bound } => {
                written(f, "DiscreteLaplace", scale)?;
                write!(f, " within {bound}")
            }
        }
    }
}
