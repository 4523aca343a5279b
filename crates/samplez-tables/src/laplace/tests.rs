use super::*;
use crate::law::TargetLaw;
use alloc::string::ToString;
use alloc::vec::Vec;
use samplez_core::{NoiseLaw, Sampler};

fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

fn law(scale: &str) -> TargetLaw {
    TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale: rational(scale) }).unwrap()
}

/// λ, x, P(X = x) and P(X > x), by mpmath with 60 digits.
const VALUES: [(&str, i64, f64, f64); 27] = [
    ("1/65536", 0, 1.0, 0.0),
    ("1/65536", 1, 0.0, 0.0),
    ("1/3", 0, 0.9051482536448664, 0.04742587317756678),
    ("1/3", 1, 0.04506467798726962, 0.002361195190297162),
    ("1/3", 2, 0.0022436382039279657, 0.00011755698636919632),
    ("1/3", 7, 6.863341329481133e-10, 3.596095492153866e-11),
    ("1/3", 40, 6.940358263492892e-53, 3.636449051145538e-54),
    ("1", 0, 0.46211715726000974, 0.2689414213699951),
    ("1", 1, 0.17000340156854793, 0.0989380198014472),
    ("1", 4, 0.008463970976662724, 0.004925833956035728),
    ("1", 30, 4.3243181250713945e-14, 2.5166524218843902e-14),
    ("1", 200, 6.395223288775822e-88, 3.721870989295776e-88),
    ("3/2", 0, 0.32151273753163434, 0.33924363123418283),
    ("3/2", 3, 0.04351201739802245, 0.04591163291929512),
    ("3/2", 17, 3.847636669023566e-06, 4.0598274435112236e-06),
    ("12345/7", 0, 0.00028351558576120394, 0.4998582422071194),
    ("12345/7", 42, 0.00027684334039123764, 0.48809459671563293),
    ("12345/7", 500, 0.0002135244838459623, 0.37645892685886445),
    ("12345/7", 100000, 6.710044381691752e-29, 1.1830287850874e-25),
    ("1048576", 0, 4.7683715820308884e-07, 0.4999997615814209),
    ("1048576", 1, 4.768367034559548e-07, 0.49999928474471744),
    ("1048576", 12345678, 3.673608042418815e-12, 3.852055389883623e-06),
    ("1125899906842624", 0, 4.440892098500626e-16, 0.4999999999999998),
    ("1125899906842624", 1, 4.440892098500622e-16, 0.49999999999999933),
    ("1125899906842624", 1000000000000000, 1.8270028907758237e-16, 0.20570223845257038),
    ("1125899906842624", 100000000000000000, 1.1867836622370001e-54, 1.336199614754986e-39),
    ("1125899906842624", 600000000000000000, 1.6176264829377523e-247, 1.8212855064457758e-232),
];

/// λ and the variance, likewise.
const VARIANCES: [(&str, f64); 7] = [
    ("1/65536", 0.0),
    ("1/3", 0.11028201100411952),
    ("1", 1.8413471884155845),
    ("3/2", 4.336972717625868),
    ("10", 199.83341663360946),
    ("12345/7", 6220368.2006802745),
    ("1125899906842624", 2.535301200456459e+30),
];

/// A law by its scale has these probabilities and variances.
fn check(law: impl Fn(&str) -> TargetLaw, values: &[(&str, i64, f64, f64)], variances: &[(&str, f64)]) {
    for (scale, x, mass, above) in values {
        let law = law(scale);
        assert_eq!((law.pmf(*x), law.pmf(-x)), (*mass, *mass), "{scale} at {x}");
        assert_eq!((law.sf(*x), law.cdf(-x - 1)), (*above, *above), "{scale} at {x}");
        let support = law.support();
        assert_eq!((law.mass(support), law.pmf(i64::MAX), law.pmf(i64::MIN)), (1.0, 0.0, 0.0));
    }
    for (scale, variance) in variances {
        let found = law(scale).mean_and_variance().unwrap();
        assert!(found.0 == 0.0 && (found.1 - variance).abs() <= 1e-14 * variance, "{scale}: {found:?}");
    }
}

