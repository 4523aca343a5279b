//! `samplez table` and `samplez certify --table`: ours and anyone's.

use crate::common::{fail, samplez, succeed};
use std::fs;
use std::process::Command;

const TABLES: &str = include_str!("../../../kat/published-tables.csv");

/// A folder with files in it.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Exit code, standard output, standard error of a command in a folder.
fn within(folder: &tempfile::TempDir, line: &str) -> (Option<i32>, String, String) {
    crate::common::outcome(samplez().args(line.split_whitespace()).current_dir(folder).output().unwrap())
}

/// What C makes of the emitted array is the list of numbers.
#[cfg_attr(windows, ignore = "compilers have other names there")]
#[test]
fn emitted_c_compiles_and_holds_the_numbers() {
    for (arguments, limbs) in [
        ("--sigma 1.8205 --form falcon", 2),
        ("--sigma 1.278 --center 1/2 --form hawk", 2),
        ("--sigma 3.2 --precision 64", 1),
        ("--sigma 3.2 --center 1/3 --precision 256", 4),
    ] {
        let folder = folder(&[]);
        let (code, _, err) = within(&folder, &format!("table {arguments} --emit c --name NOISE --out noise.h"));
        assert_eq!((code, err.as_str()), (Some(0), ""));
        let place = if limbs == 1 { "NOISE[k]" } else { "NOISE[k][i]" };
        let program = format!(
            "#include \"noise.h\"\n#include <inttypes.h>\n#include <stdio.h>\nint main(void) {{\n\
             for (int k = 0; k < NOISE_LEN; k++) {{ printf(\"0x\");\n\
             for (int i = {limbs} - 1; i >= 0; i--) printf(\"%016\" PRIx64, {place});\n\
             printf(\"\\n\"); }}\nprintf(\"# %d\\n\", NOISE_BITS);\nreturn 0; }}\n"
        );
        fs::write(folder.path().join("main.c"), program).unwrap();
        let mut cc = Command::new("cc");
        cc.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "main.c", "-o", "main"]).current_dir(&folder);
        assert!(cc.status().unwrap().success());
        let printed = Command::new(folder.path().join("main")).output().unwrap();
        let printed = String::from_utf8(printed.stdout).unwrap();
        let list = succeed(&format!("table {arguments} --emit csv"));
        let wanted: Vec<_> = list.lines().filter(|line| !line.starts_with('#')).map(hexadecimal).collect();
        let found: Vec<_> = printed.lines().filter(|line| !line.starts_with('#')).map(hexadecimal).collect();
        assert_eq!(found, wanted, "{arguments}");
        assert!(found.len() > 10);
    }
}

fn hexadecimal(number: &str) -> String {
    format!("{:#x}", number.parse::<samplez_tables::Whole>().unwrap())
}

/// Everyone's tables, as they are published, and the bounds that an independent sum finds.
#[test]
fn published_tables_are_audited() {
    let bounds = include_str!("../../../kat/published-bounds.csv");
    let mut count = 0;
    for row in TABLES.lines().skip(1) {
        let [name, form, sigma, center, entries] = row.split(';').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let folder = folder(&[("table.txt", &entries.replace(' ', ",\n"))]);
        let line = format!("certify --table table.txt --sigma {sigma} --center {center} --form {form} --json");
        let (code, out, err) = within(&folder, &line);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{name}");
        let found: serde_json::Value = serde_json::from_str(&out).unwrap();
        let wanted = bounds.lines().find(|line| line.split(';').next() == Some(name)).unwrap();
        let wanted: Vec<f64> = wanted.split(';').skip(4).map(|bound| bound.parse().unwrap()).collect();
        let renyi = &found["log2_renyi"];
        let names = [&found["log2_sd"], &renyi["2"], &renyi["256"], &renyi["513"], &renyi["inf"], &found["log2_tail"]];
        for (found, wanted) in names.into_iter().zip(wanted) {
            let found = found.as_f64().unwrap();
            assert!((0.0..0.02).contains(&(found - wanted + 1e-9)), "{name}: {found} {wanted}");
        }
        count += 1;
    }
    assert_eq!(count, 10);
}

