//! `samplez scheme`: keys, signatures, ciphertexts and certificates, by files and pipes.

use crate::common::{SEED, fail, names, outcome, run, samplez, succeed};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

const TEXT: &[u8] = b"The quick brown fox jumps over the lazy dog.\n";

/// A folder, and paths in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        fs::write(folder.path("text"), TEXT).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A command line with each `@name` as a path in the folder.
    fn line(&self, line: &str) -> String {
        line.replace('@', &format!("{}/", self.0.path().display()))
    }

    fn succeed(&self, line: &str) -> String {
        succeed(&self.line(line))
    }

    fn run(&self, line: &str) -> (Option<i32>, String, String) {
        run(&self.line(line))
    }

    fn fail(&self, line: &str, code: i32, words: &[&str]) {
        fail(&self.line(line), code, words);
    }

    /// Runs the program on this standard input.
    fn pipe(&self, line: &str, input: &[u8]) -> Output {
        let line = self.line(line);
        let mut command = samplez();
        command.args(line.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that has failed reads no more.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn bliss_key(&self) {
        self.succeed("scheme bliss keygen --set I --secret @key --public @key.pub --quiet");
    }

    /// Under a seed: a bit fails with probability 1e-5 to 5e-5, depending on the key and the ciphertext.
    fn lp11_key(&self) {
        let keygen = "scheme lp11 keygen --set ring-256 --secret @lp --public @lp.pub --quiet";
        let (code, _, err) = self.run(&format!("{keygen} --seed {SEED}"));
        assert_eq!(code, Some(0), "{err}");
    }
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

fn kat(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../kat/bliss")).join(name)
}

#[test]
fn bliss_signs_and_verifies() {
    for (set, variant, profile, signer) in [
        ("I", "b", "strongswan", ""),
        ("IV", "b", "strongswan-sha3-256", "--signer plain"),
        ("III", "classic", "sri", "--signer isochronous"),
        ("II", "b", "hila", "--signer plain"),
        ("0", "classic", "hila", ""),
    ] {
        let folder = Folder::new();
        let (key, of) = (format!("--set {set} --variant {variant}"), format!("--profile {profile} --quiet"));
        folder.succeed(&format!("scheme bliss keygen {key} {of} --secret @key --public @key.pub"));
        folder.succeed(&format!("scheme bliss sign @text --secret @key {of} {signer} --out @text.sig"));
        let verify = format!("scheme bliss verify @text --public @key.pub --signature @text.sig --profile {profile}");
        let said = folder.succeed(&verify);
        let name = if variant == "b" { "BLISS-B" } else { "BLISS" };
        assert!(said.starts_with("valid: ") && said.contains(&format!("{name} {set}, profile {profile}")), "{said}");
        // Another text, another signature, another key, and what is no signature.
        folder.write("other", &flipped(TEXT, 3));
        let (code, out, err) = folder.run(&verify.replace("@text ", "@other "));
        assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
        assert!(out.starts_with("INVALID: ") && out.contains("text.sig is not a signature of"), "{out}");
        let signature = folder.read("text.sig");
        for bytes in [&flipped(&signature, 777), &signature[..signature.len() - 1], &[][..], &[0; 9]] {
            folder.write("text.sig", bytes);
            let (code, out, err) = folder.run(&verify);
            assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
            assert!(out.starts_with("INVALID: "), "{out}");
        }
        folder.write("text.sig", &signature);
        folder.succeed(&format!("scheme bliss keygen {key} {of} --secret @key2 --public @key2.pub"));
        assert_eq!(folder.run(&verify.replace("@key.pub", "@key2.pub")).0, Some(1));
    }
}

#[test]
fn pipes_carry_everything() {
    let folder = Folder::new();
    // The public key, the message, the signature; the secret key too, if one insists.
    let public = folder.pipe("scheme bliss keygen --set I --secret @key --quiet", b"").stdout;
    folder.write("key.pub", &public);
    let signature = folder.pipe("scheme bliss sign - --secret @key --quiet", TEXT).stdout;
    folder.write("text.sig", &signature);
    let verify = |line: &str, input: &[u8]| folder.pipe(&format!("scheme bliss verify {line}"), input).status.code();
    assert_eq!(verify("- --public @key.pub --signature @text.sig", TEXT), Some(0));
    assert_eq!(verify("@text --public - --signature @text.sig", &public), Some(0));
    assert_eq!(verify("@text --public @key.pub --signature -", &signature), Some(0));
    assert_eq!(verify("@text --public @key.pub --signature -", TEXT), Some(1));
    assert_eq!(verify("- --public @key.pub --signature -", TEXT), Some(2));
    let secret = folder.pipe("scheme bliss keygen --set I --secret - --public @other.pub --quiet", b"").stdout;
    let signature = folder.pipe("scheme bliss sign @text --secret - --quiet", &secret).stdout;
    assert_eq!(verify("@text --public @other.pub --signature -", &signature), Some(0));

    folder.lp11_key();
    let ciphertext = folder.pipe(&format!("scheme lp11 encrypt - --public @lp.pub --quiet --seed {SEED}"), TEXT).stdout;
    assert_eq!(folder.pipe("scheme lp11 decrypt - --secret @lp", &ciphertext).stdout, TEXT);
}

#[test]
fn lp11_encrypts_and_decrypts() {
    for set in ["matrix-128", "ring-256", "ring-512"] {
        let folder = Folder::new();
        // A bit fails with probability 1e-5 to 5e-5; under this seed none of these does.
        let seed = format!("--method cdt-guided --quiet --seed {SEED}");
        let (_, _, err) = folder.run(&format!("scheme lp11 keygen --set {set} --secret @key --public @key.pub {seed}"));
        assert!(err.starts_with("warning: never use this seed twice"), "{err}");
        for message in [&b""[..], TEXT, &[7; 100]] {
            folder.write("message", message);
            folder.run(&format!("scheme lp11 encrypt @message --public @key.pub --out @cipher {seed}"));
            folder.succeed("scheme lp11 decrypt @cipher --secret @key --out @again");
            assert_eq!(folder.read("again"), message, "{set}");
            fs::remove_file(folder.path("again")).unwrap();
        }
        // What was cut off, added or changed in its head is no ciphertext.
        let ciphertext = folder.read("cipher");
        for (bytes, why) in [
            (&ciphertext[..ciphertext.len() - 1], "its length is not what it says"),
            (&[&ciphertext[..], &[0]].concat(), "its length is not what it says"),
            (&ciphertext[..3], "it ends too early"),
            (&[], "it ends too early"),
            (&[&[9], &ciphertext[1..]].concat(), "its set is unknown"),
        ] {
            folder.write("cipher", bytes);
            folder.fail("scheme lp11 decrypt @cipher --secret @key", 2, &["cipher: malformed ciphertext: ", why]);
        }
    }
}

#[test]
fn a_seed_determines_what_is_made() {
    let folder = Folder::new();
    let keygen = |seed: &str, name: &str| {
        let line = format!("scheme bliss keygen --set II --secret @{name} --public @{name}.pub --seed {seed}");
        assert_eq!(folder.run(&line).0, Some(0));
    };
    keygen(SEED, "a");
    keygen(SEED, "b");
    keygen("42", "c");
    assert!(folder.read("a") == folder.read("b") && folder.read("a.pub") == folder.read("b.pub"));
    assert!(folder.read("a") != folder.read("c"));
    let sign = |more: &str| {
        let (code, _, err) = folder.run(&format!("scheme bliss sign @text --secret @a --out @sig {more}"));
        assert_eq!(code, Some(0), "{err}");
        (folder.read("sig"), err)
    };
    let (first, err) = sign("--seed 42 --signer plain --method cdt-guided");
    assert!(err.contains("recipe k_sigma2=126,method=cdt-guided,precision="), "{err}");
    assert!(err.contains("source chacha20; seed 42") && err.contains("warning: never use this seed twice"));
    assert_eq!(sign("--seed 42 --signer plain --method cdt-guided").0, first);
    assert_ne!(sign("--seed 42 --signer plain --method cdt-guided --source ctr-drbg-aes256").0, first);
    let (fresh, err) = sign("");
    assert!(fresh != first && err.contains("seed not kept") && !err.contains("warning"), "{err}");
    // What it says it did gives the same again.
    let recipe = err.split("recipe ").nth(1).and_then(|rest| rest.split(", ").next()).unwrap();
    assert_eq!(sign(&format!("--seed 7 --recipe {recipe}")).0, sign("--seed 7").0);
}

#[test]
#[cfg(unix)]
fn keys_are_files_of_their_owner_and_never_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.bliss_key();
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("key"), mode("key.pub")), (0o600, mode("text")));
    let before = (folder.read("key"), folder.read("key.pub"));
    for keys in ["--secret @key --public @new", "--secret @new --public @key.pub", "--secret @key"] {
        let line = format!("scheme bliss keygen --set I {keys}");
        folder.fail(&line, 2, &["exists already, and is not overwritten"]);
    }
    let link = folder.path("link");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    folder.fail("scheme bliss keygen --set I --secret @link --public @new", 2, &["link", "exists already"]);
    assert_eq!((folder.read("key"), folder.read("key.pub")), before);
    assert_eq!(names(folder.0.path()), ["key", "key.pub", "link", "text"]);
    // Signatures, ciphertexts and messages are like any other output.
    folder.write("sig", b"old");
    folder.succeed("scheme bliss sign @text --secret @key --out @sig --quiet");
    assert_ne!(folder.read("sig"), b"old");
}

