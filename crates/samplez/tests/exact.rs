//! Methods over tables of few bits, where one sample in a few is of the remainder: with `exact` their samples are consistent with
//! the ideal law, without it they are not.

use rand::RngExt as _;
use samplez::{
    BitReader, Bulk, Method, RandDistribution, RangeError, Recipe, Seed, Source, Stream, StreamError, Timing,
};
use samplez_sources::ChaCha20;
use samplez_stats::Verifier;

/// Those with the law of an inversion table.
const METHODS: [&str; 7] =
    ["cdt", "cdt-guided", "cdt-ct", "cdt-lazy-ct", "knuth-yao", "knuth-yao-compact", "knuth-yao-ct"];

/// So many samples: most as an array, some as fills of a stream, and some one by one.
fn drawn(recipe: &str, count: usize) -> Vec<i64> {
    let sampler = recipe.parse::<Recipe>().unwrap().build().unwrap().into_sampler();
    let mut samples = vec![0_i64; count];
    let (array, rest) = samples.split_at_mut(count / 2);
    let (fills, singles) = rest.split_at_mut(count / 4);
    Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([3; 32])).fill(5, array).unwrap();
    let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([4; 32])).unwrap());
    fills.chunks_mut(777).for_each(|fill| stream.fill(&*sampler, fill).unwrap());
    singles.iter_mut().for_each(|slot| *slot = stream.sample(&*sampler).unwrap());
    samples
}

fn is_consistent(recipe: &str, count: usize) -> bool {
    let mut verifier = Verifier::new(&recipe.parse::<Recipe>().unwrap().gaussian().unwrap()).unwrap();
    verifier.push(&drawn(recipe, count));
    verifier.finish().unwrap().consistent
}

#[test]
fn coarse_tables_are_exact_by_their_remainder() {
    let laws = ["sigma=2", "sigma_squared=5,center=1/3", "k_sigma2=3,center=-7/2", "s=6,center=1/3"];
    for (i, method) in METHODS.into_iter().enumerate() {
        let law = laws[i % 4];
        let recipe = format!("{law},method={method},precision=6");
        let count = if law == laws[0] { 8_000 } else { 4_000 };
        assert!(!is_consistent(&recipe, count), "{recipe}: not seen without the remainder");
        assert!(is_consistent(&format!("{recipe},exact=true"), count), "{recipe}");
    }
}

/// Trials with heights, rectangles, coins or a tail that is cut off: so many samples tell each from the ideal law.
#[test]
fn coarse_trials_are_exact_by_their_remainder() {
    for (recipe, count) in [
        ("sigma=2,method=ziggurat,precision=7,rectangles=8", 40_000),
        ("s=6,center=-3,method=ziggurat,precision=6,rectangles=4,tail=2", 16_000),
        ("sigma_squared=5,method=rejection-table,precision=5", 16_000),
        ("k_sigma2=3,center=2,method=rejection-table,tail=2", 16_000),
        ("k_sigma2=3,center=2,method=bernoulli,precision=4", 40_000),
        ("k_sigma2=5,method=bernoulli,precision=4,frugal=true", 40_000),
        ("sigma=3,center=1/3,method=rejection,tail=2", 16_000),
    ] {
        let recipe = format!("{recipe},variable_time=true");
        assert!(!is_consistent(&recipe, count), "{recipe}: not seen without the remainder");
        assert!(is_consistent(&format!("{recipe},exact=true"), count), "{recipe}");
    }
}

/// Single samples as a distribution of the crate `rand`: from the remainder too, and of `i64` alone.
#[test]
fn a_distribution_is_exact() {
    let recipe = "sigma=2,center=1/3,method=cdt,precision=8,exact=true".parse::<Recipe>().unwrap();
    let sampler = recipe.build().unwrap().into_sampler();
    let distribution = RandDistribution::new(&*sampler);
    assert!(distribution.narrow::<i8>().is_err());
    let rng = ChaCha20::new(&Seed::from_bytes([6; 32]));
    let samples: Vec<i64> = rng.sample_iter(distribution).take(16_000).collect();
    let support = &sampler.profile().support;
    assert!(samples.iter().any(|x| !support.contains(x)), "no sample of the remainder outside of {support:?}");
    let mut verifier = Verifier::new(&recipe.gaussian().unwrap()).unwrap();
    verifier.push(&samples);
    assert!(verifier.finish().unwrap().consistent);
}

