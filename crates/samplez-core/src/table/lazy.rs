//! A cumulative table split in two: what a draw of 16 bits decides, and the rest.

use super::{CdtTable, Shape};
use crate::profile::Bound;
use core::fmt;

/// Samples of a batch.
pub const LAZY_BATCH: usize = 2048;

/// The most thresholds of a [`LazyTable`].
pub const MAX_LAZY_THRESHOLDS: usize = 4095;

/// Samples of a row of a batch.
pub(crate) const LAZY_ROW: usize = 64;
/// The most slots: a rank among them is a byte.
pub(crate) const MAX_LAZY_SLOTS: usize = 240;
/// The most digits of a fine threshold.
pub(crate) const MAX_FINE_DIGITS: usize = 32;
/// The fewest nodes for which there is room in a digit's tree: the entries of the widest register's table.
const LEAST_STRIDE: usize = 64;
/// The fewest levels of a tree: what 16 entries hold.
const LEAST_LEVELS: u32 = 4;

/// A [`CdtTable`] and its two parts, for a sampler that draws lazily in constant time.
///
/// Let p_j = T_j - T_(j+1) be the probability of the index j in units of 2^-B (T_0 = 2^B, T_(n+1) = 0), and L = 15
/// (folded) or 16. Then p_j = d_j·2^(B-L) + f_j with integers d_j, f_j >= 0, and the sum of all d_j is 2^L - 2^m: a
/// uniform v of L bits below D_0 = 2^L - 2^m *decides*, for the index #{j >= 1 : v < D_j} with D_j = d_j + … + d_n; one
/// that is not, of probability 2^(m-L), leaves the sample *open*, and its index is drawn from the f_j: it is
/// #{j >= 1 : w < F_j} with F_j = T_j - 2^(B-L)·D_j and w a uniform of B-L+m bits. (B counts as L if it is less.)
///
/// d_j is ⌊p_j/2^(B-L)⌋, but for the largest j, where it is less by as much as makes the rest a power of two, the
/// least that will do. So the parts follow from the table; the law is the table's.
///
/// A batch, of 64 samples to 2048, has [`slots`](Self::slots) draws of w, a longer one no fewer. More samples than that are
/// open with probability at most 2^[`log2_overflow`](Self::log2_overflow) <= 2^-(B+8), an upper bound in integers.
///
/// Storage: two trees, of D_0 >= D_(a+1) >= … >= D_b by digits of 8 bits (a and b are the first and the last index of
/// d_j > 0; of a folded table a is 0), and of the F_j that are neither 0 nor 2^(B-L+m), left-aligned in ⌈(B-L+m)/8⌉ digits. A tree of l levels,
/// at least 4, has a row for each digit, the most significant first, of max(64, 2^l) bytes, of which byte 2^i + q is the
/// digit, less 128, of the number of rank (2q+1)·2^(l-1-i), counted from 1; or -128 if there are not so many.
///
/// ```
/// use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
/// use samplez_core::table::{CdtTable, LazyTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24])?;
/// let mut parts = vec![0; LazyTable::<[u32; 1], Vec<i8>>::parts_len(&table)?];
/// let lazy = LazyTable::with_parts_in(table, parts)?;
/// // Eight bits: all but one of the 2^15 values decide.
/// assert_eq!((lazy.open_bits(), lazy.slots(2048), lazy.bytes()), (15, 8, 4 + 3 * 64));
/// assert!(lazy.log2_overflow() <= -16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LazyTable<S, P> {
    table: CdtTable<S>,
    parts: P,
    split: Split,
}

/// Why a table has no such parts, or others.
///
/// ```
/// use samplez_core::table::LazyError;
/// assert!(LazyError::Thresholds { thresholds: 5000 }.to_string().ends_with("must be between 1 and 4095"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LazyError {
    /// There are more than [`MAX_LAZY_THRESHOLDS`].
    Thresholds {
        /// Their number.
        thresholds: usize,
    },
    /// So many samples of a batch are open that there would have to be more than 240 slots.
    Open {
        /// A sample is open with probability 2^-`open_bits`.
        open_bits: u32,
    },
    /// The number of bytes is not that of the table's parts.
    Length {
        /// The number given.
        bytes: usize,
        /// That of the parts.
        expected: usize,
    },
    /// A byte is not what the table says.
    Entry {
        /// Its place, from 0.
        place: usize,
    },
}

impl fmt::Display for LazyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thresholds { thresholds } => {
                write!(f, "thresholds = {thresholds}: must be between 1 and {MAX_LAZY_THRESHOLDS}")
            }
            Self::Open { open_bits } => write!(
                f,
                "parts: a sample of this table stays open with probability 2^-{open_bits}, and {LAZY_BATCH} of them need \
                 more than the {MAX_LAZY_SLOTS} slots allowed"
            ),
            Self::Length { bytes, expected } => write!(f, "parts: got {bytes} bytes, must be {expected}"),
            Self::Entry { place } => write!(f, "parts: byte {place} does not fit the table"),
        }
    }
}

impl core::error::Error for LazyError {}

/// A number from 0 to 1: an integer, and 256 binary places, most significant digit first.
type Fraction = [u32; 9];

