//! The sampler traits: [`Sampler`], [`Rounder`], [`Attempt`], the object-safe [`DynSampler`], and the
//! output types [`Int`].

use crate::bits::{BitReader, BitSource};
use crate::profile::{Exactness, Profile, Timing};
use core::fmt;
use rand_core::Rng;

mod sealed {
    pub trait Sealed {}
}

/// The integer types that samples are written to: `i8`, `i16`, `i32`, `i64`.
///
/// ```
/// use samplez_core::sampler::Int;
/// assert_eq!(i8::narrow(-128), Some(-128_i8));
/// assert_eq!(i8::narrow(128), None);
/// ```
pub trait Int: sealed::Sealed + Copy + Send + Sync + fmt::Display + 'static {
    /// The type's name, as in the errors and as a dtype: `i8` …
    const NAME: &'static str;
    /// The smallest value.
    const MIN: i64;
    /// The largest value.
    const MAX: i64;
    /// Zero, to prepare a buffer.
    const ZERO: Self;
    /// `value` in this type if it fits.
    fn narrow(value: i64) -> Option<Self>;
    /// `value` modulo 2^(width of the type).
    fn wrapping(value: i64) -> Self;
    /// The value as `i64`.
    fn widen(self) -> i64;
    /// [`Sampler::fill`] for this type, through the object-safe twin.
    ///
    /// # Errors
    ///
    /// As [`Sampler::fill`].
    fn fill_dyn(
        sampler: &dyn DynSampler,
        bits: &mut BitReader<dyn Rng + '_>,
        out: &mut [Self],
    ) -> Result<(), RangeError>;
}

macro_rules! int {
    ($($t:ident $fill:ident),*) => {$(
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
            fn fill_dyn(sampler: &dyn DynSampler, bits: &mut BitReader<dyn Rng + '_>, out: &mut [Self]) -> Result<(), RangeError> {
                sampler.$fill(bits, out)
            }
        }
    )*};
}
int!(i8 dyn_fill_i8, i16 dyn_fill_i16, i32 dyn_fill_i32, i64 dyn_fill_i64);

/// A sample does not fit the output type.
///
/// ```
/// use samplez_core::sampler::RangeError;
/// let e = RangeError { value: 300, dtype: "i8" };
/// assert_eq!(e.to_string(), "the sample 300 does not fit the output type i8: choose a wider type");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError {
    /// The sample.
    pub value: i64,
    /// The name of the type.
    pub dtype: &'static str,
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the sample {} does not fit the output type {}: choose a wider type", self.value, self.dtype)
    }
}

impl core::error::Error for RangeError {}

/// A sampler for one fixed law. It holds no generator: `&self`, shareable, replayable.
///
/// ```
/// use samplez_core::{bits::BitReader, params::{DiscreteGaussian, Rational}, sampler::Sampler};
/// use samplez_core::{samplers::karney::Karney, sources::{ChaCha20, Seed}};
/// let sampler = Karney::new(&DiscreteGaussian::with_sigma(Rational::from(10))?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
/// let mut out = [0_i16; 100];
/// sampler.fill(&mut bits, &mut out)?;
/// assert!(out.iter().any(|x| *x != 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Sampler {
    /// What the running time reveals; a scheme can check it in a `const` assertion.
    const TIMING: Timing;

    /// The sampler's declaration.
    fn profile(&self) -> Profile;

    /// One sample.
    ///
    /// # Law
    ///
    /// That of [`Profile::exactness`], if `bits` is ideal.
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64;

    /// Fills `out` with the integers that `out.len()` calls of [`sample`](Self::sample) would
    /// return, from the same bits.
    ///
    /// # Errors
    ///
    /// [`RangeError`] at the first sample that does not fit `T`; the samples before it have
    /// been written, and their bits are spent.
    #[inline]
    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        for slot in out {
            let value = self.sample(bits);
            *slot = T::narrow(value).ok_or(RangeError { value, dtype: T::NAME })?;
        }
        Ok(())
    }
}

/// A sampler that takes its centre, and where the method allows it its width, with each call.
///
/// ```
/// use samplez_core::{bits::BitReader, params::FixedPoint, sampler::Rounder};
/// use samplez_core::{samplers::isochronous::{Isochronous, Scale}, sources::{ChaCha20, Seed}};
/// let scale = Scale::new("215.5".parse()?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
/// let centers = [0.25, -17.5, 1e6].map(|c| (FixedPoint::from_f64(c).unwrap(), scale));
/// let mut out = [0; 3];
/// Isochronous.round_all(&centers, &mut bits, &mut out);
/// assert!(out.iter().zip(&centers).all(|(x, (c, _))| x.abs_diff(c.floor()) < 6_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Rounder {
    /// What a call takes: the centre, with the width where that may change too.
    type Center: Copy;
    /// What the running time reveals about the sample, the centre and the random bits.
    const TIMING: Timing;

    /// How far the law of any call is from D_{Z,σ,c}.
    fn exactness(&self) -> Exactness;

    /// One sample.
    ///
    /// # Law
    ///
    /// D_{Z,σ,c} for this centre, within [`exactness`](Self::exactness), if `bits` is ideal.
    fn round<B: BitSource + ?Sized>(&self, center: Self::Center, bits: &mut B) -> i64;

    /// One sample for each centre: the integers that [`round`](Self::round) would return, one
    /// after the other.
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

