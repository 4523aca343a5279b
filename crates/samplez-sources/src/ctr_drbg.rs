//! CTR_DRBG: AES-256 in counter mode under a key that each request replaces.
//!
//! Standard: [SP800-90A], §10.2.1, with AES-256, with and without the derivation function.
//!
//! | Output   | at most 2^16 bytes a request; 2^48 requests between seedings               |
//! | Security | 256 bits if AES-256 is a pseudorandom permutation and the entropy is full   |
//! | State    | round keys (240 bytes in hardware, 960 in software), V, a 64-bit counter     |
//! | Timing   | Constant: depends on lengths alone                                          |
//! | Seed     | with derivation: 32 bytes of entropy or more, and a nonce of 16 or more;     |
//! |          | without: exactly 48 bytes of full entropy, and no nonce                      |
//!
//! ```text
//! Update(data), §10.2.1.2:
//! 1–4 temp = E(K, V+1) ‖ E(K, V+2) ‖ E(K, V+3), and V += 3
//! 5–6 K ‖ V = temp ⊕ data
//!
//! Generate, §10.2.1.5:
//! 2  additional input ≠ Null: made 48 bytes long, and Update with it; else it is 0^384
//! 3–5 output E(K, V+1), E(K, V+2), …
//! 6  Update(additional input)
//! 7  counter += 1
//! ```
//!
//! Departures: none in the values. Step 2 pads a short input with zeros where there is no
//! derivation function, as the standard has it.

use super::aes256::{Aes256, Aes256Soft, Cipher};
use super::ctr_df::{Derivation, SEED_BYTES, derive};
use super::drbg::{Drbg, DrbgError, Entropy, Mechanism, Steps};
use core::convert::Infallible;
use core::ops::RangeInclusive;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The CTR_DRBG mechanism of \[SP800-90A\] over AES-256; used as [`Drbg<CtrDrbg<C>>`](Drbg).
pub struct CtrDrbg<C: Cipher> {
    cipher: C,
    /// V, big-endian. A `u128`'s alignment would leave 15 bytes of padding in this structure. A move fills padding with stale bytes of the
    /// stack, which may be secret, and no drop erases it.
    v: [u8; 16],
    derivation: bool,
}

/// CTR_DRBG over AES-256 by the processor's instructions where it has them.
///
/// ```
/// let drbg = samplez_sources::CtrDrbgAes256::instantiate(&[1; 32], &[2; 16], b"")?;
/// assert_eq!(format!("{drbg:?}"), "Drbg { .. }");
/// # Ok::<(), samplez_sources::DrbgError>(())
/// ```
pub type CtrDrbgAes256 = Drbg<CtrDrbg<Aes256>>;

/// CTR_DRBG over AES-256 by constant-time software, with the output of [`CtrDrbgAes256`].
pub type CtrDrbgAes256Soft = Drbg<CtrDrbg<Aes256Soft>>;

impl<C: Cipher> Drbg<CtrDrbg<C>> {
    /// CTR_DRBG without derivation function (§10.2.1.3.1), from 48 bytes of full entropy and a
    /// personalization of at most 48 bytes.
    ///
    /// Its entropy must be indistinguishable from uniform bits; [`Drbg::instantiate`] takes any
    /// source whose bytes have 256 bits of entropy.
    ///
    /// # Errors
    ///
    /// [`DrbgError::InputTooLong`] for a personalization of more than 48 bytes.
    ///
    /// ```
    /// use samplez_sources::CtrDrbgAes256;
    /// let mut drbg = CtrDrbgAes256::instantiate_without_derivation(&[1; 48], b"an application")?;
    /// let e = drbg.reseed(&[2; 32], b"").unwrap_err();
    /// assert_eq!(e.to_string(), "the entropy has 32 bytes; at least 48 are required");
    /// # Ok::<(), samplez_sources::DrbgError>(())
    /// ```
    pub fn instantiate_without_derivation(entropy: &[u8; 48], personalization: &[u8]) -> Result<Self, DrbgError> {
        let mut ctr = CtrDrbg::<C>::zero(false);
        DrbgError::check_length("personalization", personalization, ctr.input_max())?;
        let Ok(()) = ctr.reseed::<Infallible>(Entropy::Given(entropy), personalization);
        Ok(Drbg::seeded(ctr))
    }
}

