//! Faults of order: the values' own law is right, or nearly, and what follows what is wrong. Each is rejected, by the family that is
//! meant to see it.

use crate::common::{Random, Reference, law, rejected};
use samplez_core::DiscreteGaussian;

const N: usize = 300_000;

/// Ideal draws, and coins for what is done to them.
fn ideal(target: &DiscreteGaussian, seed: u64) -> (Vec<i64>, Random) {
    (Reference::new(target).draws(seed, N), Random::new(seed + 1_000_000))
}

/// Each value with a fresh sign.
fn resigned(values: impl IntoIterator<Item = i64>, random: &mut Random) -> Vec<i64> {
    values.into_iter().map(|x| if random.coin() { -x } else { x }).collect()
}

/// Each block, and after it what `again` makes of it.
fn doubled(samples: &[i64], block: usize, mut again: impl FnMut(&[i64]) -> Vec<i64>) -> Vec<i64> {
    samples.chunks_exact(block).flat_map(|block| [block.to_vec(), again(block)].concat()).collect()
}

#[test]
fn four_that_once_passed() {
    for (sigma, seed) in [("0.5", 1), ("3.2", 2), ("215", 3), ("1e12", 4)] {
        let target = law(sigma, "0");
        let (samples, mut random) = ideal(&target, seed);
        let sorted = samples.chunks(64).flat_map(|block| {
            let mut sizes: Vec<i64> = block.iter().map(|x| x.abs()).collect();
            sizes.sort_unstable();
            sizes
        });
        let sorted = resigned(sorted.collect::<Vec<_>>(), &mut random);
        let families = ["|x| at lags", "x² at lags", "places of |x|", "Walsh"];
        rejected("|x| sorted within blocks of 64", &target, &sorted, &families);
        let pairs = resigned(samples.iter().flat_map(|x| [*x, *x]), &mut random);
        rejected("pairs of equal magnitude", &target, &pairs, &["|x| at lags", "x² at lags", "orderings of |x|"]);
        let again = doubled(&samples, 17, <[i64]>::to_vec);
        rejected("blocks of 17 repeated", &target, &again, &["x at lags", "|x| at lags", "equal at lags"]);
        let halves = doubled(&samples, 256, <[i64]>::to_vec);
        rejected("halves of 512 equal", &target, &halves, &["x at lags", "equal at lags", "Walsh"]);
    }
}

#[test]
fn sequences_that_come_again() {
    for (sigma, seed) in [("3.2", 11), ("1e9", 12)] {
        let target = law(sigma, "0");
        let (samples, mut random) = ideal(&target, seed);
        let again = doubled(&samples, 100, <[i64]>::to_vec);
        rejected("blocks of 100 repeated", &target, &again, &["repeats"]);
        let signed = doubled(&samples, 150, |block| resigned(block.iter().copied(), &mut random));
        rejected("blocks of 150 repeated with fresh signs", &target, &signed, &["repeats"]);
        let turned = doubled(&samples, 150, |block| block.iter().rev().copied().collect());
        rejected("palindromes of 300", &target, &turned, &["repeats"]);
        let negated = doubled(&samples, 1000, |block| block.iter().map(|x| -x).collect());
        rejected("blocks of 1000 negated", &target, &negated, &["repeats"]);
        let cycle: Vec<i64> = samples[..77_777].iter().cycle().take(N).copied().collect();
        rejected("a generator of period 77777", &target, &cycle, &["repeats"]);
        let mut once = samples.clone();
        once.copy_within(10_000..14_000, 200_001);
        rejected("4000 values that come again once", &target, &once, &["repeats"]);
        let far: Vec<i64> = samples[..1 << 16].iter().cycle().take(N).copied().collect();
        rejected("period 2^16", &target, &far, &["x at lags", "repeats"]);
        let turned = doubled(&samples, 256, |block| block.iter().rev().copied().collect());
        rejected("palindromes of 512", &target, &turned, &["Walsh"]);
        let mut stuck = samples;
        let value = stuck[150_000];
        stuck[150_000..150_128].fill(value);
        rejected("128 equal values", &target, &stuck, &["stuck"]);
    }
}

