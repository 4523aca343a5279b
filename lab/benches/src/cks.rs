//! The \[CKS20\] sampler against its algorithms as printed, and against Karney's.

use crate::contest::{Clock, Contestant, SAMPLES, contest, taken};
use crate::naive;
use samplez::{BitSource, DiscreteGaussian, Rational, Sampler, Width};
use samplez_core::samplers::{Cks, Karney};
use std::error::Error;

/// Algorithms 1 to 3, transcribed: σ² = a/b.
struct Printed {
    a: u128,
    b: u128,
    t: u64,
}

impl Printed {
    /// True with probability num/den, bit by bit.
    fn coin<B: BitSource>(num: u128, den: u128, bits: &mut B) -> bool {
        let mut rest = num;
        num >= den
            || loop {
                rest <<= 1;
                let place = rest >= den;
                rest -= if place { den } else { 0 };
                if place != bits.bit() {
                    return place;
                }
            }
    }

    /// Algorithm 1.
    fn coin_exp<B: BitSource>(num: u128, den: u128, bits: &mut B) -> bool {
        if num > den {
            return (0..num / den).all(|_| Self::coin_exp(1, 1, bits)) && Self::coin_exp(num % den, den, bits);
        }
        let mut k = 1;
        while Self::coin(num, den * k, bits) {
            k += 1;
        }
        k % 2 == 1
    }

    /// Algorithms 2 and 3.
    fn sample<B: BitSource>(&self, bits: &mut B) -> i64 {
        let (a, b, t) = (self.a, self.b, u128::from(self.t));
        loop {
            let u = bits.bits(64 - self.t.leading_zeros());
            if u >= self.t {
                continue;
            }
            if !Self::coin_exp(u.into(), t, bits) {
                continue;
            }
            let mut v = 0;
            while Self::coin_exp(1, 1, bits) {
                v += 1;
            }
            let (negative, y) = (bits.bit(), u + self.t * v);
            if negative && y == 0 {
                continue;
            }
            let root = (u128::from(y) * t * b).abs_diff(a);
            if Self::coin_exp(root * root, 2 * a * b * t * t, bits) {
                return if negative { -(y as i64) } else { y as i64 };
            }
        }
    }
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    for sigma in ["3.2", "10", "215", "1.6e5"] {
        let q: Rational = sigma.parse()?;
        let law = DiscreteGaussian::new(Rational::ZERO, Width::Sigma(q))?;
        let (sampler, karney) = (Cks::new(&law)?, Karney::new(&law)?);
        let (num, den) = (u128::from(q.num().unsigned_abs()), u128::from(q.den()));
        let printed = Printed { a: num * num, b: den * den, t: (num / den) as u64 + 1 };
        let mut outs = [(); 3].map(|()| vec![0_i64; SAMPLES]);
        let [out, other, slow] = &mut outs;
        let contestants: Vec<Contestant<'_>> = vec![
            ("cks, fill".into(), Box::new(|bits| sampler.fill(bits, out).map_or(0, |()| taken(out)))),
            ("karney, fill".into(), Box::new(|bits| karney.fill(bits, other).map_or(0, |()| taken(other)))),
            (
                "Algorithms 1 to 3 as printed".into(),
                Box::new(|bits| naive::fill(slow, || printed.sample(bits)).map_or(0, |()| taken(slow))),
            ),
        ];
        let profile = sampler.profile();
        let title = format!(
            "CKS, sigma = {sigma}, {:.1} bits, {:.3} trials per sample",
            profile.expected_bits, profile.expected_trials
        );
        contest(&title, SAMPLES, Clock::Processor, contestants);
    }
    Ok(())
}
