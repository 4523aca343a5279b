//! The rounded normal, and laws that are cut or reduced: against values of another program, and against sums.

use core::ops::RangeInclusive;
use samplez_core::{DiscreteGaussian, NoiseLaw, Width};
use samplez_tables::{PlainTable, TargetError, TargetLaw, Whole, audit, audit_against, build_plain};

fn parameters(sigma: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
}

fn law(rounded: bool, sigma: &str, center: &str, range: Option<(i64, i64)>, q: Option<u128>) -> TargetLaw {
    let parameters = parameters(sigma, center);
    let law = if rounded { TargetLaw::rounded(&parameters).unwrap() } else { TargetLaw::from(&parameters) };
    let law = range.map_or(law.clone(), |(low, high)| law.within(low..=high).unwrap());
    q.map_or(law.clone(), |q| law.modulo(q).unwrap())
}

/// Rounded or not, σ, c, range, modulus, x; P(X = x), P(X <= x), P(X > x); ln P(X = x).
type Row = (bool, &'static str, &'static str, Option<(i64, i64)>, Option<u128>, i64, [f64; 3], f64);

/// With mpmath's erfc to 700 digits, sums over 45σ on each side, and 60σ/q periods.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    (true, "3.2", "0", None, None, 0, [0.12416403361658973, 0.5620820168082948, 0.43791798319170516], -2.08615173582791),
    (true, "3.2", "0", None, None, 1, [0.11829381167458751, 0.6803758284828824, 0.31962417151711764], -2.134583819809082),
    (true, "3.2", "0", None, None, -1, [0.11829381167458751, 0.43791798319170516, 0.5620820168082948], -2.134583819809082),
    (true, "3.2", "0", None, None, 7, [0.011569338781329127, 0.9904545184636139, 0.009545481536386156], -4.4593968888193976),
    (true, "3.2", "0", None, None, -20, [4.769081601052559e-10, 5.514793304816038e-10, 0.9999999994485207], -21.4636971800447),
    (true, "3.2", "0", None, None, 60, [1.800090046948665e-77, 1.0, 5.0655032883650995e-80], -176.71121547080807),
    (true, "3.2", "0", None, None, 110, [6.3620917547693684e-257, 1.0, 1.3626834180286817e-261], -589.9140116839316),
    (true, "3.2", "1/2", None, None, 0, [0.12266971847015709, 0.5, 0.5], -2.0982597509579866),
    (true, "3.2", "1/2", None, None, 7, [0.01604334015645972, 0.9856469783911983, 0.014353021608801655], -4.132461459041757),
    (true, "0.3", "0.5", None, None, 0, [0.49957093966680316, 0.5, 0.5], -0.6940056696226454),
    (true, "0.3", "0.5", None, None, 1, [0.49957093966680316, 0.9995709396668032, 0.00042906033319683746], -0.6940056696226454),
    (true, "0.3", "0.5", None, None, -1, [0.0004290603201129128, 0.00042906033319683746, 0.9995709396668032], -7.753913042596594),
    (true, "0.3", "0.5", None, None, 3, [1.3083924686045405e-11, 1.0, 7.619853024160525e-24], -25.059636762456275),
    (true, "0.3", "0.5", None, None, -9, [4.906713927148187e-198, 4.906713927148187e-198, 1.0], -454.3212439563432),
    (true, "0.05", "0", None, None, 0, [1.0, 1.0, 7.619853024160525e-24], -1.523970604832105e-23),
    (true, "0.05", "0", None, None, 1, [7.619853024160525e-24, 1.0, 4.906713927148187e-198], -53.23128515051247),
    (true, "0.05", "0", None, None, -1, [7.619853024160525e-24, 7.619853024160525e-24, 1.0], -53.23128515051247),
    (true, "0.05", "0", None, None, 2, [4.906713927148187e-198, 1.0, 0.0], -454.3212439563432),
    (true, "2.8", "1/3", Some((-19, 19)), None, 0, [0.1407355815148388, 0.5237325490823779, 0.47626745091762207], -1.9608724576016217),
    (true, "2.8", "1/3", Some((-19, 19)), None, -19, [8.004489345612552e-12, 8.004489345612552e-12, 0.9999999999919955], -25.551018563443137),
    (true, "2.8", "1/3", Some((-19, 19)), None, 19, [3.964672477072667e-11, 1.0, 0.0], -23.951012774772117),
    (true, "2.8", "1/3", Some((-19, 19)), None, 20, [0.0, 1.0, 0.0], f64::NEG_INFINITY),
    (true, "2.8", "1/3", Some((-19, 19)), None, 5, [0.03586143398906152, 0.9674985444319681, 0.032501455568031835], -3.328092823064193),
    (true, "1000000", "0.25", None, None, 0, [3.989422804014036e-07, 0.5000000997355701, 0.4999999002644299], -14.73444909116902),
    (true, "1000000", "0.25", None, None, 1000000, [2.419707850118245e-07, 0.8413448065612165, 0.15865519343878348], -15.234448841168978),
    (true, "1000000", "0.25", None, None, -3000000, [4.4318450880542834e-09, 0.001349899139592613, 0.9986501008604074], -19.234449841168644),
    (true, "1000000", "0.25", None, None, 9000001, [1.0279704183462865e-24, 1.0, 1.1285755563091555e-19], -55.2344558411659),
    (true, "1000000", "0.25", None, None, -38000000, [1.0973e-320, 2.88545577e-316, 1.0], -736.7344585911088),
    (true, "1e15", "0", None, None, 0, [3.989422804014327e-16, 0.5000000000000002, 0.4999999999999998], -35.45771492811536),
    (true, "1e15", "0", None, None, 1, [3.989422804014327e-16, 0.5000000000000006, 0.4999999999999994], -35.45771492811536),
    (true, "1e15", "0", None, None, 123456789, [3.9894228040142963e-16, 0.5000000492521331, 0.49999995074786685], -35.457714928115365),
    (true, "1e15", "0", None, None, 1000000000000000, [2.4197072451914336e-16, 0.841344746068543, 0.15865525393145694], -35.95771492811536),
    (true, "1e15", "0", None, None, -6000000000000000, [6.0758828498232855e-24, 9.865876450377012e-10, 0.9999999990134123], -53.45771492811536),
    (true, "1", "0", Some((5, 9)), None, 4, [0.0, 0.0, 1.0], f64::NEG_INFINITY),
    (true, "1", "0", Some((5, 9)), None, 5, [0.9944110096031102, 0.9944110096031102, 0.005588990396889744], -0.005604667242832273),
    (true, "1", "0", Some((5, 9)), None, 6, [0.005577170541252297, 0.9999881801443625, 1.1819855637446696e-05], -5.189073702653288),
    (true, "1", "0", Some((5, 9)), None, 9, [2.7896990153956717e-12, 1.0, 0.0], -26.605087405701216),
    (true, "3.2", "0", None, Some(12289), 0, [0.12416403361658973, 0.5620820168082948, 0.43791798319170516], -2.08615173582791),
    (true, "3.2", "0", None, Some(12289), 5, [0.03699499911898812, 0.9571700482975829, 0.042829951702417116], -3.2969725344189733),
    (true, "3.2", "0", None, Some(12289), -5, [0.03699499911898812, 0.07982495082140524, 0.9201750491785947], -3.2969725344189733),
    (true, "3.2", "0", None, Some(12289), 30, [1.4252182592380787e-20, 1.0, 7.770031514990512e-22], -45.69737689351117),
    (true, "3.2", "0", None, Some(12289), 6144, [0.0, 1.0, 0.0], -1842908.4911449172),
    (true, "3.2", "0", None, Some(12289), -6144, [0.0, 0.0, 1.0], -1842908.4911449172),
    (true, "3.2", "0", None, Some(7), 0, [0.1473214137880721, 0.573660706894036, 0.42633929310596397], -1.9151385907361964),
    (true, "3.2", "0", None, Some(7), 1, [0.14564055588981203, 0.7193012627838481, 0.2806987372161519], -1.9266136388062478),
    (true, "3.2", "0", None, Some(7), 3, [0.13883499961622967, 1.0, 0.0], -1.9744691040777045),
    (true, "3.2", "0", None, Some(7), -3, [0.13883499961622967, 0.13883499961622967, 0.8611650003837703], -1.9744691040777045),
    (true, "3.2", "0", None, Some(7), -4, [0.0, 0.0, 1.0], f64::NEG_INFINITY),
    (true, "0.7", "-2/3", None, Some(2), -2, [0.47164020941375534, 0.47164020941375534, 0.5283597905862446], -0.7515388522618994),
    (true, "0.7", "-2/3", None, Some(2), -1, [0.5283597905862446, 1.0, 0.0], -0.6379778057732773),
    (true, "0.7", "-2/3", None, Some(2), 0, [0.0, 1.0, 0.0], f64::NEG_INFINITY),
    (true, "0.7", "-2/3", None, Some(2), -3, [0.0, 0.0, 1.0], f64::NEG_INFINITY),
    (true, "3.2", "0", Some((-4, 20)), Some(5), 0, [0.17620523009241837, 0.5741592993290557, 0.4258407006709442], -1.7361058832167306),
    (true, "3.2", "0", Some((-4, 20)), Some(5), 1, [0.21470978484176736, 0.7888690841708231, 0.21113091582917684], -1.538468000651642),
    (true, "3.2", "0", Some((-4, 20)), Some(5), 2, [0.21113091582917684, 1.0, 0.0], -1.555276883741462),
    (true, "3.2", "0", Some((-4, 20)), Some(5), -2, [0.20454932891933178, 0.20454932891933178, 0.7954506710806682], -1.5869461153780278),
    (false, "3.2", "0", Some((-10, 10)), None, 0, [0.12479246179927707, 0.5623962308996385, 0.4376037691003615], -2.0811032271204817),
    (false, "3.2", "0", Some((-10, 10)), None, 10, [0.0009453874380664529, 1.0, 0.0], -6.963915727120481),
    (false, "3.2", "0", Some((-10, 10)), None, -10, [0.0009453874380664529, 0.0009453874380664529, 0.9990546125619335], -6.963915727120481),
    (false, "3.2", "0", Some((-10, 10)), None, 11, [0.0, 1.0, 0.0], f64::NEG_INFINITY),
    (false, "1.3", "1/7", None, Some(3), 0, [0.34898025026604, 0.6703104819962744, 0.3296895180037256], -1.0527399478765431),
    (false, "1.3", "1/7", None, Some(3), 1, [0.3296895180037256, 1.0, 0.0], -1.1096039219372162),
    (false, "1.3", "1/7", None, Some(3), -1, [0.3213302317302344, 0.3213302317302344, 0.6786697682697655], -1.1352859253780865),
    (false, "3.2", "0", None, Some(12289), 0, [0.12466946262544772, 0.5623347313127238, 0.4376652686872761], -2.0820893430103538),
    (false, "3.2", "0", None, Some(12289), 5, [0.03678031600760001, 0.9578070996593112, 0.042192900340688816], -3.3027924680103538),
    (false, "3.2", "0", None, Some(12289), -30, [1.0245976683691991e-20, 1.0792263254408062e-20, 1.0], -46.02740184301035),
    (false, "2", "1/2", Some((0, 7)), Some(4), -1, [0.13322019154232564, 0.13322019154232564, 0.8667798084576743], -2.015751944208574),
    (false, "2", "1/2", Some((0, 7)), Some(4), 0, [0.34116589954557497, 0.47438609108790064, 0.5256139089120994], -1.0753864110744153),
    (false, "2", "1/2", Some((0, 7)), Some(4), 1, [0.30182437974998094, 0.7762104708378815, 0.22378952916211842], -1.1979099547646181),
    (false, "2", "1/2", Some((0, 7)), Some(4), 2, [0.22378952916211842, 1.0, 0.0], -1.497049270784547),
];

