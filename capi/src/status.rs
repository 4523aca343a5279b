//! Statuses, messages, and the guard around every function.

use samplez::{Refused, RefusedKind};
use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::fmt::{Display, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

/// The status of a call. `samplez_last_error` returns the message, and `samplez_last_kind` why an argument is refused.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum samplez_status {
    /// Done.
    SAMPLEZ_OK = 0,
    /// A null pointer, a text that is not UTF-8, or an argument that the library refuses.
    SAMPLEZ_INVALID_ARGUMENT = 1,
    /// A sample does not fit the output type, with probability below 2^-128. The contents of the output are
    /// unspecified. (A type that is too narrow for the distribution is SAMPLEZ_INVALID_ARGUMENT.)
    SAMPLEZ_RANGE = 2,
    /// The source of randomness failed, or is stuck. The output is all zeros.
    SAMPLEZ_ENTROPY = 3,
    /// A bug in this library, or a self-test that failed.
    SAMPLEZ_INTERNAL = 4,
}
pub(crate) use samplez_status::*;

/// A text in place, its end included: the error of a draw allocates nothing.
struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    const EMPTY: Self = Text { bytes: [0; N], length: 0 };
}

impl<const N: usize> Write for Text<N> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for c in text.chars().filter(|c| *c != '\0') {
            let end = self.length + c.len_utf8();
            if end >= N {
                break;
            }
            c.encode_utf8(&mut self.bytes[self.length..end]);
            self.length = end;
        }
        Ok(())
    }
}

/// An error's message, of which a longer one is cut, and the name of its kind.
struct Last {
    message: Text<512>,
    kind: Text<16>,
}

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(Last { message: Text::EMPTY, kind: Text::EMPTY }) };
}

/// A failure, with its message and its kind kept.
pub(crate) struct Failed(samplez_status);

impl Failed {
    pub(crate) fn new(status: samplez_status, message: impl Display) -> Self {
        Self::kept(status, "", &message)
    }

    fn kept(status: samplez_status, kind: &str, message: &dyn Display) -> Self {
        LAST.with_borrow_mut(|last| {
            *last = Last { message: Text::EMPTY, kind: Text::EMPTY };
            let _ = write!(last.message, "{message}"); // these cannot fail
            let _ = last.kind.write_str(kind);
        });
        Failed(status)
    }

    /// A number outside its range.
    pub(crate) fn range(message: impl Display) -> Self {
        Self::of_kind(RefusedKind::OutOfRange, message)
    }

    /// An argument that this library refuses for another reason.
    pub(crate) fn argument(message: impl Display) -> Self {
        Self::of_kind(RefusedKind::Other, message)
    }

    /// An argument that samplez refuses.
    pub(crate) fn refused(error: impl Into<Refused>) -> Self {
        let error = error.into();
        Self::of_kind(error.kind(), error)
    }

    /// A refusal of this kind, in other words.
    pub(crate) fn of_kind(kind: RefusedKind, message: impl Display) -> Self {
        Self::kept(SAMPLEZ_INVALID_ARGUMENT, kind.name(), &message)
    }
}

/// Runs the body of a function: an error becomes its status, a panic SAMPLEZ_INTERNAL.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Failed>) -> samplez_status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => SAMPLEZ_OK,
        Ok(Err(Failed(status))) => status,
        Err(_) => Failed::new(SAMPLEZ_INTERNAL, "a bug in samplez: an internal check failed").0,
    }
}

/// Runs the body of a constructor: what it makes goes to `*out` as a handle, which is null until then.
///
/// # Safety
///
/// `out` is null or points to a pointer.
pub(crate) unsafe fn create<T>(out: *mut *mut T, make: impl FnOnce() -> Result<T, Failed>) -> samplez_status {
    guard(|| {
        let out = place("out", out)?;
        // SAFETY: not null, aligned, and a place for a pointer by this function's own condition.
        unsafe { out.write(ptr::null_mut()) };
        let handle = Box::into_raw(Box::new(make()?));
        // SAFETY: as above.
        unsafe { out.write(handle) };
        Ok(())
    })
}

