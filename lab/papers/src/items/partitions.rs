//! The Ziggurat's partition, its search and its parameters \[BCGHW13\].

use super::Bench;
use super::bench::build;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::{Form, Outcome};
use crate::plot::{Chart, Plot, Series};
use samplez::{BitReader, DiscreteGaussian, Sampler, Seed};
use samplez_core::samplers::Ziggurat;
use samplez_core::table::ZigguratTable;
use samplez_sources::ChaCha20;
use samplez_tables::{BuildError, ZigguratOptions, build_ziggurat};

pub(super) type Table = ZigguratTable<Vec<u32>>;

pub(super) fn law(sigma: &str) -> Result<DiscreteGaussian, LabError> {
    let q = sigma.parse().map_err(|_| LabError::Input(format!("sigma = {sigma}")))?;
    DiscreteGaussian::with_sigma(q).map_err(|why| LabError::Input(why.to_string()))
}

fn options(rectangles: u32) -> ZigguratOptions {
    ZigguratOptions { rectangles, precision: 106, omega: 107, tail: 13.into(), ..ZigguratOptions::default() }
}

pub(super) fn table(sigma: &str, rectangles: u32) -> Result<Table, LabError> {
    build_ziggurat(&law(sigma)?, &options(rectangles)).map_err(|why| LabError::Input(why.to_string()))
}

/// The rectangles, from the top: columns left of the last abscissa of the one above, columns in all, heights of both edges.
pub(super) fn rectangles(table: &Table) -> Vec<(u32, u32, f64, f64)> {
    let scale = (-f64::from(table.parts().precision)).exp2();
    let height = |i: usize| {
        let limbs = table.edge_height(i);
        limbs.iter().rev().fold(0.0, |sum, limb| sum * 2_f64.powi(64) + *limb as f64) * scale
    };
    let edge = |i: usize| table.words()[i];
    (1..=table.parts().rectangles as usize).map(|i| (edge(i - 1), edge(i), height(i - 1), height(i))).collect()
}

pub(super) fn seven(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let table = table("10", 7)?;
    let boxes = rectangles(&table);
    answer.set_up("rectangles over the half curve", (boxes.len() as f64, "count"), "σ = 10, t = 13, 106 bits")?;
    let bell = (0..=130).map(|x| (f64::from(x), (-f64::from(x * x) / 200.0).exp())).collect();
    let mut steps = Vec::new();
    for (_, columns, high, low) in &boxes {
        let right = f64::from(*columns) - 0.5;
        steps.extend([(0.0, *high), (right, *high), (right, *low), (0.0, *low)]);
    }
    let series = |name: &str, points| Series { name: name.into(), of_paper: false, joined: true, points };
    answer.charts.push(Chart {
        name: "rectangles".into(),
        title: "Seven rectangles of equal area over half the bell".into(),
        caption: "σ = 10, t = 13. The lowest rectangle reaches to 130, the highest is higher than the bell.".into(),
        x: ("x".into(), false),
        y: ("ρ(x)".into(), false),
        places: Vec::new(),
        plots: vec![Plot { title: "σ = 10".into(), series: vec![series("rectangles", steps), series("bell", bell)] }],
    });
    Ok(())
}

pub(super) fn areas(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let table = table("10", 63)?;
    let areas: Vec<f64> =
        rectangles(&table).iter().map(|(_, columns, high, low)| f64::from(*columns) * (high - low)).collect();
    let (least, most) = areas.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), area| (a.min(*area), b.max(*area)));
    let spread = (most / least - 1.0).abs().max(f64::EPSILON).log2();
    let ours = format!("equal within 2^{spread:.0}, as far as doubles tell");
    let terms =
        "σ = 10, m = 63, n = 106; heights are rounded down to n bits, and the law is computed of the rounded ones";
    let verdict = if spread < -40.0 { Outcome::Agrees } else { Outcome::Differs("areas differ".into()) };
    answer.statement("areas of the rectangles", &ours, terms, verdict)
}

/// The widths and numbers of rectangles of the 317 searches.
fn searches() -> impl Iterator<Item = (&'static str, u32)> {
    let each = |sigma, numbers: std::ops::Range<u32>| numbers.map(move |m| (sigma, m));
    each("10", 2..129).chain(each("3.3311", 2..97)).chain(each("32", 2..97))
}

