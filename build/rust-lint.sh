#!/bin/sh
# rustfmt and clippy over the workspace; a warning is an error.
set -eu
. "$(dirname "$0")/lib.sh"
. "$root/build/cargo-env.sh"
cd "$root/nginx"
cargo fmt --all --check
cargo clippy --workspace --all-targets --locked -- -D warnings
