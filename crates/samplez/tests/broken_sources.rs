//! Generators that fail or are stuck, under every method: each fill ends, says so, and wipes its output.

use rand_core::TryRng;
use samplez::{
    Bulk, DiscreteGaussian, Failure, Fault, FixedPoint, Method, Noise, Rational, Recipe, Rounder, Stream, StreamError,
    Width,
};
use samplez_core::samplers::{KarneyRounder, SamplerZ, StripRounder};
use std::convert::Infallible;
use std::fmt;

/// What is wrong with a generator.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Broken {
    /// Every byte is this one.
    Constant(u8),
    /// Sound bytes, the same 1024 for ever.
    Periodic,
    /// Sound bytes but for every fourth 64, which are ones: more samples of a batch need a long draw than the batch has.
    Leaning,
    /// So many sound bytes, then zeros, in each request.
    Headed(usize),
    /// Sound bytes, which come again after so many requests.
    Turns(u32),
    /// Sound bytes, then an error at the request with this number, and at every later one.
    Failing(u32),
}

struct Generator {
    broken: Broken,
    requests: u32,
}

#[derive(Debug, PartialEq)]
struct Unplugged;

impl fmt::Display for Unplugged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unplugged")
    }
}

impl std::error::Error for Unplugged {}

impl TryRng for Generator {
    type Error = Unplugged;

