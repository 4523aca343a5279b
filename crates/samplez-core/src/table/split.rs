//! Common parts of tables that are split into draws: fractions, trees, and how many slots are enough.

use super::{CdtTable, MAX_LAZY_SLOTS, TableError};

/// The fewest nodes that a digit's tree has space for: the entries of the widest register's table.
const LEAST_STRIDE: usize = 64;
/// The fewest levels of a tree: 16 entries.
const LEAST_LEVELS: u32 = 4;

/// A number from 0 to 1: an integer, and 256 binary places, most significant limb first.
pub(crate) type Fraction = [u64; 5];

/// The most levels of a table.
const LEVELS: usize = 3;

/// 2^n x, where 0 <= n < 32.
fn shifted(x: &Fraction, n: u32) -> Fraction {
    core::array::from_fn(|i| {
        let below = x.get(i + 1).map_or(0, |limb| u128::from(*limb));
        (((u128::from(x[i]) << 64 | below) << n) >> 64) as u64
    })
}

/// 2^64 x, rounded down.
fn top(x: &Fraction) -> u128 {
    u128::from(x[0]) << 64 | u128::from(x[1])
}

/// The integer of 2^n x, where 0 < n < 32 and x <= 1.
pub(super) fn leading(x: &Fraction, n: u32) -> u32 {
    (top(x) >> (64 - n)) as u32
}

/// The integer of 2^n (a - b), where 0 < n < 32 and 0 <= a - b <= 1.
fn leading_difference(a: &Fraction, b: &Fraction, n: u32) -> u32 {
    ((top(a) - top(b) - u128::from(a[2..] < b[2..])) >> (64 - n)) as u32
}

/// Byte d of the binary places, from the most significant one on.
pub(super) fn byte_of(x: &Fraction, d: usize) -> u8 {
    (x[1 + d / 8] >> (56 - 8 * (d % 8))) as u8
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
    /// A level of so many bits, if so many of its values are in whole cells.
    fn new(bits: u32, whole: u32) -> Self {
        let open = (1 << bits) - whole;
        // At least one value of v is open, so that D_0 < 2^L.
        let spare_bits = open.max(1).next_power_of_two().ilog2();
        Lead { bits, spare_bits, taken: (1 << spare_bits) - open }
    }

    /// Levels of so many bits of this table, and the bits that are left of the masses below them.
    pub(super) fn of<S: AsRef<[u32]>, const K: usize>(table: &CdtTable<S>, bits: [u32; K]) -> ([Self; K], u32) {
        let mut leads = bits.map(|bits| Lead { bits, spare_bits: 0, taken: 0 });
        let mut left = table.precision();
        for k in 0..K {
            let mut whole = 0;
            Lead::walk(&leads[..=k], table, &mut |step| whole = step.above[k]);
            leads[k] = Lead::new(bits[k], whole);
            left = left.max(bits[k]) - leads[k].open_bits();
        }
        (leads, left)
    }

    /// The level of so many bits of these cumulative masses, which become those below it, with the D_j.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(super) fn cut(bits: u32, masses: &mut [Fraction], above: &mut [u32]) -> Self {
        let (mut next, mut whole) = ([0; 5], 0);
        for (mass, cells) in masses.iter().zip(above.iter_mut()).rev() {
            *cells = leading_difference(mass, &next, bits);
            (next, whole) = (*mass, whole + *cells);
        }
        let lead = Lead::new(bits, whole);
        let (mut taken, mut sum) = (lead.taken, 0);
        for (mass, above) in masses.iter_mut().zip(above).rev() {
            let less = taken.min(*above);
            (taken, sum) = (taken - less, sum + *above - less);
            (*above, *mass) = (sum, lead.below(*mass, sum));
        }
        lead
    }

    pub(super) const fn open_bits(self) -> u32 {
        self.bits - self.spare_bits
    }

    /// D_0.
    pub(super) const fn decided(self) -> u32 {
        (1 << self.bits) - (1 << self.spare_bits)
    }

    /// A cumulative mass below this level: of one above it, and D_j.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(super) fn below(self, mut mass: Fraction, above: u32) -> Fraction {
        let rest = top(&mass) - (u128::from(above) << (64 - self.bits));
        (mass[0], mass[1]) = ((rest >> 64) as u64, rest as u64);
        shifted(&mass, self.open_bits())
    }

    /// Visits every index, from the last to the first, by these levels, of which there are one to three.
    pub(super) fn walk<S: AsRef<[u32]>>(leads: &[Self], table: &CdtTable<S>, visit: &mut dyn FnMut(&Step)) {
        let mut taken = [0; LEVELS];
        taken.iter_mut().zip(leads).for_each(|(taken, lead)| *taken = lead.taken);
        let mut next = [[0; 5]; LEVELS];
        let mut step = Step { index: 0, cells: [0; LEVELS], above: [0; LEVELS], mass: [0; 5], last: leads.len() - 1 };
        for index in (0..=table.len()).rev() {
            (step.index, step.mass) = (index, cumulative(table, index));
            for (k, lead) in leads.iter().enumerate() {
                let whole = leading_difference(&step.mass, &next[k], lead.bits);
                step.cells[k] = whole - whole.min(taken[k]);
                taken[k] -= whole - step.cells[k];
                step.above[k] += step.cells[k];
                next[k] = step.mass;
                if k < step.last {
                    step.mass = lead.below(step.mass, step.above[k]);
                }
            }
            visit(&step);
        }
    }
}

