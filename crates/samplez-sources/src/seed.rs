//! Seeds, and the addresses of the streams below them.
//!
//! A seed is the root of a tree of independent streams: named streams, and numbered blocks.
//! A child's seed is a pseudorandom function of its parent's and of its address. The function is HChaCha20
//! (draft-irtf-cfrg-xchacha, §2.2) keyed by the parent. It is applied to the 16-byte encoding of the address, and
//! chained for addresses longer than one input:
//!
//! | address | inputs |
//! |---|---|
//! | block number n | n as 8 bytes LE, 7 zero bytes, `01` |
//! | name of L bytes | L as 2 bytes LE, 13 bytes of the name zero-padded, `02`; then 16 bytes a time, zero-padded |
//!
//! The encoding is prefix-free, so the chain is a pseudorandom function if HChaCha20 is one.
//! HChaCha20 is computable from the ChaCha20 block under the same key and the same last four words. In a generator's
//! block these words are the counter and a zero nonce. The last byte of an address is not zero, so no block of
//! [`ChaCha20`](super::ChaCha20) under a seed reveals the seeds of its children. One seed may serve as a generator's
//! and as a root.
//!
//! A short seed is a number below 2^64. In every language it stands for block number n of the stream "short seed" under
//! the seed of 32 zero bytes.
//!
//! This derivation is part of the library's stream: a change is a breaking change.

use ::chacha20::{R20, hchacha};
use core::fmt;
use core::str::FromStr;
use rand_core::TryRng;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// 32 secret bytes from which a generator, or a tree of streams, starts.
///
/// It has no `Copy` and no `Default`. `Debug` shows nothing. Zeroised on drop.
///
/// ```
/// use samplez_sources::Seed;
/// let seed: Seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f".parse()?;
/// assert_eq!(seed.expose()[31], 0x1f);
/// assert_eq!(format!("{seed:?}"), "Seed { .. }");
/// assert_ne!(seed.stream("errors").block(0).expose(), seed.stream("secrets").block(0).expose());
/// # Ok::<(), samplez_sources::ParseSeedError>(())
/// ```
#[derive(Clone)]
pub struct Seed([u8; 32]);

