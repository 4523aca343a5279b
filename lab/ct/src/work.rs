//! The work of a case.

use crate::secret::NothingPublic;
use crate::signers::Signing;
use samplez::bindings::Backend;
use samplez::samplers::{
    Cdt, CdtCt, CdtCtSmall, CdtLazyCt, ConvolutionCt, FilteredIsochronous, KnuthYaoCt, ProposalStore, SamplerZ,
    SmallWidth, StripRounder, StripWidth, Wide,
};
use samplez::tables::{
    CdtOptions, ConvolutionOptions, ExactHeights, WideExponent, build_cdt, build_convolution, build_isochronous,
    build_lazy, build_pooled, build_wide, parts,
};
use samplez::{
    BigGaussian, BitSource, DiscreteGaussian, FixedPoint, Int, Method, Modulus, RangeError, Rounder, Sampler, Width,
};
use std::hint::black_box;
use std::rc::Rc;

/// Samples that are filled at once: one batch of 512 and a part of one, or a part of one of 2048.
const WHOLE: usize = 512 + 8;
/// And in two more fills, of which nothing makes a batch.
pub(crate) const PIECES: [usize; 2] = [13, 3];
/// Samples in a piece of work.
pub(crate) const COUNT: usize = WHOLE + PIECES[0] + PIECES[1];

/// Samples of a case that draws them one by one.
const SINGLE: usize = 16;

/// What a fill writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dtype {
    I8,
    I16,
    I32,
    I64,
}

impl Dtype {
    pub(crate) const ALL: [Dtype; 4] = [Dtype::I8, Dtype::I16, Dtype::I32, Dtype::I64];

    /// As NumPy writes it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Dtype::I8 => "int8",
            Dtype::I16 => "int16",
            Dtype::I32 => "int32",
            Dtype::I64 => "int64",
        }
    }
}

/// How samples are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// Fills by this backend.
    Fill(Dtype, Backend),
    /// One by one.
    Sample,
}

/// A sampler of a method that claims constant or isochronous time.
pub(crate) enum Subject {
    Whole(CdtCt<Vec<u32>>),
    /// The same in batches of 32.
    Small(CdtCtSmall<Vec<u32>>),
    Lazy(CdtLazyCt<Vec<u32>, Vec<i8>>),
    Pooled(KnuthYaoCt<Vec<u32>, Vec<i8>>),
    Sums(Box<ConvolutionCt<Vec<u32>, Vec<i8>>>),
    Rejection(FilteredIsochronous<ExactHeights>),
    /// The sampler `Wide`, with a base of its own.
    Wide(Box<WideSubject>),
    /// A `BigGaussian`, with a base of its own.
    Big(Box<BigSubject>),
}

pub(crate) struct WideSubject {
    wide: Wide<Base, WideExponent>,
    base: Base,
}

type Base = FilteredIsochronous<ExactHeights>;

impl WideSubject {
    fn fill_by<T: Int, B: BitSource>(&self, backend: Backend, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        let mut wide = vec![0_i64; out.len()];
        self.base.fill_by(backend, bits, &mut wide)?;
        self.wide.finish_by(bits, &mut wide, |bits| self.base.sample(bits))?;
        out.iter_mut().zip(wide).for_each(|(slot, x)| *slot = T::wrapping(x));
        Ok(())
    }

    fn fill<T: Int, B: BitSource>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_by(Backend::Scalar, bits, out)
    }

    fn sample<B: BitSource>(&self, bits: &mut B) -> i64 {
        let mut one = [self.base.sample(bits)];
        self.wide.finish_by(bits, &mut one, |bits| self.base.sample(bits)).expect("64 bits hold every sample");
        one[0]
    }
}

pub(crate) struct BigSubject {
    big: BigGaussian,
    base: Base,
}

impl BigSubject {
    /// The lowest limb of each sample.
    fn fill_by<T: Int, B: BitSource>(&self, backend: Backend, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        let mut narrow = vec![0_i64; out.len()];
        self.base.fill_by(backend, bits, &mut narrow)?;
        let limbs = self.big.finish_by(bits, &mut narrow, |bits| self.base.sample(bits));
        let lowest = limbs.iter().step_by(self.big.limbs());
        out.iter_mut().zip(lowest).for_each(|(slot, limb)| *slot = T::wrapping(limb.cast_signed()));
        Ok(())
    }

    fn fill<T: Int, B: BitSource>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_by(Backend::Scalar, bits, out)
    }

    fn sample<B: BitSource>(&self, bits: &mut B) -> i64 {
        let mut one = [self.base.sample(bits)];
        self.big.finish_by(bits, &mut one, |bits| self.base.sample(bits))[0].cast_signed()
    }
}

