//! Names as JavaScript spells them, and messages with these names.

use samplez::Refused;

/// Beside the library's names, `recipe` states a whole distribution in one text.
pub(crate) const RECIPE: &str = "recipe";

/// The name of an option in JavaScript, whose words capitals begin.
pub(crate) fn camel(name: &str) -> String {
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

/// The library's refusal, with its arguments in JavaScript's spelling.
pub(crate) fn refusal(refused: &Refused) -> String {
    refused.respelled(camel)
}

/// That an option is none of these.
pub(crate) fn unknown<'a>(key: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.map(camel).collect();
    format!("{key}: no such option; there are {}", names.join(", "))
}
