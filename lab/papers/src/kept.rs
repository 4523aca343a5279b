//! What has been measured, kept as it is measured: a line of JSON for each item.

use crate::error::LabError;
use crate::finding::Finding;
use crate::place::Place;
use crate::plot::Chart;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// One item, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) item: String,
    /// Who measured, if not this library natively: a browser, Python.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) by: String,
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) date: String,
    /// Whether it was measured in a hurry.
    pub(crate) quick: bool,
    /// How long it took.
    pub(crate) seconds: f64,
    /// How many wanted a processor meanwhile, this program among them, by the system's mean of a minute; if it tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) load: Option<f64>,
    /// Seconds of the yardstick to which its times are levelled ([`levelled_time`](samplez_cli::testing::measure::rounds::levelled_time)), if it has times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) yardstick: Option<f64>,
    pub(crate) command: String,
    pub(crate) findings: Vec<Finding>,
    pub(crate) charts: Vec<Chart>,
}

/// The file of records, to which each is added at once; the last of an item counts, of each that measured it.
pub(crate) struct Records {
    path: PathBuf,
    records: Vec<Record>,
}

impl Records {
    /// Those of a folder, which is made if need be. A last line that was not finished is dropped.
    pub(crate) fn open(folder: &Path) -> Result<Records, LabError> {
        let path = folder.join("kept.jsonl");
        let failed =
            |what: &str, error: std::io::Error| LabError::System(format!("cannot {what} {}: {error}", path.display()));
        fs::create_dir_all(folder).map_err(|error| failed("make", error))?;
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed("read", error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            let file = OpenOptions::new().write(true).open(&path).map_err(|error| failed("mend", error))?;
            file.set_len(whole as u64).map_err(|error| failed("mend", error))?;
        }
        Records::of_lines(path, &text[..whole])
    }

    /// Those of a text, as of a file of this name.
    pub(crate) fn of_lines(path: PathBuf, text: &str) -> Result<Records, LabError> {
        let mut kept = Records { path, records: Vec::new() };
        for (line, number) in text.lines().zip(1..) {
            let record = serde_json::from_str(line);
            kept.put(record.map_err(|why| LabError::Input(format!("{}:{number}: {why}", kept.path.display())))?);
        }
        Ok(kept)
    }

    fn put(&mut self, record: Record) {
        self.records.retain(|old| old.item != record.item || old.by != record.by);
        self.records.push(record);
    }

    /// Writes a record, and waits until it is written.
    pub(crate) fn add(&mut self, record: Record) -> Result<(), LabError> {
        let failed =
            |error: &dyn std::fmt::Display| LabError::System(format!("cannot write {}: {error}", self.path.display()));
        let line = serde_json::to_string(&record).map_err(|error| failed(&error))? + "\n";
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path).map_err(|error| failed(&error))?;
        file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(|error| failed(&error))?;
        self.put(record);
        Ok(())
    }

    /// The last of an item by each that measured it, this library natively before all others.
    pub(crate) fn of(&self, item: &str) -> impl Iterator<Item = &Record> {
        let of = |native| self.records.iter().filter(move |record| record.by.is_empty() == native);
        of(true).chain(of(false)).filter(move |record| record.item == item)
    }

    /// Every finding, this library's own before all others.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let of = |native| self.records.iter().filter(move |record| record.by.is_empty() == native);
        of(true).chain(of(false)).flat_map(|record| &record.findings)
    }

    /// Whether an item need not be measured again here, at this length.
    pub(crate) fn holds(&self, item: &str, here: &Place, quick: bool) -> bool {
        self.of(item).any(|record| record.by.is_empty() && record.place == *here && (quick || !record.quick))
    }
}

/// Writes a file whole or not at all.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), LabError> {
    let part = path.with_extension("part");
    let written = File::create(&part)
        .and_then(|mut file| file.write_all(bytes.as_ref()).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&part, path));
    written.map_err(|error| LabError::System(format!("cannot write {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Ours;

    fn record(item: &str, machine: &str, quick: bool, ours: f64) -> Record {
        let finding = Finding {
            item: item.into(),
            quantity: "q".into(),
            terms: "t".into(),
            ours: Ours::Number(ours),
            unit: "bits".into(),
            ..Finding::default()
        };
        Record {
            item: item.into(),
            by: String::new(),
            place: Place { machine: machine.into(), commit: "c".into() },
            date: "2026-11-22".into(),
            quick,
            seconds: 1.0,
            load: None,
            yardstick: None,
            command: "samplez-lab report".into(),
            findings: vec![finding],
            charts: vec![],
        }
    }

    #[test]
    fn nothing_is_lost_by_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let mut kept = Records::open(folder.path()).unwrap();
        kept.add(record("B1", "m", true, 1.0)).unwrap();
        kept.add(record("B2", "m", false, 2.0)).unwrap();
        kept.add(record("B1", "m", true, 3.0)).unwrap();
        let path = folder.path().join("kept.jsonl");
        let whole = fs::read_to_string(&path).unwrap();
        assert_eq!(whole.lines().count(), 3);
        // Cut anywhere in the last line, the first two are there, and more can be added.
        let end = whole[..whole.len() - 1].rfind('\n').unwrap() + 1;
        for cut in [end + 1, whole.len() - 1] {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut kept = Records::open(folder.path()).unwrap();
            assert_eq!(kept.of("B1").next().unwrap().findings[0].ours, Ours::Number(1.0));
            kept.add(record("B3", "m", true, 4.0)).unwrap();
            let kept = Records::open(folder.path()).unwrap();
            assert!(["B1", "B2", "B3"].iter().all(|item| kept.of(item).next().is_some()), "cut at {cut}");
        }
        // A line that is none, before the last, is told with its number.
        fs::write(&path, "{}\n".to_owned() + &whole).unwrap();
        assert!(matches!(Records::open(folder.path()), Err(LabError::Input(why)) if why.contains("kept.jsonl:1")));
    }

    #[test]
    fn what_is_kept_need_not_be_measured_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut kept = Records::open(folder.path()).unwrap();
        kept.add(record("B1", "m", true, 1.0)).unwrap();
        kept.add(record("B2", "m", false, 1.0)).unwrap();
        let [here, elsewhere] = ["m", "n"].map(|m| record("", m, true, 0.0).place);
        assert!(kept.holds("B1", &here, true) && !kept.holds("B1", &here, false));
        assert!(kept.holds("B2", &here, true) && kept.holds("B2", &here, false));
        assert!(!kept.holds("B2", &elsewhere, true) && !kept.holds("B3", &here, true));
        // What a browser measured is kept beside, and does not stand for ours.
        for ours in [5.0, 6.0] {
            kept.add(Record { by: "Chromium".into(), ..record("B3", "m", false, ours) }).unwrap();
        }
        assert!(!kept.holds("B3", &here, true));
        kept.add(record("B3", "m", false, 7.0)).unwrap();
        let all: Vec<_> = kept.of("B3").map(|record| record.findings[0].ours.clone()).collect();
        assert_eq!(all, [Ours::Number(7.0), Ours::Number(6.0)]);
    }
}
