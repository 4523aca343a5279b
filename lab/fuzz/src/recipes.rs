//! Recipes and seeds as texts: a written recipe is read back, a refusal names its argument, and a built sampler meets its
//! requirements.

use samplez::{BitReader, Built, Exactness, Method, Options, Rational, Recipe, Refused, Seed, Source, Timing};
use samplez_sources::ChaCha20;
use std::time::Duration;

/// The most memory of what is built.
const MOST_BYTES: u64 = 1 << 14;
/// The most time for wide laws by the planner's estimate, of which a sanitizer takes twenty times as much. Others are planned as
/// they are meant, without a limit if there is none.
const WIDE: f64 = 4096.0;
const MOST_TIME: Duration = Duration::from_millis(50);

/// The first byte chooses whether the text is only read, or built too; or whether it is a seed, or a name.
pub fn recipes(data: &[u8]) {
    let Some((choice, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    match choice % 8 {
        0..5 => drop(read(&text)),
        5 => drop(read(&text).map(build)),
        6 => seed(&text),
        _ => names(&text),
    }
}

fn read(text: &str) -> Option<Recipe> {
    match text.parse::<Recipe>() {
        Ok(recipe) => {
            let written = recipe.to_string();
            assert_eq!(written.parse(), Ok(recipe), "{text}");
            let pairs = Recipe::pairs(text).expect("a text that was read");
            assert_eq!(Recipe::from_pairs(pairs.iter().rev().copied()), Ok(recipe), "{text}: in another order");
            for (name, value) in Recipe::pairs(&written).expect("a text that was written") {
                let mut same = recipe;
                assert_eq!((same.set(name, value), same), (Ok(()), recipe), "{name}={value}");
            }
            Some(recipe)
        }
        Err(refused) => {
            let said = Recipe::pairs(text).unwrap_or_default();
            let named = |name: &str| Recipe::names().any(|known| known == name) || said.iter().any(|(n, _)| *n == name);
            assert!(
                ["recipe", "width"].contains(&refused.argument()) || named(refused.argument()),
                "{text}: {refused}"
            );
            worded(&refused);
            None
        }
    }
}

/// Argument, value, and what is allowed; short enough to be read.
fn worded(refused: &Refused) {
    let message = refused.to_string();
    // A law without a parameter has no value.
    let is_named = [" = ", ": "].iter().any(|sign| message.starts_with(&format!("{}{sign}", refused.argument())));
    assert!(is_named || message.starts_with(&format!("missing {}", refused.argument())), "{message}");
    assert!(!refused.allowed().is_empty(), "{message}");
    assert!(message.len() < 2048 + refused.argument().len(), "{} bytes", message.len());
}

fn build(mut recipe: Recipe) {
    let memory = recipe.options.memory();
    recipe.options.memory = Some(memory.min(MOST_BYTES));
    if recipe.law.gaussian().is_some_and(|law| law.width().value().to_f64() > WIDE) {
        recipe.options.setup_time = Some(recipe.options.setup_time.map_or(MOST_TIME, |most| most.min(MOST_TIME)));
    }
    let built = match recipe.build() {
        Ok(built) => built,
        Err(refused) => return worded(&refused),
    };
    let (options, profile) = (&recipe.options, built.profile());
    assert!(options.exact != Some(true) || profile.exactness == Exactness::Exact, "{recipe}: {:?}", built.method());
    assert!(
        options.constant_time != Some(true) || profile.timing == Timing::Constant,
        "{recipe}: {:?}",
        built.method()
    );
    let variable = recipe.method.is_some() || options.variable_time == Some(true);
    assert!(variable || profile.timing != Timing::Variable, "{recipe}: {:?}", built.method());
    assert!(profile.table_bytes as u64 <= options.memory(), "{recipe}: {} bytes", profile.table_bytes);
    assert!(recipe.method.is_none_or(|method| Some(method) == built.method()));
    assert_eq!(built.recipe().law, recipe.law);
    // The recipe of what was built builds the same again, planner or no planner.
    let written = built.recipe().to_string();
    let again =
        written.parse::<Recipe>().and_then(|recipe| recipe.build()).unwrap_or_else(|e| panic!("{written}: {e}"));
    assert_eq!(again.recipe().to_string(), written);
    assert_eq!(again.profile(), profile, "{written}");
    assert_eq!(samples(&again), samples(&built), "{written}");
    let certificate = built.certificate().to_json();
    assert!(certificate.starts_with('{') && certificate.ends_with('}') && !certificate.contains("NaN"));
}

fn samples(built: &Built) -> [i64; 8] {
    // A sampler that would not return in practice has to be refused, not built.
    assert!(built.profile().expected_trials < 1e5, "{}", built.profile().expected_trials);
    let mut out = [0; 8];
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([5; 32])));
    let bits: &mut BitReader<dyn rand_core::Rng> = &mut bits;
    built.sampler().fill(bits, &mut out).expect("64 bits hold every sample");
    assert!(out.iter().all(|x| built.profile().support.contains(x)));
    out
}

/// A seed is 64 hexadecimal digits or a number, of one spelling each but for the digits' case; it is in no message.
fn seed(text: &str) {
    let hex = text.len() == 64 && text.bytes().all(|c| c.is_ascii_hexdigit());
    let number = text.parse::<u64>().ok().filter(|number| number.to_string() == text);
    match text.parse::<Seed>() {
        Ok(seed) => {
            let bytes: String = seed.expose().iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(number.is_some() || hex, "{text}");
            assert!(!hex || bytes == text.to_lowercase(), "{text}");
            assert!(number.is_none_or(|number| Seed::from_number(number).expose() == seed.expose()), "{text}");
            assert_eq!(bytes.parse::<Seed>().expect("64 digits").expose(), seed.expose());
            assert!(!format!("{seed:?}").contains(&bytes));
        }
        Err(error) => {
            assert!(!hex && number.is_none(), "{text}: {error}");
            let message = error.to_string();
            assert!(message.starts_with("a seed is 64 hexadecimal digits"), "{message}");
            assert!(text.chars().count() < 12 || !message.contains(text), "{message}");
        }
    }
}

/// Names of methods, sources and options, and numbers.
fn names(text: &str) {
    match text.parse::<Method>() {
        Ok(method) => assert_eq!(method.name(), text),
        Err(refused) => worded(&refused),
    }
    match text.parse::<Source>() {
        Ok(source) => assert_eq!(source.name(), text),
        Err(error) => assert!(error.to_string().contains("source"), "{error}"),
    }
    let mut options = Options::default();
    for name in Options::INFO.map(|info| info.name) {
        match options.set(name, text) {
            Ok(()) => {
                let written = said(&options, name).expect("what was said");
                let mut again = Options::default();
                assert_eq!(again.set(name, &written), Ok(()), "{name}={written}");
                assert_eq!(said(&again, name), Some(written));
            }
            Err(refused) => {
                assert_eq!(refused.argument(), name);
                worded(&refused);
                assert_eq!(said(&options, name), None, "what is refused is not set");
            }
        }
    }
    if let Ok(q) = text.parse::<Rational>() {
        assert_eq!(q.to_string().parse(), Ok(q), "{text}");
    }
}

/// The text of an option that was said.
fn said(options: &Options, name: &str) -> Option<String> {
    options.said().find(|(said, _)| *said == name).map(|(_, text)| text)
}
