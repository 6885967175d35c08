#!/bin/sh
# The tests of this folder, in a network of their own. Arguments go to vitest: names of test files, for instance.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/build/test-programs.sh"
"$root/build/gateway-crds.sh"
cd "$root"
exec build/network.sh build/node node_modules/vitest/vitest.mjs run --config test/cluster/vitest.config.ts "$@"
