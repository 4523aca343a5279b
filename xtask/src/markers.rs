//! What stands in a document between `<!-- NAME: cargo COMMAND -->` and `<!-- /NAME -->`, which programs write. In a Rust file the
//! markers are the comments `// NAME: cargo COMMAND` and `// /NAME`.

use crate::files::{Findings, named, read};
use std::path::Path;

/// What opens and closes a comment in a file of this name.
fn comment(file: &str) -> [&'static str; 2] {
    if file.ends_with(".rs") { ["// ", ""] } else { ["<!-- ", " -->"] }
}

/// Writes texts between a document's markers, or with `check` says which of them would change.
pub fn fill(root: &Path, file: &str, command: &str, texts: &[(&str, String)], check: bool) -> Findings {
    let (path, mut findings) = (root.join(file), Vec::new());
    let [open, close] = comment(file);
    let old = read(&path)?;
    let mut text = old.clone();
    for (name, made) in texts {
        let first = format!("{open}{name}: cargo {command}{close}");
        let last = format!("{open}/{name}{close}");
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
        for file in ["a.md", "a.rs"] {
            let [open, close] = comment(file);
            let (first, last) = (format!("{open}x: c{close}"), format!("{open}/x{close}"));
            let text = format!("a\n{first}\nold\n{last}\nb\n");
            let new = replaced(&text, &first, &last, "| new |\n").unwrap();
            assert_eq!(new, format!("a\n{first}\n\n| new |\n\n{last}\nb\n"));
            assert_eq!(replaced(&new, &first, &last, "| new |\n").unwrap(), new);
            assert_eq!(replaced(&text, "y", &last, ""), None);
            assert_eq!(replaced(&first, &first, &last, ""), None);
        }
    }
}
