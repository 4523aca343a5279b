//! Tests of the identifier: the true law always passes, and from the stated number of values on one of the two likeliest laws is rejected.

use rand_core::Rng;
use samplez_core::finite::{CenteredBinomial, TUniform, Ternary};
use samplez_core::samplers::{DiscreteLaplace, Karney};
use samplez_core::{DiscreteGaussian, Sampler, Width, bits::BitReader};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::{Candidate, Identification, Identifier, Verdict};

/// A law with its parameters: the name of the candidate, and what it has to find.
#[derive(Clone, Copy, Debug)]
enum Law {
    Gaussian(&'static str, &'static str),
    Rounded(f64, f64),
    Binomial(u32),
    TUniform(u32),
    Ternary,
    Laplace(&'static str),
    RoundedLaplace(f64),
    LaplaceSum(&'static str),
    Skellam(f64),
    Poisson(f64),
    Uniform(i64, i64),
}

const LAWS: [Law; 34] = [
    Law::Gaussian("3.2", "0"),
    Law::Gaussian("0.4", "0"),
    Law::Gaussian("0.5", "1/2"),
    Law::Gaussian("1", "1/3"),
    Law::Gaussian("19.5", "-1000.25"),
    Law::Gaussian("1e6", "0"),
    Law::Rounded(3.2, 0.0),
    Law::Rounded(3.2, -0.5),
    Law::Rounded(0.5, 0.25),
    Law::Rounded(1.0, 0.0),
    Law::Rounded(200.0, 7.1),
    Law::Binomial(1),
    Law::Binomial(2),
    Law::Binomial(21),
    Law::TUniform(0),
    Law::TUniform(3),
    Law::TUniform(17),
    Law::Ternary,
    Law::Laplace("1/2"),
    Law::Laplace("2"),
    Law::Laplace("1000"),
    Law::RoundedLaplace(0.5),
    Law::RoundedLaplace(2.0),
    Law::LaplaceSum("1"),
    Law::LaplaceSum("40"),
    Law::Skellam(0.7),
    Law::Skellam(10.0),
    Law::Poisson(0.3),
    Law::Poisson(6.5),
    Law::Poisson(400.0),
    Law::Uniform(0, 9),
    Law::Uniform(-5, 12_288),
    Law::Binomial(64),
    Law::Binomial(5000),
];

impl Law {
    fn name(self) -> &'static str {
        match self {
            Law::Gaussian(..) => "discrete Gaussian",
            Law::Rounded(..) => "rounded normal",
            Law::Binomial(_) => "centred binomial",
            Law::TUniform(_) => "TUniform",
            Law::Ternary => "ternary",
            Law::Laplace(_) => "discrete Laplace",
            Law::RoundedLaplace(_) => "rounded Laplace",
            Law::LaplaceSum(_) => "sum of two discrete Laplace",
            Law::Skellam(_) => "Skellam",
            Law::Poisson(_) => "Poisson",
            Law::Uniform(..) => "uniform",
        }
    }

    /// The parameters, in the candidate's order.
    fn parameters(self) -> Vec<f64> {
        let number = |text: &str| text.parse::<samplez_core::Rational>().unwrap().to_f64();
        match self {
            Law::Gaussian(sigma, center) => vec![number(sigma), number(center)],
            Law::Rounded(sigma, center) => vec![sigma, center],
            Law::Binomial(eta) => vec![eta.into()],
            Law::TUniform(b) => vec![b.into()],
            Law::Ternary => vec![],
            Law::Laplace(scale) | Law::LaplaceSum(scale) => vec![number(scale)],
            Law::RoundedLaplace(x) | Law::Skellam(x) | Law::Poisson(x) => vec![x],
            Law::Uniform(low, high) => vec![low as f64, high as f64],
        }
    }

    fn draw(self, n: usize, seed: u8) -> Vec<i64> {
        let (mut samples, mut words) = (vec![0; n], ChaCha20::new(&Seed::from_bytes([seed; 32])));
        // In 0 < u <= 1.
        fn uniform(words: &mut ChaCha20) -> f64 {
            ((words.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
        }
        fn fill(sampler: impl Sampler, words: ChaCha20, samples: &mut [i64]) {
            sampler.fill(&mut BitReader::new(words), samples).unwrap();
        }
        let poisson = |mean: f64, words: &mut ChaCha20| {
            let (mut product, mut count) = (uniform(words), 0);
            while product > (-mean).exp() {
                product *= uniform(words);
                count += 1;
            }
            count
        };
        match self {
            Law::Gaussian(sigma, center) => {
                let law = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap();
                fill(Karney::new(&law).unwrap(), words, &mut samples);
            }
            Law::Binomial(eta) => fill(CenteredBinomial::new(eta).unwrap(), words, &mut samples),
            Law::TUniform(b) => fill(TUniform::new(b).unwrap(), words, &mut samples),
            Law::Ternary => fill(Ternary, words, &mut samples),
            Law::Laplace(scale) | Law::LaplaceSum(scale) => {
                let laplace = DiscreteLaplace::new(scale.parse().unwrap()).unwrap();
                let (mut bits, terms) = (BitReader::new(words), if matches!(self, Law::Laplace(_)) { 1 } else { 2 });
                samples.iter_mut().for_each(|x| *x = (0..terms).map(|_| laplace.sample(&mut bits)).sum());
            }
            Law::Rounded(sigma, center) => samples.iter_mut().for_each(|x| {
                let radius = (-2.0 * uniform(&mut words).ln()).sqrt();
                *x = (center + sigma * radius * (std::f64::consts::TAU * uniform(&mut words)).cos()).round() as i64;
            }),
            Law::RoundedLaplace(scale) => samples.iter_mut().for_each(|x| {
                let size = -scale * uniform(&mut words).ln();
                *x = (if words.next_u64() & 1 == 0 { size } else { -size }).round() as i64;
            }),
            Law::Skellam(variance) => samples.iter_mut().for_each(|x| {
                *x = poisson(variance / 2.0, &mut words) - poisson(variance / 2.0, &mut words);
            }),
            Law::Poisson(mean) => samples.iter_mut().for_each(|x| *x = poisson(mean, &mut words)),
            Law::Uniform(low, high) => samples.iter_mut().for_each(|x| {
                // The remainder's bias is below 2^-50.
                *x = low + (words.next_u64() % (high - low + 1) as u64) as i64;
            }),
        }
        samples
    }
}

fn identified(samples: &[i64]) -> Identification {
    let mut identifier = Identifier::new();
    identifier.push(samples);
    identifier.finish().unwrap()
}

fn row<'a>(found: &'a Identification, name: &str) -> &'a Candidate {
    found.laws.iter().find(|law| law.name == name && law.range.is_none()).unwrap()
}

fn passing(found: &Identification) -> Vec<&'static str> {
    found.laws.iter().filter(|law| law.verdict == Verdict::Pass).map(|law| law.name).collect()
}

