//! Long windows: all lags and all periods at once, by the energies of Fourier coefficients of 2^18 or 2^20 values.

use super::fft;
use super::window::mixed;
use crate::coding::Series;
use samplez_core::arch::fastest;
use std::sync::Arc;

/// Values of a window. Of a stream that has no full one, its beginning is a window, with zeros up to a power of two.
const LONG: usize = 1 << 18;

/// Values of a window behind [`FAR`] others. Earlier ones would double the time of a stream of 10^7.
const LONGER: usize = 1 << fft::LOG2_MOST;
const FAR: u64 = 1 << 24;
const _: () = assert!(FAR.is_multiple_of(LONG as u64) && FAR.is_multiple_of(LONGER as u64));

/// Energies that are looked at together.
const PART: usize = 64;

/// No window is shorter.
const SHORT: usize = 1024;

/// The number of first windows, all of which are included.
const ALL: u64 = 2;

/// The size of a group of later windows, one of which is included: for windows of [`LONG`], and of [`LONGER`].
const ONE_IN: [u64; 2] = [16, 32];

/// Values, magnitudes, squares, and a sign that the code alone decides on.
pub(in super::super) const SERIES: usize = 4;

/// A stream's window, and the energies of earlier ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Long {
    /// The present window, if it was chosen.
    codes: Vec<i16>,
    /// Codes of this stream in windows.
    seen: u64,
    /// Of windows of [`LONG`], and of [`LONGER`].
    kept: [Option<Arc<Energies>>; 2],
}

/// |F_k|² of each series about its mean in each window, summed over windows of one length; k in bit-reversed order.
#[derive(Clone, Debug)]
pub(in super::super) struct Energies {
    pub(in super::super) series: [Vec<f32>; SERIES],
    pub(in super::super) windows: u64,
    /// Values of a window: of the coefficients' number, or fewer.
    pub(in super::super) length: usize,
}

/// A sign that follows the code without a pattern.
pub(in super::super) const fn sign(code: i16) -> i16 {
    if mixed(code as u64 ^ 0x5e) >> 63 == 1 { 1 } else { -1 }
}

/// Whether the window of that number and kind is included.
const fn chosen(number: u64, kind: usize) -> bool {
    let Some(later) = number.checked_sub(ALL) else { return true };
    let group = later / ONE_IN[kind];
    later % ONE_IN[kind] == mixed(!group) % ONE_IN[kind]
}

impl Long {
    /// A short window, or the beginning of the last one.
    pub(super) fn push(&mut self, codes: &[i16], less: [i16; 3]) {
        let (length, kind) = if self.seen < FAR { (LONG, 0) } else { (LONGER, 1) };
        let number = self.seen / length as u64;
        if chosen(number, kind) {
            self.codes.extend_from_slice(codes);
            if self.codes.len() == length {
                Energies::add(&mut self.kept[kind], &self.codes, less);
                self.codes.clear();
            }
        }
        self.seen += codes.len() as u64;
    }

    /// The energies of all full windows of that length of which there are more values.
    pub(super) fn full(&self) -> Option<Arc<Energies>> {
        let values = |energies: &&Arc<Energies>| energies.windows * energies.length as u64;
        self.kept.iter().flatten().max_by_key(values).cloned()
    }

    /// The same, or of the beginning of the first window.
    pub(super) fn energies(&self, less: [i16; 3]) -> Option<Arc<Energies>> {
        if self.kept[0].is_some() {
            return self.full();
        }
        if self.codes.len() < SHORT {
            return None;
        }
        let mut energies = None;
        Energies::add(&mut energies, &self.codes, less);
        energies
    }

    pub(super) fn merge(&mut self, other: &Long) {
        for (kept, more) in self.kept.iter_mut().zip(&other.kept) {
            match (kept, more) {
                (Some(kept), Some(more)) => Arc::make_mut(kept).merge(more),
                (kept @ None, more) => kept.clone_from(more),
                (Some(_), None) => {}
            }
        }
    }
}

