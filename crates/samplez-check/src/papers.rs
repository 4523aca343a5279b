//! The bit counts of \[DW18\], measured again.
//!
//! The procedures are the paper's own, corrected where docs/errata.md says so, and draw one bit at
//! a time: they count bits and are no samplers. The library's samplers draw wide instead, and
//! declare what that costs in their profiles.

use samplez_core::bits::{BitReader, BitSource, Counted, uniform_below};
use samplez_core::sources::{ChaCha20, Seed};
use std::collections::HashMap;

/// One count: expected bits.
///
/// ```
/// let rows = samplez_check::papers::bit_counts(10_000);
/// let walk = rows.iter().find(|row| row.name.starts_with("Knuth")).unwrap();
/// assert!((walk.exact.unwrap() - 2.030_881).abs() < 1e-6);
/// assert!((walk.measured - 2.030_881).abs() < 0.1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What is counted.
    pub name: &'static str,
    /// The paper's figure, where it has one for this.
    pub paper: Option<f64>,
    /// The expectation, summed to the precision of a double, where there is a closed sum.
    pub exact: Option<f64>,
    /// The mean over the repetitions.
    pub measured: f64,
}

type Bits = Counted<BitReader<ChaCha20>>;

/// A uniform in \[0, 1) whose places are drawn when they are needed; 128 of them, then zeros.
#[derive(Clone, Copy, Default)]
struct Lazy {
    places: u128,
    len: u32,
}

impl Lazy {
    fn place(&mut self, i: u32, bits: &mut Bits) -> bool {
        while self.len <= i && self.len < 128 {
            self.places |= u128::from(bits.bit()) << self.len;
            self.len += 1;
        }
        self.places.checked_shr(i).is_some_and(|rest| rest & 1 != 0)
    }

    fn is_below(&mut self, other: &mut Lazy, bits: &mut Bits) -> bool {
        let parted = (0..128).find(|i| self.place(*i, bits) != other.place(*i, bits));
        parted.is_some_and(|i| other.place(i, bits))
    }

    fn is_below_rational(&mut self, num: u64, den: u64, bits: &mut Bits) -> bool {
        let mut rest = u128::from(num);
        for i in 0..128 {
            rest *= 2;
            let digit = rest >= den.into();
            rest -= if digit { den.into() } else { 0 };
            if self.place(i, bits) != digit {
                return digit;
            }
        }
        false
    }
}

/// \[Kar16\], Algorithm H: e^-½.
fn coin_h(bits: &mut Bits) -> bool {
    let mut last = Lazy::default();
    if last.place(0, bits) {
        return true;
    }
    for n in 1.. {
        let mut next = Lazy::default();
        if !next.is_below(&mut last, bits) {
            return n % 2 == 0;
        }
        last = next;
    }
    false
}

/// e^-(p/q), 0 <= p < q: a falling run of uniforms below p/q; of each, `thin` decides whether it
/// counts.
fn falling_run(p: u64, q: u64, thin: impl Fn(&mut Bits) -> bool, bits: &mut Bits) -> bool {
    let mut last = Lazy::default();
    if !last.is_below_rational(p, q, bits) || !thin(bits) {
        return true;
    }
    for n in 1.. {
        let mut next = Lazy::default();
        if !next.is_below(&mut last, bits) || !thin(bits) {
            return n % 2 == 0;
        }
        last = next;
    }
    false
}

fn below_ln2(bits: &mut Bits) -> bool {
    Lazy::default().is_below_rational(6_243_314_768_165_359, 9_007_199_254_740_992, bits)
}

/// Proposals of k, P(k) ~ e^(-k/2), each accepted with e^(-k(k-1)/2).
fn propose_k(bits: &mut Bits) -> Option<u64> {
    let k = (0..).find(|_| !coin_h(bits))?;
    (0..k * u64::saturating_sub(k, 1)).all(|_| coin_h(bits)).then_some(k)
}

