use super::*;
use crate::Matrix;
use samplez::{BitReader, Rational, Seed, Source};
use samplez_sources::ChaCha20;

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn form(rows: &[&[i64]], sigma: &str) -> Form {
    Form::basis(&Matrix::new(rows).unwrap(), q(sigma)).unwrap()
}

fn drawn(form: &Form, count: usize, seed: u64) -> Vec<i64> {
    let mut out = vec![0; count * form.columns()];
    form.fill(Source::ChaCha20, &Seed::from_number(seed), 0, &mut out).unwrap();
    out
}

/// Klein's proposals without the decision.
fn klein(form: &Form, count: usize) -> Vec<i64> {
    let mut bits = BitReader::new(ChaCha20::new(&Seed::from_number(9)));
    let mut out = vec![0; count * form.columns()];
    for v in out.chunks_mut(form.columns()) {
        let (walk, _) = form.target.propose(&form.space, &mut bits).unwrap();
        form.combine(&walk.x, v).unwrap();
    }
    out
}

fn rejected(report: &Report) -> Vec<&str> {
    report.tests.iter().filter(|test| test.verdict == Verdict::Reject).map(|test| test.name.as_str()).collect()
}

fn applied(report: &Report) -> usize {
    report.tests.iter().filter(|test| test.p_value.is_some()).count()
}

const D4: [&[i64]; 4] = [&[1, 1, 0, 0], &[1, -1, 0, 0], &[0, 1, -1, 0], &[0, 0, 1, -1]];

#[test]
fn samples_pass_and_klein_alone_does_not() {
    let narrow = Form::gram(&"12 6\n6 15".parse().unwrap(), q("1")).unwrap();
    let narrow = narrow.with_center(&[q("1/3"), q("2/7")]).unwrap();
    for form in [narrow, form(&D4, "1/2"), form(&D4, "1/2").with_center(&["1/5", "1/3", "0", "1/2"].map(q)).unwrap()] {
        let report = form.verify(&drawn(&form, 12_000, 1), &[]).unwrap();
        assert!(report.consistent && applied(&report) >= 7, "{report:?}");
        let report = form.verify(&klein(&form, 12_000), &[]).unwrap();
        assert!(rejected(&report).contains(&"vectors"), "{report:?}");
    }
}

/// A form of too many vectors: moments of the limit.
#[test]
fn wide_samples_pass_and_planted_faults_do_not() {
    let rows: Vec<Vec<i64>> =
        (0..20).map(|i| (0..20).map(|j| if i == j { 9 } else { (7 * i + 3 * j) % 5 - 2 }).collect()).collect();
    let rows: Vec<&[i64]> = rows.iter().map(Vec::as_slice).collect();
    let form = form(&rows, "30");
    let all = drawn(&form, 10_000, 2);
    let report = form.verify(&all, &[]).unwrap();
    assert!(report.consistent && applied(&report) == 5, "{report:?}");
    // 1 % in σ, a shifted vector, a sign, a component that repeats another one, vectors of 2Λ.
    let other = Form::basis(&Matrix::new(&rows).unwrap(), q("30.6")).unwrap();
    assert!(rejected(&other.verify(&all, &[]).unwrap()).contains(&"distance"));
    let mut one = all.clone();
    one[5] += 1;
    assert_eq!(rejected(&form.verify(&one, &[]).unwrap()), ["lattice"]);
    let mut positive = all.clone();
    for v in positive.chunks_mut(20).step_by(3).filter(|v| v[3] < 0) {
        v.iter_mut().for_each(|x| *x = -*x);
    }
    assert!(rejected(&form.verify(&positive, &[]).unwrap()).contains(&"mean"));
    let half = Form::basis(&Matrix::new(&rows).unwrap(), q("15")).unwrap();
    let doubled: Vec<i64> = drawn(&half, 2_000, 3).into_iter().map(|x| 2 * x).collect();
    assert_eq!(rejected(&form.verify(&doubled, &[]).unwrap()), ["coordinates"]);
    let mut tied = all;
    let inverse = |v: &[i64]| form.places(&Real::new(&form), v).unwrap();
    for v in tied.chunks_mut(20) {
        let mut x = inverse(v);
        // The last coordinate with the sign of the one before.
        x[19] = x[19].abs() * x[18].signum();
        form.combine(&x, v).unwrap();
    }
    assert!(rejected(&form.verify(&tied, &[]).unwrap()).contains(&"covariance"));
}

