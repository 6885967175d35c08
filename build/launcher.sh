#!/bin/sh
# launcher/ → out/launcher: the image's programs.
set -eu
. "$(dirname "$0")/lib.sh"

hash=$(fingerprint launcher build/launcher.sh)
if fresh launcher "$hash" && [ -x "$out/launcher" ]; then exit 0; fi

(cd "$root/launcher" && cargo build --quiet --release --locked --target-dir "$cache/launcher-target") || fail "cargo could not build the launcher: see the lines above"
mkdir -p "$out"
install -m 755 "$cache/launcher-target/release/wick-launcher" "$out/launcher"
finish launcher "$hash"
