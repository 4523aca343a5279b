//! `samplez-lab seeding`: the verdicts of the experiment, and its files.

mod common;

use common::{FOLDER, SEED, fail, names, run};
use std::fs;

#[test]
fn a_zero_state_is_seen_and_a_zero_seed_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new");
    let sources = "ctr-drbg-aes256,hash-drbg-sha256,hash-drbg-sha512,isaac64,chacha20,kiss64";
    let line = "seeding --method ziggurat --sigma 215 --count 3e5 --seed zeros --sources";
    let (code, text, err) = run(&format!("{line} {sources} --out {}", out.display()));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let row = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_string();
    for name in sources.split(',').filter(|name| *name != "kiss64") {
        assert!(row(name).ends_with(" 0  consistent"), "{text}");
    }
    // Nine positions of its words repeat, and the samples are rejected for it.
    assert!(row("kiss64  ").contains(" 9  REJECTED by ") && text.contains("x = c = 0"), "{text}");

    let mut expected: Vec<String> = ["distance", "mean", "mean-by-sigma", "samples"]
        .map(|name| format!("{name}.svg"))
        .into_iter()
        .chain(["means", "samples", "sigmas", "summary"].map(|name| format!("{name}.csv")))
        .collect();
    expected.sort();
    assert_eq!(names(&out), expected);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(read("summary.csv").lines().count(), 1 + 6);
    assert_eq!(read("samples.csv").lines().count(), 1 + 6 * 1000);
    let sigmas = read("sigmas.csv");
    assert_eq!(sigmas.lines().count(), 1 + 6 * 8);
    // Each width has samples of its own: their means are not one number drawn eight times.
    let z = |line: &str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap();
    let of_chacha: Vec<f64> = sigmas.lines().filter(|line| line.starts_with("chacha20,")).map(z).collect();
    let (least, most) = of_chacha.iter().fold((f64::MAX, f64::MIN), |(a, b), z| (a.min(*z), b.max(*z)));
    assert!(of_chacha.len() == 8 && most - least > 0.8, "{of_chacha:?}");
    assert!(read("means.csv").lines().last().unwrap().starts_with("kiss64,zeros,300000,"));
    assert!(read("mean.svg").contains("kiss64, zeros"));
}

#[test]
fn well_seeded_sources_pass_whatever_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let base = format!("seeding --method karney --sigma 215 --count 1e5 --out {}", folder.path().display());
    // The system's bits differ each time. A verdict rejects good ones with probability 1e-6; at most two verdicts of a run depend on them.
    // A run with a rejected trial must pass the second time. Chance rejects both with probability below 1e-11.
    let passes = |sources: &str| {
        let once = || {
            let (code, text, _) = run(&format!("{base} --sources {sources}"));
            assert_eq!(code, Some(0), "{text}");
            text
        };
        let text = once();
        if text.matches(" consistent").count() == 3 { text } else { once() }
    };
    let text = passes(&format!("kiss64,isaac64,os --seed {SEED}"));
    assert_eq!(text.matches(" consistent").count(), 3, "{text}");
    // Without a seed: well and badly, and once for a source that takes none.
    let text = passes("chacha8,os");
    let rows = ["chacha8  os", "chacha8  zeros", "os       none"];
    assert!(rows.iter().all(|row| text.contains(row)) && text.matches(" consistent").count() == 3, "{text}");
    let (code, text, _) = run(&format!("{base} --sources glibc-random --seed time"));
    assert!(code == Some(0) && text.contains("glibc-random  time"), "{text}");
}

#[test]
fn bad_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "short").unwrap();
    let base = format!("seeding --sigma 3.2 --count 1000 --out {}", folder.path().join("x").display());
    fail(&format!("{base} --sources dice"), 2, &["dice", "kiss64"]);
    for bad in ["deadbeef", "0x2a", "-1", "18446744073709551616"] {
        fail(&format!("{base} --seed {bad}"), 2, &["--seed", "a number below 2^64"]);
    }
    fail(&format!("{base} --seed ones"), 2, &["--seed", "zeros", "64 hexadecimal digits"]);
    fail(
        &format!("{base} --seed file:{}", file.display()),
        2,
        &["--seed ", "ended after 5 bytes", ": a seed takes 32 bytes\n"],
    );
    fail(&format!("{base} --seed file:{}", folder.path().display()), 2, &["--seed ", FOLDER[0], FOLDER[1]]);
    fail("seeding --count 1000", 2, &["--sigma"]);
    fail(&format!("{base} --count -1"), 2, &["--count"]);
    fail(&format!("seeding --sigma 3.2 --count 10 --out {}", folder.path().display()), 2, &["at least 100"]);
    fail(&format!("seeding --sigma 3.2 --count 1000 --out {}", file.display()), 3, &["cannot make"]);
}
