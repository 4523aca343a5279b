//! [`Noise`], the interface between a sampler and the code built on it.

#[cfg(feature = "rand")]
use crate::bits::Words;
use crate::bits::{BitReader, BitSource};
use crate::profile::{Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler, Slots};
use core::ops::RangeInclusive;
use rand_core::Rng;
use zeroize::Zeroize;

/// A [`Sampler`] behind a pointer, for code that is not generic over it. Every sampler is one. It costs one virtual
/// call for each fill and one for each refill of the reader's buffer.
///
/// A scheme, a bulk fill or a binding for another language takes `&dyn Noise`, and with it any [`Sampler`]. It may be
/// named at compile time, or chosen at run time and boxed. Before it samples, the caller checks the timing class, and
/// whether the support fits its type. From then on a fill cannot fail half-way. The generator's mark, not the
/// sampler's, ensures that the bits are cryptographic: a scheme binds its generator by
/// [`CryptoRng`](rand_core::CryptoRng).
///
/// The trait's own methods are for its implementation. Callers use the methods of `dyn Noise`: [`fill`](#method.fill),
/// [`fits`](#method.fits), [`profile`](#method.profile), [`sample`](#method.sample), [`timing`](#method.timing).
///
/// ```
/// use samplez_core::{DiscreteGaussian, Noise, Rational, bits::BitReader};
/// use samplez_core::samplers::Karney;
/// use samplez_sources::{ChaCha20, Seed};
/// let noise: &dyn Noise = &Karney::new(&DiscreteGaussian::with_sigma(Rational::from(10))?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
/// let mut out = [0_i32; 4];
/// noise.fill(&mut bits, &mut out)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// use rand_core::CryptoRng;
/// use samplez_core::{DiscreteGaussian, Noise, Timing, bits::BitReader};
/// use samplez_core::samplers::{Isochronous, Karney};
/// use samplez_sources::{ChaCha20, Seed};
///
/// /// An error polynomial modulo q.
/// fn error(noise: &dyn Noise, rng: &mut impl CryptoRng, q: i16) -> Result<[i16; 256], &'static str> {
///     if noise.timing() == Timing::Variable {
///         return Err("noise: its timing must not be variable");
///     }
///     if !noise.fits::<i16>() {
///         return Err("noise: its support must lie within -32768 ..= 32767");
///     }
///     let mut error = [0_i16; 256];
///     noise.fill(&mut BitReader::new(rng), &mut error).expect("every sample fits");
///     Ok(error.map(|e| e.rem_euclid(q)))
/// }
///
/// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
/// let law = DiscreteGaussian::with_sigma("16/5".parse()?)?;
/// // Known at compile time.
/// let sampler = Isochronous::new(&law)?;
/// assert!(error(&sampler, &mut rng, 12_289)?.iter().all(|e| (0..12_289).contains(e)));
/// // Chosen at run time.
/// let wide = DiscreteGaussian::with_sigma("100000".parse()?)?;
/// let boxes: [Box<dyn Noise>; 3] =
///     [Box::new(sampler), Box::new(Isochronous::new(&wide)?), Box::new(Karney::new(&law)?)];
/// assert!(error(&*boxes[0], &mut rng, 12_289).is_ok());
/// assert!(error(&*boxes[1], &mut rng, 12_289).unwrap_err().contains("support"));
/// assert!(error(&*boxes[2], &mut rng, 12_289).unwrap_err().contains("timing"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A generator without the mark does not compile:
///
/// ```compile_fail,E0277
/// # use rand_core::CryptoRng;
/// # use rand_core::Rng;
/// # fn error(rng: &mut impl CryptoRng) {}
/// fn weak(rng: &mut impl Rng) {
///     error(rng);
/// }
/// ```
pub trait Noise: Send + Sync {
    /// [`Sampler::profile`].
    fn noise_profile(&self) -> Profile;
    /// [`Sampler::TIMING`].
    fn noise_timing(&self) -> Timing;
    /// [`Sampler::BATCH`].
    fn noise_batch(&self) -> usize;
    /// [`dyn Noise::skip`](#method.skip).
    fn noise_skip(&self, _: &mut BitReader<dyn Rng + '_>, _: u64) -> bool {
        false
    }
    /// Samples number `skip`, `skip + 1`, … of a batch, up to its end at most. The reader is at the start of the batch. If this costs no
    /// less than the whole batch, it returns `None` and draws nothing.
    fn noise_inside(
        &self,
        _bits: &mut BitReader<dyn Rng + '_>,
        _skip: usize,
        _out: Slots<'_>,
    ) -> Option<Result<(), RangeError>> {
        None
    }
    /// [`Sampler::sample`].
    fn noise_sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64;
    /// [`Sampler::fill`].
    ///
    /// # Errors
    ///
    /// As [`Sampler::fill`].
    fn noise_fill(&self, bits: &mut BitReader<dyn Rng + '_>, out: Slots<'_>) -> Result<(), RangeError>;
    /// If a type from `min` to `max` is known to be too narrow for the distribution, returns the values that a type must hold. `None` if
    /// it is wide enough, or if nothing is known.
    fn noise_beyond(&self, _min: i64, _max: i64) -> Option<RangeInclusive<i64>> {
        None
    }
    /// One sample from as many words of the generator as it takes; the rest of the last is dropped.
    #[cfg(feature = "rand")]
    fn noise_draw(&self, rng: &mut dyn Rng) -> i64 {
        self.noise_sample(&mut BitReader::new(rng))
    }
}

