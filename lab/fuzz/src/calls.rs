//! Calls of the C interface in any order, with any texts, NULL or misaligned handles and impossible lengths. Every status is
//! the documented one, every integer equals the library's own, and no call writes beyond its buffers.
//!
//! Handles are used as C may use them: never after they were freed, and a stream by one call at a time.
#![allow(unsafe_code)]

use crate::input::Input;
use samplez::{Built, Bulk, Exactness, Int, Method, Recipe, Seed, Source, Stream, StreamError};
use samplez_c::{samplez_sampler, samplez_status::*, samplez_stream, *};
use samplez_core::Noise;
use std::convert::Infallible;
use std::ffi::{CStr, CString, c_int, c_void};
use std::num::NonZeroUsize;
use std::ptr;

/// Handles of each kind, calls, and those that build a sampler, which takes milliseconds.
const SLOTS: usize = 3;
const MOST_CALLS: usize = 64;
const MOST_BUILDS: usize = 6;

/// Values that there is room for, and those behind it, which stay as they are.
const ROOM: usize = 600;
const BEHIND: usize = 8;

const RECIPES: [&str; 8] = [
    "sigma=3.2",
    "sigma=3.2,method=cdt,precision=72",
    "sigma=1/2,method=knuth-yao,precision=20",
    "sigma=215,method=ziggurat,rectangles=16",
    "sigma=1e5,method=karney,center=1/3",
    "sigma=19.5,method=cdt-lazy-ct,precision=64",
    "k_sigma2=9,method=bernoulli",
    "sigma_squared=10,exact=true",
];

/// Calls, one after the other: one byte for what is called, and its arguments.
pub fn calls(data: &[u8]) {
    let mut input = Input(data);
    let mut program = Program::default();
    for _ in 0..MOST_CALLS {
        if input.is_empty() {
            break;
        }
        program.step(&mut input);
    }
}

/// A live handle, and what is behind it.
struct Sampler {
    handle: *mut samplez_sampler,
    built: Built,
}

/// A live handle, the same stream in Rust, and the context of its callback.
struct Streaming {
    handle: *mut samplez_stream,
    same: Same,
    context: *mut Context,
}

enum Same {
    Seeded(Stream<samplez_sources::SeededGenerator>),
    Callback(Stream<Context>),
    /// From the operating system: there is no second one.
    Unknown,
}

/// A generator that counts, and fails from some request on.
#[derive(Clone)]
struct Context {
    state: u64,
    left: u32,
}

impl Context {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Failed> {
        self.left = self.left.checked_sub(1).ok_or(Failed)?;
        for byte in out {
            self.state = self.state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            *byte = (self.state >> 56) as u8;
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no more")
    }
}

impl std::error::Error for Failed {}

impl rand_core::TryRng for Context {
    type Error = Failed;
    fn try_next_u32(&mut self) -> Result<u32, Failed> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes).map(|()| u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Failed> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes).map(|()| u64::from_le_bytes(bytes))
    }
    /// The C library asks a callback for 16 bytes more than it uses.
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Failed> {
        let mut all = vec![0; out.len() + 16];
        self.fill(&mut all)?;
        out.copy_from_slice(&all[..out.len()]);
        Ok(())
    }
}

extern "C" fn callback(context: *mut c_void, out: *mut u8, length: usize) -> c_int {
    // SAFETY: the context of the stream that calls, which lives as long, and `length` bytes at `out` that are initialized.
    let (context, out) = unsafe { (&mut *context.cast::<Context>(), std::slice::from_raw_parts_mut(out, length)) };
    if context.fill(out).is_ok() { 0 } else { 7 }
}

#[derive(Default)]
struct Program {
    samplers: [Option<Sampler>; SLOTS],
    streams: [Option<Streaming>; SLOTS],
    builds: usize,
}

impl Program {
    fn step(&mut self, input: &mut Input<'_>) {
        let (call, slot) = (input.byte(), usize::from(input.byte()) % SLOTS);
        match call % 16 {
            0..3 => self.new_sampler(slot, input),
            3 => {
                if let Some(Sampler { handle, .. }) = self.samplers[slot].take() {
                    // SAFETY: a live handle, which is forgotten; NULL is allowed.
                    unsafe { (samplez_sampler_free(handle), samplez_sampler_free(ptr::null_mut())) };
                }
            }
            4 => self.describe(slot, input),
            5 | 6 => self.new_stream(slot, input),
            7 => {
                let stream = self.streams[slot].take();
                stream.map(close).unwrap_or_default();
                // SAFETY: NULL is allowed.
                unsafe { samplez_stream_free(ptr::null_mut()) };
            }
            8 => self.seed(input),
            9..11 => self.bulk(slot, input),
            _ => self.fill(slot, input),
        }
    }

