//! [`Level`] by look-ups in registers.

use super::level::{COLUMNS, Level, POOL};
use crate::arch::bytes::Bytes;
use crate::arch::tree::{Tree, descend};

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
fn counts<V: Bytes>(tree: Tree<'_>, cells: usize) -> [V; 16] {
    let mut counts = [V::splat(0); 16];
    for rank in 1..=tree.len {
        let number = V::splat(tree.rows[tree.place(rank)].cast_unsigned());
        for (count, draws) in counts.iter_mut().zip(NUMBERS[..cells].chunks_exact(V::LANES)) {
            *count = count.count(V::load(draws).below(number));
        }
    }
    counts
}

impl<V: Bytes, const CELLS: usize> Count<V> for ByTable<V, CELLS> {
    #[inline(always)]
    fn above(&self, draws: V) -> V {
        V::of_rank::<CELLS>(&self.0, draws)
    }
}

/// By search in the tree of this row, of LEVELS levels if not 0; draws or-ed and xor-ed with these are less 128.
struct BySearch<'a, V, const LEVELS: usize> {
    row: &'a [u8],
    levels: usize,
    or: V,
    xor: V,
}

impl<'a, V: Bytes, const LEVELS: usize> BySearch<'a, V, LEVELS> {
    #[inline(always)]
    fn new(tree: Tree<'a>, folded: bool) -> Self {
        let levels = if LEVELS > 0 { LEVELS } else { tree.levels as usize };
        // A length that the compiler knows where it knows the levels.
        let row = &bytemuck::cast_slice(tree.rows)[..(1 << levels).max(COLUMNS)];
        let (or, xor) = if folded { (0x80, 0) } else { (0, 0x80) };
        BySearch { row, levels, or: V::splat(or), xor: V::splat(xor) }
    }
}

impl<V: Bytes, const LEVELS: usize> Count<V> for BySearch<'_, V, LEVELS> {
    #[inline(always)]
    fn above(&self, draws: V) -> V {
        descend::<V, LEVELS>(&[self.row], self.levels, &[draws.or(self.or).xor(self.xor)]).0
    }
}

/// The values of a section, `less` one too small if decided. Returns how many samples are open, at most 255.
#[inline(always)]
fn settle<V: Bytes, const ENTRIES: usize>(
    cells: &mut [u8],
    [pool, sign]: [&[u8; POOL]; 2],
    less: V,
    count: &impl Count<V>,
) -> u8 {
    let (pool, sign) = (V::tables::<ENTRIES>(pool), V::load(sign));
    let mut taken = V::splat(0);
    for cells in cells.chunks_exact_mut(V::LANES) {
        let draws = V::load(cells);
        let count = count.above(draws);
        let values = count.plus(less).hand_out::<ENTRIES>(count.is_zero(), &pool, &mut taken);
        values.negated(draws.and(sign)).store(cells);
    }
    let mut bytes = [0; COLUMNS];
    taken.store(&mut bytes);
    bytes[0]
}

/// Whether all common lengths are compiled for themselves: WebAssembly is downloaded.
const ALL_WRITTEN_OUT: bool = !cfg!(target_arch = "wasm32");

/// The sections of a level. 1 if one of them has more open samples than entries, or else 0.
#[inline(always)]
fn sections<V: Bytes>(level: Level<'_>, count: &impl Count<V>) -> u32 {
    let (less, mut overflow) = (V::splat(level.base.wrapping_sub(1)), 0);
    let sign = &[if level.folded { 0x80 } else { 0 }; POOL];
    for (cells, pool, entries) in level.sections() {
        let inputs = [pool, sign];
        let open = match entries.div_ceil(64) {
            1 if ALL_WRITTEN_OUT => settle::<V, 64>(cells, inputs, less, count),
            2 if ALL_WRITTEN_OUT => settle::<V, 128>(cells, inputs, less, count),
            0..=3 => settle::<V, 192>(cells, inputs, less, count),
            _ => settle::<V, 256>(cells, inputs, less, count),
        };
        overflow |= (entries as u32).wrapping_sub(open.into()) >> 31;
    }
    overflow
}

/// [`Level::run`] in these registers.
#[inline(always)]
pub(super) fn run<V: Bytes>(level: Level<'_>) -> u32 {
    let (tree, folded) = (level.tree, level.folded);
    // A table in registers is worth making for so many rows.
    if 1 << V::INDEX_BITS == COLUMNS && level.cells.len() >= 8 * COLUMNS {
        return if folded {
            sections(level, &ByTable::<V, 128>(counts(tree, 128)))
        } else {
            sections(level, &ByTable::<V, 256>(counts(tree, 256)))
        };
    }
    match tree.levels {
        4 => sections(level, &BySearch::<V, 4>::new(tree, folded)),
        5 if ALL_WRITTEN_OUT => sections(level, &BySearch::<V, 5>::new(tree, folded)),
        _ => sections(level, &BySearch::<V, 0>::new(tree, folded)),
    }
}
