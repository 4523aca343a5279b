//! `CdtLazyCt`: its parts are its table; the law of batches, exactly, with overflows; every backend is the
//! definition, with open samples at every place.

use crate::common::cdt::table;
use crate::common::lazy::Model;
use crate::common::{Ones, Random, law, rejecting, verify};
use samplez_core::arch::Backend;
use samplez_core::bits::{BitReader, BitSource, Fault};
use samplez_core::samplers::{CdtCt, CdtLazyCt};
use samplez_core::table::Table as _;
use samplez_core::table::{CdtTable, LazyTable, Shape, TableError};
use samplez_core::testing::{Counted, LAZY_BATCH};
use samplez_core::{Int, Sampler};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtOptions, build_lazy};
use std::collections::BTreeMap;

type Table = LazyTable<Vec<u32>, Vec<i8>>;

const COLUMNS: usize = 64;

fn bits(seed: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])))
}

fn built(sigma: &str, center: &str, precision: u32) -> Table {
    build_lazy(&law(sigma, center), &CdtOptions { precision, ..CdtOptions::default() }).unwrap()
}

fn split(table: CdtTable<Vec<u32>>) -> Result<Table, TableError> {
    LazyTable::with_parts_in(table, |len| vec![0; len])
}

/// Tables of every form: folded and full, short and long precisions, one threshold and many, certain indices, equal
/// thresholds, zeros.
fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = [
        ("3.2", "0", 72),
        ("3.2", "0", 20),
        ("0.4", "0", 119),
        ("3.2", "1/3", 72),
        ("1.7", "-5", 118),
        ("9.5", "1/2", 100),
        ("19.5", "0", 72),
        ("19.5", "1/3", 90),
        ("100", "0", 72),
        ("215", "7", 30),
    ]
    .map(|(sigma, center, precision)| built(sigma, center, precision))
    .into();
    let mut random = Random::new(5);
    for precision in [1, 2, 4, 8, 14, 15, 16, 17, 23, 24, 31] {
        for shape in [Shape::Folded, Shape::Full] {
            for len in [1, 2, 3, 14, 15, 16, 60, 127, 128, 300] {
                let mut thresholds: Vec<_> = (0..len).map(|_| random.below(1 << precision) as u32).collect();
                thresholds.sort_by(|a, b| b.cmp(a));
                tables.push(split(table(shape, 100, precision, &thresholds)).unwrap());
            }
        }
    }
    // The first indices are rare or impossible.
    for shape in [Shape::Folded, Shape::Full] {
        let t = [(1 << 31) - 1, (1 << 31) - 1, (1 << 31) - 2, 1 << 30, 5];
        tables.push(split(table(shape, 100, 31, &t)).unwrap());
    }
    // The same for all: every sample is 0, or every sample the last.
    tables.push(split(table(Shape::Full, 0, 9, &[0, 0])).unwrap());
    tables.push(split(table(Shape::Full, 0, 9, &[511, 511, 511])).unwrap());
    tables
}

/// The numbers of a tree where its documentation says that they lie.
fn tree(rows: &[i8], digits: usize, len: usize) -> Vec<Vec<u8>> {
    let levels = (usize::BITS - len.leading_zeros()).max(4);
    let stride = rows.len() / digits;
    assert_eq!(stride, 64.max(1 << levels));
    let place = |rank: usize| (1 << (levels - 1 - rank.trailing_zeros())) + (rank >> rank.trailing_zeros()) / 2;
    (1..=len).map(|rank| (0..digits).map(|d| rows[d * stride + place(rank)] as u8 ^ 0x80).collect()).collect()
}

/// A number of up to 320 bits, most significant digit first, from its bytes.
fn big(bytes: &[u8]) -> Vec<u8> {
    let mut number = vec![0; 40 - bytes.len()];
    number.extend(bytes);
    number
}

fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    let (mut sum, mut carry) = (vec![0; 40], 0);
    for i in (0..40).rev() {
        carry += u16::from(a[i]) + u16::from(b[i]);
        sum[i] = carry as u8;
        carry >>= 8;
    }
    sum
}

fn shifted(a: &[u8], n: u32) -> Vec<u8> {
    (0..n).fold(a.to_vec(), |a, _| sum(&a, &a))
}

