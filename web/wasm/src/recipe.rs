//! The recipe that options say, by the names that they have in JavaScript.

use crate::spelling::{RECIPE, camel, refusal};
use samplez::Recipe;

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
