//! Benchmarks. Each figure stands beside a baseline measured in the same run: all contestants
//! take turns, round by round, and medians are reported.
//!
//! `cargo run --release -p samplez-bench [-- NAME …]`; a wrong name lists the names.

mod bernoulli;
mod cdt_ct;
mod cdt_guided;
mod cdt_lazy_ct;
mod cks;
mod coins;
mod contest;
mod convolution;
mod du_wei;
mod goals;
mod isochronous;
mod knuth_yao;
mod naive;
mod rejection;
mod rejection_table;
mod rounder;
mod sources;
mod ziggurat;

use contest::{Clock, Contestant, SAMPLES, checksum, contest, seed};
use rand_core::Rng;
use samplez::samplers::{Cdt, Karney};
use samplez::sources::ChaCha20;
use samplez::tables::{self, CdtOptions};
use samplez::{BitSource, Bulk, DiscreteGaussian, Noise, Rational, Sampler, Source, Width};
use std::error::Error;
use std::hint::black_box;
use std::num::NonZeroUsize;

fn bits() {
    let draws = 1 << 20;
    let mut contestants: Vec<Contestant<'_>> = [1, 13, 32, 64]
        .into_iter()
        .map(|n| -> Contestant<'_> {
            (format!("bits({n})"), Box::new(move |bits| (0..draws).fold(0, |sum, _| sum ^ bits.bits(n))))
        })
        .collect();
    let mut words = vec![0; draws];
    contestants.push((
        "words, 64 bits".into(),
        Box::new(move |bits| {
            bits.words(&mut words);
            words[0]
        }),
    ));
    let mut bytes = vec![0; 8 * draws];
    for size in [1024, 4096, 16384] {
        let mut buffer = vec![0; size];
        contestants.push((
            format!("keystream in requests of {size} bytes, 8 bytes"),
            Box::new(move |_| {
                let mut rng = ChaCha20::new(&seed(0));
                for _ in 0..8 * draws / size {
                    rng.fill_bytes(&mut buffer);
                    black_box(&mut buffer);
                }
                buffer[0].into()
            }),
        ));
    }
    contestants.push((
        "keystream alone, 8 bytes".into(),
        Box::new(move |_| {
            ChaCha20::new(&seed(0)).fill_bytes(&mut bytes);
            bytes[0].into()
        }),
    ));
    contest("Bit layer over ChaCha20, per draw", draws, Clock::Processor, contestants);
}

fn karney() -> Result<(), Box<dyn Error>> {
    for (sigma, center) in
        [("3.2", "0"), ("10", "0"), ("3.2", "1/3"), ("215", "0"), ("1.6e5", "0"), ("1099511627776", "0")]
    {
        let (s, c): (Rational, Rational) = (sigma.parse()?, center.parse()?);
        let sampler = Karney::new(&DiscreteGaussian::new(c, Width::Sigma(s))?)?;
        let naive = naive::Karney { sigma: (s.num().unsigned_abs(), s.den()), center: (c.num(), c.den()) };
        let (mut out, mut slow) = (vec![0_i64; SAMPLES], vec![0_i64; SAMPLES]);
        contest(
            &format!("Karney, sigma = {sigma}, center = {center}"),
            SAMPLES,
            Clock::Processor,
            vec![
                ("karney, fill".into(), Box::new(|bits| sampler.fill(bits, &mut out).map_or(0, |()| checksum(&out)))),
                (
                    "karney, sample".into(),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
                ),
                (
                    "Algorithm D as printed, 32-bit digits".into(),
                    Box::new(|bits| naive::fill(&mut slow, || naive.sample(bits)).map_or(0, |()| checksum(&slow))),
                ),
            ],
        );
    }
    Ok(())
}

