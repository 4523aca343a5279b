//! `samplez man`.

use crate::args::{Cli, Man};
use crate::failure::Failure;
use crate::output::Output;
use clap::{Command, CommandFactory};
use clap_mangen as roff;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Man) -> Result<ExitCode, Failure> {
    let mut command = Cli::command();
    command.build();
    match &args.out {
        None => write(&command, Output::data(false))?,
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .map_err(|error| Failure::System(format!("cannot create {}: {error}", folder.display())))?;
            pages(&command, folder)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The pages of a command and of all below it.
fn pages(command: &Command, folder: &Path) -> Result<(), Failure> {
    // `samplez-scheme-bliss-sign`: with the names of all above it.
    let name = command.get_display_name().unwrap_or(command.get_name());
    write(command, Output::file(&folder.join(format!("{name}.1")), true)?)?;
    command.get_subcommands().filter(|below| below.get_name() != "help").try_for_each(|below| pages(below, folder))
}

fn write(command: &Command, mut output: Output) -> Result<(), Failure> {
    let mut page = Vec::new();
    let source = concat!("samplez ", env!("CARGO_PKG_VERSION"));
    let rendered = roff::Man::new(command.clone()).source(source).render(&mut page);
    rendered.map_err(|error| Failure::System(format!("cannot write the manual: {error}")))?;
    output.write(&page)?;
    output.finish()
}
