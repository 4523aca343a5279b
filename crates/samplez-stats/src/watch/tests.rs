//! The error on ideal streams, the faults that are found, and states.

use super::*;
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::Karney;
use samplez_core::{DiscreteGaussian, NoiseLaw, Sampler};
use samplez_sources::{ChaCha20, Seed};

/// ln 10^6.
const ALARM: f64 = 13.815_510_557_964_274;

fn law(sigma: &str) -> TargetLaw {
    (&DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap()).into()
}

fn seeded(number: u64) -> BitReader<ChaCha20> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    BitReader::new(ChaCha20::new(&Seed::from_bytes(bytes)))
}

/// Draws of D_Z(3.2).
fn ideal(n: usize, seed: u64) -> Vec<i64> {
    let mut samples = vec![0; n];
    let gaussian = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
    Karney::new(&gaussian).unwrap().fill(&mut seeded(seed), &mut samples).unwrap();
    samples
}

/// 200 ideal streams of 8192 values, with a look each 512 and two stretches. By Ville's inequality each reaches 1/α with probability at
/// most α, so the number that do is at most binomial. With probability above 1 - 10^-6 it is below 28 for α = 0.05, and below 6 for 0.001.
#[test]
fn ideal_streams_rarely_reach_the_bound() {
    let mut empty = Watch::new(law("3.2")).unwrap();
    empty.shortest = 1 << 11;
    let mut reached = [0; 2];
    for seed in 0..200 {
        let mut watch = empty.clone();
        for chunk in ideal(8192, seed).chunks(512) {
            watch.push(chunk);
            watch.look();
        }
        assert_eq!(watch.stretches, 2);
        for (count, alpha) in reached.iter_mut().zip([0.05, 0.001]) {
            *count += usize::from(watch.look().is_alarm(alpha));
        }
    }
    assert!(reached[0] < 28 && reached[1] < 6, "{reached:?}");
}

/// A law as the masses of -40 ..= 40.
type Masses = Vec<f64>;

fn masses(weight: impl Fn(f64) -> f64) -> Masses {
    let all: Masses = (-40..=40).map(|x| weight(f64::from(x))).collect();
    let sum: f64 = all.iter().sum();
    all.into_iter().map(|p| p / sum).collect()
}

fn gaussian(x: f64, sigma: f64, center: f64) -> f64 {
    (-(x - center) * (x - center) / (2.0 * sigma * sigma)).exp()
}

/// The least number of values whose expected counts under a fault reach 10^6, within 1 %, and log(10^6)/KL, which no test undercuts.
fn size(fault: &Masses) -> (f64, f64) {
    let mut watch = Watch::new(law("3.2")).unwrap();
    let ideal = masses(|x| gaussian(x, 3.2, 0.0));
    let divergence: f64 = fault.iter().zip(&ideal).filter(|(q, _)| **q > 0.0).map(|(q, p)| q * (q / p).ln()).sum();
    let bound = ALARM / divergence;
    let mut log_e = |n: f64| {
        watch.now.fill(0);
        for (x, q) in (-40..=40).zip(fault) {
            watch.now[watch.cells.index(x)] += (q * n).round() as u64;
        }
        watch.look().log_e
    };
    let (mut low, mut high) = (bound / 2.0, bound * 64.0);
    while high > low * 1.01 {
        let middle = (low * high).sqrt();
        if log_e(middle) < ALARM { low = middle } else { high = middle }
    }
    (high, bound)
}