/// What `--emit csv` writes says all that an audit needs.
#[test]
fn a_written_table_is_audited_as_the_certificate_says() {
    let folder = folder(&[]);
    for (law, method) in [("--sigma 3.2", "cdt"), ("--k-sigma2 10 --center 2", "cdt"), ("--s 8.35 --center 1/3", "cdt")]
    {
        let (code, ..) = within(&folder, &format!("table {law} --precision 72 --emit csv --out table.csv"));
        assert_eq!(code, Some(0));
        let (code, audited, err) = within(&folder, &format!("certify --table table.csv {law} --json"));
        assert_eq!((code, err.as_str()), (Some(0), ""));
        let certified = succeed(&format!("certify {law} --method {method} --precision 72 --json"));
        let [audited, certified] = [audited, certified].map(|t| serde_json::from_str::<serde_json::Value>(&t).unwrap());
        for name in ["law", "center", "width", "precision", "exact"] {
            assert_eq!(audited[name], certified[name], "{name}");
        }
        let difference = audited["log2_sd"].as_f64().unwrap() - certified["log2_sd"].as_f64().unwrap();
        assert!(difference.abs() < 1e-6, "{difference}");
        let (_, text, _) = within(&folder, &format!("certify --table table.csv {law}"));
        let rows = ["statistical distance", "entries\n", "support  ", "form  ", "bits kept of 128, search"];
        assert!(rows.iter().all(|row| text.contains(row)) && !text.contains("timing"), "{text}");
        // The same fields, and what no table has is null.
        let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let mut of_both = keys(&audited);
        of_both.retain(|name| name != "table");
        assert_eq!(of_both, keys(&certified));
        for name in ["method", "table_bytes", "expected_bits", "expected_trials", "timing"] {
            assert!(audited[name].is_null(), "{name}: {audited}");
        }
        assert_eq!(audited["support"], certified["support"]);
        assert!(audited["table"]["entries"].as_u64() > Some(20) && audited["table"]["form"].is_string());
    }
}

#[test]
fn wrong_files_are_named_by_line_and_value() {
    let cases: [(&str, &str, &[&str]); 14] = [
        ("", "--form hawk", &["contains no numbers"]),
        ("# nothing\n\n", "--form hawk", &["contains no numbers"]),
        ("5\n4\n", "", &["the form of its numbers is missing", "--form"]),
        ("5\nfive\n", "--form hawk", &["line 2", "`five`", "decimal digits"]),
        ("5\n-4\n", "--form hawk", &["line 2", "`-4`", "not a whole number"]),
        ("5 4.5\n", "--form hawk", &["line 1", "`4.5`"]),
        ("1e3\n", "--form hawk", &["line 1", "`1e3`"]),
        ("5\n\n4 3\n9\n", "--form hawk", &["line 4", "entry 3 = 9", "above entry 2 = 3"]),
        ("5\n9\n4", "--form folded,head,8", &["line 3", "entry 2 = 4", "below entry 1 = 9"]),
        ("0x101\n5\n", "--form folded,tail,8", &["line 1", "entry 0 = 257", "2^precision"]),
        ("200\n50\n7\n", "--form folded,pmf,8", &["line 3", "entry 2 = 7", "sum is above one"]),
        ("5\n4\n", "--form folded,tail,len=3,8", &["2 entries: expected 3"]),
        ("# form: folded,8\n5\n", "", &["line 1", "form = folded,8", "tail, head, pmf"]),
        ("# form: folded,tail,8\n5\n# form: folded,tail,9\n", "", &["line 3", "second form"]),
    ];
    for (text, form, parts) in cases {
        let folder = folder(&[("bad.csv", text)]);
        let (code, out, err) = within(&folder, &format!("certify --table bad.csv --sigma 3.2 {form}"));
        assert_eq!((code, out.as_str(), err.lines().count()), (Some(2), "", 1), "{text:?}: {err}");
        assert!(err.starts_with("error: bad.csv: ") && parts.iter().all(|part| err.contains(part)), "{err}");
    }
    let folder = folder(&[("good.csv", "5\n4\n")]);
    fs::write(folder.path().join("binary"), [0xff, 0xfe, 0x00]).unwrap();
    for (line, part) in [
        ("certify --table binary --sigma 3 --form hawk", "is not text"),
        ("certify --table nowhere --sigma 3 --form hawk", "cannot open"),
        ("certify --table good.csv --sigma 3 --center 1/3 --form hawk", "multiple of 1/2"),
        (
            "certify --table good.csv --sigma 3 --form hawk --precision 72",
            "--precision = 72: does not apply to a table, whose form",
        ),
        ("certify --table good.csv --sigma 3 --form hawk --method cdt", "--method = cdt: does not apply to a table"),
        ("certify --table good.csv --form hawk", "--sigma"),
        ("certify --sigma 3 --form hawk", "--table"),
    ] {
        let (code, out, err) = within(&folder, line);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{line}");
        assert!(err.contains(part), "{line}: {err}");
    }
}

