#!/bin/sh
# npm run test:loom: the rows of the store's slots under loom, in every order of two processes with at most three switches between them.
set -eu
. "$(dirname "$0")/lib.sh"
export CARGO_TARGET_DIR=$cache/loom-target RUSTFLAGS="--cfg loom" LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"
cd "$root/nginx"
cargo test --locked --release --package wick-kv --lib
