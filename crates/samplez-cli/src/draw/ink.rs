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
/// The background.
pub const PAPER: &str = "#ffffff";
/// Bands behind the data, the outer and the inner.
pub const BANDS: [&str; 2] = ["#f1f1f1", "#e2e2e2"];

/// Colours of Okabe and Ito, which people who see colours differently can tell apart.
pub const COLOURS: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

/// What colours become where the reader prefers dark pages; the others are read on both.
const DARK: [(&str, &str); 10] = [
    (PAPER, "#16181c"),
    (INK, "#eaeaea"),
    (SOFT_INK, "#b0b0b0"),
    (GRID, "#3a3d44"),
    (BANDS[0], "#202329"),
    (BANDS[1], "#2b2f36"),
    (BLUE, "#2f6c96"),
    (VERMILION, "#ff9d57"),
    (COLOURS[0], "#6db9ec"),
    (COLOURS[2], "#4fcfa6"),
];

/// The style of a picture whose colours are attributes: on dark screens others replace them, on paper and for
/// readers without style sheets they stay.
///
/// ```
/// assert!(samplez_cli::testing::draw::dark().contains("[fill=\"#ffffff\"]{fill:#16181c}"));
/// ```
pub fn dark() -> String {
    let rules =
        DARK.map(|(light, dark)| format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}\n"));
    format!("<style>@media screen and (prefers-color-scheme:dark){{\n{}}}</style>", rules.concat())
}

/// Text as SVG and HTML require it: no markup, no control characters.
///
/// ```
/// assert_eq!(samplez_cli::testing::draw::escaped("<b>&\u{1b}[31m"), "&lt;b&gt;&amp;\u{fffd}[31m");
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
