//! Requests: lines of `key<TAB>value`, with the names that the npm package's options have.

use crate::bits::{BITS, Bits, read, works};
use crate::json;
use crate::recipe::Said;
use crate::spelling::{RECIPE, camel, unknown};
use samplez::{Method, Recipe, RoundMethod, Source};

/// What an array of samples is made from.
pub(crate) struct Request {
    pub(crate) recipe: Recipe,
    pub(crate) bits: Bits,
}

pub(crate) fn parse(text: &[u8]) -> Result<Request, String> {
    let mut said = Said::default();
    let bits = read(text, |key, value| match said.take(Recipe::names(), key, value)? {
        true => Ok(()),
        false => Err(unknown(key, Recipe::names().chain([RECIPE]).chain(BITS))),
    })?;
    Ok(Request { recipe: said.recipe()?, bits })
}

/// What a stream is made from.
pub(crate) fn parse_bits(text: &[u8]) -> Result<Bits, String> {
    read(text, |key, _| Err(unknown(key, BITS.into_iter())))
}

/// The names that a request may use here, with a line about each.
pub(crate) fn names() -> String {
    let methods = Method::ALL.map(|m| {
        json::object([
            ("name", json::text(m.name())),
            ("summary", json::text(m.row().summary)),
            ("heeds", json::array(m.row().heeds.iter().map(|name| json::text(&camel(name))))),
        ])
    });
    let sources = Source::ALL.into_iter().filter(|s| works(*s)).map(|s| {
        json::object([
            ("name", json::text(s.name())),
            ("summary", json::text(s.summary())),
            ("seeded", s.is_seeded().to_string()),
            ("cryptographic", s.is_cryptographic().to_string()),
        ])
    });
    json::object([
        ("methods", json::array(methods)),
        ("roundMethods", round_methods()),
        ("sources", json::array(sources)),
        ("block", samplez::bindings::BLOCK.to_string()),
    ])
}

/// The methods that take a centre with each sample.
pub(crate) fn round_methods() -> String {
    json::array(RoundMethod::ALL.map(|m| {
        json::object([
            ("name", json::text(m.name())),
            ("summary", json::text(m.summary())),
            ("exact", true.to_string()),
            ("timing", json::text(&m.timing().to_string())),
        ])
    }))
}
