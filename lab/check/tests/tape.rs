//! The walk itself, on draws whose laws are known in closed form.

use samplez_check::tape::{Budget, ExactLaw, Tape, enumerate};
use samplez_core::bits::{BitSource, bernoulli, uniform_below};
use samplez_core::testing::LazyUniform;

fn walk(depth: u32, run: impl FnMut(&mut Tape) -> Option<i64>) -> ExactLaw {
    enumerate(Budget::depth(depth), run).unwrap()
}

/// Everything adds up to 1, in integers.
fn total(law: &ExactLaw) -> f64 {
    let found: u128 = law.values().map(|x| law.numerator(x)).sum();
    found as f64 / (1_u128 << law.log2_denominator()) as f64 + law.rejected() + law.undecided()
}

#[test]
fn uniform_below_is_uniform() {
    for m in [1_u64, 2, 3, 5, 6, 7, 8, 12, 31, 33, 100, 1000] {
        let law = walk(28, |bits| Some(uniform_below(m, bits) as i64));
        assert_eq!(law.values().collect::<Vec<_>>(), (0..m as i64).collect::<Vec<_>>());
        // Uniform on m values, by exact symmetry of what was decided …
        let first = law.numerator(0);
        assert!(law.values().all(|x| law.numerator(x).abs_diff(first) <= 1 << 18), "m = {m}");
        // … and by the brackets.
        assert!(law.values().all(|x| law.bracket(x).contains(&(1.0 / m as f64))), "m = {m}");
        assert!(law.undecided() < 1e-4 && (total(&law) - 1.0).abs() < 1e-15, "m = {m}: {}", law.undecided());
        let bits = law.expected_bits(40.0);
        let entropy = (m as f64).log2();
        assert!(*bits.start() >= entropy - 0.01 && *bits.end() <= entropy + 2.0, "m = {m}: {bits:?}");
    }
}

#[test]
fn bernoulli_has_its_probability() {
    for (num, den) in [(0_u128, 1_u128), (1, 1), (1, 2), (1, 3), (2, 7), (5, 8), (999, 1000)] {
        let law = walk(60, |bits| Some(bernoulli(num, den, bits).into()));
        let bracket = law.bracket(1);
        assert!(bracket.contains(&(num as f64 / den as f64)), "{num}/{den}: {bracket:?}");
        // Each place but one decides: one string of 60 bits stays open, at most.
        assert!(law.undecided() <= 0.5_f64.powi(60), "{num}/{den}");
        // Exactly: the decided strings of 1 are the binary places of num/den.
        let floor = (num << 60) / den;
        assert!(law.numerator(1).abs_diff(floor) <= 1, "{num}/{den}");
    }
    // A prefix conditions the law: U begins with 01, so U < 3/8 iff its next bit is 0.
    let law = walk(4, |bits| Some(LazyUniform::new(0b01, 2).is_below(3, 8, bits).into()));
    assert!(law.bracket(1).contains(&0.5) && law.bracket(0).contains(&0.5) && law.undecided() == 0.0625);
}

#[test]
fn brackets_hold_under_rejection() {
    // A value in {0,1,2} ~ (1, 2, 3)/6 given acceptance; attempts end late and are rejected often.
    let attempt = |bits: &mut Tape| {
        let x = bits.bits(2) as i64;
        (x > 0 && bernoulli(x as u128, 3, bits)).then_some(x - 1)
    };
    for depth in 3..40 {
        let law = walk(depth, attempt);
        for (x, p) in [(0, 1.0 / 6.0), (1, 1.0 / 3.0), (2, 0.5)] {
            let bracket = law.bracket(x);
            assert!(bracket.contains(&p), "depth {depth}: {x} {bracket:?}");
            assert!(bracket.end() - bracket.start() <= 3.0 * law.undecided() + 1e-14);
        }
        let distance = law.distance(|x| [1.0 / 6.0, 1.0 / 3.0, 0.5][x as usize]);
        assert!(*distance.start() < 1e-15 && *distance.end() <= 3.0 * law.undecided() + 1e-15);
        // A wrong law is proved wrong once the walk is deep enough.
        let wrong = law.distance(|x| [0.5, 1.0 / 3.0, 1.0 / 6.0][x as usize]);
        assert!(depth < 10 || *wrong.start() > 0.3, "depth {depth}: {wrong:?}");
        assert!(wrong.contains(&(1.0 / 3.0)));
    }
    // Bits: (2 + P(x in {1, 2})·2) for an attempt, 1/2 of which succeed.
    let law = walk(40, attempt);
    let bits = law.expected_bits(2.0);
    assert!(bits.contains(&6.0) && bits.end() - bits.start() < 1e-9, "{bits:?}");
}

