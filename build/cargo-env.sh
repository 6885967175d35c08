# Sourced before cargo: where nginx's headers are and where compiled crates go. Expects lib.sh to be sourced.
export NGINX_SOURCE_DIR=$out/nginx-src
export NGINX_BUILD_DIR=$out/nginx-src/objs
export CARGO_TARGET_DIR=$cache/target
