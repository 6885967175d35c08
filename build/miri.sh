#!/bin/sh
# npm run test:miri: the tests of the crates without nginx under Miri, which notices what is undefined: aliases, races, bytes that were never
# written. Needs a nightly Rust with its components miri and rust-src.
set -eu
. "$(dirname "$0")/lib.sh"
cargo +nightly miri --version >/dev/null 2>&1 || fail "Miri is missing: run 'rustup toolchain install nightly --component miri,rust-src'"
export CARGO_TARGET_DIR=$cache/miri-target
# Fixtures are files; the time and random numbers may be the machine's. What processors reorder is loom's (loom.sh): Miri's own model of it
# breaks down over memory that is written as bytes and as atomics.
export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-disable-weak-memory-emulation ${MIRIFLAGS:-}"
export PROPTEST_CASES=5
cd "$root/nginx"
cargo +nightly miri test --locked --package wick-kv --lib
cargo +nightly miri test --locked --package wick-wire --package wick-abi --package wick-streams --package wick-tls --package wick-hosts --package wick-routes