/// The number of values, in thousands, after which each fault of the frequencies is found, beside the information bound.
#[test]
fn faults_of_the_frequencies_are_found_near_the_bound() {
    let ideal = masses(|x| gaussian(x, 3.2, 0.0));
    let normal = |x: f64| libm::erf(x / 3.2 / core::f64::consts::SQRT_2) / 2.0;
    let with = |change: &dyn Fn(i64, f64) -> f64| -> Masses {
        let all: Masses = (-40..=40).zip(&ideal).map(|(x, p)| change(x, *p)).collect();
        let sum: f64 = all.iter().sum();
        all.into_iter().map(|p| p / sum).collect()
    };
    let moved = |share: f64, to: &dyn Fn(i64) -> i64| {
        let mut all: Masses = ideal.iter().map(|p| p * (1.0 - share)).collect();
        (-40..=40).zip(&ideal).for_each(|(x, p)| all[(to(x) + 40) as usize] += share * p);
        all
    };
    let cases: [(&str, Masses, f64); 14] = [
        ("sigma 0.8 % too large", masses(|x| gaussian(x, 3.2256, 0.0)), 2.0),
        ("sigma 0.8 % too small", masses(|x| gaussian(x, 3.1744, 0.0)), 2.0),
        ("centre off by 0.01 sigma", masses(|x| gaussian(x, 3.2, 0.032)), 2.0),
        ("zero 2.6 % too frequent", with(&|x, p| if x == 0 { 1.026 * p } else { p }), 2.0),
        ("1 % of signs positive", moved(0.01, &|x| x.abs()), 2.0),
        ("2 % made even", moved(0.02, &|x| x & !1), 2.0),
        ("bit 1 cleared in 2 %", moved(0.02, &|x| x & !2), 2.2),
        ("clamped to 12", moved(1.0, &|x| x.clamp(-12, 12)), 2.0),
        ("cut beyond 12", with(&|x, p| if x.abs() > 12 { 0.0 } else { p }), 2.0),
        ("no 7", with(&|x, p| if x == 7 { 0.0 } else { p }), 2.0),
        ("rounded normal", masses(|x| normal(x + 0.5) - normal(x - 0.5)), 2.0),
        ("floor of a normal", masses(|x| normal(x + 1.0) - normal(x)), 2.0),
        ("0.1 % uniform on 16", with(&|x, p| 0.999 * p + if x.abs() <= 16 { 0.001 / 33.0 } else { 0.0 }), 2.5),
        ("discrete Laplace", masses(|x| (-x.abs() / 2.26).exp()), 3.6),
    ];
    for (name, fault, most) in cases {
        let (size, bound) = size(&fault);
        println!("| {name} | {bound:.0} | {size:.0} | {:.2} |", size / bound);
        assert!(size <= most * bound, "{name}: {size} of {bound}");
    }
}

/// Faults of the order, each found within 2^18 values.
#[test]
fn faults_of_the_order_are_found() {
    type Plant = fn(&mut [i64], &mut BitReader<ChaCha20>);
    fn some(x: &mut [i64], r: &mut BitReader<ChaCha20>, share: f64, from: usize, change: impl Fn(&mut [i64], usize)) {
        for i in from..x.len() {
            if (r.bits(32) as f64) < share * 4_294_967_296.0 {
                change(x, i);
            }
        }
    }
    let cases: [(&str, usize, Plant); 10] = [
        ("2 % copied over 1", 1 << 18, |x, r| some(x, r, 0.02, 1, |x, i| x[i] = x[i - 1])),
        ("2 % copied over 512", 1 << 18, |x, r| some(x, r, 0.02, 512, |x, i| x[i] = x[i - 512])),
        ("3 % of magnitudes copied over 2", 1 << 18, |x, r| {
            some(x, r, 0.03, 2, |x, i| x[i] = x[i].signum() * x[i - 2].abs())
        }),
        ("10 % of signs copied over 8", 1 << 18, |x, r| {
            some(x, r, 0.1, 8, |x, i| x[i] = x[i].abs() * x[i - 8].signum())
        }),
        ("never equal to the one before", 1 << 18, |x, _| {
            (1..x.len()).for_each(|i| {
                if x[i] == x[i - 1] {
                    x[i] = -x[i] - 1
                }
            })
        }),
        ("parity of three, 5 %", 1 << 18, |x, r| some(x, r, 0.05, 2, |x, i| x[i] ^= (x[i] ^ x[i - 1] ^ x[i - 2]) & 1)),
        ("signs of three, 10 %", 1 << 18, |x, r| {
            some(x, r, 0.1, 2, |x, i| {
                if x[i] * x[i - 1] * x[i - 2] < 0 {
                    x[i] = -x[i]
                }
            })
        }),
        ("bit 1 follows bit 0 before, 5 %", 1 << 18, |x, r| {
            some(x, r, 0.05, 1, |x, i| x[i] = (x[i] & !2) | (x[i - 1] & 1) << 1)
        }),
        ("parity follows the place, 3 %", 1 << 18, |x, r| {
            some(x, r, 0.03, 0, |x, i| x[i] = (x[i] & !1) | (i as i64 & 1))
        }),
        ("sorted in fours", 1 << 18, |x, _| x.chunks_mut(4).for_each(<[i64]>::sort_unstable)),
    ];
    let ideal = ideal(1 << 18, 77);
    for (name, size, plant) in cases {
        let mut samples = ideal[..size].to_vec();
        plant(&mut samples, &mut seeded(78));
        let mut watch = Watch::new(law("3.2")).unwrap();
        let found = samples.chunks(1 << 12).position(|chunk| {
            watch.push(chunk);
            watch.look().is_alarm(1e-6)
        });
        println!("| {name} | {:?} | {} |", found.map(|block| (block + 1) << 12), watch.look().leader);
        assert!(found.is_some(), "{name}: {:?}", watch.look());
    }
}