#[test]
fn probabilities_are_those_of_mpmath() {
    for &(rounded, sigma, center, range, q, x, [pmf, cdf, sf], log) in ROWS {
        let law = law(rounded, sigma, center, range, q);
        assert_eq!([law.pmf(x), law.cdf(x), law.sf(x)], [pmf, cdf, sf], "{law} {x}");
        // Finite down to 2^-1000000.
        assert_eq!(law.logpmf(x), if log < -693_147.0 { f64::NEG_INFINITY } else { log }, "{law} {x}");
    }
}

/// FrodoKEM's three tables, whose own target this is: log2 of statistical distance, R_2 - 1, R_256 - 1, R_513 - 1, R_∞ - 1 and tail.
///
/// From the tables and mpmath's normal distribution function, to 60 digits. The same program finds FrodoKEM's published Rényi
/// divergences of orders 200, 500 and 1000: 0.324e-4, 0.140e-4 and 0.264e-4.
const FRODO: [(&str, &[u128], [f64; 6]); 3] = [
    (
        "2.8",
        &[9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1],
        [-14.4774729755, -16.6464578681, -14.7382416603, -13.6136082748, -7.02380053972, -16.9255164807],
    ),
    (
        "2.3",
        &[11278, 10277, 7774, 4882, 2545, 1101, 396, 118, 29, 6, 1],
        [-14.6443509748, -17.5907914738, -16.4846440208, -16.1149051308, -10.4932194871, -17.6125952874],
    ),
    (
        "1.4",
        &[18286, 14320, 6876, 2023, 364, 40, 2],
        [-15.0639719007, -16.7926567575, -15.3021058909, -15.2648674289, -12.4726316107, -18.1507379749],
    ),
];

