use super::*;

fn q(text: &str) -> Rational {
    text.parse().unwrap()
}

fn form(rows: &[&[i64]], sigma: &str, center: &[&str]) -> Form {
    let center: Vec<Rational> = center.iter().map(|c| q(c)).collect();
    Form::basis(&Matrix::new(rows).unwrap(), q(sigma)).unwrap().with_center(&center).unwrap()
}

/// Form, vector and mass.
const WANTED: [(usize, &[i64], f64); 14] = [
    (0, &[0, 0], 0.212_165_317_455_659_53),
    (0, &[0, -3], 0.361_372_813_134_007_9),
    (0, &[2, -2], 0.248_428_902_293_010_65),
    (0, &[20, 1], 1.129_846_064_714_089_5e-51),
    (1, &[0, 0, 0], 0.001_126_530_828_619_435),
    (1, &[-1, 0, -4], 0.034_339_136_322_689_305),
    (1, &[1, -2, -5], 0.042_182_269_979_909_88),
    (1, &[-2, 0, -8], 0.068_953_237_781_191_75),
    (2, &[0, 0, 0, 0], 0.397_393_873_726_494_93),
    (2, &[1, 0, 3, 1], 0.464_600_508_168_4),
    (2, &[0, 2, 4, 1], 0.001_085_618_788_419_845_3),
    (3, &[0, 0, 0], 1.587_296_238_824_157_3e-9),
    (3, &[2, 1, 0], 1.587_292_724_100_662_6e-9),
    (3, &[1000, 1400, 300], 3.447_019_829_449_429_3e-10),
];

/// Both sums, one after the other.
fn both(form: &Form) -> [Law; 2] {
    let (mut own, mut dual) = (form.law().unwrap(), form.law().unwrap());
    assert!(own.own().is_some());
    (dual.shells, dual.factor) = (None, None);
    dual.base = (BigInt::ZERO, BigInt::from(1));
    dual.dual().unwrap();
    own.factor = None;
    own.sum = BigUint::ZERO;
    own.base = (BigInt::ZERO, BigInt::from(1));
    own.own().unwrap();
    [own, dual]
}

/// 40 digits by mpmath, over boxes of vectors that hold all but 10^-60: crates/samplez-lattice/src/law/masses.py.
#[test]
fn masses_are_those_of_mpmath() {
    let two = form(&[&[2, 1], &[0, 3]], "1.3", &["1/3", "-9/5"]);
    let three = form(&[&[2, 1, 0], &[0, 3, 1], &[1, 0, 4]], "2.5", &["1/7", "0", "-7.5"]);
    let flat = form(&[&[2, 1, 0, 0], &[-1, 2, 1, 0], &[1, 0, 3, 1]], "0.8", &["3/5", "1/9", "3/2", "1/2"]);
    let wide = form(&[&[2, 1, 0], &[0, 3, 1], &[1, 0, 4]], "1000", &["1/7", "0", "-7.5"]);
    for (form, v, want) in WANTED.iter().map(|(n, v, want)| ([&two, &three, &flat, &wide][*n], v, want)) {
        let law = form.law().unwrap();
        let (mass, ln) = (law.mass(v), law.ln_mass(v));
        assert!((mass / want - 1.0).abs() < 4.5e-16, "{v:?} {mass:e} {want:e}");
        assert!((ln - want.ln()).abs() < 4e-15 * (1.0 + want.ln().abs()), "{v:?} {ln}");
    }
}

/// The lattice's sum and the dual's are one number, for forms where both are short.
#[test]
fn both_sums_agree() {
    let d4: [&[i64]; 4] = [&[1, 1, 0, 0], &[1, -1, 0, 0], &[0, 1, -1, 0], &[0, 0, 1, -1]];
    for form in [
        form(&[&[2, 1], &[0, 3]], "2", &["1/3", "-9/5"]),
        form(&[&[5]], "2", &["7/3"]),
        form(&[&[2, 1, 0, 0], &[-1, 2, 1, 0], &[1, 0, 3, 1]], "0.8", &["3/5", "1/9", "3/2", "1/2"]),
        form(&d4, "0.55", &["0", "1/2", "1/3", "5"]),
        Form::gram(&"12 6\n6 15".parse().unwrap(), q("3/2")).unwrap().with_center(&[q("1/3"), q("2/7")]).unwrap(),
        Form::ellipsoid(&Matrix::new(&[[2, 1], [0, 3]]).unwrap(), &"3 1\n1 2".parse().unwrap()).unwrap(),
        form(&[&[2, 1], &[0, 3]], "2", &["1/3", "-9/5"]).coset(&[1, 1]).unwrap(),
    ] {
        let [own, dual] = both(&form);
        let mut v = vec![0; form.columns()];
        form.sample(
            &mut samplez::BitReader::new(samplez_sources::ChaCha20::new(&samplez::Seed::from_number(1))),
            &mut v,
        )
        .unwrap();
        assert!(own.factor.is_none() && dual.factor.is_some());
        let (a, b) = (own.mass(&v), dual.mass(&v));
        assert!(a > 0.0 && (a / b - 1.0).abs() < 4.5e-16, "{a:e} {b:e}");
        assert!((own.ln_mass(&v) - a.ln()).abs() < 1e-14 && (dual.ln_mass(&v) - a.ln()).abs() < 1e-14);
        v[0] += 1;
        let is_vector = form.coordinates(&v).is_some();
        assert_eq!(own.mass(&v) > 0.0, is_vector);
    }
}

