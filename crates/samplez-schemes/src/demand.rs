//! What a scheme asks of its noise before it takes it: [`Demand`].

use crate::Error;
use alloc::format;
use core::fmt;
use samplez_core::{Bound, DiscreteGaussian, Exactness, Noise};

/// What kind of problem a scheme's security is, which tells how far its noise may be from its law.
///
/// ```
/// use samplez_schemes::Problem;
/// assert_eq!(Problem::Search.to_string(), "search");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Problem {
    /// To find something: a forgery, a key. The Rényi divergence counts.
    Search,
    /// To tell two things apart: which message a ciphertext has. The statistical distance counts.
    Decision,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::Search => "search",
            Problem::Decision => "decision",
        })
    }
}

/// What a scheme asks of its noise: a law, and a certificate that allows all samples of the scheme's lifetime at
/// [`SECURITY`](Demand::SECURITY) bits.
///
/// Every set of the schemes here has one. A scheme of your own states its own, and checks it where a key, a signer or a
/// ciphertext is made.
///
/// ```
/// use samplez_core::{DiscreteGaussian, samplers::Karney};
/// use samplez_schemes::{Demand, Problem};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let demand = Demand { law, problem: Problem::Decision, samples_log2: 40 };
/// assert_eq!(demand.to_string(), "2^40 samples of D_Z(sigma = 16/5, center = 0) for a decision problem at 128 bits");
/// demand.check(&Karney::new(&law)?)?; // exact, and so allows any number
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Demand {
    /// The law, its width in this very form.
    pub law: DiscreteGaussian,
    /// What the distance from the law is measured by.
    pub problem: Problem,
    /// The samples of a lifetime, as a power of two; those of rejected attempts are counted.
    pub samples_log2: u32,
}

impl Demand {
    /// The bits of security that the noise must not lower: 128.
    ///
    /// ```
    /// assert_eq!(samplez_schemes::Demand::SECURITY, 128);
    /// ```
    pub const SECURITY: u32 = 128;

    /// That the noise has this law and that its certificate allows so many samples; an exact sampler's allows any number.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if not, of the argument `noise`.
    ///
    /// ```
    /// use samplez_core::samplers::Cdt;
    /// use samplez_schemes::lp11::Set;
    /// use samplez_tables::{CdtOptions, build_cdt};
    /// let demand = Set::Ring256.demand();
    /// let cdt = |precision| build_cdt(&demand.law, &CdtOptions { precision, ..CdtOptions::default() }).map(Cdt::from_table);
    /// let error = demand.check(&cdt(128)?).unwrap_err();
    /// assert!(error.to_string().contains("its certificate must allow 2^42 samples of a decision problem at 128 bits"));
    /// demand.check(&cdt(192)?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, noise: &dyn Noise) -> Result<(), Error> {
        let profile = noise.profile();
        if profile.target != self.law {
            return Err(Error::refused("noise", profile.target, format!("its law must be {}", self.law)));
        }
        let Exactness::Within(bound) = profile.exactness else { return Ok(()) };
        let allows = self.allowed_by(&bound);
        if allows < f64::from(self.samples_log2) {
            let allowed = format!(
                "its certificate must allow 2^{} samples of a {} problem at {} bits, and allows 2^{allows:.1}: a higher precision, or an exact method",
                self.samples_log2,
                self.problem,
                Self::SECURITY
            );
            return Err(Error::refused("noise", profile.target, allowed));
        }
        Ok(())
    }

    /// log2 of the samples that such a distance allows.
    fn allowed_by(&self, bound: &Bound) -> f64 {
        match self.problem {
            Problem::Search => bound.samples_log2(Self::SECURITY).unwrap_or(f64::NEG_INFINITY),
            Problem::Decision => bound.samples_log2_decision(Self::SECURITY),
        }
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Demand { law, problem, samples_log2 } = self;
        write!(f, "2^{samples_log2} samples of {law} for a {problem} problem at {} bits", Self::SECURITY)
    }
}
