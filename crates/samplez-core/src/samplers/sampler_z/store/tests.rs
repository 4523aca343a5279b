//! The store against the trials of a batch, one after the other, from the same words.

use super::*;
use crate::bits::{BitReader, SplitMix64};
use crate::fixtures::reader;
use crate::params::Rational;
use crate::sampler::Rounder;
use std::vec::Vec;

/// Words of proposals for one call: many of their draws are at the goal or near it, and many proposals are far. The 9 bits
/// of equal draws come from a generator of their own, so that words are the same in any order of the two.
struct Borders {
    words: BitReader<SplitMix64>,
    more: BitReader<SplitMix64>,
    call: (FixedPoint, SmallWidth),
    /// How many words and how many times 9 bits were read, and what was declassified.
    read: [usize; 2],
    outcomes: Vec<u32>,
}

impl Borders {
    fn new(seed: u8, call: (FixedPoint, SmallWidth)) -> Self {
        Borders { words: reader(seed), more: reader(seed ^ 0x80), call, read: [0; 2], outcomes: Vec::new() }
    }

    fn proposal(&mut self) -> [u64; 2] {
        let [mut high, mut rest, kind, size] = core::array::from_fn(|_| self.words.bits(64));
        if kind & 3 == 0 {
            high >>= size % 64;
        }
        let (_, goal) = SamplerZ::trial(self.call.1, self.call.0.fraction(), [high, rest & 0x1ff]);
        let step = 1 << ((size >> 8) % 56);
        let draw = match kind >> 2 & 7 {
            0 => goal >> 9,
            1 => (goal >> 9) + step,
            2 => (goal >> 9).saturating_sub(step),
            3 => (size >> 32) & 1,
            4 => rest >> 9 >> ((size >> 16) % 55),
            _ => rest >> 9,
        };
        rest = draw.min(u64::MAX >> 9) << 9 | rest & 0x1ff;
        [high, rest]
    }

    /// A sample, by full trials.
    fn round(&mut self) -> (i64, usize) {
        let (center, width) = self.call;
        for trials in 1.. {
            let [high, rest] = self.proposal();
            let (z, goal) = SamplerZ::trial(width, center.fraction(), [high, rest & 0x1ff]);
            let mut accepted = rest >> 9 < goal >> 9;
            if rest >> 9 == goal >> 9 {
                accepted = self.bits(9) < goal & 511;
            }
            if accepted {
                return (center.floor() + z, trials);
            }
        }
        unreachable!()
    }
}

impl BitSource for Borders {
    fn bits(&mut self, n: u32) -> u64 {
        assert_eq!(n, 9);
        self.read[1] += 1;
        self.more.bits(9)
    }

    fn words(&mut self, out: &mut [u64]) {
        self.read[0] += out.len();
        for pair in out.as_chunks_mut::<2>().0 {
            *pair = self.proposal();
        }
    }

    fn declassify(&mut self, outcome: u32) -> u32 {
        self.outcomes.push(outcome);
        outcome
    }
}

fn calls() -> Vec<(FixedPoint, SmallWidth)> {
    let sampler = SamplerZ::FALCON_512;
    let sigmas = [(12_778_337, 10_000_000), (13, 10), (3, 2), (17, 10), (3641, 2000)];
    let fractions = [0, 1, 63, 1 << 62, 1 << 63, u64::MAX / 3, u64::MAX - 64, u64::MAX];
    let widths = sigmas.map(|(num, den)| sampler.width(Rational::new(num, den).unwrap()).unwrap());
    let all = widths
        .into_iter()
        .enumerate()
        .flat_map(|(i, width)| fractions.map(|f| (FixedPoint::from_parts(i as i64 * 1000 - 2000, f).unwrap(), width)));
    all.collect()
}

