//! A centre with each call.

use crate::contest::{Clock, Contestant, SAMPLES, contest, taken};
use samplez::bindings::Backend;
use samplez::{BitReader, BitSource, DiscreteGaussian, FixedPoint, Rational, Rounder, Sampler, Width};
use samplez_core::samplers::{Karney, KarneyRounder, ProposalStore, SamplerZ, StripRounder, StripWidth};
use samplez_sources::ChaCha20;
use std::error::Error;

pub(crate) fn rounds<'a, R: Rounder + 'a>(name: &str, rounder: R, centers: Vec<R::Center>) -> Contestant<'a> {
    let mut out = vec![0; centers.len()];
    let work = move |bits: &mut BitReader<ChaCha20>| {
        rounder.round_all(&centers, bits, &mut out);
        taken(&out)
    };
    (name.into(), Box::new(work))
}

pub(crate) fn strip_calls(
    rounder: &StripRounder,
    centers: impl Iterator<Item = FixedPoint>,
    sigmas: &[f64],
) -> Vec<(FixedPoint, StripWidth)> {
    let width = |sigma: &f64| rounder.width(Rational::try_from(*sigma).ok()?).ok();
    centers.zip(sigmas.iter().filter_map(width)).collect()
}

pub(crate) fn strips_batch<'a>(
    backend: Backend,
    rounder: StripRounder,
    calls: Vec<(FixedPoint, StripWidth)>,
) -> Contestant<'a> {
    let mut out = vec![0; calls.len()];
    let work = move |bits: &mut BitReader<ChaCha20>| {
        rounder.round_batch_by(backend, &calls, bits, &mut out);
        taken(&out)
    };
    (format!("strips, batch, {backend}"), Box::new(work))
}

/// Calls one after the other, each with a centre that follows from the last sample.
fn chained<'a>(rounder: StripRounder, calls: Vec<(FixedPoint, StripWidth)>) -> Contestant<'a> {
    let work = move |bits: &mut BitReader<ChaCha20>| {
        let next = |last: i64, (center, width): &(FixedPoint, StripWidth)| {
            let fraction = center.fraction() ^ last.cast_unsigned() << 50;
            let center = FixedPoint::from_parts(last & 15, fraction).unwrap_or(*center);
            rounder.round((center, *width), bits)
        };
        calls.iter().fold(0, next).cast_unsigned()
    };
    ("strips, each centre from the last sample".into(), Box::new(work))
}

/// Calls one by one from a store, without a name: `round` is that of the store.
pub(crate) fn stored<'a, R: Copy + 'a, W: Copy + 'a>(
    rounder: R,
    calls: Vec<(FixedPoint, W)>,
    round: impl Fn(&mut ProposalStore<R, &mut BitReader<ChaCha20>>, FixedPoint, W) -> i64 + 'a,
) -> Contestant<'a> {
    let work = move |bits: &mut BitReader<ChaCha20>| {
        let mut store = ProposalStore::new(rounder, bits);
        calls.iter().fold(0, |sum, (center, width)| sum ^ round(&mut store, *center, *width).cast_unsigned())
    };
    (String::new(), Box::new(work))
}

/// The same, each with a centre that follows from the last sample.
fn stored_chained<'a, R: Copy + 'a, W: Copy + 'a>(
    rounder: R,
    calls: Vec<(FixedPoint, W)>,
    round: impl Fn(&mut ProposalStore<R, &mut BitReader<ChaCha20>>, FixedPoint, W) -> i64 + 'a,
) -> Contestant<'a> {
    let work = move |bits: &mut BitReader<ChaCha20>| {
        let mut store = ProposalStore::new(rounder, bits);
        let next = |last: i64, (center, width): &(FixedPoint, W)| {
            let fraction = center.fraction() ^ last.cast_unsigned() << 50;
            round(&mut store, FixedPoint::from_parts(last & 15, fraction).unwrap_or(*center), *width)
        };
        calls.iter().fold(0, next).cast_unsigned()
    };
    (String::new(), Box::new(work))
}

fn named<'a>(name: &str, (_, work): Contestant<'a>) -> Contestant<'a> {
    (name.into(), work)
}

/// SamplerZ over doubles, as one would first write it: 53-bit uniforms, the library's exp.
fn in_doubles(mu: f64, sigma: f64, sigma_min: f64, bits: &mut BitReader<ChaCha20>) -> i64 {
    // P(z0 > i) for the half Gaussian of width 1.8205.
    const TAIL: [f64; 18] = [
        0.6404, 0.3313, 0.1346, 0.04224, 0.01008, 0.001819, 0.0002440, 2.4e-5, 1.7e-6, 9.5e-8, 3.8e-9, 1.2e-10,
        2.6e-12, 4.4e-14, 5.4e-16, 5e-18, 3e-20, 1e-22,
    ];
    let fraction = mu - mu.floor();
    loop {
        let u = bits.bits(53) as f64 / 2f64.powi(53);
        let z0 = TAIL.iter().filter(|t| u < **t).count() as f64;
        let z = if bits.bit() { 1.0 + z0 } else { -z0 };
        let x = (z - fraction).powi(2) / (2.0 * sigma * sigma) - z0 * z0 / (2.0 * 1.8205 * 1.8205);
        if (bits.bits(53) as f64) < 2f64.powi(53) * (sigma_min / sigma) * (-x).exp() {
            return (mu.floor() + z) as i64;
        }
    }
}

