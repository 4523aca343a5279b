//! An array in order, made ahead by several threads.

use super::array::{BLOCK, Bulk, TASK, check_address};
use super::error::FillError;
use samplez_core::Int;
use std::collections::VecDeque;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use zeroize::{Zeroize, Zeroizing};

/// How many parts may be made ahead for each thread.
const AHEAD: u64 = 2;

impl Bulk<'static> {
    /// Returns the samples number `first` to `first + count - 1` in order, in parts of 16 blocks (fewer samples at the
    /// ends).
    ///
    /// Up to `threads` threads of their own make the parts ahead. The memory depends on `threads` and not on `count`.
    /// If no thread can be had, each part is made when it is requested.
    ///
    /// # Errors
    ///
    /// [`FillError::Address`]; the iterator gives the others, each in the place of its part, and ends after it.
    ///
    /// ```
    /// use samplez::{Bulk, Recipe, Seed, Source};
    /// let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
    /// let bulk = Bulk::new(sampler, Source::ChaCha20, Seed::from_bytes([9; 32]));
    /// let (mut sum, mut done) = (0, 0);
    /// for part in bulk.blocks::<i16>(0, 1_000_000, 2.try_into()?)? {
    ///     let part = part?;
    ///     sum += part.iter().map(|x| i64::from(*x)).sum::<i64>();
    ///     done += part.samples; // the progress
    /// }
    /// assert!(done == 1_000_000 && sum.abs() < 20_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks<T: Int>(&self, first: u64, count: u64, threads: NonZeroUsize) -> Result<Blocks<T>, FillError> {
        self.check::<T>()?;
        let bulk = self.clone();
        let make = move |first, samples, out: &mut Vec<T>| {
            out.resize(samples, T::ZERO);
            bulk.fill(first, out)
        };
        Blocks::new(first, count, threads, Box::new(make))
    }

    /// Like [`blocks`](Self::blocks), for data made of the samples: `encode` appends a part's data to an empty vector.
    /// It gets the part's samples and their first address, on the thread that made them.
    ///
    /// # Errors
    ///
    /// As [`blocks`](Self::blocks).
    ///
    /// ```
    /// use samplez::{Bulk, Recipe, Seed, Source};
    /// # let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
    /// # let bulk = Bulk::new(sampler, Source::ChaCha20, Seed::from_bytes([9; 32]));
    /// let lines = |_, samples: &[i8], out: &mut Vec<u8>| {
    ///     samples.iter().for_each(|x| out.extend(format!("{x}\n").bytes()));
    /// };
    /// let mut text = Vec::new();
    /// for part in bulk.blocks_as(0, 300_000, 2.try_into()?, lines)? {
    ///     text.extend_from_slice(&part?);
    /// }
    /// assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 300_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks_as<T: Int, O: Zeroize + Send + 'static>(
        &self,
        first: u64,
        count: u64,
        threads: NonZeroUsize,
        encode: impl Fn(u64, &[T], &mut Vec<O>) + Send + Sync + 'static,
    ) -> Result<Blocks<O>, FillError> {
        self.check::<T>()?;
        let bulk = self.clone();
        let scratch = Pool::new(threads);
        let make = move |first, samples, out: &mut Vec<O>| {
            let mut made = Zeroizing::new(scratch.take());
            made.resize(samples, T::ZERO);
            bulk.fill(first, &mut made)?;
            encode(first, &made, out);
            scratch.put(std::mem::take(&mut made));
            Ok(())
        };
        Blocks::new(first, count, threads, Box::new(make))
    }
}

/// From the first address and the number of samples to a part's contents, in an empty or a used vector.
type Make<T> = dyn Fn(u64, usize, &mut Vec<T>) -> Result<(), FillError> + Send + Sync;

/// An iterator over an array's parts, in order, while threads make the next ones. [`Bulk::blocks`] returns it.
///
/// If you drop it before its end, each thread stops after the part that it is making.
///
/// # Panics
///
/// If your own generator or encoder panicked on a thread, with its payload.
///
/// ```
/// use samplez::{Bulk, Recipe, Seed, Source};
/// let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
/// let bulk = Bulk::new(sampler, Source::ChaCha20, Seed::from_bytes([9; 32]));
/// let mut endless = bulk.blocks::<i8>(0, u64::MAX, 2.try_into()?)?;
/// let part = endless.next().ok_or("a part")??;
/// assert_eq!((part.first, part.len()), (0, 131_072));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Blocks<T: Zeroize> {
    shared: Arc<Shared<T>>,
    threads: Vec<JoinHandle<()>>,
}