/// a - b, where a >= b.
fn minus(a: Fraction, b: Fraction) -> Fraction {
    let (mut difference, mut borrow) = ([0; 9], 0);
    for ((slot, a), b) in difference.iter_mut().zip(a).zip(b).rev() {
        let wide = u64::from(a).wrapping_sub(b.into()).wrapping_sub(borrow);
        (*slot, borrow) = (wide as u32, wide >> 63);
    }
    difference
}

/// 2^n x, where 0 <= n < 32.
fn shifted(x: Fraction, n: u32) -> Fraction {
    core::array::from_fn(|i| {
        let below = x.get(i + 1).map_or(0, |digit| u64::from(*digit));
        (((u64::from(x[i]) << 32 | below) << n) >> 32) as u32
    })
}

/// The numbers that describe the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Split {
    /// L.
    lead_bits: u32,
    /// m.
    spare_bits: u32,
    /// How many d_j are taken back, in all.
    taken: u32,
    /// a, and b - a + 1.
    first: usize,
    coarse: usize,
    /// How many F_j, j >= 1, are 2^(B-L+m), and how many are neither this nor 0.
    certain: usize,
    fine: usize,
    digits: usize,
    /// For a batch of one row, of two, …
    slots: [u8; LAZY_BATCH / LAZY_ROW],
    /// Of whichever of them overflows most easily.
    log2_overflow: i32,
}

/// What a table's walk from the last index to the first finds at one.
struct Step {
    index: usize,
    /// d_j and D_j.
    cells: u32,
    above: u32,
    /// F_j·2^-B.
    rest: Fraction,
}

/// The levels of a tree of this many numbers.
const fn levels(numbers: usize) -> u32 {
    let levels = usize::BITS - numbers.leading_zeros();
    if levels < LEAST_LEVELS { LEAST_LEVELS } else { levels }
}

/// Bytes of a digit's row of a tree of this many numbers.
const fn stride(numbers: usize) -> usize {
    let nodes = 1 << levels(numbers);
    if nodes < LEAST_STRIDE { LEAST_STRIDE } else { nodes }
}

/// The node of the number of this rank, counted from 0, in a tree of so many levels.
const fn node(rank: usize, levels: u32) -> usize {
    let (place, zeros) = (rank + 1, (rank + 1).trailing_zeros());
    (1 << (levels - 1 - zeros)) + (place >> zeros >> 1)
}

impl Split {
    fn new<S: AsRef<[u32]>>(table: &CdtTable<S>) -> Result<Self, LazyError> {
        if table.len() > MAX_LAZY_THRESHOLDS {
            return Err(LazyError::Thresholds { thresholds: table.len() });
        }
        let lead_bits = if table.shape() == Shape::Folded { 15 } else { 16 };
        let mut split = Split {
            lead_bits,
            spare_bits: 0,
            taken: 0,
            first: 0,
            coarse: 0,
            certain: 0,
            fine: 0,
            digits: 0,
            slots: [0; LAZY_BATCH / LAZY_ROW],
            log2_overflow: 0,
        };
        let mut decided = 0;
        split.walk(table, |step| decided = step.above);
        let open = (1 << lead_bits) - decided;
        // At least one value of v is open, so that D_0 < 2^L.
        split.spare_bits = open.max(1).next_power_of_two().ilog2();
        split.taken = (1 << split.spare_bits) - open;
        let open_bits = lead_bits - split.spare_bits;
        let fine_bits = table.precision().max(lead_bits) - open_bits;
        split.digits = fine_bits.div_ceil(8).max(1) as usize;
        let mut last = None;
        split.walk(table, |step| {
            if step.cells > 0 {
                split.first = step.index;
                last = last.or(Some(step.index));
            }
            let rest = shifted(step.rest, open_bits);
            if step.index > 0 {
                split.certain += usize::from(rest[0] != 0);
                split.fine += usize::from(rest[0] == 0 && rest.iter().any(|digit| *digit != 0));
            }
        });
        let Some(last) = last else { return Err(LazyError::Open { open_bits }) };
        // The sign of a folded table is that of an index, which is counted from 0.
        if table.shape() == Shape::Folded {
            split.first = 0;
        }
        split.coarse = last - split.first + 1;
        let most = -(table.precision() as i32) - 8;
        let (slots, log2_overflow) = slots(open_bits, most).ok_or(LazyError::Open { open_bits })?;
        Ok(Split { slots, log2_overflow, ..split })
    }

    /// Visits every index, from the last to the first.
    fn walk<S: AsRef<[u32]>>(self, table: &CdtTable<S>, mut visit: impl FnMut(Step)) {
        let (mut next, mut above, mut taken) = ([0; 9], 0, self.taken);
        for index in (0..=table.len()).rev() {
            let mut threshold = [0; 9];
            if index == 0 {
                threshold[0] = 1;
            } else {
                for (slot, digit) in threshold[1..].iter_mut().zip(table.threshold(index - 1)) {
                    *slot = digit;
                }
            }
            let mass = minus(threshold, next);
            let whole = shifted(mass, self.lead_bits)[0];
            let cells = whole - whole.min(taken);
            taken -= whole - cells;
            above += cells;
            let mut decided = [0; 9];
            decided[0] = above >> self.lead_bits;
            decided[1] = above << (32 - self.lead_bits);
            visit(Step { index, cells, above, rest: minus(threshold, decided) });
            next = threshold;
        }
    }

