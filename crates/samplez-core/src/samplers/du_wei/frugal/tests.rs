//! The steps coin by coin on the same bits, and what they cost on average by sums over all proposals.

use super::super::tests::{agree, five, four};
use super::*;
use crate::coins::coin;
use crate::fixtures::Tape;
use crate::profile::Exactness;

/// True with probability e^-γ: the run of γ, γ/2, γ/3, … is even.
fn exp(num: u128, den: u128, bits: &mut Tape) -> bool {
    (1..).position(|n| !coin(num, n * den, bits)).is_some_and(|length| length % 2 == 0)
}

/// True with probability 2^-(num/den): coin n fails, of num/den, (1 - num/den)/2, (2 - num/den)/3, …; or a fair one says no.
fn exp2(num: u128, den: u128, bits: &mut Tape) -> bool {
    for n in 0_u128.. {
        let heads = if n == 0 { num } else { n * den - num };
        if !coin(heads, (n + 1) * den, bits) {
            return true;
        }
        if bits.bits(1) == 1 {
            return false;
        }
    }
    unreachable!()
}

fn signed(center: i64, value: u64, is_negative: bool) -> i64 {
    if is_negative { center - value as i64 } else { center + value as i64 }
}

fn model_of_four(sigma: u64, center: i64, bits: &mut Tape) -> Option<i64> {
    let k = (0..).find(|_| !exp(1, 2, bits)).unwrap_or(0);
    // k(k-1) = 2(1 + 2 + … + (k-1))
    for _ in 0..2 * (1..k).sum::<u64>() {
        if !exp(1, 2, bits) {
            return None;
        }
    }
    let is_negative = bits.bits(1) == 1;
    let j = uniform_below(sigma, bits) + u64::from(is_negative);
    let square = u128::from(sigma).pow(2);
    let i = u128::from(j).pow(2) + 2 * u128::from(j) * u128::from(k) * u128::from(sigma);
    for _ in 0..i / square {
        if !exp(1, 2, bits) {
            return None;
        }
    }
    exp(i % square, 2 * square, bits).then(|| signed(center, k * sigma + j, is_negative))
}

fn model_of_five(k: u64, center: i64, way: HalfLine, bits: &mut Tape) -> Option<i64> {
    let x = if way == HalfLine::Bin { HalfLine::bin(bits)? } else { HalfLine::walk::<60, _>(bits)? };
    let is_negative = bits.bits(1) == 1;
    let y = uniform_below(k, bits) + u64::from(is_negative);
    let square = u128::from(k).pow(2);
    let i = u128::from(y).pow(2) + 2 * u128::from(k) * u128::from(x) * u128::from(y);
    for _ in 0..i / square {
        if bits.bits(1) == 0 {
            return None;
        }
    }
    exp2(i % square, square, bits).then(|| signed(center, k * x + y, is_negative))
}

#[test]
fn both_algorithms_take_their_steps() {
    let mut far = [0; 2];
    for size in [1, 2, 3, 5, 215, 254, 188_388, (1 << 40) - 1, 1 << 40] {
        let rounds = 150;
        let frugal = four(size, 11).frugal();
        for seed in 0..rounds {
            let model = |bits: &mut Tape| Some(model_of_four(size, 11, bits));
            let tape = Tape::words(&[], 16 * seed + size % 11);
            assert!(agree(|bits| frugal.attempt(bits), model, tape.clone()));
            far[0] += usize::from(frugal.attempt(&mut tape.clone()).is_some_and(|z| z.abs_diff(11) > 2 * size));
            let (mut ours, mut theirs) = (tape.clone(), tape);
            let expected = (0..).find_map(|_| model_of_four(size, 11, &mut theirs));
            assert_eq!((Some(frugal.sample(&mut ours)), ours), (expected, theirs));
        }
        for (way, sampler) in five(size, 11) {
            let frugal = sampler.frugal();
            for seed in 0..rounds {
                let model = |bits: &mut Tape| Some(model_of_five(size, 11, way, bits));
                let tape = Tape::words(&[], 16 * seed + size % 11);
                assert!(agree(|bits| frugal.attempt(bits), model, tape.clone()));
                far[1] += usize::from(frugal.attempt(&mut tape.clone()).is_some_and(|z| z.abs_diff(11) > 2 * size));
                let (mut ours, mut theirs) = (tape.clone(), tape);
                let expected = (0..).find_map(|_| model_of_five(size, 11, way, &mut theirs));
                assert_eq!((Some(frugal.sample(&mut ours)), ours), (expected, theirs));
            }
        }
    }
    assert!(far[0] > 9 && far[1] > 9, "{far:?}");
}