impl Seed {
    /// Builds the seed with these bytes, also if they are a dead seed: for tests and for published vectors. Bytes from elsewhere go through
    /// [`try_from`](#impl-TryFrom<%5Bu8;+32%5D>-for-Seed), which refuses a dead seed.
    ///
    /// ```
    /// let _fixed = samplez_sources::Seed::from_bytes([7; 32]);
    /// ```
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Seed(bytes)
    }

    /// Builds the short seed of a number: 32 bytes that it determines, in every language the same. For
    /// results that others are to reproduce, **not for secrets**: there are only 2^64 of them, and people choose
    /// few.
    ///
    /// ```
    /// use samplez_sources::Seed;
    /// let seed = Seed::from_number(42);
    /// assert_eq!(seed.expose(), Seed::from_bytes([0; 32]).stream("short seed").block(42).expose());
    /// assert_eq!(seed.expose(), "42".parse::<Seed>()?.expose());
    /// # Ok::<(), samplez_sources::ParseSeedError>(())
    /// ```
    pub fn from_number(number: u64) -> Self {
        Seed::from_bytes([0; 32]).stream("short seed").block(number)
    }

    /// Returns the secret bytes.
    ///
    /// ```
    /// assert_eq!(samplez_sources::Seed::from_bytes([7; 32]).expose(), &[7; 32]);
    /// ```
    pub const fn expose(&self) -> &[u8; 32] {
        &self.0
    }

    #[cfg(any(test, feature = "std", feature = "testing"))]
    /// The bytes as four little-endian words.
    pub(super) fn words(&self) -> [u64; 4] {
        core::array::from_fn(|i| u64::from_le_bytes(self.0.as_chunks().0[i]))
    }

    #[cfg(any(test, feature = "std", feature = "testing"))]
    /// The first four bytes as a little-endian number.
    pub(super) fn low_u32(&self) -> u32 {
        self.words()[0] as u32
    }

    /// Reads a seed from the next 32 bytes of an entropy source.
    ///
    /// # Errors
    ///
    /// The source's own.
    ///
    /// ```
    /// use samplez_sources::{ChaCha20, Seed};
    /// let Ok(seed) = Seed::from_entropy(&mut ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert_eq!(seed.expose()[..4], [0x76, 0xb8, 0xe0, 0xad]);
    /// ```
    pub fn from_entropy<R: TryRng + ?Sized>(source: &mut R) -> Result<Seed, R::Error> {
        let mut seed = Seed([0; 32]);
        source.try_fill_bytes(&mut seed.0)?;
        Ok(seed)
    }

    fn child(&self, input: [u8; 16]) -> Seed {
        Seed(hchacha::<R20>(&self.0.into(), &input.into()).into())
    }

    /// Returns the seed of the stream with this name. Different names give independent streams.
    ///
    /// ```
    /// use samplez_sources::Seed;
    /// let seed = Seed::from_bytes([7; 32]);
    /// assert_eq!(seed.stream("a").expose(), seed.stream("a").expose());
    /// assert_ne!(seed.stream("a").expose(), seed.stream("b").expose());
    /// ```
    pub fn stream(&self, name: &str) -> Seed {
        // The length, the first bytes and the kind of address: 2, or 3 for a length of more than two bytes.
        let (width, kind) = if name.len() <= usize::from(u16::MAX) { (2, 2) } else { (8, 3) };
        let (head, tail) = name.as_bytes().split_at(name.len().min(15 - width));
        let mut input = [0; 16];
        input[..width].copy_from_slice(&(name.len() as u64).to_le_bytes()[..width]);
        input[width..width + head.len()].copy_from_slice(head);
        input[15] = kind;
        tail.chunks(16).fold(self.child(input), |seed, chunk| {
            let mut input = [0; 16];
            input[..chunk.len()].copy_from_slice(chunk);
            seed.child(input)
        })
    }

    /// Returns the seed of block `number`. Different numbers give independent streams, independent of
    /// every named stream too.
    ///
    /// ```
    /// use samplez_sources::Seed;
    /// let seed = Seed::from_bytes([7; 32]);
    /// assert_ne!(seed.block(0).expose(), seed.block(1).expose());
    /// ```
    pub fn block(&self, number: u64) -> Seed {
        let mut input = [0; 16];
        input[..8].copy_from_slice(&number.to_le_bytes());
        input[15] = 1;
        self.child(input)
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for Seed {}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seed").finish_non_exhaustive()
    }
}

/// A text, or 32 bytes, are not a seed. The message does not repeat them, which may be secret.
///
/// ```
/// use samplez_sources::Seed;
/// let e = "xyz".parse::<Seed>().unwrap_err();
/// assert_eq!(e.to_string(), "a seed is 64 hexadecimal digits (32 bytes), or a number below 2^64 in decimal digits; got 3 characters");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseSeedError {
    /// Neither a number nor 64 characters, but this many.
    Length(usize),
    /// A number, but with a leading zero.
    LeadingZero,
    /// The character at this place (from 1) of 64 is not a hexadecimal digit.
    NotHex(usize),
    /// A number, but not below 2^64.
    TooLarge,
    /// 32 equal bytes, as memory has that nobody wrote a seed to.
    Dead,
}

impl fmt::Display for ParseSeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::Dead {
            return f.write_str(
                "32 equal bytes are a seed that was never set; expected 32 random bytes, or for results to reproduce a number \
                 below 2^64",
            );
        }
        f.write_str("a seed is 64 hexadecimal digits (32 bytes), or a number below 2^64 in decimal digits; ")?;
        match self {
            Self::Length(n) => write!(f, "got {n} characters"),
            Self::NotHex(at) => write!(f, "character {at} of 64 is no hexadecimal digit"),
            Self::LeadingZero => f.write_str("got a number with a leading zero; leave the zero out"),
            Self::TooLarge => f.write_str("got a larger number"),
            Self::Dead => Ok(()),
        }
    }
}

impl core::error::Error for ParseSeedError {}

impl TryFrom<[u8; 32]> for Seed {
    type Error = ParseSeedError;

