//! Lists of masses for the accounting of `samplez.dp`: non-negative integers in fixed point. Each operation is exact, or rounds each integer
//! to the side that its caller names.

use crate::convolve::{PRIMES, TERMS, convolved, primes_for};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The bits of a word; shares and the result of `discounted` are in units of 2^-64.
const WORD: usize = 64;
/// How far a share, which is computed in doubles, moves to the safe side: 2^-38 of one.
const SLACK: i128 = 1 << 26;

/// A list of non-negative integers, each of `width` words of 64 bits, the lowest first.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Masses {
    width: usize,
    /// The bits of the largest, at most.
    bits: usize,
    limbs: Vec<u64>,
}

impl Masses {
    pub(crate) fn zeros(width: usize, count: usize) -> Masses {
        Masses { width, bits: WORD * width, limbs: vec![0; width * count] }
    }

    /// `count` zeros, each of which holds a sum of `terms` integers below 2^bits.
    fn room(bits: usize, count: usize, terms: usize) -> Masses {
        Masses::zeros((bits + terms.max(1).ilog2() as usize + 2).div_ceil(WORD), count)
    }

    pub(crate) fn len(&self) -> usize {
        self.limbs.len() / self.width
    }

    pub(crate) fn iter(&self) -> std::slice::ChunksExact<'_, u64> {
        self.limbs.chunks_exact(self.width)
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::ChunksExactMut<'_, u64> {
        self.limbs.chunks_exact_mut(self.width)
    }

    fn at(&mut self, i: usize) -> &mut [u64] {
        &mut self.limbs[i * self.width..(i + 1) * self.width]
    }

    fn between(&self, first: usize, last: usize) -> std::slice::ChunksExact<'_, u64> {
        let last = last.min(self.len());
        self.limbs[first.min(last) * self.width..last * self.width].chunks_exact(self.width)
    }

    pub(crate) fn bits(&self) -> usize {
        self.bits
    }

    /// The same integers with no more words than the largest needs, and its bits, or 1 if all are 0.
    pub(crate) fn narrowed(mut self) -> Masses {
        let mut all = vec![0; self.width];
        self.iter().for_each(|integer| all.iter_mut().zip(integer).for_each(|(x, y)| *x |= y));
        self.bits = length(&all).max(1);
        let (wide, narrow, count) = (self.width, self.bits.div_ceil(WORD), self.len());
        if narrow < wide {
            (0..count).for_each(|i| self.limbs.copy_within(i * wide..i * wide + narrow, i * narrow));
            self.limbs.truncate(count * narrow);
            self.width = narrow;
        }
        self
    }

    /// Each integer, as `map` writes it into one of `width` words.
    fn mapped(&self, width: usize, mut map: impl FnMut(&[u64], &mut [u64])) -> Masses {
        let mut result = Masses::zeros(width, self.len());
        self.iter().zip(result.iter_mut()).for_each(|(x, y)| map(x, y));
        result.narrowed()
    }

    fn sum(&self, first: usize, last: usize) -> Vec<u64> {
        let mut total = vec![0; self.width + 1];
        self.between(first, last).for_each(|integer| add(&mut total, integer));
        total
    }
}

/// The bits of an integer.
fn length(x: &[u64]) -> usize {
    x.iter().rposition(|limb| *limb > 0).map_or(0, |i| WORD * (i + 1) - x[i].leading_zeros() as usize)
}

/// Adds y to x, which holds the sum. Words of y beyond it are zero.
fn add(x: &mut [u64], y: &[u64]) {
    let mut carry = false;
    for (i, limb) in x.iter_mut().enumerate() {
        if i >= y.len() && !carry {
            break;
        }
        let (sum, first) = limb.overflowing_add(y.get(i).copied().unwrap_or(0));
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        (*limb, carry) = (sum, first || second);
    }
}

/// Subtracts y from x, and returns whether y is larger.
fn subtract(x: &mut [u64], y: &[u64]) -> bool {
    let mut borrow = false;
    for (i, limb) in x.iter_mut().enumerate() {
        let (difference, first) = limb.overflowing_sub(y.get(i).copied().unwrap_or(0));
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        (*limb, borrow) = (difference, first || second);
    }
    borrow
}

/// Multiplies x by a word. Its last word is zero, and takes the carry.
fn multiply(x: &mut [u64], by: u64) {
    let mut carry = 0;
    for limb in x {
        let value = u128::from(*limb) * u128::from(by) + u128::from(carry);
        (*limb, carry) = (value as u64, (value >> WORD) as u64);
    }
}

