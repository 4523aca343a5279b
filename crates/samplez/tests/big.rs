//! Laws beyond 64 bits: their samples against a model, against the ideal law, and in the sampler for narrower ones.

use num_bigint::{BigInt, BigUint};
use samplez::{BigGaussian, BitReader, BitSource, DiscreteGaussian, Recipe, Seed, Source, Stream, Timing};
use samplez_sources::ChaCha20;

fn stream(byte: u8) -> Stream<samplez_sources::Generator> {
    Stream::new(Source::ChaCha20.open(&Seed::from_bytes([byte; 32])).unwrap())
}

fn integers(law: &BigGaussian, words: &[u64]) -> Vec<BigInt> {
    words.chunks(law.limbs()).map(|sample| law.decimal(sample).parse().unwrap()).collect()
}

fn drawn(text: &str, count: usize) -> Vec<BigInt> {
    let law: BigGaussian = text.parse().unwrap();
    assert_eq!(law.timing(), Timing::Isochronous, "{text}");
    integers(&law, &law.draw(&mut stream(1), count).unwrap())
}

/// Samples from the same bits by big integers. None of these proposals is rejected, which would be one in 2^19.
#[test]
fn samples_are_proposals() {
    for (text, shift, base, center) in [
        // ⌊log2 σ⌋ - 24, and 2 more than ⌊(σ/2^L)·sqrt(1 + 2^-19)⌋.
        ("sigma=1e30", 75, 26_469_806_u64, "0"),
        ("sigma=1e30,center=-1e40", 75, 26_469_806, "-10000000000000000000000000000000000000000"),
        ("sigma=18446744073709551617/2,center=7/2", 39, (1 << 24) + 17, "3"),
        ("sigma=79228162514264337593543950336", 71, (1 << 25) + 33, "0"),
    ] {
        let law: BigGaussian = text.parse().unwrap();
        let found = integers(&law, &law.draw(&mut stream(7), 300).unwrap());
        let sigma = DiscreteGaussian::with_sigma((base as i64).into()).unwrap();
        let recipe = Recipe::new(sigma).method(samplez::Method::Isochronous).exact(true);
        let base = recipe.build().unwrap().into_sampler();
        let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([7; 32])));
        let mut ys = [0_i64; 300];
        base.fill(&mut bits, &mut ys).unwrap();
        for (y, x) in ys.into_iter().zip(found) {
            let mut words = vec![0; (shift + 48_usize).div_ceil(64)];
            bits.words(&mut words);
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let low = BigUint::from_bytes_le(&bytes) % (BigUint::from(1_u8) << shift);
            let origin = center.parse::<BigInt>().unwrap() - (BigInt::from(1) << (shift - 1));
            assert_eq!(x, origin + (BigInt::from(y) << shift) + BigInt::from(low), "{text}");
        }
    }
}

/// χ² over twenty ranges that a normal distribution hits equally often, and over the lowest four bits.
#[test]
fn the_distribution_is_the_ideal_one() {
    const COUNT: usize = 40_000;
    let power = |n: u32| BigInt::from(10).pow(n);
    let two: BigInt = BigInt::from(1) << 512_u32;
    let cases = [
        ("sigma=1e30,center=1/3".to_string(), power(30), BigInt::ZERO),
        (format!("sigma={two},center=1e300"), two.clone(), power(300)),
        ("sigma_squared=1e60".to_string(), power(30), BigInt::ZERO),
        // s/sqrt(2π) and k/sqrt(2 ln 2).
        ("s=250662827463100050241576528481104525301".into(), power(38), BigInt::ZERO),
        ("k_sigma2=117741002251547469101156932645969963363".into(), power(38), BigInt::ZERO),
        ("sigma=1e18,center=1e-30".into(), power(18), BigInt::ZERO),
    ];
    // Quantiles of the normal distribution at 0.55, 0.6, …, 0.95, times 10^6.
    let upper = [125_661, 253_347, 385_320, 524_401, 674_490, 841_621, 1_036_433, 1_281_552, 1_644_854];
    for (text, sigma, center) in cases {
        let mut ranges = [0_u32; 20];
        let mut digits = [0_u32; 16];
        for x in drawn(&text, COUNT) {
            let millionths: BigInt = (&x - &center) * 1_000_000 / &sigma;
            let scaled = i64::try_from(millionths).unwrap();
            let (side, at) = (scaled < 0 || x < center, upper.iter().filter(|end| scaled.abs() >= **end).count());
            ranges[if side { 9 - at } else { 10 + at }] += 1;
            let low: BigInt = &x & BigInt::from(15);
            let low = u8::try_from(low).unwrap();
            digits[usize::from(low)] += 1;
        }
        let chi = |counts: &[u32]| {
            let each = COUNT as f64 / counts.len() as f64;
            counts.iter().map(|count| (f64::from(*count) - each).powi(2) / each).sum::<f64>()
        };
        // The 1 - 10^-6 quantiles for 19 and 15 degrees of freedom.
        assert!(chi(&ranges) < 62.0, "{text}: {ranges:?}");
        assert!(chi(&digits) < 56.0, "{text}: {digits:?}");
    }
}

