//! The planner: what it chooses over a grid of laws and demands, and that this is honoured.

use samplez::{Built, Exactness, Method, NoMethod, Options, Rational, Recipe, Refused, Timing, Width};
use std::time::Duration;

fn build(text: &str) -> Result<Built, Refused> {
    text.parse::<Recipe>()?.build()
}

/// The reasons behind a refusal of the planner's.
fn none_of(refused: &Refused) -> &NoMethod {
    refused.cause().unwrap().downcast_ref().unwrap()
}

/// The choices of `plans.tsv`, which only a new method or a new order may change: method, rectangles and bytes.
#[test]
fn choices_stay() {
    let mut taken = Vec::new();
    for line in include_str!("plans.tsv").lines() {
        let (recipe, choice) = line.split_once('\t').unwrap();
        let found = match build(recipe) {
            Ok(built) => {
                check(recipe, &built);
                taken.push(built.method().unwrap());
                let rectangles = built.options().rectangles.map_or(String::new(), |m| format!(" {m}"));
                format!("{}{rectangles}\t{}", built.method().unwrap(), built.profile().table_bytes)
            }
            Err(refused) => {
                assert_eq!(none_of(&refused).refused.len(), Method::ALL.len(), "{refused}");
                "none\t0".into()
            }
        };
        assert_eq!(found, choice, "{recipe}");
    }
    for method in [
        "cdt-guided",
        "cdt-ct",
        "cdt-lazy-ct",
        "ziggurat",
        "convolution",
        "convolution-ct",
        "knuth-yao-ct",
        "isochronous",
        "karney",
        "rejection",
    ] {
        assert!(taken.contains(&method.parse().unwrap()), "{method} is never planned");
    }
}

/// What is built honours what was asked, and its own recipe builds it again.
fn check(recipe: &str, built: &Built) {
    let asked = recipe.parse::<Recipe>().unwrap().options;
    let (profile, plan) = (built.profile(), built.plan().unwrap());
    assert!(profile.table_bytes as u64 <= asked.memory(), "{recipe}");
    assert!(profile.exactness.is_exact() || asked.exact != Some(true), "{recipe}");
    assert!(profile.timing == Timing::Constant || asked.constant_time != Some(true), "{recipe}");
    assert!(profile.timing != Timing::Variable || asked.variable_time == Some(true), "{recipe}");
    assert!(asked.setup_time.is_none_or(|most| plan.setup <= most), "{recipe}");
    let row = built.method().unwrap().row();
    let exact = row.exact || built.recipe().options.exact == Some(true);
    assert_eq!((profile.timing, profile.exactness.is_exact()), (row.timing, exact), "{recipe}");
    assert_eq!(plan.refused.len(), Method::ALL.len() - 1);
    assert_eq!(profile.target, built.recipe().law);
    let again = built.recipe().to_string().parse::<Recipe>().unwrap();
    assert_eq!((again, again.method), (*built.recipe(), built.method()));
    let again = again.build().unwrap();
    assert_eq!((again.profile(), again.options()), (profile, built.options()), "{recipe}");
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
    for _ in 0..400 {
        let size = Rational::new(1 + draw(3000) as i64, [1, 7, 16, 1000][draw(4) as usize]).unwrap();
        let center = Rational::new(draw(2000) as i64 - 1000, [1, 1, 2, 7][draw(4) as usize]).unwrap();
        let mut recipe: Recipe =
            format!("{}={size},center={center}", Recipe::WIDTHS[draw(4) as usize]).parse().unwrap();
        recipe.options = Options {
            precision: Some(1 + draw(256) as u32),
            memory: Some([0, 400, 4095, 20_000, 1 << 30][draw(5) as usize]),
            tail: [None, None, Some("1/2".parse().unwrap()), Some(25.into())][draw(4) as usize],
            exact: (draw(3) == 0).then_some(draw(2) == 0),
            frugal: (draw(6) == 0).then_some(draw(2) == 0),
            constant_time: (draw(8) == 0).then_some(true),
            variable_time: (draw(3) != 0).then_some(true),
            setup_time: [None, Some(Duration::from_micros(100))][draw(2) as usize],
            ..Options::default()
        };
        let Ok(built) = recipe.build() else { continue };
        check(&recipe.to_string(), &built);
        for (said, _) in recipe.options.said().filter(|(name, _)| ["tail", "frugal"].contains(name)) {
            assert!(built.method().unwrap().row().heeds.contains(&said), "{recipe}");
        }
        planned.push(built.method().unwrap());
        // At most 2^-precision for each of the values within 15σ, and for some beyond.
        let sigma = samplez::Law::new(&built.recipe().gaussian().unwrap()).sigma();
        let lost = (30.0 * sigma + 8.0).log2() - f64::from(recipe.options.precision());
        if let Exactness::Within(bound) = built.profile().exactness {
            assert!(bound.log2_sd <= lost.min(0.0), "{recipe}: {built:?}");
        }
    }
    assert!(planned.len() > 150 && planned.contains(&Method::Rejection), "{}", planned.len());
}

