#!/usr/bin/env bash
# Verilator 5.006 of Debian 12 (2026-12-01).
# Guess: a constraint on a random variable is refused, as by Icarus Verilog, or ignored with a warning.
# Seen: it compiles without a warning, randomize() returns 1 for success, and the byte between -4 and 4 comes from all of
# -128 to 127: 972 of 1000 break the constraint.
# A user meets it on a test bench with constrained noise or lengths, which then covers other cases than intended.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Needs apt, g++, make, perl and Python: this is a package of Debian 12.
cd "$tmp"
apt-get download --quiet verilator=5.006-3 >apt.log 2>&1 || { cat apt.log; exit 1; }
dpkg -x verilator_*.deb packages
export VERILATOR_ROOT="$tmp/packages/usr/share/verilator"
ln -s "$tmp/packages/usr/bin/verilator_bin" "$VERILATOR_ROOT/verilator_bin"

cat >look.v <<'VERILOG'
module look;
  class Noise;
    rand bit signed [7:0] x;
    constraint narrow { x >= -4; x <= 4; }
  endclass
  Noise noise;
  integer i, successes, outside;
  initial begin
    noise = new;
    successes = 0;
    outside = 0;
    for (i = 0; i < 1000; i = i + 1) begin
      if (noise.randomize() == 1) successes = successes + 1;
      if (noise.x < -4 || noise.x > 4) outside = outside + 1;
    end
    $display("randomize() succeeded %0d times, and broke the constraint %0d times", successes, outside);
    $finish;
  end
endmodule
VERILOG

cat >expected <<'EXPECTED'
Verilator 5.006 2023-01-22 rev (Debian 5.006-3)
warnings: 0
randomize() succeeded 1000 times, and broke the constraint 972 times
EXPECTED

{
    packages/usr/bin/verilator --version
    packages/usr/bin/verilator --binary look.v >log 2>&1 || { cat log; exit 1; }
    echo "warnings: $(grep -c '^%Warning' log || true)"
    obj_dir/Vlook | grep randomize
} | tee seen
diff expected seen
