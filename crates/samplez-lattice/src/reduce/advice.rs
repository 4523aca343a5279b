//! A basis that is nearly reduced, by doubles.
//!
//! A round computes the projected basis from the exact Gram matrix in pairs of doubles. Then it shortens all vectors, and reduces blocks of
//! the projected basis with LLL in doubles. In the next round the blocks lie half a block further.
//!
//! Doubles only choose steps. Every step is unimodular and is made with integers, so the lattice stays. The exact reduction follows, and
//! finds little to do. Doubles are added, multiplied, divided and compared in a fixed order, so the result is the same on
//! every machine whose doubles are IEEE binary64.

use num_bigint::BigInt;

/// Vectors in a block.
const BLOCK: usize = 48;
/// The exchanges of a block in a round, at most.
const EXCHANGES: usize = 2048;
/// LLL's δ, more than that of the exact reduction.
const DELTA: f64 = 0.999;
/// |L| above this is made smaller.
const HALF: f64 = 0.5 + 1.0 / (1 << 20) as f64;
/// The coefficients of a block, at most.
const LARGEST: i64 = 1 << 31;
/// ‖b*‖²/‖b‖² below 2^-90 is not known.
const KNOWN: f64 = 1.0 / (1_u128 << 90) as f64;
/// ‖b*‖²/‖b‖² below this is that of no positive definite form.
const NEGATIVE: f64 = -1.0 / (1_u64 << 40) as f64;
/// Rounds, at most.
const ROUNDS: usize = 2000;

/// A transformation U and the Gram matrix of U·b, for the Gram matrix of b.
#[derive(Clone)]
pub(super) struct Advice {
    pub(super) transform: Vec<Vec<i64>>,
    pub(super) gram: Vec<Vec<i128>>,
}

impl Advice {
    /// `None` if a number is too large.
    pub(super) fn new(gram: &[Vec<BigInt>]) -> Option<Advice> {
        let n = gram.len();
        let entry = |x: &BigInt| i128::try_from(x).ok().filter(|x| x.unsigned_abs() < 1 << 120);
        let gram: Option<Vec<Vec<i128>>> = gram.iter().map(|row| row.iter().map(entry).collect()).collect();
        let transform = (0..n).map(|i| (0..n).map(|j| i64::from(i == j)).collect()).collect();
        let mut of = Advice { transform, gram: gram? };
        let (mut idle, mut limit) = (0, EXCHANGES);
        for round in 0..ROUNDS {
            // Dependent vectors end as zeros.
            if (0..n).any(|i| of.gram[i][i] <= 0) {
                return None;
            }
            let mut lower = Lower::new(&of.gram)?;
            let mut is_idle = of.shorten(&mut lower)? && lower.rows() == n;
            let before = of.clone();
            let mut start = 0;
            let mut end = if round % 2 == 0 { BLOCK } else { BLOCK / 2 };
            while start < lower.rows() {
                let last = end.min(lower.rows());
                if let Some(change) = lower.reduce((start, last), limit) {
                    is_idle = false;
                    of.apply(start, &change)?;
                }
                (start, end) = (last, last + BLOCK);
            }
            if !is_idle {
                of.shorten(&mut lower)?;
            }
            // Doubles that are far off make vectors longer.
            if of.longest() / 4 > before.longest() {
                of = before;
                limit = 1 + limit / 4;
            } else {
                limit = EXCHANGES.min(2 * limit);
            }
            idle = if is_idle { idle + 1 } else { 0 };
            if idle == 2 {
                break;
            }
        }
        Some(of)
    }

    fn longest(&self) -> i128 {
        self.gram.iter().enumerate().map(|(i, row)| row[i]).max().unwrap_or(0)
    }

    /// Makes all |L| small. Returns whether they already were.
    fn shorten(&mut self, lower: &mut Lower) -> Option<bool> {
        let mut is_idle = true;
        for k in 1..lower.rows() {
            let steps = lower.shorten(k);
            is_idle &= steps.is_empty();
            self.subtract(k, &steps)?;
        }
        Some(is_idle)
    }

    /// b_k -= Σ q·b_l.
    fn subtract(&mut self, k: usize, steps: &[(usize, i64)]) -> Option<()> {
        if steps.is_empty() {
            return Some(());
        }
        let mut products = self.gram[k].clone();
        for (l, q) in steps {
            add(&mut products, &self.gram[*l], q.checked_neg()?.into())?;
        }
        let own = steps
            .iter()
            .try_fold(products[k], |own, (l, q)| own.checked_sub(i128::from(*q).checked_mul(products[*l])?))?;
        let (before, after) = self.transform.split_at_mut(k);
        for (l, q) in steps {
            for (x, y) in after[0].iter_mut().zip(&before[*l]).filter(|(_, y)| **y != 0) {
                *x = x.checked_sub(q.checked_mul(*y)?)?;
            }
        }
        products[k] = own;
        for (row, x) in self.gram.iter_mut().zip(&products) {
            row[k] = *x;
        }
        self.gram[k] = products;
        Some(())
    }

