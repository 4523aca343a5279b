//! Lattigo's sampler, in a program of its own that answers a line for each line it is sent.

use crate::failure::Failure;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Lattigo {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Lattigo {
    pub(crate) const NAME: &str = "Lattigo 6.1.1, `ring.GaussianSampler` (BLAKE2b)";
    pub(crate) const LAW: &str = "a normal variable from a Ziggurat in floats, rounded";

    pub(crate) fn start(program: OsString) -> Result<Self, Failure> {
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (questions, answers) = (child.stdin.take(), child.stdout.take().ok_or("no output")?);
        Ok(Lattigo { child, questions, answers: BufReader::new(answers) })
    }

    /// Nanoseconds for each sample, over this many polynomials, and the variance of the last.
    pub(crate) fn time(&mut self, sigma: &str, polynomials: usize) -> Result<(f64, f64), Failure> {
        let questions = self.questions.as_mut().ok_or("no input")?;
        writeln!(questions, "{sigma} {polynomials}")?;
        questions.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let (time, variance) = line.trim().split_once(' ').ok_or("Lattigo's program did not answer")?;
        Ok((time.parse()?, variance.parse()?))
    }
}

impl Drop for Lattigo {
    /// The end of its input ends the program.
    fn drop(&mut self) {
        self.questions = None;
        let _ = self.child.wait();
    }
}
