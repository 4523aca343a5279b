//! [`Codes::decode`] in the registers of AVX2, and of AVX-512 with VBMI and VBMI2.
//!
//! A group's bytes are all looked up, and settled by the bytes behind them, as if each were a draw's
//! first. Which of them are follows from the open ones: a byte is a second one if that before it is a
//! first one and open. The values of the first bytes are then moved together.

use super::lookup::{Codes, Decoded, GROUP, OPEN, PADDING, SEVERAL};
use crate::arch::{Backend, align_frame};
use core::arch::x86_64::*;

cpufeatures::new!(has_avx2, "avx2", "popcnt");
cpufeatures::new!(has_vbmi, "avx512f", "avx512bw", "avx512vbmi", "avx512vbmi2", "popcnt");

/// As [`Codes::decode`], unless the backend has no code for it here.
#[inline]
pub(super) fn decode(codes: &Codes, backend: Backend, bytes: &[u8], values: &mut [i8]) -> Option<Decoded> {
    if !backend.is_available() {
        return None;
    }
    if backend == Backend::Avx512 && has_vbmi::get() {
        // SAFETY: the processor has the instructions.
        return Some(unsafe {
            match (codes.folded, codes.several) {
                (true, ..2) => avx512::<true, 1>(codes, bytes, values),
                (true, _) => avx512::<true, 2>(codes, bytes, values),
                (false, ..2) => avx512::<false, 1>(codes, bytes, values),
                (false, _) => avx512::<false, 2>(codes, bytes, values),
            }
        });
    }
    if backend >= Backend::Avx2 && has_avx2::get() {
        // SAFETY: the processor has the instructions.
        return Some(unsafe {
            if codes.folded { avx2::<8>(codes, bytes, values) } else { avx2::<16>(codes, bytes, values) }
        });
    }
    None
}

/// Returns the first bytes among a group's, from its open ones. `second` is whether its first byte is a second one, and
/// becomes the same of the next group.
///
/// In a run of open bytes every other one is a first byte, beginning with the first of the run. If a run begins at an
/// even place, the subtraction leaves the even places. Otherwise it leaves the odd ones, up to one past the run's end.
#[inline(always)]
fn firsts(open: u64, second: &mut u64) -> u64 {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let runs = open & !*second;
    let code = (runs << 1 | ODD).wrapping_sub(runs) ^ ODD;
    let seconds = code ^ (open | *second);
    *second = (code & open) >> (GROUP - 1);
    !seconds
}

/// Of a group's bytes, `rest` are to be decoded. Returns the first bytes that are decoded, and the one at which
/// decoding stops, if any: one of `hard`, or an open last one.
#[inline(always)]
fn select(firsts: u64, open: u64, hard: u64, rest: usize) -> (u64, u64) {
    let valid = u64::MAX >> (GROUP - rest.min(GROUP));
    let last = if rest <= GROUP { 1 << (rest - 1) } else { 0 };
    let stops = firsts & valid & (hard | open & last);
    let before = stops.wrapping_sub(1) & !stops;
    (firsts & valid & before, stops & stops.wrapping_neg())
}

