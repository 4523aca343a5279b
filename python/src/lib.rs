//! samplez for Python: the native module behind the package.
//!
//! It holds what needs Rust: samplers, the law's probabilities, streams, the schemes, and NumPy's C interface
//! for bit generators, in both directions. Arguments are understood and documented in Python,
//! in `samplez/`. Arrays come in, are filled in place without the interpreter's lock, and are
//! never copied.

mod ahead;
mod around;
mod arrays;
mod big;
mod bitgen;
mod convolve;
mod draw;
mod errors;
mod fill;
mod lattice;
mod masses;
mod noise;
mod residues;
mod sampler;
mod schemes;
mod seed;
mod setup;
mod single;
mod stream;
mod target;
mod trapdoor;
mod verify;

/// The native module. It needs no interpreter lock: samplers are immutable, a `Stream` has a lock of its own, a bit
/// generator NumPy's, an array is borrowed while it is filled.
#[pyo3::pymodule(gil_used = false)]
mod _samplez {
    #[pymodule_export]
    use crate::around::Around;
    #[pymodule_export]
    use crate::arrays::{round, round_texts, sample_each, sample_laws};
    #[pymodule_export]
    use crate::big::BigGaussian;
    #[pymodule_export]
    use crate::bitgen::Offered;
    #[pymodule_export]
    use crate::lattice::Form;
    #[pymodule_export]
    use crate::masses::Masses;
    #[pymodule_export]
    use crate::noise::{Noise, fill_sparse};
    #[pymodule_export]
    use crate::residues::residues;
    #[pymodule_export]
    use crate::sampler::{Sampler, recipe};
    #[pymodule_export]
    use crate::schemes::{
        BlissCertificate, BlissPublicKey, BlissSignature, BlissSigningKey, InvalidSignature, Lp11PublicKey,
        Lp11SecretKey, RegevParameters, RegevPublicKey, RegevSecretKey, lp11_keygen, scheme_noise, scheme_sets,
    };
    #[pymodule_export]
    use crate::seed::{descendant, seed};
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    use crate::target::{TargetLaw, folding};
    #[pymodule_export]
    use crate::trapdoor::{Gadget, Trapdoor};
    #[pymodule_export]
    use crate::verify::{Comparer, Identifier, Verifier};

    use pyo3::exceptions::PyRuntimeError;
    use pyo3::{PyResult, pyfunction};
    use samplez::{
        Method, Options, RoundMethod, Source,
        bindings::{Kind, LawInfo, LawRange},
    };
    use std::num::NonZero;

    /// Samples in a block of an addressed array.
    #[pymodule_export]
    const BLOCK: u64 = samplez::bindings::BLOCK;

    /// (name, summary, exact, timing) of every method.
    #[pyfunction]
    fn methods() -> Vec<(&'static str, &'static str, bool, String)> {
        Method::ALL.map(|m| (m.name(), m.row().summary, m.row().exact, m.timing().to_string())).into()
    }

    /// (name, summary, exact, timing) of every method that takes its centre with each call.
    #[pyfunction]
    fn round_methods() -> Vec<(&'static str, &'static str, bool, String)> {
        RoundMethod::ALL.map(|m| (m.name(), m.summary(), true, m.timing().to_string())).into()
    }

    /// (name, kind, allowed, summary, demand) of every option.
    #[pyfunction]
    fn options() -> Vec<(&'static str, &'static str, &'static str, &'static str, bool)> {
        let kind = |kind| match kind {
            Kind::Flag { .. } => "flag",
            Kind::Whole { .. } => "whole",
            Kind::Seconds => "seconds",
            _ => "rational",
        };
        Options::INFO.map(|o| (o.name, kind(o.kind), o.allowed, o.summary, o.demand)).into()
    }

    /// (name, kind of its parameter) of every law that is no Gaussian.
    #[pyfunction]
    fn laws() -> Vec<(&'static str, &'static str)> {
        let kind = |range| match range {
            LawRange::Nothing => "flag",
            LawRange::Whole { .. } => "whole",
            _ => "number",
        };
        LawInfo::ALL.map(|law| (law.full_name, kind(law.range))).into()
    }

    /// (name, summary, seeded, cryptographic) of every source.
    #[pyfunction]
    fn sources() -> Vec<(&'static str, &'static str, bool, bool)> {
        Source::ALL.map(|s| (s.name(), s.summary(), s.is_seeded(), s.is_cryptographic())).into()
    }

    /// What to write instead of this unknown argument, if it is known.
    #[pyfunction]
    fn way_out(name: &str, known: Vec<String>) -> Option<String> {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        samplez::bindings::way_out(name, &known).map(|way| way.replace('`', ""))
    }

    /// The name of these that was meant by a misspelt one, if there is exactly one.
    #[pyfunction]
    fn near(name: &str, names: Vec<String>) -> Option<String> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        samplez::bindings::near(name, &names).map(str::to_string)
    }

    /// The words that people bring, and the arguments that state the same.
    #[pyfunction]
    fn words() -> Vec<(Vec<&'static str>, Vec<&'static str>)> {
        samplez::bindings::WORDS.iter().map(|word| (word.words.to_vec(), word.names().collect())).collect()
    }

    /// How many self-tests passed, if all did.
    #[pyfunction]
    fn self_test() -> PyResult<usize> {
        let failed = |e: samplez_sources::SelfTestError| PyRuntimeError::new_err(e.to_string());
        samplez_sources::self_test().map(NonZero::get).map_err(failed)
    }
}
