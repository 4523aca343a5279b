//! The arguments of `samplez scheme`.

use super::recipe::Sampler;
use super::values::source;
use crate::seeds::SeedArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Command, Subcommand, ValueEnum};
use samplez::Source;
use samplez_schemes::bliss::{Profile, Variant};
use std::path::PathBuf;

/// The text below the help of each scheme command.
const PURPOSE: &str = "\
These schemes are for research, teaching and the reproduction of papers. Their parameters are older
than today's estimates (`samplez scheme sets`). The encryptions are secure against chosen plaintexts
only, and decryption sometimes fails. Timing attacks have recovered keys from BLISS signers. In
production use ML-KEM, ML-DSA or FN-DSA.

Exit codes:
  0    success (verify: the signature is valid)
  1    verify: the signature is not valid
  2    wrong arguments or wrong input
  3    system error: disk full, file not writable, no entropy
  141  broken pipe on standard output; no message is printed";

/// Sign and encrypt with BLISS, LP11 and Regev's scheme, for research and teaching; not for production
#[derive(Subcommand)]
pub(crate) enum Scheme {
    /// Sign with BLISS, classic or BLISS-B; verify signatures, and certificates
    #[command(subcommand)]
    Bliss(Signing),
    /// Encrypt with LP11, over matrices or rings: secure against chosen plaintexts only, and decryption sometimes fails
    #[command(subcommand)]
    #[command(mut_subcommand("keygen", |c| example(c, "lp11 keygen --set ring-256 --secret lp11.key --public lp11.pub")))]
    #[command(mut_subcommand("encrypt", |c| example(c, "lp11 encrypt message.txt --public lp11.pub --out lp11.box")))]
    #[command(mut_subcommand("decrypt", |c| example(c, "lp11 decrypt lp11.box --secret lp11.key")))]
    Lp11(Encryption),
    /// Encrypt with Regev's scheme, many letters at a time: secure against chosen plaintexts only, and one letter in a hundred fails
    #[command(subcommand)]
    #[command(mut_subcommand("keygen", |c| example(c, "regev keygen --set mr09-136 --secret regev.key --public regev.pub")))]
    #[command(mut_subcommand("encrypt", |c| example(c, "regev encrypt message.txt --public regev.pub --out regev.box")))]
    #[command(mut_subcommand("decrypt", |c| example(c, "regev decrypt regev.box --secret regev.key")))]
    Regev(Encryption),
    Sets(SchemeSets),
}

/// List every parameter set: its parameters, noise, security by today's estimates, lifetime and failure rate
///
/// Example: samplez scheme sets
#[derive(Args)]
pub(crate) struct SchemeSets {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The commands of a signature scheme.
#[derive(Subcommand)]
pub(crate) enum Signing {
    Keygen(BlissKeygen),
    Sign(BlissSign),
    Verify(BlissVerify),
}

/// Generate a key pair
///
/// Example: samplez scheme bliss keygen --set I --secret bliss.key --public bliss.pub
#[derive(Args)]
#[command(after_help = PURPOSE)]
pub(crate) struct BlissKeygen {
    /// The parameter set: I, II, III, IV, or 0 (a toy, only with --profile hila)
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) set: String,
    /// The signer that the key is for; a key cannot be used with the other signer
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
/// The key determines the set and the variant. The command signs the bytes of the file.
///
/// Example: samplez scheme bliss sign message.txt --secret bliss.key --out message.sig
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
    /// The signing algorithm; the verifier is the same
    #[arg(long, value_enum, value_name = "NAME", default_value_t = SignerName::Isochronous)]
    pub(crate) signer: SignerName,
    #[command(flatten)]
    pub(crate) noise: Sampler,
    #[command(flatten)]
    pub(crate) random: Random,
    /// The file of the signature [default, and -: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Verify the signature of a file, or of a certificate
///
/// The exit code is 0 if the signature is valid, 1 if it is invalid or malformed, and 2 if the key cannot be read.
/// In a certificate, the command checks names, key and signature. It ignores dates, extensions and the issuer's right to
/// issue certificates.
///
/// Example: samplez scheme bliss verify message.txt --public bliss.pub --signature message.sig
#[derive(Args)]
#[command(after_help = PURPOSE)]
pub(crate) struct BlissVerify {
    /// The signed file; - is standard input
    #[arg(value_name = "FILE", required_unless_present = "certificate", conflicts_with = "certificate")]
    pub(crate) file: Option<PathBuf>,
    /// The public key
    #[arg(long, value_name = "FILE", required_unless_present = "certificate", conflicts_with = "certificate")]
    pub(crate) public: Option<PathBuf>,
    /// The signature
    #[arg(long, value_name = "FILE", required_unless_present = "certificate", conflicts_with = "certificate")]
    pub(crate) signature: Option<PathBuf>,
    /// An X.509 certificate in DER, instead of FILE, --public and --signature
    #[arg(long, value_name = "FILE", requires = "issuer")]
    pub(crate) certificate: Option<PathBuf>,
    /// The certificate of the issuer that signed it
    #[arg(long, value_name = "FILE", requires = "certificate")]
    pub(crate) issuer: Option<PathBuf>,
    /// The profile of the signature [default: strongswan; of a certificate, the one that it names]
    #[arg(long, value_name = "NAME", value_parser = profile())]
    pub(crate) profile: Option<Profile>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// BLISS's signers.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum SignerName {
    /// Without a timing leak; requires noise without one
    Isochronous,
    /// Faster, over any noise; its running time depends on the key
    Plain,
}

/// The profile.
#[derive(Args)]
pub(crate) struct ProfileArg {
    /// The choice of rounding, challenge and encoding, which the paper does not fix. strongSwan's certificates with SHA-512
    /// confirm strongswan. sri and hila have our own encoding, and nobody has confirmed them
    #[arg(long, value_name = "NAME", default_value = "strongswan", value_parser = profile())]
    pub(crate) profile: Profile,
}

/// The commands of an encryption scheme.
#[derive(Subcommand)]
pub(crate) enum Encryption {
    Keygen(Keygen),
    Encrypt(Encrypt),
    Decrypt(Decrypt),
}

/// Generate a key pair
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
/// The key determines the set. The ciphertext reveals the length of the message.
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
    /// The file of the ciphertext [default, and -: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Decrypt a file
///
/// The message is not authenticated: bits fail at the rate of the set, and a changed ciphertext gives a changed message.
#[derive(Args)]
#[command(after_help = PURPOSE)]
pub(crate) struct Decrypt {
    /// The ciphertext; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The secret key
    #[arg(long, value_name = "FILE")]
    pub(crate) secret: PathBuf,
    /// The file of the message [default, and -: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Where a new pair of keys goes.
#[derive(Args)]
pub(crate) struct NewKeys {
    /// The file of the secret key, readable by its owner only. The file must not exist; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) secret: PathBuf,
    /// The file of the public key. The file must not exist [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) public: Option<PathBuf>,
}

/// The source of randomness, and whether a summary names it.
#[derive(Args)]
pub(crate) struct Random {
    /// The source of the random bits: a cryptographic one that takes a seed, see `samplez sources`
    #[arg(long, value_name = "NAME", default_value = "chacha20", value_parser = source())]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// No summary
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The help of a command, with an example at its end.
fn example(command: Command, line: &str) -> Command {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    command.long_about(format!("{about}\n\nExample: samplez scheme {line}"))
}

fn profile() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name)).try_map(|name| name.parse())
}

fn variant() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new([Variant::Classic, Variant::B].map(Variant::name)).try_map(|name| name.parse())
}
