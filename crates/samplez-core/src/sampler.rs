//! The sampler traits: [`Sampler`], [`Rounder`], and the output types [`Int`]. For a
//! sampler that is chosen at run time see [`crate::noise`].

use crate::bits::BitSource;
use crate::profile::{Exactness, Profile, Timing};
use core::fmt;
use zeroize::Zeroize;

mod sealed {
    pub trait Sealed {}
}

/// The integer types that samples are written to: `i8`, `i16`, `i32`, `i64`.
///
/// ```
/// use samplez_core::Int;
/// assert_eq!(i8::narrow(-128), Some(-128_i8));
/// assert_eq!(i8::narrow(128), None);
/// ```
pub trait Int: sealed::Sealed + Copy + Send + Sync + Zeroize + fmt::Display + 'static {
    /// The type's name, as in the errors and as a dtype: `i8` …
    const NAME: &'static str;
    /// The smallest value.
    const MIN: i64;
    /// The largest value.
    const MAX: i64;
    /// Zero, to prepare a buffer.
    const ZERO: Self;
    /// Returns `value` in this type, if it fits.
    fn narrow(value: i64) -> Option<Self>;
    /// Returns `value` modulo 2^(width of the type).
    fn wrapping(value: i64) -> Self;
    /// Returns the value as `i64`.
    fn widen(self) -> i64;
    /// Returns `out` with its type as an enum variant, for calls that cannot be generic.
    fn slots(out: &mut [Self]) -> Slots<'_>;
}

/// A slice for samples of one of the output types. [`Int::slots`] returns it.
///
/// ```
/// use samplez_core::{Int, Slots};
/// let mut out = [0_i16; 3];
/// assert!(matches!(i16::slots(&mut out), Slots::I16([0, 0, 0])));
/// ```
#[derive(Debug)]
pub enum Slots<'a> {
    /// Of `i8`.
    I8(&'a mut [i8]),
    /// Of `i16`.
    I16(&'a mut [i16]),
    /// Of `i32`.
    I32(&'a mut [i32]),
    /// Of `i64`.
    I64(&'a mut [i64]),
}

macro_rules! int {
    ($($t:ident $slots:ident),*) => {$(
        impl sealed::Sealed for $t {}
        impl Int for $t {
            const NAME: &'static str = stringify!($t);
            const MIN: i64 = $t::MIN as i64;
            const MAX: i64 = $t::MAX as i64;
            const ZERO: Self = 0;
            #[inline(always)]
            fn narrow(value: i64) -> Option<Self> {
                $t::try_from(value).ok()
            }
            #[inline(always)]
            fn wrapping(value: i64) -> Self {
                value as $t
            }
            #[inline(always)]
            fn widen(self) -> i64 {
                self as i64
            }
            #[inline(always)]
            fn slots(out: &mut [Self]) -> Slots<'_> {
                Slots::$slots(out)
            }
        }
    )*};
}
int!(i8 I8, i16 I16, i32 I32, i64 I64);

/// The error if a sample does not fit the output type. It does not contain the sample, which is a secret.
///
/// ```
/// use samplez_core::RangeError;
/// let e = RangeError::of::<i8>();
/// assert_eq!(e.to_string(), "a sample does not fit the output type i8, -128 to 127: choose a wider type");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RangeError {
    /// The name of the type.
    pub dtype: &'static str,
    /// Its least value.
    pub min: i64,
    /// Its largest value.
    pub max: i64,
}

impl RangeError {
    /// Builds the error for this type.
    ///
    /// ```
    /// assert_eq!(samplez_core::RangeError::of::<i16>().max, 32_767);
    /// ```
    pub const fn of<T: Int>() -> Self {
        RangeError { dtype: T::NAME, min: T::MIN, max: T::MAX }
    }
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RangeError { dtype, min, max } = self;
        write!(f, "a sample does not fit the output type {dtype}, {min} to {max}: choose a wider type")
    }
}

impl core::error::Error for RangeError {}

/// The sample as a T, or that it does not fit.
#[inline(always)]
pub(crate) fn narrowed<T: Int>(value: i64) -> Result<T, RangeError> {
    T::narrow(value).ok_or(RangeError::of::<T>())
}

