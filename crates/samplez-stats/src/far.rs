//! Families of tests of slow and of far dependence: waves of the whole stream, all lags, all periods, runs, strides.

use super::cells::{Numbers, Outcome};
use super::coding::{Coding, Series, Shape};
use super::group::{Family, ONE_STREAM};
use super::order::{Energies, Harmonics, Longest, Order, Strided, sign};
use super::sums::{CONSTANT, sides};
use super::{power, pvalue};

/// The normal law judges the greatest of many sums if a term's excess kurtosis is at most this times the number of terms.
/// At 8 deviations this kurtosis changes the p-value by a factor of 1.4.
const MAX_KURTOSIS: f64 = 0.002;

/// The longest period.
const LONGEST_PERIOD: usize = 4096;

/// The harmonics of a period are so many coefficients apart, or more.
const APART: usize = 64;

const TOO_FEW: &str = "needs more values";

/// Of `n` values in all, whose series have these shapes.
pub(super) fn families(coding: &Coding, order: &Order, shapes: [Shape; 3], n: u64) -> Vec<Family> {
    let energies = order.energies();
    let energies = energies.as_deref();
    // Several streams can have full windows only.
    let lacking = if order.is_merged() { ONE_STREAM } else { TOO_FEW };
    vec![
        Family::new("trend and waves", slow(order, [shapes[0], shapes[1]])),
        Family::new("all lags", lags(coding, energies.ok_or(lacking), shapes)),
        Family::new("periods", periods(energies.ok_or(lacking), [shapes[0], shapes[1]])),
        Family::single("longest run", longest(coding, order, n)),
        Family::single("repeats at strides", strided(&order.strided, n)),
    ]
}

/// A normal sum of so many terms, the one that is farthest out of so many.
fn normal(z: f64, of: usize) -> Numbers {
    Numbers { statistic: z, dof: None, p_value: (pvalue::two_sided(z) * of as f64).min(1.0) }
}

/// Whether so many terms of this shape add up to a normal sum.
fn apt(shape: Shape, kurtosis: f64, terms: u64) -> Result<(), &'static str> {
    if shape.variance == 0.0 {
        Err(CONSTANT)
    } else if kurtosis.abs() > MAX_KURTOSIS * terms as f64 {
        Err(TOO_FEW)
    } else {
        Ok(())
    }
}

/// Sums of blocks against their places, and the waves in them. Neither depends on the mean; third cumulants are 0, for
/// a straight line and a wave have as much above as below.
fn slow(order: &Order, shapes: [Shape; 2]) -> Vec<(String, Outcome)> {
    let mut outcomes = Vec::new();
    for (i, (series, shape)) in [Series::Value, Series::Magnitude].into_iter().zip(shapes).enumerate() {
        let variance = if shape.variance == 0.0 { 1.0 } else { shape.variance };
        let waves =
            if order.is_merged() { Err(ONE_STREAM) } else { order.slow.waves(i, shape.mean, variance).ok_or(TOO_FEW) };
        // A straight line or a wave gives its own fourth powers: at most 9/5.
        let waves = waves.and_then(|waves| apt(shape, 1.8 * shape.kurtosis, waves.values).map(|()| waves));
        outcomes.push((format!("trend of {}", series.name()), waves.map(|waves| normal(waves.trend, 1))));
        let wave = waves.map(|waves| {
            let p_value = (pvalue::chi_squared(waves.wave.value, 2.0) * waves.wave.of as f64).min(1.0);
            Numbers { statistic: waves.wave.value, dof: Some(2), p_value }
        });
        let at = waves.map_or(String::new(), |waves| format!(", {} in all", waves.wave.index));
        outcomes.push((format!("waves of {}{at}", series.name()), wave));
    }
    outcomes
}

