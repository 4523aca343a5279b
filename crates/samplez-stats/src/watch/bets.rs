//! The bets: for each one, a factor for each counter, and its share of the stake.

use super::cells::{Cells, KIND_BITS, KINDS};
use super::order::{self, CLASSES, CONTEXTS, COUNTERS, EQUAL_COUNTERS, KIND_COUNTERS, LAGS};
use super::tilt::{SCALE, below, factors, log_sum, standardized};
use crate::target::{RESIDUES, Target};
use core::ops::Range;
use libm::log;
use samplez_tables::TargetLaw;

/// Tilts of standardized features are ± 2^-1 … 2^-12.
const GRID: Range<i32> = 1..13;

/// Values that are so far from the mean, in deviations, count as if they were so near: the tails have bets of their own.
const NEAR: f64 = 5.0;

/// A cell of the range with a probability below this one is in a gap.
const GAP: f64 = 1e-45;

/// At most so many values have bets of their own.
const MOST_VALUES: usize = 64;

/// One bet: the product of its factors over all values is its gain.
#[derive(Debug)]
pub(super) struct Bet {
    /// What it bets on.
    pub(super) what: String,
    /// The first of its counters.
    pub(super) at: usize,
    /// The logarithm of the factor for one count of each counter, in units of 2^-40.
    pub(super) logs: Box<[i64]>,
    /// The logarithm of its share of the stake.
    share: f64,
}

impl Bet {
    /// The logarithm of its gain, within 2^-50 of its size.
    pub(super) fn log(&self, counters: &[u64]) -> f64 {
        let terms = self.logs.iter().zip(&counters[self.at..]);
        let sum: i128 = terms.map(|(log, count)| i128::from(*log) * i128::from(*count)).sum();
        sum as f64 / SCALE
    }
}

/// All bets on a law. Their shares add up to at most 1.
#[derive(Debug)]
pub(super) struct Bets {
    pub(super) bets: Vec<Bet>,
    cells: usize,
    /// The classes of cells, for pairs of equal values.
    pub(super) classes: Vec<u8>,
}

/// The bet with the greatest gain, with its share.
pub(super) struct Leader<'a> {
    pub(super) what: &'a str,
    pub(super) log_gain: f64,
}

impl Bets {
    pub(super) fn new(target: &Target, cells: &Cells) -> Self {
        let mut builder = Builder { cells, groups: Vec::new() };
        builder.shapes();
        builder.low_bits();
        builder.single_values(target);
        builder.tails();
        builder.other_law(target);
        let classes = order::classes(cells);
        builder.kinds();
        builder.equal(&classes);
        let total: f64 = builder.groups.iter().map(|group| group.weight).sum();
        let mut bets = Vec::new();
        for group in builder.groups {
            // The shares are rounded, so they add up to less than 1 by more than their errors.
            let share = log(group.weight / total / group.bets.len() as f64) - 1e-12;
            bets.extend(group.bets.into_iter().map(|(what, at, logs)| Bet { what, at, logs, share }));
        }
        Bets { bets, cells: cells.len(), classes }
    }

    /// How many counters there are.
    pub(super) fn counters(&self) -> usize {
        self.cells + RESIDUES + COUNTERS
    }

    /// The counters of the cells, of y mod 16, and of pairs.
    pub(super) fn parts<'a>(&self, counters: &'a mut [u64]) -> [&'a mut [u64]; 3] {
        let (cells, rest) = counters.split_at_mut(self.cells);
        let (residues, pairs) = rest.split_at_mut(RESIDUES);
        [cells, residues, pairs]
    }

    /// The logarithm of the stake's gain, and the bet that leads.
    pub(super) fn gain(&self, counters: &[u64]) -> (f64, Leader<'_>) {
        let terms: Vec<f64> = self.bets.iter().map(|bet| bet.share + bet.log(counters)).collect();
        let best = (0..terms.len()).max_by(|a, b| terms[*a].total_cmp(&terms[*b])).unwrap_or(0);
        (log_sum(&terms), Leader { what: &self.bets[best].what, log_gain: terms[best] })
    }
}

/// Bets of one kind, which share a part of the stake evenly.
struct Group {
    weight: f64,
    bets: Vec<(String, usize, Box<[i64]>)>,
}

struct Builder<'a> {
    cells: &'a Cells,
    groups: Vec<Group>,
}

