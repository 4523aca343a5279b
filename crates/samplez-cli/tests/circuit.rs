//! `samplez circuit`: every format computes the same integers from the same bits.

use crate::common::{fail, outcome, samplez, succeed};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A folded table, a full one with an odd base, and a table of a file whose sign needs no carry.
const CASES: [&str; 3] =
    ["--sigma 1.278 --precision 78", "--sigma 2 --center -22/3 --precision 32", "--table hawk.csv --encoding integer"];

/// Words of random bits: 64 samples each time, 4096 in all.
const WORDS: usize = 64;

fn random(count: usize) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count).map(|_| next()).collect()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let table = succeed("table --sigma 1.278 --center 1/2 --form hawk --emit csv");
    fs::write(folder.path().join("hawk.csv"), table).unwrap();
    folder
}

fn emitted(folder: &Path, arguments: &str) -> String {
    let line = format!("circuit {arguments}");
    let (code, out, err) = outcome(samplez().args(line.split_whitespace()).current_dir(folder).output().unwrap());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{line}");
    out
}

/// The gates of the JSON file, and their outputs.
struct Json(serde_json::Value);

impl Json {
    fn inputs(&self) -> usize {
        self.0["inputs"].as_u64().unwrap() as usize
    }

    fn outputs(&self, inputs: &[u64]) -> Vec<u64> {
        let mut wires = inputs.to_vec();
        for gate in self.0["gates"].as_array().unwrap() {
            let wire = |i: usize| wires[gate[i].as_u64().unwrap() as usize];
            let result = match gate[0].as_str().unwrap() {
                "xor" => wire(1) ^ wire(2),
                "and" => wire(1) & wire(2),
                "not" => !wire(1),
                other => panic!("{other}"),
            };
            wires.push(result);
        }
        let outputs = self.0["outputs"].as_array().unwrap();
        outputs.iter().map(|wire| wires[wire.as_u64().unwrap() as usize]).collect()
    }
}

fn json(folder: &Path, arguments: &str) -> Json {
    Json(serde_json::from_str(&emitted(folder, &format!("{arguments} --emit json"))).unwrap())
}

/// A reader of Bristol Fashion that accepts only what the strictest engines do.
fn bristol(text: &str, inputs: &[u64]) -> Vec<u64> {
    let mut lines = text.lines();
    let mut head = || lines.next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect::<Vec<usize>>();
    let heads = [head(), head(), head()];
    let [[gates, total], [1, ins], [1, outs]] = heads.each_ref().map(Vec::as_slice) else { panic!("{text}") };
    let (gates, total, ins, outs) = (*gates, *total, *ins, *outs);
    assert_eq!((lines.next(), ins, total), (Some(""), inputs.len(), ins + gates));
    let mut wires = vec![None; total];
    inputs.iter().enumerate().for_each(|(i, word)| wires[i] = Some(*word));
    for line in lines.by_ref().take(gates) {
        let words: Vec<&str> = line.split(' ').collect();
        let wire = |i: usize| words[i].parse::<usize>().unwrap();
        let (result, value) = match words[..] {
            ["2", "1", .., "AND"] => (wire(4), wires[wire(2)].unwrap() & wires[wire(3)].unwrap()),
            ["2", "1", .., "XOR"] => (wire(4), wires[wire(2)].unwrap() ^ wires[wire(3)].unwrap()),
            ["1", "1", .., "INV"] => (wire(3), !wires[wire(2)].unwrap()),
            _ => panic!("{line}"),
        };
        assert_eq!(wires[result].replace(value), None, "{line}");
    }
    assert_eq!(lines.next(), None);
    wires[total - outs..].iter().map(|wire| wire.unwrap()).collect()
}

