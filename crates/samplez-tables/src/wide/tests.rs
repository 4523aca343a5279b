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
    16 * trial.base().num()
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
    let narrow = DiscreteGaussian::with_sigma(Rational::from(1 << 26)).unwrap();
    let e = build_wide(&narrow).unwrap_err();
    assert_eq!(alloc::format!("{e}"), "sigma = 67108864: method wide allows 2^26 < sigma < 2^58");
}

/// The product of both laws' probabilities: that of y times that of step 2 is proportional to that of x, by the law functions.
#[test]
fn the_product_is_the_law() {
    let laws: [(fn(Rational) -> Width, _, _); 5] = [
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

/// What fixed-point numbers leave open is counted.
struct Counted<'a>(&'a WideExponent, Cell<u32>);

impl WideRefine for Counted<'_> {
    fn accepts<B: BitSource + ?Sized>(&self, y: i64, low: &[u64], lead: u64, word: u64, bits: &mut B) -> bool {
        self.1.set(self.1.get() + 1);
        self.0.accepts(y, low, lead, word, bits)
    }
}

/// Whether it is accepted, the words taken, and whether it was left open. `None` if the source was condemned.
fn decided(trials: &Trials, y: i64, low: &[u64], lead: u64, words: &[u64]) -> Option<(bool, usize, bool)> {
    let mut bits = Words { words, taken: 0, is_condemned: false };
    let counted = Counted(&trials.1, Cell::new(0));
    let accepted = trials.0.accepts(&counted, y, low, lead, &mut bits);
    (!bits.is_condemned).then_some((accepted, bits.taken, counted.1.get() > 0))
}

/// V that differ from the probability first in their 80 digits: what fixed-point numbers decide is right, and they decide
/// all that are farther than 2^-67 from it.
#[test]
fn fixed_point_decides_what_it_can() {
    let mut open = 0;
    for trials in trials() {
        for y in values(&trials.0) {
            for low in lows(&trials.0) {
                let p = fine(&trials.1, y, &low);
                // The first 80 digits.
                let goal = u128::from(p.lo[7]) << 16 | u128::from(p.lo[6] >> 48);
                assert!(goal >> 69 == 0, "clear proposals would be wrong: {y} {low:?} {trials:?}");
                for distance in (0..20).map(|n| 1_i128 << n).flat_map(|n| [-n, n]) {
                    let v = goal.wrapping_add_signed(distance);
                    if v >> 69 != 0 {
                        continue;
                    }
                    let (accepted, _, is_open) = decided(&trials, y, &low, (v >> 64) as u64, &[v as u64]).unwrap();
                    assert_eq!(accepted, distance > 0, "{distance} {y} {low:?} {trials:?}");
                    assert!(!is_open || distance.abs() <= 1 << 13, "{distance} {y} {low:?} {trials:?}");
                    open += u32::from(is_open);
                }
            }
        }
    }
    assert!(open > 5000, "{open}");
}

/// V equal to the probability in its first digits, and then above it or below it.
#[test]
fn close_numbers_are_decided_exactly() {
    for trials in trials().into_iter().step_by(3) {
        for y in values(&trials.0) {
            let low = &lows(&trials.0)[2];
            let p = fine(&trials.1, y, low);
            // 16 bits and seven words of V.
            let lead = p.lo[7] >> 48;
            let words: Vec<u64> = (1..8).rev().map(|i| p.lo[i] << 16 | p.lo[i - 1] >> 48).collect();
            for same in 0..6 {
                for up in [false, true] {
                    let mut v = words.clone();
                    v[same] = if up { v[same].wrapping_add(1) } else { v[same].wrapping_sub(1) };
                    if v[same] == if up { 0 } else { u64::MAX } {
                        continue;
                    }
                    let (accepted, taken, is_open) = decided(&trials, y, low, lead, &v).unwrap();
                    assert!(accepted == up && (is_open || same == 0), "{y} {same} {up} {trials:?}");
                    assert!((same + 1..=same + 2).contains(&taken), "{taken} for {same}");
                }
            }
        }
    }
}

#[test]
fn far_values_are_decided_or_condemned() {
    let trials = trial(WidthForm::Sigma, [1 << 40, 1], [1, 3]);
    let (low, limit) = ([1 << 15], limit(&trials.0));
    // E grows with y²: beyond the limit a V of 0 is still rejected, and one near 1 accepted.
    for y in [limit + 1, -(1 << 35), (1 << 43) + 7] {
        assert_eq!(decided(&trials, y, &low, 0, &[0]), Some((false, 1, true)), "{y}");
    }
    assert_eq!(decided(&trials, limit + 1, &low, 0xffff, &[u64::MAX]), Some((true, 1, true)));
    assert_eq!(decided(&trials, 1 << 43, &low, 0xffff, &[u64::MAX]), Some((false, 2, true)), "E > 2^15");
    assert_eq!([1 << 44, i64::MIN, i64::MAX].map(|y| decided(&trials, y, &low, 0, &[])), [None; 3]);
    // Clear: no word is drawn.
    assert_eq!([32, 1 << 15].map(|lead| decided(&trials, limit, &low, lead, &[])), [Some((true, 0, false)); 2]);
    assert_eq!(decided(&trials, limit, &low, 31, &[5]).unwrap().1, 1);
}