impl Builder<'_> {
    /// Adds a group, unless it is empty.
    fn group(&mut self, weight: f64, bets: Vec<(String, usize, Box<[i64]>)>) {
        if !bets.is_empty() {
            self.groups.push(Group { weight, bets });
        }
    }

    /// Tilts of a feature of the cells or the residues, by a grid.
    fn grid(&self, what: &str, at: usize, feature: Vec<f64>) -> Vec<(String, usize, Box<[i64]>)> {
        let above: &[f64] = if at == 0 { &self.cells.above } else { &self.cells.residues };
        let Some(feature) = standardized(above, feature) else { return Vec::new() };
        let tilts = GRID.flat_map(|j| [(j, 1.0), (j, -1.0)]);
        let bet = |(j, sign): (i32, f64)| {
            let (mark, tilt) = (if sign < 0.0 { "-" } else { "" }, sign * libm::exp2(f64::from(-j)));
            (format!("{what}, tilt {mark}2^-{j}"), at, factors(above, |i| tilt * feature[i]))
        };
        tilts.map(bet).collect()
    }

    /// Indicator of some cells, by these tilts.
    fn indicator(&self, what: &str, tilts: &[f64], is_in: impl Fn(usize) -> bool) -> Vec<(String, usize, Box<[i64]>)> {
        let bet = |tilt: &f64| {
            let logs = factors(&self.cells.above, |i| if is_in(i) { *tilt } else { 0.0 });
            (format!("{what}, tilt {tilt}"), 0, logs)
        };
        tilts.iter().map(bet).collect()
    }

    fn shapes(&mut self) {
        type Shape = fn(f64) -> f64;
        let shapes: [(f64, &str, Shape); 5] = [
            (6.0, "mean", |t| t),
            (6.0, "width", |t| t * t),
            (1.0, "third moment", |t| t * t * t - 3.0 * t),
            (2.0, "fourth moment", |t| t * t * (t * t - 6.0)),
            (2.0, "side of the mean", |t| if t == 0.0 { 0.0 } else { t.signum() }),
        ];
        for (weight, what, shape) in shapes {
            let feature = self.cells.places.iter().map(|t| shape(t.clamp(-NEAR, NEAR))).collect();
            self.group(weight, self.grid(what, 0, feature));
        }
    }

    fn low_bits(&mut self) {
        let (at, outcomes) = match self.cells.is_single() {
            true => (0, self.cells.len()),
            false => (self.cells.len(), RESIDUES),
        };
        let low = |i: usize| if at == 0 { self.cells.first(i) as u8 & 15 } else { i as u8 };
        let bets = |set: u8, what: &str| {
            let feature = (0..outcomes).map(|i| 1.0 - 2.0 * f64::from((low(i) & set).count_ones() % 2)).collect();
            self.grid(what, at, feature)
        };
        let parity = bets(1, "odd or even");
        let others = (2..16).flat_map(|set| bets(set, &format!("parity of the low bits {set:#06b}"))).collect();
        self.group(4.0, parity);
        self.group(3.0, others);
    }

    fn single_values(&mut self, target: &Target) {
        if !self.cells.is_single() {
            return;
        }
        let value = |i: usize| i128::from(self.cells.first(i)) + i128::from(target.shift);
        let mut order: Vec<usize> = (0..self.cells.inner()).collect();
        order.sort_by(|a, b| self.cells.above[*b].total_cmp(&self.cells.above[*a]));
        order.truncate(MOST_VALUES);
        let one = |i: usize| {
            let tilts = [-3.0, -0.5, -0.1, 0.1, 0.5, 2.0];
            self.indicator(&format!("the value {}", value(i)), &tilts, |other| other == i)
        };
        let all = order.iter().filter(|i| self.cells.above[**i] > 1e-5).flat_map(|i| one(*i)).collect();
        let marked = self.cells.index(target.marked());
        let feature = (0..self.cells.len()).map(|i| f64::from(u8::from(i == marked))).collect();
        let marked = self.grid(&format!("the value {}", value(marked)), 0, feature);
        self.group(3.0, marked);
        self.group(3.0, all);
    }

    /// The tails with at most 2^-k of the mass, and a far value that should never come.
    fn tails(&mut self) {
        let cells = self.cells;
        let mut far: Vec<usize> = (0..cells.len()).collect();
        far.sort_by(|a, b| cells.places[*b].abs().total_cmp(&cells.places[*a].abs()));
        // The outer cells come first, with those in a gap of a sum.
        let is_gap = |i: &usize| *i < cells.inner() && cells.above[*i] < GAP;
        far.sort_by_key(|i| *i < cells.inner() && !is_gap(i));
        let (mut tails, mut range, mut known) = (Vec::new(), Vec::new(), 0);
        for bits in (4..=60).rev() {
            let (mut mass, mut count) = (0.0, 0);
            for i in &far {
                if mass + cells.above[*i] > libm::exp2(f64::from(-bits)) {
                    break;
                }
                (mass, count) = (mass + cells.above[*i], count + 1);
            }
            if count == known || count == cells.len() {
                continue;
            }
            known = count;
            let mut is_far = vec![false; cells.len()];
            far[..count].iter().for_each(|i| is_far[*i] = true);
            let places = far[..count].iter().filter(|i| !is_gap(i)).map(|i| cells.places[*i].abs());
            let near = places.fold(f64::INFINITY, f64::min);
            let gaps = if far[..count].iter().any(is_gap) { ", or in a gap" } else { "" };
            let what = format!("at least {near:.2} deviations from the mean{gaps}");
            if bits >= 24 {
                range.extend(self.indicator(&what, &[-0.5 * log(mass)], |i| is_far[i]));
            } else {
                tails.extend(self.indicator(&what, &[-6.0, -2.0, -0.6, -0.2, 0.2, 0.6, 2.0], |i| is_far[i]));
            }
        }
        self.group(4.0, tails);
        self.group(4.0, range);
    }

    /// The rounded normal instead of D_Z with the same parameters, or the other way round.
    fn other_law(&mut self, target: &Target) {
        let Some(law) = target.other().filter(|_| self.cells.is_single()) else { return };
        let other: Vec<f64> = (0..self.cells.inner()).map(|i| law.pmf(self.cells.first(i))).collect();
        // Doubles of both laws are exact enough down to their smallest normal number.
        let ratio = |i: usize| match other.get(i) {
            Some(q) if *q > 1e-300 => log(q / self.cells.above[i]).clamp(-40.0, 40.0),
            _ => 0.0,
        };
        let what = format!("{} instead", name(&law));
        let logs = factors(&self.cells.above, ratio);
        self.group(3.0, vec![(what, 0, logs)]);
    }

    /// A bit of a value follows one of what came before it.
    fn kinds(&mut self) {
        let (mut bets, first) = (Vec::new(), self.cells.len() + RESIDUES);
        let above: Vec<[f64; 2]> = (0..KIND_BITS).map(|bit| self.cells.kind_above(bit)).collect();
        for context in 0..CONTEXTS {
            for (from, source) in KINDS.into_iter().enumerate() {
                for to in 0..KIND_BITS {
                    if above[to].into_iter().fold(1.0, f64::min) < 1e-6 {
                        continue;
                    }
                    let at = first + context * KIND_COUNTERS + (from * KIND_BITS + to) * 4;
                    let source = if context == CONTEXTS - 1 { format!("bit {from}") } else { source.into() };
                    for tilt in [0.3, 0.1, 0.03, 0.01, -0.3, -0.1, -0.03, -0.01] {
                        let what =
                            format!("{} follows the {source} of {}, tilt {tilt}", KINDS[to], order::context(context));
                        // For each bit before, a tilted law of the bit now.
                        let now =
                            |sign: f64| factors(&above[to], |bit| if bit == 1 { sign * tilt } else { -sign * tilt });
                        bets.push((what, at, [now(-1.0), now(1.0)].concat().into()));
                    }
                }
            }
        }
        self.group(8.0, bets);
    }

    /// A value is equal to an earlier one more often, or less often, than the law permits.
    ///
    /// Given a value u before, the mixture of p and of a law that is always u has the factor 1 - ε + ε/p(u) if the next value is u, and 1 - ε
    /// otherwise. With an upper bound in place of p(u) the mean is at most 1. For fewer equal values, they are 1 - κ, and
    /// 1 + κ·p/(1 - p) for others; with a lower bound in place of p the mean is again at most 1.
    fn equal(&mut self, classes: &[u8]) {
        let (mut most, mut least) = ([0.0_f64; CLASSES], [1.0_f64; CLASSES]);
        for (p, class) in self.cells.above.iter().zip(classes) {
            let class = usize::from(*class);
            (most[class], least[class]) = (most[class].max(*p), least[class].min(*p));
        }
        // An upper bound is above its probability by less than 2^-48 of it and 8 times the law's error, or by up to 2^-179, or it is one of a
        // probability below 2^-800.
        let (from, less) = self.cells.error.map_or((1e-200, 1e-14), |error| (1e-30, 1e-14 + 8.0 * error));
        let least = least.map(|p| if p > from { p * (1.0 - less) } else { 0.0 });
        let (mut bets, first) = (Vec::new(), self.cells.len() + RESIDUES + CONTEXTS * KIND_COUNTERS);
        for (number, lag) in LAGS.into_iter().enumerate() {
            let at = first + number * EQUAL_COUNTERS;
            for share in [0.5, 0.1, 0.02, 0.005] {
                let class = |class: usize| match most[class] {
                    0.0 => [0, 0],
                    p => [below(1.0 - share), below(1.0 - share + share / p)],
                };
                bets.push((
                    format!("{} % copied at lag {lag}", share * 100.0),
                    at,
                    (0..CLASSES).flat_map(class).collect(),
                ));
            }
            for share in [0.9, 0.2] {
                let class = |class: usize| match least[class] {
                    p if p < 0.999 => [below(1.0 + share * p / (1.0 - p)), below(1.0 - share)],
                    _ => [0, 0],
                };
                let what = format!("{} % fewer equal values at lag {lag}", share * 100.0);
                bets.push((what, at, (0..CLASSES).flat_map(class).collect()));
            }
        }
        self.group(8.0, bets);
    }
}

