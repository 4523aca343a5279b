use super::*;
use crate::arch::isochronous::OPEN_CELLS;
use crate::bits::SplitMix64;
use crate::fixtures::reader;
use crate::params::Width;
use crate::samplers::isochronous::refine::{CloseTrial, Estimate};
use crate::samplers::isochronous::strips::build;
use core::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

/// A law's constants.
struct Built {
    strips: Strips,
    look: Look,
    count: u64,
    /// z0 of each cell, and the strip's lower end, from the weights.
    cells: Vec<(u64, u32)>,
    /// The open cells by u and b, once they have been looked up.
    opens: RefCell<BTreeMap<u32, Vec<u32>>>,
}

fn built(sigma: &str, fraction: u64) -> Built {
    let (strips, look, _, count) = build(Width::Sigma(sigma.parse().unwrap()), fraction);
    let mut built = Built { strips, look, count, cells: Vec::new(), opens: RefCell::default() };
    let ends: Vec<u32> = (0..count as usize).map(|j| built.end(j)).collect();
    let strip = |cell| (0..).zip(&ends).find(|(_, end)| cell >= **end).map(|(z0, end)| (z0, *end)).unwrap();
    built.cells = (0..1 << 16).map(strip).collect();
    built
}

impl Built {
    fn law(&self) -> Law<'_> {
        Law { strips: &self.strips, look: &self.look }
    }

    fn shift(&self) -> u32 {
        self.strips.envelope.shift
    }

    fn planes(&self) -> usize {
        self.law().planes()
    }

    /// u and b as a batch has them: u leads, and b is the lowest bit.
    fn number(&self, u: u64, b: u64) -> u32 {
        let bits = 8 * self.planes() as u32;
        ((u << (bits - self.shift())) | b) as u32
    }

    fn u(&self, number: u32) -> u64 {
        u64::from(number) >> (8 * self.planes() as u32 - self.shift())
    }

    /// ⌊2^(n + 64)·goal⌋ in units of a cell, 2^(n - 16), and of 2^-64: the goal above the strip's lower end.
    fn goal(&self, z0: u64, number: u32) -> u128 {
        let upper = u64::from(number & 1).wrapping_neg();
        let (goal, next) = self.strips.goal(z0 << self.shift() | self.u(number), upper);
        u128::from(goal) << 64 | u128::from(next)
    }

    /// Bits of v below a cell, and the 64 more.
    fn cell_bits(&self) -> u32 {
        63 - self.strips.inner - 16 + 64
    }

    fn strip(&self, cell: u32) -> (u64, u32) {
        self.cells[cell as usize]
    }

    /// T_j.
    fn end(&self, j: usize) -> u32 {
        let (ones, wide) = (u32::from(self.strips.envelope.ones), usize::from(self.look.wide));
        if j < wide { u32::from(self.strips.envelope.keys[j]) + ones } else { self.count as u32 - 1 - j as u32 }
    }

    /// Where the window of a strip begins, and its length: the look by its definition, one trial at a time.
    fn window(&self, z0: u64, number: u32) -> (u32, u32) {
        let look = &self.look;
        let j = (z0 as usize).min(usize::from(look.wide));
        let product = |a: u32, b: u32| (a * b + (1 << 14)) >> 15;
        let leading = if self.planes() == 1 { number << 8 } else { number >> (8 * self.planes() as u32 - 16) };
        let kept = 15.min(self.shift());
        let lead = leading >> (16 - kept) << (15 - kept);
        let y = (lead + u32::from(look.offsets[(number & 1) as usize])).min(0x7fff);
        let d = product(u32::from(look.slopes[j]) + product(look.square.into(), y), y);
        let x = (d % (1 << look.unit)) << (15 - look.unit);
        let power = 0x7fff - product(x, 22_666 - product(x, 7594 - product(x, 1313)));
        let goal = (2 * product(look.halves[j].into(), power)) >> (d >> look.unit);
        (goal.saturating_sub(look.margin.into()).min(look.caps[j].into()), look.windows[j].into())
    }

    /// All open cells.
    fn open(&self, number: u32) -> Vec<u32> {
        let all = || (0..1 << 16).filter(|cell| self.look(*cell, number).1.is_none()).collect();
        self.opens.borrow_mut().entry(number).or_insert_with(all).clone()
    }

    /// Whether a trial accepts or is open, by its cell and u and b.
    fn look(&self, cell: u32, number: u32) -> (u64, Option<bool>) {
        let (z0, lower) = self.strip(cell);
        let (first, window) = self.window(z0, number);
        let rest = cell - lower;
        (
            z0,
            if rest < first {
                Some(true)
            } else if rest < first + window {
                None
            } else {
                Some(false)
            },
        )
    }
}

