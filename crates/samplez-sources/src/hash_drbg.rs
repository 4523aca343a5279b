//! Hash_DRBG: a hash of a counter that each request moves away from.
//!
//! Standard: [SP800-90A], §10.1.1, with SHA-256 and SHA-512.
//!
//! | Output   | at most 2^16 bytes a request; 2^48 requests between seedings               |
//! | Security | 256 bits under the standard's assumptions on the hash, and full entropy     |
//! | State    | V and C, 55 bytes each for SHA-256, 111 for SHA-512; a 64-bit counter       |
//! | Timing   | Constant: depends on lengths alone                                          |
//! | Seed     | 32 bytes of entropy or more, and a nonce of 16 or more                       |
//!
//! Hash_df(input) to n bytes, §10.3.1: H(1 ‖ 8n ‖ input) ‖ H(2 ‖ 8n ‖ input) ‖ …, cut at n bytes.
//!
//! Generate, §10.1.1.4:
//! 2  additional input ≠ Null: V += H(0x02 ‖ V ‖ additional input)
//! 3  output H(V) ‖ H(V+1) ‖ …                                         (Hashgen)
//! 4–5 V += H(0x03 ‖ V) + C + counter
//! 6  counter += 1
//!
//! Departures: none. Sums are modulo 2^440 for SHA-256, 2^888 for SHA-512.

use super::drbg::{Drbg, ENTROPY_RANGE, Entropy, INPUT_MAX, Mechanism, Steps};
use core::ops::RangeInclusive;
use core::slice;
use sha2::Digest;
use sha2::block_api::{compress256, compress512};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The Hash_DRBG mechanism of \[SP800-90A\]; used as [`Drbg<HashDrbg<H>>`](Drbg).
pub struct HashDrbg<H: Hash> {
    v: H::Seed,
    c: H::Seed,
}

/// Hash_DRBG with SHA-256.
///
/// ```
/// let drbg = samplez_sources::HashDrbgSha256::instantiate(&[1; 32], &[2; 16], b"")?;
/// assert_eq!(format!("{drbg:?}"), "Drbg { .. }");
/// # Ok::<(), samplez_sources::DrbgError>(())
/// ```
pub type HashDrbgSha256 = Drbg<HashDrbg<Sha256>>;

/// Hash_DRBG with SHA-512.
///
/// ```
/// let drbg = samplez_sources::HashDrbgSha512::instantiate(&[1; 32], &[2; 16], b"")?;
/// assert_eq!(format!("{drbg:?}"), "Drbg { .. }");
/// # Ok::<(), samplez_sources::DrbgError>(())
/// ```
pub type HashDrbgSha512 = Drbg<HashDrbg<Sha512>>;

/// A hash of Hash_DRBG: [`Sha256`] or [`Sha512`], nothing else.
pub trait Hash: Function {}

/// The functions of a hash; sealed.
pub trait Function {
    /// Bytes of output.
    const OUT: usize;
    type Digest: Digest;
    /// seedlen bytes (\[SP800-90A\], table 2).
    type Seed: AsRef<[u8]> + AsMut<[u8]> + Zeroize;
    const ZERO: Self::Seed;
    /// A block of the compression function.
    type Block: AsRef<[u8]> + AsMut<[u8]> + Zeroize;
    /// A message of seedlen zero bits, padded. It fills one block: that is why seedlen is what it is.
    const PADDED: Self::Block;

    /// The digest of a message that is one block with its padding; `out` takes its first bytes.
    fn digest_block(block: &Self::Block, out: &mut [u8]);
}

/// N - 9 (or N - 17) zero bytes, the bit 1, zeros, and the length in bits (FIPS 180-4, §5.1).
const fn padded<const N: usize>(length: usize) -> [u8; N] {
    let mut block = [0; N];
    let bits = (8 * length as u16).to_be_bytes();
    block[length] = 0x80;
    block[N - 2] = bits[0];
    block[N - 1] = bits[1];
    block
}

/// The first 64 bits of the fractional parts of sqrt(2), sqrt(3), …, sqrt(19). They are the initial state of SHA-512;
/// their upper halves are the initial state of SHA-256 (FIPS 180-4, §5.3).
const INITIAL: [u64; 8] = [
    0x6a09e667f3bcc908,
    0xbb67ae8584caa73b,
    0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1,
    0x510e527fade682d1,
    0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b,
    0x5be0cd19137e2179,
];

