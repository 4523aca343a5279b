//! The discrete Fourier transform of 2^m complex values, in place and without a permutation: one direction leaves its output
//! in bit-reversed order, the other takes its input so.

use core::f64::consts::TAU;
use std::sync::OnceLock;

/// The greatest size is 2^[`LOG2_MOST`].
pub(super) const LOG2_MOST: usize = 18;

/// Turns of 2π/n for each n = 2^m.
static TURNS: [OnceLock<Turns>; LOG2_MOST + 1] = [const { OnceLock::new() }; LOG2_MOST + 1];

/// cos and -sin of 2πj/n, for j < n/4.
#[derive(Debug)]
struct Turns {
    cos: Vec<f32>,
    sin: Vec<f32>,
}

impl Turns {
    /// By doubling: each turn is a product of at most m exact ones.
    fn new(n: usize) -> Self {
        let mut turns = vec![(1.0, 0.0)];
        while turns.len() < n / 4 {
            let angle = TAU * turns.len() as f64 / n as f64;
            let (cos, sin) = (libm::cos(angle), -libm::sin(angle));
            turns.extend_from_within(..);
            let half = turns.len() / 2;
            for (re, im) in &mut turns[half..] {
                (*re, *im) = (*re * cos - *im * sin, *re * sin + *im * cos);
            }
        }
        let (cos, sin) = turns.into_iter().map(|(re, im)| (re as f32, im as f32)).unzip();
        Turns { cos, sin }
    }

    fn of(n: usize) -> &'static Turns {
        TURNS[n.ilog2() as usize].get_or_init(|| Turns::new(n))
    }
}

/// Four equal parts.
fn quarters(values: &mut [f32]) -> [&mut [f32]; 4] {
    let (low, high) = values.split_at_mut(values.len() / 2);
    let ((a, b), (c, d)) = (low.split_at_mut(low.len() / 2), high.split_at_mut(high.len() / 2));
    [a, b, c, d]
}

/// Σ z_t·exp(-2πikt/n): from the order of t to the bit-reversed one of k. n is a power of two.
pub(super) fn forward(re: &mut [f32], im: &mut [f32]) {
    let n = re.len();
    match n {
        0 | 1 => return,
        2 => {
            (re[0], re[1]) = (re[0] + re[1], re[0] - re[1]);
            (im[0], im[1]) = (im[0] + im[1], im[0] - im[1]);
            return;
        }
        _ => {}
    }
    let quarter = n / 4;
    let turns = Turns::of(n);
    let (cos, sin) = (&turns.cos[..quarter], &turns.sin[..quarter]);
    let ([ar, br, cr, dr], [ai, bi, ci, di]) = (quarters(re), quarters(im));
    let (ar, br, cr, dr) = (&mut ar[..quarter], &mut br[..quarter], &mut cr[..quarter], &mut dr[..quarter]);
    let (ai, bi, ci, di) = (&mut ai[..quarter], &mut bi[..quarter], &mut ci[..quarter], &mut di[..quarter]);
    for j in 0..quarter {
        let (c1, s1) = (cos[j], sin[j]);
        let (c2, s2) = (c1 * c1 - s1 * s1, 2.0 * c1 * s1);
        let (c3, s3) = (c1 * c2 - s1 * s2, c1 * s2 + s1 * c2);
        let (sum_r, sum_i, less_r, less_i) = (ar[j] + cr[j], ai[j] + ci[j], ar[j] - cr[j], ai[j] - ci[j]);
        let (other_r, other_i, turn_r, turn_i) = (br[j] + dr[j], bi[j] + di[j], bi[j] - di[j], dr[j] - br[j]);
        (ar[j], ai[j]) = (sum_r + other_r, sum_i + other_i);
        let (x, y) = (sum_r - other_r, sum_i - other_i);
        (br[j], bi[j]) = (x * c2 - y * s2, x * s2 + y * c2);
        let (x, y) = (less_r + turn_r, less_i + turn_i);
        (cr[j], ci[j]) = (x * c1 - y * s1, x * s1 + y * c1);
        let (x, y) = (less_r - turn_r, less_i - turn_i);
        (dr[j], di[j]) = (x * c3 - y * s3, x * s3 + y * c3);
    }
    if quarter > 1 {
        for (re, im) in re.chunks_exact_mut(quarter).zip(im.chunks_exact_mut(quarter)) {
            forward(re, im);
        }
    }
}

