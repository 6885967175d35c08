#!/bin/sh
# gofmt over the programs in Go; the compiler checks the rest.
set -eu
. "$(dirname "$0")/lib.sh"

command -v gofmt >/dev/null || fail "gofmt is missing: install Go"
different=$(gofmt -l "$root/test/apiserver" "$root/test/conformance" "$root/test/helm" "$root/test/one-reading")
[ -z "$different" ] || fail "Not as gofmt prints it, run 'gofmt -w' on: $different"
