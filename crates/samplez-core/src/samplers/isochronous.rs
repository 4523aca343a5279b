/// Isochronous rejection for one law, by batches of trials in vector registers.
///
/// Paper: \[HPRR20\], Algorithm 1, with the low part of \[DDLL13\]. Proof: docs/proofs/isochronous.md.
///
/// | Law        | within [`BOUND`](Self::BOUND) of D_{Z,σ,c}, for every σ and c: R_∞ - 1 <= 2^-52 |
/// | Bits       | in fills of 2048, 30 to 37 a sample for σ <= 435.2, else 39 to 44 or, for σ > 111411.2, 58 to 65; with probability below 2^-35 a batch, 64 more for a slot. A single sample takes 64 per trial for σ <= 217.6, else 80 or, for σ > 222822.4, 96; with probability below 2^-49, 64 more |
/// | Memory     | 328 bytes, the same for every σ and centre; 52 KB of stack in a fill |
/// | Timing     | Isochronous: the number of trials reveals σ, and nothing of the samples. Whether 64 more bits are compared is independent of the samples within 2^-48 a sample, and whether a batch has more open trials than slots within 2^-64 a batch. Evidence: SECURITY.md. Exception: see below |
/// | Parameters | σ in every form, 1 <= σ <= 2^26; rational c, \|c\| <= 2^62 |
///
/// ```text
/// 1  z0 ← j with probability w_j/2^16                (strips of K = 2^k values, σ <= 3.4·K)
/// 2  u ← {0, …, K - 1}; x ← K·z0 + u
/// 3  b ← {0, 1}; z ← x + 1 if b, else -x             (every integer, once)
/// 4  accept with probability 2^16·S/w_z0·exp(-(z - f)²/2σ²), f = c - ⌊c⌋, else 1
/// 5  return ⌊c⌋ + z
/// ```
///
/// A fill of 16 samples or more makes batches of trials:
///
/// ```text
/// F1 each trial draws 16 bits, which name z0 and a cell of its strip, and u and b
/// F2 accept if all of the cell is below the goal of step 4, reject if all of it is above, else the trial is open
/// F3 each slot draws one of the 256 open cells, u, b and 41 to 47 bits of v, and is decided by step 4
/// F4 the open trials take the outcomes of the slots, in order
/// ```
///
/// For every u and b, 256 of the 2^16 cells are open, and a slot has one of them with equal probability. So a trial that
/// is open and takes a slot has the law of a trial that is not. If more trials are open than there are slots, which has
/// a probability below 2^-64, every row of 64 trials gets 64 new slots.
///
/// The stream of a single sample: records of 64, 80 or 96 bits, one for each trial, least significant bit first. From
/// the lowest, the first 64 bits are k bits of u if k <= 6, b, and v. For a larger k, u is the lowest k of the bits
/// that follow them. The last strip lies at the lowest v, and strip j has w_j/2^16 of its range. v chooses the strip.
/// The distance of v from the strip's lower end is compared with the probability. Where they differ by at most 2^-52 of
/// the probability and a unit, the next 64 bits continue v. [`FilteredIsochronous`] has more of them there.
///
/// The stream of a fill: batches of N trials, by bytes. First come 2N bytes, the leading 16 bits of every v. For k <=
/// 7, N bytes follow, with u in the leading k bits and b in the lowest one. Otherwise 2N or, for k > 15, 4N bytes
/// follow, all lowest bytes first. Then come the slots. A slot is 8 bytes with the lowest 48 bits of a record, u and b
/// as before, and a byte for the cell. There are 32 slots for up to 960 trials, otherwise 64. For each slot that is as
/// close to its probability, 64 bits follow, in the slots' order. If slots are missing, each row has its new slots in
/// the same form, row by row.
///
/// For m samples up to 2048, N is m·T + m/64 + 8 in whole rows of 64. T is the expected trials rounded down to 2^-16,
/// and each product is rounded down. Samples that are missing after it are made by another batch, or singly if there
/// are fewer than 16. A batch's other accepted trials are dropped.
///
/// Departures from the paper:
/// - The base is not a half Gaussian but a table of ⌈12σ/K⌉ weights of 16 bits. Each is just above the largest mass
///   that its strip's values may have. So the probability is S·exp(-(z - f)²/2σ²) over the weight, one number for all.
/// - One uniform number chooses z0 and decides the acceptance.
/// - The exponential is compared as one number, not byte by byte.
///
/// Whether a trial accepts is public, which trials take 64 more bits, and whether slots are missing:
/// [`BitSource::declassify`] marks the places. If the support does not fit the output type of `fill`, whether each sample
/// fits is revealed too: by the error.
///
/// The sampler.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Timing, Width, bits::BitReader};
/// use samplez_core::{Sampler, samplers::Isochronous};
/// use samplez_sources::{ChaCha20, Seed};
/// let law = DiscreteGaussian::new("1/3".parse()?, Width::Sigma("215".parse()?))?;
/// let sampler = Isochronous::new(&law)?;
/// const { assert!(matches!(Isochronous::TIMING, Timing::Isochronous)) };
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut out = [0_i16; 1000];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().all(|x| x.abs() < 2000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Isochronous {
    target: DiscreteGaussian,
    floor: i64,
    /// K/σ, for the profile.
    spread: f64,
    /// S in units of 2^-32.
    height: u64,
    /// How many strips there are.
    count: u64,
    strips: Strips,
    look: Look,
    /// Expected trials of a sample in units of 2^-16.
    rate: u32,
}

mod batch;
mod filtered;
mod refine;
pub(super) mod sigma;
pub(super) mod strips;

use crate::arch::Backend;
use crate::arch::isochronous::{Look, ROW, Strips};
use crate::bits::BitSource;
use crate::params::{DiscreteGaussian, FixedPoint, ParamError};
use crate::profile::{Bound, Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, narrowed};
use batch::{FEW_ROWS, Law, ROWS, Scratch, Size};
use core::cmp::Ordering;
use core::ops::RangeInclusive;
pub use filtered::FilteredIsochronous;
pub use refine::{CloseTrial, Refine};
use refine::{Closing, Estimate};
use sigma::{compare, kappa};

/// Samples that a fill makes together.
const BATCH: usize = 2048;
/// From how many samples on a batch is made of them; fewer are drawn one by one.
const LEAST: usize = 16;
/// The largest σ: k <= 25.
const SIGMA_MAX: u64 = 1 << 26;
/// sqrt(2π).
const SQRT_TAU: f64 = 2.506_628_274_631_000_2;

impl Isochronous {
    /// The declared bound, for every σ and centre. Proof: docs/proofs/isochronous.md.
    pub const BOUND: Bound = Bound {
        log2_sd: -53.0,
        log2_renyi: [(2, -103.0), (256, -98.0), (513, -97.0)],
        log2_rinf: -52.0,
        log2_tail: -103.0,
    };

    /// Builds the sampler of this law.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless σ is from 1 to 2^26, and the centre's floor between -2^62 and 2^62.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, Rational, samplers::Isochronous};
    /// let narrow = DiscreteGaussian::with_sigma("0.99".parse()?)?;
    /// let e = Isochronous::new(&narrow).unwrap_err();
    /// assert_eq!(e.to_string(), "sigma = 0.99: method isochronous allows 1 <= sigma <= 2^26");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(law: &DiscreteGaussian) -> Result<Self, ParamError> {
        let center = Self::checked_center(law)?;
        let width = law.width().canonical();
        let (strips, look, height, count) = strips::build(width, center.fraction());
        let rate = strips::rate(width, strips.envelope.shift, height);
        Ok(Isochronous {
            target: *law,
            floor: center.floor(),
            // In units of 2^-64.
            spread: kappa(width, strips.envelope.shift).isqrt() as f64 / (1_u128 << 64) as f64,
            height,
            count,
            strips,
            look,
            rate,
        })
    }

    /// Returns the bytes of the tables of this law's sampler, without building them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, Sampler, samplers::Isochronous};
    /// let law = DiscreteGaussian::with_sigma("215".parse()?)?;
    /// assert_eq!(Isochronous::table_bytes(&law)?, Isochronous::new(&law)?.profile().table_bytes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn table_bytes(law: &DiscreteGaussian) -> Result<usize, ParamError> {
        Self::checked_center(law).map(|_| Self::TABLE_BYTES)
    }

    const TABLE_BYTES: usize = size_of::<Strips>() + size_of::<Look>();

    /// Returns the centre of a law that the sampler admits.
    fn checked_center(law: &DiscreteGaussian) -> Result<FixedPoint, ParamError> {
        let width = law.width();
        let refuse =
            |argument, value, allowed| ParamError::Unsupported { method: "isochronous", argument, value, allowed };
        if compare(width, 1, 1) == Ordering::Less || compare(width, SIGMA_MAX, 1) == Ordering::Greater {
            return Err(refuse(width.name(), width.value(), "1 <= sigma <= 2^26"));
        }
        FixedPoint::new(law.center()).map_err(|_| refuse("center", law.center(), "|center| <= 2^62"))
    }

    /// Returns the number K of values in a strip, and S in units of 2^-32.
    pub const fn strips(&self) -> (u32, u64) {
        (1 << self.strips.envelope.shift, self.height)
    }

    /// Returns the weights of the strips in units of 2^-16, from the mode outwards.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, samplers::Isochronous};
    /// let sampler = Isochronous::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?)?;
    /// assert_eq!((sampler.strips().0, sampler.weights().sum::<u32>()), (1, 1 << 16));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weights(&self) -> impl Iterator<Item = u32> + '_ {
        let envelope = &self.strips.envelope;
        let (count, ones) = (self.count as usize, usize::from(envelope.ones));
        // The weight of strips j and beyond, less that of the last strips, which is 1 each.
        let from = move |j: usize| if j == 0 { (1 << 16) - ones as u32 } else { envelope.keys[j - 1].into() };
        (0..count).map(move |j| if j < count - ones { from(j) - from(j + 1) } else { 1 })
    }

    fn support(&self) -> RangeInclusive<i64> {
        // x < K·(z0 + 1), and z0 below the number of strips.
        let reach = (self.count << self.strips.envelope.shift) as i64;
        self.floor + 1 - reach..=self.floor + reach
    }

    /// Expected trials: a trial is accepted with probability S·ρ_σ(Z - f)/2K.
    fn trials(&self) -> f64 {
        let height = self.height as f64 / (1_u64 << 32) as f64;
        2.0 * self.spread / (height * SQRT_TAU)
    }

    /// Bits of the batch for as many samples as a fill makes together.
    fn batch_bits(&self) -> usize {
        64 * Size::new(self.rows(BATCH) * ROW, self.law().planes()).words().iter().sum::<usize>()
    }

    /// Bits of a record behind its word: u's, if they are not in it, in whole 16.
    fn low_bits(&self) -> u32 {
        (self.strips.envelope.shift - self.strips.inner).next_multiple_of(16)
    }

    /// [`Sampler::fill`] by this backend. A backend that
    /// is not available is the portable one.
    ///
    /// # Errors
    ///
    /// As [`Sampler::fill`].
    pub(crate) fn fill_on<T: Int, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        self.refined_fill(&Estimate, backend, bits, out)
    }

    /// How close trials are decided.
    fn closing<'a, R>(&self, refine: &'a R) -> Closing<'a, R> {
        Closing { refine, floor: self.floor, height: self.height }
    }

    /// A sample whose close trials are decided so.
    #[inline]
    fn refined_sample<R: Refine, B: BitSource + ?Sized>(&self, refine: &R, bits: &mut B) -> i64 {
        let low_bits = self.low_bits();
        loop {
            let word = bits.bits(64);
            let low = if low_bits > 0 { bits.bits(low_bits) } else { 0 };
            // steps 1 to 4
            let trial = self.strips.trial(word, low);
            let (mut accepted, close) = trial.verdict();
            if bits.declassify(u32::from(!close)) == 0 {
                accepted = self.closing(refine).accepts(&self.strips, trial, bits);
            }
            if bits.declassify(u32::from(accepted)) != 0 {
                return self.floor + i64::from(trial.value);
            }
        }
    }

    fn refined_fill<T: Int, R: Refine, B: BitSource + ?Sized>(
        &self,
        refine: &R,
        backend: Backend,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        if out.len() < LEAST {
            self.one_by_one(refine, bits, out)
        } else if self.rows(out.len().min(BATCH)) > FEW_ROWS {
            self.fill_in::<ROWS, T, R, B>(refine, backend, bits, out)
        } else {
            self.fill_in::<FEW_ROWS, T, R, B>(refine, backend, bits, out)
        }
    }

    /// By batches of at most N rows. Not inlined: the caller would have the buffers of every N on its stack.
    #[inline(never)]
    fn fill_in<const N: usize, T: Int, R: Refine, B: BitSource + ?Sized>(
        &self,
        refine: &R,
        backend: Backend,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        let mut scratch = const { Scratch::<N>::new() };
        let (law, fits, closing) = (self.law(), self.fits::<T>(), self.closing(refine));
        for out in out.chunks_mut(BATCH) {
            let mut done = 0;
            while done < out.len() {
                let rest = &mut out[done..];
                if rest.len() < LEAST {
                    self.one_by_one(refine, bits, rest)?;
                    break;
                }
                let size = Size::new(self.rows(rest.len()) * ROW, law.planes());
                // steps 1 to 4
                let made = scratch.batch(law, &closing, backend, size, bits).min(rest.len());
                // step 5
                scratch.write(backend, law, size, self.floor, fits, &mut rest[..made])?;
                done += made;
            }
        }
        Ok(())
    }

    fn one_by_one<T: Int, R: Refine, B: BitSource + ?Sized>(
        &self,
        refine: &R,
        bits: &mut B,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        let fits = self.fits::<T>();
        for slot in out {
            let value = self.refined_sample(refine, bits);
            *slot = if fits { T::wrapping(value) } else { narrowed(value)? };
        }
        Ok(())
    }

    /// Whether the support fits the type.
    fn fits<T: Int>(&self) -> bool {
        let support = self.support();
        *support.start() >= T::MIN && *support.end() <= T::MAX
    }

    fn law(&self) -> Law<'_> {
        Law { strips: &self.strips, look: &self.look }
    }

    /// Rows of trials of a batch for so many samples: they suffice for them nearly always.
    fn rows(&self, samples: usize) -> usize {
        let expected = (samples as u64 * u64::from(self.rate)) >> 16;
        (expected as usize + samples / 64 + 8).div_ceil(ROW).min(ROWS)
    }

    /// Makes a trial of this word and the following bits of a record, for the exact law tests. v has n bits.
    ///
    /// Returns z, the height of v above its strip's lower end, the probability, and its further bits. The probability
    /// is times the weight, in units of 2^-n; the further bits are in units of 2^-(n + 64).
    #[cfg(feature = "testing")]
    pub fn trial(&self, word: u64, low: u64) -> (i64, u64, u64, u64) {
        let trial = self.strips.trial(word, low);
        (trial.value.into(), trial.rest, trial.goal, trial.next)
    }

    /// Returns k, the number of strips, and where in a record u begins; for the exact law tests.
    #[cfg(feature = "testing")]
    pub fn shape(&self) -> (u32, u64, u32) {
        let Strips { envelope, inner, .. } = self.strips;
        let shift = envelope.shift;
        (shift, self.count, if inner == shift { 0 } else { 64 })
    }
}

impl Sampler for Isochronous {
    const TIMING: Timing = Timing::Isochronous;
    const BATCH: usize = BATCH;

    fn profile(&self) -> Profile {
        let trials = self.trials();
        Profile {
            target: self.target.into(),
            exactness: Exactness::Within(Self::BOUND),
            timing: Self::TIMING,
            support: self.support(),
            table_bytes: Self::TABLE_BYTES,
            expected_bits: self.batch_bits() as f64 / BATCH as f64,
            expected_trials: trials,
        }
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        self.refined_sample(&Estimate, bits)
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_on(Backend::current(), bits, out)
    }
}

#[cfg(test)]
mod tests;
