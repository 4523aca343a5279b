//! Distributions beside D_Z: the verifier accepts samples of its own distribution and rejects those of another.

use samplez_core::finite::{CenteredBinomial, TUniform, Ternary};
use samplez_core::{DiscreteGaussian, NoiseLaw, Sampler, bits::BitReader, samplers::Karney};
use samplez_sources::{ChaCha20, Seed};
use samplez_stats::{Report, Verdict, Verifier, Watch};
use samplez_tables::{TargetLaw, Term};

fn parameters(sigma: &str, center: &str) -> DiscreteGaussian {
    let width = samplez_core::Width::Sigma(sigma.parse().unwrap());
    DiscreteGaussian::new(center.parse().unwrap(), width).unwrap()
}

fn rounded(sigma: &str, center: &str) -> TargetLaw {
    TargetLaw::rounded(&parameters(sigma, center)).unwrap()
}

/// Draws of D_Z by the library.
fn ideal(sigma: &str, center: &str, n: usize, seed: u8) -> Vec<i64> {
    let mut samples = vec![0; n];
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])));
    Karney::new(&parameters(sigma, center)).unwrap().fill(&mut bits, &mut samples).unwrap();
    samples
}

/// Normal variables by Box and Muller's method, rounded to the nearest integer.
fn rounded_normals(sigma: f64, center: f64, n: usize, seed: u8) -> Vec<i64> {
    use rand_core::Rng;
    let mut words = ChaCha20::new(&Seed::from_bytes([seed; 32]));
    // In 0 < u <= 1.
    let mut uniform = || ((words.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    let mut samples = Vec::with_capacity(n + 1);
    while samples.len() < n {
        let (radius, angle) = ((-2.0 * uniform().ln()).sqrt(), std::f64::consts::TAU * uniform());
        for normal in [radius * angle.cos(), radius * angle.sin()] {
            samples.push((center + sigma * normal).round() as i64);
        }
    }
    samples.truncate(n);
    samples
}

fn report(law: impl Into<TargetLaw>, samples: &[i64]) -> Report {
    let mut verifier = Verifier::new(law).unwrap();
    verifier.push(samples);
    verifier.finish().unwrap()
}

fn rejecting(report: &Report) -> Vec<&str> {
    report.tests.iter().filter(|test| test.verdict == Verdict::Reject).map(|test| test.name.as_str()).collect()
}

fn assert_consistent(law: impl Into<TargetLaw>, samples: &[i64]) {
    let law = law.into();
    let report = report(&law, samples);
    assert!(report.consistent, "{law}: {:?}", rejecting(&report));
}

/// Laplace variables by the logarithm of a uniform one, rounded to the nearest integer.
fn rounded_laplace(scale: f64, n: usize, seed: u8) -> Vec<i64> {
    use rand_core::Rng;
    let mut words = ChaCha20::new(&Seed::from_bytes([seed; 32]));
    let mut draw = || {
        let word = words.next_u64();
        let size = -scale * (((word >> 11) + 1) as f64 / (1_u64 << 53) as f64).ln();
        (if word & 1 == 0 { size } else { -size }).round() as i64
    };
    (0..n).map(|_| draw()).collect()
}

#[test]
fn a_rounded_laplace_law_and_a_discrete_one_are_told_apart() {
    for (text, scale) in [("1/2", 0.5), ("2", 2.0), ("1000", 1000.0)] {
        let law = TargetLaw::rounded_laplace(text.parse().unwrap()).unwrap();
        let samples = rounded_laplace(scale, 1 << 17, 5);
        assert_consistent(&law, &samples);
        assert_consistent(
            law.within(-3000..=3000).unwrap(),
            &samples.iter().copied().filter(|x| x.abs() <= 3000).collect::<Vec<_>>(),
        );
        let above: Vec<i64> = samples.iter().copied().filter(|x| (0..=100).contains(x)).collect();
        assert_consistent(law.within(0..=100).unwrap(), &above);
        if scale < 100.0 {
            assert_consistent(law.modulo(8).unwrap(), &samples);
        }
        let discrete = TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale: text.parse().unwrap() }).unwrap();
        let judged = report(&discrete, &samples);
        // Far apart the two laws are one.
        assert_eq!(judged.consistent, scale == 1000.0, "{text}: {:?}", rejecting(&judged));
        assert_eq!(judged.alternative, (!judged.consistent).then_some(law));
    }
}

