//! Batches of 32 samples, in little stack.
//!
//! A plane is one word of 32 bits, a bit for each lane, which is what a microcontroller's registers hold. A batch of
//! 32 records is drawn, transposed, compared and counted as in [`arch`](crate::arch), but bit by bit. The tables of
//! steps that make wide batches fast take most of their stack.

use crate::arch::{Backend, Kernel};
use crate::bits::BitSource;
use crate::sampler::Int;
use crate::table::{CdtTable, MAX_PRECISION, Shape};
use zeroize::Zeroize;

/// Samples of a batch, and bits of a plane.
pub(super) const LANES: usize = 32;
/// Planes of a record, at most, in groups of 32.
const GROUPS: usize = (MAX_PRECISION as usize + 1).div_ceil(LANES);
/// Thresholds that are compared together.
const GROUP: usize = 8;

/// Fills `out` by batches, the last of which may have fewer samples: it draws no more bits than they take. The support
/// must fit the type.
pub(super) fn fill<T: Int, B: BitSource + ?Sized>(
    table: &CdtTable<&[u32]>,
    backend: Backend,
    bits: &mut B,
    out: &mut [T],
) {
    let signed = table.shape() == Shape::Folded;
    let record = table.precision() as usize + usize::from(signed);
    let mut planes = [[0_u32; LANES]; GROUPS];
    let mut indices = [0_u32; LANES];
    let (heads, tails) = table.digits().split_at(table.len());
    let planes = &mut planes[..record.div_ceil(LANES)];
    for slots in out.chunks_mut(LANES) {
        // step 1: row by row, least significant bits first
        for lane in 0..slots.len() {
            for (group, rows) in planes.iter_mut().enumerate() {
                rows[lane] = bits.bits((record - LANES * group).min(LANES) as u32) as u32;
            }
        }
        // step 2
        backend.run(Batch { planes, heads, tails, precision: table.precision() as usize, signed, out: &mut indices });
        // step 3
        for (slot, index) in slots.iter_mut().zip(&indices) {
            *slot = T::wrapping(table.first() + i64::from(index.cast_signed()));
        }
    }
    planes.as_flattened_mut().zeroize();
    indices.as_mut_slice().zeroize();
}

/// For each of 32 records (u, sign) the number of thresholds above u, negated if the sign is 1.
///
/// No branch, index or address depends on the records.
struct Batch<'a> {
    /// Bits 32g … 32g + 31 of each record in group g; zeros behind its end.
    planes: &'a mut [[u32; LANES]],
    heads: &'a [u32],
    tails: &'a [u32],
    precision: usize,
    signed: bool,
    out: &'a mut [u32; LANES],
}

impl Kernel for Batch<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Batch { planes, heads, tails, precision, signed, out } = self;
        planes.iter_mut().for_each(transpose);
        let planes = planes.as_flattened();
        let mut bits = count(&planes[..precision], heads, tails);
        if signed {
            // Two's complement: (x ⊕ s) + s.
            let mut carry = planes[precision];
            for bit in &mut bits {
                let flipped = *bit ^ planes[precision];
                *bit = flipped ^ carry;
                carry &= flipped;
            }
        }
        out[..16].copy_from_slice(&bits);
        out[16..].fill(bits[15]);
        transpose(out);
    }
}

/// Bit k of row r goes to bit r of row k.
#[inline(always)]
fn transpose(rows: &mut [u32; LANES]) {
    for (distance, mask) in
        [(16, 0x0000_ffff_u32), (8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)]
    {
        for block in rows.chunks_exact_mut(2 * distance) {
            let (low, high) = block.split_at_mut(distance);
            for (a, b) in low.iter_mut().zip(high) {
                let differing = (*a >> distance ^ *b) & mask;
                *a ^= differing << distance;
                *b ^= differing;
            }
        }
    }
}

/// The bits of #{j : u < T_j}, for the planes of u.
#[inline(always)]
fn count(u: &[u32], heads: &[u32], tails: &[u32]) -> [u32; 16] {
    let more = u.len().div_ceil(32) - 1;
    let padding = 32 * (more + 1) - u.len();
    let mut count = [0_u32; 16];
    // Where u is zero in the places from `top` on, as are the thresholds to come.
    let (mut zeros, mut top) = (u32::MAX, u.len());
    for first in (0..heads.len()).step_by(GROUP) {
        // The digits of the group, the least significant first; T is 0 beyond the table.
        let mut columns = [[0_u32; GROUP]; 8];
        for (j, head) in heads[first..].iter().take(GROUP).enumerate() {
            columns[more & 7][j] = *head;
            for (column, digit) in columns.iter_mut().zip(tails[(first + j) * more..][..more].iter().rev()) {
                column[j] = *digit;
            }
        }
        // Its largest threshold is its first.
        let leading = columns.iter().rposition(|column| column[0] != 0);
        let used = leading.map_or(0, |d| (32 * d + columns[d][0].ilog2() as usize + 1).saturating_sub(padding));
        while top > used {
            top -= 1;
            zeros &= !u[top];
        }
        // From the least significant bit on, with v of u and t of T: less <- v < t, or v = t and less.
        let mut less = [0_u32; GROUP];
        for (place, plane) in (padding..).zip(&u[..used]) {
            let (column, not) = (&columns[place / 32 % 8], !plane);
            for (less, digit) in less.iter_mut().zip(column) {
                let t = (digit >> (place % 32) & 1).wrapping_neg();
                *less = (not & (*less | t)) | (*less & t);
            }
        }
        // As the T fall, u < T_j is a thermometer: bit k of its height is the parity of the outcomes at the multiples of 2^k.
        for (j, less) in (first + 1..).zip(less) {
            for count in &mut count[..=j.trailing_zeros().min(15) as usize] {
                *count ^= less & zeros;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposition_moves_bits() {
        let rows: [u32; LANES] = core::array::from_fn(|i| (i as u32 + 1).wrapping_mul(0x9e37_79b9));
        let mut turned = rows;
        transpose(&mut turned);
        for (r, row) in rows.iter().enumerate() {
            assert!((0..LANES).all(|k| row >> k & 1 == turned[k] >> r & 1), "{r}");
        }
    }
}
