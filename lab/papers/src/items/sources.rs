//! \[BSOVOGR17\]: sources, by themselves and under samplers.

use super::Bench;
use super::bench::build;
use super::{blocks, bytewise};
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::{Form, Outcome};
use crate::grid::CROSS;
use crate::plot::{Chart, Plot, Series};
use crate::rand_state::RandState;
use rand_core::TryRng;
use samplez::{Built, Bulk, EntropyError, Seed, Source, Stream};
use samplez_cli::testing::measure::rounds::{levelled_time, median};
use samplez_cli::testing::measure::streams::{bulk, draws, stack_of};
use samplez_core::table::Table;
use samplez_schemes::Demand;
use samplez_schemes::bliss::Set;
use samplez_sources::{Generator, HashDrbgSha256};
use samplez_tables::{CdtOptions, Rounding, build_cdt};
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
    answer.statement("sources", ours, "each opened; compared with published vectors in its tests", Outcome::NoClaim)
}

pub(super) fn reseeding(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let seed = [0x5a; 64];
    let mut drbg =
        HashDrbgSha256::instantiate(&seed, &seed[..32], &[]).map_err(|why| LabError::System(why.to_string()))?;
    // A request of 2^19 bits, one of a byte more, and a byte after the first: a generator that reseeded every 2^19 bits would refuse it.
    let mut request = |bytes: usize| drbg.generate(&mut vec![0; bytes], &[]);
    let (most, more, after) = (request(1 << 16).is_ok(), request((1 << 16) + 1).is_ok(), request(1).is_ok());
    let why = "2^19 bits is the most that one request may ask for; SP 800-90A's interval is 2^48 requests".to_owned();
    let outcome = if after { Outcome::Differs(why) } else { Outcome::Agrees };
    let told = |is: bool| if is { "answered" } else { "refused" };
    let terms = format!(
        "Hash_DRBG: 2^19 bits in one request are {}, a byte more is {}, and the next request is {} without a reseeding",
        told(most),
        told(more),
        told(after)
    );
    answer.statement("reseeding", "every 2^48 requests, or sooner if asked", &terms, outcome)
}

/// Outputs in a row after srand(1), whose differences no multiple of 16838 is; first outputs under neighbouring seeds, which do differ
/// by 1103515245/2^16 for each step of the seed; and the attack that works, which tries the 2^16 halves of the state below an output.
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
    let quantity = "difference that recovers the state of rand";
    let differences = in_a_row()?;
    let (step, told) = (answer.stated(quantity)? as u32, differences.map(|by| by.to_string()).join(", "));
    let holds = differences.iter().all(|by| is_multiple(*by, step));
    let ours = format!("after srand(1) outputs differ by {told}");
    let terms = "modulo 2^15; n·16838 is even there for every n, so that no odd difference is one";
    let why = "16838 is the step of the first output from a seed to the next".to_owned();
    let outcome = if holds { Outcome::Agrees } else { Outcome::Differs(why) };
    answer.statement(quantity, &ours, terms, outcome)?;
    let terms = "the mean step, modulo 2^15, of rand()'s first output over 1000 neighbouring seeds";
    answer.more("step of rand's first output from seed to seed", (f64::from(sum) / f64::from(steps), "count"), terms);
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

/// Differences modulo 2^15 of the first four outputs of rand() after srand(1).
fn in_a_row() -> Result<[u32; 3], LabError> {
    let (mut seed, mut packed) = ([0; 32], [0; 16]);
    seed[0] = 1;
    Source::PosixRand.open(&Seed::from_bytes(seed))?.try_fill_bytes(&mut packed)?;
    let all = u128::from_le_bytes(packed);
    let output = |i: usize| (all >> (15 * i) & 0x7fff) as u32;
    Ok(std::array::from_fn(|i| (output(i + 1) + 32_768 - output(i)) % 32_768))
}

/// Whether a number is n·step modulo 2^15 for some n: whether it has as many factors 2.
const fn is_multiple(number: u32, step: u32) -> bool {
    number.is_multiple_of(32_768) || number.trailing_zeros() >= step.trailing_zeros()
}

