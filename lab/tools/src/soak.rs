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
use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::available_parallelism;
use std::time::Instant;
use xtask::csv::field;
use xtask::files::{Findings, read, write};

pub(crate) const SOAK: &str = "docs/trust/soak.csv";
pub(crate) const MATRIX: &str = "docs/trust/matrix.csv";

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
const STORES: [(&str, &str); 2] =
    [("StripRounder", "sigma=17/10,center=5/16"), ("SamplerZ", "sigma=17/10,center=5/16")];
/// Calls between two reports to the verifier.
const CALLS: usize = 1 << 20;
/// Of the method that is taken where none is named, under the first law.
const SAMPLES_OF_DEFAULT: u64 = 100_000_000_000;
const SAMPLES_OF_CELL: u64 = 10_000_000;

pub(crate) const SOAK_HEADER: &str =
    "law,method,samples,families,least p,of,rejects,seen error of sigma,seconds,date,machine,commit";
pub(crate) const MATRIX_HEADER: &str = "backend,method,source,law,types,samples of each,least p,of,rejects,date,commit";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Draws what the files lack: of `what` alone, which is a method, `auto`, `stores` or `matrix`, or all of soak.csv.
pub(crate) fn run(root: &Path, what: Option<&str>) -> Findings {
    let done = match what {
        Some("matrix") => matrix(root),
        Some("auto") => soak(root, true, &[]),
        Some("stores") => stores(root),
        Some(name) => name.parse::<Method>().map_err(Into::into).and_then(|method| soak(root, false, &[method])),
        None => soak(root, true, &Method::ALL).and_then(|mut findings| {
            findings.extend(stores(root)?);
            Ok(findings)
        }),
    };
    done.map_err(|error| io::Error::other(format!("soak: {error}")))
}

/// The row of the method that is taken where none is named, if asked for, and those of these.
fn soak(root: &Path, of_default: bool, methods: &[Method]) -> Result<Vec<String>> {
    let mut file = RowFile::open(root, SOAK, SOAK_HEADER)?;
    let mut findings = Vec::new();
    let mut units = Vec::new();
    units.extend(of_default.then_some((LAWS[0], "auto", SAMPLES_OF_DEFAULT)));
    for method in methods {
        units.extend(laws_of(*method).map(|law| (law, method.name(), SAMPLES)));
    }
    for (law, method, samples) in units {
        let key = format!("{},{method}", field(law));
        if file.has(&key) {
            continue;
        }
        findings.extend(kept(&mut file, &key, samples, || {
            verify::<i64>(law, method, Source::ChaCha20, samples, available_parallelism()?)
        })?);
    }
    Ok(findings)
}

/// The rows of the stores.
fn stores(root: &Path) -> Result<Vec<String>> {
    let mut file = RowFile::open(root, SOAK, SOAK_HEADER)?;
    let mut findings = Vec::new();
    for (rounder, law) in STORES {
        let key = format!("{},ProposalStore of {rounder}", field(law));
        if !file.has(&key) {
            findings.extend(kept(&mut file, &key, SAMPLES, || calls(rounder, law, SAMPLES))?);
        }
    }
    Ok(findings)
}

/// Judges so many samples and keeps the row; the finding, if a family rejects.
fn kept(
    file: &mut RowFile,
    key: &str,
    samples: u64,
    verify: impl FnOnce() -> Result<Report>,
) -> Result<Option<String>> {
    let start = Instant::now();
    let report = verify()?;
    let judged = Judged::of(&report);
    let seconds = start.elapsed().as_secs_f64();
    let sigma = report.power.sigma.map_or(String::new(), |error| format!("{error:.1e}"));
    let Place { machine, commit } = Place::here();
    file.add(
        key,
        &format!(
            "{samples},{},{:.2e},{},{},{sigma},{seconds:.0},{},{},{commit}",
            judged.families,
            judged.least,
            judged.family,
            judged.rejects,
            today(),
            field(&machine)
        ),
    )?;
    eprintln!("{key}: {samples} samples, least p {:.2e} of {}", judged.least, judged.families);
    Ok((judged.rejects > 0).then(|| format!("{key}: {} families reject", judged.rejects)))
}

