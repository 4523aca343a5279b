//! `samplez table --emit c-sampler` and the like: the files are compiled and run, and compared with the table's numbers.
#![cfg(unix)]

use crate::common::{fail, samplez, succeed};
use samplez::{BitSource, DiscreteGaussian, Sampler, Width};
use samplez_core::samplers::CdtCt;
use samplez_tables::{CdtOptions, Whole, build_cdt};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Distributions and forms: the precision at, below and above limbs, every way to compare, and every shape.
const CASES: [&str; 14] = [
    "--sigma 3.2",
    "--sigma 3.2 --precision 127",
    "--sigma 3.2 --center 1/3 --precision 64",
    "--sigma 1.7 --center -300 --precision 72",
    "--sigma 25 --center 70001/2 --precision 65",
    "--sigma 4/3 --precision 256",
    "--sigma 0.4 --precision 1",
    "--sigma 2.5 --precision 31",
    "--sigma 1.8205 --form falcon",
    "--sigma 1.278 --center 1/2 --form hawk",
    "--sigma 2.8 --form frodo",
    "--sigma 3.3 --form folded,head,nearest,inclusive,62",
    "--sigma 2 --form folded,tail,inclusive,48",
    "--sigma 2 --center 1/4 --form full,head,inclusive,80",
];

/// A head that is not inclusive ends before 2^bits.
const HEAD: &str = "--sigma 3 --form folded,head,len=12,96";

/// Runs a command in a folder; its standard output, if it succeeds.
fn done(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{program} {arguments:?}\n{out}\n{err}");
    out
}

/// Whether this program is there. The tests of a language need its compiler.
fn is_there(program: &str, version: &str) -> bool {
    let found = Command::new(program).arg(version).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("{program} is not there: its part is skipped");
    }
    found
}

fn emitted(folder: &Path, arguments: &str, emit: &str, file: &str) {
    // The command notes that it replaces a file.
    let _ = fs::remove_file(folder.join(file));
    let line = format!("table {arguments} --emit {emit}-sampler --out {file}");
    let output = samplez().args(line.split_whitespace()).current_dir(folder).output().unwrap();
    assert_eq!(crate::common::outcome(output), (Some(0), String::new(), String::new()), "{line}");
}

/// The compilers of C that are there.
fn compilers() -> Vec<&'static str> {
    ["cc", "clang"].into_iter().filter(|name| is_there(name, "--version")).collect()
}

const WARN: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-pedantic"];

/// Every case with limbs of every width, as n0.c, n1.c, …, and the names of those in C89 and in C99.
fn emitted_c(folder: &Path) -> [Vec<String>; 2] {
    let mut names = [Vec::new(), Vec::new()];
    for (i, case) in CASES.into_iter().chain([HEAD]).enumerate() {
        for (k, limbs) in [16, 24, 32, 64].into_iter().enumerate() {
            let name = format!("n{}", 4 * i + k);
            emitted(folder, &format!("{case} --limbs {limbs} --name {name}"), "c", &format!("{name}.c"));
            names[usize::from(limbs == 64)].push(name);
        }
    }
    names
}

/// Three compilers, three standards, sixty files. Only C89's are optimized, and tcc has no C++.
#[test]
fn c_compiles_as_c89_and_cpp17_and_passes_its_self_test() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let [c89, c99] = emitted_c(at);
    let all = [&c89[..], &c99[..]].concat();
    for compiler in compilers().into_iter().chain(["tcc"].into_iter().filter(|name| is_there(name, "-v"))) {
        for (names, language) in [
            (&c89, ["-xc", "-std=c89", "-O2"]),
            (&c99, ["-xc", "-std=c99", "-O0"]),
            (&all, ["-xc++", "-std=c++17", "-O0"]),
        ] {
            if compiler == "tcc" && language[0] == "-xc++" {
                continue;
            }
            let mut program = String::new();
            for name in names {
                let upper = name.to_uppercase();
                program += &format!(
                    "#define {upper}_SELFTEST\n#define main {name}_main\n#include \"{name}.c\"\n#undef main\n"
                );
            }
            let calls: String =
                names.iter().map(|name| format!("if ({name}_main()) return {};\n", &name[1..])).collect();
            fs::write(at.join("all.c"), format!("{program}int main(void) {{\n{calls}return 0; }}\n")).unwrap();
            let options = [&language[..], &WARN, &["all.c", "-o", "all"]].concat();
            done(at, compiler, &options);
            done(at, "./all", &[]);
        }
        // A file by itself, with its program and without.
        done(at, compiler, &[&["-std=c89"], &WARN[..], &["-DN0_SELFTEST", "n0.c", "-o", "n0"]].concat());
        done(at, "./n0", &[]);
        done(at, compiler, &[&["-std=c89"], &WARN[..], &["-c", "n0.c", "-o", "n0.o"]].concat());
    }
}

