#!/usr/bin/env bash
# Which lines tests run, kept in docs/trust/coverage.csv: coverage.sh libraries|fronts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cargo=${CARGO:-cargo} target=${CARGO_TARGET_DIR:-$PWD/target} make="${MAKE:-make} --no-print-directory"

# Built as the tests are: a build of one package has other features.
tools() { "$cargo" build --quiet --workspace --bin samplez-tools && "$target/debug/samplez-tools" "$@"; }

# Keeps for each package how many lines of code a file in the format of LCOV has, and how many ran. Lines that are there for tests alone are
# left out: what has the attribute, to its last line, which is indented as the first; so are empty lines and comments, which some tools count.
kept() {
    awk -v root="$PWD/" '
        function code_of(file, line, n, skip, indent) {
            while ((getline line < file) > 0) {
                n++
                if (line ~ /^ *#\[cfg\(test\)\]$/) { indent = match(line, /[^ ]/); skip = 1 }
                else if (skip) skip = !(match(line, /[^ ]/) == indent && line !~ /^ *#/ && line ~ /[};,]$/)
                else if (line !~ /^[ \t]*($|\/\/)/ && !(file ~ /js$/ && line ~ /^ *(\/\*|\* |\*\/)/)) code[file, n]
            }
            close(file)
        }
        /^SF:/ {
            file = substr($0, 4); sub("^" root, "", file); of = ""; split(file, part, "/")
            if (file ~ /^crates\/samplez(-(core|sources|tables|schemes))?\/src\// && file !~ /\/(tests|testing)(\.rs$|\/)/) of = part[2]
            if (file ~ /^python\/samplez\//) of = "samplez for Python"
            if (file ~ /^web\/dist\//) of = "samplez for JavaScript"
            if (of && !(file in seen)) { seen[file]; code_of(file) }
        }
        /^DA:/ && of { split(substr($0, 4), data, ","); if ((file, data[1]) in code) ran[of, file, data[1]] += data[2] }
        END {
            for (at in ran) { split(at, part, SUBSEP); all[part[1]]++; hit[part[1]] += ran[at] > 0 }
            for (of in all) print "docs/trust/coverage.csv," of "," all[of] "," hit[of] ",{date},{machine},{commit}"
        }' "$1" | while read -r row; do tools keep "$row"; done
}

libraries() {
    .ci/need libssl nightly
    "$cargo" llvm-cov --version > /dev/null 2>&1 || "$cargo" install --locked cargo-llvm-cov
    rustup component add llvm-tools
    rustup component add llvm-tools --toolchain nightly
    covered="-p samplez-core -p samplez-sources -p samplez-tables -p samplez-schemes -p samplez"
    "$cargo" llvm-cov clean --workspace --profraw-only
    "$cargo" llvm-cov --no-report test $covered
    # Left out: tests that draw long, for their statistics.
    "$cargo" llvm-cov --no-report test -p samplez-check --test laws -- --skip against:: --skip ideal:: --skip mutations:: \
        --skip order:: --skip statistics --skip wrong::
    "$cargo" llvm-cov --no-report test -p samplez-fuzz
    "$cargo" llvm-cov --no-report test -p samplez-cli --test command -- bad_inputs:: tables::
    "$cargo" llvm-cov report --lcov --output-path "$target/coverage.tests.lcov"
    CARGO_TARGET_DIR=$target/doc-coverage "$cargo" +nightly llvm-cov --doctests test --doc $covered \
        --lcov --output-path "$target/coverage.examples.lcov"
    cat "$target/coverage.tests.lcov" "$target/coverage.examples.lcov" > "$target/coverage.lcov"
    kept "$target/coverage.lcov"
}

# The scripts as they are shipped, and what Node runs of them; code that only browsers run counts as not run.
fronts() {
    $make web
    .ci/need python
    "$cargo" build --quiet --workspace --bin samplez
    (
        cd web
        SAMPLEZ=$target/debug/samplez npx --yes c8@12.0.0 --clean --src dist --include 'dist/**' --reporter lcovonly \
            --report-dir build/coverage node --test --test-concurrency=1 --test-reporter=./tools/reporter.mjs \
            $(grep -L drivers.mjs test/*.test.mjs)
    )
    (
        cd python
        export PATH="$PWD/.venv/bin:$PATH" CARGO_TARGET_DIR=$target MATURIN_PEP517_ARGS="--profile dev"
        pip install --quiet pytest-cov==7.1.0
        pip install --quiet --no-build-isolation --no-deps --force-reinstall .
        package=$(python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/samplez
        COVERAGE_FILE=$target/coverage.python pytest --cov="$package" --cov-report=lcov:"$target/coverage.python.lcov"
    )
    sed 's|^SF:|SF:web/|' web/build/coverage/lcov.info > "$target/coverage.fronts.lcov"
    sed 's|^SF:.*site-packages/|SF:python/|' "$target/coverage.python.lcov" >> "$target/coverage.fronts.lcov"
    kept "$target/coverage.fronts.lcov"
}

case ${1-} in
libraries | fronts) "$1" ;;
*) echo "COVERAGE = ${1-}: expected libraries or fronts" >&2 && exit 2 ;;
esac
