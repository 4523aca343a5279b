//! How an experiment says what it found: a line for each claim, judged by one rule for each kind of claim.

use crate::data::{Claim, Unit, Value};
use crate::error::LabError;
use crate::finding::{Finding, Form, Ours, Outcome};
use crate::plot::{Chart, Plot, Series};

/// Who is slower by no more than this is level: an order among the level is not contradicted.
const LEVEL: f64 = 0.9;
/// Absolute speeds.
pub(crate) const MACHINE: &str = "another machine, of the paper's day; ratios and orders are compared";

/// What an experiment answers of one item.
pub(crate) struct Answer<'a> {
    item: &'a str,
    claims: &'a [Claim],
    /// What the next findings measure.
    pub(crate) form: Form,
    pub(crate) findings: Vec<Finding>,
    pub(crate) charts: Vec<Chart>,
}

impl<'a> Answer<'a> {
    pub(crate) fn new(item: &'a str, claims: &'a [Claim]) -> Self {
        // The items of this letter compute with the papers' own figures.
        let form = if item.starts_with('E') { Form::Printed } else { Form::Ours };
        Answer { item, claims, form, findings: Vec::new(), charts: Vec::new() }
    }

    /// An answer to claims of another item too.
    pub(crate) fn about(&mut self, item: &'a str) {
        self.item = item;
    }

