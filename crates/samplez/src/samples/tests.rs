use super::*;
use crate::{Failure, Recipe, Seed, Source};
use samplez_sources::{ChaCha20, Generator};

fn stream() -> Stream<Generator> {
    Stream::new(Source::ChaCha20.open(&Seed::from_bytes([5; 32])).unwrap())
}

fn sampler(recipe: &str) -> Box<dyn Noise> {
    recipe.parse::<Recipe>().unwrap().build().unwrap().into_sampler()
}

/// Every batch that a sampler has: 8192, 2048, 1024 and 1.
const RECIPES: [&str; 7] = [
    "sigma=3.2",
    "sigma=215",
    "sigma=3.2,center=1/3,method=knuth-yao-ct",
    "sigma=19.5,method=cdt-lazy-ct",
    "sigma=1e9,method=wide",
    "sigma=1000,method=convolution-ct",
    "sigma=3.2,method=karney",
];

/// Lengths of fills, 0 for a single sample.
const LENGTHS: [usize; 14] = [16, 0, 1, 0, 2030, 5, 2048, 3, 4097, 700, 10_000, 0, 64, 2047];

#[test]
fn pieces_are_one_fill_of_batches() {
    for recipe in RECIPES {
        let sampler = sampler(recipe);
        let (mut one, mut pieces) = (stream(), stream());
        let mut samples = pieces.samples(&*sampler);
        let mut got = Vec::new();
        for length in LENGTHS {
            let mut out = vec![i64::MAX; length];
            match length {
                0 => out.push(samples.sample().unwrap()),
                _ if length % 3 == 0 && NarrowType::check::<i32>(&*sampler).is_ok() => {
                    let mut narrow = vec![i32::MAX; length];
                    samples.fill(&mut narrow).unwrap();
                    out = narrow.into_iter().map(i64::from).collect();
                }
                _ => samples.fill(&mut out).unwrap(),
            }
            got.extend(out);
            let Ahead { samples, used, .. } = &samples.ahead;
            assert!(samples[..*used].iter().all(|x| *x == 0), "{recipe}: what was handed out is erased");
        }
        let mut whole = vec![0_i64; got.len()];
        one.samples(&*sampler).fill(&mut whole).unwrap();
        assert!(whole == got, "{recipe}");
        // The same by the public fill of a stream.
        let mut expected = vec![0_i64; got.len().next_multiple_of(2048)];
        let mut batches = stream();
        expected.chunks_mut(2048).for_each(|batch| batches.fill(&*sampler, batch).unwrap());
        assert!(whole == expected[..got.len()], "{recipe}");
    }
}

#[test]
fn short_fills_are_handed_from_growing_batches() {
    for recipe in RECIPES {
        let (sampler, number) = (sampler(recipe), SamplerNumber::unique());
        let (mut stream, mut twin, mut fills) = (stream(), stream(), ShortFills::default());
        let mut fill = |stream: &mut _, length| {
            let mut out = vec![i64::MAX; length];
            fills.fill(stream, &number, &*sampler, &mut out).unwrap();
            out
        };
        let mut drawn = |length: usize| {
            let mut out = vec![0_i64; length];
            twin.fill(&*sampler, &mut out).unwrap();
            out
        };
        assert_eq!(fill(&mut stream, 20), drawn(20), "{recipe}: the first is Stream::fill");
        if sampler.batch() == 1 {
            assert_eq!([fill(&mut stream, 3), fill(&mut stream, 500)].concat(), drawn(503), "{recipe}");
            continue;
        }
        for batch in [80, 320, 1280, 2048, 2048] {
            let expected = drawn(batch);
            let got: Vec<i64> = (0..batch).step_by(20).flat_map(|i| fill(&mut stream, (batch - i).min(20))).collect();
            assert!(got == expected, "{recipe}, {batch}");
        }
        // What is left, and then a long fill or another batch.
        let batch = drawn(2048);
        assert_eq!(fill(&mut stream, 8), batch[..8], "{recipe}");
        let expected = [&batch[8..], &drawn(513)].concat();
        assert!(fill(&mut stream, 2040 + 513) == expected, "{recipe}: rest first");
        assert_eq!(fill(&mut stream, 512), drawn(2048)[..512], "{recipe}");
    }
}

