//! \[BCGHW13\]'s ratios and gains by samplers as the paper built them: every number a big integer, 106 bits drawn and compared
//! whole ([`bignum`](crate::bignum)). Samplers take turns of single calls; a
//! ratio is of the least times of one repetition.

use super::Bench;
use super::bench::{RATIO, quartiles};
use crate::answer::Answer;
use crate::bignum::{Density, Inversion, KnuthYao, Partition, Plain, Pool, Rejection, Ziggurat};
use crate::error::LabError;
use crate::finding::{Form, Outcome};
use crate::plot::{Plot, Series};
use num_bigint::BigUint;
use samplez_cli::testing::measure::clock::Clock;
use std::hint::black_box;

/// Percent that a gain may be off.
const POINTS: f64 = 5.0;
/// Bytes of a number, by the paper's count.
const NUMBER: usize = 16;

type Sample<'a> = &'a dyn Fn(&mut Pool) -> i64;
type Owned = Box<dyn Fn(&mut Pool) -> i64>;

/// Nanoseconds of a single call, over so many.
fn nanoseconds(sample: Sample<'_>, pool: &mut Pool, calls: u32) -> f64 {
    let start = Clock::now();
    for _ in 0..calls {
        black_box(sample(pool));
    }
    1e9 * start.elapsed().as_secs_f64() / f64::from(calls)
}

