//! Laws that are no Gaussian, and tables of the caller's, behind streams, arrays and residues.

use samplez::rand_core::TryRng;
use samplez::table_sampler;
use samplez::{
    Bulk, DiscreteGaussian, FillError, Modulus, NarrowType, Noise, NoiseLaw, Recipe, Seed, Source, Stream, StreamError,
    Timing,
};
use samplez::{CenteredBinomial, SparseTernary, TUniform, Ternary};
use samplez_tables::{PlainTable, TableForm, TargetLaw, Whole, build_plain};
use std::num::NonZeroUsize;

fn law(sigma: &str) -> DiscreteGaussian {
    DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap()
}

fn stream(seed: u64) -> Stream<samplez_sources::Generator> {
    Stream::new(Source::ChaCha20.open(&Seed::from_number(seed)).unwrap())
}

fn of_recipe(text: &str) -> Box<dyn Noise> {
    text.parse::<Recipe>().unwrap().build().unwrap().into_sampler()
}

/// The sampler of a law of kat/finite.csv.
fn named(name: &str, parameter: &str) -> Box<dyn Noise> {
    let text = match name {
        "Ternary" => "ternary".to_string(),
        "CBD" => format!("centered_binomial={parameter}"),
        "DiscreteLaplace" => format!("laplace={}", parameter.replace(") within ", ",clip=")),
        name => format!("{}={parameter}", name.to_lowercase()),
    };
    of_recipe(&text)
}

/// kat/finite.csv, which another program made of the definitions: law, seed, position, samples.
#[test]
fn vectors_of_an_independent_program() {
    let mut laws = 0;
    for line in include_str!("../../../kat/finite.csv").lines().skip(1) {
        let [law, seed, first, samples] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
        let wanted: Vec<i64> = samples.split(' ').map(|x| x.parse().unwrap()).collect();
        let (name, numbers) = law.trim_end_matches(')').split_once('(').unwrap_or((law, ""));
        let (mut got, seed) = (vec![0_i64; wanted.len()], seed.parse().unwrap());
        let mut check = |noise: Box<dyn Noise>| {
            assert_eq!(noise.profile().target.to_string(), law);
            Bulk::new(noise, Source::ChaCha20, Seed::from_number(seed)).fill(first.parse().unwrap(), &mut got).unwrap();
            assert_eq!(got, wanted, "{line}");
            laws += 1;
        };
        if name == "SparseTernary" {
            let (n, w) = numbers.split_once(' ').unwrap();
            let law = SparseTernary::new(n.parse().unwrap(), w.parse().unwrap()).unwrap();
            stream(seed).fill_sparse(&law, &mut got).unwrap();
            assert_eq!(got, wanted, "{line}");
            continue;
        }
        check(named(name, numbers));
    }
    assert_eq!(laws, 54);
    let refused = |law: NoiseLaw| Recipe::new(law).build().unwrap_err().to_string();
    assert_eq!(refused(NoiseLaw::CenteredBinomial { eta: 0 }), "eta = 0: expected a number between 1 and 1048576");
}

/// Any part of an array, on any number of threads, is the whole's.
#[test]
fn arrays_have_addresses() {
    let (cbd, tuniform) = (CenteredBinomial::new(21).unwrap(), TUniform::new(17).unwrap());
    let skellam = of_recipe("skellam=2.5");
    let laplace = named("DiscreteLaplace", "2.5");
    let noises: [&dyn Noise; 5] = [&Ternary, &cbd, &tuniform, &*skellam, &*laplace];
    for noise in noises {
        let bulk = Bulk::new(noise, Source::ChaCha20, Seed::from_number(3));
        let (mut whole, mut many, mut part) = (vec![0_i32; 150_000], vec![0_i32; 150_000], vec![0_i64; 9000]);
        bulk.fill(0, &mut whole).unwrap();
        bulk.par_fill(0, &mut many, NonZeroUsize::new(2).unwrap()).unwrap();
        bulk.fill(12_345, &mut part).unwrap();
        assert_eq!(whole, many);
        assert!(part.iter().zip(&whole[12_345..]).all(|(a, b)| *a == i64::from(*b)));
    }
}

/// One draw, a row for each prime.
#[test]
fn rows_of_residues() {
    let mut noise = [0_i8; 4096];
    stream(1).fill(&CenteredBinomial::new(21).unwrap(), &mut noise).unwrap();
    for q in [65_537, 0x1fff_ffff_ffe0_0001_u64] {
        let mut row = [0; 4096];
        Modulus::new(q).unwrap().residues(&noise, &mut row);
        assert!(row.iter().zip(&noise).all(|(r, x)| u128::from(*r) == i128::from(*x).rem_euclid(q.into()) as u128));
    }
}

