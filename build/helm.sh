#!/bin/sh
# test/helm → out/helm and out/helm-unittest, for the tests of the chart only. Built once for each state of its sources; the result outlives the checkout.
set -eu
. "$(dirname "$0")/lib.sh"
. "$root/build/go-build.sh"

hash=$(fingerprint test/helm build/helm.sh build/go-build.sh)
if fresh helm "$hash" && [ -x "$out/helm" ]; then exit 0; fi

kept=$cache/helm/$hash
if [ ! -d "$kept" ]; then
	wanted=$(sed -n 's/^go //p' "$root/test/helm/go.mod")
	command -v go >/dev/null || fail "go is missing: install Go $wanted or newer (the tests of the chart build Helm with it)"
	say "compiling Helm for the tests of the chart (about 3 minutes the first time on two cores, seconds afterwards)"
	mkdir -p "$kept.$$"
	unittest=$(sed -n 's/^tool //p' "$root/test/helm/go.mod")
	(cd "$root/test/helm" && go_build -ldflags="-s -w" -o "$kept.$$/" . "$unittest" >&2) ||
		fail "go could not build Helm: see the lines above"
	mv "$kept.$$" "$kept"
	# Those of other states, unless a checkout has used them lately.
	find "$cache/helm" -mindepth 1 -maxdepth 1 ! -path "$kept" -mtime +14 -exec rm -rf {} +
fi
touch "$kept"
for program in helm helm-unittest; do ln -sf "$kept/$program" "$out/$program"; done
finish helm "$hash"
