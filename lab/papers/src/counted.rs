//! The counts of `samplez-lab papers`: random bits and trials beside the papers' figures.

use crate::data::{Claim, Value};
use samplez_check::papers::{Row, bit_counts, knuth_yao_bytes, trial_counts};
use samplez_cli::testing::text::{columns, grouped};

/// One count beside its claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What is counted.
    pub name: String,
    /// The expectation, where there is a sum.
    pub exact: Option<f64>,
    /// The mean, where it is counted.
    pub measured: Option<f64>,
    /// The paper's figure as printed, where it has one.
    pub paper: Option<String>,
    /// What the three say of each other.
    pub verdict: &'static str,
}

/// Lines that answer a claim: the count, the item, the quantity.
const CLAIMED: [(&str, &str, &str); 10] = [
    ("BIN, stopping at the first 1", "D4", "bits of BIN"),
    ("Knuth-Yao, Algorithm 8", "D14", "bits of Algorithm 8"),
    ("Coin e^-1/2, 2 bits a uniform", "D13", "bits of the coin e^-1/2, 2 bits a uniform"),
    ("Coin e^-1/2, 3 bits a uniform", "D9", "bits of the coin e^-1/2, 3 bits a uniform"),
    (AS_PRINTED, "D13", "bits of a proposal of k, 2 bits a uniform"),
    ("k of Algorithm 4, lazy bits, per proposal", "D13", "bits of a proposal of k, lazy bits"),
    ("Algorithm 1, step 7, as printed, per trial", "D12", "bits of step 7 of Algorithm 1, measured"),
    ("Algorithm 1, step 7, C first if k = 0, per trial", "D12", "bits of step 7 of Algorithm 1, measured"),
    ("Algorithm 4, steps 5 to 7, per trial", "D12", "bits of steps 5 to 7 of Algorithm 4, measured"),
    ("Algorithm 5 (du-wei-5-ky), k = 254", "D3", "trials of the binary method"),
];
const AS_PRINTED: &str = "k of Algorithm 4, 2 bits, the paper's sum";
/// A mean this many standard errors away is not by chance: a probability of 6e-7.
const ERRORS: f64 = 5.0;

impl Line {
    /// The random bits of \[DW18\], each mean of so many repetitions under a fixed seed.
    ///
    /// # Errors
    ///
    /// If the claims cannot be read.
    ///
    /// ```
    /// let lines = samplez_lab::Line::bits(2000)?;
    /// let sum = lines.iter().find(|line| line.name.ends_with("the paper's sum")).unwrap();
    /// assert_eq!((sum.paper.as_deref(), sum.verdict), (Some("7.676"), "the paper's figure is reproduced"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn bits(repetitions: u32) -> Result<Vec<Line>, String> {
        let claims = Claim::all()?;
        let mut lines: Vec<Line> = bit_counts(repetitions).iter().map(|row| Line::of(row, &claims)).collect();
        let after =
            lines.iter().position(|line| line.name.starts_with("k of Algorithm 4, 2 bits a uniform")).unwrap_or(0);
        lines.insert(after, Line::judged(AS_PRINTED, Some(proposal_as_printed()), None, 0.0, &claims));
        Ok(lines)
    }

    /// The trials of a sample, likewise.
    ///
    /// # Errors
    ///
    /// If the claims cannot be read.
    ///
    /// ```
    /// let lines = samplez_lab::Line::trials(2000)?;
    /// assert!(lines.iter().any(|line| line.paper.as_deref() == Some("1.47")));
    /// # Ok::<(), String>(())
    /// ```
    pub fn trials(repetitions: u32) -> Result<Vec<Line>, String> {
        let claims = Claim::all()?;
        Ok(trial_counts(repetitions).iter().map(|row| Line::of(row, &claims)).collect())
    }

    fn of(row: &Row, claims: &[Claim]) -> Line {
        Line::judged(&row.name, row.exact, Some(row.measured), row.error, claims)
    }

    fn judged(name: &str, exact: Option<f64>, measured: Option<f64>, error: f64, claims: &[Claim]) -> Line {
        let claimed = CLAIMED.iter().find(|(known, ..)| *known == name);
        let claim =
            claimed.and_then(|(_, item, quantity)| claims.iter().find(|c| c.item == *item && c.quantity == *quantity));
        let differ = exact.zip(measured).is_some_and(|(exact, measured)| (measured - exact).abs() > ERRORS * error);
        // What is summed has no part in chance.
        let holds = |claim: &Claim| match (exact, measured) {
            (Some(exact), _) => claim.holds(exact, 0.0),
            (None, Some(measured)) => claim.holds(measured, ERRORS * error),
            (None, None) => false,
        };
        let verdict = match claim {
            _ if differ => "measured and exact differ",
            Some(claim) if holds(claim) => "the paper's figure is reproduced",
            Some(_) => "the paper's figure is not reproduced",
            None if exact.is_some() => "measured agrees with exact",
            None => "measured only",
        };
        let paper = claim.and_then(|claim| match &claim.value {
            Value::Number(text) => Some(text.clone()),
            _ => None,
        });
        Line { name: name.into(), exact, measured, paper, verdict }
    }
}

