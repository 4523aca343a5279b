//! Sums of the base sampler's batches, from the same bits.

use super::*;
use crate::bits::Counted;
use crate::fixtures::{BOUND, digits, reader};
use crate::params::{DiscreteGaussian, Rational, Width};
use crate::profile::Exactness;
use crate::table::{CdtTable, Shape};
use std::vec;
use std::vec::Vec;

type Base = CdtLazyCt<Vec<u32>, Vec<i8>>;
type Made = (ConvolutionCt<Vec<u32>, Vec<i8>>, Base);

/// Thresholds of a base of ±`count`.
fn falling(count: usize) -> Vec<u128> {
    (1..=count as u32).map(|j| 3_u128.pow(39) / 4_u128.pow(j) + u128::from(j % 2)).collect()
}

/// Above them all.
const PRECISION: u32 = 62;

fn made(center: i64, levels: &[(u64, u64)], count: usize) -> Made {
    let norm: u64 = levels.iter().map(|(z1, z2)| z1 * z1 + z2 * z2).product();
    let width = Width::SigmaSq(Rational::from(norm as i64));
    let law = DiscreteGaussian::new(Rational::from(center), width).unwrap();
    let one = DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq(Rational::from(1))).unwrap();
    let digits = digits(&falling(count), PRECISION);
    let base = || CdtTable::new(one, BOUND, Shape::Folded, 0, PRECISION, digits.clone()).unwrap();
    let lazy = LazyTable::with_parts_in(base(), |len| vec![0; len]).unwrap();
    let table = ConvolutionTable::new(law, BOUND, base(), levels).unwrap();
    (ConvolutionCt::from_table(table, lazy.parts().clone()).unwrap(), CdtLazyCt::from_table(lazy))
}

/// The factors of the base samples, in their order: SampleI with the level's legs on both halves.
fn factors(levels: &[(u64, u64)]) -> Vec<i64> {
    match levels {
        [] => vec![1],
        [below @ .., (z1, z2)] => {
            let below = factors(below);
            [z1, z2].into_iter().flat_map(|leg| below.iter().map(move |factor| factor * *leg as i64)).collect()
        }
    }
}

/// As the documentation says what a fill is: by batches of base samples, all first ones first.
fn batches(base: &Base, center: i64, levels: &[(u64, u64)], bits: &mut impl BitSource, len: usize) -> Vec<i64> {
    let factors = factors(levels);
    let (mut sums, most) = (vec![], 2048 / factors.len());
    while sums.len() < len {
        let part = most.min(len - sums.len());
        let mut bases = vec![0_i16; part * factors.len()];
        base.fill(bits, &mut bases).unwrap();
        sums.extend((0..part).map(|i| {
            let legs = factors.iter().zip(bases[i..].iter().step_by(part));
            center + legs.map(|(factor, x)| factor * i64::from(*x)).sum::<i64>()
        }));
    }
    sums
}

const LEVELS: [&[(u64, u64)]; 5] =
    [&[(3, 4)], &[(1, 2)], &[(3, 4), (5, 12)], &[(8, 15), (4, 3), (5, 12)], &[(1, 2), (4, 3), (3, 4), (12, 5)]];

fn filled<T: Int>(center: i64, levels: &[(u64, u64)], len: usize) {
    let (sampler, base) = made(center, levels, 9);
    let (mut one, mut other) = (Counted::new(reader(1)), Counted::new(reader(1)));
    let wanted = batches(&base, center, levels, &mut other, len);
    let mut out = vec![T::ZERO; len];
    let wrong = wanted.iter().position(|x| T::narrow(*x).is_none());
    let result = sampler.fill(&mut one, &mut out);
    assert_eq!(result, wrong.map_or(Ok(()), |_| Err(RangeError::of::<T>())), "{levels:?}, {len}");
    let written = wrong.unwrap_or(len);
    assert!(out[..written].iter().map(|x| x.widen()).eq(wanted[..written].iter().copied()), "{levels:?}, {len}");
    if wrong.is_none() {
        assert_eq!((one.count(), one.bits(64)), (other.count(), other.bits(64)), "{levels:?}, {len}");
    }
}

#[test]
fn fills_are_sums_of_batches() {
    for len in [0, 1, 2, 15, 16, 17, 33, 127, 128, 129, 700] {
        // Those of i8 fit the type, and not by their support.
        filled::<i8>(2, LEVELS[0], len);
        filled::<i8>(-100, LEVELS[1], len);
        filled::<i16>(-7, LEVELS[2], len);
        filled::<i32>(-100_000, LEVELS[3], len);
        filled::<i64>(1 << 40, LEVELS[4], len);
    }
    // More than a batch, with a rest of many or few.
    for len in [1023, 1024, 1025, 1040, 2100] {
        filled::<i8>(0, LEVELS[1], len);
        filled::<i16>(0, LEVELS[0], len);
        filled::<i64>(-3, LEVELS[2], len);
        // The support does not fit.
        filled::<i8>(40, LEVELS[0], len);
    }
}

