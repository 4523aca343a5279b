//! Isochronous rejection: a centre and a width with each call, from one fixed half Gaussian.
//!
//! Paper: \[HPRR20\], Algorithm 1, with the low part of \[DDLL13\]. Proof: docs/proofs/isochronous.md.
//!
//! | Law        | within [`ROUNDER_BOUND`] of D_{Z,σ,c}, for every σ and c: R_∞ - 1 <= 2^-50 |
//! | Bits       | 192 or 256 per trial (σ <= 2, σ > 2) |
//! | Memory     | 384 bytes, the same for every σ and centre |
//! | Timing     | Isochronous: the number of trials depends on σ and, below 2^-27 relative, on the centre's fraction; not on the sample. Whether a second word is compared is independent of the sample within 2^-62 |
//! | Parameters | rational σ, 1 <= σ <= 2^26; c in fixed point |
//!
//! ```text
//! 1  z0 ← D_{N,2}                              (half Gaussian, a table of 112 bits)
//! 2  u ← {0, …, K-1}, K = ⌈σ/2⌉; x ← K·z0 + u
//! 3  b ← {0, 1}; z ← x + 1 if b, else -x       (every integer, once)
//! 4  accept with probability exp(-(z - f)²/2σ² + z0²/8), f = c - ⌊c⌋, else 1
//! 5  return ⌊c⌋ + z
//! ```
//!
//! Departures from the paper:
//! - Base width 2 for 1.8205: z0²/8 is exact, and σ may exceed the base by the low part u.
//! - The exponential is compared as one number of 128 bits, not byte by byte: a second word
//!   is drawn only where the first one equals the leading half of it, with probability 2^-64.
//! - The acceptance is not scaled by σ_min/σ: the number of trials tells σ. [`SamplerZ`] scales.
//!
//! [`SamplerZ`]: crate::samplers::SamplerZ

use crate::bits::BitSource;
use crate::params::{FixedPoint, ParamError, Rational};
use crate::product::{full, high};
use crate::profile::{Bound, Exactness, Timing};
use crate::sampler::Rounder;
use crate::samplers::common::fixed_exp::{EXPONENT_BITS, exp_neg, less, shift_right_wide};

/// T_j = Σ_{x>j} ⌊2^112·e^(-x²/8)/Σ_{y>=0} e^(-y²/8)⌋: z0 = #{j : v < T_j} for uniform v < 2^112.
const HALF: [u128; 24] = [
    0xaadad36d39cf64441027f340efb5,
    0x5fb6e3226f2d275bb124c93e39cb,
    0x2c123b9bf6e48f2d3508c744b413,
    0x106db9fb4da958a3860c5768fa97,
    0x04e7ccbcf5626b42a08cf4a87226,
    0x012a1948bafa2f897581252b374a,
    0x0037f43b9699982823978799930a,
    0x000845dd65172cb7864893d5ac76,
    0x0000f5f52a07bc8028bd20b6807d,
    0x00001663e71bea09d2660a809812,
    0x0000019861545fc09587842d067d,
    0x00000016bed9db3b039dbe0d460f,
    0x00000000fd4f5420f92684daa082,
    0x000000000899f006fdde38b63d7b,
    0x00000000003a54885125584a4b65,
    0x000000000001347b0f27e74fd5db,
    0x00000000000004f7db2d26655074,
    0x000000000000000ff72ba5d4febd,
    0x000000000000000027fb63a4e3af,
    0x0000000000000000004e040ad96c,
    0x000000000000000000007699fed8,
    0x00000000000000000000008c75aa,
    0x0000000000000000000000008193,
    0x000000000000000000000000005c,
];
/// The base's precision.
#[cfg(feature = "testing")]
const HALF_BITS: u32 = 112;
/// The largest σ: K <= 2^25, and ⌊K·w/2^79⌋ is uniform within K·2^-79 <= 2^-54 relative.
const SIGMA_MAX: u64 = 1 << 26;
/// Fractional bits of |z - f|/σ.
const RATIO_BITS: u32 = 58;

/// For every σ and centre allowed; docs/proofs/isochronous.md has the sum.
pub(crate) const ROUNDER_BOUND: Bound = Bound {
    log2_sd: -51.0,
    log2_renyi: [(2, -101.0), (256, -94.0), (513, -93.0)],
    log2_rinf: -50.0,
    log2_tail: -109.0,
};

