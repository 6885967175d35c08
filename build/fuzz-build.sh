#!/bin/sh
# test/fuzz → fuzz targets in the cache: libFuzzer, with AddressSanitizer and coverage as cargo-fuzz has them, by the same
# compiler as everything else (RUSTC_BOOTSTRAP lets it take the flag). Prints the folder.
set -eu
. "$(dirname "$0")/lib.sh"
export CARGO_TARGET_DIR=$cache/fuzz-target RUSTC_BOOTSTRAP=1
passes="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
passes="$passes -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
export RUSTFLAGS="--cfg fuzzing -Zsanitizer=address -Ccodegen-units=1 $passes"
host=$(rustc -vV | sed -n 's/^host: //p')
(cd "$root/test/fuzz" && cargo build --release --locked --target "$host" >&2) || fail "cargo could not build the fuzz targets"
printf '%s\n' "$CARGO_TARGET_DIR/$host/release"