/// Every method over every source, in every type that holds the law, on this build's backend: a thread draws a cell.
fn matrix(root: &Path) -> Result<Vec<String>> {
    let mut file = RowFile::open(root, MATRIX, MATRIX_HEADER)?;
    let backend = samplez::bindings::Backend::current().name();
    let mut cells = Vec::new();
    for method in Method::ALL {
        let law = laws_of(method).next().ok_or_else(|| format!("{method}: no law of {LAWS:?} is built"))?;
        for source in Source::ALL.into_iter().filter(|source| source.is_seeded()) {
            let key = format!("{backend},{},{}", method.name(), source.name());
            if !file.has(&key) {
                cells.push((key, law, method, source));
            }
        }
    }
    let (next, threads) = (AtomicUsize::new(0), available_parallelism()?.get());
    let (sender, rows) = sync_channel(threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, cells) = (sender.clone(), &next, &cells);
            scope.spawn(move || {
                while let Some((key, law, method, source)) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = cell(law, *method, *source).map_err(|error| format!("{key}: {error}"));
                    if sender.send((key, source, row)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut findings = Vec::new();
        for (key, source, row) in rows {
            let (row, rejects) = row?;
            eprintln!("{key},{row}");
            file.add(key, &row)?;
            findings.extend((rejects > 0 && source.is_cryptographic()).then(|| format!("{key}: {rejects} reject")));
        }
        Ok(findings)
    })
}

/// The row of a method over a source, without its key, and how many families reject.
fn cell(law: &str, method: Method, source: Source) -> Result<(String, usize)> {
    let reports = [
        held(verify::<i8>(law, method.name(), source, SAMPLES_OF_CELL, NonZeroUsize::MIN))?,
        held(verify::<i16>(law, method.name(), source, SAMPLES_OF_CELL, NonZeroUsize::MIN))?,
        held(verify::<i32>(law, method.name(), source, SAMPLES_OF_CELL, NonZeroUsize::MIN))?,
        held(verify::<i64>(law, method.name(), source, SAMPLES_OF_CELL, NonZeroUsize::MIN))?,
    ];
    let judged: Vec<Judged> = reports.iter().flatten().map(Judged::of).collect();
    let worst = judged.iter().min_by(|a, b| a.least.total_cmp(&b.least)).ok_or("no type holds the law")?;
    let rejects: usize = judged.iter().map(|judged| judged.rejects).sum();
    let row = format!(
        "{},{},{SAMPLES_OF_CELL},{:.2e},{},{rejects},{},{}",
        field(law),
        judged.len(),
        worst.least,
        worst.family,
        today(),
        Place::here().commit
    );
    Ok((row, rejects))
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

/// So many calls for this law from a store of this rounder, judged while a thread makes the next ones.
fn calls(rounder: &str, law: &str, samples: u64) -> Result<Report> {
    let law = recipe(law, "karney")?.gaussian()?;
    let mut verifier = Verifier::new(&law)?;
    let (sigma, center) = ("17/10".parse::<Rational>()?, FixedPoint::from_f64(0.3125).ok_or("a centre")?);
    let bits = BitReader::new(ChaCha20::new(&Seed::from_bytes(Sha256::digest(format!("soak store {rounder}")).into())));
    let mut call: Box<dyn FnMut() -> i64 + Send> = if rounder == "SamplerZ" {
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

/// What a report comes to.
struct Judged {
    /// The families that apply.
    families: usize,
    /// Their least p-value times their number, at most 1: below α the report rejects.
    least: f64,
    family: String,
    rejects: usize,
}

impl Judged {
    fn of(report: &Report) -> Judged {
        let applicable = || report.tests.iter().filter_map(|test| Some((test.p_value?, &test.name)));
        let families = applicable().count();
        let (least, family) = applicable().min_by(|a, b| a.0.total_cmp(&b.0)).map_or((1.0, ""), |(p, name)| (p, name));
        Judged {
            families,
            least: (least * families as f64).min(1.0),
            family: family.to_owned(),
            rejects: report.tests.iter().filter(|test| test.verdict == Verdict::Reject).count(),
        }
    }
}

/// A file of rows by key, which is written anew after each row: a run that is broken off loses one.
struct RowFile {
    path: PathBuf,
    header: &'static str,
    rows: BTreeSet<String>,
}

impl RowFile {
    fn open(root: &Path, name: &str, header: &'static str) -> Result<RowFile> {
        let path = root.join(name);
        let text = if path.exists() { read(&path)? } else { header.to_owned() };
        let mut lines = text.lines().map(str::to_owned);
        if lines.next().as_deref() != Some(header) {
            return Err(format!("{name}: its first line must be {header}").into());
        }
        Ok(RowFile { path, header, rows: lines.collect() })
    }

    fn has(&self, key: &str) -> bool {
        self.rows.iter().any(|row| row.strip_prefix(key).is_some_and(|rest| rest.starts_with(',')))
    }

    fn add(&mut self, key: &str, row: &str) -> Result<()> {
        self.rows.insert(format!("{key},{row}"));
        let rows: String = self.rows.iter().map(|row| format!("{row}\n")).collect();
        Ok(write(&self.path, &format!("{}\n{rows}", self.header))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_and_come_back() -> Result<()> {
        let root = std::env::temp_dir().join(format!("samplez-soak-{}", std::process::id()));
        let open = || RowFile::open(&root, SOAK, SOAK_HEADER);
        let mut file = open()?;
        file.add("\"sigma=3.2,center=0\",karney", "5,x")?;
        file.add("\"sigma=3.2,center=0\",cdt", "6,y")?;
        let again = open()?;
        assert!(again.has("\"sigma=3.2,center=0\",karney") && !again.has("\"sigma=3.2,center=0\",cks"));
        assert_eq!(again.rows, file.rows);
        assert!(RowFile::open(&root, SOAK, MATRIX_HEADER).is_err());
        std::fs::remove_dir_all(root)?;
        Ok(())
    }

    /// Every method has three laws; what is verified is the law: another one is rejected; a narrow type is not an error.
    #[test]
    fn methods_have_laws() -> Result<()> {
        for method in Method::ALL {
            assert_eq!(laws_of(method).count(), LAWS_OF_EACH, "{method}");
        }
        for (rounder, law) in STORES {
            let report = calls(rounder, law, 200_000)?;
            assert_eq!((report.n, Judged::of(&report).rejects), (200_000, 0), "{rounder}");
            assert!(Judged::of(&calls(rounder, "sigma=17/10,center=1/4", 200_000)?).rejects > 0, "{rounder}");
        }
        let report = verify::<i32>(LAWS[0], "karney", Source::ChaCha20, 100_000, NonZeroUsize::MIN)?;
        assert_eq!((report.n, Judged::of(&report).rejects), (100_000, 0));
        let mut other = Verifier::new(&recipe(LAWS[1], "karney")?.build()?.recipe().gaussian()?)?;
        let bulk =
            Bulk::new(recipe(LAWS[0], "karney")?.build()?.into_sampler(), Source::ChaCha20, Seed::from_number(1));
        other.push(&bulk.blocks::<i32>(0, 10_000, 1.try_into()?)?.next().ok_or("a part")??);
        assert!(Judged::of(&other.finish()?).rejects > 0);
        assert!(held(verify::<i8>(LAWS[1], "karney", Source::ChaCha20, 100_000, NonZeroUsize::MIN))?.is_none());
        Ok(())
    }
}
