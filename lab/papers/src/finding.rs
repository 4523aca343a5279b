//! What we find, beside what is claimed.

use crate::data::{Claim, Unit};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One quantity of one item, measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The item whose claim it answers.
    pub item: String,
    /// The quantity; with the item it names the claim, if there is one.
    pub quantity: String,
    /// What was run, by recipe, and on which terms.
    pub terms: String,
    /// The result.
    pub ours: Ours,
    /// The least and the greatest result of the repetitions, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<[f64; 2]>,
    /// The unit.
    pub unit: String,
    /// The measured construction: this library's, the paper's, or the paper's own figures.
    #[serde(default, skip_serializing_if = "Form::is_ours")]
    pub form: Form,
    /// How the result compares with the claim.
    pub outcome: Outcome,
}

/// What a finding measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// This library.
    #[default]
    Ours,
    /// The construction as the paper built it.
    AsBuilt,
    /// Arithmetic on the paper's own figures.
    Printed,
}

impl Form {
    /// Whether this library was measured.
    ///
    /// ```
    /// assert!(samplez_lab::Form::default().is_ours());
    /// ```
    pub fn is_ours(&self) -> bool {
        *self == Form::Ours
    }
}

/// A result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Ours {
    /// A number.
    Number(f64),
    /// A statement, or an order of names.
    Text(String),
    /// Nothing.
    #[default]
    None,
}

/// How one measurement compares with a claim. The verdict on the claim follows from all of them: [`Verdict`](crate::Verdict).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Outcome {
    /// The paper makes no claim.
    #[default]
    NoClaim,
    /// The result agrees.
    Agrees,
    /// The result differs, and why.
    Differs(String),
    /// The repetitions lie on both sides of the threshold.
    Straddles(String),
    /// The two cannot be compared, and why.
    Beside(String),
    /// Nothing was measured, and why.
    Untested(String),
}

const NO_CLAIM: &str = "no claim";
const AGREES: &str = "agrees";
const DIFFERS: &str = "differs";
const STRADDLES: &str = "straddles";
const BESIDE: &str = "not comparable";
const UNTESTED: &str = "not measured";

impl Outcome {
    /// Returns the name.
    ///
    /// ```
    /// assert_eq!(samplez_lab::Outcome::Beside("another machine".into()).name(), "not comparable");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::NoClaim => NO_CLAIM,
            Outcome::Agrees => AGREES,
            Outcome::Differs(_) => DIFFERS,
            Outcome::Straddles(_) => STRADDLES,
            Outcome::Beside(_) => BESIDE,
            Outcome::Untested(_) => UNTESTED,
        }
    }

    /// Returns the reason, or nothing where none is needed.
    ///
    /// ```
    /// assert_eq!(samplez_lab::Outcome::Beside("another machine".into()).why(), "another machine");
    /// ```
    pub fn why(&self) -> &str {
        match self {
            Outcome::NoClaim | Outcome::Agrees => "",
            Outcome::Differs(why) | Outcome::Straddles(why) | Outcome::Beside(why) | Outcome::Untested(why) => why,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why() {
            "" => f.write_str(self.name()),
            why => write!(f, "{}: {why}", self.name()),
        }
    }
}

impl From<Outcome> for String {
    fn from(outcome: Outcome) -> String {
        outcome.to_string()
    }
}

impl TryFrom<String> for Outcome {
    type Error = String;

    fn try_from(text: String) -> Result<Outcome, String> {
        text.parse()
    }
}

impl FromStr for Outcome {
    type Err = String;

    fn from_str(text: &str) -> Result<Outcome, String> {
        let (name, why) = text.split_once(": ").unwrap_or((text, ""));
        match (name, why) {
            (NO_CLAIM, "") => Ok(Outcome::NoClaim),
            (AGREES, "") => Ok(Outcome::Agrees),
            (_, "") => Err(format!("{text}: no outcome with its reason")),
            (DIFFERS, why) => Ok(Outcome::Differs(why.into())),
            (STRADDLES, why) => Ok(Outcome::Straddles(why.into())),
            (BESIDE, why) => Ok(Outcome::Beside(why.into())),
            (UNTESTED, why) => Ok(Outcome::Untested(why.into())),
            _ => Err(format!("{text}: no outcome")),
        }
    }
}

impl Finding {
    /// The claim that it answers.
    ///
    /// ```
    /// use samplez_lab::{Claim, Finding, Ours};
    /// let claims = Claim::all()?;
    /// let finding = Finding {
    ///     item: "D10".into(),
    ///     quantity: "bits of a sum over k".into(),
    ///     ours: Ours::Number(3.48202),
    ///     unit: "bits".into(),
    ///     ..Finding::default()
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
    /// use samplez_lab::{Claim, Finding, Ours};
    /// let finding = Finding {
    ///     item: "B16a".into(),
    ///     quantity: "Ziggurat at 1.6e5 in 524 KB".into(),
    ///     ours: Ours::Number(226e6),
    ///     unit: "samples/s".into(),
    ///     ..Finding::default()
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
    fn outcomes_are_texts_and_back() {
        let why = || "by: us".to_owned();
        for outcome in [
            Outcome::NoClaim,
            Outcome::Agrees,
            Outcome::Differs(why()),
            Outcome::Straddles(why()),
            Outcome::Beside(why()),
            Outcome::Untested(why()),
        ] {
            assert_eq!(outcome.to_string().parse::<Outcome>().unwrap(), outcome);
        }
        for wrong in ["", "agrees: why", "differs", "differs: ", "fine", "fine: why"] {
            assert!(wrong.parse::<Outcome>().is_err(), "{wrong}");
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
