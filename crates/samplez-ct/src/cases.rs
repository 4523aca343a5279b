//! What is put to the tests: samplers that claim constant or isochronous time, on every backend, the
//! trials of those with a centre per call, and controls that leak.

use crate::secret::NothingPublic;
use crate::signers::{self, Leak, Signing};
use samplez::arch::Backend;
use samplez::samplers::cdt_ct::{CdtCt, CdtCtSmall};
use samplez::samplers::isochronous::{IsochronousRounder, Scale};
use samplez::samplers::sampler_z::{SamplerZ, SmallWidth};
use samplez::samplers::{cdt::Cdt, cdt_lazy_ct::CdtLazyCt, convolution_ct::ConvolutionCt, isochronous::Isochronous};
use samplez::table::CdtTable;
use samplez::tables::{CdtOptions, ConvolutionOptions, build_cdt, build_convolution, build_lazy};
use samplez::{BitSource, DiscreteGaussian, Int, Rational, Sampler, Width};
use std::hint::black_box;

/// Samples in a piece of work.
pub(crate) const COUNT: usize = 512 + 8;

/// Samples of a case that draws them one by one.
const SINGLE: usize = 16;

/// What a case must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// No finding.
    Constant,
    /// A planted leak: a finding, or the test is blind.
    Leaks,
    /// A planted leak by addresses in the nearest cache: memcheck finds it, no clock does.
    LeaksAddresses,
}

/// A piece of work over secret bits.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) backend: Option<Backend>,
    pub(crate) claim: Claim,
    work: Work,
}

#[derive(Clone, Copy, Debug)]
enum Dtype {
    I8,
    I16,
    I32,
    I64,
}

enum Work {
    /// A fill by this backend of one batch and some single samples.
    Fill(CdtCt<Vec<u32>>, Backend),
    /// The same in batches of 32.
    Small(CdtCtSmall<Vec<u32>>, Backend),
    /// Single samples of the same.
    Single(CdtCt<Vec<u32>>),
    /// Fills by this backend of a batch that is cut short and of single samples, with this output type; the overflow is
    /// declassified.
    Lazy(CdtLazyCt<Vec<u32>, Vec<i8>>, Backend, Dtype),
    /// A fill by this backend.
    Sums(Box<ConvolutionCt<Vec<u32>>>, Backend),
    /// Trials of the isochronous sampler, each with a secret centre, up to the probability of acceptance.
    Trials(Scale),
    /// The same of SamplerZ.
    SmallTrials(SmallWidth),
    /// The same of SamplerZ's batches.
    Batch(SmallWidth, Backend),
    /// A fill by this backend; which trials accept is declassified.
    Fixed(Isochronous, Backend),
    /// Single samples of the same.
    SingleFixed(Isochronous),
    /// The same fill, but which trials accept is not declassified.
    Undeclared(Isochronous),
    /// Single samples of a sampler that is variable-time, as it says.
    Variable(Cdt<Vec<u32>>),
    /// A constant-time sampler whose samples are then branched on.
    Branch(CdtCt<Vec<u32>>),
    /// A constant-time sampler whose samples are then looked up.
    Index(CdtCt<Vec<u32>>, Box<[u8; 4096]>),
    /// A signature. Its challenge, which is public, tells what is read, so that no clock can judge it.
    Sign(Signing),
}

fn table(sigma: &str, center: &str, precision: u32) -> CdtTable<Vec<u32>> {
    let law =
        DiscreteGaussian::new(center.parse().expect("a rational"), Width::Sigma(sigma.parse().expect("a rational")));
    let options = CdtOptions { precision, ..CdtOptions::default() };
    build_cdt(&law.expect("a law"), &options).expect("a small table")
}

fn cdt_ct(sigma: &str, center: &str, precision: u32) -> CdtCt<Vec<u32>> {
    CdtCt::from_table(table(sigma, center, precision)).expect("a small table")
}

/// Fills of batches that are cut short, and of fewer: narrow tables and wide ones, of each number of levels that has code of its own, for
/// every output type.
fn lazy(cases: &mut Vec<Case>) {
    use Dtype::{I8, I16, I32, I64};
    let laws = [
        ("3.2", "0", 72, &[I8, I16, I32, I64][..]),
        ("1.7", "-5", 20, &[I8]),
        ("3.2", "1/3", 128, &[I8]),
        ("9", "0", 128, &[I8]),
        ("19.5", "0", 72, &[I16, I32, I64]),
        ("100", "1/3", 72, &[I16]),
        ("3.2", "0", 256, &[I16]),
    ];
    for (sigma, center, precision, dtypes) in laws {
        let center: Rational = center.parse().expect("a rational");
        let law = DiscreteGaussian::new(center, Width::Sigma(sigma.parse().expect("a rational"))).expect("a law");
        let options = CdtOptions { precision, ..CdtOptions::default() };
        let sampler = CdtLazyCt::from_table(build_lazy(&law, &options).expect("a small table"));
        for (dtype, backend) in dtypes.iter().flat_map(|dtype| Backend::ALL.map(|backend| (*dtype, backend))) {
            let name = format!("cdt-lazy-ct fill, {dtype:?} ({sigma}, {center}, {precision} bits)");
            let work = Work::Lazy(sampler.clone(), backend, dtype);
            cases.push(Case { name, backend: Some(backend), claim: Claim::Constant, work });
        }
    }
}