pub(super) fn search(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let (mut all, mut none) = (0, 0);
    for (sigma, m) in searches() {
        let options = ZigguratOptions { precision: 64, omega: 65, ..options(m) };
        match build_ziggurat(&law(sigma)?, &options) {
            Ok(_) => {}
            Err(BuildError::NoPartition { .. }) => none += 1,
            Err(other) => return Err(LabError::Input(other.to_string())),
        }
        all += 1;
    }
    let share = 100.0 * f64::from(none) / f64::from(all);
    let terms = format!("{all} searches at σ = 3.3311, 10 and 32 by bisection: {none} without a partition");
    let why = "bisection between a valid lower and a valid upper end finds one where the paper's steps of c give up";
    answer.exact("searches without a partition", (share, "%"), &terms, why)?;
    by_steps(answer)
}

/// The paper's search: c grows from 1 by a step until the heights reach 1. Where the second highest passes 1 first, the support grows by 1,
/// up to (t + 1)σ. S is c times the start.
fn finds_by_steps(sigma: f64, m: u32, start: f64) -> bool {
    let (step, start) = (1.0 / f64::from(m), start * sigma / f64::from(m));
    (f64::floor(13.0 * sigma) as u32..=f64::floor(14.0 * sigma) as u32).any(|last| {
        for count in 0.. {
            let (mut right, mut height) = (f64::from(last), 0.0);
            for i in (1..=m).rev() {
                height += (1.0 + f64::from(count) * step) * start / (right + 1.0);
                if i > 1 && height > 1.0 {
                    return false;
                }
                right = (sigma * (-2.0 * f64::min(height, 1.0).ln()).sqrt()).floor();
            }
            if height >= 1.0 {
                return true;
            }
        }
        false
    })
}

/// The paper prints no step of c, and a start without the right constant: steps of 1/m from either.
fn by_steps(answer: &mut Answer<'_>) -> Result<(), LabError> {
    let half_area = std::f64::consts::FRAC_PI_2.sqrt();
    let mut shares = Vec::new();
    for (name, start) in [("σ√(π/2)/m, the area's", half_area), ("σ/(m√(π/2)), as printed", 1.0 / half_area)] {
        let (mut all, mut none) = (0, 0);
        for (sigma, m) in searches() {
            let sigma: f64 = sigma.parse().map_err(|_| LabError::Input(format!("sigma = {sigma}")))?;
            none += u32::from(!finds_by_steps(sigma, m, start));
            all += 1;
        }
        shares.push(100.0 * f64::from(none) / f64::from(all));
        answer.more(
            &format!("searches without a partition from S = {name}"),
            (100.0 * f64::from(none) / f64::from(all), "%"),
            &format!("{none} of {all} searches, c in steps of 1/m, the support to (t + 1)σ"),
        );
    }
    answer.form = Form::AsBuilt;
    let terms = "the same searches, c in steps of 1/m, from the area's start and from the printed one";
    let (least, most) = (f64::min(shares[0], shares[1]), f64::max(shares[0], shares[1]));
    answer.repeated(
        "searches without a partition",
        ([most, least, most], "%"),
        0.0,
        terms,
        "another share by steps",
    )?;
    answer.form = Form::Ours;
    Ok(())
}

pub(super) fn fixed_point(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let table = table("10", 63)?;
    let parts = table.parts();
    let ours = format!("n = {}, ω = {}, {} words of 32 bits", parts.precision, parts.omega, table.words().len());
    answer.statement("fixed point", &ours, "σ = 10, m = 63, t = 13", Outcome::NoClaim)
}

/// What happens to a throw that lies right of the rectangle above, as shares of all throws.
pub(super) struct Right {
    /// It lies there.
    pub(super) all: f64,
    /// The line is asked.
    pub(super) asked: f64,
    /// The line decides.
    pub(super) decided: f64,
}

pub(super) fn right(table: &Table) -> Right {
    let chord = table.parts().chord;
    shares(table, |i, _, _| {
        chord.map_or((false, false), |chord| ((2..=chord.accept_to).contains(&i), i > chord.reject_after))
    })
}

/// The same by the paper's Algorithm 1: a line accepts where ⌊x_i⌋ + 1 <= σ, and rejects where σ <= ⌊x_{i-1}⌋.
fn right_as_printed(table: &Table, sigma: f64) -> Right {
    shares(table, |_, from, to| (f64::from(to) <= sigma, f64::from(from) - 1.0 >= sigma))
}

