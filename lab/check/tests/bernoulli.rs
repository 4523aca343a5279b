//! `Bernoulli`: its exact law is its entries', its trials and bits are the declared ones, its
//! certificate bounds the distance of that law.

use crate::common::{brackets::holds, brackets::pmf, law, rejecting, verify};
use samplez_check::tape::{Budget, ExactLaw, Tape, enumerate};
use samplez_core::bits::BitReader;
use samplez_core::samplers::Bernoulli;
use samplez_core::table::BernoulliTable;
use samplez_core::table::Table as _;
use samplez_core::testing::{Attempt, Counted};
use samplez_core::{Bound, DiscreteGaussian, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{BernoulliOptions, Law, build_bernoulli, certify_bernoulli};

fn k_sigma2(k: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::KSigma2(k.parse().unwrap())).unwrap()
}

fn options(precision: u32) -> BernoulliOptions {
    BernoulliOptions { precision, ..BernoulliOptions::default() }
}

fn built(k: u64, center: i64, precision: u32) -> Bernoulli<Vec<u32>> {
    let law = k_sigma2(&k.to_string(), &center.to_string());
    Bernoulli::from_table(build_bernoulli(&law, &options(precision)).unwrap())
}

fn reader(number: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([number; 32])))
}

/// c_i, to the precision of a double: exactly, for B <= 53.
fn entry<S: AsRef<[u32]>>(table: &BernoulliTable<S>, i: usize) -> f64 {
    let unit = 1.0 / 4_294_967_296.0;
    table.entry(i).iter().rev().fold(0.0, |sum, digit| (sum + f64::from(*digit)) * unit)
}

/// 2^(-x²)·Π c_i for the value kx + y.
fn weight<S: AsRef<[u32]>>(table: &BernoulliTable<S>, value: u64) -> f64 {
    let (k, x, y) = (table.k(), value / table.k(), value % table.k());
    let z = y * (y + 2 * k * x);
    let coins = (0..table.count()).filter(|i| z >> i & 1 != 0).map(|i| entry(table, i));
    coins.product::<f64>() * (-((x * x) as f64)).exp2()
}

fn walk(runs: u64, attempt: impl Fn(&mut Tape) -> Option<i64>) -> ExactLaw {
    enumerate(Budget::depth(100).runs(runs), |bits| attempt(bits)).unwrap()
}

/// Exact masses of one attempt, 2^(-x²-1)·Π c_i/2k for each sign but for the one zero, where a walk
/// leaves what repeats itself for ever undecided; over the probability that an attempt finds an x.
fn has_law_of(walked: &ExactLaw, table: &BernoulliTable<Vec<u32>>, found: f64, open: f64) {
    let unit = 2_f64.powi(walked.log2_denominator() as i32);
    let reach = table.k() * (table.last_x() + 1) - 1;
    let mut total = 0.0;
    for value in 0..=reach {
        let want = weight(table, value) / (4.0 * table.k() as f64) / found;
        for x in [table.center() + value as i64, table.center() - value as i64] {
            let got = walked.numerator(x) as f64 / unit;
            let high = got + walked.undecided();
            assert!(got <= want * (1.0 + 1e-12) && want <= high * (1.0 + 1e-12), "{x}: {got} {want} {high}");
        }
        total += if value == 0 { want } else { 2.0 * want };
    }
    assert!(walked.values().all(|x| table.support().contains(&x)));
    assert!((1.0 - walked.rejected() - total).abs() <= walked.undecided() + 1e-12);
    assert!(walked.undecided() < open, "{}", walked.undecided());
}

#[test]
fn an_attempt_has_the_law_of_its_entries() {
    for (k, center, precision, open) in [
        (1, 0, 8, 1e-9),
        (2, -3, 6, 1e-6),
        (3, 0, 4, 1e-3),
        (4, 5, 3, 1e-3),
        (5, 1, 3, 1e-2),
        (10, 0, 2, 0.02),
        (7, 0, 1, 1e-2),
    ] {
        let sampler = built(k, center, precision);
        has_law_of(&walk(3_000_000, |bits| sampler.attempt_narrow::<2, 1, 1, _>(bits)), sampler.table(), 1.0, open);
        has_law_of(
            &walk(3_000_000, |bits| sampler.attempt_narrow::<16, 4, 3, _>(bits)),
            sampler.table(),
            1.0,
            4.0 * open,
        );
        has_law_of(
            &walk(3_000_000, |bits| sampler.attempt_narrow::<4, 2, 6, _>(bits)),
            sampler.table(),
            1.0,
            4.0 * open,
        );
    }
}

