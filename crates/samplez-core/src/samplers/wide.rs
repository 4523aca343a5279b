/// Exact samples of wide laws, from exact samples of a narrower one.
///
/// No paper. Proof: docs/proofs/wide.md.
///
/// | Law        | D_{Z,σ,c} itself, if the base and `R` are exact |
/// | Bits       | those of the base and 64; with a probability below 2^-10, 64 more and perhaps another proposal |
/// | Memory     | 1 KB with its base, for any σ |
/// | Timing     | Isochronous, as the base: whether a proposal is clear, accepted, or needs more digits of V is public, and independent of the samples within 2^-68 a sample. Evidence: SECURITY.md |
/// | Parameters | σ in every form, 2^26 < σ < 2^58; rational c, \|c\| <= 2^62 |
///
/// σ₁ is an integer of about σ/2^L, and a little more. With c = a + f for an integer a and |f| <= 1/2:
///
/// ```text
/// 1  y ← D_{Z,σ₁};  u ← {-2^(L-1), …, 2^(L-1) - 1};  x ← a + 2^L·y + u
/// 2  accept with probability exp(-E), E = (x - c)²/2σ² - y²/2σ₁² + 2^-31 >= 0, else 1
/// 3  return x
/// ```
///
/// Every x has one y and one u, and the product of the probabilities of y, u and step 2 is exp(-(x - c)²/2σ²) times a constant. So
/// the law is exact if step 2 is: a uniform number V is below 1 - exp(-E) or not, and as many of its digits are drawn as the
/// answer needs. E < 2^-11 for |y| <= 16σ₁. So most proposals are clear: they are accepted for the first bits of V, whatever y is.
///
/// The stream of a fill: batches of up to 2048. First the base's samples y. Then for each 512 proposals a word of
/// each, whose highest 16 bits are V's and whose lowest L are u + 2^(L-1), and then what the proposals need that are not clear, in
/// their order: words of V, and if one is rejected, a single sample in its place. A single sample is a single sample of the base, a
/// word, and words of V, as often as it is rejected.
///
/// The sampler. `samplez_tables::build_wide` makes its trials.
///
/// ```
/// use samplez_core::bits::BitReader;
/// use samplez_core::{DiscreteGaussian, Noise, Width, samplers::Wide};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_tables::{build_isochronous, build_wide};
/// let law = DiscreteGaussian::new("1/3".parse()?, Width::Sigma("1e12".parse()?))?;
/// let (trial, exponent) = build_wide(&law)?;
/// // Exact but for a mass of 2^-104 beyond its strips. The crate `samplez` has a base without this gap.
/// let base = build_isochronous(&DiscreteGaussian::with_sigma(trial.base())?)?;
/// let sampler: &dyn Noise = &Wide::new(law, base, trial, exponent)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i64; 100];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| x.abs() < 10_000_000_000_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

use crate::bits::{BitReader, BitSource};
use crate::noise::Noise;
use crate::params::{DiscreteGaussian, ParamError};
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Slots};
use core::ops::RangeInclusive;
use rand_core::Rng;
use trial::LEAD;
pub use trial::{WideRefine, WideTrial};
use zeroize::Zeroizing;

/// Samples that a fill makes together.
const BATCH: usize = 2048;
/// Proposals whose words are drawn together.
const ROW: usize = 512;
/// Proposals that are looked at together.
const GROUP: usize = 64;
/// The largest L: every x with |y| <= 16σ₁ fits an `i64`.
const MAX_SHIFT: u32 = 33;
/// The largest magnitude of a centre's floor.
const MAX_CENTER: u64 = 1 << 62;

impl<N: Noise, R: WideRefine> Wide<N, R> {
    /// The sampler of this law by these trials, whose y have the law D_{Z,σ₁} of `base`.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless σ < 2^58 and the centre's floor is between -2^62 and 2^62.
    pub fn new(law: DiscreteGaussian, base: N, trial: WideTrial, refine: R) -> Result<Self, ParamError> {
        let (width, center) = (law.width(), law.center());
        let refused = |argument, value, allowed| ParamError::Unsupported { method: "wide", argument, value, allowed };
        if trial.shift() > MAX_SHIFT {
            return Err(refused(width.name(), width.value(), "2^26 < sigma < 2^58"));
        }
        if center.floor().unsigned_abs() > MAX_CENTER {
            return Err(refused("center", center, "|center| <= 2^62"));
        }
        let origin = center.nearest() - (1 << (trial.shift() - 1));
        Ok(Wide { target: law, base, trial, refine, origin })
    }

