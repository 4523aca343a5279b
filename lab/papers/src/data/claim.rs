//! What the papers claim: kat/papers, digit by digit.

use super::csv;
use super::unit::Unit;

/// One file for each paper.
const FILES: [(&str, &str); 4] = [
    ("bcghw13.csv", include_str!("../../../../kat/papers/bcghw13.csv")),
    ("dw18.csv", include_str!("../../../../kat/papers/dw18.csv")),
    ("jsdgs17.csv", include_str!("../../../../kat/papers/jsdgs17.csv")),
    ("bsovogr17.csv", include_str!("../../../../kat/papers/bsovogr17.csv")),
];
const HEADER: &str = "paper,item,place,quantity,value,unit,note";

/// What a paper says, where, of one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The paper's key, without brackets.
    pub paper: String,
    /// The item that asks for it.
    pub item: String,
    /// Where the paper has it.
    pub place: String,
    /// What is claimed; with the item it names the claim.
    pub quantity: String,
    /// The claim.
    pub value: Value,
    /// In which unit.
    pub unit: Unit,
    /// How the number is meant.
    pub sense: Sense,
    /// What else is to be said.
    pub note: String,
}

/// A figure or a table of a paper, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Picture {
    /// A figure.
    Figure(u32),
    /// A table.
    Table(u32),
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, as it is printed.
    Number(String),
    /// A statement, or an order of names.
    Text(String),
    /// Only a drawing has it.
    Unavailable,
}

/// How a number is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// To its last digit.
    Exactly,
    /// Within a tenth.
    About,
    /// This or more.
    AtLeast,
    /// This or less.
    AtMost,
}

const SENSES: [(&str, Sense); 5] = [
    ("about", Sense::About),
    ("at least", Sense::AtLeast),
    ("more than", Sense::AtLeast),
    ("at most", Sense::AtMost),
    ("less than", Sense::AtMost),
];

/// The note of what a paper chose and describes, such as its widths: no measurement can contradict it.
const SET_UP: &str = "set-up";
/// A tenth, for what is said to be about so much.
const ABOUT: f64 = 0.1;

impl Claim {
    /// All claims, in the papers' order.
    ///
    /// # Errors
    ///
    /// The file and the line that cannot be read, and why.
    ///
    /// ```
    /// let claims = samplez_lab::Claim::all()?;
    /// let widest = claims.iter().find(|claim| claim.item == "B16a").unwrap();
    /// assert_eq!((widest.number(), widest.unit.name), (Some(1.13), "million samples/s"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn all() -> Result<Vec<Claim>, String> {
        let mut claims = Vec::new();
        for (name, text) in FILES {
            let rows = csv::rows(text, HEADER).map_err(|why| format!("kat/papers/{name}: {why}"))?;
            for row in rows {
                claims.push(Claim::from_row(row).map_err(|why| format!("kat/papers/{name}: {why}"))?);
            }
        }
        Ok(claims)
    }

    fn from_row(row: Vec<String>) -> Result<Claim, String> {
        let [paper, item, place, quantity, value, unit, note] =
            <[String; 7]>::try_from(row).map_err(|row| format!("{} fields", row.len()))?;
        let refuse = |why: &str| format!("{item}, {quantity}: {why}");
        let known = Unit::of(&unit).ok_or_else(|| refuse(&format!("{unit} is no unit")))?;
        let value = match value.as_str() {
            "" => return Err(refuse("no value")),
            "unavailable" => Value::Unavailable,
            _ if known.is_text() => Value::Text(value),
            text if text.parse::<f64>().is_ok_and(f64::is_finite) => Value::Number(value),
            text => return Err(refuse(&format!("{text} is no number"))),
        };
        let (sense, note) = sense(&note);
        Ok(Claim { paper, item, place, quantity, value, unit: known, sense, note })
    }

    /// Returns the figures and tables that have the claim.
    ///
    /// ```
    /// use samplez_lab::{Claim, Picture};
    /// let claims = Claim::all()?;
    /// let matrix = claims.iter().find(|claim| claim.item == "J9").unwrap();
    /// assert_eq!((matrix.place.as_str(), matrix.pictures()), ("Figs 2, 3", vec![Picture::Figure(2), Picture::Figure(3)]));
    /// # Ok::<(), String>(())
    /// ```
    pub fn pictures(&self) -> Vec<Picture> {
        let (mut kind, mut all) = (None::<fn(u32) -> Picture>, Vec::new());
        for word in self.place.split([' ', ',']).filter(|word| !word.is_empty()) {
            match (word, word.parse(), kind) {
                ("Fig" | "Figs", ..) => kind = Some(Picture::Figure),
                ("Table" | "Tables", ..) => kind = Some(Picture::Table),
                (_, Ok(number), Some(kind)) => all.push(kind(number)),
                _ => kind = None,
            }
        }
        all
    }

    /// The number that is claimed, if it is one.
    ///
    /// ```
    /// let claims = samplez_lab::Claim::all()?;
    /// assert!(claims.iter().any(|claim| claim.item == "B14" && claim.number().is_none()));
    /// # Ok::<(), String>(())
    /// ```
    pub fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether there is anything to judge: not for a drawing, nor for what a paper leaves for later, nor for the set-up that it chose.
    pub(crate) fn is_judged(&self) -> bool {
        !self.note.starts_with(SET_UP)
            && !matches!(&self.value, Value::Unavailable)
            && !matches!(&self.value, Value::Text(text) if text == "later")
    }

    /// Half a unit of the last digit that is printed.
    fn half_digit(&self) -> f64 {
        let Value::Number(text) = &self.value else { return 0.0 };
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len()) as i32;
        0.5 * 10_f64.powi(exponent.parse::<i32>().unwrap_or(0) - decimals)
    }

    /// Whether a number in the claim's unit is what is claimed: what rounds or is cut to the printed digits, or lies on
    /// the side that is told; `slack` is what chance may add to it.
    ///
    /// ```
    /// let claims = samplez_lab::Claim::all()?;
    /// let bits = claims.iter().find(|claim| claim.item == "D9" && claim.number().is_some()).unwrap();
    /// assert!(bits.holds(2.94616, 0.0) && !bits.holds(2.9475, 0.0) && bits.holds(2.9475, 0.001));
    /// # Ok::<(), String>(())
    /// ```
    pub fn holds(&self, ours: f64, slack: f64) -> bool {
        let Some(stated) = self.number() else { return false };
        // What was cut off, not rounded, is less than a whole digit farther from zero.
        let (half, beyond) = (self.half_digit(), (ours - stated) * stated.signum());
        let is_cut = (0.0..slack + 2.0 * half * (1.0 - 1e-9)).contains(&beyond);
        let slack = slack + half * (1.0 + 1e-9);
        match self.sense {
            Sense::Exactly => (ours - stated).abs() <= slack || is_cut,
            Sense::About => (ours - stated).abs() <= slack + ABOUT * stated.abs(),
            Sense::AtLeast => ours >= stated - slack,
            Sense::AtMost => ours <= stated + slack,
        }
    }

    /// The value with what it is meant by, for the reader.
    ///
    /// ```
    /// let claims = samplez_lab::Claim::all()?;
    /// let limit = claims.iter().find(|claim| claim.item == "D3").unwrap();
    /// assert_eq!(limit.shown(), "at most 1.47 trials");
    /// # Ok::<(), String>(())
    /// ```
    pub fn shown(&self) -> String {
        let text = match &self.value {
            Value::Unavailable => return "drawn only".into(),
            Value::Text(text) => return text.clone(),
            Value::Number(text) => text,
        };
        let sense = match self.sense {
            Sense::Exactly => "",
            Sense::About => "about ",
            Sense::AtLeast => "at least ",
            Sense::AtMost => "at most ",
        };
        match self.unit.name {
            "count" => format!("{sense}{text}"),
            "log2" => format!("{sense}2^{text}"),
            unit => format!("{sense}{text} {unit}"),
        }
    }
}

