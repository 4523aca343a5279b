//! The file that is being written. It has no name where the system has such files, so a killed writer leaves no file behind.
//! Elsewhere it is next to its final name, and locked as long as its writer lives.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What becomes of a file that has the name already.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Existing {
    Replaced,
    Refused,
}

/// Who may read a new file.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Readers {
    /// Whoever may read any new file.
    Any,
    /// Its owner alone.
    Owner,
}

/// A file that takes its name when it is complete.
pub(super) struct Part {
    file: Held,
    path: PathBuf,
    existing: Existing,
}

enum Held {
    #[cfg(target_os = "linux")]
    Unnamed(File),
    Named(NamedTempFile),
}

impl Held {
    fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Held::Unnamed(file) => file,
            Held::Named(file) => file.as_file(),
        }
    }
}

/// How a part's name ends.
const PART: &str = ".part";
/// Characters of the file's own name that its part has.
const NAME: usize = 60;
/// Links that are followed, one after the other.
const LINKS: usize = 40;

impl Part {
    /// A part of the file at this path, with the owner and the permissions of the one that it replaces.
    pub(super) fn create(path: &Path, existing: Existing, readers: Readers) -> io::Result<Part> {
        let path = followed(path)?;
        let old = fs::metadata(&path).ok().filter(|_| existing == Existing::Replaced);
        if old.is_some() {
            // What may not be written may not be replaced either, though the folder would allow it.
            File::options().write(true).open(&path)?;
        }
        let is_open = readers == Readers::Any && old.is_none();
        #[cfg(target_os = "linux")]
        let unnamed = unnamed::create(folder(&path), is_open).map(Held::Unnamed);
        #[cfg(not(target_os = "linux"))]
        let unnamed = None;
        let file = match unnamed {
            Some(file) => file,
            None => Held::Named(named(&path, is_open)?),
        };
        if let Some(old) = old {
            keep_owner(file.file(), &old);
            file.file().set_permissions(old.permissions())?;
        }
        Ok(Part { file, path, existing })
    }

    /// Where it will be.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        self.file.file()
    }

    pub(super) fn is_new(&self) -> bool {
        self.existing == Existing::Refused
    }

    /// Gives it its name.
    pub(super) fn place(self) -> io::Result<()> {
        let named = match self.file {
            #[cfg(target_os = "linux")]
            Held::Unnamed(file) => return unnamed::place(&file, &self.path, self.existing),
            Held::Named(named) => named,
        };
        match self.existing {
            Existing::Replaced => named.persist(self.path),
            Existing::Refused => named.persist_noclobber(self.path),
        }
        .map(drop)
        .map_err(|error| error.error)
    }
}

