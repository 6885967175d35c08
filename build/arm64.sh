#!/bin/sh
# arm64.sh COMMAND...: runs COMMAND on this checkout as on a machine with an arm64 processor, as far as an emulator goes. nginx, its headers and the
# libraries are Debian's for arm64, cargo compiles for it, and what has to run (nginx, cargo's tests) runs under qemu; Node, cargo and the compilers
# stay those of this machine. out/ and what cargo compiles are folders of their own in the cache. Changes nothing outside of them.
set -eu
. "$(dirname "$0")/lib.sh"

target=aarch64-unknown-linux-gnu
place=$cache/arm64/${NGINX_VERSION}
[ "$(id -u)" = 0 ] || fail "Not root, so out/ cannot be another folder for a while: run this as root"
command -v rustc >/dev/null || fail "rustc is missing: install Rust $RUST_VERSION or newer"
# It has to be of the same compiler.
[ -d "$(rustc --print target-libdir --target "$target")" ] ||
	fail "Rust's standard library for arm64 is missing: run 'rustup target add $target' (for a Rust of Debian: install libstd-rust-dev:arm64)"
"$root/build/packages.sh"
"$root/build/packages.sh" gcc-aarch64-linux-gnu qemu-user

# What does not depend on the processor is taken over.
"$root/build/node-modules.sh"
"$root/build/balancer.sh"
take_over "$place/out"

# apt-get, apt-cache: as on an arm64 machine on which nothing is installed.
mkdir -p "$place/cache" "$place/apt/lists" "$place/apt/debs"
cat >"$place/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
Dir::State "$place/apt";
Dir::State::lists "$place/apt/lists";
Dir::State::status "/dev/null";
Dir::Cache "$place/apt";
Dir::Cache::archives "$place/apt/debs";
END
export APT_CONFIG="$place/apt.conf" WICK_DEBS="$place/apt/debs" WICK_CACHE="$place/cache" WICK_SYSROOT="$out/sysroot"

# cargo, and what build scripts start: the C compiler, bindgen's libclang.
export CARGO_BUILD_TARGET="$target" STRIP=aarch64-linux-gnu-strip
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER="$root/build/arm64/cc"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$root/build/arm64/run"
export CC_aarch64_unknown_linux_gnu="$root/build/arm64/cc"
export BINDGEN_EXTRA_CLANG_ARGS_aarch64_unknown_linux_gnu="--sysroot=$WICK_SYSROOT"

export WICK_CHECKOUT="$root" WICK_PLACE="$place"
exec unshare --mount --propagation private -- sh -eu -c '
	mount --bind "$WICK_PLACE/out" "$WICK_CHECKOUT/out"
	cd "$WICK_CHECKOUT"
	build/arm64-nginx.sh
	exec "$@"
' sh "$@"
