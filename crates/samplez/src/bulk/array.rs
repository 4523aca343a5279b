//! The array, and the functions that fill slices from it.

use super::ahead::Ahead;
use super::error::FillError;
use super::within::{copied, within};
use crate::narrow::NarrowType;
use rand_core::Rng;
use samplez_core::bits::{BitReader, Failure, Latched};
use samplez_core::{Int, Noise};
use samplez_sources::{Seed, SeededGenerator, Source};
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::sync::{Arc, Mutex};
use zeroize::Zeroizing;

/// Samples in a block. Part of the stream's definition.
///
/// ```
/// assert_eq!(samplez::bindings::BLOCK, 8192);
/// ```
pub const BLOCK: u64 = 8192;

/// Samples that a thread makes at a time: whole blocks.
pub(super) const TASK: u64 = 16 * BLOCK;

/// A sampler that is borrowed, or owned together with others.
///
/// ```
/// use samplez::{DiscreteGaussian, Noise, bindings::AnyNoise};
/// use samplez_core::samplers::Karney;
/// let karney = Karney::new(&DiscreteGaussian::with_sigma("3.2".parse()?)?)?;
/// let borrowed = AnyNoise::from(&karney);
/// let boxed: Box<dyn Noise> = Box::new(karney.clone());
/// let owned: AnyNoise<'static> = boxed.into();
/// assert_eq!(owned.profile(), borrowed.profile());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub enum AnyNoise<'a> {
    /// Borrowed.
    Borrowed(&'a dyn Noise),
    /// Owned, perhaps by several.
    Shared(Arc<dyn Noise>),
}

impl<'a> Deref for AnyNoise<'a> {
    type Target = dyn Noise + 'a;
    fn deref(&self) -> &Self::Target {
        match self {
            AnyNoise::Borrowed(noise) => *noise,
            AnyNoise::Shared(noise) => &**noise,
        }
    }
}

impl fmt::Debug for AnyNoise<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyNoise").finish_non_exhaustive()
    }
}

impl<'a> From<&'a dyn Noise> for AnyNoise<'a> {
    fn from(noise: &'a dyn Noise) -> Self {
        AnyNoise::Borrowed(noise)
    }
}

impl<'a, N: Noise> From<&'a N> for AnyNoise<'a> {
    fn from(noise: &'a N) -> Self {
        AnyNoise::Borrowed(noise)
    }
}

impl From<Box<dyn Noise>> for AnyNoise<'_> {
    fn from(noise: Box<dyn Noise>) -> Self {
        AnyNoise::Shared(noise.into())
    }
}

impl From<Arc<dyn Noise>> for AnyNoise<'_> {
    fn from(noise: Arc<dyn Noise>) -> Self {
        AnyNoise::Shared(noise)
    }
}

/// From a block's number to its generator.
type Generators<'a> = Arc<dyn Fn(u64) -> Box<dyn Rng + 'a> + Send + Sync + 'a>;

/// Where the bits of the blocks come from.
#[derive(Clone)]
enum Bits<'a> {
    Source(Source, Seed),
    Own(Generators<'a>),
}

/// An array of samples, each determined by sampler, source, seed and position. It is not stored.
///
/// It borrows its sampler (`Bulk::new(&sampler, …)`) or owns it (`Bulk::new(boxed, …)`, which is a
/// `Bulk<'static>`). A clone is the same array.
///
/// A short fill that begins at the end of the last one makes samples ahead, up to 64 KiB and the end of its block.
/// The next fills copy them. This does not change the array. The buffer is erased when it is refilled, and when the
/// `Bulk` is dropped.
///
/// ```
/// use samplez::{Bulk, Recipe, Seed, Source};
/// let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
/// let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([9; 32]));
/// let mut all = [0_i16; 20_000];
/// bulk.fill(0, &mut all)?;
/// let mut part = [0_i64; 100];
/// bulk.fill(8_150, &mut part)?; // across the border of two blocks
/// assert!(part.iter().zip(&all[8_150..]).all(|(a, b)| *a == i64::from(*b)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Bulk<'a> {
    sampler: AnyNoise<'a>,
    bits: Bits<'a>,
    ahead: Ahead,
}

impl fmt::Debug for Bulk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Bulk");
        if let Bits::Source(source, _) = &self.bits {
            text.field("source", source);
        }
        text.finish_non_exhaustive()
    }
}

