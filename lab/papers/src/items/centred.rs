//! Speeds of \[DW18\]: its algorithms against σ, with the tables that it has and in our forms.

use super::Bench;
use super::bench::{RATIO, build, quartiles};
use crate::answer::Answer;
use crate::contenders::Contender;
use crate::error::LabError;
use crate::finding::{Form, Outcome};
use crate::grid::CROSS;
use crate::plot::{Chart, Plot, Series};
use crate::race::Race;
use crate::speeds::Entry;
use samplez::{BitReader, Seed};
use samplez_check::papers::{Bitwise, Tape};
use samplez_check::seeding::Run;
use samplez_cli::testing::measure::clock::Clock;
use samplez_sources::ChaCha20;
use std::hint::black_box;

const NAMES: [&str; 4] = ["Karney", "Algorithm 4", "Algorithm 5 with BIN", "Algorithm 5 with Algorithm 9"];
/// What is level: a speed that differs by less does not depend on σ.
const FLAT: f64 = 0.2;

/// k of the multiple of σ₂ nearest to σ.
fn multiple(sigma: f64) -> f64 {
    (sigma * (2.0 * std::f64::consts::LN_2).sqrt()).round()
}

fn recipes(sigma: f64) -> [String; 4] {
    let k = multiple(sigma);
    [
        format!("sigma={sigma},method=karney"),
        format!("sigma={sigma},method=du-wei-4"),
        format!("k_sigma2={k},method=du-wei-5"),
        format!("k_sigma2={k},method=du-wei-5-ky"),
    ]
}

/// Speeds in bulk of the four at each σ, in one race, and the chart of them.
fn sweep(bench: &Bench, sigmas: &[f64], name: &str, logarithmic: bool) -> Result<(Vec<Vec<f64>>, Chart), LabError> {
    let mut speeds = vec![Vec::new(); NAMES.len()];
    // One race for all: what else the machine does then meets every width alike.
    let all: Vec<String> = sigmas.iter().flat_map(|sigma| recipes(*sigma)).collect();
    for timed in bench.timed(&all)?.chunks(NAMES.len()) {
        for (speeds, timed) in speeds.iter_mut().zip(timed) {
            speeds.push(timed.bulk);
        }
    }
    let series = NAMES.iter().zip(&speeds).map(|(name, speeds)| Series {
        name: (*name).into(),
        of_paper: false,
        joined: true,
        points: sigmas.iter().copied().zip(speeds.iter().copied()).collect(),
    });
    let chart = Chart {
        name: name.into(),
        title: "Speed against σ".into(),
        caption: "In bulk on one thread; Algorithm 5 at the multiple of σ₂ nearest to σ.".into(),
        x: ("σ".into(), logarithmic),
        y: ("million samples/s".into(), false),
        places: Vec::new(),
        plots: vec![Plot { title: String::new(), series: series.collect() }],
    };
    Ok((speeds, chart))
}

/// The slowest over the fastest of a curve.
fn flatness(speeds: &[f64]) -> f64 {
    let (least, most) = speeds.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), s| (a.min(*s), b.max(*s)));
    least / most
}

fn flat(answer: &mut Answer<'_>, quantity: &str, speeds: &[Vec<f64>], terms: &str) -> Result<(), LabError> {
    let worst = speeds.iter().map(|all| flatness(all)).fold(1.0, f64::min);
    let ours = format!("each algorithm's slowest is {worst:.2} of its fastest, or more");
    let verdict = if worst > 1.0 - FLAT {
        Outcome::Agrees
    } else {
        Outcome::Differs("speeds differ by more than a fifth".into())
    };
    answer.statement(quantity, &ours, terms, verdict)
}

pub(super) fn figure_1(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let step = bench.length(250, 50);
    let sigmas: Vec<f64> = (1..=1000 / step).map(|i| f64::from(i * step)).collect();
    let (_, chart) = sweep(bench, &sigmas, "speed", false)?;
    answer.drawn("speed against σ from 50 to 1000", chart, "σ in steps of 50; in a hurry of 250")
}

