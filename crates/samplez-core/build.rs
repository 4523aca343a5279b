//! A `--cfg samplez_backend="…"` with a value that nothing reads is an error, not a no-op.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let Ok(value) = std::env::var("CARGO_CFG_SAMPLEZ_BACKEND") else { return };
    if !["scalar", "avx2", "avx512", "simd128"].contains(&value.as_str()) {
        println!(
            "cargo::error=samplez_backend = {value:?}: expected one of \"scalar\", \"avx2\", \"avx512\", \"simd128\""
        );
    }
}
