//! Bulk arrays: samples with addresses.
//!
//! Sample number i of a bulk array comes from block i/[`BLOCK`] of the seed's tree: a generator
//! seeded with [`Seed::block`], read by a [`BitReader`] from its start. So the array is a function of
//! (sampler, source, seed, i), and any part of it can be made anywhere, in any order, by any
//! number of threads.

use rand_core::Rng;
use samplez_core::bits::{BitReader, Failure, Latched};
use samplez_core::noise::Noise;
use samplez_core::sampler::{Int, RangeError};
use samplez_sources::{EntropyError, Seed, Source};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Mutex;

/// Samples in a block. Part of the stream's definition.
///
/// ```
/// assert_eq!(samplez::bulk::BLOCK, 8192);
/// ```
pub const BLOCK: u64 = 8192;

/// Blocks that a thread takes at a time.
const TASK: u64 = 16 * BLOCK;

/// Why a fill failed. The output is then all zeros if the source is to blame, and unspecified otherwise.
///
/// ```
/// use samplez::{Bulk, Recipe, Seed, Source};
/// let sampler = "sigma=1000".parse::<Recipe>()?.build()?.into_sampler();
/// let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([0; 32]));
/// let e = bulk.fill(0, &mut [0_i8; 100]).unwrap_err();
/// assert!(e.to_string().contains("does not fit the output type i8"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum FillError {
    /// A sample does not fit the output type.
    Range(RangeError),
    /// The source failed, or is stuck.
    Entropy(Failure<EntropyError>),
    /// `first + out.len()` exceeds 2^64.
    Address {
        /// The address asked for.
        first: u64,
        /// The number of samples asked for.
        len: usize,
    },
}

impl fmt::Display for FillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FillError::Range(e) => e.fmt(f),
            FillError::Entropy(e) => e.fmt(f),
            FillError::Address { first, len } => {
                write!(f, "first = {first}: with {len} samples the last address must be below 2^64")
            }
        }
    }
}

impl std::error::Error for FillError {}

impl From<RangeError> for FillError {
    fn from(e: RangeError) -> Self {
        FillError::Range(e)
    }
}

/// A bulk array of samples that exists by its address only.
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
pub struct Bulk<'a> {
    sampler: &'a dyn Noise,
    source: Source,
    seed: Seed,
}

impl fmt::Debug for Bulk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bulk").field("source", &self.source).finish_non_exhaustive()
    }
}

