//! The help of every command has an example, which runs as it is printed.
#![cfg(unix)]

use crate::common::{names, succeed};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

/// An example may read the files that earlier ones write.
const COMMANDS: [&str; 29] = [
    "sample",
    "round",
    "lattice",
    "verify",
    "identify",
    "watch",
    "certify",
    "table",
    "circuit",
    "plot",
    "methods",
    "plan",
    "sources",
    "bytes",
    "scheme bliss keygen",
    "scheme bliss sign",
    "scheme bliss verify",
    "scheme lp11 keygen",
    "scheme lp11 encrypt",
    "scheme lp11 decrypt",
    "scheme regev keygen",
    "scheme regev encrypt",
    "scheme regev decrypt",
    "scheme sets",
    "bench sample",
    "bench sources",
    "bench schemes",
    "completions",
    "man",
];

#[test]
fn the_example_of_every_command_runs() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("message.txt"), "a message\n").unwrap();
    std::fs::write(at("basis.txt"), "[[2 1 0]\n[0 3 1]\n[1 0 4]]\n").unwrap();
    // Nothing but this program and the shell's own commands is found: no OpenSSL, whose baselines take seconds.
    let programs = Path::new(env!("CARGO_BIN_EXE_samplez")).parent().unwrap();
    for command in COMMANDS {
        let help = succeed(&format!("{command} --help"));
        let example = help.lines().find_map(|line| line.trim().strip_prefix("Example: ")).expect(command);
        assert!(
            example.contains(&format!("samplez {command} ")) || example == format!("samplez {command}"),
            "{example}"
        );
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", example]).current_dir(folder.path()).env("PATH", programs).stdin(Stdio::null());
        // A letter that Regev's scheme deciphers wrongly need not be UTF-8.
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{example}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    // The manual has a page for every command. A command with subcommands has no example.
    let pages: Vec<String> = names(&at("man1")).iter().map(|name| name.trim_end_matches(".1").to_string()).collect();
    let is_leaf = |page: &&String| !pages.iter().any(|other| other.starts_with(&format!("{page}-")));
    let leaves: BTreeSet<String> =
        pages.iter().filter(is_leaf).map(|page| page.replacen("samplez-", "", 1).replace('-', " ")).collect();
    assert_eq!(leaves, COMMANDS.map(String::from).into());
}
