//! `samplez bytes`, and the places where seeds come from.

use crate::common::{ENTROPY, FOLDER, SEED, fail, outcome, run, samplez, succeed};
use samplez::{Seed, Source};
use std::io::Read;
use std::process::Stdio;

fn raw(line: &str) -> Vec<u8> {
    let output = samplez().args(line.split_whitespace()).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{line}");
    output.stdout
}

#[test]
fn the_bytes_are_the_sources() {
    for source in Source::ALL {
        let (seed, len) = if source.is_seeded() { (format!("--seed {SEED}"), 100_003) } else { (String::new(), 1000) };
        let bytes = raw(&format!("bytes --source {source} {seed} --count {len}"));
        assert_eq!(bytes.len(), len, "{source}");
        if source.is_seeded() {
            let mut expected = vec![0; len];
            source.open(&SEED.parse::<Seed>().unwrap()).unwrap().try_fill_bytes(&mut expected).unwrap();
            assert!(bytes == expected, "{source}");
        }
    }
    let key = "01".to_string() + &"0".repeat(62); // kat/sources.csv
    assert_eq!(raw(&format!("bytes --source chacha20 --seed {key} --count 4")), [0xc5, 0xd3, 0x0a, 0x7c]);
    assert_ne!(raw("bytes --source chacha20 --count 32"), raw("bytes --source chacha20 --count 32"));
}

#[test]
fn a_drbg_takes_its_own_inputs() {
    let (entropy, nonce) = ("01".repeat(31) + "02", "02".repeat(16));
    let bytes = raw(&format!(
        "bytes --source hash-drbg-sha256 --entropy {entropy} --nonce {nonce} --personalization 616263 --count 50"
    ));
    let mut expected = [0; 50];
    let same: [u8; 32] = std::array::from_fn(|i| if i < 31 { 1 } else { 2 });
    let mut drbg = Source::HashDrbgSha256.instantiate(&same, &[2; 16], b"abc").unwrap().unwrap();
    drbg.try_fill_bytes(&mut expected).unwrap();
    assert_eq!(bytes, expected);
    // A seed is entropy with a nonce of zeros.
    let of = |rest: &str| raw(&format!("bytes --source ctr-drbg-aes256 --count 100 {rest}"));
    assert_eq!(of(&format!("--seed {entropy}")), of(&format!("--entropy {entropy} --nonce {}", "00".repeat(16))));
    let base = "bytes --source ctr-drbg-aes256 --count 1";
    fail(&format!("{base} --entropy {} --nonce {nonce}", "01".repeat(31)), 2, &["31", "32"]);
    fail(&format!("{base} --entropy {entropy} --nonce 02"), 2, &["nonce", "16"]);
    fail(&format!("{base} --entropy {entropy}"), 2, &["--nonce"]);
    fail(&format!("{base} --nonce {nonce}"), 2, &["--entropy"]);
    fail(&format!("{base} --entropy 012 --nonce {nonce}"), 2, &["--entropy", "whole bytes"]);
    fail(&format!("{base} --entropy 0x --nonce {nonce}"), 2, &["--entropy", "character 2"]);
    fail(&format!("{base} --entropy {entropy} --nonce {nonce} --seed {SEED}"), 2, &["--entropy", "seed"]);
    fail(&format!("bytes --source kiss64 --entropy {entropy} --nonce {nonce} --count 1"), 2, &["kiss64", "DRBG"]);
}

#[test]
fn bad_arguments() {
    for count in ["-1", "0", "x", "1.5"] {
        fail(&format!("bytes --source os --count {count}"), 2, &["--count", "whole numbers"]);
    }
    fail("bytes --count 1", 2, &["--source"]);
    fail("bytes --source dice --count 1", 2, &["dice", "kiss64"]);
    fail(&format!("bytes --source os --seed {SEED} --count 1"), 2, &["--seed", "os takes no seed"]);
    fail("bytes --source dev-random --seed-from os --count 1", 2, &["--seed-from", "dev-random takes no seed"]);
    fail("bytes --source chacha20 --seed 12f --count 1", 2, &["64 hexadecimal digits"]);
    fail("bytes --source chacha20 --seed-from nowhere --count 1", 2, &["nowhere", "file:PATH"]);
    fail(&format!("bytes --source chacha20 --seed {SEED} --seed-from os --count 1"), 2, &["--seed-from"]);
    fail("bytes --source chacha20 --seed-from os --repeat --count 1", 2, &["--repeat", "file"]);
    fail("bytes --source chacha20 --repeat --count 1", 2, &["--seed-from"]);
}

#[test]
fn seeds_from_places() {
    let folder = tempfile::tempdir().unwrap();
    let (path, short) = (folder.path().join("entropy"), folder.path().join("short"));
    let content: Vec<u8> = (0..40).collect();
    std::fs::write(&path, &content).unwrap();
    std::fs::write(&short, &content[..5]).unwrap();
    let from = |rest: &str| raw(&format!("bytes --source kiss64 --count 64 {rest}"));
    // SEED is the bytes 0 to 31.
    assert_eq!(from(&format!("--seed-from file:{}", path.display())), from(&format!("--seed {SEED}")));
    let repeated: String = (0..32).map(|i| format!("{:02x}", i % 5)).collect();
    assert_eq!(from(&format!("--seed-from file:{} --repeat", short.display())), from(&format!("--seed {repeated}")));
    for place in ENTROPY {
        let line = format!("--seed-from {place}");
        assert_ne!(from(&line), from(&line), "{place}");
    }
    let line = |file: &std::path::Path| format!("sample --sigma 3 --count 1 --seed-from file:{}", file.display());
    fail(&line(&short), 2, &["short", "ended after 5 bytes", "32 bytes", "--repeat"]);
    fail(&line(folder.path()), 2, &FOLDER);
    fail(&line(&folder.path().join("missing")), 2, &["missing", "cannot be opened"]);
    std::fs::write(&short, "").unwrap();
    fail(&format!("{} --repeat", line(&short)), 2, &["is empty"]);
}

#[test]
fn the_time_is_a_seed_with_a_warning() {
    for place in ["insecure-time", "time"] {
        let (code, out, err) = run(&format!("sample --sigma 3 --count 3 --quiet --seed-from {place}"));
        assert_eq!((code, out.lines().count(), err.lines().count()), (Some(0), 3, 1), "{err}");
        assert!(err.starts_with("warning: ") && err.contains("30 bits"), "{err}");
    }
}

#[test]
fn an_endless_stream_ends_with_its_reader() {
    for (count, expected) in [("", 0), ("--count 1e15", 141)] {
        let mut command = samplez();
        command.args(format!("bytes --source chacha8 {count}").split_whitespace());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut [0; 1 << 20]).unwrap();
        drop(pipe);
        let (code, _, err) = outcome(child.wait_with_output().unwrap());
        assert_eq!((code, err.as_str()), (Some(expected), ""));
    }
}

#[cfg(unix)]
#[test]
fn a_full_device_is_an_error() {
    let device = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = samplez().args(["bytes", "--source", "kiss64"]).stdout(device).output().unwrap();
    let (code, _, err) = outcome(output);
    assert_eq!(code, Some(3), "{err}");
    assert!(succeed("--help").contains("bytes"));
}
