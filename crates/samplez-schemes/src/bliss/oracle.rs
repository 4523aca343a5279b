//! The challenge oracles: c = H(u, message), κ different indices below n.

use super::probe::Probe;
use super::profile::Profile;
use super::set::Parameters;
use crate::wipe::ErasedVec;
use alloc::vec::Vec;
use samplez_core::arch::fastest;
use sha2::{Digest, Sha256, Sha384, Sha512};
use sha3::{Sha3_256, Sha3_384, Sha3_512};

/// The challenge oracle, with the message's hash.
pub(super) struct Oracle {
    profile: Profile,
    set: &'static Parameters,
    /// The message's hash, then space for u and the bytes that the profile appends.
    input: ErasedVec<u8>,
    hash: usize,
}

impl Oracle {
    pub(super) fn new(profile: Profile, set: &'static Parameters, message: &[u8]) -> Self {
        let hashed = hash(profile, message);
        let hash = hashed.len();
        let mut input = ErasedVec::zeros(hash + 2 * set.n() + 2);
        input[..hash].copy_from_slice(&hashed);
        Oracle { profile, set, input, hash }
    }

    /// The challenge for u rounded, in 0 … p-1: its indices, none twice.
    ///
    /// Until it is hashed, no branch and no address depends on u. The hash's bytes are public: which of them are indices that
    /// were there before does show.
    pub(super) fn challenge(&mut self, rounded: &[i32], probe: &mut impl Probe) -> Vec<u16> {
        let (hash, end) = (self.hash, self.hash + 2 * self.set.n());
        let (places, profile) = (&mut self.input[hash..end], self.profile);
        fastest(
            #[inline(always)]
            || {
                let places = places.as_chunks_mut().0.iter_mut().zip(rounded);
                if profile == Profile::Sri {
                    for (place, u) in places {
                        *place = (*u as u16).to_le_bytes();
                    }
                } else {
                    for (place, u) in places {
                        *place = (*u as u16).to_be_bytes();
                    }
                }
            },
        );
        match self.profile {
            Profile::Sri => counted_up(&mut self.input[..end], self.set, probe),
            Profile::Hila => rounds(&mut self.input[..end + 2], self.set, probe),
            _ => mgf1(&self.input[..end], self.set, probe),
        }
    }
}

/// The message's hash.
fn hash(profile: Profile, message: &[u8]) -> Vec<u8> {
    match profile {
        Profile::Strongswan => Sha512::digest(message).to_vec(),
        Profile::StrongswanSha2_384 => Sha384::digest(message).to_vec(),
        Profile::StrongswanSha2_256 => Sha256::digest(message).to_vec(),
        Profile::StrongswanSha3_512 | Profile::Sri | Profile::Hila => Sha3_512::digest(message).to_vec(),
        Profile::StrongswanSha3_384 => Sha3_384::digest(message).to_vec(),
        Profile::StrongswanSha3_256 => Sha3_256::digest(message).to_vec(),
    }
}

/// A hash as public bytes.
fn public(hash: impl AsRef<[u8]>, probe: &mut impl Probe) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (byte, secret) in bytes.iter_mut().zip(hash.as_ref()) {
        *byte = probe.public(u32::from(*secret)) as u8;
    }
    bytes
}

/// Appends an index that is not there yet.
fn push_new(indices: &mut Vec<u16>, index: u16) {
    if !indices.contains(&index) {
        indices.push(index);
    }
}

/// The indices are fields of MGF1's stream, the most significant bit first.
fn mgf1(input: &[u8], set: &Parameters, probe: &mut impl Probe) -> Vec<u16> {
    let (bits, mut indices) = (set.index_bits(), Vec::with_capacity(set.weight));
    let seeded = Sha512::new_with_prefix(input);
    let (mut window, mut left) = (0_u32, 0);
    for counter in 0_u32.. {
        for byte in public(seeded.clone().chain_update(counter.to_be_bytes()).finalize(), probe) {
            (window, left) = (window << 8 | u32::from(byte), left + 8);
            if left >= bits {
                left -= bits;
                push_new(&mut indices, (window >> left & ((1 << bits) - 1)) as u16);
                if indices.len() == set.weight {
                    return indices;
                }
            }
        }
    }
    indices
}

/// Hashes the input with its last byte counted up, until one hash has enough indices. Each of its 8 words has one byte
/// of low bits and seven of high bits.
fn counted_up(input: &mut [u8], set: &Parameters, probe: &mut impl Probe) -> Vec<u16> {
    let mut indices = Vec::with_capacity(set.weight);
    loop {
        if let Some(last) = input.last_mut() {
            *last = last.wrapping_add(1);
        }
        indices.clear();
        for word in public(Sha3_512::digest(&*input), probe).chunks_exact(8) {
            for (i, byte) in word[1..].iter().enumerate() {
                push_new(&mut indices, u16::from(*byte) << 1 | u16::from(word[0] >> i & 1));
                if indices.len() == set.weight {
                    indices.sort_unstable();
                    return indices;
                }
            }
        }
    }
}

/// Hashes the input with a counter at its end; each hash has 32 indices.
fn rounds(input: &mut [u8], set: &Parameters, probe: &mut impl Probe) -> Vec<u16> {
    let mut indices = Vec::with_capacity(set.weight);
    let end = input.len() - 2;
    for round in 0_u16.. {
        input[end..].copy_from_slice(&round.to_be_bytes());
        for pair in public(Sha3_512::digest(&*input), probe).chunks_exact(2) {
            push_new(&mut indices, u16::from_be_bytes([pair[0], pair[1]]) % set.n() as u16);
            if indices.len() == set.weight {
                indices.sort_unstable();
                return indices;
            }
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bliss::Set;

    #[test]
    fn challenges_have_their_weight_and_no_index_twice() {
        for profile in [Profile::StrongswanSha2_256, Profile::Sri, Profile::Hila] {
            for set in Set::ALL.into_iter().filter(|set| profile.supports(*set).is_ok()) {
                let s = set.parameters();
                let mut oracle = Oracle::new(profile, s, b"message");
                let mut u = alloc::vec![0; s.n()];
                let first = oracle.challenge(&u, &mut ());
                let mut sorted = first.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!((sorted.len(), oracle.challenge(&u, &mut ()) == first), (s.weight, true));
                assert!(sorted.iter().all(|i| usize::from(*i) < s.n()));
                u[s.n() - 1] = 1;
                assert_ne!(oracle.challenge(&u, &mut ()), first);
            }
        }
    }
}
