//! The parts of documents between `<!-- NAME: cargo COMMAND -->` and `<!-- /NAME -->`, which programs write.

use crate::files::{Findings, named, read};
use std::path::Path;

/// Writes texts between a document's markers, or with `check` says which of them would change.
pub fn fill(root: &Path, file: &str, command: &str, texts: &[(&str, String)], check: bool) -> Findings {
    let (path, mut findings) = (root.join(file), Vec::new());
    let old = read(&path)?;
    let mut text = old.clone();
    for (name, made) in texts {
        let (first, last) = (format!("<!-- {name}: cargo {command} -->"), format!("<!-- /{name} -->"));
        match replaced(&text, &first, &last, made) {
            None => findings.push(format!("{file}: has no «{first}» and «{last}»")),
            Some(new) if check && new != text => {
                findings.push(format!("{file}: its {name} is not what is made now: cargo {command}"));
            }
            Some(new) => text = new,
        }
    }
    if !check && text != old {
        std::fs::write(&path, text).map_err(|error| named(&path, &error))?;
    }
    Ok(findings)
}

fn replaced(text: &str, first: &str, last: &str, made: &str) -> Option<String> {
    let (before, rest) = text.split_once(first)?;
    let (_, after) = rest.split_once(last)?;
    Some(format!("{before}{first}\n\n{made}\n{last}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_the_markers_is_replaced() {
        let (first, last) = ("<!-- x: c -->", "<!-- /x -->");
        let text = format!("a\n{first}\nold\n{last}\nb\n");
        let new = replaced(&text, first, last, "| new |\n").unwrap();
        assert_eq!(new, format!("a\n{first}\n\n| new |\n\n{last}\nb\n"));
        assert_eq!(replaced(&new, first, last, "| new |\n").unwrap(), new);
        assert_eq!(replaced(&text, "y", last, ""), None);
        assert_eq!(replaced(first, first, last, ""), None);
    }
}
