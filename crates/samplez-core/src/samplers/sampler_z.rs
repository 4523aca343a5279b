/// SamplerZ: Falcon's integer sampler, a centre and a small width with each call.
///
/// Paper: \[Falcon\], Algorithms 12 to 15 (§3.9.3), after \[HPRR20\]. Proof: docs/proofs/isochronous.md.
///
/// | Law        | within the declared bound of D_{Z,σ',μ}, for every σ' and μ allowed |
/// | Bits       | 88 per trial, rarely some bytes more; 2.22/σ_min trials: 1.74 for Falcon-512, 1.71 for Falcon-1024 |
/// | Memory     | 288 bytes; 16 KB of stack in a batch |
/// | Timing     | Variable: the number of trials is that of every σ' and μ within 2^-28, and independent of the sample, but the bytes of the last comparison are not: see below. [`round_batch`](SamplerZ::round_batch) is isochronous |
/// | Parameters | rational σ', 1.2 <= σ_min <= σ' <= 1.8205; μ in fixed point |
///
/// ```text
/// 12  z0 ← 72 bits v, big-endian; #{i : v < RCDT[i]}     (BaseSampler)
/// 15  f ← μ - ⌊μ⌋; b ← the low bit of a byte; z ← b + (2b - 1)z0
///     x ← (z - f)²/2σ'² - z0²/2·1.8205²
/// 14  accept with probability σ_min/σ'·exp(-x), else 12: 64 bits of it, compared byte by byte
///     return ⌊μ⌋ + z
/// ```
///
/// Algorithm 14 reads a second byte where the first one is that of the probability, in 2^-8 of all comparisons. But one
/// byte never accepts a sample whose probability is below 2^-8. So the number of bytes of the last trial reveals about
/// 0.002 bits of each sample. This is a property of Falcon's order of bytes, which its vectors fix.
/// [`round_batch`](SamplerZ::round_batch) takes many centres at once: the same law, other words, and 55 bits for the
/// first byte.
///
/// Departures from the paper: x and exp(-x) are computed in fixed point, not in floating point with a polynomial of
/// lower degree. So no step depends on a machine's rounding. The published vectors are reproduced. Where the 64 bits of
/// two implementations differ in their last ten or so, one sample in about 2^50 may differ.
///
/// Falcon's SamplerZ, for one σ_min.
///
/// ```
/// use samplez_core::{FixedPoint, Rounder, bits::BitReader};
/// use samplez_core::samplers::SamplerZ;
/// use samplez_sources::{ChaCha20, Seed};
/// let sampler = SamplerZ::FALCON_512;
/// let width = sampler.width("1.7".parse()?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let z = sampler.round((FixedPoint::from_f64(-91.9047).unwrap(), width), &mut bits);
/// assert!((-120..-60).contains(&z));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SamplerZ {
    /// σ_min in units of 2^-62.
    sigma_min: u64,
}

mod batch;
mod store;

use super::common::fixed_exp::{exp_neg, less, shift_right};
use super::common::log::double_log;
use crate::bits::BitSource;
use crate::params::{FixedPoint, ParamError, Rational};
use crate::product::{full, high};
use crate::profile::{Bound, Exactness, Timing};
use crate::sampler::Rounder;

/// RCDT\[i\] = Σ_{j>i} ⌊2^72·e^(-j²/2σ0²)/Σ_{k>=0} e^(-k²/2σ0²)⌋, σ0 = 1.8205.
const RCDT: [u128; 18] = [
    0xa3f7f42ed3ac391802,
    0x54d32b181f3f7ddb82,
    0x227dcdd0934829c1ff,
    0x0ad1754377c7994ae4,
    0x0295846caef33f1f6f,
    0x00774ac754ed74bd5f,
    0x001024dd542b776ae4,
    0x0001a1ffdc65ad63da,
    0x00001f80d88a7b6428,
    0x000001c3fdb2040c69,
    0x00000012cf24d031fb,
    0x00000000949f8b091f,
    0x0000000003665da998,
    0x00000000000ebf6ebb,
    0x0000000000002f5d7e,
    0x000000000000007098,
    0x0000000000000000c6,
    0x000000000000000001,
];
/// ⌊2^116/(2·1.8205²)⌋.
const BASE_INVERSE: u128 = 0x0002_69f1_7830_7778_415d_1caa_87e1_6dd0;
/// The largest σ', that of the base.
const SIGMA_MAX: (u64, u64) = (3641, 2000);
/// The least σ_min: 6/5.
const SIGMA_MIN: (u64, u64) = (6, 5);
/// Fractional bits of |z - f|/σ'.
const RATIO_BITS: u32 = 58;

/// For every σ' and centre allowed; docs/proofs/isochronous.md has the sum.
pub(crate) const BOUND: Bound =
    Bound { log2_sd: -51.0, log2_renyi: [(2, -79.0), (256, -77.0), (513, -76.0)], log2_rinf: -50.0, log2_tail: -79.0 };

