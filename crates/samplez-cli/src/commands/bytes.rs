//! `samplez bytes`.

use crate::args::Bytes;
use crate::failure::Failure;
use crate::output::Output;
use crate::seeds;
use samplez_sources::Generator;
use std::io::{IsTerminal, stdout};
use std::process::ExitCode;

/// Bytes that are asked for and written at a time.
const CHUNK: usize = 1 << 16;

pub(crate) fn run(args: &Bytes) -> Result<ExitCode, Failure> {
    if stdout().is_terminal() {
        return Err(Failure::Input("bytes are not for a terminal: redirect the output".into()));
    }
    let written = write(generator(args)?, args.count);
    match written {
        // An endless stream ends when its reader has enough.
        Err(Failure::ClosedPipe) if args.count.is_none() => Ok(ExitCode::SUCCESS),
        written => written.map(|()| ExitCode::SUCCESS),
    }
}

/// The generator that the arguments describe.
fn generator(args: &Bytes) -> Result<Generator, Failure> {
    let Some(entropy) = &args.entropy else {
        return args.source.open(&args.seed.seed(args.source)?).map_err(|error| Failure::System(error.to_string()));
    };
    if args.seed.is_given() {
        return Err(Failure::Input("--entropy: cannot be used with --seed or --seed-from; remove one of them".into()));
    }
    let input = |name: &str, text: &Option<String>| seeds::hex(name, text.as_deref().unwrap_or_default());
    let nonce = input("--nonce", &args.nonce)?;
    let personalization = input("--personalization", &args.personalization)?;
    match args.source.instantiate(&seeds::hex("--entropy", entropy)?, &nonce, &personalization) {
        Some(generator) => generator.map_err(|error| Failure::Input(error.to_string())),
        None => Err(Failure::Input(format!(
            "--entropy: the source {} is not a DRBG; remove --entropy and --nonce",
            args.source
        ))),
    }
}

fn write(mut generator: Generator, count: Option<u64>) -> Result<(), Failure> {
    let mut output = Output::data(false);
    output.expect(count.unwrap_or(0).into())?;
    let mut buffer = vec![0; CHUNK];
    let mut left = count;
    while left != Some(0) {
        let part = &mut buffer[..left.map_or(CHUNK, |left| left.min(CHUNK as u64) as usize)];
        generator.try_fill_bytes(part).map_err(|error| Failure::System(error.to_string()))?;
        output.write(part)?;
        left = left.map(|left| left - part.len() as u64);
    }
    output.finish()
}
