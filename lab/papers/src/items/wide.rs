//! Speeds of \[BCGHW13\]: its samplers at its widths, on its terms (single calls, its memory), and ours beside.

use super::Bench;
use super::bench::{RATIO, Timed, build};
use super::in_106_bits;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::Outcome;
use samplez::{BitReader, Seed};
use samplez_cli::testing::measure::clock::Clock;
use samplez_sources::ChaCha20;
use std::hint::black_box;
use std::rc::Rc;

/// Its widths, with the memory that its Ziggurats have there, in bytes: that of its inversion, but 524 KB at the widest.
const WIDTHS: [(&str, u32); 4] = [("10", 2080), ("32", 6656), ("1000", 208_000), ("1.6e5", 524_000)];

/// Its samplers at one width.
pub(super) struct Seven {
    timed: Rc<Vec<Timed>>,
}

const NAMES: [&str; 7] = [
    "Ziggurat",
    "Ziggurat without the line",
    "inversion",
    "table rejection",
    "Knuth-Yao",
    "stored densities",
    "stored densities without the line",
];

impl Seven {
    pub(super) fn at(bench: &Bench, sigma: &str) -> Result<Seven, LabError> {
        let memory = WIDTHS.iter().find(|(known, _)| *known == sigma).map_or(2080, |(_, memory)| *memory);
        let ziggurat = format!("sigma={sigma},method=ziggurat,precision=106,tail=13");
        // 20 bytes for a rectangle, and 36 beside them.
        let m = (memory - 36) / 20;
        let recipes = [
            format!("{ziggurat},rectangles={m}"),
            format!("{ziggurat},rectangles={m},chord=false"),
            format!("sigma={sigma},method=cdt,precision=106"),
            format!("sigma={sigma},method=rejection-table,precision=106,tail=13"),
            format!("sigma={sigma},method=knuth-yao,precision=106"),
            format!("{ziggurat},rectangles={m},pdf_table=true"),
            format!("{ziggurat},rectangles={m},pdf_table=true,chord=false"),
        ];
        Ok(Seven { timed: bench.timed(&recipes)? })
    }

    pub(super) fn of(&self, name: &str) -> Result<&Timed, LabError> {
        let at = NAMES.iter().position(|known| *known == name);
        at.and_then(|at| self.timed.get(at)).ok_or_else(|| LabError::Input(format!("{name} is none of the seven")))
    }

    fn ratio(&self, one: &str, other: &str) -> Result<(f64, String), LabError> {
        let (a, b) = (self.of(one)?, self.of(other)?);
        Ok((a.single / b.single, format!("{} over {}; single calls, their means", a.recipe, b.recipe)))
    }
}

/// A claim's speed by single calls, and in bulk beside.
fn speed(answer: &mut Answer<'_>, quantity: &str, timed: &Timed) -> Result<(), LabError> {
    answer.speed(quantity, timed.single, &timed.singly())?;
    answer.more(&format!("{quantity}, in bulk"), (timed.bulk, "million samples/s"), &timed.in_bulk());
    Ok(())
}

fn ratio(answer: &mut Answer<'_>, quantity: &str, of: (f64, String), why: &str) -> Result<(), LabError> {
    answer.near(quantity, (of.0, "times"), RATIO, &of.1, why)
}

const WIDE: &str = "tables of 10 to 60 MB miss the caches, the Ziggurat's does not";
const WALK: &str = "a walk takes a search in 17 MB, and the Ziggurat's chord decides by small integers";