impl<'a> Bulk<'a> {
    /// Builds the array of this sampler, source and seed. A source that [takes no seed](Source::is_seeded) ignores
    /// it, and gives other integers at each fill.
    ///
    /// ```
    /// # use samplez::{Bulk, Recipe, Seed, Source};
    /// # let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
    /// Bulk::new(&*sampler, Source::ChaCha20, Seed::from_os()?).fill(0, &mut [0_i8; 10])?;
    /// let owning: Bulk<'static> = Bulk::new(sampler, Source::Os, Seed::from_bytes([0; 32]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(sampler: impl Into<AnyNoise<'a>>, source: Source, seed: Seed) -> Self {
        Bulk { sampler: sampler.into(), bits: Bits::Source(source, seed), ahead: Ahead::default() }
    }

    /// Builds the array of this sampler, whose block n is read from the generator `generator(n)`. It is a function of
    /// the address if `generator` is a function of n. A generator that may fail is for a [`Stream`](crate::Stream).
    ///
    /// ```
    /// use samplez::{Bulk, Recipe, Seed, Source};
    /// use samplez_sources::ChaCha12;
    /// # let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
    /// let seed = Seed::from_bytes([9; 32]);
    /// let own = Bulk::with_generators(&*sampler, |block| ChaCha12::new(&seed.block(block)));
    /// let (mut a, mut b) = ([0_i8; 10_000], [0_i8; 10_000]);
    /// own.fill(0, &mut a)?;
    /// Bulk::new(&*sampler, Source::ChaCha12, seed.clone()).fill(0, &mut b)?;
    /// assert_eq!(a, b);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_generators<R: Rng + 'a>(
        sampler: impl Into<AnyNoise<'a>>,
        generator: impl Fn(u64) -> R + Send + Sync + 'a,
    ) -> Self {
        let boxed: Generators<'a> = Arc::new(move |block| Box::new(generator(block)));
        Bulk { sampler: sampler.into(), bits: Bits::Own(boxed), ahead: Ahead::default() }
    }

    /// Fills `out` with the samples number `first`, `first + 1`, … This is fastest if `first` is a multiple of
    /// [`BLOCK`]. Otherwise the samples of its block before `first` are made and dropped. If a method takes the same
    /// number of bits for each batch, only these bits are drawn. Short fills in order, each from the end of the one
    /// before, draw each sample about once.
    ///
    /// # Errors
    ///
    /// [`FillError`].
    ///
    /// ```
    /// # use samplez::{Bulk, Recipe, Seed, Source};
    /// # let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
    /// # let bulk = Bulk::new(&*sampler, Source::Os, Seed::from_bytes([0; 32]));
    /// let mut out = [0_i32; 10];
    /// bulk.fill(1 << 40, &mut out)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill<T: Int>(&self, first: u64, out: &mut [T]) -> Result<(), FillError> {
        self.check::<T>()?;
        check_address(first, out.len() as u64)?;
        let filled = match &self.bits {
            Bits::Own(generator) => self.by_blocks(first, out, |number| generator(number)),
            Bits::Source(source, seed) => match source.constructor() {
                Some(make) if (out.len() as u64) < BLOCK => self.short(first, out, |number| make(&seed.block(number))),
                Some(make) => self.by_blocks(first, out, |number| make(&seed.block(number))),
                None => self.anew(*source, seed, out),
            },
        };
        wiped(filled, out)
    }

    /// Fills `out` with the block of this number, if the array is cut into blocks of as many samples as `out` holds.
    /// They are samples number `index·len`, `index·len + 1`, … Two numbers thus describe a worker's task. Cheapest
    /// where `len` is a multiple of [`BLOCK`].
    ///
    /// # Errors
    ///
    /// [`FillError`].
    ///
    /// ```
    /// # use samplez::{Bulk, Recipe, Seed, Source};
    /// # let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
    /// # let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([0; 32]));
    /// let (mut all, mut block) = ([0_i8; 30_000], [0_i8; 10_000]);
    /// bulk.fill(0, &mut all)?;
    /// bulk.fill_block(2, &mut block)?;
    /// assert_eq!(block, all[20_000..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill_block<T: Int>(&self, index: u64, out: &mut [T]) -> Result<(), FillError> {
        self.fill(block_address(index, out.len() as u64)?, out)
    }

    /// Whether the type is wide enough.
    pub(super) fn check<T: Int>(&self) -> Result<(), FillError> {
        Ok(NarrowType::check::<T>(&*self.sampler)?)
    }

    /// Less than a block, from the samples made ahead if it begins where the last short fill ended.
    fn short<T: Int>(
        &self,
        mut first: u64,
        out: &mut [T],
        generator: impl Fn(u64) -> SeededGenerator,
    ) -> Result<(), FillError> {
        let (had, follows) = self.ahead.take(first, out.len(), |samples| copied(samples, out))?;
        let rest = &mut out[had..];
        if rest.is_empty() {
            return Ok(());
        }
        first += had as u64;
        let end = first.checked_add(rest.len() as u64);
        let within = (BLOCK - first % BLOCK) as usize;
        if let Some(before) = follows.filter(|_| rest.len() <= within) {
            let mut samples = Zeroizing::new(vec![0_i64; (4 * before.max(rest.len())).min(within)]);
            // What fails behind the samples wanted is no failure of theirs.
            if self.by_blocks(first, &mut samples, &generator).is_ok() {
                copied(&samples, rest)?;
                let used = rest.len();
                self.ahead.put(end, samples, used);
                return Ok(());
            }
        }
        self.by_blocks(first, rest, generator)?;
        self.ahead.put(end, Zeroizing::default(), 0);
        Ok(())
    }

    /// From a source that takes no seed.
    fn anew<T: Int>(&self, source: Source, seed: &Seed, out: &mut [T]) -> Result<(), FillError> {
        let rng = source.open(seed).map_err(|error| FillError::Entropy(Failure::Source(error)))?;
        Ok(Latched::new(rng).draw(|bits| self.sampler.fill(bits, out)).map_err(FillError::Entropy)??)
    }

    /// Block by block, each from the generator of its number.
    fn by_blocks<T: Int, R: Rng>(
        &self,
        mut first: u64,
        mut out: &mut [T],
        generator: impl Fn(u64) -> R,
    ) -> Result<(), FillError> {
        let mut reader: Option<BitReader<R>> = None;
        while !out.is_empty() {
            let (number, skip) = (first / BLOCK, first % BLOCK);
            let take = usize::try_from(BLOCK - skip).unwrap_or(usize::MAX).min(out.len());
            let (now, later) = out.split_at_mut(take);
            let rng = generator(number);
            let bits = match &mut reader {
                Some(reader) => {
                    reader.restart(rng);
                    reader
                }
                None => reader.insert(BitReader::new(rng).latching()),
            };
            let filled = within(&*self.sampler, skip as usize, bits, now);
            if let Some(fault) = bits.fault() {
                return Err(FillError::Entropy(Failure::Stuck(fault)));
            }
            filled?;
            first = first.wrapping_add(take as u64); // 2^64 only after the last block
            out = later;
        }
        Ok(())
    }

    /// Fills `out` like [`fill`](Self::fill), with the same integers, on up to `threads` threads.
    ///
    /// # Errors
    ///
    /// [`FillError`], that of the lowest address.
    ///
    /// ```
    /// # use samplez::{Bulk, Recipe, Seed, Source};
    /// # let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
    /// # let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([0; 32]));
    /// let (mut one, mut many) = (vec![0_i8; 300_000], vec![0_i8; 300_000]);
    /// bulk.fill(77, &mut one)?;
    /// bulk.par_fill(77, &mut many, 3.try_into()?)?;
    /// assert_eq!(one, many);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn par_fill<T: Int>(&self, first: u64, out: &mut [T], threads: NonZeroUsize) -> Result<(), FillError> {
        if threads.get() == 1 {
            return self.fill(first, out);
        }
        self.par_fill_while(first, out, threads, |_| true)
    }

    /// Like [`par_fill`](Self::par_fill), as long as `go_on` returns true. `go_on` is called on this thread with the
    /// number of samples made so far, after every 16 blocks that this thread makes. The last call has all of them.
    ///
    /// # Errors
    ///
    /// [`FillError`], that of the lowest address; [`FillError::Stopped`] if `go_on` returned false.
    ///
    /// ```
    /// # use samplez::{Bulk, FillError, Recipe, Seed, Source};
    /// # let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
    /// # let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([0; 32]));
    /// let (mut out, mut seen) = (vec![0_i8; 1_000_000], 0);
    /// let progress = |done| { seen = done; true };
    /// bulk.par_fill_while(0, &mut out, 2.try_into()?, progress)?;
    /// assert_eq!(seen, 1_000_000);
    /// let stopped = bulk.par_fill_while(0, &mut out, 2.try_into()?, |done| done < 200_000);
    /// assert!(matches!(stopped, Err(FillError::Stopped)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn par_fill_while<T: Int>(
        &self,
        first: u64,
        out: &mut [T],
        threads: NonZeroUsize,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Result<(), FillError> {
        let all = out.len() as u64;
        self.check::<T>()?;
        check_address(first, all)?;
        let threads = (threads.get() as u64).min(all.div_ceil(TASK) + 1);
        // Each thread takes the next task until none is left, one has failed, or nobody wants more.
        // They are handed out in their order, so that all before a failed one are taken and finished:
        // the error kept is that of the lowest address, as in `fill`.
        let state =
            Mutex::new(Progress { tasks: Tasks { first, rest: &mut *out }, done: 0, stopped: false, failed: None });
        let lock = || state.lock().unwrap_or_else(|e| e.into_inner());
        let work = |go_on: &mut dyn FnMut(u64) -> bool| {
            loop {
                let task = {
                    let mut state = lock();
                    if state.stopped || state.failed.is_some() { None } else { state.tasks.next() }
                };
                let Some((first, part)) = task else { return };
                let filled = self.fill(first, part);
                let done = {
                    let mut state = lock();
                    match filled {
                        Ok(()) => state.done += part.len() as u64,
                        Err(e) if state.failed.as_ref().is_none_or(|(lowest, _)| first < *lowest) => {
                            state.failed = Some((first, e));
                        }
                        Err(_) => {}
                    }
                    state.done
                };
                if done < all && !go_on(done) {
                    lock().stopped = true;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // One that cannot be had leaves its share to the others.
                if std::thread::Builder::new().spawn_scoped(scope, || work(&mut |_| true)).is_err() {
                    break;
                }
            }
            work(&mut go_on);
        });
        let Progress { done, stopped, failed, .. } = state.into_inner().unwrap_or_else(|e| e.into_inner());
        match failed {
            Some((_, e)) => wiped(Err(e), out),
            None if !stopped && done == all && go_on(all) => Ok(()),
            None => Err(FillError::Stopped),
        }
    }
}

