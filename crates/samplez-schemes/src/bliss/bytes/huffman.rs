//! The prefix codes of strongSwan's signatures, for the pair (|z₁| >> 8, z₂†). Each is complete: its codewords
//! are the leaves of a tree. kat/bliss/ has them with their origin, and a test compares.

use crate::Error;
use crate::encode::bits::{Packer, Unpacker};

/// A code: the pair (h, z₂) has the codeword at place h·(2m + 1) + z₂ + m.
pub(super) struct Code {
    /// m, the largest |z₂|.
    most: i16,
    words: &'static [Word],
    tree: &'static [[u8; 2]],
    /// The codeword at the beginning of each byte.
    short: &'static [Short; 256],
}

/// A codeword: its length, and its bits as a number.
#[derive(Clone, Copy)]
struct Word {
    length: u8,
    bits: u32,
}

/// The codeword at the beginning of a byte: its length in four bits, |z₁| >> 8 of its pair in four, and z₂†. The length
/// is 0 if the codeword is longer than the byte.
#[derive(Clone, Copy)]
struct Short(i16);

const fn words<const N: usize>(texts: &[&str; N]) -> [Word; N] {
    let (mut words, mut place) = ([Word { length: 0, bits: 0 }; N], 0);
    while place < N {
        let (text, mut i) = (texts[place].as_bytes(), 0);
        while i < text.len() {
            words[place].bits = words[place].bits << 1 | (text[i] - b'0') as u32;
            i += 1;
        }
        words[place].length = text.len() as u8;
        place += 1;
    }
    words
}

const fn short(tree: &[[u8; 2]], most: i16) -> [Short; 256] {
    let (mut short, mut byte) = ([Short(0); 256], 0);
    while byte < 256 {
        let (mut node, mut length) = (0, 0);
        while node & LEAF == 0 && length < 8 {
            node = tree[node as usize][byte >> (7 - length) & 1];
            length += 1;
        }
        if node & LEAF != 0 {
            let (place, row) = ((node & !LEAF) as i16, 2 * most + 1);
            short[byte] = Short((place % row - most) << 8 | (place / row) << 4 | length as i16);
        }
        byte += 1;
    }
    short
}

/// The target of a branch of the tree: another node, or `LEAF` and a codeword's place.
const LEAF: u8 = 0x80;

const fn tree<const NODES: usize>(words: &[&str]) -> [[u8; 2]; NODES] {
    let (mut tree, mut used) = ([[0; 2]; NODES], 1);
    let mut place = 0;
    while place < words.len() {
        let (word, mut node, mut i) = (words[place].as_bytes(), 0, 0);
        while i < word.len() {
            let branch = (word[i] - b'0') as usize;
            if i + 1 == word.len() {
                assert!(tree[node][branch] == 0, "no codeword begins another");
                tree[node][branch] = LEAF | place as u8;
            } else {
                if tree[node][branch] == 0 {
                    tree[node][branch] = used;
                    used += 1;
                }
                node = tree[node][branch] as usize;
            }
            i += 1;
        }
        place += 1;
    }
    assert!(used as usize == NODES && words.len() == NODES + 1, "a complete code");
    tree
}

/// Sets I and II.
pub(super) const I_AND_II: Code = Code {
    most: 1,
    words: &const { words(&I_AND_II_WORDS) },
    tree: &const { tree::<23>(&I_AND_II_WORDS) },
    short: &const { short(&tree::<23>(&I_AND_II_WORDS), 1) },
};

/// Set III.
pub(super) const III: Code = Code {
    most: 3,
    words: &const { words(&III_WORDS) },
    tree: &const { tree::<48>(&III_WORDS) },
    short: &const { short(&tree::<48>(&III_WORDS), 3) },
};

/// Set IV.
pub(super) const IV: Code = Code {
    most: 6,
    words: &const { words(&IV_WORDS) },
    tree: &const { tree::<90>(&IV_WORDS) },
    short: &const { short(&tree::<90>(&IV_WORDS), 6) },
};

#[rustfmt::skip]
const I_AND_II_WORDS: [&str; 24] = [
    "11000", "0", "1101", "1100100", "10", "110011", "110010110001", "111", "110010110000", "110010110011", "11001010",
    "110010110010", "110010110110", "110010110100", "110010110101", "110010111001", "110010110111", "110010111000",
    "110010111100", "110010111010", "110010111011", "110010111111", "110010111101", "110010111110",
];

#[rustfmt::skip]
const III_WORDS: [&str; 49] = [
    "001110101001001000", "001110111", "011", "1", "010", "001110110", "001110101001000111", "001110101001001110",
    "001110101000", "00101", "000", "00100", "00111010111", "001110101001001101", "001110101001010000",
    "001110101001000000", "0011100", "00110", "001111", "0011101010011", "001110101001001111", "001110101001010101",
    "001110101001000101", "00111010110", "001110100", "00111010101", "001110101001000100", "001110101001010100",
    "001110101001011001", "001110101001001100", "001110101001000011", "001110101001000001", "001110101001000010",
    "001110101001001011", "001110101001011000", "001110101001011101", "001110101001010011", "001110101001001010",
    "001110101001000110", "001110101001001001", "001110101001010010", "001110101001011100", "001110101001011111",
    "001110101001011011", "001110101001010111", "001110101001010001", "001110101001010110", "001110101001011010",
    "001110101001011110",
];

