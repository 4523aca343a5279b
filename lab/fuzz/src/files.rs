//! The readers of files of integers: no panic for any bytes, and the same integers for any division into pieces.

use samplez_cli::testing::files::{Dtype, Encode, Integers, csv, npy, raw, text};
use std::io::{BufRead, BufReader};

/// The first byte chooses the format, the second the pieces; the rest is the file.
pub fn files(data: &[u8]) {
    let Some(([format, piece], file)) = data.split_first_chunk() else { return };
    let piece = 1 + usize::from(*piece);
    let whole = read(*format, file, 4096);
    let pieces = read(*format, BufReader::with_capacity(piece, file), piece);
    assert_eq!(whole, pieces);
    if let Ok(values) = whole {
        rewrite(&values);
    }
}

/// All integers of a file, read `piece` at a time; or the message of the error.
fn read(format: u8, file: impl BufRead, piece: usize) -> Result<Vec<i64>, String> {
    match format % 7 {
        0 => all(text::Reader::new(file), piece),
        1 => all(csv::Reader::new(file), piece),
        2 => all(npy::Reader::new(file).map_err(|e| e.to_string())?, piece),
        n => all(raw::Reader::new(file, Dtype::ALL[usize::from(n) - 3]), piece),
    }
}

fn all(mut reader: impl Integers, piece: usize) -> Result<Vec<i64>, String> {
    let mut values = Vec::new();
    let mut buffer = vec![0; piece];
    loop {
        match reader.read(&mut buffer).map_err(|e| e.to_string())? {
            0 => return Ok(values),
            n => values.extend_from_slice(&buffer[..n]),
        }
    }
}

/// What was read can be written in every format and read again.
fn rewrite(values: &[i64]) {
    let mut lines = Vec::new();
    i64::to_lines(values, &mut lines);
    let mut bytes = Vec::new();
    i64::to_bytes(values, &mut bytes);
    let array = [npy::header(Dtype::I64, values.len() as u64), bytes.clone()].concat();
    for (format, file) in [(0, &lines), (2, &array), (6, &bytes)] {
        if !values.is_empty() {
            assert_eq!(read(format, &file[..], 4096).as_deref(), Ok(values), "format {format}");
        }
    }
}