/// A walk that leaves its table earlier takes other bits.
#[test]
fn a_walk_leaves_its_table_where_it_is_told() {
    let (frugal, mut others) = (five(5, 0)[1].1.frugal(), 0);
    for seed in 0..300 {
        let model = |bits: &mut Tape| {
            let x = HalfLine::walk::<2, _>(bits)?;
            let is_negative = bits.bits(1) == 1;
            let y = uniform_below(5, bits) + u64::from(is_negative);
            let i = y * y + 10 * x * y;
            let heads = (0..i / 25).take_while(|_| bits.bits(1) == 1).count() as u64;
            (heads == i / 25 && exp2((i % 25).into(), 25, bits)).then(|| signed(0, 5 * x + y, is_negative))
        };
        let tape = Tape::words(&[], seed);
        assert!(agree(|bits| frugal.attempt_narrow::<2, _>(bits), |bits| Some(model(bits)), tape.clone()));
        others += usize::from(frugal.attempt(&mut tape.clone()) != frugal.attempt_narrow::<2, _>(&mut tape.clone()));
    }
    assert!(others > 0);
}

/// Each coin e^-½ is true after one 1.
#[test]
fn a_k_of_two_to_the_fifteen_is_rejected() {
    let mut ones = Tape::words(&[u64::MAX; 1024], 0);
    assert_eq!((four(3, 0).frugal().attempt(&mut ones), ones.read), (None, 1 << 15));
}

#[test]
fn means_are_over_midpoints_of_strata() {
    for m in (1..1024).step_by(31).chain([1023, 1024]) {
        // Every y, and y + 1.
        let (sum, squares) = (mean(m, |y| y as f64), mean(m, |y| (y * y) as f64));
        let m = m as f64;
        let exact = (m - 1.0) * (2.0 * m - 1.0) / 6.0;
        assert!((sum - m / 2.0).abs() < 1e-9 && (squares - exact - m / 2.0).abs() < 1e-6 * exact.max(1.0), "{m}");
    }
    // y = 3i + 1 for i < 1024, and y + 1; the middle of 5·2^30·i + [0, 5·2^30).
    assert_eq!(mean(3 * 1024, |y| y as f64), 1536.0);
    assert_eq!(mean(5 << 40, |y| y as f64), (5_u64 << 39) as f64 + 0.5);
    let seen = core::cell::Cell::new(0);
    mean(1 << 40, |y| {
        seen.set(seen.get() + 1);
        assert!(y % (1 << 30) - (1 << 29) <= 1, "{y}");
        0.0
    });
    assert_eq!(seen.get(), 2048);
}

/// Bits of a coin num/den: place i is drawn with probability 2^-(i-1), if there is one.
fn cost(num: u128, den: u128) -> f64 {
    let (mut a, mut b) = (num, den);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let den = den / a;
    if den.is_power_of_two() { 2.0 - 2.0 / den as f64 } else { 2.0 }
}

/// Bits of the run of coins num/den, num/2den, …
fn exp_cost(num: u128, den: u128) -> f64 {
    let reached = |n: u128| (1..n).map(|i| num as f64 / (den * i) as f64).product::<f64>();
    (1..20).map(|n| reached(n) * cost(num, den * n)).sum()
}

/// Bits of [`exp2`].
fn exp2_cost(num: u128, den: u128) -> f64 {
    let coin = |n: u128| (if n == 1 { num } else { (n - 1) * den - num }, n * den);
    let heads = |n: u128| coin(n).0 as f64 / coin(n).1 as f64;
    let reached = |n: u128| (1..n).map(|i| heads(i) / 2.0).product::<f64>();
    (1..30).map(|n| reached(n) * (cost(coin(n).0, coin(n).1) + heads(n))).sum()
}

