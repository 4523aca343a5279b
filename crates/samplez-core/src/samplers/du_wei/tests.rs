//! The samplers against the steps of their files, on the same bits: uniforms compared place by place, coins tossed one by one.

use super::five::TRIALS as TRIALS_5;
use super::four::TRIALS as TRIALS_4;
use super::{DuWei4, DuWei5};
use crate::bits::{BitReader, BitSource, Fault, LazyUniform, bernoulli, uniform_below};
use crate::fixtures::{Stuck, Tape};
use crate::params::{DiscreteGaussian, Rational, Width};
use crate::profile::Exactness;
use crate::sampler::{Int, RangeError, Sampler};
use crate::samplers::common::exp_square::{coin_h, draw_k};
use crate::samplers::common::half_line::{HalfLine, W};
use crate::samplers::common::ln2::is_below_ln2;
use crate::samplers::common::trials::Attempt;
use core::cmp::Ordering;
use std::string::ToString;
use std::vec;

fn law_4(sigma: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
}

fn law_5(k: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), Width::KSigma2(k.parse().unwrap())).unwrap()
}

pub(super) fn four(sigma: u64, center: i64) -> DuWei4 {
    DuWei4::new(&law_4(&sigma.to_string(), &center.to_string())).unwrap()
}

pub(super) fn five(k: u64, center: i64) -> [(HalfLine, DuWei5); 2] {
    let law = law_5(&k.to_string(), &center.to_string());
    [(HalfLine::Bin, DuWei5::new(&law).unwrap()), (HalfLine::KnuthYao, DuWei5::with_table_walk(&law).unwrap())]
}

/// The numbers of these widths that a draw holds, from its least significant bit.
fn fields<const N: usize>(mut draw: u64, widths: [u32; N]) -> [u64; N] {
    widths.map(|width| {
        let field = draw & ((1 << width) - 1);
        draw = draw.checked_shr(width).unwrap_or(0);
        field
    })
}

/// Uniform below m from a draw of j bits: ⌊m·draw/2^j⌋, and a new one where the rest is below 2^j mod m.
fn model_of_below(m: u64, draw: u64, j: u32, bits: &mut Tape) -> u64 {
    let (product, unit) = (u128::from(m) * u128::from(draw), 1_u128 << j);
    if product % unit < unit % u128::from(m) { uniform_below(m, bits) } else { (product / unit) as u64 }
}

/// How the first `c` places of a uniform stand to those of num/den, or `None` if num/den ends there, nearly.
fn places(known: u64, c: u32, num: u128, den: u128) -> Option<Ordering> {
    let (head, rest) = ((num << c) / den, (num << c) % den);
    let rest = rest as f64 / den as f64;
    (1e-10..1.0 - 1e-10).contains(&rest).then(|| u128::from(known).cmp(&head))
}

/// Whether the run of coins, each heads (less), tails (greater) or open (equal), is certain, and if so whether it is even.
fn certain_run(coins: [Ordering; 3]) -> Option<bool> {
    let length = coins.iter().take_while(|coin| coin.is_lt()).count();
    coins.get(length).filter(|coin| coin.is_gt()).map(|_| length % 2 == 0)
}

/// lg of the prefixes of x, coins of step 5, bits for y, bits for each half of a coin.
type Widths = [u32; 4];
const FULL_5: Widths = [12, 7, 44, 10];

/// What one draw of x says: x, or that it is open, or rejected.
#[derive(PartialEq)]
enum Prefix {
    Settled(u64),
    Open,
    Rejected,
}

fn prefix_of_x(way: HalfLine, prefix: u64, p: u32) -> Prefix {
    let mut end = 0;
    for x in (0..).take_while(|x| x * x < p) {
        end += match way {
            HalfLine::Bin => 1 << (p - x * x - 1),
            HalfLine::KnuthYao => (f64::from(1 << (p - x * x)) / W) as u64,
        };
        if prefix < end {
            return Prefix::Settled(x.into());
        }
    }
    if prefix == end || way == HalfLine::KnuthYao { Prefix::Open } else { Prefix::Rejected }
}

