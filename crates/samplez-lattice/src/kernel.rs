//! A basis of the integer vectors v with A·v = 0 modulo q.

use crate::matrix::dot;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;

/// The basis of rows, for any q >= 2.
///
/// It begins with the unit vectors. For each row a of A, unimodular steps leave the gcd of the products ⟨a, b⟩ modulo q in one vector, and
/// that one is multiplied by the gcd's order.
pub(crate) fn basis(a: &[Vec<BigInt>], q: &BigInt) -> Vec<Vec<BigInt>> {
    let m = a.first().map_or(0, Vec::len);
    let mut rows: Vec<Vec<BigInt>> = (0..m).map(|i| (0..m).map(|j| BigInt::from(u8::from(i == j))).collect()).collect();
    // Rows that are q times a unit vector, and serve to keep the others small.
    let mut whole: Vec<usize> = Vec::new();
    for a in a {
        let mut products: Vec<BigInt> = rows.iter().map(|row| dot(a, row).mod_floor(q)).collect();
        let unit = (0..m).find(|i| !whole.contains(i) && products[*i].gcd(q) == BigInt::from(1));
        if let Some(p) = unit {
            let inverse = products[p].extended_gcd(q).x;
            let pivot = rows[p].clone();
            for i in (0..m).filter(|i| *i != p && products[*i].sign() != Sign::NoSign) {
                let factor = (&products[i] * &inverse).mod_floor(q);
                rows[i].iter_mut().zip(&pivot).for_each(|(x, y)| *x -= &factor * y);
            }
            rows[p].iter_mut().for_each(|x| *x *= q);
            // The pivot has 1 at p, and elsewhere only multiples of vectors whose q-fold is in the lattice.
            let is_plain = pivot[p] == BigInt::from(1)
                && pivot.iter().enumerate().all(|(k, x)| k == p || x.sign() == Sign::NoSign || whole.contains(&k));
            if is_plain {
                rows[p].iter_mut().enumerate().filter(|(k, _)| *k != p).for_each(|(_, x)| *x = BigInt::ZERO);
                whole.push(p);
                for (i, row) in rows.iter_mut().enumerate().filter(|(i, _)| !whole.contains(i)) {
                    for k in whole.iter().filter(|k| **k != i) {
                        row[*k] = row[*k].mod_floor(q);
                    }
                }
            }
            continue;
        }
        // Euclid's steps between the two smallest products.
        loop {
            let mut open: Vec<usize> = (0..m).filter(|i| products[*i].sign() != Sign::NoSign).collect();
            open.sort_by(|i, j| products[*i].cmp(&products[*j]));
            let Some((&p, others)) = open.split_first() else { break };
            if others.is_empty() {
                let order = q / products[p].gcd(q);
                rows[p].iter_mut().for_each(|x| *x *= &order);
                break;
            }
            let pivot = rows[p].clone();
            for i in others {
                let factor = &products[*i] / &products[p];
                let taken = &factor * &products[p];
                products[*i] -= taken;
                rows[*i].iter_mut().zip(&pivot).for_each(|(x, y)| *x -= &factor * y);
            }
        }
        // The rows in `whole` may have changed.
        whole.retain(|k| {
            rows[*k].iter().enumerate().all(|(j, x)| if j == *k { x == q } else { x.sign() == Sign::NoSign })
        });
    }
    rows
}