fn lazy_fill<T: Int, B: BitSource>(
    sampler: &CdtLazyCt<Vec<u32>, Vec<i8>>,
    backend: Backend,
    bits: &mut B,
    out: &mut [i16; COUNT],
) {
    let mut samples = [T::ZERO; COUNT];
    let (batch, singles) = samples.split_at_mut(COUNT - SINGLE);
    sampler.fill_by(backend, bits, batch).expect("the support fits");
    sampler.fill_by(backend, bits, singles).expect("the support fits");
    for (slot, sample) in out.iter_mut().zip(samples) {
        *slot = sample.widen() as i16;
    }
}

fn isochronous(sigma: &str, center: &str) -> Isochronous {
    let width = Width::Sigma(sigma.parse().expect("a rational"));
    let law = DiscreteGaussian::new(center.parse().expect("a rational"), width).expect("a law");
    Isochronous::new(&law).expect("a sigma that it allows")
}

/// Every case, in the same order on every machine.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (sigma, center, precision) in [("3.2", "0", 72), ("19.5", "1/3", 80), ("1.7", "-5", 128)] {
        let law = format!("{sigma}, {center}, {precision} bits");
        for backend in Backend::ALL {
            let work = Work::Fill(cdt_ct(sigma, center, precision), backend);
            cases.push(Case {
                name: format!("cdt-ct fill ({law})"),
                backend: Some(backend),
                claim: Claim::Constant,
                work,
            });
        }
        for backend in Backend::ALL {
            let work = Work::Small(cdt_ct(sigma, center, precision).into(), backend);
            let name = format!("cdt-ct in little stack, fill ({law})");
            cases.push(Case { name, backend: Some(backend), claim: Claim::Constant, work });
        }
        let work = Work::Single(cdt_ct(sigma, center, precision));
        cases.push(Case { name: format!("cdt-ct sample ({law})"), backend: None, claim: Claim::Constant, work });
    }
    lazy(&mut cases);
    for backend in Backend::ALL {
        let law = DiscreteGaussian::with_sigma("215".parse().expect("a rational")).expect("a law");
        let options = ConvolutionOptions { precision: 72, bound: 72, base_sigma: 32, ..ConvolutionOptions::default() };
        let table = build_convolution(&law, &options).expect("a small table");
        let sampler = ConvolutionCt::from_table(table).expect("a small table");
        let work = Work::Sums(Box::new(sampler), backend);
        let name = "convolution-ct fill (215, 0, 72 bits)".into();
        cases.push(Case { name, backend: Some(backend), claim: Claim::Constant, work });
    }
    for sigma in ["1", "3.2", "215"] {
        let scale = Scale::new(sigma.parse().expect("a rational")).expect("a width allowed");
        let name = format!("isochronous trials ({sigma})");
        cases.push(Case { name, backend: None, claim: Claim::Constant, work: Work::Trials(scale) });
    }
    let width = SamplerZ::FALCON_512.width("1.7".parse().expect("a rational")).expect("a width allowed");
    let name = "sampler-z trials (1.7)".into();
    cases.push(Case { name, backend: None, claim: Claim::Constant, work: Work::SmallTrials(width) });
    for backend in Backend::ALL {
        let work = Work::Batch(width, backend);
        let name = "sampler-z batch trials (1.7)".into();
        cases.push(Case { name, backend: Some(backend), claim: Claim::Constant, work });
    }
    for (sigma, center) in [("215", "1/3"), ("3.2", "0")] {
        let law = format!("{sigma}, {center}");
        for backend in Backend::ALL {
            let work = Work::Fixed(isochronous(sigma, center), backend);
            let name = format!("isochronous fill ({law})");
            cases.push(Case { name, backend: Some(backend), claim: Claim::Constant, work });
        }
        let work = Work::SingleFixed(isochronous(sigma, center));
        cases.push(Case { name: format!("isochronous sample ({law})"), backend: None, claim: Claim::Constant, work });
    }
    let leak = |name: &str, claim, work| Case { name: format!("control: {name}"), backend: None, claim, work };
    cases.push(leak(
        "cdt, variable-time",
        Claim::LeaksAddresses,
        Work::Variable(Cdt::from_table(table("3.2", "0", 72))),
    ));
    cases.push(leak("rejection, not declassified", Claim::Leaks, Work::Undeclared(isochronous("215", "0"))));
    cases.push(leak("a branch on a sample", Claim::Leaks, Work::Branch(cdt_ct("3.2", "0", 72))));
    cases.push(leak(
        "an index by a sample",
        Claim::LeaksAddresses,
        Work::Index(cdt_ct("3.2", "0", 72), Box::new([1; 4096])),
    ));
    cases.extend(signers::all().into_iter().map(|signing| Case {
        name: signing.name(),
        backend: None,
        claim: if signing.leak == Leak::None { Claim::Constant } else { Claim::Leaks },
        work: Work::Sign(signing),
    }));
    cases
}

