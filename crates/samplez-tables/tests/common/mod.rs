//! Reading the vectors of kat/law-*.csv.

use samplez_core::{DiscreteGaussian, Width};

/// The rows of a vector file, as fields, without the header.
pub(crate) fn rows(csv: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect())
}

/// The law of the fields form, q, center.
pub(crate) fn law(fields: &[&str]) -> DiscreteGaussian {
    let q = fields[1].parse().unwrap();
    let width = match fields[0] {
        "sigma" => Width::Sigma(q),
        "sigma-squared" => Width::SigmaSq(q),
        "k-sigma2" => Width::KSigma2(q),
        "s" => Width::S(q),
        other => panic!("form {other}"),
    };
    DiscreteGaussian::new(fields[2].parse().unwrap(), width).unwrap()
}
