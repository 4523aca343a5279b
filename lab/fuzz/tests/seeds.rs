//! The targets' bodies on the committed seeds: inputs worth keeping, one file each.

use samplez_fuzz::{builders, calls, drbgs, files, params, recipes, samplers, schemes, tables};
use std::path::Path;

fn here(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

macro_rules! targets {
    ($($target:ident),*) => {
        $(
            #[test]
            fn $target() {
                super::run(stringify!($target), super::$target);
            }
        )*
        pub(super) const ALL: &[&str] = &[$(stringify!($target)),*];
    };
}

mod seeds {
    targets!(builders, calls, drbgs, files, params, recipes, samplers, schemes, tables);
}

fn run(target: &str, body: impl Fn(&[u8])) {
    let mut count = 0;
    for entry in std::fs::read_dir(here("seeds").join(target)).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        body(&std::fs::read(path).unwrap());
        count += 1;
    }
    assert!(count >= 5, "{target}: {count} seeds");
    // What the fuzzer begins with.
    body(&[]);
    (0..=255).for_each(|byte| body(&[byte; 100]));
}

/// Every target is tested here, and is fuzzed each night.
#[test]
fn nothing_is_left_out() {
    let mut targets: Vec<String> = std::fs::read_dir(here("targets"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    targets.sort();
    assert_eq!(targets, seeds::ALL);
    let nightly = std::fs::read_to_string(here("../../.github/workflows/nightly.yml")).unwrap();
    assert!(nightly.contains(&format!("target: [{}]", targets.join(", "))), "nightly.yml");
}

#[test]
fn convolutions_are_drawn_from() {
    for (seed, is_one) in [("convolution", true), ("convolution-two", true), ("convolution-legs", false)] {
        let bytes = std::fs::read(here("seeds/tables").join(seed)).unwrap();
        assert_eq!(samplez_fuzz::is_convolution(&bytes), is_one, "{seed}");
    }
}
