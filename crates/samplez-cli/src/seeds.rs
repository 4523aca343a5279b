//! Seeds, as the arguments ask for them.

use crate::failure::{Failure, complain};
use clap::Args;
use samplez::EntropyError;
use samplez::{Seed, Source};
use samplez_sources::{Device, EntropyFile, FileErrorKind, insecure_time_seed};
use std::path::PathBuf;

/// Where the seed comes from.
#[derive(Args)]
pub(crate) struct SeedArgs {
    /// The seed: 64 hexadecimal digits, or a number below 2^64 for results to reproduce, not for secrets. Other users of the
    /// machine can see the arguments of a running program [default: a random seed from the operating system]
    #[arg(long, value_name = "SEED", conflicts_with = "seed_from", allow_hyphen_values = true)]
    seed: Option<String>,
    /// The origin of the seed: os, dev-random, dev-urandom, file:PATH (its first 32 bytes), or insecure-time (the scrambled
    /// time, which an attacker can guess) [default: os]
    #[arg(long, value_name = "FROM", value_parser = SeedFrom::parse)]
    seed_from: Option<SeedFrom>,
    /// Continue at the beginning of the file after its last byte; for tests, with --seed-from file:PATH
    #[arg(long, requires = "seed_from")]
    repeat: bool,
}

/// The digits of a seed of 32 bytes: a shorter text is a short seed, which is no secret.
const HEX: usize = 64;
/// The argument that has `--repeat` beside it.
const FROM: &str = "--seed-from";

/// A place where seeds are.
#[derive(Clone, Debug, PartialEq)]
pub enum SeedFrom {
    /// The operating system.
    Os,
    /// /dev/random.
    DevRandom,
    /// /dev/urandom.
    DevUrandom,
    /// The scrambled time.
    InsecureTime,
    /// The first 32 bytes of a file.
    File(PathBuf),
}

impl SeedFrom {
    /// Parses the value of `--seed-from`.
    pub fn parse(text: &str) -> Result<SeedFrom, String> {
        match text {
            "os" => Ok(SeedFrom::Os),
            "dev-random" => Ok(SeedFrom::DevRandom),
            "dev-urandom" => Ok(SeedFrom::DevUrandom),
            "insecure-time" | "time" => Ok(SeedFrom::InsecureTime),
            _ => match text.strip_prefix("file:") {
                Some(path) if !path.is_empty() => Ok(SeedFrom::File(path.into())),
                _ => Err("allowed are os, dev-random, dev-urandom, insecure-time and file:PATH".to_string()),
            },
        }
    }

    /// The seed that is there now, as the argument of this name asks.
    fn seed(&self, argument: &str, repeat: bool) -> Result<Seed, Failure> {
        let seed = match self {
            SeedFrom::Os => Seed::from_os(),
            SeedFrom::DevRandom => Device::random().map_err(Into::into).and_then(|mut d| Seed::from_entropy(&mut d)),
            SeedFrom::DevUrandom => Device::urandom().map_err(Into::into).and_then(|mut d| Seed::from_entropy(&mut d)),
            SeedFrom::InsecureTime => Ok(insecure_time_seed().into_seed_insecurely()),
            SeedFrom::File(path) => EntropyFile::open(path).map_err(Into::into).and_then(|file| {
                let mut file = if repeat { file.repeating() } else { file };
                Seed::from_entropy(&mut file)
            }),
        };
        let seed = seed.map_err(|error| match (self, &error) {
            (SeedFrom::File(_), EntropyError::File(e)) if matches!(e.kind, FileErrorKind::End(1..)) => {
                let again = if argument == FROM { " (--repeat reads it again, for tests)" } else { "" };
                Failure::Input(format!("{argument} = file:{error}: a seed takes 32 bytes{again}"))
            }
            (SeedFrom::File(_), _) => Failure::Input(format!("{argument} = file:{error}")),
            _ => Failure::System(error.to_string()),
        })?;
        Seed::try_from(*seed.expose()).map_err(|dead| match self {
            SeedFrom::File(path) => Failure::input(&format!("{argument} = file:{}", path.display()), dead),
            _ => Failure::System(dead.to_string()),
        })
    }
}

impl SeedArgs {
    /// The seed asked for, else a fresh one of the operating system; any for a source that takes
    /// none.
    pub(crate) fn seed(&self, source: Source) -> Result<Seed, Failure> {
        let name = if self.seed.is_some() { "--seed" } else { FROM };
        match (&self.seed, &self.seed_from) {
            (None, None) if !source.is_seeded() => Ok(Seed::from_bytes([0; 32])),
            _ if !source.is_seeded() => Err(Failure::Input(format!(
                "{name}: the source {source} takes no seed; remove {name}, or choose a source with a seed, such as chacha20"
            ))),
            (Some(hex), _) => hex.parse().map_err(|error| Failure::input(name, error)),
            (None, from) => {
                let from = from.as_ref().unwrap_or(&SeedFrom::Os);
                if self.repeat && !matches!(from, SeedFrom::File(_)) {
                    return Err(Failure::Input("--repeat: requires --seed-from file:PATH".into()));
                }
                if *from == SeedFrom::InsecureTime {
                    let warning = "the time has at most 30 bits of entropy: nothing secret may depend on this seed";
                    complain(format_args!("warning: {warning}"));
                }
                from.seed(FROM, self.repeat)
            }
        }
    }

