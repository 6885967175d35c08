#!/bin/sh
# Debian's nginx for arm64 and its headers, ready to be called as any other nginx: it runs under the emulator, on libraries of its own
# (out/sysroot). Called by build/arm64.sh.
set -eu
. "$(dirname "$0")/lib.sh"

hash=$(fingerprint build/arm64 build/arm64-nginx.sh)
if ! fresh sysroot "$hash"; then
	say "unpacking Debian's libraries for arm64 (about 20 s)"
	log=$(mktemp)
	{ apt-get update && apt-get install -y --download-only --no-install-recommends nginx libc6-dev libgcc-s1 libpcre2-dev libssl-dev zlib1g-dev; } >"$log" 2>&1 ||
		{ tail -n 5 "$log" >&2; fail "apt-get could not download Debian's packages for arm64: see the lines above"; }
	rm -f "$log"
	whole=$(mktemp -d)
	for deb in "$WICK_DEBS"/*.deb; do dpkg -x "$deb" "$whole"; done
	rm -f "$WICK_DEBS"/*.deb
	# The emulator looks here first for every file that a program opens: nothing but libraries and headers may be found.
	rm -rf "$WICK_SYSROOT"
	mkdir -p "$WICK_SYSROOT/usr"
	mv "$whole/usr/include" "$whole/usr/lib" "$WICK_SYSROOT/usr/"
	if [ -d "$whole/lib" ]; then mv "$whole/lib" "$WICK_SYSROOT/"; else ln -s usr/lib "$WICK_SYSROOT/lib"; fi
	rm -rf "$whole"
	finish sysroot "$hash"
fi

# Its configure asks cc and uname for the machine.
PATH="$root/build/arm64:$PATH" "$root/build/nginx.sh"
"$root/build/brotli.sh"

# nginx itself becomes a script that runs the real one beside it: a master that starts another one by its own path (an upgrade) gets there again.
program=$out/nginx/usr/sbin/nginx
titles=$out/titles.so
"$root/build/arm64/cc" -O2 -Wall -Werror -shared -fPIC -o "$titles" "$root/build/arm64/titles.c" || fail "build/arm64/titles.c does not compile: see the lines above"
[ "$(head -c 2 "$program")" = "#!" ] || mv "$program" "$program-arm64"
cat >"$program.new" <<END
#!/bin/sh
exec qemu-aarch64 -L "$WICK_SYSROOT" -E LD_PRELOAD="$titles" -0 "\$0" "$program-arm64" "\$@"
END
chmod +x "$program.new"
mv "$program.new" "$program"
