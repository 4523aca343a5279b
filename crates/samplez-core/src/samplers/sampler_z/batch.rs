//! Many centres at once: the same law as call by call, another order of the random words.
//!
//! Up to 256 centres make a group. Each pass gives every centre of the group that has no
//! sample yet one trial, in their order; a trial takes two words:
//!
//! | bits | of | for |
//! |---|---|---|
//! | 64 | the first word | the leading bits of BaseSampler's v |
//! | 0..8 | the second | its other bits |
//! | 8 | | b |
//! | 9..64 | | the leading bits of the draw that is compared with the probability |
//!
//! A draw that equals the leading 55 bits of the probability (2^-55) takes 9 bits more, after the
//! words of its pass. The trials of a pass are one [`Kernel`], eight at a time.
//!
//! Isochronous: how many passes a centre waits is independent of its sample; whether a comparison
//! took 9 bits more is so within 2^-54.

use super::{BASE_INVERSE, RCDT, SamplerZ, SmallWidth};
use crate::arch::{Backend, Kernel};
use crate::bits::BitSource;
use crate::params::FixedPoint;
use crate::product::{full, high};
use crate::samplers::common::fixed_exp::{exp_neg_lanes, less, shift_right};
use zeroize::Zeroize;

/// Trials in a kernel.
pub(super) const TRIALS: usize = 8;
/// Centres in a group.
const GROUP: usize = 256;

type Lanes = [u64; TRIALS];

/// Eight trials: from words, centres and widths to z and the probability in 2^-64.
#[derive(Clone, Copy)]
pub(super) struct Trials {
    pub(super) high: Lanes,
    pub(super) low: Lanes,
    pub(super) fraction: Lanes,
    pub(super) inverse: Lanes,
    pub(super) scale: Lanes,
}

impl Kernel for Trials {
    type Output = ([i64; TRIALS], Lanes);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut z0 = [0; TRIALS];
        for threshold in RCDT {
            let (high, low) = ((threshold >> 8) as u64, threshold as u64 & 0xff);
            for (z0, (v, rest)) in z0.iter_mut().zip(self.high.iter().zip(&self.low)) {
                *z0 += u64::from((*v < high) | ((*v == high) & (*rest & 0xff < low)));
            }
        }
        let (mut z, mut exponent) = ([0; TRIALS], [0; TRIALS]);
        for i in 0..TRIALS {
            let upper = 0_u64.wrapping_sub(self.low[i] >> 8 & 1); // 0 or all ones
            let f = self.fraction[i];
            // z0 + f, or z0 + 1 - f, in units of 2^-58, rounded down.
            let above = (1 << 58) - (f >> 6) - u64::from(f & 63 != 0);
            let distance = (z0[i] << 58) + (upper & above | !upper & (f >> 6));
            z[i] = (upper & (z0[i] + 1) | !upper & z0[i].wrapping_neg()) as i64;
            let ratio = high(distance, self.inverse[i]);
            exponent[i] = less(full(ratio, ratio) >> 1, u128::from(z0[i] * z0[i]) * BASE_INVERSE);
        }
        let (m, s) = exp_neg_lanes(exponent);
        let mut threshold = [0; TRIALS];
        for i in 0..TRIALS {
            let scaled = (full(m[i], self.scale[i]) >> 63) as u64;
            threshold[i] = shift_right(scaled, s[i]);
        }
        (z, threshold)
    }
}

