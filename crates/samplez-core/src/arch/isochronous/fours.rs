//! The accepted values brought together, four at a time by a shuffle of bytes.

use super::trial::Accepted;

/// For each mask of 4 the places of its bits, the lowest first, four bytes each.
static PLACES: [[u8; 16]; 16] = {
    let mut places = [[0; 16]; 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut i, mut made) = (0, 0);
        while i < 16 {
            if mask >> (i / 4) & 1 != 0 {
                places[mask][made] = i as u8;
                made += 1;
            }
            i += 1;
        }
        mask += 1;
    }
    places
};

/// For each mask of 4 how many bits it has, in four bits.
const COUNTS: u64 = 0x4332_3221_3221_2110;

/// [`Accepted::run`], by what moves the bytes of four values from these places.
#[inline(always)]
pub(super) fn accepted(values: Accepted<'_>, shuffle: impl Fn(&[i32; 4], &[u8; 16], &mut [i32; 4])) -> usize {
    let Accepted { values, accepted, out } = values;
    let mut made = 0;
    for (values, masks) in values.iter().zip(accepted) {
        for (i, values) in values.as_chunks().0.iter().enumerate() {
            let mask = masks >> (4 * i) & 0xf;
            let Some(out) = out.get_mut(made..).and_then(|out| out.first_chunk_mut()) else { break };
            shuffle(values, &PLACES[mask as usize], out);
            made += (COUNTS >> (4 * mask) & 0xf) as usize;
        }
    }
    made
}
