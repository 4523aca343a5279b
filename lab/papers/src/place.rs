//! Where and when something was measured.

use serde::{Deserialize, Serialize};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// A machine and a commit; what is measured on another one is measured again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The processor, its cores, and the instructions in use.
    pub machine: String,
    /// The commit in whose tree this runs, with `+` and eight digits of a hash of what has changed in the code and in the claims since;
    /// `unknown` outside of the project.
    pub commit: String,
}

impl Place {
    /// This machine, and the tree of the folder in which the program was started.
    ///
    /// ```
    /// let here = samplez_lab::Place::here();
    /// assert!(!here.machine.is_empty() && !here.commit.is_empty());
    /// ```
    pub fn here() -> Place {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let backend = samplez::bindings::Backend::current().name();
        Place {
            machine: format!("{}, {cores} cores, {backend}", processor()),
            commit: commit().unwrap_or("unknown".into()),
        }
    }
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

/// What the numbers may depend on.
const SOURCES: [&str; 7] = ["crates", "capi", "lab", "kat", "xtask", "Cargo.toml", "Cargo.lock"];

/// Asks git, if this is a tree of the project.
fn commit() -> Option<String> {
    let top = git(&["rev-parse", "--show-toplevel"], "")?;
    git(&["rev-parse", "--verify", "--quiet", "HEAD:lab/papers"], "")?;
    let commit = git(&["rev-parse", "--short=12", "HEAD"], "")?;
    let below = |arguments: &[&'static str]| {
        let all = ["-C", top.as_str()].iter().chain(arguments).chain(&SOURCES).copied().collect::<Vec<_>>();
        git(&all, "")
    };
    let changed = below(&["diff", "HEAD", "--"])?;
    let new = below(&["ls-files", "--others", "--exclude-standard", "--"])?;
    let of_new = git(&["-C", &top, "hash-object", "--stdin-paths"], &new)?;
    if changed.is_empty() && new.is_empty() {
        return Some(commit);
    }
    let hash = git(&["hash-object", "--stdin"], &format!("{changed}\n{new}\n{of_new}"))?;
    Some(format!("{commit}+{}", hash.get(..8)?))
}

/// What git prints, given an input.
fn git(arguments: &[&str], input: &str) -> Option<String> {
    let mut git = Command::new("git");
    let git = git.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = git.spawn().ok()?;
    // Those that read nothing may have ended.
    let _ = child.stdin.take()?.write_all(input.as_bytes());
    let out = child.wait_with_output().ok().filter(|out| out.status.success())?;
    Some(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// How many want a processor, by the mean of the last minute.
pub(crate) fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// Today in UTC, as `2026-11-22`.
///
/// ```
/// assert_eq!(samplez_lab::today().len(), 10);
/// ```
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after 1970-01-01, by the Gregorian calendar whose years begin in March.
fn date(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + u64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (days, text) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_779, "2026-11-22"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), text);
        }
    }
}
