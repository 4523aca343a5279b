//! [JSDGS17], Algorithms 1 and 4 (table rejection, and its uniform proposal), as printed or nearly so.

use crate::common::{brackets, law};
use samplez_check::tape::{Budget, Tape, enumerate};
use samplez_core::bits::{BitSource, uniform_below};
use samplez_core::samplers::TableRejection;
use samplez_tables::{RejectionOptions, build_rejection};

const SIGMA: f64 = 1.5;
const PRECISION: u32 = 10;
/// Proposals are 0 … LAST.
const LAST: i64 = 5;

fn height(s: i64) -> u64 {
    ((-(s * s) as f64 / (2.0 * SIGMA * SIGMA)).exp() * f64::from(1 << PRECISION)) as u64
}

/// A trial, with a hole for the proposal, for P[s], and for what becomes of s and b.
fn trial(
    propose: impl Fn(&mut Tape) -> Option<i64>,
    height: impl Fn(i64) -> u64,
    zero: impl Fn(bool) -> bool,
) -> impl Fn(&mut Tape) -> Option<i64> {
    move |bits| {
        let s = propose(bits)?;
        let negative = bits.bit();
        if s == 0 && !zero(negative) {
            return None;
        }
        (bits.bits(PRECISION) < height(s)).then_some(if negative { -s } else { s })
    }
}

fn uniform(bits: &mut Tape) -> Option<i64> {
    Some(uniform_below(LAST as u64 + 1, bits) as i64)
}

/// Whether a trial has the law, but for the rounding of the heights, the mass beyond 5 (0.0003) and
/// what is left undecided.
fn verdict(run: impl FnMut(&mut Tape) -> Option<i64>) -> Result<(), String> {
    let walked = enumerate(Budget::depth(PRECISION + 12), run).map_err(|e| e.to_string())?;
    let distance = *walked.distance(brackets::pmf(SIGMA, 0.0)).start();
    let undecided = walked.undecided();
    if distance < 0.003 && undecided < 0.01 { Ok(()) } else { Err(format!("SD {distance}, undecided {undecided}")) }
}

#[test]
fn the_right_forms_pass() {
    assert_eq!(verdict(trial(uniform, height, |negative| !negative)), Ok(()));
    let options = RejectionOptions { precision: PRECISION, tail: 4, ..RejectionOptions::default() };
    let sampler = TableRejection::from_table(build_rejection(&law("1.5", "0"), &options).unwrap()).unwrap();
    assert_eq!(verdict(|bits| sampler.attempt_narrow::<8, _>(PRECISION, bits)), Ok(()));
}

/// P[s] a probability, P[0] = 1: zero comes much too often.
#[test]
fn probabilities_for_heights_are_caught() {
    let ideal = brackets::pmf(SIGMA, 0.0);
    let probability = move |s: i64| if s == 0 { 1 << PRECISION } else { (ideal(s) * f64::from(1 << PRECISION)) as u64 };
    verdict(trial(uniform, probability, |negative| !negative)).unwrap_err();
    // The printed effect: P(0) = 0.53 for 0.12 at σ = 3.33.
    let wide = brackets::pmf(3.33, 0.0);
    let rest: f64 = (1..50).map(&wide).sum();
    assert!((0.5 / (0.5 + rest) - 0.53).abs() < 0.005 && (wide(0) - 0.12).abs() < 0.001);
}

/// The test of b outside s = 0: for all s, or for none.
#[test]
fn a_misplaced_test_of_b_is_caught() {
    verdict(trial(uniform, height, |_| true)).unwrap_err();
    let one_sided = |bits: &mut Tape| trial(uniform, height, |_| true)(bits).filter(|x| *x >= 0);
    verdict(one_sided).unwrap_err();
}

/// The density exp(-πx/s²), s = σ·sqrt(2π), without its square.
#[test]
fn a_density_without_its_square_is_caught() {
    let printed = |x: i64| ((-(x as f64) / (2.0 * SIGMA * SIGMA)).exp() * f64::from(1 << PRECISION)) as u64;
    verdict(trial(uniform, printed, |negative| !negative)).unwrap_err();
}

#[test]
fn heights_too_large_are_caught() {
    verdict(trial(uniform, |s| height(s) + 16, |negative| !negative)).unwrap_err();
}

/// Algorithm 4, uniform on 0 … c' digit by digit: a digit above that of c' ends the attempt, one
/// below frees the rest. With the test for equality after the break, c' = 5 gives {0, …, 5, 7}.
fn digits(late: bool) -> impl Fn(&mut Tape) -> Option<i64> {
    move |bits| {
        let (mut x, mut free) = (0, false);
        for i in (0..3).rev() {
            let (digit, own) = (i64::from(bits.bit()), LAST >> i & 1);
            x = 2 * x + digit;
            if !free && digit > own {
                // The late test sees only that the last digits agree.
                return if late && i == 1 && bits.bit() { Some(2 * x + 1) } else { None };
            }
            free |= digit < own;
        }
        Some(x)
    }
}

#[test]
fn the_late_test_of_equality_is_caught() {
    assert_eq!(verdict(trial(digits(false), height, |negative| !negative)), Ok(()));
    let set = |late| -> Vec<i64> { enumerate(Budget::depth(4), digits(late)).unwrap().values().collect() };
    assert_eq!((set(false), set(true)), (vec![0, 1, 2, 3, 4, 5], vec![0, 1, 2, 3, 4, 5, 7]));
    verdict(trial(digits(true), |s| if s > LAST { 1 << PRECISION } else { height(s) }, |negative| !negative))
        .unwrap_err();
}