/// With the sampler, whichever it is.
macro_rules! with {
    ($subject:expr, $sampler:ident => $work:expr) => {
        match $subject {
            Subject::Whole($sampler) => $work,
            Subject::Small($sampler) => $work,
            Subject::Lazy($sampler) => $work,
            Subject::Pooled($sampler) => $work,
            Subject::Sums($sampler) => $work,
            Subject::Rejection($sampler) => $work,
            Subject::Wide($sampler) => $work,
            Subject::Big($sampler) => $work,
        }
    };
}

fn law(sigma: &str, center: &str) -> DiscreteGaussian {
    let width = Width::Sigma(sigma.parse().expect("a rational"));
    DiscreteGaussian::new(center.parse().expect("a rational"), width).expect("a law")
}

/// Counts what it is asked to declassify. Its bits are zeros.
struct Questions(u32);

impl BitSource for Questions {
    fn bits(&mut self, _: u32) -> u64 {
        0
    }
    fn declassify(&mut self, outcome: u32) -> u32 {
        self.0 += 1;
        outcome
    }
}

impl Subject {
    /// # Panics
    ///
    /// If the method has no sampler of this law, or none here.
    pub(crate) fn new(method: Method, small: bool, sigma: &str, center: &str, precision: Option<u32>) -> Self {
        let (law, default) = (law(sigma, center), CdtOptions::default());
        let precision = precision.unwrap_or(default.precision);
        let options = CdtOptions { precision, ..default };
        match method {
            Method::CdtCt => {
                let table = build_cdt(&law, &options).expect("a small table");
                let sampler = CdtCt::from_table(table).expect("a small table");
                if small { Subject::Small(sampler.into()) } else { Subject::Whole(sampler) }
            }
            Method::CdtLazyCt => {
                Subject::Lazy(CdtLazyCt::from_table(build_lazy(&law, &options).expect("a small table")))
            }
            Method::KnuthYaoCt => {
                Subject::Pooled(KnuthYaoCt::from_table(build_pooled(&law, &options).expect("a small table")))
            }
            Method::ConvolutionCt => {
                let options = ConvolutionOptions { precision, bound: precision, ..ConvolutionOptions::constant_time() };
                let table = build_convolution(&law, &options).expect("a small table");
                let parts = parts(table.base(), options.max_bytes).expect("a small table");
                Subject::Sums(Box::new(ConvolutionCt::from_table(table, parts).expect("its own parts")))
            }
            Method::Isochronous => Subject::Rejection(build_isochronous(&law).expect("a sigma that it allows")),
            Method::Wide => {
                let (trial, exponent) = build_wide(&law).expect("a sigma that it allows");
                let own = DiscreteGaussian::with_sigma(trial.base()).expect("a positive sigma");
                let base = build_isochronous(&own).expect("a sigma that it allows");
                let wide = Wide::new(law, base.clone(), trial, exponent).expect("a sigma that it allows");
                Subject::Wide(Box::new(WideSubject { wide, base }))
            }
            _ => panic!("{method} has no subject: it makes no claim, or needs one here"),
        }
    }

    /// A `BigGaussian`, over a base of this σ.
    pub(crate) fn big(recipe: &str, base: &str) -> Self {
        let big = recipe.parse().expect("a recipe");
        let base = build_isochronous(&law(base, "1/3")).expect("a sigma that it allows");
        Subject::Big(Box::new(BigSubject { big, base }))
    }

    /// How often the fills of a case ask for an outcome that is public.
    pub(crate) fn questions(&self) -> [u32; 3] {
        [WHOLE, PIECES[0], PIECES[1]].map(|count| {
            let mut bits = Questions(0);
            with!(self, sampler => sampler.fill(&mut bits, &mut vec![0_i64; count]))
                .expect("64 bits hold every sample");
            bits.0
        })
    }

    fn fill<T: Int, B: BitSource>(&self, backend: Backend, bits: &mut B, out: &mut [i16; COUNT]) {
        let mut samples = [T::ZERO; COUNT];
        let mut rest = &mut samples[..];
        for count in [WHOLE, PIECES[0], PIECES[1]] {
            let (piece, after) = rest.split_at_mut(count);
            with!(self, sampler => sampler.fill_by(backend, bits, piece)).expect("the support fits");
            rest = after;
        }
        for (slot, sample) in out.iter_mut().zip(samples) {
            *slot = sample.widen() as i16;
        }
    }

    fn sample<B: BitSource>(&self, bits: &mut B) -> i64 {
        with!(self, sampler => sampler.sample(bits))
    }
}