/// A frugal attempt has the same law, in tighter brackets.
#[test]
fn a_frugal_attempt_has_the_law_of_its_entries() {
    for (k, center, precision) in [(1, 0, 8), (2, -3, 6), (3, 0, 128), (10, 5, 4), (10, 0, 64), (7, 0, 1)] {
        let sampler = built(k, center, precision).frugal();
        let walked = walk(300_000, |bits| sampler.attempt(bits));
        let table = built(k, center, precision).table().clone();
        // An attempt restarts BIN until there is an x.
        let w: f64 = (0..8).map(|x| (-f64::from(x * x)).exp2()).sum();
        has_law_of(&walked, &table, w / 2.0, 5e-3);
    }
}

#[test]
fn frugal_bits_are_the_declared_ones() {
    for (k, precision) in [(1, 128), (2, 128), (10, 8), (127, 128), (254, 128), (188_388, 128), (1 << 28, 256)] {
        let (sampler, n) = (built(k, 0, precision).frugal(), 300_000);
        let mut bits = Counted::new(reader(6));
        for _ in 0..n {
            sampler.sample(&mut bits);
        }
        let (drawn, declared) = (bits.count() as f64 / f64::from(n), sampler.profile().expected_bits);
        assert!((drawn / declared - 1.0).abs() < 0.01, "k = {k}: {drawn}, {declared}");
    }
    assert!(built(254, 0, 128).frugal().profile().expected_bits < 21.0);
    let target = k_sigma2("254", "0");
    let sampler = built(254, 0, 128).frugal();
    let mut bits = reader(30);
    let out: Vec<i64> = std::iter::repeat_with(|| sampler.sample(&mut bits)).take(2_000_000).collect();
    let report = verify(&target, &out);
    assert!(rejecting(&report).is_empty(), "{report:?}");
}

/// At 128 bits the entries' law is D_{Z,σ,c} but for 2^-124.
#[test]
fn an_attempt_has_the_ideal_law() {
    for (k, center, open) in [(2, -3, 1e-2), (3, 0, 0.1), (5, 1, 0.15), (10, 0, 0.3), (127, 0, 0.8)] {
        let sampler = built(k, center, 128);
        let ideal = pmf(k as f64 * (0.5 / std::f64::consts::LN_2).sqrt(), center as f64);
        let narrow = walk(2_000_000, |bits| sampler.attempt_narrow::<2, 1, 1, _>(bits));
        for walked in [&narrow, &walk(1_000_000, |bits| sampler.attempt_narrow::<8, 3, 2, _>(bits))] {
            assert!(holds(walked, &ideal), "k = {k}");
            let distance = walked.distance(&ideal);
            assert!(*distance.start() < 1e-10 && *distance.end() < open, "k = {k}: {distance:?}");
        }
        // The walk can tell.
        assert!(!holds(&narrow, |x| if x == center { 2.0 * ideal(x) } else { ideal(x) } / (1.0 + ideal(center))));
        assert!(k > 10 || !holds(&narrow, |x| if x < center { 0.9 * ideal(x) } else { ideal(x) }), "k = {k}");
    }
}

/// Statistical distance, R_∞ - 1, R_2 - 1 and the mass outside the support, summed in doubles.
fn distances(table: &BernoulliTable<Vec<u32>>) -> [f64; 4] {
    let ideal = Law::new(table.target());
    let reach = table.k() * (table.last_x() + 1) - 1;
    let weights: Vec<f64> = (0..=reach).map(|value| weight(table, value)).collect();
    let total = 2.0 * weights.iter().sum::<f64>() - weights[0];
    let (mut sd, mut rinf, mut r2, mut outside) = (0.0, 0.0_f64, 0.0, 0.0);
    for (value, weight) in weights.iter().enumerate() {
        let count = if value == 0 { 1.0 } else { 2.0 };
        let (p, q) = (ideal.pmf(table.center() + value as i64), weight / total);
        sd += count * (q - p).max(0.0);
        rinf = rinf.max(q / p - 1.0);
        r2 += count * (q - p) * (q - p) / p;
        outside += if q == 0.0 { count * p } else { 0.0 };
    }
    let beyond = ideal.mass(table.center() + reach as i64 + 1..=i64::MAX);
    [sd, rinf, r2 + 2.0 * beyond, outside + 2.0 * beyond]
}