/// The only writer of a file, as long as it lives: it holds a lock beside the file, which is removed with it.
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks the file at this path; `None` if another process has.
    pub(crate) fn of(path: &Path) -> io::Result<Option<Lock>> {
        let path = followed(path)?;
        let lock = folder(&path).join(format!("{}lock{PART}", beginning(&path)));
        loop {
            let file = File::options().read(true).write(true).create(true).truncate(false).open(&lock)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => {
                    let _ = fs::remove_file(&lock);
                    return Err(error);
                }
                // Another process may have removed it before it was locked.
                Ok(()) if is_at(&file, &lock) => return Ok(Some(Lock { path: lock, _file: file })),
                Ok(()) => {}
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether this open file still has this path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |found: fs::Metadata| (found.dev(), found.ino());
    file.metadata().ok().map(id).is_some_and(|open| fs::metadata(path).ok().map(id) == Some(open))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// A locked file beside this path, with the permissions of any new file if it is open to others.
fn named(path: &Path, is_open: bool) -> io::Result<NamedTempFile> {
    let beginning = beginning(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&beginning).suffix(PART);
    // Less the process's umask; a temporary file has none for others.
    #[cfg(unix)]
    if is_open {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = is_open;
    loop {
        let file = builder.tempfile_in(folder(path))?;
        // Where there are no locks nobody takes it for left over. Before it is locked another run may do so, and remove it.
        let is_locked = !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if is_locked && file.path().exists() {
            return Ok(file);
        }
    }
}

#[cfg(target_os = "linux")]
mod unnamed {
    use super::{Existing, PART, beginning, folder};
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    /// The name of an open file, by which it is linked.
    fn link_of(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }

    /// A file in this folder, unless the file system has none without a name, or there is no /proc.
    pub(super) fn create(folder: &Path, is_open: bool) -> Option<File> {
        let mode = Mode::from_raw_mode(if is_open { 0o666 } else { 0o600 });
        let file = File::from(openat(CWD, folder, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, mode).ok()?);
        Path::new(&link_of(&file)).exists().then_some(file)
    }

    /// Gives it its name. A file of that name is replaced by way of a name of a moment, because a link replaces nothing.
    pub(super) fn place(file: &File, path: &Path, existing: Existing) -> io::Result<()> {
        let link =
            |path: &Path| linkat(CWD, link_of(file), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from);
        match link(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && existing == Existing::Replaced => {}
            linked => return linked,
        }
        // A run that sees it there leaves it alone.
        let _ = file.try_lock();
        let named = tempfile::Builder::new().prefix(&beginning(path)).suffix(PART).make_in(folder(path), link)?;
        named.persist(path).map(drop).map_err(|error| error.error)
    }
}

/// Removes the parts of the file at this path whose writers are dead; returns their names.
pub(super) fn sweep(path: &Path) -> Vec<String> {
    let Ok(path) = followed(path) else { return Vec::new() };
    let beginning = beginning(&path);
    let Ok(entries) = fs::read_dir(folder(&path)) else { return Vec::new() };
    let mut removed = Vec::new();
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_part = name.starts_with(&beginning) && name.ends_with(PART);
        if !is_part || !entry.file_type().is_ok_and(|found| found.is_file()) {
            continue;
        }
        // A writer that lives holds the lock.
        let Ok(file) = File::options().read(true).write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() && fs::remove_file(entry.path()).is_ok() {
            removed.push(name);
        }
    }
    removed
}

/// How the names of a file's parts begin: hidden, and with its own name.
fn beginning(path: &Path) -> String {
    let name: String = path.file_name().unwrap_or_default().to_string_lossy().chars().take(NAME).collect();
    format!(".{name}.samplez-")
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file that a path stands for: links are followed, also where the file that they lead to is not there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = fs::canonicalize(path) {
        return Ok(path);
    }
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("it is a symbolic link that leads nowhere"))
}

/// As far as that is allowed; it is to the superuser, who may write anyone's files.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata();
    if new.is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid())) {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_left_alone_while_its_writer_lives() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        let part = named(&path, true).unwrap();
        let name = part.path().file_name().unwrap().to_str().unwrap().to_string();
        assert!(name.starts_with(".x.npy.samplez-") && name.ends_with(".part"), "{name}");
        assert!(sweep(&path).is_empty() && part.path().exists());
        // What is left over is removed by whoever writes to the same name, and by nobody else.
        let (_, left) = part.keep().unwrap();
        assert!(sweep(&folder.path().join("y.npy")).is_empty() && left.exists());
        assert_eq!(sweep(&path), [name]);
        assert!(!left.exists());
    }

    /// Both kinds, over an old file and as a new one; a new one is refused where the name is taken, with all its bytes kept from view.
    #[test]
    fn each_kind_takes_its_name() {
        use std::io::Write;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        let of = |kind: &str, existing| {
            let mut part = Part::create(&path, existing, Readers::Any).unwrap();
            if kind == "named" {
                part.file = Held::Named(named(&path, true).unwrap());
            }
            part.file().write_all(kind.as_bytes()).unwrap();
            part
        };
        let names = || fs::read_dir(folder.path()).unwrap().count();
        for kind in ["named", "any"] {
            let (first, second) = (of(kind, Existing::Refused), of(kind, Existing::Refused));
            first.place().unwrap();
            assert_eq!(second.place().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            assert_eq!((names(), fs::read(&path).unwrap()), (1, kind.as_bytes().to_vec()));
            fs::write(&path, "old").unwrap();
            of(kind, Existing::Replaced).place().unwrap();
            assert_eq!((names(), fs::read(&path).unwrap()), (1, kind.as_bytes().to_vec()));
            fs::remove_file(&path).unwrap();
            of(kind, Existing::Replaced).place().unwrap();
            assert_eq!((names(), fs::read(&path).unwrap()), (1, kind.as_bytes().to_vec()));
            fs::remove_file(&path).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_their_end() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("d")).unwrap();
        symlink("b", at("a")).unwrap();
        symlink("d/c", at("b")).unwrap();
        assert_eq!(followed(&at("a")).unwrap(), at("d/c"));
        symlink("loop", at("loop")).unwrap();
        assert!(followed(&at("loop")).unwrap_err().to_string().contains("leads nowhere"));
        assert_eq!(followed(Path::new("nothing.npy")).unwrap(), Path::new("nothing.npy"));
    }

    #[test]
    fn long_names_leave_room() {
        let long = "ü".repeat(120);
        assert_eq!(beginning(Path::new(&long)), format!(".{}.samplez-", "ü".repeat(60)));
        assert_eq!(folder(Path::new("x")), Path::new("."));
    }
}
