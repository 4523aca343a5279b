//! The charts that documents show: those that the run kept, and those that are made of its findings; with the papers' stated points.

use crate::data::{Claim, Item, Unit};
use crate::finding::{Form, Ours};
use crate::grid::Grid;
use crate::kept::Records;
use crate::plot::{Chart, Plot, Series};

/// The kept charts that documents show, by item and name: every figure of the papers, whether it has numbers or is only drawn.
const SHOWN: [(&str, &str); 18] = [
    ("B14", "memory"),
    ("B20", "widths"),
    ("B21", "split"),
    ("B23", "line"),
    ("B24", "densities"),
    ("D17", "speed"),
    ("S6", "speeds"),
    ("S7", "speeds"),
    ("S9", "samplers"),
    ("S10", "samplers"),
    ("S16", "first"),
    ("S16", "far"),
    ("S17", "window"),
    ("S18", "means"),
    ("S19", "mean-by-sigma"),
    ("S20", "mean-by-sigma"),
    ("S21", "means"),
    ("S22", "window"),
];
/// The most points of a curve that documents keep.
const POINTS: usize = 251;

/// Whether documents show it.
pub(super) fn is_shown(item: &str, chart: &Chart) -> bool {
    SHOWN.contains(&(item, chart.name.as_str()))
}

/// A curve of at most [`POINTS`] points, evenly taken, the last among them.
pub(super) fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let step = points.len().div_ceil(POINTS).max(1);
    points.iter().rev().step_by(step).rev().copied().collect()
}

/// All charts: the item, the name of the file, the chart.
pub(super) fn charts<'a>(items: &'a [Item], claims: &[Claim], kept: &Records) -> Vec<(&'a str, String, Chart)> {
    let mut all = Vec::new();
    for item in items {
        let charts = kept.of(&item.id).flat_map(|record| record.charts.clone());
        let mut charts: Vec<Chart> = charts.filter(|chart| is_shown(&item.id, chart)).collect();
        match item.id.as_str() {
            "D17" => charts.iter_mut().for_each(|chart| put_stated_speeds(chart, claims)),
            "J17" => charts.extend(browsers(claims, kept)),
            "S13" => charts.extend(random_bytes(claims, kept)),
            _ => {}
        }
        all.extend(charts.into_iter().map(|chart| (item.id.as_str(), chart.file(&item.id) + ".svg", chart)));
    }
    all
}

/// The number that a paper states, in this unit.
fn stated(claims: &[Claim], item: &str, quantity: &str, unit: &str) -> Option<f64> {
    let claim = claims.iter().find(|claim| claim.item == item && claim.quantity == quantity)?;
    claim.unit.to(Unit::of(unit)?, claim.number()?)
}

fn of_paper(name: &str, joined: bool, points: Vec<(f64, f64)>) -> Series {
    Series { name: name.into(), of_paper: true, joined, points }
}

/// \[DW18\]'s speeds at σ ≈ 215, which its text states.
fn put_stated_speeds(chart: &mut Chart, claims: &[Claim]) {
    let Some(plot) = chart.plots.first_mut() else { return };
    for (name, item, quantity) in [
        ("Karney", "D8", "Karney at 215"),
        ("Algorithm 4", "D16", "Algorithm 4"),
        ("Algorithm 5 with BIN", "D16", "Algorithm 5 with BIN"),
        ("Algorithm 5 with Algorithm 9", "D16", "Algorithm 5 with Algorithm 9"),
        ("[DDLL13]", "D7", "binary method over [Lum13] at σ ≈ 215"),
    ] {
        let point = stated(claims, item, quantity, "million samples/s").map(|speed| (215.0, speed));
        plot.series.push(of_paper(&format!("{name}, the paper"), false, point.into_iter().collect()));
    }
}

/// The paper's form of a number, which ends the names of its series.
const ARRAYS: &str = ", arrays of bits";

/// \[JSDGS17\]'s Figure 4, of what the browsers found: a plot for each browser, and one of the paper's Table 3.
fn browsers(claims: &[Claim], kept: &Records) -> Option<Chart> {
    let mut plots = Vec::new();
    for record in kept.of("J17") {
        let (_, grids) = Grid::split(&record.findings);
        for grid in &grids {
            // Words of 32 bits are neither the paper's form nor this library's.
            let drawn = grid.rows.iter().filter(|row| !row.ends_with("plain JavaScript"));
            let series = drawn.map(|row| Series {
                name: (*row).to_owned(),
                of_paper: false,
                joined: true,
                points: grid.numbers(row),
            });
            plots.push(Plot { title: record.by.clone(), series: series.collect() });
        }
    }
    if plots.is_empty() {
        return None;
    }
    let curve = |name: &str| {
        let at = |sigma: &str| {
            let speed = stated(claims, "J13", &format!("{name} at {sigma}"), "samples/ms")?;
            Some((sigma.parse().ok()?, speed))
        };
        of_paper(&format!("{name}{ARRAYS}"), true, ["3.3311", "55.5649", "107"].into_iter().filter_map(at).collect())
    };
    let table = ["Knuth-Yao", "Ziggurat", "inversion", "rejection"].map(curve);
    plots.push(Plot { title: "Opera 47, the paper's Table 3".into(), series: table.into() });
    Some(Chart {
        name: "browsers".into(),
        title: "Four samplers in four engines, and the paper's Table 3".into(),
        caption: "The paper's t and m, 128 bits; WebAssembly here; the paper's JavaScript has an element for each bit."
            .into(),
        x: ("σ".into(), true),
        y: ("samples/ms".into(), true),
        places: Vec::new(),
        plots,
    })
}

