#!/bin/sh
# Stock nginx with its stream module, and the headers, from Debian's packages, unpacked and not installed: no service starts, no port is taken.
# Leaves out/nginx (the package's tree) and out/nginx-src (headers, configured as the package was).
set -eu
. "$(dirname "$0")/lib.sh"

hash=$(fingerprint build/nginx.sh)
stream=$out/nginx/usr/lib/nginx/modules/ngx_stream_module.so
if fresh nginx "$hash" && [ -x "$out/nginx/usr/sbin/nginx" ] && [ -f "$stream" ] && [ -f "$out/nginx-src/objs/Makefile" ]; then exit 0; fi

# The newest candidate of the pinned version, or of the pinned branch: Debian adds its security fixes behind it.
candidate() {
	apt-cache madison "$1" 2>/dev/null |
		awk -F'|' -v v="$NGINX_VERSION" '{gsub(/ /, "", $2)} index($2, v "-") == 1 || index($2, v ".") == 1 {print $2; exit}'
}

command -v apt-get >/dev/null || fail "This is not a Debian system: nginx $NGINX_VERSION comes from Debian's packages"
version=$(candidate nginx-dev)
if [ -z "$version" ]; then
	[ "$(id -u)" = 0 ] && apt-get update >/dev/null 2>&1 || true
	version=$(candidate nginx-dev)
fi
[ -n "$version" ] || fail "Debian's lists have no nginx $NGINX_VERSION: run 'apt-get update', or use the Debian release that has it"

say "unpacking nginx $version (about 10 s)"
rm -rf "$out/nginx" "$out/nginx-src"
mkdir -p "$out/nginx"
debs=$(mktemp -d)
(cd "$debs" && apt-get download "nginx=$version" "nginx-common=$version" "nginx-dev=$version" "libnginx-mod-stream=$version" >/dev/null 2>&1) ||
	fail "apt-get could not download nginx $version: run 'apt-get update' and try again"
for deb in "$debs"/*.deb; do dpkg -x "$deb" "$out/nginx"; done
rm -rf "$debs"

cp -r "$out/nginx/usr/share/nginx/src" "$out/nginx-src"
# stream is named so that its headers are on bindgen's path; the module signature stays that of the package.
(cd "$out/nginx-src" && bash -c '. ./conf_flags && ./configure "${NGX_CONF_FLAGS[@]}" --with-stream=dynamic' >configure.log 2>&1) ||
	{ tail -n 20 "$out/nginx-src/configure.log" >&2; fail "nginx's configure failed: see the lines above"; }
finish nginx "$hash"
