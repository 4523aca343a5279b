//! `docs/trust/soak.csv` and `docs/trust/matrix.csv`: many samples of every method, through the tests of `samplez verify`.
//!
//! A row that is kept is not drawn again, so what was broken off goes on where it was; to draw a row anew, delete it.
//! All seeds are derived from the row's name: the same samples come on every machine.

use samplez::{BitReader, Bulk, FillError, FixedPoint, Int, Method, Rational, Recipe, Seed, Source};
use samplez_core::samplers::{ProposalStore, SamplerZ, StripRounder};
use samplez_lab::{Place, today};
use samplez_sources::ChaCha20;
use samplez_stats::{Report, Verdict, Verifier};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread::available_parallelism;
use std::time::Instant;
use xtask::csv::Table;
use xtask::files::Findings;

/// Of each method the first three that it is built for.
const LAWS: [&str; 13] = [
    "sigma=3.2,center=0",
    "sigma=215,center=0",
    "sigma=19.5,center=1/3",
    "k_sigma2=254,center=0",
    "s=8.35,center=5",
    "k_sigma2=3,center=-8",
    "k_sigma2=188388,center=7",
    "sigma_squared=1000000,center=-3",
    "sigma=160000,center=0",
    "sigma=1099511627776,center=0",
    "sigma=100000000,center=1/3",
    "s=1000000000000,center=-7/2",
    "k_sigma2=100000000000000000,center=0",
];
const LAWS_OF_EACH: usize = 3;

const SAMPLES: u64 = 10_000_000_000;
/// Calls one by one from a store: the rounder, and the law that it is called for.
const STORES: [(&str, &str); 2] = [
    ("ProposalStore of StripRounder", "sigma=17/10,center=5/16"),
    ("ProposalStore of SamplerZ", "sigma=17/10,center=5/16"),
];
/// Calls between two reports to the verifier.
const CALLS: usize = 1 << 20;
/// Of the method that is taken where none is named, under the first law.
const SAMPLES_OF_DEFAULT: u64 = 100_000_000_000;
const SAMPLES_OF_CELL: u64 = 10_000_000;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Draws what the files lack: of `what` alone, which is a method, `auto`, `stores` or `matrix`, or all of soak.csv.
pub(crate) fn run(root: &Path, what: Option<&str>) -> Findings {
    let done = if what == Some("matrix") { matrix(root) } else { soak(root, what) };
    done.map_err(|error| io::Error::other(format!("soak: {error}")))
}

/// The rows of the default, of each method under its laws, and of the stores.
fn soak(root: &Path, what: Option<&str>) -> Result<Vec<String>> {
    let of_methods =
        Method::ALL.into_iter().flat_map(|method| laws_of(method).map(move |law| (law, method.name(), SAMPLES)));
    let of_stores = STORES.map(|(store, law)| (law, store, SAMPLES));
    let units = [(LAWS[0], "auto", SAMPLES_OF_DEFAULT)].into_iter().chain(of_methods).chain(of_stores);
    let is_wanted =
        |method: &str| what.is_none_or(|what| what == method || what == "stores" && method.starts_with("Proposal"));
    let units: Vec<_> = units.filter(|(_, method, _)| is_wanted(method)).collect();
    if units.is_empty() {
        return Err(format!("{}: expected a method, auto, stores or matrix", what.unwrap_or_default()).into());
    }
    let (mut table, mut findings) = (Table::open(root, "docs/trust/soak.csv")?, Vec::new());
    for (law, method, samples) in units {
        if table.has(&[law, method]) {
            continue;
        }
        let start = Instant::now();
        let report = match method.starts_with("Proposal") {
            true => calls(method, law, samples)?,
            false => verify::<i64>(law, method, Source::ChaCha20, samples, available_parallelism()?)?,
        };
        let (families, least, family, rejects) = judged(&report);
        let sigma = report.power.sigma.map_or(String::new(), |error| format!("{error:.1e}"));
        let (seconds, Place { machine, commit }) = (start.elapsed().as_secs().to_string(), Place::here());
        let [samples, families, least, rejecting] =
            [samples.to_string(), families.to_string(), format!("{least:.2e}"), rejects.to_string()];
        eprintln!("{law}, {method}: {samples} samples, least p {least} of {families}");
        let row = [
            law,
            method,
            &samples,
            &families,
            &least,
            &family,
            &rejecting,
            &sigma,
            &seconds,
            &today(),
            &machine,
            &commit,
        ];
        table.put(2, row.map(str::to_owned).into())?;
        findings.extend((rejects > 0).then(|| format!("{law}, {method}: {rejects} families reject")));
    }
    Ok(findings)
}

