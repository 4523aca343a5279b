//! What we find, beside what is claimed.

use crate::data::{Claim, Unit};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One quantity of one item, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The item whose claim it answers.
    pub item: String,
    /// What was measured; with the item the name of the claim, if there is one.
    pub quantity: String,
    /// What was run, by recipe, and on which terms.
    pub terms: String,
    /// What came out.
    pub ours: Ours,
    /// In which unit.
    pub unit: String,
    /// What it says of the claim.
    pub verdict: Verdict,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Ours {
    /// A number.
    Number(f64),
    /// A statement, or an order of names.
    Text(String),
    /// Nothing.
    None,
}

/// What a finding says of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Verdict {
    /// It is so here.
    Reproduced,
    /// It is not so, and why.
    Contradicted(String),
    /// It cannot be compared, and why.
    NotComparable(String),
    /// Nobody has measured it, and why.
    NotMeasured(String),
}

const CONTRADICTED: &str = "contradicted";
const NOT_COMPARABLE: &str = "not comparable";
const NOT_MEASURED: &str = "not measured yet";

impl Verdict {
    /// Its name.
    ///
    /// ```
    /// assert_eq!(samplez_lab::Verdict::NotComparable("another machine".into()).name(), "not comparable");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Contradicted(_) => CONTRADICTED,
            Verdict::NotComparable(_) => NOT_COMPARABLE,
            Verdict::NotMeasured(_) => NOT_MEASURED,
        }
    }

    /// Its reason; empty where none is needed.
    ///
    /// ```
    /// assert_eq!(samplez_lab::Verdict::NotComparable("another machine".into()).why(), "another machine");
    /// ```
    pub fn why(&self) -> &str {
        match self {
            Verdict::Reproduced => "",
            Verdict::Contradicted(why) | Verdict::NotComparable(why) | Verdict::NotMeasured(why) => why,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why() {
            "" => f.write_str(self.name()),
            why => write!(f, "{}: {why}", self.name()),
        }
    }
}

impl From<Verdict> for String {
    fn from(verdict: Verdict) -> String {
        verdict.to_string()
    }
}

impl TryFrom<String> for Verdict {
    type Error = String;

    fn try_from(text: String) -> Result<Verdict, String> {
        text.parse()
    }
}

impl FromStr for Verdict {
    type Err = String;

    fn from_str(text: &str) -> Result<Verdict, String> {
        let (name, why) = text.split_once(": ").unwrap_or((text, ""));
        match (name, why) {
            ("reproduced", "") => Ok(Verdict::Reproduced),
            (_, "") => Err(format!("{text}: no verdict with its reason")),
            (CONTRADICTED, why) => Ok(Verdict::Contradicted(why.into())),
            (NOT_COMPARABLE, why) => Ok(Verdict::NotComparable(why.into())),
            (NOT_MEASURED, why) => Ok(Verdict::NotMeasured(why.into())),
            _ => Err(format!("{text}: no verdict")),
        }
    }
}

impl Finding {
    /// The claim that it answers.
    ///
    /// ```
    /// use samplez_lab::{Claim, Finding, Ours, Verdict};
    /// let claims = Claim::all()?;
    /// let finding = Finding {
    ///     item: "D10".into(),
    ///     quantity: "bits of a sum over k".into(),
    ///     terms: "a sum".into(),
    ///     ours: Ours::Number(3.48202),
    ///     unit: "bits".into(),
    ///     verdict: Verdict::Reproduced,
    /// };
    /// assert_eq!(finding.claim(&claims).unwrap().number(), Some(3.482));
    /// # Ok::<(), String>(())
    /// ```
    pub fn claim<'a>(&self, claims: &'a [Claim]) -> Option<&'a Claim> {
        claims.iter().find(|claim| claim.item == self.item && claim.quantity == self.quantity)
    }

    /// What came out in the claim's unit.
    pub(crate) fn in_unit_of(&self, claim: &Claim) -> Option<f64> {
        match self.ours {
            Ours::Number(ours) => Unit::of(&self.unit)?.to(claim.unit, ours),
            _ => None,
        }
    }

    /// Ours over the claim, or the difference where a ratio says nothing; empty if there is neither.
    ///
    /// ```
    /// use samplez_lab::{Claim, Finding, Ours, Verdict};
    /// let finding = Finding {
    ///     item: "B16a".into(),
    ///     quantity: "Ziggurat at 1.6e5 in 524 KB".into(),
    ///     terms: "a race".into(),
    ///     ours: Ours::Number(226e6),
    ///     unit: "samples/s".into(),
    ///     verdict: Verdict::NotComparable("another machine".into()),
    /// };
    /// assert_eq!(finding.relation(&Claim::all()?), "200 times");
    /// # Ok::<(), String>(())
    /// ```
    pub fn relation(&self, claims: &[Claim]) -> String {
        let both = || {
            let claim = self.claim(claims)?;
            Some((claim, claim.number()?, self.in_unit_of(claim)?))
        };
        match both() {
            Some((claim, stated, ours)) if claim.unit.by_difference() || stated == 0.0 => {
                format!("{:+} {}", Rounded(ours - stated), claim.unit.name)
            }
            Some((_, stated, ours)) => format!("{} times", Rounded(ours / stated)),
            None => String::new(),
        }
    }
}

/// A number in three digits or, from 100 to 10^15, without a fraction.
pub(crate) struct Rounded(pub(crate) f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rounded(value) = *self;
        let size = value.abs();
        let text = if value == 0.0 {
            "0".to_owned()
        } else if !(1e-3..1e15).contains(&size) {
            format!("{value:.2e}")
        } else {
            let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{value:.decimals$}")
        };
        if f.sign_plus() && value > 0.0 { write!(f, "+{text}") } else { f.write_str(&text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_texts_and_back() {
        for verdict in [
            Verdict::Reproduced,
            Verdict::Contradicted("by: us".into()),
            Verdict::NotComparable("another machine".into()),
            Verdict::NotMeasured("no browser".into()),
        ] {
            assert_eq!(verdict.to_string().parse::<Verdict>().unwrap(), verdict);
        }
        for wrong in ["", "reproduced: why", "contradicted", "contradicted: ", "fine", "fine: why"] {
            assert!(wrong.parse::<Verdict>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (199.96, "200"),
            (1.2345, "1.23"),
            (0.012345, "0.0123"),
            (1e-31, "1.00e-31"),
            (28_337_440.0, "28337440"),
        ] {
            assert_eq!(Rounded(value).to_string(), text);
        }
        assert_eq!(format!("{:+}", Rounded(2.5)), "+2.50");
        assert_eq!(format!("{:+}", Rounded(-2.5)), "-2.50");
    }
}
