use super::*;

/// A bound with this R_2 - 1 alone.
fn at(log2_renyi: f64) -> Bound {
    Bound::new(0.0, [(2, log2_renyi), (256, f64::INFINITY), (513, f64::INFINITY)], f64::INFINITY, 0.0)
}

/// Uniform in [0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Three probabilities; by `lean`, of very different sizes.
    fn distribution(&mut self, lean: f64) -> [f64; 3] {
        let weights = [0; 3].map(|_| (self.next() * lean).exp2());
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    }
}

#[test]
fn logarithms_of_one_and_a_power() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        let t = 140.0 * random.next() - 70.0;
        let exact = t.max(0.0) + (-t.abs() * LN_2).exp().ln_1p() / LN_2;
        assert!((log2_of_1_plus_exp2(t) - exact).abs() < 1e-14 * exact.max(1.0), "{t}");
        let u = random.next();
        assert!((log2_of_1_plus(u) - u.ln_1p() / LN_2).abs() < 1e-15, "{u}");
    }
    assert_eq!((log2_of_1_plus(0.0), [-1100.0, 1100.0].map(log2_of_1_plus_exp2)), (0.0, [0.0, 1100.0]));
}

/// Never above the true number, and near it.
#[test]
fn bits_are_rounded_down() {
    let mut random = Random(2);
    for _ in 0..20_000 {
        let (log2_r, s) = (-300.0 * random.next(), (random.next() * 63.0).exp2() as u64);
        for level in [1, 100, 128, 256] {
            for (factor, found) in [(1.0, at(log2_r).bits_search(level, s)), (2.0, at(log2_r).bits_decision(level, s))]
            {
                let level = f64::from(level);
                let x = factor * ((level + log2_r.min(1.0) + (s.max(1) as f64).log2()) / 2.0).exp2();
                let exact = (level - 2.0 * x.ln_1p() / LN_2).max(0.0);
                assert!(found < exact || exact == 0.0 && found == 0.0, "{log2_r} {s} {level}: {found} {exact}");
                assert!(exact - found < 1e-9, "{log2_r} {s} {level}: {found} {exact}");
            }
        }
    }
}

/// σ = 3.2, c = 0: R_2 - 1 by kat/law-tables.csv, and by the same sums at 136 and 144 bits.
#[test]
fn known_values() {
    let bits = |log2_r, s| at(log2_r).bits_decision(128, s);
    for (log2_r, s, want) in [
        (-65.033_747, 1, 63.0),
        (-73.264_951, 1, 71.3),
        (-131.553_789, 1, 126.7),
        (-138.269, 1, 127.8),
        (-138.269, 1 << 12, 123.6),
        (-138.269, 1 << 20, 116.2),
    ] {
        assert!((bits(log2_r, s) - want).abs() <= 0.05, "{log2_r} {s}: {}", bits(log2_r, s));
    }
    assert!((bits(-144.636, 1) - 127.98).abs() < 0.005);
    // `isochronous` and `SamplerZ`.
    assert!(
        (at(-103.0).bits_search(128, 1) - 103.0).abs() < 0.01
            && (at(-103.0).bits_decision(128, 1) - 101.0).abs() < 0.01
    );
    assert!(
        (at(-79.0).bits_search(128, 1) - 79.0).abs() < 0.01 && (at(-79.0).bits_decision(128, 1) - 77.0).abs() < 0.01
    );
}

/// The least of the distances counts, and what is unbounded keeps nothing.
#[test]
fn any_distance_will_do() {
    let kept = |bound: Bound| bound.bits_decision(128, 1);
    let infinite = [(2, f64::INFINITY), (256, f64::INFINITY), (513, f64::INFINITY)];
    assert_eq!(kept(Bound::TRIVIAL), 0.0);
    // H² <= SD
    assert_eq!(kept(Bound::new(-131.0, infinite, f64::INFINITY, 0.0)), kept(at(-130.0)));
    // R_2 <= R_256 <= R_inf
    assert_eq!(kept(Bound::new(0.0, [(2, -9.0), (256, -130.0), (513, -8.0)], -7.0, 0.0)), kept(at(-130.0)));
    assert_eq!(kept(Bound::new(0.0, infinite, -130.0, 0.0)), kept(at(-130.0)));
    assert_eq!(kept(Bound::new(f64::NEG_INFINITY, infinite, 0.0, 0.0)), 128.0);
    assert_eq!(at(-130.0).bits_decision(128, 0), kept(at(-130.0)), "no samples count as one");
}

/// The theorem of docs/proofs/bits-kept.md for random outcomes (right, wrong, none) of two worlds, and that its constants
/// are the least: sqrt(adv) moves by at most 2·sqrt(2)·h, the root of a probability by at most sqrt(2)·h.
#[test]
fn advantages_move_by_no_more() {
    let mut random = Random(3);
    let (mut worst_decision, mut worst_search) = (0.0_f64, 0.0_f64);
    for i in 0..200_000 {
        let lean = f64::from(i % 30);
        let ([a, b, c], far) = (random.distribution(lean), random.distribution(lean));
        // From far away to as near as doubles tell.
        let step = (-12.0 * random.next()).exp2();
        let near = [a, b, c].map(f64::sqrt);
        let mixed: [f64; 3] = core::array::from_fn(|i| near[i] + step * (far[i].sqrt() - near[i]));
        let norm = mixed.iter().map(|x| x * x).sum::<f64>();
        let [a2, b2, c2] = mixed.map(|x| x * x / norm);
        let h =
            (0.5 * [(a, a2), (b, b2), (c, c2)].iter().map(|(p, q)| (p.sqrt() - q.sqrt()).powi(2)).sum::<f64>()).sqrt();
        let root = |a: f64, b: f64| (a - b).abs() / (a + b).sqrt();
        worst_decision = worst_decision.max((root(a, b) - root(a2, b2)).abs() / (2.0 * 2.0_f64.sqrt() * h));
        worst_search = worst_search.max((a.sqrt() - a2.sqrt()).abs() / (2.0_f64.sqrt() * h));
    }
    assert!(worst_decision <= 1.0 && worst_search <= 1.0, "{worst_decision} {worst_search}");
    assert!(worst_decision > 0.99 && worst_search > 0.99, "{worst_decision} {worst_search}");
}