/// Every method's reason, behind a refusal of the planner.
fn reasons(refused: &Refused) -> String {
    let each = none_of(refused).refused.iter();
    each.map(|refusal| format!("{}: {}", refusal.method, refusal.why())).collect::<Vec<_>>().join("; ")
}

/// A narrow budget buys fewer rectangles, down to what cannot be built.
#[test]
fn rectangles_follow_the_memory() {
    let mut last = 0;
    for bytes in [100, 200, 500, 1000, 2080, 3000] {
        let built = build(&format!("sigma=32,memory={bytes},exact=false,variable_time=true")).unwrap();
        let rectangles = built.options().rectangles.unwrap();
        assert!(built.method().unwrap() == Method::Ziggurat && rectangles > last, "{built:?}");
        // Not one more would fit.
        let mut more = *built.recipe();
        more.options.rectangles = Some(rectangles + 1);
        assert!(more.build().is_err());
        last = rectangles;
    }
    let given = build("sigma=32,memory=2080,rectangles=10,variable_time=true").unwrap();
    assert_eq!((given.method().unwrap(), given.options().rectangles), (Method::Ziggurat, Some(10)));
}

/// The tail is not what spoils a precision that was asked for.
#[test]
fn tails_follow_the_precision() {
    for precision in [64, 128, 200, 256] {
        let recipe =
            format!("sigma=5000,precision={precision},memory=20000,pdf_table=false,variable_time=true,exact=false");
        let built = build(&recipe).unwrap();
        let bound = *built.certificate().bound().unwrap();
        assert!(
            built.method().unwrap() == Method::Ziggurat && bound.log2_sd < -f64::from(precision) + 4.0,
            "{built:?}"
        );
    }
}

#[test]
fn time_to_set_up_decides() {
    let any = "sigma=1.6e5,exact=false,variable_time=true";
    let method = |seconds: &str| build(&format!("{any},setup_time={seconds}")).map(|built| built.method().unwrap());
    assert_eq!(method("3"), Ok(Method::Ziggurat));
    assert_eq!(method("0.01"), Ok(Method::Convolution));
    assert_eq!(method("1e-4"), Ok(Method::DuWei4));
    let refused = method("1e-6").unwrap_err();
    assert!(
        refused
            .to_string()
            .ends_with(", with setup_time = 0.000001: leave setup_time out, and convolution is possible"),
        "{refused}"
    );
    assert!(reasons(&refused).contains("karney: takes about 0.0 ms"), "{}", reasons(&refused));
    let named = build("sigma=1.6e5,method=cdt,setup_time=1e-6").unwrap_err();
    assert_eq!(named.argument(), "setup_time");
    assert!(build("sigma=3.2,method=cdt,setup_time=1").is_ok());
}

#[test]
fn errors_say_why() {
    let refused = build("sigma=3.2,tail=20").unwrap_err();
    let allowed = ", constant-time or isochronous, with tail = 20: leave tail out, and knuth-yao-ct is possible; \
                   with variable_time ziggurat is possible";
    assert!(refused.to_string().ends_with(allowed), "{refused}");
    let refused = build("s=1152921504606846976,center=1/3,exact=true").unwrap_err();
    let allowed = ", exact, constant-time or isochronous: change the width or the centre";
    assert!(refused.to_string().contains(allowed), "{refused}");
    let refused = build("s=1152921504606846976,center=1/3,exact=true,variable_time=true").unwrap_err();
    for words in ["karney: s = 1152921504606846976", "cks: center = 1/3", "convolution: certified, not exact"] {
        assert!(reasons(&refused).contains(words), "{}", reasons(&refused));
    }
    let refused = build("s=1152921504606846976,center=1/3,variable_time=true").unwrap_err();
    assert!(reasons(&refused).contains("cdt: takes about"), "{}", reasons(&refused));
    let none = none_of(&refused);
    let convolution = none.refused.iter().find(|refusal| refusal.method == Method::Convolution).unwrap();
    assert!(convolution.respelled(|name| format!("--{name}")).starts_with("--center = 1/3"), "{convolution:?}");
    // One line, whatever was asked for.
    assert!(refused.to_string().len() < 200 && !refused.to_string().contains('\n'), "{refused}");
}