/// 2^(B-L)·D_j + F_j = T_j for every j, from the bytes that samplers read: the split changes no probability.
fn parts_make_up(table: &Table) {
    let (cdt, rows) = (table.table(), table.parts());
    let lead_bits = if cdt.shape() == Shape::Folded { 15 } else { 16 };
    let precision = cdt.precision().max(lead_bits);
    let (fine_bits, digits) = (precision - table.open_bits(), table.fine_digits());
    assert_eq!(digits, fine_bits.div_ceil(8).max(1) as usize);
    let [first, coarse_len, certain, fine_len] = table.layout();
    let fine_stride = 64.max(1 << (usize::BITS - fine_len.leading_zeros()));
    let (coarse, fine) = rows.split_at(rows.len() - digits * fine_stride);
    let (coarse, fine) = (tree(coarse, 2, coarse_len), tree(fine, digits, fine_len));
    assert_eq!(
        u16::from_be_bytes([coarse[0][0], coarse[0][1]]),
        (((1_u32 << table.open_bits()) - 1) << (lead_bits - table.open_bits())) as u16
    );
    let (padding, whole) = (8 * digits as u32 - fine_bits, shifted(&big(&[1]), 8 * digits as u32));
    let (heads, tails) = cdt.digits().split_at(cdt.len());
    let more = cdt.precision().div_ceil(32) as usize - 1;
    for j in 1..=cdt.len() {
        let d = if j <= first { Some(&coarse[0]) } else { coarse.get(j - first) };
        let d = shifted(&big(d.map_or(&[], |d| d)), precision - lead_bits + padding);
        let f = if j <= certain { whole.clone() } else { big(fine.get(j - certain - 1).map_or(&[], |f| f)) };
        let t: Vec<u8> = std::iter::once(&heads[j - 1])
            .chain(&tails[(j - 1) * more..][..more])
            .flat_map(|digit| digit.to_be_bytes())
            .collect();
        // Left-aligned: T is a multiple of 2^-B of this unit.
        let unit = 32 * (more as u32 + 1) - cdt.precision();
        assert_eq!(
            shifted(&sum(&d, &f), unit),
            shifted(&big(&t), padding + precision - cdt.precision()),
            "T_{j} of {}, B = {}",
            cdt.len(),
            cdt.precision()
        );
    }
}

#[test]
fn the_parts_make_up_the_table() {
    tables().iter().for_each(parts_make_up);
    for (sigma, center, precision) in [("3.2", "0", 256), ("3.2", "1/3", 200), ("215", "0", 128), ("30", "1/2", 255)] {
        parts_make_up(&built(sigma, center, precision));
    }
}

