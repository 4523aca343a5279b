//! From a generator's bytes to the traits of generators.

/// The generator traits, over `fn fill(&mut self, out: &mut [u8])`: the bytes in order, for any mix of requests. Words
/// are little-endian. `Debug` shows nothing.
macro_rules! byte_stream {
    ($name:ident) => {
        impl rand_core::TryRng for $name {
            type Error = core::convert::Infallible;
            #[inline]
            fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
                let mut bytes = [0; 4];
                self.0.fill(&mut bytes);
                Ok(u32::from_le_bytes(bytes))
            }
            #[inline]
            fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
                let mut bytes = [0; 8];
                self.0.fill(&mut bytes);
                Ok(u64::from_le_bytes(bytes))
            }
            #[inline]
            fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
                self.0.fill(out);
                Ok(())
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}
pub(super) use byte_stream;
