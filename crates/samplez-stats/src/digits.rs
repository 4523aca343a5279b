//! Families of tests of the last digits of values: by place, in sums of neighbours, and the parities of several.
//!
//! Each compares the values with the digits that they have themselves, so it tests their order, whatever the distribution.

use super::cells::{Cell, Numbers, Outcome, merged_to, pearson};
use super::group::Family;
use super::order::{DIGITS, Parity, Residues};
use super::sums::CONSTANT;
use super::{power, pvalue};

const TOO_FEW: &str = "needs more values";

/// A cell of the tables of places and of sums expects at least this. With 25, a p-value at the level of a verdict could be 17 times too small.
const EXPECTED: u64 = 100;

/// A parity has more terms than this.
const LEAST: u64 = 1 << 15;

/// The mean of a bit's sign is at most this: with a larger one the sum of products is not as normal.
const MOST: f64 = 0.25;

pub(super) fn families(residues: &Residues) -> Vec<Family> {
    vec![
        Family::new(
            "digits at places",
            [2, 4, 8, 16].map(|period| (format!("mod {period}"), places(residues, period))),
        ),
        Family::new("sums of digits", sums(residues)),
        Family::new("parities", residues.parities.iter().map(|parity| (name(parity), judged(residues, parity)))),
    ]
}

/// Pearson's statistic of the table of places modulo a period and of classes.
fn places(residues: &Residues, period: usize) -> Outcome {
    let rows =
        |i: usize, class: usize| residues.counts.iter().skip(i).step_by(period).map(|row| row[class]).sum::<u64>();
    let mut table: Vec<Vec<u64>> = Vec::new();
    let (mut open, mut last) = (vec![0; period], 0);
    for class in 0..residues.counts[0].len() {
        open.iter_mut().enumerate().for_each(|(i, sum)| *sum += rows(i, class));
        // The rows have the same number of values.
        last = open.iter().sum::<u64>();
        if last >= EXPECTED * period as u64 {
            table.push(core::mem::replace(&mut open, vec![0; period]));
            last = 0;
        }
    }
    match table.last_mut() {
        Some(row) if last > 0 => row.iter_mut().zip(&open).for_each(|(sum, more)| *sum += more),
        _ => {}
    }
    if table.len() < 2 {
        return Err(TOO_FEW);
    }
    let dof = ((table.len() - 1) * (period - 1)) as u64;
    let term = |row: &Vec<u64>| {
        let expected = row.iter().sum::<u64>() as f64 / period as f64;
        row.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum::<f64>()
    };
    let statistic = table.iter().map(term).sum();
    Ok(Numbers { statistic, dof: Some(dof), p_value: pvalue::chi_squared(statistic, dof as f64) })
}

/// Sums of blocks of 2, 4 … values modulo 16 against the values' own shares, convolved. The blocks are disjoint, so their counts are
/// multinomial. Shares from the same values take the linear part of the deviations away, which makes the statistic smaller.
fn sums(residues: &Residues) -> Vec<(String, Outcome)> {
    let mut shares = [0.0; DIGITS];
    for row in residues.counts.iter() {
        row.iter().enumerate().for_each(|(class, count)| shares[class % DIGITS] += *count as f64);
    }
    let n = shares.iter().sum::<f64>().max(1.0);
    shares.iter_mut().for_each(|share| *share /= n);
    let mut outcomes = Vec::new();
    for (log2, counts) in (1..).zip(&residues.sums) {
        shares = core::array::from_fn(|sum| (0..DIGITS).map(|i| shares[i] * shares[(sum + DIGITS - i) % DIGITS]).sum());
        let blocks = counts.iter().sum::<u64>() as f64;
        let cell = |(count, share): (&u64, &f64)| Cell { count: *count, expected: blocks * share };
        let outcome = pearson(&merged_to(EXPECTED as f64, counts.iter().zip(&shares).map(cell)));
        outcomes.push((format!("{} values, mod {DIGITS}", 1 << log2), outcome));
    }
    outcomes
}

/// The sum of the products of signs with this mean m, less n·m^r. Without their linear part, which their mean takes away, the products of
/// r signs are Σ C(r, k)·m^(r-k)·c_k, where c_k is a product of k centred signs, of variance (1 - m²)^k. The deviation is at most the sum
/// of the deviations.
fn judged(residues: &Residues, parity: &Parity) -> Outcome {
    let n = residues.terms as f64;
    if residues.terms < LEAST {
        return Err(TOO_FEW);
    }
    let means: Vec<f64> = parity.terms.iter().map(|(bit, _)| 1.0 - 2.0 * residues.odd[*bit] as f64 / n).collect();
    if means.iter().any(|mean| mean.abs() > MOST) {
        return Err(CONSTANT);
    }
    let (r, m) = (means.len(), means.iter().fold(0.0_f64, |most, mean| most.max(mean.abs())));
    let choose = |k: usize| (0..k).fold(1.0, |product, i| product * (r - i) as f64 / (i + 1) as f64);
    // With different means the greatest bounds all but the last term, which is a product.
    let all: f64 = means.iter().map(|mean| (1.0 - mean * mean).sqrt()).product();
    let deviation = all + (2..r).map(|k| choose(k) * power(m, r - k)).sum::<f64>();
    let excess = n - 2.0 * parity.odd as f64 - n * means.iter().product::<f64>();
    Ok(Numbers::normal(excess / (deviation * n.sqrt())))
}

