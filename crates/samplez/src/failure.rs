//! A generator's failure as an error.

use rand_core::TryRng;
use std::convert::Infallible;
use std::panic::{self, AssertUnwindSafe};

/// A generator that can fail, as one that cannot: a failure unwinds to [`catch_unwinding`], the
/// only place that makes an error of it again.
pub(crate) struct Unwinding<R>(pub(crate) R);

impl<R: TryRng<Error: Send + 'static>> Unwinding<R> {
    fn unwind<T>(result: Result<T, R::Error>) -> Result<T, Infallible> {
        // `resume_unwind` runs no panic hook: nothing is printed.
        result.or_else(|e| panic::resume_unwind(Box::new(e)))
    }
}

impl<R: TryRng<Error: Send + 'static>> TryRng for Unwinding<R> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Self::unwind(self.0.try_next_u32())
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Self::unwind(self.0.try_next_u64())
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        Self::unwind(self.0.try_fill_bytes(out))
    }
}

/// Runs `work` over a generator that can fail; the first failure ends it.
pub(crate) fn catch_failure<R: TryRng<Error: Send + 'static>, T>(
    rng: R,
    work: impl FnOnce(Unwinding<R>) -> T,
) -> Result<T, R::Error> {
    catch_unwinding(|| work(Unwinding(rng)))
}

/// Runs work in which an [`Unwinding`] generator may fail with E.
pub(crate) fn catch_unwinding<T, E: 'static>(work: impl FnOnce() -> T) -> Result<T, E> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast() {
        Ok(error) => *error,
        Err(other) => panic::resume_unwind(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;
    use std::fmt::{self, Debug};

    /// Gives 3 words, then fails.
    struct Dying(u8);

    #[derive(Debug, PartialEq)]
    struct Dead;
    impl fmt::Display for Dead {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            Debug::fmt(self, f)
        }
    }
    impl std::error::Error for Dead {}

    impl TryRng for Dying {
        type Error = Dead;
        fn try_next_u32(&mut self) -> Result<u32, Dead> {
            self.0 = self.0.checked_sub(1).ok_or(Dead)?;
            Ok(7)
        }
        fn try_next_u64(&mut self) -> Result<u64, Dead> {
            self.try_next_u32().map(u64::from)
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Dead> {
            out.fill(self.try_next_u32()? as u8);
            Ok(())
        }
    }

    #[test]
    fn a_failure_of_the_source_is_an_error() {
        let draw = |n: u32| catch_failure(Dying(3), |mut rng| (0..n).map(|_| rng.next_u64()).sum::<u64>());
        assert_eq!(draw(3), Ok(21));
        assert_eq!(draw(4), Err(Dead));
    }

    #[test]
    #[should_panic(expected = "a bug of our own")]
    fn other_panics_pass_through() {
        let _ = catch_failure(Dying(3), |_| panic!("a bug of our own"));
    }
}
