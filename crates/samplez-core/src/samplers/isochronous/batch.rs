//! Many trials of one law: what is read ahead for them, and what they give.

use crate::arch::isochronous::{Accepted, BLOCK, PADDING, Strips, Trials};
use crate::arch::{Backend, Kernel};
use crate::bits::BitSource;
use crate::sampler::Int;
use bytemuck::cast_slice;
use zeroize::Zeroize;

/// Trials at a time.
pub(super) const CHUNK: usize = 512;
const BLOCKS: usize = CHUNK / BLOCK;
/// The words of the longest records, of 96 bits.
const WORDS: usize = CHUNK * 96 / 64;

/// Of each block the mask of those words that are among the first `count`.
fn trials(count: usize) -> impl Iterator<Item = u32> {
    let last = u32::MAX >> (count.next_multiple_of(BLOCK) - count);
    (1..=count.div_ceil(BLOCK)).map(move |block| if block * BLOCK <= count { u32::MAX } else { last })
}

/// The scratch buffers of a fill, erased when it ends.
pub(super) struct Scratch {
    /// Records that are longer than a word, little-endian,
    raw: [u64; WORDS],
    /// their first 64 bits, or all, and the others.
    words: [[u64; BLOCK]; BLOCKS],
    lows: [[u64; BLOCK]; BLOCKS],
    values: [[i32; BLOCK]; BLOCKS],
    below: [u32; BLOCKS],
    kept: [i32; CHUNK + PADDING],
    /// How many trials have been made at once, at most, and words read for them.
    dirty: (usize, usize),
}

impl Scratch {
    pub(super) fn new() -> Self {
        Scratch {
            raw: [0; WORDS],
            words: [[0; BLOCK]; BLOCKS],
            lows: [[0; BLOCK]; BLOCKS],
            values: [[0; BLOCK]; BLOCKS],
            below: [0; BLOCKS],
            kept: [0; CHUNK + PADDING],
            dirty: (0, 0),
        }
    }

    /// Reads `count` records, of a word and `low_bits` more each: none, 16 or 32.
    pub(super) fn draw<B: BitSource + ?Sized>(&mut self, low_bits: usize, count: usize, bits: &mut B) {
        let words = self.words.as_flattened_mut();
        let total = count * (64 + low_bits);
        self.dirty = (self.dirty.0.max(count), self.dirty.1.max(total.div_ceil(64)));
        if low_bits == 0 {
            return bits.words(&mut words[..count]);
        }
        let (whole, rest) = (total / 64, (total % 64) as u32);
        bits.words(&mut self.raw[..whole]);
        if rest > 0 {
            self.raw[whole] = bits.bits(rest);
        }
        self.raw[..total.div_ceil(64)].iter_mut().for_each(|word| *word = word.to_le());
        let bytes: &[u8] = &cast_slice(&self.raw)[..total / 8];
        let places = words.iter_mut().zip(self.lows.as_flattened_mut());
        if low_bits == 16 {
            for (record, (word, low)) in bytes.as_chunks::<10>().0.iter().zip(places) {
                let [a, b, c, d, e, f, g, h, low_bytes @ ..] = *record;
                *word = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
                *low = u16::from_le_bytes(low_bytes).into();
            }
        } else {
            for (record, (word, low)) in bytes.as_chunks::<12>().0.iter().zip(places) {
                let [a, b, c, d, e, f, g, h, low_bytes @ ..] = *record;
                *word = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
                *low = u32::from_le_bytes(low_bytes).into();
            }
        }
    }

    /// The trials of the records that were read; whether none of them needs 64 more bits.
    pub(super) fn try_all(&mut self, backend: Backend, strips: &Strips, low_bits: usize, count: usize) -> bool {
        let blocks = count.div_ceil(BLOCK);
        let mut equal = [0; BLOCKS];
        Trials {
            strips,
            words: &self.words[..blocks],
            lows: if low_bits == 0 { &[] } else { &self.lows[..blocks] },
            values: &mut self.values[..blocks],
            below: &mut self.below[..blocks],
            equal: &mut equal[..blocks],
        }
        .run(backend);
        equal.iter().zip(trials(count)).fold(0, |all, (mask, trials)| all | mask & trials) == 0
    }

