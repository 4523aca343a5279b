//! Bytes of the Knuth–Yao tables that the papers weigh.

use samplez_core::table::Table;
use samplez_core::{DiscreteGaussian, Rational};
use samplez_tables::{CdtOptions, KnuthYaoOptions, build_knuth_yao};

/// A table's bytes, and what a paper says of it.
///
/// ```
/// let sizes = samplez_check::papers::knuth_yao_bytes();
/// assert_eq!((sizes[0].bytes, sizes[0].paper), (1196, "0.48 KB"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Which table.
    pub name: String,
    /// Its bytes, all of them: bits, offsets, ranks.
    pub bytes: usize,
    /// The paper's figure.
    pub paper: &'static str,
}

/// The matrices of \[JSDGS17\], 128 bits, without a first table; and \[BCGHW13\]'s at its largest
/// width, 106 bits, t = 13.
///
/// # Panics
///
/// If a table cannot be built, whose parameters are fixed.
///
/// ```
/// let sizes = samplez_check::papers::knuth_yao_bytes();
/// // n·t·σ bits are 27.6 MB: 52 times 524 KB, not 424 times.
/// assert!(sizes[3].bytes > 15_000_000 && sizes[3].bytes < 20_000_000);
/// ```
pub fn knuth_yao_bytes() -> Vec<Memory> {
    let compact = |sigma, paper| memory(sigma, 128, paper);
    vec![
        compact("3.3311", "0.48 KB"),
        compact("55.5649", "7.19 KB"),
        compact("107", "13.75 KB"),
        memory("1.6e5", 106, "424 times 524 KB; its formula: 424 bytes"),
    ]
}

fn memory(sigma: &str, precision: u32, paper: &'static str) -> Memory {
    let width: Rational = sigma.parse().expect("a rational");
    let law = DiscreteGaussian::with_sigma(width).expect("a width");
    let cdt = CdtOptions { precision, ..CdtOptions::default() };
    let options = KnuthYaoOptions { cdt, first_levels: Some(0) };
    let table = build_knuth_yao(&law, &options).expect("a table");
    Memory { name: format!("{precision} bits, sigma = {sigma}"), bytes: table.bytes(), paper }
}
