//! `Ziggurat`: its exact law is its table's, in all four variants, which share one stream.

use crate::common::ziggurat::{Integers, SMALL, Table, has_law_of, table, variants};
use crate::common::{Random, law};
use samplez_check::tape::{Budget, enumerate};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::Ziggurat;
use samplez_core::table::Chord;
use samplez_core::testing::{Attempt, Counted};
use samplez_core::{DiscreteGaussian, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::Verifier;
use samplez_tables::{Law, ZigguratOptions, build_ziggurat};

fn reader(seed: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])))
}

/// Walks the sampler with a first draw of y' of one bit, of two, and of all.
fn walk(table: &Table) {
    let integers = Integers::of(table);
    for head_bits in [1, 2, table.parts().omega] {
        let sampler = Ziggurat::from_table(table.clone().with_head_bits(head_bits));
        let center = table.center();
        let what = || format!("{:?}, {head_bits} bits first", table.parts());
        has_law_of(&integers, center, |bits| sampler.attempt_narrow::<3, 4, _>(bits))
            .unwrap_or_else(|e| panic!("{}: {e}", what()));
        has_law_of(&integers, center, |bits| sampler.attempt_narrow::<2, 5, _>(bits))
            .unwrap_or_else(|e| panic!("{}: {e}", what()));
    }
}

fn small(index: usize, center: &str) -> (DiscreteGaussian, ZigguratOptions) {
    let (sigma, tail, rectangles, precision, omega) = SMALL[index];
    let tail = tail.parse().unwrap();
    (law(sigma, center), ZigguratOptions { rectangles, precision, omega, tail, ..ZigguratOptions::default() })
}

#[test]
fn every_variant_has_the_law_of_its_integers() {
    for index in 0..SMALL.len() {
        let (target, options) = small(index, "-7");
        for table in variants(&target, &options) {
            walk(&table);
        }
    }
}

/// Tables of any integers: densities above and below their rectangles, y_0 far above 1.
#[test]
fn odd_tables() {
    let mut random = Random::new(2);
    for _ in 0..40 {
        let precision = 2 + random.below(5) as u32;
        let m = 2 + random.below(3.min((1 << precision) - 2)) as usize;
        let mut edges: Vec<u32> = (0..m).map(|_| 1 + random.below(9) as u32).collect();
        edges.sort_unstable();
        edges.insert(0, 0);
        let mut heights = std::collections::BTreeSet::new();
        while heights.len() < m - 1 {
            heights.insert(1 + random.below((1 << precision) - 1) as u32);
        }
        let mut heights: Vec<u32> = heights.into_iter().rev().collect();
        heights.insert(0, random.below(1 << precision) as u32);
        let rho: Vec<u32> = (1..edges[m]).map(|_| random.below(1 << precision) as u32).collect();
        let omega = precision + random.below(3) as u32;
        walk(&table(precision, omega, None, &edges, &heights, &rho));
    }
}

/// The certificate against the walk: the distance of the exact law lies below the bound, and not
/// far below.
#[test]
fn certified_distance_is_the_exact_one() {
    for index in 0..SMALL.len() {
        let (target, options) = small(index, "0");
        let table = build_ziggurat(&target, &options).unwrap();
        let (bound, trials) = (table.parts().bound, table.parts().expected_trials);
        let sampler = Ziggurat::from_table(table);
        let budget = Budget::depth(60).undecided(1e-7);
        let walked = enumerate(budget, |bits| sampler.attempt_narrow::<3, 4, _>(bits)).unwrap();
        let ideal = Law::new(&target);
        let distance = walked.distance(|x| ideal.pmf(x));
        let certified = bound.log2_sd.exp2();
        assert!(*distance.start() <= certified * (1.0 + 1e-9), "{target}: {distance:?} {certified}");
        assert!(certified <= *distance.end() * (1.0 + 1e-9), "{target}: {distance:?} {certified}");
        let found = 1.0 / (1.0 - walked.rejected());
        assert!((trials / found - 1.0).abs() < 1e-5, "{target}: {found} trials, declared {trials}");
    }
}