/// BLISS's BIN. If `whole`, it draws its 2i - 1 bits before it looks at them.
fn bin(whole: bool, bits: &mut Bits) -> u64 {
    loop {
        if !bits.bit() {
            return 0;
        }
        for i in 1.. {
            let mut zeros = true;
            for _ in 0..2 * i - 2 {
                zeros &= !bits.bit();
                if !zeros && !whole {
                    break;
                }
            }
            let last = (zeros || whole) && bits.bit();
            if !zeros {
                break;
            }
            if !last {
                return i;
            }
        }
    }
}

/// Expected bits of BIN: stage i is reached with probability 2^(-(i-1)²-1), and a round succeeds
/// with probability w/2.
fn bin_bits(whole: bool) -> f64 {
    let mut bits = 1.0;
    for i in 1..16 {
        let reached = f64::from(-(i - 1) * (i - 1) - 1).exp2();
        let zeros = 2 * i - 2;
        // The first 1 among the zeros stops: Σ_{j<zeros} 2^-j bits; the last bit if there is none.
        let lazy = 2.0 - 2.0 * f64::from(-zeros).exp2() + f64::from(-zeros).exp2();
        bits += reached * if whole { f64::from(zeros + 1) } else { lazy };
    }
    bits / (weight() / 2.0)
}

/// w = Σ 2^(-x²).
fn weight() -> f64 {
    (0..16).map(|x| f64::from(-x * x).exp2()).sum()
}

/// Bit i - x² of 1/w: the place of weight 2^-i of P(x) = 2^(-x²)/w.
fn place(x: u32, i: u32) -> bool {
    const INVERSE: u128 = 0xa3a2_446c_95b5_b009_85db_b564_c791_ff8b;
    i.checked_sub(x * x).is_some_and(|i| (1..=128).contains(&i) && INVERSE >> (128 - i) & 1 != 0)
}

/// The probability that a walk goes on after level i.
fn alive(i: u32) -> f64 {
    let settled = |x: u32| (1..=i).filter(|i| place(x, *i)).map(|i| 0.5_f64.powi(i as i32)).sum::<f64>();
    1.0 - (0..11).map(settled).sum::<f64>()
}

/// \[DW18\], Algorithm 8: the walk over the binary places of P, from the places of weight ½ on.
fn walk(bits: &mut Bits) -> u64 {
    let mut distance = 0_u32;
    for i in 1..=128 {
        distance = 2 * distance + u32::from(!bits.bit());
        for x in (0..11).filter(|x| place(*x, i)) {
            if distance == 0 {
                return x.into();
            }
            distance -= 1;
        }
    }
    0
}

/// \[DW18\], Algorithm 9: three bits, then five, then one at a time; what the walk takes, rounded
/// up. The value does not matter for the count.
fn walk_by_tables(bits: &mut Bits) -> u64 {
    let before = bits.count();
    let value = walk(bits);
    let taken = (bits.count() - before) as u32;
    let drawn = if taken <= 3 { 3 } else { taken.max(8) };
    if drawn > taken {
        bits.bits(drawn - taken);
    }
    value
}

/// \[DW18\], Algorithm 4 for an integer σ, corrected.
fn algorithm_4(sigma: u64, bits: &mut Bits) {
    loop {
        let Some(k) = propose_k(bits) else { continue };
        let j = uniform_below(sigma, bits) + u64::from(bits.bit());
        let (i, square) = (2 * j * k * sigma + j * j, sigma * sigma);
        if (0..i / square).all(|_| coin_h(bits)) && falling_run(i % square, 2 * square, |_| true, bits) {
            return;
        }
    }
}

/// \[DW18\], Algorithm 5, corrected, with the simpler form of its Algorithm 6.
fn algorithm_5(k: u64, x: impl Fn(&mut Bits) -> u64, bits: &mut Bits) {
    loop {
        let x = x(bits);
        let y = uniform_below(k, bits) + u64::from(bits.bit());
        let (i, square) = (y * y + 2 * k * x * y, k * k);
        let z = i % square;
        if (0..i / square).all(|_| bits.bit()) && (z == 0 || falling_run(z, square, below_ln2, bits)) {
            return;
        }
    }
}

