use super::*;
use crate::arch::isochronous::MAX_SHIFT;
use crate::bits::BitSource;
use crate::fixtures::reader;
use std::vec::Vec;

type Form = fn(Rational) -> Width;

const FORMS: [Form; 4] = [Width::Sigma, Width::SigmaSq, Width::KSigma2, Width::S];

/// A natural number, the least limb first, without zeros at its end.
type Natural = Vec<u64>;

fn natural(x: u128) -> Natural {
    trimmed(std::vec![x as u64, (x >> 64) as u64])
}

fn trimmed(mut x: Natural) -> Natural {
    while x.last() == Some(&0) {
        x.pop();
    }
    x
}

fn times(a: &Natural, b: &Natural) -> Natural {
    let mut product = std::vec![0; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0;
        for (limb, y) in product[i..].iter_mut().zip(b) {
            let double = u128::from(*x) * u128::from(*y) + u128::from(*limb) + carry;
            (*limb, carry) = (double as u64, double >> 64);
        }
        product[i + b.len()] = carry as u64;
    }
    trimmed(product)
}

fn product(factors: &[u128]) -> Natural {
    factors.iter().fold(natural(1), |product, factor| times(&product, &natural(*factor)))
}

fn order(a: &Natural, b: &Natural) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// ⌊2^320·2 ln 2⌋.
const TWO_LN_2: [u64; 6] = [
    0xcf70_ec40_dbd7_5930,
    0x141a_2eb7_1755_f457,
    0x81e6_864c_e531_6c5b,
    0x93c7_6730_07e5_ed5e,
    0x62e4_2fef_a39e_f357,
    1,
];
/// ⌊2^320·2π⌋.
const TAU: [u64; 6] = [
    0x8a50_43cc_71a0_26ef,
    0x105d_f531_d89c_d912,
    0x4812_7044_533e_63a0,
    0x2633_145c_06e0_e689,
    0x487e_d511_0b46_11a6,
    6,
];

/// q^p/σ² in units of 2^-320, rounded down and up; num^p and den^p.
fn squared(width: Width) -> ([Natural; 2], Natural, Natural) {
    let (num, den) = parts(width.value());
    let (constant, p) = match width {
        Width::Sigma(_) => ([0, 0, 0, 0, 0, 1], 2),
        Width::SigmaSq(_) => ([0, 0, 0, 0, 0, 1], 1),
        Width::KSigma2(_) => (TWO_LN_2, 2),
        Width::S(_) => (TAU, 2),
    };
    let mut up = constant;
    up[0] += u64::from(constant[0] > 0);
    let power = |x: u128| product(&std::vec![x; p]);
    ([constant.to_vec(), up.to_vec()], power(num), power(den))
}

/// σ² against (a/b)².
fn by_squares(width: Width, a: u64, b: u64) -> Ordering {
    let ([low, high], num, den) = squared(width);
    let (a, b) = (product(&[a.into(); 2]), product(&[b.into(); 2]));
    let (mut left, right) = (std::vec![0; 5], times(&den, &a));
    left.extend(times(&num, &b));
    let orders = [low, high].map(|constant| order(&left, &times(&constant, &right)));
    assert_eq!(orders[0], orders[1], "{width}, {a:?}, {b:?}");
    orders[0]
}

/// A width of this form with K <= σ < 4K, and q's denominator of some bits.
fn any_width(form: Form, shift: u32, bits: &mut impl BitSource) -> Width {
    loop {
        let power = if form(Rational::ZERO) == Width::SigmaSq(Rational::ZERO) { 2 * shift } else { shift };
        let places = bits.bits(6) as u32 % (62 - power);
        let den = if places == 0 { 1 } else { 1 + bits.bits(places) };
        let least = u128::from(den) << power;
        // σ itself is K sometimes.
        let num = if places == 0 && bits.bit() { least } else { least + u128::from(bits.bits(63)) % (15 * least) };
        let num = num.min(i64::MAX as u128);
        let width = form(Rational::new(num as i64, den).unwrap());
        if by_squares(width, 1 << shift, 1) != Ordering::Less && by_squares(width, 4 << shift, 1) == Ordering::Less {
            return width.canonical();
        }
    }
}

#[test]
fn widths_compare_by_their_squares() {
    let mut bits = reader(1);
    for form in FORMS {
        for shift in (0..=MAX_SHIFT).cycle().take(500) {
            let width = any_width(form, shift, &mut bits);
            let ratio = (0.5 + bits.bits(16) as f64 / 65536.0) * 65536.0;
            let mut all = std::vec![(1 << 26, 1), (1, 1), (17 << shift, 5), (1 << (16 + shift), ratio as u64)];
            all.extend((12..41).map(|n| (n << shift, 12)));
            for (a, b) in all {
                assert_eq!(compare(width, a, b), by_squares(width, a, b), "{width}, {a}, {b}");
            }
        }
    }
}

