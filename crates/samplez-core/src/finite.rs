//! Other noises of lattice cryptography, none of them Gaussian: uniform ternary, centred binomial, TUniform, sparse ternary secrets.
//!
//! | law | P | variance | bits of a sample | timing |
//! |---|---|---|---|---|
//! | [`Ternary`] | 1/3 for each of -1, 0, 1 | 2/3 | 8/3 on average | isochronous |
//! | [`CenteredBinomial`] | P(X = x) = C(2η, η + x)/4^η | η/2 | 2η | constant |
//! | [`TUniform`] | 2^-(b+1) for abs(x) < 2^b, 2^-(b+2) for ±2^b | (2^(2b+1) + 1)/6 | b + 2 | constant |
//! | [`SparseTernary`] | uniform on the vectors of {-1, 0, 1}^n with exactly w non-zero entries | w/n | (⌈lg m⌉ + 1)·2^⌈lg m⌉/m on average, if m entries remain | isochronous |
//!
//! Each law is exact, given ideal bits. Proofs: docs/proofs/finite.md. ZO(1/2), with P(0) = 1/2 and P(±1) = 1/4, is `CenteredBinomial` with
//! η = 1 and `TUniform` with b = 0.
//!
//! The first three are [`Sampler`]s. Everything that takes a [`Noise`](crate::Noise) takes them: streams, addressed arrays, residues.
//! Their [`Profile`] names the law, and a scheme that requires D_{Z,σ,c} rejects them.

use crate::arch::{fastest, hidden};
use crate::bits::BitSource;
use crate::params::{NoiseLaw, ParamError};
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, narrowed};
use core::ops::RangeInclusive;
use zeroize::Zeroize;

/// The uniform law on {-1, 0, 1}, as for the secrets of homomorphic encryption.
///
/// A trial is 2 bits, the first the least significant: 0, 1, 2 are the values 0, 1, -1, and 3 is drawn again. The number of trials is
/// independent of the values.
///
/// ```
/// use samplez_core::{Sampler, bits::BitReader, finite::Ternary};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
/// let mut secret = [0_i8; 1024];
/// Ternary.fill(&mut bits, &mut secret)?;
/// assert!(secret.iter().all(|x| (-1..=1).contains(x)));
/// # Ok::<(), samplez_core::RangeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ternary;

/// The value of a trial of [`Ternary`], for 0, 1, 2; its two bits differ or are 0.
#[inline(always)]
const fn ternary(trial: u64) -> i64 {
    (trial & 1) as i64 - (trial >> 1 & 1) as i64
}

impl Sampler for Ternary {
    const TIMING: Timing = Timing::Isochronous;
    const BOUNDED: bool = true;

    fn profile(&self) -> Profile {
        profile(NoiseLaw::Ternary, Self::TIMING, -1..=1, 8.0 / 3.0, 4.0 / 3.0)
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        loop {
            let trial = bits.bits(2);
            if bits.declassify((trial != 3).into()) != 0 {
                return ternary(trial);
            }
        }
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        let mut filled = 0;
        while filled < out.len() {
            // Several trials at once, as long as none of them can be too many.
            let trials = (out.len() - filled).min(32) as u32;
            let mut word = bits.bits(2 * trials);
            for _ in 0..trials {
                let stays = bits.declassify((word & 3 != 3).into());
                out[filled] = T::wrapping(ternary(word));
                filled += stays as usize;
                word >>= 2;
            }
        }
        Ok(())
    }
}

/// The centred binomial law CBD(η): the sum of η fair bits minus the sum of η others.
///
/// A sample uses the bits of SamplePolyCBD in FIPS 203 (Algorithm 8) in the same order, so the same bytes give the same integers. ML-KEM has η = 2
/// and 3, NewHope 8, Microsoft SEAL 21; secure aggregation uses thousands. A sample takes 2η bits, in constant time.
///
/// It is not a Gaussian: [`samplers`](crate::samplers) has those.
///
/// ```
/// use samplez_core::{Sampler, Timing, bits::BitReader, finite::CenteredBinomial};
/// use samplez_sources::{ChaCha20, Seed};
/// let noise = CenteredBinomial::new(21)?; // σ² = 21/2
/// const { assert!(matches!(CenteredBinomial::TIMING, Timing::Constant)) };
/// let mut error = [0_i8; 4096];
/// noise.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32]))), &mut error)?;
/// assert!(error.iter().all(|x| x.abs() <= 21));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CenteredBinomial {
    eta: u32,
}

