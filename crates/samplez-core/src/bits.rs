//! The bit layer: [`BitSource`], [`BitReader`], the exact uniform and Bernoulli
//! draws that every sampler is made of.
//!
//! Entropy is fallible, bits are not. A generator that can fail goes into [`Latched`]. It keeps the first error and
//! goes on with pseudorandom bits, so that every sampler ends. If a generator is stuck, the reader notices and does the
//! same. After sampling, check [`BitReader::fault`] or [`BitReader::take_failure`], and wipe the samples on a failure.

#[cfg(any(test, feature = "testing"))]
pub(crate) mod counted;
pub(crate) mod draws;
mod latched;
pub(crate) mod marks;
mod reader;
mod source;
mod splitmix;
mod watch;
#[cfg(feature = "rand")]
mod words;

#[cfg(test)]
pub(crate) use counted::Counted;
pub(crate) use draws::LazyUniform;
#[doc(hidden)]
pub use draws::below;
pub use draws::{bernoulli, uniform_below};
pub use latched::{Failure, Latched};
#[doc(hidden)]
pub use marks::{alarm, declassified};
pub use reader::BitReader;
pub use source::{BitSource, CryptoBits};
#[cfg(test)]
pub(crate) use splitmix::SplitMix64;
pub use watch::Fault;
#[cfg(feature = "rand")]
pub(crate) use words::Words;
