//! Memcheck of what is shipped: the C library, and the Python package's module, as they are built for release.
//!
//! A program of their language fills arrays under valgrind from a generator whose bytes are undefined, and counts the
//! errors of each fill. No mark reaches in there, so this is for constant time alone: that a batch overflowed, which is
//! public, is one branch behind it, and so one error for each batch. Any other number is a leak.

use crate::cases::METHODS;
use crate::work::{COUNT, Dtype, PIECES, Subject};
use samplez::{Method, Timing};
use std::io::Write;
use std::process::{Command, Stdio};

/// What is counted in the fills of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// As many errors as there are batches that may overflow, in each fill.
    Batches([u32; 3]),
    /// More than one in the first fill: the control is variable-time.
    Leak,
}

impl Expected {
    fn of(method: Method, (sigma, center, precision): (&str, &str, Option<u32>)) -> Self {
        if method.timing() == Timing::Constant {
            Expected::Batches(Subject::new(method, false, sigma, center, precision).questions())
        } else {
            Expected::Leak
        }
    }

    fn allows(self, errors: &[u32]) -> bool {
        match self {
            Expected::Batches(batches) => errors == batches,
            Expected::Leak => errors.len() == 3 && errors[0] > 1,
        }
    }
}

/// For each fill of methods in constant time, and of the control: the method, a recipe and a type, and what is counted.
fn fills() -> Vec<(Method, String, Expected)> {
    let mut fills = Vec::new();
    let control = (Method::Cdt, &[("3.2", "0", Some(72), &[Dtype::I16][..])][..]);
    let constant = METHODS.iter().copied().filter(|(method, _)| method.timing() == Timing::Constant);
    for (method, laws) in constant.chain([control]) {
        for (sigma, center, precision, dtypes) in laws {
            let expected = Expected::of(method, (sigma, center, *precision));
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

/// The errors in each fill of each line of the program's answer.
fn answered(text: &str) -> Result<Vec<Vec<u32>>, String> {
    let number = |word: &str| word.parse::<u32>().map_err(|e| format!("{word}: {e}"));
    text.lines().map(|line| line.split_whitespace().map(number).collect()).collect()
}

/// Puts the fills of a program, which is given with its arguments, to memcheck, and prints a line for each; how many are not as claimed.
pub(crate) fn all(program: &[&str]) -> Result<usize, String> {
    let fills = fills();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_method_is_filled_in_every_type() {
        let fills = fills();
        for method in Method::ALL.into_iter().filter(|method| method.timing() == Timing::Constant) {
            for dtype in Dtype::ALL {
                let is_case = |(of, fill, _): &(Method, String, _)| *of == method && fill.ends_with(dtype.name());
                assert!(fills.iter().any(is_case), "{method}, {dtype:?}");
            }
        }
        assert!(fills.iter().any(|(_, _, expected)| *expected == Expected::Leak));
    }

    #[test]
    fn errors_are_judged() {
        let of = |method, law| Expected::of(method, law);
        // 520 samples are one batch of the one, and two of the other, whose 13 samples are 52 of the base.
        for (expected, batches) in [
            (of(Method::CdtCt, ("3.2", "0", Some(72))), [0, 0, 0]),
            (of(Method::CdtLazyCt, ("3.2", "0", Some(72))), [1, 0, 0]),
            (of(Method::KnuthYaoCt, ("3.2", "0", Some(72))), [1, 1, 0]),
            (of(Method::ConvolutionCt, ("1.6e5", "-7", Some(128))), [2, 1, 0]),
        ] {
            assert_eq!(expected, Expected::Batches(batches));
            assert!(expected.allows(&batches) && !expected.allows(&[batches[0] + 1, batches[1], batches[2]]));
            assert!(!expected.allows(&[batches[0], batches[1], batches[2] + 1]) && !expected.allows(&batches[..2]));
        }
        assert_eq!(of(Method::Cdt, ("3.2", "0", Some(72))), Expected::Leak);
        assert!(Expected::Leak.allows(&[500, 0, 0]));
        assert!(!Expected::Leak.allows(&[0, 0, 0]) && !Expected::Leak.allows(&[]));
        assert_eq!(answered("1 0 0 \n12 3\n"), Ok(vec![vec![1, 0, 0], vec![12, 3]]));
        assert!(answered("1 x").is_err());
    }
}
