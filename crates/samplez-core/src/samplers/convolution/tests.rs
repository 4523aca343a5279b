//! Sums of the base sampler's samples, level by level, from the same bits.

use super::*;
use crate::bits::Counted;
use crate::fixtures::{BOUND, Tape, digits, falling, reader, write};
use crate::params::{DiscreteGaussian, Rational, Width};
use crate::profile::Exactness;
use crate::table::{CdtTable, Shape};
use std::vec;
use std::vec::Vec;

type Base = CdtGuided<Vec<u32>, Vec<u32>>;

fn law(sigma: i64, center: i64) -> DiscreteGaussian {
    DiscreteGaussian::new(Rational::from(center), Width::Sigma(Rational::from(sigma))).unwrap()
}

/// The sampler, and its base.
fn made(
    center: i64,
    levels: &[(u64, u64)],
    thresholds: &[u128],
    precision: u32,
) -> (Convolution<Vec<u32>, Vec<u32>>, Base) {
    let sigma = levels.iter().map(|(z1, z2)| (z1 * z1 + z2 * z2).isqrt() as i64).product();
    let base = || CdtTable::new(law(1, 0), BOUND, Shape::Folded, 0, precision, digits(thresholds, precision)).unwrap();
    let guide = GuidedTable::with_guide_in(base(), vec![0; 16]).unwrap();
    let table = ConvolutionTable::new(law(sigma, center), BOUND, base(), levels).unwrap();
    let sampler = Convolution::from_table(table, guide.guide().to_vec()).unwrap();
    (sampler, CdtGuided::from_table(guide))
}

/// SampleI of the paper: z1·Y1 + z2·Y2, both of the level below.
fn printed(base: &Base, levels: &[(u64, u64)], bits: &mut impl BitSource) -> i64 {
    match levels {
        [] => base.sample(bits),
        [below @ .., (z1, z2)] => {
            let y1 = printed(base, below, bits);
            let y2 = printed(base, below, bits);
            *z1 as i64 * y1 + *z2 as i64 * y2
        }
    }
}

const LEVELS: [&[(u64, u64)]; 5] =
    [&[(3, 4)], &[(4, 3)], &[(3, 4), (5, 12)], &[(8, 15), (4, 3), (5, 12)], &[(3, 4), (4, 3), (3, 4), (12, 5)]];

#[test]
fn samples_are_those_of_the_paper() {
    for (i, levels) in LEVELS.into_iter().enumerate() {
        let center = [0, -7, 1 << 40][i % 3];
        let (sampler, base) = made(center, levels, &falling(20, 64, 3), 64);
        let (mut one, mut other) = (Counted::new(reader(1)), Counted::new(reader(1)));
        for _ in 0..200 {
            assert_eq!(sampler.sample(&mut one), center + printed(&base, levels, &mut other), "{levels:?}");
            assert_eq!(one.count(), other.count());
        }
    }
}

fn filled<T: Int>(center: i64, levels: &[(u64, u64)], len: usize) {
    let (sampler, base) = made(center, levels, &falling(6, 64, 3), 64);
    let (mut one, mut other) = (Counted::new(reader(2)), Counted::new(reader(2)));
    let mut out = vec![T::ZERO; len];
    sampler.fill(&mut one, &mut out).unwrap();
    let is_printed = |x: &T| x.widen() == center + printed(&base, levels, &mut other);
    assert!(out.iter().all(is_printed), "{levels:?}, {len}");
    assert_eq!(one.count(), other.count(), "{levels:?}, {len}");
    assert_eq!(one.bits(64), other.bits(64), "{levels:?}, {len}");
}

#[test]
fn fills_are_the_samples() {
    for len in [0, 1, 2, 3, 17, 64, 101, 1537] {
        filled::<i8>(-2, LEVELS[0], len);
        filled::<i16>(1000, LEVELS[2], len);
        filled::<i32>(-100_000, LEVELS[3], len / 2);
        filled::<i64>(1 << 40, LEVELS[4], len / 4);
        filled::<i64>(-5, LEVELS[1], len / 2);
    }
}