/// A reader of the Verilog subset that is written.
fn verilog(text: &str, inputs: &[u64]) -> Vec<u64> {
    let named = inputs.iter().enumerate().map(|(i, word)| (format!("r[{i}]"), *word));
    let mut wires: HashMap<String, u64> = named.collect();
    for line in text.lines().filter_map(|line| line.strip_suffix(';')) {
        let (result, value) = match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["wire", result, "=", a, "^", b] => (result, wires[a] ^ wires[b]),
            ["wire", result, "=", a, "&", b] => (result, wires[a] & wires[b]),
            ["wire", result, "=", not] => (result, !wires[not.strip_prefix('~').unwrap()]),
            ["assign", result, "=", wire] => (result, wires[wire]),
            ["module", ..] => continue,
            _ => panic!("{line}"),
        };
        wires.insert(result.into(), value);
    }
    (0..).map_while(|j| wires.get(&format!("x[{j}]")).copied()).collect()
}

/// The same with registers, for inputs of one clock after the other: the outputs after each clock.
fn pipelined(text: &str, clocks: &[&[u64]]) -> Vec<Vec<u64>> {
    let mut registers: HashMap<String, u64> = HashMap::new();
    let mut found = Vec::new();
    for inputs in clocks {
        let (mut next, mut outputs) = (HashMap::new(), Vec::new());
        let mut wires = registers.clone();
        wires.extend(inputs.iter().enumerate().map(|(i, word)| (format!("r[{i}]"), *word)));
        for line in text.lines().filter_map(|line| line.strip_suffix(';')) {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["reg", _] | ["module", ..] => {}
                ["assign", _, "=", wire] => outputs.push(wire.to_string()),
                ["wire", result, "=", ref expression @ ..] => {
                    let value = match *expression {
                        [a, "^", b] => at(&wires, a) ^ at(&wires, b),
                        [a, "&", b] => at(&wires, a) & at(&wires, b),
                        [not] => !at(&wires, not.strip_prefix('~').unwrap()),
                        _ => panic!("{line}"),
                    };
                    wires.insert(result.into(), value);
                }
                [register, "<=", wire] => assert_eq!(next.insert(register.to_string(), at(&wires, wire)), None),
                _ => panic!("{line}"),
            }
        }
        registers = next;
        found.push(outputs.iter().map(|wire| registers[wire]).collect());
    }
    found
}

/// A wire's word; a register before its first clock has any.
fn at(wires: &HashMap<String, u64>, wire: &str) -> u64 {
    wires.get(wire).copied().unwrap_or_else(|| {
        assert!(wire.starts_with('q'), "{wire}");
        0x0123_4567_89ab_cdef
    })
}

/// A pipeline returns one sample each clock, after as many clocks as it has stages, and states the number of its registers.
#[test]
fn pipelines_compute_the_gates_late() {
    let folder = folder();
    for (case, stages) in CASES.into_iter().zip([1_usize, 7, 100]) {
        let json = json(folder.path(), case);
        let text = emitted(folder.path(), &format!("{case} --emit verilog --pipeline {stages}"));
        let words = random(json.inputs() * (stages + 10));
        let clocks: Vec<&[u64]> = words.chunks(json.inputs()).collect();
        let wanted: Vec<_> = clocks.iter().map(|inputs| json.outputs(inputs)).collect();
        let found = pipelined(&text, &clocks);
        assert_eq!(found[stages - 1..], wanted[..wanted.len() + 1 - stages], "{case}");
        let fact = text.lines().find_map(|line| line.strip_prefix("// pipeline: ")).unwrap();
        let registers = text.lines().filter(|line| line.starts_with("  reg ")).count();
        assert!(
            fact.starts_with(&format!("x is the sample of r {stages} clocks before; {registers} registers, ")),
            "{fact}"
        );
    }
}

