//! `Remainder` beside the samplers of heights and coins: the law of a trial by enumeration, the masses that the numbers below 2^-t
//! choose by bisection, and both together the ideal law.

use crate::common::law;
use samplez_check::tape::{Budget, ExactLaw, enumerate};
use samplez_core::bits::BitSource;
use samplez_core::samplers::{Bernoulli, TableRejection, Ziggurat};
use samplez_core::table::Table as _;
use samplez_core::{Bound, DiscreteGaussian, Width};
use samplez_tables::{
    BernoulliOptions, BuildError, Law, RejectionOptions, Remainder, ZigguratOptions, build_bernoulli, build_rejection,
    build_ziggurat,
};

/// Digits of the numbers that are bisected, behind the first t.
const DIGITS: u32 = 56;

/// A number of [`DIGITS`] digits, followed by zeros, and the sign 0. Its lowest word is drawn first.
struct Number {
    number: u64,
    /// The position of the number's last digit in the words to come.
    place: i32,
}

impl BitSource for Number {
    fn bits(&mut self, n: u32) -> u64 {
        let place = self.place;
        self.place -= 64;
        let word = match place {
            0..64 => self.number << place,
            -63..0 => self.number >> -place,
            _ => 0,
        };
        word & (u64::MAX >> (64 - n))
    }
}

/// The distance from the centre that this number selects.
fn distance(remainder: &Remainder, center: i64, number: u64) -> u64 {
    let place = (512 - remainder.tosses() - DIGITS) as i32;
    let sample = remainder.sample(&mut Number { number, place }).unwrap().unwrap();
    assert!(sample >= center, "a sign of 0");
    (sample - center) as u64
}

/// R for one value of each distance up to this one.
fn masses(remainder: &Remainder, center: i64, most: u64) -> Vec<f64> {
    let (mut below, unit) = (0, (-f64::from(DIGITS)).exp2());
    let mass = |at| {
        let mut end = 1 << DIGITS;
        let mut start = below;
        while start < end {
            let middle = start + (end - start) / 2;
            if distance(remainder, center, middle) > at { end = middle } else { start = middle + 1 }
        }
        let mass = (end - std::mem::replace(&mut below, end)) as f64 * unit;
        if at == 0 { mass } else { mass / 2.0 }
    };
    (0..=most).map(mass).collect()
}

/// How far (1 - 2^-t) Q + 2^-t R is from P, at most, and how far it may be.
fn gap(target: &DiscreteGaussian, walked: &ExactLaw, remainder: &Remainder, tosses: u32) -> (f64, f64) {
    let (center, ideal) = (target.center().num(), Law::new(target));
    let accepted = 1.0 - walked.rejected();
    let unit = 2_f64.powi(walked.log2_denominator() as i32) * accepted;
    let most = walked.values().map(|x| x.abs_diff(center)).max().unwrap() + 3;
    let hit = (-f64::from(tosses)).exp2();
    let far = |(distance, mass): (i64, f64)| {
        let of = |x: i64| (1.0 - hit) * walked.numerator(x) as f64 / unit + hit * mass - ideal.pmf(x);
        of(center + distance).abs().max(of(center - distance).abs())
    };
    let gap = (0..).zip(masses(remainder, center, most)).map(far).fold(0.0, f64::max);
    (gap, 4.0 * walked.undecided() / accepted + 1e-12)
}

/// The mixture is P. With another number of tosses or another table's remainder it is not.
fn is_exact(
    target: &DiscreteGaussian,
    walked: &ExactLaw,
    bound: &Bound,
    precision: u32,
    remainder: impl Fn(u32, &Bound) -> Result<Remainder, BuildError>,
) {
    let own = remainder(precision, bound).unwrap();
    let (found, allowed) = gap(target, walked, &own, own.tosses());
    assert!(found <= allowed && allowed < 1e-5, "{target}, {precision} bits: {found}, {allowed}");
    for wrong in [
        gap(target, walked, &own, own.tosses() + 1).0,
        gap(target, walked, &remainder(precision + 1, bound).unwrap(), own.tosses()).0,
    ] {
        assert!(wrong > 20.0 * allowed, "{target}, {precision} bits: {wrong}, {allowed}");
    }
}

#[test]
fn heights_and_their_remainder_are_the_ideal_law() {
    // The proposals are powers of two.
    for (sigma, center, precision, tail) in [("1", "0", 6, 3), ("7/3", "-5", 7, 3), ("3/2", "2", 4, 2)] {
        let target = law(sigma, center);
        let options = |precision| RejectionOptions { precision, tail, ..RejectionOptions::default() };
        let table = build_rejection(&target, &options(precision)).unwrap();
        let bound = table.bound();
        let sampler = TableRejection::from_table(table).unwrap();
        let walked = enumerate(Budget::depth(30), |bits| sampler.attempt_narrow::<3, _>(precision, bits)).unwrap();
        is_exact(&target, &walked, &bound, precision, |precision, bound| {
            Remainder::of_rejection(&target, &options(precision), bound)
        });
    }
}

#[test]
fn rectangles_and_their_remainder_are_the_ideal_law() {
    for (sigma, center, rectangles, precision, omega) in
        [("2", "-7", 2, 5, 7), ("1", "0", 2, 4, 5), ("3", "1", 4, 6, 6)]
    {
        let target = law(sigma, center);
        let options = |precision| ZigguratOptions {
            rectangles,
            precision,
            omega: omega + precision,
            tail: "3".parse().unwrap(),
            ..ZigguratOptions::default()
        };
        let table = build_ziggurat(&target, &options(precision)).unwrap();
        let bound = table.bound();
        let sampler = Ziggurat::from_table(table);
        let budget = Budget::depth(60).undecided(1e-7);
        let walked = enumerate(budget, |bits| sampler.attempt_narrow::<3, 4, _>(bits)).unwrap();
        is_exact(&target, &walked, &bound, precision, |precision, bound| {
            Remainder::of_ziggurat(&target, &options(precision), bound)
        });
    }
}

#[test]
fn coins_and_their_remainder_are_the_ideal_law() {
    for (k, center, precision) in [(2, "-3", 6), (4, "5", 5)] {
        let target = DiscreteGaussian::new(center.parse().unwrap(), Width::KSigma2(k.into())).unwrap();
        let options = |precision| BernoulliOptions { precision, ..BernoulliOptions::default() };
        let table = build_bernoulli(&target, &options(precision)).unwrap();
        let bound = table.bound();
        let sampler = Bernoulli::from_table(table);
        let budget = Budget::depth(100).runs(3_000_000);
        let walked = enumerate(budget, |bits| sampler.attempt_narrow::<16, 4, 3, _>(bits)).unwrap();
        is_exact(&target, &walked, &bound, precision, |precision, bound| {
            Remainder::of_bernoulli(&target, &options(precision), bound)
        });
    }
}
