#!/bin/sh
# test/apiserver → out/apiserver: kube-apiserver and etcd, for the tests only. Built once for each state of its sources; the result outlives the checkout.
set -eu
. "$(dirname "$0")/lib.sh"
. "$root/build/go-build.sh"

hash=$(fingerprint test/apiserver build/apiserver.sh build/go-build.sh)
if fresh apiserver "$hash" && [ -x "$out/apiserver" ]; then exit 0; fi

kept=$cache/apiserver/$hash
if [ ! -x "$kept" ]; then
	wanted=$(sed -n 's/^go //p' "$root/test/apiserver/go.mod")
	command -v go >/dev/null || fail "go is missing: install Go $wanted or newer (the tests build their API server with it)"
	say "compiling kube-apiserver and etcd for the tests (about 6 minutes and 3 GB the first time on two cores, seconds afterwards)"
	mkdir -p "$cache/apiserver"
	# The linker puts the version in that the API server tells.
	kubernetes=$(sed -n 's/^\tk8s.io\/kubernetes //p' "$root/test/apiserver/go.mod")
	(cd "$root/test/apiserver" && go_build -ldflags="-s -w -X k8s.io/component-base/version.gitVersion=$kubernetes" -o "$kept.$$" . >&2) ||
		fail "go could not build the API server: see the lines above"
	mv "$kept.$$" "$kept"
	# Those of other states, unless a checkout has used them lately.
	find "$cache/apiserver" -type f ! -path "$kept" -mtime +14 -delete
fi
touch "$kept"
ln -sf "$kept" "$out/apiserver"
finish apiserver "$hash"
