//! \[BSOVOGR17\]'s Figures 3 and 5: sources, and samplers over them, by a program that the compiler did not vectorize and whose
//! own vector code is off. It is another build of the command; `make report` makes one.

use super::Bench;
use super::blocks::A_CALL;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::{Finding, Form, Ours, Outcome};
use crate::grid::CROSS;
use crate::kept::{Record, Records};
use samplez_cli::testing::measure::rounds::median;
use std::path::Path;
use std::process::Command;

/// Sources that the kernel computes. Their health tests look at each byte, and gain by vectorization.
const KERNEL: [&str; 4] = ["os ", "dev-random ", "dev-urandom ", "/dev/urandom"];
const NONE: &str = "no second build without vectorization was named: --unvectorized PROGRAM; make report makes one";

/// The control: how far AES by instructions may differ between the builds, as a share. Its instructions are the same in both.
const CONTROL: f64 = 0.1;
/// The largest ratio that counts as a small gain, and how far from 1 a ratio is noise.
const SMALL: f64 = 1.25;
const NOISE: f64 = 0.03;

/// A program's findings of one item.
fn found(bench: &Bench, program: &Path, item: &str) -> Result<Record, LabError> {
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
    record.ok_or_else(|| failed(&format!("{item} was not measured")))
}

/// A row that both programs measure: what it is, and the greatest speed with and without vectorization.
struct Row {
    name: String,
    unit: String,
    with: f64,
    without: f64,
}

impl Row {
    fn gain(&self) -> f64 {
        self.with / self.without
    }

    fn is_of_kernel(&self) -> bool {
        KERNEL.iter().any(|name| self.name.starts_with(name))
    }

    /// The portable build has no instructions for AES: it is another source there.
    fn loses_aes(&self) -> bool {
        self.name.contains("aes") && !self.name.contains("soft")
    }
}

/// Rows of an item, and the last record without vectorization. This program and the other take turns.
fn rows(bench: &Bench, program: &Path, item: &str) -> Result<(Vec<Row>, Record), LabError> {
    let own = std::env::current_exe().map_err(|why| LabError::System(format!("this program: {why}")))?;
    let mut rows: Vec<Row> = Vec::new();
    let mut number = 0;
    loop {
        let [with, without] = [found(bench, &own, item)?, found(bench, program, item)?];
        for finding in without.findings.iter().filter(|finding| finding.outcome == Outcome::NoClaim) {
            let of = |finding: &Finding| if let Ours::Number(speed) = finding.ours { speed } else { f64::NAN };
            let same = with.findings.iter().find(|other| other.quantity == finding.quantity);
            let Some((with, without)) = same.map(|same| (of(same), of(finding))) else { continue };
            match rows.iter_mut().find(|row| row.name == finding.quantity) {
                Some(row) => (row.with, row.without) = (row.with.max(with), row.without.max(without)),
                None => {
                    rows.push(Row { name: finding.quantity.clone(), unit: finding.unit.clone(), with, without });
                }
            }
        }
        number += 1;
        if number == bench.length(1, 3) {
            return Ok((rows, without));
        }
    }
}

/// AES by instructions, a block a call, in one build over the other: 1 if both builds had the same machine.
fn control(rows: &[Row]) -> f64 {
    let is_aes = |row: &&Row| row.name.starts_with("AES by instructions") && row.name.ends_with(A_CALL);
    rows.iter().find(is_aes).map_or(f64::NAN, Row::gain)
}

/// Both builds beside each other.
fn beside(bench: &Bench, answer: &mut Answer<'_>, item: &str, quantity: &str, column: &str) -> Result<(), LabError> {
    let Some(program) = &bench.unvectorized else { return answer.unmeasured(quantity, NONE) };
    let (mut rows, record) = rows(bench, program, item)?;
    rows.retain(|row| row.name.contains(CROSS));
    let kernel = median(rows.iter().filter(|row| row.is_of_kernel()).map(Row::gain).collect());
    let terms = "By source: without vectorization, built with -C no-vectorize-loops, -C no-vectorize-slp and the portable backend, \
                 which has no AES instructions; both builds in turns, the fastest of each";
    let of_kernel = "the kernel's bytes with the health tests of this library, which look at each byte";
    answer.more("kernel's sources, vectorized over not", (kernel, "times"), of_kernel);
    for row in &rows {
        answer.more(&row.name, (row.without, &row.unit), terms);
        if row.name.ends_with(column) && !row.loses_aes() {
            let name = format!("vectorized over not, {}", row.name.replace(CROSS, ", "));
            answer.more(&name, (row.gain(), "times"), "both builds in turns, the fastest of each");
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

/// Measures the gain by the compiler's vectorization for scalar sources that make one block a call. The AES instructions are in both builds.
fn gain(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let quantity = "what vectorization gains";
    let Some(program) = &bench.unvectorized else { return answer.unmeasured(quantity, NONE) };
    let (rows, _) = rows(bench, program, "S8")?;
    let control = control(&rows);
    if control.is_nan() || (control - 1.0).abs() > CONTROL {
        let why = format!("the control is off: between the builds AES by instructions differs {control:.2} times");
        return answer.unmeasured(quantity, &why);
    }
    answer.form = Form::AsBuilt;
    let scalar: Vec<&Row> =
        rows.iter().filter(|row| row.name.ends_with(A_CALL) && !row.name.starts_with("AES by instructions")).collect();
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for row in &scalar {
        let name = format!("vectorized over not, {}", row.name);
        (least, most) = (least.min(row.gain()), most.max(row.gain()));
        answer.more(
            &name,
            (row.gain(), "times"),
            &format!("both builds in turns, the fastest of each; control {control:.2}"),
        );
    }
    let middle = median(scalar.iter().map(|row| row.gain()).collect());
    let ours = format!("{middle:.2} times ({least:.2} to {most:.2}), control {control:.2}");
    let outcome = small_gain(middle);
    let terms =
        "scalar sources of a block a call, compiled with and without -C no-vectorize-loops and -C no-vectorize-slp";
    answer.statement(quantity, &ours, terms, outcome)?;
    answer.form = Form::Ours;
    Ok(())
}

/// Whether a ratio is a small gain.
fn small_gain(ratio: f64) -> Outcome {
    if (ratio - 1.0).abs() <= NOISE {
        return Outcome::Straddles("a gain within the noise is none".into());
    }
    match (1.0..=SMALL).contains(&ratio) {
        true => Outcome::Agrees,
        false => Outcome::Differs("the compiler gains otherwise".into()),
    }
}

pub(super) fn figure_3(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    gain(bench, answer)?;
    beside(bench, answer, "S6", "speeds of all sources, not vectorized", "in bulk")
}

pub(super) fn figure_5(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    beside(bench, answer, "S9", "samplers over sources, not vectorized", "ziggurat")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_gain_is_no_small_gain() {
        let of = |ratio: f64| small_gain(ratio).name();
        assert_eq!([0.9, 1.0, 1.02, 1.1, 1.3].map(of), ["differs", "straddles", "straddles", "agrees", "differs"]);
    }
}