pub(super) fn widest(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let seven = Seven::at(bench, "1.6e5")?;
    speed(answer, "Ziggurat at 1.6e5", seven.of("Ziggurat")?)?;
    let (ziggurat, inversion, walk) = (seven.of("Ziggurat")?, seven.of("inversion")?, seven.of("Knuth-Yao")?);
    answer.near("memory of the Ziggurat at 1.6e5", (ziggurat.bytes as f64, "bytes"), 0.1, &ziggurat.recipe, "")?;
    speed(answer, "inversion at 1.6e5", inversion)?;
    let why = "a threshold takes 14 bytes here, 16 in the paper";
    answer.near("memory of inversion at 1.6e5", (inversion.bytes as f64, "bytes"), 0.1, &inversion.recipe, why)?;
    let (times, terms) = seven.ratio("Knuth-Yao", "Ziggurat")?;
    answer.within("Knuth-Yao over the Ziggurat at 1.6e5", (100.0 * (times - 1.0), "%"), 5.0, &terms, WALK)?;
    let memory = walk.bytes as f64 / ziggurat.bytes as f64;
    let why = "106·2^21 bits over 2^19 bytes is 424, bits for bytes: 53 times in bytes";
    answer.exact("memory of Knuth-Yao over the Ziggurat's at 1.6e5", (memory, "times"), &walk.recipe, why)?;
    let mut ranked: Vec<(&str, &Timed)> = NAMES.into_iter().zip(seven.timed.iter()).take(5).collect();
    ranked.sort_by(|a, b| b.1.single.total_cmp(&a.1.single));
    let first = ranked.first().is_some_and(|(name, _)| name.starts_with("Ziggurat"));
    let verdict =
        if first { Outcome::Agrees } else { Outcome::Differs("another sampler of the paper's is faster".into()) };
    let ours = ranked.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" > ");
    answer.statement("the Ziggurat", &ours, "the paper's samplers at σ = 1.6e5, single calls; at 32 see B15a", verdict)
}

pub(super) fn single_calls(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let seven = Seven::at(bench, "32")?;
    let ours = "single calls, their mean, by the thread's clock, set-up excluded; bulk stands beside";
    answer.statement("how is timed", ours, "every row of this paper", Outcome::NoClaim)?;
    for (name, timed) in NAMES.iter().zip(seven.timed.iter()) {
        answer.more(
            &format!("bulk over single calls, {name} at 32"),
            (timed.bulk / timed.single, "times"),
            &timed.recipe,
        );
        if !bench.quick {
            let (speed, terms) = (million(&timed.recipe)?, format!("{}; 10^6 single calls, their mean", timed.recipe));
            answer.more(&format!("10^6 single calls, {name} at 32"), (speed, "million samples/s"), &terms);
        }
    }
    Ok(())
}

/// Million samples a second of the paper's 10^6 single calls.
fn million(recipe: &str) -> Result<f64, LabError> {
    let (built, mut reader) = (build(recipe)?, BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32]))));
    let bits: &mut BitReader<dyn rand_core::Rng + '_> = &mut reader;
    let start = Clock::now();
    for _ in 0..1_000_000 {
        black_box(built.sampler().sample(bits));
    }
    Ok(1.0 / start.elapsed().as_secs_f64())
}

pub(super) fn seven(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let widths: &[&str] = &["10", "32", "1000", "1.6e5"];
    for sigma in widths {
        let seven = Seven::at(bench, sigma)?;
        for (name, timed) in NAMES.iter().zip(seven.timed.iter()) {
            answer.more(&format!("{name} at {sigma}"), (timed.single, "million samples/s"), &timed.singly());
        }
    }
    answer.set_up("samplers", (NAMES.len() as f64, "count"), "each at four widths")?;
    answer.statement("widths", "10, 32, 1000, 1.6e5", "σ", Outcome::NoClaim)
}

pub(super) fn at_32(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let seven = Seven::at(bench, "32")?;
    for name in ["inversion", "table rejection", "Ziggurat", "Knuth-Yao"] {
        speed(answer, &format!("{name} at 32"), seven.of(name)?)?;
    }
    let others = ["rejection,tail=13", "cdt-guided,precision=106", "knuth-yao-compact,precision=106"];
    let timed = bench.timed(&others.map(|method| format!("sigma=32,method={method}")))?;
    speed(answer, "plain rejection at 32", &timed[0])?;
    answer.more("guided inversion at 32, in bulk", (timed[1].bulk, "million samples/s"), &timed[1].in_bulk());
    answer.more(
        "Knuth-Yao with a first table at 32, in bulk",
        (timed[2].bulk, "million samples/s"),
        &timed[2].in_bulk(),
    );
    Ok(())
}

