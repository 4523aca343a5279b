//! The charts of the report: the paper's data as open marks, ours as filled ones, in light and in dark.

use super::axis::Axis;
use super::drawing::{ASLANT, COLOURS, Drawing, Point, Shape, UPWARDS};
use samplez_cli::testing::Anchor;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 64.0;
const GAP: (f64, f64) = (26.0, 44.0);
const TOP: f64 = 26.0;
/// Space for the title of a file of its own.
const TITLE: f64 = 26.0;
const BOTTOM: f64 = 52.0;
const LEGEND_LINE: f64 = 18.0;
/// Space for names below an axis.
const NAMES: f64 = 70.0;
/// Of the space of a name, the part that its bars take.
const BARS: f64 = 0.8;
/// What follows the name of a series in the name of the paper's data of it.
pub(crate) const OF_PAPER: &str = ", the paper";

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
    /// The chart as SVG; `alone`, with its colours and its title, for a file of its own.
    ///
    /// ```
    /// use samplez_lab::plot::{Chart, Plot, Series};
    /// let series = |name: &str, of_paper| Series { name: name.into(), of_paper, joined: true, points: vec![(1.0, 2.0), (3.0, 4.0)] };
    /// let plots = vec![Plot { title: "p".into(), series: vec![series("ours", false), series("paper", true)] }];
    /// let (x, y) = (("x".into(), false), ("y".into(), true));
    /// let chart = Chart { name: "n".into(), title: "t".into(), caption: "c".into(), x, y, places: Vec::new(), plots };
    /// let svg = chart.draw(true);
    /// assert!(svg.contains("<style>") && !chart.draw(false).contains("<style>"));
    /// assert_eq!(svg.matches("mark open\"").count(), 2 + 1); // the paper's data, and the legend's mark
    /// ```
    pub fn draw(&self, alone: bool) -> String {
        self.drawing(alone).svg(&self.title, alone)
    }

    /// The chart as PNG and as PDF.
    ///
    /// # Errors
    ///
    /// If the font cannot be read.
    ///
    /// ```
    /// # use samplez_lab::plot::{Chart, Plot, Series};
    /// # let series = Series { name: "a".into(), of_paper: false, joined: true, points: vec![(1.0, 2.5)] };
    /// # let plots = vec![Plot { title: "p".into(), series: vec![series] }];
    /// # let (x, y) = (("x".into(), false), ("y".into(), true));
    /// # let chart = Chart { name: "n".into(), title: "t".into(), caption: "c".into(), x, y, places: Vec::new(), plots };
    /// let [png, pdf] = chart.files()?;
    /// assert!(png.starts_with(b"\x89PNG") && pdf.starts_with(b"%PDF-1.4"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn files(&self) -> Result<[Vec<u8>; 2], String> {
        let raster = self.drawing(true).raster()?;
        Ok([raster.file(), raster.pdf(&self.title)])
    }

    fn drawing(&self, alone: bool) -> Drawing {
        let columns = if self.plots.len() < 2 { 1 } else { 2 };
        let size = ((WIDTH - LEFT - GAP.0 * columns as f64) / columns as f64, if columns == 1 { 320.0 } else { 230.0 });
        let rows = self.plots.len().div_ceil(columns).max(1);
        let names = self.names();
        let below = BOTTOM + if self.places.is_empty() { 0.0 } else { NAMES };
        let top = TOP + if alone { TITLE } else { 0.0 };
        let legend_top = top + rows as f64 * (size.1 + GAP.1) + below - GAP.1;
        let height = legend_top + LEGEND_LINE * names.len().div_ceil(2) as f64 + 10.0;
        let (x, y) = (self.across(), self.axis(&self.y, |p| p.1));
        let mut drawing = Drawing { size: (WIDTH, height), parts: Vec::new() };
        if alone {
            drawing.text((LEFT, 24.0), Anchor::Start, "title", &self.title);
        }
        for (i, plot) in self.plots.iter().enumerate() {
            let corner =
                (LEFT + (i % columns) as f64 * (size.0 + GAP.0), top + (i / columns) as f64 * (size.1 + GAP.1));
            let field = Field { x: &x, y: &y, corner, size };
            field.frame(&mut drawing, plot, i % columns == 0, &self.places);
            let bars = plot.series.iter().filter(|series| !series.joined).count();
            let mut bar = 0;
            for series in &plot.series {
                let style = names.iter().find(|(name, ..)| *name == series.name).map_or(0, |(.., style)| *style);
                if self.places.is_empty() || series.joined {
                    field.data(&mut drawing, series, style);
                } else {
                    field.bars(&mut drawing, series, style, (bar, bars));
                    bar += 1;
                }
            }
        }
        drawing.text((WIDTH / 2.0, legend_top - 16.0), Anchor::Middle, "soft", &self.x.0);
        let middle = (14.0, (top + legend_top - below) / 2.0);
        drawing.put("soft", Shape::Text(middle, Anchor::Middle, UPWARDS, self.y.0.clone()));
        for (i, (name, of_paper, style)) in names.iter().enumerate() {
            let at =
                (LEFT + 8.0 + (i % 2) as f64 * (WIDTH - LEFT) / 2.0, legend_top + LEGEND_LINE * (i / 2) as f64 + 4.0);
            mark(&mut drawing, *style, at, *of_paper);
            drawing.text((at.0 + 12.0, at.1 + 4.0), Anchor::Start, "", name);
        }
        drawing
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

    /// The series' names, each once, with whose they are and with the number of their colour. The paper's data of a series have its colour.
    fn names(&self) -> Vec<(&str, bool, usize)> {
        let (mut names, mut bare): (Vec<(&str, bool, usize)>, Vec<&str>) = (Vec::new(), Vec::new());
        for series in self.plots.iter().flat_map(|plot| &plot.series) {
            if names.iter().any(|(name, ..)| *name == series.name) {
                continue;
            }
            let of = series.name.strip_suffix(OF_PAPER).unwrap_or(&series.name);
            let style = bare.iter().position(|known| *known == of).unwrap_or(bare.len());
            if style == bare.len() {
                bare.push(of);
            }
            names.push((&series.name, series.of_paper, style));
        }
        names
    }

    /// The axis that runs to the right.
    fn across(&self) -> Axis {
        match self.places.len() {
            0 => self.axis(&self.x, |p| p.0),
            count => Axis { name: self.x.0.clone(), from: 0.5, to: count as f64 + 0.5, logarithmic: false },
        }
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
                // A bar begins at 0.
                let has_bars = !self.places.is_empty();
                let low = if low > 0.0 && (has_bars || low < 0.6 * high) { 0.0 } else { low };
                let room = if high > low { 0.06 * (high - low) } else { 0.5 };
                (if low == 0.0 { 0.0 } else { low - room }, high + room)
            }
        };
        Axis { name: name.clone(), from, to, logarithmic: *logarithmic }
    }
}

