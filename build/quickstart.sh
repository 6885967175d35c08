#!/bin/sh
# quickstart.sh: does what README.md says under "Install it in a cluster", with wick's image, a real API server and a node that test/kubelet plays.
# As root, as build/image.sh is. WICK_QUICKSTART_IMAGE=checkout runs the checkout in the place of the image, which need not be built then.
set -eu
. "$(dirname "$0")/lib.sh"

[ "${WICK_QUICKSTART_IMAGE:-built}" = checkout ] || exec "$root/test/image.sh" test/image/quickstart.test.ts
exec "$root/test/cluster/run.sh" test/cluster/quickstart.test.ts