/// Widths in every form, σ below 1, m that are no powers of two, precisions with and without
/// whole words, ω at its least and far above.
const WIDE: [(&str, u32, u32, u32); 9] = [
    ("3.3311", 63, 106, 107),
    ("10", 63, 106, 107),
    ("10", 64, 64, 64),
    ("32", 8, 72, 300),
    ("32", 102, 106, 512),
    ("0.7", 20, 20, 30),
    ("215", 256, 128, 160),
    ("215", 3, 256, 256),
    ("5000", 1000, 45, 46),
];

fn forms(q: &str) -> [Width; 4] {
    let q: Rational = q.parse().unwrap();
    [Width::Sigma(q), Width::SigmaSq(q), Width::KSigma2(q), Width::S(q)]
}

fn options(rectangles: u32, precision: u32, omega: u32) -> ZigguratOptions {
    ZigguratOptions { rectangles, precision, omega, ..ZigguratOptions::default() }
}

/// The same samples from the same bits, and the same number of bits.
#[test]
fn variants_have_the_same_stream() {
    for (q, m, n, omega) in WIDE {
        for width in forms(q) {
            let target = DiscreteGaussian::new(Rational::from(3), width).unwrap();
            let streams = variants(&target, &options(m, n, omega)).map(|table| {
                let sampler = Ziggurat::from_table(table);
                let mut bits = Counted::new(reader(5));
                let samples: Vec<i64> = (0..60_000).map(|_| sampler.sample(&mut bits)).collect();
                let mut filled = vec![0_i64; samples.len()];
                sampler.fill(&mut reader(5), &mut filled).unwrap();
                assert_eq!(samples, filled);
                (samples, bits.count())
            });
            assert!(streams.iter().all(|stream| *stream == streams[0]), "{width}, m = {m}, n = {n}");
        }
    }
}

/// Hands out y' with a given beginning wherever a trial of an otherwise random stream reads it,
/// so that comparisons are as close as they can be.
struct Close {
    inner: BitReader<ChaCha20>,
    first: Option<u64>,
    heads: u64,
    count: u32,
}

impl BitSource for Close {
    fn bits(&mut self, n: u32) -> u64 {
        self.count += 1;
        match (self.count, self.first) {
            (1, Some(first)) => first,
            (2, _) => self.heads >> (64 - n),
            _ => self.inner.bits(n),
        }
    }
}

/// Comparisons decided by the integers: y' as close to the decision as 64 bits can be. All
/// variants agree there too, and the decision is the definition's.
#[test]
fn close_comparisons_are_decided_by_the_integers() {
    let target = law("10", "0");
    let tables = variants(&target, &options(16, 60, 66));
    let integers = Integers::of(&tables[0]);
    let mut decided = [0; 2];
    for i in 0..integers.m() {
        for x in integers.edges[i].max(1)..integers.edges[i + 1] {
            let (h, d) =
                (integers.heights[i] - integers.heights[i + 1], integers.rho[x as usize] - integers.heights[i + 1]);
            if d <= 0 || d >= h {
                continue;
            }
            let quotient = divide(d as u128, h as u128, 64);
            // A draw that leads to rectangle i, column x, and not into a second draw.
            let field = |at: u64, of: u64, width: u32| ((u128::from(2 * at + 1) << width) / u128::from(2 * of)) as u64;
            let draw = field(i as u64, integers.m() as u64, 24) << 1 | field(x, integers.edges[i + 1], 39) << 25;
            for heads in [quotient - 1, quotient, quotient + 1] {
                let outcomes = tables.each_ref().map(|table| {
                    let mut bits = Close { inner: reader(x as u8), first: Some(draw), heads, count: 0 };
                    let sampler = Ziggurat::from_table(table.view());
                    (sampler.attempt(&mut bits), bits.count)
                });
                assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "rectangle {i}, column {x}");
                let (value, count) = outcomes[0];
                let accepted = value.is_some();
                assert_eq!(accepted.then_some(x as i64), value);
                if heads == quotient {
                    assert!(count > 2, "the rest of y' is drawn");
                    decided[usize::from(accepted)] += 1;
                } else {
                    assert_eq!((accepted, count), (heads < quotient, 2), "rectangle {i}, column {x}");
                }
            }
        }
    }
    assert!(decided[0] > 10 && decided[1] > 10, "{decided:?}");
}