/// Nanoseconds of a call of each, repeated: in each repetition all take turns with the same random bits, and the least of a
/// sampler's turns counts.
fn turns(bench: &Bench, samples: &[Sample<'_>]) -> Vec<Vec<f64>> {
    let (repetitions, rounds, fewest) = bench.length((5, 2, 50), (15, 6, 500));
    let calls = |sample: &Sample<'_>| 0.7e6 / nanoseconds(*sample, &mut Pool::new(0), 20);
    let calls: Vec<u32> = samples.iter().map(|sample| (calls(sample) as u32).clamp(fewest, 20_000)).collect();
    let repetition = |seed: u8| {
        let mut least = vec![f64::INFINITY; samples.len()];
        for _ in 0..rounds {
            for ((sample, calls), least) in samples.iter().zip(&calls).zip(&mut least) {
                *least = nanoseconds(*sample, &mut Pool::new(seed), *calls).min(*least);
            }
        }
        least
    };
    (0..repetitions).map(repetition).collect()
}

/// How often one is as fast as another: the median of the repetitions and its quartiles.
fn ratio(turns: &[Vec<f64>], one: usize, other: usize) -> [f64; 3] {
    quartiles(turns.iter().map(|turn| turn[other] / turn[one]).collect())
}

/// Percent that one is faster than another.
fn gain(turns: &[Vec<f64>], one: usize, other: usize) -> [f64; 3] {
    ratio(turns, one, other).map(|ratio| 100.0 * (ratio - 1.0))
}

/// Rectangles that have so many bytes by the paper's formula, 32(m + 2).
const fn rectangles(bytes: usize) -> usize {
    bytes / 32 - 2
}

/// The variants of the Ziggurat: the name, whether it has the line, whether densities are stored.
const VARIANTS: [(&str, bool, bool); 4] = [
    ("Ziggurat with the line", true, false),
    ("Ziggurat without the line", false, false),
    ("Ziggurat with stored densities", true, true),
    ("stored densities, without the line", false, true),
];
/// From here on densities are not stored, and few numbers of rectangles are drawn.
const WIDE: u64 = 100_000;

/// Million samples a second of the paper's samplers against its bytes: 32(m + 2) of the Ziggurat, and 16 for a density or a threshold.
pub(super) fn speeds(bench: &Bench, sigma: u64) -> Vec<Series> {
    let density = Density::new(sigma, 1);
    let (all, store) = (density.all(), NUMBER * 13 * sigma as usize);
    let sizes: &[usize] = match sigma {
        WIDE.. => &[2, 32, 512, 16_373],
        _ => bench.length(&[2, 8, 64], &[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]),
    };
    let mut made: Vec<(&str, usize, Owned)> = Vec::new();
    for m in sizes {
        let partition = Partition::new(&all, *m);
        for (name, line, stored) in VARIANTS.iter().filter(|(.., stored)| !stored || sigma < WIDE) {
            let ziggurat = Ziggurat::new(&partition, &density, *line, *stored);
            let bytes = 32 * (m + 2) + if *stored { store } else { 0 };
            made.push((*name, bytes, Box::new(move |pool| ziggurat.sample(pool))));
        }
    }
    let inversion = Inversion::new(&all);
    drop(all);
    if sigma < WIDE {
        let tree = KnuthYao::new(&inversion);
        made.push(("Knuth-Yao", tree.bytes(), Box::new(move |pool| tree.sample(pool))));
    }
    made.push(("inversion", store, Box::new(move |pool| inversion.sample(pool))));
    let table = Rejection::new(&density);
    made.push(("table rejection", store, Box::new(move |pool| table.sample(pool))));
    let turns = turns(bench, &made.iter().map(|(.., sample)| &**sample).collect::<Vec<Sample<'_>>>());
    let mut drawn: Vec<Series> = Vec::new();
    for (i, (name, bytes, _)) in made.iter().enumerate() {
        let [nanoseconds, ..] = quartiles(turns.iter().map(|turn| turn[i]).collect());
        let point = (*bytes as f64, 1e3 / nanoseconds);
        match drawn.iter_mut().find(|series| series.name == *name) {
            Some(series) => series.points.push(point),
            None => drawn.push(Series { name: (*name).into(), of_paper: false, joined: true, points: vec![point] }),
        }
    }
    drawn
}

/// The four samplers that the paper compares at σ = 32, and plain rejection.
pub(super) fn at_32(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let density = Density::new(32, 1);
    let all = density.all();
    let m = rectangles(NUMBER * 13 * 32);
    let (inversion, table) = (Inversion::new(&all), Rejection::new(&density));
    let tree = KnuthYao::new(&inversion);
    let ziggurat = Ziggurat::new(&Partition::new(&all, m), &density, false, false);
    let plain = Plain(density);
    let turns = turns(
        bench,
        &[
            &|pool| inversion.sample(pool),
            &|pool| table.sample(pool),
            &|pool| plain.sample(pool),
            &|pool| ziggurat.sample(pool),
            &|pool| tree.sample(pool),
        ],
    );
    let terms = format!(
        "big integers, 106 bits drawn and compared whole; Knuth-Yao by an explicit tree of {} bytes and pooled bits; m = {m}; single \
         calls, interleaved minima, repeated, quartiles",
        tree.bytes()
    );
    answer.form = Form::AsBuilt;
    for (quantity, one, other, share) in [
        ("inversion over table rejection at 32", 0, 1, RATIO),
        ("inversion over the Ziggurat without the line at 32", 0, 3, RATIO),
        ("the Ziggurat without the line over table rejection at 32", 3, 1, RATIO),
        ("Knuth-Yao over inversion at 32", 4, 0, RATIO),
    ] {
        let turns = ratio(&turns, one, other);
        answer.repeated(quantity, (turns, "times"), share, &terms, "another ratio with other big integers")?;
    }
    // The price of an exponential is its library's: the claim is judged by NTL, the paper's, in kat/papers/once.jsonl.
    let [price, ..] = ratio(&turns, 0, 2);
    answer.more("inversion over plain rejection at 32, in num-bigint", (price, "times"), &terms);
    answer.form = Form::Ours;
    Ok(())
}

/// The same at σ = 1.6e5, without Knuth–Yao: a tree of 106 levels would have some 10^8 nodes.
pub(super) fn at_widest(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    if bench.quick {
        return Ok(());
    }
    let density = Density::new(160_000, 1);
    let all = density.all();
    let m = rectangles(524_000);
    let (inversion, table) = (Inversion::new(&all), Rejection::new(&density));
    let ziggurat = Ziggurat::new(&Partition::new(&all, m), &density, true, false);
    drop(all);
    let turns =
        turns(bench, &[&|pool| ziggurat.sample(pool), &|pool| inversion.sample(pool), &|pool| table.sample(pool)]);
    let terms = format!("big integers, 106 bits; m = {m}; single calls, interleaved minima, repeated, quartiles");
    let why = "2 million integers on the heap miss the caches of today";
    answer.form = Form::AsBuilt;
    answer.repeated("Ziggurat over inversion at 1.6e5", (ratio(&turns, 0, 1), "times"), RATIO, &terms, why)?;
    answer.repeated("Ziggurat over table rejection at 1.6e5", (ratio(&turns, 0, 2), "times"), RATIO, &terms, why)?;
    answer.form = Form::Ours;
    Ok(())
}

/// The Ziggurat with its line at σ = 10 and 1000, with as many rectangles.
pub(super) fn wider(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let made = [32, 1000].map(|sigma| {
        let density = Density::new(sigma, 1);
        Ziggurat::new(&Partition::new(&density.all(), 206), &density, true, false)
    });
    let turns = turns(bench, &[&|pool| made[1].sample(pool), &|pool| made[0].sample(pool)]);
    let [median, least, most] = ratio(&turns, 0, 1);
    let ours = format!("{median:.2} ({least:.2} to {most:.2}) times as fast at σ = 1000 as at 32");
    let why = "wider laws are not slower in big integers either, with as many rectangles";
    let outcome = match (least < 0.97, most < 0.97) {
        (true, true) => Outcome::Agrees,
        (false, false) => Outcome::Differs(why.into()),
        _ => Outcome::Straddles("the repetitions lie on both sides of the threshold".into()),
    };
    answer.form = Form::AsBuilt;
    answer.statement(
        "wider laws",
        &ours,
        "big integers, 206 rectangles; interleaved minima, repeated, quartiles",
        outcome,
    )?;
    answer.form = Form::Ours;
    Ok(())
}

/// Gains of the line at σ = 10, by the paper's bytes, and their curve.
pub(super) fn line(bench: &Bench, answer: &mut Answer<'_>) -> Result<Vec<(f64, f64)>, LabError> {
    let density = Density::new(10, 1);
    let all = density.all();
    let of = |bytes: &usize| -> (usize, [f64; 3]) {
        let partition = Partition::new(&all, rectangles(*bytes));
        let [with, without] = [true, false].map(|line| Ziggurat::new(&partition, &density, line, false));
        let turns = turns(bench, &[&|pool| with.sample(pool), &|pool| without.sample(pool)]);
        (*bytes, gain(&turns, 0, 1))
    };
    let terms = "σ = 10, big integers, 106 bits; 32(m + 2) bytes; interleaved minima, repeated, quartiles";
    let sizes: &[usize] =
        bench.length(&[128, 320, 576, 2080], &[128, 192, 320, 448, 576, 1088, 2080, 4160, 16_448, 131_072]);
    let gains: Vec<(usize, [f64; 3])> = sizes.iter().map(of).collect();
    let at = |bytes| gains.iter().find(|(known, _)| *known == bytes).map(|(_, gain)| *gain);
    let few = || gains.iter().filter(|(bytes, _)| *bytes <= 576).map(|(_, gain)| gain);
    let by = |a: &&[f64; 3], b: &&[f64; 3]| a[0].total_cmp(&b[0]);
    answer.form = Form::AsBuilt;
    for (quantity, turns) in [
        ("improvement by the line from 128 to 576 bytes, least", few().min_by(by).copied()),
        ("improvement by the line from 128 to 576 bytes, most", few().max_by(by).copied()),
        ("improvement by the line at 320 bytes", at(320)),
        ("improvement by the line at 2080 bytes", at(2080)),
        ("improvement by the line from 130 KB on", at(131_072)),
    ] {
        let Some(turns) = turns else { continue };
        percent(answer, quantity, turns, terms, "the line gains more where an exponential costs more")?;
    }
    answer.form = Form::Ours;
    Ok(gains.iter().map(|(bytes, gain)| (*bytes as f64, gain[0])).collect())
}

/// A gain in percent, which may be off by so many points.
fn percent(answer: &mut Answer<'_>, quantity: &str, turns: [f64; 3], terms: &str, why: &str) -> Result<(), LabError> {
    let stated = answer.stated(quantity)?;
    // About 0 % has no share of itself: the points alone.
    let share = if stated == 0.0 { 0.0 } else { POINTS / stated };
    match stated == 0.0 {
        true => answer.within(quantity, (turns[0], "%"), POINTS, terms, why),
        false => answer.repeated(quantity, (turns, "%"), share, terms, why),
    }
}

/// Stored densities over computed ones in as many bytes: 65 rectangles have the bytes of the 130 densities.
pub(super) fn densities(bench: &Bench, answer: &mut Answer<'_>) -> Result<Vec<(f64, f64)>, LabError> {
    let density = Density::new(10, 1);
    let all = density.all();
    let store = NUMBER * 130;
    let (mut slower, mut most) = (0, [f64::NEG_INFINITY; 3]);
    let quick: &[usize] = &[1, 4, 64];
    let mut points = Vec::new();
    answer.form = Form::AsBuilt;
    for m in bench.length(quick, &[1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 128]) {
        let stored = Ziggurat::new(&Partition::new(&all, *m), &density, true, true);
        let computed = Ziggurat::new(&Partition::new(&all, m + store / 32), &density, true, false);
        let gain = gain(&turns(bench, &[&|pool| stored.sample(pool), &|pool| computed.sample(pool)]), 0, 1);
        let bytes = store + 32 * (m + 2);
        if gain[0] < -POINTS {
            slower = slower.max(bytes);
        }
        most = if gain[0] > most[0] { gain } else { most };
        points.push((bytes, gain[0]));
    }
    let terms = "σ = 10, big integers, 106 bits, equal bytes by 32(m + 2); interleaved minima, repeated";
    for (bytes, gain) in &points {
        answer.more(&format!("stored densities over computed in {bytes} bytes"), (*gain, "%"), terms);
    }
    let why = "where the curves cross depends on the price of an exponential";
    answer.near("memory up to which the stored densities are slower", (slower as f64, "bytes"), RATIO, terms, why)?;
    let why = "a stored density saves less than an exponential's share of the time";
    percent(answer, "improvement by the stored densities", most, terms, why)?;
    answer.form = Form::Ours;
    Ok(points.into_iter().map(|(bytes, gain)| (bytes as f64, gain)).collect())
}

/// The parts of the time, in the order of their shares.
pub(super) const PARTS: [&str; 4] = ["exp", "random bits", "line", "other"];

/// Percent of the time of each part, repeated: what is counted, times what one costs by itself.
fn shares(bench: &Bench, density: &Density, all: &[BigUint], m: usize, line: bool) -> Vec<[f64; PARTS.len()]> {
    let ziggurat = Ziggurat::new(&Partition::new(all, m), density, line, false);
    let mut pool = Pool::new(3);
    let calls = bench.length(1 << 10, 1 << 13);
    (0..calls).for_each(|_| {
        black_box(ziggurat.sample(&mut pool));
    });
    let [exps, looks, numbers] = [pool.exps, pool.looks, pool.numbers].map(|count| count as f64 / f64::from(calls));
    // Where an exponential is computed: right of the rectangles above.
    let exp = |pool: &mut Pool| (density.at(pool.place()).bits()) as i64;
    let look = |pool: &mut Pool| {
        let y: BigUint = pool.number(107);
        i64::from(y.clone() * 17_u8 < BigUint::from(5_u8) << 107_u8) + i64::from(y.bit(0))
    };
    let draw = |pool: &mut Pool| pool.number(107).bits() as i64;
    let turns = turns(bench, &[&|pool| ziggurat.sample(pool), &exp, &look, &draw]);
    let share = |turn: &Vec<f64>| {
        let part = |time: f64| 100.0 * (time / turn[0]).clamp(0.0, 1.0);
        let [exp, random, line] = [exps * turn[1], numbers * turn[3], looks * (turn[2] - turn[3])].map(part);
        [exp, random, line, (100.0 - exp - random - line).max(0.0)]
    };
    turns.iter().map(share).collect()
}

/// Shares of the exponentials and of the line, and the split of the time against the paper's bytes.
pub(super) fn split(bench: &Bench, answer: &mut Answer<'_>) -> Result<Vec<Plot>, LabError> {
    let density = Density::new(10, 1);
    let all = density.all();
    let sizes = bench.length(&[2, 16][..], &[2, 4, 8, 16, 32, 64, 128, 256, 512]);
    let [without, with] = [false, true].map(|line| {
        let of = |m: &usize| (32.0 * (*m as f64 + 2.0), shares(bench, &density, &all, *m, line));
        sizes.iter().map(of).collect::<Vec<_>>()
    });
    let part = |shares: &[[f64; PARTS.len()]], part: usize| quartiles(shares.iter().map(|all| all[part]).collect());
    let terms = "σ = 10, 2 rectangles, without the line, big integers: exponentials counted, times the cost of one; interleaved minima, repeated, quartiles";
    answer.form = Form::AsBuilt;
    for quantity in ["share of exp with two rectangles, least", "share of exp with two rectangles, most"] {
        percent(answer, quantity, part(&without[0].1, 0), terms, "an exponential costs another part")?;
    }
    let by = |a: &[f64; 3], b: &[f64; 3]| a[0].total_cmp(&b[0]);
    if let Some(most) = with.iter().map(|(_, shares)| part(shares, 2)).max_by(by) {
        let terms = "σ = 10, big integers: looks counted, times the cost of one; the most at any size; interleaved minima, repeated, quartiles";
        answer.repeated("share of the line", (most, "%"), 0.0, terms, "a look costs another part")?;
    }
    answer.form = Form::Ours;
    let plot = |title: &str, of: &[(f64, Vec<[f64; PARTS.len()]>)]| {
        let curve = |(i, name): (usize, &&str)| Series {
            name: (*name).into(),
            of_paper: false,
            joined: true,
            points: of.iter().map(|(bytes, shares)| (*bytes, part(shares, i)[0])).collect(),
        };
        Plot { title: title.into(), series: PARTS.iter().enumerate().map(curve).collect() }
    };
    Ok(vec![
        plot("without the line, as the paper built it", &without),
        plot("with the line, as the paper built it", &with),
    ])
}
