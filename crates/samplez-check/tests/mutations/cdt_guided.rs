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
