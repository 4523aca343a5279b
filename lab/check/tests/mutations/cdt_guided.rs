//! The guide of [JSDGS17], Algorithm 2, with one mistake each.

use crate::common::cdt::has_law_of;
use samplez_check::tape::Tape;
use samplez_core::bits::BitSource;
use samplez_core::table::Shape;

const PRECISION: u32 = 10;
const GUIDE: u32 = 3;
const THRESHOLDS: [u64; 6] = [900, 517, 260, 61, 12, 1];

fn cell(u: u64) -> u64 {
    u >> (PRECISION - GUIDE)
}

/// Guided inversion, with a hole for the decision whether a cell is open (`held` thresholds in it)
/// and for where the search begins (`above` the cell).
fn verdict(open: impl Fn(usize) -> bool, start: impl Fn(usize) -> usize) -> Result<(), String> {
    let run = |bits: &mut Tape| {
        let u = bits.bits(PRECISION);
        let above = THRESHOLDS.iter().filter(|t| cell(**t) > cell(u)).count();
        let held = THRESHOLDS.iter().filter(|t| cell(**t) == cell(u)).count();
        let mut index = start(above);
        if open(held) {
            index += THRESHOLDS[index..].iter().take_while(|t| u < **t).count();
        }
        Some(if bits.bit() { -(index as i64) } else { index as i64 })
    };
    has_law_of(Shape::Folded, 0, PRECISION, &THRESHOLDS.map(|t| t as u32), run).map(|_| ())
}

#[test]
fn the_right_guide_passes() {
    assert_eq!(verdict(|held| held > 0, |above| above), Ok(()));
    assert_eq!(verdict(|_| true, |_| 0), Ok(()));
}

#[test]
fn an_open_cell_taken_as_decided_is_caught() {
    verdict(|_| false, |above| above).unwrap_err();
    verdict(|held| held > 1, |above| above).unwrap_err();
}

#[test]
fn a_search_from_the_wrong_place_is_caught() {
    verdict(|held| held > 0, |above| (above + 1).min(THRESHOLDS.len())).unwrap_err();
    verdict(|held| held > 0, |above| above.saturating_sub(1)).unwrap_err();
}

/// Bits of the first draw of u, less than the precision.
const LEAD: u32 = 6;

/// Inversion by a first draw, with a hole for the decision whether more bits are drawn (`equal` to
/// the lead of a threshold) and for how many of the `held` thresholds of a cell it is compared with.
fn lead_verdict(draws: impl Fn(bool) -> bool, compares: impl Fn(usize) -> usize) -> Result<(), String> {
    let lead = |u: u64| u >> (PRECISION - LEAD);
    let run = |bits: &mut Tape| {
        let mut u = bits.bits(LEAD) << (PRECISION - LEAD);
        if draws(THRESHOLDS.iter().any(|t| lead(*t) == lead(u))) {
            u |= bits.bits(PRECISION - LEAD);
        }
        let above = THRESHOLDS.iter().filter(|t| cell(**t) > cell(u)).count();
        let held = THRESHOLDS.iter().filter(|t| cell(**t) == cell(u)).count();
        let index = above + THRESHOLDS[above..].iter().take(compares(held)).take_while(|t| u < **t).count();
        Some(if bits.bit() { -(index as i64) } else { index as i64 })
    };
    has_law_of(Shape::Folded, 0, PRECISION, &THRESHOLDS.map(|t| t as u32), run).map(|_| ())
}

#[test]
fn the_right_first_draw_passes() {
    assert_eq!(lead_verdict(|equal| equal, |held| held), Ok(()));
    assert_eq!(lead_verdict(|_| true, |held| held + 1), Ok(()));
}

#[test]
fn the_lead_of_a_threshold_taken_as_decided_is_caught() {
    lead_verdict(|_| false, |held| held).unwrap_err();
}

#[test]
fn a_cell_of_several_thresholds_taken_as_of_one_is_caught() {
    lead_verdict(|equal| equal, |held| held.min(1)).unwrap_err();
}

/// Bits of the first draw of u, and of the second, less than the precision together.
const FIRST: u32 = 3;
const SECOND: u32 = 4;

/// Inversion by two short draws, with holes for whether the second is drawn (`held` thresholds have the first
/// bits), and what it says against `its` bits where one threshold has them (`None`: the rest of u is drawn).
fn short_verdict(opens: impl Fn(usize) -> bool, below: impl Fn(u64, u64) -> Option<bool>) -> Result<(), String> {
    let first = |u: u64| u >> (PRECISION - FIRST);
    let run = |bits: &mut Tape| {
        let minus = bits.bit();
        let mut u = bits.bits(FIRST) << (PRECISION - FIRST);
        let held: Vec<u64> = THRESHOLDS.into_iter().filter(|t| first(*t) == first(u)).collect();
        let mut index = THRESHOLDS.iter().filter(|t| first(**t) > first(u)).count();
        if opens(held.len()) {
            let second = bits.bits(SECOND);
            u |= second << (PRECISION - FIRST - SECOND);
            let its = |t: u64| t >> (PRECISION - FIRST - SECOND) & ((1 << SECOND) - 1);
            match held[..] {
                [t] if below(second, its(t)).is_some() => index += usize::from(below(second, its(t)) == Some(true)),
                _ => {
                    u |= bits.bits(PRECISION - FIRST - SECOND);
                    index = THRESHOLDS.iter().filter(|t| u < **t).count();
                }
            }
        }
        Some(if minus { -(index as i64) } else { index as i64 })
    };
    has_law_of(Shape::Folded, 0, PRECISION, &THRESHOLDS.map(|t| t as u32), run).map(|_| ())
}

fn decided(second: u64, its: u64) -> Option<bool> {
    (second != its).then_some(second < its)
}

#[test]
fn the_right_short_draws_pass() {
    assert_eq!(short_verdict(|held| held > 0, decided), Ok(()));
    assert_eq!(short_verdict(|held| held > 0, |_, _| None), Ok(()));
}

#[test]
fn a_first_byte_of_a_threshold_taken_as_decided_is_caught() {
    short_verdict(|held| held > 1, decided).unwrap_err();
    short_verdict(|held| held == 1, decided).unwrap_err();
}

#[test]
fn an_equal_second_byte_taken_as_decided_is_caught() {
    short_verdict(|held| held > 0, |second, its| Some(second < its)).unwrap_err();
    short_verdict(|held| held > 0, |second, its| Some(second <= its)).unwrap_err();
}
