//! Centred residues.

/// Reduces modulo an odd q below 2^15, without a division.
#[derive(Clone, Copy)]
pub(crate) struct Modulus {
    q: i64,
    /// ⌊lg q⌋.
    shift: u32,
    /// ⌊2^(32 + shift)/q⌋, at most 2^32.
    reciprocal: i64,
    /// 2^(31 + shift)/q to the nearest integer, at most 2^31.
    word_reciprocal: i64,
}

impl Modulus {
    pub(crate) const fn new(q: u16) -> Self {
        let shift = q.ilog2();
        let wide = q as i64;
        Modulus {
            q: wide,
            shift,
            reciprocal: (1 << (32 + shift)) / wide,
            word_reciprocal: ((1 << (31 + shift)) + wide / 2) / wide,
        }
    }

    /// Returns the residue of a word, centred, in half as many steps. The reciprocal errs by ½, the quotient before it
    /// is cut by less than 2^31·½/2^(31 + shift) < 1/q. So the rest is from 0 to q.
    #[inline(always)]
    pub(crate) const fn centred_word(self, x: i32) -> i16 {
        let q = self.q as i32;
        let quotient = ((x as i64 * self.word_reciprocal) >> (31 + self.shift)) as i32;
        let rest = x.wrapping_sub(quotient.wrapping_mul(q));
        (rest - ((q / 2 - rest) >> 31 & q)) as i16
    }

    /// Returns the residue of x, centred, for |x| < 2^40 and |x| < 2^(30 + lg q). As x/2^shift < 2^31, the product is
    /// below 2^63 and the quotient at most 1 too small.
    #[inline(always)]
    pub(crate) const fn centred(self, x: i64) -> i16 {
        let quotient = ((x >> self.shift) * self.reciprocal) >> 32;
        let mut rest = x - quotient * self.q;
        let mut step = 0;
        while step < 3 {
            rest -= if rest > self.q / 2 { self.q } else { 0 };
            step += 1;
        }
        rest as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_are_centred() {
        for q in [3, 17, 2003, 2053, 4093, 7681, 12_289, 16_381, 32_749] {
            let (modulus, m) = (Modulus::new(q), i64::from(q));
            let top = (m << 24).min((1 << 40) - 1);
            let near = |x: i64| (-3..=3).map(move |d| x + d);
            let points = (-20..=20).flat_map(|i| near(i * top / 20)).chain((-40..40).flat_map(|i| near(i * m / 2)));
            let words = (-200..=200)
                .flat_map(|i| near(i * (1 << 31) / 200 / m * m + m / 2))
                .chain(near(1 << 31))
                .chain(near(-1 << 31));
            for x in points.chain(near(1 << 39)).chain(words).filter(|x| x.abs() <= top) {
                let rest = x.rem_euclid(m);
                if let Ok(word) = i32::try_from(x) {
                    assert_eq!(modulus.centred_word(word), modulus.centred(x), "{x} mod {q}");
                }
                assert_eq!(i64::from(modulus.centred(x)), rest - if rest > m / 2 { m } else { 0 }, "{x} mod {q}");
            }
        }
    }
}
