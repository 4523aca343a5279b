use super::*;
use samplez_core::params::{Rational, Width};
use samplez_core::profile::Timing;

fn law(width: Width, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), width).unwrap()
}

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

/// Every plan over a grid of laws and wishes: it builds with its own options, and what is built
/// honours memory, exactness, timing and setup; without wishes there is one wherever some method
/// takes the law.
#[test]
fn plans_build_and_honour_the_wishes() {
    let sizes = ["0.01", "0.5", "3", "54", "101", "1000", "2e4", "1099511627776"];
    let none = Options::default();
    let wishes = [
        none,
        Options { exact: true, ..none },
        Options { max_table_bytes: 0, ..none },
        Options { max_table_bytes: 300, ..none },
        Options { max_table_bytes: 2080, precision: 106, ..none },
        Options { max_table_bytes: 4096, exact: true, ..none },
        Options { max_table_bytes: 40_000, precision: 256, ..none },
        Options { max_setup: Some(Duration::from_millis(1)), ..none },
        Options { max_setup: Some(Duration::from_micros(1)), ..none },
        Options { constant_time: true, ..none },
        Options { isochronous: true, ..none },
    ];
    let mut taken = Vec::new();
    for form in [Width::Sigma, Width::SigmaSq, Width::KSigma2, Width::S] {
        for size in sizes {
            for center in ["0", "1/3", "-12345"] {
                let law = law(form(q(size)), center);
                for options in wishes {
                    match build_planned(&law, &options) {
                        Ok((plan, _)) => {
                            check(&law, &options, &plan);
                            taken.push(plan.method);
                        }
                        Err(error) => {
                            assert_eq!(error.refused.len(), Method::ALL.len(), "{error}");
                            assert!(options != none || narrow_irrational_or_huge(&law), "{error}");
                        }
                    }
                }
            }
        }
    }
    for method in [
        Method::CdtGuided,
        Method::Cdt,
        Method::Ziggurat,
        Method::Convolution,
        Method::ConvolutionCt,
        Method::Karney,
        Method::Cks,
        Method::Rejection,
        Method::Isochronous,
    ] {
        assert!(taken.contains(&method), "{method} is never planned");
    }
}

/// No table within the default limit, and no exact method either.
fn narrow_irrational_or_huge(law: &DiscreteGaussian) -> bool {
    law.width().rational_sigma().is_none() && law.width().value() > q("1.6e5") && !law.center().is_integer()
}

/// Random laws and wishes: what is planned honours them, the precision too.
#[test]
fn random_wishes_are_honoured() {
    let mut state = 1_u64;
    let mut draw = |m: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) % m
    };
    let mut planned = Vec::new();
    for _ in 0..600 {
        let size = Rational::new(1 + draw(3000) as i64, [1, 7, 16, 1000][draw(4) as usize]).unwrap();
        let form = [Width::Sigma, Width::SigmaSq, Width::KSigma2, Width::S][draw(4) as usize];
        let center = Rational::new(draw(2000) as i64 - 1000, [1, 1, 2, 7][draw(4) as usize]).unwrap();
        let law = DiscreteGaussian::new(center, form(size)).unwrap();
        let options = Options {
            precision: 1 + draw(256) as u32,
            max_table_bytes: [0, 400, 4095, 20_000, 1 << 30][draw(5) as usize],
            tail: [q("1/2"), q("14"), q("25")][draw(3) as usize],
            exact: draw(6) == 0,
            frugal: draw(2) == 0,
            constant_time: draw(8) == 0,
            isochronous: draw(6) == 0,
            max_setup: [None, Some(Duration::from_micros(100))][draw(2) as usize],
            ..Options::default()
        };
        let Ok((plan, _)) = build_planned(&law, &options) else { continue };
        check(&law, &options, &plan);
        planned.push(plan.method);
        // At most 2^-precision for each of the values within 15σ, and for some beyond.
        let lost = (30.0 * samplez_tables::Law::new(&law).sigma() + 8.0).log2() - f64::from(options.precision);
        if let samplez_core::profile::Exactness::Within(bound) = plan.profile.exactness {
            assert!(
                bound.log2_sd <= lost.min(0.0) || options.isochronous && plan.method == Method::Isochronous,
                "{law}: {plan:?}"
            );
        }
    }
    assert!(planned.len() > 300 && planned.contains(&Method::Rejection), "{}", planned.len());
}

fn check(law: &DiscreteGaussian, options: &Options, plan: &Plan) {
    let profile = &plan.profile;
    assert!(profile.table_bytes as u64 <= options.max_table_bytes, "{law}: {plan:?}");
    assert!(profile.exactness.is_exact() || !options.exact, "{law}: {plan:?}");
    assert!(profile.timing == Timing::Constant || !options.constant_time, "{law}: {plan:?}");
    assert!(profile.timing != Timing::Variable || !options.isochronous, "{law}: {plan:?}");
    assert!(options.max_setup.is_none_or(|most| plan.setup <= most), "{law}: {plan:?}");
    assert_eq!((profile.timing, profile.exactness.is_exact()), (plan.method.timing(), plan.method.is_exact()));
    assert_eq!(plan.refused.len(), Method::ALL.len() - 1);
    assert_eq!(profile.target, *law);
    let again = crate::build(law, Some(plan.method), &plan.options).unwrap();
    assert_eq!(again.profile(), *profile);
}

