//! The width of a call.

use crate::arch::isochronous::Call;
use crate::params::Rational;
use zeroize::Zeroize;

/// A width σ, prepared by a rounder for its own calls, or for the calls of a rounder of the same range. Any other
/// rounder panics. In a trapdoor sampler σ is secret, so `Debug` does not show it.
///
/// ```
/// use samplez_core::{Rational, samplers::StripRounder};
/// let rounder = StripRounder::new(Rational::from(100), Rational::from(150))?;
/// let width = rounder.width(Rational::from(120))?;
/// assert_eq!(format!("{width:?}"), "StripWidth { .. }");
/// # Ok::<(), samplez_core::ParamError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct StripWidth {
    /// K²·log2(e)/2σ² in units of 2^-63.
    pub(super) square: u64,
    /// log2(σ/σ_min) + 1 in units of 2^-55.
    pub(super) lift: u64,
    /// The range of its rounder: [`range_key`].
    pub(super) range: u64,
}

/// A number that rounders of one range have, and of two ranges hardly: the FNV hash of σ_min and σ_max.
pub(super) fn range_key(sigmas: [Rational; 2]) -> u64 {
    let words = sigmas.into_iter().flat_map(|sigma| [sigma.num().unsigned_abs(), sigma.den()]);
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    words.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, hash)
}

impl Zeroize for StripWidth {
    fn zeroize(&mut self) {
        [&mut self.square, &mut self.lift, &mut self.range].into_iter().for_each(Zeroize::zeroize);
    }
}

impl core::fmt::Debug for StripWidth {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("StripWidth").finish_non_exhaustive()
    }
}

impl StripWidth {
    /// Returns `self` where the mask is all ones, and `other`, of the same rounder, where it is 0. It has no branch,
    /// for the tests that none depends on a width.
    #[cfg(feature = "testing")]
    pub fn either(self, other: Self, mask: u64) -> Self {
        StripWidth {
            square: self.square & mask | other.square & !mask,
            lift: self.lift & mask | other.lift & !mask,
            range: self.range,
        }
    }

    /// Returns a trial's constants of a call with this width and this fraction of its centre.
    #[inline(always)]
    pub(super) fn call(self, fraction: u64) -> Call {
        Call { fraction, square: self.square, lift: self.lift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitSource;
    use crate::fixtures::reader;
    use std::collections::BTreeSet;
    use std::format;

    #[test]
    fn one_of_two_widths_is_chosen_whole() {
        let mut bits = reader(1);
        for _ in 0..100 {
            let range = bits.bits(64);
            let mut any = || StripWidth { square: bits.bits(64), lift: bits.bits(64), range };
            let (a, b) = (any(), any());
            assert!(a.either(b, u64::MAX) == a && a.either(b, 0) == b);
        }
    }

    #[test]
    fn a_width_shows_nothing() {
        assert_eq!(format!("{:?}", StripWidth { square: 3, lift: 4, range: 5 }), "StripWidth { .. }");
    }

    #[test]
    fn ranges_have_keys_of_their_own() {
        // FNV-1a by its definition.
        let plain = |[a, b]: [u64; 2]| {
            let bytes = [a, 1, b, 1].map(u64::to_le_bytes).concat();
            bytes.iter().fold(14_695_981_039_346_656_037_u64, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul((1 << 40) + 0x1b3)
            })
        };
        let whole = |n: u64| Rational::from(n as i64);
        assert_eq!(range_key([whole(3), whole(70_000)]), plain([3, 70_000]));
        let keys: BTreeSet<u64> =
            (1..100).flat_map(|a| (1..100).map(move |b| range_key([whole(a), whole(b)]))).collect();
        assert_eq!(keys.len(), 99 * 99);
    }
}
