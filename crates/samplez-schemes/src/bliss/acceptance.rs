//! The acceptance of an attempt in constant time: one comparison of 256 bits with a probability in fixed point.
//!
//! The probability is 1/(M·exp(-‖v‖²/2σ²)·cosh(⟨z,v⟩/σ²)). With M = exp(e/2σ²), 2σ² = k²/ln 2, A = e - ‖v‖² and B = 2|⟨z,v⟩|
//! it is
//!
//! ```text
//! p = 2^-((A + B)/k²) / d,    d = (1 + 2^-(2B/k²))/2
//! ```
//!
//! and U/2^256 < p if and only if U·d < 2^256·2^-((A + B)/k²), which takes no division.
//!
//! 2^-(x/k²) is a shift by s = ⌊x/k²⌋ and a product for the rest r < 2^17. The product has the factors 2^-(2^i/k²) over
//! the bits i of r. These are the probabilities that \[DDLL13\], Algorithm 8, tosses as coins one after the other. Here
//! all of them are multiplied, by 1 where the bit is 0.
//!
//! # Error
//!
//! Let P be the share of the 2^256 values of U that accept. Then |P - p| <= 2^-120·p + 2^-254:
//! - a factor is at least ½ and rounded to the nearest 2^-127: 2^-127 of itself. A product is rounded down to 2^-127 and at least ½:
//!   2^-126 of itself. 17 of each: less than 51.1·2^-127 of 2^-(r/k²).
//! - d >= ½ has at most half of that relative error, and is rounded down to 2^-127: 27.6·2^-127 of itself. Together less
//!   than 79·2^-127 < 2^-120.
//! - the right side is cut to 2^-128 of U's unit times d's, and U is whole: 2^-254 at most.
//!
//! # The resulting bounds
//!
//! p < 2^-130 needs |⟨z,v⟩| > 88σ². ‖v‖² <= 2σ² ln M <= 4σ², so that this has probability below 2^-1270, with this
//! acceptance and with the exact one. Except for that event, the chance of each signature is within a factor of 1 ±
//! 2^-118.9 of its chance under the exact acceptance. (This is twice the error, because the sum of the chances has it
//! too.) The statistical distance is below 2^-118. The distances of a test here allow 2^228 signatures in a search
//! problem at 128 bits; a key is to give 2^48.

use super::set::Set;
use super::variant::Variant;

/// 1 in units of 2^-127.
const ONE: u128 = 1 << 127;
const LOW: u128 = u64::MAX as u128;

/// The acceptance of a set and variant.
#[doc(hidden)] // for tests: exported with the feature `testing` alone
#[derive(Clone, Copy, Debug)]
pub struct Acceptance {
    /// e = 2σ² ln M.
    exponent: u32,
    /// k².
    square: u32,
    /// ⌈2^49/k²⌉: ⌊x·this/2^49⌋ is ⌊x/k²⌋ for every x < 2^32, as k² < 2^17.
    reciprocal: u64,
    /// 2^-(2^i/k²) for each bit i of numbers below k², to the nearest 2^-127.
    factors: &'static [u128],
}

impl Acceptance {
    pub(super) const fn new(set: Set, variant: Variant) -> Self {
        let parameters = set.parameters();
        let exponent = match variant {
            Variant::Classic => parameters.classic_exponent,
            Variant::B => parameters.b_exponent,
        };
        let factors: &[u128] = match set {
            Set::Toy => &K118,
            Set::I => &K254,
            Set::II => &K126,
            Set::III => &K295,
            Set::IV => &K320,
        };
        let square = parameters.k * parameters.k;
        Acceptance { exponent: exponent as u32, square, reciprocal: (1_u64 << 49).div_ceil(square as u64), factors }
    }