/// Both keys are there, or none.
#[test]
#[cfg(target_os = "linux")]
fn half_a_pair_of_keys_is_never_left() {
    let folder = Folder::new();
    for keys in ["--secret @key --public /dev/full", "--secret /dev/full --public @key.pub", "--secret @key"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let line = folder.line(&format!("scheme lp11 keygen --set ring-256 {keys}"));
        let (code, _, err) = outcome(samplez().args(line.split_whitespace()).stdout(full).output().unwrap());
        assert_eq!((code, names(folder.0.path())), (Some(3), vec!["text".to_string()]), "{keys}: {err}");
        assert!(err.contains("No space left"), "{err}");
    }
    folder.fail(
        "scheme bliss keygen --set I --secret @missing/key --public @key.pub",
        3,
        &["missing/key", "No such file"],
    );
    folder.fail("scheme bliss keygen --set I --secret @key --public @missing/pub", 3, &["missing/pub", "No such file"]);
    folder.fail(
        "scheme bliss keygen --set I --secret @key --public @key",
        2,
        &["--public", "must not be the file of --secret"],
    );
    folder.fail("scheme bliss keygen --set I --secret -", 2, &["--secret -", "add --public FILE"]);
    folder.fail("scheme bliss keygen --set I --secret - --public -", 2, &["--secret -", "add --public FILE"]);
    assert_eq!(names(folder.0.path()), ["text"]);
    folder.bliss_key();
    let (code, _, err) = folder.run("scheme bliss sign @text --secret @key --out /dev/full");
    assert_eq!(code, Some(3), "{err}");
}

