//! Families of tests of the order in which values come.

use super::cells::{Cell, Numbers, Outcome, merged, pearson};
use super::coding::{Coding, Series, Shape};
use super::group::{Family, LOW_ENTROPY};
use super::order::{Kind, LAGS, Order, PERIOD_BITS, STRIDES, Stretches, Sum, WALSH, WINDOW, lag, orderings};
use super::sums::{CONSTANT, LOW_SIDE, MAX_KURTOSIS, NOT_NORMAL, Sides, equal_neighbours, sides, squares, sum};
use super::{birthdays, digits, far};
use super::{power, pvalue};

const OF_LAW: &str = "needs the law's own frequencies";
const NO_WINDOW: &str = "needs 4096 values in a row";
/// Sums of windows are judged beside the mean of all values if a window is no more of them than a sixteenth.
const MOST_LEFT: f64 = 1.0 - 1.0 / 16.0;

const TOO_FEW: &str = "needs more values";

/// All families, of streams that have ended.
///
/// Where the masses are shares of the sample, and not a law's, each statistic loses its dependence on the law. A sum
/// on the law. A sum over pairs loses a part of its linear part: the share of the pairs among all values. The means at
/// places and of windows lose one degree of freedom.
pub(super) fn families(coding: &Coding, order: &Order) -> Vec<Family> {
    let shapes = Series::ALL.map(|series| coding.shape(series));
    let mut families = Vec::new();
    for ((series, shape), sums) in Series::ALL.into_iter().zip(shapes).zip(&order.lags.products) {
        families.push(Family::new(
            format!("{} at lags", series.name()),
            at_lags(sums, |sum| products(sum, shape, coding.share(sum.pairs))),
        ));
    }
    let cells = coding.masses();
    let sizes: Vec<f64> = coding.sizes().into_iter().map(|(_, p)| p).collect();
    let pairs = Pairs::new(cells);
    families.push(Family::new(
        "equal at lags",
        at_lags(&order.lags.equal, |sum| pairs.equal(sum, coding.share(sum.pairs))),
    ));
    families.push(Family::single("runs", runs(coding, &order.lags.alike)));
    families.push(Family::single("stuck", stuck(&order.stretches, cells)));
    for (series, masses) in [(Series::Value, cells), (Series::Magnitude, &sizes)] {
        let expected = orderings(masses);
        let members = STRIDES.iter().enumerate().filter(|(_, (of, _))| *of == series);
        let member = |(i, (_, stride)): (usize, &(Series, usize))| {
            (format!("stride {stride}"), pattern(&order.patterns.counts(i), &expected))
        };
        families.push(Family::new(format!("orderings of {}", series.name()), members.map(member)));
    }
    let lengths: Vec<u64> = order.lengths().collect();
    for (i, series) in [Series::Value, Series::Magnitude].into_iter().enumerate() {
        families.push(Family::new(
            format!("places of {}", series.name()),
            places(&order.places.sums(i), &lengths, shapes[i], coding.is_seen()),
        ));
    }
    families.push(Family::new("sums of 4096", window_sums(order, shapes, coding)));
    families.push(Family::new("Walsh", spectrum(order, shapes, true)));
    families.push(Family::new("Fourier", spectrum(order, shapes, false)));
    let n = lengths.iter().sum();
    families.push(Family::new("repeats", repeats(coding, order, n)));
    families.extend(far::families(coding, order, shapes, n));
    families.extend(digits::families(&order.residues));
    families
}

fn at_lags(sums: &[Sum; LAGS], outcome: impl Fn(&Sum) -> Outcome) -> impl Iterator<Item = (String, Outcome)> {
    sums.iter().enumerate().map(move |(i, sum)| (format!("lag {}", lag(i)), outcome(sum)))
}

/// The cumulants of a sum of f_i·f_(i-k), f independent with mean ε and variance v. With ε = 0, the terms are
/// uncorrelated and their third moments add up. The fourth cumulant of each is μ4² - 3v⁴. Squares of terms that share
/// an f are correlated, which adds 6(μ4 - v²)v². With ε ≠ 0, which is far below √v, the linear part ε(f_i + f_(i-k))
/// adds to the variance.
fn products(sum_of: &Sum, shape: Shape, share: f64) -> Outcome {
    let Shape { mean, variance, skewness, kurtosis } = shape;
    if variance == 0.0 {
        return Err(CONSTANT);
    }
    if sum_of.pairs == 0 {
        return Err(TOO_FEW);
    }
    let (pairs, links) = (sum_of.pairs as f64, sum_of.links as f64);
    let square = mean * mean;
    let linear = 2.0 * (1.0 + links / pairs) * square * variance;
    let each = variance * variance + linear * (1.0 - share).max(0.0);
    let fourth = kurtosis + 3.0;
    let kurtosis = fourth * fourth - 3.0 + 6.0 * (fourth - 1.0);
    // Two values of so many have covariance -v/n, if their mean is taken for the law's.
    let excess = sum_of.total as f64 - pairs * square + share * variance;
    sum(excess, sum_of.pairs, each, skewness * skewness, kurtosis)
}

