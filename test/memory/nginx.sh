#!/bin/sh
# nginx under valgrind's memcheck, in the place of nginx. Each process reports into a file of its own in WICK_MEMORY_LOGS.
# JIT code is new code at addresses that valgrind may have seen: it must look again.
here=$(dirname "$(readlink -f "$0")")
exec valgrind --quiet --tool=memcheck --smc-check=all-non-file --num-callers=30 --error-limit=no --child-silent-after-fork=no \
	--suppressions="$here/nginx.supp" --gen-suppressions=all --log-file="$WICK_MEMORY_LOGS/%p.log" \
	"$here/../../out/nginx/usr/sbin/nginx" "$@"