/// The whole output is erased if its bits were not random.
fn wiped<T: Int>(filled: Result<(), FillError>, out: &mut [T]) -> Result<(), FillError> {
    if let Err(FillError::Entropy(_)) = filled {
        out.fill(T::ZERO);
    }
    filled
}

/// # Errors
///
/// [`FillError::Address`] unless all addresses are below 2^64.
pub(super) fn check_address(first: u64, len: u64) -> Result<(), FillError> {
    match first.checked_add(len.saturating_sub(1)) {
        Some(_) => Ok(()),
        None => Err(FillError::Address { first, len }),
    }
}

/// Returns the address at which block `index` of blocks of `len` samples begins.
///
/// # Errors
///
/// [`FillError::Block`] if it does not end below 2^64.
///
/// ```
/// use samplez::bindings::block_address;
/// assert_eq!(block_address(3, 10_000)?, 30_000);
/// let e = block_address(1 << 60, 1 << 20).unwrap_err();
/// assert_eq!(e.to_string(), "index = 1152921504606846976: expected a last address below 2^64, with blocks of 1048576 samples");
/// # Ok::<(), samplez::FillError>(())
/// ```
pub fn block_address(index: u64, len: u64) -> Result<u64, FillError> {
    let first = index.checked_mul(len).filter(|first| check_address(*first, len).is_ok());
    first.ok_or(FillError::Block { index, len })
}

/// How far several threads are.
struct Progress<'a, T> {
    tasks: Tasks<'a, T>,
    done: u64,
    stopped: bool,
    /// The lowest address of a task that failed, and why.
    failed: Option<(u64, FillError)>,
}

/// An output cut at multiples of [`TASK`].
struct Tasks<'a, T> {
    first: u64,
    rest: &'a mut [T],
}

impl<'a, T> Iterator for Tasks<'a, T> {
    type Item = (u64, &'a mut [T]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let take = usize::try_from(TASK - self.first % TASK).unwrap_or(usize::MAX).min(self.rest.len());
        let (now, later) = std::mem::take(&mut self.rest).split_at_mut(take);
        let first = self.first;
        (self.first, self.rest) = (first.wrapping_add(take as u64), later);
        Some((first, now))
    }
}