#[test]
fn rust_compiles_without_std_and_passes_its_self_test() {
    let folder = tempfile::tempdir().unwrap();
    let (at, mut modules) = (folder.path(), String::new());
    for (i, case) in CASES.into_iter().chain([HEAD]).enumerate() {
        for limbs in [16, 24, 32, 64] {
            emitted(at, &format!("{case} --limbs {limbs}"), "rust", &format!("m{i}_{limbs}.rs"));
            modules += &format!("pub mod m{i}_{limbs};\n");
        }
    }
    fs::write(at.join("lib.rs"), format!("#![cfg_attr(not(test), no_std)]\n#![forbid(unsafe_code)]\n{modules}"))
        .unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or("rustc".into());
    let all = ["--edition=2021", "-Dwarnings", "lib.rs"];
    done(at, &rustc, &[&all[..], &["--crate-type=lib", "-o", "lib.rlib"]].concat());
    done(at, &rustc, &[&all[..], &["--test", "-o", "tests"]].concat());
    assert!(done(at, "./tests", &["--quiet"]).contains("60 passed"));
}

#[test]
fn go_passes_its_self_test() {
    if !is_there("go", "version") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (at, mut imports, mut calls) = (folder.path(), String::new(), String::new());
    fs::write(at.join("go.mod"), "module example.org/samplers\n\ngo 1.19\n").unwrap();
    for (i, case) in CASES.into_iter().chain([HEAD]).enumerate() {
        for limbs in [16, 24, 32, 64] {
            let name = format!("m{i}x{limbs}");
            fs::create_dir(at.join(&name)).unwrap();
            emitted(at, &format!("{case} --limbs {limbs} --name {name}"), "go", &format!("{name}/{name}.go"));
            imports += &format!("\t\"example.org/samplers/{name}\"\n");
            calls += &format!("\tcheck(\"{case}\", {name}.SelfTest())\n");
        }
    }
    let program = format!(
        "package main\n\nimport (\n{imports})\n\nfunc check(name string, err error) {{\n\tif err != nil {{\n\t\tpanic(name + \": \" + err.Error())\n\t}}\n}}\n\nfunc main() {{\n{calls}}}\n"
    );
    fs::write(at.join("main.go"), program).unwrap();
    done(at, "go", &["vet", "./..."]);
    done(at, "go", &["run", "."]);
    if is_there("gofmt", "-h") {
        fs::remove_file(at.join("main.go")).unwrap();
        assert_eq!(done(at, "gofmt", &["-l", "."]), "", "gofmt would change these");
    }
}

#[test]
fn javascript_passes_its_self_test() {
    if !is_there("node", "--version") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (at, mut program) = (folder.path(), String::new());
    for (i, case) in CASES.into_iter().chain([HEAD]).enumerate() {
        for limbs in [16, 24] {
            emitted(at, &format!("{case} --limbs {limbs}"), "js", &format!("m{i}x{limbs}.mjs"));
            program += &format!("import * as m{i}x{limbs} from './m{i}x{limbs}.mjs';\nm{i}x{limbs}.selfTest();\n");
        }
    }
    fs::write(at.join("main.mjs"), program + "console.log('passed');\n").unwrap();
    assert_eq!(done(at, "node", &["main.mjs"]), "passed\n");
}

