//! The bit layer: [`BitSource`], [`BitReader`], the exact uniform and Bernoulli
//! draws that every sampler is made of.
//!
//! Entropy is fallible, bits are not. A generator that can fail goes into [`Latched`], whose draws return the failure. A
//! [`BitReader`] over your own generator panics if it is stuck.

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
#[doc(hidden)]
pub use latched::Latch;
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
