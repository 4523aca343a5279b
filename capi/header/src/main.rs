//! Prints the header of the C interface, from the source folder given.

use cbindgen::{Config, EnumConfig, Language, Style};
use std::process::ExitCode;

const HEADER: &str = "\
/* samplez: discrete Gaussian sampling over the integers, D_{Z,sigma,c}.
 *
 * Generated from capi/src by `cargo xtask gen-header`. Do not edit.
 *
 * Every function that can fail returns a samplez_status; samplez_last_error() has the words.
 * Numbers are passed as texts, and taken exactly.
 */";

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: samplez-header FOLDER");
        return ExitCode::from(2);
    };
    let config = Config {
        language: Language::C,
        header: Some(HEADER.into()),
        include_guard: Some("SAMPLEZ_H".into()),
        cpp_compat: true,
        style: Style::Both,
        usize_is_size_t: true,
        documentation_style: cbindgen::DocumentationStyle::C,
        line_length: 100,
        enumeration: EnumConfig { prefix_with_name: false, ..EnumConfig::default() },
        ..Config::default()
    };
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in ["status.rs", "sampler.rs", "stream.rs", "bulk.rs"] {
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
