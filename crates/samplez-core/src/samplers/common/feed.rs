//! A source read ahead, by at most the bits that will be used.

use crate::arch::{Backend, Kernel};
use crate::bits::BitSource;
use bytemuck::cast_slice;
use zeroize::Zeroize;

/// Words read at once, at most.
pub(crate) const WORDS: usize = 128;
/// Words behind them.
const PADDING: usize = 16;

/// The bits of a source, in their order, some of them read ahead. So one can look at the next 64 before deciding how
/// many to take.
///
/// Bits read ahead and not used are lost: the owner passes the number of bits that it will use at least.
///
/// If `TURNED`, its words have the first bit on top, and so has [`peek`](Self::peek)'s.
pub(crate) struct Ahead<'a, B: ?Sized, const TURNED: bool> {
    bits: &'a mut B,
    /// The first bit is the least significant of the first word, or `TURNED` the most significant. One word is for bits that are left.
    buffer: [u64; 1 + WORDS + PADDING],
    /// Bits used, and bits there are.
    at: usize,
    end: usize,
    /// Words of the buffer that have held bits.
    dirty: usize,
}

/// Reverses the bits of each word.
struct Turn<'a>(&'a mut [u64]);

impl Kernel for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for word in self.0 {
            *word = word.reverse_bits();
        }
    }
}

/// The bits in their order, the first least significant.
pub(crate) type Feed<'a, B> = Ahead<'a, B, false>;
/// The bits in their order, the first most significant.
pub(crate) type TopFeed<'a, B> = Ahead<'a, B, true>;

impl<'a, B: BitSource + ?Sized, const TURNED: bool> Ahead<'a, B, TURNED> {
    pub(crate) fn new(bits: &'a mut B) -> Self {
        Ahead { bits, buffer: [0; 1 + WORDS + PADDING], at: 0, end: 0, dirty: 0 }
    }

    /// Bits read ahead and not used.
    #[inline(always)]
    pub(crate) fn ahead(&self) -> usize {
        self.end - self.at
    }

    /// Reads ahead, if fewer than 64 bits are left and the owner will use at least `least` bits
    /// from here on.
    ///
    /// Returns whether at least 64 bits are there to look at.
    #[inline(always)]
    pub(crate) fn look_ahead(&mut self, least: usize) -> bool {
        self.ahead() >= 64 || self.read(least)
    }

    /// Reads ahead behind the bits that are left, fewer than 64, if the owner will use at least `least`
    /// bits from here on.
    ///
    /// Returns whether at least 64 bits are there to look at.
    #[inline(never)]
    pub(crate) fn read(&mut self, least: usize) -> bool {
        let left = self.ahead();
        debug_assert!(left < 64);
        let count = (least.saturating_sub(left) / 64).min(WORDS);
        let kept = self.peek();
        self.bits.words(&mut self.buffer[1..=count]);
        if TURNED {
            Backend::current().run(Turn(&mut self.buffer[1..=count]));
        }
        // The bits kept end where the words begin.
        self.buffer[0] = match (left, TURNED) {
            (0, _) => 0,
            (_, false) => kept << (64 - left),
            (_, true) => kept >> (64 - left),
        };
        self.buffer[count + 1..][..PADDING].fill(0);
        (self.at, self.end) = (64 - left, 64 * (count + 1));
        self.dirty = self.dirty.max(count + 1);
        self.ahead() >= 64
    }

    /// The next 64 bits, the first least significant, or `TURNED` most significant; zeros where they have not been read.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u64 {
        let (word, shift) = (self.at / 64, self.at % 64);
        // The padding is there for the last word.
        match self.buffer.get(word..word + 2) {
            Some(&[first, second]) if TURNED => first << shift | second >> 1 >> (63 - shift),
            Some(&[low, high]) => low >> shift | high << 1 << (63 - shift),
            _ => 0,
        }
    }

    /// Uses n of the bits read ahead.
    #[inline(always)]
    pub(crate) fn skip(&mut self, n: usize) {
        debug_assert!(n <= self.ahead());
        self.at += n;
    }
}

impl<B: BitSource + ?Sized> Feed<'_, B> {
    /// Returns the bytes from the next bit on, and how many of them have been read and not used. The bytes after these,
    /// 120 at least, are arbitrary. `None` if no byte begins at the next bit, or words are not little-endian.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> Option<(&[u8], usize)> {
        let bytes = cast_slice(&self.buffer).get(self.at / 8..)?;
        (cfg!(target_endian = "little") && self.at.is_multiple_of(8)).then_some((bytes, self.ahead() / 8))
    }
}

impl<B: BitSource + ?Sized, const TURNED: bool> BitSource for Ahead<'_, B, TURNED> {
    fn bits(&mut self, n: u32) -> u64 {
        let ahead = self.ahead().min(n as usize) as u32;
        if ahead == 0 {
            return self.bits.bits(n);
        }
        let next = if TURNED { self.peek().reverse_bits() } else { self.peek() };
        let low = next & (u64::MAX >> (64 - ahead));
        self.at += ahead as usize;
        if ahead == n { low } else { low | self.bits.bits(n - ahead) << ahead }
    }

    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        self.bits.declassify(outcome)
    }
    fn condemn(&mut self) {
        self.bits.condemn();
    }
}

impl<B: ?Sized, const TURNED: bool> Ahead<'_, B, TURNED> {
    /// Erases what has been read.
    fn erase(&mut self) {
        self.buffer[..self.dirty].zeroize();
    }
}

