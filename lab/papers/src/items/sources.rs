//! \[BSOVOGR17\]: sources, by themselves and under samplers.

use super::Bench;
use super::bench::build;
use super::{blocks, bytewise};
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::Outcome;
use crate::grid::CROSS;
use crate::plot::{Chart, Plot, Series};
use crate::rand_state::RandState;
use rand_core::TryRng;
use samplez::{Built, Bulk, EntropyError, Seed, Source, Stream};
use samplez_cli::testing::measure::rounds::{levelled_time, median};
use samplez_cli::testing::measure::streams::{bulk, draws, stack_of};
use samplez_sources::Generator;
use std::cell::Cell;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::rc::Rc;

/// The paper's names, with the sources here.
const SOURCES: [(&str, Source); 11] = [
    ("AES by instructions", Source::CtrDrbgAes256),
    ("AES in software", Source::CtrDrbgAes256Soft),
    ("Hash-DRBG, SHA-256", Source::HashDrbgSha256),
    ("Hash-DRBG, SHA-512", Source::HashDrbgSha512),
    ("Salsa20", Source::Salsa20),
    ("ChaCha20", Source::ChaCha20),
    ("ISAAC-64", Source::Isaac64),
    ("KISS-64", Source::Kiss64),
    ("random", Source::GlibcRandom),
    ("rand", Source::PosixRand),
    ("/dev/urandom", Source::DevUrandom),
];

const SAMPLERS: [(&str, &str); 3] = [
    ("Bernoulli", "k_sigma2=254,method=bernoulli,precision=64"),
    ("CDT", "sigma=215,method=cdt,precision=64"),
    ("Ziggurat", "sigma=215,method=ziggurat,precision=64"),
];

const fn zeros() -> Seed {
    Seed::from_bytes([0; 32])
}

/// MB a second in bulk by requests of 64 KiB, medians of rounds in which all take turns.
fn speeds(bench: &Bench) -> Result<Vec<(&'static str, f64)>, LabError> {
    let (bytes, rounds) = bench.length((1 << 20, 3), (1 << 23, 9));
    let mut all = vec![Vec::new(); SOURCES.len()];
    for _ in 0..rounds {
        for ((_, source), turns) in SOURCES.iter().zip(&mut all) {
            turns.push(bulk(*source, bytes)? / 1e6);
        }
    }
    Ok(SOURCES.iter().zip(all).map(|((name, _), turns)| (*name, median(turns))).collect())
}

fn of(speeds: &[(&str, f64)], name: &str) -> f64 {
    speeds.iter().find(|(known, _)| *known == name).map_or(f64::NAN, |(_, speed)| *speed)
}

/// A chart with a place on the right for each name.
fn places(
    name: &str,
    title: &str,
    caption: &str,
    y: (&str, bool),
    all: Vec<(String, Vec<f64>)>,
    names: &[&str],
) -> Chart {
    let series = all.into_iter().map(|(name, values)| Series {
        name,
        of_paper: false,
        joined: false,
        points: (1..).map(f64::from).zip(values).collect(),
    });
    Chart {
        name: name.into(),
        title: title.into(),
        caption: caption.into(),
        x: ("source".into(), false),
        y: (y.0.into(), y.1),
        places: names.iter().map(|name| (*name).to_owned()).collect(),
        plots: vec![Plot { title: String::new(), series: series.collect() }],
    }
}

fn names() -> Vec<&'static str> {
    SOURCES.iter().map(|(name, _)| *name).collect()
}

pub(super) fn all(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    for (_, source) in SOURCES.iter().chain(&[("/dev/random", Source::DevRandom)]) {
        source.open(&zeros())?;
    }
    let ours = "all of them, by name";
    answer.statement("sources", ours, "each opened; compared with published vectors in its tests", Outcome::Agrees)
}

pub(super) fn reseeding(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let why = "2^19 bits is the most that one request may ask for; SP 800-90A's interval is 2^48 requests".to_owned();
    answer.statement(
        "reseeding",
        "every 2^48 requests, or sooner if asked",
        "samplez_sources::Reseeding",
        Outcome::Differs(why),
    )
}

