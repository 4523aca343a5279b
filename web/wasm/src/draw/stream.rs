//! A stream of random bits, and integers around centres from it.

use super::request::round_methods;
use crate::bits::Bits;
use crate::json;
use crate::spelling::{Failure, camel};
use samplez::bindings::{rational, rounding_among};
use samplez::{ParamError, Rational, Refused, RoundError, RoundMethod, Rounding, Sigmas, Source, SparseTernary};
use samplez_sources::Generator;
use zeroize::Zeroizing;

pub(crate) struct Stream {
    bits: samplez::Stream<Generator>,
    source: Source,
}

impl Stream {
    /// The stream's beginning. `seed` is what came as bytes.
    pub(crate) fn open(request: &Bits, seed: &[u8]) -> Result<Stream, Failure> {
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
    pub(crate) fn sparse(&mut self, weight: u64, out: &mut [i64]) -> Result<(), Failure> {
        let law = SparseTernary::new(out.len(), usize::try_from(weight).unwrap_or(usize::MAX));
        Ok(self.bits.fill_sparse(&law.map_err(|e| e.to_string())?, out).map_err(|e| e.to_string())?)
    }

    /// Integers around doubles: the centres, and before them the widths unless the head says one for all. The head is a method of
    /// rounding, or nothing for batches, a tab, and σ or nothing.
    pub(crate) fn around_doubles(&mut self, head: &[u8], numbers: &[u8], out: &mut [i64]) -> Result<(), Failure> {
        let (method, sigma) = text(head)?.split_once('\t').ok_or("a call without a width")?;
        let (numbers, _) = numbers.as_chunks();
        let numbers = Zeroizing::new(Vec::from_iter(numbers.iter().map(|bytes| f64::from_le_bytes(*bytes))));
        let (sigmas, centers) = numbers.split_at(numbers.len().saturating_sub(out.len()));
        let sigmas = if sigma.is_empty() { Sigmas::Each(sigmas) } else { Sigmas::One(rational("sigma", sigma)?) };
        let drawn = match method {
            "" => self.bits.sample_each(sigmas, centers, out),
            _ => self.bits.round_all(method.parse()?, sigmas, centers, out),
        };
        drawn.map_err(|error| match error {
            RoundError::Refused(refused) => {
                let spell = |name: &str| if name == "sigmas" { "sigma".into() } else { camel(name) };
                Failure::spelled(&refused.as_typed([("sigma", sigma)]), spell)
            }
            source => source.to_string().into(),
        })
    }

    /// Integers around numbers of any kind, one after the other. The first line is the head that [`around_doubles`](Self::around_doubles)
    /// has. The other lines are the widths, unless the head has one for all, and the centres. `first` is the number of the first of
    /// them among all that the caller has. All are checked before the first is drawn, and with an empty `out` that is all.
    pub(crate) fn around_texts(&mut self, lines: &[u8], first: u64, out: &mut [i64]) -> Result<(), Failure> {
        let mut lines = text(lines)?.lines();
        let (method, one) = lines.next().and_then(|head| head.split_once('\t')).ok_or("a call without a width")?;
        let method: RoundMethod = method.parse()?;
        let numbers = Vec::from_iter(lines);
        let (sigmas, centers) = numbers.split_at(if one.is_empty() { numbers.len() / 2 } else { 0 });
        if !one.is_empty() && centers.is_empty() {
            rounding(Rounding::new, method, one)?;
        }
        let mut last = None;
        let mut prepared = |i: usize| {
            let (sigma, make): (_, Maker) = match one {
                "" => (*sigmas.get(i).ok_or("a call without a width")?, rounding_among),
                one => (one, Rounding::new),
            };
            let center = *centers.get(i).ok_or("a call without a centre")?;
            let spell = |name: &str| match name {
                "center" => format!("centers[{}]", first + i as u64),
                "sigma" if one.is_empty() => format!("sigma[{}]", first + i as u64),
                other => camel(other),
            };
            let refused =
                |refused: Refused| Failure::spelled(&refused.as_typed([("sigma", sigma), ("center", center)]), spell);
            let rounding = match last {
                Some((same, rounding)) if same == sigma => rounding,
                _ => last.insert((sigma, rounding(make, method, sigma).map_err(refused)?)).1,
            };
            let around = rational("center", center).and_then(|exact| Ok(rounding.center(exact)?));
            Ok::<_, Failure>((rounding, around.map_err(refused)?))
        };
        for i in (0..centers.len()).chain(0..out.len()).enumerate() {
            let (rounding, around) = prepared(i.1)?;
            if i.0 >= centers.len() {
                out[i.1] = self.bits.round(&rounding, around).map_err(|e| e.to_string())?;
            }
        }
        Ok(())
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    str::from_utf8(bytes).map_err(|e| e.to_string())
}

type Maker = fn(RoundMethod, Rational) -> Result<Rounding, ParamError>;

fn rounding(make: Maker, method: RoundMethod, sigma: &str) -> Result<Rounding, Refused> {
    Ok(make(method, rational("sigma", sigma)?)?)
}
