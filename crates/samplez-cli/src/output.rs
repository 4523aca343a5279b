//! Where the data goes: standard output, or a file that appears whole or not at all.

use crate::failure::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::NamedTempFile;

/// A place to write to.
///
/// A regular file is written under a temporary name in its own directory and takes its name in
/// [`finish`](Output::finish); until then a file that had the name keeps its content. A failure,
/// SIGINT, SIGTERM or SIGHUP on the way removes the temporary file. What is not a regular file
/// (a device, a named pipe) is written to directly.
pub(crate) struct Output {
    sink: Sink,
    name: String,
}

enum Sink {
    Stdout(io::Stdout),
    Direct(File),
    Whole { file: NamedTempFile, path: PathBuf, stop: StopSignal, existing: Existing },
}

/// What becomes of a file that has the name already.
#[derive(Clone, Copy, PartialEq)]
enum Existing {
    Replaced,
    Refused,
}

/// Who may read a file.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Readers {
    /// Whoever may read any new file.
    Any,
    /// Its owner alone.
    Owner,
}

impl Output {
    pub(crate) fn stdout() -> Output {
        Output { sink: Sink::Stdout(io::stdout()), name: "standard output".to_string() }
    }

    pub(crate) fn file(path: &Path) -> Result<Output, Failure> {
        Self::open(path, Existing::Replaced, Readers::Any)
    }

    /// A file that must not be there yet: nothing of this name is replaced, even if it appears meanwhile.
    pub(crate) fn new_file(path: &Path, readers: Readers) -> Result<Output, Failure> {
        Self::open(path, Existing::Refused, readers)
    }

    fn open(path: &Path, existing: Existing, readers: Readers) -> Result<Output, Failure> {
        let name = path.display().to_string();
        if existing == Existing::Refused && fs::metadata(path).is_ok_and(|found| found.is_file()) {
            return Err(exists(&name));
        }
        let sink = Self::sink(path, existing, readers).map_err(|error| Failure::write(&name, &error))?;
        Ok(Output { sink, name })
    }

    fn sink(path: &Path, existing: Existing, readers: Readers) -> io::Result<Sink> {
        // Through a symbolic link: the file it points to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(found) if !found.is_file() => return Ok(Sink::Direct(File::options().write(true).open(path)?)),
            _ => {}
        }
        let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let stop = StopSignal::watch()?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".samplez-").suffix(".part");
        // The permissions of any new file, less the process's umask; a temporary file has none for others.
        #[cfg(unix)]
        if readers == Readers::Any {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        #[cfg(not(unix))]
        let _ = readers;
        let file = builder.tempfile_in(directory)?;
        Ok(Sink::Whole { file, path, stop, existing })
    }

    /// Appends `bytes`.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let result = match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write_all(bytes),
            Sink::Direct(file) => file.write_all(bytes),
            Sink::Whole { file, stop, .. } => {
                stop.check()?;
                file.as_file_mut().write_all(bytes)
            }
        };
        result.map_err(|error| Failure::write(&self.name, &error))
    }

    /// Everything is written: the file takes its name, on disk.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let result = match self.sink {
            Sink::Stdout(mut stdout) => stdout.flush(),
            Sink::Direct(_) => Ok(()),
            Sink::Whole { file, path, stop, existing } => {
                let synced = file.as_file().sync_all();
                stop.check()?;
                let placed = match existing {
                    Existing::Replaced => synced.and_then(|()| file.persist(path).map_err(|error| error.error)),
                    Existing::Refused => {
                        synced.and_then(|()| file.persist_noclobber(path).map_err(|error| error.error))
                    }
                };
                match placed {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(exists(&self.name)),
                    placed => placed.map(|_| ()),
                }
            }
        };
        result.map_err(|error| Failure::write(&self.name, &error))
    }

    /// Finishes both, or neither: if the second fails, the first is taken back where it is a new file.
    pub(crate) fn finish_both(first: Output, second: Output) -> Result<(), Failure> {
        let new = match &first.sink {
            Sink::Whole { path, existing: Existing::Refused, .. } => Some(path.clone()),
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

fn exists(name: &str) -> Failure {
    Failure::input(name, "exists already, and is not overwritten: name another file, or remove it")
}

/// Notes the signals that ask the process to stop, in place of dying on the spot.
struct StopSignal(Arc<AtomicUsize>);

impl StopSignal {
    fn watch() -> io::Result<StopSignal> {
        let seen = Arc::new(AtomicUsize::new(0));
        let mut signals = vec![SIGINT, SIGTERM];
        #[cfg(unix)]
        signals.push(signal_hook::consts::SIGHUP);
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
