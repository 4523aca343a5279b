//! Trials by one word: their exact law, summed over all words, and its certificate.

use samplez_core::bits::BitSource;
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian};
use samplez_tables::certify;
use std::collections::BTreeMap;

/// Step 3.
pub(crate) fn place(x: u64, upper: bool) -> i64 {
    if upper { x as i64 + 1 } else { -(x as i64) }
}

/// What the leading 16 bits h of v give, h by h: z0, and h less the strip's lower end.
pub(crate) type Strips = Vec<(u64, u64)>;

/// The weights, and the strips' lower ends; each strip is one stretch, the last at the lowest v.
pub(crate) fn weights(strips: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut weights: Vec<(u64, u64)> = Vec::new();
    for (h, (z0, rest)) in strips.iter().enumerate().rev() {
        match weights.get_mut(*z0 as usize) {
            None => weights.push((1, h as u64)),
            Some((weight, lower)) => (*weight, *lower) = (*weight + 1, h as u64),
        }
        assert_eq!(*z0 as usize, weights.len() - 1, "strips fall");
        if *rest == 0 {
            assert!(h == 0 || strips[h - 1].0 == z0 + 1);
        }
    }
    assert!(strips.iter().zip(0..).all(|((z0, rest), h)| weights[*z0 as usize].1 + rest == h));
    weights
}

/// A trial as it is enumerated: steps 1 and 3, and step 4's probability times the weight in units of 2^-(n + 64).
pub(crate) struct Model<'a> {
    pub(crate) strips: Strips,
    pub(crate) place: fn(u64, bool) -> i64,
    pub(crate) numerator: Box<dyn Fn(u64, bool) -> u128 + 'a>,
    /// k, how many strips there are, and n.
    pub(crate) shape: (u32, u64, u32),
}

/// The mass of each z in one trial in units of 2^-(n + k + 65), summed over all words and all of the 64 bits more.
pub(crate) fn one_trial(model: &Model<'_>) -> BTreeMap<i64, u128> {
    let (k, count, n) = model.shape;
    let unit = 1_u128 << (n + 48);
    let mut rests = vec![vec![0_u64; 1 << 16]; count as usize];
    for (z0, rest) in &model.strips {
        rests[*z0 as usize][*rest as usize] += 1;
    }
    // How many h of a strip have a smaller rest, and this one.
    let rests: Vec<Vec<(u64, u64)>> = rests
        .iter()
        .map(|times| {
            let mut below = 0;
            let add = |times: &u64| {
                below += times;
                (below - times, *times)
            };
            times.iter().map(add).collect()
        })
        .collect();
    let mut masses = BTreeMap::new();
    for x in 0..count << k {
        for upper in [false, true] {
            let numerator = (model.numerator)(x, upper);
            let (below, here) = rests[(x >> k) as usize][(numerator / unit) as usize];
            let mass = u128::from(below) * unit + u128::from(here) * (numerator % unit);
            *masses.entry((model.place)(x, upper)).or_insert(0) += mass;
        }
    }
    masses
}

/// The certificate of these masses: they are made a table of 256 bits, which interval arithmetic compares with the law.
pub(crate) fn certificate(masses: &BTreeMap<i64, u128>, target: &DiscreteGaussian) -> Bound {
    // Numbers below 2^255, by two words of 128 bits.
    let add = |a: (u128, u128), b: (u128, u128)| {
        let (low, carry) = a.1.overflowing_add(b.1);
        (a.0 + b.0 + u128::from(carry), low)
    };
    let total = masses.values().fold((0, 0), |sum, mass| add(sum, (0, *mass)));
    let (mut beyond, mut thresholds) = ((0, 0), Vec::new());
    // From the largest value down, all but the least: P(X >= z) by long division.
    for mass in masses.values().skip(1).rev() {
        beyond = add(beyond, (0, *mass));
        let (mut rest, mut digits) = (beyond, [0_u32; 8]);
        for bit in 0..256 {
            rest = add(rest, rest);
            if rest >= total {
                let (low, borrow) = rest.1.overflowing_sub(total.1);
                rest = (rest.0 - total.0 - u128::from(borrow), low);
                digits[bit / 32] |= 1 << (31 - bit % 32);
            }
        }
        thresholds.push(digits);
    }
    thresholds.reverse();
    let mut digits: Vec<u32> = thresholds.iter().map(|digits| digits[0]).collect();
    digits.extend(thresholds.iter().flat_map(|digits| &digits[1..]));
    let unknown = Bound::TRIVIAL;
    let first = *masses.keys().next().unwrap();
    certify(&CdtTable::new(*target, unknown, Shape::Full, first, 256, digits).unwrap())
}

/// Each bound is at most the declared one.
pub(crate) fn within(bound: &Bound, declared: &Bound) -> bool {
    let mut renyi = bound.log2_renyi.iter().zip(&declared.log2_renyi);
    renyi.all(|((_, is), (_, may))| is <= may)
        && bound.log2_sd <= declared.log2_sd
        && bound.log2_rinf <= declared.log2_rinf
        && bound.log2_tail <= declared.log2_tail
}

/// A stream of bits, and then none.
#[derive(Clone)]
pub(crate) struct Records(pub(crate) Vec<bool>, pub(crate) usize);

impl Records {
    pub(crate) fn push(&mut self, value: u64, n: u32) {
        self.0.extend((0..n).map(|i| value >> i & 1 != 0));
    }
}

impl BitSource for Records {
    fn bits(&mut self, n: u32) -> u64 {
        let bits = &self.0[self.1..self.1 + n as usize];
        self.1 += n as usize;
        bits.iter().rev().fold(0, |value, bit| value << 1 | u64::from(*bit))
    }
}
