//! \[BCGHW13\]'s sampler in its variants, against the algorithm as one would first write it.

use crate::contest::{Clock, Contestant, SAMPLES, contest, taken};
use crate::naive;
use samplez::{BitSource, DiscreteGaussian, Sampler};
use samplez_core::samplers::Ziggurat;
use samplez_tables::{ZigguratOptions, build_ziggurat};
use std::error::Error;

/// Algorithm 1 with heights of 60 bits: each draw by itself, and the exponential in doubles.
struct Printed {
    edges: Vec<u32>,
    heights: Vec<u64>,
    scale: f64,
}

impl Printed {
    fn uniform<B: BitSource>(m: u32, bits: &mut B) -> u32 {
        let n = 32 - (m - 1).leading_zeros();
        loop {
            let x = if n == 0 { 0 } else { bits.bits(n) as u32 };
            if x < m {
                return x;
            }
        }
    }

    fn sample<B: BitSource>(&self, bits: &mut B) -> i64 {
        let m = self.heights.len() - 1;
        loop {
            let i = Self::uniform(m as u32, bits) as usize;
            let negative = bits.bits(1) != 0;
            let x = Self::uniform(self.edges[i + 1], bits);
            if x >= self.edges[i] {
                let y = u128::from(bits.bits(61));
                let (upper, lower) = (self.heights[i], self.heights[i + 1]);
                let rho = ((f64::from(x) * f64::from(x) * self.scale).exp() * (1_u64 << 60) as f64) as u64;
                if rho <= lower || y * u128::from(upper - lower) >= u128::from(rho - lower) << 61 {
                    continue;
                }
            }
            if x == 0 && negative {
                continue;
            }
            return if negative { -i64::from(x) } else { i64::from(x) };
        }
    }
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for (sigma, bytes) in [
        ("3.3311", 2080),
        ("10", 2080),
        ("32", 2080),
        ("107", 8192),
        ("215", 8192),
        ("1000", 32_768),
        ("1.6e5", 524_000),
    ] {
        let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
        let base = ZigguratOptions { precision: 106, omega: 138, tail: 13.into(), ..ZigguratOptions::default() };
        let options = base.within(&law, bytes)?;
        let build = |chord, stored| -> Result<_, Box<dyn Error>> {
            Ok(Ziggurat::from_table(build_ziggurat(&law, &ZigguratOptions { chord, stored, ..options })?))
        };
        let variants = [
            ("plain", build(false, false)?),
            ("O", build(true, false)?),
            ("P", build(false, true)?),
            ("OP", build(true, true)?),
        ];
        let coarse = build_ziggurat(&law, &ZigguratOptions { precision: 60, omega: 61, ..options })?;
        let q: f64 = law.width().value().to_f64();
        let printed = Printed {
            edges: coarse.words()[..=options.rectangles as usize].to_vec(),
            heights: (0..=options.rectangles as usize).map(|i| coarse.edge_height(i)[0]).collect(),
            scale: -1.0 / (2.0 * q * q),
        };
        let mut slow = vec![0_i32; SAMPLES];
        let mut contestants: Vec<Contestant<'_>> = Vec::new();
        for (name, sampler) in &variants {
            let mut out = vec![0_i32; SAMPLES];
            contestants.push((
                format!("ziggurat {name}, {} bytes, fill", sampler.profile().table_bytes),
                Box::new(move |bits| sampler.fill(bits, &mut out).map_or(0, |()| taken(&out))),
            ));
        }
        let chord = &variants[1].1;
        contestants.push((
            "ziggurat O, sample".into(),
            Box::new(|bits| (0..SAMPLES).fold(0, |sum, _| sum ^ chord.sample(bits) as u64)),
        ));
        contestants.push((
            "Algorithm 1, 60 bits, doubles".into(),
            Box::new(|bits| naive::fill(&mut slow, || printed.sample(bits)).map_or(0, |()| taken(&slow))),
        ));
        contest(
            &format!("Ziggurat, sigma = {sigma}, {} rectangles, 106 bits, to i32", options.rectangles),
            SAMPLES,
            Clock::Processor,
            contestants,
        );
    }
    Ok(())
}
