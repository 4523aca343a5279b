//! The papers' figures and tables by their numbers.

use crate::data::{Claim, Item, Picture};
use std::fmt;

/// A figure or a table of a paper, and an item that measures it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The paper's key, without brackets.
    pub paper: String,
    /// Its number.
    pub picture: Picture,
    /// The item.
    pub item: Item,
}

impl Numbered {
    /// Returns all of them by paper and number.
    ///
    /// # Errors
    ///
    /// The line of kat/papers that cannot be read, and why.
    ///
    /// ```
    /// let all = samplez_lab::Numbered::all()?;
    /// let five = all.iter().find(|one| one.paper == "BCGHW13" && one.picture.to_string() == "Figure 5");
    /// assert_eq!(five.map(|one| one.item.id.as_str()), Some("B21"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn all() -> Result<Vec<Numbered>, String> {
        let (items, claims) = (Item::all()?, Claim::all()?);
        let (mut all, mut papers): (Vec<Numbered>, Vec<&str>) = (Vec::new(), Vec::new());
        for claim in &claims {
            if !papers.contains(&claim.paper.as_str()) {
                papers.push(&claim.paper);
            }
            let Some(item) = items.iter().find(|item| item.id == claim.item) else { continue };
            for picture in claim.pictures() {
                if !all.iter().any(|one| one.picture == picture && one.item.id == item.id) {
                    all.push(Numbered { paper: claim.paper.clone(), picture, item: item.clone() });
                }
            }
        }
        all.sort_by_key(|one| (papers.iter().position(|paper| *paper == one.paper), one.picture));
        Ok(all)
    }

    /// Returns the item's title without the number.
    ///
    /// ```
    /// let all = samplez_lab::Numbered::all()?;
    /// assert!(all.iter().all(|one| !one.title().starts_with("Figure")));
    /// # Ok::<(), String>(())
    /// ```
    pub fn title(&self) -> &str {
        self.item.title.split_once(": ").map_or(self.item.title.as_str(), |(_, title)| title)
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Picture::Figure(number) => write!(f, "Figure {number}"),
            Picture::Table(number) => write!(f, "Table {number}"),
        }
    }
}