/// Laws with every k up to 7, the longer records, and the ends of σ/K, 1.7 to 3.4.
const LAWS: [(&str, u64); 16] = [
    ("1", 0),
    ("1.09", 1 << 63),
    ("1.3", u64::MAX / 3),
    ("1.7001", u64::MAX),
    ("3.4", 0),
    ("3.4001", 12345),
    ("8", 1 << 63),
    ("19.5", u64::MAX / 3),
    ("54.4", 0),
    ("110", 1 << 40),
    ("215", u64::MAX / 3),
    ("217.7", 1 << 62),
    ("435.3", u64::MAX),
    ("1000", u64::MAX / 7),
    ("1.6e5", 1 << 63),
    ("67108864", u64::MAX / 5),
];

/// The numbers of u and b to look at: all, or some.
fn numbers(built: &Built, most: u64) -> Vec<u32> {
    let all = 1 << built.shift();
    let us: Vec<u64> = if all <= most {
        (0..all).collect()
    } else {
        (0..most).map(|i| (u128::from(i) * u128::from(all - 1) / u128::from(most - 1)) as u64).collect()
    };
    us.into_iter().flat_map(|u| [0, 1].map(|b| built.number(u, b))).collect()
}

/// Of each cell whether it accepts, or None if it is open, by the kernel, for this number; and its strip.
fn looked_at(built: &Built, backend: Backend, number: u32) -> Vec<(u8, Option<bool>)> {
    const OPEN: u8 = 0x3f;
    let planes = built.planes();
    let places: Vec<u8> = (0..planes).flat_map(|p| [(number >> (8 * p)) as u8; ROW]).collect();
    let slots = [OPEN; ROW];
    let mut all = Vec::new();
    for row in 0..(1 << 16) / ROW {
        let leads: Vec<u8> = (0..ROW).flat_map(|i| ((row * ROW + i) as u16).to_le_bytes()).collect();
        let (mut strips, mut decided, mut accepted) = ([0; ROW], std::vec![0; planes * ROW], [0]);
        let open = backend.run_in_vectors(Looks {
            envelope: &built.strips.envelope,
            look: &built.look,
            leads: &leads,
            places: &places,
            slots: &slots,
            slot_places: &places,
            strips: &mut strips,
            decided: &mut decided,
            accepted: &mut accepted,
        });
        assert_eq!(decided, places);
        assert_eq!(open as usize, strips.iter().filter(|strip| **strip == OPEN).count());
        all.extend(strips.iter().enumerate().map(|(i, strip)| {
            let is_accepted = accepted[0] >> i & 1 != 0;
            (strip & 0x3f, if *strip == OPEN { None } else { Some(is_accepted) })
        }));
    }
    all
}

