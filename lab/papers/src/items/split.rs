//! Where the Ziggurat's time goes: \[BCGHW13\]'s Figure 5, by counts times costs.
//!
//! The counts are summed over the table's columns: throws, evaluations of exp, looks at the line; the random bits are those that the
//! sampler declares. A bit costs what the source takes for it. What a throw and an exp cost is the least squares of the
//! times without the line over all sizes of the table, what the line costs that of what is left of the times with it.

use super::Bench;
use super::bench::Timed;
use super::in_106_bits::{self, PARTS};
use super::partitions::{Right, right, table};
use super::sweeps::{Variant, sweep};
use crate::answer::Answer;
use crate::error::LabError;
use crate::plot::chart::OF_PAPER;
use crate::plot::{Chart, Plot, Series};
use rand_core::Rng;
use samplez::Seed;
use samplez_cli::testing::measure::rounds::{levelled_time, median};
use samplez_sources::ChaCha20;
use std::convert::Infallible;
use std::hint::black_box;

const LEAST: &str = "share of exp with two rectangles, least";
const MOST: &str = "share of exp with two rectangles, most";

/// The counts of a sample, its time, and the table's bytes.
struct Counted {
    bytes: f64,
    nanoseconds: f64,
    bits: f64,
    throws: f64,
    exps: f64,
    looks: f64,
}

impl Counted {
    fn of(timed: &Timed, shares: &Right, line: bool) -> Counted {
        let throws = timed.trials;
        let decided = if line { shares.decided } else { 0.0 };
        Counted {
            bytes: timed.bytes as f64,
            nanoseconds: 1e3 / timed.bulk,
            bits: timed.bits,
            throws,
            exps: throws * (shares.all - decided),
            looks: if line { throws * shares.asked } else { 0.0 },
        }
    }
}

/// Nanoseconds for a random bit of ChaCha20 in bulk, the median of turns.
fn bit() -> f64 {
    let mut source = ChaCha20::new(&Seed::from_bytes([9; 32]));
    let mut out = vec![0; 1 << 16];
    let mut turns = Vec::new();
    for _ in 0..21 {
        let Ok(seconds) = levelled_time(|| {
            source.fill_bytes(&mut out);
            black_box(&mut out);
            Ok::<(), Infallible>(())
        });
        turns.push(seconds);
    }
    1e9 * median(turns) / (8.0 * out.len() as f64)
}

/// x and y with the least Σ (x·a + y·b - t)², neither below 0.
fn least_squares(rows: impl Iterator<Item = (f64, f64, f64)>) -> (f64, f64) {
    let (mut aa, mut ab, mut bb, mut at, mut bt) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (a, b, t) in rows {
        aa += a * a;
        ab += a * b;
        bb += b * b;
        at += a * t;
        bt += b * t;
    }
    let determinant = aa * bb - ab * ab;
    if determinant.abs() <= 1e-12 * aa * bb {
        return (at / aa, 0.0);
    }
    (((at * bb - bt * ab) / determinant).max(0.0), ((bt * aa - at * ab) / determinant).max(0.0))
}

pub(super) fn figure_5(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let mut all = Vec::new();
    for (variant, line) in [(Variant::Plain, false), (Variant::Line, true)] {
        let timed = sweep(bench, "10", variant)?;
        let counted = timed.iter().filter(|timed| timed.rectangles.is_some_and(|m| m <= 1024));
        let counted = counted.map(|timed| {
            let shares = right(&table("10", timed.rectangles.unwrap_or(2))?);
            Ok(Counted::of(timed, &shares, line))
        });
        all.push(counted.collect::<Result<Vec<Counted>, LabError>>()?);
    }
    let bit = bit();
    let (throw, exp) = least_squares(all[0].iter().map(|c| (c.throws, c.exps, c.nanoseconds - bit * c.bits)));
    let left = |c: &Counted| c.nanoseconds - bit * c.bits - throw * c.throws - exp * c.exps;
    let (look, _) = least_squares(all[1].iter().map(|c| (c.looks, 0.0, left(c))));
    let look = look.max(0.0);
    let share = |c: &Counted, part: f64| 100.0 * (part / c.nanoseconds).clamp(0.0, 1.0);
    let series = |name: &str, of: &[Counted], part: &dyn Fn(&Counted) -> f64| Series {
        name: name.into(),
        of_paper: false,
        joined: true,
        points: of.iter().map(|c| (c.bytes, share(c, part(c)))).collect(),
    };
    let plot = |title: &str, of: &[Counted]| Plot {
        title: title.into(),
        series: vec![
            series(PARTS[0], of, &|c| exp * c.exps),
            series(PARTS[1], of, &|c| bit * c.bits),
            series(PARTS[2], of, &|c| look * c.looks),
            series(PARTS[3], of, &|c| (c.nanoseconds - exp * c.exps - bit * c.bits - look * c.looks).max(0.0)),
        ],
    };
    let mut plots = in_106_bits::split(bench, answer)?;
    let exp_of_paper = [answer.stated(LEAST)?, answer.stated(MOST)?].map(|share| (104.0, share)).to_vec();
    plots[0].series.push(Series {
        name: format!("exp{OF_PAPER}"),
        of_paper: true,
        joined: false,
        points: exp_of_paper,
    });
    plots.extend([plot("without the line, here", &all[0]), plot("with the line, here", &all[1])]);
    let chart = Chart {
        name: "split".into(),
        title: "Where the time goes".into(),
        caption: format!(
            "σ = 10. Counts times costs: {exp:.1} ns for an exp, {look:.1} for the line, {throw:.1} for a throw, {bit:.3} for a random bit here."
        ),
        x: ("bytes of tables; 32(m + 2) as the paper built it".into(), true),
        y: ("% of the time".into(), false),
        places: Vec::new(),
        plots,
    };
    let terms = "counts summed over the table's columns, costs by least squares over the sizes; in bulk";
    answer.drawn("time split against memory", chart, terms)?;
    let two = share(&all[0][0], exp * all[0][0].exps);
    let why = "exp is computed to the bits that decide and no more, most of the time in one word";
    let terms = "σ = 10, 2 rectangles, without the line";
    answer.exact(LEAST, (two, "%"), terms, why)?;
    answer.exact(MOST, (two, "%"), terms, why)?;
    let terms = "20 bytes a rectangle, and 36 beside them";
    let why = "the formula gives 128, see E5; 76 here";
    answer.exact("memory of two rectangles", (all[0][0].bytes, "bytes"), terms, why)?;
    let most = all[1].iter().map(|c| share(c, look * c.looks)).fold(0.0, f64::max);
    let (quantity, terms) = ("share of the line", "the most at any size");
    if most > 0.0 {
        let why = "a throw costs less here, so that the line is a larger part of it";
        answer.exact(quantity, (most, "%"), terms, why)?;
    } else {
        answer.beside(
            quantity,
            (most, "%"),
            terms,
            "the line costs less than the fit of the costs can tell in this run",
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_found_again() {
        let rows = [(1.0, 0.5), (1.2, 0.3), (2.0, 0.1)].map(|(a, b)| (a, b, 3.0 * a + 7.0 * b));
        let (x, y) = least_squares(rows.into_iter());
        assert!((x - 3.0).abs() < 1e-9 && (y - 7.0).abs() < 1e-9);
        let (x, y) = least_squares([(2.0, 0.0, 6.0), (1.0, 0.0, 3.0)].into_iter());
        assert!((x - 3.0).abs() < 1e-9 && y == 0.0);
    }
}
