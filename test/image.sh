#!/bin/sh
# The tests of test/image, with the image as build/image.sh makes it, in a network of their own. Arguments go to vitest: names of test files, for
# instance; WICK_IMAGE_VARIANT=full has them test the full image. Without any, nothing runs when nothing that the image is made of has changed since all passed.
set -eu
cd "$(dirname "$0")/.."
. build/lib.sh

hash=$(fingerprint Dockerfile .dockerignore balancer-as policy-as build controller launcher nginx test/image test/support test/kubelet test/cluster/support test/chart/support test/apiserver test/helm deploy package-lock.json)
passed=$cache/image/passed
case ${1:-} in
"" | --reporter*)
	if [ "${WICK_TEST_IMAGE:-}" != all ] && [ "$(cat "$passed" 2>/dev/null)" = "$hash" ]; then
		say "The image passed already, and nothing has changed"
		exit 0
	fi
	;;
*) hash= ;;
esac

[ "$(id -u)" = 0 ] || { say "Not root: the image is not tested"; exit 0; }
build/packages.sh runc golang-github-containers-common libcap2-bin
build/apiserver.sh
build/helm.sh
build/image.sh "${WICK_IMAGE_VARIANT:-slim}"
build/network.sh build/node node_modules/vitest/vitest.mjs run --config test/image/vitest.config.ts "$@"
[ -z "$hash" ] || printf '%s\n' "$hash" >"$passed"
