//! The streams of `kat/rounders.csv`, on every backend.

use samplez::bindings::Backend;
use samplez::{BitReader, FixedPoint, Rational, RoundError, RoundMethod, Rounder, Seed, Sigmas, Source, Stream};
use samplez_core::samplers::{KarneyRounder, SamplerZ, StripRounder};
use samplez_sources::ChaCha20;

fn center(i: usize) -> Rational {
    Rational::new(7919 * i as i64 - 4_000_000, 997 + i as u64 % 5).unwrap()
}

#[test]
fn every_entry_and_backend_draws_the_vectors() {
    let text = include_str!("../../../kat/rounders.csv");
    let mut lines = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, min, max, sigmas, entry, seed, count, _, head] = fields[..] else { panic!("9 fields: {line}") };
        let sigmas: Vec<Rational> = sigmas.split(' ').map(|sigma| sigma.parse().unwrap()).collect();
        let head: Vec<i64> = head.split(' ').map(|x| x.parse().unwrap()).collect();
        let count: usize = count.parse().unwrap();
        let reader = || BitReader::new(ChaCha20::new(&seed.parse::<Seed>().unwrap()));
        let points = |n: usize| (0..n).map(|i| (FixedPoint::new(center(i)).unwrap(), sigmas[i % sigmas.len()]));
        let (mut bits, mut out) = (reader(), vec![0; head.len()]);
        match (name, entry) {
            ("karney", "single") => {
                let rounder = KarneyRounder::new(sigmas[0]).unwrap();
                let calls: Vec<_> = (0..head.len()).map(|i| rounder.center(center(i)).unwrap()).collect();
                rounder.round_all(&calls, &mut bits, &mut out);
            }
            ("sampler-z", _) => {
                let rounder = SamplerZ::new(min.parse().unwrap()).unwrap();
                let calls: Vec<_> = points(count).map(|(c, sigma)| (c, rounder.width(sigma).unwrap())).collect();
                if entry == "single" {
                    rounder.round_all(&calls[..head.len()], &mut bits, &mut out);
                } else {
                    out.resize(count, 0);
                    rounder.round_batch(&calls, &mut bits, &mut out);
                }
            }
            // The vectors of every language: arrays of doubles from a stream.
            ("strips", _) if min == max => {
                let centers: Vec<f64> =
                    (0..count).map(|i| (7919 * i as i64 - 4_000_000) as f64 / (997 + i % 5) as f64).collect();
                let mut stream = Stream::new(ChaCha20::new(&seed.parse::<Seed>().unwrap()));
                out.resize(count, 0);
                let width = Sigmas::One(sigmas[0]);
                match entry {
                    "single" => stream.round_all(RoundMethod::Strips, width, &centers, &mut out).unwrap(),
                    _ => stream.sample_each(width, &centers, &mut out).unwrap(),
                }
            }
            ("strips", _) => {
                let rounder = StripRounder::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
                let calls: Vec<_> = points(count).map(|(c, sigma)| (c, rounder.width(sigma).unwrap())).collect();
                if entry == "single" {
                    rounder.round_all(&calls[..head.len()], &mut bits, &mut out);
                } else {
                    out.resize(count, 0);
                    rounder.round_batch(&calls, &mut bits, &mut out);
                    for backend in Backend::available() {
                        let mut same = vec![0; count];
                        rounder.round_batch_by(backend, &calls, &mut reader(), &mut same);
                        assert!(same == out, "{line}: {backend}");
                    }
                }
            }
            _ => panic!("{line}"),
        }
        assert_eq!(out[..head.len()], head, "{line}");
        lines += 1;
    }
    assert_eq!(lines, 12);
}

/// A refused array leaves the stream as it was, wherever the bad element stands.
#[test]
fn a_refusal_draws_nothing() {
    const MANY: usize = 9000;
    let with = |value: f64, last: f64| [vec![value; MANY], vec![last]].concat();
    let (sigmas, centers) = (with(1.5, 1e6), with(0.25, 0.0));
    let (bad_sigmas, bad_centers) = (with(1.5, -1.0), with(0.25, f64::NAN));
    let one = Sigmas::One("3.2".parse().unwrap());
    let stream = || Stream::new(Source::ChaCha20.open(&Seed::from_number(5)).unwrap());
    let (mut it, mut out) = (stream(), vec![1; MANY + 1]);
    let refused = |drawn: Result<(), RoundError<_>>| {
        let Err(RoundError::Refused(refused)) = drawn else { panic!("expected a refusal") };
        assert_eq!(refused.place(), Some(MANY), "{refused}");
    };
    for method in RoundMethod::ALL {
        refused(it.round_all(method, Sigmas::Each(&bad_sigmas), &centers, &mut out));
        refused(it.round_all(method, Sigmas::Each(&sigmas), &bad_centers, &mut out));
        refused(it.round_all(method, one, &bad_centers, &mut out));
    }
    refused(it.sample_each(Sigmas::Each(&bad_sigmas), &centers, &mut out));
    refused(it.sample_each(Sigmas::Each(&sigmas), &bad_centers, &mut out));
    refused(it.sample_each(one, &bad_centers, &mut out));
    assert!(out.iter().all(|x| *x == 0));
    let (mut next, mut fresh) = ([0; 3], [0; 3]);
    it.sample_each(one, &[0.5, -17.25, 1e6], &mut next).unwrap();
    stream().sample_each(one, &[0.5, -17.25, 1e6], &mut fresh).unwrap();
    assert_eq!(next, fresh);
}
