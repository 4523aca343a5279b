//! Circuits as texts: Verilog, Bristol Fashion, C, Rust, JSON.

use super::columns::Columns;
use super::netlist::{Gate, Netlist};
use super::pipeline::Stages;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The format of a circuit's text.
///
/// ```
/// use samplez_tables::circuit::Format;
/// assert_eq!(Format::Bristol.to_string(), "bristol");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A combinational module.
    Verilog,
    /// A module in Verilog with so many stages, after each of which registers hold the bits: a sample a clock, so many clocks late. With 0
    /// stages it is that of [`Format::Verilog`].
    Pipelined(u32),
    /// Bristol Fashion, for multi-party computation: one input value and one output value, bit 0 first; AND, XOR and INV alone.
    Bristol,
    /// A function in C99, which samples once for each bit of a word.
    C,
    /// A function in Rust without `std`, for 64 samples.
    Rust,
    /// The gates in order, and the columns that they are the rule of, for other programs.
    Json,
}

impl Format {
    /// Returns whether the format can have shares. Verilog cannot, because masked hardware also needs registers against glitches. Bristol
    /// Fashion cannot, because the parties of a computation share the values themselves.
    pub const fn has_shares(self) -> bool {
        matches!(self, Format::C | Format::Rust | Format::Json)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Verilog | Format::Pipelined(_) => "verilog",
            Format::Bristol => "bristol",
            Format::C => "c",
            Format::Rust => "rust",
            Format::Json => "json",
        })
    }
}

/// The facts on a circuit in the comments of its text.
pub(super) struct Facts<'a> {
    pub(super) law: Vec<String>,
    pub(super) columns: &'a Columns,
    pub(super) inputs: String,
    pub(super) outputs: String,
    pub(super) is_signed: bool,
}

pub(super) fn emit(plain: &Netlist, given: &Facts<'_>, format: Format, order: u32, name: &str) -> String {
    let masked = if order > 0 { Some(plain.masked(order)) } else { None };
    let netlist = masked.as_ref().unwrap_or(plain);
    let mut facts = given.law.clone();
    facts.push(format!("inputs: {}", given.inputs));
    facts.push(format!("outputs: {}", given.outputs));
    let counts = plain.counts();
    facts
        .push(format!("gates: {} AND, {} XOR, {} NOT; AND depth {}", counts.and, counts.xor, counts.not, counts.depth));
    if order > 0 {
        let (shares, fresh) = (order + 1, netlist.inputs() - plain.inputs() * (order + 1));
        facts.extend([
            format!(
                "masked: order {order}; share s of input i is r[{shares}*i + s], and of output j x[{shares}*j + s]"
            ),
            format!("fresh: r[{}] on, {fresh} uniform bits for the AND gates", plain.inputs() * shares),
            format!("security: in the probing model, against {order} probes; no power trace was measured"),
            "compiler: it may recombine shares; the barriers hinder it, so check the machine code".to_string(),
        ]);
    }
    let function = format!("{}_sample", name.to_ascii_lowercase());
    match format {
        Format::Verilog | Format::Pipelined(0) => verilog(netlist, &facts, &function, given.is_signed, None),
        Format::Pipelined(count) => {
            let stages = Stages::new(netlist, count);
            let (registers, depth) = (stages.registers(), stages.depth(netlist));
            facts.push(format!("pipeline: x is the sample of r {count} clocks before; {registers} registers, at most {depth} gates between two"));
            verilog(netlist, &facts, &function, given.is_signed, Some(&stages))
        }
        Format::Bristol => bristol(netlist),
        Format::C => c(netlist, &facts, &function, &name.to_ascii_uppercase(), order > 0),
        Format::Rust => rust(netlist, &facts, &function, order > 0),
        Format::Json => json(netlist, &facts, given.columns),
    }
}

/// The name of a wire: an input's place in r, or w with its number.
fn wire(netlist: &Netlist, wire: u32) -> String {
    if wire < netlist.inputs() { format!("r[{wire}]") } else { format!("w{wire}") }
}

