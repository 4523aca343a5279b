//! Energies of Walsh and Fourier coefficients, and sums of whole windows.

use super::window::WINDOW;
use core::f64::consts::TAU;
use std::sync::OnceLock;

/// Values of a Walsh transform.
pub(in super::super) const WALSH: usize = 1024;

/// Frequencies of the Fourier transform: 1 to this in 4096 values.
pub(in super::super) const FOURIER: usize = WINDOW / 2 - 1;

/// Only whole windows count.
#[derive(Clone, Debug)]
pub(in super::super) struct Spectrum {
    /// Σ W_j² over all blocks, of values and of magnitudes.
    pub(in super::super) walsh: [Box<[f64; WALSH]>; 2],
    /// Σ |F_k|², k = 1 … [`FOURIER`].
    pub(in super::super) fourier: [Box<[f64; FOURIER]>; 2],
    /// Windows that were transformed.
    pub(in super::super) windows: u64,
    /// Of sums of windows.
    pub(in super::super) sums: [Sums; 3],
    /// Windows that were summed.
    pub(in super::super) summed: u64,
}

/// The data kept of sums of windows: squares, sum, extremes.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Sums {
    pub(in super::super) total: i64,
    pub(in super::super) squares: i128,
    pub(in super::super) extremes: Option<(i64, i64)>,
}

impl Default for Spectrum {
    fn default() -> Self {
        Spectrum {
            walsh: core::array::from_fn(|_| Box::new([0.0; WALSH])),
            fourier: core::array::from_fn(|_| Box::new([0.0; FOURIER])),
            windows: 0,
            sums: Default::default(),
            summed: 0,
        }
    }
}

impl Spectrum {
    /// The sum of each series over a window.
    #[inline(always)]
    pub(super) fn sums(&mut self, series: [&[i16]; 3]) {
        if series[0].len() < WINDOW {
            return;
        }
        for (sums, values) in self.sums.iter_mut().zip(series) {
            // At most 1024·31, in 16 bits.
            let mut sum = 0;
            for part in values.as_chunks::<WALSH>().0 {
                sum += i64::from(part.iter().fold(0, |a: i16, b| a.wrapping_add(*b)));
            }
            sums.total += sum;
            sums.squares += i128::from(sum) * i128::from(sum);
            let (low, high) = sums.extremes.unwrap_or((sum, sum));
            sums.extremes = Some((low.min(sum), high.max(sum)));
        }
        self.summed += 1;
    }

    #[inline(always)]
    pub(super) fn push(&mut self, values: &[i16], magnitudes: &[i16]) {
        if values.len() < WINDOW {
            return;
        }
        for (energies, series) in self.walsh.iter_mut().zip([values, magnitudes]) {
            for block in series.as_chunks::<WALSH>().0 {
                let coefficients = walsh(block);
                for (energy, w) in energies.iter_mut().zip(coefficients) {
                    *energy += f64::from(w) * f64::from(w);
                }
            }
        }
        let [ours, theirs] = &mut self.fourier;
        fourier(values, magnitudes, ours, theirs);
        self.windows += 1;
    }

    pub(super) fn merge(&mut self, other: &Spectrum) {
        for (energies, more) in self.walsh.iter_mut().zip(&other.walsh) {
            energies.iter_mut().zip(more.iter()).for_each(|(energy, more)| *energy += more);
        }
        for (energies, more) in self.fourier.iter_mut().zip(&other.fourier) {
            energies.iter_mut().zip(more.iter()).for_each(|(energy, more)| *energy += more);
        }
        self.windows += other.windows;
        for (sums, more) in self.sums.iter_mut().zip(&other.sums) {
            sums.total += more.total;
            sums.squares += more.squares;
            if let Some((low, high)) = more.extremes {
                let (min, max) = sums.extremes.unwrap_or((low, high));
                sums.extremes = Some((min.min(low), max.max(high)));
            }
        }
        self.summed += other.summed;
    }
}

/// The Walsh–Hadamard transform: at most 1024·31 in each place.
#[inline(always)]
fn walsh(block: &[i16; WALSH]) -> [i16; WALSH] {
    let mut values = *block;
    let mut half = 1;
    while half < WALSH {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (a.wrapping_add(*b), a.wrapping_sub(*b));
            }
        }
        half *= 2;
    }
    values
}

