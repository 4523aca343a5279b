//! The sampler and the stream that an instance of the module holds.

use crate::bits::{BITS, read};
use crate::json;
use crate::spelling::{Failure, RECIPE, camel};
use samplez::{BigGaussian, Recipe, Source, Stream};
use samplez_sources::Generator;

pub(crate) struct Sampler {
    big: BigGaussian,
    stream: Stream<Generator>,
    source: Source,
}

impl Sampler {
    /// Builds the sampler of a request. `seed` is the seed, if the request has none.
    pub(crate) fn open(text: &[u8], seed: &[u8]) -> Result<Sampler, Failure> {
        let names = || Recipe::WIDTHS.into_iter().chain(["center"]);
        let (mut recipe, mut pairs) = (None, Vec::new());
        let bits = read(text, |key, value| {
            match names().find(|name| camel(name) == key) {
                Some(name) => pairs.push((name, value.to_string())),
                None if key == RECIPE => recipe = Some(value.to_string()),
                None => return Err(Failure::unknown(key, names().chain([RECIPE]).chain(BITS))),
            }
            Ok(())
        })?;
        let big = match (&recipe, pairs.first()) {
            (Some(_), Some((name, value))) => {
                let name = camel(name);
                return Err(format!("{name} = {value}: expected in the recipe, which is given").into());
            }
            (Some(text), None) => text.parse().map_err(|refused| Failure::in_text(refused, text))?,
            (None, _) => BigGaussian::from_pairs(pairs.iter().map(|(name, value)| (*name, value.as_str())))?,
        };
        let seed = bits.seed(seed)?;
        let opened = bits.source.open(&seed).map_err(|e| e.to_string())?;
        Ok(Sampler { big, stream: Stream::new(opened), source: bits.source })
    }

    /// Describes the sampler and its source in JSON.
    pub(crate) fn describe(&self) -> String {
        json::object([
            ("recipe", json::text(&self.big.to_string())),
            ("bits", (64 * self.big.limbs()).to_string()),
            ("timing", json::text(&self.big.timing().to_string())),
            ("source", json::text(self.source.name())),
            ("seeded", self.source.is_seeded().to_string()),
        ])
    }

    /// Draws the next `count` samples, as words.
    pub(crate) fn draw(&mut self, count: usize) -> Result<Vec<u64>, Failure> {
        Ok(self.big.draw(&mut self.stream, count).map_err(|e| e.to_string())?)
    }
}
