use super::*;
use samplez_core::{Rational, Width};

/// ⌊2^(places + 64·19)·S·exp(-(x - c)²/2σ²)⌋ for S = HEIGHT·2^-32, by its first bits and words; made by mpmath 1.3.0 with 4000
/// bits.
type Case = (&'static str, &'static str, &'static str, i64, u32, u64, [u64; 19]);
const HEIGHT: u64 = 1_234_567_891;
const CASES: [Case; 7] = [
    (
        "Sigma",
        "16/5",
        "1/3",
        2,
        57,
        0x0080_8149_781e_eca3,
        [
            0x3c49_baa6_cca6_0246,
            0xaf9e_b03f_8ed8_2128,
            0xa688_d529_4d2a_5a4c,
            0x259e_154b_b49e_ec07,
            0xac9b_511b_2403_0817,
            0x83ea_bcec_13cb_cb5f,
            0xb1e1_441a_51c0_0445,
            0xe72c_5d58_87e1_b607,
            0x079c_cf61_41d5_aa35,
            0x8834_ff75_f9df_36ec,
            0x43ab_5ad4_46ae_db86,
            0x27c2_1209_d87f_e611,
            0x9993_ebe5_ee5c_e1a0,
            0x7d51_4df5_e4f5_2488,
            0xced3_f445_e523_f8c5,
            0x1948_1f50_9638_1aac,
            0x8d10_269e_97b5_a87d,
            0xb76b_3f4c_4f45_be6d,
            0x5718_c523_e473_c0ac,
        ],
    ),
    (
        "Sigma",
        "16/5",
        "1/3",
        -39,
        63,
        0x0000_0000_0000_0000,
        [
            0x0000_0000_0001_2974,
            0x03d6_b622_84e7_10fe,
            0x882b_6f37_7d3f_ccb6,
            0xb644_5197_f3ac_8c5d,
            0xf161_8402_6fbf_858c,
            0x9214_7a19_bdec_80c9,
            0x7539_5de0_c09e_f0d3,
            0xd53c_5f54_9066_f435,
            0x0a9d_5966_69c8_db4a,
            0xfa0b_d0dc_eae7_0408,
            0xf540_e25d_ff9b_3dad,
            0xb3fa_3f06_a8a1_5b59,
            0xedc8_e455_c37a_a73b,
            0x1c3a_03f4_2da8_265a,
            0x17a8_46ed_287d_cb5a,
            0xc49f_c428_d5b9_426c,
            0xbf5e_c9cf_85c3_ea50,
            0xa410_976c_784a_f0eb,
            0x6287_fc74_c864_d623,
        ],
    ),
    (
        "SigmaSq",
        "46225/7",
        "-22/7",
        -170,
        57,
        0x0011_e0af_1f4f_c63d,
        [
            0x1ee5_6932_d5c5_e6d4,
            0x6acd_38d2_0da6_5e00,
            0x2cce_6a3e_0376_f228,
            0xe93b_47c6_feaf_33a8,
            0x9982_9507_0792_b71b,
            0x92ee_1cfd_aabc_263f,
            0x2096_81d6_748d_7fcb,
            0xfead_e003_d73d_6690,
            0x093c_36f7_4f36_2779,
            0x3684_00a9_3c44_b571,
            0xdd6f_f8d6_042a_394f,
            0xaeef_70e7_0236_f5ab,
            0xf86e_d338_392e_131b,
            0x8c1f_a574_c1d3_247e,
            0x9d52_3c35_1928_efd9,
            0x1b7e_b358_3201_2a48,
            0xf9a5_1b2b_c9e5_5925,
            0xf12e_b9eb_4e5d_51fc,
            0xf732_40ff_346e_eceb,
        ],
    ),
    (
        "KSigma2",
        "254",
        "1/2",
        1,
        58,
        0x0126_57d7_7c10_5985,
        [
            0x11b4_e064_e00d_6df9,
            0x8fa6_8292_b358_09e2,
            0xaac9_8758_0c42_d1ac,
            0xbc52_bf75_dea7_ebd2,
            0xb13d_bfb9_a8a8_d7c7,
            0x5d2c_172e_f80e_fd62,
            0xba0d_4e53_de99_bab9,
            0x7f56_17d7_acdb_5695,
            0xc306_33a5_1a79_faa7,
            0x1544_2e0f_2214_5e90,
            0xd300_c34d_8b4e_efbe,
            0xe6a2_d3c3_d8ab_7eab,
            0xb6d1_69e5_50bb_9226,
            0x32aa_4d8c_fa0c_918b,
            0x92ae_c11e_29ec_19ca,
            0xe717_6258_9f15_d72e,
            0x9926_f9a2_8af2_a89b,
            0xb9df_665d_da0d_c3fa,
            0x2413_f41c_c04a_45c2,
        ],
    ),
    (
        "KSigma2",
        "10/3",
        "-5/3",
        9,
        61,
        0x0001_f277_faf3_faf6,
        [
            0xfa19_a22d_c44b_8907,
            0x803a_b5fd_f321_a4f1,
            0x3fb1_b077_f886_7444,
            0x5790_aee5_6817_36d6,
            0x73dc_b512_1470_f641,
            0x7959_8a81_b944_e6db,
            0x3dfe_d508_9410_0047,
            0x2dba_d49f_dfc7_9aae,
            0x6037_8f2b_b6ad_f0c2,
            0x0723_e77c_26e8_a85e,
            0x8430_c836_5d83_0472,
            0x712d_f4f6_a3c5_eef1,
            0xf1d4_6196_34da_3a72,
            0x5431_5a19_e844_43b3,
            0x5970_891c_f798_9287,
            0x9dc4_7b31_75e0_a781,
            0x034d_c7ed_3a4e_be56,
            0x4ca1_9a27_1dd6_83ea,
            0x1297_f7be_c28b_9d11,
        ],
    ),
    (
        "S",
        "167/20",
        "0",
        7,
        60,
        0x0081_6f42_47d9_fd17,
        [
            0x1063_8a08_7946_420f,
            0x0eb8_5d2f_4ca0_fe7e,
            0x1db8_d06c_d2e3_b4c2,
            0x68bf_77cd_f236_9445,
            0xf445_1630_c9fe_39e8,
            0x99b7_7eec_d9a6_d1f2,
            0xa504_2d48_0ed6_4ed0,
            0x078d_6383_e78b_0c2c,
            0x1806_ab35_657b_578b,
            0x6095_5c94_edce_5081,
            0x14f6_7c4c_63cc_86ac,
            0x48e6_d786_8a91_0f17,
            0xb316_0b5c_6613_0376,
            0xa911_ad31_64ae_18c8,
            0xd29c_11b7_f8e9_0c80,
            0x19bc_834d_d9fe_24b9,
            0xb6d2_154d_fef9_b363,
            0xf101_1fe5_8561_802e,
            0x5c3a_11b8_fff4_4d67,
        ],
    ),
    (
        "S",
        "1000000",
        "123456789012345/7",
        17636684180000,
        63,
        0x24a6_0a2e_9950_9b46,
        [
            0x2346_b95b_d2c9_2de2,
            0x2144_951d_a3e0_58b2,
            0x4e65_2ad8_7b43_3130,
            0x87a5_9e98_2544_71b1,
            0xe60d_89cb_5bef_7ec3,
            0x1e29_06a3_cc62_bfc7,
            0xc42c_5805_d042_fa6d,
            0x6fc6_d7dc_fea2_e87f,
            0xb8f0_0d69_dd6a_a4fe,
            0x6273_7288_15ef_b436,
            0xcb8c_5e79_20ff_dcd8,
            0x384b_1072_5602_263b,
            0x8396_8754_7615_5814,
            0x2250_f9b6_1a59_88a8,
            0x4f60_1106_42b8_9eee,
            0xdc1d_a4a0_e197_9f6e,
            0x6880_627d_1a76_6082,
            0xf4e1_f26f_eba7_093c,
            0x9eff_866e_83f2_c661,
        ],
    ),
];

fn width(form: &str, value: Rational) -> Width {
    match form {
        "Sigma" => Width::Sigma(value),
        "SigmaSq" => Width::SigmaSq(value),
        "KSigma2" => Width::KSigma2(value),
        _ => Width::S(value),
    }
}

fn law(form: &str, value: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), width(form, value.parse().unwrap())).unwrap()
}