/// Bits of a uniform below m, one by one: v values are left, and as soon as there are m of them, those are taken.
fn uniform_cost(m: u64) -> f64 {
    let (mut v, mut alive, mut bits) = (1, 1.0, 0.0);
    while v < m && alive > 1e-12 {
        (v, bits) = (2 * v, bits + alive);
        if v >= m {
            alive *= (v - m) as f64 / v as f64;
            v -= m;
        }
    }
    bits
}

#[test]
fn algorithm_4_costs_what_its_coins_cost() {
    let half = exp_cost(1, 2);
    let heads = |n: u64| (-0.5 * n as f64).exp();
    // Coins up to the first tails, n at most.
    let row = |n: u64| (0..n.min(200)).map(|before| heads(before) * half).sum::<f64>();
    for sigma in [1, 2, 3, 4, 10] {
        let square = u128::from(sigma) * u128::from(sigma);
        let (mut all, mut accepted, mut ideal) = (0.0, 0.0, 0.0);
        for k in 0..9 {
            let (reached, more) = (heads(k) * (1.0 - heads(1)), k * k - k.min(1) * k);
            let kept = reached * heads(more);
            all += reached * ((k + 1) as f64 * half + row(more));
            accepted += kept;
            for j in (0..sigma).flat_map(|j| [j, j + 1]) {
                let i = j * j + 2 * j * k * sigma;
                let (whole, z) = (i / (sigma * sigma), u128::from(i) % square);
                let steps = row(whole) + heads(whole) * exp_cost(z, 2 * square);
                all += kept * steps / (2 * sigma) as f64;
                ideal += kept * heads(whole) * (-(z as f64) / (2 * square) as f64).exp() / (2 * sigma) as f64;
            }
        }
        // What comes with k >= 9 before it is rejected.
        all += (9..60).map(|k| heads(k) * (1.0 - heads(1)) * ((k + 1) as f64 * half + row(k * k - k))).sum::<f64>();
        let (trials, bits) = (accepted / ideal, all / accepted + 1.0 + uniform_cost(sigma));
        let (wide, profile) = (four(sigma, -2).profile(), four(sigma, -2).frugal().profile());
        assert!((profile.expected_bits / (trials * bits) - 1.0).abs() < 1e-6, "{sigma}: {profile:?}, {trials}, {bits}");
        assert!((profile.expected_trials / trials - 1.0).abs() < 1e-6, "{sigma}");
        assert_eq!((profile.table_bytes, profile.support, profile.target), (0, wide.support, wide.target));
        assert!(matches!(profile.exactness, Exactness::Exact) && profile.timing == Timing::Variable);
    }
    assert!((four(215, 0).frugal().profile().expected_bits - 31.1).abs() < 0.05);
}

#[test]
fn algorithm_5_costs_what_its_coins_cost() {
    for k in [1, 2, 3, 4, 10] {
        let (mut steps, mut ideal, square) = (0.0, 0.0, u128::from(k) * u128::from(k));
        for x in 0..6 {
            let weight = (-((x * x) as f64)).exp2() / W / (2 * k) as f64;
            for y in (0..k).flat_map(|y| [y, y + 1]) {
                let i = y * y + 2 * k * x * y;
                let (whole, z) = ((i / (k * k)) as i32, u128::from(i) % square);
                let fair = (0..whole).map(|before| 0.5_f64.powi(before)).sum::<f64>();
                steps += weight * (fair + 0.5_f64.powi(whole) * exp2_cost(z, square));
                ideal += weight * (-(i as f64) / square as f64).exp2();
            }
        }
        for (way, sampler) in five(k, -2) {
            let (wide, profile) = (sampler.profile(), sampler.frugal().profile());
            let expected = (way.bits() + 1.0 + uniform_cost(k) + steps) / ideal;
            // The trials' constant leaves out less than 2^-19 of themselves.
            assert!((profile.expected_bits / expected - 1.0).abs() < 2e-6, "{k}: {profile:?}, {expected}");
            assert_eq!((profile.table_bytes, profile.support, profile.target), (0, wide.support, wide.target));
            assert!(matches!(profile.exactness, Exactness::Exact) && profile.timing == Timing::Variable);
        }
    }
    let bits = five(254, 0).map(|(_, sampler)| sampler.frugal().profile().expected_bits);
    assert!((bits[0] - 21.1).abs() < 0.05 && (bits[1] - 20.3).abs() < 0.05, "{bits:?}");
}
