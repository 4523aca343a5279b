//! The origin of random bits, in requests of lines `key<TAB>value`.

use crate::spelling::Failure;
use samplez::{RefusedKind, Seed, Source, bindings::ParseSeedError};
use zeroize::Zeroize;

/// The names of the source and of the seed.
pub(crate) const BITS: [&str; 2] = ["source", "seed"];

/// The origin of random bits.
pub(crate) struct Bits {
    pub(crate) source: Source,
    /// `None`: it comes as bytes.
    seed: Option<Seed>,
}

impl Bits {
    /// The seed, which may be these bytes.
    pub(crate) fn seed(&self, bytes: &[u8]) -> Result<Seed, Failure> {
        if let Some(seed) = &self.seed {
            return Ok(seed.clone());
        }
        let length = |_| format!("seed: expected 32 bytes; got {}", bytes.len());
        let mut bytes: [u8; 32] = bytes.try_into().map_err(length)?;
        let seed = Seed::try_from(bytes).map_err(bad_seed);
        bytes.zeroize();
        seed
    }
}

/// The source and the seed; every other key is handed on.
pub(crate) fn read(text: &[u8], mut other: impl FnMut(&str, &str) -> Result<(), Failure>) -> Result<Bits, Failure> {
    let text = str::from_utf8(text).map_err(|e| e.to_string())?;
    let mut bits = Bits { source: Source::ChaCha20, seed: None };
    for line in text.lines() {
        let (key, value) = line.split_once('\t').ok_or("a line of a request lacks its value")?;
        match key {
            "source" => bits.source = working(value)?,
            "seed" => bits.seed = Some(value.parse().map_err(bad_seed)?),
            _ => other(key, value)?,
        }
    }
    Ok(bits)
}

fn bad_seed(error: ParseSeedError) -> Failure {
    Failure::new(error.into(), format!("seed: {error}"))
}

/// The source of this name, if it is one of those that [`works`].
fn working(name: &str) -> Result<Source, Failure> {
    let found = name.parse::<Source>();
    if let Ok(source) = found
        && works(source)
    {
        return Ok(source);
    }
    let (kind, elsewhere) = match found {
        Ok(_) => (RefusedKind::Unsupported, "not available here; "),
        Err(_) => (RefusedKind::Unknown, ""),
    };
    let names = Vec::from_iter(Source::ALL.into_iter().filter(|s| works(*s)).map(Source::name));
    let message = format!("source = {name}: {elsewhere}expected one of {}", names.join(", "));
    Err(Failure::new(kind, message))
}

/// Whether the source can be opened: devices are not everywhere, nowhere in WebAssembly.
pub(crate) fn works(source: Source) -> bool {
    source.is_seeded() || source.open(&Seed::from_bytes([0; 32])).is_ok()
}