/// Every string of draws of small batches: the law is that of independent samples, for every number of slots. As many strings
/// need further draws as the binomial tail.
#[test]
fn the_joint_law_of_small_batches() {
    let mut random = Random::new(21);
    let mut seen = 0;
    for (n, slots, lead_bits, precision) in
        [(2, 2, 2, 4), (2, 1, 2, 4), (2, 0, 2, 4), (3, 3, 2, 3), (3, 2, 2, 3), (3, 1, 2, 3), (2, 2, 3, 5), (2, 1, 3, 5)]
    {
        for round in 0..12 {
            let folded = round % 2 == 0;
            let mut t: Vec<u128> = (0..1 + round / 3).map(|_| random.below(1 << precision).into()).collect();
            t.sort_by(|a, b| b.cmp(a));
            let model = Model::new(folded, 0, lead_bits, precision, &t);
            let open = 1_u128 << model.spare_bits;
            // In units of 2^-(precision + 1) a sample.
            let mut one = BTreeMap::<i64, u128>::new();
            for j in 0..=t.len() {
                let upper = if j == 0 { 1 << precision } else { t[j - 1] };
                let mass = upper - t.get(j).copied().unwrap_or(0);
                *one.entry(j as i64).or_default() += mass;
                *one.entry(if folded { -(j as i64) } else { j as i64 }).or_default() += mass;
            }
            let (draw_bits, long_bits) = (lead_bits + 1, model.fine_bits);
            let mut joint = BTreeMap::<Vec<i64>, u128>::new();
            // Each sample may need a long draw.
            let (all, mut overflows) = (1_u128 << (n * (draw_bits + long_bits)), 0);
            for string in 0..all {
                let piece = |at: u32, bits: u32| string >> at & ((1 << bits) - 1);
                let draws: Vec<_> =
                    (0..n).map(|i| piece(i * draw_bits, draw_bits)).map(|d| (d & 1 != 0, d >> 1)).collect();
                let long: Vec<_> = (0..n).map(|k| piece(n * draw_bits + k * long_bits, long_bits)).collect();
                let (long, further) = long.split_at(slots as usize);
                let mut further = further.iter();
                let samples = model.batch(2, &draws, long, || *further.next().unwrap());
                *joint.entry(samples).or_default() += 1;
                overflows += u128::from(further.len() < (n - slots) as usize);
            }
            // Σ_{i > K} C(n, i) open^i decided^(n-i), of 2^(L n).
            let choose = |i: u32| (0..i).fold(1_u128, |c, k| c * u128::from(n - k) / u128::from(k + 1));
            let tail: u128 =
                (slots + 1..=n).map(|i| choose(i) * open.pow(i) * ((1 << lead_bits) - open).pow(n - i)).sum();
            assert_eq!(overflows, tail << (n + n * long_bits));
            for (samples, count) in &joint {
                let product: u128 = samples.iter().map(|x| one.get(x).copied().unwrap_or(0)).product();
                // count/all against product/2^((precision+1)n).
                assert_eq!(count << ((precision + 1) * n), product * all, "{samples:?}, {t:?}, {slots} slots");
            }
            seen += overflows;
        }
    }
    assert!(seen > 0);
}

/// log2 of Σ_{i > K} C(N, i) p^i (1-p)^(N-i), summed directly in doubles.
fn log2_tail(samples: usize, slots: usize, open_bits: u32) -> f64 {
    let (n, p) = (samples as f64, 0.5_f64.powi(open_bits as i32));
    let log = |i: f64| {
        let choose = libm::lgamma(n + 1.0) - libm::lgamma(i + 1.0) - libm::lgamma(n - i + 1.0);
        (choose + i * p.ln() + (n - i) * (-p).ln_1p()) / 2_f64.ln()
    };
    let most = log(slots as f64 + 1.0);
    let sum: f64 = (slots + 1..=samples).map(|i| (log(i as f64) - most).exp2()).sum();
    most + sum.log2()
}

#[test]
fn the_overflows_bound_is_close_above_the_direct_sum() {
    let mut seen = Vec::new();
    for table in tables() {
        let (open_bits, bound) = (table.open_bits(), f64::from(table.log2_overflow()));
        let least = -f64::from(table.table().precision()) - 8.0;
        assert!(bound <= least);
        let mut direct = f64::NEG_INFINITY;
        for samples in (COLUMNS..=LAZY_BATCH).step_by(COLUMNS) {
            let slots = table.slots(samples);
            assert!(slots == table.slots(samples - COLUMNS + 1) && slots % 8 == 0 && (8..=samples).contains(&slots));
            if slots < samples {
                direct = direct.max(log2_tail(samples, slots, open_bits));
            }
            // With fewer slots it would not do.
            assert!(slots == 8 || log2_tail(samples, slots - 8, open_bits) > least - 1.1, "{samples}: {slots}");
        }
        // An integer above it; doubles err by less than 1e-6 here.
        assert!(bound > direct - 1e-6 && bound < direct + 1.1, "2^-{open_bits}: {bound}, {direct}");
        assert_eq!(table.bound(), table.table().bound());
        seen.push(open_bits);
    }
    assert!(seen.contains(&15) && seen.iter().min() < Some(&9), "{seen:?}");
}

/// Bytes that are given, and then those of a counter; what is declassified.
#[derive(Clone, Default)]
struct Script {
    bytes: Vec<u8>,
    at: usize,
    outcomes: Vec<u32>,
}

/// The byte at this place behind the given ones.
fn later(at: usize) -> u8 {
    (at as u8).wrapping_mul(151)
}