/// The place of a plot, and its axes.
struct Field<'a> {
    x: &'a Axis,
    y: &'a Axis,
    corner: Point,
    size: Point,
}

impl Field<'_> {
    fn across(&self, x: f64) -> f64 {
        self.corner.0 + self.size.0 * self.x.place(x)
    }

    fn down(&self, y: f64) -> f64 {
        self.corner.1 + self.size.1 * (1.0 - self.y.place(y))
    }

    fn frame(&self, drawing: &mut Drawing, plot: &Plot, leftmost: bool, places: &[String]) {
        let ((left, top), (width, height)) = (self.corner, self.size);
        let (right, foot) = (left + width, top + height);
        drawing.text((left, top - 6.0), Anchor::Start, "", &plot.title);
        drawing.put("grid", Shape::Line(vec![(left, top), (right, top), (right, foot), (left, foot), (left, top)]));
        for (name, value) in places.iter().zip(1..) {
            let at = (self.across(f64::from(value)), foot + 12.0);
            drawing.put("soft", Shape::Text(at, Anchor::End, ASLANT, name.clone()));
        }
        for (value, label) in if places.is_empty() { self.x.ticks(width / 60.0) } else { Vec::new() } {
            let at = self.across(value);
            drawing.put("grid", Shape::Line(vec![(at, top), (at, foot)]));
            drawing.text((at, foot + 14.0), Anchor::Middle, "soft", &label);
        }
        for (value, label) in self.y.ticks(6.0) {
            let at = self.down(value);
            drawing.put("grid", Shape::Line(vec![(left, at), (right, at)]));
            if leftmost {
                drawing.text((left - 5.0, at + 3.5), Anchor::End, "soft", &label);
            }
        }
    }

    fn data(&self, drawing: &mut Drawing, series: &Series, style: usize) {
        let drawn = series.points.iter().filter(|(a, b)| a.is_finite() && b.is_finite());
        let places: Vec<Point> = drawn.map(|(a, b)| (self.across(*a), self.down(*b))).collect();
        if series.joined && places.len() > 1 {
            drawing.put(&format!("{} line", colour(style)), Shape::Line(places.clone()));
        }
        // A long line is a curve, and its marks would hide it.
        if !series.joined || places.len() <= 60 {
            places.into_iter().for_each(|place| mark(drawing, style, place, series.of_paper));
        }
    }

    /// Bars from the lower end of the axis; those of one place stand side by side.
    fn bars(&self, drawing: &mut Drawing, series: &Series, style: usize, (bar, bars): (usize, usize)) {
        let width = BARS / bars as f64;
        for (place, value) in series.points.iter().filter(|(_, value)| value.is_finite()) {
            let left = self.across(place - BARS / 2.0 + width * bar as f64);
            let (right, high, foot) = (
                left + self.size.0 * width * (self.x.place(2.0) - self.x.place(1.0)),
                self.down(*value),
                self.down(self.y.from),
            );
            let class = format!("{} {}", colour(style), if series.of_paper { "mark open" } else { "mark" });
            drawing.put(&class, Shape::Rect((left + 0.7, high), (right - left - 1.4, foot - high)));
        }
    }
}

