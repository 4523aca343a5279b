//! Many calls at once, in passes over those that have no sample yet.

use super::width::StripWidth;
use crate::arch::Backend;
use crate::arch::strips::{BLOCK, Call, CallTrials, Envelope, Kept};
use crate::bits::BitSource;
use crate::params::FixedPoint;
use zeroize::Zeroize;

/// Calls under way, at most.
const WINDOW: usize = 256;
const BLOCKS: usize = WINDOW / BLOCK;
/// Fewer calls than this are not worth a pass.
pub(super) const FEW: usize = 8;

type Words = [[u64; BLOCK]; BLOCKS];

/// The room of a batch, erased when it ends.
struct Room {
    words: Words,
    lows: Words,
    /// Of each call under way the fields of [`Call`],
    fractions: Words,
    squares: Words,
    lifts: Words,
    /// and its place among all.
    places: Words,
    values: [[i32; BLOCK]; BLOCKS],
    /// How many calls have been under way, at most.
    dirty: usize,
}

/// Of each block the mask of those trials that are among the first `count`.
fn under_way(count: usize) -> impl Iterator<Item = u32> {
    let last = u32::MAX >> (count.next_multiple_of(BLOCK) - count);
    (1..=count.div_ceil(BLOCK)).map(move |block| if block * BLOCK <= count { u32::MAX } else { last })
}

impl Room {
    fn new() -> Self {
        let none = [[0; BLOCK]; BLOCKS];
        Room {
            words: none,
            lows: none,
            fractions: none,
            squares: none,
            lifts: none,
            places: none,
            values: [[0; BLOCK]; BLOCKS],
            dirty: 0,
        }
    }

    /// Puts these calls, the first of them in this place among all, behind the `waiting` ones.
    fn admit(&mut self, waiting: usize, first: usize, calls: &[(FixedPoint, StripWidth)]) {
        self.dirty = self.dirty.max(waiting + calls.len());
        let fractions = self.fractions.as_flattened_mut()[waiting..].iter_mut();
        let squares = self.squares.as_flattened_mut()[waiting..].iter_mut();
        let lifts = self.lifts.as_flattened_mut()[waiting..].iter_mut();
        for (((center, width), fraction), (square, lift)) in calls.iter().zip(fractions).zip(squares.zip(lifts)) {
            (*fraction, *square, *lift) = (center.fraction(), width.square, width.lift);
        }
        let places = &mut self.places.as_flattened_mut()[waiting..];
        places.iter_mut().zip(first as u64..).take(calls.len()).for_each(|(place, i)| *place = i);
    }

    /// Reads what the trials of `count` calls take: a word each, and 32 bits each if they are `wide`.
    fn draw<B: BitSource + ?Sized>(&mut self, wide: bool, count: usize, bits: &mut B) {
        bits.words(&mut self.words.as_flattened_mut()[..count]);
        if wide {
            let lows = &mut self.lows.as_flattened_mut()[..count];
            let (pairs, last) = lows.as_chunks_mut::<2>();
            for pair in pairs {
                let word = bits.bits(64);
                *pair = [word & 0xffff_ffff, word >> 32];
            }
            last.iter_mut().for_each(|low| *low = bits.bits(32));
        }
    }

    /// The trials of `count` calls, and for those at their goals 64 more bits: of each block the mask of the rejected ones.
    fn try_all<B: BitSource + ?Sized>(
        &mut self,
        backend: Backend,
        envelope: &Envelope,
        count: usize,
        bits: &mut B,
    ) -> [u32; BLOCKS] {
        let blocks = count.div_ceil(BLOCK);
        let (mut below, mut equal) = ([0; BLOCKS], [0; BLOCKS]);
        CallTrials {
            envelope,
            words: &self.words[..blocks],
            lows: if envelope.shift == 0 { &[] } else { &self.lows[..blocks] },
            fractions: &self.fractions[..blocks],
            squares: &self.squares[..blocks],
            lifts: &self.lifts[..blocks],
            values: &mut self.values[..blocks],
            below: &mut below[..blocks],
            equal: &mut equal[..blocks],
        }
        .run(backend);
        let close = equal.iter().zip(under_way(count)).fold(0, |all, (mask, trials)| all | mask & trials);
        if bits.declassify(u32::from(close == 0)) == 0 {
            for (mask, trials) in equal.iter_mut().zip(under_way(count)) {
                *mask = bits.declassify(*mask & trials) & trials;
            }
            for i in (0..count).filter(|i| equal[i / BLOCK] >> (i % BLOCK) & 1 != 0) {
                let (b, i) = (i / BLOCK, i % BLOCK);
                let (fraction, square, lift) = (self.fractions[b][i], self.squares[b][i], self.lifts[b][i]);
                let trial = envelope.trial(&Call { fraction, square, lift }, self.words[b][i], self.lows[b][i]);
                below[b] |= u32::from(bits.bits(64) < trial.next) << i;
            }
        }
        let mut rejected = [0; BLOCKS];
        for ((rejected, below), trials) in rejected.iter_mut().zip(below).zip(under_way(count)) {
            *rejected = trials & !bits.declassify(below & trials);
        }
        rejected
    }

    /// Brings the calls of these masks together; how many there are.
    fn keep(&mut self, backend: Backend, count: usize, kept: &[u32]) -> usize {
        let blocks = count.div_ceil(BLOCK);
        let Room { fractions, squares, lifts, places, .. } = self;
        let arrays = [fractions, squares, lifts, places].map(|array| &mut array[..blocks]);
        Kept { arrays, kept: &kept[..blocks] }.run(backend)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let blocks = self.dirty.div_ceil(BLOCK);
        for array in [&mut self.words, &mut self.lows, &mut self.fractions, &mut self.squares, &mut self.lifts] {
            array[..blocks].as_flattened_mut().zeroize();
        }
        self.values[..blocks].as_flattened_mut().zeroize();
    }
}

/// The samples of all calls but fewer than [`FEW`], and the places of these.
pub(super) fn passes<B: BitSource + ?Sized>(
    envelope: &Envelope,
    backend: Backend,
    centers: &[(FixedPoint, StripWidth)],
    bits: &mut B,
    out: &mut [i64],
) -> impl Iterator<Item = usize> + use<B> {
    let (mut left, mut waiting, mut next) = ([0; FEW], 0, 0);
    if centers.len() >= FEW {
        let mut room = Room::new();
        loop {
            let fresh = next..(next + WINDOW - waiting).min(centers.len());
            let count = waiting + fresh.len();
            if count < FEW {
                break;
            }
            next = fresh.end;
            room.admit(waiting, fresh.start, &centers[fresh.clone()]);
            room.draw(envelope.shift > 0, count, bits);
            // steps 1 to 4
            let rejected = room.try_all(backend, envelope, count, bits);
            // step 5; what was rejected is written over by a later pass.
            let (before, values) = room.values.as_flattened()[..count].split_at(waiting);
            for (place, value) in room.places.as_flattened().iter().zip(before) {
                out[*place as usize] = centers[*place as usize].0.floor() + i64::from(*value);
            }
            for ((slot, (center, _)), value) in out[fresh.clone()].iter_mut().zip(&centers[fresh]).zip(values) {
                *slot = center.floor() + i64::from(*value);
            }
            waiting = room.keep(backend, count, &rejected);
        }
        for (left, place) in left.iter_mut().zip(&room.places.as_flattened()[..waiting]) {
            *left = *place as usize;
        }
    }
    // Those that were not under way yet come last.
    left.into_iter().take(waiting).chain(next..centers.len())
}
