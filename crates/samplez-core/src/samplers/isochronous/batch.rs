//! Batches of trials of one law: their draws, and their samples.

use super::refine::{Closing, Refine};
use crate::arch::isochronous::{Accepted, BLOCK, Look, Looks, ROW, Slots, Strips, Trials};
use crate::arch::planes::Aligned;
use crate::arch::{Backend, Kernel};
use crate::bits::BitSource;
use crate::sampler::{Int, RangeError, narrowed};
use bytemuck::{cast_slice, cast_slice_mut};
use zeroize::Zeroize;

/// Rows of trials of the largest batch,
pub(super) const ROWS: usize = 48;
/// and of one for a short fill, which has smaller buffers.
pub(super) const FEW_ROWS: usize = 8;
/// Up to so many trials have half as many slots.
const MANY: usize = 960;
/// Bytes of the longest u and b.
const PLANES: usize = 4;

/// The constants of a law's trials, as a batch takes them.
#[derive(Clone, Copy)]
pub(super) struct Law<'a> {
    pub(super) strips: &'a Strips,
    pub(super) look: &'a Look,
}

impl Law<'_> {
    /// Bytes of u and b.
    pub(super) fn planes(&self) -> usize {
        match self.strips.envelope.shift {
            0..8 => 1,
            8..16 => 2,
            _ => 4,
        }
    }
}

/// A batch of so many trials, whole rows, and slots.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) trials: usize,
    pub(super) slots: usize,
    pub(super) planes: usize,
}

impl Size {
    pub(super) fn new(trials: usize, planes: usize) -> Self {
        Size { trials, slots: if trials > MANY { ROW } else { ROW / 2 }, planes }
    }

    /// Words of the draws of its trials and of its slots.
    pub(super) fn words(&self) -> [usize; 2] {
        [self.trials * (2 + self.planes) / 8, self.slots * (9 + self.planes) / 8]
    }
}

/// Slots: a row of them, some of which may be unused.
struct Decided {
    draws: [u64; ROW * (9 + PLANES) / 8],
    strips: [u8; ROW],
    places: [u8; ROW * PLANES],
    cells: [u8; ROW],
    leads: [u8; 2 * ROW],
    words: [[u64; BLOCK]; ROW / BLOCK],
    lows: [[u64; BLOCK]; ROW / BLOCK],
    values: [[i32; BLOCK]; ROW / BLOCK],
}

impl Decided {
    #[inline(always)]
    const fn new() -> Self {
        Decided {
            draws: [0; ROW * (9 + PLANES) / 8],
            strips: [0; ROW],
            places: [0; ROW * PLANES],
            cells: [0; ROW],
            leads: [0; 2 * ROW],
            words: [[0; BLOCK]; ROW / BLOCK],
            lows: [[0; BLOCK]; ROW / BLOCK],
            values: [[0; BLOCK]; ROW / BLOCK],
        }
    }

