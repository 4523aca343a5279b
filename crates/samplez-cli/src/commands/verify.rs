//! `samplez verify`.

use crate::args::{Finite, Law, Modulus, Reading, Verify};
use crate::failure::Failure;
use crate::files::{Beyond, Format};
use crate::input::Input;
use crate::numbers::grouped;
use crate::report::{columns, print_json, print_verdicts};
use samplez::{ParamError, Refused};
use samplez_stats::{ALPHA, Comparer, Comparison, Power, Report, Test, Verdict, Verifier};
use samplez_tables::TargetLaw;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

pub(crate) fn run(args: &Verify) -> Result<ExitCode, Failure> {
    let consistent = match &args.against {
        Some(other) => against(args, other)?,
        None => alone(args)?,
    };
    Ok(ExitCode::from(if consistent { 0 } else { 1 }))
}

/// One file against a law.
fn alone(args: &Verify) -> Result<bool, Failure> {
    let Judged { law, shown, beyond } = judged(args)?;
    let mut verifier = verifier_of(&law, args)?;
    let input = Input::open_with(&args.file, &args.how.reading, &beyond)?;
    let name = input.name().to_string();
    let mut residues = Residues::of(&args.how.modulus);
    input.for_each_chunk(args.how.quiet, |samples| {
        verifier.push(samples);
        residues.iter_mut().for_each(|residues| residues.push(samples));
    })?;
    residues.map_or(Ok(()), |residues| residues.check(&name))?;
    let mut report = verifier.finish().map_err(|error| Failure::input(&name, error))?;
    // Folded integers are no residues, and have another law than the one shown.
    report.modulus = report.modulus.filter(|_| !matches!(beyond, Beyond::Folded(_)));
    report.alternative = report.alternative.filter(|_| shown == law.to_string());
    match args.how.json {
        true => print_json(&as_json(&shown, &report)),
        false => print_verdicts(&as_text(&name, &shown, &report)),
    }?;
    Ok(report.consistent)
}

/// What a file is judged by.
struct Judged {
    law: TargetLaw,
    /// The law in words.
    shown: String,
    /// How integers beyond 64 bits are read.
    beyond: Beyond,
}

fn judged(args: &Verify) -> Result<Judged, Failure> {
    let finite = args.finite.law(&args.law)?;
    let q = args.how.modulus.q();
    if let (None, None, Some(folding)) = (&finite, q, args.law.folding()) {
        let folding = folding?;
        args.target.check_whole()?;
        let (law, shown) = (folding.law().into(), folding.to_string());
        return Ok(Judged { law, shown, beyond: Beyond::Folded(Rc::new(folding)) });
    }
    let beyond = Beyond::of_modulus(q);
    if let Some((law, shown)) = args.target.wide(&args.law, &args.how.modulus)? {
        return Ok(Judged { law, shown, beyond });
    }
    let law = args.target.law(&args.law, finite, &args.how.modulus)?;
    Ok(Judged { shown: law.to_string(), law, beyond })
}

fn verifier_of(law: &TargetLaw, args: &Verify) -> Result<Verifier, Failure> {
    let cut = args.target.cut_by(&args.how.modulus);
    let verifier = Verifier::new(law).map_err(|error| refused(error, &args.law, &args.finite, cut.as_deref()))?;
    Ok(verifier.with_threads(args.how.threads))
}

/// A law that cannot be tested, by the option that makes it so: `cut`, or the law's own.
pub(super) fn refused(error: ParamError, law: &Law, finite: &Finite<true>, cut: Option<&str>) -> Failure {
    let ParamError::Unsupported { argument, value, allowed, .. } = error else {
        return law.refused(&Refused::from(error));
    };
    let allowed = format!("expected {allowed}");
    match (finite.argument(), cut) {
        (_, Some(cut)) if !allowed.contains("64 bits") => {
            Failure::input(cut, format!("{allowed}; make it smaller, or remove it"))
        }
        (Some(finite), _) => Failure::input(finite, allowed),
        _ => law.refused(&Refused::new(argument, value, allowed)),
    }
}

/// The extremes of a file of residues.
pub(super) struct Residues<'a> {
    q: u128,
    typed: &'a str,
    least: i64,
    most: i64,
}

impl<'a> Residues<'a> {
    /// `None` without a modulus, and for a larger one, which is the reader's business.
    pub(super) fn of(modulus: &'a Modulus) -> Option<Self> {
        let q = modulus.q().filter(|q| *q <= 1 << 63)?;
        Some(Residues { q, typed: modulus.typed(), least: i64::MAX, most: i64::MIN })
    }

    pub(super) fn push(&mut self, samples: &[i64]) {
        for x in samples {
            self.least = self.least.min(*x);
            self.most = self.most.max(*x);
        }
    }