#[test]
fn repeated_sampling_and_one_attempt_agree() {
    let attempt = |bits: &mut Tape| Some(bits.bits(3) as i64).filter(|x| *x < 5);
    let sample = |bits: &mut Tape| loop {
        if let Some(x) = attempt(bits) {
            return Some(x);
        }
    };
    let (one, all) = (walk(3, attempt), walk(24, sample));
    assert_eq!(one.undecided(), 0.0);
    assert!(all.undecided() > 0.0 && all.rejected() == 0.0);
    for x in 0..5 {
        assert!(all.bracket(x).contains(one.bracket(x).start()));
    }
    assert!(all.expected_bits(4.8).contains(&4.8) && one.expected_bits(0.0) == (4.8..=4.8));
}

#[test]
fn budgets_end_the_walk_and_keep_it_rigorous() {
    let sample = |bits: &mut Tape| Some(uniform_below(3, bits) as i64);
    for runs in [0, 1, 2, 5, 17, 100] {
        let law = enumerate(Budget::depth(100).runs(runs), sample).unwrap();
        assert!(law.runs() <= runs && law.bracket(2).contains(&(1.0 / 3.0)) && (total(&law) - 1.0).abs() < 1e-15);
        assert!(*law.expected_bits(3.0).start() <= 8.0 / 3.0 + 1e-12);
    }
    let law = enumerate(Budget::depth(100).undecided(1e-6), sample).unwrap();
    assert!(law.undecided() <= 1e-6 && law.undecided() > 1e-9);
    // A draw wider than the depth stays undecided as a whole; it is not split.
    let law = walk(20, |bits| Some(if bits.bit() { bits.bits(64) as i64 } else { 5 }));
    assert_eq!((law.undecided(), law.bracket(5), law.runs()), (0.5, law.bracket(5), 2));
    assert_eq!(law.expected_bits(0.0), 33.0..=66.0);
    // Nothing that follows such a draw counts.
    let law = walk(20, |bits| Some((bits.bits(1) + bits.bits(64) + bits.bits(1)) as i64));
    assert_eq!((law.undecided(), law.runs(), *law.expected_bits(0.0).start()), (1.0, 2, 65.0));
    // What a walk leaves out half-way through a level counts as far as it is known: of 16 strings
    // of 4 bits two are walked on to 9 bits, 20/32 of a third one too, each with one bit to come.
    let law = enumerate(Budget::depth(12).runs(100), |bits| (0..12).map(|_| bits.bits(1) as i64).last()).unwrap();
    let known = (2.0 * 10.0 + 20.0 / 32.0 * 10.0 + 12.0 / 32.0 * 5.0 + 13.0 * 5.0) / 16.0;
    assert_eq!((*law.expected_bits(0.0).start(), law.runs(), law.undecided()), (known, 100, 1.0));
}

#[test]
fn endless_samplers_end() {
    // Half the mass never terminates: the run is unwound, silently.
    let law = walk(12, |bits| {
        if bits.bit() {
            return Some(1);
        }
        loop {
            bits.bits(1);
        }
    });
    assert_eq!((law.undecided(), law.numerator(1)), (0.5, 1 << 11));
    assert!(law.bracket(1).contains(&0.5) && law.bracket(1).contains(&1.0));
}

#[test]
#[should_panic(expected = "the sampler's own")]
fn panics_of_the_sampler_pass_through() {
    walk(3, |bits| if bits.bits(3) == 5 { panic!("the sampler's own") } else { None });
}
