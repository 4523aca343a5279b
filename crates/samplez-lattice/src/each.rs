//! Samples of many forms on one lattice, each around its own centre.

use crate::form::Form;
use crate::klein::propose_each;
use samplez::RangeError;
use samplez_core::bits::BitSource;
use zeroize::Zeroize;

/// Walks under way, at most.
const CHUNK: usize = 128;

impl Form {
    /// Writes a sample of each form into `out`, one after the other. The forms are copies of one, with any centres and cosets.
    ///
    /// The distribution is that of [`sample`](Self::sample) for each form, and the samples are independent. The integers are others, and
    /// faster from 16 forms on. The result is a function of the bits and of all the forms: cut into other pieces, the forms get other
    /// samples.
    ///
    /// The stream: up to 128 forms are under way. A pass draws each coordinate for all of them, and then decides on each form. Forms whose
    /// proposal is rejected come first in the next pass, and further forms fill it up.
    ///
    /// # Errors
    ///
    /// [`RangeError`] if an entry does not fit 64 bits. `out` is then all zeros.
    ///
    /// # Panics
    ///
    /// If a form is not a copy of the first one with another centre or coset. If `out` has not a sample's entries for each form.
    ///
    /// ```
    /// use samplez::{BitReader, Seed};
    /// use samplez_lattice::{Form, Matrix};
    /// use samplez_sources::ChaCha20;
    /// let form = Form::basis(&Matrix::new(&[[2, 1], [0, 3]])?, "4".parse()?)?;
    /// let forms = (0..100).map(|i| form.with_center(&[1000.into(), i.into()])).collect::<Result<Vec<_>, _>>()?;
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// let mut vectors = [0; 200];
    /// Form::sample_each(&forms, &mut bits, &mut vectors)?;
    /// assert!(vectors.chunks(2).enumerate().all(|(i, v)| v[0].abs_diff(1000) < 50 && v[1].abs_diff(i as i64) < 50));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample_each<B: BitSource + ?Sized>(forms: &[Form], bits: &mut B, out: &mut [i64]) -> Result<(), RangeError> {
        let columns = forms.first().map_or(0, Form::columns);
        assert_eq!(out.len(), forms.len() * columns, "out: expected a sample's entries for each form");
        let is_copy = |form: &Form| std::sync::Arc::ptr_eq(&form.space, &forms[0].space);
        assert!(forms.iter().all(is_copy), "forms: expected copies of one form, with any centers and cosets");
        let drawn = each(forms, columns, bits, out);
        drawn.ok_or_else(|| {
            out.zeroize();
            RangeError::of::<i64>()
        })
    }
}

