//! The parts of a picture.

/// The size of a picture.
pub(super) const WIDTH: f64 = 960.0;
pub(super) const HEIGHT: f64 = 640.0;

/// A title, and marks from back to front.
pub(crate) struct Picture {
    pub(super) title: String,
    pub(super) marks: Vec<Mark>,
}

/// A place in the picture; the first coordinate runs to the right, the second down.
pub(super) type Point = (f64, f64);

/// Colours are written `#rrggbb`.
pub(super) enum Mark {
    Rect {
        corner: Point,
        size: Point,
        fill: &'static str,
        /// Edges on whole pixels, so that neighbours leave no seam.
        crisp: bool,
    },
    Disc {
        middle: Point,
        radius: f64,
        fill: &'static str,
    },
    /// A line through these points, at least two.
    Line {
        points: Vec<Point>,
        stroke: &'static str,
        width: f64,
    },
    Text {
        at: Point,
        anchor: Anchor,
        fill: &'static str,
        size: f64,
        /// Read from below.
        upright: bool,
        text: String,
    },
}

/// The part of a text that is at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}
