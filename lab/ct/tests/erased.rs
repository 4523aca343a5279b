//! What `make ct CT=erased` looks for in release builds, in this one.
#![cfg(target_os = "linux")]

use std::process::Command;

#[test]
fn nothing_is_left_of_secrets() {
    let output = Command::new(env!("CARGO_BIN_EXE_samplez-ct")).arg("erased").output().unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && table.lines().count() > 50,
        "{}{table}",
        String::from_utf8_lossy(&output.stderr)
    );
}
