//! The subjects of the tests, as data: for each the entries by which a program reaches it, the types, lengths and backends,
//! and a set of cases that has every pair of these.

use crate::cover::{covering, with_new_values};
use samplez::bindings::Backend;
use samplez::{Method, Recipe, Sampler, Source, Timing, Width};
use samplez_core::samplers::{CdtCt, CdtCtSmall, CdtLazyCt, ConvolutionCt, Isochronous, KnuthYaoCt};
use std::fmt;

/// What a fill writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the types
pub enum Dtype {
    I8,
    I16,
    I32,
    I64,
}

impl Dtype {
    /// All of them, the narrowest first.
    pub const ALL: [Dtype; 4] = [Dtype::I8, Dtype::I16, Dtype::I32, Dtype::I64];

    /// As NumPy writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Dtype::I8 => "int8",
            Dtype::I16 => "int16",
            Dtype::I32 => "int32",
            Dtype::I64 => "int64",
        }
    }

    fn max(self) -> f64 {
        [i8::MAX as f64, i16::MAX as f64, i32::MAX as f64, i64::MAX as f64][self as usize]
    }
}

/// How integers are asked for.
#[allow(missing_docs)] // each comment is of those below it
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// `Sampler::sample` and `Sampler::fill`, compiled for a reader of the program's own.
    OwnSample,
    OwnFill,
    /// The methods of `dyn Noise`.
    Sample,
    Fill,
    StreamSample,
    StreamFill,
    /// Fills of `Stream::samples`, one after the other.
    StreamShort,
    /// `RandDistribution` over a generator of the program's own: single samples, and its iterator.
    RandSample,
    RandFill,
    /// `Bulk::fill` of a block and more, from the beginning of one.
    Whole,
    /// Short fills of a `Bulk`, one after the other.
    Short,
    /// A fill of a `Bulk` that begins within a block, over generators of the program's own.
    Inside,
    /// `Rounder::round`, `Rounder::round_all`, `round_batch`, and the exact forms of the first and the last.
    Round,
    RoundAll,
    RoundBatch,
    RoundRefined,
    BatchRefined,
    /// `Stream::round` of a `Rounding`, `Stream::round_all` and `Stream::sample_each`. Their centres are public.
    StreamRound,
    StreamRoundAll,
    StreamEach,
    /// One trial of `SamplerZ`.
    Trial,
    /// `BigGaussian::draw`, and `Stream::fill_sparse`.
    Draw,
    /// `Modulus::residues`, into several rows.
    Residues,
    /// A conversion that branches to refuse, and on nothing else.
    Convert,
    /// The bytes of a source under a secret seed.
    Bytes,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for c in format!("{self:?}").chars() {
            name += if c.is_uppercase() { " " } else { "" };
            name.push(c.to_ascii_lowercase());
        }
        f.pad(name.trim())
    }
}

/// Something that claims constant or isochronous time.
#[derive(Clone, Copy)]
pub struct Subject {
    /// A method or a source, by its name, or a public type or function.
    pub name: &'static str,
    /// The entries that it has.
    pub entries: &'static [Entry],
    /// Parameters, most of them a recipe's.
    pub laws: &'static [&'static str],
    /// How many samples are made together.
    pub batch: usize,
}

/// A case: one choice of all.
#[allow(missing_docs)]
#[derive(Clone, Copy)]
pub struct Choice {
    pub subject: Subject,
    pub law: &'static str,
    pub entry: Entry,
    pub dtype: Dtype,
    pub length: usize,
    pub backend: Backend,
    /// Whether the slice of `make test-deep` has it: the slice has every entry, law, type, length and backend of each subject.
    pub quick: bool,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Choice { subject, law, entry, dtype, length, .. } = self;
        let law = law.replace("sigma=", "").replace("center=", "");
        write!(f, "{} {entry}, {}, {length} ({law})", subject.name, dtype.name())
    }
}

use Entry::{
    BatchRefined, Bytes, Convert, Draw, Fill, Inside, OwnFill, OwnSample, RandFill, RandSample, Residues, Round,
    RoundAll, RoundBatch, RoundRefined, Sample, Short, StreamEach, StreamFill, StreamRound, StreamRoundAll,
    StreamSample, StreamShort, Trial, Whole,
};

