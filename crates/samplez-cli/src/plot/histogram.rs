//! Counting samples in bins, next to what the law expects.

use samplez_tables::TargetLaw;
use std::ops::RangeInclusive;

/// Bins that are counted, at most.
const MAX_BINS: u64 = 161;

/// The law's mass on either side of the counted bins is below 2^TAIL_LOG2.
const TAIL_LOG2: f64 = -40.0;

/// The least number of expected samples for which a residual is shown.
const MIN_EXPECTED: f64 = 10.0;

/// Counts samples in bins of equal width.
pub(crate) struct Counter {
    law: TargetLaw,
    low: i64,
    width: u64,
    counts: Vec<u64>,
    below: u64,
    above: u64,
}

/// What was counted, next to what was to be expected.
pub(crate) struct Histogram {
    /// All samples, whether in a bin or not.
    pub(crate) total: u64,
    /// Neighbouring bins, left to right; at least one.
    pub(crate) bins: Vec<Bin>,
    /// The bins judged, left to right; at least one.
    pub(crate) residuals: Vec<Residual>,
    /// Samples left and right of the bins.
    pub(crate) outside: (u64, u64),
}

/// The integers from `low` to `high`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bin {
    pub(crate) low: i64,
    pub(crate) high: i64,
    /// The samples in the bin.
    pub(crate) observed: u64,
    /// The samples that the law puts there on average.
    pub(crate) expected: f64,
}

/// A group of neighbouring bins, judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Residual {
    /// The bins by index. What lies outside of all bins counts with the outermost.
    pub(crate) bins: RangeInclusive<usize>,
    /// (observed - expected)/sqrt(expected): about standard normal under the law.
    pub(crate) value: f64,
}

impl Bin {
    /// How many integers the bin has.
    pub(crate) fn width(&self) -> f64 {
        self.high.abs_diff(self.low) as f64 + 1.0
    }
}

impl Counter {
    /// Bins for nearly all of the law.
    pub(crate) fn new(law: TargetLaw) -> Counter {
        let whole = law.tail_range(TAIL_LOG2).unwrap_or(i64::MIN..=i64::MAX);
        let span = whole.start().abs_diff(*whole.end());
        let width = span / MAX_BINS + 1;
        let counts = vec![0; (span / width + 1) as usize];
        Counter { law, low: *whole.start(), width, counts, below: 0, above: 0 }
    }

    pub(crate) fn add(&mut self, samples: &[i64]) {
        for &x in samples {
            if x < self.low {
                self.below += 1;
                continue;
            }
            match self.counts.get_mut((x.abs_diff(self.low) / self.width) as usize) {
                Some(count) => *count += 1,
                None => self.above += 1,
            }
        }
    }

    /// The histogram in at most `max_bins` bins, from the first to the last integers that are,
    /// or should be, among the samples.
    pub(crate) fn finish(self, max_bins: usize) -> Histogram {
        let total = self.counts.iter().sum::<u64>() + self.below + self.above;
        let shown = |i: &usize| self.counts[*i] > 0 || self.bin(*i..=*i, total).expected >= 0.5;
        let first = (0..self.counts.len()).find(shown).unwrap_or(0);
        let last = (first..self.counts.len()).rfind(shown).unwrap_or(first);
        let factor = (last - first + 1).div_ceil(max_bins);
        let starts = (first..=last).step_by(factor);
        let bins: Vec<Bin> = starts.map(|i| self.bin(i..=(i + factor - 1).min(last), total)).collect();
        let residuals = self.residuals(&bins, total);
        Histogram { total, bins, residuals, outside: (self.below, self.above) }
    }

    /// The counted bins with these numbers as one.
    fn bin(&self, numbers: RangeInclusive<usize>, total: u64) -> Bin {
        let low = self.low.saturating_add_unsigned(*numbers.start() as u64 * self.width);
        let past = self.low.saturating_add_unsigned((*numbers.end() as u64 + 1).saturating_mul(self.width));
        let high = past.saturating_sub(1).max(low);
        let observed = self.counts[numbers].iter().sum();
        Bin { low, high, observed, expected: self.law.mass(low..=high) * total as f64 }
    }

    /// Groups the bins from the left until each group expects enough samples; what is left over
    /// at the end joins the last group.
    fn residuals(&self, bins: &[Bin], total: u64) -> Vec<Residual> {
        let (first, last) = (&bins[0], &bins[bins.len() - 1]);
        let below = Group::tail(self.below, first.low.checked_sub(1).map(|end| i64::MIN..=end), &self.law, total);
        let above = Group::tail(self.above, last.high.checked_add(1).map(|start| start..=i64::MAX), &self.law, total);
        let mut groups: Vec<Group> = Vec::new();
        let mut open = below;
        for (index, bin) in bins.iter().enumerate() {
            open.end = index;
            open.observed += bin.observed as f64;
            open.expected += bin.expected;
            if open.expected >= MIN_EXPECTED {
                groups.push(open);
                open = Group { start: index + 1, end: index + 1, observed: 0.0, expected: 0.0 };
            }
        }
        let mut rightmost = groups.pop().unwrap_or(Group { start: 0, end: 0, observed: 0.0, expected: 0.0 });
        rightmost.end = bins.len() - 1;
        rightmost.observed += open.observed + above.observed;
        rightmost.expected += open.expected + above.expected;
        groups.push(rightmost);
        groups.iter().map(Group::judge).collect()
    }
}

