//! [`Level`] by look-ups in registers.

use super::level::{COLUMNS, Level, POOL};
use crate::arch::bytes::Bytes;
use crate::arch::cdt_lazy_ct::ranks;
use crate::arch::tree::{Tree, descend};
use zeroize::Zeroize;

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
        let sign = V::splat(0x80);
        V::of_rank::<CELLS>(&self.0, if CELLS == 128 { draws.or(sign).xor(sign) } else { draws })
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

/// The values of decided samples, less `base` and one too large, and 0 for open ones. Counts the open ones of each column.
#[inline(always)]
fn decide<V: Bytes>(draws: &[u8], values: &mut [u8], open: &mut [u8; COLUMNS], count: &impl Count<V>) {
    for first in (0..COLUMNS).step_by(V::LANES) {
        let mut open_here = V::splat(0);
        for (draws, values) in draws.chunks_exact(COLUMNS).zip(values.chunks_exact_mut(COLUMNS)) {
            let count = count.above(V::load(&draws[first..]));
            count.store(&mut values[first..]);
            open_here = open_here.count(count.is_zero());
        }
        open_here.store(&mut open[first..]);
    }
}

/// The values: counts with `base` and less one, or the pool's entries, in order.
#[inline(always)]
fn hand_out<V: Bytes, const ENTRIES: usize>(base: u8, pool: &[u8; POOL], ranks: &[u8; COLUMNS], values: &mut [u8]) {
    let (base, pool) = (V::splat(base.wrapping_sub(1)), V::tables::<ENTRIES>(pool));
    for first in (0..COLUMNS).step_by(V::LANES) {
        let mut rank = V::load(&ranks[first..]);
        for values in values.chunks_exact_mut(COLUMNS) {
            let values = &mut values[first..];
            let count = V::load(values);
            let is_open = count.is_zero();
            V::select(is_open, V::of_rank::<ENTRIES>(&pool, rank), count.plus(base)).store(values);
            rank = rank.count(is_open);
        }
    }
}

/// Whether all common lengths are compiled for themselves: WebAssembly is downloaded.
const ALL_WRITTEN_OUT: bool = !cfg!(target_arch = "wasm32");

/// [`Level::run`] in these registers.
#[inline(always)]
pub(super) fn run<V: Bytes>(mut level: Level<'_>) -> u32 {
    let (tree, folded, base, mut overflow) = (level.tree, level.folded, level.base, 0);
    let mut open_words = [0_u64; COLUMNS / 8];
    let open: &mut [u8; COLUMNS] = bytemuck::cast_mut(&mut open_words);
    // A table in registers is worth making for so many rows.
    let by_table = 1 << V::INDEX_BITS == COLUMNS && level.draws.len() >= 16 * COLUMNS;
    let counts = if by_table { counts::<V>(tree, if folded { 128 } else { POOL }) } else { [V::splat(0); 16] };
    for (draws, pool, entries, values) in level.sections() {
        match tree.levels {
            _ if by_table && folded => decide(draws, values, open, &ByTable::<V, 128>(counts)),
            _ if by_table => decide(draws, values, open, &ByTable::<V, 256>(counts)),
            4 => decide(draws, values, open, &BySearch::<V, 4>::new(tree, folded)),
            5 => decide(draws, values, open, &BySearch::<V, 5>::new(tree, folded)),
            _ => decide(draws, values, open, &BySearch::<V, 0>::new(tree, folded)),
        }
        overflow |= ranks(open, entries);
        match entries.div_ceil(64) {
            1 if ALL_WRITTEN_OUT => hand_out::<V, 64>(base, pool, open, values),
            2 if ALL_WRITTEN_OUT => hand_out::<V, 128>(base, pool, open, values),
            0..=3 => hand_out::<V, 192>(base, pool, open, values),
            _ => hand_out::<V, 256>(base, pool, open, values),
        }
    }
    open_words.zeroize();
    overflow
}
