//! The laws of both discrete Laplace samplers: [CKS20]'s bracketed by walking its bits, and counted at full width; the constant-time one
//! summed over all classes of its words.

use crate::common::brackets::holds;
use samplez_check::tape::{Budget, ExactLaw, enumerate};
use samplez_core::Sampler;
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::DiscreteLaplace;
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::build_laplace;
use std::collections::BTreeMap;

fn noise(scale: &str) -> DiscreteLaplace {
    DiscreteLaplace::new(scale.parse().unwrap()).unwrap()
}

/// P(X = x) for the scale λ.
fn pmf(scale: f64) -> impl Fn(i64) -> f64 {
    let q = (-1.0 / scale).exp();
    move |x| (1.0 - q) / (1.0 + q) * (-(x.unsigned_abs() as f64) / scale).exp()
}

fn walk(scale: &str) -> ExactLaw {
    let sampler = noise(scale);
    enumerate(Budget::depth(100).runs(2_000_000), |bits| sampler.attempt(bits)).unwrap()
}

/// Scales below 1 and above, whole and not; what the walk leaves open.
const LAWS: [(&str, f64, f64); 8] = [
    ("1/20", 1.0 / 20.0, 0.05),
    ("1/3", 1.0 / 3.0, 0.05),
    ("2/3", 2.0 / 3.0, 0.05),
    ("1", 1.0, 0.05),
    ("5/2", 2.5, 0.05),
    ("4", 4.0, 0.05),
    ("37/3", 37.0 / 3.0, 0.1),
    ("1000/7", 1000.0 / 7.0, 0.25),
];

#[test]
fn the_walk_has_the_law() {
    for (text, scale, open) in LAWS {
        let law = walk(text);
        assert!(holds(&law, pmf(scale)), "{text}");
        let distance = law.distance(pmf(scale));
        assert!(*distance.start() < 1e-10 && *distance.end() < open, "{text}: {distance:?}");
    }
}

/// The walk can tell: another scale, the zero twice, one side too light, and s forgotten.
#[test]
fn wrong_laws_leave_the_brackets() {
    let law = walk("5/2");
    let ideal = pmf(2.5);
    assert!(holds(&law, &ideal));
    assert!(!holds(&law, pmf(2.6)) && !holds(&law, pmf(2.4)) && !holds(&law, pmf(5.0)));
    assert!(!holds(&law, |x| if x == 0 { 2.0 * ideal(0) } else { ideal(x) } / (1.0 + ideal(0))));
    assert!(!holds(&law, |x| if x < 0 { 0.9 * ideal(x) } else { ideal(x) }));
}

/// χ² of two million samples against the law, in cells of at least 50 expected ones, the tails being one each. Its mean is the number
/// of cells less one, its variance twice that: seven deviations more have a probability below 1e-8.
#[test]
fn full_width_samples_are_consistent() {
    const COUNT: usize = 2_000_000;
    for (text, scale) in [("1/2", 0.5), ("1", 1.0), ("10/3", 10.0 / 3.0), ("40", 40.0), ("123457/1000", 123.457)] {
        let mut out = vec![0_i64; COUNT];
        noise(text).fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([31; 32]))), &mut out).unwrap();
        let mut counts = BTreeMap::new();
        out.iter().for_each(|x| *counts.entry(*x).or_insert(0_u32) += 1);
        let (ideal, count) = (pmf(scale), COUNT as f64);
        let edge = (0..).find(|x| ideal(*x) * count < 50.0).unwrap();
        let term = |seen: f64, expected: f64| (seen - expected).powi(2) / expected;
        let inside = (1 - edge..edge).map(|x| term(f64::from(counts.get(&x).copied().unwrap_or(0)), ideal(x) * count));
        let beyond = (1.0 - (1 - edge..edge).map(&ideal).sum::<f64>()) / 2.0 * count;
        let tails = [out.iter().filter(|x| **x >= edge).count(), out.iter().filter(|x| **x <= -edge).count()];
        let chi: f64 = inside.sum::<f64>() + tails.iter().map(|seen| term(*seen as f64, beyond)).sum::<f64>();
        let cells = (2 * edge) as f64;
        assert!(chi < cells + 7.0 * (2.0 * cells).sqrt() + 10.0, "{text}: {chi} of {cells}");
        assert!(chi > cells - 7.0 * (2.0 * cells).sqrt(), "{text}: {chi} of {cells}");
    }
}

/// Words in turn, and then ones, which are below no probability.
struct Words(Vec<u64>, usize);

