//! For the unit tests: a generator, which the core has none of, hard words for trials by one word, and tables of any
//! thresholds.

use crate::arch::isochronous::{BLOCK, Envelope, KEYS};
use crate::bits::{BitReader, BitSource, SplitMix64};
use crate::params::{DiscreteGaussian, Rational};
use crate::profile::Bound;
use crate::table::{CdtTable, Shape, TableError};
use core::convert::Infallible;
use rand_core::TryRng;
use std::vec::Vec;

impl TryRng for SplitMix64 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.fill(out);
        Ok(())
    }
}

/// A reader over the generator with this seed.
pub(crate) fn reader(seed: u8) -> BitReader<SplitMix64> {
    BitReader::new(SplitMix64(seed.into()))
}

/// Words for trials of every kind: any, at the ends of strips and near them, all zeros and all ones.
pub(crate) fn words(count: usize, envelope: &Envelope) -> Vec<[u64; BLOCK]> {
    let mut bits = reader(5);
    let mut word = |i: usize| {
        let (word, end) = (bits.bits(64), u64::from(envelope.keys[i % KEYS] + envelope.ones));
        match i % 7 {
            0 => word >> 16 | end << 48,
            1 => (word >> 16 | end << 48).wrapping_sub(1 << 48),
            2 => word >> 44,
            3 => !(word >> 44),
            4 => word >> (word % 64),
            _ => word,
        }
    };
    (0..count).map(|block| core::array::from_fn(|i| word(BLOCK * block + i))).collect()
}

/// For tables whose bound nobody looks at.
pub(crate) const BOUND: Bound =
    Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };

/// Falling thresholds below 2^`precision`, of at most 127 bits: any, some at the ends, and some twice.
pub(crate) fn falling(count: usize, precision: u32, seed: u8) -> Vec<u128> {
    let mut bits = reader(seed);
    let mut one = |i: usize| {
        let any = (u128::from(bits.bits(64)) << 64 | u128::from(bits.bits(64))) >> (128 - precision);
        match i % 5 {
            0 => any >> bits.bits(6).min(u64::from(precision) - 1),
            1 => (1 << precision) - 1 - (any >> (precision / 2)),
            _ => any,
        }
    };
    let mut all: Vec<u128> = (0..count).map(&mut one).collect();
    if count > 3 {
        (all[1], all[2]) = (all[0], 0);
    }
    all.sort_by(|a, b| b.cmp(a));
    all
}

/// Digits as a [`CdtTable`] has them.
pub(crate) fn digits(thresholds: &[u128], precision: u32) -> Vec<u32> {
    let each = precision.div_ceil(32);
    let digit = |t: &u128, i: u32| (t << (32 * each - precision) >> (32 * (each - 1 - i))) as u32;
    let rest = thresholds.iter().flat_map(|t| (1..each).map(move |i| digit(t, i)));
    thresholds.iter().map(|t| digit(t, 0)).chain(rest).collect()
}

/// The words of a [`KnuthYaoTable`](crate::table::KnuthYaoTable) without a first table: a bit for each row of each column.
pub(crate) fn matrix(columns: &[Vec<bool>], shape: Shape) -> Vec<u32> {
    let (mut words, mut firsts, mut string) = (std::vec![0], Vec::new(), Vec::new());
    for column in columns {
        let last = column.iter().rposition(|bit| *bit).map_or(0, |last| last + 1);
        let first = if shape == Shape::Full { column.iter().position(|bit| *bit).unwrap_or(0) } else { 0 };
        string.extend(&column[first..last]);
        firsts.push(first as u32);
        words.push(string.len() as u32);
    }
    if shape == Shape::Full {
        words.extend(firsts);
    }
    string.resize(string.len().next_multiple_of(512), false);
    let ones = |bits: &[bool]| bits.iter().filter(|bit| **bit).count();
    for (i, block) in string.chunks(512).enumerate() {
        let fields: u64 = (1..8).map(|j| (ones(&block[..64 * j]) as u64) << (9 * (j - 1))).sum();
        words.extend([ones(&string[..512 * i]) as u32, fields as u32, (fields >> 32) as u32]);
        words.extend(block.chunks(32).map(|bits| (0..32).map(|i| u32::from(bits[i]) << i).sum::<u32>()));
    }
    words.push(ones(&string) as u32);
    let places: Vec<usize> = (0..string.len()).filter(|at| string[*at]).collect();
    for group in places.chunks(128) {
        let block = group[0] / 512;
        let here = group.iter().filter(|at| **at / 512 == block).count();
        words.push((128 * block + here - 1) as u32);
    }
    words.push(places.last().map_or(0, |last| (last / 512 * 128) as u32));
    words
}

/// A table of these thresholds.
pub(crate) fn table(
    shape: Shape,
    first: i64,
    precision: u32,
    thresholds: &[u128],
) -> Result<CdtTable<Vec<u32>>, TableError> {
    let law = DiscreteGaussian::with_sigma(Rational::from(1)).expect("a law");
    CdtTable::new(law, BOUND, shape, first, precision, digits(thresholds, precision))
}

/// A scripted source: returns the chosen bits, then the bits of a generator if it has one, at most 2^20 in all. It records what the sampler
/// declassifies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tape {
    pub(crate) bits: Vec<bool>,
    /// How many have been read.
    pub(crate) read: usize,
    then: Option<u64>,
    pub(crate) outcomes: Vec<u32>,
    pub(crate) is_condemned: bool,
}

impl Tape {
    pub(crate) const fn new(bits: Vec<bool>) -> Self {
        Tape { bits, read: 0, then: None, outcomes: Vec::new(), is_condemned: false }
    }

