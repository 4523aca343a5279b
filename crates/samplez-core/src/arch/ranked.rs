//! The place of a one in a word by its rank, for searches in strings of bits.

mod select;

#[cfg(target_arch = "x86_64")]
use super::Backend;
use select::select;

/// A search in a string of bits: a pure function of its fields. `run`, and all that it calls, must be `#[inline(always)]`.
pub(crate) trait Search {
    /// The result.
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
struct Portable;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitSource;
    use crate::fixtures::reader;

    /// The code that is chosen, and the portable one, find every one.
    #[test]
    fn ones_are_found_alike() {
        struct All(u64);
        impl Search for All {
            type Output = std::vec::Vec<usize>;
            #[inline(always)]
            fn run<P: Place>(self) -> std::vec::Vec<usize> {
                (0..self.0.count_ones()).map(|rank| P::place(self.0, rank)).collect()
            }
        }
        let mut bits = reader(8);
        for i in 0..500 {
            let word = [bits.bits(64), bits.bits(64) & bits.bits(64), u64::MAX, 1 << 63][i % 4];
            let places: std::vec::Vec<usize> = (0..64).filter(|place| word >> place & 1 != 0).collect();
            assert_eq!(run(All(word)), places, "{word:x}");
            assert_eq!(All(word).run::<Portable>(), places, "{word:x}");
        }
    }
}
