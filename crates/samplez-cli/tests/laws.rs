//! Distributions beside D_Z: `verify` and `certify` against rounded normals, cut distributions and residues.

use crate::common::{outcome, run, samplez, succeed};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Normal variables of σ = 1 by Box and Muller's method, from a generator of 64 bits, rounded.
fn rounded_normals(n: usize) -> Vec<i64> {
    normals(n).map(|x| x.round() as i64).collect()
}

/// The same, rounded down.
fn rounded_down(n: usize) -> Vec<i64> {
    normals(n).map(|x| x.floor() as i64).collect()
}

fn normals(n: usize) -> impl Iterator<Item = f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut uniform = move || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((x ^ x >> 31) >> 11) + 1) as f64 / (1_u64 << 53) as f64
    };
    (0..n).map(move |_| (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos())
}

fn write(path: &Path, values: impl IntoIterator<Item = i64>) -> String {
    fs::write(path, values.into_iter().map(|x| format!("{x}\n")).collect::<String>()).unwrap();
    path.display().to_string()
}

fn json(line: &str) -> Value {
    serde_json::from_str(&run(&format!("{line} --json")).1).expect("JSON")
}

#[test]
fn a_rounded_normal_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let values = rounded_normals(100_000);
    let normals = write(&folder.path().join("normals.txt"), values.iter().copied());
    let (code, out, _) = run(&format!("verify {normals} --sigma 1"));
    let last: Vec<&str> = out.lines().rev().take(2).collect();
    let law = "RoundedNormal(sigma = 1, center = 0)";
    let looks_like = |law: &str| {
        format!("The values look like samples of {law}: they pass for it, except that their order was not tested")
    };
    assert_eq!(code, Some(1));
    assert_eq!(last[0], looks_like(law));
    assert!(last[1].starts_with("REJECTED: "), "{out}");
    assert_eq!(json(&format!("verify {normals} --sigma 1"))["alternative"], law);

    // Rounded down, also in a file of residues; and a Skellam law, about 0 or 7.
    let floors: Vec<i64> = rounded_down(100_000);
    let file = write(&folder.path().join("floors.txt"), floors.iter().copied());
    let floor = "RoundedNormal(sigma = 1, center = -1/2)";
    let (exit, down, _) = run(&format!("verify {file} --sigma 1"));
    assert!(exit == Some(1) && down.ends_with(&format!("{}\n", looks_like(floor))), "{down}");
    assert_eq!(json(&format!("verify {file} --law rounded --sigma 1"))["alternative"], floor);
    assert_eq!(json(&format!("verify {file} --skellam 1"))["alternative"], "RoundedNormal(sigma^2 = 1, center = -1/2)");
    let residues = write(&folder.path().join("residues.txt"), floors.iter().map(|x| x.rem_euclid(12289)));
    let of_residues = json(&format!("verify {residues} --sigma 1 --modulus 12289"));
    assert_eq!(of_residues["alternative"], format!("{floor}, modulo 12289"));
    let skellam = folder.path().join("skellam.txt").display().to_string();
    succeed(&format!("sample --skellam 4 --count 1e5 --seed 3 --quiet --out {skellam}"));
    assert_eq!(json(&format!("verify {skellam} --sigma 2"))["alternative"], "Skellam(4)");
    let noise: Vec<i64> = fs::read_to_string(&skellam).unwrap().lines().map(|x| x.parse().unwrap()).collect();
    let moved = write(&folder.path().join("moved.txt"), noise.iter().map(|x| x + 7));
    assert_eq!(json(&format!("verify {moved} --sigma 2 --center 7"))["alternative"], "Skellam(4) + weights(7: 1)");
    let sorted = write(&folder.path().join("sorted.txt"), {
        let mut v = noise.clone();
        v.sort_unstable();
        v
    });
    assert_eq!(json(&format!("verify {sorted} --skellam 4"))["alternative"], Value::Null, "the values are right");

    // Through standard input, which is read once.
    let mut child = samplez()
        .args(["verify", "-", "--sigma", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&fs::read(&normals).unwrap()).unwrap();
    let (code, piped, _) = outcome(child.wait_with_output().unwrap());
    assert_eq!((code, piped), (Some(1), out.replace(&normals, "standard input")));

    // Rounded Laplace noise: Z₁Z₂ + Z₃Z₄ of normal variables is a Laplace variable.
    let all: Vec<f64> = self::normals(200_000).collect();
    let laplace = all.chunks(4).map(|z| 2.0 * (z[0] * z[1] + z[2] * z[3]));
    let noise = write(&folder.path().join("laplace.txt"), laplace.map(|x| x.round() as i64));
    for options in ["--law rounded --laplace 2", "--recipe law=rounded,laplace=2", "--recipe law=rounded&laplace=2"] {
        succeed(&format!("verify {noise} {options}"));
    }
    assert_eq!(json(&format!("verify {noise} --laplace 2"))["alternative"], "RoundedLaplace(2)");
    assert!(succeed(&format!("identify {noise}")).contains("--law rounded --laplace 2"));
    // The rounded normal passes, so the report names no other distribution.
    let out = succeed(&format!("verify {normals} --law rounded --sigma 1"));
    assert!(out.trim_end().lines().last().unwrap().starts_with("consistent: "), "{out}");
    assert_eq!(json(&format!("verify {normals} --law rounded --sigma 1"))["alternative"], Value::Null);
    // Neither law: no line.
    let (_, out, _) = run(&format!("verify {normals} --sigma 2"));
    assert!(out.trim_end().lines().last().unwrap().starts_with("REJECTED: "), "{out}");
    // The order is not at fault, and its rows reject.
    let hint = "The rows from x at lags on assume the law";
    let moved = write(&folder.path().join("moved.txt"), values.iter().map(|x| x + 1));
    let (_, wrong, _) = run(&format!("verify {moved} --sigma 1"));
    assert!(wrong.lines().rev().nth(1).is_some_and(|line| line.starts_with(hint)), "{wrong}");
    assert_eq!(json(&format!("verify {normals} --sigma 2"))["alternative"], Value::Null);

    // The other way round.
    let ideal = folder.path().join("ideal.npy").display().to_string();
    succeed(&format!("sample --sigma 1 --count 1e5 --seed 3 --quiet --out {ideal}"));
    let (code, out, _) = run(&format!("verify {ideal} --law rounded --sigma 1"));
    assert!(
        code == Some(1)
            && out
                .trim_end()
                .ends_with("look like samples of D_Z(sigma = 1, center = 0): they pass for it, except that their order was not tested"),
        "{out}"
    );

    // About 1/2 an end of an interval is the centre.
    let about = folder.path().join("about.npy").display().to_string();
    succeed(&format!("sample --sigma 3.2 --center 1/2 --count 1e4 --seed 3 --quiet --out {about}"));
    let out = succeed(&format!("verify {about} --sigma 3.2 --center 1/2"));
    assert!(out.contains("D_Z(sigma = 16/5, center = 1/2)"), "{out}");
    assert_eq!(run(&format!("verify {about} --law rounded --sigma 3.2")).0, Some(1));
    succeed(&format!("verify {about} --law rounded --sigma 3.2 --center 1/2"));

    // A clip.
    let clipped = write(&folder.path().join("clipped.txt"), values.into_iter().filter(|x| x.abs() <= 2));
    for cut in ["--clip 2", "--clip 2.5", "--range -2..2"] {
        let out = succeed(&format!("verify {clipped} --law rounded --sigma 1 {cut}"));
        assert!(out.contains("RoundedNormal(sigma = 1, center = 0), -2 <= x <= 2"), "{out}");
    }
    assert_eq!(run(&format!("verify {clipped} --law rounded --sigma 1")).0, Some(1));
    assert_eq!(run(&format!("verify {normals} --law rounded --sigma 1 --clip 2")).0, Some(1));
}

