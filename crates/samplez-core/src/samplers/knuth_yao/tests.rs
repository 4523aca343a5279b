//! Walks to chosen leaves, whose bits are found by going up from them, and what a fill of them reads.

use super::*;
use crate::fixtures::{BOUND, Tape, falling, matrix, reader, write};
use crate::params::{DiscreteGaussian, Rational};
use crate::table::KnuthYaoParts;
use std::vec;
use std::vec::Vec;

/// The probabilities of rows in units of 2^-`precision`.
#[derive(Debug)]
struct Law {
    shape: Shape,
    first: i64,
    precision: u32,
    levels: u32,
    weights: Vec<u128>,
    /// The rows with a leaf, by their columns, in their order.
    leaves: Vec<Vec<usize>>,
}

impl Law {
    fn new(shape: Shape, first: i64, precision: u32, levels: u32, weights: Vec<u128>) -> Self {
        assert_eq!(weights.iter().sum::<u128>(), 1 << precision);
        let has = |c: u32, row: &usize| weights[*row] >> (precision - 1 - c) & 1 != 0;
        let leaves = (0..precision).map(|c| (0..weights.len()).filter(|row| has(c, row)).collect()).collect();
        Law { shape, first, precision, levels, weights, leaves }
    }

    /// Any probabilities of so many rows.
    fn any(shape: Shape, precision: u32, levels: u32, rows: usize, seed: u8) -> Self {
        let mut ends = vec![1 << precision];
        ends.extend(falling(rows - 1, precision, seed).into_iter().map(|end| end.clamp(1, (1 << precision) - 1)));
        ends.push(0);
        let weights = ends.windows(2).map(|two| two[0] - two[1]).collect();
        Law::new(shape, i64::from(seed) - 5, precision, levels, weights)
    }

    /// Probabilities about 2^-`quiet`-1, of which many have bits from there to the last.
    fn quiet(shape: Shape, precision: u32, levels: u32, quiet: u32) -> Self {
        let even = 1_u128 << (precision - quiet - 1);
        let weights = (0..2 << quiet)
            .map(|row: u32| if (row / 2 + row).is_multiple_of(2) { even + 1 } else { even - 1 })
            .collect();
        Law::new(shape, 3, precision, levels, weights)
    }

    fn sampler(&self) -> KnuthYao<Vec<u32>> {
        let column = |leaves: &Vec<usize>| (0..self.weights.len()).map(|row| leaves.contains(&row)).collect();
        let mut digits = matrix(&self.leaves.iter().map(column).collect::<Vec<_>>(), self.shape);
        let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
        let made = |first_levels, digits| {
            let rows = self.weights.len();
            let Law { shape, first, precision, .. } = *self;
            let parts = KnuthYaoParts { shape, first, precision, rows, first_levels, digits };
            KnuthYaoTable::new(law, BOUND, parts).unwrap()
        };
        if self.levels > 0 {
            let table = made(0, digits.clone());
            digits.extend(table.first_table(self.levels));
        }
        KnuthYao::from_table(made(self.levels, digits))
    }

    fn folded(&self) -> bool {
        self.shape == Shape::Folded
    }

    /// The bits from the root to the `place`th leaf of a column, and a sign if there is one; returns the sample.
    fn put(&self, column: usize, place: usize, negative: bool, tape: &mut Vec<bool>) -> i64 {
        let (row, mut child) = (self.leaves[column][place], place as u64);
        let mut path = vec![];
        for c in (0..=column).rev() {
            path.push(child & 1 != 0);
            // The node above is an inner one, and stands behind the leaves of its level.
            child = child / 2 + if c > 0 { self.leaves[c - 1].len() as u64 } else { 0 };
        }
        tape.extend(path.iter().rev());
        let is_signed = self.folded() && row > 0;
        if is_signed {
            tape.push(negative);
        }
        self.first + if is_signed && negative { -(row as i64) } else { row as i64 }
    }

    /// A leaf of any column.
    fn choose(&self, bits: &mut impl BitSource) -> (usize, usize) {
        let columns: Vec<usize> = (0..self.leaves.len()).filter(|c| !self.leaves[*c].is_empty()).collect();
        let c = columns[bits.bits(20) as usize % columns.len()];
        (c, bits.bits(20) as usize % self.leaves[c].len() * usize::from(bits.bits(2) > 0))
    }

    /// The first column that has leaves, and the place of the row there that has the least bits.
    fn shortest(&self) -> (usize, usize) {
        (self.leaves.iter().position(|leaves| !leaves.is_empty()).unwrap(), 0)
    }
}

