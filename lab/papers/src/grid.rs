//! Findings as a reader wants them: one by one, or many of a kind as one table of names by names.

use crate::finding::{Finding, Ours};

/// What stands between the name of a grid's row and that of its column in a finding's quantity.
pub(crate) const CROSS: &str = " × ";

/// Findings of one kind: the same unit and the same terms, each named by a row and a column.
pub(crate) struct Grid<'a> {
    pub(crate) unit: &'a str,
    pub(crate) terms: &'a str,
    pub(crate) rows: Vec<&'a str>,
    pub(crate) columns: Vec<&'a str>,
    cells: Vec<(&'a str, &'a str, &'a Finding)>,
}

impl<'a> Grid<'a> {
    /// Those that stand for themselves, and the grids of all others, both in the findings' order.
    pub(crate) fn split(findings: &'a [Finding]) -> (Vec<&'a Finding>, Vec<Grid<'a>>) {
        let (mut single, mut grids) = (Vec::new(), Vec::<Grid<'a>>::new());
        for finding in findings {
            let Some((row, column)) = finding.quantity.split_once(CROSS) else {
                single.push(finding);
                continue;
            };
            let (unit, terms) = (finding.unit.as_str(), finding.terms.as_str());
            let at = grids.iter().position(|grid| (grid.unit, grid.terms) == (unit, terms)).unwrap_or_else(|| {
                grids.push(Grid { unit, terms, rows: Vec::new(), columns: Vec::new(), cells: Vec::new() });
                grids.len() - 1
            });
            let grid = &mut grids[at];
            for (name, names) in [(row, &mut grid.rows), (column, &mut grid.columns)] {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            grid.cells.push((row, column, finding));
        }
        (single, grids)
    }

    /// The numbers of a row, each beside its column, where that is one.
    pub(crate) fn numbers(&self, row: &str) -> Vec<(f64, f64)> {
        let number = |column: &&str| match self.cell(row, column)?.ours {
            Ours::Number(ours) => Some((column.parse().ok()?, ours)),
            _ => None,
        };
        self.columns.iter().filter_map(number).collect()
    }

    /// What stands in a row and a column.
    pub(crate) fn cell(&self, row: &str, column: &str) -> Option<&'a Finding> {
        self.cells.iter().find(|(r, c, _)| (*r, *c) == (row, column)).map(|(.., finding)| *finding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Ours;

    #[test]
    fn findings_of_a_kind_are_a_grid() {
        let finding = |quantity: &str, unit: &str, ours| Finding {
            item: "I".into(),
            quantity: quantity.into(),
            terms: "t".into(),
            ours: Ours::Number(ours),
            unit: unit.into(),
            ..Finding::default()
        };
        let findings = [
            finding("a × x", "bytes", 1.0),
            finding("single", "bytes", 2.0),
            finding("a × y", "bytes", 3.0),
            finding("b × y", "bytes", 4.0),
            finding("a × x", "times", 5.0),
        ];
        let (single, grids) = Grid::split(&findings);
        assert_eq!(single, [&findings[1]]);
        assert_eq!(grids.len(), 2);
        assert_eq!((&grids[0].rows, &grids[0].columns), (&vec!["a", "b"], &vec!["x", "y"]));
        assert_eq!(grids[0].cell("b", "y"), Some(&findings[3]));
        assert_eq!(grids[0].cell("b", "x"), None);
        assert_eq!(grids[1].cell("a", "x"), Some(&findings[4]));
        let findings = [finding("a × 10", "bytes", 1.0), finding("a × y", "bytes", 3.0)];
        assert_eq!(Grid::split(&findings).1[0].numbers("a"), [(10.0, 1.0)]);
    }
}
