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

use super::drbg::{Drbg, ENTROPY_RANGE, INPUT_MAX, Mechanism, Steps};
use core::ops::RangeInclusive;
use sha2::Digest;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The Hash_DRBG mechanism of \[SP800-90A\]; used as [`Drbg<HashDrbg<H>>`](Drbg).
///
/// ```
/// use samplez_core::sources::{Drbg, HashDrbg, Sha256};
/// let mut drbg = Drbg::<HashDrbg<Sha256>>::instantiate(&[1; 32], &[2; 16], b"an application")?;
/// let mut key = [0; 32];
/// drbg.generate(&mut key, b"")?;
/// # Ok::<(), samplez_core::sources::DrbgError>(())
/// ```
pub struct HashDrbg<H: Hash> {
    v: H::Seed,
    c: H::Seed,
}

/// Hash_DRBG with SHA-256.
///
/// ```
/// let drbg = samplez_core::sources::HashDrbgSha256::instantiate(&[1; 32], &[2; 16], b"")?;
/// assert_eq!(format!("{drbg:?}"), "Drbg { .. }");
/// # Ok::<(), samplez_core::sources::DrbgError>(())
/// ```
pub type HashDrbgSha256 = Drbg<HashDrbg<Sha256>>;

/// Hash_DRBG with SHA-512.
///
/// ```
/// let drbg = samplez_core::sources::HashDrbgSha512::instantiate(&[1; 32], &[2; 16], b"")?;
/// assert_eq!(format!("{drbg:?}"), "Drbg { .. }");
/// # Ok::<(), samplez_core::sources::DrbgError>(())
/// ```
pub type HashDrbgSha512 = Drbg<HashDrbg<Sha512>>;

/// A hash of Hash_DRBG: [`Sha256`] or [`Sha512`], nothing else.
///
/// ```
/// use samplez_core::sources::{Drbg, Hash, HashDrbg, Sha512};
/// fn any<H: Hash>() -> bool {
///     Drbg::<HashDrbg<H>>::instantiate(&[1; 32], &[2; 16], b"").is_ok()
/// }
/// assert!(any::<Sha512>());
/// ```
pub trait Hash: Function {}

/// What a hash does; sealed.
pub trait Function {
    /// Bytes of output.
    const OUT: usize;
    type Digest: Digest;
    /// seedlen bytes (\[SP800-90A\], table 2).
    type Seed: AsRef<[u8]> + AsMut<[u8]> + Clone + Zeroize;
    const ZERO: Self::Seed;
}

/// SHA-256, by the processor's instructions where it has them.
///
/// ```
/// use samplez_core::sources::{Drbg, HashDrbg, Sha256};
/// assert!(Drbg::<HashDrbg<Sha256>>::instantiate(&[1; 32], &[2; 16], b"").is_ok());
/// ```
#[derive(Debug)]
pub enum Sha256 {}

impl Hash for Sha256 {}
impl Function for Sha256 {
    const OUT: usize = 32;
    type Digest = sha2::Sha256;
    type Seed = [u8; 55];
    const ZERO: Self::Seed = [0; 55];
}

/// SHA-512, by the processor's instructions where it has them.
///
/// ```
/// use samplez_core::sources::{Drbg, HashDrbg, Sha512};
/// assert!(Drbg::<HashDrbg<Sha512>>::instantiate(&[1; 32], &[2; 16], b"").is_ok());
/// ```
#[derive(Debug)]
pub enum Sha512 {}

impl Hash for Sha512 {}
impl Function for Sha512 {
    const OUT: usize = 64;
    type Digest = sha2::Sha512;
    type Seed = [u8; 111];
    const ZERO: Self::Seed = [0; 111];
}

/// The hash of the concatenated parts; `out` takes its first bytes.
fn hash<H: Function>(parts: &[&[u8]], out: &mut [u8]) {
    let mut digest = H::Digest::new();
    parts.iter().for_each(|part| digest.update(part));
    let mut value = digest.finalize();
    out.copy_from_slice(&value[..out.len()]);
    value.as_mut_slice().zeroize();
}

/// Hash_df (§10.3.1) of the concatenated parts, of which there are at most five.
fn derive<H: Function>(parts: [&[u8]; 4]) -> H::Seed {
    let mut seed = H::ZERO;
    let out = seed.as_mut();
    let bits = (8 * out.len() as u32).to_be_bytes();
    for (chunk, counter) in out.chunks_mut(H::OUT).zip(1_u8..) {
        let [a, b, c, d] = parts;
        hash::<H>(&[&[counter], &bits, a, b, c, d], chunk);
    }
    seed
}

/// `sum` += `term` modulo 2^(8·length of `sum`), both big-endian, in time that depends on lengths
/// alone. Requires `term` to be no longer than `sum`.
#[inline(always)]
fn add(sum: &mut [u8], term: &[u8]) {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[8 - bytes.len()..].copy_from_slice(bytes);
        u64::from_be_bytes(word)
    };
    let mut terms = term.rchunks(8);
    let mut carry = 0;
    for limb in sum.rchunks_mut(8) {
        let term = terms.next().map_or(0, word);
        let total = u128::from(word(limb)) + u128::from(term) + carry;
        // The highest limb may be shorter than a word: what does not fit is the modulus.
        let bytes = (total as u64).to_be_bytes();
        limb.copy_from_slice(&bytes[8 - limb.len()..]);
        carry = total >> 64;
    }
}

impl<H: Hash> HashDrbg<H> {
    fn new(v: H::Seed) -> Self {
        let c = derive::<H>([&[0], v.as_ref(), &[], &[]]);
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
        Self::new(derive::<H>([entropy, nonce, personalization, &[]]))
    }

    /// §10.1.1.3
    fn reseed(&mut self, entropy: &[u8], additional: &[u8]) {
        *self = Self::new(derive::<H>([&[1], self.v.as_ref(), entropy, additional]));
    }

    fn begin(&mut self, additional: &[u8]) {
        if !additional.is_empty() {
            self.stir(2, additional); // step 2
        }
    }

    /// Hashgen (§10.1.1.4), step 3
    fn blocks(&self, first: u64, out: &mut [u8]) {
        let mut data = Zeroizing::new(self.v.clone());
        add((*data).as_mut(), &first.to_be_bytes());
        for chunk in out.chunks_mut(H::OUT) {
            hash::<H>(&[(*data).as_ref()], chunk);
            add((*data).as_mut(), &[1]);
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
    use super::add;

    #[test]
    fn sums_carry_and_wrap() {
        let mut sum = [0xff; 11];
        add(&mut sum, &[1]);
        assert_eq!(sum, [0; 11]);
        let mut sum = [0; 11];
        sum[3..].fill(0xff);
        add(&mut sum, &[2]);
        assert_eq!(sum, [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
        let mut sum = [0x80; 11];
        add(&mut sum, &[0x80; 11]);
        assert_eq!(sum, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    }
}
