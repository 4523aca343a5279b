//! The samplers against the steps of their files, on the same bits: products in full, and uniforms compared with them place by place.

use super::*;
use crate::bits::{BitReader, Fault, uniform_below};
use crate::fixtures::{BOUND, Stuck, Tape, reader};
use crate::params::{DiscreteGaussian, Rational, Width};
use crate::samplers::common::below::uniform_bits;
use std::vec;
use std::vec::Vec;

pub(super) type Table = BernoulliTable<Vec<u32>>;

/// A table whose entries have these first 64 bits, and any in the places that follow.
pub(super) fn table_of(k: u64, center: i64, precision: u32, first: impl Fn(u32) -> u64) -> Table {
    let width = Width::KSigma2(Rational::from(k as i64));
    let law = DiscreteGaussian::new(Rational::from(center), width).unwrap();
    let last = u64::from((precision + 31).isqrt());
    let most = (k - 1) * (k - 1 + 2 * k * last);
    let (mut digits, each, mut bits) = (vec![], precision.div_ceil(32) as usize, reader(3));
    for i in 0..u64::BITS - most.leading_zeros() {
        let head = [(first(i) >> 32) as u32, first(i) as u32];
        digits.extend((0..each).map(|d| head.get(d).copied().unwrap_or_else(|| bits.bits(32) as u32)));
        *digits.last_mut().unwrap() &= u32::MAX << (precision.wrapping_neg() % 32);
    }
    BernoulliTable::new(law, BOUND, precision, digits).unwrap()
}

/// The law's own entries 2^(-2^i/k²), to 50 bits or so.
pub(super) fn table(k: u64, center: i64, precision: u32) -> Table {
    table_of(k, center, precision, |i| {
        let y = -f64::from(i).exp2() / (k as f64 * k as f64);
        (y.exp2() * 64_f64.exp2()) as u64
    })
}

/// The places of the product of the entries over the bits of z, by multiplication of each by each bit.
pub(super) fn product(table: &Table, z: u64) -> Vec<bool> {
    let mut number = vec![1_u32];
    let mut len = 0;
    for i in (0..64).filter(|i| z >> i & 1 == 1) {
        let entry = table.entry(i);
        len += 32 * entry.len();
        // Least significant first.
        let mut next = vec![0_u64; number.len() + entry.len() + 1];
        for (a, digit) in number.iter().enumerate() {
            for (b, other) in entry.iter().rev().enumerate() {
                let term = u64::from(*digit) * u64::from(*other);
                next[a + b] += term & 0xffff_ffff;
                next[a + b + 1] += term >> 32;
            }
        }
        let mut carry = 0;
        number = next
            .iter()
            .map(|sum| {
                carry += sum;
                let digit = carry as u32;
                carry >>= 32;
                digit
            })
            .collect();
        assert!(carry == 0);
    }
    (0..len).rev().map(|place| number[place / 32] >> (place % 32) & 1 == 1).collect()
}

/// Whether a uniform with these first places is below the product: the first place in which they differ decides.
pub(super) fn is_below(known: u64, count: u32, z: u64, table: &Table, bits: &mut Tape) -> bool {
    if z == 0 {
        return true;
    }
    for (place, digit) in (0_u32..).zip(product(table, z)) {
        let drawn = if place < count { known >> (count - 1 - place) & 1 == 1 } else { bits.bits(1) == 1 };
        if drawn != digit {
            return digit;
        }
    }
    false
}

/// x by BIN from p places of its uniform and what follows, the sign in the lowest bit, then y and the uniform.
fn model(table: &Table, [p, j, c]: [u32; 3], bits: &mut Tape) -> Option<i64> {
    let draw = bits.bits(1 + p + j + c);
    let field = |from: u32, len: u32| (draw >> from) & ((1 << len) - 1);
    let (prefix, mut end, mut x) = (field(1, p), 0, None);
    for candidate in (0..p).take_while(|x| x * x < p) {
        let begin = end;
        end += 1 << (p - candidate * candidate - 1);
        if (begin..end).contains(&prefix) {
            x = Some(u64::from(candidate));
        }
    }
    if prefix == end {
        x = Some(HalfLine::Bin.settle(p, bits).filter(|x| *x <= table.last_x())?);
    }
    // A rejected x goes on as 0.
    let (k, is_rejected) = (table.k(), x.is_none());
    let x = x.unwrap_or(0);
    let (scaled, unit) = (u128::from(k) * u128::from(field(1 + p, j)), 1_u128 << j);
    let y = if scaled % unit < unit % u128::from(k) { uniform_below(k, bits) } else { (scaled / unit) as u64 };
    let accepted = is_below(field(1 + p + j, c), c, y * y + 2 * k * x * y, table, bits);
    let value = (k * x + y) as i64;
    let is_negative = draw & 1 == 1;
    (accepted && !is_rejected && !(value == 0 && is_negative))
        .then(|| if is_negative { table.center() - value } else { table.center() + value })
}

