//! What the commands say about good input.

use crate::common::{ABSENT, SEED, fail, names, outcome, run, samplez, succeed};
use serde_json::Value;
use std::fs;

/// What the command prints with `--json`.
fn json(line: &str) -> Value {
    let line = if line.contains("--json") { line.to_string() } else { format!("{line} --json") };
    serde_json::from_str(&succeed(&line)).expect("JSON")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn samples_are_consistent_with_their_law_and_not_with_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    let path = path.display();
    for law in
        ["--sigma 3.2", "--sigma-squared 10 --center 1/3", "--k-sigma2 254", "--sigma 0.4 --center 1/2", "--sigma 1e9"]
    {
        succeed(&format!("sample {law} --count 200000 --seed {SEED} --quiet --out {path}"));
        let (code, out, err) = run(&format!("verify {path} {law}"));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{law}\n{out}");
        assert!(
            out.contains("chi-squared")
                && out.contains("p-value")
                && out.contains("Power")
                && out.contains("consistent")
        );
        let (code, out, _) = run(&format!("verify {path} {law} --json"));
        let report: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, &report["consistent"], &report["n"]), (Some(0), &true.into(), &200_000.into()), "{law}");
    }
    succeed(&format!("sample --sigma 3.2 --count 1e6 --seed {SEED} --quiet --out {path}"));
    let one = succeed(&format!("verify {path} --sigma 3.2 --json"));
    assert_eq!(succeed(&format!("verify {path} --sigma 3.2 --json --threads 3")), one);
    for other in ["--sigma 3.22", "--sigma 3.2 --center 0.05", "--sigma 1e6"] {
        let (code, out, err) = run(&format!("verify {path} {other}"));
        assert_eq!((code, err.as_str()), (Some(1), ""), "{other}\n{out}");
        assert!(out.contains("reject") && out.contains("REJECTED"), "{out}");
        let (code, out, _) = run(&format!("verify {path} {other} --json"));
        let report: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, &report["consistent"]), (Some(1), &false.into()));
    }
}

#[test]
fn two_files_against_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (a, b, wide, raw) = (path("a.npy"), path("b.csv"), path("wide.txt"), path("a.raw"));
    succeed(&format!("sample --sigma 3.2 --count 200000 --seed {SEED} --quiet --out {a}"));
    succeed(&format!("sample --sigma 3.2 --count 90000 --seed 7 --quiet --out {b}"));
    succeed(&format!("sample --sigma 3.3 --count 200000 --seed 8 --quiet --out {wide}"));
    succeed(&format!("sample --sigma 3.2 --count 200000 --seed {SEED} --dtype i8 --quiet --out {raw}"));

    let out = succeed(&format!("verify {a} --against {b}"));
    assert!(
        out.contains("200,000 integers") && out.contains("against 90,000 of") && out.contains("consistent:"),
        "{out}"
    );
    let report = json(&format!("verify {b} --against {a} --json"));
    assert_eq!((&report["consistent"], &report["n"]), (&true.into(), &vec![90_000, 200_000].into()));
    assert_eq!(report["shared"]["sequences"], 0);
    assert!(report["power"]["sigma"].as_f64().unwrap() < 0.05 && report["tests"].as_array().unwrap().len() > 30);

    assert_eq!(json(&format!("verify {b} --against {a} --json --threads 2")), report);
    let (code, out, err) = run(&format!("verify {a} --against {wide}"));
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    assert!(out.contains("REJECTED") && !out.contains("Copied"), "{out}");
    // The same values, though in other files; a type is for the raw one.
    for line in [
        format!("{raw} --against {a} --dtype i8"),
        format!("{a} --against {raw} --dtype i8"),
        format!("{a} --against {a}"),
    ] {
        let (code, out, err) = run(&format!("verify {line}"));
        assert!((code, out.contains("Copied"), err.as_str()) == (Some(1), true, ""), "{line}\n{out}{err}");
    }
    fail(&format!("verify {a} --against {b} --dtype i8"), 2, &["--dtype = i8: is for raw files only"]);
    fail(&format!("verify {a} --against {a} --column x"), 2, &["--column is for text in columns only"]);

    fail(&format!("verify {a} --against {b} --sigma 3.2"), 2, &["--against", "--sigma"]);
    fail(&format!("verify {a} --against {b} --center 1"), 2, &["--against", "--center"]);
    fail(&format!("verify {a} --against {b} --recipe sigma=3"), 2, &["--against", "--recipe"]);
    fail(&format!("verify {a}"), 2, &["--sigma", "--against"]);
    fail("verify - --against -", 2, &["standard input can be read only once"]);
    fail(&format!("verify {a} --against {}", path("none.npy")), 2, &["none.npy", ABSENT]);
    fs::write(path("few.txt"), "1\n2\n").unwrap();
    fail(&format!("verify {a} --against {}", path("few.txt")), 2, &["few.txt", "n = 2", "at least 100"]);
    fs::write(path("empty.txt"), "").unwrap();
    fail(&format!("verify {} --against {a}", path("empty.txt")), 2, &["empty.txt", "no integers"]);
}