impl BitSource for Script {
    fn bits(&mut self, n: u32) -> u64 {
        assert!(n == 64 || n == 8 && self.at >= self.bytes.len(), "words, and bytes behind them");
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or(later(at));
        let digits = n as usize / 8;
        let word = (0..digits).fold(0, |word, i| word | u64::from(byte(self.at + i)) << (8 * i));
        self.at += digits;
        word
    }
    fn declassify(&mut self, outcome: u32) -> u32 {
        self.outcomes.push(outcome);
        outcome
    }
    fn condemn(&mut self) {
        panic!("the batch is made in any case");
    }
}

/// A batch of these draws and slots as the stream has them.
fn script(table: &Table, draws: &[(bool, u128)], slots: &[u128]) -> Script {
    let folded = table.table().shape() == Shape::Folded;
    let mut bytes = Vec::new();
    for row in draws.chunks(COLUMNS) {
        let draw =
            |at: usize| row.get(at).map_or(0, |(sign, v)| *v as u16 | if folded { u16::from(*sign) << 15 } else { 0 });
        bytes.extend((0..COLUMNS).map(|at| (draw(at) >> 8) as u8));
        bytes.extend((0..COLUMNS).map(|at| draw(at) as u8));
    }
    for d in (0..table.fine_digits()).rev() {
        bytes.extend(slots.iter().map(|w| (w >> (8 * d)) as u8));
    }
    Script { bytes, ..Script::default() }
}

/// Every backend against the model, for these draws; `slots` are of whole digits.
fn agrees(table: &Table, model: &Model, draws: &[(bool, u128)], slots: &[u128]) {
    let digits = table.fine_digits();
    let padding = 8 * digits as u32 - model.fine_bits;
    let cut: Vec<u128> = slots.iter().map(|w| w >> padding).collect();
    let given = script(table, draws, slots);
    let mut end = given.bytes.len();
    let want = model.batch(COLUMNS, draws, &cut, || {
        end += digits;
        (end - digits..end).fold(0, |w, at| w << 8 | u128::from(later(at))) >> padding
    });
    let overflow = u32::from(end > given.bytes.len());
    let sampler = CdtLazyCt::from_table(table.clone());
    for backend in Backend::available() {
        let (mut source, mut out) = (given.clone(), vec![7_i32; draws.len()]);
        sampler.fill_by(backend, &mut source, &mut out).unwrap();
        let wrong = (0..draws.len()).find(|i| i64::from(out[*i]) != want[*i]);
        assert_eq!(wrong.map(|i| (i, out[i], want[i], draws[i])), None, "{backend}, B = {}", table.table().precision());
        assert_eq!((source.outcomes, source.at), (vec![overflow], end), "{backend}");
    }
}

/// Draws of w for a batch of so many samples.
fn slots(table: &Table, samples: usize, random: &mut Random) -> Vec<u128> {
    let bits = 8 * table.fine_digits() as u32;
    let word = |random: &mut Random| u128::from(random.below(1 << 62)) | u128::from(random.below(1 << 62)) << 62;
    (0..table.slots(samples)).map(|_| word(random) & (u128::MAX >> (128 - bits.min(124)))).collect()
}

fn open_draw(model: &Model, random: &mut Random) -> (bool, u128) {
    (random.coin(), model.d[0] + u128::from(random.below(1 << model.spare_bits)))
}

/// As many open samples as these, at random places, and decided ones at their borders.
#[test]
fn every_backend_is_the_model() {
    let mut random = Random::new(8);
    for table in tables() {
        let model = Model::of_table(table.table());
        let borders: Vec<u128> =
            model.d.iter().flat_map(|d| [d.saturating_sub(1), *d]).filter(|v| *v < model.d[0]).collect();
        for (samples, open) in [
            (LAZY_BATCH, 0),
            (LAZY_BATCH, table.slots(LAZY_BATCH)),
            (LAZY_BATCH, table.slots(LAZY_BATCH) + 1),
            (1000, table.slots(1000)),
            (1000, table.slots(1000) + 1),
            (64, table.slots(64)),
            (64, 5),
            (33, 2),
            (LAZY_BATCH, LAZY_BATCH),
        ] {
            let mut draws: Vec<_> = (0..samples)
                .map(|i| {
                    let v = match borders.get(i) {
                        Some(border) => *border,
                        None => random.below(model.d[0] as u64).into(),
                    };
                    (random.coin(), v)
                })
                .collect();
            let mut left = open.min(samples);
            while left > 0 {
                let at = random.below(samples as u64) as usize;
                if model.decided(draws[at].1).is_some() {
                    draws[at] = open_draw(&model, &mut random);
                    left -= 1;
                }
                if open >= samples {
                    draws.iter_mut().for_each(|draw| *draw = open_draw(&model, &mut random));
                    left = 0;
                }
            }
            let mut slots = slots(&table, samples, &mut random);
            // Thresholds and the numbers beside them, of every F.
            let padding = 8 * table.fine_digits() as u32 - model.fine_bits;
            for slot in &mut slots {
                let f = model.f[random.below(model.f.len() as u64) as usize] << padding;
                *slot = match random.below(4) {
                    0 => f.saturating_sub(1),
                    1 if f >> (8 * table.fine_digits()) == 0 => f,
                    2 => *slot >> random.below(8 * table.fine_digits() as u64),
                    _ => *slot,
                };
            }
            agrees(&table, &model, &draws, &slots);
        }
    }
}