/// 238 files, some seconds: the error of a fit on the values that are tested has no other test. From three times the number of values that
/// separates the first two laws in half of the cases on, one of the two is excluded.
#[test]
fn the_true_law_always_passes_and_is_alone_from_the_stated_number_on() {
    let (mut covered, mut intervals, mut separated) = (0, 0, 0);
    for (i, law) in (0..).zip(LAWS) {
        for (again, sizes) in [&[100, 1000, 10_000, 50_000][..], &[100, 1000, 10_000]].into_iter().enumerate() {
            let mut bounds: Vec<(f64, Vec<&str>)> = Vec::new();
            for n in sizes {
                let found = identified(&law.draw(*n, 2 * i + again as u8));
                let (truth, names) = (row(&found, law.name()), passing(&found));
                let least = truth.least();
                assert_ne!(truth.verdict, Verdict::Reject, "{law:?}, {n} values: {least:?}");
                // Two values leave a width and a centre open.
                assert!(found.consistent, "{law:?}, {n} values: {names:?}");
                for (bound, pair) in bounds.iter().filter(|(bound, _)| 3.0 * bound <= *n as f64) {
                    separated += 1;
                    let both = pair.iter().all(|name| row(&found, name).verdict == Verdict::Pass);
                    assert!(!both, "{law:?}, {n} values: {pair:?} from {bound} on");
                }
                let is_whole = found.laws.iter().take(2).all(|law| law.range.is_none());
                bounds.extend(found.separation.filter(|_| is_whole).map(|bound| (bound, names[..2].to_vec())));
                for (parameter, value) in truth.parameters.iter().zip(law.parameters()) {
                    match parameter.interval {
                        Some((low, high)) => {
                            intervals += 1;
                            covered += u32::from(low <= value && value <= high);
                        }
                        // The ends of a uniform law are those of the values.
                        None => assert!(truth.name == "uniform" || parameter.value == value, "{law:?}: {parameter:?}"),
                    }
                }
            }
        }
    }
    // 99 %, less for a hundred values.
    assert!(intervals > 200 && covered * 100 >= intervals * 97, "{covered} of {intervals}");
    assert!(separated > 40, "{separated}");
}