#[test]
fn the_two_laws_are_told_apart() {
    // The smaller σ, the fewer values.
    for (sigma, center, n) in [("0.5", "0", 20_000), ("1", "0.3", 100_000), ("3.2", "0", 3_000_000)] {
        let (width, middle) = (sigma.parse().unwrap(), center.parse().unwrap());
        let normals = rounded_normals(width, middle, n, 7);
        assert_consistent(rounded(sigma, center), &normals);
        let other = report(&parameters(sigma, center), &normals);
        assert!(rejecting(&other).contains(&"variance"), "{sigma}: {:?}", rejecting(&other));

        let gaussians = ideal(sigma, center, n, 8);
        assert_consistent(&parameters(sigma, center), &gaussians);
        assert!(!report(rounded(sigma, center), &gaussians).consistent, "{sigma}");
    }
    // At σ = 3.2, 10^5 values do not show the difference.
    let normals = rounded_normals(3.2, 0.0, 100_000, 9);
    assert_consistent(&parameters("3.2", "0"), &normals);
    assert_consistent(rounded("3.2", "0"), &normals);
}

#[test]
fn laws_that_are_cut() {
    let all = rounded_normals(3.2, 0.25, 400_000, 10);
    let kept: Vec<i64> = all.iter().copied().filter(|x| (-5..=6).contains(x)).collect();
    let law = rounded("3.2", "0.25").within(-5..=6).unwrap();
    assert_consistent(&law, &kept);
    assert!(!report(rounded("3.2", "0.25"), &kept).consistent);
    // One value beyond is enough.
    let mut one = kept.clone();
    one[77] = 7;
    assert_eq!(rejecting(&report(&law, &one)), ["range"]);
    // A wide range, which cuts both tails.
    let kept: Vec<i64> = ideal("700", "1/3", 400_000, 11).into_iter().filter(|x| (-900..=1000).contains(x)).collect();
    let cut = TargetLaw::from(&parameters("700", "1/3")).within(-900..=1000).unwrap();
    assert_consistent(&cut, &kept);
    assert!(!report(&parameters("700", "1/3"), &kept).consistent);
}

#[test]
fn residues() {
    let gaussians = ideal("3.2", "0", 300_000, 12);
    let law = TargetLaw::from(&parameters("3.2", "0"));
    // Of a large modulus, whatever the representatives; of small ones, where the periods overlap.
    for q in [12289, 64, 11, 7, 2] {
        let reduced: Vec<i64> = gaussians.iter().map(|x| x.rem_euclid(q)).collect();
        let law = law.modulo(q as u128).unwrap();
        assert_consistent(&law, &reduced);
        assert_consistent(&law, &gaussians);
        let centred: Vec<i64> = reduced.iter().map(|x| if *x > q / 2 { x - q } else { *x }).collect();
        assert_eq!(report(&law, &reduced), report(&law, &centred));
        // Another width, or another modulus.
        if q > 7 {
            let wide = TargetLaw::from(&parameters("3.4", "0")).modulo(q as u128).unwrap();
            assert!(!report(&wide, &reduced).consistent, "{q}");
        }
        assert!(!report(law.clone(), &reduced.iter().map(|x| x / 2).collect::<Vec<_>>()).consistent, "{q}");
        assert!(q == 2 || !report(&parameters("3.2", "0"), &reduced).consistent);
    }
    // The centre far from 0, and a law that is uniform modulo q.
    let wide = ideal("1000", "5000", 200_000, 13);
    let law = |q| TargetLaw::from(&parameters("1000", "5000")).modulo(q).unwrap();
    for q in [100, 4096, 1 << 40] {
        let reduced: Vec<i64> = wide.iter().map(|x| x.rem_euclid(q)).collect();
        assert_consistent(law(q as u128), &reduced);
    }
    // Verifiers of one law merge, of two do not.
    let (mut a, b) = (Verifier::new(law(100)).unwrap(), Verifier::new(law(101)).unwrap());
    assert!(a.merge(&b).is_err() && a.merge(&Verifier::new(law(100)).unwrap()).is_ok());
}

