//! Building what a command samples with.

use crate::args::{Build, Choice};
use crate::failure::Failure;
use samplez::{DiscreteGaussian, Method, Noise};

/// The sampler that the arguments ask for, and the method by which it works.
pub(super) fn build(law: &DiscreteGaussian, args: &Build) -> Result<(Method, Box<dyn Noise>), Failure> {
    let options = args.tables.options();
    match args.method {
        Choice::Named(method) => samplez::build(law, Some(method), &options)
            .map(|sampler| (method, sampler))
            .map_err(|error| Failure::Input(error.to_string())),
        Choice::Auto => samplez::build_planned(law, &options)
            .map(|(plan, sampler)| (plan.method, sampler))
            .map_err(|error| Failure::Input(error.to_string())),
    }
}
