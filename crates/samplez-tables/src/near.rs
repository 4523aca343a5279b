//! Exact decisions that make samples of one law samples of another one nearby.
//!
//! Proof: docs/proofs/wide.md.

use crate::fixed::{Constant, Interval, Scaled, exp_neg, sub};
use crate::heights::ends;
use crate::wide::{Fraction, WidthForm, unscaled};
use alloc::vec::Vec;
use core::cmp::Ordering;
use samplez_core::bits::BitSource;

/// Decides exactly whether a sample x is kept, with probability exp(-rG·x(x - 2m)). G > 0 and m are rational, |m| <= 1/2, and
/// r is 1/2 for the forms σ and σ², ln 2 for kσ₂, π for s.
///
/// Up to a constant this is the quotient of two laws of one form. They have the numbers q and q̃ and the centres c and c̃, where
/// G = 1/q² - 1/q̃² and G·m = c/q² - c̃/q̃² (1/q for σ²).
///
/// The digits of V are drawn by 64 until the numbers that begin with them lie all on one side. The probability is computed by
/// interval arithmetic with up to 192, 448 and 16,320 digits of V, as many as the comparison needs. A comparison that needs more, which
/// has a probability below 2^-16000, [condemns](BitSource::condemn) the source. Runs in variable time.
///
/// ```
/// use samplez_core::bits::BitReader;
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_tables::{Fraction, NearExponent, WidthForm};
/// let gap = Fraction::new(&[1], &[2]).ok_or("a fraction")?;
/// let middle = Fraction::new(&[1], &[3]).ok_or("a fraction")?;
/// let kept = NearExponent::new(WidthForm::Sigma, gap, middle, true).ok_or("a small m")?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// // exp(-1·(1 + 2/3)/4) is 0.66.
/// assert!(kept.accepts(1, 0, &mut bits) && !kept.accepts(1, u64::MAX, &mut bits));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct NearExponent {
    form: WidthForm,
    gap: Fraction,
    /// |m|, and whether m < 0.
    middle: Fraction,
    is_negative: bool,
}

impl NearExponent {
    /// Builds the decisions of this G and |m|. `is_negative` is m's sign. `None` if |m| > 1/2.
    pub fn new(form: WidthForm, gap: Fraction, middle: Fraction, is_negative: bool) -> Option<Self> {
        middle.is_at_most_half().then_some(NearExponent { form, gap, middle, is_negative })
    }

    /// Returns whether V < exp(-rG·x(x - 2m)). The digits of V are the 64 bits of `lead`, and then words of this source. The highest bit
    /// of a word is the first.
    pub fn accepts<B: BitSource + ?Sized>(&self, x: i64, lead: u64, bits: &mut B) -> bool {
        type Compare = fn(&NearExponent, i64, u64, &[u64]) -> Option<Ordering>;
        let precisions: [Compare; 3] = [Self::compare::<5>, Self::compare::<9>, Self::compare::<257>];
        let mut words = Vec::new();
        for compare in precisions {
            while let Some(order) = compare(self, x, lead, &words) {
                if order != Ordering::Equal {
                    return order == Ordering::Less;
                }
                words.push(bits.bits(64));
            }
        }
        bits.condemn();
        true
    }

    /// Compares V with the probability. Returns `Equal` if further digits of V decide, and `None` if further digits of the
    /// probability do.
    fn compare<const N: usize>(&self, x: i64, lead: u64, words: &[u64]) -> Option<Ordering> {
        let [from, to] = ends::<N>(lead, 64, words)?;
        let kept = match self.exponent::<N>(x) {
            Some(exponent) => exp_neg(&exponent).fixed(),
            None => Interval { lo: [0; N], width: 1 },
        };
        let kept_end = kept.hi()?;
        if sub(&kept.lo, &to).is_some() {
            Some(Ordering::Less)
        } else if sub(&from, &kept_end).is_some() {
            Some(Ordering::Greater)
        } else {
            Some(Ordering::Equal)
        }
    }

    /// rG·x(x - 2m), if it is below 2^19.
    fn exponent<const N: usize>(&self, x: i64) -> Option<Interval<N>> {
        if x == 0 {
            return Some(Interval::ZERO);
        }
        let size = Interval::<N>::ONE.times(x.unsigned_abs());
        let middle = if self.middle.is_zero() { Interval::ZERO } else { self.middle.to::<N>().fixed() };
        let twice = middle.shl(1);
        // 2|m| <= 1 <= |x|.
        let other = if (x < 0) == self.is_negative { size.sub(&twice) } else { size.add(&twice) };
        let product = Scaled::from(size).product(&Scaled::from(other));
        let exponent = self.gap.to::<N>().product(&product);
        let exponent = match self.form {
            WidthForm::Sigma | WidthForm::SigmaSquared => Scaled { shift: exponent.shift + 1, ..exponent },
            WidthForm::KSigma2 => exponent.mul(&Constant::LN_2.to()),
            WidthForm::S => exponent.mul(&Constant::PI.to()),
        };
        let exponent = exponent.normal();
        let is_large = exponent.shift <= -19 && exponent.value.lo[N - 1] > 0;
        (!is_large).then(|| unscaled(&exponent))
    }
}
