//! Keys, encryption, decryption: [`generate`], [`PublicKey`], [`SecretKey`].

use super::set::{Parameters, Set};
use crate::Error;
use crate::encode::bits::{Packer, Unpacker};
use crate::modulus::Modulus;
use crate::wipe::ErasedVec;
use alloc::vec::Vec;
use core::fmt;
use rand_core::{CryptoRng, Rng};
use samplez_core::Noise;
use samplez_core::arch::fastest;
use samplez_core::bits::BitReader;
use samplez_core::uniform::fill_below;
use zeroize::Zeroizing;

/// A public key: A, or its transform, and P, row by row.
///
/// ```
/// use samplez_schemes::lp11::PublicKey;
/// assert!(PublicKey::from_bytes(&[4, 1, 2, 3]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    set: Set,
    a: Vec<i16>,
    p: Vec<i16>,
}

/// A secret key: R₂, column by column. It is erased when it is dropped.
///
/// ```
/// use samplez_schemes::lp11::SecretKey;
/// assert!(SecretKey::from_bytes(&[4, 1, 2, 3]).is_err());
/// ```
pub struct SecretKey {
    set: Set,
    r2: ErasedVec<i16>,
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("set", &self.set).finish_non_exhaustive()
    }
}

/// Generates a pair of keys.
///
/// # Errors
///
/// - [`Error::Refused`] if the noise does not meet the set's [requirement](Set::demand). It then has another law, or
///   its certificate does not keep 126 of 128 bits in a decision problem. Such a certificate requires a table of about
///   136 bits.
/// - [`Error::Generator`] if the generator is stuck.
///
/// ```
/// use samplez_core::samplers::CdtGuided;
/// use samplez_schemes::lp11::{self, Set};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_tables::{CdtGuidedOptions, CdtOptions, build_guided};
/// let cdt = CdtOptions { precision: 136, ..CdtOptions::default() };
/// let options = CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() };
/// let noise = CdtGuided::from_table(build_guided(&Set::Ring256.demand().law, &options)?);
/// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
/// let (public, secret) = lp11::generate(Set::Ring256, &noise, &mut rng)?;
/// let ciphertext = public.encrypt(&noise, b"a text", &mut rng)?;
/// assert_eq!(secret.decrypt(&ciphertext)?, b"a text"); // but for 3.5e-5 a bit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(
    set: Set,
    noise: &dyn Noise,
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<(PublicKey, SecretKey), Error> {
    let s = set.parameters();
    set.demand().check(noise)?;
    let mut reader = BitReader::new(rng).latching();
    let mut uniform = alloc::vec![0; if s.ring.is_some() { s.n } else { s.n * s.n }];
    fill_below(s.q, &mut reader, &mut uniform);
    let modulus = Modulus::new(s.q.get());
    let a: Vec<i16> = uniform.iter().map(|a| modulus.centred_word(i32::from(*a))).collect();
    let bits: &mut BitReader<dyn Rng + '_> = &mut reader;
    let size = if s.ring.is_some() { s.n } else { s.n * s.l };
    let drawn = draw(s, noise, bits, 2 * size)?;
    let [r1, mut r2] = [&drawn[..size], &drawn[size..]].map(|r| ErasedVec::new(r.to_vec()));
    let mut p = Vec::with_capacity(size);
    if let Some(ring) = s.ring {
        // r₂ and all of the public key are kept transformed.
        let mut r1 = r1;
        ring.transform(&mut r1);
        ring.transform(&mut r2);
        let mut product = ErasedVec::new(a.clone());
        ring.multiply(&mut product, &r2);
        p.extend(r1.iter().zip(product.iter()).map(|(r, c)| modulus.centred_word(i32::from(*r) - i32::from(*c))));
    } else {
        fastest(
            #[inline(always)]
            || {
                for (row, r1) in a.chunks_exact(s.n).zip(r1.chunks_exact(s.l)) {
                    for (column, r) in r2.chunks_exact(s.n).zip(r1) {
                        p.push(modulus.centred_word(i32::from(*r) - inner(row, column)));
                    }
                }
            },
        );
    }
    let keys = (PublicKey { set, a, p }, SecretKey { set, r2 });
    bits.fault().map_or(Ok(keys), |fault| Err(Error::Generator(fault)))
}

