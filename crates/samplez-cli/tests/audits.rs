//! `samplez certify --table` on tables as they are written in code: every language and limb, what no entry covers, our own
//! output, and bad files.

use crate::common::{outcome, samplez};
use samplez::{Certificate, DiscreteGaussian, Recipe};
use samplez_tables::{Language, PlainTable, Whole, build_plain, emit};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The exit code, standard output and standard error of `certify --table FILE …` for this text.
fn certify(folder: &Path, text: &str, options: &str) -> (Option<i32>, String, String) {
    fs::write(folder.join("file"), text).unwrap();
    let mut command = samplez();
    command.args(["certify", "--table", "file"]).args(options.split_whitespace()).current_dir(folder);
    outcome(command.output().unwrap())
}

fn certified(folder: &Path, text: &str, options: &str) -> Value {
    let (code, out, err) = certify(folder, text, &format!("{options} --json"));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{options}\n{text}");
    serde_json::from_str(&out).unwrap()
}

fn law(text: &str) -> DiscreteGaussian {
    text.parse::<Recipe>().unwrap().gaussian().unwrap()
}

/// A table of 31 thresholds counted in 2^62: ⌊2^62 P(|X| <= k)⌋ at σ = 3.3.
fn thresholds() -> PlainTable {
    let table = build_plain(&law("sigma=3.3"), &"folded,head,len=31,62".parse().unwrap()).unwrap();
    assert_eq!(table.entries()[0], Whole::from(557_514_102_026_310_791));
    assert_eq!(table.entries()[30], Whole::from((1 << 62) - 1));
    table
}

fn number(entry: &Whole) -> u64 {
    entry.limbs()[0]
}

/// One draw in 2^62 is in no entry: each reading has its bounds, and none is taken in silence.
#[test]
fn uncovered_draws_are_stated() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = thresholds().entries().iter().map(|entry| format!("{entry}\n")).collect();
    let of = |form: &str| {
        let options = format!("--sigma 3.3 --form {form}");
        let found = certified(folder.path(), &text, &options);
        let (_, lines, _) = certify(folder.path(), &text, &options);
        let uncovered =
            lines.lines().find_map(|line| line.strip_prefix("uncovered")).map(|line| line.trim().to_string());
        let bound = |bound: &Value| bound.as_f64().unwrap();
        let bounds = [bound(&found["log2_sd"]), bound(&found["log2_renyi"]["inf"]), bound(&found["log2_tail"])];
        let stated = (found["table"]["uncovered"].clone(), found["table"]["rest"].clone());
        (bounds, stated, uncovered.unwrap_or_default())
    };
    let (again, stated, text) = of("folded,head,rest-again,62");
    assert_eq!(stated, ("1".into(), "rest-again".into()));
    assert_eq!(text, "1 of 2^62 draws, which are repeated (rest-again)");
    let (mode, _, text) = of("folded,head,rest-mode,62");
    assert_eq!(text, "1 of 2^62 draws, which return the mode (rest-mode)");
    let (next, _, text) = of("folded,head,rest-next,62");
    assert_eq!(text, "1 of 2^62 draws, which return -31 or 31 (rest-next)");
    // 2^-62/P(|X| = 31) - 1.
    let p = 2.0 * (-31.0_f64 * 31.0 / (2.0 * 3.3 * 3.3)).exp() / (3.3 * std::f64::consts::TAU.sqrt());
    let rinf = (0.5_f64.powi(62) / p - 1.0).log2();
    assert!((next[1] - rinf).abs() < 0.01 && again[1] < -8.0 && mode[1] < -8.0, "{next:?} {again:?} {mode:?}");
    assert!(again[2] > next[2] + 3.0);
    let (open, stated, text) = of("folded,head,62");
    assert_eq!(stated, ("1".into(), "any".into()));
    let start = "1 of 2^62 draws; the bounds hold if they are repeated, return the mode or return -31 or 31; ";
    assert!(text.starts_with(start) && text.ends_with("state rest-again, rest-mode or rest-next"), "{text}");
    for i in 0..3 {
        assert_eq!(open[i], again[i].max(mode[i]).max(next[i]), "{i}");
    }
    // A comparison by <= covers all draws, and moves this one to the mode.
    let (inclusive, stated, text) = of("folded,head,inclusive,62");
    assert_eq!((stated, text), (("0".into(), Value::Null), String::new()));
    assert_eq!(inclusive, mode);
}

