//! What was measured of a scheme's set over one sampler and one source, and what it is measured under.

use super::clock::Operation;
use crate::failure::Failure;
use samplez::schemes;
use samplez::{Built, Method, Seed, Source};
use samplez_schemes::{Demand, Error};
use samplez_sources::CryptoGenerator;
use std::time::Duration;

/// One line of the report.
pub(super) struct Row {
    pub(super) scheme: &'static str,
    pub(super) set: String,
    /// `classic` or `b`.
    pub(super) variant: Option<&'static str>,
    /// `plain` or `isochronous`.
    pub(super) signer: Option<&'static str>,
    /// `default`, or the method that was asked for.
    pub(super) asked: &'static str,
    /// What was built.
    pub(super) recipe: String,
    pub(super) timing: String,
    pub(super) source: Source,
    pub(super) operations: Vec<Operation>,
    /// Attempts for a signature: measured, and M.
    pub(super) attempts: Option<(f64, f64)>,
}

impl Row {
    pub(super) fn operation(&self, name: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.name == name)
    }

    /// The line without its operations.
    pub(super) fn of(scheme: &'static str, set: String, under: &Under<'_>) -> Row {
        Row {
            scheme,
            set,
            variant: None,
            signer: None,
            asked: asked(under.method),
            recipe: under.noise.recipe().to_string(),
            timing: under.noise.profile().timing.to_string(),
            source: under.source,
            operations: Vec::new(),
            attempts: None,
        }
    }
}

/// What a line is measured under.
pub(super) struct Under<'a> {
    pub(super) turn: Duration,
    pub(super) source: Source,
    pub(super) method: Option<Method>,
    pub(super) noise: &'a Built,
}

impl Under<'_> {
    pub(super) fn generator(&self) -> Result<CryptoGenerator, Failure> {
        generator(self.source)
    }
}

pub(super) fn generator(source: Source) -> Result<CryptoGenerator, Failure> {
    source.crypto(&Seed::from_bytes([0; 32])).ok_or_else(|| {
        Failure::input(&format!("--sources {source}"), "schemes require a cryptographic source with a seed")
    })
}

/// The required noise, by the method asked for.
pub(super) fn noise(demand: &Demand, method: Option<Method>) -> Result<Built, String> {
    let said = method.map_or_else(String::new, |method| format!("method={method}"));
    schemes::noise(demand, &said).map_err(|why| why.to_string())
}

pub(super) fn asked(method: Option<Method>) -> &'static str {
    method.map_or("default", Method::name)
}

/// What no scheme does here.
pub(super) fn failed(error: Error) -> Failure {
    Failure::System(error.to_string())
}