/// The farthest of all lags, for each series.
fn lags(coding: &Coding, energies: Result<&Energies, &'static str>, shapes: [Shape; 3]) -> Vec<(String, Outcome)> {
    let signs = coding.shape_of(sign);
    let shapes = [shapes[0], shapes[1], shapes[2], signs];
    let names = ["x", "|x|", "x²", "equal"];
    let variances = shapes.map(|shape| if shape.variance == 0.0 { 1.0 } else { shape.variance });
    let found = energies.map(|energies| energies.farthest(variances));
    (0..names.len())
        .map(|i| {
            let found = match found {
                Ok(found) => found[i],
                Err(lacking) => return (names[i].to_string(), Err(lacking)),
            };
            let fourth = shapes[i].kurtosis + 3.0;
            // As for sums at a few lags.
            let kurtosis = fourth * fourth - 3.0 + 6.0 * (fourth - 1.0);
            let skewness = power(shapes[i].skewness, 2) / (found.pairs as f64).sqrt();
            let (low, high) =
                (pvalue::normalised(found.least.0, skewness), pvalue::normalised(found.greatest.0, skewness));
            let (z, lag) = if -low > high { (low, found.least.1) } else { (high, found.greatest.1) };
            let outcome = apt(shapes[i], kurtosis, found.pairs).map(|()| normal(z, found.lags));
            (format!("{}, lag {lag}", names[i]), outcome)
        })
        .collect()
}

/// The period with the greatest energy, and the wave.
fn periods(energies: Result<&Energies, &'static str>, shapes: [Shape; 2]) -> Vec<(String, Outcome)> {
    let names = [Series::Value, Series::Magnitude].map(Series::name);
    let energies = match energies {
        Ok(energies) => energies,
        Err(lacking) => return names.into_iter().map(|name| (name.to_string(), Err(lacking))).collect(),
    };
    let variances = shapes.map(|shape| if shape.variance == 0.0 { 1.0 } else { shape.variance });
    let most = (energies.size() / APART).min(LONGEST_PERIOD);
    let found = energies.period(most, variances, shapes.map(|shape| shape.kurtosis));
    let mut outcomes = Vec::new();
    for (i, (name, shape)) in names.into_iter().zip(shapes).enumerate() {
        let length = energies.length as u64;
        let apt = apt(shape, 1.5 * shape.kurtosis, length);
        let judged = |harmonics: Harmonics| {
            let linked = energies.linked(harmonics.count, shape.kurtosis);
            let sides = sides(harmonics.total, harmonics.count as f64, linked);
            let p_value = (sides.above * harmonics.of as f64).min(1.0);
            Numbers { statistic: sides.statistic, dof: Some(sides.dof.round() as u64), p_value }
        };
        let periods = if most < 3 { Err(TOO_FEW) } else { apt.map(|()| judged(found[i])) };
        outcomes.push((format!("{name}, period {}", found[i].at), periods));
        let wave = energies.wave(i, variances[i]);
        outcomes.push((format!("{name}, {} waves in {}", wave.at, energies.size()), apt.map(|()| judged(wave))));
    }
    outcomes
}

/// The run that is longest for its code, by a bound over all codes.
fn longest(coding: &Coding, order: &Order, n: u64) -> Outcome {
    if coding.masses().len() < 2 {
        return Err(CONSTANT);
    }
    let codes = coding.codes().iter().zip(coding.masses());
    let runs = codes.filter_map(|(code, p)| {
        let run = order.longest.of(*code);
        // Shares that were seen are dealt without replacement.
        let n = if coding.is_seen() { n + run } else { n };
        (run > 0).then(|| (run, Longest::bound(n, *p, run)))
    });
    let (run, bound) = runs.min_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap_or((0, 1.0));
    Ok(Numbers { statistic: run as f64, dof: None, p_value: (bound * coding.masses().len() as f64).min(1.0) })
}

fn strided(strided: &Strided, n: u64) -> Outcome {
    strided.length?;
    let p_value = if strided.again > 0 { Strided::bound(n) } else { 1.0 };
    Ok(Numbers { statistic: strided.again as f64, dof: None, p_value })
}