/// First outputs under neighbouring seeds differ by 1103515245/2^16 for each step of the seed.
pub(super) fn state_of_rand(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let first = |number: u32| -> Result<u32, LabError> {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        let mut word = [0; 2];
        Source::PosixRand.open(&Seed::from_bytes(bytes))?.try_fill_bytes(&mut word)?;
        Ok(u32::from(u16::from_le_bytes(word)) & 0x7fff)
    };
    let (mut sum, steps) = (0_u32, 1000);
    for seed in 0..steps {
        sum += (first(seed + 1)? + 32_768 - first(seed)?) % 32_768;
    }
    let terms = "the mean step, modulo 2^15, of rand()'s first output over 1000 neighbouring seeds";
    answer.exact(
        "difference that recovers the state of rand",
        (f64::from(sum) / f64::from(steps), "count"),
        terms,
        "another step",
    )?;
    let mut recovered = 0;
    for seed in 0..steps {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&seed.wrapping_mul(0x9e37_79b9).to_le_bytes());
        let mut generator = Source::PosixRand.open(&Seed::from_bytes(bytes))?;
        let (mut packed, mut outputs) = ([0; 16], [0; 8]);
        generator.try_fill_bytes(&mut packed)?;
        // Eight outputs of 15 bits, one after the other.
        let all = u128::from_le_bytes(packed);
        for (i, output) in outputs.iter_mut().enumerate() {
            *output = (all >> (15 * i) & 0x7fff) as u16;
        }
        let predicts = |mut state: RandState| outputs[4..].iter().all(|output| state.next_output() == *output);
        recovered += u32::from(RandState::after(&outputs[..4]).is_ok_and(predicts));
    }
    let terms =
        "of 1000 states of the library's rand(), by four outputs, and the next four predicted: samplez-lab rand-state";
    answer.more("states of rand that are recovered", (f64::from(recovered), "count"), terms);
    Ok(())
}

pub(super) fn seedings(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let os = Seed::from_os()?;
    let mut bytes = [0; 32];
    for source in [Source::DevRandom, Source::DevUrandom] {
        source.open(&os)?.try_fill_bytes(&mut bytes)?;
    }
    let ours = "all four: --seed-from insecure-time, dev-random, dev-urandom, file:PATH with --repeat";
    answer.statement("seedings", ours, "the devices read here; all four in the command's tests", Outcome::Agrees)
}

pub(super) fn figure_2(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let (bytes, rounds) = bench.length((1 << 20, 3), (1 << 23, 9));
    let mut all = vec![(Vec::new(), Vec::new()); Source::ALL.len()];
    for _ in 0..rounds {
        for (source, (in_bulk, singly)) in Source::ALL.iter().zip(&mut all) {
            in_bulk.push(bulk(*source, bytes)? / 1e6);
            singly.push(draws(*source, bytes / 64)? / 1e6);
        }
    }
    let terms = format!(
        "By requests of 64 KiB, and by draws of 8 bytes: medians of {rounds} rounds, processor time of one thread"
    );
    let mut values = vec![f64::NAN; SOURCES.len()];
    for (source, (in_bulk, singly)) in Source::ALL.iter().zip(all) {
        let in_bulk = median(in_bulk);
        answer.more(&format!("{source}{CROSS}in bulk"), (in_bulk, "MB/s"), &terms);
        answer.more(&format!("{source}{CROSS}by draws"), (median(singly), "MB/s"), &terms);
        if let Some(at) = SOURCES.iter().position(|(_, known)| known == source) {
            values[at] = in_bulk;
        }
    }
    let caption = "In bulk, vectorized where the machine can.";
    let chart =
        places("speeds", "Speeds of the sources", caption, ("MB/s", true), vec![("in bulk".into(), values)], &names());
    answer.drawn("speeds of all sources, vectorized", chart, "requests of 64 KiB")
}