    /// 1 if ‖v‖², ⟨z,v⟩ and 256 uniform bits accept, else 0. For ‖v‖² <= e and |⟨z,v⟩| < 2^29.
    #[inline]
    pub fn decide(&self, square: i64, along: i64, uniform: [u128; 2]) -> u32 {
        let [left, right] = self.sides(square, along, uniform);
        less(left, right)
    }

    /// Returns the two sides of the comparison, the higher half first.
    #[inline]
    pub fn sides(&self, square: i64, along: i64, uniform: [u128; 2]) -> [[u128; 2]; 2] {
        let sign = along >> 63;
        let b = 2 * ((along ^ sign) - sign) as u32;
        let a = self.exponent.wrapping_sub(square as u32);
        let (right, s) = self.power(a.wrapping_add(b));
        let (second, s2) = self.power(2 * b);
        let d = (ONE >> 1) + shift_right([second, 0], s2 + 1)[0];
        // ⌊U·d/2^128⌋
        let ((top, middle), (rest, _)) = (wide(uniform[0], d), wide(uniform[1], d));
        let (middle, carry) = middle.overflowing_add(rest);
        [[top + u128::from(carry), middle], shift_right([right, 0], s)]
    }

    /// (m, s) with 2^-(x/k²) = m·2^-(127 + s).
    #[inline]
    fn power(&self, x: u32) -> (u128, u32) {
        let s = ((u128::from(x) * u128::from(self.reciprocal)) >> 49) as u32;
        let rest = x - s * self.square;
        let mut m = ONE;
        for (i, factor) in self.factors.iter().enumerate() {
            let is_set = u128::from(rest >> i & 1).wrapping_neg();
            let (high, low) = wide(m, ONE ^ (is_set & (ONE ^ factor)));
            m = high << 1 | low >> 127;
        }
        (m, s)
    }
}

/// ab, the higher half first.
#[inline]
const fn wide(a: u128, b: u128) -> (u128, u128) {
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    let one = a1 * b0 + (low >> 64);
    let other = a0 * b1 + (one & LOW);
    (a1 * b1 + (one >> 64) + (other >> 64), other << 64 | low & LOW)
}

/// ⌊x/2^s⌋ for every s: a step for each of its lower eight bits, each step taken or not by masks.
#[inline]
fn shift_right([mut high, mut low]: [u128; 2], s: u32) -> [u128; 2] {
    for i in 0..7 {
        let (taken, by) = (u128::from(s >> i & 1).wrapping_neg(), 1 << i);
        let (shifted_high, shifted_low) = (high >> by, low >> by | high << (128 - by));
        high ^= taken & (high ^ shifted_high);
        low ^= taken & (low ^ shifted_low);
    }
    let taken = u128::from(s >> 7 & 1).wrapping_neg();
    low ^= taken & (low ^ high);
    high &= !taken;
    // s >= 2^8
    let stays = u128::from((s >> 8).wrapping_sub(1) >> 31).wrapping_neg();
    [high & stays, low & stays]
}

/// 1 if left < right, else 0.
#[inline]
fn less(left: [u128; 2], right: [u128; 2]) -> u32 {
    let (_, borrow) = left[1].overflowing_sub(right[1]);
    let (rest, first) = left[0].overflowing_sub(right[0]);
    let (_, second) = rest.overflowing_sub(u128::from(borrow));
    u32::from(first | second)
}

