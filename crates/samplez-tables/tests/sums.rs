//! Sums of laws: against sums of products of whole numbers, and the laws that are known.

use samplez_core::{DiscreteGaussian, NoiseLaw, Width};
use samplez_tables::{PlainTable, TargetLaw, Term, Whole, audit_against};

fn binomial(eta: u32) -> TargetLaw {
    TargetLaw::finite(&NoiseLaw::CenteredBinomial { eta }).unwrap()
}

fn gaussian(center: &str, sigma: &str) -> TargetLaw {
    let width = Width::Sigma(sigma.parse().unwrap());
    TargetLaw::from(&DiscreteGaussian::new(center.parse().unwrap(), width).unwrap())
}

fn times(factor: i64, copies: u32, law: &TargetLaw) -> Term {
    Term { factor, copies, law: law.clone() }
}

/// Whether a probability is within the stated error of another one.
fn is_near(law: &TargetLaw, found: f64, wanted: f64) -> bool {
    (found / wanted - 1.0).abs() <= law.error() + 2.0 * f64::EPSILON
}

#[test]
fn sums_of_binomials_are_binomials() {
    for (copies, eta) in [(2, 3), (7, 1), (500, 2)] {
        let (sum, one) = (TargetLaw::sum(&[times(1, copies, &binomial(eta))]).unwrap(), binomial(copies * eta));
        let reach = i64::from(copies * eta).min(90);
        for x in -reach..=reach {
            assert!(is_near(&sum, sum.pmf(x), one.pmf(x)), "{sum} {x}");
            assert!(is_near(&sum, sum.cdf(x), one.cdf(x)), "{sum} {x}");
            assert!((sum.logpmf(x) - one.logpmf(x)).abs() < 1e-12, "{sum} {x}");
        }
        let (mean, variance) = sum.mean_and_variance().unwrap();
        assert!(mean == 0.0 && (variance - f64::from(copies * eta) / 2.0).abs() < 1e-9);
        assert!(sum.error() > f64::EPSILON && sum.error() < 1e-9, "{}", sum.error());
    }
}

/// The sum of Skellam variables is one, and a difference of Gaussians is nearly one, by a factor of 1 ± e^(-2π²σ²/2).
#[test]
fn known_sums() {
    let skellam =
        |variance: &str| TargetLaw::finite(&NoiseLaw::Skellam { variance: variance.parse().unwrap() }).unwrap();
    let sum = TargetLaw::sum(&[times(1, 1, &skellam("2")), times(-1, 2, &skellam("3/2"))]).unwrap();
    let wide = TargetLaw::sum(&[times(1, 1, &gaussian("1/3", "3.2")), times(-1, 1, &gaussian("1/7", "2.4"))]).unwrap();
    for x in -25..=25 {
        assert!(is_near(&sum, sum.pmf(x), skellam("5").pmf(x)), "{x}");
        assert!((wide.pmf(x) / gaussian("4/21", "4").pmf(x) - 1.0).abs() < 1e-12, "{x}");
    }
    assert!((wide.mean_and_variance().unwrap().0 - 4.0 / 21.0).abs() < 1e-14);
}

