//! Tests of the law of k, of its rare regions one by one, and of its cost.

use super::*;
use crate::bits::Counted;
use crate::fixtures::{Tape, parting, reader, write};
use std::vec;
use std::vec::Vec;

#[test]
fn most_prefixes_settle_k() {
    let table = KTable::<PREFIXES>::TABLE;
    let count = |k: usize| table.iter().filter(|entry| usize::from(**entry) == k).count() as f64;
    let g = 1.753_314_144_021_452_8;
    for k in 0..3 {
        // k's share of the whole, 16/9, is e^(-k²/2).
        let ideal = 4096.0 * 9.0 / 16.0 * (-((k * k) as f64) / 2.0).exp();
        assert!(count(k) <= ideal && count(k) > ideal - 9.0, "k = {k}: {} of {ideal}", count(k));
    }
    assert!(count(FAST) < 90.0, "{} prefixes unsettled", count(FAST));
    assert!(4096.0 * 9.0 / 16.0 * g < 4096.0);
}

#[test]
fn k_has_its_law_both_ways() {
    let mut bits = Counted::new(reader(1));
    let n = 2_000_000;
    let mut counts = [[0_f64; 6]; 2];
    for _ in 0..n {
        let prefix = bits.bits(12);
        let settled = KTable::<PREFIXES>::TABLE[prefix as usize];
        let k = if settled < FAST as u8 { settled.into() } else { draw_k(prefix, 12, &mut bits) };
        counts[0][(k as usize).min(5)] += 1.0;
    }
    let extra = bits.count() as f64 / f64::from(n) - 12.0;
    assert!((extra - K_EXTRA_BITS).abs() < 0.015, "{extra} bits beyond the prefix");
    for _ in 0..n {
        let k = core::iter::repeat_with(|| draw_k_printed(&mut bits)).flatten().next().unwrap();
        counts[1][(k as usize).min(5)] += 1.0;
    }
    for counts in counts {
        for (k, count) in counts.iter().enumerate().take(5) {
            let p = (-((k * k) as f64) / 2.0).exp() / 1.753_314_144_021_452_8;
            let sd = (p * (1.0 - p) * f64::from(n)).sqrt();
            assert!((count - p * f64::from(n)).abs() < 5.0 * sd + 1.0, "k = {k}: {count}, {counts:?}");
        }
    }
}

/// Σ e^(-k²/2) over k >= 0.
pub(crate) const G: f64 = 1.753_314_144_021_452_8;

fn weight(k: usize) -> f64 {
    (-((k * k) as f64) / 2.0).exp()
}

/// Bits from a list, most significant first, then ones for ever.
pub(crate) struct Script<'a>(pub(crate) core::slice::Iter<'a, u64>);

impl BitSource for Script<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        (0..n).fold(0, |value, _| value << 1 | self.0.next().unwrap_or(&1))
    }
}

/// The leading `len` bits of a uniform that lies at `at` (of `UNIT`) on the line of regions.
fn prefix_at(at: u64, len: u32) -> u64 {
    ((u128::from(9 * at) << len) / u128::from(16 * UNIT)) as u64
}

#[test]
fn regions_are_found_by_their_bounds() {
    // The partial sums in rational arithmetic (Python's fractions), times 12!.
    let ends = [479_001_600, 769_521_060, 769_531_455, 834_353_727, 834_357_823, 849_326_623, 851_558_400];
    assert_eq!(REGIONS.map(|(end, _)| end), ends);
    for (place, (end, _)) in REGIONS.iter().enumerate() {
        let start = if place == 0 { 0 } else { REGIONS[place - 1].0 };
        for at in [start, start + 1, start + (end - start) / 3, end - 2, end - 1] {
            // A uniform within [at, at + 1), past its first bits: 40 bits tell.
            let prefix = prefix_at(at, 40) + 1;
            let rest: Vec<u64> = (0..40).rev().map(|i| prefix >> i & 1).collect();
            for len in [1, 4, 12] {
                let found = region(prefix >> (40 - len), len, &mut Script(rest[len as usize..].iter()));
                assert!(found == REGIONS[place].1, "{at} is in region {place}");
            }
        }
    }
    for (prefix, k) in KTable::<PREFIXES>::TABLE.iter().enumerate() {
        let (low, high) = (prefix as u64 * 16 * UNIT, (prefix as u64 + 1) * 16 * UNIT);
        let place = REGIONS.iter().position(|(end, _)| low < 9 * end * PREFIXES as u64).unwrap();
        let expected = match REGIONS[place] {
            (end, Region::Settled(k)) if high <= 9 * end * PREFIXES as u64 => k,
            _ => FAST as u8,
        };
        assert_eq!(*k, expected, "prefix {prefix}");
    }
}

