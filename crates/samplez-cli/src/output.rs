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
    Whole { file: NamedTempFile, path: PathBuf, stop: StopSignal },
}

impl Output {
    pub(crate) fn stdout() -> Output {
        Output { sink: Sink::Stdout(io::stdout()), name: "standard output".to_string() }
    }

    pub(crate) fn file(path: &Path) -> Result<Output, Failure> {
        let name = path.display().to_string();
        let sink = Self::open(path).map_err(|error| Failure::write(&name, &error))?;
        Ok(Output { sink, name })
    }

    fn open(path: &Path) -> io::Result<Sink> {
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
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(directory)?;
        Ok(Sink::Whole { file, path, stop })
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
            Sink::Whole { file, path, stop } => {
                let synced = file.as_file().sync_all();
                stop.check()?;
                synced.and_then(|()| file.persist(path).map(|_| ()).map_err(|error| error.error))
            }
        };
        result.map_err(|error| Failure::write(&self.name, &error))
    }
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