/// The same numbers in every language, with numbers where none is meant.
#[test]
fn every_language_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let table = thresholds();
    let list = |item: &dyn Fn(u64) -> String| -> String {
        table.entries().iter().map(|entry| item(number(entry)) + ", ").collect::<String>()
    };
    let options = "--sigma 3.3 --form folded,head,rest-again,62";
    let wanted = certified(folder.path(), &list(&|n| n.to_string()), options);
    let [decimal, hex] = [list(&|n| n.to_string()), list(&|n| format!("{n:#x}"))];
    let lines = |suffix: &str, comment: &str| -> String {
        let line = |(k, entry): (usize, &Whole)| format!("    {entry}{suffix}, {comment} {k}: [7], {{8}} 9,\n");
        table.entries().iter().enumerate().map(line).collect()
    };
    let grouped = |sign: char| {
        list(&|n| {
            let digits = n.to_string();
            let groups = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
            groups.collect::<Vec<_>>().join(&sign.to_string())
        })
    };
    let (underscores, apostrophes) = (grouped('_'), grouped('\''));
    let texts = [
        decimal.replace(", ", "\n"),
        hex.replace(", ", "\r\n"),
        decimal.replace(", ", ";"),
        format!("\u{feff}# 12\n{decimal}"),
        format!("[{decimal}]"),
        format!("({decimal})"),
        // C
        format!(
            "#include <stdint.h>\n#define N 31\n#define M(x) {{ 3, \\\n  4, 5 }} \\\n  6\n/* 1, 2\n = {{3}} */\nstatic const uint64_t t[] = {{\n{}}};\n",
            lines("ULL", "//")
        ),
        format!(
            "const unsigned long T[31] = {{{}}}; // = {{4}}\nint f(int x) {{ return x[3] == 4; }}\n",
            list(&|n| format!("{n:#X}UL").replace('X', "x"))
        ),
        format!(
            "static const uint64_t t[31] __attribute__((aligned(32))) = {{ {} }};",
            list(&|n| format!("UINT64_C({n})"))
        ),
        format!("const u64 t[N_31] PROGMEM = {{ {} }};", list(&|n| format!("(uint64_t){n:#x}u"))),
        format!("uint64_t x[31][1] = {{ {} }};", list(&|n| format!("{{{n}}}"))),
        // C++
        format!("constexpr std::array<std::uint64_t, 31> t = {{{{ {apostrophes} }}}};"),
        format!("const std::vector<uint64_t> t{{ {hex} }};"),
        // Rust
        format!("const T: [u64; 31] = [{underscores}];"),
        format!("#[rustfmt::skip] pub static T: &'static [u64] = &[ /* 1 */ {} ];", list(&|n| format!("{n:#x}_u64"))),
        format!(
            "#[rustfmt::skip]\n#[allow(dead_code)] // 4\nconst T: [u64; N] = [\n{}];\nfn f(x: [u64; 3]) -> u64 {{ x[1] }}",
            lines("u64", "//")
        ),
        // Go
        format!("package p\nvar t = []uint64{{{decimal}}}\n"),
        format!("package p\nvar t = [31]uint64{{{hex}}}\n"),
        format!("package p\nvar t = [...]uint64{{ {} }}\n", list(&|n| format!("uint64({n})"))),
        // Python
        format!("\"\"\"Thresholds: [1, 2]\"\"\"\nimport numpy as np\nT = [\n{}]\nprint(T[3])\n", lines("", "#")),
        format!("T: list[int] = [{hex}]\n"),
        format!("T = np.array([{decimal}], dtype=object)\n"),
        format!("T = ({underscores})\n"),
        // JavaScript
        format!("export const t = [{}];", list(&|n| format!("{n}n"))),
        format!("const t = new BigUint64Array([\n{}]); // 3", lines("n", "//")),
        format!("let t = BigUint64Array.of({});", list(&|n| format!("{n:#x}n"))),
        format!("const t = [{}];", list(&|n| format!("BigInt(\"{n}\")"))),
        format!("{{\"sigma\": 3.3, \"bits\": 62, \"t\": [{}]}}", list(&|n| format!("\"{n}\"")).trim_end_matches(", ")),
        // A list that C defines, in one line or several.
        format!("#define T_LEN 31\n#define T {{{decimal}}}\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"),
        format!("# define T \\\n  {{ \\\n{}}}\nuint64_t x = 3;\n", decimal.replace(", ", ", \\\n")),
        // Julia
        format!("module M\nconst T_PREC = 62\n# exact [3]\nconst T = UInt128[\n  {hex}]\nend\n"),
        // Verilog and SystemVerilog, and a memory file
        format!(
            "`timescale 1ns/1ps\nmodule m;\n  localparam logic [61:0] T [0:30] = '{{\n{}}};\nendmodule\n",
            list(&|n| format!("62'h{n:X}"))
        ),
        format!("`default_nettype none\nparameter [61:0] T [0:30] = '{{{}}};\n`endif\n", list(&|n| format!("62'd{n}"))),
        table
            .entries()
            .iter()
            .enumerate()
            .map(|(i, entry)| format!("  assign z[{i:2}] = ((r < 62'd{entry}) ? 1'b1 : 1'b0);\n"))
            .collect(),
        format!("// 16 digits\n{}", list(&|n| format!("{n:016X}")).replace(", ", "\n")),
    ];
    for text in texts {
        assert_eq!(certified(folder.path(), &text, options), wanted, "{text}");
    }
    // One table in two places is one; of two, the line decides.
    let twice = format!("const T: [u64; 31] = [{hex}];\nmod tests {{ const T: [u64; 31] = [{decimal}]; }}\n");
    let other = format!("#if A\nuint64_t t[2] = {{4, 3}};\n#else\nuint64_t t[] = {{{decimal}}};\n#endif\n");
    for (text, array) in [(&twice, ""), (&twice, "--array T"), (&twice, "--array T:2"), (&other, "--array t:4")] {
        assert_eq!(certified(folder.path(), text, &format!("{options} {array}")), wanted, "{array} {text}");
    }
    // One of two arrays, and one of two columns.
    let two = format!("int a[2] = {{3, 4}};\nuint64_t t[] = {{ {decimal} }};");
    assert_eq!(certified(folder.path(), &two, &format!("{options} --array t")), wanted);
    let rows = |open: &str, close: &str| list(&|n| format!("{open}7, {n}{close}"));
    let columns = format!("uint64_t t[31][2] = {{ {} }};", rows("{", "}"));
    assert_eq!(certified(folder.path(), &columns, &format!("{options} --column 2")), wanted);
    let lines = rows("", "").replace(", 7", "\n7");
    assert_eq!(certified(folder.path(), &lines, &format!("{options} --column 2")), wanted);
}

