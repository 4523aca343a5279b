//! Arrays with addresses: sample number n of a sampler, a source and a seed.

use crate::sampler::{sampler_of, samplez_sampler};
use crate::status::{Failed, SAMPLEZ_ENTROPY, SAMPLEZ_RANGE, guard, null, samplez_status, text};
use crate::stream::{narrow, seed_of, slice_of};
use samplez::{Bulk, FillError, Int, Source};
use std::ffi::c_char;
use std::num::NonZeroUsize;

/// # Safety
///
/// A live handle; `source` null or a text; `seed` null or 32 bytes; space for `count` values.
unsafe fn fill<T: Int>(
    sampler: *const samplez_sampler,
    source: *const c_char,
    seed: *const u8,
    first: u64,
    out: *mut T,
    count: usize,
    threads: usize,
) -> samplez_status {
    guard(|| {
        // SAFETY: by this function's own conditions.
        let (sampler, source, seed, out) =
            unsafe { (sampler_of(sampler)?, text("source", source)?, seed_of(seed)?, slice_of(out, count)?) };
        let source: Source = source.parse().map_err(Failed::refused)?;
        if !source.is_seeded() {
            return Err(Failed::argument(format_args!(
                "source = {source}: expected one that takes a seed, such as chacha20"
            )));
        }
        let threads = NonZeroUsize::new(threads).ok_or(Failed::range("threads = 0: expected at least 1"))?;
        let bulk = Bulk::new(sampler, source, seed.ok_or_else(|| null("seed"))?);
        bulk.par_fill(first, out, threads).map_err(|e| match e {
            FillError::Narrow(e) => narrow(&e),
            FillError::Range(e) => Failed::new(SAMPLEZ_RANGE, e),
            FillError::Entropy(e) => Failed::new(SAMPLEZ_ENTROPY, e),
            other => Failed::range(other),
        })
    })
}

/// Fills `out` with the samples number `first`, `first` + 1, … of the array of a sampler, a source and a seed: 8-bit
/// integers, on up to `threads` threads.
///
/// Sample number n is the same integer in every range, on any number of threads, on every machine and in every
/// language. This is fastest if `first` is a multiple of 8192.
///
/// # Safety
///
/// A live handle; `source` ends with a zero byte; 32 bytes at `seed`; space for `count` values at
/// `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_bulk_i8(
    sampler: *const samplez_sampler,
    source: *const c_char,
    seed: *const u8,
    first: u64,
    out: *mut i8,
    count: usize,
    threads: usize,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { fill(sampler, source, seed, first, out, count, threads) }
}

/// Fills `out` with samples of an array as 16-bit integers, like samplez_bulk_i8.
///
/// # Safety
///
/// A live handle; `source` ends with a zero byte; 32 bytes at `seed`; space for `count` values at
/// `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_bulk_i16(
    sampler: *const samplez_sampler,
    source: *const c_char,
    seed: *const u8,
    first: u64,
    out: *mut i16,
    count: usize,
    threads: usize,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { fill(sampler, source, seed, first, out, count, threads) }
}

/// Fills `out` with samples of an array as 32-bit integers, like samplez_bulk_i8.
///
/// # Safety
///
/// A live handle; `source` ends with a zero byte; 32 bytes at `seed`; space for `count` values at
/// `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_bulk_i32(
    sampler: *const samplez_sampler,
    source: *const c_char,
    seed: *const u8,
    first: u64,
    out: *mut i32,
    count: usize,
    threads: usize,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { fill(sampler, source, seed, first, out, count, threads) }
}

/// Fills `out` with samples of an array as 64-bit integers, like samplez_bulk_i8.
///
/// # Safety
///
/// A live handle; `source` ends with a zero byte; 32 bytes at `seed`; space for `count` values at
/// `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_bulk_i64(
    sampler: *const samplez_sampler,
    source: *const c_char,
    seed: *const u8,
    first: u64,
    out: *mut i64,
    count: usize,
    threads: usize,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { fill(sampler, source, seed, first, out, count, threads) }
}
