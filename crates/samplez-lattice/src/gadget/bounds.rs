//! Distances of laws that are made of many calls, as upper bounds.
//!
//! D_a is the logarithm of the Rényi divergence R_a. Proof: docs/proofs/trapdoor.md.

use samplez_core::Bound;

/// The orders of a [`Bound`].
const ORDERS: [u32; 3] = [2, 256, 513];

/// 2^-e.
fn bit(e: f64) -> f64 {
    (-e).exp2()
}

/// D_a of one call of `StripRounder`, by the sums of docs/proofs/strip-rounder.md.
fn strips(order: f64) -> f64 {
    order / 2.0 * bit(106.4) + bit(103.9)
}

/// The departures of a law Q from its ideal law P.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Departures {
    /// Calls of `StripRounder` that are not refined.
    pub(crate) calls: f64,
    /// Samples of a law that is cut to 12σ, below 2^-104 outside. They are drawn before all others.
    pub(crate) cut: f64,
    /// Σ (e/σ)² over the errors e of centres.
    pub(crate) centers: f64,
    /// The square of the Frobenius norm of the covariance's relative error.
    pub(crate) covariance: f64,
    /// ln of max Q/P, of normalizations and sums that vary.
    pub(crate) ripple: f64,
}

impl Departures {
    /// D_a in nats.
    fn divergence(&self, order: f64) -> f64 {
        // From Q over the exact calls with fixed-point centres and widths to the ideal calls.
        let first = (order - 0.5) / (order - 1.0) * self.calls * strips(2.0 * order);
        let middle = 2.0 * order - 1.0;
        // Centres and covariance are separated again, the covariance with order 4a - 3.
        let inner = (middle - 0.5) / (middle - 1.0) * 2.0 * middle * self.centers;
        let covariance = (2.0 * middle - 1.0) * self.covariance;
        // The samples that are cut are drawn first, and have no other departure. By the chain rule they add theirs at order a.
        first + inner + covariance + self.cut * bit(103.9) + self.ripple
    }

    /// The bound of all.
    pub(crate) fn bound(&self) -> Bound {
        // Doubles err by less than this factor.
        let log2 = |x: f64| if x == 0.0 { f64::NEG_INFINITY } else { x.log2() + 1e-6 };
        let renyi = ORDERS.map(|order| (order, log2(self.divergence(order.into()).exp_m1())));
        // χ²: SD <= sqrt(R_2 - 1)/2.
        let sd = renyi[0].1 / 2.0 - 1.0;
        // Values in the strips are within 26σ of their centres.
        let reach = 26.0 * 26.0 / 2.0;
        let shift = 26.0 * (self.calls * self.centers).sqrt() + self.centers;
        let covariance = self.covariance.sqrt();
        let rinf = self.calls * bit(51.0)
            + self.cut * bit(103.9)
            + shift
            + 2.0 * covariance * (reach * self.calls + self.calls)
            + self.ripple;
        let tail = (self.calls + self.cut) * bit(103.0) + self.ripple;
        Bound::new(sd.min(0.0), renyi, log2(rinf.exp_m1()), log2(tail).min(0.0))
    }
}

/// ln of the greatest ratio of two values of ρ_σ(Z + c), c real, for σ >= 1: 4·exp(-2π²σ²) and 2^-20 of it more.
pub(crate) fn ripple(sigma: f64) -> f64 {
    4.000_004 * (-2.0 * std::f64::consts::PI.powi(2) * sigma * sigma).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_departs_from_nothing() {
        let bound = Departures::default().bound();
        assert_eq!((bound.log2_sd, bound.log2_rinf), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn one_call_is_near_the_strips_own_bound() {
        let bound = Departures { calls: 1.0, ..Departures::default() }.bound();
        let own = Bound::new(-53.0, [(2, -103.0), (256, -98.0), (513, -97.0)], -51.0, -103.0);
        for order in ORDERS {
            let (found, own) = (bound.renyi(order).unwrap(), own.renyi(order).unwrap());
            assert!(found > own - 1.5 && found < own + 1.5, "{order}: {found} {own}");
        }
        assert!(bound.log2_rinf < own.log2_rinf + 0.01);
    }

    #[test]
    fn a_ripple_is_that_of_the_sums() {
        for sigma in [1.0_f64, 1.2, 1.5] {
            let rho =
                |c: f64| (-60..60).map(|z| (-(f64::from(z) - c).powi(2) / 2.0 / sigma / sigma).exp()).sum::<f64>();
            let ratio = (rho(0.0) / rho(0.5)).ln();
            let bound = ripple(sigma);
            assert!(ratio <= bound + 1e-15 && ratio > 0.99 * bound - 1e-15, "{sigma} {ratio} {bound}");
        }
    }

    /// The divergence of two rounded Gaussians whose centres and widths differ, summed.
    #[test]
    fn errors_of_centres_and_widths_are_covered() {
        for (order, e, eta) in [(2.0, 1e-3, 0.0), (2.0, 0.0, 1e-3), (256.0, 1e-4, 1e-5), (3.0, 3e-3, 2e-3)] {
            let sigma = 5.0_f64;
            let wide = sigma * (1.0 + eta);
            let law = |c: f64, s: f64| {
                let w: Vec<f64> = (-90..90).map(|z| (-(f64::from(z) - c).powi(2) / 2.0 / s / s).exp()).collect();
                let sum: f64 = w.iter().sum();
                w.into_iter().map(move |w| w / sum).collect::<Vec<_>>()
            };
            let (q, p) = (law(e, wide), law(0.0, sigma));
            let sum: f64 = q.iter().zip(&p).map(|(q, p)| (q / p).powf(order) * p).sum();
            let found = sum.ln() / (order - 1.0);
            // (σ²/σ̂² - 1)²
            let covariance = ((sigma / wide).powi(2) - 1.0).powi(2);
            let bound = Departures { centers: (e / sigma).powi(2), covariance, ..Departures::default() };
            assert!(found > 0.0 && found <= bound.divergence(order), "{found} {}", bound.divergence(order));
        }
    }
}
