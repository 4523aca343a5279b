//! Laws that are no Gaussian: `sample` and `verify`.

use crate::common::{fail, run, succeed};
use std::fs;

/// The arguments of a law of kat/finite.csv.
fn arguments(law: &str) -> String {
    let (name, numbers) = law.trim_end_matches(')').split_once('(').unwrap_or((law, ""));
    match (name, numbers.split_once(' ')) {
        ("Ternary", _) => "--ternary".into(),
        ("CBD", _) => format!("--centered-binomial {numbers}"),
        ("TUniform", _) => format!("--tuniform {numbers}"),
        ("Skellam", _) => format!("--skellam {numbers}"),
        ("DiscreteLaplace", _) => match numbers.split_once(") within ") {
            Some((scale, bound)) => format!("--recipe laplace={scale},clip={bound}"),
            None => format!("--laplace {numbers}"),
        },
        ("SparseTernary", Some((n, w))) => format!("--sparse-ternary {w} --count {n}"),
        _ => panic!("{law}"),
    }
}

#[test]
fn samples_are_those_of_every_language() {
    for line in include_str!("../../../kat/finite.csv").lines().skip(1) {
        let [law, seed, first, samples] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
        let first: usize = if first.is_empty() { 0 } else { first.parse().unwrap() };
        let wanted: Vec<&str> = samples.split(' ').collect();
        let count = if law.starts_with("Sparse") { String::new() } else { format!("--count {}", first + wanted.len()) };
        let out = succeed(&format!("sample {} {count} --seed {seed} --quiet", arguments(law)));
        assert_eq!(out.lines().skip(first).collect::<Vec<_>>(), wanted, "{line}");
    }
}

#[test]
fn recipes_state_each_law() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noise.npy").display().to_string();
    for (law, recipe) in [
        ("--ternary", "ternary"),
        ("--centered-binomial 21", "centered_binomial=21"),
        ("--tuniform 17", "tuniform=17"),
        ("--skellam 2.5", "skellam=5/2"),
        ("--laplace 1.5", "laplace=3/2"),
    ] {
        let drawn = succeed(&format!("sample {law} --count 99 --seed 3 --quiet"));
        assert_eq!(succeed(&format!("sample --recipe {recipe} --count 99 --seed 3 --quiet")), drawn, "{law}");
        let (code, _, said) = run(&format!("sample {law} --count 1e5 --seed 3 --out {file}"));
        assert!(code == Some(0) && said.contains(&format!("recipe {recipe}; source chacha20; ")), "{said}");
        assert_eq!(run(&format!("verify {file} --recipe {recipe} --quiet")).0, Some(0), "{law}");
        let certificate = succeed(&format!("certify {law}"));
        assert!(certificate.contains("exactness                   exact, given ideal random bits\n"), "{certificate}");
        assert_eq!(succeed(&format!("certify --recipe {recipe}")), certificate);
        let plan = succeed(&format!("plan --recipe {recipe}"));
        assert!(plan.contains(&format!("use        samplez sample --recipe {recipe} --count 1e6\n")), "{plan}");
        assert!(succeed(&format!("plan {law} --json")).contains("\"estimates\": null"));
    }
    // Sums, which no sampler makes.
    assert_eq!(run(&format!("verify {file} --recipe skellam=2e6 --quiet")).0, Some(1));
    for (arguments, message) in [
        ("sample --recipe skellam=2e6 --count 5", "--recipe: skellam = 2e6: expected a number from 2^-16 to 2^20"),
        ("verify - --recipe skellam=1e8", "--recipe: skellam = 1e8: expected a number from 2^-16 to 2^26"),
        ("sample --recipe skellam=2 --sigma 3 --count 5", "--sigma 3: --recipe already contains skellam"),
        ("sample --recipe ternary --center 1 --count 5", "--center = 1: ternary is about 0; leave --center out"),
        (
            "plan --recipe laplace=2,precision=72",
            "--recipe: precision = 72: laplace has one sampler, which would ignore it",
        ),
        ("plan --laplace 2 --memory 72", "--laplace = 2: --memory belongs to a Gaussian"),
        ("table --recipe tuniform=3 --emit c", "expected a Gaussian, such as sigma=3.2"),
        ("circuit --recipe tuniform=3", "expected a Gaussian, such as sigma=3.2"),
        (
            "certify --table x.csv --form frodo --ternary",
            "--ternary: a table is certified against a Gaussian; leave it out",
        ),
        ("methods --recipe ternary", "expected a Gaussian, such as sigma=3.2"),
    ] {
        fail(arguments, 2, &[message]);
    }
}

