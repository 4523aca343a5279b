//! Wrong arguments: exit code 2, a message that names the argument, its value and what is
//! allowed, nothing on standard output, no file.

mod common;

use common::{SEED, fail, names, run, samplez, succeed};

#[test]
fn widths() {
    fail("sample --count 1 --sigma 0", 2, &["error: --sigma = 0: ", "greater than 0"]);
    fail("sample --count 1 --sigma -1", 2, &["error: --sigma = -1: ", "greater than 0"]);
    fail("sample --count 1 --s -8.35", 2, &["error: --s = -167/20: ", "greater than 0"]);
    fail("sample --count 1 --sigma-squared 0", 2, &["error: --sigma-squared = 0: ", "greater than 0"]);
    for bad in ["nan", "inf", "abc", "", "1.2.3", "0x10", "1_000"] {
        let output = samplez().args(["sample", "--count", "1", "--sigma", bad]).output().unwrap();
        let (code, out, err) = common::outcome(output);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{bad}");
        assert!(err.contains(&format!("--sigma = {bad}: ")) && err.contains("3.2, 16/5"), "{err}");
    }
    fail("sample --count 1 --sigma 1e40", 2, &["--sigma", "1e40", "2^63-1"]);
    fail("sample --count 1 --sigma 1/0", 2, &["--sigma", "1/0", "denominator is zero"]);
    fail("sample --count 1 --sigma 3 --s 8", 2, &["--sigma", "--s", "cannot be used with"]);
    fail("sample --count 1", 2, &["--sigma", "--sigma-squared", "--k-sigma2", "--s", "--recipe"]);
    fail("verify - --center 1", 2, &["--sigma"]);
    fail("certify", 2, &["--sigma"]);
    fail("plot --in -", 2, &["--sigma"]);
    fail("sample --count 1 --sigma 3 --center 1/0", 2, &["--center", "denominator is zero"]);
}

#[test]
fn every_form_of_width_and_centre_works() {
    for width in ["--sigma 3.2", "--sigma 16/5", "--sigma 1.6e5", "--sigma-squared 10.24", "--k-sigma2 254", "--s 8.35"]
    {
        for center in ["", "--center 1/3", "--center -7/2", "--center -1e6"] {
            let out = succeed(&format!("sample {width} {center} --count 3 --quiet"));
            assert_eq!(out.lines().filter(|line| line.parse::<i64>().is_ok()).count(), 3, "{width} {center}");
        }
    }
}

#[test]
fn counts_threads_precision() {
    for bad in ["-1", "0", "1.5", "nan", "1e40", "ten", "1__0"] {
        fail(&format!("sample --sigma 3 --count {bad}"), 2, &["--count", bad, "whole numbers from 1"]);
    }
    fail("sample --sigma 3", 2, &["--count"]);
    for bad in ["0", "-1", "two", "1025", "99999999999999999999"] {
        fail(&format!("sample --sigma 3 --count 1 --threads {bad}"), 2, &["--threads", bad, "1 to 1024"]);
    }
    for bad in ["0", "257", "-1", "12.5", "many"] {
        for command in ["sample --count 1 --method cdt", "sample --count 1", "certify --method cdt", "methods", "plan"]
        {
            let told = format!("error: --precision = {bad}: must be between 1 and 256");
            fail(&format!("{command} --sigma 3 --precision {bad}"), 2, &[&told]);
        }
    }
    assert_eq!(succeed("sample --sigma 3 --count 1_0 --quiet").lines().count(), 10);
    assert_eq!(succeed("sample --sigma 3 --count 1e1 --quiet").lines().count(), 10);
}

#[test]
fn names_of_things() {
    fail("sample --sigma 3 --count 1 --method dice", 2, &["--method", "dice", "auto", "karney", "cdt"]);
    fail("sample --sigma 3 --count 1 --source dice", 2, &["--source", "dice", "chacha20", "os"]);
    fail("sample --sigma 3 --count 1 --format xml", 2, &["--format", "xml", "text, csv, npy, raw"]);
    fail("sample --sigma 3 --count 1 --dtype f32", 2, &["--dtype", "f32", "i8, i16, i32, i64"]);
    fail("dance", 2, &["dance"]);
    fail("", 2, &["Usage"]);
    fail("sample --sigma 3 --count 1 --out noise.dat", 2, &["noise.dat", ".npy", "--format"]);
    fail("plot --sigma 3 --in x.npy --out x.jpg", 2, &["x.jpg", ".svg or .png"]);
    fail("plot --sigma 3 --in x.npy --out x", 2, &["--out x", ".svg or .png"]);
}