#[test]
fn tables_of_frodo_are_close_to_the_rounded_normal() {
    for (sigma, entries, want) in FRODO {
        let parameters = parameters(sigma, "0");
        let entries = entries.iter().map(|entry| Whole::from(*entry)).collect();
        let table = PlainTable::new(&parameters, &"frodo".parse().unwrap(), entries).unwrap();
        let found = audit_against(&table, &TargetLaw::rounded(&parameters).unwrap()).unwrap();
        let bound = found.bound;
        let renyi = |order| bound.renyi(order).unwrap();
        let got = [bound.log2_sd, renyi(2), renyi(256), renyi(513), bound.log2_rinf, bound.log2_tail];
        for (got, want) in got.into_iter().zip(want) {
            // Upper bounds, and close.
            assert!((-1e-10..1e-3).contains(&(got - want)), "{sigma}: {got} {want}");
        }
        // From D_Z it is farther by a factor of 60 or more.
        assert!(audit(&table).bound.log2_sd - bound.log2_sd > 5.8);
        assert_eq!(audit_against(&table, &TargetLaw::from(&parameters)).unwrap(), audit(&table));
    }
}

/// Every form against D_Z itself, by the other path of the code.
#[test]
fn an_audit_against_d_z_is_the_audit() {
    for (center, form) in [
        ("0", "folded,tail,72"),
        ("1/2", "folded,tail,72"),
        ("1/2", "mirrored,head,nearest,64"),
        ("0", "falcon"),
        ("1/2", "half,tail,64"),
        ("1/3", "full,pmf,96"),
    ] {
        let parameters = parameters("1.7", center);
        let table = build_plain(&parameters, &form.parse().unwrap()).unwrap();
        let (found, other) = (audit(&table), audit_against(&table, &TargetLaw::from(&parameters)).unwrap());
        assert_eq!(found.support, other.support);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(close(found.bound.log2_sd, other.bound.log2_sd), "{center} {form}: {found:?} {other:?}");
        assert!(close(found.bound.log2_rinf, other.bound.log2_rinf), "{center} {form}: {found:?} {other:?}");
        assert!(close(found.bound.log2_tail, other.bound.log2_tail), "{center} {form}: {found:?} {other:?}");
    }
    // Weight where the law has none.
    let table = build_plain(&parameters("3.2", "0"), &"folded,tail,72".parse().unwrap()).unwrap();
    let cut = TargetLaw::from(table.target()).clipped("5".parse().unwrap()).unwrap();
    assert_eq!(audit_against(&table, &cut).unwrap().bound.log2_rinf, f64::INFINITY);
}

