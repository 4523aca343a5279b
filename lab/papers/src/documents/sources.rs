//! The tables of docs/sources-measured.md.

use super::markdown::table;
use super::run::Run;
use crate::data::csv;
use crate::error::LabError;
use crate::grid::Grid;
use crate::papers::bare;

/// Fills what stands between the markers of each table; of dieharder there are the lines of docs/report/dieharder.csv.
pub(super) fn filled(run: &Run, dieharder: &str, text: &str) -> Result<String, LabError> {
    let mut text = text.to_owned();
    let mut all = vec![("dieharder", of_csv(dieharder)?)];
    for (name, item) in [("speeds", "S6"), ("state", "S12")] {
        all.push((name, grids(run, item)?));
    }
    for (name, made) in all {
        text = replaced(&text, name, &made)
            .ok_or_else(|| LabError::Input(format!("docs/sources-measured.md: no markers of the table {name}")))?;
    }
    Ok(text)
}

/// A table of comma-separated values, whose first line has the columns' names.
fn of_csv(text: &str) -> Result<String, LabError> {
    let head = text.lines().next().unwrap_or_default();
    let rows = csv::rows(text, head).map_err(|why| LabError::Input(format!("docs/report/dieharder.csv: {why}")))?;
    let names: Vec<String> =
        head.split(',').zip(0..).map(|(name, i)| if i > 0 { format!("`{name}`") } else { name.into() }).collect();
    Ok(table(&names.iter().map(String::as_str).collect::<Vec<_>>(), &rows, false))
}

/// The grids of an item, and where they were measured.
fn grids(run: &Run, item: &str) -> Result<String, LabError> {
    let record =
        run.kept.of(item).next().ok_or_else(|| LabError::Input(format!("docs/report/run.jsonl: no {item}")))?;
    let mut text = String::new();
    for grid in Grid::split(&record.findings).1 {
        let head: Vec<&str> = [grid.unit].into_iter().chain(grid.columns.iter().copied()).collect();
        let row = |row: &&str| {
            let cells = grid.columns.iter().map(|column| grid.cell(row, column).map_or("–".into(), bare));
            [format!("`{row}`")].into_iter().chain(cells).collect()
        };
        let rows: Vec<Vec<String>> = grid.rows.iter().map(row).collect();
        text += &format!("{}\n{}.\n\n", table(&head, &rows, true), grid.terms);
    }
    let hurry = if record.quick { ", in a hurry" } else { "" };
    Ok(text + &format!("`{}`: {}{hurry}.\n", record.command, record.told()))
}

pub(super) fn replaced(text: &str, name: &str, table: &str) -> Option<String> {
    let opening = format!("<!-- {name}: cargo tools gen-report -->");
    let (before, rest) = text.split_once(&opening)?;
    let (_, after) = rest.split_once(&format!("<!-- /{name} -->"))?;
    Some(format!("{before}{opening}\n\n{table}\n<!-- /{name} -->{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_markers_is_replaced() {
        let text = "a\n<!-- x: cargo tools gen-report -->\nold\n<!-- /x -->\nb\n";
        assert_eq!(
            replaced(text, "x", "new\n").unwrap(),
            "a\n<!-- x: cargo tools gen-report -->\n\nnew\n\n<!-- /x -->\nb\n"
        );
        assert!(replaced(text, "y", "").is_none());
    }
}