/// For k = 118.
const K118: [u128; 14] = [
    0x7ffe5e6b_4fbe9756_7f902d97_56e3a675,
    0x7ffcbcdb_f1c8a7cf_b706cd3f_0a3e122b,
    0x7ff979cd_2c79c341_815960f2_f90de70e,
    0x7ff2f3ef_7a69da28_622a0c8f_ffbe30ff,
    0x7fe5e933_6951f1fe_8c2cc2d9_d5e8e934,
    0x7fcbd7b8_19d0b57f_99ee9577_ce9d42e2,
    0x7f97c4b0_fab989ac_45290488_9a407666,
    0x7f2fde42_7156af7e_4aa88e0b_0b467b43,
    0x7e610ef2_93a1db89_7363a36b_a326ace6,
    0x7cc75f06_3c0d4589_a5d1cea5_2830f22a,
    0x79a37ea5_d247b170_59e9625a_d301afab,
    0x7397ec46_8d3266de_f3c04965_f3379ee9,
    0x6863b0df_f0500350_3a3c62bb_e868e9e4,
    0x55224d10_75531dcc_a1d09ffc_0d03f6fb,
];
/// For k = 254.
const K254: [u128; 16] = [
    0x7fffa5df_fbaf0f19_c9fb2c9d_b1fc0d40,
    0x7fff4bc0_36d32c47_8f57ca8a_7828c537,
    0x7ffe9781_6b79de26_7675941f_1b1190e7,
    0x7ffd2f06_ce3c3cec_7fbc2d05_93f43c38,
    0x7ffa5e1d_796dced7_030fc1a5_ac36b836,
    0x7ff4bc7a_654b8c85_62b6b8ff_ceacdb46,
    0x7fe979f2_892c1977_c1600653_9f7f69e5,
    0x7fd2f7db_b35d3dfc_fd9dba47_99573ee3,
    0x7fa5ff8f_20c4f24a_0708b8fd_a8d8cbd4,
    0x7f4c3e66_e0443327_829f6b2f_926f838a,
    0x7e99793e_5d9da270_2d4e1ae5_04965ff1,
    0x7d36deb7_143e2c06_29a7582b_06330694,
    0x7a7d4283_01869684_bc3ccb76_a2df1f08,
    0x7537415d_c5572972_eccd2c45_724cf307,
    0x6b571b59_baba6fcc_30aa0fb1_a24b3d7a,
    0x5a03dd01_3801a206_bdc2fa5c_746c4289,
];
/// For k = 126.
const K126: [u128; 14] = [
    0x7ffe91c2_c5ca6288_4d81e50d_3a7b730c,
    0x7ffd2389_a37b073c_cd1b121b_61df19b1,
    0x7ffa4723_a6603e1d_4f7911f2_89f33e86,
    0x7ff48e88_c8f279b5_65ff1636_7b8617c8,
    0x7fe91e17_76f755fa_36bfb00b_0c8de422,
    0x7fd24046_2492ef22_a755c73b_bce8a955,
    0x7fa490e6_3701dfac_680ecd3b_d7e09fb6,
    0x7f49631c_c71c4679_45eb5f27_1bad1cb7,
    0x7e93cac0_74adc291_182f2fe0_e2f4c092,
    0x7d2ba1cf_d8eaa7cb_6e9df6ca_47d3f064,
    0x7a6746e9_77de3c91_6566f4e0_fd08f149,
    0x750d3281_53859210_8adfb735_50a5fede,
    0x6b0a21b0_c2e2b212_d3144b05_057b3f92,
    0x5982f120_d24f8db9_47cb0e79_e67b0f11,
];
/// For k = 295.
const K295: [u128; 17] = [
    0x7fffbd2f_88400761_9e2d535f_e68d4866,
    0x7fff7a5f_33605dc6_d4ae108f_5546dc1c,
    0x7ffef4be_f241aeca_3cae1a3d_4ab00ea1,
    0x7ffde980_1284e3fa_6aecbd66_d5e46302,
    0x7ffbd308_dcfdad4b_008e03e6_be972a64,
    0x7ff7a634_99394ff5_ebd2e65b_3ec7f26f,
    0x7fef4cf4_aadd96e6_7672935a_0a5083d4,
    0x7fde9c17_13022984_4bc4c400_84da1d66,
    0x7fbd40e3_f81a7c60_a60d5010_61fd6c8c,
    0x7f7aa496_2272cb25_72253e7c_bdaf3640,
    0x7ef5d41c_7e2ede50_7cc4f620_9f5b4c9f,
    0x7dedd1b7_74fdb96c_73119de9_35b25c08,
    0x7be43776_4376eab7_f84ab68b_6c6af6c8,
    0x77ea317c_f700f1fc_7919e9c3_4d39deaa,
    0x70572081_5f4f0483_5c06c134_7bb31350,
    0x6298b430_9ee909b9_e81b2d8d_e8f1908d,
    0x4bf28a17_647711c3_245bfed0_60cdbab4,
];
/// For k = 320.
const K320: [u128; 17] = [
    0x7fffc737_b30146ab_cb150923_03700923,
    0x7fff8e6f_7f330a27_42a75eb5_8e838be0,
    0x7fff1cdf_6327dada_b625c748_96f7608e,
    0x7ffe39c0_59556a53_3c4eaab0_68da69aa,
    0x7ffc7386_feb67a97_774d8f31_c6f24af8,
    0x7ff8e727_2d4229d6_7259bbb9_f819ec03,
    0x7ff1ceb3_170e1ec0_1d395744_047042aa,
    0x7fe39ef9_09ec42f8_f80b4915_ae1ca97c,
    0x7fc7443c_d070bbeb_78964f91_42bb301e,
    0x7f8ea19e_ff188dcc_183e5c2b_a16b1fc3,
    0x7f1da7a6_e70d7715_22a8dfca_c9267ff4,
    0x7e3cdf8e_05b5c6ef_f5157119_45330831,
    0x7c7ff512_b6d4b38c_f836aed2_d88b42b2,
    0x79186abe_68989098_1cf6e51f_33426d98,
    0x72902e78_5e2c2311_59af7a23_0cbda646,
    0x6689752f_077176a6_60097819_279f9130,
    0x5223a660_37d0cede_09dec2fb_21bf830e,
];

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// k, A, |⟨z,v⟩| and ⌊2^256·p⌋.
    fn vectors() -> Vec<(u32, i64, i64, [u128; 2])> {
        let half = |text: &str| u128::from_str_radix(text, 16).unwrap();
        let row = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            let (high, low) = fields[3].split_at(32);
            (
                fields[0].parse().unwrap(),
                fields[1].parse().unwrap(),
                fields[2].parse().unwrap(),
                [half(high), half(low)],
            )
        };
        include_str!("../../../../kat/bliss-acceptance.csv").lines().skip(1).map(row).collect()
    }

    fn subtract(a: [u128; 2], b: [u128; 2]) -> [u128; 2] {
        let (low, borrow) = a[1].overflowing_sub(b[1]);
        [a[0].wrapping_sub(b[0]).wrapping_sub(u128::from(borrow)), low]
    }

    /// How many U accept, less one if all do: their number is found bit by bit, as U accepts if it is below it.
    fn accepting(decide: impl Fn([u128; 2]) -> u32) -> [u128; 2] {
        let mut count = [0_u128; 2];
        for bit in (0..256).rev() {
            let mut next = count;
            next[1 - bit / 128] |= 1 << (bit % 128);
            // There are `next` at least if the one before it accepts.
            if decide(subtract(next, [0, 1])) == 1 {
                count = next;
            }
        }
        count
    }

    /// The first vector that is not within 2^-120·p + 2^-254, by this rule over this acceptance.
    fn check(
        change: impl Fn(Acceptance) -> Acceptance,
        rule: impl Fn(&Acceptance, i64, i64, [u128; 2]) -> u32,
    ) -> Result<usize, (u32, i64, i64)> {
        let mut count = 0;
        for (k, a, along, p) in vectors() {
            let set = Set::ALL.into_iter().find(|set| set.parameters().k == k).unwrap();
            for (variant, sign) in [(Variant::Classic, 1), (Variant::B, -1)] {
                let acceptance = change(Acceptance::new(set, variant));
                let square = i64::from(acceptance.exponent) - a;
                let found = accepting(|uniform| rule(&acceptance, square, sign * along, uniform));
                let is_less = less(found, p) == 1;
                let distance = if is_less { subtract(p, found) } else { subtract(found, p) };
                if less([p[0] >> 120, (p[0] << 8 | p[1] >> 120).saturating_add(4)], distance) == 1 {
                    return Err((k, a, along));
                }
                count += 1;
            }
        }
        Ok(count)
    }

    #[test]
    fn probabilities_are_right_to_120_bits() {
        assert!(check(|a| a, Acceptance::decide).unwrap() > 1000);
    }

    #[test]
    fn planted_errors_are_found() {
        let found = |what: &str, result: Result<usize, _>| assert!(result.is_err(), "{what}");
        for i in 0..14 {
            for change in [1_i128 << 9, -(1 << 9)] {
                let wrong = |acceptance: Acceptance| {
                    let mut factors = acceptance.factors.to_vec();
                    factors[i] = factors[i].wrapping_add_signed(change);
                    Acceptance { factors: factors.leak(), ..acceptance }
                };
                found("a factor's 118th bit", check(wrong, Acceptance::decide));
            }
        }
        let same = |a| a;
        found("one more", check(same, |a, square, along, u| a.decide(square + 1, along, u)));
        found("one less", check(same, |a, square, along, u| a.decide(square - 1, along, u)));
        found("half of the cosine", check(same, |a, square, along, u| a.decide(square, along / 2, u)));
        found("no cosine", check(same, |a, square, _, u| a.decide(square, 0, u)));
        found(
            "half an exponential for 1/cosh",
            check(same, |a, square, along, u| a.decide(square - 2 * along.abs(), 0, u)),
        );
        found("128 bits", check(same, |a, square, along, u| a.decide(square, along, [u[0], 0])));
        found("a sign", check(same, |a, square, along, u| a.decide(square, along.max(0), u)));
        let late = |a: &Acceptance, square, along, u| {
            let [left, right] = a.sides(square, along, u);
            u32::from(left[0] < right[0])
        };
        found("the higher half alone", check(same, late));
    }

    #[test]
    fn shifts_are_quotients() {
        let x = [0x0123_4567_89ab_cdef_u128 << 60 | 7, u128::MAX / 3];
        for s in (0..300).chain([1 << 16, 0xffff_ff00, u32::MAX]) {
            let bit = |i: u32| if i < 128 { x[1] >> i & 1 } else { x[0] >> (i - 128) & 1 };
            let mut want = [0_u128; 2];
            for i in s.min(256)..256 {
                let to = i - s;
                want[1 - (to / 128) as usize] |= bit(i) << (to % 128);
            }
            assert_eq!(shift_right(x, s), want, "{s}");
        }
    }

    #[test]
    fn quotients_by_the_square_are_whole() {
        for set in Set::ALL {
            let acceptance = Acceptance::new(set, Variant::B);
            let square = acceptance.square;
            for n in (0..5000).chain(((1 << 31) / square - 5..=(1 << 31) / square).chain([u32::MAX / square])) {
                for x in [(n * square).saturating_sub(1), n * square, n * square + 1] {
                    assert_eq!(acceptance.power(x).1, x / square, "{set} {x}");
                }
            }
        }
    }

    /// The exponents that the head allows for: ‖v‖² <= 4σ², |⟨z,v⟩| < 2^29.
    #[test]
    fn the_exponents_keep_to_the_heads_bounds() {
        for set in Set::ALL {
            for variant in [Variant::Classic, Variant::B] {
                let acceptance = Acceptance::new(set, variant);
                let sigma_squared = f64::from(acceptance.square) / (2.0 * core::f64::consts::LN_2);
                assert!(f64::from(acceptance.exponent) <= 4.0 * sigma_squared);
                let longest =
                    f64::from(acceptance.exponent).sqrt() * 2_f64.powi(15) * (2.0 * set.parameters().n() as f64).sqrt();
                assert!(longest < 2_f64.powi(29), "{set}: {longest}");
            }
        }
    }
}
