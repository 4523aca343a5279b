//! [`NoiseLaw`], the laws that samplers aim at.

use super::DiscreteGaussian;
use core::fmt;

/// The law that a sampler aims at: D_{Z,σ,c}, or another noise of lattice cryptography from [`finite`](crate::finite).
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
        /// η, half the number of bits.
        eta: u32,
    },
    /// Uniform on -2^b ..= 2^b, except that each end has half the mass of the other values.
    TUniform {
        /// b.
        bound_log2: u32,
    },
}

impl NoiseLaw {
    /// Returns the discrete Gaussian, if the law is one.
    pub const fn gaussian(&self) -> Option<&DiscreteGaussian> {
        match self {
            NoiseLaw::Gaussian(law) => Some(law),
            _ => None,
        }
    }
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

impl fmt::Display for NoiseLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoiseLaw::Gaussian(law) => law.fmt(f),
            NoiseLaw::Ternary => f.write_str("Ternary"),
            NoiseLaw::CenteredBinomial { eta } => write!(f, "CBD({eta})"),
            NoiseLaw::TUniform { bound_log2 } => write!(f, "TUniform({bound_log2})"),
        }
    }
}
