//! Speed against memory: \[BCGHW13\]'s Figures 3, 4, 5, 7 and 8.

use super::Bench;
use super::bench::{Timed, quartiles};
use super::in_106_bits;
use super::wide::Seven;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::Outcome;
use crate::plot::chart::OF_PAPER;
use crate::plot::{Chart, Plot, Series};

/// The four variants of the Ziggurat: with the line or without, densities computed or stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    Line,
    Plain,
    StoredLine,
    Stored,
}

impl Variant {
    const ALL: [Variant; 4] = [Variant::Line, Variant::Plain, Variant::StoredLine, Variant::Stored];

    const fn options(self) -> &'static str {
        match self {
            Variant::Line => "",
            Variant::Plain => ",chord=false",
            Variant::StoredLine => ",pdf_table=true",
            Variant::Stored => ",pdf_table=true,chord=false",
        }
    }
}

const WIDTHS: [&str; 4] = ["10", "32", "1000", "1.6e5"];

/// Numbers of rectangles; to the limit of the library where there is time.
fn rectangles(bench: &Bench) -> Vec<u32> {
    if bench.quick { vec![2, 8, 64, 512] } else { (1..=16).map(|log2| 1 << log2).collect() }
}

fn widths(bench: &Bench) -> &'static [&'static str] {
    if bench.quick { &WIDTHS[..3] } else { &WIDTHS }
}

/// A variant at one width over all numbers of rectangles; all four variants are in one race, number by number, so that they are comparable.
pub(super) fn sweep(bench: &Bench, sigma: &str, variant: Variant) -> Result<Vec<Timed>, LabError> {
    let recipe = |m: u32, variant: Variant| {
        format!("sigma={sigma},method=ziggurat,precision=106,tail=13,rectangles={m}{}", variant.options())
    };
    let all = rectangles(bench).into_iter().flat_map(|m| Variant::ALL.map(|variant| recipe(m, variant)));
    let timed = bench.timed(&all.collect::<Vec<_>>())?;
    let at = Variant::ALL.iter().position(|known| *known == variant).unwrap_or(0);
    Ok(timed.iter().skip(at).step_by(Variant::ALL.len()).cloned().collect())
}

fn points(timed: &[Timed]) -> Vec<(f64, f64)> {
    timed.iter().map(|timed| (timed.bytes as f64, timed.bulk)).collect()
}

fn series(name: &str, of_paper: bool, points: Vec<(f64, f64)>) -> Series {
    Series { name: name.into(), of_paper, joined: points.len() > 1, points }
}

/// Bytes of the paper's tables: the Ziggurat's as printed, and by its formulas 16 for a threshold and 106 bits for a column of a walk.
const PRINTED: [(&str, &str, &str, &str, f64); 10] = [
    ("32", "Ziggurat with the line", "B17", "Ziggurat with 8 rectangles at 32", 320.0),
    ("32", "Ziggurat with the line", "B15a", "Ziggurat at 32", 6656.0),
    ("32", "Ziggurat without the line", "B15b", "Ziggurat without the line at 32", 6656.0),
    ("32", "inversion", "B15a", "inversion at 32", 6656.0),
    ("32", "table rejection", "B15a", "table rejection at 32", 6656.0),
    ("32", "Knuth-Yao", "B15a", "Knuth-Yao at 32", 5512.0),
    ("1.6e5", "Ziggurat with the line", "B16a", "Ziggurat at 1.6e5 in 524 KB", 524e3),
    ("1.6e5", "inversion", "B16b", "inversion at 1.6e5", 33.55e6),
    ("1.6e5", "table rejection", "B16b", "table rejection at 1.6e5", 33.55e6),
    ("1.6e5", "Knuth-Yao", "", "", 27.79e6),
];

/// The paper's printed speeds at a width against the bytes of its tables.
fn of_paper(answer: &Answer<'_>, sigma: &str) -> Result<Vec<Series>, LabError> {
    let speed = |item: &str, quantity: &str| answer.printed(item, quantity, "million samples/s");
    let mut drawn: Vec<Series> = Vec::new();
    for (_, name, item, quantity, bytes) in PRINTED.iter().filter(|(of, ..)| *of == sigma) {
        let speed = match *item {
            // Printed as a gain over the Ziggurat.
            "" => {
                let gain = answer.printed("B16b", "Knuth-Yao over the Ziggurat at 1.6e5", "%")?;
                speed("B16a", "Ziggurat at 1.6e5 in 524 KB")? * (1.0 + gain / 100.0)
            }
            item => speed(item, quantity)?,
        };
        let name = format!("{name}{OF_PAPER}");
        match drawn.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push((*bytes, speed)),
            None => drawn.push(Series { name, of_paper: true, joined: false, points: vec![(*bytes, speed)] }),
        }
    }
    Ok(drawn)
}

