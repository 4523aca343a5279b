//! Samplers of other libraries that drew a law with these parameters, from the census.

use super::report::{Candidate, Estimate};
use crate::report::Verdict;

/// The law, its parameters, the greatest distance from 0 if it is cut, and the sampler. Written by lab/census/page.py.
const ROWS: &str = include_str!("known.tsv");

/// Package, version and call of each sampler whose law this may be, if all values are in this range.
pub(super) fn samplers(law: &Candidate, (low, high): (i64, i64)) -> Vec<&'static str> {
    if law.verdict != Verdict::Pass || law.shift != 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    for row in ROWS.lines() {
        let [name, parameters, within, sampler] = *row.split('\t').collect::<Vec<_>>() else { continue };
        let within: i64 = within.parse().unwrap_or(i64::MAX);
        let is_cut_so = match law.range {
            Some(range) => range == (-within, within),
            None => -within <= low && high <= within,
        };
        let are_near = || law.parameters.iter().zip(parameters.split(' ')).all(|(of, text)| may_be(of, text));
        if name == law.name && is_cut_so && are_near() && !found.contains(&sampler) {
            found.push(sampler);
        }
    }
    found
}

/// Whether the parameter may have this value.
fn may_be(of: &Estimate, text: &str) -> bool {
    let value = text.parse().unwrap_or(f64::NAN);
    of.interval.map_or(of.value == value, |(low, high)| low <= value && value <= high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_law_with_its_parameters() {
        let names = [
            ("discrete Gaussian", 2),
            ("rounded normal", 2),
            ("discrete Laplace", 1),
            ("Skellam", 1),
            ("centred binomial", 1),
            ("TUniform", 1),
        ];
        for row in ROWS.lines() {
            let [name, parameters, within, sampler] = *row.split('\t').collect::<Vec<_>>() else { panic!("{row}") };
            let numbers: Vec<f64> = parameters.split(' ').map(|text| text.parse().unwrap()).collect();
            assert!(names.contains(&(name, numbers.len())), "{row}");
            assert!(within.is_empty() || within.parse::<i64>().is_ok_and(|bound| bound > 0), "{row}");
            assert!(sampler.contains(": "), "{row}");
        }
        assert!(ROWS.lines().count() > 90);
    }
}