/// The limbs of a number, the least significant first.
fn limbs(entry: &Whole, bits: u32, each: u32) -> Vec<u64> {
    let bit = |at: u32| entry.limbs().get(at as usize / 64).map_or(0, |limb| limb >> (at % 64) & 1);
    (0..each).map(|i| (0..bits).map(|j| bit(i * bits + j) << j).sum()).collect()
}

#[test]
fn limbs_of_every_width_and_order() {
    let folder = tempfile::tempdir().unwrap();
    for (recipe, form) in
        [("sigma=1.8205", "falcon"), ("sigma=1.278", "hawk"), ("sigma=3.3", "folded,head,rest-again,62")]
    {
        let table = build_plain(&law(recipe), &form.parse().unwrap()).unwrap();
        let wanted: Value = serde_json::from_str(&Certificate::of_table(&table).to_json()).unwrap();
        let (count, precision) = (table.entries().len(), table.form().precision);
        for bits in [16, 24, 31, 32, 64] {
            let each = precision.div_ceil(bits);
            for order in ["most-first", "least-first"] {
                let row = |entry: &Whole, suffix: &str| {
                    let mut limbs = limbs(entry, bits, each);
                    if order == "most-first" {
                        limbs.reverse();
                    }
                    limbs.iter().map(|limb| format!("{limb:#x}{suffix}")).collect::<Vec<_>>().join(", ")
                };
                let rows = |open: &str, close: &str, suffix: &str| -> String {
                    let rows = table.entries().iter().enumerate();
                    rows.map(|(k, entry)| format!("  {open}{}{close}, // {k}\n", row(entry, suffix))).collect()
                };
                let texts = [
                    format!("static const int32_t t[{count}][{each}] = {{\n{}}};", rows("{ ", " }", "L")),
                    format!("const T: [[u64; {each}]; {count}] = [\n{}];", rows("[", "]", "_u64")),
                    format!("static const uint32_t t[] = {{\n{}}};", rows("", "", "u")),
                    rows("", "", ""),
                    rows("{", "}", ""),
                ];
                for text in texts {
                    let options = format!("--{} --form {form} --limbs {bits}", recipe.replace('=', " "));
                    assert_eq!(certified(folder.path(), &text, &format!("{options},{order}")), wanted, "{text}");
                    // The order follows from the form.
                    assert_eq!(certified(folder.path(), &text, &options), wanted, "{bits} {text}");
                }
            }
        }
    }
}