#[test]
fn residues_and_integers_about_another_one() {
    let noise = Law::Gaussian("3.2", "0").draw(20_000, 1);
    let residues: Vec<i64> = noise.iter().map(|x| x.rem_euclid(12_289)).collect();
    let (plain, found) = (identified(&noise), identified(&residues));
    assert_eq!((found.modulus, found.is_modulus_seen, found.range), (Some(12_289), true, plain.range));
    let (ours, theirs) = (row(&found, "discrete Gaussian"), row(&plain, "discrete Gaussian"));
    assert_eq!((ours.verdict, &ours.parameters), (Verdict::Pass, &theirs.parameters));
    // As wide as the modulus: the values have to be taken modulo q.
    let small: Vec<i64> = noise.iter().map(|x| x.rem_euclid(11)).collect();
    let mut identifier = Identifier::new().with_modulus(11);
    identifier.push(&small);
    let found = identifier.finish().unwrap();
    let sigma = &row(&found, "discrete Gaussian").parameters[0];
    assert!(passing(&found).contains(&"discrete Gaussian"));
    assert!(sigma.interval.is_some_and(|(low, high)| low < 3.2 && 3.2 < high), "{sigma:?}");
    // A law as wide as its modulus that has no test is not rejected, and shows no width.
    for (law, q) in [(Law::Rounded(40_000.0, 0.0), 100_000), (Law::RoundedLaplace(3.0), 11)] {
        let mut identifier = Identifier::new().with_modulus(q as u128);
        identifier.push(&law.draw(20_000, 1).iter().map(|x| x.rem_euclid(q)).collect::<Vec<_>>());
        let found = identifier.finish().unwrap();
        let row = row(&found, law.name());
        assert!(matches!(row.verdict, Verdict::NotApplicable(_)) && row.parameters.is_empty(), "{row:?}");
    }
    // A hundred uniform values with a third in either outer quarter are no residues.
    let thirds = [[0; 35], [16; 35]].concat().into_iter().chain([8; 30]).collect::<Vec<i64>>();
    assert_eq!(identified(&thirds).modulus, None);
    // A binomial variable that is not centred.
    let moved: Vec<i64> = Law::Binomial(4).draw(20_000, 2).iter().map(|x| x + 1_000_000_000_004).collect();
    let found = identified(&moved);
    let binomial = row(&found, "centred binomial");
    assert_eq!((binomial.verdict, binomial.shift), (Verdict::Pass, 1_000_000_000_004));
    assert_eq!((passing(&found)[0], binomial.parameters[0].value), ("centred binomial", 4.0));
}

