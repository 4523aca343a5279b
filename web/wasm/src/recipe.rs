//! The recipe that options say, by the names that they have in JavaScript.

use crate::spelling::{Failure, RECIPE, camel};
use samplez::bindings::LawInfo;
use samplez::{Recipe, Refused, RefusedKind};

/// What was said of a recipe.
#[derive(Default)]
pub(crate) struct Said {
    /// A recipe's text.
    recipe: Option<String>,
    pairs: Vec<(&'static str, String)>,
}

/// The names of the laws other than Gaussians.
pub(crate) fn laws() -> impl Iterator<Item = &'static str> + Clone {
    LawInfo::ALL.into_iter().map(|info| info.full_name)
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
            self.recipe = Some(value.into());
            return Ok(true);
        }
        let Some(name) = names.into_iter().find(|name| camel(name) == key) else { return Ok(false) };
        let value = match (name, value) {
            ("ternary", "true") => "",
            ("ternary", _) => {
                return Err(Failure::new(RefusedKind::OutOfRange, format!("ternary = {value}: expected true")));
            }
            _ => value,
        };
        self.pairs.push((name, value.into()));
        Ok(true)
    }

    /// The refusal of what was said, with names and values as they were typed.
    pub(crate) fn refused(&self, refused: Refused) -> Failure {
        match &self.recipe {
            Some(text) => Failure::in_text(refused, text),
            None => refused.as_typed(self.pairs.iter().map(|(name, value)| (*name, value.as_str()))).into(),
        }
    }

    /// Names and values as they were typed, also those of a recipe.
    pub(crate) fn typed(&self) -> Result<Vec<(&str, &str)>, Failure> {
        match (&self.recipe, self.pairs.first()) {
            (None, _) => Ok(self.pairs.iter().map(|(name, value)| (*name, value.as_str())).collect()),
            (Some(text), None) => Recipe::pairs(text).map_err(|refused| Failure::in_text(refused, text)),
            (Some(_), Some((name, value))) => {
                Err(Refused::new(*name, value, "expected in the recipe, which is given").into())
            }
        }
    }
}
