#!/usr/bin/env bash
# Packs what `make package` has built, installs each package into a clean place, and draws the vectors of kat/recipes.csv there.
#
# usage: package.sh OUT TARGET VERSION PROFILE: where the packages go, where cargo builds, what is packed, and how it was built.
# With PACK_ONLY they are neither installed nor tried.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=$1 target=$2 version=$3 profile=$4
cargo=${CARGO:-cargo}
smoke=$PWD/packages/smoke
vectors=$PWD/kat/recipes.csv
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

fail() {
    echo "packages/package.sh: $*" >&2
    exit 1
}

tried() { [ -z "${PACK_ONLY:-}" ]; }

# A program that takes what capi/tests/vectors.c takes draws every row.
draws() {
    while IFS=, read -r recipe source seed samples; do
        drawn=$("$@" "$recipe" "$source" "$seed" 0 16 | paste -sd ' ' -)
        [ "$drawn" = "$samples" ] || fail "$*: $recipe, $source, $seed: $drawn, not $samples"
    done < <(tail -n +2 "$vectors")
    echo "$(($(wc -l < "$vectors") - 1)) rows"
}

# The crates that are published, without a place of their own: a program takes them by version, and finds what was packed.
crates() {
    local names=(samplez-core samplez-sources samplez-tables samplez-schemes samplez-stats samplez samplez-lattice samplez-cli)
    mkdir -p "$out/crates" "$place/crates/src"
    # Without --quiet it warns of what a registry requires.
    "$cargo" package --no-verify --allow-dirty "${names[@]/#/--package=}" 2> "$place/packed" || fail "$(cat "$place/packed")"
    ! grep 'manifest has no' "$place/packed" || fail "a crate lacks what a registry requires"
    {
        printf '[package]\nname = "smoke"\nedition = "2024"\n[workspace]\n[dependencies]\n'
        printf 'samplez = { version = "=%s", features = ["rand", "schemes", "serde"] }\n[patch.crates-io]\n' "$version"
    } > "$place/crates/Cargo.toml"
    for name in "${names[@]}"; do
        local crate=$name-$version
        cp "$target/package/$crate.crate" "$out/crates/"
        tar -xzf "$out/crates/$crate.crate" -C "$place/crates"
        for licence in LICENSE-APACHE LICENSE-MIT; do
            cmp "$licence" "$place/crates/$crate/$licence"
        done
        printf '%s = { path = "%s" }\n' "$name" "$crate" >> "$place/crates/Cargo.toml"
    done
    tried || return 0
    cp "$smoke/main.rs" "$place/crates/src/"
    cp Cargo.lock "$place/crates/" # the dependencies that were tested
    (cd "$place/crates" && CARGO_TARGET_DIR=$target/packages "$cargo" run --quiet -- "$vectors")
}

# A virtual environment with what pip makes of a distribution.
installed() {
    tried || return 0
    python3 -m venv "$place/$1"
    "$place/$1/bin/pip" install --quiet --disable-pip-version-check "$2"
    (cd "$place" && "$place/$1/bin/python" "$smoke/smoke.py" "$vectors")
}

# The wheel, and the source distribution, of which pip builds another.
wheel_and_sdist() {
    mkdir -p "$out/python"
    (cd python && PATH="$PWD/.venv/bin:$PATH" maturin sdist --out "$out/python" 2>&1 | tail -n 1)
    python3 packages/wheel.py "python/target/wheels/samplez-$version"-*.whl "$out/python"
    installed wheel "$out/python/samplez-$version"-*.whl
    CARGO_TARGET_DIR=$target/packages/python MATURIN_PEP517_ARGS="--profile $profile" \
        installed sdist "$out/python/samplez-$version.tar.gz"
}

npm_package() {
    mkdir -p "$out/npm" "$place/npm"
    (cd web && npm pack --silent --pack-destination "$out/npm" > /dev/null)
    for licence in LICENSE-APACHE LICENSE-MIT; do
        tar -xOf "$out/npm/samplez-$version.tgz" "package/$licence" | cmp "$licence" -
    done
    tried || return 0
    cd "$place/npm"
    echo '{ "private": true, "type": "module" }' > package.json
    npm install --silent --no-audit --no-fund --offline "$out/npm/samplez-$version.tgz"
    cp "$smoke/smoke.mjs" .
    node smoke.mjs "$vectors"
    cd - > /dev/null
}

