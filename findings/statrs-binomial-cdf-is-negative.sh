#!/usr/bin/env bash
# statrs 0.19.1 (2026-11-30).
# Guess: cdf of a binomial or Poisson distribution lies between 0 and 1 for all parameters that new accepts, with a
# loss of digits for large ones.
# Seen: the cdf of fair coins at the mean is -3.7 for 10^9 coins, -147 for 10^12 and -384526 for 10^15; for 10^6 it is
# 0.4992, where 0.5004 is right. Poisson(10^15) has the cdf 0.99 at its mean, and a mass 300 times too small.
# A user meets it on computing tails of the counts of a long run.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/src"
cat >"$tmp/Cargo.toml" <<'TOML'
[package]
name = "look"
edition = "2021"
[dependencies]
statrs = "=0.19.1"
TOML

cat >"$tmp/src/main.rs" <<'RUST'
use statrs::distribution::{Binomial, Discrete, DiscreteCDF, Poisson};

fn main() {
    for count in [1_000_000_u64, 1_000_000_000, 1_000_000_000_000, 1_000_000_000_000_000] {
        let binomial = Binomial::new(0.5, count).unwrap();
        let poisson = Poisson::new(count as f64).unwrap();
        let limit = 1.0 / (2.0 * std::f64::consts::PI * count as f64).sqrt();
        let (cdf, mass) = (binomial.cdf(count / 2), binomial.pmf(count / 2) / limit / 2.0);
        println!("{count:e} coins: cdf {cdf:.4}, mass over its limit {mass:.3}");
        println!("  Poisson: cdf {:.4}, mass over its limit {:.3}", poisson.cdf(count), poisson.pmf(count) / limit);
    }
}
RUST

cat >"$tmp/expected" <<'EXPECTED'
1e6 coins: cdf 0.4992, mass over its limit 1.000
  Poisson: cdf 0.5003, mass over its limit 1.000
1e9 coins: cdf -3.7146, mass over its limit 1.000
  Poisson: cdf 0.5000, mass over its limit 1.000
1e12 coins: cdf -147.2290, mass over its limit 0.998
  Poisson: cdf 0.4991, mass over its limit 1.000
1e15 coins: cdf -384526.2193, mass over its limit 1.278
  Poisson: cdf 0.9935, mass over its limit 0.003
EXPECTED

cd "$tmp"
CARGO_TARGET_DIR="$tmp/target" cargo build --quiet --release
target/release/look | tee seen
diff expected seen
