//! Forks of this process, counted by the handler of POSIX `pthread_atfork`.

#[cfg(all(unix, not(miri)))]
use core::sync::atomic::{AtomicU64, Ordering};

/// Returns a number that a child process has and its parent has not: each fork adds 1 in the child. It costs as much as two loads.
///
/// A child of a raw `clone`, and a restored snapshot of a machine, keep the number.
///
/// ```
/// let here = samplez_sources::forks();
/// assert_eq!(samplez_sources::forks(), here);
/// ```
#[cfg(all(unix, not(miri)))]
pub fn forks() -> u64 {
    static REGISTERED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    if *REGISTERED.get_or_init(register) {
        FORKS.load(Ordering::Relaxed)
    } else {
        // Without the handler: the process's own number, by a system call.
        std::process::id().into()
    }
}

/// Returns 0, as a process cannot be forked here.
#[cfg(not(all(unix, not(miri))))]
pub fn forks() -> u64 {
    0
}

#[cfg(all(unix, not(miri)))]
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Whether the handler is there.
#[cfg(all(unix, not(miri)))]
fn register() -> bool {
    /// Runs in the child, where only async-signal-safe functions are allowed.
    extern "C" fn in_child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    type Handler = Option<extern "C" fn()>;
    // SAFETY: the function's declaration in POSIX.
    unsafe extern "C" {
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> core::ffi::c_int;
    }
    // SAFETY: the handler lives as long as the program, and does nothing but an atomic addition.
    unsafe { pthread_atfork(None, None, Some(in_child)) == 0 }
}