/// x·y, into as many words as both have.
fn product(x: &[u64], y: &[u64], result: &mut [u64]) {
    result.fill(0);
    for (i, by) in y.iter().enumerate() {
        let mut carry = 0;
        for (limb, other) in result[i..].iter_mut().zip(x) {
            let value = u128::from(*other) * u128::from(*by) + u128::from(*limb) + u128::from(carry);
            (*limb, carry) = (value as u64, (value >> WORD) as u64);
        }
        result[i + x.len()] = carry;
    }
}

/// ⌊x/2^by⌋ or ⌈x/2^by⌉. The result holds it.
pub(crate) fn shifted(x: &[u64], by: usize, up: bool, result: &mut [u64]) {
    let (words, bits) = (by / WORD, by % WORD);
    for (i, limb) in result.iter_mut().enumerate() {
        let word = |i: usize| x.get(i + words).copied().unwrap_or(0);
        *limb = if bits > 0 { word(i) >> bits | word(i + 1) << (WORD - bits) } else { word(i) };
    }
    let lost = x.iter().take(words).any(|limb| *limb > 0)
        || bits > 0 && x.get(words).is_some_and(|limb| limb << (WORD - bits) > 0);
    if up && lost {
        add(result, &[1]);
    }
}

/// A Python integer that is not negative.
fn number(integer: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let bits: usize = integer.call_method0("bit_length")?.extract()?;
    let words = bits.div_ceil(WORD).max(1);
    let bytes = integer.call_method1("to_bytes", (8 * words, "little"))?;
    Ok(words_of(bytes.extract()?))
}

fn words_of(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(8).map(word).collect()
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn integer<'py>(py: Python<'py>, words: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<pyo3::types::PyInt>().call_method1("from_bytes", (PyBytes::new(py, &bytes_of(words)), "little"))
}

fn wrong(expected: &str) -> PyErr {
    PyValueError::new_err(format!("Masses: expected {expected}"))
}

