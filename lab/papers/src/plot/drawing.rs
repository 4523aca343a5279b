//! The parts of a chart from back to front, as SVG, PNG and PDF.

use samplez_cli::testing::draw::escaped;
use samplez_cli::testing::{Anchor, Raster};
use std::fmt::Write;

/// Classes of the colours, Okabe and Ito's, with lighter ones where the page is dark. A chart that stands alone carries
/// them, a page has them once.
pub(crate) const STYLE: &str = "\
.chart{font-size:11px;font-family:'DejaVu Sans',Verdana,'Segoe UI',Arial,sans-serif}
.chart .paper{fill:#fff}.chart text{fill:#222}.chart .soft{fill:#5c5c5c}.chart .title{font-size:14px}
.chart .grid{stroke:#e2e2e2;fill:none}
.chart .c0{fill:#0072b2;stroke:#0072b2}.chart .c1{fill:#c25400;stroke:#c25400}
.chart .c2{fill:#00795a;stroke:#00795a}.chart .c3{fill:#b0508a;stroke:#b0508a}
.chart .c4{fill:#8a6a00;stroke:#8a6a00}.chart .c5{fill:#555555;stroke:#555555}
.chart .c6{fill:#2b5fb8;stroke:#2b5fb8}.chart .c7{fill:#a02020;stroke:#a02020}
.chart .mark{stroke-width:1.4}.chart .open{fill:#fff}
.chart .line{stroke-width:1.4;fill:none}
@media screen and (prefers-color-scheme:dark){
.chart .paper,.chart .open{fill:#16181c}.chart text{fill:#eaeaea}.chart .soft{fill:#b0b0b0}
.chart .grid{stroke:#3a3d44}
.chart .c0{fill:#6db9ec;stroke:#6db9ec}.chart .c1{fill:#ff9d57;stroke:#ff9d57}
.chart .c2{fill:#4fcfa6;stroke:#4fcfa6}.chart .c3{fill:#ee9fcb;stroke:#ee9fcb}
.chart .c4{fill:#e6c84a;stroke:#e6c84a}.chart .c5{fill:#bbb;stroke:#bbb}
.chart .c6{fill:#9db8ff;stroke:#9db8ff}.chart .c7{fill:#ff8d8d;stroke:#ff8d8d}
.chart .open{fill:#16181c}.chart .line{fill:none}}
";
/// The same in a file without styles.
pub(super) const COLOURS: [&str; 8] =
    ["#0072b2", "#c25400", "#00795a", "#b0508a", "#8a6a00", "#555555", "#2b5fb8", "#a02020"];
const PAPER: &str = "#ffffff";
const INK: &str = "#222222";
const SOFT: &str = "#5c5c5c";
const GRID: &str = "#e2e2e2";
const STROKE: f64 = 1.4;
/// Text of this size, but for the title.
const TEXT: f64 = 11.0;
const TITLE: f64 = 14.0;

/// A place; the first coordinate runs to the right, the second down.
pub(super) type Point = (f64, f64);

/// The directions of texts.
pub(super) const TO_THE_RIGHT: Point = (1.0, 0.0);
pub(super) const UPWARDS: Point = (0.0, -1.0);
/// By 35 degrees.
pub(super) const ASLANT: Point = (0.819_152, -0.573_576);

/// A part of a chart.
pub(super) enum Shape {
    /// The corner and the size.
    Rect(Point, Point),
    /// The middle and the radius.
    Disc(Point, f64),
    Polygon(Vec<Point>),
    Line(Vec<Point>),
    /// At a place, in a direction.
    Text(Point, Anchor, Point, String),
}

/// The parts, each with its classes: `grid`, `soft`, `title`, or a colour `c0` to `c7` with `line`, `mark`, or `mark open`.
pub(super) struct Drawing {
    pub(super) size: Point,
    pub(super) parts: Vec<(String, Shape)>,
}

/// Writing to a `String` does not fail.
macro_rules! put {
    ($svg:expr, $($arg:tt)*) => {{
        let _ = writeln!($svg, $($arg)*);
    }};
}

impl Drawing {
    pub(super) fn put(&mut self, class: &str, shape: Shape) {
        self.parts.push((class.to_owned(), shape));
    }

    pub(super) fn text(&mut self, at: Point, anchor: Anchor, class: &str, text: &str) {
        self.put(class, Shape::Text(at, anchor, TO_THE_RIGHT, text.to_owned()));
    }

    /// The SVG; `alone`, with its style, for a file of its own.
    pub(super) fn svg(&self, title: &str, alone: bool) -> String {
        let ((width, height), mut svg) = (self.size, String::new());
        let size = if alone { format!(" width=\"{width}\" height=\"{height}\"") } else { String::new() };
        put!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" viewBox=\"0 0 {width} {height}\"{size}>"
        );
        put!(svg, "<title>{}</title>", escaped(title));
        if alone {
            put!(svg, "<style>{STYLE}</style>");
        }
        put!(svg, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
        for (class, shape) in &self.parts {
            let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
            match shape {
                Shape::Rect((x, y), (width, height)) => {
                    put!(svg, "<rect{class} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>");
                }
                Shape::Disc((x, y), radius) => {
                    put!(svg, "<circle{class} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
                }
                Shape::Polygon(points) => put!(svg, "<polygon{class} points=\"{}\"/>", listed(points)),
                Shape::Line(points) => put!(svg, "<polyline{class} points=\"{}\"/>", listed(points)),
                Shape::Text((x, y), anchor, along, text) => {
                    let anchor = match anchor {
                        Anchor::Start => "start",
                        Anchor::Middle => "middle",
                        Anchor::End => "end",
                    };
                    let place = match along.1.atan2(along.0).to_degrees().round() {
                        0.0 => format!("x=\"{x:.1}\" y=\"{y:.1}\""),
                        degrees => format!("transform=\"translate({x:.1} {y:.1}) rotate({degrees})\""),
                    };
                    put!(svg, "<text{class} {place} text-anchor=\"{anchor}\">{}</text>", escaped(text));
                }
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// What becomes a PNG or a PDF, in the light colours.
    pub(super) fn raster(&self) -> Result<Raster, String> {
        let mut raster = Raster::new(self.size.0, self.size.1, PAPER)?;
        for (class, shape) in &self.parts {
            let is = |name: &str| class.split(' ').any(|known| known == name);
            let of_series = (0..COLOURS.len()).find(|i| is(&format!("c{i}"))).map(|i| COLOURS[i]);
            let ink = of_series.unwrap_or(if is("grid") {
                GRID
            } else if is("soft") {
                SOFT
            } else {
                INK
            });
            let width = if is("grid") { 1.0 } else { STROKE };
            let fill = if is("open") { PAPER } else { ink };
            match shape {
                Shape::Rect((x, y), (w, h)) => {
                    let corners = [(*x, *y), (x + w, *y), (x + w, y + h), (*x, y + h), (*x, *y)];
                    raster.polygon(&corners[..4], fill);
                    raster.line(&corners, ink, width);
                }
                Shape::Disc(middle, radius) => {
                    raster.disc(*middle, radius + width / 2.0, ink);
                    raster.disc(*middle, radius - width / 2.0, fill);
                }
                Shape::Polygon(points) => {
                    raster.polygon(points, fill);
                    let around: Vec<Point> = points.iter().chain(points.first()).copied().collect();
                    raster.line(&around, ink, width);
                }
                Shape::Line(points) => raster.line(points, ink, width),
                Shape::Text(at, anchor, along, text) => {
                    raster.text(*at, *anchor, *along, (ink, if is("title") { TITLE } else { TEXT }), text);
                }
            }
        }
        Ok(raster)
    }
}

fn listed(points: &[Point]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renderers other than browsers, such as librsvg, know neither variables of style sheets nor `currentColor`, and draw in black; the PNG
    /// has the same colours.
    #[test]
    fn colours_are_literal() {
        let (light, dark) = STYLE.split_once("@media").unwrap();
        assert!(!STYLE.contains("var(") && !STYLE.contains("currentColor") && dark.starts_with(" screen"));
        for (i, colour) in COLOURS.iter().enumerate() {
            assert!(light.contains(&format!(".c{i}{{fill:{colour};stroke:{colour}}}")), "{i}");
        }
        for colour in [GRID, SOFT] {
            assert!(light.contains(colour), "{colour}");
        }
    }

    /// Every kind of part leaves its ink, and leaves no more than its ink.
    #[test]
    fn parts_are_in_the_png() {
        let of = |class: &str, shape: Option<Shape>| {
            let mut drawing = Drawing { size: (60.0, 60.0), parts: Vec::new() };
            shape.into_iter().for_each(|shape| drawing.put(class, shape));
            drawing.raster().unwrap().file()
        };
        let empty = of("", None);
        assert_eq!(empty[16..24], [0, 0, 0, 120, 0, 0, 0, 120], "twice the size");
        let square = || vec![(10.0, 10.0), (40.0, 10.0), (40.0, 40.0)];
        let mut all = vec![empty];
        for (class, shape) in [
            ("c0 mark", Shape::Rect((10.0, 10.0), (20.0, 20.0))),
            ("c0 mark open", Shape::Rect((10.0, 10.0), (20.0, 20.0))),
            ("c1 mark", Shape::Disc((30.0, 30.0), 9.0)),
            ("c1 mark open", Shape::Disc((30.0, 30.0), 9.0)),
            ("c2 mark", Shape::Polygon(square())),
            ("c2 line", Shape::Line(square())),
            ("soft", Shape::Text((5.0, 30.0), Anchor::Start, TO_THE_RIGHT, "8".into())),
            ("soft", Shape::Text((5.0, 30.0), Anchor::Start, ASLANT, "8".into())),
        ] {
            let file = of(class, Some(shape));
            assert!(!all.contains(&file), "{class}");
            all.push(file);
        }
    }
}
