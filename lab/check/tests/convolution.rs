//! `Convolution`: its exact law by walking its bits, its bound against the law summed directly,
//! and statistics at full width.

use crate::common::convolution::{base, convolved, guided, table, weights};
use crate::common::{law, verify};
use samplez_check::tape::{Budget, enumerate};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::Convolution;
use samplez_core::table::{GuidedTable, Table};
use samplez_core::testing::Counted;
use samplez_core::{DiscreteGaussian, Int, Rational, Sampler, Width};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{ConvolutionOptions, Law, build_convolution, certify_convolution, guide};

/// One level and two, for tables whose every draw can be walked: the law is the convolution of
/// the table's weights, as integers.
#[test]
fn the_exact_law_is_the_convolution_of_the_table() {
    for (precision, head_bits, legs, center) in [
        (8, 8, &[(3, 4)][..], "0"),
        (9, 4, &[(5, 12)], "-17"),
        (7, 2, &[(15, 8)], "3"),
        (4, 4, &[(3, 4), (5, 12)], "1"),
        (4, 2, &[(4, 3), (21, 20)], "0"),
        (8, 8, &[(1, 2)], "0"),
        (4, 4, &[(1, 1), (2, 5)], "1"),
    ] {
        let base = base("1.3", precision).with_head_bits(head_bits);
        let thresholds: Vec<u128> = base.digits().iter().map(|d| u128::from(d >> (32 - precision))).collect();
        // One cell for each first draw: a direct guide draws too many bits to walk.
        let guide = GuidedTable::with_guide_in(base.clone(), vec![0; 1 << head_bits]).unwrap().guide().to_vec();
        let sampler = Convolution::from_table(table("1.3", center, base, legs), guide).unwrap();
        let walked = enumerate(Budget::depth(21), |bits| Some(sampler.sample(bits))).unwrap();
        // A lazily drawn tail can be longer than the walk: what it leaves is counted.
        let mut law = weights(&thresholds, precision);
        for (z1, z2) in legs {
            law = convolved(&law, *z1, *z2);
        }
        let total: u128 = law.values().sum();
        let center: i64 = center.parse().unwrap();
        assert!(walked.undecided() < 0.2, "{}", walked.undecided());
        for (x, weight) in &law {
            let p = *weight as f64 / total as f64;
            assert!(walked.bracket(center + x).contains(&p), "{legs:?}: {x}");
        }
        assert!(walked.values().all(|x| law.contains_key(&(x - center)) && sampler.profile().support.contains(&x)));
        if walked.undecided() == 0.0 {
            let unit = (1_u128 << walked.log2_denominator()) / total;
            assert!(law.iter().all(|(x, weight)| walked.numerator(center + x) == weight * unit));
        }
    }
}

/// The law of small convolutions, summed directly, against its certificate: within it, and, where
/// the smoothing dominates, not far within.
#[test]
fn the_bound_holds_and_is_close() {
    for (s, legs, precision, near) in [
        ("1", &[(3, 4)][..], 30, 0.0),
        ("2", &[(3, 4)], 30, 1.5),
        ("3", &[(3, 4)], 30, 1.5),
        ("4", &[(5, 12)], 30, 0.0),
        ("6", &[(5, 12)], 30, 1.5),
        ("2", &[(3, 4), (3, 4)], 30, 4.0),
        ("2.2", &[(4, 3), (5, 12)], 30, 4.0),
        ("4", &[(3, 4)], 12, 0.0),
        ("1", &[(1, 1)], 30, 1.5),
        ("2", &[(2, 3)], 30, 1.5),
        ("3", &[(1, 4), (4, 9)], 30, 4.0),
    ] {
        let base = base(s, precision);
        let mut q =
            weights(&base.digits().iter().map(|d| u128::from(d >> (32 - precision))).collect::<Vec<_>>(), precision);
        let (mut variance, mut square) = (base.target().width(), 0.0);
        for (z1, z2) in legs {
            square = distance(&q, variance);
            variance = wider(variance, z1 * z1 + z2 * z2);
            q = convolved(&q, *z1, *z2);
        }
        let table = table(s, "0", base, legs);
        let bound = certify_convolution(&table);
        // R_2 - 1 of the pairs that the last level takes. The bound may not trust their sum to be nearer.
        let pairs = square * (2.0 + square);
        assert!(pairs.log2() <= bound.renyi(2).unwrap(), "{s} {legs:?}: pairs {}", pairs.log2());
        let (ideal, total) = (Law::new(table.target()), q.values().sum::<u128>() as f64);
        let r2 = distance(&q, table.target().width());
        let (mut sd, mut rinf, mut covered) = (0.0, 0.0_f64, 0.0);
        // E[(Q/P)^a] - 1 for the other orders.
        let mut moments = [(256, 0.0), (513, 0.0)];
        for (x, weight) in &q {
            let (q, p) = (*weight as f64 / total, ideal.pmf(*x));
            sd += (q - p).max(0.0);
            rinf = rinf.max(q / p - 1.0);
            covered += p;
            // Less a·(q - p), whose sum over all x is 0: what is left is never negative.
            moments.iter_mut().for_each(|(a, sum)| *sum += p * power_beyond_tangent(q / p - 1.0, f64::from(*a)));
        }
        for (order, sum) in moments {
            let moment = sum + f64::from(order - 1) * (1.0 - covered).max(0.0);
            let renyi = (moment.ln_1p() / f64::from(order - 1)).exp_m1();
            assert!(renyi.log2() <= bound.renyi(order as u32).unwrap(), "{s} {legs:?}: R_{order} {}", renyi.log2());
        }
        assert!(sd.log2() <= bound.log2_sd, "{s} {legs:?}: {} {}", sd.log2(), bound.log2_sd);
        assert!(rinf.log2() <= bound.log2_rinf + 1e-9, "{s} {legs:?}: {} {}", rinf.log2(), bound.log2_rinf);
        assert!(r2.log2() <= bound.renyi(2).unwrap(), "{s} {legs:?}: {}", r2.log2());
        assert!((1.0 - covered) <= bound.log2_tail.exp2() + 1e-12, "{s} {legs:?}: {}", 1.0 - covered);
        if near > 0.0 {
            assert!(bound.log2_rinf < rinf.log2() + near, "{s} {legs:?}: {} {}", rinf.log2(), bound.log2_rinf);
            let r2_near = r2.log2() + 2.0 * near + 2.0;
            assert!(bound.renyi(2).unwrap() < r2_near, "{s} {legs:?}: {} {:?}", r2.log2(), bound.renyi(2));
        }
    }
}

