//! Continuous streams: named sources, and a caller's generator.

use crate::sampler::samplez_sampler;
use crate::status::{
    Failed, SAMPLEZ_ENTROPY, SAMPLEZ_RANGE, behind, create, free, guard, null, place, samplez_status, text as read_text,
};
use rand_core::TryRng;
use samplez::SparseTernary;
use samplez::bindings::ShortFills;
use samplez::{EntropyError, Int, NarrowType, ParamError, Seed, Source, Stream, StreamError};
use std::ffi::{c_char, c_int, c_void};
use std::fmt;
use std::slice;
use zeroize::Zeroizing;

/// A source of random bits with a cursor. One thread at a time.
///
/// In a forked process, a seeded stream of the parent returns SAMPLEZ_ENTROPY. One of the operating system, or
/// over a callback, reads new bits, and drops the samples made ahead. A callback that continues from a copy of its state gives the parent's again.
pub struct samplez_stream(pub(crate) Stream<Generator>, ShortFills);

/// A named source or a callback.
pub(crate) enum Generator {
    Source(samplez_sources::Generator),
    Callback(extern "C" fn(*mut c_void, *mut u8, usize) -> c_int, *mut c_void),
}

/// Why a generator failed.
#[derive(Debug)]
pub(crate) enum GeneratorError {
    Source(EntropyError),
    Callback(c_int),
    /// It returned 0, and left the end of so many bytes as they were.
    Short(usize),
}

/// Bytes that a stream uses of a request of a callback.
const USED: usize = 1024;

/// The bytes behind them before a callback writes them. It writes these with a probability of 2^-128, and 16 equal ones with 2^-120.
const UNWRITTEN: [u8; 16] = *b"never written :(";

/// Fills `out`, which has up to [`USED`] bytes, with the first bytes of a longer request.
fn ask(
    callback: extern "C" fn(*mut c_void, *mut u8, usize) -> c_int,
    context: *mut c_void,
    out: &mut [u8],
) -> Result<(), GeneratorError> {
    let mut room = Zeroizing::new([0; USED + UNWRITTEN.len()]);
    let (length, wanted) = (out.len(), out.len() + UNWRITTEN.len());
    room[length..wanted].copy_from_slice(&UNWRITTEN);
    match callback(context, room.as_mut_ptr(), wanted) {
        0 => out.copy_from_slice(&room[..length]),
        code => return Err(GeneratorError::Callback(code)),
    }
    let (used, surplus) = (&room[..length], &room[length..wanted]);
    let same = |byte: &u8| *byte == surplus[0];
    // If more of the end is equal, the stream's reader says that the generator is stuck.
    let is_blank = surplus.iter().all(same) && !used.iter().rev().take(32).all(same);
    if is_blank || *surplus == UNWRITTEN { Err(GeneratorError::Short(wanted)) } else { Ok(()) }
}

impl fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GeneratorError::Source(e) => e.fmt(f),
            GeneratorError::Callback(code) => write!(f, "callback: gave no randomness, and returned {code}"),
            GeneratorError::Short(length) => {
                write!(
                    f,
                    "callback: returned 0, but did not fill all {length} bytes; return another number if some are missing"
                )
            }
        }
    }
}

impl std::error::Error for GeneratorError {}

impl TryRng for Generator {
    type Error = GeneratorError;

    fn try_next_u32(&mut self) -> Result<u32, GeneratorError> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, GeneratorError> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), GeneratorError> {
        match self {
            Generator::Source(rng) => rng.try_fill_bytes(out).map_err(GeneratorError::Source),
            Generator::Callback(callback, context) => {
                out.chunks_mut(USED).try_for_each(|part| ask(*callback, *context, part))
            }
        }
    }
}

/// The 32 bytes of a seed.
///
/// # Safety
///
/// Null, or 32 readable bytes.
pub(crate) unsafe fn seed_of(seed: *const u8) -> Result<Option<Seed>, Failed> {
    if seed.is_null() {
        return Ok(None);
    }
    // SAFETY: not null, and 32 bytes by this function's own condition.
    let bytes = unsafe { seed.cast::<[u8; 32]>().read() };
    let seed = Seed::try_from(bytes).map_err(|e| Failed::of_kind(e.into(), format_args!("seed: {e}")))?;
    Ok(Some(seed))
}

/// The seed behind a pointer, or one from the operating system for null.
///
/// # Safety
///
/// As [`seed_of`].
pub(crate) unsafe fn seed_or_entropy(source: Source, seed: *const u8) -> Result<Seed, Failed> {
    // SAFETY: by this function's own condition.
    match unsafe { seed_of(seed) }? {
        Some(_) if !source.is_seeded() => {
            Err(Failed::argument(format_args!("seed: expected NULL, because source = {source} takes no seed")))
        }
        Some(seed) => Ok(seed),
        None => Seed::from_os().map_err(|e| Failed::new(SAMPLEZ_ENTROPY, e)),
    }
}

