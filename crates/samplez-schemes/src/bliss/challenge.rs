//! v = Sc' for the challenge c: Sc itself (classic), or the shortest that signs of c's indices make (BLISS-B).

use crate::ring::Shifts;
use samplez_core::arch::fastest;

/// S = (s₁, s₂), with all its products by powers of x.
pub(super) struct Secret {
    pub(super) s1: Shifts,
    pub(super) s2: Shifts,
}

impl Secret {
    /// v = Sc.
    pub(super) fn times(&self, challenge: &[u16], v1: &mut [i16], v2: &mut [i16]) {
        fastest(
            #[inline(always)]
            || {
                v1.fill(0);
                v2.fill(0);
                for i in challenge.iter().map(|i| usize::from(*i)) {
                    self.s1.add_shifted(i, v1);
                    self.s2.add_shifted(i, v2);
                }
            },
        );
    }

    /// GreedySC: v = Sc' for a c' that is c modulo 2, with ‖v‖² <= ‖S‖²κ.
    ///
    /// Each step adds s_i = x^i·S or -s_i, whichever is not nearer to v's direction, so that ‖v‖² grows by ‖S‖² at most.
    ///
    /// ```text
    /// 1  v ← 0
    /// 2  for i in c: ς ← sgn⟨v, s_i⟩ (1 for 0); v ← v - ς·s_i
    /// ```
    ///
    /// No branch and no address depends on S. `add` is [`add_signed`].
    pub(super) fn greedy(
        &self,
        challenge: &[u16],
        v1: &mut [i16],
        v2: &mut [i16],
        mut add: impl FnMut(&mut [i16], &[i16], i16),
    ) {
        fastest(
            #[inline(always)]
            || {
                v1.fill(0);
                v2.fill(0);
                for i in challenge.iter().map(|i| usize::from(*i)) {
                    let inner = self.s1.inner(i, v1) + self.s2.inner(i, v2);
                    let minus = !(inner >> 31) as i16;
                    add(v1, self.s1.shifted(i), minus);
                    add(v2, self.s2.shifted(i), minus);
                }
            },
        );
    }
}

/// sum ← sum + term, or sum - term where `minus` is -1, not 0. A sum beyond 16 bits is cut to them.
#[inline(always)]
pub(super) fn add_signed(sum: &mut [i16], term: &[i16], minus: i16) {
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum = sum.saturating_add((term ^ minus).wrapping_sub(minus));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// All challenges of weight 3 in degree 8: ‖v‖² <= κ‖S‖², and v = Sc modulo 2. The classic v exceeds that
    /// for some, so that the bound is a test.
    #[test]
    fn greedy_keeps_its_bound_on_every_challenge_of_a_toy_set() {
        let (f, g) = ([1, 0, -1, 1, 0, 0, 2, -1], [3, -1, 1, 1, -3, 1, 1, 1]);
        let secret = Secret { s1: Shifts::new(&f), s2: Shifts::new(&g) };
        let square = |v: &[i16]| v.iter().map(|x| i32::from(*x) * i32::from(*x)).sum::<i32>();
        let norm = square(&f) + square(&g);
        let ([mut v1, mut v2], mut beyond) = ([[0; 8]; 2], 0);
        for mask in (0..256_u32).filter(|mask| mask.count_ones() == 3) {
            let indices: Vec<u16> = (0..8).filter(|i| mask >> i & 1 != 0).collect();
            for turn in 0..3 {
                let mut challenge = indices.clone();
                challenge.rotate_left(turn);
                secret.greedy(&challenge, &mut v1, &mut v2, add_signed);
                assert!(square(&v1) + square(&v2) <= 3 * norm);
                let greedy = [v1, v2];
                secret.times(&challenge, &mut v1, &mut v2);
                assert!(greedy.iter().flatten().zip([v1, v2].iter().flatten()).all(|(a, b)| (a - b) % 2 == 0));
                beyond += usize::from(square(&v1) + square(&v2) > 3 * norm);
            }
        }
        assert!(beyond > 0);
    }
}