    /// Whether all lie from 0 to q - 1, or from -q/2 to q/2.
    pub(super) fn check(&self, name: &str) -> Result<(), Failure> {
        // At most 2^63.
        let (q, half) = (self.q as i128, self.q as i128 / 2);
        let refuse = |found: String| {
            let what = format!(
                "{found}: expected residues from 0 to {}, or from -{half} to {half}, for --modulus {}",
                q - 1,
                self.typed
            );
            Err(Failure::input(name, what))
        };
        match (i128::from(self.least), i128::from(self.most)) {
            (_, most) if most >= q => refuse(format!("value {most}")),
            (least, _) if least < -half => refuse(format!("value {least}")),
            (least, most) if least < 0 && most > half => refuse(format!("values {least} and {most}")),
            _ => Ok(()),
        }
    }
}

/// Two files against each other.
fn against(args: &Verify, other: &Path) -> Result<bool, Failure> {
    if args.file == Path::new("-") && other == Path::new("-") {
        return Err(Failure::Input("standard input can be read only once: --against needs another file".to_string()));
    }
    let [ours, theirs] = readings(args, other);
    let (mut first, mut second) = (Input::open(&args.file, &ours)?, Input::open(other, &theirs)?);
    let names = [first.name().to_string(), second.name().to_string()];
    let mut comparer = Comparer::new(first.head()?, second.head()?).with_threads(args.how.threads);
    let n = first.for_each_chunk(args.how.quiet, |samples| comparer.push_first(samples))?;
    let m = second.for_each_chunk(args.how.quiet, |samples| comparer.push_second(samples))?;
    let shorter = &names[usize::from(m < n)];
    let comparison = comparer.finish().map_err(|error| Failure::input(shorter, error))?;
    match args.how.json {
        true => print_json(&both_as_json(&comparison)),
        false => print_verdicts(&both_as_text(&names, &comparison)),
    }?;
    Ok(comparison.consistent)
}

/// How to read both files. What the extension of the second leaves open is as for the first; an integer type and a column are for
/// the one that takes them, if the other does not.
fn readings(args: &Verify, other: &Path) -> [Reading; 2] {
    let said = &args.how.reading;
    let named = Format::of_path(other);
    let (first, second) = (said.format.or(Format::of_path(&args.file)), named.or(said.format));
    let columns = |format: Option<Format>| match format {
        Some(Format::Csv) => 2,
        Some(Format::Npy | Format::Raw) => 0,
        _ => 1,
    };
    let reading = |format: Option<Format>, mine: Option<Format>, theirs: Option<Format>| Reading {
        format,
        dtype: said.dtype.clone().filter(|_| mine == Some(Format::Raw) || theirs != Some(Format::Raw)),
        column: said.column.clone().filter(|_| columns(mine) >= columns(theirs)),
        is_stream: false,
    };
    [reading(said.format, first, second), reading(said.format.filter(|_| named.is_none()), second, first)]
}

fn as_json(law: &str, report: &Report) -> Value {
    json!({
        "law": law,
        "n": report.n,
        "consistent": report.consistent,
        "alpha": ALPHA,
        "tests": tests_as_json(&report.tests),
        "power": power_as_json(report.power),
        "modulus": report.modulus.map(whole),
        "alternative": report.alternative.as_ref().map(ToString::to_string),
    })
}

/// A number up to 2^64: a text from 2^64 on, which JSON's numbers of 64 bits end below.
pub(super) fn whole(n: u128) -> Value {
    u64::try_from(n).map_or_else(|_| json!(n.to_string()), |n| json!(n))
}

fn both_as_json(comparison: &Comparison) -> Value {
    json!({
        "n": comparison.n,
        "consistent": comparison.consistent,
        "alpha": ALPHA,
        "shared": comparison.shared.map(|(again, of)| json!({ "sequences": again, "of": of })),
        "tests": tests_as_json(&comparison.tests),
        "power": power_as_json(comparison.power),
    })
}

pub(super) fn tests_as_json(tests: &[Test]) -> Value {
    let test = |test: &Test| {
        let (verdict, reason) = words(test.verdict);
        json!({
            "name": test.name,
            "tests": test.members,
            "at": test.at,
            "statistic": test.statistic,
            "dof": test.dof,
            "p_value": test.p_value,
            "verdict": verdict,
            "reason": reason,
        })
    };
    tests.iter().map(test).collect()
}

/// A verdict in JSON, and its reason.
pub(super) const fn words(verdict: Verdict) -> (&'static str, Option<&'static str>) {
    match verdict {
        Verdict::Pass => ("pass", None),
        Verdict::Reject => ("reject", None),
        Verdict::NotApplicable(reason) => ("not applicable", Some(reason)),
    }
}

fn power_as_json(power: Power) -> Value {
    let Power { sigma, mean, zero, sign, parity, correlation, magnitudes, place, wave, repeat, total_variation } =
        power;
    json!({
        "sigma": sigma,
        "mean": mean,
        "zero": zero,
        "sign": sign,
        "parity": parity,
        "correlation": correlation,
        "magnitudes": magnitudes,
        "place": place,
        "wave": wave,
        "repeat": repeat,
        "total_variation": total_variation,
    })
}

