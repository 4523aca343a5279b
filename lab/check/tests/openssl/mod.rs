//! OpenSSL's DRBGs as a judge of ours: a small C program (`drbg.c`), which is compiled here and asked step by step.

use rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Ctr { derivation: bool },
    Sha256,
    Sha512,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] =
        [Kind::Ctr { derivation: true }, Kind::Ctr { derivation: false }, Kind::Sha256, Kind::Sha512];
}

pub(crate) enum Step {
    Reseed { entropy: Vec<u8>, additional: Vec<u8> },
    Generate { bytes: usize, additional: Vec<u8> },
    Resist { bytes: usize, entropy: Vec<u8>, additional: Vec<u8> },
}

pub(crate) struct Case {
    pub(crate) kind: Kind,
    pub(crate) entropy: Vec<u8>,
    pub(crate) nonce: Vec<u8>,
    pub(crate) personalization: Vec<u8>,
    pub(crate) steps: Vec<Step>,
}

/// Entropy for one seeding, in whatever pieces it is asked for.
pub(crate) struct Once(pub(crate) Vec<u8>);

impl TryRng for Once {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("entropy is asked for as bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("entropy is asked for as bytes")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        let rest = self.0.split_off(out.len());
        out.copy_from_slice(&std::mem::replace(&mut self.0, rest));
        Ok(())
    }
}
impl TryCryptoRng for Once {}

impl Drop for Once {
    fn drop(&mut self) {
        assert!(self.0.is_empty(), "all of the entropy is used");
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".into();
    }
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// The program that runs.
pub(crate) struct Judge {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Judge {
    /// Compiles it into this folder.
    pub(crate) fn new(folder: &Path) -> Self {
        let program = folder.join(format!("openssl-drbg-{}", std::process::id()));
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut compiling = Command::new(&compiler)
            .args(["-Wall", "-Wextra", "-Werror", "-O2", "-D_GNU_SOURCE", "-x", "c", "-", "-o"])
            .arg(&program)
            .arg("-lcrypto")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{}: {e}; install a C compiler", compiler.display()));
        compiling.stdin.take().unwrap().write_all(include_bytes!("drbg.c")).unwrap();
        let result = compiling.wait_with_output().unwrap();
        assert!(
            result.status.success(),
            "this test needs OpenSSL 3 and its headers: `.ci/need libssl`, or apt-get install libssl-dev (Debian, Ubuntu), \
             dnf install openssl-devel (Fedora), brew install openssl (macOS).\n{}",
            String::from_utf8_lossy(&result.stderr)
        );
        let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        std::fs::remove_file(program).unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Judge { child, to, from }
    }

    /// What OpenSSL gives in a case, request by request, in hexadecimal digits.
    pub(crate) fn ask(&mut self, case: &Case) -> Vec<String> {
        let name = match case.kind {
            Kind::Ctr { derivation: true } => "CTR-DRBG AES-256-CTR 1",
            Kind::Ctr { derivation: false } => "CTR-DRBG AES-256-CTR 0",
            Kind::Sha256 => "HASH-DRBG SHA2-256 0",
            Kind::Sha512 => "HASH-DRBG SHA2-512 0",
        };
        let (entropy, nonce, personalization) = (hex(&case.entropy), hex(&case.nonce), hex(&case.personalization));
        self.tell(&format!("new {name} {entropy} {nonce} {personalization}\n"));
        let mut answers = Vec::new();
        for step in &case.steps {
            let line = match step {
                Step::Reseed { entropy, additional } => {
                    self.tell(&format!("reseed {} {}\n", hex(entropy), hex(additional)));
                    continue;
                }
                Step::Generate { bytes, additional } => format!("generate {bytes} {}\n", hex(additional)),
                Step::Resist { bytes, entropy, additional } => {
                    format!("resist {bytes} {} {}\n", hex(entropy), hex(additional))
                }
            };
            self.tell(&line);
            let mut answer = String::new();
            self.from.read_line(&mut answer).unwrap();
            assert!(answer.pop() == Some('\n'), "OpenSSL refused a case");
            answers.push(answer);
        }
        answers
    }

    fn tell(&mut self, line: &str) {
        self.to.write_all(line.as_bytes()).expect("OpenSSL has not refused a case");
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
