//! What another run changes of the verdicts: two runs agree if none changes but from or to undecided, not comparable or not measured.

use crate::data::{Claim, Class};
use crate::error::LabError;
use crate::kept::Records;
use crate::verdict::{Judged, Verdict};
use std::fmt;

/// A verdict that another run changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The claim: its item and its quantity.
    pub claim: String,
    /// The verdict by the run before.
    pub before: Verdict,
    /// The verdict by this run.
    pub now: Verdict,
}

impl Change {
    /// Whether the two runs contradict each other.
    ///
    /// ```
    /// use samplez_lab::{Verdict, documents::Change};
    /// let change = |now| Change { claim: "B1, memory".into(), before: Verdict::Right, now };
    /// assert!(change(Verdict::AsThenBuilt).is_flip() && !change(Verdict::Undecided).is_flip());
    /// ```
    pub fn is_flip(&self) -> bool {
        ![self.before, self.now]
            .iter()
            .any(|verdict| matches!(verdict, Verdict::Undecided | Verdict::NotComparable | Verdict::NotMeasured))
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flip = if self.is_flip() { ", a flip" } else { "" };
        write!(f, "{}: {}, before {}{flip}", self.claim, self.now.name(), self.before.name())
    }
}

/// The verdicts that differ between two runs.
pub(super) fn changes(before: &Records, now: &Records) -> Result<Vec<Change>, LabError> {
    let claims = Claim::all().map_err(LabError::Input)?;
    let classes = Class::all().map_err(LabError::Input)?;
    let [before, now] = [before, now].map(|kept| Judged::all(&claims, &classes, kept));
    let both = before.iter().zip(&now).filter(|(before, now)| before.verdict != now.verdict);
    let change = |(before, now): (&Judged<'_>, &Judged<'_>)| Change {
        claim: format!("{}, {}", now.claim.item, now.claim.quantity),
        before: before.verdict,
        now: now.verdict,
    };
    Ok(both.map(change).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_differ_by_their_verdicts() {
        let run = |outcome: &str| {
            let finding = format!(
                r#"{{"item":"B10","quantity":"t for 2^-100 at σ = 10","terms":"","ours":13.0,"unit":"count","outcome":"{outcome}"}}"#
            );
            let line = format!(
                r#"{{"item":"B10","machine":"m","commit":"c","date":"d","quick":false,"seconds":1.0,"command":"","charts":[],"findings":[{finding}]}}"#
            );
            Records::of_lines("run.jsonl".into(), &line).unwrap()
        };
        let of =
            |a: &str, b: &str| changes(&run(a), &run(b)).unwrap().iter().map(Change::to_string).collect::<Vec<_>>();
        assert!(of("agrees", "agrees").is_empty());
        assert_eq!(of("agrees", "straddles: noise"), ["B10, t for 2^-100 at σ = 10: undecided, before right"]);
        assert_eq!(
            of("not comparable: another machine, of the paper's day; ratios and orders are compared", "agrees"),
            ["B10, t for 2^-100 at σ = 10: right, before other hardware, a flip"]
        );
    }
}