    /// The origin of the seed, to repeat the run. A seed that may be a secret is not shown.
    pub(crate) fn told(&self, source: Source) -> String {
        match (&self.seed, &self.seed_from) {
            _ if !source.is_seeded() => "no seed".into(),
            (Some(seed), _) if seed.len() < HEX => format!("seed {seed}"),
            (Some(_), _) => "seed as given".into(),
            (None, Some(SeedFrom::File(path))) => format!("seed from file:{}", path.display()),
            (None, _) => "seed not kept".into(),
        }
    }

    /// Whether the same arguments give the same seed again.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.seed.is_some() || matches!(self.seed_from, Some(SeedFrom::File(_)))
    }

    /// Whether a seed was asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.seed.is_some() || self.seed_from.is_some()
    }
}

/// The seeds of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub enum SeedPlan {
    /// 32 zero bytes: a generator that nobody seeds.
    Zeros,
    /// From the same place for each source.
    From(SeedFrom),
    /// The same for each source, in hexadecimal digits.
    Fixed(String),
}

impl SeedPlan {
    /// Parses `zeros`, a place or a seed.
    pub fn parse(text: &str) -> Result<SeedPlan, String> {
        if text == "zeros" {
            return Ok(SeedPlan::Zeros);
        }
        if let Ok(from) = SeedFrom::parse(text) {
            return Ok(SeedPlan::From(from));
        }
        let seed = text.parse::<Seed>().map(|_| SeedPlan::Fixed(text.to_string()));
        seed.map_err(|error| {
            format!("allowed are zeros, os, time, dev-random, dev-urandom, file:PATH and a seed; {error}")
        })
    }

    /// The next source's seed.
    pub fn seed(&self) -> Result<Seed, Failure> {
        match self {
            SeedPlan::Zeros => Ok(Seed::from_bytes([0; 32])),
            SeedPlan::From(from) => from.seed("--seed", false),
            SeedPlan::Fixed(hex) => hex.parse().map_err(|error| Failure::input("--seed", error)),
        }
    }

    /// One word.
    pub fn name(&self) -> &'static str {
        match self {
            SeedPlan::Zeros => "zeros",
            SeedPlan::From(SeedFrom::Os) => "os",
            SeedPlan::From(SeedFrom::DevRandom) => "dev-random",
            SeedPlan::From(SeedFrom::DevUrandom) => "dev-urandom",
            SeedPlan::From(SeedFrom::InsecureTime) => "time",
            SeedPlan::From(SeedFrom::File(_)) => "file",
            SeedPlan::Fixed(_) => "fixed",
        }
    }
}

/// Sources by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Sources(pub Vec<Source>);

impl Sources {
    /// Parses names separated by commas, or `all`.
    pub fn parse(text: &str) -> Result<Sources, String> {
        if text == "all" {
            return Ok(Sources(Source::ALL.to_vec()));
        }
        let sources = text.split(',').map(|name| name.trim().parse::<Source>());
        sources.collect::<Result<_, _>>().map(Sources).map_err(|error| error.to_string())
    }
}

/// Bytes from hexadecimal digits.
pub(crate) fn hex(name: &str, text: &str) -> Result<Vec<u8>, Failure> {
    let digits: Vec<u8> = (text.chars().zip(1..))
        .map(|(c, at)| {
            c.to_digit(16)
                .map(|d| d as u8)
                .ok_or_else(|| Failure::input(name, format_args!("character {at} is not a hexadecimal digit")))
        })
        .collect::<Result<_, _>>()?;
    let (pairs, rest) = digits.as_chunks();
    if !rest.is_empty() {
        return Err(Failure::input(name, format_args!("{} hexadecimal digits are not whole bytes", digits.len())));
    }
    Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        assert_eq!(SeedFrom::parse("file:a b"), Ok(SeedFrom::File("a b".into())));
        assert_eq!(SeedFrom::parse("time"), SeedFrom::parse("insecure-time"));
        for text in ["", "file:", "file", "OS", "random", "/dev/random"] {
            assert!(SeedFrom::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn plans_and_sources() {
        assert_eq!(SeedPlan::parse("zeros"), Ok(SeedPlan::Zeros));
        assert_eq!(SeedPlan::parse(&("01".repeat(31) + "02")).map(|plan| plan.name()), Ok("fixed"));
        assert!(SeedPlan::parse(&"0".repeat(64)).unwrap_err().contains("32 equal bytes"));
        assert!(SeedPlan::parse("ones").unwrap_err().contains("zeros"));
        assert_eq!(Sources::parse("os,kiss64"), Ok(Sources(vec![Source::Os, Source::Kiss64])));
        assert_eq!(Sources::parse("all").unwrap().0.len(), Source::ALL.len());
        assert!(Sources::parse("os,").is_err() && Sources::parse("dice").is_err());
    }

    #[test]
    fn hexadecimal() {
        assert_eq!(hex("--nonce", "00fFa1").unwrap(), [0, 255, 161]);
        assert!(hex("--nonce", "").unwrap().is_empty());
        for (text, word) in [("0", "whole bytes"), ("0g", "character 2"), ("é0", "character 1"), ("0 ", "character 2")]
        {
            assert!(hex("--nonce", text).unwrap_err().to_string().contains(word), "{text}");
        }
    }
}