/// Rows whose limbs are not stated: the message has the option that reads them.
#[test]
fn rows_need_their_limbs() {
    let folder = tempfile::tempdir().unwrap();
    let table = thresholds();
    let row =
        |entry: &Whole| format!("{{ {:#010x}L, {:#010x}L }},\n", number(entry) >> 31, number(entry) & 0x7fff_ffff);
    let rows: String = table.entries().iter().map(row).collect();
    let text = format!("static const int32_t noise_cdt[31][2] = {{\n{rows}}};\n");
    let options = "--sigma 3.3 --form folded,head,inclusive,62";
    let (code, _, err) = certify(folder.path(), &text, options);
    assert_eq!(code, Some(2));
    assert!(err.contains("`noise_cdt` has rows of 2 numbers") && err.contains("--limbs 31,most-first"), "{err}");
    let found = certified(folder.path(), &text, &format!("{options} --limbs 31,most-first"));
    assert_eq!(found["table"]["entries"], 31);
    assert!(found["log2_sd"].as_f64().unwrap() < -59.5);
    // The other order is no table, and these limbs have too few bits.
    for (limbs, part) in
        [("31,least-first", "line 3: entry 1 = "), ("30,most-first", "has 31 bits; expected at most 30")]
    {
        let (code, _, err) = certify(folder.path(), &text, &format!("{options} --limbs {limbs}"));
        assert!(code == Some(2) && err.contains(part), "{limbs}: {err}");
    }
}