/// A width σ', prepared by a [`SamplerZ`] for its own calls only. In Falcon σ' is secret, so `Debug` does not show
/// it.
///
/// ```
/// use samplez_core::samplers::SamplerZ;
/// let width = SamplerZ::FALCON_512.width("1.7".parse()?)?;
/// assert_eq!(format!("{width:?}"), "SmallWidth { .. }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SmallWidth {
    /// ⌊2^64/σ'⌋.
    inverse: u64,
    /// σ_min/σ' in units of 2^-64.
    scale: u64,
    /// 2·ln(σ'/σ_min) in units of 2^-52, by [`double_log`].
    lift: u64,
}

impl core::fmt::Debug for SmallWidth {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SmallWidth").finish_non_exhaustive()
    }
}

/// Whether a/b <= c/d.
const fn at_most((a, b): (u64, u64), (c, d): (u64, u64)) -> bool {
    a as u128 * d as u128 <= c as u128 * b as u128
}

impl SamplerZ {
    /// Falcon-512: σ_min = 1.2778336969128337.
    pub const FALCON_512: Self = Self::of(12_778_336_969_128_337, 10_000_000_000_000_000);
    /// Falcon-1024: σ_min = 1.2982803343442917.
    pub const FALCON_1024: Self = Self::of(12_982_803_343_442_917, 10_000_000_000_000_000);

    /// σ_min = num/den < 2.
    const fn of(num: u64, den: u64) -> Self {
        SamplerZ { sigma_min: (((num as u128) << 62) / den as u128) as u64 }
    }

    /// The class of the running time of [`round_batch`](Self::round_batch). Single calls reveal more: see the head of
    /// this module.
    ///
    /// ```
    /// use samplez_core::{Timing, samplers::SamplerZ};
    /// const { assert!(matches!(SamplerZ::BATCH_TIMING, Timing::Isochronous)) };
    /// ```
    pub const BATCH_TIMING: Timing = Timing::Isochronous;

    /// Builds the sampler whose acceptance rate is that of `sigma_min`, for any σ'.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless 1.2 <= `sigma_min` <= 1.8205.
    ///
    /// ```
    /// use samplez_core::samplers::SamplerZ;
    /// assert!(SamplerZ::new("1.3".parse()?).is_ok());
    /// assert!(SamplerZ::new("1.9".parse()?).is_err());
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    pub fn new(sigma_min: Rational) -> Result<Self, ParamError> {
        let (num, den) = (sigma_min.num().max(0) as u64, sigma_min.den());
        if at_most(SIGMA_MIN, (num, den)) && at_most((num, den), SIGMA_MAX) {
            return Ok(Self::of(num, den));
        }
        let allowed = "1.2 <= sigma_min <= 1.8205";
        Err(ParamError::Unsupported { method: "sampler-z", argument: "sigma_min", value: sigma_min, allowed })
    }

    /// Prepares σ' for calls of this sampler.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless σ_min <= σ' <= 1.8205. (A σ' within 2^-60 below σ_min
    /// may pass: its law is as good, its rate that of σ_min.)
    ///
    /// ```
    /// use samplez_core::samplers::SamplerZ;
    /// let e = SamplerZ::FALCON_512.width("2".parse()?).unwrap_err();
    /// assert_eq!(e.to_string(), "sigma = 2: method sampler-z allows sigma_min <= sigma <= 1.8205");
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    pub fn width(&self, sigma: Rational) -> Result<SmallWidth, ParamError> {
        let (num, den) = (sigma.num().max(0) as u64, sigma.den());
        if num >= den
            && at_most((num, den), SIGMA_MAX)
            && let Some(width) = self.width_of(ratio(den, num))
        {
            return Ok(width);
        }
        let allowed = "sigma_min <= sigma <= 1.8205";
        Err(ParamError::Unsupported { method: "sampler-z", argument: "sigma", value: sigma, allowed })
    }

    /// Returns σ' for calls of this sampler, from the double 1/σ' that Falcon's implementations store. 1/σ' is taken exactly, and no
    /// division depends on it. It branches only to refuse a width. `None` unless σ_min <= σ' <= 1.8205, up to 2^-60.
    ///
    /// ```
    /// use samplez_core::samplers::SamplerZ;
    /// let sampler = SamplerZ::FALCON_512;
    /// assert_eq!(sampler.width_of_inverse(0.625), sampler.width("1.6".parse()?).ok());
    /// assert_eq!(sampler.width_of_inverse(0.5), None);
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    pub fn width_of_inverse(&self, inverse: f64) -> Option<SmallWidth> {
        let bits = inverse.to_bits();
        // ½ <= 1/σ' < 1 has one exponent.
        let inverse = 1 << 63 | bits << 11;
        if bits >> 52 != 0x3fe || inverse < ratio(SIGMA_MAX.1, SIGMA_MAX.0) {
            return None;
        }
        self.width_of(inverse)
    }