impl<'a> Bulk<'a> {
    /// The array of this sampler, source and seed. A source that [takes no
    /// seed](Source::is_seeded) ignores it, and gives other integers at each fill.
    ///
    /// ```
    /// # use samplez::{Bulk, Recipe, Seed, Source};
    /// # let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
    /// let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_os()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(sampler: &'a dyn Noise, source: Source, seed: Seed) -> Self {
        Bulk { sampler, source, seed }
    }

    /// Samples number `first`, `first + 1`, … into `out`. Cheapest where `first` is a multiple
    /// of [`BLOCK`]: within a block the samples before it are made and dropped.
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
        check_address(first, out.len())?;
        let filled = match self.source.constructor() {
            Some(make) => self.blocks(first, out, |number| make(&self.seed.block(number))),
            None => self.anew(out),
        };
        wiped(filled, out)
    }

    /// From a source that takes no seed.
    fn anew<T: Int>(&self, out: &mut [T]) -> Result<(), FillError> {
        let rng = self.source.open(&self.seed).map_err(|error| FillError::Entropy(Failure::Source(error)))?;
        let mut bits = BitReader::new(Latched::new(rng));
        let filled = self.sampler.fill(&mut bits, out);
        match bits.take_failure() {
            Some(failure) => Err(FillError::Entropy(failure)),
            None => Ok(filled?),
        }
    }

    /// Block by block, each from the generator of its number.
    fn blocks<T: Int, R: Rng>(
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
                None => reader.insert(BitReader::new(rng)),
            };
            for _ in 0..skip {
                self.sampler.sample(bits);
            }
            let filled = self.sampler.fill(bits, now);
            if let Some(fault) = bits.fault() {
                return Err(FillError::Entropy(Failure::Stuck(fault)));
            }
            filled?;
            first = first.wrapping_add(take as u64); // 2^64 only after the last block
            out = later;
        }
        Ok(())
    }

    /// [`fill`](Self::fill) on up to `threads` threads: the same integers.
    ///
    /// # Errors
    ///
    /// [`FillError`].
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
        check_address(first, out.len())?;
        let tasks = (out.len() as u64).div_ceil(TASK) + 1;
        let threads = (threads.get() as u64).min(tasks);
        if threads == 1 {
            return self.fill(first, out);
        }
        // Each thread takes the next run of blocks until none is left or one has failed.
        // Runs are handed out in their order, so that all before a failed one are taken and finished:
        // the error kept is that of the lowest address, as in `fill`.
        let state = Mutex::new((Tasks { first, rest: &mut *out }, None::<(u64, FillError)>));
        let work = || {
            loop {
                let task = {
                    let mut state = state.lock().unwrap_or_else(|e| e.into_inner());
                    if state.1.is_some() { None } else { state.0.next() }
                };
                let Some((first, part)) = task else { return };
                if let Err(e) = self.fill(first, part) {
                    let mut state = state.lock().unwrap_or_else(|e| e.into_inner());
                    if state.1.as_ref().is_none_or(|(lowest, _)| first < *lowest) {
                        state.1 = Some((first, e));
                    }
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // One that cannot be had leaves its share to the others.
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        let failed = state.into_inner().unwrap_or_else(|e| e.into_inner()).1;
        wiped(failed.map_or(Ok(()), |(_, e)| Err(e)), out)
    }
}

/// The whole output is erased if its bits were not random.
fn wiped<T: Int>(filled: Result<(), FillError>, out: &mut [T]) -> Result<(), FillError> {
    if let Err(FillError::Entropy(_)) = filled {
        out.fill(T::ZERO);
    }
    filled
}

fn check_address(first: u64, len: usize) -> Result<(), FillError> {
    match first.checked_add((len as u64).saturating_sub(1)) {
        Some(_) => Ok(()),
        None => Err(FillError::Address { first, len }),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DiscreteGaussian, Method, Recipe};
    use samplez_core::bits::BitSource;
    use samplez_core::profile::{Profile, Timing};
    use samplez_core::sampler::Sampler;

    fn karney() -> Box<dyn Noise> {
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        Recipe::new(law).method(Method::Karney).build().unwrap().into_sampler()
    }

    /// Values too large for i8, the first of all drawn last.
    struct Late(std::sync::atomic::AtomicBool);

    impl Sampler for Late {
        const TIMING: Timing = Timing::Variable;
        fn profile(&self) -> Profile {
            karney().profile()
        }
        fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
            let value = 1000 + bits.bits(32) as i64;
            // Block 0 begins with this one.
            let first = BitReader::new(samplez_sources::ChaCha20::new(&Seed::from_bytes([5; 32]).block(0)));
            let first = 1000 + { first }.bits(32) as i64;
            if value == first && !self.0.swap(true, std::sync::atomic::Ordering::Relaxed) {
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            value
        }
    }

    #[test]
    fn the_error_is_that_of_the_lowest_address() {
        let errors = [1, 4].map(|threads| {
            let late = Late(std::sync::atomic::AtomicBool::new(false));
            let bulk = Bulk::new(&late, Source::ChaCha20, Seed::from_bytes([5; 32]));
            let mut out = vec![0_i8; 20 * TASK as usize];
            bulk.par_fill(0, &mut out, NonZeroUsize::new(threads).unwrap()).unwrap_err().to_string()
        });
        assert_eq!(errors[0], errors[1]);
    }

    #[test]
    fn every_split_gives_the_same_integers() {
        let sampler = karney();
        let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([5; 32]));
        let mut all = vec![0_i8; 40_000];
        bulk.fill(0, &mut all).unwrap();
        for threads in 1..=4 {
            let mut again = vec![0_i32; 40_000];
            bulk.par_fill(0, &mut again, NonZeroUsize::new(threads).unwrap()).unwrap();
            assert!(all.iter().zip(&again).all(|(a, b)| i32::from(*a) == *b), "{threads} threads");
        }
        for (first, len) in [(1, 1), (8191, 2), (8192, 8192), (100, 30_000), (39_999, 1), (5, 0)] {
            let mut part = vec![0_i16; len];
            bulk.fill(first as u64, &mut part).unwrap();
            assert!(part.iter().zip(&all[first..]).all(|(a, b)| *a == i16::from(*b)), "{len} from {first}");
        }
    }

    /// The same again where no thread can be had: their stacks would take 2^46 bytes each.
    #[test]
    #[cfg(all(unix, target_pointer_width = "64", not(miri)))]
    fn without_threads_one_does_it_all() {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "bulk::tests::every_split_gives_the_same_integers", "--test-threads=1"]);
        let output = again.env("RUST_MIN_STACK", (1_u64 << 46).to_string()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }

    #[test]
    fn the_ends_of_the_address_space() {
        let sampler = karney();
        let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([5; 32]));
        assert!(bulk.fill(u64::MAX, &mut [0_i8; 1]).is_ok());
        assert!(bulk.fill(u64::MAX, &mut [0_i8; 0]).is_ok());
        for threads in [1, 2] {
            let threads = NonZeroUsize::new(threads).unwrap();
            assert!(matches!(bulk.par_fill(u64::MAX, &mut [0_i8; 2], threads), Err(FillError::Address { .. })));
        }
    }

    /// A sampler whose samples are 0, 0, …, except one out of range in each block.
    struct Wide;
    impl Sampler for Wide {
        const TIMING: Timing = Timing::Variable;
        fn profile(&self) -> Profile {
            unreachable!("not asked for")
        }
        fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
            i64::from(bits.bits(10) == 0) * 1000
        }
    }

    /// A generator that is stuck, where the blocks are read.
    #[test]
    fn a_stuck_generator_is_an_error() {
        struct Stuck;
        impl rand_core::TryRng for Stuck {
            type Error = std::convert::Infallible;
            fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
                Ok(0)
            }
            fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
                Ok(0)
            }
            fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
                out.fill(0);
                Ok(())
            }
        }
        let sampler = karney();
        let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([5; 32]));
        let mut out = [1_i8; 10];
        let filled = wiped(bulk.blocks(8190, &mut out, |_| Stuck), &mut out);
        assert!(matches!(filled, Err(FillError::Entropy(Failure::Stuck(_)))));
        assert_eq!(out, [0; 10]);
    }

    #[test]
    fn errors_come_back_from_threads() {
        let bulk = Bulk::new(&Wide, Source::ChaCha20, Seed::from_bytes([5; 32]));
        let mut out = vec![0_i8; 1_000_000];
        for threads in [1, 2, 5] {
            let error = bulk.par_fill(0, &mut out, NonZeroUsize::new(threads).unwrap()).unwrap_err();
            assert!(matches!(error, FillError::Range(RangeError { value: 1000, dtype: "i8" })));
        }
    }
}
