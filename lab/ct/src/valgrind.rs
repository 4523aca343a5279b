//! Requests to valgrind's memcheck, by the protocol of `valgrind.h` for x86-64: a sequence of
//! instructions that does nothing on a processor. Elsewhere there are no requests.
#![allow(unsafe_code)] // one instruction sequence, which nothing else can express

/// RUNNING_ON_VALGRIND.
const RUNNING: u64 = 0x1001;
/// COUNT_ERRORS.
const COUNT_ERRORS: u64 = 0x1201;
/// Memcheck's second request: 'M' << 24 | 'C' << 16 | 1.
const MAKE_UNDEFINED: u64 = 0x4d43_0001;
/// The one after it.
const MAKE_DEFINED: u64 = 0x4d43_0002;

#[cfg(target_arch = "x86_64")]
fn request(code: u64, address: *const u8, len: usize) -> u64 {
    let arguments = [code, address as u64, len as u64, 0, 0, 0];
    let mut result = 0_u64;
    // SAFETY: rdi is rotated by 3 + 13 + 61 + 51 = 128 bits in all and rbx exchanged with itself,
    // so nothing changes on a processor. Under valgrind rdx gets the answer, and the memory that
    // the arguments name changes its state of definedness, not its contents.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            inout("rdi") 0_u64 => _,
            in("rax") arguments.as_ptr(),
            inout("rdx") result,
        );
    }
    result
}

#[cfg(not(target_arch = "x86_64"))]
fn request(_: u64, _: *const u8, _: usize) -> u64 {
    0
}

/// Whether the program runs under valgrind.
pub(crate) fn is_running() -> bool {
    request(RUNNING, std::ptr::null(), 0) != 0
}

/// How many errors there have been, each time that one occurs.
pub(crate) fn errors() -> u64 {
    request(COUNT_ERRORS, std::ptr::null(), 0)
}

/// Makes these bytes undefined: whatever is computed from them is, and every branch or address
/// that depends on it is reported.
pub(crate) fn make_undefined(bytes: &mut [u8]) {
    request(MAKE_UNDEFINED, bytes.as_ptr(), bytes.len());
}

/// The same of values that nobody else may change.
pub(crate) fn make_secret<T>(values: &[T]) {
    request(MAKE_UNDEFINED, std::hint::black_box(values).as_ptr().cast(), size_of_val(values));
}

/// This number, from here on defined: what depends on it is not reported.
pub(crate) fn made_defined(number: u32) -> u32 {
    let number = std::hint::black_box([number]);
    request(MAKE_DEFINED, number.as_ptr().cast(), size_of_val(&number));
    std::hint::black_box(number)[0]
}