/// Expected bits of [`coin_h`], summed over what is known of the last uniform: its places so far.
///
/// The next uniform differs from it at place j (from 0) with probability 2^-(j+1), which takes j + 1
/// bits and, of the last one, those up to j that were not known. It is below if the last one has a 1
/// there, and then it is known to have the same places before j and a 0 there. If the two agree in 15
/// places or more, probability 2^-15, what comes after this comparison is left out.
fn coin_h_bits() -> f64 {
    const DEPTH: usize = 15;
    fn rest(known: &mut Vec<bool>, memory: &mut HashMap<Vec<bool>, f64>) -> f64 {
        if let Some(bits) = memory.get(known.as_slice()) {
            return *bits;
        }
        let mut bits = 2.0; // of the next uniform: Σ (j + 1) 2^-(j+1)
        let len = known.len();
        for j in 0..len {
            if known[j] {
                let mut next = known[..j].to_vec();
                next.push(false);
                bits += f64::from(-(j as i32) - 1).exp2() * rest(&mut next, memory);
            }
        }
        // Beyond what is known: one bit more of the last one for each place, all of them fair.
        for j in len..DEPTH {
            bits += f64::from(-(j as i32) - 1).exp2() * (j + 1 - len) as f64;
            let ways = 1_u32 << (j - len);
            for way in 0..ways {
                let mut next = known.clone();
                next.extend((0..j - len).map(|i| way >> i & 1 != 0));
                next.push(false);
                let weight = f64::from(-(j as i32) - 2).exp2() / f64::from(ways);
                bits += weight * rest(&mut next, memory);
            }
        }
        // Σ_{j >= DEPTH} (j + 1 - len) 2^-(j+1)
        bits += f64::from(-(DEPTH as i32)).exp2() * (DEPTH + 2 - len) as f64;
        memory.insert(known.clone(), bits);
        bits
    }
    1.0 + 0.5 * rest(&mut vec![false], &mut HashMap::new())
}

/// Expected coins e^-½ for one proposal of k, and the probability that it is accepted: k + 1 coins,
/// then up to k(k-1), each tossed if all before it are heads.
fn k_coins() -> (f64, f64) {
    let q = (-0.5_f64).exp();
    let proposals = (0..60).map(|k| (f64::from(k), (1.0 - q) * q.powi(k)));
    proposals.fold((0.0, 0.0), |(coins, accepted), (k, p)| {
        let all = q.powf(k * (k - 1.0));
        (coins + p * (k + 1.0 + (1.0 - all) / (1.0 - q)), accepted + p * all)
    })
}

