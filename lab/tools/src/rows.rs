//! Every method has its files and lines: the sampler, the row, a place in the planner's order, the proof, a test of wrong forms
//! that is built, stream vectors, a benchmark that runs, and a measured speed for each class of machines.
//!
//! Each finding names the file that lacks a line, or the missing file. The list is that of CONTRIBUTING.md, “Adding a sampler”.

use crate::modules::{RUN, proof};
use samplez::{Method, bindings::Row};
use std::io;
use std::path::Path;
use xtask::files::{self, Findings};

const SAMPLERS: &str = "crates/samplez-core/src/samplers";
const ROWS: &str = "crates/samplez/src/method";
const GEN_DOCS: &str = "cargo tools gen-docs";

pub(crate) fn check(root: &Path) -> Findings {
    let read = |path: &str| files::read(&root.join(path));
    let evidence = Evidence {
        samplers: texts(&root.join(SAMPLERS))?,
        modules: read(&format!("{SAMPLERS}.rs"))?,
        rows: texts(&root.join(ROWS))?,
        methods: read(&format!("{ROWS}.rs"))?,
        order: read("crates/samplez/src/order.rs")?,
        streams: read("kat/streams.csv")?,
        benchmarks: texts(&root.join("lab/benches/src"))?,
        tests: texts(&root.join("lab/check/tests"))?,
        mutations: texts(&root.join("lab/check/tests/mutations"))?,
        proofs: texts_of(&root.join("docs/proofs"), "md")?,
        speeds: texts_of(&root.join("crates/samplez/src/speeds"), "csv")?,
    };
    let mut findings = evidence.unlisted();
    for method in Method::ALL {
        findings.extend(evidence.lacks(method).into_iter().map(|lack| format!("method {method}: {lack}")));
    }
    Ok(findings)
}

/// Names of files without the extension, and their texts.
type Texts = Vec<(String, String)>;

/// The texts of the Rust files below a folder.
fn texts(folder: &Path) -> io::Result<Texts> {
    texts_of(folder, "rs")
}

fn texts_of(folder: &Path, extension: &str) -> io::Result<Texts> {
    let named = |path: &Path| {
        let below = path.strip_prefix(folder).unwrap_or(path).with_extension("");
        Ok((files::shown(folder, &below), files::read(path)?))
    };
    files::below(folder, extension)?.iter().map(|path| named(path)).collect()
}

struct Evidence {
    samplers: Texts,
    /// `samplers.rs`.
    modules: String,
    rows: Texts,
    /// `method.rs`.
    methods: String,
    order: String,
    streams: String,
    benchmarks: Texts,
    tests: Texts,
    mutations: Texts,
    proofs: Texts,
    /// By class of machines.
    speeds: Texts,
}

impl Evidence {
    /// Files that no list names: samplers without a module or a row, and rows without a method.
    fn unlisted(&self) -> Vec<String> {
        let mut findings = Vec::new();
        for (name, text) in &self.samplers {
            let file = name.split('/').next().unwrap_or_default();
            if file == name && !has_line(&self.modules, &format!("mod {name};")) {
                findings.push(format!("{SAMPLERS}/{name}.rs: {SAMPLERS}.rs has no line «mod {name};»"));
            }
            // A row is a method for a Gaussian: samplers of other laws have none.
            let is_sampler = text.lines().any(|line| line.starts_with("impl") && line.contains(" Sampler for "))
                && !text.contains("NoiseLaw::");
            let is_named = |(_, row): &(String, String)| row.contains(&format!("file: \"{file}.rs\""));
            if is_sampler && !self.rows.iter().any(is_named) {
                let row = format!("{ROWS}/{file}.rs, with «file: \"{file}.rs\"»");
                findings.push(format!("{SAMPLERS}/{name}.rs: it has no row; add {row}"));
            }
        }
        for (name, text) in &self.rows {
            let is_listed = |line: &str| line.trim_start().starts_with(&format!("{name} ")) && line.ends_with(',');
            if text.contains("const ROW: Row") && !self.methods.lines().any(is_listed) {
                findings.push(format!("{ROWS}/{name}.rs: the list in {ROWS}.rs has no line «{name} Variant,»"));
            }
        }
        findings
    }

