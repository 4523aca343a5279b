use super::*;
use crate::bits::{BitReader, Counted};
use crate::fixtures::reader;
use crate::noise::Noise;
use samplez_sources::{ChaCha20, Seed};
use std::collections::BTreeMap;
use std::string::ToString;
use std::vec::Vec;

/// The lowest bits of a number, then nothing: a draw beyond them panics.
struct Tape {
    word: u64,
    left: u32,
}

impl BitSource for Tape {
    fn bits(&mut self, n: u32) -> u64 {
        self.left = self.left.checked_sub(n).expect("a draw beyond the tape");
        let drawn = self.word & (u64::MAX >> (64 - n));
        self.word = self.word >> (n - 1) >> 1;
        drawn
    }
}

/// Draws in the order of a list, each of any width.
struct Draws<'a>(&'a [u64]);

impl BitSource for Draws<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        let (first, rest) = self.0.split_first().expect("a draw beyond the list");
        assert!(n == 64 || first >> n == 0, "a draw of {n} bits");
        self.0 = rest;
        *first
    }
}

/// ChaCha20 under the zero key, the keystream of RFC 8439, A.1.
fn rfc8439() -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])))
}

/// How many of all bit strings of the sampler's length give each value. All bits are read.
fn counts(sampler: &impl Sampler, width: u32) -> BTreeMap<i64, u64> {
    let mut counts = BTreeMap::new();
    for word in 0..1 << width {
        let mut tape = Tape { word, left: width };
        *counts.entry(sampler.sample(&mut tape)).or_default() += 1;
        assert_eq!(tape.left, 0);
    }
    counts
}

/// The law's fractions are the counts, for each value and from each value on.
fn assert_fractions(law: NoiseLaw, counts: &BTreeMap<i64, u64>) {
    let all: u128 = counts.values().map(|count| u128::from(*count)).sum();
    let (least, most) = (*counts.first_key_value().unwrap().0, *counts.last_key_value().unwrap().0);
    assert_eq!(law.bound(), Ok(Some(most)));
    let mut above = all;
    for x in least - 2..=most + 2 {
        let count = u128::from(counts.get(&x).copied().unwrap_or(0));
        assert_eq!(law.fraction(x..=x), Some((count, all)), "{law} at {x}");
        assert_eq!(law.fraction(x..=i64::MAX), Some((above, all)), "{law} from {x} on");
        assert_eq!(law.mass(i64::MIN..=x), Some((all - above + count) as f64 / all as f64));
        above -= count;
    }
    assert_eq!((above, law.fraction(most..=least - 1)), (0, Some((0, all))));
    let second: u128 = counts.iter().map(|(x, count)| (x * x) as u128 * u128::from(*count)).sum();
    assert!((law.variance().unwrap() * all as f64 - second as f64).abs() <= 1e-12 * second as f64, "{law}");
}

