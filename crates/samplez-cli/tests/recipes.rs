//! Recipes as arguments and as texts: the same samplers, the same refusals, each in the words of whoever typed them.

use crate::common::{SEED, fail, run, succeed};
use samplez::bindings::{Kind, LawInfo, OptionInfo};
use samplez::{Bulk, Method, Options, Recipe, Source};
use serde_json::Value;
use std::fs;

fn json(line: &str) -> Value {
    serde_json::from_str(&succeed(line)).expect("JSON")
}

/// What `--help` says, in one line.
fn help(command: &str) -> String {
    succeed(&format!("{command} --help")).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_name_of_a_recipe_is_an_argument() {
    for command in ["sample", "certify", "bench sample"] {
        let text = help(command);
        let has_law = |name: &str| command != "bench sample" || LawInfo::named(name).is_none();
        for name in Recipe::names().filter(|name| has_law(name)).chain(["recipe"]) {
            let on = |info: &OptionInfo| info.name == name && info.kind == Kind::Flag { default: true };
            let no = if Options::INFO.iter().any(on) { "no-" } else { "" };
            assert!(text.contains(&format!(" --{no}{}", name.replace('_', "-"))), "{command}: {name}");
        }
        for method in Method::ALL.map(Method::name).into_iter().chain(["auto"]) {
            assert!(text.contains(method), "{command}: {method}");
        }
    }
    let text = help("sample");
    for info in Options::INFO {
        assert!(text.to_lowercase().contains(&info.summary.to_lowercase()), "{}", info.name);
    }
    let told =
        ["--precision <N> Precision of a table, in bits, 1 to 256 [default: 128]", "ziggurat: do not decide by chords"];
    assert!(told.iter().all(|words| text.contains(words)), "{text}");
    for command in ["verify", "plot"] {
        let text = help(command);
        assert!(
            Recipe::WIDTHS.iter().all(|name| text.contains(&name.replace('_', "-"))) && !text.contains("precision <N>")
        );
    }
}

#[test]
fn a_recipe_is_its_arguments() {
    let sample = |what: &str| succeed(&format!("sample {what} --count 200 --seed {SEED} --quiet"));
    for (arguments, recipe) in [
        ("--sigma 3.2", "sigma=3.2"),
        (
            "--sigma-squared 10.24 --center 1/3 --method cdt --precision 72",
            "sigma_squared=10.24,center=1/3,method=cdt,precision=72",
        ),
        ("--sigma 32 --memory 2080", "sigma=32&method=auto&memory=2080"),
        ("--sigma 32 --method ziggurat --no-chord --pdf-table", "sigma=32,method=ziggurat,chord=false,pdf_table=true"),
        ("--sigma 10 --method ziggurat --distance 100", "sigma=10,method=ziggurat,precision=105,tail=13,omega=137"),
        ("--k-sigma2 254 --method bernoulli --frugal", "k_sigma2=254,method=bernoulli,frugal=true"),
        ("--s 8.35 --constant-time", " s = 8.35 , constant_time = true "),
    ] {
        let output = crate::common::samplez()
            .args(["sample", "--count", "200", "--seed", SEED, "--quiet", "--recipe", recipe])
            .output();
        let (code, out, err) = crate::common::outcome(output.unwrap());
        assert_eq!((code, err.as_str()), (Some(0), ""), "{recipe}");
        assert_eq!(out, sample(arguments), "{recipe}");
    }
    // What a recipe leaves open may be said beside it.
    let whole = sample("--recipe sigma=3.2,method=cdt,precision=72");
    assert_eq!(sample("--recipe method=cdt,precision=72 --sigma 3.2"), whole);
    assert_eq!(sample("--recipe sigma=3.2,precision=72 --method cdt"), whole);
    assert_eq!(sample("--recipe sigma=3.2 --method cdt --precision 72"), whole);
}

/// What a command says of a sampler makes it again.
#[test]
fn recipes_go_round() {
    for line in
        ["--sigma 3.2", "--sigma 32 --memory 2080", "--s 8.35 --center 1/3 --precision 72", "--sigma 1e12 --center 1/3"]
    {
        let (code, out, err) = run(&format!("sample {line} --count 50 --seed {SEED}"));
        let recipe = err.lines().find_map(|line| line.strip_prefix("recipe ")?.split(';').next()).unwrap_or_default();
        assert_eq!(
            (code, out),
            (Some(0), succeed(&format!("sample --recipe {recipe} --count 50 --seed {SEED} --quiet"))),
            "{err}"
        );
        assert_eq!(json(&format!("plan {line} --json"))["recipe"], recipe);
        let methods = succeed(&format!("methods {line}"));
        assert!(methods.ends_with(&format!("recipe {recipe}\n")), "{methods}");
        assert_eq!(recipe.parse::<Recipe>().unwrap().to_string(), recipe);
        let (certificate, plan) =
            (json(&format!("certify --recipe {recipe} --json")), json(&format!("plan {line} --json")));
        for (name, value) in certificate.as_object().unwrap() {
            assert_eq!(&plan[name], value, "{line}: {name}");
        }
    }
}

#[test]
fn a_recipe_states_the_law_for_verify_and_plot() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    let path = path.display();
    let recipe = "--recipe sigma=3.2,center=1/3,method=cdt,precision=72";
    succeed(&format!("sample {recipe} --count 1e5 --seed {SEED} --quiet --out {path}"));
    assert!(succeed(&format!("verify {path} {recipe}")).contains("consistent"));
    assert!(succeed(&format!("plot {path} {recipe}")).contains("c = 1/3"));
    assert_eq!(run(&format!("verify {path} --recipe sigma=3.3")).0, Some(1));
}

