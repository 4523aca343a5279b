//! The array of samples that an instance of the module holds.

use crate::json;
use crate::request::{Request, refusal};
use bytemuck::Pod;
use samplez::tables::Law;
use samplez::{Built, Bulk, Int, Seed, Source};
use std::ops::RangeInclusive;
use zeroize::Zeroize;

pub(crate) struct Array {
    built: Built,
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
            law: Law::new(built.law()),
            typical: built.typical_range(),
            built,
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
        Bulk::new(self.built.sampler(), self.source, self.seed.clone()).fill(first, samples).map_err(|e| e.to_string())
    }

    /// Where the samples of the last fill begin.
    pub(crate) fn output(&self) -> *const u64 {
        self.output.as_ptr()
    }

    /// What the array is, and the library's certificate of its law. Its ends are texts here besides: JavaScript's
    /// numbers end at 2^53.
    pub(crate) fn describe(&self) -> String {
        let moments = self.law.moments();
        json::object([
            ("certificate", self.built.certificate().to_json()),
            ("recipe", json::text(&self.built.recipe().to_string())),
            ("method", json::text(self.built.method().name())),
            ("reason", self.built.plan().map_or("null".into(), |plan| json::text(&plan.reason))),
            ("sigma", json::number(self.law.sigma())),
            ("mean", json::number(moments.mean)),
            ("variance", json::number(moments.variance)),
            ("typical", range(&self.typical)),
            ("support", range(&self.built.profile().support)),
            ("source", json::text(self.source.name())),
            ("seeded", self.source.is_seeded().to_string()),
        ])
    }

    #[cfg(test)]
    pub(crate) fn last_i16(&self) -> &[i16] {
        bytemuck::cast_slice(&self.output)
    }
}

/// As texts: JavaScript's numbers end at 2^53.
fn range(range: &RangeInclusive<i64>) -> String {
    json::array([range.start(), range.end()].map(|x| json::text(&x.to_string())))
}
