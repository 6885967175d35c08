#!/bin/sh
# modsecurity.sh [rules]: libmodsecurity from Debian's package, installed, and what it is given to read → out/modsecurity: our recommended settings, the
# mapping of Unicode, and the OWASP Core Rule Set in each version of versions.env; its regression tests → out/crs-tests, kept in the cache. wick runs
# without them, so it is no fault when they cannot be had. With the word `rules`, for an image: the files alone, which have to be had.
set -eu
. "$(dirname "$0")/lib.sh"

# Debian 13 has another name for it, since its time has 64 bits.
case $(release) in bookworm) library=libmodsecurity3 ;; *) library=libmodsecurity3t64 ;; esac
[ "${1:-}" = rules ] || "$root/build/packages.sh" "$library" || say "$library cannot be installed: going on without it"

hash=$(fingerprint build/modsecurity.sh nginx/modsecurity)
made=$out/modsecurity
if fresh modsecurity "$hash" && [ -d "$made" ] && [ -e "$out/crs-tests" ]; then exit 0; fi

mkdir -p "$cache" "$out"
new=$(mktemp -d "$out/modsecurity.XXXXXX")
chmod 755 "$new"
trap 'rm -rf "$new"' EXIT
missing() { if [ "${1:-}" = rules ]; then fail "$2"; else say "$2: going on without rules of ModSecurity" && exit 0; fi; }

# unicode_mapping FOLDER: which characters of ASCII others stand for. The connector's package has it, which is not installed.
unicode_mapping() {
	debs=$new/debs
	mkdir "$debs"
	download() { (cd "$debs" && apt-get download libnginx-mod-http-modsecurity >/dev/null 2>&1); }
	download || { apt-get update >/dev/null 2>&1 && download; } || return 1
	dpkg -x "$debs"/libnginx-mod-http-modsecurity_*.deb "$debs/tree"
	cp "$debs/tree/etc/nginx/unicode.mapping" "$1/"
	cp "$debs/tree/usr/share/doc/libnginx-mod-http-modsecurity/copyright" "$1/unicode.mapping.copyright"
	rm -rf "$debs"
}
command -v apt-get >/dev/null && unicode_mapping "$new" || missing "${1:-}" "apt-get could not download libnginx-mod-http-modsecurity"

# module VERSION SUM: where Go has put the module, after it has checked it.
module() {
	name=github.com/corazawaf/coraza-coreruleset/v4@v$1
	downloaded=$(cd / && go mod download -json "$name") || true
	case $downloaded in *"\"$2\""*) echo "$(cd / && go env GOMODCACHE)/$name" ;; *) return 1 ;; esac
}

# rules FOLDER MODULE: its rules as libmodsecurity reads them. Version 3.0.9 takes the line after a rule without actions for that rule's actions, unless
# it is blank.
rules() {
	mkdir -p "$1/rules"
	cp "$2/rules/LICENSE" "$1/LICENSE"
	cp "$2"/rules/@owasp_crs/*.data "$1/rules/"
	apart() { awk '{ print } !/\\$/ { print "" }' "$1"; }
	apart "$2/rules/@crs-setup.conf.example" >"$1/crs-setup.conf"
	for file in "$2"/rules/@owasp_crs/*.conf; do apart "$file" >"$1/rules/${file##*/}"; done
	{
		echo 'Include crs-setup.conf'
		(cd "$1" && LC_ALL=C ls rules/*.conf) | sed 's/^/Include /'
	} >"$1/nginx-modsecurity.conf"
}

command -v go >/dev/null || missing "${1:-}" "go is missing, which fetches the OWASP Core Rule Set"
for pinned in $CRS_VERSIONS; do
	version=${pinned%%=*}
	folder=$(module "$version" "${pinned#*=}") ||
		missing "${1:-}" "go could not bring the OWASP Core Rule Set $version with the sum of build/versions.env"
	rules "$new/crs-$version" "$folder"
	kept=$cache/crs-tests/$version
	if [ ! -d "$kept" ]; then
		mkdir -p "$cache/crs-tests"
		cp -r "$folder/tests" "$kept.$$"
		chmod -R u+w "$kept.$$"
		mv "$kept.$$" "$kept" 2>/dev/null || rm -rf "$kept.$$"
	fi
done
cp "$root/nginx/modsecurity/recommended.conf" "$new/"
chmod -R u+w "$new"
rm -rf "$made"
mv "$new" "$made"
ln -sfn "$cache/crs-tests" "$out/crs-tests"
finish modsecurity "$hash"
