//! The index of one sample.

use crate::arch::vector::{Machine, VectorKernel};
use crate::arch::{Backend, hidden};

/// #{j : u < T_j}, for one u.
///
/// No branch, index or address depends on u: u is compared with every threshold over all digits. From 65 to 128 bits vector
/// registers take a threshold in each lane.
pub(super) struct Rank<'a> {
    /// The digits of u, the most significant one first, left-aligned like thresholds.
    pub(super) u: &'a [u64],
    pub(super) heads: &'a [u32],
    pub(super) tails: &'a [u32],
}

/// [u - t - borrow < 0], without a comparison.
#[inline(always)]
fn borrowed(u: u32, t: u32, borrow: u32) -> u32 {
    ((!u & t) | (!(u ^ t) & u.wrapping_sub(t).wrapping_sub(borrow))) >> 31
}

/// The count where thresholds have N digits below the leading one. Its borrows are not hidden, so that the compiler makes
/// vectors of them.
#[inline(always)]
fn in_lanes<const N: usize>(Rank { u, heads, tails }: Rank<'_>) -> u32 {
    let Some((first, below)) = u.split_first() else { return 0 };
    let Some(below) = below.first_chunk::<N>() else { return 0 };
    let mut count = 0;
    for (head, tail) in heads.iter().zip(tails.as_chunks::<N>().0) {
        let mut borrow = 0;
        for d in (0..N).rev() {
            borrow = borrowed(below[d] as u32, tail[d], borrow);
        }
        count += borrowed(*first as u32, *head, borrow);
    }
    count
}

/// The count of one threshold after the other.
#[inline(always)]
fn one_by_one(Rank { u, heads, tails }: Rank<'_>) -> i64 {
    let mut count = 0_i64;
    for (j, head) in heads.iter().enumerate() {
        // u - T, digit by digit from the least significant: a borrow at the end iff u < T
        let tail = &tails[j * (u.len() - 1)..][..u.len() - 1];
        let mut borrow = 0;
        for (u, t) in u[1..].iter().zip(tail).rev() {
            borrow = u.wrapping_sub(u64::from(*t)).wrapping_sub(borrow) >> 63;
        }
        borrow = u[0].wrapping_sub(u64::from(*head)).wrapping_sub(borrow) >> 63;
        count += hidden(borrow).cast_signed();
    }
    count
}

impl Rank<'_> {
    /// The count by this backend. WebAssembly is to be small: both of its modules take one threshold after the other.
    #[inline(always)]
    pub(super) fn count(self, backend: Backend) -> i64 {
        if cfg!(target_family = "wasm") { one_by_one(self) } else { backend.run_in_vectors(self) }
    }
}

impl VectorKernel for Rank<'_> {
    type Output = i64;

    #[inline(always)]
    fn run<M: Machine>(self) -> i64 {
        match (M::IS_VECTOR, self.u.len()) {
            (true, 3) => in_lanes::<2>(self).into(),
            (true, 4) => in_lanes::<3>(self).into(),
            _ => one_by_one(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitSource;
    use crate::fixtures::reader;
    use std::vec::Vec;

    /// Digits compare like the numbers. Each u has leading digits in common with thresholds, up to all of them.
    #[test]
    fn a_rank_counts_the_larger_thresholds() {
        let mut bits = reader(1);
        for (digits, count) in (1..=8).flat_map(|digits| [1, 8, 45].map(|count| (digits, count))) {
            let mut thresholds: Vec<Vec<u32>> =
                (0..count).map(|_| (0..digits).map(|_| bits.bits(32) as u32 >> (8 * (count % 4))).collect()).collect();
            thresholds.sort_by(|a, b| b.cmp(a));
            let heads: Vec<u32> = thresholds.iter().map(|t| t[0]).collect();
            let tails: Vec<u32> = thresholds.iter().flat_map(|t| t[1..].to_vec()).collect();
            for (i, shared) in (0..count).flat_map(|i| (0..=digits).map(move |shared| (i, shared))) {
                let mut u = thresholds[i].clone();
                u[shared..].fill_with(|| bits.bits(32) as u32);
                let above = thresholds.iter().filter(|t| u < **t).count();
                let u: Vec<u64> = u.into_iter().map(u64::from).collect();
                for backend in Backend::available() {
                    let rank = Rank { u: &u, heads: &heads, tails: &tails }.count(backend);
                    assert_eq!(rank, above as i64, "{backend}, {u:?}");
                }
            }
        }
    }
}