#[test]
fn an_argument_that_the_recipe_states_is_refused_by_name() {
    let base = "sample --count 1 --recipe sigma=3.2,center=0,method=cdt,precision=72,constant_time=false,chord=true";
    for (argument, told) in [
        ("--sigma 3", "--sigma 3: --recipe already contains sigma; remove one of them"),
        ("--s 8", "--s 8: --recipe already contains sigma; remove one of them"),
        ("--center 1/3", "--center 1/3: --recipe already contains center; remove one of them"),
        ("--method auto", "--method auto: --recipe already contains method; remove one of them"),
        ("--precision 72", "--precision 72: --recipe already contains precision; remove one of them"),
        ("--constant-time", "--constant-time: --recipe already contains constant_time; remove one of them"),
        ("--no-chord", "--no-chord: --recipe already contains chord; remove one of them"),
    ] {
        fail(&format!("{base} {argument}"), 2, &[&format!("error: {told}\n")]);
    }
    for command in ["plan", "methods"] {
        fail(&format!("{command} --recipe sigma=3.2,method=cdt"), 2, &["--recipe: method = cdt: ", "remove it"]);
    }
}

#[test]
fn texts_that_are_no_recipe() {
    let long = format!("sigma=3.{}", "0".repeat(5000));
    for (text, told) in [
        ("", "missing --recipe: pass pairs such as sigma=3.2"),
        (" ", "missing --recipe: pass pairs such as sigma=3.2"),
        (&*long, "--recipe = a text of 5008 bytes: a recipe has at most 4096 bytes"),
        ("sigma", "--recipe = sigma: expected name=value, such as sigma=3.2"),
        ("sigma=3.2,", "--recipe = sigma=3.2,: expected pairs such as sigma=3.2; leave the surplus comma out"),
        ("method=cdt", "pass one of --sigma, --sigma-squared, --k-sigma2, --s"),
        ("sigma=3.2,sigma=3.2", "--recipe: sigma = 3.2: is given twice"),
        ("sigma=3.2,s=8", "--recipe: s = 8: sigma is given too; pass only one of them"),
        ("sigma=3.2,colour=red", "--recipe: colour = red: expected one of sigma, sigma_squared, "),
        ("sigma=3.2,precision=0", "--recipe: precision = 0: expected a number between 1 and 256"),
        ("sigma=3.2,precision=257", "--recipe: precision = 257: expected a number between 1 and 256"),
        ("sigma=3.2,method=karney,precision=72", "--recipe: precision = 72: karney is exact and has none"),
        ("sigma=3.2,method=karney,constant_time=true", "--recipe: constant_time = true: karney is of variable timing"),
        ("sigma=3.2,method=dice", "--recipe: method = dice: expected one of auto, karney, "),
        ("sigma=1e12,method=cdt", "more than the 1.00 GiB allowed; raise memory, or leave method out"),
        (
            "sigma=1e15,exact=true,constant_time=true",
            "error: no method for D_Z(sigma = 1e15, center = 0), exact, constant-time: leave exact out, and convolution-ct is possible",
        ),
    ] {
        for command in ["sample --count 1", "certify", "bench sample"] {
            let words = command.split(' ').chain(["--recipe", text]);
            let (code, out, err) = crate::common::outcome(crate::common::samplez().args(words).output().unwrap());
            assert_eq!((code, out.as_str()), (Some(2), ""), "{command} {text}: {err}");
            assert!(
                err.starts_with("error: ") && err.contains(told) && err.lines().count() == 1,
                "{command} {text}\n{err}"
            );
        }
    }
}

