//! The stream of codes, cut into windows.

use super::lags::{Lags, NEAR, Place, add_alike, add_equal, add_products};
use super::long::{Energies, Long};
use super::longest::Longest;
use super::patterns::Patterns;
use super::places::Places;
use super::repeats::Repeats;
use super::residues::Residues;
use super::shares::{self, Parts, TASKS};
use super::slow::Slow;
use super::spectrum::Spectrum;
use super::stretches::Stretches;
use super::strided::Strided;
use super::window::{WINDOW, mixed};
use crate::coding::{Coding, Series};
use crate::report::VerifyError;
use crate::threads;
use samplez_core::arch::fastest;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The number of windows at the start of a stream that every test looks at.
const HEAD: u64 = 32;

/// Every test looks at one in so many of the later windows.
const ONE_IN: u64 = 32;

/// The farthest lag.
const HISTORY: usize = 1 << 16;

/// The capacity for codes of one thread. The more, the less often they move.
const CAPACITY: usize = 4 * HISTORY;

/// Codes that several threads work on at once.
const BATCH: usize = 1 << 18;

/// The three series, as far back as the codes.
type Tracks = [Vec<i16>; 3];

/// How many of the codes before a window its parts see, if the stream has `seen` codes before it.
const fn history(seen: u64) -> usize {
    if seen < 2 * HISTORY as u64 { seen as usize } else { HISTORY + seen as usize % HISTORY }
}

