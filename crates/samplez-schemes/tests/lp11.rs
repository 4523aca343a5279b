//! LP11: messages come back, bits fail as often as they should, malformed bytes are errors.

use rand_core::Rng;
use samplez_core::samplers::CdtGuided;
use samplez_schemes::Error;
use samplez_schemes::lp11::{self, PublicKey, SecretKey, Set};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtGuidedOptions, CdtOptions, build_guided};

fn rng(number: u8) -> ChaCha20 {
    ChaCha20::new(&Seed::from_bytes([number; 32]))
}

fn noise(set: Set, precision: u32) -> CdtGuided<Vec<u32>, Vec<u32>> {
    let cdt = CdtOptions { precision, ..CdtOptions::default() };
    let options = CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() };
    CdtGuided::from_table(build_guided(&set.demand().law, &options).unwrap())
}

/// Fixed seeds under which none of these few bits fails.
#[test]
fn messages_of_every_length_come_back() {
    for set in Set::ALL {
        let (noise, mut rng) = (noise(set, 192), rng(set as u8 + 1));
        let (public, secret) = lp11::generate(set, &noise, &mut rng).unwrap();
        for length in [0, 1, 15, 16, 17, 64, 100] {
            let message: Vec<u8> = (0..length).map(|i| (37 * i + 11) as u8).collect();
            let ciphertext = public.encrypt(&noise, &message, &mut rng).unwrap();
            assert_eq!(secret.decrypt(&ciphertext).as_ref(), Ok(&message), "{set}");
        }
        assert_eq!(PublicKey::from_bytes(&public.to_bytes()).as_ref(), Ok(&public));
        let again = SecretKey::from_bytes(&secret.to_bytes()).unwrap();
        assert_eq!(again.to_bytes(), secret.to_bytes());
        assert_eq!(format!("{secret:?}"), format!("SecretKey {{ set: {set:?}, .. }}"));
    }
}

/// The number of wrong bits is within 5 standard deviations of the exact rate, 6e-7 for each set. Errors of one
/// block share a key's noise; over 10 keys that is within the margin.
#[test]
fn bits_fail_at_the_exact_rate() {
    for (set, blocks) in [(Set::Matrix128, 400), (Set::Matrix256, 400), (Set::Ring256, 400), (Set::Ring512, 400)] {
        let (noise, mut rng) = (noise(set, 192), rng(100 + set as u8));
        let (mut wrong, mut count) = (0, 0);
        for _ in 0..10 {
            let (public, secret) = lp11::generate(set, &noise, &mut rng).unwrap();
            let mut message = vec![0; blocks * set.parameters().l / 8];
            rng.fill_bytes(&mut message);
            let ciphertext = public.encrypt(&noise, &message, &mut rng).unwrap();
            let read = secret.decrypt(&ciphertext).unwrap();
            wrong += message.iter().zip(&read).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
            count += 8 * message.len();
        }
        let expected = count as f64 * set.failure_rate();
        println!("{set}: {wrong} of {count} bits, {expected:.1} expected");
        assert!((f64::from(wrong) - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{set}: {wrong} for {expected:.1}");
    }
}

#[test]
fn malformed_bytes_are_errors() {
    for set in [Set::Matrix128, Set::Ring256] {
        let (noise, mut rng) = (noise(set, 192), rng(50));
        let (public, secret) = lp11::generate(set, &noise, &mut rng).unwrap();
        let ciphertext = public.encrypt(&noise, &[5; 40], &mut rng).unwrap();
        let (public, secret_bytes) = (public.to_bytes(), secret.to_bytes());
        for end in (0..ciphertext.len()).step_by(7) {
            assert!(secret.decrypt(&ciphertext[..end]).is_err());
        }
        for end in (0..secret_bytes.len()).step_by(11) {
            assert!(
                SecretKey::from_bytes(&secret_bytes[..end]).is_err() && PublicKey::from_bytes(&public[..end]).is_err()
            );
        }
        let longer = |bytes: &[u8]| [bytes, &[0]].concat();
        assert!(secret.decrypt(&longer(&ciphertext)).is_err());
        assert!(PublicKey::from_bytes(&longer(&public)).is_err());
        assert!(SecretKey::from_bytes(&longer(&secret_bytes)).is_err());
        // The set, the length, a residue that is q or more.
        for (place, value) in [(0, 1), (0, 6), (1, 1), (1, 255), (4, 200), (5, 255)] {
            let mut bytes = ciphertext.clone();
            bytes[place] = value;
            let residue = place == 5;
            if residue {
                bytes[6] = 255;
            }
            let error = secret.decrypt(&bytes).unwrap_err();
            assert_eq!(error.to_string().contains("not below q"), residue, "{error}");
        }
    }
}

#[test]
fn noise_that_is_too_coarse_is_refused() {
    let noise = noise(Set::Ring256, 64);
    match lp11::generate(Set::Ring256, &noise, &mut rng(1)).map(drop) {
        Err(Error::Refused { argument: "noise", allowed, .. }) => {
            assert!(allowed.contains("keep 126 of 128 bits of a decision problem, and keeps 61."), "{allowed}")
        }
        other => panic!("{other:?}"),
    }
    assert!(lp11::generate(Set::Ring256, &self::noise(Set::Ring256, 136), &mut rng(1)).is_ok());
}
