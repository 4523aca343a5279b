//! Recipes as texts, what is refused, and certificates as JSON.

use samplez::{Built, Method, Options, Recipe, Refused, bindings::Kind};
use serde_json::Value;

fn refused(text: &str) -> Refused {
    text.parse::<Recipe>().and_then(|recipe| recipe.build()).err().unwrap_or_else(|| panic!("{text}: not refused"))
}

/// A few texts of each option, and `None` for not said.
fn values(name: &str) -> Vec<Option<&'static str>> {
    match Options::INFO.into_iter().find(|info| info.name == name).unwrap().kind {
        Kind::Flag { .. } => vec![None, Some("true"), Some("false")],
        Kind::Whole { .. } => vec![None, Some("2"), Some("240")],
        Kind::Rational { .. } => vec![None, Some("25/2")],
        _ => vec![None, Some("0.0015"), Some("3")],
    }
}

/// Every method with random options: the text reads back as the recipe, and writes what was said.
#[test]
fn texts_read_back() {
    let mut state = 7_u64;
    let mut draw = |m: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % m
    };
    for round in 0..2000 {
        let mut said = vec![format!("{}={}", Recipe::WIDTHS[round % 4], ["16/5", "254", "1/1000000"][draw(3)])];
        if draw(2) == 0 {
            said.push(format!("center={}", ["-1/3", "7"][draw(2)]));
        }
        if draw(3) > 0 {
            said.push(format!("method={}", Method::ALL[draw(Method::ALL.len())]));
        }
        for name in Options::INFO.map(|info| info.name) {
            let values = values(name);
            said.extend(values[draw(values.len())].map(|value| format!("{name}={value}")));
        }
        let canonical = said.join(",");
        let recipe: Recipe = canonical.parse().unwrap();
        assert_eq!(recipe.to_string(), canonical);
        // In any order, with spaces, as an address has it.
        let by = draw(said.len());
        said.rotate_left(by);
        assert_eq!(said.join(" & ").parse(), Ok(recipe), "{canonical}");
    }
    let spelled: Recipe = "sigma = 3.20 , center=0, method=auto".parse().unwrap();
    assert_eq!(spelled.to_string(), "sigma=16/5");
}

