//! Loops over many integers or doubles, compiled for the instructions that the machine has.

use samplez_core::arch::{Backend, Kernel};

/// Runs this in code for the fastest instructions there are, with the same result. It and all that it calls must be
/// `#[inline(always)]`, or stays as slow as it is.
#[inline]
pub(crate) fn fastest<T>(work: impl FnOnce() -> T) -> T {
    Backend::current().run(Work(work))
}

struct Work<F>(F);

impl<T, F: FnOnce() -> T> Kernel for Work<F> {
    type Output = T;
    #[inline(always)]
    fn run(self) -> T {
        (self.0)()
    }
}