/// What a call needs to know about σ.
///
/// ```
/// use samplez_core::samplers::Scale;
/// assert!(Scale::new("1.6e5".parse()?).is_ok());
/// let e = Scale::new("0.99".parse()?).unwrap_err();
/// assert_eq!(e.to_string(), "sigma = 99/100: method isochronous allows 1 <= sigma <= 2^26");
/// # Ok::<(), samplez_core::ParseRationalError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// K = ⌈σ/2⌉.
    multiplier: u64,
    /// e = ⌊lg σ⌋.
    exponent: u32,
    /// 2^64·2^e/σ rounded down, at most 2^64 - 1.
    inverse: u64,
}

impl Scale {
    /// Of this σ.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless 1 <= σ <= 2^26.
    ///
    /// ```
    /// use samplez_core::{Rational, samplers::Scale};
    /// assert!(Scale::new(Rational::from(1 << 27)).is_err());
    /// ```
    pub fn new(sigma: Rational) -> Result<Self, ParamError> {
        let (num, den) = (sigma.num().max(0) as u64, sigma.den());
        // ⌊σ⌋ and ⌈σ/2⌉; 2·den may not fit a word.
        let (whole, multiplier) = (num / den, u128::from(num).div_ceil(2 * u128::from(den)) as u64);
        if whole < 1 || u128::from(num) > u128::from(SIGMA_MAX) * u128::from(den) {
            return Err(ParamError::Unsupported {
                method: "isochronous",
                argument: "sigma",
                value: sigma,
                allowed: "1 <= sigma <= 2^26",
            });
        }
        let exponent = whole.ilog2();
        Ok(Scale { multiplier, exponent, inverse: ratio(u128::from(den) << exponent, num) })
    }
}

/// ⌊2^64·a/b⌋ for a <= b < 2^64, at most 2^64 - 1.
pub(in crate::samplers) fn ratio(a: u128, b: u64) -> u64 {
    u64::try_from((a << 64) / u128::from(b)).unwrap_or(u64::MAX)
}

/// #{j : value < thresholds\[j\]}, all of them read.
#[inline(always)]
pub(in crate::samplers) fn count_above(value: u128, thresholds: &[u128]) -> u64 {
    thresholds.iter().map(|t| u64::from(value < *t)).sum()
}

/// (|z - f|/σ)²/2 in units of 2^-116, for the distance |z - f| in units of 2^-64, and σ as
/// 2^e and the inverse of σ/2^e. The ratio stays below 2^5.
#[inline(always)]
pub(in crate::samplers) fn half_square(distance: u128, exponent: u32, inverse: u64) -> u128 {
    let scaled = (distance >> (64 - RATIO_BITS + exponent)) as u64;
    let ratio = high(scaled, inverse);
    full(ratio, ratio) >> 1
}

/// Steps 2 and 3: z and |z - f| in units of 2^-64.
#[inline(always)]
pub(in crate::samplers) fn candidate(x: u64, upper: bool, fraction: u64) -> (i64, u128) {
    let above = (1_u128 << 64) - u128::from(fraction);
    let offset = core::hint::select_unpredictable(upper, above, fraction.into());
    let sign = -i64::from(!upper); // 0 or -1
    ((x as i64 ^ sign) - sign + i64::from(upper), (u128::from(x) << 64) + offset)
}

/// The rounder: it holds nothing, [`Scale`] holds σ.
///
/// ```
/// use samplez_core::{FixedPoint, Rounder, bits::BitReader};
/// use samplez_core::samplers::{IsochronousRounder, Scale};
/// use samplez_sources::{ChaCha20, Seed};
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let center = FixedPoint::new("12345.678".parse()?)?;
/// let x = IsochronousRounder.round((center, Scale::new("1.5".parse()?)?), &mut bits);
/// assert!((12_300..12_400).contains(&x));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IsochronousRounder;

impl IsochronousRounder {
    /// Steps 1 to 3 and step 4's probability, from two words, a third where K > 1, and the centre's
    /// fraction: z and the probability in units of 2^-128. No branch and no address depends on
    /// them; for the tests of that too.
    #[inline(always)]
    pub(crate) fn trial_of(scale: Scale, fraction: u64, [low, high, wide]: [u64; 3]) -> (i64, u128) {
        // step 1: 112 bits of 128; 1 for b, 15 for u
        let z0 = count_above(u128::from(low) | u128::from(high & 0xffff_ffff_ffff) << 64, &HALF);
        // step 2: u = 0 if K = 1
        let wide = u128::from(wide) << 15 | u128::from(high >> 49);
        let x = scale.multiplier * z0 + ((wide * u128::from(scale.multiplier)) >> 79) as u64;
        // step 3
        let (z, distance) = candidate(x, high >> 48 & 1 != 0, fraction);
        (z, Self::acceptance_of(scale, z0, distance))
    }