#[test]
fn factors_gaps_and_ends() {
    let table = TargetLaw::weights(-3, &[0, 5, 0, 0, 11]).unwrap();
    assert_eq!((table.pmf(-2), table.pmf(1), table.pmf(0), table.pmf(-3)), (0.3125, 0.6875, 0.0, 0.0));
    assert_eq!((table.support(), table.to_string()), (-2..=1, "weights(-3: 0 5 0 0 11)".into()));
    // Sums of the masses, in doubles, would end at 1 - 7·2^-53.
    let uniform = TargetLaw::weights(0, &[1; 93]).unwrap();
    assert_eq!((uniform.cdf(92), uniform.sf(-1), uniform.cdf(-1), uniform.sf(92)), (1.0, 1.0, 0.0, 0.0));
    assert!(is_near(&uniform, uniform.cdf(91), 92.0 / 93.0) && is_near(&uniform, uniform.sf(0), 92.0 / 93.0));
    let law = TargetLaw::sum(&[times(-10, 1, &table), times(1, 2, &binomial(1))]).unwrap();
    assert_eq!((law.support(), law.pmf(20), law.pmf(-12), law.pmf(5)), (-12..=22, 0.3125 * 0.375, 0.6875 / 16.0, 0.0));
    assert_eq!(
        (law.cdf(i64::MAX), law.sf(i64::MIN), law.cdf(-13), law.sf(22), law.logpmf(5)),
        (1.0, 1.0, 0.0, 0.0, f64::NEG_INFINITY)
    );
    assert_eq!(law.mass(-12..=-8), 0.6875);
    // Moved, cut, reduced, and added again.
    let moved = law.moved(7).unwrap();
    assert_eq!((moved.support(), moved.pmf(13), moved != law), (-19..=15, law.pmf(20), true));
    assert_eq!(law.within(15..=40).unwrap().pmf(20), 0.375);
    assert_eq!(law.modulo(30).unwrap().pmf(-10), law.pmf(20) + law.pmf(-10));
    assert!(
        law.within(15..=40).unwrap().is_cut() && law.modulo(30).unwrap().is_cut() && !law.modulo(100).unwrap().is_cut()
    );
    let cut = law.within(15..=40).unwrap();
    let again = TargetLaw::sum(&[times(2, 1, &law), Term::from(&cut)]).unwrap();
    assert_eq!(again.pmf(66), law.pmf(22) * cut.pmf(22));
    assert_eq!(again.pmf(65), law.pmf(22) * cut.pmf(21));
    assert_eq!(again.to_string(), format!("2*({law}) + ({cut})"));
    // A law far from 0.
    let far =
        TargetLaw::sum(&[times(1, 1, &gaussian("1e15", "2")), Term::from(&TargetLaw::weights(1 << 60, &[1]).unwrap())])
            .unwrap();
    assert_eq!(far.pmf((1 << 60) + 1_000_000_000_000_000), gaussian("0", "2").pmf(0));
}

#[test]
fn wrong_terms_are_refused() {
    let refused = |terms: &[Term]| TargetLaw::sum(terms).unwrap_err().to_string();
    let one = binomial(1);
    assert!(refused(&[]).starts_with("sum = 0 terms: expected from 1 to 64 terms"));
    assert!(refused(&vec![times(1, 1, &one); 65]).starts_with("sum = 65 terms: "));
    assert!(refused(&[times(0, 1, &one)]).ends_with("expected factors other than 0, up to 2^32"));
    assert!(refused(&[times(i64::MIN, 1, &one)]).ends_with("expected factors other than 0, up to 2^32"));
    assert_eq!(refused(&[times(1, 0, &one)]), "copies = 0: expected a whole number from 1 to 2^20");
    let wide = gaussian("0", "1e6");
    for terms in
        [vec![Term::from(&wide)], vec![times(1 << 20, 1, &binomial(2))], vec![times(1, 1 << 20, &binomial(1000))]]
    {
        assert!(
            refused(&terms).contains("at most 2^20 values within 64 bits in the sum and in each term"),
            "{terms:?}"
        );
    }
    for (low, weights) in [(0, &[][..]), (0, &[0, 0]), (i64::MAX, &[1])] {
        assert!(TargetLaw::weights(low, weights).unwrap_err().to_string().starts_with("weights = "));
    }
    let law = TargetLaw::sum(&[Term::from(&one)]).unwrap();
    assert!(law.clipped("2".parse().unwrap()).unwrap_err().to_string().contains("cut a sum by a range instead"));
    // A certificate is no place for probabilities with an error.
    let form = "frodo".parse().unwrap();
    let table = PlainTable::new(
        &DiscreteGaussian::with_sigma("2.8".parse().unwrap()).unwrap(),
        &form,
        [3_u128, 1].map(Whole::from).to_vec(),
    );
    assert!(
        audit_against(&table.unwrap(), &law).unwrap_err().to_string().starts_with("law = CBD(1): expected a law whose")
    );
}