/// The farthest lags on either side.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Farthest {
    /// The least and the greatest sum, each divided by the deviation of uncorrelated values of variance 1; and its lag.
    pub(in super::super) least: (f64, usize),
    pub(in super::super) greatest: (f64, usize),
    /// How many lags there are.
    pub(in super::super) lags: usize,
    /// The fewest pairs that a lag has.
    pub(in super::super) pairs: u64,
}

/// A period, or a wave's number, with its energy in units of a coefficient's mean, and how many squares that has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Harmonics {
    pub(in super::super) at: usize,
    pub(in super::super) total: f64,
    pub(in super::super) count: u64,
    /// Of so many periods or waves.
    pub(in super::super) of: usize,
}

impl Energies {
    fn add(to: &mut Option<Arc<Energies>>, codes: &[i16], less: [i16; 3]) {
        let size = codes.len().next_power_of_two();
        let empty = || {
            let series = core::array::from_fn(|_| vec![0.0; size]);
            Arc::new(Energies { series, windows: 0, length: codes.len() })
        };
        let energies = Arc::make_mut(to.get_or_insert_with(empty));
        let (mut re, mut im) = (vec![0.0; size], vec![0.0; size]);
        let [a, b, c, d] = &mut energies.series;
        fastest(
            #[inline(always)]
            || {
                centred(
                    &mut re,
                    codes,
                    #[inline(always)]
                    |code| Series::Value.value(code, less[0]),
                )
            },
        );
        fastest(
            #[inline(always)]
            || {
                centred(
                    &mut im,
                    codes,
                    #[inline(always)]
                    |code| Series::Magnitude.value(code, less[1]),
                )
            },
        );
        fft::forward(&mut re, &mut im);
        fft::energies(&re, &im, a, b);
        fastest(
            #[inline(always)]
            || {
                centred(
                    &mut re,
                    codes,
                    #[inline(always)]
                    |code| Series::Square.value(code, less[2]),
                )
            },
        );
        let signs: Vec<i16> = (0..1 << 11).map(|code| sign(code - (1 << 10))).collect();
        fastest(
            #[inline(always)]
            || {
                centred(
                    &mut im,
                    codes,
                    #[inline(always)]
                    |code| signs[(code + (1 << 10)) as usize & 0x7ff],
                )
            },
        );
        fft::forward(&mut re, &mut im);
        fft::energies(&re, &im, c, d);
        energies.windows += 1;
    }

    fn merge(&mut self, other: &Energies) {
        for (energies, more) in self.series.iter_mut().zip(&other.series) {
            energies.iter_mut().zip(more).for_each(|(energy, more)| *energy += more);
        }
        self.windows += other.windows;
    }

    /// Excess kurtosis of each of the `count` squares in a sum of a series' energies, if they were independent. Let κ be a value's
    /// excess kurtosis: any two of a window's N energies covary by κ/N of their mean's square.
    pub(in super::super) fn linked(&self, count: u64, kurtosis: f64) -> f64 {
        kurtosis * (count as f64 / self.windows as f64) / self.length as f64
    }

    /// How many coefficients there are.
    pub(in super::super) fn size(&self) -> usize {
        self.series[0].len()
    }

    /// Of all lags that at least half of a window's values have a pair at, for each series with this variance.
    ///
    /// A window is a circle, with zeros where it is short. A pair at lag k is one at lag size - k of the other direction.
    pub(in super::super) fn farthest(&self, variances: [f64; SERIES]) -> [Farthest; SERIES] {
        let (size, length) = (self.size(), self.length);
        let lags = (length / 2).min(size / 2 - 1);
        let windows = self.windows as f64;
        let pairs = |lag: usize| (length - lag) + (length + lag).saturating_sub(size);
        let [a, b, c, d] = &self.series;
        let mut found = Vec::new();
        for (first, second) in [(a, b), (c, d)] {
            let (mut re, mut im) = (first.clone(), second.clone());
            fft::backward(&mut re, &mut im);
            for sums in [re, im] {
                let variance = variances[found.len()];
                let scale = 1.0 / (size as f64 * variance);
                let (mut least, mut greatest) = ((f64::INFINITY, 0), (f64::NEG_INFINITY, 0));
                // Two values have covariance -v/length about the window's mean.
                let scaled = |lag: usize| {
                    let pairs = pairs(lag) as f64;
                    let deviation = (windows * pairs).sqrt();
                    (scale / deviation, windows * pairs / length as f64 / deviation)
                };
                let first = scaled(1);
                for (lag, sum) in sums.iter().enumerate().skip(1).take(lags) {
                    let (times, plus) = if length == size { first } else { scaled(lag) };
                    let z = f64::from(*sum) * times + plus;
                    least = if z < least.0 { (z, lag) } else { least };
                    greatest = if z > greatest.0 { (z, lag) } else { greatest };
                }
                found.push(Farthest { least, greatest, lags, pairs: self.windows * pairs(lags).min(pairs(1)) as u64 });
            }
        }
        core::array::from_fn(|i| found[i])
    }

