//! The page: one file, without a script and without the network.

use crate::data::{Claim, Item};
use crate::finding::{Finding, Rounded};
use crate::grid::Grid;
use crate::kept::{Record, Records};
use crate::papers::{PAPERS, bare, ours, stated};
use crate::plot::chart;
use crate::verdict::{Judged, Verdict};
use samplez_cli::testing::draw::escaped;
use std::fmt::Write;

const STYLE: &str = "\
:root{color-scheme:light dark;--page:#fff;--text:#1d1f23;--soft:#555;--line:#d8dade;--box:#f5f6f8;--link:#0b5cad;
--good:#0a6b3d;--bad:#a3260c;--other:#5a4a00;--none:#555}
@media (prefers-color-scheme:dark){:root{--page:#16181c;--text:#eaeaea;--soft:#b4b4b4;--line:#3a3d44;--box:#1f2228;--link:#7fbcff;
--good:#5fd79d;--bad:#ff9a83;--other:#e6c84a;--none:#b4b4b4}}
*{box-sizing:border-box}body{margin:0 auto;padding:1rem;max-width:64rem;background:var(--page);color:var(--text);
font:16px/1.5 system-ui,'Segoe UI',Verdana,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}a:focus-visible,.wide:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}
h2{margin-top:2.5rem;border-bottom:2px solid var(--line)}h3{margin:2rem 0 .3rem}
.soft{color:var(--soft);font-size:.87rem;margin:.2rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;min-width:46rem;font-size:.87rem;overflow-wrap:normal;table-layout:fixed}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
th:nth-child(1){width:34%}th:nth-child(2){width:16%}th:nth-child(3){width:16%}th:nth-child(4){width:9%}
table.grid{table-layout:auto;width:auto;min-width:0}.grid th:nth-child(n){width:auto;font-weight:400}.grid td{text-align:right}
td .soft{font-size:.8rem;overflow-wrap:anywhere}
.v{font-weight:600}.right{color:var(--good)}.misprint,.built{color:var(--bad)}.then,.hardware{color:var(--other)}.undecided,.comparable,.measured{color:var(--none)}
figure{margin:1rem 0;padding:.5rem;border:1px solid var(--line);border-radius:.4rem}figure svg{width:100%;height:auto;display:block}
figcaption{font-size:.87rem}.sum{display:flex;flex-wrap:wrap;gap:.5rem;padding:0;list-style:none}
.sum li{background:var(--box);border:1px solid var(--line);border-radius:.4rem;padding:.3rem .8rem}
@media print{:root{--page:#fff;--text:#000;--soft:#444;--line:#bbb;--box:#fff;--link:#000;--good:#000;--bad:#000;--other:#000;--none:#000}
body{max-width:none;padding:0;font-size:10pt}section,figure,tr{break-inside:avoid}.wide{overflow:visible}table{min-width:0}nav{display:none}}
";

/// Writing to a `String` does not fail.
macro_rules! put {
    ($html:expr, $($arg:tt)*) => {{
        let _ = writeln!($html, $($arg)*);
    }};
}

pub(super) fn html(items: &[Item], claims: &[Claim], kept: &Records, judged: &[Judged<'_>]) -> String {
    let mut html = String::new();
    put!(html, "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">");
    put!(html, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    put!(html, "<title>samplez: the papers' figures, measured again</title>");
    put!(html, "<link rel=\"icon\" href=\"data:,\"><style>{STYLE}{}</style></head><body>", chart::STYLE);
    head(&mut html, items, kept, judged);
    put!(html, "<main>");
    for (letter, title, machine) in PAPERS {
        put!(html, "<h2 id=\"{letter}\">{}</h2><p class=\"soft\">{}</p>", escaped(title), escaped(machine));
        for item in items.iter().filter(|item| item.id.starts_with(letter)) {
            section(&mut html, item, claims, &kept.of(&item.id).collect::<Vec<_>>(), judged);
        }
    }
    put!(html, "</main></body></html>");
    html
}

fn head(html: &mut String, items: &[Item], kept: &Records, judged: &[Judged<'_>]) {
    put!(html, "<header><h1>The papers' figures, measured again</h1>");
    put!(
        html,
        "<p>Each claim of each paper, the measurements here, and a verdict. <b class=\"right\">right</b>: it holds here. \
         <b class=\"misprint\">misprint</b>: the print is wrong. <b class=\"then\">as then built</b>: it holds for the paper's \
         construction alone. <b class=\"built\">does not hold as built</b>: the paper's construction gives another result. <b class=\"hardware\">other hardware</b>: it belongs to the machines of the time. \
         <b class=\"undecided\">undecided</b>: repetitions give either answer. <b class=\"comparable\">not comparable</b>: only another \
         construction was measured, or the paper does not print its own. <b class=\"measured\">not measured</b>.</p>"
    );
    put!(html, "<nav aria-label=\"Papers\"><ul>");
    for (letter, title, _) in PAPERS {
        put!(html, "<li><a href=\"#{letter}\">{}</a></li>", escaped(title));
    }
    put!(html, "</ul></nav><ul class=\"sum\">");
    let records: Vec<&Record> = items.iter().flat_map(|item| kept.of(&item.id)).collect();
    for verdict in Verdict::ALL {
        let (name, count) = (verdict.name(), judged.iter().filter(|judged| judged.verdict == verdict).count());
        put!(html, "<li><span class=\"v {}\">{count}</span> {name}</li>", class(name));
    }
    let (measured, other): (Vec<_>, Vec<_>) = items.iter().partition(|item| kept.of(&item.id).next().is_some());
    let missing = other.iter().filter(|item| item.about.is_none()).count();
    put!(html, "<li>{} items measured, {missing} not</li></ul>", measured.len());
    let mut places: Vec<String> = Vec::new();
    for record in &records {
        let place = record.told();
        if !places.contains(&place) {
            places.push(place);
        }
    }
    for place in &places {
        put!(html, "<p class=\"soft\">Measured on {}</p>", escaped(place));
    }
    if records.iter().any(|record| record.quick) {
        put!(html, "<p class=\"soft\">Items marked «in a hurry» were measured with few points and short turns.</p>");
    }
    put!(html, "</header>");
}

/// A verdict's class in the style: its last word.
fn class(verdict: &str) -> &str {
    match verdict {
        "as then built" => "then",
        other => other.rsplit(' ').next().unwrap_or(other),
    }
}

fn section(html: &mut String, item: &Item, claims: &[Claim], records: &[&Record], judged: &[Judged<'_>]) {
    put!(html, "<section aria-labelledby=\"{0}\"><h3 id=\"{0}\">{0} · {1}</h3>", item.id, escaped(&item.title));
    put!(html, "<p class=\"soft\">{}</p>", escaped(&item.asks));
    if let Some(about) = &item.about {
        put!(html, "<p class=\"soft\">Stands at <a href=\"#{about}\">{about}</a>.</p>");
    }
    for record in records {
        measured(html, record, claims, judged);
    }
    if records.is_empty() && item.about.is_none() {
        let why = item.lacking.as_deref().unwrap_or("this run did not ask for it");
        put!(html, "<p><span class=\"v measured\">not measured</span>: {}</p>", escaped(why));
        put!(html, "<ul class=\"soft\">");
        for claim in claims.iter().filter(|claim| claim.item == item.id) {
            let (place, what, shown) = (escaped(&claim.place), escaped(&claim.quantity), claim.shown());
            put!(html, "<li>{place}, {what}: {}</li>", escaped(&shown));
        }
        put!(html, "</ul>");
    }
    put!(html, "</section>");
}

fn measured(html: &mut String, record: &Record, claims: &[Claim], judged: &[Judged<'_>]) {
    if !record.by.is_empty() {
        put!(html, "<p><b>{}</b></p>", escaped(&record.by));
    }
    let (single, grids) = Grid::split(&record.findings);
    let name = escaped(&[record.item.as_str(), &record.by].join(" "));
    let table = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Findings of";
    if !single.is_empty() {
        put!(
            html,
            "{table} {name}\"><table><thead><tr><th scope=\"col\">what</th><th scope=\"col\">the paper</th>\
             <th scope=\"col\">here</th><th scope=\"col\">here to paper</th><th scope=\"col\">verdict</th></tr></thead><tbody>"
        );
        for finding in single {
            row(html, finding, claims, judged);
        }
        put!(html, "</tbody></table></div>");
    }
    for (grid, number) in grids.iter().zip(1..) {
        put!(html, "<p class=\"soft\">{}: {}</p>", escaped(grid.unit), escaped(grid.terms));
        put!(html, "{table} {name}, table {number}\"><table class=\"grid\"><thead><tr><th></th>");
        for column in &grid.columns {
            put!(html, "<th scope=\"col\">{}</th>", escaped(column));
        }
        put!(html, "</tr></thead><tbody>");
        for row in &grid.rows {
            put!(html, "<tr><th scope=\"row\">{}</th>", escaped(row));
            for column in &grid.columns {
                put!(html, "<td>{}</td>", escaped(&grid.cell(row, column).map_or("–".into(), bare)));
            }
            put!(html, "</tr>");
        }
        put!(html, "</tbody></table></div>");
    }
    for chart in &record.charts {
        put!(html, "<figure>{}", chart.draw(false));
        put!(html, "<figcaption><b>{}</b> {}</figcaption></figure>", escaped(&chart.title), escaped(&chart.caption));
    }
    let hurry = if record.quick { ", in a hurry" } else { "" };
    put!(
        html,
        "<p class=\"soft\"><code>{}</code>: {} s{hurry}, {}</p>",
        escaped(&record.command),
        Rounded(record.seconds),
        escaped(&record.told())
    );
}

fn row(html: &mut String, finding: &Finding, claims: &[Claim], judged: &[Judged<'_>]) {
    let claim = finding.claim(claims);
    let (stated, place) = stated(claim);
    let verdict = judged.iter().find(|judged| claim == Some(judged.claim)).map_or("", |judged| judged.verdict.name());
    let outcome = if verdict.is_empty() { String::new() } else { finding.outcome.to_string() };
    put!(
        html,
        "<tr><td>{}<div class=\"soft\">{}</div></td><td>{}<div class=\"soft\">{}</div></td><td>{}</td><td>{}</td>\
         <td><span class=\"v {}\">{verdict}</span><div class=\"soft\">{}</div></td></tr>",
        escaped(&finding.quantity),
        escaped(&finding.terms),
        escaped(&stated),
        escaped(&place),
        escaped(&ours(finding)),
        escaped(&finding.relation(claims)),
        class(verdict),
        escaped(&outcome)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item has its place, texts stay texts, and nothing is fetched.
    #[test]
    fn the_page_stands_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (items, claims) = (Item::all().unwrap(), Claim::all().unwrap());
        let page = html(&items, &claims, &Records::open(folder.path()).unwrap(), &[]);
        for item in &items {
            assert!(page.contains(&format!("<h3 id=\"{}\">", item.id)), "{}", item.id);
        }
        for outside in ["http://", "https://", "<script", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(page.contains("not measured") && page.contains("-1+3e^x"));
    }
}
