//! What methods are measured at, for the planner to say: a file for each class of machines.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::files::{Findings, named};

/// Where the files are.
const FOLDER: &str = "crates/samplez/src/speeds";
const WASM: &str = "wasm32-wasip1";

/// WebAssembly's memory is there from the start: Node 20 has crashed when it grew while garbage was collected.
const MEMORY: &str = "-C link-arg=--initial-memory=536870912";

/// A class of machines: the name that `samplez::Plan` has for it, the flags of its code, and whether that is WebAssembly.
const CLASSES: [(&str, &str, bool); 5] = [
    ("scalar", "--cfg samplez_backend=\"scalar\"", false),
    ("avx2", "--cfg samplez_backend=\"avx2\"", false),
    ("avx512", "--cfg samplez_backend=\"avx512\"", false),
    ("simd128", "--cfg samplez_backend=\"simd128\" -C target-feature=+simd128", true),
    ("wasm", "", true),
];

/// Runs a module that imports WASI's functions.
const RUN: &str = "\
import { readFileSync } from 'node:fs'; import { WASI } from 'node:wasi'; \
const wasi = new WASI({ version: 'preview1' }); \
const module = await WebAssembly.compile(readFileSync(process.argv[1])); \
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));";

/// Measures all classes that this machine can run, or the one that is named, and writes their files.
pub(crate) fn run(root: &Path, only: Option<&str>) -> Findings {
    if let Some(only) = only.filter(|only| CLASSES.iter().all(|(class, ..)| class != only)) {
        let names = CLASSES.map(|(class, ..)| class).join(", ");
        return Err(Error::other(format!("measure-speeds {only}: expected one of {names}")));
    }
    for (class, flags, is_wasm) in CLASSES {
        if only.is_some_and(|only| class != only) {
            continue;
        }
        if class.starts_with("avx") && !has(class)? {
            eprintln!("{class}: this machine has not got it; its file stays");
            continue;
        }
        let program = build(root, class, flags, is_wasm)?;
        let mut command = Command::new(if is_wasm { "node" } else { program.to_str().unwrap_or_default() });
        if is_wasm {
            command.args(["--no-warnings", "--input-type=module", "--eval", RUN]).arg(&program);
        }
        let lines = faster(&output(&mut command)?, &output(&mut command)?)?;
        let text = format!("# {}\n{lines}", machine()?);
        let path = root.join(FOLDER).join(format!("{class}.csv"));
        std::fs::write(&path, text).map_err(|error| named(&path, &error))?;
        eprintln!("{class}: {} lines", lines.lines().count());
    }
    Ok(Vec::new())
}

/// Of two runs, each line's higher speed: whatever else the machine does only slows.
fn faster(one: &str, other: &str) -> Result<String> {
    let mut lines = String::new();
    for (a, b) in one.lines().zip(other.lines()) {
        let speed =
            |line: &str| line.rsplit_once(',').and_then(|(law, speed)| Some((law.to_string(), speed.parse().ok()?)));
        let pair: Option<((_, f64), (_, f64))> = speed(a).zip(speed(b));
        match pair {
            Some((a_is, b_is)) if a_is.0 == b_is.0 => lines.push_str(if a_is.1 >= b_is.1 { a } else { b }),
            _ => return Err(Error::other(format!("two runs differ: {a}, {b}"))),
        }
        lines.push('\n');
    }
    Ok(lines)
}

/// Each class has a folder of its own: other flags build everything again.
fn build(root: &Path, class: &str, flags: &str, is_wasm: bool) -> Result<PathBuf> {
    let target = root.join("target/speeds").join(class);
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(root)
        .env("RUSTFLAGS", if is_wasm { format!("{flags} {MEMORY}") } else { flags.into() })
        .env("CARGO_TARGET_DIR", &target);
    cargo.args(["build", "--quiet", "--release", "-p", "samplez", "--example", "speeds"]);
    let mut folder = target;
    if is_wasm {
        output(Command::new("rustup").args(["target", "add", WASM]))?;
        cargo.args(["--target", WASM]);
        folder.push(WASM);
    }
    output(&mut cargo)?;
    Ok(folder.join("release/examples").join(if is_wasm { "speeds.wasm" } else { "speeds" }))
}

fn has(class: &str) -> Result<bool> {
    let flags = std::fs::read_to_string("/proc/cpuinfo")?;
    let name = if class == "avx512" { "avx512vl" } else { class };
    Ok(flags.split_whitespace().any(|flag| flag == name))
}

/// The processor and the date.
fn machine() -> Result<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo")?;
    let name = info.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    Ok(format!("{}; {}; `cargo tools measure-speeds`", name.trim_matches([' ', '\t', ':']), date.trim()))
}

/// What a command prints.
fn output(command: &mut Command) -> Result<String> {
    let done = command.stderr(std::process::Stdio::inherit()).output();
    let done = done.map_err(|error| Error::new(error.kind(), format!("{command:?}: {error}")))?;
    if !done.status.success() {
        return Err(Error::other(format!("{command:?}: {}", done.status)));
    }
    String::from_utf8(done.stdout).map_err(Error::other)
}
