//! The error of the schemes: [`Error`].

use alloc::string::String;
use core::fmt;
use samplez_core::bits::Fault;

/// Why a key, a signature, a ciphertext or an argument is not taken.
///
/// ```
/// use samplez_schemes::Error;
/// let error = Error::Malformed { what: "signature", why: "bytes follow its end" };
/// assert_eq!(error.to_string(), "malformed signature: bytes follow its end");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Bytes that are not the encoding of anything.
    Malformed {
        /// The kind of encoding that they should be.
        what: &'static str,
        /// The mistake.
        why: &'static str,
    },
    /// An argument that cannot be honoured.
    Refused {
        /// The argument's name.
        argument: &'static str,
        /// Its value.
        value: String,
        /// The allowed values, in words.
        allowed: String,
    },
    /// A signature that is none of this message under this key.
    Invalid,
    /// The random generator is stuck: everything made from it is dropped.
    Generator(Fault),
}

impl Error {
    pub(crate) const fn malformed(what: &'static str, why: &'static str) -> Self {
        Error::Malformed { what, why }
    }

    pub(crate) fn refused(argument: &'static str, value: impl fmt::Display, allowed: impl fmt::Display) -> Self {
        use alloc::string::ToString;
        Error::Refused { argument, value: value.to_string(), allowed: allowed.to_string() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Malformed { what, why } => write!(f, "malformed {what}: {why}"),
            Error::Refused { argument, value, allowed } => write!(f, "{argument} = {value}: {allowed}"),
            Error::Invalid => f.write_str("the signature is none of this message under this key"),
            Error::Generator(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Error::Generator(fault) => fault.source(),
            Error::Malformed { .. } | Error::Refused { .. } | Error::Invalid => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use core::error::Error as _;

    /// The message is the fault's own; a chain would tell it twice.
    #[test]
    fn a_fault_is_told_once() {
        let error = Error::Generator(Fault::Repeated);
        assert_eq!(error.to_string(), Fault::Repeated.to_string());
        assert!(error.source().is_none());
    }
}
