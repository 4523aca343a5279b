//! Where the data goes: standard output, or a file that appears whole or not at all.

mod limits;
mod part;

pub(crate) use part::{Lock, Readers};

use crate::failure::{Failure, complain};
use crate::numbers::grouped;
use part::{Existing, Part};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A place to write to.
///
/// A regular file is written under a temporary name in its own directory and takes its name in
/// [`finish`](Output::finish); until then a file that had the name keeps its content. A failure,
/// SIGINT, SIGTERM or SIGHUP on the way removes the temporary file; what a killed run has left is
/// removed by the next one of the same name. What is not a regular file (a device, a named pipe) is
/// written to directly.
pub struct Output {
    sink: Sink,
    name: String,
}

enum Sink {
    Stdout(io::Stdout),
    Direct(File),
    Whole { part: Part, stop: StopSignal },
}

impl Output {
    /// For reports. It is no error if nobody reads them.
    pub(crate) fn stdout() -> Output {
        limits::survive_size_limit();
        Output { sink: Sink::Stdout(io::stdout()), name: "standard output".to_string() }
    }

    /// The file that `--out` names; `-` is standard output, as no file is.
    pub(crate) fn named(out: Option<&PathBuf>) -> Option<&Path> {
        out.map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }

    /// For data: a note if standard output is closed, unless quiet.
    pub(crate) fn data(quiet: bool) -> Output {
        if !quiet && limits::stdout_is_closed() {
            complain(format_args!(
                "note: standard output is closed, or /dev/null: the data is lost; redirect it, or name a file"
            ));
        }
        Output::stdout()
    }

    /// The file, or standard output for data. A replaced or left-over file is reported, unless quiet.
    pub(crate) fn to(path: Option<&Path>, quiet: bool) -> Result<Output, Failure> {
        path.map_or_else(|| Ok(Output::data(quiet)), |path| Output::file(path, quiet))
    }

    /// A file, which replaces one that has its name.
    pub fn file(path: &Path, quiet: bool) -> Result<Output, Failure> {
        let output = Self::open(path, Existing::Replaced, Readers::Any, quiet)?;
        if let (Sink::Whole { part, .. }, false) = (&output.sink, quiet)
            && let Ok(old) = fs::metadata(part.path())
        {
            let bytes = grouped(i128::from(old.len()));
            complain(format_args!("note: {} exists ({bytes} bytes), and is replaced when all is written", output.name));
        }
        Ok(output)
    }

    /// A file that must not be there yet: nothing of this name is replaced, even if it appears meanwhile. A link that leads nowhere
    /// is there too: a key is written only where its name points.
    pub(crate) fn new_file(path: &Path, readers: Readers) -> Result<Output, Failure> {
        let leads_nowhere = || fs::symlink_metadata(path).is_ok();
        if fs::metadata(path).map_or_else(|_| leads_nowhere(), |found| found.is_file()) {
            return Err(exists(&path.display().to_string()));
        }
        Self::open(path, Existing::Refused, readers, false)
    }

    fn open(path: &Path, existing: Existing, readers: Readers, quiet: bool) -> Result<Output, Failure> {
        let name = path.display().to_string();
        limits::survive_size_limit();
        let sink = Self::sink(path, existing, readers, quiet).map_err(|error| Failure::write(&name, &error))?;
        Ok(Output { sink, name })
    }

