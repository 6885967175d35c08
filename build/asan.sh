#!/bin/sh
# nginx of Debian's source package and our modules, compiled with AddressSanitizer; nginx takes each piece of a pool from malloc, so that what
# overruns one, or uses it when it is freed, is seen. All of it stays in the cache. Prints the folder that has `nginx` and the modules.
set -eu
. "$(dirname "$0")/lib.sh"

made=$cache/asan
sanitize="-fsanitize=address -fno-omit-frame-pointer"
version=$(zcat "$out/nginx/usr/share/doc/nginx/changelog.Debian.gz" | sed -n '1s/.*(\(.*\)).*/\1/p')

# unpack FOLDER: nginx's release as Debian keeps it, with the package's headers. Debian's patches are left out: mirrors do not keep them. The
# lists of sources are its own: those of the machine need not name any.
unpack() {
	folder=$1
	lists=$folder/apt
	mkdir -p "$lists/parts" "$lists/state/partial"
	sed 's/^Types: .*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$lists/parts/debian.sources"
	set -- -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$lists/parts" -o Dir::State::Lists="$lists/state" -o Dir::Cache="$lists"
	apt-get "$@" update
	(cd "$folder" && apt-get "$@" source --tar-only "nginx=$version" && tar -xf nginx_*.orig.tar.*)
	cp -r "$out/nginx-src/src" "$folder"/nginx-*/
}

# compile FOLDER: without the package's dynamic modules; the signature that ours are checked for stays the same. The sanitizer has a crypt_r that
# asks the library, and configure takes it for the library.
compile() {
	cd "$1"/nginx-*/
	bash -c '. "$1/conf_flags" && ./configure "${NGX_CONF_FLAGS[@]}" --with-stream=dynamic --with-cc-opt="$2" --with-ld-opt="$3"' \
		configure "$out/nginx-src" "$sanitize -g -O1 -DNGX_DEBUG_PALLOC=1" "$sanitize -Wl,--no-as-needed -lcrypt"
	make -f objs/Makefile -j "$(nproc)" binary
}

mkdir -p "$made"
if [ "$(cat "$made/version" 2>/dev/null)" != "$version" ]; then
	say "compiling nginx $version with AddressSanitizer (about a minute)"
	folder=$(mktemp -d)
	{ unpack "$folder" && (compile "$folder"); } >"$made/nginx.log" 2>&1 || { tail -n 20 "$made/nginx.log" >&2; fail "nginx could not be compiled: see the lines above"; }
	install "$folder"/nginx-*/objs/nginx "$made/nginx"
	rm -rf "$folder"
	printf '%s\n' "$version" >"$made/version"
fi

say "compiling the modules with AddressSanitizer (about a minute)"
. "$root/build/cargo-env.sh"
# Our own crates only: what they use would take ten times as long, and is compiled already.
export RUSTC_WORKSPACE_WRAPPER="$root/build/asan-rustc.sh"
(cd "$root/nginx" && cargo build --release --locked --package wick-wasm --package wick-ingress >&2) || fail "cargo could not build the modules: see the lines above"
for name in ngx_http_wasm_module ngx_http_ingress_module; do install -m 644 "$CARGO_TARGET_DIR/release/lib$name.so" "$made/$name.so"; done
printf '%s\n' "$made"
