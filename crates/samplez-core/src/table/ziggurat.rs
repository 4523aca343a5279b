//! The partition of a Ziggurat.

mod height;
mod parts;

pub(crate) use height::{Height, LIMBS};
pub use parts::{Chord, ZigguratParts};

use super::{Table, TableError};
use crate::params::DiscreteGaussian;
use crate::profile::Bound;
use height::{KAPPA_GUARD, from_digits, rho_bracket, rho_floor};

/// The largest right edge of a rectangle plus 1: 2^24.
pub const MAX_COLUMNS: u32 = 1 << 24;

/// m rectangles over the right half of the bell, for a
/// [`Ziggurat`](crate::samplers::Ziggurat).
///
/// Rectangle i = 1 … m has the columns 0 … X_i and spans the heights y_i to y_(i-1), with y_m = 0. X_0 = -1 stands for
/// "no column of rectangle 1 is accepted unseen". Heights are multiples of 2^-n. The density over the column x is
/// R(x)/2^n, with R(0) = 2^n. For x > 0, R(x) is either stored or computed from the constant log2(e)/(2σ²). In both
/// cases it is the integer that [`ZigguratTable::height`] defines.
///
/// Storage, in 32-bit words:
///
/// - X_0 + 1, …, X_m + 1;
/// - y_0 - 1, y_1, …, y_(m-1), each left-aligned in D = ⌈n/32⌉ words, most significant first;
/// - either R(1), …, R(X_m) in the same form, or the constant, an integer word and ⌈(n + 104)/32⌉ of its fraction.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{Bound, DiscreteGaussian, Rational};
/// use samplez_core::table::{ZigguratParts, ZigguratTable};
/// // Two rectangles of 3 bits over σ = 1: {0} from 1/2 to 1 and {0, 1, 2} from 0 to 1/2.
/// let parts = ZigguratParts {
///     target: DiscreteGaussian::with_sigma(Rational::from(1))?,
///     bound: Bound::TRIVIAL,
///     expected_trials: 1.5, precision: 3, omega: 4, rectangles: 2, chord: None, stored: true,
/// };
/// let words = [0, 1, 3, 0, 4 << 29, 4 << 29, 1 << 29];
/// let table = ZigguratTable::new(parts, words)?;
/// assert_eq!((table.bytes(), table.support()), (28, -2..=2));
/// assert_eq!((table.height(0)[0], table.height(1)[0], table.height(2)[0]), (8, 4, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ZigguratTable<S> {
    parts: ZigguratParts,
    center: i64,
    /// The chord accepts in rectangles 2 to this one, counted from 1, and rejects after that one.
    accept_to: usize,
    reject_after: usize,
    /// Words of a height.
    digits: usize,
    /// Bits of y' drawn first, at most 64.
    head_bits: u32,
    /// log2(e)/(2σ²) = kappa·2^-kappa_shift with 64 significant bits, rounded down; 0 if stored.
    kappa: u64,
    kappa_shift: u32,
    words: S,
}