/// Bins that are being joined.
#[derive(Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
    observed: f64,
    expected: f64,
}

impl Group {
    /// What lies outside of the bins on one side, if anything can.
    fn tail(observed: u64, range: Option<RangeInclusive<i64>>, law: &TargetLaw, total: u64) -> Group {
        let expected = range.map_or(0.0, |range| law.mass(range) * total as f64);
        Group { start: 0, end: 0, observed: observed as f64, expected }
    }

    fn judge(&self) -> Residual {
        let value = (self.observed - self.expected) / self.expected.sqrt();
        Residual { bins: self.start..=self.end, value }
    }
}

impl Histogram {
    /// The largest residual, by absolute value.
    pub(crate) fn worst(&self) -> f64 {
        self.residuals.iter().map(|r| r.value.abs()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez::{DiscreteGaussian, NoiseLaw, Rational, Width};

    fn histogram(sigma: &str, center: &str, samples: &[i64], max_bins: usize) -> Histogram {
        let q = |text: &str| text.parse::<Rational>().unwrap();
        let law = DiscreteGaussian::new(q(center), Width::Sigma(q(sigma))).unwrap();
        let mut counter = Counter::new((&law).into());
        counter.add(samples);
        counter.finish(max_bins)
    }

    /// Samples that follow the law of σ = 3.2 as closely as whole numbers can.
    fn ideal(n: f64) -> Vec<i64> {
        let law = TargetLaw::from(&DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap());
        (-30..=30).flat_map(|x| std::iter::repeat_n(x, (law.pmf(x) * n).round() as usize)).collect()
    }

    #[test]
    fn ideal_samples_have_no_residuals() {
        let samples = ideal(1e6);
        for max_bins in [7, 20, 161] {
            let h = histogram("3.2", "0", &samples, max_bins);
            assert!(h.bins.len() <= max_bins);
            assert_eq!(h.total, samples.len() as u64);
            assert_eq!(h.bins.iter().map(|b| b.observed).sum::<u64>(), h.total);
            assert!(h.worst() < 0.2, "{}", h.worst());
            assert!(h.bins.windows(2).all(|pair| pair[0].high + 1 == pair[1].low));
        }
    }

    #[test]
    fn other_samples_have() {
        assert!(histogram("3.3", "0", &ideal(1e6), 161).worst() > 6.0);
        assert!(histogram("3.2", "0.1", &ideal(1e6), 161).worst() > 6.0);
        // Everything outside: counted with the outermost group.
        let far = histogram("3.2", "0", &[1000; 500], 161);
        assert_eq!(far.outside, (0, 500));
        assert!(far.residuals.last().unwrap().value > 100.0);
        let far = histogram("3.2", "0", &[i64::MIN; 500], 161);
        assert_eq!(far.outside, (500, 0));
        assert!(far.residuals[0].value > 100.0);
    }

    #[test]
    fn laws_that_are_no_gaussian() {
        let (scale, variance) = ("1.5".parse().unwrap(), "30".parse().unwrap());
        for (law, most) in
            [(NoiseLaw::DiscreteLaplace { scale }, 40), (NoiseLaw::Skellam { variance }, 50), (NoiseLaw::Ternary, 1)]
        {
            let law = TargetLaw::finite(&law).unwrap();
            let counts = (-most..=most).map(|x| (x, (law.pmf(x) * 1e6).round() as usize));
            let samples: Vec<i64> = counts.flat_map(|(x, n)| std::iter::repeat_n(x, n)).collect();
            let counted = |samples: &[i64]| {
                let mut counter = Counter::new(law.clone());
                counter.add(samples);
                counter.finish(161).worst()
            };
            let worst = counted(&samples);
            assert!(worst < 0.5, "{law}: {worst}");
            assert!(counted(&ideal(1e6)) > 6.0, "{law}");
        }
    }

    #[test]
    fn one_sample_and_wide_laws() {
        let one = histogram("3.2", "0", &[0], 161);
        assert_eq!((one.total, one.residuals.len()), (1, 1));
        assert_eq!(one.residuals[0].bins, 0..=one.bins.len() - 1);
        for (sigma, center) in [("1099511627776", "0"), ("1e17", "9e18"), ("0.01", "-5")] {
            let h = histogram(sigma, center, &[0, i64::MAX, i64::MIN], 161);
            assert_eq!(h.bins.iter().map(|b| b.observed).sum::<u64>() + h.outside.0 + h.outside.1, 3);
        }
    }
}