/// The cells that the first look decides are decided as all numbers in them are, and there are 256 others: for all cells,
/// and all u and b, or many of them. So with a slot for each open trial the law is that of single samples.
#[test]
fn the_first_look_is_the_trial() {
    for (sigma, fraction) in LAWS {
        let built = built(sigma, fraction);
        let most = if cfg!(miri) { 2 } else { 16 };
        for number in numbers(&built, most) {
            let looks = looked_at(&built, Backend::current(), number);
            let mut open = 0;
            let mut sums = std::vec![0_u128; built.count as usize];
            for (cell, (strip, verdict)) in (0..).zip(&looks) {
                let (z0, lower) = built.strip(cell);
                let cell_bits = built.cell_bits();
                let below = u128::from(cell - lower) << cell_bits;
                let goal = built.goal(z0, number);
                let of_cell = goal.saturating_sub(below).min(1 << cell_bits);
                match verdict {
                    Some(true) => assert!(of_cell == 1 << cell_bits, "{sigma}: {cell} accepts in part"),
                    Some(false) => assert!(of_cell == 0, "{sigma}: {cell} rejects in part"),
                    None => open += 1,
                }
                assert!(verdict.is_none() || u64::from(*strip) == z0, "{sigma}: {cell}");
                assert_eq!(built.look(cell, number), (z0, *verdict), "{sigma}: {cell}");
                sums[z0 as usize] += of_cell;
            }
            assert_eq!(open, OPEN_CELLS, "{sigma}: {number:x}");
            for (z0, sum) in (0..).zip(sums) {
                assert_eq!(sum, built.goal(z0, number), "{sigma}: strip {z0} has more");
            }
        }
    }
}

/// For all leading bits of u the window holds the goal, with cells to spare.
#[test]
fn windows_hold_the_goals() {
    for sigma in
        ["1", "1.02", "1.2", "1.6999", "1.7001", "2.5", "3.4", "217.61", "1000", "1500.5", "1.6e5", "222822", "6e7"]
    {
        for fraction in [0, 1, u64::MAX, u64::MAX / 3] {
            let built = built(sigma, fraction);
            let mut spare = u128::MAX;
            for number in numbers(&built, if cfg!(miri) { 4 } else { 1 << 15 }) {
                for z0 in 0..u64::from(built.look.wide) {
                    let (first, window) = built.window(z0, number);
                    let bits = built.cell_bits();
                    let (goal, first) = (built.goal(z0, number), u128::from(first) << bits);
                    let end = first + (u128::from(window) << bits);
                    assert!(first <= goal && goal <= end, "{sigma}, {fraction}: {z0}, {number:x}");
                    // Windows that are cut off at the strip's ends hold less, or all of it.
                    if first > 0 && end < u128::from(built.look.caps[z0 as usize]) << bits {
                        spare = spare.min((goal - first).min(end - goal) >> bits);
                    }
                }
            }
            assert!(spare >= 3, "{sigma}, {fraction}: {spare} cells");
        }
    }
}

/// The slots of all cells are the open cells, each once, on every backend.
#[test]
fn slots_are_the_open_cells() {
    for (sigma, fraction) in LAWS {
        let built = built(sigma, fraction);
        for number in numbers(&built, 4) {
            let want = built.open(number).into_iter().collect::<BTreeSet<u32>>();
            for backend in Backend::available() {
                let planes = built.planes();
                let places: Vec<u8> = (0..planes).flat_map(|p| [(number >> (8 * p)) as u8; ROW]).collect();
                let mut cells_of = BTreeSet::new();
                for first in (0..=255).step_by(ROW) {
                    let cells: [u8; ROW] = core::array::from_fn(|i| first + i as u8);
                    let (mut strips, mut leads) = ([0; ROW], [0; 2 * ROW]);
                    backend.run_in_vectors(Slots {
                        envelope: &built.strips.envelope,
                        look: &built.look,
                        cells: &cells,
                        places: &places,
                        strips: &mut strips,
                        leads: &mut leads,
                    });
                    for (strip, lead) in strips.iter().zip(leads.as_chunks().0) {
                        let cell = u16::from_le_bytes(*lead).into();
                        assert_eq!(built.strip(cell).0, u64::from(*strip), "{sigma}, {backend}");
                        cells_of.insert(cell);
                    }
                }
                assert_eq!(cells_of, want, "{sigma}, {backend}: {number:x}");
            }
        }
    }
}

