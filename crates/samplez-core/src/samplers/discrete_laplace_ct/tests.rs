use super::*;
use crate::fixtures::reader;
use std::string::ToString;
use std::vec::Vec;

/// Probabilities of 128 bits, as they are, and the digits that were asked for.
#[derive(Clone, Copy, Debug)]
struct Plain;

impl Plain {
    /// Of the digits, 0.4 and falling; of the others 2^-70 and 0.9.
    fn probability(coin: LaplaceCoin) -> u128 {
        match coin {
            LaplaceCoin::Digit(j) => 0x6666_6666_0123_4567_89ab_cdef_0011_2233 >> j,
            LaplaceCoin::Beyond(_) => 1 << 58,
            LaplaceCoin::NotZero => 0xe666_6666_7654_3210_fedc_ba98_3322_1100,
        }
    }
}

impl LaplaceCoins for Plain {
    fn leading(&self, coin: LaplaceCoin) -> u64 {
        (Self::probability(coin) >> 65) as u64
    }

    fn is_below<B: BitSource + ?Sized>(&self, coin: LaplaceCoin, known: u32, bits: &mut B) -> bool {
        let goal = Self::probability(coin);
        let rest = (u128::from(bits.bits(64)) << 64 | u128::from(bits.bits(64))) >> known;
        let first = if known == 0 { 0 } else { goal >> (128 - known) << (128 - known) };
        first | rest < goal
    }
}

/// Words in turn; how many were read, and whether the source is condemned.
struct Script(Vec<u64>, usize, bool);

impl BitSource for Script {
    fn bits(&mut self, n: u32) -> u64 {
        self.1 += 1;
        self.0[self.1 - 1] & (u64::MAX >> (64 - n))
    }
    fn condemn(&mut self) {
        self.2 = true;
    }
}

/// λ = 1/10: three digits, five coins.
fn noise() -> DiscreteLaplaceCt<Plain> {
    let noise = DiscreteLaplaceCt::new("1/10".parse().unwrap(), Plain).unwrap();
    assert_eq!((noise.places, noise.words()), (3, 3));
    noise
}

/// The words of these coins' own bits, the shared ones, and the sign.
fn words(own: [u32; 5], shared: u32, negative: bool) -> Vec<u64> {
    let last = u64::from(own[4]) | u64::from(shared) << 32 | u64::from(negative) << 63;
    let pair = |a: u32, b: u32| u64::from(a) | u64::from(b) << 32;
    std::vec![pair(own[0], own[1]), pair(own[2], own[3]), last]
}

/// The leading bits of coin i: its own, and the shared ones.
fn leading(noise: &DiscreteLaplaceCt<Plain>, i: usize) -> (u32, u32) {
    ((noise.leading[i] >> 31) as u32, noise.leading[i] as u32 & 0x7fff_ffff)
}

/// The sample of these words, and how many more were read.
fn sample(own: [u32; 5], shared: u32, more: &[u64]) -> (i64, usize) {
    let mut script = Script([words(own, shared, false), more.to_vec()].concat(), 0, false);
    let value = noise().sample(&mut script);
    let mut same = Script([words(own, shared, true), more.to_vec()].concat(), 0, false);
    assert_eq!(noise().sample(&mut same), -value);
    assert!(!script.2);
    (value, script.1 - 3)
}

/// All coins fail but the one that makes the sample differ from 0; or it alone does.
const FAIL: [u32; 5] = [u32::MAX, u32::MAX, u32::MAX, u32::MAX, 0];

#[test]
fn samples_are_the_coins() {
    assert_eq!(sample(FAIL, 5, &[]), (1, 0));
    assert_eq!(sample([0, 0, 0, u32::MAX, u32::MAX], 5, &[]), (0, 0));
    for digits in 0..8 {
        let own = core::array::from_fn(|i| if i < 3 && digits >> i & 1 == 1 { 0 } else { FAIL[i] });
        assert_eq!(sample(own, 5, &[]), (1 + digits, 0));
    }
}