/// The columns of the JSON file share out the table's integers.
#[test]
fn the_columns_are_the_table() {
    for (sigma, bits) in [("1.278", 78), ("3.2", 64)] {
        let arguments = format!("--sigma {sigma} --precision {bits}");
        let gates: serde_json::Value =
            serde_json::from_str(&succeed(&format!("circuit {arguments} --encoding index --emit json"))).unwrap();
        let [mut found, mut wanted]: [HashMap<u64, u128>; 2] = Default::default();
        for column in gates["columns"].as_array().unwrap() {
            let mut start = 0;
            for pair in column.as_array().unwrap() {
                let end: u128 = pair[1].as_str().unwrap().parse().unwrap();
                *found.entry(pair[0].as_u64().unwrap()).or_default() += end - start;
                start = end;
            }
        }
        // The table's integers are those of the tails.
        let table = succeed(&format!("table --sigma {sigma} --form folded,tail,floor-weights,{bits} --emit csv"));
        let mut before = 1_u128 << bits;
        let rows = table.lines().filter(|line| !line.starts_with('#'));
        for (index, tail) in (0..).zip(rows.map(|row| row.parse().unwrap()).chain([0])) {
            wanted.insert(index, before - tail);
            before = tail;
        }
        assert_eq!(found, wanted, "{arguments}");
    }
}

#[test]
fn bristol_and_verilog_compute_the_gates() {
    let folder = folder();
    for case in CASES {
        let json = json(folder.path(), case);
        let [bristol_text, verilog_text] =
            ["bristol", "verilog"].map(|emit| emitted(folder.path(), &format!("{case} --emit {emit} --name NOISE")));
        for inputs in random(json.inputs() * WORDS).chunks(json.inputs()) {
            let wanted = json.outputs(inputs);
            assert_eq!(bristol(&bristol_text, inputs), wanted, "{case}");
            assert_eq!(verilog(&verilog_text, inputs), wanted, "{case}");
        }
        let (inputs, outputs) = (json.inputs() - 1, json.outputs(&random(json.inputs())).len() - 1);
        let module = format!("module noise_sample(input [{inputs}:0] r, output signed [{outputs}:0] x);");
        assert!(verilog_text.contains(&module), "{verilog_text}");
        // One changed gate is seen.
        let inputs = random(json.inputs());
        let changed = bristol_text.replacen(" AND\n", " XOR\n", 1);
        assert_ne!(bristol(&changed, &inputs), bristol(&bristol_text, &inputs));
    }
}

/// C and Rust, plain and masked, print the outputs of the words that they read.
#[cfg_attr(windows, ignore = "compilers have other names there")]
#[test]
fn compiled_programs_compute_the_gates() {
    let folder = folder();
    let at = folder.path();
    let main = "#include \"noise.c\"\n#include <inttypes.h>\n#include <stdio.h>\nint main(void) {\n\
        uint64_t r[NOISE_INPUTS], x[NOISE_OUTPUTS];\nint i;\nfor (;;) {\n\
        for (i = 0; i < NOISE_INPUTS; i++) if (scanf(\"%\" SCNx64, &r[i]) != 1) return 0;\nnoise_sample(r, x);\n\
        for (i = 0; i < NOISE_OUTPUTS; i++) printf(\"%\" PRIx64 \"\\n\", x[i]);\n}\n}\n";
    fs::write(at.join("main.c"), main).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or("rustc".into());
    let run = |program: &str, input: &str| {
        fs::write(at.join("words"), input).unwrap();
        let output = Command::new(at.join(program)).stdin(fs::File::open(at.join("words")).unwrap()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| u64::from_str_radix(line, 16).unwrap()).collect::<Vec<_>>()
    };
    for (i, (case, order)) in CASES.into_iter().zip([0, 1, 2]).enumerate() {
        let arguments = format!("{case} --order {order}");
        let json = json(at, &arguments);
        let (inputs, outputs) = (json.inputs(), json.0["outputs"].as_array().unwrap().len());
        let words = random(inputs * WORDS);
        let wanted: Vec<u64> = words.chunks(inputs).flat_map(|inputs| json.outputs(inputs)).collect();
        let text: String = words.iter().map(|word| format!("{word:x}\n")).collect();
        fs::write(at.join("noise.c"), emitted(at, &format!("{arguments} --emit c"))).unwrap();
        let mut cc = Command::new("cc");
        cc.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "main.c", "-o", "c"]).current_dir(at);
        assert!(cc.status().unwrap().success(), "{case}");
        assert_eq!(run("c", &text), wanted, "{case}");
        if i == 1 {
            fs::write(at.join("noise.rs"), emitted(at, &format!("{arguments} --emit rust"))).unwrap();
            let main = format!(
                "#![deny(warnings)]\ninclude!(\"noise.rs\");\nfn main() {{\nlet text = std::io::read_to_string(std::io::stdin()).unwrap();\n\
                 let words: Vec<u64> = text.lines().map(|w| u64::from_str_radix(w, 16).unwrap()).collect();\n\
                 for r in words.chunks({inputs}) {{\nlet mut x = [0; {outputs}];\nnoise_sample(r.try_into().unwrap(), &mut x);\n\
                 for x in x {{ println!(\"{{x:x}}\"); }}\n}}\n}}\n"
            );
            fs::write(at.join("main.rs"), main).unwrap();
            let status =
                Command::new(&rustc).args(["--edition=2024", "main.rs", "-o", "rust"]).current_dir(at).status();
            assert!(status.unwrap().success(), "{case}");
            assert_eq!(run("rust", &text), wanted, "{case}");
        }
    }
}

