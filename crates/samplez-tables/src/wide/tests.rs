use super::*;
use crate::Law;
use core::cell::Cell;
use samplez_core::Rational;

type Trials = (WideTrial, WideExponent);

/// The trials of q = num/den and f = of/by.
fn trial(form: WidthForm, [num, den]: [u64; 2], [of, by]: [i64; 2]) -> Trials {
    let width = Fraction::new(&[num], &[den]).unwrap();
    let offset = Fraction::new(&[of.unsigned_abs()], &[by as u64]).unwrap();
    WideExponent::new(form, width, offset, of < 0).unwrap()
}

const FORMS: [WidthForm; 4] = [WidthForm::Sigma, WidthForm::SigmaSquared, WidthForm::KSigma2, WidthForm::S];

/// Trials of many widths from 2^26 on, with f of both signs.
fn trials() -> Vec<Trials> {
    let mut all = Vec::new();
    for (i, form) in FORMS.into_iter().enumerate() {
        for power in [55_u32, 57, 61, 63] {
            for odd in [0, 1 << 40, 0x3fff_ffff_ffff] {
                let f = [[0, 1], [1, 3], [-1, 2], [1, 2], [-3, 1_000_003]][(i + power as usize) % 5];
                all.push(trial(form, [(1 << power) | odd, 3], f));
            }
        }
        // σ of 2^600 and more.
        let num: Vec<u64> = (1..=11).collect();
        let width = Fraction::new(&num, &[7, 9]).unwrap();
        all.push(WideExponent::new(form, width, Fraction::new(&[5, 1], &[2, 11]).unwrap(), i % 2 == 0).unwrap());
    }
    all
}

/// Low parts that cover the range of u.
fn lows(trial: &WideTrial) -> [Vec<u64>; 4] {
    let limbs = trial.shift().div_ceil(64) as usize;
    let masked = |mut low: Vec<u64>| {
        if !trial.shift().is_multiple_of(64) {
            low[limbs - 1] &= (1 << (trial.shift() % 64)) - 1;
        }
        low
    };
    [0, 1, 0x9e37_79b9_7f4a_7c15, u64::MAX].map(|limb| masked(vec![limb; limbs]))
}

fn limit(trial: &WideTrial) -> i64 {
    15 * trial.base().num()
}

fn values(trial: &WideTrial) -> [i64; 9] {
    let limit = limit(trial);
    [0, 1, -1, 12_345_678, -22_222_222, limit / 3, -limit / 2, limit, -limit]
}

/// 1 - exp(-E) to 512 bits of fraction.
fn fine(exponent: &WideExponent, y: i64, low: &[u64]) -> Interval<9> {
    Interval::<9>::ONE.sub(&exp_neg(&exponent.exponent::<9>(y, low)).fixed())
}

#[test]
fn widths_and_offsets_have_limits() {
    let half = || Fraction::new(&[1], &[2]).unwrap();
    let of = |limbs: &[u64]| WideExponent::new(WidthForm::Sigma, Fraction::new(limbs, &[1]).unwrap(), half(), false);
    assert!(of(&[1 << 26]).is_none() && of(&[(1 << 26) + 1]).is_some() && of(&[0, 0]).is_none());
    let far = Fraction::new(&[(1 << 63) + 1], &[0, 1]).unwrap();
    assert!(WideExponent::new(WidthForm::Sigma, Fraction::new(&[1 << 30], &[1]).unwrap(), far, true).is_none());
    assert!(Fraction::new(&[1], &[0, 0]).is_none());
    let wide = || Fraction::new(&[0, 0, 0, 0, 1], &[1]).unwrap();
    let of = |f: [u64; 2]| {
        WideExponent::new(WidthForm::Sigma, wide(), Fraction::new(&f[..1], &f[1..]).unwrap(), false).is_some()
    };
    assert_eq!([[1, 2], [0, 3], [5, 4], [501, 1000], [9, 4]].map(of), [true, true, false, false, false]);
    let narrow = DiscreteGaussian::with_sigma(Rational::from(1 << 26)).unwrap();
    let e = build_wide(&narrow).unwrap_err();
    assert_eq!(alloc::format!("{e}"), "sigma = 67108864: method wide allows 2^26 < sigma <= 2^58");
}

