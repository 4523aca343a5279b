//! What a reader must be told beside the numbers: sections by the names of items and papers.

use crate::data::Item;
use crate::error::LabError;
use crate::papers::PAPERS;

/// Sections that stand before all papers.
const OTHERS: [&str; 3] = ["top", "counts", "counted"];

/// The sections of a text, each with its name.
pub(super) struct Prose {
    sections: Vec<(String, String)>,
}

impl Prose {
    /// What follows each heading `## NAME`, where a name is an item's, a paper's letter, or another known one.
    pub(super) fn parse(text: &str) -> Result<Prose, LabError> {
        let items = Item::all().map_err(LabError::Input)?;
        let mut sections = Vec::new();
        for part in text.split("\n## ").skip(1) {
            let (name, body) = part.split_once('\n').unwrap_or((part, ""));
            let known = OTHERS.contains(&name)
                || items.iter().any(|item| item.id == name)
                || PAPERS.iter().any(|(letter, ..)| name.len() == 1 && name.starts_with(*letter));
            if !known || sections.iter().any(|(other, _)| other == name) {
                return Err(LabError::Input(format!(
                    "docs/report/prose.md: «## {name}» is no item or paper, or there twice"
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
        let prose =
            Prose::parse("# Title\n\nnot shown\n\n## B15a\n\nfirst\n\n- second\n\n## B\n[third](../x.md)\n").unwrap();
        assert_eq!((prose.of("B15a").as_str(), prose.of("B").as_str()), ("first\n\n- second\n\n", "[third](x.md)\n\n"));
        assert_eq!(prose.of("B1"), "");
        for wrong in ["\n## B99\n", "\n## BB\n", "\n## B1\n\n## B1\n"] {
            assert!(Prose::parse(wrong).is_err(), "{wrong}");
        }
    }
}