/// Noise modulo q, centred.
fn draw(
    set: &Parameters,
    noise: &dyn Noise,
    bits: &mut BitReader<dyn Rng + '_>,
    count: usize,
) -> Result<ErasedVec<i16>, Error> {
    let mut wide = ErasedVec::zeros(count);
    noise
        .fill(bits, &mut wide)
        .map_err(|_| Error::refused("noise", noise.profile().target, "its support must fit 32 bits"))?;
    let modulus = Modulus::new(set.q.get());
    Ok(ErasedVec::new(wide.iter().map(|e| modulus.centred_word(*e)).collect()))
}

/// The inner product of centred residues below 2^11 in absolute value, at most 320 of them: below 2^31.
#[inline(always)]
fn inner(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

/// sum ← sum + x·row.
#[inline(always)]
fn add_multiple(sum: &mut [i32], x: i16, row: &[i16]) {
    sum.iter_mut().zip(row).for_each(|(sum, a)| *sum += i32::from(x) * i32::from(*a));
}

impl PublicKey {
    /// Returns the set.
    pub const fn set(&self) -> Set {
        self.set
    }

    /// Encrypts a message of any length below 2^32 bytes; its length is public.
    ///
    /// # Errors
    ///
    /// As [`generate`]; [`Error::Refused`] too for a message of 2^32 bytes or more.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, samplers::Karney};
    /// use samplez_schemes::lp11::{PublicKey, Set};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let key = [vec![4], vec![0; 2 * 256 * 13 / 8]].concat(); // nobody's
    /// let other = Karney::new(&DiscreteGaussian::with_sigma("9/2".parse()?)?)?;
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// let error = PublicKey::from_bytes(&key)?.encrypt(&other, b"", &mut rng).unwrap_err();
    /// assert!(error.to_string().contains("its law must be D_Z(s = 11.31, center = 0)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encrypt(
        &self,
        noise: &dyn Noise,
        message: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Vec<u8>, Error> {
        let s = self.set.parameters();
        self.set.demand().check(noise)?;
        let length = u32::try_from(message.len());
        let length = length.map_err(|_| Error::refused("message", "longer", "must have less than 2^32 bytes"))?;
        let mut reader = BitReader::new(rng).latching();
        let bits: &mut BitReader<dyn Rng + '_> = &mut reader;
        let mut out = alloc::vec![self.set as u8];
        out.extend_from_slice(&length.to_be_bytes());
        let mut packer = Packer::after(out);
        for block in message.chunks(s.l / 8) {
            let (c1, c2) = self.encrypt_block(s, noise, block, bits)?;
            c1.iter().chain(&c2).for_each(|c| put(s, *c, &mut packer));
        }
        bits.fault().map_or(Ok(packer.finish()), |fault| Err(Error::Generator(fault)))
    }

    fn encrypt_block(
        &self,
        s: &Parameters,
        noise: &dyn Noise,
        block: &[u8],
        bits: &mut BitReader<dyn Rng + '_>,
    ) -> Result<(Vec<i16>, Vec<i16>), Error> {
        let q = s.q();
        let mut drawn = draw(s, noise, bits, 2 * s.n + s.l)?;
        let (e1, rest) = drawn.split_at_mut(s.n);
        let (e2, e3) = rest.split_at(s.n);
        let [mut c1, mut c2] = [s.n, s.l].map(ErasedVec::zeros);
        if let Some(ring) = s.ring {
            ring.transform(e1);
            for (c, factor) in [(&mut c1, &self.a), (&mut c2, &self.p)] {
                let mut product = ErasedVec::new(e1.to_vec());
                ring.multiply(&mut product, factor);
                ring.untransform(&mut product);
                c.iter_mut().zip(product.iter()).for_each(|(c, x)| *c = i32::from(*x));
            }
        } else {
            fastest(
                #[inline(always)]
                || {
                    for (i, e) in e1.iter().enumerate() {
                        add_multiple(&mut c1, *e, &self.a[i * s.n..][..s.n]);
                        add_multiple(&mut c2, *e, &self.p[i * s.l..][..s.l]);
                    }
                },
            );
        }
        for (c, e) in c1.iter_mut().zip(e2.iter()) {
            *c += i32::from(*e);
        }
        for (i, (c, e)) in c2.iter_mut().zip(e3.iter()).enumerate() {
            let bit = block.get(i / 8).map_or(0, |byte| i32::from(byte >> (7 - i % 8) & 1));
            *c += i32::from(*e) + bit * (q / 2);
        }
        let modulus = Modulus::new(s.q.get());
        let reduced = |c: &[i32]| c.iter().map(|c| modulus.centred_word(*c)).collect();
        Ok((reduced(&c1), reduced(&c2)))
    }

    /// Returns the key's bytes: the set's number, A and P, ⌈lg q⌉ bits an entry.
    ///
    /// ```
    /// # use samplez_core::samplers::CdtGuided;
    /// # use samplez_schemes::lp11::{self, PublicKey, Set};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// # use samplez_tables::{CdtGuidedOptions, CdtOptions, build_guided};
    /// # let cdt = CdtOptions { precision: 136, ..CdtOptions::default() };
    /// # let options = CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() };
    /// # let noise = CdtGuided::from_table(build_guided(&Set::Ring512.demand().law, &options)?);
    /// let (public, _) = lp11::generate(Set::Ring512, &noise, &mut ChaCha20::new(&Seed::from_bytes([1; 32])))?;
    /// assert_eq!(public.to_bytes().len(), 1 + 2 * 512 * 14 / 8);
    /// assert_eq!(PublicKey::from_bytes(&public.to_bytes())?, public);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        write(self.set, &[&self.a, &self.p])
    }

    /// Builds the key with these bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for whatever is not the one encoding of a key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (set, s, mut unpacker) = read("public key", bytes)?;
        let rows = if s.ring.is_some() { 1 } else { s.n };
        let a = take_all(s, rows * s.n, &mut unpacker)?.to_vec();
        let p = take_all(s, rows * s.l, &mut unpacker)?.to_vec();
        unpacker.finish()?;
        Ok(PublicKey { set, a, p })
    }
}

