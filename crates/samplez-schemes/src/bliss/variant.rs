//! The two kinds of BLISS: [`Variant`].

use crate::Error;
use core::fmt;
use core::str::FromStr;

/// Classic BLISS or BLISS-B. They share the verifier; a key belongs to one of them.
///
/// ```
/// use samplez_schemes::bliss::Variant;
/// assert_eq!((Variant::B.name(), Variant::B.to_string().as_str()), ("b", "BLISS-B"));
/// assert_eq!("classic".parse(), Ok(Variant::Classic));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// \[DDLL13\]: v = Sc, and keys with a small N_κ.
    Classic,
    /// \[Duc14\]: v by GreedySC, any key.
    B,
}

impl Variant {
    /// `classic` or `b`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Classic => "classic",
            Variant::B => "b",
        }
    }
}

impl FromStr for Variant {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let found = [Variant::Classic, Variant::B].into_iter().find(|variant| variant.name() == text);
        found.ok_or_else(|| Error::refused("variant", text, "expected classic or b"))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Variant::Classic => "BLISS",
            Variant::B => "BLISS-B",
        })
    }
}