fn name(parity: &Parity) -> String {
    let bits = ["bit 0", "bit 1", "bits 0 and 1"];
    let term = |(bit, lag): &(usize, usize)| format!("{} at {lag}", bits[*bit]);
    parity.terms.iter().map(term).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use crate::{Verdict, Verifier};
    use samplez_core::DiscreteGaussian;
    use samplez_tables::TargetLaw;

    /// A generator without a pattern.
    struct Noise(u64);

    impl Noise {
        fn word(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let a = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            b ^ b >> 31
        }

        fn below(&mut self, n: u64) -> u64 {
            ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
        }

        /// Whether an event of this probability happens.
        fn happens(&mut self, p: f64) -> bool {
            (self.word() as f64) < p * 2_f64.powi(64)
        }
    }

    fn law(sigma: &str) -> TargetLaw {
        (&DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap()).into()
    }

    /// Values of D_Z by the inverse of its distribution function.
    fn values(sigma: &str, noise: &mut Noise, n: usize) -> Vec<i8> {
        let (law, mut table, mut sum) = (law(sigma), Vec::new(), 0.0);
        for x in -60..=60_i8 {
            sum += law.mass(i64::from(x)..=i64::from(x));
            table.push((sum, x));
        }
        let mut of = || {
            let u = noise.word() as f64 * 2_f64.powi(-64);
            table[table.partition_point(|(sum, _)| *sum <= u).min(table.len() - 1)].1
        };
        (0..n).map(|_| of()).collect()
    }

    fn rejecting(sigma: &str, values: &[i8]) -> Vec<String> {
        let mut verifier = Verifier::new(law(sigma)).unwrap();
        values.chunks(1 << 16).for_each(|chunk| verifier.push(chunk));
        let tests = verifier.finish().unwrap().tests;
        tests.into_iter().filter(|test| test.verdict == Verdict::Reject).map(|test| test.name).collect()
    }

    fn small(sigma: &str) -> DiscreteGaussian {
        DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap()
    }

    const SIZE: usize = 1 << 20;

    /// What `fault` does to ideal values is rejected by this row, and by no other but `also`.
    fn planted(row: &str, also: &[&str], fault: impl Fn(&mut Vec<i8>, &mut Noise)) {
        let mut noise = Noise(row.len() as u64);
        let mut values = values("3.2", &mut noise, SIZE);
        fault(&mut values, &mut noise);
        let rows = rejecting("3.2", &values);
        assert!(rows.iter().any(|name| name == row), "{row}: {rows:?}");
        assert!(rows.iter().all(|name| name == row || also.contains(&name.as_str())), "{row}: {rows:?}");
    }

    #[test]
    fn sums_of_eight() {
        planted("sums of digits", &[], |values, noise| {
            // Where a sum of eight is divisible by 16, the last value often changes places with the next one.
            let mut from = 0;
            while from + 16 <= values.len() {
                let sum: i32 = values[from..from + 8].iter().map(|x| i32::from(*x)).sum();
                if sum % 16 == 0 && noise.happens(0.3) {
                    values.swap(from + 7, from + 8);
                }
                from += 16;
            }
        });
    }

    #[test]
    fn pairs_by_place() {
        planted("digits at places", &["parities"], |values, noise| {
            let (mut even, mut odd): (Vec<usize>, Vec<usize>) = Default::default();
            for (i, value) in values.iter().enumerate() {
                match (i % 2, value) {
                    (0, 7 | 9) if noise.happens(0.1) => even.push(i),
                    (1, 8) if noise.happens(0.2) => odd.push(i),
                    _ => {}
                }
            }
            even.into_iter().zip(odd).for_each(|(i, j)| values.swap(i, j));
        });
    }

    #[test]
    fn parities_of_three() {
        planted("parities", &[], |values, noise| {
            for i in 2..values.len() {
                if (values[i] ^ values[i - 1] ^ values[i - 2]) & 1 == 1 && noise.happens(0.03) {
                    values[i] = -1 - values[i];
                }
            }
        });
    }

    #[test]
    fn a_bit_follows_another() {
        planted("parities", &["G", "chi-squared", "low 4 bits"], |values, noise| {
            for i in 1..values.len() {
                if (values[i] >> 1 & 1) != (values[i - 1] & 1) && noise.happens(0.03) {
                    values[i] = -1 - values[i];
                }
            }
        });
    }

    #[test]
    fn sequences_of_sixteen_come_again() {
        for most in [1000, SIZE as u64 / 2] {
            planted("repeats", &[], |values, noise| {
                for _ in 0..SIZE / 1600 {
                    let lag = (16 + noise.below(most - 16)) as usize;
                    let at = lag + noise.below((SIZE - lag - 16) as u64) as usize;
                    values.copy_within(at - lag..at - lag + 16, at);
                }
            });
        }
    }

    /// 200 streams of ideal values are accepted, and p-values of these rows are as often below 0.05 as they may be.
    #[test]
    fn ideal_values_pass() {
        let (streams, size) = if cfg!(debug_assertions) { (12, 1 << 16) } else { (200, 1 << 19) };
        let mut low = std::collections::BTreeMap::<String, u32>::new();
        for seed in 0..streams {
            for sigma in ["3.2", "0.7"] {
                let mut verifier = Verifier::new(&small(sigma)).unwrap();
                verifier.push(&values(sigma, &mut Noise(1 << 40 | seed << 20), size));
                let report = verifier.finish().unwrap();
                assert!(report.consistent, "{sigma}, seed {seed}: {report:?}");
                for test in report.tests {
                    *low.entry(test.name).or_default() += u32::from(test.p_value.is_some_and(|p| p < 0.05));
                }
            }
        }
        for row in ["digits at places", "sums of digits", "parities", "repeats"] {
            // Twice as many streams, 5 %, and five deviations of a binomial variable.
            let (mean, most) = (0.1 * streams as f64, 0.1 * streams as f64 + 5.0 * (0.1 * streams as f64).sqrt());
            assert!(f64::from(low[row]) < most, "{row}: {} of {mean} expected", low[row]);
        }
    }
}