#[test]
fn parameters_without_a_sampler_have_no_fractions() {
    for law in [NoiseLaw::CenteredBinomial { eta: 0 }, NoiseLaw::CenteredBinomial { eta: (1 << 20) + 1 }] {
        assert_eq!((law.fraction(0..=0), law.variance()), (None, None));
        assert!(law.bound().unwrap_err().to_string().contains("expected a number between 1 and 1048576"));
    }
    assert_eq!(NoiseLaw::TUniform { bound_log2: 63 }.mass(0..=0), None);
    // The widest: all of 2^64 bit strings, and one of them.
    let (end, all) = (1 << 62, 1 << 64);
    let widest = NoiseLaw::TUniform { bound_log2: 62 };
    assert_eq!((widest.fraction(-end..=end), widest.fraction(end..=end)), (Some((all, all)), Some((1, all))));
    let beyond = NoiseLaw::CenteredBinomial { eta: 33 };
    assert_eq!((beyond.fraction(0..=0), beyond.bound(), beyond.variance()), (None, Ok(Some(33)), Some(16.5)));
    let binomial = NoiseLaw::CenteredBinomial { eta: 32 };
    assert_eq!((binomial.fraction(-32..=32), binomial.fraction(-40..=-32)), (Some((all, all)), Some((1, all))));
    assert_eq!(binomial.fraction(0..=0), Some((1_832_624_140_942_590_534, all)), "C(64, 32)");
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// E[X²] of the counts over all strings, as a fraction of their number.
fn second_moment(counts: &BTreeMap<i64, u64>) -> u64 {
    counts.iter().map(|(x, count)| (x * x) as u64 * count).sum()
}

#[test]
fn centered_binomial_has_its_distribution_exactly() {
    for eta in 1..=9_u32 {
        let found = counts(&CenteredBinomial::new(eta).unwrap(), 2 * eta);
        let e = i64::from(eta);
        let wanted = (-e..=e).map(|x| (x, binomial(2 * e as u64, (e + x) as u64))).collect();
        assert_eq!(found, wanted, "{eta}");
        assert_fractions(NoiseLaw::CenteredBinomial { eta }, &found);
        assert_eq!(2 * second_moment(&found), u64::from(eta) << (2 * eta), "the variance is eta/2");
    }
}

/// A tape of ones at some places alone. The places of all samples together decide each of them.
struct Marks<'a> {
    at: u64,
    ones: &'a [u64],
}

impl BitSource for Marks<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        let word = self.ones.iter().filter(|one| (self.at..self.at + u64::from(n)).contains(one));
        let word = word.fold(0, |word, one| word | 1 << (one - self.at));
        self.at += u64::from(n);
        word
    }
}

/// For η beyond one word: bits 0 … η - 1 of each sample count 1, bits η … 2η - 1 count -1, and no other bit counts. So the sample is the
/// difference of two sums of η bits each.
#[test]
fn each_bit_of_a_wide_centered_binomial_counts_once() {
    for eta in [33_u64, 48, 64, 65, 100, 128, 1000, 4097] {
        let law = CenteredBinomial::new(eta as u32).unwrap();
        for sample in [0, 1, 2, 5] {
            let start = 2 * eta * sample;
            let places = [0, 1, eta / 2, eta - 1, eta, eta + 1, 2 * eta - 2, 2 * eta - 1];
            let places = places.into_iter().chain((0..2 * eta).step_by(63));
            for place in places {
                let (mut out, mut bits) = ([0_i16; 6], Marks { at: 0, ones: &[start + place] });
                law.fill(&mut bits, &mut out).unwrap();
                let mut wanted = [0; 6];
                wanted[sample as usize] = if place < eta { 1 } else { -1 };
                assert_eq!((out, bits.at), (wanted, 12 * eta), "{eta}: bit {place} of sample {sample}");
            }
        }
        let all = |ones: core::ops::Range<u64>| law.sample(&mut Marks { at: 0, ones: &ones.collect::<Vec<_>>() });
        let end = eta as i64;
        assert_eq!([all(0..eta), all(eta..2 * eta), all(0..2 * eta), all(0..0)], [end, -end, 0, 0], "{eta}");
    }
    // All bits at once, on every set of instructions: as bit by bit.
    for backend in crate::arch::Backend::available() {
        let words: Vec<u64> = (1..=130_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        for (from, to) in [(0, 1), (5, 8320), (63, 65), (64, 128), (100, 7777), (8319, 8320)] {
            struct Run<'a>(&'a [u64], usize, usize);
            impl crate::arch::Kernel for Run<'_> {
                type Output = u32;
                #[inline(always)]
                fn run(self) -> u32 {
                    ones(self.0, self.1, self.2)
                }
            }
            let wanted = (from..to).filter(|i| words[i / 64] >> (i % 64) & 1 == 1).count();
            assert_eq!(backend.run(Run(&words, from, to)) as usize, wanted, "{backend:?}: {from}..{to}");
        }
    }
    let narrow = CenteredBinomial::new(200).unwrap();
    assert_eq!(
        narrow.fill(&mut Marks { at: 0, ones: &(0..200).collect::<Vec<_>>() }, &mut [0_i8; 3]),
        Err(RangeError::of::<i8>())
    );
    assert_eq!(narrow.fill(&mut Marks { at: 0, ones: &(0..127).collect::<Vec<_>>() }, &mut [0_i8; 3]), Ok(()));
}