    fn new_sampler(&mut self, slot: usize, input: &mut Input<'_>) {
        if self.builds == MOST_BUILDS {
            return;
        }
        self.builds += 1;
        let text: Vec<u8> = match input.byte() {
            0..200 => input.of(&RECIPES).as_bytes().to_vec(),
            // A little memory, for tables take their time; `memory` that the text says itself is said twice.
            _ => {
                let length = usize::from(input.byte() % 80);
                let text = input.bytes(length).iter().copied().take_while(|byte| *byte != 0);
                text.chain(*b",memory=8192,precision=32").collect()
            }
        };
        let how = input.byte();
        let wanted = std::str::from_utf8(&text).ok().and_then(|text| text.parse::<Recipe>().ok());
        let wanted = wanted.and_then(|recipe| recipe.build().ok());
        let text = CString::new(text).expect("no zero within");
        let mut handle = ptr::dangling_mut();
        // SAFETY: a text or NULL, and a place for a pointer or NULL.
        let (status, expected) = unsafe {
            match how {
                255 => (samplez_sampler_new(ptr::null(), &mut handle), None),
                254 => {
                    ended(samplez_sampler_new(text.as_ptr(), ptr::null_mut()), SAMPLEZ_INVALID_ARGUMENT);
                    return;
                }
                _ => (samplez_sampler_new(text.as_ptr(), &mut handle), wanted),
            }
        };
        match expected {
            Some(built) => {
                ended(status, SAMPLEZ_OK);
                assert!(!handle.is_null());
                let handle = Sampler { handle, built };
                if let Some(Sampler { handle, .. }) = self.samplers[slot].replace(handle) {
                    // SAFETY: a live handle, which is forgotten.
                    unsafe { samplez_sampler_free(handle) };
                }
            }
            None => {
                ended(status, SAMPLEZ_INVALID_ARGUMENT);
                assert!(handle.is_null(), "NULL on failure");
            }
        }
    }

    fn describe(&self, slot: usize, input: &mut Input<'_>) {
        let (handle, built) = sampler(&self.samplers[slot], input.byte());
        let (how, x) = (input.byte(), input.i64());
        let names = [c"method", c"recipe", c"reason", c"certificate", c"certificate_json", c"timing"];
        // SAFETY: a live handle, or one that is refused by its looks.
        let texts = names.map(|name| unsafe { samplez_sampler_text(handle, name.as_ptr()) });
        let mut mass = f64::NAN;
        let names = [c"log2_sd", c"support_min", c"support_max", c"table_bytes", c"expected_bits"];
        let mut figures = [f64::NAN; 5];
        let misaligned = how == 255;
        let read = |name: &CStr, out: &mut f64| {
            let out = if misaligned { ptr::without_provenance_mut(12) } else { out };
            // SAFETY: as above, and a place for what is written, but one that is refused by its looks.
            unsafe { samplez_sampler_figure(handle, name.as_ptr(), out) }
        };
        let read = names.iter().zip(&mut figures).map(|(name, out)| read(name, out)).reduce(|one, other| {
            assert_eq!(one, other);
            one
        });
        // SAFETY: as above.
        let statuses = (read.expect("five"), unsafe { samplez_sampler_pmf(handle, x, &mut mass) });
        let Some(built) = built else {
            assert!(texts.iter().all(|text| text.is_null()));
            assert_eq!(statuses, (SAMPLEZ_INVALID_ARGUMENT, SAMPLEZ_INVALID_ARGUMENT));
            return;
        };
        let certificate = built.certificate();
        let wanted = [
            built.method().map_or("", Method::name).to_string(),
            built.recipe().to_string(),
            built.reason().to_string(),
            certificate.to_string(),
            certificate.to_json(),
            built.profile().timing.to_string(),
        ];
        for (text, wanted) in texts.iter().zip(wanted) {
            // SAFETY: a text that lives as long as the sampler.
            assert_eq!(unsafe { CStr::from_ptr(*text) }.to_str(), Ok(wanted.as_str()));
        }
        ended(statuses.1, SAMPLEZ_OK);
        assert!((0.0..=1.0).contains(&mass));
        if misaligned {
            return assert_eq!(statuses.0, SAMPLEZ_INVALID_ARGUMENT);
        }
        let of = built.profile();
        assert_eq!(statuses.0, SAMPLEZ_OK);
        let log2_sd = if let Exactness::Within(bound) = &of.exactness { bound.log2_sd } else { f64::NEG_INFINITY };
        let (low, high) = (*of.support.start() as f64, *of.support.end() as f64);
        assert_eq!(figures, [log2_sd, low, high, of.table_bytes as f64, of.expected_bits]);
    }

