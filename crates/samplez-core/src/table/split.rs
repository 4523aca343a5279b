//! Common parts of tables that are split into draws: fractions, trees, and how many slots are enough.

use super::{CdtTable, MAX_LAZY_SLOTS, TableError};

/// The fewest nodes that a digit's tree has space for: the entries of the widest register's table.
const LEAST_STRIDE: usize = 64;
/// The fewest levels of a tree: 16 entries.
const LEAST_LEVELS: u32 = 4;

/// A number from 0 to 1: an integer, and 256 binary places, most significant digit first.
pub(super) type Fraction = [u32; 9];

/// a - b, where a >= b.
pub(super) fn minus(a: Fraction, b: Fraction) -> Fraction {
    let (mut difference, mut borrow) = ([0; 9], 0);
    for ((slot, a), b) in difference.iter_mut().zip(a).zip(b).rev() {
        let wide = u64::from(a).wrapping_sub(b.into()).wrapping_sub(borrow);
        (*slot, borrow) = (wide as u32, wide >> 63);
    }
    difference
}

/// 2^n x, where 0 <= n < 32.
pub(super) fn shifted(x: Fraction, n: u32) -> Fraction {
    core::array::from_fn(|i| {
        let below = x.get(i + 1).map_or(0, |digit| u64::from(*digit));
        (((u64::from(x[i]) << 32 | below) << n) >> 32) as u32
    })
}

/// A level: [`PooledTable`](super::PooledTable) defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    /// L.
    pub(super) bits: u32,
    /// m.
    pub(super) spare_bits: u32,
    /// How many d_j are taken back, in all.
    taken: u32,
}

impl Lead {
    /// Levels of so many bits of this table, and the bits that are left of the masses below them.
    pub(super) fn of<S: AsRef<[u32]>, const K: usize>(table: &CdtTable<S>, bits: [u32; K]) -> ([Self; K], u32) {
        let mut leads = bits.map(|bits| Lead { bits, spare_bits: 0, taken: 0 });
        let mut left = table.precision();
        for k in 0..K {
            let mut decided = 0;
            Lead::walk(leads, k + 1, table, |step| decided = step.above[k]);
            let open = (1 << bits[k]) - decided;
            let lead = &mut leads[k];
            // At least one value of v is open, so that D_0 < 2^L.
            lead.spare_bits = open.max(1).next_power_of_two().ilog2();
            lead.taken = (1 << lead.spare_bits) - open;
            left = left.max(lead.bits) - lead.open_bits();
        }
        (leads, left)
    }

    pub(super) const fn open_bits(self) -> u32 {
        self.bits - self.spare_bits
    }

    /// D_0.
    pub(super) const fn decided(self) -> u32 {
        (1 << self.bits) - (1 << self.spare_bits)
    }

    /// A cumulative mass below this level: of one above it, and D_j.
    pub(super) fn below(self, mut mass: Fraction, above: u32) -> Fraction {
        let rest = leading(&mass) - (u64::from(above) << (32 - self.bits));
        (mass[0], mass[1]) = ((rest >> 32) as u32, rest as u32);
        shifted(mass, self.open_bits())
    }

    /// Visits every index, from the last to the first, by the first `depth` levels.
    pub(super) fn walk<S: AsRef<[u32]>, const K: usize>(
        leads: [Self; K],
        depth: usize,
        table: &CdtTable<S>,
        mut visit: impl FnMut(Step<K>),
    ) {
        let (mut next, mut above, mut taken) = ([[0; 9]; K], [0; K], leads.map(|lead| lead.taken));
        for index in (0..=table.len()).rev() {
            let mut mass = cumulative(table, index);
            let mut cells = [0; K];
            for (k, lead) in leads.iter().enumerate().take(depth) {
                let borrow = u64::from(mass[2..] < next[k][2..]);
                let whole = ((leading(&mass) - leading(&next[k]) - borrow) >> (32 - lead.bits)) as u32;
                cells[k] = whole - whole.min(taken[k]);
                taken[k] -= whole - cells[k];
                above[k] += cells[k];
                next[k] = mass;
                mass = lead.below(mass, above[k]);
            }
            visit(Step { index, cells, above, rest: mass });
        }
    }
}

/// One index of a table's walk from the last index to the first.
pub(super) struct Step<const K: usize> {
    pub(super) index: usize,
    /// d_j and D_j of each level.
    pub(super) cells: [u32; K],
    pub(super) above: [u32; K],
    /// F_j of the last, times the power of two that makes all of it 1.
    pub(super) rest: Fraction,
}

/// The first two digits.
fn leading(mass: &Fraction) -> u64 {
    u64::from(mass[0]) << 32 | u64::from(mass[1])
}

/// T_j/2^B, where T_0 = 2^B.
pub(super) fn cumulative<S: AsRef<[u32]>>(table: &CdtTable<S>, index: usize) -> Fraction {
    let mut mass = [0; 9];
    if index == 0 {
        mass[0] = 1;
    } else {
        mass[1..].iter_mut().zip(table.threshold(index - 1)).for_each(|(slot, digit)| *slot = digit);
    }
    mass
}

