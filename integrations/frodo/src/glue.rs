//! FrodoKEM's noise by samplez, in constant time: the same integers from the same words of SHAKE.

use frodo_kem::hazmat::{Params, Sample};
use samplez_core::samplers::CdtCt;
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, Rational, Sampler, bits::BitSource};
use std::marker::PhantomData;
use zeroize::Zeroizing;

/// The noise of these parameters.
#[derive(Clone, Copy, Default)]
pub struct Noise<P>(PhantomData<P>);

impl<P: Params> Sample for Noise<P> {
    fn sample(&self, words: &mut [u16]) {
        // Of 2^15 draws u, those below T_j = 32767 - CDF_TABLE[j-1] have a magnitude of at least j. Left-aligned.
        let entries = P::CDF_TABLE.split_last().expect("the last entry covers all draws").1;
        let digits: Vec<u32> = entries.iter().map(|entry| u32::from(32767 - entry) << 17).collect();
        // The bound is not used: the sampler's distribution is the table's, for every target.
        let target = DiscreteGaussian::with_sigma(Rational::from(1)).expect("a width");
        let table = CdtTable::new(target, Bound::TRIVIAL, Shape::Folded, 0, 15, &digits[..]).expect("falling entries");
        let mut out = Zeroizing::new(vec![0_i16; words.len()]);
        let mut bits = Words { words, next: 0, buffer: 0, filled: 0 };
        CdtCt::from_table(table).expect("few entries").fill(&mut bits, &mut out).expect("at most 12");
        words.iter_mut().zip(&*out).for_each(|(word, x)| *word = x.cast_unsigned());
    }
}

/// The bits of FrodoKEM's words in the sampler's order: 15 bits of u = 32767 - word/2, then the sign.
struct Words<'a> {
    words: &'a [u16],
    next: usize,
    buffer: u128,
    filled: u32,
}

fn record(word: u16) -> u16 {
    word.rotate_right(1) ^ 0x7fff
}

impl BitSource for Words<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        while self.filled < n {
            self.buffer |= u128::from(record(self.words[self.next])) << self.filled;
            (self.next, self.filled) = (self.next + 1, self.filled + 16);
        }
        let bits = self.buffer as u64 & (u64::MAX >> (64 - n));
        (self.buffer, self.filled) = (self.buffer >> n, self.filled - n);
        bits
    }

    fn words(&mut self, out: &mut [u64]) {
        if self.filled > 0 {
            return out.iter_mut().for_each(|word| *word = self.bits(64));
        }
        let taken = &self.words[self.next..][..4 * out.len()];
        for (word, four) in out.iter_mut().zip(taken.chunks_exact(4)) {
            *word = four.iter().rev().fold(0, |word, x| word << 16 | u64::from(record(*x)));
        }
        self.next += taken.len();
    }
}