/// Every draw that there is, decided ones at least: their indices; and one open sample at every place of a batch.
#[test]
fn every_draw_and_every_place() {
    let mut random = Random::new(9);
    for (sigma, center) in [("3.2", "0"), ("3.2", "1/3"), ("19.5", "0")] {
        let table = built(sigma, center, 72);
        let model = Model::of_table(table.table());
        let decided: Vec<(bool, u128)> = (0..model.d[0]).map(|v| (v % 3 == 0, v)).collect();
        for draws in decided.chunks(LAZY_BATCH).filter(|draws| draws.len() >= 32) {
            agrees(&table, &model, draws, &slots(&table, draws.len(), &mut random));
        }
        for at in (0..LAZY_BATCH).step_by(if cfg!(debug_assertions) { 7 } else { 1 }).chain([LAZY_BATCH - 1]) {
            let mut draws = decided[..LAZY_BATCH].to_vec();
            draws[at] = open_draw(&model, &mut random);
            // Two in one row, and two in one column.
            draws[at ^ 1] = open_draw(&model, &mut random);
            draws[(at + 64) % LAZY_BATCH] = open_draw(&model, &mut random);
            agrees(&table, &model, &draws, &slots(&table, draws.len(), &mut random));
        }
    }
}

/// Fills of every type, in batches, batches cut short, and one by one; in pieces that are whole batches.
fn one_stream<T: Int + PartialEq + std::fmt::Debug>(table: &Table) {
    let sampler = CdtLazyCt::from_table(table.clone());
    let single = CdtCt::from_table(table.table().clone()).unwrap();
    for len in [1, 31, 32, 33, 64, 65, 2047, 2048, 2049, 2079, 2080, 6000] {
        let mut wide = vec![0_i64; len];
        let mut source = Counted::new(bits(4));
        sampler.fill_by(Backend::Scalar, &mut source, &mut wide).unwrap();
        let count = source.count();
        let (batches, rest) = (len / LAZY_BATCH, len % LAZY_BATCH);
        let slots = |samples: usize| 8 * table.slots(samples) * table.fine_digits();
        let rest = match rest {
            0..32 => rest * single.profile().expected_bits as usize,
            _ => rest.div_ceil(64) * 1024 + slots(rest),
        };
        assert_eq!(count as usize, batches * (16 * LAZY_BATCH + slots(LAZY_BATCH)) + rest, "{len} samples");
        for backend in Backend::available() {
            let mut out = vec![T::ZERO; len];
            sampler.fill_by(backend, &mut bits(4), &mut out).unwrap();
            assert!(out.iter().zip(&wide).all(|(a, b)| a.widen() == *b), "{backend}, {len}");
            let (mut source, mut pieces) = (bits(4), vec![T::ZERO; len]);
            let (head, tail) = pieces.split_at_mut(len.min(LAZY_BATCH));
            sampler.fill_by(backend, &mut source, head).unwrap();
            sampler.fill_by(backend, &mut source, tail).unwrap();
            assert_eq!(pieces, out, "{backend}, {len} in pieces");
        }
    }
    let (mut a, mut b) = (bits(6), bits(6));
    assert!((0..50).all(|_| sampler.sample(&mut a) == single.sample(&mut b)));
}