    /// The claim of this quantity.
    pub(crate) fn claim(&self, quantity: &str) -> Result<&'a Claim, LabError> {
        let found = self.claims.iter().find(|claim| claim.item == self.item && claim.quantity == quantity);
        found.ok_or_else(|| LabError::Input(format!("{}: no claim of {quantity}", self.item)))
    }

    /// The number that is claimed of this quantity.
    pub(crate) fn stated(&self, quantity: &str) -> Result<f64, LabError> {
        let claim = self.claim(quantity)?;
        claim.number().ok_or_else(|| LabError::Input(format!("{}, {quantity}: not a number", self.item)))
    }

    /// The number that a paper prints of another item's quantity, in this unit.
    pub(crate) fn printed(&self, item: &str, quantity: &str, unit: &str) -> Result<f64, LabError> {
        let claim = self.claims.iter().find(|claim| claim.item == item && claim.quantity == quantity);
        let number = claim.and_then(|claim| claim.unit.to(Unit::of(unit)?, claim.number()?));
        number.ok_or_else(|| LabError::Input(format!("{item}, {quantity}: no number in {unit}")))
    }

    fn push(&mut self, quantity: &str, ours: Ours, unit: &str, terms: &str, outcome: Outcome) {
        let (item, quantity, terms) = (self.item.to_owned(), quantity.to_owned(), terms.to_owned());
        let (spread, unit, form) = (None, unit.to_owned(), self.form);
        self.findings.push(Finding { item, quantity, terms, ours, spread, unit, form, outcome });
    }

    /// A number that is exact here: reproduced if it is the claim to its last digit.
    pub(crate) fn exact(
        &mut self,
        quantity: &str,
        (ours, unit): (f64, &str),
        terms: &str,
        otherwise: &str,
    ) -> Result<(), LabError> {
        self.within(quantity, (ours, unit), 0.0, terms, otherwise)
    }

    /// A mean, with so much of it (in `unit`) to chance.
    pub(crate) fn within(
        &mut self,
        quantity: &str,
        (ours, unit): (f64, &str),
        chance: f64,
        terms: &str,
        otherwise: &str,
    ) -> Result<(), LabError> {
        let claim = self.claim(quantity)?;
        let from = self.unit(quantity, unit)?;
        let (value, slack) = (from.to(claim.unit, ours).zip(from.to(claim.unit, chance)))
            .ok_or_else(|| LabError::Input(format!("{}, {quantity}: {unit} is no {}", self.item, claim.unit.name)))?;
        // An outcome is kept with its reason: another machine may differ where none was expected to.
        let otherwise = if otherwise.is_empty() { "another number here" } else { otherwise };
        let outcome = if claim.holds(value, slack) { Outcome::Agrees } else { Outcome::Differs(otherwise.to_owned()) };
        self.push(quantity, Ours::Number(ours), unit, terms, outcome);
        Ok(())
    }

    /// A number that depends on machine or form: reproduced if it is within so much of the claim, as a share of it, either way.
    pub(crate) fn near(
        &mut self,
        quantity: &str,
        (ours, unit): (f64, &str),
        share: f64,
        terms: &str,
        otherwise: &str,
    ) -> Result<(), LabError> {
        let claim = self.claim(quantity)?;
        let stated = self.stated(quantity)?;
        let chance = claim.unit.to(self.unit(quantity, unit)?, share * stated.abs()).unwrap_or(0.0);
        self.within(quantity, (ours, unit), chance, terms, otherwise)
    }

    /// A number of repeated turns: their median, least and greatest. It straddles if the claim holds for some of them only.
    pub(crate) fn repeated(
        &mut self,
        quantity: &str,
        (turns, unit): ([f64; 3], &str),
        share: f64,
        terms: &str,
        otherwise: &str,
    ) -> Result<(), LabError> {
        let mut outcomes = Vec::new();
        for turn in turns {
            self.near(quantity, (turn, unit), share, terms, otherwise)?;
            outcomes.extend(self.findings.pop().map(|finding| finding.outcome));
        }
        let [median, least, most] = turns;
        let outcome = match &outcomes[..] {
            [first, rest @ ..] if rest.iter().all(|other| other.name() == first.name()) => first.clone(),
            _ => Outcome::Straddles("the repetitions lie on both sides of the threshold".into()),
        };
        self.push(quantity, Ours::Number(median), unit, terms, outcome);
        if let Some(last) = self.findings.last_mut() {
            last.spread = Some([least, most]);
        }
        Ok(())
    }

    fn unit(&self, quantity: &str, unit: &str) -> Result<Unit, LabError> {
        Unit::of(unit).ok_or_else(|| LabError::Input(format!("{}, {quantity}: {unit} is no unit", self.item)))
    }

    /// A number beside a claim that it cannot be compared with, and why.
    pub(crate) fn beside(
        &mut self,
        quantity: &str,
        (ours, unit): (f64, &str),
        terms: &str,
        why: &str,
    ) -> Result<(), LabError> {
        self.claim(quantity)?;
        self.push(quantity, Ours::Number(ours), unit, terms, Outcome::Beside(why.to_owned()));
        Ok(())
    }

    /// Million samples a second, beside those of another machine.
    pub(crate) fn speed(&mut self, quantity: &str, ours: f64, terms: &str) -> Result<(), LabError> {
        self.beside(quantity, (ours, "million samples/s"), terms, MACHINE)
    }

    /// Seconds, beside those of another machine.
    pub(crate) fn time(&mut self, quantity: &str, ours: (f64, &str), terms: &str) -> Result<(), LabError> {
        self.beside(quantity, ours, terms, MACHINE)
    }

    /// A number of the paper's set-up, which this experiment has as well: nothing is judged.
    pub(crate) fn set_up(&mut self, quantity: &str, ours: (f64, &str), terms: &str) -> Result<(), LabError> {
        self.claim(quantity)?;
        self.more(quantity, ours, terms);
        Ok(())
    }

    /// A number that the paper prints, by a condition that it has to meet: it holds, or why not.
    pub(crate) fn meets(
        &mut self,
        quantity: &str,
        (ours, unit): (f64, &str),
        holds: bool,
        terms: &str,
        otherwise: &str,
    ) -> Result<(), LabError> {
        self.claim(quantity)?;
        let outcome = if holds { Outcome::Agrees } else { Outcome::Differs(otherwise.to_owned()) };
        self.push(quantity, Ours::Number(ours), unit, terms, outcome);
        Ok(())
    }

    /// A number that the paper does not claim.
    pub(crate) fn more(&mut self, quantity: &str, (ours, unit): (f64, &str), terms: &str) {
        self.push(quantity, Ours::Number(ours), unit, terms, Outcome::NoClaim);
    }

    /// A statement: it holds, or what does instead and why.
    pub(crate) fn statement(
        &mut self,
        quantity: &str,
        ours: &str,
        terms: &str,
        outcome: Outcome,
    ) -> Result<(), LabError> {
        let claim = self.claim(quantity)?;
        self.push(quantity, Ours::Text(ours.to_owned()), claim.unit.name, terms, outcome);
        Ok(())
    }

    /// A claim that this experiment leaves to another, or to nobody, and why.
    pub(crate) fn unmeasured(&mut self, quantity: &str, why: &str) -> Result<(), LabError> {
        let claim = self.claim(quantity)?;
        self.push(quantity, Ours::None, claim.unit.name, "", Outcome::Untested(why.to_owned()));
        Ok(())
    }

    /// A figure that the paper only draws: the chart stands beside it, and nothing is judged.
    pub(crate) fn drawn(&mut self, quantity: &str, chart: Chart, terms: &str) -> Result<(), LabError> {
        let claim = self.claim(quantity)?;
        if claim.value != Value::Unavailable {
            return Err(LabError::Input(format!("{}, {quantity}: not only drawn", self.item)));
        }
        self.push(quantity, Ours::None, claim.unit.name, terms, Outcome::NoClaim);
        self.charts.push(chart);
        Ok(())
    }

    /// A chart of numbers that were answered, each beside the paper's, with a name for each: bars of the paper's, of its construction's
    /// and of ours, in this unit.
    pub(crate) fn bars(
        &mut self,
        (name, title, caption): (&str, &str, &str),
        (what, unit, logarithmic): (&str, &str, bool),
        bars: &[(String, String)],
    ) -> Result<(), LabError> {
        let target = self.unit(title, unit)?;
        let printed = |quantity: &str| {
            let claim = self.claim(quantity).ok()?;
            claim.unit.to(target, claim.number()?)
        };
        let found = |quantity: &str, form| {
            let is_it =
                |finding: &&Finding| finding.item == self.item && finding.quantity == quantity && finding.form == form;
            let finding = self.findings.iter().find(is_it)?;
            match finding.ours {
                Ours::Number(ours) => Unit::of(&finding.unit)?.to(target, ours),
                _ => None,
            }
        };
        let series = |name: &str, of_paper, of: &dyn Fn(&str) -> Option<f64>| {
            let point = |((_, quantity), place): (&(String, String), u32)| Some((f64::from(place), of(quantity)?));
            let points: Vec<(f64, f64)> = bars.iter().zip(1..).filter_map(point).collect();
            (!points.is_empty()).then(|| Series { name: name.into(), of_paper, joined: false, points })
        };
        let all = [
            series("the paper", true, &printed),
            series("as the paper built it", false, &|quantity| found(quantity, Form::AsBuilt)),
            series("here", false, &|quantity| found(quantity, Form::Ours)),
        ];
        self.charts.push(Chart {
            name: name.into(),
            title: title.into(),
            caption: caption.into(),
            x: (what.into(), false),
            y: (unit.into(), logarithmic),
            places: bars.iter().map(|(label, _)| label.clone()).collect(),
            plots: vec![Plot { title: String::new(), series: all.into_iter().flatten().collect() }],
        });
        Ok(())
    }

    /// Who is faster: names of the claim with speeds.
    pub(crate) fn order(
        &mut self,
        quantity: &str,
        speeds: &[(&str, f64)],
        terms: &str,
        otherwise: &str,
    ) -> Result<(), LabError> {
        let claim = self.claim(quantity)?;
        let Value::Text(stated) = &claim.value else {
            return Err(LabError::Input(format!("{}, {quantity}: no order", self.item)));
        };
        let speed = |name: &str| {
            let found = speeds.iter().find(|(known, _)| *known == name).map(|(_, speed)| *speed);
            found.ok_or_else(|| LabError::Input(format!("{}, {quantity}: {name} was not measured", self.item)))
        };
        let theirs: Vec<f64> = stated.split(" > ").map(speed).collect::<Result<_, _>>()?;
        let keeps = (1..theirs.len()).all(|i| theirs[..i].iter().all(|faster| *faster >= LEVEL * theirs[i]));
        let mut ranked = speeds.to_vec();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        let ours = ranked.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" > ");
        let outcome = if keeps { Outcome::Agrees } else { Outcome::Differs(otherwise.to_owned()) };
        self.push(quantity, Ours::Text(ours), "order", terms, outcome);
        Ok(())
    }

    /// The claims of this item that nothing answers.
    pub(crate) fn unanswered(&self, item: &str) -> Vec<&'a Claim> {
        let answered =
            |claim: &Claim| self.findings.iter().any(|f| f.item == claim.item && f.quantity == claim.quantity);
        self.claims.iter().filter(|claim| claim.item == item && !answered(claim)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_judged() {
        let claims = Claim::all().unwrap();
        let mut answer = Answer::new("D21", &claims);
        let names = ["Algorithm 5 with Algorithm 9", "Algorithm 5 with BIN", "Algorithm 4", "Karney", "[DDLL13]"];
        let mut order = |speeds: [f64; 5]| {
            let speeds: Vec<(&str, f64)> = names.into_iter().zip(speeds).collect();
            answer.order("who is faster at 215", &speeds, "a race", "reason").unwrap();
            answer.findings.last().unwrap().outcome.clone()
        };
        assert_eq!(order([5.0, 4.0, 3.0, 2.0, 1.0]), Outcome::Agrees);
        assert_eq!(order([5.0, 4.0, 3.0, 3.1, 1.0]), Outcome::Agrees, "level");
        assert_eq!(order([5.0, 4.0, 3.0, 3.5, 1.0]), Outcome::Differs("reason".into()));
        assert_eq!(order([5.0, 4.0, 3.0, 2.0, 9.0]), Outcome::Differs("reason".into()));
        assert!(answer.order("who is faster at 215", &[("Karney", 1.0)], "", "").is_err());

        let mut answer = Answer::new("D15", &claims);
        answer.exact("tables in all, least", (128.0, "bits"), "", "").unwrap();
        answer.exact("tables in all, most", (321.0, "bits"), "", "one more").unwrap();
        assert!(answer.exact("tables in all, most", (40.0, "bytes"), "", "").is_err(), "another unit");
        assert!(answer.exact("nothing", (1.0, "bits"), "", "").is_err(), "no claim");
        answer.exact("tables in all, most", (322.0, "bits"), "", "").unwrap();
        let outcomes: Vec<String> = answer.findings.iter().map(|f| f.outcome.to_string()).collect();
        assert_eq!(outcomes, ["agrees", "differs: one more", "differs: another number here"]);
        assert!(outcomes.iter().all(|outcome| outcome.parse::<Outcome>().is_ok()), "what is kept can be read");
        assert_eq!(answer.unanswered("D15").len(), 4);
    }
}