#[test]
fn cut_laws_and_floors_are_named() {
    let cut: Vec<i64> = Law::Gaussian("3.2", "0").draw(60_000, 1).into_iter().filter(|x| x.abs() < 6).collect();
    let found = identified(&cut);
    let law = found.laws.iter().find(|law| law.range.is_some() && law.name == "discrete Gaussian").unwrap();
    assert_eq!((law.range, law.verdict), (Some((-5, 5)), Verdict::Pass));
    assert!(law.parameters[0].interval.is_some_and(|(low, high)| low < 3.2 && 3.2 < high), "{law:?}");
    assert_eq!(row(&found, "discrete Gaussian").verdict, Verdict::Reject);
    // The cut rounded normal has fourth cumulants that differ by σ^-4/120: 10^10 values would show it.
    assert!(found.separation.is_none_or(|n| n > 1e8), "{:?}: {:?}", passing(&found), found.separation);
    // Half a Gaussian: on the way to the maximum a step meets parameters whose mass in the range is below the least double.
    let half = [71, 63, 68, 32, 26, 14, 15, 8, 2, 0, 1];
    let half: Vec<i64> = (0..).zip(half).flat_map(|(x, count)| vec![x; count]).collect();
    let found = identified(&half);
    let law = found.laws.iter().find(|law| law.range.is_some() && law.name == "discrete Gaussian").unwrap();
    let (low, high) = law.parameters[0].interval.unwrap();
    assert!(law.verdict == Verdict::Pass && low < 3.2 && 3.2 < high, "{law:?}");
    let floor = identified(&Law::Rounded(1.0, -0.5).draw(50_000, 3));
    assert!(row(&floor, "rounded normal").is_floor && row(&floor, "rounded normal").verdict == Verdict::Pass);
    assert!(!row(&identified(&Law::Rounded(1.0, 0.0).draw(50_000, 3)), "rounded normal").is_floor);
}

/// Rows of the census with the law, its parameters and its cut.
#[test]
fn samplers_of_the_census_are_named() {
    let known = |samples: &[i64], name: &str| row(&identified(samples), name).known.clone();
    let seal = known(&Law::Binomial(21).draw(20_000, 1), "centred binomial");
    assert!(seal.len() == 1 && seal[0].starts_with("seal-python "), "{seal:?}");
    let of = |found: &[&str], package: &str| found.iter().any(|sampler| sampler.starts_with(package));
    let mut normal = Law::Rounded(1.0, 0.0).draw(20_000, 1);
    let found = known(&normal, "rounded normal");
    assert!(of(&found, "numpy ") && of(&found, "Lattigo ") && !of(&found, "opendp "), "{found:?}");
    // Beyond the bound of the census' row.
    normal[7] = 7;
    let found = known(&normal, "rounded normal");
    assert!(found.is_empty() || of(&found, "numpy ") && !of(&found, "Lattigo "), "{found:?}");
    assert!(known(&Law::Rounded(1.0, 0.25).draw(20_000, 1), "rounded normal").is_empty());
    let laplace = Law::Laplace("1").draw(20_000, 1);
    assert!(of(&known(&laplace, "discrete Laplace"), "opendp "));
    let moved: Vec<i64> = laplace.iter().map(|x| x + 9).collect();
    assert!(known(&moved, "discrete Laplace").is_empty() && known(&laplace, "discrete Gaussian").is_empty());
}

