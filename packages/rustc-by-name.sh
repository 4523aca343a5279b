#!/bin/sh
# A RUSTC_WRAPPER for the wheel. Cargo names symbols by the absolute path of each crate outside of python/, so this names those of our crates by the
# crate's name and version. It reads only arguments, and leaves other crates alone.
rustc=$1
shift
case $CARGO_MANIFEST_DIR/ in "${0%/packages/*}"/*) ours=yes ;; *) ours= ;; esac
for argument; do
    shift
    case $ours$argument in yesmetadata=*) argument=metadata=$CARGO_PKG_NAME-$CARGO_PKG_VERSION ;; esac
    set -- "$@" "$argument"
done
exec "$rustc" "$@"
