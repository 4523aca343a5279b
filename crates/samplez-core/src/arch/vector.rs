//! Vectors: registers of bytes and words, by one trait family.
//!
//! | trait | operations | implemented by |
//! |---|---|---|
//! | [`Vector`] | bits, shifts of 64-bit words | all, and arrays of them |
//! | [`ByteVector`] | bytes and 16-bit numbers: tables, comparisons | AVX2, AVX-512 with VBMI, NEON, simd128, portable |
//! | [`WordVector`] | 64-bit words: products, shifts, tables | AVX2, AVX-512, pairs of NEON and simd128, portable |
//!
//! A [`VectorKernel`] is written once over a [`Machine`], which names the three types. [`Backend::run_in_vectors`] and
//! [`Backend::run_in_avx2`] are the only ways into a machine's code. The portable types are the specification, and run in
//! the tests of every backend.

// The portable types are compiled everywhere, and used where the target has no vectors, and in tests.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, unused_macros))]

#[macro_use]
mod intrinsics;
mod bits;
mod bytes;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
mod portable;
#[cfg(all(target_arch = "wasm32", samplez_backend = "simd128"))]
mod simd128;
mod sixteens;
#[cfg(test)]
mod tests;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use bits::Vector;
pub(crate) use bytes::ByteVector;
pub(crate) use words::WordVector;

use super::{Backend, Kernel, run_portable};
#[cfg(target_arch = "x86_64")]
use super::{HasAvx2, HasAvx512, HasBytes, HasWords};
use core::marker::PhantomData;
use portable::Portable;

/// The vectors of a machine.
pub(crate) trait Machine {
    /// Whether vectors of bytes and of words are faster than scalar code.
    const IS_VECTOR: bool = true;
    /// 512 bits.
    type Block: Vector;
    /// Bytes and 16-bit numbers.
    type Bytes: ByteVector;
    /// 64-bit words.
    type Words: WordVector;
}

/// A pure function over the vectors of a machine. As for [`Kernel`], all must be inlined.
pub(crate) trait VectorKernel {
    /// Whether it uses [`Machine::Bytes`].
    const BYTES: bool = false;
    /// Whether it uses [`Machine::Words`].
    const WORDS: bool = false;
    /// The type returned.
    type Output;
    /// The computation.
    fn run<M: Machine>(self) -> Self::Output;
}

/// A [`VectorKernel`] for one machine.
struct In<K, M>(K, PhantomData<M>);

impl<K, M> In<K, M> {
    #[inline(always)]
    const fn new(kernel: K) -> Self {
        In(kernel, PhantomData)
    }
}

impl<K: VectorKernel, M: Machine> Kernel for In<K, M> {
    type Output = K::Output;
    #[inline(always)]
    fn run(self) -> K::Output {
        self.0.run::<M>()
    }
}

/// The machine without vectors of bytes and words.
struct Scalar;

impl Machine for Scalar {
    const IS_VECTOR: bool = false;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    type Block = [x86_64::Sse2; 4];
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    type Block = [u64; 8];
    type Bytes = Portable;
    type Words = [u64; 4];
}

#[cfg(target_arch = "x86_64")]
impl Machine for x86_64::Avx2 {
    type Block = [Self; 2];
    type Bytes = Self;
    type Words = Self;
}

#[cfg(target_arch = "x86_64")]
impl Machine for x86_64::Avx512 {
    type Block = Self;
    type Bytes = Self;
    type Words = Self;
}

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
impl Machine for neon::Neon {
    type Block = [Self; 4];
    type Bytes = Self;
    type Words = [Self; 2];
}

#[cfg(all(target_arch = "wasm32", samplez_backend = "simd128"))]
impl Machine for simd128::Simd128 {
    type Block = [Self; 4];
    type Bytes = Self;
    type Words = [Self; 2];
}

/// The portable implementation of every operation.
#[cfg(test)]
pub(crate) struct Specification;

#[cfg(test)]
impl Machine for Specification {
    type Block = [u64; 8];
    type Bytes = Portable;
    type Words = [u64; 4];
}

/// The machine of [`Backend::Scalar`]: the vectors that belong to the target, if any.
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon",
    not(samplez_backend = "scalar")
))]
type Target = neon::Neon;
#[cfg(all(target_arch = "wasm32", samplez_backend = "simd128"))]
type Target = simd128::Simd128;
#[cfg(not(any(
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", not(samplez_backend = "scalar")),
    all(target_arch = "wasm32", samplez_backend = "simd128")
)))]
type Target = Scalar;

impl Backend {
    /// The kernel's result in this backend's vectors, or in the target's if the backend is not available.
    #[inline]
    pub(crate) fn run_in_vectors<K: VectorKernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        match self {
            // By conditions that the compiler knows before it compiles a kernel: no kernel is compiled in vain.
            Backend::Avx512 => {
                if K::BYTES {
                    if let Some(bytes) = HasBytes::detect() {
                        return bytes.run(In::<K, x86_64::Avx512>::new(kernel));
                    }
                    if let (Some(avx2), true) = (HasAvx2::detect(), self.is_available()) {
                        return avx2.run(In::<K, x86_64::Avx2>::new(kernel));
                    }
                } else if K::WORDS {
                    if let Some(words) = HasWords::detect() {
                        return words.run(In::<K, x86_64::Avx512>::new(kernel));
                    }
                } else if let Some(avx512) = HasAvx512::detect() {
                    return avx512.run(In::<K, x86_64::Avx512>::new(kernel));
                }
            }
            Backend::Avx2 => {
                if let Some(avx2) = HasAvx2::detect() {
                    return avx2.run(In::<K, x86_64::Avx2>::new(kernel));
                }
            }
            Backend::Scalar => {}
        }
        run_portable(In::<K, Target>::new(kernel))
    }

    /// The kernel's result in vectors of AVX2, if this backend has them. Whether it has is no part of the kernel's result, and
    /// public where that is secret.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "no AVX2"))]
    pub(crate) fn run_in_avx2<K: VectorKernel>(self, kernel: K) -> Option<K::Output> {
        #[cfg(target_arch = "x86_64")]
        if self >= Backend::Avx2
            && let Some(avx2) = HasAvx2::detect()
        {
            return Some(avx2.run(In::<K, x86_64::Avx2>::new(kernel)));
        }
        None
    }
}