#[test]
fn what_does_not_fit_is_refused_where_it_comes() {
    // The support is ±7·16 about the centre: it fits, or one too far, below or above.
    let thresholds: Vec<u128> = falling(16, 64, 5).into_iter().map(|t| t.max(1)).collect();
    for (center, fits) in [(-16, true), (-17, false), (15, true), (16, false)] {
        let (sampler, _) = made(center, LEVELS[0], &thresholds, 64);
        assert_eq!((sampler.sums.fits::<i8>(), sampler.sums.fits::<i16>()), (fits, true));
        for place in [0, 9, 39] {
            let (mut tape, mut out) = (vec![], [0_i8; 40]);
            for i in 0..40 {
                // Draws of 16 bits, with the sign: all other bits 0 for index 16, 1 for index 0. 64 bits of u when needed.
                for _ in 0..2 {
                    let draw = if i == place { u128::from(center < 0) } else { 0xfffe };
                    tape.extend(drawn(&thresholds, draw));
                }
            }
            let used =
                drawn(&thresholds, 0xfffe).len() * 2 * place + drawn(&thresholds, u128::from(center < 0)).len() * 2;
            let all = tape.len();
            write(&mut tape, 0, 100);
            let mut tape = Tape::new(tape);
            let result = sampler.fill(&mut tape, &mut out);
            assert_eq!(result, if fits { Ok(()) } else { Err(RangeError::of::<i8>()) }, "{center}");
            let extreme = if center < 0 { -128 } else { 127 };
            if fits {
                assert!((0..40).all(|i| i64::from(out[i]) == if i == place { extreme } else { center }));
                assert_eq!(tape.read, all);
            } else {
                assert!(out[..place].iter().all(|x| i64::from(*x) == center));
                assert_eq!(tape.read, used);
            }
        }
    }
}

/// The bits of a base sample whose u has only ones, or only zeros, as its draw of 16 bits; 64 if the thresholds ask for it.
fn drawn(thresholds: &[u128], draw: u128) -> Vec<bool> {
    let ones = draw >> 1 != 0;
    let lead = draw >> 1;
    let mut tape = vec![];
    write(&mut tape, draw, 16);
    let is_open = |known: u32| {
        let u = if ones { (1_u128 << known) - 1 } else { 0 };
        thresholds.iter().any(|t| t >> (64 - known) == u)
    };
    assert!(lead == 0 || lead == 0x7fff);
    if is_open(15) {
        write(&mut tape, if ones { !0 } else { 0 }, 16);
        if is_open(31) {
            write(&mut tape, if ones { !0 } else { 0 }, 33);
        }
    }
    tape
}

/// Base samples beyond i16 are added up one by one.
#[test]
fn bases_of_many_values() {
    for count in [(1 << 15) - 1, 1 << 15] {
        let thresholds: Vec<u128> = (0..count).map(|j| (1 << 40) - 1 - j * 1000).collect();
        let (sampler, _) = made(3, LEVELS[0], &thresholds, 40);
        for negative in [false, true] {
            let (mut tape, sum) = (vec![], 7 * count as i64);
            // u = 0 is below all thresholds, and its first bits are those of none.
            for _ in 0..6 {
                write(&mut tape, negative.into(), 16);
            }
            let (used, mut out) = (tape.len(), [0_i32; 3]);
            write(&mut tape, 0, 100);
            let mut tape = Tape::new(tape);
            sampler.fill(&mut tape, &mut out).unwrap();
            assert_eq!((out.map(i64::from), tape.read), ([3 + if negative { -sum } else { sum }; 3], used), "{count}");
        }
    }
}

#[test]
fn profiles_are_those_of_many_bases() {
    for levels in LEVELS {
        let (sampler, base) = made(9, levels, &falling(20, 64, 3), 64);
        let (profile, one, bases) = (sampler.profile(), base.profile(), 1 << levels.len());
        assert!((profile.expected_bits - one.expected_bits * f64::from(bases)).abs() < 1e-9);
        let reach = 20 * levels.iter().map(|(z1, z2)| (z1 + z2) as i64).product::<i64>();
        assert_eq!((profile.support, profile.table_bytes), (9 - reach..=9 + reach, one.table_bytes));
        assert_eq!((profile.timing, profile.exactness), (Timing::Variable, Exactness::Within(BOUND)));
        assert_eq!((profile.target.gaussian().unwrap().center(), profile.expected_trials), (Rational::from(9), 1.0));
    }
}

#[test]
fn guides_that_are_not_the_bases_are_refused() {
    let base = CdtTable::new(law(1, 0), BOUND, Shape::Folded, 0, 8, vec![140 << 24]).unwrap();
    let table = ConvolutionTable::new(law(5, 0), BOUND, base, &[(3, 4)]).unwrap();
    assert!(Convolution::from_table(table.clone(), vec![1, 1 << 31]).is_ok());
    assert_eq!(
        Convolution::from_table(table.clone(), vec![1, 0]).unwrap_err(),
        TableError::Entry { entry: "guide: the entry of cell", index: 1 }
    );
    let short = Convolution::from_table(table, vec![1]).unwrap_err();
    assert_eq!(short, TableError::GuideLength { entries: 1, max: 8 });
}
