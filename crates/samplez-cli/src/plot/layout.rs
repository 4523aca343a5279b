//! The layout of a picture: the histogram over the exact law, and the residuals below.

use super::Caption;
use super::histogram::Histogram;
use super::marks::{Anchor, Mark, Picture, Point, WIDTH};
use crate::draw::{BANDS, BLUE, GRID, INK, SOFT_INK, VERMILION, label, step as round_step};
use crate::numbers::grouped;

const LEFT: f64 = 92.0;
const RIGHT: f64 = 936.0;
const TOP_PANEL: (f64, f64) = (96.0, 396.0);
const LOW_PANEL: (f64, f64) = (428.0, 572.0);

// Of Okabe and Ito, as the colours of all pictures.
const DARK_BLUE: &str = "#0072b2";

/// Bins up to which the law is drawn as points; a line above.
const POINTS_UP_TO: usize = 80;

/// Lays the whole picture out.
pub(crate) fn lay_out(histogram: &Histogram, caption: &Caption) -> Picture {
    let mut layout = Layout { marks: Vec::new(), histogram };
    let title = layout.heading(caption);
    layout.densities();
    layout.residuals();
    layout.x_axis();
    Picture { title, marks: layout.marks }
}

struct Layout<'a> {
    marks: Vec<Mark>,
    histogram: &'a Histogram,
}

