//! Pictures of tables, as data: the very integers that the samplers use.

use super::request::Request;
use crate::json;
use crate::spelling::Failure;
use samplez::Sampler;
use samplez_core::samplers::KnuthYao;
use samplez_core::table::Shape;
use samplez_tables::{CdtOptions, KnuthYaoOptions, ZigguratOptions, build_knuth_yao, build_ziggurat};

/// Levels of the walk in a picture.
const LEVELS: u32 = 40;
/// The most values that are listed for one of them.
const VALUES: usize = 4096;

/// 0: the Ziggurat. 1: the Knuth–Yao walk.
pub(crate) fn figure(kind: u32, request: &Request) -> Result<String, Failure> {
    match kind {
        0 => ziggurat(request),
        1 => knuth_yao(request),
        _ => Err(format!("figure = {kind}: expected 0 or 1").into()),
    }
}

/// The rectangles: `edges` X_0 + 1 = 0 … X_m + 1, the numbers of their columns, and `heights`
/// y_0 … y_m = 0, where the density at 0 is 1.
fn ziggurat(request: &Request) -> Result<String, Failure> {
    let options = &request.recipe.options;
    let options = ZigguratOptions {
        rectangles: options.rectangles.unwrap_or(256),
        precision: options.precision(),
        omega: options.precision() + 32,
        tail: options.tail(),
        max_bytes: options.memory(),
        ..ZigguratOptions::default()
    };
    let table = build_ziggurat(&request.recipe.gaussian()?, &options);
    let table = table.map_err(|error| request.said.refused(error.into()))?;
    let m = options.rectangles as usize;
    let height = |i| {
        let limbs = table.edge_height(i);
        let value = limbs.iter().rev().fold(0.0, |sum, limb| sum * 2_f64.powi(64) + *limb as f64);
        value * 2_f64.powi(-(options.precision as i32))
    };
    Ok(json::object([
        ("edges", json::array(table.words()[..=m].iter().map(u32::to_string))),
        ("heights", json::array((0..=m).map(|i| json::number(height(i))))),
    ]))
}

/// The first columns of the probability matrix: for each bit, how many values have a probability
/// with it, and the first of them. Folded: the values are distances from the center, and of two signs.
fn knuth_yao(request: &Request) -> Result<String, Failure> {
    let cdt = CdtOptions {
        precision: request.recipe.options.precision(),
        max_bytes: request.recipe.options.memory(),
        ..CdtOptions::default()
    };
    let options = KnuthYaoOptions { cdt, first_levels: Some(0) };
    let table = build_knuth_yao(&request.recipe.gaussian()?, &options);
    let table = &table.map_err(|error| request.said.refused(error.into()))?;
    let (parts, sampler) = (table.parts(), KnuthYao::from_table(table.clone()));
    let folded = parts.shape == Shape::Folded;
    let from = if folded { 0 } else { parts.first };
    let columns = || 0..LEVELS.min(parts.precision);
    let ones = |column| (0..parts.rows).filter(move |row| table.bit(*row, column));
    let values = |column| json::array(ones(column).take(VALUES).map(|row| (from + row as i64).to_string()));
    Ok(json::object([
        ("folded", folded.to_string()),
        ("rows", parts.rows.to_string()),
        ("expectedBits", json::number(sampler.profile().expected_bits)),
        ("leaves", json::array(columns().map(|column| ones(column).count().to_string()))),
        ("columns", json::array(columns().map(values))),
    ]))
}
