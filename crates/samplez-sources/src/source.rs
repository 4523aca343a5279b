//! The random sources by name.

use crate::arch::fork::forks;
use crate::ctr_drbg::CtrDrbgAes256Soft;
use crate::drbg::Mechanism;
use crate::glibc_random::GlibcRandom;
use crate::isaac64::Isaac64;
use crate::kiss64::Kiss64;
use crate::posix_rand::PosixRand;
use crate::{
    Aes128Ctr, Aes256Ctr, ChaCha8, ChaCha12, ChaCha20, CtrDrbgAes256, Device, Drbg, DrbgError, DrbgStream,
    EntropyError, HashDrbgSha256, HashDrbgSha512, Os, Salsa8, Salsa12, Salsa20, Seed,
};
use rand_core::{CryptoRng, Rng, TryRng};
use std::boxed::Box;
use std::fmt;
use std::str::FromStr;
use std::string::String;

/// A random source by its name.
///
/// ```
/// use samplez_sources::Source;
/// assert_eq!("chacha20".parse::<Source>()?, Source::ChaCha20);
/// assert!(Source::ChaCha20.is_seeded() && !Source::Os.is_seeded());
/// # Ok::<(), samplez_sources::UnknownSource>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// [`ChaCha20`], 20 rounds, under the seed.
    ChaCha20,
    /// [`ChaCha12`].
    ChaCha12,
    /// [`ChaCha8`].
    ChaCha8,
    /// [`Salsa20`], 20 rounds.
    Salsa20,
    /// [`Salsa12`].
    Salsa12,
    /// [`Salsa8`].
    Salsa8,
    /// [`Aes256Ctr`], AES-256 in counter mode under the seed.
    Aes256Ctr,
    /// [`Aes128Ctr`], under the seed's first 16 bytes.
    Aes128Ctr,
    /// CTR_DRBG with AES-256 and the derivation function, in hardware where there is some.
    CtrDrbgAes256,
    /// The same bytes from AES in constant-time software.
    CtrDrbgAes256Soft,
    /// Hash_DRBG with SHA-256.
    HashDrbgSha256,
    /// Hash_DRBG with SHA-512.
    HashDrbgSha512,
    /// Jenkins' ISAAC-64. Designed as a cryptographic generator, without a published break and
    /// without the analysis that a cipher of today has had: **not marked cryptographic** here.
    ///
    /// The outputs come in the order of Jenkins' `rand()`, from the last of each 256 to the first,
    /// as 8 bytes each, least significant first. The seed's four 8-byte words, least significant byte first, go into
    /// `randrsl[0..4]`, with zeros behind them, and `randinit(TRUE)` follows. Every word of the state depends on all
    /// of the seed, and a zero seed is as good as any other that is known.
    Isaac64,
    /// Marsaglia's KISS-64. **Not cryptographic**: a few outputs give away the state.
    ///
    /// The stream is the outputs' 8 bytes, least significant first. The state is the seed: x, c, y, z, 8 bytes each, least
    /// significant first. A carry c above Marsaglia's limit of 2^58 is within it after one step.
    ///
    /// A zero state is a broken generator, and is not repaired here, so that the effect of a bad seed
    /// can be seen. The values x = c = 0 and y = 0 are fixed points of their parts. Then z alone runs. Its
    /// lowest bit alternates, and its bit i has period 2^(i+1).
    Kiss64,
    /// The GNU C library's `srandom(seed)` and then `random()`. **Not cryptographic**, and weak even
    /// for statistics. Every output is the sum of those 3 and 31 places before it modulo 2^31, or
    /// one more, and 34 of them are the state.
    ///
    /// An output has 31 bits. All of them enter the stream, least significant first, and the next
    /// output follows without a gap: 8 outputs are 31 bytes. `srandom` takes the seed's first 4 bytes, least significant
    /// first: **seeds that agree there give the same stream**, and there are 2^32 - 1 streams.
    GlibcRandom,
    /// The portable `rand()` in POSIX's text. **Not cryptographic, and bad**. Only 31 bits of the
    /// state matter. So it repeats after 2^31 outputs at the latest (4 GB), and bit i of the
    /// output after 2^(17+i).
    ///
    /// An output has 15 bits. All of them enter the stream, least significant first, and the next
    /// output follows without a gap: 8 outputs are 15 bytes. `srand` takes the seed's first 4 bytes, least significant
    /// first. **Seeds that agree there, except in the highest bit, give the same stream**. There
    /// are 2^31 streams, all of them parts of one cycle.
    PosixRand,
    /// The operating system's generator for every bit; it takes no seed.
    Os,
    /// `/dev/random` for every bit; it takes no seed.
    DevRandom,
    /// `/dev/urandom` for every bit; it takes no seed.
    DevUrandom,
}