    /// Draws the slots, their words, places and cells, and decides them.
    fn decide<R: Refine, B: BitSource + ?Sized>(
        &mut self,
        law: Law<'_>,
        closing: &Closing<'_, R>,
        backend: Backend,
        size: Size,
        bits: &mut B,
    ) {
        let Size { slots, planes, .. } = size;
        let (words, rest) = drawn(&mut self.draws, size.words()[1], bits).split_at(8 * slots);
        let (places, cells) = rest.split_at(planes * slots);
        self.cells[..slots].copy_from_slice(cells);
        for (row, plane) in self.places.as_chunks_mut::<ROW>().0.iter_mut().zip(places.chunks_exact(slots)) {
            row[..slots].copy_from_slice(plane);
        }
        let Law { strips, look } = law;
        let (cells, places) = (&self.cells[..], &self.places[..planes * ROW]);
        let (strips_mut, leads) = (&mut self.strips[..], &mut self.leads[..]);
        backend.run_in_vectors(Slots { envelope: &strips.envelope, look, cells, places, strips: strips_mut, leads });
        // The words that a single sample would have drawn: the cell for the leading bits, and u and b.
        let (inner, shift) = (strips.inner, strips.envelope.shift);
        let own = (2 << inner) - 1;
        let pairs = self.words.as_flattened_mut().iter_mut().zip(self.lows.as_flattened_mut());
        let drawn = words.as_chunks::<8>().0.iter().zip(self.leads.as_chunks::<2>().0);
        for (i, ((word, low), (bytes, lead))) in pairs.zip(drawn).enumerate() {
            let number = place(&self.places, ROW, planes, i);
            let u = u64::from(number) >> (8 * planes as u32 - shift);
            let b = u64::from(number & 1) << inner;
            let rest = u64::from_le_bytes(*bytes) & (u64::MAX >> 16) & !own;
            *word = u64::from(u16::from_le_bytes(*lead)) << 48 | rest | b | if inner > 0 { u } else { 0 };
            *low = u;
        }
        let blocks = slots / BLOCK;
        let (mut below, mut close) = ([0; ROW / BLOCK], [0; ROW / BLOCK]);
        Trials {
            strips,
            words: &self.words[..blocks],
            lows: if inner == shift { &[] } else { &self.lows[..blocks] },
            values: &mut self.values[..blocks],
            below: &mut below[..blocks],
            close: &mut close[..blocks],
        }
        .run(backend);
        let wide = |halves: &mut [u32; 2]| {
            let [low, high] = *halves;
            halves.zeroize();
            u64::from(low) | u64::from(high) << 32
        };
        let (mut below, close) = (wide(&mut below), wide(&mut close));
        if bits.declassify(u32::from(close == 0)) == 0 {
            below |= self.closed(close, law, closing, bits);
        }
        for (i, strip) in self.strips.iter_mut().enumerate() {
            *strip |= ((!below >> i & 1) as u8) << 6;
        }
    }

    /// Which of the slots of this mask, which are close, are accepted.
    #[cold]
    fn closed<R: Refine, B: BitSource + ?Sized>(
        &self,
        close: u64,
        law: Law<'_>,
        closing: &Closing<'_, R>,
        bits: &mut B,
    ) -> u64 {
        let [low, high] = [close as u32, (close >> 32) as u32].map(|half| bits.declassify(half));
        let close = u64::from(low) | u64::from(high) << 32;
        let mut accepted = 0;
        for i in (0..ROW).filter(|i| close >> i & 1 != 0) {
            let trial = law.strips.trial(self.words.as_flattened()[i], self.lows.as_flattened()[i]);
            accepted |= u64::from(closing.accepts(law.strips, trial, bits)) << i;
        }
        accepted
    }

    fn erase(&mut self) {
        self.draws.zeroize();
        self.strips.zeroize();
        self.places.zeroize();
        self.cells.zeroize();
        self.leads.zeroize();
        self.words.as_flattened_mut().zeroize();
        self.lows.as_flattened_mut().zeroize();
        self.values.as_flattened_mut().zeroize();
    }
}

/// The bytes of so many words, which are drawn into these.
#[inline(always)]
fn drawn<'a, B: BitSource + ?Sized>(words: &'a mut [u64], count: usize, bits: &mut B) -> &'a [u8] {
    let words = &mut words[..count];
    bits.words(words);
    words.iter_mut().for_each(|word| *word = word.to_le());
    cast_slice(words)
}

/// u and b of trial i, from planes of `len` bytes.
#[inline(always)]
fn place(planes: &[u8], len: usize, count: usize, i: usize) -> u32 {
    (0..count).rev().fold(0, |number, p| number << 8 | u32::from(planes[p * len + i]))
}

/// The scratch buffers of a fill by batches of at most R rows, erased when it ends.
pub(super) struct Scratch<const R: usize> {
    draws: Aligned<[[u64; ROW * (2 + PLANES) / 8]; R]>,
    slots: Decided,
    /// The strips of the trials, and u and b.
    decided: Aligned<[[u64; ROW * (1 + PLANES) / 8]; R]>,
    accepted: [u64; R],
    /// How many words of the draws and of `decided` have been used.
    dirty: [usize; 2],
}

