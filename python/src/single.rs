//! One sample from the words of a NumPy bit generator.

use crate::bitgen::{Stuck, Words};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rand_core::{Rng, TryRng};
use samplez::{EntropyError, Fault, Noise, bindings::Latched};
use std::convert::Infallible;
use zeroize::Zeroizing;

/// Words that are taken at first: enough for nearly every sample, and to see that a generator's bytes are all the same.
const HEAD: usize = 16;

/// The first [`HEAD`] words; what follows them as a reader takes it, which ends if the generator is stuck.
struct Single {
    head: Zeroizing<[u64; HEAD]>,
    next: usize,
    words: Words,
    rest: Option<Latched<Words>>,
}

impl TryRng for Single {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u64() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        if let Some(word) = self.head.get(self.next) {
            self.next += 1;
            return Ok(*word);
        }
        let rest = self.rest.get_or_insert_with(|| Latched::new(self.words));
        Ok(samplez::BitSource::bits(rest.bits(), 64))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for bytes in out.chunks_mut(8) {
            bytes.copy_from_slice(&self.next_u64().to_le_bytes()[..bytes.len()]);
        }
        Ok(())
    }
}

impl Single {
    /// What is wrong with the generator, as far as the first words tell. Half of the bits of random ones are the same in all with
    /// probability 2^-479.
    fn fault(&self) -> Option<String> {
        let mut stuck = Stuck::default();
        self.head.iter().for_each(|word| stuck.see(*word));
        let (bits, byte) = (stuck.bits(), self.head[0] as u8);
        if bits == u64::MAX && self.head[0] == u64::from_le_bytes([byte; 8]) {
            Some(Fault::Constant(byte).to_string())
        } else {
            let is_narrow = bits as u32 == u32::MAX || (bits >> 32) as u32 == u32::MAX;
            is_narrow.then(|| EntropyError::Narrow(bits).to_string())
        }
    }
}

/// The first sample that a stream of these words gives, for whose generator the caller holds the lock.
///
/// # Errors
///
/// `OSError` if the generator is stuck.
pub(crate) fn sample(words: Words, noise: &dyn Noise) -> PyResult<i64> {
    let head = Zeroizing::new(std::array::from_fn(|_| words.next()));
    let mut single = Single { head, next: 0, words, rest: None };
    if let Some(fault) = single.fault() {
        return Err(PyOSError::new_err(fault));
    }
    let sample = Zeroizing::new(noise.noise_draw(&mut single));
    let later = single.rest.as_mut().and_then(Latched::take_failure);
    later.map_or(Ok(*sample), |failure| Err(PyOSError::new_err(failure.to_string())))
}
