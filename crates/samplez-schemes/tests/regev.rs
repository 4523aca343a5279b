//! Regev: messages come back but for what fails, letters fail as often as they should, malformed bytes are errors.

use rand_core::{CryptoRng, Rng};
use samplez_core::samplers::CdtGuided;
use samplez_core::{DiscreteGaussian, Rational, Width};
use samplez_schemes::Error;
use samplez_schemes::regev::{self, Parameters, PublicKey, SecretKey, Set, Shape};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtGuidedOptions, CdtOptions, build_guided};

fn rng(number: u8) -> ChaCha20 {
    ChaCha20::new(&Seed::from_bytes([number; 32]))
}

fn noise(law: DiscreteGaussian, precision: u32) -> CdtGuided<Vec<u32>, Vec<u32>> {
    let cdt = CdtOptions { precision, ..CdtOptions::default() };
    let options = CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() };
    CdtGuided::from_table(build_guided(&law, &options).unwrap())
}

fn keys(parameters: impl Into<Parameters>, rng: &mut impl CryptoRng) -> (PublicKey, SecretKey) {
    let parameters = parameters.into();
    regev::generate(parameters, &noise(parameters.demand().law, 160), rng).unwrap()
}

/// Small, and of several bits a letter; letters fail with 5e-10.
fn small() -> Parameters {
    let law = DiscreteGaussian::with_sigma(Rational::new(3, 2).unwrap()).unwrap();
    Parameters::new(Shape::new(20, 13, 12_289, 2, 11), law).unwrap()
}

#[test]
fn messages_of_every_length_come_back() {
    let (parameters, mut rng) = (small(), rng(1));
    assert!(parameters.letter_error() < 1e-9);
    let (public, secret) = keys(parameters, &mut rng);
    for length in (0..20).chain([100, 1000]) {
        let message: Vec<u8> = (0..length).map(|i| (37 * i + 11) as u8).collect();
        let ciphertext = public.encrypt(&message, &mut rng).unwrap();
        assert_eq!(secret.decrypt(&ciphertext).as_ref(), Ok(&message));
    }
    assert_eq!(PublicKey::from_bytes(&public.to_bytes()).as_ref(), Ok(&public));
    let again = SecretKey::from_bytes(&secret.to_bytes()).unwrap();
    assert_eq!((again.to_bytes(), again.parameters()), (secret.to_bytes(), parameters));
    assert!(format!("{secret:?}").ends_with(", .. }") && !format!("{secret:?}").contains('['));
}

/// The number of wrong letters is within 5 standard deviations of the exact rate, 6e-7 for each set, and half as much again: the letters of
/// one column share its noise, whose length varies by a few per cent.
#[test]
fn letters_fail_at_the_exact_rate() {
    for (set, blocks) in Set::ALL.into_iter().zip([200, 200, 200, 200, 200, 60, 60]) {
        let (parameters, mut rng) = (set.parameters(), rng(100 + set as u8));
        let (public, secret) = keys(set, &mut rng);
        let (bits, letters) = (parameters.shape().t.ilog2() as usize, blocks * parameters.shape().l as usize);
        let mut message = vec![0; bits * letters / 8];
        rng.fill_bytes(&mut message);
        let ciphertext = public.encrypt(&message, &mut rng).unwrap();
        let read = secret.decrypt(&ciphertext).unwrap();
        let bit = |bytes: &[u8], i: usize| bytes[i / 8] >> (7 - i % 8) & 1;
        let wrong = (0..8 * message.len() / bits)
            .filter(|letter| (letter * bits..(letter + 1) * bits).any(|i| bit(&message, i) != bit(&read, i)))
            .count() as f64;
        let expected = letters as f64 * set.parameters().letter_error();
        println!("{set}: {wrong} of {letters} letters, {expected:.1} expected");
        // A wrong letter from 2^bits on may read as the right one modulo 2^bits; under t = 40 that has a chance below 1e-5.
        assert!((wrong - expected).abs() < 7.5 * expected.sqrt(), "{set}: {wrong} for {expected:.1}");
    }
}