/// An attempt of Algorithm 5; `None` where a coin's probability ends, nearly, with the places drawn for it.
fn model_of_five(k: u64, c: i64, way: HalfLine, [p, f, j, width]: Widths, bits: &mut Tape) -> Option<Option<i64>> {
    let [prefix, negative, fair, y] = fields(bits.bits(p + 1 + f + j), [p, 1, f, j]);
    let x = match prefix_of_x(way, prefix, p) {
        Prefix::Settled(x) => Some(x),
        Prefix::Rejected => None,
        Prefix::Open => match way.settle(p, bits) {
            None => return Some(None),
            far => far,
        },
    };
    let y = model_of_below(k, y, j, bits) + negative;
    let coins = fields(bits.bits(6 * width), [width; 6]);
    let is_accepted = match x {
        None => {
            // Coins are tossed all the same, for x = 0.
            coins_of_five(k, 0, y, [f, width], fair, coins, bits)?;
            false
        }
        Some(x) => coins_of_five(k, x, y, [f, width], fair, coins, bits)?,
    };
    let value = (k * x.unwrap_or(0) + y) as i64;
    Some(is_accepted.then(|| if negative == 1 { c - value } else { c + value }))
}

fn coins_of_five(
    k: u64,
    x: u64,
    y: u64,
    [f, width]: [u32; 2],
    fair: u64,
    coins: [u64; 6],
    bits: &mut Tape,
) -> Option<bool> {
    let (square, x, y) = (u128::from(k) * u128::from(k), u128::from(x), u128::from(y));
    let i = y * y + 2 * u128::from(k) * x * y;
    let (whole, z) = (i / square, i % square);
    let known_heads = (0..whole.min(f.into())).all(|n| fair >> n & 1 == 1);
    if z != 0 {
        let mut verdicts = [Ordering::Equal; 3];
        for n in 0..3 {
            let u = places(coins[2 * n], width, z, square * (n as u128 + 1))?;
            let ln2 = (core::f64::consts::LN_2 * f64::from(1 << width)) as u64;
            // Tails if either is, heads if both are.
            verdicts[n] = u.max(coins[2 * n + 1].cmp(&ln2));
        }
        if let (true, Some(is_even)) = (x <= 3 && whole <= f.into(), certain_run(verdicts)) {
            return Some(known_heads && is_even);
        }
    }
    if !known_heads || (u128::from(f)..whole).any(|_| !bits.bit()) {
        return Some(false);
    }
    let mut heads = 0;
    let toss = |n: usize, bits: &mut Tape| {
        let den = square * (n as u128 + 1);
        let Some([u, v]) = coins.as_chunks::<2>().0.get(n) else {
            return bernoulli(z, den, bits) && is_below_ln2::<0, _>(0, bits);
        };
        LazyUniform::new(*u, width).is_below(z, den, bits)
            && match width {
                1 => is_below_ln2::<1, _>(*v, bits),
                2 => is_below_ln2::<2, _>(*v, bits),
                _ => is_below_ln2::<10, _>(*v, bits),
            }
    };
    while z != 0 && toss(heads, bits) {
        heads += 1;
    }
    Some(heads % 2 == 0)
}

/// Compares, where the model says what comes; whether it does.
pub(super) fn agree(
    attempt: impl Fn(&mut Tape) -> Option<i64>,
    model: impl Fn(&mut Tape) -> Option<Option<i64>>,
    tape: Tape,
) -> bool {
    let (mut ours, mut theirs) = (tape.clone(), tape);
    let Some(expected) = model(&mut theirs) else { return false };
    assert_eq!((attempt(&mut ours), ours.read), (expected, theirs.read), "{theirs:?}");
    true
}

/// One of the places at a threshold's, or any.
fn near(any: u64, head: u64, width: u32) -> u64 {
    let most = (1 << width) - 1;
    match any % 8 {
        0 => 0,
        1 => most,
        2 => head.saturating_sub(1),
        3 | 4 => head.min(most),
        5 => (head + 1).min(most),
        _ => any >> 8 & most,
    }
}

