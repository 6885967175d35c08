#!/bin/sh
# The tests of test/image, with the image as build/image.sh makes it, in a network of their own. Arguments go to vitest: names of test files, for
# instance. Without any, nothing runs when nothing that the image is made of has changed since all passed.
set -eu
cd "$(dirname "$0")/.."
. build/lib.sh

hash=$(fingerprint Dockerfile .dockerignore balancer-as policy-as build controller launcher nginx test/image test/support test/cluster/support test/apiserver deploy/static/rbac.yaml package-lock.json)
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
build/image.sh slim
build/network.sh build/node node_modules/vitest/vitest.mjs run --config test/image/vitest.config.ts "$@"
[ -z "$hash" ] || printf '%s\n' "$hash" >"$passed"
