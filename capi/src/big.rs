//! Samples beyond 64 bits, in words.

use crate::status::{Failed, SAMPLEZ_ENTROPY, SAMPLEZ_RANGE, behind, create, free, guard, place, samplez_status, text};
use crate::stream::{samplez_stream, slice_of};
use samplez::{BigGaussian, StreamError};
use std::ffi::c_char;
use zeroize::Zeroizing;

/// D_{Z,sigma,c} with a sigma and a centre beyond 64 bits: immutable, and safe to use from many threads at once.
pub struct samplez_big(BigGaussian);

/// Builds a sampler of exactly D_{Z,sigma,c} from a text such as "sigma=1e30,center=1/3". The width has a form of
/// `samplez_sampler_new`, and up to 4096 bits. The centre is optional.
///
/// On success `*words` is the number of 64-bit words of each sample, and `*out` a handle for `samplez_big_free`; on failure `*out` is NULL.
///
/// # Safety
///
/// `recipe` ends with a zero byte; `words` points to a size_t, and `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_big_new(
    recipe: *const c_char,
    words: *mut usize,
    out: *mut *mut samplez_big,
) -> samplez_status {
    let make = || {
        let words = place("words", words)?;
        // SAFETY: a text by the function's condition.
        let big: BigGaussian = unsafe { text("recipe", recipe) }?.parse().map_err(Failed::refused)?;
        // SAFETY: not null, aligned, and a place for a number by the function's condition.
        unsafe { words.write(big.limbs()) };
        Ok(samplez_big(big))
    };
    // SAFETY: a place for a pointer by the function's condition.
    unsafe { create(out, make) }
}

/// Fills `out` with the next `count` samples, each an integer of the words of `samplez_big_new` in two's complement, the
/// lowest word first. Allocates as much memory as `out` has, and erases it.
///
/// # Safety
///
/// Live handles, the stream used by no other thread; `out` has space for `count` times so many words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_big_fill(
    big: *const samplez_big,
    stream: *mut samplez_stream,
    out: *mut u64,
    count: usize,
) -> samplez_status {
    guard(|| {
        // SAFETY: live handles by the function's condition.
        let (big, stream) = unsafe { (behind("big", big)?, &mut *place("stream", stream)?) };
        let too_many = || Failed::range(format_args!("count = {count}: expected no more than memory can hold"));
        let len = count.checked_mul(big.0.limbs()).ok_or_else(too_many)?;
        // SAFETY: room for so many words by the function's condition.
        let out = unsafe { slice_of(out.cast::<i64>(), len) }?;
        let drawn = big.0.draw(&mut stream.0, count).map(Zeroizing::new);
        let drawn = drawn.map_err(|e| {
            out.fill(0);
            match e {
                StreamError::Narrow(e) => Failed::argument(e),
                StreamError::Range(e) => Failed::new(SAMPLEZ_RANGE, e),
                StreamError::Source(e) => Failed::new(SAMPLEZ_ENTROPY, e),
            }
        })?;
        out.iter_mut().zip(drawn.iter()).for_each(|(out, word)| *out = word.cast_signed());
        Ok(())
    })
}

/// Frees a sampler. NULL is allowed.
///
/// # Safety
///
/// `big` is NULL or a handle of this library that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_big_free(big: *mut samplez_big) {
    // SAFETY: the same condition.
    unsafe { free(big) }
}
