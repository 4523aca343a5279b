//! Memcheck of what is shipped: the C library, and the Python package's module, as they are built for release.
//!
//! A program of their language fills arrays under valgrind from a generator whose bytes are undefined, and counts the
//! errors of each fill. No mark reaches in there, so this is for constant time alone: that a batch overflowed, which is
//! public, is one branch behind it, and so one error for each batch. Any other number is a leak.

use crate::cases::METHODS;
use crate::work::{COUNT, Dtype, PIECES, Subject};
use samplez::{Method, Timing};
use samplez_ct::answers::{Expected, answered};
use std::io::Write;
use std::process::{Command, Stdio};

/// The errors that valgrind must count in the fills of a method at a law.
fn expected(method: Method, (sigma, center, precision): (&str, &str, Option<u32>)) -> Expected {
    if method.timing() == Timing::Constant {
        Expected::Batches(Subject::new(method, false, sigma, center, precision).questions())
    } else {
        Expected::Leak
    }
}

/// For each fill of methods in constant time, and of the control: the method, a recipe and a type, and what is counted.
fn fills() -> Vec<(Method, String, Expected)> {
    let mut fills = Vec::new();
    let control = (Method::Cdt, &[("3.2", "0", Some(72), &[Dtype::I16][..])][..]);
    let constant = METHODS.iter().copied().filter(|(method, _)| method.timing() == Timing::Constant);
    for (method, laws) in constant.chain([control]) {
        for (sigma, center, precision, dtypes) in laws {
            let expected = expected(method, (sigma, center, *precision));
            let precision = precision.map_or(String::new(), |bits| format!(",precision={bits}"));
            for dtype in *dtypes {
                let dtype = dtype.name();
                let fill = format!("method={method},sigma={sigma},center={center}{precision} {dtype}");
                fills.push((method, fill, expected));
            }
        }
    }
    fills
}

/// Puts the fills of a program, which is given with its arguments, to memcheck, and prints a line for each; how many are not as claimed.
pub(crate) fn all(program: &[&str]) -> Result<usize, String> {
    let fills = fills();
    for method in Method::ALL.into_iter().filter(|method| method.timing() == Timing::Constant) {
        for dtype in Dtype::ALL {
            let is_case = |(of, fill, _): &(Method, String, _)| *of == method && fill.ends_with(dtype.name());
            if !fills.iter().any(is_case) {
                return Err(format!("{method}, {dtype:?}: has no fill"));
            }
        }
    }
    let [a, b] = PIECES;
    let input: String = fills.iter().map(|(_, fill, _)| format!("{fill} {} {a} {b}\n", COUNT - a - b)).collect();
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-limit=no", "--log-file=/dev/null"]).args(program);
    let mut child = valgrind
        .env("PYTHONMALLOC", "malloc")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("valgrind: {e}"))?;
    let mut stdin = child.stdin.take().ok_or("valgrind: no standard input")?;
    stdin.write_all(input.as_bytes()).map_err(|e| format!("{}: {e}", program[0]))?;
    drop(stdin);
    let output = child.wait_with_output().map_err(|e| format!("valgrind: {e}"))?;
    if !output.status.success() {
        return Err(format!("{}: ended with {:?}", program[0], output.status.code()));
    }
    let answers = answered(&String::from_utf8_lossy(&output.stdout))?;
    if answers.len() != fills.len() {
        return Err(format!("{}: {} answers to {} questions", program[0], answers.len(), fills.len()));
    }
    println!("| fill | errors | as claimed |\n|---|---|---|");
    let mut wrong = 0;
    for ((_, fill, expected), errors) in fills.iter().zip(&answers) {
        let right = expected.allows(errors);
        wrong += usize::from(!right);
        println!("| {fill} | {errors:?} | {} |", if right { "yes" } else { "NO" });
    }
    Ok(wrong)
}