/// Frees what [`create`] made.
///
/// # Safety
///
/// Null, or a handle that nothing uses any more.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: it came from Box::into_raw, and is freed once, by this function's own condition.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// The text behind a pointer.
///
/// # Safety
///
/// Null, or a string that ends with a zero byte.
pub(crate) unsafe fn text<'a>(argument: &str, pointer: *const c_char) -> Result<&'a str, Failed> {
    if pointer.is_null() {
        return Err(null(argument));
    }
    // SAFETY: not null, and a string by this function's own condition.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failed::argument(format_args!("{argument}: expected UTF-8")))
}

pub(crate) fn null(argument: &str) -> Failed {
    Failed::of_kind(RefusedKind::Missing, format_args!("{argument}: expected a pointer, not NULL"))
}

/// A pointer to what a function writes; what it points to is the caller's promise.
///
/// # Errors
///
/// For null, and for a pointer that no value of the type can be at.
pub(crate) fn place<T>(argument: &str, out: *mut T) -> Result<*mut T, Failed> {
    if out.is_null() {
        return Err(null(argument));
    }
    if !out.is_aligned() {
        let align = align_of::<T>();
        return Err(Failed::argument(format_args!(
            "{argument} = {out:p}: expected a multiple of {align}, as the type asks"
        )));
    }
    Ok(out)
}

/// The doubles or integers behind a pointer; null is allowed for none.
///
/// # Safety
///
/// Null, or `count` of them that nothing writes to.
pub(crate) unsafe fn array<'a, T>(name: &str, values: *const T, count: usize) -> Result<&'a [T], Failed> {
    if count == 0 {
        return Ok(&[]);
    }
    if values.is_null() {
        return Err(null(name));
    }
    if !values.is_aligned() {
        return Err(Failed::argument(format_args!("{name}: expected an address that is aligned as its type")));
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Failed::range(format_args!("count = {count}: expected no more than memory can hold")));
    }
    // SAFETY: not null, aligned, and `count` values by this function's own condition.
    Ok(unsafe { slice::from_raw_parts(values, count) })
}

/// What is behind a handle.
///
/// # Errors
///
/// For null, and for a pointer that is surely none of ours.
///
/// # Safety
///
/// Null, misaligned, or a live handle.
pub(crate) unsafe fn behind<'a, T>(argument: &str, handle: *const T) -> Result<&'a T, Failed> {
    let handle = place(argument, handle.cast_mut())?;
    // SAFETY: not null, aligned, and a live handle by this function's own condition.
    Ok(unsafe { &*handle })
}

/// Returns the message of the last error of this thread, in UTF-8; empty before the first one. It is valid until the
/// next call of this library on the thread.
#[unsafe(no_mangle)]
pub extern "C" fn samplez_last_error() -> *const c_char {
    LAST.with_borrow(|last| last.message.bytes.as_ptr().cast())
}

/// Returns why the last error of this thread, SAMPLEZ_INVALID_ARGUMENT, refuses an argument; for other errors an empty text. The kinds
/// stay the same if a message changes: "missing", "no-method" (none samples the distribution under the given options), "not-a-number",
/// "out-of-range", "too-long" (`samplez_big_new` allows longer widths and centres), "unknown" (a name), "unsupported" (by the method), or "other".
/// It is valid as long as the message.
#[unsafe(no_mangle)]
pub extern "C" fn samplez_last_kind() -> *const c_char {
    LAST.with_borrow(|last| last.kind.bytes.as_ptr().cast())
}

/// Returns the version of the library that the program runs with, in the form of SAMPLEZ_VERSION. The header's
/// version may differ.
#[unsafe(no_mangle)]
pub extern "C" fn samplez_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Runs known-answer tests of every cryptographic generator and of the tests of live entropy, for programs that
/// require self-tests before use. Nothing else runs them. SAMPLEZ_INTERNAL if an answer is wrong, and
/// `samplez_last_error` names it: do not use the library then.
#[unsafe(no_mangle)]
pub extern "C" fn samplez_self_test() -> samplez_status {
    guard(|| match samplez_sources::self_test() {
        Ok(_) => Ok(()),
        Err(e) => Err(Failed::new(SAMPLEZ_INTERNAL, e)),
    })
}
