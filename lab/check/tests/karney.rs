//! The law of Karney's sampler, bracketed by walking its bits: the real code, attempt by attempt.
//!
//! Two ways through the code are walked: the fast one, with draws narrow enough for a walk, and
//! the one that follows the paper's steps as printed (which the fast one takes for k >= 8).

use samplez_check::tape::{Budget, ExactLaw, Tape, enumerate};
use samplez_core::samplers::Karney;
use samplez_core::{DiscreteGaussian, Rational, Width};

/// The pmf of D_{Z,σ,c} by direct summation in doubles: relative error below 1e-12.
fn pmf(sigma: f64, center: f64) -> impl Fn(i64) -> f64 {
    let rho = move |x: i64| (-(x as f64 - center).powi(2) / (2.0 * sigma * sigma)).exp();
    let reach = (40.0 * sigma) as i64 + 40;
    let middle = center.round() as i64;
    let total: f64 = (middle - reach..=middle + reach).map(rho).sum();
    move |x| rho(x) / total
}

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn walk(sigma: &str, center: &str, runs: u64, attempt: impl Fn(&Karney, &mut Tape) -> Option<i64>) -> ExactLaw {
    let law = DiscreteGaussian::new(q(center), Width::Sigma(q(sigma))).unwrap();
    let sampler = Karney::new(&law).unwrap();
    enumerate(Budget::depth(100).runs(runs), |bits| attempt(&sampler, bits)).unwrap()
}

/// Whether every value's bracket holds its ideal probability.
fn holds(law: &ExactLaw, ideal: impl Fn(i64) -> f64) -> bool {
    law.values().all(|x| {
        let (bracket, p) = (law.bracket(x), ideal(x));
        *bracket.start() <= p * (1.0 + 1e-11) && *bracket.end() >= p * (1.0 - 1e-11)
    })
}

/// The brackets hold the law, and leave less than `open` of statistical distance.
fn check(sigma: &str, center: &str, open: f64, law: &ExactLaw) {
    let ideal = pmf(q(sigma).to_f64(), q(center).to_f64());
    assert!(holds(law, &ideal), "sigma = {sigma}, center = {center}");
    let distance = law.distance(&ideal);
    assert!(*distance.start() < 1e-10 && *distance.end() < open, "sigma = {sigma}, center = {center}: {distance:?}");
}

/// σ below 1 and above, integer, half-integer and other centres; the distance that the walks
/// of the fast way and of the printed one leave open.
const LAWS: [(&str, &str, f64, f64); 11] = [
    ("1/2", "0", 0.05, 0.45),
    ("1/2", "1/2", 0.06, 0.5),
    ("0.75", "1/3", 0.05, 0.5),
    ("1", "0", 0.03, 0.4),
    ("2", "-5/2", 0.04, 0.45),
    ("3.2", "0", 0.06, 0.5),
    ("3.2", "1/3", 0.06, 0.5),
    ("16/3", "-5/4", 0.06, 0.5),
    ("10", "0", 0.06, 0.5),
    ("40", "1/10", 0.1, 0.55),
    ("215.7", "1000000/3", 0.2, 0.6),
];

#[test]
fn the_fast_way_has_the_law() {
    for (sigma, center, open, _) in LAWS {
        let law = walk(sigma, center, 2_000_000, |k, bits| k.attempt_narrow::<2, 1, 1, _>(bits));
        check(sigma, center, open * 1.2, &law);
    }
}

#[test]
fn the_law_does_not_depend_on_the_widths() {
    for (sigma, center) in [("1", "0"), ("3.2", "1/3"), ("10", "0")] {
        let law = walk(sigma, center, 4_000_000, |k, bits| k.attempt_narrow::<8, 4, 2, _>(bits));
        check(sigma, center, 0.12, &law);
        let law = walk(sigma, center, 4_000_000, |k, bits| k.attempt_narrow::<16, 5, 3, _>(bits));
        check(sigma, center, 0.25, &law);
    }
}

#[test]
fn the_printed_way_has_the_law() {
    for (sigma, center, _, open) in LAWS {
        let law = walk(sigma, center, 2_000_000, |k, bits| k.attempt_printed(bits));
        check(sigma, center, open, &law);
    }
}

/// σ = 1/7, c = 1/2: the law is ½ on 0 and 1 but for e^-49, and nearly all attempts fail.
#[test]
fn a_narrow_law_between_two_integers() {
    let law = walk("1/7", "1/2", 4_000_000, |k, bits| k.attempt_narrow::<2, 1, 1, _>(bits));
    assert!(law.rejected() > 0.98);
    assert!(holds(&law, pmf(1.0 / 7.0, 0.5)));
    assert!(law.values().all(|x| x == 0 || x == 1) && law.values().count() > 0);
}