    /// Moves the accepted values, `floor` added, to the head of `out`; how many there are.
    pub(super) fn keep<T: Int, B: BitSource + ?Sized>(
        &mut self,
        backend: Backend,
        floor: i64,
        bits: &mut B,
        count: usize,
        out: &mut [T],
    ) -> usize {
        let blocks = count.div_ceil(BLOCK);
        for (mask, trials) in self.below.iter_mut().zip(trials(count)) {
            *mask = bits.declassify(*mask & trials) & trials;
        }
        let (values, accepted) = (&self.values[..blocks], &self.below[..blocks]);
        let made = Accepted { values, accepted, out: &mut self.kept }.run(backend);
        backend.run(Shifted { values: &self.kept[..made], floor, out });
        made
    }

    /// The records that were read, from the first bit on, and behind them the source.
    pub(super) fn ahead<'a, B: ?Sized>(
        &'a mut self,
        low_bits: usize,
        count: usize,
        bits: &'a mut B,
    ) -> Lookahead<'a, B> {
        let end = count * (64 + low_bits);
        if low_bits == 0 {
            return Lookahead { words: self.words.as_flattened(), at: 0, end, bits };
        }
        self.raw[..end.div_ceil(64)].iter_mut().for_each(|word| *word = u64::from_le(*word));
        Lookahead { words: &self.raw, at: 0, end, bits }
    }
}

impl Scratch {
    /// Erases what has been read and made.
    pub(super) fn erase(&mut self) {
        let (count, words) = self.dirty;
        let blocks = count.div_ceil(BLOCK);
        if words > count {
            self.raw[..words].zeroize();
            self.lows[..blocks].as_flattened_mut().zeroize();
        }
        self.words[..blocks].as_flattened_mut().zeroize();
        self.values[..blocks].as_flattened_mut().zeroize();
        self.below.zeroize();
        self.kept[..(blocks * BLOCK + PADDING).min(CHUNK + PADDING)].zeroize();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.erase();
    }
}

/// Values to which `floor` is added.
struct Shifted<'a, T> {
    values: &'a [i32],
    floor: i64,
    out: &'a mut [T],
}

impl<T: Int> Kernel for Shifted<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (slot, value) in self.out.iter_mut().zip(self.values) {
            *slot = T::wrapping(self.floor + i64::from(*value));
        }
    }
}

/// Bits that were read before, and after them those of the source.
pub(super) struct Lookahead<'a, B: ?Sized> {
    words: &'a [u64],
    at: usize,
    end: usize,
    bits: &'a mut B,
}

impl<B: ?Sized> Lookahead<'_, B> {
    /// Whether all that was read before has been used.
    pub(super) fn is_empty(&self) -> bool {
        self.at == self.end
    }
}

impl<B: BitSource + ?Sized> BitSource for Lookahead<'_, B> {
    fn bits(&mut self, n: u32) -> u64 {
        let known = (self.end - self.at).min(n as usize) as u32;
        if known == 0 {
            return self.bits.bits(n);
        }
        let (word, shift) = (self.at / 64, self.at % 64);
        let beyond = self.words.get(word + 1).copied().unwrap_or(0);
        let low = (self.words[word] >> shift | beyond << 1 << (63 - shift)) & (u64::MAX >> (64 - known));
        self.at += known as usize;
        if known == n { low } else { low | self.bits.bits(n - known) << known }
    }

    fn declassify(&mut self, outcome: u32) -> u32 {
        self.bits.declassify(outcome)
    }

    fn condemn(&mut self) {
        self.bits.condemn();
    }
}

#[cfg(test)]
impl Scratch {
    pub(super) fn is_blank(&self) -> bool {
        let words = [self.words.as_flattened(), self.lows.as_flattened(), &self.raw].concat();
        words.iter().all(|word| *word == 0)
            && self.values.as_flattened().iter().chain(&self.kept).all(|value| *value == 0)
            && self.below.iter().all(|mask| *mask == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The drop goes by what the buffers say that they have held, and cannot where that is more than there is.
    #[test]
    #[should_panic(expected = "out of range")]
    fn a_room_that_is_dropped_is_erased() {
        let mut scratch = Scratch::new();
        scratch.dirty.0 = usize::MAX;
    }
}