/// Of a method, by its recipe.
const NOISE: &[Entry] = &[Fill, StreamFill, Whole, Short, Inside, Sample, StreamSample, RandSample, RandFill];
/// Of a sampler's type.
const OWN: &[Entry] = &[OwnFill, OwnSample];

/// Tables of each number of levels that has code of its own, with precisions on both sides of the words of each kernel.
const CDT_CT: &[&str] = &[
    "sigma=3.2,precision=72",
    "sigma=1.7,center=-5,precision=20",
    "sigma=19.5,center=1/3,precision=80",
    "sigma=1.7,center=-5,precision=128",
    "sigma=3.2,precision=200",
    "sigma=3.2,center=1/3,precision=256",
];
const CDT_LAZY_CT: &[&str] = &[
    "sigma=3.2,precision=72",
    "sigma=1.7,center=-5,precision=20",
    "sigma=3.2,center=1/3,precision=128",
    "sigma=9,precision=128",
    "sigma=19.5,precision=72",
    "sigma=100,center=1/3,precision=72",
    "sigma=3.2,precision=200",
    "sigma=3.2,precision=256",
];
const KNUTH_YAO_CT: &[&str] = &[
    "sigma=3.2,precision=72",
    "sigma=1.7,center=-5,precision=20",
    "sigma=3.2,center=1/3,precision=128",
    "sigma=6,precision=128",
    "sigma=8,center=1/3,precision=128",
    "sigma=3.2,precision=200",
    "sigma=5,precision=256",
];
const CONVOLUTION_CT: &[&str] = &[
    "sigma=215,precision=72",
    "sigma=5,precision=20",
    "sigma=1.6e5,center=-7,precision=128",
    "sigma=1e9,precision=200",
    "sigma=100,precision=256",
];
const ISOCHRONOUS: &[&str] =
    &["sigma=215,center=1/3", "sigma=3.2", "sigma=1,center=-1/3", "sigma=1000,center=1/3", "sigma=1e6"];
/// The option `exact`, of the methods whose exact form has code of its own.
const EXACT: &[&str] = &[
    "method=cdt-ct,sigma=3.2,precision=128,exact=true",
    "method=cdt-lazy-ct,sigma=9,center=1/3,precision=72,exact=true",
    "method=knuth-yao-ct,sigma=3.2,precision=72,exact=true",
    "method=isochronous,sigma=215,center=1/3,exact=true",
];
/// The form of a caller's table and its entries: FrodoKEM-1344's errors, and a full line.
const TABLES: &[&str] = &["frodo 18286 14320 6876 2023 364 40 2", "full,tail,first=-2,8 238 178 78 18"];
/// Variances.
const SKELLAM: &[&str] = &["2.5"];
/// Scales: an odd number of coins, and an even one, which is also truncated.
const LAPLACE: &[&str] = &["7/10", "1", "1,clip=2"];
const WIDE: &[&str] = &["sigma=1e8,center=1/3", "sigma=1e15,center=-7/2"];
/// Recipes of `BigGaussian`: proposals of wide laws, decisions of a law nearby, and neither.
const BIG: &[&str] = &[
    "sigma=1e30,center=1/3",
    "sigma=1e100,center=1e200",
    "sigma=3.2000000000000000000000000000000001,center=1/3",
    "sigma=3.2,center=1e300",
];
/// The least and the largest σ.
const RANGES: &[&str] = &["1.2778336969128337 1.8205", "150 215"];

/// Every method that claims constant or isochronous time, by its recipe.
fn method(method: Method) -> Subject {
    let (laws, batch) = match method {
        Method::CdtCt => (CDT_CT, CdtCt::<Vec<u32>>::BATCH),
        Method::CdtLazyCt => (CDT_LAZY_CT, CdtLazyCt::<Vec<u32>, Vec<i8>>::BATCH),
        Method::KnuthYaoCt => (KNUTH_YAO_CT, KnuthYaoCt::<Vec<u32>, Vec<i8>>::BATCH),
        Method::ConvolutionCt => (CONVOLUTION_CT, ConvolutionCt::<Vec<u32>, Vec<i8>>::BATCH),
        Method::Isochronous => (ISOCHRONOUS, Isochronous::BATCH),
        Method::Wide => (WIDE, Isochronous::BATCH),
        // A method that nobody has put here has a case, which fails.
        _ => (&["sigma=3.2"][..], 1),
    };
    Subject { name: method.name(), entries: NOISE, laws, batch }
}

