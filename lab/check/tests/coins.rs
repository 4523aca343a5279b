//! The coins of schemes: exact laws in tight brackets, bits as documented, streams that stay.

use samplez_check::tape::{Budget, ExactLaw, Tape, enumerate};
use samplez_core::bits::BitReader;
use samplez_core::testing::Counted;
use samplez_core::uniform::fill_below;
use samplez_core::{ExpCoin, Rational, Width};
use samplez_sources::{ChaCha20, Seed};
use std::num::{NonZeroU16, NonZeroU32};

fn reader(number: u8) -> BitReader<ChaCha20> {
    BitReader::new(ChaCha20::new(&Seed::from_bytes([number; 32])))
}

fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

/// The coins of f, and x/f.
type Case = (ExpCoin, u64, f64);

/// Both bases; exponents 0, below 1, whole, above 1, and such that one place of binary settles them.
fn cases() -> Vec<Case> {
    let e = |f: &str, x: u64| (ExpCoin::new(rational(f)).unwrap(), x, x as f64 / rational(f).to_f64());
    let two = |q: &str, x: u64| {
        let y = x as f64 / rational(q).to_f64() * std::f64::consts::LN_2;
        (ExpCoin::base_two(rational(q)).unwrap(), x, y)
    };
    let wide = i64::MAX.to_string();
    vec![
        e("1", 0),
        e("2", 1),
        e("4", 3),
        e("3", 1),
        e("1", 1),
        e("7", 6),
        e("7", 8),
        e("3/2", 2),
        e("2/5", 1),
        e("92450", 12_345),
        e("92450", 100_000),
        e(&wide, 1 << 62),
        e(&wide, u64::MAX),
        e("1/3", 2),
        two("1", 0),
        two("2", 1),
        two("3", 1),
        two("3", 2),
        two("1", 1),
        two("5", 7),
        two("7/3", 5),
        two("64516", 5000),
        two("64516", 150_000),
        two(&wide, 1 << 62),
        two(&wide, u64::MAX),
        two("1/2", 2),
    ]
}

fn walk(toss: impl Fn(&mut Tape) -> bool) -> ExactLaw {
    enumerate(Budget::depth(80).runs(200_000), |bits| Some(toss(bits).into())).unwrap()
}

/// The bracket of this value holds p, and is no wider than `open`.
fn check(name: &str, law: &ExactLaw, value: i64, p: f64, open: f64) {
    let bracket = law.bracket(value);
    assert!(*bracket.start() <= p * (1.0 + 1e-12) && p * (1.0 - 1e-12) <= *bracket.end(), "{name}: {bracket:?}, {p}");
    assert!(bracket.end() - bracket.start() <= open, "{name}: {bracket:?}");
}

#[test]
fn an_exponential_has_its_probability() {
    for (coin, x, y) in cases() {
        check(&format!("{coin:?}, {x}"), &walk(|bits| coin.exp_vartime(x, bits)), 1, (-y).exp(), 2e-3);
    }
}

/// The walk of a loop leaves more open. Where e^(-x/f) is a power of 2 it leaves little.
#[test]
fn a_reciprocal_hyperbolic_cosine_has_its_probability() {
    for (coin, x, y) in cases() {
        check(&format!("{coin:?}, {x}"), &walk(|bits| coin.sech_vartime(x, bits)), 1, y.cosh().recip(), 0.2);
    }
    let coin = ExpCoin::base_two(rational("1")).unwrap();
    for (x, p) in [(0, 1.0), (1, 4.0 / 5.0), (2, 8.0 / 17.0), (3, 16.0 / 65.0)] {
        check(&format!("2^-{x}"), &walk(|bits| coin.sech_vartime(x, bits)), 1, p, 0.01);
    }
}

