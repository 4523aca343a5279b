//! `KnuthYaoCt`: the joint law of small batches by every string of draws, and forms of it that are wrong; statistics.

use crate::common::{Ones, Random, law, rejecting, verify};
use samplez_core::arch::Backend;
use samplez_core::bits::{BitReader, Fault};
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
    /// The first two open samples take the same entry.
    Twice,
    /// A sample without an entry is drawn anew by the whole law.
    FreshWhole,
    /// Or by the law of the last level.
    FreshLast,
    /// Or takes the pool's first entry, which another sample has.
    FreshReused,
    /// A batch with an open draw that has no entry is drawn again as a whole.
    Redrawn,
}

/// Two levels, and the law of each and of what they leave: masses that add up to 2^n, and n.
struct Toy {
    cells: [Vec<u64>; 2],
    laws: Vec<(Vec<u64>, u32)>,
    slip: Slip,
}

/// A value of a lane, or the number of a lane that is drawn anew.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lane {
    Value(usize),
    Fresh(usize),
}

impl Toy {
    fn new(masses: &[u64], bits: u32, slip: Slip) -> Self {
        let (mut rest, mut left) = (masses.to_vec(), bits);
        let mut laws = vec![(rest.clone(), left)];
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
            laws.push((rest.clone(), left));
            cells
        });
        Toy { cells, laws, slip }
    }

    fn index(masses: &[u64], mut v: u64) -> Option<usize> {
        masses.iter().position(|mass| {
            let is_here = v < *mass;
            v = v.wrapping_sub(*mass);
            is_here
        })
    }

    fn bits(&self) -> u32 {
        BITS * (SAMPLES + POOLS[0]) + self.laws[2].1 * POOLS[1]
    }

    /// The batch of this string of bits, and the levels of the lanes that are drawn anew; none if it is drawn again.
    fn batch(&self, mut string: u64) -> Option<(Vec<Lane>, Vec<usize>)> {
        let mut draw = |bits: u32| {
            let v = string & ((1 << bits) - 1);
            string >>= bits;
            v
        };
        let (rest, left) = &self.laws[2];
        let samples: Vec<_> = (0..SAMPLES).map(|_| Self::index(&self.cells[0], draw(BITS))).collect();
        let pool: Vec<_> = (0..POOLS[0]).map(|_| Self::index(&self.cells[1], draw(BITS))).collect();
        let last: Vec<_> = (0..POOLS[1]).filter_map(|_| Self::index(rest, draw(*left))).map(Lane::Value).collect();
        let mut fresh = Vec::new();
        let mut take = |drawn: Vec<Option<usize>>, from: &[Lane], level: usize| -> Vec<Lane> {
            let mut rank = 0_usize;
            let lane = |value: Option<usize>| {
                value.map(Lane::Value).unwrap_or_else(|| {
                    let entry = match self.slip {
                        Slip::Reused => 0,
                        Slip::Twice if level == 1 => rank.saturating_sub(1),
                        _ => rank,
                    };
                    let entry = from.get(entry);
                    rank += 1;
                    entry.copied().unwrap_or_else(|| {
                        let of = match (self.slip, level) {
                            (Slip::FreshReused, 1) => return from[0],
                            (Slip::FreshWhole, 1) => 0,
                            (Slip::FreshLast, 1) => 2,
                            _ => level,
                        };
                        fresh.push(of);
                        Lane::Fresh(fresh.len() - 1)
                    })
                })
            };
            drawn.into_iter().map(lane).collect()
        };
        let pool = take(pool, &last, 2);
        let samples = take(samples, &pool, 1);
        (self.slip != Slip::Redrawn || fresh.is_empty()).then_some((samples, fresh))
    }

    /// Adds so many times these lanes to the joint law, in units of 2^-`unit`: every value of a lane that is drawn anew by its law.
    fn add(&self, lanes: &[Lane], fresh: &[usize], unit: u32, times: u128, joint: &mut BTreeMap<Vec<usize>, u128>) {
        // The first lane that is not settled, and those that are the same draw.
        let open = lanes.iter().find_map(|lane| if let Lane::Fresh(number) = lane { Some(*number) } else { None });
        let Some(number) = open else {
            let value = |lane: &Lane| if let Lane::Value(value) = lane { *value } else { unreachable!("settled") };
            *joint.entry(lanes.iter().map(value).collect()).or_default() += times << unit;
            return;
        };
        let (masses, bits) = &self.laws[fresh[number]];
        for (value, mass) in masses.iter().enumerate().filter(|(_, mass)| **mass > 0) {
            let settle = |lane: &Lane| match lane {
                Lane::Fresh(other) if *other == number => Lane::Value(value),
                lane => *lane,
            };
            let settled: Vec<_> = lanes.iter().map(settle).collect();
            self.add(&settled, fresh, unit - bits, times * u128::from(*mass), joint);
        }
    }
}