pub(super) fn to_20000(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let step = bench.length(9500, 1000);
    let sigmas: Vec<f64> = (0..=19_000 / step).map(|i| f64::from(1000 + i * step)).collect();
    let (speeds, chart) = sweep(bench, &sigmas, "speed", false)?;
    answer.charts.push(chart);
    // One race gives one answer: races are repeated, and each algorithm's speed at a width is the greatest so far.
    let mut fastest = speeds;
    let all: Vec<String> = sigmas.iter().flat_map(|sigma| recipes(*sigma)).collect();
    let built = all.iter().map(|recipe| build(recipe)).collect::<Result<Vec<_>, _>>()?;
    let samplers: Vec<_> = built.iter().map(|built| built.sampler()).collect();
    for _ in 0..bench.length(1, 5) {
        let again = Race { rounds: 1, ..bench.race() }.run(&samplers)?;
        for (i, speed) in again.into_iter().enumerate() {
            let best = &mut fastest[i % NAMES.len()][i / NAMES.len()];
            *best = best.max(speed);
        }
    }
    let terms = "σ in steps of 1000, in a hurry of 9500; races repeated, the fastest of each";
    flat(answer, "speed from σ = 1000 to 20000", &fastest, terms)
}

pub(super) fn to_2_23(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let sigmas: Vec<f64> = (if bench.quick { vec![15, 19, 23] } else { (15..=23).collect() })
        .into_iter()
        .map(|log2: i32| 2_f64.powi(log2))
        .collect();
    let (speeds, chart) = sweep(bench, &sigmas, "speed", true)?;
    answer.charts.push(chart);
    let walk = &speeds[3];
    let why = "numbers have 64 bits at every width here; the paper changes its type";
    answer.beside(
        "speed from 2^15 to 2^22",
        (walk[0], "million samples/s"),
        "Algorithm 5 with Algorithm 9 at 2^15, in bulk",
        why,
    )?;
    let ours = format!("at 2^23 {:.2} of its speed at 2^15", speeds[0][speeds[0].len() - 1] / speeds[0][0]);
    let drops = flatness(&speeds[0]) < 1.0 - FLAT;
    let verdict =
        if drops { Outcome::Agrees } else { Outcome::Differs("nothing here changes its type at 2^23".into()) };
    answer.statement("Karney's speed", &ours, "karney, in bulk", verdict)
}

pub(super) fn karney(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let timed = bench.timed(&recipes(215.0))?;
    answer.speed("Karney at 215", timed[0].single, &timed[0].singly())?;
    answer.more("Karney at 215, in bulk", (timed[0].bulk, "million samples/s"), &timed[0].in_bulk());
    let far = bench.timed(
        &["sigma=215", "sigma=20000", "sigma=1048576", "sigma=8388608"].map(|width| format!("{width},method=karney")),
    )?;
    let speeds: Vec<f64> = far.iter().map(|timed| timed.bulk).collect();
    let ours = format!("the slowest is {:.2} of the fastest", flatness(&speeds));
    let verdict = if flatness(&speeds) > 1.0 - FLAT {
        Outcome::Agrees
    } else {
        Outcome::Differs("speeds differ by more than a fifth".into())
    };
    answer.statement("Karney up to 2^23", &ours, "σ = 215, 20000, 2^20 and 2^23, in bulk", verdict)?;
    // RandomLib shifts a remainder below σ by a digit of 8 bits.
    let most = i32::MAX >> 8;
    let ours = format!("σ is {most} at most");
    let outcome = match most + 1 == 1 << 23 {
        true => Outcome::Agrees,
        false => Outcome::Differs("another limit of an int".into()),
    };
    answer.form = Form::Printed;
    answer.statement(
        "Karney up to 2^23",
        &ours,
        "(2^31 - 1)/2^8, rounded down: digits of 8 bits in an int",
        outcome,
    )?;
    answer.form = Form::Ours;
    Ok(())
}

pub(super) fn speeds(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let forms = [
        ("Algorithm 4", "sigma=215,method=du-wei-4"),
        ("Algorithm 5 with BIN", "k_sigma2=254,method=du-wei-5"),
        ("Algorithm 5 with Algorithm 9", "k_sigma2=254,method=du-wei-5-ky"),
    ];
    let recipes: Vec<String> =
        forms.iter().flat_map(|(_, recipe)| [format!("{recipe},frugal=true"), (*recipe).to_owned()]).collect();
    let timed = bench.timed(&recipes)?;
    for ((name, _), pair) in forms.iter().zip(timed.chunks(2)) {
        let terms = format!("{}; bit by bit, tables as the paper has them", pair[0].singly());
        answer.speed(name, pair[0].single, &terms)?;
        answer.more(&format!("{name}, frugal, in bulk"), (pair[0].bulk, "million samples/s"), &pair[0].in_bulk());
        answer.more(&format!("{name}, wide draws, in bulk"), (pair[1].bulk, "million samples/s"), &pair[1].in_bulk());
    }
    ratios(bench, answer)?;
    let walk = &timed[4];
    answer.speed("Algorithm 5 with Algorithm 9 at k = 254", walk.single, &walk.singly())?;
    answer.time("a sample of Algorithm 5 with Algorithm 9 at k = 254", (1.0 / walk.single, "µs"), &walk.singly())
}