/// Against kat/gen_regev.py, which convolves.
#[test]
fn letter_errors_are_those_of_the_convolution() {
    let mut named = 0;
    for line in include_str!("../../../kat/regev-letter-error.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |i: usize| fields[i].parse::<u32>().unwrap();
        let value: Rational = fields[7].parse().unwrap();
        let width = match fields[6] {
            "s" => Width::S(value),
            "sigma" => Width::Sigma(value),
            form => {
                assert_eq!(form, "sigma_squared");
                Width::SigmaSq(value)
            }
        };
        let shape = Shape { n: number(0), l: number(1), m: number(2), q: number(3), r: number(4), t: number(5) };
        let law = DiscreteGaussian::new(Rational::ZERO, width).unwrap();
        let parameters = Parameters::new(shape, law).unwrap();
        let (want, got) = (fields[8].parse::<f64>().unwrap(), parameters.letter_error());
        assert!((got - want).abs() < 1e-9 * want + 1e-12, "{line}: {got:e}");
        named += Set::ALL.iter().filter(|set| set.parameters() == parameters).count();
    }
    assert_eq!(named, Set::ALL.len());
}

#[test]
fn malformed_bytes_are_errors() {
    let mut rng = rng(50);
    for parameters in [small(), Set::Mr09N136.parameters()] {
        let (public, secret) = keys(parameters, &mut rng);
        let ciphertext = public.encrypt(&[5; 40], &mut rng).unwrap();
        let (public, secret_bytes) = (public.to_bytes(), secret.to_bytes());
        let own = public[0] == 255;
        for end in 0..ciphertext.len() {
            assert!(secret.decrypt(&ciphertext[..end]).is_err());
        }
        for end in (0..secret_bytes.len()).step_by(7) {
            let read = SecretKey::from_bytes(&secret_bytes[..end]).map(drop);
            assert!(read.is_err() && PublicKey::from_bytes(&public[..end]).is_err());
        }
        let longer = |bytes: &[u8]| [bytes, &[0]].concat();
        assert!(secret.decrypt(&longer(&ciphertext)).is_err());
        assert!(PublicKey::from_bytes(&longer(&public)).is_err());
        assert!(SecretKey::from_bytes(&longer(&secret_bytes)).is_err());
        // The set or the parameters, the length, a residue that is q or more.
        let head = if own { 30 } else { 1 };
        for (place, value) in [(0, 1), (0, 7), (0, 254), (head, 1), (head + 1, 255), (head + 3, 200), (head + 4, 255)] {
            let mut bytes = ciphertext.clone();
            bytes[place] = value;
            let residue = place == head + 4;
            if residue {
                bytes[place + 1] = 255;
            }
            let error = secret.decrypt(&bytes).unwrap_err();
            assert_eq!(error.to_string().contains("not below q"), residue, "{error}");
        }
        // Every byte of parameters of one's own: they are others then, or none. In a secret key, n and l tell its length.
        for place in (1..head).filter(|_| own) {
            for value in [0, 1, 127, 255].into_iter().filter(|value| *value != ciphertext[place]) {
                let [mut c, mut s] = [ciphertext.clone(), secret_bytes.to_vec()];
                (c[place], s[place]) = (value, value);
                assert!(secret.decrypt(&c).is_err(), "byte {place} = {value}");
                assert!(place > 4 || SecretKey::from_bytes(&s).is_err(), "byte {place} = {value}");
            }
        }
    }
}

