//! The lists of the laboratory's tests and benchmarks, and of proofs, by the files in their folders. `cargo tools gen-docs` writes
//! them, so a new file needs no line by hand.

use samplez::Method;
use std::io;
use std::path::Path;
use xtask::files;

/// A file with a list of modules, the name of its markers, and the folder of the modules.
pub(crate) const LISTS: [(&str, &str, &str); 3] = [
    ("lab/check/tests/laws.rs", "modules", "lab/check/tests"),
    ("lab/check/tests/mutations.rs", "modules", "lab/check/tests/mutations"),
    (BENCHES, "benchmarks", "lab/benches/src"),
];

/// The program that has a list of benchmarks besides.
const BENCHES: &str = "lab/benches/src/main.rs";

/// How a benchmark begins.
const RUN: &str = "\npub(crate) fn run() -> ";

/// The text between the markers of a list.
pub(crate) fn list(root: &Path, (file, _, folder): (&str, &str, &str)) -> io::Result<String> {
    let texts = texts(root, file, folder)?;
    let mut text: String = texts.iter().map(|(name, _)| format!("mod {name};\n")).collect();
    if file == BENCHES {
        text += "\n/// Benchmarks by name.\nconst BENCHMARKS: &[(&str, Run)] = &[\n";
        let runs = texts.iter().filter(|(_, text)| text.contains(RUN));
        text.extend(runs.map(|(name, _)| format!("    (\"{}\", {name}::run),\n", name.replace('_', "-"))));
        text += "];\n";
    }
    Ok(text)
}

/// The modules in a folder, with their texts, sorted: Rust files but the one with the list, and folders with a `mod.rs`.
fn texts(root: &Path, list: &str, folder: &str) -> io::Result<Vec<(String, String)>> {
    let (list, folder) = (root.join(list), root.join(folder));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(|error| files::named(&folder, &error))? {
        let path = entry?.path();
        let file = if path.is_dir() { path.join("mod.rs") } else { path.clone() };
        if file.extension().is_some_and(|it| it == "rs") && file.exists() && file != list {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, files::read(&file)?));
        }
    }
    found.sort();
    Ok(found)
}

/// The table of proofs: their titles, and the methods whose samplers' files name them.
pub(crate) fn proofs(root: &Path) -> io::Result<String> {
    let mut table = String::from("| page | title | methods |\n|---|---|---|\n");
    let mut methods = Vec::new();
    for row in Method::ALL.map(Method::row) {
        let head = files::read(&root.join("crates/samplez-core/src/samplers").join(row.file))?;
        methods.push((row.name, proof(&head)));
    }
    for path in files::below(&root.join("docs/proofs"), "md")? {
        let page = path.file_name().unwrap_or_default().to_string_lossy();
        let text = files::read(&path)?;
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        let of = methods.iter().filter(|(_, proof)| proof.as_ref().is_some_and(|name| format!("{name}.md") == page));
        let of: Vec<String> = of.map(|(name, _)| format!("`{name}`")).collect();
        if page != "README.md" {
            table += &format!("| [{page}]({page}) | {title} | {} |\n", of.join(", "));
        }
    }
    Ok(table)
}

/// The proof that the head of a sampler's file names.
fn proof(file: &str) -> Option<String> {
    let head: String = file
        .lines()
        .skip_while(|line| !line.starts_with("///"))
        .map_while(|line| line.strip_prefix("///"))
        .collect::<Vec<_>>()
        .join("\n");
    let (_, after) = head.split_once("docs/proofs/")?;
    after.split_once(".md").map(|(name, _)| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
    }

    /// Every file beside the list has a line, the list itself has none, and what runs is a benchmark.
    #[test]
    fn a_file_is_a_module() {
        let [laws, mutations, benches] = LISTS.map(|it| list(root(), it).unwrap());
        for name in ["common", "karney", "mutations", "openssl", "ziggurat"] {
            assert!(laws.contains(&format!("mod {name};\n")), "{name}: {laws}");
        }
        assert!(!laws.contains("mod laws;") && !mutations.contains("mod mutations;") && !benches.contains("mod main;"));
        assert!(benches.contains("mod naive;\n") && !benches.contains("naive::run"), "{benches}");
        assert!(benches.contains("    (\"cdt-ct\", cdt_ct::run),\n"), "{benches}");
    }

    /// Each method has a proof, a test of wrong forms, a vector and a benchmark; each sampler of a Gaussian is a method's.
    #[test]
    fn every_method_has_its_evidence() {
        let read = |path: &str| files::read(&root().join(path)).unwrap_or_default();
        let (table, vectors) = (proofs(root()).unwrap(), read("kat/streams.csv"));
        let benchmarks = texts(root(), BENCHES, "lab/benches/src").unwrap();
        for row in Method::ALL.map(Method::row) {
            let name = row.name;
            assert!(table.contains(&format!("`{name}`")), "{name}: {} names no page of docs/proofs", row.file);
            let file = read(&format!("crates/samplez-core/src/samplers/{}", row.file));
            let tests = proof(&file).unwrap().replace('-', "_") + ".rs";
            let wrong = |line: &str| line.starts_with("fn ") && line.contains("wrong");
            assert!(
                read(&format!("lab/check/tests/{tests}")).lines().any(wrong)
                    || read(&format!("lab/check/tests/mutations/{tests}")).contains("#[test]"),
                "{name}: lab/check/tests/{tests} has no function «wrong…»"
            );
            let has_vector = vectors.lines().any(|line| line.split(',').nth(3) == Some(name));
            assert!(has_vector, "{name}: no vector in lab/tools/src/streams.rs");
            let public = file.lines().filter(|line| line.starts_with("pub struct ") || line.starts_with("pub use "));
            let types: Vec<&str> = public.filter_map(|line| line.split(no_word).find(is_type)).collect();
            let uses = |text: &str| {
                text.contains(&format!("\"{name}\"")) || types.iter().any(|it| text.split(no_word).any(|w| w == *it))
            };
            let is_measured = benchmarks.iter().any(|(_, text)| text.contains(RUN) && uses(text));
            assert!(is_measured, "{name}: no file of lab/benches/src has a `run` and uses {types:?}");
        }
        for path in files::below(&root().join("crates/samplez-core/src/samplers"), "rs").unwrap() {
            let (text, name) = (files::read(&path).unwrap(), path.file_name().unwrap().to_string_lossy().into_owned());
            let is_sampler = text.lines().any(|line| line.starts_with("impl") && line.contains(" Sampler for "));
            // Samplers of other laws have no row; a folder's are in the row of the file beside it.
            let beside = path.parent().unwrap().with_extension("rs");
            let beside = beside.file_name().unwrap().to_string_lossy().into_owned();
            let has_row = Method::ALL.iter().any(|it| [&name, &beside].contains(&&it.row().file.to_owned()));
            assert!(
                !is_sampler || text.contains("NoiseLaw::") || has_row,
                "{name}: no row in crates/samplez/src/method"
            );
        }
    }

    fn no_word(c: char) -> bool {
        !c.is_alphanumeric() && c != '_'
    }

    fn is_type(word: &&str) -> bool {
        word.starts_with(char::is_uppercase)
    }
}
