//! A generator for the unit tests: the core has none.

use crate::bits::{BitReader, SplitMix64};
use core::convert::Infallible;
use rand_core::TryRng;

impl TryRng for SplitMix64 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.fill(out);
        Ok(())
    }
}

/// A reader over the generator with this seed.
pub(crate) fn reader(seed: u8) -> BitReader<SplitMix64> {
    BitReader::new(SplitMix64(seed.into()))
}