#[test]
fn too_many_values_of_a_cut_law_are_refused() {
    let wide = TargetLaw::from(&parameters("1e6", "0"));
    let message = |law: TargetLaw| Verifier::new(law).unwrap_err().to_string();
    assert!(message(wide.clipped("1e6".parse().unwrap()).unwrap()).contains("at most 65536 values"));
    assert!(message(wide.modulo(1_000_000).unwrap()).contains("at most 65536 values"));
    // Where nothing is cut off, any width.
    assert!(Verifier::new(wide.clipped("1e8".parse().unwrap()).unwrap()).is_ok());
    assert!(Verifier::new(rounded("1e12", "1/3").modulo(1 << 62).unwrap()).is_ok());
}

/// A merged verifier does not run the tests of one stream, in either order of the merge.
#[test]
fn streams_merge_in_either_order() {
    let target = parameters("3.2", "0");
    let values = ideal("3.2", "0", 60_000, 14);
    let empty = Verifier::new(&target).unwrap();
    let [a, b] = [&values[..20_000], &values[20_000..]].map(|part| {
        let mut verifier = empty.clone();
        verifier.push(part);
        verifier
    });
    let merged = |streams: &[&Verifier]| {
        let mut all = streams[0].clone();
        streams[1..].iter().for_each(|other| all.merge(other).unwrap());
        all.finish().unwrap()
    };
    let reports = [merged(&[&a, &b]), merged(&[&b, &a]), merged(&[&empty, &a, &b]), merged(&[&empty, &a])];
    for name in ["trend and waves", "all lags", "periods", "halves"] {
        for report in &reports {
            let test = report.tests.iter().find(|test| test.name == name).unwrap();
            assert_eq!(test.verdict, Verdict::NotApplicable("needs one stream"), "{name}");
        }
        let alone = merged(&[&a, &empty]);
        assert!(alone.tests.iter().any(|test| test.name == name && test.p_value.is_some()), "{name}");
    }
    for name in ["longest run", "repeats at strides"] {
        let [first, second, third] =
            [0, 1, 2].map(|i| reports[i].tests.iter().find(|test| test.name == name).unwrap().p_value);
        assert!(first.is_some() && first == second && second == third, "{name}");
    }
}

#[test]
fn laws_without_rare_values_say_so() {
    // Ten values, none of which is rare.
    let law = rounded("1000", "0").within(-4..=5).unwrap();
    let values: Vec<i64> =
        (0..10_000_u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as i64 % 10 - 4).collect();
    let report = report(law, &values);
    let test = report.tests.iter().find(|test| test.name == "repeats at strides").unwrap();
    assert_eq!(test.verdict, Verdict::NotApplicable("no value is rare enough"));
}

/// A finite law, cut or reduced or not.
fn finite(law: NoiseLaw) -> TargetLaw {
    TargetLaw::finite(&law).unwrap()
}

fn drawn(sampler: &impl Sampler, n: usize) -> Vec<i64> {
    let mut samples = vec![0; n];
    sampler.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([9; 32]))), &mut samples).unwrap();
    samples
}

