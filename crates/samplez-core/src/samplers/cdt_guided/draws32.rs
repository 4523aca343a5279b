//! Many samples by draws of 32 bits.

use super::CdtGuided;
use crate::bits::BitSource;
use crate::sampler::{Int, Sampler};
use crate::samplers::common::feed::Feed;

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> CdtGuided<S, G> {
    /// `fill` for draws of 32 bits, two at a time, and values that fit T.
    pub(super) fn fill_by_32<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        let sign = u32::from(self.folded());
        let mut feed = Feed::new(bits);
        let mut next = 0;
        while next < out.len() {
            // A sample uses 32 bits or more.
            let wanted = out.len() - next;
            if wanted >= 2 && feed.look_ahead(wanted.saturating_mul(32)) {
                let word = feed.peek();
                let draws = [word as u32, (word >> 32) as u32];
                if let [Ok(a), Ok(b)] = draws.map(|draw| self.table.look_up(draw >> sign)) {
                    out[next] = T::wrapping(self.value(a, draws[0]));
                    out[next + 1] = T::wrapping(self.value(b, draws[1]));
                    feed.skip(64);
                    next += 2;
                    continue;
                }
            }
            for slot in out[next..].iter_mut().take(2) {
                *slot = T::wrapping(self.sample(&mut feed));
                next += 1;
            }
        }
    }
}