#[test]
fn tuniform_has_its_distribution_exactly() {
    for b in 0..=12_u32 {
        let found = counts(&TUniform::new(b).unwrap(), b + 2);
        let end = 1_i64 << b;
        let wanted = (-end..=end).map(|x| (x, if x.abs() == end { 1 } else { 2 })).collect();
        assert_eq!(found, wanted, "{b}");
        assert_fractions(NoiseLaw::TUniform { bound_log2: b }, &found);
        assert_eq!(6 * second_moment(&found), ((1 << (2 * b + 1)) + 1) << (b + 2), "the variance is (2^(2b+1) + 1)/6");
    }
    // The largest: all strings of ones and of zeros, and their neighbours.
    let one = |word| TUniform::new(62).unwrap().sample(&mut Tape { word, left: 64 });
    let end = 1_i64 << 62;
    assert_eq!([0, 1, 2, 3, u64::MAX - 1, u64::MAX].map(one), [-end, 1 - end, 1 - end, 2 - end, end - 1, end]);
}

/// Three of the four strings of a trial are accepted, and give each value once; the fourth draws again.
#[test]
fn ternary_has_its_distribution_exactly() {
    let one = |word, left| {
        let mut tape = Tape { word, left };
        (Ternary.sample(&mut tape), tape.left)
    };
    assert_eq!([0, 1, 2].map(|word| one(word, 2)), [(0, 0), (1, 0), (-1, 0)]);
    // After any number of rejected trials the law is the same.
    for rejected in 1..=31 {
        let again = |word: u64| one(word << (2 * rejected) | ((1 << (2 * rejected)) - 1), 2 * rejected + 2);
        assert_eq!([0, 1, 2].map(again), [(0, 0), (1, 0), (-1, 0)], "{rejected}");
    }
}

/// Every sequence of accepted draws has the same probability, as a rejected one is only drawn again. Each vector has equally many.
#[test]
fn sparse_ternary_is_uniform_over_the_vectors_of_its_weight() {
    let factorial = |n: usize| (1..=n).product::<usize>();
    for n in 1..=5_usize {
        for weight in 1..=n {
            let law = SparseTernary::new(n, weight).unwrap();
            let mut found: BTreeMap<Vec<i8>, usize> = BTreeMap::new();
            for sequence in 0..factorial(n) << n {
                // Mixed radix: for each m the sign and u < m.
                let (mut rest, mut draws) = (sequence, Vec::new());
                for m in (1..=n).rev() {
                    draws.push((rest % (2 * m)) as u64);
                    rest /= 2 * m;
                }
                let (mut bits, mut out) = (Draws(&draws), std::vec![9_i8; n]);
                law.fill(&mut bits, &mut out);
                assert!(bits.0.is_empty());
                *found.entry(out).or_default() += 1;
            }
            let vectors = binomial(n as u64, weight as u64) as usize * (1 << weight);
            assert_eq!(found.len(), vectors, "{n}, {weight}");
            assert!(found.values().all(|count| *count == (factorial(n) << n) / vectors), "{n}, {weight}: {found:?}");
            assert!(found.keys().all(|vector| vector.iter().filter(|x| **x != 0).count() == weight));
        }
    }
}