    fn new_stream(&mut self, slot: usize, input: &mut Input<'_>) {
        let (how, seed) = (input.byte(), seed(input));
        let mut handle = ptr::dangling_mut();
        let mut made = None;
        match how {
            0..90 => {
                let context = Context { state: input.u64(), left: input.byte().into() };
                let shared = Box::into_raw(Box::new(context.clone()));
                // SAFETY: a callback and its context, which is freed after the stream; a place for a pointer.
                let status = unsafe { samplez_stream_from_callback(Some(callback), shared.cast(), &mut handle) };
                ended(status, SAMPLEZ_OK);
                made = Some((Same::Callback(Stream::new(context)), shared));
            }
            // SAFETY: NULL is refused; places for pointers.
            90..95 => unsafe {
                let status = samplez_stream_from_callback(None, ptr::null_mut(), &mut handle);
                ended(status, SAMPLEZ_INVALID_ARGUMENT);
            },
            _ => {
                let name: Vec<u8> = match how {
                    250.. => input.bytes(12).iter().copied().filter(|byte| *byte != 0).collect(),
                    _ => input.of(&Source::ALL).name().as_bytes().to_vec(),
                };
                let source = std::str::from_utf8(&name).ok().and_then(|name| name.parse::<Source>().ok());
                let name = CString::new(name).expect("no zero within");
                let with = if how < 220 { seed.as_ptr() } else { ptr::null() };
                // SAFETY: a text, 32 bytes or NULL, a place for a pointer.
                let status = unsafe { samplez_stream_new(name.as_ptr(), with, &mut handle) };
                match source {
                    Some(source) if source.is_seeded() || how >= 220 => {
                        ended(status, SAMPLEZ_OK);
                        let same = source.seeded(&Seed::from_bytes(seed)).filter(|_| how < 220);
                        let same = same.map_or(Same::Unknown, |rng| Same::Seeded(Stream::new(rng)));
                        made = Some((same, ptr::null_mut()));
                    }
                    _ => ended(status, SAMPLEZ_INVALID_ARGUMENT),
                }
            }
        }
        assert_eq!(handle.is_null(), made.is_none(), "NULL on failure");
        if let Some((same, context)) = made {
            let old = self.streams[slot].replace(Streaming { handle, same, context });
            old.map(close).unwrap_or_default();
        }
    }

    fn seed(&self, input: &mut Input<'_>) {
        let (how, length) = (input.byte(), usize::from(input.byte() % 80));
        let text: Vec<u8> = input.bytes(length).iter().copied().filter(|byte| *byte != 0).collect();
        let wanted = std::str::from_utf8(&text).ok().and_then(|text| text.parse::<Seed>().ok());
        let text = CString::new(text).expect("no zero within");
        let mut seed = [0xa5; 32];
        let out = if how == 255 { ptr::null_mut() } else { seed.as_mut_ptr() };
        // SAFETY: a text, and room for 32 bytes or NULL.
        let status = unsafe { samplez_seed_from_text(text.as_ptr(), out) };
        match wanted {
            Some(wanted) if how < 255 => {
                ended(status, SAMPLEZ_OK);
                assert_eq!(&seed, wanted.expose());
            }
            _ => {
                ended(status, SAMPLEZ_INVALID_ARGUMENT);
                assert_eq!(seed, [0xa5; 32], "written only on success");
            }
        }
        // SAFETY: the version is a text.
        assert!(!unsafe { CStr::from_ptr(samplez_version()) }.is_empty());
    }