impl SecretKey {
    /// Returns the set.
    pub const fn set(&self) -> Set {
        self.set
    }

    /// Decrypts. Each bit is wrong with probability [`Set::failure_rate`], and nothing reveals that.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for bytes that are no encoding of a ciphertext under this set.
    ///
    /// ```
    /// use samplez_schemes::lp11::SecretKey;
    /// let key = SecretKey::from_bytes(&[vec![4], vec![0; 256 * 13 / 8]].concat())?; // nobody's
    /// assert_eq!(key.decrypt(&[4, 0, 0, 0, 0])?, b"");
    /// assert!(key.decrypt(&[4, 255, 255, 255, 255]).is_err());
    /// # Ok::<(), samplez_schemes::Error>(())
    /// ```
    pub fn decrypt(&self, ciphertext: &[u8]) -> Result<Vec<u8>, Error> {
        let s = self.set.parameters();
        let (set, _, mut unpacker) = read("ciphertext", ciphertext)?;
        if set != self.set {
            return Err(Error::malformed("ciphertext", "it is of another set"));
        }
        let length = (0..4).try_fold(0, |length, _| Ok(length << 8 | unpacker.take(8)? as usize))?;
        let blocks = length.div_ceil(s.l / 8);
        // Before anything is allocated for it.
        let fields = (blocks as u64) * (s.n + s.l) as u64 * u64::from(width(s));
        if fields.div_ceil(8) + 5 != ciphertext.len() as u64 {
            return Err(Error::malformed("ciphertext", "its length is not what it says"));
        }
        let mut message = Zeroizing::new(alloc::vec![0; blocks * s.l / 8]);
        for block in message.chunks_exact_mut(s.l / 8) {
            let (c1, c2) = (take_all(s, s.n, &mut unpacker)?, take_all(s, s.l, &mut unpacker)?);
            self.decrypt_block(s, c1, &c2, block);
        }
        unpacker.finish()?;
        message.truncate(length);
        Ok(core::mem::take(&mut *message))
    }

