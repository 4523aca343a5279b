//! `samplez scheme sets`.

use super::cipher::Cipher;
use super::lp11::Lp11;
use super::regev::Regev;
use crate::args::SchemeSets;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::report::{columns, print, symbols};
use samplez_schemes::bliss::Variant;
use samplez_schemes::{Demand, bliss};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// A set, as it is shown.
struct Row {
    scheme: &'static str,
    set: String,
    /// Whether nobody has stated it.
    inferred: bool,
    /// By the names that papers have for them.
    parameters: Vec<(&'static str, u64)>,
    demand: Demand,
    security: u32,
    /// log2 of the signatures or ciphertext blocks of a key, if these take noise.
    lifetime_log2: Option<u32>,
    /// The samples of a signature by variant, rejected attempts counted, or of a key and of a block; means.
    samples: Vec<(&'static str, f64)>,
    /// What fails, and how often.
    failure: Option<(&'static str, f64)>,
}

pub(super) fn run(args: &SchemeSets) -> Result<ExitCode, Failure> {
    let rows = rows();
    print(&if args.json { format!("{:#}\n", as_json(&rows)) } else { as_text(&rows) })?;
    Ok(ExitCode::SUCCESS)
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = bliss::Set::ALL.into_iter().map(signing).collect();
    rows.extend(encrypting::<Lp11>());
    rows.extend(encrypting::<Regev>());
    rows
}

fn signing(set: bliss::Set) -> Row {
    let bliss::Parameters { n, q, weight, d, security, signatures_log2, .. } = *set.parameters();
    let samples = |attempts| 2.0 * n as f64 * attempts;
    Row {
        scheme: "bliss",
        set: set.to_string(),
        inferred: false,
        parameters: vec![("n", n as u64), ("q", q.into()), ("kappa", weight as u64), ("d", d.into())],
        demand: set.demand(),
        security,
        lifetime_log2: Some(signatures_log2),
        samples: vec![
            (Variant::Classic.name(), samples(set.parameters().classic_attempts)),
            (Variant::B.name(), samples(set.parameters().b_attempts)),
        ],
        failure: None,
    }
}

fn encrypting<C: Cipher>() -> impl Iterator<Item = Row> {
    C::sets().iter().map(|set| Row {
        scheme: C::NAME,
        set: set.to_string(),
        inferred: C::is_inferred(*set),
        parameters: C::parameters(*set),
        demand: C::demand(*set),
        security: C::security(*set),
        lifetime_log2: C::blocks_log2(*set),
        samples: vec![("key", C::key_samples(*set) as f64), ("block", C::block_samples(*set) as f64)],
        failure: Some(C::failure(*set)),
    })
}

fn as_json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let named = |pairs: &[(&'static str, f64)]| -> Map<String, Value> {
            pairs.iter().map(|(name, value)| ((*name).to_string(), json!(value))).collect()
        };
        let parameters: Map<String, Value> =
            row.parameters.iter().map(|(name, value)| ((*name).to_string(), json!(value))).collect();
        json!({
            "scheme": row.scheme,
            "set": row.set,
            "inferred": row.inferred,
            "parameters": parameters,
            "noise": row.demand.law.to_string(),
            "problem": row.demand.problem.to_string(),
            "samples_log2": row.demand.samples_log2,
            "security": row.security,
            "lifetime_log2": row.lifetime_log2,
            "samples": named(&row.samples),
            "failure": row.failure.map(|(what, rate)| json!({ "of": what, "rate": rate })),
        })
    };
    json!({ "sets": rows.iter().map(row).collect::<Vec<_>>() })
}

fn as_text(rows: &[Row]) -> String {
    let header = ["scheme", "set", "security", "lifetime", "noise", "parameters", "samples", "failure"];
    let mut table = vec![header.map(String::from).to_vec()];
    for row in rows {
        let parameters = row.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
        let samples = row.samples.iter().map(|(what, count)| format!("{what} {}", grouped(count.round() as i128)));
        table.push(vec![
            row.scheme.into(),
            format!("{}{}", row.set, if row.inferred { " (inferred)" } else { "" }),
            format!("2^{}", row.security),
            row.lifetime_log2.map_or_else(|| "-".into(), |log2| format!("2^{log2}")),
            symbols(&row.demand.law),
            parameters.collect::<Vec<_>>().join(", "),
            samples.collect::<Vec<_>>().join(", "),
            row.failure.map_or_else(|| "-".into(), |(what, rate)| format!("{rate:.2e} a {what}")),
        ]);
    }
    format!(
        "{}\n\
         Security: by today's estimates, which are newer than these parameters. Lifetime: signatures of one key, or blocks of\n\
         ciphertext. The commands reject noise whose certificate does not keep {} of {} bits of security for the samples\n\
         of all of them. Regev's ciphertexts use no noise. The encryptions are secure against chosen plaintexts only, and\n\
         decryption sometimes fails. In production use ML-KEM, ML-DSA or FN-DSA.\n",
        columns(&table, &[2, 3]),
        Demand::SECURITY - 2,
        Demand::SECURITY
    )
}
