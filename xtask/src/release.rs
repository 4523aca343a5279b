//! A release: `cargo xtask release VERSION` writes the version and the changelog's heading, `release-notes` prints what is below it.

use crate::packages;
use std::io::{self, Error};
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use xtask::files::{self, Findings};

const CHANGELOG: &str = "CHANGELOG.md";
const OPEN: &str = "## [Unreleased]";
const CITATION: &str = "CITATION.cff";

/// Writes a version into every package, closes the changelog's open section under it, and writes the tag's notes. What stands in the
/// way is found before anything is written.
pub(crate) fn run(root: &Path, version: &str) -> Findings {
    let present = packages::version(root)?;
    let changelog = files::read(&root.join(CHANGELOG))?;
    let mut findings = packages::check(root)?;
    findings.extend(dirt(root)?);
    findings.extend(obstacles(&changelog, &present, version));
    if !findings.is_empty() {
        return Ok(findings);
    }
    let today = date(SystemTime::now().duration_since(UNIX_EPOCH).map_err(Error::other)?.as_secs() / 86_400);
    packages::write(root, &present, version)?;
    write(root, CHANGELOG, &closed(&changelog, version, &today))?;
    write(root, CITATION, &dated(&files::read(&root.join(CITATION))?, &today))?;
    let findings = packages::check(root)?;
    if !findings.is_empty() {
        return Ok(findings);
    }
    let notes = format!("out/release-{version}.md");
    std::fs::create_dir_all(root.join("out"))?;
    write(root, &notes, section(&changelog, OPEN).trim_start())?;
    println!("Version {version} is written everywhere; the tag's notes are in {notes}. Look at `git diff`, then:");
    println!("    git commit --all --message 'Release {version}'");
    println!("    git tag --sign v{version} --cleanup=verbatim --file {notes}");
    println!("    git push --atomic origin main v{version}    # the workflow `release` builds, tests and publishes");
    println!("The Go module is a commit with its built file beside the branch, under a tag of its own:");
    println!("    git switch --detach v{version} && make go && cp LICENSE-* go/");
    println!("    git add --force go/samplez.wasm go/LICENSE-* && git commit --message 'go: version {version}'");
    println!("    git tag --sign go/v{version} --cleanup=verbatim --file {notes} && git push origin go/v{version}");
    Ok(Vec::new())
}

/// Prints what the changelog says of a version.
pub(crate) fn notes(root: &Path, version: &str) -> Findings {
    let changelog = files::read(&root.join(CHANGELOG))?;
    let text = section(&changelog, &heading(version)).trim();
    if text.is_empty() {
        return Ok(vec![format!("{CHANGELOG}: says nothing of version {version}")]);
    }
    println!("{text}");
    Ok(Vec::new())
}

fn write(root: &Path, file: &str, text: &str) -> io::Result<()> {
    let path = root.join(file);
    std::fs::write(&path, text).map_err(|e| files::named(&path, &e))
}

/// Changes that are not committed.
fn dirt(root: &Path) -> Findings {
    let output = Command::new("git").arg("-C").arg(root).args(["status", "--porcelain"]).output()?;
    if !output.status.success() {
        return Err(Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let changes = String::from_utf8_lossy(&output.stdout);
    Ok(changes
        .lines()
        .next()
        .map(|first| format!("there are changes that are not committed:{first} …"))
        .into_iter()
        .collect())
}

/// Major, minor and patch: three numbers without leading zeros, and nothing else.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let number = |text: &str| text.parse().ok().filter(|number: &u64| number.to_string() == text);
    let found: Vec<u64> = version.split('.').map(number).collect::<Option<_>>()?;
    found.try_into().ok()
}

/// How the section of a version begins.
fn heading(version: &str) -> String {
    format!("## [{version}]")
}

/// The text below a heading, up to the next one.
fn section<'a>(changelog: &'a str, heading: &str) -> &'a str {
    let is_heading =
        |line: &str| line.strip_prefix(heading).is_some_and(|rest| rest.is_empty() || rest.starts_with(" - "));
    let mut at = 0;
    let mut start = None;
    for line in changelog.split_inclusive('\n') {
        match start {
            None if is_heading(line.trim_end()) => start = Some(at + line.len()),
            Some(start) if line.starts_with("## ") => return &changelog[start..at],
            _ => {}
        }
        at += line.len();
    }
    start.map_or("", |start| &changelog[start..])
}