    /// Multiplies the vectors from `start` on by this matrix.
    fn apply(&mut self, start: usize, change: &[Vec<i64>]) -> Option<()> {
        let n = self.gram.len();
        let size = change.len();
        let mut rows = vec![vec![0_i128; n]; size];
        let mut own = vec![vec![0_i64; n]; size];
        for ((row, own), factors) in rows.iter_mut().zip(&mut own).zip(change) {
            for (l, factor) in factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
                add(row, &self.gram[start + l], (*factor).into())?;
                for (x, y) in own.iter_mut().zip(&self.transform[start + l]).filter(|(_, y)| **y != 0) {
                    *x = x.checked_add(factor.checked_mul(*y)?)?;
                }
            }
        }
        // The columns of the block itself.
        for row in &mut rows {
            let mut products = vec![0_i128; size];
            for (x, factors) in products.iter_mut().zip(change) {
                *x = factors.iter().zip(&row[start..]).try_fold(0_i128, |sum, (factor, y)| {
                    if *factor == 0 { Some(sum) } else { sum.checked_add(i128::from(*factor).checked_mul(*y)?) }
                })?;
            }
            row[start..start + size].copy_from_slice(&products);
        }
        for (i, other) in self.gram.iter_mut().enumerate().filter(|(i, _)| !(start..start + size).contains(i)) {
            other[start..start + size].iter_mut().zip(&rows).for_each(|(x, row)| *x = row[i]);
        }
        for (i, (row, own)) in rows.into_iter().zip(own).enumerate() {
            (self.gram[start + i], self.transform[start + i]) = (row, own);
        }
        Some(())
    }
}

/// to += factor·row.
fn add(to: &mut [i128], row: &[i128], factor: i128) -> Option<()> {
    for (x, y) in to.iter_mut().zip(row) {
        *x = x.checked_add(factor.checked_mul(*y)?)?;
    }
    Some(())
}

/// L and ‖b*‖² of the first vectors.
struct Lower {
    l: Vec<Vec<f64>>,
    r: Vec<f64>,
}

impl Lower {
    /// It ends with the first vector whose ‖b*‖² is lost in rounding, and has a lower bound for it. `None` if one is below 0.
    fn new(gram: &[Vec<i128>]) -> Option<Lower> {
        let n = gram.len();
        let (mut l, mut r) = (Vec::<Pairs>::with_capacity(n), Vec::<Pair>::with_capacity(n));
        for (k, row) in gram.iter().enumerate() {
            // c_j = L_kj·r_j.
            let (mut c, mut own) = (Pairs::new(n), Pairs::new(n));
            for j in 0..k {
                let c_j = Pair::of(row[j]).subtract(c.dot(&l[j]));
                c.push(c_j);
                own.push(c_j.over(r[j]));
            }
            let norm = Pair::of(row[k]);
            let rest = norm.subtract(c.dot(&own));
            let least = norm.0 * KNOWN;
            l.push(own);
            if rest.0 < norm.0 * NEGATIVE {
                return None;
            }
            if rest.0 > least {
                r.push(rest);
            } else {
                r.push(Pair(least, 0.0));
                break;
            }
        }
        Some(Lower { l: l.into_iter().map(|row| row.high).collect(), r: r.into_iter().map(|r| r.0).collect() })
    }

    fn rows(&self) -> usize {
        self.r.len()
    }

    /// The multiples q of b_l that make all |L_kl| small, from the last l on.
    fn shorten(&mut self, k: usize) -> Vec<(usize, i64)> {
        let mut steps = Vec::new();
        let (before, after) = self.l.split_at_mut(k);
        for l in (0..k).rev() {
            if let Some(q) = multiple(after[0][l]) {
                subtract(&mut after[0], &before[l], l, q);
                steps.push((l, q as i64));
            }
        }
        steps
    }

    /// Reduces the vectors from `start` to `end`, projected, with so many exchanges. `None` if nothing changes.
    fn reduce(&mut self, (start, end): (usize, usize), limit: usize) -> Option<Vec<Vec<i64>>> {
        let size = end - start;
        let mut change: Vec<Vec<i64>> = (0..size).map(|i| (0..size).map(|j| i64::from(i == j)).collect()).collect();
        let (mut k, mut exchanges, mut is_changed) = (start + 1, 0, false);
        while k < end {
            for m in (start..k).rev() {
                if let Some(q) = multiple(self.l[k][m]) {
                    is_changed = true;
                    let (before, after) = self.l.split_at_mut(k);
                    subtract(&mut after[0], &before[m], m, q);
                    let (before, after) = change.split_at_mut(k - start);
                    // Below 2^31 + 2^30·2^31.
                    after[0].iter_mut().zip(&before[m - start]).for_each(|(x, y)| *x -= q as i64 * y);
                    if after[0].iter().any(|x| x.abs() > LARGEST) {
                        return Some(change);
                    }
                }
                // Others are shortened once this vector stays.
                if m == k - 1 && self.is_unordered(k) {
                    break;
                }
            }
            if !self.is_unordered(k) {
                k += 1;
                continue;
            }
            exchanges += 1;
            if exchanges > limit {
                break;
            }
            is_changed = true;
            self.exchange(k);
            change.swap(k - start, k - start - 1);
            k = (k - 1).max(start + 1);
        }
        is_changed.then_some(change)
    }