impl<S: AsRef<[u32]>> ZigguratTable<S> {
    /// Builds a table over these words. `bound`, `expected_trials` and `chord` are taken on trust:
    /// `samplez-tables` computes them.
    ///
    /// # Errors
    ///
    /// [`TableError`] unless the parts are in their ranges, the centre is an integer, and the words match the type's
    /// documentation.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{ZigguratParts, ZigguratTable};
    /// # let parts = ZigguratParts {
    /// #     target: DiscreteGaussian::with_sigma(Rational::from(1))?,
    /// #     bound: Bound::TRIVIAL,
    /// #     expected_trials: 1.5, precision: 3, omega: 4, rectangles: 2, chord: None, stored: true,
    /// # };
    /// let error = ZigguratTable::new(ZigguratParts { omega: 2, ..parts }, [0; 7]).unwrap_err();
    /// assert_eq!(error.to_string(), "omega = 2: expected a number between 3 and 512");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(parts: ZigguratParts, words: S) -> Result<Self, TableError> {
        parts.check_ranges()?;
        let m = parts.rectangles as usize;
        let digits = parts.precision.div_ceil(32) as usize;
        let slice = words.as_ref();
        let columns = slice.get(m).copied().unwrap_or(0);
        let rest =
            if parts.stored { columns.saturating_sub(1) as usize * digits } else { kappa_words(parts.precision) };
        let expected = m + 1 + m * digits + rest;
        if slice.len() != expected {
            return Err(TableError::Length { part: "words", given: slice.len(), unit: "", expected });
        }
        for i in 0..=m {
            let fits = match i {
                0 => slice[0] == 0,
                _ => slice[i] > 0 && slice[i] >= slice[i - 1] && slice[i] <= MAX_COLUMNS,
            };
            if !fits {
                return Err(TableError::Edges { index: i });
            }
        }
        let center = parts.target.center().num();
        let reach = i64::from(columns) - 1;
        if center.checked_add(reach).is_none() || center.checked_sub(reach).is_none() {
            return Err(TableError::Support { of: "table" });
        }
        let (accept_to, reject_after) =
            parts.chord.map_or((0, m), |chord| (chord.accept_to as usize, chord.reject_after as usize));
        let head_bits = parts.omega.min(64);
        let mut table = ZigguratTable {
            parts,
            center,
            accept_to,
            reject_after,
            digits,
            head_bits,
            kappa: 0,
            kappa_shift: 0,
            words,
        };
        let loose = ((1_u64 << (32 * digits as u32 - parts.precision)) - 1) as u32;
        let stored_from = m + 1;
        let heights = if parts.stored { m + columns as usize - 1 } else { m };
        for i in 0..heights {
            if table.words.as_ref()[stored_from + (i + 1) * digits - 1] & loose != 0 {
                return Err(TableError::LooseBits { entry: "height", index: i });
            }
        }
        for i in 0..m {
            // rev(): the most significant limb first.
            if table.edge_height(i).iter().rev().le(table.edge_height(i + 1).iter().rev()) {
                return Err(TableError::Heights { index: i });
            }
        }
        // A difference of heads below 2^64 - 1: the sampler adds 1 to it.
        if table.edge_head(0) - table.edge_head(1) == u64::MAX {
            return Err(TableError::TooHigh);
        }
        if !parts.stored {
            (table.kappa, table.kappa_shift) = height::leading(table.kappa_words());
            if table.kappa == 0 {
                return Err(TableError::Constant);
            }
        }
        Ok(table)
    }

    /// The columns of rectangle `i` + 1 that are accepted unseen, and all of its columns.
    #[inline(always)]
    pub(crate) fn columns(&self, i: usize) -> (u32, u32) {
        let words = self.words.as_ref();
        (words[i], words[i + 1])
    }

    /// Returns 2^n y_i.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{ZigguratParts, ZigguratTable};
    /// # let parts = ZigguratParts {
    /// #     target: DiscreteGaussian::with_sigma(Rational::from(1))?,
    /// #     bound: Bound::TRIVIAL,
    /// #     expected_trials: 1.5, precision: 3, omega: 4, rectangles: 2, chord: None, stored: true,
    /// # };
    /// let table = ZigguratTable::new(parts, [0, 1, 3, 0, 4 << 29, 4 << 29, 1 << 29])?;
    /// assert_eq!([0, 1, 2].map(|i| table.edge_height(i)[0]), [8, 4, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edge_height(&self, i: usize) -> [u64; 5] {
        if i >= self.parts.rectangles as usize {
            return [0; LIMBS];
        }
        let mut height = from_digits(self.edge_digits(i), self.parts.precision);
        if i == 0 {
            let n = self.parts.precision as usize;
            height[n / 64] += 1 << (n % 64);
        }
        height
    }

    fn edge_digits(&self, i: usize) -> &[u32] {
        let start = self.parts.rectangles as usize + 1 + i * self.digits;
        &self.words.as_ref()[start..start + self.digits]
    }

    /// 2^63 y_i rounded down; at most 2^64 - 1, as y_0 < 2.
    #[inline(always)]
    pub(crate) fn edge_head(&self, i: usize) -> u64 {
        if i >= self.parts.rectangles as usize {
            return 0;
        }
        head(self.edge_digits(i)) | if i == 0 { 1 << 63 } else { 0 }
    }

    fn stored_digits(&self, x: u32) -> &[u32] {
        let m = self.parts.rectangles as usize;
        let start = m + 1 + (m + x as usize - 1) * self.digits;
        &self.words.as_ref()[start..start + self.digits]
    }

    fn kappa_words(&self) -> &[u32] {
        let m = self.parts.rectangles as usize;
        &self.words.as_ref()[m + 1 + m * self.digits..]
    }

    /// Returns R(x) for 0 <= x <= X_m: 2^n for x = 0, and otherwise an integer with
    /// ⌊2^n ρ(x) - 2^-47⌋ <= R(x) <= 2^n ρ(x), where ρ(x) = exp(-x²/2σ²).
    ///
    /// If the table stores R, its builder promises the bounds. If not, they are a theorem about the evaluation here,
    /// given log2(e)/(2σ²) rounded in its last word.
    ///
    /// # Panics
    ///
    /// If the table stores R and x > X_m.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::table::{ZigguratParts, ZigguratTable};
    /// # let parts = ZigguratParts {
    /// #     target: DiscreteGaussian::with_sigma(Rational::from(1))?,
    /// #     bound: Bound::TRIVIAL,
    /// #     expected_trials: 1.5, precision: 3, omega: 4, rectangles: 2, chord: None, stored: false,
    /// # };
    /// // log2(e)/2 = 0.72134752…, to 128 bits of fraction.
    /// let kappa = [0, 0xb8aa3b29, 0x5c17f0bb, 0xbe87fed0, 0x691d3e88];
    /// let mut words = vec![0, 1, 3, 0, 4 << 29];
    /// words.extend(kappa);
    /// let table = ZigguratTable::new(parts, words)?;
    /// assert_eq!((table.height(1)[0], table.height(2)[0]), (4, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn height(&self, x: u32) -> [u64; 5] {
        let n = self.parts.precision;
        if x == 0 {
            let mut one = [0; LIMBS];
            one[n as usize / 64] = 1 << (n % 64);
            return one;
        }
        if self.parts.stored { from_digits(self.stored_digits(x), n) } else { rho_floor(self.kappa_words(), x, n) }
    }

    /// (lo, hi) with lo <= 2^(63-n) R(x) < hi + 1.
    #[inline(always)]
    pub(crate) fn height_bracket(&self, x: u32) -> (u64, u64) {
        if x == 0 {
            return (1 << 63, 1 << 63);
        }
        if self.parts.stored {
            let exact = head(self.stored_digits(x));
            return (exact, exact);
        }
        rho_bracket(self.kappa, self.kappa_shift, x, self.parts.precision)
    }

    /// Returns a borrowed view of the same table.
    pub fn view(&self) -> ZigguratTable<&[u32]> {
        ZigguratTable {
            parts: self.parts,
            center: self.center,
            accept_to: self.accept_to,
            reject_after: self.reject_after,
            digits: self.digits,
            head_bits: self.head_bits,
            kappa: self.kappa,
            kappa_shift: self.kappa_shift,
            words: self.words.as_ref(),
        }
    }

    /// Returns the words, in storage order.
    pub fn words(&self) -> &[u32] {
        self.words.as_ref()
    }
}