/// The counts of \[DW18\] beside their expectations and the mean over so many repetitions, from
/// a fixed seed.
///
/// ```
/// for row in samplez_check::papers::bit_counts(50_000) {
///     if let Some(exact) = row.exact {
///         assert!((row.measured / exact - 1.0).abs() < 0.05, "{row:?}");
///     }
/// }
/// ```
pub fn bit_counts(repetitions: u32) -> Vec<Row> {
    let mut bits = Counted::new(BitReader::new(ChaCha20::new(&Seed::from_bytes([18; 32]))));
    let mut row = |name, paper, exact, run: &dyn Fn(&mut Bits)| {
        let before = bits.count();
        (0..repetitions).for_each(|_| run(&mut bits));
        Row { name, paper, exact, measured: (bits.count() - before) as f64 / f64::from(repetitions) }
    };
    // A walk takes Σ P(alive after i) bits, i = 0, 1, 2, …
    let walked = |from: u32| (from..100).map(alive).sum::<f64>();
    let tables = 3.0 + 5.0 * alive(3) + walked(8);
    // The coins are alike and independent, and which is the last does not depend on later ones (Wald).
    let (coins, accepted) = k_coins();
    let (coin, proposal) = (coin_h_bits(), coins * coin_h_bits());
    vec![
        row("BIN, stopping at the first 1", None, Some(bin_bits(false)), &|b| {
            bin(false, b);
        }),
        row("BIN, drawing all 2i - 1 bits", None, Some(bin_bits(true)), &|b| {
            bin(true, b);
        }),
        row("Knuth-Yao, Algorithm 8", None, Some(walked(0)), &|b| {
            walk(b);
        }),
        row("Knuth-Yao, Algorithm 9", None, Some(tables), &|b| {
            walk_by_tables(b);
        }),
        row("Coin e^-1/2 of [Kar16], lazy bits", None, Some(coin), &|b| {
            coin_h(b);
        }),
        row("k of Algorithm 4, per proposal", Some(9.475), Some(proposal), &|b| {
            propose_k(b);
        }),
        row("k of Algorithm 4, per accepted k", None, Some(proposal / accepted), &|b| while propose_k(b).is_none() {}),
        row("Algorithm 4, sigma = 215, per sample", None, None, &|b| algorithm_4(215, b)),
        row("Algorithm 5, k = 127, BIN, per sample", None, None, &|b| algorithm_5(127, |b| bin(false, b), b)),
        row("Algorithm 5, k = 254, BIN, per sample", None, None, &|b| algorithm_5(254, |b| bin(false, b), b)),
        row("Algorithm 5, k = 254, walk, per sample", None, None, &|b| algorithm_5(254, walk, b)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the figures that were computed independently of this code.
    #[test]
    fn counts_are_reproduced() {
        let rows = bit_counts(400_000);
        let want = [2.5568, 3.0850, 2.030_881, 3.640, 9.477, 13.737, 37.0, 20.7, 22.2];
        let coin = rows.iter().position(|row| row.name.starts_with("Coin")).unwrap();
        let mut others = rows.clone();
        others.remove(coin);
        assert!((rows[coin].measured / rows[coin].exact.unwrap() - 1.0).abs() < 0.01, "{:?}", rows[coin]);
        for (row, want) in others.iter().zip(want) {
            println!("{row:?}");
            assert!(row.exact.is_none_or(|exact| (exact - want).abs() < 5e-3), "{row:?}, not {want}");
            assert!((row.measured / want - 1.0).abs() < 0.01, "{row:?}, not {want}");
        }
        // A walk saves what BIN takes above it, once for each of 1.46972 trials.
        let saved = 1.469_72 * (bin_bits(false) - 2.030_881);
        assert!((others[8].measured - others[9].measured - saved).abs() < 0.1);
    }

    /// Algorithm 4 with its steps 5 and 6 as printed accepts exp(-i/4σ²).
    #[test]
    fn the_printed_algorithm_4_has_the_stated_error() {
        for (sigma, spread, distance) in [(20_i32, 22.12, 0.0635), (1, 1.098, 0.0863)] {
            let (mut law, square) = (HashMap::<i32, f64>::new(), f64::from(sigma * sigma));
            for k in 0..14 {
                for (j, sign) in (0..sigma).flat_map(|j| [(j, -1), (j + 1, 1)]) {
                    let i = f64::from(2 * j * k * sigma + j * j);
                    let weight = (-0.5 * f64::from(k * k) - i / (4.0 * square)).exp();
                    *law.entry(sign * (k * sigma + j)).or_default() += weight;
                }
            }
            let ideal = |z: &i32| (-f64::from(z * z) / (2.0 * square)).exp();
            let (total, whole) = (law.values().sum::<f64>(), law.keys().map(ideal).sum::<f64>());
            let mean: f64 = law.iter().map(|(z, w)| f64::from(*z) * w / total).sum();
            let variance: f64 = law.iter().map(|(z, w)| (f64::from(*z) - mean).powi(2) * w / total).sum();
            let sd: f64 = law.iter().map(|(z, w)| (w / total - ideal(z) / whole).abs()).sum::<f64>() / 2.0;
            assert!((sd - distance).abs() < 1e-4, "{sigma}: SD {sd}");
            assert!((variance.sqrt() - spread).abs() < 0.005, "{sigma}: std {}", variance.sqrt());
        }
    }
}