/// [`Codes::decode`] of codes of which at most SLOTS leads hold several keys.
///
/// # Safety
///
/// The processor must have AVX-512 F, BW, VBMI and VBMI2, and POPCNT.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
fn avx512<const FOLDED: bool, const SLOTS: usize>(codes: &Codes, bytes: &[u8], values: &mut [i8]) -> Decoded {
    align_frame::<__m512i>();
    // SAFETY: 64 bytes of plain data either way.
    let load = |bytes: &[u8; GROUP]| unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
    let table = |table: &[u8; 256]| {
        let (parts, _) = table.as_chunks();
        [load(&parts[0]), load(&parts[1]), load(&parts[2]), load(&parts[3])]
    };
    let splat = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    // The entries of these bytes.
    let look_up = |[a, b, c, d]: [__m512i; 4], at: __m512i| {
        let (low, high) = (_mm512_permutex2var_epi8(a, at, b), _mm512_permutex2var_epi8(c, at, d));
        _mm512_mask_blend_epi8(_mm512_movepi8_mask(at), low, high)
    };
    let (leads, seconds, shared) = (table(&codes.leads), table(&codes.seconds), codes.shared.each_ref().map(table));
    let len = bytes.len() - PADDING;
    let (mut used, mut made, mut second) = (0, 0, 0);
    while used < len {
        let (Some(here), Some(next)) = (bytes[used..].first_chunk(), bytes[used + 1..].first_chunk()) else { break };
        let (here, next) = (load(here), load(next));
        let (entry, key) = if FOLDED {
            // Of an index into 128 entries the highest bit is ignored.
            let lead = _mm512_srli_epi16::<1>(here);
            (_mm512_permutex2var_epi8(leads[0], lead, leads[1]), _mm512_permutex2var_epi8(seconds[0], lead, seconds[1]))
        } else {
            (look_up(leads, here), look_up(seconds, here))
        };
        let open = _mm512_movepi8_mask(entry);
        let several = _mm512_test_epi8_mask(entry, splat(SEVERAL));
        let above = _mm512_and_si512(entry, splat(!(OPEN | SEVERAL)));
        let below = _mm512_mask_cmplt_epu8_mask(open, next, key);
        let mut index = _mm512_mask_add_epi8(above, below, above, splat(1));
        let mut hard = _mm512_mask_cmpeq_epi8_mask(open & !several, next, key);
        for (slot, shared) in shared.into_iter().enumerate().take(SLOTS) {
            let entry = look_up(shared, next);
            let held = if SLOTS == 1 { several } else { _mm512_mask_cmpeq_epi8_mask(several, key, splat(slot as u8)) };
            index = _mm512_mask_mov_epi8(index, held, entry);
            hard |= held & _mm512_movepi8_mask(entry);
        }
        let value = if FOLDED {
            let minus = _mm512_test_epi8_mask(here, splat(1));
            _mm512_mask_sub_epi8(index, minus, _mm512_setzero_si512(), index)
        } else {
            index
        };
        let rest = len - used;
        let (decoded, stop) = select(firsts(open, &mut second), open, hard, rest);
        let Some(slots) = values[made..].first_chunk_mut::<GROUP>() else { break };
        // SAFETY: 64 bytes of plain data either way.
        unsafe { _mm512_storeu_si512(slots.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(decoded, value)) };
        made += decoded.count_ones() as usize;
        if stop != 0 {
            used += stop.trailing_zeros() as usize;
            break;
        }
        used += rest.min(GROUP);
    }
    Decoded { used, made }
}

/// For each mask of eight bytes the places of those that it has, from the first on.
static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut at, mut len) = (0, 0);
        while at < 8 {
            if mask >> at & 1 != 0 {
                places[mask][len] = at as u8;
                len += 1;
            }
            at += 1;
        }
        mask += 1;
    }
    places
};