#[test]
fn an_option_that_the_method_ignores_is_refused_as_it_was_typed() {
    for (arguments, told) in [
        ("--method karney --precision 72", "--precision = 72: karney is exact and has none"),
        ("--method cdt --no-chord", "--no-chord: cdt has no such option; those that have it: ziggurat"),
        ("--method cdt --pdf-table", "--pdf-table: cdt has no such option; those that have it: ziggurat"),
        ("--method cdt --rectangles 64", "--rectangles = 64: cdt has no such option; those that have it: ziggurat"),
        ("--method cdt --frugal", "--frugal: cdt has no such option; those that have it: "),
        ("--method cdt --omega 160", "--omega = 160: cdt has no such option; those that have it: ziggurat"),
        ("--method ziggurat --distance 100 --tail 9", "--tail = 9: --distance sets it; remove one of them"),
        (
            "--method ziggurat --distance 2^-100",
            "--distance = 2^-100: expected a number between 1 and 240 bits; write 100",
        ),
        ("--method ziggurat --omega 100", "--omega = 100: expected a number between 128 and 512"),
        ("--method karney --setup-time 0", "--setup-time = 0: karney takes about "),
        ("--constant-time --frugal", "no method for "),
    ] {
        fail(&format!("sample --sigma 3.2 --count 1 {arguments}"), 2, &[&format!("error: {told}")]);
    }
    for twice in ["--sigma 3.2", "--precision 72", "--exact", "--recipe sigma=3.2"] {
        let name = twice.split(' ').next().unwrap();
        fail(&format!("certify {twice} {twice}"), 2, &[name, "is given twice; pass it once"]);
    }
    fail("certify --sigma 3.2 --colour red", 2, &["--colour: unknown option\n"]);
    fail(
        "certify --sigma 3.2 --max-table-bytes 100",
        2,
        &["--max-table-bytes: unknown option; write --memory for the maximum memory in bytes\n"],
    );
}

/// `kat/recipes.csv`: recipe, source and seed give these samples in every language.
#[test]
fn the_samples_are_those_of_every_language() {
    let lines = include_str!("../../../kat/recipes.csv").lines().skip(1);
    assert!(lines.clone().count() > 12);
    for line in lines {
        let [recipe, source, seed, samples] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let count = samples.split(' ').count();
        let out = succeed(&format!("sample --recipe {recipe} --source {source} --seed {seed} --count {count} --quiet"));
        assert_eq!(out.split_whitespace().collect::<Vec<_>>().join(" "), samples, "{line}");
    }
}

#[test]
fn what_is_no_seed_is_refused_and_not_repeated() {
    let big = "2037035976334486086268445688409378161051468393665936250636140449354381299763336706183397376";
    for bad in ["-1", "18446744073709551616", big, "abc", "4.2e1", "1e3", "007", "+7"] {
        for command in ["sample --sigma 3.2 --count 1", "bytes --source chacha20 --count 1", "round - --sigma 3.2"] {
            let (code, out, err) = run(&format!("{command} --seed {bad}"));
            assert_eq!((code, out.as_str(), err.lines().count()), (Some(2), "", 1), "{command} --seed {bad}: {err}");
            assert!(
                err.starts_with("error: --seed: a seed is 64 hexadecimal digits (32 bytes), or a number below 2^64"),
                "{err}"
            );
            assert!(bad.len() < 5 || !err.contains(bad), "{err}");
        }
    }
    let (code, _, err) = crate::common::outcome(
        crate::common::samplez().args(["sample", "--sigma", "3", "--count", "1", "--seed", ""]).output().unwrap(),
    );
    assert!(code == Some(2) && err.starts_with("error: --seed: "), "{err}");
    assert!(help("sample").contains("a number below 2^64 for results to reproduce, not for secrets"));
}

#[test]
fn blocks_are_those_of_the_library() {
    let whole = succeed("sample --sigma 3.2 --center 1/3 --count 30000 --seed 5 --quiet");
    let parts: String = (0..3)
        .map(|i| {
            succeed(&format!("sample --sigma 3.2 --center 1/3 --count 10000 --block {i} --seed 5 --threads 2 --quiet"))
        })
        .collect();
    assert!(parts == whole, "blocks 0 to 2 are the first 30000 samples");
    let [far, same] = ["1e19", "10_000_000_000_000_000_000"]
        .map(|i| succeed(&format!("sample --sigma 3.2 --count 1 --block {i} --seed 5 --quiet")));
    assert_eq!(far, same);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.raw").display().to_string();
    let far = "--count 5000 --block 368934881474191 --source chacha12 --seed 5";
    let (_, _, err) = run(&format!("sample --recipe sigma=3.2,method=karney --dtype i64 {far} --out {path}"));
    assert!(err.contains("5,000 samples, block 368934881474191 (raw, i64)"), "{err}");
    let sampler = "sigma=3.2,method=karney".parse::<Recipe>().unwrap().build().unwrap().into_sampler();
    let mut block = [0_i64; 5000];
    Bulk::new(&*sampler, Source::ChaCha12, "5".parse().unwrap()).fill_block(368_934_881_474_191, &mut block).unwrap();
    let bytes: Vec<u8> = block.iter().flat_map(|x| x.to_le_bytes()).collect();
    assert!(fs::read(&path).unwrap() == bytes);
}
