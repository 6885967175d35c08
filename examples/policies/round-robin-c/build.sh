#!/bin/sh
# policy.c → build/policy.wasm, with clang and lld (Debian: apt-get install clang lld).
set -eu
cd "$(dirname "$0")"
mkdir -p build
clang --target=wasm32 -O2 -Wall -nostdlib -Wl,--no-entry -Wl,--export=wick_attempt -Wl,--strip-all -o build/policy.wasm policy.c