    /// The wave with the greatest energy, of values (0) or magnitudes (1) with this variance.
    pub(in super::super) fn wave(&self, series: usize, variance: f64) -> Harmonics {
        let energies = &self.series[series];
        // Of a short window with zeros behind it the slowest waves are not quite χ².
        let slowest = 8;
        let mut best = (0.0, slowest);
        for (start, part) in (0..).step_by(PART).zip(energies.chunks(PART)) {
            // Seldom is there a greater one in so many.
            if part.iter().fold(0.0, |most: f32, energy| most.max(*energy)) <= best.0 {
                continue;
            }
            for (place, energy) in (start..).zip(part).filter(|(place, _)| *place >= 2) {
                let k = fft::place(place, self.size());
                if *energy > best.0 && k.min(self.size() - k) >= slowest {
                    best = (*energy, k.min(self.size() - k));
                }
            }
        }
        let total = f64::from(best.0) * 2.0 / (self.length as f64 * variance);
        Harmonics { at: best.1, total, count: 2 * self.windows, of: self.size() / 2 - slowest }
    }

    /// The period from 3 to `most` with the greatest energy for the number of its harmonics. Values and magnitudes have these
    /// variances and excess kurtoses. Each harmonic is the coefficient next to it.
    pub(in super::super) fn period(&self, most: usize, variances: [f64; 2], kurtoses: [f64; 2]) -> [Harmonics; 2] {
        let size = self.size();
        let energies: Vec<[f32; 2]> = (0..size / 2)
            .map(|k| {
                let at = fft::place(k, size);
                [self.series[0][at], self.series[1][at]]
            })
            .collect();
        let scale = variances.map(|variance| 2.0 / (self.length as f64 * variance));
        let of = most.saturating_sub(2);
        let mut best = [(f64::NEG_INFINITY, Harmonics { at: 0, total: 0.0, count: 1, of }); 2];
        for period in 3..=most {
            let harmonics = period.div_ceil(2) - 1;
            // With 32 bits behind the point.
            let step = ((size as u64) << 32) / period as u64;
            let (mut at, mut sums) = (1_u64 << 31, [0.0_f64; 2]);
            for _ in 0..harmonics {
                at += step;
                let [x, y] = energies[(at >> 32) as usize & (size / 2 - 1)];
                sums = [sums[0] + f64::from(x), sums[1] + f64::from(y)];
            }
            let count = 2 * self.windows * harmonics as u64;
            for (((best, sum), scale), kurtosis) in best.iter_mut().zip(sums).zip(scale).zip(kurtoses) {
                // Wilson and Hilferty's normal variable, to choose by.
                let linked = 1.0 + self.linked(count, kurtosis) / 2.0;
                let (total, spread) = (sum * scale, 2.0 * linked / (9.0 * count as f64));
                let z = (libm::cbrt(total / count as f64) - 1.0 + spread) / spread.sqrt();
                if z > best.0 {
                    *best = (z, Harmonics { at: period, total, count, of });
                }
            }
        }
        best.map(|(_, harmonics)| harmonics)
    }
}

