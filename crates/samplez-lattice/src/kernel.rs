//! A basis of the integer vectors v with A·v = 0 modulo q.

use num_bigint::BigInt;
use num_integer::Integer;

/// The Hermite normal form of the lattice, for any q >= 2, which depends on the lattice alone. Row j ends in column j, and the
/// entries below a diagonal entry are less than it.
///
/// The lattice is spanned by `rows` and q·Z^m throughout. So every row counts modulo q, and no entry exceeds q. For each row a of A,
/// unimodular steps leave the gcd of the products ⟨a, r⟩ modulo q in one row. That row is multiplied by the gcd's order.
pub(crate) fn basis(a: &[Vec<BigInt>], q: u64) -> Vec<Vec<BigInt>> {
    let m = a.first().map_or(0, Vec::len);
    let mut rows: Vec<Vec<u64>> = (0..m).map(|i| (0..m).map(|j| u64::from(i == j)).collect()).collect();
    for a in a {
        // Each is from 0 to q - 1.
        let a: Vec<u64> = a.iter().map(|x| x.mod_floor(&q.into()).iter_u64_digits().next().unwrap_or(0)).collect();
        let mut pivot: Option<(usize, u64)> = None;
        for i in 0..rows.len() {
            let product = rows[i].iter().zip(&a).fold(0, |sum, (x, y)| add(sum, multiply(*x, *y, q), q));
            match pivot {
                _ if product == 0 => {}
                None => pivot = Some((i, product)),
                Some((p, gcd)) => {
                    let (before, after) = rows.split_at_mut(i);
                    pivot = Some((p, eliminate((&mut before[p], gcd), (&mut after[0], product), q)));
                }
            }
        }
        if let Some((p, gcd)) = pivot {
            let order = q / gcd.gcd(&q);
            rows[p].iter_mut().for_each(|x| *x = multiply(*x, order, q));
        }
        rows.retain(|row| row.iter().any(|x| *x != 0));
    }
    triangle(rows, (m, q))
}

/// The Hermite normal form of the lattice that these rows and q·Z^m span.
fn triangle(mut rows: Vec<Vec<u64>>, (m, q): (usize, u64)) -> Vec<Vec<BigInt>> {
    let mut out: Vec<Vec<u64>> = Vec::with_capacity(m);
    for j in (0..m).rev() {
        // It begins as q times a unit vector.
        let (mut pivot, mut diagonal) = (vec![0; m], q);
        for row in rows.iter_mut().filter(|row| row[j] != 0) {
            let entry = row[j];
            diagonal = eliminate((&mut pivot, diagonal), (row, entry), q);
        }
        pivot[j] = diagonal;
        out.push(pivot);
        rows.retain(|row| row.iter().any(|x| *x != 0));
    }
    out.reverse();
    for j in 0..m {
        let (before, after) = out.split_at_mut(j);
        for k in (0..j).rev() {
            let factor = after[0][k] / before[k][k];
            if factor != 0 {
                // Row k has zeros behind column k.
                after[0][k] %= before[k][k];
                subtract(&mut after[0][..k], &before[k], factor, q);
            }
        }
    }
    out.into_iter().map(|row| row.into_iter().map(BigInt::from).collect()).collect()
}

/// Takes two rows and their values, by a unimodular step, to rows with the values gcd and 0. Returns the gcd.
fn eliminate((pivot, value): (&mut [u64], u64), (row, other): (&mut [u64], u64), q: u64) -> u64 {
    let of = i128::from(value).extended_gcd(&i128::from(other));
    // Each is at most q.
    let narrow = |x: i128| x.rem_euclid(i128::from(q)) as u64;
    let gcd = of.gcd as u64;
    let (up, down) = (value / gcd, other / gcd);
    if up == 1 {
        subtract(row, pivot, down, q);
        return gcd;
    }
    let (s, t) = (narrow(of.x), narrow(of.y));
    for (x, y) in pivot.iter_mut().zip(row) {
        let low = add(multiply(s, *x, q), multiply(t, *y, q), q);
        *y = add(multiply(up, *y, q), multiply(q - down, *x, q), q);
        *x = low;
    }
    gcd
}