#[test]
fn certificates() {
    let cdt = json("certify --sigma 3.2 --method cdt --precision 128 --json");
    let entries = [
        "exact",
        "log2_sd",
        "log2_renyi",
        "log2_tail",
        "table_bytes",
        "expected_bits",
        "expected_trials",
        "timing",
        "samples_log2",
        "samples_log2_advantage",
        "samples_per_time",
        "bits_kept",
    ];
    assert!(entries.iter().all(|key| keys(&cdt).contains(key)), "{cdt}");
    assert_eq!(cdt["exact"], false);
    assert_eq!(keys(&cdt["log2_renyi"]).len(), 4);
    for order in ["2", "256", "513", "inf"] {
        assert!(cdt["log2_renyi"][order].as_f64().unwrap() < -100.0, "{cdt}");
    }
    assert!(cdt["log2_sd"].as_f64().unwrap() < -115.0 && cdt["log2_tail"].as_f64().unwrap() < -110.0);
    assert!(cdt["table_bytes"].as_u64().unwrap() > 100);
    let (samples, renyi) = (&cdt["samples_log2"], &cdt["log2_renyi"]);
    assert_eq!(samples["256"].as_f64().unwrap(), -renyi["513"].as_f64().unwrap() - 2.0);
    assert!(samples["128"].as_f64().unwrap() >= samples["256"].as_f64().unwrap());

    let coarse = json("certify --sigma 3.2 --method cdt --precision 32 --json");
    assert!(coarse["log2_sd"].as_f64() > cdt["log2_sd"].as_f64());
    let text = succeed("certify --sigma 3.2 --method cdt --precision 32");
    assert!(text.contains("none: one has 2^-28.64; raise --precision, or use an exact method"), "{text}");
    let text = succeed("certify --sigma 3.2 --method cdt --precision 128");
    for word in
        ["sigma = 16/5", "cdt", "128 bits", "Rényi R_513 - 1", "<= 2^-", "bytes", "timing", "search", "decision"]
    {
        assert!(text.contains(word), "{word}:\n{text}");
    }

    // Docs/proofs/bits-kept.md's table, and the assumption that it rests on.
    for (precision, s, kept) in
        [(64, "1", "63.03"), (128, "1", "126.67"), (136, "4096", "123.56"), (136, "1048576", "116.21")]
    {
        let line = format!("certify --sigma 3.2 --method cdt --precision {precision} --samples-per-time {s}");
        let text = succeed(&line);
        assert!(text.contains(&format!("decision  {kept} for any number of samples\n")), "{line}:\n{text}");
        assert!(text.contains(&format!("at most {s} for a unit of the adversary's time\n")), "{line}:\n{text}");
        let shown: f64 = kept.parse().unwrap();
        let found = json(&format!("{line} --json"));
        assert_eq!(found["samples_per_time"].to_string(), s);
        assert!((0.0..0.01).contains(&(found["bits_kept"]["decision"]["128"].as_f64().unwrap() - shown)), "{found}");
    }
    let exact = json("certify --sigma 3.2 --method karney --json");
    assert_eq!(
        exact["bits_kept"],
        serde_json::json!({"search": {"128": 128.0, "256": 256.0}, "decision": {"128": 128.0, "256": 256.0}})
    );
    assert_eq!((&exact["exact"], &exact["log2_sd"], &exact["log2_tail"]), (&true.into(), &Value::Null, &Value::Null));
    assert_eq!((&exact["log2_renyi"]["513"], &exact["samples_log2"]["128"]), (&Value::Null, &Value::Null));
    assert_eq!(exact["timing"], "variable");
    assert!(succeed("certify --sigma 3.2 --method karney").contains("exact, given ideal random bits"));
}