/// For small σ, the samples are those of the recipe, plus the integer part of the centre.
#[test]
fn narrow_laws_are_recipes() {
    for (text, narrow, center) in [
        ("sigma=3.2,center=1e300", "sigma=3.2", BigInt::from(10).pow(300)),
        ("s=8,center=-3689348814741910323/5", "s=8,center=2/5", BigInt::from(-737_869_762_948_382_065_i64)),
        ("sigma_squared=10,center=1/3", "sigma_squared=10,center=1/3", BigInt::ZERO),
    ] {
        let law: BigGaussian = text.parse().unwrap();
        let sampler = narrow.parse::<Recipe>().unwrap().build().unwrap().into_sampler();
        let mut out = [0_i64; 512];
        stream(3).fill(&*sampler, &mut out).unwrap();
        let found = integers(&law, &law.draw(&mut stream(3), 512).unwrap());
        assert!(out.into_iter().zip(found).all(|(x, found)| center.clone() + x == found), "{text}");
    }
}

#[test]
fn texts_are_read_exactly_or_refused() {
    let shown = |text: &str| text.parse::<BigGaussian>().map_or_else(|e| e.to_string(), |law| law.to_string());
    let digits = "1".to_owned() + &"0".repeat(100);
    assert_eq!(shown("sigma=1e100"), format!("sigma={digits}"));
    assert_eq!(shown("sigma=2.50e30, center = -.5"), "sigma=2500000000000000000000000000000,center=-1/2");
    assert_eq!(shown("sigma=1e60/1e30,center=2/4"), "sigma=1000000000000000000000000000000,center=1/2");
    let small = shown("sigma=1e30,center=1.2345678901234567e-10");
    assert!(small.ends_with(",center=12345678901234567/100000000000000000000000000"), "{small}");
    for (text, message) in [
        ("sigma=0", "sigma = 0: expected a number greater than 0"),
        ("sigma=-1e30", "sigma = -1e30: expected a number greater than 0"),
        ("sigma=nan", "sigma = nan: not a number; allowed are decimals, "),
        ("sigma=inf", "sigma = inf: not a number; "),
        ("sigma=8/sqrt(2*pi)", "sigma = 8/sqrt(2*pi): not a number; "),
        ("sigma=1e30/0", "sigma = 1e30/0: the denominator is zero"),
        ("sigma=1e30/-3", "sigma = 1e30/-3: not a number; "),
        ("sigma=1e2001", "sigma = 1e2001: powers of ten are at most 2000"),
        ("sigma=1e-2147483648", "sigma = 1e-2147483648: powers of ten are at most 2000"),
        ("sigma=1e99999999999", "sigma = 1e99999999999: powers of ten are at most 2000"),
        ("sigma=1e1999", "sigma = 1e1999: numerator and denominator have at most 4096 bits in lowest terms"),
        ("sigma=1e-400", "sigma = 1e-400: expected at least 2^-60"),
        ("sigma=1e30,center=NaN", "center = NaN: not a number; "),
        ("sigma=1e30,sigma=1e31", "sigma = 1e31: is given twice"),
        ("sigma=1e30,method=karney", "method = karney: expected a width and center alone"),
        ("center=1e30", "missing width: pass one of "),
        ("", "missing recipe: "),
    ] {
        assert!(shown(text).starts_with(message), "{text}: {}", shown(text));
    }
    let long = format!("sigma={}", "1".repeat(2049));
    assert!(shown(&long).contains("a number has at most 2048 characters"));
}

/// A centre of any size is exact and isochronous for a small σ too: a computed double, or a long decimal.
#[test]
fn long_numbers_are_taken() {
    // χ² by the masses about a centre that has the same first digits.
    let law: Recipe = "sigma=3.2,center=1/4".parse().unwrap();
    let near = samplez::Law::new(&law.gaussian().unwrap());
    let far: BigInt = BigInt::from(10).pow(45);
    for (text, origin) in [
        ("sigma=3.2,center=0.2500000000000000000000000000000001".to_owned(), BigInt::ZERO),
        ("sigma=3.2000000000000000000000000000000001,center=1/4".into(), BigInt::ZERO),
        (format!("sigma_squared=10.240000000000000000000000000000000001,center={}/4", &far + 1), far / 4),
    ] {
        let law: BigGaussian = text.parse().unwrap();
        assert_eq!(law.timing(), Timing::Isochronous, "{text}");
        let words = law.draw(&mut stream(5), 40_000).unwrap();
        let mut counts = [0_u32; 41];
        for x in integers(&law, &words) {
            let x = i64::try_from(x - &origin).unwrap();
            counts[(x + 20) as usize] += 1;
        }
        let chi: f64 = (-9..=9)
            .map(|x| (40_000.0 * near.pmf(x), f64::from(counts[(x + 20) as usize])))
            .map(|(expected, found)| (found - expected).powi(2) / expected)
            .sum();
        assert!(chi < 65.0, "{text}: {chi}");
    }
}

/// A generator that fails leaves nothing.
#[test]
fn a_stuck_source_is_an_error() {
    struct Stuck;
    impl rand_core::TryRng for Stuck {
        type Error = std::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok(0)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(0)
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
            out.fill(0);
            Ok(())
        }
    }
    let law: BigGaussian = "sigma=1e30".parse().unwrap();
    assert!(law.draw(&mut Stream::new(Stuck), 3).is_err());
}
