//! What SECURITY.md says of forks: a generator that was seeded before a fork, and is used directly, gives the same bytes
//! in both processes, the operating system's does not. A program of its own, with one thread,
//! since only that may be forked without care.

#[cfg(unix)]
fn main() {
    use fork::{Fork, fork};
    use rand_core::TryRng;
    use samplez_core::bits::{BitReader, BitSource};
    use samplez_sources::{CtrDrbgAes256, Device, DrbgStream, Isaac64, Os, Seed};

    let seed = Seed::from_os().expect("the system has entropy");
    let mut reader = BitReader::new(samplez_sources::ChaCha20::new(&seed));
    reader.bits(13);
    let (mut isaac, mut drbg) = (Isaac64::new(&seed), CtrDrbgAes256::from_seed(&seed));
    let mut stream = DrbgStream::new(CtrDrbgAes256::from_seed(&seed));
    let (mut os, mut device) = (Os::new(), Device::urandom().expect("the device is there"));
    let mut draw = || {
        let seeded = [
            reader.bits(64),
            isaac.try_next_u64().expect("sure"),
            drbg.try_next_u64().expect("far from the limit"),
            stream.try_next_u64().expect("sure"),
        ];
        (seeded, [os.try_next_u64().expect("entropy"), device.try_next_u64().expect("entropy")])
    };

    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("words");
    match fork().expect("this process can fork") {
        Fork::Child => {
            let (seeded, system) = draw();
            let words: Vec<u8> = seeded.into_iter().chain(system).flat_map(u64::to_le_bytes).collect();
            std::fs::write(&path, words).expect("the child can write");
            std::process::exit(0);
        }
        Fork::Parent(child) => {
            let (seeded, system) = draw();
            fork::waitpid(child).expect("the child ends");
            let bytes = std::fs::read(&path).expect("the child has written");
            let words: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
            assert_eq!(words.len(), 6);
            assert_eq!(words[..4], seeded, "seeded before the fork: the same in both");
            // Two pairs of 64 bits: equal by chance with probability 2^-63.
            assert!(words[4] != system[0] && words[5] != system[1], "the system's: different");
        }
    }
    println!("test fork ... ok");
}

#[cfg(not(unix))]
fn main() {}
