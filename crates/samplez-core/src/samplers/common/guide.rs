//! A guide to a falling list: where to begin to search, by a key's leading bits.

use crate::samplers::cdt::count_above;
use core::hint::select_unpredictable;

/// Leading bits of a key that choose a cell.
const CELL_BITS: u32 = 9;
const CELLS: usize = 1 << CELL_BITS;
/// A cell leaves this many places open, or is searched without the guide.
const WINDOW: usize = 16;
const WIDE: u32 = u32::MAX;

/// For each cell of keys the first of [`WINDOW`] places among which all of its keys belong.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    starts: [u32; CELLS],
}

impl Guide {
    pub(crate) const BYTES: usize = 4 * CELLS;

    /// The guide to these falling heads.
    pub(crate) fn new(heads: &[u32]) -> Self {
        let mut starts = [WIDE; CELLS];
        for (cell, start) in starts.iter_mut().enumerate() {
            let smallest = (cell as u32) << (32 - CELL_BITS);
            let [least, most] = count_above(heads, [smallest | u32::MAX >> CELL_BITS, smallest]);
            if most - least <= WINDOW
                && let Some(last) = heads.len().checked_sub(WINDOW)
                && let Ok(first) = u32::try_from(least.min(last))
            {
                *start = first;
            }
        }
        Guide { starts }
    }

    /// How many of the heads are above each key; without branches unless a cell is wide.
    #[inline(always)]
    pub(crate) fn count_above<const N: usize>(&self, heads: &[u32], keys: [u32; N]) -> [usize; N] {
        let starts = keys.map(|key| self.starts[(key >> (32 - CELL_BITS)) as usize]);
        if starts.contains(&WIDE) {
            return wide(heads, keys);
        }
        let mut indices = starts.map(|start| start as usize);
        let mut half = WINDOW / 2;
        while half > 0 {
            for (index, key) in indices.iter_mut().zip(keys) {
                *index = select_unpredictable(heads[*index + half - 1] > key, *index + half, *index);
            }
            half /= 2;
        }
        for (index, key) in indices.iter_mut().zip(keys) {
            *index += usize::from(heads[*index] > key);
        }
        indices
    }
}

#[cold]
#[inline(never)]
fn wide<const N: usize>(heads: &[u32], keys: [u32; N]) -> [usize; N] {
    count_above(heads, keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn the_guide_leads_to_the_place_of_the_search() {
        for len in [1, 15, 16, 17, 100, 4000] {
            for shape in 0..3_u64 {
                let mut state = 1_u64 + len as u64 + shape;
                let mut next = || {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 32) as u32 >> (10 * shape)
                };
                let mut heads: Vec<u32> = (0..len).map(|_| next()).collect();
                heads.sort_by(|a, b| b.cmp(a));
                let guide = Guide::new(&heads);
                let near = heads.iter().flat_map(|h| [h.wrapping_sub(1), *h, h.wrapping_add(1)]);
                for key in near.chain([0, u32::MAX]).chain((0..500).map(|i| i * 8_589_934)) {
                    let count = heads.iter().filter(|head| **head > key).count();
                    assert_eq!(guide.count_above(&heads, [key, 5]), count_above(&heads, [key, 5]));
                    assert_eq!(guide.count_above(&heads, [key]), [count]);
                }
            }
        }
    }
}
