//! Requests: lines of `key<TAB>value`, with the names that the npm package's options have.

use crate::bits::{BITS, Bits, read, works};
use crate::json;
use crate::recipe::{Said, laws};
use crate::spelling::{Failure, RECIPE, camel};
use samplez::{Method, Options, Recipe, Refused, RefusedKind, RoundMethod, Source};
use samplez_tables::{PlainTable, TableForm, Whole};

/// What an array of samples is made from.
pub(crate) struct Request {
    pub(crate) recipe: Recipe,
    pub(crate) said: Said,
    pub(crate) bits: Bits,
}

/// A Gaussian.
pub(crate) fn parse(text: &[u8]) -> Result<Request, Failure> {
    let request = parsed(text, || Recipe::WIDTHS.into_iter().chain(["center", "method"]).chain(options()))?;
    request.recipe.gaussian()?;
    Ok(request)
}

fn options() -> impl Iterator<Item = &'static str> {
    Options::INFO.iter().map(|info| info.name)
}

/// A distribution other than a Gaussian.
pub(crate) fn parse_law(text: &[u8]) -> Result<Request, Failure> {
    let request = parsed(text, laws).map_err(|failure| match failure.kind {
        RefusedKind::Missing => {
            let names: Vec<String> = laws().skip(1).map(camel).collect();
            missing("law", &format!("one of ternary: true, {}", names.join(", ")))
        }
        _ => failure,
    })?;
    match request.recipe.law.gaussian() {
        None => Ok(request),
        Some(_) => {
            let expected = "expected a distribution other than a Gaussian, for which there is DiscreteGaussian";
            let typed = String::from_utf8_lossy(text);
            let typed = typed.lines().find_map(|line| line.strip_prefix("recipe\t")).unwrap_or_default();
            Err(Failure::new(RefusedKind::Unsupported, format!("recipe = {typed}: {expected}")))
        }
    }
}

fn parsed<I: Iterator<Item = &'static str>>(text: &[u8], names: impl Fn() -> I) -> Result<Request, Failure> {
    let mut said = Said::default();
    let bits = read(text, |key, value| match said.take(names(), key, value)? {
        true => Ok(()),
        false => Err(Failure::unknown(key, names().chain([RECIPE]).chain(BITS))),
    })?;
    let recipe = Recipe::from_pairs(said.typed()?).map_err(|refused| said.refused(refused))?;
    Ok(Request { recipe, said, bits })
}

/// A table of the caller's, and the bits.
pub(crate) fn parse_table(text: &[u8]) -> Result<(PlainTable, Bits), Failure> {
    let names = || Recipe::WIDTHS.into_iter().chain(["center"]);
    let (mut said, mut form, mut entries) = (Said::default(), None, None);
    let bits = read(text, |key, value| {
        match key {
            "form" => form = Some(value.parse::<TableForm>().map_err(Refused::from)?),
            "entries" => {
                let whole = |(i, digits): (usize, &str)| {
                    let refused = |_| format!("entries[{i}] = {digits}: expected a whole number from 0 to 2^320 - 1");
                    digits.parse::<Whole>().map_err(refused)
                };
                let each = value.split(' ').filter(|text| !text.is_empty()).enumerate().map(whole);
                entries = Some(each.collect::<Result<Vec<_>, _>>()?);
            }
            _ if said.take(names(), key, value)? => {}
            _ => return Err(Failure::unknown(key, names().chain([RECIPE, "form", "entries"]).chain(BITS))),
        }
        Ok(())
    })?;
    let form = form.ok_or_else(|| missing("form", "the form of the entries, such as folded,tail,72"))?;
    let entries = entries.ok_or_else(|| missing("entries", "an array of whole numbers"))?;
    let law = Recipe::from_pairs(said.typed()?).and_then(|recipe| recipe.gaussian());
    let law = law.map_err(|refused| said.refused(refused))?;
    let table = PlainTable::new(&law, &form, entries).map_err(|error| said.refused(error.into()))?;
    Ok((table, bits))
}

/// That a required option is absent.
fn missing(name: &str, expected: &str) -> Failure {
    Failure::new(RefusedKind::Missing, format!("missing {name}: pass {expected}"))
}

/// What a stream is made from.
pub(crate) fn parse_bits(text: &[u8]) -> Result<Bits, Failure> {
    read(text, |key, _| Err(Failure::unknown(key, BITS.into_iter())))
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
        ("sources", json::array(sources)),
        ("block", samplez::bindings::BLOCK.to_string()),
    ])
}

/// The methods that take a centre with each sample.
pub(crate) fn round_methods() -> String {
    json::array(
        RoundMethod::ALL
            .map(|m| json::object([("name", json::text(m.name())), ("timing", json::text(&m.timing().to_string()))])),
    )
}