/// The default is exact, and its time is independent of the samples. Where no exact method is, the timing remains.
#[test]
fn the_default_is_exact_and_not_of_variable_time() {
    for (law, method) in [
        ("sigma=3.2", Method::KnuthYaoCt),
        ("s=8,center=1/3", Method::KnuthYaoCt),
        ("sigma_squared=10,center=1/3", Method::KnuthYaoCt),
        ("sigma=19.5", Method::CdtLazyCt),
        ("sigma=1/20,center=1/2", Method::KnuthYaoCt),
        ("sigma=1e-9,center=-7/2", Method::KnuthYaoCt),
        ("sigma=215", Method::Isochronous),
        ("sigma_squared=1e12", Method::Isochronous),
        ("k_sigma2=1e6", Method::Isochronous),
        ("s=1e6,center=1/3", Method::Isochronous),
        ("sigma=1e9", Method::Wide),
        ("s=1e12,center=1/3", Method::Wide),
        ("k_sigma2=1e17,center=-7/2", Method::Wide),
    ] {
        let built = build(law).unwrap();
        assert_eq!((built.method().unwrap(), built.profile().exactness.is_exact()), (method, true), "{law}");
        assert!(
            built.reason().contains(" of what is exact, constant-time or isochronous: about "),
            "{}",
            built.reason()
        );
        let said = built.recipe().to_string().ends_with("exact=true");
        assert_eq!(said, !built.method().unwrap().row().exact, "{}", built.recipe());
    }
    // In constant time an exact sampler would be slow.
    let wide = build("sigma=1e15,constant_time=true").unwrap();
    assert_eq!((wide.method().unwrap(), wide.profile().timing), (Method::ConvolutionCt, Timing::Constant));
    assert!(wide.reason().contains(" of what is constant-time: about "), "{}", wide.reason());
    // Only a number beyond 64 bits is refused.
    let refused = build("s=1e18").unwrap_err();
    assert!(refused.to_string().contains(": change the width or the centre"), "{refused}");
    assert_eq!(build("sigma=1e9,variable_time=true").unwrap().method().unwrap(), Method::Wide);
    assert_eq!(build("sigma=1e9,variable_time=true,exact=false").unwrap().method().unwrap(), Method::Convolution);
    // The planner honours each option.
    let method = |text: &str| build(text).map(|built| (built.method().unwrap(), built.profile().exactness.is_exact()));
    assert_eq!(method("sigma=3.2,variable_time=true"), Ok((Method::CdtGuided, true)));
    assert_eq!(method("sigma=3.2,variable_time=true,exact=false"), Ok((Method::CdtGuided, false)));
    assert_eq!(method("sigma=3.2,exact=false"), Ok((Method::KnuthYaoCt, false)));
    assert_eq!(method("sigma=3.2,variable_time=false,exact=true"), Ok((Method::KnuthYaoCt, true)));
    let both = build("sigma=3.2,variable_time=true,constant_time=true").unwrap_err();
    assert_eq!(both.to_string(), "variable_time = true: contradicts constant_time; remove one of them");
}

/// Constant time is the timing of methods that declare it.
#[test]
fn timing_is_as_declared() {
    let method = |text: &str| build(text).map(|built| built.method().unwrap());
    assert_eq!(method("sigma=3.2,constant_time=true"), Ok(Method::KnuthYaoCt));
    // Where there is no room for the parts, or no slots enough.
    assert_eq!(method("sigma=3.2,constant_time=true,memory=1000"), Ok(Method::CdtCt));
    assert_eq!(method("sigma=1000,center=1/3,constant_time=true"), Ok(Method::CdtCt));
    for (sigma, expected) in
        [("19.5", Method::CdtLazyCt), ("215", Method::ConvolutionCt), ("1e15", Method::ConvolutionCt)]
    {
        assert_eq!(method(&format!("sigma={sigma},center=7,constant_time=true,exact=false")), Ok(expected));
    }
    assert_eq!(method("sigma=215,center=7,constant_time=true"), Ok(Method::CdtLazyCt));
    // A scan of 13,000 thresholds is exact, and too slow to be preferred.
    assert_eq!(method("sigma=1000,center=7,constant_time=true"), Ok(Method::ConvolutionCt));
    assert_eq!(method("sigma=1000,center=7,constant_time=true,exact=true"), Ok(Method::CdtCt));
    let refused = method("sigma=1e5,center=1/3,constant_time=true").unwrap_err();
    let way = ", constant-time: leave constant_time out, and isochronous is possible";
    assert!(refused.to_string().ends_with(way), "{refused}");
    for words in
        ["cdt-ct: sigma = 100000: cdt-ct allows at most 32767 thresholds, not about ", "convolution-ct: center = 1/3"]
    {
        assert!(reasons(&refused).contains(words), "{}", reasons(&refused));
    }
    // 2^-53 is no 72 bits, if the law need not be exact.
    assert_eq!(method("sigma=215,exact=false,precision=72"), Ok(Method::ConvolutionCt));
    assert_eq!(method("sigma=215,precision=72"), Ok(Method::Isochronous));
    let refused = method("s=1e6,center=1/3,exact=false,precision=72").unwrap_err();
    assert!(
        refused.to_string().contains(", constant-time or isochronous: leave exact out, and isochronous is possible"),
        "{refused}"
    );
    assert!(reasons(&refused).contains("isochronous: precision = 72"), "{}", reasons(&refused));
}