    fn coarse_len(self) -> usize {
        2 * stride(self.coarse)
    }

    fn len(self) -> usize {
        self.coarse_len() + self.digits * stride(self.fine)
    }

    fn open_bits(self) -> u32 {
        self.lead_bits - self.spare_bits
    }

    /// Whether this byte of the parts is a number's digit.
    fn is_digit(self, place: usize) -> bool {
        let (place, numbers) = match place.checked_sub(self.coarse_len()) {
            None => (place % stride(self.coarse), self.coarse),
            Some(place) => (place % stride(self.fine), self.fine),
        };
        match (place.checked_ilog2(), levels(numbers)) {
            (Some(level), levels) if level < levels => {
                (2 * (place - (1 << level)) + 1) << (levels - 1 - level) <= numbers
            }
            _ => false,
        }
    }

    /// Calls `put(place, byte)` with each byte of the parts that is a number's digit.
    fn write<S: AsRef<[u32]>>(self, table: &CdtTable<S>, mut put: impl FnMut(usize, i8)) {
        let digit = |digit: u8| (digit ^ 0x80).cast_signed();
        let mut put_coarse = |rank: usize, number: u32| {
            let place = node(rank, levels(self.coarse));
            put(place, digit((number >> 8) as u8));
            put(stride(self.coarse) + place, digit(number as u8));
        };
        put_coarse(0, (1 << self.lead_bits) - (1 << self.spare_bits));
        self.walk(table, |step| {
            if (self.first + 1..self.first + self.coarse).contains(&step.index) {
                put_coarse(step.index - self.first, step.above);
            }
        });
        self.walk(table, |step| {
            if (self.certain + 1..self.certain + 1 + self.fine).contains(&step.index) {
                let rest = shifted(step.rest, self.open_bits());
                let place = self.coarse_len() + node(step.index - self.certain - 1, levels(self.fine));
                for d in 0..self.digits {
                    let byte = rest[1 + d / 4] >> (24 - 8 * (d % 4));
                    put(place + d * stride(self.fine), digit(byte as u8));
                }
            }
        });
    }
}

/// A number m·2^e, 2^63 <= m < 2^64, that is not below what it stands for.
#[derive(Clone, Copy)]
struct Upper {
    m: u64,
    e: i32,
}

impl Upper {
    /// times numerator/denominator, rounded up; both positive, and the numerator below 2^40.
    fn times(self, numerator: u64, denominator: u64) -> Self {
        let mut m = (u128::from(self.m) << 23) * u128::from(numerator);
        m = m.div_ceil(denominator.into());
        let excess = 64 - m.leading_zeros() as i32;
        let m = if excess > 0 { m.div_ceil(1 << excess) } else { m << -excess };
        // 2^64 after rounding up
        if m >> 64 != 0 {
            Upper { m: 1 << 63, e: self.e - 23 + excess + 1 }
        } else {
            Upper { m: m as u64, e: self.e - 23 + excess }
        }
    }
}

/// For batches of one row, of two, …, the least multiple K of 8 for which, by an upper bound that is a power of two, more than K
/// samples are open with probability at most 2^`most`, each being open with probability p = 2^-`open_bits` whatever the others are;
/// and log2 of the largest of these bounds. `None` if 240 will not do.
///
/// Of N samples the probabilities t_i of i open ones fall from i = K+1 on, each by the factor (N-i)/(i+1)·p/(1-p), which
/// itself falls. So what lies above K is at most t_(K+1)/(1-r), where r is that factor at K+1, if it is below 1.
fn slots(open_bits: u32, most: i32) -> Option<([u8; LAZY_BATCH / LAZY_ROW], i32)> {
    let (mut all, mut log2_overflow) = ([0; LAZY_BATCH / LAZY_ROW], i32::MIN);
    let odds = (1_u64 << open_bits) - 1;
    // (1-p)^N
    let mut none = Upper { m: 1 << 63, e: -63 };
    for (row, slots) in all.iter_mut().enumerate() {
        let n = ((row + 1) * LAZY_ROW) as u64;
        for _ in 0..LAZY_ROW {
            none = none.times(odds, odds + 1);
        }
        let (mut t, mut k) = (none, 0);
        loop {
            if k >= 8 && k % 8 == 0 {
                if k == n {
                    break; // one for each: no table comes to that, but t would be 0
                }
                let next = t.times(n - k, (k + 1) * odds);
                let whole = (k + 2) * odds;
                if whole >= n - k {
                    let log2 = next.times(whole, whole - (n - k - 1)).e + 64;
                    if log2 <= most {
                        log2_overflow = log2_overflow.max(log2);
                        break;
                    }
                }
            }
            t = t.times(n - k, (k + 1) * odds);
            k += 1;
            if k > MAX_LAZY_SLOTS as u64 {
                return None;
            }
        }
        *slots = k as u8;
    }
    Some((all, log2_overflow))
}

