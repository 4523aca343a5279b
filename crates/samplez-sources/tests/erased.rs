//! What promises to be erased is erased: the memory of each type as its allocator gets it back.
//!
//! Each is boxed, used, and dropped. An allocator that watches the box keeps what it held when it was freed; no eight bytes in a
//! row may be as they were in the living value and look random, which is to say seven of them are not zero. Pointers and
//! counters do not. Copies on the stack, which Rust's moves leave behind, are not seen, and not promised.

#![cfg(feature = "std")]

use rand_core::TryRng;
use samplez_core::bits::{BitReader, BitSource};
use samplez_sources::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The block that is watched, and what it held when it was freed.
static WATCHED: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static FREED: Mutex<(usize, [u8; 1 << 14])> = Mutex::new((0, [0; 1 << 14]));

struct Watching;

// SAFETY: it is the system's, which it asks for everything; a watched block is read before it is given back.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !block.is_null() && WATCHED.compare_exchange(block, std::ptr::null_mut(), Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            let mut freed = FREED.lock().unwrap();
            freed.0 = layout.size();
            // SAFETY: the block has so many bytes, and is still its owner's.
            freed.1[..layout.size()].copy_from_slice(unsafe { bytes(block, layout.size()) });
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// # Safety
///
/// `length` bytes at `at`, readable, which nobody writes meanwhile.
unsafe fn bytes<'a>(at: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(at, length) }
}

/// How many windows of eight bytes outlived the value and look random, and how many of the living one did.
fn outliving<T>(value: T, mut use_it: impl FnMut(&mut T)) -> (usize, usize) {
    let mut boxed = Box::new(value);
    use_it(&mut boxed);
    let at = std::ptr::from_ref(&*boxed).cast::<u8>();
    // SAFETY: the bytes of the box, which lives and is not used.
    let living = unsafe { bytes(at, size_of::<T>()) }.to_vec();
    WATCHED.store(at.cast_mut(), Ordering::SeqCst);
    drop(boxed);
    assert!(WATCHED.load(Ordering::SeqCst).is_null(), "the box was freed");
    let freed = FREED.lock().unwrap();
    assert_eq!(freed.0, living.len());
    let random = |window: &[u8]| window.iter().filter(|byte| **byte != 0).count() >= 7;
    let windows = || living.windows(8).zip(freed.1.windows(8)).filter(|(was, _)| random(was));
    (windows().filter(|(was, is)| was == is).count(), windows().count())
}

#[test]
#[cfg_attr(miri, ignore = "it reads padding")]
fn nothing_outlives_its_value() {
    let seed = || Seed::from_bytes(std::array::from_fn(|i| 0x51 ^ (i as u8).wrapping_mul(29)));

    // What is not erased is found.
    let (found, all) = outliving(*seed().expose(), |_| {});
    assert!(found == all && all == 32 - 7, "{found} of {all}");

    let mut tried = 0;
    let mut erased = |name: &str, (found, all): (usize, usize)| {
        assert!(all >= 8, "{name}: {all} windows look random while it lives, too few to look for");
        assert_eq!(found, 0, "{name}: of {all} windows of 8 bytes");
        tried += 1;
    };
    fn draw(rng: &mut impl TryRng) {
        rng.try_fill_bytes(&mut [0; 100]).unwrap();
    }
    macro_rules! each {
        ($($name:literal: $make:expr;)*) => {$( erased($name, outliving($make, draw)); )*};
    }
    erased("Seed", outliving(seed(), |_| {}));
    each! {
        "ChaCha20": ChaCha20::new(&seed());
        "ChaCha12": ChaCha12::new(&seed());
        "ChaCha8": ChaCha8::new(&seed());
        "ChaCha20, a short key": ChaCha20::with_short_key(seed().expose().first_chunk().unwrap(), &[0; 8], 0);
        "Salsa20": Salsa20::new(&seed());
        "Salsa12": Salsa12::new(&seed());
        "Salsa8": Salsa8::new(&seed());
        "Aes256Ctr": Aes256Ctr::new(&seed());
        "Aes128Ctr": Aes128Ctr::new(&seed());
        "CtrDrbgAes256": CtrDrbgAes256::from_seed(&seed());
        "CtrDrbgAes256Soft": CtrDrbgAes256Soft::from_seed(&seed());
        "HashDrbgSha256": HashDrbgSha256::from_seed(&seed());
        "HashDrbgSha512": HashDrbgSha512::from_seed(&seed());
        "DrbgStream, AES": DrbgStream::<CtrDrbg<Aes256>>::from_seed(&seed());
        "DrbgStream, AES in software": DrbgStream::<CtrDrbg<Aes256Soft>>::from_seed(&seed());
        "DrbgStream, SHA-256": DrbgStream::<HashDrbg<Sha256>>::from_seed(&seed());
        "DrbgStream, SHA-512": DrbgStream::<HashDrbg<Sha512>>::from_seed(&seed());
        "Reseeding": Reseeding::new(HashDrbgSha256::from_seed(&seed()), ChaCha20::new(&seed().block(0)));
        "Isaac64": Isaac64::new(&seed());
        "Kiss64": Kiss64::new(&seed());
        "GlibcRandom": GlibcRandom::new(&seed());
    }
    // The buffer of bits, beside its generator, which has none of its own.
    erased("BitReader", outliving(BitReader::new(ChaCha20::new(&seed())), |bits| assert!(bits.bits(13) < 1 << 13)));
    let entropy = HealthTested::new(ChaCha20::new(&seed()), HealthTests::live("a test"));
    erased("HealthTested", outliving(entropy, draw));
    assert_eq!(tried, 24);
}