/// Whatever claims constant or isochronous time.
pub fn subjects() -> Vec<Subject> {
    let methods = Method::ALL.into_iter().filter(|method| method.timing() != Timing::Variable);
    let mut subjects: Vec<Subject> = methods.clone().map(method).collect();
    // The type behind a method; `Wide` is no `Sampler`.
    let own = |name, of| Subject { name, entries: OWN, ..method(of) };
    subjects.extend([
        own("CdtCt", Method::CdtCt),
        Subject { batch: CdtCtSmall::<Vec<u32>>::BATCH, ..own("CdtCtSmall", Method::CdtCt) },
        own("CdtLazyCt", Method::CdtLazyCt),
        own("KnuthYaoCt", Method::KnuthYaoCt),
        own("ConvolutionCt", Method::ConvolutionCt),
        own("Isochronous", Method::Isochronous),
        own("FilteredIsochronous", Method::Isochronous),
    ]);
    let other = |name, entries, laws, batch| Subject { name, entries, laws, batch };
    const STRIPS: &[Entry] = &[RoundBatch, Round, RoundAll, BatchRefined, RoundRefined];
    subjects.extend([
        other("StripRounder", STRIPS, RANGES, 256),
        other("RoundMethod::Strips", &[StreamRound, StreamRoundAll, StreamEach], &["1.7", "3.2", "215"], 256),
        other("SamplerZ", &[RoundBatch, Trial], &["1.7"], 256),
        other("ProposalStore", &[Round], &["1.7"], 128),
        other("ProposalStore", &[Round, RoundRefined], &["1.2778336969128337 1.8205", "150 215"], 128),
        other("BigGaussian", &[Draw], BIG, 512),
        other("Ternary", OWN, &[""], 64),
        other("CenteredBinomial", OWN, &["2", "21", "1000"], 64),
        other("TUniform", OWN, &["0", "6"], 64),
        other("SparseTernary", &[Draw], &[""], 64),
        other("exact", NOISE, EXACT, 8192),
        other("skellam", NOISE, SKELLAM, 8192),
        other("discrete-laplace", NOISE, LAPLACE, 64),
        other("Samples", &[StreamShort], &["sigma=3.2", "sigma=215,center=1/3"], 2048),
        other("table_sampler", NOISE, TABLES, CdtCt::<Vec<u32>>::BATCH),
        other("Modulus", &[Residues], &["12289", "65537", "2305843009213693951"], 64),
        other("SamplerZ::width_of_inverse", &[Convert], &[""], 1),
        other("FixedPoint::from_f64", &[Convert], &[""], 1),
    ]);
    let sources = Source::ALL.into_iter().filter(|source| source.is_seeded() && source.is_cryptographic());
    subjects.extend(sources.map(|source| other(source.name(), &[Bytes], &[""], 4096)));
    subjects
}

/// Whether all samples of a law fit the type, with room to spare.
fn holds(law: &str, dtype: Dtype) -> bool {
    let Ok(law) = law.parse::<Recipe>().and_then(|recipe| recipe.gaussian()) else { return true };
    let Width::Sigma(sigma) = law.width() else { return true };
    16.0 * sigma.to_f64() + law.center().to_f64().abs() <= dtype.max()
}