/// By a rule that says of a rectangle, with its number and its columns from and to, whether its line accepts and whether it rejects.
fn shares(table: &Table, rule: impl Fn(u32, u32, u32) -> (bool, bool)) -> Right {
    let m = f64::from(table.parts().rectangles);
    let mut shares = Right { all: 0.0, asked: 0.0, decided: 0.0 };
    for (i, (from, to, _, _)) in (1..).zip(rectangles(table)) {
        let (accepts, rejects) = rule(i, from, to);
        for x in from.max(1)..to {
            let weight = 1.0 / (m * f64::from(to));
            shares.all += weight;
            // One line falls from the last column of the rectangle above to the last of this one, and accepts below;
            // another, a column further right, rejects above.
            let columns = f64::from(to - from);
            let (below, above) = (f64::from(to - 1 - x) / columns, 1.0 - f64::from(to - x) / columns);
            shares.asked += if accepts || rejects { weight } else { 0.0 };
            shares.decided += if accepts { weight * below } else { 0.0 };
            shares.decided += if rejects { weight * above } else { 0.0 };
        }
    }
    shares
}

pub(super) fn saved(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let mut series = Vec::new();
    let mut at_hand = 0.0;
    for sigma in ["10", "32", "1000"] {
        let mut points = Vec::new();
        for log2 in 1..=10 {
            let shares = right(&table(sigma, 1 << log2)?);
            let saved = 100.0 * shares.decided / shares.all.max(f64::MIN_POSITIVE);
            points.push(((1_u32 << log2).into(), saved));
            if (sigma, log2) == ("1000", 8) {
                at_hand = saved;
            }
        }
        series.push(Series { name: format!("σ = {sigma}"), of_paper: false, joined: true, points });
    }
    let caption =
        "Of the throws that need ρ without the line. A rectangle whose chord lies on both sides of the bell has none.";
    answer.charts.push(Chart {
        name: "line".into(),
        title: "Evaluations of ρ that the line saves".into(),
        caption: caption.into(),
        x: ("rectangles".into(), true),
        y: ("%".into(), false),
        places: Vec::new(),
        plots: vec![Plot { title: String::new(), series }],
    });
    let quantity = "evaluations of ρ that the line saves";
    let ours = format!("{at_hand:.1} % with 256 rectangles at σ = 1000");
    answer.statement(quantity, &ours, "summed over the table's columns", nearly_half(at_hand))?;
    let printed = |sigma: &str, m, width| {
        let shares = right_as_printed(&table(sigma, m)?, width);
        Ok::<f64, LabError>(100.0 * shares.decided / shares.all)
    };
    let (ten, wide) = (printed("10", 63, 10.0)?, printed("1000", 256, 1000.0)?);
    answer.form = Form::AsBuilt;
    let ours = format!("{wide:.1} % with 256 rectangles at σ = 1000; {ten:.1} % with 63 at 10");
    let terms = "Algorithm 1's line, in the rectangles that it names, summed over the table's columns";
    answer.statement(quantity, &ours, terms, nearly_half(wide))?;
    answer.form = Form::Ours;
    Ok(())
}

/// Nearly half: from 40 % to half.
fn nearly_half(percent: f64) -> Outcome {
    match percent {
        40.0..=50.0 => Outcome::Agrees,
        50.0.. => Outcome::Differs("more than half".into()),
        _ => Outcome::Differs("the line decides less here".into()),
    }
}

/// log2 of the theorem's bound.
fn theorem(t: f64, n: f64, omega: f64, sigma: f64) -> f64 {
    let tail = t * (0.5 * (1.0 - t * t)).exp();
    let rounding = ((t * sigma).floor() + 1.0) * ((1.0 - n).exp2() + (1.0 - omega).exp2());
    (tail + rounding / (sigma * std::f64::consts::FRAC_PI_2.sqrt())).log2()
}

