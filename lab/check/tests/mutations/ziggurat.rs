//! [BCGHW13], Algorithms 1 and 2, and [JSDGS17], Algorithm 3, as printed or nearly so.

use crate::common::law;
use crate::common::ziggurat::{Integers, SMALL, Table, has_law_of, variants};
use samplez_check::tape::Tape;
use samplez_core::bits::{BitSource, uniform_below};
use samplez_tables::ZigguratOptions;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mutation {
    /// The corrected form.
    Right,
    /// x = 0 is accepted in every rectangle, the first included.
    ZeroUnseen,
    /// x = 0 without its half coin.
    ZeroTwice,
    /// x <= X_(i-1), zero included, accepted also in rectangle 1, where X_0 = 0.
    FirstColumn,
    /// y'h <= 2^ω d.
    Inclusive,
    /// y'h > 2^ω d, as in [JSDGS17].
    Reversed,
    /// Rectangle i from y_(i+1) to y_i.
    Shifted,
    /// ρ rounded up.
    RhoUp,
    /// Columns 0, …, X_i - 1.
    ColumnShort,
    /// What is below the chord one column further right is accepted.
    ChordTooFar,
    /// What is above the chord one column further left is rejected.
    ChordTooNear,
    /// The chord's height over 0 instead of y_i.
    ChordFromZero,
    /// 2^ω y_i is added twice to y'h before it is compared with 2^ω R(x), as in [JSDGS17].
    LowerTwice,
    /// y'h + 2^ω y_i is added by digits, whose carries are lost.
    CarryLost,
    /// The sum is compared with 2^ω R(x) by the last digit that differs.
    LastDigit,
}

use Mutation::*;

fn trial(integers: &Integers, mutation: Mutation, bits: &mut Tape) -> Option<i64> {
    let omega = integers.omega;
    let i = uniform_below(integers.m() as u64, bits) as usize;
    let negative = bits.bit();
    let (fast, all) = (integers.edges[i], integers.edges[i + 1]);
    let columns = if mutation == ColumnShort && all > 1 { all - 1 } else { all };
    let x = uniform_below(columns, bits);
    let returned = |accepted: bool| {
        let keep = accepted && (x != 0 || !negative || mutation == ZeroTwice);
        keep.then_some(if negative { -(x as i64) } else { x as i64 })
    };
    let fast = match mutation {
        ZeroUnseen if i == 0 && x == 0 => 1,
        FirstColumn if i == 0 => 2,
        _ => fast,
    };
    if x < fast {
        return returned(true);
    }
    let y = i128::from(bits.bits(omega));
    let shift = usize::from(mutation == Shifted && i + 2 < integers.heights.len());
    let (upper, lower) = (integers.heights[i + shift], integers.heights[i + shift + 1]);
    let rho = integers.rho[x as usize] + i128::from(mutation == RhoUp && x > 0);
    let (h, d) = (upper - lower, rho - lower);
    let (width, right) = (i128::from(all - fast), i128::from(all - x));
    if i > 0 && mutation == ChordTooFar && y * width < right << omega {
        return returned(true);
    }
    if i > 0 && mutation == ChordTooNear && y * width >= (right - 1) << omega {
        return None;
    }
    if i > 0 && mutation == ChordFromZero && (y * h + (lower << omega)) * width >= (right * h) << omega {
        return None;
    }
    returned(match mutation {
        Inclusive => y * h <= d << omega,
        Reversed => y * h > d << omega,
        LowerTwice => y * h + (lower << (omega + 1)) < rho << omega,
        CarryLost => {
            let digit = |value: i128, i: i32| (value >> (4 * i)) & 15;
            let digits = (0..8).map(|i| (digit(y * h, i) + digit(lower << omega, i)) % 16 * 16_i128.pow(i as u32));
            digits.sum::<i128>() < rho << omega
        }
        LastDigit => {
            let (sum, goal) = (y * h + (lower << omega), rho << omega);
            let digit = |value: i128, i: i32| (value >> (4 * i)) & 15;
            (0..8).find(|i| digit(sum, *i) != digit(goal, *i)).is_some_and(|i| digit(sum, i) < digit(goal, i))
        }
        _ => y * h < d << omega,
    })
}

fn tables() -> impl Iterator<Item = Table> {
    SMALL.into_iter().flat_map(|(sigma, tail, rectangles, precision, omega)| {
        let options =
            ZigguratOptions { rectangles, precision, omega, tail: tail.parse().unwrap(), ..ZigguratOptions::default() };
        variants(&law(sigma, "0"), &options).into_iter().take(1)
    })
}

/// The tables on which the law check passes.
fn passing(mutation: Mutation) -> usize {
    tables()
        .filter(|table| {
            let integers = Integers::of(table);
            has_law_of(&integers, 0, |bits| trial(&integers, mutation, bits)).is_ok()
        })
        .count()
}

#[test]
fn the_right_form_passes_everywhere() {
    assert_eq!(passing(Right), SMALL.len());
}

#[test]
fn printed_forms_are_caught_everywhere() {
    for mutation in [ZeroTwice, Reversed, RhoUp, ColumnShort, LowerTwice, LastDigit] {
        assert_eq!(passing(mutation), 0, "{mutation:?}");
    }
}

/// Mistakes that some partitions forgive: y_0 = 1 exactly, no comparison that is an equality, arcs
/// far from their chords.
#[test]
fn printed_forms_are_caught_where_they_matter() {
    for mutation in [ZeroUnseen, Inclusive, Shifted, FirstColumn, ChordTooFar, ChordTooNear, ChordFromZero, CarryLost] {
        let passing = passing(mutation);
        assert!(passing < SMALL.len(), "{mutation:?} passes everywhere");
        println!("{mutation:?} passes on {passing} of {} tables", SMALL.len());
    }
}

/// Zero's erratum shows exactly where y_0 > 1.
#[test]
fn an_unseen_zero_is_caught_wherever_y0_exceeds_1() {
    for table in tables() {
        let integers = Integers::of(&table);
        let passes = has_law_of(&integers, 0, |bits| trial(&integers, ZeroUnseen, bits)).is_ok();
        assert_eq!(passes, integers.heights[0] <= integers.rho[0], "{:?}", table.parts());
    }
}