/// The circuits of kat/circuits.csv: its integers come from every format, by the same random bits.
#[cfg_attr(windows, ignore = "compilers have other names there")]
#[test]
fn every_format_gives_the_vectors() {
    let folder = folder();
    let at = folder.path();
    let vectors = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../kat/circuits.csv")).unwrap();
    let rows: Vec<(&str, &str)> = vectors.lines().skip(1).map(|line| line.split_once(',').unwrap()).collect();
    assert_eq!(rows.len(), 20);
    let (mut c, mut rust, mut wanted) = (String::new(), String::new(), Vec::new());
    let mut mains = [String::new(), String::new()];
    for (i, (arguments, samples)) in rows.iter().enumerate() {
        let [bristol_text, verilog_text] =
            ["bristol", "verilog"].map(|emit| emitted(at, &format!("{arguments} --emit {emit}")));
        let json = json(at, arguments);
        let (inputs, outputs) = (random(json.inputs()), json.outputs(&random(json.inputs())));
        // "the sample is BASE + x", in two's complement or not.
        let facts = json.0["facts"].as_array().unwrap().iter().map(|fact| fact.as_str().unwrap());
        let meaning = facts.clone().find(|fact| fact.starts_with("outputs: ")).unwrap();
        let base: i64 = meaning.rsplit_once(" is ").unwrap().1.strip_suffix(" + x").unwrap().parse().unwrap();
        let unused = 64 - outputs.len();
        let value = |lane: usize| (0..).zip(&outputs).map(|(j, word)| (word >> lane & 1) << j).sum::<u64>();
        let signed =
            |n: u64| if meaning.contains("two's complement") { (n << unused) as i64 >> unused } else { n as i64 };
        let found: Vec<String> = (0..64).map(|lane| (base + signed(value(lane))).to_string()).collect();
        assert_eq!(found.join(" "), *samples, "{arguments}");
        assert_eq!(bristol(&bristol_text, &inputs), outputs, "{arguments}");
        assert_eq!(verilog(&verilog_text, &inputs), outputs, "{arguments}");
        c += &emitted(at, &format!("{arguments} --emit c --name N{i}"));
        rust += &emitted(at, &format!("{arguments} --emit rust --name N{i}")).replace("//!", "//");
        let (ins, outs) = (inputs.len(), outputs.len());
        mains[0] += &format!(
            "{{ uint64_t r[{ins}], x[{outs}]; int i; next = 0x9e3779b97f4a7c15u; for (i = 0; i < {ins}; i++) r[i] = word();\n\
             n{i}_sample(r, x); for (i = 0; i < {outs}; i++) printf(\"%\" PRIx64 \"\\n\", x[i]); }}\n"
        );
        mains[1] += &format!(
            "let (mut r, mut x, mut next) = ([0; {ins}], [0; {outs}], 0x9e37_79b9_7f4a_7c15_u64);\n\
             for r in &mut r {{ next ^= next << 13; next ^= next >> 7; next ^= next << 17; *r = next; }}\n\
             n{i}_sample(&r, &mut x); for x in x {{ println!(\"{{x:x}}\"); }}\n"
        );
        wanted.extend(outputs);
    }
    let xorshift = "static uint64_t next;\nstatic uint64_t word(void) {\n\
        next ^= next << 13; next ^= next >> 7; next ^= next << 17; return next;\n}\n";
    let main = format!(
        "{c}#include <inttypes.h>\n#include <stdio.h>\n{xorshift}int main(void) {{\n{}return 0;\n}}\n",
        mains[0]
    );
    fs::write(at.join("main.c"), main).unwrap();
    fs::write(at.join("main.rs"), format!("{rust}fn main() {{\n{}}}\n", mains[1])).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-std=c99", "main.c", "-o", "c"]);
    let mut rustc = Command::new(std::env::var("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition=2024", "main.rs", "-o", "rust"]);
    for (program, mut compiler) in [("c", cc), ("rust", rustc)] {
        assert!(compiler.current_dir(at).status().unwrap().success(), "{program}");
        let text = String::from_utf8(Command::new(at.join(program)).output().unwrap().stdout).unwrap();
        let found: Vec<u64> = text.lines().map(|line| u64::from_str_radix(line, 16).unwrap()).collect();
        assert_eq!(found, wanted, "{program}");
    }
}

