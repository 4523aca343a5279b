//! Why nothing was measured.

use std::fmt;

/// Why a measurement failed.
///
/// ```
/// let error = samplez_lab::LabError::System("no entropy".into());
/// assert_eq!(error.to_string(), "no entropy");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabError {
    /// What was asked for cannot be measured.
    Input(String),
    /// The library refuses the law, the method or an option.
    Refused(samplez::Refused),
    /// The system could not do its part: read, write, give entropy.
    System(String),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::Input(why) | LabError::System(why) => f.write_str(why),
            LabError::Refused(refused) => refused.fmt(f),
        }
    }
}

impl std::error::Error for LabError {}

impl From<samplez::Refused> for LabError {
    fn from(refused: samplez::Refused) -> LabError {
        LabError::Refused(refused)
    }
}

impl From<samplez::FillError> for LabError {
    fn from(error: samplez::FillError) -> LabError {
        match error {
            samplez::FillError::Entropy(error) => LabError::System(error.to_string()),
            error => LabError::Input(error.to_string()),
        }
    }
}

impl From<samplez::EntropyError> for LabError {
    fn from(error: samplez::EntropyError) -> LabError {
        LabError::System(error.to_string())
    }
}

impl From<LabError> for samplez_cli::testing::Failure {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Input(why) => Self::Input(why),
            LabError::Refused(refused) => Self::refused(&refused),
            LabError::System(why) => Self::System(why),
        }
    }
}
