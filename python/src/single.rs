//! One sample from the words of a NumPy bit generator.

use crate::bitgen::Words;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rand_core::{Rng, TryRng};
use samplez::{BitReader, Fault, Noise, bindings::Latched};
use std::convert::Infallible;
use zeroize::Zeroizing;

/// Words that are taken at first: enough for nearly every sample, and to see that a generator's bytes are all the same.
const HEAD: usize = 16;

/// The first [`HEAD`] words; what follows them as a reader takes it, which ends if the generator is stuck.
struct Single {
    head: Zeroizing<[u64; HEAD]>,
    next: usize,
    words: Words,
    rest: Option<BitReader<Latched<Words>>>,
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
        let rest = self.rest.get_or_insert_with(|| BitReader::new(Latched::new(self.words)));
        Ok(samplez::BitSource::bits(rest, 64))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for bytes in out.chunks_mut(8) {
            bytes.copy_from_slice(&self.next_u64().to_le_bytes()[..bytes.len()]);
        }
        Ok(())
    }
}

impl Single {
    /// What is wrong with the generator, as far as these words tell.
    fn fault(&mut self) -> Option<String> {
        let byte = self.head[0] as u8;
        let constant = self.head.iter().all(|word| *word == u64::from_le_bytes([byte; 8]));
        let later = self.rest.as_mut().and_then(BitReader::take_failure).map(|failure| failure.to_string());
        if constant { Some(Fault::Constant(byte).to_string()) } else { later }
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
    let sample = Zeroizing::new(noise.noise_draw(&mut single));
    single.fault().map_or(Ok(*sample), |fault| Err(PyOSError::new_err(fault)))
}