fn colour(style: usize) -> String {
    format!("c{}", style % COLOURS.len())
}

/// A circle, a square, a triangle or a diamond.
fn mark(drawing: &mut Drawing, style: usize, (x, y): Point, open: bool) {
    let class = format!("{} {}", colour(style), if open { "mark open" } else { "mark" });
    let shape = match style % 4 {
        0 => Shape::Disc((x, y), 2.8),
        1 => Shape::Rect((x - 2.5, y - 2.5), (5.0, 5.0)),
        2 => Shape::Polygon(vec![(x, y - 3.6), (x + 3.4, y + 2.4), (x - 3.4, y + 2.4)]),
        _ => Shape::Polygon(vec![(x, y - 3.5), (x + 3.5, y), (x, y + 3.5), (x - 3.5, y)]),
    };
    drawing.put(&class, shape);
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

    /// The paper's data of a series have the colour and the mark of the series.
    #[test]
    fn the_papers_data_have_the_colour_of_their_series() {
        let series =
            |name: &str, of_paper| Series { name: name.into(), of_paper, joined: false, points: vec![(1.0, 1.0)] };
        let mut chart = chart(Vec::new(), false);
        chart.plots[0].series =
            vec![series("a", false), series("b", false), series("b, the paper", true), series("c", true)];
        assert_eq!(chart.names(), [("a", false, 0), ("b", false, 1), ("b, the paper", true, 1), ("c", true, 2)]);
    }

    /// Where the places have names, a bar stands for a number: from 0, and as high as its number; two of one place do not overlap.
    #[test]
    fn named_places_have_bars() {
        let series =
            |name: &str, y| Series { name: name.into(), of_paper: false, joined: false, points: vec![(1.0, y)] };
        let mut chart = Chart { places: vec!["AES".into()], ..chart(Vec::new(), false) };
        chart.plots[0].series = vec![series("a", 10.0), series("b", 5.0)];
        let bars: Vec<(Point, Point)> = chart
            .drawing(false)
            .parts
            .into_iter()
            .filter_map(|(class, shape)| match shape {
                Shape::Rect(corner, size) if class.ends_with("mark") && size != (5.0, 5.0) => Some((corner, size)),
                _ => None,
            })
            .collect();
        assert_eq!(bars.len(), 2);
        let [(a, high), (b, low)] = [bars[0], bars[1]];
        assert!((high.1 / low.1 - 2.0).abs() < 1e-9 && a.0 + high.0 < b.0, "{bars:?}");
        assert!((a.1 + high.1 - b.1 - low.1).abs() < 1e-9, "they stand on one line");
    }

    #[test]
    fn every_finite_point_is_drawn() {
        let svg = chart(vec![(1.0, 1.0), (f64::NAN, 1.0), (f64::INFINITY, 2.0), (2.0, 2.0)], false).draw(true);
        assert_eq!(svg.matches("<circle").count(), 2 + 1);
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b") && !svg.contains("NaN"));
    }
}