/// row - factor·of.
fn subtract(row: &mut [u64], of: &[u64], factor: u64, q: u64) {
    for (x, y) in row.iter_mut().zip(of).filter(|(_, y)| **y != 0) {
        *x = add(*x, q - multiply(factor, *y, q), q);
    }
}

fn multiply(x: u64, y: u64, q: u64) -> u64 {
    if x == 0 || y == 0 {
        return 0;
    }
    (u128::from(x) * u128::from(y) % u128::from(q)) as u64
}

fn add(x: u64, y: u64, q: u64) -> u64 {
    ((u128::from(x) + u128::from(y)) % u128::from(q)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The number of values of A·v modulo q, by enumeration: the index of the lattice.
    fn index(a: &[Vec<i64>], q: i64) -> usize {
        let mut image = HashSet::from([vec![0; a.len()]]);
        for j in 0..a[0].len() {
            let all = (0..q).flat_map(|k| {
                image
                    .iter()
                    .map(move |v: &Vec<i64>| v.iter().zip(a).map(|(x, a)| (x + k * a[j]).rem_euclid(q)).collect())
            });
            image = all.collect();
        }
        image.len()
    }

    fn check(a: &[Vec<i64>], q: u64) {
        let big: Vec<Vec<BigInt>> = a.iter().map(|row| row.iter().map(|x| BigInt::from(*x)).collect()).collect();
        let rows = basis(&big, q);
        let mut determinant = BigInt::from(1);
        for (j, row) in rows.iter().enumerate() {
            for a in &big {
                assert_eq!(crate::matrix::dot(a, row).mod_floor(&q.into()), BigInt::ZERO, "{a:?} {q}");
            }
            // Triangular and reduced: the determinant is the product of the diagonal.
            assert!(row[j] > BigInt::ZERO && row[j + 1..].iter().all(|x| *x == BigInt::ZERO), "{rows:?}");
            assert!((0..j).all(|k| row[k] >= BigInt::ZERO && row[k] < rows[k][k]), "{rows:?}");
            determinant *= &row[j];
        }
        assert_eq!(rows.len(), a[0].len());
        assert_eq!(determinant, BigInt::from(index(a, q as i64)), "{a:?} {q}");
    }

    /// Any q, with zero and dependent rows, and more rows than columns.
    #[test]
    fn bases_have_members_only_and_the_right_determinant() {
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for _ in 0..400 {
            let q = [2, 3, 4, 6, 8, 9, 12, 5, 7][below(9) as usize];
            let (n, m) = (1 + below(3) as usize, 1 + below(4) as usize);
            let mut a: Vec<Vec<i64>> = (0..n)
                .map(|_| (0..m).map(|_| if below(3) == 0 { 0 } else { below(6 * q) as i64 - 3 * q as i64 }).collect())
                .collect();
            match below(4) {
                0 if n > 1 => a[1] = a[0].iter().map(|x| x * 3).collect(),
                1 => a[0].fill(0),
                2 => a.iter_mut().flatten().for_each(|x| *x *= 2),
                _ => {}
            }
            check(&a, q);
        }
    }

    #[test]
    fn entries_stay_below_q() {
        let mut state = 5_u64;
        for q in [1 << 16, 30_030, u64::MAX] {
            let a: Vec<Vec<BigInt>> = (0..12)
                .map(|_| {
                    let next = |_| {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        BigInt::from(state >> 1) * 2
                    };
                    (0..24).map(next).collect()
                })
                .collect();
            for row in basis(&a, q) {
                assert!(row.iter().all(|x| *x <= BigInt::from(q)));
                for a in &a {
                    assert_eq!(crate::matrix::dot(a, &row).mod_floor(&q.into()), BigInt::ZERO);
                }
            }
        }
    }
}