/// SHA-256, by the processor's instructions where it has them.
#[derive(Debug)]
pub enum Sha256 {}

impl Hash for Sha256 {}
impl Function for Sha256 {
    const OUT: usize = 32;
    type Digest = sha2::Sha256;
    type Seed = [u8; 55];
    const ZERO: Self::Seed = [0; 55];
    type Block = [u8; 64];
    const PADDED: Self::Block = padded(55);

    fn digest_block(block: &Self::Block, out: &mut [u8]) {
        let mut state = INITIAL.map(|word| (word >> 32) as u32);
        compress256(&mut state, slice::from_ref(block));
        out.chunks_mut(4).zip(&state).for_each(|(out, word)| out.copy_from_slice(&word.to_be_bytes()[..out.len()]));
        state.zeroize();
    }
}

/// SHA-512, by the processor's instructions where it has them.
#[derive(Debug)]
pub enum Sha512 {}

impl Hash for Sha512 {}
impl Function for Sha512 {
    const OUT: usize = 64;
    type Digest = sha2::Sha512;
    type Seed = [u8; 111];
    const ZERO: Self::Seed = [0; 111];
    type Block = [u8; 128];
    const PADDED: Self::Block = padded(111);

    fn digest_block(block: &Self::Block, out: &mut [u8]) {
        let mut state = INITIAL;
        compress512(&mut state, slice::from_ref(block));
        out.chunks_mut(8).zip(&state).for_each(|(out, word)| out.copy_from_slice(&word.to_be_bytes()[..out.len()]));
        state.zeroize();
    }
}

/// The hash of the concatenated parts; `out` takes its first bytes.
fn hash<H: Function>(parts: &[&[u8]], out: &mut [u8]) {
    let mut digest = H::Digest::new();
    parts.iter().for_each(|part| digest.update(part));
    close(digest, out);
}

/// The first bytes of the hash.
fn close(digest: impl Digest, out: &mut [u8]) {
    let mut value = digest.finalize();
    out.copy_from_slice(&value[..out.len()]);
    value.as_mut_slice().zeroize();
}

/// Hash_df (§10.3.1): the digests of all blocks of the output side by side, so that the input is read once.
struct Derivation<H: Function>([H::Digest; 2]);

impl<H: Function> Derivation<H> {
    fn new() -> Self {
        let length = H::ZERO.as_ref().len();
        debug_assert!(length.div_ceil(H::OUT) == 2);
        let bits = (8 * length as u32).to_be_bytes();
        Derivation([1, 2].map(|counter: u8| H::Digest::new().chain_update([counter]).chain_update(bits)))
    }

    fn absorb(&mut self, bytes: &[u8]) {
        self.0.iter_mut().for_each(|digest| digest.update(bytes));
    }

    fn finish(self) -> H::Seed {
        let mut seed = H::ZERO;
        for (out, digest) in seed.as_mut().chunks_mut(H::OUT).zip(self.0) {
            close(digest, out);
        }
        seed
    }
}

/// Hash_df of the concatenated parts.
fn derive<H: Function>(parts: [&[u8]; 3]) -> H::Seed {
    let mut derivation = Derivation::<H>::new();
    parts.iter().for_each(|part| derivation.absorb(part));
    derivation.finish()
}

/// `sum` += `term` modulo 2^(8·length of `sum`), both big-endian, in time that depends on lengths
/// alone. Requires `term` to be no longer than `sum`.
#[inline(always)]
fn add(sum: &mut [u8], term: &[u8]) {
    // The bytes before the whole words, as a word.
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[8 - bytes.len()..].copy_from_slice(bytes);
        word
    };
    let (top, limbs) = sum.as_rchunks_mut::<8>();
    let (rest, words) = term.as_rchunks();
    let mut terms = words.iter().rev().copied().chain([word(rest)]).map(u64::from_be_bytes);
    let mut carry = 0;
    let mut step = |limb: [u8; 8]| {
        let total = u128::from(u64::from_be_bytes(limb)) + u128::from(terms.next().unwrap_or(0)) + carry;
        carry = total >> 64;
        (total as u64).to_be_bytes()
    };
    for limb in limbs.iter_mut().rev() {
        *limb = step(*limb);
    }
    // What does not fit into the highest bytes is a multiple of the modulus.
    let last = step(word(top));
    top.copy_from_slice(&last[8 - top.len()..]);
}

