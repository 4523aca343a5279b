/// Exact samples of wide laws, from exact samples of a narrower one.
///
/// Paper: \[HPRR20\] for the base; the steps below have none. Proof: docs/proofs/wide.md.
///
/// | Law        | D_{Z,σ,c} itself, if the base and `R` are exact |
/// | Bits       | the base's bits and 64, or 128 from σ = 2^41 on. About one of 2^19 proposals is rejected, and draws all bits again |
/// | Memory     | 1 KB with its base, for any σ |
/// | Timing     | Isochronous, as the base: the number of proposals is independent of the samples. Whether V needs more digits is independent of them within 2^-47 a sample. Evidence: SECURITY.md |
/// | Parameters | σ in every form, 2^26 < σ <= 2^58; rational c, \|c\| <= 2^62 |
///
/// σ₁ is an integer of about σ/2^L, and a little more. With c = a + f for an integer a and |f| <= 1/2:
///
/// ```text
/// 1  y ← D_{Z,σ₁};  u ← {-2^(L-1), …, 2^(L-1) - 1};  x ← a + 2^L·y + u
/// 2  accept with probability exp(-E), E = (x - c)²/2σ² - y²/2σ₁² + 2^-31 >= 0, else 1
/// 3  return x
/// ```
///
/// Every x has one y and one u. The product of the probabilities of y, u and step 2 is exp(-(x - c)²/2σ²) times a constant. So
/// the law is exact if step 2 is. That compares a uniform number V with 1 - exp(-E), and draws as many digits as this needs. 48 digits come with every proposal, and decide it by arithmetic in constant time, except with a probability of
/// 2^-48. E is small: about one of 2^19 proposals is rejected.
///
/// The stream of a fill: batches of up to 2048. First the base's samples y. Then for each 256 proposals one word of
/// each, or two if L > 16. The highest 48 bits are V's, and the lowest L are u + 2^(L-1). Then further words of V, and a single sample in
/// place of a rejected one, in the order of the proposals. A single sample is a single sample of the base, its
/// words, and words of V, as often as it is rejected.
///
/// The sampler. `samplez_tables::build_wide` makes its trials, and has an example.
#[derive(Clone, Debug)]
pub struct Wide<N, R> {
    target: DiscreteGaussian,
    base: N,
    trial: WideTrial,
    refine: R,
    /// a - 2^(L-1).
    origin: i64,
}

mod trial;

use crate::bits::{BitReader, BitSource, alarm};
use crate::noise::Noise;
use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Slots};
use core::ops::RangeInclusive;
use rand_core::Rng;
use trial::LEAD;
pub use trial::{WideRefine, WideTrial, WideVerdict};
use zeroize::Zeroizing;

/// Samples that a fill makes together.
const BATCH: usize = 2048;
/// Proposals whose words are drawn together.
const ROW: usize = 256;
/// Proposals whose verdict is public together, if all are accepted.
const GROUP: usize = 64;
/// The largest L: every x with |y| <= 15σ₁ fits an `i64`.
const MAX_SHIFT: u32 = 33;
/// The largest magnitude of a centre's floor.
const MAX_CENTER: u64 = 1 << 62;

impl<N: Noise, R: WideRefine> Wide<N, R> {
    /// Builds the sampler of this law by these trials, whose y have the law D_{Z,σ₁} of `base`.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless σ <= 2^58 and the centre's floor is between -2^62 and 2^62.
    pub fn new(law: DiscreteGaussian, base: N, trial: WideTrial, refine: R) -> Result<Self, ParamError> {
        let (width, center) = (law.width(), law.center());
        let refused = |argument, value, allowed| ParamError::Unsupported { method: "wide", argument, value, allowed };
        if trial.shift() > MAX_SHIFT {
            return Err(refused(width.name(), width.value(), "2^26 < sigma <= 2^58"));
        }
        if center.floor().unsigned_abs() > MAX_CENTER {
            return Err(refused("center", center, "|center| <= 2^62"));
        }
        let origin = center.nearest() - (1 << (trial.shift() - 1));
        Ok(Wide { target: law, base, trial, refine, origin })
    }

    /// u + 2^(L-1) and V of a proposal's words.
    #[inline(always)]
    fn parts(&self, words: &[u64]) -> (u64, u64) {
        (words[0] & ((1 << self.trial.shift()) - 1), words[words.len() - 1] >> (64 - LEAD))
    }

    /// x for |y| <= 15σ₁.
    #[inline(always)]
    fn value(&self, y: i64, low: u64) -> i64 {
        self.origin.wrapping_add(y << self.trial.shift()).wrapping_add(low as i64)
    }

    /// x for any y, if it fits.
    fn checked(&self, y: i64, low: u64) -> Option<i64> {
        let x = i128::from(self.origin) + (i128::from(y) << self.trial.shift()) + i128::from(low);
        let is_beyond = x != i128::from(x as i64);
        if alarm(is_beyond) { None } else { Some(x as i64) }
    }

    /// Step 2.
    fn accepts<B: BitSource + ?Sized>(&self, y: i64, words: &[u64], bits: &mut B) -> bool {
        let (low, lead) = self.parts(words);
        self.trial.accepts(&self.refine, y, &[low], lead, bits)
    }