/// What a note begins with, and the rest of it.
fn sense(note: &str) -> (Sense, String) {
    for (words, sense) in SENSES {
        if let Some(rest) = note.strip_prefix(words)
            && (rest.is_empty() || rest.starts_with(';'))
        {
            return (sense, rest.trim_start_matches(';').trim().to_owned());
        }
    }
    (Sense::Exactly, note.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(value: &str, unit: &str, note: &str) -> Result<Claim, String> {
        Claim::from_row(["P", "I", "place", "quantity", value, unit, note].map(String::from).to_vec())
    }

    #[test]
    fn numbers_hold_to_their_last_digit() {
        let exact = claim("1.13", "million samples/s", "").unwrap();
        assert!(exact.holds(1.134, 0.0) && exact.holds(1.125, 0.0) && !exact.holds(1.1249, 0.0));
        assert!(exact.holds(1.139, 0.0) && !exact.holds(1.1401, 0.0) && !exact.holds(-1.13, 0.0), "cut, not rounded");
        assert!(exact.holds(1.1401, 0.002));
        let small = claim("1.0e-31", "probability", "").unwrap();
        assert!(small.holds(1.04e-31, 0.0) && !small.holds(1.11e-31, 0.0));
        let limit = claim("1.47", "trials", "at most; of something").unwrap();
        assert!(limit.holds(0.1, 0.0) && limit.holds(1.4697, 0.0) && !limit.holds(1.48, 0.0));
        assert_eq!(limit.note, "of something");
        let floor = claim("32", "times", "more than").unwrap();
        assert!(floor.holds(33.0, 0.0) && !floor.holds(31.0, 0.0));
        let about = claim("10", "trials", "about").unwrap();
        assert!(about.holds(9.57, 0.0) && !about.holds(8.0, 0.0));
        assert_eq!(claim("5", "count", "about the sun").unwrap().sense, Sense::Exactly);
    }

    #[test]
    fn places_name_their_figures() {
        let of = |place: &str| Claim { place: place.into(), ..claim("1", "bits", "").unwrap() }.pictures();
        assert_eq!(of("Algorithm 3, Fig 1"), [Picture::Figure(1)]);
        assert_eq!(of("Table 2"), [Picture::Table(2)]);
        assert_eq!([of("§2.5, Fig 2"), of("abstract, §1")], [vec![Picture::Figure(2)], vec![]]);
        assert_eq!(of("Figs 2, 3"), [Picture::Figure(2), Picture::Figure(3)]);
    }

    #[test]
    fn bad_rows_are_refused() {
        for (value, unit, why) in [
            ("1", "furlong", "furlong is no unit"),
            ("one", "bits", "one is no number"),
            ("NaN", "bits", "NaN is no number"),
            ("inf", "bits", "inf is no number"),
            ("", "bits", "no value"),
        ] {
            let error = claim(value, unit, "").unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(claim("unavailable", "bits", "").unwrap().value, Value::Unavailable);
        assert!(!claim("unavailable", "bits", "").unwrap().holds(0.0, 0.0));
    }
}
