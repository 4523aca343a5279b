//! Many samples by draws of 16 bits.

use super::look_up::{BLOCK, LookUp};
use super::output::{copy, put};
use super::{By, CdtGuided};
use crate::arch::Backend;
use crate::bits::BitSource;
use crate::sampler::{Int, Sampler};
use crate::samplers::common::feed::{Feed, WORDS};
use zeroize::Zeroize;

/// Blocks of draws in a chunk.
const BLOCKS: usize = 4 * WORDS / BLOCK;

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> CdtGuided<S, G> {
    /// What [`sample`](Sampler::sample) does with an open draw of 16 bits at the head of `word`: the
    /// index, and the bits used; unless the table's first digits do not decide, or the guide does.
    #[inline(always)]
    fn search_ahead(&self, word: u64) -> Option<(usize, u32)> {
        let table = self.table.table();
        let (heads, lead_bits, head_bits) = (table.heads(), self.table.lead_bits(), table.head_bits());
        let lead = u32::from(word as u16 >> (16 - lead_bits));
        let mut index = self.table.look_up(lead).err()?;
        let head = |index: usize| heads.get(index).copied().unwrap_or(0);
        // The lead with all further bits set.
        let highest = lead << (32 - lead_bits) | u32::MAX >> lead_bits;
        while head(index) > highest {
            index += 1;
        }
        if heads.get(index).is_none_or(|head| (head ^ highest) >> (32 - lead_bits) != 0) {
            return Some((index, 16));
        }
        let unknown = ((1_u64 << (32 - head_bits)) - 1) as u32;
        let more = (word >> 16) as u32 & ((1 << (head_bits - lead_bits)) - 1);
        let u0 = lead << (32 - lead_bits) | more << (32 - head_bits) | unknown;
        index += usize::from(head(index) > u0);
        while head(index) > u0 {
            index += 1;
        }
        (heads.get(index).is_none_or(|head| head | unknown != u0)).then_some((index, 16 + head_bits - lead_bits))
    }

    /// `fill` for draws of 16 bits, and values that fit T. All words of a chunk are looked up as if
    /// each were a draw, then passed in order: a draw that is open is sampled from its bits on, and
    /// the words that this uses up are no draws.
    pub(super) fn fill_by_16<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        let first = self.table.table().first();
        let mut feed = Feed::new(bits);
        let (mut values, mut open) = ([[0; BLOCK]; BLOCKS + 1], [0; BLOCKS]);
        let mut dirty = 0;
        let mut rest = out;
        // A sample uses 16 bits or more.
        while rest.len() >= 4 {
            let words = (rest.len() / 4).min(WORDS);
            let (lanes, blocks) = (4 * words, words.div_ceil(BLOCK / 4));
            dirty = dirty.max(blocks);
            self.look_up(feed.load(words), &mut values[..blocks], &mut open);
            let mut at = 0;
            while at < lanes {
                let next = next_open(&open, at).min(lanes);
                copy(&values.as_flattened()[at..], next - at, &mut rest, first);
                feed.skip(16 * (next - at));
                at = next;
                if at < lanes {
                    let word = feed.peek();
                    match self.search_ahead(word) {
                        Some((index, used)) if used as usize <= feed.ahead() => {
                            put(self.value(index, word as u32), &mut rest);
                            feed.skip(used as usize);
                        }
                        _ => put(self.sample(&mut feed), &mut rest),
                    }
                    at = feed.position().div_ceil(16);
                }
                if !feed.position().is_multiple_of(16) {
                    // All bits of u were needed: what is left does not begin with a lane.
                    while feed.ahead() > 0 {
                        put(self.sample(&mut feed), &mut rest);
                    }
                    at = lanes;
                }
            }
        }
        values[..dirty].as_flattened_mut().zeroize();
        open[..dirty].zeroize();
        for slot in rest {
            *slot = T::wrapping(self.sample(&mut feed));
        }
    }

    /// Every draw of these words, by the fastest way that the machine has.
    #[inline]
    fn look_up(&self, words: &[u64], values: &mut [[i16; BLOCK]], open: &mut [u64]) {
        let (backend, (blocks, _)) = (Backend::current(), words.as_chunks());
        let blocks = &blocks[..values.len()];
        if let By::Ladder(ladder) = &self.by
            && ladder.look_up(backend, blocks, values, open)
        {
            return;
        }
        let (guide, guide_bits, folded) = (self.table.guide(), self.table.guide_bits(), self.folded());
        backend.run(LookUp { guide, guide_bits, folded, blocks, values, open });
    }
}

/// The first lane from `at` on that is open, or one past the last.
#[inline(always)]
fn next_open(open: &[u64; BLOCKS], at: usize) -> usize {
    let mut block = at / BLOCK;
    let mut flags = open[block] >> (at % BLOCK) << (at % BLOCK);
    while flags == 0 {
        block += 1;
        match open.get(block) {
            Some(next) => flags = *next,
            None => return BLOCK * BLOCKS,
        }
    }
    BLOCK * block + flags.trailing_zeros() as usize
}
