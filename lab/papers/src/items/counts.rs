//! Random bits and trials of \[DW18\], counted by the papers' own procedures.

use super::Bench;
use crate::answer::Answer;
use crate::counted::proposal_as_printed;
use crate::error::LabError;
use crate::finding::Outcome;
use crate::plot::{Chart, Plot, Series};
use rand_core::Rng;
use samplez::{BitReader, DiscreteGaussian, Rational, Sampler, Seed, Width};
use samplez_check::papers::Row;
use samplez_core::samplers::{DuWei4, DuWei5, Karney};
use samplez_core::testing::Counted;
use samplez_sources::ChaCha20;
use std::f64::consts::{LN_2, PI};

/// A mean this many standard errors away is not by chance: a probability of 6e-7.
const ERRORS: f64 = 5.0;

fn row<'a>(rows: &'a [Row], name: &str) -> Result<&'a Row, LabError> {
    rows.iter().find(|row| row.name == name).ok_or_else(|| LabError::Input(format!("nothing counts {name}")))
}

/// The expectation beside the claim, and that the mean agrees with it.
fn expected(bench: &Bench, answer: &mut Answer<'_>, quantity: &str, name: &str, why: &str) -> Result<(), LabError> {
    let rows = bench.bits();
    let row = row(rows, name)?;
    let exact = row.exact.ok_or_else(|| LabError::Input(format!("{name} has no expectation")))?;
    if (row.measured - exact).abs() > ERRORS * row.error {
        return Err(LabError::Input(format!("{name}: the mean is {}, the expectation {exact}", row.measured)));
    }
    let terms = format!("{name}: the expectation; the mean of {} is {:.4}", bench.repetitions(), row.measured);
    answer.exact(quantity, (exact, "bits"), &terms, why)
}

/// A mean beside the claim.
fn mean(bench: &Bench, answer: &mut Answer<'_>, quantity: &str, name: &str, why: &str) -> Result<(), LabError> {
    let rows = bench.bits();
    let (row, terms) = (row(rows, name)?, format!("{name}: the mean of {}", bench.repetitions()));
    if bench.quick {
        let why = "in a hurry a mean has twice the error, which may hide a difference";
        return answer.beside(quantity, (row.measured, "bits"), &terms, why);
    }
    answer.within(quantity, (row.measured, "bits"), ERRORS * row.error, &terms, why)
}

pub(super) fn uniform_rejection(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let bound = 2.0 * (-0.5 * 144.0_f64).exp();
    let terms = "the bound 2e^(-t²/2), t = 12; the tail itself is 3.6e-33";
    answer.near("tail beyond 12σ", (bound, "probability"), 0.1, terms, "")?;
    let trials = 2.0 * 12.0 / (2.0 * PI).sqrt();
    answer.exact("trials of uniform rejection to 12σ", (trials, "trials"), "2t/√(2π), the limit for wide laws", "")
}

pub(super) fn binary_trials(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let weight: f64 = (0..16).map(|x| f64::from(-x * x).exp2()).sum();
    let trials = 2.0 * weight / ((1.0 / (2.0 * LN_2)).sqrt() * (2.0 * PI).sqrt());
    answer.exact("trials of the binary method", (trials, "trials"), "2w/(σ₂√(2π)), w = Σ 2^(-i²)", "")
}

pub(super) fn bin(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    expected(bench, answer, "bits of BIN", "BIN, stopping at the first 1", "")
}