/// A rejection sampler seen one attempt at a time, for the exact law tests: the law of
/// [`Sampler::sample`] is that of one attempt, given that it succeeds.
///
/// ```
/// use samplez_core::{bits::BitReader, params::{DiscreteGaussian, Rational}, sampler::Attempt};
/// use samplez_core::{samplers::karney::Karney, sources::{ChaCha20, Seed}};
/// let sampler = Karney::new(&DiscreteGaussian::with_sigma(Rational::from(10))?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
/// let accepted = (0..1000).filter(|_| sampler.attempt(&mut bits).is_some()).count();
/// assert!(accepted > 600 && accepted < 800);
/// # Ok::<(), samplez_core::params::ParamError>(())
/// ```
pub trait Attempt {
    /// One attempt: a sample, or `None` if it was rejected.
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64>;
}

/// The object-safe twin of [`Sampler`], for whoever chooses a method at run time. It costs one
/// virtual call for each fill and one for each refill of the reader's buffer.
///
/// ```
/// use samplez_core::{bits::BitReader, params::{DiscreteGaussian, Rational}, sampler::DynSampler};
/// use samplez_core::{samplers::karney::Karney, sources::{ChaCha20, Seed}};
/// let sampler: &dyn DynSampler = &Karney::new(&DiscreteGaussian::with_sigma(Rational::from(10))?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
/// let mut out = [0_i32; 4];
/// sampler.dyn_fill_i32(&mut bits, &mut out)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait DynSampler: Send + Sync {
    /// [`Sampler::profile`].
    fn dyn_profile(&self) -> Profile;
    /// [`Sampler::sample`].
    fn dyn_sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64;
    /// [`Sampler::fill`] for `i8`.
    fn dyn_fill_i8(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i8]) -> Result<(), RangeError>;
    /// [`Sampler::fill`] for `i16`.
    fn dyn_fill_i16(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i16]) -> Result<(), RangeError>;
    /// [`Sampler::fill`] for `i32`.
    fn dyn_fill_i32(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i32]) -> Result<(), RangeError>;
    /// [`Sampler::fill`] for `i64`.
    fn dyn_fill_i64(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i64]) -> Result<(), RangeError>;
}

impl<S: Sampler + Send + Sync> DynSampler for S {
    fn dyn_profile(&self) -> Profile {
        self.profile()
    }
    fn dyn_sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64 {
        self.sample(bits)
    }
    fn dyn_fill_i8(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i8]) -> Result<(), RangeError> {
        #[cfg(target_arch = "wasm32")]
        return narrowed(self, bits, out);
        #[cfg(not(target_arch = "wasm32"))]
        self.fill(bits, out)
    }
    fn dyn_fill_i16(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i16]) -> Result<(), RangeError> {
        #[cfg(target_arch = "wasm32")]
        return narrowed(self, bits, out);
        #[cfg(not(target_arch = "wasm32"))]
        self.fill(bits, out)
    }
    fn dyn_fill_i32(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i32]) -> Result<(), RangeError> {
        #[cfg(target_arch = "wasm32")]
        return narrowed(self, bits, out);
        #[cfg(not(target_arch = "wasm32"))]
        self.fill(bits, out)
    }
    fn dyn_fill_i64(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [i64]) -> Result<(), RangeError> {
        self.fill(bits, out)
    }
}

/// [`Sampler::fill`] by way of `i64`. WebAssembly is downloaded: there one loop of each sampler
/// serves all types.
#[cfg(target_arch = "wasm32")]
#[cfg_attr(samplez_backend = "simd128", target_feature(enable = "simd128"))]
#[inline(never)]
fn narrowed<T: Int>(
    sampler: &dyn DynSampler,
    bits: &mut BitReader<dyn Rng + '_>,
    out: &mut [T],
) -> Result<(), RangeError> {
    let mut wide = [0_i64; 2048];
    for part in out.chunks_mut(wide.len()) {
        let wide = &mut wide[..part.len()];
        sampler.dyn_fill_i64(bits, wide)?;
        // Two loops without an exit in them, which become vector code. What fits is at most
        // MAX - MIN = 2^n - 1 above MIN, and so are these distances' bits together.
        let above = |value: i64| value.wrapping_sub(T::MIN).cast_unsigned();
        if wide.iter().fold(0, |bits, value| bits | above(*value)) > above(T::MAX) {
            let first = wide.iter().find(|value| T::narrow(**value).is_none());
            return first.map_or(Ok(()), |value| Err(RangeError { value: *value, dtype: T::NAME }));
        }
        for (slot, value) in part.iter_mut().zip(wide) {
            *slot = T::wrapping(*value);
        }
    }
    Ok(())
}