pub(super) fn memory(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let mut plots = Vec::new();
    for sigma in widths(bench) {
        let whole = sigma.parse::<f64>().map_err(|_| LabError::Input(format!("sigma = {sigma}")))? as u64;
        let mut built = in_106_bits::speeds(bench, whole);
        built.extend(of_paper(answer, sigma)?);
        plots.push(Plot { title: format!("σ = {sigma}, as the paper built it"), series: built });
        let mut drawn = vec![
            series("Ziggurat with the line", false, points(&sweep(bench, sigma, Variant::Line)?)),
            series("Ziggurat without the line", false, points(&sweep(bench, sigma, Variant::Plain)?)),
            series("Ziggurat with stored densities", false, points(&sweep(bench, sigma, Variant::StoredLine)?)),
            series("stored densities, without the line", false, points(&sweep(bench, sigma, Variant::Stored)?)),
        ];
        let seven = Seven::at(bench, sigma)?;
        for name in ["Knuth-Yao", "inversion", "table rejection"] {
            drawn.push(series(name, false, points(std::slice::from_ref(seven.of(name)?))));
        }
        plots.push(Plot { title: format!("σ = {sigma}, here"), series: drawn });
    }
    let chart = Chart {
        name: "memory".into(),
        title: "Speed against memory".into(),
        caption: "106 bits, t = 13. As the paper built it: big integers, single calls; open marks are the paper's figures, on its machine. \
                  Here: in bulk."
            .into(),
        x: ("bytes of tables".into(), true),
        y: ("million samples/s".into(), true),
        places: Vec::new(),
        plots,
    };
    let terms = "2 to 65,536 rectangles here, and to 2,048 as the paper built it; in a hurry to 512, three widths";
    answer.drawn("speed against memory", chart, terms)
}

pub(super) fn rise(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let timed = sweep(bench, "1000", Variant::Line)?;
    let best =
        timed.iter().max_by(|a, b| a.bulk.total_cmp(&b.bulk)).ok_or_else(|| LabError::Input("no sweep".into()))?;
    let last = &timed[timed.len() - 1];
    let m = |timed: &Timed| timed.rectangles.unwrap_or(0);
    let ours = format!("fastest with {} rectangles; with {} {:.2} of that", m(best), m(last), last.bulk / best.bulk);
    let verdict = match (bench.quick, last.bulk < 0.95 * best.bulk) {
        (true, _) => Outcome::Beside("in a hurry the sweep ends before a table leaves the nearest cache".into()),
        (false, true) => Outcome::Agrees,
        (false, false) => Outcome::Differs("it does not fall up to the library's limit".into()),
    };
    answer.statement(
        "speed against rectangles",
        &ours,
        "σ = 1000, with the line, 20 bytes a rectangle, in bulk",
        verdict,
    )
}

pub(super) fn overlay(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let (mut drawn, mut speeds) = (Vec::new(), Vec::new());
    for sigma in widths(bench) {
        let timed = sweep(bench, sigma, Variant::Line)?;
        speeds.push(timed.iter().map(|timed| timed.bulk).collect::<Vec<f64>>());
        drawn.push(series(&format!("σ = {sigma}"), false, points(&timed)));
    }
    let chart = Chart {
        name: "widths".into(),
        title: "The Ziggurat at each width".into(),
        caption: "The zero coin rejects half of all zeros: 1 + 1/(σ√(2π)) trials, 1.040 at σ = 10, 1.012 at 32, 1.000 beyond.".into(),
        x: ("bytes of tables".into(), true),
        y: ("million samples/s".into(), false),
        places: Vec::new(), plots: vec![Plot { title: String::new(), series: drawn }],
    };
    answer.drawn("Ziggurat at four widths", chart, "with the line, in bulk")?;
    let why = "the zero coin's three percent do not show";
    by_width(answer, "many rectangles", (&speeds[0], &speeds[1], "at σ = 10 as at 32"), 1.0, why)?;
    let why = "wider laws are not slower: abscissae have 4 bytes at every width, and fewer zeros are rejected";
    by_width(answer, "wider laws", (&speeds[2], &speeds[1], "at σ = 1000 as at 32"), SLOWER, why)?;
    in_106_bits::wider(bench, answer)
}

