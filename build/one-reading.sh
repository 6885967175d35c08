#!/bin/sh
# What test/one-reading asks besides nginx and Node: HAProxy from Debian's package, and a server in Go → cache.
set -eu
. "$(dirname "$0")/lib.sh"

command -v flock >/dev/null || fail "flock is missing: install util-linux"
command -v python3 >/dev/null || fail "python3 is missing: install it"
command -v go >/dev/null || fail "Go is missing: install it"
mkdir -p "$cache" "$out"
exec 9>"$cache/one-reading.lock"
flock 9
command -v haproxy >/dev/null || "$root/build/packages.sh" haproxy

hash=$(fingerprint test/one-reading/backends build/one-reading.sh)
if fresh one-reading "$hash" && [ -x "$out/one-reading-backend" ]; then exit 0; fi
(cd "$root/test/one-reading/backends" && GOFLAGS=-mod=mod go build -o "$out/one-reading-backend" .) || fail "go could not build test/one-reading/backends"
finish one-reading "$hash"
