//! Draws of 16 bits, looked up in a guide many at once.

use crate::arch::Kernel;
use crate::table::SHARED;

/// Draws in a block.
pub(crate) const BLOCK: usize = 64;
/// The words of a block; the first draw is in the lowest bits of the first word.
pub(crate) type Words = [u64; BLOCK / 4];
/// What comes of a block's draws.
pub(crate) type Values = [i16; BLOCK];

/// For each draw of each block what it decides: its index, negative if the table is folded and the
/// draw's lowest bit is 1; and a word for each block, in which the bit of a draw is set if it may
/// not have decided (its value means nothing then).
///
/// The guide is a [`GuidedTable`](crate::table::GuidedTable)'s for draws of 16 bits, of g bits.
/// There are as many `values` and `open` as there are blocks.
pub(crate) struct LookUp<'a> {
    pub(crate) guide: &'a [u32],
    pub(crate) guide_bits: u32,
    pub(crate) folded: bool,
    pub(crate) blocks: &'a [Words],
    pub(crate) values: &'a mut [Values],
    pub(crate) open: &'a mut [u64],
}

impl Kernel for LookUp<'_> {
    type Output = ();

    /// Step by step over a block, so that all but the look-up itself becomes vector code.
    #[inline(always)]
    fn run(self) {
        let sign = u16::from(self.folded);
        for ((words, values), open) in self.blocks.iter().zip(self.values).zip(self.open) {
            let draws = draws(words);
            let cells = draws.map(|draw| draw >> (16 - self.guide_bits));
            let mut entries = [0_u32; BLOCK];
            for (entry, cell) in entries.iter_mut().zip(cells) {
                *entry = self.guide.get(usize::from(cell)).copied().unwrap_or(0);
            }
            let mut flags = [0_u8; BLOCK];
            for (((value, flag), draw), entry) in values.iter_mut().zip(&mut flags).zip(draws).zip(entries) {
                let (lead, first, above) = (draw >> sign, (entry >> 16) as u16, entry as u16);
                *flag = u8::from((lead == first) | (above & SHARED != 0));
                let index = (above + u16::from(lead < first)) as i16;
                let negative = (draw & sign) as i16;
                *value = (index ^ -negative).wrapping_add(negative);
            }
            *open = mask(&flags);
        }
    }
}

/// The draws of a block.
#[inline(always)]
fn draws(words: &Words) -> [u16; BLOCK] {
    let mut draws = [0; BLOCK];
    for (draws, word) in draws.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        let [a, b, c, d, e, f, g, h] = word.to_le_bytes();
        *draws = [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes);
    }
    draws
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Backend;

    /// All draws there are, on every backend, against the definition.
    #[test]
    fn every_backend_looks_up_the_same() {
        // A guide of 9 bits: cells without a threshold, with one, with several, and index 0 to 32767.
        for folded in [true, false] {
            let lead_bits = 16 - u32::from(folded);
            let guide = core::array::from_fn::<u32, 512, _>(|cell| {
                let above = (511 - cell as u32) * 64;
                match cell % 3 {
                    0 => above,
                    1 => above | ((cell << (lead_bits - 9)) as u32 + 5 * (cell % 7) as u32) << 16,
                    _ => above | u32::from(SHARED),
                }
            });
            for backend in Backend::available() {
                let blocks: std::vec::Vec<Words> = (0..1024)
                    .map(|block| {
                        let draw = |i: u64| 64 * block + i;
                        core::array::from_fn(|i| (0..4).fold(0, |word, k| word | draw(4 * i as u64 + k) << (16 * k)))
                    })
                    .collect();
                let (mut values, mut open) = (std::vec![[0; BLOCK]; 1024], [0; 1024]);
                let (values_out, open_out) = (&mut values[..], &mut open[..]);
                let look_up = LookUp {
                    guide: &guide,
                    guide_bits: 9,
                    folded,
                    blocks: &blocks,
                    values: values_out,
                    open: open_out,
                };
                backend.run(look_up);
                for (draw, value) in values.as_flattened().iter().enumerate() {
                    let entry = guide[draw >> 7];
                    let lead = draw as u32 >> (16 - lead_bits);
                    let undecided = entry & u32::from(SHARED) != 0 || lead == entry >> 16;
                    assert_eq!(open[draw / 64] >> (draw % 64) & 1 != 0, undecided, "{backend}, {draw}");
                    let index = (entry & 0x7fff) as i16 + i16::from(lead < entry >> 16);
                    let want = if folded && draw & 1 != 0 { -index } else { index };
                    assert!(undecided || *value == want, "{backend}, {draw}: {value}, {want}");
                }
            }
        }
    }

    /// Leads of 0 equal what stands beside the mark of several thresholds.
    #[test]
    fn several_thresholds_in_the_first_cell_leave_its_draws_open() {
        for folded in [true, false] {
            let guide = [5 | u32::from(SHARED), 3];
            let mut block = [0; BLOCK / 4];
            block[1] = 0x8000_0000_0001_0002;
            let (mut values, mut open) = ([[0; BLOCK]], [0]);
            let (values, open) = (&mut values[..], &mut open[..]);
            LookUp { guide: &guide, guide_bits: 1, folded, blocks: &[block], values: &mut *values, open: &mut *open }
                .run();
            assert_eq!((open[0], values[0][7]), (!(1 << 7), 3), "the seventh is the second cell's");
        }
    }
}
