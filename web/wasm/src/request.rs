//! Requests: lines of `key<TAB>value`, with the names that the npm package's options have.

use crate::json;
use samplez::{Method, Recipe, Refused, Seed, Source};
use std::fmt::Display;
use std::str::FromStr;

/// Beside the library's names, `recipe` says all of a law at once.
const RECIPE: &str = "recipe";

/// What an array of samples is made from.
pub(crate) struct Request {
    pub(crate) recipe: Recipe,
    pub(crate) source: Source,
    /// `None`: it comes as bytes.
    pub(crate) seed: Option<Seed>,
}

pub(crate) fn parse(text: &[u8]) -> Result<Request, String> {
    let text = str::from_utf8(text).map_err(|e| e.to_string())?;
    let (mut source, mut seed, mut recipe) = (Source::ChaCha20, None, None);
    let mut pairs = Vec::new();
    for line in text.lines() {
        let (key, value) = line.split_once('\t').ok_or("a line of a request lacks its value")?;
        match key {
            "source" => source = working(plain(value)?)?,
            "seed" => seed = Some(value.parse().map_err(|e| format!("seed: {e}"))?),
            RECIPE => recipe = Some(value.parse::<Recipe>().map_err(|e| refusal(&e))?),
            _ if !key.contains('_') && Recipe::names().any(|name| name == snake(key)) => {
                pairs.push((snake(key), value))
            }
            _ => return Err(unknown(key)),
        }
    }
    let recipe = match (recipe, pairs.first()) {
        (None, _) => {
            let pairs = pairs.iter().map(|(name, value)| (name.as_str(), *value));
            Recipe::from_pairs(pairs).map_err(|e| refusal(&e))?
        }
        (Some(recipe), None) => recipe,
        (Some(_), Some((name, value))) => {
            return Err(format!("{} = {value}: must be said in the recipe, which is given", camel(name)));
        }
    };
    Ok(Request { recipe, source, seed })
}

/// The library's name of an option, whose words underscores join.
fn snake(key: &str) -> String {
    let mut name = String::new();
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

/// The name of an option in JavaScript, whose words capitals begin.
fn camel(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    let mut key = String::from(first);
    let mut capital = false;
    for c in rest.chars() {
        match c {
            '_' => capital = true,
            _ => key.push(if std::mem::take(&mut capital) { c.to_ascii_uppercase() } else { c }),
        }
    }
    key
}

/// What the library refuses, with its arguments as they are spelled here.
pub(crate) fn refusal(refused: &Refused) -> String {
    refused.respelled(camel)
}

fn unknown(key: &str) -> String {
    let names: Vec<_> = Recipe::names().chain([RECIPE, "source", "seed"]).map(camel).collect();
    format!("{key}: no such option; there are {}", names.join(", "))
}

/// A value whose error says everything.
fn plain<T: FromStr<Err: Display>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|e: T::Err| e.to_string())
}

/// The source, if it is one of those that [`works`].
fn working(source: Source) -> Result<Source, String> {
    if works(source) {
        return Ok(source);
    }
    let names = Vec::from_iter(Source::ALL.into_iter().filter(|s| works(*s)).map(Source::name));
    Err(format!("source = {source}: not available here; must be one of {}", names.join(", ")))
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
            ("summary", json::text(m.summary())),
            ("heeds", json::array(m.heeds().iter().map(|name| json::text(&camel(name))))),
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
        ("sources", json::array(sources)),
        ("block", samplez::bulk::BLOCK.to_string()),
    ])
}
