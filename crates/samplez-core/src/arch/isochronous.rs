//! Rejection by strips: one word is a trial, which chooses a strip, a place in it, and whether that is accepted.
//!
//! The leading 16 bits of a word are inverted by a table of weights. The distance of the word from its strip's lower
//! end is the uniform number that is compared with the height of the law there.

mod call_lanes;
mod calls;
mod lanes;
mod look;
mod trial;

pub(crate) use calls::{Call, CallTrials, Compaction, ROUND, Round, Search};
pub(crate) use look::{Accepted, Look, Looks, OPEN_CELLS, ROW, Slots};
pub(crate) use trial::{BLOCK, Envelope, KEYS, MAX_SHIFT, Strips, Trial, Trials};

use super::Backend;
use super::vector::{Machine, Vector, VectorKernel, WordVector};

impl VectorKernel for Trials<'_> {
    const WORDS: bool = true;
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        if M::IS_VECTOR { lanes::run::<M::Words>(self) } else { self.one_by_one() }
    }
}

impl Trials<'_> {
    /// Fills `values`, `below` and `close`, by the fastest way that the backend has.
    #[inline]
    pub(crate) fn run(self, backend: Backend) {
        backend.run_in_vectors(self);
    }

    /// By the definition: this is the specification.
    #[inline(always)]
    fn one_by_one(self) {
        let Trials { strips, words, lows, values, below, close } = self;
        let strips = *strips;
        let masks = below.iter_mut().zip(close);
        for (b, ((words, values), (below, close))) in words.iter().zip(values).zip(masks).enumerate() {
            let lows = lows.get(b).unwrap_or(words);
            let (mut is_below, mut is_close) = ([0_u32; BLOCK], [0_u32; BLOCK]);
            for i in 0..BLOCK {
                let trial = strips.trial(words[i], lows[i]);
                values[i] = trial.value;
                let (below, close) = trial.verdict();
                (is_below[i], is_close[i]) = (u32::from(below & !close), close.into());
            }
            let mask = |bits: [u32; BLOCK]| bits.iter().rev().fold(0, |mask, bit| mask << 1 | bit);
            (*below, *close) = (mask(is_below), mask(is_close));
        }
    }
}

impl VectorKernel for CallTrials<'_> {
    const WORDS: bool = true;
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        if M::IS_VECTOR && M::Words::CALLS { call_lanes::run::<M::Words, 4>(self) } else { self.one_by_one() }
    }
}

impl CallTrials<'_> {
    /// Fills `values`, `below` and `close`, by the fastest way that the backend has.
    #[inline]
    pub(crate) fn run(self, backend: Backend) {
        backend.run_in_vectors(self);
    }
}

/// [`Round::run`], with bits beside the words or without. Two pointers, which travel in registers.
struct First<'a, 'b, const LOWS: bool>(&'b Round<'a>, &'b mut [u64; ROUND]);

impl<const LOWS: bool> VectorKernel for First<'_, '_, LOWS> {
    const WORDS: bool = true;
    type Output = (u32, u32);

    #[inline(always)]
    fn run<M: Machine>(self) -> (u32, u32) {
        const { assert!(M::Words::WORDS == ROUND) };
        let First(&Round { envelope, search, call, words, lows }, values) = self;
        let words = M::Words::load_halves(words);
        let (all, place) = if LOWS {
            call_lanes::first(search, envelope.shift, call, words, M::Words::load_narrow(lows))
        } else {
            // None of the low bits is used.
            call_lanes::first(search, 0, call, words, words)
        };
        all.store(values);
        place
    }
}

impl Round<'_> {
    /// Fills in the values of all trials, if the backend has registers for them. On other backends one trial after the other
    /// is faster. Returns two masks: the first trial that is accepted or close, or none, and the same trial if it is close.
    #[inline(always)]
    pub(crate) fn run(&self, backend: Backend, values: &mut [u64; ROUND]) -> Option<(u32, u32)> {
        // A register of AVX2 has the round. One kernel for both would do the low bits' work where there are none.
        if self.envelope.shift == 0 {
            backend.run_in_avx2(First::<false>(self, values))
        } else {
            backend.run_in_avx2(First::<true>(self, values))
        }
    }
}

impl VectorKernel for Compaction<'_> {
    const WORDS: bool = true;
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self) -> usize {
        if !M::IS_VECTOR || !M::Words::CALLS {
            return self.one_by_one();
        }
        let mut arrays = self.arrays.map(<[_]>::as_flattened_mut);
        let (mut made, mut at) = (0, 0);
        for kept in self.kept {
            for first in (0..BLOCK).step_by(M::Words::WORDS) {
                let mask = (kept >> first & ((1 << M::Words::WORDS) - 1)) as u8;
                for array in &mut arrays {
                    // Words that are written over have been read before: made <= at.
                    M::Words::load(&array[at..]).compress(mask).store(&mut array[made..]);
                }
                made += mask.count_ones() as usize;
                at += M::Words::WORDS;
            }
        }
        made
    }
}

impl Compaction<'_> {
    /// Moves them; how many there are.
    #[inline]
    pub(crate) fn run(self, backend: Backend) -> usize {
        backend.run_in_vectors(self)
    }
}