#[test]
fn finite_laws_are_judged_by_their_own_probabilities() {
    const N: usize = 300_000;
    let (ternary, coin) = (NoiseLaw::Ternary, NoiseLaw::CenteredBinomial { eta: 1 });
    assert_consistent(finite(ternary), &drawn(&Ternary, N));
    assert_consistent(finite(coin), &drawn(&CenteredBinomial::new(1).unwrap(), N));
    assert_eq!(report(finite(coin), &drawn(&Ternary, N)).tests[0].verdict, Verdict::Reject);
    // One value that the law does not have.
    let mut samples = drawn(&Ternary, N);
    samples[1000] = 2;
    assert!(!report(finite(ternary), &samples).consistent);

    for bound_log2 in [0, 2, 11, 17, 40, 62] {
        let samples = drawn(&TUniform::new(bound_log2).unwrap(), N);
        assert_consistent(finite(NoiseLaw::TUniform { bound_log2 }), &samples);
        assert!(
            !report(finite(NoiseLaw::TUniform { bound_log2: bound_log2.abs_diff(1) }), &samples).consistent,
            "{bound_log2}"
        );
    }
    // Uniform, with ends that have the mass of the other values: 1/9 for 1/16.
    let uniform: Vec<i64> = ideal("1e6", "0", N, 3).into_iter().map(|x| x.rem_euclid(9) - 4).collect();
    let rejected = report(finite(NoiseLaw::TUniform { bound_log2: 2 }), &uniform);
    assert!(rejecting(&rejected).contains(&"chi-squared"), "{:?}", rejecting(&rejected));

    // The order counts as for any law.
    let law = NoiseLaw::CenteredBinomial { eta: 21 };
    let mut samples = drawn(&CenteredBinomial::new(21).unwrap(), 4 * N);
    assert_consistent(finite(law), &samples);
    assert_consistent(finite(law).modulo(7).unwrap(), &samples);
    let within: Vec<i64> = samples.iter().copied().filter(|x| x.abs() <= 5).collect();
    assert_consistent(finite(law).within(-5..=5).unwrap(), &within);
    // The Gaussian of the same variance has other tails, and is another law.
    assert!(!report(&parameters_sq("21/2"), &samples).consistent);
    assert!(!report(finite(law), &ideal_sq("21/2", 4 * N)).consistent);
    samples.sort_unstable();
    assert!(!report(finite(law), &samples).consistent);
}

fn parameters_sq(variance: &str) -> DiscreteGaussian {
    DiscreteGaussian::new("0".parse().unwrap(), samplez_core::Width::SigmaSq(variance.parse().unwrap())).unwrap()
}

fn ideal_sq(variance: &str, n: usize) -> Vec<i64> {
    drawn(&Karney::new(&parameters_sq(variance)).unwrap(), n)
}

/// A fault that begins behind the first window, and one generator of 64 that repeats itself.
#[test]
fn late_lags_and_rare_places_are_seen() {
    const BEGIN: usize = 270_000;
    let fresh = ideal("3.2", "0", 4_800_000, 21);
    let (mut copied, mut strided) = (fresh.clone(), fresh);
    for i in (BEGIN + 5000..copied.len()).step_by(7) {
        copied[i] = copied[i - 5000];
    }
    let half = strided.len() / 2 / 64 * 64;
    for i in (half..strided.len()).step_by(64) {
        strided[i] = strided[i - half];
    }
    let law = parameters("3.2", "0");
    assert!(rejecting(&report(&law, &copied)).contains(&"all lags"));
    assert_eq!(rejecting(&report(&law, &strided)), ["repeats at strides"]);
}

