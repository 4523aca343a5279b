//! Direct cells, looked up many at once.

use crate::arch::Kernel;
use crate::arch::cdt_guided::Decoded;
use crate::table::Cells;
use core::hint::black_box;

/// Lanes of 16 bits in a block.
pub(super) const BLOCK: usize = 64;
const WORDS: usize = BLOCK / 4;
/// The most blocks.
const MAX_BLOCKS: usize = crate::samplers::common::feed::WORDS / WORDS + 1;

/// What the second and the third draw decide.
pub(super) enum Found {
    /// The index, by the second draw.
    Second(usize),
    /// The index, by both.
    Third(usize),
    /// An index that is not above that of the sample: the third draw begins as the head of a greater one.
    Tie(usize),
}

/// Direct cells and heads.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) cells: [Cells<'a>; 2],
    pub(super) heads: &'a [u32],
}

impl Parts<'_> {
    /// What the draws behind an open first one decide.
    #[inline(always)]
    pub(super) fn find(self, second: u16, third: impl FnOnce() -> u32) -> Found {
        let [_, cells] = self.cells;
        if let Some(index) = cells.index(u32::from(second) >> (16 - cells.bits())) {
            return Found::Second(index);
        }
        let draw = third() >> 1;
        let (mut index, mut len) = (0, self.heads.len());
        // The least index whose head is not above the draw is in index..=index + len.
        while len > 0 {
            let half = len.div_ceil(2);
            let is_above = self.heads.get(index + half - 1).is_some_and(|head| *head > draw);
            index += if is_above { half } else { 0 };
            len -= half;
        }
        if self.heads.get(index) == Some(&draw) { Found::Tie(index) } else { Found::Third(index) }
    }
}

/// Writes the values of the samples that begin in the first `lanes` lanes, up to the first that ends behind them or ties: the index,
/// negative if the table is folded and the first draw's lowest bit is 1.
///
/// There are bytes of whole blocks, and of four lanes from each on, and values of one block more. Those behind the values made may be overwritten.
pub(super) struct Decode<'a> {
    pub(super) parts: Parts<'a>,
    pub(super) bytes: &'a [u8],
    pub(super) lanes: usize,
    /// As many as there are values.
    pub(super) looked_up: &'a mut [i16],
    pub(super) values: &'a mut [i16],
}

impl Kernel for Decode<'_> {
    type Output = Decoded;

    #[inline(always)]
    fn run(self) -> Decoded {
        let cells = self.parts.cells[0].cells();
        if let Ok(cells) = <&[u16; 1 << 15]>::try_from(cells) {
            self.decode::<{ 1 << 15 }, 1>(cells)
        } else if let Ok(cells) = <&[u16; 1 << 16]>::try_from(cells) {
            self.decode::<{ 1 << 16 }, 0>(cells)
        } else {
            Decoded { used: 0, made: 0 }
        }
    }
}

impl Decode<'_> {
    /// Every lane is looked up as if it were a first draw. Then runs of decided lanes are copied, and what follows each is found.
    #[inline(always)]
    fn decode<const LEN: usize, const SIGN: u16>(self, cells: &[u16; LEN]) -> Decoded {
        let count = self.lanes.div_ceil(BLOCK);
        let (words, _) = self.bytes.as_chunks::<8>();
        let (blocks, _) = words.as_chunks::<WORDS>();
        let blocks = &blocks[..count];
        let (values, _) = self.looked_up.as_chunks_mut::<BLOCK>();
        for (values, word) in values.as_flattened_mut().as_chunks_mut::<4>().0.iter_mut().zip(blocks.as_flattened()) {
            // The compiler would make vectors of this, lane by lane.
            let word = black_box(u64::from_le_bytes(*word));
            let cell = |lane: u32| cells[(word >> (16 * lane)) as u16 as usize >> SIGN ^ Cells::FLIP] as i16;
            *values = [cell(0), cell(1), cell(2), cell(3)];
        }
        // The first draw that is open.
        let end = (self.parts.cells[0].decided() << SIGN) as u16;
        let mut open = [0_u64; MAX_BLOCKS];
        for ((words, values), open) in blocks.iter().zip(values).zip(&mut open) {
            let draws = lanes(words);
            let mut flags = [0_u8; BLOCK];
            for ((value, flag), draw) in values.iter_mut().zip(&mut flags).zip(draws) {
                *flag = u8::from(draw >= end);
                *value = signed::<SIGN>(*value, draw);
            }
            *open = mask(&flags);
        }
        // The next lane of a sample, counted from the block's first.
        let (mut at, mut made) = (0, 0);
        for block in 0..self.lanes.div_ceil(BLOCK) {
            let base = BLOCK * block;
            let last = BLOCK.min(self.lanes - base);
            let mut flags = open[block];
            while at < last {
                flags = flags >> at << at;
                let next = (flags.trailing_zeros() as usize).min(last);
                // A whole block, whose end is written again later.
                let (Some(slots), Some(run)) = (
                    self.values[made..].first_chunk_mut::<BLOCK>(),
                    self.looked_up[base + at..].first_chunk::<BLOCK>(),
                ) else {
                    return Decoded { used: base + at, made };
                };
                *slots = *run;
                (made, at) = (made + next - at, next);
                if at < last {
                    let lane = base + at;
                    let (word, stop) = (peek(self.bytes, lane), Decoded { used: lane, made });
                    let (index, lanes) = match self.parts.find((word >> 16) as u16, || (word >> 32) as u32) {
                        Found::Second(index) => (index, 2),
                        Found::Third(index) => (index, 4),
                        Found::Tie(_) => return stop,
                    };
                    if lane + lanes > self.lanes {
                        return stop;
                    }
                    self.values[made] = signed::<SIGN>(index as i16, word as u16);
                    (made, at) = (made + 1, at + lanes);
                }
            }
            at = at.saturating_sub(BLOCK);
        }
        Decoded { used: self.lanes, made }
    }
}

/// 64 bits from this lane on.
#[inline(always)]
fn peek(bytes: &[u8], lane: usize) -> u64 {
    u64::from_le_bytes(core::array::from_fn(|i| bytes[2 * lane..2 * lane + 8][i]))
}

#[inline(always)]
fn signed<const SIGN: u16>(index: i16, draw: u16) -> i16 {
    let negative = (draw & SIGN) as i16;
    (index ^ -negative).wrapping_add(negative)
}

/// The lanes of these words.
#[inline(always)]
fn lanes(words: &[[u8; 8]; WORDS]) -> [u16; BLOCK] {
    let (mut lanes, (pairs, _)) = ([0; BLOCK], words.as_flattened().as_chunks::<2>());
    for (lane, pair) in lanes.iter_mut().zip(pairs) {
        *lane = u16::from_le_bytes(*pair);
    }
    lanes
}

/// Flags of 0 and 1 as bits.
#[inline(always)]
fn mask(flags: &[u8; BLOCK]) -> u64 {
    let (eights, _) = flags.as_chunks::<8>();
    eights.iter().rev().fold(0, |mask, eight| {
        // Bit 8i moves to bit 56 + i; no two of the products' terms meet.
        mask << 8 | u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}
