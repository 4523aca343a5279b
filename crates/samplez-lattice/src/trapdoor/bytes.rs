//! A key as bytes.
//!
//! ```text
//! "samplezT", version 1 (u32), n, columns (u32), q, base (u64), σ_R and σ (numerator i64, denominator u64)
//! Ā row by row (u32), R row by row (i16), all little endian
//! ```

use super::parameters::Parameters;
use super::{Trapdoor, TrapdoorError, assembled};
use samplez::{Rational, Refused};
use zeroize::Zeroizing;

const MAGIC: &[u8; 8] = b"samplezT";
const VERSION: u32 = 1;
/// The bytes before the entries.
const HEAD: usize = 8 + 3 * 4 + 2 * 8 + 4 * 8;

/// Reads a head of known length.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *first
    }

    fn whole(&mut self) -> usize {
        u32::from_le_bytes(self.array()) as usize
    }

    fn long(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    fn rational(&mut self) -> Option<Rational> {
        let num = self.long() as i64;
        Rational::new(num, self.long())
    }
}

impl Trapdoor {
    /// Returns the key as bytes: parameters, Ā and the **secret** R. Who has them can sign. The buffer is erased when it is dropped; copies
    /// that you make of it are not.
    ///
    /// ```
    /// use samplez::Seed;
    /// use samplez_lattice::{Parameters, Trapdoor};
    /// use samplez_sources::ChaCha20;
    /// let mut rng = ChaCha20::new(&Seed::from_bytes([1; 32]));
    /// let key = Trapdoor::generate(&Parameters::new(4, 256), &mut rng)?;
    /// let again = Trapdoor::from_bytes(&key.to_bytes())?;
    /// assert_eq!(again.public(), key.public());
    /// let u = [1, 2, 3, 4];
    /// assert_eq!(again.public().apply(&again.preimage(&u, &mut rng)?)?, u);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let checked = &self.checked;
        let mut out = Zeroizing::new(Vec::with_capacity(HEAD + 4 * checked.n * checked.top + 2 * self.secret.r.len()));
        out.extend(MAGIC);
        for number in [VERSION, checked.n as u32, checked.top as u32] {
            out.extend(number.to_le_bytes());
        }
        for number in [checked.gadget.modulus(), checked.gadget.base()] {
            out.extend(number.to_le_bytes());
        }
        for sigma in [checked.key_sigma, checked.sigma] {
            out.extend(sigma.num().to_le_bytes());
            out.extend(sigma.den().to_le_bytes());
        }
        for i in 0..checked.n {
            for entry in self.public.row(i).into_iter().flatten().take(checked.top) {
                out.extend((entry as u32).to_le_bytes());
            }
        }
        for entry in self.secret.r.iter() {
            out.extend(entry.to_le_bytes());
        }
        out
    }

    /// Reads the bytes of [`to_bytes`](Self::to_bytes). It computes the rest of A and the covariance's factor again, with the same
    /// results.
    ///
    /// # Errors
    ///
    /// [`TrapdoorError`] for bytes of another form or length, for parameters that are not allowed, and for an R whose covariance has no precise
    /// factor. No message shows a byte of R.
    pub fn from_bytes(bytes: &[u8]) -> Result<Trapdoor, TrapdoorError> {
        let refused = |value: String, wanted: &str| TrapdoorError::from(Refused::new("bytes", value, wanted));
        let mut reader = Reader(bytes);
        if bytes.len() < HEAD || reader.array::<8>() != *MAGIC {
            return Err(refused(format!("{} bytes", bytes.len()), "expected the output of Trapdoor::to_bytes"));
        }
        let version = reader.whole();
        if version != VERSION as usize {
            return Err(refused(format!("version {version}"), "expected version 1"));
        }
        let (n, columns, q, base) = (reader.whole(), reader.whole(), reader.long(), reader.long());
        let sigmas = reader.rational().zip(reader.rational());
        let (key_sigma, sigma) =
            sigmas.ok_or_else(|| refused("denominator 0".into(), "expected the output of Trapdoor::to_bytes"))?;
        let checked = Parameters::new(n, q).base(base).columns(columns).key_sigma(key_sigma).sigma(sigma).checked()?;
        let (top, bottom) = (checked.top, checked.bottom);
        let length = HEAD + 4 * n * top + 2 * top * bottom;
        if bytes.len() != length {
            return Err(refused(format!("{} bytes", bytes.len()), &format!("expected {length} for these parameters")));
        }
        let (public, secret) = reader.0.split_at(4 * n * top);
        let mut entries = vec![0; n * (top + bottom)];
        let rows = public.chunks_exact(4 * top).zip(entries.chunks_exact_mut(top + bottom));
        for (i, (row, out)) in rows.enumerate() {
            for (k, (entry, out)) in row.as_chunks::<4>().0.iter().zip(out).enumerate() {
                *out = u64::from(u32::from_le_bytes(*entry));
                if *out >= q {
                    let name = format!("entry {k} of row {i}");
                    return Err(Refused::new(name, *out, format!("expected an integer below q = {q}")).into());
                }
            }
        }
        let mut r = Zeroizing::new(Vec::with_capacity(top * bottom));
        r.extend(secret.as_chunks::<2>().0.iter().map(|entry| i16::from_le_bytes(*entry)));
        // A Gaussian of σ_R is below 14σ_R, within 2^-140.
        let most = 14 * key_sigma.floor() + 14;
        if r.iter().any(|entry| i64::from(*entry).abs() > most) {
            return Err(refused("an entry of R".into(), &format!("expected integers from -{most} to {most}")));
        }
        assembled(&checked, &mut entries, r)?.ok_or(TrapdoorError::Covariance)
    }
}
