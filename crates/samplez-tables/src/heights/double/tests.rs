use crate::ExactHeights;
use alloc::vec::Vec;
use samplez_core::bits::BitSource;
use samplez_core::samplers::{CloseTrial, Refine};
use samplez_core::{DiscreteGaussian, Rational, Width};

/// σ, c and x; places, L·2^55 and ⌊2^places·p⌋ for p = 2^-L·S·exp(-(x - c)²/2σ²), S = HEIGHT·2^-32; and the 19 words that follow. Made by mpmath
/// 1.3.0 with 4000 bits.
type Case = ((&'static str, f64, i64), (u32, u64, u64), &'static str);
const HEIGHT: u64 = 1234567891;
const CASES: [Case; 14] = [
    (
        ("16/5", 1e-300, -2),
        (57, 0, 0x790f734cc9f412),
        "562c879cc255e8ef3ac2545e2731f5b442e1c3050dfbd812e5b40caf2e0d570647311db12250\
         2ccd80b953ecece20070ae84fcc216fda974a07b8826dc3783b473eb71dc048b00430e26ff52\
         d8d5d0c0d2d6102a27282f290edd258597ba80319d235026737fd25bff89bc05d741da4431d0\
         c47ec4c412fa266a50f4962c808527ea9b79246f4cbba6bc4a953eb65273bd62ea524a18f7a0",
    ),
    (
        ("16/5", -1e-300, 3),
        (63, 1, 0x17b5803e7eed6d62),
        "9f1a6730245915ad679a6a4435eb28488d2021dd5f58207681c5fbad338b460c2de7a4122dcd\
         a4957d47b8b7d3232047d043823b824886c61e1eb0c2c062319eb33856a993f34bd8afc4994d\
         f35625ab1a5c7739038a14f7814fb63a546073c8835729eb69ec3fe6f877ffae2b0df0a1741c\
         c62abb59dafa4c96c86d4d3da7c2c72bea9c235c19e579ffaa3167d9f9a727c7257f83534353",
    ),
    (
        ("16/5", 1e-300, 3),
        (63, 0, 0x17b5803e7eed6d83),
        "7d37d4577732c0aeb37b70ab6d5cdee7d37c05bc594b3cef02dde8b022e384717e3909c180e0\
         f37d63804095f7b21544dc0662e22edfefc25351e557b8d4a3f9f946a66ede8361ff5f943da0\
         fa7bd81cebbdffb10f6679c29eed1477344ffa5ffac5e8ccf7a1f9381aef4e50fda82a2d598d\
         a09252de3c6a9a7a3febb368413453d73bb36f3d7fc96100f44c934c583ab149d5b1caad2312",
    ),
    (
        ("1.8205", 1.2345678901234567e-10, 1),
        (63, 19000000000000000, 0x15f3fc6ddeb07622),
        "cf7cdd038cd291ecd86b6eefa0547b033115aab45057a165b810d63c531bbcc488c9befede2b\
         78ecfa59b780f83515a75666a915a0b9de7e290fe13718c79485298f4048599d08a7ee9443ac\
         b8dde09b11c9e7eda29fda8c12d2396d2f6732bf28f9a2f26732df8187d71785612f7171d8a6\
         bb26df6473a662d3ab2939573fec2bd18bcd701fffa475b0300f1ba57be8a6b49484226083b3",
    ),
    (
        ("215", 5e-324, -500),
        (63, 36028797018963968, 0x13b30718b4d8032),
        "5a1db2de10411c748e53d24b10ab11e3bfafac76ad6ee42ce312ec3dd03d3b0ae701e51d0c73\
         bd59f811bca3dce26e7afa4b120b5a770a71df25c6acdfeadfbf6bf864e17a0489340fcb7ef5\
         4fc8c54aad3d9e67d7033d8684ab69938aaa4d94f27acf37bf210d088f17b4f8584ff943ce2b\
         1c99720fab88ee8575bc87027e3357824ac3463d64fc0eb76e62cf74f47e8ed8a7fd8a626415",
    ),
    (
        ("215", -5e-324, 500),
        (63, 36028797018963968, 0x13b30718b4d8032),
        "5a1db2de10411c748e53d24b10ab11e3bfafac76ad6ee42ce312ec3dd03d3b0ae701e51d0c73\
         bd59f811bca3dce26e7afa4b120b5a770a71df25c6acdfeadfbf6bf864e17a0489340fcb7ef5\
         4fc8c54aad3d9e67d7033d8684ab69938aaa4d94f27acf37bf210d088f17b4f8584ff943ce2b\
         1c99720fab88ee8575bc87027e3357824ac3463d64fc0eb76e62cf74f47e8ed8a7fd8a626415",
    ),
    (
        ("3", 0.1 + 0.2, -3),
        (60, 12345678901234567, 0x1fb0243a5d888e7),
        "dfa4803bb49c66b0306d4257411b4258373c531d467a1445e5e806d8bd1f95177652e9e5df10\
         4e0c7fcdf34d10c3b582c1d90bb3b35bc105b8f5b793eaa075ef09f9b1ceca289294f6d4e30e\
         c039ee397f92600e883ad7ee44817e72f38dc99082fed8eed82a03d0a57d8aab6993b243399f\
         1082e8113e6f35a65e509c30cbb0987959a7d7edfb2a007c1121fa19d0350fbf5da0cf462e74",
    ),
    (
        ("1000", 2251799813685248.5, 2251799813686247),
        (63, 36028797018963967, 0xb2cbe145d8b4e91),
        "b9fc2b3f55899a02287e04090103a8ca8bf697ba1aa08322d87bf4037abc32bb3b03bb5c4a04\
         442980e268c344eb49263b768da0e5d0d86ca3d809cff76a434f1c4a414fad8f8a66a9532b9a\
         0de541ec53be4f7a56f9f9f9980661caf7f67d3ce377ce35b2aa0be262bc6b2261fcb21d3013\
         c5bf06f5704f71de73f251294acad70fdcbbc4b29511e49d93fcb9c897749142b1b88da81486",
    ),
    (
        ("1000", 2305843009213693952.0, 2305843009213694951),
        (63, 36028797018963, 0x1652aa834341e2fb),
        "9f592fa72ee5c9636743bf1ada03aebf8ea34bebbefa68fe56b810e1769346a2bcbfc7f806ff\
         7b23757bc1dcc5bb6ec274322feecc5748e5cb528504879e7116241eb268b77ec3a84c796ce7\
         9cdd8c2e5062f104358cc2f5b04ecea65e0ee8c49df5c14d69a2af5d3798333b51b8f42ca728\
         3e94de7657f4fb18d65eeddf20d04b3d1e8df5e47b118ad85cec0e9fa16bdf9b87eda1c082bb",
    ),
    (
        ("67108864", -123456789.12345679, -323456789),
        (63, 3, 0x6f01c6a45a255f),
        "841c6e1d17b04955cb37060c1df77136b50f3885c1a87a2cece138af2152d4fff12e11c982d7\
         04e0d318d802a9cc456633080e2cdb4855852d831cbd5ae0e51ee22ec7e760fcd2385740542c\
         15a4ba6e6ecc514b3e8f057ecf5bbec9337022d2be3dad2bd96d71e19baf4fd87e5eb3955a6e\
         1859ef4af5e1b9344df4bafb289a0be503161f50c7838f4ea206d429c7a24fa4c114d56aac53",
    ),
    (
        ("1.5", -2305843009213694464.0, -2305843009213694469),
        (63, 18014398509481984, 0x19bf7ab7dc00a3),
        "ac23dc8472dca7acbe4c6d4d93b2a5b29329aa00abd25679bb6c8bc400a812b3e02df436e337\
         71966d308c2e75dcfcd109574ab1f61d642ec8c93ab56431ed1de88d5dda7f736960609ddab3\
         ae0b65eb24d62d82e78a49d09d0818a673ff035779fceb3484ad6f8cfd9c660681309fd73a0e\
         f8349dd9f48a2bdd1e189fcde22dd246aa8c481c8c99800a337e4f8cc099168eb7391488aa73",
    ),
    (
        ("2", 0.75, -40),
        (130, 9007199254740992, 0x0),
        "000000000000000000000000000000000000000000167b646cad15f7cd1db9daab26094897fe\
         35e5d9042c3eadd6b689dcc6db670eabad1c8d3fcd6d107bdadf3f9d5823185072a7cc4126da\
         6ea9ccc29f79cf77e6d1df12b3141d4882cbc085be0ead55383a7f66d72c3736e3e3ff6f6138\
         91867267f0934dcb669412821ed9118f350cca2ea66f8d3d9dd9ea001145791b97c420547285",
    ),
    (
        ("100", -7.25, 1200),
        (64, 5, 0x0),
        "0000000000218da09588af3672f9fd016f7ea6784dd961aaedea7c476de2760b2fbf68c61d31\
         7d41b7fff4603f3985a4dc22933ab99772a6cf698681dcb0efd15031e9dc1f9c46327821cb95\
         86d97fb31770e19a67e640dfa847e934ebe01da6fd7ecdc9b47f8d770bcf2e42e7fe7f6724d1\
         3bc94bc6e7cc11c9e6be0b27010936e1eaf7950d99a2ca64c4d35f0d25cf4fc7c95bd9d465cf",
    ),
    (
        ("3", 2.5, -33),
        (99, 77, 0x0),
        "1249383906d4e597416b50422b682da0781498599c517823ff1646468ca53020220856a9599f\
         449b4a281b567c713dfba29e053e8bcdfd10c2bcd7298df4143dac9422df53c7b9fd87fb597c\
         a9d6896dd548ba9dc00cda0f48f3c96ed8407d9cd73b85334ca204b043a5329a23dd3ff0531f\
         d19c29986e36d40768e119df1d3defc3c9e6b0f035bc08642b3b5eb52b8f71bdd5f8e9f811a2",
    ),
];

/// These words; how many were taken.
struct Tape<'a>(&'a [u64], usize);