#[test]
fn another_sampler_gets_no_samples_of_the_last() {
    let (mut stream, mut twin, mut fills) = (stream(), stream(), ShortFills::default());
    for recipe in ["sigma=3.2", "sigma=9", "sigma=3.2", "sigma=9", "sigma=215"] {
        let (sampler, number) = (sampler(recipe), SamplerNumber::unique());
        let (mut out, mut expected) = ([0_i16; 16], [0_i16; 16]);
        fills.fill(&mut stream, &number, &*sampler, &mut out).unwrap();
        twin.fill(&*sampler, &mut expected).unwrap();
        assert_eq!(out, expected, "{recipe}");
        fills.fill(&mut stream, &number, &*sampler, &mut out).unwrap();
        twin.fill(&*sampler, &mut [0_i64; 64]).unwrap();
    }
}

/// ChaCha20, which fails at the request with this number.
struct Flaky(ChaCha20, u32);

impl TryRng for Flaky {
    type Error = fmt::Error;
    fn try_next_u32(&mut self) -> Result<u32, fmt::Error> {
        unreachable!("the reader asks for bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, fmt::Error> {
        unreachable!("the reader asks for bytes")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), fmt::Error> {
        self.1 = self.1.wrapping_sub(1);
        rand_core::Rng::fill_bytes(&mut self.0, out);
        if self.1 == 0 { Err(fmt::Error) } else { Ok(()) }
    }
}

fn flaky(request: u32) -> Stream<Flaky> {
    Stream::new(Flaky(ChaCha20::new(&Seed::from_bytes([5; 32])), request))
}

fn failed<E>(drawn: Result<(), StreamError<E>>) -> bool {
    matches!(drawn, Err(StreamError::Source(Failure::Source(_))))
}

#[test]
fn a_failure_wipes_the_output_and_what_was_made_ahead() {
    for recipe in ["sigma=3.2", "sigma=215"] {
        let (sampler, number) = (sampler(recipe), SamplerNumber::unique());
        for request in 1..20 {
            // A batch of 2048 samples needs several requests, and a rest of it goes first.
            let mut stream = flaky(request);
            let mut samples = stream.samples(&*sampler);
            let mut out = [1_i64; 700];
            let error = (0..100).map(|_| samples.fill(&mut out)).find(Result::is_err).unwrap();
            assert!(failed(error) && out == [0; 700], "{recipe}, {request}: Samples");
            samples.fill(&mut out).unwrap();
            assert_ne!(out, [0; 700]);

            let (mut stream, mut fills, mut out) = (flaky(request), ShortFills::default(), [1_i64; 300]);
            let mut fill = |out: &mut [i64]| fills.fill(&mut stream, &number, &*sampler, out);
            let error = (0..100).map(|_| fill(&mut out)).find(Result::is_err).unwrap();
            assert!(failed(error) && out == [0; 300], "{recipe}, {request}: ShortFills");
            fill(&mut out).unwrap();
            assert_ne!(out, [0; 300]);
        }
    }
}

/// A failure of another draw: no sample of before it is handed out after it.
#[test]
fn a_failure_elsewhere_drops_the_samples() {
    let (sampler, number) = (sampler("sigma=215"), SamplerNumber::unique());
    let (mut stream, mut twin, mut fills) = (flaky(20), flaky(20), ShortFills::default());
    let mut out = [0_i64; 16];
    for _ in 0..3 {
        fills.fill(&mut stream, &number, &*sampler, &mut out).unwrap();
    }
    twin.fill(&*sampler, &mut out).unwrap();
    twin.fill(&*sampler, &mut [0_i64; 64]).unwrap();
    let mut words = [0; 3000];
    for stream in [&mut stream, &mut twin] {
        assert!(failed(stream.draw(|bits| bits.words(&mut words))));
    }
    let mut expected = [0_i64; 16];
    fills.fill(&mut stream, &number, &*sampler, &mut out).unwrap();
    twin.fill(&*sampler, &mut expected).unwrap();
    assert_eq!(out, expected);
}

#[test]
fn a_narrow_type_is_refused_before_a_draw() {
    let (sampler, number) = (sampler("sigma=215"), SamplerNumber::unique());
    let (mut stream, mut fills) = (stream(), ShortFills::default());
    let error = fills.fill(&mut stream, &number, &*sampler, &mut [0_i8; 16]).unwrap_err();
    assert!(matches!(error, StreamError::Narrow(_)));
    assert!(matches!(stream.samples(&*sampler).fill(&mut [0_i8; 16]), Err(StreamError::Narrow(_))));
    let (mut out, mut expected) = ([0_i64; 16], [0_i64; 16]);
    stream.fill(&*sampler, &mut out).unwrap();
    self::stream().fill(&*sampler, &mut expected).unwrap();
    assert_eq!(out, expected, "nothing was drawn");
    assert_eq!(format!("{fills:?} {:?}", stream.samples(&*sampler)), "ShortFills { .. } Samples { .. }");
}
