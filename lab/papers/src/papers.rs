//! The papers, and how a reader is shown what stands of them.

use crate::data::Claim;
use crate::finding::{Finding, Ours, Rounded};
use crate::kept::Record;

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

/// What is claimed, with its note, and where.
pub(crate) fn stated(claim: Option<&Claim>) -> (String, String) {
    claim.map_or((String::new(), String::new()), |claim| {
        let note = if claim.note.is_empty() { String::new() } else { format!(" ({})", claim.note) };
        (claim.shown() + &note, claim.place.clone())
    })
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
