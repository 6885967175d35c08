#!/bin/sh
# nginx's module for ModSecurity from Debian's package, unpacked beside nginx: for tests and benchmarks only, which hold wick's own against it.
set -eu
. "$(dirname "$0")/lib.sh"

command -v flock >/dev/null || fail "flock is missing: install util-linux"
mkdir -p "$out/stamps"
# Several files of tests begin at the same time and need it: one fetches, the others wait.
exec 9>"$out/stamps/modsecurity-connector.lock"
flock 9

hash=$(fingerprint build/modsecurity-connector.sh build/nginx.sh)
module=$out/nginx/usr/lib/nginx/modules/ngx_http_modsecurity_module.so
if fresh modsecurity-connector "$hash" && [ -f "$module" ]; then exit 0; fi

command -v apt-get >/dev/null || fail "This is not a Debian system: put ngx_http_modsecurity_module.so into ${module%/*}"
debs=$(mktemp -d)
trap 'rm -rf "$debs"' EXIT
download() { (cd "$debs" && apt-get download libnginx-mod-http-modsecurity >/dev/null 2>&1); }
download || { apt-get update >/dev/null 2>&1 && download; } ||
	fail "apt-get could not download libnginx-mod-http-modsecurity: run 'apt-get update' and try again"
dpkg -x "$debs"/libnginx-mod-http-modsecurity_*.deb "$debs/tree"
cp "$debs/tree/usr/lib/nginx/modules/ngx_http_modsecurity_module.so" "$module"
finish modsecurity-connector "$hash"
