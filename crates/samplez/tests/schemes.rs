//! The noise that schemes demand, and the vectors of `kat/schemes.csv` by the public interface alone.

use samplez::schemes;
use samplez::{Exactness, Method, Seed, Timing};
use samplez_schemes::{bliss, lp11, regev};
use samplez_sources::ChaCha20;
use sha2::{Digest, Sha256};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sums<const N: usize>(parts: [&[u8]; N]) -> [String; N] {
    parts.map(|bytes| hex(&Sha256::digest(bytes)))
}

fn rng(seed: &str) -> ChaCha20 {
    ChaCha20::new(&seed.parse::<Seed>().unwrap())
}

#[test]
fn the_vectors_come_out() {
    let text = include_str!("../../../kat/schemes.csv");
    let mut counts = [0; 3];
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [scheme, set, variant, profile, signer, noise, key_seed, seed, message, public, secret, output, decrypted] =
            fields[..]
        else {
            panic!("13 fields: {line}");
        };
        let message: Vec<u8> =
            (0..message.len() / 2).map(|i| u8::from_str_radix(&message[2 * i..2 * i + 2], 16).unwrap()).collect();
        let (mut key_rng, mut rng) = (rng(key_seed), rng(seed));
        let want = [public, secret, output];
        match scheme {
            "bliss" => {
                let set: bliss::Set = set.parse().unwrap();
                let profile: bliss::Profile = profile.parse().unwrap();
                let built = schemes::noise(&set.demand(), noise).unwrap();
                let key = bliss::SigningKey::generate(set, variant.parse().unwrap(), &mut key_rng).unwrap();
                let signature = match signer {
                    "plain" => bliss::Signer::new(&key, profile, built.sampler()).unwrap().sign(&message, &mut rng),
                    "isochronous" => {
                        bliss::IsochronousSigner::new(&key, profile, built.sampler()).unwrap().sign(&message, &mut rng)
                    }
                    other => panic!("signer {other}"),
                };
                let (signature, _) = signature.unwrap();
                key.public_key().verify(profile, &message, &signature).unwrap();
                let (public, secret) = (key.public_key().to_bytes(profile).unwrap(), key.to_bytes(profile).unwrap());
                let signature = signature.to_bytes(profile).unwrap();
                assert_eq!(sums([&public, &secret, &signature]), want, "{line}");
                let read = bliss::SigningKey::from_bytes(profile, &secret).unwrap();
                assert_eq!(read.public_key(), key.public_key());
                counts[0] += 1;
            }
            "lp11" => {
                let set: lp11::Set = set.parse().unwrap();
                let built = schemes::noise(&set.demand(), noise).unwrap();
                let (public, secret) = lp11::generate(set, built.sampler(), &mut key_rng).unwrap();
                let ciphertext = public.encrypt(built.sampler(), &message, &mut rng).unwrap();
                assert_eq!(sums([&public.to_bytes(), &secret.to_bytes(), &ciphertext]), want, "{line}");
                assert_eq!(hex(&secret.decrypt(&ciphertext).unwrap()), decrypted);
                counts[1] += 1;
            }
            "regev" => {
                let set: regev::Set = set.parse().unwrap();
                let built = schemes::noise(&set.parameters().demand(), noise).unwrap();
                let (public, secret) = regev::generate(set, built.sampler(), &mut key_rng).unwrap();
                let ciphertext = public.encrypt(&message, &mut rng).unwrap();
                assert_eq!(sums([&public.to_bytes(), &secret.to_bytes(), &ciphertext]), want, "{line}");
                assert_eq!(hex(&secret.decrypt(&ciphertext).unwrap()), decrypted);
                counts[2] += 1;
            }
            other => panic!("scheme {other}"),
        }
    }
    assert!(counts[0] >= 45 && counts[1] >= 6 && counts[2] >= 3, "{counts:?}");
}

/// Of every set there is a default: leaks nothing by its timing, meets the demand, and a step down the ladder does not.
#[test]
fn the_default_noise_is_no_better_than_it_must_be() {
    let bliss = bliss::Set::ALL.map(|set| set.demand());
    let encryption =
        lp11::Set::ALL.map(|set| set.demand()).into_iter().chain(regev::Set::ALL.map(|set| set.parameters().demand()));
    for demand in bliss.into_iter().chain(encryption) {
        let built = schemes::noise(&demand, "").unwrap();
        assert_ne!(built.profile().timing, Timing::Variable, "{demand}");
        demand.check(built.sampler()).unwrap();
        let precision = built.options().precision.unwrap();
        println!("{demand}: {}", built.recipe());
        let step = schemes::PRECISIONS.iter().position(|bits| *bits == precision).unwrap();
        if step > 0 {
            let less = format!("method={},precision={}", built.method().unwrap(), schemes::PRECISIONS[step - 1]);
            let refused = schemes::noise(&demand, &less).unwrap_err();
            assert_eq!(refused.argument(), "precision", "{refused}");
        }
        assert_eq!(schemes::noise(&demand, &built.recipe().to_string()).unwrap().recipe(), built.recipe());
    }
}

#[test]
fn what_is_said_is_honoured_or_refused_by_its_name() {
    let demand = bliss::Set::I.demand();
    let built = |said| schemes::noise(&demand, said);
    assert!(built("exact=true").unwrap().profile().exactness.is_exact());
    assert_eq!(built("method=cdt").unwrap().recipe().to_string(), "k_sigma2=254,method=cdt,precision=72");
    assert_eq!(built("variable_time=true").unwrap().method(), Some(Method::CdtGuided));
    assert_eq!(built("k_sigma2=254,method=du-wei-5").unwrap().method(), Some(Method::DuWei5));
    match built("precision=200").unwrap().profile().exactness {
        Exactness::Within(bound) => assert!(bound.log2_sd < -180.0),
        Exactness::Exact => panic!("a table"),
    }
    for (said, argument, value, allowed) in [
        ("sigma=215", "sigma", "215", "the scheme's distribution is D_Z(sigma = 254 sqrt(1/(2 ln 2)), center = 0)"),
        ("center=1", "center", "1", "the scheme's distribution is"),
        (
            "method=cdt,precision=40",
            "precision",
            "40",
            "must keep 126 of 128 bits of a search problem for 2^59 samples",
        ),
        ("precision=32", "precision", "32", "must keep 126 of 128 bits"),
        ("method=cks", "k_sigma2", "254", "method cks allows"),
        ("method=cdt,constant_time=true", "constant_time", "true", "cdt is of variable timing"),
        ("method=dice", "method", "dice", "expected one of"),
        ("colour=red", "colour", "red", "expected one of"),
        ("method=cdt,method=cdt", "method", "cdt", "given twice"),
    ] {
        let refused = built(said).unwrap_err();
        assert_eq!((refused.argument(), refused.value()), (argument, value), "{refused}");
        assert!(refused.allowed().contains(allowed), "{refused}");
    }
    // A method without a precision whose law is too far off is refused by its own name.
    let law = "sigma=10".parse::<samplez::Recipe>().unwrap().gaussian().unwrap();
    let demand = samplez_schemes::Demand::new(law, samplez_schemes::Problem::Decision);
    let refused = schemes::noise(&demand, "method=isochronous").unwrap_err();
    assert_eq!((refused.argument(), refused.value()), ("method", "isochronous"), "{refused}");
    // A demand that makes no sense is refused by its own name.
    let refused = schemes::noise(&samplez_schemes::Demand { target: 1_000_000_000, ..demand }, "").unwrap_err();
    assert_eq!((refused.argument(), refused.value()), ("target", "1000000000"), "{refused}");
}