/// A generator that a seed determines, which cannot fail.
///
/// ```
/// use samplez_core::bits::{BitReader, BitSource};
/// use samplez_sources::{Seed, SeededGenerator, Source};
/// let rng: SeededGenerator = Source::Kiss64.seeded(&Seed::from_bytes([1; 32])).ok_or("kiss64 is seeded")?;
/// BitReader::new(rng).bits(7);
/// # Ok::<(), &str>(())
/// ```
///
/// No scheme takes it:
///
/// ```compile_fail,E0277
/// use samplez_core::bits::{BitReader, CryptoBits};
/// use samplez_sources::{Seed, Source};
/// fn keygen(_: &mut impl CryptoBits) {}
/// keygen(&mut BitReader::new(Source::Kiss64.seeded(&Seed::from_bytes([7; 32])).unwrap()));
/// ```
pub type SeededGenerator = Box<dyn Rng + Send>;

/// Any source's one continuous stream of bytes.
///
/// In a process that was forked after it was opened, a seeded one fails with [`EntropyError::Forked`]. The operating system's
/// sources give bytes of their own there.
///
/// ```
/// use samplez_sources::{Generator, Seed, Source};
/// let mut bytes = [0; 10];
/// let mut os: Generator = Source::Os.open(&Seed::from_bytes([0; 32]))?;
/// os.try_fill_bytes(&mut bytes)?;
/// # Ok::<(), samplez_sources::EntropyError>(())
/// ```
pub type Generator = Box<dyn TryRng<Error = EntropyError> + Send>;

/// A cryptographic generator that a seed determines, which cannot fail: the kind that schemes take.
///
/// ```
/// use samplez_core::bits::{BitReader, CryptoBits};
/// use samplez_sources::{CryptoGenerator, Seed, Source};
/// fn keygen(bits: &mut impl CryptoBits) -> u64 { bits.bits(64) }
/// let rng: CryptoGenerator = Source::HashDrbgSha512.crypto(&Seed::from_bytes([1; 32])).ok_or("cryptographic")?;
/// keygen(&mut BitReader::new(rng));
/// # Ok::<(), &str>(())
/// ```
pub type CryptoGenerator = Box<dyn CryptoRng + Send>;

/// From a seed to a generator, with the mark if it has it.
#[derive(Clone, Copy)]
enum Make {
    Crypto(fn(&Seed) -> CryptoGenerator),
    Plain(fn(&Seed) -> SeededGenerator),
}

impl Make {
    fn seeded(self, seed: &Seed) -> SeededGenerator {
        match self {
            Make::Crypto(make) => make(seed),
            Make::Plain(make) => make(seed),
        }
    }
}

/// The properties of a source.
struct Entry {
    name: &'static str,
    summary: &'static str,
    state_bytes: usize,
    /// If a seed determines it.
    make: Option<Make>,
}

const fn entry(name: &'static str, summary: &'static str, state_bytes: usize) -> Entry {
    Entry { name, summary, state_bytes, make: None }
}

impl Entry {
    const fn crypto(mut self, make: fn(&Seed) -> CryptoGenerator) -> Entry {
        self.make = Some(Make::Crypto(make));
        self
    }

    const fn plain(mut self, make: fn(&Seed) -> SeededGenerator) -> Entry {
        self.make = Some(Make::Plain(make));
        self
    }
}

impl Source {
    /// Every source.
    ///
    /// ```
    /// use samplez_sources::Source;
    /// assert!(Source::ALL.iter().any(|source| source.name() == "kiss64"));
    /// ```
    pub const ALL: [Source; 19] = [
        Source::ChaCha20,
        Source::ChaCha12,
        Source::ChaCha8,
        Source::Salsa20,
        Source::Salsa12,
        Source::Salsa8,
        Source::Aes256Ctr,
        Source::Aes128Ctr,
        Source::CtrDrbgAes256,
        Source::CtrDrbgAes256Soft,
        Source::HashDrbgSha256,
        Source::HashDrbgSha512,
        Source::Isaac64,
        Source::Kiss64,
        Source::GlibcRandom,
        Source::PosixRand,
        Source::Os,
        Source::DevRandom,
        Source::DevUrandom,
    ];