/// One index of a table's walk from the last index to the first.
pub(super) struct Step {
    pub(super) index: usize,
    /// d_j and D_j of each level.
    pub(super) cells: [u32; LEVELS],
    pub(super) above: [u32; LEVELS],
    /// The cumulative mass above the last level, and that level's number.
    mass: Fraction,
    last: usize,
}

impl Step {
    /// F_j of the last of these levels, times the power of two that makes all of it 1.
    pub(super) fn rest(&self, leads: &[Lead]) -> Fraction {
        leads[self.last].below(self.mass, self.above[self.last])
    }
}

/// T_j/2^B, where T_0 = 2^B.
pub(super) fn cumulative<S: AsRef<[u32]>>(table: &CdtTable<S>, index: usize) -> Fraction {
    let mut mass = [0; 5];
    if index == 0 {
        mass[0] = 1;
    } else {
        let digits = table.threshold(index - 1).enumerate();
        digits.for_each(|(i, digit)| mass[1 + i / 2] |= u64::from(digit) << (32 - i % 2 * 32));
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

    /// m·2^e, rounded up; m > 0.
    const fn of(m: u128, e: i32) -> Self {
        let zeros = m.leading_zeros();
        Self::rounded(m << zeros, e - zeros as i32)
    }

    /// m·2^e, rounded up; m >= 2^127.
    const fn rounded(m: u128, e: i32) -> Self {
        // Shifts, as a quotient of 128 bits is a call.
        let (high, carry) = ((m >> 64) as u64).overflowing_add((m as u64 != 0) as u64);
        let e = e + 64;
        // 2^64 after rounding up
        if carry { Upper { m: 1 << 63, e: e + 1 } } else { Upper { m: high, e } }
    }

    /// m, exactly; m > 0.
    const fn whole(m: u64) -> Self {
        let zeros = m.leading_zeros();
        Upper { m: m << zeros, e: -(zeros as i32) }
    }

    /// times numerator/denominator, rounded up; both positive.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(super) const fn times(self, numerator: u64, denominator: u64) -> Self {
        let (m, denominator) = (self.m as u128 * numerator as u128, denominator as u128);
        let zeros = m.leading_zeros();
        // At least 64 bits.
        let quotient = (m << zeros) / denominator;
        Self::of(quotient + (quotient * denominator != m << zeros) as u128, self.e - zeros as i32)
    }

    /// times this, rounded up.
    #[cfg_attr(target_arch = "wasm32", inline(never))] // WebAssembly is downloaded
    pub(super) const fn product(self, other: Self) -> Self {
        // At least 2^126.
        let m = self.m as u128 * other.m as u128;
        let zeros = (m >> 127 == 0) as u32;
        Self::rounded(m << zeros, self.e + other.e - zeros as i32)
    }
}

/// k!/(k + 8)! for k = 0, 8, …
const FALLING: [Upper; MAX_LAZY_SLOTS / 8] = {
    let mut falling = [Upper::ONE; MAX_LAZY_SLOTS / 8];
    let mut k = 0;
    while k < MAX_LAZY_SLOTS as u64 {
        // Below 2^64.
        let mut factors = 1;
        let mut i = 1;
        while i <= 8 {
            factors *= k + i;
            i += 1;
        }
        falling[k as usize / 8] = Upper::ONE.times(1, factors);
        k += 8;
    }
    falling
};

/// Draws that are open independently, each with probability p = 2^-`open_bits` < 1.
pub(super) struct Open {
    /// 1/p - 1.
    odds: u64,
    /// 1-p.
    none: Upper,
    /// (p/(1-p))^8
    eight: Upper,
}

impl Open {
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(super) fn new(open_bits: u32) -> Self {
        let odds = (1 << open_bits) - 1;
        let eight = (0..3).fold(Upper::ONE.times(1, odds), |power, _| power.product(power));
        Open { odds, none: Upper::ONE.times(odds, odds + 1), eight }
    }

    /// (1-p)^n: none of n is open.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(super) fn none(&self, n: u32) -> Upper {
        let mut power = Upper::ONE;
        for bit in (0..u32::BITS - n.leading_zeros()).rev() {
            power = power.product(power);
            if n >> bit & 1 != 0 {
                power = power.product(self.none);
            }
        }
        power
    }

    /// The least multiple K of 8 for which more than K of n draws are open with probability at most 2^`most`. Also log2 of the
    /// bound in use, a power of two. `none` is (1-p)^n, and n is a multiple of 8 below 2^16. `None` if 240 will not do.
    ///
    /// The probabilities t_i of i open ones fall from i = K+1 on, each by the factor (n-i)/(i+1)·p/(1-p), which itself falls.
    /// So what lies above K is at most t_(K+1)/(1-r), where r is that factor at K+1, if it is below 1.
    pub(super) fn least(&self, n: u64, none: Upper, most: i32) -> Option<(u8, i32)> {
        let (odds, mut t) = (self.odds, none);
        for (k, falling) in (0..).step_by(8).zip(&FALLING) {
            let ways = |k: u64| Upper::whole((0..4).map(|i| n - k - i).product());
            t = t.product(ways(k)).product(ways(k + 4)).product(*falling).product(self.eight);
            let k = k + 8;
            if k == n {
                return Some((k as u8, i32::MIN)); // one for each
            }
            let (below, whole) = ((k + 1) * odds, (k + 2) * odds);
            // No quotient where the exponents tell: t_(k+1) is at least this power of two.
            let least = t.e + 63 + (n - k).ilog2() as i32 - below.ilog2() as i32;
            if least <= most && whole >= n - k {
                let log2 = t.times(n - k, below).times(whole, whole - (n - k - 1)).e + 64;
                if log2 <= most {
                    return Some((k as u8, log2));
                }
            }
        }
        None
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
