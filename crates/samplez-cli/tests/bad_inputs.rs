//! Bad input, one line each: what is typed, the exit code, and what the message names. Nothing is on standard output then, no file appears,
//! and none changes.

use crate::common::{ABSENT, SEED, fail, names, outcome, run, samplez, succeed};
use std::fs;

type Case = (&'static str, i32, &'static [&'static str]);

/// Laws.
const LAWS: &[Case] = &[
    ("sample --count 1 --sigma 0", 2, &["error: --sigma = 0: ", "greater than 0"]),
    ("sample --count 1 --sigma -1", 2, &["error: --sigma = -1: ", "greater than 0"]),
    ("sample --count 1 --sigma-squared 0", 2, &["error: --sigma-squared = 0: ", "greater than 0"]),
    ("sample --count 1 --sigma nan", 2, &["--sigma = nan: ", "3.2, 16/5"]),
    ("sample --count 1 --sigma abc", 2, &["--sigma = abc: ", "3.2, 16/5"]),
    ("sample --count 1 --sigma=", 2, &["--sigma = : ", "3.2, 16/5"]),
    ("sample --count 1 --sigma 0x10", 2, &["--sigma = 0x10: ", "3.2, 16/5"]),
    ("sample --count 1 --sigma 1_000", 2, &["--sigma = 1_000: ", "3.2, 16/5", "; write 1000"]),
    ("certify --sigma 1e40 --method cdt", 2, &["--method = cdt", "for numbers of this size", "--center"]),
    ("--sigma 3.2", 2, &["--sigma: expected a command before the options, one of sample, "]),
    (
        "sample --sigma 3 --count 1 --seed 0042",
        2,
        &["--seed: ", "got a number with a leading zero; leave the zero out"],
    ),
    (
        "certify --method knuth-yao-ct --sigma 300",
        2,
        &["--sigma = 300: knuth-yao-ct allows at most 127 thresholds, not about 38"],
    ),
    (
        "sample --sigma 3 --count 1 --out no/x.npy",
        3,
        &["cannot write no/x.npy: No such file or directory; create its directory first"],
    ),
    ("certify --sigma 1e-400", 2, &["error: --sigma = 1e-400: expected at least 2^-60"]),
    ("sample --count 1 --sigma 1e-400", 2, &["error: --sigma = 1e-400: expected at least 2^-60"]),
    ("sample --count 1 --sigma 8/sqrt(2*pi)", 2, &["--sigma = 8/sqrt(2*pi): ", "3.2, 16/5", "; write 8 for --s"]),
    ("sample --count 1 --sigma 3 --center NaN", 2, &["--center = NaN: ", "3.2, 16/5"]),
    (
        "sample --count 1 --sigma 3.2 --center 9223372036854775807 --method cdt",
        2,
        &["error: --center = 9223372036854775807: the samples exceed 64-bit integers", "add it to the samples"],
    ),
    (
        "sample --count 1 --sigma 3.2 --center -9223372036854775807 --method ziggurat",
        2,
        &["error: --center = -9223372036854775807: the samples exceed 64-bit integers"],
    ),
    (
        "sample --count 1 --sigma 215 --center 9223372036854775807 --method convolution",
        2,
        &["error: --center = 9223372036854775807: the samples exceed 64-bit integers"],
    ),
    (
        "sample --count 1 --sigma 3.2 --center 9223372036854775807 --constant-time",
        2,
        &["no method for D_Z", "constant-time: subtract an integer from the centre", "between -2^62 and 2^62"],
    ),
    ("sample --count 1 --sigma 1/0", 2, &["--sigma", "1/0", "denominator is zero"]),
    ("sample --count 1 --sigma 3 --s 8", 2, &["--sigma = 3: cannot be used with --s = 8; remove one of them"]),
    ("sample --count 1", 2, &["--sigma", "--sigma-squared", "--k-sigma2", "--s", "--recipe"]),
    ("verify - --center 1", 2, &["--sigma"]),
    ("certify", 2, &["--sigma"]),
    (
        "certify --sigma 3 --samples-per-time 0",
        2,
        &["--samples-per-time = 0: ", "from 1 to 2^63-1", "leave it out for 1"],
    ),
    ("certify --sigma 3 --samples-per-time 1e60", 2, &["--samples-per-time = 1e60: ", "from 1 to 2^63-1"]),
    ("plan", 2, &["--sigma", "--sigma-squared", "--k-sigma2", "--s"]),
    ("plan --sigma 0", 2, &["--sigma = 0: ", "greater than 0"]),
    ("plot -", 2, &["--sigma"]),
    ("round centers.txt", 2, &["--sigma"]),
    ("sample --count 1 --recipe sigma=3.2,sigma=4", 2, &["--recipe", "sigma"]),
    ("sample --count 1 --recipe sigma=3.2 --sigma 4", 2, &["--sigma 4", "--recipe already contains sigma"]),
    ("sample --count 1 --recipe sigma=3.2,colour=red", 2, &["--recipe", "colour"]),
];

/// Counts, sizes, seeds and names.
const VALUES: &[Case] = &[
    ("sample --sigma 3", 2, &["--count"]),
    ("sample --sigma 3 --count -1", 2, &["--count", "-1", "whole numbers from 1"]),
    ("sample --sigma 3 --count 0", 2, &["--count", "0", "whole numbers from 1"]),
    ("sample --sigma 3 --count 1e40", 2, &["--count", "1e40", "whole numbers from 1"]),
    ("sample --sigma 3 --count 1__0", 2, &["--count", "1__0", "whole numbers from 1"]),
    ("sample --sigma 3 --count 8 --block -1 --seed 1", 2, &["--block", "-1", "whole numbers from 0 to 2^64-1"]),
    ("sample --sigma 3 --count 8 --block= --seed 1", 2, &["--block", "whole numbers from 0"]),
    ("sample --sigma 3 --count 8 --block 18446744073709551616 --seed 1", 2, &["--block", "whole numbers from 0"]),
    (
        "sample --sigma 3 --count 8 --block 2305843009213693952 --seed 1",
        2,
        &["--block 2305843009213693952: ", "blocks of 8 samples", "below 2^64"],
    ),
    ("sample --sigma 3 --count 8 --block 1", 2, &["--block 1: ", "--seed, or --seed-from file:PATH"]),
    ("sample --sigma 3 --count 8 --block 1 --seed-from os", 2, &["--block 1: ", "--seed-from file:PATH"]),
    ("sample --sigma 3 --count 8 --block 1 --source os", 2, &["--block 1: ", "source os takes no seed"]),
    ("sample --sigma 3 --block 1 --seed 1", 2, &["--count"]),
    ("sample --sigma 3 --count 1 --threads 0", 2, &["--threads", "0", "1 to 1024"]),
    ("sample --sigma 3 --count 1 --precision 0", 2, &["error: --precision = 0: expected a number between 1 and 256"]),
    ("certify --sigma 3 --precision 257", 2, &["error: --precision = 257: expected a number between 1 and 256"]),
    (
        "sample --sigma 3 --count 1 --method cdt --precision many",
        2,
        &["--precision = many: expected a number between 1 and 256"],
    ),
    (
        "certify --sigma 3 --method cdt --precision 1e2",
        2,
        &["error: --precision = 1e2: expected a number between 1 and 256 bits; write it in digits alone: 100"],
    ),
    ("sample --sigma 3 --count 1 --method ziggurat --rectangles 2.56e2", 2, &["--rectangles = 2.56e2", "alone: 256"]),
    ("plan --sigma 3 --memory abc", 2, &["--memory = abc: expected a whole number of bytes", "4KB is 4000, 4KiB 4096"]),
    ("plan --sigma 3 --memory 4K", 2, &["--memory = 4K: ", "4KB is 4000, 4KiB 4096"]),
    ("plan --sigma 3 --memory 4kb", 2, &["--memory = 4kb: ", "4KB is 4000"]),
    ("plan --sigma 3 --memory 0.0001KB", 2, &["--memory = 0.0001KB: expected a whole number of bytes"]),
    ("plan --sigma 3 --memory 99999999TiB", 2, &["--memory = 99999999TiB: ", "below 2^64"]),
    ("sample --sigma 3 --count 1 --memory 4e3", 2, &["--memory = 4e3: ", "digits alone: 4000"]),
    ("methods --sigma 3 --memory 99999999999999999999", 2, &["--memory = 99999999999999999999: expected a whole"]),
    ("plan --sigma 3 --setup-time 1ms", 2, &["--setup-time = 1ms: expected a number of seconds", "; write 1e-3\n"]),
    (
        "plan --sigma 3 --precision 2^7",
        2,
        &["--precision = 2^7: expected a number between 1 and 256 bits; write 128\n"],
    ),
    ("sample --count 1 --sigma sqrt(10)", 2, &["--sigma = sqrt(10): ", "; write 10 for --sigma-squared\n"]),
    ("sample --count 1 --recipe sigma=0,5", 2, &["--recipe = 5: expected name=value"]),
    ("sample --count 1 --laplace 0,5", 2, &["--laplace = 0,5: ", "; write 0.5\n"]),
    ("plan --sigma 3 --setup-time -1", 2, &["--setup-time = -1: expected", "seconds from 0"]),
    ("sample --count 1 --sigma 3 --setup-time 1e300", 2, &["--setup-time = 1e300: expected", "seconds from 0"]),
    ("sample --sigma 3 --count 1 --seed deadbeef", 2, &["--seed: ", "64 hexadecimal digits", "number below 2^64"]),
    ("sample --sigma 3 --count 1 --seed secret", 2, &["--seed: ", "64 hexadecimal digits", "number below 2^64"]),
    ("sample --sigma 3 --count 1 --seed -1", 2, &["--seed: ", "number below 2^64"]),
    ("sample --sigma 3 --count 1 --seed 18446744073709551616", 2, &["--seed: ", "a larger number"]),
    ("sample --sigma 3 --count 1 --seed-from dice", 2, &["--seed-from", "os, dev-random", "file:PATH"]),
    ("sample --sigma 3 --count 1 --seed-from os --repeat", 2, &["--repeat", "file:PATH"]),
    ("sample --sigma 3 --count 1 --source os --seed 1", 2, &["os takes no seed; remove --seed, or choose", "chacha20"]),
    ("sample --sigma 3 --count 1 --seed-from file:x", 2, &["error: --seed-from = file:x: cannot be opened"]),
    ("sample --sigma 3 --count 2^10", 2, &["--count = 2^10: ", "such as 1000, 10_000_000 or 1e7; write 1024"]),
    ("sample --sigma 1,000 --count 1", 2, &["--sigma = 1,000: ", "; write 1000 or 1.000, as you mean the comma"]),
    ("sample --recipe sigma=3,center=1_0 --count 1", 2, &["--recipe: center = 1_0: ", "; write 10"]),
    ("sample --sigma 3 --count 1 --tail 1_0", 2, &["--tail = 1_0: ", "or 1.6e5; write 10\n"]),
    ("plan --sigma 3 --memory 2^12", 2, &["--memory = 2^12: ", "; write 4096"]),
    ("verify - --sigma 3 --modulus 2^64", 2, &["--modulus = 2^64: ", "; write 18446744073709551616"]),
    ("sample --sigma 3 --count 1 --method dice", 2, &["--method", "dice", "auto", "karney", "cdt"]),
    ("sample --sigma 3 --count 1 --source dice", 2, &["--source", "dice", "chacha20", "os"]),
    ("sample --sigma 3 --count 1 --dtype uint8", 2, &["--dtype = uint8: expected one of i8, ", "convert them"]),
    ("sample --sigma 3 --count 1 --format json", 2, &["--format = json: ", "makes a JSON array"]),
    ("sample --sigma 3 --count 1 --format xml", 2, &["--format", "xml", "text, csv, npy, raw"]),
    ("sample --sigma 3 --count 1 --dtype f32", 2, &["--dtype", "f32", "i8, i16, i32, i64"]),
    ("dance", 2, &["dance"]),
    ("", 2, &["To begin: samplez sample --sigma 3.2 --count 10", "Usage"]),
    ("completions", 2, &["SHELL"]),
    ("completions sh", 2, &["<SHELL> = sh: expected one of bash, ", "; other shells complete no options"]),
    ("lattice --basis b --sigma sqrt(10) --count 1", 2, &["--sigma = sqrt(10): ", "such as 3.2, 16/5 or 1.6e5\n"]),
    ("man sample", 2, &["sample: expected an option; `samplez sample --help` describes that command"]),
    ("man x", 2, &["x: expected an option, which begins with --; `samplez man --help` lists them"]),
    ("lattice x --sigma 9 --count 1", 2, &["x: expected an option; write --basis x for a file of the lattice's basis"]),
    ("papers", 2, &["papers: this command belongs to samplez-lab", "-p samplez-lab -- papers`"]),
    ("report --quick", 2, &["report: ", "-p samplez-lab -- report`"]),
    ("seeding --sigma 3.2 --count 10", 2, &["seeding: ", "-p samplez-lab -- seeding`"]),
    ("bench papers --csv", 2, &["bench papers: ", "-p samplez-lab -- bench papers`"]),
    ("bench matrix", 2, &["bench matrix: ", "-p samplez-lab -- bench matrix`"]),
    ("bench tradeoff --out x", 2, &["bench tradeoff: ", "-p samplez-lab -- bench tradeoff`"]),
    ("bench sources --sources dice", 2, &["--sources", "dice", "kiss64"]),
    ("bench sources --count 65535", 2, &["--count", "65535", "from 65536"]),
];

/// What methods cannot honour.
const METHODS: &[Case] = &[
    ("sample --count 1 --sigma 3.2 --method ziggurat --center 1/3", 2, &["center = 1/3", "method ziggurat"]),
    (
        "sample --count 1 --sigma 3.2 --method ziggurat --rectangles 1",
        2,
        &["--rectangles = 1: expected a number between 2 and 65536"],
    ),
    ("sample --count 1 --sigma 3.2 --method ziggurat --tail 0", 2, &["tail = 0"]),
    ("sample --count 1 --sigma 3.2 --method ziggurat --tail 41", 2, &["tail = 41"]),
    ("sample --count 1 --sigma 3.2 --method ziggurat --tail x", 2, &["not a number"]),
    ("sample --count 1 --sigma 3.2 --method rejection-table --tail 13.5", 2, &["tail = 13.5"]),
    ("sample --count 1 --sigma 3.2 --method rejection-table --center 1/3", 2, &["center = 1/3"]),
    ("sample --count 1 --sigma 1e9 --method ziggurat", 2, &["--tail = 14: with sigma = 1000000000"]),
    ("sample --count 1 --sigma 10 --method convolution", 2, &["sigma = 10", "method convolution allows"]),
    ("sample --count 1 --sigma 1e4 --method convolution --center 0.5", 2, &["center = 0.5"]),
    (
        "sample --count 1 --method convolution-ct --sigma 4",
        2,
        &["sigma = 4: method convolution-ct allows sigma >= 4.34"],
    ),
    ("sample --count 1 --method convolution-ct --s 25", 2, &["s = 25: method convolution-ct allows s >= 135.94"]),
    ("sample --count 1 --method convolution-ct --sigma 1e18", 2, &["sigma = 1e18", "convolution-ct"]),
    (
        "sample --count 1 --method convolution-ct --sigma 215 --center 1/3",
        2,
        &["center = 1/3: method convolution-ct allows an integer center"],
    ),
    ("sample --count 1 --method convolution-ct --sigma 215 --memory 100", 2, &["base table", "100"]),
    (
        "sample --count 1 --method convolution-ct --sigma 215 --exact",
        2,
        &["error: --exact: convolution-ct is certified"],
    ),
    ("sample --count 1 --sigma 3.2 --method du-wei-4", 2, &["sigma = 3.2"]),
    ("sample --count 1 --sigma 254 --method du-wei-5", 2, &["sigma = 254"]),
    ("sample --count 1 --k-sigma2 2.5 --method du-wei-5-ky", 2, &["k-sigma2 = 2.5", "du-wei-5-ky"]),
    ("sample --count 1 --sigma 215 --method bernoulli", 2, &["k-sigma2 only"]),
    ("sample --count 1 --k-sigma2 2.5 --method bernoulli", 2, &["k-sigma2 = 2.5"]),
    ("sample --count 1 --k-sigma2 268435457 --method bernoulli", 2, &["k <= 2^28"]),
    ("sample --count 1 --k-sigma2 254 --method bernoulli --center 1/2", 2, &["center = 1/2"]),
    ("sample --count 1 --k-sigma2 254 --method bernoulli --memory 100", 2, &["336 bytes"]),
    ("sample --count 1 --s 8.35 --method cks", 2, &["s = 8.35"]),
    ("sample --count 1 --s 1e15 --method karney", 2, &["--s = 1e15: ", "method karney allows s <= 2^48"]),
    ("sample --count 1 --s 1e18 --constant-time", 2, &["s = 1000000000000000000"]),
    ("sample --count 1 --sigma-squared 0 --method karney", 2, &["sigma-squared = 0: expected a number greater than 0"]),
    ("sample --count 1 --sigma-squared 1/0 --method karney", 2, &["the denominator is zero"]),
    ("sample --count 1 --sigma-squared 10 --center 9e18 --method karney", 2, &["center = 9e18", "2^62"]),
    ("sample --count 1 --s 2.5 --method isochronous", 2, &["s = 2.5", "method isochronous allows 1 <= sigma <= 2^26"]),
    ("sample --count 1 --sigma 1e12 --method cdt", 2, &["161 TiB", "(--memory)"]),
    ("certify --s 1e12 --method cdt", 2, &["TiB", "(--memory)"]),
    ("certify --sigma 3.2 --method cdt --memory 100", 2, &["bytes", "100"]),
    ("certify --sigma 3.2 --method cdt --memory 0.1KB", 2, &["bytes", "100"]),
    (
        "sample --count 1 --sigma 1000 --method cdt-lazy-ct",
        2,
        &["sigma = 1000: cdt-lazy-ct allows at most 4095 thresholds, not about 127"],
    ),
    ("sample --count 1 --sigma 3.2 --method cdt-lazy-ct --memory 1000", 2, &["--memory = 1000", "1.72 KiB"]),
    (
        "sample --count 1 --sigma 3.2 --method cdt --no-chord",
        2,
        &["error: --no-chord: cdt has no such option", "ziggurat"],
    ),
    ("sample --count 1 --sigma 3.2 --method cdt --frugal", 2, &["error: --frugal: cdt has no such option"]),
    (
        "sample --count 1 --sigma 3.2 --method karney --precision 72",
        2,
        &["--precision = 72: karney is exact and has none"],
    ),
    (
        "sample --count 1 --sigma 215 --method convolution --exact",
        2,
        &["error: --exact: convolution is certified, not exact; ", "karney"],
    ),
    (
        "sample --count 1 --sigma 3.2 --method karney --constant-time",
        2,
        &["error: --constant-time: karney is of variable timing", "constant-time are cdt-ct"],
    ),
    (
        "bench sample --sigma 3.2 --method ziggurat --constant-time",
        2,
        &["error: --constant-time: ziggurat is of variable timing"],
    ),
    (
        "sample --count 1 --sigma 3.2 --variable-time --constant-time",
        2,
        &["error: --variable-time: contradicts --constant-time; remove one of them"],
    ),
    (
        "sample --count 1 --sigma 3.2 --method isochronous --constant-time",
        2,
        &["--constant-time: isochronous is of isochronous timing", "cdt-ct"],
    ),
    (
        "sample --count 1 --recipe sigma=3.2,method=karney,constant_time=true",
        2,
        &["error: --recipe: constant_time = true: karney is of variable timing"],
    ),
    (
        "plan --sigma 1e15 --exact --constant-time",
        2,
        &[
            "exact, constant-time: leave --exact out, and convolution-ct is possible",
            "isochronous        of isochronous timing",
        ],
    ),
    ("sample --sigma 1e30 --count 1 --out x.npy", 2, &["error: --format npy: ", "128; use txt, csv or raw"]),
    ("sample --sigma 1e30 --count 1 --dtype i64", 2, &["error: --dtype i64: is too narrow"]),
    ("sample --sigma 1e30 --count 1 --block 0 --seed 1", 2, &["error: --block: samples beyond 64 bits are one stream"]),
    (
        "sample --sigma 1e30 --count 1 --method karney",
        2,
        &["error: --method = karney: expected a width and --center alone"],
    ),
    (
        "sample --sigma 1e30 --count 1 --precision 9",
        2,
        &["error: --precision = 9: expected a width and --center alone"],
    ),
    ("sample --sigma -1e30 --count 1", 2, &["error: --sigma = -1e30: expected a number greater than 0"]),
    ("plan --sigma 1e2147483648", 2, &["error: --sigma = 1e2147483648: powers of ten are at most 2000"]),
    ("plan --sigma 3.2 --center 1e-3000", 2, &["error: --center = 1e-3000: powers of ten are at most 2000"]),
    ("plan --sigma 1e-300", 2, &["error: --sigma = 1e-300: expected at least 2^-60"]),
    (
        "plan --sigma 1e18 --constant-time",
        2,
        &["error: no method for D_Z(sigma = 1000000000000000000, center = 0), constant-time: "],
    ),
    (
        "plan --s 8.35 --memory 0 --variable-time",
        2,
        &[
            "in at most 0 bytes: leave --memory out",
            "cdt                takes about",
            "rejection          --s = 167/20",
        ],
    ),
    (
        "plan --sigma 3 --setup-time 0 --variable-time",
        2,
        &["set up within 0ns: leave --setup-time out", "karney             takes about"],
    ),
    (
        "sample --count 1 --sigma 3.2 --exact --memory 100",
        2,
        &["in at most 100 bytes: leave --memory out, and knuth-yao-ct is possible"],
    ),
    (
        "plan --sigma 1e5 --center 1/3 --constant-time",
        2,
        &[
            "no method",
            "constant-time",
            "cdt-ct             --sigma = 100000: cdt-ct allows at most 32767 thresholds, not about ",
            "convolution-ct     --center = 1/3: method convolution-ct",
        ],
    ),
    ("plan --sigma 1e12 --constant-time --exact", 2, &["no method", "constant-time", "exact"]),
    ("round centers.txt --sigma 3 --method cdt", 2, &["--method", "karney", "strips"]),
    ("round centers.txt --sigma 0.99 --method strips", 2, &["sigma = ", "1 <= sigma <= 2^26"]),
];

/// Words of other libraries, slips, and options where none belongs.
const WORDS: &[Case] = &[
    ("sample --count 1 --std 3.2", 2, &["error: --std: unknown option; write --sigma for σ, "]),
    ("sample --count 1 --stddev=3.2", 2, &["error: --stddev: unknown option; write --sigma for σ, "]),
    ("sample --count 1 --scale 3.2", 2, &["--scale: ", "write --sigma for σ, "]),
    ("sample --count 1 --sigma2 10", 2, &["--sigma2: ", "write --sigma-squared for σ², "]),
    ("plan --variance 10", 2, &["--variance: ", "write --sigma-squared for σ², "]),
    ("sample --count 1 --sigma 3 --mean 1", 2, &["--mean: ", "write --center for the centre"]),
    ("sample --sigma 3 --n 5", 2, &["--n: ", "write --count for the number of samples"]),
    ("sample --sigma 3 -q --count 5", 2, &["-q: ", "; write --quiet for no summary and no progress bar"]),
    ("plot noise.npy --sigma 3 --width 100", 2, &["--width: unknown option; size, bars and axes follow from the"]),
    ("circuit --sigma 3 --format c", 2, &["--format: unknown option; write --emit for the format of the text"]),
    ("plan --sigma 3 --format json", 2, &["--format: unknown option; write --json for JSON"]),
    ("scheme bliss sign --message hi --secret s", 2, &["--message: ", "; give the file of the message without an"]),
    ("sample --sigma 3 -n 5", 2, &["-n: ", "options begin with --; write --count for the number of samples"]),
    ("plan --sigma 3 --size 5", 2, &["--size: ", "the number of samples belongs to the call that draws"]),
    ("plan --sigma 3 --seed 5", 2, &["--seed: ", "the seed belongs to the call that draws"]),
    ("sample --count 1 --sigma 3 --rng os", 2, &["--rng: ", "write --source for the source of random bits"]),
    ("sample --count 1 --sigma 3 --tau 12", 2, &["--tau: ", "write --tail for where the support ends, in σ"]),
    ("sample --count 1 --sigma 3 --clip 19", 2, &["--clip: ", "no sampler cuts its distribution"]),
    ("verify - --sigma 3 --bound 19", 2, &["--bound: ", "write --clip for the largest distance from the centre"]),
    ("sample --count 1 --sigma 3 --json", 2, &["--json: ", "watch, certify, plan, methods"]),
    ("sample --count 1 --sigma 3 --plot", 2, &["--plot: ", "the command plot draws a file of samples"]),
    ("sample --count 1 --sigma 3 --avx2", 2, &["--avx2: ", "instructions are found at run time"]),
    ("sample --count 1 --sigma 3 --verbose", 2, &["--verbose: ", "leave it out"]),
    ("sample --count 1 --eps 1", 2, &["--eps: ", "samplez.dp.sigma_squared in Python computes the width"]),
    ("sample --count 1 --delta 1e-6", 2, &["--delta: ", "leave it out elsewhere"]),
    ("verify - --sigma 3 --alpha 0.05", 2, &["--alpha: ", "the significance level of each test is fixed"]),
    ("sample --count 1 --sigma 3 --no-exact", 2, &["--no-exact: unknown option; leave --exact out instead"]),
    ("sample --count 1 --sigma 3 --chord", 2, &["--chord: ", "it is the default; --no-chord turns it off"]),
    ("sample --count 1 --sgima 3", 2, &["--sgima: unknown option; did you mean --sigma?"]),
    ("sample --count 1 --sigma_squared 3", 2, &["--sigma_squared: ", "did you mean --sigma-squared?"]),
    ("sample --count 1 --sigma 3 --exact=false", 2, &["error: --exact = false: --exact is a flag", "leave it out"]),
    ("methods --json=yes", 2, &["error: --json = yes: --json is a flag", "leave it out"]),
    ("sample --count 1 --sigma", 2, &["error: --sigma: has no value; write --sigma <Q>"]),
    ("sample --count 1 --sigma 3 --method CDT", 2, &["--method = CDT: expected one of auto, ", "; did you mean cdt?"]),
    ("round - --sigma 3 --method karny", 2, &["--method = karny: expected one of ", "; did you mean karney?"]),
    ("sample --count 1 --sigma 3 --source chacha-20", 2, &["--source = chacha-20: ", "; did you mean chacha20?"]),
    ("table --sigma 3 --emit c --form falcom", 2, &["error: --form = falcom: `falcom` is unknown; allowed are"]),
    (
        "sample --sigma --count 1",
        2,
        &["error: --sigma: has no value; write --sigma <Q>; allowed are decimals, fractions"],
    ),
    (
        "sample --laplace --count 1",
        2,
        &["error: --laplace: has no value; write --laplace <SCALE>; allowed are decimals"],
    ),
    ("sample --count 5 --sigma --quiet", 2, &["error: --sigma: has no value; write --sigma <Q>; "]),
    ("sample --count --sigma 3", 2, &["error: --count: has no value; write --count <N>; allowed are whole numbers"]),
    ("verify a.npy b.npy", 2, &["error: b.npy: expected one file; to compare two files, write --against b.npy"]),
    ("plot a.npy b.npy --sigma 3", 2, &["error: b.npy: expected one file; run the command once for each"]),
    (
        "certify a.npy",
        2,
        &["error: a.npy: this command reads no samples; `samplez verify a.npy` tests", "--table a.npy"],
    ),
    ("sample a.npy --sigma 3", 2, &["error: a.npy: this command reads no file; write --out a.npy for the output"]),
    ("sample --sigma 3.2 --alpha 0.01", 2, &["--alpha: ", "write --s for α·q, where α is the noise rate of LWE"]),
    ("sample --law laplace --count 1", 2, &["--law: ", "each other distribution has an option of its own"]),
    (
        "verify - --sigma 3 --law laplace",
        2,
        &["--law = laplace: expected one of discrete, rounded; did you mean --laplace?"],
    ),
    ("verify - --sigma 3 --law gaussian", 2, &["--law = gaussian: expected one of discrete, rounded; discrete is D_Z"]),
    ("sample --sigma 3 --dim 5", 2, &["--dim: ", "write --count for the number of samples"]),
    ("sample --sigma 3 --beta 5", 2, &["--beta: ", "write the name of yours"]),
    ("bench sample --sigma 3 --trials 5", 2, &["--trials: ", "one call draws the samples of all trials"]),
    ("plan --sigma 3 --method cdt", 2, &["--method: ", "the method cannot be chosen here, so leave it out"]),
    ("bytes --source hash-drbg-sha256 --entropy aa", 2, &["missing --nonce <HEX>: A DRBG's nonce", "or --seed alone"]),
    ("sample 3.2 100", 2, &["error: 3.2: numbers follow the names of their options", "sample --sigma 3.2 --count"]),
    ("plot --in noise.npy --sigma 3", 2, &["--in: ", "give the input without an option's name", "plot noise.npy"]),
    ("round 3.7 --sigma 3", 2, &["error: 3.7: expected a file of centres; ", "echo 3.7 | samplez round -"]),
    ("scheme sign", 2, &["error: sign: there is no such command; expected one of bliss, lp11, regev, sets"]),
    ("smaple --sigma 3", 2, &["error: smaple: there is no such command", "; did you mean sample?"]),
];

/// Files, in and out.
const FILES: &[Case] = &[
    ("sample --sigma 3 --count 1 --out noise.dat", 2, &["noise.dat", ".npy", "--format"]),
    (
        "sample --sigma 30 --method karney --count 10 --dtype i8 --out x.npy",
        2,
        &["--dtype = i8: the samples range from -393 to 393, those of D_Z(sigma = 30, center = 0); use i16"],
    ),
    ("sample --sigma 3.2 --center 1000 --count 10 --dtype i8", 2, &["--dtype = i8", "center = 1000); use i16"]),
    ("sample --sigma 100000 --count 10 --dtype i16 --out x.raw", 2, &["--dtype = i16", "use i32"]),
    ("bench sample --sigma 215 --dtype i8", 2, &["--dtype = i8", "use i16"]),
    (
        "sample --sigma 3 --count 1 --seed 0000000000000000000000000000000000000000000000000000000000000000",
        2,
        &["--seed: 32 equal bytes", "a number below 2^64"],
    ),
    (
        "bytes --source chacha20 --count 1 --seed ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        2,
        &["--seed: 32 equal bytes"],
    ),
    ("sample --sigma 3 --count 1 --out missing/x.npy", 3, &["missing/x.npy", ABSENT]),
    ("plot --sigma 3 x.npy --out x.jpg", 2, &["x.jpg", ".svg or .png"]),
    ("plot --sigma 3 x.npy --out x", 2, &["--out x", ".svg or .png"]),
    ("verify missing.npy --sigma 3 --threads 0", 2, &["--threads", "0", "1 to 1024"]),
    ("verify missing.npy --sigma 3", 2, &["missing.npy", ABSENT]),
    ("verify empty.txt --sigma 3", 2, &["empty.txt", "holds no integers"]),
    ("verify halves.txt --sigma 3", 2, &["halves.txt", "line 2", "0.5", "not an integer"]),
    ("verify two.csv --sigma 3", 2, &["two.csv", "2 columns (x, y)", "--column"]),
    ("verify two.csv --sigma 3 --column z", 2, &["--column = z", "numbered from 1"]),
    ("verify centers.txt --sigma 3 --dtype i8", 2, &["--dtype is for raw files only"]),
    (
        "verify centers.txt --sigma 3 --column x --format text",
        2,
        &["--column: --format text reads all numbers as one stream; remove one of them"],
    ),
    ("watch --sigma 3", 2, &["missing <FILE>"]),
    ("watch - --merge a --sigma 3", 2, &["error: -: cannot be used with --merge = a; remove one of them"]),
    ("watch - --sigma 3 --alpha 7", 2, &["--alpha = 7: expected a number from 1e-300 to 0.5, such as 1e-6"]),
    ("watch - --sigma 3 --alpha nan", 2, &["--alpha = nan: expected a number"]),
    ("watch empty.txt --sigma 1e18", 2, &["--sigma = 1e18: expected laws whose mass lies within 64 bits"]),
    ("watch a --merge b --state s --sigma 3", 2, &["error: a: cannot be used with --merge = b; remove one of them"]),
    ("verify - --sigma 3 --against b", 2, &["--against = b: cannot be used with --sigma = 3; remove one of them"]),
    ("verify empty.txt --sigma 1e5 --clip 4e5", 2, &["error: --clip = 4e5: expected at most 65536 values", "smaller"]),
    ("certify --table x --method cdt", 2, &["error: --method = cdt: does not apply to a table, whose form"]),
    ("watch empty.txt --sigma 3 --state s", 2, &["empty.txt", "holds no integers"]),
    ("watch empty.txt --sigma 3 --state missing/s", 3, &["missing/s", ABSENT]),
    ("watch --merge bad.txt --sigma 3", 2, &["bad.txt: expected a state that samplez watch wrote"]),
    ("round missing.txt --sigma 3", 2, &["missing.txt", "cannot open"]),
    ("round empty.txt --sigma 3", 2, &["empty.txt", "holds no centers"]),
    ("round bad.txt --sigma 3 --out x.npy", 2, &["bad.txt", "line 2", "\"one\""]),
    ("round two.csv --sigma 3", 2, &["two.csv", "2 columns (x, y)", "--column"]),
    ("round two.csv --sigma 3 --column z", 2, &["--column = z", "numbered from 1"]),
    ("round array.npy --sigma 3", 2, &["array.npy", "holds elements of descr", "expected float64"]),
    ("round array.npy --sigma 3 --column 1", 2, &["--column", "array.npy is an npy file, which has no columns"]),
    ("round centers.txt --sigma 3 --out x.dat", 2, &["x.dat", ".npy", "--format"]),
    ("round centers.txt --sigma 3 --format npy", 2, &["--format npy", "--out"]),
    ("round centers.txt --sigma 3 --dtype i8", 2, &["--dtype", "npy and raw"]),
    ("round wide.txt --sigma 3 --out x.npy --dtype i8", 2, &["wide.txt", "line 1", "--dtype i8", "too narrow"]),
    ("man --out bad.txt/x", 3, &["cannot create bad.txt/x"]),
];

fn check(cases: &[Case]) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("empty.txt", ""),
        ("halves.txt", "1\n0.5\n"),
        ("two.csv", "x,y\n1,2\n"),
        ("centers.txt", "# centers\n1/3\n"),
        ("bad.txt", "1/3\none\n"),
        ("wide.txt", "1000\n"),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    fs::copy(crate::common::fixture("i1-le.npy"), folder.path().join("array.npy")).unwrap();
    let before = names(folder.path());
    for (line, code, words) in cases {
        let output = samplez().current_dir(&folder).args(line.split_whitespace()).output().unwrap();
        let (got, out, err) = outcome(output);
        assert_eq!((got, out.as_str()), (Some(*code), ""), "{line}\n{err}");
        for word in *words {
            assert!(err.contains(word), "{line}\nexpected \"{word}\" in:\n{err}");
        }
        assert!(!err.contains("panicked"), "{line}\n{err}");
        assert_eq!(names(folder.path()), before, "{line}");
    }
}

#[test]
fn laws() {
    check(LAWS);
}

#[test]
fn values() {
    check(VALUES);
}

#[test]
fn methods() {
    check(METHODS);
}

#[test]
fn words() {
    check(WORDS);
}

/// The only options that a hint names are those of the word's own quantity.
#[test]
fn no_hint_leads_to_another_quantity() {
    let mut hints = 0;
    for word in samplez::bindings::WORDS {
        for spelling in word.words {
            let (_, _, err) = run(&format!("sample --{spelling}=1"));
            let told = err.lines().next().unwrap_or_default();
            let Some(hint) = told.strip_prefix(&format!("error: --{spelling}: unknown option; ")) else {
                assert!(!err.contains("unknown option;"), "{spelling}: {err}");
                continue; // It is an option of this command, or nothing is known of it.
            };
            let named = hint.split([' ', ',', ';']).filter_map(|text| text.strip_prefix("--"));
            let named: Vec<String> = named.map(|name| name.replace('-', "_")).collect();
            assert!(named.iter().all(|name| word.names().any(|same| same == name)), "{spelling}: {hint}");
            assert!(!err.contains("tip:") && named.len() <= 1, "{spelling}: {err}");
            hints += 1;
        }
    }
    assert!(hints > 60, "{hints}");
}

#[test]
fn files() {
    check(FILES);
}

#[test]
fn seeds_are_never_repeated() {
    let short = &SEED[2..];
    fail(&format!("sample --sigma 3 --count 1 --seed {short}"), 2, &["--seed", "64"]);
    for line in [
        format!("sample --sigma 3 --count 1 --seed {short}zz"),
        format!("sample --sigma 3 --count 1 --seed {short}"),
        format!("sample --sigma 3 --count 1 --seed {SEED}"),
        format!("sample --sigma 3 --count 1 --seed {SEED} --source os"),
        format!("sample --sigma 3 --count 0 --seed {SEED}"),
        format!("sample --sigma 3 --count 1 --seed {SEED} --seed-from os"),
        format!("sample --sigma 3 --count 1 --seed {SEED} --seed {SEED}"),
        format!("round - --sigma 3 --seed={SEED} --seed-from os"),
        format!("bytes --source chacha20 --count 1 --seed {SEED} --seed-from os"),
        format!("bytes --source chacha20 --count 1 --entropy {SEED} --entropy {SEED}"),
        format!("scheme bliss keygen --set I --seed {SEED} --seed-from os"),
    ] {
        let (_, out, err) = run(&line);
        assert!(!(out + &err).contains(&short[..16]), "the seed is shown: {line}");
    }
}

#[test]
fn good_input_beside_it() {
    for width in ["--sigma 3.2", "--sigma 16/5", "--sigma 1.6e5", "--sigma-squared 10.24", "--k-sigma2 254", "--s 8.35"]
    {
        for center in ["", "--center 1/3", "--center -7/2", "--center -1e6"] {
            let out = succeed(&format!("sample {width} {center} --count 3 --quiet"));
            assert_eq!(out.lines().filter(|line| line.parse::<i64>().is_ok()).count(), 3, "{width} {center}");
        }
    }
    assert_eq!(succeed("sample --sigma 3 --count 1_0 --quiet").lines().count(), 10);
    assert_eq!(succeed("sample --sigma 3 --count 1e1 --quiet").lines().count(), 10);
    for dtype in ["i8", "int8", "int64"] {
        assert_eq!(succeed(&format!("sample --sigma 3.2 --count 10 --dtype {dtype} --quiet")).lines().count(), 10);
    }
    // A size is the number of its bytes.
    let recipe = |memory: &str| succeed(&format!("plan --sigma 32 --memory {memory} --json"));
    assert_eq!(recipe("2.08KB"), recipe("2080"));
    assert_eq!(recipe("2KiB"), recipe("2048"));
    let text = "--recipe sigma=32,memory=2.08KB --count 5 --seed 1 --quiet";
    assert_eq!(succeed(&format!("sample {text}")), succeed(&format!("sample {}", text.replace("2.08KB", "2080"))));
}

#[test]
fn help_is_on_standard_output() {
    let (code, out, err) = run("--help");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    for command in ["sample", "verify", "certify", "plot", "methods", "plan", "sources", "man", "Exit codes"] {
        assert!(out.contains(command), "{command}");
    }
    assert!(succeed("--version").starts_with("samplez "));
}