    /// A sample, if it fits, of values of `base`.
    fn one<B: BitSource + ?Sized>(&self, bits: &mut B, base: impl Fn(&mut B) -> i64) -> Option<i64> {
        let mut words = Zeroizing::new([0; 2]);
        let words = &mut words[..self.trial.words()];
        loop {
            let y = base(bits);
            bits.words(words);
            if self.accepts(y, words, bits) {
                return self.checked(y, self.parts(words).0);
            }
        }
    }

    /// Replaces the base's samples in `out` by samples of the law. A rejected proposal takes a new y from `base`.
    #[inline(always)]
    fn finish<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
        out: &mut [i64],
        base: impl Fn(&mut B) -> i64 + Copy,
    ) -> Result<(), RangeError> {
        let each = self.trial.words();
        let mut words = Zeroizing::new([0; 2 * ROW]);
        for out in out.chunks_mut(ROW) {
            let words = &mut words[..each * out.len()];
            bits.words(words);
            for (out, words) in out.chunks_mut(GROUP).zip(words.chunks(each * GROUP)) {
                let mut all = true;
                for (y, words) in out.iter().zip(words.chunks_exact(each)) {
                    let (low, lead) = self.parts(words);
                    let verdict = self.trial.verdict(*y, &[low], lead);
                    all &= verdict.accepted & !verdict.close;
                }
                if bits.declassify(all.into()) != 0 {
                    let proposals = out.iter_mut().zip(words.chunks_exact(each));
                    proposals.for_each(|(x, words)| *x = self.value(*x, self.parts(words).0));
                } else {
                    self.one_by_one(bits, out, words, base)?;
                }
            }
        }
        Ok(())
    }

    /// A group of which some proposal is rejected, or close.
    #[inline(never)]
    fn one_by_one<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
        out: &mut [i64],
        words: &[u64],
        base: impl Fn(&mut B) -> i64 + Copy,
    ) -> Result<(), RangeError> {
        for (x, words) in out.iter_mut().zip(words.chunks_exact(self.trial.words())) {
            let accepted = self.accepts(*x, words, bits);
            let value = if accepted { self.checked(*x, self.parts(words).0) } else { self.one(bits, base) };
            *x = value.ok_or(RangeError::of::<i64>())?;
        }
        Ok(())
    }

    fn batch(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i64]) -> Result<(), RangeError> {
        self.base.noise_fill(bits, Slots::I64(out))?;
        self.finish(bits, out, |bits| self.base.noise_sample(bits))
    }

    /// Replaces the base's samples in `out` by samples of the law, over any bits. For tests of the timing.
    ///
    /// # Errors
    ///
    /// [`RangeError`] if a sample does not fit.
    #[cfg(feature = "testing")]
    pub fn finish_by<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
        out: &mut [i64],
        base: impl Fn(&mut B) -> i64 + Copy,
    ) -> Result<(), RangeError> {
        self.finish(bits, out, base)
    }

    fn narrowed<T: Int>(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [T]) -> Result<(), RangeError> {
        let mut wide = Zeroizing::new([0; BATCH]);
        let support = self.support();
        let fits = *support.start() >= T::MIN && *support.end() <= T::MAX;
        for out in out.chunks_mut(BATCH) {
            let wide = &mut wide[..out.len()];
            self.batch(bits, wide)?;
            for (slot, x) in out.iter_mut().zip(wide) {
                *slot = if fits { T::wrapping(*x) } else { T::narrow(*x).ok_or(RangeError::of::<T>())? };
            }
        }
        Ok(())
    }

    fn support(&self) -> RangeInclusive<i64> {
        let base = self.base.noise_profile().support;
        self.value(*base.start(), 0)..=self.value(*base.end(), (1 << self.trial.shift()) - 1)
    }
}

impl<N: Noise, R: WideRefine + Send + Sync> Noise for Wide<N, R> {
    fn noise_profile(&self) -> Profile {
        let base = self.base.noise_profile();
        Profile {
            target: self.target.into(),
            exactness: base.exactness,
            timing: self.noise_timing(),
            support: self.support(),
            table_bytes: base.table_bytes + size_of::<WideTrial>(),
            expected_bits: base.expected_bits + 64.0 * self.trial.words() as f64,
            expected_trials: base.expected_trials,
        }
    }

    fn noise_timing(&self) -> Timing {
        match self.base.noise_timing() {
            Timing::Variable => Timing::Variable,
            _ => Timing::Isochronous,
        }
    }

    fn noise_batch(&self) -> usize {
        BATCH
    }

    fn noise_sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64 {
        self.one(bits, |bits| self.base.noise_sample(bits)).unwrap_or_else(|| {
            bits.condemn();
            0
        })
    }

    fn noise_fill(&self, bits: &mut BitReader<dyn Rng + '_>, out: Slots<'_>) -> Result<(), RangeError> {
        match out {
            Slots::I8(out) => self.narrowed(bits, out),
            Slots::I16(out) => self.narrowed(bits, out),
            Slots::I32(out) => self.narrowed(bits, out),
            Slots::I64(out) => out.chunks_mut(BATCH).try_for_each(|out| self.batch(bits, out)),
        }
    }
}