#[test]
fn all_types_are_one_stream() {
    assert_eq!(<CdtLazyCt<Vec<u32>, Vec<i8>> as Sampler>::BATCH, LAZY_BATCH);
    for precision in [1, 20, 64, 72, 128, 200, 256] {
        one_stream::<i8>(&built("1.7", "0", precision));
        one_stream::<i16>(&built("3.2", "1/3", precision));
    }
    one_stream::<i16>(&built("19.5", "0", 72));
    one_stream::<i32>(&built("19.5", "-100000", 80));
    one_stream::<i64>(&built("30", "1000000000000", 72));
    one_stream::<i64>(&built("30", "3000000000001/3", 72));
}

/// Every draw is open. The fill ends all the same, its samples are of the law's support, and the reader reports why they are worthless.
#[test]
fn a_stuck_source_is_its_readers_fault() {
    for (sigma, center, precision) in [("3.2", "0", 128), ("3.2", "1/3", 72), ("100", "0", 72), ("1.7", "10000", 200)] {
        let table = built(sigma, center, precision);
        let (support, sampler) = (table.support(), CdtLazyCt::from_table(table));
        for backend in Backend::available() {
            let (mut reader, mut out) = (BitReader::new(Ones).latching(), [-1_000_000_i32; 5000]);
            sampler.fill_by(backend, &mut reader, &mut out).unwrap();
            assert!(out.iter().all(|x| support.contains(&i64::from(*x))), "{backend}");
            assert_eq!(reader.fault(), Some(Fault::Constant(0xff)), "{backend}");
            // A sample that does not fit ends the fill.
            let fits = i8::try_from(*support.end()).is_ok();
            let filled = sampler.fill_by(backend, &mut BitReader::new(Ones).latching(), &mut [1_i8; 5000]);
            assert_eq!(filled.is_ok(), fits, "{backend}");
        }
    }
}

#[test]
fn refusals_say_what_is_allowed() {
    let refused = |sigma: &str, precision| {
        let options = CdtOptions { precision, ..CdtOptions::default() };
        build_lazy(&law(sigma, "0"), &options).unwrap_err().to_string()
    };
    assert!(refused("400", 128).starts_with("thresholds = "));
    // 3001 values of equal probability, 21.84 of 2^16: one of 16 samples is open.
    let mut flat: Vec<u32> = (0..3000).map(|i| ((3000 - i) as u64 * (1 << 32) / 3001) as u32).collect();
    flat.resize(3000 * 7, 0);
    let any = table(Shape::Full, 0, 8, &[1]);
    let flat = CdtTable::new(*any.target(), any.bound(), Shape::Full, 0, 200, flat).unwrap();
    let error = split(flat).map(|table| table.slots(LAZY_BATCH)).unwrap_err();
    assert!(error.to_string().ends_with("need more than the 240 slots allowed"), "{error}");
    let fits = CdtLazyCt::from_table(built("100", "0", 72));
    let error = fits.fill(&mut bits(2), &mut [0_i8; 100_000]).unwrap_err();
    assert!(error.to_string().contains("does not fit the output type i8"));
    let table = built("3.2", "0", 72);
    for place in [0, 1, 63, 64, 70, 128, 200, table.parts().len() - 1] {
        let mut parts = table.parts().clone();
        parts[place] = parts[place].wrapping_add(1);
        let error = LazyTable::new(table.table().clone(), parts).unwrap_err();
        assert_eq!(error, TableError::Entry { entry: "parts: byte", index: place });
    }
}

/// A million samples: an error in the law of 0.5 % of a frequent value's probability is seen.
#[test]
fn statistics_of_batches() {
    for (sigma, center, precision) in [("3.2", "0", 128), ("3.2", "1/3", 72), ("19.5", "0", 128), ("100", "0", 72)] {
        let sampler = CdtLazyCt::from_table(built(sigma, center, precision));
        let mut samples = vec![0_i64; 1_000_000];
        sampler.fill(&mut bits(17), &mut samples).unwrap();
        let report = verify(&law(sigma, center), &samples);
        assert!(report.consistent, "{sigma}, {center}: {:?}", rejecting(&report));
    }
}