#[test]
fn sums_are_one_and_agree() {
    for (rounded, sigma, center, range, q) in [
        (true, "3.2", "1/3", None, None),
        (true, "0.4", "1/2", Some((-3, 8)), None),
        (false, "3.2", "-7.25", Some((-20, 0)), Some(11)),
        (true, "2.5", "1/3", None, Some(6)),
        (true, "100", "0", None, Some(10)),
    ] {
        let law = law(rounded, sigma, center, range, q);
        let range = law.tail_range(-200.0).unwrap();
        let sum: f64 = range.clone().map(|x| law.pmf(x)).sum();
        assert!((sum - 1.0).abs() < 1e-14, "{law}: {sum}");
        let middle = range.start().midpoint(*range.end());
        let below: f64 = (*range.start()..=middle).map(|x| law.pmf(x)).sum();
        assert!((below - law.cdf(middle)).abs() < 1e-14 && (1.0 - below - law.sf(middle)).abs() < 1e-14, "{law}");
        assert_eq!(law.mass(i64::MIN..=i64::MAX), 1.0);
        assert_eq!(law.mass(RangeInclusive::new(5, 4)), 0.0);
        let mean: f64 = range.clone().map(|x| x as f64 * law.pmf(x)).sum();
        let square: f64 = range.clone().map(|x| (x as f64).powi(2) * law.pmf(x)).sum();
        let (got, variance) = law.mean_and_variance().unwrap();
        assert!((got - mean).abs() < 1e-12 && (variance - (square - mean * mean)).abs() < 1e-11, "{law}");
    }
    // Both sides of the limit from which the variance is σ² + 1/12.
    for sigma in ["3.999", "4"] {
        let (_, variance) = law(true, sigma, "1/7", None, None).mean_and_variance().unwrap();
        let sigma: f64 = sigma.parse().unwrap();
        assert!((variance - sigma * sigma - 1.0 / 12.0).abs() < 1e-12);
    }
    // Moved, it is the same law elsewhere.
    let here = law(true, "2.5", "10/3", Some((-5, 12)), Some(9));
    let moved = here.moved(3).unwrap();
    assert_eq!(moved, law(true, "2.5", "1/3", Some((-8, 9)), Some(9)));
    assert!(here.support().all(|x| here.pmf(x) == moved.pmf(x - 3)));
}

