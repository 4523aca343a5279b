//! `kat/schemes.csv`: keys, signatures and ciphertexts of every scheme under fixed seeds. The same bytes must come out in every language.

use samplez::schemes;
use samplez::{Built, Seed};
use samplez_schemes::{bliss, lp11, regev};
use samplez_sources::ChaCha20;
use sha2::{Digest, Sha256};
use std::error::Error;

const HEADER: &str =
    "scheme,set,variant,profile,signer,noise,key_seed,seed,message,public_key,secret_key,output,decrypted";

/// Of the key, and of what is done with it.
const KEY_SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const SEED: &str = "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f";

/// What most of them are made with: signatures, those of the signer without a timing leak, and ciphertexts.
const SEARCH: &str = "method=cdt-guided&precision=72";
const CONSTANT: &str = "method=cdt-lazy-ct&precision=72";
const DECISION: &str = "method=cdt-guided&precision=192";
/// Other noise for one set of each scheme.
const OTHERS: [&str; 7] = [
    "method=cdt-lazy-ct&precision=72",
    "method=du-wei-5",
    "method=cdt-ct&precision=72",
    "method=knuth-yao-compact&precision=72",
    "method=bernoulli&precision=72",
    "method=knuth-yao&precision=96",
    "method=ziggurat&precision=72",
];
const OTHERS_OF_DECISIONS: [&str; 3] =
    ["method=cdt-lazy-ct&precision=192", "method=cdt-ct&precision=192", "method=knuth-yao-compact&precision=192"];

type Line = Result<String, Box<dyn Error>>;

fn generator(seed: &str) -> Result<ChaCha20, Box<dyn Error>> {
    Ok(ChaCha20::new(&seed.parse::<Seed>()?))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sum(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// So many bytes, all different.
fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (37 * i + 11) as u8).collect()
}

fn bliss_line(signer: &str, set: bliss::Set, variant: bliss::Variant, profile: bliss::Profile, noise: &str) -> Line {
    let built = schemes::noise(&set.demand(), noise)?;
    let key = bliss::SigningKey::generate(set, variant, &mut generator(KEY_SEED)?)?;
    let message = message(set as usize * 25);
    let mut rng = generator(SEED)?;
    let (signature, _) = match signer {
        "plain" => bliss::Signer::new(&key, profile, built.sampler())?.sign(&message, &mut rng)?,
        _ => bliss::IsochronousSigner::new(&key, profile, built.sampler())?.sign(&message, &mut rng)?,
    };
    key.public_key().verify(profile, &message, &signature)?;
    let sums =
        [sum(&key.public_key().to_bytes(profile)?), sum(&key.to_bytes(profile)?), sum(&signature.to_bytes(profile)?)];
    let (variant, profile) = (variant.name(), profile.name());
    let head = format!("bliss,{set},{variant},{profile},{signer},{noise},{KEY_SEED},{SEED}");
    Ok(format!("{head},{},{},", hex(&message), sums.join(",")))
}

fn bliss_lines() -> Vec<Line> {
    use bliss::{Profile, Set, Variant};
    let all = [Profile::Sri, Profile::Hila].into_iter();
    let confirmed = Profile::Strongswan;
    let profiles: Vec<Profile> = [confirmed].into_iter().chain(all).collect();
    let mut lines = Vec::new();
    for set in Set::ALL {
        for variant in [Variant::Classic, Variant::B] {
            let supported = profiles.iter().filter(|profile| profile.supports(set).is_ok());
            lines.extend(supported.map(|profile| bliss_line("plain", set, variant, *profile, SEARCH)));
        }
    }
    let others = Profile::ALL.into_iter().filter(|profile| !profiles.contains(profile));
    lines.extend(others.map(|profile| bliss_line("plain", Set::I, Variant::B, profile, SEARCH)));
    lines.extend(OTHERS.map(|noise| bliss_line("plain", Set::II, Variant::B, confirmed, noise)));
    for set in Set::ALL {
        let profile = if set == Set::Toy { Profile::Hila } else { confirmed };
        lines.extend(
            [Variant::Classic, Variant::B].map(|variant| bliss_line("isochronous", set, variant, profile, CONSTANT)),
        );
    }
    lines.extend(
        [Profile::Sri, Profile::Hila].map(|profile| bliss_line("isochronous", Set::I, Variant::B, profile, CONSTANT)),
    );
    lines
}

fn encryption(scheme: &str, set: &str, noise: &str, message: &[u8], results: [&[u8]; 3], decrypted: &[u8]) -> String {
    let head = format!("{scheme},{set},,,,{noise},{KEY_SEED},{SEED}");
    format!("{head},{},{},{}", hex(message), results.map(sum).join(","), hex(decrypted))
}

fn lp11_line(set: lp11::Set, noise: &str) -> Line {
    let built: Built = schemes::noise(&set.demand(), noise)?;
    let (public, secret) = lp11::generate(set, built.sampler(), &mut generator(KEY_SEED)?)?;
    let message = message(40);
    let ciphertext = public.encrypt(built.sampler(), &message, &mut generator(SEED)?)?;
    let results: [&[u8]; 3] = [&public.to_bytes(), &secret.to_bytes(), &ciphertext];
    Ok(encryption("lp11", &set.to_string(), noise, &message, results, &secret.decrypt(&ciphertext)?))
}

fn regev_line(set: regev::Set, noise: &str) -> Line {
    let built = schemes::noise(&set.parameters().demand(), noise)?;
    let (public, secret) = regev::generate(set, built.sampler(), &mut generator(KEY_SEED)?)?;
    let message = message(60);
    let ciphertext = public.encrypt(&message, &mut generator(SEED)?)?;
    let results: [&[u8]; 3] = [&public.to_bytes(), &secret.to_bytes(), &ciphertext];
    Ok(encryption("regev", &set.to_string(), noise, &message, results, &secret.decrypt(&ciphertext)?))
}

/// The text of kat/schemes.csv as the code of today makes it. Of Regev's sets there are the two whose keys take less than a second.
pub(crate) fn generate() -> Line {
    let mut lines = bliss_lines();
    lines.extend(lp11::Set::ALL.map(|set| lp11_line(set, DECISION)));
    lines.extend(OTHERS_OF_DECISIONS.map(|noise| lp11_line(lp11::Set::Ring256, noise)));
    lines.extend([regev::Set::Mr09N136, regev::Set::Mr09N192].map(|set| regev_line(set, DECISION)));
    lines.extend(OTHERS_OF_DECISIONS.map(|noise| regev_line(regev::Set::Mr09N136, noise)));
    let lines: Vec<String> = lines.into_iter().collect::<Result<_, _>>()?;
    Ok(format!("{HEADER}\n{}\n", lines.join("\n")))
}
