//! Outlines filled on a grid of pixels, with smooth edges.
//!
//! An edge adds to each pixel that it crosses the area to its right, signed by its direction. The sums from the left
//! along a row are then the share of each pixel that the outline covers.

use super::marks::Point;
use std::f64::consts::SQRT_2;

/// A colour: red, green, blue.
pub(super) type Colour = [u8; 3];

/// A picture that is being drawn.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    /// Red, green and blue of each pixel, row by row.
    pixels: Vec<u8>,
    /// The sums that the edges of the open outlines add; a column more than the picture has.
    areas: Vec<f64>,
    /// The rows that the open outlines touch.
    rows: std::ops::Range<usize>,
    /// All outlines so far as a page of a PDF, then the open ones.
    #[cfg(feature = "testing")]
    page: [String; 2],
}

impl Canvas {
    /// A picture of one colour.
    pub(super) fn new(width: usize, height: usize, paper: Colour) -> Canvas {
        Canvas {
            width,
            height,
            pixels: paper.repeat(width * height),
            areas: vec![0.0; (width + 1) * height],
            rows: height..0,
            #[cfg(feature = "testing")]
            page: Default::default(),
        }
    }

    /// The pixels of each row.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.pixels.chunks_exact(3 * self.width)
    }

    /// What a page of a PDF has to fill, in pixels from the top.
    #[cfg(feature = "testing")]
    pub(super) fn page(&self) -> &str {
        &self.page[0]
    }

    /// Adds a closed outline, which the next [`Canvas::fill`] fills together with all others since the last. Outlines of
    /// one direction are joined; a smaller one of the other direction is a hole.
    pub(super) fn outline(&mut self, points: &[Point]) {
        #[cfg(feature = "testing")]
        super::pdf::outline(&mut self.page[1], points);
        for (i, from) in points.iter().enumerate() {
            self.edge(*from, points[(i + 1) % points.len()]);
        }
    }

    /// Adds a disc.
    pub(super) fn disc(&mut self, (x, y): Point, radius: f64) {
        // Eight arcs of parabolas, which leave the circle by less than a thousandth of the radius.
        let (d, t) = (radius / SQRT_2, radius * (SQRT_2 - 1.0));
        let around = [(radius, 0.0), (d, d), (0.0, radius), (-d, d), (-radius, 0.0), (-d, -d), (0.0, -radius), (d, -d)];
        let corners = [(radius, t), (t, radius), (-t, radius), (-radius, t)];
        let corner = |i: usize| if i < 4 { corners[i] } else { (-corners[i - 4].0, -corners[i - 4].1) };
        let mut points = Vec::new();
        for i in 0..8 {
            parabola(&mut points, around[i], corner(i), around[(i + 1) % 8]);
        }
        points.iter_mut().for_each(|p| *p = (p.0 + x, p.1 + y));
        self.outline(&points);
    }

    /// Adds a line of this width, which ends at its points.
    pub(super) fn line(&mut self, from: Point, to: Point, width: f64) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = (dx * dx + dy * dy).sqrt();
        if length == 0.0 {
            return;
        }
        let (nx, ny) = (-dy / length * width / 2.0, dx / length * width / 2.0);
        // In the direction of a disc's outline, so that both are joined.
        self.outline(&[
            (from.0 - nx, from.1 - ny),
            (to.0 - nx, to.1 - ny),
            (to.0 + nx, to.1 + ny),
            (from.0 + nx, from.1 + ny),
        ]);
    }

    /// Fills the outlines, and forgets them.
    pub(super) fn fill(&mut self, colour: Colour) {
        #[cfg(feature = "testing")]
        super::pdf::fill(&mut self.page, colour);
        for row in std::mem::replace(&mut self.rows, self.height..0) {
            let areas = &mut self.areas[row * (self.width + 1)..][..self.width + 1];
            let pixels = &mut self.pixels[row * 3 * self.width..][..3 * self.width];
            let mut sum = 0.0_f64;
            for (pixel, area) in pixels.chunks_exact_mut(3).zip(areas.iter()) {
                sum += area;
                let cover = sum.abs().min(1.0);
                // Below a quarter of a step of the colours: nothing but the rounding of the sums.
                if cover > 1e-3 {
                    for (old, new) in pixel.iter_mut().zip(colour) {
                        *old = (f64::from(*old) + (f64::from(new) - f64::from(*old)) * cover).round() as u8;
                    }
                }
            }
            areas.fill(0.0);
        }
    }

    /// Adds an edge. Beyond the sides of the picture it runs along them.
    fn edge(&mut self, from: Point, to: Point) {
        let (top, bottom, sign) = if from.1 < to.1 { (from, to, 1.0) } else { (to, from, -1.0) };
        let (start, end) = (top.1.max(0.0), bottom.1.min(self.height as f64));
        if start >= end {
            return;
        }
        let slope = (bottom.0 - top.0) / (bottom.1 - top.1);
        let width = self.width as f64;
        let at = |y: f64| (top.0 + slope * (y - top.1)).clamp(0.0, width);
        let rows = start as usize..(end.ceil() as usize).min(self.height);
        self.rows = self.rows.start.min(rows.start)..self.rows.end.max(rows.end);
        for row in rows {
            let (y0, y1) = (start.max(row as f64), end.min(row as f64 + 1.0));
            let (a, b) = (at(y0), at(y1));
            self.cross(row, a.min(b), a.max(b), sign * (y1 - y0));
        }
    }

    /// Adds to one row what an edge between the columns `left` and `right` adds, `height` of the row high.
    fn cross(&mut self, row: usize, left: f64, right: f64, height: f64) {
        let areas = &mut self.areas[row * (self.width + 1)..][..self.width + 1];
        let (first, last) = (left as usize, right as usize);
        // The share of the edge's height that lies left of a column.
        let share = |column: usize| ((column as f64 - left) / (right - left)).clamp(0.0, 1.0);
        for column in first..=last.min(self.width) {
            let (part, middle) = if first == last {
                (height, (left + right) / 2.0)
            } else {
                let (x0, x1) = (left.max(column as f64), right.min(column as f64 + 1.0));
                (height * (share(column + 1) - share(column)), (x0 + x1) / 2.0)
            };
            let beside = part * (middle - column as f64);
            areas[column] += part - beside;
            if column < self.width {
                areas[column + 1] += beside;
            }
        }
    }
}