/// Terms drawn by their own samplers, under seeds of their own, are accepted, and rejected by the laws next to theirs.
#[test]
fn sums_are_told_from_their_neighbours() {
    const N: usize = 400_000;
    let gaussian = |sigma: &str| TargetLaw::from(&parameters(sigma, "0"));
    let of = |factor, copies, law: &TargetLaw| Term { factor, copies, law: law.clone() };
    let sum = |terms: &[Term]| TargetLaw::sum(terms).unwrap();
    let [a, b, c] = [31, 32, 33].map(|seed| ideal("1.5", "0", N, seed));
    let (coins, ternary) = (drawn(&CenteredBinomial::new(4).unwrap(), N), finite(NoiseLaw::Ternary));
    let thirds: Vec<i64> = ideal("1e6", "0", N, 34).into_iter().map(|x| x.rem_euclid(3) - 1).collect();
    let added = |f: &dyn Fn(usize) -> i64| -> Vec<i64> { (0..N).map(f).collect() };
    let coin = finite(NoiseLaw::CenteredBinomial { eta: 4 });

    // The variance of a difference, of three copies, of a multiple; a value in a gap; and a wrong factor, which leaves the variance.
    let difference = added(&|i| a[i] - coins[i]);
    assert_consistent(sum(&[of(1, 1, &gaussian("1.5")), of(-1, 1, &coin)]), &difference);
    assert!(
        !report(
            sum(&[of(1, 1, &gaussian("1.5")), of(-1, 1, &finite(NoiseLaw::CenteredBinomial { eta: 5 }))]),
            &difference
        )
        .consistent
    );
    let clients = added(&|i| a[i] + b[i] + c[i]);
    assert_consistent(sum(&[of(1, 3, &gaussian("1.5"))]), &clients);
    for wrong in [2, 4] {
        assert!(!report(sum(&[of(1, wrong, &gaussian("1.5"))]), &clients).consistent, "{wrong}");
    }
    // Of three Gaussians nothing but one is known from 400,000 values.
    assert_consistent(&parameters_sq("27/4"), &clients);

    let large = added(&|i| 1000 * a[i] + thirds[i]);
    let law = sum(&[of(1000, 1, &gaussian("1.5")), of(1, 1, &ternary)]);
    assert_consistent(&law, &large);
    assert_consistent(law.modulo(97).unwrap(), &large.iter().map(|x| x.rem_euclid(97)).collect::<Vec<_>>());
    assert!(!report(sum(&[of(1000, 1, &gaussian("1.52")), of(1, 1, &ternary)]), &large).consistent);
    assert!(!report(sum(&[of(999, 1, &gaussian("1.5")), of(1, 1, &ternary)]), &large).consistent);
    let mut gap = large.clone();
    gap[77] = 500;
    assert_eq!(rejecting(&report(&law, &gap)), ["range"]);

    // A table with a wrong weight, and one with another place, about a mean far from 0.
    let table = |low, weights: &[u64]| of(1, 1, &TargetLaw::weights(low, weights).unwrap());
    let moved = added(&|i| b[i] + 5_000_000 + [0, 1, 1, 3][(c[i] - thirds[i]).rem_euclid(4) as usize]);
    let law = |low, weights: &[u64]| {
        // c - thirds modulo 4.
        let places = sum(&[of(1, 1, &gaussian("1.5")), of(-1, 1, &ternary)]).modulo(4).unwrap();
        let share = |r: i64| (places.pmf(if r < 2 { r } else { r - 4 }) * 1e12) as u64;
        let all = [share(0) * weights[0], (share(1) + share(2)) * weights[1], 0, share(3) * weights[2]];
        sum(&[of(1, 1, &gaussian("1.5")), table(low, &all)])
    };
    assert_consistent(law(5_000_000, &[1, 1, 1]), &moved);
    assert!(
        !report(law(5_000_001, &[1, 1, 1]), &moved).consistent
            && !report(law(5_000_000, &[20, 20, 21]), &moved).consistent
    );

    // A watch of a sum.
    let mut watch = Watch::new(sum(&[of(1, 3, &gaussian("1.5"))])).unwrap();
    watch.push(&clients);
    assert!(!watch.look().is_alarm(1e-3));
    let mut watch = Watch::new(sum(&[of(1, 2, &gaussian("1.5"))])).unwrap();
    watch.push(&clients[..20_000]);
    assert!(watch.look().is_alarm(1e-6));
    let law = sum(&[of(1000, 1, &gaussian("1.5")), of(1, 1, &ternary)]);
    for (values, is_wrong) in [(&large[..1000], false), (&gap[..1000], true)] {
        let mut watch = Watch::new(&law).unwrap();
        watch.push(values);
        assert_eq!(watch.look().is_alarm(1e-6), is_wrong);
    }
}