#[test]
fn seeds_are_checked_and_never_repeated() {
    let short = &SEED[2..];
    fail(&format!("sample --sigma 3 --count 1 --seed {short}"), 2, &["--seed", "64"]);
    fail(&format!("sample --sigma 3 --count 1 --seed {}zz", short), 2, &["--seed"]);
    fail(&format!("sample --sigma 3 --count 1 --seed {SEED} --source os"), 2, &["--seed", "os"]);
    for line in [
        format!("sample --sigma 3 --count 1 --seed {short}zz"),
        format!("sample --sigma 3 --count 1 --seed {short}"),
        format!("sample --sigma 3 --count 1 --seed {SEED}"),
        format!("sample --sigma 3 --count 1 --seed {SEED} --source os"),
        format!("sample --sigma 3 --count 0 --seed {SEED}"),
    ] {
        let (_, out, err) = run(&line);
        assert!(!(out + &err).contains(&short[..16]), "the seed is shown: {line}");
    }
}

#[test]
fn a_type_that_is_too_narrow_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.npy");
    let line = format!("sample --sigma 1000 --count 10 --dtype i8 --out {}", out.display());
    fail(&line, 2, &["--dtype i8", "too narrow", "i16"]);
    fail("sample --sigma 3.2 --center 1000 --count 10 --dtype i8", 2, &["--dtype i8", "too narrow"]);
    fail("bench sample --sigma 215 --dtype i8", 2, &["--dtype i8", "too narrow", "i16"]);
    fail("bench sample --sigma 3.2 --method ziggurat --constant-time", 2, &["--constant-time", "ziggurat", "cdt-ct"]);
    assert!(names(folder.path()).is_empty());
    assert_eq!(succeed("sample --sigma 3.2 --count 10 --dtype i8 --quiet").lines().count(), 10);
}

#[test]
fn tables_that_do_not_fit_are_refused_with_their_size() {
    fail("sample --sigma 1e12 --method cdt --count 1", 2, &["161 TiB", "(--memory)"]);
    fail("certify --s 1e12 --method cdt", 2, &["TiB", "(--memory)"]);
    fail("certify --sigma 3.2 --method cdt --memory 100", 2, &["bytes", "100"]);
    fail("sample --s 8.35 --method karney --count 1", 2, &["s = 167/20", "karney"]);
}

#[test]
fn methods_refuse_what_they_cannot_honour() {
    for (arguments, says) in [
        ("--sigma 3.2 --method ziggurat --center 1/3", "center = 1/3"),
        ("--sigma 3.2 --method ziggurat --rectangles 1", "--rectangles = 1: must be between 2 and 65536"),
        ("--sigma 3.2 --method ziggurat --tail 0", "tail = 0"),
        ("--sigma 3.2 --method ziggurat --tail 41", "tail = 41"),
        ("--sigma 3.2 --method ziggurat --tail x", "not a number"),
        ("--sigma 3.2 --method rejection-table --tail 13.5", "tail = 27/2"),
        ("--sigma 3.2 --method rejection-table --center 1/3", "center = 1/3"),
        ("--sigma 1e9 --method ziggurat", "sigma = 1000000000"),
        ("--sigma 10 --method convolution", "sigma = 10"),
        ("--sigma 1e4 --method convolution --center 0.5", "center = 1/2"),
        ("--sigma 3.2 --method du-wei-4", "sigma = 16/5"),
        ("--sigma 254 --method du-wei-5", "sigma = 254"),
        ("--k-sigma2 2.5 --method du-wei-5-ky", "k-sigma2 = 5/2"),
        ("--sigma 215 --method bernoulli", "k-sigma2 only"),
        ("--k-sigma2 2.5 --method bernoulli", "k-sigma2 = 5/2"),
        ("--k-sigma2 268435457 --method bernoulli", "k <= 2^28"),
        ("--k-sigma2 254 --method bernoulli --center 1/2", "center = 1/2"),
        ("--k-sigma2 254 --method bernoulli --precision 0", "--precision = 0: must be between 1 and 256"),
        ("--k-sigma2 254 --method bernoulli --memory 100", "336 bytes"),
        ("--s 8.35 --method cks", "s = 167/20"),
        ("--s 8.35 --exact", "s = 167/20"),
    ] {
        fail(&format!("sample {arguments} --count 1"), 2, &[says]);
    }
}

