//! The picture as SVG.

use super::marks::{Anchor, HEIGHT, Mark, Picture, WIDTH};
use crate::draw::{INK, PAPER, dark, escaped};
use std::fmt::Write;

pub(crate) fn draw(picture: &Picture) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"'DejaVu Sans', Verdana, 'Segoe UI', Arial, sans-serif\" font-size=\"13\" fill=\"{INK}\">\n\
         {}\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{PAPER}\"/>\n<title>{}</title>\n",
        dark(),
        escaped(&picture.title)
    );
    for mark in &picture.marks {
        // Writing to a `String` does not fail.
        let _ = put(&mut svg, mark);
    }
    svg.push_str("</svg>\n");
    svg
}

fn put(svg: &mut String, mark: &Mark) -> std::fmt::Result {
    match mark {
        Mark::Rect { corner: (x, y), size: (width, height), fill, crisp } => {
            let rendering = if *crisp { " shape-rendering=\"crispEdges\"" } else { "" };
            writeln!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{fill}\"{rendering}/>"
            )
        }
        Mark::Disc { middle: (x, y), radius, fill } => {
            writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" fill=\"{fill}\"/>")
        }
        Mark::Line { points, stroke, width } => match points[..] {
            [(x1, y1), (x2, y2)] => writeln!(
                svg,
                "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>"
            ),
            _ => {
                let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
                writeln!(
                    svg,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>",
                    points.join(" ")
                )
            }
        },
        Mark::Text { at: (x, y), anchor, fill, size, upright, text } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let place = if *upright {
                format!("transform=\"translate({x} {y}) rotate(-90)\"")
            } else {
                format!("x=\"{x:.1}\" y=\"{y:.1}\"")
            };
            writeln!(
                svg,
                "<text {place} text-anchor=\"{anchor}\" fill=\"{fill}\" font-size=\"{size:.1}\">{}</text>",
                escaped(text)
            )
        }
    }
}