/// These words; how many were taken, and whether the source was condemned.
struct Tape<'a> {
    words: &'a [u64],
    taken: usize,
    is_condemned: bool,
}

impl BitSource for Tape<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        assert_eq!(n, 64);
        self.taken += 1;
        self.words.get(self.taken - 1).copied().unwrap_or(0x0123_4567_89ab_cdef)
    }

    fn condemn(&mut self) {
        self.is_condemned = true;
    }
}

/// The decision, and how many words it took.
fn decided(heights: &ExactHeights, trial: &CloseTrial, words: &[u64]) -> (bool, usize) {
    let mut tape = Tape { words, taken: 0, is_condemned: false };
    let accepted = heights.accepts(trial, &mut tape);
    assert!(!tape.is_condemned);
    (accepted, tape.taken)
}

/// A close trial, without an estimate.
fn close(value: i64, height: u64, prefix: u64, places: u32) -> CloseTrial {
    CloseTrial { value, height, lift: 0, prefix, places, estimate: 0 }
}

/// A number that begins as the probability does is decided where it differs, by the word in which it does.
#[test]
fn numbers_are_decided_where_they_differ() {
    for (i, (form, value, center, x, places, prefix, words)) in CASES.into_iter().enumerate() {
        let heights = ExactHeights::new(&law(form, value, center));
        let trial = |prefix| close(x, HEIGHT, prefix, places);
        assert_eq!(decided(&heights, &trial(prefix + 1), &[]), (false, 0), "{form}");
        if prefix > 0 {
            assert_eq!(decided(&heights, &trial(prefix - 1), &[]), (true, 0), "{form}");
        }
        // From 7 on with 16,384 bits, which are slow.
        for k in [0, 1, 2, 3, 5, [18, 7, 6][i.min(2)]] {
            let mut words = words;
            words[k] += 1;
            assert_eq!(decided(&heights, &trial(prefix), &words), (false, k + 1), "{form}: word {k}");
            words[k] -= 2;
            assert_eq!(decided(&heights, &trial(prefix), &words), (true, k + 1), "{form}: word {k}");
        }
    }
}

