//! Vector instructions: their detection, and code that is compiled for them.
//!
//! This module runs a [`Kernel`], a pure function from words to integers. Its portable source is the specification. A
//! [`Backend`] is a set of instructions for which the compiler translates the same source again: it returns the same
//! integers in less time. One detection, at the first use in a program, chooses the backend. The module draws no
//! randomness.
//!
//! | backend | where | instructions |
//! |---|---|---|
//! | [`Scalar`](Backend::Scalar) | everywhere | what the target has at compile time (SSE2 on x86-64, NEON on aarch64) |
//! | [`Avx2`](Backend::Avx2) | x86-64 | AVX2, BMI1, BMI2, POPCNT |
//! | [`Avx512`](Backend::Avx512) | x86-64 | AVX-512 F, BW, CD, DQ, VL and the above; VBMI and VBMI2 where they are found as well |
//!
//! `--cfg samplez_backend="scalar"` (in `RUSTFLAGS`) forces the portable code. `"avx2"` uses nothing beyond AVX2, and
//! on a machine without it the portable code. `"simd128"`, for wasm32, compiles the kernels with these instructions,
//! and the module loads only where they exist. Another value, or `"avx2"` or `"avx512"` for a target that is not
//! x86-64, fails to build.

// Kernels over vectors of bytes are compiled everywhere and called where there are such vectors.
#![cfg_attr(
    not(any(
        target_arch = "x86_64",
        samplez_backend = "simd128",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
    )),
    allow(dead_code)
)]

pub(crate) mod cdt_ct;
pub(crate) mod cdt_guided;
pub(crate) mod cdt_lazy_ct;
#[cfg(target_arch = "x86_64")]
mod frame;
mod hidden;
pub(crate) mod isochronous;
pub(crate) mod knuth_yao_ct;
pub(crate) mod planes;
pub(crate) mod ranked;
pub(crate) mod tree;
pub(crate) mod vector;
#[cfg(all(target_arch = "wasm32", samplez_backend = "simd128"))]
mod wasm32;

use core::fmt;
#[cfg(feature = "testing")]
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
#[cfg(target_arch = "x86_64")]
#[doc(hidden)] // the sources' kernels use it
pub use frame::align_frame;
pub(crate) use hidden::hidden;
#[cfg(all(target_arch = "wasm32", samplez_backend = "simd128"))]
#[doc(hidden)] // the schemes multiply polynomials by it
pub use wasm32::Eight;

#[cfg(all(not(target_arch = "x86_64"), any(samplez_backend = "avx2", samplez_backend = "avx512")))]
compile_error!("samplez_backend is avx2 or avx512, but the target is not x86_64");
#[cfg(all(not(target_arch = "wasm32"), samplez_backend = "simd128"))]
compile_error!("samplez_backend is simd128, but the target is not wasm32");

/// A set of instructions that kernels are compiled for.
///
/// ```
/// use samplez_core::arch::Backend;
/// assert!(Backend::available().any(|backend| backend == Backend::current()));
/// assert!(Backend::available().any(|backend| backend == Backend::Scalar));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Backend {
    /// The portable code as the target's compiler flags make it.
    Scalar,
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
}

/// The backend that a test has made [`Backend::current`].
#[cfg(feature = "testing")]
static FORCED: AtomicU8 = AtomicU8::new(u8::MAX);

/// A pure function of its fields, to be compiled for each backend.
///
/// `run`, and all that it calls, must be `#[inline(always)]`. A function that is not inlined is compiled without the
/// backend's instructions, which is right but slow.
///
/// ```
/// use samplez_core::arch::{Backend, Kernel};
/// struct Parity<'a>(&'a [u64]);
/// impl Kernel for Parity<'_> {
///     type Output = u64;
///     #[inline(always)]
///     fn run(self) -> u64 {
///         self.0.iter().fold(0, |sum, word| sum ^ word)
///     }
/// }
/// let words = [3, 5, 9];
/// assert!(Backend::available().all(|backend| backend.run(Parity(&words)) == 15));
/// ```
pub trait Kernel {
    /// The type returned.
    type Output;
    /// The computation.
    fn run(self) -> Self::Output;
}

/// Runs `work` in code for the fastest instructions of the machine, with the same result. `work`, and all that it
/// calls, must be `#[inline(always)]`. Otherwise it gets no faster.
///
/// ```
/// use samplez_core::arch::fastest;
/// let words = [3_u64, 5, 9];
/// assert_eq!(fastest(#[inline(always)] || words.iter().fold(0, |sum, word| sum ^ word)), 15);
/// ```
#[inline]
pub fn fastest<T>(work: impl FnOnce() -> T) -> T {
    struct Work<F>(F);
    impl<T, F: FnOnce() -> T> Kernel for Work<F> {
        type Output = T;
        #[inline(always)]
        fn run(self) -> T {
            (self.0)()
        }
    }
    Backend::current().run(Work(work))
}

#[cfg(target_arch = "x86_64")]
cpufeatures::new!(has_avx2, "avx2", "bmi1", "bmi2", "popcnt");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(
    has_avx512, "avx2", "bmi1", "bmi2", "popcnt", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"
);
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(has_vbmi, "avx512vbmi", "avx512vbmi2");

/// # Safety
///
/// The processor must have AVX2, BMI1, BMI2 and POPCNT.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    align_frame::<core::arch::x86_64::__m256i>();
    kernel.run()
}

/// # Safety
///
/// The processor must have AVX2, BMI1, BMI2, POPCNT and AVX-512 F, BW, CD, DQ and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
unsafe fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    align_frame::<core::arch::x86_64::__m512i>();
    kernel.run()
}

