//! What the sets say of their security, computed again.
//!
//! The primal attack embeds a secret of n entries of deviation σ_s and m errors of deviation σ in dimension d = n + m + 1. By the
//! geometric series assumption blocks of β find it where σ·sqrt(β) <= δ^(2β - d - 1)·(q^m (σ/σ_s)^n)^(1/d). A sieve in dimension
//! β - f, with f = β ln(4/3)/ln(β/2πe) for free, takes 2^(0.29614(β - f) + 20.388) operations, one for each of d - β positions, and the
//! smaller blocks before them a factor of 1/(1 - 2^-0.29614). These constants are those of today's estimators.

use samplez_schemes::{bliss, lp11, regev};
use std::f64::consts::{E, PI};

const A: f64 = 0.296_135;
const B: f64 = 20.387_886;

fn cost(beta: f64, dimension: f64) -> f64 {
    let free = beta * (4.0_f64 / 3.0).ln() / (beta / (2.0 * PI * E)).ln();
    -(1.0 - (-A).exp2()).log2() + (dimension - beta).max(1.0).log2() + A * (beta - free) + B
}

/// log2 of the operations, for secret and error of these standard deviations and up to `most` samples.
fn primal(n: u32, q: f64, secret: f64, error: f64, most: u32) -> f64 {
    for beta in (60..900).map(f64::from) {
        let delta = ((PI * beta).powf(1.0 / beta) * beta / (2.0 * PI * E)).ln() / (2.0 * (beta - 1.0));
        let costs = (n / 4..=most).step_by(4).filter_map(|m| {
            let dimension = f64::from(n + m + 1);
            let volume = f64::from(m) * q.ln() + f64::from(n) * (error / secret).ln();
            let found = error.ln() + 0.5 * beta.ln() <= (2.0 * beta - dimension - 1.0) * delta + volume / dimension;
            found.then(|| cost(beta, dimension))
        });
        if let Some(least) = costs.min_by(f64::total_cmp) {
            return least;
        }
    }
    f64::INFINITY
}

fn sigma(width: samplez_core::Width) -> f64 {
    use samplez_core::Width;
    match width {
        Width::Sigma(sigma) => sigma.to_f64(),
        Width::S(s) => s.to_f64() / (2.0 * PI).sqrt(),
        other => panic!("{other}"),
    }
}

#[test]
fn lp11_and_regev_are_worth_what_they_say() {
    let moduli = [(128, 2053), (192, 4093), (256, 4093), (320, 4093), (256, 7681), (512, 12_289)];
    for (set, (n, q)) in lp11::Set::ALL.into_iter().zip(moduli) {
        let sigma = sigma(set.demand().law.width());
        let bits = primal(n, f64::from(q), sigma, sigma, 2 * n);
        println!("{set}: {bits:.1}");
        assert_eq!(set.parameters().security, bits as u32, "{set}");
    }
    for set in regev::Set::ALL {
        let regev::Shape { n, m, q, .. } = set.parameters().shape();
        let sigma = sigma(set.parameters().demand().law.width());
        let bits = primal(n, f64::from(q), sigma, sigma, (m - n).min(6 * n));
        println!("{set}: {bits:.1}");
        assert_eq!(set.security(), bits as u32, "{set}");
    }
}

/// Hybrid attacks, which this is none of, are better: BLISS says less.
#[test]
fn bliss_says_no_more_than_the_primal_attack_on_its_keys() {
    let entries = [(256, 7681.0, 141.0, 39.0), (512, 12_289.0, 154.0, 0.0), (512, 12_289.0, 154.0, 0.0)];
    let more = [(512, 12_289.0, 216.0, 16.0), (512, 12_289.0, 231.0, 31.0)];
    for (set, (n, q, ones, twos)) in bliss::Set::ALL.into_iter().zip(entries.into_iter().chain(more)) {
        let deviation = ((ones + 4.0 * twos) / f64::from(n)).sqrt();
        let bits = primal(n, q, deviation, 2.0 * deviation, n);
        println!("{set}: {bits:.1}");
        assert!(
            (f64::from(set.parameters().security)..f64::from(set.parameters().security + 18)).contains(&bits),
            "{set}: {bits}"
        );
    }
}
