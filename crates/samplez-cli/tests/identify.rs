//! `samplez identify`: its answers in text and JSON, and bad files.

use crate::common::{outcome, samplez, succeed};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn identify(folder: &Path, line: &str) -> (Option<i32>, String, String) {
    outcome(samplez().current_dir(folder).arg("identify").args(line.split_whitespace()).output().unwrap())
}

#[test]
fn a_file_has_its_law_and_the_next_step() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let draw = |law: &str, name: &str| {
        succeed(&format!("sample {law} --count 100000 --seed 5 --quiet --out {}", at.join(name).display()));
    };
    draw("--sigma 1", "one.npy");
    let (code, text, err) = identify(at, "one.npy");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{text}");
    assert!(text.contains("100,000 integers of one.npy, from -4 to 4"), "{text}");
    assert!(text.contains("\n  samplez verify one.npy --sigma 1\n"), "{text}");
    let named = "discrete Gaussian with such parameters, in the census of other libraries: ";
    assert!(text.lines().any(|line| line.starts_with(named) && line.ends_with(" more, which --json lists")), "{text}");
    // What it prints passes.
    for step in text.lines().filter_map(|line| line.strip_prefix("  samplez ")) {
        let output = samplez().current_dir(at).args(step.split_whitespace()).output().unwrap();
        assert!(output.status.success(), "{step}");
    }
    let (_, json, _) = identify(at, "one.npy --json --threads 2");
    let found: Value = serde_json::from_str(&json).unwrap();
    let law = &found["laws"][0];
    assert_eq!(
        (&law["name"], &law["verdict"], &law["verify"]),
        (&"discrete Gaussian".into(), &"pass".into(), &"--sigma 1".into())
    );
    assert!(law["known"].as_array().is_some_and(|known| known.len() > 5), "{law}");
    assert!(law["parameters"]["sigma"]["interval"][0].as_f64() < Some(1.0), "{law}");
    draw("--centered-binomial 2", "two.txt");
    let (code, text, _) = identify(at, "two.txt --quiet");
    assert!(code == Some(0) && text.contains("samplez verify two.txt --centered-binomial 2"), "{text}");
    // Values of two laws.
    let text = fs::read_to_string(at.join("two.txt")).unwrap().replace("-2\n", "5\n");
    fs::write(at.join("bad.txt"), text).unwrap();
    let (code, text, _) = identify(at, "bad.txt");
    assert!(
        code == Some(1) && text.contains("REJECTED: bad.txt does not contain samples of any of these laws"),
        "{text}"
    );
}

#[test]
fn bad_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let pairs = "1,2\n3,4\n".repeat(100);
    for (name, text, options, words) in [
        ("empty.txt", "", "", "empty.txt: holds no integers"),
        ("pairs.csv", pairs.as_str(), "", "--column"),
        ("half.txt", "1\n2.5\n3\n", "", "2.5"),
        ("one.txt", "5\n", "", "n = 1 values: a verdict needs at least 100"),
        ("ten.txt", &"1\n2\n".repeat(5), "", "n = 10 values: a verdict needs at least 100"),
        ("same.txt", &"7\n".repeat(200), "", "same.txt: all 200 values are 7: expected at least two different values"),
        ("far.txt", &"1\n9223372036854775808\n".repeat(100), "", "9223372036854775808"),
        ("seven.txt", &"1\n7\n".repeat(100), "--modulus 7", "value 7: expected residues from 0 to 6"),
        ("seven.txt", "", "--modulus 1", "--modulus"),
    ] {
        if !text.is_empty() || name == "empty.txt" {
            fs::write(at.join(name), text).unwrap();
        }
        let (code, out, err) = identify(at, &format!("{name} {options}"));
        assert!(code == Some(2) && out.is_empty() && err.contains(words), "{name}: {code:?} {err}");
    }
    let (code, text, _) = identify(at, "pairs.csv --column 2");
    assert!(code == Some(1) && text.contains("are not independent"), "{text}");
}
