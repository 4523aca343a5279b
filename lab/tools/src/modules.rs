//! The list of proofs, by the files in their folder; in the tests, that each method has its evidence, and each file of tests its line.

use samplez::Method;
use std::io;
use std::path::Path;
use xtask::files;

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

    /// A file without a line `mod …;` would not run.
    #[test]
    fn every_file_of_tests_is_a_module() {
        for (list, folder) in [
            ("lab/check/tests/laws.rs", "lab/check/tests"),
            ("lab/check/tests/mutations.rs", "lab/check/tests/mutations"),
            ("lab/benches/src/main.rs", "lab/benches/src"),
        ] {
            let text = files::read(&root().join(list)).unwrap();
            for path in files::below(&root().join(folder), "rs").unwrap() {
                let is_beside = path.parent() == Some(&root().join(folder)) && path != root().join(list);
                let name = path.file_stem().unwrap().to_string_lossy();
                assert!(!is_beside || text.contains(&format!("\nmod {name};\n")), "{list}: no line mod {name};");
            }
        }
    }

    /// Each method has a proof, a test of wrong forms and a vector.
    #[test]
    fn every_method_has_its_evidence() {
        let read = |path: &str| files::read(&root().join(path)).unwrap_or_default();
        let (table, vectors) = (proofs(root()).unwrap(), read("kat/streams.csv"));
        for row in Method::ALL.map(Method::row) {
            let name = row.name;
            assert!(table.contains(&format!("`{name}`")), "{name}: {} names no page of docs/proofs", row.file);
            let tests =
                proof(&read(&format!("crates/samplez-core/src/samplers/{}", row.file))).unwrap().replace('-', "_")
                    + ".rs";
            let wrong = |line: &str| line.starts_with("fn ") && line.contains("wrong");
            assert!(
                read(&format!("lab/check/tests/{tests}")).lines().any(wrong)
                    || read(&format!("lab/check/tests/mutations/{tests}")).contains("#[test]"),
                "{name}: lab/check/tests/{tests} has no function «wrong…»"
            );
            let has_vector = vectors.lines().any(|line| line.split(',').nth(3) == Some(name));
            assert!(has_vector, "{name}: write its inputs into kat/streams.csv, and run cargo tools gen-kat");
        }
    }
}