/// Mistakes of a caller throw, and nothing is drawn.
#[test]
fn javascript_refuses_wrong_arguments() {
    if !is_there("node", "--version") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (file, arguments) in
        [("i8", "--sigma 3.2"), ("i16", "--sigma 215 --precision 64"), ("i32", "--dtype i32 --sigma 3.2")]
    {
        emitted(at, arguments, "js", &format!("{file}.mjs"));
    }
    let program = "import assert from 'node:assert';\n\
        const read = (bytes) => crypto.getRandomValues(bytes);\n\
        const arrays = [Int8Array, Int16Array, Int32Array];\n\
        for (const [width, name] of ['i8', 'i16', 'i32'].entries()) {\n\
        const { BYTES, fill, sample } = await import(`./${name}.mjs`);\n\
        for (const length of [0, BYTES - 1, BYTES + 1]) assert.throws(() => sample(new Uint8Array(length)),\n\
        { name: 'RangeError', message: `record.length = ${length}: expected ${BYTES} bytes` });\n\
        assert.ok(Number.isInteger(sample(new Uint8Array(BYTES))));\n\
        const out = new Int32Array(4).fill(7);\n\
        for (const wrong of [async (bytes) => { read(bytes); }, () => ({ then() {} })])\n\
        assert.throws(() => fill(out, wrong), { name: 'TypeError', message: /returned a promise/ });\n\
        assert.deepEqual([...out], [0, 0, 0, 0]);\n\
        for (const [i, type] of arrays.entries()) {\n\
        const draw = () => fill(new type(4), read);\n\
        if (i >= width) draw();\n\
        else assert.throws(draw, { name: 'TypeError', message: new RegExp(`${type.name}: .*${arrays[width].name}`) }); }\n\
        fill(new (class extends Int32Array {})(4), read);\n\
        for (const wrong of [new Uint8Array(4), new Float64Array(4), new BigInt64Array(4), 'text', { length: 4 }, 4, null, undefined])\n\
        assert.throws(() => fill(wrong, read), { name: 'TypeError', message: /^out is of type .*Int32Array$/ }); }\n\
        console.log('passed');\n";
    fs::write(at.join("main.mjs"), format!("import {{ webcrypto as crypto }} from 'node:crypto';\n{program}")).unwrap();
    assert_eq!(done(at, "node", &["main.mjs"]), "passed\n");
}

/// SplitMix64's bytes.
fn bytes(count: usize) -> Vec<u8> {
    let mut state = 7_u64;
    let mut word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    (0..count.div_ceil(8)).flat_map(|_| word().to_le_bytes()).take(count).collect()
}

/// Samples that a sampler in C draws from these bytes. The bytes are a whole number of samples' records.
fn drawn(folder: &Path, arguments: &str, bytes: &[u8]) -> Vec<i64> {
    emitted(folder, &format!("{arguments} --name noise"), "c", "noise.c");
    let program = "#include \"noise.c\"\n#include <stdio.h>\n#include <stdlib.h>\n\
        static int from(void *state, unsigned char *out, size_t len) { return fread(out, 1, len, (FILE *)state) != len; }\n\
        int main(int argc, char **argv) {\n\
        size_t n = strtoul(argv[argc - 1], 0, 10), i;\n\
        noise_value *out = (noise_value *)malloc(n * sizeof *out);\n\
        if (noise_fill(out, n, from, stdin)) return 1;\n\
        for (i = 0; i < n; i++) printf(\"%ld\\n\", (long)out[i]);\n\
        printf(\"%d bytes\\n\", NOISE_BYTES);\n\
        return 0; }\n";
    fs::write(folder.join("main.c"), program).unwrap();
    fs::write(folder.join("bytes"), bytes).unwrap();
    done(folder, "cc", &["-O2", "main.c", "-o", "main"]);
    let text = fs::read_to_string(folder.join("noise.c")).unwrap();
    let each: usize = text.lines().find_map(|line| line.strip_prefix("#define NOISE_BYTES ")).unwrap().parse().unwrap();
    let count = bytes.len() / each;
    let mut main = Command::new(folder.join("main"));
    let output = main.arg(count.to_string()).stdin(fs::File::open(folder.join("bytes")).unwrap()).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next_back().unwrap(), format!("{each} bytes"));
    let values: Vec<i64> = lines.map(|line| line.parse().unwrap()).collect();
    assert_eq!(values.len(), count);
    values
}

