#!/bin/sh
# test-modules.sh nginx/ingress/examples/NAME.rs → out/test-modules/NAME.so: an nginx module that only tests load.
set -eu
. "$(dirname "$0")/lib.sh"

name=$(basename "$1" .rs)
hash=$(fingerprint nginx build/test-modules.sh build/nginx.sh)
is_fresh() { fresh "$name" "$hash" && [ -f "$out/test-modules/$name.so" ]; }
if is_fresh; then exit 0; fi

# Files of tests begin side by side: one compiles, the others wait.
mkdir -p "$out/test-modules"
exec 9>"$out/test-modules/$name.lock"
flock 9
if is_fresh; then exit 0; fi

command -v cargo >/dev/null || fail "cargo is missing, which compiles the modules of the tests: install Rust $RUST_VERSION or newer"
. "$root/build/cargo-env.sh"
# With wick-wasm, of which nothing is wanted: alone, this one's dependencies have other features than in build/modules.sh, and all of them, headers of
# nginx included, would be compiled once more.
(cd "$root/nginx" && "$root/build/cargo-progress.sh" build --release --locked --package wick-wasm --package wick-ingress --example "$name") ||
	fail "cargo could not build the modules of the tests: see the lines above"
install -m 644 "$CARGO_TARGET_DIR/${CARGO_BUILD_TARGET:-}/release/examples/lib$name.so" "$out/test-modules/$name.so.new"
mv "$out/test-modules/$name.so.new" "$out/test-modules/$name.so"
finish "$name" "$hash"