/// A narrow budget buys fewer rectangles, down to what cannot be built.
#[test]
fn rectangles_follow_the_memory() {
    let law = law(Width::Sigma(q("32")), "0");
    let mut last = 0;
    for bytes in [100, 200, 500, 1000, 2080, 5000] {
        let plan = plan(&law, &Options { max_table_bytes: bytes, ..Options::default() }).unwrap();
        let rectangles = plan.options.rectangles.unwrap();
        assert!(plan.method == Method::Ziggurat && rectangles > last, "{plan:?}");
        // Not one more would fit.
        let more = Options { rectangles: Some(rectangles + 1), ..plan.options };
        assert!(crate::build(&law, Some(Method::Ziggurat), &more).is_err());
        last = rectangles;
    }
    let given = Options { rectangles: Some(10), max_table_bytes: 2080, ..Options::default() };
    assert_eq!(plan(&law, &given).unwrap().options.rectangles, Some(10));
}

/// The tail is not what spoils a precision that was asked for.
#[test]
fn tails_follow_the_precision() {
    let law = law(Width::Sigma(q("5000")), "0");
    for precision in [64, 128, 200, 256] {
        let options = Options { precision, max_table_bytes: 20_000, ..Options::default() };
        let plan = plan(&law, &options).unwrap();
        let samplez_core::profile::Exactness::Within(bound) = plan.profile.exactness else { panic!("{plan:?}") };
        assert!(plan.method == Method::Ziggurat && bound.log2_sd < -f64::from(precision) + 4.0, "{plan:?}");
    }
}

#[test]
fn time_to_set_up_decides() {
    let law = law(Width::Sigma(q("1.6e5")), "0");
    let limit = |most| Options { max_setup: Some(Duration::from_secs_f64(most)), ..Options::default() };
    assert_eq!(plan(&law, &limit(3.0)).unwrap().method, Method::Ziggurat);
    assert_eq!(plan(&law, &limit(0.01)).unwrap().method, Method::Convolution);
    assert_eq!(plan(&law, &limit(1e-4)).unwrap().method, Method::DuWei4);
    let error = plan(&law, &limit(1e-6)).unwrap_err().to_string();
    assert!(error.contains("set up within 1µs") && error.contains("karney: takes about 0.0 ms"), "{error}");
}

#[test]
fn errors_say_why() {
    let irrational = law(Width::S(Rational::from(1 << 40)), "1/3");
    let error = plan(&irrational, &Options { exact: true, ..Options::default() }).unwrap_err().to_string();
    for words in [", exact: karney: s = 1099511627776", "cks: center = 1/3"] {
        assert!(error.contains(words) && !error.contains("cdt"), "{error}");
    }
    let error = plan(&irrational, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("convolution: center = 1/3") && error.contains("cdt: takes about"), "{error}");
}

/// A wish for constant time is granted by who declares it, and by nobody else.
#[test]
fn constant_time_is_as_declared() {
    let law = law(Width::Sigma(q("3.2")), "0");
    let options = Options { constant_time: true, ..Options::default() };
    assert_eq!(plan(&law, &options).unwrap().method, Method::CdtCt);
    for (sigma, method) in [("54", Method::CdtCt), ("215", Method::ConvolutionCt), ("1e15", Method::ConvolutionCt)] {
        assert_eq!(plan(&self::law(Width::Sigma(q(sigma)), "7"), &options).unwrap().method, method, "{sigma}");
    }
    let error = plan(&self::law(Width::Sigma(q("1e5")), "1/3"), &options).unwrap_err().to_string();
    for words in ["constant-time: cdt-ct: thresholds = ", "convolution-ct: center = 1/3"] {
        assert!(error.contains(words) && !error.contains("karney"), "{error}");
    }
    for method in Method::ALL {
        let built = crate::build(&law, Some(method), &options);
        assert!(built.is_err() || method.timing() == Timing::Constant, "{method}");
    }
}

/// A wish for isochrony is granted by constant time too; the faster one is taken.
#[test]
fn isochrony_is_as_declared() {
    let options = Options { isochronous: true, ..Options::default() };
    for (sigma, method) in [("3.2", Method::CdtCt), ("215", Method::Isochronous), ("1e5", Method::Isochronous)] {
        assert_eq!(plan(&law(Width::Sigma(q(sigma)), "0"), &options).unwrap().method, method, "{sigma}");
    }
    assert_eq!(plan(&law(Width::S(q("1e6")), "0"), &options).unwrap().method, Method::ConvolutionCt);
    let error = plan(&law(Width::S(q("1e6")), "1/3"), &options).unwrap_err().to_string();
    assert!(error.contains("constant-time or isochronous: cdt-ct: ") && error.contains("isochronous: s = "), "{error}");
    let middle = law(Width::Sigma(q("215")), "0");
    for method in Method::ALL {
        let built = crate::build(&middle, Some(method), &options);
        assert!(built.is_err() == (method.timing() == Timing::Variable), "{method}");
    }
}

/// Whatever is allowed, the guided sampler takes no more, and its own memory counts.
#[test]
fn the_guide_leaves_room_for_the_samplers_own_memory() {
    let law = law(Width::Sigma(q("3.2")), "0");
    let build = |max_table_bytes| {
        let options = Options { max_table_bytes, ..Options::default() };
        crate::build(&law, Some(Method::CdtGuided), &options).map(|sampler| sampler.profile().table_bytes as u64)
    };
    // Thresholds, the sampler's own, and a guide of 2^1 to 2^11 cells.
    let (least, most) = (672 + 1304 + 8, 672 + 1304 + 8192);
    assert_eq!(build(1 << 20).unwrap(), most);
    assert_eq!(build(most - 1).unwrap(), most - 4096);
    assert_eq!(build(least).unwrap(), least);
    assert!(build(least - 1).is_err());
    let error = build(700).unwrap_err().to_string();
    assert_eq!(error, "a table with its guide takes 1.94 KiB, more than the 700 bytes allowed (max_bytes)");
}