pub(super) fn ratios(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let speeds = speeds(bench)?;
    let of = |name| of(&speeds, name);
    let terms = "in bulk, requests of 64 KiB";
    let why = "AES and ChaCha run by vector instructions here, 16 blocks at a time; KISS and ISAAC are serial";
    answer.exact("KISS over AES by instructions", (of("KISS-64") / of("AES by instructions"), "times"), terms, why)?;
    answer.exact(
        "ISAAC over AES by instructions",
        (of("ISAAC-64") / of("AES by instructions"), "times"),
        terms,
        why,
    )?;
    let most = of("Salsa20").max(of("ChaCha20"));
    answer.exact(
        "Salsa and ChaCha over ISAAC",
        (100.0 * most / of("ISAAC-64"), "%"),
        "the faster of both, in bulk",
        why,
    )?;
    answer.exact(
        "Salsa and ChaCha over AES by instructions",
        (100.0 * most / of("AES by instructions"), "%"),
        "the faster of both, in bulk",
        why,
    )?;
    let hash = of("Hash-DRBG, SHA-256").max(of("Hash-DRBG, SHA-512"));
    let of_hash = "the faster of both hashes, in bulk";
    answer.within(
        "Hash-DRBG over ISAAC",
        (100.0 * hash / of("ISAAC-64"), "%"),
        1.5,
        of_hash,
        "SHA-256 by instructions where the machine has them",
    )?;
    answer.exact(
        "Hash-DRBG over AES by instructions",
        (100.0 * hash / of("AES by instructions"), "%"),
        of_hash,
        "AES has no instructions in this build",
    )?;
    let mut ranked = speeds.clone();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let place = ranked.iter().position(|(name, _)| *name == "random").unwrap_or(0) + 1;
    let ours = ranked.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" > ");
    let verdict = if place == 3 { Outcome::Agrees } else { Outcome::Differs(format!("it is number {place}")) };
    answer.statement("random", &ours, "in bulk", verdict)?;
    let share = 100.0 * of("/dev/urandom") / of("AES by instructions");
    answer.more("/dev/urandom, in bulk", (of("/dev/urandom"), "MB/s"), terms);
    let ours = format!("{share:.1} % of AES by instructions in bulk");
    let verdict =
        if share < 30.0 { Outcome::Agrees } else { Outcome::Differs("the kernel's generator is fast in bulk".into()) };
    answer.statement("/dev/urandom", &ours, "requests of 64 KiB; by draws of 8 bytes far less", verdict)?;
    blocks::ratios(bench, answer)
}

/// A generator that counts the bytes it gives.
struct Counting {
    generator: Generator,
    taken: Rc<Cell<u64>>,
}

impl TryRng for Counting {
    type Error = EntropyError;
    fn try_next_u32(&mut self) -> Result<u32, EntropyError> {
        self.taken.set(self.taken.get() + 4);
        self.generator.try_next_u32()
    }
    fn try_next_u64(&mut self) -> Result<u64, EntropyError> {
        self.taken.set(self.taken.get() + 8);
        self.generator.try_next_u64()
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), EntropyError> {
        self.taken.set(self.taken.get() + out.len() as u64);
        self.generator.try_fill_bytes(out)
    }
}

/// Million samples a second of one turn, and the random bytes of a sample.
fn under(built: &Built, source: Source, count: usize) -> Result<(f64, f64), LabError> {
    let taken = Rc::new(Cell::new(0));
    let mut stream = Stream::new(Counting { generator: source.open(&zeros())?, taken: Rc::clone(&taken) });
    let mut out = vec![0_i32; 8192];
    let parts = count.div_ceil(out.len());
    let seconds = levelled_time(|| {
        for _ in 0..parts {
            stream.fill(built.sampler(), &mut out).map_err(|why| LabError::System(why.to_string()))?;
            black_box(&mut out);
        }
        Ok::<(), LabError>(())
    })?;
    let samples = (parts * out.len()) as f64;
    Ok((1e-6 * samples / seconds, taken.get() as f64 / samples))
}

/// Million samples a second of each of these samplers over each source, medians of rounds in which all take turns.
fn matrix(bench: &Bench, recipes: &[&str], sources: &[Source]) -> Result<Vec<Vec<f64>>, LabError> {
    let (count, rounds) = bench.length((1 << 14, 3), (1 << 16, 9));
    let built = recipes.iter().map(|recipe| build(recipe)).collect::<Result<Vec<Built>, _>>()?;
    let mut speeds = vec![vec![Vec::new(); sources.len()]; built.len()];
    for _ in 0..rounds {
        for (built, speeds) in built.iter().zip(&mut speeds) {
            for (source, turns) in sources.iter().zip(speeds) {
                turns.push(under(built, *source, count)?.0);
            }
        }
    }
    Ok(speeds.into_iter().map(|row| row.into_iter().map(median).collect()).collect())
}

