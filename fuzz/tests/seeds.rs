//! The targets' bodies on the committed seeds: inputs worth keeping, one file each.

use std::path::Path;

fn run(target: &str, body: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        body(&std::fs::read(path).unwrap());
        count += 1;
    }
    assert!(count >= 5, "{target}: {count} seeds");
}

#[test]
fn params() {
    run("params", samplez_fuzz::params);
}

#[test]
fn files() {
    run("files", samplez_fuzz::files);
}

#[test]
fn builders() {
    run("builders", samplez_fuzz::builders);
}

#[test]
fn schemes() {
    run("schemes", samplez_fuzz::schemes);
}
