//! Stretches of 64: how many values are equal to the one before.

/// Values of a stretch.
pub(in super::super) const STRETCH: usize = 64;

#[derive(Clone, Debug, Default)]
pub(in super::super) struct Stretches {
    /// The greatest number of equal neighbours, of 63, in any stretch.
    pub(in super::super) most: u16,
    /// How many stretches there are.
    pub(in super::super) count: u64,
}

impl Stretches {
    /// Whole stretches alone count.
    #[inline(always)]
    pub(super) fn push(&mut self, codes: &[i16]) {
        let stretches = codes.as_chunks::<STRETCH>().0;
        for stretch in stretches {
            let equal = stretch[1..].iter().zip(&stretch[..STRETCH - 1]).map(|(a, b)| u16::from(a == b));
            self.most = self.most.max(equal.fold(0, u16::wrapping_add));
        }
        self.count += stretches.len() as u64;
    }

    pub(super) fn merge(&mut self, other: &Stretches) {
        self.most = self.most.max(other.most);
        self.count += other.count;
    }

    /// A bound of P(at least `most` equal neighbours in a stretch of values with these probabilities): Chernoff's,
    /// the least of E\[e^(θS)\]e^(-θ·most).
    pub(in super::super) fn tail(masses: &[f64], most: u16) -> f64 {
        let bound = |theta: f64| {
            let more = libm::expm1(theta);
            let mut ending: Vec<f64> = masses.to_vec();
            let mut log = 0.0;
            for _ in 1..STRETCH {
                let all: f64 = ending.iter().sum();
                for (weight, p) in ending.iter_mut().zip(masses) {
                    *weight = p * (1.0 + more * *weight / all);
                }
                log += libm::log(all);
            }
            libm::exp(log + libm::log(ending.iter().sum::<f64>()) - theta * f64::from(most))
        };
        (0..12).map(|i| bound(f64::from(i) * 0.7)).fold(1.0, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_one_and_sharp() {
        // With two values of probability 1/2 each, neighbours are equal like coins: P(all 63) = 2^-63.
        let bound = Stretches::tail(&[0.5, 0.5], 63);
        assert!(bound >= 2_f64.powi(-63) && bound < 1.1 * 2_f64.powi(-63), "{bound:e}");
        // P(at least 50 of 63) = 1.6e-6: python3 -c "from scipy.stats import binom; print(binom.sf(49,63,.5))"
        let bound = Stretches::tail(&[0.5, 0.5], 50);
        assert!((1.5e-6..2e-5).contains(&bound), "{bound:e}");
        assert!((Stretches::tail(&[1.0], 63) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn counts() {
        let mut stretches = Stretches::default();
        let mut codes: Vec<i16> = (0..200).collect();
        codes[70..80].fill(3);
        stretches.push(&codes);
        assert_eq!((stretches.most, stretches.count), (9, 3));
    }
}
