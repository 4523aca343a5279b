//! Samplers on the random bits that the fuzzer chooses. Vectorized code and batches give the samples of the plain code, and use
//! as many bits. A sampler that has a definition in plain integers is compared with it.

use crate::input::{Input, Tape};
use samplez_core::table::Table;
#[allow(dead_code, reason = "the tests read more of it")]
#[path = "../../check/tests/common/lazy.rs"]
mod lazy;
use lazy::Model;
use samplez_core::arch::Backend;
use samplez_core::bits::BitSource;
use samplez_core::samplers::{
    Bernoulli, CdtCt, CdtCtSmall, CdtGuided, CdtLazyCt, Cks, Convolution, ConvolutionCt, DuWei4, DuWei5, Isochronous,
    Karney, KnuthYao, StripRounder, TableRejection, Ziggurat,
};
use samplez_core::table::{
    BernoulliTable, CdtTable, ConvolutionTable, GuidedTable, KnuthYaoTable, LazyTable, RejectionTable, Shape,
    ZigguratTable,
};
use samplez_core::testing::LAZY_BATCH;
use samplez_core::{Bound, DiscreteGaussian, FixedPoint, Int, RangeError, Rational, Sampler, Width};
use samplez_tables::{
    BernoulliOptions, CdtOptions, ConvolutionOptions, KnuthYaoOptions, RejectionOptions, ZigguratOptions,
    build_bernoulli, build_cdt, build_convolution, build_knuth_yao, build_rejection, build_ziggurat, guide, parts,
};
use std::sync::LazyLock;

/// The most samples of an input: a batch of the lazy samplers, and what is left over of another.
const MOST: usize = LAZY_BATCH + 100;
const ROW: usize = 64;
const LEAST: usize = 32;

type Cdts = CdtTable<Vec<u32>>;

/// One byte each for the sampler, its law, the output type and where the output is cut in two; two for the number of
/// samples. Then a table of thresholds, where the sampler takes any; then the random bits.
pub fn samplers(data: &[u8]) {
    let mut input = Input(data);
    let [sampler, law, dtype, cut] = [(); 4].map(|()| input.byte());
    let count = usize::from(input.u16()) % MOST;
    let law = usize::from(law);
    let tables = &*TABLES;
    let call = |tape| Call { tape, dtype, count, cut: count * usize::from(cut) / 256 };
    match sampler % 14 {
        0 => {
            let table = thresholds(law, &mut input, 256);
            constant(&table, call(Tape::new(input.0)));
        }
        1 => {
            let table = thresholds(law, &mut input, 119);
            let Ok(table) = LazyTable::with_parts_in(table, |len| vec![0; len]) else { return };
            lazily(&table, call(Tape::new(input.0)));
        }
        2 => {
            let table = thresholds(law, &mut input, 256);
            let bits = u32::from(input.byte()) % table.head_bits().min(12) + 1;
            let table = GuidedTable::with_guide_in(table, vec![0; 1 << bits]).expect("a guide of its length");
            call(Tape::new(input.0)).repeated(&CdtGuided::from_table(table));
        }
        3 => convolved(&tables.sums[law % tables.sums.len()], call(Tape::new(input.0))),
        n => {
            let call = call(Tape::new(input.0));
            match n {
                4 => {
                    let table = &tables.wide[law % tables.wide.len()];
                    let guide = guide(table.base(), 1 << 15).expect("a guide fits");
                    call.repeated(&Convolution::from_table(table.clone(), guide).expect("a guide to its base"));
                }
                5 => isochronous(&Isochronous::new(&ISOCHRONOUS[law % ISOCHRONOUS.len()]).expect("a law it has"), call),
                6 => walk(&tables.trees[law % tables.trees.len()], call),
                7 => call.repeated(&Ziggurat::from_table(tables.ziggurats[law % tables.ziggurats.len()].clone())),
                8 => {
                    let table = tables.heights[law % tables.heights.len()].clone();
                    call.repeated(&TableRejection::from_table(table).expect("a short table"));
                }
                9 => call.repeated(&Bernoulli::from_table(tables.coins[law % tables.coins.len()].clone())),
                10 => call.repeated(&Bernoulli::from_table(tables.coins[law % tables.coins.len()].clone()).frugal()),
                11 => {
                    let law = &RATIONAL[law % RATIONAL.len()];
                    call.repeated(&Karney::new(law).expect("a law it has"));
                    let _ = Cks::new(law).map(|sampler| call.repeated(&sampler));
                }
                12 => {
                    let _ = DuWei4::new(&RATIONAL[law % RATIONAL.len()]).map(|sampler| call.repeated(&sampler));
                    let _ = DuWei5::new(&BINARY[law % BINARY.len()]).map(|sampler| call.repeated(&sampler));
                }
                _ => rounded(law, call),
            }
        }
    }
}

