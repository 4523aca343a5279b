//! `samplez bench schemes`.

mod clock;
mod encrypting;
mod papers;
mod report;
mod row;
mod signing;

use crate::args::BenchSchemes;
use crate::commands::scheme::cipher::Cipher;
use crate::commands::scheme::lp11::Lp11;
use crate::commands::scheme::regev::Regev;
use crate::failure::Failure;
use crate::report::{print_json, print_verdicts};
use row::{Row, Under};
use samplez_schemes::{Demand, bliss};
use std::process::ExitCode;
use std::time::Duration;

pub(super) fn run(args: &BenchSchemes) -> Result<ExitCode, Failure> {
    known_sets(args)?;
    args.sources.0.iter().try_for_each(|source| row::generator(*source).map(drop))?;
    let mut bench = Bench { args, rows: Vec::new(), refused: Vec::new() };
    if bench.has_scheme("bliss") {
        for set in bliss::Set::ALL {
            bench.set(&set.to_string(), &set.demand(), |under| signing::measure(set, under))?;
        }
    }
    bench.cipher::<Lp11>()?;
    bench.cipher::<Regev>()?;
    let Bench { rows, refused, .. } = bench;
    match args.json {
        true => print_json(&report::as_json(args, &rows, &refused)),
        false => print_verdicts(&report::as_text(args, &rows, &refused)),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// What was asked for, and what came of it.
struct Bench<'a> {
    args: &'a BenchSchemes,
    rows: Vec<Row>,
    /// Samplers that could not be built, each once.
    refused: Vec<String>,
}

impl Bench<'_> {
    fn has_scheme(&self, name: &str) -> bool {
        self.args.schemes.iter().any(|asked| asked == name)
    }

    fn cipher<C: Cipher>(&mut self) -> Result<(), Failure> {
        if self.has_scheme(C::NAME) {
            for set in C::sets() {
                let measure = |under: &Under<'_>| Ok(vec![encrypting::measure::<C>(*set, under)?]);
                self.set(&set.to_string(), &C::demand(*set), measure)?;
            }
        }
        Ok(())
    }

    /// A set over every sampler and source, if it was asked for.
    fn set(
        &mut self,
        name: &str,
        demand: &Demand,
        measure: impl Fn(&Under<'_>) -> Result<Vec<Row>, Failure>,
    ) -> Result<(), Failure> {
        if self.args.sets.as_ref().is_some_and(|sets| !sets.iter().any(|asked| asked == name)) {
            return Ok(());
        }
        for method in &self.args.methods.0 {
            match row::noise(demand, *method) {
                Ok(noise) => {
                    for source in &self.args.sources.0 {
                        let turn = Duration::from_millis(self.args.turn.into());
                        let under = Under { turn, source: *source, method: *method, noise: &noise };
                        self.rows.extend(measure(&under)?);
                    }
                }
                Err(why) => self.refused.push(format!("{name}, {}: {why}", row::asked(*method))),
            }
        }
        Ok(())
    }
}

/// That every set that was asked for is there.
fn known_sets(args: &BenchSchemes) -> Result<(), Failure> {
    let mut known: Vec<String> = bliss::Set::ALL.iter().map(ToString::to_string).collect();
    known.extend(Lp11::sets().iter().map(ToString::to_string));
    known.extend(Regev::sets().iter().map(ToString::to_string));
    match args.sets.iter().flatten().find(|asked| !known.contains(asked)) {
        Some(unknown) => {
            Err(Failure::input(&format!("--sets {unknown}"), format!("expected one of {}", known.join(", "))))
        }
        None => Ok(()),
    }
}
