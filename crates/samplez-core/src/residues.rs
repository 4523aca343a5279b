//! Residues of samples modulo q.

use crate::sampler::Int;

/// A modulus q from 2 to 2^63 - 1. Reduces integers without a division and without a branch.
///
/// An RNS basis is several of them: one draw gives the residues of each. In constant time; q is public.
///
/// ```
/// use samplez_core::Modulus;
/// let q = Modulus::new(12289).ok_or("a modulus")?;
/// assert_eq!([-12290, -1, 0, 5, 12289].map(|x| q.residue(x)), [12288, 12288, 0, 5, 0]);
/// let mut row = [0; 3];
/// q.residues(&[-3_i8, 0, 7], &mut row);
/// assert_eq!(row, [12286, 0, 7]);
/// assert!(Modulus::new(1).is_none() && Modulus::new(1 << 63).is_none());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modulus {
    q: u64,
    /// ⌊2^64/q⌋.
    inverse: u64,
}

impl Modulus {
    /// Builds the modulus q, which must be from 2 to 2^63 - 1.
    pub const fn new(q: u64) -> Option<Self> {
        if q < 2 || q >> 63 != 0 {
            return None;
        }
        Some(Modulus { q, inverse: ((1 << 64) / q as u128) as u64 })
    }

    /// Returns the number q.
    pub const fn get(self) -> u64 {
        self.q
    }

    /// Returns the integer modulo q, from 0 to q - 1.
    #[inline]
    pub const fn residue(self, x: i64) -> u64 {
        let size = x.unsigned_abs();
        // ⌊size/q⌋ or one less, as size·2^-64 <= 1/2: the rest is below 2q.
        let quotient = ((size as u128 * self.inverse as u128) >> 64) as u64;
        let rest = self.once(size - quotient * self.q);
        // q - rest for a negative x, which is q if the rest is 0.
        let sign = (x >> 63) as u64;
        self.once((rest ^ sign).wrapping_sub(sign).wrapping_add(self.q & sign))
    }

    /// Subtracts q from a number below 2q, unless the number is below q.
    #[inline(always)]
    const fn once(self, x: u64) -> u64 {
        let less = x.wrapping_sub(self.q);
        less.wrapping_add(self.q & ((less as i64) >> 63) as u64)
    }

    /// The integers modulo q, each from 0 to q - 1, as many as both slices have.
    ///
    /// ```
    /// use samplez_core::Modulus;
    /// // A basis of two primes: one row for each.
    /// let (noise, mut rows) = ([3_i32, -2], [[0; 2]; 2]);
    /// for (q, row) in [65537, 114689].into_iter().filter_map(Modulus::new).zip(&mut rows) {
    ///     q.residues(&noise, row);
    /// }
    /// assert_eq!(rows, [[3, 65535], [3, 114687]]);
    /// ```
    pub fn residues<T: Int>(self, integers: &[T], out: &mut [u64]) {
        let pairs = out.iter_mut().zip(integers);
        if self.q > T::MAX as u64 {
            // -q <= x < q.
            let lifted = |x: i64| (x as u64).wrapping_add(self.q & (x >> 63) as u64);
            pairs.for_each(|(slot, x)| *slot = lifted(x.widen()));
        } else {
            pairs.for_each(|(slot, x)| *slot = self.residue(x.widen()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const MODULI: [u64; 13] = [
        2,
        3,
        5,
        7,
        127,
        128,
        129,
        12289,
        1 << 31,
        (1 << 32) + 1,
        0x1fff_ffff_ffe0_0001,
        (1 << 63) - 25,
        (1 << 63) - 1,
    ];

    fn numbers() -> Vec<i64> {
        let mut all: Vec<i64> = (-300..300).chain([i64::MIN, i64::MIN + 1, i64::MAX, i64::MAX - 1]).collect();
        let mut x = 1_u64;
        for _ in 0..2000 {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            all.push((x ^ x >> 29) as i64 >> (x % 60));
        }
        for q in MODULI {
            all.extend([-2, -1, 0, 1, 2].map(|d| (q as i64).wrapping_add(d)));
            all.extend([-2, -1, 0, 1, 2].map(|d| (q as i64).wrapping_neg().wrapping_add(d)));
            all.extend([-1, 0, 1].map(|d| (q as i64).wrapping_mul(3).wrapping_add(d)));
        }
        all
    }

    #[test]
    fn residues_are_those_of_wide_division() {
        let numbers = numbers();
        for q in MODULI {
            let modulus = Modulus::new(q).unwrap();
            assert_eq!(modulus.get(), q);
            let ideal = |x: i64| i128::from(x).rem_euclid(q.into()) as u64;
            for x in &numbers {
                assert_eq!(modulus.residue(*x), ideal(*x), "{x} mod {q}");
            }
            let mut out = std::vec![1; numbers.len()];
            modulus.residues(&numbers, &mut out);
            assert!(numbers.iter().zip(&out).all(|(x, found)| ideal(*x) == *found), "{q}");
            let narrow: Vec<i8> = (-128..=127).collect();
            modulus.residues(&narrow, &mut out);
            assert!(narrow.iter().zip(&out).all(|(x, found)| ideal((*x).into()) == *found), "{q}");
            let narrow: Vec<i32> = numbers.iter().map(|x| *x as i32).chain([i32::MIN, i32::MAX]).collect();
            modulus.residues(&narrow[5..], &mut out);
            assert!(narrow[5..].iter().zip(&out).all(|(x, found)| ideal((*x).into()) == *found), "{q}");
        }
    }

    #[test]
    fn other_moduli_are_refused() {
        assert!([0, 1, 1 << 63, u64::MAX].into_iter().all(|q| Modulus::new(q).is_none()));
    }
}