impl<const R: usize> Scratch<R> {
    /// An empty one. A constant where it is used: its parts made there one by one, it may take the stack twice.
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Scratch {
            draws: Aligned([[0; ROW * (2 + PLANES) / 8]; R]),
            slots: Decided::new(),
            decided: Aligned([[0; ROW * (1 + PLANES) / 8]; R]),
            accepted: [0; R],
            dirty: [0; 2],
        }
    }

    /// Draws a batch and decides its trials. Returns how many are accepted.
    pub(super) fn batch<D: Refine, B: BitSource + ?Sized>(
        &mut self,
        law: Law<'_>,
        closing: &Closing<'_, D>,
        backend: Backend,
        size: Size,
        bits: &mut B,
    ) -> usize {
        let Size { trials, planes, .. } = size;
        let ([used, _], len) = (size.words(), trials * (1 + planes));
        self.dirty = [self.dirty[0].max(used), self.dirty[1].max(len / 8)];
        let (leads, places) = drawn(self.draws.0.as_flattened_mut(), used, bits).split_at(2 * trials);
        self.slots.decide(law, closing, backend, size, bits);
        let decided: &mut [u8] = &mut cast_slice_mut(self.decided.0.as_flattened_mut())[..len];
        let (strips, decided) = decided.split_at_mut(trials);
        let accepted = &mut self.accepted[..trials / ROW];
        let open = backend.run_in_vectors(Looks {
            envelope: &law.strips.envelope,
            look: law.look,
            leads,
            places,
            slots: &self.slots.strips,
            slot_places: &self.slots.places[..planes * ROW],
            strips,
            decided,
            accepted,
        });
        if bits.declassify(u32::from(open as usize > size.slots)) != 0 {
            self.resolve(law, closing, backend, size, bits);
        }
        self.keep(backend, size, bits)
    }

    /// All trials again, with as many slots for each row as it has trials: for a batch that has more open trials than slots.
    #[cold]
    fn resolve<D: Refine, B: BitSource + ?Sized>(
        &mut self,
        law: Law<'_>,
        closing: &Closing<'_, D>,
        backend: Backend,
        size: Size,
        bits: &mut B,
    ) {
        let Size { trials, planes, .. } = size;
        let row_size = Size { trials: ROW, slots: ROW, planes };
        let (leads, places) = cast_slice(self.draws.0.as_flattened()).split_at(2 * trials);
        let (strips, decided) = cast_slice_mut(self.decided.0.as_flattened_mut()).split_at_mut(trials);
        let mut buffers = [[0_u64; ROW * PLANES / 8]; 2];
        let [of_row, decided_of_row] = &mut buffers;
        for (r, (strips, accepted)) in strips.chunks_exact_mut(ROW).zip(&mut self.accepted).enumerate() {
            self.slots.decide(law, closing, backend, row_size, bits);
            let of_row: &mut [u8] = &mut cast_slice_mut(of_row)[..planes * ROW];
            for (row, plane) in of_row.chunks_exact_mut(ROW).zip(places.chunks_exact(trials)) {
                row.copy_from_slice(&plane[r * ROW..][..ROW]);
            }
            let decided_of_row: &mut [u8] = &mut cast_slice_mut(decided_of_row)[..planes * ROW];
            backend.run_in_vectors(Looks {
                envelope: &law.strips.envelope,
                look: law.look,
                leads: &leads[2 * ROW * r..][..2 * ROW],
                places: of_row,
                slots: &self.slots.strips,
                slot_places: &self.slots.places[..planes * ROW],
                strips,
                decided: decided_of_row,
                accepted: core::slice::from_mut(accepted),
            });
            for (row, plane) in decided_of_row.chunks_exact(ROW).zip(decided.chunks_exact_mut(trials)) {
                plane[r * ROW..][..ROW].copy_from_slice(row);
            }
        }
        buffers.as_flattened_mut().zeroize();
    }

    /// Moves the accepted trials to the heads of their planes; how many there are.
    fn keep<B: BitSource + ?Sized>(&mut self, backend: Backend, size: Size, bits: &mut B) -> usize {
        let accepted = &mut self.accepted[..size.trials / ROW];
        for mask in accepted.iter_mut() {
            let [low, high] = [*mask as u32, (*mask >> 32) as u32].map(|half| bits.declassify(half));
            *mask = u64::from(low) | u64::from(high) << 32;
        }
        let len = size.trials * (1 + size.planes);
        let planes: &mut [u8] = &mut cast_slice_mut(self.decided.0.as_flattened_mut())[..len];
        backend.run_in_vectors(Accepted { accepted, planes, len: size.trials })
    }

    /// The first accepted trials of the batch as samples: as many as `out` has.
    ///
    /// # Errors
    ///
    /// [`RangeError`] at the first that does not fit the type; unless `fits`, each of them is looked at.
    pub(super) fn write<T: Int>(
        &self,
        backend: Backend,
        law: Law<'_>,
        size: Size,
        floor: i64,
        fits: bool,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        let (strips, places) = cast_slice(self.decided.0.as_flattened()).split_at(size.trials);
        let values = Values { strips, places: &places[..size.planes * size.trials], shift: law.strips.envelope.shift };
        if fits {
            backend.run(Finish { values, floor, out });
            return Ok(());
        }
        for (i, slot) in out.iter_mut().enumerate() {
            let number = place(values.places, size.trials, size.planes, i);
            let value = match size.planes {
                1 => narrow(strips[i], number as u8, values.shift).into(),
                planes => wide(strips[i], number, 8 * planes as u32, values.shift),
            };
            *slot = narrowed(floor + i64::from(value))?;
        }
        Ok(())
    }

    /// Erases what has been drawn and made.
    fn erase(&mut self) {
        let [draws, decided] = self.dirty;
        self.draws.0.as_flattened_mut()[..draws].zeroize();
        self.decided.0.as_flattened_mut()[..decided].zeroize();
        self.accepted.zeroize();
        self.slots.erase();
    }
}

