//! `samplez plan`.

use crate::args::{self, Renyi};
use crate::failure::{Failure, complain, spelled};
use crate::progress::building;
use crate::report::{columns, print};
use samplez::{Built, Exactness, NoMethod, Recipe, Refusal, Refused};
use samplez_core::table::MAX_PRECISION;
use serde_json::{Map, Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &args::Plan) -> Result<ExitCode, Failure> {
    let big = || args.recipe.big().map(|law| super::big::plan(args.json, &law?).map(|()| ExitCode::SUCCESS));
    let recipe = match args.finite.law(&args.recipe)? {
        Some(law) => Ok(Recipe::new(*law)),
        None => args.recipe.recipe(),
    };
    let recipe = match recipe {
        Ok(recipe) => recipe,
        Err(failure) => return big().unwrap_or(Err(failure)),
    };
    let recipe = args.renyi.map_or(Ok(recipe), |_| open_to_tables(recipe, |name| args.recipe.spelled(name)))?;
    let build = || args.renyi.map_or_else(|| recipe.build(), |target| least_precise(recipe, target));
    let built = match building(false, build) {
        Ok(built) => built,
        Err(refused) => {
            if let Some(planned) = big() {
                return planned;
            }
            // The list, which other commands' errors leave out.
            if let Some(none) = refused.cause().and_then(|cause| cause.downcast_ref::<NoMethod>()) {
                complain(format_args!("{}", columns(&reasons(&none.refused), &[]).trim_end()));
            }
            return Err(args.recipe.refused(&refused));
        }
    };
    if recipe.method.is_some() {
        return Err(Failure::Input("the recipe names a method; remove it".into()));
    }
    if let Some(target) = args.renyi
        && let Some(log2) = reached(&built, target).filter(|log2| *log2 > target.log2)
    {
        let most = built.options().precision();
        let what = format!("no certified sampler meets it: with {most} bits {target} <= 2^{log2:.2}; use an exact one");
        return Err(Failure::input(&format!("--renyi = {target:#}"), what));
    }
    print(&if args.json { format!("{:#}\n", as_json(&built)?) } else { as_text(&built) })?;
    Ok(ExitCode::SUCCESS)
}

/// The recipe whose plan may be certified.
fn open_to_tables(mut recipe: Recipe, spell: impl Fn(&str) -> String) -> Result<Recipe, Failure> {
    if recipe.options.exact == Some(true) {
        let exact = spell("exact");
        return Err(Failure::input(
            "--renyi",
            format!("an exact sampler meets every bound; remove --renyi or {exact}"),
        ));
    }
    if let Some(bits) = recipe.options.precision {
        return Err(Failure::input("--renyi", format!("chooses the precision; remove {} {bits}", spell("precision"))));
    }
    if recipe.law.gaussian().is_some() {
        recipe.options.exact = Some(false);
    }
    Ok(recipe)
}

/// Builds with the least precision that meets the target, or with the greatest if none does. A precision that is refused ends the
/// search. An exact sampler meets every target.
fn least_precise(mut recipe: Recipe, target: Renyi) -> Result<Built, Refused> {
    let plain = recipe.build()?;
    if plain.profile().exactness.is_exact() {
        return Ok(plain);
    }
    let mut with = |bits| {
        recipe.options.precision = Some(bits);
        recipe.build()
    };
    let all: Vec<u32> = (1..=MAX_PRECISION).collect();
    let misses =
        |bits: &u32| with(*bits).is_ok_and(|built| reached(&built, target).is_some_and(|log2| log2 > target.log2));
    let least = all.partition_point(misses).min(all.len() - 1);
    with(all[least])
}

/// Returns log2(R_order - 1) by the certificate; `None` for an exact sampler.
fn reached(built: &Built, target: Renyi) -> Option<f64> {
    match built.profile().exactness {
        Exactness::Exact => None,
        Exactness::Within(bound) => Some(target.of(&bound)),
    }
}

/// The certificate of what was chosen, and beside it the recipe of that, and the plan if there was a choice.
fn as_json(built: &Built) -> Result<Value, Failure> {
    let certificate = serde_json::from_str::<Map<String, Value>>(&built.certificate().to_json());
    let mut fields = certificate.map_err(|error| Failure::System(format!("the certificate: {error}")))?;
    let refused = built.plan().into_iter().flat_map(|plan| &plan.refused);
    let refused = refused.map(|other| json!({ "method": other.method.name(), "why": other.why() }));
    let estimates = built.plan().map(|plan| {
        json!({
            "setup_seconds": plan.setup.as_secs_f64(),
            "million_per_second": plan.million_per_second,
            "instructions": plan.instructions,
        })
    });
    fields.extend([
        ("exactness".into(), built.certificate().exactness().into()),
        ("recipe".into(), built.recipe().to_string().into()),
        ("reason".into(), built.reason().into()),
        ("estimates".into(), estimates.into()),
        ("refused".into(), refused.collect()),
    ]);
    Ok(fields.into())
}

/// The three properties of the sampler first: exactness, timing, speed.
fn as_text(built: &Built) -> String {
    let mut rows = vec![
        ["exactness".into(), built.certificate().exactness()],
        ["timing".into(), built.profile().timing.to_string()],
    ];
    rows.extend(built.plan().map(|plan| {
        let measured = "with default options, interpolated from measurements";
        let speed = format!("about {:.1} million/s {measured} ({})", plan.million_per_second, plan.instructions);
        ["speed".into(), speed]
    }));
    rows.push(["why".into(), built.reason().into()]);
    rows.push(["use".into(), format!("samplez sample --recipe {} --count 1e6", built.recipe())]);
    rows.extend(
        built.plan().map(|plan| ["setup".into(), format!("about {:.1} ms, estimated", plan.setup.as_secs_f64() * 1e3)]),
    );
    let rows: Vec<Vec<String>> = rows.into_iter().map(Vec::from).collect();
    let certificate = built.certificate().respelled(spelled);
    let others = built.plan().map(|plan| format!("\nNot taken:\n\n{}", columns(&reasons(&plan.refused), &[])));
    format!("{}\n{certificate}{}", columns(&rows, &[]), others.unwrap_or_default())
}

/// Every method that was not chosen, with its reason.
fn reasons(refused: &[Refusal]) -> Vec<Vec<String>> {
    refused.iter().map(|other| vec![other.method.to_string(), other.respelled(spelled)]).collect()
}
