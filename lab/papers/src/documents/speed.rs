//! docs/book/speed.md: pictures of what was measured; docs/speed-numbers.md: their numbers. They are read where they are kept, in
//! benches/RESULTS.md and in the planner's speeds; the bytes of tables are those of the samplers, built here.

use super::markdown::table;
use super::sources::replaced;
use crate::error::LabError;
use crate::plot::{Chart, Plot, Series};
use samplez::{DiscreteGaussian, Recipe};

/// The classes of machines whose speeds are drawn: the file, and its name for readers.
const SPEEDS: [(&str, &str); 2] = [
    ("AVX-512", include_str!("../../../../crates/samplez/src/speeds/avx512.csv")),
    ("AVX2", include_str!("../../../../crates/samplez/src/speeds/avx2.csv")),
];
/// sqrt(1/(2 ln 2)).
const SIGMA2: f64 = 0.849_321_800_288_019_2;

/// The page with its pictures and tables, and the charts; `results` is benches/RESULTS.md.
pub(super) fn filled(results: &str, page: &str) -> Result<(String, Vec<Chart>), LabError> {
    let charts = charts(results)?;
    let mut text = page.to_owned();
    for chart in &charts {
        let shown = format!("![{}](../images/report/{})\n", chart.title, file(chart));
        text = replaced(&text, &chart.name, &shown)
            .ok_or_else(|| LabError::Input(format!("docs/book/speed.md: no markers of the picture {}", chart.name)))?;
    }
    Ok((text, charts))
}

/// The name of a picture's file.
pub(super) fn file(chart: &Chart) -> String {
    format!("speed-{}.svg", chart.name)
}

/// What tells the plots of a chart apart; nothing where there is but one.
fn plots_of(chart: &Chart) -> Option<&'static str> {
    match chart.name.as_str() {
        _ if chart.plots.len() == 1 => None,
        "languages" => Some("method"),
        "python" => Some("law, method, type"),
        _ => Some("instructions"),
    }
}

/// docs/speed-numbers.md: a table of each chart's numbers.
pub(super) fn numbers(charts: &[Chart]) -> String {
    let head = "# Speed, in numbers\n\nThese are the numbers of the pictures in [Speed](book/speed.md), with the machines and commands.\n";
    let tables = charts.iter().map(|chart| {
        format!("\n## {}\n\n{} The unit: {}.\n\n{}", chart.title, chart.caption, chart.y.0, numbers_of(chart))
    });
    head.to_owned() + &tables.collect::<String>()
}

fn numbers_of(chart: &Chart) -> String {
    let of = plots_of(chart);
    let mut names: Vec<&str> = Vec::new();
    for series in chart.plots.iter().flat_map(|plot| &plot.series) {
        if !names.contains(&series.name.as_str()) {
            names.push(&series.name);
        }
    }
    let mut rows = Vec::new();
    for plot in &chart.plots {
        let mut places: Vec<f64> = plot.series.iter().flat_map(|s| s.points.iter().map(|p| p.0)).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        for place in places {
            let cell = |name: &&str| {
                let series = plot.series.iter().find(|series| series.name == **name)?;
                series.points.iter().find(|point| point.0 == place).map(|point| number(point.1))
            };
            let cells = names.iter().map(|name| cell(name).unwrap_or("–".into()));
            let title = of.map(|_| plot.title.clone());
            let name = (place as usize).checked_sub(1).and_then(|i| chart.places.get(i).cloned());
            rows.push(title.into_iter().chain([name.unwrap_or_else(|| number(place))]).chain(cells).collect());
        }
    }
    let head: Vec<&str> = of.into_iter().chain([chart.x.0.as_str()]).chain(names).collect();
    table(&head, &rows, true)
}

