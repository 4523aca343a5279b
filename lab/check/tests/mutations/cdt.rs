//! [JSDGS17], Algorithm 2 (inversion), as printed or nearly so.

use crate::common::cdt::has_law_of;
use samplez_check::tape::Tape;
use samplez_core::bits::BitSource;
use samplez_core::table::Shape;

const PRECISION: u32 = 10;
const FIRST: i64 = 3;
const THRESHOLDS: [u32; 6] = [900, 517, 260, 61, 12, 1];

/// Inversion, with a hole for each mistake: the draw of u, the count and the mapping to a value.
fn inversion(
    draw: impl Fn(&mut Tape) -> u64,
    counts: impl Fn(usize, u64, u64) -> bool,
    value: impl Fn(i64, bool) -> i64,
) -> impl Fn(&mut Tape) -> Option<i64> {
    move |bits| {
        let u = draw(bits);
        let index = THRESHOLDS.iter().enumerate().filter(|(j, t)| counts(*j, u, u64::from(**t))).count();
        Some(value(index as i64, bits.bit()))
    }
}

fn uniform(bits: &mut Tape) -> u64 {
    bits.bits(PRECISION)
}

fn below(_: usize, u: u64, t: u64) -> bool {
    u < t
}

fn folded(index: i64, negative: bool) -> i64 {
    if negative { FIRST - index } else { FIRST + index }
}

fn verdict(run: impl Fn(&mut Tape) -> Option<i64>) -> Result<(), String> {
    has_law_of(Shape::Folded, FIRST, PRECISION, &THRESHOLDS, run).map(|_| ())
}

#[test]
fn the_right_form_passes() {
    assert_eq!(verdict(inversion(uniform, below, folded)), Ok(()));
}

#[test]
fn inclusive_comparison_is_caught() {
    let error = verdict(inversion(uniform, |_, u, t| u <= t, folded)).unwrap_err();
    println!("{error}");
}

#[test]
fn reversed_comparison_is_caught() {
    verdict(inversion(uniform, |_, u, t| u > t, folded)).unwrap_err();
}

/// u in [0, 2): the digit a_0 before the binary point is drawn too.
#[test]
fn random_leading_digit_is_caught() {
    verdict(inversion(|bits| bits.bits(PRECISION + 1), below, folded)).unwrap_err();
}

/// The search that never looks at the entry 0.
#[test]
fn skipped_first_threshold_is_caught() {
    verdict(inversion(uniform, |j, u, t| j > 0 && u < t, folded)).unwrap_err();
}

#[test]
fn index_instead_of_value_is_caught() {
    verdict(inversion(uniform, below, |index, negative| if negative { -index } else { index })).unwrap_err();
    verdict(inversion(uniform, below, |index, _| index)).unwrap_err();
}

/// A lazy draw that never looks at the rest of u.
#[test]
fn head_only_comparison_is_caught() {
    for head in 3..PRECISION {
        let cut = PRECISION - head;
        verdict(inversion(uniform, |_, u, t| u >> cut < t >> cut, folded)).unwrap_err();
        verdict(inversion(uniform, |_, u, t| u >> cut <= t >> cut, folded)).unwrap_err();
    }
}

/// The comparison by digits of two bits, with the digit that decides.
fn by_digits(decides: impl Fn(&[(u64, u64)]) -> Option<(u64, u64)>) -> Result<(), String> {
    let digit = |value: u64, i: u32| value >> (PRECISION - 2 - 2 * i) & 3;
    let below = |_, u, t| {
        let digits: Vec<_> = (0..PRECISION / 2).map(|i| (digit(u, i), digit(t, i))).collect();
        decides(&digits).is_some_and(|(a, b)| a < b)
    };
    verdict(inversion(uniform, below, folded))
}

/// The inner loop over the digits has to end with the first that differs, and to look at a further
/// one each time.
#[test]
fn an_inner_loop_over_the_digits_that_does_not_break_is_caught() {
    let differs = |(a, b): &&(u64, u64)| a != b;
    assert_eq!(by_digits(|digits| digits.iter().find(differs).copied()), Ok(()));
    by_digits(|digits| digits.iter().rev().find(differs).copied()).unwrap_err();
    for fixed in 0..PRECISION as usize / 2 {
        by_digits(|digits| digits.get(fixed).copied()).unwrap_err();
    }
}

/// Half the zeros dropped, as if the table held D_Z(x) and not its folded form.
#[test]
fn dropped_zeros_are_caught() {
    verdict(|bits| {
        let x = inversion(uniform, below, folded)(bits)?;
        if x == FIRST && bits.bit() { None } else { Some(x) }
    })
    .unwrap_err();
}

/// One threshold off by one part in 2^10.
#[test]
fn wrong_threshold_is_caught() {
    for j in 0..THRESHOLDS.len() {
        verdict(inversion(uniform, |i, u, t| u < t + u64::from(i == j), folded)).unwrap_err();
    }
}
