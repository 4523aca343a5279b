//! Memcheck of what is shipped: the C library, and the Python package's module, as they are built for release.
//!
//! A program of their language fills arrays under valgrind from a generator whose bytes are undefined, and counts the
//! errors of each fill. No mark reaches in there, so this is for constant time alone: that a batch overflowed, which is
//! public, is one branch behind it, and so one error for each batch. Any other number is a leak.

use crate::secret::{Words, counted};
use crate::work::noise;
use rand_core::Rng;
use samplez::{BitReader, Method, Timing};
use samplez_ct::answers::{Expected, answered};
use samplez_ct::subjects::{Dtype, Entry, choices};
use std::io::Write;
use std::process::{Command, Stdio};

/// Samples of the fills, one after the other, none of which makes whole batches of every method.
const FILLS: [usize; 3] = [520, 13, 3];

/// The errors that valgrind must count in the fills of a recipe.
fn expected(method: Method, recipe: &str) -> Expected {
    if method.timing() != Timing::Constant {
        return Expected::Leak;
    }
    let sampler = noise(recipe);
    let mut words = Words::undefined(1);
    Expected::Batches(FILLS.map(|count| {
        let mut bits = BitReader::new(&mut words as &mut dyn Rng);
        counted(|| sampler.fill(&mut bits, &mut vec![0_i64; count]).expect("64 bits hold every sample"))
    }))
}

/// For each fill of methods in constant time, and of the control: the method, a recipe and a type, and what is counted.
fn fills() -> Vec<(Method, String, Expected)> {
    let mut pairs = vec![(Method::Cdt, "sigma=3.2,precision=72", Dtype::I16)];
    for choice in choices().into_iter().filter(|choice| choice.entry == Entry::Fill) {
        let method = choice.subject.name.parse::<Method>().ok().filter(|method| method.timing() == Timing::Constant);
        let pair = method.map(|method| (method, choice.law, choice.dtype));
        pairs.extend(pair.filter(|pair| !pairs.contains(pair)));
    }
    let fill = |(method, law, dtype): (Method, &str, Dtype)| {
        let recipe = format!("method={method},{law}");
        (method, format!("{recipe} {}", dtype.name()), expected(method, &recipe))
    };
    pairs.into_iter().map(fill).collect()
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
    let [a, b, c] = FILLS;
    let input: String = fills.iter().map(|(_, fill, _)| format!("{fill} {a} {b} {c}\n")).collect();
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
