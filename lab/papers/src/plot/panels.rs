//! A sheet of small panels with common axes, one for each run of an experiment.

use super::axis::Axis;
use samplez_cli::testing::draw::{BLUE, COLOURS, GRID, INK, PAPER, SOFT_INK, VERMILION, dark, escaped};
use std::fmt::Write;

const GAP: (f64, f64) = (16.0, 40.0);
const LEFT: f64 = 76.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 56.0;

/// A sheet.
pub struct Sheet {
    /// Its heading.
    pub title: String,
    /// What the reader has to know.
    pub subtitle: String,
    /// The axis of all panels that runs to the right.
    pub x: Axis,
    /// The axis of all panels that runs upwards.
    pub y: Axis,
    /// Lines in every panel, such as the deviation that chance allows.
    pub guides: Vec<Vec<(f64, f64)>>,
    /// One for each run.
    pub panels: Vec<Panel>,
    /// How they stand.
    pub layout: Layout,
}

/// Panels in a row, and the width and height of each.
pub struct Layout {
    /// In a row.
    pub columns: usize,
    /// Width and height.
    pub panel: (f64, f64),
}

impl Layout {
    /// Many runs on one sheet.
    pub const SMALL: Layout = Layout { columns: 5, panel: (200.0, 130.0) };
}

/// What a panel shows.
pub struct Panel {
    /// Its heading.
    pub title: String,
    /// Whether it is drawn as a failure.
    pub failed: bool,
    /// How points are drawn.
    pub marks: Marks,
    /// What was measured.
    pub points: Vec<(f64, f64)>,
    /// Points with a name, of another kind.
    pub labels: Vec<((f64, f64), String)>,
}

/// How points are drawn.
#[derive(Clone, Copy)]
pub enum Marks {
    /// A line through them.
    Line,
    /// A dot for each.
    Dots,
    /// Both.
    LineAndDots,
}

/// Writing to a `String` does not fail.
macro_rules! put {
    ($svg:expr, $($arg:tt)*) => {{
        let _ = writeln!($svg, $($arg)*);
    }};
}

impl Sheet {
    /// The sheet as SVG.
    ///
    /// ```
    /// use samplez_lab::plot::{Axis, Layout, Marks, Panel, Sheet};
    /// let axis = |name: &str| Axis { name: name.into(), from: 0.0, to: 2.0, logarithmic: false };
    /// let panel = Panel { title: "one".into(), failed: false, marks: Marks::Dots, points: vec![(1.0, 1.0)], labels: vec![] };
    /// let (x, y, layout) = (axis("x"), axis("y"), Layout::SMALL);
    /// let sheet = Sheet { title: "t".into(), subtitle: "s".into(), x, y, guides: vec![], panels: vec![panel], layout };
    /// assert_eq!(sheet.draw().matches("<circle").count(), 1);
    /// ```
    pub fn draw(&self) -> String {
        draw(self)
    }
}

fn draw(sheet: &Sheet) -> String {
    let Layout { columns, panel: size } = sheet.layout;
    let rows = sheet.panels.len().div_ceil(columns).max(1);
    let width = LEFT + columns as f64 * (size.0 + GAP.0) + 8.0;
    let height = TOP + rows as f64 * (size.1 + GAP.1) + BOTTOM;
    let mut svg = String::new();
    put!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"'DejaVu Sans', Verdana, 'Segoe UI', Arial, sans-serif\" font-size=\"11\" fill=\"{INK}\">"
    );
    put!(svg, "{}", dark());
    put!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>");
    text(&mut svg, (LEFT, 32.0), "start", INK, 18.0, &sheet.title);
    text(&mut svg, (LEFT, 54.0), "start", SOFT_INK, 12.0, &sheet.subtitle);
    for (i, panel) in sheet.panels.iter().enumerate() {
        let corner = (LEFT + (i % columns) as f64 * (size.0 + GAP.0), TOP + (i / columns) as f64 * (size.1 + GAP.1));
        let below = i + columns >= sheet.panels.len();
        one(&mut svg, sheet, panel, corner, i.is_multiple_of(columns), below);
    }
    text(&mut svg, (width / 2.0, height - 14.0), "middle", SOFT_INK, 12.0, &sheet.x.name);
    put!(
        svg,
        "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\" font-size=\"12\" fill=\"{SOFT_INK}\">{}</text>",
        height / 2.0,
        escaped(&sheet.y.name)
    );
    svg.push_str("</svg>\n");
    svg
}