/// 400,000 tosses each: 5 standard deviations, which a right coin leaves with probability 6e-7.
#[test]
fn frequencies_are_consistent() {
    const N: u32 = 400_000;
    let judge = |name: &str, p: f64, mut toss: Box<dyn FnMut() -> bool + '_>| {
        let hits = (0..N).filter(|_| toss()).count() as f64;
        let deviation = (p * (1.0 - p) * f64::from(N)).sqrt();
        assert!((hits - p * f64::from(N)).abs() <= 5.0 * deviation + 1e-9, "{name}: {hits} of {N}, {p}");
    };
    for (coin, x, y) in cases() {
        let (mut a, mut b) = (reader(3), reader(4));
        judge(&format!("exp of {coin:?}, {x}"), (-y).exp(), Box::new(|| coin.exp_vartime(x, &mut a)));
        judge(&format!("sech of {coin:?}, {x}"), y.cosh().recip(), Box::new(|| coin.sech_vartime(x, &mut b)));
    }
}

/// Exponents that no loop could count: false at once. The smallest: true.
#[test]
fn the_ends_of_the_range() {
    let (tiny, huge) = (Rational::new(1, u64::MAX).unwrap(), Rational::from(i64::MAX));
    for coin in [ExpCoin::new(tiny).unwrap(), ExpCoin::base_two(tiny).unwrap()] {
        assert!((0..1000).all(|_| !coin.exp_vartime(u64::MAX, &mut reader(5)) && !coin.exp_vartime(1, &mut reader(6))));
        assert!(!coin.sech_vartime(u64::MAX, &mut reader(5)));
        assert!(coin.exp_vartime(0, &mut reader(5)) && coin.sech_vartime(0, &mut reader(5)));
    }
    for coin in [ExpCoin::new(huge).unwrap(), ExpCoin::base_two(huge).unwrap()] {
        assert!((0..1000).all(|_| coin.exp_vartime(1, &mut reader(5)) && coin.sech_vartime(1, &mut reader(6))));
    }
}

#[test]
fn widths_that_have_no_coin() {
    let refused = |width| ExpCoin::of_width(width).unwrap_err().to_string();
    assert_eq!(refused(Width::Sigma(rational("-2"))), "sigma = -2: expected a number greater than 0");
    assert!(refused(Width::S(rational("8"))).starts_with("s = 8: method exp-coin allows sigma, sigma_squared or"));
    assert!(refused(Width::Sigma(rational("3000000000"))).contains("a numerator below 2^63"));
    assert!(refused(Width::SigmaSq(rational("5e18"))).starts_with("sigma_squared = 5000000000000000000"));
    assert!(refused(Width::KSigma2(Rational::new(1, 1 << 32).unwrap())).starts_with("k_sigma2 = 1/4294967296"));
    let same = |width, f: &str| assert_eq!(ExpCoin::of_width(width), ExpCoin::new(rational(f)));
    same(Width::Sigma(rational("3.2")), "20.48");
    same(Width::SigmaSq(rational("2/3")), "4/3");
    assert_eq!(ExpCoin::of_width(Width::KSigma2(rational("254"))), ExpCoin::base_two(rational("64516")));
}

/// The most bits on average, near x = f and 2f from below, and what BLISS-I's coins take.
#[test]
fn bits_are_as_documented() {
    const N: u32 = 100_000;
    let mean = |toss: &dyn Fn(&mut Counted<BitReader<ChaCha20>>) -> bool| {
        let mut bits = Counted::new(reader(2));
        (0..N).for_each(|_| _ = toss(&mut bits));
        bits.count() as f64 / f64::from(N)
    };
    let (mut exp, mut sech) = (0.0_f64, 0.0_f64);
    for (coin, q) in
        [(ExpCoin::new(rational("92450")).unwrap(), 92_450), (ExpCoin::base_two(rational("64516")).unwrap(), 64_516)]
    {
        for x in (0..16).map(|i| i * q / 5 + i % 3 * 7).chain([q - 1, q + 1, 2 * q - 1, 3 * q - 1]) {
            exp = exp.max(mean(&|bits| coin.exp_vartime(x, bits)));
            sech = sech.max(mean(&|bits| coin.sech_vartime(x, bits)));
        }
    }
    println!("at most {exp:.3} and {sech:.3} bits");
    assert!((5.4..5.5).contains(&exp) && (13.8..14.0).contains(&sech), "{exp} and {sech}");
    let bliss = ExpCoin::of_width(Width::KSigma2(rational("254"))).unwrap();
    assert_eq!(mean(&|bits| bliss.exp_vartime(0, bits)), 0.0);
    assert!(mean(&|bits| bliss.exp_vartime(5000, bits)) < 2.3);
}