#[test]
fn foreign_certificates() {
    let folder = Folder::new();
    let (ca, carol) = (fs::read(kat("caCert.der")).unwrap(), fs::read(kat("carolCert.der")).unwrap());
    folder.write("ca", &ca);
    folder.write("carol", &carol);
    let verify = "scheme bliss verify --profile strongswan --certificate @carol --issuer @ca";
    let said = folder.succeed(verify);
    assert!(said.contains("carol is signed by") && said.contains("BLISS-B IV, profile strongswan"), "{said}");
    assert!(said.contains("its own key is BLISS-B I"), "{said}");
    folder.succeed("scheme bliss verify --certificate @ca --issuer @ca");
    // One bit of names, key, signature or anything else.
    let is_invalid = |bytes: &[u8]| {
        folder.write("carol", bytes);
        let (code, out, err) = folder.run(verify);
        assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
        assert!(out.starts_with("INVALID: "), "{out}");
        out
    };
    for bit in (0..8 * carol.len()).step_by(331) {
        is_invalid(&flipped(&carol, bit));
    }
    assert!(is_invalid(&carol[..carol.len() - 1]).contains("malformed certificate"));
    assert!(is_invalid(b"").contains("malformed certificate: it ends too early"));
    folder.write("carol", &carol);
    let (code, out, _) = folder.run("scheme bliss verify --certificate @ca --issuer @carol");
    assert_eq!(code, Some(1));
    assert!(out.contains("names another issuer than"), "{out}");
    // What it is judged by is an input.
    folder.fail("scheme bliss verify --certificate @carol --issuer @text", 2, &["text: malformed certificate"]);
    folder.fail("scheme bliss verify --certificate @carol", 2, &["--issuer"]);
    folder.fail("scheme bliss verify --issuer @ca", 2, &["--certificate"]);
    folder.fail(
        "scheme bliss verify @text --certificate @carol --issuer @ca",
        2,
        &["text: cannot be used with --certificate"],
    );
    folder.fail("scheme bliss verify --profile sri --certificate @carol --issuer @ca", 2, &["sri", "no certificates"]);
    folder.fail(
        "scheme bliss verify --profile strongswan-sha3-256 --certificate @carol --issuer @ca",
        2,
        &["--profile strongswan-sha3-256: ", "carol names the profile strongswan: leave --profile out"],
    );
    folder.fail("scheme bliss verify --certificate - --issuer -", 2, &["standard input can be read only once"]);
    folder.fail("scheme bliss verify --certificate @none --issuer @ca", 2, &["none: cannot open"]);
}

