//! Both samplers against inversion bit by bit, on the same bits.

use super::*;
use crate::fixtures::{BOUND, Plain, Tape, reader};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

/// Records, of any u and of those near thresholds, and their samples.
fn records(plain: &Plain, count: usize, seed: u8) -> (Vec<bool>, Vec<i64>) {
    let mut bits = reader(seed);
    let (mut stream, mut samples) = (vec![], vec![]);
    for _ in 0..count {
        let (u, is_negative) = (plain.near(&mut bits), bits.bit());
        stream.extend(u.iter().rev());
        if plain.is_folded() {
            stream.push(is_negative);
        }
        samples.push(plain.sample(&u, is_negative));
    }
    (stream, samples)
}

/// What a fill of whole samples makes of these bits, by the wide sampler or the small one.
fn filled<T: Int>(
    sampler: &CdtCt<Vec<u32>>,
    is_small: bool,
    backend: Backend,
    tape: &mut Tape,
    len: usize,
) -> (Result<(), RangeError>, Vec<i64>) {
    let mut out = vec![T::wrapping(77); len];
    let filled = if is_small {
        CdtCtSmall::from(sampler.clone()).fill_by(backend, tape, &mut out)
    } else {
        sampler.fill_by(backend, tape, &mut out)
    };
    (filled, out.into_iter().map(T::widen).collect())
}

#[test]
fn samples_are_the_inverse_of_the_table() {
    for precision in [1, 2, 5, 31, 32, 33, 63, 64, 65, 96, 97, 128, 255, 256] {
        for shape in [Shape::Folded, Shape::Full] {
            for (count, first) in [(1, 0), (2, -5), (9, 7), (24, i64::MAX - 24)] {
                let plain = Plain::any(shape, first, precision, count, (precision + count) as u8);
                let sampler = CdtCt::from_table(plain.table()).unwrap();
                let (stream, samples) = records(&plain, 20, count as u8);
                let record = stream.len() / 20;
                let (mut tape, mut again) = (Tape::new(stream.clone()), Tape::new(stream));
                let small = CdtCtSmall::from(sampler.clone());
                for (i, x) in samples.iter().enumerate() {
                    assert_eq!(
                        (sampler.sample(&mut tape), small.sample(&mut again)),
                        (*x, *x),
                        "{shape:?}, {precision}"
                    );
                    assert_eq!((tape.read, again.read), (record * (i + 1), record * (i + 1)));
                }
                assert_eq!(record, precision + usize::from(shape == Shape::Folded));
            }
        }
    }
}

#[test]
fn fills_of_little_are_the_inverse_of_the_table() {
    let backend = Backend::current();
    for precision in [1, 7, 31, 32, 33, 64, 65, 95, 96, 128, 255, 256] {
        for shape in [Shape::Folded, Shape::Full] {
            for count in [1, 3, 8, 9, 17, 33] {
                let plain = Plain::any(shape, -20, precision, count, (precision + count) as u8);
                let sampler = CdtCt::from_table(plain.table()).unwrap();
                for len in [0, 1, 9, 10, 31, 32, 67] {
                    let (stream, samples) = records(&plain, len, count as u8);
                    for is_small in [false, true] {
                        let mut tape = Tape::new(stream.clone());
                        let result = filled::<i16>(&sampler, is_small, backend, &mut tape, len);
                        assert_eq!(result, (Ok(()), samples.clone()), "{shape:?}, {count} of {precision} bits, {len}");
                        assert_eq!(tape.read, stream.len());
                    }
                }
            }
        }
    }
}

/// Longer than what is made together, which depends on the length of a record.
#[test]
fn fills_are_the_inverse_of_the_table_on_every_backend() {
    for (shape, precision, count, len) in [
        (Shape::Folded, 256, 3, 1030),
        (Shape::Folded, 20, 40, 2600),
        (Shape::Full, 72, 11, 512),
        (Shape::Full, 33, 9, 511),
        (Shape::Folded, 128, 2, 1537),
        // On both sides of what is drawn by the shorter batches, and their last ones.
        (Shape::Folded, 128, 9, 143),
        (Shape::Folded, 128, 9, 144),
        (Shape::Full, 61, 17, 300),
        (Shape::Folded, 40, 129, 63),
        (Shape::Folded, 40, 129, 64),
        (Shape::Full, 5, 30, 681),
        // Thresholds in several chunks, with few limbs and many.
        (Shape::Full, 256, 300, 512),
        (Shape::Folded, 64, 700, 600),
        (Shape::Full, 97, 513, 200),
    ] {
        let plain = Plain::any(shape, -80, precision, count, 8);
        let sampler = CdtCt::from_table(plain.table()).unwrap();
        let (stream, samples) = records(&plain, len, 3);
        for backend in Backend::available() {
            for is_small in [false, true] {
                let mut tape = Tape::new(stream.clone());
                let result = filled::<i16>(&sampler, is_small, backend, &mut tape, len);
                assert!(result == (Ok(()), samples.clone()), "{backend}, {shape:?}, {precision}, {is_small}");
                assert_eq!(tape.read, stream.len());
            }
        }
    }
}

