//! Markdown.

/// A cell of a table in Markdown.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

/// A table in Markdown; the columns after the first are numbers where `numbers`.
pub(super) fn table(head: &[&str], rows: &[Vec<String>], numbers: bool) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|name| cell(name)).collect();
    let rule = (0..head.len()).map(|column| if numbers && column > 0 { "--:" } else { "---" });
    let rule = format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
    let rows: String = rows.iter().map(|row| line(&row.iter().map(|text| cell(text)).collect::<Vec<_>>())).collect();
    format!("{}{rule}{rows}", line(&head))
}
