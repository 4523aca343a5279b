use super::*;
use crate::matrix::{Matrix, dot};

/// A random basis by a small generator of its own.
fn basis(n: usize, size: u64, seed: u64) -> Matrix {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % (2 * size + 1)) as i64 - size as i64
    };
    let rows: Vec<Vec<i64>> = (0..n).map(|_| (0..n).map(|_| next()).collect()).collect();
    Matrix::new(&rows).unwrap()
}

/// Minors of a Gram matrix by fraction-free elimination: no formula of LLL.
fn minors(gram: &[Vec<BigInt>]) -> Vec<BigInt> {
    let (mut a, mut before) = (gram.to_vec(), BigInt::from(1));
    let mut out = vec![before.clone()];
    for k in 0..a.len() {
        out.push(a[k][k].clone());
        for i in k + 1..a.len() {
            for j in k + 1..a.len() {
                a[i][j] = (&a[i][j] * &a[k][k] - &a[i][k] * &a[k][j]) / &before;
            }
        }
        before = a[k][k].clone();
    }
    out
}

fn product(a: &[Vec<BigInt>], b: &Matrix) -> Matrix {
    let columns: Vec<Vec<BigInt>> =
        (0..b.columns()).map(|j| b.rows.iter().map(|row| row[j].clone()).collect()).collect();
    let rows = a.iter().map(|row| columns.iter().map(|column| dot(row, column)).collect()).collect();
    Matrix { rows, den: b.den.clone() }
}

#[test]
#[expect(clippy::needless_range_loop, reason = "the formulas have these indices")]
fn a_reduced_basis_is_reduced_and_of_the_same_lattice() {
    for (n, size, seed) in [(1, 9, 1), (2, 1000, 2), (3, 50, 3), (5, 1_000_000, 4), (12, 30, 5), (20, 5, 6)] {
        let b = basis(n, size, seed);
        let reduced = Reduced::new(&b.by_transpose(&b)).unwrap();
        let (d, l) = (&reduced.minors, &reduced.lambda);
        for i in 0..n {
            for j in 0..i {
                assert!(l[i][j].magnitude() * 2_u8 <= *d[j + 1].magnitude(), "size-reduced: {n} {i} {j}");
            }
        }
        for k in 1..n {
            // 100·(‖b*_k‖² + L²‖b*_(k-1)‖²) >= 99·‖b*_(k-1)‖², times d_k·d_(k-1).
            let left = (&d[k + 1] * &d[k - 1] + &l[k][k - 1] * &l[k][k - 1]) * 100;
            assert!(left >= &d[k] * &d[k] * 99, "Lovász: {n} {k}");
        }
        // U is unimodular: the determinant of UUᵀ is 1.
        let u = Matrix { rows: reduced.transform.clone(), den: BigInt::from(1) };
        assert_eq!(minors(&u.by_transpose(&u)).pop().unwrap(), BigInt::from(1));
        // The minors, and λ by its determinant of d_(j+1)·⟨b_i, b*_j⟩/‖b*_j‖², are those of the new basis.
        let new = product(&reduced.transform, &b);
        let gram = new.by_transpose(&new);
        assert_eq!(minors(&gram), *d);
        for i in 0..n {
            for j in 0..i {
                let mut corner: Vec<Vec<BigInt>> = gram[..=j].iter().map(|row| row[..=j].to_vec()).collect();
                corner[j] = gram[i][..=j].to_vec();
                // With a row replaced the last minor is λ.
                assert_eq!(minors(&corner).pop().unwrap(), l[i][j], "{i} {j}");
            }
        }
    }
}

/// G = L·D·Lᵀ in rationals, with the common denominators multiplied out.
#[test]
fn ldlt_is_exact() {
    let b = basis(6, 40, 7);
    let reduced = Reduced::new(&b.by_transpose(&b)).unwrap();
    let new = product(&reduced.transform, &b);
    let gram = new.by_transpose(&new);
    let d = &reduced.minors;
    let all: BigInt = d.iter().product();
    for (i, row) in gram.iter().enumerate() {
        for (j, product) in row[..=i].iter().enumerate() {
            let entry = |i: usize, k: usize| if i == k { d[k + 1].clone() } else { reduced.lambda[i][k].clone() };
            // Σ_k L_ik·D_k·L_jk = Σ_k λ_ik·λ_jk/(d_k·d_(k+1)).
            let sum: BigInt = (0..=j).map(|k| entry(i, k) * entry(j, k) * (&all / &d[k]) * &all / &d[k + 1]).sum();
            assert_eq!(sum, product * &all * &all);
        }
    }
}