/// Every language and form that `samplez table` writes, without an option.
#[test]
fn our_own_output_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for (recipe, form) in [
        ("sigma=3.2", "folded,tail,floor-weights,128"),
        ("sigma=3.2", "folded,tail,floor-weights,72"),
        ("sigma=3.2", "folded,tail,floor-weights,64"),
        ("sigma=3.2", "folded,tail,floor-weights,20"),
        ("k_sigma2=10,center=2", "folded,tail,rest-next,33"),
        ("s=8.35,center=1/3", "full,tail,floor-weights,256"),
        ("sigma_squared=10.5,center=-7/3", "full,head,53"),
        ("sigma=2,center=1/2", "full,pmf,nearest-weights,130"),
        ("sigma=1.8205", "falcon"),
        ("sigma=1.278,center=1/2", "hawk"),
        ("sigma=1.55", "lazer"),
        ("sigma=2.8", "mirrored,pmf,nearest-weights,16"),
        ("sigma=3.3", "folded,head,62"),
        ("sigma=3.2", "folded,head,inclusive,200"),
        ("sigma=3.2", "folded,pmf,rest-again,256"),
        ("sigma=3.2", "folded,pmf,rest-mode,128"),
        ("sigma=3.2", "half,pmf,rest-next,64"),
        ("sigma=3.2", "folded,tail,rest-again,len=9,100"),
        ("sigma=3.2", "folded,tail,rest-mode,len=9,64"),
        ("sigma=0.1", "folded,tail,8"),
        ("sigma=2.3,center=5", "mirrored,head,nearest,33"),
    ] {
        let table =
            build_plain(&law(recipe), &form.parse().unwrap()).unwrap_or_else(|e| panic!("{recipe} {form}: {e}"));
        let wanted: Value = serde_json::from_str(&Certificate::of_table(&table).to_json()).unwrap();
        for language in [Language::Rust, Language::C, Language::Csv] {
            let text = emit(&table, language, "NOISE");
            assert_eq!(certified(folder.path(), &text, ""), wanted, "{form}\n{text}");
            // The file says what becomes of uncovered draws.
            assert_eq!(text.contains("uncovered: "), wanted["table"]["uncovered"] != "0", "{text}");
            count += 1;
        }
    }
    assert_eq!(count, 63);
    // Another law than the file's is the user's to name; and a file without one needs it.
    let table = build_plain(&law("sigma=3.2"), &"folded,tail,72".parse().unwrap()).unwrap();
    let text = emit(&table, Language::C, "NOISE");
    let (code, out, err) = certify(folder.path(), &text, "--sigma 3.3 --json");
    assert!(code == Some(0) && err.starts_with("warning: "), "{err}");
    assert!(err.contains("states D_Z(sigma = 3.2, center = 0)"), "{err}");
    let other: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(other["law"], "D_Z(sigma = 33/10, center = 0)");
    assert!(other["log2_sd"].as_f64().unwrap() > -10.0);
    let (code, _, err) = certify(folder.path(), &text, "--sigma-squared 10.24");
    assert_eq!((code, err.as_str()), (Some(0), ""), "the same law in another form");
    let (code, _, err) = certify(folder.path(), &text.replace("law: D_Z", "law: N"), "");
    assert!(code == Some(2) && err.contains("--sigma"), "{err}");
    let (code, _, err) = certify(folder.path(), &text, "--method cdt");
    assert_eq!(code, Some(2), "{err}");
}

