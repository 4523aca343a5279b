//! A string of bits with its ranks: how many ones precede a place, and where the one of a rank is.

use crate::table::TableError;

/// Bits of a block, and its words: the ones before it, its ranks, its bits.
const BLOCK: usize = 512;
const ENTRY: usize = 3 + BLOCK / 32;

/// Ones from one hint to the next.
const GROUP: u32 = 128;

/// A field holds the ones of a block that precede one of its words: 0 to 448.
const FIELD: u32 = 9;
const MASK: u64 = (1 << FIELD) - 1;

/// The least bits of four lanes, each as wide as two fields.
const LANES: u64 = 1 | 1 << 18 | 1 << 36 | 1 << 54;

/// Where the blocks and hints of a string are in the words of a table. The type's documentation defines them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    blocks_at: usize,
    /// The number of all ones, behind which the hints are.
    total_at: usize,
    end: usize,
    /// The length of the string, in bits.
    len: usize,
}

type Block = [u32; ENTRY];

impl Ranked {
    /// The parts of a string of `len` bits that begins at word `start`.
    ///
    /// # Errors
    ///
    /// How many words there have to be at least, if there are too few to know the rest.
    pub(super) fn new(words: &[u32], start: usize, len: usize) -> Result<Self, usize> {
        let total_at = start + ENTRY * len.div_ceil(BLOCK);
        let ones = words.get(total_at).ok_or(total_at + 1)?;
        Ok(Ranked { blocks_at: start, total_at, end: total_at + 2 + ones.div_ceil(GROUP) as usize, len })
    }

    /// The word behind the last.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The length of the string, in bits.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Checks every rank and every hint. Requires all words.
    pub(super) fn check(&self, words: &[u32]) -> Result<(), TableError> {
        let blocks = self.len.div_ceil(BLOCK);
        let (mut ones, mut hint, mut last) = (0_u32, 0, 0);
        for index in 0..blocks {
            let block = self.block(words, index);
            let (mut fields, mut within) = (0_u64, 0);
            for j in 0..BLOCK / 64 {
                // Field j - 1 has the ones before word j.
                fields |= if j > 0 { u64::from(within) << (FIELD * (j as u32 - 1)) } else { 0 };
                within += word(block, j).count_ones();
            }
            if block[..3] != [ones, fields as u32, (fields >> 32) as u32] {
                return Err(TableError::Entry { entry: "matrix: the ranks of block", index });
            }
            ones += within;
            last = if within > 0 { index } else { last };
            // The ones of rank 0, 128, … as far as they are in this block.
            while GROUP * hint < ones {
                self.check_hint(words, hint, index as u32 * GROUP + (ones - GROUP * hint - 1).min(GROUP - 1))?;
                hint += 1;
            }
        }
        if words[self.total_at] != ones {
            return Err(TableError::Entry { entry: "matrix: the ranks of block", index: blocks });
        }
        self.check_hint(words, hint, last as u32 * GROUP)
    }

    fn check_hint(&self, words: &[u32], index: u32, hint: u32) -> Result<(), TableError> {
        let index = index as usize;
        let found = words.get(self.total_at + 1 + index) == Some(&hint);
        if found { Ok(()) } else { Err(TableError::Entry { entry: "matrix: hint", index }) }
    }

    /// The bit at a place of the string, or behind it in the last block.
    pub(super) fn bit(&self, words: &[u32], at: usize) -> bool {
        word(self.block(words, at / BLOCK), at % BLOCK / 64) >> (at % 64) & 1 != 0
    }

    /// The ones that precede a place of the string, or its end.
    pub(super) fn rank(&self, words: &[u32], at: usize) -> u32 {
        if at == self.len {
            return words[self.total_at];
        }
        let (block, j) = (self.block(words, at / BLOCK), at % BLOCK / 64);
        let below = word(block, j) & !(u64::MAX << (at % 64));
        block[0] + before(pair(block[1], block[2]), j) + below.count_ones()
    }

    /// Finds the one that so many others precede. Returns the place of its word of 64 bits, the word, and how many ones of
    /// the word precede it. Requires that there is one.
    #[inline(always)]
    pub(super) fn word_of(&self, words: &[u32], rank: u32) -> (usize, u64, u32) {
        let hint = self.total_at + 1 + (rank / GROUP) as usize;
        let (hint, next) = (words[hint], words[hint + 1]);
        let (first, last) = ((hint / GROUP) as usize, (next / GROUP) as usize);
        // Most of a group that are not in its first block are in the next one.
        let mut index = first + usize::from(rank % GROUP > hint % GROUP);
        if last > first + 1 {
            index = self.search(words, rank, first, last);
        }
        let block = self.block(words, index);
        let (fields, rest) = (pair(block[1], block[2]), rank - block[0]);
        let j = place(fields, rest);
        (BLOCK * index + 64 * j, word(block, j), rest - before(fields, j))
    }

    /// The block of a one, by bisection, where the ones of a group are far apart.
    #[cold]
    fn search(&self, words: &[u32], rank: u32, mut first: usize, mut last: usize) -> usize {
        while first < last {
            let middle = (first + last).div_ceil(2);
            if self.block(words, middle)[0] <= rank {
                first = middle;
            } else {
                last = middle - 1;
            }
        }
        first
    }

    #[inline(always)]
    fn block<'a>(&self, words: &'a [u32], index: usize) -> &'a Block {
        let at = self.blocks_at + ENTRY * index;
        match words[at..at + ENTRY].first_chunk() {
            Some(block) => block,
            None => &[0; _], // unreachable: the slice is as long
        }
    }
}

/// Word j of a block, j < 8.
#[inline(always)]
fn word(block: &Block, j: usize) -> u64 {
    pair(block[3 + 2 * (j % 8)], block[4 + 2 * (j % 8)])
}

#[inline(always)]
fn pair(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Returns how many ones of a block precede its word j. Field j - 1 has the number. For word 0 it is bit 63, which is 0.
#[inline(always)]
fn before(fields: u64, word: usize) -> u32 {
    (fields >> (FIELD * ((word as u32 + 7) % 8)) & MASK) as u32
}

/// The word of a block that has the one of this rank: how many of seven fields are at most `rank` <= 511.
#[inline(always)]
fn place(fields: u64, rank: u32) -> usize {
    // Lane by lane 512 + rank - field, of which bit 9 stays where field <= rank.
    let least = LANES * (1 << FIELD | u64::from(rank));
    let even = least - (fields & (LANES * MASK));
    // Of its four fields the last is 0, and counts.
    let odd = least - (fields >> FIELD & (LANES * MASK));
    let kept = (even >> FIELD & LANES) + (odd >> FIELD & LANES);
    (kept.wrapping_mul(LANES) >> 54) as usize - 1
}
