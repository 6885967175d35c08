#!/bin/sh
# reproducible.sh [slim|full]: builds the image twice, from two folders whose files have other times, and from nothing that an earlier build has left
# but the images that it begins with. Compares what is in both: kinds, contents, modes, owners, links and capabilities of all files, and the digest
# that a release gives them. Not in CI: it compiles everything twice.
set -eu
cd "$(dirname "$0")/.."
. build/lib.sh

variant=${1:-slim}
place=$cache/image
build/image.sh "$variant"
build/packages.sh libcap2-bin
images() { buildah --root "$place/storage" --runroot "$place/run" "$@"; }

# contents_of NUMBER FOLDER: of a build of its own, a line for each file
contents_of() {
	export TMPDIR="$place/reproducible-$1"
	rm -rf "$TMPDIR"
	mkdir -p "$TMPDIR"
	images build --isolation chroot --pull-never --no-cache --quiet \
		--volume "${CARGO_HOME:-$HOME/.cargo}:/usr/local/cargo" --volume "${RUSTUP_HOME:-$HOME/.rustup}:/usr/local/rustup" \
		--build-arg "VARIANT=$variant" --tag "wick:reproducible-$1" "$2" >"$TMPDIR.log" 2>&1 ||
		{ tail -n 30 "$TMPDIR.log" >&2; fail "The image could not be built: see the lines above"; }
	container=$(images from --pull-never "wick:reproducible-$1")
	mounted=$(images mount "$container")
	(cd "$mounted" && list)
	images inspect --type image --format '{{.Config}}' "wick:reproducible-$1" >"$TMPDIR/config.json"
	build/node build/release/archive.ts "$mounted" "$TMPDIR/config.json" "$TMPDIR/image.tar" wick/controller:reproducible
	images rm "$container" >/dev/null
	images rmi "wick:reproducible-$1" >/dev/null
	rm -rf "$TMPDIR"
}
list() {
	find . -printf '%P %y %m %U:%G %l\n' | sort
	find . -type f -print0 | sort -z | xargs -0 sha256sum
	getcap -r . | sort
}

other=$place/reproducible-checkout
rm -rf "$other" && mkdir -p "$other"
git ls-files -z | xargs -0 cp --parents --no-dereference --target-directory "$other"
find "$other" -exec touch --no-dereference --date=@1000000000 {} +
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

say "building the image 1 of 2 times"
contents_of 1 "$root" >"$place/reproducible-1.files"
say "building the image 2 of 2 times"
contents_of 2 "$other" >"$place/reproducible-2.files"
rm -rf "$other"
diff "$place/reproducible-1.files" "$place/reproducible-2.files" || fail "Two builds differ in the files above"
say "Two builds have the same $(grep -c ' f ' "$place/reproducible-1.files") files and the digest $(tail -n 1 "$place/reproducible-1.files")"
