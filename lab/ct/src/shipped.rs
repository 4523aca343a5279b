//! Memcheck of what is shipped: the C library, and the Python package's module, as they are built for release.
//!
//! A program of their language fills arrays under valgrind from a generator whose bytes are undefined, and counts the
//! errors of each fill. No mark reaches in there, so this is for constant time alone: that a fill overflowed, which is
//! public, is one branch at its end, and so one error. More than one, or one where there is nothing to overflow, is a leak.

use crate::cases::METHODS;
use crate::work::{COUNT, Dtype, PIECES};
use samplez::{Method, Timing};
use std::io::Write;
use std::process::{Command, Stdio};

/// What is counted in the fills of a method, the first of which is by batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// No error.
    Nothing,
    /// One, of the overflow; where there is no batch, none.
    Overflow,
    /// More: the control is variable-time.
    Leak,
}

impl Expected {
    fn of(method: Method) -> Self {
        match method {
            Method::CdtCt => Expected::Nothing,
            _ if method.timing() == Timing::Constant => Expected::Overflow,
            _ => Expected::Leak,
        }
    }

    fn allows(self, errors: &[u32]) -> bool {
        match (self, errors) {
            (Expected::Nothing, errors) => errors.iter().all(|n| *n == 0),
            (Expected::Overflow, [first, rest @ ..]) => *first == 1 && rest.iter().all(|n| *n <= 1),
            (Expected::Leak, [first, ..]) => *first > 1,
            (_, []) => false,
        }
    }
}

/// For each fill of methods in constant time, and of the control: the method, and a recipe and a type.
fn fills() -> Vec<(Method, String)> {
    let mut fills = Vec::new();
    let control = (Method::Cdt, &[("3.2", "0", Some(72), &[Dtype::I16][..])][..]);
    let constant = METHODS.iter().copied().filter(|(method, _)| method.timing() == Timing::Constant);
    for (method, laws) in constant.chain([control]) {
        for (sigma, center, precision, dtypes) in laws {
            let precision = precision.map_or(String::new(), |bits| format!(",precision={bits}"));
            for dtype in *dtypes {
                let dtype = dtype.name();
                fills.push((method, format!("method={method},sigma={sigma},center={center}{precision} {dtype}")));
            }
        }
    }
    fills
}

/// The errors in each fill of each line of the program's answer.
fn answered(text: &str) -> Result<Vec<Vec<u32>>, String> {
    let number = |word: &str| word.parse::<u32>().map_err(|e| format!("{word}: {e}"));
    text.lines().map(|line| line.split_whitespace().map(number).collect()).collect()
}

/// Puts the fills of a program, which is given with its arguments, to memcheck, and prints a line for each; how many are not as claimed.
pub(crate) fn all(program: &[&str]) -> Result<usize, String> {
    let fills = fills();
    let [a, b] = PIECES;
    let input: String = fills.iter().map(|(_, fill)| format!("{fill} {} {a} {b}\n", COUNT - a - b)).collect();
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
    for ((method, fill), errors) in fills.iter().zip(&answers) {
        let right = errors.len() == 3 && Expected::of(*method).allows(errors);
        wrong += usize::from(!right);
        println!("| {fill} | {errors:?} | {} |", if right { "yes" } else { "NO" });
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_method_is_filled_in_every_type() {
        let fills = fills();
        for method in Method::ALL.into_iter().filter(|method| method.timing() == Timing::Constant) {
            for dtype in Dtype::ALL {
                let is_case = |(of, fill): &(Method, String)| *of == method && fill.ends_with(dtype.name());
                assert!(fills.iter().any(is_case), "{method}, {dtype:?}");
            }
        }
        assert!(fills.iter().any(|(method, _)| Expected::of(*method) == Expected::Leak));
    }

    #[test]
    fn errors_are_judged() {
        let of = |method, errors: &[u32]| Expected::of(method).allows(errors);
        assert!(of(Method::CdtCt, &[0, 0, 0]) && !of(Method::CdtCt, &[0, 0, 1]) && !of(Method::CdtCt, &[1, 0, 0]));
        assert!(of(Method::CdtLazyCt, &[1, 0, 0]) && of(Method::ConvolutionCt, &[1, 1, 0]));
        assert!(
            !of(Method::CdtLazyCt, &[0, 0, 0])
                && !of(Method::CdtLazyCt, &[2, 0, 0])
                && !of(Method::CdtLazyCt, &[1, 2, 0])
        );
        assert!(of(Method::Cdt, &[500, 0, 0]) && !of(Method::Cdt, &[0, 0, 0]) && !of(Method::Cdt, &[]));
        assert_eq!(answered("1 0 0 \n12 3\n"), Ok(vec![vec![1, 0, 0], vec![12, 3]]));
        assert!(answered("1 x").is_err());
    }
}