impl BitSource for Words {
    fn bits(&mut self, n: u32) -> u64 {
        self.1 += 1;
        self.0.get(self.1 - 1).unwrap_or(&u64::MAX) & (u64::MAX >> (64 - n))
    }
}

/// The sample of these coins' own bits and the shared ones.
fn of_bits(sampler: &impl Sampler, own: &[u64], shared: u64, negative: bool) -> i64 {
    let mut words = vec![0; own.len() / 2 + 1];
    own.iter().enumerate().for_each(|(i, bits)| words[i / 2] |= bits << (32 * (i % 2)));
    *words.last_mut().unwrap() |= shared << 32 | u64::from(negative) << 63;
    sampler.sample(&mut Words(words, 0))
}

/// The least number that is not below; all above it are not either.
fn border(log2: u32, is_below: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, 1 << log2);
    while low < high {
        let middle = (low + high) / 2;
        if is_below(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// P(X = x) of the constant-time sampler, by the real code: each coin's own bits are below the leading ones of its probability, equal or
/// above, and the shared bits too where one coin needs them. What is left out, two equal coins or 63 equal bits, has less than 2^-56.
fn of_classes(scale: &str) -> BTreeMap<i64, f64> {
    const MOST: u64 = u32::MAX as u64;
    const SHARED: u64 = (1 << 31) - 1;
    let sampler = build_laplace(scale.parse().unwrap()).unwrap();
    let coins = sampler.profile().table_bytes / 8;
    let (mut fail, last) = (vec![MOST; coins], coins - 1);
    fail[last] = 0;
    let leading: Vec<(u64, u64)> = (0..coins)
        .map(|i| {
            let is_below = |own: u64, shared: u64| {
                let mut bits = fail.clone();
                bits[i] = own;
                of_bits(&sampler, &bits, shared, false) != if i == last { 0 } else { 1 }
            };
            let own = border(32, |own| is_below(own, SHARED));
            (own, border(31, |shared| is_below(own, shared)))
        })
        .collect();
    let mut law = BTreeMap::new();
    let mut add = |own: &[u64], shared: u64, weight: f64| {
        for negative in [false, true] {
            *law.entry(of_bits(&sampler, own, shared, negative)).or_insert(0.0) += weight / 2.0;
        }
    };
    for classes in 0..1_u32 << coins {
        let is_below = |i: usize| classes >> i & 1 == 1;
        let weight = |i: usize| if is_below(i) { leading[i].0 } else { MOST.saturating_sub(leading[i].0) } as f64 / 2f64.powi(32);
        let bits: Vec<u64> =
            (0..coins).map(|i| if is_below(i) { leading[i].0.saturating_sub(1) } else { leading[i].0 + 1 }).collect();
        let all: f64 = (0..coins).map(weight).product();
        if all > 0.0 {
            add(&bits, SHARED / 3, all);
        }
        // One coin is equal: each with the classes of the others, once.
        for i in (0..coins).filter(|i| !is_below(*i) && leading[*i].0 <= MOST) {
            let others: f64 = (0..coins).filter(|j| *j != i).map(weight).product();
            let mut bits = bits.clone();
            bits[i] = leading[i].0;
            for (shared, count) in
                [(leading[i].1.wrapping_sub(1), leading[i].1), (leading[i].1 + 1, SHARED.saturating_sub(leading[i].1))]
            {
                let share = others * count as f64 / 2f64.powi(63);
                if share > 0.0 {
                    add(&bits, shared, share);
                }
            }
        }
    }
    law
}

/// A relative error of 1e-13, and what is left out.
fn agrees(law: &BTreeMap<i64, f64>, pmf: impl Fn(i64) -> f64) -> bool {
    let near = |x: i64, p: f64| (p - pmf(x)).abs() <= 1e-13 * pmf(x) + 2f64.powi(-56);
    law.iter().all(|(x, p)| near(*x, *p)) && (law.values().sum::<f64>() - 1.0).abs() < 1e-13
}

#[test]
fn classes_of_words_sum_to_the_law() {
    for (text, scale) in [("1/50", 0.02), ("1/3", 1.0 / 3.0), ("1", 1.0), ("5/2", 2.5), ("7", 7.0)] {
        let law = of_classes(text);
        assert!(agrees(&law, pmf(scale)), "{text}");
        if scale > 0.1 {
            assert!(!agrees(&law, pmf(scale * (1.0 + 1e-9))), "{text}");
            let off = |x: i64| if x == 2 { 1.000_001 } else { 1.0 } * pmf(scale)(x);
            assert!(law.len() > 20 && !agrees(&law, off), "{text}");
        }
    }
}