/// The coin e^-x takes 2 bits for its first uniform and 3 for each other, 3e^x - 1 in all; where x is ½, one less at first.
pub(super) fn coin(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    expected(bench, answer, "bits of the coin e^-1/2, 3 bits a uniform", "Coin e^-1/2, 3 bits a uniform", "")?;
    let mut rng = ChaCha20::new(&Seed::from_bytes([20; 32]));
    let repetitions = bench.repetitions();
    let (mut counted, mut curve, mut holds) = (Vec::new(), Vec::new(), true);
    for tenth in 1..=10 {
        let x = f64::from(tenth) / 10.0;
        let mut uniforms = 0_u64;
        for _ in 0..repetitions {
            let mut last = (x * 2_f64.powi(53)) as u64;
            loop {
                uniforms += 1;
                let next = rng.next_u64() >> 11;
                if next >= last {
                    break;
                }
                last = next;
            }
        }
        let bits = 3.0 * uniforms as f64 / f64::from(repetitions) - 1.0;
        let formula = 3.0 * x.exp() - 1.0;
        // The number of uniforms has a variance below 3.
        holds &= (bits - formula).abs() < ERRORS * 3.0 * (3.0 / f64::from(repetitions)).sqrt();
        counted.push((x, bits));
        curve.push((x, formula));
    }
    let series = |name: &str, of_paper, joined, points| Series { name: name.into(), of_paper, joined, points };
    let plots = vec![Plot {
        title: String::new(),
        series: vec![series("3e^x - 1", true, true, curve), series("counted", false, false, counted)],
    }];
    answer.charts.push(Chart {
        name: "coin".into(),
        title: "Random bits of the coin e^-x".into(),
        caption: "2 bits for the first uniform of a falling run, 3 for each other.".into(),
        x: ("x".into(), false),
        y: ("bits".into(), false),
        places: Vec::new(),
        plots,
    });
    let verdict = if holds { Outcome::Agrees } else { Outcome::Differs("the counts differ".into()) };
    let terms = format!("falling runs counted at ten x, {repetitions} each; a run has e^x uniforms");
    answer.statement("bits of the coin against x", "3e^x - 1, within five standard errors", &terms, verdict)
}

/// Σ P_k E_k: k has its accepted law, and E_k is k coins e^-1/2 until one fails, then the coin e^-1/6; 1/6 is the mean of x²/2.
fn bits_over_k(last: i32) -> f64 {
    let (coin, q) = (3.0 * 0.5_f64.exp() - 2.0, (-0.5_f64).exp());
    let weight = |k: i32| (-0.5 * f64::from(k * k)).exp();
    let bits = |k: i32| (1.0 - q.powi(k)) / (1.0 - q) * coin + q.powi(k) * (3.0 * (1.0 / 6.0_f64).exp() - 1.0);
    (0..=last).map(|k| weight(k) * bits(k)).sum::<f64>() / (0..20).map(weight).sum::<f64>()
}

pub(super) fn sum_over_k(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let terms = format!("the sum over k = 0 to 3; to infinity {:.5}", bits_over_k(19));
    answer.exact("bits of a sum over k", (bits_over_k(3), "bits"), &terms, "another sum")
}

/// λ of the k + 1 coins e^-λ of step 7 of Algorithm 1.
fn step_7(k: i32, x: f64) -> f64 {
    x * (2.0 * f64::from(k) + x) / (2.0 * f64::from(k) + 2.0)
}

/// Σ P_k (k + 1) E_k: all of the k + 1 coins, each with the uniforms of its run alone, 2 bits for the first and 3 for each other;
/// the mean over x by Simpson's rule.
fn bits_of_step_7(last: i32) -> f64 {
    let weight = |k: i32| (-0.5 * f64::from(k * k)).exp();
    let bits = |k: i32| {
        let at = |i: u32| 3.0 * step_7(k, f64::from(i) / 64.0).exp() - 1.0;
        let inner: f64 = (1..64).map(|i| f64::from(2 + 2 * (i % 2)) * at(i)).sum();
        (at(0) + inner + at(64)) / 192.0
    };
    (0..=last).map(|k| weight(k) * f64::from(k + 1) * bits(k)).sum::<f64>() / (0..20).map(weight).sum::<f64>()
}

pub(super) fn step_7_by_formula(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let terms = format!(
        "k + 1 coins of 3e^λ - 1 bits each, λ = x(2k + x)/(2k + 2), mean over x, k = 0 to 3; to infinity {:.4}; the printed formula \
         evaluates to 4.663",
        bits_of_step_7(19)
    );
    answer.exact("bits of step 7 by its formula", (bits_of_step_7(3), "bits"), &terms, "another sum")
}