#[test]
fn residues_are_judged() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let lifted = path("lifted.txt").display().to_string();
    succeed(&format!("sample --sigma 3.2 --count 1e5 --seed 4 --quiet --out {lifted}"));
    let values: Vec<i64> = fs::read_to_string(&lifted).unwrap().lines().map(|line| line.parse().unwrap()).collect();
    let residues = write(&path("residues.txt"), values.iter().map(|x| x.rem_euclid(12289)));
    let out = succeed(&format!("verify {residues} --sigma 3.2 --modulus 12289"));
    assert!(out.contains("D_Z(sigma = 16/5, center = 0), modulo 12289"), "{out}");
    // The centred representatives are the lifted values here.
    let report = json(&format!("verify {residues} --sigma 3.2 --modulus 12289"));
    assert_eq!(report, json(&format!("verify {lifted} --sigma 3.2 --modulus 12289")));
    // Without the modulus the report names it.
    for (q, told) in [
        (12289, "residues modulo 12289 or a larger number: judge them with --modulus 12289, or the"),
        (1 << 16, "residues modulo 2^16: judge them with --modulus 65536\n"),
        (1 << 32, "residues modulo 2^32: judge them with --modulus 4294967296\n"),
        (1 << 62, "residues modulo 2^62: judge them with --modulus 4611686018427387904\n"),
    ] {
        let file = write(&path("q.txt"), values.iter().map(|x| x.rem_euclid(q)));
        let (code, out, _) = run(&format!("verify {file} --sigma 3.2"));
        assert!(code == Some(1) && out.contains(told) && out.contains("  below 1e-300  reject"), "{out}");
        assert_eq!(json(&format!("verify {file} --sigma 3.2"))["modulus"], q);
    }
    let (code, out, _) = run(&format!("verify {lifted} --sigma 3.5"));
    assert!(code == Some(1) && !out.contains("look like residues"), "{out}");
    assert_eq!(json(&format!("verify {lifted} --sigma 3.5"))["modulus"], Value::Null);
    // A picture is that of the values about the centre, also of residues of 64 bits, which a law's range may cross.
    let draw = |file: &str, q: &str| {
        let drawn = succeed(&format!("plot {file} --sigma 3.2 --modulus {q}"));
        drawn.split_once("\n").map_or(drawn.clone(), |(_, picture)| picture.to_string())
    };
    let wide = write(&path("wide.txt"), values.iter().map(|x| x.rem_euclid(1 << 32)));
    let most = path("most.txt");
    fs::write(&most, values.iter().map(|x| format!("{}\n", *x as u64)).collect::<String>()).unwrap();
    let most = most.display().to_string();
    for (file, q) in [(&residues, "12289"), (&wide, "4294967296"), (&most, "18446744073709551616")] {
        assert_eq!(draw(file, q), draw(&lifted, q), "{q}");
    }
    let (code, _, err) = run(&format!("plot {residues} --sigma 3.2 --modulus 100"));
    assert!(code == Some(2) && err.contains("expected residues from 0 to 99"), "{err}");
    let torus = path("torus.txt");
    fs::write(&torus, "0\n18446744073709551615\n").unwrap();
    for line in ["verify F --sigma 3.2", "identify F", "watch F --sigma 3.2"] {
        let err = run(&line.replace('F', &torus.display().to_string())).2;
        let told = "is not an integer of 64 bits; for residues modulo 2^64, add --modulus 18446744073709551616\n";
        assert!(err.contains(told), "{err}");
    }
    assert_eq!(run(&format!("verify {residues} --sigma 3.3 --modulus 12289")).0, Some(1));
    // A width beyond 64 bits, whose residues are uniform.
    let flood = path("flood.txt").display().to_string();
    succeed(&format!("sample --sigma 1e40 --center 1/3 --count 1e5 --seed 4 --quiet --out {flood}"));
    let flood = fs::read_to_string(flood).unwrap();
    // Digit by digit.
    let modulo = |line: &str, q: i64| {
        let sum = line.trim_start_matches('-').bytes().fold(0, |sum, digit| (10 * sum + i64::from(digit - b'0')) % q);
        if line.starts_with('-') { (q - sum) % q } else { sum }
    };
    for q in [7, 65536] {
        let file = write(&path("uniform.txt"), flood.lines().map(|line| modulo(line, q)));
        for command in ["verify", "watch"] {
            let wide = format!("{command} {file} --sigma 1e40 --center 1/3 --modulus {q}");
            assert_eq!(json(&wide)["law"], format!("D_Z(sigma = 1{}, center = 1/3), modulo {q}", "0".repeat(40)));
            succeed(&wide);
        }
        let one = write(&path("one.txt"), flood.lines().map(|line| modulo(line, q) / 2 * 2));
        assert_eq!(run(&format!("verify {one} --s 1e40 --modulus {q}")).0, Some(1), "{q}");
    }
    // A modulus smaller than the support.
    let small = write(&path("small.txt"), values.iter().map(|x| x.rem_euclid(5)));
    succeed(&format!("verify {small} --sigma 3.2 --modulus 5"));
    assert_eq!(run(&format!("verify {small} --sigma 1.2 --modulus 5")).0, Some(1));

    let mixed = write(&path("mixed.txt"), (0..200).map(|i| if i == 7 { 12000 } else { -3 }));
    let large = write(&path("large.txt"), (0..200).map(|i| if i == 7 { 12289 } else { 3 }));
    let low = write(&path("low.txt"), (0..200).map(|i| if i == 7 { -6145 } else { 3 }));
    let expected = "expected residues from 0 to 12288, or from -6144 to 6144, for --modulus 12289";
    for (file, found) in [(mixed, "values -3 and 12000"), (large, "value 12289"), (low, "value -6145")] {
        let (code, out, err) = run(&format!("verify {file} --sigma 3.2 --modulus 12289"));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert_eq!(err, format!("error: {file}: {found}: {expected}\n"));
    }
}

