//! A base table and convolutions in constant time, over a narrower base.

use super::row::{Ask, Cost, Row, as_said};
use super::speed::{self, Points};
use super::tables;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::params::DiscreteGaussian;
use samplez_core::noise::Noise;
use samplez_core::sampler::Sampler;
use samplez_core::samplers::convolution_ct::ConvolutionCt;
use samplez_tables::ConvolutionOptions;

pub(super) const ROW: Row = Row {
    name: "convolution-ct",
    summary: "sums of samples of cdt-ct in constant time; any form of sigma above 54, integer center",
    paper: "[MW17], [JSDGS17]",
    file: "convolution_ct.rs",
    law: "**certified**; another base, hence other numbers than `convolution`",
    takes: "as `convolution`",
    memory: "2 to 23 KB",
    timing: ConvolutionCt::<Vec<u32>>::TIMING,
    exact: false,
    heeds: &["precision"],
    settle: as_said,
    cost,
    build,
};

/// By σ, at 128 bits.
const SPEED: Points = &[(215.0, 23.9), (1e3, 24.8), (1.6e5, 11.7), (1e9, 4.5), (1e15, 2.1)];

fn cost(ask: &Ask<'_>) -> Result<Cost, Refused> {
    ask.integer_center(ROW.name)?;
    // Its base is at least as wide as this, and at most 32 but for the widest laws. Every bit costs.
    let (least, most) = (ask.table_of(4.0), ask.table_of(140.0));
    let speed = speed::at(SPEED, ask.sigma) * 128.0 / f64::from(ask.options.precision());
    Ok(ask.cost(least.bytes(), most.setup(), speed))
}

/// Every threshold of the base is compared: two samples of a base of 32 take as long as four of one a quarter as
/// wide, which is the next level's.
fn build(law: &DiscreteGaussian, options: &Options) -> Result<Box<dyn Noise>, Refused> {
    let options = ConvolutionOptions { base_sigma: 32, ..tables::convolution(options) };
    Ok(Box::new(ConvolutionCt::from_table(samplez_tables::build_convolution(law, &options)?)?))
}