#[test]
fn neighbours() {
    let target = law("3.2", "0");
    let (samples, mut random) = ideal(&target, 21);
    let mut distinct = samples.clone();
    distinct.dedup();
    rejected("no two equal neighbours", &target, &distinct, &["equal at lags"]);
    let mut persistent = samples.clone();
    for i in 1..N {
        if random.unit() < 0.04 {
            persistent[i] = persistent[i].abs() * persistent[i - 1].signum();
        }
    }
    rejected("signs that persist", &target, &persistent, &["runs", "x at lags"]);
    let mut copied = samples.clone();
    for i in 48..N {
        if random.unit() < 0.03 {
            copied[i] = copied[i - 48];
        }
    }
    rejected("3 % copied over 48 places", &target, &copied, &["x at lags"]);
    let mut sizes = samples.clone();
    for i in 128..N {
        if random.unit() < 0.06 {
            sizes[i] = sizes[i - 128].abs() * if random.coin() { 1 } else { -1 };
        }
    }
    rejected("6 % of magnitudes copied over 128 places", &target, &sizes, &["|x| at lags"]);
    let mut rising = samples.clone();
    let mut at = 0;
    while at + 8 < N {
        rising[at..at + 4].sort_unstable();
        at += 4 + random.below(5) as usize;
    }
    rejected("fours sorted here and there", &target, &rising, &["orderings of x"]);
    let mut spread = samples.clone();
    for pair in spread.chunks_exact_mut(2) {
        if random.unit() < 0.2 && pair[0].abs() < pair[1].abs() {
            pair.swap(0, 1);
        }
    }
    rejected("the greater magnitude first, often", &target, &spread, &["places of |x|", "orderings of |x|"]);
    let mut balanced = samples;
    for block in balanced.chunks_exact_mut(16) {
        for (i, x) in block.iter_mut().enumerate() {
            *x = if i % 2 == 0 { x.abs() } else { -x.abs() };
        }
        for i in 0..16 {
            block.swap(i, i + random.below(16 - i as u64) as usize);
        }
    }
    rejected("as many above as below in each 16", &target, &balanced, &["x at lags", "runs"]);
}

#[test]
fn places_and_waves() {
    let target = law("3.2", "0");
    let (samples, mut random) = ideal(&target, 31);
    let mut zero = samples.clone();
    zero.iter_mut().step_by(1024).for_each(|x| *x = 0);
    rejected("zero at each 1024th place", &target, &zero, &["places of |x|"]);
    let mut sign = samples.clone();
    sign.iter_mut().step_by(512).for_each(|x| *x = x.abs());
    rejected("no sign at each 512th place", &target, &sign, &["places of x"]);
    let mut greatest = samples.clone();
    for block in greatest.chunks_exact_mut(32) {
        let at = (0..32).max_by_key(|i| block[*i].abs()).unwrap();
        block.swap(0, at);
    }
    rejected("the greatest of 32 first", &target, &greatest, &["places of |x|", "Walsh", "Fourier"]);
    let (narrow, wide) = (Reference::new(&law("2.9", "0")), Reference::new(&law("3.5", "0")));
    let wave = |i: usize, period: f64| (core::f64::consts::TAU * i as f64 / period).sin();
    let breathing: Vec<i64> = (0..N)
        .map(|i| if random.unit() < 0.5 + 0.5 * wave(i, 700.0) { &wide } else { &narrow }.draw(&mut random))
        .collect();
    rejected("a width that breathes, period 700", &target, &breathing, &["Fourier"]);
    let mut swaying = samples.clone();
    for (i, x) in swaying.iter_mut().enumerate() {
        if random.unit() < 0.15 {
            *x = x.abs() * if random.unit() < 0.5 + 0.5 * wave(i, 1234.5) { 1 } else { -1 };
        }
    }
    rejected("a mean that sways, period 1234.5", &target, &swaying, &["Fourier"]);
    let mut drift = samples.clone();
    for (i, x) in drift.iter_mut().enumerate() {
        if random.unit() < 0.05 {
            *x = if 2 * i < N { x.abs() } else { -x.abs() };
        }
    }
    rejected("above at first, below later", &target, &drift, &["sums of 4096"]);
    let mut burst = samples.clone();
    for x in &mut burst[100_000..108_192] {
        *x = wide.draw(&mut random);
    }
    rejected("8192 values 9 % wider", &target, &burst, &["sums of 4096"]);
    let mut hidden = samples;
    for block in hidden.chunks_exact_mut(1024) {
        // Walsh function 0b1010101010 decides on some signs.
        for (i, x) in block.iter_mut().enumerate() {
            if random.unit() < 0.1 {
                *x = x.abs() * if (i & 0b10_1010_1010).count_ones() % 2 == 0 { 1 } else { -1 };
            }
        }
    }
    rejected("signs that follow parities of the place", &target, &hidden, &["Walsh"]);
}
