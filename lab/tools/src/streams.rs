//! `kat/streams.csv`: what each method draws, and what one draws from each
//! source, under fixed seeds. The same integers must come out
//! in every language, on every machine, for every number of threads.

use samplez::{Built, Bulk, DiscreteGaussian, Method, Options, Rational, Recipe, Seed, Source, Width};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fmt::Write as _;

/// Samples under the hash: two blocks and a part of a third.
const COUNT: usize = 20_000;
/// Samples written out.
const HEAD: usize = 16;

const HEADER: &str = "width,value,center,method,precision,source,seed,first,count,sha256 of the samples as little-endian i64,the first samples";

const SEEDS: [&str; 2] = [
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe",
];

type Form = fn(Rational) -> Width;
type Case = (Form, &'static str, &'static str, Method, u32, u64);

const CASES: [Case; 56] = [
    (Width::Sigma, "3.2", "0", Method::Karney, 0, 0),
    (Width::Sigma, "3.2", "1/3", Method::Karney, 0, 12_345),
    (Width::Sigma, "1/2", "1/2", Method::Karney, 0, 0),
    (Width::SigmaSq, "10.24", "-7", Method::Karney, 0, 0),
    (Width::Sigma, "215", "0", Method::Karney, 0, 0),
    (Width::Sigma, "1.6e5", "-1000000/3", Method::Karney, 0, 1 << 40),
    (Width::Sigma, "1099511627776", "0.25", Method::Karney, 0, 0),
    (Width::Sigma, "3.2", "0", Method::Cdt, 128, 0),
    (Width::Sigma, "3.2", "0", Method::Cdt, 24, 0),
    (Width::Sigma, "3.2", "1/3", Method::Cdt, 72, 8_000),
    (Width::SigmaSq, "2", "1/2", Method::Cdt, 256, 0),
    (Width::KSigma2, "254", "0", Method::Cdt, 64, 0),
    (Width::S, "8.35", "0", Method::Cdt, 128, 0),
    (Width::Sigma, "0.3", "0", Method::Cdt, 128, 0),
    (Width::Sigma, "19.5", "-1000", Method::Cdt, 80, 0),
    (Width::Sigma, "1000", "0", Method::Cdt, 31, 1 << 50),
    (Width::Sigma, "3.2", "0", Method::Ziggurat, 128, 0),
    (Width::KSigma2, "254", "-3", Method::Ziggurat, 64, 5),
    (Width::S, "8.35", "0", Method::Ziggurat, 106, 0),
    (Width::Sigma, "1.6e5", "0", Method::Convolution, 128, 0),
    (Width::S, "1125899906842624", "7", Method::Convolution, 128, 8_191),
    (Width::Sigma, "215", "0", Method::DuWei4, 0, 0),
    (Width::KSigma2, "254", "0", Method::DuWei5, 0, 0),
    (Width::KSigma2, "254", "0", Method::DuWei5Ky, 0, 0),
    (Width::KSigma2, "1", "-1", Method::DuWei5Ky, 0, 100),
    (Width::Sigma, "1e9", "1/3", Method::Wide, 0, 0),
    (Width::S, "1e17", "-7/2", Method::Wide, 0, 2_047),
    (Width::KSigma2, "1e12", "0", Method::Wide, 0, 1 << 40),
    (Width::SigmaSq, "10", "0", Method::Cks, 0, 0),
    (Width::Sigma, "3.2", "0", Method::CdtGuided, 128, 0),
    (Width::Sigma, "215", "1/3", Method::CdtGuided, 72, 17),
    (Width::Sigma, "3.2", "0", Method::KnuthYao, 128, 0),
    (Width::Sigma, "3.3311", "2", Method::RejectionTable, 128, 0),
    (Width::Sigma, "3.2", "1/3", Method::Rejection, 0, 0),
    (Width::Sigma, "3.2", "0", Method::KnuthYaoCompact, 128, 0),
    (Width::S, "8.35", "1/2", Method::KnuthYaoCompact, 64, 0),
    (Width::S, "8.35", "5", Method::CdtGuided, 20, 0),
    (Width::Sigma, "107", "12", Method::Cks, 0, 0),
    (Width::Sigma, "3.2", "1/3", Method::CdtGuided, 128, 8_000),
    (Width::Sigma, "3.2", "0", Method::CdtCt, 72, 0),
    (Width::Sigma, "19.5", "1/3", Method::CdtCt, 80, 8_000),
    (Width::KSigma2, "254", "-3", Method::CdtCt, 128, 0),
    (Width::Sigma, "215", "0", Method::Isochronous, 0, 0),
    (Width::Sigma, "19.5", "-1/3", Method::Isochronous, 0, 8_000),
    (Width::SigmaSq, "25600000000", "1000000/7", Method::Isochronous, 0, 1 << 40),
    (Width::KSigma2, "254", "0", Method::Bernoulli, 128, 0),
    (Width::KSigma2, "3", "-8", Method::Bernoulli, 21, 8_190),
    (Width::KSigma2, "188388", "7", Method::Bernoulli, 256, 1 << 33),
    (Width::Sigma, "215", "0", Method::ConvolutionCt, 72, 0),
    (Width::SigmaSq, "1000000", "-3", Method::ConvolutionCt, 128, 8_000),
    (Width::S, "1125899906842624", "7", Method::ConvolutionCt, 128, 1 << 33),
    (Width::Sigma, "3.2", "0", Method::CdtLazyCt, 128, 0),
    (Width::Sigma, "3.2", "1/3", Method::CdtLazyCt, 72, 8_000),
    (Width::S, "8.35", "-5", Method::CdtLazyCt, 20, 1 << 40),
    (Width::KSigma2, "254", "0", Method::CdtLazyCt, 128, 1_000),
    (Width::KSigma2, "254", "9", Method::ConvolutionCt, 128, 500),
];

