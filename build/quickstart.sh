#!/bin/sh
# quickstart.sh: does what README.md says under "Install it in a cluster", with wick's image, a real API server and a node that test/kubelet plays.
# As root, as build/image.sh is. WICK_QUICKSTART_IMAGE=checkout runs the checkout in the place of the image, which need not be built then.
set -eu
. "$(dirname "$0")/lib.sh"

export WICK_QUICKSTART_IMAGE="${WICK_QUICKSTART_IMAGE:-built}"
if [ "$WICK_QUICKSTART_IMAGE" = built ]; then
	"$root/build/packages.sh" runc golang-github-containers-common
	"$root/build/image.sh" slim
fi
exec "$root/test/cluster/run.sh" test/cluster/quickstart.test.ts