#[test]
fn tables_are_certified_against_other_laws() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("frodo.txt");
    fs::write(&table, "# form: frodo\n9288 8720 7216 5264 3384 1918 958 422 164 56 17 4 1\n").unwrap();
    let line = format!("certify --table {} --sigma 2.8", table.display());
    let of = |more: &str| json(&format!("{line} {more}"));
    let (ideal, rounded) = (of(""), of("--law rounded"));
    // The values of mpmath: crates/samplez-tables/tests/target_law.rs.
    let close = |value: &Value, want: f64| (value.as_f64().unwrap() - want).abs() < 1e-3;
    assert!(close(&ideal["log2_sd"], -8.593) && close(&rounded["log2_sd"], -14.477), "{rounded}");
    assert!(close(&rounded["log2_renyi"]["256"], -14.738) && close(&rounded["log2_tail"], -16.925), "{rounded}");
    assert_eq!(rounded["law"], "RoundedNormal(sigma = 14/5, center = 0)");
    assert_eq!(of("--law discrete"), ideal);
    let clipped = of("--law rounded --clip 12");
    assert!(
        clipped["law"].as_str().unwrap().ends_with("-12 <= x <= 12") && clipped["log2_tail"].as_f64().unwrap() < -100.0,
        "{clipped}"
    );
    // Weight where the law has none.
    assert!(of("--law rounded --clip 5")["log2_renyi"]["inf"].is_null());
    let text = succeed(&format!("{line} --law rounded"));
    assert!(text.contains("law                         RoundedNormal(sigma = 14/5, center = 0)\n"), "{text}");
}