/// σ = 1000 is a sum of two samples, with the convolution's certificate.
#[test]
fn wide_laws_are_sums_of_two_samples() {
    let report = succeed("circuit --sigma 1000 --precision 128");
    let fact = |name: &str| report.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_string();
    assert_eq!(fact("law "), "D_Z(sigma = 1000, center = 0)");
    assert!(fact("sum ").contains("*Y2 of two samples of D_Z(sigma^2 = "), "{report}");
    assert!(
        fact("distance ").starts_with("SD <= 2^-1") && fact("counted ").contains("all pairs are added"),
        "{report}"
    );
    assert!(fact("AND gates").parse::<u32>().unwrap() < 2000, "{report}");
    let text = succeed("circuit --sigma 1000 --precision 32 --emit c");
    assert!(text.contains(" * law: D_Z(sigma = 1000, center = 0)\n * sum: "), "{text}");
}

#[test]
fn the_report_counts_gates_beside_the_lower_bound() {
    let report = succeed("circuit --sigma 1.278 --precision 78 --encoding index --order 1");
    let fact = |name: &str| report.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_string();
    assert_eq!((fact("AND gates"), fact("random bits")), ("88".into(), "78".into()));
    assert!(fact("lower bound").starts_with("77, because x["), "{report}");
    assert!(fact("counted").starts_with("over all 2^78 inputs, "), "{report}");
    assert!(fact("masked ").contains("no power trace was measured"), "{report}");
    assert_eq!(fact("masked random bits"), format!("{}, of which 88 are fresh bits of AND gates", 2 * 78 + 88));
    let report = succeed("circuit --sigma 1.278 --precision 78 --encoding index --depth log");
    assert!(report.contains("AND gates    162\n") && report.contains("AND depth    14\n"), "{report}");
    // The text's own command repeats it.
    let text = succeed("circuit --recipe sigma=3.2,precision=64 --emit c --order 1 --depth log --name MASKED");
    let origin = text.lines().find_map(|line| line.split_once("origin: samplez ")).unwrap().1;
    assert_eq!(succeed(origin), text);
    assert!(text.contains("no power trace was measured") && text.contains("void masked_sample("), "{text}");
}

