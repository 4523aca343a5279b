//! The errors of a generator of \[SP800-90A\].

use core::fmt;
use core::ops::RangeInclusive;

/// An argument beyond a limit of \[SP800-90A\], or a generator that has to be reseeded.
///
/// ```
/// use samplez_sources::HashDrbgSha256;
/// let e = HashDrbgSha256::instantiate(&[1; 32], &[2; 8], b"").unwrap_err();
/// assert_eq!(e.to_string(), "the nonce has 8 bytes; at least 16 are required");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DrbgError {
    /// The entropy cannot hold the entropy that the mechanism needs.
    EntropyTooShort {
        /// Its bytes.
        got: usize,
        /// The bytes that are required.
        min: usize,
    },
    /// The nonce is shorter than half the security strength.
    NonceTooShort {
        /// Its bytes.
        got: usize,
        /// The bytes that are required.
        min: usize,
    },
    /// An input is longer than allowed.
    InputTooLong {
        /// Which input.
        input: &'static str,
        /// Its bytes.
        got: usize,
        /// The bytes that are allowed.
        max: usize,
    },
    /// More bytes were asked for than one request may give.
    RequestTooLong {
        /// The bytes asked for.
        got: usize,
        /// The bytes that are allowed.
        max: usize,
    },
    /// A number of requests between reseedings that is 0 or too large.
    BadInterval {
        /// The number.
        got: u64,
        /// The largest that is allowed.
        max: u64,
    },
    /// The requests that one seeding allows are used up.
    ReseedRequired {
        /// How many they were.
        interval: u64,
    },
}

impl DrbgError {
    pub(super) fn check_entropy(got: usize, allowed: RangeInclusive<usize>) -> Result<(), Self> {
        if got < *allowed.start() {
            return Err(Self::EntropyTooShort { got, min: *allowed.start() });
        }
        Self::at_most("entropy", got, *allowed.end())
    }

    pub(crate) fn check_length(input: &'static str, bytes: &[u8], max: usize) -> Result<(), Self> {
        Self::at_most(input, bytes.len(), max)
    }

    fn at_most(input: &'static str, got: usize, max: usize) -> Result<(), Self> {
        if got > max {
            return Err(Self::InputTooLong { input, got, max });
        }
        Ok(())
    }
}

impl fmt::Display for DrbgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EntropyTooShort { got, min } => {
                write!(f, "the entropy has {got} bytes; at least {min} are required")
            }
            Self::NonceTooShort { got, min } => write!(f, "the nonce has {got} bytes; at least {min} are required"),
            Self::InputTooLong { input, got, max } => {
                write!(f, "the {input} has {got} bytes; at most {max} are allowed")
            }
            Self::RequestTooLong { got, max } => {
                write!(f, "a request for {got} bytes; at most {max} are allowed")
            }
            Self::BadInterval { got, max } => {
                write!(f, "a reseed interval of {got} requests; 1 to {max} are allowed")
            }
            Self::ReseedRequired { interval } => {
                write!(f, "{interval} requests since the last seeding, as many as are allowed; reseed first")
            }
        }
    }
}

impl core::error::Error for DrbgError {}