/// Around the leading bits of each digit, with the shared bits around theirs: the comparison is that of 63 bits, and only an equal one
/// reads more.
#[test]
fn a_coin_compares_its_bits() {
    let noise = noise();
    for i in [0, 1, 2] {
        let (own, shared) = leading(&noise, i);
        let more = Plain::probability(noise.coin(i)) << 63;
        let digits = [(more >> 64) as u64, more as u64];
        for own_off in [-1, 0, 1] {
            for shared_off in [-1, 0, 1] {
                let mut all = FAIL;
                all[i] = own.wrapping_add_signed(own_off);
                let shared = shared.wrapping_add_signed(shared_off);
                let below = (own_off, shared_off) < (0, 0);
                let wanted = 1 + (i64::from(below) << i);
                if (own_off, shared_off) != (0, 0) {
                    assert_eq!(sample(all, shared, &[]), (wanted, 0), "{i} {own_off} {shared_off}");
                    continue;
                }
                // The rest of 65 bits: equal is not below, and one less is.
                let less = more - (1 << 63);
                let less = [(less >> 64) as u64, less as u64];
                assert_eq!(sample(all, shared, &digits), (1, 2), "{i}");
                assert_eq!(sample(all, shared, &less), (1 + (1 << i), 2), "{i}");
            }
        }
    }
    // Zero by the last coin.
    let (own, shared) = leading(&noise, 4);
    let all = [0, 0, u32::MAX, u32::MAX, own];
    assert_eq!((sample(all, shared - 1, &[]), sample(all, shared + 1, &[])), ((4, 0), (0, 0)));
}

/// Each has further bits of its own then, whatever the shared ones are.
#[test]
fn two_equal_coins_draw_bits_of_their_own() {
    let noise = noise();
    let ((first, _), (second, _)) = (leading(&noise, 0), leading(&noise, 2));
    let all = [first, u32::MAX, second, u32::MAX, 0];
    for shared in [0, 1 << 30, (1 << 31) - 1] {
        for (i, more) in [[0, 0, 0, 0], [!0, !0, 0, 0], [0, 0, !0, !0], [!0; 4]].iter().enumerate() {
            assert_eq!(sample(all, shared, more), ([6, 5, 2, 1][i], 4));
        }
    }
}

#[test]
fn what_lies_beyond_the_digits() {
    let own = [0, u32::MAX, u32::MAX, 0, 0];
    // The bits of this coin are all 0 here; a rest above or below its digits, and then how often in a row.
    let (hit, miss) = ([0_u64, 0], [!0_u64, !0]);
    for (rows, wanted) in [(0, 2), (1, 2 + 8), (2, 2 + 16), (5, 2 + 40)] {
        let more = if rows == 0 { miss.to_vec() } else { [vec_of(&hit, rows), miss.to_vec()].concat() };
        assert_eq!(sample(own, 0, &more), (wanted, more.len()));
    }
    let mut wide = DiscreteLaplaceCt::new("1125899906842624".parse().unwrap(), Plain).unwrap();
    wide.leading = [0; COINS];
    wide.leading[57] = 1 << 62;
    let mut script = Script([std::vec![0; wide.words()], std::vec![0; 2 * 58 + 2 * 64]].concat(), 0, false);
    assert!(wide.sample(&mut script) > 1 << 62 && script.2, "condemned");
}

fn vec_of(words: &[u64; 2], count: usize) -> Vec<u64> {
    (0..count).flat_map(|_| *words).collect()
}

#[test]
fn fills_are_the_samples_and_narrow_types_are_refused() {
    let noise = noise();
    let (mut one, mut other) = (reader(1), reader(1));
    let mut out = [0_i8; 1000];
    noise.fill(&mut one, &mut out).unwrap();
    assert!(out.iter().all(|x| i64::from(*x) == noise.sample(&mut other)));
    assert_eq!(one.bits(64), other.bits(64));
    assert!(out.contains(&-8) && out.contains(&0) && out.contains(&5));
    let wide = DiscreteLaplaceCt::new("1000".parse().unwrap(), Plain).unwrap();
    assert!(wide.fill(&mut one, &mut out).is_err());
    let profile = wide.profile();
    assert_eq!((profile.support, profile.expected_bits, profile.table_bytes), (-90_001..=90_001, 640.0, 144));
}

#[test]
fn scales_are_refused_by_name() {
    for scale in ["0", "-1/2", "1125899906842625", "1/65537", "9223372036854775807"] {
        let scale = scale.parse().unwrap();
        let error = DiscreteLaplaceCt::new(scale, Plain).unwrap_err().to_string();
        assert_eq!(error, std::format!("scale = {scale:#}: method discrete-laplace allows 2^-16 <= scale <= 2^50"));
    }
    for (scale, places) in [("1/65536", 0), ("1/45", 0), ("1/44", 1), ("1", 6), ("10", 9), ("1125899906842624", 56)] {
        assert_eq!(DiscreteLaplaceCt::new(scale.parse().unwrap(), Plain).unwrap().places, places, "{scale}");
    }
}
