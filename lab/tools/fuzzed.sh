#!/usr/bin/env bash
# Keeps a run of a fuzz target in docs/trust/fuzz.csv, from libFuzzer's log with -print_final_stats=1: fuzzed.sh TARGET LOG.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=$1 log=$2
last() { sed -nE "s/.*$1 *([0-9]+).*/\1/p" "$log" | tail -1; }
executions=$(last '^stat::number_of_executed_units:')
[ -n "$executions" ] || { echo "$log: no log of libFuzzer with -print_final_stats=1" >&2 && exit 2; }
# After a finding there are the executions per second alone.
seconds=$(last '^Done [0-9]+ runs in')
seconds=${seconds:-$((executions / $(last '^stat::average_exec_per_sec:')))}
findings=$(grep -cE 'Test unit written to .*(crash|leak|timeout|oom)-' "$log" || true)
# What the target promises: the first paragraph of its file.
oracle=$(sed -n '/^\/\/! /!q; s/^\/\/! //p' "lab/fuzz/src/$target.rs" | paste -s -d ' ')
"${CARGO:-cargo}" run --quiet -p samplez-tools -- keep \
    "docs/trust/fuzz.csv,$target,\"$oracle\",{date},{machine},{commit},$seconds,$executions,$(last ' cov:'),$(last ' corp:'),$findings"