    fn is_unordered(&self, k: usize) -> bool {
        self.r[k] < (DELTA - self.l[k][k - 1] * self.l[k][k - 1]) * self.r[k - 1]
    }

    /// Exchanges b_k and b_(k-1).
    fn exchange(&mut self, k: usize) {
        let (l, r) = (&mut self.l, &mut self.r);
        let own = l[k][k - 1];
        let norm = r[k] + own * own * r[k - 1];
        let new = own * r[k - 1] / norm;
        r[k] = r[k - 1] * r[k] / norm;
        r[k - 1] = norm;
        let (before, after) = l.split_at_mut(k);
        before[k - 1][..k - 1].swap_with_slice(&mut after[0][..k - 1]);
        after[0][k - 1] = new;
        for row in &mut after[1..] {
            let t = row[k];
            row[k] = row[k - 1] - own * t;
            row[k - 1] = t + new * row[k];
        }
    }
}

/// The integer nearest to x, within 2^30, if |x| is above 1/2.
fn multiple(x: f64) -> Option<f64> {
    // An addition rounds, to nearest.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    (x.abs() > HALF).then(|| (x.clamp(-1_073_741_824.0, 1_073_741_824.0) + ROUND) - ROUND)
}

/// L_k -= q·L_l, and L_kl -= q.
fn subtract(row: &mut [f64], other: &[f64], l: usize, q: f64) {
    row[..l].iter_mut().zip(other).for_each(|(x, y)| *x -= q * y);
    row[l] -= q;
}

/// A number of 106 bits: the sum of two doubles, the second one small.
#[derive(Clone, Copy)]
struct Pair(f64, f64);

/// a + b, exactly.
fn sum(a: f64, b: f64) -> Pair {
    let s = a + b;
    let own = s - a;
    Pair(s, (a - (s - own)) + (b - own))
}

/// a·b, exactly, by Dekker's halves.
fn product(a: f64, b: f64) -> Pair {
    let halves = |x: f64| {
        let t = x * 134_217_729.0;
        let high = t - (t - x);
        (high, x - high)
    };
    let (p, (a, c), (b, d)) = (a * b, halves(a), halves(b));
    Pair(p, ((a * b - p) + a * d + c * b) + c * d)
}

impl Pair {
    fn of(x: i128) -> Pair {
        let high = x as f64;
        Pair(high, (x - high as i128) as f64)
    }

    fn subtract(self, other: Pair) -> Pair {
        let high = sum(self.0, -other.0);
        sum(high.0, high.1 + (self.1 - other.1))
    }

    fn over(self, other: Pair) -> Pair {
        let q = self.0 / other.0;
        let p = product(q, other.0);
        let rest = self.subtract(Pair(p.0, p.1 + q * other.1));
        sum(q, rest.0 / other.0)
    }
}

/// Pairs, as two columns.
struct Pairs {
    high: Vec<f64>,
    low: Vec<f64>,
}

impl Pairs {
    fn new(capacity: usize) -> Pairs {
        Pairs { high: Vec::with_capacity(capacity), low: Vec::with_capacity(capacity) }
    }

    fn push(&mut self, x: Pair) {
        self.high.push(x.0);
        self.low.push(x.1);
    }

    /// Σ a_i·b_i over as many as both have, within some 2^-104 of the sum of magnitudes. Four sums, which a processor adds up at once.
    fn dot(&self, other: &Pairs) -> Pair {
        const LANES: usize = 4;
        let n = self.high.len().min(other.high.len());
        let (a, a_rest) = self.high[..n].as_chunks::<LANES>();
        let (b, b_rest) = other.high[..n].as_chunks::<LANES>();
        let (c, c_rest) = self.low[..n].as_chunks::<LANES>();
        let (d, d_rest) = other.low[..n].as_chunks::<LANES>();
        let (mut high, mut low) = ([0.0; LANES], [0.0; LANES]);
        for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
            for i in 0..LANES {
                let p = product(a[i], b[i]);
                let s = sum(high[i], p.0);
                high[i] = s.0;
                low[i] += s.1 + (p.1 + (a[i] * d[i] + c[i] * b[i]));
            }
        }
        let mut out = Pair(0.0, 0.0);
        for i in 0..LANES {
            out = out.subtract(Pair(-high[i], -low[i]));
        }
        for (((a, b), c), d) in a_rest.iter().zip(b_rest).zip(c_rest).zip(d_rest) {
            let p = product(*a, *b);
            out = out.subtract(Pair(-p.0, -(p.1 + (a * d + c * b))));
        }
        out
    }
}