/// [`Codes::decode`] of codes of 16·ROWS leads: 8 if folded, 16 if not.
///
/// # Safety
///
/// The processor must have AVX2 and POPCNT.
#[target_feature(enable = "avx2,popcnt")]
fn avx2<const ROWS: usize>(codes: &Codes, bytes: &[u8], values: &mut [i8]) -> Decoded {
    align_frame::<__m256i>();
    let folded = ROWS == 8;
    // SAFETY: 32 bytes of plain data either way.
    let load = |bytes: &[u8; 32]| unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    let splat = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    let mask = |flags: __m256i| u64::from(_mm256_movemask_epi8(flags).cast_unsigned());
    let rows = |table: &[u8; 256]| {
        let (rows, _) = table.as_chunks::<16>();
        core::array::from_fn::<__m256i, ROWS, _>(|i| {
            // SAFETY: 16 bytes of plain data either way.
            _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(rows[i].as_ptr().cast()) })
        })
    };
    let (leads, seconds) = (rows(&codes.leads), rows(&codes.seconds));
    let len = bytes.len() - PADDING;
    let (mut used, mut made, mut second) = (0, 0, 0);
    while used < len {
        let (mut open, mut rare, mut halves) = (0, 0, [_mm256_setzero_si256(); 2]);
        for (i, half) in halves.iter_mut().enumerate() {
            let at = &bytes[used + 32 * i..];
            let (Some(here), Some(next)) = (at.first_chunk(), at[1..].first_chunk()) else { break };
            let (here, next) = (load(here), load(next));
            let column = _mm256_and_si256(if folded { _mm256_srli_epi16::<1>(here) } else { here }, splat(0x0f));
            let (entry, key) = (look_up(&leads, column, here), look_up(&seconds, column, here));
            let is_open = _mm256_cmpgt_epi8(_mm256_setzero_si256(), entry);
            let not_below = _mm256_cmpeq_epi8(_mm256_max_epu8(next, key), next);
            let above = _mm256_and_si256(entry, splat(!(OPEN | SEVERAL)));
            let index = _mm256_sub_epi8(above, _mm256_andnot_si256(not_below, is_open));
            *half = if folded {
                let minus = _mm256_cmpeq_epi8(_mm256_and_si256(here, splat(1)), splat(1));
                _mm256_sub_epi8(_mm256_xor_si256(index, minus), minus)
            } else {
                index
            };
            let equal = _mm256_and_si256(is_open, _mm256_cmpeq_epi8(next, key));
            let several = _mm256_slli_epi16::<1>(entry);
            open |= mask(is_open) << (32 * i);
            rare |= mask(_mm256_or_si256(equal, several)) << (32 * i);
        }
        let (first, mut place) = (firsts(open, &mut second), made);
        for (i, half) in halves.into_iter().enumerate() {
            for (j, lane) in [_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half)].into_iter().enumerate()
            {
                for (k, value) in [lane, _mm_srli_si128::<8>(lane)].into_iter().enumerate() {
                    let chosen = (first >> (32 * i + 16 * j + 8 * k)) as u8;
                    let Some(slots) = values[place..].first_chunk_mut::<8>() else { break };
                    // SAFETY: 8 bytes of plain data either way.
                    unsafe {
                        let places = _mm_loadl_epi64(PLACES[usize::from(chosen)].as_ptr().cast());
                        _mm_storel_epi64(slots.as_mut_ptr().cast(), _mm_shuffle_epi8(value, places));
                    }
                    place += chosen.count_ones() as usize;
                }
            }
        }
        let rest = len - used;
        let (mut decoded, mut stop) = select(first, open, rare, rest);
        // Draws of leads that hold several keys are settled one by one.
        while stop != 0 {
            let at = used + stop.trailing_zeros() as usize;
            let settled = if at + 1 < len { codes.second(bytes[at], bytes[at + 1]) } else { None };
            let Some(value) = settled else { break };
            values[made + decoded.count_ones() as usize] = value;
            rare &= !stop;
            (decoded, stop) = select(first, open, rare, rest);
        }
        made += decoded.count_ones() as usize;
        if stop != 0 {
            used += stop.trailing_zeros() as usize;
            break;
        }
        used += rest.min(GROUP);
    }
    Decoded { used, made }
}

/// The entries in the rows that the highest bits of `draws` choose, and in these columns.
///
/// # Safety
///
/// The processor must have AVX2.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up<const ROWS: usize>(rows: &[__m256i; ROWS], column: __m256i, draws: __m256i) -> __m256i {
    align_frame::<__m256i>();
    let mut found: [__m256i; ROWS] = core::array::from_fn(|i| _mm256_shuffle_epi8(rows[i], column));
    let mut left = ROWS;
    // The bit that chooses among neighbours, at the place that a blend reads.
    let mut bit = if ROWS == 8 { _mm256_slli_epi16::<2>(draws) } else { _mm256_slli_epi16::<3>(draws) };
    while left > 1 {
        left /= 2;
        for i in 0..left {
            found[i] = _mm256_blendv_epi8(found[2 * i], found[2 * i + 1], bit);
        }
        // The next higher bit.
        bit = match left {
            8 => _mm256_slli_epi16::<2>(draws),
            4 => _mm256_slli_epi16::<1>(draws),
            _ => draws,
        };
    }
    found[0]
}
