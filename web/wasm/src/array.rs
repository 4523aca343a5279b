//! The array of samples that an instance of the module holds.

use crate::json;
use crate::request::{Request, refusal};
use bytemuck::Pod;
use samplez::tables::Law;
use samplez::{Bound, Bulk, Exactness, Int, Method, Noise, Seed, Source};
use std::ops::RangeInclusive;
use zeroize::Zeroize;

/// The levels of security that a certificate speaks of.
const SECURITY: [u32; 2] = [128, 256];

pub(crate) struct Array {
    sampler: Box<dyn Noise>,
    method: Method,
    /// Why the planner chose the method, if it did.
    reason: Option<String>,
    precision: u32,
    law: Law,
    typical: RangeInclusive<i64>,
    source: Source,
    seed: Seed,
    /// The samples of the last fill, of whatever type, and after them what is left of longer ones.
    output: Vec<u64>,
}

impl Drop for Array {
    fn drop(&mut self) {
        self.output.zeroize();
    }
}

impl Array {
    /// Builds the sampler. `seed` is what came as bytes.
    pub(crate) fn build(request: &Request, seed: &[u8]) -> Result<Array, String> {
        let seed = match &request.seed {
            Some(seed) => seed.clone(),
            None => {
                let length = |_| format!("seed: must be 32 bytes; got {}", seed.len());
                let mut bytes: [u8; 32] = seed.try_into().map_err(length)?;
                let seed = Seed::from_bytes(bytes);
                bytes.zeroize();
                seed
            }
        };
        let built = request.recipe.build().map_err(|refused| refusal(&refused))?;
        Ok(Array {
            method: built.method(),
            reason: built.plan().map(|plan| plan.reason.clone()),
            precision: built.options().precision(),
            law: Law::new(built.law()),
            typical: built.typical_range(),
            sampler: built.into_sampler(),
            source: request.source,
            seed,
            output: Vec::new(),
        })
    }

    pub(crate) fn law(&self) -> &Law {
        &self.law
    }

    /// Samples `first`, `first + 1`, … with this many bits each, to `output`.
    pub(crate) fn fill(&mut self, bits: u32, first: u64, len: usize) -> Result<(), String> {
        match bits {
            8 => self.samples::<i8>(first, len),
            16 => self.samples::<i16>(first, len),
            32 => self.samples::<i32>(first, len),
            64 => self.samples::<i64>(first, len),
            _ => Err(format!("bits = {bits}: must be one of 8, 16, 32, 64")),
        }
    }

    fn samples<T: Int + Pod>(&mut self, first: u64, len: usize) -> Result<(), String> {
        let (low, high) = (*self.typical.start(), *self.typical.end());
        if T::narrow(low).is_none() || T::narrow(high).is_none() {
            let dtype = T::NAME;
            return Err(format!(
                "the samples, {low} to {high}, do not fit the output type {dtype}: choose a wider type"
            ));
        }
        let words = (len * size_of::<T>()).div_ceil(size_of::<u64>());
        if self.output.len() < words {
            // A new one, so that no copy of the old one is left behind.
            self.output.zeroize();
            self.output = vec![0; words];
        }
        let samples: &mut [T] = &mut bytemuck::cast_slice_mut(&mut self.output)[..len];
        Bulk::new(&*self.sampler, self.source, self.seed.clone()).fill(first, samples).map_err(|e| e.to_string())
    }

    /// Where the samples of the last fill begin.
    pub(crate) fn output(&self) -> *const u64 {
        self.output.as_ptr()
    }

    /// What the array is, and the certificate of its law.
    pub(crate) fn describe(&self) -> String {
        let profile = self.sampler.profile();
        let bound = match &profile.exactness {
            Exactness::Exact => None,
            Exactness::Within(bound) => Some(bound),
        };
        let width = profile.target.width();
        let moments = self.law.moments();
        json::object([
            ("law", json::text(&profile.target.to_string())),
            ("width", json::object([("form", json::text(width.name())), ("value", rational(width.value()))])),
            ("center", rational(profile.target.center())),
            ("sigma", json::number(self.law.sigma())),
            ("mean", json::number(moments.mean)),
            ("variance", json::number(moments.variance)),
            ("method", json::text(self.method.name())),
            ("reason", self.reason.as_deref().map_or("null".into(), json::text)),
            ("source", json::text(self.source.name())),
            ("seeded", self.source.is_seeded().to_string()),
            ("typical", range(&self.typical)),
            ("support", range(&profile.support)),
            ("precision", bound.map_or("null".into(), |_| self.precision.to_string())),
            ("timing", json::text(&profile.timing.to_string())),
            ("tableBytes", profile.table_bytes.to_string()),
            ("expectedBits", json::number(profile.expected_bits)),
            ("expectedTrials", json::number(profile.expected_trials)),
            ("bound", bound.map_or("null".into(), bound_object)),
        ])
    }

    #[cfg(test)]
    pub(crate) fn last_i16(&self) -> &[i16] {
        bytemuck::cast_slice(&self.output)
    }
}

fn rational(q: samplez::Rational) -> String {
    json::text(&q.to_string())
}

/// As texts: JavaScript's numbers end at 2^53.
fn range(range: &RangeInclusive<i64>) -> String {
    json::array([range.start(), range.end()].map(|x| json::text(&x.to_string())))
}

fn bound_object(bound: &Bound) -> String {
    let orders = bound.log2_renyi.map(|(order, log2)| (order.to_string(), json::number(log2)));
    let levels = SECURITY.map(|level| {
        let search = bound.samples_log2(level).map_or("null".into(), json::number);
        let decision = json::number(bound.samples_log2_decision(level));
        (level.to_string(), json::object([("search", search), ("decision", decision)]))
    });
    let named = |members: &[(String, String)]| json::object(members.iter().map(|(k, v)| (k.as_str(), v.clone())));
    json::object([
        ("log2Sd", json::number(bound.log2_sd)),
        ("log2Renyi", named(&orders)),
        ("log2RenyiInf", json::number(bound.log2_rinf)),
        ("log2Tail", json::number(bound.log2_tail)),
        ("samplesLog2", named(&levels)),
    ])
}