#[test]
fn wide_and_extreme_laws() {
    // Any form of width.
    for width in
        [Width::S("8.35".parse().unwrap()), Width::KSigma2("4".parse().unwrap()), Width::SigmaSq("11".parse().unwrap())]
    {
        let law = TargetLaw::rounded(&DiscreteGaussian::new("1/3".parse().unwrap(), width).unwrap()).unwrap();
        assert!(((-60..=60).map(|x| law.pmf(x)).sum::<f64>() - 1.0).abs() < 1e-14, "{law}");
    }
    let wide = law(true, "1e17", "0", None, None);
    assert!((wide.pmf(0) * 1e17 - 0.398_942_280_401_432_7).abs() < 1e-15);
    assert_eq!((wide.cdf(-1) + wide.pmf(0) + wide.sf(0), wide.mass(i64::MIN..=i64::MAX)), (1.0, 1.0));
    let narrow = law(true, "1e-9", "1/2", None, None);
    assert_eq!((narrow.pmf(0), narrow.pmf(1), narrow.pmf(2)), (0.5, 0.5, 0.0));
    let narrow = law(true, "1e-9", "0.3", None, None);
    assert_eq!((narrow.pmf(0), narrow.cdf(-1), narrow.sf(0)), (1.0, 0.0, 0.0));
    assert_eq!(law(true, "3.2", "0", None, None).tail_range(-64.0), Some(-29..=29));
    assert_eq!(law(true, "1e18", "0", None, None).tail_range(-64.0), None);
}

#[test]
fn refusals_name_the_argument() {
    let ideal = TargetLaw::from(&parameters("3.2", "0"));
    let message = |error: Result<TargetLaw, TargetError>| error.unwrap_err().to_string();
    for q in [0, 1] {
        assert_eq!(message(ideal.modulo(q)), format!("modulus = {q}: expected a whole number from 2 to 2^64"));
    }
    assert!(message(ideal.modulo((1 << 64) + 1)).starts_with("modulus = 18446744073709551617: "));
    assert!(message(ideal.modulo(5).unwrap().modulo(5)).contains("not reduced yet"));
    // The torus of 64 bits: nothing comes round, unless the law is beyond 64 bits.
    for q in [1 << 63, (1 << 64) - (1 << 32) + 1, 1 << 64] {
        let torus = ideal.modulo(q).unwrap();
        assert_eq!((torus.pmf(-1), torus.cdf(3), torus.is_cut()), (ideal.pmf(-1), ideal.cdf(3), false), "{q}");
        assert_eq!(torus.tail_range(-64.0), ideal.tail_range(-64.0), "{q}");
    }
    assert_eq!(ideal.modulo(1 << 64).unwrap().support(), i64::MIN..=i64::MAX);
    assert!(message(TargetLaw::from(&parameters("1e18", "0")).modulo(1 << 64)).contains("within 64 bits"));
    for bound in ["0", "-1", "-1/2"] {
        assert_eq!(
            message(ideal.clipped(bound.parse().unwrap())),
            format!("clip = {bound}: expected a number above 0")
        );
    }
    let half = TargetLaw::from(&parameters("3.2", "1/2"));
    assert!(message(half.clipped("1/4".parse().unwrap())).contains("within which integers lie"));
    assert_eq!(
        message(ideal.within(RangeInclusive::new(3, 2))),
        "range = 3..2: expected LOW..HIGH with LOW at most HIGH"
    );
    assert!(message(ideal.within(200..=300)).contains("at least 2^-900"));
    assert!(message(ideal.within(0..=5).unwrap().within(0..=5)).contains("neither cut nor reduced"));
    assert!(message(ideal.within(-4..=5).unwrap().clipped("2".parse().unwrap())).contains("neither cut nor reduced"));
    let wide = TargetLaw::from(&parameters("1e6", "0")).clipped("1e6".parse().unwrap()).unwrap();
    assert!(message(wide.modulo(100)).contains("4096 periods"));
    let fine = parameters("1", "1/9223372036854775809");
    assert!(message(TargetLaw::rounded(&fine)).starts_with("center = 1/9223372036854775809: expected"));
}