impl BitSource for Tape<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        assert_eq!(n, 64);
        self.1 += 1;
        self.0.get(self.1 - 1).copied().unwrap_or(0x0123_4567_89ab_cdef)
    }

    fn condemn(&mut self) {
        panic!("condemned");
    }
}

fn decided(heights: &ExactHeights, trial: &CloseTrial, words: &[u64]) -> (bool, usize) {
    let mut tape = Tape(words, 0);
    (heights.accepts(trial, &mut tape), tape.1)
}

fn heights(sigma: &str, center: f64) -> ExactHeights {
    ExactHeights::with_f64_center(sigma.parse().unwrap(), center).unwrap()
}

/// A number that begins as the probability does is decided where it differs, by the word in which it does. For c = ±10^-300 the last of these
/// words depend on c's sign.
#[test]
fn numbers_are_decided_where_they_differ() {
    for (i, ((sigma, center, value), (places, lift, prefix), digits)) in CASES.into_iter().enumerate() {
        let heights = heights(sigma, center);
        let trial = |prefix| CloseTrial { value, height: HEIGHT, lift, prefix, places, estimate: 0 };
        let words: Vec<u64> = (0..19).map(|i| u64::from_str_radix(&digits[16 * i..16 * i + 16], 16).unwrap()).collect();
        if places <= 63 {
            assert_eq!(decided(&heights, &trial(prefix + 1), &[]), (false, 0), "{sigma}, {center}");
        }
        if prefix > 0 {
            assert_eq!(decided(&heights, &trial(prefix - 1), &[]), (true, 0), "{sigma}, {center}");
        }
        // From 7 on with 16,384 bits, which are slow.
        for k in [0, 2, 3, 5, if i == 0 { 18 } else { 6 }] {
            // Leading zeros are not below.
            let mut below = words.clone();
            below[k] = below[k].wrapping_add(1);
            if below[k] > 0 {
                assert_eq!(decided(&heights, &trial(prefix), &below), (false, k + 1), "{sigma}, {center}: word {k}");
            }
            if words[k] > 0 {
                below[k] = words[k] - 1;
                assert_eq!(decided(&heights, &trial(prefix), &below), (true, k + 1), "{sigma}, {center}: word {k}");
            }
        }
    }
}

