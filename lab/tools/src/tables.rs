//! The documents' tables of methods and options, from the rows: what stands between the markers `<!-- NAME: cargo tools
//! gen-docs -->` and `<!-- /NAME -->`. And a file for TypeScript, whose types cannot be asked for at run time.

use crate::coverage::coverage;
use crate::modules;
use crate::r;
use samplez::{
    Method, Options, Recipe, RoundMethod, Source, Timing,
    bindings::{self, Kind, LawInfo, OptionInfo, WORDS},
};
use std::path::Path;
use xtask::csv::Table;
use xtask::files::{self, Findings};
use xtask::markers;

/// What the markers say after `cargo`.
const COMMAND: &str = "tools gen-docs";

/// A document, the markers in it, and what makes the text between them.
type Place = (&'static str, &'static str, fn() -> String);

const PLACES: [Place; 4] = [
    ("docs/methods.md", "methods", methods),
    ("docs/methods.md", "options", options),
    ("docs/methods.md", "order", order),
    ("docs/methods.md", "coverage", coverage),
];

/// A whole file, and what makes its text.
type Made = (&'static str, fn() -> String);

/// The types of names in JavaScript, and its words; R's functions of each distribution.
const FILES: [Made; 5] = [
    ("web/src/name-types.ts", name_types),
    ("web/src/words.ts", words),
    ("r/R/families.R", r::functions),
    ("r/NAMESPACE", r::namespace),
    ("r/man/families.Rd", r::page),
];

/// Writes the tables, or compares them with what the rows make.
pub(crate) fn run(root: &Path, argument: Option<&str>) -> Findings {
    let (check, mut findings) = (xtask::compares(argument)?, Vec::new());
    for (file, name, make) in PLACES {
        findings.extend(markers::fill(root, file, COMMAND, &[(name, make())], check)?);
    }
    let planted = planted(root)?;
    findings.extend(markers::fill(root, "docs/verify-tests.md", COMMAND, &[("planted", planted)], check)?);
    let proofs = modules::proofs(root)?;
    findings.extend(markers::fill(root, "docs/proofs/README.md", COMMAND, &[("proofs", proofs)], check)?);
    for (name, make) in FILES {
        findings.extend(files::made(root, name, &make(), COMMAND, check)?);
    }
    Ok(findings)
}

/// The faults that `verify` was tried with, from docs/trust/planted.csv.
fn planted(root: &Path) -> std::io::Result<String> {
    let mut table = String::from("| fault | values | seen by |\n|---|---|---|\n");
    for row in Table::open(root, "docs/trust/planted.csv")?.rows {
        let values = row[1]
            .parse::<f64>()
            .map_or_else(|_| "more than 10^7".to_string(), |n| format!("10^{}", (2.0 * n.log10()).round() / 2.0));
        let [fault, families] = [0, 2].map(|at| row[at].replace('|', "\\|"));
        table += &format!("| {fault} | {values} | {families} |\n");
    }
    Ok(table)
}

/// Names as types. Of the sources those that a module of WebAssembly has: generators, and the machine's own by JavaScript.
fn name_types() -> String {
    let sources = Source::ALL.into_iter().filter(|source| source.is_seeded() || *source == Source::Os);
    let methods = union("MethodName", "The name of a method.", Method::ALL.into_iter().map(Method::name));
    let round = RoundMethod::ALL.into_iter().map(RoundMethod::name);
    let round = union("RoundMethodName", "The name of a method that takes a centre with each sample.", round);
    let sources = union("SourceName", "The name of a source.", sources.map(Source::name));
    format!("// Written by `cargo tools gen-docs`.\n\n{methods}\n{round}\n{sources}")
}

/// A name in JavaScript.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

/// The words that people bring, as lines of words, options, advice, and the option beside which they have this meaning. The page loads them, so that lines without either are left out.
fn words() -> String {
    let others =
        "source seed recipe threads workers simd count type out modulus centered_binomial skellam discrete_laplace"
            .split(' ');
    let of_gaussians = Recipe::names().filter(|name| LawInfo::named(name).is_none());
    let here: Vec<&str> = of_gaussians.chain(others).collect();
    let is_word = |name: &str| WORDS.iter().any(|word| word.words.contains(&name.replace('_', "").as_str()));
    let lines = WORDS.iter().filter_map(|word| {
        let (same, foreign): (Vec<&str>, Vec<&str>) = word.names().partition(|name| here.contains(name));
        // An argument of other languages is a word in JavaScript.
        let foreign = foreign.into_iter().filter(|name| !is_word(name));
        let words = word.words.iter().copied().chain(foreign).collect::<Vec<_>>();
        let helps = !same.is_empty() || !word.otherwise.is_empty() || words.iter().any(|name| here.contains(name));
        let same = same.into_iter().map(camel).collect::<Vec<_>>().join(" ");
        let beside = word.beside.map_or(String::new(), camel);
        let line = format!("{}|{same}|{}|{beside}", words.join(" "), word.otherwise);
        helps.then(|| line.trim_end_matches('|').to_string())
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    format!(
        "// Written by `cargo tools gen-docs`.\n\n/** Lines of words of other libraries, the options that state the same, the advice where there are none, and an option beside which alone
 * the words mean these options. */\n\
         export const WORDS = `{lines}`;\n"
    )
}

fn union(name: &str, summary: &str, members: impl Iterator<Item = &'static str>) -> String {
    let members: String = members.map(|member| format!("\n  | \"{member}\"")).collect();
    format!("/** {summary} */\nexport type {name} ={members};\n")
}

fn order() -> String {
    let mut table = String::from("| method | condition |\n|---|---|\n");
    table.extend(bindings::order().map(|(method, when)| format!("| `{method}` | {when} |\n")));
    table
}

fn methods() -> String {
    let mut table = String::from("| method | law | σ and centre | table | timing |\n|---|---|---|---|---|\n");
    for row in Method::ALL.map(Method::row) {
        let timing = match row.timing {
            Timing::Constant => "**constant**".to_string(),
            other => other.to_string(),
        };
        let (name, paper) = (row.name, if row.paper.is_empty() { "" } else { " " });
        table +=
            &format!("| `{name}`{paper}{} | {} | {} | {} | {timing} |\n", row.paper, row.law, row.takes, row.memory);
    }
    table
}

fn options() -> String {
    let mut table = String::from("| option | meaning | value | default | used by |\n|---|---|---|---|---|\n");
    for info in Options::INFO {
        let OptionInfo { name, summary, allowed, .. } = info;
        table += &format!("| `{name}` | {summary} | {allowed} | {} | {} |\n", default(&info), heeding(&info));
    }
    table
}

fn default(info: &OptionInfo) -> String {
    match info.kind {
        Kind::Flag { default } => default.to_string(),
        Kind::Whole { default: Some(n), .. } => n.to_string(),
        Kind::Rational { default } => default.to_string(),
        _ => "open".into(),
    }
}

fn heeding(info: &OptionInfo) -> String {
    if info.demand {
        return "every method, as a requirement".into();
    }
    let heeding = Method::ALL.into_iter().filter(|method| method.row().heeds.contains(&info.name));
    heeding.map(|method| format!("`{method}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez::bindings::LawRange;

    /// The ranges of laws in each language's documents are those of the table.
    #[test]
    fn documents_state_the_ranges_of_laws() {
        type Spelling = fn(&LawInfo) -> String;
        let files: [(&str, &str, Spelling); 4] = [
            ("capi/src/sampler.rs", "- \"", |info| info.name.into()),
            ("go/samplez.go", "- \"", |info| info.name.into()),
            ("python/samplez/_finite.py", "- `", |info| info.full_name.into()),
            ("web/src/options.ts", "- `", |info| camel(info.full_name)),
        ];
        for (path, mark, spelling) in files {
            let text = files::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap();
            let lines = text.lines().map(|line| line.trim_start_matches(['/', '*', ' ', '\t']));
            let text = lines.collect::<Vec<_>>().join(" ");
            for info in LawInfo::ALL.iter().filter(|info| info.range != LawRange::Nothing) {
                let name = spelling(info);
                let (_, rest) = text.split_once(&format!("{mark}{name}")).unwrap_or_else(|| panic!("{path}: {name}"));
                let entry = rest.split(mark).next().unwrap_or_default();
                let range = info.values(false);
                let range = &range[range.find("from").unwrap()..];
                assert!(entry.get(..400).unwrap_or(entry).contains(range), "{path}: {name}: no \"{range}\"");
            }
        }
    }
}