fn as_text(name: &str, law: &str, report: &Report) -> String {
    let verdict = if report.consistent {
        format!("consistent: {name} passes for samples of {law}")
    } else {
        format!("REJECTED: {name} does not contain samples of {law}")
    };
    let rejects = |tests: &[Test]| tests.iter().any(|test| test.verdict == Verdict::Reject);
    // The families of the values end with this one.
    let values = report.tests.iter().position(|test| test.name == "birthdays").map_or(0, |last| last + 1);
    let (values, order) = report.tests.split_at(values);
    let order = match rejects(values) && rejects(order) {
        true => format!(
            "The rows from {} on assume the law, so a wrong law alone can make them reject; samplez identify tests the order for any law.\n",
            order.first().map_or("", |test| &test.name)
        ),
        false => String::new(),
    };
    let alternative = match &report.alternative {
        Some(other) => format!(
            "The values look like samples of {other}: they pass for it, except that their order was not tested\n"
        ),
        None => String::new(),
    };
    let residues = match report.modulus {
        Some(q) if q.is_power_of_two() => {
            format!("The values look like residues modulo 2^{}: judge them with --modulus {q}\n", q.ilog2())
        }
        Some(q) => format!(
            "The values look like residues modulo {q} or a larger number: judge them with --modulus {q}, or the modulus that you know\n"
        ),
        None => String::new(),
    };
    format!(
        "{} integers of {name} against {law}\n\n{}\n{}\n\
         {order}{verdict} (ideal samples are rejected with probability about {ALPHA:e})\n{alternative}{residues}",
        grouped(report.n),
        table(&report.tests),
        power(&report.power)
    )
}

fn both_as_text([first, second]: &[String; 2], comparison: &Comparison) -> String {
    let verdict = if comparison.consistent {
        format!("consistent: {first} and {second} pass for independent samples of one distribution")
    } else {
        format!("REJECTED: {first} and {second} are not independent samples of one distribution")
    };
    let shared = match comparison.shared {
        Some((again, of)) if again > 0 => {
            format!(
                "Copied: {} of {} sequences of {second} that were kept are also in {first}.\n",
                grouped(again),
                grouped(of)
            )
        }
        _ => String::new(),
    };
    let [n, m] = comparison.n.map(grouped);
    format!(
        "{n} integers of {first} against {m} of {second}\n\n{}\n{}\n{shared}{verdict} \
         (ideal samples are rejected with probability about {ALPHA:e})\n",
        table(&comparison.tests),
        power(&comparison.power)
    )
}

pub(super) fn table(tests: &[Test]) -> String {
    let header = ["family", "tests", "most unlike at", "statistic", "dof", "p-value", "verdict"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for test in tests {
        let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_string());
        rows.push(vec![
            test.name.clone(),
            test.members.to_string(),
            test.at.clone().unwrap_or_default(),
            or_dash(test.statistic.map(|s| format!("{s:.3}"))),
            or_dash(test.dof.map(grouped)),
            or_dash(test.p_value.map(p_value)),
            test.verdict.to_string(),
        ]);
    }
    columns(&rows, &[1, 3, 4, 5])
}

/// A p-value in two or three digits; below 1e-300 doubles lose theirs.
pub(super) fn p_value(p: f64) -> String {
    match p {
        0.001.. => format!("{p:.3}"),
        1e-300.. => format!("{p:.1e}"),
        _ => "below 1e-300".into(),
    }
}

/// What would have been seen, line by line.
fn power(power: &Power) -> String {
    let Power { sigma, mean, zero, sign, parity, correlation, magnitudes, place, wave, repeat, total_variation } =
        *power;
    let lines = [
        (sigma, "relative error of sigma"),
        (mean, "shift of the mean, in sigma"),
        (zero, "relative error of P(X = 0), or of the integer nearest to a centre far from 0"),
        (sign, "error of P(X > centre)"),
        (parity, "error of P(X odd)"),
        (correlation, "serial correlation at lags 1 to 16"),
        (magnitudes, "serial correlation of |x| at lags 1 to 64 and powers of two to 65536"),
        (place, "shift of the mean at one place modulo 1024, in sigma"),
        (wave, "amplitude of a wave in the mean, in sigma"),
        (repeat, "length of a sequence that comes again, in values"),
        (total_variation, "statistical distance"),
    ];
    let rows: Vec<Vec<String>> = lines
        .into_iter()
        .filter_map(|(size, what)| size.map(|size| vec![format!("  {size:.1e}"), what.to_string()]))
        .collect();
    if rows.is_empty() {
        return "Power: too few samples for any statement.\n".to_string();
    }
    format!(
        "Power: at this number of samples, each of these deviations is seen with probability 1/2:\n{}",
        columns(&rows, &[])
    )
}