impl<S> ZigguratTable<S> {
    /// All but the words.
    pub const fn parts(&self) -> &ZigguratParts {
        &self.parts
    }
    for_tests! {
        /// The centre c.
        const fn center(&self) -> i64 {
            self.center
        }
    }
    #[inline(always)]
    pub(crate) const fn chords(&self) -> (usize, usize) {
        (self.accept_to, self.reject_after)
    }
    #[inline(always)]
    pub(crate) const fn head_bits(&self) -> u32 {
        self.head_bits
    }

    /// Returns the same table, read with a shorter first draw of y': same law, other stream. It exists
    /// for the exact law tests, which walk every first draw.
    #[cfg(feature = "testing")]
    pub fn with_head_bits(self, head_bits: u32) -> Self {
        assert!((1..=self.head_bits).contains(&head_bits));
        ZigguratTable { head_bits, ..self }
    }
}

impl<S: AsRef<[u32]>> Table for ZigguratTable<S> {
    fn target(&self) -> &DiscreteGaussian {
        &self.parts.target
    }

    fn bound(&self) -> Bound {
        self.parts.bound
    }

    /// c - X_m to c + X_m.
    fn support(&self) -> core::ops::RangeInclusive<i64> {
        let reach = i64::from(self.words.as_ref()[self.parts.rectangles as usize]) - 1;
        self.center - reach..=self.center + reach
    }

    fn bytes(&self) -> usize {
        4 * self.words.as_ref().len()
    }
}

/// Words of the constant log2(e)/(2σ²).
const fn kappa_words(precision: u32) -> usize {
    1 + (precision + KAPPA_GUARD).div_ceil(32) as usize
}

/// The leading 63 bits of a fraction.
#[inline(always)]
fn head(digits: &[u32]) -> u64 {
    let second = digits.get(1).copied().unwrap_or(0);
    (u64::from(digits[0]) << 32 | u64::from(second)) >> 1
}

#[cfg(test)]
mod tests;