    /// What a method lacks.
    fn lacks(&self, method: Method) -> Vec<String> {
        let row = method.row();
        let module = row.file.trim_end_matches(".rs");
        let Some((_, file)) = self.samplers.iter().find(|(name, _)| name == module) else {
            return vec![format!("there is no {SAMPLERS}/{}, which its row names", row.file)];
        };
        let mut lacks = Vec::new();
        let place = format!("(Method::{method:?}, Always)");
        if !has_line(&self.order, &format!("{place},")) {
            lacks.push(format!("crates/samplez/src/order.rs has no line «{place},»"));
        }
        match proof(file) {
            None => {
                let name = module.replace('_', "-");
                lacks.push(format!("the head of {SAMPLERS}/{module}.rs has no «Proof: docs/proofs/{name}.md.»"));
            }
            Some(proof) => lacks.extend(self.lacks_proved(&proof)),
        }
        if !self.streams.lines().any(|line| line.split(',').nth(3) == Some(row.name)) {
            lacks.push("no vector in kat/streams.csv: cargo tools gen-kat".into());
        }
        lacks.extend(self.lacks_benchmark(row, module, file));
        for (class, text) in &self.speeds {
            if !text.lines().any(|line| line.starts_with(&format!("{},", row.name))) {
                lacks.push(format!(
                    "no speed in crates/samplez/src/speeds/{class}.csv: cargo run --release -p samplez-tools -- measure-speeds {class}"
                ));
            }
        }
        lacks
    }

    /// The proof's page and line, and a test of wrong forms. These are in a file of their own, or in the file of the sampler's other
    /// tests.
    fn lacks_proved(&self, proof: &str) -> Vec<String> {
        let mut lacks = Vec::new();
        if text_of(&self.proofs, proof).is_none() {
            lacks.push(format!("there is no docs/proofs/{proof}.md, which the head of its sampler's file names"));
        } else if !text_of(&self.proofs, "README").is_some_and(|index| index.contains(&format!("({proof}.md)"))) {
            lacks.push(format!("docs/proofs/README.md has no line for {proof}.md: {GEN_DOCS}"));
        }
        let name = proof.replace('-', "_");
        let built = format!("mod {name};");
        let wrong = |text: &str| text.lines().any(|line| line.starts_with("fn ") && line.contains("wrong"));
        let beside = text_of(&self.tests, &name);
        let own = text_of(&self.mutations, &name).filter(|text| text.contains("#[test]"));
        if own.is_none() && !beside.is_some_and(wrong) {
            let file = format!("lab/check/tests/{name}.rs");
            let lack = if beside.is_some() { "has no function «wrong…»" } else { "is not there" };
            lacks.push(format!("no test of wrong forms: {file} {lack}"));
        }
        let lists = [(beside, "laws"), (own, "mutations")];
        for (_, list) in lists.into_iter().filter(|(text, _)| text.is_some()) {
            if !text_of(&self.tests, list).is_some_and(|text| has_line(text, &built)) {
                lacks.push(format!(
                    "its tests are not built: lab/check/tests/{list}.rs has no line «{built}»: {GEN_DOCS}"
                ));
            }
        }
        lacks
    }

    fn lacks_benchmark(&self, row: &Row, module: &str, file: &str) -> Option<String> {
        let (types, by_name) = (types(file), format!("\"{}\"", row.name));
        let uses = |text: &str| text.contains(&by_name) || words(text).any(|word| types.contains(&word));
        let is_its = |text: &str| text.contains(RUN) && uses(text);
        let Some((file, _)) = self.benchmarks.iter().find(|(file, text)| file != "main" && is_its(text)) else {
            return Some(format!(
                "no benchmark: no file of lab/benches/src has «pub(crate) fn run()» and uses {}; add {module}.rs",
                types.join(" or ")
            ));
        };
        let built = format!("mod {file};");
        let is_built = text_of(&self.benchmarks, "main").is_some_and(|text| has_line(text, &built));
        (!is_built)
            .then(|| format!("its benchmark is not built: lab/benches/src/main.rs has no line «{built}»: {GEN_DOCS}"))
    }
}

fn text_of<'a>(texts: &'a Texts, name: &str) -> Option<&'a str> {
    texts.iter().find(|(of, _)| of == name).map(|(_, text)| text.as_str())
}

