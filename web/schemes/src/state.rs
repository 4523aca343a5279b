//! What an instance of the module holds: an input, an answer, a seed, and what JavaScript has handles of.

use crate::noise::{self, Built};
use crate::request::{Failure, Request};
use crate::scheme::{Description, Key, Scheme};
use crate::{bliss, json, lp11, regev};
use samplez_core::{Timing, bits::BitReader};
use samplez_schemes::Error;
use samplez_sources::{ChaCha20, ParseSeedError, Seed};
use std::ops::{Deref, DerefMut};
use zeroize::{Zeroize, Zeroizing};

type Opener = fn(&Request<'_>) -> Result<Box<dyn Scheme>, Failure>;
type Sets = fn() -> Vec<Description>;
type Answer = Result<Zeroizing<Vec<u8>>, Failure>;

/// The schemes by name.
const SCHEMES: [(&str, Opener, Sets); 3] =
    [("bliss", bliss::open, bliss::sets), ("lp11", lp11::open, lp11::sets), ("regev", regev::open, regev::sets)];

/// What a handle stands for.
enum Thing {
    Scheme(Box<dyn Scheme>, Built),
    Key(Box<dyn Key>),
}

/// What a call leaves for JavaScript to read; erased when it is replaced or dropped.
pub(crate) enum Answered {
    Bytes(Zeroizing<Vec<u8>>),
    /// Where they were drawn: a copy would take as long again to make.
    Samples(Swept<i32>),
}

/// A list that is erased in one sweep when it is dropped: word by word that takes a part of the time in which it is used.
#[derive(Default)]
pub(crate) struct Swept<T: Copy + Default>(Vec<T>);

impl<T: Copy + Default> Swept<T> {
    pub(crate) fn zeros(count: usize) -> Self {
        Swept(vec![T::default(); count])
    }
}

impl<T: Copy + Default> Drop for Swept<T> {
    fn drop(&mut self) {
        self.0.fill(T::default());
        zeroize::optimization_barrier(&self.0[..]);
    }
}

impl<T: Copy + Default> Deref for Swept<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default> DerefMut for Swept<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl Default for Answered {
    fn default() -> Self {
        Answered::Bytes(Zeroizing::default())
    }
}

impl From<Zeroizing<Vec<u8>>> for Answered {
    fn from(bytes: Zeroizing<Vec<u8>>) -> Self {
        Answered::Bytes(bytes)
    }
}

impl From<Swept<i32>> for Answered {
    fn from(samples: Swept<i32>) -> Self {
        Answered::Samples(samples)
    }
}

impl Answered {
    /// Where it begins, and how many bytes it has.
    pub(crate) fn bytes(&self) -> (*const u8, usize) {
        match self {
            Answered::Bytes(bytes) => (bytes.as_ptr(), bytes.len()),
            Answered::Samples(samples) => (samples.as_ptr().cast(), size_of_val(&samples[..])),
        }
    }
}

/// Everything secret in it is erased when it is replaced or dropped.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) input: Swept<u8>,
    pub(crate) answer: Answered,
    /// Of the last signature.
    pub(crate) attempts: u64,
    /// In a place of its own: what is moved out of here would leave a copy.
    seed: Option<Box<Seed>>,
    things: Vec<Option<Thing>>,
}

impl State {
    fn keep(&mut self, thing: Thing) -> String {
        let place = self.things.iter().position(Option::is_none).unwrap_or_else(|| {
            self.things.push(None);
            self.things.len() - 1
        });
        self.things[place] = Some(thing);
        place.to_string()
    }

    pub(crate) fn close(&mut self, handle: usize) {
        if let Some(thing) = self.things.get_mut(handle) {
            *thing = None;
        }
    }

    fn scheme(&self, handle: usize) -> Result<(&dyn Scheme, &Built), Failure> {
        match self.things.get(handle) {
            Some(Some(Thing::Scheme(scheme, built))) => Ok((&**scheme, built)),
            _ => Err(format!("scheme = {handle}: there is none of this number").into()),
        }
    }

    fn key(&self, handle: usize) -> Result<&dyn Key, Failure> {
        match self.things.get(handle) {
            Some(Some(Thing::Key(key))) => Ok(&**key),
            _ => Err(format!("key = {handle}: there is none of this number").into()),
        }
    }

    /// The generator of one operation: its seed is used up.
    fn generator(&mut self) -> Result<ChaCha20, Failure> {
        let seed = self.seed.take().ok_or("missing seed: each operation needs a new one")?;
        Ok(ChaCha20::new(&seed))
    }

    /// The input becomes the seed of the next operation: 32 bytes, or a text.
    pub(crate) fn seed(&mut self, input: &[u8], is_text: bool) -> Answer {
        self.seed = Some(Box::new(if is_text {
            let text = str::from_utf8(input).map_err(|e| e.to_string())?;
            text.parse().map_err(bad_seed)?
        } else {
            let length = |_| format!("seed: expected 32 bytes; got {}", input.len());
            let mut bytes: [u8; 32] = input.try_into().map_err(length)?;
            let seed = Seed::try_from(bytes).map_err(bad_seed);
            bytes.zeroize();
            seed?
        }));
        Ok(Zeroizing::default())
    }