/// Adds |F_k|² of two real series, by one complex transform: Stockham's, which needs no permutation.
#[inline(always)]
fn fourier(a: &[i16], b: &[i16], to_a: &mut [f64; FOURIER], to_b: &mut [f64; FOURIER]) {
    let mut now = [[0.0_f32; WINDOW]; 2];
    let mut next = [[0.0_f32; WINDOW]; 2];
    for (out, value) in now.iter_mut().flatten().zip(a.iter().chain(b)) {
        *out = f32::from(*value);
    }
    let turns = turns();
    // `size` values of `stride` interleaved transforms each.
    let (mut size, mut stride) = (WINDOW, 1);
    while size > 1 {
        let half = size / 2;
        let [re, im] = &now;
        let [to_re, to_im] = &mut next;
        for p in 0..half {
            let (cos, sin) = turns[p * stride];
            let (i, j, out) = (p * stride, (p + half) * stride, 2 * p * stride);
            let (a_re, b_re) = (&re[i..i + stride], &re[j..j + stride]);
            let (a_im, b_im) = (&im[i..i + stride], &im[j..j + stride]);
            let (sum_re, turned_re) = to_re[out..out + 2 * stride].split_at_mut(stride);
            let (sum_im, turned_im) = to_im[out..out + 2 * stride].split_at_mut(stride);
            for q in 0..stride {
                let (less_re, less_im) = (a_re[q] - b_re[q], a_im[q] - b_im[q]);
                sum_re[q] = a_re[q] + b_re[q];
                sum_im[q] = a_im[q] + b_im[q];
                turned_re[q] = less_re * cos - less_im * sin;
                turned_im[q] = less_re * sin + less_im * cos;
            }
        }
        core::mem::swap(&mut now, &mut next);
        (size, stride) = (half, 2 * stride);
    }
    let [re, im] = &now;
    for (k, (to_a, to_b)) in (1..).zip(to_a.iter_mut().zip(to_b)) {
        let (x, y, u, v) = (re[k], im[k], re[WINDOW - k], im[WINDOW - k]);
        // A_k = (Z_k + conj Z_-k)/2, B_k = (Z_k - conj Z_-k)/2i.
        *to_a += f64::from(((x + u) * (x + u) + (y - v) * (y - v)) / 4.0);
        *to_b += f64::from(((y + v) * (y + v) + (x - u) * (x - u)) / 4.0);
    }
}

/// cos and -sin of 2πi/4096, to a double's precision and then rounded.
fn turns() -> &'static [(f32, f32); WINDOW / 2] {
    static TURNS: OnceLock<Box<[(f32, f32); WINDOW / 2]>> = OnceLock::new();
    TURNS.get_or_init(|| {
        Box::new(core::array::from_fn(|i| {
            let angle = TAU * i as f64 / WINDOW as f64;
            (libm::cos(angle) as f32, -libm::sin(angle) as f32)
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: u64) -> Vec<i16> {
        (0..WINDOW as u64).map(|i| (crate::order::window::mixed(seed << 20 | i) % 63) as i16 - 31).collect()
    }

    #[test]
    fn coefficients_against_their_definitions() {
        let (a, b) = (noise(1), noise(2));
        let mut spectrum = Spectrum::default();
        spectrum.push(&a, &b);
        for (i, values) in [&a, &b].into_iter().enumerate() {
            for j in [0, 1, 2, 513, 1023_usize] {
                let sign = |t: usize| if (t & j).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
                let energy: f64 = values
                    .chunks(WALSH)
                    .map(|block| block.iter().enumerate().map(|(t, x)| sign(t) * f64::from(*x)).sum::<f64>().powi(2))
                    .sum();
                assert!((spectrum.walsh[i][j] - energy).abs() < 1e-6 * energy.max(1.0), "Walsh {j}");
            }
            for k in [1, 2, 100, 1024, 2047_usize] {
                let (mut re, mut im) = (0.0, 0.0);
                for (t, x) in values.iter().enumerate() {
                    let angle = TAU * (k * t % WINDOW) as f64 / WINDOW as f64;
                    re += f64::from(*x) * angle.cos();
                    im += f64::from(*x) * angle.sin();
                }
                let (got, want) = (spectrum.fourier[i][k - 1], re * re + im * im);
                assert!((got / want - 1.0).abs() < 1e-3, "Fourier {k}: {got} {want}");
            }
        }
    }

    #[test]
    fn sums_of_windows() {
        let mut spectrum = Spectrum::default();
        let (low, high) = (vec![-3_i16; WINDOW], vec![2_i16; WINDOW]);
        spectrum.sums([&low, &high, &low[..]]);
        spectrum.sums([&high, &high, &low[..]]);
        spectrum.sums([&high[1..], &high, &low]);
        assert_eq!((spectrum.summed, spectrum.sums[0].extremes), (2, Some((-12288, 8192))));
        assert_eq!((spectrum.sums[0].total, spectrum.sums[0].squares), (-4096, 12288 * 12288 + 8192 * 8192));
    }
}
