//! A short falling list, searched in a register.

use crate::arch::Backend;

/// Up to 31 falling numbers, 0 < key < 2^16, in which AVX-512 finds the places of 32 draws at once.
///
/// A draw is 16 bits: a lead, and below it, if `folded`, a sign. Its index is the number of keys
/// above its lead.
#[derive(Clone, Debug)]
pub(crate) struct Ladder {
    /// The keys, less 2^15 if not folded, and as many zeros, less the same, as there is room for.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "read by AVX-512 code only"))]
    keys: [i16; 32],
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "read by AVX-512 code only"))]
    len: usize,
    folded: bool,
}

impl Ladder {
    /// The ladder of these keys, unless there are more than 31. Folded keys are below 2^15.
    pub(crate) fn new(keys: impl Iterator<Item = u16>, folded: bool) -> Option<Self> {
        let bias = if folded { 0 } else { 1 << 15 };
        let (mut list, mut len) = ([bias as i16; 32], 0);
        for key in keys {
            *list[..31].get_mut(len)? = (key ^ bias) as i16;
            len += 1;
        }
        Some(Ladder { keys: list, len, folded })
    }

    /// For each draw of each block its index, negative if its sign is 1; and a word for each block,
    /// in which the bit of a draw is set if its lead is a key or 0 (its value means nothing then).
    /// There are as many `values` and `open` as there are blocks.
    ///
    /// Returns false, and does nothing, if the backend has no code for it.
    #[inline]
    pub(crate) fn look_up(
        &self,
        backend: Backend,
        blocks: &[[u64; 16]],
        values: &mut [[i16; 64]],
        open: &mut [u64],
    ) -> bool {
        #[cfg(target_arch = "x86_64")]
        if backend == Backend::Avx512 && backend.is_available() {
            // SAFETY: the processor has what is_available has asked for.
            unsafe {
                if self.len < 16 {
                    avx512::look_up::<4>(&self.keys, self.folded, blocks, values, open);
                } else {
                    avx512::look_up::<5>(&self.keys, self.folded, blocks, values, open);
                }
            }
            return true;
        }
        let _ = (backend, blocks, values, open, self.folded);
        false
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use core::arch::x86_64::*;
    use core::mem::transmute;

    /// [`Ladder::look_up`](super::Ladder::look_up) for fewer than 2^LEVELS keys.
    ///
    /// # Safety
    ///
    /// The processor must have AVX-512 F and BW.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn look_up<const LEVELS: u32>(
        keys: &[i16; 32],
        folded: bool,
        blocks: &[[u64; 16]],
        values: &mut [[i16; 64]],
        open: &mut [u64],
    ) {
        // SAFETY: 64 bytes of plain data either way.
        let keys: __m512i = unsafe { transmute(*keys) };
        for ((words, values), open) in blocks.iter().zip(values).zip(open) {
            *open = 0;
            let (halves, _) = words.as_chunks::<8>();
            let (values, _) = values.as_chunks_mut::<32>();
            for (i, (words, values)) in halves.iter().zip(values).enumerate() {
                // SAFETY: 64 bytes of plain data either way; on x86 the first word is the lowest.
                let draws: __m512i = unsafe { transmute(*words) };
                let (indices, undecided) = half::<LEVELS>(keys, folded, draws);
                // SAFETY: 64 bytes of plain data either way.
                *values = unsafe { transmute::<__m512i, [i16; 32]>(indices) };
                *open |= u64::from(undecided) << (32 * i);
            }
        }
    }

    /// 32 draws: a binary search in the keys, then the sign.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn half<const LEVELS: u32>(keys: __m512i, folded: bool, draws: __m512i) -> (__m512i, u32) {
        let number = |x: i16| _mm512_set1_epi16(x);
        let (lead, negative) = if folded {
            (_mm512_srli_epi16::<1>(draws), _mm512_and_si512(draws, number(1)))
        } else {
            (_mm512_xor_si512(draws, number(i16::MIN)), number(0))
        };
        let mut index = number(0);
        for level in (0..LEVELS).rev() {
            // The keys fall: if the one at index + 2^level - 1 is above the lead, so are those before it.
            let step = 1 << level;
            let key = _mm512_permutexvar_epi16(_mm512_add_epi16(index, number(step - 1)), keys);
            let above = _mm512_cmpgt_epi16_mask(key, lead);
            index = _mm512_mask_add_epi16(index, above, index, number(step));
        }
        // The first key that is not above the lead.
        let undecided = _mm512_cmpeq_epi16_mask(_mm512_permutexvar_epi16(index, keys), lead);
        let minus = _mm512_sub_epi16(number(0), negative);
        (_mm512_add_epi16(_mm512_xor_si512(index, minus), negative), undecided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every draw there is, against the definition, for ladders of every length.
    #[test]
    fn a_ladder_is_what_it_is_defined_as() {
        for folded in [true, false] {
            let top: u32 = if folded { 1 << 15 } else { 1 << 16 };
            for len in 0..32_u32 {
                // Some keys are neighbours, some are equal, one is the largest.
                let key = |i: u32| ((top - 1) >> (i / 2)).saturating_sub(i % 3).max(1) as u16;
                let mut keys: std::vec::Vec<u16> = (0..len).map(key).collect();
                keys.sort_by(|a, b| b.cmp(a));
                let ladder = Ladder::new(keys.iter().copied(), folded).unwrap();
                for chunk in 0..1024_u64 {
                    let block = core::array::from_fn(|i| {
                        (0..4).fold(0, |word, k| word | (64 * chunk + 4 * i as u64 + k) << (16 * k))
                    });
                    let (mut values, mut open) = ([[0; 64]], [0]);
                    if !ladder.look_up(Backend::current(), &[block], &mut values, &mut open) {
                        return;
                    }
                    for (i, value) in values[0].into_iter().enumerate() {
                        let draw = 64 * chunk as usize + i;
                        let (lead, negative) = if folded { (draw / 2, draw & 1 != 0) } else { (draw, false) };
                        let undecided = lead == 0 || keys.contains(&(lead as u16));
                        assert_eq!(open[0] >> i & 1 != 0, undecided, "{draw}, {keys:?}");
                        let index = keys.iter().filter(|key| usize::from(**key) > lead).count() as i16;
                        assert!(undecided || value == if negative { -index } else { index }, "{draw}, {keys:?}");
                    }
                }
            }
            assert!(Ladder::new([1; 32].into_iter(), folded).is_none());
        }
    }
}