#[test]
fn bad_files_are_named_with_the_way_out() {
    let c = |body: &str| format!("#include <stdint.h>\nstatic const uint32_t t[] = {{\n{body}\n}};\n");
    let tail = "--form folded,tail,8";
    let own = emit(&build_plain(&law("sigma=3.2"), &"hawk".parse().unwrap()).unwrap(), Language::Csv, "T");
    let cut = own[..own.len() - 60].rsplit_once('\n').unwrap().0.to_string();
    let cases: Vec<(String, &str, &[&str])> = vec![
        // Gaps.
        ("5,,4\n".into(), tail, &["line 1", "an empty entry before `,`"]),
        ("5,\n,4\n".into(), tail, &["line 2", "an empty entry"]),
        (c("5, , 4"), tail, &["`t`: line 3", "an empty entry before `,`"]),
        (c(", 5, 4"), tail, &["line 3", "an empty entry"]),
        ("T = [5, None, 4]".into(), tail, &["line 1", "`None`", "not a whole number"]),
        (c("{5, 4}, {}, {3, 2}"), tail, &["row 2 has 0 numbers; expected 2, as in row 1"]),
        // Entries that are none.
        (c("5, -4"), tail, &["line 3", "`-4`", "not a whole number"]),
        (c("5, 4.5"), tail, &["line 3", "`4.5`"]),
        (c("5, 1 << 2"), tail, &["line 3", "`<`", "expressions are not evaluated"]),
        (c("5, 1e3"), tail, &["line 3", "`1e3`"]),
        (c("5, FOUR"), tail, &["line 3", "`FOUR`"]),
        (c("5, F(4)"), tail, &["line 3", "`F`: not a whole number"]),
        (c("5, \"4x\""), tail, &["line 3", "`4x`: not a whole number"]),
        (c("055, 4"), tail, &["line 3", "`055`", "octal"]),
        ("static T: [u64; 3] = [4; 3];".into(), tail, &["line 1", "`;`"]),
        // No law.
        (c("5, 6"), tail, &["line 3", "entry 1 = 6", "above entry 0 = 5"]),
        (c("6, 5"), "--form folded,head,8", &["line 3", "entry 1 = 5", "below entry 0 = 6"]),
        (c("200,\n57"), "--form folded,pmf,8", &["line 4", "entry 1 = 57", "sum is above one"]),
        (c("257, 4"), tail, &["line 3", "entry 0 = 257", "2^precision"]),
        (c("0, 0"), "--form folded,pmf,8", &["all are zero"]),
        // Limbs.
        (
            c("{1, 2}, {0, 3}"),
            tail,
            &["`t` has rows of 2 numbers", "--limbs 8,most-first", "least-first", "--column N"],
        ),
        (
            c("{8, 2},\n{0, 3}"),
            "--form folded,tail,6 --limbs 3",
            &["line 3", "limb 0x8 has 4 bits; expected at most 3"],
        ),
        (c("{7, 2}, {0, 16}"), "--form folded,tail,8 --limbs 4,least-first", &["limb 0x10 has 5 bits"]),
        (c("{1, 2}, {3}"), "--form folded,tail,8 --limbs 4", &["row 2 has 1 numbers; expected 2, as in row 1"]),
        (c("{1, 2}, 3"), tail, &["a number after rows"]),
        (c("1, {2, 3}"), tail, &["a row after numbers"]),
        (c("{{1, 2}, {3, 4}}, {{1, 2}, {3, 4}}"), tail, &["rows of rows"]),
        (c("1, 2, 3"), "--form folded,tail,8 --limbs 4", &["3 numbers", "8 bits takes 2 limbs of 4 bits"]),
        ("1 2 3\n4 5 6\n".into(), "--form folded,tail,8 --limbs 4", &["line 1: 3 numbers", "2 limbs of 4 bits"]),
        (c("{5, 5}, {3, 4}"), "--form folded,tail,8 --limbs 4", &["both orders", ",most-first or ,least-first"]),
        (c("{5, 6}, {6, 5}, {7, 7}"), "--form folded,tail,8 --limbs 4", &["no order", "most-first: line 3: entry 1"]),
        (c("5, 4"), "--form folded,tail,8 --limbs samplez,most-first", &["--limbs", "such as 31,most-first"]),
        (c("5, 4"), "--form folded,tail,8 --limbs 65", &["--limbs", "1 to 64"]),
        (c("5, 4"), "--form folded,tail,8 --limbs 4,middle", &["--limbs", "such as 31,most-first"]),
        (c("5, 4, 3"), "--form folded,tail,40 --limbs samplez", &["3 digits, but an entry of 40 bits takes 2"]),
        (c("5, 1"), "--form folded,tail,40 --limbs samplez", &["expected its last 24 bits to be 0"]),
        (c("{1, 2}, {0, 3}"), "--form folded,tail,8 --column 3", &["--column 3", "2 rows of 2 numbers"]),
        (c("1, 2"), "--form folded,tail,8 --column 1 --limbs 4", &["cannot be used with"]),
        (
            "0,100\n1,20\n3,4\n".into(),
            "--form folded,tail,8 --column 2",
            &["line 3", "the index 0x3 where 0x2 is next"],
        ),
        // Brackets, and the end of the file.
        ("uint8_t t[] = {5, 4".into(), tail, &["`t`: line 1", "`{` is not closed", "truncated"]),
        ("const T: [u8; 2] = [5, 4}".into(), tail, &["`}` closes `[` of line 1"]),
        ("uint8_t t[] = {5, 4}};".into(), tail, &["`}` closes no bracket"]),
        ("[5, 4]]".into(), tail, &["`]` closes no bracket"]),
        ("[[5], [4".into(), tail, &["`[` is not closed"]),
        ("[5, [4".into(), tail, &["a row after numbers"]),
        ("T = [5, 4] + [3]".into(), tail, &["`T`: line 1", "`+` after the array", "expressions are not evaluated"]),
        ("T = np.array([5, 4]) * 2".into(), tail, &["`*` after the array"]),
        ("5 4 /* 3".into(), tail, &["line 1", "/* is not closed"]),
        ("uint8_t t[3] = {5, 4};".into(), tail, &["has 2 numbers, but is declared with 3", "truncated"]),
        ("uint8_t t[2][3] = {{5, 4}, {3, 2}};".into(), tail, &["rows of 2 numbers, but is declared with rows of 3"]),
        ("const T: [[u8; 2]; 3] = [[5, 4], [3, 2]];".into(), tail, &["has 2 rows, but is declared with 3"]),
        (cut, "", &["entries, but line 4 states", "truncated"]),
        // No numbers, and too many arrays.
        ("int main(void) { return f(x); }".into(), tail, &["`int`", "not a whole number"]),
        ("x = y".into(), tail, &["contains no array of numbers"]),
        (c(""), tail, &["contains no array of numbers"]),
        ("[]".into(), tail, &["contains no numbers"]),
        ("/* 5, 4 */ // 3\n".into(), tail, &["contains no numbers"]),
        ("#define T 5, 4\n".into(), tail, &["contains no numbers", "such as #define T {3, 2}"]),
        ("int a[] = {5, 4};\nint b[2] = {3, 2};".into(), tail, &["2 arrays, `a` (line 1), `b` (line 2)", "--array a"]),
        (c("5, 4"), "--form folded,tail,8 --array u", &["--array u: not in the file", "`t` (line 2)"]),
        ("5, 4".into(), "--form folded,tail,8 --array u", &["contains no array; remove --array"]),
        (
            "int a[] = {5, 4};\nint a[] = {3, 2};".into(),
            "--form folded,tail,8 --array a",
            &["`a` (line 1), `a` (line 2)", "such as --array a:1"],
        ),
        ("int a[] = {5, 4};\nint a[] = {3, 2};".into(), tail, &["2 arrays", "such as --array a:1"]),
        (
            "int a[] = {5, 4};\nint a[] = {3, 2};".into(),
            "--form folded,tail,8 --array a:3",
            &["--array a:3: not in the file"],
        ),
        ("assign z[0] = r < 8'd5;\nassign z[2] = r < 8'd4;".into(), tail, &["line 2: `z[2]` where z[1] is next"]),
        ("reg [3:0] t [0:1] = '{4'd5, 4'd16};".into(), tail, &["`4'd16`: has 5 bits; expected at most 4"]),
        ("reg [3:0] t [0:1] = '{4'd5, 4'o7};".into(), tail, &["line 1"]),
        (c("5, 4"), "", &["the form of its numbers is missing", "--form"]),
        (format!("// form: folded,tail,8\n// form: hawk\n{}", c("5, 4")), "", &["line 2", "a second form"]),
        (format!("// limbs: 9x\n{}", c("5, 4")), tail, &["line 1", "limbs: 9x", "such as 31,most-first"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (text, options, parts) in cases {
        let law = if options.is_empty() && text.contains("law: ") { "" } else { "--sigma 3.2" };
        let (code, out, err) = certify(folder.path(), &text, &format!("{law} {options}"));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{options}\n{text}\n{err}");
        for part in parts {
            assert!(err.contains(part), "{options}\n{text}\nexpected \"{part}\" in:\n{err}");
        }
        assert!(!err.contains("panicked") && err.len() < 900, "{err}");
    }
}
