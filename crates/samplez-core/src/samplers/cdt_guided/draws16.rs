//! Many samples by draws of 16 bits.

use super::look_up::{BLOCK, LookUp};
use super::output::{copy, put};
use super::{CdtGuided, Lookup};
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
        if let Lookup::Ladder(ladder) = &self.by
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::reader;
    use crate::samplers::cdt_guided::tests::laws;

    /// The sample, the bits that it takes, and when it is left to others.
    #[test]
    fn what_is_open_is_searched_in_the_word() {
        let (mut bits, mut seen) = (reader(1), [0; 3]);
        for law in laws().into_iter().filter(|law| law.lead_bits + law.sign() == 16 && !law.is_lead_forced) {
            let sampler = law.sampler();
            if !sampler.table().is_narrow() {
                continue;
            }
            let (head_bits, of) = ((32 - law.sign()).min(law.precision), |t: u128, n| t >> (law.precision - n));
            for i in 0..400 {
                let (u, negative) = (law.choose(i, &mut bits), u128::from(bits.bit()));
                let (lead, more) = (of(u, law.lead_bits), of(u, head_bits));
                let more_bits = head_bits - law.lead_bits;
                let draw = lead << law.sign() | if law.sign() == 1 { negative } else { 0 };
                let word = draw | (more & ((1 << more_bits) - 1)) << 16 | u128::from(bits.bits(64)) << (16 + more_bits);
                let is = |n, among: &u128| of(*among, n) == of(u, n);
                let count = |n| law.thresholds.iter().filter(|t| is(n, t)).count();
                // A lead of 0 is that of no threshold too, where a cell has none.
                let held = count(law.guide_bits);
                let wanted = if held < 2 && count(law.lead_bits) == 0 && (held == 1 || lead != 0) {
                    None
                } else if count(law.lead_bits) == 0 {
                    Some((law.index(u), 16))
                } else if count(head_bits) == 0 {
                    Some((law.index(u), 16 + more_bits))
                } else {
                    None
                };
                assert_eq!(sampler.search_ahead(word as u64), wanted, "{law:?}: {u:x}");
                seen[wanted.map_or(0, |(_, used)| if used == 16 { 1 } else { 2 })] += 1;
            }
        }
        assert!(seen.iter().all(|seen| *seen > 100), "{seen:?}");
    }

    #[test]
    fn the_next_that_is_open() {
        let mut bits = reader(2);
        let lanes = BLOCK * BLOCKS;
        for i in 0..40 {
            let open: [u64; BLOCKS] =
                core::array::from_fn(|_| if i == 0 { 0 } else { bits.bits(64) & bits.bits(64) & bits.bits(64) });
            let open = open.map(|flags| if flags % 3 == 0 { flags & 1 << (flags / 3 % 64) } else { flags });
            for at in 0..lanes {
                let next = (at..lanes).find(|lane| open[lane / 64] >> (lane % 64) & 1 != 0);
                assert_eq!(next_open(&open, at), next.unwrap_or(lanes));
            }
        }
    }
}