fn law(width: Width, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().expect("a number"), width).expect("a width above 0")
}

fn gaussian(sigma: &str, center: &str) -> DiscreteGaussian {
    law(Width::Sigma(sigma.parse().expect("a number")), center)
}

static RATIONAL: LazyLock<[DiscreteGaussian; 6]> = LazyLock::new(|| {
    [("1", "0"), ("3.2", "0"), ("3.2", "1/3"), ("215", "-7"), ("4", "1000000"), ("1.6e5", "0")]
        .map(|(sigma, center)| gaussian(sigma, center))
});

static BINARY: LazyLock<[DiscreteGaussian; 3]> =
    LazyLock::new(|| [1, 9, 254].map(|k| law(Width::KSigma2(Rational::from(k)), "5")));

static ISOCHRONOUS: LazyLock<[DiscreteGaussian; 8]> = LazyLock::new(|| {
    [
        ("1", "0"),
        ("2", "1/2"),
        ("3.2", "-7/3"),
        ("19.5", "0"),
        ("217.7", "-1/8"),
        ("1000", "123456789012345.6"),
        ("222823", "1/2"),
        ("67108864", "0"),
    ]
    .map(|(sigma, center)| gaussian(sigma, center))
});

/// Tables that take a while to build.
struct Tables {
    cdts: Vec<Cdts>,
    /// For lazy bases.
    sums: Vec<ConvolutionTable<Vec<u32>>>,
    wide: Vec<ConvolutionTable<Vec<u32>>>,
    trees: Vec<KnuthYaoTable<Vec<u32>>>,
    ziggurats: Vec<ZigguratTable<Vec<u32>>>,
    heights: Vec<RejectionTable<Vec<u32>>>,
    coins: Vec<BernoulliTable<Vec<u32>>>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let cdt = |precision| CdtOptions { precision, ..CdtOptions::default() };
    let ziggurat = |rectangles, precision, chord, stored| ZigguratOptions {
        rectangles,
        precision,
        omega: precision,
        chord,
        stored,
        ..ZigguratOptions::default()
    };
    let tree = |precision, first_levels| KnuthYaoOptions { cdt: cdt(precision), first_levels };
    Tables {
        cdts: [("3.2", "0", 112), ("3.2", "1/3", 72), ("0.4", "0", 119), ("19.5", "0", 72), ("9.5", "1/2", 33)]
            .map(|(sigma, center, precision)| build_cdt(&gaussian(sigma, center), &cdt(precision)).expect("a table"))
            .into(),
        sums: [("5", "0", 20), ("6", "-3", 72), ("215", "9", 100), ("1.6e5", "-1000", 72)]
            .map(|(sigma, center, precision)| {
                let options = ConvolutionOptions { precision, bound: precision, ..ConvolutionOptions::constant_time() };
                build_convolution(&gaussian(sigma, center), &options).expect("a table")
            })
            .into(),
        wide: [("215", "0", 72), ("1.6e5", "3", 40)]
            .map(|(sigma, center, precision)| {
                let options = ConvolutionOptions { precision, bound: precision, ..ConvolutionOptions::default() };
                build_convolution(&gaussian(sigma, center), &options).expect("a table")
            })
            .into(),
        trees: [
            ("3.2", "0", tree(128, None)),
            ("3.2", "1/3", tree(40, Some(3))),
            ("0.4", "5", tree(8, Some(0))),
            ("19.5", "-1/2", tree(64, Some(8))),
        ]
        .map(|(sigma, center, options)| build_knuth_yao(&gaussian(sigma, center), &options).expect("a table"))
        .into(),
        ziggurats: [
            ("3.2", "0", ziggurat(8, 64, true, false)),
            ("19.5", "-9", ziggurat(64, 128, false, true)),
            ("215", "0", ziggurat(256, 20, true, true)),
            ("1000", "1", ziggurat(32, 256, false, false)),
        ]
        .map(|(sigma, center, options)| build_ziggurat(&gaussian(sigma, center), &options).expect("a table"))
        .into(),
        heights: [("3.2", "0", 128), ("0.4", "-5", 8), ("19.5", "0", 33)]
            .map(|(sigma, center, precision)| {
                let options = RejectionOptions { precision, ..RejectionOptions::default() };
                build_rejection(&gaussian(sigma, center), &options).expect("a table")
            })
            .into(),
        coins: BINARY
            .iter()
            .zip([128, 8, 40])
            .map(|(law, precision)| {
                build_bernoulli(law, &BernoulliOptions { precision, ..BernoulliOptions::default() }).expect("a table")
            })
            .collect(),
    }
});

