#!/bin/sh
# balancer-as/ with policy-as/assembly/lib → out/balancer.wasm (release).
set -eu
. "$(dirname "$0")/lib.sh"

hash=$(fingerprint balancer-as policy-as/assembly/lib build/balancer.sh package-lock.json)
if fresh balancer "$hash" && [ -f "$out/balancer.wasm" ]; then exit 0; fi
# By rename: an nginx that starts meanwhile must not meet half a file.
(cd "$root/balancer-as" && "$root/build/node" ../node_modules/assemblyscript/bin/asc.js assembly/index.ts \
	--config asconfig.json --target release --outFile "$out/balancer.new.wasm") || fail "asc could not compile the balancer: see the lines above"
mv "$out/balancer.new.wasm" "$out/balancer.wasm"
finish balancer "$hash"
