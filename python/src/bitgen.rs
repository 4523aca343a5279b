//! NumPy's C interface for bit generators, `bitgen_t`, in both directions.
//!
//! A capsule named "BitGenerator" holds a pointer to the structure. Its functions are plain C and
//! are called without the interpreter's lock, under the generator's own.

use crate::errors::refused;
use crate::seed::seed_of;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rand_core::TryRng;
use samplez::{EntropyError, Refused, Source};
use samplez_sources::SeededGenerator;
use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use zeroize::Zeroizing;

const NAME: &CStr = c"BitGenerator";

type Next<T> = unsafe extern "C" fn(*mut c_void) -> T;

/// `bitgen_t` of numpy/random/bitgen.h.
#[repr(C)]
struct Bitgen {
    state: *mut c_void,
    next_uint64: Option<Next<u64>>,
    next_uint32: Option<Next<u32>>,
    next_double: Option<Next<f64>>,
    next_raw: Option<Next<u64>>,
}

fn wrong() -> PyErr {
    PyTypeError::new_err("rng: its capsule is not that of a NumPy BitGenerator")
}

/// What the capsule of a bit generator points to.
fn pointer(capsule: &Bound<'_, PyAny>) -> PyResult<NonNull<Bitgen>> {
    let capsule = capsule.cast::<PyCapsule>().map_err(|_| wrong())?;
    Ok(capsule.pointer_checked(Some(NAME)).map_err(|_| wrong())?.cast())
}

/// The words of somebody's bit generator.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    state: *mut c_void,
    next: Next<u64>,
}

// SAFETY: a bit generator may be used from any thread that holds its lock; see `Words::of`.
unsafe impl Send for Words {}

impl Words {
    /// The words of the generator in this capsule. Whoever draws holds the generator's lock, and
    /// keeps the capsule alive.
    ///
    /// # Errors
    ///
    /// `TypeError` if the object is no such capsule.
    pub(crate) fn of(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let pointer = pointer(capsule)?;
        // SAFETY: a capsule of that name holds a bitgen_t, by NumPy's convention.
        let bitgen = unsafe { pointer.as_ref() };
        Ok(Words { state: bitgen.state, next: bitgen.next_uint64.ok_or_else(wrong)? })
    }

    /// The next word.
    pub(crate) fn next(&self) -> u64 {
        // SAFETY: the generator's function on the generator's own state, its lock held.
        unsafe { (self.next)(self.state) }
    }
}

impl TryRng for Words {
    type Error = EntropyError;

    fn try_next_u32(&mut self) -> Result<u32, EntropyError> {
        Ok(self.next() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, EntropyError> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), EntropyError> {
        let mut stuck = Stuck::default();
        for bytes in out.chunks_mut(8) {
            let word = self.next();
            stuck.see(word);
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
        // Of random words one bit or more is the same in all 128 with probability 2^-121.
        match stuck.bits() {
            bits if bits != 0 && bits != u64::MAX && out.len() >= 1024 => Err(EntropyError::Narrow(bits)),
            _ => Ok(()), // a constant word is the reader's to see
        }
    }
}

/// The bits that are the same in all words seen.
pub(crate) struct Stuck {
    ones: u64,
    zeros: u64,
}

impl Default for Stuck {
    fn default() -> Self {
        Stuck { ones: u64::MAX, zeros: u64::MAX }
    }
}

impl Stuck {
    pub(crate) fn see(&mut self, word: u64) {
        self.ones &= word;
        self.zeros &= !word;
    }

    pub(crate) fn bits(&self) -> u64 {
        self.ones | self.zeros
    }
}

/// A generator, and how many of its bytes were taken.
struct State {
    rng: SeededGenerator,
    taken: u64,
}

/// One of our generators, to be called through a `bitgen_t`.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Offered {
    state: *mut State,
}

// SAFETY: a `State` is Send; nothing here reads it but `taken` and the C functions below, under the lock of the
// bit generator that they were installed in.
unsafe impl Send for Offered {}
// SAFETY: as above; `taken` is called under that lock.
unsafe impl Sync for Offered {}

#[pymethods]
impl Offered {
    /// Makes the bit generator that owns this capsule, and whose lock the caller holds, the one of a source under a seed of 32
    /// bytes, of which so many bytes were taken. It must keep what is returned for as long as it lives.
    #[new]
    fn new(py: Python<'_>, capsule: &Bound<'_, PyAny>, source: &str, seed: &[u8], taken: u64) -> PyResult<Self> {
        let source: Source = source.parse().map_err(refused)?;
        let mut rng = source.seeded(&seed_of(seed)?).ok_or_else(|| {
            refused(Refused::new(
                "source",
                source,
                "it can fail, and a NumPy bit generator cannot; take one with a seed",
            ))
        })?;
        py.detach(|| {
            // The bytes do not depend on the sizes of the requests.
            let (mut dropped, mut left) = (Zeroizing::new([0; 4096]), taken);
            while left > 0 {
                let now = left.min(dropped.len() as u64);
                rng.fill_bytes(&mut dropped[..now as usize]);
                left -= now;
            }
        });
        let pointer = pointer(capsule)?;
        let state = Box::into_raw(Box::new(State { rng, taken }));
        let bitgen = Bitgen {
            state: state.cast(),
            next_uint64: Some(next_u64),
            next_uint32: Some(next_u32),
            next_double: Some(next_f64),
            next_raw: Some(next_u64),
        };
        // SAFETY: a capsule of that name holds a bitgen_t; its owner is being initialized, and
        // nobody else reads it yet, or its lock is held.
        unsafe { pointer.write(bitgen) };
        Ok(Offered { state })
    }

    /// How many bytes were taken; the caller holds the bit generator's lock.
    fn taken(&self) -> u64 {
        // SAFETY: made by `Box::into_raw` in `new`, alive as long as this is, and nobody else uses it now.
        unsafe { (*self.state).taken }
    }
}

impl Drop for Offered {
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw` in `new`, and dropped here only.
        drop(unsafe { Box::from_raw(self.state) });
    }
}

/// # Safety
///
/// `state` is that of a live [`Offered`], and nobody else uses it now.
unsafe extern "C" fn next_u64(state: *mut c_void) -> u64 {
    // SAFETY: by the function's condition.
    let state = unsafe { &mut *state.cast::<State>() };
    state.taken += 8;
    state.rng.next_u64()
}

/// # Safety
///
/// As [`next_u64`].
unsafe extern "C" fn next_u32(state: *mut c_void) -> u32 {
    // SAFETY: by the function's condition.
    let state = unsafe { &mut *state.cast::<State>() };
    state.taken += 4;
    state.rng.next_u32()
}

/// A multiple of 2^-53 in [0, 1).
///
/// # Safety
///
/// As [`next_u64`].
unsafe extern "C" fn next_f64(state: *mut c_void) -> f64 {
    // SAFETY: by the function's condition.
    let word = unsafe { next_u64(state) };
    (word >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}