/// Laws for a method without a case above: its case is the first that it takes.
const LAWS: [(Form, &str); 5] = [
    (Width::Sigma, "3.2"),
    (Width::Sigma, "215"),
    (Width::KSigma2, "254"),
    (Width::Sigma, "1.6e5"),
    (Width::Sigma, "1e9"),
];

/// The one case of every source but ChaCha20: it begins within a block and ends in another.
const OF_EVERY_SOURCE: Case = (Width::Sigma, "3.2", "0", Method::Karney, 0, 12_345);

/// The sampler of a case.
fn build(case: &Case) -> Result<Built, Box<dyn Error>> {
    let (width, value, center, method, precision, _) = *case;
    let law = DiscreteGaussian::new(center.parse()?, width(value.parse()?))?;
    // 0 where there is no table.
    let options = Options { precision: Some(precision).filter(|bits| *bits > 0), ..Options::default() };
    Ok(Recipe { law: law.into(), method: Some(method), options }.build()?)
}

/// The case of a method that has none in [`CASES`].
fn case(method: Method) -> Result<Case, String> {
    let precision = if method.row().heeds.contains(&"precision") { 128 } else { 0 };
    let mut cases = LAWS.into_iter().map(|(width, value)| (width, value, "0", method, precision, 8_000));
    cases
        .find(|case| build(case).is_ok())
        .ok_or_else(|| format!("{method} takes none of LAWS in lab/tools/src/streams.rs: add a line to CASES there"))
}

/// The text of kat/streams.csv as the code of today makes it.
pub(crate) fn generate() -> Result<String, Box<dyn Error>> {
    let mut text = format!("{HEADER}\n");
    let new = Method::ALL.into_iter().filter(|method| CASES.iter().all(|case| case.3 != *method));
    let new: Vec<Case> = new.map(case).collect::<Result<_, _>>()?;
    let others = Source::ALL.into_iter().filter(|source| source.is_seeded() && *source != Source::ChaCha20);
    let of_methods = CASES.into_iter().chain(new).map(|case| (case, Source::ChaCha20));
    for (case, source) in of_methods.chain(others.map(|source| (OF_EVERY_SOURCE, source))) {
        let (width, value, center, method, precision, first) = case;
        let (width, built) = (width(value.parse()?), build(&case)?);
        for seed in SEEDS {
            let mut samples = vec![0_i64; COUNT];
            Bulk::new(built.sampler(), source, seed.parse::<Seed>()?).fill(first, &mut samples)?;
            let bytes: Vec<u8> = samples.iter().flat_map(|x| x.to_le_bytes()).collect();
            let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            let head: Vec<String> = samples[..HEAD].iter().map(i64::to_string).collect();
            writeln!(
                text,
                "{},{value},{center},{method},{precision},{source},{seed},{first},{COUNT},{sum},{}",
                width.name().replace('_', "-"),
                head.join(" ")
            )?;
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new method gets a vector, whatever it takes.
    #[test]
    fn a_method_without_a_case_gets_one() {
        assert!(Method::ALL.into_iter().all(|method| case(method).is_ok()));
        let of = |method| case(method).map(|(_, value, _, _, precision, _)| (value, precision));
        assert_eq!(of(Method::Cdt), Ok(("3.2", 128)));
        assert_eq!(of(Method::DuWei5), Ok(("254", 0)));
    }
}
