#!/bin/sh
# Chromium from Debian and a font, for the tests of the page only (test/ui): building alone needs neither.
set -eu
. "$(dirname "$0")/lib.sh"

command -v flock >/dev/null || fail "flock is missing: install util-linux"
mkdir -p "$cache"
# Several files of tests begin at the same time and need it: one installs, the others wait.
exec 9>"$cache/chromium.lock"
flock 9
exec "$root/build/packages.sh" chromium fonts-liberation