    /// Step 4's probability in units of 2^-128, for the exact law tests.
    #[inline(always)]
    pub(crate) fn acceptance_of(scale: Scale, z0: u64, distance: u128) -> u128 {
        let square = half_square(distance, scale.exponent, scale.inverse);
        let (m, s) = exp_neg(less(square, u128::from(z0 * z0) << (EXPONENT_BITS - 3)));
        shift_right_wide(u128::from(m) << 65, s)
    }

    /// Step 1's weights ⌊2^112·pmf⌋, z0 = 0 first, for the exact law tests.
    #[cfg(feature = "testing")]
    pub fn base_weight(z0: usize) -> u128 {
        let upper = if z0 == 0 { 1 << HALF_BITS } else { HALF[z0 - 1] };
        upper - HALF.get(z0).copied().unwrap_or(0)
    }

    /// K.
    #[cfg(feature = "testing")]
    pub fn multiplier(scale: Scale) -> u64 {
        scale.multiplier
    }
}

/// True with probability threshold/2^128; that is public.
#[inline(always)]
fn is_below<B: BitSource + ?Sized>(threshold: u128, bits: &mut B) -> bool {
    let (word, high) = (bits.bits(64), (threshold >> 64) as u64);
    // With probability 2^-64, whatever the threshold is.
    let below =
        if bits.declassify(u32::from(word == high)) != 0 { bits.bits(64) < threshold as u64 } else { word < high };
    bits.declassify(u32::from(below)) != 0
}

impl Rounder for IsochronousRounder {
    type Center = (FixedPoint, Scale);
    const TIMING: Timing = Timing::Isochronous;

    fn exactness(&self) -> Exactness {
        Exactness::Within(ROUNDER_BOUND)
    }