    /// The seed with these bytes, unless all of them are equal. Such a seed is *dead*: all zeros, or all 0xff, are what a program
    /// has that forgot to fill its seed. Every front end refuses it.
    ///
    /// ```
    /// use samplez_sources::Seed;
    /// assert!(Seed::try_from([0; 32]).is_err() && Seed::try_from([0xff; 32]).is_err());
    /// assert!(Seed::try_from(core::array::from_fn(|i| i as u8)).is_ok());
    /// ```
    fn try_from(bytes: [u8; 32]) -> Result<Self, ParseSeedError> {
        let seed = Seed(bytes);
        if seed.0.iter().all(|byte| *byte == seed.0[0]) { Err(ParseSeedError::Dead) } else { Ok(seed) }
    }
}

impl FromStr for Seed {
    type Err = ParseSeedError;

    /// 64 hexadecimal digits, or a decimal number below 2^64 for a [short seed](Seed::from_number), without sign, spaces and
    /// leading zeros. 64 digits are always hexadecimal, and not 32 equal bytes.
    ///
    /// ```
    /// use samplez_sources::Seed;
    /// assert_eq!(("07".repeat(31) + "08").parse::<Seed>()?.expose()[30..], [7, 8]);
    /// assert_eq!("7".parse::<Seed>()?.expose(), Seed::from_number(7).expose());
    /// assert!(["-1", "+1", " 1", "01", "1e3", "ff", ""].iter().all(|text| text.parse::<Seed>().is_err()));
    /// # Ok::<(), samplez_sources::ParseSeedError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let count = text.chars().count();
        if count != 64 {
            if text.is_empty() || !text.bytes().all(|c| c.is_ascii_digit()) {
                return Err(ParseSeedError::Length(count));
            }
            if text != "0" && text.starts_with('0') {
                // More than 20 digits are no number below 2^64 either: rather half of a seed's 64.
                return Err(if count > 20 { ParseSeedError::Length(count) } else { ParseSeedError::LeadingZero });
            }
            return text.parse().map(Seed::from_number).map_err(|_| ParseSeedError::TooLarge);
        }
        let mut seed = Seed([0; 32]);
        for (i, c) in text.chars().enumerate() {
            let digit = c.to_digit(16).ok_or(ParseSeedError::NotHex(i + 1))? as u8;
            seed.0[i / 2] |= digit << (4 * (1 - i % 2));
        }
        Seed::try_from(seed.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::string::String;

    #[test]
    fn hchacha20_vector() {
        // draft-irtf-cfrg-xchacha-03, §2.2.1.
        let key: Seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f".parse().unwrap();
        let input = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0, 0x31, 0x41, 0x59, 0x27];
        let out: Seed = "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc".parse().unwrap();
        assert_eq!(key.child(input).expose(), out.expose());
    }

    /// HChaCha20's output from the ChaCha20 block with the same input: the block's first and last
    /// rows without the addition of the input state.
    fn child_from_block(block: &[u8], input: [u8; 16]) -> [u8; 32] {
        let mut state = *b"expand 32-byte k                                                ";
        state[48..].copy_from_slice(&input);
        let mut child = [0; 32];
        for (i, word) in child.as_chunks_mut().0.iter_mut().enumerate() {
            let at = if i < 4 { 4 * i } else { 4 * i + 32 };
            let read = |bytes: &[u8]| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            *word = read(block).wrapping_sub(read(&state)).to_le_bytes();
        }
        child
    }

    /// The keystream under a seed holds no child's seed, though it holds HChaCha20's value at every
    /// input that is a counter and a zero nonce.
    #[test]
    fn a_keystream_does_not_tell_children() {
        use crate::ChaCha20;
        use rand_core::Rng;
        let seed = Seed::from_bytes([9; 32]);
        let mut stream = [0; 64 * 600];
        ChaCha20::new(&seed).fill_bytes(&mut stream);
        let told = |counter: u64| {
            let mut input = [0; 16];
            input[..8].copy_from_slice(&counter.to_le_bytes());
            child_from_block(&stream[64 * counter as usize..], input)
        };
        let mut input = [0; 16];
        input[0] = 5;
        assert_eq!(&told(5), seed.child(input).expose(), "the relation is as described");
        let told: HashSet<[u8; 32]> = (0..600).map(told).collect();
        for n in 0..600 {
            assert!(!told.contains(seed.block(n).expose()));
        }
        for name in ["", "a", "errors"] {
            assert!(!told.contains(seed.stream(name).expose()));
        }
    }

