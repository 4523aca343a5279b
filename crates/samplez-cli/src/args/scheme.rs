//! The arguments of `samplez scheme`.

use super::recipe::Sampler;
use super::values::source;
use crate::seeds::SeedArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use samplez::Source;
use samplez::schemes::bliss::{Profile, Variant};
use std::path::PathBuf;

/// What stands below the help of all of them.
const PURPOSE: &str = "\
These schemes are for research, teaching and the reproduction of papers. Their parameters are older than today's estimates
(`samplez scheme sets`); the encryptions withstand chosen plaintexts alone, and fail now and then; keys have been recovered
from the timing of BLISS signers. In production use ML-KEM, ML-DSA or FN-DSA.

Exit codes:
  0    done (verify: the signature is valid)
  1    verify: it is not
  2    wrong arguments or wrong input
  3    the system failed: disk full, file not writable, no entropy
  141  the reader of standard output closed the pipe; nothing is said";

/// Schemes over the samplers, for research and teaching: BLISS, LP11, Regev; not for production
#[derive(Subcommand)]
pub(crate) enum Scheme {
    /// Sign with BLISS, classic or BLISS-B; verify signatures, and certificates
    #[command(subcommand)]
    Bliss(Signing),
    /// Encrypt with LP11, over matrices or rings: against chosen plaintexts alone, and decryption fails now and then
    #[command(subcommand)]
    Lp11(Encryption),
    /// Encrypt with Regev's scheme, many letters at a time: against chosen plaintexts alone, and one letter in a hundred fails
    #[command(subcommand)]
    Regev(Encryption),
    Sets(SchemeSets),
}

/// List every parameter set: its parameters, noise, security by today's estimates, lifetime and failure rate
#[derive(Args)]
pub(crate) struct SchemeSets {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a signature scheme does.
#[derive(Subcommand)]
pub(crate) enum Signing {
    Keygen(BlissKeygen),
    Sign(BlissSign),
    Verify(BlissVerify),
}

/// Make a pair of keys
#[derive(Args)]
#[command(after_help = PURPOSE)]
pub(crate) struct BlissKeygen {
    /// The parameter set: I, II, III, IV, or 0, a toy that the profile hila alone has
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) set: String,
    /// Which signer the key is for; a key never signs by the other one
    #[arg(long, value_name = "NAME", default_value = "b", value_parser = variant())]
    pub(crate) variant: Variant,
    #[command(flatten)]
    pub(crate) profile: ProfileArg,
    #[command(flatten)]
    pub(crate) keys: NewKeys,
    #[command(flatten)]
    pub(crate) random: Random,
}

/// Sign a file
///
/// Set and variant are the key's. What is signed are the bytes of the file, whatever they are.
#[derive(Args)]
#[command(after_help = PURPOSE)]
pub(crate) struct BlissSign {
    /// The file to sign; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The secret key
    #[arg(long, value_name = "FILE")]
    pub(crate) secret: PathBuf,
    #[command(flatten)]
    pub(crate) profile: ProfileArg,
    /// How it is signed; the verifier is the same
    #[arg(long, value_enum, value_name = "NAME", default_value_t = SignerName::Isochronous)]
    pub(crate) signer: SignerName,
    #[command(flatten)]
    pub(crate) noise: Sampler,
    #[command(flatten)]
    pub(crate) random: Random,
    /// The file of the signature [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Verify a signature of a file, or who signed a certificate
///
/// Exit code 0 if it is valid, 1 if not, also where it is no signature at all; 2 if the key cannot be read.
/// Of a certificate names, key and signature are looked at; dates, extensions and whether the issuer may issue are not.
#[derive(Args)]
#[command(after_help = PURPOSE)]
pub(crate) struct BlissVerify {
    /// The file that is signed; - is standard input
    #[arg(value_name = "FILE", required_unless_present = "certificate", conflicts_with = "certificate")]
    pub(crate) file: Option<PathBuf>,
    /// The public key
    #[arg(long, value_name = "FILE", required_unless_present = "certificate", conflicts_with = "certificate")]
    pub(crate) public: Option<PathBuf>,
    /// The signature
    #[arg(long, value_name = "FILE", required_unless_present = "certificate", conflicts_with = "certificate")]
    pub(crate) signature: Option<PathBuf>,
    /// An X.509 certificate in DER, in place of the three
    #[arg(long, value_name = "FILE", requires = "issuer")]
    pub(crate) certificate: Option<PathBuf>,
    /// The certificate of who signed it
    #[arg(long, value_name = "FILE", requires = "certificate")]
    pub(crate) issuer: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) profile: ProfileArg,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// BLISS's signers.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum SignerName {
    /// Without a timing leak, over noise that has none
    Isochronous,
    /// Faster, over any noise; its time tells of the key
    Plain,
}

/// The profile.
#[derive(Args)]
pub(crate) struct ProfileArg {
    /// Rounding, challenge and encoding, which the paper leaves open: those of strongSwan, confirmed by its certificates with
    /// SHA-512, or two of our own encoding, which nobody has confirmed
    #[arg(long, value_name = "NAME", default_value = "strongswan", value_parser = profile())]
    pub(crate) profile: Profile,
}

/// What an encryption scheme does.
#[derive(Subcommand)]
pub(crate) enum Encryption {
    Keygen(Keygen),
    Encrypt(Encrypt),
    Decrypt(Decrypt),
}

/// Make a pair of keys
#[derive(Args)]
#[command(after_help = PURPOSE)]
pub(crate) struct Keygen {
    /// The parameter set, see `samplez scheme sets`
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) set: String,
    #[command(flatten)]
    pub(crate) keys: NewKeys,
    #[command(flatten)]
    pub(crate) noise: Sampler,
    #[command(flatten)]
    pub(crate) random: Random,
}

/// Encrypt a file
///
/// The set is the key's. The length of the message is no secret.
#[derive(Args)]
#[command(after_help = PURPOSE)]
pub(crate) struct Encrypt {
    /// The message; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The public key
    #[arg(long, value_name = "FILE")]
    pub(crate) public: PathBuf,
    #[command(flatten)]
    pub(crate) noise: Sampler,
    #[command(flatten)]
    pub(crate) random: Random,
    /// The file of the ciphertext [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Decrypt a file
///
/// Nothing tells whether the message is the one that was encrypted: bits fail at the rate of the set, and who changes the
/// ciphertext changes the message.
#[derive(Args)]
#[command(after_help = PURPOSE)]
pub(crate) struct Decrypt {
    /// The ciphertext; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The secret key
    #[arg(long, value_name = "FILE")]
    pub(crate) secret: PathBuf,
    /// The file of the message [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Where a new pair of keys goes.
#[derive(Args)]
pub(crate) struct NewKeys {
    /// The file of the secret key, which nobody else may read; a file of this name must not exist. - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) secret: PathBuf,
    /// The file of the public key; a file of this name must not exist [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) public: Option<PathBuf>,
}

/// Where randomness comes from, and whether it is told.
#[derive(Args)]
pub(crate) struct Random {
    /// Where the random bits come from: a cryptographic generator that takes a seed
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// No summary
    #[arg(long)]
    pub(crate) quiet: bool,
}

fn profile() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name)).try_map(|name| name.parse())
}

fn variant() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new([Variant::Classic, Variant::B].map(Variant::name)).try_map(|name| name.parse())
}
