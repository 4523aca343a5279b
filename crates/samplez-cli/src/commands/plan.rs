//! `samplez plan`.

use crate::args;
use crate::failure::{Failure, complain, spelled};
use crate::progress::building;
use crate::report::{columns, print};
use samplez::{Built, NoMethod, Recipe, Refusal};
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
    let built = match building(false, || recipe.build()) {
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
    print(&if args.json { format!("{:#}\n", as_json(&built)?) } else { as_text(&built) })?;
    Ok(ExitCode::SUCCESS)
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