#[test]
fn wrong_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder.path().join("x.txt"), (0..200).map(|i| i % 3 - 1));
    let modulus = "expected a whole number from 2 to 2^64, such as 12289";
    let range = "expected LOW..HIGH, two whole numbers with LOW at most HIGH, such as -19..19";
    for (options, parts) in [
        ("--clip 0", &["--clip = 0: expected a number above 0"][..]),
        ("--clip -19", &["--clip = -19: expected a number above 0"]),
        ("--clip abc", &["--clip", " = abc: ", "3.2, 16/5"]),
        ("--clip nan", &["--clip", " = nan: ", "3.2, 16/5"]),
        ("--clip 1/4 --center 1/2", &["--clip = 1/4: expected", "within which integers lie"]),
        ("--clip 3 --range -3..3", &["--clip", "--range", "cannot be used with"]),
        ("--range 5..2", &["--range", " = 5..2: ", range]),
        ("--range abc", &["--range", " = abc: ", range]),
        ("--range 1.5..2", &["--range", " = 1.5..2: ", range]),
        ("--range 3", &["--range", " = 3: ", range]),
        ("--range 900..1000", &["--range = 900..1000: expected a range that holds at least 2^-900"]),
        ("--modulus 0", &["--modulus", " = 0: ", modulus]),
        ("--modulus 1", &["--modulus", " = 1: ", modulus]),
        ("--modulus -5", &["--modulus", " = -5: ", modulus]),
        ("--modulus abc", &["--modulus", " = abc: ", modulus]),
        ("--modulus nan", &["--modulus", " = nan: ", modulus]),
        ("--modulus 2.5", &["--modulus", " = 2.5: ", modulus]),
        ("--modulus 18446744073709551617", &["--modulus", " = 18446744073709551617: ", modulus]),
        ("--law normal", &["--law", " = normal: ", "discrete, rounded"]),
        ("--law rounded --center 1/9223372036854775809", &["--center = 1/9223372036854775809: expected"]),
        ("--modulus 2 --clip 1e9 --sigma 1e9", &["--modulus = 2: expected", "4096 periods"]),
    ] {
        for sigma in [" --sigma 3.2", ""] {
            if sigma.is_empty() != options.contains("--sigma") {
                continue;
            }
            let (code, out, err) = run(&format!("verify {file}{sigma} {options}"));
            assert_eq!((code, out.as_str()), (Some(2), ""), "{options}: {err}");
            assert!(parts.iter().all(|part| err.contains(part)), "{options}: {err}");
        }
    }
    for (line, parts) in [
        ("verify {} --law rounded --sigma 0", &["--sigma = 0", "greater than 0"][..]),
        ("verify {} --law rounded --sigma nan", &["--sigma = nan"]),
        ("verify {} --law rounded", &["--sigma"]),
        ("verify {} --against {} --law rounded", &["--against", "--law"]),
        ("verify {} --against {} --clip 5", &["--against", "--clip"]),
        ("verify {} --against {} --modulus 5", &["--against", "--modulus"]),
        ("certify --sigma 3.2 --law rounded", &["--law = rounded: applies to tables only: add --table"]),
        ("certify --sigma 3.2 --clip 19", &["--clip = 19: applies to tables only: add --table"]),
        ("certify --sigma 3.2 --modulus 5", &["--modulus"]),
    ] {
        let (code, out, err) = run(&line.replace("{}", &file));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{line}: {err}");
        assert!(parts.iter().all(|part| err.contains(part)), "{line}: {err}");
    }
}

