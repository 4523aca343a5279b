//! All points of a lattice near a centre, by the enumeration of Fincke and Pohst in doubles.

use super::number::ratio;
use crate::klein::Target;
use crate::space::Space;
use num_bigint::BigInt;

/// log2 of the share of a sum that may be left out.
const LEFT_OUT: f64 = -80.0;
/// log2 of the largest ρ(Λ)/ρ(Λ - c), and a bit more: 1 over the acceptance probability.
const DEEPEST: f64 = 22.0;

/// Σ w_k (x_k - c_k + Σ_{i<k} links_ki·x_i)², from the first coordinate to the last.
pub(crate) struct Tree {
    weights: Vec<f64>,
    links: Vec<Vec<f64>>,
    centers: Vec<f64>,
    is_reversed: bool,
}

/// The R² with 2·(e·R²/n)^(n/2)·exp(-R²/2) at most 2^-102: the share of ρ(Λ) outside, by Banaszczyk's bound.
pub(crate) fn reach(n: usize) -> f64 {
    let n = n as f64;
    let outside =
        |square: f64| 1.0 + n / 2.0 * (square * std::f64::consts::E / n).log2() - square / 2.0 / std::f64::consts::LN_2;
    let mut square = n + 1.0;
    while outside(square) > LEFT_OUT - DEEPEST {
        square += 1.0;
    }
    square
}

pub(crate) fn signed(num: &BigInt, den: &BigInt) -> f64 {
    let size = ratio(num.magnitude(), den.magnitude(), 0);
    if num.sign() == num_bigint::Sign::Minus { -size } else { size }
}

/// D_j and L_ij.
pub(crate) fn factors(space: &Space) -> (Vec<f64>, Vec<Vec<f64>>) {
    let d = &space.reduced.minors;
    let weight = |j: usize| ratio(&(d[j + 1].magnitude() * &space.scale.0), &(d[j].magnitude() * &space.scale.1), 0);
    let row = |row: &Vec<BigInt>| row.iter().zip(&d[1..]).map(|(l, d)| signed(l, d)).collect();
    ((0..space.dimension()).map(weight).collect(), space.reduced.lambda.iter().map(row).collect())
}

impl Tree {
    /// Q(x - c) on the lattice, with its coordinates from the last to the first.
    pub(crate) fn of_lattice(space: &Space, target: &Target) -> Tree {
        let n = space.dimension();
        let (mut weights, l) = factors(space);
        weights.reverse();
        let links = (0..n).map(|k| (0..k).map(|i| l[n - 1 - i][n - 1 - k]).collect()).collect();
        let center = |j: usize| signed(&target.lambda[j], &(&target.den * &space.reduced.minors[j + 1]));
        Tree { weights, links, centers: (0..n).rev().map(center).collect(), is_reversed: true }
    }

    /// 4π²·w(sA)⁻¹w on the dual lattice, around 0.
    pub(crate) fn of_dual(space: &Space) -> Tree {
        let n = space.dimension();
        let (weights, l) = factors(space);
        let four = 4.0 * std::f64::consts::PI * std::f64::consts::PI;
        // L⁻¹, row by row.
        let mut links: Vec<Vec<f64>> = Vec::with_capacity(n);
        for (k, own) in l.iter().enumerate() {
            let row = (0..k).map(|i| -own[i] - (i + 1..k).map(|m| own[m] * links[m][i]).sum::<f64>()).collect();
            links.push(row);
        }
        let weights = weights.into_iter().map(|weight| four / weight).collect();
        Tree { weights, links, centers: vec![0.0; n], is_reversed: false }
    }

    /// Every point whose value is at most [`reach`], and a few beyond. `None` if there are more than `most`, or too many prefixes of them.
    ///
    /// A centre errs by less than 2^-46 of its terms' magnitudes. There is no result where this is 2^-14 standard deviations. So a value errs by less
    /// than 32·2·16·2^-14 = 1/16, and the limit has a slack of 1/8.
    pub(crate) fn points(&self, most: usize) -> Option<Vec<Vec<i64>>> {
        let n = self.weights.len();
        let limit = reach(n) + 0.125;
        let (mut out, mut visited) = (Vec::new(), 0);
        let mut x = vec![0_i64; n];
        // The value of the coordinates before each one, its center, and the last x there.
        let (mut values, mut ends) = (vec![0.0; n + 1], vec![0_i64; n]);
        let mut centers = vec![0.0; n];
        let mut k = 0;
        let mut is_new = true;
        loop {
            if is_new {
                let terms = x[..k].iter().zip(&self.links[k]).map(|(x, l)| *x as f64 * l);
                let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term: f64| (sum + term, size + term.abs()));
                let center = self.centers[k] - sum;
                let width = ((limit - values[k]).max(0.0) / self.weights[k]).sqrt();
                if !(width < 1e6 && size * (1.0 + self.weights[k].sqrt()) < (1_u64 << 32) as f64) {
                    return None;
                }
                (x[k], ends[k], centers[k]) = ((center - width).ceil() as i64, (center + width).floor() as i64, center);
            } else {
                x[k] += 1;
            }
            if x[k] > ends[k] {
                if k == 0 {
                    return Some(out);
                }
                k -= 1;
                is_new = false;
                continue;
            }
            visited += 1;
            if visited > 8 * most {
                return None;
            }
            if k + 1 == n {
                if out.len() == most {
                    return None;
                }
                let mut point = x.clone();
                if self.is_reversed {
                    point.reverse();
                }
                out.push(point);
                is_new = false;
            } else {
                values[k + 1] = values[k] + self.weights[k] * (x[k] as f64 - centers[k]).powi(2);
                k += 1;
                is_new = true;
            }
        }
    }
}