#[test]
fn frugal_draws_take_fewer_bits() {
    for (line, wide, frugal) in [
        ("certify --sigma 215 --method du-wei-4 --json", 200.0, 31.2),
        ("certify --k-sigma2 254 --method bernoulli --json", 60.0, 19.6),
        ("certify --k-sigma2 254 --method du-wei-5 --json", 200.0, 21.1),
        ("certify --k-sigma2 254 --method du-wei-5-ky --json", 150.0, 20.3),
    ] {
        let bits = |line: &str| json(line)["expected_bits"].as_f64().unwrap();
        assert!(bits(line) > wide && bits(&format!("{line} --frugal")) < frugal, "{line}");
    }
}

/// The decimals of the text never promise more than the number behind them.
#[test]
fn printed_bounds_are_upper_bounds() {
    for precision in [40, 64, 72, 100, 128, 200] {
        let line = format!("certify --sigma 3.2 --method cdt --precision {precision}");
        let exact = json(&format!("{line} --json"))["log2_sd"].as_f64().unwrap();
        let text = succeed(&line);
        let row = text.lines().find(|row| row.starts_with("statistical distance")).unwrap();
        let printed: f64 = row.rsplit("2^").next().unwrap().parse().unwrap();
        assert!(printed >= exact && printed < exact + 0.0101, "{printed} for {exact}");
    }
}

#[test]
fn lists() {
    let methods = succeed("methods");
    for word in ["karney", "cdt", "16/5", "exact", "SD <= 2^-", "table bytes", "trials", "timing", "auto chooses"] {
        assert!(methods.contains(word), "{word}:\n{methods}");
    }
    assert!(succeed("methods --s 8.35").contains("cks refuses: --s = 8.35"));
    assert!(succeed("methods --sigma 1e12").contains("cdt refuses"));
    let sources = succeed("sources");
    for word in ["chacha20", "kiss64", "NOT CRYPTOGRAPHIC", "dev-urandom", "os", "seed", "state", "RFC 8439"] {
        assert!(sources.contains(word), "{word}:\n{sources}");
    }
    assert!(succeed("sources --self-test").ends_with(" self-tests, all passed\n"));
    assert!(json("sources --self-test")["self_tests_passed"].as_u64() > Some(10));
}

/// What reports does so to programs too, by the same numbers.
#[test]
fn every_report_has_json() {
    let methods = json("methods --s 8.35");
    assert_eq!(keys(&methods), ["auto", "law", "methods", "precision"]);
    let of = |name: &str| methods["methods"].as_array().unwrap().iter().find(|m| m["method"] == name).unwrap();
    assert_eq!((&of("cdt")["exact"], &of("cdt")["million_per_second"]), (&false.into(), &Value::Null));
    assert!(of("cdt")["log2_sd"].as_f64() < Some(-115.0) && of("cdt")["setup_seconds"].as_f64() > Some(0.0));
    assert_eq!(of("cks")["refused"].as_str().unwrap().split(':').next(), Some("--s = 8.35"));
    assert!(methods["auto"]["recipe"].as_str().unwrap().starts_with("s=167/20,method="));
    assert!(json("methods --measure --constant-time")["methods"][3]["million_per_second"].as_f64() > Some(0.0));

    let sources = json("sources");
    let os = sources["sources"].as_array().unwrap().iter().find(|source| source["source"] == "os").unwrap();
    assert_eq!((&os["cryptographic"], &os["seeded"]), (&true.into(), &false.into()));

    for (line, exactness) in [
        ("--sigma 3.2", "exact, given ideal"),
        ("--sigma 1e9 --constant-time", "not exact: statistical distance <= 2^-11"),
    ] {
        let plan = json(&format!("plan {line}"));
        assert!(plan["exactness"].as_str().unwrap().starts_with(exactness), "{plan}");
    }
}

