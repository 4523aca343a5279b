//! Short draws: one byte of a stream, or two, decoded many at once.

#[cfg(target_arch = "x86_64")]
mod x86_64;

use super::{Backend, Kernel};
use zeroize::Zeroize;

/// Bytes decoded together.
const GROUP: usize = 64;
/// Readable bytes behind those to decode, and writable values behind as many.
pub(crate) const PADDING: usize = GROUP;
/// The most keys: an index is a positive `i8`.
const MAX_KEYS: usize = i8::MAX as usize;
/// The most leads that may hold several keys.
const SHARED: usize = 2;
/// Of so many leads one may hold keys: the others are decided, and cost one byte.
const RARITY: usize = 8;
/// The flag of a lead that holds a key, or of a second byte that is a key's.
const OPEN: u8 = 1 << 7;
/// The flag of a lead that holds several keys.
const SEVERAL: u8 = 1 << 6;
/// What is added to a value of one byte, to make it positive.
const BIAS: u8 = 1 << 6;
/// Values copied at once: most runs of decided draws are shorter.
const RUN: usize = 32;

/// Falling keys, and how draws are compared with them.
///
/// The first byte of a draw is a lead, and below it, if `folded`, a sign. If no key's high bits are the
/// lead, the draw is this byte, and *decided*: its index is the number of keys whose high bits are above
/// the lead. Otherwise its lead is *open*, and a second byte belongs to the draw. With the lead in front of
/// it, it decides the same if that is not a key: otherwise the draw is *hard*, and more is needed than this
/// knows. The value of a draw is its index, negative if the sign is 1.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    folded: bool,
    /// By the first byte: the value and [`BIAS`], or [`OPEN`].
    firsts: [u8; 256],
    /// By the lead: how many keys are above it, and the flags; the count is below 64 but for a lead that
    /// holds several.
    leads: [u8; 256],
    /// By the lead: the key's low byte if it holds one, its place in `shared` if it holds several.
    seconds: [u8; 256],
    /// For each lead that holds several keys by the second byte: the index, and the flag.
    shared: [[u8; 256]; SHARED],
    /// How many leads are open, and how many hold several keys.
    open: usize,
    several: usize,
}

/// What of some bytes has been decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// Bytes used.
    pub(crate) used: usize,
    /// Values made of them.
    pub(crate) made: usize,
}

impl Codes {
    /// The codes of these falling keys, if draws of them are short: there are at most 127, at most one lead
    /// in eight is open, at most two hold several keys, and fewer than 64 keys are above the others. Folded
    /// keys are below 2^15.
    pub(crate) fn new(keys: impl Iterator<Item = u16>, folded: bool) -> Option<Self> {
        let (mut list, mut len) = ([0; MAX_KEYS], 0);
        for key in keys {
            *list.get_mut(len)? = key;
            len += 1;
        }
        let keys = &list[..len];
        let mut codes = Codes {
            folded,
            firsts: [0; 256],
            leads: [0; 256],
            seconds: [0; 256],
            shared: [[0; 256]; SHARED],
            open: 0,
            several: 0,
        };
        let leads = codes.number_of_leads();
        for lead in 0..leads {
            let above = keys.partition_point(|key| usize::from(key >> 8) > lead);
            let held = keys[above..].partition_point(|key| usize::from(key >> 8) == lead);
            codes.open += usize::from(held > 0);
            codes.leads[lead] = above as u8;
            match held {
                0 => {}
                1 => {
                    codes.leads[lead] |= OPEN;
                    codes.seconds[lead] = keys[above] as u8;
                }
                _ => {
                    codes.leads[lead] = OPEN | SEVERAL;
                    codes.seconds[lead] = codes.several as u8;
                    let seconds = codes.shared.get_mut(codes.several)?;
                    for (second, entry) in seconds.iter_mut().enumerate() {
                        let draw = (lead << 8 | second) as u16;
                        let index = keys.partition_point(|key| *key > draw);
                        *entry = index as u8 | if keys.get(index) == Some(&draw) { OPEN } else { 0 };
                    }
                    codes.several += 1;
                }
            }
            if held < 2 && above >= usize::from(SEVERAL) {
                return None;
            }
        }
        for (byte, first) in codes.firsts.iter_mut().enumerate() {
            let (lead, minus) = if folded { (byte / 2, byte % 2 != 0) } else { (byte, false) };
            let entry = codes.leads[lead];
            *first = match entry & OPEN {
                0 if minus => BIAS - entry,
                0 => BIAS + entry,
                _ => OPEN,
            };
        }
        (RARITY * codes.open <= leads).then_some(codes)
    }

    const fn number_of_leads(&self) -> usize {
        if self.folded { 128 } else { 256 }
    }

    /// The share of the leads that are open.
    pub(crate) fn open_share(&self) -> f64 {
        self.open as f64 / self.number_of_leads() as f64
    }

    /// The value of the draw of this first byte, if it is decided.
    #[inline(always)]
    pub(crate) fn first(&self, byte: u8) -> Option<i8> {
        let first = self.firsts[usize::from(byte)];
        (first & OPEN == 0).then(|| first.wrapping_sub(BIAS) as i8)
    }

    /// The lead and the second byte as one number, and below it the sign if folded.
    #[inline(always)]
    pub(crate) fn join(&self, first: u8, second: u8) -> u16 {
        if self.folded {
            u16::from(first & !1) << 8 | u16::from(second) << 1 | u16::from(first & 1)
        } else {
            u16::from(first) << 8 | u16::from(second)
        }
    }

    /// The value of the draw of these bytes, whose lead is open, unless it is hard.
    #[inline(always)]
    fn second(&self, first: u8, second: u8) -> Option<i8> {
        let sign = u8::from(self.folded);
        let lead = usize::from(first >> sign);
        let (entry, key) = (self.leads[lead], self.seconds[lead]);
        let index = if entry & SEVERAL != 0 {
            let index = self.shared[usize::from(key) % SHARED][usize::from(second)];
            (index & OPEN == 0).then_some(index)?
        } else {
            (second != key).then_some((entry & !OPEN) + u8::from(second < key))?
        };
        let negative = (first & sign) as i8;
        Some((index as i8 ^ -negative) + negative)
    }

    /// Writes the values of the draws that the first `len` of these bytes hold, up to the first that is
    /// hard or lacks its second byte.
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

/// [`Codes::decode`], a group at a time: all bytes are looked up as if they were first bytes; then runs of
/// decided draws are copied, and what follows each is settled. This is the specification.
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