#[test]
fn probabilities_are_those_of_mpmath() {
    check(law, &VALUES, &VARIANCES);
    let law = law("3/2");
    assert_eq!((law.to_string(), law.is_cut()), ("DiscreteLaplace(3/2)".into(), false));
    let residues = law.modulo(5).unwrap();
    let wrapped: f64 = (-40..=40).map(|k| law.pmf(5 * k + 2)).sum();
    assert!((residues.pmf(2) - wrapped).abs() < 1e-15 && law.within(-3..=3).unwrap().is_cut());
}

/// λ, x, P(X = x) and P(X > x) of the integer nearest to a Laplace variable, by mpmath with 60 digits.
const ROUNDED: [(&str, i64, f64, f64); 14] = [
    ("1/16", 0, 0.9996645373720975, 0.00016773131395125593),
    ("1/16", 1, 0.0001677312950755832, 1.887567272139549e-11),
    ("1/3", 0, 0.7768698398515702, 0.11156508007421491),
    ("1/3", 2, 0.0052779560840472365, 0.0002765421850739168),
    ("1/3", 40, 1.6326565512273607e-52, 8.554417713256946e-54),
    ("3/2", 0, 0.28346868942621073, 0.35826565528689464),
    ("3/2", 1, 0.17432593470117347, 0.18393972058572117),
    ("3/2", 17, 4.0633808437866835e-06, 4.287469551336146e-06),
    ("12345/7", 0, 0.0002834754066097425, 0.4998582622966951),
    ("12345/7", 500, 0.00021352449242762793, 0.3764589419889543),
    ("12345/7", 100000, 6.710044651372101e-29, 1.183028832633973e-25),
    ("1125899906842624", 0, 4.440892098500625e-16, 0.4999999999999998),
    ("1125899906842624", 1000000000000000, 1.8270028907758237e-16, 0.20570223845257038),
    ("1125899906842624", 600000000000000000, 1.6176264829377523e-247, 1.8212855064457758e-232),
];

/// λ and the variance of the rounded law, by the sum of squares.
const ROUNDED_VARIANCES: [(&str, f64); 5] = [
    ("1/65536", 0.0),
    ("1/16", 0.0003354627411565694),
    ("1/3", 0.2594284630744524),
    ("3/2", 4.580154878630639),
    ("12345/7", 6220368.45068027),
];

#[test]
fn rounded_probabilities_are_those_of_mpmath() {
    let rounded = |scale: &str| TargetLaw::rounded_laplace(rational(scale)).unwrap();
    check(rounded, &ROUNDED, &ROUNDED_VARIANCES);
    let law = rounded("3/2");
    assert_eq!(
        (law.to_string(), law.rounded_scale(), law.noise()),
        ("RoundedLaplace(3/2)".into(), Some(rational("3/2")), None)
    );
    let cut = law.within(-3..=3).unwrap();
    assert!((cut.pmf(0) - law.pmf(0) / law.mass(-3..=3)).abs() < 1e-15 && cut.is_cut() && cut.noise().is_none());
    let wrapped: f64 = (-40..=40).map(|k| law.pmf(5 * k + 2)).sum();
    assert!((law.modulo(5).unwrap().pmf(2) - wrapped).abs() < 1e-15);
    let others = |law: &TargetLaw| law.others().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(others(&law), ["DiscreteLaplace(3/2)"]);
    assert_eq!(others(&self::law("3/2").modulo(12).unwrap()), ["RoundedLaplace(3/2), modulo 12"]);
    assert!(
        ["0", "-1", "1/65537", "1125899906842625"]
            .iter()
            .all(|scale| TargetLaw::rounded_laplace(rational(scale)).is_err())
    );
}

