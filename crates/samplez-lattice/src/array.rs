//! Arrays of samples, which are functions of source, seed and position.

use crate::form::Form;
use samplez::bindings::{Latch, Latched};
use samplez::{BitReader, EntropyError, Failure, RangeError, Seed, Source, StreamError};
use samplez_sources::Generator;
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
        let filled = blocks((source, seed), first, columns, out, |bits, v| self.sample(bits, v));
        filled.inspect_err(|_| out.zeroize())
    }

    /// As [`fill`](Self::fill), with entries of [`words`](Self::words) words each, in two's complement from the lowest on.
    ///
    /// # Errors
    ///
    /// As [`fill`](Self::fill).
    ///
    /// # Panics
    ///
    /// If `out` is not a whole number of samples.
    ///
    /// ```
    /// use samplez::{Seed, Source};
    /// use samplez_lattice::{Form, Matrix};
    /// let form = Form::basis(&"4000000000000000000 0\n7 9000000000000000000".parse()?, "4e18".parse()?)?;
    /// assert_eq!((form.words(), form.fits()), (2, false));
    /// let mut words = [0; 2 * 2 * 10];
    /// form.fill_words(Source::ChaCha20, &Seed::from_bytes([1; 32]), 0, &mut words)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill_words(
        &self,
        source: Source,
        seed: &Seed,
        first: u64,
        out: &mut [u64],
    ) -> Result<(), StreamError<EntropyError>> {
        let width = self.columns() * self.words();
        assert_eq!(out.len() % width, 0, "out: expected a whole number of samples");
        let filled = blocks((source, seed), first, width, out, |bits, v| self.sample_words(bits, v));
        filled.inspect_err(|_| out.zeroize())
    }
}

type Bits = BitReader<Latch<Generator>>;

/// Samples from number `number` on, of `width` items each.
fn blocks<T>(
    (source, seed): (Source, &Seed),
    mut number: u64,
    width: usize,
    out: &mut [T],
    mut draw: impl FnMut(&mut Bits, &mut [T]) -> Result<(), RangeError>,
) -> Result<(), StreamError<EntropyError>> {
    let mut rest = out;
    while !rest.is_empty() {
        let skipped = number % BLOCK;
        let len = (rest.len() / width).min((BLOCK - skipped) as usize);
        let (part, after) = rest.split_at_mut(len * width);
        let rng = source.open(&seed.block(number / BLOCK)).map_err(|e| StreamError::Source(Failure::Source(e)))?;
        let filled = Latched::new(rng).draw(|bits| {
            for _ in 0..skipped {
                draw(bits, &mut part[..width])?;
            }
            part.chunks_exact_mut(width).try_for_each(|v| draw(bits, v))
        });
        filled.map_err(StreamError::Source)??;
        number = number.wrapping_add(len as u64);
        rest = after;
    }
    Ok(())
}
