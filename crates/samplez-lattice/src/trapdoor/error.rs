//! [`TrapdoorError`].

use samplez::{Fault, Refused};
use std::error::Error;
use std::fmt;

/// Why there is no key or no preimage.
///
/// ```
/// use samplez_lattice::TrapdoorError;
/// let e: TrapdoorError = samplez::Refused::new("q", 1, "expected an integer from 2 to 2^31").into();
/// assert_eq!(e.to_string(), "q = 1: expected an integer from 2 to 2^31");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TrapdoorError {
    /// An argument is refused. Nothing was drawn.
    Refused(Refused),
    /// The generator is stuck. The output is all zeros.
    Generator(Fault),
    /// The key's covariance has no factor of the precision that the bound requires, in 16 attempts. This has a probability below 2^-100,
    /// unless the generator is bad.
    Covariance,
}

impl fmt::Display for TrapdoorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrapdoorError::Refused(e) => e.fmt(f),
            TrapdoorError::Generator(e) => e.fmt(f),
            TrapdoorError::Covariance => {
                f.write_str("no key in 16 attempts has a precise covariance: use another generator or a larger sigma")
            }
        }
    }
}

impl Error for TrapdoorError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TrapdoorError::Refused(e) => e.source(),
            TrapdoorError::Generator(e) => e.source(),
            TrapdoorError::Covariance => None,
        }
    }
}

impl From<Refused> for TrapdoorError {
    fn from(e: Refused) -> Self {
        TrapdoorError::Refused(e)
    }
}
