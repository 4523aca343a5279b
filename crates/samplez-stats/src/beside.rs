//! Two samples place by place: values at the same place in both, or nearby.

use super::cells::Outcome;
use super::power;
use super::sums::sum;

/// Places that the samples are moved against each other, either way.
const LAGS: usize = 16;

/// Fewer values are not judged so.
const LEAST: usize = 1000;

const TOO_FEW: &str = "needs 1000 values of each";

/// More than twice the highest code.
const SPAN: usize = 2048;

/// A series as a function of the code.
type Function = fn(i16) -> i16;

/// Of codes: sums of products of values, magnitudes and signs, and how many are equal. For any two laws, the
/// second sample's order is independent of the first's, so that the moments of its permutations hold.
pub(super) fn places(first: &[i16], second: &[i16]) -> Vec<(String, Outcome)> {
    let n = first.len().min(second.len());
    let (first, second) = (&first[..n], &second[..n]);
    let series: [(&str, Function); 3] =
        [("x", |code| code >> 2), ("|x|", |code| code.wrapping_abs() >> 2), ("signs", i16::signum)];
    let mut outcomes = Vec::new();
    for (name, function) in series {
        let [ours, theirs] =
            [first, second].map(|codes| Values::new(codes.iter().map(|code| function(*code)).collect()));
        for lag in lags() {
            let outcome = if n < LEAST { Err(TOO_FEW) } else { ours.product(&theirs, lag) };
            outcomes.push((format!("{name}, lag {lag}"), outcome));
        }
    }
    let equal = Equal::new(first, second);
    for lag in lags() {
        let outcome = if n < LEAST { Err(TOO_FEW) } else { equal.pairs(first, second, lag) };
        outcomes.push((format!("equal, lag {lag}"), outcome));
    }
    outcomes
}

fn lags() -> impl Iterator<Item = isize> {
    -(LAGS as isize)..=LAGS as isize
}

/// The parts of two sequences of one length that are beside each other, the first moved by `lag`.
fn beside<'a>(first: &'a [i16], second: &'a [i16], lag: isize) -> (&'a [i16], &'a [i16]) {
    let (by, n) = (lag.unsigned_abs(), first.len());
    if lag >= 0 { (&first[by..], &second[..n - by]) } else { (&first[..n - by], &second[by..]) }
}

/// A series with its mean and its standardised central moments.
struct Values {
    values: Vec<i16>,
    variance: f64,
    skewness: f64,
    fourth: f64,
}

impl Values {
    fn new(values: Vec<i16>) -> Self {
        let mut counts = vec![0_u64; SPAN];
        for value in &values {
            counts[(value + SPAN as i16 / 2) as usize] += 1;
        }
        let n = values.len().max(1) as f64;
        let moment = |mean: f64, k: usize| {
            let terms = (0..).zip(&counts).filter(|(_, count)| **count > 0);
            terms.map(|(i, count)| *count as f64 * power(f64::from(i) - SPAN as f64 / 2.0 - mean, k)).sum::<f64>() / n
        };
        let mean = moment(0.0, 1);
        let variance = moment(mean, 2);
        let scale = variance.max(1e-9);
        Values {
            variance,
            skewness: moment(mean, 3) / (scale * scale.sqrt()),
            fourth: moment(mean, 4) / (scale * scale),
            values,
        }
    }

    fn product(&self, other: &Values, lag: isize) -> Outcome {
        let (a, b) = beside(&self.values, &other.values, lag);
        let n = a.len() as f64;
        let (mut product, mut sums) = (0_i64, [0_i64; 2]);
        for (a, b) in a.chunks(1024).zip(b.chunks(1024)) {
            // At most 1024·2^16 in size.
            product += i64::from(a.iter().zip(b).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum::<i32>());
            sums[0] += i64::from(a.iter().map(|x| i32::from(*x)).sum::<i32>());
            sums[1] += i64::from(b.iter().map(|x| i32::from(*x)).sum::<i32>());
        }
        let excess = product as f64 - sums[0] as f64 * sums[1] as f64 / n;
        let variance = self.variance * other.variance * n / (n - 1.0);
        sum(excess, a.len() as u64, variance, self.skewness * other.skewness, self.fourth * other.fourth - 3.0)
    }
}

/// How many values are equal, by how often each comes in both.
struct Equal {
    mean: f64,
    variance: f64,
    skewness: f64,
    kurtosis: f64,
}