    fn fill(&mut self, slot: usize, input: &mut Input<'_>) {
        let (handle, built) = sampler(&self.samplers[slot], input.byte());
        let which = usize::from(input.byte()) % SLOTS;
        let mut none = None;
        let built = built.map(Built::sampler);
        let stream = if input.byte() < 240 { &mut self.streams[which] } else { &mut none };
        let asked = Asked::read(input);
        macro_rules! fill {
            ($type:ty, $function:ident) => {{
                let call = |out, count| {
                    let stream = stream.as_ref().map_or(ptr::null_mut(), |stream| stream.handle);
                    // SAFETY: live handles or ones that are refused by their looks, room or a length that no memory has.
                    unsafe { $function(handle, stream, out, count) }
                };
                let (status, out) = asked.call::<$type>(call);
                let (Some(built), Some(stream)) = (built, stream.as_mut()) else {
                    return ended(status, SAMPLEZ_INVALID_ARGUMENT);
                };
                match asked.given() {
                    Some(count) => stream.same.compare(built, status, &out[..count]),
                    None => ended(status, SAMPLEZ_INVALID_ARGUMENT),
                }
            }};
        }
        match asked.dtype {
            0 => fill!(i8, samplez_fill_i8),
            1 => fill!(i16, samplez_fill_i16),
            2 => fill!(i32, samplez_fill_i32),
            _ => fill!(i64, samplez_fill_i64),
        }
    }

    fn bulk(&self, slot: usize, input: &mut Input<'_>) {
        let (handle, built) = sampler(&self.samplers[slot], input.byte());
        let (seed, how) = (seed(input), input.byte());
        let source = *input.of(&Source::ALL);
        let name = CString::new(source.name()).expect("no zero within");
        let with = if how & 0xf0 == 0 { ptr::null() } else { seed.as_ptr() };
        let threads = usize::from(how % 4);
        let first = if how % 8 < 6 { input.u16().into() } else { u64::MAX - u64::from(input.u16()) };
        let asked = Asked::read(input);
        macro_rules! bulk {
            ($type:ty, $function:ident) => {{
                let call = |out, count| {
                    // SAFETY: as in `fill`; a text; 32 bytes or NULL.
                    unsafe { $function(handle, name.as_ptr(), with, first, out, count, threads) }
                };
                let (status, out) = asked.call::<$type>(call);
                let (Some(built), Some(threads)) = (built, NonZeroUsize::new(threads)) else {
                    return ended(status, SAMPLEZ_INVALID_ARGUMENT);
                };
                let Some(count) = asked.given().filter(|_| source.is_seeded() && !with.is_null()) else {
                    return ended(status, SAMPLEZ_INVALID_ARGUMENT);
                };
                let mut wanted = vec![0 as $type; count];
                let bulk = Bulk::new(built.sampler(), source, Seed::from_bytes(seed));
                match bulk.par_fill(first, &mut wanted, threads) {
                    Ok(()) => {
                        ended(status, SAMPLEZ_OK);
                        assert_eq!(out[..count], wanted);
                    }
                    Err(samplez::FillError::Narrow(_)) => ended(status, SAMPLEZ_INVALID_ARGUMENT),
                    Err(samplez::FillError::Range(_)) => ended(status, SAMPLEZ_RANGE),
                    Err(samplez::FillError::Address { .. }) => ended(status, SAMPLEZ_INVALID_ARGUMENT),
                    Err(error) => {
                        // A source that repeats itself, of those that are not cryptographic.
                        assert!(!source.is_cryptographic(), "{error}");
                        ended(status, SAMPLEZ_ENTROPY);
                    }
                }
            }};
        }
        match asked.dtype {
            0 => bulk!(i8, samplez_bulk_i8),
            1 => bulk!(i16, samplez_bulk_i16),
            2 => bulk!(i32, samplez_bulk_i32),
            _ => bulk!(i64, samplez_bulk_i64),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.streams.iter_mut().filter_map(Option::take).for_each(close);
        for Sampler { handle, .. } in self.samplers.iter_mut().filter_map(Option::take) {
            // SAFETY: a live handle, which is forgotten.
            unsafe { samplez_sampler_free(handle) };
        }
    }
}

/// The handle of a slot, or NULL, or one that is not aligned; and what is behind it.
fn sampler(slot: &Option<Sampler>, how: u8) -> (*const samplez_sampler, Option<&Built>) {
    match (slot, how) {
        (_, 255) => (ptr::without_provenance(1), None),
        (Some(Sampler { handle, built }), 0..240) => (*handle, Some(built)),
        _ => (ptr::null(), None),
    }
}

fn close(stream: Streaming) {
    // SAFETY: a live handle, which is forgotten, and then what its callback needed.
    unsafe {
        samplez_stream_free(stream.handle);
        if !stream.context.is_null() {
            drop(Box::from_raw(stream.context));
        }
    }
}

fn seed(input: &mut Input<'_>) -> [u8; 32] {
    let first = input.byte();
    std::array::from_fn(|i| first.wrapping_mul(i as u8 | 1).wrapping_add(i as u8))
}

/// The status that there must be, and a message if it is an error's.
#[track_caller]
fn ended(status: samplez_status, expected: samplez_status) {
    // SAFETY: a text, valid until the next call.
    let message = unsafe { CStr::from_ptr(samplez_last_error()) };
    assert_eq!(status, expected, "{message:?}");
    if status != SAMPLEZ_OK {
        let message = message.to_str().expect("UTF-8");
        assert!(!message.is_empty() && message.len() < 512 && message.contains([':', ' ']), "{message}");
    }
}

/// Where a call writes, and how much.
struct Asked {
    dtype: u8,
    count: usize,
    null: bool,
    misaligned: bool,
}

impl Asked {
    fn read(input: &mut Input<'_>) -> Self {
        let (dtype, how, small) = (input.byte() % 4, input.byte(), usize::from(input.u16()) % (ROOM + 1));
        let bytes = 1 << dtype;
        let count = match how {
            // More than isize::MAX bytes.
            250.. => usize::MAX - small,
            245..250 => isize::MAX as usize / bytes + 1 + small,
            _ => small,
        };
        Asked { dtype, count, null: how % 16 == 0, misaligned: how % 16 == 1 && dtype > 0 }
    }

