//! `samplez-lab bench papers`: every method at the papers' widths and precisions.

use super::args::BenchPapers;
use samplez::bindings::Backend;
use samplez_cli::testing::Failure;
use samplez_cli::testing::print;
use samplez_cli::testing::text::columns;
use samplez_cli::testing::text::{grouped, rate};
use samplez_lab::{Contender, Entry, Figure, Measured, Race, orderings};
use serde_json::json;
use std::fmt::Write;
use std::process::ExitCode;

/// \[BCGHW13\] with t = 13, \[BSOVOGR17\], \[JSDGS17\].
const PRECISIONS: [(u32, &str); 3] = [(106, "[BCGHW13]"), (64, "[BSOVOGR17]"), (128, "[JSDGS17]")];

pub(crate) fn run(args: &BenchPapers) -> Result<ExitCode, Failure> {
    let race = Race::from(&args.timing);
    let mut entries = Vec::new();
    for (precision, _) in PRECISIONS {
        for sigma in &args.sigma {
            entries.extend(Entry::measure(race, sigma, precision)?);
        }
    }
    let figures = Figure::measure(race)?;
    print(&match (args.json, args.csv) {
        (true, _) => as_json(race, &entries, &figures),
        (_, true) => as_csv(&entries),
        _ => as_text(race, &args.sigma, &entries, &figures),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn as_text(race: Race, sigmas: &[String], entries: &[Entry], figures: &[Figure]) -> String {
    let mut text = format!(
        "Million samples a second to i32 on one thread over {}, backend {}; the fastest of {} turns of {:.0} ms by\n\
         processor time. All methods of a column take turns. bernoulli, du-wei-5 and du-wei-5-ky have the width\n\
         k sqrt(1/(2 ln 2)) nearest to it, k = 4, 12, 38, 65, 126, 253, 1177, 188385. - : does not take this width or memory.\n",
        race.source,
        Backend::current().name(),
        race.rounds,
        race.turn * 1e3
    );
    for (precision, paper) in PRECISIONS {
        let cells: Vec<&Entry> = entries.iter().filter(|entry| entry.precision == precision).collect();
        let _ = write!(
            text,
            "\nTables of {precision} bits, as {paper}, t = 13\n\n{}",
            grid(sigmas, &cells, "million/s", |m| rate(m.speed))
        );
        let _ = write!(text, "\n{}", grid(sigmas, &cells, "bytes", |m| grouped(i128::from(m.bytes))));
    }
    let _ = write!(text, "\nThe papers' absolute figures, on the machines of their days\n\n{}", Figure::table(figures));
    let _ = write!(text, "\nThe papers' orderings\n\n{}", orderings(sigmas, entries));
    text
}

/// One line for each method, one column for each width.
fn grid(sigmas: &[String], cells: &[&Entry], what: &str, show: impl Fn(&Measured) -> String) -> String {
    let mut rows = vec![vec![format!("{what}, sigma =")]];
    rows[0].extend(sigmas.iter().cloned());
    for contender in Contender::all() {
        let mut row = vec![contender.name.to_string()];
        for sigma in sigmas {
            let cell = cells.iter().find(|entry| entry.name == contender.name && entry.sigma == *sigma);
            let outcome = cell.and_then(|entry| entry.outcome.as_ref().ok());
            row.push(outcome.map_or_else(|| "-".into(), &show));
        }
        rows.push(row);
    }
    columns(&rows, &[1, 2, 3, 4, 5, 6, 7, 8])
}

fn as_csv(entries: &[Entry]) -> String {
    let mut text = String::from("precision,sigma,method,bytes,million_per_second\n");
    for Entry { sigma, precision, name, outcome } in entries {
        if let Ok(Measured { bytes, speed, .. }) = outcome {
            let _ = writeln!(text, "{precision},{sigma},\"{name}\",{bytes},{speed:.4}");
        }
    }
    text
}

fn as_json(race: Race, entries: &[Entry], figures: &[Figure]) -> String {
    let speeds: Vec<_> = entries
        .iter()
        .map(|Entry { sigma, precision, name, outcome }| match outcome {
            Ok(Measured { law, bytes, speed }) => json!({
                "sigma": sigma, "precision": precision, "method": name,
                "law": law, "bytes": bytes, "million_per_second": speed,
            }),
            Err(why) => json!({ "sigma": sigma, "precision": precision, "method": name, "refused": why }),
        })
        .collect();
    let report = json!({
        "source": race.source.name(),
        "clock": samplez_cli::testing::measure::clock::NAME,
        "rounds": race.rounds,
        "turn_seconds": race.turn,
        "backend": Backend::current().name(),
        "speeds": speeds,
        "figures": figures.iter().map(Figure::as_json).collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
}