impl CenteredBinomial {
    /// Builds the sampler of CBD(`eta`).
    ///
    /// # Errors
    ///
    /// [`ParamError::OutOfRange`] unless 1 <= `eta` <= 2^20.
    ///
    /// ```
    /// use samplez_core::finite::CenteredBinomial;
    /// assert_eq!(CenteredBinomial::new(0).unwrap_err().to_string(), "eta = 0: expected a number between 1 and 1048576");
    /// ```
    pub const fn new(eta: u32) -> Result<Self, ParamError> {
        match (NoiseLaw::CenteredBinomial { eta }).bound() {
            Ok(_) => Ok(CenteredBinomial { eta }),
            Err(e) => Err(e),
        }
    }

    /// Returns η.
    pub const fn eta(&self) -> u32 {
        self.eta
    }
}

impl Fixed for CenteredBinomial {
    fn width(&self) -> u32 {
        2 * self.eta
    }

    fn bound(&self) -> i64 {
        self.eta.into()
    }

    #[inline(always)]
    fn value(&self, bits: u64) -> i64 {
        let sum = |bits: u64| i64::from((bits & (u64::MAX >> (64 - self.eta))).count_ones());
        sum(bits) - sum(bits >> self.eta)
    }
}

impl Sampler for CenteredBinomial {
    const TIMING: Timing = Timing::Constant;
    const BOUNDED: bool = true;

    fn profile(&self) -> Profile {
        self.profile_of(NoiseLaw::CenteredBinomial { eta: self.eta })
    }
    fn batch_bits(&self) -> Option<u64> {
        Some(self.width().into())
    }
    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        if self.eta <= ONE_WORD {
            return self.value(bits.bits(self.width()));
        }
        let mut sample = 0;
        self.each(bits, 1, &mut |drawn| sample = drawn);
        sample
    }
    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        if self.eta <= ONE_WORD {
            return self.fill_fixed(bits, out);
        }
        // If the law does not fit `T`, whether the samples fit is revealed.
        let (fits, mut all_fit) = (self.bound() <= T::MAX, true);
        let mut slots = out.iter_mut();
        self.each(bits, slots.len(), &mut |drawn| {
            all_fit &= fits || T::narrow(drawn).is_some();
            if let Some(slot) = slots.next() {
                *slot = T::wrapping(drawn);
            }
        });
        if all_fit { Ok(()) } else { Err(RangeError::of::<T>()) }
    }
}

/// Up to this η the bits of a sample fit into one word.
const ONE_WORD: u32 = 32;

/// Words that are counted at once: as many as a reader gets from its generator.
const COUNTED: usize = 128;

impl CenteredBinomial {
    /// Calls `emit` with each of `count` samples. Bits are read as whole words, across the ends of samples.
    fn each<B: BitSource + ?Sized>(&self, bits: &mut B, count: usize, emit: &mut dyn FnMut(i64)) {
        let mut words = [0; COUNTED];
        let mut sums = Sums { eta: self.eta as usize, left: self.eta as usize, sum: 0, is_second: false };
        let mut left = 2 * u64::from(self.eta) * count as u64;
        while left >= 64 {
            let now = &mut words[..(left / 64).min(COUNTED as u64) as usize];
            bits.words(now);
            left -= 64 * now.len() as u64;
            sums.add(now, 64 * now.len(), emit);
        }
        if left > 0 {
            words[0] = bits.bits(left as u32);
            sums.add(&words, left as usize, emit);
        }
        words.as_mut_slice().zeroize();
    }
}

/// A sample of [`CenteredBinomial`], of which some bits are counted.
struct Sums {
    eta: usize,
    /// How many bits of this half are still to come.
    left: usize,
    /// So far, how many more ones the first half contains than the second.
    sum: i64,
    is_second: bool,
}

