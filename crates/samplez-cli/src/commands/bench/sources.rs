//! `samplez bench sources`.

use super::openssl::{self, BASELINES};
use crate::args::BenchSources;
use crate::failure::Failure;
use crate::measure::rounds::{ROUNDS, median};
use crate::measure::stack;
use crate::measure::streams::{REQUEST, bulk, draws, stack_of};
use crate::numbers::grouped;
use crate::report::{columns, print};
use samplez::{EntropyError, Source};
use serde_json::{Value, json};
use std::fmt::Write;
use std::process::ExitCode;

/// Bytes in bulk for each draw of 8 bytes.
const PER_DRAW: usize = 64;
/// Seconds of OpenSSL's for each baseline: the rounds begin with one.
const BASELINE_SECONDS: usize = 3;
/// Who is compared with whom: a source, a baseline.
const PAIRS: [(Source, usize); 5] = [
    (Source::Aes256Ctr, 0),
    (Source::CtrDrbgAes256, 0),
    (Source::CtrDrbgAes256Soft, 1),
    (Source::ChaCha20, 2),
    (Source::Aes128Ctr, 3),
];

/// What one source does.
struct Figures {
    source: Source,
    /// Bytes per second.
    bulk: f64,
    draws: f64,
    stack: Option<usize>,
}

pub(super) fn run(args: &BenchSources) -> Result<ExitCode, Failure> {
    let openssl = openssl::version();
    let bytes = usize::try_from(args.count).unwrap_or(usize::MAX);
    let (mut bulks, mut draws_) = (vec![Vec::new(); args.sources.0.len()], vec![Vec::new(); args.sources.0.len()]);
    let mut baselines = [const { Vec::new() }; BASELINES.len()];
    for round in 0..ROUNDS {
        if openssl.is_ok() && round < BASELINE_SECONDS {
            for (baseline, figures) in BASELINES.iter().zip(&mut baselines) {
                figures.extend(baseline.measure(REQUEST));
            }
        }
        for ((source, bulks), draws_) in args.sources.0.iter().zip(&mut bulks).zip(&mut draws_) {
            bulks.push(bulk(*source, bytes).map_err(failed)?);
            draws_.push(draws(*source, bytes / PER_DRAW).map_err(failed)?);
        }
    }
    let figures: Vec<Figures> = (args.sources.0.iter().zip(bulks).zip(draws_))
        .map(|((source, bulk), draws)| Figures {
            source: *source,
            bulk: median(bulk),
            draws: median(draws),
            stack: stack_of(*source),
        })
        .collect();
    let baselines = baselines.map(|figures| (!figures.is_empty()).then(|| median(figures)));
    let text = if args.json {
        format!("{:#}\n", report(&figures, &baselines, &openssl))
    } else {
        as_text(&figures, &baselines, &openssl, bytes)
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn failed(error: EntropyError) -> Failure {
    Failure::System(error.to_string())
}

fn report(figures: &[Figures], baselines: &[Option<f64>], openssl: &Result<String, String>) -> Value {
    let sources: Vec<Value> = figures
        .iter()
        .map(|figures| {
            json!({
                "source": figures.source.name(),
                "bulk_bytes_per_second": figures.bulk.round(),
                "draws_bytes_per_second": figures.draws.round(),
                "state_bytes": figures.source.state_bytes(),
                "stack_bytes": figures.stack,
                "ratio_to_openssl": ratio(figures, baselines),
            })
        })
        .collect();
    let baselines: Vec<Value> = (BASELINES.iter().zip(baselines))
        .map(|(baseline, figure)| json!({"name": baseline.name, "bulk_bytes_per_second": figure.map(f64::round)}))
        .collect();
    json!({
        "sources": sources,
        "baselines": baselines,
        "openssl": openssl.as_ref().ok(),
        "no_baseline_because": openssl.as_ref().err(),
        "aes_instructions": aes_instructions(),
        "request_bytes": REQUEST,
        "rounds": ROUNDS,
        "clock": crate::measure::clock::NAME,
    })
}

/// The source's speed in bulk in units of its baseline's.
fn ratio(figures: &Figures, baselines: &[Option<f64>]) -> Option<f64> {
    let (_, baseline) = PAIRS.iter().find(|(source, _)| *source == figures.source)?;
    Some(figures.bulk / baselines[*baseline]?)
}

/// Whether this machine has instructions for AES, as far as a program can find out here.
fn aes_instructions() -> Option<bool> {
    #[cfg(target_arch = "x86_64")]
    return Some(std::arch::is_x86_feature_detected!("aes"));
    #[cfg(target_arch = "aarch64")]
    return Some(std::arch::is_aarch64_feature_detected!("aes"));
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    None
}

fn as_text(figures: &[Figures], baselines: &[Option<f64>], openssl: &Result<String, String>, bytes: usize) -> String {
    let header = ["source", "bulk", "draws of 8 bytes", "ns a draw", "state", "stack", "times OpenSSL"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for it in figures {
        rows.push(vec![
            it.source.to_string(),
            format!("{:.3} GB/s", it.bulk / 1e9),
            format!("{:.3} GB/s", it.draws / 1e9),
            format!("{:.1}", 8e9 / it.draws),
            grouped(it.source.state_bytes() as u64),
            it.stack.map_or("-".into(), |stack| grouped(stack as u64)),
            ratio(it, baselines).map_or(String::new(), |ratio| format!("{ratio:.2}")),
        ]);
    }
    for (baseline, figure) in BASELINES.iter().zip(baselines) {
        if let Some(figure) = figure {
            rows.push(vec![baseline.name.into(), format!("{:.3} GB/s", figure / 1e9)]);
        }
    }
    let mut text = columns(&rows, &[1, 2, 3, 4, 5, 6]);
    let aes = match aes_instructions() {
        Some(true) => "with instructions for AES",
        Some(false) => "without instructions for AES",
        None => "with unknown instructions for AES",
    };
    let _ = writeln!(
        text,
        "\nMedians of {ROUNDS} rounds of {} bytes by requests of {}, and of {} draws; processor time of one thread;\n\
         a machine {aes}. State: bytes of one generator, its buffer included.\n\
         Stack: bytes for seeding and one request.",
        grouped(bytes as u64),
        grouped(REQUEST as u64),
        grouped((bytes / PER_DRAW) as u64),
    );
    if let Some(floor) = stack::used(|| ()) {
        let _ = writeln!(text, "Stacks below {floor} bytes cannot be measured.");
    }
    let _ = match openssl {
        Ok(version) => writeln!(text, "Baseline: {version}; openssl speed, medians of {BASELINE_SECONDS} seconds."),
        Err(why) => {
            writeln!(text, "NO BASELINE: {why}. Install OpenSSL 3 to measure its ciphers in the same run.")
        }
    };
    text
}