/// The coins are independent, so their product is P(|X| - 1 = g), given that X is not 0: with intervals of 512 bits.
#[test]
fn products_of_the_coins_are_the_law() {
    for scale in ["1/65536", "1/50", "1/3", "1", "7/3", "10", "123457/11", "1125899906842624"] {
        let (digits, places) = (LaplaceDigits { scale: rational(scale) }, places(scale));
        let not = |p: &Interval<LIMBS>| Interval::ONE.sub(p);
        let beyond = digits.probability(LaplaceCoin::Beyond(places));
        let coins: Vec<_> = (0..places).map(|j| digits.probability(LaplaceCoin::Digit(j))).collect();
        let tails = LaplaceTails::<LIMBS>::new(rational(scale));
        for g in [0_u64, 1, 2, 3, 5, 8, 13, 37, 100, 1 << 20, 1 << 40].into_iter().filter(|g| g >> places == 0) {
            let of = |j: usize| if g >> j & 1 == 1 { coins[j] } else { not(&coins[j]) };
            let product = (0..coins.len()).fold(not(&beyond), |product, j| product.mul(&of(j)));
            let both = product.mul(&digits.probability(LaplaceCoin::NotZero));
            let mass = tails.above(g as i64).sub(&tails.above(g as i64 + 1)).fixed().times(2);
            assert!(agree(&both, &mass), "{scale} at {g}");
            // The mutant: a product that is off by 2^-60 of itself.
            let off = both.mul(&Interval::ONE.sub(&Interval::ONE.shr(60)));
            assert!(mass.lo[4..] == [0; 5] || !agree(&off, &mass), "{scale} at {g}");
        }
        let (low, rest) = (digits.leading(LaplaceCoin::NotZero), digits.leading(LaplaceCoin::Beyond(places)));
        assert!(rest == 0 && (low == 0) == (places == 0 && scale != "1/3"), "{scale}");
    }
}

/// n of the sampler.
fn places(scale: &str) -> u32 {
    let bytes = build_laplace(rational(scale)).unwrap().profile().table_bytes;
    bytes as u32 / 8 - 2
}

/// The intervals overlap, and are narrow.
fn agree(a: &Interval<LIMBS>, b: &Interval<LIMBS>) -> bool {
    let meets = !less(&a.hi().unwrap(), &b.lo) && !less(&b.hi().unwrap(), &a.lo);
    meets && a.width.max(b.width) < 1 << 40
}

/// Words that are the probability's own digits from `known` on, and then all alike.
struct Digits(Vec<u64>, bool);

impl BitSource for Digits {
    fn bits(&mut self, n: u32) -> u64 {
        self.0.remove(0) & (u64::MAX >> (64 - n))
    }
    fn condemn(&mut self) {
        self.1 = true;
    }
}

#[test]
fn comparisons_are_those_of_all_digits() {
    for scale in ["1/3", "10", "1125899906842624"] {
        let digits = LaplaceDigits { scale: rational(scale) };
        for coin in [LaplaceCoin::Digit(0), LaplaceCoin::Digit(2), LaplaceCoin::NotZero] {
            let lo = digits.probability(coin).lo;
            for known in [0, 32, 63] {
                let compare = |own: [u64; LIMBS]| {
                    let mut bits = Digits(own[..LIMBS - 1].to_vec(), false);
                    (digits.is_below(coin, known, &mut bits), bits.1)
                };
                // A digit of 2^-400 less or more, and the end itself, which 512 bits do not decide.
                let (mut less, mut more) = (lo, lo);
                (less[1], more[1]) = (lo[1].wrapping_sub(1 << 48), lo[1].wrapping_add(1 << 48));
                assert!(lo[1] >= 1 << 48 && lo[1] <= u64::MAX - (1 << 48), "{scale} {coin:?}: choose another digit");
                assert_eq!((compare(less), compare(more)), ((true, false), (false, false)), "{scale} {coin:?} {known}");
                assert_eq!(compare(lo), (false, true), "{scale} {coin:?} {known}");
            }
        }
    }
}

#[test]
fn scales_outside_of_the_range_are_refused() {
    for scale in ["0", "-1", "1/65537", "1125899906842625", "2251799813685249/2"] {
        assert!(build_laplace(rational(scale)).is_err());
        assert!(TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale: rational(scale) }).is_err());
    }
    // Numerators and denominators at their limits.
    for scale in [
        "1/65536",
        "9223372036854775807/8192",
        "9223372036854775807/9223372036854775808",
        "281474976710657/18446744073709551615",
    ] {
        assert!(build_laplace(rational(scale)).is_ok(), "{scale}");
        assert!(law(scale).pmf(0) > 0.0);
    }
}
