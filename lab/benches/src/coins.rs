//! The schemes' coins and residues: exact ones against those of 64 bits as one would first write them.

use crate::contest::{Clock, Contestant, SAMPLES, contest};
use samplez::ExpCoin;
use samplez::{BitReader, BitSource, Width};
use samplez_core::uniform;
use samplez_sources::ChaCha20;
use std::error::Error;
use std::num::NonZeroU16;

/// One coin of 64 bits for each binary digit of x, as in \[DDLL13\], Algorithm 8: e^(-2^i/f) rounded to doubles.
struct Digits([u64; 20]);

impl Digits {
    fn new(f: f64) -> Self {
        Digits(std::array::from_fn(|i| ((-2_f64.powi(i as i32) / f).exp() * 2_f64.powi(64)) as u64))
    }

    fn exp<B: BitSource>(&self, x: u64, bits: &mut B) -> bool {
        (0..20).rev().filter(|i| x >> i & 1 == 1).all(|i| bits.bits(64) < self.0[i])
    }

    fn sech<B: BitSource>(&self, x: u64, bits: &mut B) -> bool {
        loop {
            if self.exp(x, bits) {
                return true;
            }
            if !bits.bit() && !self.exp(x, bits) {
                return false;
            }
        }
    }
}

/// A coin for each of many exponents x below 2f.
fn tosses<'a>(name: &str, f: f64, toss: impl Fn(u64, &mut BitReader<ChaCha20>) -> bool + 'a) -> Contestant<'a> {
    let exponents = move || (0..SAMPLES as u64).map(move |i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (2.0 * f) as u64);
    (name.into(), Box::new(move |bits| exponents().filter(|x| toss(*x, bits)).count() as u64))
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    // BLISS I: k = 254, f = k²/ln 2.
    let coin = ExpCoin::of_width(Width::KSigma2(254.into()))?;
    let f = 254.0 * 254.0 / std::f64::consts::LN_2;
    let digits = Digits::new(f);
    contest(
        "Coins of probability exp(-x/f), f = 254²/ln 2, x below 2f",
        SAMPLES,
        Clock::Processor,
        vec![
            tosses("ExpCoin, exact", f, |x, bits| coin.exp_vartime(x, bits)),
            tosses("a coin of 64 bits for each digit of x", f, |x, bits| digits.exp(x, bits)),
        ],
    );
    contest(
        "Coins of probability 1/cosh(x/f), f = 254²/ln 2, x below 2f",
        SAMPLES,
        Clock::Processor,
        vec![
            tosses("ExpCoin, exact", f, |x, bits| coin.sech_vartime(x, bits)),
            tosses("coins of 64 bits for each digit of x", f, |x, bits| digits.sech(x, bits)),
        ],
    );
    residues()
}

fn residues() -> Result<(), Box<dyn Error>> {
    let q = NonZeroU16::new(12_289).ok_or("q > 0")?;
    let (mut out, mut slow) = (vec![0_u16; SAMPLES], vec![0_u16; SAMPLES]);
    contest(
        "Residues below q = 12289",
        SAMPLES,
        Clock::Processor,
        vec![
            (
                "fill_below".into(),
                Box::new(|bits| {
                    uniform::fill_below(q, bits, &mut out);
                    out[0].into()
                }),
            ),
            (
                "14 bits each, again while above q".into(),
                Box::new(|bits| {
                    for slot in &mut slow {
                        *slot = loop {
                            let draw = bits.bits(14) as u16;
                            if draw < q.get() {
                                break draw;
                            }
                        };
                    }
                    slow[0].into()
                }),
            ),
        ],
    );
    Ok(())
}
