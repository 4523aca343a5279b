//! Whether a uniform is below the product of a table's entries over the bits of z.

use crate::bits::BitSource;
use crate::product::high;
use crate::table::{BernoulliTable, MAX_PRECISION};

/// Bits of z that one table of products covers.
const SPAN: u32 = 7;
/// Tables of products: for the 62 bits of z.
const TABLES: usize = 9;
/// The error of a product of lower ends is less than this, in 2^-64.
///
/// A factor is short by at most 1. Take two numbers of at most 1, short by s and t. Their product, rounded down, is
/// short by at most s + t + 1. So n factors give 2n - 1: the 62 entries, and the empty product in each table.
const SLACK: u64 = 2 * (62 + TABLES as u64);
/// Places that are compared with a lower end, one by one.
const LAZY: u32 = 48;
/// Digits of the longest product.
const LONGEST: usize = 62 * (MAX_PRECISION / 32) as usize;

/// Lower ends of the products of entries, for every value of 7 bits of z. A value v stands for a number from v to v +
/// 1, in 2^-64, and 2^64 - 1 for the empty product, 1.
#[derive(Clone, Debug)]
pub(super) struct Products {
    tables: [[u64; 1 << SPAN]; TABLES],
    /// Tables in use, at least 1.
    used: usize,
}

impl Products {
    pub(super) fn new<S: AsRef<[u32]>>(table: &BernoulliTable<S>) -> Self {
        let mut tables = [[u64::MAX; 1 << SPAN]; TABLES];
        for i in 0..table.count() {
            let entry = table.entry(i);
            let factor = u64::from(entry[0]) << 32 | u64::from(entry.get(1).copied().unwrap_or(0));
            let (products, bit) = (&mut tables[i / SPAN as usize], 1 << (i % SPAN as usize));
            for rest in 0..bit {
                products[bit | rest] = high(products[rest], factor);
            }
        }
        Products { tables, used: table.count().div_ceil(SPAN as usize).max(1) }
    }

    /// The memory in use.
    pub(super) const fn bytes(&self) -> usize {
        self.used * size_of::<[u64; 1 << SPAN]>()
    }

    /// The product over the bits of z, in 2^-64, short by less than [`SLACK`].
    #[inline(always)]
    fn lower_end(&self, z: u64) -> u64 {
        let [first, others @ ..] = &self.tables;
        let (mut rest, mut product) = (z >> SPAN, first[z as usize % (1 << SPAN)]);
        for table in others.iter().take(self.used - 1) {
            product = high(product, table[rest as usize % (1 << SPAN)]);
            rest >>= SPAN;
        }
        product
    }

    /// The product over the bits of z, rounded.
    pub(super) fn estimate(&self, z: u64) -> f64 {
        self.lower_end(z) as f64 / 18_446_744_073_709_551_616.0
    }

    /// True with the probability, given its first C places, that a uniform is below the product of
    /// the entries over the bits of z.
    #[inline(always)]
    pub(super) fn is_below<const C: u32, S: AsRef<[u32]>, B: BitSource + ?Sized>(
        &self,
        places: u64,
        z: u64,
        table: &BernoulliTable<S>,
        bits: &mut B,
    ) -> bool {
        let goal = self.lower_end(z);
        // The uniform is between last - rest and last; below all of the product's range, above all
        // of it, or undecided: if 0 <= last - goal < rest + SLACK. (One that wraps to there is
        // decided in full all the same.)
        let rest = u64::MAX >> C;
        let last = places << (64 - C) | rest;
        if last.wrapping_sub(goal) < rest + SLACK {
            return is_below_product::<S, B>(places, C, z, table, bits);
        }
        last < goal
    }
}

impl Products {
    /// The same for a uniform of which nothing is drawn: bit by bit, to the first place that decides.
    pub(super) fn is_below_lazily<S: AsRef<[u32]>, B: BitSource + ?Sized>(
        &self,
        z: u64,
        table: &BernoulliTable<S>,
        bits: &mut B,
    ) -> bool {
        if z == 0 {
            return true;
        }
        let (goal, mut places) = (self.lower_end(z), 0);
        // With more places the product's range is too wide to decide.
        for count in 1..=LAZY {
            places = places << 1 | bits.bits(1);
            let rest = u64::MAX >> count;
            let last = places << (64 - count) | rest;
            if last < goal {
                return true;
            }
            if last - goal >= rest + SLACK {
                return false;
            }
        }
        is_below_product::<S, B>(places, LAZY, z, table, bits)
    }
}