    #[inline(always)]
    fn low(&self, word: u64) -> u64 {
        word & ((1 << self.trial.shift()) - 1)
    }

    /// x for y within the limit.
    #[inline(always)]
    fn value(&self, y: i64, word: u64) -> i64 {
        self.origin.wrapping_add(y << self.trial.shift()).wrapping_add(self.low(word) as i64)
    }

    /// x for any y, if it fits.
    fn checked(&self, y: i64, word: u64) -> Option<i64> {
        let x = i128::from(self.origin) + (i128::from(y) << self.trial.shift()) + i128::from(self.low(word));
        i64::try_from(x).ok()
    }

    #[inline(always)]
    fn is_clear(&self, y: i64, word: u64) -> bool {
        self.trial.is_clear(y, word >> (64 - LEAD))
    }

    /// Step 2.
    fn accepts<B: BitSource + ?Sized>(&self, y: i64, word: u64, bits: &mut B) -> bool {
        self.trial.accepts(&self.refine, y, &[self.low(word)], word >> (64 - LEAD), bits)
    }

    /// A sample, if it fits.
    fn one(&self, bits: &mut BitReader<dyn Rng + '_>) -> Option<i64> {
        loop {
            let (y, word) = (self.base.noise_sample(bits), bits.bits(64));
            if self.accepts(y, word, bits) {
                return self.checked(y, word);
            }
        }
    }

    /// Makes a batch.
    fn batch(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i64]) -> Result<(), RangeError> {
        self.base.noise_fill(bits, Slots::I64(out))?;
        let mut words = Zeroizing::new([0; ROW]);
        for out in out.chunks_mut(ROW) {
            let words = &mut words[..out.len()];
            bits.words(words);
            for (out, words) in out.chunks_mut(GROUP).zip(words.chunks(GROUP)) {
                let clear = out.iter().zip(words).fold(true, |all, (y, word)| all & self.is_clear(*y, *word));
                if bits.declassify(clear.into()) != 0 {
                    out.iter_mut().zip(words).for_each(|(x, word)| *x = self.value(*x, *word));
                } else {
                    self.one_by_one(bits, out, words)?;
                }
            }
        }
        Ok(())
    }

    /// A group in which some proposal is not clear.
    #[inline(never)]
    fn one_by_one(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i64], words: &[u64]) -> Result<(), RangeError> {
        for (x, word) in out.iter_mut().zip(words) {
            let accepted = self.accepts(*x, *word, bits);
            let value = if accepted { self.checked(*x, *word) } else { self.one(bits) };
            *x = value.ok_or(RangeError::of::<i64>())?;
        }
        Ok(())
    }

    fn narrowed<T: Int>(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [T]) -> Result<(), RangeError> {
        let mut wide = Zeroizing::new([0; BATCH]);
        for out in out.chunks_mut(BATCH) {
            let wide = &mut wide[..out.len()];
            self.batch(bits, wide)?;
            for (slot, x) in out.iter_mut().zip(wide) {
                *slot = T::narrow(*x).ok_or(RangeError::of::<T>())?;
            }
        }
        Ok(())
    }

    fn support(&self) -> RangeInclusive<i64> {
        let base = self.base.noise_profile().support;
        self.value(*base.start(), 0)..=self.value(*base.end(), u64::MAX)
    }
}

impl<N: Noise, R: WideRefine + Send + Sync> Noise for Wide<N, R> {
    fn noise_profile(&self) -> Profile {
        let base = self.base.noise_profile();
        Profile {
            target: self.target,
            exactness: base.exactness,
            timing: self.noise_timing(),
            support: self.support(),
            table_bytes: base.table_bytes + size_of::<WideTrial>(),
            expected_bits: base.expected_bits + 64.0,
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
        self.one(bits).unwrap_or_else(|| {
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
