//! [`Level`] in bit planes: the text for every machine without a search in registers, as that of a lazy batch.

use super::level::{COLUMNS, Level};
use crate::arch::RegisterKernel;
use crate::arch::cdt_lazy_ct::planes::{Open, decide, hand_out};
use crate::arch::planes::transpose_bits;
use crate::arch::register::Register;
use zeroize::Zeroize;

impl RegisterKernel for Level<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<V: Register>(mut self) -> u32 {
        let (tree, folded, base, mut overflow) = (self.tree, self.folded, self.base, 0);
        for (draws, pool, entries, values) in self.sections() {
            let mut open = Open::new();
            decide::<V, 1>(tree, folded, draws, [&mut *values, &mut []], &mut open.rows);
            overflow |= open.rank(entries);
            // The entries less the base, which is added to all samples at the end.
            let mut words = [[0; 8]; 8];
            for (lane, row) in pool.as_chunks::<COLUMNS>().0.iter().enumerate() {
                for (words, bytes) in words.iter_mut().zip(row.as_chunks::<8>().0) {
                    words[lane % 8] = u64::from_le_bytes(bytes.map(|byte| byte.wrapping_sub(base)));
                }
            }
            let mut planes = words.map(|words| V::load(&words));
            transpose_bits(&mut planes);
            for (bit, plane) in planes.into_iter().enumerate() {
                plane.store(&mut words[bit]);
                for (slots, word) in open.slots.iter_mut().zip(words[bit]) {
                    slots[bit] = word;
                }
            }
            words.zeroize();
            hand_out::<V>((8, false), entries, [&mut *values, &mut []], &mut open);
            for value in values {
                *value = value.wrapping_add(base);
            }
        }
        overflow
    }
}