/// A piece of work over secret bits.
pub(crate) enum Work {
    /// A sampler's fills, or single samples. Which trials accept, and whether a batch overflows, is declassified.
    Of(Rc<Subject>, Entry),
    /// Trials of SamplerZ, each with a secret centre, up to the probability of acceptance.
    SmallTrials(SmallWidth),
    /// The same of SamplerZ's batches.
    Batch(SmallWidth, Backend),
    /// Single calls of SamplerZ from a store, each with a secret centre; which proposals are accepted is declassified.
    Stored(SmallWidth),
    /// Calls of the strips' rounder, each with a secret centre and one of two widths; which trials accept is declassified.
    Calls(StripRounder, [StripWidth; 2]),
    /// A batch of them, and shorter ones.
    CallBatch(StripRounder, [StripWidth; 2], Backend),
    /// Secret integers modulo q.
    Residues(Modulus),
    /// A signature.
    Sign(Signing),
    /// A fill of a rejection sampler, but which trials accept is not declassified.
    Undeclared(Subject),
    /// Single samples of a sampler that is variable-time, as it says.
    Variable(Cdt<Vec<u32>>),
    /// A constant-time sampler whose samples are then branched on.
    Branch(Subject),
    /// A constant-time sampler whose samples are then looked up.
    Index(Subject, Box<[u8; 4096]>),
}

impl Work {
    pub(crate) fn variable() -> Self {
        let options = CdtOptions { precision: 72, ..CdtOptions::default() };
        Work::Variable(Cdt::from_table(build_cdt(&law("3.2", "0"), &options).expect("a small table")))
    }

    /// Does it; its samples go to `out`.
    #[inline(never)]
    pub(crate) fn run<B: BitSource>(&self, bits: &mut B, out: &mut [i16; COUNT]) {
        match self {
            Work::Of(subject, Entry::Fill(dtype, backend)) => match dtype {
                Dtype::I8 => subject.fill::<i8, B>(*backend, bits, out),
                Dtype::I16 => subject.fill::<i16, B>(*backend, bits, out),
                Dtype::I32 => subject.fill::<i32, B>(*backend, bits, out),
                Dtype::I64 => subject.fill::<i64, B>(*backend, bits, out),
            },
            Work::Of(subject, Entry::Sample) => out[..SINGLE].fill_with(|| subject.sample(bits) as i16),
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
            Work::Stored(width) => {
                let centers: [_; SINGLE] = core::array::from_fn(|_| secret_center(bits));
                let mut store = ProposalStore::new(bits);
                for (slot, center) in out[..SINGLE].iter_mut().zip(centers) {
                    *slot = store.round(center, *width) as i16;
                }
            }
            Work::Calls(rounder, widths) => {
                for slot in &mut out[..SINGLE] {
                    *slot = rounder.round(secret_call(*widths, bits), bits) as i16;
                }
            }
            Work::CallBatch(rounder, widths, backend) => {
                let calls: [_; COUNT] = core::array::from_fn(|_| secret_call(*widths, bits));
                let mut samples = [0; COUNT];
                let (mut calls, mut rest) = (&calls[..], &mut samples[..]);
                for count in [WHOLE, PIECES[0], PIECES[1]] {
                    let (piece, after) = rest.split_at_mut(count);
                    rounder.round_batch_by(*backend, &calls[..count], bits, piece);
                    (calls, rest) = (&calls[count..], after);
                }
                for (slot, sample) in out.iter_mut().zip(samples) {
                    *slot = sample as i16;
                }
            }
            Work::Residues(modulus) => {
                let integers: [i64; SINGLE] = core::array::from_fn(|_| bits.bits(64).cast_signed());
                let narrow = integers.map(|x| x as i16);
                let mut rows = [[0; SINGLE]; 2];
                modulus.residues(&integers, &mut rows[0]);
                modulus.residues(&narrow, &mut rows[1]);
                for (i, slot) in out[..SINGLE].iter_mut().enumerate() {
                    *slot = rows[0][i] as i16 ^ rows[1][i] as i16;
                }
            }
            Work::Sign(signing) => out[..SINGLE].copy_from_slice(&signing.run(bits)),
            Work::Undeclared(subject) => subject.fill::<i16, _>(Backend::Scalar, &mut NothingPublic(bits), out),
            Work::Variable(sampler) => out[..SINGLE].fill_with(|| sampler.sample(bits) as i16),
            Work::Branch(subject) => {
                for slot in &mut out[..SINGLE] {
                    *slot = subject.sample(bits) as i16;
                    if *slot == 0 {
                        *slot = black_box(work_for_nothing());
                    }
                }
            }
            Work::Index(subject, lines) => {
                for slot in &mut out[..SINGLE] {
                    let place = (64 * (subject.sample(bits) + 32)) as usize % 4096;
                    *slot = black_box(lines[place]).into();
                }
            }
        }
    }
}

/// A centre near -5, by secret bits.
fn secret_center<B: BitSource>(bits: &mut B) -> FixedPoint {
    FixedPoint::from_parts(-5, bits.bits(64)).expect("a small one")
}

/// A centre near -5 and one of these widths, both by secret bits.
fn secret_call<B: BitSource>([one, other]: [StripWidth; 2], bits: &mut B) -> (FixedPoint, StripWidth) {
    (secret_center(bits), one.either(other, bits.bits(1).wrapping_neg()))
}

fn work_for_nothing() -> i16 {
    (0..20).fold(0, |sum: i16, i| black_box(sum.wrapping_mul(3).wrapping_add(i)))
}
