//! Files of schemes: keys, messages, signatures and ciphertexts, whole in memory.

use crate::args::NewKeys;
use crate::failure::Failure;
use crate::input;
use crate::output::{Output, Readers};
use samplez_schemes::Error;
use std::io::{IsTerminal, Read, stdout};
use std::path::Path;
use zeroize::Zeroizing;

/// More than any key and any signature here has, in bytes.
const KEY_LIMIT: u64 = 1 << 25;
/// More than any secret key has.
const SECRET_LIMIT: u64 = 1 << 20;

/// What a file holds, with its name for messages.
pub(super) struct Content<B> {
    pub(super) name: String,
    pub(super) bytes: B,
}

/// A message or a ciphertext, of any length.
pub(super) fn read(path: &Path) -> Result<Content<Vec<u8>>, Failure> {
    let mut opened = input::open(path)?;
    let mut bytes = Vec::new();
    let read = opened.stream.read_to_end(&mut bytes);
    read.map_err(|error| Failure::input(&opened.name, format_args!("cannot read: {error}")))?;
    Ok(Content { name: opened.name, bytes })
}

/// What is never long: a public key, a signature, a certificate.
pub(super) fn read_short(path: &Path) -> Result<Content<Vec<u8>>, Failure> {
    let mut bytes = Vec::new();
    let name = read_up_to(path, KEY_LIMIT, &mut bytes)?;
    Ok(Content { name, bytes })
}

/// A secret key; it is erased.
pub(super) fn read_secret(path: &Path) -> Result<Content<Zeroizing<Vec<u8>>>, Failure> {
    // All of it at once, so that no secret stays where it grew.
    let mut bytes = Zeroizing::new(Vec::with_capacity(SECRET_LIMIT as usize + 64));
    let name = read_up_to(path, SECRET_LIMIT, &mut bytes)?;
    Ok(Content { name, bytes })
}

fn read_up_to(path: &Path, limit: u64, bytes: &mut Vec<u8>) -> Result<String, Failure> {
    let opened = input::open(path)?;
    let read = opened.stream.take(limit + 1).read_to_end(bytes);
    match read {
        Err(error) => Err(Failure::input(&opened.name, format_args!("cannot read: {error}"))),
        Ok(length) if length as u64 > limit => Err(Failure::input(
            &opened.name,
            format_args!("is longer than {limit} bytes, the maximum for a key or a signature"),
        )),
        Ok(_) => Ok(opened.name),
    }
}

/// Standard input is one file, and can be read once.
pub(super) fn one_standard_input(paths: &[&Path]) -> Result<(), Failure> {
    let count = paths.iter().filter(|path| **path == Path::new("-")).count();
    if count > 1 { Err(Failure::input("-", "standard input can be read only once: name a file")) } else { Ok(()) }
}

/// The file, or standard output, which must not be a terminal.
pub(super) fn binary(out: Option<&Path>, what: &str, quiet: bool) -> Result<Output, Failure> {
    match out {
        Some(path) => Output::file(path, quiet),
        None => binary_stdout(what, "--out"),
    }
}

fn binary_stdout(what: &str, argument: &str) -> Result<Output, Failure> {
    if stdout().is_terminal() {
        let why = format!("{what} is not for a terminal: add {argument} or redirect the output");
        return Err(Failure::Input(why));
    }
    Ok(Output::data(false))
}

/// The file, or standard output; a terminal gets nothing but text.
pub(super) fn message(out: Option<&Path>, message: &[u8]) -> Result<Output, Failure> {
    let is_text =
        std::str::from_utf8(message).is_ok_and(|text| !text.chars().any(|c| c.is_control() && !"\n\t".contains(c)));
    if is_text && out.is_none() { Ok(Output::data(false)) } else { binary(out, "a message that is not text", false) }
}

/// Where a new pair of keys will be.
pub(super) struct KeyFiles {
    secret: Output,
    public: Output,
}

impl KeyFiles {
    /// Opens both before a key is made.
    pub(super) fn open(args: &NewKeys) -> Result<KeyFiles, Failure> {
        let is_stdout = |path: &Path| path == Path::new("-");
        let public = args.public.as_deref().filter(|path| !is_stdout(path));
        if is_stdout(&args.secret) && public.is_none() {
            return Err(Failure::input(
                "--secret -",
                "standard output is in use for the public key: add --public FILE",
            ));
        }
        if public == Some(&args.secret) {
            return Err(Failure::input("--public", "must not be the file of --secret"));
        }
        let secret = match &*args.secret {
            path if is_stdout(path) => binary_stdout("a secret key", "--secret FILE"),
            path => Output::new_file(path, Readers::Owner),
        }?;
        let public = match public {
            Some(path) => Output::new_file(path, Readers::Any),
            None => binary_stdout("a public key", "--public FILE"),
        }?;
        Ok(KeyFiles { secret, public })
    }

    /// Writes both, or neither.
    pub(super) fn write(mut self, secret: &[u8], public: &[u8]) -> Result<(), Failure> {
        self.secret.write(secret)?;
        self.public.write(public)?;
        Output::finish_both(self.public, self.secret)
    }
}

/// What a scheme refuses: malformed bytes by the file that they are from, arguments as they are spelled here.
pub(super) fn failed(file: &str, error: Error) -> Failure {
    match error {
        Error::Refused { argument: "noise", value, allowed } => {
            Failure::Input(format!("the noise, {value}: {allowed}"))
        }
        Error::Refused { argument, value, allowed } => Failure::Input(format!("--{argument} = {value}: {allowed}")),
        Error::Generator(fault) => Failure::System(fault.to_string()),
        error => Failure::input(file, error),
    }
}