#[test]
fn singular_and_indefinite_matrices_are_found() {
    let of = |rows: &[[i64; 2]]| Reduced::new(&Matrix::new(rows).unwrap().rows).err();
    assert_eq!(of(&[[1, 2], [2, 4]]), Some((1, true)));
    assert_eq!(of(&[[1, 2], [2, 3]]), Some((1, false)));
    assert_eq!(of(&[[0, 0], [0, 1]]), Some((0, true)));
    assert_eq!(of(&[[-1, 0], [0, 1]]), Some((0, false)));
    assert_eq!(of(&[[2, 1], [1, 2]]), None);
}

/// LLL's conditions by minors of another algorithm, and U's determinant.
fn check(b: &Matrix) {
    let reduced = Reduced::new(&b.by_transpose(b)).unwrap();
    let (d, l) = (&reduced.minors, &reduced.lambda);
    let new = product(&reduced.transform, b);
    assert_eq!(minors(&new.by_transpose(&new)), *d);
    assert_eq!(minors(&b.by_transpose(b)).last(), d.last(), "U is unimodular");
    for (k, row) in l.iter().enumerate().skip(1) {
        assert!(row.iter().zip(&d[1..]).all(|(l, d)| l.magnitude() * 2_u8 <= *d.magnitude()), "size-reduced: {k}");
        let left = (&d[k + 1] * &d[k - 1] + &row[k - 1] * &row[k - 1]) * 100;
        assert!(left >= &d[k] * &d[k] * 99, "Lovász: {k}");
    }
}

/// Random bases and kernels in ranks that doubles help in: small and large numbers, halves that are exact, and advice that is refused.
#[test]
fn large_ranks_are_reduced() {
    for (n, size, seed) in [(ADVISED, 512, 1), (40, 1 << 40, 2), (50, 1, 3)] {
        let b = basis(n, size, seed);
        assert!(Reduced::advised(&b.by_transpose(&b)).is_some());
        check(&b);
    }
    for (rows, columns, q) in [(10, 40, 257), (16, 40, (1 << 30) - 35), (30, 36, 2), (4, 33, u64::MAX)] {
        let a = Matrix { rows: basis(rows, 1 << 29, 4).rows, den: 1.into() };
        let a: Vec<Vec<BigInt>> =
            (0..rows).map(|i| (0..columns).map(|j| a.rows[i][j % rows].clone() + j * j).collect()).collect();
        let b = Matrix { rows: crate::kernel::basis(&a, q), den: 1.into() };
        assert_eq!(Reduced::advised(&b.by_transpose(&b)).is_some(), q < u64::MAX);
        check(&b);
    }
    // Dependent rows, and a form that is not definite.
    let mut b = basis(36, 9, 5);
    b.rows[30] = b.rows[2].iter().zip(&b.rows[7]).map(|(x, y)| x * 3 - y).collect();
    assert_eq!(Reduced::new(&b.by_transpose(&b)).err(), Some((30, true)));
    let mut gram: Vec<Vec<BigInt>> =
        (0..36).map(|i| (0..36).map(|j| BigInt::from(if i == j { 5 } else { 1 })).collect()).collect();
    gram[20][20] = BigInt::from(-2);
    assert_eq!(Reduced::new(&gram).err(), Some((20, false)));
}

/// The exact reduction makes the same steps from given minors as from its own.
#[test]
fn given_minors_change_nothing() {
    let b = basis(14, 1000, 8);
    let gram = b.by_transpose(&b);
    let (minors, lambda) = minors::of(&gram).unwrap();
    let transform = (0..14).map(|i| (0..14).map(|j| BigInt::from(u8::from(i == j))).collect()).collect();
    let mut given = Reduced { minors, lambda, transform };
    given.finish(&gram).unwrap();
    let own = Reduced::new(&gram).unwrap();
    assert_eq!((given.minors, given.lambda, given.transform), (own.minors, own.lambda, own.transform));
}

/// The advice is a part of the stream: a change shows here, and so does a machine with other doubles.
#[test]
fn advice_is_the_same_everywhere() {
    let b = basis(ADVISED, 512, 1);
    let transform = Advice::new(&b.by_transpose(&b)).unwrap().transform;
    let mark = |mark: u64, x: &i64| mark.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(*x as u64);
    assert_eq!(transform.iter().flatten().fold(0, mark), 17_598_486_012_742_342_768);
}
