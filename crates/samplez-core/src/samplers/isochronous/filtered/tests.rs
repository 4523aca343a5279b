use super::*;
use crate::fixtures::Tape;
use crate::samplers::isochronous::refine::CloseTrial;
use std::vec::Vec;

/// Accepts a value with this probability, in units of 2^-(places + 2): two bits continue the prefix, the higher one first.
#[derive(Clone, Debug)]
struct Quarters {
    law: (i64, u64),
    value: i64,
    probability: u64,
}

impl Refine for Quarters {
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool {
        let CloseTrial { value, height, prefix, places, estimate, .. } = *trial;
        assert_eq!((value, height, self.law), (self.value, self.law.1, (places.into(), height)));
        let goal = (estimate >> 64) as u64;
        assert!(prefix.abs_diff(goal) <= (goal >> 52) + 1);
        prefix << 2 | bits.bits(1) << 1 | bits.bits(1) < self.probability
    }
}

/// Enumerates the numbers near the goal of a value, with all bits behind them. Their accepted share is the exact probability,
/// at both ends of the margin and inside.
#[test]
fn a_trial_has_the_exact_probability() {
    for (sigma, center) in [("1", "1/3"), ("19.5", "-5/7"), ("215", "0"), ("1000", "1/3")] {
        let law = DiscreteGaussian::new(center.parse().unwrap(), crate::Width::Sigma(sigma.parse().unwrap())).unwrap();
        let trials = Isochronous::new(&law).unwrap();
        let strips = &trials.strips;
        let (inner, shift, ones) = (strips.inner, strips.envelope.shift, u64::from(strips.envelope.ones));
        let places = 63 - inner;
        // Far strips have goals near 0.
        for (z0, upper) in [(2, 1), (3, 0), (5, 1), (trials.count - 1, 0)] {
            let last = trials.count - 1 - z0;
            let end = if z0 < trials.count - ones { u64::from(strips.envelope.keys[z0 as usize]) + ones } else { last };
            let word = |rest: u64| ((end << (places - 16)) + rest) << (inner + 1) | upper << inner;
            let (value, goal) =
                (trials.floor + i64::from(strips.trial(word(0), 0).value), strips.trial(word(0), 0).goal);
            let margin = (goal >> 52) + 1;
            // The numbers below these are accepted, all of them.
            let low = goal.saturating_sub(margin + 2);
            for probability in
                [4 * goal.saturating_sub(margin), 4 * goal + 1, 4 * (goal + margin) + 3, 4 * (goal + margin + 1)]
            {
                let refine = Quarters { law: (places.into(), trials.height), value, probability };
                let sampler = FilteredIsochronous { trials: trials.clone(), refine };
                let mut accepted = 4 * low;
                // Of a wide margin the ends, and the middle.
                let all = low..goal + margin + 3;
                let is_near = |rest: &u64| {
                    [goal, goal + margin, goal.saturating_sub(margin)].iter().any(|end| end.abs_diff(*rest) < 9)
                };
                for rest in all {
                    if !is_near(&rest) {
                        // Inside: the probability is at an end of the margin, or in the middle.
                        accepted += if rest < probability / 4 { 4 } else { 0 };
                        continue;
                    }
                    for tail in 0..4_u64 {
                        let trial = strips.trial(word(rest), 0);
                        let is_close = rest.abs_diff(goal) <= margin;
                        assert_eq!((trial.rest, trial.goal), (rest, goal));
                        // The trial, its bits, and a trial that is accepted in any case.
                        let mut pieces = std::vec![(word(rest), 64)];
                        let low_bits = trials.low_bits();
                        pieces.extend((low_bits > 0).then_some((0, low_bits)));
                        pieces.extend(is_close.then_some([(tail >> 1, 1), (tail & 1, 1)]).into_iter().flatten());
                        let first = u64::from(strips.envelope.keys[0]) + ones;
                        pieces.push((first << 48 | 1 << inner, 64));
                        pieces.extend((low_bits > 0).then_some((0, low_bits)));
                        let mut tape = Tape::before(&pieces, 1);
                        let sample = sampler.sample(&mut tape);
                        assert!(sample == value || sample == trials.floor + 1, "{sigma}");
                        accepted += u64::from(sample == value);
                        let outcomes: Vec<u32> = if sample == value {
                            [(!is_close).into(), 1].into()
                        } else {
                            [(!is_close).into(), 0, 1, 1].into()
                        };
                        assert_eq!(tape.outcomes, outcomes, "the public outcomes");
                    }
                }
                assert_eq!(accepted, probability, "{sigma}, {shift}, {z0}: {goal} within {margin}");
            }
        }
    }
}

/// A fill returns the same integers as a fill of the sampler that it filters.
#[test]
fn fills_are_those_of_isochronous() {
    struct Never;
    impl Refine for Never {
        fn accepts<B: BitSource + ?Sized>(&self, _: &CloseTrial, _: &mut B) -> bool {
            panic!("probability below 2^-49")
        }
    }
    let law = DiscreteGaussian::new("1/3".parse().unwrap(), crate::Width::Sigma("215".parse().unwrap())).unwrap();
    let (plain, filtered) = (Isochronous::new(&law).unwrap(), FilteredIsochronous::new(&law, Never).unwrap());
    for count in [3, 100, 5000] {
        let mut outs = [std::vec![0_i16; count], std::vec![0_i16; count]];
        plain.fill(&mut crate::fixtures::reader(1), &mut outs[0]).unwrap();
        filtered.fill(&mut crate::fixtures::reader(1), &mut outs[1]).unwrap();
        assert_eq!(outs[0], outs[1]);
    }
    let profile = filtered.profile();
    assert_eq!((profile.support, profile.timing), (plain.profile().support, Timing::Isochronous));
    assert_eq!(profile.exactness, Exactness::Within(FilteredIsochronous::<Never>::BOUND));
}
