//! Every method has its files and lines: the sampler, its proof and the proof's line in the index, a test of wrong forms that
//! is built, stream vectors, a benchmark that runs, and a measured speed for each class of machines.

use samplez::{Method, bindings::Row};
use std::io;
use std::path::Path;
use xtask::files::{self, Findings};

pub(crate) fn check(root: &Path) -> Findings {
    let evidence = Evidence {
        streams: files::read(&root.join("kat/streams.csv"))?,
        benchmarks: texts(&root.join("lab/benches/src"))?,
        tests: texts(&root.join("lab/check/tests"))?,
        mutations: texts(&root.join("lab/check/tests/mutations"))?,
        proofs: files::below(&root.join("docs/proofs"), "md")?.iter().map(|path| stem(path)).collect(),
        index: files::read(&root.join("docs/proofs/README.md"))?,
        speeds: files::below(&root.join("crates/samplez/src/speeds"), "csv")?
            .into_iter()
            .map(|path| Ok((stem(&path), files::read(&path)?)))
            .collect::<io::Result<_>>()?,
    };
    let mut findings = Vec::new();
    for row in Method::ALL.map(Method::row) {
        let path = root.join("crates/samplez-core/src/samplers").join(row.file);
        let head = if path.exists() { files::read(&path)? } else { String::new() };
        findings.extend(evidence.lacks(row, &head).into_iter().map(|lack| format!("method {}: {lack}", row.name)));
    }
    Ok(findings)
}