/// A sampler of one fixed law. It holds no generator, so you can share it, and the same bits give the same samples.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Rational, Sampler, bits::BitReader};
/// use samplez_core::samplers::Karney;
/// use samplez_sources::{ChaCha20, Seed};
/// let sampler = Karney::new(&DiscreteGaussian::with_sigma(Rational::from(10))?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
/// let mut out = [0_i16; 100];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().any(|x| *x != 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Sampler {
    /// The class of the running time; a scheme can check it in a `const` assertion.
    const TIMING: Timing;
    /// The number of samples that [`fill`](Self::fill) makes together. It divides 8192. With 1, a fill returns the
    /// integers of repeated [`sample`](Self::sample). With more, a fill in pieces returns the integers of one fill,
    /// if every piece but the last is a multiple of this number. Otherwise the integers are unspecified, and may
    /// differ from repeated single samples. Their law is always the same.
    const BATCH: usize = 1;
    /// Whether every sample is in the profile's support. Then streams and arrays reject an output type that does not
    /// hold the support, before a draw. False for Gaussians, where a type may leave out a mass below 2^-128.
    const BOUNDED: bool = false;

    /// Returns the sampler's declaration.
    fn profile(&self) -> Profile;

    /// Returns the number of bits that [`BATCH`](Self::BATCH) samples of a [`fill`](Self::fill) take, if it is the same for all batches.
    /// Then samples can be skipped without being drawn.
    ///
    /// A batch of [`CdtLazyCt`](crate::samplers::CdtLazyCt) or [`ConvolutionCt`](crate::samplers::ConvolutionCt) that overflows takes more
    /// bits. The number is there only if this has probability at most 2^-72 for each base batch. After such a batch has been skipped, the
    /// integers differ from those after it has been drawn.
    fn batch_bits(&self) -> Option<u64> {
        None
    }

    /// Draws one sample.
    ///
    /// # Law
    ///
    /// That of [`Profile::exactness`], if `bits` is ideal.
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64;

    /// Fills `out` with the integers that `out.len()` calls of [`sample`](Self::sample) would return, from the same
    /// bits. Where [`BATCH`](Self::BATCH) is more than 1, it fills `out` with as many samples of the same law.
    ///
    /// # Errors
    ///
    /// [`RangeError`] at the first sample that does not fit `T`; the samples before it have
    /// been written, and their bits are spent.
    #[inline]
    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        for slot in out {
            *slot = narrowed(self.sample(bits))?;
        }
        Ok(())
    }
}

/// A sampler that takes its centre with each call, and also its width where the method allows it.
///
/// ```
/// use samplez_core::{FixedPoint, Rounder, bits::BitReader};
/// use samplez_core::samplers::StripRounder;
/// use samplez_sources::{ChaCha20, Seed};
/// let rounder = StripRounder::new("200".parse()?, "250".parse()?)?;
/// let width = rounder.width("215.5".parse()?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
/// let centers = [0.25, -17.5, 1e6].map(|c| (FixedPoint::from_f64(c).unwrap(), width));
/// let mut out = [0; 3];
/// rounder.round_all(&centers, &mut bits, &mut out);
/// assert!(out.iter().zip(&centers).all(|(x, (c, _))| x.abs_diff(c.floor()) < 6_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Rounder {
    /// The arguments of a call: the centre, with the width where that may change too.
    type Center: Copy;
    /// The class of the running time, with respect to the sample, the centre and the random bits.
    const TIMING: Timing;

    /// Returns the distance from D_{Z,σ,c} of the law of any call.
    fn exactness(&self) -> Exactness;

    /// Draws one sample.
    ///
    /// # Law
    ///
    /// D_{Z,σ,c} for this centre, within [`exactness`](Self::exactness), if `bits` is ideal.
    fn round<B: BitSource + ?Sized>(&self, center: Self::Center, bits: &mut B) -> i64;

    /// Fills `out` with one sample for each centre: the integers of repeated [`round`](Self::round).
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    #[inline]
    fn round_all<B: BitSource + ?Sized>(&self, centers: &[Self::Center], bits: &mut B, out: &mut [i64]) {
        assert_eq!(centers.len(), out.len(), "round_all: as many results as centers");
        for (slot, center) in out.iter_mut().zip(centers) {
            *slot = self.round(*center, bits);
        }
    }
}