    fn sink(path: &Path, existing: Existing, readers: Readers, quiet: bool) -> io::Result<Sink> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(found) if !found.is_file() => return Ok(Sink::Direct(File::options().write(true).open(path)?)),
            _ => {}
        }
        let stop = StopSignal::watch()?;
        for name in part::sweep(path) {
            if !quiet {
                complain(format_args!("note: {name}, left by a run that was killed, is removed"));
            }
        }
        Ok(Sink::Whole { part: Part::create(path, existing, readers)?, stop })
    }

    /// Refuses what surely will not fit, before the first byte: at least so many bytes are to come.
    pub(crate) fn expect(&self, bytes: u128) -> Result<(), Failure> {
        let left = match &self.sink {
            #[cfg(unix)]
            Sink::Stdout(_) => limits::stdout().ok().and_then(|file| limits::of(&file)),
            Sink::Whole { part, .. } => limits::of(part.file()),
            _ => None,
        };
        match left {
            Some(left) if u128::from(left) < bytes => Err(Failure::System(format!(
                "cannot write {}: the output has at least {} bytes, and at most {} fit",
                self.name,
                grouped(i128::try_from(bytes).unwrap_or(i128::MAX)),
                grouped(i128::from(left))
            ))),
            _ => Ok(()),
        }
    }

    /// Whether [`rewrite`](Self::rewrite) can be.
    pub(crate) fn is_rewritable(&self) -> bool {
        matches!(self.sink, Sink::Whole { .. })
    }

    /// Writes the first bytes of a file anew, when all others are written.
    pub(crate) fn rewrite(&mut self, start: &[u8]) -> Result<(), Failure> {
        let result = match &mut self.sink {
            Sink::Whole { part, .. } => part.file().rewind().and_then(|()| part.file().write_all(start)),
            _ => Err(io::Error::from(io::ErrorKind::NotSeekable)),
        };
        result.map_err(|error| Failure::write(&self.name, &error))
    }

    /// Appends `bytes`.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let result = match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write_all(bytes),
            Sink::Direct(file) => file.write_all(bytes),
            Sink::Whole { part, stop } => {
                stop.check()?;
                part.file().write_all(bytes)
            }
        };
        result.map_err(|error| Failure::write(&self.name, &error))
    }

    /// Everything is written: the file takes its name, on disk.
    pub fn finish(self) -> Result<(), Failure> {
        let result = match self.sink {
            Sink::Stdout(mut stdout) => stdout.flush(),
            Sink::Direct(_) => Ok(()),
            Sink::Whole { part, stop } => {
                let synced = part.file().sync_all();
                stop.check()?;
                match synced.and_then(|()| part.place()) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(exists(&self.name)),
                    placed => placed,
                }
            }
        };
        result.map_err(|error| Failure::write(&self.name, &error))
    }

    /// Finishes both, or neither: if the second fails, the first is taken back where it is a new file.
    pub(crate) fn finish_both(first: Output, second: Output) -> Result<(), Failure> {
        let new = match &first.sink {
            Sink::Whole { part, .. } if part.is_new() => Some(part.path().to_path_buf()),
            _ => None,
        };
        first.finish()?;
        let finished = second.finish();
        if let (Err(_), Some(path)) = (&finished, new) {
            let _ = fs::remove_file(path);
        }
        finished
    }
}

/// Writes a small file whole, on disk, in place of one that has its name. Until then that one keeps its content.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    limits::survive_size_limit();
    part::sweep(path);
    let written = || {
        let part = Part::create(path, Existing::Replaced, Readers::Any)?;
        part.file().write_all(bytes)?;
        part.file().sync_all()?;
        part.place()
    };
    written().map_err(|error| Failure::write(&path.display().to_string(), &error))
}

fn exists(name: &str) -> Failure {
    Failure::input(name, "exists already, and is not overwritten: name another file, or remove it")
}

/// Notes the signals that ask the process to stop, in place of dying on the spot.
struct StopSignal(Arc<AtomicUsize>);

impl StopSignal {
    fn watch() -> io::Result<StopSignal> {
        let seen = Arc::new(AtomicUsize::new(0));
        let signals = [
            SIGINT,
            SIGTERM,
            #[cfg(unix)]
            signal_hook::consts::SIGHUP,
        ];
        for signal in signals {
            signal_hook::flag::register_usize(signal, Arc::clone(&seen), signal as usize)?;
        }
        Ok(StopSignal(seen))
    }

    fn check(&self) -> Result<(), Failure> {
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            signal => Err(Failure::Signal(signal as u8)),
        }
    }
}
