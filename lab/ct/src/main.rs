//! Evidence of constant time, on the binary that the compiler made: `make ct`; and of erased memory.
//!
//! Two tests of time, over every sampler that claims constant time and over controls that leak. A claim
//! that is refuted, or a control that is not caught, makes the program fail.

mod allocator;
mod cases;
mod erased;
mod memcheck;
mod secret;
mod shipped;
mod signers;
mod timing;
mod valgrind;
mod work;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

const USAGE: &str = "\
usage: samplez-ct COMMAND

  memcheck [NAME]       every case, or those with NAME in theirs, under valgrind, their random bits undefined;
                        `quick`: a slice that has every subject, entry, type, length and backend
  timing MEASUREMENTS [NAME]
                        every case, or those with NAME in theirs, on a fixed stream of bits and on
                        random ones; Welch's t
  erased [NAME]         what is left of secrets in the process's memory, after what held them was dropped
  shipped PROGRAM [ARGUMENT]
                        fills through the C library or the Python package by a program of theirs, under valgrind
  part FIRST STEP NAME  some of the cases that memcheck chooses, for valgrind
";

fn run(arguments: &[&str]) -> Result<usize, String> {
    let cases = cases::all();
    let number = |text: &str| text.replace('_', "").parse::<usize>().map_err(|e| format!("{text}: {e}"));
    match arguments {
        ["memcheck", name @ ..] if name.len() <= 1 => {
            println!("Compiler: {}\n", env!("SAMPLEZ_RUSTC"));
            memcheck::all(&cases, name.first().unwrap_or(&""))
        }
        ["timing", measurements, name @ ..] if name.len() <= 1 => {
            let measurements = number(measurements)?;
            println!("Compiler: {}\n", env!("SAMPLEZ_RUSTC"));
            Ok(timing::all(&cases, measurements, name.first().unwrap_or(&"")))
        }
        ["erased", name @ ..] if name.len() <= 1 => erased::all(name.first().unwrap_or(&"")),
        ["shipped", program @ ..] if !program.is_empty() => shipped::all(program),
        ["part", first, step, name] => memcheck::part(&cases, number(first)?, number(step)?.max(1), name).map(|()| 0),
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("samplez-ct: {wrong} cases are not as claimed");
            ExitCode::from(1)
        }
        Err(message) => {
            eprintln!("samplez-ct: {message}");
            ExitCode::from(2)
        }
    }
}