/// Colours where they are asked for, by the conventions: NO_COLOR goes before CLICOLOR_FORCE, and a pipe has none.
#[test]
fn verdicts_in_colour() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    succeed(&format!("sample --sigma 3.2 --count 1e5 --seed {SEED} --quiet --out {}", path.display()));
    let verify = |sigma: &str, variables: &[(&str, &str)]| {
        let mut command = samplez();
        command.args(["verify", path.to_str().unwrap(), "--sigma", sigma]);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        outcome(command.output().unwrap()).1
    };
    let (plain, green, red) = (verify("3.2", &[]), "\u{1b}[32m", "\u{1b}[1m\u{1b}[31m");
    assert!(!plain.contains('\u{1b}'));
    let forced = verify("3.2", &[("CLICOLOR_FORCE", "1")]);
    assert!(
        forced.contains(&format!("{green}consistent: "))
            && forced.contains(&format!("{green}pass"))
            && !forced.contains(red)
    );
    assert_eq!(forced.replace(green, "").replace("\u{1b}[0m", ""), plain);
    let rejected = verify("3.4", &[("CLICOLOR_FORCE", "1")]);
    assert!(rejected.contains(&format!("{red}REJECTED: ")) && rejected.contains(&format!("{red}reject")), "{rejected}");
    assert_eq!(verify("3.2", &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
}

#[test]
fn completions_and_manual() {
    for (shell, words) in [
        ("bash", ["complete -F _samplez", "--k-sigma2"]),
        ("zsh", ["#compdef samplez", "--k-sigma2"]),
        ("fish", ["complete -c samplez", "k-sigma2"]),
        ("powershell", ["Register-ArgumentCompleter", "--k-sigma2"]),
        ("elvish", ["edit:completion:arg-completer", "--k-sigma2"]),
    ] {
        let text = succeed(&format!("completions {shell}"));
        // The names of sources and methods too, where the shell's completions have values.
        let values =
            if ["powershell", "elvish"].contains(&shell) { ["sample"; 2] } else { ["chacha20", "cdt-lazy-ct"] };
        for word in words.into_iter().chain(values).chain(["certify", "bliss"]) {
            assert!(text.contains(word), "{shell}: {word}");
        }
        if shell == "bash" {
            // Where there is a bash, it takes them.
            let mut bash = std::process::Command::new("bash");
            if let Ok(output) = bash.args(["-n", "-c", &text]).output() {
                assert_eq!(outcome(output), (Some(0), String::new(), String::new()));
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man1");
    assert_eq!(succeed(&format!("man --out {}", out.display())), "");
    let pages = names(&out);
    for page in
        ["samplez.1", "samplez-sample.1", "samplez-round.1", "samplez-scheme-bliss-sign.1", "samplez-bench-sources.1"]
    {
        assert!(pages.iter().any(|name| name == page), "{page}: {pages:?}");
    }
    assert!(!pages.iter().any(|name| name.contains("help")), "{pages:?}");
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert!(read("samplez-sample.1").contains(".TH samplez-sample 1") && read("samplez-sample.1").contains("center"));
    assert_eq!(read("samplez.1"), succeed("man"));
    assert!(read("samplez.1").contains("141") && read("samplez.1").contains("samplez\\-sample(1)"));
}

/// What is planned can be used as it is printed, and is what auto does.
#[test]
fn plans() {
    for (line, method) in [
        ("--sigma 3.2", "knuth-yao-ct"),
        ("--sigma 32 --memory 2080", "isochronous"),
        ("--sigma 32 --memory 2080 --variable-time --recipe exact=false", "ziggurat"),
        ("--sigma-squared 10 --variable-time --exact", "cdt-guided"),
        ("--k-sigma2 254 --exact", "isochronous"),
        ("--s 8.35 --center 1/3", "knuth-yao-ct"),
        ("--sigma 1e15", "wide"),
        ("--sigma 1e15 --constant-time", "convolution-ct"),
        ("--sigma 1e15 --variable-time --recipe exact=false", "convolution"),
        ("--sigma 3.2 --memory 0 --variable-time", "rejection"),
        ("--sigma 3.2 --constant-time", "knuth-yao-ct"),
        ("--sigma 3.2 --constant-time --memory 1000", "cdt-ct"),
        ("--sigma 1.6e5 --center 7 --constant-time", "convolution-ct"),
        ("--sigma 215 --center 1/3", "isochronous"),
    ] {
        let plan = json(&format!("plan {line} --json"));
        assert_eq!(plan["method"], method, "{line}");
        assert!(plan["timing"] != "variable" || line.contains("--variable-time"), "{plan}");
        assert!(plan["estimates"]["million_per_second"].as_f64() > Some(0.1), "{plan}");
        let instructions = plan["estimates"]["instructions"].as_str().unwrap();
        assert!(["avx512", "avx2", "scalar"].contains(&instructions), "{plan}");
        let sample = |arguments: &str| succeed(&format!("sample {arguments} --count 50 --seed {SEED} --quiet"));
        assert_eq!(sample(&format!("--recipe {}", plan["recipe"].as_str().unwrap())), sample(line), "{line}");
        let text = succeed(&format!("plan {line}"));
        for word in ["why", "use", "setup", "Not taken:", plan["reason"].as_str().unwrap()] {
            assert!(text.contains(word), "{word}:\n{text}");
        }
        // The three properties come first.
        let rows: Vec<&str> = text.lines().take(3).filter_map(|row| row.split_whitespace().next()).collect();
        assert_eq!(rows, ["exactness", "timing", "speed"], "{text}");
    }
    let small = json("plan --recipe sigma=32,memory=2080,variable_time=true,exact=false --json");
    assert_eq!((&small["options"]["rectangles"], &small["table_bytes"]), (&102.into(), &2080.into()));
}

/// The planned precision meets the target by the certificate's own bound, and one bit less does not.
#[test]
fn a_target_has_its_least_precision() {
    for (law, order, target) in [
        ("sigma=3.2", "2", -100.0),
        ("sigma=3.2", "256", -100.0),
        ("sigma=3.2,constant_time=true", "inf", -40.5),
        ("sigma=215,center=1/3", "513", -64.0),
        ("sigma=32,variable_time=true", "2", -12.0),
    ] {
        let plan = json(&format!("plan --recipe {law} --renyi {order}:{target} --json"));
        let recipe = plan["recipe"].as_str().unwrap();
        let bits = plan["options"]["precision"].as_u64().unwrap();
        let at = |bits: u64| {
            let recipe =
                recipe.replace(&format!("precision={}", plan["options"]["precision"]), &format!("precision={bits}"));
            json(&format!("certify --recipe {recipe} --json"))["log2_renyi"][order].as_f64().unwrap()
        };
        assert!(at(bits) <= target && at(bits - 1) > target, "{law}: {order}, {bits}: {} {}", at(bits), at(bits - 1));
        assert!(succeed(&format!("plan --recipe {law} --renyi {order}:{target}")).contains("\nprecision"), "{law}");
    }
    for exact in ["--sigma 1e15", "--laplace 2"] {
        assert_eq!(json(&format!("plan {exact} --renyi 2:-100 --json"))["exact"], true, "{exact}");
    }
    for (typed, words) in [
        ("3:-100", &["--renyi = 3:-100: expected ORDER:LOG2", "2, 256, 513 or inf"][..]),
        ("2:1", &["--renyi = 2:1: expected ORDER:LOG2", "LOG2 below 0"]),
        ("-100", &["--renyi = -100: expected ORDER:LOG2", "such as 2:-100"]),
        ("2:-10000", &["--renyi = 2:-10000: no certified sampler meets it: with 256 bits R_2 - 1 <= 2^-"]),
        ("2:-9 --exact", &["--renyi: an exact sampler meets every bound; remove --renyi or --exact"]),
        ("2:-9 --precision 72", &["--renyi: chooses the precision; remove --precision 72"]),
    ] {
        fail(&format!("plan --sigma 3 --renyi {typed}"), 2, words);
    }
}

/// Samples beyond 64 bits: the same as text and as words, and what a plan says of them.
#[test]
fn laws_of_any_size() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let sample = format!("sample --sigma 1e30 --center -1e31 --count 5000 --seed {SEED}");
    let text = succeed(&format!("{sample} --quiet"));
    succeed(&format!("{sample} --quiet --out {}", at("x.csv")));
    assert_eq!(fs::read_to_string(at("x.csv")).unwrap(), format!("x\n{text}"));
    succeed(&format!("{sample} --quiet --out {}", at("x.raw")));
    let raw = fs::read(at("x.raw")).unwrap();
    let words = raw.chunks_exact(16).map(|bytes| i128::from_le_bytes(bytes.try_into().unwrap()));
    let numbers: Vec<i128> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert!(numbers.len() == 5000 && words.eq(numbers.iter().copied()));
    // The mean of 5000 is within 5 standard errors.
    let sum: i128 = numbers.iter().map(|x| x / 5000).sum();
    assert!((sum + 10_i128.pow(31)).abs() < 5 * 10_i128.pow(30) / 70, "{sum}");
    let (code, _, err) = run(&sample);
    let recipe =
        "recipe sigma=1000000000000000000000000000000,center=-10000000000000000000000000000000; source chacha20; ";
    assert!(code == Some(0) && err.contains("5,000 integers of 2 words") && err.contains(recipe), "{err}");
    let plan = json("plan --sigma 1e30 --json");
    assert_eq!((&plan["words"], &plan["exact"], &plan["timing"]), (&2.into(), &true.into(), &"isochronous".into()));
    assert!(
        succeed("plan --sigma 1e30").starts_with("exactness  exact, given ideal random bits\ntiming     isochronous\n")
    );
    for options in ["", "--exact", "--variable-time", "--method auto --exact"] {
        assert_eq!(succeed(&format!("{sample} --quiet {options}")), text, "{options}");
    }
    assert_eq!(succeed("certify --sigma 1e30"), succeed("plan --sigma 1e30 --exact"));
    assert_eq!(json("certify --s 1e30 --center 1/3 --json"), json("plan --s 1e30 --center 1/3 --json"));
    // What fits 64 bits but no method.
    assert_eq!(succeed(&format!("sample --sigma 1e18 --count 3 --seed {SEED} --quiet")).lines().count(), 3);
}

#[test]
fn the_summary_names_law_method_and_count() {
    let (code, out, err) = run(&format!("sample --sigma 3.2 --count 2000 --method karney --seed {SEED}"));
    assert_eq!((code, out.lines().count(), err.lines().count()), (Some(0), 2000, 2));
    for word in ["sigma = 16/5", "karney", "2,000 samples", "(text)"] {
        assert!(err.contains(word), "{err}");
    }
    assert!(err.ends_with("recipe sigma=16/5,method=karney; source chacha20; seed as given\n"), "{err}");
    for (seed, told) in [("--seed 42", "seed 42"), ("", "seed not kept"), ("--source os", "no seed")] {
        let (_, _, err) = run(&format!("sample --sigma 3.2 --count 3 --method cdt {seed}"));
        let source = if seed == "--source os" { "os" } else { "chacha20" };
        assert!(
            err.ends_with(&format!("recipe sigma=16/5,method=cdt,precision=128; source {source}; {told}\n")),
            "{err}"
        );
    }
}

#[test]
fn labels_of_wide_laws_are_within_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    for sigma in ["1e12", "1e15"] {
        succeed(&format!("sample --sigma {sigma} --count 20000 --seed {SEED} --quiet --out {}", at("x.npy")));
        succeed(&format!("plot {} --sigma {sigma} --quiet --out {}", at("x.npy"), at("x.svg")));
        let svg = fs::read_to_string(at("x.svg")).unwrap();
        let mut labels = 0;
        for text in svg.lines().filter(|line| line.starts_with("<text x=") && line.contains("\"middle\"")) {
            let x: f64 = text.split('"').nth(1).unwrap().parse().unwrap();
            let label = text.rsplit_once("</text>").unwrap().0.rsplit('>').next().unwrap();
            // DejaVu's digits are 0.636 of the size wide, and nothing in a number is wider.
            let half = 0.5 * 12.0 * 0.636 * label.chars().count() as f64;
            assert!(x - half >= 0.0 && x + half <= 960.0, "{text}");
            labels += 1;
        }
        assert!(labels >= 4, "{labels}");
    }
}

#[test]
fn pictures() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    for (law, bins) in [
        ("--sigma 3.2", 20),
        ("--sigma 1e9 --center 1/3", 80),
        ("--sigma 0.3", 3),
        ("--laplace 3/2", 15),
        ("--skellam 30", 30),
        ("--ternary", 3),
    ] {
        succeed(&format!("sample {law} --count 20000 --seed {SEED} --quiet --out {}", file("x.npy")));
        let terminal = succeed(&format!("plot {} {law}", file("x.npy")));
        let (_, worst) = terminal.trim_end().rsplit_once("the largest is ").unwrap();
        assert!(worst.parse::<f64>().unwrap() < 6.0, "{law}: {worst}");
        assert!(
            terminal.contains("20,000 samples of x.npy") && terminal.contains('█') && terminal.lines().count() <= 44
        );
        assert!(terminal.lines().count() >= bins.min(22), "{terminal}");

        assert_eq!(succeed(&format!("plot {} {law} --quiet --out {}", file("x.npy"), file("x.svg"))), "");
        let svg = fs::read_to_string(file("x.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
        assert!(svg.matches("<rect").count() >= bins, "{law}");
        assert!(
            svg.contains("(prefers-color-scheme:dark)")
                && svg.contains("<rect width=\"960\" height=\"640\" fill=\"#ffffff\"/>")
        );

        assert_eq!(succeed(&format!("plot {} {law} --quiet --out {}", file("x.npy"), file("x.png"))), "");
        let png = fs::read(file("x.png")).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() > 10_000, "{} bytes", png.len());
    }
    let (code, _, err) = run(&format!("plot {} --sigma 3 --out {}", file("missing.npy"), file("y.png")));
    assert_eq!(code, Some(2), "{err}");
    assert!(!folder.path().join("y.png").exists());
}

/// What the thread's processor time is called where it can be read.
const CLOCK: &str = if cfg!(windows) { "wall" } else { "thread" };

#[test]
fn bench_sample_measures() {
    let report = json("bench sample --sigma 3.2 --method cdt-guided --dtype i8 --count 1e5 --json");
    let expected = [
        "backend",
        "bits_per_sample",
        "clock",
        "dtype",
        "keystream_bytes_per_second",
        "law",
        "method",
        "plain_cdt_samples_per_second",
        "rounds",
        "samples_per_round",
        "samples_per_second",
        "source",
        "table_bytes",
        "threads",
        "timing",
    ];
    assert_eq!(keys(&report), expected);
    for speed in ["samples_per_second", "keystream_bytes_per_second", "plain_cdt_samples_per_second"] {
        assert!(report[speed].as_f64().is_some_and(|speed| speed > 1e3), "{speed}: {report}");
    }
    assert_eq!((&report["dtype"], &report["threads"], &report["clock"]), (&"i8".into(), &1.into(), &CLOCK.into()));

    // No table is small enough for a plain cdt: no figure.
    let report = json("bench sample --sigma 1e12 --threads 2 --count 1000 --source kiss64 --json");
    assert_eq!((&report["plain_cdt_samples_per_second"], &report["clock"]), (&Value::Null, &"wall".into()));
    assert_eq!((&report["dtype"], &report["source"]), (&"i64".into(), &"kiss64".into()));

    let report = json("bench sample --sigma 3.2 --constant-time --count 1000 --json");
    assert_eq!((&report["method"], &report["timing"]), (&"knuth-yao-ct".into(), &"constant".into()));
    assert!(succeed("bench sample --sigma 3.2 --count 1000").contains("samples/s by cdt in the same run"));
}

#[test]
fn bench_sources_measures() {
    let report = json("bench sources --sources chacha20,kiss64,os --count 1e5 --json");
    let expected = [
        "aes_instructions",
        "baselines",
        "clock",
        "no_baseline_because",
        "openssl",
        "request_bytes",
        "rounds",
        "sources",
    ];
    assert_eq!(keys(&report), expected);
    let sources = report["sources"].as_array().unwrap();
    let names: Vec<&str> = sources.iter().filter_map(|source| source["source"].as_str()).collect();
    assert_eq!(names, ["chacha20", "kiss64", "os"]);
    for source in sources {
        for speed in ["bulk_bytes_per_second", "draws_bytes_per_second"] {
            assert!(source[speed].as_f64().is_some_and(|speed| speed > 1e4), "{speed}: {source}");
        }
        let stack = source["stack_bytes"].as_u64();
        assert!(if cfg!(target_os = "linux") {
            stack.is_some_and(|n| (50..200_000).contains(&n))
        } else {
            stack.is_none()
        });
    }
    assert!(sources[0]["state_bytes"].as_u64() > sources[1]["state_bytes"].as_u64());
    // A ratio where there is a baseline, for the sources that have one; else the reason.
    assert_eq!(sources[0]["ratio_to_openssl"].is_null(), report["openssl"].is_null(), "{report}");
    assert_ne!(report["openssl"].is_null(), report["no_baseline_because"].is_null());
    assert!(sources[1]["ratio_to_openssl"].is_null());
}

#[test]
fn bench_sources_says_that_openssl_is_missing() {
    let empty = tempfile::tempdir().unwrap();
    let line = "bench sources --sources chacha8 --count 65536";
    let output = samplez().args(line.split(' ')).env("PATH", empty.path()).output().unwrap();
    let (code, text, _) = outcome(output);
    assert!(code == Some(0) && text.contains("NO BASELINE: the program openssl cannot be run"), "{text}");
}