/// The entries that `--emit csv` writes.
fn entries(arguments: &str) -> Vec<Whole> {
    let list = succeed(&format!("table {arguments} --emit csv"));
    list.lines().filter(|line| !line.starts_with('#')).map(|line| line.parse().unwrap()).collect()
}

/// The number of some bits of a record, from one on.
fn number(record: &[u8], from: usize, bits: usize) -> Whole {
    let bit = |i: usize| u8::from(i < from + bits && record[i / 8] >> (i % 8) & 1 == 1) + b'0';
    let digit =
        |k: usize| u8::from_str_radix(std::str::from_utf8(&[3, 2, 1, 0].map(|i| bit(from + 4 * k + i))).unwrap(), 2);
    let digits: String = (0..bits.div_ceil(4)).rev().map(|k| format!("{:x}", digit(k).unwrap())).collect();
    format!("0x{digits}").parse().unwrap()
}

/// Each sample is compared with the list of entries, and the counts with the masses of the law.
#[test]
fn a_million_samples_of_c_are_those_of_the_entries() {
    let folder = tempfile::tempdir().unwrap();
    // The values of index 0: without a sign, and with it.
    for (arguments, limbs, bits, base, below, count) in [
        ("--sigma 3.2 --precision 128", 32, 128, 0, Some(0), 1_000_000),
        ("--sigma 3.2 --center 1/3 --precision 75", 16, 75, -31, None, 200_000),
        ("--sigma 11 --center 7 --precision 61", 64, 61, 7, Some(7), 200_000),
        ("--sigma 1.278 --center 1/2 --form hawk", 24, 78, 1, Some(0), 200_000),
        ("--sigma 1.5 --form folded,head,nearest,inclusive,40", 24, 40, 0, Some(0), 200_000),
        ("--sigma 2 --center 1/4 --form full,head,inclusive,80", 32, 80, -20, None, 200_000),
    ] {
        let signed = below.is_some();
        let each = (bits + usize::from(signed)).div_ceil(8);
        let bytes = bytes(count * each);
        let entries = entries(arguments);
        let first = succeed(&format!("table {arguments} --emit csv")).contains(&format!("first={base}"));
        assert_eq!(first, !signed, "{arguments}: another first value");
        let is_head = arguments.contains("head");
        let samples = drawn(folder.path(), &format!("{arguments} --limbs {limbs}"), &bytes);
        for (record, sample) in bytes.chunks_exact(each).zip(&samples) {
            let draw = number(record, 0, bits);
            let index = entries.partition_point(|entry| if is_head { draw > *entry } else { draw < *entry }) as i64;
            let sign = signed && record[bits / 8] >> (bits % 8) & 1 == 1;
            let wanted = below.filter(|_| sign).map_or(base + index, |below| below - index);
            assert_eq!(*sample, wanted, "{arguments}: {record:x?}");
        }
        agrees(&samples, arguments);
    }
}

/// Chi-square over the values with an expected count of 10 or more, and the rest as one. The seed is fixed. With 10 cells or more, 10
/// standard deviations have an error probability below 1e-6. At 10^6 samples a mass of 1/8 that is off by 3 % deviates by more.
fn agrees(samples: &[i64], arguments: &str) {
    let law: Vec<&str> = arguments.split_whitespace().collect();
    let sigma: f64 = law[1].parse().unwrap();
    let center = match law[2..4] {
        ["--center", text] => {
            let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
            numerator.parse::<f64>().unwrap() / denominator.parse::<f64>().unwrap()
        }
        _ => 0.0,
    };
    let weight = |x: i64| (-(x as f64 - center).powi(2) / (2.0 * sigma * sigma)).exp();
    let total: f64 = (-200..200).map(weight).sum();
    let (mut chi2, mut cells, mut rest) = (0.0, 0, (samples.len() as f64, samples.len() as f64));
    for x in -200..200 {
        let expected = samples.len() as f64 * weight(x) / total;
        if expected >= 10.0 {
            let count = samples.iter().filter(|sample| **sample == x).count() as f64;
            chi2 += (count - expected).powi(2) / expected;
            rest = (rest.0 - count, rest.1 - expected);
            cells += 1;
        }
    }
    chi2 += (rest.0 - rest.1).powi(2) / rest.1.max(1.0);
    let deviations = (chi2 - f64::from(cells)) / (2.0 * f64::from(cells)).sqrt();
    assert!(deviations.abs() < 10.0, "{arguments}: {chi2} in {cells} cells");
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitSource for Bits<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        (0..n as usize).fold(0, |word, i| {
            let bit = self.bytes.get((self.at + i) / 8).map_or(0, |byte| byte >> ((self.at + i) % 8) & 1);
            if i + 1 == n as usize {
                self.at += n as usize;
            }
            word | u64::from(bit) << i
        })
    }
}

