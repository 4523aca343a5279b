//! Who is faster, in the papers and here.

use crate::speeds::Entry;
use samplez_cli::testing::text::columns;

/// The fastest first, as a paper has it; the paper's names are those of our methods.
struct Ordering {
    paper: &'static str,
    sigma: &'static str,
    precision: u32,
    methods: &'static [&'static str],
}

/// From the figures of kat/papers: \[BCGHW13\], §4.2, at 1.6e5 Knuth–Yao is 4.26 % faster than the Ziggurat; \[JSDGS17\], Table 3, with
/// its compressed walk, m = 63 and t = 13; \[DW18\], §2.2, §2.3 and §5.3.
const ORDERINGS: [Ordering; 6] = [
    Ordering {
        paper: "[BCGHW13]",
        sigma: "32",
        precision: 106,
        methods: &["knuth-yao", "cdt", "ziggurat, 6656 bytes", "rejection-table", "rejection"],
    },
    Ordering {
        paper: "[BCGHW13]",
        sigma: "1.6e5",
        precision: 106,
        methods: &["knuth-yao", "ziggurat", "cdt", "rejection-table"],
    },
    Ordering { paper: "[JSDGS17]", sigma: "3.3311", precision: 128, methods: &TABLE_3 },
    Ordering { paper: "[JSDGS17]", sigma: "55.5649", precision: 128, methods: &TABLE_3 },
    Ordering { paper: "[JSDGS17]", sigma: "107", precision: 128, methods: &TABLE_3 },
    Ordering {
        paper: "[DW18]",
        sigma: "215",
        precision: 128,
        methods: &["du-wei-5-ky", "du-wei-5", "du-wei-4", "karney", "bernoulli"],
    },
];

const TABLE_3: [&str; 4] = ["knuth-yao-compact", "ziggurat, 63 rectangles", "cdt", "rejection-table"];

/// The papers' orders beside those of these entries, and the three fastest of all methods at each width.
///
/// ```
/// assert!(samplez_lab::orderings(&[], &[]).starts_with("paper  sigma"));
/// ```
pub fn orderings(sigmas: &[String], entries: &[Entry]) -> String {
    let header = ["paper", "sigma", "the paper's order, fastest first", "the order here"];
    let mut rows = vec![header.map(String::from).to_vec()];
    let mut row = |paper: &str, sigma: &str, theirs: String, here: Vec<&str>| {
        if !here.is_empty() {
            rows.push(vec![paper.into(), sigma.into(), theirs, here.join(" > ")]);
        }
    };
    for Ordering { paper, sigma, precision, methods } in ORDERINGS {
        let here = ranked(entries, sigma, precision, |name| methods.contains(&name));
        row(paper, sigma, methods.join(" > "), here);
    }
    for sigma in sigmas {
        let fastest = ranked(entries, sigma, 106, |_| true);
        row("all methods", sigma, "-".into(), fastest[..fastest.len().min(3)].to_vec());
    }
    columns(&rows, &[])
}

/// The names of those wanted that were measured, the fastest first.
fn ranked(entries: &[Entry], sigma: &str, precision: u32, wanted: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut found: Vec<(f64, &'static str)> = entries
        .iter()
        .filter(|entry| entry.sigma == sigma && entry.precision == precision && wanted(entry.name))
        .filter_map(|entry| entry.outcome.as_ref().ok().map(|measured| (measured.speed, entry.name)))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speeds::Measured;

    #[test]
    fn the_fastest_comes_first() {
        let entry = |name, precision, speed: Option<f64>| Entry {
            sigma: "215".to_string(),
            precision,
            name,
            outcome: speed.map(|speed| Measured { law: String::new(), bytes: 0, speed }).ok_or_else(String::new),
        };
        let entries =
            [entry("a", 128, Some(1.0)), entry("b", 128, Some(2.0)), entry("c", 128, None), entry("b", 64, Some(9.0))];
        assert_eq!(ranked(&entries, "215", 128, |_| true), ["b", "a"]);
        assert_eq!(ranked(&entries, "215", 64, |_| true), ["b"]);
        assert!(ranked(&entries, "10", 128, |_| true).is_empty());
    }
}
