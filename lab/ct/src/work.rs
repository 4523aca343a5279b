//! The work of a case: a subject is built, and then asked for integers by one entry.

use crate::secret::Words;
use crate::signers::Signing;
use crate::valgrind;
use rand::distr::Distribution;
use rand_core::Rng;
use samplez::table_sampler;
use samplez::{
    BigGaussian, BitReader, BitSource, Bulk, DiscreteGaussian, FixedPoint, Int, Modulus, Noise, RandDistribution,
    RangeError, Rational, Recipe, RoundMethod, Rounder, Rounding, Sampler, Sigmas, Source, Stream, bindings::BLOCK,
    bindings::Slots,
};
use samplez::{CenteredBinomial, SparseTernary, TUniform, Ternary};
use samplez_core::samplers::{
    CdtCt, CdtCtSmall, CdtLazyCt, ConvolutionCt, Isochronous, KnuthYaoCt, ProposalStore, SamplerZ, SmallWidth,
    StripRounder, StripWidth,
};
use samplez_ct::subjects::{Choice, Dtype, Entry};
use samplez_tables::{
    CdtOptions, ConvolutionOptions, ExactHeights, PlainTable, Whole, build_cdt, build_convolution, build_isochronous,
    build_lazy, build_pooled, parts,
};
use std::hint::black_box;

/// A reader of the program's own.
type Reader<'a> = BitReader<Words<'a>>;

