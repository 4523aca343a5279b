//! The papers, and how a reader is shown what stands of them.

use crate::data::{Claim, Value};
use crate::finding::{Finding, Form, Ours, Rounded};
use crate::kept::Record;
use crate::verdict::Judged;

/// The papers, in the order of the report, with their machines.
pub(crate) const PAPERS: [(char, &str, &str); 5] = [
    (
        'B',
        "[BCGHW13]: the discrete Ziggurat",
        "Sun XFire 4400, Opteron 8356 at 2.3 GHz, one core; 10^6 single calls, their mean",
    ),
    ('D', "[DW18]: rejection for centred laws", "i7-6820HQ, 8 GB, g++ -Os"),
    ('J', "[JSDGS17]: samplers in JavaScript", "i7-6500U, 8 GB, Windows 10; Chrome 60, Firefox 54, Opera 47, Edge 38"),
    ('S', "[BSOVOGR17]: sources of randomness", "i7-6700 at 3.4 GHz, GCC 5.4.0 -O2"),
    ('E', "The papers' figures against each other", "each derived from the paper's own figures"),
];

/// What came out, with its unit.
pub(crate) fn ours(finding: &Finding) -> String {
    match &finding.ours {
        Ours::Number(number) if finding.unit == "count" => Rounded(*number).to_string(),
        Ours::Number(number) if finding.unit == "bytes" && *number >= 1e4 => {
            format!("{} bytes", samplez_cli::testing::text::grouped(*number as i128))
        }
        Ours::Number(number) => format!("{} {}", Rounded(*number), finding.unit),
        Ours::Text(text) => text.clone(),
        Ours::None => String::new(),
    }
}

/// What came out, where the unit is told elsewhere.
pub(crate) fn bare(finding: &Finding) -> String {
    match &finding.ours {
        Ours::Number(number) if finding.unit == "bytes" => samplez_cli::testing::text::grouped(*number as i128),
        Ours::Number(number) => Rounded(*number).to_string(),
        _ => ours(finding),
    }
}

/// A longer statement is in the table of findings alone.
pub(crate) const LONG: usize = 60;

/// What the first measurement of a form gave, with its spread.
pub(crate) fn value(judged: &Judged<'_>, form: Form) -> String {
    let Some(finding) = judged.of(form).find(|finding| finding.ours != Ours::None) else { return "–".into() };
    let of = |number| digits(judged.claim, &Finding { ours: Ours::Number(number), ..finding.clone() });
    match (&finding.ours, finding.spread) {
        (Ours::Text(text), _) if text.chars().count() > LONG => finding.outcome.name().into(),
        (Ours::Number(number), Some([least, most])) => {
            let bare = |end| of(end).split(' ').next().unwrap_or_default().to_owned();
            format!("{} ({} to {})", of(*number), bare(least), bare(most))
        }
        (Ours::Number(number), None) => of(*number),
        _ => ours(finding),
    }
}

/// A number in the claim's unit, with as many digits as the claim has, and three at least.
fn digits(claim: &Claim, finding: &Finding) -> String {
    let (Value::Number(printed), Some(number)) = (&claim.value, finding.in_unit_of(claim)) else {
        return ours(finding);
    };
    let mantissa = printed.split('e').next().unwrap_or_default();
    let shown = mantissa.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count().max(3) as i32;
    if number != 0.0 && !(1e-3..1e9).contains(&number.abs()) {
        return ours(finding);
    }
    let size = if number == 0.0 { 0 } else { number.abs().log10().floor() as i32 };
    let decimals = if number.fract() == 0.0 { 0 } else { (shown - 1 - size).max(0) as usize };
    match claim.unit.name {
        "count" => format!("{number:.decimals$}"),
        "log2" => format!("2^{number:.decimals$}"),
        unit => format!("{number:.decimals$} {unit}"),
    }
}

/// How many wanted a processor when a machine was busy: more than this program.
const BUSY: f64 = 1.5;

impl Record {
    /// On which machine and when, and whether it was busy.
    pub(crate) fn told(&self) -> String {
        let busy = if self.is_busy() { ", busy" } else { "" };
        format!("{}{busy}, {}, commit {}", self.place.machine, self.date, self.place.commit)
    }

    /// Whether others worked on the machine meanwhile.
    pub(crate) fn is_busy(&self) -> bool {
        self.load.is_some_and(|load| load > BUSY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_claims_digits() {
        let claims = Claim::all().unwrap();
        let of = |item: &str, number, unit: &str| {
            let claim = claims.iter().find(|claim| claim.item == item && claim.number().is_some()).unwrap();
            digits(claim, &Finding { ours: Ours::Number(number), unit: unit.into(), ..Finding::default() })
        };
        assert_eq!(of("D4", 2.5567790, "bits"), "2.557 bits");
        assert_eq!(of("D13", 2.29744, "bits"), "2.2974 bits");
        assert_eq!(of("J16", 14_056.0, "bytes"), "13.73 KiB");
        assert_eq!(of("B4", 7.0, "count"), "7");
        let claim = claims.iter().find(|claim| claim.item == "B10" && claim.unit.name == "log2").unwrap();
        let distance = Finding { ours: Ours::Number(-104.25), unit: "log2".into(), ..Finding::default() };
        assert_eq!(digits(claim, &distance), "2^-104");
        assert_eq!(of("D2", 1.076e-31, "probability"), "1.08e-31 probability");
    }
}
