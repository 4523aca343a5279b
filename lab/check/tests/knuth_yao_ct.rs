//! `KnuthYaoCt`: the joint law of small batches by every string of draws, and forms of it that are wrong; statistics.

use crate::common::{Random, law, rejecting, verify};
use samplez_core::arch::Backend;
use samplez_core::bits::BitReader;
use samplez_core::samplers::KnuthYaoCt;
use samplez_core::table::Table as _;
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtOptions, build_pooled};
use std::collections::BTreeMap;

/// Samples of a small batch, the entries of its two pools, and the bits of a level.
const SAMPLES: u32 = 3;
const POOLS: [u32; 2] = [2, 1];
const BITS: u32 = 2;

/// What is done wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slip {
    None,
    /// A cell more for the first value.
    CellCounts,
    /// The masses that a level leaves are taken as they are, not times what makes them a law.
    Renormalised,
    /// All open draws take the same entry.
    Reused,
    /// The samples' pool begins with its second entry.
    Offset,
}

/// Two levels, and the masses that they leave, which add up to 2^`left`.
struct Toy {
    cells: [Vec<u64>; 2],
    rest: Vec<u64>,
    left: u32,
    slip: Slip,
}

impl Toy {
    fn new(masses: &[u64], bits: u32, slip: Slip) -> Self {
        let (mut rest, mut left) = (masses.to_vec(), bits);
        let cells = [0, 1].map(|_| {
            if left < BITS {
                rest.iter_mut().for_each(|mass| *mass <<= BITS - left);
                left = BITS;
            }
            let mut cells: Vec<u64> = rest.iter().map(|mass| mass >> (left - BITS)).collect();
            let open = (1 << BITS) - cells.iter().sum::<u64>();
            let spare_bits = open.max(1).next_power_of_two().ilog2();
            let mut back = (1 << spare_bits) - open;
            for cell in cells.iter_mut().rev() {
                let less = back.min(*cell);
                (*cell, back) = (*cell - less, back - less);
            }
            if slip == Slip::Renormalised {
                // The law of the level again.
            } else {
                rest.iter_mut().zip(&cells).for_each(|(mass, cells)| *mass -= cells << (left - BITS));
                left = left - BITS + spare_bits;
            }
            if slip == Slip::CellCounts {
                cells[0] += 1;
            }
            cells
        });
        Toy { cells, rest, left, slip }
    }

    fn index(masses: &[u64], mut v: u64) -> Option<usize> {
        masses.iter().position(|mass| {
            let is_here = v < *mass;
            v = v.wrapping_sub(*mass);
            is_here
        })
    }

    fn bits(&self) -> u32 {
        BITS * (SAMPLES + POOLS[0]) + self.left * POOLS[1]
    }

    /// The batch of this string of bits; none on overflow.
    fn batch(&self, mut string: u64) -> Option<Vec<usize>> {
        let mut draw = |bits: u32| {
            let v = string & ((1 << bits) - 1);
            string >>= bits;
            v
        };
        let samples: Vec<_> = (0..SAMPLES).map(|_| Self::index(&self.cells[0], draw(BITS))).collect();
        let pool: Vec<_> = (0..POOLS[0]).map(|_| Self::index(&self.cells[1], draw(BITS))).collect();
        let last: Vec<_> = (0..POOLS[1]).map(|_| Self::index(&self.rest, draw(self.left))).collect();
        let take = |drawn: Vec<Option<usize>>, from: &[Option<usize>], skip: usize| -> Option<Vec<usize>> {
            let mut rank = skip;
            let all = drawn.into_iter().map(|value| {
                value.or_else(|| {
                    let entry = if self.slip == Slip::Reused { Some(&from[0]) } else { from.get(rank) };
                    rank += 1;
                    entry.copied().flatten()
                })
            });
            all.collect()
        };
        let pool: Vec<_> = take(pool, &last, 0)?.into_iter().map(Some).collect();
        take(samples, &pool, usize::from(self.slip == Slip::Offset))
    }
}

