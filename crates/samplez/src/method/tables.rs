//! A recipe's options as those of the builders of tables.

use crate::options::Options;
use samplez_tables::{CdtOptions, ConvolutionOptions};

pub(super) fn cdt(options: &Options) -> CdtOptions {
    CdtOptions { precision: options.precision(), max_bytes: options.memory(), ..CdtOptions::default() }
}

/// The convolutions may add as much error as the table's precision stands for.
pub(super) fn convolution(options: &Options) -> ConvolutionOptions {
    let default = ConvolutionOptions::default();
    ConvolutionOptions {
        precision: options.precision(),
        bound: options.precision(),
        max_bytes: default.max_bytes.min(options.memory()),
        ..default
    }
}