#[test]
fn a_narrow_type_is_refused_before_the_draw() {
    let tuniform = TUniform::new(17).unwrap();
    let mut out = [7_i16; 10];
    let StreamError::Narrow(e) = stream(1).fill(&tuniform, &mut out).unwrap_err() else { panic!("another error") };
    let wanted = "output type = i16: the samples range from -131072 to 131072; use i32";
    assert_eq!((e.to_string().as_str(), out), (wanted, [7; 10]));
    let bulk = Bulk::new(&tuniform, Source::ChaCha20, Seed::from_number(1));
    assert!(matches!(bulk.fill(0, &mut out), Err(FillError::Narrow(_))));
    assert!(bulk.fill(0, &mut [0_i32; 10]).is_ok());
}

#[test]
fn skellam_noise_is_exact_and_named() {
    let noise = of_recipe("skellam=30");
    let profile = noise.profile();
    assert_eq!(profile.target, NoiseLaw::Skellam { variance: "30".parse().unwrap() });
    assert!(profile.exactness.is_exact() && profile.timing == Timing::Constant && noise.timing() == Timing::Constant);
    assert_eq!((profile.support, profile.table_bytes), (-83..=83, 83 * 16));
    assert!(noise.fits::<i8>() && noise.batch() == 8192);
    let StreamError::Narrow(e) = stream(1).fill(&*of_recipe("skellam=1000"), &mut [0_i8; 9]).unwrap_err() else {
        panic!("another error")
    };
    assert!(e.to_string().ends_with("from -417 to 417; use i16"), "{e}");
    // The parameters of a law that no sampler has.
    assert_eq!(
        Recipe::new(NoiseLaw::Skellam { variance: 2_000_000.into() }).build().unwrap_err().to_string(),
        "variance = 2000000: method skellam allows 2^-16 <= variance <= 2^20"
    );
}

/// The truncated law draws a sample beyond the bound again, so its samples are the whole law's without those.
#[test]
fn truncated_laplace_noise() {
    let recipe: Recipe = "laplace=3/2,clip=2".parse().unwrap();
    assert_eq!(
        (recipe.to_string(), recipe.law.to_string()),
        ("laplace=3/2,clip=2".into(), "DiscreteLaplace(3/2) within 2".into())
    );
    assert_eq!("clip=2&laplace=1.5".parse(), Ok(recipe));
    let (noise, whole) = (of_recipe("laplace=3/2,clip=2"), of_recipe("laplace=3/2"));
    let (mut kept, mut all) = (vec![0_i8; 5000], vec![0_i16; 8000]);
    stream(4).fill(&*noise, &mut kept).unwrap();
    stream(4).fill(&*whole, &mut all).unwrap();
    all.retain(|x| x.abs() <= 2);
    assert!(all.len() > 5000 && kept.iter().zip(&all).all(|(x, y)| i16::from(*x) == *y));
    let profile = noise.profile();
    assert!(profile.exactness.is_exact() && noise.timing() == Timing::Isochronous && noise.fits::<i8>());
    assert_eq!((profile.support, profile.target), (-2..=2, recipe.law));
    let (law, q) = (TargetLaw::finite(&recipe.law).unwrap(), (-2.0_f64 / 3.0).exp());
    let sum = 1.0 + 2.0 * q + 2.0 * q * q;
    let near = |x: f64, y: f64| (x - y).abs() < 1e-14 * y;
    assert!(near(law.pmf(0), 1.0 / sum) && near(law.pmf(-2), q * q / sum) && law.pmf(3) == 0.0 && law.cdf(2) == 1.0);
    assert!(near(recipe.law.variance().unwrap(), (2.0 * q + 8.0 * q * q) / sum));
    assert!(near(profile.expected_trials, (1.0 + q) / ((1.0 - q) * sum)));
}

/// A truncated law is refused with the value as typed, and what is allowed.
#[test]
fn bounds_of_truncated_laplace_noise() {
    let refused = |text: &str| text.parse::<Recipe>().unwrap_err().to_string();
    for value in ["0", "-3", "1/2", "2", "9007199254740993", "1e40"] {
        let wanted = format!("clip = {value}: expected a whole number from 3 to 2^53, at least half of the scale 5.0");
        assert_eq!(refused(&format!("laplace=5.0,clip={value}")), wanted);
        assert_eq!(refused(&format!("clip={value}&laplace=5.0")), wanted);
    }
    let mut recipe: Recipe = "laplace=7/2".parse().unwrap();
    let refused_one = recipe.set("clip", "1").unwrap_err().to_string();
    assert_eq!(refused_one, "clip = 1: expected a whole number from 2 to 2^53, at least half of the scale 7/2");
    assert!(refused("laplace=5,clip=ten").starts_with("clip = ten: expected a whole number"));
    assert!(refused("laplace=5,clip=1,000").ends_with("half of the scale 5; write 1000"));
    assert!("laplace=5,clip=3".parse::<Recipe>().is_ok() && "laplace=1/65536,clip=1".parse::<Recipe>().is_ok());
    for law in ["sigma=3", "skellam=3"] {
        assert!(refused(&format!("{law},clip=9")).starts_with("clip = 9: cuts laplace alone; "), "{law}");
    }
    assert_eq!(refused("laplace=3,clip=9,clip=9"), "clip = 9: is given twice; pass it once");
    let wide = Recipe::new(NoiseLaw::TruncatedLaplace { scale: 5.into(), bound: 2 });
    assert_eq!(wide.build().unwrap_err().to_string(), "clip = 2: expected a number between 3 and 9007199254740992");
}