/// Claims of D16, with the samplers that they compare.
const RATIOS: [(&str, usize, usize); 3] = [
    ("Algorithm 4 over Karney", 1, 0),
    ("Algorithm 5 with BIN over Algorithm 4", 2, 1),
    ("Algorithm 5 with Algorithm 9 over BIN", 3, 2),
];

/// The paper's ratios at σ ≈ 215: all samplers a bit at a time in one arithmetic, and by wide draws beside.
fn ratios(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let times = bitwise(bench);
    let terms = "all a bit at a time, in one arithmetic; interleaved minima, repeated, quartiles";
    answer.form = Form::AsBuilt;
    for (quantity, over, under) in RATIOS {
        let each = quartiles(times.iter().map(|times| times[under] / times[over]).collect());
        answer.repeated(quantity, (each, "times"), RATIO, terms, "another ratio in this arithmetic")?;
    }
    answer.form = Form::Ours;
    for options in ["", ",frugal=true"] {
        let [karney, four, bin, walk] = recipes(215.0);
        // Karney's algorithm has one form here, which draws wide.
        let all = [karney, four + options, bin + options, walk + options];
        let built = all.iter().map(|recipe| build(recipe)).collect::<Result<Vec<_>, _>>()?;
        let samplers: Vec<_> = built.iter().map(|built| built.sampler()).collect();
        let one = Race { rounds: 1, ..bench.race() };
        let turns = (0..bench.length(3, 15)).map(|_| one.run(&samplers)).collect::<Result<Vec<_>, _>>()?;
        for (quantity, over, under) in RATIOS {
            let each = turns.iter().map(|turn| turn[over] / turn[under]).collect();
            let terms = format!("{} over {}; in bulk, turn by turn, quartiles", all[over], all[under]);
            let quartiles = quartiles(each);
            if options.is_empty() {
                answer.repeated(
                    quantity,
                    (quartiles, "times"),
                    RATIO,
                    &terms,
                    "drawn wide, the forms differ otherwise",
                )?;
            } else if under > 0 {
                answer.more(&format!("{quantity}, frugal"), (quartiles[0], "times"), &terms);
            }
        }
    }
    Ok(())
}

/// Nanoseconds of a sample of each bitwise sampler, repeated: the least of interleaved turns.
fn bitwise(bench: &Bench) -> Vec<[f64; Bitwise::ALL.len()]> {
    let (repetitions, rounds, count) = bench.length((5, 2, 200), (15, 8, 2000));
    let mut tape = Tape::new([6; 32]);
    let mut repetition = || {
        let mut least = [f64::INFINITY; Bitwise::ALL.len()];
        for _ in 0..rounds {
            for (sampler, least) in Bitwise::ALL.iter().zip(&mut least) {
                let start = Clock::now();
                for _ in 0..count {
                    black_box(sampler.sample(&mut tape));
                }
                *least = (1e9 * start.elapsed().as_secs_f64() / f64::from(count)).min(*least);
            }
        }
        least
    };
    (0..repetitions).map(|_| repetition()).collect()
}

pub(super) fn tables(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let bytes = |recipe: &str| build(recipe).map(|built| built.profile().table_bytes as f64);
    let terms =
        "Algorithm 9's first table: 7 entries, a byte with a bit for each of 8; its second: 2 bits for each of 32, 64";
    answer.set_up("tables of Algorithm 5 with Algorithm 9, short", (8.0, "bits"), terms)?;
    answer.set_up("tables of Algorithm 5 with Algorithm 9, long", (64.0, "bits"), terms)?;
    // 128 digits of ln 2, as the walk has of 1/w; BIN needs no table.
    let columns = answer.printed("D14", "columns of Algorithm 8's matrix", "bits")?;
    let long = answer.stated("tables of Algorithm 5 with Algorithm 9, long")?;
    answer.form = Form::Printed;
    for (quantity, tables, terms) in [
        ("tables in all, least", columns, "ln 2 in as many bits as Algorithm 8 has columns; BIN has no table"),
        ("tables in all, middle", columns + long, "the same and Algorithm 9's second table: 128 + 64"),
        ("tables in all, most", 2.0 * columns + long, "the same and as many digits of 1/w: 128 + 64 + 128"),
    ] {
        answer.exact(quantity, (tables, "bits"), terms, "another sum of these tables")?;
    }
    answer.form = Form::Ours;
    let four = "sigma=215,method=du-wei-4,frugal=true";
    let verdict = if bytes(four)? == 0.0 { Outcome::Agrees } else { Outcome::Differs("there is one".into()) };
    answer.statement("tables of Algorithm 4", "0 bytes; 4,096 with wide draws", four, verdict)
}

