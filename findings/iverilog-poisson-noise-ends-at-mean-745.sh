#!/usr/bin/env bash
# Icarus Verilog 11.0 of Debian 12 (2026-11-30).
# Guess: $dist_poisson(seed, 1000) has the mean and the variance 1000.
# Seen: it is right up to 700, and each mean from 800 on has 745.7, also 100000: uniform numbers are multiplied until
# their product is below exp(-mean), and that is zero in a double from 746 on.
# A user meets it on a test bench with many arrivals or photons a cycle.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Needs apt: this is a package of Debian 12.
cd "$tmp"
apt-get download --quiet iverilog=11.0-1.1+b1 >apt.log 2>&1 || { cat apt.log; exit 1; }
dpkg -x iverilog_*.deb packages
modules=$(echo "$tmp"/packages/usr/lib/*/ivl)

cat >look.v <<'VERILOG'
module look;
  integer seed, k, i, x, means[0:5];
  real sum, squares;
  initial begin
    means[0] = 5; means[1] = 100; means[2] = 700; means[3] = 800; means[4] = 1000; means[5] = 100000;
    for (k = 0; k < 6; k = k + 1) begin
      seed = 1;
      sum = 0;
      squares = 0;
      for (i = 0; i < 10000; i = i + 1) begin
        x = $dist_poisson(seed, means[k]);
        sum = sum + x;
        squares = squares + 1.0 * x * x;
      end
      $display("mean %0d: mean %0.0f, variance %0.0f", means[k], sum / 10000, squares / 10000 - sum / 10000 * sum / 10000);
    end
  end
endmodule
VERILOG

cat >expected <<'EXPECTED'
mean 5: mean 5, variance 5
mean 100: mean 100, variance 102
mean 700: mean 700, variance 680
mean 800: mean 746, variance 723
mean 1000: mean 746, variance 723
mean 100000: mean 746, variance 723
EXPECTED

packages/usr/bin/iverilog -B"$modules" -o look.vvp look.v
packages/usr/bin/vvp -M"$modules" look.vvp | tee seen
diff expected seen
