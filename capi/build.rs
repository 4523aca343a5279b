//! The shared library's name for the loader: `libsamplez_c.so.0.1`, `@rpath/libsamplez_c.0.1.dylib`. Programs that were linked with
//! one interface are not run with another; before 1.0 a minor version may change it. Windows has no such name.
//!
//! What is exported needs no script: of a `cdylib` the compiler exports the functions of the interface alone, which
//! `packages/package.sh` compares with the header.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    let (major, minor) = (of("CARGO_PKG_VERSION_MAJOR"), of("CARGO_PKG_VERSION_MINOR"));
    let interface = if major == "0" { format!("0.{minor}") } else { major };
    match (of("CARGO_CFG_TARGET_OS").as_str(), of("CARGO_CFG_TARGET_FAMILY").as_str()) {
        ("macos", _) => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libsamplez_c.{interface}.dylib")
        }
        (_, "unix") => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsamplez_c.so.{interface}"),
        _ => {}
    }
}
