//! Texts for the reader.

use crate::failure::Failure;
use crate::output::Output;
use samplez::DiscreteGaussian;

/// The law as pictures write it.
pub(crate) fn symbols(law: &DiscreteGaussian) -> String {
    law.to_string().replace("sigma^2", "σ²").replace("sigma", "σ").replace("center", "c")
}

/// Prints a finished text on standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = Output::stdout();
    output.write(text.as_bytes())?;
    output.finish()
}

/// Rows as aligned columns, two spaces apart; the columns whose number is in `right` end at
/// their right edge.
pub(crate) fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
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

#[cfg(test)]
mod tests {
    #[test]
    fn columns_align() {
        let rows = [vec!["σ".to_string(), "1".into(), "x".into()], vec!["name".into(), "10".into()]];
        assert_eq!(super::columns(&rows, &[1]), "σ      1  x\nname  10\n");
    }
}