/// How far marks of one place stand from each other.
const ASIDE: f64 = 0.0625;

/// \[BSOVOGR17\]'s Table 2: random bytes of a sample.
fn random_bytes(claims: &[Claim], kept: &Records) -> Option<Chart> {
    let samplers = [("Bernoulli", "Bernoulli"), ("CDT", "CDT"), ("Ziggurat", "the Ziggurat")];
    let quantity = |name: &str| format!("random bytes of a sample of {name}");
    // Beside each other, for two of them are alike.
    let at = |aside: f64, of: &dyn Fn(&str) -> Option<f64>| -> Vec<(f64, f64)> {
        let bytes = |((_, name), place): ((&str, &str), u32)| Some((f64::from(place) + aside, of(&quantity(name))?));
        samplers.into_iter().zip(1..).filter_map(bytes).collect()
    };
    let found = |form: Form| {
        move |quantity: &str| {
            let is_it = |finding: &&crate::finding::Finding| finding.form == form && finding.quantity == quantity;
            match kept.findings().filter(|finding| finding.item == "S13").find(is_it)?.ours {
                Ours::Number(bytes) => Some(bytes),
                _ => None,
            }
        }
    };
    let series = |name: &str, points| Series { name: name.into(), of_paper: false, joined: false, points };
    let (built, ours) = (at(0.0, &found(Form::AsBuilt)), at(ASIDE, &found(Form::Ours)));
    if ours.is_empty() {
        return None;
    }
    let series = vec![
        of_paper("the paper's Table 2", false, at(-ASIDE, &|quantity| stated(claims, "S13", quantity, "bytes"))),
        series("as the paper built it", built),
        series("here", ours),
    ];
    Some(Chart {
        name: "bytes".into(),
        title: "Random bytes of a sample".into(),
        caption: "σ = 215, 64 bits.".into(),
        x: ("sampler".into(), false),
        y: ("random bytes of a sample".into(), true),
        places: samplers.map(|(name, _)| name.to_owned()).into(),
        plots: vec![Plot { title: String::new(), series }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every figure that a paper only draws is shown.
    #[test]
    fn what_is_drawn_is_shown() {
        let claims = Claim::all().unwrap();
        for claim in claims.iter().filter(|claim| claim.value == crate::data::Value::Unavailable) {
            let shown = SHOWN.iter().any(|(item, _)| *item == claim.item) || claim.item == "J17";
            assert!(shown, "{}, {}: no picture", claim.item, claim.quantity);
        }
    }

    #[test]
    fn curves_are_thinned_evenly_and_end_where_they_ended() {
        let curve = |n: u32| (1..=n).map(|x| (f64::from(x), 0.0)).collect::<Vec<_>>();
        assert_eq!(thinned(&curve(251)).len(), 251);
        let few = thinned(&curve(1000));
        assert_eq!((few.len(), few[0].0, few[249].0), (250, 4.0, 1000.0));
        assert!(thinned(&[]).is_empty());
    }

    /// The papers' points are in the first chart of each paper, digit by digit.
    #[test]
    fn stated_points_are_put_in() {
        let claims = Claim::all().unwrap();
        let plots = vec![Plot { title: String::new(), series: Vec::new() }];
        let (x, y) = ((String::new(), false), (String::new(), false));
        let (name, title, caption, places) = ("speed".into(), String::new(), String::new(), Vec::new());
        let mut chart = Chart { name, title, caption, x, y, places, plots };
        put_stated_speeds(&mut chart, &claims);
        let speeds: Vec<f64> = chart.plots[0].series.iter().map(|series| series.points[0].1).collect();
        assert_eq!(speeds, [4.751, 5.9, 10.1, 12.7, 4.386]);
        let lines = r#"{"item":"S13","machine":"m","commit":"c","date":"d","quick":false,"seconds":1.0,"command":"","charts":[],"findings":[{"item":"S13","quantity":"random bytes of a sample of CDT","terms":"","ours":4.0,"unit":"bytes","outcome":"no claim"},{"item":"S13","quantity":"random bytes of a sample of CDT","terms":"","ours":8.0,"unit":"bytes","form":"as-built","outcome":"no claim"}]}"#;
        let kept = Records::of_lines("run.jsonl".into(), lines).unwrap();
        let chart = random_bytes(&claims, &kept).unwrap();
        let points: Vec<_> = chart.plots[0].series.iter().map(|series| series.points.clone()).collect();
        let paper = vec![(1.0 - ASIDE, 271.12), (2.0 - ASIDE, 8.0), (3.0 - ASIDE, 8.8)];
        assert_eq!(points, [paper, vec![(2.0, 8.0)], vec![(2.0 + ASIDE, 4.0)]]);
    }
}
