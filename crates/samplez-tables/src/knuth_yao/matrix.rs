//! The words of a matrix: its columns in one string, and the ranks of that string.

use alloc::vec;
use alloc::vec::Vec;
use core::iter;
use samplez_core::table::{CdtTable, Shape};

/// Words of 32 bits in a block.
const BLOCK: usize = 16;
/// Ones from one hint to the next.
const GROUP: u32 = 128;

/// The columns of the weights of this table, as `KnuthYaoTable` stores them; `None` if there is no memory.
pub(super) fn of(table: &CdtTable<Vec<u32>>) -> Option<Vec<u32>> {
    let packed = pack(table)?;
    let (rows, precision, full) = (table.len() + 1, table.precision() as usize, table.shape() == Shape::Full);
    let (mut words, mut firsts, mut string) = (vec![0], Vec::new(), Text::default());
    for column in packed.chunks_exact(rows.div_ceil(32)).take(precision) {
        let first = column.iter().position(|word| *word != 0).filter(|_| full).unwrap_or(0);
        let first = 32 * first + if full { column[first].trailing_zeros() as usize % 32 } else { 0 };
        let last = column.iter().rposition(|word| *word != 0);
        let end = last.map_or(first, |last| 32 * (last + 1) - column[last].leading_zeros() as usize);
        string.extend(column, first, end);
        words.push(string.len as u32);
        firsts.push(first as u32);
    }
    drop(packed);
    if full {
        words.extend(firsts);
    }
    // A block for 512 bits, a hint for 128 at most.
    let blocks = string.words.len().div_ceil(BLOCK);
    words.try_reserve_exact((3 + BLOCK + 4) * blocks + 2).ok()?;
    rank(&string.words, &mut words);
    words.shrink_to_fit();
    Some(words)
}

/// A string of bits.
#[derive(Default)]
struct Text {
    words: Vec<u32>,
    len: usize,
}

impl Text {
    /// Appends bits `first` to `end` - 1 of a column, whose bits from `end` on are zeros.
    fn extend(&mut self, column: &[u32], first: usize, end: usize) {
        let word = |i: usize| u64::from(column.get(i).copied().unwrap_or(0));
        for at in (first..end).step_by(32) {
            let bits = (word(at / 32) | word(at / 32 + 1) << 32) >> (at % 32) & 0xffff_ffff;
            let (shift, count) = (self.len % 32, (end - at).min(32));
            if shift == 0 {
                self.words.push(0);
            }
            if let Some(last) = self.words.last_mut() {
                *last |= (bits << shift) as u32;
            }
            if shift + count > 32 {
                self.words.push((bits >> (32 - shift)) as u32);
            }
            self.len += count;
        }
    }
}

/// Appends the blocks of a string, the number of its ones, and the hints.
fn rank(bits: &[u32], words: &mut Vec<u32>) {
    let (mut ones, mut last, mut hints) = (0_u32, 0, Vec::new());
    for (index, block) in bits.chunks(BLOCK).enumerate() {
        let (mut fields, mut within) = (0_u64, 0);
        for j in 0..BLOCK / 2 {
            // Field j - 1 has the ones before word j.
            if j > 0 {
                fields |= u64::from(within) << (9 * (j - 1));
            }
            within += block.iter().skip(2 * j).take(2).map(|word| word.count_ones()).sum::<u32>();
        }
        words.extend([ones, fields as u32, (fields >> 32) as u32]);
        words.extend(block);
        words.extend(iter::repeat_n(0, BLOCK - block.len()));
        ones += within;
        if within > 0 {
            last = index as u32;
        }
        while GROUP * (hints.len() as u32) < ones {
            // One less than there are here of the group.
            let here = (ones - 1 - GROUP * hints.len() as u32).min(GROUP - 1);
            hints.push(GROUP * index as u32 + here);
        }
    }
    words.push(ones);
    words.extend(hints);
    words.push(GROUP * last);
}

/// The columns of the table's weights, a bit for each row.
fn pack(table: &CdtTable<Vec<u32>>) -> Option<Vec<u32>> {
    let (len, precision) = (table.len(), table.precision() as usize);
    let each = precision.div_ceil(32);
    let words = (len + 1).div_ceil(32);
    let mut columns = Vec::new();
    columns.try_reserve_exact(words * precision).ok()?;
    columns.resize(words * precision, 0_u32);
    let (heads, tails) = table.digits().split_at(len);
    let digit = |j: usize, i: usize| match (j.checked_sub(1).filter(|j| *j < len), i) {
        (None, _) => 0, // T_0 = 2^B, of which the difference takes nothing but the carry; T_(n+1) = 0
        (Some(j), 0) => heads[j],
        (Some(j), i) => tails[j * (each - 1) + i - 1],
    };
    for row in 0..=len {
        // W = T_row - T_(row + 1), left-aligned, from the last digit up.
        let mut borrow = false;
        for i in (0..each).rev() {
            let (difference, below) = digit(row, i).overflowing_sub(digit(row + 1, i));
            let (difference, under) = difference.overflowing_sub(u32::from(borrow));
            borrow = below || under;
            for place in 0..32.min(precision - 32 * i) {
                let bit = difference >> (31 - place) & 1;
                columns[(32 * i + place) * words + row / 32] |= bit << (row % 32);
            }
        }
    }
    Some(columns)
}
