//! Walking the tree, and files that programs write.

use std::io;
use std::path::{Path, PathBuf};

/// What is wrong, each with its place; or why the check could not run.
pub type Findings = io::Result<Vec<String>>;

/// Folders that hold no source of ours: build products, installed packages, outputs.
const SKIP: [&str; 7] = ["target", "node_modules", "corpus", "artifacts", "coverage", "out", "__pycache__"];

/// An error that names the file it is about.
pub fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The files below `folder` with this extension, sorted; hidden folders and build products are
/// not entered. A folder that does not exist holds no files.
pub fn below(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        if !folder.exists() {
            continue;
        }
        for entry in std::fs::read_dir(&folder).map_err(|e| named(&folder, &e))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && !SKIP.contains(&&*name) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Writes a file as a whole, or leaves it as it was.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let part = path.with_extension("part");
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| named(folder, &e))?;
    }
    std::fs::write(&part, text).map_err(|e| named(&part, &e))?;
    std::fs::rename(&part, path).map_err(|e| named(path, &e))
}

/// Writes a file that a program makes, or with `check` compares it and returns the first line that differs.
pub fn made(root: &Path, file: &str, text: &str, command: &str, check: bool) -> Findings {
    let path = root.join(file);
    let old = if path.exists() { read(&path)? } else { String::new() };
    if old == text {
        return Ok(Vec::new());
    }
    if !check {
        return write(&path, text).map(|()| Vec::new());
    }
    let same = old.lines().zip(text.lines()).take_while(|(old, new)| old == new).count();
    let now = text.lines().nth(same).unwrap_or("the end");
    Ok(vec![format!("{file}:{}: is not what `cargo {command}` makes: {now}", same + 1)])
}

/// What cargo prints in the tree; or its words, if it fails.
pub fn cargo(root: &Path, arguments: &[&str]) -> io::Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let output = std::process::Command::new(cargo).args(arguments).current_dir(root).output()?;
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(io::Error::other(text(&output.stderr))) }
}

/// The text of a file.
pub fn read(path: &Path) -> io::Result<String> {
    std::fs::read_to_string(path).map_err(|e| named(path, &e))
}

/// `path` as seen from `root`, with forward slashes.
pub fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}
