//! The samplers at full width, millions of samples each, before the statistics.

use samplez_core::bits::BitReader;
use samplez_core::samplers::{Cdt, Karney};
use samplez_core::{DiscreteGaussian, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::Verifier;
use samplez_tables::CdtOptions;

const COUNT: usize = 4_000_000;

fn judge(law: &DiscreteGaussian, sampler: &impl Sampler) {
    let mut verifier = Verifier::new(law).unwrap();
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([17; 32])));
    let mut samples = vec![0_i64; 1 << 16];
    for _ in 0..COUNT.div_ceil(samples.len()) {
        sampler.fill(&mut bits, &mut samples).unwrap();
        verifier.push(&samples);
    }
    let report = verifier.finish().unwrap();
    assert!(report.consistent, "{law}: {report:?}");
}

fn law(sigma: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
}

#[test]
fn karney_is_consistent() {
    for (sigma, center) in [
        ("0.3", "0"),
        ("1/2", "1/2"),
        ("3.2", "0"),
        ("3.2", "-10/3"),
        ("215", "1/7"),
        ("5000", "0"),
        ("1.6e5", "1000000/3"),
        ("1099511627776", "-7/9"),
    ] {
        let law = law(sigma, center);
        judge(&law, &Karney::new(&law).unwrap());
    }
}

#[test]
fn cdt_is_consistent() {
    for (sigma, center, precision) in
        [("0.3", "0", 64), ("3.2", "0", 128), ("3.2", "1/2", 72), ("215", "1/7", 40), ("1000", "-5", 256)]
    {
        let law = law(sigma, center);
        let table = samplez_tables::build_cdt(&law, &CdtOptions { precision, ..CdtOptions::default() }).unwrap();
        judge(&law, &Cdt::from_table(table));
    }
}
