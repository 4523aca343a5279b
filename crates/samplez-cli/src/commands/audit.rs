//! `samplez certify --table`: the table in a file, whoever made it.

use crate::failure::Failure;
use crate::input::open;
use samplez::DiscreteGaussian;
use samplez::tables::{PlainError, PlainTable, TableForm, Whole};
use std::io::Read;
use std::path::Path;

/// The largest file, in bytes.
const MAX_FILE: u64 = 1 << 27;

/// The table in a file.
pub(super) fn read(law: &DiscreteGaussian, path: &Path, form: Option<&TableForm>) -> Result<PlainTable, Failure> {
    let opened = open(path)?;
    let mut bytes = Vec::new();
    let refuse = |what: String| Failure::input(&opened.name, what);
    opened
        .stream
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| refuse(format!("cannot read: {error}")))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(refuse(format!("is longer than {MAX_FILE} bytes, the maximum for a table")));
    }
    let text = String::from_utf8(bytes).map_err(|_| refuse("is not text".into()))?;
    let (mut entries, mut lines, mut said) = (Vec::new(), Vec::new(), None);
    for (number, line) in (1..).zip(text.lines()) {
        let ends = [line.find('#'), line.find("//")].into_iter().flatten().min();
        let (numbers, comment) = line.split_at(ends.unwrap_or(line.len()));
        if let Some(form) = comment.trim_start_matches(['#', '/', ' ']).strip_prefix("form:") {
            let form = form.trim().parse::<TableForm>().map_err(|error| refuse(format!("line {number}: {error}")))?;
            if said.replace(form).is_some_and(|other| other != form) {
                return Err(refuse(format!("line {number}: a second form, {form}; expected one form")));
            }
        }
        for word in numbers.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty()) {
            let shown: String = word.chars().take(80).collect();
            let entry = word.parse::<Whole>().map_err(|error| refuse(format!("line {number}: `{shown}`: {error}")))?;
            entries.push(entry);
            lines.push(number);
        }
    }
    let form = form.copied().or(said).ok_or_else(|| {
        refuse(
            "the form of its numbers is missing: add --form, such as folded,tail,78, or a comment `# form: …`".into(),
        )
    })?;
    if entries.is_empty() {
        return Err(refuse("contains no numbers".into()));
    }
    PlainTable::new(law, &form, entries).map_err(|error| {
        refuse(match error {
            PlainError::Entry { index, .. } => format!("line {}: {error}", lines[index]),
            _ => error.to_string(),
        })
    })
}
