//! Quotients of natural numbers, exact before the one rounding.

use super::interval::Interval;
use super::limbs::div_small;

/// The limbs of a [`Natural`].
const NATURAL: usize = 6;

/// A natural number below 2^384.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Natural([u64; NATURAL]);

impl Natural {
    pub(crate) fn new(value: u128) -> Self {
        Natural([value as u64, (value >> 64) as u64, 0, 0, 0, 0])
    }

    /// Returns the product. The caller ensures that it stays below 2^384.
    pub(crate) fn times(mut self, factor: u64) -> Self {
        let mut carry = 0;
        for limb in &mut self.0 {
            let double = u128::from(*limb) * u128::from(factor) + u128::from(carry);
            (*limb, carry) = (double as u64, (double >> 64) as u64);
        }
        debug_assert_eq!(carry, 0);
        self
    }

    /// The sum with an integer, known not to be negative nor to reach 2^384.
    pub(crate) fn plus(mut self, term: i128) -> Self {
        let sign = if term < 0 { u64::MAX } else { 0 };
        let term = [term as u64, (term >> 64) as u64, sign, sign, sign, sign];
        self.0 = super::limbs::add(&self.0, &term);
        self
    }

    /// The number divided by the product of the divisors, none of which is 0; `None` if that
    /// is 2^20 or more.
    ///
    /// ⌊⌊a/b⌋/c⌋ = ⌊a/(bc)⌋, so the lower end is the quotient rounded down.
    pub(crate) fn over<const N: usize>(self, divisors: &[u64]) -> Option<Interval<N>> {
        if self.0 == [0; NATURAL] {
            return Some(Interval::ZERO);
        }
        // As N >= 3.
        let mut limbs = [[0; N]; 3];
        let used = &mut limbs.as_flattened_mut()[..N - 1 + NATURAL];
        used[N - 1..].copy_from_slice(&self.0);
        for divisor in divisors.iter().filter(|divisor| **divisor != 1) {
            div_small(used, *divisor);
        }
        let (low, high) = used.split_at(N);
        let lo: [u64; N] = low.try_into().ok()?;
        if lo[N - 1] >= 1 << 20 || high.iter().any(|limb| *limb != 0) { None } else { Some(Interval { lo, width: 1 }) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::interval::contains;
    use super::*;

    #[test]
    fn quotients_are_floors() {
        let big = Natural::new(u128::MAX).times(u64::MAX).times(u64::MAX).plus(-5);
        assert_eq!(big.over::<9>(&[u64::MAX, u64::MAX, u64::MAX]), None, "2^64 is too large");
        // 2^128 - 1 over 2^64 - 1 is 2^64 + 1.
        let half = Natural::new(u128::MAX).over::<4>(&[u64::MAX, 1 << 46, 3]).unwrap();
        // (2^64 + 1)/(3·2^46) = 2^18/3 + 2^-46/3
        assert_eq!(half.lo[3], (1 << 18) / 3);
        assert_eq!(half.lo[2], 0x5555_5555_5555_5555 + (1 << 18) / 3);
        // The floor's fraction lies within the interval.
        let fine = Natural::new(22).over::<9>(&[7]).unwrap();
        assert!(contains(&Natural::new(22).over::<3>(&[7]).unwrap(), &fine.lo));
        assert_eq!(Natural::new(7).plus(-7).over::<3>(&[5]), Some(Interval::ZERO));
        assert_eq!(Natural::new(7).plus(-8).0, [u64::MAX; 6], "the caller's promise matters");
        assert_eq!(Natural::new(1 << 20).over::<3>(&[1]), None);
        assert_eq!(Natural::new((1 << 20) - 1).over::<3>(&[1]).unwrap().lo, [0, 0, (1 << 20) - 1]);
    }
}