/// A sampler as its type has it, and behind a pointer.
pub(crate) trait Own: Noise {
    fn own_sample(&self, bits: &mut Reader<'_>) -> i64;
    fn own_fill(&self, bits: &mut Reader<'_>, out: Slots<'_>) -> Result<(), RangeError>;
}

impl<S: Sampler + Send + Sync> Own for S {
    fn own_sample(&self, bits: &mut Reader<'_>) -> i64 {
        self.sample(bits)
    }
    fn own_fill(&self, bits: &mut Reader<'_>, out: Slots<'_>) -> Result<(), RangeError> {
        match out {
            Slots::I8(out) => self.fill(bits, out),
            Slots::I16(out) => self.fill(bits, out),
            Slots::I32(out) => self.fill(bits, out),
            Slots::I64(out) => self.fill(bits, out),
        }
    }
}

/// What is asked.
pub(crate) enum Subject {
    Own(Box<dyn Own>),
    Noise(Box<dyn Noise>),
    Strips(Box<(StripRounder, [StripWidth; 2])>),
    /// A σ, for a rounder's streams.
    Sigma(Rational),
    Small(SmallWidth),
    Store(SmallWidth),
    StripStore(Box<(StripRounder, [StripWidth; 2])>),
    Big(Box<BigGaussian>),
    Modulus(Modulus),
    Sparse,
    Center,
    Inverse,
    Source(Source),
}

fn rational(text: &str) -> Rational {
    text.parse().expect("a rational")
}

/// The rounder of two widths, and these.
fn strips(law: &str) -> Box<(StripRounder, [StripWidth; 2])> {
    let (min, max) = law.split_once(' ').expect("two widths");
    let rounder = StripRounder::new(rational(min), rational(max)).expect("a range allowed");
    let width = |sigma| rounder.width(rational(sigma)).expect("an end of the range");
    Box::new((rounder, [width(min), width(max)]))
}

impl Subject {
    /// # Panics
    ///
    /// If there is no such subject.
    pub(crate) fn new(name: &str, law: &str) -> Self {
        match name {
            "StripRounder" => Subject::Strips(strips(law)),
            "RoundMethod::Strips" => Subject::Sigma(rational(law)),
            "SamplerZ" => Subject::Small(SamplerZ::FALCON_512.width(rational(law)).expect("a width allowed")),
            "ProposalStore" if law.contains(' ') => Subject::StripStore(strips(law)),
            "ProposalStore" => Subject::Store(SamplerZ::FALCON_512.width(rational(law)).expect("a width allowed")),
            "BigGaussian" => Subject::Big(Box::new(law.parse().expect("a recipe"))),
            "Modulus" => Subject::Modulus(Modulus::new(law.parse().expect("a number")).expect("a modulus")),
            "Ternary" => Subject::Own(Box::new(Ternary)),
            "CenteredBinomial" => {
                let eta = law.parse().expect("a number");
                Subject::Own(Box::new(CenteredBinomial::new(eta).expect("a number of bits allowed")))
            }
            "TUniform" => {
                let bound_log2 = law.parse().expect("a number");
                Subject::Own(Box::new(TUniform::new(bound_log2).expect("a bound allowed")))
            }
            "SparseTernary" => Subject::Sparse,
            "exact" | "Samples" => Subject::Noise(noise(law)),
            "table_sampler" => Subject::Noise(of_table(law)),
            "skellam" => Subject::Noise(noise(&format!("skellam={law}"))),
            "discrete-laplace" => Subject::Noise(noise(&format!("laplace={law}"))),
            "FixedPoint::from_f64" => Subject::Center,
            "SamplerZ::width_of_inverse" => Subject::Inverse,
            name if name.starts_with(char::is_uppercase) => Subject::Own(own(name, &law.parse().expect("a recipe"))),
            name => match name.parse() {
                Ok(source) => Subject::Source(source),
                Err(_) => Subject::Noise(noise(&format!("method={name},{law}"))),
            },
        }
    }
}

/// The sampler of a recipe.
///
/// # Panics
///
/// If there is none.
pub(crate) fn noise(recipe: &str) -> Box<dyn Noise> {
    let recipe: Recipe = recipe.parse().expect("a recipe");
    recipe.build().expect("a law that the method allows").into_sampler()
}

/// The sampler of a table: its form and its entries.
fn of_table(text: &str) -> Box<dyn Noise> {
    let mut words = text.split(' ');
    let form = words.next().unwrap_or_default().parse().expect("a form");
    let entries = words.map(|word| Whole::from(word.parse::<u128>().expect("a number"))).collect();
    let law = DiscreteGaussian::with_sigma("1.4".parse().expect("a number")).expect("a law");
    table_sampler(&PlainTable::new(&law, &form, entries).expect("a table")).expect("a form that has a sampler")
}

/// A sampler by its type.
fn own(name: &str, recipe: &Recipe) -> Box<dyn Own> {
    let (law, options) = (&recipe.gaussian().expect("a Gaussian"), recipe.options);
    let default = CdtOptions::default();
    let precision = options.precision.unwrap_or(default.precision);
    let options = CdtOptions { precision, ..default };
    let cdt = || CdtCt::from_table(build_cdt(law, &options).expect("a small table")).expect("a small table");
    match name {
        "CdtCt" => Box::new(cdt()),
        "CdtCtSmall" => Box::new(CdtCtSmall::from(cdt())),
        "CdtLazyCt" => Box::new(CdtLazyCt::from_table(build_lazy(law, &options).expect("a small table"))),
        "KnuthYaoCt" => Box::new(KnuthYaoCt::from_table(build_pooled(law, &options).expect("a small table"))),
        "ConvolutionCt" => {
            let options = ConvolutionOptions { precision, bound: precision, ..ConvolutionOptions::constant_time() };
            let table = build_convolution(law, &options).expect("a small table");
            let parts = parts(table.base(), options.max_bytes).expect("a small table");
            Box::new(ConvolutionCt::from_table(table, parts).expect("its own parts"))
        }
        "Isochronous" => Box::new(Isochronous::new(law).expect("a sigma that it allows")),
        "FilteredIsochronous" => Box::new(build_isochronous(law).expect("a sigma that it allows")),
        name => panic!("{name}: no type of a sampler"),
    }
}

/// A piece of work over secret words.
pub(crate) enum Work {
    Of(Subject, Entry, Dtype, usize),
    Sign(Signing),
    /// Single samples of a sampler, none of which depends on what is public.
    Plain(Box<dyn Noise>),
    /// A constant-time sampler whose samples are then branched on.
    Branch(Box<dyn Noise>),
    /// A constant-time sampler whose samples are then looked up.
    Index(Box<dyn Noise>, Box<[u8; 4096]>),
}

/// Samples of a control.
const SINGLE: usize = 16;

impl Work {
    pub(crate) fn new(choice: &Choice) -> Self {
        let Choice { subject, law, entry, dtype, length, .. } = *choice;
        Work::Of(Subject::new(subject.name, law), entry, dtype, length)
    }

