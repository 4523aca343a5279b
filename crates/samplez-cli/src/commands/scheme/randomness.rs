//! The randomness of a scheme: the generator, and the noise.

use crate::args::{Random, Sampler};
use crate::failure::{Failure, complain};
use samplez::schemes::noise_of;
use samplez::{Built, Source};
use samplez_schemes::Demand;
use samplez_sources::CryptoGenerator;
use std::fmt;

/// The generator that the arguments describe, if schemes may have it.
pub(super) fn generator(args: &Random) -> Result<CryptoGenerator, Failure> {
    let source = args.source;
    let allowed = || {
        let allowed = Source::ALL.into_iter().filter(|source| source.is_cryptographic() && source.is_seeded());
        allowed.map(Source::name).collect::<Vec<_>>().join(", ")
    };
    if !source.is_cryptographic() {
        let why = format!("is not cryptographic, and a scheme over it has no security; allowed are {}", allowed());
        return Err(Failure::input(&format!("--source {source}"), why));
    }
    if !source.is_seeded() {
        let why = format!(
            "can fail during a signature; allowed are {}, which read the system's entropy only for their seed",
            allowed()
        );
        return Err(Failure::input(&format!("--source {source}"), why));
    }
    let seed = args.seed.seed(source)?;
    if args.seed.is_repeatable() {
        complain(format_args!(
            "warning: never use this seed twice: two signatures or ciphertexts under one seed reveal their secrets"
        ));
    }
    source.crypto(&seed).ok_or_else(|| Failure::input(&format!("--source {source}"), "is not cryptographic"))
}

/// The noise that the scheme requires, as the arguments have it.
pub(super) fn noise(demand: &Demand, said: &Sampler) -> Result<Built, Failure> {
    noise_of(demand, &said.recipe_of(&demand.law)?).map_err(|why| said.refused(&why))
}

/// One line on what was done, and the recipe to do it again; none if the user switched it off.
pub(super) fn tell(args: &Random, what: impl fmt::Display, noise: Option<&Built>) {
    if args.quiet {
        return;
    }
    complain(format_args!("{what}"));
    let recipe = noise
        .map_or_else(String::new, |noise| format!("recipe {}, {} timing; ", noise.recipe(), noise.profile().timing));
    complain(format_args!("{recipe}source {}; {}", args.source, args.seed.told(args.source)));
}