impl<T: Zeroize> fmt::Debug for Blocks<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks").finish_non_exhaustive()
    }
}

/// A part of an array: its samples, or the data made of them.
///
/// A later part reuses its memory, which is erased in the end. Memory that a growing vector left behind while it was
/// filled is not erased.
///
/// ```
/// # use samplez::{Bulk, Recipe, Seed, Source};
/// # let sampler = "sigma=3.2".parse::<Recipe>()?.build()?.into_sampler();
/// # let bulk = Bulk::new(sampler, Source::ChaCha20, Seed::from_bytes([9; 32]));
/// let part = bulk.blocks::<i8>(5, 100, 1.try_into()?)?.next().ok_or("a part")??;
/// assert_eq!((part.first, part.samples, part.len()), (5, 100, 100));
/// assert!(part.iter().all(|x| x.abs() < 60));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub struct Part<T: Zeroize> {
    /// The address of its first sample.
    pub first: u64,
    /// How many samples it is, or was made of.
    pub samples: u64,
    contents: Vec<T>,
    pool: Arc<Pool<T>>,
}

impl<T: Zeroize> Deref for Part<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.contents
    }
}

impl<T: Zeroize> Drop for Part<T> {
    fn drop(&mut self) {
        self.pool.put(std::mem::take(&mut self.contents));
    }
}

impl<T: Zeroize> fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Part");
        text.field("first", &self.first).field("samples", &self.samples).finish_non_exhaustive()
    }
}

/// Vectors for use again; the ones not reused are erased.
struct Pool<T: Zeroize> {
    most: usize,
    idle: Mutex<Vec<Vec<T>>>,
}

impl<T: Zeroize> Pool<T> {
    fn new(threads: NonZeroUsize) -> Pool<T> {
        Pool { most: threads.get().saturating_mul(AHEAD as usize + 1), idle: Mutex::new(Vec::new()) }
    }

    fn take(&self) -> Vec<T> {
        lock(&self.idle).pop().unwrap_or_default()
    }

    fn put(&self, mut vector: Vec<T>) {
        let mut idle = lock(&self.idle);
        if idle.len() < self.most {
            idle.push(vector);
        } else {
            drop(idle);
            vector.zeroize();
        }
    }
}

impl<T: Zeroize> Drop for Pool<T> {
    fn drop(&mut self) {
        lock(&self.idle).iter_mut().for_each(Zeroize::zeroize);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

/// The state that the threads share.
struct Shared<T: Zeroize> {
    make: Box<Make<T>>,
    first: u64,
    count: u64,
    pool: Arc<Pool<T>>,
    state: Mutex<State<T>>,
    /// A part was taken: another may be made.
    taken: Condvar,
    /// A part was made.
    made: Condvar,
}

/// Parts are numbered from 0.
struct State<T: Zeroize> {
    /// The next to be made.
    next: u64,
    /// Where making ends: their number, unless something failed or the reader has gone.
    end: u64,
    /// The parts already made, from the next one to hand out to `next`.
    parts: VecDeque<Option<Result<Part<T>, FillError>>>,
    /// How long `parts` may be.
    most: u64,
    /// A thread panicked.
    panicked: bool,
}

impl<T: Zeroize> Shared<T> {
    /// Claims the next part for the caller to make, and returns its number.
    fn claim(state: &mut State<T>) -> Option<u64> {
        let number = state.next;
        (number < state.end).then(|| {
            state.next += 1;
            state.parts.push_back(None);
            number
        })
    }

    /// Makes the part of this number.
    fn part(&self, number: u64) -> Result<Part<T>, FillError> {
        let (first, samples) = bounds(self.first, self.count, number);
        let mut part = Part { first, samples, contents: self.pool.take(), pool: Arc::clone(&self.pool) };
        part.contents.clear();
        (self.make)(first, samples as usize, &mut part.contents)?;
        Ok(part)
    }

    /// Makes the part of this number, and puts it in its place.
    fn finish(&self, number: u64) {
        let part = self.part(number);
        let mut state = lock(&self.state);
        if part.is_err() {
            state.end = state.next; // those before it are being made
        }
        let place = state.parts.len() as u64 - (state.next - number);
        if let Some(slot) = state.parts.get_mut(place as usize) {
            *slot = Some(part);
        }
        drop(state);
        self.made.notify_all();
    }

    /// Runs a thread.
    fn work(&self) {
        let _tells = PanicGuard(self);
        loop {
            let mut state = lock(&self.state);
            while state.next < state.end && state.parts.len() as u64 >= state.most {
                state = self.taken.wait(state).unwrap_or_else(|e| e.into_inner());
            }
            let Some(number) = Self::claim(&mut state) else { return };
            drop(state);
            self.finish(number);
        }
    }
}

/// Notes that its thread panicked, for the thread that waits for its part.
struct PanicGuard<'a, T: Zeroize>(&'a Shared<T>);

impl<T: Zeroize> Drop for PanicGuard<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            let mut state = lock(&self.0.state);
            (state.panicked, state.end) = (true, state.next);
            drop(state);
            self.0.made.notify_all();
        }
    }
}