/// Centres all over, in hundredths of a 1021st.
pub(crate) fn centers() -> Vec<f64> {
    (0..SAMPLES).map(|i| (i * 7919 % 1_000_003) as f64 / 1021.0 - 400.0).collect()
}

/// From 1.28 to 1.82.
pub(crate) fn falcons_widths() -> Vec<f64> {
    (0..SAMPLES).map(|i| 1.28 + (i % 541) as f64 / 1000.0).collect()
}

/// Of the range that has them.
pub(crate) fn falcons_strips() -> Result<StripRounder, Box<dyn Error>> {
    Ok(StripRounder::new("1.2778336969128337".parse()?, "1.8205".parse()?)?)
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let mu = centers();
    let fixed = || mu.iter().filter_map(|mu| FixedPoint::from_f64(*mu));

    let falcon = SamplerZ::FALCON_512;
    let sigmas = falcons_widths();
    let widths = sigmas.iter().map(|s| falcon.width(Rational::try_from(*s)?).map_err(Into::into));
    let widths = widths.collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let plain = |bits: &mut BitReader<ChaCha20>| {
        mu.iter().zip(&sigmas).fold(0, |sum, (mu, s)| sum ^ in_doubles(*mu, *s, 1.2778336969128337, bits) as u64)
    };
    let calls: Vec<_> = fixed().zip(widths).collect();
    let mut out = vec![0; calls.len()];
    let batch = |bits: &mut BitReader<ChaCha20>| {
        falcon.round_batch(&calls, bits, &mut out);
        taken(&out)
    };
    let strips = falcons_strips()?;
    let strips_of = |strips: &StripRounder| strip_calls(strips, fixed(), &sigmas);
    let mut contestants: Vec<Contestant<'_>> =
        Backend::available().map(|backend| strips_batch(backend, strips, strips_of(&strips))).collect();
    contestants.extend([
        rounds("strips", strips, strips_of(&strips)),
        chained(strips, strips_of(&strips)),
        named("strips, from a store", stored(strips, strips_of(&strips), |s, c, w| s.round(c, w))),
        named(
            "strips, from a store, each centre from the last sample",
            stored_chained(strips, strips_of(&strips), |s, c, w| s.round(c, w)),
        ),
        ("sampler-z, batch".into(), Box::new(batch) as _),
        named("sampler-z, from a store", stored(falcon, calls.clone(), |s, c, w| s.round(c, w))),
        named(
            "sampler-z, from a store, each centre from the last sample",
            stored_chained(falcon, calls.clone(), |s, c, w| s.round(c, w)),
        ),
        rounds("sampler-z", falcon, calls.clone()),
        ("in doubles, 53-bit uniforms, not isochronous".into(), Box::new(plain)),
    ]);
    contest(
        "SamplerZ, sigma' from 1.28 to 1.82, a centre and a width per call",
        SAMPLES,
        Clock::Processor,
        contestants,
    );

    for sigma in ["3.2", "215", "1.6e5"] {
        let s: Rational = sigma.parse()?;
        let (rounder, strips) = (KarneyRounder::new(s)?, StripRounder::of_sigma(s)?);
        let width = strips.width(s)?;
        let rationals = (0..SAMPLES).filter_map(|i| Rational::new(i as i64 * 7919 % 1_000_003, 1 + i as u64 % 997));
        let rationals: Vec<Rational> = rationals.collect();
        let centers = rationals.iter().map(|c| rounder.center(*c)).collect::<Result<Vec<_>, _>>()?;
        let with_center = |bits: &mut BitReader<ChaCha20>| {
            let draw = |c: &Rational| rounder.center(*c).map_or(0, |c| rounder.round(c, bits));
            rationals.iter().map(draw).fold(0, |sum, x| sum ^ x as u64)
        };
        let anew = |bits: &mut BitReader<ChaCha20>| {
            let mut draw = |c: &Rational| {
                let law = DiscreteGaussian::new(*c, Width::Sigma(s)).ok()?;
                Some(Karney::new(&law).ok()?.sample(bits))
            };
            rationals.iter().filter_map(&mut draw).fold(0, |sum, x| sum ^ x as u64)
        };
        contest(
            &format!("A rational centre per call, sigma = {sigma}"),
            SAMPLES,
            Clock::Processor,
            vec![
                strips_batch(Backend::current(), strips, fixed().map(|c| (c, width)).collect()),
                rounds("strips", strips, fixed().map(|c| (c, width)).collect()),
                rounds("karney, centres prepared", rounder, centers),
                ("karney, center(c) and round".into(), Box::new(with_center)),
                ("Karney::new for each centre".into(), Box::new(anew)),
            ],
        );
    }
    Ok(())
}
