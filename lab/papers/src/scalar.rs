//! \[BSOVOGR17\]'s sources as scalar code of one block a call: AES-256 by tables, Salsa20, ChaCha20, SHA-256 and random(). For
//! speeds alone: keys are fixed.

/// A generator of blocks.
pub(crate) trait Blocks {
    /// The next block's words; their number, if it is less than all.
    fn block(&mut self, out: &mut [u64; 8]) -> usize;
}

/// Words of one block after the other.
pub(crate) struct Words<B> {
    blocks: B,
    words: [u64; 8],
    at: usize,
    len: usize,
}

impl<B: Blocks> Words<B> {
    pub(crate) fn new(blocks: B) -> Words<B> {
        Words { blocks, words: [0; 8], at: 0, len: 0 }
    }

    pub(crate) fn word(&mut self) -> u64 {
        if self.at == self.len {
            (self.at, self.len) = (0, self.blocks.block(&mut self.words));
        }
        let word = self.words[self.at];
        self.at += 1;
        word
    }
}

/// x times the polynomial in AES's field.
const fn double(x: u8) -> u8 {
    (x << 1) ^ ((x >> 7) * 0x1b)
}

/// AES's substitution, by walking all powers of 3 and their inverses.
const fn substitution() -> [u8; 256] {
    let (mut table, mut power, mut inverse, mut i) = ([0; 256], 1_u8, 1_u8, 0);
    while i < 255 {
        power ^= double(power);
        // Divided by 3.
        inverse ^= inverse << 1;
        inverse ^= inverse << 2;
        inverse ^= inverse << 4;
        inverse ^= (inverse >> 7) * 0x09;
        let x = inverse;
        table[power as usize] = x ^ x.rotate_left(1) ^ x.rotate_left(2) ^ x.rotate_left(3) ^ x.rotate_left(4) ^ 0x63;
        i += 1;
    }
    table[0] = 0x63;
    table
}

const SUBSTITUTION: [u8; 256] = substitution();

/// Substitution and mixing of a column's first byte; the other tables are this one, rotated.
const fn tables() -> [[u32; 256]; 4] {
    let (mut tables, mut i) = ([[0; 256]; 4], 0);
    while i < 256 {
        let s = SUBSTITUTION[i];
        let word = u32::from_be_bytes([double(s), s, s, double(s) ^ s]);
        tables[0][i] = word;
        tables[1][i] = word.rotate_right(8);
        tables[2][i] = word.rotate_right(16);
        tables[3][i] = word.rotate_right(24);
        i += 1;
    }
    tables
}

static TABLES: [[u32; 256]; 4] = tables();
static LAST: [u8; 256] = SUBSTITUTION;

/// AES-256 in counter mode by four tables of a KiB each.
pub(crate) struct AesTables {
    round_keys: [[u32; 4]; 15],
    counter: u128,
}

impl AesTables {
    pub(crate) fn new(key: &[u8; 32], counter: u128) -> AesTables {
        let mut words = [0; 60];
        for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        let substituted = |word: u32| u32::from_be_bytes(word.to_be_bytes().map(|byte| LAST[byte as usize]));
        let mut round = 1_u8;
        for i in 8..60 {
            let mut word = words[i - 1];
            if i % 8 == 0 {
                word = substituted(word.rotate_left(8)) ^ u32::from(round) << 24;
                round = double(round);
            } else if i % 8 == 4 {
                word = substituted(word);
            }
            words[i] = words[i - 8] ^ word;
        }
        let round_keys = std::array::from_fn(|r| std::array::from_fn(|c| words[4 * r + c]));
        AesTables { round_keys, counter }
    }
}

impl Blocks for AesTables {
    #[inline(never)]
    fn block(&mut self, out: &mut [u64; 8]) -> usize {
        let counter = self.counter;
        self.counter += 1;
        let mut state: [u32; 4] = std::array::from_fn(|i| (counter >> (96 - 32 * i)) as u32 ^ self.round_keys[0][i]);
        for key in &self.round_keys[1..14] {
            state = std::array::from_fn(|i| {
                TABLES[0][(state[i] >> 24) as usize]
                    ^ TABLES[1][(state[(i + 1) % 4] >> 16 & 0xff) as usize]
                    ^ TABLES[2][(state[(i + 2) % 4] >> 8 & 0xff) as usize]
                    ^ TABLES[3][(state[(i + 3) % 4] & 0xff) as usize]
                    ^ key[i]
            });
        }
        let last: [u32; 4] = std::array::from_fn(|i| {
            let byte =
                |from: usize, shift: u32| u32::from(LAST[(state[(i + from) % 4] >> shift & 0xff) as usize]) << shift;
            byte(0, 24) | byte(1, 16) | byte(2, 8) | byte(3, 0)
        });
        let word = |i: usize| last[i] ^ self.round_keys[14][i];
        out[0] = u64::from(word(0)) << 32 | u64::from(word(1));
        out[1] = u64::from(word(2)) << 32 | u64::from(word(3));
        2
    }
}