/// The theta series of the Leech lattice: 1 + Σ (65520/691)(σ_11(n) - τ(n)) q^n, for the norms 2n.
fn leech_series(most: usize) -> Vec<f64> {
    // τ: q·Π (1 - q^n)^24.
    let mut tau = vec![0_i128; most + 1];
    tau[0] = 1;
    for n in 1..=most {
        for _ in 0..24 {
            for k in (n..=most).rev() {
                tau[k] -= tau[k - n];
            }
        }
    }
    let divisors = |n: usize| (1..=n).filter(|d| n.is_multiple_of(*d)).map(|d| (d as i128).pow(11)).sum::<i128>();
    (0..=most).map(|n| if n == 0 { 1.0 } else { (65_520 * (divisors(n) - tau[n - 1]) / 691) as f64 }).collect()
}

/// Of the Leech lattice, times √8, by its usual basis from the Golay code.
fn leech() -> Vec<Vec<i64>> {
    // The quadratic residues modulo 23 generate the code's words, extended by a parity.
    let residues: Vec<usize> = (0..23).map(|x| x * x % 23).collect();
    let word = |shift: usize| -> Vec<i64> {
        let mut word = vec![0; 24];
        (0..23).filter(|i| !residues.contains(i)).for_each(|i| word[(i + shift) % 23] = 1);
        word[23] = word[..23].iter().sum::<i64>() % 2;
        word
    };
    // A basis of the code by elimination.
    let mut code: Vec<Vec<i64>> = Vec::new();
    for shift in 0..23 {
        let mut word = word(shift);
        for row in &code {
            let lead = row.iter().position(|x| *x == 1).unwrap();
            if word[lead] == 1 {
                word.iter_mut().zip(row).for_each(|(a, b)| *a ^= b);
            }
        }
        if word.contains(&1) {
            code.push(word);
        }
    }
    assert_eq!(code.len(), 12);
    let leads: Vec<usize> = code.iter().map(|row| row.iter().position(|x| *x == 1).unwrap()).collect();
    let mut rows: Vec<Vec<i64>> = code[1..].iter().map(|row| row.iter().map(|x| 2 * x).collect()).collect();
    let unit = |places: &[(usize, i64)]| {
        let mut row = vec![0; 24];
        places.iter().for_each(|(i, x)| row[*i] = *x);
        row
    };
    // 4(e_i + e_j) for the others, 8e_i, and (-3, 1, …, 1), of which twice has the first word once.
    let free: Vec<usize> = (0..24).filter(|i| !leads.contains(i)).collect();
    rows.extend(free[1..].iter().map(|i| unit(&[(free[0], 4), (*i, 4)])));
    let mut glue = vec![1; 24];
    glue[free[0]] = -3;
    rows.extend([unit(&[(free[0], 8)]), glue]);
    rows
}

#[test]
fn norms_of_the_leech_lattice_follow_its_theta_series() {
    let series = leech_series(70);
    assert_eq!(series[..6], [1.0, 0.0, 196_560.0, 16_773_120.0, 398_034_000.0, 4_629_381_120.0]);
    let theta: Vec<(Rational, f64)> =
        (0..=70).map(|n| (Rational::from(16 * n), series[n as usize])).filter(|(_, count)| *count > 0.0).collect();
    let rows = leech();
    // σ = 0.74 in units of √8.
    let form = Form::basis(&Matrix::new(&rows).unwrap(), q("2.1")).unwrap();
    // The determinant is 8^12.
    assert_eq!(form.space.reduced.minors[24], num_bigint::BigInt::from(8).pow(24));
    let all = drawn(&form, 1_500, 4);
    let report = form.verify(&all, &theta).unwrap();
    let norms = report.tests.iter().find(|test| test.name == "norms").unwrap();
    assert!(report.consistent && norms.dof.unwrap() >= 5, "{report:?}");
    // The first 10 terms are not enough.
    assert!(
        form.verify(&all[..2400], &theta[..10])
            .unwrap()
            .tests
            .iter()
            .all(|test| test.name != "norms" || test.p_value.is_none())
    );
    // 5 % more in σ.
    let other = Form::basis(&Matrix::new(&rows).unwrap(), q("2.205")).unwrap();
    assert!(rejected(&other.verify(&all, &theta).unwrap()).contains(&"norms"));
}

#[test]
fn bad_arrays_are_refused() {
    let form = form(&D4, "1/2");
    let message = |vectors: &[i64]| form.verify(vectors, &[]).unwrap_err().to_string();
    assert_eq!(message(&[0; 401]), "number of integers = 401: expected a multiple of 4, the integers of a vector");
    assert_eq!(message(&[0; 396]), "number of vectors = 99: expected at least 100");
    assert_eq!(message(&[]), "number of vectors = 0: expected at least 100");
    // Vectors outside the lattice alone.
    assert_eq!(rejected(&form.verify(&[1, 0, 0, 0].repeat(100), &[]).unwrap()), ["lattice"]);
    // Far vectors of the lattice.
    assert!(rejected(&form.verify(&[1000, 0, 0, 0].repeat(100), &[]).unwrap()).contains(&"reach"));
}