/// The first address and the number of samples of a part: they are cut at multiples of [`TASK`].
fn bounds(first: u64, count: u64, number: u64) -> (u64, u64) {
    let [all, task] = [u128::from(first) + u128::from(count), u128::from(TASK)];
    let start = (u128::from(first) / task + u128::from(number)) * task;
    let (start, end) = (start.max(first.into()), (start + task).min(all));
    (start as u64, (end - start) as u64)
}

impl<T: Zeroize + Send + 'static> Blocks<T> {
    fn new(first: u64, count: u64, threads: NonZeroUsize, make: Box<Make<T>>) -> Result<Self, FillError> {
        const { assert!(TASK.is_multiple_of(BLOCK) && TASK <= u32::MAX as u64) };
        check_address(first, count)?;
        let end = if count == 0 { 0 } else { (first + (count - 1)) / TASK - first / TASK + 1 };
        let threads_wanted = (threads.get() as u64).min(end);
        let state = State {
            next: 0,
            end,
            parts: VecDeque::new(),
            most: threads_wanted.saturating_mul(AHEAD).max(1),
            panicked: false,
        };
        let shared = Arc::new(Shared {
            make,
            first,
            count,
            pool: Arc::new(Pool::new(threads)),
            state: Mutex::new(state),
            taken: Condvar::new(),
            made: Condvar::new(),
        });
        let mut threads = Vec::new();
        for _ in 0..threads_wanted {
            let shared = Arc::clone(&shared);
            // One that cannot be had leaves its share to the others.
            let Ok(thread) = thread::Builder::new().spawn(move || shared.work()) else { break };
            threads.push(thread);
        }
        Ok(Blocks { shared, threads })
    }
}

impl<T: Zeroize> Blocks<T> {
    /// No part more is begun, and all threads have ended; the first panic among them.
    fn stop(&mut self) -> thread::Result<()> {
        let mut state = lock(&self.shared.state);
        state.end = state.next;
        drop(state);
        self.shared.taken.notify_all();
        let mut ended = Ok(());
        for thread in self.threads.drain(..) {
            ended = ended.and(thread.join());
        }
        ended
    }
}

impl<T: Zeroize> Iterator for Blocks<T> {
    type Item = Result<Part<T>, FillError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut state = lock(&self.shared.state);
        let part = loop {
            if let Some(slot @ Some(_)) = state.parts.front_mut() {
                break slot.take();
            }
            if state.panicked {
                break None;
            }
            if self.threads.is_empty() {
                let number = Shared::claim(&mut state)?;
                drop(state);
                let tells = PanicGuard(&self.shared);
                self.shared.finish(number);
                drop(tells);
                state = lock(&self.shared.state);
                continue;
            }
            if state.parts.is_empty() && state.next >= state.end {
                return None;
            }
            state = self.shared.made.wait(state).unwrap_or_else(|e| e.into_inner());
        };
        if let Some(Ok(_)) = part {
            state.parts.pop_front();
            drop(state);
            self.shared.taken.notify_one();
            return part;
        }
        drop(state);
        // The end, by an error or a panic.
        let ended = self.stop();
        // Parts that were finished meanwhile are not handed out any more.
        lock(&self.shared.state).parts.clear();
        if let (Err(panic), None) = (ended, &part) {
            resume_unwind(panic);
        }
        part
    }
}

impl<T: Zeroize> Drop for Blocks<T> {
    fn drop(&mut self) {
        _ = self.stop(); // a panic of a part that nobody asked for
    }
}
