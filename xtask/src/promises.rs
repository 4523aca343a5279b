//! SECURITY.md's table of promises and fronts: `docs/trust/promises.csv` names for each pair the test that shows it, or the sentence
//! that denies it.
//!
//! A row without its test is a finding, so that no promise is extended to a front by silence.

use std::path::Path;
use xtask::files;

const FILE: &str = "docs/trust/promises.csv";
const HEADER: &str = "promise,front,file,test";
/// In place of a file, before the sentence of SECURITY.md.
const DENIED: &str = "not promised";

const PROMISES: [&str; 7] =
    ["distribution", "time", "failing sources", "erasure", "foreign input", "same integers", "errors"];
const FRONTS: [&str; 8] = ["Rust", "command", "Python", "JavaScript", "C", "Go, cgo", "Go, WebAssembly", "Java"];

/// The findings and the table. `security` is the text of SECURITY.md.
pub(crate) fn table(root: &Path, security: &str) -> std::io::Result<(Vec<String>, String)> {
    let text = files::read(&root.join(FILE))?;
    let read = |file: &str| files::read(&root.join(file)).ok();
    Ok(made(&text, security, read))
}

/// The fields of a line; some are in quotes, and no quote is inside.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for sign in line.chars() {
        match sign {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().into_iter().for_each(|field| field.push(sign)),
        }
    }
    fields
}

fn made(csv: &str, security: &str, read: impl Fn(&str) -> Option<String>) -> (Vec<String>, String) {
    let mut findings = Vec::new();
    let mut cells = Vec::new();
    for (number, line) in csv.lines().enumerate() {
        match &fields(line)[..] {
            _ if number == 0 && line == HEADER => {}
            [promise, front, file, test]
                if PROMISES.contains(&promise.as_str()) && FRONTS.contains(&front.as_str()) =>
            {
                cells.push([promise, front, file, test].map(Clone::clone));
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
            let mut of = cells.iter().filter(|[p, f, ..]| p == promise && f == front);
            let cell = match (of.next(), of.next()) {
                (Some([_, _, file, test]), None) if file == DENIED => {
                    if test.is_empty() || !prose.contains(test.as_str()) {
                        findings.push(format!(
                            "{FILE}: {promise}, {front}: SECURITY.md does not have the sentence «{test}»"
                        ));
                    }
                    "no".to_owned()
                }
                (Some([_, _, file, test]), None) => {
                    match read(file) {
                        None => findings.push(format!("{FILE}: {promise}, {front}: there is no {file}")),
                        Some(text) if !defines(file, &text, test) => {
                            findings.push(format!("{FILE}: {promise}, {front}: {file} has no test «{test}» that runs"));
                        }
                        Some(_) => {}
                    }
                    let name = file.rsplit('/').next().unwrap_or(file);
                    format!("[{name}]({file})")
                }
                (None, _) => {
                    findings.push(format!("{FILE}: {promise}, {front}: there is no row"));
                    "?".to_owned()
                }
                (Some(_), Some(_)) => {
                    findings.push(format!("{FILE}: {promise}, {front}: there are two rows"));
                    "?".to_owned()
                }
            };
            table += &format!(" {cell} |");
        }
        table.push('\n');
    }
    (findings, table)
}

/// Whether a file has a test of this name, which is not left out.
fn defines(file: &str, text: &str, test: &str) -> bool {
    let begins = match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rs") => format!("fn {test}("),
        Some("py") => format!("def {test}("),
        Some("go") => format!("func {test}(t *testing.T)"),
        Some("java") => format!("void {test}() {{"),
        Some("mjs") => format!("test(\"{test}\","),
        Some("sh") => format!("{test})"),
        _ => return false,
    };
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let Some(at) = lines.iter().position(|line| line.starts_with(&begins)) else {
        return false;
    };
    let above = lines[..at].iter().rev().take_while(|line| line.starts_with(['#', '@']));
    let above: Vec<&&str> = above.collect();
    let skipped =
        ["ignore", "skip", "xfail", "@Disabled"].iter().any(|word| above.iter().any(|line| line.contains(word)));
    let mark = match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rs") => "#[test]",
        Some("java") => "@Test",
        _ => "",
    };
    let marked = mark.is_empty() || above.iter().any(|line| line.starts_with(mark));
    !test.is_empty() && !skipped && marked
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
        assert!(table.contains("| time | [b.rs](a/b.rs) | no | [b.rs](a/b.rs) |"), "{table}");
        let first = "distribution,\"Rust\",a/b.rs,c\n";
        assert!(found(&csv().replace(first, ""), prose, file)[0].ends_with("distribution, Rust: there is no row"));
        assert!(found(&(csv() + first), prose, file)[0].ends_with("there are two rows"));
        assert!(found(&(csv() + "speed,Rust,a/b.rs,c\n"), prose, file)[0].contains(":58: expected"));
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