    /// Does it.
    #[inline(never)]
    pub(crate) fn run(&self, words: Words<'_>) {
        let mut out = [0_i64; SINGLE];
        match self {
            Work::Of(subject, entry, dtype, length) => return subject.run(*entry, *dtype, *length, words),
            Work::Sign(signing) => out = signing.run(words).map(i64::from),
            Work::Plain(noise) => {
                let mut bits = BitReader::new(words);
                out.fill_with(|| noise.sample(&mut bits));
            }
            Work::Branch(noise) => {
                let mut bits = BitReader::new(words);
                for slot in &mut out {
                    *slot = noise.sample(&mut bits);
                    if *slot == 0 {
                        *slot = black_box(work_for_nothing());
                    }
                }
            }
            Work::Index(noise, lines) => {
                let mut bits = BitReader::new(words);
                for slot in &mut out {
                    let place = (64 * (noise.sample(&mut bits) + 32)) as usize % 4096;
                    *slot = black_box(lines[place]).into();
                }
            }
        }
        black_box(out);
    }
}

fn work_for_nothing() -> i64 {
    (0..20).fold(0, |sum: i64, i| black_box(sum.wrapping_mul(3).wrapping_add(i)))
}

/// So many samples of a type by this.
fn filled<T: Int>(length: usize, fill: impl FnOnce(&mut [T])) {
    let mut out = vec![T::ZERO; length];
    fill(&mut out);
    black_box(out);
}

/// With the type of this name.
macro_rules! typed {
    ($dtype:expr, $t:ident => $call:expr) => {
        match $dtype {
            Dtype::I8 => {
                type $t = i8;
                $call
            }
            Dtype::I16 => {
                type $t = i16;
                $call
            }
            Dtype::I32 => {
                type $t = i32;
                $call
            }
            Dtype::I64 => {
                type $t = i64;
                $call
            }
        }
    };
}

/// A fill of a law whose samples all fit, from a generator that does not fail.
const FITS: &str = "a type that holds every sample";

/// A centre near -5, by secret bits.
fn secret_center(bits: &mut Reader<'_>) -> FixedPoint {
    FixedPoint::from_parts(-5, bits.bits(64)).expect("a small one")
}

impl Subject {
    fn run(&self, entry: Entry, dtype: Dtype, length: usize, words: Words<'_>) {
        match self {
            Subject::Own(sampler) => {
                let mut bits = BitReader::new(words);
                match entry {
                    Entry::OwnSample => (0..length).for_each(|_| _ = black_box(sampler.own_sample(&mut bits))),
                    _ => typed!(dtype, T => filled(length, |out: &mut [T]| {
                        sampler.own_fill(&mut bits, T::slots(out)).expect(FITS);
                    })),
                }
            }
            Subject::Noise(noise) => typed!(dtype, T => sampled::<T>(&**noise, entry, length, words)),
            Subject::Strips(of) => rounded(&of.0, of.1, entry, length, words),
            Subject::Sigma(sigma) => streamed(*sigma, entry, length, words),
            Subject::Small(width) => small(*width, entry, length, words),
            Subject::Store(width) => stored(*width, length, words),
            Subject::StripStore(strips) => stored_strips(&strips.0, strips.1, entry, length, words),
            Subject::Big(big) => _ = black_box(big.draw(&mut Stream::new(words), length)),
            Subject::Modulus(modulus) => typed!(dtype, T => reduced::<T>(*modulus, length, words)),
            Subject::Sparse => {
                let law = SparseTernary::new(length, length.div_ceil(2)).expect("a weight allowed");
                filled(length, |out: &mut [i64]| {
                    Stream::new(words).fill_sparse(&law, out).expect("a generator that does not fail");
                });
            }
            Subject::Center => {
                let double = f64::from_bits(BitReader::new(words).bits(64));
                black_box(FixedPoint::from_f64(double));
            }
            Subject::Inverse => {
                let inverse = f64::from_bits(0x3fe << 52 | BitReader::new(words).bits(51));
                black_box(SamplerZ::FALCON_512.width_of_inverse(inverse));
            }
            Subject::Source(source) => {
                let mut words = words;
                let mut rng = source.seeded(&words.seed()).expect("a source that takes a seed");
                filled::<i8>(length, |out| {
                    let mut bytes = vec![0; length];
                    rng.fill_bytes(&mut bytes);
                    out.iter_mut().zip(bytes).for_each(|(slot, byte)| *slot = byte.cast_signed());
                });
            }
        }
    }
}

/// A method's sampler, as it is behind a recipe.
fn sampled<T: Int>(noise: &dyn Noise, entry: Entry, length: usize, mut words: Words<'_>) {
    match entry {
        Entry::Sample => {
            let mut bits = BitReader::new(words);
            (0..length).for_each(|_| _ = black_box(noise.sample(&mut bits)));
        }
        Entry::StreamSample => {
            let mut stream = Stream::new(words);
            (0..length).for_each(|_| _ = black_box(stream.sample(noise)));
        }
        Entry::StreamFill => {
            let mut stream = Stream::new(words);
            filled(length, |out: &mut [T]| stream.fill(noise, out).expect(FITS));
        }
        Entry::StreamShort => {
            let mut stream = Stream::new(words);
            let mut samples = stream.samples(noise);
            for _ in 0..3 {
                filled(length, |out: &mut [T]| samples.fill(out).expect(FITS));
            }
        }
        Entry::RandSample => {
            let (distribution, mut words) = (RandDistribution::new(noise), words);
            (0..length).for_each(|_| _ = black_box(distribution.sample(&mut words)));
        }
        Entry::RandFill => {
            let distribution = RandDistribution::new(noise).narrow::<T>().expect(FITS);
            filled(length, |out: &mut [T]| {
                out.iter_mut().zip(distribution.fill_iter(words)).for_each(|(slot, sample)| *slot = sample);
            });
        }
        Entry::Whole => {
            let bulk = Bulk::new(noise, Source::ChaCha20, words.seed());
            filled(BLOCK as usize + length, |out: &mut [T]| bulk.fill(0, out).expect(FITS));
        }
        Entry::Short => {
            // The second makes samples ahead, of which the third copies some.
            let bulk = Bulk::new(noise, Source::ChaCha20, words.seed());
            for first in [5, 5 + length, 5 + 2 * length] {
                filled(length, |out: &mut [T]| bulk.fill(first as u64, out).expect(FITS));
            }
        }
        Entry::Inside => {
            let bulk = Bulk::with_generators(noise, |block| words.another(block));
            filled(length, |out: &mut [T]| bulk.fill(3 * BLOCK + 4099, out).expect(FITS));
        }
        _ => {
            let mut bits = BitReader::new(words);
            filled(length, |out: &mut [T]| noise.fill(&mut bits, out).expect(FITS));
        }
    }
}

/// Calls, each with a secret centre and one of two widths by a secret bit.
fn strip_calls([one, other]: [StripWidth; 2], length: usize, bits: &mut Reader<'_>) -> Vec<(FixedPoint, StripWidth)> {
    (0..length).map(|_| (secret_center(bits), one.either(other, bits.bits(1).wrapping_neg()))).collect()
}

fn rounded(rounder: &StripRounder, widths: [StripWidth; 2], entry: Entry, length: usize, words: Words<'_>) {
    let mut bits = BitReader::new(words);
    let calls = strip_calls(widths, length, &mut bits);
    // For trials that are close.
    let law = "sigma=3.2,center=1/3".parse::<Recipe>().expect("a recipe").gaussian().expect("a Gaussian");
    filled(length, |out: &mut [i64]| match entry {
        Entry::Round => out.iter_mut().zip(&calls).for_each(|(slot, call)| *slot = rounder.round(*call, &mut bits)),
        Entry::RoundAll => rounder.round_all(&calls, &mut bits, out),
        Entry::RoundRefined => {
            for (slot, call) in out.iter_mut().zip(&calls) {
                *slot = rounder.round_refined(*call, || ExactHeights::new(&law), &mut bits);
            }
        }
        Entry::BatchRefined => rounder.round_batch_refined(&calls, |_| ExactHeights::new(&law), &mut bits, out),
        _ => rounder.round_batch(&calls, &mut bits, out),
    });
}

/// Calls through a stream, whose centres and widths are public.
fn streamed(sigma: Rational, entry: Entry, length: usize, words: Words<'_>) {
    let mut stream = Stream::new(words);
    let centers: Vec<f64> = (0..length).map(|i| i as f64 / 3.0).collect();
    let sigmas: Vec<f64> = (0..length).map(|i| sigma.to_f64() * (1 + i % 3) as f64).collect();
    filled(length, |out: &mut [i64]| match entry {
        Entry::StreamRound => {
            let rounding = Rounding::new(RoundMethod::Strips, sigma).expect("a width allowed");
            let center = rounding.center("1/3".parse().expect("a rational")).expect("a center allowed");
            out.fill_with(|| stream.round(&rounding, center).expect("a generator that does not fail"));
        }
        Entry::StreamRoundAll => {
            stream.round_all(RoundMethod::Strips, Sigmas::One(sigma), &centers, out).expect("parameters allowed");
        }
        _ => stream.sample_each(Sigmas::Each(&sigmas), &centers, out).expect("parameters allowed"),
    });
}

/// Calls of Falcon's sampler, each with a secret centre and a secret width.
fn small(width: SmallWidth, entry: Entry, length: usize, words: Words<'_>) {
    let mut bits = BitReader::new(words);
    let calls: Vec<_> = (0..length).map(|_| (secret_center(&mut bits), width)).collect();
    valgrind::make_secret(&calls);
    filled(length, |out: &mut [i64]| match entry {
        Entry::Trial => {
            for (slot, (center, width)) in out.iter_mut().zip(&calls) {
                let words = [bits.bits(64), bits.bits(64)];
                let (z, probability) = SamplerZ::trial(*width, center.fraction(), words);
                *slot = z ^ probability.cast_signed();
            }
        }
        _ => SamplerZ::FALCON_512.round_batch(&calls, &mut bits, out),
    });
}

fn stored(width: SmallWidth, length: usize, words: Words<'_>) {
    let mut bits = BitReader::new(words);
    let calls: Vec<_> = (0..length).map(|_| (secret_center(&mut bits), width)).collect();
    valgrind::make_secret(&calls);
    let mut store = ProposalStore::new(SamplerZ::FALCON_512, bits);
    filled(length, |out: &mut [i64]| {
        out.iter_mut().zip(&calls).for_each(|(slot, (center, width))| *slot = store.round(*center, *width));
    });
}

fn stored_strips(rounder: &StripRounder, widths: [StripWidth; 2], entry: Entry, length: usize, words: Words<'_>) {
    let mut bits = BitReader::new(words);
    let calls = strip_calls(widths, length, &mut bits);
    let mut store = ProposalStore::new(*rounder, bits);
    // For trials that are close.
    let law = "sigma=3.2,center=1/3".parse::<Recipe>().expect("a recipe").gaussian().expect("a Gaussian");
    filled(length, |out: &mut [i64]| {
        for (slot, (center, width)) in out.iter_mut().zip(&calls) {
            *slot = match entry {
                Entry::RoundRefined => store.round_refined(*center, *width, || ExactHeights::new(&law)),
                _ => store.round(*center, *width),
            };
        }
    });
}

/// Secret integers modulo q, all and one by one.
fn reduced<T: Int>(modulus: Modulus, length: usize, words: Words<'_>) {
    let mut bits = BitReader::new(words);
    let integers: Vec<T> = (0..length).map(|_| T::wrapping(bits.bits(64).cast_signed())).collect();
    let mut rows = vec![0; 2 * length];
    let (all, single) = rows.split_at_mut(length);
    modulus.residues(&integers, all);
    single.iter_mut().zip(&integers).for_each(|(slot, x)| *slot = modulus.residue(x.widen()));
    black_box(rows);
}
