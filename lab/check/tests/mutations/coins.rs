//! Exact coins and residues: slips that leave a probability near the right one.

use samplez_check::tape::{Budget, Tape, enumerate};
use samplez_core::bits::{BitSource, bernoulli};

/// x/f = 4/3.
const X: u128 = 4;
const F: u128 = 3;

/// A run of coins for e^-y that counts from 1, as long as all are heads.
fn run(num: u128, den: u128, bits: &mut Tape) -> u128 {
    (0..).find(|n| !bernoulli(num, den * (n + 1), bits)).unwrap()
}

/// The coins with a hole for each slip.
#[derive(Clone, Copy)]
struct Slips {
    /// The parity that is true.
    odd: bool,
    /// Whether the whole part of x/f counts.
    whole: bool,
    /// In 2^-y: the coin of number n has (n - 1 - y)/n.
    falling: bool,
    /// In 2^-y: whether the fair coin's heads end it.
    halves: bool,
    /// In 1/cosh: whether the fair coin is tossed, and whether e^-y is tossed again after its tails.
    fair: bool,
    again: bool,
}

const RIGHT: Slips = Slips { odd: false, whole: true, falling: true, halves: true, fair: true, again: true };

impl Slips {
    fn exp(self, bits: &mut Tape) -> bool {
        let coin = |num, bits: &mut Tape| run(num, F, bits).is_multiple_of(2) != self.odd;
        (!self.whole || (0..X / F).all(|_| coin(F, bits))) && coin(X % F, bits)
    }

    fn exp2(self, bits: &mut Tape) -> bool {
        if self.whole && !(0..X / F).all(|_| bits.bit()) {
            return false;
        }
        let (z, mut n) = (X % F, 1);
        loop {
            let num = match n {
                1 => z,
                _ if self.falling => (n - 1) * F - z,
                _ => z,
            };
            if !bernoulli(num, n * F, bits) {
                return true;
            }
            if bits.bit() == self.halves {
                return false;
            }
            n += 1;
        }
    }

    /// With p of probability 1/2, so that a walk is nearly complete.
    fn sech(self, bits: &mut Tape) -> bool {
        loop {
            if bits.bit() {
                return true;
            }
            if self.fair && bits.bit() {
                continue;
            }
            if !(self.again && bits.bit()) {
                return false;
            }
        }
    }
}

fn passes(p: f64, toss: impl Fn(&mut Tape) -> bool) -> bool {
    let law = enumerate(Budget::depth(60).runs(200_000), |bits| Some(toss(bits).into())).unwrap();
    let bracket = law.bracket(1);
    *bracket.start() <= p * (1.0 + 1e-12) && p * (1.0 - 1e-12) <= *bracket.end()
}

fn exp_passes(slips: Slips) -> bool {
    passes((-4.0_f64 / 3.0).exp(), |bits| slips.exp(bits))
}

fn exp2_passes(slips: Slips) -> bool {
    passes((-4.0_f64 / 3.0).exp2(), |bits| slips.exp2(bits))
}

fn sech_passes(slips: Slips) -> bool {
    passes(0.8, |bits| slips.sech(bits))
}

#[test]
fn the_right_forms_pass() {
    assert!(exp_passes(RIGHT) && exp2_passes(RIGHT) && sech_passes(RIGHT));
}

#[test]
fn slips_of_the_exponential_are_caught() {
    assert!(!exp_passes(Slips { odd: true, ..RIGHT }));
    assert!(!exp_passes(Slips { whole: false, ..RIGHT }));
}

#[test]
fn slips_of_the_power_of_2_are_caught() {
    assert!(!exp2_passes(Slips { whole: false, ..RIGHT }));
    assert!(!exp2_passes(Slips { falling: false, ..RIGHT }));
}

/// The fair coin's sides are exchangeable; that it ends the run half of the time is not.
#[test]
fn the_fair_coin_s_sides_do_not_matter() {
    assert!(exp2_passes(Slips { halves: false, ..RIGHT }));
}

#[test]
fn slips_of_the_hyperbolic_cosine_are_caught() {
    assert!(!sech_passes(Slips { fair: false, ..RIGHT }));
    assert!(!sech_passes(Slips { again: false, ..RIGHT }));
}

/// Residues by reduction of a draw instead of its rejection, and with q itself let through.
#[test]
fn slips_of_the_residues_are_caught() {
    let uniform = |residue: fn(&mut Tape) -> u64| {
        let law = enumerate(Budget::depth(40), |bits| Some(residue(bits) as i64)).unwrap();
        (0..5).all(|x| law.bracket(x).contains(&0.2))
    };
    assert!(uniform(|bits| (0..).map(|_| bits.bits(3)).find(|draw| *draw < 5).unwrap()));
    assert!(!uniform(|bits| bits.bits(3) % 5));
    assert!(!uniform(|bits| (0..).map(|_| bits.bits(3)).find(|draw| *draw <= 5).unwrap()));
}