/// Without DQ, by whose slow product of 64 bits the compiler replaces faster ones.
///
/// # Safety
///
/// The processor must have POPCNT and AVX-512 F and BW.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
unsafe fn run_words<K: Kernel>(kernel: K) -> K::Output {
    align_frame::<core::arch::x86_64::__m512i>();
    kernel.run()
}

/// # Safety
///
/// The processor must have POPCNT and AVX-512 F, BW, VBMI and VBMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
unsafe fn run_bytes<K: Kernel>(kernel: K) -> K::Output {
    align_frame::<core::arch::x86_64::__m512i>();
    kernel.run()
}

/// The portable code, with simd128.
#[cfg(all(target_arch = "wasm32", samplez_backend = "simd128"))]
#[target_feature(enable = "simd128")]
#[inline(never)]
pub(crate) fn run_portable<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// The portable code. In WebAssembly with simd128 and without, the functions are to be the same: one module travels as
/// its difference from the other.
///
/// Under `--cfg samplez_outlined` its parts are functions of their own: Java interprets large functions.
#[cfg(not(all(target_arch = "wasm32", samplez_backend = "simd128")))]
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(crate) fn run_portable<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

impl Backend {
    /// All backends, the fastest last.
    pub const ALL: [Backend; 3] = [Backend::Scalar, Backend::Avx2, Backend::Avx512];

    /// Returns its name: `scalar`, `avx2` or `avx512`.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Scalar => "scalar",
            Backend::Avx2 => "avx2",
            Backend::Avx512 => "avx512",
        }
    }

    /// Returns whether this machine has it and no `--cfg samplez_backend` rules it out.
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Backend::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 => !cfg!(samplez_backend = "scalar") && has_avx2::get(),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => !cfg!(any(samplez_backend = "scalar", samplez_backend = "avx2")) && has_avx512::get(),
            #[cfg(not(target_arch = "x86_64"))]
            Backend::Avx2 | Backend::Avx512 => false,
        }
    }

    /// Returns the backends that [are available](Self::is_available), the fastest last.
    ///
    /// ```
    /// use samplez_core::arch::Backend;
    /// assert_eq!(Backend::available().next(), Some(Backend::Scalar));
    /// ```
    pub fn available() -> impl Iterator<Item = Backend> {
        Backend::ALL.into_iter().filter(|backend| backend.is_available())
    }

    /// Returns the fastest backend that is available: the one that the samplers use.
    ///
    /// ```
    /// println!("{}", samplez_core::arch::Backend::current());
    /// ```
    #[inline]
    pub fn current() -> Backend {
        #[cfg(feature = "testing")]
        if let Some(forced) = Backend::ALL.get(usize::from(FORCED.load(Relaxed))) {
            return *forced;
        }
        if Backend::Avx512.is_available() {
            Backend::Avx512
        } else if Backend::Avx2.is_available() {
            Backend::Avx2
        } else {
            Backend::Scalar
        }
    }

    /// Makes [`current`](Self::current) return this one, in the whole process; without one, the fastest again.
    #[cfg(feature = "testing")]
    pub fn force(backend: Option<Backend>) {
        FORCED.store(backend.map_or(u8::MAX, |backend| backend as u8), Relaxed);
    }

    /// Returns the kernel's result, by the code compiled for this backend; by the portable code if it is
    /// not available.
    ///
    /// ```
    /// # use samplez_core::arch::{Backend, Kernel};
    /// # struct One;
    /// # impl Kernel for One {
    /// #     type Output = u64;
    /// #     fn run(self) -> u64 { 1 }
    /// # }
    /// assert_eq!(Backend::Avx512.run(One), Backend::Scalar.run(One));
    /// ```
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        match self {
            Backend::Avx512 => {
                if let Some(avx512) = HasAvx512::detect() {
                    return avx512.run(kernel);
                }
            }
            Backend::Avx2 => {
                if let Some(avx2) = HasAvx2::detect() {
                    return avx2.run(kernel);
                }
            }
            Backend::Scalar => {}
        }
        run_portable(kernel)
    }
}

/// Evidence that the processor has a set of instructions, and that no `--cfg samplez_backend` rules it out.
#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    ($($(#[$doc:meta])* $name:ident: $condition:expr, $run:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name(());

        impl $name {
            /// The evidence, if the processor has the instructions.
            #[inline(always)]
            pub(crate) fn detect() -> Option<Self> {
                $condition.then_some($name(()))
            }

            /// The kernel's result, by the code compiled for these instructions.
            #[inline(always)]
            pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
                // SAFETY: nothing but `detect` makes `self`.
                unsafe { $run(kernel) }
            }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
detected! {
    /// Of [`Backend::Avx2`].
    HasAvx2: Backend::Avx2.is_available(), run_avx2;
    /// Of [`Backend::Avx512`].
    HasAvx512: Backend::Avx512.is_available(), run_avx512;
    /// Of [`Backend::Avx512`], for kernels of words.
    HasWords: Backend::Avx512.is_available(), run_words;
    /// Of [`Backend::Avx512`], and VBMI and VBMI2, for kernels of bytes.
    HasBytes: Backend::Avx512.is_available() && has_vbmi::get(), run_bytes;
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_backend_is_the_last_available() {
        assert_eq!(Backend::available().last(), Some(Backend::current()));
        assert!(Backend::ALL.is_sorted());
    }

    #[test]
    fn a_forced_backend_is_obeyed() {
        let most = if cfg!(samplez_backend = "scalar") {
            Backend::Scalar
        } else if cfg!(samplez_backend = "avx2") {
            Backend::Avx2
        } else {
            Backend::Avx512
        };
        assert!(Backend::current() <= most);
    }
}
