//! Many calls at once, in passes over those that have no sample yet.

use super::close::Settle;
use super::width::StripWidth;
use crate::arch::Backend;
use crate::arch::isochronous::{BLOCK, Call, CallTrials, Compaction, Envelope};
use crate::bits::BitSource;
use crate::params::FixedPoint;
use zeroize::Zeroize;

/// Calls under way, at most.
const WINDOW: usize = 256;
const BLOCKS: usize = WINDOW / BLOCK;
/// Fewer calls than this are not worth a pass.
pub(super) const FEW: usize = 16;

type Words = [[u64; BLOCK]; BLOCKS];

/// The scratch buffers of a batch, erased when it ends.
struct Scratch {
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

impl Scratch {
    fn new() -> Self {
        let none = [[0; BLOCK]; BLOCKS];
        Scratch {
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

    /// Runs the trials of `count` calls. Returns two masks for each block: the accepted trials and the close ones.
    fn try_all(&mut self, backend: Backend, envelope: &Envelope, count: usize) -> [[u32; BLOCKS]; 2] {
        let blocks = count.div_ceil(BLOCK);
        let (mut below, mut close) = ([0; BLOCKS], [0; BLOCKS]);
        CallTrials {
            envelope,
            words: &self.words[..blocks],
            lows: if envelope.shift == 0 { &[] } else { &self.lows[..blocks] },
            fractions: &self.fractions[..blocks],
            squares: &self.squares[..blocks],
            lifts: &self.lifts[..blocks],
            values: &mut self.values[..blocks],
            below: &mut below[..blocks],
            close: &mut close[..blocks],
        }
        .run(backend);
        [below, close]
    }

    /// Decides the close trials, in their order, and returns of each block the mask of the rejected ones of all.
    #[inline(always)]
    fn judge<B: BitSource + ?Sized, S: Settle>(
        &self,
        [mut below, close]: [[u32; BLOCKS]; 2],
        count: usize,
        bits: &mut B,
        mut settled: impl FnMut(usize, Option<i64>),
        (envelope, settle): (&Envelope, &S),
    ) -> [u32; BLOCKS] {
        let any = close.iter().zip(under_way(count)).fold(0, |all, (mask, trials)| all | mask & trials);
        if bits.declassify(u32::from(any == 0)) == 0 {
            self.settle_all(&mut below, close, count, bits, &mut settled, (envelope, settle));
        }
        let mut rejected = [0; BLOCKS];
        for ((rejected, below), trials) in rejected.iter_mut().zip(below).zip(under_way(count)) {
            *rejected = trials & !bits.declassify(below & trials);
        }
        rejected
    }

    /// Calls `settled` for each close trial with the call's number among all, and z, less ⌊c⌋, if the trial is accepted.
    #[cold]
    fn settle_all<B: BitSource + ?Sized, S: Settle>(
        &self,
        below: &mut [u32; BLOCKS],
        mut close: [u32; BLOCKS],
        count: usize,
        bits: &mut B,
        settled: &mut impl FnMut(usize, Option<i64>),
        (envelope, settle): (&Envelope, &S),
    ) {
        for (mask, trials) in close.iter_mut().zip(under_way(count)) {
            *mask = bits.declassify(*mask & trials) & trials;
        }
        for i in (0..count).filter(|i| close[i / BLOCK] >> (i % BLOCK) & 1 != 0) {
            let (b, i) = (i / BLOCK, i % BLOCK);
            let (fraction, square, lift) = (self.fractions[b][i], self.squares[b][i], self.lifts[b][i]);
            let trial = envelope.trial(&Call { fraction, square, lift }, self.words[b][i], self.lows[b][i]);
            let call = self.places[b][i] as usize;
            let value = settle.settle(call, &trial, bits);
            below[b] |= u32::from(value.is_some()) << i;
            settled(call, value);
        }
    }

    /// Brings the calls of these masks together; how many there are.
    fn keep(&mut self, backend: Backend, count: usize, kept: &[u32]) -> usize {
        let blocks = count.div_ceil(BLOCK);
        let Scratch { fractions, squares, lifts, places, .. } = self;
        let arrays = [fractions, squares, lifts, places].map(|array| &mut array[..blocks]);
        Compaction { arrays, kept: &kept[..blocks] }.run(backend)
    }
}

impl Scratch {
    /// Erases the bits read, the calls, and the values made of them.
    fn erase(&mut self) {
        let blocks = self.dirty.div_ceil(BLOCK);
        for array in [&mut self.words, &mut self.lows, &mut self.fractions, &mut self.squares, &mut self.lifts] {
            array[..blocks].as_flattened_mut().zeroize();
        }
        self.values[..blocks].as_flattened_mut().zeroize();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.erase();
    }
}

/// The samples of all calls but fewer than [`FEW`], and the places of these.
pub(super) fn passes<B: BitSource + ?Sized, S: Settle>(
    envelope: &Envelope,
    backend: Backend,
    centers: &[(FixedPoint, StripWidth)],
    bits: &mut B,
    out: &mut [i64],
    settle: &S,
) -> impl Iterator<Item = usize> + use<B, S> {
    let (mut left, mut waiting, mut next) = ([0; FEW], 0, 0);
    if centers.len() >= FEW {
        let mut scratch = Scratch::new();
        loop {
            let fresh = next..(next + WINDOW - waiting).min(centers.len());
            let count = waiting + fresh.len();
            if count < FEW {
                break;
            }
            next = fresh.end;
            scratch.admit(waiting, fresh.start, &centers[fresh.clone()]);
            scratch.draw(envelope.shift > 0, count, bits);
            // steps 1 to 4
            let masks = scratch.try_all(backend, envelope, count);
            // step 5; what was rejected is written over by a later pass.
            let (before, values) = scratch.values.as_flattened()[..count].split_at(waiting);
            for (place, value) in scratch.places.as_flattened().iter().zip(before) {
                out[*place as usize] = centers[*place as usize].0.floor() + i64::from(*value);
            }
            for ((slot, (center, _)), value) in out[fresh.clone()].iter_mut().zip(&centers[fresh]).zip(values) {
                *slot = center.floor() + i64::from(*value);
            }
            let settled = |call: usize, value: Option<i64>| out[call] = centers[call].0.floor() + value.unwrap_or(0);
            let rejected = scratch.judge(masks, count, bits, settled, (envelope, settle));
            waiting = scratch.keep(backend, count, &rejected);
        }
        for (left, place) in left.iter_mut().zip(&scratch.places.as_flattened()[..waiting]) {
            *left = *place as usize;
        }
    }
    // Those that were not under way yet come last.
    left.into_iter().take(waiting).chain(next..centers.len())
}

#[cfg(test)]
mod tests {
    use super::super::StripRounder;
    use super::super::close::Estimate;
    use super::super::tests::steps::{margin, round, tried};
    use super::*;
    use crate::fixtures::{Tape, reader};
    use crate::sampler::Rounder;
    use std::vec;
    use std::vec::Vec;

    type Calls = Vec<(FixedPoint, StripWidth)>;

    fn rounder(min: &str, max: &str) -> StripRounder {
        StripRounder::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
    }

    /// Calls of two widths, with any centres.
    fn calls(rounder: &StripRounder, sigmas: [&str; 2], count: usize) -> Calls {
        let widths = rounder.widths(sigmas.map(|sigma| sigma.parse().unwrap())).unwrap();
        let mut bits = reader(count as u8);
        let mut center = || FixedPoint::from_f64((bits.bits(40) as i64 - (1 << 39)) as f64 / 1024.0).unwrap();
        (0..count).map(|i| (center(), widths[i % 3 % 2])).collect()
    }

    /// What `round_batch` says that it does, call by call, and what it makes public.
    fn by_the_steps(rounder: &StripRounder, backend: Backend, calls: &Calls, bits: &mut Tape) -> Vec<i64> {
        let is_wide = rounder.shape().0 > 0;
        let low = |bits: &mut Tape| if is_wide { bits.bits(32) } else { 0 };
        let (mut out, mut waiting, mut next) = (vec![0; calls.len()], vec![], 0);
        loop {
            let fresh = next..(next + 256 - waiting.len()).min(calls.len());
            let under_way: Vec<usize> = waiting.into_iter().chain(fresh.clone()).collect();
            if under_way.len() < 16 {
                for i in under_way {
                    out[i] = round(rounder, backend, calls[i], bits);
                }
                return out;
            }
            next = fresh.end;
            let words: Vec<u64> = under_way.iter().map(|_| bits.bits(64)).collect();
            let lows: Vec<u64> = under_way.iter().map(|_| low(bits)).collect();
            waiting = vec![];
            let masks = || vec![0; words.len().div_ceil(32)];
            let (mut open, mut done, mut settled) = (masks(), masks(), vec![]);
            for (place, ((i, word), low)) in under_way.into_iter().zip(words).zip(lows).enumerate() {
                let (is_open, sample) = tried(rounder, calls[i], [word, low], bits);
                open[place / 32] |= u32::from(is_open) << (place % 32);
                settled.extend(is_open.then_some(u32::from(sample.is_some())));
                done[place / 32] |= u32::from(sample.is_some()) << (place % 32);
                match sample {
                    Some(z) => out[i] = z,
                    None => waiting.push(i),
                }
            }
            let is_any = open.iter().any(|mask| *mask != 0);
            bits.outcomes.push(u32::from(!is_any));
            let open = if is_any { open } else { vec![] };
            bits.outcomes.extend(open.into_iter().chain(settled).chain(done));
        }
    }

    fn agrees(rounder: &StripRounder, calls: &Calls, tape: &Tape) {
        for backend in Backend::available() {
            let (mut steps, mut bits, mut out) = (tape.clone(), tape.clone(), vec![i64::MIN; calls.len()]);
            let wanted = by_the_steps(rounder, backend, calls, &mut steps);
            rounder.round_batch_by(backend, calls, &mut bits, &mut out);
            assert!(out == wanted && bits.read == steps.read, "{} calls, {backend}", calls.len());
            assert_eq!(bits.outcomes, steps.outcomes, "{} calls, {backend}", calls.len());
            if calls.len() < FEW {
                let mut bits = tape.clone();
                assert!(calls.iter().zip(&wanted).all(|(call, z)| rounder.round(*call, &mut bits) == *z));
                assert_eq!(bits.read, steps.read);
            }
        }
    }

    const RANGES: [([&str; 2], [&str; 2]); 3] = [
        (["1.2778336969128337", "1.8205"], ["1.3", "1.8205"]),
        (["19.5", "19.5"], ["19.5", "19.5"]),
        (["1e5", "2e5"], ["1e5", "123456.75"]),
    ];

    #[test]
    fn batches_are_their_steps() {
        for ([min, max], sigmas) in RANGES {
            let rounder = rounder(min, max);
            for count in [0, 1, 7, 15, 16, 17, 31, 32, 33, 255, 256, 257, 263, 300, 1000] {
                agrees(&rounder, &calls(&rounder, sigmas, count), &Tape::before(&[], count as u64));
            }
        }
    }

    /// In the first pass some trials are at their goals, where 64 bits more decide, which come behind all words.
    #[test]
    fn the_last_bit_decides() {
        for ([min, max], sigmas) in RANGES {
            let rounder = rounder(min, max);
            let first = rounder.envelope.keys[0] + rounder.envelope.ones;
            let opens = [&[0, 15][..], &[31, 32, 33], &[5, 37], &[0, 1, 100, 101, 255], &[255]];
            for (count, open) in [16, 40, 64, 256, 300].into_iter().zip(opens) {
                let calls = calls(&rounder, sigmas, count);
                for upper in [0, 1] {
                    let (mut words, mut more) = (vec![], vec![]);
                    for (i, (center, width)) in calls.iter().take(WINDOW).enumerate() {
                        // At the lower end of the first strip.
                        let end = u64::from(first) << 48 | upper;
                        let (_, rest, goal, next) = rounder.trial(*width, center.fraction(), end, 0);
                        assert!(rest == 0 && goal > 0);
                        let is_open = open.contains(&i);
                        // Others are just beyond the margin.
                        let far = margin(goal) + 1;
                        let off = if is_open { goal } else { goal - far + 2 * far * (i as u64 % 2) };
                        words.push((end + (off << 1), 64));
                        if is_open {
                            more.push((next.wrapping_sub(i as u64 % 2), 64));
                        }
                    }
                    let lows = vec![(0, 32); if rounder.shape().0 > 0 { words.len() } else { 0 }];
                    agrees(&rounder, &calls, &Tape::before(&[words, lows, more].concat(), 7));
                }
            }
        }
    }

    #[test]
    fn a_room_is_erased() {
        let is_blank = |scratch: &Scratch| {
            let words = [&scratch.words, &scratch.lows, &scratch.fractions, &scratch.squares, &scratch.lifts];
            words.iter().all(|words| words.iter().flatten().all(|word| *word == 0))
                && scratch.values.iter().flatten().all(|value| *value == 0)
        };
        let rounder = rounder("1e5", "2e5");
        for (waiting, fresh) in [(0, 8), (3, 30), (0, 32), (1, 32), (0, 256), (250, 6)] {
            let (mut scratch, count) = (Scratch::new(), waiting + fresh);
            let mut bits = Tape::before(&[], 1);
            scratch.admit(0, 0, &calls(&rounder, ["1e5", "2e5"], waiting));
            scratch.admit(waiting, 5, &calls(&rounder, ["1e5", "2e5"], fresh));
            scratch.draw(true, count, &mut bits);
            let masks = scratch.try_all(Backend::current(), &rounder.envelope, count);
            let _ = scratch.judge(masks, count, &mut bits, |_, _| (), (&rounder.envelope, &Estimate));
            assert!(!is_blank(&scratch));
            assert!(scratch.places.as_flattened()[waiting..count].iter().copied().eq(5..5 + fresh as u64));
            scratch.erase();
            assert!(is_blank(&scratch), "{waiting} and {fresh}");
        }
    }
}