#[test]
fn files_are_judged_by_their_law() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (law, other, bytes) in [
        ("--ternary", "--centered-binomial 1", 1),
        ("--centered-binomial 21", "--sigma-squared 21/2", 1),
        ("--tuniform 17", "--tuniform 16", 4),
        ("--tuniform 62", "--tuniform 61", 8),
        ("--skellam 2.5", "--skellam 2.55", 1),
        ("--skellam 1000", "--skellam 1020", 2),
        ("--laplace 3/2", "--laplace 1.53", 2),
        ("--laplace 1e15", "--laplace 1.01e15", 8),
    ] {
        let file = path("noise.npy");
        succeed(&format!("sample {law} --count 1e6 --seed 3 --quiet --out {file}"));
        assert_eq!(fs::metadata(&file).unwrap().len(), 128 + bytes * 1_000_000, "{law}: the narrowest type");
        assert_eq!(run(&format!("verify {file} {law} --quiet")).0, Some(0), "{law}");
        assert_eq!(run(&format!("verify {file} {other} --quiet")).0, Some(1), "{law} against {other}");
    }
    // Sums of a thousand clients' noise.
    let clients = succeed("sample --skellam 2048 --count 1e6 --seed 4 --quiet");
    let clients: Vec<i64> = clients.lines().map(|line| line.parse().unwrap()).collect();
    let sums: String = clients.chunks(1000).map(|part| format!("{}\n", part.iter().sum::<i64>())).collect();
    fs::write(path("sums.txt"), sums).unwrap();
    let out = succeed(&format!("verify {} --skellam 2048000", path("sums.txt")));
    assert!(out.contains("Skellam(2048000)"), "{out}");
    assert_eq!(run(&format!("verify {} --skellam 3e6", path("sums.txt"))).0, Some(1));
    let file = path("part.npy");
    succeed(&format!("sample --centered-binomial 21 --count 1e5 --seed 3 --quiet --out {file} --dtype i32"));
    let (code, out, _) = run(&format!("verify {file} --centered-binomial 21 --modulus 97"));
    assert!(code == Some(0) && out.contains("consistent: ") && out.contains("CBD(21), modulo 97"), "{out}");
    let out = succeed(&format!("sample --sparse-ternary 192 --count 4096 --seed 3 --quiet --out {file}"));
    assert_eq!((out.as_str(), fs::metadata(&file).unwrap().len()), ("", 128 + 4096));
    let (code, _, err) = run("sample --tuniform 3 --count 5 --seed 1");
    assert!(code == Some(0) && err.starts_with("TUniform(3): 5 samples (text)"), "{err}");
}