/// A generator that fails.
struct Unplugged;

impl TryRng for Unplugged {
    type Error = std::fmt::Error;
    fn try_next_u32(&mut self) -> Result<u32, std::fmt::Error> {
        Err(std::fmt::Error)
    }
    fn try_next_u64(&mut self) -> Result<u64, std::fmt::Error> {
        Err(std::fmt::Error)
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), std::fmt::Error> {
        Err(std::fmt::Error)
    }
}

#[test]
fn a_sparse_vector_of_a_failed_generator_is_wiped() {
    let (law, mut out) = (SparseTernary::new(100, 50).unwrap(), [9_i16; 100]);
    assert!(Stream::new(Unplugged).fill_sparse(&law, &mut out).is_err());
    assert_eq!(out, [0; 100]);
    stream(1).fill_sparse(&law, &mut out).unwrap();
    assert_eq!(out.iter().filter(|x| **x != 0).count(), 50);
}

fn sampled(table: &PlainTable) -> [i32; 2000] {
    let (sampler, mut out) = (table_sampler(table).unwrap(), [0; 2000]);
    assert_eq!(sampler.timing(), Timing::Constant);
    stream(5).fill(&*sampler, &mut out).unwrap();
    out
}

/// The tables that this library builds, read back as a caller's: the recipe's sampler of that precision.
#[test]
fn a_table_of_the_caller_s_is_a_recipe_s() {
    let form: TableForm = "folded,tail,floor-weights,72".parse().unwrap();
    let built = build_plain(&law("3.2"), &form).unwrap();
    let table = PlainTable::new(&law("3.2"), &form, built.entries().to_vec()).unwrap();
    let recipe = "sigma=3.2,method=cdt-ct,precision=72,exact=false".parse::<Recipe>().unwrap();
    let (sampler, mut out) = (recipe.build().unwrap().into_sampler(), [0; 2000]);
    stream(5).fill(&*sampler, &mut out).unwrap();
    assert_eq!(sampled(&table), out);
    let bound = |noise: &dyn Noise| noise.profile().exactness;
    assert_eq!(bound(&*table_sampler(&table).unwrap()), bound(&*sampler));
}