/// What no candidate has.
#[test]
fn wrong_values_pass_for_nothing() {
    let (narrow, wide) = (Law::Gaussian("2", "0").draw(50_000, 1), Law::Gaussian("5", "0").draw(50_000, 2));
    let mixed: Vec<i64> = narrow.iter().zip(&wide).flat_map(|(a, b)| [*a, *b]).collect();
    let found = identified(&mixed);
    assert!(passing(&found).is_empty() && !found.consistent && found.separation.is_none());
    let even: Vec<i64> = wide.iter().map(|x| 2 * x).collect();
    assert!(passing(&identified(&even)).is_empty());
    // One table entry is wrong by a tenth.
    let twisted: Vec<i64> =
        narrow.iter().enumerate().map(|(i, x)| if *x == 1 && i % 10 == 0 { 2 } else { *x }).collect();
    assert!(passing(&identified(&twisted)).is_empty());
    let mut sorted = narrow.clone();
    sorted.sort_unstable();
    let found = identified(&sorted);
    assert!(passing(&found).contains(&"discrete Gaussian") && !found.consistent);
    assert!(found.order.iter().any(|test| test.verdict == Verdict::Reject));
}

#[test]
fn few_values_and_far_ones() {
    let error = |samples: &[i64]| {
        let mut identifier = Identifier::new();
        identifier.push(samples);
        identifier.finish().unwrap_err().to_string()
    };
    assert_eq!(error(&[]), "n = 0 values: a verdict needs at least 100");
    assert_eq!(error(&[1; 10]), "n = 10 values: a verdict needs at least 100");
    assert_eq!(error(&[7; 200]), "all 200 values are 7: expected at least two different values");
    let ends: Vec<i64> = (0..1000).map(|i| if i * i % 7 < 2 { i64::MAX } else { i64::MIN }).collect();
    let found = identified(&ends);
    assert!(passing(&found).is_empty());
    // The values less their mean exceed 64 bits.
    assert_eq!(found.range, (i64::MIN, i64::MAX));
    let numbers = found.laws.iter().flat_map(|law| &law.parameters);
    assert!(numbers.clone().count() > 2 && numbers.clone().all(|number| number.value.is_finite()), "{:?}", found.laws);
    let rare: Vec<i64> = (0..30_000).map(|i| i64::from(i == 77)).collect();
    assert_eq!(row(&identified(&rare), "Poisson").verdict, Verdict::Pass);
    let far: Vec<i64> = Law::Gaussian("3.2", "0").draw(10_000, 1).iter().map(|x| i64::MAX - 40 + x).collect();
    let found = identified(&far);
    assert!(passing(&found).contains(&"discrete Gaussian"), "{:?}", found.laws);
    // So wide that e^(-1/λ) is nearly 1: the scale is then the mean of |x|.
    let ends: Vec<i64> = (0..1000).map(|i| [-1, 1][usize::from(i * i % 7 < 2)] * 100_000_000_000_000).collect();
    let scale = row(&identified(&ends), "discrete Laplace").parameters[0].value;
    assert!((scale / 1e14 - 1.0).abs() < 1e-12, "{scale}");
}

/// Of the one test that rejects more often where the values gave parameters.
#[test]
fn fitted_parameters_take_degrees_of_freedom() {
    let found = identified(&Law::Gaussian("3.2", "0").draw(20_000, 1));
    for law in found.laws.iter().filter(|law| law.name != "Poisson") {
        let taken = match law.name {
            "discrete Gaussian" | "rounded normal" => 2,
            "centred binomial" | "discrete Laplace" | "rounded Laplace" | "sum of two discrete Laplace" | "Skellam" => {
                1
            }
            _ => 0,
        };
        let dof = |name: &str| law.tests.iter().find(|test| test.name == name).and_then(|test| test.dof).unwrap();
        assert_eq!(dof("chi-squared") - dof("too close"), taken, "{law:?}");
    }
}

#[test]
fn chunks_and_threads_change_nothing() {
    let samples = Law::Gaussian("1e9", "0").draw(150_000, 9);
    let whole = identified(&samples);
    let mut identifier = Identifier::new().with_threads(2.try_into().unwrap());
    samples.chunks(7777).for_each(|chunk| identifier.push(chunk));
    assert_eq!(identifier.finish().unwrap(), whole);
    assert!(passing(&whole).contains(&"discrete Gaussian") && whole.separation.is_none());
}