impl<C: Cipher> CtrDrbg<C> {
    /// K = 0, V = 0: the state before the first Update.
    fn zero(derivation: bool) -> Self {
        CtrDrbg { cipher: C::new(&[0; 32]), v: [0; 16], derivation }
    }

    fn update(&mut self, data: &[u8; SEED_BYTES]) {
        let mut temp = Zeroizing::new([0; SEED_BYTES]);
        self.cipher.keystream(self.ahead(1), &mut *temp);
        temp.iter_mut().zip(data).for_each(|(t, d)| *t ^= d);
        let (key, v) = temp.split_first_chunk().expect("48 bytes have a first 32");
        self.cipher.rekey(key);
        self.v = v.try_into().expect("48 - 32 = 16");
    }

    /// V + n mod 2^128.
    fn ahead(&self, n: u64) -> u128 {
        u128::from_be_bytes(self.v).wrapping_add(n.into())
    }

    /// An input made 48 bytes long: derived, or padded with zeros.
    fn stretch(&self, input: &[u8]) -> Zeroizing<[u8; SEED_BYTES]> {
        if self.derivation {
            return derive::<C>(&[input]);
        }
        let mut data = Zeroizing::new([0; SEED_BYTES]);
        data[..input.len()].copy_from_slice(input);
        data
    }
}

impl<C: Cipher> Mechanism for CtrDrbg<C> {}

impl<C: Cipher> Steps for CtrDrbg<C> {
    const BLOCK: usize = 16;
    /// The additional input of step 6.
    type Request = Zeroizing<[u8; SEED_BYTES]>;

    /// §10.2.1.3.2
    fn instantiate(entropy: &[u8], nonce: &[u8], personalization: &[u8]) -> Self {
        let mut ctr = Self::zero(true);
        ctr.update(&derive::<C>(&[entropy, nonce, personalization]));
        ctr
    }

    /// §10.2.1.4
    fn reseed<E>(&mut self, entropy: Entropy<'_, E>, additional: &[u8]) -> Result<(), E> {
        let data = if self.derivation {
            let mut derivation = Derivation::<C>::new(entropy.len() + additional.len());
            entropy.each(|piece| derivation.absorb(piece))?;
            derivation.absorb(additional);
            derivation.finish()
        } else {
            let mut data = self.stretch(additional);
            let mut rest = data.iter_mut();
            entropy.each(|piece| piece.iter().zip(rest.by_ref()).for_each(|(e, d)| *d ^= e))?;
            data
        };
        self.update(&data);
        Ok(())
    }

    fn begin(&mut self, additional: &[u8]) -> Self::Request {
        if additional.is_empty() {
            return Zeroizing::new([0; SEED_BYTES]); // step 2, else
        }
        let data = self.stretch(additional);
        self.update(&data); // step 2
        data
    }

    fn blocks(&self, first: u64, out: &mut [u8]) {
        self.cipher.keystream(self.ahead(1).wrapping_add(first.into()), out); // steps 3–5
    }

    fn finish(&mut self, request: Self::Request, blocks: u64, _counter: u64) {
        self.v = self.ahead(blocks).to_be_bytes();
        self.update(&request); // step 6
    }

    fn entropy_range(&self) -> RangeInclusive<usize> {
        if self.derivation { super::drbg::ENTROPY_RANGE } else { SEED_BYTES..=SEED_BYTES }
    }

    fn input_max(&self) -> usize {
        if self.derivation { super::drbg::INPUT_MAX } else { SEED_BYTES }
    }
}

impl<C: Cipher> Drop for CtrDrbg<C> {
    fn drop(&mut self) {
        self.v.zeroize();
    }
}

impl<C: Cipher> ZeroizeOnDrop for CtrDrbg<C> {}
