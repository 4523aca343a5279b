//! The picture in a terminal, in Unicode blocks: one line for each bin.

use super::Caption;
use super::histogram::Histogram;
use crate::numbers::grouped;
use std::fmt::Write;

/// Lines that the bins take, at most.
pub(crate) const MAX_LINES: usize = 41;

/// Columns of the longest bar.
const BAR: usize = 44;

/// Columns on either side of the residuals' zero: one for each unit up to ±5.
const REACH: usize = 5;

/// The whole picture.
pub(crate) fn draw(histogram: &Histogram, caption: &Caption) -> String {
    let h = histogram;
    let heading = if h.bins[0].width() == 1.0 { "x" } else { "x from" };
    let labels: Vec<String> = h.bins.iter().map(|b| grouped(b.low)).collect();
    let wide = labels.iter().map(String::len).max().unwrap_or(0).max(heading.len());
    let highest = h.bins.iter().map(|b| b.expected.max(b.observed as f64)).fold(0.0, f64::max);
    let mut out = String::new();
    // Writing to a `String` does not fail.
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = out.write_fmt(text);
        out.push('\n');
    };
    line(format_args!("{} samples of {} against {}", grouped(h.total), caption.file, caption.law));
    line(format_args!("{heading:>wide$}  {:BAR$}  -4-2 0 2 4", "█ samples  ┃ exact law"));
    for (index, bin) in h.bins.iter().enumerate() {
        let bar = bar(bin.observed as f64 / highest, bin.expected / highest);
        let residual = h.residuals.iter().find(|r| r.bins.contains(&index));
        let residual = residual.map_or(String::new(), |r| {
            // A group of bins has one residual, shown on the line in its middle.
            let middle = (r.bins.start() + r.bins.end()) / 2;
            if middle == index { dots(r.value) } else { String::new() }
        });
        line(format_args!("{:>wide$}  {bar}  {residual}", labels[index]));
    }
    let outside = match h.outside {
        (0, 0) => String::new(),
        (below, above) => format!("; {} samples below and {} above the picture", grouped(below), grouped(above)),
    };
    line(format_args!("residuals: (observed - expected)/√expected; the largest is {:.2}{outside}", h.worst()));
    out
}

/// A bar of `BAR` columns in eighths, with a mark where the law expects its end. Both are
/// fractions of the longest bar.
fn bar(observed: f64, expected: f64) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (observed * (BAR * 8) as f64).round() as usize;
    let mark = ((expected * BAR as f64) as usize).min(BAR - 1);
    let column = |at: usize| match eighths.saturating_sub(8 * at) {
        _ if at == mark => '┃',
        n => EIGHTHS.get(n).copied().unwrap_or('█'),
    };
    (0..BAR).map(column).collect()
}

/// A dot on a scale from -5 to 5 with a mark at 0; an arrow for what lies beyond.
fn dots(value: f64) -> String {
    let reach = REACH as f64;
    let at = (value.clamp(-reach, reach) + reach).round() as usize;
    let dot = if value.abs() <= reach {
        '●'
    } else if value < 0.0 {
        '◀'
    } else {
        '▶'
    };
    let mut text: String = (0..=2 * REACH)
        .map(|i| {
            if i == at {
                dot
            } else if i == REACH {
                '│'
            } else {
                ' '
            }
        })
        .collect();
    let _ = write!(text, " {value:+.1}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_their_length_and_their_mark() {
        for (observed, expected) in [(0.0, 0.0), (0.5, 0.5), (1.0, 0.97), (0.3, 1.0)] {
            let text = bar(observed, expected);
            assert_eq!(text.chars().count(), BAR);
            assert_eq!(text.chars().filter(|c| *c == '┃').count(), 1);
        }
        assert_eq!(bar(1.0, 0.0).chars().filter(|c| *c == '█').count(), BAR - 1);
        assert!(bar(0.0, 0.0).chars().skip(1).all(|c| c == ' '));
    }

    #[test]
    fn residuals_point_where_they_lie() {
        assert_eq!(dots(0.2), "     ●      +0.2");
        assert_eq!(dots(-3.0), "  ●  │      -3.0");
        assert_eq!(dots(77.0), "     │    ▶ +77.0");
        assert_eq!(dots(-77.0), "◀    │      -77.0");
    }
}