#[test]
fn wrong_arguments_of_table() {
    fail("table --sigma 3.2", 2, &["--emit"]);
    fail("table --emit rust", 2, &["--sigma"]);
    fail("table --sigma 3.2 --emit ada", 2, &["--emit", "ada", "rust, c, csv"]);
    for bad in ["0", "257", "-1", "many"] {
        fail(&format!("table --sigma 3.2 --emit c --precision {bad}"), 2, &["--precision", bad]);
    }
    for bad in ["9", "a-b", "_", "naïve"] {
        fail(&format!("table --sigma 3.2 --emit c --name {bad}"), 2, &["--name", bad, "letters, digits"]);
    }
    fail("table --sigma 3.2 --emit c --form hawk --precision 72", 2, &["cannot be used with"]);
    fail("table --sigma 3.2 --emit c --form kestrel", 2, &["--form", "kestrel", "falcon, hawk, lazer, frodo"]);
    fail("table --sigma 1e12 --emit c", 2, &["--sigma = 1e12: takes about ", "more than 1048576"]);
    fail("table --sigma 3.2 --center 1/3 --form hawk --emit c", 2, &["--center = 1/3", "multiple of 1/2"]);
    for name in ["int", "class", "uint64_t"] {
        fail(
            &format!("table --sigma 3.2 --emit c --name {name}"),
            2,
            &[&format!("--name = {name}: "), "C or C++", "NOISE"],
        );
    }
    fail("table --sigma 3.2 --emit c --name _noise", 2, &["--name = _noise: ", "C reserves"]);
    for name in ["fn", "Self", "law"] {
        fail(
            &format!("table --sigma 3.2 --emit rust --name {name}"),
            2,
            &[&format!("--name = {name}: "), "Rust", "NOISE"],
        );
    }
    for emit in ["c", "rust", "csv"] {
        let way_out = ["--form = frodo: ", "2.8, 2.3 and 1.4", "--form folded,head,nearest,inclusive,15"];
        fail(&format!("table --sigma 3.2 --form frodo --emit {emit}"), 2, &way_out);
    }
    fail("table --sigma 3.2 --emit csv --out /nowhere/at/all", 3, &["cannot write /nowhere/at/all"]);
}

