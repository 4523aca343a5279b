//! [`ProposalStore`] for Falcon's SamplerZ.
//!
//! Algorithm 15 accepts a proposal if the draw u is below σ_min/σ'·exp(-x), and:
//!
//! ```text
//! (z - f)²/σ'² + 2 ln(σ'/σ_min) < -2 ln u + z0²/1.8205²
//! ```

use super::{BASE_INVERSE, RCDT, SamplerZ, SmallWidth};
use crate::arch::{Backend, Kernel};
use crate::bits::BitSource;
use crate::params::FixedPoint;
use crate::product::high;
use crate::samplers::common::log::{double_log, product};
use crate::samplers::common::store::{MARGIN, ProposalStore, Propose, STORE, chunks, chunks_mut};

/// Proposals of a kernel.
const LANES: usize = 16;

/// 1/1.8205² in units of 2^-52.
const BASE: u64 = (BASE_INVERSE >> 63) as u64;

/// RCDT's entries, the leading 63 bits and the other 9.
const SPLIT: [[i64; 2]; RCDT.len()] = {
    let (mut split, mut i) = ([[0; 2]; RCDT.len()], 0);
    while i < RCDT.len() {
        split[i] = [(RCDT[i] >> 9) as i64, (RCDT[i] & 511) as i64];
        i += 1;
    }
    split
};

/// Proposals from pairs of words: their places, lows and highs.
struct Prepare<'a> {
    words: [&'a [u64; LANES]; 2],
    out: [&'a mut [u64; LANES]; 3],
}

impl Kernel for Prepare<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Prepare { words: [v, rest], out: [places, lows, highs] } = self;
        let leading = v.map(|v| (v >> 1).cast_signed());
        let others: [i64; LANES] = core::array::from_fn(|i| ((v[i] & 1) << 8 | rest[i] & 0xff).cast_signed());
        let mut z0 = [0_i64; LANES];
        for [threshold, further] in SPLIT {
            for i in 0..LANES {
                z0[i] += i64::from(threshold + i64::from(further > others[i]) > leading[i]);
            }
        }
        for i in 0..LANES {
            let z0 = z0[i].cast_unsigned();
            let square = product(z0, z0);
            let base = (product(square, BASE >> 32) << 32) + product(square, BASE);
            let draw = rest[i] & !511 | 256;
            places[i] = z0 << 58 | rest[i] >> 8 & 1;
            let (log, unit) = double_log(draw);
            let edge = log + base;
            // The draw is a cell of width 2^-55, at most 2^-(54 - zeros) of u. Where it begins at 0, nothing is far.
            let all = ((rest[i] >> 9).wrapping_sub(1) >> 63) << 62;
            let margin = MARGIN + unit + all;
            (lows[i], highs[i]) = (edge.wrapping_sub(margin), edge + margin);
        }
    }
}

impl Propose for SamplerZ {
    type Width = SmallWidth;

    #[inline(always)]
    fn shift(&self) -> u32 {
        0
    }

    fn draw<B: BitSource + ?Sized>(&self, bits: &mut B, words: [&mut [u64; STORE]; 2]) {
        words.into_iter().for_each(|words| bits.words(words));
    }

    fn prepare(&self, backend: Backend, words: [&[u64; STORE]; 2], out: [&mut [u64; STORE]; 3]) {
        let ([v, rest], [places, lows, highs]) = (words.map(chunks), out.map(chunks_mut));
        for i in 0..STORE / LANES {
            backend.run(Prepare { words: [&v[i], &rest[i]], out: [&mut places[i], &mut lows[i], &mut highs[i]] });
        }
    }

    #[inline(always)]
    fn side(distance: u64, width: SmallWidth) -> u64 {
        let ratio = high(distance, width.inverse);
        high(ratio, ratio) + width.lift
    }
}

impl<B: BitSource> ProposalStore<SamplerZ, B> {
    /// Returns one sample of D_{Z,σ',c}, within the bound of [`SamplerZ`].
    ///
    /// ```
    /// use samplez_core::{FixedPoint, bits::BitReader};
    /// use samplez_core::samplers::{ProposalStore, SamplerZ};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let falcon = SamplerZ::FALCON_1024;
    /// let width = falcon.width_of_inverse(0.59).ok_or("a width")?;
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
    /// let mut store = ProposalStore::new(falcon, &mut bits);
    /// let center = FixedPoint::from_f64(1e6 + 0.5).ok_or("a center")?;
    /// assert!((0..1000).all(|_| store.round(center, width).abs_diff(1_000_000) < 20));
    /// # Ok::<(), &str>(())
    /// ```
    #[inline]
    pub fn round(&mut self, center: FixedPoint, width: SmallWidth) -> i64 {
        self.settled(center, width, |_, words, bits| settle(width, center.fraction(), words, bits))
    }
}

/// z of the trial of a batch, less ⌊c⌋, if it accepts.
#[cold]
#[inline(never)]
fn settle<B: BitSource + ?Sized>(width: SmallWidth, fraction: u64, words: [u64; 2], bits: &mut B) -> Option<i64> {
    let (value, threshold) = SamplerZ::trial_of(width, fraction, words);
    let (draw, goal) = (words[1] >> 9, threshold >> 9);
    let is_equal = bits.declassify(u32::from(draw == goal)) != 0;
    let accepted = if is_equal { bits.bits(9) < threshold & 0x1ff } else { draw < goal };
    (bits.declassify(accepted.into()) != 0).then_some(value)
}

#[cfg(test)]
mod tests;