#[test]
fn wrong_keys() {
    let folder = Folder::new();
    folder.bliss_key();
    folder.lp11_key();
    let key = folder.read("key");
    folder.write("short", &key[..key.len() - 1]);
    folder.write("long", &[&key[..], &[0]].concat());
    folder.write("huge", &vec![48; (1 << 20) + 1]);
    for (secret, why) in [
        ("@key.pub", "malformed"),
        ("@lp", "malformed signing key"),
        ("@text", "malformed signing key"),
        ("@short", "malformed signing key"),
        ("@long", "malformed signing key"),
        ("@huge", "is longer than 1048576 bytes"),
        ("@none", "none: cannot open"),
        ("@", "cannot"),
    ] {
        folder.fail(&format!("scheme bliss sign @text --secret {secret}"), 2, &[why]);
    }
    folder.fail("scheme bliss sign @text --secret @key --profile sri", 2, &["key: malformed signing key", "profile"]);
    folder.fail("scheme bliss sign @none --secret @key", 2, &["none: cannot open"]);
    folder.fail("scheme bliss sign - --secret -", 2, &["standard input can be read only once"]);
    for public in ["@key", "@lp.pub", "@text"] {
        let verify = format!("scheme bliss verify @text --signature @text --public {public}");
        folder.fail(&verify, 2, &["malformed public key"]);
    }
    for (secret, why) in [("@lp.pub", "malformed secret key"), ("@key", "its set is unknown"), ("@text", "malformed")] {
        folder.fail(&format!("scheme lp11 decrypt @text --secret {secret}"), 2, &[why]);
    }
    folder.fail("scheme lp11 encrypt @text --public @lp", 2, &["lp: malformed public key: it ends too early"]);
    folder.fail("scheme lp11 encrypt @text --public @key.pub", 2, &["key.pub: malformed public key"]);
    // Another set's ciphertext.
    folder.succeed("scheme lp11 keygen --set ring-512 --secret @big --public @big.pub --quiet");
    folder.succeed("scheme lp11 encrypt @text --public @big.pub --out @cipher --quiet");
    folder.fail("scheme lp11 decrypt @cipher --secret @lp", 2, &["cipher: malformed ciphertext: it is of another set"]);
}