/// A far value is an alarm at once, and so is a late fault, whose stretch begins without the losses of before.
#[test]
fn far_values_and_late_faults_are_found() {
    let mut watch = Watch::new(law("3.2")).unwrap();
    watch.shortest = 1 << 13;
    let mut samples = ideal(1 << 19, 5);
    watch.push(&samples);
    assert!(!watch.look().is_alarm(1e-6));
    let mut far = watch.clone();
    far.push(&[29_i64]);
    assert!(far.look().is_alarm(1e-6), "{:?}", far.look());
    samples.truncate(1 << 16);
    for x in samples.iter_mut().step_by(10) {
        *x &= !1;
    }
    watch.push(&samples);
    let evidence = watch.look();
    assert!(evidence.is_alarm(1e-6) && evidence.since > 0, "{evidence:?}");
    let bounded = TargetLaw::finite(&NoiseLaw::Ternary).unwrap();
    let mut watch = Watch::new(&bounded).unwrap();
    watch.push(&[0_i8, 1, -1, 2]);
    assert!(watch.look().is_alarm(1e-6));
}

/// A merged watch counts as if one stream had all values, and each bet's gain is the product of both.
/// Beyond the first 2^18 values, most windows are counted by the loop without branches: against the index of each value.
#[test]
fn counts_are_those_of_each_value() {
    let mut samples = ideal((1 << 18) + 70_000, 3);
    let cells = Watch::new(law("3.2")).unwrap().cells;
    let (low, high) = (cells.first(0), cells.first(cells.inner() - 1));
    for (i, x) in [i64::MIN, i64::MAX, low, low - 1, high, high + 1, -1000, 1000].into_iter().enumerate() {
        (0..=i).for_each(|j| samples[(1 << 18) + 9000 + 97 * i + 5 * j] = x);
    }
    let center = DiscreteGaussian::new("1000000".parse().unwrap(), samplez_core::Width::Sigma("3.2".parse().unwrap()));
    for (law, shift) in [(law("3.2"), 0), ((&center.unwrap()).into(), 1_000_000)] {
        let mut watch = Watch::new(law).unwrap();
        let mut counts = vec![0; watch.cells.len()];
        let moved: Vec<i64> = samples.iter().map(|x| x.saturating_add(shift)).collect();
        moved.iter().for_each(|x| counts[watch.cells.index(x.saturating_sub(shift))] += 1);
        moved.chunks(1001).for_each(|chunk| watch.push(chunk));
        let found: Vec<u64> = watch.past.iter().zip(&watch.now).map(|(a, b)| a + b).take(counts.len()).collect();
        assert_eq!(found, counts);
        assert_eq!(counts[watch.cells.inner()..], [2 + 6 + 8, 1 + 4 + 7]);
    }
}