/// A prefix within this region, of 40 bits.
fn inside(place: usize) -> u64 {
    prefix_at((REGIONS[place - 1].0 + REGIONS[place].0) / 2, 40)
}

/// What comes of a region that few draws reach, entered by its prefix, in so many draws: these k with these shares, and where
/// it rejects, k afresh.
fn share(place: usize, draws: u32, shares: &[(usize, f64)]) {
    let mut bits = reader(5);
    let prefix = inside(place);
    let mut counts = [0.0; 12];
    (0..draws).for_each(|_| counts[draw_k(prefix, 40, &mut bits) as usize] += 1.0);
    let (n, total) = (f64::from(draws), shares.iter().map(|(_, share)| share).sum::<f64>());
    for (k, share) in shares.iter().copied().take(4) {
        let p = share + (1.0 - total) * weight(k) / G;
        let sd = (p * (1.0 - p) * n).sqrt();
        let (count, ideal) = (counts[k], p * n);
        assert!((count - ideal).abs() < 4.5 * sd + 1.0, "region {place}, k = {k}: {count}, expected {ideal}");
    }
}

#[test]
fn slivers_have_their_share() {
    for (k, place) in [(1, 2), (2, 4)] {
        let (low, high) = (REGIONS[place - 1].0, REGIONS[place].0);
        let before = if k == 1 { REGIONS[0].0 } else { REGIONS[2].0 };
        let accepted = (weight(k) * UNIT as f64 - (low - before) as f64) / (high - low) as f64;
        share(place, 300_000, &[(k, accepted)]);
    }
}

/// Runs of coins γ/(n+1), γ/(n+2), … behind the term of order n, each by a uniform that leaves the coin's bound as late as it can
/// in 80 places.
#[test]
fn slivers_are_runs_of_the_coins_behind_their_order() {
    for (place, k, num, order) in [(2, 1, 1, 6), (4, 2, 4, 12)] {
        for heads in 0..4 {
            let mut bits = vec![];
            for coin in 0..=heads {
                let (places, _) = (0..80)
                    .rev()
                    .map(|n| parting(num, 2 * (order + 1 + coin), n))
                    .find(|(_, is_below)| *is_below == (coin < heads))
                    .unwrap();
                bits.extend(places);
            }
            if heads % 2 == 1 {
                // k afresh: 0.
                write(&mut bits, 0, 12);
            }
            let (len, mut tape) = (bits.len(), Tape::new(bits));
            let wanted = if heads % 2 == 0 { k } else { 0 };
            assert_eq!((draw_k(inside(place), 40, &mut tape), tape.read), (wanted, len), "k = {k}, {heads} heads");
        }
    }
}

/// Where k comes to K_MAX it is drawn again, without another bit; below it is not.
#[test]
fn what_is_too_large_is_drawn_again() {
    // A coin that succeeds is a uniform's 11, which is not below 1/2.
    let (mut tape, len) = (Tape::new(vec![true; 2 * K_MAX as usize]), 2 * K_MAX as usize);
    assert_eq!((draw_k_printed(&mut tape), tape.read), (None, len));
    for i in [10, 1 << 14, K_MAX - 4, K_MAX - 3] {
        let mut bits = vec![true; i as usize];
        if i < K_MAX - 3 {
            // The first of the coins behind, 0.1110…, fails.
            write(&mut bits, 0b11110, 5);
        }
        write(&mut bits, 0, 12);
        let (len, mut tape) = (bits.len(), Tape::new(bits));
        assert_eq!((draw_k(inside(5), 40, &mut tape), tape.read), (0, len), "i = {i}");
    }
}

#[test]
fn the_tail_has_its_share() {
    let shares: Vec<_> = (3..12).map(|k| (k, 32.0 * weight(k))).collect();
    share(5, 4_000_000, &shares);
}

/// The leading 12 bits of a uniform that lies in the tail.
pub(crate) fn tail_prefix() -> u64 {
    prefix_at(REGIONS[5].0 - UNIT / 64, 12)
}
