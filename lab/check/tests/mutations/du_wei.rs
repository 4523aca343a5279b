//! [DW18], Algorithm 5 with its subroutines, as printed or nearly so.

use crate::common::brackets::{holds, pmf};
use samplez_check::tape::{Budget, Tape, enumerate};
use samplez_core::bits::{BitSource, bernoulli, uniform_below};
use samplez_core::testing::LazyUniform;

const K: u64 = 3;
const LN2: (u128, u128) = (6_243_314_768_165_359, 9_007_199_254_740_992); // within 2^-54

/// 2^(-x²) on x >= 0.
fn bin(bits: &mut Tape) -> Option<u64> {
    if !bits.bit() {
        return Some(0);
    }
    for i in 1.. {
        if (0..2 * i - 2).any(|_| bits.bit()) {
            return None;
        }
        if !bits.bit() {
            return Some(i);
        }
    }
    None
}

/// 2^(-z/q): the number of coins z/(qn)·ln 2 in a row is even.
fn coin(z: u64, q: u64, bits: &mut Tape) -> bool {
    let heads = (1..).find(|n| !(bernoulli(z.into(), u128::from(q) * n, bits) && bernoulli(LN2.0, LN2.1, bits)));
    heads.is_some_and(|n| n % 2 == 1)
}

/// Algorithm 5, with a hole for each mistake.
struct Form {
    x: fn(&mut Tape) -> Option<u64>,
    /// y is drawn below this.
    range: u64,
    shifted: bool,
    halve_zero: bool,
    coin: fn(u64, u64, &mut Tape) -> bool,
}

const RIGHT: Form = Form { x: bin, range: K, shifted: true, halve_zero: false, coin };

impl Form {
    fn attempt(&self, bits: &mut Tape) -> Option<i64> {
        let x = (self.x)(bits)?;
        let negative = bits.bit();
        let y = uniform_below(self.range, bits) + u64::from(negative && self.shifted);
        let i = y * y + 2 * K * x * y;
        if !(0..i / (K * K)).all(|_| bits.bit()) || !(self.coin)(i % (K * K), K * K, bits) {
            return None;
        }
        let value = (K * x + y) as i64;
        if value == 0 && self.halve_zero && bits.bit() {
            return None;
        }
        Some(if negative { -value } else { value })
    }

    fn has_the_law(&self) -> bool {
        let law = enumerate(Budget::depth(80).runs(3_000_000), |bits| self.attempt(bits)).unwrap();
        holds(&law, pmf(K as f64 * (0.5 / std::f64::consts::LN_2).sqrt(), 0.0))
    }
}

#[test]
fn the_right_forms_pass() {
    assert!(RIGHT.has_the_law());
    // BLISS: no shift, and zero halved.
    assert!(Form { shifted: false, halve_zero: true, ..RIGHT }.has_the_law());
}

#[test]
fn y_up_to_k_is_caught() {
    assert!(!Form { range: K + 1, ..RIGHT }.has_the_law());
    assert!(!Form { range: K + 1, shifted: false, ..RIGHT }.has_the_law());
}

#[test]
fn y_not_shifted_is_caught() {
    assert!(!Form { shifted: false, ..RIGHT }.has_the_law());
}

/// u1 > x goes on, u1 < x returns true.
#[test]
fn exchanged_branches_are_caught() {
    fn exchanged(z: u64, q: u64, bits: &mut Tape) -> bool {
        let below = bernoulli(z.into(), q.into(), bits) && bernoulli(LN2.0, LN2.1, bits);
        below || coin(q, q, bits)
    }
    assert!(!Form { coin: exchanged, ..RIGHT }.has_the_law());
}

/// A comparison that looks at t places of u1 and of z ln 2/k², and takes equality for u1 < x.
#[test]
fn comparison_by_floors_is_caught() {
    fn floors<const T: u32>(z: u64, q: u64, bits: &mut Tape) -> bool {
        let goal = ((u128::from(z) * LN2.0) << T) / (u128::from(q) * LN2.1);
        if u128::from(bits.bits(T)) > goal {
            return true;
        }
        let heads = (2..).find(|n| !(bernoulli(z.into(), u128::from(q) * n, bits) && bernoulli(LN2.0, LN2.1, bits)));
        heads.is_some_and(|n| n % 2 == 1)
    }
    assert!(!Form { coin: floors::<1>, ..RIGHT }.has_the_law());
    assert!(!Form { coin: floors::<4>, ..RIGHT }.has_the_law());
}

