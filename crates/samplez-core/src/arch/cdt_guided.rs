//! Short draws: one byte of a stream, or two, decoded many at once.

mod lookup;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use lookup::{Codes, Decoded, PADDING};

use super::{Backend, Kernel};
use lookup::{BIAS, GROUP};
use zeroize::Zeroize;

/// Values copied at once: most runs of decided draws are shorter.
const RUN: usize = 32;

impl Codes {
    /// Writes the values of the draws in the first `len` of these bytes. It stops at the first draw that is hard or
    /// lacks its second byte.
    ///
    /// Values behind those made may be overwritten.
    ///
    /// # Panics
    ///
    /// Unless there are `len` + [`PADDING`] bytes and as many values.
    pub(crate) fn decode(&self, backend: Backend, bytes: &[u8], len: usize, values: &mut [i8]) -> Decoded {
        let (bytes, values) = (&bytes[..len + PADDING], &mut values[..len + PADDING]);
        #[cfg(target_arch = "x86_64")]
        if let Some(decoded) = x86_64::decode(self, backend, bytes, values) {
            return decoded;
        }
        backend.run(Decode { codes: self, bytes, values })
    }
}

/// [`Codes::decode`], a group at a time. All bytes are looked up as if they were first bytes. Then runs of decided
/// draws are copied, and the byte after each run is settled. This is the specification.
struct Decode<'a> {
    codes: &'a Codes,
    bytes: &'a [u8],
    values: &'a mut [i8],
}

impl Decode<'_> {
    /// The entries of a group's bytes, and a word in which the bits of those that are open are set.
    #[inline(always)]
    fn look_up(&self, group: &[u8; GROUP], entries: &mut [u8; GROUP + RUN]) -> u64 {
        let mut open = 0;
        let (groups, _) = group.as_chunks::<8>();
        let (slots, _) = entries.as_chunks_mut::<8>();
        for (i, (bytes, slots)) in groups.iter().zip(slots).enumerate() {
            *slots = bytes.map(|byte| self.codes.firsts[usize::from(byte)]);
            let flags = (u64::from_le_bytes(*slots) >> 7) & 0x0101_0101_0101_0101;
            // Bit 8k moves to bit 56 + k; no two of the products' terms meet.
            open |= flags.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * i);
        }
        open
    }
}

impl Kernel for Decode<'_> {
    type Output = Decoded;

    #[inline(always)]
    fn run(self) -> Decoded {
        let len = self.bytes.len() - PADDING;
        let (mut used, mut made) = (0, 0);
        let mut entries = [0; GROUP + RUN];
        'groups: while used < len {
            let Some(group) = self.bytes[used..].first_chunk() else { break };
            let open = self.look_up(group, &mut entries);
            let (mut at, end) = (0, GROUP.min(len - used));
            while at < end {
                let next = ((open >> at << at).trailing_zeros() as usize).min(end);
                // Whole runs, whose ends are written again later.
                let (slots, _) = self.values[made..].as_chunks_mut::<RUN>();
                let (runs, _) = entries[at..].as_chunks::<RUN>();
                for (slots, run) in slots.iter_mut().zip(runs).take((next - at).div_ceil(RUN)) {
                    *slots = run.map(|entry| entry.wrapping_sub(BIAS) as i8);
                }
                (made, at) = (made + next - at, next);
                if at < end {
                    let draw = &self.bytes[used + at..];
                    let settled = if used + at + 1 < len { self.codes.second(draw[0], draw[1]) } else { None };
                    let Some(value) = settled else {
                        used += at;
                        break 'groups;
                    };
                    self.values[made] = value;
                    (made, at) = (made + 1, at + 2);
                }
            }
            used += at;
        }
        entries.zeroize();
        Decoded { used, made }
    }
}

#[cfg(test)]
mod tests;