/// Appends points of the parabola from `a` to `c` with the control point `b`, without `c`.
pub(super) fn parabola(points: &mut Vec<Point>, a: Point, b: Point, c: Point) {
    const PIECES: u32 = 6;
    points.extend((0..PIECES).map(|i| {
        let t = f64::from(i) / f64::from(PIECES);
        let at = |a: f64, b: f64, c: f64| (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
        (at(a.0, b.0, c.0), at(a.1, b.1, c.1))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: usize = 40;

    /// Draws black on white; returns how much ink each pixel has, as shares.
    fn ink(draw: impl Fn(&mut Canvas)) -> Vec<Vec<f64>> {
        let mut canvas = Canvas::new(WIDE, 30, [255; 3]);
        draw(&mut canvas);
        canvas.fill([0; 3]);
        canvas.rows().map(|row| row.chunks(3).map(|pixel| 1.0 - f64::from(pixel[0]) / 255.0).collect()).collect()
    }

    fn total(ink: &[Vec<f64>]) -> f64 {
        ink.iter().flatten().sum()
    }

    #[test]
    fn edges_cover_shares_of_pixels() {
        let box_of = |x0, y0, x1, y1| ink(|c| c.outline(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]));
        let picture = box_of(3.25, 5.0, 6.5, 7.5);
        for (row, expected) in [(4, [0.0; 5]), (5, [0.0, 0.75, 1.0, 1.0, 0.5]), (7, [0.0, 0.375, 0.5, 0.5, 0.25])] {
            for (got, expected) in picture[row][2..7].iter().zip(expected) {
                assert!((got - expected).abs() < 0.003, "row {row}: {got}, expected {expected}");
            }
        }
        // Beyond the sides nothing is drawn, and nothing else is moved.
        assert_eq!(total(&box_of(-9.0, -9.0, 90.0, 90.0)), WIDE as f64 * 30.0);
        assert_eq!(total(&box_of(-9.0, -9.0, 2.0, 3.0)), 6.0);
        assert_eq!(total(&box_of(-9.0, 40.0, 2.0, 50.0)) + total(&box_of(50.0, 4.0, 60.0, 5.0)), 0.0);
    }

    #[test]
    fn areas_are_those_of_geometry() {
        let near =
            |ink: Vec<Vec<f64>>, area: f64| assert!((total(&ink) - area).abs() < 0.4, "{} for {area}", total(&ink));
        near(ink(|c| c.disc((15.3, 14.8), 9.0)), std::f64::consts::PI * 81.0);
        near(ink(|c| c.outline(&[(2.0, 3.0), (30.0, 9.0), (11.0, 27.0)])), 0.5 * (28.0 * 24.0 - 9.0 * 6.0));
        for to in [(33.0, 24.0), (3.0, 24.0), (33.0, 4.0), (1.0, 4.0)] {
            let length = ((to.0 - 5.0_f64).powi(2) + (to.1 - 4.0_f64).powi(2)).sqrt();
            near(ink(|c| c.line((5.0, 4.0), to, 2.5)), 2.5 * length);
        }
        assert_eq!(total(&ink(|c| c.line((5.0, 4.0), (5.0, 4.0), 2.0))), 0.0);
    }

    /// Lines and discs are joined without a darker seam, and an outline the other way round is a hole.
    #[test]
    fn outlines_are_joined() {
        let disc = total(&ink(|c| c.disc((15.0, 15.0), 8.0)));
        for (to, more) in [(10.0, 0.0), (1.0, 4.0 * 6.0)] {
            let both = ink(|c| {
                c.disc((15.0, 15.0), 8.0);
                c.line((15.0, 15.0), (15.0, to), 4.0);
            });
            assert!((total(&both) - disc - more).abs() < 0.6, "{} for {disc} + {more}", total(&both));
        }
        let square = |a: f64, b: f64| [(a, a), (b, a), (b, b), (a, b)];
        let ring = ink(|c| {
            c.outline(&square(2.0, 20.0));
            let mut hole = square(6.0, 16.0);
            hole.reverse();
            c.outline(&hole);
        });
        assert_eq!((total(&ring), ring[10][10], ring[10][4]), (224.0, 0.0, 1.0));
    }
}
