//! Comma-separated values: fields between commas, in double quotes if they have a comma.

/// The rows of a text whose first line is `header`, each with as many fields.
///
/// # Errors
///
/// The line that is not so, by its number, and why.
pub(crate) fn rows(text: &str, header: &str) -> Result<Vec<Vec<String>>, String> {
    let mut lines = text.lines().zip(1..);
    match lines.next() {
        Some((first, _)) if first == header => {}
        _ => return Err(format!("line 1: expected {header}")),
    }
    let wanted = header.split(',').count();
    lines
        .map(|(line, number)| match fields(line) {
            Some(fields) if fields.len() == wanted => Ok(fields),
            Some(fields) => Err(format!("line {number}: {} fields, not {wanted}: {line}", fields.len())),
            None => Err(format!("line {number}: a quotation mark out of place: {line}")),
        })
        .collect()
}

fn fields(line: &str) -> Option<Vec<String>> {
    let (mut fields, mut rest) = (Vec::new(), line);
    loop {
        let (field, tail) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => rest.split_at(rest.find(',').unwrap_or(rest.len())),
        };
        if field.contains('"') {
            return None;
        }
        fields.push(field.to_owned());
        match tail.strip_prefix(',') {
            Some(more) => rest = more,
            None if tail.is_empty() => return Some(fields),
            None => return None,
        }
    }
}

/// A field as [`rows`] reads it; a quotation mark becomes an apostrophe.
pub(crate) fn field(text: &str) -> String {
    let plain = text.replace('"', "'").replace(['\n', '\r'], " ");
    if plain.contains(',') { format!("\"{plain}\"") } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_have_commas() {
        assert_eq!(rows("a,b,c\n1,\"2,3\",\n,,x\n", "a,b,c").unwrap(), [["1", "2,3", ""], ["", "", "x"]]);
        assert_eq!(fields(&[field("a,b"), field("c\"d\n"), field("")].join(",")).unwrap(), ["a,b", "c'd ", ""]);
        for (text, why) in [
            ("b,c\n", "line 1: expected a,b,c"),
            ("a,b,c\n1,2\n", "line 2: 2 fields"),
            ("a,b,c\n1,2,3\n1,\"2,3\n", "line 3: a quotation mark"),
            ("a,b,c\n1,2\"3,4\n", "line 2: a quotation mark"),
            ("a,b,c\n1,\"2\"3,4\n", "line 2: a quotation mark"),
        ] {
            let error = rows(text, "a,b,c").unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
