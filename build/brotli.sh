#!/bin/sh
# nginx's modules for brotli from Debian's packages, unpacked beside nginx. wick runs without them, so it is no fault when they cannot be had.
set -eu
. "$(dirname "$0")/lib.sh"

hash=$(fingerprint build/brotli.sh build/nginx.sh)
modules=$out/nginx/usr/lib/nginx/modules
if fresh brotli "$hash" && [ -f "$modules/ngx_http_brotli_filter_module.so" ]; then exit 0; fi

debs=$(mktemp -d)
# What is unpacked does not bring the library that it needs.
if "$root/build/packages.sh" libbrotli1 && (cd "$debs" && apt-get download libnginx-mod-http-brotli-filter libnginx-mod-http-brotli-static >/dev/null 2>&1); then
	for deb in "$debs"/libnginx-mod-*.deb; do dpkg -x "$deb" "$out/nginx"; done
	finish brotli "$hash"
else
	say "apt-get could not get nginx's modules for brotli and their library: going on without them"
fi
rm -rf "$debs"
