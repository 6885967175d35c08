#!/bin/sh
# nginx's module headers-more from Debian's package, unpacked beside nginx: tests hold what wick does with headers against it.
set -eu
. "$(dirname "$0")/lib.sh"

hash=$(fingerprint build/headers-more.sh build/nginx.sh)
module=$out/nginx/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so
is_fresh() { fresh headers-more "$hash" && [ -f "$module" ]; }
if is_fresh; then exit 0; fi

# Files of tests begin side by side: one fetches it, the others wait.
mkdir -p "$out/stamps"
exec 9>"$out/stamps/headers-more.lock"
flock 9
if is_fresh; then exit 0; fi

debs=$(mktemp -d)
trap 'rm -rf "$debs"' EXIT
(cd "$debs" && apt-get download libnginx-mod-http-headers-more-filter >/dev/null 2>&1) ||
	fail "apt-get could not download libnginx-mod-http-headers-more-filter: run 'apt-get update' and try again"
dpkg -x "$debs"/*.deb "$out/nginx"
finish headers-more "$hash"