/// A chord that runs through a density, with y' at it: the rest of y' is drawn as without chord.
#[test]
fn a_chord_through_a_density_ends_no_draw() {
    // {0} from 1/2 to 1, {0, 1, 2} from 0 to 1/2; the density 1/4 of x = 2 is on the chord from (1, 1/2) to (3, 0).
    let [plain, chord] = [None, Some(Chord { accept_to: 1, reject_after: 1 })]
        .map(|chord| table(3, 4, chord, &[0, 1, 3], &[0, 4], &[4, 2]));
    for head_bits in 1..=4 {
        let [without, with] = [&plain, &chord].map(|table| {
            let sampler = Ziggurat::from_table(table.clone().with_head_bits(head_bits));
            let mut bits = Counted::new(reader(3));
            let samples: Vec<i64> = (0..2000).map(|_| sampler.sample(&mut bits)).collect();
            (samples, bits.count())
        });
        assert_eq!(without, with, "{head_bits} bits first");
    }
}

/// ⌊2^bits d/h⌋ for d < h.
fn divide(d: u128, h: u128, bits: u32) -> u64 {
    let mut rest = d;
    (0..bits).fold(0, |quotient, _| {
        rest <<= 1;
        let digit = rest >= h;
        rest -= if digit { h } else { 0 };
        quotient << 1 | u64::from(digit)
    })
}

#[test]
fn declared_costs_are_the_counted_ones() {
    for (q, m, n, omega) in WIDE {
        let table = build_ziggurat(&law(q, "0"), &options(m, n, omega)).unwrap();
        let sampler = Ziggurat::from_table(table);
        let mut bits = Counted::new(reader(9));
        let (count, mut trials) = (400_000, 0);
        for _ in 0..count {
            loop {
                trials += 1;
                if sampler.attempt(&mut bits).is_some() {
                    break;
                }
            }
        }
        let profile = sampler.profile();
        let (bits, trials) = (bits.count() as f64 / f64::from(count), f64::from(trials) / f64::from(count));
        assert!((bits / profile.expected_bits - 1.0).abs() < 0.01, "{q}: {bits}, declared {}", profile.expected_bits);
        assert!((trials / profile.expected_trials - 1.0).abs() < 0.01, "{q}: {trials} trials");
    }
}

#[test]
fn ziggurat_is_consistent() {
    for (sigma, center, m, n) in [
        ("0.7", "0", 16, 64),
        ("3.3311", "5", 63, 106),
        ("32", "0", 102, 106),
        ("215", "-1", 256, 128),
        ("1.6e5", "0", 8192, 106),
    ] {
        let target = law(sigma, center);
        let sampler = Ziggurat::from_table(build_ziggurat(&target, &options(m, n, n + 32)).unwrap());
        let mut verifier = Verifier::new(&target).unwrap();
        let mut bits = reader(17);
        let mut samples = vec![0_i64; 1 << 16];
        for _ in 0..61 {
            sampler.fill(&mut bits, &mut samples).unwrap();
            verifier.push(&samples);
        }
        let report = verifier.finish().unwrap();
        assert!(report.consistent, "{target}: {report:?}");
    }
}

#[test]
fn a_narrow_type_is_refused_at_the_first_sample_that_does_not_fit() {
    let sampler = Ziggurat::from_table(build_ziggurat(&law("100", "0"), &ZigguratOptions::default()).unwrap());
    let mut out = [0_i8; 1000];
    let error = sampler.fill(&mut reader(1), &mut out).unwrap_err();
    let mut bits = reader(1);
    assert_eq!(error.dtype, "i8");
    // Those before it are there.
    let fit = (0..1000).map_while(|_| i8::try_from(sampler.sample(&mut bits)).ok());
    assert!(fit.zip(out).all(|(x, written)| x == written));
}
