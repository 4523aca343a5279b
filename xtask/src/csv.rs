//! Lines of CSV: fields between commas, some of them in quotes, none with a quote or a line's end in it.

use crate::files::read;
use std::io;
use std::path::Path;

/// Where the fields of a line end: at commas that are not in quotes.
pub fn ends(line: &str) -> impl Iterator<Item = usize> + '_ {
    let mut quoted = false;
    line.char_indices().filter_map(move |(at, sign)| {
        quoted ^= sign == '"';
        (sign == ',' && !quoted).then_some(at)
    })
}

/// The fields of a line, without their quotes.
pub fn fields(line: &str) -> Vec<&str> {
    let mut begin = 0;
    let mut fields = Vec::new();
    for end in ends(line).chain([line.len()]) {
        fields.push(line[begin..end].trim_matches('"'));
        begin = end + 1;
    }
    fields
}

/// A field, in quotes where it needs them; quotes of its own are left out.
pub fn field(text: &str) -> String {
    let text = text.replace('"', "");
    if text.contains(',') { format!("\"{text}\"") } else { text }
}

/// The rows below a file's header; none if there is no file.
pub fn rows<const N: usize>(root: &Path, file: &str, header: &str) -> io::Result<Vec<[String; N]>> {
    let path = root.join(file);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = read(&path)?;
    let mut lines = text.lines();
    if lines.next() != Some(header) {
        return Err(io::Error::other(format!("{file}: its first line must be {header}")));
    }
    lines
        .map(|line| {
            let fields: Vec<String> = fields(line).into_iter().map(String::from).collect();
            fields.try_into().map_err(|_| io::Error::other(format!("{file}: not {N} fields: {line}")))
        })
        .collect()
}

/// A field that is a number.
pub fn number(text: &str) -> io::Result<u64> {
    text.parse().map_err(|_| io::Error::other(format!("{text}: expected a number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_quotes_end_nothing() {
        assert_eq!(fields("\"a,b\",c,,\"d\""), ["a,b", "c", "", "d"]);
        assert_eq!(fields(""), [""]);
        assert_eq!((field("a: b").as_str(), field("a, \"b\"").as_str()), ("a: b", "\"a, b\""));
    }
}
