//! A source of proposals at the borders of a call, and the stores' own behaviour.

use super::*;
use crate::bits::{BitReader, SplitMix64};
use crate::fixtures::reader;
use crate::params::Rational;
use crate::samplers::{SamplerZ, SmallWidth, StripRounder};
use std::vec;
use std::vec::Vec;

/// Words of proposals for one call, by `make`. The bits of close decisions come from a generator of their own, so that words are the same in any
/// order of the two.
pub(in super::super::super) struct Borders<M> {
    make: M,
    /// Whether a proposal has two whole words.
    is_paired: bool,
    words: BitReader<SplitMix64>,
    more: BitReader<SplitMix64>,
    /// The second parts of proposals whose first parts were read.
    seconds: Vec<u64>,
    /// How many proposals were drawn.
    pub(in super::super::super) drawn: usize,
    /// The bits of close decisions.
    pub(in super::super::super) settled: Vec<u64>,
    pub(in super::super::super) outcomes: Vec<u32>,
}

impl<M: FnMut(&mut BitReader<SplitMix64>) -> [u64; 2]> Borders<M> {
    pub(in super::super::super) fn new(seed: u8, is_paired: bool, make: M) -> Self {
        let (words, more) = (reader(seed), reader(seed ^ 0x80));
        Borders { make, is_paired, words, more, seconds: vec![], drawn: 0, settled: vec![], outcomes: vec![] }
    }

    /// The next proposal, for full trials.
    pub(in super::super::super) fn proposal(&mut self) -> [u64; 2] {
        self.drawn += 1;
        (self.make)(&mut self.words)
    }
}

impl<M: FnMut(&mut BitReader<SplitMix64>) -> [u64; 2]> BitSource for Borders<M> {
    fn bits(&mut self, n: u32) -> u64 {
        if n == 32 {
            return self.seconds.remove(0);
        }
        let bits = self.more.bits(n);
        self.settled.push(bits);
        bits
    }

    fn words(&mut self, out: &mut [u64]) {
        assert_eq!(out.len(), STORE);
        if self.is_paired && !self.seconds.is_empty() {
            out.copy_from_slice(&core::mem::take(&mut self.seconds));
            return;
        }
        let proposals: Vec<[u64; 2]> = out.iter().map(|_| self.proposal()).collect();
        self.seconds = proposals.iter().map(|[_, second]| *second).collect();
        out.iter_mut().zip(&proposals).for_each(|(out, [first, _])| *out = *first);
    }

    fn declassify(&mut self, outcome: u32) -> u32 {
        self.outcomes.push(outcome);
        outcome
    }
}

/// A store's decisions, on every backend, against full trials one after the other. `full` is z of a trial of these words, less the centre's, if
/// it accepts. Returns how many decisions took more bits.
pub(in super::super::super) fn compare<R: Propose + Clone, M: FnMut(&mut BitReader<SplitMix64>) -> [u64; 2]>(
    rounder: &R,
    source: impl Fn() -> Borders<M>,
    mut round: impl FnMut(&mut ProposalStore<R, Borders<M>>) -> i64,
    mut full: impl FnMut([u64; 2], &mut Borders<M>) -> Option<i64>,
) -> usize {
    let mut settled = 0;
    for backend in Backend::available() {
        let mut store = ProposalStore::on(backend, rounder.clone(), source());
        let mut reference = source();
        for i in 0..2000 {
            let sample = (0..).find_map(|_| {
                let words = reference.proposal();
                full(words, &mut reference)
            });
            assert_eq!(Some(round(&mut store)), sample, "call {i}, {backend}");
        }
        let source = store.bits();
        assert_eq!(source.settled, reference.settled);
        // A call draws when it finds fewer than four.
        let (drawn, trials) = (source.drawn, reference.drawn);
        assert!(drawn % STORE == 0 && (trials..trials + STORE + 3).contains(&drawn), "{drawn} of {trials}");
        settled += reference.settled.len();
    }
    settled
}

