//! The byte-wise stream of `CdtGuided`: samples are written down as the step list says, in some tapes most of them at
//! a threshold or beside it, and must be read back, to the last bit and no further.

use crate::common::Random;
use samplez_core::bits::BitSource;
use samplez_core::samplers::CdtGuided;
use samplez_core::table::{CdtTable, GuidedTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, Rational, Sampler};

const FIRST: i64 = -3;

/// Thresholds of B <= 120 bits, falling.
struct Thresholds {
    shape: Shape,
    precision: u32,
    all: Vec<u128>,
}

impl Thresholds {
    /// Thresholds of these leading 15 bits (full: 16), and any others.
    fn new(shape: Shape, precision: u32, leads: &[u16], random: &mut Random) -> Self {
        let more = precision - if shape == Shape::Folded { 15 } else { 16 };
        let mut all: Vec<u128> =
            leads.iter().map(|lead| u128::from(*lead) << more | any(random) & ((1 << more) - 1)).collect();
        all.sort_by(|a, b| b.cmp(a));
        Thresholds { shape, precision, all }
    }

    fn sampler(&self, guide_bits: u32) -> CdtGuided<Vec<u32>, Vec<u32>> {
        let digit = |t: u128, i: u32| (t << (128 - self.precision) >> (96 - 32 * i)) as u32;
        let mut digits: Vec<u32> = self.all.iter().map(|t| digit(*t, 0)).collect();
        digits.extend(self.all.iter().flat_map(|t| (1..self.precision.div_ceil(32)).map(move |i| digit(*t, i))));
        let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
        let bound = Bound::TRIVIAL;
        let table = CdtTable::new(law, bound, self.shape, FIRST, self.precision, digits).unwrap();
        CdtGuided::from_table(GuidedTable::with_guide_in(table, vec![0; 1 << guide_bits]).unwrap())
    }

    /// Any u, most often at a threshold, beside one, or with its first bits.
    fn uniform(&self, random: &mut Random) -> u128 {
        let (top, any) = ((1 << self.precision) - 1, any(random));
        let near = self.all[random.below(self.all.len() as u64) as usize];
        let low = (1 << random.below(self.precision.into())) - 1;
        match random.below(6) {
            0 => any & top,
            1 => near,
            2 => near.saturating_sub(1),
            3 => (near + 1).min(top),
            _ => near & !low | any & low,
        }
    }

    /// Writes the sample of u, and returns it.
    fn write(&self, u: u128, negative: bool, tape: &mut Vec<bool>) -> i64 {
        let sign = u32::from(self.shape == Shape::Folded);
        if self.shape == Shape::Folded {
            tape.push(negative);
        }
        let head = self.precision.min(32 - sign);
        let digits = (head + 1..=self.precision).filter(|end| end % 32 == 0 || *end == self.precision);
        let mut known = 0;
        for end in [8 - sign, 16 - sign, head].into_iter().chain(digits) {
            // The least significant bit of each piece is the first.
            tape.extend((self.precision - end..self.precision - known).map(|i| u >> i & 1 != 0));
            known = end;
            let lead = |u: u128| u >> (self.precision - known);
            if known <= head && self.all.iter().all(|t| lead(*t) != lead(u)) {
                break;
            }
        }
        let index = self.all.iter().filter(|t| u < **t).count() as i64;
        FIRST + if negative && self.shape == Shape::Folded { -index } else { index }
    }
}

fn any(random: &mut Random) -> u128 {
    u128::from(random.below(1 << 60)) << 60 | u128::from(random.below(1 << 60))
}

/// What has been written. Beyond its end there is nothing.
struct Tape<'a>(&'a [bool]);

impl BitSource for Tape<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        let (now, later) = self.0.split_at(n as usize);
        self.0 = later;
        now.iter().rev().fold(0, |value, bit| value << 1 | u64::from(*bit))
    }
}

#[test]
fn what_is_written_is_read() {
    let mut random = Random::new(11);
    for (shape, least, top) in [(Shape::Folded, 15, 0x7fff), (Shape::Full, 16, 0xffff_u16)] {
        let lists = [
            vec![top / 3],
            vec![top],
            vec![0],
            vec![top, top - 0x100, 0x1280, 0x1081, 0],
            vec![0x2345, 0x2345, 0x2344, 0x2343, 9, 8, 1, 0, 0],
            vec![0x1234; 63],
            (0..120).rev().collect(),
        ];
        for leads in lists {
            for precision in [least, 17, 22, 23, 24, 30, 31, 32, 33, 39, 63, 64, 65, 97, 120] {
                let thresholds = Thresholds::new(shape, precision, &leads, &mut random);
                for guide_bits in [1, 8, 15] {
                    let sampler = thresholds.sampler(guide_bits);
                    assert!(sampler.profile().expected_bits < 10.1, "short");
                    for len in [1, 2, 7, 8, 9, 63, 64, 65, 130, 1025, 1500] {
                        // In most tapes few samples need all bits, so that bytes stay bytes for long.
                        let rare = [1, 10, 300][random.below(3) as usize];
                        let mut tape = vec![];
                        let want: Vec<i64> = (0..len)
                            .map(|_| {
                                let near = random.below(rare) == 0;
                                let u = if near { thresholds.uniform(&mut random) } else { any(&mut random) };
                                let u = u & ((1 << precision) - 1);
                                thresholds.write(u, random.coin(), &mut tape)
                            })
                            .collect();
                        let what = format!("{shape:?}, B = {precision}, g = {guide_bits}, {len} of {leads:x?}");
                        let (mut filled, mut drawn) = (Tape(&tape), Tape(&tape));
                        let mut out = vec![0_i16; len];
                        sampler.fill(&mut filled, &mut out).unwrap();
                        assert!(out.iter().map(|x| i64::from(*x)).eq(want.iter().copied()), "fill: {what}");
                        assert!(want.iter().all(|x| *x == sampler.sample(&mut drawn)), "sample: {what}");
                        assert!(filled.0.is_empty() && drawn.0.is_empty(), "left: {what}");
                    }
                }
            }
        }
    }
}
