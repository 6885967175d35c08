#!/bin/sh
# network.sh COMMAND...: runs it in a network namespace of its own, in which every address of 10.244.0.0/16 is this machine's, as if pods
# ran here. API servers take no loopback addresses in EndpointSlices. Takes its place in the process, so that signals reach it.
set -eu
. "$(dirname "$0")/lib.sh"

command -v unshare >/dev/null || fail "unshare is missing: install util-linux"
command -v ip >/dev/null || fail "ip is missing: install iproute2"
# Not root: the network belongs to a user namespace in which this user is nobody else, but may set it up.
options=--net
[ "$(id -u)" = 0 ] || options="--net --user --map-current-user --keep-caps"
unshare $options true 2>/dev/null ||
	fail "The kernel lets this user make no network namespace: run this as root, or allow it (sysctl kernel.unprivileged_userns_clone=1)"
exec unshare $options sh -ec 'ip link set lo up; ip route add local 10.244.0.0/16 dev lo; exec "$@"' network "$@"