    #[inline]
    fn round<B: BitSource + ?Sized>(&self, (center, scale): (FixedPoint, Scale), bits: &mut B) -> i64 {
        loop {
            let (low, high) = (bits.bits(64), bits.bits(64));
            let wide = if scale.multiplier > 1 { bits.bits(64) } else { 0 };
            let (z, threshold) = Self::trial_of(scale, center.fraction(), [low, high, wide]);
            // step 4
            if is_below(threshold, bits) {
                return center.floor() + z; // step 5
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::fixtures::reader;
    use std::vec::Vec;

    #[test]
    fn counts_are_of_what_lies_above() {
        let thresholds = [9, 5, 5, 2];
        for (value, count) in [(0, 4), (1, 4), (2, 3), (4, 3), (5, 1), (8, 1), (9, 0), (1 << 100, 0)] {
            assert_eq!(count_above(value, &thresholds), count, "{value}");
        }
    }

    /// The base's mass at z0 is proportional to e^(-z0²/8), and all of them are 2^112.
    #[test]
    fn weights_are_a_half_gaussian() {
        let weights: Vec<u128> = (0..=HALF.len()).map(IsochronousRounder::base_weight).collect();
        assert_eq!(weights.iter().sum::<u128>(), 1 << HALF_BITS);
        for (z0, weight) in weights.iter().enumerate().take(12) {
            let ideal = weights[0] as f64 * (-((z0 * z0) as f64) / 8.0).exp();
            assert!((*weight as f64 / ideal - 1.0).abs() < 1e-12, "{z0}: {weight}");
        }
    }

    #[test]
    fn ratios_end_at_a_word() {
        assert_eq!(ratio(1, 3), u64::MAX / 3);
        assert_eq!(ratio(3, 3), u64::MAX);
        assert_eq!(ratio(2, 1 << 63), 4);
        assert_eq!(ratio(0, 7), 0);
    }

    /// Against doubles: exp(-(z - f)²/2σ² + z0²/8), where that is not below 2^-60.
    #[test]
    fn acceptances_are_the_exponential() {
        for text in ["1", "1.3", "2", "3", "7.9", "1000.5", "67108864"] {
            let sigma: f64 = text.parse().unwrap();
            let scale = Scale::new(text.parse().unwrap()).unwrap();
            assert_eq!(IsochronousRounder::multiplier(scale), (sigma / 2.0).ceil() as u64);
            let mut seen = 0;
            for z0 in 0..5_u64 {
                for steps in 0..40 {
                    let distance = (z0 as f64 * scale.multiplier as f64) + f64::from(steps) * sigma / 16.0;
                    let exponent = z0 as f64 * z0 as f64 / 8.0 - (distance / sigma).powi(2) / 2.0;
                    let got = IsochronousRounder::acceptance(scale, z0, (distance * 2f64.powi(64)) as u128);
                    let want = exponent.min(0.0).exp() * 2f64.powi(128);
                    assert!((got as f64 / want - 1.0).abs() < 1e-12, "{text}, {z0}, {distance}: {got}, {want}");
                    seen += usize::from(exponent < -0.1);
                }
            }
            assert!(seen > 100, "{text}");
        }
    }

    /// Steps 1 to 5 from the bits, in their order: 112 for z0, one for the sign, 15 and 64 for u; then the comparison.
    fn by_the_steps(center: FixedPoint, scale: Scale, bits: &mut impl BitSource) -> i64 {
        loop {
            let v = u128::from(bits.bits(64)) | u128::from(bits.bits(48)) << 64;
            let z0 = (0..24)
                .filter(|j| v < (0..=*j).fold(1 << 112, |rest, z| rest - IsochronousRounder::base_weight(z)))
                .count();
            let (upper, lowest) = (bits.bit(), u128::from(bits.bits(15)));
            let wide = lowest | if scale.multiplier > 1 { u128::from(bits.bits(64)) << 15 } else { 0 };
            let u = (u128::from(scale.multiplier) * wide / (1 << 79)) as i64;
            let x = (scale.multiplier * z0 as u64) as i64 + u;
            let z = if upper { x + 1 } else { -x };
            let distance = ((i128::from(z) << 64) - i128::from(center.fraction())).unsigned_abs();
            let goal = IsochronousRounder::acceptance(scale, z0 as u64, distance);
            let first = u128::from(bits.bits(64));
            let is_below =
                if first == goal >> 64 { first << 64 | u128::from(bits.bits(64)) } else { first << 64 } < goal;
            if is_below {
                return center.floor() + z;
            }
        }
    }

    #[test]
    fn rounding_is_the_steps() {
        for (sigma, center) in
            [("1", "0"), ("1.5", "-7/3"), ("2", "1/2"), ("2.5", "123456.75"), ("1e6", "1/3"), ("67108864", "-1/7")]
        {
            let (scale, center) =
                (Scale::new(sigma.parse().unwrap()).unwrap(), FixedPoint::new(center.parse().unwrap()).unwrap());
            let (mut steps, mut bits) = (reader(4), reader(4));
            for _ in 0..150 {
                assert_eq!(
                    IsochronousRounder.round((center, scale), &mut bits),
                    by_the_steps(center, scale, &mut steps),
                    "{sigma}"
                );
            }
            assert_eq!(bits.bits(64), steps.bits(64), "{sigma}");
        }
        assert_eq!(IsochronousRounder.exactness(), Exactness::Within(ROUNDER_BOUND));
    }

    struct Given(core::array::IntoIter<u64, 2>);

    impl BitSource for Given {
        fn bits(&mut self, n: u32) -> u64 {
            assert_eq!(n, 64);
            self.0.next().unwrap()
        }
    }

    /// The second word decides where the first one is the probability's, and is drawn nowhere else.
    #[test]
    fn the_second_word_decides() {
        let threshold = 5_u128 << 64 | 7;
        for (words, below, used) in
            [([4, 9], true, 64), ([5, 6], true, 128), ([5, 7], false, 128), ([5, 8], false, 128), ([6, 0], false, 64)]
        {
            let mut bits = Counted::new(Given(words.into_iter()));
            assert_eq!((is_below(threshold, &mut bits), bits.count()), (below, used), "{words:?}");
        }
    }

    #[test]
    fn scales() {
        let scale = |text: &str| Scale::new(text.parse().unwrap());
        assert_eq!(scale("1").unwrap(), Scale { multiplier: 1, exponent: 0, inverse: u64::MAX });
        assert_eq!(scale("2").unwrap(), Scale { multiplier: 1, exponent: 1, inverse: u64::MAX });
        assert_eq!(scale("3").unwrap(), Scale { multiplier: 2, exponent: 1, inverse: 12297829382473034410 });
        assert_eq!(scale("67108864").unwrap().multiplier, 1 << 25);
        for text in ["0", "-3", "0.999999999999", "67108864.000001"] {
            assert!(scale(text).is_err(), "{text}");
        }
    }

    #[test]
    fn candidates_are_every_integer_once() {
        let mut seen: Vec<i64> = (0..100).flat_map(|x| [candidate(x, true, 0).0, candidate(x, false, 0).0]).collect();
        seen.sort();
        assert_eq!(seen, (-99..=100).collect::<Vec<_>>());
        let f = 1 << 62;
        assert_eq!(candidate(3, true, f), (4, (4 << 64) - (1 << 62)));
        assert_eq!(candidate(3, false, f), (-3, (3 << 64) + (1 << 62)));
        assert_eq!(candidate(0, false, f), (0, 1 << 62));
    }
}