fn has_line(text: &str, wanted: &str) -> bool {
    text.lines().any(|line| line.trim_start() == wanted)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The public types of a sampler's file.
fn types(file: &str) -> Vec<&str> {
    let public = file.lines().filter(|line| line.starts_with("pub struct ") || line.starts_with("pub use "));
    public.filter_map(|line| words(line).find(|word| word.starts_with(char::is_uppercase))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "/// Karney.\n/// Proof: docs/proofs/karney.md.\npub struct Karney {}\nimpl Sampler for Karney {\n";
    const BENCHMARK: &str = "use samplez_core::samplers::Karney;\n\npub(crate) fn run() -> Result";

    fn evidence() -> Evidence {
        let named = |texts: &[(&str, &str)]| -> Texts {
            texts.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
        };
        Evidence {
            samplers: named(&[("karney", FILE), ("karney/tests", "")]),
            modules: "mod karney;\n".into(),
            rows: named(&[("karney", "const ROW: Row = Row {\n    file: \"karney.rs\",\n")]),
            methods: "    karney Karney,\n".into(),
            order: "    (Method::Karney, Always),\n".into(),
            streams: "width\nsigma,3,0,karney,0\n".into(),
            benchmarks: named(&[("cks", BENCHMARK), ("main", "mod cks;")]),
            tests: named(&[
                ("karney", "#[test]\nfn wrong_laws() {}"),
                ("laws", "mod karney;"),
                ("mutations", "mod karney;"),
            ]),
            mutations: Vec::new(),
            proofs: named(&[("karney", ""), ("README", "| [Karney](karney.md) |")]),
            speeds: named(&[("avx2", "karney,sigma,3.2,16.7\n")]),
        }
    }

    fn lacks(change: impl Fn(&mut Evidence)) -> String {
        let mut evidence = evidence();
        change(&mut evidence);
        [evidence.unlisted(), evidence.lacks(Method::Karney)].concat().join("\n")
    }

    /// What is missing is named alone, with its file.
    #[test]
    fn what_is_missing_is_found() {
        type Change = fn(&mut Evidence);
        let changes: [(Change, &str); 15] = [
            (|e| e.modules.clear(), "karney.rs: crates/samplez-core/src/samplers.rs has no line «mod karney;»"),
            (|e| e.rows.clear(), "samplers/karney.rs: it has no row; add crates/samplez/src/method/karney.rs"),
            (|e| e.methods.clear(), "method/karney.rs: the list in crates/samplez/src/method.rs has no line «karney "),
            (|e| e.order.clear(), "crates/samplez/src/order.rs has no line «(Method::Karney, Always),»"),
            (|e| e.samplers[0].1 = "pub struct Karney {}".into(), "has no «Proof: docs/proofs/karney.md.»"),
            (|e| drop(e.proofs.remove(0)), "there is no docs/proofs/karney.md"),
            (|e| e.proofs[1].1.clear(), "docs/proofs/README.md has no line for karney.md: cargo tools gen-docs"),
            (|e| e.streams.clear(), "no vector in kat/streams.csv: cargo tools gen-kat"),
            (|e| drop(e.benchmarks.remove(0)), "no benchmark: no file of lab/benches/src has "),
            (|e| e.benchmarks[0].1 = "Karney".into(), "no benchmark: no file of lab/benches/src has "),
            (|e| e.benchmarks[1].1.clear(), "lab/benches/src/main.rs has no line «mod cks;»: cargo tools gen-docs"),
            (|e| drop(e.tests.remove(0)), "no test of wrong forms: lab/check/tests/karney.rs is not there"),
            (|e| e.tests[0].1 = "fn right() {}".into(), "lab/check/tests/karney.rs has no function «wrong…»"),
            (|e| e.tests[1].1.clear(), "lab/check/tests/laws.rs has no line «mod karney;»: cargo tools gen-docs"),
            (|e| e.speeds[0].1.clear(), "no speed in crates/samplez/src/speeds/avx2.csv: cargo run --release"),
        ];
        assert_eq!(lacks(|_| ()), "");
        for (change, part) in changes {
            let found = lacks(change);
            assert!(found.contains(part) && !found.contains("\n"), "{part}: {found}");
        }
        assert!(lacks(|e| e.samplers.clear()).contains("there is no crates/samplez-core/src/samplers/karney.rs"));
    }

    /// Tests of wrong forms may be in a file of their own, if that is built.
    #[test]
    fn wrong_forms_may_stand_apart() {
        let apart = |e: &mut Evidence| {
            e.tests[0].1.clear();
            e.mutations = vec![("karney".into(), "#[test]\nfn slips() {}".into())];
        };
        assert_eq!(lacks(apart), "");
        let found = lacks(|e| {
            apart(e);
            e.tests[2].1.clear();
        });
        assert!(found.contains("lab/check/tests/mutations.rs has no line «mod karney;»"), "{found}");
    }
}