    /// Decrypts a block of zeros: into where the message is, for nobody would erase a copy.
    fn decrypt_block(&self, s: &Parameters, mut c1: ErasedVec<i16>, c2: &[i16], block: &mut [u8]) {
        let q = s.q();
        let mut products = ErasedVec::new(Vec::with_capacity(s.l));
        if let Some(ring) = s.ring {
            ring.transform(&mut c1);
            ring.multiply(&mut c1, &self.r2);
            ring.untransform(&mut c1);
            products.extend(c1.iter().map(|c| i32::from(*c)));
        } else {
            fastest(
                #[inline(always)]
                || products.extend(self.r2.chunks_exact(s.n).map(|column| inner(column, &c1))),
            );
        }
        let modulus = Modulus::new(s.q.get());
        for (i, (product, c)) in products.iter().zip(c2).enumerate() {
            let v = i32::from(modulus.centred_word(product + i32::from(*c)));
            block[i / 8] |= u8::from(v.abs() >= q / 4) << (7 - i % 8);
        }
    }

    /// Returns the key's bytes: the set's number and R₂, ⌈lg q⌉ bits an entry.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(write(self.set, &[&self.r2]))
    }

    /// Builds the key with these bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for whatever is not the one encoding of a key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (set, s, mut unpacker) = read("secret key", bytes)?;
        let r2 = take_all(s, if s.ring.is_some() { s.n } else { s.n * s.l }, &mut unpacker)?;
        unpacker.finish()?;
        Ok(SecretKey { set, r2 })
    }
}

/// Bits of a residue.
const fn width(s: &Parameters) -> u32 {
    s.q().ilog2() + 1
}

/// A centred residue.
fn put(s: &Parameters, c: i16, packer: &mut Packer) {
    packer.put(width(s), (i32::from(c) + (i32::from(c) >> 31 & s.q())) as u32);
}

fn write(set: Set, parts: &[&[i16]]) -> Vec<u8> {
    let s = set.parameters();
    let count: usize = parts.iter().map(|part| part.len()).sum();
    // All of it at once, so that no secret stays where it grew.
    let mut bytes = Vec::with_capacity(1 + (count * width(s) as usize).div_ceil(8));
    bytes.push(set as u8);
    let mut packer = Packer::after(bytes);
    parts.iter().flat_map(|part| *part).for_each(|c| put(s, *c, &mut packer));
    packer.finish()
}

/// Returns the set of an encoding, and the rest of it.
fn read<'a>(what: &'static str, bytes: &'a [u8]) -> Result<(Set, &'static Parameters, Unpacker<'a>), Error> {
    let [number, body @ ..] = bytes else { return Err(Error::malformed(what, "it ends too early")) };
    let set = Set::ALL.get(usize::from(*number)).ok_or(Error::malformed(what, "its set is unknown"))?;
    Ok((*set, set.parameters(), Unpacker::new(what, body)))
}

/// Reads `count` residues.
fn take_all(s: &Parameters, count: usize, unpacker: &mut Unpacker<'_>) -> Result<ErasedVec<i16>, Error> {
    unpacker.require(count * width(s) as usize)?;
    let mut residues = ErasedVec::new(Vec::with_capacity(count));
    for _ in 0..count {
        let value = unpacker.take(width(s))? as i32;
        if value >= s.q() {
            return Err(unpacker.error("a residue is not below q"));
        }
        residues.push((value - if value > s.q() / 2 { s.q() } else { 0 }) as i16);
    }
    Ok(residues)
}