/// A double and the same rational give the same decisions.
#[test]
fn doubles_are_their_rationals() {
    let mut taken = 0;
    for center in [
        0.0,
        -0.0,
        3.0,
        -3.0,
        0.5,
        -0.1,
        1e-3,
        123_456.789,
        -91.904_711_530_637_14,
        2f64.powi(61),
        -(2f64.powi(40)) - 0.25,
    ] {
        for sigma in ["1", "16/5", "2000000/7"] {
            let sigma: Rational = sigma.parse().unwrap();
            let law = DiscreteGaussian::new(Rational::try_from(center).unwrap(), Width::Sigma(sigma)).unwrap();
            let (double, rational) = (ExactHeights::with_f64_center(sigma, center).unwrap(), ExactHeights::new(&law));
            for steps in [-3_i64, -1, 0, 1, 2, 5] {
                let value = center.floor() as i64 + steps * (sigma.to_f64() as i64);
                let trial = |prefix| CloseTrial { value, height: HEIGHT, lift: 0, prefix, places: 63, estimate: 0 };
                // The goal by bisection.
                let mut prefix = 0;
                for bit in (0..62).rev() {
                    prefix |= u64::from(decided(&rational, &trial(prefix | 1 << bit), &[]).0) << bit;
                }
                for prefix in [prefix.saturating_sub(1), prefix, prefix + 1] {
                    for words in [[0, 0], [u64::MAX, 7], [1 << 63, 1 << 62]] {
                        let outcome = decided(&double, &trial(prefix), &words);
                        assert_eq!(outcome, decided(&rational, &trial(prefix), &words), "{sigma}, {center}, {value}");
                        taken += outcome.1;
                    }
                }
            }
        }
    }
    assert!(taken > 300, "{taken}");
}

#[test]
fn centers_are_refused() {
    let sigma = Rational::from(3);
    for center in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2f64.powi(62), -(2f64.powi(62)), 1e300] {
        assert!(ExactHeights::with_f64_center(sigma, center).is_none(), "{center}");
    }
    assert!(ExactHeights::with_f64_center(sigma, 2f64.powi(62).next_down()).is_some());
    assert!(ExactHeights::with_f64_center(Rational::from(-3), 1.0).is_none());
}