impl<S: Sampler + Send + Sync> Noise for S {
    fn noise_profile(&self) -> Profile {
        self.profile()
    }
    fn noise_timing(&self) -> Timing {
        S::TIMING
    }
    fn noise_batch(&self) -> usize {
        S::BATCH
    }
    fn noise_skip(&self, bits: &mut BitReader<dyn Rng + '_>, batches: u64) -> bool {
        self.batch_bits().map(|each| drop_bits(bits, each * batches)).is_some()
    }
    fn noise_sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64 {
        // WebAssembly is downloaded: there the loop of `fill`, from which one sample is the same, serves this too.
        #[cfg(target_arch = "wasm32")]
        {
            let mut one = [0_i64];
            let filled = self.noise_fill(bits, Slots::I64(&mut one));
            debug_assert!(filled.is_ok(), "every sample fits an i64");
            one[0]
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.sample(bits)
    }
    fn noise_fill(&self, bits: &mut BitReader<dyn Rng + '_>, out: Slots<'_>) -> Result<(), RangeError> {
        match out {
            Slots::I8(out) => filled(self, bits, out),
            Slots::I16(out) => filled(self, bits, out),
            Slots::I32(out) => filled(self, bits, out),
            Slots::I64(out) => self.fill(bits, out),
        }
    }
    #[cfg(feature = "rand")]
    fn noise_draw(&self, rng: &mut dyn Rng) -> i64 {
        self.sample(&mut Words::new(rng))
    }
    fn noise_beyond(&self, min: i64, max: i64) -> Option<RangeInclusive<i64>> {
        if !S::BOUNDED {
            return None;
        }
        let support = self.profile().support;
        (min > *support.start() || max < *support.end()).then_some(support)
    }
}

impl dyn Noise + '_ {
    /// Returns the sampler's declaration.
    pub fn profile(&self) -> Profile {
        self.noise_profile()
    }

    /// Returns the class of the running time.
    pub fn timing(&self) -> Timing {
        self.noise_timing()
    }

    /// Returns whether the support fits `T`. Then no time depends on whether a sample fits. [`fill`](#method.fill) of `T` returns no error,
    /// unless an exact remainder gives a sample outside of the support.
    pub fn fits<T: Int>(&self) -> bool {
        let support = self.noise_profile().support;
        *support.start() >= T::MIN && *support.end() <= T::MAX
    }

    /// Returns the number of samples that [`fill`](#method.fill) makes together: [`Sampler::BATCH`].
    pub fn batch(&self) -> usize {
        self.noise_batch()
    }

    /// Drops the bits of so many batches and returns true, if the batches need not be made for that. Otherwise it
    /// returns false and drops nothing.
    pub fn skip(&self, bits: &mut BitReader<dyn Rng + '_>, batches: u64) -> bool {
        self.noise_skip(bits, batches)
    }

