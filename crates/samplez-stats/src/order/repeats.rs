//! Sequences that come again, at any distance.
//!
//! Where a value lies far out, a fingerprint is taken of the values from there on. Another is taken of the magnitudes
//! to both sides of it, in either direction, and a third of few values, which some sequences share by chance. A sequence that comes
//! again has its far values at the same places, so its fingerprints come again.
//!
//! At most [`KEPT`] of each kind are kept. When they are too many, only those whose fingerprint ends in one more zero
//! bit are kept, then and from then on. A sequence whose values overlap those of the last one taken is passed over.

use super::window::mixed;
use crate::coding::Coding;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher};

/// Fingerprints kept of each kind.
const KEPT: usize = 1 << 14;

/// Two independent sequences are equal with probability below 2^-[`BITS`].
const BITS: f64 = 96.0;

/// A short sequence equals an independent one that begins far out too with probability below 2^-[`FEW`].
const FEW: f64 = 30.0;

/// The longest sequence.
const LONGEST: usize = 1024;

/// A value lies far out with at most this probability.
const FAR: f64 = 1.0 / 256.0;

#[derive(Clone, Debug)]
pub(in super::super) struct Repeats {
    /// From this |code| on a value lies far out.
    far: i16,
    /// The probability that it does.
    pub(in super::super) share: f64,
    forward: Kind,
    mirrored: Kind,
    short: Kind,
    /// Codes at the end of the stream that were not looked at yet.
    pending: usize,
}

/// Fingerprints of one kind.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Kind {
    /// How long a sequence is; `None` if the law's entropy is too small for one.
    pub(in super::super) length: Option<usize>,
    // The fingerprints are mixed already: a hash without a random key asks the system for nothing.
    seen: HashSet<u128, BuildHasherDefault<DefaultHasher>>,
    /// Zero bits at the end of those that are kept.
    zeros: u32,
    /// Up to here sequences were taken.
    taken: u64,
    /// How many came again.
    pub(in super::super) again: u64,
    /// How many were taken.
    len: u64,
}

impl Repeats {
    pub(super) fn new(coding: &Coding) -> Self {
        let (far, share) = coding.far(FAR);
        let length = |law: Vec<(i16, f64)>, bits: f64| {
            let most = law.iter().map(|(_, p)| *p).fold(0.0, f64::max);
            let length = (bits / -libm::log2(most)).ceil();
            (length <= LONGEST as f64 && share > 1e-9).then_some(length as usize)
        };
        let (forward, mirrored) =
            (length(coding.law(|code| code), BITS), length(coding.sizes(), BITS).map(|length| length | 1));
        // The first value is not as free as the others.
        let short = length(coding.law(|code| code), FEW).map(|length| length + 1);
        Repeats {
            far,
            share,
            forward: Kind { length: forward, ..Kind::default() },
            mirrored: Kind { length: mirrored, ..Kind::default() },
            short: Kind { length: short, ..Kind::default() },
            pending: 0,
        }
    }

    /// How many codes of those pushed before must be passed again.
    pub(super) const fn pending(&self) -> usize {
        self.pending
    }

    /// Codes of which the last is the stream's `end`-th so far: the pending ones, and those that follow.
    #[inline(always)]
    pub(super) fn push(&mut self, codes: &[i16], end: u64) {
        if self.kinds().iter().chain([&self.short()]).all(|kind| kind.length.is_none()) {
            return;
        }
        let start = end - codes.len() as u64;
        // A position wants so many codes on each side.
        let (before, after) = (self.mirrored.length.unwrap_or(0) / 2, self.reach());
        let (mut at, last) = (if start == 0 { 0 } else { before.min(codes.len()) }, codes.len().saturating_sub(after));
        while at < last {
            let stop = (at + 64).min(last);
            let far = codes[at..stop].iter().fold(0, |far: i16, code| far.max(code.wrapping_abs()));
            if far >= self.far {
                for i in at..stop {
                    if codes[i].abs() >= self.far {
                        self.take(codes, i, start);
                    }
                }
            }
            at = stop;
        }
        self.pending = (after + before).min(codes.len());
    }