/// Three digits, as one writes them.
fn number(value: f64) -> String {
    let digits = (2 - value.abs().max(1e-9).log10().floor() as i32).clamp(0, 4) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn charts(results: &str) -> Result<Vec<Chart>, LabError> {
    let of_speeds =
        |methods: &[&str]| SPEEDS.map(|(name, text)| Plot { title: name.into(), series: speeds(text, methods) });
    let measured = format!("One thread, ChaCha20 included. {}.", machines());
    let as_above = "One thread, ChaCha20 included, measured with those over a table, above.";
    let chart = |name: &str, title: &str, caption: &str, y: &str, plots: Vec<Plot>| Chart {
        name: name.into(),
        title: title.into(),
        caption: caption.into(),
        x: ("σ".into(), true),
        y: (y.into(), true),
        places: Vec::new(),
        plots,
    };
    let speed = "million samples a second";
    let mut all = vec![
        chart(
            "tables",
            "Speed of methods over a table by σ",
            &measured,
            speed,
            of_speeds(&[
                "cdt-guided",
                "cdt",
                "knuth-yao-compact",
                "knuth-yao",
                "ziggurat",
                "convolution",
                "rejection-table",
            ])
            .into(),
        ),
        chart(
            "exact",
            "Speed of exact methods by σ",
            as_above,
            speed,
            of_speeds(&["karney", "cks", "du-wei-4", "du-wei-5", "du-wei-5-ky"]).into(),
        ),
        chart(
            "constant-time",
            "Constant and isochronous time beside variable time, by σ",
            as_above,
            speed,
            of_speeds(&["cdt-guided", "knuth-yao-ct", "cdt-lazy-ct", "convolution-ct", "isochronous", "cdt-ct"]).into(),
        ),
    ];
    all.push(languages(results)?);
    all.push(calls(results)?);
    all.push(peers(results)?);
    let caption =
        "Bytes that a sample reads besides the code, at 128 bits: of the samplers as they are built, not measured.";
    let plots = vec![Plot { title: String::new(), series: memory()? }];
    all.push(chart("memory", "Memory of a sampler by σ", caption, "bytes", plots));
    Ok(all)
}

/// Where the planner's speeds were measured: once for all classes of which the same is said.
fn machines() -> String {
    let mut found: Vec<(String, String)> = Vec::new();
    for (name, text) in SPEEDS {
        let said = text.lines().next().unwrap_or_default().trim_start_matches("# ").replace("; ", ", ");
        match found.iter_mut().find(|(_, known)| *known == said) {
            Some((names, _)) => *names += &format!(", {name}"),
            None => found.push((name.into(), said)),
        }
    }
    found.iter().map(|(names, said)| format!("{names}: {said}")).collect::<Vec<_>>().join(". ")
}

/// What a file of the planner's speeds has of these methods: for σ, or in kσ₂ where a method accepts no other form.
fn speeds(text: &str, methods: &[&str]) -> Vec<Series> {
    let of_form = |method: &str, form: &str, unit: f64| -> Vec<(f64, f64)> {
        let fields = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let mut points: Vec<_> = fields
            .filter_map(|fields| match fields[..] {
                [of, width, value, speed] if of == method && width == form => {
                    Some((unit * value.parse::<f64>().ok()?, speed.parse().ok()?))
                }
                _ => None,
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let points = |method: &str| match of_form(method, "sigma", 1.0) {
        none if none.is_empty() => of_form(method, "k_sigma2", SIGMA2),
        points => points,
    };
    methods.iter().map(|method| series(method, points(method))).collect()
}

fn series(name: &str, points: Vec<(f64, f64)>) -> Series {
    Series { name: name.into(), of_paper: false, joined: true, points }
}

/// The rows of the first table below a heading, which is a line or the beginning of one.
fn rows<'a>(results: &'a str, heading: &str) -> Result<Vec<Vec<&'a str>>, LabError> {
    let missing = || LabError::Input(format!("benches/RESULTS.md: no table below «{heading}»"));
    let mut lines = results.lines().skip_while(|line| !line.starts_with(heading)).skip(1);
    let first = lines.by_ref().find(|line| line.starts_with('|') || line.starts_with('#')).ok_or_else(missing)?;
    if !first.starts_with('|') {
        return Err(missing());
    }
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    Ok(rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect())
}

/// The number that a cell begins with.
fn value(cell: &str) -> Option<f64> {
    cell.split(' ').next()?.replace(',', "").parse().ok()
}

/// Native code and WebAssembly: the default's methods, and the fastest.
fn languages(results: &str) -> Result<Chart, LabError> {
    let table = rows(results, "## WebAssembly beside native portable code")?;
    let plots = [("the default", &["knuth-yao-ct", "cdt-lazy-ct"][..]), ("cdt-guided", &["cdt-guided"])];
    let plots = plots.map(|(title, methods)| {
        let points = |column: usize| {
            let of = table.iter().filter(|row| methods.contains(&row[0]));
            of.filter_map(|row| Some((value(row[1])?, value(row[2 + column])? / 1000.0))).collect()
        };
        let columns = ["native, portable", "wasm", "wasm with SIMD"];
        Plot {
            title: title.into(),
            series: columns.iter().enumerate().map(|(i, name)| series(name, points(i))).collect(),
        }
    });
    Ok(Chart {
        name: "languages".into(),
        title: "Native code beside WebAssembly in Node".into(),
        caption: "One thread, 16-bit integers, 2026-11-30, under a load of 20: the ratios count. Native code here is without vector kernels. `make bench BENCH=wasm`.".into(),
        x: ("σ".into(), true),
        y: ("million samples a second".into(), true),
        places: Vec::new(), plots: plots.into(),
    })
}

/// Python's arrays beside the library's own fill.
fn calls(results: &str) -> Result<Chart, LabError> {
    let table = rows(results, "## Python")?;
    let plots = ["3.2, cdt-guided, int8", "3.2, karney, int32"].map(|what| {
        let points = |column: usize| {
            let of = table.iter().filter(|row| row[0] == what);
            of.filter_map(|row| Some((value(row[1])?, value(row[column])?))).collect()
        };
        Plot {
            title: format!("σ = {what}"),
            series: vec![series("Python, sample(out=…)", points(2)), series("C, samplez_bulk", points(3))],
        }
    });
    Ok(Chart {
        name: "python".into(),
        title: "Python beside the library's own fill, by the length of the array".into(),
        caption: "One thread, ChaCha20, 2026-11-21, with much other work on the machine: the ratios count. `make bench BENCH=python`.".into(),
        x: ("samples in a call".into(), true),
        y: ("million samples a second".into(), true),
        places: Vec::new(), plots: plots.into(),
    })
}

/// Samplers of other libraries, from Python.
fn peers(results: &str) -> Result<Chart, LabError> {
    let table = rows(results, "## Samplers from Python")?;
    let found = table.iter().filter_map(|row| {
        let speeds = row[2..5].iter().map(|cell| value(cell)).collect::<Option<Vec<f64>>>()?;
        let package = row[1].split(' ').next().unwrap_or_default();
        let name = format!("{package}: {}", row[0].trim_start_matches("samplez, ").replace('`', ""));
        Some(Series { joined: false, ..series(&name, (1..).map(f64::from).zip(speeds).collect()) })
    });
    Ok(Chart {
        name: "peers".into(),
        title: "Samplers of other libraries, and ours, from Python".into(),
        caption: "One thread, generators included, into 64 bits, AVX-512. Not all sample the same law: [the comparison](book/comparison.md). `python benches/comparison.py` in python/."
            .into(),
        x: ("σ".into(), false),
        y: ("million samples a second".into(), true),
        places: ["0.5", "3.2", "215"].map(String::from).into(), plots: vec![Plot { title: String::new(), series: found.collect() }],
    })
}

/// Bytes of tables by σ; what a method refuses is left out.
fn memory() -> Result<Vec<Series>, LabError> {
    let refused = |error: samplez::Refused| LabError::Input(error.to_string());
    let methods = [
        "knuth-yao-ct",
        "cdt-lazy-ct",
        "isochronous",
        "cdt-guided",
        "knuth-yao-compact",
        "ziggurat",
        "convolution",
        "karney",
    ];
    let mut all = Vec::new();
    for method in methods {
        let mut points = Vec::new();
        for sigma in ["1", "3.2", "8", "19.5", "107", "215", "1000", "16000"] {
            let law = sigma.parse().ok().and_then(|sigma| DiscreteGaussian::with_sigma(sigma).ok());
            let mut recipe = Recipe::new(law.ok_or_else(|| LabError::Input(format!("sigma = {sigma}")))?);
            recipe.set("method", method).map_err(refused)?;
            if let Ok(built) = recipe.build() {
                points.extend(sigma.parse().map(|sigma: f64| (sigma, built.profile().table_bytes as f64)));
            }
        }
        all.push(series(method, points));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_below_their_headings() {
        let text =
            "## A\n\nwords\n\n| x | y |\n|---|---|\n| `a` | 1,285 (0.5) |\n| b | 2 |\n\n| c | 3 |\n## B\n\n## C\n";
        assert_eq!(rows(text, "## A").unwrap(), [["`a`", "1,285 (0.5)"], ["b", "2"]]);
        assert_eq!(value("1,285 (0.5)"), Some(1285.0));
        assert!(rows(text, "## B").is_err() && rows(text, "## D").is_err());
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!([1517.75, 53.738, 8.0, 0.4567, 0.05].map(number), ["1518", "53.7", "8", "0.457", "0.05"]);
    }

    #[test]
    fn a_line_has_one_form_of_the_width() {
        let text = "# x\nkarney,sigma,3.2,24\nkarney,k_sigma2,4,10\ndu-wei-5,k_sigma2,4,29\n";
        let points: Vec<_> = speeds(text, &["karney", "du-wei-5"]).into_iter().map(|series| series.points).collect();
        assert_eq!(points, [vec![(3.2, 24.0)], vec![(4.0 * SIGMA2, 29.0)]]);
    }

    #[test]
    fn rows_of_bars_have_the_names_of_their_places() {
        let results = "## Samplers from Python\n\n| a | b |\n|---|---|\n| `f` | p 1 | 12 (3) | 2 | 1 | – |\n| g | p 1 | – | 2 | 1 | – |\n";
        let rows = numbers_of(&peers(results).unwrap());
        assert!(rows.contains("| 0.5 | 12 |") && rows.contains("| 215 | 1 |") && !rows.contains('g'), "{rows}");
    }

    #[test]
    fn every_picture_has_data_and_a_place() {
        let results =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/RESULTS.md")).unwrap();
        for chart in charts(&results).unwrap() {
            for series in chart.plots.iter().flat_map(|plot| &plot.series) {
                assert!(!series.points.is_empty(), "{}: {}", chart.name, series.name);
            }
            assert!(filled(&results, "").is_err());
        }
    }
}
