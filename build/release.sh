#!/bin/sh
# release.sh VERSION: a commit and a tag with this version, and what people download as files in out/release/VERSION: images, the chart, manifests,
# bills of materials, notices, the changes, and checksums of all. Nothing leaves this machine; it says at the end how to publish. Begins
# with a checkout without changes, and makes all from it. RELEASE_VARIANTS="slim" leaves the full image out.
set -eu
. "$(dirname "$0")/lib.sh"
version=${1:-}
[ -n "$version" ] || fail "Say which version: build/release.sh 1.2.3"
variants=${RELEASE_VARIANTS:-slim full}
cd "$root"

[ -z "$(git status --porcelain)" ] || fail "The checkout has changes: commit them, or begin with a clean clone"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || fail "There is a tag v$version already"
"$root/build/setup.sh"

folder=$out/release/$version
rm -rf "$folder" && mkdir -p "$folder"
images() { buildah --root "$cache/image/storage" --runroot "$cache/image/run" "$@"; }
# Whatever fails from here on leaves the checkout as it was.
undo() { git checkout -q -- . && rm -rf "$folder"; }
trap undo EXIT
build/node build/release/version.ts "$version" >"$folder/CHANGES.md"
for workspace in nginx launcher test/fuzz; do (cd "$workspace" && cargo update --quiet --workspace --offline); done
build/node build/docs.ts
test/chart/run.sh static -u
git commit -q -a -m "release: $version"
undo() { git reset -q --hard HEAD~1 && rm -rf "$folder"; }

say "building what is released"
build/node build/third-party.ts
cp -r out/third-party/. "$folder/"
"$out/helm" package deploy/chart --destination "$folder" >/dev/null
for manifest in deploy/static/*.yaml; do cp "$manifest" "$folder/wick-$version-$(basename "$manifest")"; done
architecture=$(dpkg --print-architecture)
for variant in $variants; do
	# Not one with the same contents that was made from another commit.
	rm -f "$cache/image/$variant.made"
	build/image.sh "$variant"
	container=$(images from --pull-never "wick:$variant")
	said=$(images run --isolation chroot "$container" /usr/local/bin/wick --version)
	images rm "$container" >/dev/null
	case $said in
	*"$version"*"$(git rev-parse --short HEAD)"*) ;;
	*) fail "The image $variant says that it is \"$said\"" ;;
	esac
	suffix=$([ "$variant" = slim ] || echo "-$variant")
	file=$folder/wick-$version$suffix-$architecture
	cp "$out/image/$variant.cdx.json" "$file.cdx.json"
	images push --quiet "wick:$variant" "oci-archive:$file.oci.tar:wick/controller:$version$suffix"
done
(cd "$folder" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
git tag -a "v$version" -m "wick $version"
trap - EXIT

say "wick $version is in $folder and tagged v$version; to publish it: git push --follow-tags, then upload the files"
(cd "$folder" && ls -sh)