/// The paper's samplers over the paper's sources.
fn papers_matrix(bench: &Bench) -> Result<Vec<(&'static str, Vec<f64>)>, LabError> {
    let all = matrix(bench, &SAMPLERS.map(|(_, recipe)| recipe), &SOURCES.map(|(_, source)| source))?;
    Ok(SAMPLERS.iter().map(|(name, _)| *name).zip(all).collect())
}

pub(super) fn figure_4(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let frugal = format!("{},frugal=true", SAMPLERS[0].1);
    let recipes = [SAMPLERS[0].1, &frugal, SAMPLERS[1].1, SAMPLERS[2].1];
    let all = matrix(bench, &recipes, &Source::ALL)?;
    let names_here = ["bernoulli", "bernoulli, frugal", "cdt", "ziggurat"];
    let terms = "64 bits, σ = 215, Bernoulli k = 254; to i32 from one continuous stream of the source; the median of rounds, one thread";
    for (at, source) in Source::ALL.iter().enumerate() {
        for (sampler, speeds) in names_here.iter().zip(&all) {
            answer.more(&format!("{source}{CROSS}{sampler}"), (speeds[at], "million samples/s"), terms);
        }
    }
    let at = |source: &Source| Source::ALL.iter().position(|known| known == source).unwrap_or(0);
    let of_paper = |speeds: &Vec<f64>| SOURCES.iter().map(|(_, source)| speeds[at(source)]).collect::<Vec<f64>>();
    let series = [(SAMPLERS[0].0, &all[0]), (SAMPLERS[1].0, &all[2]), (SAMPLERS[2].0, &all[3])]
        .map(|(n, s)| (n.into(), of_paper(s)));
    let caption = "Tables of 64 bits; the paper's σ, t and m are not known.";
    let chart =
        places("samplers", "Samplers over sources", caption, ("million samples/s", true), series.into(), &names());
    answer.drawn("samplers over sources, vectorized", chart, "one continuous stream of each source")
}

pub(super) fn inside(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let all = papers_matrix(bench)?;
    let at = |name: &str| SOURCES.iter().position(|(known, _)| *known == name).unwrap_or(0);
    let gains: Vec<f64> = all
        .iter()
        .map(|(_, speeds)| 100.0 * (speeds[at("ISAAC-64")] / speeds[at("AES by instructions")] - 1.0))
        .collect();
    let (least, most) =
        gains.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), gain| (a.min(*gain), b.max(*gain)));
    let terms = "of Bernoulli, CDT and the Ziggurat; ISAAC-64 over CTR_DRBG by instructions";
    let why = "AES by vector instructions is faster than ISAAC here, so that ISAAC gains nothing";
    answer.exact("gain of ISAAC over AES inside samplers, least", (least, "%"), terms, why)?;
    answer.exact("gain of ISAAC over AES inside samplers, most", (most, "%"), terms, why)?;
    let times: Vec<f64> =
        all.iter().map(|(_, speeds)| speeds[at("AES by instructions")] / speeds[at("AES in software")]).collect();
    let slowest = times.iter().copied().fold(f64::INFINITY, f64::min);
    let ours = format!("by instructions {slowest:.1} times as fast, or more");
    let verdict = if slowest < 1.0 {
        Outcome::Agrees
    } else {
        Outcome::Differs("software AES is bit-sliced and constant-time here; the paper's has tables of 20 KB".into())
    };
    answer.statement("AES by instructions inside samplers", &ours, "the least of the three samplers", verdict)?;
    blocks::inside(bench, answer)
}

