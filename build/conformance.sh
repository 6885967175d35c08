#!/bin/sh
# The Gateway API project's conformance tests, and the server that they send requests to → out/conformance-tests, out/echo-basic. Both are built as the
# project has them (test/conformance/suite, test/conformance/echo), once for each state of what pins them; the result outlives the checkout.
set -eu
. "$(dirname "$0")/lib.sh"
. "$root/build/go-build.sh"

command -v flock >/dev/null || fail "flock is missing: install util-linux"
mkdir -p "$cache" "$out"
exec 9>"$cache/conformance.lock"
flock 9

hash=$(fingerprint test/conformance/suite test/conformance/echo build/conformance.sh build/go-build.sh)
if fresh conformance "$hash" && [ -x "$out/conformance-tests" ] && [ -x "$out/echo-basic" ]; then exit 0; fi

kept=$cache/conformance/$hash
if [ ! -d "$kept" ]; then
	command -v go >/dev/null || fail "go is missing: install it (it builds the conformance tests of the Gateway API)"
	say "compiling the conformance tests of the Gateway API (about 2 minutes the first time on two cores, seconds afterwards)"
	mkdir -p "$kept.$$"
	# The Go that the tests are for, which the one that is here brings.
	GOTOOLCHAIN=$(sed -n 's/^toolchain //p' "$root/test/conformance/suite/go.mod")
	export GOTOOLCHAIN
	(cd "$root/test/conformance/suite" && go_compile test -c -ldflags='-s -w' -o "$kept.$$/conformance-tests" . >&2) ||
		fail "go could not build the conformance tests: see the lines above"
	(cd "$root/test/conformance/echo" && go_compile build -ldflags='-s -w' -o "$kept.$$/" "$(sed -n 's/^tool //p' go.mod)" >&2) ||
		fail "go could not build the server of the conformance tests: see the lines above"
	mv "$kept.$$" "$kept"
	# Those of other states, unless a checkout has used them lately.
	find "$cache/conformance" -mindepth 1 -maxdepth 1 ! -path "$kept" -mtime +14 -exec rm -rf {} +
fi
touch "$kept"
for program in conformance-tests echo-basic; do ln -sf "$kept/$program" "$out/$program"; done
finish conformance "$hash"
