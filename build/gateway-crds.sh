#!/bin/sh
# The CustomResourceDefinitions of the Gateway API, standard channel → out/gateway-crds: what `wick convert` prints is applied to them. They come as part of
# a Go module, checked by its sum; nothing of it is compiled.
set -eu
. "$(dirname "$0")/lib.sh"

hash=$(fingerprint build/gateway-crds.sh)
if fresh gateway-crds "$hash" && [ -d "$out/gateway-crds" ]; then exit 0; fi

command -v go >/dev/null || fail "go is missing: install it (it fetches the Gateway API's definitions)"
# It may be for a newer Go than the one that is here, which says so and brings it all the same.
downloaded=$(cd / && go mod download -json "sigs.k8s.io/gateway-api@$GATEWAY_API_VERSION") || true
case $downloaded in
*"\"$GATEWAY_API_SUM\""*) ;;
*) fail "go could not bring sigs.k8s.io/gateway-api@$GATEWAY_API_VERSION with the sum of build/versions.env: $downloaded" ;;
esac
mkdir -p "$out/gateway-crds"
cp "$(go env GOMODCACHE)/sigs.k8s.io/gateway-api@$GATEWAY_API_VERSION/config/crd/standard/"*.yaml "$out/gateway-crds/"
chmod u+w "$out/gateway-crds/"*
finish gateway-crds "$hash"
