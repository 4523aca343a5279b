use super::*;
use crate::Source;
use crate::stream::Stream;
use samplez_core::Slots;
use samplez_sources::Seed;
use samplez_tables::Law;

fn ratio(text: &str) -> Ratio {
    Ratio::read("number", text, 4096).unwrap()
}

fn near(name: &'static str, width: &str, center: &str, digits: u32) -> Near {
    Near::with_digits(name, width, &ratio(width), &ratio(center), digits).unwrap()
}

fn drawn(near: &Near, count: usize) -> Vec<i64> {
    let mut out = vec![0; count];
    let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([9; 32])).unwrap());
    near.base().noise_fill(stream.bits(), Slots::I64(&mut out)).unwrap();
    near.keep(stream.bits(), &mut out, |bits| near.base().noise_sample(bits));
    assert!(stream.verdict().is_ok());
    out
}

/// Bits of one kind: what follows decides nothing.
struct All(u64);

impl BitSource for All {
    fn bits(&mut self, n: u32) -> u64 {
        self.0 >> (64 - n)
    }
}

/// With few digits the law nearby is far away, and most of the work is the decision's: χ² against the masses of the law itself.
#[test]
fn kept_samples_have_the_law() {
    const COUNT: usize = 40_000;
    for (name, width, center, digits) in [
        ("sigma", "16/5", "1/3", 5),
        ("sigma", "16/5", "1/3", 9),
        ("sigma", "1", "-1/2", 5),
        ("sigma_squared", "10", "-2/7", 5),
        ("sigma_squared", "3/10", "1/2", 5),
        ("k_sigma2", "4", "1/7", 6),
        ("s", "8", "-3/8", 5),
        ("sigma", "1/3", "3/7", 7),
        ("sigma", "1/10", "-1/2", 9),
        ("s", "1/2", "2/5", 8),
    ] {
        let what = format!("{name}={width},center={center}");
        let near = near(name, width, center, digits);
        let law = DiscreteGaussian::new(center.parse().unwrap(), named(name, width.parse().unwrap())).unwrap();
        let mass = |x| COUNT as f64 * Law::new(&law).pmf(x);
        let drawn = drawn(&near, COUNT);
        let (mut chi, mut cells, mut rest, mut expected) = (0.0, 0, COUNT as f64, COUNT as f64);
        for x in (-80..80).filter(|x| mass(*x) >= 10.0) {
            let found = drawn.iter().filter(|drawn| **drawn == x).count() as f64;
            chi += (found - mass(x)).powi(2) / mass(x);
            (cells, rest, expected) = (cells + 1, rest - found, expected - mass(x));
        }
        chi += (rest - expected).powi(2) / expected.max(1.0);
        // Beyond the 1 - 10^-6 quantile for up to 30 degrees of freedom.
        assert!(
            cells >= 2 && chi < 5.0 * f64::sqrt(2.0 * f64::from(cells)) + f64::from(cells) + 14.0,
            "{what}: {chi} of {cells}"
        );
        assert_eq!(near.timing(), Timing::Variable, "{what}");
    }
}

/// The probability to keep x, by bisection, is the quotient of the two laws' own probabilities, relative to x = 0.
#[test]
fn probabilities_are_quotients() {
    for (name, width, center, digits) in [
        ("sigma", "16/5", "1/3", 5),
        ("sigma_squared", "10", "-2/7", 6),
        ("k_sigma2", "4", "1/7", 6),
        ("s", "8", "-3/8", 5),
        ("sigma", "3/2", "1/5", 9),
    ] {
        let near = near(name, width, center, digits);
        let law = |c, q| Law::new(&DiscreteGaussian::new(c, named(name, q)).unwrap());
        let own = law(center.parse().unwrap(), width.parse().unwrap());
        let theirs = law(outward(&ratio(center), digits), above(&ratio(width), digits).unwrap());
        let quotient = |x| own.logpmf(x) - theirs.logpmf(x);
        for x in -6..=6 {
            let mut kept = 0_u64;
            for bit in (0..64).rev().map(|place| 1 << place) {
                kept |= if near.exponent.accepts(x, kept | bit, &mut All(0)) { bit } else { 0 };
            }
            let found = (kept as f64).ln() - 64.0 * f64::ln(2.0);
            let ideal = quotient(x) - quotient(0);
            assert!((found - ideal).abs() < 1e-12, "{name}={width},{center}: {x}: {found} {ideal}");
        }
    }
}

