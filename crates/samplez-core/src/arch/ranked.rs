//! The place of a one in a word by its rank, for searches in strings of bits.

#[cfg(target_arch = "x86_64")]
use super::Backend;
use crate::table::select::select;

/// A search in a string of bits: a pure function of its fields. `run`, and all that it calls, must be `#[inline(always)]`.
pub(crate) trait Search {
    /// What is returned.
    type Output;
    /// The computation.
    fn run<P: Place>(self) -> Self::Output;
}

/// How a one is found in a word.
pub(crate) trait Place {
    /// The place of the one with `rank` other ones below it. Requires that there is one.
    fn place(word: u64, rank: u32) -> usize;
}

/// Without special instructions: the specification.
pub(crate) struct Portable;

impl Place for Portable {
    #[inline(always)]
    fn place(word: u64, rank: u32) -> usize {
        select(word, rank.into())
    }
}

/// By one instruction of BMI2, which some processors without AVX-512 carry out bit by bit.
#[cfg(target_arch = "x86_64")]
struct Deposit;

#[cfg(target_arch = "x86_64")]
impl Place for Deposit {
    #[inline(always)]
    fn place(word: u64, rank: u32) -> usize {
        // SAFETY: only `deposit` uses this type, which requires BMI2.
        unsafe { core::arch::x86_64::_pdep_u64(1 << (rank % 64), word) }.trailing_zeros() as usize
    }
}

/// # Safety
///
/// The processor must have BMI1 and BMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
unsafe fn deposit<K: Search>(search: K) -> K::Output {
    search.run::<Deposit>()
}

/// The result of a search, by the fastest code that is available.
#[inline(always)]
pub(crate) fn run<K: Search>(search: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if Backend::Avx512.is_available() {
        // SAFETY: the backend has BMI1 and BMI2.
        return unsafe { deposit(search) };
    }
    search.run::<Portable>()
}
