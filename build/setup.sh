#!/bin/sh
# Makes a fresh clone ready to run and to test. Each step checks its inputs and does nothing when they have not changed.
# Two rows of steps go side by side, since both wait for the network and the disk: Node with the filter that it compiles, and nginx with its
# headers. The modules come last: they need the headers and all cores, and a failure of what is quick is told before minutes have passed.
set -eu
. "$(dirname "$0")/lib.sh"
begun=$(date +%s)
# When a step has failed, nothing of this runs on behind the prompt.
trap wait EXIT

{
	"$root/build/node-modules.sh"
	"$root/build/balancer.sh"
} &
node=$!
"$root/build/packages.sh"
"$root/build/nginx.sh"
"$root/build/brotli.sh"
"$root/build/modsecurity.sh"
wait $node
"$root/build/modules.sh"
[ $(($(date +%s) - begun)) -lt 5 ] || say "set up in $(elapsed $begun)"
