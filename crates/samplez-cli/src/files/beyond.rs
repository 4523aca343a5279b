//! Integers beyond 64 bits, and how a reader reduces them to 64.

use samplez::Folding;
use std::rc::Rc;

/// How the integers of a file become integers of 64 bits.
#[derive(Clone, Debug, Default)]
pub enum Beyond {
    /// They have 64 bits, or are an error.
    #[default]
    None,
    /// The same, in a command that has a modulus, which was not given.
    NoModulus,
    /// They are residues modulo q, above 2^63 and at most 2^64: those about 0.
    Residues(u128),
    /// They come from a distribution beyond 64 bits. Each is folded to an integer of a narrower distribution.
    Folded(Rc<Folding>),
}

impl Beyond {
    /// That of a command with this modulus.
    pub(crate) fn of_modulus(q: Option<u128>) -> Self {
        match q {
            Some(q) if q > 1 << 63 => Beyond::Residues(q),
            Some(_) => Beyond::None,
            None => Beyond::NoModulus,
        }
    }

    /// True if integers remain as they are.
    #[inline]
    pub(super) fn is_none(&self) -> bool {
        matches!(self, Beyond::None | Beyond::NoModulus)
    }

    /// What an integer becomes; `None` if it is not allowed.
    pub(super) fn of(&self, value: i128) -> Option<i64> {
        match self {
            Beyond::None | Beyond::NoModulus => value.try_into().ok(),
            Beyond::Residues(q) => {
                // At most 2^64.
                let q = *q as i128;
                let is_residue = -(q / 2) <= value && value < q;
                is_residue.then(|| if value > (q - 1) / 2 { (value - q) as i64 } else { value as i64 })
            }
            Beyond::Folded(folding) => folding.fold(&value.to_string()),
        }
    }

    /// The same of digits with a sign.
    pub(super) fn of_text(&self, digits: &str) -> Option<i64> {
        match self {
            Beyond::Folded(folding) => folding.fold(digits),
            _ => self.of(digits.parse().ok()?),
        }
    }

    /// What is expected, for messages.
    pub(super) fn expected(&self) -> String {
        match self {
            Beyond::None | Beyond::NoModulus => "an integer of 64 bits".into(),
            Beyond::Residues(q) => {
                format!("a residue, from 0 to {} or from -{half} to {half}, for --modulus {q}", q - 1, half = q / 2)
            }
            Beyond::Folded(_) => "an integer".into(),
        }
    }

    /// The end of the message about an integer that is not allowed: a modulus, if it can be a residue.
    pub(super) fn way_out(&self, digits: &str) -> &'static str {
        match (self, digits.parse()) {
            (Beyond::NoModulus, Ok(0_u64..)) => "; for residues modulo 2^64, add --modulus 18446744073709551616",
            _ => "",
        }
    }
}
