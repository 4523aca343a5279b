//! The charts of the report: the paper's data as open marks, ours as filled ones, in light and in dark.

use super::axis::Axis;
use samplez_cli::testing::draw::escaped;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 64.0;
const GAP: (f64, f64) = (26.0, 44.0);
const TOP: f64 = 26.0;
const BOTTOM: f64 = 52.0;
const LEGEND_LINE: f64 = 18.0;
/// Space for names below an axis.
const NAMES: f64 = 70.0;

/// Classes of the colours, Okabe and Ito's, with lighter ones where the page is dark. A chart that stands alone carries
/// them, a page has them once.
pub(crate) const STYLE: &str = "\
.chart{font-size:11px;font-family:'DejaVu Sans',Verdana,'Segoe UI',Arial,sans-serif}
.chart .paper{fill:#fff}.chart text{fill:#222}.chart .soft{fill:#5c5c5c}
.chart .grid{stroke:#e2e2e2;fill:none}
.chart .c0{fill:#0072b2;stroke:#0072b2}.chart .c1{fill:#c25400;stroke:#c25400}
.chart .c2{fill:#00795a;stroke:#00795a}.chart .c3{fill:#b0508a;stroke:#b0508a}
.chart .c4{fill:#8a6a00;stroke:#8a6a00}.chart .c5{fill:#555;stroke:#555}
.chart .c6{fill:#2b5fb8;stroke:#2b5fb8}.chart .c7{fill:#a02020;stroke:#a02020}
.chart .mark{stroke-width:1.4}.chart .open{fill:#fff}
.chart .line{stroke-width:1.4;fill:none}
@media screen and (prefers-color-scheme:dark){
.chart .paper,.chart .open{fill:#16181c}.chart text{fill:#eaeaea}.chart .soft{fill:#b0b0b0}
.chart .grid{stroke:#3a3d44}
.chart .c0{fill:#6db9ec;stroke:#6db9ec}.chart .c1{fill:#ff9d57;stroke:#ff9d57}
.chart .c2{fill:#4fcfa6;stroke:#4fcfa6}.chart .c3{fill:#ee9fcb;stroke:#ee9fcb}
.chart .c4{fill:#e6c84a;stroke:#e6c84a}.chart .c5{fill:#bbb;stroke:#bbb}
.chart .c6{fill:#9db8ff;stroke:#9db8ff}.chart .c7{fill:#ff8d8d;stroke:#ff8d8d}}
";
/// How many colours there are, and marks that tell them apart without colour.
const COLOURS: usize = 8;

/// A chart: one plot or several with the same axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// Its name among the item's files.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// What the reader has to know.
    pub caption: String,
    /// What runs to the right, and whether on a scale of ratios.
    pub x: (String, bool),
    /// What runs upwards, and whether on a scale of ratios.
    pub y: (String, bool),
    /// The names of the places 1, 2, … on the axis that runs to the right, where these are not numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// One plot for each law, sampler or source.
    pub plots: Vec<Plot>,
}

/// One plot of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Its heading.
    pub title: String,
    /// What is drawn. Series of one name have one colour in all plots.
    pub series: Vec<Series>,
}

/// Data of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// For the legend.
    pub name: String,
    /// Whether the data are the paper's.
    pub of_paper: bool,
    /// Whether a line joins them.
    pub joined: bool,
    /// The data.
    pub points: Vec<(f64, f64)>,
}

/// Writing to a `String` does not fail.
macro_rules! put {
    ($svg:expr, $($arg:tt)*) => {{
        let _ = writeln!($svg, $($arg)*);
    }};
}

impl Chart {
    /// The chart as SVG; `alone`, with its colours, for a file of its own.
    ///
    /// ```
    /// use samplez_lab::plot::{Chart, Plot, Series};
    /// let series = |name: &str, of_paper| Series { name: name.into(), of_paper, joined: true, points: vec![(1.0, 2.0), (3.0, 4.0)] };
    /// let plots = vec![Plot { title: "p".into(), series: vec![series("ours", false), series("paper", true)] }];
    /// let (x, y) = (("x".into(), false), ("y".into(), true));
    /// let chart = Chart { name: "n".into(), title: "t".into(), caption: "c".into(), x, y, places: Vec::new(), plots };
    /// let svg = chart.draw(true);
    /// assert!(svg.contains("<style>") && !chart.draw(false).contains("<style>"));
    /// assert_eq!(svg.matches("class=\"mark open\"").count(), 2 + 1); // the paper's data, and the legend's mark
    /// ```
    pub fn draw(&self, alone: bool) -> String {
        let columns = if self.plots.len() < 2 { 1 } else { 2 };
        let size = ((WIDTH - LEFT - GAP.0 * columns as f64) / columns as f64, if columns == 1 { 320.0 } else { 230.0 });
        let rows = self.plots.len().div_ceil(columns).max(1);
        let names = self.names();
        let below = BOTTOM + if self.places.is_empty() { 0.0 } else { NAMES };
        let legend_top = TOP + rows as f64 * (size.1 + GAP.1) + below - GAP.1;
        let height = legend_top + LEGEND_LINE * names.len().div_ceil(2) as f64 + 10.0;
        let (x, y) = (self.axis(&self.x, |p| p.0), self.axis(&self.y, |p| p.1));
        let mut svg = String::new();
        put!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" viewBox=\"0 0 {WIDTH} {height}\"{}>",
            if alone { format!(" width=\"{WIDTH}\" height=\"{height}\"") } else { String::new() }
        );
        put!(svg, "<title>{}</title>", escaped(&self.title));
        if alone {
            put!(svg, "<style>{STYLE}</style>");
        }
        put!(svg, "<rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>");
        for (i, plot) in self.plots.iter().enumerate() {
            let corner =
                (LEFT + (i % columns) as f64 * (size.0 + GAP.0), TOP + (i / columns) as f64 * (size.1 + GAP.1));
            frame(&mut svg, plot, (&x, &y), corner, size, (i % columns == 0, &self.places));
            for series in &plot.series {
                let class = names.iter().position(|(name, _)| *name == series.name).unwrap_or(0);
                data(&mut svg, series, class, (&x, &y), corner, size);
            }
        }
        text(&mut svg, (WIDTH / 2.0, legend_top - 16.0), "middle", "soft", &self.x.0);
        put!(
            svg,
            "<text class=\"soft\" transform=\"translate(14 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (TOP + legend_top - below) / 2.0,
            escaped(&self.y.0)
        );
        for (i, (name, of_paper)) in names.iter().enumerate() {
            let at =
                (LEFT + 8.0 + (i % 2) as f64 * (WIDTH - LEFT) / 2.0, legend_top + LEGEND_LINE * (i / 2) as f64 + 4.0);
            put!(svg, "<g class=\"c{}\">", i % COLOURS);
            mark(&mut svg, i, at, *of_paper);
            put!(svg, "</g>");
            text(&mut svg, (at.0 + 12.0, at.1 + 4.0), "start", "", name);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The data as comma-separated values.
    ///
    /// ```
    /// # use samplez_lab::plot::{Chart, Plot, Series};
    /// # let series = Series { name: "a".into(), of_paper: false, joined: true, points: vec![(1.0, 2.5)] };
    /// # let plots = vec![Plot { title: "p".into(), series: vec![series] }];
    /// # let (x, y) = (("x".into(), false), ("y".into(), true));
    /// # let chart = Chart { name: "n".into(), title: "t".into(), caption: "c".into(), x, y, places: Vec::new(), plots };
    /// assert_eq!(chart.csv(), "plot,series,of,x,y\np,a,here,1,2.5\n");
    /// ```
    pub fn csv(&self) -> String {
        let mut text = String::from("plot,series,of,x,y\n");
        for (plot, series) in self.plots.iter().flat_map(|plot| plot.series.iter().map(move |series| (plot, series))) {
            let of = if series.of_paper { "paper" } else { "here" };
            let [plot, name] = [&plot.title, &series.name].map(|text| crate::data::csv::field(text));
            for (x, y) in &series.points {
                put!(text, "{plot},{name},{of},{x},{y}");
            }
        }
        text
    }

    /// The name of its files, without an ending.
    pub(crate) fn file(&self, item: &str) -> String {
        format!("{item}-{}", self.name)
    }

    /// The series' names, each once, with whose they are.
    fn names(&self) -> Vec<(&str, bool)> {
        let mut names: Vec<(&str, bool)> = Vec::new();
        for series in self.plots.iter().flat_map(|plot| &plot.series) {
            if !names.iter().any(|(name, _)| *name == series.name) {
                names.push((&series.name, series.of_paper));
            }
        }
        names
    }

    /// An axis that holds all data.
    fn axis(&self, (name, logarithmic): &(String, bool), of: fn(&(f64, f64)) -> f64) -> Axis {
        let values = self.plots.iter().flat_map(|plot| &plot.series).flat_map(|series| &series.points).map(of);
        let drawn = values.filter(|value| value.is_finite() && (!logarithmic || *value > 0.0));
        let (low, high) = drawn.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (from, to) = match (low <= high, *logarithmic) {
            (false, false) => (0.0, 1.0),
            (false, true) => (1.0, 10.0),
            (true, true) => (
                10_f64.powf((low.log10() + 1e-9).floor()),
                10_f64.powf((high.log10() - 1e-9).ceil().max((low.log10() + 1e-9).floor() + 1.0)),
            ),
            (true, false) => {
                let low = if low > 0.0 && low < 0.6 * high { 0.0 } else { low };
                let room = if high > low { 0.06 * (high - low) } else { 0.5 };
                (if low == 0.0 { 0.0 } else { low - room }, high + room)
            }
        };
        Axis { name: name.clone(), from, to, logarithmic: *logarithmic }
    }
}

fn text(svg: &mut String, at: (f64, f64), anchor: &str, class: &str, what: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    put!(svg, "<text{class} x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>", at.0, at.1, escaped(what));
}

fn frame(
    svg: &mut String,
    plot: &Plot,
    (x, y): (&Axis, &Axis),
    (left, top): (f64, f64),
    (width, height): (f64, f64),
    (leftmost, places): (bool, &[String]),
) {
    text(svg, (left, top - 6.0), "start", "", &plot.title);
    put!(svg, "<rect class=\"grid\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>");
    for (name, value) in places.iter().zip(1..) {
        let (at, foot) = (left + width * x.place(f64::from(value)), top + height);
        put!(svg, "<line class=\"grid\" x1=\"{at:.1}\" y1=\"{top:.1}\" x2=\"{at:.1}\" y2=\"{foot:.1}\"/>");
        put!(
            svg,
            "<text class=\"soft\" transform=\"translate({at:.1} {:.1}) rotate(-35)\" text-anchor=\"end\">{}</text>",
            foot + 12.0,
            escaped(name)
        );
    }
    for (value, label) in if places.is_empty() { x.ticks(width / 60.0) } else { Vec::new() } {
        let at = left + width * x.place(value);
        put!(svg, "<line class=\"grid\" x1=\"{at:.1}\" y1=\"{top:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\"/>", top + height);
        text(svg, (at, top + height + 14.0), "middle", "soft", &label);
    }
    for (value, label) in y.ticks(6.0) {
        let at = top + height * (1.0 - y.place(value));
        put!(svg, "<line class=\"grid\" x1=\"{left:.1}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\"/>", left + width);
        if leftmost {
            text(svg, (left - 5.0, at + 3.5), "end", "soft", &label);
        }
    }
}

fn data(
    svg: &mut String,
    series: &Series,
    class: usize,
    (x, y): (&Axis, &Axis),
    (left, top): (f64, f64),
    (width, height): (f64, f64),
) {
    let drawn = series.points.iter().filter(|(a, b)| a.is_finite() && b.is_finite());
    let places: Vec<(f64, f64)> =
        drawn.map(|(a, b)| (left + width * x.place(*a), top + height * (1.0 - y.place(*b)))).collect();
    put!(svg, "<g class=\"c{}\">", class % COLOURS);
    if series.joined {
        let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        put!(svg, "<polyline class=\"line\" points=\"{}\"/>", points.join(" "));
    }
    // A long line is a curve, and its marks would hide it.
    if !series.joined || places.len() <= 60 {
        for place in places {
            mark(svg, class, place, series.of_paper);
        }
    }
    put!(svg, "</g>");
}

/// A circle, a square, a triangle or a diamond.
fn mark(svg: &mut String, shape: usize, (x, y): (f64, f64), open: bool) {
    let class = if open { "mark open" } else { "mark" };
    match shape % 4 {
        0 => put!(svg, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.8\"/>"),
        1 => put!(svg, "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"5\" height=\"5\"/>", x - 2.5, y - 2.5),
        2 => put!(svg, "<path class=\"{class}\" d=\"M{x:.1} {:.1}l3.4 6h-6.8z\"/>", y - 3.6),
        _ => put!(svg, "<path class=\"{class}\" d=\"M{x:.1} {:.1}l3.5 3.5l-3.5 3.5l-3.5 -3.5z\"/>", y - 3.5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>, logarithmic: bool) -> Chart {
        let series = vec![Series { name: "a<b".into(), of_paper: false, joined: false, points }];
        Chart {
            name: "n".into(),
            title: "t".into(),
            caption: String::new(),
            x: ("x".into(), logarithmic),
            y: ("y".into(), logarithmic),
            places: Vec::new(),
            plots: vec![Plot { title: "p".into(), series }],
        }
    }

    #[test]
    fn axes_hold_the_data() {
        let of = |points, logarithmic| {
            let chart = chart(points, logarithmic);
            let axis = chart.axis(&chart.x, |p| p.0);
            (axis.from, axis.to)
        };
        assert_eq!(of(vec![(2.0, 1.0), (900.0, 1.0)], true), (1.0, 1000.0));
        assert_eq!(of(vec![(1.0, 1.0), (1000.0, 1.0)], true), (1.0, 1000.0), "powers of ten are ends");
        assert_eq!(of(vec![(10.0, 1.0)], true), (10.0, 100.0));
        assert_eq!(of(vec![], true), (1.0, 10.0));
        assert_eq!(of(vec![], false), (0.0, 1.0));
        let (from, to) = of(vec![(1.0, 1.0), (10.0, 1.0)], false);
        assert!(from == 0.0 && to > 10.0);
        let (from, to) = of(vec![(-1.0, 1.0), (-1.0, 1.0)], false);
        assert!(from < -1.0 && to > -1.0);
    }

    #[test]
    fn places_have_their_names() {
        let named = Chart { places: vec!["AES".into(), "a<b".into()], ..chart(vec![(1.0, 1.0), (2.0, 2.0)], false) };
        let svg = named.draw(true);
        assert!(svg.contains(">AES</text>") && svg.contains("rotate(-35)") && !svg.contains(">1.2</text>"), "{svg}");
    }

    /// Renderers other than browsers, such as librsvg, know neither variables of style sheets nor `currentColor`, and draw in black.
    #[test]
    fn colours_are_literal() {
        let svg = chart(vec![(1.0, 1.0)], false).draw(true);
        let (light, dark) = svg.split_once("@media").unwrap();
        assert!(!svg.contains("var(") && !svg.contains("currentColor") && dark.starts_with(" screen"), "{svg}");
        assert!((0..COLOURS).all(|i| light.contains(&format!(".c{i}{{fill:#"))));
    }

    #[test]
    fn every_finite_point_is_drawn() {
        let svg = chart(vec![(1.0, 1.0), (f64::NAN, 1.0), (f64::INFINITY, 2.0), (2.0, 2.0)], false).draw(true);
        assert_eq!(svg.matches("<circle").count(), 2 + 1);
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b") && !svg.contains("NaN"));
    }
}