/// A built table, or one of the input's thresholds, in order, of at most so many bits.
fn thresholds(which: usize, input: &mut Input<'_>, most: u32) -> Cdts {
    if let Some(table) = TABLES.cdts.get(which % 8) {
        return table.clone();
    }
    let shape = if which & 8 == 0 { Shape::Folded } else { Shape::Full };
    let (precision, len) = (1 + u32::from(input.byte()) % most, 1 + usize::from(input.byte()));
    let (each, spare) = (precision.div_ceil(32), precision.wrapping_neg() % 32);
    let mut all: Vec<Vec<u32>> = (0..len)
        .map(|_| {
            let mut digits: Vec<u32> = (0..each).map(|_| input.u32()).collect();
            *digits.last_mut().expect("at least one") &= u32::MAX << spare;
            digits
        })
        .collect();
    all.sort_by(|a, b| b.cmp(a));
    let mut digits: Vec<u32> = all.iter().map(|digits| digits[0]).collect();
    digits.extend(all.iter().flat_map(|digits| &digits[1..]));
    let bound = Bound::TRIVIAL;
    CdtTable::new(RATIONAL[0], bound, shape, -3, precision, digits).expect("falling thresholds")
}

/// What a sampler gives, of this type: by one backend, or by the one in use.
trait Fill {
    fn fill<T: Int>(&self, bits: &mut Tape<'_>, out: &mut [T]) -> Result<(), RangeError>;
}

struct Own<'a, S>(&'a S);

impl<S: Sampler> Fill for Own<'_, S> {
    fn fill<T: Int>(&self, bits: &mut Tape<'_>, out: &mut [T]) -> Result<(), RangeError> {
        self.0.fill(bits, out)
    }
}

struct By<'a, S>(&'a S, Backend);

macro_rules! by_backend {
    ($($sampler:ty),*) => {$(
        impl Fill for By<'_, $sampler> {
            fn fill<T: Int>(&self, bits: &mut Tape<'_>, out: &mut [T]) -> Result<(), RangeError> {
                self.0.fill_by(self.1, bits, out)
            }
        }
    )*};
}
by_backend!(
    CdtCt<Vec<u32>>,
    CdtCtSmall<Vec<u32>>,
    CdtLazyCt<Vec<u32>, Vec<i8>>,
    ConvolutionCt<Vec<u32>, Vec<i8>>,
    Isochronous
);

/// The samples that there must be, and where the tape then stands.
struct Want<'a> {
    samples: Vec<i64>,
    end: Tape<'a>,
}

#[derive(Clone, Copy)]
struct Call<'a> {
    tape: Tape<'a>,
    dtype: u8,
    count: usize,
    cut: usize,
}

