//! \[BSOVOGR17\]'s Figures 3 and 5: sources, and samplers over them, by a program that the compiler did not vectorize and whose
//! own vector code is off. It is another build of the command; `make report` makes one.

use super::bench::Measure;
use super::{Bench, sources};
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::{Finding, Ours};
use crate::grid::CROSS;
use crate::kept::{Record, Records};
use samplez_cli::testing::measure::rounds::median;
use std::process::Command;

/// Sources that the kernel computes: the control.
const KERNEL: [&str; 3] = ["os", "dev-random", "dev-urandom"];
const NONE: &str = "no second build without vectorization was named: --unvectorized PROGRAM; make report makes one";

/// What the other program finds of an item, if there is one.
fn other(bench: &Bench, item: &str) -> Result<Option<Record>, LabError> {
    let Some(program) = &bench.unvectorized else { return Ok(None) };
    let failed = |why: &dyn std::fmt::Display| LabError::System(format!("{}: {why}", program.display()));
    let folder = std::env::temp_dir().join(format!("samplez-unvectorized-{}-{item}", std::process::id()));
    let mut command = Command::new(program);
    command.args(["report", "--quiet", "--only", item, "--out"]).arg(&folder).args(bench.quick.then_some("--quick"));
    let out = command.output().map_err(|why| failed(&why))?;
    if !out.status.success() {
        return Err(failed(&String::from_utf8_lossy(&out.stderr)));
    }
    let record = Records::open(&folder)?.of(item).next().cloned();
    std::fs::remove_dir_all(&folder).map_err(|why| failed(&why))?;
    Ok(record)
}

/// The item of ours, measured again, the same by the other program, and what vectorization gains.
fn beside(
    bench: &Bench,
    answer: &mut Answer<'_>,
    (item, measure): (&'static str, Measure),
    quantity: &str,
    column: &str,
) -> Result<(), LabError> {
    let Some(record) = other(bench, item)? else { return answer.unmeasured(quantity, NONE) };
    let mut ours = answer.beginning(item);
    measure(bench, &mut ours)?;
    let speed = |findings: &[Finding], name: &str| {
        let found = findings.iter().find(|finding| finding.quantity == name);
        found.and_then(|finding| if let Ours::Number(speed) = finding.ours { Some(speed) } else { None })
    };
    let both: Vec<(&Finding, f64, f64)> = (record.findings.iter())
        .filter(|finding| finding.quantity.contains(CROSS))
        .filter_map(|finding| match finding.ours {
            Ours::Number(without) => Some((finding, without, speed(&ours.findings, &finding.quantity)?)),
            _ => None,
        })
        .collect();
    // What the kernel computes is the same in both builds: its ratio is 1, and what it is instead is the machine's pace.
    let kernel = |finding: &&(&Finding, f64, f64)| {
        KERNEL.iter().any(|name| finding.0.quantity.starts_with(&format!("{name}{CROSS}")))
    };
    let pace = median(both.iter().filter(kernel).map(|(_, without, with)| with / without).collect());
    let terms = "By source: without vectorization, built with -C no-vectorize-loops, -C no-vectorize-slp and the portable backend, \
                 which has no AES instructions; levelled by the kernel's sources";
    for (finding, without, with) in both {
        let without = without * pace;
        answer.more(&finding.quantity, (without, &finding.unit), terms);
        if finding.quantity.ends_with(column) {
            let name = finding.quantity.replace(CROSS, ", ");
            let terms = "one after the other; levelled so that the kernel's sources have 1";
            answer.more(&format!("vectorized over not, {name}"), (with / without, "times"), terms);
        }
    }
    let chart = record.charts.into_iter().next().ok_or_else(|| LabError::Input(format!("{item}: no chart")))?;
    let caption = chart.caption.replace("In bulk, vectorized where the machine can.", "In bulk, not vectorized.");
    answer.drawn(
        quantity,
        crate::plot::Chart { title: format!("{}, not vectorized", chart.title), caption, ..chart },
        terms,
    )
}

pub(super) fn figure_3(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    answer.unmeasured(
        "what vectorization gains",
        "the build without vectorization loses AES instructions, which the paper kept",
    )?;
    beside(bench, answer, ("S6", sources::figure_2), "speeds of all sources, not vectorized", "in bulk")
}

pub(super) fn figure_5(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    beside(bench, answer, ("S9", sources::figure_4), "samplers over sources, not vectorized", "ziggurat")
}