/// A line for each gate, of its result and its expression.
fn gates(netlist: &Netlist, not: &str, line: impl Fn(&str, &str) -> String) -> String {
    let named = |operand| wire(netlist, operand);
    let lines = (netlist.inputs()..).zip(netlist.gates()).map(|(result, gate)| {
        let expression = match *gate {
            Gate::Xor(a, b) => format!("{} ^ {}", named(a), named(b)),
            Gate::And(a, b) => format!("{} & {}", named(a), named(b)),
            Gate::Not(a) => format!("{not}{}", named(a)),
        };
        line(&named(result), &expression)
    });
    lines.collect()
}

/// A line for each output, of its place in x and its wire.
fn outputs(netlist: &Netlist, line: impl Fn(usize, &str) -> String) -> String {
    netlist.outputs().iter().enumerate().map(|(j, output)| line(j, &wire(netlist, *output))).collect()
}

fn commented(facts: &[String], before: &str) -> String {
    facts.iter().map(|fact| format!("{before}{fact}\n")).collect()
}

fn verilog(netlist: &Netlist, facts: &[String], function: &str, is_signed: bool, stages: Option<&Stages>) -> String {
    let (inputs, outs) = (netlist.inputs() - 1, netlist.outputs().len() - 1);
    let signed = if is_signed { "signed " } else { "" };
    let head = commented(facts, "// ");
    let Some(stages) = stages else {
        let gates = gates(netlist, "~", |result, expression| format!("  wire {result} = {expression};\n"));
        let outputs = outputs(netlist, |j, wire| format!("  assign x[{j}] = {wire};\n"));
        return format!(
            "{head}\nmodule {function}(input [{inputs}:0] r, output {signed}[{outs}:0] x);\n{gates}{outputs}endmodule\n"
        );
    };
    // A wire as a stage reads it: where it was computed, or from the bank before that stage.
    let at = |stage: u32, number: u32| match stages.of[number as usize] == stage {
        true => wire(netlist, number),
        false => format!("q{stage}_{number}"),
    };
    let (mut registers, mut clocked) = (String::new(), String::new());
    for (number, (of, until)) in (0..).zip(stages.of.iter().zip(&stages.until)) {
        for stage in *of..*until {
            registers += &format!("  reg q{}_{number};\n", stage + 1);
            clocked += &format!("    q{}_{number} <= {};\n", stage + 1, at(stage, number));
        }
    }
    let gates: String = (netlist.inputs()..)
        .zip(netlist.gates())
        .map(|(result, gate)| {
            let at = |number| at(stages.of[result as usize], number);
            let expression = match *gate {
                Gate::Xor(a, b) => format!("{} ^ {}", at(a), at(b)),
                Gate::And(a, b) => format!("{} & {}", at(a), at(b)),
                Gate::Not(a) => format!("~{}", at(a)),
            };
            format!("  wire w{result} = {expression};\n")
        })
        .collect();
    let wires = (0..).zip(netlist.outputs());
    let outputs: String =
        wires.map(|(j, output)| format!("  assign x[{j}] = {};\n", at(stages.count, *output))).collect();
    format!(
        "{head}\nmodule {function}(input clk, input [{inputs}:0] r, output {signed}[{outs}:0] x);\n{registers}{gates}  always @(posedge clk) begin\n{clocked}  end\n{outputs}endmodule\n"
    )
}

/// Output wires have the last numbers.
fn bristol(netlist: &Netlist) -> String {
    let (inputs, len, outs) = (netlist.inputs(), netlist.gates().len(), netlist.outputs().len());
    let total = inputs as usize + len;
    let mut numbers: Vec<usize> = (0..total).collect();
    let mut next = inputs as usize;
    for wire in inputs..total as u32 {
        numbers[wire as usize] = match netlist.outputs().iter().position(|output| *output == wire) {
            Some(j) => total - outs + j,
            None => {
                next += 1;
                next - 1
            }
        };
    }
    let mut text = format!("{len} {total}\n1 {inputs}\n1 {outs}\n\n");
    for (result, gate) in (inputs..).zip(netlist.gates()) {
        let [a, b] = gate.operands().map(|wire| numbers[wire as usize]);
        let result = numbers[result as usize];
        text += &match gate {
            Gate::Xor(..) => format!("2 1 {a} {b} {result} XOR\n"),
            Gate::And(..) => format!("2 1 {a} {b} {result} AND\n"),
            Gate::Not(_) => format!("1 1 {a} {result} INV\n"),
        };
    }
    text
}