#[test]
fn algorithm_5_takes_its_steps() {
    let (mut bits, mut agreed) = (crate::fixtures::reader(1), 0);
    for k in [1, 2, 3, 5, 254, 188_388, (1 << 40) - 1, 1 << 40, 3 << 38] {
        for (way, sampler) in five(k, -7) {
            for round in 0..400 {
                let prefixes = match way {
                    HalfLine::Bin => [0, 2047, 2048, 3071, 3072, 3199, 3200, 3203, 3204, 3205, 4095],
                    HalfLine::KnuthYao => [0, 2617, 2618, 3926, 3927, 4089, 4090, 4093, 4094, 4095, 4095],
                };
                let prefix = if bits.bit() { prefixes[round % 11] } else { bits.bits(12) };
                let x = if let Prefix::Settled(x) = prefix_of_x(way, prefix, 12) { x } else { 0 };
                let (y, negative) = ([0, k - 1, uniform_below(k, &mut bits)][round % 3], bits.bits(1));
                let fair = if bits.bits(2) == 0 { bits.bits(7) } else { 127 };
                // Above the least draw of this y, or the least of all, which is drawn again.
                let draw = if round % 16 == 5 { 0 } else { ((u128::from(y) << 44) / u128::from(k) + 2) as u64 };
                let (square, y) = (u128::from(k) * u128::from(k), u128::from(y + negative));
                let z = (y * y + 2 * u128::from(k) * u128::from(x) * y) % square;
                let coins = (0..6_u64).fold(0, |coins, half| {
                    let head = if half % 2 == 1 { 709 } else { (z << 10) / (square * u128::from(half / 2 + 1)) };
                    coins | near(bits.bits(64), head as u64, 10) << (10 * half)
                });
                // The second word settles what is open first: a run of zeros.
                let second = if round % 11 == 8 { bits.bits(64) << 16 | 1 << [4, 13, 4, 5][round % 4] } else { coins };
                let tape = Tape::words(&[prefix | negative << 12 | fair << 13 | draw << 20, second], bits.bits(20));
                let model = |bits: &mut Tape| model_of_five(k, -7, way, FULL_5, bits);
                agreed += usize::from(agree(|bits| sampler.attempt(bits), model, tape.clone()));
                agree(|bits| sampler.attempt_narrow::<4096, 7, 44, 10, _>(bits), model, tape);
            }
        }
    }
    assert!(agreed > 6000, "{agreed}");
}

#[test]
fn algorithm_5_takes_its_steps_with_narrow_draws() {
    let mut agreed = 0;
    for k in [1, 2, 3, 5, 7, 11, 254] {
        for (way, sampler) in five(k, 3) {
            for seed in 0..600 {
                let tape = Tape::words(&[], seed << 8 | k);
                let model = |widths| move |bits: &mut Tape| model_of_five(k, 3, way, widths, bits);
                let narrow = |bits: &mut Tape| sampler.attempt_narrow::<2, 1, 1, 1, _>(bits);
                agreed += usize::from(agree(narrow, model([1, 1, 1, 1]), tape.clone()));
                let wider = |bits: &mut Tape| sampler.attempt_narrow::<16, 3, 9, 2, _>(bits);
                agreed += usize::from(agree(wider, model([4, 3, 9, 2]), tape));
            }
        }
    }
    assert!(agreed > 10_000, "{agreed}");
}

/// k from the first `p` places of a uniform, or `None` where they leave it open: 0 below 9/16 of the whole, and so on.
fn prefix_of_k(prefix: u64, p: u32) -> Option<u64> {
    let (low, high) = (prefix as f64, (prefix + 1) as f64);
    let unit = 9.0 / 16.0 * f64::from(1 << p);
    let (one, two) = (1.0 + (-0.5_f64).exp(), 1.0 + (-0.5_f64).exp() + (-2.0_f64).exp());
    // Nothing with up to 12 places is near the ends of one and two.
    (0..3).find(|k| [0.0, 1.0, one][*k] * unit <= low && high <= [1.0, one, two][*k] * unit).map(|k| k as u64)
}

/// Whether the uniform with these first places is below e^-½: below S_5, or between it and S_6, and the run 1/14, 1/16, … is even.
fn model_of_half(mut known: u64, mut len: u32, bits: &mut Tape) -> bool {
    // 46080·S_5, 46080·S_6
    let [low, high] = [27_948_u128, 27_949].map(|sum| move |len: u32| (sum << len) / 46_080);
    loop {
        let u = u128::from(known);
        if u < low(len) {
            return true;
        }
        if u > high(len) {
            return false;
        }
        if u > low(len) && u < high(len) {
            let mut length = 0;
            while bernoulli(1, 2 * (7 + length), bits) {
                length += 1;
            }
            return length % 2 == 0;
        }
        (known, len) = (2 * known + bits.bits(1), len + 1);
    }
}

