//! Prints the header of the C interface, from the source folder given; the second argument is what stands below the includes.

use cbindgen::{Config, EnumConfig, Language, Style};
use std::process::ExitCode;

const HEADER: &str = "\
/* samplez: discrete Gaussian sampling over the integers, D_{Z,sigma,c}.
 *
 * Generated from capi/src by `cargo xtask gen-header`. Do not edit.
 *
 * Every function that can fail returns a samplez_status; samplez_last_error() has the words.
 * The numbers of a recipe are a text, and taken exactly.
 *
 * Alignment: an array is aligned as its type asks, as malloc's is, and so is the place of any other result;
 * what is not is refused with SAMPLEZ_INVALID_ARGUMENT. Arrays of bytes may begin anywhere.
 *
 * Threads and fork: a sampler may be used by many threads at once, a stream by one at a time. In a
 * process that was forked, a stream of its parent gives no integer that the parent gets: a seeded one
 * returns SAMPLEZ_ENTROPY, so open a new one there, with another seed. Samplers may be used on both
 * sides. Do not fork while another thread is in this library.
 */";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(macros)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: samplez-header FOLDER MACROS");
        return ExitCode::from(2);
    };
    let config = Config {
        language: Language::C,
        header: Some(HEADER.into()),
        include_guard: Some("SAMPLEZ_H".into()),
        after_includes: Some(macros),
        cpp_compat: true,
        style: Style::Both,
        usize_is_size_t: true,
        documentation_style: cbindgen::DocumentationStyle::C,
        line_length: 100,
        enumeration: EnumConfig { prefix_with_name: false, ..EnumConfig::default() },
        ..Config::default()
    };
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in ["status.rs", "sampler.rs", "stream.rs", "bulk.rs", "each.rs", "residues.rs", "big.rs"] {
        builder = builder.with_src(std::path::Path::new(&folder).join(file));
    }
    match builder.generate() {
        Ok(bindings) => {
            bindings.write(std::io::stdout());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("samplez-header: {error}");
            ExitCode::from(1)
        }
    }
}
