# Sourced before cargo: where nginx's headers are and where compiled crates go. Expects lib.sh to be sourced.
export NGINX_SOURCE_DIR=$out/nginx-src
export NGINX_BUILD_DIR=$out/nginx-src/objs
export CARGO_TARGET_DIR=$cache/target
# What properties are tried with: the same in each run but those that try all (`seed` in test/support/runs.ts).
[ "${WICK_TEST_ALL:-}" = 1 ] || export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-29}"

# Checkouts share the compiled dependencies, but cargo tells two states of our own crates apart by the files' times only:
# in another checkout than the last time all of them are built again.
if [ "$(cat "$CARGO_TARGET_DIR/checkout" 2>/dev/null)" != "$root" ]; then
	find "$root/nginx" -name target -prune -o -name '*.rs' -exec touch {} +
	mkdir -p "$CARGO_TARGET_DIR"
	printf '%s\n' "$root" >"$CARGO_TARGET_DIR/checkout"
fi