/// Known words, followed by the words of a generator.
#[derive(Clone)]
struct Tape {
    words: Vec<u64>,
    at: usize,
}

impl BitSource for Tape {
    fn bits(&mut self, n: u32) -> u64 {
        assert_eq!(n, 64);
        self.at += 1;
        self.words.get(self.at - 1).copied().unwrap_or_else(|| SplitMix64(self.at as u64).next())
    }
}

/// Draws one, two or three words, by the value, and decides by the last of them.
struct Several;

impl Refine for Several {
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool {
        (0..trial.value.rem_euclid(3)).for_each(|_| _ = bits.bits(64));
        Estimate.accepts(trial, bits)
    }
}

/// The samples and verdicts of a batch, by its definition: trials one after the other, each open one taking the next slot.
fn by_the_steps(built: &Built, refine: &impl Refine, size: Size, tape: &mut Tape) -> Vec<i64> {
    let mut draws: Vec<u8> = Vec::new();
    let mut words = std::vec![0; size.words().iter().sum()];
    tape.words(&mut words);
    words.iter().for_each(|word| draws.extend(word.to_le_bytes()));
    let Size { trials, slots, planes } = size;
    let number =
        |bytes: &[u8], len: usize, i: usize| (0..planes).map(|p| u32::from(bytes[p * len + i]) << (8 * p)).sum();
    let (leads, rest) = draws.split_at(2 * trials);
    let (places, slot_draws) = rest.split_at(planes * trials);
    let decide = |draws: &[u8], slots: usize, tape: &mut Tape| -> Vec<(i64, bool)> {
        let (words, rest) = draws.split_at(8 * slots);
        let (places, cells) = rest.split_at(planes * slots);
        let decided: Vec<_> = (0..slots)
            .map(|i| {
                let number = number(places, slots, i);
                let cell = built.open(number)[usize::from(cells[i])];
                let (z0, lower) = built.strip(cell);
                let word = u64::from_le_bytes(words[8 * i..][..8].try_into().unwrap());
                let v = u64::from(cell - lower) << 48 | word & (u64::MAX >> 16);
                let rest = v >> (built.strips.inner + 1);
                let goal = built.goal(z0, number);
                (sample(built, z0, number), rest, goal)
            })
            .collect();
        decided
            .into_iter()
            .map(|(x, prefix, estimate)| {
                let goal = (estimate >> 64) as u64;
                let (value, height, places) = (x + FLOOR, HEIGHT, 63 - built.strips.inner);
                let trial = CloseTrial { value, height, lift: 0, prefix, places, estimate };
                let is_close = prefix.abs_diff(goal) <= goal / (1 << 52) + 1;
                (x, if is_close { refine.accepts(&trial, tape) } else { prefix < goal })
            })
            .collect()
    };
    let mut fresh = decide(slot_draws, slots, tape).into_iter();
    let looks: Vec<_> = (0..trials)
        .map(|i| {
            let number = number(places, trials, i);
            let (z0, verdict) = built.look(u16::from_le_bytes([leads[2 * i], leads[2 * i + 1]]).into(), number);
            (sample(built, z0, number), verdict)
        })
        .collect();
    let open = looks.iter().filter(|(_, verdict)| verdict.is_none()).count();
    let mut outcomes = Vec::new();
    for row in looks.chunks(ROW) {
        if open > slots {
            let mut words = std::vec![0; ROW * (9 + planes) / 8];
            tape.words(&mut words);
            let draws: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            fresh = decide(&draws, ROW, tape).into_iter();
        }
        for (x, verdict) in row {
            outcomes.push(verdict.map_or_else(|| fresh.next().unwrap(), |is_accepted| (*x, is_accepted)));
        }
    }
    outcomes.into_iter().filter_map(|(x, is_accepted)| is_accepted.then_some(x)).collect()
}

