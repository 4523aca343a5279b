//! The array of samples that an instance of the module holds.

use crate::json;
use crate::output::{Output, no_type};
use crate::request::Request;
use crate::spelling::refusal;
use samplez::tables::Law;
use samplez::{Built, Bulk, FillError, Int, Seed, Source};
use std::ops::RangeInclusive;

pub(crate) struct Array {
    built: Built,
    law: Law,
    typical: RangeInclusive<i64>,
    source: Source,
    seed: Seed,
}

impl Array {
    /// Builds the sampler. `seed` is what came as bytes.
    pub(crate) fn build(request: &Request, seed: &[u8]) -> Result<Array, String> {
        let seed = request.bits.seed(seed)?;
        let built = request.recipe.build().map_err(|refused| refusal(&refused))?;
        Ok(Array {
            law: Law::new(&built.recipe().law),
            typical: built.typical_range(),
            built,
            source: request.bits.source,
            seed,
        })
    }

    pub(crate) fn law(&self) -> &Law {
        &self.law
    }

    /// Samples `first`, `first + 1`, … with this many bits each.
    pub(crate) fn fill(&self, bits: u32, first: u64, len: usize, out: &mut Output) -> Result<(), String> {
        match bits {
            8 => self.samples(first, out.room::<i8>(len)),
            16 => self.samples(first, out.room::<i16>(len)),
            32 => self.samples(first, out.room::<i32>(len)),
            64 => self.samples(first, out.room::<i64>(len)),
            _ => Err(no_type(bits)),
        }
    }

    fn samples<T: Int>(&self, first: u64, out: &mut [T]) -> Result<(), String> {
        let filled = Bulk::new(self.built.sampler(), self.source, self.seed.clone()).fill(first, out);
        filled.map_err(|error| match error {
            FillError::Narrow(e) => e.respelled("array", array_of),
            error => error.to_string(),
        })
    }

    /// What the array is, and the library's certificate of its law. Its ends are texts here besides: JavaScript's
    /// numbers end at 2^53.
    pub(crate) fn describe(&self) -> String {
        json::object([
            ("certificate", self.built.certificate().to_json()),
            ("recipe", json::text(&self.built.recipe().to_string())),
            ("method", json::text(self.built.method().name())),
            ("reason", self.built.plan().map_or("null".into(), |plan| json::text(&plan.reason))),
            ("sigma", json::number(self.law.sigma())),
            ("typical", range(&self.typical)),
            ("support", range(&self.built.profile().support)),
            ("source", json::text(self.source.name())),
            ("seeded", self.source.is_seeded().to_string()),
        ])
    }
}

/// The array whose integers have this type.
fn array_of(name: &str) -> String {
    match name {
        i64::NAME => "BigInt64Array".into(),
        name => format!("{}Array", name.replace('i', "Int")),
    }
}

/// As texts: JavaScript's numbers end at 2^53.
fn range(range: &RangeInclusive<i64>) -> String {
    json::array([range.start(), range.end()].map(|x| json::text(&x.to_string())))
}