/// The law's σ² times a norm.
fn wider(width: Width, norm: u64) -> Width {
    let (Width::Sigma(q) | Width::SigmaSq(q)) = width else { panic!("{width:?}") };
    let square = if matches!(width, Width::Sigma(_)) { q.to_f64() * q.to_f64() } else { q.to_f64() };
    Width::SigmaSq(Rational::try_from(square * norm as f64).unwrap())
}

/// R_2 - 1 of these weights from the law of this width around 0.
fn distance(q: &std::collections::BTreeMap<i64, u128>, width: Width) -> f64 {
    let (ideal, total) = (Law::new(&DiscreteGaussian::new(0.into(), width).unwrap()), q.values().sum::<u128>() as f64);
    let (mut sum, mut covered) = (0.0, 0.0);
    for (x, weight) in q {
        let (q, p) = (*weight as f64 / total, ideal.pmf(*x));
        sum += (q - p) * (q - p) / p;
        covered += p;
    }
    sum + f64::max(1.0 - covered, 0.0)
}

/// (1 + w)^a - 1 - a·w, without cancellation where w is small.
fn power_beyond_tangent(w: f64, a: f64) -> f64 {
    if w.abs() * a > 1e-3 {
        return (a * w.ln_1p()).exp() - 1.0 - a * w;
    }
    let terms = (2..8).scan(a * w, |term, k| {
        *term *= (a - f64::from(k) + 1.0) / f64::from(k) * w;
        Some(*term)
    });
    terms.sum()
}