/// Every method over every source, in every type that holds the law, on this build's backend.
fn matrix(root: &Path) -> Result<Vec<String>> {
    let (mut table, mut findings) = (Table::open(root, "docs/trust/matrix.csv")?, Vec::new());
    let backend = samplez::bindings::Backend::current().name();
    for method in Method::ALL {
        let law = laws_of(method).next().ok_or_else(|| format!("{method}: no law of {LAWS:?} is built"))?;
        for source in Source::ALL.into_iter().filter(|source| source.is_seeded()) {
            let key = [backend, method.name(), source.name()];
            if table.has(&key) {
                continue;
            }
            let (types, least, family, rejects) = cell(law, method, source)?;
            let [types, samples, least, rejecting] =
                [types.to_string(), SAMPLES_OF_CELL.to_string(), format!("{least:.2e}"), rejects.to_string()];
            let (today, commit) = (today(), Place::here().commit);
            let row = [&key[..], &[law, &types, &samples, &least, &family, &rejecting, &today, &commit]].concat();
            eprintln!("{}", row.join(", "));
            table.put(3, row.into_iter().map(str::to_owned).collect())?;
            findings.extend(
                (rejects > 0 && source.is_cryptographic()).then(|| format!("{}: {rejects} reject", key.join(", "))),
            );
        }
    }
    Ok(findings)
}

/// Of a method over a source in how many types, the least p-value with its family, and how many families reject.
fn cell(law: &str, method: Method, source: Source) -> Result<(usize, f64, String, usize)> {
    let (name, threads) = (method.name(), available_parallelism()?);
    let reports = [
        held(verify::<i8>(law, name, source, SAMPLES_OF_CELL, threads))?,
        held(verify::<i16>(law, name, source, SAMPLES_OF_CELL, threads))?,
        held(verify::<i32>(law, name, source, SAMPLES_OF_CELL, threads))?,
        held(verify::<i64>(law, name, source, SAMPLES_OF_CELL, threads))?,
    ];
    let all: Vec<_> = reports.iter().flatten().map(judged).collect();
    let (_, least, family, _) = all.iter().min_by(|a, b| a.1.total_cmp(&b.1)).ok_or("no type holds the law")?;
    Ok((all.len(), *least, family.clone(), all.iter().map(|(.., rejects)| rejects).sum()))
}

/// The laws of the list that the method is built for.
fn laws_of(method: Method) -> impl Iterator<Item = &'static str> {
    LAWS.into_iter().filter(move |law| recipe(law, method.name()).is_ok_and(|it| it.build().is_ok())).take(LAWS_OF_EACH)
}

fn recipe(law: &str, method: &str) -> Result<Recipe> {
    Ok(format!("{law},method={method}").parse::<Recipe>()?)
}

/// So many samples, judged while so many threads draw the next ones.
fn verify<T: Int>(law: &str, method: &str, source: Source, samples: u64, threads: NonZeroUsize) -> Result<Report> {
    let built = recipe(law, method)?.build()?;
    let mut verifier = Verifier::new(&built.recipe().gaussian()?)?;
    let seed = Sha256::digest(format!("soak {law} {method} {} {}", source.name(), T::NAME));
    let bulk = Bulk::new(built.into_sampler(), source, Seed::from_bytes(seed.into()));
    for part in bulk.blocks::<T>(0, samples, threads)? {
        verifier.push(&part?);
    }
    Ok(verifier.finish()?)
}

