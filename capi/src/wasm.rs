//! The exports that a host of the WebAssembly module needs besides those of the header: memory for arguments, and a stream over the
//! host's generator. The imports are the host's entropy and that generator. The host is the Go package, in `go/instance.go`.

use crate::sampler::samplez_sampler;
use crate::status::samplez_status;
use crate::stream::{ahead, samplez_stream, samplez_stream_from_callback};
use getrandom::Error;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::ptr;

// SAFETY: the host gives the module functions of these types (go/instance.go).
#[link(wasm_import_module = "samplez")]
unsafe extern "C" {
    /// Fills `length` bytes with random bytes of the operating system; returns 0, or 1 if there are none.
    fn entropy(out: *mut u8, length: usize) -> c_int;
    /// Fills `length` bytes from the generator that `context` names; returns 0, or another number if it fails.
    fn read(context: *mut c_void, out: *mut u8, length: usize) -> c_int;
}

/// The function that the crate getrandom calls for its `custom` backend.
///
/// # Safety
///
/// `out` must be valid for writes of `length` bytes, as getrandom promises.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(out: *mut u8, length: usize) -> Result<(), Error> {
    // SAFETY: the host writes the `length` bytes at `out` and nothing else.
    match unsafe { entropy(out, length) } {
        0 => Ok(()),
        _ => Err(Error::UNSUPPORTED),
    }
}

extern "C" fn read_from_host(context: *mut c_void, out: *mut u8, length: usize) -> c_int {
    // SAFETY: the host writes the `length` bytes at `out` and nothing else. `out` is the stream's buffer of that length.
    unsafe { read(context, out, length) }
}

/// Opens a stream over the host's generator of this number.
///
/// # Safety
///
/// `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_stream_from_host(
    context: *mut c_void,
    out: *mut *mut samplez_stream,
) -> samplez_status {
    // SAFETY: the callback writes as much as it is asked for; `out` by the function's condition.
    unsafe { samplez_stream_from_callback(Some(read_from_host), context, out) }
}

/// Returns the number of the sampler's samples that the stream has made ahead. The next fill hands them out first, so a fill by pieces
/// draws as one call does if the first piece has so many, the others are whole batches, and the last takes a rest of at most 512.
///
/// # Safety
///
/// Live handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_stream_ahead(sampler: *const samplez_sampler, stream: *mut samplez_stream) -> usize {
    // SAFETY: live handles by the function's condition, and the host makes one call at a time.
    unsafe { ahead(&*sampler, &mut *stream) }
}

/// The alignment of the memory for arguments: that of the widest type of the interface.
const ALIGNMENT: usize = 16;

/// Allocates `size` bytes, which are 0; NULL if there is no memory, and for a size of 0.
#[unsafe(no_mangle)]
pub extern "C" fn samplez_allocate(size: usize) -> *mut u8 {
    match Layout::from_size_align(size, ALIGNMENT) {
        // SAFETY: the size is not 0.
        Ok(layout) if size != 0 => unsafe { alloc_zeroed(layout) },
        _ => ptr::null_mut(),
    }
}

/// Frees memory of `samplez_allocate`. NULL is allowed. The host erases secrets in it before.
///
/// # Safety
///
/// `at` is NULL, or was allocated with this size and is used no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_release(at: *mut u8, size: usize) {
    if let (false, Ok(layout)) = (at.is_null(), Layout::from_size_align(size, ALIGNMENT)) {
        // SAFETY: allocated with this layout by the function's condition.
        unsafe { dealloc(at, layout) }
    }
}

/// Returns the end of the stack, if the host calls it: below this address lies only what other calls have left there.
#[unsafe(no_mangle)]
pub extern "C" fn samplez_stack_end() -> *const u8 {
    let mark = black_box([0_u8; ALIGNMENT]); // on the stack: of a constant the address would be another
    black_box(&mark).as_ptr_range().end
}