fn sample(built: &Built, z0: u64, number: u32) -> i64 {
    let x = (z0 << built.shift() | built.u(number)) as i64;
    if number & 1 == 1 { x + 1 } else { -x }
}

const FLOOR: i64 = -7;
/// Not a law's.
const HEIGHT: u64 = 5;

/// A batch by every backend against its definition: the samples, and the bits that were used.
fn agrees(built: &Built, trials: usize, words: Vec<u64>) {
    agrees_with(built, &Estimate, trials, words.clone());
    agrees_with(built, &Several, trials, words);
}

fn agrees_with(built: &Built, refine: &impl Refine, trials: usize, words: Vec<u64>) {
    let closing = Closing { refine, floor: FLOOR, height: HEIGHT };
    let size = Size::new(trials, built.planes());
    let tape = Tape { words, at: 0 };
    let mut steps = tape.clone();
    let want = by_the_steps(built, refine, size, &mut steps);
    for backend in Backend::available() {
        let (mut scratch, mut bits) = (Scratch::<ROWS>::new(), tape.clone());
        let made = scratch.batch(built.law(), &closing, backend, size, &mut bits);
        assert_eq!((made, bits.at), (want.len(), steps.at), "{backend}, {trials}");
        let mut out = std::vec![0_i64; made];
        for fits in [true, false] {
            scratch.write(backend, built.law(), size, FLOOR, fits, &mut out).unwrap();
            assert!(out.iter().zip(&want).all(|(x, want)| *x == want + FLOOR), "{backend}, {trials}, {fits}");
        }
        assert!(!scratch.is_blank());
        scratch.erase();
        assert!(scratch.is_blank(), "{backend}, {trials}");
    }
}

#[test]
fn batches_are_the_steps() {
    for (i, (sigma, fraction)) in LAWS.into_iter().enumerate() {
        let built = built(sigma, fraction);
        for trials in [[64, 1024], [128, 960], [512, 896]][i % 3] {
            agrees(&built, trials, Vec::new());
        }
    }
    agrees(&built("215", 1 << 63), ROWS * ROW, Vec::new());
}

/// A batch with more open trials than slots decides its rows anew, also one whose last slot is taken, and one in which all are open.
#[test]
fn open_trials_beyond_the_slots() {
    for (sigma, trials, open) in
        [("19.5", 128, 32), ("19.5", 128, 33), ("215", 1024, 64), ("1000", 1024, 65), ("3e5", 128, 128)]
    {
        let built = built(sigma, u64::MAX / 3);
        // Cell 0 is a strip of weight 1, and 2^16 - 1 is accepted for all u and b but those in no window.
        let mut leads = std::vec![u16::MAX; trials];
        (0..open).for_each(|i| leads[i * 7 % trials] = 0);
        // The places of the others are 0: b = 0 and u = 0, whose goal in strip 0 is not near the weight's end.
        let mut bytes: Vec<u8> = leads.into_iter().flat_map(u16::to_le_bytes).collect();
        bytes.resize(trials * (2 + built.planes()), 0);
        let words = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        agrees(&built, trials, words);
    }
}

