//! The promise of running time of a build, for every front.

use samplez_core::Timing;

/// Whether the classes of samplers hold in this build. In WebAssembly an engine compiles the code again, and may add branches.
pub(crate) const PROMISED: bool = !cfg!(target_family = "wasm");

/// Returns what this build promises of code of this class: the class itself, and in WebAssembly [`Timing::Unpromised`] in place of
/// constant and isochronous.
///
/// ```
/// use samplez::{Timing, bindings::promised};
/// let here = if cfg!(target_family = "wasm") { Timing::Unpromised } else { Timing::Constant };
/// assert_eq!(promised(Timing::Constant), here);
/// ```
pub const fn promised(class: Timing) -> Timing {
    match class {
        Timing::Constant | Timing::Isochronous if !PROMISED => Timing::Unpromised,
        class => class,
    }
}

/// Processors on which memcheck and timings tested the library's own classes: docs/timing.md has the evidence.
const TESTED: &[&str] = &["x86_64"];

/// The class as a certificate has it: with the processors on which it was tested.
pub(crate) fn in_words(class: Timing) -> String {
    let here = std::env::consts::ARCH;
    match promised(class) {
        Timing::Unpromised => format!("{class} (native code only; WebAssembly promises none)"),
        Timing::Variable => class.to_string(),
        class if TESTED.contains(&here) => format!("{class} (tested on {})", TESTED.join(", ")),
        class => format!("{class} (tested on {}, not on {here})", TESTED.join(", ")),
    }
}
