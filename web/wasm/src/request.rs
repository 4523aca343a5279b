//! Requests: lines of `key<TAB>value`, with the names that the npm package's options have.

use crate::json;
use crate::recipe::{RECIPE, Said, camel, unknown};
use samplez::{Method, Recipe, RoundMethod, Seed, Source};
use zeroize::Zeroize;

/// What says where random bits come from.
const BITS: [&str; 2] = ["source", "seed"];

/// Where random bits come from.
pub(crate) struct Bits {
    pub(crate) source: Source,
    /// `None`: it comes as bytes.
    seed: Option<Seed>,
}

impl Bits {
    /// The seed, which may be these bytes.
    pub(crate) fn seed(&self, bytes: &[u8]) -> Result<Seed, String> {
        if let Some(seed) = &self.seed {
            return Ok(seed.clone());
        }
        let length = |_| format!("seed: must be 32 bytes; got {}", bytes.len());
        let mut bytes: [u8; 32] = bytes.try_into().map_err(length)?;
        let seed = Seed::try_from(bytes).map_err(|e| format!("seed: {e}"));
        bytes.zeroize();
        seed
    }
}

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

/// The source and the seed; every other key is handed on.
fn read(text: &[u8], mut other: impl FnMut(&str, &str) -> Result<(), String>) -> Result<Bits, String> {
    let text = str::from_utf8(text).map_err(|e| e.to_string())?;
    let mut bits = Bits { source: Source::ChaCha20, seed: None };
    for line in text.lines() {
        let (key, value) = line.split_once('\t').ok_or("a line of a request lacks its value")?;
        match key {
            "source" => bits.source = working(value)?,
            "seed" => bits.seed = Some(value.parse().map_err(|e| format!("seed: {e}"))?),
            _ => other(key, value)?,
        }
    }
    Ok(bits)
}

/// The source of this name, if it is one of those that [`works`].
fn working(name: &str) -> Result<Source, String> {
    let found = name.parse::<Source>();
    if let Ok(source) = found
        && works(source)
    {
        return Ok(source);
    }
    let elsewhere = if found.is_ok() { "not available here; " } else { "" };
    let names = Vec::from_iter(Source::ALL.into_iter().filter(|s| works(*s)).map(Source::name));
    Err(format!("source = {name}: {elsewhere}must be one of {}", names.join(", ")))
}

/// Whether the source can be opened: devices are not everywhere, nowhere in WebAssembly.
fn works(source: Source) -> bool {
    source.is_seeded() || source.open(&Seed::from_bytes([0; 32])).is_ok()
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