    /// Returns the `n` lowest bits of each (value, n), then the bits of the generator with this seed.
    pub(crate) fn before(pieces: &[(u64, u32)], seed: u64) -> Self {
        let mut bits = Vec::new();
        pieces.iter().for_each(|(value, n)| write(&mut bits, (*value).into(), *n));
        Tape { then: Some(seed), ..Tape::new(bits) }
    }

    /// Returns these words, then the bits of the generator with this seed.
    pub(crate) fn words(words: &[u64], seed: u64) -> Self {
        Tape::before(&words.iter().map(|word| (*word, 64)).collect::<Vec<_>>(), seed)
    }

    fn bit_at(&self, at: usize) -> bool {
        match (self.bits.get(at), self.then) {
            (Some(bit), _) => *bit,
            (None, Some(seed)) if at < 1 << 20 => {
                SplitMix64((seed << 32) + at as u64 / 64).next() >> (at % 64) & 1 != 0
            }
            _ => panic!("the tape ends"),
        }
    }
}

impl BitSource for Tape {
    fn bits(&mut self, n: u32) -> u64 {
        assert!((1..=64).contains(&n), "{n} bits");
        let value = (0..n).map(|i| u64::from(self.bit_at(self.read + i as usize)) << i).sum();
        self.read += n as usize;
        value
    }

    fn declassify(&mut self, outcome: u32) -> u32 {
        self.outcomes.push(outcome);
        outcome
    }

    fn condemn(&mut self) {
        self.is_condemned = true;
    }
}

/// Puts the `n` lowest bits of a number on a tape, the least significant first.
pub(crate) fn write(tape: &mut Vec<bool>, number: u128, n: u32) {
    tape.extend((0..n).map(|i| number >> i & 1 != 0));
}

/// Returns the bits of a uniform that agrees with num/den in its first `n` places and differs in the next. Also returns
/// whether the uniform is below num/den.
pub(crate) fn parting(num: u128, den: u128, n: usize) -> (Vec<bool>, bool) {
    let mut rest = num;
    let mut places: Vec<bool> = (0..=n)
        .map(|_| {
            let place = 2 * rest >= den;
            rest = 2 * rest - if place { den } else { 0 };
            place
        })
        .collect();
    places[n] = !places[n];
    let is_below = !places[n];
    (places, is_below)
}

/// A generator all of whose bytes are this one.
pub(crate) struct Stuck(pub(crate) u8);

impl TryRng for Stuck {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_ne_bytes([self.0; 4]))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_ne_bytes([self.0; 8]))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(self.0);
        Ok(())
    }
}

/// A table bit by bit, the most significant first, as such numbers are compared.
pub(crate) struct Plain {
    pub(crate) shape: Shape,
    pub(crate) first: i64,
    pub(crate) thresholds: Vec<Vec<bool>>,
}

impl Plain {
    /// Thresholds of up to 256 bits: any, some far down and some far up, and some that begin as others do or are equal.
    pub(crate) fn any(shape: Shape, first: i64, precision: usize, count: usize, seed: u8) -> Self {
        let mut bits = reader(seed);
        let mut thresholds: Vec<Vec<bool>> = Vec::new();
        for i in 0..count {
            let mut one: Vec<bool> = (0..precision).map(|_| bits.bit()).collect();
            let place = bits.bits(16) as usize % (precision + 1);
            match i % 6 {
                0 => one[..place].fill(false),
                1 => one[..place].fill(true),
                2 | 3 => one[..place].clone_from_slice(&thresholds[i - 2][..place]),
                4 => one[..precision - 1].clone_from_slice(&thresholds[i - 2][..precision - 1]),
                _ => {}
            }
            thresholds.push(one);
        }
        thresholds.sort_by(|a, b| b.cmp(a));
        Plain { shape, first, thresholds }
    }

    pub(crate) fn precision(&self) -> usize {
        self.thresholds[0].len()
    }

    pub(crate) fn is_folded(&self) -> bool {
        self.shape == Shape::Folded
    }

    pub(crate) fn table(&self) -> CdtTable<Vec<u32>> {
        let digits = |t: &Vec<bool>| -> Vec<u32> {
            let digit = |part: &[bool]| (0..32).fold(0, |d, i| d << 1 | u32::from(part.get(i) == Some(&true)));
            t.chunks(32).map(digit).collect()
        };
        let all: Vec<Vec<u32>> = self.thresholds.iter().map(digits).collect();
        let rest = all.iter().flat_map(|t| t[1..].iter().copied());
        let digits = all.iter().map(|t| t[0]).chain(rest).collect();
        let law = DiscreteGaussian::with_sigma(Rational::from(1)).expect("a law");
        CdtTable::new(law, BOUND, self.shape, self.first, self.precision() as u32, digits).expect("a table")
    }

    /// A uniform that begins as one of the thresholds does, or is it.
    pub(crate) fn near(&self, bits: &mut impl BitSource) -> Vec<bool> {
        let mut u: Vec<bool> = (0..self.precision()).map(|_| bits.bit()).collect();
        let like = &self.thresholds[bits.bits(16) as usize % self.thresholds.len()];
        let place = match bits.bits(2) {
            0 => 0,
            1 => bits.bits(16) as usize % (self.precision() + 1),
            2 => self.precision() - 1,
            _ => self.precision(),
        };
        u[..place].clone_from_slice(&like[..place]);
        u
    }

    /// The sample of this uniform and this sign.
    pub(crate) fn sample(&self, u: &[bool], is_negative: bool) -> i64 {
        let index = self.thresholds.iter().filter(|t| u < &t[..]).count() as i64;
        if self.is_folded() && is_negative { self.first - index } else { self.first + index }
    }
}
