#!/bin/sh
# npm run fuzz [SECONDS [TARGET...]]: each target of test/fuzz for so many seconds, one after the other; default 60. What they learn
# stays in the cache and is where the next run begins. Ends with 1 when something was found, and says in which file the input is.
set -eu
. "$(dirname "$0")/lib.sh"
seconds=${1:-60}
[ $# -eq 0 ] || shift
all="client_hello proxy_header records script find header_map arguments store geo balancer objects snippets rules"
folder=$("$root/build/fuzz-build.sh")
status=0
for target in ${*:-$all}; do
	if [ "$target" = balancer ]; then
		"$root/build/node" "$root/test/fuzz/balancer.ts" "$((seconds / 2))" || status=1
		continue
	fi
	if [ "$target" = objects ] || [ "$target" = snippets ] || [ "$target" = rules ]; then
		"$root/build/node" "$root/test/fuzz/$target.ts" "$seconds" || status=1
		continue
	fi
	corpus=$cache/fuzz/$target
	log=$cache/fuzz/$target.log
	mkdir -p "$corpus"
	if "$folder/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$cache/fuzz/$target-" \
		"$corpus" "$root/test/fuzz/seeds/$target" 2>"$log"; then
		say "$target: $(sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) .*/\1 executions in \2 s, no finding/p' "$log")"
	else
		say "$target: $(grep -E 'panicked|finding|ERROR|SUMMARY' -A1 "$log" | head -n 6; grep 'Test unit written' "$log")"
		status=1
	fi
done
exit $status
