//! `Wide`: the probability of every proposal, from the shipped decisions alone, times that of its y is the law's; wrong forms
//! of it; and statistics at full width.

use crate::common::{rejecting, verify};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::{Wide, WideTrial};
use samplez_core::{DiscreteGaussian, Noise, Rational, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{Law, WideExponent, build_isochronous, build_wide};

type Form = fn(Rational) -> Width;

fn law((form, q, center): (Form, &str, &str)) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), form(q.parse().unwrap())).unwrap()
}

const LAWS: [(Form, &str, &str); 6] = [
    (Width::Sigma, "67108865", "1/2"),
    (Width::Sigma, "1e9", "1/3"),
    (Width::SigmaSq, "9223372036854775807", "-7/2"),
    (Width::S, "1234567890123456/7", "123456789012/7"),
    (Width::KSigma2, "2e17", "-4611686018427387904"),
    (Width::Sigma, "144115188075855871", "3"),
];

/// One word that continues V.
struct One(u64);

impl BitSource for One {
    fn bits(&mut self, n: u32) -> u64 {
        assert_eq!(n, 64);
        self.0
    }
}

/// E, from the least V of 112 digits that is accepted. It is found by halving.
fn exponent(trial: &WideTrial, refine: &WideExponent, y: i64, low: u64) -> f64 {
    let accepted = |v: u128| trial.accepts(refine, y, &[low], (v >> 64) as u64, &mut One(v as u64));
    let (mut below, mut least) = (0_u128, 1 << 112);
    while least - below > 1 {
        let middle = below.midpoint(least);
        if accepted(middle) { least = middle } else { below = middle }
    }
    -libm::log1p(-libm::scalbn(least as f64, -112))
}

/// A form of the algorithm: it maps a, y, u + 2^(L-1), L and E to x and its E.
type Made = fn(i64, i64, i64, u32, f64) -> (i64, f64);

/// The largest difference of ln P(x) + E - ln P(y) between proposals: 0 if the product of both probabilities is that of the law.
fn spread(of: (Form, &str, &str), made: Made) -> f64 {
    let target = law(of);
    let (trial, refine) = build_wide(&target).unwrap();
    let base = Law::new(&DiscreteGaussian::with_sigma(trial.base()).unwrap());
    let (target, a) = (Law::new(&target), target.center().nearest());
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let top = 1_u64 << trial.shift();
    for y in [0, 1, -1, -2, 31_234_567, -60_000_001, 123_456_789, -140_000_000] {
        for low in [0, 1, top / 3, top / 2, top - 1] {
            let e = exponent(&trial, &refine, y, low);
            assert!((0.0..0.001).contains(&e), "{of:?} {y} {low}: {e}");
            let (x, e) = made(a, y, low as i64, trial.shift(), e);
            let found = target.logpmf(x) + e - base.logpmf(y);
            (least, most) = (least.min(found), most.max(found));
        }
    }
    most - least
}

fn right(a: i64, y: i64, low: i64, shift: u32, e: f64) -> (i64, f64) {
    (a + (y << shift) + low - (1 << (shift - 1)), e)
}

#[test]
fn the_product_is_the_law() {
    for of in LAWS {
        let spread = spread(of, right);
        assert!(spread < 4e-14, "{of:?}: {spread}");
    }
}

#[test]
fn wrong_forms_are_seen() {
    let forms: [(&str, Made); 5] = [
        ("all accepted", |a, y, low, shift, _| right(a, y, low, shift, 0.0)),
        ("u from 0", |a, y, low, shift, e| (a + (y << shift) + low, e)),
        ("u downwards", |a, y, low, shift, e| (a + (y << shift) - low + (1 << (shift - 1)), e)),
        ("y the other way", |a, y, low, shift, e| right(a, -y, low, shift, e)),
        ("half the exponent", |a, y, low, shift, e| right(a, y, low, shift, e / 2.0)),
    ];
    for (what, made) in forms {
        for of in LAWS {
            let spread = spread(of, made);
            assert!(spread > 1e-9, "{what}, {of:?}: {spread}");
        }
    }
}

fn sampler(target: &DiscreteGaussian) -> impl Noise + use<> {
    let (trial, refine) = build_wide(target).unwrap();
    let base = build_isochronous(&DiscreteGaussian::with_sigma(trial.base()).unwrap()).unwrap();
    Wide::new(*target, base, trial, refine).unwrap()
}

#[test]
fn samples_have_the_law() {
    for of in LAWS {
        let target = law(of);
        let (sampler, mut bits) = (sampler(&target), BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32]))));
        let noise: &dyn Noise = &sampler;
        let mut samples = vec![0_i64; 120_000];
        let (fills, singles) = samples.split_at_mut(100_000);
        fills.chunks_mut(7001).for_each(|out| noise.fill(&mut bits, out).unwrap());
        singles.iter_mut().for_each(|x| *x = noise.sample(&mut bits));
        let rejecting = rejecting(&verify(&target, &samples)).join(", ");
        assert!(rejecting.is_empty(), "{of:?}: {rejecting}");
    }
}

/// A type that is too narrow for a sample is an error, and a wide one has the same integers.
#[test]
fn types_agree() {
    let sampler = sampler(&law((Width::Sigma, "1e8", "1/3")));
    let noise: &dyn Noise = &sampler;
    let bits = || BitReader::new(ChaCha20::new(&Seed::from_bytes([2; 32])));
    let (mut wide, mut narrow) = ([0_i64; 5000], [0_i32; 5000]);
    noise.fill(&mut bits(), &mut wide).unwrap();
    noise.fill(&mut bits(), &mut narrow).unwrap();
    assert_eq!(wide, narrow.map(i64::from));
    assert!(noise.fill(&mut bits(), &mut [0_i16; 100]).is_err());
    let profile = noise.profile();
    assert!(profile.support.contains(&1_200_000_000) && !profile.support.contains(&1_300_000_000));
    let too_wide = law((Width::Sigma, "288230376151711745", "0"));
    let (trial, refine) = build_wide(&too_wide).unwrap();
    let base = build_isochronous(&DiscreteGaussian::with_sigma(trial.base()).unwrap()).unwrap();
    let e = Wide::new(too_wide, base, trial, refine).unwrap_err();
    assert_eq!(e.to_string(), "sigma = 288230376151711745: method wide allows 2^26 < sigma <= 2^58");
}