/// Where a record is whole bytes without rest, the library's constant-time sampler draws the same integers from the same bytes.
#[test]
fn c_is_the_stream_of_the_library() {
    let folder = tempfile::tempdir().unwrap();
    for (sigma, center, precision, each) in [("3.2", "0", 127, 16), ("2", "1/4", 80, 10), ("5", "-2", 15, 2)] {
        let bytes = bytes(5000 * each);
        let samples =
            drawn(folder.path(), &format!("--sigma {sigma} --center {center} --precision {precision}"), &bytes);
        let law = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap();
        let table = build_cdt(&law, &CdtOptions { precision, ..CdtOptions::default() }).unwrap();
        let mut out = vec![0_i64; samples.len()];
        CdtCt::from_table(table).unwrap().fill(&mut Bits { bytes: &bytes, at: 0 }, &mut out).unwrap();
        assert_eq!(samples, out, "{sigma} {center} {precision}");
    }
}

/// All 2^16 records of small tables in each way to compare: each draw counts as many entries as the form states.
#[test]
fn every_draw_of_a_small_table_counts_its_entries() {
    type Case = (&'static str, u32, fn(u16, u16) -> bool, Option<i64>, Option<i64>);
    let cases: [Case; 6] = [
        ("--sigma 2 --form folded,tail,15", 15, |u, entry| u < entry, Some(0), Some(0)),
        ("--sigma 2 --form folded,tail,inclusive,15", 15, |u, entry| u <= entry, Some(0), Some(0)),
        ("--sigma 2 --center 1/2 --form folded,head,inclusive,15", 15, |u, entry| u > entry, Some(1), Some(0)),
        ("--sigma 2 --center -5 --form half,head,16", 16, |u, entry| u >= entry, Some(-5), None),
        ("--sigma 2 --center -3/2 --form full,tail,inclusive,16", 16, |u, entry| u <= entry, None, None),
        ("--sigma 2 --center 1/2 --form full,head,13", 13, |u, entry| u >= entry, None, None),
    ];
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    for (arguments, bits, counts, base, below) in cases {
        let list = succeed(&format!("table {arguments} --emit csv"));
        let first = list.split_once("first=").map(|(_, rest)| rest.split(',').next().unwrap().parse().unwrap());
        let base: i64 = base.or(first).unwrap();
        let entries: Vec<u16> = entries(arguments).iter().map(|entry| entry.to_string().parse().unwrap()).collect();
        for limbs in [16, 24, 32, 64] {
            let samples = drawn(folder.path(), &format!("{arguments} --limbs {limbs}"), &bytes);
            for (record, sample) in (0..=u16::MAX).zip(samples) {
                let draw = (u32::from(record) & ((1 << bits) - 1)) as u16;
                let index = entries.iter().filter(|entry| counts(draw, **entry)).count() as i64;
                let sign = below.filter(|_| record >> 15 == 1);
                let wanted = sign.map_or(base + index, |below| below - index);
                assert_eq!(sample, wanted, "{arguments}, {limbs}: {record}");
            }
        }
    }
}

/// All 2^16 draws, by the sentence of FrodoKEM's specification: e counts the entries below t, and the first bit is the sign.
#[test]
fn frodo_is_frodokem() {
    const TABLES: [(&str, &[u16]); 3] = [
        ("2.8", &[4643, 13363, 20579, 25843, 29227, 31145, 32103, 32525, 32689, 32745, 32762, 32766, 32767]),
        ("2.3", &[5638, 15915, 23689, 28571, 31116, 32217, 32613, 32731, 32760, 32766, 32767]),
        ("1.4", &[9142, 23462, 30338, 32361, 32725, 32765, 32767]),
    ];
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    for (sigma, table) in TABLES {
        let samples = drawn(folder.path(), &format!("--sigma {sigma} --form frodo --limbs 16"), &bytes);
        for (r, sample) in (0..=u16::MAX).zip(samples) {
            let e = table.iter().filter(|entry| **entry < r >> 1).count() as i64;
            assert_eq!(sample, if r & 1 == 1 { -e } else { e }, "{sigma}: {r}");
        }
    }
    for law in ["--sigma 3.2", "--sigma 2.8 --center 1", "--sigma-squared 7.84", "--s 2.8"] {
        let way_out = ["--form = frodo: ", "2.8, 2.3 and 1.4", "--form folded,head,nearest,inclusive,15"];
        fail(&format!("table {law} --form frodo --emit c-sampler"), 2, &way_out);
    }
}

/// A read that fails at any place gives its status, and zeros.
#[test]
fn a_short_read_leaves_zeros() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    emitted(at, "--sigma 3.2 --name noise", "c", "noise.c");
    let program = "#include \"noise.c\"\n#include <string.h>\n\
        static int few(void *state, unsigned char *out, size_t len) {\n\
        int *left = (int *)state; if ((*left)-- == 0) return 7; memset(out, 0, len); return 0; }\n\
        int main(void) {\n\
        int reads; size_t i; noise_value out[9];\n\
        for (reads = 0; reads < 10; reads++) {\n\
        int left = reads, status; memset(out, 1, sizeof out);\n\
        status = noise_fill(out, 9, few, &left);\n\
        if (status != (reads < 9 ? 7 : 0)) return 1;\n\
        for (i = 0; i < 9; i++) if (out[i] != (reads < 9 ? 0 : MOST)) return 2; }\n\
        return noise_fill(out, 0, few, &reads); }\n";
    // u = 0 is below every entry.
    fs::write(at.join("main.c"), program.replace("MOST", &entries("--sigma 3.2").len().to_string())).unwrap();
    done(at, "cc", &["-std=c89", "main.c", "-o", "main"]);
    done(at, "./main", &[]);
}

