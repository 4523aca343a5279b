//! docs/review.md. Its table of promises and fronts is made of `docs/trust/promises.csv`, which names for each pair the test that shows it,
//! or the sentence that denies it, after which may come the test of what the front does instead: a pair without its test is a finding, so
//! that no promise is extended to a front by silence. Its table of dependencies is written by whoever has read why each is needed.

use std::collections::BTreeSet;
use std::path::Path;
use xtask::csv::fields;
use xtask::files::{self, Findings};
use xtask::markers;

const FILE: &str = "docs/review.md";
const PROMISES: &str = "docs/trust/promises.csv";
/// In place of a file, before the sentence of SECURITY.md.
const DENIED: &str = "not promised";

/// Writes the table of promises, or with `--check` compares it; in either case compares the dependencies with cargo's.
pub(crate) fn run(root: &Path, argument: Option<&str>) -> Findings {
    let read = |file: &str| files::read(&root.join(file)).ok();
    let (mut findings, table) =
        promises(&files::read(&root.join(PROMISES))?, &files::read(&root.join("SECURITY.md"))?, read);
    let check = xtask::compares(argument)?;
    findings.extend(markers::fill(root, FILE, "xtask gen-security", &[("promises", table)], check)?);
    // Those of the libraries, whatever the features.
    let tree = [
        "tree",
        "--locked",
        "-e",
        "normal",
        "--target",
        "x86_64-unknown-linux-gnu",
        "--all-features",
        "--prefix",
        "none",
    ];
    let tree = files::cargo(root, &[&tree[..], &["-f", "{p}", "-p", "samplez", "-p", "samplez-schemes"]].concat())?;
    let page = files::read(&root.join(FILE))?;
    findings.extend(dependencies(&page, &tree));
    for path in files::below(root, "rs")? {
        let file = files::shown(root, &path);
        findings.extend(unlisted(&page, &file, &files::read(&path)?));
    }
    Ok(findings)
}

/// A file with unsafe code that lies below no folder of the page's list; tests are not shipped.
fn unlisted(page: &str, file: &str, text: &str) -> Option<String> {
    let is_unsafe = |line: &str| {
        let line = line.split("//").next().unwrap_or_default();
        !line.contains('"') && ["unsafe {", "unsafe impl", "unsafe fn"].iter().any(|code| line.contains(code))
    };
    let rows = page.split("## Dependencies").next().unwrap_or_default().lines();
    let mut folders = rows.filter_map(|row| row.strip_prefix("| [")?.split_once(']')).map(|(folder, _)| folder);
    let is_listed = file.contains("/tests/") || folders.any(|folder| file.starts_with(folder));
    (!is_listed && text.lines().any(is_unsafe)).then(|| format!("{FILE}: {file} has unsafe code and no row"))
}

/// The crates that are in the list of a page and not in the tree, or the other way round.
fn dependencies(page: &str, tree: &str) -> Vec<String> {
    let rows = page.split_once("## Dependencies").map_or("", |(_, rest)| rest).lines();
    let listed: BTreeSet<&str> = rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0)).collect();
    let names = tree.lines().filter_map(|line| line.split(' ').next()).filter(|name| !name.is_empty());
    let used: BTreeSet<&str> = names.filter(|name| !name.starts_with("samplez")).collect();
    let differ = listed.symmetric_difference(&used);
    differ.map(|name| format!("{FILE}: {name}: the list of dependencies has it, or cargo has it, not both")).collect()
}

/// The findings and the table.
fn promises(csv: &str, security: &str, read: impl Fn(&str) -> Option<String>) -> (Vec<String>, String) {
    let rows: Vec<Vec<String>> = csv.lines().skip(1).map(fields).collect();
    let distinct = |column: usize| {
        let mut seen: Vec<&str> = Vec::new();
        for row in &rows {
            seen.extend(row.get(column).map(String::as_str).filter(|name| !seen.contains(name)));
        }
        seen
    };
    let test = |file: &String, test: &String| {
        let name = file.rsplit('/').next().unwrap_or(file);
        let runs = read(file).is_some_and(|text| defines(file, &text, test));
        (format!("[{name}](../{file})"), (!runs).then(|| format!("{file} has no test «{test}» that runs")))
    };
    // The sentences stand on lines that are wrapped.
    let prose = security.split_whitespace().collect::<Vec<_>>().join(" ");
    let denial = |sentence: &String| {
        let is_there = !sentence.is_empty() && prose.contains(sentence.as_str());
        (!is_there).then(|| format!("SECURITY.md does not have the sentence «{sentence}»"))
    };
    let fronts = distinct(1);
    let (mut findings, mut table) =
        (Vec::new(), format!("| | {} |\n|---|{}\n", fronts.join(" | "), "---|".repeat(fronts.len())));
    for promise in distinct(0) {
        table += &format!("| {promise} |");
        for front in &fronts {
            let of: Vec<&[String]> = rows
                .iter()
                .filter_map(|row| row.strip_prefix(&[promise.to_owned(), (*front).to_owned()][..]))
                .collect();
            let (cell, fault) = match of[..] {
                [[denied, sentence]] if denied == DENIED => ("no".to_owned(), denial(sentence)),
                [[denied, sentence, file, name]] if denied == DENIED => {
                    let (cell, fault) = test(file, name);
                    (format!("no: {cell}"), denial(sentence).or(fault))
                }
                [[file, name]] => test(file, name),
                _ => ("?".to_owned(), Some("expected one row: file and test, or a denial".to_owned())),
            };
            findings.extend(fault.map(|fault| format!("{PROMISES}: {promise}, {front}: {fault}")));
            table += &format!(" {cell} |");
        }
        table.push('\n');
    }
    (findings, table)
}