/// Runs the command on these arguments, one of which has spaces.
fn judged(arguments: &[&str]) -> (Option<i32>, String, String) {
    outcome(samplez().args(arguments).output().unwrap())
}

#[test]
fn sums_are_judged() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = |law: &str, seed: u8| -> Vec<i64> {
        succeed(&format!("sample {law} --count 1e5 --seed {seed} --quiet"))
            .lines()
            .map(|x| x.parse().unwrap())
            .collect()
    };
    let (a, b, c) = (drawn("--laplace 4", 1), drawn("--sigma 3.2", 2), drawn("--laplace 4", 3));
    let values: Vec<i64> = a.iter().zip(&b).zip(&c).map(|((a, b), c)| a + c - 1000 * b).collect();
    let sums = write(&folder.path().join("sums.txt"), values.iter().copied());
    let residues = write(&folder.path().join("residues.txt"), values.iter().map(|x| x.rem_euclid(12289)));
    let one = write(&folder.path().join("one.txt"), a.iter().copied());
    let law = "laplace=4,copies=2 - 1000*sigma=3.2";
    let shown = "2 copies of DiscreteLaplace(4) - 1000*D_Z(sigma = 16/5, center = 0)";
    let (code, out, err) = judged(&["verify", &sums, "--recipe", law]);
    assert!(code == Some(0) && out.contains(&format!("passes for samples of {shown} (")), "{out}{err}");
    assert_eq!(judged(&["verify", &residues, "--recipe", law, "--modulus", "12289"]).0, Some(0));
    assert_eq!(judged(&["watch", &sums, "--recipe", law]).0, Some(0));
    for (file, wrong) in [
        (&sums, "laplace=4 - 1000*sigma=3.2"),
        (&sums, "laplace=4 + laplace=4.3 + 1000*sigma=3.2"),
        (&sums, "laplace=4,copies=2 - 1000*sigma=3.3"),
        (&sums, "laplace=4,copies=2 - 1001*sigma=3.2"),
        (&sums, "laplace=4,copies=2 - 1000*sigma=3.2 + weights=1: 1"),
        (&one, "laplace=4 + weights=0: 5 1"),
    ] {
        let (code, out, err) = judged(&["verify", file, "--recipe", wrong]);
        assert!(code == Some(1) && err.is_empty(), "{wrong}: {out}{err}");
    }
    assert_eq!(judged(&["watch", &sums, "--recipe", "laplace=4,copies=2 - 1000*sigma=3.3"]).0, Some(1));
    // Two heaps far from the mean, whole and cut; a constant beyond q/2.
    let bits = drawn("--centered-binomial 1", 4);
    let heaps = b.iter().zip(&bits).map(|(b, bit)| b + 6000 * bit.signum().pow(2));
    let heaps = write(&folder.path().join("heaps.txt"), heaps);
    let (law, range) = ("sigma=3.2 + 6000*weights=0: 1 1", "-9000..9000");
    for cut in [&[][..], &["--modulus", "65536"], &["--modulus", "60000"], &["--range", range]] {
        let (code, out, err) = judged(&[&["verify", &heaps, "--recipe", law], cut].concat());
        assert_eq!(code, Some(0), "{cut:?}: {out}{err}");
    }
    let shifted = write(&folder.path().join("shifted.txt"), b.iter().map(|b| b + (1 << 29)));
    let law = "sigma=3.2 + weights=536870912: 1";
    assert_eq!(judged(&["verify", &shifted, "--recipe", law, "--modulus", "1073741824"]).0, Some(0));
    // What is excluded by its tails or its variance is not named.
    let far = write(&folder.path().join("far.txt"), b.iter().copied().chain([200]));
    let wide: Vec<i64> = drawn("--sigma 3.26", 5);
    let wide = write(&folder.path().join("wide.txt"), wide);
    for file in [&far, &wide] {
        let (code, out, _) = judged(&["verify", file, "--sigma", "3.2"]);
        assert!(code == Some(1) && !out.contains("look like"), "{out}");
    }

    let cases: &[(&[&str], &str)] = &[
        (&["--recipe", "laplace=4 + laplac=4"], "--recipe: laplac = 4: expected one of sigma, sigma_squared"),
        (
            &["--recipe", "laplace=4 +"],
            "--recipe: missing term: write a law, such as sigma=3.2, before and after each + and -",
        ),
        (
            &["--recipe", "laplace=4 + - ternary"],
            "--recipe: missing term: write a law, such as sigma=3.2, before and after each + and -",
        ),
        (
            &["--recipe", "2.5*ternary"],
            "--recipe: recipe = 2.5*ternary: expected a whole number above 0 before the star",
        ),
        (&["--recipe", "ternary,copies=1e3"], "--recipe: copies = 1e3: expected a whole number from 1 to 2^20"),
        (&["--recipe", "weights=0: 1 x"], "--recipe: weights = 0: 1 x: expected LOW: W W W, the least value and whole"),
        (
            &["--recipe", "sigma=1e7 + ternary"],
            "--recipe: recipe = D_Z(sigma = 10000000, center = 0) + Ternary: expected at most 2^20",
        ),
        (
            &["--recipe", "ternary - ternary", "--center", "1"],
            "--center 1: --recipe is a sum already, Ternary - Ternary; remove one of them",
        ),
        (
            &["--recipe", "ternary - ternary", "--law", "rounded"],
            "--law = rounded: Ternary - Ternary has no parameters of a Gaussian; leave it out",
        ),
        (
            &["--recipe", "ternary - ternary", "--clip", "1"],
            "--clip = 1: expected a law with a centre; cut a sum by a range instead",
        ),
        (
            &["--recipe", "ternary - ternary", "--laplace", "4"],
            "--laplace = 4: --recipe states a distribution too; pass only one of them",
        ),
    ];
    for (arguments, message) in cases {
        for command in ["verify", "watch"] {
            let (code, _, err) = judged(&[&[command, &one], *arguments].concat());
            assert!(code == Some(2) && err.starts_with(&format!("error: {message}")), "{arguments:?}: {err}");
        }
    }
}
