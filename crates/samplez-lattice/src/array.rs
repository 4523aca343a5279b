//! Arrays of samples, which are functions of source, seed and position.

use crate::form::Form;
use samplez::bindings::Latched;
use samplez::{BitReader, EntropyError, Failure, Seed, Source, StreamError};
use zeroize::Zeroize;

/// Samples of a block.
const BLOCK: u64 = 256;

impl Form {
    /// Fills `out` with the samples from number `first` on, of the array that this source and seed define.
    ///
    /// Block n of 256 samples uses the source under `seed.block(n)`. So the array is the same in any pieces. A source without a seed
    /// gives fresh samples with each call.
    ///
    /// The vectors depend on the basis as given, and on the order of its rows. Another basis of the same lattice gives other vectors
    /// of the same distribution. For [`qary`](Form::qary) the vectors depend on the lattice alone.
    ///
    /// # Errors
    ///
    /// [`StreamError`] if the source fails, and if an entry does not fit 64 bits. `out` is then all zeros.
    ///
    /// # Panics
    ///
    /// If `out` is not a whole number of samples.
    ///
    /// ```
    /// use samplez::{Seed, Source};
    /// use samplez_lattice::{Form, Matrix};
    /// let form = Form::basis(&Matrix::new(&[[2, 1], [0, 3]])?, "4".parse()?)?;
    /// let (mut all, mut last) = ([0; 600], [0; 100]);
    /// form.fill(Source::ChaCha20, &Seed::from_bytes([0; 32]), 0, &mut all)?;
    /// form.fill(Source::ChaCha20, &Seed::from_bytes([0; 32]), 250, &mut last)?;
    /// assert_eq!(all[500..], last);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill(
        &self,
        source: Source,
        seed: &Seed,
        first: u64,
        out: &mut [i64],
    ) -> Result<(), StreamError<EntropyError>> {
        let columns = self.columns();
        assert_eq!(out.len() % columns, 0, "out: expected a whole number of samples");
        let filled = self.blocks(source, seed, first, out);
        filled.inspect_err(|_| out.zeroize())
    }

    fn blocks(
        &self,
        source: Source,
        seed: &Seed,
        mut number: u64,
        out: &mut [i64],
    ) -> Result<(), StreamError<EntropyError>> {
        let columns = self.columns();
        let mut rest = out;
        while !rest.is_empty() {
            let skipped = number % BLOCK;
            let len = (rest.len() / columns).min((BLOCK - skipped) as usize);
            let (part, after) = rest.split_at_mut(len * columns);
            let rng = source.open(&seed.block(number / BLOCK)).map_err(|e| StreamError::Source(Failure::Source(e)))?;
            let mut bits = BitReader::new(Latched::new(rng));
            let filled = (|| {
                for _ in 0..skipped {
                    self.sample(&mut bits, &mut part[..columns])?;
                }
                part.chunks_exact_mut(columns).try_for_each(|v| self.sample(&mut bits, v))
            })();
            bits.take_failure().map_or(Ok(()), |failure| Err(StreamError::Source(failure)))?;
            filled?;
            number = number.wrapping_add(len as u64);
            rest = after;
        }
        Ok(())
    }
}
