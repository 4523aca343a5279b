use super::strips::build;
use super::*;
use crate::arch::strips::{Accepted, BLOCK, KEYS, PADDING, Trials};
use crate::params::Width;
use crate::samplers::common::fixed_exp::exp_neg;
use crate::testing::{reader, words};
use std::string::ToString;
use std::vec::Vec;

const SIGMAS: [&str; 18] = [
    "1",
    "1.0001",
    "1.5",
    "2",
    "3.2",
    "3.4",
    "3.4001",
    "17.9",
    "19.5",
    "215",
    "217.6",
    "217.61",
    "1000",
    "1.6e5",
    "222822.4",
    "222822.5",
    "67108863.5",
    "67108864",
];

fn of(sigma: &str, fraction: u64) -> (Strips, u64, u64) {
    build(sigma.parse().unwrap(), fraction)
}

#[test]
fn strips_hold_what_they_promise() {
    for text in SIGMAS {
        let (strips, height, count) = of(text, 1 << 63);
        let sigma: f64 = text.parse().unwrap();
        let ratio = sigma / f64::from(1 << strips.envelope.shift);
        assert!(ratio <= 3.4 && (ratio > 1.7 || strips.envelope.shift == 0), "{text}: {strips:?}");
        assert_eq!(count, (12.0 * ratio).ceil() as u64, "{text}");
        assert_eq!(strips.inner, if sigma <= 217.6 { strips.envelope.shift } else { 0 }, "{text}");
        // The keys fall to 0, and then there are no more; at most 14 are above it.
        let above = strips.envelope.keys.iter().filter(|key| **key > 0).count();
        assert!(strips.envelope.keys.is_sorted_by(|a, b| a >= b) && above < KEYS - 1, "{text}: {strips:?}");
        assert_eq!(above as u64 + 1 + u64::from(strips.envelope.ones), count, "{text}");
        // S is the largest: 2^16·S·Σ e^(-j²K²/2σ²) is 2^16 less what the weights are rounded up by.
        let sum: f64 = (0..count).map(|j| (-0.5 * (j as f64 / ratio).powi(2)).exp()).sum();
        let total = height as f64 / 65536.0 * sum;
        assert!(total < 65536.0 && total > 65536.0 - count as f64, "{text}: {total}");
        assert!(strips.square < 1 << 63 && (strips.square >= 0xf << 58 || strips.scale < 3), "{text}: {strips:?}");
        assert!(strips.envelope.heights.iter().all(|height| height >> 63 == 0));
    }
    let (_, _, low) =
        Isochronous::new(&DiscreteGaussian::with_sigma("217.6".parse().unwrap()).unwrap()).unwrap().shape();
    assert_eq!(low, 0);
}

#[test]
fn on_every_backend_a_trial_is_the_specification() {
    for (sigma, fraction) in SIGMAS.into_iter().zip([0, u64::MAX, 1 << 63, u64::MAX / 3].into_iter().cycle()) {
        let (strips, _, _) = of(sigma, fraction);
        let (words, low) = (words(200, &strips.envelope), words(200, &strips.envelope));
        let lows = if strips.inner == strips.envelope.shift { &[] } else { &low[..] };
        for backend in Backend::available() {
            let mut values = std::vec![[0; BLOCK]; words.len()];
            let (mut below, mut equal) = (std::vec![0; words.len()], std::vec![0; words.len()]);
            let (values_mut, below_mut, equal_mut) = (&mut values[..], &mut below[..], &mut equal[..]);
            let trials =
                Trials { strips: &strips, words: &words, lows, values: values_mut, below: below_mut, equal: equal_mut };
            trials.run(backend);
            for (b, words) in words.iter().enumerate() {
                for (i, word) in words.iter().enumerate() {
                    let trial = strips.trial(*word, low[b][i]);
                    let is = (values[b][i], below[b] >> i & 1 != 0, equal[b] >> i & 1 != 0);
                    let want = (trial.value, trial.rest < trial.goal, trial.rest == trial.goal);
                    assert_eq!(is, want, "{sigma}, {word:x}, {backend}");
                }
            }
        }
    }
}

