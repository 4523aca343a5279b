//! The public matrix: [`PublicMatrix`]; and products with vectors.

use samplez::Refused;
use samplez_core::Modulus;
use samplez_core::arch::{Backend, Kernel};

/// A matrix over Z_q with n rows and m columns.
///
/// ```
/// use samplez_lattice::PublicMatrix;
/// let a = PublicMatrix::new(2, 17, &[1, 2, 3, 0, 16, 5])?;
/// assert_eq!(a.apply(&[1, -1, 10])?, [12, 0]);
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicMatrix {
    modulus: Modulus,
    rows: usize,
    columns: usize,
    /// Row by row, from 0 to q - 1.
    entries: Vec<i32>,
}

impl PublicMatrix {
    /// Builds the matrix with these entries, row by row.
    ///
    /// # Errors
    ///
    /// [`Refused`] unless q is from 2 to 2^31, and the entries are below q. Their number must be a positive multiple of `rows`.
    pub fn new(rows: usize, q: u64, entries: &[u64]) -> Result<Self, Refused> {
        let modulus = modulus(q)?;
        if rows == 0 || entries.is_empty() || !entries.len().is_multiple_of(rows) {
            let wanted = format!("expected a positive multiple of `rows` = {rows}");
            return Err(Refused::new("number of entries", entries.len(), wanted));
        }
        below("entries", entries, q)?;
        let entries: Vec<i32> = entries.iter().map(|a| *a as i32).collect();
        Ok(PublicMatrix { modulus, rows, columns: entries.len() / rows, entries })
    }

    /// Returns the number of rows n.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns m.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the modulus q.
    pub fn modulus(&self) -> u64 {
        self.modulus.get()
    }

    /// Returns the entries of a row, each from 0 to q - 1. `None` for a row that does not exist.
    pub fn row(&self, i: usize) -> Option<impl Iterator<Item = u64> + '_> {
        self.entries.chunks_exact(self.columns).nth(i).map(|row| row.iter().map(|a| *a as u64))
    }

    /// Returns A·x modulo q, n residues from 0 to q - 1.
    ///
    /// # Errors
    ///
    /// [`Refused`] unless x has m integers.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<u64>, Refused> {
        if x.len() != self.columns {
            return Err(Refused::new("length of x", x.len(), format!("expected {} integers", self.columns)));
        }
        let q = self.modulus();
        let centred = |x: &i64| {
            let residue = self.modulus.residue(*x) as i64;
            (if residue as u64 > q / 2 { residue - q as i64 } else { residue }) as i32
        };
        let reduced: Vec<i32> = x.iter().map(centred).collect();
        let mut out = vec![0; self.rows];
        self.product(&reduced, q / 2 + 1, &mut out);
        Ok(out)
    }

    /// out ← A·x modulo q, for |x| at most `most`. A larger x gives another result.
    pub(super) fn product(&self, x: &[i32], most: u64, out: &mut [u64]) {
        // The sums of so many products are below 2^62.
        let piece = ((1_u64 << 62) / (self.modulus().saturating_mul(most.max(1)))).max(1) as usize;
        for (row, out) in self.entries.chunks_exact(self.columns).zip(out) {
            *out = row.chunks(piece).zip(x.chunks(piece)).fold(0, |sum, (row, x)| {
                let part = self.modulus.residue(Backend::current().run(Wide(row, x)));
                self.modulus.residue((sum + part) as i64)
            });
        }
    }
}

/// The modulus, from 2 to 2^31.
pub(super) fn modulus(q: u64) -> Result<Modulus, Refused> {
    let allowed = |q: &u64| *q <= crate::gadget::MODULUS_MAX;
    let wrong = || Refused::new("q", q, "expected an integer from 2 to 2^31");
    Some(q).filter(allowed).and_then(Modulus::new).ok_or_else(wrong)
}

/// Whether all are below q.
pub(super) fn below(name: &str, values: &[u64], q: u64) -> Result<(), Refused> {
    match values.iter().enumerate().find(|(_, value)| **value >= q) {
        Some((i, value)) => Err(Refused::new(name, value, format!("expected an integer below q = {q}")).at(i)),
        None => Ok(()),
    }
}

/// ⟨a, x⟩, for a sum below 2^63.
struct Wide<'a>(&'a [i32], &'a [i32]);

impl Kernel for Wide<'_> {
    type Output = i64;
    #[inline(always)]
    fn run(self) -> i64 {
        self.0.iter().zip(self.1).fold(0_i64, |sum, (a, x)| sum.wrapping_add(i64::from(*a) * i64::from(*x)))
    }
}

/// out ← R·x for a matrix of small integers, for sums below 2^31 if `narrow`, and below 2^63 else.
pub(super) struct Small<'a> {
    pub(super) matrix: &'a [i16],
    pub(super) x: &'a [i32],
    /// The same, where each fits.
    pub(super) narrow: Option<&'a [i16]>,
    pub(super) out: &'a mut [i64],
}

impl Kernel for Small<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let rows = self.matrix.chunks_exact(self.x.len());
        match self.narrow {
            Some(x) => {
                for (row, out) in rows.zip(self.out) {
                    let product = |(r, x): (&i16, &i16)| i32::from(*r) * i32::from(*x);
                    *out = row.iter().zip(x).map(product).fold(0_i32, i32::wrapping_add).into();
                }
            }
            None => {
                for (row, out) in rows.zip(self.out) {
                    let product = |(r, x): (&i16, &i32)| i64::from(*r) * i64::from(*x);
                    *out = row.iter().zip(self.x).map(product).fold(0_i64, i64::wrapping_add);
                }
            }
        }
    }
}
