//! Requests: lines of `key<TAB>value`, with the names that the npm package's options have.

use crate::json;
use samplez::{DiscreteGaussian, FORMS, Method, Options, Seed, SetError, Source, law_from_text};
use std::fmt::Display;
use std::str::FromStr;

/// What an array of samples is made from.
pub(crate) struct Request {
    pub(crate) law: DiscreteGaussian,
    /// `None`: the planner chooses.
    pub(crate) method: Option<Method>,
    pub(crate) source: Source,
    /// `None`: it comes as bytes.
    pub(crate) seed: Option<Seed>,
    pub(crate) options: Options,
}

/// The keys that are not the library's names of widths and options.
const KEYS: [&str; 4] = ["center", "method", "source", "seed"];

pub(crate) fn parse(text: &[u8]) -> Result<Request, String> {
    let text = str::from_utf8(text).map_err(|e| e.to_string())?;
    let mut width: Option<(&str, &str)> = None;
    let (mut center, mut method, mut source, mut seed) = ("0", None, Source::ChaCha20, None);
    let mut options = Options::default();
    for line in text.lines() {
        let (key, value) = line.split_once('\t').ok_or("a line of a request lacks its value")?;
        match key {
            "center" => center = value,
            "method" => method = if value == "auto" { None } else { Some(plain::<Method>(value)?) },
            "source" => source = working(plain(value)?)?,
            "seed" => seed = Some(plain(value)?),
            _ if key.contains('_') => return Err(unknown(key)),
            _ if FORMS.contains(&&*snake(key)) => {
                if let Some((other, _)) = width.replace((key, value)) {
                    return Err(format!("the width is given twice, as {other} and as {key}"));
                }
            }
            _ => options.set(&snake(key), value).map_err(|e| refusal(key, value, e))?,
        }
    }
    let (form, width) = width.ok_or("no width: give one of sigma, sigmaSquared, kSigma2, s")?;
    let law = law_from_text(&snake(form), width, center).map_err(|e| match &e {
        SetError::Rational { argument, .. } if argument == "center" => refusal("center", center, e),
        _ => refusal(form, width, e),
    })?;
    Ok(Request { law, method, source, seed, options })
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

/// What the library says of a value, under the name that it has here.
fn refusal(key: &str, value: &str, error: SetError) -> String {
    match error {
        SetError::Value { allowed, .. } => format!("{key} = {value}: must be {allowed}"),
        SetError::Rational { reason, .. } => format!("{key} = {value}: {reason}"),
        SetError::Name(_) => unknown(key),
        e => e.to_string(),
    }
}

fn unknown(key: &str) -> String {
    let names: Vec<_> = FORMS.iter().chain(&KEYS).chain(&Options::NAMES).map(|name| camel(name)).collect();
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
    let methods =
        Method::ALL.map(|m| json::object([("name", json::text(m.name())), ("summary", json::text(m.summary()))]));
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
