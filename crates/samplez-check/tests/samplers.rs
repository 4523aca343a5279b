//! The library's samplers before the statistical tests, at the sizes at which they are used.

mod common;

use common::{law, rejecting};
use samplez_check::stats::{Report, Verifier};
use samplez_core::bits::BitReader;
use samplez_core::params::DiscreteGaussian;
use samplez_core::sampler::Sampler;
use samplez_core::samplers::{cdt::Cdt, karney::Karney};
use samplez_core::sources::{ChaCha20, Seed};
use samplez_tables::{CdtOptions, build};

fn report(sampler: &impl Sampler, law: &DiscreteGaussian, n: usize) -> Report {
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([9; 32])));
    let mut samples = vec![0_i64; n];
    sampler.fill(&mut bits, &mut samples).unwrap();
    let mut verifier = Verifier::new(law).unwrap();
    verifier.push(&samples);
    verifier.finish().unwrap()
}

#[test]
fn karney_is_consistent() {
    for (sigma, center) in
        [("1/2", "0"), ("1", "1/2"), ("3.2", "0"), ("7/3", "-22/7"), ("215", "1/3"), ("1099511627776", "1e6")]
    {
        let law = law(sigma, center);
        let report = report(&Karney::new(&law).unwrap(), &law, 1_000_000);
        assert_eq!(rejecting(&report), [""; 0], "{law}: {report:?}");
    }
}

#[test]
fn cdt_is_consistent_at_64_bits_and_not_at_10() {
    for (sigma, center) in [("1/2", "0"), ("3.2", "0"), ("7/3", "-22/7"), ("215", "1/3")] {
        let law = law(sigma, center);
        let sampler =
            |precision| Cdt::from_table(build(&law, &CdtOptions { precision, ..CdtOptions::default() }).unwrap());
        let fine = report(&sampler(64), &law, 1_000_000);
        assert_eq!(rejecting(&fine), [""; 0], "{law}: {fine:?}");
        assert!(!report(&sampler(10), &law, 1_000_000).consistent, "{law}");
    }
}
