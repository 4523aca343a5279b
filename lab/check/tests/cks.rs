//! The law of [CKS20]'s sampler, bracketed by walking its bits, and judged at full width.
//!
//! Two ways through the code are walked: the fast one, with draws narrow enough for a walk, and
//! the one that follows the paper's steps (which the fast one takes for the larger V).

use crate::common::{brackets::holds, brackets::pmf, verify};
use samplez_check::tape::{Budget, ExactLaw, Tape, enumerate};
use samplez_core::bits::BitReader;
use samplez_core::samplers::Cks;
use samplez_core::testing::Attempt;
use samplez_core::{DiscreteGaussian, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};

fn cks(sigma_sq: &str, center: &str) -> Cks {
    let width = Width::SigmaSq(sigma_sq.parse().unwrap());
    Cks::new(&DiscreteGaussian::new(center.parse().unwrap(), width).unwrap()).unwrap()
}

fn walk(sampler: &Cks, runs: u64, attempt: impl Fn(&Cks, &mut Tape) -> Option<i64>) -> ExactLaw {
    enumerate(Budget::depth(100).runs(runs), |bits| attempt(sampler, bits)).unwrap()
}

/// The brackets hold the law, and leave less than `open` of statistical distance.
fn check(sampler: &Cks, open: f64, law: &ExactLaw) {
    let profile = sampler.profile();
    let target = profile.target.gaussian().unwrap();
    let ideal = pmf(target.width().value().to_f64().sqrt(), target.center().to_f64());
    assert!(holds(law, &ideal), "{target}");
    let distance = law.distance(&ideal);
    assert!(*distance.start() < 1e-10 && *distance.end() < open, "{target}: {distance:?}");
}

/// σ² below 1 and above, whole and not; the distance that the walks of the fast way and of the
/// printed one leave open.
const LAWS: [(&str, &str, f64, f64); 8] = [
    ("1/100", "0", 0.08, 0.15),
    ("1/2", "0", 0.15, 0.1),
    ("3/4", "-2", 0.09, 0.1),
    ("1", "0", 0.26, 0.15),
    ("2", "0", 0.16, 0.12),
    ("10.24", "7", 0.18, 0.15),
    ("100", "0", 0.28, 0.3),
    ("46225/2", "0", 0.5, 0.55),
];

#[test]
fn the_fast_way_has_the_law() {
    for (sigma_sq, center, open, _) in LAWS {
        let sampler = cks(sigma_sq, center);
        let law = walk(&sampler, 2_000_000, |cks, bits| cks.attempt_narrow::<2, 1, 1, _>(bits));
        check(&sampler, open, &law);
    }
}

#[test]
fn the_law_does_not_depend_on_the_widths() {
    for sigma_sq in ["1", "10.24", "100"] {
        let sampler = cks(sigma_sq, "0");
        let law = walk(&sampler, 4_000_000, |cks, bits| cks.attempt_narrow::<8, 4, 2, _>(bits));
        check(&sampler, 0.45, &law);
        let law = walk(&sampler, 4_000_000, |cks, bits| cks.attempt_narrow::<16, 5, 3, _>(bits));
        check(&sampler, 0.45, &law);
    }
}

#[test]
fn the_printed_way_has_the_law() {
    for (sigma_sq, center, _, open) in LAWS {
        let sampler = cks(sigma_sq, center);
        check(&sampler, open, &walk(&sampler, 2_000_000, |cks, bits| cks.attempt_printed(bits)));
    }
}

/// The walk can tell: laws that are off by a little leave its brackets.
#[test]
fn wrong_laws_leave_the_brackets() {
    let law = walk(&cks("3/4", "0"), 2_000_000, |cks, bits| cks.attempt_narrow::<2, 1, 1, _>(bits));
    let sigma = 0.75_f64.sqrt();
    let ideal = pmf(sigma, 0.0);
    assert!(holds(&law, &ideal));
    assert!(!holds(&law, |x| if x == 0 { 2.0 * ideal(0) } else { ideal(x) } / (1.0 + ideal(0))));
    assert!(!holds(&law, |x| if x < 0 { 0.9 * ideal(x) } else { ideal(x) }));
    assert!(!holds(&law, pmf(1.1 * sigma, 0.0)) && !holds(&law, pmf(0.9 * sigma, 0.0)));
}

#[test]
fn full_width_samples_are_consistent() {
    for (sigma_sq, center) in
        [("1/10", "0"), ("1/2", "0"), ("10.24", "3"), ("2", "0"), ("46225", "0"), ("25600000000", "-1"), ("1e17", "0")]
    {
        let sampler = cks(sigma_sq, center);
        let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([23; 32])));
        let mut samples = vec![0_i64; 4_000_000];
        sampler.fill(&mut bits, &mut samples).unwrap();
        let report = verify(sampler.profile().target.gaussian().unwrap(), &samples);
        assert!(report.consistent, "{sigma_sq}: {report:?}");
    }
}

#[test]
fn fill_is_repeated_sample() {
    for sigma_sq in ["1/2", "10.24", "25600000000"] {
        let sampler = cks(sigma_sq, "5");
        let reader = || BitReader::new(ChaCha20::new(&Seed::from_bytes([3; 32])));
        let (mut bits, mut attempts) = (reader(), reader());
        let mut filled = [0_i64; 3000];
        sampler.fill(&mut reader(), &mut filled).unwrap();
        for x in filled {
            assert_eq!(sampler.sample(&mut bits), x);
            let attempt = || sampler.attempt(&mut attempts);
            assert_eq!(std::iter::repeat_with(attempt).flatten().next(), Some(x));
        }
    }
}
