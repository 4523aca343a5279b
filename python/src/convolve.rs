//! Exact convolution of non-negative integers, for the accounting of `samplez.dp`.
//!
//! Each integer is divided into digits of 16 bits. The digits of one place form a polynomial, and a number-theoretic transform modulo
//! p = 2^64 - 2^32 + 1 multiplies these polynomials. Each coefficient of a sum of products is below 2^32·n·d for n terms and d places, which
//! `convolve` keeps below 2^63 < p. So it is the integer itself, and nothing is rounded.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

const P: u64 = 0xffff_ffff_0000_0001;
/// 2^64 modulo p.
const EPSILON: u64 = 0xffff_ffff;
/// A generator of the group modulo p.
const GENERATOR: u64 = 7;

fn add(a: u64, b: u64) -> u64 {
    let (sum, over) = a.overflowing_add(b);
    if over || sum >= P { sum.wrapping_sub(P) } else { sum }
}

fn sub(a: u64, b: u64) -> u64 {
    let (difference, under) = a.overflowing_sub(b);
    if under { difference.wrapping_add(P) } else { difference }
}

/// The product modulo p, by 2^64 = 2^32 - 1 and 2^96 = -1.
fn mul(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product as u64, (product >> 64) as u64);
    let (first, under) = low.overflowing_sub(high >> 32);
    let first = if under { first.wrapping_sub(EPSILON) } else { first };
    let (sum, over) = first.overflowing_add((high & EPSILON) * EPSILON);
    let sum = if over { sum.wrapping_add(EPSILON) } else { sum };
    if sum >= P { sum - P } else { sum }
}

fn power(base: u64, mut exponent: u64) -> u64 {
    let (mut square, mut result) = (base, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, square);
        }
        square = mul(square, square);
        exponent >>= 1;
    }
    result
}

/// The powers of a root of unity of order `size`, up to half of it.
fn roots(size: usize, inverse: bool) -> Vec<u64> {
    let root = power(GENERATOR, (P - 1) / size as u64);
    let root = if inverse { power(root, P - 2) } else { root };
    std::iter::successors(Some(1), |x| Some(mul(*x, root))).take((size / 2).max(1)).collect()
}

/// The transform, its results in bit-reversed order.
fn forward(values: &mut [u64], roots: &[u64]) {
    let mut half = values.len() / 2;
    while half > 0 {
        let stride = values.len() / (2 * half);
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((x, y), root) in low.iter_mut().zip(high).zip(roots.iter().step_by(stride)) {
                (*x, *y) = (add(*x, *y), mul(sub(*x, *y), *root));
            }
        }
        half /= 2;
    }
}

/// The inverse of `forward` times the length, by the inverse roots.
fn backward(values: &mut [u64], roots: &[u64]) {
    let mut half = 1;
    while half < values.len() {
        let stride = values.len() / (2 * half);
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((x, y), root) in low.iter_mut().zip(high).zip(roots.iter().step_by(stride)) {
                let z = mul(*y, *root);
                (*x, *y) = (add(*x, z), sub(*x, z));
            }
        }
        half *= 2;
    }
}

/// The transforms of the digits of every place.
fn transformed(bytes: &[u8], width: usize, size: usize, roots: &[u64]) -> Vec<Vec<u64>> {
    let polynomial = |place: usize| {
        let mut values = vec![0; size];
        for (value, integer) in values.iter_mut().zip(bytes.chunks_exact(width)) {
            *value = u64::from(u16::from_le_bytes([integer[2 * place], integer[2 * place + 1]]));
        }
        forward(&mut values, roots);
        values
    };
    (0..width / 2).map(polynomial).collect()
}

/// The convolution of integers of `a_width` and `b_width` bytes, even numbers; each result has as many as both and 8 more.
fn convolved(a: &[u8], a_width: usize, b: &[u8], b_width: usize) -> Vec<u8> {
    let terms = a.len() / a_width + b.len() / b_width - 1;
    let size = terms.next_power_of_two();
    let there = roots(size, false);
    let (a, b) = (transformed(a, a_width, size, &there), transformed(b, b_width, size, &there));
    let (back, scale) = (roots(size, true), power(size as u64, P - 2));
    let digits = (a_width + b_width) / 2 + 4;
    let (mut result, mut carries) = (vec![0; 2 * digits * terms], vec![0_u64; terms]);
    for place in 0..digits {
        let mut values = vec![0; size];
        for (i, x) in a.iter().enumerate().filter(|(i, _)| *i <= place) {
            let Some(y) = b.get(place - i) else { continue };
            for ((value, x), y) in values.iter_mut().zip(x).zip(y) {
                *value = add(*value, mul(*x, *y));
            }
        }
        if place < a.len() + b.len() - 1 {
            backward(&mut values, &back);
        }
        for ((integer, carry), value) in result.chunks_exact_mut(2 * digits).zip(&mut carries).zip(&values) {
            // Both are below 2^63.
            let sum = mul(*value, scale) + *carry;
            integer[2 * place..2 * place + 2].copy_from_slice(&(sum as u16).to_le_bytes());
            *carry = sum >> 16;
        }
    }
    result
}

/// The convolution of two lists of integers, each as little-endian bytes of one even width. Each result has as many bytes as both and 8 more.
#[pyfunction]
pub(crate) fn convolve<'py>(
    py: Python<'py>,
    a: &[u8],
    a_width: usize,
    b: &[u8],
    b_width: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let terms = |bytes: &[u8], width: usize| bytes.len().checked_div(width).unwrap_or(0);
    let (n, m) = (terms(a, a_width), terms(b, b_width));
    let is_whole =
        |bytes: &[u8], width: usize, terms: usize| terms > 0 && width.is_multiple_of(2) && bytes.len() == width * terms;
    // At most 2^30 products of two digits are added up. A transform of 2^32 exists.
    let places = a_width.min(b_width) / 2;
    if !is_whole(a, a_width, n)
        || !is_whole(b, b_width, m)
        || n + m > 1 << 30
        || n.min(m).saturating_mul(places) > 1 << 30
    {
        return Err(PyValueError::new_err(
            "convolve: expected integers of an even number of bytes, and at most 2^30 of them",
        ));
    }
    Ok(PyBytes::new(py, &py.detach(|| convolved(a, a_width, b, b_width))))
}
