//! The list of items: everything that the papers evaluate, and what was printed of it.

use super::csv;

const TEXT: &str = include_str!("../../../../kat/papers/items.csv");
const HEADER: &str = "item,paper,about,title,asks,lacking";

/// One figure, table or statement of a paper, or its figures against each other (E).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// A letter and a number, perhaps with a small letter: `B21`, `B15a`.
    pub id: String,
    /// The paper's key, without brackets.
    pub paper: String,
    /// The item whose claims it is about, where it has none of its own.
    pub about: Option<String>,
    /// What it is, for the reader.
    pub title: String,
    /// What is to be measured.
    pub asks: String,
    /// Why it is not measured, where it is not.
    pub lacking: Option<String>,
}

impl Item {
    /// All items, in the papers' order.
    ///
    /// # Errors
    ///
    /// The line that cannot be read, and why.
    ///
    /// ```
    /// let items = samplez_lab::Item::all()?;
    /// assert_eq!((items[0].id.as_str(), items[0].paper.as_str()), ("B1", "BCGHW13"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn all() -> Result<Vec<Item>, String> {
        let rows = csv::rows(TEXT, HEADER).map_err(|why| format!("kat/papers/items.csv: {why}"))?;
        rows.into_iter().map(Item::from_row).collect()
    }

    fn from_row(row: Vec<String>) -> Result<Item, String> {
        let [id, paper, about, title, asks, lacking] =
            <[String; 6]>::try_from(row).map_err(|row| format!("kat/papers/items.csv: {} fields", row.len()))?;
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        Ok(Item { id, paper, about: some(about), title, asks, lacking: some(lacking) })
    }

    /// Whether it is meant by `B`, `B15` or `B15a`.
    ///
    /// ```
    /// let items = samplez_lab::Item::all()?;
    /// let asked = |name: &str| items.iter().filter(|item| item.is_in(name)).count();
    /// assert_eq!((asked("B15a"), asked("B15"), asked("B1"), asked("nothing")), (1, 3, 1, 0));
    /// assert!(asked("B") > 26);
    /// # Ok::<(), String>(())
    /// ```
    pub fn is_in(&self, name: &str) -> bool {
        let letter = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_uppercase());
        match self.id.strip_prefix(name) {
            Some(rest) if letter => !rest.is_empty(),
            Some("") => true,
            Some(rest) => rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_lowercase()) && name.len() > 1,
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::claim::Claim;
    use super::*;
    use std::collections::BTreeSet;

    /// The first and the last number of each letter, and numbers between them that no paper's claim has any more.
    const NUMBERS: [(char, u32, u32); 5] = [('B', 1, 26), ('D', 1, 24), ('J', 1, 25), ('S', 1, 30), ('E', 2, 11)];
    const GONE: [&str; 1] = ["J24"];

    #[test]
    fn no_item_is_missing() {
        let items = Item::all().unwrap();
        let mut ids = BTreeSet::new();
        for item in &items {
            assert!(ids.insert(item.id.as_str()), "{} is there twice", item.id);
            assert!(!item.title.is_empty() && !item.asks.is_empty(), "{}", item.id);
        }
        for (letter, first, last) in NUMBERS {
            for number in first..=last {
                let name = format!("{letter}{number}");
                assert_eq!(items.iter().any(|item| item.is_in(&name)), !GONE.contains(&name.as_str()), "{name}");
            }
        }
        let known = |id: &str| {
            let number = id[1..].trim_end_matches(|c: char| c.is_ascii_lowercase()).parse::<u32>();
            number.is_ok_and(|n| NUMBERS.iter().any(|(letter, a, b)| id.starts_with(*letter) && (*a..=*b).contains(&n)))
        };
        assert!(items.iter().all(|item| known(&item.id)));
    }

    #[test]
    fn claims_and_items_know_each_other() {
        let (items, claims) = (Item::all().unwrap(), Claim::all().unwrap());
        let mut names = BTreeSet::new();
        for claim in &claims {
            let item = items.iter().find(|item| item.id == claim.item);
            let item = item.unwrap_or_else(|| panic!("{claim:?} has no item"));
            assert_eq!(item.paper, claim.paper, "{claim:?}");
            assert!(names.insert((&claim.item, &claim.quantity)), "{claim:?} is there twice");
            assert!(!claim.place.is_empty() && !claim.quantity.is_empty(), "{claim:?}");
        }
        for item in &items {
            let own = claims.iter().any(|claim| claim.item == item.id);
            let about = item.about.as_ref();
            assert!(own != about.is_some(), "{}: claims of its own, or of another item", item.id);
            assert!(about.is_none_or(|about| claims.iter().any(|claim| claim.item == *about)), "{}", item.id);
        }
    }
}
