//! The recipe that options say, by the names that they have in JavaScript.

use samplez::{Recipe, Refused};

/// Beside the library's names, `recipe` says all of a law at once.
pub(crate) const RECIPE: &str = "recipe";

/// What was said of a recipe.
#[derive(Default)]
pub(crate) struct Said {
    recipe: Option<Recipe>,
    pairs: Vec<(String, String)>,
}

impl Said {
    /// Takes an option if it is [`RECIPE`] or one of these names.
    pub(crate) fn take(
        &mut self,
        names: impl IntoIterator<Item = &'static str>,
        key: &str,
        value: &str,
    ) -> Result<bool, String> {
        if key == RECIPE {
            self.recipe = Some(value.parse::<Recipe>().map_err(|e| refusal(&e))?);
            return Ok(true);
        }
        let name = names.into_iter().find(|name| camel(name) == key);
        self.pairs.extend(name.map(|name| (name.to_string(), value.to_string())));
        Ok(name.is_some())
    }

    /// The recipe.
    pub(crate) fn recipe(self) -> Result<Recipe, String> {
        match (self.recipe, self.pairs.first()) {
            (None, _) => {
                let pairs = self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                Recipe::from_pairs(pairs).map_err(|e| refusal(&e))
            }
            (Some(recipe), None) => Ok(recipe),
            (Some(_), Some((name, value))) => {
                Err(format!("{} = {value}: must be said in the recipe, which is given", camel(name)))
            }
        }
    }
}

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

/// What the library refuses, with its arguments as they are spelled here.
pub(crate) fn refusal(refused: &Refused) -> String {
    refused.respelled(camel)
}

/// That an option is none of these.
pub(crate) fn unknown<'a>(key: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.map(camel).collect();
    format!("{key}: no such option; there are {}", names.join(", "))
}