/// The same sum: from the bit-reversed order of t to the order of k.
pub(super) fn backward(re: &mut [f32], im: &mut [f32]) {
    let n = re.len();
    match n {
        0 | 1 => return,
        2 => {
            (re[0], re[1]) = (re[0] + re[1], re[0] - re[1]);
            (im[0], im[1]) = (im[0] + im[1], im[0] - im[1]);
            return;
        }
        _ => {}
    }
    let quarter = n / 4;
    if quarter > 1 {
        for (re, im) in re.chunks_exact_mut(quarter).zip(im.chunks_exact_mut(quarter)) {
            backward(re, im);
        }
    }
    let turns = Turns::of(n);
    let (cos, sin) = (&turns.cos[..quarter], &turns.sin[..quarter]);
    let ([ar, br, cr, dr], [ai, bi, ci, di]) = (quarters(re), quarters(im));
    let (ar, br, cr, dr) = (&mut ar[..quarter], &mut br[..quarter], &mut cr[..quarter], &mut dr[..quarter]);
    let (ai, bi, ci, di) = (&mut ai[..quarter], &mut bi[..quarter], &mut ci[..quarter], &mut di[..quarter]);
    for j in 0..quarter {
        let (c1, s1) = (cos[j], sin[j]);
        let (c2, s2) = (c1 * c1 - s1 * s1, 2.0 * c1 * s1);
        let (c3, s3) = (c1 * c2 - s1 * s2, c1 * s2 + s1 * c2);
        let (b_r, b_i) = (br[j] * c2 - bi[j] * s2, br[j] * s2 + bi[j] * c2);
        let (c_r, c_i) = (cr[j] * c1 - ci[j] * s1, cr[j] * s1 + ci[j] * c1);
        let (d_r, d_i) = (dr[j] * c3 - di[j] * s3, dr[j] * s3 + di[j] * c3);
        let (even_r, even_i, less_r, less_i) = (ar[j] + b_r, ai[j] + b_i, ar[j] - b_r, ai[j] - b_i);
        let (odd_r, odd_i, turn_r, turn_i) = (c_r + d_r, c_i + d_i, c_i - d_i, d_r - c_r);
        (ar[j], ai[j]) = (even_r + odd_r, even_i + odd_i);
        (cr[j], ci[j]) = (even_r - odd_r, even_i - odd_i);
        (br[j], bi[j]) = (less_r + turn_r, less_i + turn_i);
        (dr[j], di[j]) = (less_r - turn_r, less_i - turn_i);
    }
}

/// Where [`forward`] leaves the k-th of n values.
pub(super) const fn place(k: usize, n: usize) -> usize {
    if n < 2 { k } else { k.reverse_bits() >> (usize::BITS - n.ilog2()) }
}

/// |A_k|² and |B_k|² of two real series whose transform, of one plus i times the other, [`forward`] left: in its order, added
/// to what is there. That of k = 0 stays as it is.
pub(super) fn energies(re: &[f32], im: &[f32], to_a: &mut [f32], to_b: &mut [f32]) {
    // Of the places from h to 2h, the p-th from the end has -k where the p-th has k.
    let mut half = 1;
    while half < re.len() {
        let ours = half..2 * half;
        let (re, im) = (&re[ours.clone()], &im[ours.clone()]);
        let (to_a, to_b) = (&mut to_a[ours.clone()], &mut to_b[ours]);
        for p in 0..half {
            let (x, y, u, v) = (re[p], im[p], re[half - 1 - p], im[half - 1 - p]);
            // A_k = (Z_k + conj Z_-k)/2, B_k = (Z_k - conj Z_-k)/2i.
            to_a[p] += ((x + u) * (x + u) + (y - v) * (y - v)) / 4.0;
            to_b[p] += ((y + v) * (y + v) + (x - u) * (x - u)) / 4.0;
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::window::mixed;

    fn noise(seed: u64, n: usize) -> Vec<f32> {
        (0..n as u64).map(|i| (mixed(seed << 32 | i) % 63) as f32 - 31.0).collect()
    }

    /// Σ z_t·exp(-2πikt/n) by its definition.
    fn sum(re: &[f32], im: &[f32], k: usize) -> (f64, f64) {
        let n = re.len();
        let term = |t: usize| {
            let (sin, cos) = (-TAU * (k * t % n) as f64 / n as f64).sin_cos();
            let (x, y) = (f64::from(re[t]), f64::from(im[t]));
            (x * cos - y * sin, x * sin + y * cos)
        };
        (0..n).map(term).fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y))
    }

    #[test]
    fn transforms_against_their_definition() {
        for log2 in 0..13 {
            let n = 1 << log2;
            let (re, im) = (noise(1, n), noise(2, n));
            let (mut to_re, mut to_im) = (re.clone(), im.clone());
            forward(&mut to_re, &mut to_im);
            let (mut of_re, mut of_im) = (vec![0.0; n], vec![0.0; n]);
            for t in 0..n {
                (of_re[place(t, n)], of_im[place(t, n)]) = (re[t], im[t]);
            }
            backward(&mut of_re, &mut of_im);
            let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
            energies(&to_re, &to_im, &mut a, &mut b);
            let none = vec![0.0; n];
            for k in (0..n).step_by(1 + n / 37) {
                let want = sum(&re, &im, k);
                for got in [(to_re[place(k, n)], to_im[place(k, n)]), (of_re[k], of_im[k])] {
                    let gap = (f64::from(got.0) - want.0).abs() + (f64::from(got.1) - want.1).abs();
                    assert!(gap < 1e-4 * (n as f64).sqrt() * 20.0, "{n} {k}: {got:?} {want:?}");
                }
                for (series, energy) in [(&re, &a), (&im, &b)] {
                    let (x, y) = sum(series, &none, k);
                    let (got, want) = (f64::from(energy[place(k, n)]), x * x + y * y);
                    assert!(k == 0 || (got - want).abs() < 1e-4 * want.max(n as f64), "{n} {k}: {got} {want}");
                }
            }
        }
    }
}
