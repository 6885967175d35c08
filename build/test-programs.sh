#!/bin/sh
# What the tests have written in Go: an API server, and Helm. Several kinds of tests begin at the same time and need them: one builds, the others wait.
set -eu
. "$(dirname "$0")/lib.sh"

command -v flock >/dev/null || fail "flock is missing: install util-linux"
mkdir -p "$cache"
exec 9>"$cache/test-programs.lock"
flock 9
"$root/build/apiserver.sh"
"$root/build/helm.sh"
