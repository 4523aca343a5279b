//! The decisions of the first byte or two of a stream.

/// Bytes decoded together.
pub(super) const GROUP: usize = 64;
/// Readable bytes behind those to decode, and writable values behind as many.
pub(crate) const PADDING: usize = GROUP;
/// The most keys: an index is a positive `i8`.
const MAX_KEYS: usize = i8::MAX as usize;
/// The most leads that may hold several keys.
const SHARED: usize = 2;
/// Of so many leads one may hold keys: the others are decided, and cost one byte.
const RARITY: usize = 8;
/// The flag of a lead that holds a key, or of a second byte that is a key's.
pub(super) const OPEN: u8 = 1 << 7;
/// The flag of a lead that holds several keys.
pub(super) const SEVERAL: u8 = 1 << 6;
/// The number that makes a value of one byte positive.
pub(super) const BIAS: u8 = 1 << 6;

/// Falling keys, and how draws are compared with them.
///
/// The first byte of a draw is a lead, and below it, if `folded`, a sign. If no key's high bits are the lead, the draw
/// is this byte, and *decided*. Its index is the number of keys whose high bits are above the lead. Otherwise its lead
/// is *open*, and a second byte belongs to the draw. With the lead in front of it, it decides the same if that is not a
/// key. Otherwise the draw is *hard*, and more is needed than these tables. The value of a draw is its index, negative
/// if the sign is 1.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    pub(super) folded: bool,
    /// By the first byte: the value and [`BIAS`], or [`OPEN`].
    pub(super) firsts: [u8; 256],
    /// By the lead: how many keys are above it, and the flags. The count is below 64, except for a lead that holds
    /// several.
    pub(super) leads: [u8; 256],
    /// By the lead: the key's low byte if it holds one, its place in `shared` if it holds several.
    pub(super) seconds: [u8; 256],
    /// For each lead that holds several keys by the second byte: the index, and the flag.
    pub(super) shared: [[u8; 256]; SHARED],
    /// How many leads are open, and how many hold several keys.
    open: usize,
    pub(super) several: usize,
}

/// The part of some bytes that has been decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// Bytes used.
    pub(crate) used: usize,
    /// Values made of them.
    pub(crate) made: usize,
}

impl Codes {
    /// Makes the codes of these falling keys, if draws of them are short. Then there are at most 127 keys. At most one
    /// lead in eight is open, at most two hold several keys, and fewer than 64 keys are above the others. Folded keys
    /// are below 2^15.
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
    pub(super) fn second(&self, first: u8, second: u8) -> Option<i8> {
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
}