#[test]
fn bad_arguments_are_named() {
    for (line, words) in [
        ("sample --centered-binomial 0 --count 5", &[" = 0: ", "--centered-binomial", "from 1 to 2^20"][..]),
        ("sample --centered-binomial 1048577 --count 5", &[" = 1048577: ", "from 1 to 2^20"]),
        ("sample --centered-binomial NaN --count 5", &[" = NaN: ", "from 1 to 2^20"]),
        ("sample --centered-binomial -1 --count 5", &[" = -1: ", "from 1 to 2^20"]),
        ("sample --tuniform 63 --count 5", &[" = 63: ", "--tuniform", "from 0 to 62"]),
        ("sample --tuniform ten --count 5", &[" = ten: ", "from 0 to 62"]),
        ("sample --skellam 0 --count 5", &["--skellam = 0: expected a number from 2^-16 to 2^20; "]),
        ("sample --skellam 2e6 --count 5", &["--skellam = 2e6: ", "to 2^20; for a larger variance add samples"]),
        ("verify - --skellam 2e8", &[" = 2e8: ", "from 2^-16 to 2^26", "--sigma-squared"]),
        ("sample --skellam two --count 5", &[" = two: ", "--skellam"]),
        ("sample --skellam 9 --sigma 3 --count 5", &["--skellam = 9: --sigma belongs to a Gaussian"]),
        ("sample --skellam 9 --ternary --count 5", &["cannot be used with"]),
        ("sample --skellam 1000 --count 5 --dtype i8", &["--dtype = i8", "use i16"]),
        ("verify - --skellam 4 --law rounded", &["--law = rounded: Skellam(4) has no parameters of a Gaussian"]),
        ("sample --laplace 0 --count 5", &[" = 0: ", "--laplace", "from 2^-16 to 2^50"]),
        ("sample --laplace 1e30 --count 5", &[" = 1e30: ", "from 2^-16 to 2^50"]),
        ("verify x --laplace 0.12345678901234567891", &[" = 0.12345678901234567891: ", "not representable exactly"]),
        ("sample --laplace 1e16 --count 5", &[" = 1e16: ", "from 2^-16 to 2^50"]),
        ("sample --laplace -1 --count 5", &[" = -1: ", "--laplace"]),
        ("sample --laplace one --count 5", &[" = one: ", "--laplace"]),
        ("sample --laplace 2 --skellam 3 --count 5", &["cannot be used with"]),
        ("sample --laplace 2 --sigma 3 --count 5", &["--laplace = 2: --sigma belongs to a Gaussian"]),
        ("sample --laplace 2 --count 5 --dtype i8", &["--dtype = i8", "use i16"]),
        ("plot - --laplace 0", &[" = 0: ", "--laplace", "from 2^-16 to 2^50"]),
        ("plot - --laplace 2 --sigma 3", &["--laplace = 2: --sigma belongs to a Gaussian"]),
        ("plot - --skellam 4 --law rounded", &["--law = rounded: Skellam(4) has no parameters of a Gaussian"]),
        ("plot - --skellam 4 --ternary", &["cannot be used with"]),
        ("verify - --laplace 1e9 --range 0..1000000", &["--range = 0..1000000: expected at most 65536 values"]),
        ("verify - --laplace 1e9 --sigma 3", &["--laplace = 1e9: --sigma belongs to a Gaussian"]),
        (
            "verify - --tuniform 40 --modulus 1e5",
            &["--modulus = 1e5: expected a modulus of which at most 4096 periods"],
        ),
        (
            "watch - --tuniform 4e1 --modulus 100000",
            &["--modulus = 100000: expected a modulus of which at most 4096 periods"],
        ),
        ("sample --sparse-ternary 0 --count 5", &[" = 0: ", "--sparse-ternary", "whole numbers from 1"]),
        ("sample --sparse-ternary 6 --count 5", &["--sparse-ternary 6: expected at most 5", "(--count)"]),
        ("sample --sparse-ternary 6 --count 1e12", &["--count 1000000000000", "at most 1073741824"]),
        ("sample --ternary --sparse-ternary 1 --count 5", &["--sparse-ternary", "cannot be used with", "--ternary"]),
        ("sample --sparse-ternary 1 --count 5 --block 0 --seed 1", &["cannot be used with", "--block"]),
        ("sample --sparse-ternary 1 --count 5 --sigma 3", &["--sparse-ternary 1: --sigma belongs to a Gaussian"]),
        ("sample --ternary --tuniform 3 --count 5", &["cannot be used with"]),
        (
            "sample --ternary --recipe ternary --count 5",
            &["--ternary: --recipe states a distribution too; pass only one"],
        ),
        ("sample --ternary --count 5 --precision 72", &["--ternary: --precision belongs to a Gaussian"]),
        ("sample --tuniform 3 --center 1 --count 5", &["--tuniform = 3: --center belongs to a Gaussian"]),
        ("sample --tuniform 17 --count 5 --dtype i16", &["--dtype = i16", "from -131072 to 131072", "use i32"]),
        ("sample --count 5", &["--sigma", "--ternary", "--centered-binomial"]),
        ("verify - --ternary --law rounded", &["--law = rounded: Ternary has no parameters of a Gaussian"]),
        ("verify - --tuniform 40 --modulus 12289", &["--modulus = 12289: expected a modulus of which at most 4096"]),
        ("verify - --tuniform 40 --range 0..1000000", &["--range = 0..1000000: expected at most 65536 values"]),
    ] {
        fail(line, 2, words);
    }
}