#[test]
fn accepted_values_are_moved_together() {
    use crate::bits::BitSource;
    let mut bits = reader(9);
    for blocks in 0..20 {
        let values: Vec<[i32; BLOCK]> = (0..blocks).map(|b| core::array::from_fn(|i| (b * BLOCK + i) as i32)).collect();
        let mut accepted: Vec<u32> = (0..blocks).map(|_| bits.bits(32) as u32 | bits.bits(32) as u32).collect();
        accepted.iter_mut().zip([0, u32::MAX, 1, 1 << 31]).skip(blocks % 3).for_each(|(mask, edge)| *mask = edge);
        let is_set = |value: &i32| accepted[*value as usize / BLOCK] >> (*value as usize % BLOCK) & 1 != 0;
        let want: Vec<i32> = values.as_flattened().iter().copied().filter(is_set).collect();
        for backend in Backend::available() {
            let mut out = std::vec![0; blocks * BLOCK + PADDING];
            let made = Accepted { values: &values, accepted: &accepted, out: &mut out }.run(backend);
            assert_eq!(out[..made], want, "{backend}");
        }
    }
}

/// S·exp(-E) against the exponential with 60 bits of the rounder, which has its own proof and test, and E from 128-bit
/// integers: within 2^-52.5.
#[test]
fn the_goal_is_the_law() {
    let mut worst = 0.0_f64;
    for sigma in SIGMAS {
        for fraction in [0, 1, u64::MAX, 1 << 63, u64::MAX / 3] {
            let (strips, height, count) = of(sigma, fraction);
            let sigma: Rational = sigma.parse().unwrap();
            // 1/σ in units of 2^-100.
            let inverse = (u128::from(sigma.den()) << 100) / sigma.num() as u128;
            let last = (1 << strips.envelope.shift) - 1;
            for (z0, u, upper) in (0..count).flat_map(|z0| {
                [0, 1, last / 3, last]
                    .into_iter()
                    .flat_map(move |u| [(z0, u.min(last), 0), (z0, u.min(last), u64::MAX)])
            }) {
                let x = z0 << strips.envelope.shift | u;
                let o = if upper == 0 { fraction.into() } else { (1 << 64) - u128::from(fraction) };
                let y = wide_ratio((u128::from(x) << 64) + o, inverse); // 2^-58
                // exp(-y²/2), y²/2 in units of 2^-116.
                let (m, s) = exp_neg((y * y) >> 1);
                let want = u128::from(m) * u128::from(height); // 2^-(95 + s)
                let (goal, next) = strips.goal(x, upper);
                let got = u128::from(goal) << 64 | u128::from(next);
                // Units of 2^-(127 - inner): the same, and bits enough to compare.
                let shift = s as i32 - 32 + strips.inner as i32;
                let want = if shift >= 0 { want >> shift } else { want << -shift };
                if want >> 64 > 0 {
                    let relative = got.abs_diff(want) as f64 / want as f64;
                    worst = worst.max(relative);
                    assert!(relative < 2f64.powf(-52.5), "{sigma}, {fraction}, {x}, {upper}: {got:x}, {want:x}");
                }
            }
        }
    }
    assert!(worst > 2f64.powi(-58), "a test that measures nothing");
    /// distance·inverse in units of 2^-58, from units of 2^-64 and 2^-100.
    fn wide_ratio(distance: u128, inverse: u128) -> u128 {
        let (high, low) = (distance >> 32, distance & 0xffff_ffff);
        let (i_high, i_low) = (inverse >> 50, inverse & ((1 << 50) - 1));
        // 2^-106 = 2^-58·2^-48
        ((high * i_high) >> 24) + ((high * i_low) >> 74) + ((low * i_high) >> 56)
    }
}

#[test]
fn parameters_are_refused_by_name() {
    let law = |center: &str, width| DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
    for width in ["0.999", "67108864.01", "1e12"].map(|text| Width::Sigma(text.parse().unwrap())) {
        assert!(Isochronous::new(&law("0", width)).unwrap_err().to_string().contains("isochronous"));
    }
    assert!(Isochronous::new(&law("0", Width::S(Rational::from(8)))).unwrap_err().to_string().contains("rational"));
    let far = law("9223372036854775807", Width::Sigma(Rational::from(3)));
    assert!(Isochronous::new(&far).unwrap_err().to_string().contains("center"));
}

#[test]
fn supports_are_what_can_come_out() {
    let law = DiscreteGaussian::new("1/2".parse().unwrap(), Width::Sigma("31.4".parse().unwrap())).unwrap();
    let sampler = Isochronous::new(&law).unwrap();
    let support = sampler.profile().support;
    // The last strip's last value on either side: v = 0.
    let (k, ..) = sampler.shape();
    let ends: Vec<i64> = [0, 1].map(|b| sampler.trial(b << k | ((1 << k) - 1), 0).0).into();
    assert_eq!(ends, [*support.start(), *support.end()]);
}