/// The product of both laws' probabilities: that of y times that of step 2 is proportional to that of x, by the law functions.
#[test]
fn the_product_is_the_law() {
    type Form = fn(Rational) -> Width;
    let laws: [(Form, _, _); 5] = [
        (Width::Sigma, "100000000", "1/3"),
        (Width::Sigma, "123456789012/7", "-1/2"),
        (Width::S, "40000000001", "2/7"),
        (Width::KSigma2, "3e14", "1000000001/3"),
        (Width::SigmaSq, "4611686018427387905", "-7/2"),
    ];
    for (form, q, center) in laws {
        let law = DiscreteGaussian::new(center.parse().unwrap(), form(q.parse().unwrap())).unwrap();
        let (trial, exponent) = build_wide(&law).unwrap();
        let own = Law::new(&DiscreteGaussian::with_sigma(trial.base()).unwrap());
        let (what, a, law) = (law, law.center().nearest(), Law::new(&law));
        let mut first = None;
        for y in [0, 1, -1, 70_000_000, -70_000_000, 200_000_000, -250_000_001_i64] {
            for low in lows(&trial) {
                let x = a + (y << trial.shift()) + low[0] as i64 - (1 << (trial.shift() - 1));
                // ln P(x) - ln P(y) is -E and a constant.
                let e = Scaled::from(exponent.exponent::<5>(y, &low)).to_f64();
                let found = law.logpmf(x) - own.logpmf(y) + e;
                let first = *first.get_or_insert(found);
                assert!((found - first).abs() < 3e-14, "{what} {y} {low:?}: {}", found - first);
                assert!((0.0..0.01).contains(&e), "{what} {y} {low:?}: {e}");
            }
        }
    }
}

/// Words in order, and how many were taken.
struct Words<'a> {
    words: &'a [u64],
    taken: usize,
    is_condemned: bool,
}

impl BitSource for Words<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        assert_eq!(n, 64);
        self.taken += 1;
        self.words.get(self.taken - 1).copied().unwrap_or(0)
    }

    fn condemn(&mut self) {
        self.is_condemned = true;
    }
}

/// Counts the proposals that fixed-point numbers leave open.
struct Counted<'a>(&'a WideExponent, Cell<u32>);

impl WideRefine for Counted<'_> {
    fn accepts<B: BitSource + ?Sized>(&self, y: i64, low: &[u64], lead: u64, bits: &mut B) -> bool {
        self.1.set(self.1.get() + 1);
        self.0.accepts(y, low, lead, bits)
    }
}

/// Whether it is accepted, the words taken, and whether it was left open. `None` if the source was condemned.
fn decided(trials: &Trials, y: i64, low: &[u64], lead: u64, words: &[u64]) -> Option<(bool, usize, bool)> {
    let mut bits = Words { words, taken: 0, is_condemned: false };
    let counted = Counted(&trials.1, Cell::new(0));
    let accepted = trials.0.accepts(&counted, y, low, lead, &mut bits);
    (!bits.is_condemned).then_some((accepted, bits.taken, counted.1.get() > 0))
}

/// V around the probability: what fixed-point numbers decide is right, and close is only what may lie on both sides.
#[test]
fn fixed_point_decides_what_it_can() {
    let (mut open, mut near) = (0, 0);
    for trials in trials() {
        for y in values(&trials.0) {
            for low in lows(&trials.0) {
                let p = fine(&trials.1, y, &low);
                // The digits that come with a proposal, and those behind them.
                let (goal, rest) = (p.lo[7] >> 16, p.lo[7] & 0xffff);
                assert!(p.lo[7] < 1 << 53, "E >= 2^-11: {y} {low:?} {trials:?}");
                for distance in (0..20).map(|n| 1_i64 << n).flat_map(|n| [-n, n]).chain([0]) {
                    let Some(v) = goal.checked_add_signed(distance) else { continue };
                    let verdict = trials.0.verdict(y, &low, v);
                    // Within 2^-58 of the cell's ends.
                    let may = match distance {
                        0 => true,
                        1 => rest > 0xffff - 128,
                        -1 => rest < 128,
                        _ => false,
                    };
                    assert!(!verdict.close || may, "{distance} {rest:x} {y} {low:?} {trials:?}");
                    assert!(verdict.close || distance != 0, "{rest:x} {y} {low:?} {trials:?}");
                    assert!(verdict.close || verdict.accepted == (distance > 0), "{distance} {y} {low:?} {trials:?}");
                    open += u32::from(verdict.close);
                    near += u32::from(verdict.close && distance != 0);
                }
            }
        }
    }
    assert!(open > 1500 && near < 30, "{open} {near}");
}

