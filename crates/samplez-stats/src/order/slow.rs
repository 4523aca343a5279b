//! Sums of blocks, for trends and slow waves: few blocks, however long the stream.

use super::fft;
use super::window::WINDOW;

/// Values of the shortest block.
pub(in super::super) const BLOCK: usize = 256;

/// When there are so many blocks, each two become one.
const MOST: usize = 4096;

/// Values, then magnitudes.
const SERIES: usize = 2;

/// No wave is looked for in fewer blocks.
const FEWEST: usize = 8;

#[derive(Clone, Debug)]
pub(in super::super) struct Slow {
    /// Sums of whole blocks.
    sums: [Vec<i64>; SERIES],
    /// Of the block that is not full.
    open: [i64; SERIES],
    /// How many shortest blocks that one has.
    parts: usize,
    /// How many a full one has.
    whole: usize,
}

/// The greatest of several statistics, and which it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Greatest {
    pub(in super::super) value: f64,
    pub(in super::super) index: usize,
    /// Of so many.
    pub(in super::super) of: usize,
}

/// Trend and waves of one series.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Waves {
    /// A standard normal: the sums against their places.
    pub(in super::super) trend: f64,
    /// χ² with two degrees of freedom: the energy of the wave that goes round `index` times.
    pub(in super::super) wave: Greatest,
    /// Values in all blocks.
    pub(in super::super) values: u64,
}

impl Default for Slow {
    fn default() -> Self {
        Slow { sums: Default::default(), open: [0; SERIES], parts: 0, whole: 1 }
    }
}

impl Slow {
    /// A window; of one that is not full, whole blocks alone count.
    #[inline(always)]
    pub(super) fn push(&mut self, series: [&[i16]; SERIES]) {
        let [values, magnitudes] = series.map(|values| values.as_chunks::<BLOCK>().0);
        for (a, b) in values.iter().zip(magnitudes) {
            // At most 256·31.
            for (open, block) in self.open.iter_mut().zip([a, b]) {
                *open += i64::from(block.iter().fold(0, |sum: i16, value| sum.wrapping_add(*value)));
            }
            self.parts += 1;
            if self.parts == self.whole {
                self.close();
            }
        }
    }

    fn close(&mut self) {
        for (sums, open) in self.sums.iter_mut().zip(&mut self.open) {
            sums.push(core::mem::take(open));
        }
        self.parts = 0;
        if self.sums[0].len() == MOST {
            for sums in &mut self.sums {
                *sums = sums.as_chunks::<2>().0.iter().map(|[a, b]| a + b).collect();
            }
            self.whole *= 2;
        }
    }

    /// Trend and waves of values (0) or magnitudes (1) that have this mean and variance each; `None` of too few.
    ///
    /// The blocks are dealt to a power of two of groups as evenly as they can be. Sums of the groups, divided by their
    /// deviations, are independent with variance 1.
    pub(in super::super) fn waves(&self, series: usize, mean: f64, variance: f64) -> Option<Waves> {
        let sums = &self.sums[series];
        if sums.len() < FEWEST {
            return None;
        }
        let groups = 1_usize << sums.len().ilog2();
        let values = (self.whole * BLOCK) as f64;
        let bound = |group: usize| group * sums.len() / groups;
        let mut re: Vec<f32> = (0..groups)
            .map(|group| {
                let blocks = bound(group)..bound(group + 1);
                let n = blocks.len() as f64 * values;
                ((sums[blocks].iter().sum::<i64>() as f64 - n * mean) / (n * variance).sqrt()) as f32
            })
            .collect();
        let middle = (sums.len() - 1) as f64 / 2.0;
        let slope: f64 = (0..).zip(sums).map(|(i, sum)| (f64::from(i) - middle) * *sum as f64).sum();
        let squares: f64 = (0..sums.len()).map(|i| (i as f64 - middle).powi(2)).sum();
        let mut im = vec![0.0; groups];
        fft::forward(&mut re, &mut im);
        let energy = |k: usize| {
            let at = fft::place(k, groups);
            (f64::from(re[at]).powi(2) + f64::from(im[at]).powi(2)) * 2.0 / groups as f64
        };
        let waves = 1..groups / 2;
        let of = waves.len();
        let (index, value) =
            waves.map(|k| (k, energy(k))).fold((0, 0.0), |best, one| if one.1 > best.1 { one } else { best });
        Some(Waves {
            trend: slope / (squares * values * variance).sqrt(),
            wave: Greatest { value, index, of },
            values: sums.len() as u64 * (self.whole * BLOCK) as u64,
        })
    }
}

const _: () = assert!(WINDOW.is_multiple_of(BLOCK));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_blocks_that_grow() {
        let mut slow = Slow::default();
        let windows = 3 * MOST * BLOCK / WINDOW;
        for number in 0..windows {
            let values: Vec<i16> = (0..WINDOW).map(|i| ((number * WINDOW + i) / BLOCK % 7) as i16).collect();
            slow.push([&values, &values[..WINDOW]]);
        }
        // 3·4096 blocks: twice they became half as many, of four times the length.
        assert_eq!((slow.whole, slow.sums[0].len(), slow.parts), (4, 3 * MOST / 4, 0));
        let sum = |i: usize| (0..4).map(|j| ((4 * i + j) % 7 * BLOCK) as i64).sum::<i64>();
        assert!(slow.sums.iter().all(|sums| sums.iter().enumerate().all(|(i, got)| *got == sum(i))));
    }

    #[test]
    fn waves_and_trends_of_known_sums() {
        let mut slow = Slow { whole: 2, ..Slow::default() };
        // 64 groups of one or two blocks, a wave that goes round five times.
        let wave = |i: usize| (core::f64::consts::TAU * 5.0 * (i as f64 + 0.5) / 100.0).cos() * 1e6;
        slow.sums = [(0..100).map(|i| wave(i) as i64).collect(), (0..100).map(|i| 1000 * i).collect()];
        let seen = slow.waves(0, 0.0, 1.0).unwrap();
        assert_eq!((seen.wave.index, seen.wave.of, seen.values), (5, 31, 51_200));
        // 1e12/2 of each block, in units of its variance.
        let want = 100.0 * 1e12 / 2.0 / 512.0;
        assert!((0.9..1.01).contains(&(seen.wave.value / want)), "{seen:?} {want}");
        let rising = slow.waves(1, 0.0, 1.0).unwrap();
        let squares: f64 = (0..100).map(|i| (f64::from(i) - 49.5).powi(2)).sum();
        assert!((rising.trend / (1000.0 * (squares / 512.0).sqrt()) - 1.0).abs() < 1e-12);
        assert!(Slow::default().waves(0, 0.0, 1.0).is_none());
    }
}
