#!/bin/sh
# The conformance tests of the Gateway API, in a network of their own. Arguments: names of its tests, and flags that it knows.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/build/test-programs.sh"
"$root/build/gateway-crds.sh"
"$root/build/conformance.sh"
cd "$root"
exec build/network.sh build/node test/conformance/whole.ts "$@"