/// A key of parameters that have a name, or of σ² where σ is rational, has one encoding.
#[test]
fn parameters_have_one_encoding() {
    let named = Set::Mr09N136.parameters();
    let mut bytes = vec![255];
    let Shape { n, l, m, q, r, t } = named.shape();
    [n, l, m, q, r, t].iter().for_each(|x| bytes.extend_from_slice(&(*x as u16).to_be_bytes()));
    bytes.push(3);
    bytes.extend_from_slice(&26_039_i64.to_be_bytes());
    bytes.extend_from_slice(&2000_u64.to_be_bytes());
    let why = |bytes: &[u8]| SecretKey::from_bytes(bytes).map(drop).unwrap_err().to_string();
    assert_eq!(why(&bytes), "malformed secret key: its parameters have another encoding");
    bytes[13..].fill(0);
    assert_eq!(why(&bytes), "malformed secret key: its parameters are not allowed");
    let squared = DiscreteGaussian::new(Rational::ZERO, Width::SigmaSq(Rational::new(9, 4).unwrap())).unwrap();
    let parameters = Parameters::new(small().shape(), squared).unwrap();
    assert_eq!(parameters.demand().law.width(), Width::Sigma(Rational::new(3, 2).unwrap()));
}

#[test]
fn what_is_not_allowed_is_refused_by_name() {
    let law = small().demand().law;
    let refused = |shape, law| match Parameters::new(shape, law) {
        Err(Error::Refused { argument, .. }) => argument,
        other => panic!("{other:?}"),
    };
    let good = small().shape();
    for (argument, shape) in [
        ("n", Shape { n: 0, ..good }),
        ("n", Shape { n: 1025, ..good }),
        ("l", Shape { l: 0, ..good }),
        ("l", Shape { l: u32::MAX, ..good }),
        ("m", Shape { m: good.m - 1, ..good }),
        ("m", Shape { m: 65_536, ..good }),
        ("q", Shape { q: 12_287, ..good }),
        ("q", Shape { q: 2, ..good }),
        ("q", Shape { q: 32_771, ..good }),
        ("q", Shape { q: 181 * 179, ..good }),
        ("r", Shape { r: 0, ..good }),
        ("r", Shape { r: 6145, ..good }),
        ("m", Shape { r: 6144, m: 60_000, ..good }),
        ("t", Shape { t: 1, ..good }),
        ("t", Shape { t: 6145, ..good }),
    ] {
        assert_eq!(refused(shape, law), argument, "{shape:?}");
    }
    let sigma = |center, sigma| DiscreteGaussian::new(center, Width::Sigma(sigma)).unwrap();
    let (third, half) = (Rational::new(1, 3).unwrap(), Rational::new(1, 2).unwrap());
    for law in [sigma(third, 3.into()), sigma(Rational::ZERO, half), sigma(Rational::ZERO, 12_289.into())] {
        assert_eq!(refused(good, law), "law");
    }
    for rate in [0.0, -1.0, f64::NAN, 0.6, 1e-11] {
        assert!(Parameters::for_letter_error(good, rate).unwrap_err().to_string().contains("between 1e-10 and 0.5"));
    }
}

#[test]
fn parameters_for_a_rate_reach_it_and_no_wider_noise_does() {
    for (shape, rate) in [(Shape::new(64, 64, 4093, 2, 4), 1e-3), (Shape::new(128, 128, 12_289, 1, 2), 1e-9)] {
        let parameters = Parameters::for_letter_error(shape, rate).unwrap();
        assert!(parameters.letter_error() <= rate);
        let s = parameters.demand().law.width().value();
        let wider = Rational::new(s.num() * (1000 / s.den() as i64) + 1, 1000).unwrap();
        let law = DiscreteGaussian::new(Rational::ZERO, Width::S(wider)).unwrap();
        assert!(Parameters::new(shape, law).unwrap().letter_error() > rate);
    }
}

#[test]
fn noise_that_is_too_coarse_or_of_another_law_is_refused() {
    let law = Set::Mr09N136.parameters().demand().law;
    let refused = |noise: &CdtGuided<_, _>| match regev::generate(Set::Mr09N136, noise, &mut rng(1)).map(drop) {
        Err(Error::Refused { argument: "noise", allowed, .. }) => allowed,
        other => panic!("{other:?}"),
    };
    assert!(refused(&noise(law, 64)).contains("keep 126 of 128 bits of a decision problem, and keeps 6"));
    assert!(regev::generate(Set::Mr09N136, &noise(law, 136), &mut rng(1)).is_ok());
    assert!(refused(&noise(small().demand().law, 160)).contains("its law must be D_Z(s = 13.0195, center = 0)"));
}
