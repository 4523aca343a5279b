//! docs/papers-reproduced.md: headlines, and a table of claims for each paper. docs/report/findings.csv has every finding.

use super::markdown::table;
use super::prose::Prose;
use super::run::Run;
use crate::answer::MACHINE;
use crate::data::{Claim, csv};
use crate::error::LabError;
use crate::finding::{Finding, Form, Outcome};
use crate::papers::{PAPERS, value};
use crate::plot::Chart;
use crate::verdict::{Judged, Verdict};
use std::collections::BTreeSet;

/// The most words of a claim that are quoted.
const WORDS: usize = 10;
pub(super) const HEADLINES: &str = "docs/report/headlines.csv";

pub(super) fn text(run: &Run, prose: &Prose, headlines: &str) -> Result<String, LabError> {
    let judged = run.judged();
    let mut text = String::from(
        "# The papers, claim by claim\n\n<!-- Written by cargo tools gen-report from docs/report and kat/papers. -->\n\n",
    );
    text += &prose.of("top");
    text += &format!("{}\n\n", provenance(run));
    let charts = run.charts();
    let papers = || PAPERS.into_iter().filter(|(letter, ..)| *letter != 'E');
    text += &format!("## Reproduced\n\n{}\n", sentences(headlines, &judged)?);
    text += &format!("## Errors in print\n\n{}\n", list(&judged, Verdict::Misprint));
    text += &format!("## What does not hold as built\n\n{}\n", list(&judged, Verdict::NotAsBuilt));
    text += &format!("## Verdicts\n\n{}{}", prose.of("verdicts"), sums(&judged));
    for (letter, title, machine) in papers() {
        let key = title.split(':').next().unwrap_or(title);
        text += &format!("\n## Claims of {key}\n\n*{machine}*\n\n{}", prose.of(&letter.to_string()));
        text += &rows(judged.iter().filter(|judged| judged.claim.item.starts_with(letter)));
        text += &pictures(run, charts.iter().filter(|(item, ..)| item.starts_with(letter)));
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// A line for each claim of this verdict, those of an item with one reason together: what is printed, what the paper's construction
/// gives if it was built, and why.
fn list(judged: &[Judged<'_>], verdict: Verdict) -> String {
    let all: Vec<_> = judged.iter().filter(|judged| judged.verdict == verdict).collect();
    let lines = all.chunk_by(|a, b| a.claim.item == b.claim.item && a.why == b.why).map(|all| {
        let built = all.iter().map(|judged| value(judged, Form::AsBuilt)).filter(|built| built != "–");
        let built: Vec<String> = built.map(|built| format!(", {built} as built")).collect();
        let printed = all.iter().map(|judged| judged.claim.shown()).collect::<Vec<_>>().join("; ");
        let shown = if printed.split(' ').count() > WORDS { String::new() } else { format!(", «{printed}»") };
        let (item, places) = (&all[0].claim.item, places(all.iter().map(|judged| judged.claim)));
        format!("- **{item}** ({places}) {}{shown}{}: {}.\n", names(all), built.join(""), all[0].why)
    });
    lines.collect()
}

/// The quantities of claims; what all names begin with is told once.
fn names(all: &[&Judged<'_>]) -> String {
    let words = |judged: &Judged<'_>| judged.claim.quantity.split(' ').map(String::from).collect::<Vec<_>>();
    let shared = |judged: &Judged<'_>| words(judged).iter().zip(words(all[0])).take_while(|(a, b)| **a == *b).count();
    let common = all.iter().map(|judged| shared(judged).min(words(judged).len() - 1)).min().unwrap_or(0);
    let rest = all.iter().skip(1).map(|judged| format!("; {}", words(judged)[common..].join(" ")));
    all[0].claim.quantity.clone() + &rest.collect::<String>()
}

/// Where the papers have claims.
fn places<'a>(claims: impl Iterator<Item = &'a Claim>) -> String {
    let mut all: Vec<&str> = Vec::new();
    for claim in claims.filter(|claim| !claim.place.is_empty()) {
        if !all.contains(&claim.place.as_str()) {
            all.push(&claim.place);
        }
    }
    all.join("; ")
}

/// The pictures, each of an older measurement with its date.
fn pictures<'a>(run: &Run, charts: impl Iterator<Item = &'a (&'a str, String, Chart)>) -> String {
    let newest = newest(run);
    let line = |(item, name, chart): &(&str, String, Chart)| {
        let older = run.kept.of(item).find(|record| record.date.as_str() < newest.date);
        let mark = older.map_or(String::new(), |record| {
            format!("*{item} is older than the code: measured on {}, commit {}.*\n", record.date, record.place.commit)
        });
        format!("\n![{item}: {}](images/report/{name})\n{mark}", chart.title)
    };
    charts.map(line).collect()
}

/// The commit of the latest run, and its date.
struct Newest<'a> {
    commit: &'a str,
    date: &'a str,
}

/// The commit at which most items of the latest date were measured.
fn newest(run: &Run) -> Newest<'_> {
    let date = run.records().map(|record| record.date.as_str()).max().unwrap_or_default();
    let mut commits: Vec<(&str, usize)> = Vec::new();
    for record in run.records().filter(|record| record.date == date) {
        let commit = record.place.commit.as_str();
        match commits.iter_mut().find(|(known, _)| *known == commit) {
            Some((_, count)) => *count += 1,
            None => commits.push((commit, 1)),
        }
    }
    let commit = commits.iter().max_by_key(|(_, count)| *count).map_or("", |(commit, _)| *commit);
    Newest { commit, date }
}

/// On which machine, at which commit and by which command the run was made, and which items are older.
fn provenance(run: &Run) -> String {
    let Newest { commit, date } = newest(run);
    let places: BTreeSet<&str> = run.records().map(|record| record.place.machine.as_str()).collect();
    let busy = run.records().filter(|record| record.is_busy()).count();
    let mut older: Vec<(&str, Vec<&str>)> = Vec::new();
    for record in run.records().filter(|record| record.date.as_str() < date) {
        let at = older.iter().position(|(known, _)| *known == record.date).unwrap_or_else(|| {
            older.push((&record.date, Vec::new()));
            older.len() - 1
        });
        if !older[at].1.contains(&record.item.as_str()) {
            older[at].1.push(&record.item);
        }
    }
    let older: String =
        older.iter().map(|(date, items)| format!(" Of {date}, older than the code: {}.", items.join(", "))).collect();
    format!(
        "Measured on {}, {date}, commit {commit}, by `make report`.{older} The machine was busy during {busy} of {} items: there only ratios \
         within one race count.",
        places.into_iter().collect::<Vec<_>>().join("; "),
        run.records().count()
    )
}

/// How many claims have which verdict.
fn sums(judged: &[Judged<'_>]) -> String {
    let row = |(letter, title, _): (char, &str, &str)| {
        let of =
            |verdict| move |judged: &&Judged<'_>| judged.verdict == verdict && judged.claim.item.starts_with(letter);
        let counts = Verdict::ALL.map(|verdict| judged.iter().filter(of(verdict)).count().to_string());
        [title.to_owned()].into_iter().chain(counts).collect()
    };
    let mut rows: Vec<Vec<String>> = PAPERS.into_iter().filter(|(letter, ..)| *letter != 'E').map(row).collect();
    let is_of = |one: &&Judged<'_>, verdict: Verdict| one.verdict == verdict && !one.claim.item.starts_with('E');
    let all = Verdict::ALL.map(|verdict| judged.iter().filter(|one| is_of(one, verdict)).count().to_string());
    rows.push(["all".to_owned()].into_iter().chain(all).collect());
    let head: Vec<&str> = [""].into_iter().chain(Verdict::ALL.map(Verdict::name)).collect();
    table(&head, &rows, true)
}

/// A line for each headline: its item, and the sentence with its numbers put in. Each is a claim that holds, for the paper's construction
/// at least, or that the paper's own figures confirm.
fn sentences(headlines: &str, judged: &[Judged<'_>]) -> Result<String, LabError> {
    let refused = |why: String| LabError::Input(format!("{HEADLINES}: {why}"));
    let mut lines = String::new();
    for row in csv::rows(headlines, "item,quantity,sentence").map_err(refused)? {
        let [item, quantity, sentence] = &row[..] else { continue };
        let found = judged.iter().find(|judged| judged.claim.item == *item && judged.claim.quantity == *quantity);
        let judged = found.ok_or_else(|| refused(format!("{item}, {quantity}: no claim that is judged")))?;
        let confirms = |finding: &Finding| finding.form == Form::Printed && finding.outcome == Outcome::Agrees;
        let holds = matches!(judged.verdict, Verdict::Right | Verdict::AsThenBuilt)
            || judged.findings.iter().any(|finding| confirms(finding));
        if !holds {
            return Err(refused(format!("{item}, {quantity}: {}", judged.verdict.name())));
        }
        let sentence = sentence
            .replace("{printed}", &judged.claim.shown())
            .replace("{built}", &value(judged, Form::AsBuilt))
            .replace("{here}", &value(judged, Form::Ours));
        lines += &format!("- **{item}** ({}) {sentence}\n", judged.claim.place);
    }
    Ok(lines)
}

/// The other claims of a paper: a table of those that hold elsewhere or that repetitions do not settle, claims of an item with one reason in
/// a row; and lists of those that are right and of those that nothing here can be compared with. Absolute speeds of another machine are counted.
fn rows<'a>(judged: impl Iterator<Item = &'a Judged<'a>>) -> String {
    let (speeds, mut judged): (Vec<_>, Vec<_>) = judged.partition(|judged| judged.why == MACHINE);
    let order: Vec<_> = judged.iter().map(|judged| judged.claim.item.clone()).collect();
    let place = |item: &String| order.iter().position(|known| known == item);
    judged.sort_by_cached_key(|judged| (place(&judged.claim.item), judged.verdict.name(), judged.why.clone()));
    let of = |verdict| judged.iter().copied().filter(|judged| judged.verdict == verdict).collect::<Vec<_>>();
    let listed = [Verdict::Right, Verdict::Misprint, Verdict::NotAsBuilt, Verdict::NotComparable];
    let table_of: Vec<_> = judged.iter().copied().filter(|judged| !listed.contains(&judged.verdict)).collect();
    let is_one =
        |a: &&Judged<'a>, b: &&Judged<'a>| a.claim.item == b.claim.item && a.verdict == b.verdict && a.why == b.why;
    let rows = table_of.chunk_by(is_one).map(|all| {
        let column = |cell: &dyn Fn(&Judged<'_>) -> String| {
            let cells: Vec<String> = all.iter().map(|judged| cell(judged)).collect();
            if cells.iter().all(|cell| *cell == cells[0]) { cells[0].clone() } else { cells.join("; ") }
        };
        vec![
            format!("{} ({}) {}", all[0].claim.item, places(all.iter().map(|judged| judged.claim)), names(all)),
            column(&|judged| judged.claim.shown()),
            column(&|judged| value(judged, Form::AsBuilt)),
            column(&|judged| value(judged, Form::Ours)),
            [all[0].verdict.name(), &all[0].why].join(": "),
        ]
    });
    let mut text =
        table(&["claim", "printed", "as the paper built it", "here", "verdict"], &rows.collect::<Vec<_>>(), false)
            + "\n";
    let right = of(Verdict::Right);
    let place_of = |all: &[&Judged<'a>]| places(all.iter().map(|judged| judged.claim));
    let items = right
        .chunk_by(|a, b| a.claim.item == b.claim.item)
        .map(|all| format!("{} ({}) {}", all[0].claim.item, place_of(all), names(all)));
    text += &format!("**Right**: {}.\n", items.collect::<Vec<_>>().join("; "));
    let beside = of(Verdict::NotComparable);
    let reasons = beside.chunk_by(|a, b| a.claim.item == b.claim.item && a.why == b.why);
    let reasons = reasons
        .map(|all| format!("{} {} ({}): {}", all[0].claim.item, names(all), place_of(all), all[0].why))
        .collect::<Vec<_>>();
    if !reasons.is_empty() {
        text += &format!("\n**Not comparable**: {}.\n", reasons.join("; "));
    }
    if !speeds.is_empty() {
        text += &format!("\n{} absolute speeds and times belong to other hardware.\n", speeds.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Class, Kind};
    use std::path::Path;

    /// Every difference of the kept run has a class with its reason, and no class outlives its difference.
    #[test]
    fn every_difference_has_its_reason() {
        let run = Run::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
        let (classes, mut wrong) = (Class::all().unwrap(), Vec::new());
        for judged in run.judged() {
            let class = classes.iter().find(|class| class.is_of(judged.claim));
            let name = format!("{}, {}", judged.claim.item, judged.claim.quantity);
            let differs = judged.findings.iter().any(|finding| matches!(finding.outcome, Outcome::Differs(_)));
            match class.map(|class| class.kind) {
                None if differs && judged.verdict != Verdict::AsThenBuilt => wrong.push(format!("{name}: no class")),
                Some(Kind::Misprint | Kind::Hardware | Kind::Then) if !differs => {
                    wrong.push(format!("{name}: it agrees"))
                }
                _ => {}
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_headline_has_its_claim() {
        assert!(sentences("item,quantity,sentence\nB1,nothing,x\n", &[]).is_err());
    }

    /// The document has what is reproduced first, then the errors, each with its arithmetic, then what does not hold as built; a chart
    /// with points of each paper; and at most 4,500 words.
    #[test]
    fn the_document_is_short() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let run = Run::read(&root).unwrap();
        let of = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
        let made = text(&run, &Prose::parse(&of("docs/report/prose.md")).unwrap(), &of(HEADLINES)).unwrap();
        assert!(made.split_whitespace().count() <= 4500, "{}", made.split_whitespace().count());
        let headings: Vec<&str> = made.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let first = ["Reproduced", "Errors in print", "What does not hold as built", "Verdicts"];
        assert_eq!(headings[..4], first);
        // On which machine, at which commit and by which command it was measured, before the first heading.
        let (top, _) = made.split_once("\n## ").unwrap();
        let Newest { commit, date } = newest(&run);
        for part in [commit, date, "make report", run.records().next().unwrap().place.machine.as_str()] {
            assert!(!part.is_empty() && top.contains(part), "{part}: {top}");
        }
        // What reproduces digit for digit comes first, and each claim has its place in the paper.
        let (_, rest) = made.split_once("## Reproduced\n\n").unwrap();
        let first: Vec<&str> = rest.lines().take(6).collect();
        for (line, digits) in first.iter().zip(["3.482", "9.475", "n = 106", "271.08", "8.80", "2^23 - 1"]) {
            assert!(line.contains(digits), "{digits}: {line}");
        }
        let (_, rest) = made.split_once("## Errors in print\n").unwrap();
        let (errors, _) = rest.split_once("\n## ").unwrap();
        let has_reason = |line: &str| line.split_once(": ").is_some_and(|(_, why)| why.len() > 2);
        assert!(errors.lines().filter(|line| !line.is_empty()).all(has_reason), "{errors}");
        let has_place = |line: &str| line.contains("** (");
        assert!(errors.lines().chain(first.iter().copied()).filter(|line| !line.is_empty()).all(has_place), "{errors}");
        // Claims keep their conditions, in at most ten words.
        assert!(errors.contains("«for large standard deviations, outperforms all existing methods»"), "{errors}");
        let quoted = |line: &str| Some(line.split_once('«')?.1.split_once('»')?.0.split(' ').count());
        assert!(errors.lines().filter_map(quoted).all(|words| words <= WORDS), "{errors}");
        // A chart that is older than the latest run is marked.
        for (item, name, _) in run.charts() {
            let (_, after) = made.split_once(name.as_str()).unwrap();
            let is_old = run.kept.of(item).any(|record| record.date.as_str() < date);
            assert_eq!(after.starts_with(&format!(")\n*{item} is older")), is_old, "{item}");
        }
        for letter in ["B", "D", "J", "S"] {
            let charts = run.charts();
            let mut series = charts.iter().filter(|(item, ..)| item.starts_with(letter));
            let has_points = |chart: &Chart| {
                chart
                    .plots
                    .iter()
                    .flat_map(|plot| &plot.series)
                    .any(|series| series.of_paper && !series.points.is_empty())
            };
            assert!(series.any(|(_, name, chart)| has_points(chart) && made.contains(name.as_str())), "{letter}");
        }
    }

    /// A headline is a claim that holds: another is refused.
    #[test]
    fn only_what_holds_is_a_headline() {
        let run = Run::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
        let of = |item: &str, quantity: &str| {
            sentences(&format!("item,quantity,sentence\n{item},{quantity},x\n"), &run.judged())
        };
        assert!(of("D10", "bits of a sum over k").is_ok());
        assert!(
            matches!(of("D11", "bits of step 7 by its formula"), Err(LabError::Input(why)) if why.ends_with("misprint"))
        );
    }

    /// Verdicts that were wrong, each by what a sceptical reading found.
    #[test]
    fn verdicts_that_were_wrong_are_mended() {
        let run = Run::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
        let judged = run.judged();
        for (item, quantity, verdict) in [
            ("S28", "precision for BLISS-B", Verdict::NotAsBuilt),
            ("S13", "random bytes of a sample of the Ziggurat", Verdict::AsThenBuilt),
            ("S4", "difference that recovers the state of rand", Verdict::Misprint),
            ("B20", "many rectangles", Verdict::Right),
            ("B24", "improvement by the stored densities", Verdict::NotAsBuilt),
            ("B1", "memory of inversion at 1.6e5", Verdict::AsThenBuilt),
            ("B13", "memory of the Ziggurat with m rectangles", Verdict::Right),
            ("J19", "BLISS-II signature", Verdict::OtherHardware),
            ("J20", "sampling in a signature of BLISS-II", Verdict::OtherHardware),
            ("J20", "sampling in a key of LP11", Verdict::OtherHardware),
        ] {
            let found = judged.iter().find(|judged| judged.claim.item == item && judged.claim.quantity == quantity);
            assert_eq!(found.map(|judged| judged.verdict), Some(verdict), "{item}, {quantity}");
        }
        assert!(!judged.iter().any(|judged| judged.claim.item == "J24"));
        assert!(judged.iter().filter(|judged| judged.verdict == Verdict::Undecided).count() <= 10);
    }
}
