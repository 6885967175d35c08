#!/bin/sh
# release.sh [--again | --dry-run] VERSION: a commit and a tag with this version, and what people download as files in out/release/VERSION: images, the chart, manifests,
# bills of materials, notices, the changes, checksums of all, and where they come from. Nothing leaves this machine; it says at the end how to
# publish. Begins with a checkout without changes, and makes all from it. RELEASE_VARIANTS="slim" leaves the full image out; RELEASE_KEY is the PEM
# of a private key that signs. With --again the same files of a tag that is there and checked out: neither commit nor tag (docs/release.md). With
# --dry-run all of it up to the tag, and the commit is taken back.
set -eu
. "$(dirname "$0")/lib.sh"
again= dry=
case ${1:-} in
--again) again=yes && shift ;;
--dry-run) dry=yes && shift ;;
esac
version=${1:-}
[ -n "$version" ] || fail "Say which version: build/release.sh 1.2.3"
variants=${RELEASE_VARIANTS:-slim full}
cd "$root"

[ -z "$(git status --porcelain)" ] || fail "The checkout has changes: commit them, or begin with a clean clone"
tagged=$(git rev-parse -q --verify "refs/tags/v$version^{commit}" || true)
if [ -n "$again" ]; then
	[ "$tagged" = "$(git rev-parse HEAD)" ] || fail "The tag v$version is not what is checked out: git checkout v$version"
else
	[ -z "$tagged" ] || fail "There is a tag v$version already: build/release.sh --again $version builds it again"
fi
"$root/build/setup.sh"

folder=$out/release/$version
rm -rf "$folder" && mkdir -p "$folder"

# The version in all files, and a commit. Whatever fails from here on leaves the checkout as it was.
commit_version() {
	undo() { git checkout -q -- . && rm -rf "$folder"; }
	build/node build/release/version.ts "$version" >"$folder/CHANGES.md"
	for workspace in nginx launcher test/fuzz; do (cd "$workspace" && cargo update --quiet --workspace --offline); done
	build/node build/docs.ts
	test/chart/run.sh static -u
	git commit -q -a -m "release: $version"
	undo() { git reset -q --hard HEAD~1 && rm -rf "$folder"; }
}
undo() { rm -rf "$folder"; }
trap undo EXIT
if [ -n "$again" ]; then build/node build/release/version.ts --notes "$version" >"$folder/CHANGES.md"; else commit_version; fi

images() { buildah --root "$cache/image/storage" --runroot "$cache/image/run" "$@"; }
# The time of everything in it: whoever builds the tag again gets the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

say "building what is released"
build/node build/third-party.ts
cp -r out/third-party/. "$folder/"
build/pack.sh "$folder/wick-$version.tgz" --directory "$root/deploy" chart
for manifest in deploy/static/*.yaml; do cp "$manifest" "$folder/wick-$version-$(basename "$manifest")"; done
build/pack.sh "$folder/kubectl-wick.tar.gz" --directory "$root/deploy" kubectl-wick --directory "$root" LICENSE
build/node build/release/krew.ts "$version" "$folder/kubectl-wick.tar.gz" >"$folder/krew-wick.yaml"
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
	digest=$(build/node build/release/archive.ts "$out/image/$variant" "$out/image/$variant.json" "$file.oci.tar" "wick/controller:$version$suffix")
	say "wick/controller:$version$suffix is $digest"
	printf '%s  wick/controller:%s%s\n' "$digest" "$version" "$suffix" >>"$folder/DIGESTS"
done
(cd "$folder" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
build/node build/release/provenance.ts "$folder" "$version" "$(git rev-parse HEAD)" ${RELEASE_KEY:+"$RELEASE_KEY"}
[ -n "$again$dry" ] || git tag -a "v$version" -m "wick $version"
trap - EXIT

if [ -n "$dry" ]; then
	git reset -q --hard HEAD~1
	say "wick $version would be what is in $folder; there is no commit and no tag"
else
	say "wick $version is in $folder; to publish it: git push --follow-tags, then upload the files"
fi
(cd "$folder" && ls -sh)