/// FrodoKEM's digits as its specification lists them, in files that an audit reads and that their commands repeat.
#[test]
fn frodo_has_the_published_digits() {
    let mut seen = 0;
    for row in TABLES.lines().filter(|row| row.starts_with("FrodoKEM")) {
        let [_, _, sigma, _, entries] = row.split(';').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let text = succeed(&format!("table --sigma {sigma} --form frodo --emit csv"));
        let digits: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(digits.join(" "), entries, "{sigma}");
        for (emit, sign) in [("csv", "# "), ("c", " * "), ("rust", "// ")] {
            let folder = folder(&[]);
            let arguments = format!("table --sigma {sigma} --form frodo --emit {emit} --name NOISE");
            assert_eq!(
                within(&folder, &format!("{arguments} --out table.txt")),
                (Some(0), String::new(), String::new())
            );
            let text = fs::read_to_string(folder.path().join("table.txt")).unwrap();
            for fact in ["published: FrodoKEM's specification", "Renyi R_inf - 1 from the rounded normal", "form: "] {
                assert!(text.contains(&format!("\n{sign}{fact}")), "{text}");
            }
            let origin = text.lines().find_map(|line| line.split_once("origin: samplez ")).unwrap().1;
            assert_eq!(succeed(origin), text);
            let (code, _, err) = within(&folder, &format!("certify --table table.txt --sigma {sigma} --form frodo"));
            assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments}");
        }
        seen += 1;
    }
    assert_eq!(seen, 3);
}

/// A narrow table whose weights cannot be rounded: the form of the message can be written.
#[test]
fn a_form_is_the_way_out_of_undecided_weights() {
    for (law, line, rest) in
        [("--sigma 1/100", "folded,tail,", ""), ("--sigma 1/100 --center -1/3", "full,tail,", "first=-2,")]
    {
        for emit in ["csv", "c-sampler"] {
            let (code, _, err) = within(&folder(&[]), &format!("table {law} --precision 64 --emit {emit}"));
            assert_eq!(code, Some(2), "{err}");
            let way_out = err.split_once("; use --form ").unwrap().1.split_once(", which").unwrap().0;
            assert_eq!(way_out, format!("{line}nearest,{rest}64"), "{err}");
            succeed(&format!("table {law} --form {way_out} --emit csv"));
        }
    }
}

/// The file is JSON, and its command writes it again. python/tests/test_tables.py audits the numbers.
#[test]
fn the_command_of_a_json_table_repeats_it() {
    for (arguments, member, len) in [
        ("--sigma 3.2", "thresholds", 42),
        ("--sigma 3.2 --center 1/3 --method knuth-yao-compact --exact", "probabilities", 84),
        ("--sigma 20 --method ziggurat --rectangles 9 --precision 70", "heights", 10),
        ("--k-sigma2 254 --method bernoulli", "coins", 21),
        ("--sigma 3.33 --method rejection-table", "heights", 44),
        ("--sigma 215 --method convolution-ct", "legs", 1),
        ("--recipe sigma=3.2,center=-7/3,method=isochronous", "weights", 39),
    ] {
        let text = succeed(&format!("table {arguments} --emit json"));
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["table"][member].as_array().unwrap().len(), len, "{arguments}");
        let command = json["command"].as_str().unwrap().strip_prefix("samplez ").unwrap();
        assert_eq!(succeed(command), text, "{arguments}");
    }
}

#[test]
fn what_is_no_table_is_refused() {
    for (arguments, wanted) in [
        ("--sigma 3 --method cks --emit json", "--method = cks: has no table; expected one of cdt, "),
        (
            "--recipe sigma=3,method=karney --emit json",
            "--recipe: method = karney: has no table; expected one of cdt, ",
        ),
        (
            "--sigma 3 --method cdt --emit c",
            "--method = cdt: does not shape the inversion table, which --emit c writes",
        ),
        ("--sigma 3 --rectangles 64 --emit csv", "--rectangles = 64: does not shape the inversion table"),
        ("--sigma 3 --rectangles 64 --emit json", "--rectangles = 64: cdt has no such option"),
        ("--sigma 3 --name NOISE --emit json", "--name NOISE: --emit json writes the form of the method"),
        (
            "--sigma 1e5 --method cdt --emit json",
            "--sigma = 1e5: the table has 1240839 entries, and a file at most 1048576",
        ),
    ] {
        fail(&format!("table {arguments}"), 2, &[&format!("error: {wanted}")]);
    }
}