/// The exact decision keeps each sample that the first look keeps, for all further digits. Few are left open.
#[test]
fn the_first_look_is_sound() {
    for (name, width, center) in [
        ("sigma", "3.2000000000000000000000001", "1e-30"),
        ("sigma", "67108863.99999999999999999", "-0.4999999999999999999999999"),
        ("sigma", "1", "0.33333333333333333333333333"),
        ("sigma_squared", "10.000000000000000000000000000001", "1/2"),
        ("k_sigma2", "21.00000000000000000000000000001", "-1e-300"),
        ("s", "8.00000000000000000000000001", "1/3"),
    ] {
        for digits in [30, 40, DIGITS] {
            let near = near(name, width, center, digits);
            let Some(last) = u64::try_from(near.open).ok().and_then(|open| u64::MAX.checked_sub(open)) else {
                continue;
            };
            let radius = near.radius as i64;
            for x in [-radius, 1 - radius, -radius / 2, -1, 0, 1, radius / 3, radius] {
                assert!(near.exponent.accepts(x, last, &mut All(u64::MAX)), "{name}={width},{center}: {x}");
            }
            let what = format!("{name}={width},{center}: {:e}", near.open as f64);
            assert!(digits < DIGITS || (near.open < 1 << 20 && near.timing() == Timing::Isochronous), "{what}");
        }
    }
    assert_eq!(near("sigma", "1/50", "1e-30", DIGITS).timing(), Timing::Isochronous);
    assert_eq!(near("sigma", "1e-9", "0.499999999999999999999999", DIGITS).timing(), Timing::Variable);
}

/// Of the narrowest laws the base's samples are kept all the same: at 2^-60 the nearest integer is certain, unless two are as near.
#[test]
fn narrow_laws_end() {
    for (name, width, center) in [
        ("sigma", "2e-10", "0.333333333333333333333333333333"),
        ("sigma", "1e-12", "-0.333333333333333333333333333333"),
        ("s", "5e-10", "0.49999999999999999"),
        ("sigma_squared", "1.7e-18", "0.3333333333333333333333333"),
        ("k_sigma2", "1e-15", "0.25000000000000000000000000000001"),
    ] {
        let near = near(name, width, center, DIGITS);
        assert!(drawn(&near, 50).iter().all(|x| *x == 0), "{name}={width}");
        assert_eq!(near.timing(), Timing::Variable);
        assert!(near.open == 1 << 64 || near.open > LEAK, "{name}={width}");
    }
    // Two integers as near: x and -1 - x are equally likely.
    let half = near("sigma", "1.00000000000000000000001e-9", "-1/2", DIGITS);
    let ones = drawn(&half, 400).iter().filter(|x| **x == -1).count();
    assert!((120..280).contains(&ones), "{ones}");
    let refused = |width: &str| Near::new("sigma", width, &ratio(width), &ratio("1e-30")).err().unwrap().to_string();
    let refused = refused("1/3000000000000000000.5");
    assert_eq!(refused, "sigma = 1/3000000000000000000.5: expected at least 2^-60, or a fraction of 64 bits");
}

/// Outside of the radius, and above the bound, the interval decides.
#[test]
fn others_are_decided_exactly() {
    let near = near("sigma", "3.2000000000000000000000001", "1e-30", DIGITS);
    let far = i64::MAX / 2;
    assert!(!near.exponent.accepts(far, u64::MAX, &mut All(u64::MAX)));
    assert!(!near.exponent.accepts(far, 1, &mut All(0)));
    // 1 - p is below 2^-120 at x = 0.
    assert!(near.exponent.accepts(0, u64::MAX, &mut All(0)));
}

#[test]
fn laws_nearby_are_near_and_wider() {
    for text in [
        "1",
        "3.2",
        "67108864",
        "9223372036854775807/2305843009213693952",
        "1/3",
        "1e-9",
        "0.999999999999999999999",
        "1.0000000000000000000001",
        "1e-16",
    ] {
        let q = ratio(text);
        let nearby = Ratio::from(above(&q, DIGITS).unwrap());
        let gap = nearby.minus(&q).over(&q);
        let below = |power: u32| &gap.num << power < BigInt::from(gap.den.clone());
        assert!(gap.num.sign() == Sign::Plus && below(56) && !below(59), "{text}");
    }
    assert!(above(&ratio("1e-20"), DIGITS).is_none() && above(&ratio("1e20"), DIGITS).is_none());
}