impl<H: Hash> HashDrbg<H> {
    fn new(v: H::Seed) -> Self {
        let c = derive::<H>([&[0], v.as_ref(), &[]]);
        HashDrbg { v, c }
    }

    /// V += H(prefix ‖ V ‖ input)
    fn stir(&mut self, prefix: u8, input: &[u8]) {
        let mut value = Zeroizing::new([0; 64]);
        let value = &mut value[..H::OUT];
        hash::<H>(&[&[prefix], self.v.as_ref(), input], value);
        add(self.v.as_mut(), value);
    }
}

impl<H: Hash> Mechanism for HashDrbg<H> {}

impl<H: Hash> Steps for HashDrbg<H> {
    const BLOCK: usize = H::OUT;
    type Request = ();

    /// §10.1.1.2
    fn instantiate(entropy: &[u8], nonce: &[u8], personalization: &[u8]) -> Self {
        Self::new(derive::<H>([entropy, nonce, personalization]))
    }

    /// §10.1.1.3
    fn reseed<E>(&mut self, entropy: Entropy<'_, E>, additional: &[u8]) -> Result<(), E> {
        let mut derivation = Derivation::<H>::new();
        derivation.absorb(&[1]);
        derivation.absorb(self.v.as_ref());
        entropy.each(|piece| derivation.absorb(piece))?;
        derivation.absorb(additional);
        *self = Self::new(derivation.finish());
        Ok(())
    }

    fn begin(&mut self, additional: &[u8]) {
        if !additional.is_empty() {
            self.stir(2, additional); // step 2
        }
    }

    /// Hashgen (§10.1.1.4), step 3
    fn blocks(&self, first: u64, out: &mut [u8]) {
        let mut block = Zeroizing::new(H::PADDED);
        let v = self.v.as_ref();
        for (at, chunk) in (first..).zip(out.chunks_mut(H::OUT)) {
            let data = &mut (*block).as_mut()[..v.len()];
            data.copy_from_slice(v);
            add(data, &at.to_be_bytes());
            H::digest_block(&block, chunk);
        }
    }

    fn finish(&mut self, (): (), _blocks: u64, counter: u64) {
        self.stir(3, &[]); // steps 4–5
        add(self.v.as_mut(), self.c.as_ref());
        add(self.v.as_mut(), &counter.to_be_bytes());
    }

    fn entropy_range(&self) -> RangeInclusive<usize> {
        ENTROPY_RANGE
    }

    fn input_max(&self) -> usize {
        INPUT_MAX
    }
}

impl<H: Hash> Drop for HashDrbg<H> {
    fn drop(&mut self) {
        self.v.zeroize();
        self.c.zeroize();
    }
}

impl<H: Hash> ZeroizeOnDrop for HashDrbg<H> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// One compression of the padded block is the hash.
    fn one_block<H: Function>() {
        let mut block = H::PADDED;
        let message = &mut block.as_mut()[..H::ZERO.as_ref().len()];
        message.iter_mut().zip(0..).for_each(|(byte, i)| *byte = i);
        for len in [0, 1, 5, H::OUT] {
            let (mut a, mut b) = ([0; 64], [0; 64]);
            hash::<H>(&[&block.as_ref()[..H::ZERO.as_ref().len()]], &mut a[..len]);
            H::digest_block(&block, &mut b[..len]);
            assert_eq!(a, b);
        }
    }

    #[test]
    fn one_block_is_the_hash() {
        one_block::<Sha256>();
        one_block::<Sha512>();
    }

    #[test]
    fn sums_carry_and_wrap() {
        let mut sum = [0xff; 11];
        add(&mut sum, &[1]);
        assert_eq!(sum, [0; 11]);
        let mut sum = [0; 11];
        sum[3..].fill(0xff);
        add(&mut sum, &[2]);
        assert_eq!(sum, [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
        let mut sum = [0; 11];
        add(&mut sum, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(sum, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        let mut sum = [0x80; 11];
        add(&mut sum, &[0x80; 11]);
        assert_eq!(sum, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    }
}