/// How many pairs are equal.
struct Pairs {
    /// Cumulants 1 to 4 of a pair by itself, of one more in a chain, and of a pair's part that is not linear. In the
    /// last case the pair's neighbours in the chain share a value with it.
    alone: [f64; 4],
    chain: [f64; 4],
    bare: [f64; 4],
}

impl Pairs {
    fn new(masses: &[f64]) -> Self {
        let p: f64 = masses.iter().map(|p| p * p).sum();
        let q = p * (1.0 - p);
        let alone = [p, q, q * (1.0 - 2.0 * p), q * (1.0 - 6.0 * q)];
        // g = [x = y] - p(x) - p(y) + p has mean 0 for each x: its moments, as if x and y never were equal, and what is more where
        // they are; and the mean square of its second moments for each x.
        let mean = |f: &dyn Fn(f64) -> f64| masses.iter().map(|a| a * f(*a)).sum::<f64>();
        let ours: [f64; 5] = core::array::from_fn(|k| mean(&|a| power(p - a, k)));
        let theirs: [f64; 5] = core::array::from_fn(|k| mean(&|a| power(-a, k)));
        let choose =
            [[0.0; 5], [0.0; 5], [1.0, 2.0, 1.0, 0.0, 0.0], [1.0, 3.0, 3.0, 1.0, 0.0], [1.0, 4.0, 6.0, 4.0, 1.0]];
        let moments: [f64; 5] = core::array::from_fn(|k| {
            let apart = (0..=k).map(|j| choose[k][j] * ours[j] * theirs[k - j]).sum::<f64>();
            apart + mean(&|a| a * (power(1.0 + p - 2.0 * a, k) - power(p - 2.0 * a, k)))
        });
        let squares = mean(&|a| {
            let apart = (p - a).powi(2) + 2.0 * (p - a) * theirs[1] + theirs[2];
            (apart + a * ((1.0 + p - 2.0 * a).powi(2) - (p - 2.0 * a).powi(2))).powi(2)
        });
        let [_, _, variance, third, fourth] = moments;
        let linked = 6.0 * (squares - variance * variance);
        let bare = [p, variance, third, fourth - 3.0 * variance * variance + linked];
        Pairs { alone, chain: equal_neighbours(masses), bare }
    }

    /// Pairs that share a value are correlated. The cumulants are those of single pairs, and for each link the excess
    /// of a pair in a chain.
    fn equal(&self, sum_of: &Sum, share: f64) -> Outcome {
        if sum_of.pairs == 0 {
            return Err(TOO_FEW);
        }
        let (pairs, linked) = (sum_of.pairs as f64, sum_of.links as f64 / sum_of.pairs as f64);
        let share = share.min(1.0);
        let [mean, variance, third, fourth] = core::array::from_fn(|k| {
            let known = self.alone[k] + linked * (self.chain[k] - self.alone[k]);
            known + share * (self.bare[k] - known)
        });
        // Of the values that were seen, the second of a pair is none of those that are the first.
        let excess = sum_of.total as f64 - pairs * mean + share * (1.0 - mean);
        sum(excess, sum_of.pairs, variance, third / (variance * variance.sqrt()), fourth / (variance * variance))
    }
}

/// The number of runs of values on one side.
fn runs(coding: &Coding, alike: &Sum) -> Outcome {
    let below: f64 = coding.law(|code| code).iter().filter(|(code, _)| *code < 0).map(|(_, p)| p).sum();
    let sides = [below, 1.0 - below];
    let mut numbers = Pairs::new(&sides).equal(alike, coding.share(alike.pairs))?;
    // Fewer equal neighbours, more runs.
    numbers.statistic = -numbers.statistic;
    Ok(numbers)
}

/// The greatest number of equal neighbours in a stretch, by a bound over all stretches.
fn stuck(stretches: &Stretches, masses: &[f64]) -> Outcome {
    if masses.len() < 2 {
        return Err(CONSTANT);
    }
    if stretches.count == 0 {
        return Err(TOO_FEW);
    }
    let p_value = (stretches.count as f64 * Stretches::tail(masses, stretches.most)).min(1.0);
    Ok(Numbers { statistic: f64::from(stretches.most), dof: None, p_value })
}

fn pattern(counts: &[u64], expected: &[f64]) -> Outcome {
    let n = counts.iter().sum::<u64>() as f64;
    let cell = |(count, p): (&u64, &f64)| Cell { count: *count, expected: n * p };
    pearson(&merged(counts.iter().zip(expected).map(cell)))
}

