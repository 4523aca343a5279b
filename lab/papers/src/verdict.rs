//! The verdict on a claim, from every measurement of it and from the class of the difference.

use crate::answer::MACHINE;
use crate::data::{Claim, Class, Kind};
use crate::finding::{Finding, Form, Outcome};
use crate::kept::Records;

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds here.
    Right,
    /// The print is wrong.
    Misprint,
    /// It holds for the construction as the paper built it, and not for this library's.
    AsThenBuilt,
    /// It does not hold for the construction as the paper built it.
    NotAsBuilt,
    /// It belongs to the machines of the time.
    OtherHardware,
    /// Repetitions give either answer.
    Undecided,
    /// Only another construction than the paper's was measured, or the paper does not print what it takes to build its own.
    NotComparable,
    /// Nothing was measured.
    NotMeasured,
}

impl Verdict {
    /// All verdicts, in the order of tables.
    pub const ALL: [Verdict; 8] = [
        Verdict::Right,
        Verdict::Misprint,
        Verdict::AsThenBuilt,
        Verdict::NotAsBuilt,
        Verdict::OtherHardware,
        Verdict::Undecided,
        Verdict::NotComparable,
        Verdict::NotMeasured,
    ];

    /// Returns the name.
    ///
    /// ```
    /// assert_eq!(samplez_lab::Verdict::AsThenBuilt.name(), "as then built");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Misprint => "misprint",
            Verdict::AsThenBuilt => "as then built",
            Verdict::NotAsBuilt => "does not hold as built",
            Verdict::OtherHardware => "other hardware",
            Verdict::Undecided => "undecided",
            Verdict::NotComparable => "not comparable",
            Verdict::NotMeasured => "not measured",
        }
    }
}

/// What the measurements of one form say together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    Nothing,
    Agree,
    Differ,
    Either,
}

fn sum(findings: &[&Finding], form: Form) -> Sum {
    let outcomes = || findings.iter().filter(|finding| finding.form == form).map(|finding| &finding.outcome);
    let (agree, differ) = (
        outcomes().any(|outcome| *outcome == Outcome::Agrees),
        outcomes().any(|outcome| matches!(outcome, Outcome::Differs(_))),
    );
    match (agree, differ) {
        _ if outcomes().any(|outcome| matches!(outcome, Outcome::Straddles(_))) => Sum::Either,
        (true, true) => Sum::Either,
        (true, false) => Sum::Agree,
        (false, true) => Sum::Differ,
        (false, false) => Sum::Nothing,
    }
}

/// A claim with its measurements and their verdict.
pub(crate) struct Judged<'a> {
    pub(crate) claim: &'a Claim,
    pub(crate) findings: Vec<&'a Finding>,
    pub(crate) verdict: Verdict,
    pub(crate) why: String,
}

impl<'a> Judged<'a> {
    /// All claims that can be judged, by what is kept.
    pub(crate) fn all(claims: &'a [Claim], classes: &[Class], kept: &'a Records) -> Vec<Judged<'a>> {
        let judged = claims.iter().filter_map(|claim| {
            let is_of = |finding: &&Finding| finding.item == claim.item && finding.quantity == claim.quantity;
            let findings: Vec<&Finding> = kept.findings().filter(is_of).collect();
            let (verdict, why) = judge(claim, &findings, classes.iter().find(|class| class.is_of(claim)))?;
            Some(Judged { claim, findings, verdict, why })
        });
        judged.collect()
    }

    /// The measurements of one form.
    pub(crate) fn of(&self, form: Form) -> impl Iterator<Item = &'a Finding> {
        self.findings.iter().copied().filter(move |finding| finding.form == form)
    }
}

