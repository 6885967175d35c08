//! The shared store: layout, lookup, versions and recovery over a piece of memory; no nginx, no Wasm