/// Tests for each power of two whether the means at all places are the law's. It uses the sum of their squares and the
/// one that is farthest off.
fn places(sums: &[i64], lengths: &[u64], shape: Shape, seen: bool) -> Vec<(String, Outcome)> {
    let mut outcomes = Vec::new();
    let mut folded = sums.to_vec();
    for bits in (1..=PERIOD_BITS).rev() {
        let period = 1_u64 << bits;
        folded.truncate(period as usize);
        let count = |place: u64| lengths.iter().map(|n| (n + period - 1 - place) >> bits).sum::<u64>();
        let least = count(period - 1);
        let apt = if shape.variance == 0.0 {
            Err(CONSTANT)
        } else if least < 16 || shape.kurtosis.max(shape.skewness.powi(2)) > MAX_KURTOSIS * least as f64 {
            Err(NOT_NORMAL)
        } else {
            Ok(())
        };
        let both = apt.map(|()| {
            let (mut total, mut low, mut high) = (0.0, 0.0_f64, 0.0_f64);
            for (place, sum) in (0..).zip(&folded) {
                let n = count(place) as f64;
                let z = (*sum as f64 - n * shape.mean) / (n * shape.variance).sqrt();
                total += z * z;
                (low, high) = (low.min(z), high.max(z));
            }
            let (least, period) = (least as f64, period as f64);
            let left = if seen { 1.0 - 1.0 / period } else { 1.0 };
            let one = farthest(low / left.sqrt(), high / left.sqrt(), shape.skewness / least.sqrt(), period);
            (squares(total, period * left, shape.kurtosis / least), one)
        });
        outcomes.push((format!("mod {period}"), both.map(|(all, _)| all)));
        outcomes.push((format!("one of {period}"), both.map(|(_, one)| one)));
        for i in 0..period as usize / 2 {
            folded[i] += folded[i + period as usize / 2];
        }
    }
    outcomes.reverse();
    outcomes
}

/// The least and the greatest of so many normalized sums of this skewness: the one that is farther out.
fn farthest(low: f64, high: f64, skewness: f64, count: f64) -> Numbers {
    let (low, high) = (pvalue::normalised(low, skewness), pvalue::normalised(high, skewness));
    let statistic = if -low > high { low } else { high };
    Numbers { statistic, dof: None, p_value: (pvalue::two_sided(statistic) * count).min(1.0) }
}

fn window_sums(order: &Order, shapes: [Shape; 3], coding: &Coding) -> Vec<(String, Outcome)> {
    let spectrum = &order.spectrum;
    // What is left of a window's variance.
    let left = 1.0 - coding.share(WINDOW as u64);
    let mut outcomes = Vec::new();
    for ((series, shape), sums) in Series::ALL.into_iter().zip(shapes).zip(&spectrum.sums) {
        let apt = apt(shape, spectrum.summed, WINDOW).and(if left > MOST_LEFT { Ok(()) } else { Err(TOO_FEW) });
        let both = apt.and_then(|()| sums.extremes.ok_or(NO_WINDOW)).map(|(low, high)| {
            let (windows, length) = (spectrum.summed as f64, WINDOW as f64);
            let mean = length * shape.mean;
            let total = sums.squares as f64 - 2.0 * mean * sums.total as f64 + windows * mean * mean;
            let deviation = (length * shape.variance).sqrt();
            let z = |sum: i64| (sum as f64 - mean) / (deviation * left.sqrt());
            let one = farthest(z(low), z(high), shape.skewness / length.sqrt(), windows);
            (squares(total / (deviation * deviation), windows * left, shape.kurtosis / length), one)
        });
        outcomes.push((series.name().to_string(), both.map(|(all, _)| all)));
        outcomes.push((format!("{}, one window", series.name()), both.map(|(_, one)| one)));
    }
    outcomes
}

/// Whether so many sums of so many terms each are near normal.
fn apt(shape: Shape, count: u64, terms: usize) -> Result<(), &'static str> {
    if shape.variance == 0.0 {
        Err(CONSTANT)
    } else if count == 0 {
        Err(NO_WINDOW)
    } else if shape.kurtosis > MAX_KURTOSIS * terms as f64 {
        Err("the law's values are too rare")
    } else {
        Ok(())
    }
}

