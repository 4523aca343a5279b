use super::*;
use crate::options::Kind;
use crate::recipe::Recipe;
use samplez_core::Width;

/// The estimates of memory against the tables that are built.
#[test]
fn memory_is_estimated_within_an_eighth() {
    for (sigma, center) in [("3.2", "0"), ("0.6", "0"), ("215", "1/3"), ("107", "5"), ("1000", "0")] {
        for precision in [32, 64, 72, 128, 256] {
            let law = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap();
            let options = Options { precision: Some(precision), ..Options::default() };
            for method in Method::ALL {
                let Ok(cost) = method.cost(&Ask::new(&law, &options)) else { continue };
                if matches!(method, Method::Convolution | Method::ConvolutionCt) {
                    continue; // a lower bound only
                }
                let Ok(made) = method.build(&law, &method.part_of(&cost.options)) else { continue };
                let bytes = made.profile.table_bytes as f64;
                // For a matrix the larger of it and the inversion table has to be allowed, for heights
                // those that are 0 too; a guide doubles where one entry more does.
                let closely = matches!(method, Method::Cdt | Method::Ziggurat);
                let least = if closely { 0.875 } else { 0.4 };
                assert!(
                    bytes >= least * cost.bytes - 100.0 && bytes <= 1.125 * cost.bytes + 100.0,
                    "{method} {law} {precision}: {}, built {bytes}",
                    cost.bytes
                );
            }
        }
    }
}

/// Every option that a row heeds is one that there is, and no demand.
#[test]
fn rows_heed_what_there_is() {
    for method in Method::ALL {
        for name in method.row().heeds {
            assert!(!Options::info(name).unwrap().demand, "{method}: {name}");
        }
        assert_eq!(method.name().parse(), Ok(method));
        assert!(!method.row().exact || !method.row().heeds.contains(&"precision"), "{method}");
    }
    for info in Options::INFO.iter().filter(|info| !info.demand) {
        assert!(Method::ALL.into_iter().any(|method| method.row().heeds.contains(&info.name)), "{}", info.name);
    }
}

/// Whatever is allowed, the guided sampler takes no more, and its own memory counts.
#[test]
fn the_guide_leaves_room_for_the_samplers_own_memory() {
    let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
    let build = |memory| {
        let options = Options { memory: Some(memory), ..Options::default() };
        Method::CdtGuided.build(&law, &options).map(|made| made.profile.table_bytes as u64)
    };
    // Thresholds, the sampler's own, and a guide of 2^1 to 2^11 cells.
    let (least, most) = (672 + 1304 + 8, 672 + 1304 + 8192);
    assert_eq!(build(1 << 20).unwrap(), most);
    assert_eq!(build(most - 1).unwrap(), most - 4096);
    assert_eq!(build(least).unwrap(), least);
    assert!(build(least - 1).is_err());
    let error = build(700).unwrap_err().to_string();
    assert_eq!(error, "memory = 700: a table with its guide takes 1.94 KiB, more than the 700 bytes allowed; raise it");
}

/// What is declared is granted, and nothing else.
#[test]
fn demands_are_honoured_or_refused() {
    let law = DiscreteGaussian::with_sigma("215".parse().unwrap()).unwrap();
    let wish = |name: &str| {
        let mut options = Options::default();
        options.set(name, "true").unwrap();
        options
    };
    for method in Method::ALL {
        let takes = method.build(&law, &Options::default()).is_ok();
        assert_eq!(
            method.build(&law, &wish("exact")).is_ok(),
            takes && (method.row().exact || method.row().exactly.is_some()),
            "{method}"
        );
        let constant = method.timing() == Timing::Constant;
        assert_eq!(method.build(&law, &wish("constant_time")).is_ok(), takes && constant, "{method}");
        // It concerns the planner alone.
        assert_eq!(method.build(&law, &wish("variable_time")).is_ok(), takes, "{method}");
        if let Ok(made) = method.build(&law, &Options::default())
            && made.profile.table_bytes > 0
        {
            assert_eq!(made.profile.exactness.is_exact(), method.row().exact);
            assert_eq!(made.profile.timing, method.timing());
            let none = Options { memory: Some(0), ..Options::default() };
            assert!(method.build(&law, &none).is_err(), "{method}");
        }
    }
}