pub(super) fn order(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let recipes = [
        "k_sigma2=254,method=du-wei-5-ky",
        "k_sigma2=254,method=du-wei-5",
        "sigma=215,method=du-wei-4",
        "sigma=215,method=karney",
        "k_sigma2=254,method=bernoulli,precision=128",
    ];
    let timed = bench.timed(&recipes.map(String::from))?;
    let names = ["Algorithm 5 with Algorithm 9", "Algorithm 5 with BIN", "Algorithm 4", "Karney", "[DDLL13]"];
    let speeds: Vec<(&str, f64)> = names.into_iter().zip(timed.iter().map(|timed| timed.bulk)).collect();
    let why = "[DDLL13]'s method decides all coins of a trial by one uniform here, and is certified, not exact; the others keep the paper's order";
    answer.order("who is faster at 215", &speeds, "wide draws, in bulk, one race", why)?;
    let times = bitwise(bench);
    let median = |i: usize| 1e3 / quartiles(times.iter().map(|times| times[i]).collect())[0];
    let bitwise: Vec<(&str, f64)> = names.into_iter().zip([3, 2, 1, 0, 4].map(median)).collect();
    let terms = "all a bit at a time in one arithmetic, [DDLL13] a coin at a time; interleaved minima, the median";
    answer.form = Form::AsBuilt;
    answer.order("who is faster at 215", &bitwise, terms, "a bit at a time Algorithm 9 is slower than BIN")?;
    answer.form = Form::Ours;
    Ok(())
}

pub(super) fn binary_method(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let timed = bench.timed(&["k_sigma2=254,method=bernoulli,precision=128".to_owned()])?;
    answer.speed("binary method over [Lum13] at σ ≈ 215", timed[0].single, &timed[0].singly())?;
    answer.more("binary method at k = 254, in bulk", (timed[0].bulk, "million samples/s"), &timed[0].in_bulk());
    Ok(())
}

/// Bits of \[DDLL13\]'s table: a coin of so many bits for each binary place of the greatest exponent y(y + 2kx), where y is below k and x the
/// last value of BIN whose weight 2^-x² those bits have.
const fn coins_alone(k: u64, bits: u32) -> f64 {
    let (y, x) = (k - 1, (bits as u64).isqrt());
    let greatest = y * (y + 2 * k * x);
    (bits * (u64::BITS - greatest.leading_zeros())) as f64
}

pub(super) fn coins(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let tables = [("[DDLL13]'s tables at σ ≈ 107", 126, 128), ("[DDLL13]'s tables at σ ≈ 271", 320, 192)];
    answer.form = Form::AsBuilt;
    for (quantity, k, bits) in tables {
        let terms = format!(
            "k = {k}, {bits} bits, as many as BLISS has of security there; a coin for each place of the greatest exponent, no products"
        );
        answer.near(quantity, (coins_alone(k, bits) / 8.0, "bytes"), 0.1, &terms, "another number of coins")?;
    }
    answer.form = Form::Ours;
    for (quantity, k, _) in tables {
        let recipe = format!("k_sigma2={k},method=bernoulli,precision=128,frugal=true");
        let bytes = build(&recipe)?.profile().table_bytes as f64;
        let why = "128 bits for each coin and products of coins here; the paper's precision is not said";
        answer.beside(quantity, (bytes, "bytes"), &recipe, why)?;
    }
    Ok(())
}

pub(super) fn algorithms(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let count = bench.length(1 << 16, 1 << 20);
    let mut rejected = Vec::new();
    for recipe in recipes(215.0).into_iter().chain(recipes(215.0).map(|recipe| recipe + ",frugal=true")) {
        let built = build(&recipe);
        // Karney's algorithm is bit by bit in one form alone.
        let Ok(built) = built else { continue };
        let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([7; 32])));
        let run = Run::new(&built.recipe().gaussian()?, count, |out| built.sampler().fill(&mut bits, out));
        if !run.map_err(|why| LabError::Input(why.to_string()))?.report.consistent {
            rejected.push(recipe);
        }
    }
    let (verdict, ours) = if rejected.is_empty() {
        (
            Outcome::Agrees,
            "Algorithms 1, 4, 5 with BIN and with 9, wide and bit by bit: samples consistent with the law".to_owned(),
        )
    } else {
        (Outcome::Differs("samples are rejected".into()), rejected.join("; "))
    };
    let terms = format!(
        "karney, du-wei-4, du-wei-5, du-wei-5-ky at σ ≈ 215, {count} samples each to the tests of samplez verify; the others are steps \
         of these, corrected where docs/errata.md says so, and counted at D4 to D14"
    );
    answer.statement("Algorithms 1 to 9", &ours, &terms, verdict)
}