/// Pairs from a walk: each of the q² with its probability, up to what is undecided.
#[test]
fn residues_are_uniform_and_independent() {
    fn judge(q: u16) {
        let modulus = NonZeroU16::new(q).unwrap();
        let law = enumerate(Budget::depth(40).runs(400_000), |bits| {
            let mut pair = [0; 2];
            fill_below(modulus, bits, &mut pair);
            Some(i64::from(pair[0]) * i64::from(q) + i64::from(pair[1]))
        });
        let (law, pairs) = (law.unwrap(), i64::from(q) * i64::from(q));
        assert_eq!(law.values().count() as i64, pairs);
        for pair in 0..pairs {
            check(&format!("{q}: {pair}"), &law, pair, 1.0 / pairs as f64, 0.05);
        }
    }
    [1, 2, 3, 5, 6, 7, 8, 11].into_iter().for_each(judge);
}

/// 10^6 residues modulo each q, in 16 classes: chi² below the quantile 1 - 1e-7 of 15 degrees.
#[test]
fn residues_are_consistent() {
    const N: usize = 1_000_000;
    fn chi2(classes: impl Iterator<Item = u64>, q: u64) -> f64 {
        let mut counts = [0_u32; 16];
        classes.for_each(|x| counts[(x * 16 / q) as usize] += 1);
        // Residues of the class i: those from ⌈iq/16⌉ to below ⌈(i+1)q/16⌉.
        let expected = |i: u64| (((i + 1) * q).div_ceil(16) - (i * q).div_ceil(16)) as f64 / q as f64 * N as f64;
        counts.iter().zip(0..).map(|(n, i)| (f64::from(*n) - expected(i)).powi(2) / expected(i)).sum()
    }
    for q in [7681, 12_289, 40_961, u16::MAX] {
        let mut out = vec![0_u16; N];
        fill_below(NonZeroU16::new(q).unwrap(), &mut reader(9), &mut out);
        let chi2 = chi2(out.iter().map(|x| u64::from(*x)), q.into());
        assert!(chi2 < 63.0, "{q}: {chi2}");
    }
    for q in [8_380_417, u32::MAX] {
        let mut out = vec![0_u32; N];
        fill_below(NonZeroU32::new(q).unwrap(), &mut reader(9), &mut out);
        let chi2 = chi2(out.iter().map(|x| u64::from(*x)), q.into());
        assert!(chi2 < 63.0, "{q}: {chi2}");
    }
}

/// The same tosses and residues as ever from the seed 00…00, and this many bits.
#[test]
fn streams_stay() {
    let tosses = |coin: ExpCoin, sech: bool| {
        let mut bits = Counted::new(reader(0));
        let toss = |i: u64| {
            let x = i * 7919;
            if sech { coin.sech_vartime(x, &mut bits) } else { coin.exp_vartime(x, &mut bits) }
        };
        let outcome = (0..64).map(toss).fold(0_u64, |all, heads| all << 1 | u64::from(heads));
        (outcome, bits.count())
    };
    let e = ExpCoin::of_width(Width::Sigma(rational("215"))).unwrap();
    let two = ExpCoin::of_width(Width::KSigma2(rational("254"))).unwrap();
    assert_eq!([tosses(e, false), tosses(e, true)], [(0xf988_20c0_0240_4000, 244), (0xffcd_404d_0008_0000, 750)]);
    assert_eq!([tosses(two, false), tosses(two, true)], [(0xfd42_8000_2000_0000, 153), (0xffb6_5028_1008_0000, 504)]);
    let mut bits = Counted::new(reader(0));
    let (mut short, mut long) = ([0; 12], [0; 6]);
    fill_below(NonZeroU16::new(12_289).unwrap(), &mut bits, &mut short);
    fill_below(NonZeroU32::new(8_380_417).unwrap(), &mut bits, &mut long);
    assert_eq!(short, [6666, 3964, 144, 10_613, 8596, 10_429, 2804, 413, 10_286, 11_661, 8299, 7221]);
    assert_eq!((long, bits.count()), ([1_318_316, 6_958_987, 6_509_077, 7_344_699, 5_814_335, 5_533_333], 390));
}