/// Theta series: of D4 1, 24, 24, 96, of E8 1, 240, 2160, 6720 vectors, and their masses add up to 1.
#[test]
fn shells_have_the_theta_series() {
    let d4: [&[i64]; 4] = [&[1, 1, 0, 0], &[1, -1, 0, 0], &[0, 1, -1, 0], &[0, 0, 1, -1]];
    let e8: [&[i64]; 8] = [
        &[4, 0, 0, 0, 0, 0, 0, 0],
        &[-2, 2, 0, 0, 0, 0, 0, 0],
        &[0, -2, 2, 0, 0, 0, 0, 0],
        &[0, 0, -2, 2, 0, 0, 0, 0],
        &[0, 0, 0, -2, 2, 0, 0, 0],
        &[0, 0, 0, 0, -2, 2, 0, 0],
        &[0, 0, 0, 0, 0, -2, 2, 0],
        &[1, 1, 1, 1, 1, 1, 1, 1],
    ];
    for (rows, sigma, step, series) in
        [(&d4[..], "1/2", 2, [1, 24, 24, 96, 24, 144]), (&e8[..], "3/5", 8, [1, 240, 2160, 6720, 17_520, 30_240])]
    {
        let shells = form(rows, sigma, &vec!["0"; rows.len()]).law().unwrap().shells().unwrap();
        for (k, (shell, vectors)) in shells.iter().zip(series).enumerate() {
            assert_eq!((shell.distance, shell.vectors), (Rational::from(k as i64 * step), vectors), "{sigma}");
        }
        let sum: f64 = shells.iter().map(|shell| shell.mass).sum();
        assert!((sum - 1.0).abs() < 1e-14, "{sum}");
    }
    // Around a point, with a Gram matrix: the form defines the distances.
    let gram = Form::gram(&"3 1\n1 2".parse().unwrap(), q("2")).unwrap().with_center(&["1/2", "0"].map(q)).unwrap();
    let shells = gram.law().unwrap().shells().unwrap();
    assert_eq!((shells[0].distance, shells[0].vectors), (q("3/4"), 2));
    let flat = form(&[&[1, 1, 0]], "2", &["1", "0", "5"]).law().unwrap().shells().unwrap();
    assert_eq!((flat[0].distance, flat[0].vectors), (q("1/2"), 2));
}

#[test]
fn far_vectors_and_large_forms() {
    let law = form(&[&[1, 0], &[0, 1]], "1", &["0", "0"]).law().unwrap();
    assert_eq!(law.mass(&[60, 0]), 0.0);
    assert!((law.ln_mass(&[60, 0]) - law.ln_mass(&[0, 0]) + 1800.0).abs() < 1e-10);
    assert!(law.mass(&[38, 0]) > 0.0 && law.mass(&[38, 0]) < 1e-313);
    let wide = form(&[&[1, 0], &[0, 1]], "1e6", &["0", "0"]).law().unwrap();
    let message = wide.shells().unwrap_err().to_string();
    assert_eq!(message, "sigma = 1000000: expected a smaller sigma: more than 262144 vectors are near the center");
    let unit = |n: usize| -> Matrix {
        let rows: Vec<Vec<i64>> = (0..n).map(|i| (0..n).map(|j| i64::from(i == j)).collect()).collect();
        Matrix::new(&rows).unwrap()
    };
    let message = |n: usize, sigma: &str| Form::basis(&unit(n), q(sigma)).unwrap().law().err().unwrap().to_string();
    assert_eq!(message(33, "2"), "rank = 33: expected a rank up to 32 for probabilities");
    assert!(message(24, "2/5").starts_with("rank = 24: expected a form whose sums"));
}
