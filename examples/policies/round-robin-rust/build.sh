#!/bin/sh
# src/lib.rs → build/policy.wasm, with cargo (rustup target add wasm32-unknown-unknown).
set -eu
cd "$(dirname "$0")"
cargo build --quiet --release --target wasm32-unknown-unknown --target-dir build/target
cp build/target/wasm32-unknown-unknown/release/round_robin.wasm build/policy.wasm