/// Slots near their goals: two of a batch, at the ends of the margin, inside and outside. Those inside draw their bits in the slots'
/// order.
#[test]
fn slots_near_their_goals() {
    for sigma in ["1.5", "19.5", "215", "1000", "3e5"] {
        let built = built(sigma, u64::MAX / 3);
        let size = Size::new(64, built.planes());
        let place = built.number(0, 1);
        let open = built.open(place);
        let bits = 47 - built.strips.inner;
        // The goals of some strips and the numbers of their cells.
        let goals: Vec<(u64, u64, u8)> = [0, 1, 2, 3, 5, 6]
            .into_iter()
            .filter_map(|z0| {
                let goal = built.goal(z0, place);
                let cell = built.end(z0 as usize) + (goal >> 64 >> bits) as u32;
                let number = open.iter().position(|open| *open == cell)?;
                Some(((goal >> 64) as u64, goal as u64, number as u8))
            })
            .collect();
        let mut seen = [0; 2];
        for (pair, places) in goals.windows(2).zip([[0, 31], [1, 2], [30, 7], [9, 5], [12, 13]]) {
            let margins = [pair[0], pair[1]].map(|(goal, ..)| (goal >> 52) as i64 + 1);
            for offsets in [[0, 0], [1, -1], [-1, 1], [0, 2], [2, 0], [-2, -2], [2, 2]] {
                // From -1 to 1 units of the margin, and beyond it by 1.
                let rest = |i: usize| {
                    let offset = i64::signum(offsets[i]) * margins[i] + offsets[i] / 2;
                    pair[i].0.wrapping_add_signed(offset)
                };
                if (0..2).any(|i| rest(i) >> bits != pair[i].0 >> bits) {
                    continue;
                }
                for less in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                    seen[usize::from(offsets == [0, 0])] += 1;
                    // All trials are open in a strip of weight 1, but the first: rows of 32 slots, and the rest is not looked at.
                    let mut bytes = std::vec![0_u8; 2 * 64];
                    bytes[2 * 32..].fill(0xff);
                    bytes.resize(64 * (2 + size.planes), 0);
                    let (mut words, mut cells) = (std::vec![0; 32], std::vec![0_u8; 32]);
                    for i in 0..2 {
                        words[places[i]] = rest(i) << (built.strips.inner + 1) & (u64::MAX >> 16);
                        cells[places[i]] = pair[i].2;
                    }
                    bytes.extend(words.iter().flat_map(|word: &u64| word.to_le_bytes()));
                    for p in 0..size.planes {
                        bytes.extend((0..32).map(|i| if places.contains(&i) { (place >> (8 * p)) as u8 } else { 0 }));
                    }
                    bytes.extend(cells);
                    let drawn: Vec<u64> = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
                    // What decides each, in the order of the slots, and the same with words before it.
                    let order = if places[0] < places[1] { [0, 1] } else { [1, 0] };
                    let last = order.map(|i| pair[i].1.wrapping_sub(less[i]));
                    agrees(&built, 64, [&drawn[..], &last].concat());
                    agrees(&built, 64, [&drawn[..], &[last[0]; 2], &[last[1]; 3]].concat());
                }
            }
        }
        assert!(seen[0] >= 40 && seen[1] >= 8, "{sigma}: {seen:?}");
    }
}

/// The bytes whose bits are set, at the head of each plane.
#[test]
fn accepted_bytes_are_moved_together() {
    let mut bits = reader(9);
    for rows in 1..20 {
        let len = ROW * rows;
        let planes: Vec<u8> = (0..3 * len).map(|i| (i * 37 % 251) as u8).collect();
        let mut accepted: Vec<u64> = (0..rows).map(|_| bits.bits(64) | bits.bits(64)).collect();
        accepted.iter_mut().zip([0, u64::MAX, 1, 1 << 63]).skip(rows % 3).for_each(|(mask, edge)| *mask = edge);
        let is_set = |i: usize| accepted[i / ROW] >> (i % ROW) & 1 != 0;
        for backend in Backend::available() {
            let mut moved = planes.clone();
            let made = backend.run_in_vectors(Accepted { accepted: &accepted, planes: &mut moved, len });
            for (plane, moved) in planes.chunks(len).zip(moved.chunks(len)) {
                let want: Vec<u8> = (0..len).filter(|i| is_set(*i)).map(|i| plane[i]).collect();
                assert_eq!(moved[..made], want, "{backend}");
            }
        }
    }
}

/// The drop goes by what the buffers say that they have held, and cannot where that is more than there is.
#[test]
#[should_panic(expected = "out of range")]
fn scratch_is_erased_when_it_is_dropped() {
    let mut scratch = Scratch::<ROWS>::new();
    scratch.dirty[0] = usize::MAX;
}