pub(super) fn accepting(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let why = "C(2k+2) is decided here in as few bits as tell its three outcomes apart; in the printed order, z first, it takes 5.53";
    let name = "Algorithm 1, step 7, C first if k = 0, per trial";
    mean(bench, answer, "bits of step 7 of Algorithm 1, measured", name, why)?;
    mean(bench, answer, "bits of steps 5 to 7 of Algorithm 4, measured", "Algorithm 4, steps 5 to 7, per trial", "")
}

pub(super) fn proposals(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let two = "Coin e^-1/2, 2 bits a uniform";
    expected(bench, answer, "bits of the coin e^-1/2, 2 bits a uniform", two, "")?;
    let terms = "the sum with weights e^(-k/2) and the paper's constant (√e - 2e)/(1 - √e) for every k ≥ 3";
    answer.exact("bits of a proposal of k, 2 bits a uniform", (proposal_as_printed(), "bits"), terms, "")?;
    let rows = bench.bits();
    for name in
        ["k of Algorithm 4, 2 bits a uniform, per proposal", "k of Algorithm 4, 2 bits a uniform, per accepted k"]
    {
        let exact = row(rows, name)?.exact.unwrap_or(f64::NAN);
        answer.more(name, (exact, "bits"), "the expectation with each k's own number of coins");
    }
    expected(bench, answer, "bits of a proposal of k, lazy bits", "k of Algorithm 4, lazy bits, per proposal", "")
}

pub(super) fn walk(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    expected(bench, answer, "bits of Algorithm 8", "Knuth-Yao, Algorithm 8", "")?;
    let weight: f64 = (0..16).map(|x| f64::from(-x * x).exp2()).sum();
    let beyond = |last: i32| (last + 1..16).map(|x| f64::from(-x * x).exp2()).sum::<f64>() / weight;
    let least = (1..14).find(|last| beyond(*last) < 1e-31).unwrap_or(14);
    answer.more("the least λ for 1e-31", (f64::from(least), "count"), "Σ 2^(-x²)/w over x > λ");
    let [lambda, columns] =
        [answer.stated("λ of Algorithm 8's matrix")?, answer.stated("columns of Algorithm 8's matrix")?];
    let (tail, cut) = (beyond(lambda as i32), (lambda + 1.0) * (-columns).exp2());
    let (holds, why) = (tail + cut < 1e-31, "the table lacks more than the stated accuracy of 1e-31");
    let terms = format!(
        "with it and the other size of the matrix {tail:.1e} lies beyond the rows, at most {cut:.1e} beyond the columns"
    );
    answer.meets("λ of Algorithm 8's matrix", (lambda, "count"), holds, &terms, why)?;
    answer.meets("columns of Algorithm 8's matrix", (columns, "bits"), holds, &terms, why)
}

/// Mean bits by how far the sample is from 0, in half σ.
fn bits_by_distance(sampler: &impl Sampler, sigma: f64, count: u32) -> Vec<(f64, f64)> {
    let mut bits = Counted::new(BitReader::new(ChaCha20::new(&Seed::from_bytes([21; 32]))));
    let mut sums = [(0.0, 0_u32); 6];
    for _ in 0..count {
        let before = bits.count();
        let x: i64 = sampler.sample(&mut bits);
        let taken = (bits.count() - before) as f64;
        let (sum, n) = &mut sums[((2.0 * x.unsigned_abs() as f64 / sigma) as usize).min(5)];
        *sum += taken;
        *n += 1;
    }
    let middle = |i: usize| 0.25 + 0.5 * i as f64;
    sums.iter().enumerate().filter(|(_, (_, n))| *n > 0).map(|(i, (sum, n))| (middle(i), sum / f64::from(*n))).collect()
}