impl Subject {
    /// One sample, less than a row, a row, a part of a batch, a batch, several batches and a rest.
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths = vec![1, 17, 64, 520, self.batch, 2 * self.batch + 77];
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    /// The types that an entry writes.
    pub fn dtypes(&self, entry: Entry) -> &'static [Dtype] {
        match entry {
            // The type must hold their support, which is far wider than their samples.
            RandFill if ["exact", "skellam", "wide", "convolution-ct"].contains(&self.name) => &[Dtype::I64],
            OwnFill | Fill | StreamFill | StreamShort | RandFill | Whole | Short | Inside | Residues => &Dtype::ALL,
            _ => &[Dtype::I64],
        }
    }

    /// The lengths that an entry has.
    fn allows(&self, entry: Entry, length: usize) -> bool {
        match entry {
            OwnSample | Sample | StreamSample | RandSample | Round | RoundRefined | StreamRound | Trial => length <= 64,
            Convert => length == 1,
            _ => true,
        }
    }

    /// Its cases, on the backends that memcheck knows.
    fn choices(&self) -> Vec<Choice> {
        let backends = [Backend::Avx2, Backend::Scalar];
        let lengths = self.lengths();
        let sizes = [self.entries.len(), self.laws.len(), Dtype::ALL.len(), lengths.len(), backends.len()];
        let held: Vec<Vec<bool>> =
            self.laws.iter().map(|law| Dtype::ALL.map(|dtype| holds(law, dtype)).to_vec()).collect();
        let is_valid = |choice: &[usize]| {
            let entry = self.entries[choice[0]];
            let dtype = Dtype::ALL[choice[2]];
            let is_held = held[choice[1]][choice[2]];
            is_held && self.dtypes(entry).contains(&dtype) && self.allows(entry, lengths[choice[3]])
        };
        let chosen = covering(&sizes, is_valid);
        let quick = with_new_values(&chosen);
        let choice = |(choice, quick): (&Vec<usize>, bool)| Choice {
            subject: *self,
            entry: self.entries[choice[0]],
            law: self.laws[choice[1]],
            dtype: Dtype::ALL[choice[2]],
            length: lengths[choice[3]],
            backend: backends[choice[4]],
            quick,
        };
        chosen.iter().zip(quick).map(choice).collect()
    }
}

/// The cases of all subjects, in the same order on every machine: those of a law together. Each on AVX2 has a twin on AVX-512, which a
/// clock can judge.
pub fn choices() -> Vec<Choice> {
    let mut choices = Vec::new();
    for subject in subjects() {
        let mut own = subject.choices();
        own.sort_by_key(|choice| subject.laws.iter().position(|law| *law == choice.law));
        for choice in own {
            choices.push(choice);
            if choice.backend == Backend::Avx2 {
                choices.push(Choice { backend: Backend::Avx512, quick: false, ..choice });
            }
        }
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_a_case() {
        let choices = choices();
        for subject in subjects() {
            let of =
                |quick: bool| choices.iter().filter(move |c| c.subject.name == subject.name && (!quick || c.quick));
            for backend in [Backend::Scalar, Backend::Avx2] {
                assert!(of(true).any(|c| c.backend == backend), "{} {backend}", subject.name);
                let all = |entry, length| of(false).any(|c| (c.entry, c.length, c.backend) == (entry, length, backend));
                assert!(
                    subject.entries.iter().all(|entry| subject.lengths().iter().any(|length| all(*entry, *length)))
                );
            }
            for entry in subject.entries {
                assert!(of(true).any(|c| c.entry == *entry), "{} {entry}", subject.name);
                for length in subject.lengths().into_iter().filter(|length| subject.allows(*entry, *length)) {
                    let found = of(false).any(|c| c.entry == *entry && c.length == length);
                    assert!(found, "{} {entry}, {length}", subject.name);
                }
            }
            for law in subject.laws {
                assert!(of(true).any(|c| c.law == *law), "{} {law}", subject.name);
            }
            for length in
                subject.lengths().into_iter().filter(|l| subject.entries.iter().any(|e| subject.allows(*e, *l)))
            {
                assert!(of(true).any(|c| c.length == length), "{} {length}", subject.name);
            }
        }
        // Types of every method, and precisions where it has them.
        for method in Method::ALL.into_iter().filter(|method| method.timing() != Timing::Variable) {
            let of = || choices.iter().filter(|c| c.subject.name == method.name());
            let least = if method == Method::Wide { Dtype::I32 } else { Dtype::I8 };
            for dtype in Dtype::ALL.into_iter().skip_while(|dtype| *dtype != least) {
                assert!(of().any(|c| c.dtype == dtype), "{method} {dtype:?}");
            }
            let precisions: &[u32] = if method.row().heeds.contains(&"precision") { &[20, 128, 200, 256] } else { &[] };
            for bits in precisions {
                assert!(of().any(|c| c.law.ends_with(&format!("precision={bits}"))), "{method} {bits}");
            }
        }
        assert_eq!(i8::MAX as f64, Dtype::I8.max());
        assert!(
            holds("sigma=3.2,precision=72", Dtype::I8) && !holds("sigma=215", Dtype::I8) && holds("12289", Dtype::I8)
        );
    }
}