impl Sums {
    /// Counts the first `len` bits, and calls `emit` with each sample that ends there. All loops have public lengths.
    fn add(&mut self, words: &[u64], len: usize, emit: &mut dyn FnMut(i64)) {
        fastest(
            #[inline(always)]
            || {
                let mut at = 0;
                while at < len {
                    let end = (at + self.left).min(len);
                    let ones = i64::from(ones(words, at, end));
                    self.sum += if self.is_second { -ones } else { ones };
                    self.left -= end - at;
                    at = end;
                    if self.left == 0 {
                        self.left = self.eta;
                        if self.is_second {
                            emit(self.sum);
                            self.sum = 0;
                        }
                        self.is_second = !self.is_second;
                    }
                }
            },
        );
    }
}

/// How many of the bits `from`, …, `to - 1` are 1, where `from` < `to`.
#[inline(always)]
fn ones(words: &[u64], from: usize, to: usize) -> u32 {
    let words = &words[from / 64..to.div_ceil(64)];
    let all: u32 = words.iter().map(|word| word.count_ones()).sum();
    let before = words[0] & ((1 << (from % 64)) - 1);
    let after = words[words.len() - 1] >> ((to - 1) % 64) >> 1;
    all - before.count_ones() - after.count_ones()
}

/// The law TUniform(b) of TFHE-rs: uniform on -2^b ..= 2^b, except that each end has half the mass of the other values.
///
/// A sample takes b + 2 bits, as an integer u with the first bit the least significant: it is ⌈u/2⌉ - 2^b. TFHE-rs reads whole bytes, and
/// gives the same integers from the same bytes if b + 2 is a multiple of 8. In constant time.
///
/// ```
/// use samplez_core::{Sampler, bits::BitReader, finite::TUniform};
/// use samplez_sources::{ChaCha20, Seed};
/// let noise = TUniform::new(17)?;
/// let mut error = [0_i32; 2048];
/// noise.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32]))), &mut error)?;
/// assert!(error.iter().all(|x| x.abs() <= 1 << 17));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TUniform {
    bound_log2: u32,
}

impl TUniform {
    /// Builds the sampler of TUniform(b) with b = `bound_log2`.
    ///
    /// # Errors
    ///
    /// [`ParamError::OutOfRange`] if b is above 62.
    ///
    /// ```
    /// use samplez_core::finite::TUniform;
    /// assert_eq!(TUniform::new(63).unwrap_err().to_string(), "bound_log2 = 63: expected a number between 0 and 62");
    /// ```
    pub const fn new(bound_log2: u32) -> Result<Self, ParamError> {
        match (NoiseLaw::TUniform { bound_log2 }).bound() {
            Ok(_) => Ok(TUniform { bound_log2 }),
            Err(e) => Err(e),
        }
    }

    /// Returns b.
    pub const fn bound_log2(&self) -> u32 {
        self.bound_log2
    }
}

impl Fixed for TUniform {
    fn width(&self) -> u32 {
        self.bound_log2 + 2
    }

    fn bound(&self) -> i64 {
        1 << self.bound_log2
    }

    #[inline(always)]
    fn value(&self, bits: u64) -> i64 {
        let u = bits & (u64::MAX >> (62 - self.bound_log2));
        ((u >> 1) + (u & 1)).wrapping_sub(1 << self.bound_log2).cast_signed()
    }
}

impl Sampler for TUniform {
    const TIMING: Timing = Timing::Constant;
    const BOUNDED: bool = true;

    fn profile(&self) -> Profile {
        self.profile_of(NoiseLaw::TUniform { bound_log2: self.bound_log2 })
    }
    fn batch_bits(&self) -> Option<u64> {
        Some(self.width().into())
    }
    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        self.value(bits.bits(self.width()))
    }
    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_fixed(bits, out)
    }
}

/// A secret of n entries in {-1, 0, 1}, of which exactly w are not 0: uniform over all such vectors.
///
/// ```text
/// 1  for m = n, n - 1, …, 1, the number of entries that remain; w' is the number of non-zero ones among them, at first w
/// 2      draw ⌈lg m⌉ + 1 bits: a sign s, the first bit, and an integer u; again if u >= m
/// 3      e ← 1 if u < w', else 0; w' ← w' - e; the entry is (-1)^s·e
/// ```
///
/// Isochronous: n and w are public. The trials depend on u >= m alone, which is independent of the vector. No branch, index or
/// address depends on an entry. It is a law of vectors, hence no [`Sampler`].
///
/// ```
/// use samplez_core::{bits::BitReader, finite::SparseTernary};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut secret = [0_i8; 4096];
/// let law = SparseTernary::new(secret.len(), 192)?;
/// law.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32]))), &mut secret);
/// assert_eq!(secret.iter().map(|x| x.abs() as usize).sum::<usize>(), 192);
/// # Ok::<(), samplez_core::ParamError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SparseTernary {
    length: usize,
    weight: usize,
}