    fn try_next_u32(&mut self) -> Result<u32, Unplugged> {
        unreachable!("a reader asks for bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Unplugged> {
        unreachable!("a reader asks for bytes")
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Unplugged> {
        assert_eq!(out.len(), 1024);
        let round = match self.broken {
            Broken::Constant(byte) => {
                out.fill(byte);
                return Ok(());
            }
            Broken::Periodic => 0,
            Broken::Leaning | Broken::Headed(_) => self.requests,
            Broken::Turns(period) => self.requests % period,
            Broken::Failing(last) if self.requests >= last => return Err(Unplugged),
            Broken::Failing(_) => self.requests,
        };
        self.requests += 1;
        let mut state = 0x9e37_79b9_7f4a_7c15 ^ u64::from(round);
        for byte in &mut *out {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            *byte = (state >> 56) as u8;
        }
        if let Broken::Headed(length) = self.broken {
            out[length..].fill(0);
        }
        if self.broken == Broken::Leaning {
            out.chunks_mut(64).step_by(4).for_each(|part| part.fill(0xff));
        }
        Ok(())
    }
}

/// One that never fails.
struct Sound(Generator);

impl TryRng for Sound {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("a reader asks for bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("a reader asks for bytes")
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(out).unwrap();
        Ok(())
    }
}

const BROKEN: [Broken; 11] = [
    Broken::Constant(0),
    Broken::Constant(0xff),
    Broken::Periodic,
    Broken::Headed(8),
    Broken::Headed(64),
    Broken::Headed(512),
    Broken::Headed(992),
    Broken::Turns(2),
    Broken::Turns(5),
    Broken::Failing(0),
    Broken::Failing(2),
];

fn stream(broken: Broken) -> Stream<Generator> {
    Stream::new(Generator { broken, requests: 0 })
}

fn check(error: StreamError<Unplugged>, broken: Broken, what: &str) {
    let StreamError::Source(failure) = error else { panic!("{what}, {broken:?}: {error}") };
    let expected = match broken {
        Broken::Constant(byte) => Failure::Stuck(Fault::Constant(byte)),
        Broken::Headed(_) => Failure::Stuck(Fault::Constant(0)),
        Broken::Periodic | Broken::Turns(_) => Failure::Stuck(Fault::Repeated),
        Broken::Leaning => unreachable!("nothing sees that it is broken"),
        Broken::Failing(_) => Failure::Source(Unplugged),
    };
    assert_eq!(failure, expected, "{what}, {broken:?}");
}

/// A sampler of every method, at a law that it takes.
fn samplers() -> Vec<(Method, Box<dyn Noise>)> {
    let number = |text: &str| text.parse::<Rational>().unwrap();
    let widths = [
        Width::Sigma(number("3.2")),
        Width::KSigma2(number("8")),
        Width::Sigma(number("100000")),
        Width::Sigma(number("1e8")),
    ];
    let laws = widths.map(|width| DiscreteGaussian::new(Rational::ZERO, width).unwrap());
    let sampler = |method| {
        let built = laws.iter().find_map(|law| Recipe::new(*law).method(method).build().ok());
        (method, built.unwrap_or_else(|| panic!("{method} takes none of the laws")).into_sampler())
    };
    Method::ALL.into_iter().map(sampler).collect()
}

#[test]
fn every_method_ends_and_wipes() {
    for (method, sampler) in samplers() {
        for broken in BROKEN {
            let mut stream = stream(broken);
            let mut out = vec![-1_i64; 20_000];
            let error = stream.fill(&*sampler, &mut out).expect_err(method.name());
            check(error, broken, method.name());
            assert!(out.iter().all(|x| *x == 0), "{method}, {broken:?}: the output is wiped");
            // What is broken for good stays an error, however little is asked for.
            if broken != Broken::Failing(2) {
                let error = stream.fill(&*sampler, &mut out[..1]).expect_err(method.name());
                check(error, broken, method.name());
                check(stream.sample(&*sampler).expect_err(method.name()), broken, method.name());
            }
        }
    }
}

#[test]
fn every_method_ends_in_single_samples() {
    for (method, sampler) in samplers() {
        for broken in BROKEN {
            let mut stream = stream(broken);
            let error = (0..20_000).find_map(|_| stream.sample(&*sampler).err());
            check(error.expect("it does not go on for ever"), broken, method.name());
        }
    }
}

#[test]
fn every_method_ends_and_wipes_in_short_fills() {
    for (method, sampler) in samplers() {
        for broken in BROKEN {
            let mut stream = stream(broken);
            let mut samples = stream.samples(&*sampler);
            let mut out = [-1_i64; 16];
            let error = (0..1250).find_map(|_| samples.fill(&mut out).err());
            check(error.expect("it does not go on for ever"), broken, method.name());
            assert!(out.iter().all(|x| *x == 0), "{method}, {broken:?}: the output is wiped");
            if broken != Broken::Failing(2) {
                check(samples.sample().expect_err(method.name()), broken, method.name());
            }
        }
    }
}

fn round_until_it_fails<R: Rounder>(rounder: &R, center: R::Center, broken: Broken, what: &str)
where
    R::Center: Copy,
{
    let mut stream = stream(broken);
    let error = (0..20_000).find_map(|_| stream.round(rounder, center).err());
    check(error.expect(what), broken, what);
}

#[test]
fn rounders_end() {
    let karney = KarneyRounder::new("3.2".parse().unwrap()).unwrap();
    let center = karney.center("1/3".parse().unwrap()).unwrap();
    let width = SamplerZ::FALCON_512.width("1.7".parse().unwrap()).unwrap();
    let strips = StripRounder::of_sigma("3.2".parse().unwrap()).unwrap();
    let strip_width = strips.width("3.2".parse().unwrap()).unwrap();
    let wide = StripRounder::of_sigma("215".parse().unwrap()).unwrap();
    let wide_width = wide.width("215".parse().unwrap()).unwrap();
    let point = FixedPoint::new("1/3".parse().unwrap()).unwrap();
    for broken in BROKEN {
        round_until_it_fails(&karney, center, broken, "karney");
        round_until_it_fails(&SamplerZ::FALCON_512, (point, width), broken, "sampler-z");
        round_until_it_fails(&strips, (point, strip_width), broken, "strips");
        // A round takes 48 bytes, so that requests of 1024 bytes end within rounds.
        round_until_it_fails(&wide, (point, wide_width), broken, "wide strips");
    }
}

/// More samples that need a long draw than a batch has: they have draws of their own, in streams and in bulk.
#[test]
fn an_overflow_is_no_failure() {
    let together: Vec<_> = samplers().into_iter().filter(|(_, sampler)| sampler.batch() > 1).collect();
    assert_eq!(
        together.iter().map(|(method, _)| *method).collect::<Vec<_>>(),
        [Method::CdtLazyCt, Method::Isochronous, Method::KnuthYaoCt, Method::ConvolutionCt, Method::Wide]
    );
    for (method, sampler) in together {
        let mut out = vec![i64::MAX; 20_000];
        stream(Broken::Leaning).fill(&*sampler, &mut out).unwrap_or_else(|error| panic!("{}: {error}", method.name()));
        let support = sampler.profile().support;
        assert!(out.iter().all(|x| support.contains(x)) && out.iter().any(|x| *x != out[0]), "{method}");
        let leaning = |_: u64| Sound(Generator { broken: Broken::Leaning, requests: 0 });
        let mut block = vec![i32::MAX; 8192];
        Bulk::with_generators(&*sampler, leaning)
            .fill(3 * 8192, &mut block)
            .unwrap_or_else(|error| panic!("{}: {error}", method.name()));
        assert!(block.iter().zip(&out).all(|(x, y)| i64::from(*x) == *y), "{method}: block 3 has the stream's bits");
    }
}

/// Public functions that take a generator of the caller's and return no `Result`, with the reason.
const WITHOUT_RESULT: [(&str, &str); 6] = [
    ("BitReader::new", "the reader panics"),
    ("BitReader::restart", "the reader panics"),
    ("Bulk::with_generators", "its fills return errors"),
    ("Noise::noise_draw", "it panics, as a distribution of `rand` does"),
    ("RandDistribution::fill_iter", "the iterator panics"),
    ("Stream::new", "its draws return errors"),
];

/// Functions over bits, and not over a generator, get them from a reader or from a `Stream`.
#[test]
fn every_function_over_a_generator_returns_a_result() {
    let api = include_str!("../../../docs/api/rust.txt");
    let found = api.lines().filter_map(|line| {
        let (name, signature) = line.split_once("  ")?;
        let signature = signature.replace("BitReader<dyn Rng", "");
        let (arguments, rest) = signature.split_once(" -> ").unwrap_or((&signature, ""));
        let bounds = rest.split_once(" where ").map_or("", |(_, bounds)| bounds);
        let takes = arguments.contains("fn ")
            && (arguments.contains("rng: ") || [arguments, bounds].iter().any(|text| text.contains("Rng")));
        (takes && !rest.starts_with("Result<")).then_some(name)
    });
    assert_eq!(found.collect::<Vec<_>>(), WITHOUT_RESULT.map(|(name, _)| name));
}