    /// The values that there are room for, unless the call is to be refused.
    fn given(&self) -> Option<usize> {
        (self.count == 0 || !self.null && !self.misaligned && self.count <= ROOM).then_some(self.count)
    }

    /// The status, and what was written; what lies behind is as before.
    fn call<T: Int + PartialEq + std::fmt::Debug>(
        &self,
        call: impl FnOnce(*mut T, usize) -> samplez_status,
    ) -> (samplez_status, Vec<T>) {
        let untouched = T::wrapping(0x5a5a_5a5a_5a5a_5a5a);
        let mut out = vec![untouched; ROOM + BEHIND];
        let at = match (self.null, self.misaligned) {
            (true, _) => ptr::null_mut(),
            (_, true) => out.as_mut_ptr().wrapping_byte_add(1),
            _ => out.as_mut_ptr(),
        };
        let status = call(at, self.count);
        let written = self.given().unwrap_or(0);
        assert!(out[written..].iter().all(|x| *x == untouched), "written beyond {written} values");
        (status, out)
    }
}

impl Same {
    /// The same fill by the library itself.
    fn compare<T: Int + PartialEq + std::fmt::Debug>(&mut self, noise: &dyn Noise, status: samplez_status, out: &[T]) {
        let mut wanted = vec![T::ZERO; out.len()];
        let status_of = |kind: Result<(), StreamErrorKind>| match kind {
            Ok(()) => SAMPLEZ_OK,
            Err(StreamErrorKind::Narrow) => SAMPLEZ_INVALID_ARGUMENT,
            Err(StreamErrorKind::Range) => SAMPLEZ_RANGE,
            Err(StreamErrorKind::Source) => SAMPLEZ_ENTROPY,
        };
        let filled = match self {
            Same::Seeded(stream) => stream.fill(noise, &mut wanted).map_err(StreamErrorKind::of::<Infallible>),
            Same::Callback(stream) => stream.fill(noise, &mut wanted).map_err(StreamErrorKind::of),
            Same::Unknown => {
                if noise.fits::<T>() {
                    ended(status, SAMPLEZ_OK);
                    let support = noise.profile().support;
                    assert!(out.iter().all(|x| support.contains(&x.widen())));
                } else {
                    assert!([SAMPLEZ_OK, SAMPLEZ_INVALID_ARGUMENT, SAMPLEZ_RANGE].contains(&status));
                }
                return;
            }
        };
        let status_wanted = status_of(filled);
        ended(status, status_wanted);
        match status_wanted {
            SAMPLEZ_OK => assert_eq!(out, wanted),
            SAMPLEZ_ENTROPY => assert!(out.iter().all(|x| *x == T::ZERO), "all zeros"),
            _ => {} // unspecified
        }
    }
}

enum StreamErrorKind {
    Narrow,
    Range,
    Source,
}

impl StreamErrorKind {
    fn of<E>(error: StreamError<E>) -> Self {
        match error {
            StreamError::Narrow(_) => StreamErrorKind::Narrow,
            StreamError::Range(_) => StreamErrorKind::Range,
            StreamError::Source(_) => StreamErrorKind::Source,
        }
    }
}
