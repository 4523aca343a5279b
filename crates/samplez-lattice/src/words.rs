//! Samples of any size, as words.

use crate::form::Form;
use num_bigint::{BigInt, BigUint};
use samplez::RangeError;
use samplez_core::bits::BitSource;
use zeroize::Zeroize;

/// The standard deviations of a coordinate that [`Form::fits`] includes.
const REACH: u32 = 32;

impl Form {
    /// Returns whether 64 bits hold every entry of the samples whose coordinates are within 32σ_j of their centres. A form that does not
    /// has samples by [`sample_words`](Self::sample_words).
    ///
    /// ```
    /// use samplez_lattice::{Form, Matrix};
    /// let basis = Matrix::new(&[[1, 0], [0, 1]])?;
    /// assert!(Form::basis(&basis, "1e15".parse()?)?.fits());
    /// let far: Matrix = "9000000000000000000 0\n0 9000000000000000000".parse()?;
    /// assert!(!Form::basis(&far, "9e18".parse()?)?.fits());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fits(&self) -> bool {
        let reach = |j: usize| {
            let coordinate = &self.space.coordinates[j];
            let sigma = (&coordinate.inverse.1 / &coordinate.inverse.0).sqrt() + 1_u8;
            ((sigma * REACH) << coordinate.shift) + 1_u8
        };
        let reaches: Vec<BigUint> = (0..self.rank()).map(reach).collect();
        // The other coordinates move each coordinate's centre.
        self.most(&reaches).bits() < 63
    }

    /// Returns the words of an entry in [`sample_words`](Self::sample_words): they hold every sample.
    pub fn words(&self) -> usize {
        let most = vec![BigUint::from(1_u8) << 63; self.rank()];
        (self.most(&most).bits() as usize + 1).div_ceil(64)
    }

    /// The greatest magnitude of an entry, if these are the greatest ones of the reduced basis's coordinates.
    fn most(&self, coordinates: &[BigUint]) -> BigUint {
        let entry = |k: usize| {
            let sum: BigUint = coordinates.iter().zip(&self.space.vectors).map(|(x, row)| x * row[k].magnitude()).sum();
            sum + self.offset[k].magnitude()
        };
        (0..self.columns()).map(entry).max().unwrap_or_default()
    }

    /// Writes the next sample of these bits into `out`: [`words`](Self::words) words for each entry, in two's complement from the lowest on.
    /// These are the integers of [`sample`](Self::sample).
    ///
    /// # Errors
    ///
    /// [`RangeError`] if a coordinate in the reduced basis does not fit 64 bits. `out` is then all zeros.
    ///
    /// # Panics
    ///
    /// If `out` has not [`words`](Self::words) words for each of the [`columns`](Self::columns).
    pub fn sample_words<B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [u64]) -> Result<(), RangeError> {
        let words = self.words();
        assert_eq!(out.len(), words * self.columns(), "out: expected as many words as a sample has");
        let Some(x) = self.target.sample(&self.space, bits) else {
            out.zeroize();
            return Err(RangeError::of::<i64>());
        };
        for (k, out) in out.chunks_exact_mut(words).enumerate() {
            let sum: BigInt = x.iter().zip(&self.space.vectors).map(|(x, row)| &row[k] * x).sum();
            let mut bytes = (sum + &self.offset[k]).to_signed_bytes_le();
            let sign = if bytes.last().is_some_and(|top| top & 0x80 != 0) { 0xff } else { 0 };
            bytes.resize(8 * words, sign);
            for (word, bytes) in out.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *word = u64::from_le_bytes(*bytes);
            }
            bytes.zeroize();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use samplez::{BitReader, Seed};
    use samplez_sources::ChaCha20;

    /// The words are the integers of `sample`. A lattice that is larger by 2^80 has words 2^80 times as large.
    #[test]
    fn words_are_the_samples() {
        let rows = [[5_i64, -3, 1], [2, 7, 0], [1, 1, -9]];
        let small = Form::basis(&Matrix::new(&rows).unwrap(), "11".parse().unwrap()).unwrap();
        let scale = BigInt::from(1) << 40;
        let scaled = rows.map(|row| row.map(|x| x * &scale).to_vec()).to_vec();
        let sigma = samplez::Rational::new(11 << 40, 1).unwrap();
        let large = Form::basis(&Matrix::of(scaled, 1.into()).unwrap(), sigma).unwrap();
        let reader = || BitReader::new(ChaCha20::new(&Seed::from_number(3)));
        let (mut one, mut two, mut three) = (reader(), reader(), reader());
        assert!(small.fits() && small.words() == 2 && large.words() == 2);
        for _ in 0..50 {
            let (mut v, mut words, mut wide) = ([0; 3], [0; 6], [0; 6]);
            small.sample(&mut one, &mut v).unwrap();
            small.sample_words(&mut two, &mut words).unwrap();
            large.sample_words(&mut three, &mut wide).unwrap();
            let value = |words: &[u64]| (i128::from(words[1] as i64) << 64) + i128::from(words[0]);
            for k in 0..3 {
                assert_eq!(value(&words[2 * k..][..2]), v[k].into());
                assert_eq!(value(&wide[2 * k..][..2]), i128::from(v[k]) << 40);
            }
        }
    }

    /// Entries beyond 64 bits: `sample` is an error, `sample_words` is not, and no `fits` is given.
    #[test]
    fn far_vectors_have_words_alone() {
        let basis: Matrix = "100000000000000000000000000000 1\n0 3".parse().unwrap();
        // σ = 2^62 is far below the first vector: refused; around a far centre it is allowed with small σ_j.
        let form = Form::gram(&"1 0\n0 1".parse().unwrap(), "3".parse().unwrap()).unwrap();
        assert!(form.fits());
        assert!(Form::basis(&basis, "3".parse().unwrap()).is_err());
        let far: Matrix = "9000000000000000000 0\n0 9000000000000000000".parse().unwrap();
        let form = Form::basis(&far, "9000000000000000000".parse().unwrap()).unwrap();
        assert!(!form.fits());
        let mut bits = BitReader::new(ChaCha20::new(&Seed::from_number(3)));
        let failed = (0..50).filter(|_| form.sample(&mut bits, &mut [1; 2]).is_err()).count();
        assert!(failed > 5, "{failed}");
        let mut words = vec![0; 2 * form.words()];
        let most = (0..200).map(|_| {
            form.sample_words(&mut bits, &mut words).unwrap();
            (i128::from(words[1] as i64) << 64) + i128::from(words[0])
        });
        let most = most.map(|x| x / 9_000_000_000_000_000_000).max().unwrap();
        assert!((2..7).contains(&most), "{most}");
    }
}