/// Bits for x's prefix, y and the uniform.
const fn widths(k: u64) -> [u32; 3] {
    if k <= 512 { [8, 12, 11] } else { [8, 36, 19] }
}

fn agree(attempt: impl Fn(&mut Tape) -> Option<i64>, model: impl Fn(&mut Tape) -> Option<i64>, tape: &Tape) {
    let (mut ours, mut theirs) = (tape.clone(), tape.clone());
    let expected = model(&mut theirs);
    assert_eq!((attempt(&mut ours), ours.read), (expected, theirs.read), "{tape:x?}");
}

#[test]
fn attempts_take_their_steps() {
    let mut bits = reader(1);
    for (k, precision) in [
        (1, 128),
        (2, 64),
        (3, 33),
        (254, 128),
        (511, 8),
        (512, 40),
        (513, 64),
        (188_388, 72),
        (1 << 28, 65),
        (1 << 28, 256),
    ] {
        let sampler = Bernoulli::from_table(table(k, -9, precision));
        let [p, j, c] = widths(k);
        // The long products take their time.
        for round in 0..if precision > 200 { 9 } else { 60 } {
            let prefixes = [0, 127, 128, 191, 192, 199, 200, 201, 255];
            let prefix = if bits.bit() { prefixes[round % 9] } else { bits.bits(p) };
            let x = match prefix {
                0..=127 => 0,
                128..=191 => 1,
                192..=199 => 2,
                _ => 0,
            };
            let y = [0, k - 1, uniform_below(k, &mut bits)][round % 3];
            let draw =
                if round % 8 == 5 { 0 } else { (((u128::from(y) << j) / u128::from(k)) as u64 + 2).min((1 << j) - 1) };
            let y = ((u128::from(draw) * u128::from(k)) >> j) as u64;
            let head = product(sampler.table(), y * y + 2 * k * x * y)
                .iter()
                .take(c as usize)
                .fold(0, |head, place| head << 1 | u64::from(*place));
            let most = (1 << c) - 1;
            let places = match bits.bits(3) {
                0 => 0,
                1 => most,
                2 => head.saturating_sub(1),
                3 => (head + 1).min(most),
                4 | 5 => head,
                _ => bits.bits(c),
            };
            let first = bits.bits(1) | prefix << 1 | draw << (1 + p) | places << (1 + p + j);
            // What settles an open x comes first: a run of zeros.
            let next = (bits.bits(36) << 28 | 1 << [0, 1, 8, 17, 27][round % 5]) << (if k <= 512 { 32 } else { 0 });
            let words = if k <= 512 { vec![first | next] } else { vec![first, next] };
            let tape = Tape::words(&words, bits.bits(20));
            let model = |widths| {
                let table = sampler.table();
                move |bits: &mut Tape| model(table, widths, bits)
            };
            agree(|bits| sampler.attempt(bits), model([p, j, c]), &tape);
            agree(|bits| sampler.attempt_narrow::<256, 36, 19, _>(bits), model([8, 36, 19]), &tape);
            if k <= 512 {
                agree(|bits| sampler.attempt_narrow::<2, 1, 1, _>(bits), model([1, 1, 1]), &tape);
                agree(|bits| sampler.attempt_narrow::<16, 9, 2, _>(bits), model([4, 9, 2]), &tape);
            }
            let (mut ours, mut theirs) = (tape.clone(), tape);
            let expected = (0..).find_map(|_| model(widths(k))(&mut theirs));
            assert_eq!((Some(sampler.sample(&mut ours)), ours), (expected, theirs));
        }
    }
}

#[test]
fn an_x_beyond_the_table_is_rejected() {
    for (k, precision) in [(2, 8), (3, 20), (254, 16), (511, 8)] {
        let sampler = Bernoulli::from_table(table(k, 7, precision));
        let ([p, j, c], last) = (widths(k), sampler.table().last_x());
        for x in [last, last + 1] {
            // An open prefix, y = 0, a uniform below anything, and what settles x: x² - p zeros and a one.
            let zeros = (x * x) as u32 - p;
            let tape = Tape::before(&[(200 << 1 | 2 << (1 + p), 1 + p + j + c), (1 << zeros, zeros + 1)], 1);
            agree(|bits| sampler.attempt(bits), |bits| model(sampler.table(), [p, j, c], bits), &tape);
            let wanted = (x == last).then_some(7 + (k * x) as i64);
            assert_eq!(sampler.attempt(&mut tape.clone()), wanted, "{k}, {precision}");
        }
    }
}

/// Whether it fits. A fill is the samples one by one, up to the first that does not fit.
pub(super) fn fills<T: Int>(sampler: &impl Sampler, len: usize, seed: u64) -> bool {
    let (mut out, mut ours, mut theirs) = (vec![T::ZERO; len], Tape::words(&[], seed), Tape::words(&[], seed));
    let mut result = Ok(());
    let filled = sampler.fill(&mut ours, &mut out);
    for slot in out {
        let sample = sampler.sample(&mut theirs);
        if !(T::MIN..=T::MAX).contains(&sample) {
            result = Err(RangeError { dtype: T::NAME, min: T::MIN, max: T::MAX });
            break;
        }
        assert_eq!(slot.widen(), sample);
    }
    assert_eq!((filled, ours), (result, theirs));
    filled.is_ok()
}