/// Reads a seed from a text: 64 hexadecimal digits, or a whole number below 2^64, a short seed. Every language makes
/// the same 32 bytes of a short seed. Use it for reproducible results, not for secrets.
///
/// # Safety
///
/// `text` ends with a zero byte; `seed` has space for 32 bytes, which are written only on success.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_seed_from_text(text: *const c_char, seed: *mut u8) -> samplez_status {
    guard(|| {
        // SAFETY: a text by the function's condition.
        let parsed: Result<Seed, _> = unsafe { read_text("text", text) }?.parse();
        let parsed = parsed.map_err(|e| Failed::of_kind(e.into(), format_args!("text: {e}")))?;
        if seed.is_null() {
            return Err(null("seed"));
        }
        // SAFETY: not null, and room for 32 bytes by the function's condition.
        unsafe { seed.cast::<[u8; 32]>().write(*parsed.expose()) };
        Ok(())
    })
}

/// Opens a named source, such as "chacha20" or "os". `seed` is 32 bytes that are not all equal, or NULL for a
/// seed from the operating system (and for a source that takes none).
///
/// On success `*out` is a handle for `samplez_stream_free`; on failure it is NULL.
///
/// # Safety
///
/// `source` ends with a zero byte; `seed` is NULL or 32 bytes; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_stream_new(
    source: *const c_char,
    seed: *const u8,
    out: *mut *mut samplez_stream,
) -> samplez_status {
    let make = || {
        // SAFETY: a text by the function's condition.
        let source: Source = unsafe { read_text("source", source) }?.parse().map_err(Failed::refused)?;
        // SAFETY: null or 32 bytes by the function's condition.
        let seed = unsafe { seed_or_entropy(source, seed) }?;
        let generator = source.open(&seed).map_err(|e| Failed::new(SAMPLEZ_ENTROPY, e))?;
        Ok(samplez_stream(Stream::new(Generator::Source(generator)), ShortFills::default()))
    };
    // SAFETY: a place for a pointer by the function's condition.
    unsafe { create(out, make) }
}

/// Opens a stream over your own generator. It requests 1040 bytes at a time, and uses the first 1024. The library does not check whether
/// the generator is cryptographic.
///
/// `callback` fills all `length` bytes at `out` with random bytes, and returns 0, or another number if it fails. `length` is 16 more than the
/// library uses. So if the callback returns 0 and leaves up to 15 bytes at the end as they were, no harm is done; if it leaves more, or makes
/// them all equal, the call of the library returns SAMPLEZ_ENTROPY.
///
/// # Safety
///
/// `callback` writes no more than `length` bytes, does not unwind and does not use this stream. `context` is valid
/// for it as long as the stream lives. `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_stream_from_callback(
    callback: Option<extern "C" fn(context: *mut c_void, out: *mut u8, length: usize) -> c_int>,
    context: *mut c_void,
    out: *mut *mut samplez_stream,
) -> samplez_status {
    let make = || {
        let callback = callback.ok_or_else(|| null("callback"))?;
        Ok(samplez_stream(Stream::new(Generator::Callback(callback, context)), ShortFills::default()))
    };
    // SAFETY: a place for a pointer by the function's condition.
    unsafe { create(out, make) }
}

/// Frees a stream; its state and its buffer are zeroised. NULL is allowed.
///
/// # Safety
///
/// `stream` is NULL or a handle of this library that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_stream_free(stream: *mut samplez_stream) {
    // SAFETY: the same condition.
    unsafe { free(stream) }
}

/// The number of the sampler's samples that the stream has made ahead, which its next fill hands out first.
#[cfg(target_arch = "wasm32")]
pub(crate) fn ahead(sampler: &samplez_sampler, stream: &mut samplez_stream) -> usize {
    let samplez_stream(stream, short_fills) = stream;
    short_fills.ahead(stream, &sampler.number)
}

/// # Safety
///
/// Live handles; `out` is null or has space for `count` values.
unsafe fn fill<T: Int>(
    sampler: *const samplez_sampler,
    stream: *mut samplez_stream,
    out: *mut T,
    count: usize,
) -> samplez_status {
    guard(|| {
        // SAFETY: by this function's own conditions.
        let (sampler, stream) = unsafe { (behind("sampler", sampler)?, &mut *place("stream", stream)?) };
        // SAFETY: by this function's own conditions.
        let out = unsafe { slice_of(out, count) }?;
        let samplez_stream(stream, short_fills) = stream;
        short_fills.fill(stream, &sampler.number, sampler.noise(), out).map_err(|e| match e {
            StreamError::Narrow(e) => narrow(&e),
            StreamError::Range(e) => Failed::new(SAMPLEZ_RANGE, e),
            StreamError::Source(e) => Failed::new(SAMPLEZ_ENTROPY, e),
        })
    })
}

