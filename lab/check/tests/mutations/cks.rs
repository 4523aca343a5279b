//! [CKS20], Algorithms 1 to 3: slips that leave an almost Gaussian law.

use crate::common::brackets::{holds, pmf};
use samplez_check::tape::{Budget, Tape, enumerate};
use samplez_core::bits::{BitSource, bernoulli, uniform_below};

/// σ² = 3/2, t = 2.
const A: u128 = 3;
const B: u128 = 2;
const T: u64 = 2;

/// Algorithm 1 for num/den; `odd` returns the parity that the paper's loop, which counts from 1,
/// calls odd.
fn coin_exp(num: u128, den: u128, odd: bool, bits: &mut Tape) -> bool {
    let coin = |num: u128, bits: &mut Tape| {
        let run = (0_u64..).find(|n| !(bernoulli(1, u128::from(n + 1), bits) && bernoulli(num, den, bits))).unwrap();
        run.is_multiple_of(2) == odd
    };
    (0..num / den).all(|_| coin(den, bits)) && coin(num % den, bits)
}

/// One attempt, with a hole for each slip.
struct Slips {
    odd: bool,
    /// U/t goes on with exp(-U/t).
    keeps_u: bool,
    zero_once: bool,
    /// Whether the acceptance is around σ²/t.
    shifted: bool,
    t: u64,
}

const RIGHT: Slips = Slips { odd: true, keeps_u: false, zero_once: true, shifted: true, t: T };

impl Slips {
    fn attempt(&self, bits: &mut Tape) -> Option<i64> {
        let (t, wide) = (self.t, u128::from(self.t));
        let u = uniform_below(t, bits);
        if !self.keeps_u && !coin_exp(u.into(), wide, self.odd, bits) {
            return None;
        }
        let v = (0..60).find(|_| !coin_exp(1, 1, self.odd, bits))?;
        let (negative, y) = (bits.bit(), u + t * v);
        if self.zero_once && negative && y == 0 {
            return None;
        }
        let root = if self.shifted { (B * wide * u128::from(y)).abs_diff(A) } else { B * wide * u128::from(y) };
        let accepted = coin_exp(root * root, 2 * A * B * wide * wide, self.odd, bits);
        accepted.then_some(if negative { -(y as i64) } else { y as i64 })
    }

    fn passes(&self) -> bool {
        let law = enumerate(Budget::depth(100).runs(400_000), |bits| self.attempt(bits)).unwrap();
        holds(&law, pmf(1.5_f64.sqrt(), 0.0))
    }
}

#[test]
fn the_right_form_passes() {
    assert!(RIGHT.passes());
    // Any t serves, σ²/t with it.
    assert!(Slips { t: 1, ..RIGHT }.passes() && Slips { t: 3, ..RIGHT }.passes());
}

#[test]
fn slips_are_caught() {
    let slips = [
        ("the run's parity", Slips { odd: false, ..RIGHT }),
        ("U not thinned", Slips { keeps_u: true, ..RIGHT }),
        ("zero twice", Slips { zero_once: false, ..RIGHT }),
        ("acceptance around 0", Slips { shifted: false, ..RIGHT }),
    ];
    for (name, slip) in slips {
        assert!(!slip.passes(), "{name}");
    }
}
