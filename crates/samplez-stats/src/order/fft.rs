//! The discrete Fourier transform of 2^m complex values, in place and without a permutation.
//!
//! One direction leaves its output in bit-reversed order, the other takes its input so.

#![allow(clippy::redundant_closure, reason = "a closure is always inlined; the call through a function's name is not")]

use core::f64::consts::TAU;
use samplez_core::arch::fastest;
use std::sync::OnceLock;

/// The greatest size is 2^[`LOG2_MOST`].
pub(super) const LOG2_MOST: usize = 20;

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

/// Values that are worked on together. Arrays by value, for compilers see vectors in them.
const LANES: usize = 8;

/// Four equal parts, in arrays.
#[inline(always)]
fn quarters<const L: usize>(values: &mut [f32]) -> [&mut [[f32; L]]; 4] {
    let (low, high) = values.split_at_mut(values.len() / 2);
    let ((a, b), (c, d)) = (low.split_at_mut(low.len() / 2), high.split_at_mut(high.len() / 2));
    [a, b, c, d].map(|part| part.as_chunks_mut::<L>().0)
}

/// A complex number in each lane.
type Many<const L: usize> = ([f32; L], [f32; L]);

#[inline(always)]
fn each<const L: usize>(a: [f32; L], b: [f32; L], f: impl Fn(f32, f32) -> f32) -> [f32; L] {
    let mut out = a;
    for i in 0..L {
        out[i] = f(a[i], b[i]);
    }
    out
}

#[inline(always)]
fn plus<const L: usize>(a: Many<L>, b: Many<L>) -> Many<L> {
    (each(a.0, b.0, |x, y| x + y), each(a.1, b.1, |x, y| x + y))
}

#[inline(always)]
fn minus<const L: usize>(a: Many<L>, b: Many<L>) -> Many<L> {
    (each(a.0, b.0, |x, y| x - y), each(a.1, b.1, |x, y| x - y))
}

#[inline(always)]
fn times<const L: usize>(a: Many<L>, b: Many<L>) -> Many<L> {
    let re = each(each(a.0, b.0, |x, y| x * y), each(a.1, b.1, |x, y| x * y), |x, y| x - y);
    let im = each(each(a.0, b.1, |x, y| x * y), each(a.1, b.0, |x, y| x * y), |x, y| x + y);
    (re, im)
}

/// Divided by i.
#[inline(always)]
fn turned<const L: usize>(a: Many<L>) -> Many<L> {
    (a.1, a.0.map(|x| -x))
}

/// Works on one of each quarter, with the turns w, w² and w³.
#[inline(always)]
fn butterflies<const L: usize>(
    re: &mut [f32],
    im: &mut [f32],
    turns: &Turns,
    work: impl Fn([Many<L>; 4], [Many<L>; 3]) -> [Many<L>; 4],
) {
    let (cos, sin) = (turns.cos.as_chunks::<L>().0, turns.sin.as_chunks::<L>().0);
    let ([ar, br, cr, dr], [ai, bi, ci, di]) = (quarters::<L>(re), quarters::<L>(im));
    let parts = ar.iter_mut().zip(br).zip(cr).zip(dr).zip(ai.iter_mut().zip(bi).zip(ci).zip(di));
    for (((((ar, br), cr), dr), (((ai, bi), ci), di)), (cos, sin)) in parts.zip(cos.iter().zip(sin)) {
        let one = (*cos, *sin);
        let two = times(one, one);
        let three = times(one, two);
        let four = work([(*ar, *ai), (*br, *bi), (*cr, *ci), (*dr, *di)], [one, two, three]);
        [(*ar, *ai), (*br, *bi), (*cr, *ci), (*dr, *di)] = four;
    }
}

/// Picks the number of lanes.
macro_rules! lanes {
    ($function:ident, $re:expr, $im:expr, $turns:expr) => {
        match $re.len() / 4 {
            2 => butterflies::<2>(
                $re,
                $im,
                $turns,
                #[inline(always)]
                |four, turns| $function(four, turns),
            ),
            4 => butterflies::<4>(
                $re,
                $im,
                $turns,
                #[inline(always)]
                |four, turns| $function(four, turns),
            ),
            _ => butterflies::<LANES>(
                $re,
                $im,
                $turns,
                #[inline(always)]
                |four, turns| $function(four, turns),
            ),
        }
    };
}

#[inline(always)]
fn apart<const L: usize>([a, b, c, d]: [Many<L>; 4], [one, two, three]: [Many<L>; 3]) -> [Many<L>; 4] {
    let (sum, less, other, turn) = (plus(a, c), minus(a, c), plus(b, d), turned(minus(b, d)));
    [plus(sum, other), times(minus(sum, other), two), times(plus(less, turn), one), times(minus(less, turn), three)]
}

#[inline(always)]
fn together<const L: usize>([a, b, c, d]: [Many<L>; 4], [one, two, three]: [Many<L>; 3]) -> [Many<L>; 4] {
    let (b, c, d) = (times(b, two), times(c, one), times(d, three));
    let (even, less, odd, turn) = (plus(a, b), minus(a, b), plus(c, d), turned(minus(c, d)));
    [plus(even, odd), plus(less, turn), minus(even, odd), minus(less, turn)]
}

