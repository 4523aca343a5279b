//! `samplez-lab bench matrix`.

use super::args::BenchMatrix;
use samplez::{Method, Options, Rational, Recipe, Width};
use samplez_cli::testing::Failure;
use samplez_cli::testing::Output;
use samplez_cli::testing::print;
use samplez_lab::Matrix;
use std::process::ExitCode;

/// The width for methods that take any, as in \[BSOVOGR17\].
const SIGMA: i64 = 215;
/// The width for methods that take a whole k: 254·sqrt(1/(2 ln 2)) = 215.73, BLISS-I's, which the
/// papers write as 215.
const K: i64 = 254;

pub(crate) fn run(args: &BenchMatrix) -> Result<ExitCode, Failure> {
    let matrix = Matrix::measure(samplers(args)?, &args.sources.0, args.precision, args.count)?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::System(format!("cannot make {}: {error}", folder.display())))?;
        for (name, text) in [
            ("matrix.csv", matrix.csv()),
            ("matrix.json", format!("{:#}\n", matrix.json())),
            ("matrix-speed.svg", matrix.draw_speeds()),
            ("matrix-bytes.svg", matrix.draw_bytes()),
        ] {
            let mut output = Output::file(&folder.join(name), true)?;
            output.write(text.as_bytes())?;
            output.finish()?;
        }
    }
    print(&if args.json { format!("{:#}\n", matrix.json()) } else { matrix.text() })?;
    Ok(ExitCode::SUCCESS)
}

/// The samplers asked for, each with its law; frugal Bernoulli beside the other one.
fn samplers(args: &BenchMatrix) -> Result<Vec<(String, Recipe)>, Failure> {
    let mut columns = Vec::new();
    for method in &args.methods.0 {
        let default = match method {
            Method::Bernoulli | Method::DuWei5 | Method::DuWei5Ky => Width::KSigma2(Rational::from(K)),
            _ => Width::Sigma(Rational::from(SIGMA)),
        };
        let law = args.law.recipe_or(default.name(), &default.value().to_string())?.law;
        let forms: &[bool] =
            if args.frugal && method.row().heeds.contains(&"frugal") { &[false, true] } else { &[false] };
        for frugal in forms {
            let (precision, frugal_form) = (Some(args.precision), frugal.then_some(true));
            let options = method.part_of(&Options { precision, frugal: frugal_form, ..Options::default() });
            let name = if *frugal { format!("{method} --frugal") } else { method.to_string() };
            columns.push((name, Recipe { law, method: Some(*method), options }));
        }
    }
    Ok(columns)
}
