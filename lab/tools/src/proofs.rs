//! `lab/check/coq/Tables.v` and `Netlists.v`: the integers and printed figures of tables, and the gates of circuits, about which
//! `Certificates.v` and `Circuits.v` beside them have theorems.

use samplez::{Bound, DiscreteGaussian, Exactness, Sampler};
use samplez_core::samplers::Isochronous;
use samplez_core::table::{CdtTable, PooledTable, Table};
use samplez_tables::circuit::{Circuit, Depth, Encoding, Gate};
use samplez_tables::{CdtOptions, TableForm, audit, build_plain, build_pooled};

use std::fmt::{Display, Write};
use std::io::Error;
use std::path::Path;
use xtask::files::{Findings, made};

const TABLES: &str = "lab/check/coq/Tables.v";
const NETLISTS: &str = "lab/check/coq/Netlists.v";
/// σ = 3.2, as numerator and denominator.
const SIGMA: (&str, i64, i64) = ("3.2", 16, 5);
const PRECISION: u32 = 128;

/// Writes the files, or with `check` compares them.
pub(crate) fn run(root: &Path, argument: Option<&str>) -> Findings {
    let check = xtask::compares(argument)?;
    let mut findings = made(root, TABLES, &text().map_err(Error::other)?, "tools gen-proofs", check)?;
    findings.extend(made(root, NETLISTS, &netlists().map_err(Error::other)?, "tools gen-proofs", check)?);
    Ok(findings)
}

type Text = Result<String, Box<dyn std::error::Error + Send + Sync>>;

/// The result of the proofs in docs/trust.md.
pub(crate) fn stated() -> String {
    let (sigma, page) = (SIGMA.0, "[machine-checked proofs](proofs/machine-checked.md)");
    format!("Coq checks the printed figures of three tables at σ = {sigma}: {page}")
}

fn text() -> Text {
    let law = DiscreteGaussian::with_sigma(SIGMA.0.parse()?)?;
    let options = CdtOptions { precision: PRECISION, ..CdtOptions::default() };
    let pooled = build_pooled(&law, &options).map_err(|error| error.to_string())?;
    let mut text =
        String::from("(* Generated: cargo tools gen-proofs. The integers of three tables at sigma = 3.2. *)\n");
    text += "From Coq Require Import ZArith List.\nImport ListNotations.\nLocal Open Scope Z_scope.\n\n";
    text += "(* The width sigma = sigma_num/sigma_den. The centre is 0. *)\n";
    define(&mut text, "sigma_num", SIGMA.1)?;
    define(&mut text, "sigma_den", SIGMA.2)?;
    text += "\n(* The inversion table: thresholds T_1 to T_n in units of 2^-precision. *)\n";
    inversion(&mut text, pooled.table())?;
    text += "\n(* knuth-yao-ct: the stored numbers of its levels, and the index to which a count of 1 leads. *)\n";
    levels(&mut text, &pooled)?;
    text += "\n(* isochronous: S in units of 2^-32, the weights of the strips, and the goals of b = 1 and b = 0 in units of\n";
    text += "   2^-goal_bits. *)\n";
    strips(&mut text, &law)?;
    Ok(text)
}

fn define(text: &mut String, name: &str, value: impl Display) -> std::fmt::Result {
    writeln!(text, "Definition {name} := {value}.")
}

fn list<T: Display>(text: &mut String, name: &str, items: impl IntoIterator<Item = T>) -> std::fmt::Result {
    let lines: Vec<String> = items.into_iter().map(|item| format!("  {item}")).collect();
    writeln!(text, "Definition {name} : list Z := [\n{}\n].", lines.join(";\n"))
}

/// The figures that `samplez certify` prints: rounded up to hundredths, which is their unit.
fn figures(text: &mut String, name: &str, bound: &Bound) -> std::fmt::Result {
    let [two, many, most] = bound.log2_renyi;
    debug_assert!((two.0, many.0, most.0) == (2, 256, 513));
    let parts = [
        ("sd", bound.log2_sd),
        ("r2", two.1),
        ("r256", many.1),
        ("r513", most.1),
        ("rinf", bound.log2_rinf),
        ("tail", bound.log2_tail),
    ];
    writeln!(text, "(* Hundredths of base-2 logarithms, as `samplez certify` prints them. *)")?;
    parts.iter().try_for_each(|(part, log2)| {
        writeln!(text, "Definition {name}_{part} := ({})%Z.", (log2 * 100.0).ceil() as i64)
    })
}