/// An option is refused by every method that does not heed it, by its name.
#[test]
fn what_would_be_ignored_is_refused() {
    let law = DiscreteGaussian::with_sigma("215".parse().unwrap()).unwrap();
    for info in Options::INFO.iter().filter(|info| !info.demand) {
        let mut options = Options::default();
        let value = match info.kind {
            Kind::Flag { .. } => "true",
            Kind::Whole { .. } => "64",
            _ => "13",
        };
        options.set(info.name, value).unwrap();
        for method in Method::ALL.into_iter().filter(|method| !method.row().heeds.contains(&info.name)) {
            let refused = method.build(&law, &options).err().unwrap();
            assert_eq!(refused.argument(), info.name, "{method}");
            assert!(refused.allowed().starts_with(method.name()), "{refused}");
        }
    }
}

/// Whoever's parts a method is built of, it refuses in its own name.
#[test]
fn a_refusal_names_its_method() {
    let mut refusals = 0;
    for text in
        ["sigma=3.2,center=1/3", "sigma=4", "s=25", "s=1000,center=1/2", "sigma=1e18", "k_sigma2=5/2", "sigma=0.4"]
    {
        let law = text.parse::<Recipe>().unwrap().gaussian().unwrap();
        for method in Method::ALL {
            let Err(why) = method.build(&law, &Options::default()) else { continue };
            if let Some((_, rest)) = why.allowed().split_once("method ") {
                refusals += 1;
                assert!(rest.starts_with(&format!("{method} allows ")), "{method}: {why}");
            }
        }
    }
    assert!(refusals > 30, "{refusals}");
    let narrow = |text: &str| text.parse::<Recipe>().unwrap().build().unwrap_err().to_string();
    // The least value of each form is the first that builds.
    for (name, method, refused, least) in [
        ("sigma", "convolution-ct", "4.33", "4.34"),
        ("sigma_squared", "convolution-ct", "18.82", "18.83"),
        ("s", "convolution-ct", "135.93", "135.94"),
        ("sigma", "convolution", "54.23", "54.24"),
    ] {
        let allowed = format!("method {method} allows {name} >= {least} for 128 bits");
        let told = narrow(&format!("{name}={refused},method={method}"));
        assert!(told.contains(&allowed), "{told}");
        assert!(format!("{name}={least},method={method}").parse::<Recipe>().unwrap().build().is_ok(), "{allowed}");
    }
}

/// A method has a Cargo feature of its name unless it is exact, and constant-time or isochronous: every build has the methods that the
/// planner chooses by default.
#[test]
fn features_are_the_methods_that_are_no_default() {
    let manifest = include_str!("../../Cargo.toml");
    let (_, list) = manifest.split_once("all-methods = [").unwrap();
    let all: Vec<&str> = list.split_once(']').unwrap().0.split('"').skip(1).step_by(2).collect();
    for method in Method::ALL {
        let is_exact = method.row().exact || method.row().exactly.is_some();
        let is_optional = !is_exact || method.timing() == Timing::Variable;
        assert_eq!(all.contains(&method.name()), is_optional, "{method}: all-methods in Cargo.toml");
        assert_eq!(manifest.contains(&format!("\n{method} = []\n")), is_optional, "{method}: features in Cargo.toml");
        assert_eq!(method.row().name, method.name());
        assert!(method.is_here().is_ok());
    }
    let is_open =
        |recipe: &str| !["variable_time", "constant_time", "exact=false"].iter().any(|it| recipe.contains(it));
    let mut plans = 0;
    for line in include_str!("../../tests/plans.tsv").lines() {
        let (recipe, plan) = line.split_once('\t').unwrap();
        let chosen = plan.split('\t').next().unwrap();
        if is_open(recipe) && chosen != "none" {
            plans += 1;
            assert!(!all.contains(&chosen), "{line}");
        }
    }
    assert!(plans > 100, "{plans}");
}

#[test]
fn a_disabled_method_is_refused_by_its_feature() {
    let said = "method = du-wei-4: not in this build; enable the feature du-wei-4 or all-methods of the crate samplez";
    assert_eq!(Method::DuWei4.needs("du-wei-4").to_string(), said);
}