fn call() -> (FixedPoint, SmallWidth) {
    let width = SamplerZ::FALCON_512.width(Rational::new(3, 2).unwrap()).unwrap();
    (FixedPoint::from_parts(7, u64::MAX / 3).unwrap(), width)
}

/// A source that panics at one of its reads, before it reads.
struct Panics(BitReader<SplitMix64>, usize);

impl Panics {
    fn next(&mut self) -> &mut BitReader<SplitMix64> {
        self.1 = self.1.wrapping_sub(1);
        assert!(self.1 != 0, "on purpose");
        &mut self.0
    }
}

impl BitSource for Panics {
    fn bits(&mut self, n: u32) -> u64 {
        self.next().bits(n)
    }

    fn words(&mut self, out: &mut [u64]) {
        self.next().words(out);
    }
}

/// The second draw of proposals panics at this read of the source. Whether it is the draw's first.
fn panic_at<R: Propose + Clone>(
    rounder: &R,
    read: usize,
    is_first: bool,
    round: impl Fn(&mut ProposalStore<R, Panics>) -> i64,
) {
    // So many reads are never reached.
    let [mut store, mut sound] =
        [read, usize::MAX].map(|read| ProposalStore::new(rounder.clone(), Panics(reader(5), read)));
    let (mut panics, mut samples, mut all) = (0, vec![], vec![]);
    for _ in 0..400 {
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| round(&mut store))) {
            Ok(sample) => samples.push(sample),
            Err(_) => panics += 1,
        }
        all.push(round(&mut sound));
    }
    assert_eq!(panics, 1);
    if is_first {
        assert_eq!(samples[..], all[..399]);
    } else {
        // The panic loses the words that were read before it. The store uses each word of the first draw once.
        let same = samples.iter().zip(&all).take_while(|(a, b)| a == b).count();
        assert!((30..120).contains(&same), "{same}");
    }
}

/// Of a `SamplerZ` at the first words or at the second; of strips at the words, or at the first or the last of the 32 bits for each.
#[test]
fn a_panic_of_the_source_repeats_nothing() {
    let (center, width) = call();
    for (read, is_first) in [(3, true), (4, false)] {
        panic_at(&SamplerZ::FALCON_512, read, is_first, |store| store.round(center, width));
    }
    let rounder = StripRounder::new(Rational::from(25), Rational::from(40)).unwrap();
    assert!(rounder.shift() > 0);
    let width = rounder.width(Rational::from(30)).unwrap();
    for (read, is_first) in [(STORE + 2, true), (STORE + 3, false), (2 * STORE + 2, false)] {
        panic_at(&rounder, read, is_first, |store| store.round(center, width));
    }
}

/// No proposal outlives a fault, a reseed or another source.
#[test]
fn to_ask_the_source_drops_the_proposals() {
    let (center, width) = call();
    let mut store = ProposalStore::new(SamplerZ::FALCON_512, reader(5));
    store.round(center, width);
    assert!(store.proposals.arrays().iter().all(|array| array.iter().any(|word| *word != 0)));
    *store.bits() = reader(6);
    assert!(store.proposals.arrays().iter().all(|array| array.iter().all(|word| *word == 0)));
    let mut other = ProposalStore::new(SamplerZ::FALCON_512, reader(6));
    for _ in 0..200 {
        assert_eq!(store.round(center, width), other.round(center, width));
    }
}

#[test]
fn a_store_draws_when_it_is_asked() {
    let (center, width) = call();
    let source = || Borders::new(1, true, |words| core::array::from_fn(|_| words.bits(64)));
    let mut store = ProposalStore::new(SamplerZ::FALCON_512, source());
    assert_eq!(store.bits().drawn, 0);
    store.round(center, width);
    assert_eq!(store.bits().drawn, STORE);
    assert_eq!(std::format!("{store:?}"), "ProposalStore { .. }");
}