    /// Draws one sample.
    ///
    /// # Law
    ///
    /// That of [`Profile::exactness`], if `bits` is ideal.
    ///
    /// ```
    /// # use samplez_core::{DiscreteGaussian, Noise, bits::BitReader, samplers::Karney};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// let noise: Box<dyn Noise> = Box::new(Karney::new(&DiscreteGaussian::with_sigma("16/5".parse()?)?)?);
    /// assert!(noise.sample(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])))).abs() < 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64 {
        self.noise_sample(bits)
    }

    /// Fills `out` with the integers that `out.len()` calls of [`sample`](#method.sample) would return, from the same
    /// bits. Where [`batch`](#method.batch) is more than 1, it fills `out` with as many samples of the same law.
    ///
    /// # Errors
    ///
    /// [`RangeError`] at the first sample that does not fit `T`; the contents of `out` are then
    /// unspecified, and the bits are spent.
    ///
    /// ```
    /// # use samplez_core::{DiscreteGaussian, Noise, bits::BitReader, samplers::Karney};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// let noise: Box<dyn Noise> = Box::new(Karney::new(&DiscreteGaussian::with_sigma("1000".parse()?)?)?);
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
    /// assert!(noise.fill(&mut bits, &mut [0_i32; 100]).is_ok());
    /// assert!(noise.fill(&mut bits, &mut [0_i8; 100]).unwrap_err().to_string().contains("does not fit"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill<T: Int>(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [T]) -> Result<(), RangeError> {
        self.noise_fill(bits, T::slots(out))
    }
}

/// Draws this many bits, and drops them.
#[inline(never)]
fn drop_bits(bits: &mut BitReader<dyn Rng + '_>, count: u64) {
    let mut words = [0; 1024];
    let mut left = (count / 64) as usize;
    while left > 0 {
        let some = left.min(words.len());
        bits.words(&mut words[..some]);
        left -= some;
    }
    if !count.is_multiple_of(64) {
        bits.bits((count % 64) as u32);
    }
    words.as_mut_slice().zeroize();
}

/// [`Sampler::fill`] for a type narrower than `i64`. A function for each type, so that its loop is
/// compiled for itself.
#[cfg(not(target_arch = "wasm32"))]
#[inline(never)]
fn filled<S: Sampler, T: Int>(
    sampler: &S,
    bits: &mut BitReader<dyn Rng + '_>,
    out: &mut [T],
) -> Result<(), RangeError> {
    sampler.fill(bits, out)
}

#[cfg(target_arch = "wasm32")]
use narrowed as filled;

/// [`Sampler::fill`] by way of `i64`. WebAssembly is downloaded: there one loop of each sampler
/// serves all types.
#[cfg(target_arch = "wasm32")]
#[cfg_attr(samplez_backend = "simd128", target_feature(enable = "simd128"))]
#[inline(never)]
fn narrowed<T: Int>(sampler: &dyn Noise, bits: &mut BitReader<dyn Rng + '_>, out: &mut [T]) -> Result<(), RangeError> {
    // A part is whole batches or the whole fill. A short one has few numbers to clear.
    match out.len() {
        0..=512 => narrowed_by::<512, T>(sampler, bits, out),
        0..=2048 => narrowed_by::<2048, T>(sampler, bits, out),
        _ if sampler.noise_batch() <= 2048 => narrowed_by::<2048, T>(sampler, bits, out),
        _ => narrowed_by::<8192, T>(sampler, bits, out),
    }
}

/// [`narrowed`] by way of N numbers. Not inlined: the caller would have all of them on its stack.
#[cfg(target_arch = "wasm32")]
#[cfg_attr(samplez_backend = "simd128", target_feature(enable = "simd128"))]
#[inline(never)]
fn narrowed_by<const N: usize, T: Int>(
    sampler: &dyn Noise,
    bits: &mut BitReader<dyn Rng + '_>,
    out: &mut [T],
) -> Result<(), RangeError> {
    let mut wide = [0; N];
    let narrowed = narrowed_in(sampler, bits, out, &mut wide);
    wide[..out.len().min(N)].zeroize();
    narrowed
}

/// [`narrowed`] by way of `wide`.
#[cfg(target_arch = "wasm32")]
#[cfg_attr(samplez_backend = "simd128", target_feature(enable = "simd128"))]
#[inline(never)]
fn narrowed_in<T: Int>(
    sampler: &dyn Noise,
    bits: &mut BitReader<dyn Rng + '_>,
    out: &mut [T],
    wide: &mut [i64],
) -> Result<(), RangeError> {
    for part in out.chunks_mut(wide.len()) {
        let wide = &mut wide[..part.len()];
        sampler.noise_fill(bits, Slots::I64(wide))?;
        // Two loops without an exit in them, which become vector code. What fits is at most
        // MAX - MIN = 2^n - 1 above MIN, and so are these distances' bits together.
        let above = |value: i64| value.wrapping_sub(T::MIN).cast_unsigned();
        if wide.iter().fold(0, |bits, value| bits | above(*value)) > above(T::MAX) {
            return Err(RangeError::of::<T>());
        }
        for (slot, value) in part.iter_mut().zip(wide) {
            *slot = T::wrapping(*value);
        }
    }
    Ok(())
}
