#!/bin/sh
# debian.sh CODENAME COMMAND...: runs COMMAND on this checkout as on a machine of that Debian release: in a root of its own (debootstrap), which
# stays in the cache with what was built there. The checkout is the same, out/ is not: headers, modules and nginx are those of the release.
set -eu
. "$(dirname "$0")/lib.sh"

codename=$1
shift
[ -n "$(nginx_of "$codename")" ] || fail "'$codename' is not among the releases of build/versions.env: $NGINX_VERSIONS"
[ "$(id -u)" = 0 ] || fail "Not root, so no other root can be entered: run this as root"
place=$cache/debian/$codename

# Beside what build/packages.sh installs: what tests call, and what nginx's configuration for Debian asks.
packages=ca-certificates,curl,dpkg-dev,openssl,procps

if [ ! -f "$place/ready" ]; then
	command -v debootstrap >/dev/null || fail "debootstrap is missing: run 'apt-get install debootstrap'"
	say "making a root of Debian $codename (about 2 minutes)"
	rm -rf "$place/root"
	mkdir -p "$place"
	# A release that is newer than debootstrap itself is made like unstable, as all are.
	script=/usr/share/debootstrap/scripts/$codename
	[ -f "$script" ] || script=/usr/share/debootstrap/scripts/sid
	debootstrap --variant=minbase --include="$packages" "$codename" "$place/root" "$(mirror)" "$script" >"$place/debootstrap.log" 2>&1 ||
		{ tail -n 5 "$place/debootstrap.log" >&2; fail "debootstrap failed: see the lines above"; }
	# A mirror of testing that stands still is old, not forged: what it has is signed.
	echo 'Acquire::Check-Valid-Until "false";' >"$place/root/etc/apt/apt.conf.d/90-valid-until"
	# As images have them.
	echo "deb http://deb.debian.org/debian-security $codename-security main" >>"$place/root/etc/apt/sources.list"
	cp -L /etc/resolv.conf "$place/root/etc/"
	chroot "$place/root" apt-get update >>"$place/debootstrap.log" 2>&1 || fail "apt-get failed: see $place/debootstrap.log"
	touch "$place/ready"
fi

# What does not depend on the release is taken over; the rest is built there, at the same paths.
"$root/build/node-modules.sh"
"$root/build/balancer.sh"
mkdir -p "$place/cache"
take_over "$place/out"

export WICK_ROOT="$place/root" WICK_PLACE="$place" WICK_CHECKOUT="$root"
# There is no git in the root, nor the repository.
export WICK_COMMIT="$(git -C "$root" rev-parse --short HEAD 2>/dev/null || true)"
export WICK_SHARED="${WICK_SHARED:-$root/../shared}"
exec unshare --mount --propagation private -- sh -eu -c '
	bind() { mkdir -p "$WICK_ROOT$2" && mount --rbind "$1" "$WICK_ROOT$2"; }
	for folder in /proc /sys /dev; do bind "$folder" "$folder"; done
	bind "$WICK_CHECKOUT" "$WICK_CHECKOUT"
	bind "$WICK_PLACE/out" "$WICK_CHECKOUT/out"
	bind "$WICK_PLACE/cache" /var/cache/wick
	[ ! -d "$WICK_SHARED" ] || bind "$WICK_SHARED" "$WICK_SHARED"
	cargo=${CARGO_HOME:-$HOME/.cargo} rustup=${RUSTUP_HOME:-$HOME/.rustup}
	bind "$cargo" "$cargo"
	bind "$rustup" "$rustup"
	cp -L /etc/resolv.conf /etc/hosts "$WICK_ROOT/etc/"
	export WICK_CACHE=/var/cache/wick CARGO_HOME="$cargo" RUSTUP_HOME="$rustup" TMPDIR=/tmp
	export PATH="$cargo/bin":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
	exec chroot "$WICK_ROOT" sh -c "cd \"\$WICK_CHECKOUT\" && exec \"\$@\"" sh "$@"
' sh "$@"
