//! A generator for the unit tests: the core has none.

use crate::bits::BitReader;
use core::convert::Infallible;
use rand_core::TryRng;

/// SplitMix64 (Steele, Lea, Flood 2014): equidistributed words, good enough for every test here.
pub(crate) struct SplitMix64(u64);

impl TryRng for SplitMix64 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(z ^ z >> 31)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for part in out.chunks_mut(8) {
            let Ok(word) = self.try_next_u64();
            part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
}

/// A reader over the generator with this seed.
pub(crate) fn reader(seed: u8) -> BitReader<SplitMix64> {
    BitReader::new(SplitMix64(seed.into()))
}