impl Case {
    /// Whether this machine has its backend.
    pub(crate) fn is_available(&self) -> bool {
        self.backend.is_none_or(Backend::is_available)
    }

    /// Whether a clock can judge it.
    pub(crate) fn is_timed(&self) -> bool {
        self.claim != Claim::LeaksAddresses && !matches!(self.work, Work::Sign(_))
    }

    /// The name of its backend.
    pub(crate) fn backend_name(&self) -> &'static str {
        self.backend.map_or("-", Backend::name)
    }

    /// The work; its samples go to `out`.
    #[inline(never)]
    pub(crate) fn run<B: BitSource>(&self, bits: &mut B, out: &mut [i16; COUNT]) {
        match &self.work {
            Work::Fill(sampler, backend) => sampler.fill_by(*backend, bits, out).expect("the support fits"),
            Work::Small(sampler, backend) => sampler.fill_by(*backend, bits, out).expect("the support fits"),
            Work::Sums(sampler, backend) => sampler.fill_by(*backend, bits, out).expect("the support fits"),
            Work::Lazy(sampler, backend, dtype) => match dtype {
                Dtype::I8 => lazy_fill::<i8, B>(sampler, *backend, bits, out),
                Dtype::I16 => lazy_fill::<i16, B>(sampler, *backend, bits, out),
                Dtype::I32 => lazy_fill::<i32, B>(sampler, *backend, bits, out),
                Dtype::I64 => lazy_fill::<i64, B>(sampler, *backend, bits, out),
            },
            Work::Single(sampler) => out[..SINGLE].fill_with(|| sampler.sample(bits) as i16),
            Work::Trials(scale) => {
                for slot in &mut out[..SINGLE] {
                    let [words @ .., fraction] = core::array::from_fn::<_, 4, _>(|_| bits.bits(64));
                    let (z, probability) = IsochronousRounder::trial(*scale, fraction, words);
                    *slot = z as i16 ^ (probability >> 64) as i16 ^ probability as i16;
                }
            }
            Work::SmallTrials(width) => {
                for slot in &mut out[..SINGLE] {
                    let [words @ .., fraction] = core::array::from_fn::<_, 3, _>(|_| bits.bits(64));
                    let (z, probability) = SamplerZ::trial(*width, fraction, words);
                    *slot = z as i16 ^ probability as i16;
                }
            }
            Work::Batch(width, backend) => {
                for slots in out[..SINGLE].as_chunks_mut::<8>().0 {
                    let words = core::array::from_fn(|_| core::array::from_fn(|_| bits.bits(64)));
                    let (z, probability) = SamplerZ::trials_by(*backend, *width, words);
                    *slots = core::array::from_fn(|i| z[i] as i16 ^ probability[i] as i16);
                }
            }
            Work::Fixed(sampler, backend) => sampler.fill_by(*backend, bits, out).expect("the support fits"),
            Work::SingleFixed(sampler) => out[..SINGLE].fill_with(|| sampler.sample(bits) as i16),
            Work::Undeclared(sampler) => {
                sampler.fill_by(Backend::Scalar, &mut NothingPublic(bits), out).expect("the support fits");
            }
            Work::Variable(sampler) => out[..SINGLE].fill_with(|| sampler.sample(bits) as i16),
            Work::Branch(sampler) => {
                for slot in &mut out[..SINGLE] {
                    *slot = sampler.sample(bits) as i16;
                    if *slot == 0 {
                        *slot = black_box(work_for_nothing());
                    }
                }
            }
            Work::Index(sampler, lines) => {
                for slot in &mut out[..SINGLE] {
                    let place = (64 * (sampler.sample(bits) + 32)) as usize % 4096;
                    *slot = black_box(lines[place]).into();
                }
            }
            Work::Sign(signing) => out[..SINGLE].copy_from_slice(&signing.run(bits)),
        }
    }
}

fn work_for_nothing() -> i16 {
    (0..20).fold(0, |sum: i16, i| black_box(sum.wrapping_mul(3).wrapping_add(i)))
}
