//! FrodoKEM's tables.

use samplez::{DiscreteGaussian, Rational, Refused, Width};
use samplez_tables::{Language, PlainTable, TableForm, TargetLaw, Whole, audit_against, emit};

/// The form of FrodoKEM's cumulative tables: T[k] = 2^15 P(|X| <= k) - 1.
pub(super) const FORM: &str = "folded,head,nearest,inclusive,15";

/// 100 σ, and the entries as FrodoKEM's specification lists them.
const TABLES: [(i64, &[u16]); 3] = [
    (280, &[4643, 13363, 20579, 25843, 29227, 31145, 32103, 32525, 32689, 32745, 32762, 32766, 32767]),
    (230, &[5638, 15915, 23689, 28571, 31116, 32217, 32613, 32731, 32760, 32766, 32767]),
    (140, &[9142, 23462, 30338, 32361, 32725, 32765, 32767]),
];

/// The published cumulative table of this width, and the certificate's lines on FrodoKEM's own distribution.
pub(super) fn table(law: &DiscreteGaussian) -> Result<(PlainTable, Vec<String>), Refused> {
    published(law, FORM, |heads| heads.iter().map(|head| u128::from(*head)).collect())
}

/// The text of the published probabilities, in units of 2^-16, which are what the form `frodo` has.
pub(super) fn digits(law: &DiscreteGaussian, language: Language, name: &str) -> Result<String, Refused> {
    let (table, facts) = published(law, "frodo", |heads| {
        let first = heads.first().map(|head| 2 * (u128::from(*head) + 1));
        first.into_iter().chain(heads.windows(2).map(|pair| u128::from(pair[1] - pair[0]))).collect()
    })?;
    let text = emit(&table, language, name).replacen(&format!(" --form {} ", table.form()), " --form frodo ", 1);
    // The facts come after the law, each behind the signs of a comment.
    let (before, _) = text.split_once("form: ").unwrap_or_default();
    let signs = before.rsplit('\n').next().unwrap_or_default();
    let more: String = facts.iter().map(|fact| format!("{fact}\n{signs}")).collect();
    Ok(text.replacen("form: ", &format!("{more}form: "), 1))
}

/// The published table of this width in this form, with entries of the cumulative ones.
fn published(
    law: &DiscreteGaussian,
    form: &str,
    entries: impl Fn(&[u16]) -> Vec<u128>,
) -> Result<(PlainTable, Vec<String>), Refused> {
    let refused = || {
        let why = format!(
            "FrodoKEM has tables for --sigma 2.8, 2.3 and 1.4 with --center 0, not for {law}; expected one of these, or --form {FORM}"
        );
        Refused::new("form", "frodo", why)
    };
    let of_width = |(hundredths, _): &&(i64, &[u16])| {
        Rational::new(*hundredths, 100).is_some_and(|sigma| law.width() == Width::Sigma(sigma))
    };
    let (_, heads) = TABLES.iter().find(of_width).filter(|_| law.center().num() == 0).ok_or_else(refused)?;
    let form: TableForm = form.parse().map_err(|_| refused())?;
    let entries = entries(heads).into_iter().map(Whole::from).collect();
    let table = PlainTable::new(law, &form, entries).map_err(|_| refused())?;
    let normal = TargetLaw::rounded(law).and_then(|normal| audit_against(&table, &normal)).map_err(|_| refused())?;
    let log2 = |log2: f64| (log2 * 100.0).ceil() / 100.0;
    let facts = vec![
        "published: FrodoKEM's specification lists these digits, which are not rounded from the law above".into(),
        format!(
            "statistical distance from the rounded normal, FrodoKEM's own law: <= 2^{:.2}",
            log2(normal.bound.log2_sd)
        ),
        format!("Renyi R_inf - 1 from the rounded normal: <= 2^{:.2}", log2(normal.bound.log2_rinf)),
    ];
    Ok((table, facts))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// kat/published-tables.csv has 2^16 P(X = k) for k >= 0, from the same specification.
    #[test]
    fn the_entries_are_the_published_probabilities_summed() {
        let published = include_str!("../../../../kat/published-tables.csv");
        let mut seen = 0;
        for row in published.lines().filter(|row| row.starts_with("FrodoKEM")) {
            let [_, _, sigma, _, masses] = row.split(';').collect::<Vec<_>>()[..] else { panic!("{row}") };
            let law = DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
            let mut sum = 0;
            let masses = masses.split(' ').map(|mass| mass.parse::<u128>().unwrap());
            // In units of 2^-15, both signs together.
            let heads: Vec<Whole> = (masses.enumerate())
                .map(|(k, mass)| {
                    sum += if k == 0 { mass / 2 } else { mass };
                    Whole::from(sum - 1)
                })
                .collect();
            assert_eq!(table(&law).unwrap().0.entries(), heads, "{sigma}");
            seen += 1;
        }
        assert_eq!(seen, TABLES.len());
    }
}