/// A law's name without its parameters.
fn name(law: &TargetLaw) -> &'static str {
    if law.is_rounded() { "the rounded normal" } else { "D_Z" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::{DiscreteGaussian, NoiseLaw, Width};
    use samplez_tables::Term;

    fn gaussian(sigma: &str, center: &str) -> DiscreteGaussian {
        DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
    }

    /// The mean of each bet's factor under the law is at most 1, and hardly less: for each outcome before, where there is one. Probabilities
    /// are correctly rounded, so a sum errs by some 1e-14; the margin is 2e-12.
    #[test]
    fn no_factor_has_a_mean_above_1() {
        let three = Term { factor: -100, copies: 3, law: TargetLaw::from(&gaussian("3.2", "0")) };
        let laws = [
            TargetLaw::from(&gaussian("3.2", "0")),
            TargetLaw::from(&gaussian("0.4", "1/3")),
            TargetLaw::from(&gaussian("1e6", "-7.25")),
            TargetLaw::rounded(&gaussian("3.2", "1/3")).unwrap(),
            TargetLaw::from(&gaussian("3.2", "0")).within(-5..=12).unwrap(),
            TargetLaw::from(&gaussian("3.2", "0")).modulo(17).unwrap(),
            TargetLaw::finite(&NoiseLaw::Ternary).unwrap(),
            TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale: "5".parse().unwrap() }).unwrap(),
            TargetLaw::sum(&[three, Term::from(&TargetLaw::weights(0, &[1, 2, 1]).unwrap())]).unwrap(),
        ];
        for law in laws {
            let target = Target::new(&law).unwrap();
            let cells = Cells::new(&target);
            let bets = Bets::new(&target, &cells);
            let masses: Vec<f64> =
                cells.above.iter().map(|p| if *p > 1e-250 { p * (1.0 - 4.0 * f64::EPSILON) } else { 0.0 }).collect();
            let factor = |log: &i64| libm::exp(*log as f64 / SCALE);
            let judge = |what: &str, terms: &mut dyn Iterator<Item = f64>, least: f64| {
                let mean: f64 = terms.sum();
                assert!(mean < 1.0 && mean > least, "{law}: {what}: {mean}");
            };
            let (pairs, equals) = (cells.len() + RESIDUES, cells.len() + RESIDUES + CONTEXTS * KIND_COUNTERS);
            let residues = target.residues();
            for bet in &bets.bets {
                let of = |p: &[f64]| -> f64 { p.iter().zip(&bet.logs).map(|(p, log)| p * factor(log)).sum() };
                if bet.at == 0 {
                    assert_eq!(bet.logs.len(), cells.len());
                    judge(&bet.what, &mut [of(&masses)].into_iter(), 1.0 - 1e-9);
                } else if bet.at < pairs {
                    judge(&bet.what, &mut [of(&residues)].into_iter(), 1.0 - 1e-9);
                } else if bet.at < equals {
                    let to = (bet.at - pairs) % KIND_COUNTERS / 4 % KIND_BITS;
                    let mut now = [0.0; 2];
                    let single = to < 2 || cells.is_single();
                    let outcomes = if single { cells.inner() } else { RESIDUES };
                    for i in 0..outcomes {
                        let kind = if single { cells.kind(i, cells.first(i)) } else { cells.kind(0, i as i64) };
                        now[usize::from(kind >> to & 1)] += if single { masses[i] } else { residues[i] };
                    }
                    for before in bet.logs.chunks(2) {
                        let mut terms = now.iter().zip(before).map(|(p, log)| p * factor(log));
                        judge(&bet.what, &mut terms, 1.0 - 1e-9);
                    }
                } else {
                    for (p, class) in masses.iter().zip(&bets.classes) {
                        let [differs, equal] = [0, 1].map(|i| factor(&bet.logs[usize::from(*class) * 2 + i]));
                        judge(&bet.what, &mut [(1.0 - p) * differs, p * equal].into_iter(), 0.0);
                    }
                }
            }
            assert!(log_sum(&bets.bets.iter().map(|bet| bet.share).collect::<Vec<_>>()) <= 0.0);
        }
    }
}