/// Salsa20 or ChaCha20 by 32-bit words.
pub(crate) struct Stream {
    input: [u32; 16],
    is_salsa: bool,
}

impl Stream {
    pub(crate) fn new(key: &[u8; 32], is_salsa: bool) -> Stream {
        let word = |i: usize| u32::from_le_bytes(std::array::from_fn(|j| key[4 * i + j]));
        let [a, b, c, d] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
        let k: [u32; 8] = std::array::from_fn(word);
        let input = match is_salsa {
            true => [a, k[0], k[1], k[2], k[3], b, 0, 0, 0, 0, c, k[4], k[5], k[6], k[7], d],
            false => [a, b, c, d, k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], 0, 0, 0, 0],
        };
        Stream { input, is_salsa }
    }
}

const fn of_salsa(x: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    x[b] ^= x[a].wrapping_add(x[d]).rotate_left(7);
    x[c] ^= x[b].wrapping_add(x[a]).rotate_left(9);
    x[d] ^= x[c].wrapping_add(x[b]).rotate_left(13);
    x[a] ^= x[d].wrapping_add(x[c]).rotate_left(18);
}

const fn of_chacha(x: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    x[a] = x[a].wrapping_add(x[b]);
    x[d] = (x[d] ^ x[a]).rotate_left(16);
    x[c] = x[c].wrapping_add(x[d]);
    x[b] = (x[b] ^ x[c]).rotate_left(12);
    x[a] = x[a].wrapping_add(x[b]);
    x[d] = (x[d] ^ x[a]).rotate_left(8);
    x[c] = x[c].wrapping_add(x[d]);
    x[b] = (x[b] ^ x[c]).rotate_left(7);
}

impl Blocks for Stream {
    #[inline(never)]
    fn block(&mut self, out: &mut [u64; 8]) -> usize {
        let mut x = self.input;
        for _ in 0..10 {
            if self.is_salsa {
                for i in 0..4 {
                    of_salsa(&mut x, [5 * i, (5 * i + 4) % 16, (5 * i + 8) % 16, (5 * i + 12) % 16]);
                }
                for i in 0..4 {
                    let at = |j: usize| 4 * i + (i + j) % 4;
                    of_salsa(&mut x, [at(0), at(1), at(2), at(3)]);
                }
            } else {
                for i in 0..4 {
                    of_chacha(&mut x, [i, 4 + i, 8 + i, 12 + i]);
                }
                for i in 0..4 {
                    of_chacha(&mut x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
                }
            }
        }
        for (i, word) in out.iter_mut().enumerate() {
            let sum = |i: usize| u64::from(x[i].wrapping_add(self.input[i]));
            *word = sum(2 * i) | sum(2 * i + 1) << 32;
        }
        let counter = if self.is_salsa { 8 } else { 12 };
        self.input[counter] = self.input[counter].wrapping_add(1);
        8
    }
}

/// The first 32 bits after the point of a cube root or a square root, by bisection in integers.
const fn root(n: u128, is_cube: bool) -> u32 {
    let (mut low, mut high) = (0_u128, 1 << 37);
    while high - low > 1 {
        let middle = (low + high) / 2;
        let fits = if is_cube { middle * middle * middle <= n << 96 } else { middle * middle <= n << 64 };
        if fits { low = middle } else { high = middle }
    }
    low as u32
}

const fn primes() -> [u128; 64] {
    let (mut primes, mut count, mut n) = ([0; 64], 0, 2);
    while count < 64 {
        let mut divisor = 2;
        while n % divisor != 0 {
            divisor += 1;
        }
        if divisor == n {
            primes[count] = n;
            count += 1;
        }
        n += 1;
    }
    primes
}

const fn roots<const N: usize>(is_cube: bool) -> [u32; N] {
    let (mut roots, primes, mut i) = ([0; N], primes(), 0);
    while i < N {
        roots[i] = root(primes[i], is_cube);
        i += 1;
    }
    roots
}

static STEPS: [u32; 64] = roots(true);
const START: [u32; 8] = roots(false);

/// SHA-256 of a message that fits one block.
#[inline(never)]
fn sha256(block: &[u8; 64]) -> [u32; 8] {
    let mut words = [0; 64];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for i in 16..64 {
        let (x, y): (u32, u32) = (words[i - 15], words[i - 2]);
        let first = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
        let second = y.rotate_right(17) ^ y.rotate_right(19) ^ y >> 10;
        words[i] = first.wrapping_add(second).wrapping_add(words[i - 16]).wrapping_add(words[i - 7]);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = START;
    for (word, step) in words.iter().zip(&STEPS) {
        let first = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = e & f ^ !e & g;
        let t = h.wrapping_add(first).wrapping_add(choice).wrapping_add(*step).wrapping_add(*word);
        let second = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = a & b ^ a & c ^ b & c;
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t), c, b, a, t.wrapping_add(second).wrapping_add(majority));
    }
    let end = [a, b, c, d, e, f, g, h];
    std::array::from_fn(|i| START[i].wrapping_add(end[i]))
}

