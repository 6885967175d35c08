#!/bin/sh
# npm run test:memory [FILE…]: tests of test/nginx with nginx under valgrind's memcheck; without FILE those below, which between them go through
# most of both modules. Ends with 1 when a test fails or a process of nginx has a report that no line of nginx.supp names. Takes an hour.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
command -v valgrind >/dev/null || { echo "wick: valgrind is missing: install the package valgrind" >&2; exit 1; }
WICK_MEMORY_LOGS=$(mktemp -d)
export WICK_MEMORY_LOGS WICK_TEST_NGINX="$here/nginx.sh" WICK_TEST_SLOWDOWN=10
if [ $# -eq 0 ]; then
	for name in wasm/select wasm/requests wasm/request-functions wasm/replaced wasm/outcomes wasm/retries wasm/faults wasm/slots wasm/shared-data \
		ingress/matching ingress/regex ingress/rewrite ingress/headers ingress/overrides ingress/route-variables ingress/tls ingress/fuzz; do
		set -- "$@" "test/nginx/$name.test.ts"
	done
fi
status=0
cd "$root"
build/node node_modules/vitest/vitest.mjs run --maxWorkers=1 "$@" || status=1
reports=$(find "$WICK_MEMORY_LOGS" -name '*.log' -size +0 | wc -l)
echo "wick: $(find "$WICK_MEMORY_LOGS" -name '*.log' | wc -l) processes of nginx under memcheck, $reports with reports" >&2
if [ "$reports" -gt 0 ]; then
	find "$WICK_MEMORY_LOGS" -name '*.log' -size +0 -exec head -n 40 {} +
	exit 1
fi
rm -r "$WICK_MEMORY_LOGS"
exit $status
