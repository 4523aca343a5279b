#!/usr/bin/env bash
# Builds the packages of the last commit in two clones, each with a folder for cargo of its own, and compares the bytes.
#
# usage: reproducible.sh FOLDER, which is made anew; the clones use the tools of this one (python/.venv, web/node_modules).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$1 here=$PWD cache=${CARGO_HOME:-$HOME/.cargo}
rm -rf "$root"
for clone in one another/place; do
    place=$root/$clone
    mkdir -p "$place/cargo"
    git clone --quiet . "$place/samplez"
    cp -R "$cache/registry" "$place/cargo/"
    ln -s "$here/python/.venv" "$place/samplez/python/.venv"
    ln -s "$here/web/node_modules" "$place/samplez/web/node_modules"
    (umask "$([ "$clone" = one ] && echo 022 || echo 077)" && cd "$place/samplez" \
        && env -u CARGO_TARGET_DIR CARGO_HOME="$place/cargo" PACK_ONLY=1 make --no-print-directory package PROFILE="${PROFILE:-release}")
    (cd "$place/samplez/out/packages" && find . -type f -exec sha256sum {} + | sort -k 2) > "$place/sums"
done
diff "$root/one/sums" "$root/another/place/sums" || { echo "two builds differ" >&2; exit 1; }
cat "$root/one/sums"
