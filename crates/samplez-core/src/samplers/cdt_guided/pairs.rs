//! Many samples by a guide.

use super::CdtGuided;
use crate::bits::BitSource;
use crate::sampler::{Int, Sampler};
use crate::samplers::common::feed::Feed;

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> CdtGuided<S, G> {
    /// `fill` by draws of at most 32 bits, two at a time, of values that fit T.
    pub(super) fn fill_by_pairs<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) {
        let (sign, draw_bits) = (u32::from(self.folded()), self.draw_bits());
        let mut feed = Feed::new(bits);
        let mut next = 0;
        while next < out.len() {
            // A sample uses the bits of a draw or more.
            let wanted = out.len() - next;
            if wanted >= 2 && feed.look_ahead(wanted.saturating_mul(draw_bits as usize)) {
                let word = feed.peek();
                let draws = [word, word >> draw_bits].map(|word| (word & (u64::MAX >> (64 - draw_bits))) as u32);
                if let [Ok(a), Ok(b)] = draws.map(|draw| self.table.look_up(draw >> sign)) {
                    out[next] = T::wrapping(self.value(a, draws[0]));
                    out[next + 1] = T::wrapping(self.value(b, draws[1]));
                    feed.skip(2 * draw_bits as usize);
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
