#!/bin/sh
# cargo-progress.sh ARGUMENTS...: cargo, which says how far it is and for how long, instead of a line for each crate. On a terminal that is one
# line, kept up to date; elsewhere a line a minute. Warnings and errors follow when cargo has ended.
set -eu
. "$(dirname "$0")/lib.sh"

# Seconds between two looks.
interval=${WICK_PROGRESS_SECONDS:-$([ -t 2 ] && echo 1 || echo 60)}
begun=$(date +%s)
log=$(mktemp)
watcher=
# KILL: a shell that was only just forked loses any other signal, and would be waited for without end.
stop_watching() { kill -KILL $watcher 2>/dev/null && wait $watcher 2>/dev/null || true; }
trap 'stop_watching; rm -f "$log"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# "compiled 45 of 154 crates, 2 min 10 s (gimli)". Only cargo's bar has the numbers: "Building [===>   ] 45/154: gimli, object". Each state of
# it follows a carriage return. Nothing before the first one.
progress() {
	tail -c 2000 "$log" | tr '\r' '\n' |
		sed -n "s|^ *Building \[.*\] \([0-9]*\)/\([0-9]*\): \([^, ]*\).*|compiled \1 of \2 crates, $(elapsed "$begun") (\3)|p" | tail -n 1
}

show() {
	now=$(progress)
	[ -n "$now" ] || return 0
	if [ -t 2 ]; then printf '\r\033[Kwick: %s' "$now" >&2; else say "$now"; fi
}

# Ends with this script, however that ends.
watch() {
	waited=0
	while sleep 1 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
		waited=$((waited + 1))
		[ $((waited % interval)) != 0 ] || show
	done
}

watch &
watcher=$!
status=0
CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=80 CARGO_TERM_COLOR=never cargo "$@" 2>"$log" || status=$?
stop_watching
[ ! -t 2 ] || printf '\r\033[K' >&2
tr '\r' '\n' <"$log" | sed 's/\x1b\[K//g' |
	grep -Ev '^ *(Building|Blocking|Checking|Compiling|Downloaded|Downloading|Finished|Fresh|Locking|Updating)\b|^$' >&2 || true
exit $status