/// A ratio of speeds that is not noise: three percent below 1.
const SLOWER: f64 = 0.97;

/// Two widths against each other at every number of rectangles: the median of the ratios, and their quartiles.
fn by_width(
    answer: &mut Answer<'_>,
    quantity: &str,
    (slow, fast, of): (&[f64], &[f64], &str),
    most: f64,
    why: &str,
) -> Result<(), LabError> {
    let ratio = quartiles(slow.iter().zip(fast).map(|(slow, fast)| slow / fast).collect());
    let [median, least, greatest] = ratio;
    let ours = format!("{median:.2} ({least:.2} to {greatest:.2}) times as fast {of}");
    let terms = format!("with the line, as many rectangles, over {} numbers of them, in bulk, quartiles", slow.len());
    answer.statement(quantity, &ours, &terms, slower(ratio, most, why))
}

/// Whether it is slower at most sizes, or at few, or neither.
fn slower([_, least, greatest]: [f64; 3], most: f64, why: &str) -> Outcome {
    match (least < most, greatest < most) {
        (true, true) => Outcome::Agrees,
        (false, false) => Outcome::Differs(why.into()),
        _ => Outcome::Straddles("sizes lie on both sides of the threshold".into()),
    }
}

/// A width, and points of a curve.
type Curve = (String, Vec<(f64, f64)>);

/// Percent that one variant gains over another, against its bytes.
fn gains(bench: &Bench, with: Variant, without: Variant) -> Result<Vec<Curve>, LabError> {
    let mut all = Vec::new();
    for sigma in widths(bench) {
        let (with, without) = (sweep(bench, sigma, with)?, sweep(bench, sigma, without)?);
        let gain = |(a, b): (&Timed, &Timed)| (a.bytes as f64, 100.0 * (a.bulk / b.bulk - 1.0));
        all.push((format!("σ = {sigma}"), with.iter().zip(&without).map(gain).collect()));
    }
    Ok(all)
}

/// Gains as the paper built it at σ = 10, with the points that its text has, and beside them ours.
fn gain_chart(
    (name, title): (&str, &str),
    built: Vec<(f64, f64)>,
    of_paper: Vec<(f64, f64)>,
    gains: &[Curve],
) -> Chart {
    let name_of_paper = format!("{}{OF_PAPER}", gains[0].0);
    let of_paper = Series { name: name_of_paper, of_paper: true, joined: false, points: of_paper };
    let built = vec![series(&gains[0].0, false, built), of_paper];
    let ours: Vec<Series> = gains.iter().map(|(name, points)| series(name, false, points.clone())).collect();
    Chart {
        name: name.into(),
        title: title.into(),
        caption: "As the paper built it: big integers, single calls. Here: in bulk. A few percent are noise.".into(),
        x: ("bytes of tables".into(), true),
        y: ("% faster".into(), false),
        places: Vec::new(),
        plots: vec![
            Plot { title: "as the paper built it".into(), series: built },
            Plot { title: "here".into(), series: ours },
        ],
    }
}

/// The gain at the number of bytes nearest to this.
fn at(points: &[(f64, f64)], bytes: f64) -> f64 {
    let far = |p: &&(f64, f64)| (p.0 / bytes).ln().abs();
    points.iter().min_by(|a, b| far(a).total_cmp(&far(b))).map_or(f64::NAN, |p| p.1)
}