    /// The width with 1/σ' in units of 2^-64, unless σ' < σ_min.
    fn width_of(&self, inverse: u64) -> Option<SmallWidth> {
        // 1/σ' is rounded down: only σ' < σ_min exceeds 1.
        let scale = u64::try_from((u128::from(inverse) * u128::from(self.sigma_min)) >> 62).ok()?;
        // At least 1.2/1.8205, so its highest bit is set: no zero to look for.
        let (lift, _) = double_log(scale | 1 << 63);
        Some(SmallWidth { inverse, scale, lift })
    }

    /// Makes a trial from the nine bytes of Algorithm 12, of which `rest` holds the last, and the byte of b above it.
    /// Returns z and the probability in units of 2^-64. No branch and no address depends on them, on the width or on
    /// the centre. Also for the tests of that.
    #[inline(always)]
    pub(crate) fn trial_of(width: SmallWidth, fraction: u64, [high, rest]: [u64; 2]) -> (i64, u64) {
        // Algorithm 12
        let z0 = count_above(u128::from(high) << 8 | u128::from(rest & 0xff), &RCDT);
        // Algorithm 15
        let (z, distance) = candidate(z0, rest >> 8 & 1 != 0, fraction);
        (z, Self::acceptance_of(width, z0, distance))
    }

    /// Algorithm 14's probability in units of 2^-64, for the exact law tests.
    #[inline(always)]
    pub(crate) fn acceptance_of(width: SmallWidth, z0: u64, distance: u128) -> u64 {
        let square = half_square(distance, width.inverse);
        let (m, s) = exp_neg(less(square, u128::from(z0 * z0) * BASE_INVERSE));
        // 2^63·exp(-x)·2^64·scale, to 2^-64
        shift_right((full(m, width.scale) >> 63) as u64, s)
    }

    /// BaseSampler's weights ⌊2^72·pmf⌋, for the exact law tests.
    #[cfg(feature = "testing")]
    pub fn base_weight(z0: usize) -> u128 {
        let upper = if z0 == 0 { 1 << 72 } else { RCDT[z0 - 1] };
        upper - RCDT.get(z0).copied().unwrap_or(0)
    }
}

/// ⌊2^64·a/b⌋ for a <= b < 2^64, at most 2^64 - 1.
fn ratio(a: u64, b: u64) -> u64 {
    u64::try_from((u128::from(a) << 64) / u128::from(b)).unwrap_or(u64::MAX)
}

/// #{j : value < thresholds\[j\]}, all of them read.
#[inline(always)]
fn count_above(value: u128, thresholds: &[u128]) -> u64 {
    thresholds.iter().map(|t| u64::from(value < *t)).sum()
}

/// (|z - f|/σ')²/2 in units of 2^-116, for the distance |z - f| in units of 2^-64 and 1/σ' in units of 2^-64. The ratio
/// stays below 2^5.
#[inline(always)]
fn half_square(distance: u128, inverse: u64) -> u128 {
    let ratio = high((distance >> (64 - RATIO_BITS)) as u64, inverse);
    full(ratio, ratio) >> 1
}

/// z = z0 + 1 or -z0, and |z - f| in units of 2^-64.
#[inline(always)]
fn candidate(z0: u64, upper: bool, fraction: u64) -> (i64, u128) {
    let above = (1_u128 << 64) - u128::from(fraction);
    let offset = core::hint::select_unpredictable(upper, above, fraction.into());
    let sign = -i64::from(!upper); // 0 or -1
    ((z0 as i64 ^ sign) - sign + i64::from(upper), (u128::from(z0) << 64) + offset)
}

/// True with probability threshold/2^64: bytes, from the highest down, until one differs.
#[inline(always)]
fn is_below<B: BitSource + ?Sized>(threshold: u64, bits: &mut B) -> bool {
    let mut shift = 64;
    loop {
        shift -= 8;
        let (byte, goal) = (bits.bits(8), threshold >> shift & 0xff);
        if byte != goal || shift == 0 {
            return byte < goal;
        }
    }
}

impl Rounder for SamplerZ {
    type Center = (FixedPoint, SmallWidth);
    /// The number of trials is isochronous, the bytes of the last comparison are not.
    const TIMING: Timing = Timing::Variable;

    fn exactness(&self) -> Exactness {
        Exactness::Within(BOUND)
    }

    #[inline]
    fn round<B: BitSource + ?Sized>(&self, (center, width): (FixedPoint, SmallWidth), bits: &mut B) -> i64 {
        loop {
            // Algorithm 12: 9 bytes, the first the highest
            let high = bits.bits(64).swap_bytes();
            let rest = bits.bits(16); // the ninth byte, and that of b
            let (z, threshold) = Self::trial_of(width, center.fraction(), [high, rest]);
            // Algorithm 14
            if is_below(threshold, bits) {
                return center.floor() + z;
            }
        }
    }
}

#[cfg(test)]
mod tests;