#[pymethods]
impl Masses {
    /// The integers of `size` bytes each, the lowest first.
    #[new]
    fn new(bytes: &[u8], size: usize) -> PyResult<Masses> {
        if size == 0 || bytes.is_empty() || !bytes.len().is_multiple_of(size) {
            return Err(wrong("integers of the same number of bytes, and at least one"));
        }
        let width = size.div_ceil(8);
        Ok(Masses { width, bits: WORD * width, limbs: bytes.chunks(size).flat_map(words_of).collect() }.narrowed())
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    /// Bytes of an integer.
    #[getter]
    fn size(&self) -> usize {
        8 * self.width
    }

    /// The integers, as `new` takes them.
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &bytes_of(&self.limbs))
    }

    /// The sum of those from `first` to below `last`.
    fn total<'py>(&self, py: Python<'py>, first: usize, last: usize) -> PyResult<Bound<'py, PyAny>> {
        integer(py, &self.sum(first, last))
    }

    /// Those from `first` to below `last`. If `gathers`, those before `first` are added to the first.
    fn part(&self, first: usize, last: usize, gathers: bool) -> PyResult<Masses> {
        if first >= last.min(self.len()) {
            return Err(wrong("at least one integer"));
        }
        let width = self.width + usize::from(gathers);
        let mut result = Masses::zeros(width, last.min(self.len()) - first);
        result.iter_mut().zip(self.between(first, last)).for_each(|(x, y)| x[..self.width].copy_from_slice(y));
        if gathers {
            add(result.at(0), &self.sum(0, first));
        }
        Ok(result.narrowed())
    }

    /// The convolution with others, divided by 2^shift and rounded.
    fn times(&self, py: Python<'_>, other: &Masses, shift: usize, up: bool) -> PyResult<Masses> {
        let (n, m) = (self.len(), other.len());
        if n + m > TERMS || primes_for(self.bits() + other.bits() + WORD) > PRIMES {
            return Err(wrong("at most 2^30 integers, of at most 3900 bits"));
        }
        Ok(py.detach(|| convolved(self, other, shift, up)))
    }

    /// Each times a factor, divided by 2^shift and rounded.
    fn scaled(&self, factor: &Bound<'_, PyAny>, shift: usize, up: bool) -> PyResult<Masses> {
        let factor = number(factor)?;
        let mut exact = vec![0; self.width + factor.len()];
        Ok(self.mapped(exact.len(), |x, y| {
            product(x, &factor, &mut exact);
            shifted(&exact, shift, up, y);
        }))
    }

    /// The sums of lists, each of which begins at its place, in `size` places.
    #[staticmethod]
    fn combined(parts: Vec<(usize, PyRef<'_, Masses>)>, size: usize) -> PyResult<Masses> {
        let bits = parts.iter().map(|(_, part)| part.bits()).max().unwrap_or(1);
        let mut result = Masses::room(bits, size, parts.len());
        for (start, part) in &parts {
            if start + part.len() > size {
                return Err(wrong("places for all lists"));
            }
            result.iter_mut().skip(*start).zip(part.iter()).for_each(|(x, y)| add(x, y));
        }
        Ok(result.narrowed())
    }

    /// The masses, each divided between the two places around its loss, and rounded. A place has a loss of `width`. Losses are in units of
    /// 2^-64 of a place, and of 16 bytes each.
    fn split(&self, py: Python<'_>, losses: &[u8], width: f64, up: bool, size: usize) -> PyResult<Masses> {
        if losses.len() != 16 * self.len() {
            return Err(wrong("a loss for each integer"));
        }
        py.detach(|| {
            let losses = losses.chunks(16).map(words_of).map(|words| (words[1] as usize, words[0]));
            self.divided(losses, width, up, size)
        })
    }

    /// The same for the losses start + i·slope, in units of 2^-128 of a place and rounded down to 2^-64.
    fn split_line(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        slope: &Bound<'_, PyAny>,
        width: f64,
        up: bool,
        size: usize,
    ) -> PyResult<Masses> {
        let (mut loss, mut slope) = (number(start)?, number(slope)?);
        slope.resize(3, 0);
        if loss.len() > 3 {
            return Err(wrong("places for all losses"));
        }
        loss.resize(3, 0);
        let losses = std::iter::from_fn(move || {
            let place = (loss[2] as usize, loss[1]);
            add(&mut loss, &slope);
            Some(place)
        });
        py.detach(|| self.divided(losses, width, up, size))
    }

    /// Σ mass(i)·(factor/2^bits)^|i - near|·2^64 over `first` <= i < `last`, where `near` is `first`, or `last` - 1 if `backwards`. Each partial sum is
    /// rounded. `bits` is a multiple of 64.
    #[allow(clippy::too_many_arguments)]
    fn discounted<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        last: usize,
        factor: &Bound<'py, PyAny>,
        bits: usize,
        up: bool,
        backwards: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut factor = number(factor)?;
        factor.resize(factor.len().max(bits / WORD), 0);
        if !bits.is_multiple_of(WORD) || length(&factor) > bits + 1 {
            return Err(wrong("a factor up to 1, of a multiple of 64 bits"));
        }
        let total = py.detach(|| {
            let mut total = Masses::room(self.bits() + WORD, 1, self.len()).limbs;
            total.push(0);
            let mut exact = vec![0; total.len() + factor.len()];
            let mut step = |mass: &[u64]| {
                product(&total, &factor, &mut exact);
                let carries = up && exact[..bits / WORD].iter().any(|limb| *limb > 0);
                let kept = total.len();
                total.copy_from_slice(&exact[bits / WORD..][..kept]);
                add(&mut total[1..], mass);
                if carries {
                    add(&mut total, &[1]);
                }
            };
            let masses = self.between(first, last);
            if backwards {
                masses.for_each(&mut step)
            } else {
                masses.rev().for_each(&mut step)
            }
            total
        });
        integer(py, &total)
    }
}

impl Masses {
    /// `split`, by (j, t) for a loss t·2^-64 of a place above that of place j.
    fn divided(
        &self,
        losses: impl Iterator<Item = (usize, u64)>,
        width: f64,
        up: bool,
        size: usize,
    ) -> PyResult<Masses> {
        let mut result = Masses::room(self.bits() + 1, size, 2 * self.len());
        let (unit, whole, slack) = (2.0_f64.powi(64), -(-width).exp_m1(), if up { SLACK } else { -SLACK });
        let (mut moved, mut rest, n) = (vec![0; self.width + 1], vec![0; self.width + 1], self.width);
        for (mass, (j, t)) in self.iter().zip(losses) {
            if j + 1 >= size {
                return Err(wrong("places for all losses"));
            }
            // (1 - e^-loss)/(1 - e^-width), within 2^-48.
            let part = -(-width * (t as f64 / unit)).exp_m1() / whole;
            let share = ((part * unit) as i128 + slack).clamp(0, 1 << 64) as u128;
            rest[..n].copy_from_slice(mass);
            rest[n] = 0;
            moved.copy_from_slice(&rest);
            if share < 1 << 64 {
                multiply(&mut moved, share as u64);
                moved.copy_within(1.., 0);
                moved[n] = 0;
            }
            // Rounded down, the unit that the product may lose is in neither place.
            if up {
                add(&mut moved, &[1]);
            }
            if subtract(&mut rest, &moved) || !up && subtract(&mut rest, &[1]) {
                rest.fill(0);
            }
            if up {
                add(&mut rest, &[1]);
            }
            add(result.at(j + 1), &moved);
            add(result.at(j), &rest);
        }
        Ok(result.narrowed())
    }
}