/// Each kind of wrong text, and what is said of it.
#[test]
fn wrong_texts_are_refused_by_name() {
    for (text, message) in [
        ("", "missing recipe: pass pairs such as sigma=3.2,method=cdt"),
        ("  ", "missing recipe: pass pairs such as sigma=3.2,method=cdt"),
        ("sigma", "recipe = sigma: expected name=value, such as sigma=3.2"),
        ("sigma=3.2,", "recipe = sigma=3.2,: expected pairs such as sigma=3.2; leave the surplus comma out"),
        ("sigma=", "sigma = : not a number; allowed are "),
        // A value that a comma cuts is named whole.
        ("sigma=1,000", "sigma = 1,000: not a number; allowed are decimals, fractions"),
        ("sigma=3.2, 5", "sigma = 3.2, 5: not a number; "),
        ("center=2,5&sigma=3", "center = 2,5: not a number; "),
        ("sigma=3,center=2&5", "center = 2&5: not a number; "),
        ("sigma=1,000,000,method=cdt", "sigma = 1,000,000: not a number; "),
        ("sigma=3,precision=1,28", "precision = 1,28: expected a number between 1 and 256 bits"),
        ("sigma=3,method=cdt,72", "method = cdt,72: expected one of auto, karney, cdt, "),
        ("ternary,5", "recipe = ternary,5: expected name=value, such as sigma=3.2"),
        ("5,sigma=3", "recipe = 5: expected name=value, such as sigma=3.2"),
        // Other signs between pairs.
        (
            "sigma=3;method=cdt",
            "recipe = sigma=3;method=cdt: expected a comma or & between pairs; write sigma=3,method=cdt",
        ),
        (
            "sigma = 3 method = cdt",
            "recipe = sigma = 3 method = cdt: expected a comma or & between pairs; write sigma=3,method = cdt",
        ),
        ("sigma=16/5; s=2", "recipe = sigma=16/5; s=2: expected a comma or & between pairs; write sigma=16/5,s=2"),
        ("sigma=3|s=2", "recipe = sigma=3|s=2: expected a comma or & between pairs; write sigma=3,s=2"),
        (
            "sigma=3+s=2",
            "recipe = sigma=3+s=2: no sampler draws a sum, a table of weights or a rounded law; draw each term by itself, and add the integers",
        ),
        ("laplace=4 - 2*ternary", "recipe = laplace=4 - 2*ternary: no sampler draws a sum"),
        ("weights=0: 1 2 1", "recipe = weights=0: 1 2 1: no sampler draws a sum"),
        (
            "sigma=sqrt(10) s=2",
            "recipe = sigma=sqrt(10) s=2: expected a comma or & between pairs; write sigma=sqrt(10),s=2",
        ),
        ("sigma=3 + cbd=2", "recipe = sigma=3 + cbd=2: no sampler draws a sum"),
        ("sigma==3", "sigma = =3: not a number; "),
        ("sigma=3;", "sigma = 3;: not a number; "),
        ("sigma=-1", "sigma = -1: expected a number greater than 0"),
        ("sigma_squared=0", "sigma_squared = 0: expected a number greater than 0"),
        ("method=cdt", "missing width: pass one of sigma, sigma_squared, k_sigma2, s"),
        ("sigma=3,sigma=3", "sigma = 3: is given twice; pass it once"),
        ("sigma=3,s=8", "s = 8: sigma is given too; pass only one of them"),
        ("sigma=3,precision=72&precision=72", "precision = 72: is given twice"),
        ("sigma=3,center=x", "center = x: not a number"),
        (
            "sigma=3,colour=red",
            "colour = red: expected one of sigma, sigma_squared, k_sigma2, s, center, method, precision, ",
        ),
        ("colour=red", "colour = red: expected one of "),
        ("sigma=3,method=dice", "method = dice: expected one of auto, karney, cdt, "),
        ("sigma=3,precision=0", "precision = 0: expected a number between 1 and 256"),
        ("laplace=5,clip=2", "clip = 2: expected a whole number from 3 to 2^53, at least half of the scale 5"),
        ("sigma=3,clip=9", "clip = 9: cuts laplace alone; where another sample exceeds your bound, draw it again"),
        ("sigma=3,method=ziggurat,rectangles=7.5", "rectangles = 7.5: expected a whole number between 2 and 65536"),
        ("sigma=3,memory=-1", "memory = -1: expected a whole number of bytes below 2^64"),
        ("sigma=3,precision=1.5", "precision = 1.5: expected a whole number between 1 and 256 bits"),
        ("sigma=3,precision=257", "precision = 257: expected a number between 1 and 256"),
        (
            "sigma=3,memory=-1",
            "memory = -1: expected a whole number of bytes below 2^64, or with a unit: 4KB is 4000, 4KiB 4096",
        ),
        ("sigma=3,exact=yes", "exact = yes: expected true or false"),
        ("sigma=3,setup_time=-1", "setup_time = -1: expected a number of seconds from 0 to 3.2e9"),
        ("sigma=3,method=karney,precision=72", "precision = 72: karney is exact and has none"),
        (
            "sigma=3,method=isochronous,precision=72",
            "precision = 72: isochronous has no such option; those that have it: cdt, ",
        ),
        (
            "sigma=3,method=cdt,tail=13",
            "tail = 13: cdt has no such option; those that have it: ziggurat, rejection, rejection-table",
        ),
        (
            "sigma=300,method=convolution,exact=true",
            "exact = true: convolution is certified, not exact; exact are karney, cdt, cdt-guided, cdt-ct, cdt-lazy-ct, isochronous, \
             knuth-yao, knuth-yao-compact, knuth-yao-ct, ziggurat, rejection, rejection-table, bernoulli, du-wei-4, du-wei-5, \
             du-wei-5-ky, cks",
        ),
        (
            "sigma=3,method=karney,constant_time=true",
            "constant_time = true: karney is of variable timing; constant-time are cdt-ct, cdt-lazy-ct, knuth-yao-ct, convolution-ct",
        ),
        (
            "sigma=1e12,method=cdt",
            "sigma = 1000000000000: a table of 128 bits takes 161 TiB, more than the 1.00 GiB allowed; raise memory, or leave method out",
        ),
        (
            "sigma=3,method=karney,memory=100",
            "memory = 100: karney takes 4096 bytes, more than that; raise memory, or leave method out",
        ),
        ("s=1e15,method=karney", "s = 1000000000000000: method karney allows s <= 2^48"),
    ] {
        let told = refused(text).to_string();
        assert!(told.starts_with(message), "{text}: {told}");
        assert!(!told.contains('`'), "{told}");
    }
    let long = format!("sigma=3,{}", "x".repeat(5000));
    assert_eq!(refused(&long).to_string(), "recipe = a text of 5008 bytes: a recipe has at most 4096 bytes");
    let camel = |name: &str| name.replace("_s", "S");
    let told = refused("sigma=1e12,method=cdt").respelled(|name| format!("--{name}"));
    assert!(
        told.starts_with("--sigma = 1000000000000: ") && told.ends_with("; raise --memory, or leave --method out"),
        "{told}"
    );
    assert!(refused("s=8,method=cks").respelled(camel).contains("sigmaSquared"));
    assert!(refused("sigma=x").cause().is_some());
}