/// Algorithm 6 by digits of two bits. u1·k²/z is compared with ln 2, both known to the digits drawn so
/// far, by `decide`, which gets U·k², z and L, the digits as numbers, and says nothing if they leave it
/// open. With `carry`, a further digit goes to the right of those before it; as printed, «goto step 3»
/// forgets them.
fn by_digits(
    (z, q): (u64, u64),
    carry: bool,
    decide: impl Fn(u128, u128, u128) -> Option<bool>,
    bits: &mut Tape,
) -> bool {
    let ln2 = |len: u32| (LN2.0 << len) >> 53;
    let (mut drawn, mut len) = (0, 0);
    let below = loop {
        let digit = u128::from(bits.bits(2));
        len += 2;
        drawn = if carry { drawn << 2 | digit } else { digit };
        let goal = if carry { ln2(len) } else { ln2(len) % 4 };
        if let Some(below) = decide(drawn * u128::from(q), z.into(), goal) {
            break below;
        }
    };
    // The rest of the run, given its first coin.
    let mut run = || (2..).find(|n| !(bernoulli(z.into(), u128::from(q) * n, bits) && bernoulli(LN2.0, LN2.1, bits)));
    !below || run().is_some_and(|n| n % 2 == 1)
}

/// u1 < x, u1 > x, or neither is certain.
fn by_interval(scaled: u128, z: u128, goal: u128, q: u128) -> Option<bool> {
    if scaled + q <= goal * z { Some(true) } else { (scaled >= (goal + 1) * z).then_some(false) }
}

#[test]
fn the_interval_test_passes() {
    let interval = |z: u64, q: u64, bits: &mut Tape| {
        z == 0 || by_digits((z, q), true, |u, z, l| by_interval(u, z, l, q.into()), bits)
    };
    assert!(Form { coin: interval, ..RIGHT }.has_the_law());
}

/// «goto step 3» in place of step 4: q ← v·k² is computed anew, and the digits before are lost.
#[test]
fn a_lost_carry_is_caught() {
    let lost = |z: u64, q: u64, bits: &mut Tape| {
        z == 0 || by_digits((z, q), false, |u, z, l| by_interval(u, z, l, q.into()), bits)
    };
    assert!(!Form { coin: lost, ..RIGHT }.has_the_law());
}

/// z = 0, y being 0 or k: the printed quotient does not exist. Whoever takes it for a coin that fails
/// never returns a multiple of k.
#[test]
fn a_division_by_zero_is_caught() {
    let floors = |scaled: u128, z: u128, goal: u128| (scaled / z != goal).then(|| scaled / z < goal);
    let printed = |bits: &mut Tape| Some(by_digits((0, K * K), true, floors, bits).into());
    let crash = std::panic::catch_unwind(|| enumerate(Budget::depth(4), printed));
    assert!(crash.is_err());
    assert!(!Form { coin: |z, q, bits| z > 0 && coin(z, q, bits), ..RIGHT }.has_the_law());
}

/// The walk of Algorithms 8 and 9 over the columns p_x = 2^(-x²)/w, `columns` of them.
fn walk(columns: &[u64], first_column: u32, bits: &mut Tape) -> Option<u64> {
    let mut distance = 0_i64;
    for column in columns.iter().skip(first_column as usize) {
        distance = 2 * distance + 1 - i64::from(bits.bit());
        for x in 0..16 {
            distance -= (column >> x & 1) as i64;
            if distance < 0 {
                return Some(x);
            }
        }
    }
    None
}

/// Column i holds the bits of weight 2^-i; bit x is that of p_x, bit i - x² of 1/w.
fn columns() -> Vec<u64> {
    let inverse = 0xa3a2_446c_95b5_b009_u64;
    let place = |i: u32| if (1..=64).contains(&i) { inverse >> (64 - i) & 1 } else { 0 };
    (0..48).map(|i: u32| (0..7).fold(0, |column, x| column | place(i.saturating_sub(x * x)) << x)).collect()
}

#[test]
fn the_walk_from_the_column_of_halves_passes() {
    // The table's end is out of the walk's reach.
    assert!(Form { x: |bits| walk(&columns(), 1, bits), ..RIGHT }.has_the_law());
}

/// A walk that begins again at the table's end, where the printed one reads on: the law is another one
/// by what lies beyond, here 2^-5.
#[test]
fn a_walk_that_begins_again_is_caught() {
    assert!(!Form { x: |bits| walk(&columns()[..6], 1, bits), ..RIGHT }.has_the_law());
}

/// Column 0, of weight 1, is empty: a walk that begins there is at distance 0 or 1 after it, and
/// from 1 it never ends, or leaves the table.
#[test]
fn a_walk_from_the_empty_column_is_caught() {
    let lost = |first| {
        enumerate(Budget::depth(60).runs(1_000_000), |bits| walk(&columns(), first, bits).map(|x| x as i64)).unwrap()
    };
    let open = [1, 0].map(|first| {
        let law = lost(first);
        law.undecided() + law.rejected()
    });
    assert!(open[0] < 1e-4 && open[1] > 0.5, "{open:?}");
}