/// Where the probability is within 32 units of 2^-64 of a cell's end, the cell on the other side is close too: the margin holds.
#[test]
fn ends_of_cells_are_close() {
    let third = || Fraction::new(&[1], &[3]).unwrap();
    for step in 0..8_u64 {
        // L = 64: p rises with u for y > 0 and falls for y < 0, by far less than a unit.
        let width = Fraction::new(&[12_345, (1 << 24) + 1_777_777 * step + 1], &[1]).unwrap();
        let trials = WideExponent::new(WidthForm::Sigma, width, third(), step % 2 == 0).unwrap();
        assert_eq!(trials.0.shift(), 64);
        for y in [limit(&trials.0), -limit(&trials.0) / 2, 1 << 24, -(1 << 25)] {
            let at = |high: u64| vec![if y > 0 { high } else { !high }];
            let p = |high: u64| fine(&trials.1, y, &at(high)).lo[7];
            let (mut below, mut above) = (0, u64::MAX);
            let end = (p(above / 2) >> 16) << 16;
            assert!(p(below) < end && p(above) >= end);
            while above - below > 1 {
                let middle = below.midpoint(above);
                if p(middle) >= end { above = middle } else { below = middle }
            }
            let (least, most) = (p(above), p(below));
            assert!(least - end < 32 && end - most < 32, "{least:x} {most:x}");
            let is_close = |high: u64, lead: u64| trials.0.verdict(y, &at(high), lead).close;
            let cell = end >> 16;
            assert!(is_close(above, cell) && is_close(above, cell - 1), "{y} {trials:?}");
            assert!(is_close(below, cell) && is_close(below, cell - 1), "{y} {trials:?}");
        }
    }
}

/// V equal to the probability in its first digits, and then above it or below it.
#[test]
fn close_numbers_are_decided_exactly() {
    for trials in trials().into_iter().step_by(3) {
        for y in values(&trials.0) {
            let low = &lows(&trials.0)[2];
            let p = fine(&trials.1, y, low);
            // 48 bits and six words of V.
            let lead = p.lo[7] >> 16;
            let words: Vec<u64> = (2..8).rev().map(|i| p.lo[i] << 48 | p.lo[i - 1] >> 16).collect();
            for same in 0..5 {
                for up in [false, true] {
                    let mut v = words.clone();
                    v[same] = if up { v[same].wrapping_add(1) } else { v[same].wrapping_sub(1) };
                    if v[same] == if up { 0 } else { u64::MAX } {
                        continue;
                    }
                    let (accepted, taken, is_open) = decided(&trials, y, low, lead, &v).unwrap();
                    assert!(accepted == up && is_open, "{y} {same} {up} {trials:?}");
                    assert!((same + 1..=same + 2).contains(&taken), "{taken} for {same}");
                }
            }
        }
    }
}

#[test]
fn far_values_are_decided_or_condemned() {
    let trials = trial(WidthForm::Sigma, [1 << 40, 1], [1, 3]);
    let (low, limit, last) = ([1 << 15], limit(&trials.0), (1 << 48) - 1);
    // E grows with y²: beyond the limit a V of 0 is still rejected, and one near 1 accepted.
    for y in [limit + 1, -(1 << 35), (1 << 42) + 7] {
        assert_eq!(decided(&trials, y, &low, 0, &[]), Some((false, 0, true)), "{y}");
    }
    assert_eq!(decided(&trials, limit + 1, &low, last, &[]), Some((true, 0, true)));
    assert_eq!(decided(&trials, 1 << 42, &low, last, &[u64::MAX]), Some((false, 2, true)), "E > 2^15");
    assert_eq!([1 << 43, i64::MIN, i64::MAX].map(|y| decided(&trials, y, &low, 0, &[])), [None; 3]);
    // Within the limit no word is drawn.
    assert_eq!(
        [0, last].map(|lead| decided(&trials, limit, &low, lead, &[])),
        [Some((false, 0, false)), Some((true, 0, false))]
    );
}

/// Numbers with which E might be negative or large.
#[test]
fn other_numbers_are_no_trials() {
    let (trial, _) = build_wide(&DiscreteGaussian::with_sigma("1e12".parse().unwrap()).unwrap()).unwrap();
    // Read back from its text, as it shows them.
    let shown = alloc::format!("{trial:?}");
    let number = |name: &str| -> i64 {
        let at = shown.find(name).unwrap() + name.len() + 2;
        shown[at..].split([',', ' ', '}']).next().unwrap().parse().unwrap()
    };
    let [shift, base, curvature, gap, offset] = ["shift", "base", "curvature", "gap", "offset"].map(number);
    let new = |shift: i64, base: i64, curvature: i64, gap: i64, offset: i64| {
        WideTrial::new(shift as u32, base as u64, curvature as u64, gap as u64, offset)
    };
    assert_eq!(new(shift, base, curvature, gap, offset), Some(trial));
    for wrong in [
        new(1, base, curvature, gap, offset),
        new(shift, base + 64, curvature, gap, offset),
        new(shift, base, curvature / 2, gap, offset),
        new(shift, base, curvature, gap / 2, offset),
        new(shift, base, curvature, gap / 2 * 3, offset),
        new(shift, base, curvature, gap, 1 << 61),
        new(shift, base, 0, gap, offset),
    ] {
        assert_eq!(wrong, None);
    }
}