/// An upper bound of log2(2^a + 2^b), where the greater is finite.
fn log2_of_sum(a: f64, b: f64) -> f64 {
    let (least, most) = (a.min(b), a.max(b));
    // 2^⌈least - most⌉, and log2(1 + x) <= x/ln 2 < 1.45x.
    let ratio = f64::from_bits(((1023 + (least - most).max(-1000.0) as i64) as u64) << 52);
    (most + (1.45 * ratio).min(1.0)).next_up()
}

/// This bound, of T, for T conditioned on an event of probability at least 1 - ε, ε = 2^`overflow` <= 2^-5.
pub(crate) fn conditioned(bound: &Bound, overflow: i32) -> Bound {
    let overflow = f64::from(overflow);
    // (1-ε)^-2 - 1 <= 2.1ε, and 2.1(1+r) <= 2^(2.08 + max(0, log2 r)).
    let divergence = |log2: f64| log2_of_sum(log2, overflow + 2.08 + log2.max(0.0));
    Bound {
        log2_sd: log2_of_sum(bound.log2_sd, overflow),
        log2_renyi: bound.log2_renyi.map(|(order, log2)| (order, divergence(log2))),
        log2_rinf: divergence(bound.log2_rinf),
        log2_tail: bound.log2_tail,
    }
}

impl<S: AsRef<[u32]>, P: AsRef<[i8]>> LazyTable<S, P> {
    /// This table with these parts, which are checked.
    ///
    /// # Errors
    ///
    /// [`LazyError`] if the table has no parts, or these are not what the type's documentation says.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{CdtTable, LazyError, LazyTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let wrong = LazyTable::new(table.view(), [0; 5]);
    /// assert_eq!(wrong.unwrap_err().to_string(), "parts: got 5 bytes, must be 192");
    /// assert_eq!(LazyTable::new(table, [0; 192]).unwrap_err(), LazyError::Entry { place: 0 });
    /// ```
    pub fn new(table: CdtTable<S>, parts: P) -> Result<Self, LazyError> {
        let split = Split::new(&table)?;
        let given = parts.as_ref();
        if given.len() != split.len() {
            return Err(LazyError::Length { bytes: given.len(), expected: split.len() });
        }
        let mut wrong = given.iter().enumerate().position(|(place, byte)| *byte != -128 && !split.is_digit(place));
        split.write(&table, |place, byte| {
            if given[place] != byte {
                wrong = Some(wrong.map_or(place, |first| first.min(place)));
            }
        });
        match wrong {
            Some(place) => Err(LazyError::Entry { place }),
            None => Ok(LazyTable { table, parts, split }),
        }
    }

    /// Writes the parts of `table` to `parts`, which has [`parts_len`](Self::parts_len) bytes.
    ///
    /// # Errors
    ///
    /// [`LazyError`] if the table has no parts, or they have another length.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{CdtTable, LazyTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let lazy = LazyTable::with_parts_in(table.clone(), [0; 192]).unwrap();
    /// assert!(LazyTable::new(table, *lazy.parts()).is_ok());
    /// ```
    pub fn with_parts_in(table: CdtTable<S>, mut parts: P) -> Result<Self, LazyError>
    where
        P: AsMut<[i8]>,
    {
        let (split, slots) = (Split::new(&table)?, parts.as_mut());
        if slots.len() != split.len() {
            return Err(LazyError::Length { bytes: slots.len(), expected: split.len() });
        }
        slots.fill(-128);
        split.write(&table, |place, byte| slots[place] = byte);
        Ok(LazyTable { table, parts, split })
    }

    /// The bytes of the parts of this table.
    ///
    /// # Errors
    ///
    /// [`LazyError`] if it has none.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{CdtTable, LazyTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// let long = CdtTable::new(law, bound, Shape::Folded, 0, 8, vec![0; 4096]).unwrap();
    /// let refused = LazyTable::<Vec<u32>, Vec<i8>>::parts_len(&long).unwrap_err();
    /// assert_eq!(refused.to_string(), "thresholds = 4096: must be between 1 and 4095");
    /// ```
    pub fn parts_len(table: &CdtTable<S>) -> Result<usize, LazyError> {
        Ok(Split::new(table)?.len())
    }

    /// The certified distance of a sample from the target: that of the table, and what conditioning on no overflow
    /// adds.
    ///
    /// A fill that does not overflow has the law Q of independent samples of the table's law T, conditioned on an event
    /// of probability at least 1-ε for each batch, so that Q <= T/(1-ε) everywhere. ε is charged to every sample, as if
    /// each were a batch. Then SD <= SD(T, P) + ε, and for every order a >= 2, infinity included,
    /// R_a(Q‖P) <= (1-ε)^-2·R_a(T‖P); of the reverse direction nothing is said: R_a(P‖Q) is infinite.
    ///
    /// ```
    /// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
    /// # use samplez_core::table::{CdtTable, LazyTable, Shape};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// let lazy = LazyTable::with_parts_in(table, [0; 192]).unwrap();
    /// assert!((-3.0..-2.99).contains(&lazy.bound().log2_sd) && lazy.bound().log2_tail == -3.0);
    /// ```
    pub fn bound(&self) -> Bound {
        conditioned(self.table.bound(), self.split.log2_overflow)
    }