impl SamplerZ {
    /// Draws one sample for each centre, in passes, of D_{Z,σ',μ} within the declared bound. It is faster than
    /// [`round`](crate::sampler::Rounder::round), and returns other integers. The result is a function of the bits
    /// and of all the centres: cut into other pieces, the centres get other integers.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use samplez_core::{FixedPoint, Rounder, bits::BitReader};
    /// use samplez_core::samplers::SamplerZ;
    /// use samplez_sources::{ChaCha20, Seed};
    /// let sampler = SamplerZ::FALCON_512;
    /// let call = (FixedPoint::from_f64(1e6 + 0.5).unwrap(), sampler.width("1.5".parse()?)?);
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// let mut out = [0; 1000];
    /// sampler.round_batch(&[call; 1000], &mut bits, &mut out);
    /// assert!(out.iter().all(|z| z.abs_diff(1_000_000) < 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn round_batch<B: BitSource + ?Sized>(
        &self,
        centers: &[(FixedPoint, SmallWidth)],
        bits: &mut B,
        out: &mut [i64],
    ) {
        assert_eq!(centers.len(), out.len(), "round_batch: as many results as centers");
        let backend = Backend::current();
        for (centers, out) in centers.chunks(GROUP).zip(out.chunks_mut(GROUP)) {
            group(backend, centers, bits, out);
        }
    }
}

impl SamplerZ {
    /// Eight trials of a batch on this backend: for the tests that no branch and no address
    /// depends on words, width or centres.
    #[cfg(feature = "testing")]
    pub fn trials_by(backend: Backend, width: SmallWidth, words: [[u64; TRIALS]; 3]) -> ([i64; TRIALS], [u64; TRIALS]) {
        let [high, low, fraction] = words;
        backend.run(Trials { high, low, fraction, inverse: [width.inverse; TRIALS], scale: [width.scale; TRIALS] })
    }
}