fn c(netlist: &Netlist, facts: &[String], function: &str, name: &str, is_masked: bool) -> String {
    let (inputs, outs) = (netlist.inputs(), netlist.outputs().len());
    let facts = commented(facts, " * ");
    let keep = if is_masked {
        format!(
            "/* A barrier, which hides the value of x from the compiler. */
#ifndef {name}_KEEP
#ifndef __GNUC__
#error \"define {name}_KEEP(x) for this compiler, as a barrier that hides the value of x\"
#endif
#define {name}_KEEP(x) __asm__ volatile(\"\" : \"+r\"(x))
#endif
"
        )
    } else {
        String::new()
    };
    let gates = gates(netlist, "~", |result, expression| {
        let keep = if is_masked { format!(" {name}_KEEP({result});") } else { String::new() };
        format!("    {name}_WORD {result} = {expression};{keep}\n")
    });
    let outputs = outputs(netlist, |j, wire| format!("    x[{j}] = {wire};\n"));
    format!(
        "/*
{facts} */
#include <stdint.h>

#define {name}_INPUTS {inputs}
#define {name}_OUTPUTS {outs}
/* Bit i of every word belongs to sample i. Define another type for more samples in one call. */
#ifndef {name}_WORD
#define {name}_WORD uint64_t
#endif
{keep}
/* r: uniform words. The locals of this function are not erased. */
void {function}(const {name}_WORD r[{name}_INPUTS], {name}_WORD x[{name}_OUTPUTS]);
void {function}(const {name}_WORD r[{name}_INPUTS], {name}_WORD x[{name}_OUTPUTS]) {{
{gates}{outputs}}}
"
    )
}

fn rust(netlist: &Netlist, facts: &[String], function: &str, is_masked: bool) -> String {
    let (inputs, outs) = (netlist.inputs(), netlist.outputs().len());
    let facts = commented(facts, "// ");
    let gates = gates(netlist, "!", |result, expression| {
        let expression = if is_masked { format!("core::hint::black_box({expression})") } else { expression.into() };
        format!("    let {result} = {expression};\n")
    });
    let outputs = outputs(netlist, |j, wire| format!("    x[{j}] = {wire};\n"));
    format!(
        "{facts}
/// Samples 64 times: bit i of every word belongs to sample i. `r` has uniform words. The locals are not erased.
#[rustfmt::skip]
pub fn {function}(r: &[u64; {inputs}], x: &mut [u64; {outs}]) {{
{gates}{outputs}}}
"
    )
}

/// The facts have no character that JSON escapes.
fn json(netlist: &Netlist, facts: &[String], columns: &Columns) -> String {
    let list = |items: Vec<String>, between: &str| items.join(between);
    let facts = list(facts.iter().map(|fact| format!("    \"{fact}\"")).collect(), ",\n");
    let outputs = list(netlist.outputs().iter().map(u32::to_string).collect(), ", ");
    let gate = |gate: &Gate| match gate {
        Gate::Xor(a, b) => format!("    [\"xor\", {a}, {b}]"),
        Gate::And(a, b) => format!("    [\"and\", {a}, {b}]"),
        Gate::Not(a) => format!("    [\"not\", {a}]"),
    };
    let gates = list(netlist.gates().iter().map(gate).collect(), ",\n");
    // The ends are beyond the integers of many readers.
    let column = |column| {
        let rule = columns.rule(column);
        format!("    [{}]", list(rule.iter().map(|(index, end)| format!("[{index}, \"{end}\"]")).collect(), ", "))
    };
    let columns = list((0..1 << columns.choice).map(column).collect(), ",\n");
    let inputs = netlist.inputs();
    format!(
        "{{\n  \"facts\": [\n{facts}\n  ],\n  \"columns\": [\n{columns}\n  ],\n  \"inputs\": {inputs},\n  \"outputs\": [{outputs}],\n  \"gates\": [\n{gates}\n  ]\n}}\n"
    )
}