# Header, libraries, and what pkg-config and CMake read, in a tar that is unpacked anywhere.
c_library() {
    local name prefix library
    name=samplez-c-$version-$(uname -m)-$(uname -s | tr '[:upper:]' '[:lower:]')
    prefix=$place/$name
    mkdir -p "$out/c"
    "${MAKE:-make}" --no-print-directory capi-install BUILT_ALREADY=1 PROFILE="$profile" PREFIX= DESTDIR="$place/stage/$name"
    cp LICENSE-APACHE LICENSE-MIT "$place/stage/$name/"
    python3 packages/archive.py "$out/c/$name.tar.gz" "$place/stage" "$name"
    tried || return 0
    tar -xzf "$out/c/$name.tar.gz" -C "$place"

    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    [ "$(pkg-config --modversion samplez)" = "$version" ] || fail "pkg-config has another version than $version"
    # shellcheck disable=SC2046 # flags, several
    "${CC:-cc}" capi/tests/vectors.c -o "$place/by-pkg-config" $(pkg-config --cflags --libs samplez)
    LD_LIBRARY_PATH=$prefix/lib DYLD_LIBRARY_PATH=$prefix/lib draws "$place/by-pkg-config"

    if [ "$(uname -s)" = Linux ]; then
        library=$prefix/lib/libsamplez_c.so
        # Without it the loader names what it misses, the interface's version with it.
        if missing=$("$place/by-pkg-config" 2>&1); then fail "a program runs without the library"; fi
        grep -q 'libsamplez_c\.so\.[0-9]' <<< "$missing" || fail "the loader says: $missing"
        # shellcheck disable=SC2046 # flags, several
        "${CC:-cc}" capi/tests/vectors.c -o "$place/by-rpath" $(pkg-config --cflags --libs samplez) \
            -Wl,-rpath,"$(pkg-config --variable=libdir samplez)"
        draws "$place/by-rpath"
        diff <(nm -D --defined-only "$library" | awk '{ print $3 }' | sort) \
            <(sed -n 's/^[a-z].*[ *]\(samplez_[a-z0-9_]*\)(.*/\1/p' "$prefix/include/samplez.h" | sort) \
            || fail "the shared library exports other functions than the header has"
        if readelf --section-headers "$library" | grep -q '\.debug_\|\.symtab'; then fail "$library is not stripped"; fi
    fi

    command -v cmake > /dev/null || fail "cmake is missing: install it (Debian, Ubuntu: apt install cmake)"
    cmake -S "$smoke" -B "$place/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DSOURCE="$PWD/capi/tests/vectors.c" -DVERSION="$version" > /dev/null
    cmake --build "$place/cmake" > /dev/null
    draws "$place/cmake/shared"
    draws "$place/cmake/static"
    if cmake -S "$smoke" -B "$place/other" -DCMAKE_PREFIX_PATH="$prefix" -DSOURCE=x.c -DVERSION=999 &> /dev/null; then
        fail "CMake finds version 999"
    fi
}

# The Go module, as the folder of a proxy: a program elsewhere gets it by its version, and is built without cgo.
go_module() {
    local module=example.org/samplez/go files proxy
    files=$place/go-files/$module@v$version proxy=$out/go/$module/@v
    "${MAKE:-make}" --no-print-directory go
    mkdir -p "$files" "$proxy" "$place/go-program"
    cp go/samplez.go go/wasm.go go/instance.go go/cgo.go go/nocgo.go go/samplez.wasm go/go.mod go/go.sum go/README.md LICENSE-APACHE LICENSE-MIT "$files/"
    python3 packages/archive.py "$proxy/v$version.zip" "$place/go-files" .
    cp go/go.mod "$proxy/v$version.mod"
    echo "v$version" > "$proxy/list"
    echo "{\"Version\":\"v$version\"}" > "$proxy/v$version.info"
    tried || return 0
    (
        export CGO_ENABLED=0 GOFLAGS="-mod=mod -modcacherw" GONOSUMDB="$module" GOMODCACHE="$place/go-modules"
        GOPROXY="file://$out/go,file://$(env -u GOMODCACHE go env GOMODCACHE)/cache/download,$(go env GOPROXY)"
        export GOPROXY
        cp "$smoke/smoke.go" "$place/go-program/main.go"
        cd "$place/go-program"
        go mod init smoke 2> /dev/null
        go get "$module@v$version"
        go build -o smoke .
    )
    draws "$place/go-program/smoke"
}

# The command alone, in a tar.
command_line() {
    local name stage=$place/stage
    name=samplez-$version-$(uname -m)-$(uname -s | tr '[:upper:]' '[:lower:]')
    mkdir -p "$out/command" "$stage/$name"
    "$cargo" build --quiet --profile "$profile" --package samplez-cli
    cp "$target/$([ "$profile" = dev ] && echo debug || echo "$profile")/samplez" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$stage/$name/"
    "${STRIP:-strip}" "$stage/$name/samplez"
    python3 packages/archive.py "$out/command/$name.tar.gz" "$stage" "$name"
    tried || return 0
    "$stage/$name/samplez" --version
}

rm -rf "$out"
mkdir -p "$out"
# What was built of earlier packages: packed files have no dates of their own, by which cargo would know that they have changed.
rm -rf "$target"/packages/*/.fingerprint/samplez* "$target"/packages/python/*/.fingerprint/samplez*
for package in ${PACKAGES:-crates wheel_and_sdist npm_package c_library command_line go_module}; do
    echo "$package:"
    "$package"
done
echo "In $out:"
(cd "$out" && find . -type f -printf '    %P\n' 2> /dev/null | sort || find . -type f)