/// What stands in the way of releasing a version over the present one. The first release may have the version that the packages have.
fn obstacles(changelog: &str, present: &str, version: &str) -> Vec<String> {
    let Some(wanted) = numbers(version) else {
        return vec![format!("version = {version}: must be three numbers without leading zeros, as 1.2.3")];
    };
    let mut findings = Vec::new();
    let released =
        changelog.lines().filter_map(|line| line.strip_prefix("## [")?.split(']').next().and_then(numbers)).max();
    if let Some([major, minor, patch]) = released.filter(|released| wanted <= *released) {
        findings.push(format!("version = {version}: must be above {major}.{minor}.{patch}, which is released"));
    }
    if numbers(present).is_none_or(|present| wanted < present) {
        findings.push(format!("version = {version}: must not be below {present}, which the packages have"));
    }
    let says = section(changelog, OPEN).lines().any(|line| line.trim_start().starts_with("- "));
    if !says {
        findings.push(format!("{CHANGELOG}: says nothing below «{OPEN}»"));
    }
    findings
}

/// The changelog with its open section under the version, and a new, empty one.
fn closed(changelog: &str, version: &str, date: &str) -> String {
    changelog.replacen(OPEN, &format!("{OPEN}\n\n{} - {date}", heading(version)), 1)
}

/// The citation with this date, and no other; before the first release it has none.
fn dated(citation: &str, date: &str) -> String {
    let kept = citation.lines().filter(|line| !line.starts_with("date-released:"));
    kept.map(|line| line.to_owned() + "\n").collect::<String>() + &format!("date-released: \"{date}\"\n")
}

/// A day, counted from 1970-01-01, in the Gregorian calendar.
fn date(mut day: u64) -> String {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 0;
    for days in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        month += 1;
        if day < days {
            break;
        }
        day -= days;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- All.\n\n## [1.2.3] - 2026-01-02\n\n- Less.\n";

    #[test]
    fn obstacles_are_found() {
        assert_eq!(obstacles(LOG, "1.2.3", "1.2.4"), [""; 0]);
        assert_eq!(obstacles(LOG, "1.2.3", "1.10.0"), [""; 0], "numbers, not texts");
        assert_eq!(obstacles(LOG, "1.2.3", "1.2.3"), ["version = 1.2.3: must be above 1.2.3, which is released"]);
        assert_eq!(obstacles(LOG, "1.2.3", "1.2.2").len(), 2, "below the packages' too");
        assert_eq!(obstacles(LOG, "1.3.0", "1.2.4").len(), 1);
        for version in ["", "1.2", "1.2.3.4", "v1.2.4", "1.2.04", "1.2.4-rc.1", "1.2.+4", " 1.2.4"] {
            assert!(obstacles(LOG, "1.2.3", version)[0].contains("must be three numbers"), "{version}");
        }
        assert!(obstacles(&LOG.replace("- All.", ""), "1.2.3", "1.2.4")[0].contains("says nothing"));
        assert!(obstacles(&LOG.replace("## [Unreleased]", ""), "1.2.3", "1.2.4")[0].contains("says nothing"));
        let first = LOG.split("## [1.2.3]").next().unwrap();
        assert_eq!(obstacles(first, "0.1.0", "0.1.0"), [""; 0], "the first release");
    }

    #[test]
    fn the_changelog_is_closed_and_read_again() {
        let log = closed(LOG, "1.3.0", "2026-02-03");
        assert!(log.starts_with("# Changelog\n\n## [Unreleased]\n\n## [1.3.0] - 2026-02-03\n\n### Added\n\n- All.\n"));
        assert_eq!(section(&log, OPEN), "\n");
        assert_eq!(section(&log, &heading("1.3.0")), section(LOG, OPEN));
        assert_eq!(section(&log, &heading("1.2.3")), "\n- Less.\n");
        assert_eq!(section(&log, &heading("1.2")), "");
        assert_eq!(section(&log, &heading("9.9.9")), "");
    }

    #[test]
    fn citations_are_dated() {
        let with = "title: x\ndate-released: \"2026-02-03\"\n";
        assert_eq!(dated("title: x\n", "2026-02-03"), with);
        assert_eq!(dated("title: x\ndate-released: \"1999-01-01\"\n", "2026-02-03"), with);
    }

    // `date -u -d @$((86400 * DAY)) +%F`
    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [
            (0, "1970-01-01"),
            (364, "1970-12-31"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_779, "2026-11-22"),
        ];
        for (day, text) in days {
            assert_eq!(date(day), text);
        }
        assert_eq!(date(47_540), "2100-02-28");
        assert_eq!(date(47_541), "2100-03-01");
    }
}