pub(super) fn line(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let gains = gains(bench, Variant::Line, Variant::Plain)?;
    let ten = &gains[0].1;
    let few: Vec<f64> = ten.iter().filter(|p| p.0 <= 576.0).map(|p| p.1).collect();
    let of_paper = vec![
        (320.0, answer.stated("improvement by the line at 320 bytes")?),
        (2080.0, answer.stated("improvement by the line at 2080 bytes")?),
    ];
    let (least, most) = few.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    let terms = "σ = 10, tables of up to 576 bytes, which have up to 25 rectangles here";
    let why = "exp is computed lazily here, to the bits that decide, so that there is less to save";
    answer.within("improvement by the line from 128 to 576 bytes, least", (least, "%"), POINTS, terms, why)?;
    answer.within("improvement by the line from 128 to 576 bytes, most", (most, "%"), POINTS, terms, why)?;
    for (quantity, bytes) in [
        ("improvement by the line at 320 bytes", 320.0),
        ("improvement by the line at 2080 bytes", 2080.0),
        ("improvement by the line from 130 KB on", 130e3),
    ] {
        let terms = format!("σ = 10, the table nearest to {bytes} bytes");
        if bytes > 1e5 && bench.quick {
            answer.beside(quantity, (at(ten, bytes), "%"), &terms, "in a hurry the sweep ends at 512 rectangles")?;
        } else {
            answer.within(quantity, (at(ten, bytes), "%"), POINTS, &terms, why)?;
        }
    }
    let chart = gain_chart(("line", "What the line gains"), in_106_bits::line(bench, answer)?, of_paper, &gains);
    answer.drawn("improvement against memory", chart, "with the line over without")
}

/// Percent that races on a busy machine are off.
const POINTS: f64 = 5.0;

/// Percent that stored densities gain over a table of as many bytes that computes them, which has more rectangles. Between two
/// numbers of rectangles the speed is interpolated by the logarithm of the bytes.
fn gains_by_bytes(bench: &Bench) -> Result<Vec<Curve>, LabError> {
    let mut all = Vec::new();
    for sigma in widths(bench) {
        let stored = points(&sweep(bench, sigma, Variant::StoredLine)?);
        let computed = points(&sweep(bench, sigma, Variant::Line)?);
        let gain = |(bytes, speed): &(f64, f64)| Some((*bytes, 100.0 * (speed / speed_at(&computed, *bytes)? - 1.0)));
        all.push((format!("σ = {sigma}"), stored.iter().filter_map(gain).collect()));
    }
    Ok(all)
}

/// The speed of a curve at so many bytes, if it has any there.
fn speed_at(curve: &[(f64, f64)], bytes: f64) -> Option<f64> {
    let (a, b) = curve.iter().zip(curve.iter().skip(1)).find(|(a, b)| a.0 <= bytes && bytes <= b.0)?;
    let part = (bytes / a.0).ln() / (b.0 / a.0).ln();
    Some(a.1 + part * (b.1 - a.1))
}

pub(super) fn densities(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let gains = gains_by_bytes(bench)?;
    let ten = &gains[0].1;
    let least = ten.iter().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let terms = "σ = 10, 2 rectangles";
    let why = "130 densities of 16 bytes, and 2 rectangles of 20 in place of 32";
    answer.near("least memory of the stored densities", (least, "bytes"), 0.1, terms, why)?;
    let slower = ten.iter().filter(|p| p.1 < -POINTS).map(|p| p.0).fold(0.0, f64::max);
    let why = "an evaluation costs less here than in 106-bit arithmetic";
    let terms = "σ = 10, equal bytes: the largest table with which it is slower by more than 5 %; 0 if there is none";
    answer.near("memory up to which the stored densities are slower", (slower, "bytes"), 0.25, terms, why)?;
    let most = gains.iter().flat_map(|(_, points)| points).map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let terms = "equal bytes, the most at any width";
    answer.within("improvement by the stored densities", (most, "%"), POINTS, terms, why)?;
    let far = at(ten, 262e3);
    let quantity = "improvement by the stored densities from 262 KB on";
    if bench.quick {
        answer.beside(quantity, (far, "%"), "σ = 10", "in a hurry the sweep ends at 512 rectangles")?;
    } else {
        answer.within(quantity, (far, "%"), POINTS, "σ = 10, equal bytes", "the races differ by more than noise")?;
    }
    for (bytes, gain) in ten {
        answer.more(
            &format!("stored densities over computed in {bytes} bytes"),
            (*gain, "%"),
            "σ = 10, equal bytes, in bulk",
        );
    }
    let of_paper = vec![
        (answer.printed("B24", "memory up to which the stored densities are slower", "bytes")?, 0.0),
        (262e3, answer.stated("improvement by the stored densities from 262 KB on")?),
    ];
    let title = ("densities", "What stored densities gain at equal memory");
    let chart = gain_chart(title, in_106_bits::densities(bench, answer)?, of_paper, &gains);
    answer.drawn("improvement against memory", chart, "stored over computed, both with the line, at equal bytes")
}