/// Law, range, modulus, x; P(X = x), P(X <= x), P(X > x); ln P(X = x).
type Finite = (NoiseLaw, Option<(i64, i64)>, Option<u128>, i64, [f64; 3], f64);

/// With Python's fractions, from the definitions; logarithms with 60 digits.
#[rustfmt::skip]
const FINITE: &[Finite] = &[
    (NoiseLaw::Ternary, None, None, -2, [0.0, 0.0, 1.0], f64::NEG_INFINITY),
    (NoiseLaw::Ternary, None, None, -1, [0.3333333333333333, 0.3333333333333333, 0.6666666666666666], -1.0986122886681098),
    (NoiseLaw::Ternary, None, None, 0, [0.3333333333333333, 0.6666666666666666, 0.3333333333333333], -1.0986122886681098),
    (NoiseLaw::Ternary, None, None, 1, [0.3333333333333333, 1.0, 0.0], -1.0986122886681098),
    (NoiseLaw::CenteredBinomial { eta: 21 }, None, None, 0, [0.12238567124768451, 0.5611928356238423, 0.43880716437615774], -2.1005779807264475),
    (NoiseLaw::CenteredBinomial { eta: 21 }, None, None, -3, [0.08042141440682826, 0.22039953367129783, 0.7796004663287022], -2.5204747899180044),
    (NoiseLaw::CenteredBinomial { eta: 21 }, None, None, 21, [2.2737367544323206e-13, 1.0, 0.0], -29.112181583517703),
    (NoiseLaw::CenteredBinomial { eta: 21 }, None, None, 22, [0.0, 1.0, 0.0], f64::NEG_INFINITY),
    (NoiseLaw::CenteredBinomial { eta: 32 }, None, None, 0, [0.09934675374796689, 0.5496733768739834, 0.45032662312601657], -2.3091389854253754),
    (NoiseLaw::CenteredBinomial { eta: 32 }, None, None, 5, [0.04589628256847508, 0.9156785442801483, 0.08432145571985168], -3.0813711549890592),
    (NoiseLaw::CenteredBinomial { eta: 32 }, None, None, -31, [3.469446951953614e-18, 3.5236570605778894e-18, 1.0], -40.20253647247683),
    (NoiseLaw::CenteredBinomial { eta: 32 }, None, None, 32, [5.421010862427522e-20, 1.0, 0.0], -44.3614195558365),
    (NoiseLaw::CenteredBinomial { eta: 21 }, Some((-5, 5)), None, -5, [0.041532639932074976, 0.041532639932074976, 0.958467360067925], -3.1812756564906324),
    (NoiseLaw::CenteredBinomial { eta: 21 }, Some((-5, 5)), None, 2, [0.11143948794983999, 0.8067239239762263, 0.19327607602377375], -2.1942735443718253),
    (NoiseLaw::CenteredBinomial { eta: 21 }, None, Some(7), 3, [0.13963271520992748, 1.0, 0.0], -1.9687397664681383),
    (NoiseLaw::CenteredBinomial { eta: 21 }, None, Some(7), -3, [0.13963271520992748, 0.13963271520992748, 0.8603672847900725], -1.9687397664681383),
    (NoiseLaw::CenteredBinomial { eta: 33 }, None, None, 0, [0.09784149990330074, 0.5489207499516504, 0.45107925004834964], -2.3244064575561643),
    (NoiseLaw::CenteredBinomial { eta: 33 }, None, None, -1, [0.09496380872967423, 0.45107925004834964, 0.5489207499516504], -2.354259420705845),
    (NoiseLaw::CenteredBinomial { eta: 33 }, None, None, 17, [1.1593111409603557e-05, 0.9999949519363245, 5.0480636755567535e-06], -11.365099480246833),
    (NoiseLaw::CenteredBinomial { eta: 33 }, None, None, -33, [1.3552527156068805e-20, 1.3552527156068805e-20, 1.0], -45.74771391695639),
    (NoiseLaw::CenteredBinomial { eta: 33 }, None, None, 33, [1.3552527156068805e-20, 1.0, 0.0], -45.74771391695639),
    // P(X > 10), P(X = 33) and P(X > 117) lie halfway between two doubles.
    (NoiseLaw::CenteredBinomial { eta: 34 }, None, None, 10, [0.0050946362600058056, 0.9948311694031523, 0.00516883059684773], -5.279567006415161),
    (NoiseLaw::CenteredBinomial { eta: 47 }, None, None, 33, [8.79873311621468e-13, 0.9999999999998198, 1.801887123626991e-13], -27.758998461868767),
    (NoiseLaw::CenteredBinomial { eta: 127 }, None, None, 117, [8.892743173067185e-60, 1.0, 3.766910058189199e-61], -135.96987000931534),
    (NoiseLaw::CenteredBinomial { eta: 64 }, None, None, 0, [0.07038609217001514, 0.5351930460850076, 0.46480695391499244], -2.653759589737776),
    (NoiseLaw::CenteredBinomial { eta: 64 }, None, None, 5, [0.04775183375090516, 0.8345320855288931, 0.16546791447110692], -3.0417378096324628),
    (NoiseLaw::CenteredBinomial { eta: 64 }, None, None, -40, [1.7734510841099112e-13, 2.289145482496758e-13, 0.9999999999997711], -29.360678795627727),
    (NoiseLaw::CenteredBinomial { eta: 64 }, None, None, 64, [2.938735877055719e-39, 1.0, 0.0], -88.722839111673),
    (NoiseLaw::CenteredBinomial { eta: 1000 }, None, None, 0, [0.01783901114585432, 0.5089195055729272, 0.49108049442707286], -4.02636758241056),
    (NoiseLaw::CenteredBinomial { eta: 1000 }, None, None, -31, [0.006825832337960221, 0.08627585917385772, 0.9137241408261423], -4.987040991067047),
    (NoiseLaw::CenteredBinomial { eta: 1000 }, None, None, 77, [4.733464715563173e-05, 0.9997373372971967, 0.0002626627028032406], -9.958268032607215),
    (NoiseLaw::CenteredBinomial { eta: 1000 }, None, None, -400, [6.595035945649577e-74, 1.151987277995756e-73, 1.0], -168.5049796449653),
    (NoiseLaw::CenteredBinomial { eta: 1000 }, None, None, 700, [3.147555422750201e-237, 1.0, 6.733097170427658e-238], -544.5660409443086),
    (NoiseLaw::CenteredBinomial { eta: 1 << 16 }, None, None, 0, [0.002203861357197468, 0.5011019306785988, 0.49889806932140124], -6.1175442947528955),
    (NoiseLaw::CenteredBinomial { eta: 1 << 16 }, None, None, 181, [0.0013368565155080173, 0.8419864032266249, 0.15801359677337512], -6.617434304865162),
    (NoiseLaw::CenteredBinomial { eta: 1 << 16 }, None, None, -1000, [5.201993028526594e-10, 1.6795073051406435e-08, 0.999999983204927], -21.376809103067416),
    (NoiseLaw::CenteredBinomial { eta: 1 << 16 }, None, None, 5000, [3.2595529224208515e-169, 1.0, 1.9704301949179281e-168], -387.95529067038143),
    (NoiseLaw::CenteredBinomial { eta: 64 }, Some((-5, 9)), None, 3, [0.07766720307728031, 0.7186082466895378, 0.2813917533104622], -2.555322207533972),
    (NoiseLaw::CenteredBinomial { eta: 1000 }, None, Some(7), -2, [0.14285714285714285, 0.2857142857142857, 0.7142857142857143], -1.9459101490553132),
    (NoiseLaw::CenteredBinomial { eta: 1 << 16 }, Some((-400, -200)), None, -300, [0.004584868756239886, 0.2919567253723256, 0.7080432746276744], -5.384993798276664),
    (NoiseLaw::TUniform { bound_log2: 3 }, None, None, -8, [0.03125, 0.03125, 0.96875], -3.4657359027997265),
    (NoiseLaw::TUniform { bound_log2: 3 }, None, None, -7, [0.0625, 0.09375, 0.90625], -2.772588722239781),
    (NoiseLaw::TUniform { bound_log2: 3 }, None, None, 0, [0.0625, 0.53125, 0.46875], -2.772588722239781),
    (NoiseLaw::TUniform { bound_log2: 3 }, None, None, 8, [0.03125, 1.0, 0.0], -3.4657359027997265),
    (NoiseLaw::TUniform { bound_log2: 10 }, None, Some(769), 100, [0.00146484375, 0.647216796875, 0.352783203125], -6.5260066974912885),
    (NoiseLaw::TUniform { bound_log2: 10 }, Some((-2000, -10)), None, -10, [0.0009857072449482504, 1.0, 0.0], -6.922151159265869),
];

