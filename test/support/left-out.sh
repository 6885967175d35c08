#!/bin/sh
# left-out.sh FILE: prints the pattern for vitest's --testNamePattern that leaves out the tests which FILE names, a line each; lines with # say why.
set -eu
printf '^(?!.*(%s))\n' "$(grep -v '^#' "$1" | sed 's/[][().*+?^$|\\]/\\&/g' | paste -s -d '|')"