    fn reach(&self) -> usize {
        let longest = self.forward.length.unwrap_or(0).max(self.short.length.unwrap_or(0));
        longest.max(self.mirrored.length.unwrap_or(0) / 2 + 1)
    }

    fn take(&mut self, codes: &[i16], at: usize, start: u64) {
        if let Some(length) = self.forward.length {
            let sequence = &codes[at..at + length];
            self.forward.see(start + at as u64, start + (at + length) as u64, || fingerprint(sequence.iter().copied()));
        }
        if let Some(length) = self.short.length {
            let sequence = &codes[at..at + length];
            self.short.see(start + at as u64, start + (at + length) as u64, || fingerprint(sequence.iter().copied()));
        }
        let Some(half) = self.mirrored.length.map(|length| length / 2) else { return };
        if at < half {
            return;
        }
        let sequence = &codes[at - half..=at + half];
        self.mirrored.see(start + (at - half) as u64, start + (at + half + 1) as u64, || {
            // Of the two directions, the one that comes first.
            let sizes = || sequence.iter().map(|code| code.wrapping_abs());
            if sizes().le(sizes().rev()) { fingerprint(sizes()) } else { fingerprint(sizes().rev()) }
        });
    }

    pub(super) fn merge(&mut self, other: &Repeats) {
        self.forward.merge(&other.forward);
        self.mirrored.merge(&other.mirrored);
        self.short.merge(&other.short);
    }

    /// Sequences in order, then mirrored magnitudes.
    pub(in super::super) fn kinds(&self) -> [&Kind; 2] {
        [&self.forward, &self.mirrored]
    }

    /// Short sequences.
    pub(in super::super) const fn short(&self) -> &Kind {
        &self.short
    }
}

impl Kind {
    /// A short sequence equals an independent one with at most this probability.
    pub(in super::super) const SHORT: f64 = 1.0 / (1_u64 << FEW as u32) as f64;

    fn see(&mut self, from: u64, to: u64, print: impl Fn() -> u128) {
        if from < self.taken {
            return;
        }
        self.taken = to;
        self.len += 1;
        self.keep(print());
    }

    fn keep(&mut self, print: u128) {
        if print.trailing_zeros() < self.zeros {
            return;
        }
        if !self.seen.insert(print) {
            self.again += 1;
        }
        while self.seen.len() > KEPT {
            self.zeros += 1;
            self.seen.retain(|print| print.trailing_zeros() >= self.zeros);
        }
    }

    fn merge(&mut self, other: &Kind) {
        self.again += other.again;
        self.len += other.len;
        self.zeros = self.zeros.max(other.zeros);
        self.seen.retain(|print| print.trailing_zeros() >= self.zeros);
        other.seen.iter().for_each(|print| self.keep(*print));
    }

    /// How many of the second's sequences are among the first's, and of how many: only those that both would keep.
    pub(in super::super) fn shared(first: &Kind, second: &Kind) -> (u64, u64) {
        let zeros = first.zeros.max(second.zeros);
        let kept = second.seen.iter().filter(|print| print.trailing_zeros() >= zeros);
        (kept.clone().filter(|print| first.seen.contains(*print)).count() as u64, kept.count() as u64)
    }

    /// Returns a bound of the probability that any of n sequences equals one that is kept. Each value of a later
    /// sequence has to be one value of an earlier one, or of its mirror image.
    pub(in super::super) fn bound(n: u64) -> f64 {
        (n as f64 * KEPT as f64 * 2.0 * libm::exp2(-BITS)).min(1.0)
    }

    /// Of short sequences: a bound of the number of pairs that were compared, and of those with one sequence. Of two streams, a sequence
    /// is compared with those kept of each.
    pub(in super::super) fn compared(&self) -> [f64; 2] {
        let most = (self.len as f64).min(2.0 * KEPT as f64);
        [self.len as f64 * most, most]
    }

