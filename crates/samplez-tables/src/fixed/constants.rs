//! The constants, as ⌊c·2^512⌋: checked against each other in the tests below. More digits of ln 2 and π come from series.

use super::interval::Interval;

/// A positive constant to 512 bits of fraction, rounded down, and its series for more of them.
pub(crate) struct Constant([u64; 9], Series);

/// Where more digits come from.
#[derive(Clone, Copy)]
enum Series {
    Ln2,
    Pi,
    None,
}

impl Constant {
    /// The constant to N - 1 limbs of fraction; for N > 9 only ln 2 and π, others are unknown.
    pub(crate) fn to<const N: usize>(&self) -> Interval<N> {
        if N <= 9 {
            return Interval { lo: core::array::from_fn(|i| self.0[9 + i - N]), width: 1 };
        }
        match self.1 {
            // 2 artanh(1/3)
            Series::Ln2 => {
                let [even, odd] = inverse_powers(3);
                even.add(&odd).times(2)
            }
            // Machin: 16 arctan(1/5) - 4 arctan(1/239)
            Series::Pi => {
                let arctan = |n| {
                    let [even, odd] = inverse_powers(n);
                    even.sub(&odd)
                };
                arctan(5).times(16).sub(&arctan(239).times(4))
            }
            Series::None => Interval { width: u64::MAX, ..Interval::ZERO },
        }
    }

    /// ln 2.
    pub(crate) const LN_2: Constant = Constant(
        [
            0x2757_3b29_1169_b825,
            0xed2e_ae35_c138_2144,
            0x5595_52fb_4afa_1b10,
            0xe7b8_7620_6deb_ac98,
            0x8a0d_175b_8baa_fa2b,
            0x40f3_4326_7298_b62d,
            0xc9e3_b398_03f2_f6af,
            0xb172_17f7_d1cf_79ab,
            0,
        ],
        Series::Ln2,
    );

    /// π.
    pub(crate) const PI: Constant = Constant(
        [
            0x3f84_d5b5_b547_0917,
            0xc0ac_29b7_c97c_50dd,
            0xbe54_66cf_34e9_0c6c,
            0x4528_21e6_38d0_1377,
            0x082e_fa98_ec4e_6c89,
            0xa409_3822_299f_31d0,
            0x1319_8a2e_0370_7344,
            0x243f_6a88_85a3_08d3,
            3,
        ],
        Series::Pi,
    );

    /// 1/sqrt(2π).
    pub(crate) const INV_SQRT_2PI: Constant = Constant(
        [
            0x278e_9934_45f0_8cff,
            0xeb14_2779_70be_1513,
            0x23f5_d3ab_b374_e88d,
            0x9df8_ac55_447d_3db7,
            0xc047_1b48_0263_9d2e,
            0xd382_9f30_5127_06d8,
            0x3f2c_f140_2eae_38bf,
            0x6621_14cf_50d9_4234,
            0,
        ],
        Series::None,
    );

    /// sqrt(ln 2/π), the reciprocal of sqrt(2π)·sqrt(1/(2 ln 2)).
    pub(crate) const SQRT_LN2_PI: Constant = Constant(
        [
            0x12e4_0a6d_62d1_cfab,
            0xf955_d49a_f92b_c9d1,
            0x60b7_d908_2158_57c9,
            0xe049_cbcc_d03a_85e3,
            0x3182_9770_1ae7_8954,
            0x33d2_8b38_948a_972a,
            0xd4eb_b8da_2734_c836,
            0x783f_7b12_5441_345d,
            0,
        ],
        Series::None,
    );
}

/// Σ 1/((2k + 1)n^(2k + 1)) over the even k and over the odd k, for n >= 2: the sum is artanh(1/n), and the
/// difference arctan(1/n).
fn inverse_powers<const N: usize>(n: u64) -> [Interval<N>; 2] {
    let mut sums = [Interval::ZERO; 2];
    let mut power = Interval::<N>::ONE.div_small(n);
    let mut k = 0;
    while power.lo != [0; N] {
        sums[k as usize % 2] = sums[k as usize % 2].add(&power.div_small(2 * k + 1));
        power = power.div_small(n * n);
        k += 1;
    }
    // The terms left out are less than this power in all, which is at most its width.
    sums.map(|sum| sum.widen(power.width))
}

#[cfg(test)]
mod tests {
    use super::super::{exp_neg, less};
    use super::*;

    fn assert_contains(interval: Interval<9>, value: Interval<9>) {
        assert!(interval.width < 1 << 24);
        assert!(!less(&value.lo, &interval.lo) && !less(&interval.hi().unwrap(), &value.lo), "{interval:?} {value:?}");
    }

    #[test]
    fn constants_satisfy_their_equations() {
        // Machin: π = 16 arctan(1/5) - 4 arctan(1/239).
        let times = |x: Interval<9>, n: u64| (0..n.trailing_zeros()).fold(x, |x, _| x.add(&x));
        let arctan = |n| {
            let [even, odd] = inverse_powers::<9>(n);
            even.sub(&odd)
        };
        let pi = times(arctan(5), 16).sub(&times(arctan(239), 4));
        assert_contains(pi, Constant::PI.to());
        // e^(-ln 2) = 1/2
        let half = exp_neg(&Constant::LN_2.to::<9>()).fixed();
        assert_contains(half, Interval::ONE.div_small(2));
        // squares
        let square = |x: Interval<9>| x.mul(&x);
        let two_pi = times(Constant::PI.to(), 2);
        assert_contains(square(Constant::INV_SQRT_2PI.to()).mul(&two_pi), Interval::ONE);
        assert_contains(square(Constant::SQRT_LN2_PI.to()).mul(&Constant::PI.to()), Constant::LN_2.to());
    }

    /// With more limbs: the 512 bits above, and 640 in all against the digits of others.
    #[test]
    fn series_go_on() {
        for (constant, next) in [(Constant::LN_2, 0x3e96_ca16_224a_e8c5), (Constant::PI, 0x9216_d5d9_8979_fb1b)] {
            let long = constant.to::<12>();
            assert_eq!(long.lo[3..], constant.0);
            assert!(long.width < 1 << 20);
            assert_eq!(long.lo[2], next);
        }
        assert_eq!(Constant::INV_SQRT_2PI.to::<12>().hi(), None);
    }
}