    /// Opens the scheme that the input describes. Answers with its handle and what its noise is.
    pub(crate) fn open(&mut self, input: &[u8]) -> Answer {
        let request = Request::parse(input)?;
        let name = request.need("scheme")?;
        let (_, open, _) = SCHEMES.iter().find(|(scheme, ..)| *scheme == name).ok_or_else(|| {
            let names = SCHEMES.map(|(name, ..)| name).join(", ");
            Failure::new("unknown", format!("scheme = {name}: expected one of {names}"))
        })?;
        let scheme = open(&request)?;
        let built = noise::build(&scheme.demand(), request.get("noise").unwrap_or_default())?;
        scheme.takes(&*built.noise)?;
        let profile = built.noise.profile();
        // As in the samplers' module: no class of time is promised in WebAssembly.
        let timing = match profile.timing {
            Timing::Constant | Timing::Isochronous if cfg!(target_family = "wasm") => Timing::Unpromised,
            class => class,
        };
        let noise = json::object([
            ("recipe", json::text(&built.recipe)),
            ("law", json::text(&profile.target.to_string())),
            ("exact", profile.exactness.is_exact().to_string()),
            ("timing", json::text(&timing.to_string())),
            ("table_bytes", profile.table_bytes.to_string()),
        ]);
        let handle = self.keep(Thing::Scheme(scheme, built));
        bytes(json::object([("handle", handle), ("noise", noise)]))
    }

    /// Answers with the handles of a new secret key and its public key.
    pub(crate) fn keygen(&mut self, scheme: usize) -> Answer {
        let mut rng = self.generator()?;
        let (family, built) = self.scheme(scheme)?;
        let keys = family.keygen(&*built.noise, &mut rng).map_err(said)?;
        let secret = self.keep(Thing::Key(keys.secret));
        let public = keys.public.map(|key| self.keep(Thing::Key(key)));
        bytes(json::array([secret].into_iter().chain(public)))
    }

    /// Answers with the handle of the public key in the input, or those of the secret key in it and, if it tells this, its
    /// public key.
    pub(crate) fn read(&mut self, scheme: usize, is_secret: bool, input: &[u8]) -> Answer {
        let (family, _) = self.scheme(scheme)?;
        let (secret, public) = if is_secret {
            let keys = family.read_secret(input).map_err(said)?;
            (Some(keys.secret), keys.public)
        } else {
            (None, Some(family.read_public(input).map_err(said)?))
        };
        let handles: Vec<_> = secret.into_iter().chain(public).map(|key| self.keep(Thing::Key(key))).collect();
        bytes(json::array(handles))
    }

    /// Answers with a key's bytes.
    pub(crate) fn write(&self, key: usize) -> Answer {
        self.key(key)?.write().map_err(said)
    }

    /// Answers with a signature of the input.
    pub(crate) fn sign(&mut self, scheme: usize, key: usize, input: &[u8]) -> Answer {
        let mut rng = self.generator()?;
        let (_, built) = self.scheme(scheme)?;
        let (signature, attempts) = self.key(key)?.sign(&*built.noise, input, &mut rng).map_err(said)?;
        self.attempts = attempts;
        Ok(Zeroizing::new(signature))
    }

    /// Whether the rest of the input is a signature of its first `length` bytes.
    pub(crate) fn verify(&self, key: usize, length: usize, input: &[u8]) -> Result<bool, Failure> {
        let (message, signature) = input.split_at_checked(length).ok_or("the message is longer than the input")?;
        match self.key(key)?.verify(message, signature) {
            Ok(()) => Ok(true),
            Err(Error::Invalid) => Ok(false),
            Err(other) => Err(said(other)),
        }
    }

    /// Answers with a ciphertext of the input.
    pub(crate) fn encrypt(&mut self, scheme: usize, key: usize, input: &[u8]) -> Answer {
        let mut rng = self.generator()?;
        let (_, built) = self.scheme(scheme)?;
        self.key(key)?.encrypt(&*built.noise, input, &mut rng).map(Zeroizing::new).map_err(said)
    }

    /// Answers with the message in the input.
    pub(crate) fn decrypt(&self, key: usize, input: &[u8]) -> Answer {
        self.key(key)?.decrypt(input).map_err(said)
    }

    /// Answers with samples of the scheme's noise.
    pub(crate) fn draw(&mut self, scheme: usize, count: usize) -> Result<Swept<i32>, Failure> {
        let rng = self.generator()?;
        let (_, built) = self.scheme(scheme)?;
        let mut samples = Swept::zeros(count);
        let mut bits = BitReader::new(rng).latching();
        built.noise.fill(&mut bits, &mut samples).map_err(|e| e.to_string())?;
        bits.fault().map_or(Ok(samples), |fault| Err(fault.to_string().into()))
    }
}

/// Answers with every set of every scheme.
pub(crate) fn sets() -> Answer {
    let describe = |set: Description| {
        let parameters = set.parameters.into_iter().map(|(name, value)| (name, value.to_string()));
        let samples = set.samples.into_iter().map(|(name, value)| (name, json::number(value)));
        let failure = |(what, rate)| json::object([("of", json::text(what)), ("rate", json::number(rate))]);
        json::object([
            ("scheme", json::text(set.scheme)),
            ("set", json::text(&set.set)),
            ("parameters", json::object(parameters)),
            ("noise", json::text(&set.demand.law.to_string())),
            ("problem", json::text(&set.demand.problem.to_string())),
            ("samples_log2", set.demand.samples_log2.to_string()),
            ("security", set.security.to_string()),
            ("lifetime_log2", set.lifetime_log2.map_or("null".into(), |log2| log2.to_string())),
            ("samples", json::object(samples)),
            ("failure", set.failure.map_or("null".into(), failure)),
        ])
    };
    bytes(json::array(SCHEMES.iter().flat_map(|(_, _, sets)| sets()).map(describe)))
}

fn bytes(text: String) -> Answer {
    Ok(Zeroizing::new(text.into_bytes()))
}

fn bad_seed(error: ParseSeedError) -> Failure {
    let kind = if error == ParseSeedError::TooLarge { "out-of-range" } else { "other" };
    Failure::new(kind, format!("seed: {error}"))
}

fn said(error: Error) -> Failure {
    error.into()
}