/// The declared tail against the mass of the values that do not come out, added up one by one: not below it, and above it by no more than
/// what the proof gives away. That is (σ²/G)·exp((x0² - G²)/2σ²): the tail is at least twice the mass of the least value x0 that does not
/// come out, and is bounded by an integral from G on, up to which all values do.
#[test]
fn the_tail_is_the_mass_of_what_does_not_come_out() {
    let mut closest = f64::INFINITY;
    for (s, legs, precision) in [
        ("2", &[(3, 4)][..], 30),
        ("3", &[(3, 4)], 30),
        ("4", &[(3, 4)], 12),
        ("6", &[(5, 12)], 30),
        ("1", &[(1, 1)], 30),
        ("3", &[(1, 2)], 20),
        ("2", &[(2, 3)], 30),
        ("2", &[(3, 4), (3, 4)], 30),
        ("2.2", &[(4, 3), (5, 12)], 30),
        ("3", &[(1, 4), (4, 9)], 30),
    ] {
        let base = base(s, precision);
        let digits = base.digits().iter().map(|d| u128::from(d >> (32 - precision))).collect::<Vec<_>>();
        let mut q = weights(&digits, precision);
        let reach = |q: &std::collections::BTreeMap<i64, u128>| (0..).find(|x| !q.contains_key(&(x + 1))).unwrap();
        let mut from = reach(&q);
        for (z1, z2) in legs {
            q = convolved(&q, *z1, *z2);
            let (z1, z2) = (*z1 as i64, *z2 as i64);
            assert!(z1.max(z2) - 1 <= 2 * from, "the proof's condition");
            from = (z1 + z2) * from - (z1 - 1) * (z2 - 1);
            assert!(reach(&q) >= from, "{s} {legs:?}: a value to {from} does not come out");
        }
        let table = table(s, "0", base, legs);
        let (declared, ideal) = (certify_convolution(&table).log2_tail, Law::new(table.target()));
        let (sigma, least) = (ideal.sigma(), reach(&q) + 1);
        // Beyond 30σ there is nothing that a double could hold.
        let tail: f64 = (least..(30.0 * sigma) as i64).filter(|x| !q.contains_key(x)).map(|x| 2.0 * ideal.pmf(x)).sum();
        let (g, x0) = (from as f64, least as f64);
        let given_away =
            (sigma * sigma / g).log2() + (x0 * x0 - g * g) / (2.0 * sigma * sigma) * std::f64::consts::LOG2_E;
        assert!(tail.log2() <= declared, "{s} {legs:?}: {} {declared}", tail.log2());
        assert!(declared <= tail.log2() + given_away + 1e-6, "{s} {legs:?}: {} {declared} {given_away}", tail.log2());
        closest = closest.min(declared - tail.log2());
    }
    assert!(closest < 1.0, "{closest}");
}

fn reader(seed: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([seed; 32])))
}

/// Single samples, and fills cut into pieces: the same integers from the same bits.
fn agrees<T: Int + PartialEq + core::fmt::Debug>(sampler: &impl Sampler, count: usize) {
    let mut single = reader(3);
    let want: Vec<T> = (0..count).map(|_| T::narrow(sampler.sample(&mut single)).unwrap()).collect();
    let rest = single.bits(64);
    for pieces in [count, 2048, 700, 1] {
        let (mut filled, mut source) = (vec![T::ZERO; count], reader(3));
        filled.chunks_mut(pieces).for_each(|part| sampler.fill(&mut source, part).unwrap());
        assert!(filled == want, "{pieces} at a time");
        assert_eq!(source.bits(64), rest, "the bits used");
    }
}

#[test]
fn fills_and_single_samples_are_one_stream() {
    let built = |sigma: &str, center: &str, precision: u32| {
        let options = ConvolutionOptions { precision, bound: precision.min(128), ..ConvolutionOptions::default() };
        guided(build_convolution(&law(sigma, center), &options).unwrap())
    };
    agrees::<i16>(&built("215", "0", 128), 20_001);
    agrees::<i32>(&built("1.6e5", "-1000", 72), 9_000);
    agrees::<i64>(&built("1073741824", "7", 128), 5_000);
    agrees::<i64>(&built("1125899906842624", "0", 256), 5_000);
    // Four levels: a narrower base than it would take.
    let options = ConvolutionOptions { precision: 128, bound: 128, ..ConvolutionOptions::constant_time() };
    let deep = build_convolution(&law("1e17", "0"), &options).unwrap();
    assert_eq!(deep.levels().len(), 4);
    agrees::<i64>(&guided(deep), 2_000);
    // A base whose samples are no i16.
    let wide = guided(table("4000", "0", base("4000", 64), &[(3, 4)]));
    agrees::<i32>(&wide, 3_000);
}

#[test]
fn a_sample_that_does_not_fit_is_an_error() {
    let sampler = guided(build_convolution(&law("215", "0"), &ConvolutionOptions::default()).unwrap());
    let mut wide = vec![0_i16; 1000];
    sampler.fill(&mut reader(5), &mut wide).unwrap();
    let first = wide.iter().position(|x| i8::try_from(*x).is_err()).unwrap();
    let mut narrow = vec![0_i8; 1000];
    let error = sampler.fill(&mut reader(5), &mut narrow).unwrap_err();
    assert_eq!(error.dtype, "i8");
    assert!(narrow[..first].iter().zip(&wide).all(|(x, y)| i16::from(*x) == *y));
}

#[test]
fn a_wrong_guide_is_refused() {
    let table = table("1.3", "0", base("1.3", 8), &[(3, 4)]);
    let mut wrong = guide(table.base(), 1 << 20).unwrap();
    wrong[0] ^= 1;
    assert!(Convolution::from_table(table, wrong).unwrap_err().to_string().contains("cell 0"));
}

