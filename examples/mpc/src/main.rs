//! Two parties, each a process, draw samples that neither can predict, by a circuit of `samplez circuit --emit bristol`.
//!
//! Each party contributes as many random bits as the circuit reads, and the circuit's input is their sum modulo 2, so that it is uniform
//! and unknown as long as one of the parties is honest. polytune runs the protocol of Wang, Ranellucci and Katz (CCS 2017), with security
//! against one malicious party. Here the first party receives the samples, to print them; a protocol of yours would add them to a secret
//! inside the circuit instead.
//!
//! `samplez-mpc FILE SAMPLES BATCH` prints the outputs in two's complement, and the time and the bytes to the standard error.

use garble_lang::circuit::{Circuit, Gate};
use polytune::channel::Channel;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::OwnedReadHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use tokio::time::timeout;

type Failure = Box<dyn Error>;

/// How long a party waits for the other's connection or next message.
const PATIENCE: Duration = Duration::from_secs(300);

/// Messages over TCP, each after its length. A task writes them, so that no party waits for the other to read.
struct Tcp {
    reader: Mutex<OwnedReadHalf>,
    writer: mpsc::UnboundedSender<Vec<u8>>,
    sent: AtomicU64,
    received: AtomicU64,
    task: JoinHandle<()>,
}

impl Tcp {
    fn new(stream: TcpStream) -> Result<Tcp, Failure> {
        stream.set_nodelay(true)?;
        let (reader, mut out) = stream.into_split();
        let (writer, mut messages) = mpsc::unbounded_channel::<Vec<u8>>();
        let task = tokio::spawn(async move {
            while let Some(message) = messages.recv().await {
                let head = (message.len() as u64).to_le_bytes();
                if out.write_all(&head).await.is_err() || out.write_all(&message).await.is_err() {
                    return;
                }
            }
        });
        let [sent, received] = [(); 2].map(|()| AtomicU64::new(0));
        Ok(Tcp { reader: Mutex::new(reader), writer, sent, received, task })
    }
}

impl Channel for Tcp {
    type SendError = String;
    type RecvError = String;

    async fn send_bytes_to(&self, _party: usize, data: Vec<u8>, _phase: &str) -> Result<(), String> {
        self.sent.fetch_add(data.len() as u64 + 8, Ordering::Relaxed);
        self.writer.send(data).map_err(|_| "the other party closed the connection".into())
    }

    async fn recv_bytes_from(&self, _party: usize, phase: &str) -> Result<Vec<u8>, String> {
        let mut reader = self.reader.lock().await;
        let message = async {
            let mut head = [0; 8];
            reader.read_exact(&mut head).await?;
            let mut data = vec![0; usize::try_from(u64::from_le_bytes(head)).map_err(std::io::Error::other)?];
            reader.read_exact(&mut data).await?;
            Ok::<_, std::io::Error>(data)
        };
        let data = timeout(PATIENCE, message).await.map_err(|_| format!("{phase}: no message"))?;
        let data = data.map_err(|error| format!("{phase}: {error}"))?;
        self.received.fetch_add(data.len() as u64 + 8, Ordering::Relaxed);
        Ok(data)
    }
}

/// So many samples at once: the sums of both parties' bits, and then the circuit once for each sample.
fn batch(one: &Circuit, samples: usize) -> Circuit {
    let bits = one.input_gates.iter().sum::<usize>();
    let inputs = bits * samples;
    let mut gates: Vec<Gate> = (0..inputs).map(|i| Gate::Xor(i, inputs + i)).collect();
    let mut outputs = Vec::new();
    for sample in 0..samples {
        let first = 2 * inputs + gates.len();
        let wire = |i: usize| {
            if i < bits { 2 * inputs + sample * bits + i } else { first + i - bits }
        };
        gates.extend(one.gates.iter().map(|gate| match *gate {
            Gate::Xor(a, b) => Gate::Xor(wire(a), wire(b)),
            Gate::And(a, b) => Gate::And(wire(a), wire(b)),
            Gate::Not(a) => Gate::Not(wire(a)),
        }));
        outputs.extend(one.output_gates.iter().map(|output| wire(*output)));
    }
    Circuit { input_gates: vec![inputs; 2], gates, output_gates: outputs }
}

/// One party's part; the first receives the outputs.
async fn party(own: usize, stream: TcpStream, path: &Path, samples: usize, size: usize) -> Result<Vec<i64>, Failure> {
    let one =
        garble_lang::compile_bristol_to_circuit(path).map_err(|error| format!("{}: {error:?}", path.display()))?;
    let ands = one.gates.iter().filter(|gate| matches!(gate, Gate::And(..))).count();
    let channel = Tcp::new(stream)?;
    let bits = one.input_gates.iter().sum::<usize>();
    let mut outputs = Vec::new();
    let start = Instant::now();
    for done in (0..samples).step_by(size) {
        let count = size.min(samples - done);
        let mut bytes = vec![0; bits * count];
        getrandom::fill(&mut bytes)?;
        let own_bits: Vec<bool> = bytes.iter().map(|byte| byte & 1 == 1).collect();
        let circuit = batch(&one, count).into();
        let found = polytune::mpc(&channel, &circuit, &own_bits, 0, own, &[0], None).await;
        outputs.extend(found.map_err(|error| format!("party {own}: {error:?}"))?);
    }
    let seconds = start.elapsed().as_secs_f64();
    let [sent, received] = [&channel.sent, &channel.received].map(|bytes| bytes.load(Ordering::Relaxed));
    // The last messages leave before the process ends.
    drop(channel.writer);
    channel.task.await?;
    if own > 0 {
        return Ok(Vec::new());
    }
    let total = (sent + received) as f64;
    eprintln!(
        "{samples} samples, {ands} AND gates each: {seconds:.1} s, {:.0} MB, {:.0} bytes an AND gate",
        total / 1e6,
        total / (ands * samples) as f64
    );
    let number =
        |bits: &[bool]| bits.iter().rev().fold(-i64::from(bits[bits.len() - 1]), |sum, bit| sum << 1 | i64::from(*bit));
    Ok(outputs.chunks(one.output_gates.len()).map(number).collect())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (file, samples, size, second) = match &arguments[..] {
        [file, samples, size] => (file, samples, size, None),
        [file, samples, size, address] => (file, samples, size, Some(address)),
        _ => return Err("usage: samplez-mpc FILE SAMPLES BATCH".into()),
    };
    let count = |name: &str, text: &str| match text.parse() {
        Ok(count @ 1..=1_000_000_usize) => Ok(count),
        _ => Err(format!("{name} = {text}: expected a whole number from 1 to 1000000")),
    };
    let (samples, size, path) = (count("SAMPLES", samples)?, count("BATCH", size)?, Path::new(file));
    if let Some(address) = second {
        return party(1, TcpStream::connect(address).await?, path, samples, size).await.map(|_| ());
    }
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    let mut other =
        Command::new(std::env::current_exe()?).args([file, &arguments[1], &arguments[2], &address]).spawn()?;
    let drawn = match timeout(PATIENCE, listener.accept()).await {
        Ok(accepted) => party(0, accepted?.0, path, samples, size).await,
        Err(_) => Err("the other party did not connect".into()),
    };
    let text: String = drawn?.iter().map(|sample| format!("{sample}\n")).collect();
    if !other.wait()?.success() {
        return Err("the other party failed".into());
    }
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