/// At the centre the probability is S itself, which is rational: a number equal to it is not below it.
#[test]
fn at_the_center_the_probability_is_rational() {
    for form in ["Sigma", "SigmaSq", "KSigma2", "S"] {
        let heights = ExactHeights::new(&law(form, "100", "3"));
        let trial = |prefix| close(3, HEIGHT, prefix, 60);
        let s = HEIGHT << 28;
        assert_eq!(decided(&heights, &trial(s - 1), &[]), (true, 0), "{form}");
        assert_eq!(decided(&heights, &trial(s), &[0, 1]), (false, 2), "{form}");
        assert_eq!(decided(&heights, &trial(s + 1), &[]), (false, 0), "{form}");
    }
}

/// The digits of the probability go on, and so do the bits: only after 16,000 of them is the source at fault.
#[test]
#[cfg_attr(miri, ignore = "slow")]
fn a_source_that_repeats_the_probability_is_condemned() {
    struct Zeros(usize, bool);
    impl BitSource for Zeros {
        fn bits(&mut self, _: u32) -> u64 {
            self.0 += 1;
            0
        }
        fn condemn(&mut self) {
            self.1 = true;
        }
    }
    // At the centre of an integer all further bits of the probability are 0.
    let heights = ExactHeights::new(&law("S", "100", "3"));
    let mut zeros = Zeros(0, false);
    assert!(!heights.accepts(&close(3, HEIGHT, HEIGHT << 28, 60), &mut zeros));
    assert_eq!((zeros.0, zeros.1), (255, true));
}