/// The greatest and the least energy of all coefficients.
fn spectrum(order: &Order, shapes: [Shape; 3], walsh: bool) -> Vec<(String, Outcome)> {
    let spectrum = &order.spectrum;
    let terms = if walsh { WALSH } else { WINDOW };
    // Each energy is a sum of so many squares of normal variables; F_k has two, each of half the variance.
    let count = spectrum.windows as f64 * if walsh { (WINDOW / WALSH) as f64 } else { 2.0 };
    let mut outcomes = Vec::new();
    for (i, series) in [Series::Value, Series::Magnitude].into_iter().enumerate() {
        let shape = shapes[i];
        let energies = if walsh { &spectrum.walsh[i][1..] } else { &spectrum.fourier[i][..] };
        let variance = terms as f64 * shape.variance / if walsh { 1.0 } else { 2.0 };
        for (what, greatest) in [("greatest", true), ("least", false)] {
            // A few sums of integers are all 0 now and then.
            let enough = if greatest || count >= LOW_SIDE { Ok(()) } else { Err(TOO_FEW) };
            let outcome = apt(shape, spectrum.windows, terms).and(enough).map(|()| {
                let pick = |best: f64, energy: f64| if greatest { best.max(energy) } else { best.min(energy) };
                let energy = energies.iter().copied().reduce(pick).unwrap_or(0.0);
                let Sides { statistic, dof, below, above } =
                    sides(energy / variance, count, shape.kurtosis / terms as f64);
                let one = if greatest { above } else { below };
                let p_value = (one * energies.len() as f64).min(1.0);
                Numbers { statistic, dof: Some(dof.round() as u64), p_value }
            });
            outcomes.push((format!("{what}, {}", series.name()), outcome));
        }
    }
    outcomes
}

fn repeats(coding: &Coding, order: &Order, n: u64) -> Vec<(String, Outcome)> {
    let outcome = |(what, kind): (&str, &Kind)| {
        let outcome = kind.length.map_or(Err(LOW_ENTROPY), |_| {
            let p_value = if kind.again > 0 { Kind::bound(n) } else { 1.0 };
            Ok(Numbers { statistic: kind.again as f64, dof: None, p_value })
        });
        (what.to_string(), outcome)
    };
    let short = order.repeats.short();
    let judged = if coding.is_seen() {
        Err(OF_LAW)
    } else {
        // A birthday test: given all values before, those after the first equal a kept sequence's with at most this probability.
        let [chances, largest] = short.compared();
        short.length.ok_or(LOW_ENTROPY).map(|_| birthdays::numbers(short.again, chances, largest.max(1.0), Kind::SHORT))
    };
    let long = ["sequences", "magnitudes, either way"].into_iter().zip(order.repeats.kinds()).map(outcome);
    long.chain([("short sequences".into(), judged)]).collect()
}

/// How much of the values was looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Pairs of values at lag 1.
    pub(super) values: u64,
    /// Pairs of magnitudes at lag 1.
    pub(super) magnitudes: u64,
    /// A sequence of so many values, come again, is seen with probability 1/2.
    pub(super) repeat: Option<f64>,
    /// Windows that were transformed.
    windows: u64,
}

impl Extent {
    pub(super) fn new(order: &Order) -> Self {
        let repeat = order.repeats.kinds()[0];
        let share = order.repeats.share * repeat.kept();
        Extent {
            values: order.lags.products[0][0].pairs,
            magnitudes: order.lags.products[1][0].pairs,
            repeat: repeat.length.map(|length| length as f64 + core::f64::consts::LN_2 / share),
            windows: order.spectrum.windows,
        }
    }

    /// Returns the amplitude, in standard deviations, of a wave of one of the frequencies that is detected at this
    /// level with probability 1/2. The wave adds A²·4096/2 to each window's noncentrality.
    pub(super) fn wave(&self, level: f64) -> f64 {
        let dof = 2.0 * self.windows as f64;
        let more = (pvalue::chi_squared_quantile(level, dof) - dof + 1.0).max(0.0);
        (2.0 * more / (self.windows as f64 * WINDOW as f64)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is not linear in a pair, against its definition.
    #[test]
    fn cumulants_of_equal_pairs_with_shares_that_were_seen() {
        let masses = [0.2, 0.5, 0.3, 0.0];
        let p: f64 = masses.iter().map(|p| p * p).sum();
        let g = |x: usize, y: usize| f64::from(u8::from(x == y)) - masses[x] - masses[y] + p;
        let second = |x: usize| (0..4).map(|y| masses[y] * g(x, y).powi(2)).sum::<f64>();
        let moment = |k: i32| (0..16).map(|i| masses[i / 4] * masses[i % 4] * g(i / 4, i % 4).powi(k)).sum::<f64>();
        let (variance, squares) = (moment(2), (0..4).map(|x| masses[x] * second(x).powi(2)).sum::<f64>());
        let linked = 6.0 * (squares - variance * variance);
        let want = [p, variance, moment(3), moment(4) - 3.0 * variance * variance + linked];
        let bare = Pairs::new(&masses).bare;
        assert!(bare.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-15), "{bare:?} {want:?}");
    }
}
