#!/bin/sh
# gofmt over the one program in Go; the compiler checks the rest.
set -eu
. "$(dirname "$0")/lib.sh"

command -v gofmt >/dev/null || fail "gofmt is missing: install Go"
different=$(gofmt -l "$root/test/apiserver")
[ -z "$different" ] || fail "Not as gofmt prints it, run 'gofmt -w' on: $different"
