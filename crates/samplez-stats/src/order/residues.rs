//! The last digits of cells: their counts by place, sums of neighbours, and parities of several.
//!
//! Up to σ of about 54 a cell is one integer. A class is a cell's number modulo [`CLASSES`].

use super::window::WINDOW;
use crate::coding::Coding;

/// Classes of cells.
pub(in super::super) const CLASSES: usize = 64;

/// Places are counted modulo powers of two up to this one.
pub(in super::super) const PLACES: usize = 16;

/// Sums of 2, 4, 8, 16 and 32 neighbours are counted modulo this.
pub(in super::super) const DIGITS: usize = 16;

/// The number of lengths.
pub(in super::super) const LENGTHS: usize = 5;

/// So many of the first values are counted, and the chosen windows of the others.
const FIRST: u64 = 1 << 20;

/// Bits of a cell: the last, the one before it, and their sum modulo 2.
const BITS: usize = 3;

/// The farthest lag of a pair, and of three or four.
const FAR: usize = 16;
const NEAR: usize = 8;

/// Words of a window whose bits are counted. The last word only supplies the bits at a lag.
const WORDS: usize = WINDOW / 64 - 1;

/// Values and the lag of each: bits whose sum modulo 2 is counted.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Parity {
    /// The bit and the lag of each; the first lag is 0.
    pub(in super::super) terms: Vec<(usize, usize)>,
    /// How many sums were odd.
    pub(in super::super) odd: u64,
}

/// The digits of a stream.
#[derive(Clone, Debug)]
pub(in super::super) struct Residues {
    /// The class of each code.
    classes: Box<[u8; 2048]>,
    /// By place and class.
    pub(in super::super) counts: Box<[[u64; CLASSES]; PLACES]>,
    /// By length and digit.
    pub(in super::super) sums: [[u64; DIGITS]; LENGTHS],
    pub(in super::super) parities: Vec<Parity>,
    /// How many of the bits that parities begin with were 1.
    pub(in super::super) odd: [u64; BITS],
    /// How many sums each parity has.
    pub(in super::super) terms: u64,
}

impl Residues {
    pub(super) fn new(coding: &Coding) -> Self {
        let mut classes = Box::new([0; 2048]);
        for (class, code) in (0..CLASSES as u8).cycle().zip(coding.codes()) {
            classes[at(*code)] = class;
        }
        let mut parities = Vec::new();
        let mut add = |terms: &[(usize, usize)]| parities.push(Parity { terms: terms.to_vec(), odd: 0 });
        for lag in 1..=FAR {
            (0..BITS * BITS).for_each(|bits| add(&[(bits / BITS, 0), (bits % BITS, lag)]));
        }
        for far in 2..=NEAR {
            for near in 1..far {
                (0..BITS).for_each(|bit| add(&[(bit, 0), (bit, near), (bit, far)]));
                (1..near).for_each(|nearer| add(&[(0, 0), (0, nearer), (0, near), (0, far)]));
            }
        }
        Residues {
            classes,
            counts: Box::new([[0; CLASSES]; PLACES]),
            sums: [[0; DIGITS]; LENGTHS],
            parities,
            odd: [0; BITS],
            terms: 0,
        }
    }

    /// Takes in a window with so many values before it. Only whole windows count.
    #[inline(always)]
    pub(super) fn push(&mut self, codes: &[i16], seen: u64, is_chosen: bool) {
        let Ok(codes) = <&[i16; WINDOW]>::try_from(codes) else { return };
        if seen >= FIRST && !is_chosen {
            return;
        }
        let mut cells = [0_u8; WINDOW];
        for (cell, code) in cells.iter_mut().zip(codes) {
            *cell = self.classes[at(*code)];
        }
        for part in cells.as_chunks::<PLACES>().0 {
            for (counts, cell) in self.counts.iter_mut().zip(part) {
                counts[usize::from(*cell) % CLASSES] += 1;
            }
        }
        if is_chosen {
            self.add_parities(&cells);
        }
        let mut len = WINDOW;
        for counts in &mut self.sums {
            len /= 2;
            for i in 0..len {
                let sum = cells[2 * i].wrapping_add(cells[2 * i + 1]);
                cells[i] = sum;
                counts[usize::from(sum) % DIGITS] += 1;
            }
        }
    }

    #[inline(always)]
    fn add_parities(&mut self, cells: &[u8; WINDOW]) {
        let mut bits = [[0_u64; WORDS + 1]; BITS];
        for (i, part) in cells.as_chunks::<64>().0.iter().enumerate() {
            for (j, cell) in part.iter().enumerate() {
                bits[0][i] |= u64::from(cell & 1) << j;
                bits[1][i] |= u64::from(cell >> 1 & 1) << j;
            }
            bits[2][i] = bits[0][i] ^ bits[1][i];
        }
        // By lag, then by bit.
        let mut shifted = [[[0_u64; WORDS]; BITS]; FAR + 1];
        for (lag, shifted) in shifted.iter_mut().enumerate() {
            for (shifted, bits) in shifted.iter_mut().zip(&bits) {
                for (i, word) in shifted.iter_mut().enumerate() {
                    *word = bits[i] >> lag | bits[i + 1] << 1 << (63 - lag);
                }
            }
        }
        for (odd, bits) in self.odd.iter_mut().zip(&shifted[0]) {
            *odd += bits.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        for Parity { terms, odd } in &mut self.parities {
            let (first, others) = (terms[0], &terms[1..]);
            let mut words = shifted[first.1][first.0];
            for (bit, lag) in others {
                words.iter_mut().zip(&shifted[*lag][*bit]).for_each(|(word, other)| *word ^= other);
            }
            *odd += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        self.terms += 64 * WORDS as u64;
    }

    pub(super) fn merge(&mut self, other: &Residues) {
        let add = |sum: &mut u64, more: &u64| *sum += more;
        self.counts.as_flattened_mut().iter_mut().zip(other.counts.as_flattened()).for_each(|(a, b)| add(a, b));
        self.sums.as_flattened_mut().iter_mut().zip(other.sums.as_flattened()).for_each(|(a, b)| add(a, b));
        self.odd.iter_mut().zip(&other.odd).for_each(|(a, b)| add(a, b));
        self.parities.iter_mut().zip(&other.parities).for_each(|(a, b)| add(&mut a.odd, &b.odd));
        self.terms += other.terms;
    }
}

/// The place of a code in a table.
#[inline(always)]
const fn at(code: i16) -> usize {
    (code + 1024) as usize & 2047
}
