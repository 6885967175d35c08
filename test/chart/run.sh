#!/bin/sh
# The tests of the Helm chart. Arguments go to vitest: names of test files, for instance.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/build/test-programs.sh"
cd "$root"
exec build/node node_modules/vitest/vitest.mjs run --config test/chart/vitest.config.ts "$@"
