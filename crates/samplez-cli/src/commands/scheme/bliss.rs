//! `samplez scheme bliss`.

use super::files::{Content, KeyFiles, binary, failed, one_standard_input, read, read_secret, read_short};
use super::randomness::{generator, noise, tell};
use crate::args::{BlissKeygen, BlissSign, BlissVerify, SignerName, Signing};
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::output::Output;
use crate::report::{print_json, print_verdicts};
use samplez::{Method, Timing};
use samplez_schemes::Error;
use samplez_schemes::bliss::{Certificate, IsochronousSigner, Profile, PublicKey, Set, Signature, Signer, SigningKey};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

pub(super) fn run(args: &Signing) -> Result<ExitCode, Failure> {
    match args {
        Signing::Keygen(args) => keygen(args),
        Signing::Sign(args) => sign(args),
        Signing::Verify(args) => verify(args),
    }
}

fn keygen(args: &BlissKeygen) -> Result<ExitCode, Failure> {
    let refused = |error| failed("--set", error);
    let set: Set = args.set.parse().map_err(refused)?;
    let profile = args.profile.profile;
    profile.supports(set).map_err(refused)?;
    let files = KeyFiles::open(&args.keys)?;
    let mut rng = generator(&args.random)?;
    let key = SigningKey::generate(set, args.variant, &mut rng).map_err(refused)?;
    let secret = key.to_bytes(profile).map_err(refused)?;
    let public = key.public_key().to_bytes(profile).map_err(refused)?;
    files.write(&secret, &public)?;
    let sizes = format!("{} bytes public, {} secret", grouped(public.len() as i128), grouped(secret.len() as i128));
    tell(&args.random, format_args!("{} key, {sizes}", described(key.public_key(), profile)), None);
    Ok(ExitCode::SUCCESS)
}

fn sign(args: &BlissSign) -> Result<ExitCode, Failure> {
    one_standard_input(&[&args.file, &args.secret])?;
    let profile = args.profile.profile;
    let secret = read_secret(&args.secret)?;
    let refused = |error| failed(&secret.name, error);
    let key = SigningKey::from_bytes(profile, &secret.bytes).map_err(refused)?;
    let noise = noise(&key.public_key().set().demand(), &args.noise)?;
    if args.signer == SignerName::Isochronous && noise.profile().timing == Timing::Variable {
        let why = "its timing is variable, which this signer rejects: choose another method, or use --signer plain";
        return Err(Failure::input(&format!("--method {}", noise.method().map_or("auto", Method::name)), why));
    }
    let message = read(&args.file)?;
    let mut output = binary(Output::named(args.out.as_ref()), "a signature", args.random.quiet)?;
    let mut rng = generator(&args.random)?;
    let signed = match args.signer {
        SignerName::Isochronous => IsochronousSigner::new(&key, profile, noise.sampler())
            .and_then(|signer| signer.sign(&message.bytes, &mut rng)),
        SignerName::Plain => {
            Signer::new(&key, profile, noise.sampler()).and_then(|signer| signer.sign(&message.bytes, &mut rng))
        }
    };
    let (signature, attempts) = signed.map_err(refused)?;
    let bytes = signature.to_bytes(profile).map_err(refused)?;
    output.write(&bytes)?;
    output.finish()?;
    let plural = if attempts == 1 { "" } else { "s" };
    let what = described(key.public_key(), profile);
    tell(
        &args.random,
        format_args!("{what} signature, {} bytes, after {attempts} attempt{plural}", grouped(bytes.len() as i128)),
        Some(&noise),
    );
    Ok(ExitCode::SUCCESS)
}

fn verify(args: &BlissVerify) -> Result<ExitCode, Failure> {
    let verdict = match args {
        BlissVerify { file: Some(file), public: Some(public), signature: Some(signature), .. } => {
            one_standard_input(&[file, public, signature])?;
            file_verdict(args.profile.unwrap_or(Profile::Strongswan), file, public, signature)?
        }
        BlissVerify { certificate: Some(certificate), issuer: Some(issuer), .. } => {
            one_standard_input(&[certificate, issuer])?;
            certificate_verdict(args.profile, certificate, issuer)?
        }
        // The parser has seen to it.
        _ => {
            return Err(Failure::Input(
                "missing arguments: pass FILE, --public and --signature, or --certificate and --issuer".into(),
            ));
        }
    };
    let (text, code) = match &verdict {
        Ok(text) => (format!("valid: {text}\n"), 0),
        Err(text) => (format!("INVALID: {text}\n"), 1),
    };
    if args.json {
        let (Ok(what) | Err(what)) = verdict;
        print_json(&json!({ "valid": code == 0, "what": what }))?;
    } else {
        print_verdicts(&text)?;
    }
    Ok(ExitCode::from(code))
}

/// What is valid, or why not.
type Verdict = Result<String, String>;

fn file_verdict(profile: Profile, file: &Path, public: &Path, signature: &Path) -> Result<Verdict, Failure> {
    let public = read_short(public)?;
    let key = PublicKey::from_bytes(profile, &public.bytes).map_err(|error| failed(&public.name, error))?;
    profile.supports(key.set()).map_err(|error| failed(&public.name, error))?;
    let signature = read_short(signature)?;
    let message = read(file)?;
    let verified = Signature::from_bytes(profile, key.set(), &signature.bytes)
        .and_then(|signature| key.verify(profile, &message.bytes, &signature));
    Ok(match verified {
        Ok(()) => Ok(format!("{} is signed by {}, {}", message.name, public.name, described(&key, profile))),
        Err(Error::Invalid) => {
            Err(format!("{} is not a signature of {} by {}", signature.name, message.name, public.name))
        }
        Err(error) => Err(format!("{}: {error}", signature.name)),
    })
}

fn certificate_verdict(profile: Option<Profile>, certificate: &Path, issuer: &Path) -> Result<Verdict, Failure> {
    if let Some(profile @ (Profile::Sri | Profile::Hila)) = profile {
        let why = "has no certificates: leave it out, and the certificate names its profile";
        return Err(Failure::input(&format!("--profile {profile}"), why));
    }
    let Content { name: issuer_name, bytes } = read_short(issuer)?;
    let issuer = Certificate::from_der(&bytes).map_err(|error| failed(&issuer_name, error))?;
    let Content { name, bytes } = read_short(certificate)?;
    let certificate = match Certificate::from_der(&bytes) {
        Ok(certificate) => certificate,
        Err(error) => return Ok(Err(format!("{name}: {error}"))),
    };
    if let Some(profile) = profile.filter(|profile| *profile != certificate.profile) {
        let why = format!("{name} names the profile {}: leave --profile out", certificate.profile);
        return Err(Failure::input(&format!("--profile {profile}"), why));
    }
    Ok(match certificate.verify(&issuer) {
        Ok(()) => {
            let by = described(&issuer.public_key, certificate.profile);
            let key = &certificate.public_key;
            Ok(format!("{name} is signed by {issuer_name}, {by}; its own key is {} {}", key.variant(), key.set()))
        }
        Err(Error::Invalid) if certificate.issuer != issuer.subject => {
            Err(format!("{name} names another issuer than {issuer_name}"))
        }
        Err(Error::Invalid) => Err(format!("{name} is not signed by {issuer_name}")),
        Err(error) => Err(format!("{name}: {error}")),
    })
}

/// `BLISS-B IV, profile strongswan`.
fn described(key: &PublicKey, profile: Profile) -> String {
    format!("{} {}, profile {profile}", key.variant(), key.set())
}