impl SparseTernary {
    /// The class of the running time.
    pub const TIMING: Timing = Timing::Isochronous;

    /// Builds the law of vectors of `length` entries, `weight` of which are not 0.
    ///
    /// # Errors
    ///
    /// [`ParamError::OutOfRange`] unless 1 <= `weight` <= `length`.
    ///
    /// ```
    /// use samplez_core::finite::SparseTernary;
    /// assert_eq!(SparseTernary::new(64, 65).unwrap_err().to_string(), "weight = 65: expected a number between 1 and 64");
    /// assert_eq!(SparseTernary::new(0, 1).unwrap_err().to_string(), "length = 0: expected a number between 1 and 9223372036854775807");
    /// ```
    pub const fn new(length: usize, weight: usize) -> Result<Self, ParamError> {
        if let Err(e) = within("length", length as u64, 1, i64::MAX as u64) {
            return Err(e);
        }
        match within("weight", weight as u64, 1, length as u64) {
            Ok(()) => Ok(SparseTernary { length, weight }),
            Err(e) => Err(e),
        }
    }

    /// Returns n.
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Returns w.
    pub const fn weight(&self) -> usize {
        self.weight
    }

    /// Fills `out` with one vector.
    ///
    /// # Law
    ///
    /// Exactly uniform over the vectors of the type's documentation, if `bits` is ideal.
    ///
    /// # Panics
    ///
    /// If `out` does not have [`length`](Self::length) entries.
    pub fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        assert_eq!(out.len(), self.length, "fill: as many entries as the law's vectors have");
        let mut left = self.weight as u64;
        for (i, slot) in out.iter_mut().enumerate() {
            let remain = (self.length - i) as u64;
            // step 2
            let width = 64 - (remain - 1).leading_zeros();
            let (u, sign) = loop {
                let draw = bits.bits(width + 1);
                let u = draw >> 1;
                if bits.declassify((u < remain).into()) != 0 {
                    break (u, (draw & 1).cast_signed());
                }
            };
            // step 3: the borrow of u - left
            let entry = hidden(u.wrapping_sub(left) >> 63);
            left -= entry;
            *slot = T::wrapping((entry.cast_signed() ^ -sign) + sign);
        }
    }
}

/// A law whose samples are a function of a fixed number of bits.
trait Fixed {
    /// Bits of a sample: 2 to 64 where [`value`](Self::value) is called.
    fn width(&self) -> u32;
    /// The largest absolute value.
    fn bound(&self) -> i64;
    /// The sample of the lowest `width` bits.
    fn value(&self, bits: u64) -> i64;

    fn profile_of(&self, law: NoiseLaw) -> Profile
    where
        Self: Sampler,
    {
        profile(law, Self::TIMING, -self.bound()..=self.bound(), self.width().into(), 1.0)
    }

    /// [`Sampler::fill`]. If the law does not fit `T`, whether each sample fits is revealed.
    #[inline(always)]
    fn fill_fixed<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        let width = self.width();
        if self.bound() > T::MAX {
            for slot in out {
                *slot = narrowed(self.value(bits.bits(width)))?;
            }
            return Ok(());
        }
        for slots in out.chunks_mut((64 / width) as usize) {
            let mut word = bits.bits(slots.len() as u32 * width);
            for slot in slots {
                *slot = T::wrapping(self.value(word));
                word = word >> (width - 1) >> 1;
            }
        }
        Ok(())
    }
}

fn profile(target: NoiseLaw, timing: Timing, support: RangeInclusive<i64>, bits: f64, trials: f64) -> Profile {
    Profile {
        target,
        exactness: Exactness::Exact,
        timing,
        support,
        table_bytes: 0,
        expected_bits: bits,
        expected_trials: trials,
    }
}

const fn within(argument: &'static str, value: u64, min: u64, max: u64) -> Result<(), ParamError> {
    if value < min || value > max {
        return Err(ParamError::OutOfRange { argument, value, min, max });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
