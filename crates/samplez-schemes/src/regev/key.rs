//! Keys, encryption, decryption: [`generate`], [`PublicKey`], [`SecretKey`].

use super::bytes;
use super::parameters::{Parameters, Shape};
use super::product::{Split, combine};
use crate::Error;
use crate::encode::bits::Packer;
use crate::modulus::Modulus;
use crate::wipe::ErasedVec;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU16;
use rand_core::{CryptoRng, Rng};
use samplez_core::Noise;
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::uniform::fill_below;
use zeroize::Zeroizing;

/// A public key: A and B, row by row.
///
/// ```
/// use samplez_schemes::regev::PublicKey;
/// assert!(PublicKey::from_bytes(&[0, 1, 2, 3]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    parameters: Parameters,
    a: Vec<i16>,
    b: Vec<i16>,
}

/// A secret key: S, column by column. It is erased when it is dropped.
///
/// ```
/// use samplez_schemes::regev::SecretKey;
/// assert!(SecretKey::from_bytes(&[0, 1, 2, 3]).is_err());
/// ```
pub struct SecretKey {
    parameters: Parameters,
    s: ErasedVec<i16>,
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

/// Generates a pair of keys. The generator gives A, row by row, then S, column by column, then E, row by row.
///
/// # Errors
///
/// - [`Error::Refused`] if the noise does not meet the parameters' [requirement](Parameters::demand). It then has
///   another law, or its certificate does not keep 126 of 128 bits in a decision problem. Such a certificate requires a
///   table of about 136 bits.
/// - [`Error::Generator`] if the generator is stuck.
///
/// ```
/// use samplez_core::samplers::CdtGuided;
/// use samplez_schemes::regev::{self, Set};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_tables::{CdtGuidedOptions, CdtOptions, build_guided};
/// let cdt = CdtOptions { precision: 136, ..CdtOptions::default() };
/// let options = CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() };
/// let noise = CdtGuided::from_table(build_guided(&Set::Mr09N136.parameters().demand().law, &options)?);
/// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
/// let (public, secret) = regev::generate(Set::Mr09N136, &noise, &mut rng)?;
/// let ciphertext = public.encrypt(b"text", &mut rng)?;
/// assert_eq!(secret.decrypt(&ciphertext)?.len(), 4); // "text"; each byte is wrong with a probability of 1 to 8 %
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(
    parameters: impl Into<Parameters>,
    noise: &dyn Noise,
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<(PublicKey, SecretKey), Error> {
    let parameters = parameters.into();
    parameters.demand().check(noise)?;
    let Shape { n, l, m, .. } = parameters.shape();
    let [n, l, m] = [n, l, m].map(|x| x as usize);
    let modulus = modulus(&parameters);
    let mut reader = BitReader::new(rng).latching();
    let a = uniform(&parameters, m * n, &mut reader).to_vec();
    let s = uniform(&parameters, n * l, &mut reader);
    let bits: &mut BitReader<dyn Rng + '_> = &mut reader;
    let mut b = ErasedVec::zeros(m * l);
    let mut row: ErasedVec<i32> = ErasedVec::zeros(l);
    for b in b.chunks_exact_mut(l) {
        noise
            .fill(bits, &mut row)
            .map_err(|_| Error::refused("noise", noise.profile().target, "its support must fit 32 bits"))?;
        b.iter_mut().zip(row.iter()).for_each(|(b, e)| *b = modulus.centred(i64::from(*e)));
    }
    Split::new(n, &s).add_product(modulus, &a, &mut b);
    let b = core::mem::take(&mut *b);
    let keys = (PublicKey { parameters, a, b }, SecretKey { parameters, s });
    bits.fault().map_or(Ok(keys), |fault| Err(Error::Generator(fault)))
}

const fn modulus(parameters: &Parameters) -> Modulus {
    Modulus::new(parameters.shape().q as u16)
}

/// Uniform centred residues.
fn uniform(parameters: &Parameters, count: usize, bits: &mut impl BitSource) -> ErasedVec<i16> {
    let q = parameters.shape().q as i32;
    let drawn = below(q as u32, count, bits);
    let centred = |x: &u16| (i32::from(*x) - if i32::from(*x) > q / 2 { q } else { 0 }) as i16;
    ErasedVec::new(drawn.iter().map(centred).collect())
}

/// Uniform numbers below `bound`, which is between 1 and 2^15.
fn below<S: BitSource + ?Sized>(bound: u32, count: usize, bits: &mut S) -> ErasedVec<u16> {
    let mut drawn = ErasedVec::zeros(count);
    fill_below(NonZeroU16::new(bound as u16).unwrap_or(NonZeroU16::MIN), bits, &mut drawn);
    drawn
}

impl PublicKey {
    /// Returns the parameters.
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Encrypts a message of any length below 2^32 bytes; its length is public. Each block takes m uniform numbers and no noise.
    ///
    /// # Errors
    ///
    /// [`Error::Generator`] if the generator is stuck; [`Error::Refused`] for a message of 2^32 bytes or more, or whose ciphertext
    /// would have 2^32.
    ///
    /// ```
    /// use samplez_schemes::regev::PublicKey;
    /// use samplez_sources::{ChaCha20, Seed};
    /// let key = [vec![0], vec![0; 2 * 2008 * 136 * 11 / 8]].concat(); // nobody's
    /// let ciphertext = PublicKey::from_bytes(&key)?.encrypt(b"message", &mut ChaCha20::new(&Seed::from_bytes([1; 32])))?;
    /// assert_eq!(ciphertext.len(), 1 + 4 + 2 * 136 * 11 / 8); // 56 bits in one block of 136
    /// # Ok::<(), samplez_schemes::Error>(())
    /// ```
    pub fn encrypt(&self, message: &[u8], rng: &mut (impl CryptoRng + ?Sized)) -> Result<Vec<u8>, Error> {
        let too_long = || Error::refused("message", "longer", "must have less than 2^32 bytes, and so its ciphertext");
        let length = u32::try_from(message.len()).map_err(|_| too_long())?;
        let size = ciphertext_bytes(&self.parameters, u64::from(length));
        let size = u32::try_from(size).map_err(|_| too_long())?;
        let Shape { n, l, m, r, .. } = self.parameters.shape();
        let (each, modulus) = (self.parameters.letter_bits() as usize, modulus(&self.parameters));
        let mut bits = BitReader::new(rng).latching();
        let mut out = bytes::head(&self.parameters, 4 + size as usize);
        out.extend_from_slice(&length.to_be_bytes());
        let mut packer = Packer::after(out);
        let bit = |i: usize| message.get(i / 8).map_or(0, |byte| u32::from(byte >> (7 - i % 8) & 1));
        for block in 0..blocks(&self.parameters, u64::from(length)) as usize {
            let drawn = below(2 * r + 1, m as usize, &mut bits);
            let a: ErasedVec<i16> = ErasedVec::new(drawn.iter().map(|a| *a as i16 - r as i16).collect());
            let [mut u, mut c] = [n, l].map(|length| ErasedVec::zeros(length as usize));
            combine(&self.a, &a, &mut u);
            combine(&self.b, &a, &mut c);
            for (i, c) in c.iter_mut().enumerate() {
                let at = (block * l as usize + i) * each;
                *c += self.parameters.encode((at..at + each).fold(0, |letter, i| letter << 1 | bit(i)));
            }
            for sums in [&u, &c] {
                let reduced: Vec<i16> = sums.iter().map(|c| modulus.centred(i64::from(*c))).collect();
                bytes::put(&self.parameters, &reduced, &mut packer);
            }
        }
        bits.fault().map_or(Ok(packer.finish()), |fault| Err(Error::Generator(fault)))
    }

    /// Returns the key's bytes: its parameters, A and B, ⌈lg q⌉ bits an entry.
    pub fn to_bytes(&self) -> Vec<u8> {
        bytes::write(&self.parameters, &[&self.a, &self.b])
    }

    /// Builds the key with these bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for whatever is not the one encoding of a key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (parameters, mut unpacker) = bytes::read_head("public key", bytes)?;
        let Shape { n, l, m, .. } = parameters.shape();
        let a = bytes::take(&parameters, (m * n) as usize, &mut unpacker)?.to_vec();
        let b = bytes::take(&parameters, (m * l) as usize, &mut unpacker)?.to_vec();
        unpacker.finish()?;
        Ok(PublicKey { parameters, a, b })
    }
}

/// Blocks of a message of so many bytes.
fn blocks(parameters: &Parameters, length: u64) -> u64 {
    (8 * length).div_ceil(u64::from(parameters.letter_bits() * parameters.shape().l))
}

/// Bytes of its blocks.
fn ciphertext_bytes(parameters: &Parameters, length: u64) -> u64 {
    let Shape { n, l, .. } = parameters.shape();
    (blocks(parameters, length) * u64::from((n + l) * bytes::width(parameters))).div_ceil(8)
}

impl SecretKey {
    /// Returns the parameters.
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Decrypts. Each letter is wrong with probability [`Parameters::letter_error`], and nothing reveals that.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for bytes that are no encoding of a ciphertext under these parameters.
    ///
    /// ```
    /// use samplez_schemes::regev::SecretKey;
    /// let key = SecretKey::from_bytes(&[vec![0], vec![0; 136 * 136 * 11 / 8]].concat())?; // nobody's
    /// assert_eq!(key.decrypt(&[0, 0, 0, 0, 0])?, b"");
    /// assert!(key.decrypt(&[0, 255, 255, 255, 255]).is_err());
    /// # Ok::<(), samplez_schemes::Error>(())
    /// ```
    pub fn decrypt(&self, ciphertext: &[u8]) -> Result<Vec<u8>, Error> {
        let (parameters, mut unpacker) = bytes::read_head("ciphertext", ciphertext)?;
        if parameters != self.parameters {
            return Err(unpacker.error("it is of other parameters"));
        }
        let head = bytes::head(&parameters, 0).len() + 4;
        let length = (0..4).try_fold(0, |length, _| Ok(length << 8 | u64::from(unpacker.take(8)?)))?;
        // Before anything is allocated for it.
        if ciphertext_bytes(&parameters, length) + head as u64 != ciphertext.len() as u64 {
            return Err(unpacker.error("its length is not what it says"));
        }
        let (Shape { n, l, .. }, modulus) = (parameters.shape(), modulus(&parameters));
        let mask = (1 << parameters.letter_bits()) - 1;
        // A little less than the ciphertext at most; all at once, so that no message stays where it grew.
        let mut letters = Packer::after(Vec::with_capacity(ciphertext.len()));
        for _ in 0..blocks(&parameters, length) {
            let u = bytes::take(&parameters, n as usize, &mut unpacker)?;
            let c = bytes::take(&parameters, l as usize, &mut unpacker)?;
            for (column, c) in self.s.chunks_exact(n as usize).zip(c.iter()) {
                let product: i64 =
                    column.iter().zip(u.iter()).map(|(s, u)| i64::from(i32::from(*s) * i32::from(*u))).sum();
                let letter = parameters.decode(modulus.centred(i64::from(*c) - product));
                letters.put(parameters.letter_bits(), letter & mask);
            }
        }
        unpacker.finish()?;
        let mut message = letters.finish();
        message.truncate(length as usize);
        Ok(message)
    }

    /// Returns the key's bytes: its parameters and S, ⌈lg q⌉ bits an entry.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(bytes::write(&self.parameters, &[&self.s]))
    }

    /// Builds the key with these bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for whatever is not the one encoding of a key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (parameters, mut unpacker) = bytes::read_head("secret key", bytes)?;
        let Shape { n, l, .. } = parameters.shape();
        let s = bytes::take(&parameters, (n * l) as usize, &mut unpacker)?;
        unpacker.finish()?;
        Ok(SecretKey { parameters, s })
    }
}