    const fn entry(self) -> Entry {
        match self {
            Source::ChaCha20 => entry("chacha20", "ChaCha20 keystream, 20 rounds (RFC 8439)", size_of::<ChaCha20>())
                .crypto(|seed| Box::new(ChaCha20::new(seed))),
            Source::ChaCha12 => entry("chacha12", "ChaCha keystream, 12 rounds", size_of::<ChaCha12>())
                .crypto(|seed| Box::new(ChaCha12::new(seed))),
            Source::ChaCha8 => entry("chacha8", "ChaCha keystream, 8 rounds", size_of::<ChaCha8>())
                .crypto(|seed| Box::new(ChaCha8::new(seed))),
            Source::Salsa20 => entry("salsa20", "Salsa20 keystream, 20 rounds (Bernstein)", size_of::<Salsa20>())
                .crypto(|seed| Box::new(Salsa20::new(seed))),
            Source::Salsa12 => entry("salsa12", "Salsa20 keystream, 12 rounds", size_of::<Salsa12>())
                .crypto(|seed| Box::new(Salsa12::new(seed))),
            Source::Salsa8 => entry("salsa8", "Salsa20 keystream, 8 rounds", size_of::<Salsa8>())
                .crypto(|seed| Box::new(Salsa8::new(seed))),
            Source::Aes256Ctr => {
                entry("aes256-ctr", "AES-256 in counter mode, no DRBG around it", size_of::<Aes256Ctr>())
                    .crypto(|seed| Box::new(Aes256Ctr::new(seed)))
            }
            Source::Aes128Ctr => {
                entry("aes128-ctr", "AES-128 in counter mode, under half of the seed", size_of::<Aes128Ctr>())
                    .crypto(|seed| Box::new(Aes128Ctr::new(seed)))
            }
            Source::CtrDrbgAes256 => entry(
                "ctr-drbg-aes256",
                "CTR_DRBG with AES-256 (SP 800-90A), hardware where there is some",
                size_of::<DrbgStream<CtrDrbgAes256>>(),
            )
            .crypto(|seed| Box::new(DrbgStream::<CtrDrbgAes256>::from_seed(seed))),
            Source::CtrDrbgAes256Soft => entry(
                "ctr-drbg-aes256-soft",
                "the same bytes, AES in constant-time software",
                size_of::<DrbgStream<CtrDrbgAes256Soft>>(),
            )
            .crypto(|seed| Box::new(DrbgStream::<CtrDrbgAes256Soft>::from_seed(seed))),
            Source::HashDrbgSha256 => entry(
                "hash-drbg-sha256",
                "Hash_DRBG with SHA-256 (SP 800-90A)",
                size_of::<DrbgStream<HashDrbgSha256>>(),
            )
            .crypto(|seed| Box::new(DrbgStream::<HashDrbgSha256>::from_seed(seed))),
            Source::HashDrbgSha512 => entry(
                "hash-drbg-sha512",
                "Hash_DRBG with SHA-512 (SP 800-90A)",
                size_of::<DrbgStream<HashDrbgSha512>>(),
            )
            .crypto(|seed| Box::new(DrbgStream::<HashDrbgSha512>::from_seed(seed))),
            Source::Isaac64 => {
                entry("isaac64", "ISAAC-64 (Jenkins)", size_of::<Isaac64>()).plain(|seed| Box::new(Isaac64::new(seed)))
            }
            Source::Kiss64 => {
                entry("kiss64", "KISS-64 (Marsaglia)", size_of::<Kiss64>()).plain(|seed| Box::new(Kiss64::new(seed)))
            }
            Source::GlibcRandom => {
                entry("glibc-random", "random() of the GNU C library; weak", size_of::<GlibcRandom>())
                    .plain(|seed| Box::new(GlibcRandom::new(seed)))
            }
            Source::PosixRand => {
                entry("posix-rand", "rand() as POSIX recommends it, 15 bits a call; bad", size_of::<PosixRand>())
                    .plain(|seed| Box::new(PosixRand::new(seed)))
            }
            Source::Os => entry("os", "the operating system's generator, asked for every bit", size_of::<Os>()),
            Source::DevRandom => entry("dev-random", "/dev/random, read for every bit", size_of::<Device>()),
            Source::DevUrandom => entry("dev-urandom", "/dev/urandom, read for every bit", size_of::<Device>()),
        }
    }