/// So many calls for this law from such a store, judged while a thread makes the next ones.
fn calls(store: &str, law: &str, samples: u64) -> Result<Report> {
    let law = recipe(law, "karney")?.gaussian()?;
    let mut verifier = Verifier::new(&law)?;
    let (sigma, center) = ("17/10".parse::<Rational>()?, FixedPoint::from_f64(0.3125).ok_or("a centre")?);
    let bits = BitReader::new(ChaCha20::new(&Seed::from_bytes(
        Sha256::digest(format!("soak store {}", store.trim_start_matches("ProposalStore of "))).into(),
    )));
    let mut call: Box<dyn FnMut() -> i64 + Send> = if store.ends_with("SamplerZ") {
        let rounder = SamplerZ::new("1.2778336969128337".parse()?)?;
        let width = rounder.width(sigma)?;
        let mut store = ProposalStore::new(rounder, bits);
        Box::new(move || store.round(center, width))
    } else {
        let rounder = StripRounder::new("1.2778336969128337".parse()?, "1.8205".parse()?)?;
        let width = rounder.width(sigma)?;
        let mut store = ProposalStore::new(rounder, bits);
        Box::new(move || store.round(center, width))
    };
    std::thread::scope(|scope| {
        let (parts, made) = sync_channel::<Vec<i64>>(2);
        scope.spawn(move || {
            let mut left = samples;
            while left > 0 {
                let count = left.min(CALLS as u64);
                if parts.send((0..count).map(|_| call()).collect()).is_err() {
                    break;
                }
                left -= count;
            }
        });
        made.iter().for_each(|part| verifier.push(&part));
        Ok(verifier.finish()?)
    })
}

/// The report, unless the type is too narrow for a sample.
fn held(report: Result<Report>) -> Result<Option<Report>> {
    match report {
        Err(error) if matches!(error.downcast_ref(), Some(FillError::Range(_) | FillError::Narrow(_))) => Ok(None),
        report => report.map(Some),
    }
}

/// What a report comes to: the families that apply; their least p-value times their number, at most 1, below α of which the report rejects;
/// its family; and how many reject.
fn judged(report: &Report) -> (usize, f64, String, usize) {
    let applicable = || report.tests.iter().filter_map(|test| Some((test.p_value?, &test.name)));
    let families = applicable().count();
    let (least, family) = applicable().min_by(|a, b| a.0.total_cmp(&b.0)).map_or((1.0, ""), |(p, name)| (p, name));
    let rejects = report.tests.iter().filter(|test| test.verdict == Verdict::Reject).count();
    (families, (least * families as f64).min(1.0), family.to_owned(), rejects)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every method has three laws; what is verified is the law: another one is rejected; a narrow type is not an error.
    #[test]
    fn methods_have_laws() -> Result<()> {
        for method in Method::ALL {
            assert_eq!(laws_of(method).count(), LAWS_OF_EACH, "{method}");
        }
        for (store, law) in STORES {
            let report = calls(store, law, 200_000)?;
            assert_eq!((report.n, judged(&report).3), (200_000, 0), "{store}");
            assert!(judged(&calls(store, "sigma=17/10,center=1/4", 200_000)?).3 > 0, "{store}");
        }
        let report = verify::<i32>(LAWS[0], "karney", Source::ChaCha20, 100_000, NonZeroUsize::MIN)?;
        assert_eq!((report.n, judged(&report).3), (100_000, 0));
        let mut other = Verifier::new(&recipe(LAWS[1], "karney")?.build()?.recipe().gaussian()?)?;
        let bulk =
            Bulk::new(recipe(LAWS[0], "karney")?.build()?.into_sampler(), Source::ChaCha20, Seed::from_number(1));
        other.push(&bulk.blocks::<i32>(0, 10_000, 1.try_into()?)?.next().ok_or("a part")??);
        assert!(judged(&other.finish()?).3 > 0);
        assert!(held(verify::<i8>(LAWS[1], "karney", Source::ChaCha20, 100_000, NonZeroUsize::MIN))?.is_none());
        Ok(())
    }
}
