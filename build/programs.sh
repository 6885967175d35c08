#!/bin/sh
# Programs from Debian's packages that speak TCP and UDP, with their clients → out/programs, for the tests of streams only: unpacked and not installed, so
# that no service starts. The result outlives the checkout.
set -eu
. "$(dirname "$0")/lib.sh"

command -v flock >/dev/null || fail "flock is missing: install util-linux"
mkdir -p "$cache" "$out"
# Several files of tests begin at the same time and need it: one fetches, the others wait.
exec 9>"$cache/programs.lock"
flock 9

hash=$(fingerprint build/programs.sh)
if fresh programs "$hash" && [ -d "$out/programs/usr" ]; then exit 0; fi

kept=$cache/programs/$(release)-$(dpkg --print-architecture)-$hash
if [ ! -d "$kept" ]; then
	command -v apt-get >/dev/null || fail "This is not a Debian system: WICK_TEST_ALL=1 needs Debian's packages of PostgreSQL, Redis and others"
	say "unpacking PostgreSQL, Redis, Mosquitto and others (about 30 s)"
	debs=$(mktemp -d)
	mkdir -p "$debs/partial"
	packages="redis-server redis-tools mosquitto mosquitto-clients dnsmasq-base bind9-dnsutils rsyslog openssh-server openssh-client haproxy python3-aiosmtpd"
	# What they depend on comes along, unless the machine has it.
	download() {
		version=$(apt-cache depends postgresql | sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p')
		[ -n "$version" ] && apt-get install -y --download-only --reinstall --no-install-recommends -o Debug::NoLocking=1 \
			-o Dir::Cache::archives="$debs" "postgresql-$version" "postgresql-client-$version" $packages >"$debs/log" 2>&1
	}
	download || { apt-get update >/dev/null 2>&1 && download; } || {
		tail -n 20 "$debs/log" >&2
		fail "apt-get could not download the programs: see the lines above"
	}
	for deb in "$debs"/*.deb; do
		case ${deb##*/} in fonts-* | sphinx-* | tzdata_*) ;; *) dpkg -x "$deb" "$debs/tree" ;; esac
	done
	rm -rf "$debs/tree/usr/share/doc" "$debs/tree/usr/share/locale" "$debs/tree/usr/share/man"
	chmod 755 "$debs/tree"
	mkdir -p "$cache/programs"
	mv "$debs/tree" "$kept"
	rm -rf "$debs"
fi
ln -sfn "$kept" "$out/programs"
finish programs "$hash"