/// Whether no outcome is likelier than for independent samples by more than overflows allow, and as many strings overflow as
/// the sum over both pools allows; over every string.
fn holds(masses: &[u64], bits: u32, slip: Slip) -> bool {
    let toy = Toy::new(masses, bits, slip);
    let (mut joint, mut overflows, all) = (BTreeMap::<Vec<usize>, u128>::new(), 0_u128, 1_u128 << toy.bits());
    for string in 0..1 << toy.bits() {
        match toy.batch(string) {
            Some(samples) => *joint.entry(samples).or_default() += 1,
            None => overflows += 1,
        }
    }
    let is_bounded = joint.iter().all(|(samples, count)| {
        let product: u128 = samples.iter().map(|j| u128::from(masses[*j])).product();
        count << (bits * SAMPLES) <= product * all
    });
    // Σ over pools of P(more are open than it has entries).
    let open = |level: usize| u128::from((1 << BITS) - toy.cells[level].iter().sum::<u64>().min(1 << BITS));
    let choose = |n: u32, i: u32| (0..i).fold(1, |c, k| c * u128::from(n - k) / u128::from(k + 1));
    let tail = |n: u32, entries: u32, open: u128| -> u128 {
        let of = |i| choose(n, i) * open.pow(i) * ((1 << BITS) - open).pow(n - i);
        (entries + 1..=n).map(of).sum()
    };
    let [first, second] = [tail(SAMPLES, POOLS[0], open(0)), tail(POOLS[0], POOLS[1], open(1))];
    // first/2^(2·3) + second/2^(2·2), of all.
    is_bounded && overflows <= ((first * all) >> (BITS * SAMPLES)) + ((second * all) >> (BITS * POOLS[0]))
}

/// Masses that add up to 2^`bits`.
fn masses(random: &mut Random, bits: u32) -> Vec<u64> {
    let mut cuts: Vec<u64> = (0..3).map(|_| random.below((1 << bits) + 1)).collect();
    cuts.extend([0, 1 << bits]);
    cuts.sort_unstable();
    let mut masses: Vec<u64> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    masses.sort_by(|a, b| b.cmp(a));
    masses
}

#[test]
fn small_batches_are_independent_samples_but_for_overflows() {
    let mut random = Random::new(1);
    for bits in [1, 2, 3, 4, 6, 8] {
        for _ in 0..20 {
            let masses = masses(&mut random, bits);
            assert!(holds(&masses, bits, Slip::None), "{masses:?}");
        }
    }
}

#[test]
fn wrong_forms_are_seen() {
    for slip in [Slip::CellCounts, Slip::Renormalised, Slip::Reused, Slip::Offset] {
        let mut random = Random::new(2);
        let seen = (0..20).filter(|_| !holds(&masses(&mut random, 6), 6, slip)).count();
        assert!(seen >= 15, "{slip:?}: seen for {seen} of 20 tables");
    }
}

#[test]
fn samples_are_consistent_with_the_law() {
    for (sigma, center, precision) in
        [("1", "0", 72), ("3.2", "0", 128), ("3.2", "1/3", 128), ("6", "0", 256), ("8", "1/2", 128), ("0.3", "1/2", 20)]
    {
        let table = build_pooled(&law(sigma, center), &CdtOptions { precision, ..CdtOptions::default() }).unwrap();
        assert!(table.log2_overflow() <= -(precision as i32) - 8);
        let (support, sampler) = (table.support(), KnuthYaoCt::from_table(table));
        let fill = |backend| {
            let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([17; 32])));
            let mut samples = vec![0_i64; 1_000_000];
            sampler.fill_by(backend, &mut bits, &mut samples).unwrap();
            samples
        };
        let samples = fill(Backend::current());
        assert!(samples.iter().all(|x| support.contains(x)));
        let report = verify(&law(sigma, center), &samples);
        assert!(report.consistent, "{sigma}, {center}: {:?}", rejecting(&report));
        for backend in Backend::available() {
            assert!(fill(backend) == samples, "{backend}");
        }
    }
}