#[test]
fn a_draw_above_the_rest_is_drawn_again() {
    let law = SparseTernary::new(5, 1).unwrap();
    let fill = |draws: &[u64]| {
        let (mut bits, mut out) = (Draws(draws), [9_i8; 5]);
        law.fill(&mut bits, &mut out);
        assert!(bits.0.is_empty());
        out
    };
    // u = draw/2 for 5, 4, 3, 2 and 1 entries. 5, 6, 7 are no u below 5, and 3 is none below 3.
    assert_eq!(fill(&[2, 2, 1, 3, 1]), [0, 0, -1, 0, 0]);
    assert_eq!(fill(&[10, 13, 15, 2, 2, 7, 6, 1, 3, 1]), [0, 0, -1, 0, 0]);
}

/// From another program, which has the definitions alone (docs/proofs/finite.md).
#[test]
fn literal_integers() {
    let fill = |noise: &dyn Noise| {
        let mut out = [0_i64; 10];
        noise.fill(&mut rfc8439(), &mut out).unwrap();
        out
    };
    let cbd = |eta| CenteredBinomial::new(eta).unwrap();
    assert_eq!(fill(&Ternary), [-1, 1, 1, 0, -1, -1, 0, 0, -1, 1]);
    assert_eq!(fill(&cbd(1)), [-1, 1, 0, 1, 0, -1, 0, -1, 0, 0]);
    assert_eq!(fill(&cbd(2)), [0, 1, -1, 1, 0, -1, -1, 0, 0, 0]);
    assert_eq!(fill(&cbd(3)), [0, 0, 1, -3, 0, 1, -1, -2, -1, 0]);
    assert_eq!(fill(&cbd(21)), [-2, 1, 0, 3, 4, -1, 0, 0, 0, -1]);
    assert_eq!(fill(&cbd(32)), [3, 0, 2, 0, 2, 1, 5, 0, 6, 5]);
    let tuniform = |b| TUniform::new(b).unwrap();
    assert_eq!(fill(&tuniform(0)), [0, 0, 1, 0, -1, 0, 1, 0, -1, -1]);
    assert_eq!(fill(&tuniform(6)), [-5, 28, 48, 23, 16, 57, -33, 8, -32, -17]);
    assert_eq!(
        fill(&tuniform(17)),
        [-107_461, 2782, -99_357, 86_052, 76_627, -31_148, 107_800, -104_629, 53_340, -20_775]
    );
    assert_eq!(fill(&tuniform(62))[..2], [585_178_575_300_222_011, -3_143_860_904_924_991_840]);

    let (mut bits, mut a, mut b) = (rfc8439(), [9_i8; 24], [9_i32; 9]);
    SparseTernary::new(24, 5).unwrap().fill(&mut bits, &mut a);
    SparseTernary::new(9, 9).unwrap().fill(&mut bits, &mut b);
    assert_eq!(a, [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((b, bits.bits(8)), ([-1, -1, 1, -1, 1, 1, -1, -1, -1], 204));
}

/// A fill gives the integers of single samples, and draws not a bit more.
#[test]
fn a_fill_is_as_many_samples() {
    fn check<T: Int>(sampler: &impl Sampler, n: usize) {
        let (mut a, mut b) = (Counted::new(reader(7)), Counted::new(reader(7)));
        let mut out = std::vec![T::ZERO; n];
        sampler.fill(&mut a, &mut out).unwrap();
        assert!(out.iter().all(|x| x.widen() == sampler.sample(&mut b)));
        assert_eq!(a.count(), b.count());
        assert!(sampler.batch_bits().is_none_or(|each| each * n as u64 == a.count()));
    }
    for n in [0, 1, 2, 5, 31, 32, 33, 64, 1000] {
        check::<i8>(&Ternary, n);
        for eta in [1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 63, 64, 65, 127] {
            check::<i8>(&CenteredBinomial::new(eta).unwrap(), n);
        }
        for eta in [128, 1000, 4097, 20_000] {
            check::<i16>(&CenteredBinomial::new(eta).unwrap(), n.min(33));
        }
        (0..=6).for_each(|b| check::<i8>(&TUniform::new(b).unwrap(), n));
        [14, 15, 29].into_iter().for_each(|b| check::<i32>(&TUniform::new(b).unwrap(), n));
        [30, 31, 61, 62].into_iter().for_each(|b| check::<i64>(&TUniform::new(b).unwrap(), n));
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let noise = TUniform::new(7).unwrap(); // 128 is no i8
    let mut out = [0_i8; 5000];
    assert_eq!(noise.fill(&mut reader(1), &mut out), Err(RangeError::of::<i8>()));
    let noise: &dyn Noise = &noise;
    assert_eq!(noise.noise_beyond(i8::MIN.into(), i8::MAX.into()), Some(-128..=128));
    assert_eq!(noise.noise_beyond(i16::MIN.into(), i16::MAX.into()), None);
    let noise: &dyn Noise = &TUniform::new(6).unwrap();
    assert_eq!(noise.noise_beyond(i8::MIN.into(), i8::MAX.into()), None);
}

#[test]
fn declarations() {
    let profile = CenteredBinomial::new(21).unwrap().profile();
    assert!(profile.exactness.is_exact() && profile.timing == Timing::Constant && profile.table_bytes == 0);
    assert_eq!((profile.target.to_string(), profile.support), ("CBD(21)".into(), -21..=21));
    assert_eq!((profile.expected_bits, profile.expected_trials), (42.0, 1.0));
    let profile = TUniform::new(17).unwrap().profile();
    assert_eq!((profile.target.to_string(), profile.support), ("TUniform(17)".into(), -(1 << 17)..=1 << 17));
    assert_eq!((profile.timing, profile.expected_bits), (Timing::Constant, 19.0));
    let profile = Ternary.profile();
    assert_eq!((profile.target, profile.support, profile.timing), (NoiseLaw::Ternary, -1..=1, Timing::Isochronous));
    // 2^14 samples: the deviation is 0.0074.
    let mut bits = Counted::new(reader(3));
    Ternary.fill(&mut bits, &mut [0_i8; 1 << 14]).unwrap();
    assert!((bits.count() as f64 / f64::from(1 << 14) - profile.expected_bits).abs() < 0.05);
}

#[test]
fn parameters_outside_their_range_are_refused() {
    let message = |e: ParamError| e.to_string();
    for eta in [0, (1 << 20) + 1, u32::MAX] {
        let wanted = std::format!("eta = {eta}: expected a number between 1 and 1048576");
        assert_eq!(message(CenteredBinomial::new(eta).unwrap_err()), wanted);
    }
    assert_eq!([1, 1 << 20].map(|eta| CenteredBinomial::new(eta).unwrap().eta()), [1, 1 << 20]);
    for b in [63, 64, u32::MAX] {
        let wanted = std::format!("bound_log2 = {b}: expected a number between 0 and 62");
        assert_eq!(message(TUniform::new(b).unwrap_err()), wanted);
    }
    assert_eq!([0, 62].map(|b| TUniform::new(b).unwrap().bound_log2()), [0, 62]);
    let sparse = SparseTernary::new;
    assert_eq!(message(sparse(8, 0).unwrap_err()), "weight = 0: expected a number between 1 and 8");
    assert_eq!(message(sparse(8, 9).unwrap_err()), "weight = 9: expected a number between 1 and 8");
    assert_eq!(message(sparse(0, 0).unwrap_err()), "length = 0: expected a number between 1 and 9223372036854775807");
    let law = sparse(8, 8).unwrap();
    assert_eq!((law.length(), law.weight()), (8, 8));
}

#[test]
#[should_panic = "as many entries"]
fn a_vector_of_another_length_panics() {
    SparseTernary::new(8, 2).unwrap().fill(&mut reader(1), &mut [0_i8; 9]);
}
