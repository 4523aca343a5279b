//! What the system leaves to write: space on the disk, the limit on the size of files, an open descriptor.

use std::fs::File;
#[cfg(unix)]
use std::io;

/// Returns how many bytes a file can still grow: the free space of its disk or, if less, the rest up to the limit on file sizes.
/// `None` if the system does not report them, or if the file is not a regular one.
#[cfg(unix)]
pub(super) fn of(file: &File) -> Option<u64> {
    use rustix::process::{Resource, geteuid, getrlimit};
    let found = file.metadata().ok().filter(|found| found.is_file())?;
    let disk = rustix::fs::fstatvfs(file).ok()?;
    // The superuser has what is kept from others too.
    let blocks = if geteuid().is_root() { disk.f_bfree } else { disk.f_bavail };
    let left = blocks.saturating_mul(disk.f_frsize);
    let limit = getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX);
    Some(left.min(limit.saturating_sub(found.len())))
}

#[cfg(not(unix))]
pub(super) fn of(_: &File) -> Option<u64> {
    None
}

/// Standard output as a file, if it is open.
#[cfg(unix)]
pub(super) fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// Whether standard output is the null device, opened for reading and writing. The language's runtime opens it so if it was closed
/// before. Other programs do so to drop the output of this one. A shell's `> /dev/null` is for writing alone.
#[cfg(unix)]
pub(super) fn stdout_is_closed() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl};
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let Ok(file) = stdout() else { return true };
    let device = |found: std::fs::Metadata| found.file_type().is_char_device().then(|| found.rdev());
    let (ours, null) = (file.metadata().ok().and_then(device), std::fs::metadata("/dev/null").ok().and_then(device));
    let reads = fcntl_getfl(&file).is_ok_and(|flags| flags & OFlags::RWMODE == OFlags::RDWR);
    reads && ours.is_some() && ours == null
}

#[cfg(not(unix))]
pub(super) fn stdout_is_closed() -> bool {
    false
}

/// A file that grows beyond the limit on the size of files is an error of the write then, and not the program's end.
#[cfg(unix)]
pub(super) fn survive_size_limit() {
    use std::sync::{Arc, Once, atomic::AtomicBool};
    static ONCE: Once = Once::new();
    // If it fails the signal ends the program, as it did.
    ONCE.call_once(|| {
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    });
}

#[cfg(not(unix))]
pub(super) fn survive_size_limit() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_has_room() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(of(&file).is_some(), cfg!(unix));
        if let Ok(null) = File::options().write(true).open("/dev/null") {
            assert_eq!(of(&null), None);
        }
    }
}