/// The nearest rationals there are on both sides of 1 and of 2^26: some closer than 2^-125.
#[test]
fn the_nearest_widths_are_told_apart() {
    let nearest: [(Form, u64, &str, &str); 6] = [
        (Width::SigmaSq, 1, "9223372036854775806/9223372036854775807", "9223372036854775807/9223372036854775806"),
        (Width::SigmaSq, 1 << 26, "9218868437227403263/2047", "9218868437227405313/2047"),
        (Width::KSigma2, 1, "386358533444856827/328142725182024616", "8923908350191153799/7579269905589636629"),
        (Width::KSigma2, 1 << 26, "6771142230083458478/85694770647", "4179095899811845997/52890140611"),
        (Width::S, 1, "8068520677364115577/3218874038493752521", "2267323898045546789/904531366294955884"),
        (Width::S, 1 << 26, "8170783727253827194/48572884393", "7250576756639101867/43102527045"),
    ];
    for (form, bound, below, above) in nearest {
        for (q, want) in [(below, Ordering::Less), (above, Ordering::Greater)] {
            let width = form(q.parse().unwrap());
            assert_eq!((compare(width, bound, 1), by_squares(width, bound, 1)), (want, want), "{width}");
        }
    }
    for width in [Width::Sigma(Rational::from(1 << 26)), Width::SigmaSq(Rational::from(1 << 52))] {
        assert_eq!(compare(width, 1 << 26, 1), Ordering::Equal);
    }
}

#[test]
fn roots_are_those_of_the_constants() {
    for (root, square) in [(ROOT_2_LN_2, TWO_LN_2), (ROOT_TAU, TAU)] {
        // In units of 2^-192, and its square in units of 2^-384.
        let digit = |i: usize| u64::from(root[i]);
        let root = |last: u64| {
            std::vec![
                (digit(6) + last) | (digit(5) << 32),
                digit(4) | digit(3) << 32,
                digit(2) | digit(1) << 32,
                digit(0)
            ]
        };
        let mut wanted = std::vec![0];
        wanted.extend(square);
        assert_eq!(order(&times(&root(0), &root(0)), &wanted), Ordering::Less);
        assert_eq!(order(&times(&root(1), &root(1)), &wanted), Ordering::Greater);
    }
}

#[test]
fn high_halves_of_products() {
    let halves = |x: u128| (x >> 64, x & u128::from(u64::MAX));
    let mut bits = reader(1);
    let mut any = || u128::from(bits.bits(64)) << 64 | u128::from(bits.bits(64));
    let ends = [0, 1, u128::from(u64::MAX), 1 << 64, u128::MAX - 1, u128::MAX];
    let mut all: Vec<_> = ends.into_iter().flat_map(|a| ends.map(|b| (a, b))).collect();
    all.extend((0..10_000).map(|_| (any(), any())));
    for (a, b) in all {
        let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
        let ((high, low), (cross_high, cross_low)) = (halves(a1 * b0), halves(a0 * b1));
        let exact = a1 * b1 + high + cross_high + ((low + cross_low + ((a0 * b0) >> 64)) >> 64);
        assert!((0..=2).contains(&(exact - mul_high(a, b))), "{a:x}, {b:x}");
    }
}

#[test]
fn kappa_and_the_square_fall_short_by_as_little_as_they_say() {
    let mut bits = reader(2);
    for form in FORMS {
        for shift in (0..=MAX_SHIFT).cycle().take(27 * 150) {
            let width = any_width(form, shift, &mut bits);
            let kappa = kappa(width, shift);
            // K²/σ² = g·K²·den^p/num^p, g in units of 2^-320 and kappa in units of 2^-128.
            let ([low, high], num, den) = squared(width);
            let den = times(&den, &product(&[1 << (2 * shift)]));
            let scaled = |kappa: Natural| {
                let mut left = std::vec![0; 3];
                left.extend(times(&kappa, &num));
                left
            };
            assert_ne!(order(&scaled(natural(kappa)), &times(&low, &den)), Ordering::Greater, "{width}");
            let (above, carry) = kappa.overflowing_add((6 << shift) + 65);
            let above = trimmed(std::vec![above as u64, (above >> 64) as u64, carry.into()]);
            assert_eq!(order(&scaled(above), &times(&high, &den)), Ordering::Greater, "{width}");
            let wanted = kappa as f64 / 2.0 * core::f64::consts::LOG2_E;
            assert!((square(width, shift) as f64 / wanted - 1.0).abs() < 1e-15, "{width}");
        }
    }
}