fn bounds(bound: &Bound) -> [f64; 4] {
    [bound.log2_sd, bound.log2_rinf, bound.renyi(2).unwrap(), bound.log2_tail]
}

#[test]
fn the_certificate_bounds_the_distance_of_the_law() {
    for k in [1, 2, 3, 10, 127, 254] {
        for precision in [4, 8, 13, 24, 32] {
            let sampler = built(k, 0, precision);
            let (exact, bound) = (distances(sampler.table()), bounds(&sampler.table().bound()));
            for (name, exact, bound) in
                [("sd", 0), ("rinf", 1), ("r2", 2), ("tail", 3)].map(|(name, i)| (name, exact[i], bound[i]))
            {
                // Doubles see no more than 2^-48; a bound of a small table may be void.
                if exact > 4e-15 {
                    assert!(exact.log2() < bound + 1e-3, "k = {k}, {precision} bits, {name}: {} {bound}", exact.log2());
                }
            }
            if precision >= 13 && k > 1 {
                assert!(exact[1].log2() > bound[1] - 3.0, "k = {k}, {precision}: {} {bound:?}", exact[1].log2());
            }
        }
    }
}

/// Entries that are not the ideal ones are certified as what they are.
#[test]
fn other_digits_are_certified_as_they_are() {
    let table = build_bernoulli(&k_sigma2("10", "0"), &options(24)).unwrap();
    for (i, change) in [(0, 1_i64 << 20), (3, -(1 << 18)), (6, 1 << 14), (8, -(1 << 16))] {
        let mut digits = table.digits().to_vec();
        digits[i] = (i64::from(digits[i]) + (change << 8)) as u32;
        let other = BernoulliTable::new(*table.target(), table.bound(), 24, digits).unwrap();
        let (exact, bound) = (distances(&other), bounds(&certify_bernoulli(&other)));
        assert!(exact[1].log2() > table.bound().log2_rinf + 4.0, "the change is seen");
        for (exact, bound) in exact.into_iter().zip(bound).take(3) {
            assert!(exact.log2() < bound + 1e-3, "entry {i}: {} {bound}", exact.log2());
        }
    }
}

#[test]
fn bounds_of_the_usual_tables() {
    for (k, precision) in [("254", 128), ("1", 128), ("2", 256), ("254", 64), ("188388", 128), ("268435456", 256)] {
        let table = build_bernoulli(&k_sigma2(k, "0"), &options(precision)).unwrap();
        let (bound, b) = (table.bound(), f64::from(precision));
        assert!(bound.log2_sd < 6.0 - b && bound.log2_rinf < 6.0 - b, "{k}, {precision}: {bound:?}");
        assert!(bound.log2_tail < -b - 32.0 && bound.renyi(256).unwrap() < -b - 31.0, "{k}, {precision}: {bound:?}");
    }
    // Void, and said to be so: a bit is not enough.
    let bound = build_bernoulli(&k_sigma2("254", "0"), &options(1)).unwrap().bound();
    assert!(bound.log2_sd == 0.0 && bound.log2_rinf == f64::INFINITY, "{bound:?}");
    assert!(bound.log2_renyi.iter().all(|(_, log2)| *log2 == f64::INFINITY), "{bound:?}");
}

