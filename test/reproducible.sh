#!/bin/sh
# reproducible.sh [slim|full]: builds the image twice, from nothing that an earlier build has left but the images that it begins with, and compares
# what is in both: kinds, contents, modes, owners, links and capabilities of all files. Times differ. Not in CI: it compiles everything twice.
set -eu
cd "$(dirname "$0")/.."
. build/lib.sh

variant=${1:-slim}
place=$cache/image
build/image.sh "$variant"
build/packages.sh libcap2-bin
images() { buildah --root "$place/storage" --runroot "$place/run" "$@"; }

# contents_of NUMBER: of a build of its own, a line for each file
contents_of() {
	export TMPDIR="$place/reproducible-$1"
	rm -rf "$TMPDIR"
	mkdir -p "$TMPDIR"
	images build --isolation chroot --pull-never --no-cache --quiet \
		--volume "${CARGO_HOME:-$HOME/.cargo}:/usr/local/cargo" --volume "${RUSTUP_HOME:-$HOME/.rustup}:/usr/local/rustup" \
		--build-arg "VARIANT=$variant" --tag "wick:reproducible-$1" . >"$TMPDIR.log" 2>&1 ||
		{ tail -n 30 "$TMPDIR.log" >&2; fail "The image could not be built: see the lines above"; }
	container=$(images from --pull-never "wick:reproducible-$1")
	(cd "$(images mount "$container")" && list)
	images rm "$container" >/dev/null
	images rmi "wick:reproducible-$1" >/dev/null
	rm -rf "$TMPDIR"
}
list() {
	find . -printf '%P %y %m %U:%G %l\n' | sort
	find . -type f -print0 | sort -z | xargs -0 sha256sum
	getcap -r . | sort
}

for number in 1 2; do
	say "building the image $number of 2 times"
	contents_of $number >"$place/reproducible-$number.files"
done
diff "$place/reproducible-1.files" "$place/reproducible-2.files" || fail "Two builds differ in the files above"
say "Two builds have the same $(grep -c ' f ' "$place/reproducible-1.files") files"