fn each<B: BitSource + ?Sized>(forms: &[Form], columns: usize, bits: &mut B, out: &mut [i64]) -> Option<()> {
    let (mut open, mut next) = (Vec::with_capacity(CHUNK), 0);
    loop {
        let more = (CHUNK - open.len()).min(forms.len() - next);
        open.extend(next..next + more);
        next += more;
        let Some(first) = open.first() else { return Some(()) };
        let space = &forms[*first].space;
        let targets: Vec<_> = open.iter().map(|i| &*forms[*i].target).collect();
        let walks = propose_each(space, &targets, bits)?;
        let mut rejected = Vec::with_capacity(CHUNK);
        for (i, (walk, is_near)) in open.into_iter().zip(walks) {
            if forms[i].target.accepts(space, &walk, is_near, bits) {
                forms[i].combine(&walk.x, &mut out[i * columns..][..columns])?;
            } else {
                rejected.push(i);
            }
        }
        open = rejected;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use samplez::{BitReader, Rational, Seed};
    use samplez_sources::ChaCha20;
    use std::collections::HashMap;

    fn q(text: &str) -> Rational {
        text.parse().unwrap()
    }

    /// Forms of three centres and a coset, dealt in turn: each has its brute-force masses, as a batch and with rejections; σ_j from 0.3 to 3.
    #[test]
    fn every_form_of_a_batch_has_its_law() {
        let rows = [[2_i64, 1], [0, 3]];
        let matrix = Matrix::new(&rows).unwrap();
        for (sigma, count) in [("0.8", 4_000), ("6", 4_000), ("2.9", 7)] {
            let form = Form::basis(&matrix, q(sigma)).unwrap();
            let centers = [["0", "0"], ["1/3", "-9/5"], ["1000001/2", "-77/3"], ["1/2", "7"]];
            let mut kinds: Vec<Form> = centers.iter().map(|c| form.with_center(&c.map(q)).unwrap()).collect();
            kinds[3] = kinds[3].coset(&[1, 0]).unwrap();
            let rounds = 16_000 / (4 * count);
            let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([5; 32])));
            let mut counts = vec![HashMap::<[i64; 2], u64>::new(); 4];
            for _ in 0..rounds {
                let forms: Vec<Form> = (0..4 * count).map(|i| kinds[i % 4].clone()).collect();
                let mut out = vec![0; 2 * forms.len()];
                Form::sample_each(&forms, &mut bits, &mut out).unwrap();
                for (i, v) in out.chunks(2).enumerate() {
                    *counts[i % 4].entry([v[0], v[1]]).or_default() += 1;
                }
            }
            let width: f64 = sigma.parse().unwrap();
            for (k, counts) in counts.iter().enumerate() {
                let c = centers[k].map(|c| q(c).to_f64());
                let shift = i64::from(k == 3);
                let near = [(c[0] / 2.0).round() as i64, ((c[1] - c[0] / 2.0) / 3.0).round() as i64];
                let mut masses = Vec::new();
                for (a, b) in (-40..=40).flat_map(|a| (-40..=40).map(move |b| (near[0] + a, near[1] + b))) {
                    let v = [a * rows[0][0] + b * rows[1][0] + shift, a * rows[0][1] + b * rows[1][1]];
                    let norm = (v[0] as f64 - c[0]).powi(2) + (v[1] as f64 - c[1]).powi(2);
                    masses.push((v, (-norm / (2.0 * width * width)).exp()));
                }
                masses.sort_by(|a, b| b.1.total_cmp(&a.1));
                let (sum, total) =
                    (masses.iter().map(|(_, mass)| mass).sum::<f64>(), counts.values().sum::<u64>() as f64);
                let mut judge = samplez_stats::Judge::new();
                let known = masses.iter().filter_map(|(v, _)| counts.get(v)).sum::<u64>();
                judge.impossible("outside", total as u64 - known);
                let cell = |(v, mass): &([i64; 2], f64)| (counts.get(v).copied().unwrap_or(0), mass / sum * total);
                judge.counts("vectors", masses.iter().map(cell));
                for test in judge.finish() {
                    assert_eq!(test.verdict, samplez_stats::Verdict::Pass, "{sigma} {k} {test:?}");
                    assert!(test.name == "outside" || test.dof.unwrap() >= 2);
                }
            }
        }
    }

    /// A batch of fewer than 16 forms draws what single calls draw, except that each coordinate comes for all forms first.
    #[test]
    fn a_batch_of_one_is_a_sample() {
        let form = Form::basis(&Matrix::new(&[[2, 1, 0], [0, 3, 1], [1, 0, 4]]).unwrap(), q("1.1")).unwrap();
        let reader = || BitReader::new(ChaCha20::new(&Seed::from_bytes([6; 32])));
        let (mut one, mut other) = (reader(), reader());
        for _ in 0..200 {
            let (mut a, mut b) = ([0; 3], [0; 3]);
            form.sample(&mut one, &mut a).unwrap();
            Form::sample_each(std::slice::from_ref(&form), &mut other, &mut b).unwrap();
            assert_eq!(a, b);
        }
    }

    /// The stream is part of the interface.
    #[test]
    fn a_batch_has_its_integers() {
        let form = Form::basis(&Matrix::new(&[[2, 1], [0, 3]]).unwrap(), q("5")).unwrap();
        let forms = vec![form; 20];
        let mut out = [0; 40];
        Form::sample_each(&forms, &mut BitReader::new(ChaCha20::new(&Seed::from_bytes([7; 32]))), &mut out).unwrap();
        assert_eq!(out[..8], [12, 0, 6, 0, -6, -6, -2, -1]);
    }

    #[test]
    #[should_panic(expected = "copies of one form")]
    fn forms_of_two_lattices_are_refused() {
        let form = |rows: &[[i64; 2]]| Form::basis(&Matrix::new(rows).unwrap(), q("5")).unwrap();
        let forms = [form(&[[2, 1], [0, 3]]), form(&[[2, 1], [0, 3]])];
        let _ = Form::sample_each(&forms, &mut BitReader::new(ChaCha20::new(&Seed::from_bytes([7; 32]))), &mut [0; 4]);
    }
}