#[test]
fn finite_laws() {
    for (noise, range, q, x, [pmf, cdf, sf], logpmf) in FINITE {
        let law = TargetLaw::finite(noise).unwrap();
        let law = range.map_or(law.clone(), |(low, high)| law.within(low..=high).unwrap());
        let law = q.map_or(law.clone(), |q| law.modulo(q).unwrap());
        assert_eq!((law.pmf(*x), law.cdf(*x), law.sf(*x)), (*pmf, *cdf, *sf), "{law} at {x}");
        assert_eq!(law.logpmf(*x), *logpmf, "{law} at {x}");
    }
    let law = |noise| TargetLaw::finite(&noise).unwrap();
    let widest = law(NoiseLaw::TUniform { bound_log2: 62 });
    assert_eq!((widest.pmf(0), widest.pmf(1 << 62)), (0.5_f64.powi(63), 0.5_f64.powi(64)));
    let tails = law(NoiseLaw::TUniform { bound_log2: 20 }).tail_range(-10.0);
    assert_eq!(tails, Some(-(1 << 20) + (1 << 11)..=(1 << 20) - (1 << 11)));
    assert_eq!(widest.mean_and_variance(), Some((0.0, 2.0_f64.powi(125) / 6.0)));
    let binomial = law(NoiseLaw::CenteredBinomial { eta: 21 });
    assert_eq!((binomial.support(), binomial.mean_and_variance()), (-21..=21, Some((0.0, 10.5))));
    assert!(!binomial.is_cut() && binomial.within(-5..=5).unwrap().is_cut() && binomial.parameters().is_none());
    assert_eq!(binomial.clipped("5.5".parse().unwrap()).unwrap().support(), -5..=5);
    assert_eq!(binomial.moved(1), None);
    assert_eq!(binomial.within(22..=30).unwrap_err().argument, "range");
    assert_eq!(law(NoiseLaw::TUniform { bound_log2: 40 }).modulo(12289).unwrap_err().argument, "modulus");
    assert!(binomial == law(NoiseLaw::CenteredBinomial { eta: 21 }) && binomial != widest);
    for (noise, wanted) in [
        (NoiseLaw::CenteredBinomial { eta: (1 << 20) + 1 }, "eta = 1048577: expected a number between 1 and 1048576"),
        (NoiseLaw::TUniform { bound_log2: 63 }, "bound_log2 = 63: expected a number between 0 and 62"),
    ] {
        assert_eq!(TargetLaw::finite(&noise).unwrap_err().to_string(), wanted);
    }
    let gaussian = parameters("3.2", "0");
    assert_eq!(law(NoiseLaw::Gaussian(gaussian)), TargetLaw::from(&gaussian));
}