pub(super) fn bound(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let table = table("10", 63)?;
    let (bound, own) = (theorem(13.0, 106.0, 107.0, 10.0), table.parts().bound.log2_sd);
    let ours = format!("2^{bound:.2} by the theorem, 2^{own:.2} by the table's own integers");
    let verdict = if own <= bound {
        Outcome::Agrees
    } else {
        Outcome::Differs("the table is farther away than the theorem allows".into())
    };
    answer.statement(
        "bound of the distance",
        &ours,
        "σ = 10, m = 63, t = 13, n = 106, ω = 107; zero in the highest rectangle put right",
        verdict,
    )
}

pub(super) fn parameters(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    // The paper asks each term of the bound for 2^-100 by itself.
    let tail = |t: f64| (t * (0.5 * (1.0 - t * t)).exp()).log2();
    let t = (2..40).map(f64::from).find(|t| tail(*t) < -100.0).unwrap_or(f64::NAN);
    answer.exact("t for 2^-100 at σ = 10", (t, "count"), "the least whole t whose tail is below", "")?;
    let n = (64..256).map(f64::from).find(|n| theorem(t, *n, n + 1.0, 10.0) < -100.0 - 1.0).unwrap_or(f64::NAN);
    answer.exact(
        "n for 2^-100 at σ = 10",
        (n, "bits"),
        "the least n whose bound is below 2^-101, ω = n + 1; n = 105 has 2^-100.6",
        "",
    )?;
    let omega = (64..256).map(f64::from).find(|omega| theorem(t, n, *omega, 10.0) < -100.0 - 1.0).unwrap_or(f64::NAN);
    answer.exact(
        "ω for 2^-100 at σ = 10",
        (omega, "bits"),
        "the least ω whose bound is below 2^-101 with that n",
        "",
    )?;
    let own = table("10", 63)?.parts().bound.log2_sd;
    answer.exact("distance at σ = 10", (own, "log2"), "of the table's own integers, m = 63", "")?;
    let ours = ZigguratOptions::for_bound(&law("10")?, -100).map_err(|why| LabError::Input(why.to_string()))?;
    answer.more("n by ZigguratOptions::for_bound", (f64::from(ours.precision), "bits"), "t = 13, ω = n + 32");
    Ok(())
}

pub(super) fn algorithm(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let sampler = Ziggurat::from_table(table("10", 64)?);
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([22; 32])));
    let law = law("10")?;
    let run = samplez_check::seeding::Run::new(&law, 1 << 20, |out| sampler.fill(&mut bits, out));
    let run = run.map_err(|why| LabError::Input(why.to_string()))?;
    let verdict =
        if run.report.consistent { Outcome::Agrees } else { Outcome::Differs("the samples are rejected".into()) };
    let terms = "σ = 10, m = 64, with its line; 2^20 samples under a fixed seed; the exact law is tested by bit tape";
    answer.statement("Algorithm 1 with Algorithm 2", "samples consistent with the law", terms, verdict)
}

pub(super) fn centres(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let draw = |recipe: &str| -> Result<Vec<i64>, LabError> {
        let built = build(recipe)?;
        let mut out = vec![0_i64; 4096];
        samplez::Bulk::new(built.sampler(), samplez::Source::ChaCha20, Seed::from_bytes([0; 32])).fill(0, &mut out)?;
        Ok(out)
    };
    let (centred, shifted) = (draw("sigma=10,method=ziggurat")?, draw("sigma=10,method=ziggurat,center=-7")?);
    let same = centred.iter().zip(&shifted).all(|(a, b)| a - 7 == *b);
    let verdict = if same { Outcome::Agrees } else { Outcome::Differs("the samples are others".into()) };
    let ours = "the same samples, less 7";
    answer.statement("other integer centres", ours, "sigma=10,method=ziggurat, centres 0 and -7", verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps pass over the partition of 37 rectangles at σ = 10, and a finer start does not; both find that of 64.
    #[test]
    fn steps_may_pass_over_a_partition() {
        let half_area = std::f64::consts::FRAC_PI_2.sqrt();
        let found = |m, start| finds_by_steps(10.0, m, start);
        assert_eq!([found(37, half_area), found(68, half_area), found(64, half_area)], [false, false, true]);
        assert!(found(37, 1.0 / half_area) && found(64, 1.0 / half_area));
        let missed = searches().filter(|(sigma, m)| !finds_by_steps(sigma.parse().unwrap(), *m, half_area));
        assert_eq!(missed.collect::<Vec<_>>(), [("10", 37), ("10", 68), ("3.3311", 38), ("3.3311", 72)]);
    }
}
