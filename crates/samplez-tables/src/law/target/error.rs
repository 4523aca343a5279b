//! The error for parameters that define no law.

use alloc::string::{String, ToString};
use core::fmt;

/// The error for parameters that define no [`TargetLaw`](super::TargetLaw).
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::TargetLaw;
/// let law = TargetLaw::from(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
/// assert_eq!(law.modulo(1).unwrap_err().to_string(), "modulus = 1: expected a whole number from 2 to 2^64");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetError {
    /// The argument: `center`, `clip`, `range`, `modulus`, `sum`, `copies` or `weights`.
    pub argument: &'static str,
    /// Its value.
    pub value: String,
    /// The values that are expected.
    pub expected: &'static str,
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: expected {}", self.argument, self.value, self.expected)
    }
}

impl core::error::Error for TargetError {}

pub(super) fn refuse<T>(
    argument: &'static str,
    value: impl ToString,
    expected: &'static str,
) -> Result<T, TargetError> {
    Err(TargetError { argument, value: value.to_string(), expected })
}