/// A sampler is not constant-time if what it draws depends on what comes out.
pub(super) fn constant_time(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let law = |width| DiscreteGaussian::new(Rational::from(0), width).map_err(|why| LabError::Input(why.to_string()));
    let (sigma, k) = (law(Width::Sigma(215.into()))?, law(Width::KSigma2(254.into()))?);
    let refused = |why: samplez::ParamError| LabError::Input(why.to_string());
    let count = bench.length(20_000, 400_000);
    let series = |name: &str, points| Series { name: name.into(), of_paper: false, joined: true, points };
    let walk = bits_by_distance(&DuWei5::with_table_walk(&k).map_err(refused)?.frugal(), 215.73, count);
    let four = bits_by_distance(&DuWei4::new(&sigma).map_err(refused)?.frugal(), 215.0, count);
    let karney = bits_by_distance(&Karney::new(&sigma).map_err(refused)?, 215.0, count);
    let (near, far) = (walk.first().map_or(0.0, |p| p.1), walk.last().map_or(0.0, |p| p.1));
    let verdict = if (far - near).abs() > 1.0 {
        Outcome::Differs("the work depends on the sample, whatever σ is: a far one takes more bits".into())
    } else {
        Outcome::Agrees
    };
    let ours = format!("{near:.1} bits for |x| < σ/2, {far:.1} from 2.5σ on");
    let terms = format!("Algorithm 5 with Algorithm 9, frugal, k = 254, {count} samples");
    answer.statement("constant time", &ours, &terms, verdict)?;
    answer.charts.push(Chart {
        name: "bits".into(),
        title: "Random bits against the sample".into(),
        caption: "A flat line is what constant time demands, and none is flat.".into(),
        x: ("|x| in σ".into(), false),
        y: ("mean bits of a sample".into(), false),
        places: Vec::new(),
        plots: vec![Plot {
            title: "σ = 215".into(),
            series: vec![
                series("Algorithm 5 with Algorithm 9, frugal", walk),
                series("Algorithm 4, frugal", four),
                series("Karney", karney),
            ],
        }],
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted: runs of uniforms, each below the one before and kept with probability (2k + x)/(2k + 2), have e^λ members and the one that
    /// ends them.
    #[test]
    fn the_sum_of_step_7_is_that_of_counted_runs() {
        let mut rng = ChaCha20::new(&Seed::from_bytes([23; 32]));
        let mut uniform = || (rng.next_u64() >> 11) as f64 * 2_f64.powi(-53);
        let (trials, mut sum, mut squares) = (100_000, 0.0, 0.0);
        let weights: Vec<f64> = (0..20).map(|k| (-0.5 * f64::from(k * k)).exp()).collect();
        let all: f64 = weights.iter().sum();
        for _ in 0..trials {
            let mut left = uniform() * all;
            let k = weights.iter().position(|weight| {
                left -= weight;
                left < 0.0
            });
            let (k, x) = (k.unwrap_or(0) as f64, uniform());
            let mut bits = 0.0;
            for _ in 0..=k as u32 {
                let (mut last, mut uniforms) = (x, 0.0);
                loop {
                    let next = uniform();
                    uniforms += 1.0;
                    if next >= last || uniform() >= (2.0 * k + x) / (2.0 * k + 2.0) {
                        break;
                    }
                    last = next;
                }
                bits += 3.0 * uniforms - 1.0;
            }
            sum += bits;
            squares += bits * bits;
        }
        let n = f64::from(trials);
        let error = ((squares / n - (sum / n).powi(2)) / n).sqrt();
        assert!((sum / n - bits_of_step_7(19)).abs() < 5.0 * error, "{} {}", sum / n, bits_of_step_7(19));
        assert!((bits_of_step_7(3) - 4.66660).abs() < 5e-5 && (bits_of_step_7(19) - 4.67027).abs() < 5e-5);
    }

    #[test]
    fn the_sum_over_k_has_its_known_values() {
        assert!((bits_over_k(3) - 3.48202).abs() < 5e-6 && (bits_over_k(19) - 3.48334).abs() < 5e-6);
    }
}
