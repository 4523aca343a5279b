//! Samples by direct cells.

use super::CdtGuided;
use super::decode::{BLOCK, Decode, Found, Parts};
use super::output::{copy, put};
use crate::arch::Backend;
use crate::arch::cdt_guided::Decoded;
use crate::bits::BitSource;
use crate::sampler::Int;
use crate::samplers::common::feed::{Feed, WORDS};
use crate::table::Direct;
use bytemuck::cast_slice_mut;
use zeroize::Zeroize;

/// Blocks of a chunk with lanes that were left, and one more.
const BLOCKS: usize = 4 * WORDS / BLOCK + 2;

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> CdtGuided<S, G> {
    #[inline(always)]
    fn parts(&self, direct: &Direct) -> Parts<'_> {
        let (cells, heads) = direct.parts(self.table.guide(), self.table.table().len());
        Parts { cells, heads }
    }

    /// One sample.
    #[inline(always)]
    pub(super) fn sample_direct<B: BitSource + ?Sized>(&self, direct: &Direct, bits: &mut B) -> i64 {
        let draw = bits.bits(16) as u32;
        let index = match self.parts(direct).cells[0].index(draw >> u32::from(self.folded())) {
            Some(index) => index,
            None => self.deeper(direct, bits),
        };
        self.value(index, draw)
    }

    /// The index behind an open first draw.
    #[inline(never)]
    fn deeper<B: BitSource + ?Sized>(&self, direct: &Direct, bits: &mut B) -> usize {
        let second = bits.bits(16);
        let mut third = 0;
        let found = self.parts(direct).find(second as u16, || {
            third = bits.bits(32) as u32;
            third
        });
        match found {
            Found::Second(index) | Found::Third(index) => index,
            Found::Tie(index) => self.settle(direct, index, third, bits),
        }
    }

    /// The index of the last draw, whose first 32 bits are `third`: it is `index` or greater.
    #[cold]
    #[inline(never)]
    fn settle<B: BitSource + ?Sized>(&self, direct: &Direct, mut index: usize, third: u32, bits: &mut B) -> usize {
        let (table, mut draw) = (self.table.table(), [0; 5]);
        let cells = self.parts(direct).cells;
        draw[1] = u64::from(third) << 32;
        for piece in 2..2 + direct.more_pieces() as usize {
            draw[1 + piece / 4] |= bits.bits(16) << (48 - piece % 4 * 16);
        }
        while index < table.len() && direct.rest(table, cells, index + 1) > draw {
            index += 1;
        }
        draw.zeroize();
        index
    }

    /// `fill`, of values that fit T.
    pub(super) fn fill_direct<T: Int, B: BitSource + ?Sized>(&self, direct: &Direct, bits: &mut B, out: &mut [T]) {
        // To clear and erase the buffer is much of a short fill.
        if out.len() <= BLOCK - 4 {
            self.fill_by_blocks::<T, B, 4>(direct, bits, out);
        } else {
            self.fill_by_blocks::<T, B, { 2 * BLOCKS }>(direct, bits, out);
        }
    }

    /// Chunks are decoded up to a sample that ends behind the chunk, or ties; this is sampled from its bits on.
    #[inline(always)]
    fn fill_by_blocks<T: Int, B: BitSource + ?Sized, const N: usize>(
        &self,
        direct: &Direct,
        bits: &mut B,
        out: &mut [T],
    ) {
        let (first, parts, backend) = (self.table.table().first(), self.parts(direct), Backend::current());
        let mut feed = Feed::new(bits);
        let (mut buffer, mut dirty) = ([[0_u64; BLOCK / 4]; N], 0);
        let mut rest = out;
        // A sample uses 16 bits or more.
        while feed.read(rest.len().saturating_mul(16)) {
            while let Some((bytes, len)) = feed.bytes() {
                let (looked_up, values) = cast_slice_mut(buffer.as_flattened_mut()).split_at_mut(N / 2 * BLOCK);
                dirty = dirty.max(len.div_ceil(2 * BLOCK));
                let Decoded { used, made } = backend.run(Decode { parts, bytes, lanes: len / 2, looked_up, values });
                copy(values, made, &mut rest, first);
                feed.skip(16 * used);
                // What is left ends behind the chunk, or ties.
                if feed.ahead() < 64 {
                    break;
                }
                put(self.sample_direct(direct, &mut feed), &mut rest);
            }
            while feed.ahead() >= 64 {
                put(self.sample_direct(direct, &mut feed), &mut rest);
            }
        }
        buffer[..dirty].as_flattened_mut().zeroize();
        buffer[N / 2..][..dirty + 1].as_flattened_mut().zeroize();
        for slot in rest {
            *slot = T::wrapping(self.sample_direct(direct, &mut feed));
        }
    }
}

#[cfg(test)]
mod tests;
