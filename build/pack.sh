#!/bin/sh
# pack.sh FILE [--directory FOLDER NAME]...: packs what stands in each FOLDER under NAME (arguments of tar), with the time of SOURCE_DATE_EPOCH and nobody's name, so
# that the same files are the same archive (`helm package` writes this moment). The folder chart is called wick in it, as Helm has it.
set -eu
. "$(dirname "$0")/lib.sh"
[ -n "${SOURCE_DATE_EPOCH:-}" ] || fail "SOURCE_DATE_EPOCH is missing: git log -1 --format=%ct"
file=$1
shift
tar --create --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
	--mode=u=rwX,go=rX --transform 's,^chart,wick,' "$@" | gzip --no-name >"$file"
