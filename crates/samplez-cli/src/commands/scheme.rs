//! `samplez scheme`.

mod bliss;
pub(crate) mod cipher;
mod encryption;
mod files;
pub(crate) mod lp11;
mod randomness;
pub(crate) mod regev;
mod sets;

use crate::args::Scheme;
use crate::failure::Failure;
use std::process::ExitCode;

pub(crate) fn run(args: &Scheme) -> Result<ExitCode, Failure> {
    match args {
        Scheme::Bliss(args) => bliss::run(args),
        Scheme::Lp11(args) => encryption::run::<lp11::Lp11>(args),
        Scheme::Regev(args) => encryption::run::<regev::Regev>(args),
        Scheme::Sets(args) => sets::run(args),
    }
}