    /// Returns the name on the command line and in the bindings.
    ///
    /// ```
    /// assert_eq!(samplez_sources::Source::Os.name(), "os");
    /// ```
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns a description of one line.
    ///
    /// ```
    /// assert!(samplez_sources::Source::ChaCha20.summary().contains("RFC 8439"));
    /// ```
    pub const fn summary(self) -> &'static str {
        self.entry().summary
    }

    /// Returns whether a seed determines its stream.
    ///
    /// ```
    /// assert!(samplez_sources::Source::ChaCha20.is_seeded());
    /// ```
    pub const fn is_seeded(self) -> bool {
        self.entry().make.is_some()
    }

    /// Returns whether it is a cryptographic generator.
    ///
    /// ```
    /// use samplez_sources::Source;
    /// assert!(Source::ChaCha20.is_cryptographic() && !Source::Kiss64.is_cryptographic());
    /// ```
    pub const fn is_cryptographic(self) -> bool {
        !matches!(self.entry().make, Some(Make::Plain(_)))
    }

    /// Returns the memory of one generator on this machine, in bytes: with its buffer, without the buffer of a
    /// [`BitReader`](samplez_core::bits::BitReader).
    ///
    /// ```
    /// use samplez_sources::Source;
    /// assert!(Source::Isaac64.state_bytes() > 4096 && Source::Os.state_bytes() < 100);
    /// ```
    pub const fn state_bytes(self) -> usize {
        self.entry().state_bytes
    }

    /// Returns the generator under this seed; `None` for a source that [takes none](Self::is_seeded).
    /// How the seed becomes its state: see [`sources`](crate).
    ///
    /// ```
    /// use samplez_sources::{Seed, Source};
    /// let seed = Seed::from_bytes([0; 32]);
    /// assert!(Source::ChaCha20.seeded(&seed).is_some() && Source::Os.seeded(&seed).is_none());
    /// ```
    pub fn seeded(self, seed: &Seed) -> Option<SeededGenerator> {
        self.constructor().map(|make| make(seed))
    }

    /// Returns the same generator, marked as cryptographic, which schemes require. `None` for a source that is not
    /// [cryptographic](Self::is_cryptographic), and for one that [takes no seed](Self::is_seeded). The latter can
    /// fail, and schemes cannot handle that: use a seed [of its entropy](Seed::from_entropy).
    ///
    /// ```
    /// use samplez_sources::{Seed, Source};
    /// let seed = Seed::from_os()?;
    /// assert!(Source::ChaCha20.crypto(&seed).is_some());
    /// assert!(Source::Isaac64.crypto(&seed).is_none() && Source::Os.crypto(&seed).is_none());
    /// # Ok::<(), samplez_sources::EntropyError>(())
    /// ```
    pub fn crypto(self, seed: &Seed) -> Option<CryptoGenerator> {
        match self.entry().make {
            Some(Make::Crypto(make)) => Some(make(seed)),
            _ => None,
        }
    }

    /// Returns a function from a seed to the generator, for many generators; `None` as for [`seeded`](Self::seeded).
    ///
    /// ```
    /// use samplez_sources::{Seed, Source};
    /// let make = Source::ChaCha8.constructor().ok_or("seeded")?;
    /// let seed = Seed::from_bytes([0; 32]);
    /// assert_ne!(make(&seed.block(0)).next_u64(), make(&seed.block(1)).next_u64());
    /// # Ok::<(), &str>(())
    /// ```
    pub fn constructor(self) -> Option<impl Fn(&Seed) -> SeededGenerator + Copy> {
        self.entry().make.map(|make| move |seed: &Seed| make.seeded(seed))
    }

    /// Opens the continuous stream of bytes under this seed, or of a source that takes none. It is not cut into
    /// blocks, as the streams of `samplez::Bulk` are.
    ///
    /// # Errors
    ///
    /// [`EntropyError`] if a device cannot be opened.
    ///
    /// ```
    /// use samplez_sources::{Seed, Source};
    /// let mut rng = Source::ChaCha20.open(&Seed::from_bytes([0; 32]))?;
    /// assert_eq!(rng.try_next_u32()?.to_le_bytes(), [0x76, 0xb8, 0xe0, 0xad]);
    /// # Ok::<(), samplez_sources::EntropyError>(())
    /// ```
    pub fn open(self, seed: &Seed) -> Result<Generator, EntropyError> {
        if let Some(rng) = self.seeded(seed) {
            return Ok(Box::new(Infallible::new(rng)));
        }
        Ok(match self {
            Source::DevRandom => Box::new(Device::random()?),
            Source::DevUrandom => Box::new(Device::urandom()?),
            _ => Box::new(Os::new()),
        })
    }
}