#[test]
fn fills_are_samples_one_by_one() {
    for (k, center, fit) in [(1, 100, [false, true]), (100, 3, [true, true]), (600, 0, [true, true])] {
        let (sampler, mut seen) = (Bernoulli::from_table(table(k, center, 128)), [false; 2]);
        for (seed, len) in [0, 1, 1, 1, 2, 3, 5, 33, 65].into_iter().enumerate() {
            let seed = seed as u64;
            assert!(fills::<i64>(&sampler, len, seed) && fills::<i32>(&sampler, len, seed));
            assert!(fills::<i16>(&sampler, len, seed));
            seen[usize::from(fills::<i8>(&sampler, len, seed))] = true;
            fills::<i8>(&sampler.clone().frugal(), len, seed);
        }
        assert_eq!(seen, fit, "{k}");
    }
}

/// The proposals' acceptance by the law's own weights 2^(-v²/k²), v = kx + y: half of those of zero.
fn trials(k: u64) -> f64 {
    let k = k as f64;
    let reach = (7.0 * k) as i64;
    let sum: f64 = if k < 5000.0 {
        (0..=reach).map(|v| (-(v as f64 / k).powi(2)).exp2()).sum()
    } else {
        // The integral, and half of the term of zero.
        k * (core::f64::consts::PI / core::f64::consts::LN_2).sqrt() / 2.0 + 0.5
    };
    k * W / (sum - 0.5)
}

#[test]
fn profiles_are_what_the_steps_say() {
    // 2^36 mod 3·2^26 is 2^26: a draw of 2^10 is redrawn, by 27 + 2 bits.
    for (k, redraw, tables) in [
        (1_u64, 0.0, 1),
        (2, 0.0, 1),
        (3, 3.0 / 4096.0, 2),
        (10, 6.0 * 5.0 / 4096.0, 2),
        (254, 32.0 * 9.0 / 4096.0, 3),
        (512, 0.0, 4),
        (513, 0.0, 4),
        (5000, 0.0, 5),
        (3 << 26, 29.0 / 1024.0, 9),
    ] {
        let table = table(k, -5, 128);
        let sampler = Bernoulli::from_table(table.clone());
        let (trials, profile) = (trials(k), sampler.profile());
        assert!((profile.expected_trials / trials - 1.0).abs() < 1e-6, "{k}: {profile:?}, {trials}");
        // Attempts, of which BIN rejects some, of 32 or 64 bits; an open x, and a uniform, take 2 more bits.
        let (each, places) = if k <= 512 { (32.0, 11) } else { (64.0, 19) };
        let bits = 2.0 / W * trials * (each + 2.0 / 256.0 + 2.0 / f64::from(1 << places) + redraw);
        assert!((profile.expected_bits / bits - 1.0).abs() < 1e-6, "{k}: {profile:?}, {bits}");
        let entries = 16 * table.count();
        assert_eq!(profile.table_bytes, entries + 1024 * tables + 256, "{k}");
        // 12² < 128 + 32 <= 13².
        let reach = (13 * k) as i64 - 1;
        assert_eq!((profile.support, profile.target), (-5 - reach..=-5 + reach, table.target().into()));
        assert!(profile.exactness == Exactness::Within(BOUND) && profile.timing == Timing::Variable);
        assert_eq!((sampler.table().digits(), sampler.table().k()), (table.digits(), k));

        let frugal = sampler.frugal().profile();
        // Two bits for each comparison, unless z = 0, where y = 0; a sign for zeros, both rejected and not, and for samples.
        let zero = 1.0 / k as f64;
        let trial = HalfLine::Bin.bits() + uniform_bits(k) + 2.0 * (1.0 - zero);
        let bits = trials * (trial + zero / W / 2.0) + 1.0;
        assert!((frugal.expected_bits / bits - 1.0).abs() < 1e-6, "{k}: {frugal:?}, {bits}");
        assert_eq!(frugal.table_bytes, entries + 1024 * tables);
        assert!((frugal.expected_trials / trials - 1.0).abs() < 1e-6 && frugal.exactness == Exactness::Within(BOUND));
    }
}

#[test]
fn samplers_end_on_a_stuck_generator_and_its_reader_tells() {
    let sampler = Bernoulli::from_table(table(10, 0, 64));
    let (mut bits, mut again) = (BitReader::new(Stuck(0)).latching(), BitReader::new(Stuck(0)).latching());
    let mut out = [0_i64; 500];
    assert_eq!((sampler.fill(&mut bits, &mut out), sampler.frugal().fill(&mut again, &mut out)), (Ok(()), Ok(())));
    assert_eq!([bits.fault(), again.fault()], [Some(Fault::Constant(0)); 2]);
}