/// Memcheck with the bytes undefined: nothing that is branched on or addressed by depends on them. A program that does is found. Two
/// compilers: all cases at one level, every seventh at three others, so that all widths of limbs are among them.
#[test]
fn memcheck_finds_no_use_of_the_bytes() {
    if !is_there("valgrind", "--version") || !Path::new("/usr/include/valgrind/memcheck.h").exists() {
        eprintln!("valgrind's header is not there: skipped");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let names = emitted_c(at).concat();
    let program = |every: usize| {
        let names = || names.iter().step_by(every);
        let files: String = names().map(|name| format!("#include \"{name}.c\"\n")).collect();
        let calls: String = names().map(|name| format!("CHECK({name})\n")).collect();
        format!(
            "{files}#include <valgrind/memcheck.h>\n\
            static unsigned char next;\n\
            static int undefined(void *state, unsigned char *out, size_t len) {{\n\
            size_t i; (void)state; for (i = 0; i < len; i++) out[i] = next += 151;\n\
            (void)VALGRIND_MAKE_MEM_UNDEFINED(out, len); return 0; }}\n\
            #define CHECK(name) {{ static name##_value out[64]; if (name##_fill(out, 64, undefined, 0)) return 1; \\\n\
            if (VALGRIND_COUNT_ERRORS) return 2; planted = out[5]; }}\n\
            int main(void) {{\n\
            static volatile long planted, seen;\n\
            if (!RUNNING_ON_VALGRIND) return 3;\n\
            {calls}if (planted > 0) seen = 1;\n\
            return VALGRIND_COUNT_ERRORS == 1 ? 0 : 4; }}\n"
        )
    };
    for compiler in compilers() {
        for (level, every) in [("-O2", 1), ("-O1", 7), ("-O3", 7), ("-Os", 7)] {
            fs::write(at.join("main.c"), program(every)).unwrap();
            done(at, compiler, &[level, "main.c", "-o", "main"]);
            done(at, "valgrind", &["--quiet", "./main"]);
        }
    }
    // Rust's, behind an interface as C has it.
    let mut program = String::new();
    for limbs in [16, 24, 32, 64] {
        emitted(at, &format!("--sigma 3.2 --precision 72 --limbs {limbs}"), "rust", &format!("m{limbs}.rs"));
        program += &format!(
            "mod m{limbs};\n#[no_mangle]\npub unsafe extern \"C\" fn r{limbs}(record: *const u8) -> i8 {{ m{limbs}::sample(&*record.cast()) }}\n"
        );
    }
    fs::write(at.join("lib.rs"), program).unwrap();
    let program = "#include <valgrind/memcheck.h>\n\
        signed char r16(const unsigned char *), r24(const unsigned char *), r32(const unsigned char *), r64(const unsigned char *);\n\
        int main(void) {\n\
        static volatile long planted, seen; int i, k; unsigned char record[10];\n\
        if (!RUNNING_ON_VALGRIND) return 3;\n\
        for (i = 0; i < 64; i++) {\n\
        for (k = 0; k < 10; k++) record[k] = (unsigned char)(i * 73 + k * 151);\n\
        (void)VALGRIND_MAKE_MEM_UNDEFINED(record, 10);\n\
        planted = r16(record) + r24(record) + r32(record) + r64(record); }\n\
        if (VALGRIND_COUNT_ERRORS) return 2;\n\
        if (planted > 0) seen = 1;\n\
        return VALGRIND_COUNT_ERRORS == 1 ? 0 : 4; }\n";
    fs::write(at.join("main.c"), program).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or("rustc".into());
    for level in ["1", "2", "3", "s"] {
        let level = format!("-Copt-level={level}");
        let options = ["--edition=2021", "--crate-type=staticlib", &level, "-Cpanic=abort", "lib.rs", "-o", "libr.a"];
        done(at, &rustc, &options);
        done(at, "cc", &["main.c", "libr.a", "-o", "main", "-lpthread", "-ldl", "-lm"]);
        done(at, "valgrind", &["--quiet", "./main"]);
    }
}

/// `certify --table` finds the table's own bounds in the files.
#[test]
fn the_files_are_audited() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let json = |line: &str| {
        let output = samplez().args(line.split_whitespace()).current_dir(at).output().unwrap();
        let (code, out, err) = crate::common::outcome(output);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{line}");
        serde_json::from_str::<serde_json::Value>(&out).unwrap()
    };
    for (case, limbs) in [(CASES[0], 24), (CASES[2], 64), (CASES[8], 16), (CASES[10], 32), (HEAD, 32)] {
        let mut found = Vec::new();
        for (emit, file, array) in [
            ("c", "t.c", "noise_table"),
            ("rust", "t.rs", "NOISE"),
            ("go", "t.go", "noiseTable"),
            ("js", "t.mjs", "NOISE"),
        ] {
            let limbs = if emit == "js" { 16 } else { limbs };
            emitted(at, &format!("{case} --limbs {limbs} --name noise"), emit, file);
            let audit = json(&format!("certify --table {file} --array {array} --json"));
            found.push(
                [&audit["log2_sd"], &audit["log2_renyi"], &audit["support"], &audit["law"]].map(ToString::to_string),
            );
            // The bound is in the comment too.
            let text = fs::read_to_string(at.join(file)).unwrap();
            let sd = (audit["log2_sd"].as_f64().unwrap() * 100.0).ceil() / 100.0;
            assert!(text.contains(&format!("statistical distance: <= 2^{sd:.2}")), "{text}");
        }
        assert!(found.iter().all(|audit| *audit == found[0]), "{found:?}");
    }
}

