#!/bin/sh
# rustc for crates of the workspace, with AddressSanitizer (build/asan.sh). Build scripts and macros run in the compiler: they go without.
for word in "$@"; do
	case $word in build_script_build | proc-macro) exec "$@" ;; esac
done
# The stable compiler takes the flag when it is told that it is building itself.
RUSTC_BOOTSTRAP=1 exec "$@" -Zsanitizer=address