/// Hash_DRBG's output: the hash of a counter of 55 bytes. A request of 2^19 bits has so many blocks that its update costs nothing.
pub(crate) struct Hash {
    block: [u8; 64],
}

impl Hash {
    pub(crate) fn new() -> Hash {
        let mut block = [7; 64];
        block[55] = 0x80;
        block[56..].copy_from_slice(&440_u64.to_be_bytes());
        Hash { block }
    }
}

impl Blocks for Hash {
    fn block(&mut self, out: &mut [u64; 8]) -> usize {
        let hash = sha256(&self.block);
        for (i, word) in out[..4].iter_mut().enumerate() {
            *word = u64::from(hash[2 * i]) << 32 | u64::from(hash[2 * i + 1]);
        }
        for byte in self.block[..55].iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
        4
    }
}

/// random() of 31 bits, and words of three calls.
pub(crate) struct Random {
    words: [u32; 31],
    at: usize,
}

impl Random {
    pub(crate) fn new() -> Random {
        let (mut words, mut word) = ([1; 31], 1_u64);
        for slot in &mut words[1..] {
            word = 16_807 * word % 0x7fff_ffff;
            *slot = word as u32;
        }
        let mut random = Random { words, at: 3 };
        (0..310).for_each(|_| {
            random.next();
        });
        random
    }

    #[inline(never)]
    fn next(&mut self) -> u32 {
        let back = if self.at < 3 { self.at + 28 } else { self.at - 3 };
        self.words[self.at] = self.words[self.at].wrapping_add(self.words[back]);
        let word = self.words[self.at] >> 1;
        self.at = if self.at == 30 { 0 } else { self.at + 1 };
        word
    }

    pub(crate) fn word(&mut self) -> u64 {
        let [a, b, c] = [self.next(), self.next(), self.next()].map(u64::from);
        a << 33 | b << 2 | c >> 29
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez::{Seed, Source};

    /// FIPS 197's example of AES-256.
    #[test]
    fn tables_are_those_of_aes() {
        let key = std::array::from_fn(|i| i as u8);
        let mut words = Words::new(AesTables::new(&key, 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff));
        assert_eq!([words.word(), words.word()], [0x8ea2_b7ca_5167_45bf, 0xeafc_4990_4b49_6089]);
    }

    /// The library's streams, which its tests compare with published vectors; here two blocks.
    #[test]
    fn streams_are_those_of_the_library() {
        let key: [u8; 32] = std::array::from_fn(|i| (3 * i + 1) as u8);
        for (source, is_salsa) in [(Source::Salsa20, true), (Source::ChaCha20, false)] {
            let (mut generator, mut ours) =
                (source.open(&Seed::from_bytes(key)).unwrap(), Words::new(Stream::new(&key, is_salsa)));
            for i in 0..16 {
                let mut bytes = [0; 8];
                rand_core::TryRng::try_fill_bytes(&mut generator, &mut bytes).unwrap();
                assert_eq!(ours.word(), u64::from_le_bytes(bytes), "{source}, word {i}");
            }
        }
    }

    /// FIPS 180's example "abc", and glibc's first numbers without a seed.
    #[test]
    fn hashes_and_random_are_as_published() {
        let mut block = [0; 64];
        block[..4].copy_from_slice(b"abc\x80");
        block[63] = 24;
        assert_eq!(
            sha256(&block),
            [0xba78_16bf, 0x8f01_cfea, 0x4141_40de, 0x5dae_2223, 0xb003_61a3, 0x9617_7a9c, 0xb410_ff61, 0xf200_15ad]
        );
        let mut random = Random::new();
        assert_eq!([random.next(), random.next()], [1_804_289_383, 846_930_886]);
    }
}