    /// Of all sequences so far, the share whose fingerprints are kept.
    pub(in super::super) fn kept(&self) -> f64 {
        2_f64.powi(-(self.zeros as i32))
    }
}

/// 128 bits of a sequence: Σ key·code, mixed one to one, because its last bits decide what is kept. Two different
/// sequences share it for at most 2^-112 of all keys, because their codes differ by less than 2^16.
fn fingerprint(codes: impl Iterator<Item = i16>) -> u128 {
    let term = |(code, key): (i16, &u128)| key.wrapping_mul(u128::from(code as u16));
    let sum = codes.zip(&KEYS).map(term).fold(0_u128, u128::wrapping_add);
    let (high, low) = ((sum >> 64) as u64, sum as u64);
    u128::from(high) << 64 | u128::from(mixed(low ^ mixed(high)))
}

/// Odd numbers of 128 bits without a pattern.
static KEYS: [u128; LONGEST + 1] = {
    let (mut keys, mut i) = ([0; LONGEST + 1], 0);
    while i < keys.len() {
        keys[i] = (mixed(2 * i as u64) as u128) << 64 | mixed(2 * i as u64 + 1) as u128 | 1;
        i += 1;
    }
    keys
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Target;
    use samplez_core::DiscreteGaussian;

    fn repeats() -> Repeats {
        let law = DiscreteGaussian::with_sigma("20".parse().unwrap()).unwrap();
        Repeats::new(&Coding::of_law(&Target::new(&(&law).into()).unwrap()))
    }

    /// Sums of twelve uniform codes: about normal, with the deviation of the law's codes.
    fn noise(seed: u64, n: u64) -> Vec<i16> {
        let uniform = |i| (mixed(seed << 32 | i) >> 40) as f64 / (1 << 24) as f64 - 0.5;
        (0..n).map(|i| ((0..12).map(|j| uniform(12 * i + j)).sum::<f64>() * 108.0) as i16).collect()
    }

    fn pushed(repeats: &mut Repeats, codes: &[i16]) {
        let mut end = 0;
        while end < codes.len() {
            let from = end - repeats.pending();
            end = (end + 4096).min(codes.len());
            repeats.push(&codes[from..end], end as u64);
        }
    }

    #[test]
    fn repeats_are_seen_at_any_distance_and_mirrored() {
        let codes = noise(1, 50_000);
        let mut fresh = repeats();
        pushed(&mut fresh, &codes);
        assert_eq!(fresh.kinds().map(|kind| kind.again), [0, 0]);
        let taken = fresh.kinds().map(|kind| kind.seen.len());
        assert!(taken[0] > 50 && taken[1] > 50 && fresh.share > 1e-3 && fresh.share <= FAR, "{taken:?}");

        let mut twice = fresh.clone();
        twice.merge(&fresh);
        assert_eq!(twice.kinds().map(|kind| kind.again), taken.map(|taken| taken as u64));

        let mirrored: Vec<i16> = codes[10_000..20_000].iter().rev().map(|code| -code).collect();
        let mut turned = repeats();
        pushed(&mut turned, &[&codes, &mirrored[..]].concat());
        let [forward, mirror] = turned.kinds().map(|kind| kind.again);
        assert!(forward == 0 && mirror > 10, "{forward} {mirror}");
    }

    #[test]
    fn memory_is_bounded_and_later_repeats_are_seen() {
        let mut kind = Kind { length: Some(10), ..Kind::default() };
        for i in 0..200_000_u64 {
            kind.keep(fingerprint([i as i16, (i >> 16) as i16].into_iter()));
        }
        assert!(kind.seen.len() <= KEPT && kind.seen.len() > KEPT / 3 && kind.again == 0);
        assert!(kind.kept() <= KEPT as f64 / 200_000.0 * 2.0);
        for i in 100_000..200_000_u64 {
            kind.keep(fingerprint([i as i16, (i >> 16) as i16].into_iter()));
        }
        assert!(kind.again > KEPT as u64 / 6, "{}", kind.again);
    }
}
