//! Parameters to tables: no panic, a consistent profile, and samples within the support.

use crate::params::{draw, law};
use samplez_core::samplers::{Bernoulli, CdtGuided, Convolution, KnuthYao, Rejection, TableRejection, Ziggurat};
use samplez_core::table::Table;
use samplez_core::{DiscreteGaussian, Rational};
use samplez_tables::{
    BernoulliOptions, CdtGuidedOptions, CdtOptions, ConvolutionOptions, KnuthYaoOptions, RejectionOptions,
    ZigguratOptions, build_bernoulli, build_convolution, build_guided, build_knuth_yao, build_rejection,
    build_ziggurat, certify_ziggurat, guide,
};

/// The largest table: large ones show nothing more, and take longer.
const MAX_BYTES: u64 = 1 << 14;

/// Six bytes: the builder, its precision and four options. Then a law, as for `params`.
pub fn builders(data: &[u8]) {
    let Some(([builder, precision, a, b, c, d], rest)) = data.split_first_chunk::<6>() else { return };
    let Some(law) = law(rest) else { return };
    let (precision, max_bytes) = (u32::from(*precision), MAX_BYTES);
    let (a, b, c, d) = (u32::from(*a), u32::from(*b), u32::from(*c), u32::from(*d));
    let cdt = CdtOptions { precision, max_bytes, ..CdtOptions::default() };
    match builder % 7 {
        0 => ziggurat(&law, precision, [a, b, c, d]),
        1 => {
            let options = ConvolutionOptions { precision, bound: a, max_bytes, ..ConvolutionOptions::default() };
            let Ok(table) = build_convolution(&law, &options) else { return };
            let Ok(guide) = guide(table.base(), max_bytes) else { return };
            draw(&Convolution::from_table(table, guide).expect("a guide to its base"));
        }
        2 => {
            let options = KnuthYaoOptions { cdt, first_levels: (b < 20).then_some(b) };
            let _ = build_knuth_yao(&law, &options).map(|table| draw(&KnuthYao::from_table(table)));
        }
        3 => {
            let options = CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() };
            let _ = build_guided(&law, &options).map(|table| draw(&CdtGuided::from_table(table)));
        }
        4 => {
            let options = RejectionOptions { precision, tail: a, max_bytes };
            let Ok(table) = build_rejection(&law, &options) else { return };
            let _ = TableRejection::from_table(table).map(|sampler| draw(&sampler));
        }
        5 => {
            let Some(tail) = Rational::new(i64::from(a) - 2, u64::from(b)) else { return };
            // Wide tails take as many trials: refused or slow is no finding.
            if tail.to_f64() < 40.0 {
                let _ = Rejection::new(&law, tail).map(|sampler| draw(&sampler));
            }
        }
        _ => {
            let options = BernoulliOptions { precision, max_bytes };
            let Ok(table) = build_bernoulli(&law, &options) else { return };
            let sampler = Bernoulli::from_table(table);
            draw(&sampler);
            draw(&sampler.frugal());
        }
    }
}

fn ziggurat(law: &DiscreteGaussian, precision: u32, [rectangles, omega, tail, variant]: [u32; 4]) {
    // Each column is looked at, up to 2^24 of them: wide laws show nothing more, and take seconds.
    if law.width().value().to_f64() > 4096.0 {
        return;
    }
    let options = ZigguratOptions {
        rectangles,
        precision,
        omega: precision + omega,
        tail: Rational::new(i64::from(tail), 4).unwrap_or(Rational::ZERO),
        chord: variant & 1 != 0,
        stored: variant & 2 != 0,
        max_bytes: MAX_BYTES,
    };
    if let Ok(table) = build_ziggurat(law, &options) {
        assert!(table.bytes() as u64 <= MAX_BYTES);
        if table.support().end() - table.support().start() < 1 << 10 {
            assert_eq!(certify_ziggurat(&table), Some(table.parts().bound));
        }
        draw(&Ziggurat::from_table(table));
    }
}
