#!/bin/sh
# packages.sh [PACKAGE...]: installs Debian packages; without arguments those that the build needs: compilers' headers and libclang (bindgen reads
# nginx's headers with it), those that compile the example of a policy in C, and those that tests make a network with.
set -eu
. "$(dirname "$0")/lib.sh"

packages=${*:-dpkg-dev gcc make clang lld libclang-dev libpcre2-dev libssl-dev zlib1g-dev iproute2 nftables util-linux}
missing=
for package in $packages; do
	dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null || fail "This is not a Debian system: install the equivalents of$missing"
[ "$(id -u)" = 0 ] || fail "Not root, so packages cannot be installed: run 'apt-get install$missing' as root, then try again"
say "installing$missing (about a minute)"
log=$(mktemp)
{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1 ||
	{ tail -n 20 "$log" >&2; fail "apt-get could not install$missing: see the lines above"; }
rm -f "$log"
