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