#[test]
fn merged_gains_multiply() {
    let empty = Watch::new(law("3.2")).unwrap();
    let [a, b] = [3, 4].map(|seed| ideal(100_000, seed)).map(|samples| {
        let mut watch = empty.clone();
        watch.push(&samples);
        watch.look();
        watch
    });
    let mut both = a.clone();
    both.merge(&b).unwrap();
    assert_eq!(both.len(), 200_000);
    let sum: Vec<u64> = both.past.iter().zip(&both.now).map(|(past, now)| past + now).collect();
    for bet in &empty.bets.bets {
        let [log_a, log_b, log] = [&a.now, &b.now, &sum].map(|counters| bet.log(counters));
        assert!((log_a + log_b - log).abs() < 1e-9, "{}", bet.what);
    }
    let ([first, second], found) = ([&a, &b].map(|watch| watch.stretched().0), both.stretched().0);
    assert!((first + second - found).abs() < 1e-9);
    let mut other = Watch::new(law("3.3")).unwrap();
    let refusal = other.merge(&a).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "law = D_Z(sigma = 16/5, center = 0): expected a state of D_Z(sigma = 33/10, center = 0); each law needs a state of its own"
    );
}

#[test]
fn states_are_restored_or_refused() {
    for (law, values) in [(law("3.2"), 600_000), (law("1e6"), 10_000), (law("1e-3"), 10)] {
        let mut watch = Watch::new(&law).unwrap();
        watch.push(&ideal(values, 9));
        let state = watch.state();
        assert!(state.len() < 1 << 16);
        let mut again = Watch::from_state(&law, &state).unwrap();
        assert_eq!((again.look(), again.state()), (watch.look(), watch.state()));
        // Each byte is needed.
        for at in (0..state.len()).step_by(state.len() / 50) {
            let mut changed = state.clone();
            changed[at] ^= 1;
            let refusal = Watch::from_state(&law, &changed).unwrap_err();
            assert!(!matches!(refusal, WatchError::Law(_) | WatchError::OtherLaw { .. }), "{refusal}");
            assert!(Watch::from_state(&law, &state[..at]).is_err());
        }
    }
    // The largest state, and the memory of its bets.
    let mut full = Watch::new(law("1e6")).unwrap();
    full.past.iter_mut().chain(&mut full.now).for_each(|counter| *counter = MOST - 1);
    let bytes: usize =
        full.bets.bets.iter().map(|bet| 8 * bet.logs.len() + bet.what.capacity() + size_of_val(bet)).sum();
    assert!(full.state().len() < 1 << 16 && bytes < 1 << 24, "{} {bytes}", full.state().len());
    full.now[0] = MOST;
    assert_eq!(Watch::from_state(law("1e6"), &full.state()).unwrap_err(), WatchError::Damaged);
    let mut unknown = Watch::new(law("3.2")).unwrap();
    unknown.highest.0 = f64::NAN;
    assert_eq!(Watch::from_state(law("3.2"), &unknown.state()).unwrap_err(), WatchError::Damaged);
    let state = Watch::new(law("3.2")).unwrap().state();
    let refused = |law: TargetLaw, state: &[u8]| Watch::from_state(law, state).unwrap_err();
    assert!(matches!(refused(law("3.3"), &state), WatchError::OtherLaw { .. }));
    assert_eq!(refused(law("3.2"), b"1\n2\n"), WatchError::NoState);
    assert_eq!(refused(law("3.2"), &state[..state.len() - 1]), WatchError::Damaged);
    let newer = [b"samplez watch 2\n", &state[16..]].concat();
    assert_eq!(refused(law("3.2"), &newer), WatchError::Version { found: "2".into() });
    let wide = state::encoded(&law("1e18").to_string(), core::iter::empty());
    assert!(matches!(refused(law("1e18"), &wide), WatchError::Law(_)));
}
