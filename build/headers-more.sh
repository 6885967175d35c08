#!/bin/sh
# nginx's module for more_set_headers and its like from Debian's package, unpacked beside nginx: for tests only, which hold wick against a stock nginx
# that has the snippets of Ingresses as text.
set -eu
. "$(dirname "$0")/lib.sh"

command -v flock >/dev/null || fail "flock is missing: install util-linux"
mkdir -p "$out/stamps"
# Several files of tests begin at the same time and need it: one fetches, the others wait.
exec 9>"$out/stamps/headers-more.lock"
flock 9

hash=$(fingerprint build/headers-more.sh build/nginx.sh)
module=$out/nginx/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so
if fresh headers-more "$hash" && [ -f "$module" ]; then exit 0; fi

command -v apt-get >/dev/null || fail "This is not a Debian system: put ngx_http_headers_more_filter_module.so into ${module%/*}"
debs=$(mktemp -d)
trap 'rm -rf "$debs"' EXIT
download() { (cd "$debs" && apt-get download libnginx-mod-http-headers-more-filter >/dev/null 2>&1); }
download || { apt-get update >/dev/null 2>&1 && download; } ||
	fail "apt-get could not download libnginx-mod-http-headers-more-filter: run 'apt-get update' and try again"
dpkg -x "$debs"/libnginx-mod-http-headers-more-filter_*.deb "$out/nginx"
finish headers-more "$hash"
