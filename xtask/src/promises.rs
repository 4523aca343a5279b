//! docs/review.md's table of promises and fronts: `docs/trust/promises.csv` names for each pair the test that shows it, or the sentence
//! that denies it, after which may come the test of what the front does instead.
//!
//! A row without its test is a finding, so that no promise is extended to a front by silence.

use std::path::Path;
use xtask::csv::fields;
use xtask::files;

const FILE: &str = "docs/trust/promises.csv";
const HEADER: &str = "promise,front,file,test";
/// In place of a file, before the sentence of SECURITY.md.
const DENIED: &str = "not promised";

const PROMISES: [&str; 9] = [
    "distribution",
    "time",
    "failing sources",
    "erasure",
    "foreign input",
    "same integers",
    "errors",
    "dead seeds",
    "forks",
];
const FRONTS: [&str; 9] = ["Rust", "command", "Python", "JavaScript", "C", "Go, cgo", "Go, WebAssembly", "Java", "R"];

/// The findings and the table. `security` is the text of SECURITY.md.
pub(crate) fn table(root: &Path, security: &str) -> std::io::Result<(Vec<String>, String)> {
    let text = files::read(&root.join(FILE))?;
    let read = |file: &str| files::read(&root.join(file)).ok();
    Ok(made(&text, security, read))
}

fn made(csv: &str, security: &str, read: impl Fn(&str) -> Option<String>) -> (Vec<String>, String) {
    let mut findings = Vec::new();
    let mut cells = Vec::new();
    for (number, line) in csv.lines().enumerate() {
        match fields(line)[..] {
            _ if number == 0 && line == HEADER => {}
            [promise, front, file, test] if PROMISES.contains(&promise) && FRONTS.contains(&front) => {
                cells.push([promise, front, file, test, "", ""]);
            }
            [promise, front, DENIED, test, instead, other]
                if PROMISES.contains(&promise) && FRONTS.contains(&front) =>
            {
                cells.push([promise, front, DENIED, test, instead, other]);
            }
            _ => findings.push(format!(
                "{FILE}:{}: expected {HEADER}, with a promise and a front of xtask/src/promises.rs",
                number + 1
            )),
        }
    }
    // The sentences stand outside of generated tables, on lines that are wrapped.
    let prose = security.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut table = format!("| | {} |\n|---|{}\n", FRONTS.join(" | "), "---|".repeat(FRONTS.len()));
    for promise in PROMISES {
        table += &format!("| {promise} |");
        for front in FRONTS {
            let shown = |file: &str, test: &str| {
                let fault = match read(file) {
                    None => Some(format!("there is no {file}")),
                    Some(text) => {
                        (!defines(file, &text, test)).then(|| format!("{file} has no test «{test}» that runs"))
                    }
                };
                (fault, format!("[{}](../{file})", file.rsplit('/').next().unwrap_or(file)))
            };
            let mut of = cells.iter().filter(|[p, f, ..]| *p == promise && *f == front);
            let (fault, cell) = match (of.next(), of.next()) {
                (Some([_, _, DENIED, test, instead, other]), None) => {
                    let fault = (test.is_empty() || !prose.contains(test))
                        .then(|| format!("SECURITY.md does not have the sentence «{test}»"));
                    match *instead {
                        "" => (fault, "no".to_owned()),
                        file => {
                            let (missing, cell) = shown(file, other);
                            (fault.or(missing), format!("no: {cell}"))
                        }
                    }
                }
                (Some([_, _, file, test, ..]), None) => shown(file, test),
                (None, _) => (Some("there is no row".to_owned()), "?".to_owned()),
                (Some(_), Some(_)) => (Some("there are two rows".to_owned()), "?".to_owned()),
            };
            findings.extend(fault.map(|fault| format!("{FILE}: {promise}, {front}: {fault}")));
            table += &format!(" {cell} |");
        }
        table.push('\n');
    }
    (findings, table)
}