fn laws() -> Vec<Law> {
    use Shape::{Folded, Full};
    let mut laws = vec![
        Law::new(Folded, 0, 1, 0, vec![1, 1]),
        Law::new(Full, -7, 1, 1, vec![1, 1]),
        Law::new(Folded, 0, 2, 1, vec![1, 3]),
        // Half of it at once, and each further bit half of the rest; row 0 comes in many columns.
        Law::new(Full, 2, 20, 6, vec![0xaaaab, 0x55555]),
        Law::new(Folded, 2, 40, 0, vec![0x8a_aaaa_aaab, 0x55_5555_5555, 1 << 37]),
        Law::new(Folded, 2, 40, 3, vec![0x55_5555_5555, 0x8a_aaaa_aaab, 1 << 37]),
    ];
    for (i, precision) in [9, 20, 31, 32, 33, 60, 100].into_iter().enumerate() {
        for (j, rows) in [2, 5, 33, 100].into_iter().enumerate() {
            let shape = if (i + j) % 2 == 0 { Folded } else { Full };
            laws.push(Law::any(shape, precision, [0, 4, 8, 1, 0][(2 * i + j) % 5], rows, (4 * i + j) as u8));
        }
    }
    for quiet in [1, 2, 5] {
        for levels in [0, 1, 2, 3, 5, 7] {
            laws.push(Law::quiet(Folded, 35, levels, quiet));
            laws.push(Law::quiet(Full, 12, levels, quiet));
        }
    }
    laws
}

#[test]
fn samples_are_the_rows_of_the_leaves() {
    let (mut bits, mut deep) = (reader(1), [0; 2]);
    for law in laws() {
        let sampler = law.sampler();
        assert_eq!(sampler.table().quiet() as usize, law.shortest().0);
        for _ in 0..60 {
            let ((column, place), mut tape) = (law.choose(&mut bits), vec![]);
            let wanted = law.put(column, place, bits.bit(), &mut tape);
            let used = tape.len();
            write(&mut tape, bits.bits(64).into(), 64);
            let mut tape = Tape::new(tape);
            assert_eq!((sampler.sample(&mut tape), tape.read), (wanted, used), "{law:?}: {column}, {place}");
            if column > 31 && law.folded() {
                deep[usize::from(law.leaves[column][place] == 0)] += 1;
            }
        }
    }
    assert!(deep.iter().all(|deep| *deep > 20), "{deep:?}");
}

fn filled<T: Int>(law: &Law, wanted: &[i64], mut tape: Vec<bool>) {
    let used = tape.len();
    write(&mut tape, 0, 100);
    let (mut tape, mut out) = (Tape::new(tape), vec![T::ZERO; wanted.len()]);
    law.sampler().fill(&mut tape, &mut out).unwrap();
    assert!(out.iter().map(|x| x.widen()).eq(wanted.iter().copied()), "{} of {law:?}", wanted.len());
    assert_eq!(tape.read, used, "{} of {law:?}", wanted.len());
}

#[test]
fn fills_are_the_samples() {
    let mut bits = reader(2);
    for (i, law) in laws().into_iter().enumerate() {
        for (j, len) in [0, 1, 2, 40, 77 + i, 300].into_iter().enumerate() {
            let (mut tape, mut wanted) = (vec![], vec![]);
            for _ in 0..len {
                let (column, place) = law.choose(&mut bits);
                wanted.push(law.put(column, place, bits.bit(), &mut tape));
            }
            match j % 4 {
                0 => filled::<i32>(&law, &wanted, tape),
                1 => filled::<i8>(&law, &wanted, tape),
                2 => filled::<i64>(&law, &wanted, tape),
                _ => filled::<i16>(&law, &wanted, tape),
            }
        }
    }
}

/// No bit is read that might not be needed.
#[test]
fn the_shortest_walks_leave_nothing() {
    for law in laws() {
        let (column, place) = law.shortest();
        for len in [1, 2, 31, 32, 33, 62, 63, 64, 65, 90, 127, 128, 191] {
            let (mut tape, mut wanted) = (vec![], vec![]);
            for i in 0..len {
                // A long one between.
                let (c, p) = if i == 30 { (law.leaves.len() - 1, 0) } else { (column, place) };
                let (c, p) = if law.leaves[c].is_empty() { (column, place) } else { (c, p) };
                wanted.push(law.put(c, p, i % 3 == 0, &mut tape));
            }
            filled::<i64>(&law, &wanted, tape);
        }
    }
}