/// The levels of a tree of this many numbers.
pub(super) const fn levels(numbers: usize) -> u32 {
    let levels = usize::BITS - numbers.leading_zeros();
    if levels < LEAST_LEVELS { LEAST_LEVELS } else { levels }
}

/// Bytes of a digit's row of a tree of this many numbers.
pub(super) const fn stride(numbers: usize) -> usize {
    let nodes = 1 << levels(numbers);
    if nodes < LEAST_STRIDE { LEAST_STRIDE } else { nodes }
}

/// The node of the number of this rank, counted from 0, in a tree of so many levels.
pub(super) const fn node(rank: usize, levels: u32) -> usize {
    let (place, zeros) = (rank + 1, (rank + 1).trailing_zeros());
    (1 << (levels - 1 - zeros)) + (place >> zeros >> 1)
}

/// Whether this byte of a tree of so many numbers is a number's digit.
pub(super) fn is_node(place: usize, numbers: usize) -> bool {
    let place = place % stride(numbers);
    match (place.checked_ilog2(), levels(numbers)) {
        (Some(level), levels) if level < levels => (2 * (place - (1 << level)) + 1) << (levels - 1 - level) <= numbers,
        _ => false,
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

/// A number m·2^e, 2^63 <= m < 2^64, that is not below what it stands for.
#[derive(Clone, Copy)]
pub(super) struct Upper {
    pub(super) m: u64,
    pub(super) e: i32,
}

impl Upper {
    /// 1.
    pub(super) const ONE: Upper = Upper { m: 1 << 63, e: -63 };

    /// times numerator/denominator, rounded up; both positive, and the numerator below 2^40.
    pub(super) fn times(self, numerator: u64, denominator: u64) -> Self {
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

    /// times this, rounded up.
    pub(super) const fn product(self, other: Self) -> Self {
        let m = self.m as u128 * other.m as u128;
        let excess = 64 - m.leading_zeros();
        let m = m.div_ceil(1 << excess);
        // 2^64 after rounding up
        let carry = (m >> 64) as i32;
        Upper { m: (m >> carry) as u64, e: self.e + other.e + excess as i32 + carry }
    }

    /// (1-p)^n, p = 2^-`open_bits`.
    pub(super) fn none_open(n: u32, open_bits: u32) -> Self {
        let odds = (1_u64 << open_bits) - 1;
        let one = Upper::ONE.times(odds, odds + 1);
        let mut power = Upper::ONE;
        for bit in (0..u32::BITS - n.leading_zeros()).rev() {
            power = power.product(power);
            if n >> bit & 1 != 0 {
                power = power.product(one);
            }
        }
        power
    }
}

/// The least multiple K of 8 for which more than K of n samples are open with probability at most 2^`most`. They are
/// open independently, each with probability p = 2^-`open_bits`. Also log2 of the bound in use, a power of two. `none` is
/// (1-p)^n, and n is a multiple of 8. `None` if 240 will not do.
///
/// The probabilities t_i of i open ones fall from i = K+1 on, each by the factor (n-i)/(i+1)·p/(1-p), which itself falls.
/// So what lies above K is at most t_(K+1)/(1-r), where r is that factor at K+1, if it is below 1.
pub(super) fn least_slots(n: u64, none: Upper, open_bits: u32, most: i32) -> Option<(u8, i32)> {
    let odds = (1_u64 << open_bits) - 1;
    let (mut t, mut k) = (none, 0);
    loop {
        if k >= 8 && k % 8 == 0 {
            if k == n {
                return Some((k as u8, i32::MIN)); // one for each
            }
            let next = t.times(n - k, (k + 1) * odds);
            let whole = (k + 2) * odds;
            if whole >= n - k {
                let log2 = next.times(whole, whole - (n - k - 1)).e + 64;
                if log2 <= most {
                    return Some((k as u8, log2));
                }
            }
        }
        t = t.times(n - k, (k + 1) * odds);
        k += 1;
        if k > MAX_LAZY_SLOTS as u64 {
            return None;
        }
    }
}

/// Requires as many bytes of parts as there must be.
pub(super) const fn check_len(given: usize, expected: usize) -> Result<(), TableError> {
    if given == expected {
        return Ok(());
    }
    Err(TableError::Length { part: "parts", given, unit: " bytes", expected })
}

/// Requires these parts to equal the parts that `write` writes, with -128 where no number has a digit.
pub(super) fn check_parts(
    given: &[i8],
    is_digit: impl Fn(usize) -> bool,
    write: impl FnOnce(&mut dyn FnMut(usize, i8)),
) -> Result<(), TableError> {
    let mut wrong = given.iter().enumerate().position(|(place, byte)| *byte != -128 && !is_digit(place));
    write(&mut |place, byte| {
        if given[place] != byte {
            wrong = Some(wrong.map_or(place, |first| first.min(place)));
        }
    });
    wrong.map_or(Ok(()), |index| Err(TableError::Entry { entry: "parts: byte", index }))
}
