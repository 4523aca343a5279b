//! Texts for the reader.

use std::fmt::Display;

/// The law as pictures write it.
///
/// ```
/// let law = samplez::DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// assert_eq!(samplez_cli::testing::text::symbols(&law), "D_Z(σ = 16/5, c = 0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn symbols(law: &impl Display) -> String {
    law.to_string().replace("sigma^2", "σ²").replace("sigma", "σ").replace("center", "c")
}

/// Rows as aligned columns, two spaces apart; the columns whose number is in `right` end at
/// their right edge.
///
/// ```
/// let rows = [["σ", "1", "x"], ["name", "10", ""]].map(|row| row.map(String::from).to_vec());
/// assert_eq!(samplez_cli::testing::text::columns(&rows, &[1]), "σ      1  x\nname  10\n");
/// ```
pub fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| rows.iter().filter_map(|r| r.get(column)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(wide).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            if right.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// 1234567 as `1,234,567`.
///
/// ```
/// assert_eq!(samplez_cli::testing::text::grouped(-1_234_567), "-1,234,567");
/// ```
pub fn grouped(number: impl Into<i128>) -> String {
    let number: i128 = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = if number < 0 { "-".to_string() } else { String::new() };
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three digits that mean something.
///
/// ```
/// assert_eq!([1.0, 10.0, 100.0].map(samplez_cli::testing::text::rate), ["1.00", "10.0", "100"]);
/// ```
pub fn rate(speed: f64) -> String {
    let decimals = if speed < 10.0 { 2 } else { usize::from(speed < 100.0) };
    format!("{speed:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn groups_of_three() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (100_000, "100,000")]
        {
            assert_eq!(grouped(number), text);
        }
    }
}
