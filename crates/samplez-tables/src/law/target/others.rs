//! Rounded laws, and laws that are easily taken for each other.

use super::super::base::{Family, Parts, half_below};
use super::{TargetError, TargetLaw, Term, refuse};
use alloc::vec::Vec;
use samplez_core::{DiscreteGaussian, NoiseLaw, ParamError, Rational, Width};

impl TargetLaw {
    /// Returns the distribution of the integer nearest to a normal variable with centre c and standard deviation σ.
    ///
    /// # Errors
    ///
    /// [`TargetError`] if c - 1/2 is not a [`Rational`].
    pub fn rounded(parameters: &DiscreteGaussian) -> Result<Self, TargetError> {
        match half_below(parameters) {
            Some(_) => Ok(TargetLaw::new(Family::Rounded(*parameters))),
            None => refuse("center", parameters.center(), "a centre whose numerator and denominator are below 2^61"),
        }
    }

    /// Returns the distribution of the integer nearest to a Laplace variable with centre 0 and density proportional to e^(-|x|/`scale`):
    /// P(|X| >= x) = e^(-(x - 1/2)/`scale`) for x >= 1.
    ///
    /// # Errors
    ///
    /// [`ParamError`] for a scale that [`NoiseLaw::bound`] rejects in a discrete Laplace law.
    ///
    /// ```
    /// let law = samplez_tables::TargetLaw::rounded_laplace("2".parse()?)?;
    /// assert_eq!((law.to_string(), law.pmf(0)), ("RoundedLaplace(2)".into(), 0.22119921692859512));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rounded_laplace(scale: Rational) -> Result<Self, ParamError> {
        NoiseLaw::DiscreteLaplace { scale }.bound()?;
        // Σ x²·P(X = x), with P(X = x) = q^(|x| - 1/2)·(1 - q)/2 for x other than 0.
        let (inverse, exp) = (1.0 / scale.to_f64(), |x: f64| libm::exp(-x));
        let less = libm::expm1(-inverse);
        let variance = exp(inverse / 2.0) * (1.0 + exp(inverse)) / (less * less);
        Ok(TargetLaw::new(Family::RoundedLaplace(scale, variance)))
    }

    /// Returns the scale of a rounded Laplace law, cut or reduced or not.
    #[doc(hidden)]
    pub fn rounded_scale(&self) -> Option<Rational> {
        match &self.parts.family {
            Family::RoundedLaplace(scale, _) => Some(*scale),
            _ => None,
        }
    }

    /// Returns true for a rounded normal.
    pub fn is_rounded(&self) -> bool {
        matches!(self.parts.family, Family::Rounded(_))
    }

    /// Returns the laws that programs draw in place of this one, with the same range and modulus: of D_Z, a rounded normal and a Skellam law, each
    /// other two. The normal variable may also be rounded down, so its centre is lower by 1/2. Of a discrete and a rounded Laplace law, the
    /// other one. Empty for further laws.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::TargetLaw;
    /// let law = TargetLaw::from(&DiscreteGaussian::with_sigma("2".parse()?)?);
    /// let others: Vec<String> = law.others().iter().map(ToString::to_string).collect();
    /// assert_eq!(others, ["RoundedNormal(sigma = 2, center = 0)", "RoundedNormal(sigma = 2, center = -1/2)", "Skellam(4)"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn others(&self) -> Vec<TargetLaw> {
        let parameters = match &self.parts.family {
            Family::Gaussian(parameters) | Family::Rounded(parameters) => Some(*parameters),
            Family::Finite(NoiseLaw::Skellam { variance }, _) => {
                DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq(*variance)).ok()
            }
            _ => None,
        };
        let whole = Parts { family: self.parts.family.clone(), range: None, modulus: None };
        let alike = |law: TargetLaw| {
            let law = self.parts.range.map_or(Some(law.clone()), |(low, high)| law.within(low..=high).ok())?;
            self.parts.modulus.map_or(Some(law.clone()), |q| law.modulo(q).ok())
        };
        let laplace = match &self.parts.family {
            Family::Finite(NoiseLaw::DiscreteLaplace { scale }, _) => TargetLaw::rounded_laplace(*scale).ok(),
            Family::RoundedLaplace(scale, _) => TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale: *scale }).ok(),
            _ => None,
        };
        let Some(parameters) = parameters else { return laplace.and_then(alike).into_iter().collect() };
        let rounded = |parameters: &DiscreteGaussian| TargetLaw::rounded(parameters).ok();
        let all = [
            Some((&parameters).into()),
            rounded(&parameters),
            half_below(&parameters).as_ref().and_then(rounded),
            skellam(&parameters),
        ];
        all.into_iter().flatten().filter(|law| law.parts != whole).filter_map(alike).collect()
    }
}

/// The Skellam law of this variance about an integer.
fn skellam(parameters: &DiscreteGaussian) -> Option<TargetLaw> {
    let variance = match parameters.width() {
        Width::Sigma(sigma) => {
            Rational::new(sigma.num().checked_mul(sigma.num())?, sigma.den().checked_mul(sigma.den())?)?
        }
        Width::SigmaSq(variance) => variance,
        _ => return None,
    };
    let law = NoiseLaw::Skellam { variance };
    law.bound().ok()?;
    let (law, center) = (TargetLaw::finite(&law).ok()?, parameters.center());
    match center.num() {
        0 => Some(law),
        c if center.is_integer() => {
            TargetLaw::sum(&[Term::from(&law), Term::from(&TargetLaw::weights(c, &[1]).ok()?)]).ok()
        }
        _ => None,
    }
}