#[derive(Clone, Debug)]
pub(in super::super) struct Order {
    less: [i16; 3],
    threads: NonZeroUsize,
    /// Bit i: whether it has the i-th task.
    tasks: u32,
    /// Codes, the last of which are not worked on yet: when the capacity is used up, the last ones move to the front.
    codes: Vec<i16>,
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
    pub(in super::super) residues: Residues,
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
            threads: NonZeroUsize::MIN,
            tasks: shares::ALL,
            codes: vec![0; CAPACITY],
            tracks: core::array::from_fn(|_| vec![0; CAPACITY]),
            filled: 0,
            done: 0,
            seen: 0,
            chosen: 0,
            merged: Vec::new(),
            lags: Lags::default(),
            patterns: Patterns::default(),
            places: Places::default(),
            residues: Residues::new(coding),
            spectrum: Spectrum::default(),
            stretches: Stretches::default(),
            slow: Slow::default(),
            longest: Longest::default(),
            strided: Strided::new(coding, repeats.kinds()[0].length),
            long: Long::default(),
            repeats,
        }
    }

    /// Works on as many threads, from now on.
    pub(in super::super) fn set_threads(&mut self, threads: NonZeroUsize) {
        self.threads = threads;
        let capacity = if self.is_parallel() { 2 * HISTORY + BATCH } else { CAPACITY };
        for track in self.tracks.iter_mut().chain([&mut self.codes]) {
            track.resize(capacity.max(track.len()), 0);
        }
        self.settle();
    }

    /// Works on one of so many shares of the tests, from now on.
    pub(in super::super) fn set_share(&mut self, share: usize, of: usize) {
        self.tasks = shares::tasks(share, of);
    }

    /// Adds this stream's state to words, as a share that is not the first has it.
    pub(in super::super) fn share(&self, words: &mut Vec<u64>) {
        let Order { tasks, lags, patterns, spectrum, stretches, longest, seen, .. } = self.ended();
        words.extend([u64::from(tasks), seen]);
        Parts { lags, patterns, spectrum, stretches, longest }.each(&mut |word| words.push(*word));
    }

    /// Takes in the state of another share of this stream, which has ended. `None`: words are missing, or it has another length or tasks
    /// that are here already.
    fn join(&mut self, words: &mut core::slice::Iter<'_, u64>) -> Option<()> {
        let (mut parts, mut is_whole) = (Parts::default(), true);
        let tasks = u32::try_from(*words.next()?).ok().filter(|tasks| tasks & self.tasks == 0)?;
        words.next().filter(|seen| **seen == self.seen)?;
        parts.each(&mut |word| match words.next() {
            Some(next) => *word = *next,
            None => is_whole = false,
        });
        if !is_whole {
            return None;
        }
        self.lags.merge(&parts.lags);
        self.patterns.merge(&parts.patterns);
        self.spectrum.merge(&parts.spectrum);
        self.stretches.merge(&parts.stretches);
        self.longest.merge(&parts.longest);
        self.tasks |= tasks;
        Some(())
    }

    /// This stream, ended, with the state of all other shares.
    ///
    /// # Errors
    ///
    /// A share is missing, comes twice, or is of another stream or version.
    pub(in super::super) fn joined<'a>(&self, others: impl Iterator<Item = &'a [u64]>) -> Result<Order, VerifyError> {
        let mut order = self.ended();
        for words in others {
            order.join_all(words)?;
        }
        if order.tasks == shares::ALL { Ok(order) } else { Err(VerifyError::OtherShare) }
    }

    /// Takes in the state of another share, which has no other words.
    fn join_all(&mut self, words: &[u64]) -> Result<(), VerifyError> {
        let mut words = words.iter();
        self.join(&mut words).filter(|()| words.next().is_none()).ok_or(VerifyError::OtherShare)
    }

    fn is_parallel(&self) -> bool {
        self.threads > NonZeroUsize::MIN
    }

    /// Takes in the codes that follow.
    pub(in super::super) fn push(&mut self, mut codes: &[i16]) {
        while !codes.is_empty() {
            let batch = if self.is_parallel() || self.filled - self.done >= WINDOW { BATCH } else { WINDOW };
            let free = (self.done + batch - self.filled).min(codes.len());
            let (now, later) = codes.split_at(free);
            let to = self.filled..self.filled + free;
            self.codes[to.clone()].copy_from_slice(now);
            let (tracks, less) = (&mut self.tracks, self.less);
            fastest(
                #[inline(always)]
                || {
                    for ((series, less), track) in Series::ALL.into_iter().zip(less).zip(tracks) {
                        for (out, code) in track[to.clone()].iter_mut().zip(now) {
                            *out = series.value(*code, less);
                        }
                    }
                },
            );
            self.filled += free;
            codes = later;
            if self.filled == self.done + batch {
                self.work();
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
        self.residues.merge(&other.residues);
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
            ended.work();
        }
        ended
    }

    /// The lengths of all streams. Only of one that has ended.
    pub(in super::super) fn lengths(&self) -> impl Iterator<Item = u64> + '_ {
        self.merged.iter().copied().chain([self.seen])
    }

    /// The windows from `done` to `filled`.
    fn windows(&mut self) -> Vec<Place> {
        let mut windows = Vec::with_capacity((self.filled - self.done).div_ceil(WINDOW));
        while self.done < self.filled {
            let (from, to) = (self.done, (self.done + WINDOW).min(self.filled));
            let number = self.seen / WINDOW as u64;
            let chosen = number < HEAD || mixed(number).is_multiple_of(ONE_IN);
            self.chosen = self.chosen << 1 | u32::from(chosen);
            windows.push(Place { from, to, seen: self.seen, chosen: self.chosen });
            self.seen += (to - from) as u64;
            self.done = to;
        }
        windows
    }

    /// Works on the codes from `done` to `filled`. Each part sees the windows in their order, on any number of threads.
    fn work(&mut self) {
        let windows = self.windows();
        let all = || windows.iter().copied();
        let chosen = || all().filter(Place::is_chosen);
        let (codes, less) = (self.codes.as_slice(), self.less);
        let [values, magnitudes, squares] = self.tracks.each_ref().map(Vec::as_slice);
        let Lags { products: [of_values, of_magnitudes, of_squares], equal, alike } = &mut self.lags;
        let (near, far) = of_values.split_at_mut(NEAR);
        let (nearest, nearer) = near.split_at_mut(NEAR / 2);
        let (next, farther) = equal.split_at_mut(1);
        // The longest first.
        let tasks: [&mut (dyn FnMut() + Send); TASKS] = [
            &mut || all().for_each(|window| self.long.push(&codes[window.from..window.to], less)),
            &mut || {
                all().for_each(|window| {
                    fastest(
                        #[inline(always)]
                        || add_products(nearest, 0, values, window.every()),
                    )
                })
            },
            &mut || {
                all().for_each(|window| {
                    fastest(
                        #[inline(always)]
                        || add_products(nearer, NEAR / 2, values, window.every()),
                    )
                })
            },
            &mut || {
                for window in chosen() {
                    fastest(
                        #[inline(always)]
                        || add_products(of_magnitudes, 0, magnitudes, window),
                    );
                    fastest(
                        #[inline(always)]
                        || add_products(of_squares, 0, squares, window),
                    );
                }
            },
            &mut || {
                for window in chosen() {
                    fastest(
                        #[inline(always)]
                        || add_products(far, NEAR, values, window),
                    );
                    fastest(
                        #[inline(always)]
                        || add_equal(farther, 1, codes, window),
                    );
                }
            },
            &mut || {
                for window in all() {
                    let from = window.from - history(window.seen);
                    fastest(
                        #[inline(always)]
                        || self.strided.push(&codes[from..window.to], window.from - from),
                    );
                }
            },
            &mut || {
                for window in all() {
                    let before = window.from - self.repeats.pending();
                    let end = window.seen + (window.to - window.from) as u64;
                    fastest(
                        #[inline(always)]
                        || self.repeats.push(&codes[before..window.to], end),
                    );
                }
            },
            &mut || {
                for window in all() {
                    let now = window.from..window.to;
                    let [values, magnitudes, squares] = [values, magnitudes, squares].map(|track| &track[now.clone()]);
                    fastest(
                        #[inline(always)]
                        || self.spectrum.sums([values, magnitudes, squares]),
                    );
                    if window.is_chosen() {
                        fastest(
                            #[inline(always)]
                            || self.spectrum.push(values, magnitudes),
                        );
                    }
                }
            },
            &mut || {
                for window in all() {
                    let now = window.from..window.to;
                    let (codes, values, magnitudes) = (&codes[now.clone()], &values[now.clone()], &magnitudes[now]);
                    fastest(
                        #[inline(always)]
                        || self.residues.push(codes, window.seen, window.is_chosen()),
                    );
                    fastest(
                        #[inline(always)]
                        || self.places.push(values, magnitudes, window.seen),
                    );
                    fastest(
                        #[inline(always)]
                        || self.slow.push([values, magnitudes]),
                    );
                }
            },
            &mut || {
                for window in all() {
                    fastest(
                        #[inline(always)]
                        || add_equal(next, 0, codes, window.every()),
                    );
                    fastest(
                        #[inline(always)]
                        || add_alike(alike, codes, window.every()),
                    );
                    fastest(
                        #[inline(always)]
                        || self.stretches.push(&codes[window.from..window.to]),
                    );
                }
            },
            &mut || {
                for window in all() {
                    let from = window.from - history(window.seen);
                    fastest(
                        #[inline(always)]
                        || self.longest.push(&codes[from..window.to], window.from - from),
                    );
                    if window.is_chosen() {
                        fastest(
                            #[inline(always)]
                            || self.patterns.push(&codes[window.from..window.to]),
                        );
                    }
                }
            },
        ];
        let mut own: Vec<_> =
            (0..).zip(tasks).filter(|(i, _)| self.tasks >> i & 1 == 1).map(|(_, task)| task).collect();
        threads::run(self.threads, &mut own);
        self.settle();
    }

    /// Makes place for more codes.
    fn settle(&mut self) {
        let (batch, kept) = (if self.is_parallel() { BATCH } else { WINDOW }, history(self.seen));
        if self.done + batch <= self.codes.len() {
            return;
        }
        for track in self.tracks.iter_mut().chain([&mut self.codes]) {
            track.copy_within(self.done - kept..self.filled, 0);
        }
        (self.filled, self.done) = (kept + self.filled - self.done, kept);
    }
}
