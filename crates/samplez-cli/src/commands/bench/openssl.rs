//! OpenSSL's ciphers as a baseline: the program `openssl speed`, where there is one.

use std::process::Command;

/// A cipher as OpenSSL computes it.
pub(super) struct Baseline {
    /// The name in reports.
    pub(super) name: &'static str,
    cipher: &'static str,
    /// Whether the instructions for AES are hidden from it.
    soft: bool,
}

/// The ciphers that are compared with.
pub(super) const BASELINES: [Baseline; 4] = [
    Baseline { name: "openssl aes-256-ctr", cipher: "aes-256-ctr", soft: false },
    Baseline { name: "openssl aes-256-ctr, software", cipher: "aes-256-ctr", soft: true },
    Baseline { name: "openssl chacha20", cipher: "chacha20", soft: false },
    Baseline { name: "openssl aes-128-ctr", cipher: "aes-128-ctr", soft: false },
];

/// Hides AES-NI, PCLMULQDQ and the 256-bit and 512-bit forms of AES: bits 57 and 33 of the first
/// capability word, 41 and 42 of the second.
const NO_AES: &str = "~0x200000200000000:~0x60000000000";

/// The program's version, or why there is none.
pub(super) fn version() -> Result<String, String> {
    let output = Command::new("openssl").arg("version").output();
    let output = output.map_err(|error| format!("the program openssl cannot be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
    if output.status.success() && !text.is_empty() {
        Ok(text)
    } else {
        Err(format!("the program openssl fails: {}", output.status))
    }
}

impl Baseline {
    /// Bytes per second of processor time during one second, by requests of `request` bytes;
    /// `None` if this OpenSSL cannot.
    pub(super) fn measure(&self, request: usize) -> Option<f64> {
        if self.soft && !cfg!(target_arch = "x86_64") {
            return None;
        }
        let mut command = Command::new("openssl");
        command.args(["speed", "-mr", "-seconds", "1", "-bytes", &request.to_string(), "-evp", self.cipher]);
        if self.soft {
            command.env("OPENSSL_ia32cap", NO_AES);
        }
        let output = command.output().ok()?;
        figure(&String::from_utf8_lossy(&output.stdout))
    }
}

/// The figure of a machine-readable report: `+F:number:name:bytes per second`.
fn figure(report: &str) -> Option<f64> {
    let line = report.lines().find(|line| line.starts_with("+F:"))?;
    line.rsplit(':').next()?.parse().ok().filter(|figure: &f64| *figure > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports() {
        assert_eq!(figure("+H:65536\n+F:25:AES-256-CTR:8157225795.92\n"), Some(8_157_225_795.92));
        for other in ["", "+H:65536\n", "+F:25:AES-256-CTR:\n", "+F:25:AES-256-CTR:0.00\n"] {
            assert_eq!(figure(other), None, "{other}");
        }
    }
}