fn cdt() -> Result<(), Box<dyn Error>> {
    for (sigma, center) in [("3.2", "0"), ("3.2", "1/3"), ("19.5", "0"), ("215", "0"), ("1000", "0")] {
        let law = DiscreteGaussian::new(center.parse()?, Width::Sigma(sigma.parse()?))?;
        let sampler = Cdt::from_table(tables::build_cdt(&law, &CdtOptions::default())?);
        let naive = naive::Cdt64::new(&DiscreteGaussian::with_sigma(sigma.parse()?)?)?;
        let (mut out, mut slow) = (vec![0_i16; SAMPLES], vec![0_i16; SAMPLES]);
        contest(
            &format!(
                "CDT, sigma = {sigma}, center = {center}, 128 bits, {} bytes, to i16",
                sampler.profile().table_bytes
            ),
            SAMPLES,
            Clock::Processor,
            vec![
                ("cdt, fill".into(), Box::new(|bits| sampler.fill(bits, &mut out).map_or(0, |()| checksum(&out)))),
                (
                    "cdt, sample".into(),
                    Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ sampler.sample(bits) as u64)),
                ),
                (
                    "plain CDT of 64 bits, center 0".into(),
                    Box::new(|bits| naive::fill(&mut slow, || naive.sample(bits)).map_or(0, |()| checksum(&slow))),
                ),
            ],
        );
    }
    Ok(())
}

fn bulk() -> Result<(), Box<dyn Error>> {
    let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
    let cdt = Cdt::from_table(tables::build_cdt(&law, &CdtOptions::default())?);
    let karney = Karney::new(&law)?;
    let samplers: [(&str, &dyn Noise); 2] = [("cdt", &cdt), ("karney", &karney)];
    for (name, sampler) in samplers {
        let bulk = Bulk::new(sampler, Source::ChaCha20, seed(0));
        let count = 16 * SAMPLES;
        let contestants = [2, 1].into_iter().filter_map(NonZeroUsize::new).map(|threads| -> Contestant<'_> {
            let (bulk, mut out) = (&bulk, vec![0_i8; count]);
            (
                format!("{threads} threads"),
                Box::new(move |_| bulk.par_fill(0, &mut out, threads).map_or(0, |()| checksum(&out))),
            )
        });
        contest(&format!("Bulk, {name}, sigma = 3.2, to i8"), count, Clock::Wall, contestants.collect());
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let known = [
        "bits",
        "bernoulli",
        "isochronous",
        "karney",
        "knuth-yao",
        "cdt",
        "cdt-ct",
        "cdt-guided",
        "cdt-lazy-ct",
        "cks",
        "coins",
        "convolution",
        "du-wei-4",
        "du-wei-5",
        "goals",
        "rejection",
        "rejection-table",
        "rounder",
        "sources",
        "ziggurat",
        "bulk",
    ];
    if let Some(other) = wanted.iter().find(|w| !known.contains(&w.as_str())) {
        return Err(format!("benchmark = {other}: must be one of {}", known.join(", ")).into());
    }
    let runs = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    if runs("bits") {
        bits();
    }
    if runs("bernoulli") {
        bernoulli::run()?;
    }
    if runs("karney") {
        karney()?;
    }
    if runs("knuth-yao") {
        knuth_yao::run()?;
    }
    if runs("cdt") {
        cdt()?;
    }
    if runs("cdt-ct") {
        cdt_ct::run()?;
    }
    if runs("cdt-guided") {
        cdt_guided::run()?;
    }
    if runs("cdt-lazy-ct") {
        cdt_lazy_ct::run()?;
    }
    if runs("cks") {
        cks::run()?;
    }
    if runs("coins") {
        coins::run()?;
    }
    if runs("convolution") {
        convolution::run()?;
    }
    if runs("du-wei-4") {
        du_wei::du_wei_4()?;
    }
    if runs("du-wei-5") {
        du_wei::du_wei_5()?;
    }
    if runs("goals") {
        goals::run()?;
    }
    if runs("isochronous") {
        isochronous::run()?;
    }
    if runs("rejection") {
        rejection::run()?;
    }
    if runs("rejection-table") {
        rejection_table::run()?;
    }
    if runs("sources") {
        sources::run()?;
    }
    if runs("rounder") {
        rounder::run()?;
    }
    if runs("ziggurat") {
        ziggurat::run()?;
    }
    if runs("bulk") {
        bulk()?;
    }
    Ok(())
}
