//! The stream of codes, cut into windows.

use super::lags::{self, Lags};
use super::long::{Energies, Long};
use super::longest::Longest;
use super::patterns::Patterns;
use super::places::Places;
use super::repeats::Repeats;
use super::slow::Slow;
use super::spectrum::Spectrum;
use super::stretches::Stretches;
use super::strided::Strided;
use super::window::{WINDOW, mixed};
use crate::coding::{Coding, Series};
use std::sync::Arc;

/// So many windows at the start of a stream are looked at with every test.
const HEAD: u64 = 32;

/// Of later windows, one in so many.
const ONE_IN: u64 = 32;

/// The farthest lag.
const HISTORY: usize = 1 << 16;

/// The capacity for codes: when it is used up, the last [`HISTORY`] move to the front.
const ROOM: usize = 2 * HISTORY;

/// The three series, as far back as the farthest lag.
type Tracks = [Vec<i16>; 3];

#[derive(Clone, Debug)]
pub(in super::super) struct Order {
    less: [i16; 3],
    codes: Vec<i16>,
    /// Up to `done`.
    tracks: Tracks,
    filled: usize,
    done: usize,
    /// Codes of this stream whose windows are done.
    seen: u64,
    /// Bit j: whether the j-th window before the present one was chosen.
    chosen: u32,
    /// The lengths of the streams that were merged into this one.
    merged: Vec<u64>,
    pub(in super::super) lags: Lags,
    pub(in super::super) patterns: Patterns,
    pub(in super::super) places: Places,
    pub(in super::super) spectrum: Spectrum,
    pub(in super::super) stretches: Stretches,
    pub(in super::super) repeats: Repeats,
    pub(in super::super) slow: Slow,
    pub(in super::super) longest: Longest,
    pub(in super::super) strided: Strided,
    long: Long,
}

impl Order {
    pub(in super::super) fn new(coding: &Coding) -> Self {
        let repeats = Repeats::new(coding);
        Order {
            less: coding.less(),
            codes: vec![0; ROOM],
            tracks: core::array::from_fn(|_| vec![0; ROOM]),
            filled: 0,
            done: 0,
            seen: 0,
            chosen: 0,
            merged: Vec::new(),
            lags: Lags::default(),
            patterns: Patterns::default(),
            places: Places::default(),
            spectrum: Spectrum::default(),
            stretches: Stretches::default(),
            slow: Slow::default(),
            longest: Longest::default(),
            strided: Strided::new(coding, repeats.kinds()[0].length),
            long: Long::default(),
            repeats,
        }
    }

    /// Takes in the codes that follow.
    pub(in super::super) fn push(&mut self, mut codes: &[i16]) {
        while !codes.is_empty() {
            let room = (self.done + WINDOW - self.filled).min(codes.len());
            let (now, later) = codes.split_at(room);
            self.codes[self.filled..self.filled + room].copy_from_slice(now);
            self.filled += room;
            codes = later;
            if self.filled == self.done + WINDOW {
                self.window();
            }
        }
    }

    /// Takes in a stream of its own: no value of one is a neighbour of the other's. Slow changes, and windows that are not full,
    /// are of one stream only.
    pub(in super::super) fn merge(&mut self, other: &Order) {
        let other = other.ended();
        self.merged.extend(other.lengths().filter(|len| *len > 0));
        self.lags.merge(&other.lags);
        self.patterns.merge(&other.patterns);
        self.places.merge(&other.places);
        self.spectrum.merge(&other.spectrum);
        self.stretches.merge(&other.stretches);
        self.repeats.merge(&other.repeats);
        self.longest.merge(&other.longest);
        self.strided.merge(&other.strided);
        self.long.merge(&other.long);
    }

    /// True if another stream was taken in.
    pub(in super::super) const fn is_merged(&self) -> bool {
        !self.merged.is_empty()
    }

    /// The energies of long windows: of several streams, of full ones.
    pub(in super::super) fn energies(&self) -> Option<Arc<Energies>> {
        if self.is_merged() { self.long.full() } else { self.long.energies(self.less) }
    }

    /// With the last window done, although it is not full.
    pub(in super::super) fn ended(&self) -> Order {
        let mut ended = self.clone();
        if ended.filled > ended.done {
            ended.window();
        }
        ended
    }

    /// The lengths of all streams. Only of one that has ended.
    pub(in super::super) fn lengths(&self) -> impl Iterator<Item = u64> + '_ {
        self.merged.iter().copied().chain([self.seen])
    }

    /// Works on the codes from `done` to `filled`.
    fn window(&mut self) {
        let (from, to) = (self.done, self.filled);
        let now = &self.codes[from..to];
        for ((series, less), track) in Series::ALL.into_iter().zip(self.less).zip(&mut self.tracks) {
            for (out, code) in track[from..to].iter_mut().zip(now) {
                *out = series.value(*code, less);
            }
        }
        let number = self.seen / WINDOW as u64;
        let chosen = number < HEAD || mixed(number).is_multiple_of(ONE_IN);
        self.chosen = self.chosen << 1 | u32::from(chosen);
        let place = lags::Place { from, to, seen: self.seen, chosen: self.chosen };
        self.lags.all(&self.codes, &self.tracks, place);
        let [values, magnitudes, squares] = self.tracks.each_ref().map(|track| &track[from..to]);
        self.places.push(values, magnitudes, self.seen);
        self.spectrum.sums([values, magnitudes, squares]);
        self.stretches.push(now);
        self.slow.push([values, magnitudes]);
        self.longest.push(&self.codes[..to], from);
        self.strided.push(&self.codes[..to], from);
        self.long.push(now, self.less);
        let before = from - self.repeats.pending();
        self.repeats.push(&self.codes[before..to], self.seen + (to - from) as u64);
        if chosen {
            self.lags.some(&self.codes, &self.tracks, place);
            self.patterns.push(now);
            self.spectrum.push(values, magnitudes);
        }
        self.seen += (to - from) as u64;
        self.done = to;
        if to + WINDOW > ROOM {
            for track in self.tracks.iter_mut().chain([&mut self.codes]) {
                track.copy_within(to - HISTORY..to, 0);
            }
            (self.filled, self.done) = (HISTORY, HISTORY);
        }
    }
}
