//! Products of matrices and vectors, compiled for the instructions that the machine has.

use crate::modulus::Modulus;
use crate::wipe::ErasedVec;
use alloc::vec::Vec;
use samplez_core::arch::{Backend, Kernel};

/// S by columns, each entry s as 256h + l with l from -128 to 127.
pub(super) struct Split {
    n: usize,
    low: ErasedVec<i16>,
    high: ErasedVec<i16>,
}

impl Split {
    /// Of columns of n residues, |s| < 2^14.
    pub(super) fn new(n: usize, columns: &[i16]) -> Self {
        let part = |part: fn(i16) -> i16| ErasedVec::new(columns.iter().map(|s| part(*s)).collect::<Vec<i16>>());
        Split { n, low: part(|s| i16::from(s as i8)), high: part(|s| (s - i16::from(s as i8)) >> 8) }
    }

    /// b ← A·S + b, all centred, b by rows.
    pub(super) fn add_product(&self, modulus: Modulus, a: &[i16], b: &mut [i16]) {
        let Split { n, low, high } = self;
        Backend::current().run(Product { n: *n, modulus, a, low, high, b });
    }
}

struct Product<'a> {
    n: usize,
    modulus: Modulus,
    a: &'a [i16],
    low: &'a [i16],
    high: &'a [i16],
    b: &'a mut [i16],
}

impl Kernel for Product<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Product { n, modulus, a, low, high, b } = self;
        for (row, b) in a.chunks_exact(n).zip(b.chunks_exact_mut(low.len() / n)) {
            for ((b, low), high) in b.iter_mut().zip(low.chunks_exact(n)).zip(high.chunks_exact(n)) {
                let sum = i64::from(inner(row, low)) + 256 * i64::from(inner(row, high));
                *b = modulus.centred(sum + i64::from(*b));
            }
        }
    }
}

/// The inner product of |a| < 2^14 and |b| <= 128, at most 1024 of them: |a| <= 16374 for the largest prime, so below 2^31.
#[inline(always)]
fn inner(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).fold(0_i32, |sum, (a, b)| sum.wrapping_add(i32::from(*a) * i32::from(*b)))
}

/// sums ← Mᵗx for the rows of M: |x|·m·q/2 < 2^31.
pub(super) fn combine(rows: &[i16], x: &[i16], sums: &mut [i32]) {
    Backend::current().run(Combination { rows, x, sums });
}

struct Combination<'a> {
    rows: &'a [i16],
    x: &'a [i16],
    sums: &'a mut [i32],
}

impl Kernel for Combination<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (row, x) in self.rows.chunks_exact(self.sums.len()).zip(self.x) {
            for (sum, a) in self.sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(i32::from(*x) * i32::from(*a));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_extreme_entries_are_right_on_every_backend() {
        for (q, n) in [(32_749_u16, 1024), (32_749, 3), (2003, 136), (7, 5)] {
            let (modulus, half) = (Modulus::new(q), (q / 2) as i16);
            let entry = |i: usize| [half, -half, 0, 1, -1, half - 1, half, half][i % 8];
            let columns: Vec<i16> = (0..2 * n).map(entry).collect();
            for a in [std::vec![half; n], (0..n).map(|i| entry(3 * i)).collect()] {
                let start = [entry(1), entry(5)];
                let want: Vec<i16> = (0..2)
                    .map(|c| {
                        let sum: i64 = (0..n).map(|i| i64::from(a[i]) * i64::from(columns[c * n + i])).sum();
                        let rest = (sum + i64::from(start[c])).rem_euclid(i64::from(q));
                        (rest - if rest > i64::from(q) / 2 { i64::from(q) } else { 0 }) as i16
                    })
                    .collect();
                let split = Split::new(n, &columns);
                for backend in Backend::available() {
                    let mut b = start;
                    backend.run(Product { n, modulus, a: &a, low: &split.low, high: &split.high, b: &mut b });
                    assert_eq!(b[..], want, "{backend:?}");
                }
            }
        }
    }
}
