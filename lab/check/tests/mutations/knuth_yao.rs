//! [JSDGS17], Algorithm 5, and [DW18], Algorithm 8 (Knuth–Yao walks), as printed or nearly so.

use crate::common::{brackets, law};
use samplez_check::tape::{Budget, Tape, enumerate};
use samplez_core::Sampler;
use samplez_core::bits::BitSource;
use samplez_core::samplers::KnuthYao;
use samplez_tables::{CdtOptions, KnuthYaoOptions, build_knuth_yao};

const PRECISION: u32 = 16;
const SIGMA: f64 = 1.3;

/// The walk over these weights, in units of 2^-16; `None` where it leaves the table. Column 0 has
/// the bits of weight 2^-first.
fn walk(weights: &[u64], first: u32, bits: &mut Tape) -> Option<i64> {
    let mut d = 0_i64;
    for column in first..=PRECISION {
        d = 2 * d + i64::from(bits.bit());
        for (row, weight) in weights.iter().enumerate() {
            d -= (weight >> (PRECISION - column) & 1) as i64;
            if d < 0 {
                return Some(row as i64);
            }
        }
    }
    None
}

fn signed(row: i64, bits: &mut Tape) -> i64 {
    if bits.bit() { -row } else { row }
}

/// The weights c·ρ(x) for x >= 0, rounded, those of x > 0 taken `fold` times.
fn weights(total: f64, fold: f64) -> Vec<u64> {
    let rho = |x: i32| (-f64::from(x * x) / (2.0 * SIGMA * SIGMA)).exp() * if x > 0 { fold } else { 1.0 };
    (0..8).map(|x| (rho(x) / total * f64::from(1 << PRECISION)) as u64).collect()
}

fn rho_sum(both: bool) -> f64 {
    let half: f64 = (1..40).map(|x| (-f64::from(x * x) / (2.0 * SIGMA * SIGMA)).exp()).sum();
    1.0 + half * if both { 2.0 } else { 1.0 }
}

/// Whether an attempt has the law, but for the rounding of its table and for what the walk
/// leaves undecided.
fn verdict(run: impl FnMut(&mut Tape) -> Option<i64>) -> Result<(), String> {
    let walked = enumerate(Budget::depth(PRECISION + 4), run).map_err(|e| e.to_string())?;
    let (distance, undecided) = (*walked.distance(brackets::pmf(SIGMA, 0.0)).start(), walked.undecided());
    let rounding = 16.0 / f64::from(1 << PRECISION);
    if distance < rounding && undecided < rounding { Ok(()) } else { Err(format!("SD {distance}, open {undecided}")) }
}

#[test]
fn the_right_forms_pass() {
    let cdt = CdtOptions { precision: PRECISION, ..CdtOptions::default() };
    let table = build_knuth_yao(&law("1.3", "0"), &KnuthYaoOptions { cdt, ..KnuthYaoOptions::default() }).unwrap();
    let sampler = KnuthYao::from_table(table);
    assert_eq!(verdict(|bits| Some(sampler.sample(bits))), Ok(()));
    // Folded weights; or ρ(x)/ρ(Z>=0), and half of the zeros dropped.
    let folded = weights(rho_sum(true), 2.0);
    assert_eq!(verdict(|bits| walk(&folded, 1, bits).map(|row| signed(row, bits))), Ok(()));
    let half_line = weights(rho_sum(false), 1.0);
    let halved = |bits: &mut Tape| {
        let row = walk(&half_line, 1, bits)?;
        let negative = bits.bit();
        (row != 0 || !negative).then_some(if negative { -row } else { row })
    };
    assert_eq!(verdict(halved), Ok(()));
}

/// Algorithm 5 walks over D_Z(x), x >= 0: 44 % of the walks leave the table at σ = 3.33, and zero comes twice as often.
#[test]
fn a_walk_over_the_unfolded_law_is_caught() {
    let unfolded = weights(rho_sum(true), 1.0);
    verdict(|bits| walk(&unfolded, 1, bits).map(|row| signed(row, bits))).unwrap_err();
    let ideal = brackets::pmf(3.3311, 0.0);
    let left: f64 = 1.0 - (0..60).map(&ideal).sum::<f64>();
    assert!((left - 0.44).abs() < 0.001, "{left}");
}

/// Zero kept with both signs.
#[test]
fn an_undropped_zero_is_caught() {
    let half_line = weights(rho_sum(false), 1.0);
    verdict(|bits| walk(&half_line, 1, bits).map(|row| signed(row, bits))).unwrap_err();
}

/// [DW18], Algorithms 7 and 8: column 0 with the bits of weight 2^0, so that a bit is drawn before
/// any row can end. Half of the mass leaves the table.
#[test]
fn a_column_too_many_is_caught() {
    let folded = weights(rho_sum(true), 2.0);
    let left = enumerate(Budget::depth(PRECISION + 4), |bits| walk(&folded, 0, bits)).unwrap().rejected();
    assert!((left - 0.5).abs() < 0.01, "{left}");
}

/// Rows in which a weight takes its neighbour's place.
#[test]
fn swapped_rows_are_caught() {
    let mut folded = weights(rho_sum(true), 2.0);
    folded.swap(1, 2);
    verdict(|bits| walk(&folded, 1, bits).map(|row| signed(row, bits))).unwrap_err();
}