/// -ln P(X = x) of a probability that is nearly 1, against 2·atanh(e^(-1/λ)) of mpmath.
#[test]
fn logarithms_of_probabilities_near_one() {
    for (scale, log) in
        [("1/100", -7.440151952041672e-44), ("1/400", -3.8303391934280114e-174), ("1/700", -1.971935308751954e-304)]
    {
        let law = TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale: scale.parse().unwrap() }).unwrap();
        assert_eq!((law.logpmf(0), law.pmf(0)), (log, 1.0), "{scale}");
    }
    let least = TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale: "1/65536".parse().unwrap() }).unwrap();
    assert_eq!((least.logpmf(0), least.logpmf(1)), (0.0, -65536.0));
    let cut = law(false, "1/30", "0", Some((-1, 1)), None);
    assert_eq!(cut.logpmf(0), -7.387766136974512e-196);
}

/// A law that reaches beyond `i64` has that mass in its distribution function: 0.5·erfc(2^63/σ√2) of mpmath.
#[test]
fn distribution_functions_count_what_lies_beyond_i64() {
    let law = law(false, "4e18", "0", None, None);
    assert_eq!((law.cdf(0), law.sf(0)), (0.5, 0.5));
    assert_eq!((law.cdf(i64::MIN), law.sf(i64::MAX)), (0.010559703018549613, 0.010559703018549613));
}
