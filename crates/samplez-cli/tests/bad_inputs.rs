//! Bad input, one line each: what is typed, the exit code, and what the message names. Nothing is on standard output then, no file appears,
//! and none changes.

mod files;
mod laws;
mod methods;
mod values;
mod words;

use crate::common::{SEED, fail, names, outcome, run, samplez, succeed};
use std::fs;

type Case = (&'static str, i32, &'static [&'static str]);

fn check(cases: &[Case]) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("empty.txt", ""),
        ("halves.txt", "1\n0.5\n"),
        ("two.csv", "x,y\n1,2\n"),
        ("centers.txt", "# centers\n1/3\n"),
        ("bad.txt", "1/3\none\n"),
        ("wide.txt", "1000\n"),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    fs::copy(crate::common::fixture("i1-le.npy"), folder.path().join("array.npy")).unwrap();
    let before = names(folder.path());
    for (line, code, words) in cases {
        let output = samplez().current_dir(&folder).args(line.split_whitespace()).output().unwrap();
        let (got, out, err) = outcome(output);
        assert_eq!((got, out.as_str()), (Some(*code), ""), "{line}\n{err}");
        for word in *words {
            assert!(err.contains(word), "{line}\nexpected \"{word}\" in:\n{err}");
        }
        assert!(!err.contains("panicked"), "{line}\n{err}");
        assert_eq!(names(folder.path()), before, "{line}");
    }
}

#[test]
fn laws() {
    check(laws::LAWS);
}

#[test]
fn values() {
    check(values::VALUES);
}

#[test]
fn methods() {
    check(methods::METHODS);
}

#[test]
fn words() {
    check(words::WORDS);
}

/// The only options that a hint names are those of the word's own quantity.
#[test]
fn no_hint_leads_to_another_quantity() {
    let mut hints = 0;
    for word in samplez::bindings::WORDS {
        for spelling in word.words {
            let (_, _, err) = run(&format!("sample --{spelling}=1"));
            let told = err.lines().next().unwrap_or_default();
            let Some(hint) = told.strip_prefix(&format!("error: --{spelling}: unknown option; ")) else {
                assert!(!err.contains("unknown option;"), "{spelling}: {err}");
                continue; // It is an option of this command, or nothing is known of it.
            };
            let named = hint.split([' ', ',', ';']).filter_map(|text| text.strip_prefix("--"));
            let named: Vec<String> = named.map(|name| name.replace('-', "_")).collect();
            assert!(named.iter().all(|name| word.names().any(|same| same == name)), "{spelling}: {hint}");
            assert!(!err.contains("tip:") && named.len() <= 1, "{spelling}: {err}");
            hints += 1;
        }
    }
    assert!(hints > 60, "{hints}");
}

#[test]
fn files() {
    check(files::FILES);
}

#[test]
fn seeds_are_never_repeated() {
    let short = &SEED[2..];
    fail(&format!("sample --sigma 3 --count 1 --seed {short}"), 2, &["--seed", "64"]);
    for line in [
        format!("sample --sigma 3 --count 1 --seed {short}zz"),
        format!("sample --sigma 3 --count 1 --seed {short}"),
        format!("sample --sigma 3 --count 1 --seed {SEED}"),
        format!("sample --sigma 3 --count 1 --seed {SEED} --source os"),
        format!("sample --sigma 3 --count 0 --seed {SEED}"),
        format!("sample --sigma 3 --count 1 --seed {SEED} --seed-from os"),
        format!("sample --sigma 3 --count 1 --seed {SEED} --seed {SEED}"),
        format!("round - --sigma 3 --seed={SEED} --seed-from os"),
        format!("bytes --source chacha20 --count 1 --seed {SEED} --seed-from os"),
        format!("bytes --source chacha20 --count 1 --entropy {SEED} --entropy {SEED}"),
        format!("scheme bliss keygen --set I --seed {SEED} --seed-from os"),
    ] {
        let (_, out, err) = run(&line);
        assert!(!(out + &err).contains(&short[..16]), "the seed is shown: {line}");
    }
}

#[test]
fn good_input_beside_it() {
    for width in ["--sigma 3.2", "--sigma 16/5", "--sigma 1.6e5", "--sigma-squared 10.24", "--k-sigma2 254", "--s 8.35"]
    {
        for center in ["", "--center 1/3", "--center -7/2", "--center -1e6"] {
            let out = succeed(&format!("sample {width} {center} --count 3 --quiet"));
            assert_eq!(out.lines().filter(|line| line.parse::<i64>().is_ok()).count(), 3, "{width} {center}");
        }
    }
    assert_eq!(succeed("sample --sigma 3 --count 1_0 --quiet").lines().count(), 10);
    assert_eq!(succeed("sample --sigma 3 --count 1e1 --quiet").lines().count(), 10);
    for dtype in ["i8", "int8", "int64"] {
        assert_eq!(succeed(&format!("sample --sigma 3.2 --count 10 --dtype {dtype} --quiet")).lines().count(), 10);
    }
    // A size is the number of its bytes.
    let recipe = |memory: &str| succeed(&format!("plan --sigma 32 --memory {memory} --json"));
    assert_eq!(recipe("2.08KB"), recipe("2080"));
    assert_eq!(recipe("2KiB"), recipe("2048"));
    let text = "--recipe sigma=32,memory=2.08KB --count 5 --seed 1 --quiet";
    assert_eq!(succeed(&format!("sample {text}")), succeed(&format!("sample {}", text.replace("2.08KB", "2080"))));
}

#[test]
fn help_is_on_standard_output() {
    let (code, out, err) = run("--help");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    for command in ["sample", "verify", "certify", "plot", "methods", "plan", "sources", "man", "Exit codes"] {
        assert!(out.contains(command), "{command}");
    }
    assert!(succeed("--version").starts_with("samplez "));
}