fn hex(digits: impl Iterator<Item = impl Display>) -> String {
    let digits: String = digits.map(|digit| format!("{digit}")).collect();
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

fn inversion(text: &mut String, table: &CdtTable<Vec<u32>>) -> std::fmt::Result {
    define(text, "precision", table.precision())?;
    // The leading digits of all, then the others of each.
    let (heads, tails) = table.digits().split_at(table.len());
    let thresholds = heads.iter().zip(tails.chunks(PRECISION as usize / 32 - 1));
    let thresholds =
        thresholds.map(|(head, tail)| hex([head].into_iter().chain(tail).map(|digit| format!("{digit:08x}"))));
    list(text, "thresholds", thresholds)?;
    figures(text, "cdt", &table.bound())
}

fn levels(text: &mut String, table: &PooledTable<Vec<u32>, Vec<i8>>) -> std::fmt::Result {
    for (level, (first, name)) in table.firsts().into_iter().zip(["one", "two", "three", "rest"]).enumerate() {
        let numbers = (0..).map_while(|rank| table.stored(level, rank));
        let numbers = numbers.map(|digits| hex(digits.map(|digit| format!("{digit:02x}"))));
        define(text, &format!("{name}_first"), first)?;
        list(text, &format!("{name}_numbers"), numbers)?;
    }
    let digits = table.stored(3, 0).map_or(0, Iterator::count);
    define(text, "rest_bits", 8 * digits)
}

fn strips(text: &mut String, law: &DiscreteGaussian) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let sampler = Isochronous::new(law)?;
    let (values, height) = sampler.strips();
    let weights: Vec<u64> = sampler.weights().map(u64::from).collect();
    // A word is b and then v, if a strip has one value.
    let bits = 63;
    if values != 1 || sampler.shape() != (0, weights.len() as u64, 0) {
        return Err("isochronous: a strip has one value here".into());
    }
    define(text, "height", height)?;
    list(text, "weights", &weights)?;
    define(text, "goal_bits", bits + 64)?;
    for (name, upper) in [("upper_goals", 1), ("lower_goals", 0)] {
        let mut goals = Vec::new();
        for (j, _) in (0_i64..).zip(&weights) {
            // The strip's lower end.
            let beyond: u64 = weights[j as usize + 1..].iter().sum();
            let (z, rest, goal, next) = sampler.trial(beyond << (bits - 16) << 1 | upper, 0);
            if (z, rest) != (if upper == 1 { j + 1 } else { -j }, 0) {
                return Err(format!("isochronous: strip {j} returns {z}, from {rest}").into());
            }
            goals.push(format!("0x{:x}", u128::from(goal) << 64 | u128::from(next)));
        }
        list(text, name, goals)?;
    }
    let Exactness::Within(bound) = sampler.profile().exactness else {
        return Err("isochronous: has no bound".into());
    };
    Ok(figures(text, "strips", &bound)?)
}

/// The circuits, each with the integers of its table.
fn netlists() -> Text {
    let mut text = String::from(
        "(* Generated: cargo tools gen-proofs. The gates of circuits, and the integers of their tables. *)\n",
    );
    text += "From Coq Require Import ZArith List.\nFrom Samplez Require Import Circuit.\nImport ListNotations.\nLocal Open Scope Z_scope.\n";
    let falcon: TableForm = "falcon".parse()?;
    for (name, sigma, form, encoding) in [
        ("narrow", "1.278", TableForm::folded_cdt(78), Encoding::Integer),
        ("middle", "1.8205", TableForm::folded_cdt(72), Encoding::Integer),
        ("wide", SIGMA.0, TableForm::folded_cdt(PRECISION), Encoding::Integer),
        ("falcon", "1.8205", falcon, Encoding::Index),
    ] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let circuit = Circuit::new(build_plain(&law, &form)?, encoding, Depth::Linear)?;
        let (table, netlist) = (circuit.table(), circuit.netlist());
        writeln!(text, "\n(* sigma = {sigma}, {}. *)", table.form())?;
        // The table of σ = 3.2 is in Tables.v.
        if sigma != SIGMA.0 {
            let width = law.width().value();
            define(&mut text, &format!("{name}_num"), width.num())?;
            define(&mut text, &format!("{name}_den"), width.den())?;
            define(&mut text, &format!("{name}_precision"), table.form().precision)?;
            list(&mut text, &format!("{name}_thresholds"), table.entries())?;
            if encoding == Encoding::Integer {
                figures(&mut text, name, &audit(table).bound)?;
            }
        }
        writeln!(text, "(* The inputs that choose a column. *)")?;
        define(&mut text, &format!("{name}_columns"), format!("{}%nat", circuit.column_bits()))?;
        let outputs: Vec<String> = netlist.outputs().iter().map(|wire| (wire + 1).to_string()).collect();
        let gates: Vec<String> = netlist.gates().iter().map(gate).collect();
        let lines: Vec<String> = gates.chunks(10).map(|gates| format!("    {}", gates.join("; "))).collect();
        let (inputs, outputs) = (netlist.inputs(), outputs.join("; "));
        writeln!(
            text,
            "Definition {name} : netlist := {{|\n  inputs := {inputs};\n  outputs := [{outputs}]%positive;"
        )?;
        writeln!(text, "  gates := [\n{}\n  ]%positive\n|}}.", lines.join(";\n"))?;
    }
    Ok(text)
}

/// Coq's positive numbers begin at 1, the wires of a netlist at 0.
fn gate(gate: &Gate) -> String {
    let [a, b] = gate.operands().map(|wire| wire + 1);
    match gate {
        Gate::Xor(..) => format!("Xor {a} {b}"),
        Gate::And(..) => format!("And {a} {b}"),
        Gate::Not(_) => format!("Not {a}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_coq_reads_them() {
        assert_eq!(hex(["00000000", "0000002a"].iter()), "0x2a");
        assert_eq!(hex(["00"].iter()), "0x0");
    }
}
