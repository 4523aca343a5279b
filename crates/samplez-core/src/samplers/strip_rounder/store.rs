//! [`ProposalStore`] for strips.
//!
//! A trial accepts if v less its strip's lower end, as a part of 1, is below S·σ_min/σ·2^-E, E = (z - f)²·log2(e)/2σ², and:
//!
//! ```text
//! E + log2(σ/σ_min) + 1 < -log2(v - lower) + log2(S) + 1
//! ```

use super::close::{Estimate, Settle};
use super::{Refine, StripRounder, StripWidth};
use crate::arch::isochronous::Envelope;
use crate::arch::{Backend, Kernel};
use crate::bits::BitSource;
use crate::params::FixedPoint;
use crate::product::high;
use crate::samplers::common::log::{double_log, product};
use crate::samplers::common::store::{MARGIN, ProposalStore, Propose, STORE, chunks, chunks_mut};

/// Proposals of a kernel.
const LANES: usize = 32;

/// 1/(2 ln 2) in units of 2^-64: as many bits are in a number of twice the natural logarithm 1.
const BITS: u64 = 0xb8aa_3b29_5c17_f0bc;

/// Proposals from words: their places, lows and highs.
struct Prepare<'a> {
    envelope: &'a Envelope,
    /// -2 ln S in units of 2^-52.
    height: u64,
    words: [&'a [u64; LANES]; 2],
    out: [&'a mut [u64; LANES]; 3],
}

/// The product over 2^64, less at most 3, from the products of halves.
#[inline(always)]
const fn upper(a: u64, b: u64) -> u64 {
    product(a >> 32, b >> 32) + (product(a >> 32, b) >> 32) + (product(a, b >> 32) >> 32)
}

impl Kernel for Prepare<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Prepare { envelope, height, words: [words, parts], out: [places, lows, highs] } = self;
        // [`Envelope::strip`], in lanes of 16 bits
        let lead = words.map(|word| (word >> 48) as u16);
        let excess = lead.map(|h| h.saturating_sub(envelope.ones));
        let (mut z0, mut above) = (lead.map(|h| envelope.ones.saturating_sub(h)), excess);
        for key in envelope.keys {
            for i in 0..LANES {
                z0[i] += u16::from(key > excess[i]);
                above[i] = above[i].min(excess[i].wrapping_sub(key));
            }
        }
        let (shift, height) = (envelope.shift & 31, upper(height, BITS));
        for i in 0..LANES {
            let rest = (u64::from(above[i]) << 48 | words[i] << 16 >> 16) >> 1;
            let draw = rest << 1 | 1;
            let x = u64::from(z0[i]) << shift | parts[i] & ((1 << shift) - 1);
            places[i] = x << (58 - shift) | words[i] & 1;
            let (log, unit) = double_log(draw);
            let edge = (1 << 52) + upper(log, BITS) - height;
            // The rest is a cell of width 2^-63, a part of at most 2^(zeros - 62) of itself. Where it begins at 0, nothing is far.
            let all = (rest.wrapping_sub(1) >> 63) << 62;
            let margin = MARGIN + (unit >> 6) + all;
            (lows[i], highs[i]) = (edge.wrapping_sub(margin), edge + margin);
        }
    }
}

impl Propose for StripRounder {
    type Width = StripWidth;

    #[inline(always)]
    fn shift(&self) -> u32 {
        self.envelope.shift
    }

    fn draw<B: BitSource + ?Sized>(&self, bits: &mut B, [words, parts]: [&mut [u64; STORE]; 2]) {
        bits.words(words);
        if self.envelope.shift > 0 {
            for low in parts {
                *low = bits.bits(32);
            }
        }
    }

    fn prepare(&self, backend: Backend, words: [&[u64; STORE]; 2], out: [&mut [u64; STORE]; 3]) {
        let (height, _) = double_log(self.height << 32);
        let ([words, parts], [places, lows, highs]) = (words.map(chunks), out.map(chunks_mut));
        for i in 0..STORE / LANES {
            let (words, out) = ([&words[i], &parts[i]], [&mut places[i], &mut lows[i], &mut highs[i]]);
            backend.run(Prepare { envelope: &self.envelope, height, words, out });
        }
    }

    #[inline(always)]
    fn side(distance: u64, width: StripWidth) -> u64 {
        high(high(distance, distance), width.square << 1) + (width.lift >> 3)
    }
}

impl<B: BitSource> ProposalStore<StripRounder, B> {
    /// Returns one sample of D_{Z,σ,c}, within the bound of [`StripRounder`].
    ///
    /// # Panics
    ///
    /// If the width is of a rounder of another range.
    #[inline]
    pub fn round(&mut self, center: FixedPoint, width: StripWidth) -> i64 {
        self.rounder().check(width);
        self.settled(center, width, |rounder, words, bits| judge(rounder, (center, width), words, &Estimate, bits))
    }

    /// Returns one sample of D_{Z,σ,c} itself, as [`StripRounder::round_refined`].
    ///
    /// # Panics
    ///
    /// If the width is of a rounder of another range.
    #[inline]
    pub fn round_refined<R: Refine>(&mut self, center: FixedPoint, width: StripWidth, refine: impl Fn() -> R) -> i64 {
        self.rounder().check(width);
        self.settled(center, width, |rounder, words, bits| {
            let (calls, refine) = ([(center, width)], |_| refine());
            judge(rounder, (center, width), words, &rounder.exactly(&calls, &refine), bits)
        })
    }
}

/// z of the trial of these words, less ⌊c⌋, if it is accepted.
#[cold]
#[inline(never)]
fn judge<S: Settle, B: BitSource + ?Sized>(
    rounder: &StripRounder,
    (center, width): (FixedPoint, StripWidth),
    [word, low]: [u64; 2],
    settle: &S,
    bits: &mut B,
) -> Option<i64> {
    let trial = rounder.envelope.trial(&width.call(center.fraction()), word, low);
    let (is_below, is_close) = trial.call_verdict();
    if bits.declassify(is_close.into()) != 0 {
        return settle.settle(0, &trial, bits);
    }
    (bits.declassify(is_below.into()) != 0).then_some(trial.value.into())
}

#[cfg(test)]
mod tests;