/// The passes of one group.
fn group<B: BitSource + ?Sized>(backend: Backend, centers: &[(FixedPoint, SmallWidth)], bits: &mut B, out: &mut [i64]) {
    let mut waiting: [u8; GROUP] = core::array::from_fn(|i| i as u8);
    let mut count = centers.len();
    let mut words = [0; 2 * GROUP];
    while count > 0 {
        bits.words(&mut words[..2 * count]);
        let (mut left, mut first) = (0, 0);
        while first < count {
            let lanes = TRIALS.min(count - first);
            let mut trials = Trials {
                high: [0; TRIALS],
                low: [0; TRIALS],
                fraction: [0; TRIALS],
                inverse: [0; TRIALS],
                scale: [0; TRIALS],
            };
            for i in 0..lanes {
                let (center, width) = &centers[usize::from(waiting[first + i])];
                (trials.high[i], trials.low[i]) = (words[2 * (first + i)], words[2 * (first + i) + 1]);
                trials.fraction[i] = center.fraction();
                (trials.inverse[i], trials.scale[i]) = (width.inverse, width.scale);
            }
            let (z, threshold) = backend.run(trials);
            for i in 0..lanes {
                let index = waiting[first + i];
                let (draw, goal) = (trials.low[i] >> 9, threshold[i] >> 9);
                let mut accepted = draw < goal;
                if bits.declassify((draw == goal).into()) != 0 {
                    accepted = bits.bits(9) < threshold[i] & 0x1ff;
                }
                let accepted = bits.declassify(accepted.into()) != 0;
                out[usize::from(index)] = centers[usize::from(index)].0.floor() + z[i];
                // One that is rejected waits for the next pass.
                waiting[left] = index;
                left += usize::from(!accepted);
            }
            first += lanes;
        }
        count = left;
    }
    words.zeroize();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Tape, reader};
    use crate::params::Rational;
    use std::vec;
    use std::vec::Vec;

    /// On every backend a trial is what the calls one by one are made of.
    #[test]
    fn trials_are_the_specification() {
        let sampler = SamplerZ::FALCON_512;
        let mut bits = reader(3);
        for round in 0..20_000_u64 {
            let width = sampler.width(Rational::new(1300 + (round % 500) as i64, 1000).unwrap()).unwrap();
            let mut draw = || core::array::from_fn(|_| bits.bits(64));
            let (mut high, low, mut fraction): (Lanes, Lanes, Lanes) = (draw(), draw(), draw());
            // Far values, equal leading bits, and the ends of the centre's range.
            for i in 0..TRIALS {
                high[i] = match round % 3 {
                    0 => high[i],
                    1 => high[i] >> (high[i] % 64),
                    _ => (RCDT[i * 2] >> 8) as u64,
                };
            }
            (fraction[0], fraction[1], fraction[2]) = (0, u64::MAX, 1 << 63);
            let results =
                Backend::available().map(|backend| SamplerZ::trials_by(backend, width, [high, low, fraction]));
            for (z, threshold) in results {
                for i in 0..TRIALS {
                    assert_eq!((z[i], threshold[i]), SamplerZ::trial(width, fraction[i], [high[i], low[i]]));
                }
            }
        }
    }

    /// A word whose leading 55 bits are those of the probability which its others and the first word make.
    fn on_the_border(call: (FixedPoint, SmallWidth), high: u64, rest: u64) -> u64 {
        let (_, threshold) = SamplerZ::trial(call.1, call.0.fraction(), [high, rest & 0x1ff]);
        threshold >> 9 << 9 | rest & 0x1ff
    }

    /// The passes, one trial at a time, over bits that are made as they are needed: their words, and the samples.
    fn passes(centers: &[(FixedPoint, SmallWidth)], seed: u8) -> (Vec<bool>, Vec<i64>, [usize; 2]) {
        let (mut bits, mut tape, mut borders) = (reader(seed), vec![], [0; 2]);
        let mut samples = vec![0; centers.len()];
        let push = |tape: &mut Vec<bool>, value: u64, n: u32| tape.extend((0..n).map(|i| value >> i & 1 != 0));
        for (start, group) in (0..).step_by(256).zip(centers.chunks(256)) {
            let mut waiting: Vec<usize> = (0..group.len()).collect();
            while !waiting.is_empty() {
                let mut words = vec![];
                for i in &waiting {
                    let (high, mut rest) = (bits.bits(64), bits.bits(64));
                    if bits.bits(2) == 0 {
                        rest = on_the_border(group[*i], high, rest);
                    }
                    push(&mut tape, high, 64);
                    push(&mut tape, rest, 64);
                    words.push([high, rest]);
                }
                let mut later = vec![];
                for (i, [high, rest]) in waiting.into_iter().zip(words) {
                    let (center, width) = group[i];
                    let (z, threshold) = SamplerZ::trial(width, center.fraction(), [high, rest & 0x1ff]);
                    // The draw has 64 bits: 55 of the word, and 9 that are read if those do not decide.
                    let mut draw = rest >> 9 << 9;
                    if draw == threshold >> 9 << 9 {
                        let more = match bits.bits(2) {
                            0 => threshold & 511,
                            1 => (threshold & 511).saturating_sub(1),
                            _ => bits.bits(9),
                        };
                        push(&mut tape, more, 9);
                        draw += more;
                        borders[usize::from(draw < threshold)] += 1;
                    }
                    samples[start + i] = center.floor() + z;
                    if draw >= threshold {
                        later.push(i);
                    }
                }
                waiting = later;
            }
        }
        (tape, samples, borders)
    }

    #[test]
    fn batches_are_passes_of_trials() {
        let (sampler, mut bits) = (SamplerZ::FALCON_1024, reader(8));
        for len in [0, 1, 2, 7, 8, 9, 129, 255, 256, 257, 530] {
            let calls: Vec<_> = (0..len)
                .map(|i| {
                    let width = sampler.width(Rational::new(1300 + (i as i64 * 77) % 500, 1000).unwrap()).unwrap();
                    (FixedPoint::from_parts(i as i64 * 1000 - 9000, bits.bits(64)).unwrap(), width)
                })
                .collect();
            let (tape, samples, borders) = passes(&calls, len as u8);
            assert!(len < 100 || borders.iter().all(|seen| *seen > 10), "{borders:?}");
            let (read, mut tape) = (tape.len(), Tape::new(tape));
            let mut out = vec![i64::MIN; len];
            sampler.round_batch(&calls, &mut tape, &mut out);
            assert_eq!((out, tape.read), (samples, read), "{len}");
        }
    }

    #[test]
    #[should_panic(expected = "as many results as centers")]
    fn results_are_as_many_as_centers() {
        SamplerZ::FALCON_512.round_batch(&[], &mut reader(1), &mut [0]);
    }
}
