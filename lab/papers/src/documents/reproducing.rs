//! The table of docs/reproducing.md: each figure and table of the papers, its item, and its charts.

use super::markdown::table;
use super::sources::replaced;
use crate::error::LabError;
use crate::numbered::Numbered;
use crate::plot::Chart;

/// Fills what stands between the markers.
pub(super) fn filled(charts: &[(&str, String, Chart)], text: &str) -> Result<String, LabError> {
    let row = |one: &Numbered| {
        let of_item = charts.iter().filter(|(item, ..)| *item == one.item.id);
        let links = of_item.map(|(_, file, chart)| format!("[{}](images/report/{file})", chart.title));
        let links: Vec<String> = links.collect();
        let what = if links.is_empty() { one.title().to_owned() } else { links.join("; ") };
        vec![format!("[{}] {}", one.paper, one.picture), one.item.id.clone(), what]
    };
    let rows: Vec<Vec<String>> = Numbered::all().map_err(LabError::Input)?.iter().map(row).collect();
    let made = table(&["figure or table", "item", "shows"], &rows, false);
    replaced(text, "figures", &made)
        .ok_or_else(|| LabError::Input("docs/reproducing.md: no markers of the table figures".into()))
}
