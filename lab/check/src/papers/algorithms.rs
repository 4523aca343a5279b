//! The rejection samplers, corrected, and the steps whose bits \[DW18\] counts.

use super::half::propose_k;
use super::lazy::{Bits, LN2, Lazy, below_ln2, coin_h, falling_run};
use samplez_core::bits::{BitSource, uniform_below};

/// A coin 2^(-z/q), 0 < z < q.
pub(super) type Coin = fn(u64, u64, &mut Bits) -> bool;

/// j of step 3: below σ, and one more for one of the signs.
pub(super) fn shifted(below: u64, bits: &mut Bits) -> u64 {
    uniform_below(below, bits) + u64::from(bits.bit())
}

/// k of step 1.
pub(super) fn accepted_k(bits: &mut Bits) -> u64 {
    loop {
        if let Some(k) = propose_k(bits) {
            return k;
        }
    }
}

/// What [`coin_b`] draws first if k = 0.
#[derive(Clone, Copy)]
pub(super) enum First {
    /// z, as printed.
    Uniform,
    /// C(2), which ends the run with probability ½ for one bit.
    Choice,
}

/// \[DW18\], Algorithm 1, which is \[Kar16\]'s D, step 7: k + 1 coins exp(-x(2k+x)/(2k+2)), x = j/σ.
pub(super) fn accept_1(k: u64, j: u64, sigma: u64, first: First, bits: &mut Bits) -> bool {
    (0..=k).all(|_| coin_b(k, j, sigma, first, bits))
}

/// \[Kar16\], Algorithm B: a falling run below x = j/σ; each uniform z of it counts if C(2k+2) is 1, or 0
/// and another uniform is below x.
fn coin_b(k: u64, j: u64, sigma: u64, first: First, bits: &mut Bits) -> bool {
    let mut last = None;
    let mut even = true;
    loop {
        let mut z = Lazy::default();
        let mut falls = |z: &mut Lazy, bits: &mut Bits| match &mut last {
            None => z.is_below_rational(j, sigma, bits),
            Some(last) => z.is_below(last, bits),
        };
        let below_x = |bits: &mut Bits| Lazy::default().is_below_rational(j, sigma, bits);
        let counts = match (k, first) {
            (0, First::Uniform) => falls(&mut z, bits) && bits.bit() && below_x(bits),
            (0, First::Choice) => bits.bit() && falls(&mut z, bits) && below_x(bits),
            _ => falls(&mut z, bits) && choice(2 * k + 2, bits).unwrap_or_else(|| below_x(bits)),
        };
        if !counts {
            return even;
        }
        (last, even) = (Some(z), !even);
    }
}

/// C(m), m > 2: no, undecided or yes with probability 1/m, 1/m and 1 - 2/m, in as few bits as tell them
/// apart.
fn choice(m: u64, bits: &mut Bits) -> Option<bool> {
    let mut uniform = Lazy::default();
    if !uniform.is_below_rational(2, m, bits) {
        return Some(true);
    }
    if uniform.is_below_rational(1, m, bits) { Some(false) } else { None }
}

/// Algorithm 1 for an integer σ and centre 0. Zero comes once.
pub(super) fn algorithm_1(sigma: u64, first: First, bits: &mut Bits) {
    loop {
        let (k, negative, j) = (accepted_k(bits), bits.bit(), uniform_below(sigma, bits));
        if !(k == 0 && j == 0 && negative) && accept_1(k, j, sigma, first, bits) {
            return;
        }
    }
}

/// Algorithm 4, steps 5 to 7, corrected.
pub(super) fn accept_4(k: u64, j: u64, sigma: u64, bits: &mut Bits) -> bool {
    let (i, square) = (2 * j * k * sigma + j * j, sigma * sigma);
    (0..i / square).all(|_| coin_h(bits)) && falling_run(i % square, 2 * square, |_| true, bits)
}