/// Every decision is that of the full trial, on every backend: samples, words read, and 9 bits read.
#[test]
fn decisions_are_those_of_full_trials() {
    let (mut equal, mut settled) = (0, 0);
    for (seed, call) in calls().into_iter().enumerate() {
        for backend in Backend::available() {
            let mut store = ProposalStore::on(backend, Borders::new(seed as u8, call));
            let mut reference = Borders::new(seed as u8, call);
            let mut trials = 0;
            for i in 0..3000 {
                let (sample, tries) = reference.round();
                trials += tries;
                assert_eq!(store.round(call.0, call.1), sample, "call {i} of {seed}, {backend}");
            }
            assert_eq!(store.bits().read[1], reference.read[1]);
            // A call draws when it finds fewer than four.
            let drawn = store.bits().read[0] / 2;
            assert!(drawn % 128 == 0 && (trials..trials + 131).contains(&drawn), "{drawn} of {trials}");
            equal += reference.read[1];
            settled += store.bits().outcomes.len();
        }
    }
    assert!(equal > 10_000 && settled > 100_000, "{equal}, {settled}: a test that measures nothing");
}

/// A source whose second read of words panics, before it reads.
struct Panics(BitReader<SplitMix64>, usize);

impl BitSource for Panics {
    fn bits(&mut self, n: u32) -> u64 {
        self.0.bits(n)
    }

    fn words(&mut self, out: &mut [u64]) {
        self.1 += 1;
        assert!(self.1 != 2, "on purpose");
        self.0.words(out);
    }
}

#[test]
fn a_panic_of_the_source_repeats_nothing() {
    let (center, width) = calls()[20];
    let mut store = ProposalStore::new(Panics(reader(5), 0));
    let mut sound = ProposalStore::new(reader(5));
    let mut panics = 0;
    for i in 0..400 {
        let call = || store.round(center, width);
        let sample = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_or_else(|_| {
            panics += 1;
            store.round(center, width)
        });
        assert_eq!(sample, sound.round(center, width), "{i}");
    }
    assert_eq!(panics, 1);
}

/// No proposal outlives a fault, a reseed or another source.
#[test]
fn to_ask_the_source_drops_the_proposals() {
    let (center, width) = calls()[20];
    let mut store = ProposalStore::new(Panics(reader(5), 2));
    store.round(center, width);
    assert!(store.proposals.iter().any(|p| p.edge != 0));
    *store.bits() = Panics(reader(6), 2);
    assert!(store.proposals.iter().all(|p| (p.words, p.place, p.edge, p.margin) == ([0; 2], 0, 0, 0)));
    let mut other = ProposalStore::new(reader(6));
    for _ in 0..200 {
        assert_eq!(store.round(center, width), other.round(center, width));
    }
}

/// The first look compares nearly the same sides as the full trial: the margin is 16 times the difference found.
#[test]
fn margins_hold_the_difference() {
    let mut bits = reader(9);
    let mut most = 0;
    for (center, width) in calls() {
        for i in 0..2000 {
            let mut words: [[u64; 2]; LANES] = core::array::from_fn(|_| core::array::from_fn(|_| bits.bits(64)));
            let f = center.fraction();
            for (k, [high, rest]) in words.iter_mut().enumerate() {
                *high >>= (i + k) % 60;
                let (_, goal) = SamplerZ::trial(width, f, [*high, *rest & 0x1ff]);
                *rest = goal & !511 | *rest & 511;
            }
            let mut out = [NONE; LANES];
            Backend::current().run(Prepare { words: &words, out: &mut out });
            for (Proposal { place, edge, margin, .. }, [high_word, rest]) in out.iter().zip(words) {
                let (_, goal) = SamplerZ::trial(width, f, [high_word, rest & 0x1ff]);
                if goal < 1 << 40 {
                    continue;
                }
                // Of the goal itself, without the draw's 55 bits.
                let [log] = double_log([goal]);
                let [of_draw] = double_log([goal & !511 | 256]);
                let offset = if place & 1 != 0 { (1 << 58) - f.div_ceil(64) } else { f >> 6 };
                let ratio = high((place & !1) + offset, width.inverse);
                let side = high(ratio, ratio) + width.lift;
                most = most.max((side + of_draw).abs_diff(edge + log));
                assert_eq!(*margin, MARGIN + (1 << (goal & !511 | 256).leading_zeros()));
            }
        }
    }
    assert!((1 << 10..1 << 14).contains(&most), "{most}");
}

