//! The page: one file, without a script and without the network.

use crate::answer::MACHINE;
use crate::data::Item;
use crate::finding::Form;
use crate::kept::{Record, Records};
use crate::papers::{PAPERS, value};
use crate::place::Place;
use crate::plot::drawing;
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

pub(super) fn html(items: &[Item], kept: &Records, judged: &[Judged<'_>]) -> String {
    let mut html = String::new();
    put!(html, "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">");
    put!(html, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    put!(html, "<title>samplez: the papers' figures, measured again</title>");
    put!(html, "<link rel=\"icon\" href=\"data:,\"><style>{STYLE}{}</style></head><body>", drawing::STYLE);
    head(&mut html, items, kept, judged);
    put!(html, "<main>");
    for (letter, title, machine) in PAPERS {
        put!(html, "<h2 id=\"{letter}\">{}</h2><p class=\"soft\">{}</p>", escaped(title), escaped(machine));
        for item in items.iter().filter(|item| item.id.starts_with(letter)) {
            section(&mut html, item, &kept.of(&item.id).collect::<Vec<_>>(), judged);
        }
    }
    put!(html, "</main></body></html>");
    html
}

fn head(html: &mut String, items: &[Item], kept: &Records, judged: &[Judged<'_>]) {
    put!(html, "<header><h1>The papers' figures, measured again</h1>");
    put!(
        html,
        "<p>Each claim of each paper, what is measured here, and a verdict, as docs/papers-reproduced.md explains them.</p>"
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
    let mut runs: Vec<(&Place, &str, Vec<&str>)> = Vec::new();
    for record in &records {
        let at = runs.iter().position(|(place, date, _)| **place == record.place && *date == record.date);
        let at = at.unwrap_or_else(|| {
            runs.push((&record.place, &record.date, Vec::new()));
            runs.len() - 1
        });
        if !runs[at].2.contains(&record.item.as_str()) {
            runs[at].2.push(&record.item);
        }
    }
    let largest = runs.iter().map(|(.., items)| items.len()).max().unwrap_or(0);
    for (Place { machine, commit }, date, items) in &runs {
        let which = if items.len() == largest { "Measured".into() } else { format!("{}: measured", items.join(", ")) };
        put!(
            html,
            "<p class=\"soft\">{} on {}, {date}, commit {}</p>",
            escaped(&which),
            escaped(machine),
            escaped(commit)
        );
    }
    let commands = "<code>samplez-lab report --only ITEM</code> measures an item again; findings.csv has every number with its terms, and the absolute speeds, which belong to other hardware. Open marks are the paper's.";
    put!(html, "<p class=\"soft\">{commands}</p>");
    if records.iter().any(|record| record.quick) {
        put!(html, "<p class=\"soft\">Measured in a hurry, with few points and short turns.</p>");
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

/// An item: its claims with their verdicts, but for absolute speeds of another machine, and its charts. What has neither is in findings.csv alone.
fn section(html: &mut String, item: &Item, records: &[&Record], judged: &[Judged<'_>]) {
    let of_item: Vec<&Judged<'_>> =
        judged.iter().filter(|judged| judged.claim.item == item.id && judged.why != MACHINE).collect();
    let charts: Vec<_> = records.iter().flat_map(|record| &record.charts).collect();
    if of_item.is_empty() && charts.is_empty() {
        return;
    }
    put!(html, "<section aria-labelledby=\"{0}\"><h3 id=\"{0}\">{0} · {1}</h3>", item.id, escaped(&item.title));
    if records.is_empty() {
        let why = item.lacking.as_deref().unwrap_or("this run did not ask for it");
        put!(html, "<p><span class=\"v measured\">not measured</span>: {}</p></section>", escaped(why));
        return;
    }
    if !of_item.is_empty() {
        put!(
            html,
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Claims of {}\"><table><thead><tr>\
             <th scope=\"col\">claim</th><th scope=\"col\">printed</th><th scope=\"col\">as built</th>\
             <th scope=\"col\">here</th><th scope=\"col\">verdict</th></tr></thead><tbody>",
            item.id
        );
        of_item.iter().for_each(|judged| row(html, judged));
        put!(html, "</tbody></table></div>");
    }
    for chart in charts {
        put!(html, "<figure>{}", chart.draw(false));
        put!(html, "<figcaption>{}</figcaption></figure>", escaped(&chart.title));
    }
    put!(html, "</section>");
}

fn row(html: &mut String, judged: &Judged<'_>) {
    let (claim, verdict) = (judged.claim, judged.verdict.name());
    put!(
        html,
        "<tr><td>{}<div class=\"soft\">{}</div></td><td>{}</td><td>{}</td><td>{}</td>\
         <td><span class=\"v {}\">{verdict}</span><div class=\"soft\">{}</div></td></tr>",
        escaped(&claim.quantity),
        escaped(&claim.place),
        escaped(&claim.shown()),
        escaped(&value(judged, Form::AsBuilt)),
        escaped(&value(judged, Form::Ours)),
        class(verdict),
        escaped(&judged.why)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Claim, Class};

    /// The words that a reader sees outside of pictures.
    fn words(page: &str) -> usize {
        let (_, body) = page.split_once("<body>").unwrap();
        let text: String =
            body.split("<svg").map(|part| part.split_once("</svg>").map_or(part, |(_, after)| after)).collect();
        let seen: String =
            text.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text).to_owned() + " ").collect();
        seen.split_whitespace().count()
    }

    /// Every claim that is judged has its row, texts stay texts, and nothing is fetched. The page of the kept run is at most 5,000 words.
    #[test]
    fn the_page_stands_alone() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let run = std::fs::read_to_string(root.join("docs/report/run.jsonl")).unwrap();
        let (items, claims, classes) = (Item::all().unwrap(), Claim::all().unwrap(), Class::all().unwrap());
        let kept = Records::of_lines("run.jsonl".into(), &run).unwrap();
        let judged = Judged::all(&claims, &classes, &kept);
        let page = html(&items, &kept, &judged);
        for judged in judged.iter().filter(|judged| judged.verdict != Verdict::NotMeasured && judged.why != MACHINE) {
            assert!(page.contains(&format!("<h3 id=\"{}\">", judged.claim.item)), "{}", judged.claim.item);
            assert!(
                page.contains(&format!("<tr><td>{}<div", escaped(&judged.claim.quantity))),
                "{}",
                judged.claim.quantity
            );
        }
        assert!(page.contains(&kept.of("B10").next().unwrap().place.commit), "the commit");
        assert!(words(&page) <= 5000, "{} words", words(&page));
        // The namespace of SVG is a name, and nothing is fetched from there.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        for outside in ["http://", "https://", "<script", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        let folder = tempfile::tempdir().unwrap();
        let empty = Records::open(folder.path()).unwrap();
        let page = html(&items, &empty, &Judged::all(&claims, &classes, &empty));
        assert!(page.contains("not measured") && page.contains("σ") && !page.contains("<figure>"));
    }
}