#[test]
fn the_command_in_the_comment_repeats_the_file() {
    let samplers =
        [("c-sampler", CASES[10]), ("rust-sampler", CASES[0]), ("go-sampler", CASES[4]), ("js-sampler", HEAD)];
    for (emit, case) in samplers.into_iter().chain(["c", "rust", "csv"].map(|emit| (emit, HEAD))) {
        let text = succeed(&format!("table {case} --emit {emit} --name NOISE"));
        let origin = text.lines().find_map(|line| line.split_once("origin: samplez ")).unwrap().1;
        assert_eq!(succeed(origin), text);
    }
}

#[test]
fn what_no_sampler_can_be_is_refused() {
    let refusals: [(&str, &[&str]); 24] = [
        ("--sigma 3.2 --center 3000000000", &["--center = 3000000000: ", "leaves the 32 bits", "center nearer 0"]),
        ("--sigma 3.2 --center -2147483640", &["--center = -2147483640: ", "leaves the 32 bits"]),
        ("--sigma 3.2 --center 100 --dtype i8", &["--dtype = i8", "58 to 142", "i16 or wider"]),
        ("--sigma 3.2 --dtype i64", &["--dtype = i64", "i8, i16 or i32"]),
        ("--sigma 3.2 --dtype i12", &["--dtype", "i12"]),
        ("--sigma 500", &["--sigma = 500", "entries", "at most 4096", "narrower"]),
        ("--sigma 300 --center 1/2", &["--sigma = 300", "at most 4096"]),
        ("--sigma 3.2 --precision 0", &["--precision", "0"]),
        ("--sigma 3.2 --precision 257", &["--precision", "257"]),
        ("--sigma 3.2 --form folded,tail,300", &["300", "between 1 and 256"]),
        ("--sigma 3.2 --method karney", &["--method = karney", "does not shape the inversion table", "remove it"]),
        ("--sigma 3.2 --exact", &["--exact", "does not shape the inversion table"]),
        ("--sigma 3.2 --limbs 8", &["--limbs", "16, 24, 32 and 64"]),
        ("--sigma 3.2 --limbs many", &["--limbs", "16, 24, 32 and 64"]),
        ("--sigma 3.2 --name 9a", &["--name", "letters, digits"]),
        ("--sigma 3.2 --name a-b", &["--name", "letters, digits"]),
        ("--sigma 3.2 --name _noise", &["--name = _noise", "C reserves", "letter first"]),
        ("--sigma 1.55 --form lazer", &["--form = mirrored,", "folded, half or full", "folded,tail,128"]),
        ("--sigma 3.2 --form folded,pmf,62", &["--form = folded,pmf,62", "folded,tail,62"]),
        ("--sigma 3.2 --form folded,head,rest-again,62", &["index after the last", "remove rest-again"]),
        ("--sigma 3.2 --form folded,head,rest-mode,62", &["remove rest-mode"]),
        ("--sigma 3.2 --form folded,head,nearest,62", &["is 2^62", "add inclusive"]),
        ("--sigma 3.2 --center 1/3 --form hawk", &["--center = 1/3", "multiple of 1/2"]),
        ("--recipe sigma=500", &["--recipe: ", "at most 4096"]),
    ];
    for (arguments, words) in refusals {
        fail(&format!("table {arguments} --emit c-sampler"), 2, words);
    }
    fail("table --sigma 3.2 --emit go-sampler --name Func", 2, &["--name = Func", "a word of Go", "noise"]);
    fail("table --sigma 3.2 --emit rust-sampler --name bytes", 2, &["--name = bytes", "another"]);
    fail("table --sigma 3.2 --emit js-sampler --limbs 32", 2, &["--limbs = 32", "16, 24", "one of these"]);
    for emit in ["c", "rust", "csv", "json"] {
        fail(&format!("table --sigma 3.2 --emit {emit} --limbs 16"), 2, &["--limbs = 16", "c-sampler", "remove it"]);
        fail(&format!("table --sigma 3.2 --emit {emit} --dtype i8"), 2, &["--dtype = i8", "c-sampler", "remove it"]);
    }
}
