//! Text as outlines of the font DejaVu Sans, which is part of the command: every machine draws the same.
//!
//! Characters follow each other from left to right. Kerning, ligatures and joined scripts need a font engine; a
//! picture's text is digits, signs and the name of a file.

use super::canvas::{Canvas, parabola};
use super::marks::{Anchor, Point};
use ttf_parser::{Face, OutlineBuilder};

/// The directions of texts.
pub(super) const TO_THE_RIGHT: Point = (1.0, 0.0);
pub(super) const UPWARDS: Point = (0.0, -1.0);

pub(super) struct Font(Face<'static>);

impl Font {
    pub(super) fn new() -> Result<Font, String> {
        Face::parse(dejavu::sans::regular(), 0).map(Font).map_err(|error| format!("the font DejaVu Sans: {error}"))
    }

    /// The width of a text of size 1.
    fn width(&self, text: &str) -> f64 {
        text.chars().map(|c| self.advance(c)).sum()
    }

    fn advance(&self, c: char) -> f64 {
        // The font has a sign for the characters that it lacks, under number 0.
        let glyph = self.0.glyph_index(c).unwrap_or_default();
        f64::from(self.0.glyph_hor_advance(glyph).unwrap_or(0)) / f64::from(self.0.units_per_em())
    }

    /// Adds the outlines of a text to the canvas. `at` is a point on the text's line, which runs in the direction `along`, of length 1.
    pub(super) fn outline(&self, canvas: &mut Canvas, text: &str, at: Point, size: f64, anchor: Anchor, along: Point) {
        let mut pen = size
            * self.width(text)
            * match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => -0.5,
                Anchor::End => -1.0,
            };
        let scale = size / f64::from(self.0.units_per_em());
        for c in text.chars() {
            let place = Place { at, pen, scale, along };
            let mut glyph = Glyph { canvas, place, points: Vec::new(), last: (0.0, 0.0) };
            // A blank has no outline.
            let _ = self.0.outline_glyph(self.0.glyph_index(c).unwrap_or_default(), &mut glyph);
            pen += size * self.advance(c);
        }
    }
}

/// Maps a character from the font's units to the canvas.
#[derive(Clone, Copy)]
struct Place {
    at: Point,
    pen: f64,
    scale: f64,
    along: Point,
}

impl Place {
    fn of(&self, x: f32, y: f32) -> Point {
        let (along, above) = (self.pen + self.scale * f64::from(x), self.scale * f64::from(y));
        let (dx, dy) = self.along;
        (self.at.0 + along * dx + above * dy, self.at.1 + along * dy - above * dx)
    }
}

/// A character whose outlines are being read.
struct Glyph<'a> {
    canvas: &'a mut Canvas,
    place: Place,
    points: Vec<Point>,
    last: Point,
}

impl OutlineBuilder for Glyph<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.last = self.place.of(x, y);
        self.points.clear();
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.points.push(self.last);
        self.last = self.place.of(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let end = self.place.of(x, y);
        parabola(&mut self.points, self.last, self.place.of(x1, y1), end);
        self.last = end;
    }

    /// TrueType has no such curves.
    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, x: f32, y: f32) {
        self.line_to(x, y);
    }

    fn close(&mut self) {
        self.points.push(self.last);
        self.canvas.outline(&self.points);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pixels of a text of size 20 at (200, 200), row by row.
    fn drawn(text: &str, anchor: Anchor, along: Point) -> Vec<Vec<u8>> {
        let mut canvas = Canvas::new(400, 400, [255; 3]);
        Font::new().unwrap().outline(&mut canvas, text, (200.0, 200.0), 20.0, anchor, along);
        canvas.fill([0; 3]);
        canvas.rows().map(<[u8]>::to_vec).collect()
    }

    /// The first and the last column and row with ink.
    fn extent(rows: &[Vec<u8>]) -> Option<[f64; 4]> {
        let lines = rows.iter().enumerate().filter(|(_, row)| row.iter().any(|value| *value < 255));
        let lines: Vec<usize> = lines.map(|(y, _)| y).collect();
        let columns: Vec<usize> = (0..400).filter(|x| rows.iter().any(|row| row[3 * x] < 255)).collect();
        Some([*columns.first()?, *columns.last()?, *lines.first()?, *lines.last()?].map(|pixel| pixel as f64))
    }

    #[test]
    fn text_is_at_its_anchor() {
        // DejaVu's digits are 0.636 of the size wide and 0.73 high, with some white on both sides.
        let (width, height) = (8.0 * 0.636 * 20.0, 0.73 * 20.0);
        for (anchor, left) in [(Anchor::Start, 0.0), (Anchor::Middle, -width / 2.0), (Anchor::End, -width)] {
            let flat = [200.0 + left, 200.0 + left + width, 200.0 - height, 200.0];
            let up = [200.0 - height, 200.0, 200.0 - left - width, 200.0 - left];
            for (along, expected) in [(TO_THE_RIGHT, flat), (UPWARDS, up)] {
                let got = extent(&drawn("80808088", anchor, along)).unwrap();
                assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 3.0), "{got:?}, expected {expected:?}");
            }
        }
    }

    /// What our captions need, and letters of several scripts, have signs of their own; a character that the font lacks has one too.
    #[test]
    fn characters_have_signs() {
        let one = |c: &str| drawn(c, Anchor::Start, TO_THE_RIGHT);
        let lacking = one("\u{4e2d}");
        assert!(extent(&lacking).is_some());
        for c in "0123456789,.-−±²√σ·()/=<&é\u{416}\u{5d0}\u{fffd}".chars() {
            assert_ne!(one(&c.to_string()), lacking, "{c}");
        }
        assert_eq!(extent(&one(" \u{a0}")), None);
        // The inside of a digit is paper.
        assert_eq!(one("0")[192][3 * 206..][..3], [255; 3]);
    }
}
