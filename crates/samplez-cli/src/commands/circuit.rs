//! `samplez circuit`.

use super::audit;
use crate::args;
use crate::code::{Dialect, default_form};
use crate::failure::Failure;
use crate::numbers::rounded_up;
use crate::output::Output;
use crate::report::columns;
use samplez::{DiscreteGaussian, Recipe, Refused};
use samplez_tables::circuit::{self, Circuit, CircuitError, Format};
use samplez_tables::{ConvolutionOptions, Law, PlainError, build_convolution, build_plain};
use std::process::ExitCode;

pub(crate) fn run(args: &args::Circuit) -> Result<ExitCode, Failure> {
    let format = match (args.emit.map(Format::from), args.pipeline) {
        (Some(Format::Verilog), Some(stages)) => Some(Format::Pipelined(stages)),
        (Some(format), Some(stages)) => {
            let why = format!("--emit {format} has no registers; use --emit verilog, or remove --pipeline");
            return Err(Failure::input(&format!("--pipeline = {stages}"), why));
        }
        (format, None) => format,
        (None, Some(_)) => None,
    };
    if let Some(format) = format.filter(|format| args.order > 0 && !format.has_shares()) {
        let why = format!("--emit {format} has no shares, see docs/book/circuit.md; use c, rust or json, or remove it");
        return Err(Failure::input(&format!("--order = {}", args.order), why));
    }
    Dialect::C.check_name(&args.name)?;
    let (circuit, origin) = match &args.audited.table {
        Some(path) => {
            let table = audit::read(path, &args.audited, |stated| match stated {
                Some(law) if args.law.is_empty() => Ok(law),
                _ => args.law.law(),
            })?;
            let (law, form) = (table.target(), table.form());
            let origin = format!("--table FILE --form {form} {}", stated(law));
            let circuit = Circuit::new(table, args.encoding.into(), args.depth.into());
            (circuit.map_err(|error| refused(args, error))?, origin)
        }
        None => built(args)?,
    };
    circuit.check().map_err(|error| Failure::System(error.to_string()))?;
    let text = match format {
        None => report(&circuit, args.order),
        Some(format) => {
            let (encoding, depth, order, name) = (circuit.encoding(), circuit.depth(), args.order, &args.name);
            let pipeline = args.pipeline.map_or(String::new(), |stages| format!(" --pipeline {stages}"));
            let origin = format!(
                "samplez circuit {origin} --encoding {encoding} --depth {depth} --order {order} --emit {format}{pipeline} --name {name}"
            );
            circuit.emit(format, order, name, &origin)
        }
    };
    let mut output = Output::to(Output::named(args.out.as_ref()), false)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// The circuit of the table of `cdt`, or of a sum of two samples if that table is too large, and the arguments that state it.
fn built(args: &args::Circuit) -> Result<(Circuit, String), Failure> {
    let (law, Recipe { options, .. }) = (args.law.law()?, args.law.recipe()?);
    let precision = match (args.precision, options.precision) {
        (Some(precision), Some(_)) => {
            let why = "--recipe already contains precision; remove one of them";
            return Err(Failure::input(&format!("--precision = {precision}"), why));
        }
        (given, _) => given.unwrap_or(options.precision()),
    };
    let origin = format!("{} --precision {precision}", stated(&law));
    let circuit = match build_plain(&law, &default_form(&law, precision)) {
        Ok(table) => Circuit::new(table, args.encoding.into(), args.depth.into()),
        Err(PlainError::TooMany { entries, .. }) => {
            // Those with a mass, of which half are listed if the table is folded.
            let range = Law::new(&law).tail_range(-f64::from(precision));
            let values = range.map_or(entries, |range| range.end().abs_diff(*range.start()) as usize);
            let values = if law.center().is_integer() { values / 2 } else { values };
            let error = CircuitError::of_size(values, precision);
            Err(error.ok_or_else(|| args.law.refused(&PlainError::TooMany { target: law, entries }.into()))?)
        }
        Err(error @ PlainError::Undecided { .. }) => {
            return Err(width_refused(args, format!("{error}; choose a larger width")));
        }
        Err(error) => return Err(args.law.refused(&error.into())),
    };
    let circuit = match circuit {
        Err(error @ CircuitError::TooMany { .. }) => summed(args, &law, precision, error)?,
        circuit => circuit.map_err(|error| refused(args, error))?,
    };
    Ok((circuit, origin))
}

/// The circuit of a sum of two samples, for a law whose own table has this error.
fn summed(
    args: &args::Circuit,
    law: &DiscreteGaussian,
    precision: u32,
    error: CircuitError,
) -> Result<Circuit, Failure> {
    // Of one level.
    let options =
        ConvolutionOptions { precision, bound: precision, base_sigma: u32::MAX, ..ConvolutionOptions::constant_time() };
    let Ok(table) = build_convolution(law, &options) else { return Err(refused(args, error)) };
    let encoding = circuit::Encoding::from(args.encoding);
    if encoding != circuit::Encoding::Integer {
        let why = format!("{error}, or a sum of two samples, which needs encoding integer");
        return Err(Failure::input(&format!("--encoding = {encoding}"), why));
    }
    Circuit::sum(&table, args.depth.into()).map_err(|of_sum| match of_sum {
        CircuitError::TooMany { values, ands, .. } => {
            let of_sum = format!("a sum of two samples takes two of {values} values, about {} AND gates", 2 * ands);
            width_refused(args, format!("{error}, and {of_sum}; {WAY_OUT}"))
        }
        _ => refused(args, error),
    })
}

const WAY_OUT: &str =
    "add samples of narrower circuits (a convolution), choose a lower precision, or sample without a circuit";

/// The arguments of a law.
fn stated(law: &DiscreteGaussian) -> String {
    let (width, center) = (law.width(), law.center());
    format!("--{} {} --center {center}", width.name().replace('_', "-"), width.value())
}

/// A refusal, with the argument that causes it and the way out.
fn refused(args: &args::Circuit, error: CircuitError) -> Failure {
    match (error, &args.audited.table) {
        (CircuitError::Sign { .. }, _) => Failure::input("--encoding = sign", error),
        (_, Some(path)) => Failure::input(&path.display().to_string(), error),
        (CircuitError::TooMany { .. }, None) => width_refused(args, format!("{error}; {WAY_OUT}")),
        (CircuitError::Single, None) => {
            width_refused(args, format!("{error}; choose a larger width, or a higher precision"))
        }
        (_, None) => width_refused(args, error.to_string()),
    }
}

fn width_refused(args: &args::Circuit, why: String) -> Failure {
    match args.law.law() {
        Ok(law) => args.law.refused(&Refused::new(law.width().name(), law.width().value(), why)),
        Err(failure) => failure,
    }
}

fn report(circuit: &Circuit, order: u32) -> String {
    let (netlist, table, bound) = (circuit.netlist(), circuit.table(), circuit.lower_bound());
    let counts = netlist.counts();
    let proof: Vec<String> = (0..64).filter(|j| bound.outputs >> j & 1 == 1).map(|j| format!("x[{j}]")).collect();
    let sum = proof.join(" + ");
    let proof = match bound.ands {
        0 => "none: the theorem does not apply".to_string(),
        ands => format!("{ands}, because {sum} is 1 with a probability that is an odd multiple of 2^-{}", ands + 1),
    };
    let columns_of = format!(
        "2^{}, of which {} are halved; thresholds in each: {}",
        circuit.column_bits(),
        circuit.halved_columns(),
        circuit.thresholds()
    );
    let mut rows = vec![("law", circuit.target().to_string())];
    let counted = match circuit.sum_of() {
        Some(sum) => {
            let bound = circuit.bound();
            let [sd, rinf] = [bound.log2_sd, bound.log2_rinf].map(|log2| rounded_up(log2, 2));
            rows.extend([("sum", sum), ("distance", format!("SD <= 2^{sd}, R_inf - 1 <= 2^{rinf}"))]);
            format!(
                "2 times over all 2^{} inputs, each sample is as frequent as in the table; all pairs are added",
                netlist.inputs() / 2
            )
        }
        None => format!("over all 2^{} inputs, each sample is as frequent as in the table", netlist.inputs()),
    };
    rows.extend([
        ("table", table.form().to_string()),
        ("outputs", circuit.meaning()),
        ("random bits", netlist.inputs().to_string()),
        ("counted", counted),
        ("AND gates", counts.and.to_string()),
        ("lower bound", proof),
        ("XOR gates", counts.xor.to_string()),
        ("NOT gates", counts.not.to_string()),
        ("AND depth", counts.depth.to_string()),
        ("columns", columns_of),
    ]);
    if order > 0 {
        let masked = netlist.masked(order);
        let (counts, shares) = (masked.counts(), order + 1);
        let fresh = masked.inputs() - netlist.inputs() * shares;
        rows.extend([
            ("masked", format!("order {order}, {shares} shares; in the probing model, no power trace was measured")),
            ("masked gates", format!("{} AND, {} XOR, {} NOT", counts.and, counts.xor, counts.not)),
            ("masked random bits", format!("{}, of which {fresh} are fresh bits of AND gates", masked.inputs())),
        ]);
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_string(), value]).collect();
    columns(&rows, &[])
}
