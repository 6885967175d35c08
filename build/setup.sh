#!/bin/sh
# Makes a fresh clone ready to run and to test. Each step checks its inputs and does nothing when they have not changed.
set -eu
here=$(dirname "$0")
"$here/packages.sh"
"$here/node-modules.sh"
"$here/nginx.sh"
"$here/brotli.sh"
"$here/balancer.sh"
"$here/modules.sh"
