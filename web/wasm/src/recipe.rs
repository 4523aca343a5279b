//! The recipe that options say, by the names that they have in JavaScript.

use crate::spelling::{Failure, RECIPE, camel};
use samplez::Recipe;

/// What was said of a recipe.
#[derive(Default)]
pub(crate) struct Said {
    /// A recipe's text, and what it says.
    recipe: Option<(String, Recipe)>,
    pairs: Vec<(String, String)>,
}

impl Said {
    /// Takes an option if it is [`RECIPE`] or one of these names.
    pub(crate) fn take(
        &mut self,
        names: impl IntoIterator<Item = &'static str>,
        key: &str,
        value: &str,
    ) -> Result<bool, Failure> {
        if key == RECIPE {
            let recipe = value.parse::<Recipe>()?;
            self.recipe = Some((value.into(), recipe));
            return Ok(true);
        }
        let name = names.into_iter().find(|name| camel(name) == key);
        self.pairs.extend(name.map(|name| (name.to_string(), value.to_string())));
        Ok(name.is_some())
    }

    /// The recipe.
    pub(crate) fn recipe(&self) -> Result<Recipe, Failure> {
        match (&self.recipe, self.pairs.first()) {
            (None, _) => Ok(Recipe::from_pairs(self.typed())?),
            (Some((_, recipe)), None) => Ok(*recipe),
            (Some(_), Some((name, value))) => {
                Err(format!("{} = {value}: expected in the recipe, which is given", camel(name)).into())
            }
        }
    }

    /// Names and values as they were typed, also those of a recipe.
    pub(crate) fn typed(&self) -> impl Iterator<Item = (&str, &str)> {
        let text = self.recipe.as_ref().and_then(|(text, _)| Recipe::pairs(text).ok()).unwrap_or_default();
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(text)
    }
}
