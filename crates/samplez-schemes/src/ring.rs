//! The rings Z_q\[x\]/(x^n + 1) of the schemes: number-theoretic transforms, products, inverses.
//!
//! A polynomial is n coefficients, least degree first. Coefficients are `i16`. Results are *centred*, between -(q-1)/2
//! and (q-1)/2; arguments may be any `i16`.
//!
//! A [`Ring`]'s transform maps products to products slot by slot. The order of the slots is unspecified.
//!
//! Time depends on the ring alone, not on coefficients. Scratch memory is erased.

#[cfg(any(test, all(target_arch = "wasm32", samplez_backend = "simd128")))]
mod eights;
mod plan;
mod rows;
mod shifts;
#[cfg(test)]
mod tests;

pub(crate) use shifts::Shifts;

use crate::wipe::ErasedVec;
use alloc::vec::Vec;
use plan::Plan;

/// One of the rings that have a fast transform here.
///
/// ```
/// use samplez_schemes::Ring;
/// let ring = Ring::N512Q12289;
/// let mut x511 = vec![0; 512];
/// x511[511] = 1;
/// let mut x = vec![0; 512];
/// x[1] = 1;
/// assert_eq!(ring.product(&x511, &x)[0], -1); // x^512 = -1
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ring {
    /// n = 256, q = 7681.
    N256Q7681,
    /// n = 256, q = 12289.
    N256Q12289,
    /// n = 512, q = 12289.
    N512Q12289,
}

/// Runs a function of the ring's [`Plan`].
macro_rules! with_plan {
    ($ring:expr, $plan:ident => $body:expr) => {
        match $ring {
            Ring::N256Q7681 => {
                type $plan = Plan<256, 7681, 62>;
                $body
            }
            Ring::N256Q12289 => {
                type $plan = Plan<256, 12289, 2401>;
                $body
            }
            Ring::N512Q12289 => {
                type $plan = Plan<512, 12289, 49>;
                $body
            }
        }
    };
}

/// A slice of the ring's length as an array.
fn array<const N: usize>(slice: &mut [i16]) -> &mut [i16; N] {
    slice.try_into().expect("a polynomial has as many coefficients as its ring's degree")
}

/// A polynomial by which others are multiplied, prepared for that. For public ones: it is not erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Factor {
    ring: Ring,
    words: [Vec<i16>; 2],
}

impl Factor {
    /// The polynomial with this transform.
    ///
    /// # Panics
    ///
    /// Unless it has n slots.
    pub(crate) fn new(ring: Ring, slots: &[i16]) -> Self {
        let wrong = "a transform has as many slots as its ring's degree";
        Factor { ring, words: with_plan!(ring, P => P::factor(slots.try_into().expect(wrong))) }
    }

    /// a ← a times this: in one go what takes a transform, a product and a way back.
    ///
    /// # Panics
    ///
    /// Unless `a` has n coefficients.
    pub(crate) fn multiply(&self, a: &mut [i16]) {
        let words = self.words.each_ref().map(Vec::as_slice);
        with_plan!(self.ring, P => P::convolve(array(a), words));
    }
}

impl Ring {
    /// Every ring.
    #[cfg(test)]
    const ALL: [Ring; 3] = [Ring::N256Q7681, Ring::N256Q12289, Ring::N512Q12289];

    /// n.
    #[cfg(test)]
    pub(crate) const fn degree(self) -> usize {
        match self {
            Ring::N256Q7681 | Ring::N256Q12289 => 256,
            Ring::N512Q12289 => 512,
        }
    }

    /// q.
    pub(crate) const fn modulus(self) -> i32 {
        match self {
            Ring::N256Q7681 => 7681,
            Ring::N256Q12289 | Ring::N512Q12289 => 12289,
        }
    }

    /// The transform, in place.
    ///
    /// # Panics
    ///
    /// Unless `a` has n coefficients; so do all that follow.
    ///
    /// ```
    /// use samplez_schemes::Ring;
    /// let mut one = vec![0; 256];
    /// one[0] = 1;
    /// Ring::N256Q7681.transform(&mut one);
    /// assert!(one.iter().all(|slot| *slot == 1));
    /// ```
    pub fn transform(self, a: &mut [i16]) {
        with_plan!(self, P => P::transform(array(a)));
    }

    /// The inverse of [`transform`](Self::transform), in place.
    ///
    /// ```
    /// use samplez_schemes::Ring;
    /// let (ring, a): (_, Vec<i16>) = (Ring::N256Q12289, (0..256).collect());
    /// let mut b = a.clone();
    /// ring.transform(&mut b);
    /// ring.untransform(&mut b);
    /// assert_eq!(a, b);
    /// ```
    pub fn untransform(self, a: &mut [i16]) {
        with_plan!(self, P => P::untransform(array(a)));
    }

    /// a ← a·b slot by slot, the product of two transforms.
    ///
    /// ```
    /// use samplez_schemes::Ring;
    /// let (mut a, b) = (vec![100; 256], vec![200; 256]);
    /// Ring::N256Q7681.multiply(&mut a, &b);
    /// assert!(a.iter().all(|slot| i32::from(*slot) == 20_000 - 3 * 7681));
    /// ```
    pub fn multiply(self, a: &mut [i16], b: &[i16]) {
        assert_eq!(a.len(), b.len(), "multiply: two polynomials of one ring");
        with_plan!(self, P => P::multiply(array(a), b));
    }

    /// a ← 1/a slot by slot, and whether that is an inverse; a slot of zero stays zero.
    ///
    /// ```
    /// use samplez_schemes::Ring;
    /// let mut a = vec![2; 256];
    /// assert!(Ring::N256Q7681.invert(&mut a));
    /// assert_eq!(a[7], -3840); // 2·(-3840) = -7680
    /// a[7] = 0;
    /// assert!(!Ring::N256Q7681.invert(&mut a));
    /// ```
    pub fn invert(self, a: &mut [i16]) -> bool {
        with_plan!(self, P => P::invert(array(a)));
        a.iter().fold(true, |all, slot| all & (*slot != 0))
    }

    /// Returns the product of two polynomials by way of their transforms.
    ///
    /// ```
    /// use samplez_schemes::Ring;
    /// let a = vec![1; 256]; // all ones: the product's coefficient k is 2k + 2 - 256
    /// assert_eq!(Ring::N256Q7681.product(&a, &a)[3], -248);
    /// ```
    pub fn product(self, a: &[i16], b: &[i16]) -> Vec<i16> {
        let (mut a, mut b) = (a.to_vec(), ErasedVec::new(b.to_vec()));
        self.transform(&mut a);
        self.transform(&mut b);
        self.multiply(&mut a, &b);
        self.untransform(&mut a);
        a
    }

    /// Returns for each slot its place k in the natural order, where slot k is the value at ψ^(2k + 1). The root ψ is
    /// 49 for n = 512, 2401 for n = 256 and q = 12289, 62 for q = 7681.
    pub(crate) fn natural_order(self) -> &'static [u16] {
        with_plan!(self, P => &P::NATURAL_ORDER)
    }
}
