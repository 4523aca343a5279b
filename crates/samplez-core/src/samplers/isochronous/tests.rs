use super::strips::build;
use super::*;
use crate::arch::isochronous::{BLOCK, Envelope, KEYS, Trials};
use crate::bits::SplitMix64;
use crate::fixtures::{reader, words};
use crate::params::{Rational, Width};
use crate::samplers::common::fixed_exp::exp_neg;
use std::string::ToString;
use std::vec::Vec;

type Form = fn(Rational) -> Width;

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
    let (strips, _, height, count) = build(Width::Sigma(sigma.parse().unwrap()), fraction);
    (strips, height, count)
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
        let (mut words, low) = (words(200, &strips.envelope), words(200, &strips.envelope));
        // Some at the ends of the margin about their goals.
        for (i, (word, low)) in words.as_flattened_mut().iter_mut().zip(low.as_flattened()).enumerate().step_by(3) {
            let trial = strips.trial(*word, *low);
            let margin = (trial.goal >> 52) as i64 + 1;
            let offset = [0, margin, margin + 1, -margin, -margin - 1][i % 5];
            let rest = trial.goal.wrapping_add_signed(offset);
            *word = word.wrapping_add(rest.wrapping_sub(trial.rest) << (strips.inner + 1));
        }
        let mut seen = [0; 2];
        let lows = if strips.inner == strips.envelope.shift { &[] } else { &low[..] };
        for backend in Backend::available() {
            let mut values = std::vec![[0; BLOCK]; words.len()];
            let (mut below, mut close) = (std::vec![0; words.len()], std::vec![0; words.len()]);
            let (values_mut, below_mut, close_mut) = (&mut values[..], &mut below[..], &mut close[..]);
            let trials =
                Trials { strips: &strips, words: &words, lows, values: values_mut, below: below_mut, close: close_mut };
            trials.run(backend);
            for (b, words) in words.iter().enumerate() {
                for (i, word) in words.iter().enumerate() {
                    let trial = strips.trial(*word, low[b][i]);
                    let is = (values[b][i], below[b] >> i & 1 != 0, close[b] >> i & 1 != 0);
                    let is_close = trial.rest.abs_diff(trial.goal) <= trial.goal / (1 << 52) + 1;
                    let want = (trial.value, !is_close && trial.rest < trial.goal, is_close);
                    assert_eq!(is, want, "{sigma}, {word:x}, {backend}");
                    seen[usize::from(is_close)] += 1;
                }
            }
        }
        assert!(seen.iter().all(|count| *count > 1000), "{sigma}: {seen:?}");
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
    // The nearest there are to 1 and to 2^26: those outside are refused, those inside are not.
    let widths: [(Form, [&str; 4]); 4] = [
        (
            Width::Sigma,
            [
                "9223372036854775806/9223372036854775807",
                "9223372036854775807/137438953471",
                "1",
                "4611686018427387904/68719476736",
            ],
        ),
        (
            Width::SigmaSq,
            [
                "9223372036854775806/9223372036854775807",
                "9218868437227405313/2047",
                "9223372036854775807/9223372036854775806",
                "9218868437227403263/2047",
            ],
        ),
        (
            Width::KSigma2,
            [
                "386358533444856827/328142725182024616",
                "4179095899811845997/52890140611",
                "8923908350191153799/7579269905589636629",
                "6771142230083458478/85694770647",
            ],
        ),
        (
            Width::S,
            [
                "8068520677364115577/3218874038493752521",
                "7250576756639101867/43102527045",
                "2267323898045546789/904531366294955884",
                "8170783727253827194/48572884393",
            ],
        ),
    ];
    for (form, [low, high, inside @ ..]) in widths {
        for text in [low, high, "1/18446744073709551615", "9223372036854775807"] {
            let width = form(text.parse().unwrap());
            let error = Isochronous::new(&law("0", width)).unwrap_err().to_string();
            let want = std::format!("{} = {text}: method isochronous allows 1 <= sigma <= 2^26", width.name());
            assert_eq!(error, want);
        }
        for text in inside {
            assert!(Isochronous::new(&law("1/3", form(text.parse().unwrap()))).is_ok(), "{text}");
        }
    }
    let far = law("9223372036854775807", Width::Sigma(Rational::from(3)));
    assert!(Isochronous::new(&far).unwrap_err().to_string().contains("center"));
}

