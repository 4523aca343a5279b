//! Laws that are easily taken for each other.

use super::super::base::{Family, Parts, half_below};
use super::{TargetLaw, Term};
use alloc::vec::Vec;
use samplez_core::{DiscreteGaussian, NoiseLaw, Rational, Width};

impl TargetLaw {
    /// Returns the laws that programs draw in place of this one, with the same range and modulus: of D_Z, a rounded normal and a Skellam law, each
    /// other two. The normal variable may also be rounded down, so its centre is lower by 1/2. Empty for further laws.
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
        let Some(parameters) = parameters else { return Vec::new() };
        let rounded = |parameters: &DiscreteGaussian| TargetLaw::rounded(parameters).ok();
        let all = [
            Some((&parameters).into()),
            rounded(&parameters),
            half_below(&parameters).as_ref().and_then(rounded),
            skellam(&parameters),
        ];
        let whole = Parts { family: self.parts.family.clone(), range: None, modulus: None };
        let alike = |law: TargetLaw| {
            let law = self.parts.range.map_or(Some(law.clone()), |(low, high)| law.within(low..=high).ok())?;
            self.parts.modulus.map_or(Some(law.clone()), |q| law.modulo(q).ok())
        };
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
