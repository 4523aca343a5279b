//! Groups of horizontal bars.

use samplez_cli::testing::draw;
use samplez_cli::testing::draw::{COLOURS, GRID, INK, PAPER, SOFT_INK, dark, escaped};
use std::fmt::Write;

const WIDTH: f64 = 960.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 890.0;
const TOP: f64 = 104.0;
const BOTTOM: f64 = 56.0;
const BAR: f64 = 11.0;
const GAP: f64 = 9.0;

/// A figure of bars: a group of them for each row, a colour for each series.
pub struct Bars {
    /// Its heading.
    pub title: String,
    /// What the reader has to know.
    pub subtitle: String,
    /// What the bars measure.
    pub axis: String,
    /// What each colour is.
    pub series: Vec<String>,
    /// A name, and a value for each series, none of them negative.
    pub groups: Vec<(String, Vec<f64>)>,
}

/// Writing to a `String` does not fail.
macro_rules! put {
    ($svg:expr, $($arg:tt)*) => {{
        let _ = writeln!($svg, $($arg)*);
    }};
}

impl Bars {
    /// The figure as SVG.
    ///
    /// ```
    /// let bars = samplez_lab::plot::Bars {
    ///     title: "t".into(),
    ///     subtitle: "s".into(),
    ///     axis: "millions".into(),
    ///     series: vec!["one".into()],
    ///     groups: vec![("x".into(), vec![10.0]), ("y".into(), vec![5.0])],
    /// };
    /// assert!(bars.draw().contains("width=\"350.00\""));
    /// ```
    pub fn draw(&self) -> String {
        draw(self)
    }
}

fn draw(bars: &Bars) -> String {
    let group = BAR * bars.series.len() as f64 + GAP;
    let bottom = TOP + group * bars.groups.len() as f64;
    let height = bottom + BOTTOM;
    let longest = bars.groups.iter().flat_map(|(_, values)| values).fold(0.0, |a: f64, b| a.max(*b));
    let longest = if longest > 0.0 { longest } else { 1.0 };
    let x = |value: f64| LEFT + (RIGHT - LEFT) * value / longest;
    let mut svg = String::new();
    put!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"'DejaVu Sans', Verdana, 'Segoe UI', Arial, sans-serif\" font-size=\"11\" fill=\"{INK}\">"
    );
    put!(svg, "{}", dark());
    put!(svg, "<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"{PAPER}\"/>");
    text(&mut svg, (24.0, 32.0), "start", INK, 18.0, &bars.title);
    text(&mut svg, (24.0, 54.0), "start", SOFT_INK, 12.0, &bars.subtitle);
    let each = (RIGHT - LEFT) / bars.series.len().max(1) as f64;
    for (i, name) in bars.series.iter().enumerate() {
        let left = LEFT + each * i as f64;
        put!(svg, "<rect x=\"{left:.1}\" y=\"72\" width=\"12\" height=\"12\" fill=\"{}\"/>", colour(i));
        text(&mut svg, (left + 18.0, 82.0), "start", INK, 12.0, name);
    }
    let step = draw::step(longest, 8.0);
    for i in 0..=(longest / step + 1e-9).floor() as u32 {
        let value = f64::from(i) * step;
        put!(
            svg,
            "<line x1=\"{0:.1}\" y1=\"{TOP}\" x2=\"{0:.1}\" y2=\"{bottom:.1}\" stroke=\"{GRID}\" stroke-width=\"0.7\"/>",
            x(value)
        );
        text(&mut svg, (x(value), bottom + 16.0), "middle", SOFT_INK, 10.0, &draw::label(value, step));
    }
    for (row, (name, values)) in bars.groups.iter().enumerate() {
        let top = TOP + group * row as f64 + GAP / 2.0;
        text(&mut svg, (LEFT - 8.0, top + (group - GAP) / 2.0 + 4.0), "end", INK, 11.0, name);
        for (i, value) in values.iter().enumerate() {
            let y = top + BAR * i as f64;
            put!(
                svg,
                "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.2}\" height=\"{:.1}\" fill=\"{}\"/>",
                x(*value) - LEFT,
                BAR - 1.0,
                colour(i)
            );
            text(&mut svg, (x(*value) + 4.0, y + BAR - 2.5), "start", SOFT_INK, 9.0, &format!("{value:.1}"));
        }
    }
    text(&mut svg, ((LEFT + RIGHT) / 2.0, height - 14.0), "middle", SOFT_INK, 12.0, &bars.axis);
    svg.push_str("</svg>\n");
    svg
}

const fn colour(series: usize) -> &'static str {
    COLOURS[series % COLOURS.len()]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_the_values() {
        let bars = Bars {
            title: "a<b".into(),
            subtitle: String::new(),
            axis: "millions".into(),
            series: vec!["one".into(), "two".into()],
            groups: vec![("x".into(), vec![10.0, 5.0]), ("y".into(), vec![0.0, 2.5])],
        };
        let svg = draw(&bars);
        for width in ["700.00", "350.00", "0.00", "175.00"] {
            assert_eq!(svg.matches(&format!("width=\"{width}\"")).count(), 1, "{width}: {svg}");
        }
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b") && svg.contains(">millions<"));
        // Nothing to draw is drawn.
        assert!(draw(&Bars { groups: vec![("x".into(), vec![0.0, 0.0])], ..bars }).contains("width=\"0.00\""));
    }
}