impl Equal {
    fn new(first: &[i16], second: &[i16]) -> Self {
        let shares = |codes: &[i16]| {
            let mut shares = vec![0.0; SPAN];
            for code in codes {
                shares[(code + SPAN as i16 / 2) as usize] += 1.0 / codes.len() as f64;
            }
            shares
        };
        let (p, q) = (shares(first), shares(second));
        let both = || p.iter().zip(&q).filter(|(p, q)| **p > 0.0 || **q > 0.0);
        let mean: f64 = both().map(|(p, q)| p * q).sum();
        // d = [u = v] - q(u) - p(v) + mean: its moments as if u and v never were equal, and what is more where they are.
        let ours: [f64; 5] = core::array::from_fn(|k| both().map(|(p, q)| p * power(mean - q, k)).sum());
        let theirs: [f64; 5] = core::array::from_fn(|k| both().map(|(p, q)| q * power(-p, k)).sum());
        let moment = |k: usize, choose: &[f64]| {
            let apart: f64 = choose.iter().enumerate().map(|(j, times)| times * ours[j] * theirs[k - j]).sum();
            let more = |(p, q): (&f64, &f64)| p * q * (power(1.0 + mean - q - p, k) - power(mean - q - p, k));
            apart + both().map(more).sum::<f64>()
        };
        let (second, third) = (moment(2, &[1.0, 2.0, 1.0]), moment(3, &[1.0, 3.0, 3.0, 1.0]));
        let fourth = moment(4, &[1.0, 4.0, 6.0, 4.0, 1.0]);
        let scale = second.max(1e-12);
        let (skewness, kurtosis) = (third / (scale * scale.sqrt()), fourth / (scale * scale) - 3.0);
        Equal { mean, variance: second, skewness, kurtosis }
    }

    fn pairs(&self, first: &[i16], second: &[i16], lag: isize) -> Outcome {
        let (a, b) = beside(first, second, lag);
        let mut count = 0_u64;
        for (a, b) in a.chunks(1024).zip(b.chunks(1024)) {
            count += u64::from(a.iter().zip(b).map(|(x, y)| u16::from(x == y)).sum::<u16>());
        }
        let n = a.len() as f64;
        sum(count as f64 - n * self.mean, a.len() as u64, self.variance * n / (n - 1.0), self.skewness, self.kurtosis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All orders of the second sample.
    #[test]
    fn moments_of_all_permutations() {
        let (first, second) = ([3_i16, 3, -1, 0, 3, 7], [3_i16, 0, 3, 7, 7, -1]);
        let mut orders = vec![vec![]];
        for _ in 0..6 {
            let longer = |order: &Vec<usize>| {
                let rest: Vec<usize> = (0..6).filter(|i| !order.contains(i)).collect();
                rest.into_iter().map(|i| [order.as_slice(), &[i]].concat()).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        assert_eq!(orders.len(), 720);
        let spread = |of: &dyn Fn(&[i16]) -> f64| {
            let all: Vec<f64> =
                orders.iter().map(|order| of(&order.iter().map(|i| second[*i]).collect::<Vec<_>>())).collect();
            let mean = all.iter().sum::<f64>() / 720.0;
            (mean, all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 720.0)
        };
        let product = |second: &[i16]| first.iter().zip(second).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let (_, variance) = spread(&product);
        let [a, b] = [first, second].map(|codes| Values::new(codes.to_vec()));
        assert!((variance - 36.0 / 5.0 * a.variance * b.variance).abs() < 1e-9);
        let count = |second: &[i16]| first.iter().zip(second).filter(|(a, b)| a == b).count() as f64;
        let (mean, variance) = spread(&count);
        let equal = Equal::new(&first, &second);
        assert!((mean - 6.0 * equal.mean).abs() < 1e-9 && (variance - 36.0 / 5.0 * equal.variance).abs() < 1e-9);
    }

    #[test]
    fn sides_of_a_lag() {
        let (first, second) = ([1_i16, 2, 3], [4_i16, 5, 6]);
        assert_eq!(beside(&first, &second, 1), (&[2_i16, 3][..], &[4_i16, 5][..]));
        assert_eq!(beside(&first, &second, -2), (&[1_i16][..], &[6_i16][..]));
        assert_eq!(beside(&first, &second, 0), (&first[..], &second[..]));
    }
}