#[test]
fn wrong_arguments() {
    let folder = Folder::new();
    folder.bliss_key();
    folder.lp11_key();
    let keys = "--secret @new --public @new.pub";
    for set in ["V", "i", "", "-1", "matrix-128"] {
        let line = folder.line(&format!("scheme bliss keygen {keys}"));
        let (code, _, err) = outcome(samplez().args(line.split_whitespace()).args(["--set", set]).output().unwrap());
        assert_eq!(code, Some(2), "{set}");
        assert!(err.contains(&format!("--set = {set}: expected 0, I, II, III or IV")), "{err}");
    }
    folder.fail(&format!("scheme bliss keygen --set 0 {keys}"), 2, &["--set = 0: profile strongswan allows I to IV"]);
    folder.fail(&format!("scheme bliss keygen --set I --variant a {keys}"), 2, &["--variant", "classic, b"]);
    folder.fail(&format!("scheme bliss keygen --set I --profile x {keys}"), 2, &["--profile", "strongswan-sha2-384, "]);
    folder.fail(&format!("scheme bliss keygen {keys}"), 2, &["--set"]);
    folder.fail("scheme bliss keygen --set I", 2, &["--secret"]);
    folder.fail("scheme bliss sign @text", 2, &["--secret"]);
    folder.fail("scheme bliss verify @text --public @key.pub", 2, &["--signature"]);
    folder.fail("scheme bliss verify --public @key.pub --signature @text", 2, &["FILE"]);
    folder.fail(&format!("scheme lp11 keygen --set I {keys}"), 2, &["--set = I: expected matrix-128, ", "or ring-512"]);
    folder.fail("scheme rsa keygen", 2, &["rsa"]);
    folder.fail("scheme", 2, &["bliss", "lp11", "regev", "sets"]);

    // Sources.
    for source in ["kiss64", "isaac64", "glibc-random", "posix-rand"] {
        let line = format!("scheme bliss sign @text --secret @key --source {source}");
        folder.fail(&line, 2, &[&format!("--source {source}"), "is not cryptographic", "chacha20, "]);
    }
    for source in ["os", "dev-random"] {
        let line = format!("scheme bliss keygen --set I {keys} --source {source}");
        folder.fail(&line, 2, &[&format!("--source {source}"), "can fail", "chacha20"]);
    }
    folder.fail("scheme lp11 encrypt @text --public @lp.pub --seed 12f", 2, &["64 hexadecimal digits"]);

    // Noise.
    let sign = "scheme bliss sign @text --secret @key";
    folder.fail(&format!("{sign} --method dice"), 2, &["--method", "dice"]);
    folder.fail(&format!("{sign} --sigma 215"), 2, &["--sigma"]);
    folder.fail(
        &format!("{sign} --recipe sigma=215"),
        2,
        &["--recipe: sigma = 215: the scheme's distribution is", "254"],
    );
    folder.fail(&format!("{sign} --recipe method=cdt --method cdt"), 2, &["--recipe already contains method"]);
    folder.fail(
        &format!("{sign} --method cdt --precision 40"),
        2,
        &["--precision = 40: its certificate must keep 126 of 128 bits of a search problem for 2^59 samples"],
    );
    folder.fail(
        "scheme lp11 encrypt @text --public @lp.pub --method cdt --precision 64",
        2,
        &["--precision = 64: its certificate must keep 126 of 128 bits of a decision problem, and keeps 61."],
    );
    folder.fail("scheme lp11 encrypt @text --public @lp.pub --method bernoulli", 2, &["s = 11.31"]);
    for method in ["cdt-guided", "du-wei-5"] {
        let line = format!("{sign} --method {method}");
        folder.fail(&line, 2, &[&format!("--method {method}: its timing is variable"), "--signer plain"]);
    }
    folder.fail(&format!("{sign} --signer fast"), 2, &["--signer", "isochronous, plain"]);
    folder.succeed(&format!("{sign} --signer plain --recipe k_sigma2=254,method=du-wei-5 --out @sig --quiet"));
    assert!(names(folder.0.path()).iter().all(|name| !name.starts_with("new") && !name.ends_with(".part")));
}

#[test]
fn regev_encrypts_and_decrypts() {
    let folder = Folder::new();
    let keys = "--secret @key --public @key.pub";
    let (_, _, err) = folder.run(&format!("scheme regev keygen --set mr09-136 {keys} --seed {SEED}"));
    assert!(err.contains("regev mr09-136 key") && err.contains("method="), "{err}");
    folder.succeed("scheme regev encrypt @text --public @key.pub --out @cipher --quiet");
    folder.succeed("scheme regev decrypt @cipher --secret @key --out @again");
    // A bit fails with probability 0.0084: 20 of these 360 with less than 1e-9.
    let again = folder.read("again");
    let wrong: u32 = TEXT.iter().zip(&again).map(|(a, b)| (a ^ b).count_ones()).sum();
    assert!(again.len() == TEXT.len() && wrong < 20, "{wrong}");
    let encrypt = "scheme regev encrypt @text --public @key.pub";
    folder.fail(&format!("{encrypt} --precision 128"), 2, &["regev's ciphertexts use no noise"]);
    folder.fail(&format!("scheme regev keygen --set 136 {keys}"), 2, &["--set = 136: expected mr09-136, "]);
    let cipher = folder.read("cipher");
    folder.write("cipher", &cipher[..cipher.len() - 2]);
    folder.fail("scheme regev decrypt @cipher --secret @key", 2, &["cipher: malformed ciphertext: "]);
    folder.lp11_key();
    folder.fail("scheme regev encrypt @text --public @lp.pub", 2, &["lp.pub: malformed public key"]);
}

