//! Building what a command samples with.

use crate::args::{Build, Choice};
use crate::failure::Failure;
use samplez::{Built, DiscreteGaussian, Recipe};

/// The sampler that the arguments ask for.
pub(super) fn build(law: &DiscreteGaussian, args: &Build) -> Result<Built, Failure> {
    let method = match args.method {
        Choice::Named(method) => Some(method),
        Choice::Auto => None,
    };
    let recipe = Recipe { law: *law, method, options: args.tables.options() };
    recipe.build().map_err(|refused| Failure::refused(&refused))
}