/// Without its margin the first look is wrong at borders, and a margin of the draw's cell is needed for small draws.
#[test]
fn edges_are_logarithms() {
    for (value, expected) in [(1 << 63, 2.0 * 2_f64.ln()), (u64::MAX, 0.0), (256, 112.0 * 2_f64.ln())] {
        let [log] = double_log([value]);
        let exact = if value == u64::MAX { 0.0 } else { expected };
        assert!((log as f64 / 52_f64.exp2() - exact).abs() < 2e-12, "{value:x}: {log}");
    }
    // One of the worst. -2·ln(value/2^64)·2^52 by mpmath, with 60 digits, is 5187244148519365.46.
    let [log] = double_log([0x8fec_4262_2fff_ffff]);
    assert!((8587..=8588).contains(&(log - 5_187_244_148_519_365)), "{log}");
    let words = [[u64::MAX, 0x1ff], [u64::MAX, 0x3ff], [0, 0x200], [0, u64::MAX]];
    let mut out = [NONE; LANES];
    Backend::current().run(Prepare { words: &words, out: &mut out });
    assert_eq!(out.map(|p| p.place), [1, 1, 18 << 58, 16 << 58 | 1]);
    // A draw of 0 is far from nothing, one of 1 is.
    assert!(out[0].margin >= 1 << 62 && out[1].margin < 1 << 56 && out[3].margin == MARGIN + 1);
}

#[test]
fn widths_have_their_logarithm() {
    for (sampler, min) in [(SamplerZ::FALCON_512, 1.2778336969128337), (SamplerZ::FALCON_1024, 1.2982803343442917)] {
        for i in 1300..=1820 {
            let width = sampler.width(Rational::new(i, 1000).unwrap()).unwrap();
            let exact = 2.0 * (i as f64 / 1000.0 / min).ln();
            assert!((width.lift as f64 / 52_f64.exp2() - exact).abs() < 2e-12, "{i}");
        }
    }
}

/// The double 1/σ' is exact, and the same width as the rational's where that is exact too.
#[test]
fn widths_of_inverses_are_exact() {
    let sampler = SamplerZ::FALCON_512;
    for inverse in [0.5625, 0.625, 0.75, 0.78, 0.6, 1.0 / 1.3, 1.0 / 1.82] {
        let width = sampler.width_of_inverse(inverse).unwrap();
        let rational = Rational::try_from(inverse).unwrap();
        let exact = (rational.num() as u128) << 64;
        assert_eq!(u128::from(width.inverse) * u128::from(rational.den()), exact, "{inverse}");
        assert_eq!(u128::from(width.scale), (u128::from(width.inverse) * u128::from(sampler.sigma_min)) >> 62);
    }
    assert_eq!(sampler.width_of_inverse(0.625), sampler.width(Rational::new(8, 5).unwrap()).ok());
    let most = 2000.0_f64 / 3641.0;
    for refused in [
        0.0,
        -0.625,
        0.5,
        0.549,
        0.7826,
        0.79,
        1.0,
        1.25,
        f64::NAN,
        f64::INFINITY,
        f64::MIN_POSITIVE,
        most.next_down(),
        (1.0 / 1.2778336969128337_f64).next_up().next_up(),
    ] {
        assert_eq!(sampler.width_of_inverse(refused), None, "{refused}");
    }
    assert!(sampler.width_of_inverse(most.next_up()).is_some());
    assert!(sampler.width_of_inverse((1.0 / 1.2778336969128337_f64).next_down()).is_some());
}

/// Any sizes of calls in between: a store is not a function of its calls' widths, and the first group is read at once.
#[test]
fn a_store_draws_when_it_is_asked() {
    let (center, width) = calls()[9];
    let mut store = ProposalStore::new(Borders::new(1, (center, width)));
    assert_eq!(store.bits().read, [0, 0]);
    store.round(center, width);
    assert_eq!(store.bits().read[0], 256);
    let text = std::format!("{store:?}");
    assert_eq!(text, "ProposalStore { .. }");
}

/// Not the integers of `round`, nor of a batch.
#[test]
fn streams_differ() {
    let (center, width) = calls()[11];
    let mut store = ProposalStore::new(reader(7));
    let stored: Vec<i64> = (0..50).map(|_| store.round(center, width)).collect();
    let (mut single, mut batch) = ([0; 50], [0; 50]);
    SamplerZ::FALCON_512.round_all(&[(center, width); 50], &mut reader(7), &mut single);
    SamplerZ::FALCON_512.round_batch(&[(center, width); 50], &mut reader(7), &mut batch);
    assert!(stored != single && stored != batch);
}
