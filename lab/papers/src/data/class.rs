//! Why a claim is not confirmed by this library alone: kat/papers/classes.csv.

use super::claim::Claim;
use super::csv;

const TEXT: &str = include_str!("../../../../kat/papers/classes.csv");
const HEADER: &str = "item,quantity,class,reason";

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The print is wrong, by the paper's own figures or by arithmetic.
    Misprint,
    /// This library implements another algorithm or form.
    Unlike,
    /// The ratio belongs to the machines of the time.
    Hardware,
    /// Repetitions or tests give either answer.
    Noise,
    /// The claim was the literature's at its time.
    Then,
    /// The paper does not print what it takes to build its construction.
    Unprinted,
}

const KINDS: [(&str, Kind); 6] = [
    ("misprint", Kind::Misprint),
    ("unlike", Kind::Unlike),
    ("hardware", Kind::Hardware),
    ("noise", Kind::Noise),
    ("then", Kind::Then),
    ("unprinted", Kind::Unprinted),
];

/// The reason for one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The claim's item.
    pub item: String,
    /// The claim's quantity.
    pub quantity: String,
    /// The kind of reason.
    pub kind: Kind,
    /// The reason in words.
    pub reason: String,
}

impl Class {
    /// Returns all classes.
    ///
    /// # Errors
    ///
    /// Returns the line that cannot be read, and why.
    ///
    /// ```
    /// let classes = samplez_lab::Class::all()?;
    /// assert!(classes.iter().any(|class| class.item == "J2" && class.kind == samplez_lab::Kind::Misprint));
    /// # Ok::<(), String>(())
    /// ```
    pub fn all() -> Result<Vec<Class>, String> {
        let refused = |why: String| format!("kat/papers/classes.csv: {why}");
        let (rows, claims) = (csv::rows(TEXT, HEADER).map_err(refused)?, Claim::all()?);
        let mut all = Vec::<Class>::new();
        for row in rows {
            let class = Class::from_row(row).map_err(refused)?;
            let is_claim = claims.iter().any(|claim| class.is_of(claim));
            if !is_claim || all.iter().any(|old| old.item == class.item && old.quantity == class.quantity) {
                return Err(refused(format!("{}, {}: no claim, or twice", class.item, class.quantity)));
            }
            all.push(class);
        }
        Ok(all)
    }

    fn from_row(row: Vec<String>) -> Result<Class, String> {
        let [item, quantity, kind, reason] =
            <[String; 4]>::try_from(row).map_err(|row| format!("{} fields", row.len()))?;
        let known = KINDS.iter().find(|(name, _)| *name == kind);
        match known {
            Some((_, kind)) if !reason.is_empty() => Ok(Class { item, quantity, kind: *kind, reason }),
            _ => Err(format!("{item}, {quantity}: {kind} is no class, or has no reason")),
        }
    }

    /// Whether it is about this claim.
    pub(crate) fn is_of(&self, claim: &Claim) -> bool {
        self.item == claim.item && self.quantity == claim.quantity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_rows_are_refused() {
        let row = |kind: &str, reason: &str| Class::from_row(["I", "q", kind, reason].map(String::from).to_vec());
        assert_eq!(row("noise", "why").unwrap().kind, Kind::Noise);
        assert!(row("wrong", "why").is_err() && row("noise", "").is_err());
    }
}
