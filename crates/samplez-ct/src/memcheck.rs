//! Memcheck over undefined random bits: the program runs itself under valgrind, case by case.

use crate::cases::{Case, Claim};
use crate::secret::Secret;
use crate::valgrind;
use crate::work::COUNT;
use samplez::arch::Backend;
use std::io;
use std::process::{Command, Stdio};

/// valgrind's exit code if memcheck has found something.
const FOUND: i32 = 99;

/// The work of one case over undefined bits; under valgrind, a finding is one of valgrind's.
pub(crate) fn run(case: &Case) -> Result<(), String> {
    if !valgrind::is_running() {
        return Err("this runs under valgrind only: samplez-ct memcheck starts it".into());
    }
    case.work().run(&mut Secret::new(1), &mut [0; COUNT]);
    Ok(())
}

/// Whether memcheck finds anything in case number `number`.
fn finds(number: usize) -> Result<bool, String> {
    let program = std::env::current_exe().map_err(|e| format!("the program's own path: {e}"))?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=99", "--log-file=/dev/null"]).arg(program);
    let status = valgrind.arg("case").arg(number.to_string()).stdin(Stdio::null()).status();
    match status.map(|status| status.code()) {
        Ok(Some(0)) => Ok(false),
        Ok(Some(FOUND)) => Ok(true),
        Ok(code) => Err(format!("valgrind ended with {code:?}, neither 0 nor {FOUND}")),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            Err("valgrind is missing: install it (Debian, Ubuntu: apt install valgrind)".into())
        }
        Err(e) => Err(format!("valgrind: {e}")),
    }
}

/// Puts every case whose name holds `name` to memcheck and prints a line for each; how many are not as claimed.
pub(crate) fn all(cases: &[Case], name: &str) -> Result<usize, String> {
    println!("| case | backend | memcheck | as claimed |\n|---|---|---|---|");
    let mut wrong = 0;
    for (number, case) in cases.iter().enumerate() {
        // valgrind knows no AVX-512.
        if case.backend == Some(Backend::Avx512) || !case.is_available() || !case.name.contains(name) {
            continue;
        }
        let found = finds(number).map_err(|e| format!("{}: {e}", case.name))?;
        let words = if found { "depends on secret bits" } else { "no finding" };
        let right = found == (case.claim != Claim::Constant);
        wrong += usize::from(!right);
        println!("| {} | {} | {words} | {} |", case.name, case.backend_name(), if right { "yes" } else { "NO" });
    }
    Ok(wrong)
}