#[test]
fn plans_of_what_cannot_be() {
    for command in ["plan", "sample --count 1", "methods"] {
        for bad in ["abc", "-1", "1.5", "nan", "99999999999999999999"] {
            let line = format!("{command} --sigma 3 --memory {bad}");
            fail(&line, 2, &[&format!("--memory = {bad}: must be a whole number of bytes")]);
        }
        for bad in ["abc", "-1", "nan", "inf", "1e300"] {
            fail(
                &format!("{command} --sigma 3 --setup-time {bad}"),
                2,
                &[&format!("--setup-time = {bad}: must be"), "seconds from 0"],
            );
        }
    }
    for bad in ["0", "999", "-1", "many", "1e9"] {
        fail(&format!("papers --repetitions {bad}"), 2, &["--repetitions", bad]);
    }
    for bad in ["0", "1001", "-1", "many"] {
        fail(&format!("bench papers --rounds {bad}"), 2, &["--rounds", bad]);
        fail(&format!("bench tradeoff --turn {bad}"), 2, &["--turn", bad]);
    }
    fail("bench papers --sigma 5", 2, &["--sigma", "5", "3.3311"]);
    fail("bench papers --json --csv", 2, &["--json", "--csv"]);
    fail("bench tradeoff --sigma 107", 2, &["--sigma", "107", "1.6e5"]);
    fail("bench tradeoff --out /dev/null/x", 3, &["/dev/null/x"]);
    for bad in ["X1", "B99", "b", "B15d", ""] {
        fail(&format!("report --out /dev/null/x --only={bad}"), 2, &["no such item"]);
    }
    fail("report --only E7 --out /dev/null/x", 3, &["cannot make /dev/null/x"]);
    fail("plan", 2, &["--sigma", "--sigma-squared", "--k-sigma2", "--s"]);
    fail("plan --sigma 0", 2, &["--sigma = 0: ", "greater than 0"]);
    fail(
        "plan --s 8.35 --exact",
        2,
        &["error: no method for D_Z(s = 167/20, center = 0), exact: ", "karney: --s = 167/20"],
    );
    fail("plan --s 8.35 --memory 0", 2, &["in at most 0 bytes", "cdt: takes about", "rejection: --s = 167/20"]);
    fail("plan --sigma 3 --setup-time 0", 2, &["set up within 0ns", "karney: takes about"]);
    fail("sample --count 1 --sigma 3.2 --exact --memory 100", 2, &["karney: takes about 4096 bytes"]);
    fail(
        "sample --count 1 --sigma 3.2 --method cdt --exact",
        2,
        &["error: --exact: cdt is certified, not exact; ", "karney"],
    );
    let asked = ["error: --constant-time: karney is of variable timing", "constant-time are cdt-ct"];
    fail("sample --count 1 --sigma 3.2 --method karney --constant-time", 2, &asked);
    let asked =
        ["error: --isochronous: karney is of variable timing", "isochronous are cdt-ct, cdt-lazy-ct, isochronous"];
    fail("sample --count 1 --sigma 3.2 --method karney --isochronous", 2, &asked);
    fail("sample --count 1 --sigma 3.2 --method isochronous --constant-time", 2, &["of isochronous timing", "cdt-ct"]);
    fail("sample --count 1 --s 8 --method isochronous", 2, &["s = 8", "rational sigma, 1 <= sigma <= 2^26"]);
    let refused = [
        "no method",
        "constant-time",
        "cdt-ct: --sigma = 100000: thresholds = ",
        "32767",
        "convolution-ct: --center = 1/3",
    ];
    fail("plan --sigma 1e5 --center 1/3 --constant-time", 2, &refused);
    let sums = "sample --count 1 --method convolution-ct";
    fail(&format!("{sums} --sigma 4"), 2, &["sigma = 4", "a wider sigma"]);
    fail(&format!("{sums} --s 25"), 2, &["s = 25", "a wider sigma"]);
    fail("sample --count 1 --sigma 1000 --method cdt-lazy-ct", 2, &["sigma = 1000: thresholds = 12774", "4095"]);
    fail("sample --count 1 --sigma 3.2 --method cdt-lazy-ct --memory 1000", 2, &["--memory = 1000", "1.72 KiB"]);
    fail(&format!("{sums} --sigma 1e18"), 2, &["1000000000000000000"]);
    fail(&format!("{sums} --sigma 215 --center 1/3"), 2, &["center = 1/3", "an integer center"]);
    fail(&format!("{sums} --sigma 215 --memory 100"), 2, &["base table", "100"]);
    fail(&format!("{sums} --sigma 215 --exact"), 2, &["error: --exact: convolution-ct is certified"]);
    fail("plan --sigma 3.2 --constant-time --exact", 2, &["no method", "constant-time", "exact"]);
}

#[test]
fn help_is_on_standard_output() {
    let (code, out, err) = run("--help");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    for command in ["sample", "verify", "certify", "plot", "methods", "plan", "sources", "Exit codes"] {
        assert!(out.contains(command), "{command}");
    }
    assert!(succeed("--version").starts_with("samplez "));
}

#[test]
fn benchmarks_refuse_wrong_arguments() {
    fail("bench sources --sources dice", 2, &["--sources", "dice", "kiss64"]);
    fail("bench sources --count 65535", 2, &["--count", "65535", "from 65536"]);
    fail("bench matrix --methods cdt,dice", 2, &["--methods", "dice", "ziggurat"]);
    fail("bench matrix --precision 257", 2, &["--precision", "257", "256"]);
    fail("bench matrix --count 0", 2, &["--count", "0"]);
    fail("bench matrix --sigma 215 --count 10", 2, &["sigma = 215", "bernoulli", "k-sigma2"]);
    fail("bench matrix --sources kiss64 --count 10 --out /dev/null/x", 3, &["cannot make"]);
}