impl<B: ?Sized, const TURNED: bool> Drop for Ahead<'_, B, TURNED> {
    fn drop(&mut self) {
        self.erase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::fixtures::{Tape, reader};

    #[test]
    fn what_is_declassified_goes_to_the_source() {
        struct Marked(u32);
        impl BitSource for Marked {
            fn bits(&mut self, _: u32) -> u64 {
                0
            }
            fn declassify(&mut self, outcome: u32) -> u32 {
                self.0 += 1;
                outcome
            }
        }
        let mut source = Marked(0);
        assert_eq!(Feed::new(&mut source).declassify(7), 7);
        assert_eq!(source.0, 1);
    }

    #[test]
    fn the_mark_of_an_undecided_sample_goes_to_the_source() {
        let mut tape = Tape::new(std::vec![]);
        Feed::new(&mut tape).condemn();
        assert!(tape.is_condemned);
    }

    /// The same bits as from the source itself, however they are read; nothing is left over.
    #[test]
    fn a_feed_hands_out_its_sources_bits() {
        for total in [0, 1, 63, 64, 65, 1000, 4096, 20_000_usize] {
            for step in 1..=64 {
                let (mut plain, mut counted) = (reader(3), Counted::new(reader(3)));
                let mut feed = Feed::new(&mut counted);
                let mut used = 0;
                while used < total {
                    let n = (1 + used * step % 64).min(total - used);
                    if feed.look_ahead(total - used) {
                        let next = feed.peek() & (u64::MAX >> (64 - n));
                        assert_eq!(next, plain.bits(n as u32), "{total}, {step}, {used}");
                        feed.skip(n);
                    } else {
                        assert_eq!(feed.bits(n as u32), plain.bits(n as u32), "{total}, {step}, {used}");
                    }
                    used += n;
                }
                assert_eq!(feed.ahead(), 0);
                drop(feed);
                assert_eq!(counted.count(), total as u64);
            }
        }
    }

    #[test]
    fn words_are_looked_at_as_bytes() {
        let (mut plain, mut counted) = (reader(6), Counted::new(reader(6).latching()));
        let mut feed = Feed::new(&mut counted);
        assert_eq!((feed.ahead(), feed.peek()), (0, 0));
        for count in [1, 5, WORDS] {
            let words: std::vec::Vec<u64> = (0..count).map(|_| plain.bits(64)).collect();
            assert!(feed.read(64 * count));
            assert_eq!(feed.ahead(), 64 * count);
            for at in (0..64 * count).step_by(4) {
                let known = |i: usize| words.get((at + i) / 64).map_or(0, |word| word >> ((at + i) % 64) & 1);
                let next: u64 = (0..64).map(|i| known(i) << i).sum();
                assert_eq!(feed.peek(), next, "{count}, {at}");
                match feed.bytes() {
                    Some((bytes, left)) => {
                        assert_eq!((at % 8, left), (0, 8 * count - at / 8));
                        assert!(bytes.len() >= left + 120 && bytes[..8] == next.to_le_bytes(), "{count}, {at}");
                    }
                    None => assert!(!at.is_multiple_of(8) || cfg!(target_endian = "big")),
                }
                feed.skip(4);
            }
            assert_eq!((feed.ahead(), feed.peek()), (0, 0));
        }
        assert_eq!(feed.bits(64), plain.bits(64), "nothing is ahead");
        feed.condemn();
        drop(feed);
        assert_eq!(counted.count(), 64 * (1 + 5 + WORDS as u64 + 1));
    }

    /// As much as will be used, in whole words, and no more than there is room for.
    #[test]
    fn no_more_is_read_than_will_be_used() {
        for (least, ahead) in
            [(0, 0), (63, 0), (64, 64), (127, 64), (128, 128), (64 * WORDS, 64 * WORDS), (1 << 20, 64 * WORDS)]
        {
            let mut counted = Counted::new(reader(6));
            let mut feed = Feed::new(&mut counted);
            assert_eq!((feed.look_ahead(least), feed.ahead()), (ahead > 0, ahead), "{least}");
            drop(feed);
            assert_eq!(counted.count(), ahead as u64);
        }
        // 60 bits are left; they count.
        let (mut counted, mut plain) = (Counted::new(reader(6)), reader(6));
        let mut feed = Feed::new(&mut counted);
        assert!(feed.look_ahead(64));
        feed.skip(4);
        plain.bits(4);
        for (least, ahead) in [(60, 60), (123, 60), (124, 124)] {
            assert_eq!((feed.look_ahead(least), feed.ahead()), (ahead >= 64, ahead), "{least}");
        }
        assert!(feed.look_ahead(1 << 20) && feed.ahead() == 124, "as long as 64 are there");
        for n in [60, 64] {
            assert_eq!(feed.bits(n), plain.bits(n));
        }
    }

    /// The drop goes by what the feed says that it has read, and cannot where that is more than there is.
    #[test]
    #[should_panic(expected = "out of range")]
    fn a_feed_that_is_dropped_is_erased() {
        let mut bits = reader(7);
        let mut feed = Feed::new(&mut bits);
        feed.dirty = usize::MAX;
    }

    #[test]
    fn what_was_read_is_erased() {
        let mut bits = reader(7);
        let mut feed = Feed::new(&mut bits);
        for least in [130, 64 * WORDS] {
            feed.read(least);
            feed.skip(feed.ahead());
            assert!(feed.buffer.iter().any(|word| *word != 0));
            feed.erase();
            assert!(feed.buffer.iter().all(|word| *word == 0), "{least}");
            (feed.at, feed.end, feed.dirty) = (0, 0, 0);
        }
    }
}