/// An attempt of Algorithm 4: lg of the prefixes of k, bits for j, of a coin of step 5, of one of step 6.
fn model_of_four(sigma: u64, c: i64, [p, width, half, coin]: Widths, bits: &mut Tape) -> Option<Option<i64>> {
    let [prefix, negative, j] = fields(bits.bits(p + 1 + width), [p, 1, width]);
    let j = model_of_below(sigma, j, width, bits) + negative;
    let k = prefix_of_k(prefix, p).unwrap_or_else(|| draw_k(prefix, p, bits));
    let (halves, coins) = (fields(bits.bits(5 * half), [half; 5]), fields(bits.bits(3 * coin), [coin; 3]));
    let (square, wide) = (u128::from(sigma) * u128::from(sigma), u128::from(j));
    let i = wide * wide + 2 * wide * u128::from(k) * u128::from(sigma);
    let (whole, z) = ((i / square) as usize, i % square);
    let value = (k * sigma + j) as i64;
    let decided = |is_accepted: bool| Some(is_accepted.then(|| if negative == 1 { c - value } else { c + value }));

    let exp_half = ((-0.5_f64).exp() * f64::from(1 << half)) as u64;
    let first = &halves[..whole.min(5)];
    let (all, any) = (first.iter().all(|place| *place < exp_half), first.iter().any(|place| *place > exp_half));
    if z != 0 {
        let mut verdicts = [Ordering::Equal; 3];
        for n in 0..3 {
            verdicts[n] = places(coins[n], coin, z, 2 * square * (n as u128 + 1))?;
        }
        if let (true, true, Some(is_even)) = (k <= 2 && whole <= 5, all || any, certain_run(verdicts)) {
            return decided(all && is_even);
        }
    }
    for n in 0..whole {
        let is_heads = match halves.get(n) {
            Some(place) => model_of_half(*place, half, bits),
            None => coin_h(bits),
        };
        if !is_heads {
            return decided(false);
        }
    }
    if z == 0 {
        return decided(true);
    }
    let length = (0..).take_while(|heads| {
        let known = coins.get(*heads).map_or(LazyUniform::new(0, 0), |place| LazyUniform::new(*place, coin));
        known.is_below(z, 2 * square * (*heads as u128 + 1), bits)
    });
    decided(length.count() % 2 == 0)
}

#[test]
fn algorithm_4_takes_its_steps() {
    let (mut bits, mut agreed) = (crate::fixtures::reader(2), 0);
    for sigma in [1, 2, 3, 5, 215, 188_388, (1 << 40) - 1, 1 << 40, 3 << 38] {
        let sampler = four(sigma, -7);
        for round in 0..500 {
            let prefixes = [0, 2303, 2304, 3700, 3701, 3702, 4012, 4013, 4014, 4084, 4085, 4095];
            let prefix = if bits.bit() { prefixes[round % 12] } else { bits.bits(12) };
            let k = prefix_of_k(prefix, 12).unwrap_or(0);
            let (j, negative) = ([0, sigma - 1, uniform_below(sigma, &mut bits)][round % 3], bits.bits(1));
            let draw = if round % 16 == 5 { 0 } else { ((u128::from(j) << 51) / u128::from(sigma) + 2) as u64 };
            let (square, j) = (u128::from(sigma) * u128::from(sigma), u128::from(j + negative));
            let z = (j * j + 2 * u128::from(sigma) * u128::from(k) * j) % square;
            // Coins of step 5 are mostly heads, those of step 6 near their thresholds.
            let halves = (0..5).fold(0, |coins, n| {
                let any = if bits.bits(2) == 0 { near(bits.bits(64), 2484, 12) } else { bits.bits(11) };
                coins | any << (12 * n)
            });
            let coins = (0..3_u64).fold(0_u64, |coins, n| {
                let head = (z << 20) / (2 * square * u128::from(n + 1));
                coins | near(bits.bits(64), head as u64, 20) << (20 * n)
            });
            let words = [prefix | negative << 12 | draw << 13, halves | coins << 60, coins >> 4];
            let model = |bits: &mut Tape| model_of_four(sigma, -7, [12, 51, 12, 20], bits);
            let tape = Tape::words(&words, bits.bits(20));
            agreed += usize::from(agree(|bits| sampler.attempt(bits), model, tape.clone()));
            agree(|bits| sampler.attempt_narrow::<4096, 51, 12, 20, _>(bits), model, tape);
        }
    }
    assert!(agreed > 3000, "{agreed}");
}

