//! A stream of random bits, and integers around centres from it.

use crate::bits::Bits;
use crate::json;
use crate::request::round_methods;
use samplez::SparseTernary;
use samplez::bindings::rounding_among;
use samplez::{ParamError, ParseRationalError, Rational};
use samplez::{RoundMethod, Rounding, Sigmas, Source};
use samplez_sources::Generator;
use zeroize::Zeroizing;

pub(crate) struct Stream {
    bits: samplez::Stream<Generator>,
    source: Source,
}

impl Stream {
    /// The stream's beginning. `seed` is what came as bytes.
    pub(crate) fn open(request: &Bits, seed: &[u8]) -> Result<Stream, String> {
        let (source, seed) = (request.source, request.seed(seed)?);
        Ok(Stream { bits: samplez::Stream::new(source.open(&seed).map_err(|e| e.to_string())?), source })
    }

    /// The source, and the methods of rounding.
    pub(crate) fn describe(&self) -> String {
        json::object([
            ("source", json::text(self.source.name())),
            ("seeded", self.source.is_seeded().to_string()),
            ("roundMethods", round_methods()),
        ])
    }

    /// One ternary vector with so many entries that are not 0.
    pub(crate) fn sparse(&mut self, weight: u64, out: &mut [i64]) -> Result<(), String> {
        let law = SparseTernary::new(out.len(), usize::try_from(weight).unwrap_or(usize::MAX));
        self.bits.fill_sparse(&law.map_err(|e| e.to_string())?, out).map_err(|e| e.to_string())
    }

    /// Integers around doubles: the centres, and before them the widths unless the head says one for all. The head is a method of
    /// rounding, or nothing for batches, a tab, and σ or nothing.
    pub(crate) fn around_doubles(&mut self, head: &[u8], numbers: &[u8], out: &mut [i64]) -> Result<(), String> {
        let (method, sigma) = text(head)?.split_once('\t').ok_or("a call without a width")?;
        let (numbers, _) = numbers.as_chunks();
        let numbers = Zeroizing::new(Vec::from_iter(numbers.iter().map(|bytes| f64::from_le_bytes(*bytes))));
        let (sigmas, centers) = numbers.split_at(numbers.len().saturating_sub(out.len()));
        let sigmas = if sigma.is_empty() { Sigmas::Each(sigmas) } else { Sigmas::One(rational("sigma", sigma)?) };
        match method {
            "" => self.bits.sample_each(sigmas, centers, out),
            _ => self.bits.round_all(method_of(method)?, sigmas, centers, out),
        }
        .map_err(|e| e.to_string())
    }

    /// Integers around numbers of any kind, one after the other. The first line is the head that [`around_doubles`](Self::around_doubles)
    /// has. The other lines are the widths, unless the head has one for all, and the centres. `first` is the number of the first of
    /// them among all that the caller has.
    pub(crate) fn around_texts(&mut self, lines: &[u8], first: u64, out: &mut [i64]) -> Result<(), String> {
        let mut lines = text(lines)?.lines();
        let (method, one) = lines.next().and_then(|head| head.split_once('\t')).ok_or("a call without a width")?;
        let method = method_of(method)?;
        let numbers = Vec::from_iter(lines);
        let (sigmas, centers) = numbers.split_at(numbers.len().saturating_sub(out.len()));
        let of = |argument: &str, i: usize| format!("{argument}[{}]", first + i as u64);
        if !one.is_empty() && centers.is_empty() {
            rounding(Rounding::new, method, "sigma", one)?;
        }
        let mut last = None;
        for (i, (center, slot)) in centers.iter().zip(out).enumerate() {
            let (argument, sigma, make): (_, _, Maker) = match one {
                "" => (of("sigma", i), *sigmas.get(i).ok_or("a call without a width")?, rounding_among),
                one => ("sigma".into(), one, Rounding::new),
            };
            let rounding = match last {
                Some((same, rounding)) if same == sigma => rounding,
                _ => last.insert((sigma, rounding(make, method, &argument, sigma)?)).1,
            };
            let argument = of("centers", i);
            let center =
                rounding.center(rational(&argument, center)?).map_err(|e| format!("{argument} = {center}: {e}"))?;
            *slot = self.bits.round(&rounding, center).map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    str::from_utf8(bytes).map_err(|e| e.to_string())
}

fn method_of(name: &str) -> Result<RoundMethod, String> {
    name.parse().map_err(|e: samplez::Refused| e.to_string())
}

fn rational(argument: &str, text: &str) -> Result<Rational, String> {
    text.parse().map_err(|e: ParseRationalError| format!("{argument} = {text}: {e}"))
}

type Maker = fn(RoundMethod, Rational) -> Result<Rounding, ParamError>;

fn rounding(make: Maker, method: RoundMethod, argument: &str, sigma: &str) -> Result<Rounding, String> {
    make(method, rational(argument, sigma)?).map_err(|e| match argument {
        "sigma" => e.to_string(),
        _ => format!("{argument}: {e}"),
    })
}
