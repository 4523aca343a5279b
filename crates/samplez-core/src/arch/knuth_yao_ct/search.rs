//! [`Level`] by look-ups in registers.

use super::level::{COLUMNS, Level, POOL};
use crate::arch::tree::{Tree, descend};
use crate::arch::vector::ByteVector;

/// From how many rows on a table is made in registers, where they have tables of rows.
const TABLE_ROWS: usize = 4;

/// 0, 1, …, less 128.
static NUMBERS: [u8; POOL] = {
    let mut numbers = [0; POOL];
    let mut i = 0;
    while i < POOL {
        numbers[i] = i as u8 ^ 0x80;
        i += 1;
    }
    numbers
};

/// How many numbers are above draws. No closure: a closure that is not inlined is compiled without the instructions.
trait Count<V> {
    fn above(&self, draws: V) -> V;
}

/// By tables of CELLS counts: 256, or 128 for the lowest seven bits.
struct ByTable<V, const CELLS: usize>([V; 16]);

/// The tables of how many numbers of the tree are above 0, 1, …, of so many cells.
#[inline(always)]
fn counts<V: ByteVector>(tree: Tree<'_>, cells: usize) -> [V; 16] {
    let mut counts = [V::splat8(0); 16];
    for rank in 1..=tree.len {
        let number = V::splat8(tree.rows[tree.place(rank)].cast_unsigned());
        for (count, draws) in counts.iter_mut().zip(NUMBERS[..cells].chunks_exact(V::LANES)) {
            *count = count.count(V::load8(draws).below(number));
        }
    }
    counts
}

impl<V: ByteVector, const CELLS: usize> Count<V> for ByTable<V, CELLS> {
    #[inline(always)]
    fn above(&self, draws: V) -> V {
        V::of_rank::<CELLS>(&self.0, draws)
    }
}

/// By search in the tree of this row, of LEVELS levels if not 0, for the lowest seven bits if FOLDED.
struct BySearch<'a, const LEVELS: usize, const FOLDED: bool> {
    row: &'a [u8],
    levels: usize,
}

impl<'a, const LEVELS: usize, const FOLDED: bool> BySearch<'a, LEVELS, FOLDED> {
    #[inline(always)]
    fn new(tree: Tree<'a>) -> Self {
        let levels = if LEVELS > 0 { LEVELS } else { tree.levels as usize };
        // A length that the compiler knows where it knows the levels.
        let row = &bytemuck::cast_slice(tree.rows)[..(1 << levels).max(COLUMNS)];
        BySearch { row, levels }
    }
}

impl<V: ByteVector, const LEVELS: usize, const FOLDED: bool> Count<V> for BySearch<'_, LEVELS, FOLDED> {
    #[inline(always)]
    fn above(&self, draws: V) -> V {
        // v - 128: a v of seven bits has no other.
        let sign = V::splat8(0x80);
        let draws = if FOLDED { draws.or(sign) } else { draws.xor(sign) };
        descend::<V, LEVELS>(&[self.row], self.levels, &[draws]).0
    }
}

/// The values of a section, with signs if FOLDED. Returns how many samples are open, at most 255.
#[inline(always)]
fn settle<V: ByteVector, const ENTRIES: usize, const FOLDED: bool>(
    draws: &[u8],
    values: &mut [u8],
    pool: &[u8; POOL],
    base: u8,
    count: &impl Count<V>,
) -> u8 {
    let (pool, less, mut taken) = (V::tables::<ENTRIES>(pool), V::splat8(base.wrapping_sub(1)), V::splat8(0));
    for (draws, values) in draws.chunks_exact(V::LANES).zip(values.chunks_exact_mut(V::LANES)) {
        let draws = V::load8(draws);
        let count = count.above(draws);
        let found = count.plus8(less).hand_out::<ENTRIES>(count.is_zero(), &pool, &mut taken);
        if FOLDED { found.negated(draws) } else { found }.store8(values);
    }
    let mut bytes = [0; COLUMNS];
    taken.store8(&mut bytes);
    bytes[0]
}

/// Whether all common lengths are compiled for themselves: WebAssembly is downloaded.
const ALL_WRITTEN_OUT: bool = !cfg!(target_arch = "wasm32");

/// The sections of a level. 1 if one of them has more open samples than entries, or else 0.
#[inline(always)]
fn sections<V: ByteVector, const FOLDED: bool>(level: Level<'_>, count: &impl Count<V>) -> u32 {
    let (base, mut overflow) = (level.base, 0);
    for (draws, values, pool, entries) in level.sections() {
        let open = match entries.div_ceil(64) {
            1 if ALL_WRITTEN_OUT => settle::<V, 64, FOLDED>(draws, values, pool, base, count),
            2 if ALL_WRITTEN_OUT => settle::<V, 128, FOLDED>(draws, values, pool, base, count),
            0..=3 => settle::<V, 192, FOLDED>(draws, values, pool, base, count),
            _ => settle::<V, 256, FOLDED>(draws, values, pool, base, count),
        };
        overflow |= (entries as u32).wrapping_sub(open.into()) >> 31;
    }
    overflow
}

/// The level, by search where no table is worth making.
#[inline(always)]
fn search<V: ByteVector, const FOLDED: bool>(level: Level<'_>) -> u32 {
    let tree = level.tree;
    match tree.levels {
        4 => sections::<V, FOLDED>(level, &BySearch::<4, FOLDED>::new(tree)),
        5 if ALL_WRITTEN_OUT => sections::<V, FOLDED>(level, &BySearch::<5, FOLDED>::new(tree)),
        _ => sections::<V, FOLDED>(level, &BySearch::<0, FOLDED>::new(tree)),
    }
}

/// [`Level::run`] in these registers.
#[inline(always)]
pub(super) fn run<V: ByteVector>(level: Level<'_>) -> u32 {
    let tree = level.tree;
    let by_table = 1 << V::INDEX_BITS == COLUMNS && level.draws.len() >= TABLE_ROWS * COLUMNS;
    match (level.folded, by_table) {
        (true, true) => sections::<V, true>(level, &ByTable::<V, 128>(counts(tree, 128))),
        (true, false) => search::<V, true>(level),
        (false, true) => sections::<V, false>(level, &ByTable::<V, 256>(counts(tree, 256))),
        (false, false) => search::<V, false>(level),
    }
}
