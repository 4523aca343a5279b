//! `samplez scheme lp11` and its like: keygen, encrypt, decrypt.

use super::cipher::Cipher;
use super::files::{KeyFiles, binary, failed, message, one_standard_input, read, read_secret, read_short};
use super::randomness::{generator, noise, tell};
use crate::args::{Decrypt, Encrypt, Encryption, Keygen};
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::output::Output;
use samplez::Built;
use std::process::ExitCode;

pub(super) fn run<C: Cipher>(args: &Encryption) -> Result<ExitCode, Failure> {
    match args {
        Encryption::Keygen(args) => keygen::<C>(args),
        Encryption::Encrypt(args) => encrypt::<C>(args),
        Encryption::Decrypt(args) => decrypt::<C>(args),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn keygen<C: Cipher>(args: &Keygen) -> Result<(), Failure> {
    let refused = |error| failed("--set", error);
    let set: C::Set = args.set.parse().map_err(refused)?;
    let noise = noise(&C::demand(set), &args.noise)?;
    let files = KeyFiles::open(&args.keys)?;
    let mut rng = generator(&args.random)?;
    let (public, secret) = C::generate(set, noise.sampler(), &mut rng).map_err(refused)?;
    let (public, secret) = (C::public_bytes(&public), C::secret_bytes(&secret));
    files.write(&secret, &public)?;
    let sizes = format!("{} bytes public, {} secret", grouped(public.len() as i128), grouped(secret.len() as i128));
    tell(&args.random, format_args!("{} {set} key, {sizes}", C::NAME), Some(&noise));
    Ok(())
}

fn encrypt<C: Cipher>(args: &Encrypt) -> Result<(), Failure> {
    one_standard_input(&[&args.file, &args.public])?;
    let public = read_short(&args.public)?;
    let key = C::read_public(&public.bytes).map_err(|error| failed(&public.name, error))?;
    let noise = match C::ciphertext_demand(&key) {
        Some(demand) => Some(noise(&demand, &args.noise)?),
        None if args.noise.is_empty() => None,
        None => {
            let why = format!("{}'s ciphertexts use no noise, only its keys do: remove method and options", C::NAME);
            return Err(Failure::Input(why));
        }
    };
    let message = read(&args.file)?;
    let mut output = binary(Output::named(args.out.as_ref()), "a ciphertext", args.random.quiet)?;
    let mut rng = generator(&args.random)?;
    let encrypted = C::encrypt(&key, noise.as_ref().map(Built::sampler), &message.bytes, &mut rng);
    let ciphertext = encrypted.map_err(|error| failed(&message.name, error))?;
    output.write(&ciphertext)?;
    output.finish()?;
    let sizes = format!("{} bytes of {}", grouped(ciphertext.len() as i128), grouped(message.bytes.len() as i128));
    tell(&args.random, format_args!("{} {} ciphertext, {sizes}", C::NAME, C::described(&key)), noise.as_ref());
    Ok(())
}

fn decrypt<C: Cipher>(args: &Decrypt) -> Result<(), Failure> {
    one_standard_input(&[&args.file, &args.secret])?;
    let secret = read_secret(&args.secret)?;
    let key = C::read_secret(&secret.bytes).map_err(|error| failed(&secret.name, error))?;
    let ciphertext = read(&args.file)?;
    let decrypted = C::decrypt(&key, &ciphertext.bytes).map_err(|error| failed(&ciphertext.name, error))?;
    let mut output = message(Output::named(args.out.as_ref()), &decrypted)?;
    output.write(&decrypted)?;
    output.finish()
}
