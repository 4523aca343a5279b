//! The order in which the planner prefers methods, the same on every machine.
//!
//! A position is a method and a condition, so a method may have several. `cargo tools gen-docs` writes the order into
//! docs/methods.md.

use crate::method::Method;
use std::fmt;

/// A condition on the law and on the sampler's size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum When {
    Always,
    /// The inversion table of the law has at most this many entries.
    AtMost(f64),
    /// It has at least this many.
    AtLeast(f64),
    /// The sampler's own tables take at least this many bytes.
    Bytes(f64),
}

use When::{Always, AtLeast, AtMost, Bytes};

/// The positions, the preferred one first. Every method has one that always holds.
pub(crate) const ORDER: &[(Method, When)] = &[
    (Method::CdtGuided, AtMost(6e3)),
    (Method::Ziggurat, AtLeast(8e5)),
    (Method::Convolution, Always),
    (Method::CdtGuided, AtMost(2e4)),
    (Method::KnuthYaoCt, Always),
    (Method::CdtLazyCt, AtMost(1e3)),
    (Method::Isochronous, AtLeast(1.2e4)),
    (Method::Wide, Always),
    (Method::Bernoulli, AtLeast(1e11)),
    (Method::ConvolutionCt, Always),
    (Method::CdtLazyCt, AtMost(1.5e3)),
    (Method::Isochronous, Always),
    (Method::CdtLazyCt, Always),
    (Method::CdtGuided, Always),
    (Method::CdtCt, AtMost(62.0)),
    (Method::Ziggurat, Bytes(500.0)),
    (Method::Bernoulli, Always),
    (Method::Ziggurat, Always),
    (Method::CdtCt, AtMost(300.0)),
    (Method::Cdt, AtMost(1e4)),
    (Method::DuWei5Ky, Always),
    (Method::Karney, AtMost(300.0)),
    (Method::DuWei4, Always),
    (Method::Karney, Always),
    (Method::Cdt, Always),
    (Method::CdtCt, Always),
    (Method::KnuthYaoCompact, Always),
    (Method::KnuthYao, Always),
    (Method::DuWei5, Always),
    (Method::RejectionTable, Always),
    (Method::Cks, Always),
    (Method::Rejection, Always),
];

/// The last position that is not several times slower than the first ones. Only those up to it are preferred for exactness.
const LAST_FAST: (Method, When) = (Method::CdtCt, AtMost(62.0));

/// Whether the position is in the fast part of the order.
pub(crate) fn is_fast(position: usize) -> bool {
    ORDER.iter().position(|it| *it == LAST_FAST).is_some_and(|last| position <= last)
}

/// Returns the first position of a method whose condition holds. The condition is on the entries of the law's inversion
/// table, or on the sampler's bytes. A method without a position comes last.
pub(crate) fn position(method: Method, entries: f64, bytes: f64) -> usize {
    let holds = |when| match when {
        Always => true,
        AtMost(most) => entries <= most,
        AtLeast(least) => entries >= least,
        Bytes(least) => bytes >= least,
    };
    ORDER.iter().position(|(of, when)| *of == method && holds(*when)).unwrap_or(ORDER.len())
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Always => f.write_str("always"),
            AtMost(most) => write!(f, "at most {most} entries"),
            AtLeast(least) => write!(f, "at least {least} entries"),
            Bytes(least) => write!(f, "at least {least} bytes of its own"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_position_that_always_holds() {
        for method in Method::ALL {
            let always = ORDER.iter().filter(|position| **position == (method, Always)).count();
            assert_eq!(always, 1, "{method}: needs one line `(Method::{method:?}, Always)` in src/order.rs");
        }
    }

    #[test]
    fn tables_are_fast_and_long_scans_are_not() {
        let of = |method, entries| is_fast(position(method, entries, 0.0));
        assert!(of(Method::CdtLazyCt, 4000.0) && of(Method::CdtGuided, 1e6) && of(Method::CdtCt, 62.0));
        assert!(!of(Method::CdtCt, 63.0) && !of(Method::Karney, 1.0));
    }

    /// A position behind one of the same method that always holds would never be used.
    #[test]
    fn every_position_can_be_reached() {
        for (at, (method, when)) in ORDER.iter().enumerate() {
            let reached = [1.0, 62.0, 300.0, 1e3, 1.5e3, 5e3, 1e4, 2e4, 1e5, 1e6, 1e12].into_iter();
            let mut sizes = reached.flat_map(|entries| [(entries, 0.0), (entries, 1e4)]);
            assert!(sizes.any(|(entries, bytes)| position(*method, entries, bytes) == at), "{method}, {when}");
        }
    }
}
