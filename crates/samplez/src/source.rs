//! The random sources by name.

use crate::UnknownName;
use rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::str::FromStr;

/// A random source for [`Bulk`](crate::Bulk).
///
/// ```
/// use samplez::Source;
/// assert_eq!("chacha20".parse::<Source>()?, Source::ChaCha20);
/// assert!(Source::ChaCha20.is_seeded() && !Source::Os.is_seeded());
/// # Ok::<(), samplez::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// ChaCha20 (RFC 8439), 20 rounds, under the seed.
    ChaCha20,
    /// The operating system's generator for every bit; it takes no seed.
    Os,
}

impl Source {
    /// Every source.
    ///
    /// ```
    /// assert_eq!(samplez::Source::ALL.len(), 2);
    /// ```
    pub const ALL: [Source; 2] = [Source::ChaCha20, Source::Os];

    /// The name on the command line and in the bindings.
    ///
    /// ```
    /// assert_eq!(samplez::Source::Os.name(), "os");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Source::ChaCha20 => "chacha20",
            Source::Os => "os",
        }
    }

    /// One line about it.
    ///
    /// ```
    /// assert!(samplez::Source::ChaCha20.summary().contains("RFC 8439"));
    /// ```
    pub const fn summary(self) -> &'static str {
        match self {
            Source::ChaCha20 => "ChaCha20 keystream, 20 rounds (RFC 8439)",
            Source::Os => "the operating system's generator, asked for every bit",
        }
    }

    /// Whether a seed determines its stream.
    ///
    /// ```
    /// assert!(samplez::Source::ChaCha20.is_seeded());
    /// ```
    pub const fn is_seeded(self) -> bool {
        matches!(self, Source::ChaCha20)
    }

    /// Whether it is a cryptographic generator.
    ///
    /// ```
    /// assert!(samplez::Source::ALL.iter().all(|s| s.is_cryptographic()));
    /// ```
    pub const fn is_cryptographic(self) -> bool {
        matches!(self, Source::ChaCha20 | Source::Os)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Source {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let find = Source::ALL.into_iter().find(|s| s.name() == text);
        find.ok_or_else(|| UnknownName::new("source", text, &Source::ALL.map(Source::name)))
    }
}

/// A generator that can fail, as one that cannot: a failure unwinds to [`catch_failure`], the
/// only place that makes one.
pub(crate) struct Unwinding<R>(R);

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

impl<R: TryCryptoRng<Error: Send + 'static>> TryCryptoRng for Unwinding<R> {}

/// Runs `work` over a generator that can fail; the first failure ends it.
pub(crate) fn catch_failure<R: TryRng<Error: Send + 'static>, T>(
    rng: R,
    work: impl FnOnce(Unwinding<R>) -> T,
) -> Result<T, R::Error> {
    panic::catch_unwind(AssertUnwindSafe(|| work(Unwinding(rng)))).map_err(|payload| match payload.downcast() {
        Ok(error) => *error,
        Err(other) => panic::resume_unwind(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;
    use std::fmt::Debug;

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
