#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| samplez_fuzz::recipes(data));

/// Without cargo-fuzz: runs the target on the files that are named as arguments.
#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    std::env::args_os().skip(1).try_for_each(|path| std::fs::read(path).map(|bytes| samplez_fuzz::recipes(&bytes)))
}