impl Layout<'_> {
    /// Draws the two lines above, and returns the first.
    fn heading(&mut self, caption: &Caption) -> String {
        let h = self.histogram;
        let title = format!("{} samples against {}", grouped(h.total), caption.law);
        self.text((LEFT, 36.0), Anchor::Start, INK, fitting(19.0, &title), &title);
        let outside = match h.outside {
            (0, 0) => String::new(),
            (below, above) => format!("; {} left and {} right of the picture", grouped(below), grouped(above)),
        };
        let residuals = "residual = (observed − expected)/√expected";
        let line = format!("{}   ·   {residuals}, at most ±{:.2}{outside}", caption.file, h.worst());
        self.text((LEFT, 60.0), Anchor::Start, SOFT_INK, fitting(13.0, &line), &line);
        title
    }

    fn text(&mut self, at: Point, anchor: Anchor, fill: &'static str, size: f64, text: &str) {
        self.marks.push(Mark::Text { at, anchor, fill, size, upright: false, text: text.to_string() });
    }

    fn line(&mut self, from: Point, to: Point, stroke: &'static str, width: f64) {
        self.marks.push(Mark::Line { points: vec![from, to], stroke, width });
    }

    fn rect(&mut self, corner: Point, size: Point, fill: &'static str, crisp: bool) {
        self.marks.push(Mark::Rect { corner, size, fill, crisp });
    }

    fn disc(&mut self, middle: Point, radius: f64, fill: &'static str) {
        self.marks.push(Mark::Disc { middle, radius, fill });
    }

    /// A label beside the vertical axis, read from below.
    fn upright(&mut self, panel: Point, text: &str) {
        let at = (24.0, (panel.0 + panel.1) / 2.0);
        let text = text.to_string();
        self.marks.push(Mark::Text { at, anchor: Anchor::Middle, fill: SOFT_INK, size: 13.0, upright: true, text });
    }

    /// Where the bin boundary before bin `index` lies; bins are equally wide in the picture.
    fn x(&self, index: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * index / self.histogram.bins.len() as f64
    }

    fn densities(&mut self) {
        let h = self.histogram;
        let scale = |count: f64, width: f64| count / (h.total as f64 * width);
        let observed: Vec<f64> = h.bins.iter().map(|b| scale(b.observed as f64, b.width())).collect();
        let exact: Vec<f64> = h.bins.iter().map(|b| scale(b.expected, b.width())).collect();
        let highest = observed.iter().chain(&exact).fold(0.0, |a: f64, b| a.max(*b));
        let step = round_step(highest, 7.5);
        let top = (highest / step * 1.04).ceil() * step;
        let (y_top, y_zero) = TOP_PANEL;
        let y = |value: f64| y_zero - (y_zero - y_top) * value / top;
        for i in 0..=(top / step).round() as u32 {
            let value = f64::from(i) * step;
            self.line((LEFT, y(value)), (RIGHT, y(value)), GRID, 1.0);
            self.text((LEFT - 10.0, y(value) + 4.5), Anchor::End, SOFT_INK, 12.0, &label(value, step));
        }
        self.upright(TOP_PANEL, if h.bins[0].width() == 1.0 { "probability" } else { "probability of each integer" });
        let gap = if observed.len() <= POINTS_UP_TO { 0.1 } else { 0.0 };
        for (i, value) in observed.iter().enumerate() {
            let (left, mut right) = (self.x(i as f64 + gap), self.x(i as f64 + 1.0 - gap));
            if gap == 0.0 {
                right += 0.5; // neighbours overlap, so that rounding to pixels leaves no seam
            }
            let height = y_zero - y(*value);
            self.rect((left, y(*value)), (right - left, height), BLUE, true);
        }
        let middles: Vec<(f64, f64)> = exact.iter().enumerate().map(|(i, v)| (self.x(i as f64 + 0.5), y(*v))).collect();
        if middles.len() <= POINTS_UP_TO {
            for middle in middles {
                self.disc(middle, 3.4, VERMILION);
            }
        } else {
            self.marks.push(Mark::Line { points: middles, stroke: VERMILION, width: 2.0 });
        }
        self.line((LEFT, y_zero), (RIGHT, y_zero), SOFT_INK, 1.0);
        self.legend();
    }

    fn legend(&mut self) {
        let (x, y) = (RIGHT - 126.0, TOP_PANEL.0 + 18.0);
        self.rect((x - 6.0, y - 10.0), (12.0, 12.0), BLUE, false);
        self.text((x + 16.0, y), Anchor::Start, INK, 13.0, "samples");
        if self.histogram.bins.len() <= POINTS_UP_TO {
            self.disc((x, y + 18.0), 3.4, VERMILION);
        } else {
            self.line((x - 7.0, y + 18.0), (x + 7.0, y + 18.0), VERMILION, 2.0);
        }
        self.text((x + 16.0, y + 22.5), Anchor::Start, INK, 13.0, "exact law");
    }

    fn residuals(&mut self) {
        let h = self.histogram;
        let reach = (h.worst() * 1.1).max(4.5);
        let (y_top, y_bottom) = LOW_PANEL;
        let y = |value: f64| (y_top + y_bottom) / 2.0 - (y_bottom - y_top) / 2.0 * value / reach;
        for (band, colour) in [4.0, 2.0].into_iter().zip(BANDS) {
            self.rect((LEFT, y(band)), (RIGHT - LEFT, y(-band) - y(band)), colour, false);
        }
        let step = if reach <= 9.0 { 2.0 } else { round_step(2.0 * reach, 5.0) };
        let most = (reach / step).floor() as i32;
        for i in -most..=most {
            let value = f64::from(i) * step;
            self.text((LEFT - 10.0, y(value) + 4.5), Anchor::End, SOFT_INK, 12.0, &label(value, step));
            self.line((LEFT - 5.0, y(value)), (LEFT, y(value)), SOFT_INK, 1.0);
        }
        self.line((LEFT, y(0.0)), (RIGHT, y(0.0)), SOFT_INK, 1.0);
        self.upright(LOW_PANEL, "residual");
        for residual in &h.residuals {
            let (start, end) = (*residual.bins.start() as f64, *residual.bins.end() as f64 + 1.0);
            let (x, at) = (self.x((start + end) / 2.0), y(residual.value));
            let colour = if residual.value.abs() > 4.0 { VERMILION } else { DARK_BLUE };
            self.line((x, y(0.0)), (x, at), colour, 1.2);
            if end - start > 1.0 {
                self.line((self.x(start + 0.1), at), (self.x(end - 0.1), at), colour, 1.2); // a group: how far it reaches
            }
            self.disc((x, at), 3.0, colour);
        }
    }

    fn x_axis(&mut self) {
        let bins = &self.histogram.bins;
        let (low, high) = (bins[0].low, bins[bins.len() - 1].high);
        let span = high.abs_diff(low) as f64 + 1.0;
        let longest = grouped(low).len().max(grouped(high).len()) as f64;
        let most = ((RIGHT - LEFT) / (longest * 8.0 + 24.0)).clamp(1.0, 16.0);
        let step = round_step(span, most).max(1.0) as i128;
        let y = LOW_PANEL.1;
        self.line((LEFT, y), (RIGHT, y), SOFT_INK, 1.0);
        let mut tick = i128::from(low).div_euclid(step) * step;
        while tick <= i128::from(high) {
            if tick >= i128::from(low) {
                // The middle of the integer, on a scale where all integers are equally wide.
                let x = LEFT + (RIGHT - LEFT) * ((tick - i128::from(low)) as f64 + 0.5) / span;
                self.line((x, y), (x, y + 5.0), SOFT_INK, 1.0);
                self.line((x, TOP_PANEL.1), (x, TOP_PANEL.1 + 5.0), SOFT_INK, 1.0);
                let text = grouped(tick);
                self.text((within(x, &text), y + 21.0), Anchor::Middle, SOFT_INK, 12.0, &text);
            }
            tick += step;
        }
        let width = bins[0].high.abs_diff(bins[0].low) as i128 + 1;
        let label = if width == 1 { "x".to_string() } else { format!("x, in bins of {} integers", grouped(width)) };
        self.text(((LEFT + RIGHT) / 2.0, y + 48.0), Anchor::Middle, SOFT_INK, 13.0, &label);
    }
}

/// Returns the place nearest to `x` where the middle of a label of size 12 leaves the whole label within the picture.
fn within(x: f64, text: &str) -> f64 {
    let half = 0.5 * 12.0 * 0.64 * text.chars().count() as f64 + 2.0;
    x.clamp(half, WIDTH - half)
}

/// The size at which `text` fits into the picture, at most `size`; a character is taken for 0.6
/// of its size wide.
fn fitting(size: f64, text: &str) -> f64 {
    ((RIGHT - LEFT) / (0.6 * text.chars().count() as f64)).min(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_end_within_the_picture() {
        assert_eq!(within(500.0, "-4,000,000,000,000"), 500.0);
        let (left, right) = (within(3.0, "-4,000"), within(959.0, "4,000,000,000,000"));
        // DejaVu's digits are 0.64 of the size wide, its commas half of that.
        let half = |digits: f64, commas: f64| 0.5 * 12.0 * 0.64 * (digits + 0.5 * commas);
        assert!(left > half(5.0, 1.0) && right < WIDTH - half(13.0, 4.0));
    }
}