/// What was said is honoured under auto too: by those that heed it.
#[test]
fn options_admit_who_heeds_them() {
    for (said, heeding) in [("tail=20", "ziggurat"), ("chord=false", "ziggurat"), ("pdf_table=true", "ziggurat")] {
        assert_eq!(build(&format!("sigma=32,{said},variable_time=true")).unwrap().method().unwrap().name(), heeding);
    }
    assert_eq!(
        build("k_sigma2=254,frugal=true,variable_time=true,exact=false").unwrap().method().unwrap(),
        Method::Bernoulli
    );
    assert_eq!(build("sigma=215,frugal=true,variable_time=true").unwrap().method().unwrap(), Method::DuWei4);
    let refused = build("sigma=3.2,center=1/3,rectangles=64,variable_time=true").unwrap_err();
    assert!(
        refused.to_string().ends_with("with rectangles = 64: leave rectangles out, and cdt-guided is possible"),
        "{refused}"
    );
    assert!(refused.to_string().starts_with("no method for "), "{refused}");
    assert!(reasons(&refused).contains("ziggurat: center = 1/3"), "{}", reasons(&refused));
    let tailed = build("sigma=32,tail=20,variable_time=true").unwrap();
    let reason = "the first in the order that all machines share of what is exact, with tail = 20: about ";
    assert!(tailed.reason().starts_with(reason), "{}", tailed.reason());
    assert!(
        tailed.reason().contains(" million samples a second with default options, here from "),
        "{}",
        tailed.reason()
    );
    let plan = build("sigma=32,tail=20,variable_time=true").unwrap();
    let refused = &plan.plan().unwrap().refused;
    assert!(refused.iter().any(|r| r.method == Method::Karney && r.why() == "has no option tail"), "{refused:?}");
    assert!(matches!(plan.recipe().gaussian().unwrap().width(), Width::Sigma(_)));
}

/// The speed in a plan is the measured one, whatever the options are, and the text states for which options it was measured.
#[test]
fn speeds_are_those_of_default_options() {
    let plans = ["", ",precision=192", ",precision=128,memory=1073741824"]
        .map(|more| build(&format!("sigma=215,variable_time=true{more}")).unwrap());
    let [default, precise, same] = plans.each_ref().map(|built| built.plan().unwrap());
    assert_eq!(plans.each_ref().map(Built::method), [Some(Method::CdtGuided); 3]);
    assert_eq!(default.million_per_second.to_bits(), precise.million_per_second.to_bits());
    assert_eq!(default.reason, same.reason);
    let karney = |plan: &samplez::Plan| plan.refused.iter().find(|other| other.method == Method::Karney).unwrap().why();
    for (plan, with) in [(default, ""), (precise, " with default options")] {
        assert_eq!(plan.reason.contains(" with default options"), !with.is_empty(), "{}", plan.reason);
        let why = karney(plan);
        assert!(
            why.starts_with("slower: about ") && why.ends_with(&format!(" million samples a second{with}")),
            "{why}"
        );
    }
}

/// A method that precedes the chosen one takes too long to set up, and its reason is that.
#[test]
fn a_slow_setup_is_a_reason() {
    let built = build("sigma=1.6e5,exact=false,variable_time=true").unwrap();
    let reason = |method| built.plan().unwrap().refused.iter().find(|other| other.method == method).unwrap().why();
    assert_eq!(built.method().unwrap(), Method::Convolution);
    let why = reason(Method::Ziggurat);
    assert!(why.starts_with("about ") && why.contains(" million samples a second, but takes about "), "{why}");
    assert!(why.ends_with(" to set up"), "{why}");
    let later = reason(Method::Karney);
    assert!(later.starts_with("slower: ") || later.starts_with("not the first in the order that"), "{later}");
}