pub(super) fn seedings(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let os = Seed::from_os()?;
    let mut bytes = [0; 32];
    for source in [Source::DevRandom, Source::DevUrandom] {
        source.open(&os)?.try_fill_bytes(&mut bytes)?;
    }
    let ours = "all four: --seed-from insecure-time, dev-random, dev-urandom, file:PATH with --repeat";
    answer.statement("seedings", ours, "the devices read here; all four in the command's tests", Outcome::NoClaim)
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
    let why = "ours is in one place, neither heap nor stack";
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
    let why = "bits are drawn as they are needed, not by words";
    answer.exact("random bytes of a sample of the Ziggurat", (ziggurat, "bytes"), SAMPLERS[2].1, why)?;
    for (name, each, recipe) in [
        ("Bernoulli", bernoulli, SAMPLERS[0].1),
        ("CDT", cdt, SAMPLERS[1].1),
        ("the Ziggurat", ziggurat, SAMPLERS[2].1),
    ] {
        let quantity = format!("random bytes of 1048576 samples of {name}");
        answer.exact(&quantity, (1_048_576.0 * each, "bytes"), recipe, "as for one sample")?;
    }
    bytewise::table_2(bench, answer)?;
    let bars = ["Bernoulli", "CDT", "the Ziggurat"].map(|of| (of.into(), format!("random bytes of a sample of {of}")));
    answer.bars(("bytes", "Random bytes of a sample", "σ = 215, 64 bits."), ("sampler", "bytes", true), &bars)
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

/// log2 of the samples of BLISS-B's lifetime: 2^48 signatures of one attempt each, 2n = 1024 samples.
fn lifetime() -> f64 {
    let of = Set::I.parameters();
    f64::from(of.signatures_log2) + (2.0 * of.n as f64).log2()
}

/// log2 of the samples for which a table of so many bits keeps 128 bits of security; below every number if for none.
fn kept(precision: u32, rounding: Rounding) -> Result<f64, LabError> {
    let options = CdtOptions { precision, rounding, ..CdtOptions::default() };
    let table =
        build_cdt(&Set::I.demand().law, &options).map_err(|why| LabError::Input(format!("{precision} bits: {why}")))?;
    Ok(table.bound().samples_log2(Demand::SECURITY).filter(|log2| *log2 >= 0.0).unwrap_or(f64::NEG_INFINITY))
}

/// The greatest precision that is tried.
const MOST: u32 = 128;

pub(super) fn enough_for_bliss_b(_: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let needed = lifetime();
    for (rounding, form, how) in
        [(Rounding::Nearest, Form::AsBuilt, "to nearest"), (Rounding::Floor, Form::Ours, "down")]
    {
        let mut precision = 64;
        while precision < MOST && kept(precision, rounding)? < needed {
            precision += 1;
        }
        let terms = format!(
            "the least precision, from 64, that keeps 128 bits for 2^{needed:.0} samples: 2^48 signatures of one attempt; k = 254, \
             probabilities rounded {how}, by Rényi"
        );
        let why = format!("64 bits keep 128 bits for {} samples", told_log2(kept(64, rounding)?));
        answer.form = form;
        if precision < MOST {
            answer.exact("precision for BLISS-B", (f64::from(precision), "bits"), &terms, &why)?;
        } else {
            let (ours, outcome) = (format!("{MOST} bits, or more"), Outcome::Differs(why));
            answer.statement("precision for BLISS-B", &ours, &terms, outcome)?;
        }
    }
    Ok(())
}

fn told_log2(log2: f64) -> String {
    if log2.is_finite() { format!("2^{log2:.1}") } else { "no".into() }
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
    let why = "ChaCha20 in place of CTR-DRBG here".to_owned();
    answer.statement("which source", &ours, "samplez sources", Outcome::Beside(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 64 bits do not last for 2^48 signatures, whose 2^58 samples the old comparison took for 2^48.
    #[test]
    fn bliss_b_needs_more_than_64_bits() {
        assert_eq!(lifetime(), 58.0);
        let floor = kept(64, Rounding::Floor).unwrap();
        assert!(48.0 < floor && floor < lifetime() && (floor - 55.67).abs() < 0.1, "{floor}");
        assert_eq!(kept(64, Rounding::Nearest).unwrap(), f64::NEG_INFINITY);
    }

    #[test]
    fn outputs_of_rand_are_not_16838_apart() {
        assert_eq!(in_a_row().unwrap(), [21_688, 4355, 7402]);
        assert!(!is_multiple(4355, 16_838) && is_multiple(7402, 16_838) && is_multiple(0, 16_838));
        let by_trial = |number: u32| (0..32_768).any(|n| n * 16_838 % 32_768 == number);
        assert!((0..200).all(|number| is_multiple(number, 16_838) == by_trial(number)));
    }
}
