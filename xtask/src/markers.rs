//! What stands in a document between `<!-- NAME: cargo COMMAND -->` and `<!-- /NAME -->`, which programs write.

use crate::files::{Findings, named, read};
use std::path::Path;

/// Writes texts between a document's markers, or with `check` says which of them would change.
pub fn fill(root: &Path, file: &str, command: &str, texts: &[(&str, String)], check: bool) -> Findings {
    let (path, mut findings) = (root.join(file), Vec::new());
    let old = read(&path)?;
    let mut text = old.clone();
    for (name, made) in texts {
        match replaced(&text, name, command, made) {
            None => findings.push(format!("{file}: has no «{}» and «<!-- /{name} -->»", opening(name, command))),
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

fn opening(name: &str, command: &str) -> String {
    format!("<!-- {name}: cargo {command} -->")
}

fn replaced(text: &str, name: &str, command: &str, made: &str) -> Option<String> {
    let opening = opening(name, command);
    let (before, rest) = text.split_once(&opening)?;
    let (_, after) = rest.split_once(&format!("<!-- /{name} -->"))?;
    Some(format!("{before}{opening}\n\n{made}\n<!-- /{name} -->{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_the_markers_is_replaced() {
        let text = format!("a\n{}\nold\n<!-- /x -->\nb\n", opening("x", "c"));
        let new = replaced(&text, "x", "c", "| new |\n").unwrap();
        assert_eq!(new, format!("a\n{}\n\n| new |\n\n<!-- /x -->\nb\n", opening("x", "c")));
        assert_eq!(replaced(&new, "x", "c", "| new |\n").unwrap(), new);
        assert_eq!(replaced(&text, "y", "c", ""), None);
        assert_eq!(replaced(&opening("x", "c"), "x", "c", ""), None);
    }
}