/// A series less its mean, with zeros behind it.
#[inline(always)]
fn centred(to: &mut [f32], codes: &[i16], value: impl Fn(i16) -> i16) {
    let (now, rest) = to.split_at_mut(codes.len());
    let mut total = 0_i64;
    for (to, codes) in now.chunks_mut(1024).zip(codes.chunks(1024)) {
        let mut sum = 0_i32;
        for (to, code) in to.iter_mut().zip(codes) {
            let value = value(*code);
            sum += i32::from(value);
            *to = f32::from(value);
        }
        total += i64::from(sum);
    }
    let mean = (total as f64 / codes.len() as f64) as f32;
    now.iter_mut().for_each(|value| *value -= mean);
    rest.fill(0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(n: usize) -> Vec<i16> {
        (0..n as u64).map(|i| (mixed(i) % 1001) as i16 - 500).collect()
    }

    #[test]
    fn lags_against_their_definition() {
        for n in [1024, 1500, 2048, 3000] {
            let codes = codes(n);
            let mut kept = None;
            Energies::add(&mut kept, &codes, [0; 3]);
            let energies = kept.unwrap();
            let found = energies.farthest([1.0; SERIES]);
            let size = n.next_power_of_two();
            let kinds: [&dyn Fn(i16) -> i16; SERIES] = [
                &|code| Series::Value.value(code, 0),
                &|code| Series::Magnitude.value(code, 0),
                &|code| Series::Square.value(code, 0),
                &sign,
            ];
            for (found, kind) in found.into_iter().zip(kinds) {
                let series: Vec<f64> = codes.iter().map(|code| f64::from(kind(*code))).collect();
                let mean = series.iter().sum::<f64>() / n as f64;
                let z = |lag: usize| {
                    let (mut sum, mut pairs) = (0.0, 0.0);
                    for i in 0..n {
                        let j = (i + lag) % size;
                        if j < n {
                            sum += (series[i] - mean) * (series[j] - mean);
                            pairs += 1.0;
                        }
                    }
                    (sum + pairs / n as f64) / f64::sqrt(pairs)
                };
                assert_eq!(found.lags, (n / 2).min(size / 2 - 1));
                let all: Vec<f64> = (1..=found.lags).map(z).collect();
                let (least, greatest) = (found.least, found.greatest);
                for (got, lag) in [least, greatest] {
                    assert!((got - all[lag - 1]).abs() < 1e-3 * (1.0 + got.abs()), "{n} {lag}: {got} {}", all[lag - 1]);
                }
                assert!(all.iter().all(|z| *z >= least.0 - 0.1 && *z <= greatest.0 + 0.1), "{n}");
            }
        }
    }

    #[test]
    fn periods_and_waves_that_are_there() {
        let n = 1 << 15;
        let (mut periodic, mut waving) = (codes(n), codes(n));
        for i in (0..n).step_by(97) {
            periodic[i] = 400;
        }
        for (i, code) in waving.iter_mut().enumerate() {
            *code += (core::f64::consts::TAU * 1234.0 * i as f64 / n as f64).sin().mul_add(50.0, 0.0) as i16;
        }
        let (mut first, mut second) = (None, None);
        Energies::add(&mut first, &periodic, [0; 3]);
        Energies::add(&mut second, &waving, [0; 3]);
        let [period, _] = first.unwrap().period(128, [326.0, 80.0], [0.0; 2]);
        assert_eq!((period.at, period.count, period.of), (97, 96, 126));
        assert!(period.total > 200.0, "{period:?}");
        let wave = second.unwrap().wave(0, 326.0);
        assert!(wave.at == 1234 && wave.total > 100.0 && wave.count == 2, "{wave:?}");
    }

    /// Where few values are not 0, all energies of a window rise and fall with their number.
    #[test]
    fn energies_of_a_window_covary() {
        const N: usize = 1 << 14;
        let (p, harmonics, runs) = (1.0 / 256.0, 127, 500);
        let totals: Vec<f64> = (0..runs)
            .map(|run| {
                let value = |i: u64| match mixed(run << 32 | i) & 0x1ff {
                    0 => 160,
                    1 => -160,
                    _ => 0,
                };
                let codes: Vec<i16> = (0..N as u64).map(value).collect();
                let mut energies = None;
                Energies::add(&mut energies, &codes, [0; 3]);
                let energies = energies.unwrap();
                let of_256: f32 = (1..=harmonics).map(|k| energies.series[0][fft::place(k * N / 256, N)]).sum();
                f64::from(of_256) * 2.0 / (N as f64 * 100.0 * p)
            })
            .collect();
        let count = 2 * harmonics as u64;
        let mean = totals.iter().sum::<f64>() / runs as f64;
        let variance = totals.iter().map(|total| (total - mean).powi(2)).sum::<f64>() / runs as f64;
        let one = Energies { series: Default::default(), windows: 1, length: N };
        // κ = 1/p - 3. More than twice as much as the variance of χ² is due to it.
        let linked = one.linked(count, 1.0 / p - 3.0);
        let want = 2.0 * count as f64 * (1.0 + linked / 2.0);
        assert!(linked > 3.9 && (0.8..1.25).contains(&(variance / want)), "{variance} {want}");
        assert!((mean - count as f64).abs() < 4.0 * (want / runs as f64).sqrt(), "{mean}");
        // The sum over several windows has the same shape as if its squares were as many times more.
        assert_eq!(Energies { windows: 3, ..one }.linked(3 * count, 253.0), linked);
    }

    #[test]
    fn windows_are_chosen_and_merged() {
        let window = vec![1_i16; 4096];
        let mut long = Long::default();
        for _ in 0..LONG / 4096 - 1 {
            long.push(&window, [0; 3]);
        }
        assert!(long.kept[0].is_none() && long.energies([0; 3]).unwrap().length == LONG - 4096);
        long.push(&window, [0; 3]);
        assert_eq!((long.energies([0; 3]).unwrap().length, long.codes.len()), (LONG, 0));
        let mut both = Long::default();
        both.merge(&long);
        both.merge(&long);
        assert_eq!(both.energies([0; 3]).unwrap().windows, 2);
        assert!(Long::default().energies([0; 3]).is_none());
    }

    /// The first two, and one in each group: no part of a stream is long without one.
    #[test]
    fn windows_are_spread() {
        for (kind, one_in) in ONE_IN.into_iter().enumerate() {
            let all: Vec<u64> = (0..100 * one_in + ALL).filter(|number| chosen(*number, kind)).collect();
            assert_eq!((all.len() as u64, &all[..2]), (100 + ALL, &[0, 1][..]));
            let groups = all[2..].iter().map(|number| (number - ALL) / one_in);
            assert!(groups.eq(0..100), "{all:?}");
            let places: std::collections::BTreeSet<u64> =
                all[2..].iter().map(|number| (number - ALL) % one_in).collect();
            assert!(places.len() as u64 > one_in / 2, "not the same place in each group: {places:?}");
        }
    }

    /// Behind 2^24 values windows are four times as long, and show a lag that no other has.
    #[test]
    fn longer_windows_have_farther_lags() {
        const LAG: usize = 400_000;
        let code = |i: u64| mixed(i) as i16 >> 9;
        // Of every eight values one is that at the lag before.
        let is_copy = |i: u64| i.is_multiple_of(8) && i >= LAG as u64;
        let value = |i: u64| code(if is_copy(i) { i + 1 - LAG as u64 } else { i });
        let fill = |first: u64| (first..first + 4096).map(value).collect::<Vec<_>>();
        let mut long = Long { seen: FAR - 4 * LONG as u64, ..Long::default() };
        while long.kept[1].is_none() {
            long.push(&fill(long.seen), [0; 3]);
            assert!(long.seen < FAR << 3 && long.codes.len() < LONGER);
        }
        let first = long.kept[1].clone().unwrap();
        assert_eq!((first.length, first.windows), (LONGER, 1));
        // The longer one, which has more values than any shorter ones among the last four.
        assert_eq!(long.full().unwrap().length, LONGER);
        let found = first.farthest([5.25; SERIES])[0];
        assert_eq!(found.greatest.1, LAG - 1);
        assert!(found.greatest.0 > 20.0 && found.least.0 > -7.0 && found.lags == LONGER / 2 - 1, "{found:?}");
        let mut both = long.clone();
        both.merge(&long);
        assert_eq!(both.kept[1].as_ref().unwrap().windows, 2);
        // As long as there are more values in shorter windows, these count.
        both.kept[0] = Some(Arc::new(Energies { series: Default::default(), windows: 9, length: LONG }));
        assert_eq!(both.full().unwrap().length, LONG);
    }
}
