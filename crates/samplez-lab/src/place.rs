//! Where and when something was measured.

use serde::{Deserialize, Serialize};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// A machine and a commit; what is measured on another one is measured again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The processor, its cores, and the instructions in use.
    pub machine: String,
    /// The commit in whose tree this runs, with `+` if files have changed since; `unknown` outside of the project.
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
        let backend = samplez::arch::Backend::current().name();
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

/// Asks git, if this is a tree of the project.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let out = Command::new("git").args(arguments).output().ok().filter(|out| out.status.success())?;
        String::from_utf8(out.stdout).ok().map(|text| text.trim().to_owned())
    };
    git(&["rev-parse", "--verify", "--quiet", "HEAD:./crates/samplez-lab"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    Some(if changed.is_empty() { commit } else { commit + "+" })
}

/// Today in UTC, as `2026-11-22`.
pub(crate) fn today() -> String {
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
