//! `samplez plan`.

use crate::args;
use crate::failure::{Failure, complain, spelled};
use crate::progress::building;
use crate::report::{columns, print};
use samplez::{Built, NoMethod, Plan, Refusal};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &args::Plan) -> Result<ExitCode, Failure> {
    let big = || args.recipe.big().map(|law| super::big::plan(args.json, &law?).map(|()| ExitCode::SUCCESS));
    let recipe = match args.recipe.recipe() {
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
    let Some(plan) = built.plan() else { return Err(Failure::Input("the recipe names a method; remove it".into())) };
    print(&if args.json { format!("{:#}\n", as_json(&built, plan)?) } else { as_text(&built, plan) })?;
    Ok(ExitCode::SUCCESS)
}

/// The certificate of what was chosen, and beside it the recipe of that, and the plan.
fn as_json(built: &Built, plan: &Plan) -> Result<Value, Failure> {
    let certificate = serde_json::from_str::<Map<String, Value>>(&built.certificate().to_json());
    let mut fields = certificate.map_err(|error| Failure::System(format!("the certificate: {error}")))?;
    let refused = plan.refused.iter().map(|other| json!({ "method": other.method.name(), "why": other.why() }));
    fields.extend([
        ("exactness".into(), built.certificate().exactness().into()),
        ("recipe".into(), built.recipe().to_string().into()),
        ("reason".into(), plan.reason.clone().into()),
        (
            "estimates".into(),
            json!({
                "setup_seconds": plan.setup.as_secs_f64(),
                "million_per_second": plan.million_per_second,
                "instructions": plan.instructions,
            }),
        ),
        ("refused".into(), refused.collect()),
    ]);
    Ok(fields.into())
}

/// The three properties of the sampler first: exactness, timing, speed.
fn as_text(built: &Built, plan: &Plan) -> String {
    let rows = [
        ["exactness", &built.certificate().exactness()],
        ["timing", &built.profile().timing.to_string()],
        [
            "speed",
            &format!(
                "about {:.1} million/s with default options, interpolated from measurements ({})",
                plan.million_per_second, plan.instructions
            ),
        ],
        ["why", &plan.reason],
        ["use", &format!("samplez sample --recipe {} --count 1e6", built.recipe())],
        ["setup", &format!("about {:.1} ms, estimated", plan.setup.as_secs_f64() * 1e3)],
    ];
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(String::from).to_vec()).collect();
    let certificate = built.certificate().respelled(spelled);
    format!("{}\n{certificate}\nNot taken:\n\n{}", columns(&rows, &[]), columns(&reasons(&plan.refused), &[]))
}

/// Every method that was not chosen, with its reason.
fn reasons(refused: &[Refusal]) -> Vec<Vec<String>> {
    refused.iter().map(|other| vec![other.method.to_string(), other.respelled(spelled)]).collect()
}
