#!/bin/sh
# Prometheus and promtool from Debian's package → out/prometheus, for the tests of dashboards and alerts only: unpacked and not installed, so that no
# service starts. The result outlives the checkout.
set -eu
. "$(dirname "$0")/lib.sh"

command -v flock >/dev/null || fail "flock is missing: install util-linux"
mkdir -p "$cache" "$out"
# Several files of tests begin at the same time and need it: one fetches, the others wait.
exec 9>"$cache/prometheus.lock"
flock 9

hash=$(fingerprint build/prometheus.sh)
if fresh prometheus "$hash" && [ -x "$out/prometheus/promtool" ]; then exit 0; fi

kept=$cache/prometheus/$(dpkg --print-architecture)
if [ ! -x "$kept/promtool" ]; then
	command -v apt-get >/dev/null || fail "This is not a Debian system: put prometheus and promtool into $kept"
	say "unpacking Prometheus (about 10 s)"
	debs=$(mktemp -d)
	download() { (cd "$debs" && apt-get download prometheus >/dev/null 2>&1); }
	download || { apt-get update >/dev/null 2>&1 && download; } ||
		fail "apt-get could not download prometheus: run 'apt-get update' and try again"
	dpkg -x "$debs"/prometheus_*.deb "$debs/tree"
	mkdir -p "$kept"
	mv "$debs/tree/usr/bin/prometheus" "$debs/tree/usr/bin/promtool" "$kept/"
	rm -rf "$debs"
fi
ln -sfn "$kept" "$out/prometheus"
finish prometheus "$hash"