/// The texts of the Rust files below a folder, by their names without the extension.
fn texts(folder: &Path) -> io::Result<Vec<(String, String)>> {
    files::below(folder, "rs")?.into_iter().map(|path| Ok((stem(&path), files::read(&path)?))).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

struct Evidence {
    streams: String,
    /// Names and texts.
    benchmarks: Vec<(String, String)>,
    tests: Vec<(String, String)>,
    mutations: Vec<(String, String)>,
    proofs: Vec<String>,
    index: String,
    /// By class of machines.
    speeds: Vec<(String, String)>,
}

impl Evidence {
    /// What a row lacks, whose sampler's file is this text.
    fn lacks(&self, row: &Row, file: &str) -> Vec<String> {
        if file.is_empty() {
            return vec![format!("its sampler's file, {}, is not there", row.file)];
        }
        let mut lacks = Vec::new();
        match proof(file).filter(|proof| self.proofs.contains(proof)) {
            None => lacks.push("no proof: the head of its sampler's file names none that there is".to_string()),
            Some(proof) => {
                if !self.index.contains(&format!("({proof}.md)")) {
                    lacks.push(format!("docs/proofs/README.md has no line for {proof}.md"));
                }
                // Wrong forms are in a file of their own, or beside the other tests of what the proof is about.
                let name = proof.replace('-', "_");
                let wrong = |line: &str| line.starts_with("fn ") && line.contains("wrong");
                let beside = |text: &str| text.lines().any(wrong);
                let built = format!("mod {name};");
                let is_built = |text: &str| text.lines().any(|line| line == built);
                if self.tests.iter().any(|(file, _)| *file == name)
                    && !self.tests.iter().any(|(_, text)| is_built(text))
                {
                    lacks.push(format!("its tests are not built: lab/check/tests/laws.rs has no line «{built}»"));
                }
                let own = self.mutations.iter().any(|(file, text)| *file == name && text.contains("#[test]"));
                if !own && !self.tests.iter().any(|(file, text)| *file == name && beside(text)) {
                    lacks.push(format!("no test of wrong forms: lab/check/tests has no {name}.rs with one"));
                }
            }
        }
        if !self.streams.lines().any(|line| line.split(',').nth(3) == Some(row.name)) {
            lacks.push(
                "no vector in kat/streams.csv: a line in lab/tools/src/streams.rs, then cargo tools gen-kat".into(),
            );
        }
        let types = types(file);
        let by_name = format!("\"{}\"", row.name);
        let imports = |text: &str| text.contains(&by_name) || words(text).any(|word| types.contains(&word));
        match self.benchmarks.iter().find(|(file, text)| file != "main" && imports(text)) {
            None => lacks.push(format!("no benchmark: no file of lab/benches/src imports {}", types.join(" or "))),
            Some((file, _)) => {
                let built = format!("mod {file};");
                if !self.benchmarks.iter().any(|(name, text)| name == "main" && text.contains(&built)) {
                    lacks.push(format!("its benchmark is not built: lab/benches/src/main.rs has no line «{built}»"));
                }
            }
        }
        for (class, text) in &self.speeds {
            let line = format!("{},", row.name);
            if !text.lines().any(|text| text.starts_with(&line)) {
                lacks.push(format!(
                    "no speed in crates/samplez/src/speeds/{class}.csv: cargo tools measure-speeds {class}, with --release"
                ));
            }
        }
        lacks
    }
}

/// The proof that the head of a sampler's file names.
fn proof(file: &str) -> Option<String> {
    let head: String = file.lines().map_while(|line| line.strip_prefix("///")).collect::<Vec<_>>().join("\n");
    let (_, after) = head.split_once("docs/proofs/")?;
    after.split_once(".md").map(|(name, _)| name.to_string())
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

    const FILE: &str = "/// Karney.\n/// Proof: docs/proofs/karney.md.\npub struct Karney {}\nuse a;\n";

    fn evidence() -> Evidence {
        let named = |name: &str, text: &str| vec![(name.to_string(), text.to_string())];
        Evidence {
            streams: "width\nsigma,3,0,karney,0\n".into(),
            benchmarks: [named("cks", "use samplez::samplers::Karney;"), named("main", "mod cks;")].concat(),
            tests: [named("karney", "#[test]\nfn wrong_laws() {}"), named("laws", "mod karney;")].concat(),
            mutations: Vec::new(),
            proofs: vec!["karney".into()],
            index: "| [Karney](karney.md) |".into(),
            speeds: named("avx2", "karney,sigma,3.2,16.7\n"),
        }
    }

    #[test]
    fn what_is_missing_is_found() {
        let row = Method::Karney.row();
        let empty = || Vec::<(String, String)>::new();
        assert_eq!(evidence().lacks(row, FILE), [""; 0]);
        let lacks = |change: &dyn Fn(&mut Evidence)| {
            let mut evidence = evidence();
            change(&mut evidence);
            evidence.lacks(row, FILE).join("; ")
        };
        assert!(lacks(&|e| e.streams.clear()).starts_with("no vector"));
        assert!(lacks(&|e| e.benchmarks = empty()).starts_with("no benchmark"));
        assert!(lacks(&|e| e.index.clear()).starts_with("docs/proofs/README.md"));
        assert!(lacks(&|e| e.speeds[0].1.clear()).starts_with("no speed in crates/samplez/src/speeds/avx2.csv"));
        assert!(lacks(&|e| e.benchmarks[1].1.clear()).starts_with("its benchmark is not built"));
        assert!(lacks(&|e| e.tests[1].1.clear()).starts_with("its tests are not built"));
        assert!(lacks(&|e| e.tests = empty()).starts_with("no test of wrong forms"));
        assert!(lacks(&|e| e.tests[0].1 = "fn right() {}".into()).starts_with("no test of wrong forms"));
        assert!(lacks(&|e| e.proofs.clear()).starts_with("no proof"));
        assert!(evidence().lacks(row, "/// Karney.\n")[0].starts_with("no proof"));
        assert!(evidence().lacks(row, "")[0].contains("karney.rs"));
        let own = |e: &mut Evidence| e.mutations = vec![("karney".into(), "#[test]\nfn slips() {}".into())];
        assert_eq!(
            lacks(&|e| {
                e.tests = empty();
                own(e)
            }),
            ""
        );
    }
}
