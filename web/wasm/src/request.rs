//! Requests: lines of `key<TAB>value`, with the names that the npm package's options have.

use crate::json;
use samplez::{DiscreteGaussian, Method, Options, Rational, Seed, Source, Width};
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

const KEYS: &str = "sigma, sigmaSquared, kSigma2, s, center, method, source, seed, precision, maxTableBytes, \
                    rectangles, tail, chord, pdfTable, exact";

pub(crate) fn parse(text: &[u8]) -> Result<Request, String> {
    let text = str::from_utf8(text).map_err(|e| e.to_string())?;
    let mut width: Option<(&str, Width)> = None;
    let (mut center, mut method, mut source, mut seed) = (Rational::ZERO, None, Source::ChaCha20, None);
    let mut options = Options::default();
    for line in text.lines() {
        let (key, value) = line.split_once('\t').ok_or("a line of a request lacks its value")?;
        let mut wide = |form: fn(Rational) -> Width| -> Result<(), String> {
            if let Some((other, _)) = width {
                return Err(format!("the width is given twice, as {other} and as {key}"));
            }
            width = Some((key, form(rational(key, value)?)));
            Ok(())
        };
        match key {
            "sigma" => wide(Width::Sigma)?,
            "sigmaSquared" => wide(Width::SigmaSq)?,
            "kSigma2" => wide(Width::KSigma2)?,
            "s" => wide(Width::S)?,
            "center" => center = rational(key, value)?,
            "method" => method = if value == "auto" { None } else { Some(plain::<Method>(value)?) },
            "source" => source = plain(value)?,
            "seed" => seed = Some(plain(value)?),
            "precision" => options.precision = whole(key, value)?,
            "maxTableBytes" => options.max_table_bytes = whole(key, value)?,
            "rectangles" => options.rectangles = Some(whole(key, value)?),
            "tail" => options.tail = rational(key, value)?,
            "chord" => options.chord = truth(key, value)?,
            "pdfTable" => options.pdf_table = truth(key, value)?,
            "exact" => options.exact = truth(key, value)?,
            _ => return Err(format!("{key}: no such option; there are {KEYS}")),
        }
    }
    let (_, width) = width.ok_or("no width: give one of sigma, sigmaSquared, kSigma2, s")?;
    let law = DiscreteGaussian::new(center, width).map_err(|e| e.to_string())?;
    Ok(Request { law, method, source, seed, options })
}

/// A value whose error says everything.
fn plain<T: FromStr<Err: Display>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|e: T::Err| e.to_string())
}

fn rational(key: &str, value: &str) -> Result<Rational, String> {
    value.parse().map_err(|e| format!("{key} = {value}: {e}"))
}

fn whole<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{key} = {value}: must be a whole number, not negative and not too large"))
}

fn truth(key: &str, value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| format!("{key} = {value}: must be true or false"))
}

/// The names that a request may use, with a line about each.
pub(crate) fn names() -> String {
    let methods =
        Method::ALL.map(|m| json::object([("name", json::text(m.name())), ("summary", json::text(m.summary()))]));
    let sources = Source::ALL.map(|s| {
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