#[rustfmt::skip]
const IV_WORDS: [&str; 91] = [
    "0100101010011110", "0100101010001101", "0100101010000000", "01001000", "1110", "001", "10", "000", "0111",
    "1111011", "11110101101", "0100101010001100", "0100101010011101", "0100101010100010", "0100101010001111",
    "0100101010000010", "010010011", "010000", "0110", "110", "0101", "11111", "010010010", "0100101010000001",
    "0100101010001110", "0100101010100001", "0100101010100110", "0100101010010110", "0100101010001001", "01001010110",
    "11110100", "111100", "010001", "010011", "01001011", "1111010111", "0100101010001000", "0100101010010101",
    "0100101010100101", "0100101010110001", "0100101010100000", "0100101010010001", "0100101010000101", "11110101100",
    "0100101001", "111101010", "0100101000", "01001010111", "0100101010000100", "0100101010010000", "0100101010011111",
    "0100101010110000", "0100101010110111", "0100101010101011", "0100101010011100", "0100101010010011",
    "0100101010001011", "0100101010000111", "0100101010000011", "0100101010000110", "0100101010001010",
    "0100101010010010", "0100101010011011", "0100101010101010", "0100101010110110", "0100101010111011",
    "0100101010110101", "0100101010101101", "0100101010100100", "0100101010011010", "0100101010011000",
    "0100101010010100", "0100101010010111", "0100101010011001", "0100101010100011", "0100101010101100",
    "0100101010110100", "0100101010111010", "0100101010111111", "0100101010111101", "0100101010111001",
    "0100101010110011", "0100101010101111", "0100101010101001", "0100101010100111", "0100101010101000",
    "0100101010101110", "0100101010110010", "0100101010111000", "0100101010111100", "0100101010111110",
];

impl Code {
    /// Writes a field of `before` <= 14 bits and the codeword of a pair, if it has one.
    #[inline(always)]
    pub(super) fn write_after(&self, before: u32, field: u32, high: u16, z2: i16, packer: &mut Packer) -> bool {
        if z2.abs() > self.most {
            return false;
        }
        let place = usize::from(high) * (2 * self.most + 1) as usize + (z2 + self.most) as usize;
        let Some(word) = self.words.get(place) else { return false };
        packer.put(before + u32::from(word.length), field << word.length | word.bits);
        true
    }

    /// Reads a field of `before` <= 24 bits and the pair that follows it.
    #[inline(always)]
    pub(super) fn read_after(&self, before: u32, unpacker: &mut Unpacker<'_>) -> Result<(u32, i16, i16), Error> {
        let both = unpacker.peek(before + 8);
        let Short(word) = self.short[both as usize & 255];
        if word & 15 != 0 {
            unpacker.skip(before + (word & 15) as u32)?;
            return Ok((both >> 8, word >> 4 & 15, word >> 8));
        }
        unpacker.skip(before)?;
        // By value: what nothing points at stays in registers.
        let (rest, high, z2) = self.read_long(unpacker.clone())?;
        *unpacker = rest;
        Ok((both >> 8, high, z2))
    }

    /// Reads a pair, bit by bit.
    #[inline(never)]
    fn read_long<'a>(&self, mut unpacker: Unpacker<'a>) -> Result<(Unpacker<'a>, i16, i16), Error> {
        let mut node = 0;
        while node & LEAF == 0 {
            node = self.tree[usize::from(node)][unpacker.take(1)? as usize];
        }
        let (place, row) = (i16::from(node & !LEAF), 2 * self.most + 1);
        Ok((unpacker, place / row, place % row - self.most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_the_foreign_ones() {
        let files = [
            (I_AND_II, include_str!("../../../../../kat/bliss/huffman-1.csv")),
            (III, include_str!("../../../../../kat/bliss/huffman-3.csv")),
            (IV, include_str!("../../../../../kat/bliss/huffman-4.csv")),
        ];
        for (code, file) in files {
            assert_eq!(file.lines().count(), code.words.len() + 1);
            for line in file.lines().skip(1) {
                let [high, z2, word] = line.split(',').collect::<alloc::vec::Vec<_>>()[..] else { panic!("{line}") };
                let (high, z2) = (high.parse::<u16>().unwrap(), z2.parse().unwrap());
                let (mut packer, mut want) = (Packer::default(), Packer::default());
                assert!(code.write_after(0, 0, high, z2, &mut packer));
                word.bytes().for_each(|digit| want.put(1, u32::from(digit - b'0')));
                let bytes = packer.finish();
                assert_eq!(bytes, want.finish());
                let pair = (high as i16, z2);
                let (_, long, z2) = code.read_long(Unpacker::new("test", &bytes)).unwrap();
                assert_eq!((long, z2), pair);
                let mut after = Packer::default();
                assert!(code.write_after(9, 0x155, high, z2, &mut after));
                let bytes = after.finish();
                assert_eq!(code.read_after(9, &mut Unpacker::new("test", &bytes)), Ok((0x155, pair.0, pair.1)));
            }
            let has = |high, z2| code.write_after(9, 0, high, z2, &mut Packer::default());
            assert!(!has(8, 0) && !has(0, code.most + 1) && !has(0, -code.most - 1));
        }
    }
}