/// All counts as `samplez-lab papers` prints them, each mean of so many repetitions under a fixed seed.
///
/// # Errors
///
/// If the claims cannot be read.
///
/// ```
/// assert!(samplez_lab::counts(2000)?.contains("128 bits, sigma = 107"));
/// # Ok::<(), String>(())
/// ```
pub fn counts(repetitions: u32) -> Result<String, String> {
    let mut sizes = vec![["bytes of Knuth-Yao matrices", "here", "paper"].map(String::from).to_vec()];
    for size in knuth_yao_bytes() {
        sizes.push(vec![size.name, grouped(size.bytes as i128), size.paper.into()]);
    }
    Ok(format!(
        "{}\n{}\n{}",
        table("random bits of [DW18]", &Line::bits(repetitions)?),
        table("trials of a sample", &Line::trials(repetitions)?),
        columns(&sizes, &[1])
    ))
}

fn table(title: &str, counts: &[Line]) -> String {
    let mut rows = vec![[title, "exact", "measured", "paper", "verdict"].map(String::from).to_vec()];
    rows.extend(counts.iter().map(|line| {
        let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.4}"));
        let paper = line.paper.clone().unwrap_or_else(|| "-".into());
        vec![line.name.clone(), number(line.exact), number(line.measured), paper, line.verdict.into()]
    }));
    columns(&rows, &[1, 2, 3])
}

/// The bits of a proposal of k as \[DW18\] adds them up: weights e^(-k/2), and for every k from 3 on the limit
/// (√e - 2e)/(1 - √e) of what accepting takes.
pub(crate) fn proposal_as_printed() -> f64 {
    let (root, q) = (0.5_f64.exp(), (-0.5_f64).exp());
    let coin = 2.0 * root - 1.0;
    let accept = |k: i32| match k {
        0 | 1 => 0.0,
        2 => (1.0 + q) * coin,
        _ => (root - 2.0 * root * root) / (1.0 - root),
    };
    (0..100).map(|k| (1.0 - q) * q.powi(k) * (f64::from(k + 1) * coin + accept(k))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_judged() {
        let claims = Claim::all().unwrap();
        let verdict = |name: &str, exact, measured, error| Line::judged(name, exact, measured, error, &claims).verdict;
        let coin = "Coin e^-1/2, 2 bits a uniform";
        assert_eq!(verdict(coin, Some(2.2974), Some(2.30), 0.001), "the paper's figure is reproduced");
        assert_eq!(verdict(coin, Some(2.2974), Some(2.31), 0.001), "measured and exact differ");
        assert_eq!(verdict(coin, Some(2.2980), Some(2.298), 0.001), "the paper's figure is not reproduced");
        assert_eq!(verdict("another", Some(1.0), Some(1.0), 0.1), "measured agrees with exact");
        assert_eq!(verdict("another", None, Some(1.0), 0.1), "measured only");
        for (name, item, quantity) in CLAIMED {
            assert!(claims.iter().any(|c| c.item == item && c.quantity == quantity), "{name}: {item}, {quantity}");
        }
    }
}
