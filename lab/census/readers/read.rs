// Rust's readers and writers: READER IN OUT.
use std::fs::File;
use std::io::{BufReader, BufWriter};

type Any = Box<dyn std::error::Error>;

fn again<T>(reader: &str, source: &str, target: &str) -> Result<(), Any>
where
    T: npyz::Deserialize + npyz::AutoSerialize + ndarray_npy::ReadableElement + ndarray_npy::WritableElement + serde::de::DeserializeOwned + serde::Serialize,
{
    match reader {
        "npyz" => npyz::to_file_1d(target, npyz::NpyFile::new(BufReader::new(File::open(source)?))?.into_vec::<T>()?)?,
        "ndarray-npy" => {
            let xs: ndarray::Array1<T> = ndarray_npy::read_npy(source)?;
            ndarray_npy::write_npy(target, &xs)?;
        }
        _ => {
            let mut out = csv::WriterBuilder::new().has_headers(false).from_writer(BufWriter::new(File::create(target)?));
            for x in csv::Reader::from_path(source)?.deserialize::<(T,)>() {
                out.serialize(x?)?;
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Any> {
    let a: Vec<String> = std::env::args().collect();
    if a[2].starts_with("wide") { again::<i64>(&a[1], &a[2], &a[3]) } else { again::<i8>(&a[1], &a[2], &a[3]) }
}