#[test]
fn wrong_arguments_of_circuit() {
    for bad in ["0", "300", "-1", "many"] {
        fail(&format!("circuit --sigma 3.2 --precision {bad}"), 2, &[&format!("--precision = {bad}: "), "1 and 256"]);
    }
    for bad in ["-1", "64", "two"] {
        fail(&format!("circuit --sigma 3.2 --order {bad}"), 2, &[&format!("--order = {bad}: "), "0 to 8"]);
    }
    for (arguments, words) in [
        (
            "--sigma 1e6",
            &[
                "error: --sigma = 1e6: ",
                "AND gates",
                "4096 values",
                "a sum of two samples takes two of",
                "convolution",
                "without a circuit",
            ][..],
        ),
        ("--sigma 1000 --center 1/3", &["--sigma = 1000: ", "values take about", "AND gates", "convolution"]),
        ("--sigma 1000 --encoding sign", &["--encoding = sign: ", "4096 values", "needs encoding integer"]),
        ("--sigma 3.2 --precision 1", &["--sigma = 3.2: ", "one value", "or a higher precision"]),
        ("--sigma 1/1000 --precision 8 --center 1/3", &["--sigma = 1/1000: ", "choose a larger width"]),
        (
            "--sigma 3 --center 1/3 --encoding sign",
            &["--encoding = sign: ", "full table has no sign", "integer or index"],
        ),
        ("--sigma 3 --order 1 --emit verilog", &["--order = 1: ", "--emit verilog has no shares", "c, rust or json"]),
        ("--sigma 3 --order 2 --emit bristol", &["--order = 2: ", "--emit bristol has no shares"]),
        ("--sigma 3 --emit c --pipeline 4", &["--pipeline = 4: --emit c has no registers", "use --emit verilog"]),
        ("--sigma 3 --pipeline 4", &["--emit"]),
        ("--sigma 3 --emit verilog --pipeline 0", &["--pipeline = 0: ", "1 to 256"]),
        ("--sigma 3 --emit verilog --pipeline 4.5", &["--pipeline = 4.5: ", "1 to 256"]),
        ("--sigma 3 --depth 3", &["--depth", "3", "linear, log"]),
        ("--sigma 3 --emit ada", &["--emit", "ada", "verilog, bristol, c, rust, json"]),
        ("--sigma 3 --emit c --name 9", &["--name = 9: ", "letters, digits"]),
        ("--sigma 3 --emit c --name _a", &["--name = _a: ", "C reserves"]),
        ("--recipe sigma=3,precision=64 --precision 72", &["--precision = 72: --recipe already contains precision"]),
        ("--emit c", &["--sigma"]),
        ("--sigma 0", &["--sigma = 0: ", "greater than 0"]),
    ] {
        fail(&format!("circuit {arguments}"), 2, words);
    }
    fail("circuit --sigma 3 --out /nowhere/at/all", 3, &["cannot write /nowhere/at/all"]);
    let folder = folder();
    let wrong = |text: &str, arguments: &str, part: &str| {
        fs::write(folder.path().join("bad.csv"), text).unwrap();
        let line = format!("circuit --table bad.csv --sigma 3 {arguments}");
        let (code, out, err) = outcome(samplez().args(line.split_whitespace()).current_dir(&folder).output().unwrap());
        assert_eq!((code, out.as_str()), (Some(2), ""), "{line}");
        assert!(err.starts_with("error: bad.csv: ") && err.contains(part), "{line}: {err}");
    };
    wrong("200\n50\n7\n", "--form folded,pmf,8", "sum is above one");
    wrong("200\n50\n", "--form folded,pmf,8", "6 of 2^precision draws have no value");
    wrong("5\n9\n", "--form folded,tail,8", "the tail of a law falls");
    wrong("256\n", "--form folded,pmf,8", "one value");
}
