//! Kernels over registers of bytes.
//!
//! x86-64 with AVX2, NEON and simd128 look up bytes in a register by a register of indices. Other machines run the
//! kernel's text in [words](super::RegisterKernel), which is the specification.

mod lanes;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
mod plain;
#[cfg(samplez_backend = "simd128")]
mod simd128;
mod sixteens;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use lanes::Bytes;
#[cfg(target_arch = "x86_64")]
pub(crate) use words::PLACES;
pub(crate) use words::{ByteKernel, WordKernel, Words};

use super::register::Register;
use super::{Backend, RegisterKernel};
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use neon as machine;
#[cfg(samplez_backend = "simd128")]
use simd128 as machine;
#[cfg(target_arch = "x86_64")]
use x86_64 as machine;

impl Backend {
    /// The kernel's result in this backend's registers of bytes; in words where it has none.
    #[inline]
    pub(crate) fn run_in_bytes<K: ByteKernel>(self, kernel: K) -> K::Output {
        #[cfg(any(
            target_arch = "x86_64",
            samplez_backend = "simd128",
            all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
        ))]
        if machine::has(self) {
            return machine::run(kernel, self);
        }
        self.run_in_registers(kernel)
    }

    /// The kernel's result in this backend's registers of bytes; in arrays where it has none.
    #[inline]
    pub(crate) fn run_in_words<K: WordKernel>(self, kernel: K) -> K::Output {
        self.run_in_bytes(InWords(kernel))
    }
}

/// A kernel over 16-bit numbers as one over bytes.
struct InWords<K>(K);

impl<K: WordKernel> RegisterKernel for InWords<K> {
    type Output = K::Output;

    #[inline(always)]
    fn run<V: Register>(self) -> K::Output {
        self.0.run_in_words::<plain::Plain>()
    }
}

impl<K: WordKernel> ByteKernel for InWords<K> {
    #[inline(always)]
    fn run_in_bytes<V: Words>(self) -> K::Output {
        self.0.run_in_words::<V>()
    }
}