#[test]
fn every_type_gets_the_same_samples() {
    let plain = Plain::any(Shape::Folded, 5, 40, 19, 2);
    let sampler = CdtCt::from_table(plain.table()).unwrap();
    let (stream, samples) = records(&plain, 600, 4);
    let backend = Backend::current();
    for is_small in [false, true] {
        let tape = || Tape::new(stream.clone());
        let expected = (Ok(()), samples.clone());
        assert_eq!(filled::<i8>(&sampler, is_small, backend, &mut tape(), 600), expected);
        assert_eq!(filled::<i16>(&sampler, is_small, backend, &mut tape(), 600), expected);
        assert_eq!(filled::<i32>(&sampler, is_small, backend, &mut tape(), 600), expected);
        assert_eq!(filled::<i64>(&sampler, is_small, backend, &mut tape(), 600), expected);
    }
    // Without a choice of the backend.
    let (mut wide, mut little) = ([0_i8; 600], [0_i8; 600]);
    assert_eq!(sampler.fill(&mut Tape::new(stream.clone()), &mut wide), Ok(()));
    assert_eq!(CdtCtSmall::from(sampler).fill(&mut Tape::new(stream), &mut little), Ok(()));
    assert!(wide.iter().zip(little).zip(samples).all(|((a, b), x)| (i64::from(*a), i64::from(b)) == (x, x)));
}

#[test]
fn a_sample_that_does_not_fit_ends_the_fill() {
    // The supports go too far at one end, or nearly.
    for (shape, first, count, ends) in [
        (Shape::Full, -138, 30, true),
        (Shape::Full, 108, 30, true),
        (Shape::Full, -128, 255, false),
        (Shape::Folded, 120, 20, true),
        (Shape::Folded, -115, 20, true),
        (Shape::Folded, 107, 20, false),
        (Shape::Folded, -108, 20, false),
    ] {
        let plain = Plain::any(shape, first, 12, count, 6);
        let sampler = CdtCt::from_table(plain.table()).unwrap();
        let (stream, samples) = records(&plain, 700, 9);
        let record = stream.len() / 700;
        let fits = samples.iter().take_while(|x| (-128..=127).contains(*x)).count();
        for is_small in [false, true] {
            let mut tape = Tape::new(stream.clone());
            let (result, out) = filled::<i8>(&sampler, is_small, Backend::current(), &mut tape, 700);
            let expected = if fits == 700 { Ok(()) } else { Err(RangeError::of::<i8>()) };
            assert_eq!(result, expected, "{shape:?}, {first}");
            assert_eq!((&out[..fits], tape.read), (&samples[..fits], record * (fits + 1).min(700)));
            assert!(out[fits..].iter().all(|x| *x == 77));
        }
        assert_eq!(fits < 700, ends);
    }
}

#[test]
fn the_most_thresholds() {
    for count in [32_767, 32_768] {
        let thresholds = (1..=count).rev().map(|t| (0..16).rev().map(|i| t >> i & 1 != 0).collect()).collect();
        let plain = Plain { shape: Shape::Full, first: -3, thresholds };
        match CdtCt::from_table(plain.table()) {
            Ok(sampler) => {
                assert_eq!((count, sampler.table().len()), (32_767, 32_767));
                // u = 0 is below all of them, u = 1 not below the last one.
                let mut tape = Tape::new([[false; 16], [false; 16]].concat());
                tape.bits[16] = true;
                assert_eq!([sampler.sample(&mut tape), sampler.sample(&mut tape)], [32_764, 32_763]);
            }
            Err(e) => {
                assert_eq!(
                    (count, e.to_string().as_str()),
                    (32_768, "thresholds = 32768: expected a number between 1 and 32767")
                );
            }
        }
    }
}

#[test]
fn a_profile_is_the_table_s() {
    for (shape, support, bits) in [(Shape::Folded, -2..=8, 101.0), (Shape::Full, 3..=8, 100.0)] {
        let sampler = CdtCt::from_table(Plain::any(shape, 3, 100, 5, 1).table()).unwrap();
        let profile = sampler.profile();
        assert_eq!((profile.support.clone(), profile.exactness), (support, Exactness::Within(BOUND)));
        assert_eq!((profile.timing, profile.target), (Timing::Constant, sampler.table().target().into()));
        // Four digits to each of five thresholds.
        assert_eq!((profile.table_bytes, profile.expected_bits, profile.expected_trials), (80, bits, 1.0));
        let small = CdtCtSmall::from(sampler);
        assert_eq!((small.profile(), small.table().len()), (profile, 5));
    }
}