#[test]
fn trials_and_bits_are_the_declared_ones() {
    // Proposals are the attempts for which x is found.
    let w: f64 = (0..8).map(|x| (-f64::from(x * x)).exp2()).sum();
    for (k, precision) in
        [(1, 128), (2, 5), (10, 1), (10, 128), (254, 128), (500, 64), (513, 9), (188_388, 128), ((1 << 28) - 1, 256)]
    {
        let (sampler, n) = (built(k, 0, precision), 300_000);
        let (mut bits, mut tried) = (Counted::new(reader(2)), 0);
        for _ in 0..n {
            while {
                tried += 1;
                sampler.attempt(&mut bits).is_none()
            } {}
        }
        let profile = sampler.profile();
        let (bits, trials) = (bits.count() as f64 / f64::from(n), f64::from(tried) / f64::from(n) * w / 2.0);
        assert!((bits / profile.expected_bits - 1.0).abs() < 0.01, "k = {k}: {bits} bits, {profile:?}");
        assert!((trials / profile.expected_trials - 1.0).abs() < 0.01, "k = {k}: {trials} trials, {profile:?}");
    }
    assert!((built(254, 0, 128).profile().expected_trials - 1.469_719_95).abs() < 1e-7);
    assert!(built(254, 0, 128).profile().expected_bits < 61.0);
}

#[test]
fn fill_is_repeated_sample() {
    for (k, precision) in [(1, 128), (4, 3), (254, 128), (512, 64), (513, 64), (1 << 28, 256)] {
        let sampler = built(k, 5, precision);
        let (mut a, mut b, mut c) = (Counted::new(reader(4)), Counted::new(reader(4)), reader(4));
        let mut out = [0_i64; 3000];
        sampler.fill(&mut a, &mut out).unwrap();
        for x in out {
            assert_eq!(x, sampler.sample(&mut b));
            assert_eq!(std::iter::repeat_with(|| sampler.attempt(&mut c)).flatten().next(), Some(x));
        }
        assert_eq!(a.count(), b.count());
    }
    let error = built(254, 0, 64).fill(&mut reader(1), &mut [0_i8; 1000]).unwrap_err();
    assert_eq!(error.dtype, "i8");
}

/// Three million samples of each, before the statistics.
#[test]
fn full_width_samples_are_consistent() {
    for (k, center) in [
        ("1", "0"),
        ("2", "0"),
        ("3", "-9"),
        ("10", "0"),
        ("254", "0"),
        ("512", "4"),
        ("513", "0"),
        ("188388", "77"),
        ("268435456", "0"),
    ] {
        let target = k_sigma2(k, center);
        let sampler = Bernoulli::from_table(build_bernoulli(&target, &BernoulliOptions::default()).unwrap());
        let mut out = vec![0_i64; 3_000_000];
        sampler.fill(&mut reader(29), &mut out).unwrap();
        let report = verify(&target, &out);
        assert!(rejecting(&report).is_empty(), "{target}: {report:?}");
    }
}

#[test]
fn bad_parameters_are_refused() {
    let refusal =
        |law: DiscreteGaussian, precision| build_bernoulli(&law, &options(precision)).unwrap_err().to_string();
    let widths = "a width given as `k_sigma2` only, sigma = k*sqrt(1/(2 ln 2))";
    assert_eq!(refusal(law("215", "0"), 128), format!("sigma = 215: method bernoulli allows {widths}"));
    let integers = "method bernoulli allows integers k <= 2^28 only";
    assert_eq!(refusal(k_sigma2("5/2", "0"), 128), format!("k_sigma2 = 2.5: {integers}"));
    assert_eq!(refusal(k_sigma2("268435457", "0"), 128), format!("k_sigma2 = 268435457: {integers}"));
    let centers = "method bernoulli allows integers with |center| <= 2^62 only";
    assert_eq!(refusal(k_sigma2("254", "1/2"), 128), format!("center = 0.5: {centers}"));
    let far = "-9223372036854775807";
    assert_eq!(refusal(k_sigma2("254", far), 128), format!("center = {far}: {centers}"));
    assert_eq!(refusal(k_sigma2("254", "0"), 0), "precision = 0: expected a number between 1 and 256");
    assert_eq!(refusal(k_sigma2("254", "0"), 10_000), "precision = 10000: expected a number between 1 and 256");
    let tight = BernoulliOptions { precision: 128, max_bytes: 335 };
    let message = "sigma = 254 sqrt(1/(2 ln 2)): the table of coins takes 336 bytes, more than the 335 bytes allowed; raise max_bytes";
    assert_eq!(build_bernoulli(&k_sigma2("254", "0"), &tight).unwrap_err().to_string(), message);
    assert!(build_bernoulli(&k_sigma2("254", "0"), &BernoulliOptions { max_bytes: 336, ..tight }).is_ok());
}
