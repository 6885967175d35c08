#!/bin/sh
# npm ci; it brings the pinned Node as well, which build/node runs.
set -eu
. "$(dirname "$0")/lib.sh"

hash=$(fingerprint package.json package-lock.json build/node-modules.sh)
if ! fresh node-modules "$hash" || [ ! -d "$root/node_modules" ]; then
	command -v npm >/dev/null || fail "npm is missing: install Node.js with npm (any version from 20 on; the pinned one comes by npm ci)"
	say "npm ci (about 20 s)"
	(cd "$root" && npm ci --no-audit --no-fund --loglevel=error >&2) || fail "npm ci failed: see the lines above"
	finish node-modules "$hash"
fi
[ "$("$root/build/node" --version)" = "v$NODE_VERSION" ] || fail "Node $NODE_VERSION did not come with npm ci: this kind of processor ($(uname -m)) has no npm package of it; add one to package.json's optionalDependencies"
