//! `samplez watch`.

use super::verify::{self, Residues};
use crate::args::Watch as Arguments;
use crate::failure::Failure;
use crate::files::Beyond;
use crate::input::Input;
use crate::numbers::grouped;
use crate::output::{Lock, replace};
use crate::report::{columns, print_json, print_verdicts};
use samplez_stats::{Evidence, Watch, WatchError};
use samplez_tables::TargetLaw;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::ExitCode;

/// A look after so many integers: an eighth of all so far, between these.
const LOOKS: [u64; 2] = [1 << 16, 1 << 20];

/// The state of standard input is saved after so many integers.
const SAVED: u64 = 1 << 24;

/// More bytes than any state has.
const MOST_BYTES: u64 = 1 << 20;

pub(crate) fn run(args: &Arguments) -> Result<ExitCode, Failure> {
    let finite = args.finite.law(&args.law)?;
    let (law, shown) = match args.target.wide(&args.law, &args.modulus)? {
        Some(wide) => wide,
        None => {
            if let (Err(_), Some(Ok(folding))) = (args.law.recipe(), args.law.folding()) {
                let why = "watch judges sigma up to about 2^57; samplez verify judges larger ones";
                return Err(Failure::input(&folding.to_string(), why));
            }
            let law = args.target.law(&args.law, finite, &args.modulus)?;
            (law.clone(), law.to_string())
        }
    };
    let (name, evidence) = match &args.file {
        Some(file) => (args.state.as_deref().unwrap_or(file), watched(args, &law, file)?),
        None => (Path::new("--merge"), merged(args, &law)?),
    };
    let name = if name == Path::new("-") { "standard input".into() } else { name.display().to_string() };
    let is_alarm = evidence.is_alarm(args.alpha);
    match args.json {
        true => print_json(&json!({
            "law": shown,
            "n": evidence.n,
            "log10_e": log10(evidence.log_e),
            "highest_log10_e": log10(evidence.highest),
            "highest_n": evidence.highest_n,
            "leader": evidence.leader,
            "leader_log10": log10(evidence.leader_log),
            "since": evidence.since,
            "alpha": args.alpha,
            "alarm": is_alarm,
        })),
        false => print_verdicts(&as_text(&name, &shown, &evidence, args.alpha)),
    }?;
    Ok(ExitCode::from(u8::from(is_alarm)))
}

/// A new state.
fn begun(args: &Arguments, law: &TargetLaw) -> Result<Watch, Failure> {
    let cut = args.target.cut_by(&args.modulus);
    Watch::new(law).map_err(|error| verify::refused(error, &args.law, &args.finite, cut.as_deref()))
}

/// The state with the integers of the file, or that of an alarm.
fn watched(args: &Arguments, law: &TargetLaw, file: &Path) -> Result<Evidence, Failure> {
    // Held to the end.
    let _lock = args.state.as_deref().map(lock).transpose()?;
    let mut watch = match args.state.as_deref().map(read).transpose()?.flatten() {
        Some(state) => restored(law, args.state.as_deref().unwrap_or(file), &state)?,
        None => begun(args, law)?,
    };
    if watch.look().is_alarm(args.alpha) {
        return Ok(watch.look());
    }
    let (q, is_stream) = (args.modulus.q(), file == Path::new("-"));
    let beyond = Beyond::of_modulus(q);
    let input = Input::open_with(file, &args.reading, &beyond)?;
    let name = input.name().to_string();
    let mut residues = Residues::of(&args.modulus);
    let (mut looked, mut saved) = (watch.len(), watch.len());
    input.while_chunks(args.quiet, |samples| {
        residues.iter_mut().for_each(|residues| residues.push(samples));
        watch.push(samples);
        let n = watch.len();
        if n - looked < (n / 8).clamp(LOOKS[0], LOOKS[1]) {
            return Ok(true);
        }
        looked = n;
        let evidence = watch.look();
        if is_stream && n - saved >= SAVED {
            saved = n;
            residues.as_ref().map_or(Ok(()), |residues| residues.check(&name))?;
            args.state.as_deref().map_or(Ok(()), |path| replace(path, &watch.state()))?;
        }
        Ok(!evidence.is_alarm(args.alpha))
    })?;
    residues.map_or(Ok(()), |residues| residues.check(&name))?;
    let evidence = watch.look();
    args.state.as_deref().map_or(Ok(()), |path| replace(path, &watch.state()))?;
    Ok(evidence)
}

/// All states together.
fn merged(args: &Arguments, law: &TargetLaw) -> Result<Evidence, Failure> {
    let (mut all, mut known) = (begun(args, law)?, BTreeSet::new());
    for path in &args.merge {
        let name = format!("--merge = {}", path.display());
        let state = read(path)?.ok_or_else(|| Failure::input(&name, "there is no such file"))?;
        all.merge(&restored(law, path, &state)?).map_err(|error| unusable(path, &error))?;
        if !known.insert(state) {
            return Err(Failure::input(
                &name,
                "this state is given twice, and its integers would count twice; remove one",
            ));
        }
    }
    Ok(all.look())
}

fn lock(path: &Path) -> Result<Lock, Failure> {
    let name = path.display().to_string();
    let held = Lock::of(path).map_err(|error| Failure::write(&name, &error))?;
    held.ok_or_else(|| {
        Failure::input(
            &format!("--state = {name}"),
            "another `samplez watch` is writing it; wait, or name another state",
        )
    })
}

/// The bytes of a state, if there is one.
fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::input(&path.display().to_string(), format!("cannot read: {error}"))),
    }
}

fn restored(law: &TargetLaw, path: &Path, state: &[u8]) -> Result<Watch, Failure> {
    Watch::from_state(law, state).map_err(|error| unusable(path, &error))
}

fn unusable(path: &Path, error: &WatchError) -> Failure {
    Failure::input(&path.display().to_string(), error)
}

fn log10(natural: f64) -> f64 {
    natural / std::f64::consts::LN_10
}

fn as_text(name: &str, law: &str, evidence: &Evidence, alpha: f64) -> String {
    let row = |what: &str, log_e: f64, of: String| vec![format!("  {what}"), format!("{:.2}", log10(log_e)), of];
    let since = match evidence.since {
        0 => "over all integers".to_string(),
        n => format!("over the integers after the first {}", grouped(n)),
    };
    let rows = [
        row("log10 of e", evidence.log_e, format!("after {} integers", grouped(evidence.n))),
        row("highest", evidence.highest, format!("after {} integers", grouped(evidence.highest_n))),
        row("leading bet", evidence.leader_log, format!("{}, {since}", evidence.leader)),
        row("alarm", -alpha.ln(), "of e = 1/alpha".to_string()),
    ];
    let verdict = match evidence.is_alarm(alpha) {
        true => format!("REJECTED: {name} does not contain independent samples of {law}"),
        false => format!("consistent: {name} passes for samples of {law}"),
    };
    let promise = format!("(ideal samples are ever rejected with probability at most {alpha:e})");
    format!("{name} against {law}\n\n{}\n{verdict} {promise}\n", columns(&rows, &[1]))
}