/// Blocks: every form of width beyond the steps, by the σ that a double has of it.
const BLOCKS: [(&str, &str, &str, f64); 12] = [
    ("sigma_squared", "10", "1/3", 0.4),
    ("sigma_squared", "1/7", "1/2", 0.4),
    ("sigma_squared", "472/117", "1/3", 0.4),
    ("sigma_squared", "472/117", "-5/2", 0.4),
    ("sigma_squared", "2", "0", 0.4),
    ("sigma_squared", "1/101", "-1/2", 0.4),
    ("sigma", "1/20", "1/2", 0.4),
    ("sigma", "1/60", "99/100", 0.4),
    ("s", "8.35", "1/3", 0.5),
    ("s", "1/2", "-1/2", 0.5),
    ("k_sigma2", "7/2", "1/3", 0.5),
    ("k_sigma2", "4", "0", 0.5),
];

fn width(form: &str, value: &str) -> (Width, f64) {
    let value = q(value);
    let (double, pi) = (value.to_f64(), std::f64::consts::PI);
    match form {
        "sigma" => (Width::Sigma(value), double),
        "sigma_squared" => (Width::SigmaSq(value), double.sqrt()),
        "s" => (Width::S(value), double / (2.0 * pi).sqrt()),
        _ => (Width::KSigma2(value), double / (2.0 * std::f64::consts::LN_2).sqrt()),
    }
}

/// The walk of blocks, with draws of j that fit their t, which is 4 at most here.
fn walk_blocks(form: &str, value: &str, center: &str, runs: u64) -> ExactLaw {
    let law = DiscreteGaussian::new(q(center), width(form, value).0).unwrap();
    let sampler = Karney::new(&law).unwrap();
    enumerate(Budget::depth(100).runs(runs), |bits| sampler.attempt_narrow::<2, 2, 1, _>(bits)).unwrap()
}

#[test]
fn blocks_have_the_law() {
    for (form, value, center, open) in BLOCKS {
        let law = walk_blocks(form, value, center, 2_000_000);
        let ideal = pmf(width(form, value).1, q(center).to_f64());
        assert!(holds(&law, &ideal), "{form} = {value}, center = {center}");
        let distance = law.distance(&ideal);
        assert!(*distance.start() < 1e-10 && *distance.end() < open, "{form} = {value}, {center}: {distance:?}");
    }
}

/// σ off by a fifth, another centre, a zero that comes twice: each leaves the brackets of blocks.
#[test]
fn wrong_laws_leave_the_brackets_of_blocks() {
    for (form, value, center, _) in [BLOCKS[0], BLOCKS[8], BLOCKS[10]] {
        let law = walk_blocks(form, value, center, 2_000_000);
        let (sigma, c) = (width(form, value).1, q(center).to_f64());
        assert!(holds(&law, pmf(sigma, c)));
        assert!(!holds(&law, pmf(1.2 * sigma, c)) && !holds(&law, pmf(0.8 * sigma, c)), "{form}");
        assert!(!holds(&law, pmf(sigma, -c)) && !holds(&law, pmf(sigma, c + 0.3)), "{form}");
    }
    let law = walk_blocks("sigma_squared", "2", "0", 2_000_000);
    let ideal = pmf(2_f64.sqrt(), 0.0);
    assert!(holds(&law, &ideal));
    assert!(!holds(&law, |x| if x == 0 { 2.0 * ideal(0) } else { ideal(x) } / (1.0 + ideal(0))));
}

/// The walk can tell: laws that are off by a little leave its brackets.
#[test]
fn wrong_laws_leave_the_brackets() {
    let law = walk("1", "0", 2_000_000, |k, bits| k.attempt_narrow::<2, 1, 1, _>(bits));
    let ideal = pmf(1.0, 0.0);
    let zero_twice = |x| if x == 0 { 2.0 * ideal(0) } else { ideal(x) } / (1.0 + ideal(0));
    let one_sided = |x| if x < 0 { 0.9 * ideal(x) } else { ideal(x) };
    assert!(holds(&law, &ideal));
    assert!(!holds(&law, zero_twice));
    assert!(!holds(&law, one_sided));
    assert!(!holds(&law, pmf(1.04, 0.0)) && !holds(&law, pmf(0.96, 0.0)));
    assert!(!holds(&law, pmf(1.0, 0.04)));
    // exp(-x(2k+x)/2) without its run of x²: a staircase.
    assert!(!holds(&law, |x| (-(x.unsigned_abs() as f64) / 2.0).exp() / 4.0));
}