#[test]
fn algorithm_4_takes_its_steps_with_narrow_draws() {
    let mut agreed = 0;
    for sigma in [1, 2, 3, 5, 7, 11, 254] {
        let sampler = four(sigma, 3);
        for seed in 0..1000 {
            let tape = Tape::words(&[], seed << 8 | sigma);
            let model = |widths| move |bits: &mut Tape| model_of_four(sigma, 3, widths, bits);
            let narrow = |bits: &mut Tape| sampler.attempt_narrow::<2, 1, 1, 1, _>(bits);
            agreed += usize::from(agree(narrow, model([1, 1, 1, 1]), tape.clone()));
            let wider = |bits: &mut Tape| sampler.attempt_narrow::<16, 9, 3, 2, _>(bits);
            agreed += usize::from(agree(wider, model([4, 9, 3, 2]), tape));
        }
    }
    assert!(agreed > 8000, "{agreed}");
}

/// A fill is the samples one by one, up to the first that does not fit.
fn fills<T: Int>(sampler: &impl Sampler, len: usize, seed: u64) -> bool {
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

/// Whether some fills of i8 were refused, and some were not.
fn fills_every_type(sampler: &impl Sampler) -> [bool; 2] {
    let mut seen = [false; 2];
    for (seed, len) in [0, 1, 1, 1, 2, 3, 5, 33, 65].into_iter().enumerate() {
        let seed = seed as u64;
        assert!(
            fills::<i64>(sampler, len, seed) && fills::<i32>(sampler, len, seed) && fills::<i16>(sampler, len, seed)
        );
        seen[usize::from(fills::<i8>(sampler, len, seed))] = true;
    }
    seen
}

#[test]
fn fills_are_samples_one_by_one() {
    assert_eq!([fills_every_type(&four(3, 0)), fills_every_type(&four(100, 0))], [[false, true], [true, true]]);
    assert_eq!(fills_every_type(&four(100, -20).frugal()), [true, true]);
    for (_, sampler) in five(3, 0).into_iter().chain(five(2, -100)) {
        assert_eq!(fills_every_type(&sampler), [false, true]);
    }
    for (_, sampler) in five(100, 20) {
        assert_eq!((fills_every_type(&sampler), fills_every_type(&sampler.frugal())), ([true, true], [true, true]));
    }
}

#[test]
fn samples_are_the_first_accepted_attempts() {
    for seed in 0..200 {
        let check = |sampler: &dyn Fn(&mut Tape) -> i64, attempt: &dyn Fn(&mut Tape) -> Option<i64>| {
            let (mut ours, mut theirs) = (Tape::words(&[], seed), Tape::words(&[], seed));
            let sample = sampler(&mut ours);
            assert_eq!((Some(sample), ours), ((0..).find_map(|_| attempt(&mut theirs)), theirs));
        };
        let sampler = four(215, 4);
        check(&|bits| sampler.sample(bits), &|bits| model_of_four(215, 4, [12, 51, 12, 20], bits).unwrap());
        for (way, sampler) in five(255, 4) {
            check(&|bits| sampler.sample(bits), &|bits| model_of_five(255, 4, way, FULL_5, bits).unwrap());
        }
    }
}

/// 2^51 mod σ (2^44 mod k) are redrawn, of lg σ + 2 bits each.
#[test]
fn profiles_are_what_the_steps_say() {
    let sum = |base: f64, over: f64| (-99..100).map(|z| base.powf(-f64::from(z * z) / over)).sum::<f64>();
    let (e, e_half) = (core::f64::consts::E, (sum(core::f64::consts::E, 2.0) + 1.0) / 2.0);
    let trials = 2.0 * 7.0 * e_half / sum(e, 98.0);
    for (sigma, redraw) in [(7, 0.0), (1 << 40, 0.0), (3 << 38, 41.0 * 2_f64.powi(-12)), (254, 0.0)] {
        let profile = four(sigma, -5).profile();
        assert!((profile.expected_trials - trials).abs() < 1e-7 && profile.expected_trials == TRIALS_4);
        // A prefix, a sign, j, five coins and three; what k takes beyond its prefix.
        let bits = trials * (f64::from(12 + 1 + 51 + 5 * 12 + 3 * 20) + 0.575 + redraw);
        assert!((profile.expected_bits - bits).abs() < 1e-4, "{sigma}: {profile:?}, {bits}");
        let reach = (sigma << 15) as i64;
        assert_eq!((profile.support, profile.table_bytes), (-5 - reach..=-5 + reach, 4096));
        assert_eq!(profile.target, law_4(&sigma.to_string(), "-5"));
        assert!(matches!(profile.exactness, Exactness::Exact));
    }
    let w = (sum(2.0, 1.0) + 1.0) / 2.0;
    let trials = 2.0 * 7.0 * w / sum(2.0, 49.0);
    for (k, redraw) in [(7, 0.0), (1 << 40, 0.0), (3 << 38, 41.0 * 2_f64.powi(-6)), (254, 0.0)] {
        for (way, sampler) in five(k, -5) {
            let profile = sampler.profile();
            assert!((profile.expected_trials - trials).abs() < 1e-7 && profile.expected_trials == TRIALS_5);
            let attempts = if way == HalfLine::Bin { 2.0 * trials / w } else { trials };
            // A prefix, a sign, seven coins, y, six halves of coins.
            let bits = attempts * (f64::from(12 + 1 + 7 + 44 + 6 * 10) + 0.1 + redraw);
            assert!((profile.expected_bits - bits).abs() < 1e-4, "{k}: {profile:?}, {bits}");
            let reach = (k << 10) as i64;
            assert_eq!((profile.support, profile.table_bytes), (-5 - reach..=-5 + reach, 4096));
            assert_eq!(profile.target, law_5(&k.to_string(), "-5"));
            assert!(matches!(profile.exactness, Exactness::Exact));
        }
    }
}

#[test]
fn laws_at_the_limits_and_beyond() {
    let (most, more) = ("1099511627776", "1099511627777");
    let (far, further) = ("4611686018427387904", "4611686018427387905");
    for width in ["1", "7", most] {
        for center in ["0", "-3", far, "-4611686018427387904"] {
            let (law_4, law_5) = (law_4(width, center), law_5(width, center));
            let square = Width::SigmaSq(Rational::from(49));
            assert!(DuWei4::new(&law_4).is_ok() && DuWei5::new(&law_5).is_ok());
            assert!(DuWei5::with_table_walk(&law_5).is_ok());
            assert!(DuWei4::new(&DiscreteGaussian::new(center.parse().unwrap(), square).unwrap()).is_ok());
        }
    }
    for (width, center, named) in [
        (more, "0", [1, 0]),
        ("5/2", "0", [1, 0]),
        ("7", further, [0, 1]),
        ("7", "-4611686018427387905", [0, 1]),
        ("7", "1/2", [0, 1]),
        ("7", "-9/2", [0, 1]),
    ] {
        let says = |error: std::string::String, method: &str, argument: &str| {
            let (argument, value) = if named[0] == 1 { (argument, width) } else { ("center", center) };
            let begin = std::format!("{argument} = {:#}", value.parse::<Rational>().unwrap());
            assert!(error.starts_with(&begin) && error.contains(method) && error.contains("integers"), "{error}");
        };
        says(DuWei4::new(&law_4(width, center)).unwrap_err().to_string(), "method du-wei-4 ", "sigma");
        says(DuWei5::new(&law_5(width, center)).unwrap_err().to_string(), "method du-wei-5 ", "k_sigma2");
        let walk = DuWei5::with_table_walk(&law_5(width, center)).unwrap_err();
        says(walk.to_string(), "method du-wei-5-ky ", "k_sigma2");
    }
    assert!(DuWei4::new(&law_5("7", "0")).unwrap_err().to_string().starts_with("k_sigma2 = 7"));
    assert!(DuWei5::new(&law_4("7", "0")).unwrap_err().to_string().contains("`k_sigma2` only"));
}

#[test]
fn samplers_end_on_a_stuck_generator_and_its_reader_tells() {
    fn ends(sampler: &impl Sampler) {
        let mut bits = BitReader::new(Stuck(0)).latching();
        let mut out = [0_i64; 200];
        assert_eq!(sampler.fill(&mut bits, &mut out), Ok(()));
        assert_eq!(bits.fault(), Some(Fault::Constant(0)));
    }
    ends(&four(10, 0));
    ends(&four(10, 0).frugal());
    for (_, sampler) in five(10, 0) {
        ends(&sampler);
        ends(&sampler.frugal());
    }
}