impl<const R: usize> Drop for Scratch<R> {
    fn drop(&mut self) {
        self.erase();
    }
}

/// The values of trials by their strips, u and b.
#[derive(Clone, Copy)]
struct Values<'a> {
    strips: &'a [u8],
    places: &'a [u8],
    shift: u32,
}

/// Values to which `floor` is added.
struct Finish<'a, T> {
    values: Values<'a>,
    floor: i64,
    out: &'a mut [T],
}

impl<T: Int> Kernel for Finish<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Finish { values, floor, out } = self;
        let Values { strips, places, shift } = values;
        let len = strips.len();
        match places.len() / len {
            1 => {
                for ((slot, strip), place) in out.iter_mut().zip(strips).zip(places) {
                    *slot = T::wrapping(floor + i64::from(narrow(*strip, *place, shift)));
                }
            }
            2 => {
                let planes = places[..len].iter().zip(&places[len..]);
                for ((slot, strip), (low, high)) in out.iter_mut().zip(strips).zip(planes) {
                    let number = u16::from_le_bytes([*low, *high]);
                    *slot = T::wrapping(floor + i64::from(wide(*strip, number.into(), 16, shift)));
                }
            }
            _ => {
                let [a, b, c, d] = [0, 1, 2, 3].map(|p| &places[p * len..][..len]);
                let planes = a.iter().zip(b).zip(c.iter().zip(d));
                for ((slot, strip), ((a, b), (c, d))) in out.iter_mut().zip(strips).zip(planes) {
                    let number = u32::from_le_bytes([*a, *b, *c, *d]);
                    *slot = T::wrapping(floor + i64::from(wide(*strip, number, 32, shift)));
                }
            }
        }
    }
}

/// The value of a strip, and of u and b in so many bits.
#[inline(always)]
fn wide(strip: u8, number: u32, bits: u32, shift: u32) -> i32 {
    // k is above 0.
    let x = i32::from(strip) << shift | (number >> (bits - shift)).cast_signed();
    // x + 1 for the upper side, and -x for the lower.
    (x ^ ((number & 1).cast_signed() - 1)) + 1
}

/// The same for a byte of u and b: in 16 bits, which |x| < 2^13 fits.
#[inline(always)]
fn narrow(strip: u8, place: u8, shift: u32) -> i16 {
    let x = i16::from(strip) << shift | (u16::from(place) >> (8 - shift)).cast_signed();
    (x ^ (i16::from(place & 1) - 1)) + 1
}

#[cfg(test)]
impl<const R: usize> Scratch<R> {
    pub(super) fn is_blank(&self) -> bool {
        let Decided { draws, strips, places, cells, leads, words, lows, values } = &self.slots;
        let bytes = [&strips[..], places, cells, leads].concat();
        let all = [self.draws.0.as_flattened(), self.decided.0.as_flattened()];
        let words = [&all.concat()[..], draws, words.as_flattened(), lows.as_flattened(), &self.accepted].concat();
        let values = values.as_flattened();
        bytes.iter().all(|byte| *byte == 0)
            && words.iter().all(|word| *word == 0)
            && values.iter().all(|value| *value == 0)
    }
}

#[cfg(test)]
mod tests;
