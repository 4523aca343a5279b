//! A small sampler: what is behind `samplez/core`.
//!
//! It has a constant-time kernel that the planner picks for a small σ, ChaCha20 and the tree of seeds. The table comes as bytes. The
//! module fills blocks of 8192 samples of the bulk array. The remainder of docs/proofs/exact.md is not part of it. If a block may need
//! the remainder, [`fill`] returns 1, and JavaScript takes the block from the full library.

mod table;

use crate::head;
use samplez_core::bits::{BitReader, below};
use samplez_sources::{ChaCha20, Seed};
use std::cell::RefCell;
use table::Loaded;
use zeroize::{Zeroize, Zeroizing};

/// Samples in a block of the bulk array.
const BLOCK: usize = 8192;

#[derive(Default)]
struct State {
    input: Vec<u8>,
    sampler: Option<(Loaded, Seed)>,
    output: Zeroizing<Vec<i16>>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

const OK: u32 = 0;
/// The block may need the remainder.
const REMAINDER: u32 = 1;
/// The input is no table, or there is none.
const FAILED: u32 = 2;

/// Returns a place for an input of `len` bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn input(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.zeroize();
        state.input.resize(len, 0);
        state.input.as_mut_ptr()
    })
}

/// Returns the library's version as a table has it.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn version() -> u32 {
    head::VERSION
}

/// Takes the seed and the table. The seed is the input's first `len` bytes: 32, or 8 of a number. Returns 2 for other bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open(len: usize) -> u32 {
    STATE.with_borrow_mut(|state| {
        let split = state.input.split_at_checked(len);
        state.sampler = split.and_then(|(seed, table)| Some((Loaded::read(table)?, seed_of(seed)?)));
        state.input.zeroize();
        if state.sampler.is_some() { OK } else { FAILED }
    })
}

/// The seed with these bytes, or of the number with these bytes.
fn seed_of(bytes: &[u8]) -> Option<Seed> {
    match bytes.try_into() {
        Ok(bytes) => Some(Seed::from_bytes(bytes)),
        Err(_) => Some(Seed::from_number(u64::from_le_bytes(bytes.try_into().ok()?))),
    }
}

/// Fills a block of the bulk array: [`output`] has its samples. Returns 1 if the block may need the remainder.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn fill(block: u64) -> u32 {
    STATE.with_borrow_mut(|State { sampler, output, .. }| {
        let Some((loaded, seed)) = sampler else { return FAILED };
        output.resize(BLOCK, 0);
        let mut bits = BitReader::new(ChaCha20::new(&seed.block(block))).latching();
        let is_hit = below(loaded.tosses, BLOCK as u64, &mut bits);
        if !is_hit && loaded.fill(&mut bits, output).is_ok() && bits.fault().is_none() {
            return OK;
        }
        output.zeroize();
        REMAINDER
    })
}

/// Returns the place of the last block.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn output() -> *const i16 {
    STATE.with_borrow(|state| state.output.as_ptr())
}

/// Wipes the seed and the last block.
#[cfg(test)]
fn close() {
    STATE.with_borrow_mut(|state| *state = State::default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez::{Bulk, Recipe, Source};
    use samplez_core::table::{Shape, Table};
    use samplez_tables::{CdtOptions, Remainder, build_cdt};

    /// The bytes of the table of this recipe.
    fn table(kind: u8, recipe: &Recipe) -> Vec<u8> {
        let options = CdtOptions { precision: recipe.options.precision(), ..CdtOptions::default() };
        let table = build_cdt(&recipe.gaussian().unwrap(), &options).unwrap();
        let tosses = Remainder::of_cdt(&recipe.gaussian().unwrap(), &options, &table.bound()).unwrap().tosses();
        let mut bytes = vec![0; head::LEN];
        bytes[8..10].copy_from_slice(&[kind, u8::from(table.shape() == Shape::Full)]);
        bytes[10..12].copy_from_slice(&(table.precision() as u16).to_le_bytes());
        bytes[12..16].copy_from_slice(&tosses.to_le_bytes());
        bytes[16..20].copy_from_slice(&(table.digits().len() as u32).to_le_bytes());
        bytes[28..32].copy_from_slice(&(table.first() as i32).to_le_bytes());
        bytes.extend(table.digits().iter().flat_map(|digit| digit.to_le_bytes()));
        bytes
    }

    fn opened(seed: &[u8], table: &[u8]) -> u32 {
        input(seed.len() + table.len());
        STATE.with_borrow_mut(|state| state.input.copy_from_slice(&[seed, table].concat()));
        open(seed.len())
    }

    /// Blocks equal those of the bulk array, except where the remainder is possible. That is the case of some blocks of each
    /// table of few bits.
    #[test]
    fn blocks_are_those_of_the_bulk_array() {
        for (kind, recipe, is_coarse) in [
            (0, "sigma=3.2,method=knuth-yao-ct", false),
            (0, "sigma=2,center=1/3,method=knuth-yao-ct,precision=21", true),
            (1, "s=100,method=cdt-lazy-ct", false),
            (1, "sigma=20,center=-5/2,method=cdt-lazy-ct,precision=27", true),
            (1, "sigma=3.2,method=cdt-lazy-ct,precision=200", false),
            (1, "sigma=318,method=cdt-lazy-ct", false), // the widest: see big/table.rs
            (1, "sigma=159,center=1/3,method=cdt-lazy-ct", false),
        ] {
            let recipe: Recipe = format!("{recipe},exact=true").parse().unwrap();
            let built = recipe.build().unwrap();
            let bytes: [u8; 32] = core::array::from_fn(|i| i as u8);
            for (seed, told) in
                [(Seed::from_bytes(bytes), bytes.to_vec()), (Seed::from_number(42), 42_u64.to_le_bytes().to_vec())]
            {
                assert_eq!(opened(&told, &table(kind, &recipe)), OK, "{recipe}");
                let bulk = Bulk::new(built.sampler(), Source::ChaCha20, seed);
                let mut left = 0;
                for block in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1 << 40] {
                    let mut expected = vec![0_i16; BLOCK];
                    bulk.fill(block * BLOCK as u64, &mut expected).unwrap();
                    match fill(block) {
                        OK => assert!(STATE.with_borrow(|state| *state.output == expected), "{recipe}"),
                        status => left += status,
                    }
                }
                assert!(left < 13 && (left > 0) == is_coarse, "{recipe}: {left}");
            }
        }
        close();
        assert_eq!(fill(0), FAILED);
    }

    #[test]
    fn the_version_is_the_packages() {
        let [major, minor, high, low] = version().to_be_bytes();
        let text = format!("{major}.{minor}.{}", u16::from_be_bytes([high, low]));
        assert!(env!("CARGO_PKG_VERSION").starts_with(&text), "{text}");
    }

    #[test]
    fn other_bytes_are_refused() {
        let good = table(0, &"sigma=3.2".parse().unwrap());
        assert_eq!(opened(&[1; 32], &good), OK);
        for seed in [&[][..], &[1; 31], &[1; 33]] {
            assert_eq!(opened(seed, &good), FAILED);
        }
        for (at, byte) in [(8, 2), (10, 0), (12, 3), (16, 0), (30, 1)] {
            let mut bad = good.clone();
            bad[at] = byte;
            assert_eq!(opened(&[1; 32], &bad), FAILED, "{at}");
        }
        assert_eq!(opened(&[1; 32], &good[..good.len() - 1]), FAILED);
        assert_eq!(opened(&[1; 32], &[]), FAILED);
    }
}