/// Whether the joint law is that of independent samples, over every string. Batches that are drawn again do not count.
fn holds(masses: &[u64], bits: u32, slip: Slip) -> bool {
    let toy = Toy::new(masses, bits, slip);
    // Every sample may be drawn anew.
    let unit = SAMPLES * toy.laws.iter().map(|(_, bits)| bits).max().unwrap();
    let mut batches = BTreeMap::<_, u128>::new();
    for batch in (0..1 << toy.bits()).filter_map(|string| toy.batch(string)) {
        *batches.entry(batch).or_default() += 1;
    }
    let mut joint = BTreeMap::new();
    for ((lanes, fresh), times) in &batches {
        toy.add(lanes, fresh, unit, *times, &mut joint);
    }
    let all: u128 = joint.values().sum();
    joint.iter().all(|(samples, weight)| {
        let product: u128 = samples.iter().map(|j| u128::from(masses[*j])).product();
        weight << (bits * SAMPLES) == product * all
    })
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
fn small_batches_are_independent_samples() {
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
    for slip in [
        Slip::CellCounts,
        Slip::Renormalised,
        Slip::Reused,
        Slip::Twice,
        Slip::FreshWhole,
        Slip::FreshLast,
        Slip::FreshReused,
        Slip::Redrawn,
    ] {
        let mut random = Random::new(2);
        let seen = (0..20).filter(|_| !holds(&masses(&mut random, 6), 6, slip)).count();
        assert!(seen >= 15, "{slip:?}: seen for {seen} of 20 tables");
    }
}

/// Every draw is open, and so is every draw in its place but those of the last level. The fill ends all the same.
#[test]
fn a_stuck_source_is_its_readers_fault() {
    for (sigma, center, precision) in [("3.2", "0", 128), ("3.2", "1/3", 128), ("0.3", "1/2", 20)] {
        let table = build_pooled(&law(sigma, center), &CdtOptions { precision, ..CdtOptions::default() }).unwrap();
        let (support, sampler) = (table.support(), KnuthYaoCt::from_table(table));
        for backend in Backend::available() {
            let (mut reader, mut out) = (BitReader::new(Ones).latching(), [i32::MAX; 10_000]);
            sampler.fill_by(backend, &mut reader, &mut out).unwrap();
            assert!(out.iter().all(|x| support.contains(&i64::from(*x))), "{backend}");
            assert_eq!(reader.fault(), Some(Fault::Constant(0xff)), "{backend}");
        }
    }
}

#[test]
fn samples_are_consistent_with_the_law() {
    for (sigma, center, precision) in
        [("1", "0", 72), ("3.2", "0", 128), ("3.2", "1/3", 128), ("6", "0", 256), ("8", "1/2", 128), ("0.3", "1/2", 20)]
    {
        let table = build_pooled(&law(sigma, center), &CdtOptions { precision, ..CdtOptions::default() }).unwrap();
        assert!(table.log2_overflow() <= -(precision as i32) - 8);
        assert_eq!(table.bound(), table.table().bound());
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
