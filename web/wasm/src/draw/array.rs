//! The array of samples that an instance of the module holds.

use super::output::{Output, array_of, no_type};
use super::progress;
use super::request::Request;
use crate::bits::Bits;
use crate::json;
use crate::spelling::Failure;
use samplez::{Built, Bulk, Certificate, FillError, Int, Method, Noise, Recipe, Refused, RefusedKind, Seed, Source};
use samplez::{Law, table_sampler};
use samplez_tables::{PlainTable, TargetLaw};
use std::cell::OnceCell;
use std::ops::RangeInclusive;

pub(crate) struct Array {
    origin: Origin,
    typical: RangeInclusive<i64>,
    source: Source,
    seed: Seed,
}

/// The sampler, and how it came about.
enum Origin {
    Recipe(Box<(Built, Law)>),
    /// With the law, for its probabilities.
    Law(Box<Built>, OnceCell<Option<Box<TargetLaw>>>),
    Table(Box<dyn Noise>, Box<Certificate>),
}

impl Array {
    /// Builds the sampler over the caller's table.
    pub(crate) fn of_table(table: &PlainTable, bits: &Bits, seed: &[u8]) -> Result<Array, Failure> {
        let (seed, sampler) = (bits.seed(seed)?, table_sampler(table)?);
        let typical = sampler.profile().support;
        let origin = Origin::Table(sampler, Box::new(Certificate::of_table(table)));
        Ok(Array { origin, typical, source: bits.source, seed })
    }

    fn noise(&self) -> &dyn Noise {
        match &self.origin {
            Origin::Recipe(built) => built.0.sampler(),
            Origin::Law(built, _) => built.sampler(),
            Origin::Table(noise, _) => &**noise,
        }
    }

    /// P(low <= X <= high), by the ideal distribution and not by the sampler's table.
    pub(crate) fn mass(&self, range: RangeInclusive<i64>) -> Option<f64> {
        match &self.origin {
            Origin::Recipe(built) => Some(built.1.mass(range)),
            Origin::Law(built, law) => {
                let law = law.get_or_init(|| TargetLaw::finite(&built.recipe().law).ok().map(Box::new));
                law.as_ref().map(|law| law.mass(range))
            }
            Origin::Table(..) => None,
        }
    }

    /// Builds the sampler. `seed` is what came as bytes.
    pub(crate) fn build(request: &Request, seed: &[u8]) -> Result<Array, Failure> {
        let seed = request.bits.seed(seed)?;
        let built = samplez_tables::watch(progress::report, || request.recipe.build())
            .map_err(|refused| refusal(refused, request))?;
        let typical = built.typical_range();
        let origin = match built.recipe().law.gaussian().map(Law::new) {
            Some(law) => Origin::Recipe(Box::new((built, law))),
            None => Origin::Law(Box::new(built), OnceCell::new()),
        };
        Ok(Array { typical, origin, source: request.bits.source, seed })
    }

    /// The Gaussian aimed at by a recipe.
    pub(crate) fn law(&self) -> Option<&Law> {
        match &self.origin {
            Origin::Recipe(built) => Some(&built.1),
            _ => None,
        }
    }

    /// Samples `first`, `first + 1`, … with this many bits each.
    pub(crate) fn fill(&self, bits: u32, first: u64, len: usize, out: &mut Output) -> Result<(), Failure> {
        match bits {
            8 => self.samples(first, out.room::<i8>(len)),
            16 => self.samples(first, out.room::<i16>(len)),
            32 => self.samples(first, out.room::<i32>(len)),
            64 => self.samples(first, out.room::<i64>(len)),
            _ => Err(no_type(bits).into()),
        }
    }

    fn samples<T: Int>(&self, first: u64, out: &mut [T]) -> Result<(), Failure> {
        let filled = Bulk::new(self.noise(), self.source, self.seed.clone()).fill(first, out);
        filled.map_err(|error| match error {
            FillError::Narrow(e) => e.respelled("array", array_of).into(),
            error => error.to_string().into(),
        })
    }

    /// What the array is, and the library's certificate of its law. Its ends are texts here besides: JavaScript's
    /// numbers end at 2^53.
    pub(crate) fn describe(&self) -> String {
        let profile = self.noise().profile();
        let origin = match &self.origin {
            Origin::Recipe(recipe) => {
                let (built, law) = &**recipe;
                vec![
                    ("certificate", built.certificate().to_json()),
                    ("recipe", json::text(&built.recipe().to_string())),
                    ("method", json::text(built.method().map_or("", Method::name))),
                    ("reason", built.plan().map_or("null".into(), |plan| json::text(&plan.reason))),
                    ("sigma", json::number(law.sigma())),
                ]
            }
            Origin::Law(built, _) => vec![
                ("recipe", json::text(&built.recipe().to_string())),
                ("law", json::text(&profile.target.to_string())),
                ("variance", json::number(profile.target.variance().unwrap_or(f64::NAN))),
                ("timing", json::text(&built.profile().timing.to_string())),
            ],
            Origin::Table(_, certificate) => {
                vec![("certificate", certificate.to_json()), ("timing", json::text(&profile.timing.to_string()))]
            }
        };
        json::object(origin.into_iter().chain([
            ("typical", range(&self.typical)),
            ("support", range(&profile.support)),
            ("source", json::text(self.source.name())),
            ("seeded", self.source.is_seeded().to_string()),
        ]))
    }
}

/// The planner's refusal, with the way out if only `BigGaussian`, which is exact, samples the distribution.
fn refusal(refused: Refused, request: &Request) -> Failure {
    let is_large =
        request.recipe.law.gaussian().is_some_and(|law| {
            law.width().name() == "sigma_squared" || law.width().value().to_f64() >= 2_f64.powi(-60)
        });
    let typed = request.said.typed().unwrap_or_default();
    let is_width = |name: &str| Recipe::WIDTHS.contains(&name);
    let is_law = typed.iter().all(|(name, _)| is_width(name) || *name == "center" || *name == "exact");
    let is_big = refused.kind() == RefusedKind::NoMethod && is_law && is_large;
    let failure = request.said.refused(refused);
    let way_out = if is_big { "; BigGaussian takes numbers of up to 4096 bits" } else { "" };
    Failure { message: failure.message + way_out, ..failure }
}

/// As texts: JavaScript's numbers end at 2^53.
fn range(range: &RangeInclusive<i64>) -> String {
    json::array([range.start(), range.end()].map(|x| json::text(&x.to_string())))
}
