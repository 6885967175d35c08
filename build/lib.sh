# Sourced by the scripts beside it. `root` is the checkout, `out` what they make, `cache` what may outlive the checkout.
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/out
cache=${WICK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/wick}
. "$root/build/versions.env"

# nginx_of CODENAME: the version that this Debian release has; nothing for a release that is not in the list.
nginx_of() { for pair in $NGINX_VERSIONS; do [ "${pair%%:*}" = "$1" ] && echo "${pair#*:}"; done; return 0; }

# release: the codename of this machine's Debian release, "bookworm" for instance.
release() { (. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}"); }

# mirror [-security]: where this machine takes its own packages of Debian from, or the repairs of its release. apt knows it of the lists it has.
mirror() {
	sites() { apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Release: $1"; }
	[ -n "$(sites "$(release)")" ] || apt-get update >/dev/null 2>&1
	sites "$(release)${1:-}" | head -n 1
}

NGINX_VERSION=$(nginx_of "$(release)")
[ -n "$NGINX_VERSION" ] || { NGINX_VERSION=${NGINX_VERSIONS%% *} && NGINX_VERSION=${NGINX_VERSION#*:}; }

say() { printf 'wick: %s\n' "$*" >&2; }

# elapsed SECONDS: "2 min 10 s", how long it has been since that moment of the clock (date +%s).
elapsed() { set -- $(($(date +%s) - $1)) && printf '%d min %d s' $(($1 / 60)) $(($1 % 60)); }

# fail SENTENCE: what is missing and what to install.
fail() { say "$*"; exit 1; }

# fingerprint PATH...: one hash over the names and contents of files and folders, and over this script itself.
fingerprint() {
	(cd "$root" && find "$@" build/lib.sh build/versions.env -name target -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-64)
}

# fresh NAME HASH: true when the step NAME was last finished with HASH.
fresh() { [ "$(cat "$out/stamps/$1" 2>/dev/null)" = "$2" ]; }

# finish NAME HASH: remembers that.
finish() { mkdir -p "$out/stamps" && printf '%s\n' "$2" >"$out/stamps/$1"; }

# take_over FOLDER: copies into it, another out/, what depends neither on the release nor on the processor.
take_over() {
	mkdir -p "$1/stamps"
	for step in node-modules balancer modsecurity; do
		[ ! -f "$out/stamps/$step" ] || cp -p "$out/stamps/$step" "$1/stamps/"
	done
	cp -p "$out"/*.wasm "$1/"
	for folder in modsecurity crs-tests; do
		[ ! -d "$out/$folder" ] || { rm -rf "${1:?}/$folder" && cp -rL "$out/$folder" "$1/$folder"; }
	done
}