/// The papers' widths.
const WIDTHS: [&str; 7] = ["3.3311", "10", "32", "107", "215", "1000", "1.6e5"];

/// Every method at every width.
pub(super) fn others(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let widths: &[&str] = if bench.quick { &["3.3311", "32", "215"] } else { &WIDTHS };
    let (mut measured, mut speeds) = (Vec::new(), Vec::new());
    for sigma in widths {
        for entry in Entry::measure(bench.race(), sigma, 106)? {
            if let Ok(found) = &entry.outcome {
                measured.push((entry.name, *sigma, found.bytes));
                speeds.push((entry.name, *sigma, found.speed));
            }
        }
    }
    let at_215 = |name: &str| speeds.iter().any(|(known, sigma, _)| (*known, *sigma) == (name, "215"));
    if let Some(missing) = ["convolution", "cdt", "knuth-yao"].into_iter().find(|name| !at_215(name)) {
        return Err(LabError::Input(format!("{missing}: not measured at 215")));
    }
    let ours = "[MW17]'s convolution, inversion, Knuth-Yao and all others stand beside, measured, not in words";
    answer.statement("other methods", ours, "all methods of a width in one race", Outcome::NoClaim)?;
    let terms = "By σ: in bulk to i32 over ChaCha20, the median of turns, one thread; tables of 106 bits, t = 13; bernoulli and du-wei-5 at the \
                 nearest multiple of σ₂; – is a width that a method does not take";
    for method in Contender::all() {
        for (_, sigma, speed) in speeds.iter().filter(|(name, ..)| *name == method.name) {
            answer.more(&format!("{}{CROSS}{sigma}", method.name), (*speed, "million samples/s"), terms);
        }
    }
    for method in Contender::all() {
        for (_, sigma, bytes) in measured.iter().filter(|(name, ..)| *name == method.name) {
            answer.more(
                &format!("{}{CROSS}{sigma}", method.name),
                (*bytes as f64, "bytes"),
                "By σ: tables of 106 bits, t = 13",
            );
        }
    }
    Ok(())
}

pub(super) fn refused(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let (fraction, far) = (build("k_sigma2=5/2,method=du-wei-5"), build("k_sigma2=8388608,method=du-wei-5"));
    let whole = fraction.is_err() && far.is_ok();
    let verdict = if whole { Outcome::Agrees } else { Outcome::Differs("other widths are taken".into()) };
    let ours = "k = 5/2 is refused; k = 2^23 is taken, in 64 bits where the paper's int ends";
    answer.statement("widths", ours, "k_sigma2=5/2 and 8388608, method=du-wei-5", verdict)
}

pub(super) fn algorithm_6(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let why = "as printed P(true) is 1 - e^-x + 1/e: branches are exchanged, a carry is lost, z = 0 divides by zero (docs/errata.md, [DW18] 3)";
    let x = 0.5_f64;
    let printed = 1.0 - (-x).exp() + (-1.0_f64).exp();
    let ours = format!("P(true) at x = ½ is {printed:.4} as printed, {:.4} wanted", (-x).exp());
    let outcome = if (printed - (-x).exp()).abs() > 1e-9 { Outcome::Differs(why.into()) } else { Outcome::Agrees };
    let terms = "the printed form is a mutation that the exact law tests catch";
    answer.statement("Algorithm 6", &ours, terms, outcome)
}

#[cfg(test)]
mod tests {
    use super::coins_alone;

    /// 19 and 22 coins; the size that [DDLL13] gives, λ log2(2.4 τσ²) with τ = 13, counts parts of one.
    #[test]
    fn coins_are_those_of_the_published_size() {
        for (k, sigma, bits, coins) in [(126, 107.0_f64, 128, 19.0), (320, 271.0, 192, 22.0)] {
            let published = (2.4 * 13.0 * sigma * sigma).log2();
            assert_eq!(coins_alone(k, bits), coins * f64::from(bits));
            assert!((coins - published).abs() < 1.0, "{published}");
        }
    }
}