/// At most four values, whose turns are 1.
#[inline(always)]
fn few(re: &mut [f32], im: &mut [f32]) {
    match (re, im) {
        ([ar, br, cr, dr], [ai, bi, ci, di]) => {
            let (sum_r, sum_i, less_r, less_i) = (*ar + *cr, *ai + *ci, *ar - *cr, *ai - *ci);
            let (other_r, other_i, turn_r, turn_i) = (*br + *dr, *bi + *di, *bi - *di, *dr - *br);
            (*ar, *br, *cr, *dr) = (sum_r + other_r, sum_r - other_r, less_r + turn_r, less_r - turn_r);
            (*ai, *bi, *ci, *di) = (sum_i + other_i, sum_i - other_i, less_i + turn_i, less_i - turn_i);
        }
        ([ar, br], [ai, bi]) => {
            (*ar, *br) = (*ar + *br, *ar - *br);
            (*ai, *bi) = (*ai + *bi, *ai - *bi);
        }
        _ => {}
    }
}

/// At most four values from their bit-reversed order.
#[inline(always)]
fn few_backward(re: &mut [f32], im: &mut [f32]) {
    if re.len() == 4 {
        re.swap(1, 2);
        im.swap(1, 2);
    }
    few(re, im);
    if re.len() == 4 {
        re.swap(1, 2);
        im.swap(1, 2);
    }
}

/// The values of a part fit a near cache. All steps of one part are done before the next part.
const PART: usize = 1 << 11;

/// Σ z_t·exp(-2πikt/n): from the order of t to the bit-reversed one of k. n is a power of two.
pub(super) fn forward(re: &mut [f32], im: &mut [f32]) {
    let size = re.len();
    if size <= PART {
        return fastest(
            #[inline(always)]
            || part(re, im),
        );
    }
    let turns = Turns::of(size);
    fastest(
        #[inline(always)]
        || {
            butterflies::<LANES>(
                re,
                im,
                turns,
                #[inline(always)]
                |four, turns| apart(four, turns),
            )
        },
    );
    for (re, im) in re.chunks_exact_mut(size / 4).zip(im.chunks_exact_mut(size / 4)) {
        forward(re, im);
    }
}

/// [`forward`], of few.
#[inline(always)]
fn part(re: &mut [f32], im: &mut [f32]) {
    let mut size = re.len();
    while size > 4 {
        let turns = Turns::of(size);
        for (re, im) in re.chunks_exact_mut(size).zip(im.chunks_exact_mut(size)) {
            lanes!(apart, re, im, turns);
        }
        size /= 4;
    }
    for (re, im) in re.chunks_exact_mut(size.max(1)).zip(im.chunks_exact_mut(size.max(1))) {
        few(re, im);
    }
}

/// The same sum: from the bit-reversed order of t to the order of k.
pub(super) fn backward(re: &mut [f32], im: &mut [f32]) {
    let size = re.len();
    if size <= PART {
        return fastest(
            #[inline(always)]
            || part_backward(re, im),
        );
    }
    for (re, im) in re.chunks_exact_mut(size / 4).zip(im.chunks_exact_mut(size / 4)) {
        backward(re, im);
    }
    let turns = Turns::of(size);
    fastest(
        #[inline(always)]
        || {
            butterflies::<LANES>(
                re,
                im,
                turns,
                #[inline(always)]
                |four, turns| together(four, turns),
            )
        },
    );
}

/// [`backward`], of few.
#[inline(always)]
fn part_backward(re: &mut [f32], im: &mut [f32]) {
    // 4^j times the rest, which is 1, 2 or 4.
    let mut size = match re.len() {
        0 => return,
        n if n.ilog2() % 2 == 1 => 2,
        n => n.min(4),
    };
    for (re, im) in re.chunks_exact_mut(size).zip(im.chunks_exact_mut(size)) {
        few_backward(re, im);
    }
    while size < re.len() {
        size *= 4;
        let turns = Turns::of(size);
        for (re, im) in re.chunks_exact_mut(size).zip(im.chunks_exact_mut(size)) {
            lanes!(together, re, im, turns);
        }
    }
}

/// Where [`forward`] leaves the k-th of n values.
pub(super) const fn place(k: usize, n: usize) -> usize {
    if n < 2 { k } else { k.reverse_bits() >> (usize::BITS - n.ilog2()) }
}

/// |A_k|² and |B_k|² of two real series whose transform, of one plus i times the other, [`forward`] left: in its order, added
/// to what is there. That of k = 0 stays as it is.
pub(super) fn energies(re: &[f32], im: &[f32], to_a: &mut [f32], to_b: &mut [f32]) {
    fastest(
        #[inline(always)]
        || add_energies(re, im, to_a, to_b),
    );
}

#[inline(always)]
fn add_energies(re: &[f32], im: &[f32], to_a: &mut [f32], to_b: &mut [f32]) {
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
