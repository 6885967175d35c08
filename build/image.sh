#!/bin/sh
# image.sh [slim|full]: the Dockerfile's image with nothing but Debian's packages and those of npm and cargo, as no registry of images can be reached
# everywhere: the images that it begins with are made here under their names. Leaves the image in a store of its own in the cache
# (wick:VARIANT), its root file system as out/image/VARIANT, what it runs as VARIANT.json, and a bill of materials (CycloneDX) as VARIANT.cdx.json beside it.
set -eu
. "$(dirname "$0")/lib.sh"

variant=${1:-slim}
place=$cache/image
hash=$(fingerprint Dockerfile .dockerignore balancer-as policy-as build cli controller launcher nginx package.json package-lock.json ui)
kept=$place/$variant
link() { mkdir -p "$out/image" && ln -sfn "$kept" "$out/image/$variant" && for file in json cdx.json; do ln -sfn "$kept.$file" "$out/image/$variant.$file"; done; }
if [ "$(cat "$kept.made" 2>/dev/null)" = "$hash" ] && [ -d "$kept" ]; then
	link
	exit 0
fi

[ "$(id -u)" = 0 ] || fail "Not root, so no image can be built: run this as root"
"$root/build/packages.sh" buildah debootstrap
for tool in npm rustup go; do command -v "$tool" >/dev/null || fail "$tool is missing: CONTRIBUTING.md says what has to be installed"; done