/// A form that is not rational is between the rational widths around it, 2^-50 apart; one that is rational has the same
/// integers.
#[test]
fn forms_lie_between_their_neighbours() {
    let new = |width| Isochronous::new(&DiscreteGaussian::new("1/3".parse().unwrap(), width).unwrap()).unwrap();
    type Case = (Form, [&'static str; 3], fn(f64) -> f64);
    let forms: [Case; 3] = [
        (Width::SigmaSq, ["10.3", "46225.5", "4e15"], |q| q.sqrt()),
        (Width::KSigma2, ["5/3", "254", "7e7"], |q| q * (0.5 / core::f64::consts::LN_2).sqrt()),
        (Width::S, ["8.35", "2097152", "1.6e8"], |q| q / core::f64::consts::TAU.sqrt()),
    ];
    for (form, texts, sigma) in forms {
        for text in texts {
            let q: Rational = text.parse().unwrap();
            let sigma = sigma(q.to_f64());
            let [low, high] = [1.0 - 2f64.powi(-50), 1.0 + 2f64.powi(-50)]
                .map(|factor| new(Width::Sigma(Rational::try_from(sigma * factor).unwrap())));
            let sampler = new(form(q));
            assert_eq!([sampler.shape(), sampler.shape()], [low.shape(), high.shape()], "{text}");
            assert!(sampler.rate.abs_diff(low.rate) <= 1 && sampler.height.abs_diff(low.height) <= 1, "{text}");
            let square = |sampler: &Isochronous| sampler.strips.square >> sampler.strips.scale;
            assert!((square(&high) + 1..square(&low)).contains(&square(&sampler)), "{text}");
            let ratio = sampler.profile().expected_trials / low.profile().expected_trials;
            assert!((ratio - 1.0).abs() < 1e-8, "{text}");
        }
    }
    let integers =
        |sampler: Isochronous| std::format!("{:?}", Isochronous { target: new(Width::S(8.into())).target, ..sampler });
    for (square, sigma) in [("121/4", "5.5"), ("1", "1"), ("4503599627370496", "67108864")] {
        let same =
            [Width::SigmaSq(square.parse().unwrap()), Width::Sigma(sigma.parse().unwrap())].map(|w| integers(new(w)));
        assert_eq!(same[0], same[1], "{sigma}");
    }
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

fn sampler(sigma: &str, center: &str) -> Isochronous {
    let law = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap();
    Isochronous::new(&law).unwrap()
}

/// Where each strip ends, in units of 2^16: T_j, falling to 0.
fn ends(sampler: &Isochronous) -> Vec<u64> {
    let Envelope { keys, ones, .. } = sampler.strips.envelope;
    let (count, ones) = (sampler.count, u64::from(ones));
    let wide = keys.iter().take((count - ones) as usize).map(|key| u64::from(*key) + ones);
    wide.chain((0..ones).rev()).collect()
}

/// Steps 1 to 5 from the bits of a record, one after the other.
fn by_the_steps(sampler: &Isochronous, ends: &[u64], floor: i64, bits: &mut impl BitSource) -> i64 {
    let (k, _, low) = sampler.shape();
    loop {
        let mut u = if low == 0 && k > 0 { bits.bits(k) } else { 0 };
        let upper = bits.bit();
        let n = if low == 0 { 63 - k } else { 63 };
        let v = bits.bits(n);
        if low > 0 {
            u = bits.bits(if k <= 16 { 16 } else { 32 }) % (1 << k);
        }
        let z0 = ends.iter().filter(|end| v < *end << (n - 16)).count();
        let x = (z0 as u64) << k | u;
        let (goal, next) = sampler.strips.goal(x, if upper { u64::MAX } else { 0 });
        let rest = v - (ends[z0] << (n - 16));
        let is_close = rest.abs_diff(goal) <= goal / (1 << 52) + 1;
        let is_below = |last: u64| (rest, last) < (goal, next);
        if if is_close { is_below(bits.bits(64)) } else { rest < goal } {
            return floor + if upper { x as i64 + 1 } else { -(x as i64) };
        }
    }
}

/// Bits that are known, and then those of a generator.
#[derive(Clone)]
struct Tape {
    bits: Vec<bool>,
    at: usize,
}

impl Tape {
    fn new() -> Self {
        Tape { bits: Vec::new(), at: 0 }
    }

    fn push(&mut self, value: u64, n: u32) {
        self.bits.extend((0..n).map(|i| value >> i & 1 != 0));
    }

    /// A record of this trial.
    fn record(&mut self, sampler: &Isochronous, v: u64, upper: bool, u: u64) {
        match sampler.shape() {
            (k, _, 0) => self.push(v << (k + 1) | u64::from(upper) << k | u, 64),
            (k, _, _) => {
                self.push(v << 1 | u64::from(upper), 64);
                self.push(u, if k <= 16 { 16 } else { 32 });
            }
        }
    }
}

impl BitSource for Tape {
    fn bits(&mut self, n: u32) -> u64 {
        let bit = |at: usize| match self.bits.get(at) {
            Some(bit) => u64::from(*bit),
            None => SplitMix64(at as u64 / 64).next() >> (at % 64) & 1,
        };
        let value = (0..n).map(|i| bit(self.at + i as usize) << i).sum();
        self.at += n as usize;
        value
    }
}

/// Single samples against the steps: the samples, and the bits that follow.
fn agrees(sampler: &Isochronous, floor: i64, source: &Tape, count: usize) {
    let ends = ends(sampler);
    let (mut steps, mut single) = (source.clone(), source.clone());
    for i in 0..count {
        let want = by_the_steps(sampler, &ends, floor, &mut steps);
        assert_eq!(sampler.sample(&mut single), want, "{:?}: {i}", sampler.target);
    }
    assert_eq!(single.at, steps.at, "{:?}", sampler.target);
}

#[test]
fn single_samples_are_the_steps() {
    let of = |sigma: &str, center: &str| sampler(sigma, center);
    agrees(&of("1", "0"), 0, &Tape::new(), 40);
    agrees(&of("3.2", "-7/3"), -3, &Tape::new(), 700);
    agrees(&of("215", "1/3"), 0, &Tape::new(), 1100);
    agrees(&of("217.7", "-1/8"), -1, &Tape::new(), 600);
    agrees(&of("1.6e5", "123456789012.6"), 123_456_789_012, &Tape::new(), 530);
    agrees(&of("222823", "1/2"), 0, &Tape::new(), 530);
    agrees(&of("67108864", "-4611686018427387904"), -(1 << 62), &Tape::new(), 64);
}

/// A trial near its goal is decided by 64 bits more, which come between two records; all that follows is read on from there.
#[test]
fn the_last_bit_decides() {
    for sigma in ["1.5", "19.5", "1000", "3e5"] {
        let sampler = sampler(sigma, "1/3");
        let (k, _, low) = sampler.shape();
        let n = if low == 0 { 63 - k } else { 63 };
        let ends = ends(&sampler);
        let mut compared = 0;
        for (before, after) in [(0, 0), (3, 40), (31, 1), (32, 520)] {
            for (z0, upper) in [(0, true), (1, false), (3, true)] {
                let lower = ends[z0] << (n - 16);
                let (goal, next) = sampler.strips.goal((z0 as u64) << k, if upper { u64::MAX } else { 0 });
                if next == 0 {
                    continue; // equal is rejected, then
                }
                compared += 1;
                // The first strip's lower end is accepted, whatever u and b are.
                let sure = |tape: &mut Tape, i: u64| {
                    tape.record(&sampler, ends[0] << (n - 16), i.is_multiple_of(3), i % (1 << k))
                };
                let mut tape = Tape::new();
                (0..before).for_each(|i| sure(&mut tape, i));
                let margin = (goal >> 52) + 1;
                for (v, more) in [
                    (goal - margin - 1, None),
                    (goal, Some(next)),
                    (goal + margin + 1, None),
                    (goal, Some(next - 1)),
                    (goal + margin, Some(0)),
                    (goal - margin, Some(u64::MAX)),
                ] {
                    tape.record(&sampler, lower + v, upper, 0);
                    tape.push(more.unwrap_or(0), if more.is_some() { 64 } else { 0 });
                }
                (0..after).for_each(|i| sure(&mut tape, i));
                agrees(&sampler, 0, &tape, (before + 3 + after) as usize);
            }
        }
        assert!(compared >= 8, "{sigma}");
    }
}

#[test]
fn a_sample_that_does_not_fit_is_an_error() {
    // -128 to 127 is the support of the first, with more on one side of it that of the others, and that of the last two with
    // samples there.
    for (center, is_beyond) in [("-1/2", false), ("1/2", false), ("-3/2", false), ("-120", true), ("120", true)] {
        let sampler = sampler("10.6", center);
        let floor = FixedPoint::new(center.parse().unwrap()).unwrap().floor();
        assert_eq!(sampler.profile().support, floor - 127..=floor + 128);
        let (mut wide, mut narrow) = ([0_i16; 100], [1_i8; 100]);
        sampler.fill(&mut reader(5), &mut wide).unwrap();
        let filled = sampler.fill(&mut reader(5), &mut narrow);
        let first = wide.iter().position(|x| i8::try_from(*x).is_err()).unwrap_or(100);
        assert_eq!(first < 100, is_beyond, "{center}");
        assert!(narrow[..first].iter().zip(&wide).all(|(x, y)| i16::from(*x) == *y));
        assert_eq!(filled.err().map(|error| error.dtype), (first < 100).then_some("i8"));
    }
}

#[test]
fn the_profile_is_the_cost_of_the_steps() {
    for (sigma, bits) in
        [("1", 37.0), ("3.4", 30.25), ("19.5", 31.0), ("215", 30.25), ("435.2", 30.25), ("435.21", 43.75)]
    {
        let sampler = sampler(sigma, "1/3");
        let profile = sampler.profile();
        let (k, count, low) = sampler.shape();
        let n = if low == 0 { 63 - k } else { 63 };
        let mass = |x: u64| [0, u64::MAX].map(|upper| sampler.strips.goal(x, upper).0 as f64).iter().sum::<f64>();
        let accepted = (0..count << k).map(mass).sum::<f64>() / 2f64.powi((n + k + 1) as i32);
        assert!((profile.expected_trials * accepted - 1.0).abs() < 1e-6, "{sigma}: {}", profile.expected_trials);
        let rate = f64::from(sampler.rate) / 65536.0;
        assert!((0.0..1e-4).contains(&(profile.expected_trials - rate)), "{sigma}: {rate}");
        assert!((profile.expected_bits - bits).abs() < 1e-9, "{sigma}: {}", profile.expected_bits);
        assert_eq!((profile.table_bytes, profile.timing), (328, Timing::Isochronous));
        assert_eq!(profile.target, sampler.target);
    }
    assert_eq!(sampler("222823", "0").profile().exactness, Exactness::Within(Isochronous::BOUND));
}

/// The bounds are small. A divergence of higher order has a larger bound, and all are below R_∞'s.
#[test]
fn bounds_are_in_their_order() {
    let (bound, rinf) = (Isochronous::BOUND, -52.0);
    let [two, most, last] = bound.log2_renyi.map(|(_, log2)| log2);
    assert_eq!((bound.log2_rinf, bound.log2_sd), (rinf, rinf - 1.0));
    assert!(two < most && most < last && last < 2.0 * rinf + 8.0, "{bound:?}");
    assert!(bound.log2_tail < -100.0 && two >= 2.0 * rinf - 1.0, "{bound:?}");
}
