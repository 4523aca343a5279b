//! Many samples by draws of one byte or two.

use super::CdtGuided;
use super::output::{copy, put};
use crate::arch::Backend;
use crate::arch::cdt_guided::{Codes, PADDING};
use crate::bits::BitSource;
use crate::sampler::{Int, Sampler};
use crate::samplers::common::feed::{Feed, WORDS};
use bytemuck::cast_slice_mut;
use zeroize::Zeroize;

/// Values of a chunk and of the byte that was left, and the padding written behind them, in words.
const VALUES: usize = 1 + WORDS + PADDING / 8;

impl<S: AsRef<[u32]>, G: AsRef<[u32]>> CdtGuided<S, G> {
    /// Runs `fill` for draws of bytes, and values that fit T. Draws are decoded up to one that the codes do not settle.
    /// That draw is sampled from its bits on.
    pub(super) fn fill_short<T: Int, B: BitSource + ?Sized>(&self, codes: &Codes, bits: &mut B, out: &mut [T]) {
        let (first, backend) = (self.table.table().first(), Backend::current());
        let mut feed = Feed::new(bits);
        let mut words = [0_u64; VALUES];
        let values = cast_slice_mut(&mut words);
        let mut rest = out;
        // A sample uses 8 bits or more.
        while feed.read(rest.len().saturating_mul(8)) {
            while feed.ahead() > 0 {
                if let Some((bytes, len)) = feed.bytes() {
                    let decoded = codes.decode(backend, bytes, len, values);
                    copy(values, decoded.made, &mut rest, first);
                    feed.skip(8 * decoded.used);
                }
                // An open last byte waits for the next chunk.
                if feed.ahead() == 8 {
                    break;
                }
                if feed.ahead() > 0 {
                    put(self.sample(&mut feed), &mut rest);
                }
            }
        }
        words.zeroize();
        for slot in rest {
            *slot = T::wrapping(self.sample(&mut feed));
        }
    }
}