pub(super) fn states(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let why = "ours is the state with its buffer, in one place: neither heap nor stack by itself";
    for (name, source) in [
        ("random", Source::GlibcRandom),
        ("KISS", Source::Kiss64),
        ("ISAAC", Source::Isaac64),
        ("Salsa and ChaCha", Source::Salsa20),
        ("Hash-DRBG", Source::HashDrbgSha256),
        ("AES by instructions", Source::CtrDrbgAes256),
        ("AES in software", Source::CtrDrbgAes256Soft),
    ] {
        let terms = format!("bytes of a generator of {source}");
        answer.beside(&format!("heap of {name}"), (source.state_bytes() as f64, "bytes"), &terms, why)?;
        let quantity = format!("stack of {name}");
        let terms = format!("{source}: seeding and one request, by the paint that a thread's stack has lost");
        match stack_of(source) {
            Some(bytes) => answer.beside(&quantity, (bytes as f64, "bytes"), &terms, why)?,
            None => answer.unmeasured(&quantity, "this system does not let a program see its stack")?,
        }
    }
    blocks::states(answer)?;
    let terms = "A generator with its buffer; the stack for seeding and one request of 64 KiB";
    for source in Source::ALL {
        answer.more(&format!("{source}{CROSS}state"), (source.state_bytes() as f64, "bytes"), terms);
        if let Some(bytes) = stack_of(source) {
            answer.more(&format!("{source}{CROSS}stack"), (bytes as f64, "bytes"), terms);
        }
    }
    Ok(())
}

/// Random bytes of a sample, of each sampler, and of Bernoulli's frugal form.
fn bytes() -> Result<[f64; 4], LabError> {
    let frugal = format!("{},frugal=true", SAMPLERS[0].1);
    let mut all = [0.0; 4];
    for (bytes, recipe) in all.iter_mut().zip([SAMPLERS[0].1, SAMPLERS[1].1, SAMPLERS[2].1, &frugal]) {
        *bytes = under(&build(recipe)?, Source::ChaCha20, 1 << 20)?.1;
    }
    Ok(all)
}

pub(super) fn table_2(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let [bernoulli, cdt, ziggurat, frugal] = bytes()?;
    let why = "a trial's coins are decided by one uniform here";
    answer.exact("random bytes of a sample of Bernoulli", (bernoulli, "bytes"), SAMPLERS[0].1, why)?;
    answer.more("random bytes of a sample of Bernoulli, frugal", (frugal, "bytes"), "bit by bit");
    answer.exact(
        "random bytes of a sample of CDT",
        (cdt, "bytes"),
        SAMPLERS[1].1,
        "32 bits decide nearly always; the paper draws all 64",
    )?;
    answer.near("random bytes of a sample of the Ziggurat", (ziggurat, "bytes"), 0.1, SAMPLERS[2].1, "")?;
    for (name, each, recipe) in [
        ("Bernoulli", bernoulli, SAMPLERS[0].1),
        ("CDT", cdt, SAMPLERS[1].1),
        ("the Ziggurat", ziggurat, SAMPLERS[2].1),
    ] {
        let quantity = format!("random bytes of 1048576 samples of {name}");
        answer.near(&quantity, (1_048_576.0 * each, "bytes"), 0.1, recipe, "as for one sample")?;
    }
    bytewise::table_2(bench, answer)
}

pub(super) fn appetite(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let [bernoulli, cdt, ziggurat, _] = bytes()?;
    let why = "Bernoulli takes one uniform a trial here, not a word a coin";
    answer.exact("random bytes of Bernoulli over CDT's", (bernoulli / cdt, "times"), "64 bits, ChaCha20", why)?;
    answer.exact(
        "random bytes of Bernoulli over the Ziggurat's",
        (bernoulli / ziggurat, "times"),
        "64 bits, ChaCha20",
        why,
    )?;
    bytewise::appetite(answer)
}

/// What the kept run of dieharder says of the two sources that it was given; whole, it takes hours: `make dieharder`.
pub(super) fn suites(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    const RUN: &str = include_str!("../../../../docs/report/dieharder.csv");
    let failed = |at: usize| {
        let cells = RUN.lines().skip(1).filter_map(|line| line.rsplit(',').nth(at));
        cells.filter(|cell| cell.contains("FAILED")).count()
    };
    let ours = format!("dieharder fails posix-rand in {} tests, and glibc-random in {}", failed(1), failed(0));
    answer.statement("established suites", &ours, "docs/report/dieharder.csv", Outcome::NoClaim)
}

