#!/bin/sh
# npm run test:arm64 [FILE…]: both modules for arm64 processors (build/arm64.sh): clippy, the tests of the crates without nginx, and test/nginx
# with nginx, modules and filters under qemu's emulator; with FILE only that of test/nginx. What says nothing there is in left-out.txt. Loads and
# stores keep this machine's order: code that is wrong for the processor is found, orders that only arm64 allows are not (build/loom.sh).
set -eu
cd "$(dirname "$0")/../.."
build/arm64.sh build/modules.sh
if [ $# -eq 0 ]; then
	build/arm64.sh build/rust-lint.sh
	build/arm64.sh sh -c 'cd nginx && cargo test --target-dir "$WICK_CACHE/target" \
		--locked --workspace --exclude wick-native --exclude wick-wasm --exclude wick-ingress'
	set -- test/nginx
fi
# Tests wait longer for what is sure to happen, and filters have a longer deadline where the tests write the configuration.
export WICK_TEST_SLOWDOWN=3
exec build/arm64.sh build/node node_modules/vitest/vitest.mjs run --testNamePattern="$(test/support/left-out.sh test/arm64/left-out.txt)" "$@"