/// Wherever an array begins and ends, it is a part of the whole.
#[test]
fn parts_of_an_array_are_those_of_the_whole() {
    for (method, precision) in METHODS.into_iter().flat_map(|method| [(method, 14), (method, 128)]) {
        let recipe = format!("sigma=3,center=2,method={method},precision={precision},exact=true");
        let sampler = recipe.parse::<Recipe>().unwrap().build().unwrap().into_sampler();
        assert_eq!(sampler.batch(), 8192);
        let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_bytes([3; 32]));
        let mut whole = vec![0_i64; 20_000];
        bulk.fill(0, &mut whole).unwrap();
        for (first, len) in [(0, 1), (0, 9000), (511, 2), (2047, 3000), (8191, 2), (8192, 500), (16_000, 4000)] {
            let mut part = vec![0_i16; len];
            bulk.fill(first, &mut part).unwrap();
            let of_whole = &whole[first as usize..][..len];
            assert!(part.iter().zip(of_whole).all(|(a, b)| i64::from(*a) == *b), "{recipe}: {len} from {first}");
        }
    }
}

#[test]
fn what_is_exact_says_so() {
    let built = |recipe: &str| recipe.parse::<Recipe>().unwrap().build();
    for method in METHODS {
        let exact = built(&format!("s=8,center=1/3,method={method},exact=true")).unwrap();
        let own = built(&format!("s=8,center=1/3,method={method}")).unwrap();
        assert!(exact.certificate().bound().is_none() && own.certificate().bound().is_some());
        assert_eq!((exact.profile().timing, &exact.profile().support), (own.profile().timing, &own.profile().support));
        // The recipe makes the same again.
        assert!(exact.recipe().to_string().contains("exact=true") && !own.recipe().to_string().contains("exact"));
    }
    let exact = built("sigma_squared=10,center=1/3,method=isochronous,exact=true").unwrap();
    assert!(exact.certificate().bound().is_none() && exact.profile().timing == Timing::Isochronous);
    // The planner finds one for every demand.
    for (recipe, method) in [
        ("sigma=3.2,constant_time=true,exact=true", Method::KnuthYaoCt),
        ("s=8,center=1/3,constant_time=true,exact=true", Method::KnuthYaoCt),
        ("sigma=1e5,center=1/3,exact=true", Method::Isochronous),
    ] {
        let built = built(recipe).unwrap();
        assert!(
            built.method() == Some(method) && built.certificate().bound().is_none(),
            "{recipe}: {:?}",
            built.method()
        );
    }
    let coarse = built("sigma=100,method=cdt,precision=5,exact=true").unwrap_err();
    assert_eq!(
        coarse.to_string(),
        "precision = 5: sigma = 100: a table of 5 bits is too coarse to be made exact. Choose a higher precision, so that R_inf \
         is at most 2, or 1 + 2^-64 for sigma above 2^14 or above 1024 rectangles"
    );
    let refused = built("sigma=215,method=convolution,exact=true").unwrap_err().to_string();
    assert!(refused.contains("exact are karney, cdt, cdt-guided, "), "{refused}");
    let wide = built("k_sigma2=20000,method=bernoulli,exact=true").unwrap_err().to_string();
    assert_eq!(
        wide,
        "k_sigma2 = 20000: method bernoulli allows k up to 2^14 with exact; method du-wei-5 is exact for larger k"
    );
    for few in
        ["sigma=100000,method=ziggurat,precision=20,rectangles=65536,tail=3", "sigma=1e5,method=cdt,precision=40"]
    {
        let refused = built(&format!("{few},exact=true,variable_time=true")).unwrap_err().to_string();
        assert!(refused.contains(" bits is too coarse to be made exact. Choose a higher precision"), "{refused}");
    }
    let rectangles =
        built("sigma=100,method=ziggurat,precision=20,rectangles=2000,exact=true").unwrap_err().to_string();
    assert!(rectangles.contains("or above 1024 rectangles"), "{rectangles}");
    let endless = built("sigma=1e8,method=rejection,tail=2,exact=true").unwrap_err().to_string();
    assert!(endless.starts_with("tail = 2: with exact, a tail beyond which"), "{endless}");
    assert!(built("sigma=1e8,method=rejection,exact=true").unwrap().certificate().bound().is_none());
    let cut = built("sigma=3,method=rejection,tail=1/3,exact=true").unwrap_err().to_string();
    assert_eq!(
        cut,
        "tail = 1/3: with exact, a tail beyond which less than half of the law lies, and less than 2^-64 if sigma is above 2^14"
    );
}

/// The ideal law has no ends: a type that holds the table's support may be too narrow for a sample of the remainder.
#[test]
fn a_remainder_that_does_not_fit_is_an_error() {
    let sampler =
        "sigma=30,method=cdt,precision=13,exact=true".parse::<Recipe>().unwrap().build().unwrap().into_sampler();
    assert!(sampler.fits::<i8>());
    let mut out = [0_i8; 8192];
    // Bulk arrays and streams refuse the type.
    let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([4; 32])).unwrap());
    assert!(matches!(stream.fill(&*sampler, &mut out), Err(StreamError::Narrow(_))));
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([4; 32])));
    let error = (0..40).find_map(|_| sampler.fill(&mut bits, &mut out).err()).expect("a sample beyond 4σ");
    assert_eq!(error, RangeError::of::<i8>());
    stream.fill(&*sampler, &mut [0_i16; 8192]).unwrap();
}