/// Algorithm 4 for an integer σ.
pub(super) fn algorithm_4(sigma: u64, bits: &mut Bits) {
    loop {
        let (k, j) = (accepted_k(bits), shifted(sigma, bits));
        if accept_4(k, j, sigma, bits) {
            return;
        }
    }
}

/// Algorithm 5, the steps from 4 on: fair bits, then a coin.
pub(super) fn accept_5(x: u64, y: u64, k: u64, coin: Coin, bits: &mut Bits) -> bool {
    let (i, square) = (y * y + 2 * k * x * y, k * k);
    let z = i % square;
    (0..i / square).all(|_| bits.bit()) && (z == 0 || coin(z, square, bits))
}

/// Algorithm 5, corrected.
pub(super) fn algorithm_5(k: u64, x: fn(&mut Bits) -> u64, coin: Coin, bits: &mut Bits) {
    loop {
        let (x, y) = (x(bits), shifted(k, bits));
        if accept_5(x, y, k, coin, bits) {
            return;
        }
    }
}

/// Algorithm 6 in a simpler form: a falling run below z/q, each uniform thinned by ln 2.
pub(super) fn simple(z: u64, q: u64, bits: &mut Bits) -> bool {
    falling_run(z, q, below_ln2, bits)
}

/// Algorithm 6, corrected, a bit at a time: a falling run below z ln 2/q. The first uniform's places are
/// compared with both ends of what is known of ln 2; probability 2^-50 is left undecided, for true.
pub(super) fn interval(z: u64, q: u64, bits: &mut Bits) -> bool {
    let (z, q) = (u128::from(z), u128::from(q));
    let (mut last, mut whole) = (Lazy::default(), 0_u128);
    for i in 0..50 {
        whole = 2 * whole + u128::from(last.place(i, bits));
        let ln2 = u128::from(LN2 >> (52 - i));
        if whole * q >= (ln2 + 1) * z {
            return true;
        }
        if (whole + 1) * q <= ln2 * z {
            return even_run(last, bits);
        }
    }
    true
}

/// Whether the run that begins with `last` has an even number of members.
fn even_run(mut last: Lazy, bits: &mut Bits) -> bool {
    let mut even = false;
    loop {
        let mut next = Lazy::default();
        if !next.is_below(&mut last, bits) {
            return even;
        }
        (last, even) = (next, !even);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::bits::BitReader;
    use samplez_core::testing::Counted;
    use samplez_sources::{ChaCha20, Seed};

    /// Within five standard deviations of a mean of 10^5.
    #[test]
    fn coins_have_their_probabilities() {
        let mut bits = Counted::new(BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32]))));
        let n = 100_000;
        let mut check = |name: &str, p: f64, coin: &dyn Fn(&mut Bits) -> bool| {
            let heads = (0..n).filter(|_| coin(&mut bits)).count() as f64;
            assert!((heads / f64::from(n) - p).abs() < 5.0 * (p * (1.0 - p) / f64::from(n)).sqrt(), "{name}: {heads}");
        };
        check("e^-1/2", (-0.5_f64).exp(), &coin_h);
        for (z, q) in [(1_u64, 9_u64), (5, 9), (8, 9)] {
            let y = z as f64 / q as f64;
            check("simple", (-y).exp2(), &|b| simple(z, q, b));
            check("interval", (-y).exp2(), &|b| interval(z, q, b));
            for k in [0_u64, 1, 3] {
                let exponent = y * (2.0 * k as f64 + y) / (2.0 * k as f64 + 2.0);
                let all = -0.5 * y * (2.0 * k as f64 + y);
                for first in [First::Uniform, First::Choice] {
                    check("Algorithm B", (-exponent).exp(), &|b| coin_b(k, z, q, first, b));
                    check("step 7", all.exp(), &|b| accept_1(k, z, q, first, b));
                }
                check("steps 5 to 7", all.exp(), &|b| accept_4(k, z, q, b));
            }
        }
    }
}
