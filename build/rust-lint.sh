#!/bin/sh
# rustfmt and clippy over the workspace; a warning is an error.
set -eu
. "$(dirname "$0")/lib.sh"
. "$root/build/cargo-env.sh"
cd "$root/nginx"
cargo fmt --all --check
# native's build script says what clippy shall refuse: bindgen's functions for bit fields.
built=$(cargo check --locked --package wick-native --message-format=json 2>/dev/null || true)
CLIPPY_CONF_DIR=$(printf '%s\n' "$built" | sed -n 's|.*"reason":"build-script-executed".*#wick-native@.*"out_dir":"\([^"]*\)".*|\1|p')
[ -n "$CLIPPY_CONF_DIR" ] || fail "wick-native does not build: run 'npm run setup'"
export CLIPPY_CONF_DIR
cargo clippy --workspace --all-targets --locked -- -D warnings
# Workspaces of their own, which the other one's build does not wait for. Fuzzing is for the machine's own processor (build/arm64.sh).
[ -n "${CARGO_BUILD_TARGET:-}" ] || fuzz=test/fuzz
for folder in ${fuzz:-} launcher; do
	cd "$root/$folder"
	cargo fmt --check
	cargo clippy --all-targets --locked --target-dir "$CARGO_TARGET_DIR/fuzz-lint" -- -D warnings
done