#[test]
fn samples_are_sums_of_base_samples() {
    for levels in LEVELS {
        let (sampler, base) = made(-3, levels, 9);
        let (mut one, mut other) = (Counted::new(reader(2)), Counted::new(reader(2)));
        for _ in 0..60 {
            let sum = factors(levels).iter().map(|factor| factor * base.sample(&mut other)).sum::<i64>();
            assert_eq!((sampler.sample(&mut one), one.count()), (sum - 3, other.count()), "{levels:?}");
        }
    }
}

/// Where the support does not fit, and the samples do or do not.
#[test]
fn what_does_not_fit_is_refused() {
    // ±63 about the centre, but hardly beyond ±30.
    for (center, levels, fits) in
        [(65, LEVELS[0], true), (-66, LEVELS[0], true), (126, LEVELS[0], false), (-127, LEVELS[0], false)]
    {
        let (sampler, _) = made(center, levels, 9);
        for len in [40, 1000, 1030, 2500] {
            let (mut out, mut bits) = (vec![0_i8; len], reader(3));
            let result = sampler.fill(&mut bits, &mut out);
            assert_eq!(result, if fits { Ok(()) } else { Err(RangeError::of::<i8>()) }, "{center}, {len}");
        }
    }
    let sums = [1, -128, 127, 4];
    let mut out = [0_i8; 4];
    assert_eq!((narrow(&sums, &mut out), out), (Ok(()), [1, -128, 127, 4]));
    for wrong in [-129, 128] {
        assert_eq!(narrow(&[5, wrong, 7], &mut out), Err(RangeError::of::<i8>()));
        assert_eq!(out, [5, -128, 127, 4]);
        out[0] = 1;
    }
}

#[test]
fn pieces_of_whole_batches_are_the_fill() {
    type One = ConvolutionCt<Vec<u32>, Vec<i8>>;
    assert!(One::BATCH == 1024 && 2048 % One::BATCH == 0 && One::TIMING == Timing::Constant);
    for levels in LEVELS {
        let (sampler, _) = made(0, levels, 9);
        let (mut whole, mut pieces) = (vec![0_i32; One::BATCH + 77], vec![0_i32; One::BATCH + 77]);
        let (mut one, mut other) = (reader(4), reader(4));
        sampler.fill(&mut one, &mut whole).unwrap();
        let (first, second) = pieces.split_at_mut(One::BATCH);
        sampler.fill(&mut other, first).unwrap();
        sampler.fill(&mut other, second).unwrap();
        assert_eq!((whole, one.bits(64)), (pieces, other.bits(64)), "{levels:?}");
    }
}

#[test]
fn backends_give_the_same() {
    let (sampler, base) = made(-9, LEVELS[2], 9);
    let wanted = batches(&base, -9, LEVELS[2], &mut reader(5), 600);
    for backend in Backend::available() {
        let mut out = [0_i16; 600];
        sampler.fill_by(backend, &mut reader(5), &mut out).unwrap();
        assert!(out.iter().map(|x| i64::from(*x)).eq(wanted.iter().copied()), "{backend}");
    }
}

#[test]
fn profiles_are_those_of_many_bases() {
    for levels in LEVELS {
        let (sampler, base) = made(9, levels, 9);
        let (profile, one, bases) = (sampler.profile(), base.profile(), 1 << levels.len());
        assert!((profile.expected_bits - one.expected_bits * f64::from(bases)).abs() < 1e-9);
        let reach = 9 * levels.iter().map(|(z1, z2)| (z1 + z2) as i64).product::<i64>();
        assert_eq!((profile.support, profile.table_bytes), (9 - reach..=9 + reach, one.table_bytes));
        assert_eq!((profile.timing, profile.expected_trials), (Timing::Constant, 1.0));
        assert_eq!(profile.exactness, Exactness::Within(BOUND));
    }
}

#[test]
fn parts_that_are_not_the_bases_are_refused() {
    let one = DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq(Rational::from(1))).unwrap();
    let law = DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq(Rational::from(25))).unwrap();
    let base = CdtTable::new(one, BOUND, Shape::Folded, 0, 8, vec![140 << 24]).unwrap();
    let table = ConvolutionTable::new(law, BOUND, base, &[(3, 4)]).unwrap();
    let refused = |parts: Vec<i8>| ConvolutionCt::from_table(table.clone(), parts).unwrap_err();
    assert!(matches!(refused(vec![0; 192]), TableError::Entry { .. }));
    assert!(matches!(
        refused(vec![0; 191]),
        TableError::Length { part: "parts", given: 191, unit: " bytes", expected: 192 }
    ));
}
