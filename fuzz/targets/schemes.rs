#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| samplez_fuzz::schemes(data));

/// Without cargo-fuzz: runs the target on the files that are named as arguments.
#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    std::env::args_os().skip(1).try_for_each(|path| Ok(samplez_fuzz::schemes(&std::fs::read(path)?)))
}
