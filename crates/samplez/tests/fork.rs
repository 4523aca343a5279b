//! A process that is forked: no stream of a named source gives it what its parent gets. A program of its own, with one thread, since
//! only that may be forked without care.

#[cfg(unix)]
fn main() {
    use fork::{Fork, fork};
    use samplez::{EntropyError, Failure, Recipe, Seed, Source, Stream, StreamError};
    use std::io::Write;

    let sampler = "sigma=1e9".parse::<Recipe>().unwrap().build().unwrap().into_sampler();
    let seed = Seed::from_number(7);
    let mut open: Vec<_> = Source::ALL.into_iter().map(|s| (s, Stream::new(s.open(&seed).unwrap()))).collect();
    let mut out = [0_i64; 5];
    // Each has bits that were read ahead.
    open.iter_mut().for_each(|(_, stream)| stream.fill(&*sampler, &mut out).unwrap());
    // Samples that were made ahead.
    let mut other: Vec<_> = Source::ALL.into_iter().map(|s| (s, Stream::new(s.open(&seed).unwrap()))).collect();
    let mut ahead: Vec<_> = other.iter_mut().map(|(source, stream)| (*source, stream.samples(&*sampler))).collect();
    ahead.iter_mut().for_each(|(_, samples)| samples.fill(&mut out).unwrap());

    let file = tempfile::NamedTempFile::new().unwrap();
    let children: Vec<_> = (0..2)
        .map(|_| match fork().expect("this process can fork") {
            Fork::Child => {
                let mut log = std::fs::OpenOptions::new().append(true).open(file.path()).unwrap();
                let mut lines = String::new();
                for (source, stream) in &mut open {
                    out = [1; 5];
                    let said = match stream.fill(&*sampler, &mut out) {
                        Ok(()) => format!("{out:?}"),
                        Err(StreamError::Source(Failure::Source(EntropyError::Forked))) if out == [0; 5] => {
                            // It stays so, by every way in.
                            let again = stream.sample(&*sampler).is_err() && stream.seed().is_err();
                            format!("forked {again}")
                        }
                        Err(error) => error.to_string(),
                    };
                    lines += &format!("{source} {said}\n");
                }
                for (source, samples) in &mut ahead {
                    out = [1; 5];
                    let said = match samples.fill(&mut out) {
                        Ok(()) => format!("{out:?}"),
                        Err(error) => format!("{} {error}", out == [0; 5] && samples.sample().is_err()),
                    };
                    lines += &format!("ahead:{source} {said}\n");
                }
                let fresh = Stream::new(Source::ChaCha20.open(&seed).unwrap()).fill(&*sampler, &mut out);
                lines += &format!("fresh {}\n", fresh.is_ok());
                log.write_all(lines.as_bytes()).unwrap();
                std::process::exit(0);
            }
            Fork::Parent(child) => child,
        })
        .collect();
    children.into_iter().for_each(|child| _ = fork::waitpid(child).expect("the child ends"));

    let text = std::fs::read_to_string(file.path()).unwrap();
    let of = |name: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix(&format!("{name} "))).map(str::to_owned).collect()
    };
    assert_eq!(of("fresh"), ["true", "true"], "a stream that the child opens works");
    for (source, stream) in &mut open {
        let mut theirs = of(source.name());
        assert_eq!(theirs.len(), 2, "{source}");
        if source.is_seeded() {
            assert_eq!(theirs, ["forked true", "forked true"], "{source}");
        } else {
            stream.fill(&*sampler, &mut out).unwrap();
            theirs.push(format!("{out:?}"));
            theirs.sort();
            theirs.dedup();
            assert_eq!(theirs.len(), 3, "{source}: the parent and both children have samples of their own");
        }
        stream.fill(&*sampler, &mut out).expect("the parent goes on");
    }
    for (source, samples) in &mut ahead {
        let mut theirs = of(&format!("ahead:{source}"));
        samples.fill(&mut out).expect("the parent goes on");
        if source.is_seeded() {
            assert!(
                theirs.iter().all(|said| said == &format!("true {}", EntropyError::Forked)),
                "{source}: {theirs:?}"
            );
        } else {
            theirs.push(format!("{out:?}"));
            theirs.sort();
            theirs.dedup();
            assert_eq!(theirs.len(), 3, "{source}: the parent and both children have samples of their own");
        }
    }
    println!("test fork ... ok");
}

#[cfg(not(unix))]
fn main() {}