    /// The tree of the D_j.
    pub(crate) fn coarse(&self) -> Levels<'_> {
        let (rows, _) = self.parts.as_ref().split_at(self.split.coarse_len());
        Levels { rows, stride: stride(self.split.coarse), levels: levels(self.split.coarse), len: self.split.coarse }
    }

    /// The tree of the F_j.
    pub(crate) fn fine(&self) -> Levels<'_> {
        let (_, rows) = self.parts.as_ref().split_at(self.split.coarse_len());
        Levels { rows, stride: stride(self.split.fine), levels: levels(self.split.fine), len: self.split.fine }
    }
}

/// Accessors; each returns what [`LazyTable::new`] was given, or what follows from it.
///
/// ```
/// # use samplez_core::{params::{DiscreteGaussian, Rational}, profile::Bound};
/// # use samplez_core::table::{CdtTable, LazyTable, Shape};
/// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
/// # let bound = Bound { log2_sd: -3.0, log2_renyi: [(2, 0.0), (256, 0.0), (513, 0.0)], log2_rinf: 0.0, log2_tail: -3.0 };
/// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
/// let lazy = LazyTable::with_parts_in(table, [0; 192]).unwrap();
/// assert_eq!((lazy.table().len(), lazy.parts().len(), lazy.fine_digits()), (1, 192, 1));
/// ```
impl<S, P> LazyTable<S, P> {
    /// The thresholds.
    pub const fn table(&self) -> &CdtTable<S> {
        &self.table
    }
    /// The parts.
    pub const fn parts(&self) -> &P {
        &self.parts
    }
    /// The parts alone.
    pub fn into_parts(self) -> P {
        self.parts
    }
    /// A sample is open with probability 2^-this: L - m.
    pub const fn open_bits(&self) -> u32 {
        self.split.lead_bits - self.split.spare_bits
    }
    /// The number of draws of w for a batch of so many samples: a multiple of 8.
    ///
    /// # Panics
    ///
    /// Unless there are 1 to 2048 samples.
    pub const fn slots(&self, samples: usize) -> usize {
        self.split.slots[samples.div_ceil(LAZY_ROW) - 1] as usize
    }
    /// The bytes of a draw of w.
    pub const fn fine_digits(&self) -> usize {
        self.split.digits
    }
    /// An upper bound of log2 of the probability that more samples of a batch, of whatever length, are open than it has slots.
    pub const fn log2_overflow(&self) -> i32 {
        self.split.log2_overflow
    }
    /// The memory of thresholds and parts.
    pub const fn bytes(&self) -> usize {
        self.table.bytes() + 2 * stride(self.split.coarse) + self.split.digits * stride(self.split.fine)
    }
    /// For tests: a; how many D there are; how many F_j, j >= 1, are 2^(B-L+m); how many F there are.
    #[doc(hidden)]
    pub const fn layout(&self) -> [usize; 4] {
        [self.split.first, self.split.coarse, self.split.certain, self.split.fine]
    }
    /// The index of the least decided value, and that of a draw of w which is above all F_j of the tree.
    pub(crate) const fn offsets(&self) -> (usize, usize) {
        (self.split.first, self.split.certain)
    }
}