/// Whether a file has a test of this name, which is not left out.
fn defines(file: &str, text: &str, test: &str) -> bool {
    // How the test begins, and the mark above it.
    let (begins, mark) = match file.rsplit('.').next().unwrap_or_default() {
        "rs" => (format!("fn {test}("), "#[test]"),
        "py" => (format!("def {test}("), ""),
        "go" => (format!("func {test}(t *testing.T)"), ""),
        "java" => (format!("void {test}() {{"), "@Test"),
        "mjs" | "R" => (format!("test(\"{test}\","), ""),
        "sh" => (format!("{test})"), ""),
        _ => return false,
    };
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    // In R a condition may stand before a test.
    let unconditional =
        |line: &&str| line.strip_prefix("if (.Platform$OS.type == \"unix\") ").unwrap_or(line).starts_with(&begins);
    let Some(at) = lines.iter().position(unconditional) else { return false };
    let above = lines[..at].iter().rev().take_while(|line| line.starts_with(['#', '@']));
    // A platform without forks has none to test.
    let harmless =
        |line: &&&str| line.contains("skipif(not hasattr(os, \"fork\")") || line.contains(".filterwarnings(");
    let above: Vec<&&str> = above.filter(|line| !harmless(line)).collect();
    let has = |word: &str| above.iter().any(|line| line.contains(word));
    // A program `main` of its own runs without the harness.
    !test.is_empty()
        && (test == "main" || mark.is_empty() || has(mark))
        && !["ignore", "skip", "xfail", "@Disabled"].into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_its_test_or_its_denial() {
        let csv = "promise,front,file,test\na,R,x.rs,c\na,\"Go, cgo\",not promised,Here is no promise.\n\
                   b,R,not promised,Here is no promise.,x.rs,c\nb,\"Go, cgo\",x.rs,c\n";
        let (prose, file) = ("So: Here\nis no promise.", "#[test]\nfn c() {\n");
        let made =
            |csv: &str, prose: &str, file: &str| promises(csv, prose, |name| (name == "x.rs").then(|| file.to_owned()));
        let table = "| | R | Go, cgo |\n|---|---|---|\n| a | [x.rs](../x.rs) | no |\n| b | no: [x.rs](../x.rs) | [x.rs](../x.rs) |\n";
        assert_eq!(made(csv, prose, file), (vec![], table.to_owned()));
        for (from, to, findings) in [
            ("a,R,x.rs,c\n", "", 1),                         // no row
            ("a,R,x.rs,c\n", "a,R,x.rs,c\na,R,x.rs,c\n", 1), // two
            ("b,R,not promised,Here is no promise.,x.rs,c", "b,R,not promised,Here is no promise.,x.rs,d", 1),
            ("b,R,not promised,Here is no promise.,x.rs,c", "b,R,not promised,Here is no promise.,x.rs", 1),
            ("a,R,x.rs,c", "a,R,gone.rs,c", 1),
            ("a,R,x.rs,c", "c,R,x.rs,c", 2), // a further promise, of one front
        ] {
            assert_eq!(made(&csv.replace(from, to), prose, file).0.len(), findings, "{to}");
        }
        assert_eq!((made(csv, "Nothing.", file).0.len(), made(csv, prose, "fn d() {").0.len()), (2, 3));
    }

    #[test]
    fn tests_that_do_not_run_show_nothing() {
        for (file, text, is) in [
            ("a.rs", "#[test]\nfn c() {", true),
            ("a.rs", "fn c() {", false),
            ("a.rs", "#[test]\n#[ignore]\nfn c() {", false),
            ("a.rs", "// #[test] fn c() {", false),
            ("a.py", "def c() -> None:", true),
            ("a.py", "@pytest.mark.skip\ndef c() -> None:", false),
            ("a.py", "@pytest.mark.skipif(not hasattr(os, \"fork\"), reason=\"\")\ndef c() -> None:", true),
            ("a.go", "func c(t *testing.T) {", true),
            ("a.java", "@Test\nvoid c() {", true),
            ("a.java", "@Test\n@Disabled\nvoid c() {", false),
            ("a.mjs", "test.skip(\"c\", async () => {", false),
            ("a.mjs", "test(\"c\", async () => {", true),
            ("a.sh", "    c) run ;;", true),
            ("a.txt", "c", false),
        ] {
            assert_eq!(defines(file, text, "c"), is, "{file}: {text}");
        }
    }

    #[test]
    fn unsafe_code_has_a_row() {
        let (page, code) = ("| where | for |\n|---|---|\n| [a/src](../a/src) | b |\n", "let x = unsafe { y() };");
        assert_eq!(["a/src/c.rs", "d/tests/c.rs"].map(|file| unlisted(page, file, code)), [None, None]);
        assert!(unlisted(page, "d/src/c.rs", code).is_some_and(|found| found.contains("d/src/c.rs")));
        assert_eq!(unlisted(page, "d/src/c.rs", "// unsafe { y() }\n\"unsafe { y() }\""), None);
    }

    #[test]
    fn other_dependencies_are_found() {
        let page = "| `x` | y |\n## Dependencies\n| crate | for |\n|---|---|\n| `a-b` | c |\n| `d` | e |\n";
        assert_eq!(dependencies(page, "samplez v0.1.0 (/x)\na-b v1.0.0\n\nd v2.0.0 (*)\n"), [""; 0]);
        assert_eq!(dependencies(page, "a-b v1.0.0\nf v2.0.0\n").len(), 2);
    }
}
