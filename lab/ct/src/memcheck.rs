//! Memcheck over undefined random bits: the program runs itself under valgrind, a part of the cases on each core.

use crate::cases::Case;
use crate::secret::{Marks, Words, force, forced, set_marks};
use crate::valgrind;
use samplez::bindings::Backend;
use samplez_ct::rare::Forcing;
use std::io;
use std::num::NonZeroUsize;
use std::process::{Child, Command, Stdio};
use std::thread;

/// In the place of a name: the slice of `make test-deep`.
pub(crate) const QUICK: &str = "quick";

/// The cases that memcheck can run here, with their numbers. Valgrind has no AVX-512. `quick` restricts them to the slice.
fn chosen<'a>(cases: &'a [Case], name: &str) -> impl Iterator<Item = (usize, &'a Case)> {
    let is_named = move |case: &Case| if name == QUICK { case.is_quick } else { case.name.contains(name) };
    let is_chosen = move |case: &Case| case.backend != Some(Backend::Avx512) && case.is_available() && is_named(case);
    cases.iter().enumerate().filter(move |(_, case)| is_chosen(case))
}

/// Under valgrind, every `step`th case from the first or a later one on, over undefined bits. Prints the number of each, and how
/// many errors there were while it ran.
pub(crate) fn part(cases: &[Case], first: usize, step: usize, name: &str) -> Result<(), String> {
    if !valgrind::is_running() {
        return Err("this runs under valgrind only: samplez-ct memcheck starts it".into());
    }
    for (number, case) in chosen(cases, name).skip(first).step_by(step) {
        let (work, marks) = case.work(Marks::Defined);
        case.path.map_or_else(|| set_marks(marks), force);
        let before = valgrind::errors();
        work.run(Words::undefined(1));
        let errors = valgrind::errors() - before;
        match forced().map_or(Ok(0), Forcing::end) {
            Ok(excused) => println!("{number} {}", errors - excused),
            Err(place) => return Err(format!("{}: its path is not taken: {place}", case.name)),
        }
    }
    Ok(())
}

fn start(first: usize, step: usize, name: &str) -> Result<Child, String> {
    let program = std::env::current_exe().map_err(|e| format!("the program's own path: {e}"))?;
    let mut valgrind = Command::new("valgrind");
    // Of an error that is found again there is a count too, and after any number of errors.
    valgrind.args(["--quiet", "--error-limit=no", "--log-file=/dev/null"]).arg(program);
    valgrind.args(["part", &first.to_string(), &step.to_string(), name]);
    valgrind.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => "valgrind is missing: install it (Debian, Ubuntu: apt install valgrind)".into(),
        _ => format!("valgrind: {e}"),
    })
}

/// How much memcheck finds, for each case by its number.
fn found(cases: usize, name: &str) -> Result<Vec<Option<u64>>, String> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let parts: Vec<Child> = (0..cores).map(|first| start(first, cores, name)).collect::<Result<_, _>>()?;
    let mut found = vec![None; cases];
    for part in parts {
        let output = part.wait_with_output().map_err(|e| format!("valgrind: {e}"))?;
        if !output.status.success() {
            return Err(format!("valgrind ended with {:?}", output.status.code()));
        }
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let (number, errors) = line.split_once(' ').ok_or_else(|| format!("valgrind: {line}"))?;
            let number: usize = number.parse().map_err(|e| format!("{line}: {e}"))?;
            let errors = errors.parse().map_err(|e| format!("{line}: {e}"))?;
            *found.get_mut(number).ok_or_else(|| format!("case {number}: there are {cases}"))? = Some(errors);
        }
    }
    Ok(found)
}

/// Puts every case whose name holds `name` to memcheck and prints a line for each; how many are not as claimed.
pub(crate) fn all(cases: &[Case], name: &str) -> Result<usize, String> {
    let found = found(cases.len(), name)?;
    println!("| case | backend | memcheck | as claimed |\n|---|---|---|---|");
    let mut wrong = 0;
    for (number, case) in chosen(cases, name) {
        let found = found[number].ok_or_else(|| format!("{}: did not run", case.name))?;
        let words = if found > 0 { "depends on secret bits" } else { "no finding" };
        let right = case.claim.allows(found);
        wrong += usize::from(!right);
        println!("| {} | {} | {words} | {} |", case.name, case.backend_name(), if right { "yes" } else { "NO" });
    }
    Ok(wrong)
}
