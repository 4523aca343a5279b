#!/usr/bin/env bash
# rand 0.10.4 (2026-11-30).
# Guess: StdRng under one seed gives the same bytes by random::<[u8; 8]>() and by fill, as it does for u32 and u64.
# Seen: random takes a word of 32 bits for each byte, or for each u16, and keeps its low bits; fill uses all bits. They
# agree from 32 bits on. A range of u64 has other numbers than one of u8, u32 or usize, and random::<bool>() others
# than random_bool(0.5).
# A user meets it on changing the type of noise or of a seed array in a program whose output is to be repeated.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/src"
cat >"$tmp/Cargo.toml" <<'TOML'
[package]
name = "look"
edition = "2021"
[dependencies]
rand = "=0.10.4"
TOML

cat >"$tmp/src/main.rs" <<'RUST'
use rand::{rngs::StdRng, RngExt, SeedableRng};

fn draw<T: PartialEq>(name: &str, one: impl Fn(&mut StdRng) -> T, other: impl Fn(&mut StdRng) -> T) {
    let start = || StdRng::seed_from_u64(1);
    println!("{name}: {}", if one(&mut start()) == other(&mut start()) { "equal" } else { "differ" });
}

fn eight<T>(mut one: impl FnMut() -> T) -> [T; 8] {
    std::array::from_fn(|_| one())
}

macro_rules! filled {
    ($($kind:ty)*) => { $(
        draw(concat!(stringify!($kind), " by random and fill"), |rng| rng.random::<[$kind; 8]>(), |rng| {
            let mut array = [0; 8];
            rng.fill(&mut array);
            array
        });
    )* };
}

macro_rules! ranged {
    ($($kind:ty)*) => { $(
        draw(
            concat!("0..10 of ", stringify!($kind), " and u32"),
            |rng| eight(|| rng.random_range(0..10 as $kind) as u32),
            |rng| eight(|| rng.random_range(0..10_u32)),
        );
    )* };
}

fn main() {
    filled!(u8 u16 u32 u64);
    ranged!(u8 u16 u64 usize);
    let name = "bool by random and random_bool(0.5)";
    draw(name, |rng| eight(|| rng.random::<bool>()), |rng| eight(|| rng.random_bool(0.5)));
}
RUST

cat >"$tmp/expected" <<'EXPECTED'
u8 by random and fill: differ
u16 by random and fill: differ
u32 by random and fill: equal
u64 by random and fill: equal
0..10 of u8 and u32: equal
0..10 of u16 and u32: equal
0..10 of u64 and u32: differ
0..10 of usize and u32: equal
bool by random and random_bool(0.5): differ
EXPECTED

cd "$tmp"
CARGO_TARGET_DIR="$tmp/target" cargo build --quiet --release
target/release/look | tee seen
diff expected seen
