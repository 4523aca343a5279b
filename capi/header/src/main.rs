//! Prints the header of the C interface, from the source folder given; the second argument is the text below the includes.

use cbindgen::{Config, EnumConfig, Language, Style};
use std::process::ExitCode;

const HEADER: &str = "\
/* samplez: discrete Gaussian sampling over the integers, D_{Z,sigma,c}.
 *
 * Generated from capi/src by `cargo xtask gen-header`. Do not edit.
 *
 * Build a sampler from a recipe, open a stream, and fill an array:
 *
 *     samplez_sampler *sampler;
 *     samplez_stream *stream;
 *     int8_t noise[1000];
 *     if (samplez_sampler_new(\"sigma=3.2\", &sampler) != SAMPLEZ_OK ||
 *         samplez_stream_new(\"chacha20\", NULL, &stream) != SAMPLEZ_OK ||
 *         samplez_fill_i8(sampler, stream, noise, 1000) != SAMPLEZ_OK) {
 *         fprintf(stderr, \"%s\\n\", samplez_last_error());
 *     }
 *
 *     you need                                       use
 *     ---------------------------------------------  ---------------------------------------------------
 *     samples from a seed or the operating system    samplez_stream_new, then samplez_fill_i8 to _i64
 *     samples from your own generator                samplez_stream_from_callback, then samplez_fill_i8
 *     an array that is a function of its seed        samplez_bulk_i8 to _i64, on any number of threads
 *     a centre and a width with each sample          samplez_round, samplez_round_each, samplez_sample_each
 *     distance from D_{Z,sigma,c}, timing, costs     samplez_sampler_text, samplez_sampler_figure
 *     probabilities, quantiles                       samplez_law_values, samplez_sampler_pmf
 *     tests of integers                              samplez_verify
 *     a sampler over your own table                  samplez_sampler_from_table
 *     sigma or a centre beyond 64 bits               samplez_big_new, samplez_big_fill
 *     ternary, centred binomial, TUniform, Skellam,
 *     discrete Laplace noise                         samplez_sampler_new
 *     ternary vectors of a fixed weight              samplez_fill_sparse_ternary
 *     residues modulo q                              samplez_residues
 *
 * Errors: every function that can fail returns a samplez_status, samplez_last_error() the message, and
 * samplez_last_kind() the kind of a refused argument.
 *
 * Alignment: align arrays and the places of results as their types require, as malloc does. Any other
 * pointer is refused with SAMPLEZ_INVALID_ARGUMENT. Arrays of bytes may begin anywhere.
 *
 * Threads: many threads may use a sampler at once, and one at a time a stream.
 *
 * Fork: in a forked process, a seeded stream of the parent returns SAMPLEZ_ENTROPY: open a new one there,
 * with another seed. Others read new bits. Both processes may use samplers.
 * Do not fork while another thread is in this library.
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
    for file in ["status.rs", "sampler.rs", "stream.rs", "bulk.rs", "each.rs", "law.rs", "verify.rs", "residues.rs", "big.rs"] {
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