fn built(text: &str) -> Built {
    text.parse::<Recipe>().unwrap().build().unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The JSON of every method is JSON, with the same fields.
#[test]
fn certificates_are_json() {
    let fields = [
        "bits_kept",
        "center",
        "exact",
        "expected_bits",
        "expected_trials",
        "law",
        "log2_renyi",
        "log2_sd",
        "log2_tail",
        "method",
        "options",
        "precision",
        "samples_log2",
        "samples_log2_advantage",
        "samples_per_time",
        "support",
        "table_bytes",
        "timing",
        "width",
    ];
    for method in Method::ALL {
        let texts = ["sigma=3.2", "k_sigma2=254", "sigma=215", "sigma=1e9"].map(|law| format!("{law},method={method}"));
        let made = texts.iter().find_map(|text| text.parse::<Recipe>().unwrap().build().ok()).unwrap();
        let certificate = made.certificate();
        let json: Value = serde_json::from_str(&certificate.to_json()).unwrap();
        assert_eq!(keys(&json), fields, "{method}");
        assert_eq!(json["method"], method.name());
        assert_eq!(json["exact"], method.row().exact);
        let tested = if cfg!(target_arch = "x86_64") { "(tested on x86_64)\n" } else { "(tested on x86_64, not on " };
        assert_eq!(certificate.to_string().contains(tested), json["timing"] != "variable", "{certificate}");
        assert_eq!(json["log2_sd"].is_null(), method.row().exact);
        assert_eq!(json["precision"].as_u64(), made.options().precision.map(u64::from));
        assert_eq!(keys(&json["log2_renyi"]), ["2", "256", "513", "inf"]);
        assert_eq!(json["support"]["max"].as_i64(), Some(*made.profile().support.end()));
        let options: Vec<&str> = made.options().said().map(|(name, _)| name).collect();
        let mut said = keys(&json["options"]);
        said.sort_by_key(|name| Options::INFO.iter().position(|other| other.name == *name));
        assert_eq!(said, options);
        assert!(
            method.row().heeds.iter().all(|name| *name == "distance" || options.contains(name)),
            "{method}: {options:?}"
        );
        #[cfg(feature = "serde")]
        assert_eq!(serde_json::to_string(&certificate).unwrap(), certificate.to_json());
    }
    let json: Value =
        serde_json::from_str(&built("sigma_squared=10,center=7,method=ziggurat").certificate().to_json()).unwrap();
    assert_eq!(json["width"], serde_json::json!({"form": "sigma_squared", "value": "10"}));
    let options = serde_json::json!({
        "precision": 128, "memory": 1_u64 << 30, "rectangles": 256, "tail": "14", "omega": 160, "chord": true,
        "pdf_table": false
    });
    assert_eq!(json["options"], options);
}

/// A distance sets the parameters of Theorem 1 and the table keeps it; ω is honoured, and neither is silently overruled.
#[test]
fn a_distance_sets_precision_tail_and_omega() {
    let built = |text: &str| text.parse::<Recipe>().unwrap().build().unwrap();
    for (sigma, distance, precision, tail) in [("10", 100, 105, "13"), ("10", 64, 69, "10"), ("215", 100, 105, "13")] {
        let made = built(&format!("sigma={sigma},method=ziggurat,rectangles=64,distance={distance}"));
        let options = *made.options();
        assert_eq!((options.precision, options.omega, options.distance), (Some(precision), Some(precision + 32), None));
        assert_eq!(options.tail.unwrap().to_string(), tail);
        let json: Value = serde_json::from_str(&made.certificate().to_json()).unwrap();
        let log2_sd = json["log2_sd"].as_f64().unwrap();
        assert!(log2_sd <= -f64::from(distance) && log2_sd > -f64::from(distance) - 8.0, "{log2_sd}");
        assert_eq!(made.recipe(), built(&made.recipe().to_string()).recipe());
    }
    // A coarser ω costs relative error in the tail.
    let of = |omega: u32| {
        let made = built(&format!("sigma=10,method=ziggurat,rectangles=63,precision=50,tail=13,omega={omega}"));
        let json: Value = serde_json::from_str(&made.certificate().to_json()).unwrap();
        (json["options"]["omega"].as_u64(), json["log2_renyi"]["inf"].as_f64().unwrap())
    };
    let (coarse, fine) = (of(50), of(82));
    assert_eq!((coarse.0, fine.0), (Some(50), Some(82)));
    assert!(coarse.1 > fine.1 + 0.01, "{coarse:?} {fine:?}");
    let auto = built("sigma=10,distance=100,variable_time=true");
    assert_eq!((auto.method(), auto.options().precision), (Some(Method::Ziggurat), Some(105)));
    for (text, message) in [
        ("sigma=10,method=ziggurat,distance=100,precision=64", "precision = 64: distance sets it; remove one of them"),
        ("sigma=10,method=ziggurat,distance=100,tail=9", "tail = 9: distance sets it; remove one of them"),
        ("sigma=10,method=ziggurat,distance=100,omega=107", "omega = 107: distance sets it; remove one of them"),
        ("sigma=-1e40,method=karney", "sigma = -1e40: expected a number greater than 0"),
        (
            "sigma=10,method=ziggurat,distance=2^-100",
            "distance = 2^-100: expected a number between 1 and 240 bits; write 100",
        ),
        ("sigma=10,method=ziggurat,distance=241", "distance = 241: expected a number between 1 and 240 bits"),
        ("sigma=10,method=ziggurat,distance=-100", "distance = -100: expected a number between 1 and 240 bits"),
        ("sigma=10,method=ziggurat,omega=64", "omega = 64: expected a number between 128 and 512"),
        ("sigma=10,method=ziggurat,omega=513", "omega = 513: expected a number between 1 and 512 bits"),
        ("sigma=10,method=cdt,distance=100", "distance = 100: cdt has no such option; those that have it: ziggurat"),
    ] {
        assert!(refused(text).to_string().starts_with(message), "{text}: {}", refused(text));
    }
}

/// A recipe is stored as its text, and a wrong text is an error.
#[cfg(feature = "serde")]
#[test]
fn recipes_are_stored_as_texts() {
    let recipe: Recipe = "sigma=16/5,method=cdt,precision=72".parse().unwrap();
    let text = serde_json::to_string(&recipe).unwrap();
    assert_eq!(text, "\"sigma=16/5,method=cdt,precision=72\"");
    assert_eq!(serde_json::from_str::<Recipe>(&text).unwrap(), recipe);
    assert!(serde_json::from_str::<Recipe>("\"sigma=3,colour=red\"").unwrap_err().to_string().contains("colour"));
}

/// What a named method and the planner build alike is one sampler: the recipe of what was built leaves nothing open.
#[test]
fn recipes_of_what_was_built_build_it_again() {
    for text in [
        "sigma=3.2",
        "sigma=32,memory=2080",
        "sigma=32,method=ziggurat,memory=700",
        "s=8.35,memory=5000",
        "sigma=1e6,exact=true",
    ] {
        let first = built(text);
        let again = built(&first.recipe().to_string());
        assert_eq!(
            (first.method(), first.profile(), first.options()),
            (again.method(), again.profile(), again.options())
        );
        assert_eq!(first.recipe(), again.recipe());
    }
}