impl Source {
    /// Opens a DRBG's stream from the standard's own inputs instead of a seed; `None` for a source that is no DRBG.
    ///
    /// # Errors
    ///
    /// [`DrbgError`] for entropy of fewer than 32 bytes, or a nonce of fewer than 16.
    ///
    /// ```
    /// use samplez_sources::Source;
    /// let rng = Source::HashDrbgSha256.instantiate(&[1; 32], &[2; 16], b"an application").ok_or("a DRBG")??;
    /// assert!(Source::CtrDrbgAes256.instantiate(&[1; 31], &[2; 16], b"").ok_or("a DRBG")?.is_err());
    /// assert!(Source::ChaCha20.instantiate(&[1; 32], &[2; 16], b"").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn instantiate(
        self,
        entropy: &[u8],
        nonce: &[u8],
        personalization: &[u8],
    ) -> Option<Result<Generator, DrbgError>> {
        fn stream<M: Mechanism + Send + 'static>(drbg: Result<Drbg<M>, DrbgError>) -> Result<Generator, DrbgError> {
            Ok(Box::new(Infallible::new(Box::new(DrbgStream::new(drbg?)))))
        }
        match self {
            Source::CtrDrbgAes256 => Some(stream(CtrDrbgAes256::instantiate(entropy, nonce, personalization))),
            Source::CtrDrbgAes256Soft => Some(stream(CtrDrbgAes256Soft::instantiate(entropy, nonce, personalization))),
            Source::HashDrbgSha256 => Some(stream(HashDrbgSha256::instantiate(entropy, nonce, personalization))),
            Source::HashDrbgSha512 => Some(stream(HashDrbgSha512::instantiate(entropy, nonce, personalization))),
            _ => None,
        }
    }
}

/// A seeded generator as one that can fail. It fails in a process that was forked after it was made.
struct Infallible {
    rng: SeededGenerator,
    forks: u64,
}

impl Infallible {
    fn new(rng: SeededGenerator) -> Self {
        Infallible { rng, forks: forks() }
    }

    /// The generator, in the process that made it.
    fn here(&mut self) -> Result<&mut SeededGenerator, EntropyError> {
        if self.forks == forks() { Ok(&mut self.rng) } else { Err(EntropyError::Forked) }
    }
}

impl TryRng for Infallible {
    type Error = EntropyError;
    fn try_next_u32(&mut self) -> Result<u32, EntropyError> {
        Ok(self.here()?.next_u32())
    }
    fn try_next_u64(&mut self) -> Result<u64, EntropyError> {
        Ok(self.here()?.next_u64())
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), EntropyError> {
        self.here()?.fill_bytes(out);
        Ok(())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Source {
    type Err = UnknownSource;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let find = Source::ALL.into_iter().find(|s| s.name() == text);
        find.ok_or_else(|| UnknownSource { value: text.into() })
    }
}

/// The error for a name that no source has.
///
/// ```
/// let e = "dice".parse::<samplez_sources::Source>().unwrap_err();
/// assert!(e.to_string().starts_with("source = dice: expected one of chacha20, "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownSource {
    /// The unknown name.
    pub value: String,
}

impl fmt::Display for UnknownSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "source = {}: expected one of {}", self.value, Source::ALL.map(Source::name).join(", "))
    }
}

impl std::error::Error for UnknownSource {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mark at run time is the one that the documents and the types give, and the bytes are the same.
    #[test]
    fn the_mark_is_the_sources() {
        let seed = Seed::from_bytes([4; 32]);
        for source in Source::ALL {
            let marked = source.crypto(&seed);
            assert_eq!(marked.is_some(), source.is_seeded() && source.is_cryptographic(), "{source}");
            let weak = [Source::Isaac64, Source::Kiss64, Source::GlibcRandom, Source::PosixRand];
            assert_eq!(source.is_cryptographic(), !weak.contains(&source), "{source}");
            if let (Some(mut marked), Some(mut plain)) = (marked, source.seeded(&seed)) {
                assert_eq!(marked.next_u64(), plain.next_u64(), "{source}");
            }
        }
    }
}
