//! Names as JavaScript spells them, and failures with these names.

use samplez::{Recipe, Refused, RefusedKind};

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

/// Why a call failed.
pub(crate) struct Failure {
    pub(crate) kind: RefusedKind,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(kind: RefusedKind, message: String) -> Self {
        Failure { kind, message }
    }

    /// The refusal of a recipe's text, with values as they were typed. There names are the same in every language.
    pub(crate) fn in_text(refused: Refused, text: &str) -> Self {
        Failure::spelled(&refused.as_typed(Recipe::pairs(text).unwrap_or_default()), str::to_string)
    }

    /// The library's refusal, with this spelling of its arguments.
    pub(crate) fn spelled(refused: &Refused, spell: impl Fn(&str) -> String) -> Self {
        Failure::new(refused.kind(), refused.respelled(spell))
    }

    /// An option that is none of these.
    pub(crate) fn unknown<'a>(key: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<_> = names.map(camel).collect();
        Failure::new(RefusedKind::Unknown, format!("{key}: no such option; there are {}", names.join(", ")))
    }

    /// The answer of a call that failed: the kind's name, a tab, and the message.
    pub(crate) fn answer(&self) -> String {
        format!("{}\t{}", self.kind.name(), self.message)
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        // An unknown name is in a recipe.
        let is_unknown = refused.kind() == RefusedKind::Unknown;
        Failure::spelled(&refused, |name| if is_unknown { name.into() } else { camel(name) })
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::new(RefusedKind::Other, message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        message.to_string().into()
    }
}