/// True with the probability, given its first `count` places, that a uniform is below the product,
/// which is computed in full.
#[cold]
#[inline(never)]
fn is_below_product<S: AsRef<[u32]>, B: BitSource + ?Sized>(
    places: u64,
    count: u32,
    mut z: u64,
    table: &BernoulliTable<S>,
    bits: &mut B,
) -> bool {
    if z == 0 {
        return true;
    }
    let mut product = [0; LONGEST];
    let first = table.entry(z.trailing_zeros() as usize);
    product[..first.len()].copy_from_slice(first);
    let mut len = first.len();
    z &= z - 1;
    while z != 0 {
        len = multiply(&mut product, len, table.entry(z.trailing_zeros() as usize));
        z &= z - 1;
    }
    // The first place in which the uniform and the product differ decides.
    for i in 0.. {
        let Some(digit) = product[..len].get(i as usize / 32) else { break };
        let place = digit >> (31 - i % 32) & 1 != 0;
        let drawn = if i < count { places >> (count - 1 - i) & 1 != 0 } else { bits.bit() };
        if place != drawn {
            return place;
        }
    }
    false
}

/// Multiplies the fraction in the first `len` digits, most significant first, by another, and
/// returns its new length.
fn multiply(fraction: &mut [u32; LONGEST], len: usize, factor: &[u32]) -> usize {
    let mut product = [0_u32; LONGEST];
    for i in (0..len).rev() {
        let mut carry = 0;
        for j in (0..factor.len()).rev() {
            // Below 2^64: the square of 2^32 - 1, and twice 2^32 - 1.
            let sum = u64::from(fraction[i]) * u64::from(factor[j]) + u64::from(product[i + j + 1]) + carry;
            (product[i + j + 1], carry) = (sum as u32, sum >> 32);
        }
        product[i] = carry as u32;
    }
    *fraction = product;
    len + factor.len()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Table, is_below, product};
    use super::*;
    use crate::bits::uniform_below;
    use crate::fixtures::Tape;
    use crate::fixtures::reader;
    use crate::params::{DiscreteGaussian, Rational, Width};
    use crate::profile::Bound;
    use std::vec::Vec;

    /// A table of arbitrary digits.
    fn table(k: i64, precision: u32, bits: &mut impl BitSource) -> BernoulliTable<Vec<u32>> {
        let law = DiscreteGaussian::new(Rational::ZERO, Width::KSigma2(Rational::from(k))).unwrap();
        let bound = Bound::TRIVIAL;
        let each = precision.div_ceil(32) as usize;
        let z = (k - 1) as u64 * ((k - 1) as u64 + 2 * k as u64 * u64::from((precision + 31).isqrt()));
        let mut digits = Vec::new();
        for _ in 0..u64::BITS - z.leading_zeros() {
            digits.extend((0..each).map(|_| bits.bits(32) as u32));
            *digits.last_mut().unwrap() &= u32::MAX << (precision.wrapping_neg() % 32);
        }
        BernoulliTable::new(law, bound, precision, digits).unwrap()
    }

    /// The product of 64 bits is short of the one in full by less than SLACK, and where its places
    /// are given, the comparison in full finds them.
    #[test]
    fn lower_ends_are_near_the_product() {
        let mut bits = reader(9);
        for (k, precision) in [(2, 8), (254, 128), (254, 33), (1 << 28, 256), (1 << 28, 17), (188_388, 64)] {
            let table = table(k, precision, &mut bits);
            let products = Products::new(&table);
            let all = u64::MAX >> (64 - table.count());
            for round in 0..200 {
                let z = if round == 0 { all } else { uniform_below(all, &mut bits) + 1 };
                let lower = products.lower_end(z);
                // Whether a uniform with these 64 places is below, whatever follows.
                let mut is_below = |places: u64| is_below_product(places, 64, z, &table, &mut bits);
                assert!(lower == 0 || is_below(lower - 1), "k = {k}, {precision} bits, z = {z:x}");
                assert!(!is_below(lower.saturating_add(SLACK)), "k = {k}, {precision} bits, z = {z:x}");
            }
            assert!(is_below_product(u64::MAX, 64, 0, &table, &mut bits));
        }
    }

    /// (1 - 2^-32)² = 1 - 2^-31 + 2^-64, and once more.
    #[test]
    fn products_are_exact() {
        let mut fraction = [0; LONGEST];
        fraction[0] = u32::MAX;
        assert_eq!(multiply(&mut fraction, 1, &[u32::MAX]), 2);
        assert_eq!(fraction[..3], [u32::MAX - 1, 1, 0]);
        assert_eq!(multiply(&mut fraction, 2, &[u32::MAX, u32::MAX]), 4);
        // (2^64 - 2^33 + 1)(2^64 - 1) = 2^128 - 2^97 + 2^33 - 1
        assert_eq!(fraction[..5], [u32::MAX - 1, 0, 1, u32::MAX, 0]);
    }

    /// Entries a little below 1 whose products lose nearly a unit each time they are rounded down.
    fn losing_table() -> Table {
        let (mut bits, mut last, mut factors) = (reader(4), u64::MAX, Vec::new());
        for i in 0..61 {
            last = if i % SPAN == 0 { u64::MAX } else { last };
            // What the next product loses is the lower half of this one.
            let lost = |factor: u64| (u128::from(last) * u128::from(factor)) as u64;
            let factor = (0..40).map(|_| bits.bits(33).wrapping_neg()).max_by_key(|factor| lost(*factor)).unwrap();
            factors.push(factor);
            last = high(last, factor);
        }
        // A third digit of ones, which the factors leave out.
        let width = Width::KSigma2(Rational::from(1 << 28));
        let law = DiscreteGaussian::new(Rational::ZERO, width).unwrap();
        let digits = factors.iter().flat_map(|factor| [(factor >> 32) as u32, *factor as u32, u32::MAX]);
        BernoulliTable::new(law, crate::fixtures::BOUND, 96, digits.collect()).unwrap()
    }

    fn fraction(places: &[bool]) -> u64 {
        places[..64].iter().fold(0, |sum, place| sum << 1 | u64::from(*place))
    }

    #[test]
    fn a_uniform_next_to_the_product_is_compared_in_full() {
        let table = losing_table();
        let (products, all) = (Products::new(&table), u64::MAX >> (64 - table.count()));
        let (lower, exact) = (products.lower_end(all), fraction(&product(&table, all)));
        // 62 + 9 come from the entries' and the empty products' own ends.
        assert!((107..SLACK).contains(&(exact - lower)), "{}", exact - lower);
        for places in lower / 2 - 3..exact / 2 + 20 {
            let (mut ours, mut theirs) = (Tape::words(&[], places), Tape::words(&[], places));
            let expected = is_below(places, 63, all, &table, &mut theirs);
            assert_eq!((products.is_below::<63, _, _>(places, all, &table, &mut ours), ours), (expected, theirs));
        }
    }

    #[test]
    fn a_uniform_is_drawn_to_the_place_that_parts_it_from_the_product() {
        let mut bits = reader(6);
        for table in
            [losing_table(), super::super::tests::table(254, 0, 128), super::super::tests::table(188_388, 0, 96)]
        {
            let products = Products::new(&table);
            let z = [1, 5, 129, u64::MAX >> (64 - table.count())].into_iter().chain((0..4).map(|_| bits.bits(20) | 1));
            for z in z.collect::<Vec<_>>() {
                let exact = fraction(&product(&table, z));
                // The places of the product, but for one; place 0 is drawn first.
                for part in [0, 1, 7, 20, 30, 45, 46, 47, 48, 49, 55, 63] {
                    let word = exact.reverse_bits() ^ 1 << part;
                    let (mut ours, mut theirs) = (Tape::words(&[word], z), Tape::words(&[word], z));
                    let expected = is_below(0, 0, z, &table, &mut theirs);
                    assert_eq!((products.is_below_lazily(z, &table, &mut ours), ours), (expected, theirs), "{part}");
                }
            }
        }
    }

    /// The product is m + 1/4, and m its lower end.
    #[test]
    fn a_uniform_within_a_unit_of_the_lower_end_is_drawn_further() {
        for (m, uniform, is_below) in
            [(0x3456_789a_bcde_ffff, [0x3456_789a_bcde_ffff, u64::MAX], false), (1 << 61 | 5, [1 << 61, 0], true)]
        {
            let table = super::super::tests::table_of(2, 0, 64, |i| if i == 0 { 4 * m + 1 } else { 1 << 62 });
            let products = Products::new(&table);
            assert_eq!((products.lower_end(3), fraction(&product(&table, 3))), (m, m));
            let mut tape = Tape::words(&uniform.map(u64::reverse_bits), 0);
            assert_eq!(products.is_below_lazily(3, &table, &mut tape), is_below, "{m:x}");
        }
    }

    #[test]
    fn memory_is_a_kibibyte_for_seven_entries() {
        for (k, precision, entries) in [(1, 8, 0), (2, 8, 5), (2, 128, 6), (3, 8, 7), (3, 128, 8), (1 << 28, 256, 62)] {
            let table = super::super::tests::table(k, 0, precision);
            assert_eq!(table.count(), entries);
            let tables = entries.div_ceil(7).max(1);
            assert_eq!(Products::new(&table).bytes(), 1024 * tables);
        }
    }
}