/// A tree of falling numbers as it is stored.
pub(crate) struct Levels<'a> {
    pub(crate) rows: &'a [i8],
    /// Bytes of a row.
    pub(crate) stride: usize,
    pub(crate) levels: u32,
    /// How many numbers.
    pub(crate) len: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BOUND, falling, table};
    use std::string::ToString;
    use std::vec;
    use std::vec::Vec;

    /// The parts of a table as the type's documentation defines them, in plain integers.
    struct Model {
        /// L - m.
        open_bits: u32,
        /// B-L+m.
        fine_bits: u32,
        first: usize,
        certain: usize,
        /// D_0, D_(a+1), …, D_b.
        coarse: Vec<u128>,
        /// The F_j of the tree.
        fine: Vec<u128>,
    }

    impl Model {
        fn new(shape: Shape, precision: u32, thresholds: &[u128]) -> Self {
            let lead_bits = if shape == Shape::Folded { 15 } else { 16 };
            let bits = precision.max(lead_bits);
            let unit = 1_u128 << (bits - lead_bits);
            let mut all = vec![1_u128 << bits];
            all.extend(thresholds.iter().map(|t| t << (bits - precision)));
            let after = |j: usize| all.get(j + 1).copied().unwrap_or(0);
            let mut cells: Vec<u128> = (0..all.len()).map(|j| (all[j] - after(j)) / unit).collect();
            let open = ((1_u128 << lead_bits) - cells.iter().sum::<u128>()).max(1);
            let spare_bits = (0..).find(|m| 1 << m >= open).unwrap();
            let mut back = (1 << lead_bits) - (1 << spare_bits);
            back = cells.iter().sum::<u128>() - back;
            for cell in cells.iter_mut().rev() {
                let less = back.min(*cell);
                (*cell, back) = (*cell - less, back - less);
            }
            let above = |j: usize| cells[j..].iter().sum::<u128>();
            let rests: Vec<u128> = (1..all.len()).map(|j| all[j] - unit * above(j)).collect();
            let (fine_bits, lowest) = (bits - lead_bits + spare_bits, cells.iter().position(|d| *d > 0).unwrap());
            let (first, last) =
                (if shape == Shape::Folded { 0 } else { lowest }, cells.iter().rposition(|d| *d > 0).unwrap());
            Model {
                open_bits: lead_bits - spare_bits,
                fine_bits,
                first,
                certain: rests.iter().filter(|f| **f == 1 << fine_bits).count(),
                coarse: std::iter::once(above(0)).chain((first + 1..=last).map(above)).collect(),
                fine: rests.into_iter().filter(|f| *f != 0 && *f != 1 << fine_bits).collect(),
            }
        }

        /// The bytes of a tree of these numbers of so many bits.
        fn tree(numbers: &[u128], bits: u32) -> Vec<i8> {
            let levels = (4..).find(|levels| 1 << levels > numbers.len()).unwrap();
            let (digits, stride) = (bits.div_ceil(8).max(1), 64.max(1 << levels));
            let mut tree = vec![-128; digits as usize * stride];
            for d in 0..digits {
                for i in 0..levels {
                    for q in 0..1 << i {
                        let rank: usize = (2 * q + 1) << (levels - 1 - i);
                        if let Some(number) = numbers.get(rank - 1) {
                            let digit = (number << (8 * digits - bits)) >> (8 * (digits - 1 - d)) & 255;
                            tree[d as usize * stride + (1 << i) + q] = (digit as i16 - 128) as i8;
                        }
                    }
                }
            }
            tree
        }
    }

    /// Thresholds that fall as those of a Gaussian do, so that few samples are open.
    fn gaussian(count: usize, precision: u32) -> Vec<u128> {
        let part =
            |j: usize| (-(j as f64 * 3.0 / count as f64).powi(2)).exp() * (1.0 - j as f64 / (count as f64 + 1.0));
        (1..=count).map(|j| (part(j) * 2_f64.powi(precision as i32)) as u128).collect()
    }

    #[test]
    fn parts_are_what_the_type_says() {
        let mut seen = [0; 2];
        for shape in [Shape::Folded, Shape::Full] {
            for precision in [1, 5, 14, 15, 16, 17, 24, 31, 32, 33, 64, 72, 96, 100] {
                for count in [1, 2, 7, 14, 15, 16, 60, 63, 64, 130] {
                    for thresholds in [gaussian(count, precision), falling(count, precision, count as u8)] {
                        let model = Model::new(shape, precision, &thresholds);
                        let table = table(shape, -3, precision, &thresholds).unwrap();
                        let len = LazyTable::<_, Vec<i8>>::parts_len(&table).unwrap();
                        let lazy = LazyTable::with_parts_in(table.clone(), vec![7; len]).unwrap();
                        assert_eq!(lazy.open_bits(), model.open_bits, "{shape:?}, {count} of {precision} bits");
                        assert_eq!(lazy.fine_digits() as u32, model.fine_bits.div_ceil(8).max(1));
                        let (coarse, fine) =
                            (Model::tree(&model.coarse, 16), Model::tree(&model.fine, model.fine_bits));
                        assert_eq!((lazy.coarse().rows, lazy.fine().rows), (&coarse[..], &fine[..]));
                        let layout = [model.first, model.coarse.len(), model.certain, model.fine.len()];
                        assert_eq!((lazy.layout(), lazy.offsets()), (layout, (model.first, model.certain)));
                        for (tree, numbers, digits) in
                            [(lazy.coarse(), &model.coarse, 2), (lazy.fine(), &model.fine, lazy.fine_digits())]
                        {
                            assert_eq!((tree.len, tree.stride * digits), (numbers.len(), tree.rows.len()));
                            assert!(1 << tree.levels > numbers.len() && tree.levels >= 4 && tree.stride >= 64);
                            assert!(tree.levels == 4 || 1 << (tree.levels - 1) <= numbers.len());
                        }
                        assert_eq!((lazy.bytes(), lazy.parts().len()), (table.bytes() + len, len));
                        assert!(lazy.log2_overflow() <= -(precision as i32) - 8);
                        assert_eq!(LazyTable::new(table, lazy.clone().into_parts()).unwrap().split, lazy.split);
                        seen[0] += usize::from(model.certain > 0);
                        seen[1] += usize::from(model.first > 0);
                    }
                }
            }
        }
        assert!(seen.iter().all(|seen| *seen > 5), "{seen:?}");
    }

    #[test]
    fn every_byte_is_looked_at() {
        let table = table(Shape::Full, 0, 40, &gaussian(20, 40)).unwrap();
        let len = LazyTable::<_, Vec<i8>>::parts_len(&table).unwrap();
        let parts = LazyTable::with_parts_in(table.view(), vec![0; len]).unwrap().into_parts();
        for place in 0..len {
            let mut wrong = parts.clone();
            wrong[place] ^= 1;
            assert_eq!(LazyTable::new(table.view(), wrong.clone()).unwrap_err(), LazyError::Entry { place });
            wrong[len - 1] ^= 2;
            assert_eq!(LazyTable::new(table.view(), wrong).unwrap_err(), LazyError::Entry { place });
        }
        for bytes in [0, len - 1, len + 1] {
            let wrong = LazyError::Length { bytes, expected: len };
            assert_eq!(LazyTable::new(table.view(), vec![0; bytes]).unwrap_err(), wrong);
            assert_eq!(LazyTable::with_parts_in(table.view(), vec![0; bytes]).unwrap_err(), wrong);
        }
        assert_eq!(LazyError::Length { bytes: 5, expected: 6 }.to_string(), "parts: got 5 bytes, must be 6");
    }

    #[test]
    fn the_most_thresholds() {
        // All values have the same probability, 2^-12: none is open but for what must be.
        for (count, is_one) in [(MAX_LAZY_THRESHOLDS, true), (MAX_LAZY_THRESHOLDS + 1, false)] {
            let even: Vec<u128> = (1..=count as u128).map(|j| (4096 - j) << 52).collect();
            let table = table(Shape::Folded, 0, 64, &even).unwrap();
            let refused = LazyTable::<_, Vec<i8>>::parts_len(&table).err();
            assert_eq!(refused, (!is_one).then_some(LazyError::Thresholds { thresholds: count }));
        }
        // About one sample in 16 is open: of 2048 more than 240 with probability above 2^-135.
        let table = table(Shape::Folded, 0, 127, &falling(MAX_LAZY_THRESHOLDS, 127, 1)).unwrap();
        let refused = LazyTable::<_, Vec<i8>>::parts_len(&table).unwrap_err();
        assert!(
            matches!(refused, LazyError::Open { open_bits: 3..=4 }) && refused.to_string().contains("2048"),
            "{refused}"
        );
    }

    /// log2 of the probability that more than k of n are open, each with probability 2^-`open_bits`.
    fn log2_tail(n: u64, k: u64, open_bits: u32) -> f64 {
        let p = 2_f64.powi(-(open_bits as i32));
        let mut term = n as f64 * (-p).ln_1p() / 2_f64.ln();
        let mut terms = vec![];
        for i in 0..n {
            term += ((n - i) as f64 / (i + 1) as f64 * p / (1.0 - p)).log2();
            if i >= k {
                terms.push(term);
            }
        }
        let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most + terms.iter().map(|term| (term - most).exp2()).sum::<f64>().log2()
    }

    #[test]
    fn slots_are_enough_and_few() {
        for open_bits in [5, 6, 8, 10, 15, 16] {
            for most in [-9, -16, -72, -136, -264] {
                let Some((all, log2_overflow)) = slots(open_bits, most) else {
                    // The longest batch needs more than 240, or a shorter one does.
                    assert!(log2_tail(2048, 240, open_bits) > f64::from(most) - 3.0, "{open_bits}, {most}");
                    continue;
                };
                let mut worst = f64::NEG_INFINITY;
                for (row, slots) in all.into_iter().enumerate() {
                    let (n, slots) = ((row as u64 + 1) * 64, u64::from(slots));
                    assert!(slots % 8 == 0 && slots >= 8 && slots <= n);
                    if slots < n {
                        let tail = log2_tail(n, slots, open_bits);
                        assert!(tail <= f64::from(most));
                        worst = worst.max(tail);
                    }
                    if slots > 8 {
                        let fewer = log2_tail(n, slots - 8, open_bits);
                        assert!(fewer > f64::from(most) - 2.5, "{n}: {slots}, {fewer}");
                    }
                }
                assert!((worst..worst + 2.5).contains(&f64::from(log2_overflow)), "{worst}: {log2_overflow}");
                assert!(log2_overflow <= most);
            }
        }
    }

    /// As [`slots`] says, for a batch of n, by logarithms; and how near the bound is to a power of two, where it may be either.
    fn model_of_slots(n: u64, open_bits: u32, most: i32) -> (u64, i32, f64) {
        let odds = (f64::from(open_bits).exp2() - 1.0).recip();
        let (mut t, mut near) = (-(n as f64) * odds.ln_1p() / 2_f64.ln(), 1.0_f64);
        for k in 0..n {
            // t_(k+1), and the factor there.
            t += ((n - k) as f64 / (k + 1) as f64 * odds).log2();
            let r = (n - k - 1) as f64 / (k + 2) as f64 * odds;
            if k >= 8 && k % 8 == 0 && r < 1.0 {
                let bound = t - (1.0 - r).log2();
                near = near.min((bound - bound.round()).abs());
                if bound.floor() as i32 + 1 <= most {
                    return (k, bound.floor() as i32 + 1, near);
                }
            }
        }
        (n, i32::MIN, near)
    }

    #[test]
    fn slots_are_the_least_by_the_bound() {
        for (open_bits, most) in [(5, -9), (6, -24), (7, -72), (8, -136), (10, -72), (12, -264), (15, -136), (16, -9)] {
            let (all, log2_overflow) = slots(open_bits, most).unwrap();
            let model = (1..).zip(all).map(|(row, _)| model_of_slots(64 * row, open_bits, most)).collect::<Vec<_>>();
            for (slots, (k, _, near)) in all.into_iter().zip(&model) {
                assert!(u64::from(slots) == *k || *near < 1e-6, "{open_bits}, {most}: {slots}, {k}");
            }
            let worst = model.iter().map(|(_, log2, _)| *log2).max().unwrap();
            assert!(log2_overflow == worst || model.iter().any(|(_, _, near)| *near < 1e-6), "{open_bits}, {most}");
        }
        // As many as there can be, of 2048.
        assert!((-120..-9).filter_map(|most| slots(4, most)).any(|(all, _)| all[31] == 240));
    }

    #[test]
    fn batches_have_the_slots_of_their_rows() {
        let table = table(Shape::Full, 0, 100, &gaussian(200, 100)).unwrap();
        let len = LazyTable::<_, Vec<i8>>::parts_len(&table).unwrap();
        let lazy = LazyTable::with_parts_in(table, vec![0; len]).unwrap();
        let all = lazy.split.slots.map(usize::from);
        assert!(all[0] < all[4] && all[4] < all[31], "{all:?}");
        for samples in 1..=LAZY_BATCH {
            assert_eq!(lazy.slots(samples), all[(samples - 1) / LAZY_ROW]);
        }
    }

    #[test]
    fn upper_bounds_are_rounded_up_by_less_than_a_unit() {
        let mut bits = crate::testing::reader(9);
        use crate::bits::BitSource;
        // What the product is, what its bound is, and a unit of that.
        let bounded = |m: u64, numerator: u64, denominator: u64| {
            let Upper { m: above, e } = Upper { m, e: 0 }.times(numerator, denominator);
            assert!(above >> 63 == 1);
            // m·numerator/denominator·2^-e, times 2^64 so that it is whole enough.
            let product = u128::from(m) * u128::from(numerator);
            let (shift, whole) = ((-e).max(0) as u32, (e.max(0)) as u32);
            // above·denominator·2^e >= product > (above - 1)·denominator·2^e
            let (above, denominator) = (u128::from(above), u128::from(denominator));
            let (left, unit) = ((above * denominator) << whole, denominator << whole);
            let product = product << shift;
            (product, left, unit)
        };
        let check = |m, numerator, denominator| {
            let (product, left, unit) = bounded(m, numerator, denominator);
            assert!(left >= product && left - unit < product, "{m}·{numerator}/{denominator}");
        };
        // The last is rounded up to 2^64.
        for (m, numerator, denominator) in
            [(1 << 63, 1, 1), (u64::MAX, 1, 1), (1 << 63, 3, 7), (u64::MAX, 9, 5), (15_372_286_728_091_293_013, 3, 5)]
        {
            check(m, numerator, denominator);
        }
        for _ in 0..1000 {
            let (m, numerator) = (bits.bits(64) | 1 << 63, 1 + bits.bits(20));
            check(m, numerator, 1 + bits.bits(20));
            // The quotient has 51 bits at least.
            let (product, left, _) = bounded(m, numerator % 8 + 1, 1 + bits.bits(36));
            assert!(left >= product && left - product <= product >> 50);
        }
    }

    #[test]
    fn sums_of_powers_are_bounded_from_above() {
        for a in [-300.0, -40.5, -8.0, -1.0, 0.0, 3.0] {
            for less in [0.0_f64, 0.25, 1.0, 3.5, 20.0, 60.0, 1200.0] {
                let (exact, bound) = (a + (-less).exp2().ln_1p() / 2_f64.ln(), log2_of_sum(a, a - less));
                assert_eq!(bound.to_bits(), log2_of_sum(a - less, a).to_bits());
                assert!(bound >= exact && bound <= exact + 1.5 * (-less).exp2() + 1e-12, "{a}, {less}: {bound}");
            }
        }
        assert!((-3.0..-2.999_999).contains(&log2_of_sum(f64::NEG_INFINITY, -3.0)));
    }

    #[test]
    fn a_conditioned_bound_is_above_what_conditioning_makes() {
        let bound = Bound { log2_renyi: [(2, -20.0), (256, 4.0), (513, -1.0)], log2_rinf: 2.0, ..BOUND };
        for overflow in [-5, -20, -72] {
            let (made, epsilon) = (conditioned(&bound, overflow), f64::from(overflow).exp2());
            assert!(made.log2_sd >= (bound.log2_sd.exp2() + epsilon).log2());
            assert!(made.log2_sd <= (bound.log2_sd.exp2() + 2.0 * epsilon).log2() + 1e-12);
            let pairs =
                made.log2_renyi.iter().map(|(_, log2)| *log2).zip(bound.log2_renyi.iter().map(|(_, log2)| *log2));
            for (made, log2) in pairs.chain([(made.log2_rinf, bound.log2_rinf)]) {
                // (1-ε)^-2·(1 + r) - 1 <= r + 2.1ε(1 + r)
                let r = log2.exp2();
                let more = epsilon * (2.0 - epsilon) / (1.0 - epsilon).powi(2) * (1.0 + r);
                assert!(made >= (r + more).log2() - 1e-12, "{made}");
                assert!(made <= (r + 2.1 * more).log2() + 0.01 + 1.0_f64.min(3.0 * more / r), "{made}: {r}, {more}");
            }
            let orders = made.log2_renyi.map(|(order, _)| order);
            assert_eq!((orders, made.log2_tail), ([2, 256, 513], bound.log2_tail));
        }
    }
}