    /// Names of every length have their own streams.
    #[test]
    fn long_names_are_names() {
        let seed = Seed::from_bytes([3; 32]);
        let name = |len: usize, last: &str| "x".repeat(len) + last;
        let names = [(65_534, "x"), (65_535, "x"), (65_535, "y"), (65_536, "x"), (200_000, "")];
        let seen: HashSet<[u8; 32]> =
            names.iter().map(|(len, last)| *seed.stream(&name(*len, last)).expose()).collect();
        assert_eq!(seen.len(), names.len());
    }

    #[test]
    fn addresses_do_not_collide() {
        let seed = Seed::from_bytes([3; 32]);
        let mut seen = HashSet::new();
        // Names that share prefixes, differ by padding, or straddle the chunk borders.
        for len in 0..70 {
            for c in ['a', '\0'] {
                let name: String = core::iter::repeat_n(c, len).collect();
                assert!(seen.insert(*seed.stream(&name).expose()) || len == 0, "{c:?} x {len}");
            }
        }
        for n in [0, 1, 255, 256, u64::MAX] {
            assert!(seen.insert(*seed.block(n).expose()));
        }
    }

    /// `kat/short-seeds.csv`.
    #[test]
    fn short_seeds_are_those_of_every_language() {
        let mut lines = include_str!("../../../kat/short-seeds.csv").lines().skip(1).peekable();
        assert!(lines.peek().is_some());
        for line in lines {
            let (number, hex) = line.split_once(',').unwrap();
            let expected: Seed = hex.parse().unwrap();
            assert_eq!(number.parse::<Seed>().unwrap().expose(), expected.expose(), "{number}");
            assert_eq!(Seed::from_number(number.parse().unwrap()).expose(), expected.expose(), "{number}");
        }
    }

    /// 32 equal bytes are refused, of whatever value; a byte that differs anywhere is enough.
    #[test]
    fn dead_seeds() {
        for byte in 0..=255 {
            assert_eq!(Seed::try_from([byte; 32]).unwrap_err(), ParseSeedError::Dead);
            let text = std::format!("{byte:02x}").repeat(32);
            assert_eq!(text.parse::<Seed>().unwrap_err(), ParseSeedError::Dead);
            for at in 0..32 {
                let mut bytes = [byte; 32];
                bytes[at] ^= 1;
                assert_eq!(Seed::try_from(bytes).unwrap().expose(), &bytes);
            }
        }
        let message = std::format!("{}", ParseSeedError::Dead);
        assert!(message.starts_with("32 equal bytes") && message.ends_with("a number below 2^64"));
    }

    #[test]
    fn bad_texts() {
        assert_eq!("18446744073709551616".parse::<Seed>().unwrap_err(), ParseSeedError::TooLarge);
        assert_eq!("9".repeat(91).parse::<Seed>().unwrap_err(), ParseSeedError::TooLarge);
        for (text, len) in [("-1", 2), ("+1", 2), (" 1", 2), ("1.0", 3), ("abc", 3), ("٣", 1)] {
            assert_eq!(text.parse::<Seed>().unwrap_err(), ParseSeedError::Length(len), "{text}");
        }
        assert_eq!("".parse::<Seed>().unwrap_err(), ParseSeedError::Length(0));
        assert_eq!("0".repeat(63).parse::<Seed>().unwrap_err(), ParseSeedError::Length(63));
        assert_eq!("0042".parse::<Seed>().unwrap_err(), ParseSeedError::LeadingZero);
        assert_eq!(("0".repeat(63) + "g").parse::<Seed>().unwrap_err(), ParseSeedError::NotHex(64));
        assert_eq!("é".repeat(64).parse::<Seed>().unwrap_err(), ParseSeedError::NotHex(1));
    }
}