pub(super) fn trades(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    precision(bench, answer, "32")?;
    let ours = "bytes and speed follow the precision; only the Ziggurat has another knob";
    answer.statement(
        "what the other samplers can trade for memory",
        ours,
        "precision from 16 to 128 bits",
        Outcome::NoClaim,
    )
}

/// Bytes and speed against precision.
fn precision(bench: &Bench, answer: &mut Answer<'_>, sigma: &str) -> Result<Vec<(String, Vec<Timed>)>, LabError> {
    let bits: &[u32] = if bench.quick { &[16, 64, 128] } else { &[16, 24, 32, 48, 64, 80, 96, 112, 128] };
    let mut all = Vec::new();
    for (name, method, options) in [
        ("inversion", "cdt", ""),
        ("Knuth-Yao", "knuth-yao", ""),
        ("table rejection", "rejection-table", ""),
        ("Ziggurat", "ziggurat", ",rectangles=63"),
    ] {
        let recipe = |bits: &u32| format!("sigma={sigma},method={method},precision={bits}{options}");
        let timed = bench.timed(&bits.iter().map(recipe).collect::<Vec<_>>())?;
        all.push((name.to_owned(), timed.to_vec()));
    }
    let plot = |title: &str, of: fn(&Timed) -> f64| Plot {
        title: title.into(),
        series: all
            .iter()
            .map(|(name, timed)| {
                series(name, false, bits.iter().map(|b| f64::from(*b)).zip(timed.iter().map(of)).collect())
            })
            .collect(),
    };
    let chart = |name: &str, title: &str, y: (String, bool), plot| Chart {
        name: name.into(),
        title: title.into(),
        caption: format!("σ = {sigma}; a table of n bits is within about 2^-n of its law in statistical distance."),
        x: ("precision, bits".into(), false),
        y,
        places: Vec::new(),
        plots: vec![plot],
    };
    let speeds =
        chart("precision-speed", "Speed against precision", ("million samples/s".into(), true), plot("", |t| t.bulk));
    let bytes =
        chart("precision-bytes", "Bytes against precision", ("bytes".into(), true), plot("", |t| t.bytes as f64));
    answer.charts.extend([speeds, bytes]);
    Ok(all)
}

/// \[JSDGS17\]: a larger table, and slower.
pub(super) fn more_precision(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let all = precision(bench, answer, "107")?;
    let (mut larger, mut slower) = (0, 0);
    for (_, timed) in &all {
        let (first, last) = (&timed[0], &timed[timed.len() - 1]);
        larger += usize::from(last.bytes > first.bytes);
        slower += usize::from(last.bulk < 0.97 * first.bulk);
    }
    let ours = format!("larger for {larger} of {}, slower for {slower}", all.len());
    let why = "tables grow, but what is compared lazily looks at the first 32 bits nearly always: speed hardly changes"
        .to_owned();
    let verdict = if larger == all.len() && slower == all.len() { Outcome::Agrees } else { Outcome::Differs(why) };
    answer.statement("more precision", &ours, "16 and 128 bits at σ = 107, in bulk, natively", verdict)
}

#[cfg(test)]
mod tests {
    use super::{slower, speed_at};
    use crate::finding::Outcome;

    /// One size of table decides nothing: slower is slower at three quarters of them.
    #[test]
    fn wider_is_slower_at_most_sizes_or_at_few() {
        assert_eq!(slower([0.9, 0.89, 0.91], 0.97, "why"), Outcome::Agrees);
        assert_eq!(slower([1.06, 1.0, 1.11], 0.97, "why"), Outcome::Differs("why".into()));
        assert!(matches!(slower([0.98, 0.96, 1.0], 0.97, "why"), Outcome::Straddles(_)));
    }

    #[test]
    fn speeds_are_compared_at_equal_bytes() {
        let curve = [(100.0, 10.0), (10_000.0, 30.0)];
        assert_eq!(speed_at(&curve, 1000.0).map(f64::round), Some(20.0));
        assert_eq!((speed_at(&curve, 100.0), speed_at(&curve, 99.0), speed_at(&curve, 1e5)), (Some(10.0), None, None));
    }
}