#[test]
fn full_width_samples_are_consistent() {
    let q = |text: &str| text.parse().unwrap();
    for (width, center, precision) in [
        (Width::Sigma(q("100")), "0", 64),
        (Width::Sigma(q("1.6e5")), "0", 128),
        (Width::SigmaSq(q("1e12/7")), "-12345678901", 96),
        (Width::KSigma2(q("188388")), "3", 128),
        (Width::Sigma(q("1073741824")), "0", 128),
        (Width::S(q("1099511627776.5")), "0", 72),
        (Width::Sigma(q("1099511627776")), "-7", 128),
        (Width::Sigma(q("1125899906842624")), "0", 256),
    ] {
        let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
        let options = ConvolutionOptions { precision, bound: precision.min(128), ..ConvolutionOptions::default() };
        let table = build_convolution(&law, &options).unwrap_or_else(|e| panic!("{law}: {e}"));
        let bound = table.bound();
        assert!(bound.log2_rinf < 24.0 - f64::from(options.bound) && bound.log2_tail < -30.0, "{law}: {bound:?}");
        let sampler = guided(table);
        let (mut bits, mut samples) = (Counted::new(reader(29)), vec![0_i64; 4_000_000]);
        sampler.fill(&mut bits, &mut samples).unwrap();
        let report = verify(&law, &samples);
        assert!(report.consistent, "{law}: {report:?}");
        let (counted, declared) = (bits.count() as f64 / samples.len() as f64, sampler.profile().expected_bits);
        assert!((counted / declared - 1.0).abs() < 0.01, "{law}: {counted} bits, declared {declared}");
    }
}

#[test]
fn what_cannot_be_honoured_is_refused() {
    let build = |law: &DiscreteGaussian, change: &dyn Fn(&mut ConvolutionOptions)| {
        let mut options = ConvolutionOptions::default();
        change(&mut options);
        build_convolution(law, &options).map(drop).unwrap_err().to_string()
    };
    let wide = law("1e9", "0");
    assert!(build(&law("1e9", "1/2"), &|_| ()).contains("center = 0.5: method convolution allows an integer"));
    assert!(build(&law("50", "0"), &|_| ()).contains("sigma = 50: method convolution allows a wider sigma"));
    assert!(
        build(&law("4", "0"), &|o| o.any_legs = true).contains("sigma = 4: method convolution allows a wider sigma")
    );
    assert!(build(&wide, &|o| o.bound = 0).contains("bound = 0: expected a number between 1 and 256"));
    assert!(build(&wide, &|o| o.bound = 10_000).contains("between 1 and 256"));
    assert!(build(&wide, &|o| o.precision = 0).contains("precision = 0: expected a number between 1 and 256"));
    assert!(build(&wide, &|o| o.max_bytes = 100).contains("max_bytes"));
    assert!(build(&law("1e9/1000000007000000049", "0"), &|_| ()).contains("sigma"));
    assert!(build(&law("9223372036854775807/9223372036854775806", "0"), &|_| ()).contains("wider"));
    assert!(build(&law("9223372036854775807", "0"), &|_| ()).contains("i64"));
    assert!(
        build(&law("1e9", "9223372036854775807"), &|_| ())
            .contains("center = 9223372036854775807: the samples exceed 64-bit integers")
    );
}

/// Where legs may be any, the base is narrower; where its width could not be stated they are those of right triangles.
#[test]
fn any_legs_are_taken_where_the_base_can_be_stated() {
    let levels = |law: &DiscreteGaussian, any_legs| {
        let options = ConvolutionOptions { any_legs, base_sigma: 64, ..ConvolutionOptions::default() };
        let table = build_convolution(law, &options).unwrap();
        let bound = certify_convolution(&table);
        assert!(bound.log2_rinf < -100.0 && bound == table.bound(), "{law}: {bound:?}");
        (table.levels().to_vec(), Law::new(table.base().target()).sigma())
    };
    let q = |text: &str| text.parse().unwrap();
    let wide = |width| DiscreteGaussian::new(q("3"), width).unwrap();
    for (width, base) in [
        (Width::Sigma(q("5")), 3.536),
        (Width::Sigma(q("215")), 21.83),
        (Width::SigmaSq(q("46225")), 21.83),
        (Width::Sigma(q("1000")), 46.68),
        (Width::Sigma(q("1.6e5")), 35.8),
        (Width::Sigma(q("1073741824")), 26.6),
    ] {
        let (legs, sigma) = levels(&wide(width), true);
        assert!((sigma / base - 1.0).abs() < 0.01, "{width}: {legs:?}, {sigma}");
    }
    for width in [Width::KSigma2(q("254")), Width::S(q("1000")), Width::Sigma(q("1125899906842623"))] {
        assert_eq!(levels(&wide(width), true), levels(&wide(width), false), "{width}");
    }
}