#[test]
fn sets_are_listed() {
    let text = succeed("scheme sets");
    assert!(text.contains("ML-KEM, ML-DSA or FN-DSA") && text.contains("matrix-256"), "{text}");
    let report: Value = serde_json::from_str(&succeed("scheme sets --json")).unwrap();
    let sets = report["sets"].as_array().unwrap();
    let set = |scheme: &str, name: &str| {
        sets.iter().find(|set| set["scheme"] == scheme && set["set"] == name).expect("the set").clone()
    };
    let (four, ring) = (set("bliss", "IV"), set("lp11", "ring-256"));
    assert_eq!((&four["parameters"]["kappa"], &four["security"]), (&39.into(), &104.into()));
    assert_eq!((&four["problem"], &four["lifetime_log2"]), (&"search".into(), &48.into()));
    assert_eq!((&four["failure"], four["samples"]["classic"].as_f64().unwrap() as u32 / 10), (&Value::Null, 534));
    assert_eq!((&ring["problem"], &ring["samples"]["block"]), (&"decision".into(), &768.0.into()));
    assert!((ring["failure"]["rate"].as_f64().unwrap() / 3.47e-5 - 1.0).abs() < 0.01, "{ring}");
    assert_eq!(ring["noise"], "D_Z(s = 1131/100, center = 0)");
    let (published, inferred) = (set("regev", "mr09-136"), set("regev", "jsdgs17-256"));
    assert_eq!((&published["inferred"], &inferred["inferred"]), (&false.into(), &true.into()));
    assert_eq!((&published["lifetime_log2"], &published["parameters"]["m"]), (&Value::Null, &2008.into()));
    assert_eq!(inferred["samples"]["key"], 1_272_832.0);
    assert!(text.contains("jsdgs17-256 (inferred)"), "{text}");
}

#[test]
fn benchmarks_say_what_they_measured() {
    let line = "bench schemes --sets 0,I,ring-256 --turn 1 --methods default,bernoulli";
    let report: Value = serde_json::from_str(&succeed(&format!("{line} --json"))).unwrap();
    let rows = report["rows"].as_array().unwrap();
    // Both variants of two sets by both signers over the default, by the plain one over the other, which does not take LP11's
    // width.
    assert_eq!((rows.len(), report["refused"].as_array().unwrap().len()), (2 * 2 * 3 + 1, 1), "{report}");
    for row in rows {
        let operations = row["operations"].as_array().unwrap();
        assert_eq!(operations.len(), 3);
        for operation in operations {
            let of = |name: &str| operation[name].as_f64();
            let (low, median, high) = (of("quantile_10").unwrap(), of("median").unwrap(), of("quantile_90").unwrap());
            assert!(0.0 < low && low <= median && median <= high && operation["runs"].as_u64().unwrap() >= 15, "{row}");
            assert!(of("sampling_share").is_none_or(|share| 0.0 < share && share < 1.0), "{row}");
        }
        let n = if row["scheme"] == "lp11" {
            768
        } else if row["set"] == "0" {
            512
        } else {
            1024
        };
        let samples = operations[1]["samples"].as_f64().unwrap();
        assert!(if row["scheme"] == "lp11" { samples == f64::from(n) } else { samples >= f64::from(n) }, "{row}");
    }
    let encrypting = rows.iter().find(|row| row["scheme"] == "lp11").unwrap();
    assert_eq!(encrypting["operations"][0]["samples"], 512.0);
    let text = succeed(&format!("{line} --schemes bliss"));
    assert!(
        text.contains("bliss b I  ")
            && text.contains("bliss b I isochronous")
            && text.contains("SRI's C, quoted")
            && !text.contains("lp11"),
        "{text}"
    );
    fail("bench schemes --sets V", 2, &["--sets V: expected one of 0, I, II, III, IV, matrix-128"]);
    fail("bench schemes --sources kiss64", 2, &["kiss64", "cryptographic"]);
    fail("bench schemes --methods dice", 2, &["--methods", "dice", "or default"]);
    fail("bench schemes --schemes rsa", 2, &["--schemes", "rsa"]);
    fail("bench schemes --turn 0", 2, &["--turn"]);
}
