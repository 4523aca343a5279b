//! What a reader must be told beside the numbers: sections by the names of items and papers.

use crate::error::LabError;
use crate::papers::PAPERS;

/// The sections of a text, each with its name.
pub(super) struct Prose {
    sections: Vec<(String, String)>,
}

impl Prose {
    /// What follows each heading `## NAME`, where a name is `top`, `verdicts` or a paper's letter.
    pub(super) fn parse(text: &str) -> Result<Prose, LabError> {
        let mut sections = Vec::new();
        for part in text.split("\n## ").skip(1) {
            let (name, body) = part.split_once('\n').unwrap_or((part, ""));
            let known = ["top", "verdicts"].contains(&name)
                || PAPERS.iter().any(|(letter, ..)| name.len() == 1 && name.starts_with(*letter));
            if !known || sections.iter().any(|(other, _)| other == name) {
                return Err(LabError::Input(format!(
                    "docs/report/prose.md: «## {name}» is no section, or there twice"
                )));
            }
            sections.push((name.to_owned(), body.trim().to_owned()));
        }
        Ok(Prose { sections })
    }

    /// The section of this name, as a paragraph, if there is one; its links begin in docs/report, the document's in docs.
    pub(super) fn of(&self, name: &str) -> String {
        let found = self.sections.iter().find(|(known, _)| known == name);
        found.map_or(String::new(), |(_, text)| text.replace("](../", "](") + "\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_known_names() {
        let prose = Prose::parse("# Title\n\nnot shown\n\n## top\n\nfirst\n\n## B\n[third](../x.md)\n").unwrap();
        assert_eq!((prose.of("top").as_str(), prose.of("B").as_str()), ("first\n\n", "[third](x.md)\n\n"));
        assert_eq!(prose.of("D"), "");
        for wrong in ["\n## B99\n", "\n## BB\n", "\n## B\n\n## B\n"] {
            assert!(Prose::parse(wrong).is_err(), "{wrong}");
        }
    }
}