/// One law in every form that has a sampler: the same integers from the same bits.
#[test]
fn all_forms_of_a_law_have_its_sampler() {
    let whole = |n: &[u128]| n.iter().map(|n| Whole::from(*n)).collect::<Vec<_>>();
    let table = |form: &str, entries: &[u128]| PlainTable::new(&law("1"), &form.parse().unwrap(), whole(entries));
    // P(0) = 100/256, P(±1) = 60/256 each, P(±2) = 18/256 each.
    let wanted = sampled(&table("folded,tail,8", &[156, 36]).unwrap());
    for (form, entries) in [
        ("folded,tail,inclusive,8", &[155, 35][..]),
        ("folded,head,rest-next,8", &[100, 220]),
        ("folded,head,8", &[100, 220, 256]),
        ("folded,pmf,8", &[100, 120, 36]),
        ("folded,pmf,rest-next,8", &[100, 120]),
        ("folded,pmf,rest-mode,8", &[40, 120, 36]),
        ("mirrored,pmf,8", &[100, 60, 18]),
        ("folded,pmf,8", &[100, 120, 36, 0, 0]),
    ] {
        assert_eq!(sampled(&table(form, entries).unwrap()), wanted, "{form}");
    }
    let full = sampled(&table("full,tail,first=-2,8", &[238, 178, 78, 18]).unwrap());
    assert_eq!(sampled(&table("full,pmf,first=-2,8", &[18, 60, 100, 60, 18]).unwrap()), full);
    assert!(full.iter().all(|x| x.abs() <= 2) && full.contains(&-2) && full.contains(&2));
    // The first index has no draws.
    for (form, entries) in [
        ("full,pmf,first=-3,8", &[0, 18, 60, 100, 60, 18][..]),
        ("full,tail,first=-3,8", &[256, 238, 178, 78, 18]),
        ("full,head,first=-3,8", &[0, 18, 78, 178, 238, 256]),
    ] {
        assert_eq!(sampled(&table(form, entries).unwrap()), full, "{form}");
    }
    assert!(table("folded,tail,inclusive,8", &[256, 35]).is_err() && table("folded,tail,8", &[256, 35]).is_ok());
    let top = Whole::new([u64::MAX; 5]);
    assert!(
        PlainTable::new(&law("1"), &"folded,tail,inclusive,8".parse().unwrap(), vec![Whole::from(155), top]).is_err()
    );
    // A table may have its mass where its law has none: the type must hold all of it.
    let far = table_sampler(&table("folded,tail,16", &[60_000; 1000]).unwrap()).unwrap();
    assert!(NarrowType::check::<i8>(&*far).is_err() && NarrowType::check::<i16>(&*far).is_ok());

    // A single value has all draws.
    for (form, entries, value) in [
        ("folded,pmf,8", &[256][..], 0),
        ("folded,pmf,8", &[256, 0, 0], 0),
        ("mirrored,pmf,8", &[256, 0], 0),
        ("folded,head,8", &[256, 256], 0),
        ("folded,tail,8", &[0], 0),
        ("folded,tail,8", &[0, 0], 0),
        ("full,pmf,first=-2,8", &[0, 0, 256, 0], 0),
        ("full,pmf,first=-2,8", &[0, 256, 0, 0], -1),
    ] {
        assert_eq!(sampled(&table(form, entries).unwrap()), [value; 2000], "{form}, {entries:?}");
    }

    for (form, entries, why) in [
        (
            "half,tail,8",
            &[156, 36][..],
            "a half line has no signs; for its integers, from 0 on, write the form full,tail,first=0,8",
        ),
        ("folded,pmf,8", &[100, 120], "36 of 2^8 draws are in no entry; add rest-next or rest-mode"),
        ("folded,pmf,rest-again,8", &[100, 120], "36 of 2^8 draws are in no entry"),
        ("folded,head,8", &[100, 220], "36 of 2^8 draws are in no entry"),
        ("folded,pmf,8", &[0, 156, 100], "the center has probability 0, which no threshold of 8 bits states"),
        ("mirrored,pmf,8", &[0, 128], "the center has probability 0"),
        ("folded,tail,8", &[256, 100], "the center has probability 0"),
        ("full,pmf,first=-1,8", &[0, 0, 56, 200], "all of its values lie above the mode of the distribution"),
    ] {
        let error = table_sampler(&table(form, entries).unwrap()).err().unwrap();
        let start = format!("form = {}: has no constant-time sampler: {why}", form.parse::<TableForm>().unwrap());
        assert!(error.to_string().starts_with(&start), "{error}");
    }
    let about = |center: &str, form: &str| {
        let law = DiscreteGaussian::new(center.parse().unwrap(), law("1").width()).unwrap();
        let table = PlainTable::new(&law, &form.parse().unwrap(), whole(&[100, 20])).unwrap();
        table_sampler(&table).map(|_| ()).map_err(|error| error.to_string())
    };
    // The form that the refusal of a half line names draws its integers.
    for (center, form, first) in
        [("0", "half,tail,8", 0), ("-5", "half,tail,inclusive,8", -5), ("7/2", "half,tail,8", 4)]
    {
        let error = about(center, form).unwrap_err();
        let way = error.split_once(&format!("for its integers, from {first} on, write the form ")).unwrap().1;
        let law = DiscreteGaussian::new(center.parse().unwrap(), law("1").width()).unwrap();
        let drawn = sampled(&PlainTable::new(&law, &way.parse().unwrap(), whole(&[100, 20])).unwrap());
        assert!((first..=first + 2).all(|x| drawn.contains(&x)) && drawn.iter().all(|x| *x >= first), "{form}: {way}");
    }
    let half = about("1/2", "folded,tail,8").unwrap_err();
    assert!(half.ends_with("the center 1/2 is not an integer; write the table as a full line"), "{half}");
    for center in ["9223372036854775807", "9223372036854775806", "-9223372036854775807"] {
        let far = about(center, "folded,tail,8").unwrap_err();
        assert_eq!(
            far,
            format!(
                "center = {center}: the samples exceed 64-bit integers; subtract an integer from the center, and add it to the samples"
            )
        );
    }
    assert_eq!(about("9223372036854775805", "folded,tail,8"), Ok(()));
    let long: Vec<u128> = (0..40_000).rev().collect();
    let error = table_sampler(&table("folded,tail,64", &long).unwrap()).err().unwrap();
    assert_eq!(error.to_string(), "thresholds = 40000: expected a number between 1 and 32767");
}
