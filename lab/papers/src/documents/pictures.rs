//! The charts that documents show: those that the run kept, and those that are made of its findings; with the papers' stated points.

use crate::data::{Claim, Item, Unit};
use crate::finding::Ours;
use crate::grid::Grid;
use crate::kept::Records;
use crate::plot::{Chart, Plot, Series};

/// The kept charts that documents show, by item and name: every figure of the papers, whether it has numbers or is only drawn.
const SHOWN: [(&str, &str); 23] = [
    ("B14", "memory"),
    ("B20", "widths"),
    ("B21", "split"),
    ("B23", "line"),
    ("B24", "densities"),
    ("D17", "speed"),
    ("J13", "table-3"),
    ("J14", "table-3-memory"),
    ("J19", "table-4"),
    ("J20", "table-5"),
    ("S6", "speeds"),
    ("S7", "speeds"),
    ("S9", "samplers"),
    ("S10", "samplers"),
    ("S13", "bytes"),
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
            "J13" => charts.iter_mut().for_each(|chart| put_browsers(chart, kept)),
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

/// The browser whose speeds are put beside Table 3, as that of the paper was: its engine is Chromium's.
const BROWSER: &str = "chromium";

/// The paper's construction in today's browser, put into \[JSDGS17\]'s Table 3.
fn put_browsers(chart: &mut Chart, kept: &Records) {
    let Some(record) = kept.of("J17").find(|record| record.by == BROWSER) else { return };
    let (_, grids) = Grid::split(&record.findings);
    let speed = |place: &String| {
        let (name, sigma) = place.split_once(", ")?;
        let cell = grids.iter().find_map(|grid| grid.cell(&format!("{name}{ARRAYS}"), sigma))?;
        match cell.ours {
            Ours::Number(speed) => Some(speed),
            _ => None,
        }
    };
    let bars = chart.places.iter().zip(1..).filter_map(|(place, at)| Some((f64::from(at), speed(place)?))).collect();
    let series =
        Series { name: "as the paper built it, in Chromium".into(), of_paper: false, joined: false, points: bars };
    if let Some(plot) = chart.plots.first_mut() {
        plot.series.insert(1.min(plot.series.len()), series);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::run::Run;
    use std::path::Path;

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
        // Table 3 has a bar for each of the paper's twelve speeds, and beside it that of its construction in a browser.
        let run = Run::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
        let charts = run.charts();
        let (.., chart) = charts.iter().find(|(item, ..)| *item == "J13").unwrap();
        let [paper, built, here] = &chart.plots[0].series[..] else { panic!("{:?}", chart.plots[0].series) };
        assert_eq!([paper, built, here].map(|series| series.points.len()), [12; 3]);
        // The run keeps five digits.
        assert_eq!((paper.points[0], paper.of_paper, built.of_paper), ((1.0, 5882.4), true, false));
    }
}