impl<'a> Call<'a> {
    /// What these samples, one after the other, are.
    fn one_by_one(self, mut sample: impl FnMut(&mut Tape<'a>) -> i64) -> Want<'a> {
        let mut end = self.tape;
        let samples = (0..self.count).map(|_| sample(&mut end)).collect();
        Want { samples, end }
    }

    /// In one piece, for others are another stream.
    fn whole(self, count: usize) -> Self {
        Call { cut: 0, count, ..self }
    }

    /// A fill in two pieces is single samples.
    fn repeated(self, sampler: &impl Sampler) {
        let want = self.one_by_one(|bits| sampler.sample(bits));
        let support = sampler.profile().support;
        assert!(want.samples.iter().all(|x| support.contains(x)));
        self.gives(&Own(sampler), &want);
    }

    fn gives(self, fill: &impl Fill, want: &Want<'_>) {
        match self.dtype % 4 {
            0 => self.gives_as::<i8>(fill, want),
            1 => self.gives_as::<i16>(fill, want),
            2 => self.gives_as::<i32>(fill, want),
            _ => self.gives_as::<i64>(fill, want),
        }
    }

    fn gives_as<T: Int>(self, fill: &impl Fill, want: &Want<'_>) {
        let (mut out, mut bits) = (vec![T::ZERO; self.count], self.tape);
        let (first, second) = out.split_at_mut(self.cut);
        let filled = fill.fill(&mut bits, first).and_then(|()| fill.fill(&mut bits, second));
        if want.samples.iter().any(|x| T::narrow(*x).is_none()) {
            assert_eq!(filled, Err(RangeError::of::<T>()));
            return;
        }
        assert_eq!(filled, Ok(()));
        let wrong = out.iter().zip(&want.samples).position(|(x, want)| x.widen() != *want);
        assert_eq!(wrong.map(|i| (i, out[i].widen(), want.samples[i])), None, "the first sample that is another");
        assert_eq!(bits.at, want.end.at, "the bits used");
    }
}

/// Digits of the thresholds, most significant first.
fn rows(table: &Cdts) -> Vec<Vec<u32>> {
    let (heads, tails) = table.digits().split_at(table.len());
    let more = table.precision().div_ceil(32) as usize - 1;
    heads.iter().enumerate().map(|(j, head)| [&[*head], &tails[j * more..][..more]].concat()).collect()
}

/// Inversion of all of u, which is drawn from its lowest bit up, then the sign.
fn inverted(table: &Cdts, rows: &[Vec<u32>], bits: &mut Tape<'_>) -> i64 {
    let precision = table.precision() as usize;
    let mut u = vec![0_u32; precision.div_ceil(32)];
    for place in (0..precision).rev() {
        u[place / 32] |= u32::from(bits.bit()) << (31 - place % 32);
    }
    let negative = table.shape() == Shape::Folded && bits.bit();
    let index = rows.iter().filter(|threshold| u < **threshold).count() as i64;
    table.first() + if negative { -index } else { index }
}

fn constant(table: &Cdts, call: Call<'_>) {
    let rows = rows(table);
    let want = call.one_by_one(|bits| inverted(table, &rows, bits));
    let sampler = CdtCt::from_table(table.clone()).expect("a short table");
    let single = call.one_by_one(|bits| sampler.sample(bits));
    assert!(single.samples == want.samples && single.end.at == want.end.at, "single samples");
    for backend in Backend::available() {
        call.gives(&By(&sampler, backend), &want);
        call.gives(&By(&CdtCtSmall::from(sampler.clone()), backend), &want);
    }
}

/// What a fill of so many lazy samples draws and gives, by the definition.
fn lazy_fill(table: &LazyTable<Vec<u32>, Vec<i8>>, model: &Model, count: usize, bits: &mut Tape<'_>) -> Vec<i64> {
    let (rows, digits) = (rows(table.table()), table.fine_digits());
    let mut samples = Vec::new();
    for len in std::iter::repeat_n(LAZY_BATCH, count / LAZY_BATCH).chain([count % LAZY_BATCH]) {
        if len < LEAST {
            samples.extend((0..len).map(|_| inverted(table.table(), &rows, bits)));
            continue;
        }
        let mut draws = Vec::new();
        for _ in 0..len.div_ceil(ROW) {
            let [high, low] = [(); 2].map(|()| (0..ROW).map(|_| bits.bits(8)).collect::<Vec<_>>());
            draws.extend(high.iter().zip(low).map(|(high, low)| {
                let draw = u128::from(high << 8 | low);
                if model.folded { (draw >> 15 != 0, draw & 0x7fff) } else { (false, draw) }
            }));
        }
        let mut slots = vec![0_u128; table.slots(len)];
        for _ in 0..digits {
            slots.iter_mut().for_each(|slot| *slot = *slot << 8 | u128::from(bits.bits(8)));
        }
        let padding = 8 * digits as u32 - model.fine_bits;
        slots.iter_mut().for_each(|slot| *slot >>= padding);
        // The rest of the last row has slots too.
        let batch = model
            .batch(ROW, &draws, &slots, || (0..digits).fold(0, |w, _| w << 8 | u128::from(bits.bits(8))) >> padding);
        samples.extend(&batch[..len]);
    }
    samples
}

fn lazily(table: &LazyTable<Vec<u32>, Vec<i8>>, call: Call<'_>) {
    let mut end = call.tape;
    let samples = lazy_fill(table, &Model::of_table(table.table()), call.count, &mut end);
    let want = Want { samples, end };
    let sampler = CdtLazyCt::from_table(table.clone());
    for backend in Backend::available() {
        call.whole(call.count).gives(&By(&sampler, backend), &want);
    }
}

/// Leg by leg sums of what the base gives.
fn convolved(table: &ConvolutionTable<Vec<u32>>, call: Call<'_>) {
    let parts = parts(table.base(), 1 << 20).expect("a base that is drawn lazily");
    let base = LazyTable::new(table.base().clone(), parts.clone()).expect("its parts");
    let model = Model::of_table(table.base());
    let legs = table.levels().iter().fold(vec![1], |legs, (z1, z2)| {
        [z1, z2].into_iter().flat_map(|z| legs.iter().map(move |leg| leg * *z as i64)).collect()
    });
    let count = call.count / legs.len();
    let (mut end, mut samples) = (call.tape, Vec::new());
    for start in (0..count).step_by(LAZY_BATCH / legs.len()) {
        let len = (count - start).min(LAZY_BATCH / legs.len());
        let bases = lazy_fill(&base, &model, len * legs.len(), &mut end);
        let sum = |i: usize| legs.iter().enumerate().map(|(at, leg)| leg * bases[at * len + i]).sum::<i64>();
        samples.extend((0..len).map(|i| table.target().center().num() + sum(i)));
    }
    let sampler = ConvolutionCt::from_table(table.clone(), parts).expect("parts of its base");
    for backend in Backend::available() {
        let want = Want { samples: samples.clone(), end };
        call.whole(count).gives(&By(&sampler, backend), &want);
    }
}

/// Every backend's fill is the portable one. That its trials have the law of single ones is a unit test.
fn isochronous(sampler: &Isochronous, call: Call<'_>) {
    let (mut samples, mut end) = (vec![0; call.count], call.tape);
    sampler.fill_by(Backend::Scalar, &mut end, &mut samples).expect("i64 holds every sample");
    let support = sampler.profile().support;
    assert!(samples.iter().all(|x| support.contains(x)));
    let want = Want { samples, end };
    for backend in Backend::available() {
        call.whole(call.count).gives(&By(sampler, backend), &want);
    }
}

/// The walk down the tree, row by row.
fn walk(table: &KnuthYaoTable<Vec<u32>>, call: Call<'_>) {
    let parts = table.parts();
    let want = call.one_by_one(|bits| {
        let (mut d, mut column) = (0_i64, 0);
        let row = loop {
            d = 2 * d + i64::from(bits.bit());
            let leaf = (0..parts.rows).find(|row| {
                d -= i64::from(table.bit(*row, column));
                d < 0
            });
            match leaf {
                Some(row) => break row as i64,
                None => column += 1,
            }
        };
        let negative = parts.shape == Shape::Folded && row != 0 && bits.bit();
        parts.first + if negative { -row } else { row }
    });
    let sampler = KnuthYao::from_table(table.clone());
    let single = call.one_by_one(|bits| sampler.sample(bits));
    assert!(single.samples == want.samples && single.end.at == want.end.at, "single samples");
    call.gives(&Own(&sampler), &want);
}

/// A centre and a width for each sample: every backend gives what the portable code does.
fn rounded(law: usize, call: Call<'_>) {
    const RANGES: [(&str, &str); 4] = [("1", "2"), ("3.2", "5"), ("215", "215"), ("33554432", "67108864")];
    let (least, most) = RANGES[law % RANGES.len()];
    let [least, most]: [Rational; 2] = [least, most].map(|sigma| sigma.parse().expect("a number"));
    let rounder = StripRounder::new(least, most).expect("a range that it has");
    let widths = rounder.widths([least, most]).expect("widths of the range");
    let mut chosen = call.tape;
    let centers: Vec<_> = (0..call.count % 200)
        .map(|i| {
            let center = Rational::new(chosen.bits(64).cast_signed() >> 2, 1 + chosen.bits(8)).expect("a fraction");
            (FixedPoint::new(center).expect("below 2^62"), widths[i % 2])
        })
        .collect();
    let by = |backend| {
        let (mut out, mut bits) = (vec![0; centers.len()], chosen);
        rounder.round_batch_by(backend, &centers, &mut bits, &mut out);
        (out, bits.at)
    };
    let want = by(Backend::Scalar);
    let reach = (rounder.shape().1 << rounder.shape().0) as i64;
    assert!(want.0.iter().zip(&centers).all(|(x, (center, _))| (x - center.floor()).abs() <= reach));
    for backend in Backend::available() {
        assert!(by(backend) == want, "{backend}");
    }
}