mkdir -p "$place/tmp"
export TMPDIR="$place/tmp"
images() { buildah --root "$place/storage" --runroot "$place/run" "$@"; }
argument() { sed -n "s/^ARG $1=//p" "$root/Dockerfile"; }
debian=$(argument DEBIAN)
suite=${debian#*:}
suite=${suite%-slim}

# The same as Debian's image of this name: minbase with security updates, without documents.
make_debian() {
	say "making an image of Debian $suite (about 2 minutes)"
	base=$place/base
	rm -rf "$base"
	script=/usr/share/debootstrap/scripts/$suite
	[ -f "$script" ] || script=/usr/share/debootstrap/scripts/sid
	debootstrap --variant=minbase "$suite" "$base" "$(mirror)" "$script" >"$place/debootstrap.log" 2>&1 ||
		{ tail -n 5 "$place/debootstrap.log" >&2; fail "debootstrap failed: see the lines above"; }
	cat >"$base/etc/apt/sources.list" <<-SOURCES
		deb $(mirror) $suite main
		deb $(mirror) $suite-updates main
		deb $(mirror -security) $suite-security main
	SOURCES
	for path in doc man info locale; do echo "path-exclude /usr/share/$path/*"; done >"$base/etc/dpkg/dpkg.cfg.d/slim"
	echo "path-include /usr/share/doc/*/copyright" >>"$base/etc/dpkg/dpkg.cfg.d/slim"
	cp -L /etc/resolv.conf "$base/etc/"
	chroot "$base" sh -ec 'apt-get update && apt-get -y upgrade && apt-get clean' >>"$place/debootstrap.log" 2>&1 || fail "apt-get failed: see $place/debootstrap.log"
	find "$base/usr/share/doc" -type f ! -name copyright -delete
	rm -rf "$base"/usr/share/man/* "$base"/usr/share/info/* "$base"/usr/share/locale/* "$base"/var/lib/apt/lists/* "$base"/var/log/* "$base"/var/cache/*/* "$base/etc/resolv.conf"
	container=$(images from scratch)
	images add "$container" "$base" / >/dev/null
	images config --cmd /bin/bash --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
	images commit --quiet --rm "$container" "$debian" >/dev/null
	rm -rf "$base"
}

# stand_in NAME COMMAND...: what the image of this name brings beside Debian, taken from this machine; and whom it trusts.
stand_in() {
	name=$1
	shift
	container=$(images from --pull-never "$debian")
	"$@" "$container"
	images copy "$container" /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt >/dev/null
	for variable in SSL_CERT_FILE NODE_EXTRA_CA_CERTS; do images config --env "$variable=/etc/ssl/certs/ca-certificates.crt" "$container"; done
	images commit --quiet --rm "$container" "$name" >/dev/null
}
with_npm() {
	images copy "$1" "$(command -v node)" /usr/local/bin/node >/dev/null
	images copy "$1" "$(npm root --global)/npm" /usr/local/lib/node_modules/npm >/dev/null
	images run --isolation chroot "$1" ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
}
# The toolchain is large, and bound to its place while the image is built: the same place as here, which cargo tells compiled crates apart by.
crates=${CARGO_HOME:-$HOME/.cargo}
toolchains=${RUSTUP_HOME:-$HOME/.rustup}
with_rust() {
	images config --env "CARGO_HOME=$crates" --env "RUSTUP_HOME=$toolchains" \
		--env "PATH=$crates/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$1"
}
# Go, too, stays where it is, with the modules that it has.
with_go() {
	images config --env "GOMODCACHE=$modules" --env "PATH=$go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$1"
}
go=$(go env GOROOT)
modules=$(go env GOMODCACHE)
mkdir -p "$modules"
images_build() {
	images build --isolation chroot --pull-never --quiet --volume "$crates:$crates" --volume "$toolchains:$toolchains" \
		--volume "$go:$go:ro" --volume "$modules:$modules" "$@"
}

# The Dockerfile's cache begins with what this machine has compiled: crates of others are the same there.
seed_cache() {
	[ -d "$cache/target/release" ] || return 0
	printf '%s\n' "FROM $(argument RUST)" 'RUN --mount=type=cache,target=/var/cache/wick cd /var/cache/wick; [ -d target/release ] || { mkdir -p target; cp -a /seed target/release; }' |
		images_build --volume "$cache/target/release:/seed:ro" --tag wick-seed --file - >"$place/seed.log" 2>&1 ||
		say "what is compiled already was not taken over, so that all is compiled again: see $place/seed.log"
	images rmi wick-seed >/dev/null 2>&1 || true
}

# Security updates of a week are worth two minutes.
bases=$(fingerprint build/image.sh)
if [ -z "$(find "$place/base.made" -mtime -7 2>/dev/null)" ] || [ "$(cat "$place/base.made")" != "$bases" ]; then
	make_debian
	stand_in "$(argument NODE)" with_npm
	stand_in "$(argument RUST)" with_rust
	stand_in "$(argument GO)" with_go
	seed_cache
	printf '%s\n' "$bases" >"$place/base.made"
fi

# Layers of states that are gone pile up, a gigabyte and a half each.
[ "$(du -sm "$place/storage" | cut -f1)" -lt 8000 ] || images rmi --prune >/dev/null 2>&1 || true

say "building the image wick:$variant"
images_build --layers \
	--build-arg "VARIANT=$variant" --build-arg "VERSION=$(sed -n 's/^  "version": "\(.*\)",/\1/p' "$root/package.json")" \
	--build-arg "REVISION=$(git -C "$root" rev-parse HEAD 2>/dev/null || echo unknown)" \
	--tag "wick:$variant" "$root" >"$place/build.log" 2>&1 || { tail -n 30 "$place/build.log" >&2; fail "The image could not be built: see the lines above and $place/build.log"; }

# Its files as a folder: with the capabilities of files, which are extended attributes.
container=$(images from --pull-never "wick:$variant")
rm -rf "$kept.new"
cp -a "$(images mount "$container")" "$kept.new"
images inspect --type image --format '{{.Config}}' "wick:$variant" >"$kept.json"
"$root/build/node-modules.sh"
"$root/build/node" "$root/build/image-bill.ts" "$kept.new" >"$kept.cdx.json" || fail "The bill of materials could not be written"
images rm "$container" >/dev/null
rm -rf "$kept" && mv "$kept.new" "$kept"
printf '%s\n' "$hash" >"$kept.made"
link