/// The table of Algorithm 9's first three bits, with k up to 3 only: where the walk should end at
/// k = 4 to 7 it goes on.
#[test]
fn a_short_first_table_is_caught() {
    const CHARACTERS: [u64; 8] = [9, 0, 1, 0, 0, 0, 1, 0];
    fn short(known: usize, bits: &mut Tape) -> Option<u64> {
        let index = bits.bits(3) as usize;
        if (1..known).contains(&index) {
            return Some(CHARACTERS[index]);
        }
        // Further columns, the walk standing where it does after k = 0.
        let mut distance = 0_i64;
        for column in columns().iter().skip(4) {
            distance = 2 * distance + 1 - i64::from(bits.bit());
            for x in 0..7 {
                distance -= (column >> x & 1) as i64;
                if distance < 0 {
                    return Some(x);
                }
            }
        }
        None
    }
    assert!(Form { x: |bits| short(8, bits), ..RIGHT }.has_the_law());
    assert!(!Form { x: |bits| short(4, bits), ..RIGHT }.has_the_law());
}

/// The sampler of the half line in place of the whole.
#[test]
fn a_half_line_is_no_line() {
    let half = |bits: &mut Tape| bin(bits).map(|x| x as i64);
    let law = enumerate(Budget::depth(60).runs(100_000), half).unwrap();
    let sigma2 = (0.5 / std::f64::consts::LN_2).sqrt();
    assert!(!holds(&law, pmf(sigma2, 0.0)));
    let w: f64 = (0..8).map(|x| (-f64::from(x * x)).exp2()).sum();
    assert!(holds(&law, |x| if x < 0 { 0.0 } else { (-(x * x) as f64).exp2() / w }));
}

/// A lazily drawn uniform that is not extended after its t bits: the run's second coin compares
/// with the drawn part only.
#[test]
fn a_run_from_a_truncated_uniform_is_caught() {
    fn truncated(z: u64, q: u64, bits: &mut Tape) -> bool {
        let first = bits.bits(2);
        if !LazyUniform::new(first, 2).is_below(z.into(), q.into(), bits) || !bernoulli(LN2.0, LN2.1, bits) {
            return true;
        }
        // v < u1 with u1 cut to two places.
        let heads = (2..).find(|n| !(bernoulli(first.into(), 4 * (n - 1), bits) && bernoulli(LN2.0, LN2.1, bits)));
        heads.is_some_and(|n| n % 2 == 1)
    }
    assert!(!Form { coin: truncated, ..RIGHT }.has_the_law());
}

/// e^-γ, γ = num/den <= 1.
fn exp_coin(num: u64, den: u64, bits: &mut Tape) -> bool {
    (1..).find(|n| !bernoulli(num.into(), u128::from(den) * n, bits)).is_some_and(|n| n % 2 == 1)
}

/// Algorithm 4 at σ = 2, with the number of coins of step 5 and the γ of step 6 as given.
fn algorithm_4(coins: fn(u64) -> u64, gamma: fn(u64) -> (u64, u64), shifted: bool) -> bool {
    let sigma = 2;
    let attempt = |bits: &mut Tape| {
        let mut k = 0;
        while exp_coin(1, 2, bits) {
            k += 1;
        }
        if !(0..k * u64::saturating_sub(k, 1)).all(|_| exp_coin(1, 2, bits)) {
            return None;
        }
        let negative = bits.bit();
        let j = uniform_below(sigma, bits) + u64::from(negative && shifted);
        let i = 2 * j * k * sigma + j * j;
        let (num, den) = gamma(i);
        if !(0..coins(i)).all(|_| exp_coin(1, 2, bits)) || !exp_coin(num, den, bits) {
            return None;
        }
        let value = (k * sigma + j) as i64;
        Some(if negative { -value } else { value })
    };
    let law = enumerate(Budget::depth(80).runs(6_000_000), attempt).unwrap();
    holds(&law, pmf(2.0, 0.0))
}

#[test]
fn algorithm_4_as_corrected_passes() {
    assert!(algorithm_4(|i| i / 4, |i| (i % 4, 8), true));
}

#[test]
fn half_the_coins_of_step_5_are_caught() {
    assert!(!algorithm_4(|i| i / 8, |i| (i % 4, 8), true));
    // i mod 2σ² with the coin e^-(p/q), q = 2σ²: right but for its step 5's e^-½ in place of e^-1.
    assert!(!algorithm_4(|i| i / 8, |i| (i % 8, 8), true));
}

#[test]
fn zero_twice_is_caught() {
    assert!(!algorithm_4(|i| i / 4, |i| (i % 4, 8), false));
}
