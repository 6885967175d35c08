#!/bin/sh
# versions.sh [CODENAME...]: test/nginx and the golden configurations with each nginx of build/versions.env, or with those of the releases that are
# named: on this machine for its own release, else in a root of that release. A release is left out when nothing that it is about changed since
# it passed; WICK_TEST_VERSIONS=all leaves none out.
set -eu
cd "$(dirname "$0")/.."
. build/lib.sh

# run CODENAME COMMAND...
run() {
	codename=$1
	shift
	if [ "$codename" = "$(release)" ]; then "$@"; else build/debian.sh "$codename" "$@"; fi
}

[ $# -gt 0 ] || set -- $(for pair in $NGINX_VERSIONS; do echo "${pair%%:*}"; done)
hash=$(fingerprint nginx balancer-as policy-as build cli controller harness ui wire test package.json package-lock.json)
failed=
for codename in "$@"; do
	passed=$cache/debian/$codename.passed
	if [ "${WICK_TEST_VERSIONS:-}" != all ] && [ "$(cat "$passed" 2>/dev/null)" = "$hash" ]; then
		say "nginx $(nginx_of "$codename") on Debian $codename passed already, and nothing has changed"
		continue
	fi
	say "nginx $(nginx_of "$codename") on Debian $codename"
	if run "$codename" sh -c 'build/packages.sh && build/nginx.sh && build/brotli.sh && build/modsecurity.sh && build/modules.sh &&
		exec build/node node_modules/vitest/vitest.mjs run test/nginx test/golden.test.ts'; then
		mkdir -p "$cache/debian"
		printf '%s\n' "$hash" >"$passed"
	else
		failed="$failed $codename"
	fi
done
[ -z "$failed" ] || fail "Tests failed on$failed"