/// Judges a claim by all its measurements: the verdict and its reason. A drawing, a paper's plan and its set-up are no claims.
pub(crate) fn judge(claim: &Claim, findings: &[&Finding], class: Option<&Class>) -> Option<(Verdict, String)> {
    if !claim.is_judged() {
        return None;
    }
    let [built, ours, printed] = [Form::AsBuilt, Form::Ours, Form::Printed].map(|form| sum(findings, form));
    let differs = findings.iter().any(|finding| matches!(finding.outcome, Outcome::Differs(_)));
    let why = || {
        let reason = findings.iter().map(|finding| finding.outcome.why()).find(|why| !why.is_empty());
        class.map_or(reason.unwrap_or_default(), |class| &class.reason).to_owned()
    };
    let kind = class.map(|class| class.kind);
    Some(match (built, ours) {
        // A class is no evidence: without a result that differs there is no misprint.
        _ if kind == Some(Kind::Misprint) && differs => (Verdict::Misprint, why()),
        // Runs gave either answer: this one decides nothing.
        _ if kind == Some(Kind::Noise) => (Verdict::Undecided, why()),
        _ if kind == Some(Kind::Unprinted) => (Verdict::NotComparable, why()),
        (Sum::Agree | Sum::Nothing, Sum::Agree) | (Sum::Agree, Sum::Nothing) => (Verdict::Right, String::new()),
        (Sum::Agree, Sum::Differ) => (Verdict::AsThenBuilt, why()),
        (Sum::Nothing, Sum::Differ | Sum::Nothing) if kind == Some(Kind::Then) => (Verdict::AsThenBuilt, why()),
        (Sum::Differ | Sum::Nothing, _) if kind == Some(Kind::Hardware) => (Verdict::OtherHardware, why()),
        (Sum::Differ, _) => (Verdict::NotAsBuilt, why()),
        (Sum::Nothing, Sum::Nothing) => match findings.iter().find(|finding| finding.form == Form::Ours) {
            Some(Finding { outcome: Outcome::Beside(why), .. }) if why == MACHINE => {
                (Verdict::OtherHardware, why.clone())
            }
            _ if printed == Sum::Agree => (Verdict::Right, String::new()),
            Some(Finding { outcome: Outcome::Beside(_), .. }) => (Verdict::NotComparable, why()),
            _ => (Verdict::NotMeasured, why()),
        },
        // This library's construction alone was measured, and it is not the paper's.
        (Sum::Nothing, Sum::Differ) => (Verdict::NotComparable, why()),
        _ => (Verdict::Undecided, why()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_follows_from_all_measurements() {
        let claims = Claim::all().unwrap();
        let claim = claims.iter().find(|claim| claim.item == "S8" && claim.number().is_some()).unwrap();
        let (yes, no) = (|| Outcome::Agrees, || Outcome::Differs("another".into()));
        let straddles = || Outcome::Straddles("noise".into());
        let verdict = |all: &[(Form, Outcome)], kind: Option<Kind>| {
            let findings: Vec<Finding> = all
                .iter()
                .map(|(form, outcome)| Finding { form: *form, outcome: outcome.clone(), ..Finding::default() })
                .collect();
            let (item, quantity) = (claim.item.clone(), claim.quantity.clone());
            let class = kind.map(|kind| Class { item, quantity, kind, reason: "because".into() });
            judge(claim, &findings.iter().collect::<Vec<_>>(), class.as_ref()).unwrap().0
        };
        use Form::{AsBuilt, Ours, Printed};
        assert_eq!(verdict(&[(Ours, yes())], None), Verdict::Right);
        assert_eq!(verdict(&[(Ours, no()), (AsBuilt, yes())], Some(Kind::Unlike)), Verdict::AsThenBuilt);
        assert_eq!(verdict(&[(Ours, yes()), (AsBuilt, no())], None), Verdict::NotAsBuilt);
        assert_eq!(verdict(&[(Ours, no()), (AsBuilt, no())], Some(Kind::Unlike)), Verdict::NotAsBuilt);
        assert_eq!(verdict(&[(Ours, no()), (AsBuilt, no())], Some(Kind::Hardware)), Verdict::OtherHardware);
        assert_eq!(verdict(&[(Ours, no()), (AsBuilt, no())], Some(Kind::Unprinted)), Verdict::NotComparable);
        assert_eq!(verdict(&[(Ours, yes()), (AsBuilt, yes())], None), Verdict::Right);
        assert_eq!(verdict(&[(Ours, no())], Some(Kind::Unlike)), Verdict::NotComparable);
        assert_eq!(verdict(&[(Ours, no())], Some(Kind::Hardware)), Verdict::OtherHardware);
        assert_eq!(verdict(&[(Ours, no())], Some(Kind::Then)), Verdict::AsThenBuilt);
        assert_eq!(verdict(&[(Ours, no()), (Printed, no())], Some(Kind::Misprint)), Verdict::Misprint);
        assert_eq!(verdict(&[(Printed, no())], Some(Kind::Misprint)), Verdict::Misprint);
        assert_eq!(verdict(&[(Ours, yes())], Some(Kind::Misprint)), Verdict::Right, "a class is no evidence");
        assert_eq!(verdict(&[(Printed, yes())], None), Verdict::Right, "by the paper's own figures");
        assert_eq!(verdict(&[(Ours, Outcome::Beside(MACHINE.into())), (Printed, yes())], None), Verdict::OtherHardware);
        assert_eq!(verdict(&[(Ours, yes()), (Ours, no())], None), Verdict::Undecided, "one of two");
        assert_eq!(verdict(&[(Ours, straddles())], None), Verdict::Undecided);
        assert_eq!(
            verdict(&[(Ours, straddles()), (AsBuilt, yes())], None),
            Verdict::Undecided,
            "another run may agree"
        );
        assert_eq!(verdict(&[(Ours, yes())], Some(Kind::Noise)), Verdict::Undecided, "another run differed");
        assert_eq!(verdict(&[(Ours, Outcome::Beside(MACHINE.into()))], None), Verdict::OtherHardware);
        assert_eq!(verdict(&[(Ours, Outcome::Beside("another form".into()))], None), Verdict::NotComparable);
        assert_eq!(verdict(&[(Ours, Outcome::Untested("not built".into()))], None), Verdict::NotMeasured);
        assert_eq!(verdict(&[], None), Verdict::NotMeasured);
        let drawing = claims.iter().find(|claim| claim.item == "B14").unwrap();
        assert_eq!(judge(drawing, &[], None), None, "a drawing is no claim");
        let set_up = claims.iter().find(|claim| claim.item == "B12").unwrap();
        assert_eq!(judge(set_up, &[], None), None, "what a paper chose to measure is no claim");
    }
}
