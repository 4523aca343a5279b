//! What every picture has in common: colours, and text that stays text.

/// Light blue, for guides and bars: the sky blue below on white, at two thirds.
pub const BLUE: &str = "#8dcbf0";
/// What fails.
pub const VERMILION: &str = "#d55e00";
/// Text.
pub const INK: &str = "#222222";
/// Text beside it.
pub const SOFT_INK: &str = "#5c5c5c";
/// Lines behind the data.
pub const GRID: &str = "#e4e4e4";

/// Colours of Okabe and Ito, which people who see colours differently can tell apart.
pub(crate) const COLOURS: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

/// Text as SVG and HTML want it: no markup, no control characters.
///
/// ```
/// assert_eq!(samplez_lab::plot::escaped("<b>&\u{1b}[31m"), "&lt;b&gt;&amp;\u{fffd}[31m");
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
