#!/bin/sh
# nginx/ → out/modules/*.so, out/modules/wick-policy, which compiles balancing policies, and out/modules/wick-waf, which checks rules of ModSecurity (cargo, release). Compiled dependencies stay in the cache, which may be empty.
set -eu
. "$(dirname "$0")/lib.sh"

hash=$(fingerprint nginx build/modules.sh build/nginx.sh)
if fresh modules "$hash" && [ -f "$out/modules/ngx_http_wasm_module.so" ] && [ -f "$out/modules/ngx_http_ingress_module.so" ] && [ -x "$out/modules/wick-policy" ] && [ -x "$out/modules/wick-waf" ]; then exit 0; fi

command -v cargo >/dev/null || fail "cargo is missing: install Rust $RUST_VERSION or newer"
rust=$(rustc --version | cut -d' ' -f2)
[ "$(printf '%s\n%s\n' "$RUST_VERSION" "$rust" | sort -V | head -n 1)" = "$RUST_VERSION" ] || fail "Rust $rust is too old: install $RUST_VERSION or newer ('rustup update')"

say "compiling the nginx modules (about 3 minutes the first time on two cores, seconds afterwards)"
. "$root/build/cargo-env.sh"
(cd "$root/nginx" && "$root/build/cargo-progress.sh" build --release --locked --package wick-wasm --package wick-ingress --package wick-policy --package wick-waf) || fail "cargo could not build the modules: see the lines above"
mkdir -p "$out/modules"
# put FILE NAME MODE: by rename, because an nginx that starts meanwhile must not meet half a file.
put() {
	install -m "$3" -s --strip-program="${STRIP:-strip}" "$CARGO_TARGET_DIR/${CARGO_BUILD_TARGET:-}/release/$1" "$out/modules/$2.new"
	mv "$out/modules/$2.new" "$out/modules/$2"
}
for name in ngx_http_wasm_module ngx_http_ingress_module; do put "lib$name.so" "$name.so" 644; done
for name in wick-policy wick-waf; do put $name $name 755; done
finish modules "$hash"