pub(super) fn without_line(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let seven = Seven::at(bench, "32")?;
    speed(answer, "Ziggurat without the line at 32", seven.of("Ziggurat without the line")?)
}

pub(super) fn ratios_at_32(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let seven = Seven::at(bench, "32")?;
    let (plain, table) = ("Ziggurat without the line", "table rejection");
    let of = |one, other| seven.ratio(one, other);
    ratio(
        answer,
        "inversion over table rejection at 32",
        of("inversion", table)?,
        "table rejection compares lazily here, from the words of a trial",
    )?;
    let inversion = seven.of("inversion")?.single;
    let naive = bench.timed(&["sigma=32,method=rejection,tail=13".to_owned()])?[0].single;
    let terms = "cdt over rejection,tail=13; single calls, their means".to_owned();
    ratio(
        answer,
        "inversion over plain rejection at 32",
        (inversion / naive, terms),
        "the probability is compared bit by bit here, not computed to 106 bits each time",
    )?;
    let why = "the Ziggurat draws the bits that decide and no more";
    ratio(answer, "inversion over the Ziggurat without the line at 32", of("inversion", plain)?, why)?;
    ratio(answer, "the Ziggurat without the line over table rejection at 32", of(plain, table)?, why)?;
    let (times, terms) = of("Knuth-Yao", "inversion")?;
    let why = "inversion compares 32 bits and looks at more where these are a threshold's; the walk takes a step a bit";
    answer.exact("Knuth-Yao over inversion at 32", (times, "times"), &terms, why)?;
    let [walk, cdt] = [seven.of("Knuth-Yao")?.bytes, seven.of("inversion")?.bytes];
    let ours = format!("{walk} bytes, {cdt} of inversion");
    let why =
        "the packed matrix takes n bits of each of 13σ probabilities, no more than a table of thresholds".to_owned();
    let verdict = if walk > cdt + cdt / 2 { Outcome::Agrees } else { Outcome::Differs(why) };
    answer.statement("memory of Knuth-Yao over inversion's at 32", &ours, "tables of 106 bits", verdict)?;
    in_106_bits::at_32(bench, answer)
}

pub(super) fn half_a_megabyte(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let seven = Seven::at(bench, "1.6e5")?;
    speed(answer, "Ziggurat at 1.6e5 in 524 KB", seven.of("Ziggurat")?)?;
    let small = bench.timed(&["sigma=1.6e5,method=ziggurat,precision=106,tail=13,rectangles=256".to_owned()])?;
    answer.more("Ziggurat at 1.6e5 in 5 KB, in bulk", (small[0].bulk, "million samples/s"), &small[0].in_bulk());
    Ok(())
}

pub(super) fn ratios_at_widest(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let seven = Seven::at(bench, "1.6e5")?;
    speed(answer, "inversion at 1.6e5", seven.of("inversion")?)?;
    speed(answer, "table rejection at 1.6e5", seven.of("table rejection")?)?;
    ratio(answer, "Ziggurat over inversion at 1.6e5", seven.ratio("Ziggurat", "inversion")?, WIDE)?;
    ratio(answer, "Ziggurat over table rejection at 1.6e5", seven.ratio("Ziggurat", "table rejection")?, WIDE)?;
    let (times, terms) = seven.ratio("Knuth-Yao", "Ziggurat")?;
    answer.within("Knuth-Yao over the Ziggurat at 1.6e5", (100.0 * (times - 1.0), "%"), 5.0, &terms, WALK)?;
    let memory = seven.of("Knuth-Yao")?.bytes as f64 / seven.of("Ziggurat")?.bytes as f64;
    let why = "106·2^21 bits over 2^19 bytes is 424, bits for bytes: 53 times in bytes";
    answer.exact("memory of Knuth-Yao over the Ziggurat's at 1.6e5", (memory, "times"), "knuth-yao, ziggurat", why)?;
    in_106_bits::at_widest(bench, answer)
}

pub(super) fn eight_rectangles(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let timed = bench.timed(&["sigma=32,method=ziggurat,precision=106,tail=13,rectangles=8".to_owned()])?;
    speed(answer, "Ziggurat with 8 rectangles at 32", &timed[0])
}