#[test]
fn words_are_looked_up_by_either_table() {
    let mut bits = reader(3);
    let mut seen = [0; 3];
    for law in laws() {
        let sampler = law.sampler();
        for _ in 0..40 {
            let ((column, place), mut tape) = (law.choose(&mut bits), vec![]);
            law.put(column, place, false, &mut tape);
            tape.truncate(column + 1);
            write(&mut tape, bits.bits(64).into(), 64);
            let mut tape = Tape::new(tape);
            let mut feed = TopFeed::new(&mut tape);
            assert!(feed.look_ahead(64));
            let (mut pending, row) = (Pending::new(), law.leaves[column][place]);
            let by_entry = column < law.levels as usize;
            match sampler.look(&mut feed, &mut pending, 17) {
                Some(value) if by_entry => assert_eq!(value - law.first, row as i64 * (value - law.first).signum()),
                Some(_) => assert!(column >= 31, "{law:?}: {column}, {place}"),
                None => {
                    assert!(!by_entry && column < 31 && pending.count == 1, "{law:?}: {column}, {place}");
                    run(Rows { table: &sampler.table, leaves: &mut pending.leaves[..1] });
                    assert_eq!((pending.leaves[0].rank as usize, pending.slots[0] / 2), (row, 17));
                }
            }
            let is_signed = law.folded() && row > 0;
            let used = 64 - feed.ahead();
            assert!(column >= 31 || used == column + 1 + usize::from(is_signed), "{law:?}: {column}, {place}");
            seen[if by_entry { 0 } else { 1 + usize::from(column >= 31) }] += 1;
        }
    }
    assert!(seen.iter().all(|seen| *seen > 100), "{seen:?}");
}

/// No row is left in memory.
#[test]
fn the_rows_of_a_fill_are_erased() {
    let mut pending = Pending::new();
    (0..CHUNK).for_each(|slot| pending.push(Leaf { rank: 5, shift: 9 }, slot, true));
    pending.erase();
    assert!(pending.leaves.iter().all(|leaf| (leaf.rank, leaf.shift) == (0, 0)) && pending.slots == [0; CHUNK]);
}

#[test]
fn what_does_not_fit_is_refused_where_it_comes() {
    for (shape, first, fits) in [
        (Shape::Folded, -95, true),
        (Shape::Folded, -96, false),
        (Shape::Folded, 94, true),
        (Shape::Folded, 95, false),
        (Shape::Full, -128, true),
        (Shape::Full, -129, false),
        (Shape::Full, 94, true),
        (Shape::Full, 95, false),
    ] {
        // 34 rows: the last is 33 from the first.
        for levels in [0, 4] {
            let mut weights = vec![1_u128; 34];
            weights[1] = 64 - 33;
            let law = Law::new(shape, first, 6, levels, weights);
            let row = if shape == Shape::Full && first < 0 { 0 } else { 33 };
            for place in [0, 3, 70] {
                let (mut tape, mut wanted, mut used) = (vec![], vec![], vec![]);
                for i in 0..80 {
                    let row = if i == place { row } else { 1 };
                    let column = law.leaves.iter().position(|leaves| leaves.contains(&row)).unwrap();
                    let at = law.leaves[column].iter().position(|leaf| *leaf == row).unwrap();
                    wanted.push(law.put(column, at, first < 0 && i == place, &mut tape));
                    used.push(tape.len());
                }
                write(&mut tape, 0, 100);
                let (mut tape, mut out) = (Tape::new(tape), [0_i8; 80]);
                let result = law.sampler().fill(&mut tape, &mut out);
                assert_eq!(result, if fits { Ok(()) } else { Err(RangeError::of::<i8>()) }, "{shape:?}, {first}");
                let (written, last) = if fits { (80, 79) } else { (place, place) };
                assert!((0..written).all(|i| i64::from(out[i]) == wanted[i]), "{shape:?}, {first}");
                assert_eq!(tape.read, used[last], "{shape:?}, {first}");
            }
        }
    }
}

#[test]
fn profiles_are_what_the_walks_cost() {
    for law in laws() {
        let profile = law.sampler().profile();
        let mut expected = 0.0;
        for (column, leaves) in law.leaves.iter().enumerate() {
            for row in leaves {
                let sign = if law.folded() && *row > 0 { 1.0 } else { 0.0 };
                expected += (column as f64 + 1.0 + sign) / 2_f64.powi(column as i32 + 1);
            }
        }
        assert!((profile.expected_bits - expected).abs() < 1e-9, "{law:?}: {}, {expected}", profile.expected_bits);
        let (rows, first_table) = (law.weights.len(), if law.levels > 0 { 4 << law.levels } else { 0 });
        let column = |leaves: &Vec<usize>| (0..rows).map(|row| leaves.contains(&row)).collect();
        let words = matrix(&law.leaves.iter().map(column).collect::<Vec<_>>(), law.shape).len();
        assert_eq!(profile.table_bytes, 4 * words + first_table);
        let last = rows as i64 - 1;
        assert_eq!(profile.support, law.first - if law.folded() { last } else { 0 }..=law.first + last);
        assert_eq!((profile.timing, profile.expected_trials), (Timing::Variable, 1.0));
        assert_eq!(profile.exactness, Exactness::Within(BOUND));
    }
}
