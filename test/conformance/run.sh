#!/bin/sh
# Those of the conformance tests that `npm test` has, in a network of their own: wick has port 80 there. Arguments go to vitest.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/build/test-programs.sh"
"$root/build/gateway-crds.sh"
"$root/build/conformance.sh"
cd "$root"
exec build/network.sh build/node node_modules/vitest/vitest.mjs run --config test/conformance/vitest.config.ts "$@"