/// Whether a file has a test of this name, which is not left out.
fn defines(file: &str, text: &str, test: &str) -> bool {
    let extension = file.rsplit('.').next().unwrap_or_default();
    // How the test begins, and the mark above it.
    let (begins, mark) = match extension {
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
    let above = lines[..at].iter().rev().take_while(|line| line.starts_with(['#', '@'])).copied();
    // A platform without forks has none to test.
    let harmless = |line: &&str| line.contains("skipif(not hasattr(os, \"fork\")") || line.contains(".filterwarnings(");
    let above: Vec<&str> = above.filter(|line| !harmless(line)).collect();
    let has = |word: &str| above.iter().any(|line| line.contains(word));
    // A program `main` of its own runs without the harness.
    let marked = mark.is_empty() || test == "main" || has(mark);
    !test.is_empty() && marked && !["ignore", "skip", "xfail", "@Disabled"].into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENIAL: &str = "Here is no promise.";

    fn csv() -> String {
        let mut csv = format!("{HEADER}\n");
        for promise in PROMISES {
            for front in FRONTS {
                let denied = front == "command";
                let (file, test) = if denied { (DENIED, DENIAL) } else { ("a/b.rs", "c") };
                csv += &format!("{promise},\"{front}\",{file},{test}\n");
            }
        }
        csv
    }

    fn found(csv: &str, security: &str, file: &str) -> Vec<String> {
        made(csv, security, |name| (name == "a/b.rs").then(|| file.to_owned())).0
    }

    #[test]
    fn every_pair_has_its_test_or_its_denial() {
        let (prose, file) = ("So: Here\nis no promise.", "#[test]\nfn c() {\n");
        assert_eq!(found(&csv(), prose, file), [""; 0]);
        let (_, table) = made(&csv(), prose, |_| Some(file.into()));
        assert!(table.contains("| time | [b.rs](../a/b.rs) | no | [b.rs](../a/b.rs) |"), "{table}");
        let first = "distribution,\"Rust\",a/b.rs,c\n";
        assert!(found(&csv().replace(first, ""), prose, file)[0].ends_with("distribution, Rust: there is no row"));
        assert!(found(&(csv() + first), prose, file)[0].ends_with("there are two rows"));
        assert!(found(&(csv() + "speed,Rust,a/b.rs,c\n"), prose, file)[0].contains(":83: expected"));
        // What a front does instead is tested.
        let denied = format!("time,\"command\",{DENIED},{DENIAL}");
        let with = |instead: &str| csv().replace(&denied, &format!("{denied},{instead}"));
        assert_eq!(found(&with("a/b.rs,c"), prose, file), [""; 0]);
        let (_, table) = made(&with("a/b.rs,c"), prose, |_| Some(file.into()));
        assert!(table.contains("| time | [b.rs](../a/b.rs) | no: [b.rs](../a/b.rs) | [b.rs](../a/b.rs) |"), "{table}");
        assert!(found(&with("a/b.rs,d"), prose, file)[0].ends_with("has no test «d» that runs"));
        assert!(found(&with("a/b.rs"), prose, file)[0].contains("expected promise,front,file,test"));
        assert!(
            found(&csv().replace(first, "distribution,Rust,gone.rs,c\n"), prose, file)[0]
                .ends_with("there is no gone.rs")
        );
        assert_eq!(found(&csv(), "Nothing.", file).len(), PROMISES.len());
        assert_eq!(found(&csv(), prose, "fn d() {").len(), PROMISES.len() * (FRONTS.len() - 1));
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
            ("a.java", "void c() {", false),
            ("a.java", "@Test\n@Disabled\nvoid c() {", false),
            ("a.mjs", "test(\"c\", async () => {", true),
            ("a.mjs", "test.skip(\"c\", async () => {", false),
            ("a.sh", "    c) run ;;", true),
            ("a.txt", "c", false),
        ] {
            assert_eq!(defines(file, text, "c"), is, "{file}: {text}");
        }
    }
}