fn text(svg: &mut String, at: (f64, f64), anchor: &str, colour: &str, size: f64, what: &str) {
    put!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\" font-size=\"{size}\">{}</text>",
        at.0,
        at.1,
        escaped(what)
    );
}

fn one(svg: &mut String, sheet: &Sheet, panel: &Panel, corner: (f64, f64), leftmost: bool, lowest: bool) {
    let ((left, top), (width, height)) = (corner, sheet.layout.panel);
    let (right, bottom) = (left + width, top + height);
    let at = |(x, y): (f64, f64)| (left + width * sheet.x.place(x), bottom - height * sheet.y.place(y));
    let colour = if panel.failed { VERMILION } else { COLOURS[0] };
    put!(svg, "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{GRID}\"/>");
    text(svg, (left, top - 5.0), "start", if panel.failed { VERMILION } else { INK }, 11.0, &panel.title);
    for (value, label) in sheet.x.ticks(width / 50.0) {
        let (x, _) = at((value, sheet.y.from));
        put!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"{GRID}\" stroke-width=\"0.7\"/>"
        );
        if lowest {
            // Labels at the ends stay within their panel, clear of the neighbour's.
            let anchor = match x - left {
                offset if offset < 10.0 => "start",
                offset if offset > width - 10.0 => "end",
                _ => "middle",
            };
            text(svg, (x, bottom + 14.0), anchor, SOFT_INK, 10.0, &label);
        }
    }
    for (value, label) in sheet.y.ticks(5.0) {
        let (_, y) = at((sheet.x.from, value));
        put!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"{GRID}\" stroke-width=\"0.7\"/>"
        );
        if leftmost {
            text(svg, (left - 5.0, y + 3.5), "end", SOFT_INK, 10.0, &label);
        }
    }
    for guide in &sheet.guides {
        line(svg, guide.iter().copied().map(at), BLUE, 1.2);
    }
    if matches!(panel.marks, Marks::Line | Marks::LineAndDots) {
        line(svg, panel.points.iter().copied().map(at), colour, 1.4);
    }
    let radius = match panel.marks {
        Marks::Line => 0.0,
        Marks::Dots => 1.3,
        Marks::LineAndDots => 2.6,
    };
    if radius > 0.0 {
        for (x, y) in panel.points.iter().copied().map(at) {
            put!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"/>");
        }
    }
    let mut last = f64::NEG_INFINITY;
    for (point, label) in &panel.labels {
        let (x, y) = at(*point);
        put!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{VERMILION}\"/>");
        let (beside, anchor) = if x < left + 0.7 * width { (7.0, "start") } else { (-7.0, "end") };
        // Below a neighbour's name, not over it.
        let middle = if (y - last).abs() < 11.0 { last + 11.0 } else { y };
        text(svg, (x + beside, middle + 3.5), anchor, INK, 10.0, label);
        last = middle;
    }
}

fn line(svg: &mut String, points: impl Iterator<Item = (f64, f64)>, colour: &str, width: f64) {
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    put!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>", points.join(" "));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(from: f64, to: f64, logarithmic: bool) -> Axis {
        Axis { name: "x".into(), from, to, logarithmic }
    }

    #[test]
    fn one_panel_for_each_run() {
        let panel = |failed| Panel {
            title: "a<b".into(),
            failed,
            marks: Marks::Dots,
            points: vec![(1.0, 1.0); 3],
            labels: vec![((1.0, 1.0), "n&m".into())],
        };
        let sheet = Sheet {
            title: "t".into(),
            subtitle: "s".into(),
            x: axis(0.0, 2.0, false),
            y: axis(0.0, 2.0, false),
            guides: vec![vec![(0.0, 0.0), (2.0, 2.0)]],
            panels: (0..7).map(|i| panel(i == 3)).collect(),
            layout: Layout::SMALL,
        };
        let svg = draw(&sheet);
        assert_eq!(svg.matches("<circle").count(), 28);
        assert_eq!(svg.matches("<polyline").count(), 7);
        assert_eq!(svg.matches(&format!("r=\"1.3\" fill=\"{VERMILION}\"")).count(), 3);
        assert_eq!(svg.matches("n&amp;m").count(), 7);
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b"));
    }
}
