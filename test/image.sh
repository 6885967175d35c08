#!/bin/sh
# The tests of test/image, with the image as build/image.sh makes it, in a network of their own. As root. Arguments go to vitest: names of test
# files, for instance; WICK_IMAGE_VARIANT=full has them test the full image.
set -eu
cd "$(dirname "$0")/.."
. build/lib.sh

[ "$(id -u)" = 0 ] || fail "Not root: the image cannot be built"
build/packages.sh runc golang-github-containers-common libcap2-bin
build/apiserver.sh
build/helm.sh
build/image.sh "${WICK_IMAGE_VARIANT:-slim}"
build/network.sh build/node node_modules/vitest/vitest.mjs run --config test/image/vitest.config.ts "$@"