pub(super) fn ziggurat_beside_cdt(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let timed = bench.timed(&[SAMPLERS[2].1.to_owned(), SAMPLERS[1].1.to_owned()])?;
    let ours = format!(
        "{:.1} times the speed of CDT, {} bytes for {}",
        timed[0].bulk / timed[1].bulk,
        timed[0].bytes,
        timed[1].bytes
    );
    let holds = timed[0].bulk > 0.8 * timed[1].bulk && timed[0].bytes * 2 < timed[1].bytes;
    let verdict = if holds { Outcome::Agrees } else { Outcome::Differs("it is slower, or not smaller".into()) };
    answer.statement("the Ziggurat beside CDT", &ours, "σ = 215, 64 bits, in bulk", verdict)
}

pub(super) fn threads(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let built = build(SAMPLERS[2].1)?;
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut out = vec![0_i32; bench.length(1 << 18, 1 << 20)];
    let mut all = Vec::new();
    for (name, source) in SOURCES.iter().filter(|(_, source)| source.is_seeded()) {
        let bulk = Bulk::new(built.sampler(), *source, zeros());
        let mut seconds = |threads: NonZeroUsize| -> Result<f64, LabError> {
            let start = std::time::Instant::now();
            bulk.par_fill(0, &mut out, threads)?;
            Ok(start.elapsed().as_secs_f64())
        };
        // One and all in turns, as near to each other as may be.
        let turns = (0..bench.length(3, 7)).map(|_| Ok(seconds(NonZeroUsize::MIN)? / seconds(cores)?));
        let gain = median(turns.collect::<Result<Vec<f64>, LabError>>()?);
        answer.more(
            &format!("{cores} threads over one, {name}"),
            (gain, "times"),
            "the Ziggurat, 64 bits, by the wall clock, the median of turns",
        );
        all.push(gain);
    }
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    let ours = format!("{cores} threads are {least:.2} times as fast as one, or more, over every source");
    answer.statement("multithreading", &ours, "the same samples by any number of threads", Outcome::NoClaim)
}

pub(super) fn enough_for_bliss_b(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let built = build("sigma=215,method=cdt,precision=64")?;
    let certificate = built.certificate();
    let bound = certificate.bound().ok_or_else(|| LabError::Input("no bound".into()))?;
    let samples = bound.samples_log2(128).unwrap_or(f64::NEG_INFINITY);
    answer.more(
        "log2 of the samples that keep 128 bits",
        (samples, "log2"),
        "sigma=215,method=cdt,precision=64, rounded down, by Rényi",
    );
    let why =
        "64 bits suffice for 2^55 samples if probabilities are rounded down; rounded to nearest they prove nothing";
    let terms = "the precision whose certificate allows 2^48 signatures' worth of samples of one attempt each";
    if samples > 48.0 {
        answer.exact("precision for BLISS-B", (64.0, "bits"), terms, why)
    } else {
        answer.beside("precision for BLISS-B", (samples, "bits"), terms, why)
    }
}

pub(super) fn hierarchy(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let built = build(SAMPLERS[1].1)?;
    let bulk = Bulk::new(built.sampler(), Source::ChaCha20, zeros());
    let (mut one, mut many) = (vec![0_i32; 50_000], vec![0_i32; 50_000]);
    bulk.fill(0, &mut one)?;
    bulk.par_fill(0, &mut many, NonZeroUsize::MIN.saturating_add(2))?;
    let verdict = if one == many { Outcome::Agrees } else { Outcome::Differs("threads change the samples".into()) };
    let ours = "entropy, seed, a generator for each block; the same samples by one thread and by three";
    answer.statement("hierarchy", ours, "Bulk::fill and Bulk::par_fill", verdict)
}

pub(super) fn which(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let cryptographic =
        SOURCES.iter().filter(|(_, source)| source.is_cryptographic()).map(|(name, _)| *name).collect::<Vec<_>>();
    let ours = format!("by default ChaCha20; schemes take {} and no other", cryptographic.join(", "));
    let why = "ChaCha20 in place of CTR-DRBG: constant-time on every machine, and as fast; ISAAC and KISS for tests, as there".to_owned();
    answer.statement("which source", &ours, "samplez sources", Outcome::Beside(why))
}