/// The refusal of an output type.
pub(crate) fn narrow(error: &NarrowType) -> Failed {
    Failed::argument(error.respelled("out", |name| format!("{}_t", name.replace('i', "int"))))
}

/// The output behind a pointer; null is allowed for no values.
///
/// # Safety
///
/// Null, or space for `count` values that nothing else uses.
pub(crate) unsafe fn slice_of<'a, T: Int>(out: *mut T, count: usize) -> Result<&'a mut [T], Failed> {
    if count == 0 {
        return Ok(&mut []);
    }
    let out = place("out", out)?;
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Failed::range(format_args!("count = {count}: expected no more than memory can hold")));
    }
    // SAFETY: room for `count` values by this function's own condition.
    unsafe { initialise(out, count) };
    // SAFETY: initialized above; not used by anyone else by this function's own condition.
    Ok(unsafe { slice::from_raw_parts_mut(out, count) })
}

/// Makes integers of whatever bytes the memory has: a C caller need not have written there, and a
/// reference to what was never written must not exist. Zeroing costs up to a third of a fill.
///
/// # Safety
///
/// space for `count` values.
unsafe fn initialise<T: Int>(out: *mut T, count: usize) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let _ = count;
        // SAFETY: no instruction at all. To the compiler an assembly block may have written any bytes
        // to memory that it has a pointer to; here it writes those that are there.
        unsafe { std::arch::asm!("/* {0} */", in(reg) out, options(nostack, preserves_flags)) };
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    // SAFETY: within the room by this function's own condition; zero bytes are an integer.
    unsafe {
        out.write_bytes(0, count);
    }
}

/// Fills `out` with the next `count` samples as 8-bit integers. The stream keeps up to 2048 samples for the next short
/// fills of the same sampler, so these cost little more per sample than long ones. Fills of other lengths draw other
/// integers. The type must hold the sampler's whole support, or
/// leave out a mass below 2^-128. Otherwise the call returns SAMPLEZ_INVALID_ARGUMENT, and draws nothing. The same
/// holds for the other widths and for samplez_bulk_i8.
///
/// # Safety
///
/// Live handles, the stream used by no other thread; space for `count` values at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_fill_i8(
    sampler: *const samplez_sampler,
    stream: *mut samplez_stream,
    out: *mut i8,
    count: usize,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { fill(sampler, stream, out, count) }
}

/// Fills `out` with the next `count` samples as 16-bit integers.
///
/// # Safety
///
/// Live handles, the stream used by no other thread; space for `count` values at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_fill_i16(
    sampler: *const samplez_sampler,
    stream: *mut samplez_stream,
    out: *mut i16,
    count: usize,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { fill(sampler, stream, out, count) }
}

/// Fills `out` with the next `count` samples as 32-bit integers.
///
/// # Safety
///
/// Live handles, the stream used by no other thread; space for `count` values at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_fill_i32(
    sampler: *const samplez_sampler,
    stream: *mut samplez_stream,
    out: *mut i32,
    count: usize,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { fill(sampler, stream, out, count) }
}

/// Fills `out` with the next `count` samples as 64-bit integers.
///
/// # Safety
///
/// Live handles, the stream used by no other thread; space for `count` values at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_fill_i64(
    sampler: *const samplez_sampler,
    stream: *mut samplez_stream,
    out: *mut i64,
    count: usize,
) -> samplez_status {
    // SAFETY: the same conditions.
    unsafe { fill(sampler, stream, out, count) }
}

/// Fills `out` with a ternary vector: `count` entries in {-1, 0, 1}, of which exactly `weight` are not 0, uniform over all such vectors.
/// `weight` is from 1 to `count`. Isochronous: `count` and `weight` are public, and the time is independent of the entries.
///
/// # Safety
///
/// A live handle of a stream that no other thread uses; space for `count` values at `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_fill_sparse_ternary(
    stream: *mut samplez_stream,
    weight: usize,
    out: *mut i8,
    count: usize,
) -> samplez_status {
    guard(|| {
        let stream = place("stream", stream)?;
        let law = SparseTernary::new(count, weight).map_err(|e| match e {
            ParamError::OutOfRange { argument: "length", value, .. } => {
                Failed::range(format_args!("count = {value}: expected a number between 1 and 2^63 - 1"))
            }
            e => Failed::refused(e),
        })?;
        // SAFETY: room for `count` values by the function's condition.
        let out = unsafe { slice_of(out, count) }?;
        // SAFETY: a live stream of this thread by the function's condition.
        unsafe { &mut *stream }.0.fill_sparse(&law, out).map_err(|e| Failed::new(SAMPLEZ_ENTROPY, e))
    })
}
