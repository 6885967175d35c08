#!/bin/sh
# run.sh memcheck|asan [FILE…]: tests of test/nginx with nginx under valgrind's memcheck, or with nginx and our modules compiled with AddressSanitizer;
# without FILE, memcheck takes those below, which between them go through most of both modules, and AddressSanitizer all. Policies are compiled for
# a processor that valgrind does not have (AVX-512), so AddressSanitizer alone sees what calls them. Ends with 1 when a test
# fails or a process of nginx has a report (of memcheck: that no line of nginx.supp names). Each takes an hour.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
way=$1
shift
# What is mounted is seen by the tests alone.
if [ "$way" = asan ] && [ -z "${WICK_MOUNTED:-}" ]; then export WICK_MOUNTED=yes && exec unshare --mount "$here/run.sh" asan "$@"; fi
WICK_MEMORY_LOGS=$(mktemp -d)
chmod 1777 "$WICK_MEMORY_LOGS" # workers are somebody else
export WICK_MEMORY_LOGS
case $way in
memcheck)
	command -v valgrind >/dev/null || { echo "wick: valgrind is missing: install the package valgrind" >&2; exit 1; }
	export WICK_TEST_NGINX="$here/nginx.sh" WICK_TEST_SLOWDOWN=3
	if [ $# -eq 0 ]; then
		for name in wasm/select wasm/requests wasm/request-functions wasm/replaced wasm/outcomes wasm/retries wasm/faults wasm/slots wasm/shared-data \
			ingress/matching ingress/regex ingress/rewrite ingress/headers ingress/overrides ingress/route-variables ingress/tls ingress/fuzz \
			ingress/access ingress/passwords ingress/external-auth ingress/external-auth-cache ingress/limits ingress/one-host ingress/passthrough \
			ingress/client-certificates ingress/cors ingress/mirror ingress/drain ingress/log-line; do
			set -- "$@" "test/nginx/$name.test.ts"
		done
	fi
	;;
asan)
	compiled=$(build/asan.sh)
	export ASAN_OPTIONS="log_path=$WICK_MEMORY_LOGS/report:detect_leaks=0:allocator_may_return_null=1"
	[ $# -gt 0 ] || set -- test/nginx
	# In the place of what the tests start.
	mount --bind "$compiled/nginx" out/nginx/usr/sbin/nginx
	for name in ngx_http_wasm_module ngx_http_ingress_module; do mount --bind "$compiled/$name.so" "out/modules/$name.so"; done
	;;
*) echo "wick: run.sh memcheck|asan [FILE…]" >&2 && exit 1 ;;
esac
names=$(test/support/left-out.sh "test/memory/left-out-$way.txt")
status=0
build/node node_modules/vitest/vitest.mjs run --maxWorkers=1 --testNamePattern="$names" "$@" || status=1
reports=$(find "$WICK_MEMORY_LOGS" -type f -size +0 | wc -l)
echo "wick: $(find "$WICK_MEMORY_LOGS" -type f | wc -l) files of reports, $reports with some" >&2
if [ "$reports" -gt 0 ]; then
	find "$WICK_MEMORY_LOGS" -type f -size +0 -exec head -n 40 {} +
	exit 1
fi
rm -r "$WICK_MEMORY_LOGS"
exit $status
